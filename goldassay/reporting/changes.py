"""Changed verdicts gathered by question: both answers once, with what each check says of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from goldassay.analytics.models import Example, QuestionChange

__all__ = ["FEW", "ChangedQuestion", "by_question"]

FEW = 5
"""Strata with fewer common questions can show nothing, and a golden set has many of them: reports leave them out."""


class ChangedQuestion(NamedTuple):
    """One question whose verdicts changed under one or more checks."""

    question: str
    checks: tuple[str, ...]
    base: Example
    """The answer before; its evidence is that of all its checks."""
    head: Example
    """The answer now, likewise."""
    base_says: tuple[tuple[str, str], ...]
    """(check, reason) of each failed check before."""
    head_says: tuple[tuple[str, str], ...]
    """(check, reason) of each failed check now."""
    whole: bool = False
    """True: the answer as a whole changed so; False: it failed before as well, or only a warning changed."""


def by_question(changes: Sequence[QuestionChange]) -> list[ChangedQuestion]:
    """Gather changes of one kind, in the order of their first check."""
    groups: dict[tuple[str, str], list[QuestionChange]] = {}
    for change in changes:
        groups.setdefault((change.base.record_id, change.head.record_id), []).append(change)
    return [_gathered(group) for group in groups.values()]


def _gathered(group: Sequence[QuestionChange]) -> ChangedQuestion:
    first = group[0]
    bases, heads = [change.base for change in group], [change.head for change in group]
    checks = tuple(change.check for change in group)
    merged = _merged(bases), _merged(heads)
    return ChangedQuestion(first.question, checks, *merged, _says(bases), _says(heads), whole=first.whole)


def _merged(examples: Sequence[Example]) -> Example:
    """One example with the evidence of all; the most telling citations are those of any check that has some."""
    evidence = tuple(dict.fromkeys(piece for example in examples for piece in example.evidence))
    citations = next((example.citations for example in examples if example.citations), ())
    return replace(examples[0], evidence=evidence, citations=citations)


def _says(examples: Sequence[Example]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (example.check, example.reason) for example in examples if example.outcome != "pass" and example.reason
    )
