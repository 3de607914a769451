"""Makes rows of what is known of a record: its columns, the criterion's, and what the reply says.

The engine calls `verdicts_from_reply` for a reply and `error_verdicts` for a call that
never got one; both give one row per criterion of the call. A pairwise call is one of
two: `merge_orders` makes one row of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from goldassay.judging.parsing_claims import checked_claims, source_id_of
from goldassay.judging.parsing_grades import Claim, grade
from goldassay.judging.rows_together import other_replies, reasked_of, totals
from goldassay.judging.rubric_model import Criterion, Rubric
from goldassay.verdicts import Category, Evidence, Outcome, RunStamp, Verdict, record_columns

if TYPE_CHECKING:
    from goldassay.judging.parsing import ParsedReply
    from goldassay.judging.prompt import JudgeCall, JudgeItem

__all__ = [
    "Settled",
    "criterion_columns",
    "error_verdicts",
    "merge_orders",
    "ready_verdict",
    "verdicts_from_reply",
]

_PAID_ONCE = {"tokens_in": 0, "tokens_cached": 0, "tokens_out": 0, "cost_usd": 0.0, "attempts": 0}
"""A call about several criteria was paid for once: its price stands on the first row only."""


class Settled(NamedTuple):
    """What is known of a criterion without asking a judge."""

    outcome: Outcome
    score: float | None
    category: Category | None
    reason: str


def ready_verdict(
    item: JudgeItem, rubric: Rubric, criterion: Criterion, known: Settled, stamp: RunStamp | None = None
) -> Verdict:
    """The row of a criterion that needs no judge."""
    columns = {**_of(item), **criterion_columns(rubric, criterion), **_stamped(stamp)}
    return Verdict(**columns, **known._asdict(), flags=item.flags, attempts=0)


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
            attempts, latency_ms, tokens_in, cost_usd, extra, ...
    """
    if rubric.reply == "claims":
        parsed = checked_claims(parsed, call.item)
    rows: list[Verdict] = []
    for name in call.criteria:
        told = _told(call, parsed, rubric.criterion(name)) if name in parsed.outcomes else _unreadable(parsed)
        own = {**columns, **told, "repairs": parsed.repairs, "flags": _flags(call, parsed)}
        own = _by_law(own, call, rubric.criterion(name))
        own["extra"] = {**columns.get("extra", {}), **_extra(call, parsed)}
        rows.append(_row(call, rubric, name, stamp, own, first=not rows))
    return rows


def error_verdicts(
    call: JudgeCall, rubric: Rubric, category: Category, reason: str, *, stamp: RunStamp | None = None, **columns: Any
) -> list[Verdict]:
    """One error row per criterion of a call that got no reply: rate limit, time-out, budget, ..."""
    own = {**columns, "outcome": Outcome.ERROR, "category": category, "reason": reason, "flags": call.flags}
    own["extra"] = {**columns.get("extra", {}), **({"order": call.variant} if call.variant else {})}
    return [
        _row(call, rubric, name, stamp, _by_law(own, call, rubric.criterion(name)), first=position == 0)
        for position, name in enumerate(call.criteria)
    ]


def merge_orders(rows: Sequence[Verdict], rubric: Rubric) -> Verdict:
    """One row of the two orders of a pairwise call: an answer wins only if it wins in both, all else is a tie.

    Args:
        rows: The rows of one record and criterion, one per order; `extra['order']` says which.
        rubric: Their rubric.
    """
    broken = next((row for row in rows if row.outcome is Outcome.ERROR), None)
    kept = broken or rows[0]
    # The other order was paid for all the same, and what was said then is kept.
    together = {**totals(rows), "other_replies": other_replies(rows, kept, "order")}
    extra = {**kept.extra, **reasked_of(rows)}
    if broken is not None or len(rows) < 2:
        return replace(kept, **together, extra=extra)
    orders = {f"order_{row.extra.get('order', '')}": f"{row.score:g}" for row in rows}
    together["extra"] = {**extra, "order": "both", **orders}
    if len({row.score for row in rows}) == 1:
        return replace(kept, **together)
    tied = grade(rubric.criterion(kept.check), 1.0, "the verdict depends on the order in which the answers are shown")
    return replace(
        kept,
        **together,
        outcome=Outcome.PASS if tied.passed else Outcome.FAIL,
        score=tied.score,
        category=tied.category,
        reason=tied.reason,
        flags=tuple(dict.fromkeys((*kept.flags, "order_dependent"))),
    )


def _told(call: JudgeCall, parsed: ParsedReply, criterion: Criterion) -> dict[str, Any]:
    name = criterion.name
    # Under BA the record's answer was shown as B, and the reply's score speaks of A.
    score = 2.0 - parsed.scores[name] if call.variant == "BA" else parsed.scores[name]
    told = grade(criterion, score, parsed.reasons[name], parsed.categories[name] or "")
    return {
        "outcome": Outcome.PASS if told.passed else Outcome.FAIL,
        "score": score,
        "category": told.category,
        "reason": told.reason,
        "evidence": tuple(_evidence(claim, call) for claim in parsed.claims),
    }


def _by_law(own: dict[str, Any], call: JudgeCall, criterion: Criterion) -> dict[str, Any]:
    """A refusal claims nothing, so it is always supported: a canary tests the judge, and never fails the answer."""
    is_canary = {"refusal", "canary"} <= set(call.item.flags)
    if not is_canary or criterion.refusals != "pass":
        return own
    if own["outcome"] is not Outcome.FAIL:
        # A reply that cannot be read is an error here as everywhere: nobody has seen the judge pass.
        ended = "canary_error" if own["outcome"] is Outcome.ERROR else "canary_passed"
        return {**own, "flags": (*own["flags"], ended)}
    return {
        **own,
        "outcome": Outcome.PASS,
        "score": float(criterion.scale_max),
        "category": None,
        "reason": f"a refusal claims nothing, so it is always supported; the judge was wrong about it: {own['reason']}",
        "flags": (*own["flags"], "canary_failed"),
    }


def _unreadable(parsed: ParsedReply) -> dict[str, Any]:
    return {"outcome": Outcome.ERROR, "score": None, "category": parsed.category, "reason": parsed.reason}


def _evidence(claim: Claim, call: JudgeCall) -> Evidence:
    """A supported claim names its source; any other lies in the answer, where a report can mark it."""
    named = (source_id_of(name, call.item.record) for name in claim.sources)
    source_id = next((name for name in named if name is not None), None)
    if claim.verdict == "supported" and source_id is not None:
        return Evidence("claim", claim.text, source_id=source_id)
    start = call.item.record.answer.find(claim.text) if claim.text else -1
    if start < 0:
        return Evidence("claim", claim.text)
    return Evidence("claim", claim.text, start, start + len(claim.text))


def _flags(call: JudgeCall, parsed: ParsedReply) -> tuple[str, ...]:
    flags = list(call.flags)
    if parsed.injection_suspected:
        flags.append("possible_injection")
    named = {name for claim in parsed.claims for name in claim.sources}
    if any(source_id_of(name, call.item.record) is None for name in named):
        flags.append("unknown_source")
    return tuple(dict.fromkeys(flags))


def _extra(call: JudgeCall, parsed: ParsedReply) -> dict[str, str]:
    extra = {"order": call.variant} if call.variant else {}
    if parsed.error_kind:
        extra["error_kind"] = parsed.error_kind
    if parsed.claims:
        supported = sum(claim.verdict == "supported" for claim in parsed.claims)
        extra |= {"claims": str(len(parsed.claims)), "claims_supported": str(supported)}
    return extra


def _row(
    call: JudgeCall, rubric: Rubric, name: str, stamp: RunStamp | None, own: dict[str, Any], *, first: bool
) -> Verdict:
    shared: dict[str, Any] = {}
    if not first:
        shared = {key: value for key, value in _PAID_ONCE.items() if own.get(key) is not None}
    columns = {**_of(call.item), **criterion_columns(rubric, rubric.criterion(name)), **_stamped(stamp)}
    return Verdict(**{**columns, **own, **shared})


def _of(item: JudgeItem) -> dict[str, Any]:
    return {**record_columns(item.record, item.golden), "weight": item.weight}


def _stamped(stamp: RunStamp | None) -> dict[str, Any]:
    return stamp._asdict() if stamp else {}


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
