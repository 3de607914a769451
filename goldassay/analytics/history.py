"""Rates and failure reasons over versions and time: when did it get better or worse, and through what.

Every answer counts once for each check: runs that only judged stored answers again are left out, and of
an answer that a golden run graded again the newest verdict counts. Repeats of a question widen the interval.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import datetime
from typing import Any

import duckdb

from goldassay.analytics.answerability import answerability
from goldassay.analytics.connect import connect
from goldassay.analytics.flaky import flaky_questions
from goldassay.analytics.mix import mix_notices
from goldassay.analytics.models import Notice, ReasonGroup
from goldassay.analytics.models_reports import AnswerabilityTable, CategoryTrend, DayRate, HistoryReport, VersionRate
from goldassay.analytics.newest import newest_only
from goldassay.analytics.notices import outage_notices
from goldassay.analytics.rates import RateRow, grouped, rate_summary
from goldassay.analytics.reasons import category_counts, reason_groups
from goldassay.analytics.rollup import rolled_day_rates, rolled_up, rolled_version_rates
from goldassay.analytics.scope import Scope, VersionColumn, load_sql, rows_of, version_column
from goldassay.analytics.shares import ShareChange, adjusted, change_of_share, graded_by_version
from goldassay.store.store import Store

__all__ = ["history"]

_DETAILED = 20
"""Newest versions looked at for causes and flaky questions; rates and categories cover all."""


def history(
    store: Store,
    *,
    by: VersionColumn = "app_version",
    app: str | None = None,
    check: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    details: bool = True,
    connection: duckdb.DuckDBPyConnection | None = None,
) -> HistoryReport:
    """Follow rates, failure reasons and answerability over versions and days.

    Args:
        store: Where the verdicts are.
        by: Which version column to follow.
        app: Only this assistant.
        check: Only this check.
        since: Answers from this moment on.
        until: Answers before this moment.
        details: False: leave out causes with examples and flaky questions, which read texts, and the mix of questions.
        connection: An open connection over the same store; default a new one.

    Returns:
        The report; without rows for an empty store.

    Raises:
        ConfigError: If `by` is no version column.
    """
    scope = Scope(app=app, check=check, since=since, until=until, column=by)
    with nullcontext(connection) if connection is not None else connect(store) as opened:
        assert opened is not None
        with newest_only(opened, scope, by=by) as counted, rolled_up(opened, counted, by=by):
            return _History(opened, counted, by).build(details=details)


class _History:
    """One history under way."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, scope: Scope, by: VersionColumn) -> None:
        self.connection = connection
        self.scope = scope
        self.by = by
        self.rows = rolled_version_rates(connection, scope, by=by)
        self.versions = _in_order(self.rows)
        self.graded = graded_by_version(self.rows)

    def build(self, *, details: bool) -> HistoryReport:
        rates = self._rates()
        return HistoryReport(
            by=self.by,
            app=self.scope.app,
            since=self.scope.since,
            until=self.scope.until,
            versions=self.versions,
            rates=rates,
            days=self._days(),
            categories=self._categories(),
            answerability=self._answerability(),
            reasons=self._reasons() if details and self.versions else (),
            flaky=flaky_questions(self.connection, self._newest(_DETAILED), by=self.by) if details else (),
            notices=(*_notices(rates), *outage_notices(rates), *(self._mix() if details else ())),
        )

    def _answerability(self) -> tuple[AnswerabilityTable, ...]:
        """The rule `refusal` tells it on golden questions; a log without them is not read a second time."""
        ((golden,),) = rows_of(self.connection, load_sql("rolled_golden"))
        if not golden:
            return ()
        tables = answerability(self.connection, self.scope, group=version_column(self.by))
        return tuple(sorted(tables, key=lambda table: self.versions.index(table.version)))

    def _rates(self) -> tuple[VersionRate, ...]:
        judges = {(row[0], row[1]): tuple(row[2]) for row in rows_of(self.connection, load_sql("judges_by_version"))}
        made = [
            VersionRate(
                version=version,
                check=check,
                kind=rows[0].kind,
                rate=rate_summary(rows),
                questions=sum(row.questions for row in rows),
                first_seen=_earliest(rows),
                last_seen=max((row.last_seen for row in rows if row.last_seen), default=None),
                judges=judges.get((check, version), ()),
            )
            for (version, check), rows in grouped(self.rows)
        ]
        return tuple(sorted(made, key=lambda rate: (rate.check, self.versions.index(rate.version))))

    def _days(self) -> tuple[DayRate, ...]:
        rows = rolled_day_rates(self.connection, self.scope)
        made = [DayRate(day=day, check=check, rate=rate_summary(found)) for (day, check), found in grouped(rows)]
        return tuple(sorted(made, key=lambda day: (day.check, day.day)))

    def _categories(self) -> tuple[CategoryTrend, ...]:
        found: dict[tuple[str, str, bool], dict[str, Sequence[Any]]] = defaultdict(dict)
        for category, check, is_error, *row in category_counts(self.connection, self.scope, by=self.by, rows="rollup"):
            found[category, check, is_error][row[0]] = row
        changes = [self._change(check, rows) for (_, check, _), rows in found.items()]
        made = [
            _trend(key, rows, self._graded_in(key[1]), change, p_value)
            for (key, rows), change, p_value in zip(found.items(), changes, adjusted(changes), strict=True)
        ]
        return tuple(sorted(made, key=lambda t: (t.is_error, -sum(n for _, n, _ in t.counts), t.category, t.check)))

    def _change(self, check: str, rows: Mapping[str, Sequence[Any]]) -> ShareChange | None:
        return change_of_share({v: row[2] for v, row in rows.items()}, [self.graded[check]], self.versions)

    def _graded_in(self, check: str) -> dict[str, float]:
        """Weight of the graded verdicts of a check, by version, oldest first."""
        return {v: self.graded[check][v].weight for v in self.versions if v in self.graded[check]}

    def _reasons(self) -> tuple[ReasonGroup, ...]:
        return reason_groups(
            self.connection,
            self._newest(_DETAILED),
            by=self.by,
            versions=self.versions[-_DETAILED:],
            graded=self.graded,
            # Whether other gate checks fail too cannot be seen within one check.
            newest_only=replace(self._newest(1), check=None),
        )

    def _mix(self) -> Iterator[Notice]:
        return mix_notices(self.connection, self._newest(2), by=self.by, versions=self.versions[-2:])

    def _newest(self, count: int) -> Scope:
        return replace(self.scope, versions=self.versions[-count:])


def _in_order(rows: Sequence[RateRow]) -> tuple[str, ...]:
    """Versions by their first verdict."""
    first: dict[str, Any] = {}
    for row in rows:
        if row.group not in first or (row.first_seen and row.first_seen < first[row.group]):
            first[row.group] = row.first_seen
    return tuple(sorted(first, key=lambda version: (first[version] is None, first[version], version)))


def _earliest(rows: Sequence[RateRow]) -> datetime | None:
    return min((row.first_seen for row in rows if row.first_seen), default=None)


def _trend(
    key: tuple[str, str, bool],
    rows: Mapping[str, Sequence[Any]],
    graded: Mapping[str, float],
    change: ShareChange | None,
    p_value: float | None,
) -> CategoryTrend:
    """Counts and weighted shares of one category and check over the versions that check was graded in."""
    category, check, is_error = key
    counts = []
    for version, weight in graded.items():
        _, times, failed, *_ = rows.get(version, (version, 0, 0.0))
        counts.append((version, times, min(1.0, failed / weight)))
    having = [version for version, times, _ in counts if times]
    return CategoryTrend(
        category=category,
        check=check,
        is_error=is_error,
        counts=tuple(counts),
        change=change.difference if change is not None else None,
        change_p=p_value,
        first_seen=min((row[3] for row in rows.values() if row[3]), default=None),
        last_seen=max((row[4] for row in rows.values() if row[4]), default=None),
        first_version=having[0],
        last_version=having[-1],
    )


def _notices(rates: Sequence[VersionRate]) -> tuple[Notice, ...]:
    """Say where rates of one check come from different judges."""
    judges: dict[str, set[str]] = defaultdict(set)
    for rate in rates:
        judges[rate.check] |= set(rate.judges)
    return tuple(
        Notice(
            "judge_version_differs",
            "warning",
            f"{check} was judged by {', '.join(sorted(found))}: rates differ in kind",
        )
        for check, found in judges.items()
        if len(found) > 1
    )
