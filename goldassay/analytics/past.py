"""What a run tells the sample of the next one: pass rates by stratum, and which questions failed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import duckdb

from goldassay.analytics.sampling import stratum_name
from goldassay.analytics.scope import load_sql, rows_of
from goldassay.store.manifest import RunManifest
from goldassay.store.paths import month_of

__all__ = ["PastOutcomes", "past_outcomes"]

_COLUMNS = {
    "lang": "a.lang",
    "app_version": "a.app_version",
    "model": "a.model",
    "prompt_version": "a.prompt_version",
    "index_version": "a.index_version",
    "stratum": "a.stratum",
    "answerable": "a.answerable::VARCHAR",
}
"""Fields of the answer itself; they come before tags of the same name, as in `candidate_of`."""


class PastOutcomes(NamedTuple):
    """What is known of one run."""

    rates: dict[str, float]
    """Pass rate of the judge's readable verdicts by stratum name ('lang=de'), weighted to the log; '' over all."""
    failed: tuple[tuple[str | None, str], ...]
    """(question id, question) of the answers that failed a gate check."""


def past_outcomes(
    connection: duckdb.DuckDBPyConnection, run: RunManifest, stratify: Sequence[str] = ()
) -> PastOutcomes:
    """Sum up one run by the strata the next sample is drawn from.

    Args:
        connection: Over the store's views.
        run: The run.
        stratify: Names as in `SamplingConfig.stratify`: fields of the answer or tags.

    Returns:
        Rates and failures; no rate where the judge said nothing readable.
    """
    where = {"run_id": run.run_id, "month": month_of(run.run_at)}
    tags = {f"tag_{position}": name for position, name in enumerate(stratify)}
    values = ", ".join(_value(name, position) for position, name in enumerate(stratify))
    rows = list(rows_of(connection, load_sql("past_rates", values=f"[{values}]::VARCHAR[]"), where | tags))
    rates = {stratum_name(stratify, found): passed / graded for found, passed, graded in rows if graded > 0}
    graded = math.fsum(row[2] for row in rows)
    overall = {"": math.fsum(row[1] for row in rows) / graded} if graded > 0 else {}
    failed = rows_of(connection, load_sql("past_failed"), where)
    return PastOutcomes(rates | overall, tuple((row[0], row[1]) for row in failed))


def _value(name: str, position: int) -> str:
    """SQL of a field's value, '' where an answer has none; the name of a tag is bound, never written."""
    tag = f"a.tags[$tag_{position}], a.golden_tags[$tag_{position}]"
    column = _COLUMNS.get(name)
    return f"coalesce({tag}, '')" if column is None else f"coalesce(nullif({column}, ''), {tag}, '')"
