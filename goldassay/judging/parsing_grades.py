"""From the fields of a reply to a grade per criterion: score, reason, and why it did not pass."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from goldassay.judging.reply_contract import Fault
from goldassay.judging.reply_fields import EDGE, fold
from goldassay.judging.rubric_model import Criterion, Rubric
from goldassay.verdicts import Category

__all__ = ["Claim", "Grade", "grade", "grades_of"]

_BLANKS = re.compile(r"[\s-]+")
"""'wrong number' and 'wrong-number' are the category wrong_number."""
_WINNER_SCORE = {"A": 2.0, "tie": 1.0, "B": 0.0}


class Claim(NamedTuple):
    """One claim of the answer, as the judge sees it."""

    text: str
    verdict: str
    """'supported', 'contradicted' or 'not_found'."""
    sources: tuple[str, ...] = ()
    """Ids as the judge wrote them."""
    reason: str = ""


class Grade(NamedTuple):
    """What a reply says about one criterion."""

    score: float
    reason: str
    passed: bool
    category: Category | None
    """Why it does not pass; None where it does. Pairwise: the fault of the answer that lost, None for a tie."""
    claims: tuple[Claim, ...] = ()


def grades_of(values: Mapping[str, Any], rubric: Rubric, names: Sequence[str], *, together: bool) -> dict[str, Grade]:
    """The grade of each criterion that was asked about, by name.

    Raises:
        Fault: If fields that are each in order contradict each other.
    """
    return {name: _grade(values[name] if together else values, rubric, rubric.criterion(name)) for name in names}


def _grade(values: Mapping[str, Any], rubric: Rubric, criterion: Criterion) -> Grade:
    if rubric.reply == "claims":
        return _of_claims(values["claims"], criterion)
    reason, category = values.get("reason", ""), values.get("category", "")
    if rubric.reply == "pairwise":
        score = _WINNER_SCORE[values["winner"]]
        fault = None if values["winner"] == "tie" else _known(category, criterion)
        return Grade(score, reason, criterion.passes(score), fault)
    return grade(criterion, float(values["score"]), reason, category)


def grade(criterion: Criterion, score: float, reason: str, category: str = "", claims: tuple[Claim, ...] = ()) -> Grade:
    """A grade; the score alone decides whether it passes, a category is kept only where it does not."""
    passed = criterion.passes(score)
    return Grade(score, reason, passed, None if passed else _known(category, criterion), claims)


def _known(category: str, criterion: Criterion) -> Category:
    named = _BLANKS.sub("_", fold(category.strip(EDGE)))
    return next((each for each in criterion.categories if each.value == named), Category.OTHER)


def _of_claims(found: Sequence[Mapping[str, Any]], criterion: Criterion) -> Grade:
    claims = tuple(_claim(each) for each in found)
    if any(claim.verdict == "supported" and not claim.sources for claim in claims):
        raise Fault("contradictory", field="sources", value="supported by no source")
    if not claims:
        return grade(criterion, float(criterion.scale_max), "the answer claims nothing")
    faulty = [claim for claim in claims if claim.verdict != "supported"]
    score = (len(claims) - len(faulty)) / len(claims)
    contradicted = any(claim.verdict == "contradicted" for claim in faulty)
    category = Category.CONTRADICTS_SOURCE if contradicted else Category.ADDED_CLAIM
    return grade(criterion, score, _summary(claims, faulty), category.value, claims)


def _claim(found: Mapping[str, Any]) -> Claim:
    if not found["claim"].strip():
        raise Fault("missing_field", missing=["claim"])
    sources = tuple(name for name in found.get("sources", ()) if name.strip())
    return Claim(found["claim"], found["verdict"], sources, found.get("reason", ""))


def _summary(claims: Sequence[Claim], faulty: Sequence[Claim]) -> str:
    if not faulty:
        return f"all {len(claims)} claims are supported"
    told = "; ".join(f"{claim.text!r} ({claim.verdict}): {claim.reason}".rstrip(": ") for claim in faulty)
    return f"{len(faulty)} of {len(claims)} claims are not supported: {told}"
