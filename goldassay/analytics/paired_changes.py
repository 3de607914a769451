"""What became of the common questions: tested changes out of the counts of their pairs.

Reads the temporary tables of `pairs`. Where a sample was judged, pairs stand for the questions of the log as
`statistics_paired_weighted` tells; the counts of what broke and was fixed stay those that were seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from types import MappingProxyType
from typing import Any, NamedTuple

import duckdb

from goldassay.analytics.models import Change
from goldassay.analytics.scope import load_sql, rows_of
from goldassay.analytics.sentences import change_sentence
from goldassay.analytics.statistics import (
    PairedChange,
    PairTable,
    adjusted_among_able,
    claim_of,
    more_questions,
    paired_bootstrap,
    paired_change,
)

__all__ = ["PairCounts", "answers_change", "change_of", "paired_changes"]


class PairCounts(NamedTuple):
    """The two-by-two table of one check (and stratum)."""

    check: str
    stratum: str | None
    table: PairTable
    is_gate: bool = True
    drawn: Mapping[float, PairTable] = MappingProxyType({})
    """The pairs that stand for the log, by how many of its questions each stands for; empty: all pairs, evenly."""
    is_looked_up: bool = False
    """Chance drew verdicts of the head, and none of them pairs: all that pair were taken for what is known of them."""
    rules: PairTable | None = None
    """Of whole answers of which the judge saw a sample: what the rules say of all; `drawn` is the judge's part then."""

    @property
    def tested(self) -> PairedChange | None:
        """The change with its test; None where the pairs cannot tell."""
        if not self.table.common or self.is_looked_up:
            return None
        return paired_change(self.drawn or {1.0: self.table}, rules=self.rules)


def paired_changes(
    connection: duckdb.DuckDBPyConnection,
    *,
    errors: Mapping[tuple[str, bool], int] | None = None,
    margin: float = 0.05,
) -> list[tuple[Change, bool]]:
    """Test every check, over all and within strata, on the table `pairs`.

    Args:
        connection: Inside a `paired` block.
        errors: Judge errors by (check, is head).
        margin: Smallest change that matters.

    Returns:
        (change, is a gate check); overall changes have stratum None. P-values are adjusted
        over the whole list.
    """
    tables = _by_check(connection)
    tests = [
        (found.p_value, one.table.broken + one.table.fixed) if (found := one.tested) else (1.0, 0) for one in tables
    ]
    known = errors or {}
    changes = []
    for table, p_adjusted in zip(tables, adjusted_among_able(tests), strict=True):
        scores = _scores(connection, table.check) if table.stratum is None else []
        change = change_of(table, p_adjusted=p_adjusted, margin=margin, scores=scores)
        if table.stratum is None:
            base_errors, head_errors = (known.get((table.check, is_head), 0) for is_head in (False, True))
            change = replace(change, base_errors=base_errors, head_errors=head_errors)
        changes.append((_told(change, margin), table.is_gate))
    return changes


def answers_change(connection: duckdb.DuckDBPyConnection, *, margin: float = 0.05) -> Change | None:
    """Test whole answers on the table `pairs`; inside a `paired` block.

    The one question asked of every comparison: its p-value stands alone, unadjusted.

    Args:
        connection: Inside a `paired` block.
        margin: Smallest change that matters.

    Returns:
        The change; None when no gate check has a common question.
    """
    found = [
        _AnswerPairs(*row[:4], *map(PairTable._make, (row[4:8], row[8:12], row[12:])))
        for row in rows_of(connection, load_sql("pair_answers"))
    ]
    if not found:
        return None
    most = max(_most_drawn(connection).values(), default=1.0)
    return _told(change_of(_whole_answers(found, most), margin=margin), margin)


class _AnswerPairs(NamedTuple):
    """One row of sql/pair_answers.sql."""

    is_judged: bool
    weight: float | None
    """None where the judge did not look on both sides."""
    head_weight: float | None
    has_rules: bool
    table: PairTable
    rules: PairTable
    judge: PairTable


def _whole_answers(found: Sequence[_AnswerPairs], most: float) -> PairCounts:
    """The table of whole answers; where the judge saw a sample, in the parts that rules and judge have in it.

    An answer the judge did not see twice passed or failed by the rules alone: counted as it is, those that broke before
    the judge would be missed among them, while those that failed before it were all looked at again.
    """
    name, table = "answers that pass every gate check", _summed(row.table for row in found)
    judged = {row.weight or 1.0: row.judge for row in found if row.is_judged}
    sampled = len(judged) > 1 or (len(judged) < len(found) and any(weight != 1 for weight in judged))
    looked_up = bool(judged) and most > 1 and max(row.head_weight or 1.0 for row in found) <= 1
    if looked_up or not sampled:
        return PairCounts(name, None, table, is_looked_up=looked_up)
    rules = _summed(row.rules for row in found) if any(row.has_rules for row in found) else None
    return PairCounts(name, None, table, drawn=judged, rules=rules)


def _told(change: Change, margin: float) -> Change:
    return replace(change, sentence=change_sentence(change, margin=margin))


def _by_check(connection: duckdb.DuckDBPyConnection) -> list[PairCounts]:
    most = _most_drawn(connection)
    rows = rows_of(connection, load_sql("pair_counts"))
    made = []
    for (check, stratum, is_stratum), found in groupby(rows, key=lambda row: row[:3]):
        cells = list(found)
        tables = {row[3]: PairTable(*row[4:8]) for row in cells}
        overall = max(weight for (name, _), weight in most.items() if name == check)
        # Within a stratum all of which is always judged nothing was left to chance.
        drawn = most.get((check, stratum), overall) if is_stratum else overall
        made.append(
            PairCounts(
                check,
                stratum if is_stratum else None,
                _summed(tables.values()),
                any(row[8] for row in cells),
                tables if len(tables) > 1 else {},
                is_looked_up=drawn > 1 and max(row[9] for row in cells) <= 1,
            )
        )
    return made


def _most_drawn(connection: duckdb.DuckDBPyConnection) -> dict[tuple[str, str | None], float]:
    """How many answers one verdict of the head stands for at most, by check and stratum."""
    return {(check, stratum): most for check, stratum, most in rows_of(connection, load_sql("pair_weights"))}


def _summed(tables: Iterable[PairTable]) -> PairTable:
    return PairTable(*(sum(column) for column in zip(*tables, strict=True)))


def _scores(connection: duckdb.DuckDBPyConnection, check: str) -> list[tuple[float, float]]:
    """(head - base, weight) of each pair with a score on both sides."""
    sql = 'SELECT difference, weight FROM pairs WHERE "check" = $check AND difference IS NOT NULL ORDER BY ALL'
    return [(row[0], row[1]) for row in rows_of(connection, sql, {"check": check})]


def change_of(
    counts: PairCounts,
    *,
    p_adjusted: float | None = None,
    margin: float = 0.05,
    scores: Sequence[tuple[float, float]] = (),
) -> Change:
    """Turn a two-by-two table into a change with its test, interval and claim.

    Args:
        counts: Counts of the pairs.
        p_adjusted: The p-value among all tests of the report; default the plain one.
        margin: Smallest change that matters.
        scores: (head - base, weight) of the scores, where both sides have one.

    Returns:
        The change, without judge errors and sentence.
    """
    table, found = counts.table, counts.tested
    change = Change(
        check=counts.check,
        stratum=counts.stratum,
        common=table.common,
        broken=table.broken,
        fixed=table.fixed,
        still_failing=table.both_fail,
        is_looked_up=counts.is_looked_up,
    )
    if found is None:
        return change if counts.is_looked_up else replace(change, needed=more_questions(0, 0, 0, margin=margin))
    tested = found.p_value if p_adjusted is None else p_adjusted
    claim = claim_of(found.difference, found.interval, tested, margin=margin)
    return replace(
        change,
        **_figures(found),
        p_adjusted=tested,
        claim=claim,
        needed=_needed(counts, found, margin) if claim == "cannot_tell" else None,
        is_weighted=bool(counts.drawn),
        **_mean(scores),
    )


def _figures(found: PairedChange) -> dict[str, Any]:
    return {
        "base_rate": found.base_rate,
        "head_rate": found.head_rate,
        "difference": found.difference,
        "interval": found.interval,
        "p_value": found.p_value,
    }


def _mean(scores: Sequence[tuple[float, float]]) -> dict[str, Any]:
    if not scores:
        return {}
    differences, weights = zip(*scores, strict=True)
    mean = sum(value * weight for value, weight in scores) / sum(weights)
    return {"mean_difference": mean, "mean_interval": paired_bootstrap(differences, weights)}


def _needed(counts: PairCounts, found: PairedChange, margin: float) -> int:
    """About how many more questions would tell; of a sample as many as its uneven chances cost beside an even one."""
    table = counts.table
    if not counts.drawn:
        return more_questions(table.common, table.broken, table.fixed, margin=margin)
    pairs = sum(cell.common for cell in counts.drawn.values())
    broken, fixed = (max(0.0, found.discordant - sign * found.difference) / 2 * pairs for sign in (1, -1))
    return more_questions(pairs, round(broken), round(fixed), margin=margin)
