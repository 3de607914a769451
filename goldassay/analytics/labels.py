"""What a version's label names: the column it stands in, and the newest run that holds it.

Asked by commands that take a label without being told what kind of version it is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import get_args

from goldassay.analytics.connect import connect
from goldassay.analytics.scope import VersionColumn, load_sql, rows_of, version_column
from goldassay.errors import ConfigError
from goldassay.store.store import Store

__all__ = ["column_of", "newest_run_with"]


def column_of(store: Store, labels: tuple[str, str], *, app: str | None = None) -> VersionColumn:
    """Find the version column that holds both labels, app_version before the others.

    Args:
        store: Where the answers are.
        labels: Of the two sides.
        app: Only this assistant.

    Raises:
        ConfigError: If no column holds both, or nothing is stored.
    """
    runs = store.runs(app)
    if not runs:
        raise ConfigError("no run is stored yet, so there is nothing to compare. Grade some answers: goldassay run")
    known = {version for run in runs for version in run.app_versions}
    if known.issuperset(labels):
        return "app_version"  # told by the manifests: no file needs to be opened
    values = {"app": app, "labels": list(dict.fromkeys(labels))}
    with connect(store) as connection:
        (row,) = rows_of(connection, load_sql("label_columns"), values)
    found = dict(zip(get_args(VersionColumn), (set(labels_in or ()) for labels_in in row), strict=True))
    column: VersionColumn
    for column, there in found.items():
        if there.issuperset(labels):
            return column
    told = ", ".join(_told(label, found) for label in labels)
    raise ConfigError(f"no runs and no two versions of one kind: {told}. See goldassay history, e.g. with --by model.")


def _told(label: str, found: Mapping[VersionColumn, Collection[str]]) -> str:
    columns = [column for column, labels in found.items() if label in labels]
    return f"{label!r} is {f'a value of {columns[0]}' if columns else 'not known'}"


def newest_run_with(store: Store, column: VersionColumn, label: str, *, app: str | None = None) -> str:
    """Id of the newest run, rejudged ones left out, that holds an answer of a version.

    Raises:
        ConfigError: If there is none.
    """
    sql = load_sql("newest_run_with", column=version_column(column))
    with connect(store) as connection:
        ((run_id,),) = rows_of(connection, sql, {"app": app, "label": label})
    if run_id is None:
        raise ConfigError(f"no stored run with {column} {label!r}; see goldassay history.")
    return str(run_id)
