"""Judge: one shard of the sample, from the selection to rows, through a journal that survives a kill."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from goldassay.judging import JudgeItem, rubric_of_run
from goldassay.judging.engine import judge_items, verdicts_from_journal
from goldassay.judging.limits import Limiter
from goldassay.judging.progress import OnProgress
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.summary import JudgeSummary
from goldassay.rules import RulesConfig
from goldassay.rules.context import RuleContext, SourceCache
from goldassay.rules.settings import with_citation_base
from goldassay.stages.plan import RunPlan
from goldassay.stages.pull import PULLED
from goldassay.stages.select import read_selection
from goldassay.store import Staging, Store, StoredAnswer
from goldassay.verdicts import StoredReply, Verdict

__all__ = ["JUDGED", "JUDGE_STAGE", "budget_left", "flags_of", "judge_shard", "known_replies", "selected_items"]

JUDGE_STAGE = "judge"
_ANY_AGE_DAYS = 36_500.0
JUDGED = "judged"
"""Prefix of the notes that say what a finished shard cost."""


async def judge_shard(  # noqa: PLR0913 - each argument is one seam of the judge
    plan: RunPlan,
    staging: Staging,
    store: Store,
    shard: int,
    config: JudgeConfig,
    rules: RulesConfig,
    *,
    environ: Mapping[str, str],
    limiter: Limiter | None = None,
    on_progress: OnProgress | None = None,
) -> dict[str, Any]:
    """Grades the selected records of a shard; goes on from its journal, and does nothing when its part is there.

    Args:
        plan: The run.
        staging: Where its unfinished parts lie.
        store: Where replies that were paid for before are found.
        shard: Number of the judge's shard, from 0.
        config: The `[judge]` settings.
        rules: For the sentences that are refusals.
        environ: Where the provider finds its key.
        limiter: Shares a rate limit with other processes; None: the limits of `config` hold for this process.
        on_progress: Called now and then with the state of the work.

    Returns:
        What the shard did: counts, calls, tokens, cost; kept as a note too.
    """
    note = staging.read_note(f"{JUDGED}-{shard:05d}")
    if note is not None and staging.has(JUDGE_STAGE, shard):
        return note
    if config.provider == "lexical":
        return _without_model(plan, staging, shard, rules)
    config = budget_left(config, [_note_of(staging, earlier) for earlier in range(shard)])
    journal = staging.path("journal", shard, suffix=".jsonl")
    journal.parent.mkdir(parents=True, exist_ok=True)
    summary = await judge_items(
        selected_items(staging, shard, rules),
        total=sum(len(weights) for _, weights in read_selection(staging, shard)),
        rubric=rubric_of_run(config.rubric, version=config.rubric_version, project=plan.folder),
        config=config,
        journal=journal,
        environ=environ,
        reuse=known_replies(store, staging, shard, config),
        limiter=limiter,
        stamp=plan.stamp,
        on_progress=on_progress,
    )
    staging.write_verdicts(JUDGE_STAGE, shard, verdicts_from_journal(journal))
    return _noted(staging, shard, summary)


def budget_left(config: JudgeConfig, notes: Iterable[Mapping[str, Any]]) -> JudgeConfig:
    """The settings with what earlier shards of the run have left of its budget.

    Args:
        config: The `[judge]` settings, whose limits are those of a whole run.
        notes: What the earlier shards did.
    """
    spent = list(notes)
    left: dict[str, float | int] = {}
    if config.max_cost_usd is not None:
        left["max_cost_usd"] = max(0.0, config.max_cost_usd - sum(float(note.get("cost_usd") or 0) for note in spent))
    if config.max_calls is not None:
        left["max_calls"] = max(0, config.max_calls - sum(int(note.get("calls", 0)) for note in spent))
    if config.max_minutes is not None:
        minutes = sum(float(note.get("seconds", 0)) for note in spent) / 60
        left["max_minutes"] = max(0.0, config.max_minutes - minutes)
    return config.model_copy(update=left)


def _note_of(staging: Staging, shard: int) -> dict[str, Any]:
    return staging.read_note(f"{JUDGED}-{shard:05d}") or {}


def selected_items(staging: Staging, shard: int, rules: RulesConfig) -> Iterator[JudgeItem]:
    """The records of a judge's shard with their weights and flags, in the order of the log."""
    rules = with_citation_base(rules, (staging.read_note(PULLED) or {}).get("citation_base"))
    for pulled, weights in read_selection(staging, shard):
        for stored in staging.read_answers(pulled):
            weight = weights.get(stored.record.record_id)
            if weight is not None:
                yield JudgeItem(stored.record, stored.golden, weight, flags_of(stored, rules))


def flags_of(stored: StoredAnswer, rules: RulesConfig) -> tuple[str, ...]:
    """What the judge is told of a record beforehand: it refuses, its question is known to be unanswerable."""
    flags = []
    if RuleContext(stored.record, stored.golden, rules, SourceCache()).is_refusal:
        flags.append("refusal")
    if stored.golden is not None and not stored.golden.answerable:
        flags.append("canary")
    return tuple(flags)


def known_replies(
    store: Store, staging: Staging, shard: int, config: JudgeConfig
) -> Callable[[Sequence[str]], Mapping[str, StoredReply]] | None:
    """Replies that were paid for: in earlier runs, and in earlier shards of this one."""
    if not config.reuse:
        return None
    days = _ANY_AGE_DAYS if config.reuse_max_age_days is None else config.reuse_max_age_days

    def known(hashes: Sequence[str]) -> Mapping[str, StoredReply]:
        return {
            **store.stored_replies(hashes, max_age_days=days),
            **staging.replies(JUDGE_STAGE, range(shard), hashes),
        }

    return known


def _noted(staging: Staging, shard: int, summary: JudgeSummary) -> dict[str, Any]:
    note: dict[str, Any] = {
        "items": summary.items,
        "rows": summary.rows,
        "errors": sum(summary.errors.values()),
        "calls": summary.calls,
        "requests": summary.requests,
        "resumed": summary.resumed,
        "reused": summary.reused,
        "reasked": summary.reasked,
        "repaired": summary.repaired,
        "unreadable": summary.unreadable,
        "tokens_in": summary.tokens_in,
        "tokens_out": summary.tokens_out,
        "cost_usd": summary.cost_usd,
        "seconds": round(summary.seconds, 3),
        "models_reported": sorted(summary.models_reported),
        "notes": [*summary.warnings, *(f"the judge refused {k}: {v}" for k, v in summary.refused_parameters.items())],
    }
    staging.write_note(f"{JUDGED}-{shard:05d}", note)
    return note


def _without_model(plan: RunPlan, staging: Staging, shard: int, rules: RulesConfig) -> dict[str, Any]:
    """No judge is configured: `faithful` is graded by the lexical rule, and the report says so."""
    items = list(selected_items(staging, shard, rules))
    staging.write_verdicts(JUDGE_STAGE, shard, (_lexical_row(plan, item, rules) for item in items))
    note: dict[str, Any] = {
        "items": len(items),
        "calls": 0,
        "reused": 0,
        "cost_usd": 0.0,
        "models_reported": [],
        "notes": ["No model was asked: `faithful` was graded by the lexical rule `support` alone."],
    }
    staging.write_note(f"{JUDGED}-{shard:05d}", note)
    return note


def _lexical_row(plan: RunPlan, item: JudgeItem, rules: RulesConfig) -> Verdict:
    from goldassay.rules.support import VERSION, grade_faithful  # noqa: PLC0415 - its tables load only here

    record, golden = item.record, item.golden
    finding = grade_faithful(record, golden, config=rules)
    return Verdict(
        run_id=plan.run_id,
        run_kind=plan.run_kind,
        run_at=plan.run_at,
        app=record.app,
        app_version=record.app_version,
        model=record.model,
        prompt_version=record.prompt_version,
        index_version=record.index_version,
        record_id=record.record_id,
        question_id=record.question_id or (golden.question_id if golden else None),
        stratum=golden.stratum if golden else None,
        answerable=golden.answerable if golden else None,
        asked_at=record.asked_at,
        check="faithful",
        check_kind="judge",
        check_version=VERSION,
        outcome=finding.outcome,
        score=finding.score,
        scale_min=0.0,
        scale_max=1.0,
        category=finding.category,
        reason=finding.reason,
        evidence=finding.evidence,
        severity="warn",  # a guess by word overlap fails no answer
        judge_provider="lexical",
        judge_model=f"support-{VERSION}",
        attempts=0,
        cost_usd=0.0,
        flags=item.flags,
        weight=item.weight,
    )
