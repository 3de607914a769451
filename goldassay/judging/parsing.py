"""Reads a judge's reply: accepted with scores, or an error of a named kind. Never a default, never a guess."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from goldassay.judging.parsing_rubric import contract_for, error_category
from goldassay.judging.reply_contract import Contract, ErrorKind, Fault, Reading
from goldassay.judging.reply_finish import check_finish
from goldassay.judging.reply_read import read_contract
from goldassay.judging.rubric_model import Rubric
from goldassay.verdicts import Category, Outcome

__all__ = ["ParsedReply", "parse_reply", "read_reply"]


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """What a reply says about each criterion it was asked about."""

    outcome: Outcome
    """ERROR: no verdict could be read; else PASS when all criteria pass, FAIL when one does not."""
    category: Category | None = None
    """For ERROR: the kind of error; for FAIL: the first failing criterion's reason."""
    scores: Mapping[str, float] = field(default_factory=dict)
    """By criterion name; empty for an error."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    categories: Mapping[str, Category | None] = field(default_factory=dict)
    """Why each criterion did not pass; None where it did."""
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    repairs: tuple[str, ...] = ()
    """What had to be mended before the reply could be read."""
    error_kind: ErrorKind | None = None
    retry_may_help: bool = False
    """Whether one more call with the same prompt is worth its price."""
    detail: Mapping[str, Any] = field(default_factory=dict)
    """For an error: the missing fields, or the field and its value."""
    injection_suspected: bool = False
    """The verdict stands word for word in the text under evaluation."""


def read_reply(
    text: str | None, contract: Contract, *, finish_reason: str | None = None, evaluated: Sequence[str] = ()
) -> Reading:
    """Reads a reply in any of the formats a contract can ask for.

    Args:
        text: The reply's text, thought parts left out; None is an empty reply.
        contract: What was asked for.
        finish_reason: As the provider named it; it counts before the text does.
        evaluated: The texts under evaluation, in which a verdict must not stand word for word.
    """
    try:
        check_finish(text, finish_reason)
        return read_contract(text or "", contract, evaluated)
    except Fault as fault:
        return Reading.of(fault)


def parse_reply(
    text: str | None,
    rubric: Rubric,
    *,
    finish_reason: str | None = None,
    criteria: Sequence[str] | None = None,
    evaluated: Sequence[str] = (),
) -> ParsedReply:
    """Reads a reply to a call of a rubric.

    Args:
        text: The reply's text.
        rubric: What was asked.
        finish_reason: As the provider named it.
        criteria: The criteria of the call; None: all that the rubric asks about in one call, its first for
            calls = 'separate'.
        evaluated: Question, answer and sources, to tell an echoed verdict from the judge's own.
    """
    names = tuple(criteria or (rubric.criterion_names if rubric.calls == "together" else rubric.criterion_names[:1]))
    reading = read_reply(text, contract_for(rubric, names), finish_reason=finish_reason, evaluated=evaluated)
    if not reading.accepted:
        return ParsedReply(
            Outcome.ERROR,
            category=error_category(reading.error_kind),
            error_kind=reading.error_kind,
            retry_may_help=reading.retry_may_help,
            detail=reading.detail,
            repairs=reading.repairs,
            injection_suspected=reading.suspect,
        )
    return _graded(reading, rubric, names)


def _graded(reading: Reading, rubric: Rubric, names: tuple[str, ...]) -> ParsedReply:
    grades = {names[0]: reading.values} if rubric.calls == "separate" else dict(reading.values)
    scores = {name: float(grades[name]["score"]) for name in names}
    passed = {name: rubric.criterion(name).passes(scores[name]) for name in names}
    categories = {name: None if passed[name] else _category(grades[name], rubric, name) for name in names}
    return ParsedReply(
        Outcome.PASS if all(passed.values()) else Outcome.FAIL,
        category=next((category for category in categories.values() if category), None),
        scores=scores,
        reasons={name: grades[name].get("reason", "") for name in names},
        categories=categories,
        outcomes={name: Outcome.PASS if passed[name] else Outcome.FAIL for name in names},
        repairs=reading.repairs,
        injection_suspected=reading.suspect,
    )


def _category(grade: Mapping[str, Any], rubric: Rubric, name: str) -> Category:
    named = str(grade.get("category", "")).strip().casefold()
    for category in rubric.criterion(name).categories:
        if category.value == named:
            return category
    return Category.OTHER
