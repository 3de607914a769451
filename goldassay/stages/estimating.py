"""Estimating: what would the judge cost now? Reads the log and draws the sample as the run would; asks nobody.

A run that was interrupted is gone on with, as the command itself would do: what it has paid for is not counted again.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from goldassay.judging import rubric_of_run
from goldassay.judging.forecast import Forecast, forecast
from goldassay.sources import GoldenSet, read_golden
from goldassay.stages.check import check_shard
from goldassay.stages.estimating_words import estimate_words
from goldassay.stages.golden import already_graded
from goldassay.stages.judge import JUDGE_STAGE, known_replies, selected_items
from goldassay.stages.plan import RunPlan, read_plan
from goldassay.stages.planning import NIGHTS, night_window, parse_window, plan_file, resumable, taken_by_nights
from goldassay.stages.pull import PullReport, latest_answers, pull_answers, pull_records
from goldassay.stages.select import SELECTED, SelectReport, past_of, select_records
from goldassay.stages.zones import zone_of
from goldassay.store import Staging, Store
from goldassay.verdicts import RunKind

__all__ = ["Place", "estimate_golden", "estimate_night"]


class Place(NamedTuple):
    """Where the run would be made."""

    settings: Any
    """The checked settings, as the run would have them."""
    folder: Path
    """The project's folder."""
    store: Store
    """Its store; only read."""
    environ: Mapping[str, str]
    """Where the source finds the variables its settings name."""


class _Drawn(NamedTuple):
    """What the run would lay before the judge, or has laid before it."""

    staging: Staging
    records: int
    chosen: SelectReport
    to_ask: int = 0
    """Golden questions that the log does not answer, and the assistant is to be asked."""


def estimate_night(
    place: Place, *, since: str | None, until: str | None, intent: str, resume: str | None = None
) -> str:
    """Say what the nightly run would ask its judge.

    Args:
        place: Where.
        since: As for the night.
        until: As for the night.
        intent: Digest of what is asked for, by which an interrupted run is found.
        resume: Id of an interrupted run.

    Returns:
        A sentence: records, calls to make and calls answered without one, tokens and, where prices are set, dollars.
    """
    plan = _unfinished(place.store, intent, resume, NIGHTS) or _night_plan(place, since, until)
    if place.store.is_published(plan.run_id):
        return f"{plan.run_id} is complete but for its report: nothing would be asked."
    with tempfile.TemporaryDirectory(prefix="goldassay-estimate-") as scratch:
        drawn = _drawn_before(place, plan) or _draw_night(place, plan, Staging(Path(scratch)))
        return _told(place, plan, drawn, Path(scratch))


def estimate_golden(
    place: Place, *, versions: Mapping[str, str | None], intent: str, again: bool = False, resume: str | None = None
) -> str:
    """Say what a golden run would ask its judge; as `estimate_night`.

    Args:
        place: Where.
        versions: The version whose answers are graded.
        intent: Digest of what is asked for.
        again: Grade it although the same change was just graded.
        resume: Id of an interrupted run.
    """
    new = _plan(place, "golden").model_copy(update={**versions, "intent": intent})
    plan = _unfinished(place.store, intent, resume, {"golden"}) or new
    golden = _golden_of(place)
    graded = already_graded(place.store, plan, golden_digest=golden.digest if golden else None)
    if graded is not None and not again:
        return f"already graded by {graded.run_id}: nothing would be asked (goldassay golden --again grades it anew)."
    with tempfile.TemporaryDirectory(prefix="goldassay-estimate-") as scratch:
        drawn = _drawn_before(place, plan) or _draw_golden(place, plan, golden, Staging(Path(scratch)))
        return _told(place, plan, drawn, Path(scratch))


def _unfinished(store: Store, intent: str, resume: str | None, kinds: Collection[str]) -> RunPlan | None:
    if resume:
        return read_plan(plan_file(store, resume, kinds))
    return resumable(store, intent=intent, now=datetime.now(UTC))


def _drawn_before(place: Place, plan: RunPlan) -> _Drawn | None:
    """What an interrupted run has chosen for the judge; None when it did not come so far."""
    staging = place.store.staging(plan.run_id)
    note = staging.read_note(SELECTED)
    return None if note is None else _Drawn(staging, int(note["candidates"]), SelectReport(**note))


def _draw_night(place: Place, plan: RunPlan, staging: Staging) -> _Drawn:
    settings = place.settings
    pulled = pull_answers(
        plan, staging, settings.answers, _golden_of(place), shard_size=settings.run.rules_shard,
        taken=taken_by_nights(place.store, plan.app, since=plan.window_start), environ=place.environ,
    )  # fmt: skip
    return _Drawn(staging, pulled.records, _choose(place, plan, staging, pulled.shards))


def _draw_golden(place: Place, plan: RunPlan, golden: GoldenSet | None, staging: Staging) -> _Drawn:
    settings, report = place.settings, PullReport()
    found = [] if golden is None else latest_answers(
        plan, settings.answers, golden, report, environ=place.environ, may_be_empty=bool(settings.assistant)
    )  # fmt: skip
    to_ask = len(report.missing_questions) if settings.assistant is not None else 0
    if not found and to_ask:
        return _Drawn(staging, 0, SelectReport(0, 0, 0), to_ask)
    pulled = pull_records(plan, staging, found, shard_size=settings.run.rules_shard, report=report)
    return _Drawn(staging, pulled.records, _choose(place, plan, staging, pulled.shards), to_ask)


def _choose(place: Place, plan: RunPlan, staging: Staging, shards: int) -> SelectReport:
    settings = place.settings
    for shard in range(shards):
        check_shard(plan, staging, shard, settings.rules)
    return select_records(
        plan, staging, settings.sampling, shards=shards, shard_size=settings.run.judge_shard,
        past=past_of(place.store, plan, settings.sampling.stratify), fairly=settings.judge.is_limited,
    )  # fmt: skip


def _told(place: Place, plan: RunPlan, drawn: _Drawn, scratch: Path) -> str:
    judge, chosen = place.settings.judge, drawn.chosen
    if judge.provider == "lexical":
        return f"{drawn.records} records, {chosen.selected} graded without a model: no cost."
    rubric = rubric_of_run(judge.rubric, version=judge.rubric_version, project=plan.folder)
    made = sum((_shard(place, plan, drawn.staging, shard, scratch) for shard in range(chosen.shards)), Forecast())
    words = estimate_words(made, judge, shards=chosen.shards, to_ask=drawn.to_ask, criteria=len(rubric.criteria))
    going_on = f"going on with {plan.run_id}: " if drawn.staging.folder.name == plan.run_id else ""
    return f"{going_on}{drawn.records} records, {chosen.selected} for the judge: {words}"


def _shard(place: Place, plan: RunPlan, staging: Staging, shard: int, scratch: Path) -> Forecast:
    """One shard of the judge, on a copy of its journal where it has one: that tells what was asked already."""
    judge = place.settings.judge
    journal, kept = scratch / f"{shard:05d}.jsonl", staging.path("journal", shard, suffix=".jsonl")
    if kept.exists():
        shutil.copyfile(kept, journal)
    elif staging.has(JUDGE_STAGE, shard):
        return Forecast()  # done, by another machine
    return forecast(
        selected_items(staging, shard, place.settings.rules),
        rubric=rubric_of_run(judge.rubric, version=judge.rubric_version, project=plan.folder),
        config=judge,
        journal=journal,
        stamp=plan.stamp,
        reuse=known_replies(place.store, staging, shard, judge),
    )


def _golden_of(place: Place) -> GoldenSet | None:
    path = place.settings.golden.path
    return read_golden(place.folder / path) if path else None


def _night_plan(place: Place, since: str | None, until: str | None) -> RunPlan:
    plan = _plan(place, "nightly")
    start, end = parse_window(since, until, now=plan.run_at, zone=zone_of(place.folder))
    if start is None and end is None:
        late = timedelta(hours=place.settings.run.late_hours)
        start, end, _ = night_window(place.store, plan.app, now=plan.run_at, late=late)
    return plan.model_copy(update={"window_start": start, "window_end": end or plan.run_at})


def _plan(place: Place, kind: RunKind) -> RunPlan:
    return RunPlan(
        run_id="estimate",
        run_kind=kind,
        run_at=datetime.now(UTC),
        app=place.settings.app,
        project=str(place.folder),
        store=place.store.address,
        settings={},
    )
