"""Makes rows of what is known of a record: its columns, the criterion's, and what the reply says.

The engine calls `verdicts_from_reply` for a reply and `error_verdicts` for a call that
never got one; both give one row per criterion of the call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from goldassay.judging.rubric_model import Criterion, Rubric
from goldassay.verdicts import Category, Outcome, RunStamp, Verdict

if TYPE_CHECKING:
    from goldassay.judging.parsing import ParsedReply
    from goldassay.judging.prompt import JudgeCall, JudgeItem

__all__ = ["criterion_columns", "error_verdicts", "record_columns", "verdicts_from_reply"]

_PAID_ONCE = {"tokens_in": 0, "tokens_cached": 0, "tokens_out": 0, "cost_usd": 0.0, "attempts": 0}
"""A call about several criteria was paid for once: its price stands on the first row only."""


def verdicts_from_reply(
    call: JudgeCall, parsed: ParsedReply, rubric: Rubric, *, stamp: RunStamp | None = None, **columns: Any
) -> list[Verdict]:
    """One row per criterion of the call, from a reply that was read.

    Args:
        call: What was asked.
        parsed: What the reply says; an error makes error rows.
        rubric: The rubric of the call.
        stamp: What every row of the run shares.
        **columns: More columns of `Verdict`: judge_provider, judge_model, request_hash, reply, finish_reason,
            attempts, latency_ms, tokens_in, cost_usd, ...
    """
    rows: list[Verdict] = []
    for name in call.criteria:
        readable = name in parsed.outcomes
        own = {
            "outcome": parsed.outcomes.get(name, Outcome.ERROR),
            "score": parsed.scores.get(name),
            "category": parsed.categories.get(name) if readable else parsed.category,
            "reason": parsed.reasons.get(name, "") if readable else error_reason(parsed),
            "repairs": parsed.repairs,
            "flags": _flags(call, parsed),
        }
        rows.append(_row(call, rubric, name, stamp, {**columns, **own}, first=not rows))
    return rows


def error_verdicts(
    call: JudgeCall, rubric: Rubric, category: Category, reason: str, *, stamp: RunStamp | None = None, **columns: Any
) -> list[Verdict]:
    """One error row per criterion of a call that got no reply: rate limit, time-out, budget, ..."""
    own = {**columns, "outcome": Outcome.ERROR, "category": category, "reason": reason, "flags": call.flags}
    return [_row(call, rubric, name, stamp, own, first=position == 0) for position, name in enumerate(call.criteria)]


def _row(
    call: JudgeCall, rubric: Rubric, name: str, stamp: RunStamp | None, own: dict[str, Any], *, first: bool
) -> Verdict:
    shared = {} if first else {key: value for key, value in _PAID_ONCE.items() if own.get(key) is not None}
    return Verdict(
        **(stamp._asdict() if stamp else {}),
        **record_columns(call.item),
        **criterion_columns(rubric, rubric.criterion(name)),
        **{**own, **shared},
    )


def _flags(call: JudgeCall, parsed: ParsedReply) -> tuple[str, ...]:
    more = ("possible_injection",) if parsed.injection_suspected else ()
    return tuple(dict.fromkeys((*call.flags, *more)))


def error_reason(parsed: ParsedReply) -> str:
    """Says in words why a reply could not be read: its kind, then what was wrong."""
    kind = parsed.error_kind or "unreadable"
    detail = ", ".join(f"{key}={value!r}" for key, value in parsed.detail.items())
    return f"{kind}: {detail}" if detail else kind


def record_columns(item: JudgeItem) -> dict[str, Any]:
    """The columns that every row of a record shares."""
    record, golden = item.record, item.golden
    return {
        "app": record.app,
        "app_version": record.app_version,
        "model": record.model,
        "prompt_version": record.prompt_version,
        "index_version": record.index_version,
        "record_id": record.record_id,
        "question_id": record.question_id or (golden.question_id if golden else None),
        "stratum": golden.stratum if golden else None,
        "answerable": golden.answerable if golden else None,
        "asked_at": record.asked_at,
        "weight": item.weight,
    }


def criterion_columns(rubric: Rubric, criterion: Criterion) -> dict[str, Any]:
    """The columns that every row of a criterion shares."""
    return {
        "check": criterion.name,
        "check_kind": "judge",
        "check_version": rubric.version,
        "scale_min": float(criterion.scale_min),
        "scale_max": float(criterion.scale_max),
        "pass_mark": float(criterion.pass_mark),
        "severity": criterion.severity,
        "rubric": rubric.name,
        "rubric_version": rubric.version,
    }
