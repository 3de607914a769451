"""The HTML report of a run in a store: gathers numbers, answers and verdicts, and writes the file.

The only module of the report that knows the store. A run with more answers than
fit is read twice: once for outcomes, once for the texts of the worst.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import timedelta
from heapq import nsmallest
from pathlib import Path

from duckdb import DuckDBPyConnection

from goldassay.analytics.compare import compare
from goldassay.analytics.connect import connect
from goldassay.analytics.gate import GateConfig
from goldassay.analytics.history import history
from goldassay.analytics.models_reports import HistoryReport, RunSummary
from goldassay.analytics.summary import run_summary
from goldassay.reporting.headline import changed_counts
from goldassay.reporting.html.records import Answer, outcome_rank
from goldassay.reporting.html.write import MOST_ANSWERS, write_report
from goldassay.store.store import Store
from goldassay.verdicts import Verdict

__all__ = ["render_html"]

_MOST_CHANGED = 5_000
"""Changed verdicts of a kind whose answers are marked in the list."""
_HISTORY_DAYS = 120
"""Days before the run that the charts show."""


def render_html(
    store: Store,
    run_id: str,
    out: str | Path,
    *,
    compare_to: str | None = "last",
    gate: GateConfig | None = None,
    limit: int = MOST_ANSWERS,
) -> Path:
    """Write the report of one run as one HTML file.

    Args:
        store: Where the run is.
        run_id: The run: id, unique prefix, 'last' or 'latest:golden'.
        out: The file; its folder is made.
        compare_to: As for `run_summary`: 'last', 'baseline', a run id, or None.
        gate: As for `run_summary`.
        limit: The worst `limit` answers are put into the page.

    Returns:
        The path of the file.

    Raises:
        StoreError: If a run is not known.
    """
    with connect(store) as connection:
        summary = run_summary(store, run_id, compare_to=compare_to, gate=gate, connection=connection)
        summary = _with_all_changes(store, summary, connection)
        # Nights after the run are not its business: the same run gives the same report.
        since = summary.run_at - timedelta(days=_HISTORY_DAYS)
        until = (summary.finished_at or summary.run_at) + timedelta(seconds=1)
        past = history(store, app=summary.app, since=since, until=until, details=False, connection=connection)
    return write_report(out, summary, _answers(store, summary, limit), history=_of_checks(past, summary), limit=limit)


def _with_all_changes(store: Store, summary: RunSummary, connection: DuckDBPyConnection) -> RunSummary:
    """The summary with every changed question, where it names the first ones only: the list of answers marks them."""
    listed = len(summary.broken) + len(summary.fixed)
    if summary.compared_to is None or sum(changed_counts(summary)) <= listed:
        return summary
    report = compare(
        store, summary.compared_to, summary.run_id, app=summary.app, shown=_MOST_CHANGED, connection=connection
    )
    return replace(summary, broken=report.broken, fixed=report.fixed)


def _of_checks(past: HistoryReport, summary: RunSummary) -> HistoryReport:
    """The history in the order of the run's checks; checks the run no longer has are left out."""
    order = {check.check: place for place, check in enumerate(summary.checks)}
    days = sorted((day for day in past.days if day.check in order), key=lambda day: (order[day.check], day.day))
    rates = [row for row in past.rates if row.check in order]
    return replace(past, days=tuple(days), rates=tuple(sorted(rates, key=lambda row: order[row.check])))


def _answers(store: Store, summary: RunSummary, limit: int) -> Iterator[Answer]:
    chosen = None if summary.records <= limit else _worst(store, summary, limit)
    verdicts = _by_record(store, summary.run_id, chosen)
    for stored in store.answers_of(summary.run_id):
        if chosen is None or stored.record.record_id in chosen:
            yield Answer(stored.record, stored.golden, verdicts.pop(stored.record.record_id, []))


def _by_record(store: Store, run_id: str, chosen: Collection[str] | None) -> dict[str, list[Verdict]]:
    found: dict[str, list[Verdict]] = {}
    for verdict in store.verdicts_of(run_id):
        if chosen is None or verdict.record_id in chosen:
            found.setdefault(verdict.record_id, []).append(verdict)
    return found


def _worst(store: Store, summary: RunSummary, limit: int) -> set[str]:
    """Ids of the answers to show: what broke, then the worst outcomes, of equal ones the fixed."""
    ranks: dict[str, float] = {}
    for verdict in store.verdicts_of(summary.run_id):
        if verdict.severity == "gate":
            rank = outcome_rank(verdict.outcome)
            ranks[verdict.record_id] = min(rank, ranks.get(verdict.record_id, rank))
    for change in summary.fixed:
        ranks[change.head.record_id] = ranks.get(change.head.record_id, 0) - 0.5
    for change in summary.broken:
        ranks[change.head.record_id] = -1
    return set(nsmallest(limit, ranks, key=lambda record_id: (ranks[record_id], record_id)))
