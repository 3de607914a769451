"""Estimating: what would the judge cost tonight? Reads the log and draws the sample; asks nobody."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from goldassay.judging import load_rubric
from goldassay.judging.budget import Estimate, estimate
from goldassay.sources import read_golden
from goldassay.stages.check import check_shard
from goldassay.stages.judge import selected_items
from goldassay.stages.plan import RunPlan
from goldassay.stages.planning import night_window, parse_window, taken_by_nights
from goldassay.stages.pull import pull_answers
from goldassay.stages.select import past_of, select_records
from goldassay.store import Staging, Store

__all__ = ["estimate_night"]


def estimate_night(
    settings: Any,
    folder: Path,
    store: Store,
    since: str | None,
    until: str | None,
    sample: str | None,
    environ: Mapping[str, str],
) -> str:
    """Pulls, checks and samples as the night would, in a folder that is removed again.

    Args:
        settings: The checked settings.
        folder: The project's folder.
        store: Its store; only read.
        since: As for the night.
        until: As for the night.
        sample: As for the night.
        environ: Where the source finds the variables its settings name.

    Returns:
        A sentence: records, calls, tokens and, where prices are configured, dollars.
    """
    plan = _plan(settings, folder, store, since, until)
    sampling = settings.sampling.model_validate({**settings.sampling.model_dump(), **_wanted(sample)})
    with tempfile.TemporaryDirectory(prefix="goldassay-estimate-") as place:
        staging = Staging(Path(place))
        golden = read_golden(folder / settings.golden.path) if settings.golden.path else None
        taken = taken_by_nights(store, plan.app, since=plan.window_start)
        pulled = pull_answers(
            plan, staging, settings.answers, golden,
            shard_size=settings.run.rules_shard, taken=taken, environ=environ,
        )  # fmt: skip
        for shard in range(pulled.shards):
            check_shard(plan, staging, shard, settings.rules)
        chosen = select_records(
            plan, staging, sampling,
            shards=pulled.shards, shard_size=settings.run.judge_shard, past=past_of(store, plan, sampling.stratify),
        )  # fmt: skip
        if settings.judge.provider == "lexical":
            return f"{pulled.records} records, {chosen.selected} graded without a model: no cost."
        rubric = load_rubric(
            settings.judge.rubric, version=settings.judge.rubric_version, folders=(folder / "config" / "rubrics",)
        )
        items = (item for shard in range(chosen.shards) for item in selected_items(staging, shard, settings.rules))
        made = estimate(items, rubric, settings.judge)
    return f"{pulled.records} records, {chosen.selected} for the judge: {_words(made)}"


def _words(made: Estimate) -> str:
    tokens = f"{made.calls} calls, about {made.tokens_in:,} tokens in and {made.tokens_out:,} out"
    cost = "price unknown (judge.prices)" if made.cost_usd is None else f"about {made.cost_usd:.2f} US dollars"
    minutes = "" if made.minutes is None else f", at least {made.minutes:.1f} minutes at the set rate"
    return f"{tokens}, {cost}{minutes}."


def _wanted(sample: str | None) -> dict[str, Any]:
    if sample is None:
        return {}
    return {"nightly": int(sample) if sample.isdecimal() else sample}


def _plan(settings: Any, folder: Path, store: Store, since: str | None, until: str | None) -> RunPlan:
    now = datetime.now(UTC)
    start, end = parse_window(since, until, now=now)
    if start is None and end is None:
        late = timedelta(hours=settings.run.late_hours)
        start, end, _ = night_window(store, settings.app, now=now, late=late)
    return RunPlan(
        run_id="estimate",
        run_kind="nightly",
        run_at=now,
        app=settings.app,
        project=str(folder),
        store=store.address,
        settings={},
        window_start=start,
        window_end=end or now,
    )
