"""The stages of a run, one a file: paths in, counts out.

They join what siblings of the library must not join themselves (a source, the rules, a
judge, the store). No Prefect in here: `tasks/` wraps each stage in one task, and the
same functions run in plain Python, on Dask or in a test.
"""
