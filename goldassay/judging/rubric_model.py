"""A rubric: what a judge model is asked about one answer, on which scale, and from which mark on it passes.

A rubric is data (a TOML file, `goldassay.judging.rubric`) in the frozen models below.
This module knows what a valid rubric is; it does not know how a prompt looks
(`goldassay.judging.prompt`) or how a reply is read (`goldassay.judging.parsing`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from goldassay.verdicts import FAILURE_CATEGORIES, Category

__all__ = ["AppliesWhen", "Criterion", "Example", "ReplyKind", "Rubric"]

AppliesWhen = Literal["always", "sources", "reference"]
"""When a criterion can be judged at all: 'sources' = some were logged, 'reference' = the golden question has one."""
ReplyKind = Literal["score", "claims", "pairwise"]
"""'score': reason, score, category; 'claims': one verdict per claim; 'pairwise': which of two answers is better."""

_STRICT = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


def _version_text(value: object) -> object:
    # A float has lost its zero already: 1.10 would become version '1.1'.
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


class Example(BaseModel):
    """A worked example: a small record and the grade it deserves, reason first."""

    model_config = _STRICT

    sources: tuple[str, ...] = ()
    question: str = ""
    reference: str = ""
    answer: str = Field(min_length=1)
    reason: str = Field(min_length=1)
    score: float
    category: str = "none"
    """'none' for an example that passes."""


class Criterion(BaseModel):
    """One question about an answer, with its scale and pass mark."""

    model_config = _STRICT

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")
    question: str = Field(min_length=1)
    guidance: str = ""
    """How to decide, in sentences the judge reads."""
    refusal: str = ""
    """What holds for an answer that refuses; shown to the judge with the scale."""
    refusals: Literal["judge", "pass"] = "judge"
    """'pass': a record flagged 'refusal' passes by law without a call, except a canary, which tests the judge."""
    applies_when: AppliesWhen = "always"
    scale: dict[int, str]
    """A text for each point, from the lowest to the highest without a gap."""
    pass_mark: float
    """The lowest score that passes; on the scale."""
    categories: tuple[Category, ...] = (Category.OTHER,)
    """Reasons the judge may choose from when the answer does not pass; 'other' is always among them."""
    severity: Literal["gate", "warn"] = "gate"
    """'gate': a failure fails the answer; 'warn': it is shown only."""
    examples: tuple[Example, ...] = ()

    @property
    def scale_min(self) -> int:
        """The lowest point."""
        return min(self.scale)

    @property
    def scale_max(self) -> int:
        """The highest point."""
        return max(self.scale)

    def passes(self, score: float) -> bool:
        """Whether a score on the scale reaches the pass mark."""
        return score >= self.pass_mark

    @field_validator("scale")
    @classmethod
    def _each_point_has_a_text(cls, scale: dict[int, str]) -> dict[int, str]:
        if len(scale) < 2:
            raise ValueError("a scale needs at least two points")
        if max(scale) - min(scale) > 100:
            raise ValueError("a scale has at most a hundred points; a judge cannot tell more apart")
        missing = [str(point) for point in range(min(scale), max(scale) + 1) if not scale.get(point)]
        if missing:
            raise ValueError(f"no text for point {', '.join(missing)}")
        return dict(sorted(scale.items()))

    @field_validator("categories")
    @classmethod
    def _only_reasons_to_fail(cls, value: tuple[Category, ...]) -> tuple[Category, ...]:
        for category in value:
            if category not in FAILURE_CATEGORIES:
                raise ValueError(f"{category.value!r} says that the check broke, not why an answer fails")
        return value if Category.OTHER in value else (*value, Category.OTHER)

    @model_validator(mode="after")
    def _marks_lie_on_the_scale(self) -> Self:
        low, high = self.scale_min, self.scale_max
        if not low <= self.pass_mark <= high:
            raise ValueError(f"pass_mark {self.pass_mark:g} of {self.name!r} is outside its scale {low}..{high}")
        for example in self.examples:
            if not low <= example.score <= high:
                raise ValueError(f"an example of {self.name!r} has score {example.score:g}, outside {low}..{high}")
            if example.category != "none" and example.category not in self.categories:
                raise ValueError(f"an example of {self.name!r} has category {example.category!r}, not in its list")
        return self


class Rubric(BaseModel):
    """A named, versioned set of criteria, and how the judge is asked about them."""

    model_config = _STRICT

    name: str = Field(pattern=r"^[a-z][a-z0-9_-]{0,39}$")
    version: Annotated[str, BeforeValidator(_version_text)] = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,19}$")
    title: str = ""
    calls: Literal["separate", "together"] = "separate"
    """'separate': one call per criterion (default: one vague score is hard to act on)."""
    reply: ReplyKind = "score"
    system: str = Field(min_length=1)
    """What the judge is, and how it grades; the first thing it reads, the same for all records."""
    criteria: tuple[Criterion, ...] = Field(min_length=1)

    def criterion(self, name: str) -> Criterion:
        """The criterion of that name.

        Raises:
            KeyError: If the rubric has none.
        """
        for criterion in self.criteria:
            if criterion.name == name:
                return criterion
        raise KeyError(name)

    @property
    def criterion_names(self) -> tuple[str, ...]:
        """Names of the criteria, in the order of the file."""
        return tuple(criterion.name for criterion in self.criteria)

    @property
    def pass_marks(self) -> dict[str, float]:
        """The lowest passing score per criterion."""
        return {criterion.name: criterion.pass_mark for criterion in self.criteria}

    def with_pass_marks(self, marks: Mapping[str, float] | float) -> Rubric:
        """The same rubric with other pass marks; the mark is part of the request hash.

        Args:
            marks: One mark for all criteria, or a mark per criterion name.

        Raises:
            ValueError: If a mark is outside its scale, or names no criterion.
        """
        chosen = marks if isinstance(marks, Mapping) else dict.fromkeys(self.criterion_names, marks)
        if unknown := sorted(set(chosen) - set(self.criterion_names)):
            raise ValueError(f"no criterion is named {unknown[0]!r}")
        data: dict[str, Any] = self.model_dump(mode="python")
        for criterion in data["criteria"]:
            criterion["pass_mark"] = chosen.get(criterion["name"], criterion["pass_mark"])
        return Rubric.model_validate(data)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        twice = [name for name, count in Counter(self.criterion_names).items() if count > 1]
        if twice:
            raise ValueError(f"two criteria are named {twice[0]!r}")
        if self.reply != "score" and self.calls == "together":
            raise ValueError(f"reply = {self.reply!r} needs calls = 'separate'")
        for criterion in self.criteria:
            ends = (criterion.scale_min, criterion.scale_max)
            if self.reply == "claims" and ends != (0, 1):
                raise ValueError(f"the scale of {criterion.name!r} must be 0..1: the share of claims supported")
            if self.reply == "pairwise" and ends != (0, 2):
                raise ValueError(f"the scale of {criterion.name!r} must be 0..2: other better, equal, this one better")
        return self
