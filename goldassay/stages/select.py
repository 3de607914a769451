"""Select: which records the judge sees, and how many answers of the log each of them stands for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from goldassay.analytics.connect import connect
from goldassay.analytics.past import past_outcomes
from goldassay.analytics.sampling import Candidate, SamplingConfig, Selected, candidate_of, is_certain, select_sample
from goldassay.judging.budget import order_key
from goldassay.stages.check import RULES_STAGE
from goldassay.stages.plan import RunPlan
from goldassay.store import Staging, Store
from goldassay.text import question_key
from goldassay.verdicts import Outcome

__all__ = ["SELECTED", "PastRun", "SelectReport", "past_of", "read_selection", "select_records"]

SELECTED = "selected"
"""Note and folder of the selection: one small Parquet file (record_id, weight, shard) for each shard of the judge."""


class PastRun(NamedTuple):
    """What the last run tells the choice."""

    failed: frozenset[str] = frozenset()
    """Keys of questions that failed a gate check then."""
    rates: Mapping[str, float] = {}
    """Pass rate by stratum name ('lang=de'); '' over all."""


class SelectReport(NamedTuple):
    """What was chosen."""

    shards: int
    selected: int
    candidates: int
    always: int = 0
    """Among the selected: those that are judged whatever the number wanted."""
    wanted: int | None = None
    """The number wanted; None: all, or as many as the interval needs."""


def select_records(
    plan: RunPlan,
    staging: Staging,
    config: SamplingConfig,
    *,
    shards: int,
    shard_size: int,
    past: PastRun | None = None,
    fairly: bool = False,
) -> SelectReport:
    """Chooses the records for the judge and lays them out in shards of at most `shard_size`.

    Args:
        plan: The run; golden and rejudge runs take every record.
        staging: Where its unfinished parts lie.
        config: How many, and by which strata.
        shards: Number of pulled shards.
        shard_size: Records a shard of the judge.
        past: The last run's failures and rates.
        fairly: Lay them out at random (by hash) and not as the log has them: a budget may end before the last shard,
            and what was judged by then must be a fair sample. Costs reading every pulled shard for each of the judge's.

    Returns:
        The counts. The same run gives the same choice, so a resumed run judges the same records.
    """
    note = staging.read_note(SELECTED)
    if note is not None:
        return SelectReport(**note)
    whole = plan.run_kind in {"golden", "rejudge"}
    wanted = config.model_copy(update={"nightly": "full"}) if whole else config
    doubtful = _doubtful(staging, shards)
    if isinstance(wanted.nightly, int) and len(doubtful) > wanted.nightly // 2:
        doubtful = set()  # more doubts than half the sample: drawn like all others, so that the sample stays fair
    known, always = past or PastRun(), _Always(wanted)
    chosen = select_sample(always.counted(_candidates(staging, shards, doubtful, known)), wanted, past=known.rates)
    if fairly and len(chosen) > shard_size:
        chosen = sorted(chosen, key=lambda one: order_key(one.record_id))
    report = _lay_out(staging, chosen, shards, shard_size)
    if isinstance(wanted.nightly, int) and wanted.nightly:
        report = report._replace(always=always.count, wanted=wanted.nightly)
    staging.write_note(SELECTED, report._asdict())
    return report


def read_selection(staging: Staging, shard: int) -> list[tuple[int, dict[str, float]]]:
    """The records of one shard of the judge: for each pulled shard concerned, weight by record id."""
    table = pq.read_table(_path(staging, shard))
    found: dict[int, dict[str, float]] = {}
    for record_id, weight, pulled in zip(*(table.column(i).to_pylist() for i in range(3)), strict=True):
        found.setdefault(pulled, {})[record_id] = weight
    return sorted(found.items())


def past_of(store: Store, plan: RunPlan, stratify: Sequence[str] = ()) -> PastRun:
    """Failures and pass rates of the app's last run of the same kind; empty before the first.

    Args:
        store: The store.
        plan: The run that is to be sampled.
        stratify: The names its sample is stratified by, so that the rates go by the same strata.
    """
    runs = store.runs(plan.app, plan.run_kind)
    if not runs:
        return PastRun()
    with connect(store) as connection:
        past = past_outcomes(connection, runs[-1], stratify)
    return PastRun(frozenset(_key(*question) for question in past.failed), past.rates)


class _Always:
    """Counts the candidates that are judged in any case, as they pass."""

    def __init__(self, config: SamplingConfig) -> None:
        self._config = config
        self.count = 0

    def counted(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        for candidate in candidates:
            self.count += is_certain(candidate, self._config)
            yield candidate


def _key(question_id: str | None, question: str) -> str:
    return f"id:{question_id}" if question_id else f"text:{question_key(question)}"


def _candidates(staging: Staging, shards: int, doubtful: Collection[str], past: PastRun) -> Iterator[Candidate]:
    for shard in range(shards):
        for stored in staging.read_answers(shard):
            key = _key(stored.record.question_id, stored.record.question)
            yield candidate_of(
                stored.record,
                stored.golden,
                failed_before=key in past.failed,
                always=stored.record.record_id in doubtful,
            )


def _doubtful(staging: Staging, shards: int) -> set[str]:
    """Records of which a rule could not tell: the judge decides."""
    found: set[str] = set()
    for shard in range(shards):
        table = pq.read_table(staging.path(RULES_STAGE, shard), columns=["record_id", "outcome", "severity"])
        for record_id, outcome, severity in zip(*(column.to_pylist() for column in table.columns), strict=True):
            if outcome == Outcome.UNSURE.value and severity == "gate":
                found.add(record_id)
    return found


def _lay_out(staging: Staging, chosen: list[Selected], shards: int, shard_size: int) -> SelectReport:
    home = _homes(staging, shards) if chosen else {}
    pieces = [chosen[start : start + shard_size] for start in range(0, len(chosen), shard_size)]
    for number, piece in enumerate(pieces):
        table = pa.table(
            {
                "record_id": [s.record_id for s in piece],
                "weight": [s.weight for s in piece],
                "pulled": [home[s.record_id] for s in piece],
            }
        )
        path = _path(staging, number)
        path.parent.mkdir(parents=True, exist_ok=True)
        half = path.with_suffix(".half")
        pq.write_table(table, half)
        half.replace(path)
    return SelectReport(shards=len(pieces), selected=len(chosen), candidates=_rows(staging, shards))


def _homes(staging: Staging, shards: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for shard in range(shards):
        for record_id in pq.read_table(staging.path("answers", shard), columns=["record_id"]).column(0).to_pylist():
            found[str(record_id)] = shard
    return found


def _path(staging: Staging, shard: int) -> Path:
    # Not *.parquet: those of a staging folder are verdicts to be published.
    return staging.path(SELECTED, shard, suffix=".selection")


def _rows(staging: Staging, shards: int) -> int:
    return sum(pq.read_metadata(staging.path("answers", shard)).num_rows for shard in range(shards))
