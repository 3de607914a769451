"""Changed verdicts gathered by question: both answers once, with what each check says of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from goldassay.analytics.models import Change, Example, QuestionChange
from goldassay.reporting.words import joined

__all__ = ["FEW", "ChangedQuestion", "besides_text", "by_question", "sample_notes"]

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
    is_answer: bool = True
    """Whether the whole answer changed, not only some checks of it."""


def by_question(changes: Sequence[QuestionChange]) -> list[ChangedQuestion]:
    """Gather changes of one kind, in the order of their first check."""
    groups: dict[tuple[str, str], list[QuestionChange]] = {}
    for change in changes:
        groups.setdefault((change.base.record_id, change.head.record_id), []).append(change)
    return [_gathered(group) for group in groups.values()]


def besides_text(changed: Sequence[ChangedQuestion], kind: str) -> str:
    """A line for questions with a changed check whose answer as a whole did not change.

    Args:
        changed: Those questions.
        kind: 'broke', 'fixed' or 'still failing'.
    """
    checks = ", ".join(dict.fromkeys(check for question in changed for check in question.checks))
    number = f"{len(changed)} more answer{'s' if len(changed) > 1 else ''}"
    if kind == "still failing":
        return f"in {number} a check still fails ({checks}), but not the answer as a whole"
    changed_how = "broke" if kind == "broke" else "was fixed"
    return f"in {number} a check {changed_how} ({checks}), but the answer as a whole fails or passes as before"


def sample_notes(changes: Sequence[Change]) -> list[str]:
    """How to read the changes of checks of which a sample was judged, without a full stop; none where all were."""
    weighted = [change.check for change in changes if change.is_weighted]
    looked_up = [change.check for change in changes if change.is_looked_up]
    notes = []
    if weighted:
        notes.append(
            f"{joined(weighted)}: a sample was judged; rates, interval and p are weighted to all common questions of "
            "the log, broke and fixed count those seen"
        )
    if looked_up:
        notes.append(
            f"{joined(looked_up)}: the common questions were judged for what was known of them (failed last time), "
            "none was drawn by chance; nothing can be told of the others"
        )
    return notes


def _gathered(group: Sequence[QuestionChange]) -> ChangedQuestion:
    first = group[0]
    bases, heads = [change.base for change in group], [change.head for change in group]
    checks = tuple(change.check for change in group)
    says = _says(bases), _says(heads)
    is_answer = any(change.is_answer for change in group)
    return ChangedQuestion(first.question, checks, _merged(bases), _merged(heads), *says, is_answer)


def _merged(examples: Sequence[Example]) -> Example:
    """One example with the evidence of all; the most telling citations are those of any check that has some."""
    evidence = tuple(dict.fromkeys(piece for example in examples for piece in example.evidence))
    citations = next((example.citations for example in examples if example.citations), ())
    return replace(examples[0], evidence=evidence, citations=citations)


def _says(examples: Sequence[Example]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (example.check, example.reason) for example in examples if example.outcome != "pass" and example.reason
    )
