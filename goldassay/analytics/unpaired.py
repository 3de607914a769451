"""Gate checks of the base that no question pairs on: a judge that failed throughout, a check that was dropped.

Without them a gate would open just because nobody looked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import duckdb

from goldassay.analytics.coverage import ANSWERED_CHECK
from goldassay.analytics.models import Change, Notice, RateSummary
from goldassay.analytics.models_reports import CheckComparison
from goldassay.analytics.scope import load_sql, rows_of

__all__ = ["missing_notices", "unpaired_checks"]

_HABIT = 10
"""Verdicts of a run from which on a check is expected in the next; a rare one comes and goes."""


def unpaired_checks(
    connection: duckdb.DuckDBPyConnection,
    checks: Sequence[CheckComparison],
    rates: Mapping[tuple[str, bool], RateSummary],
) -> list[CheckComparison]:
    """Find the gate checks of the base that say nothing of the head's answers; inside a `paired` block.

    Args:
        connection: Inside a `paired` block.
        checks: Checks that pair.
        rates: Rates by (check, is head).

    Returns:
        A comparison without a common question for each. A check that is new in the head is none of them, nor are the
        questions that the base's assistant left without an answer: nothing of theirs is lost in the head.
    """
    gates = {False: set[str](), True: set[str]()}
    for is_head, check, is_gate, _ in _graded(connection):
        gates[is_head] |= {check} if is_gate else set()
    paired = {check.overall.check for check in checks if check.severity == "gate"}
    return [_without_pairs(check, rates, gates[True]) for check in sorted(gates[False] - paired - {ANSWERED_CHECK})]


def missing_notices(connection: duckdb.DuckDBPyConnection) -> list[Notice]:
    """Say which checks graded answers of the base and none of the head; inside a `paired` block.

    The gate of a comparison stays shut over them; the report of a night would pass over them in silence.
    """
    rows = _graded(connection)
    now = {check for is_head, check, _, _ in rows if is_head} | {ANSWERED_CHECK}
    gone = sorted(check for is_head, check, _, times in rows if not is_head and times >= _HABIT and check not in now)
    if not gone:
        return []
    text = f"{', '.join(gone)}: graded answers of the run before and none of this one; switched off, or none to grade"
    return [Notice("check_missing", "warning", text)]


def _graded(connection: duckdb.DuckDBPyConnection) -> list[tuple[bool, str, bool, int]]:
    """(is head, check, is a gate check, verdicts) of all that graded an answer."""
    rows = rows_of(connection, load_sql("side_severity"))
    return [(bool(row[0]), row[1], bool(row[2]), row[3]) for row in rows]


def _without_pairs(check: str, rates: Mapping[tuple[str, bool], RateSummary], held: Collection[str]) -> CheckComparison:
    errors = {side: rate.counts.errors if (rate := rates.get((check, side))) else 0 for side in (False, True)}
    change = replace(Change(check=check), base_errors=errors[False], head_errors=errors[True])
    # A rate of a check that only warns now is none of the gate's.
    head_rate = rates.get((check, True)) if check in held else None
    return CheckComparison(overall=change, base_rate=rates.get((check, False)), head_rate=head_rate)
