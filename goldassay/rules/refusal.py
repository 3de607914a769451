"""Rule `refusal`: the assistant refuses exactly when the golden question cannot be answered.

Knows the answer and whether its question is answerable; how refusals read is for
`goldassay.rules.refusal_detect`. Other rules ask `RuleContext.is_refusal`.
"""

from __future__ import annotations

from goldassay.rules.context import RefusalJudgement, RuleContext
from goldassay.rules.numbers import examine_numbers
from goldassay.rules.refusal_detect import Reading, RefusalKind, asks_back, read_refusal
from goldassay.rules.refusal_lacks import Lack, lack_as_answer
from goldassay.rules.settings import NumbersConfig, RefusalConfig
from goldassay.verdicts import Category, Evidence, Finding, Outcome

__all__ = ["VERSION", "judge_refusal", "refusal"]

VERSION = "1"
_STRICT = NumbersConfig(look_in="all", unknown_name="fail")
"""A number counts as known wherever it stands, the question included; a name of no source does not."""
_REASONS = {
    RefusalKind.FULL: "refuses",
    RefusalKind.OPENING: "begins with a refusal and then tells something",
    RefusalKind.GAP: "answers and says that something is missing",
    RefusalKind.NONE: "does not refuse",
}


_NAMES_LACK = "says that something is missing, which may be what was asked"


def judge_refusal(context: RuleContext, config: RefusalConfig | None) -> RefusalJudgement:
    """Whether the answer refuses: True, False, or None where it refuses and then tells something all the same."""
    settings = config if config is not None else RefusalConfig()
    reading = read_refusal(context.answer, settings.sentences, common_forms=settings.common_forms)
    if reading.kind is RefusalKind.FULL and (number := _invented_number(context, reading)):
        return RefusalJudgement(None, f"refuses, but tells {number!r}, which stands in no source", reading.span)
    if reading.kind is RefusalKind.FULL and reading.span is not None:
        lack = lack_as_answer(context.question.text, context.answer.text, reading.span, context.sources)
        if lack is not Lack.REFUSES:
            is_refusal = None if lack is Lack.MAY_ANSWER else False
            return RefusalJudgement(is_refusal, _NAMES_LACK, reading.span, may_answer=True)
    is_refusal = {RefusalKind.FULL: True, RefusalKind.OPENING: None}.get(reading.kind, False)
    return RefusalJudgement(is_refusal, _REASONS[reading.kind], reading.span)


def _invented_number(context: RuleContext, reading: Reading) -> str | None:
    """A number that stands neither in the sources nor in the question: whoever tells it has not only refused."""
    if not context.record.sources:
        return None  # nothing to look in: the refusal may name what its sources tell
    for fate in examine_numbers(context, _STRICT):
        is_named = any(start <= fate.number.start < end for start, end in reading.naming)
        if fate.outcome is Outcome.FAIL and not is_named:
            return fate.number.written
    return None


def refusal(context: RuleContext, config: RefusalConfig) -> Finding:  # noqa: ARG001 - the context judges with the same settings
    """Refused exactly when it should."""
    if not context.record.answer.strip():
        return Finding(Outcome.FAIL, Category.INCOMPLETE, "the answer is empty")
    judgement = context.refusal
    evidence = _evidence(context, judgement)
    if context.golden is None:
        reason = f"the answer {judgement.reason}; no golden question says whether it should"
        return Finding(Outcome.SKIP, reason=reason, evidence=evidence)
    if context.golden.answerable:
        return _of_answerable(judgement, evidence)
    return _of_unanswerable(context, judgement, evidence)


def _of_answerable(judgement: RefusalJudgement, evidence: tuple[Evidence, ...]) -> Finding:
    if judgement.is_refusal:
        return Finding(Outcome.FAIL, Category.WRONG_REFUSAL, "refuses a question that can be answered", evidence)
    if judgement.is_refusal is None:
        reason = f"{judgement.reason}; a judge must say whether it answers"
        return Finding(Outcome.UNSURE, Category.WRONG_REFUSAL, reason, evidence)
    return Finding(Outcome.PASS)


def _of_unanswerable(context: RuleContext, judgement: RefusalJudgement, evidence: tuple[Evidence, ...]) -> Finding:
    if judgement.is_refusal or judgement.may_answer:
        return Finding(Outcome.PASS, evidence=evidence)  # naming the lack claims nothing, whatever it is called
    if judgement.is_refusal is None or judgement.span is not None:
        reason = f"the answer {judgement.reason}; a judge must say whether it claims what the sources do not hold"
        return Finding(Outcome.UNSURE, Category.MISSED_REFUSAL, reason, evidence)
    if asks_back(context.answer):
        reason = "asks back instead of refusing; a judge must say whether that will do"
        return Finding(Outcome.UNSURE, Category.MISSED_REFUSAL, reason)
    return Finding(Outcome.FAIL, Category.MISSED_REFUSAL, "answers a question that the sources cannot answer")


def _evidence(context: RuleContext, judgement: RefusalJudgement) -> tuple[Evidence, ...]:
    if judgement.span is None:
        return ()
    start, end = context.answer.to_raw(*judgement.span)
    return (Evidence("refusal", context.record.answer[start:end], start, end),)
