"""Reads a judge's reply: accepted with scores, or an error of a named kind. Never a default, never a guess.

`read_reply` reads any format by a contract; `parse_reply` reads a reply to a rubric.
Neither raises, whatever the reply holds. Rows are made of it in `parsing_rows`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from goldassay.judging.parsing_grades import Claim, Grade, grades_of
from goldassay.judging.parsing_rubric import contract_for, error_category, flat_contract, unflattened
from goldassay.judging.reply_contract import Contract, ErrorKind, Fault, Reading
from goldassay.judging.reply_fields import fold
from goldassay.judging.reply_finish import check_finish
from goldassay.judging.reply_read import read_contract
from goldassay.judging.rubric_model import Rubric
from goldassay.verdicts import Category, Outcome

__all__ = ["Claim", "ParsedReply", "parse_reply", "read_reply"]


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """What a reply says about each criterion it was asked about."""

    outcome: Outcome
    """ERROR: no verdict could be read; else PASS when all criteria pass, FAIL when one does not."""
    category: Category | None = None
    """For ERROR: the kind of error; for FAIL: the first failing criterion's reason; None for PASS."""
    scores: Mapping[str, float] = field(default_factory=dict)
    """By criterion name; empty for an error. Pairwise: 2 = answer A is better, 1 = tie, 0 = answer B is better."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    categories: Mapping[str, Category | None] = field(default_factory=dict)
    """Why each criterion did not pass; None where it did."""
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    """Of a reply claim by claim."""
    repairs: tuple[str, ...] = ()
    """What had to be mended before the reply could be read."""
    error_kind: ErrorKind | None = None
    retry_may_help: bool = False
    """Whether one more call with the same prompt is worth its price."""
    detail: Mapping[str, Any] = field(default_factory=dict)
    """For an error: the missing fields, or the field and its value."""
    injection_suspected: bool = False
    """The verdict stands word for word in the text under evaluation."""

    @property
    def score(self) -> float | None:
        """The score of a reply about one criterion; None for an error, or when there are several."""
        return next(iter(self.scores.values())) if len(self.scores) == 1 else None

    @property
    def reason(self) -> str:
        """The reasons, or why there is no verdict."""
        if self.outcome is not Outcome.ERROR:
            return " ".join(reason for reason in self.reasons.values() if reason)
        told = ", ".join(f"{key} {value!r}" for key, value in self.detail.items())
        return f"{self.error_kind}: {told}" if told else str(self.error_kind)


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
        criteria: The criteria of the call. None: a reply with one object per criterion is read as such, one with
            a single grade is taken for the rubric's first criterion.
        evaluated: Question, answers and sources, to tell an echoed verdict from the judge's own.
    """
    names = tuple(criteria or rubric.criterion_names)
    together = rubric.calls == "together"
    reading = _read(text, rubric, names, together=together, finish_reason=finish_reason, evaluated=evaluated)
    if criteria is None and not together and len(names) > 1 and reading.error_kind == "missing_field":
        other = _read(text, rubric, names, together=True, finish_reason=finish_reason, evaluated=evaluated)
        if other.accepted:
            reading, together = other, True
    if not together:
        reading = _about(names[0], reading, rubric)
    values = reading.values
    # One criterion that was asked about alone may stand under its own name; a bad score beside it stays an error.
    alone = criteria is not None and rubric.reply == "score" and reading.error_kind == "missing_field"
    if reading.error_kind in {"missing_field", "wrong_type"} and (together or criteria is None or alone):
        flat = _read_flat(text, rubric, names, asked=criteria is not None, finish=finish_reason, evaluated=evaluated)
        if flat.accepted:
            values, reading, together = unflattened(flat.values, names), flat, True
            names = tuple(values)
        elif flat.error_kind == "out_of_scale":
            reading = flat  # it had the short form, so its own fault is the one to tell
    if not reading.accepted:
        return _unreadable(reading)
    try:
        grades = grades_of(values, rubric, names if together else names[:1], together=together)
    except Fault as fault:
        return _unreadable(Reading.of(fault, reading.repairs))
    return _graded(reading, grades)


def _about(name: str, reading: Reading, rubric: Rubric) -> Reading:
    """The reading; an error where its grade stands under the name of another criterion than was asked about."""
    others = {f"unwrapped:{fold(other)}" for other in rubric.criterion_names if other != name}
    if others.isdisjoint(map(fold, reading.repairs)):
        return reading
    return Reading.of(Fault("missing_field", missing=[name]), reading.repairs)


def _read(
    text: str | None,
    rubric: Rubric,
    names: tuple[str, ...],
    *,
    together: bool,
    finish_reason: str | None,
    evaluated: Sequence[str],
) -> Reading:
    contract = contract_for(rubric, names, together=together)
    return read_reply(text, contract, finish_reason=finish_reason, evaluated=evaluated)


def _read_flat(
    text: str | None,
    rubric: Rubric,
    names: tuple[str, ...],
    *,
    asked: bool,
    finish: str | None,
    evaluated: Sequence[str],
) -> Reading:
    # Without the call at hand nobody knows whether a criterion that needs a reference was asked about.
    may_lack = () if asked else tuple(n for n in names if rubric.criterion(n).applies_when == "reference")
    contract = flat_contract(rubric, names, may_lack=may_lack)
    return read_reply(text, contract, finish_reason=finish, evaluated=evaluated)


def _unreadable(reading: Reading) -> ParsedReply:
    return ParsedReply(
        Outcome.ERROR,
        category=error_category(reading.error_kind),
        error_kind=reading.error_kind,
        retry_may_help=reading.retry_may_help,
        detail=reading.detail,
        repairs=reading.repairs,
        injection_suspected=reading.suspect,
    )


def _graded(reading: Reading, grades: Mapping[str, Grade]) -> ParsedReply:
    failed = [grade.category for grade in grades.values() if not grade.passed]
    return ParsedReply(
        Outcome.FAIL if failed else Outcome.PASS,
        category=failed[0] if failed else None,
        scores={name: grade.score for name, grade in grades.items()},
        reasons={name: grade.reason for name, grade in grades.items()},
        categories={name: grade.category for name, grade in grades.items()},
        outcomes={name: Outcome.PASS if grade.passed else Outcome.FAIL for name, grade in grades.items()},
        claims=tuple(claim for grade in grades.values() for claim in grade.claims),
        repairs=reading.repairs,
        injection_suspected=reading.suspect,
    )
