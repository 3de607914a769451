"""Which run a report compares its run with, and what became of the questions since.

Called by `summary` alone. A golden run is not compared with the run before it but with the one it is held
against, so that its report and its gate say the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import duckdb

from goldassay.analytics.changed import changed_questions
from goldassay.analytics.compare import compare, paired_runs
from goldassay.analytics.gate import GateConfig
from goldassay.analytics.golden import golden_base
from goldassay.analytics.models import Change, GateResult, GateState, Notice, QuestionChange
from goldassay.analytics.paired_changes import answers_change, paired_changes
from goldassay.analytics.pairs import paired
from goldassay.analytics.scope import load_sql, rows_of
from goldassay.analytics.sides import golden_notices, measure_notices, other_measures
from goldassay.analytics.unpaired import missing_notices
from goldassay.errors import ConfigError
from goldassay.store.manifest import RunManifest
from goldassay.store.store import Store

__all__ = ["Before", "Changes", "changes_since", "run_before"]

_SHOWN = 50
"""Broken and fixed questions listed with their texts."""


class Before(NamedTuple):
    """The run compared with."""

    run: RunManifest | None
    """None: there is none."""
    name: str
    """What it is, in words: 'the baseline', 'the last run'."""
    is_baseline: bool
    """True: the run that is reported is the accepted one itself."""


class Changes(NamedTuple):
    """What became of the questions since; empty without a run to compare with."""

    whole: Change | None = None
    by_check: Mapping[str, Change] = MappingProxyType({})
    broken: tuple[QuestionChange, ...] = ()
    fixed: tuple[QuestionChange, ...] = ()
    gate: GateResult | None = None
    notices: tuple[Notice, ...] = ()


def run_before(
    connection: duckdb.DuckDBPyConnection,
    store: Store,
    run: RunManifest,
    compare_to: str | None,
    *,
    gate: GateConfig | None,
) -> Before:
    """Find the run to compare with; arguments as for `run_summary`."""
    accepted = store.baseline(run.app)
    is_held = compare_to == "last" and run.run_kind == "golden"
    if is_held:
        found = golden_base(store, run, gate or GateConfig(), connection=connection)
    else:
        found = _named(store, run, accepted, compare_to)
    name = "the last run" if compare_to == "last" else "the run before"
    if is_held:
        is_first = found is not None and found.run_id == store.runs(run.app, "golden")[0].run_id
        name = "the first golden run (none is accepted)" if is_first else "the last golden run that passed"
    if found is not None and accepted is not None and found.run_id == accepted.run_id:
        name = "the baseline"
    return Before(found, name, accepted is not None and accepted.run_id == run.run_id)


def _named(store: Store, run: RunManifest, accepted: RunManifest | None, compare_to: str | None) -> RunManifest | None:
    if compare_to is None:
        return None
    if compare_to == "last":
        earlier = [
            one for one in store.runs(run.app, run.run_kind) if (one.run_at, one.run_id) < (run.run_at, run.run_id)
        ]
        return earlier[-1] if earlier else None
    found = accepted if compare_to == "baseline" else store.run(compare_to)
    return found if found is not None and found.run_id != run.run_id else None


def changes_since(
    connection: duckdb.DuckDBPyConnection,
    store: Store,
    before: RunManifest | None,
    run: RunManifest,
    *,
    gate: GateConfig | None,
) -> Changes:
    """Compare a run with the one before; with a gate also ask whether it may pass."""
    if before is None:
        return Changes()
    if gate is not None:
        return _held_against(connection, store, before, run, gate)
    with paired(connection, paired_runs(before, run)):
        tested = paired_changes(connection, errors=_errors(connection))
        found = {change.check: change for change, _ in tested if change.stratum is None}
        changes = changed_questions(connection, limit=_SHOWN)
        return Changes(
            answers_change(connection),
            found,
            changes["broken"],
            changes["fixed"],
            notices=(
                *measure_notices(other_measures(connection)),
                *golden_notices(connection),
                *missing_notices(connection),
            ),
        )


def _errors(connection: duckdb.DuckDBPyConnection) -> dict[tuple[str, bool], int]:
    """Verdicts of both runs that could not be read, by (check, is head); inside a `paired` block."""
    return {(check, is_head): errors for check, is_head, errors in rows_of(connection, load_sql("pair_errors"))}


def _held_against(
    connection: duckdb.DuckDBPyConnection, store: Store, before: RunManifest, run: RunManifest, gate: GateConfig
) -> Changes:
    try:
        report = compare(store, before.run_id, run.run_id, gate=gate, shown=_SHOWN, connection=connection)
    except ConfigError as error:
        # A side without a verdict: the report is shown all the same, and its gate stays shut.
        return Changes(gate=GateResult(state=GateState.NOT_EVALUABLE, reasons=(str(error),)))
    found = {check.overall.check: check.overall for check in report.checks}
    return Changes(report.answers, found, report.broken, report.fixed, report.gate, report.notices)
