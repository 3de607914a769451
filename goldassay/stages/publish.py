"""Publish: a run's parts become readable, all at once, with a manifest that says what the run did."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

import pyarrow.parquet as pq

from goldassay.stages.judge import JUDGE_STAGE, JUDGED
from goldassay.stages.plan import VERSION_NAMES, RunPlan
from goldassay.stages.pull import PULLED
from goldassay.stages.select import SELECTED
from goldassay.stages.setting_aside import REJECTED_FILE
from goldassay.store import JudgeInfo, RunCounts, RunManifest, Staging, Store
from goldassay.verdicts import Outcome

__all__ = ["RunFacts", "publish_run"]


class RunFacts(NamedTuple):
    """What the settings tell the manifest."""

    gate: tuple[str, ...]
    rule_versions: Mapping[str, str]
    rubric: str | None
    rubric_version: str | None
    judge_provider: str | None
    judge_model: str | None
    sampling: Mapping[str, Any]
    settings_digest: str
    golden_digest: str | None
    golden_questions: int | None = None
    """Of a run that is put the whole golden set: how many questions that are."""


def publish_run(plan: RunPlan, store: Store, facts: RunFacts, *, now: datetime) -> RunManifest:
    """Writes the run's parts into the store and its manifest last; doing it again changes nothing.

    Args:
        plan: The run.
        store: The store.
        facts: What the settings tell.
        now: End of the run, UTC.

    Returns:
        The manifest as published.
    """
    staging = store.staging(plan.run_id)
    published = [run for run in store.runs(plan.app) if run.run_id == plan.run_id]
    if published:
        staging.clear()
        return published[0]
    _keep_rejected(store, staging, plan.run_id)
    return store.publish(plan.run_id, _manifest(plan, staging, facts, now))


def _keep_rejected(store: Store, staging: Staging, run_id: str) -> None:
    """Every line that was set aside goes into the store; the manifest holds only the first ones."""
    path = staging.folder / REJECTED_FILE
    if path.exists() and path.stat().st_size:
        store.files.write_bytes(f"rejected/{run_id}.jsonl.gz", gzip.compress(path.read_bytes(), mtime=0))


def _manifest(plan: RunPlan, staging: Staging, facts: RunFacts, now: datetime) -> RunManifest:
    pulled = staging.read_note(PULLED) or {}
    judged = _judged(staging)
    versions = _versions(staging)
    counts = _counts(staging, pulled, judged)
    return RunManifest(
        run_id=plan.run_id,
        run_kind=plan.run_kind,
        run_at=plan.run_at,
        finished_at=now,
        app=plan.app,
        app_version=_commonest(versions["app_version"]) or "",
        app_versions=tuple(sorted(v for v in versions["app_version"] if v)),
        model=_commonest(versions["model"]),
        prompt_version=_commonest(versions["prompt_version"]),
        index_version=_commonest(versions["index_version"]),
        # A run whose budget ran out has still looked at every record, and says so in error rows.
        status="complete",
        window_start=plan.window_start,
        window_end=plan.window_end,
        counts=counts,
        gate=facts.gate,
        rubric=facts.rubric if counts.selected else None,
        rubric_version=facts.rubric_version if counts.selected else None,
        rule_versions=dict(facts.rule_versions),
        judge=JudgeInfo(
            provider=facts.judge_provider,
            model=facts.judge_model,
            models_reported=tuple(sorted({name for note in judged for name in note.get("models_reported", ())})),
        )
        if counts.selected
        else JudgeInfo(),
        sampling={**facts.sampling, "always_in": int((staging.read_note(SELECTED) or {}).get("always", 0))},
        cost_usd=_cost(judged),
        calls=sum(int(note.get("calls", 0)) for note in judged),
        settings_digest=facts.settings_digest,
        golden_digest=facts.golden_digest,
        golden_questions=facts.golden_questions,
        notes=_notes(pulled, judged, staging.read_note(SELECTED) or {}),
        rejected_samples=tuple(pulled.get("rejected_samples", ())),
        intent=plan.intent,
    )


def _counts(staging: Staging, pulled: Mapping[str, Any], judged: Iterable[Mapping[str, Any]]) -> RunCounts:
    rules, judge = Counter[str](), Counter[str]()
    for stage in staging.stages():
        if stage == "answers":
            continue
        outcomes = judge if stage == JUDGE_STAGE else rules
        for shard in staging.shards(stage):
            column = pq.read_table(staging.path(stage, shard), columns=["outcome"]).column(0)
            outcomes.update(map(str, column.to_pylist()))
    both = rules + judge
    selection = staging.read_note(SELECTED) or {}
    return RunCounts(
        records=int(pulled.get("records", 0)),
        rejected=int(pulled.get("rejected", 0)),
        checked=int(pulled.get("records", 0)) if rules else 0,
        selected=int(selection.get("selected", 0)),
        verdicts=both.total(),
        judged=judge[Outcome.PASS.value] + judge[Outcome.FAIL.value],
        errors=both[Outcome.ERROR.value],
        skipped=both[Outcome.SKIP.value],
        reused=sum(int(note.get("reused", 0)) for note in judged),
    )


def _versions(staging: Staging) -> dict[str, Counter[str | None]]:
    found: dict[str, Counter[str | None]] = {name: Counter() for name in VERSION_NAMES}
    for shard in staging.shards():
        table = pq.read_table(staging.path("answers", shard), columns=list(VERSION_NAMES))
        for name in VERSION_NAMES:
            found[name].update(table.column(name).to_pylist())
    return found


def _commonest(values: Counter[str | None]) -> str | None:
    known = Counter({value: count for value, count in values.items() if value})
    return known.most_common(1)[0][0] if known else None


def _judged(staging: Staging) -> list[dict[str, Any]]:
    notes = (staging.read_note(f"{JUDGED}-{shard:05d}") for shard in staging.shards(JUDGE_STAGE))
    return [note for note in notes if note]


def _cost(judged: list[dict[str, Any]]) -> float | None:
    costs = [note.get("cost_usd") for note in judged]
    # One unknown price makes the sum unknown: unknown is not free.
    return None if not costs or any(cost is None for cost in costs) else float(sum(c for c in costs if c is not None))


def _notes(
    pulled: Mapping[str, Any], judged: Iterable[Mapping[str, Any]], selection: Mapping[str, Any]
) -> tuple[str, ...]:
    notes = [*pulled.get("notes", ()), *(str(text) for note in judged for text in note.get("notes", ()))]
    missing = pulled.get("missing_questions") or []
    if missing:
        shown = ", ".join(missing[:5]) + (", ..." if len(missing) > 5 else "")
        notes.append(f"{len(missing)} golden questions have no answer of this version: {shown}")
    wanted, always = selection.get("wanted"), selection.get("always", 0)
    if wanted and always > wanted:
        notes.append(
            f"{always} answers are always judged (unanswerable, failed last time or a rule in doubt), "
            f"more than the {wanted} wanted a night"
        )
    return tuple(dict.fromkeys(notes))
