"""Which verdicts a question is about, as a WHERE clause of fixed pieces and bound values.

Values from users never reach the SQL text; column names come from a closed list. Knows the
columns of the views and the placeholders of the files in sql/, nothing of what is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib import resources
from typing import Any, Literal, get_args

import duckdb

from goldassay.errors import ConfigError
from goldassay.store.manifest import RunManifest
from goldassay.store.paths import month_of

__all__ = ["DAY", "MOMENT", "Scope", "VersionColumn", "load_sql", "rows_of", "used_values", "version_column"]

VersionColumn = Literal["app_version", "model", "prompt_version", "index_version"]
"""Columns that can name a version of the assistant."""

MOMENT = "coalesce(asked_at, run_at)"
"""When an answer was given; the run's start where the log does not tell."""
DAY = f"make_timestamp(epoch_us({MOMENT}))::DATE"
"""Its UTC day. By way of microseconds: a cast from a time with a zone asks a calendar, for each row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Conditions on verdict rows; None (or empty) leaves a column free."""

    app: str | None = None
    check: str | None = None
    since: datetime | None = None
    """First moment, inclusive."""
    until: datetime | None = None
    """First moment behind."""
    run_ids: Sequence[str] | None = None
    """Only these runs."""
    months: Sequence[str] | None = None
    """Only these months of runs ('YYYY-MM'): a folder each, so that no other is opened."""
    column: VersionColumn | None = None
    """With `versions`: the column they are values of."""
    versions: Sequence[str] | None = None
    with_rejudged: bool = False
    """True: verdicts of later judgings of stored answers count too (they would count an answer twice)."""
    table: str = "verdicts"
    """The relation read; a name of our own."""

    @classmethod
    def of_runs(cls, *runs: RunManifest) -> Scope:
        """Return the verdicts of some runs, whatever their kind."""
        months = tuple(sorted({month_of(run.run_at) for run in runs}))
        return cls(run_ids=tuple(run.run_id for run in runs), months=months, with_rejudged=True)

    def where(self, *extra: str) -> str:
        """Return the condition; always at least TRUE."""
        return " AND ".join([*self._parts(), *extra]) or "TRUE"

    def values(self) -> dict[str, Any]:
        """Return the bound values the condition uses."""
        single = {"app": self.app, "check": self.check, "since": self.since, "until": self.until}
        given = {f"scope_{name}": value for name, value in single.items() if value is not None}
        lists = {"month": self.months, "run_id": self.run_ids, "version": self.versions}
        return given | {
            f"scope_{name}_{position}": value
            for name, values in lists.items()
            for position, value in enumerate(values or ())
        }

    def _parts(self) -> Iterator[str]:
        if self.app is not None:
            yield "app = $scope_app"
        if self.check is not None:
            yield '"check" = $scope_check'
        if self.months is not None:
            yield _one_of("month", "month", self.months)
        if self.run_ids is not None:
            yield _one_of("run_id", "run_id", self.run_ids)
        if self.versions is not None:
            yield self._of_versions(self.versions)
        if self.since is not None:
            yield f"{MOMENT} >= $scope_since"
        if self.until is not None:
            yield f"{MOMENT} < $scope_until"
        if not self.with_rejudged:
            yield "run_kind <> 'rejudge'"

    def _of_versions(self, versions: Sequence[str]) -> str:
        # The bare column lets Parquet's statistics leave row groups out; a missing label is '' to the user only.
        column = self.column or "app_version"
        expression = version_column(column)  # refuses anything but a version column
        return _one_of(expression if "" in versions else column, "version", versions)


def _one_of(column: str, name: str, values: Sequence[str]) -> str:
    """`column IN (...)` with bound values: unlike a list function it reaches the file's statistics."""
    bound = ", ".join(f"$scope_{name}_{position}" for position in range(len(values)))
    return f"{column} IN ({bound})" if values else "FALSE"


def version_column(by: str) -> str:
    """Return the SQL expression of a version, '' where the log does not tell.

    Raises:
        ConfigError: If it is no version column.
    """
    known = get_args(VersionColumn)
    if by not in known:
        raise ConfigError(f"no version column {by!r}; use one of {', '.join(known)}.")
    return f"coalesce({by}, '')"


@cache
def _read_sql(name: str) -> str:
    return resources.files("goldassay.analytics").joinpath(f"sql/{name}.sql").read_text(encoding="utf-8")


def load_sql(name: str, **pieces: str) -> str:
    """Read a file of sql/ and set its {placeholders} to pieces of our own SQL (never to a user's text)."""
    text = _read_sql(name)
    for placeholder, piece in pieces.items():
        text = text.replace("{" + placeholder + "}", piece)
    return text


def rows_of(
    connection: duckdb.DuckDBPyConnection, sql: str, values: dict[str, Any] | None = None
) -> Iterable[tuple[Any, ...]]:
    """Run a query and return its rows; only values the text names are bound (DuckDB refuses others)."""
    rows: list[tuple[Any, ...]] = connection.execute(sql, used_values(sql, values or {})).fetchall()
    return rows


def used_values(sql: str, values: dict[str, Any]) -> dict[str, Any]:
    """Return the values whose names stand in the text."""
    named = set(re.findall(r"\$(\w+)", sql))
    return {name: value for name, value in values.items() if name in named}
