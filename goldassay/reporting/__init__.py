"""Reports: on the terminal, as one HTML file, as Markdown, as JUnit XML; all from the models of `goldassay.analytics`.

Import from the modules: `terminal` and `junit` load fast, `html` loads the store and the charts.
"""
