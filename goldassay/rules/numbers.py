"""Rule `numbers`: every number of the answer stands in the sources it cites.

Compared by value, scale and kind, never by characters: "20" is not in "2020", "40
million" is not 40, "13 %" are not 13 teams. Looked for in the sources that its sentence
cites, or else the answer; in all sent ones where none is cited. Headings, list markers,
citation marks, code and addresses claim nothing. `examine_numbers` gives every number
with its fate (used by `explain`); `numbers` sums them up.
"""

from __future__ import annotations

from goldassay.rules._number_fates import NumberFate, examine_numbers
from goldassay.rules._number_model import plain
from goldassay.rules.context import RuleContext
from goldassay.rules.settings import NumbersConfig
from goldassay.verdicts import Category, Evidence, Finding, Outcome

__all__ = ["VERSION", "NumberFate", "examine_numbers", "numbers", "plain"]

VERSION = "1"

_MOST_NAMED = 8  # numbers named in one reason; the evidence has them all


def numbers(context: RuleContext, config: NumbersConfig) -> Finding:
    """Check that every number of the answer stands in the sources it cites.

    Args:
        context: The record.
        config: What becomes of numbers that stand in no cited source as written.

    Returns:
        Fail with category `wrong_number` where a number stands nowhere; `misattributed`
        where it stands only in an uncited source; `unsure` where a rule cannot know.
        A refusal claims nothing and passes; without sources the rule is skipped.
    """
    if not context.record.sources:
        return Finding(Outcome.SKIP, reason="no sources were logged")
    if not context.record.answer.strip():
        return Finding(Outcome.SKIP, reason="the answer is empty")
    if context.is_refusal:
        return Finding(Outcome.PASS, reason="nothing to check: a refusal claims nothing")
    return _summed_up(context, examine_numbers(context, config))


def _summed_up(context: RuleContext, fates: list[NumberFate]) -> Finding:
    if not fates:
        return Finding(Outcome.PASS, reason="nothing to check: the answer holds no number")
    for outcome in (Outcome.FAIL, Outcome.UNSURE):
        worst = [fate for fate in fates if fate.outcome is outcome]
        if worst:
            return _finding(context, outcome, worst, fates)
    return Finding(Outcome.PASS, reason=_reason([fate for fate in fates if fate.reason]))


def _finding(context: RuleContext, outcome: Outcome, worst: list[NumberFate], fates: list[NumberFate]) -> Finding:
    order = (Category.WRONG_NUMBER, Category.MISATTRIBUTED, Category.ADDED_CLAIM)
    category = min((fate.category for fate in worst if fate.category), key=order.index)
    notes = [fate for fate in fates if fate.reason and fate.outcome is Outcome.PASS]
    return Finding(outcome, category, _reason([*worst, *notes]), tuple(_evidence(context, fate) for fate in worst))


def _reason(fates: list[NumberFate]) -> str:
    reasons = list(dict.fromkeys(fate.reason for fate in fates))
    rest = len(reasons) - _MOST_NAMED
    return "; ".join(reasons[:_MOST_NAMED]) + (f"; and {rest} more" if rest > 0 else "")


def _evidence(context: RuleContext, fate: NumberFate) -> Evidence:
    start, end = context.answer.to_raw(fate.number.start, fate.number.end)
    return Evidence("number", context.record.answer[start:end], start, end)
