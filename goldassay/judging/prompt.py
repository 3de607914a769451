"""Builds what a judge is sent: system text and shared record first, the criterion last.

The shared part is the same, byte for byte, for all criteria of a record, so a
provider's prefix cache pays for it once. All data stands between markers that it
cannot contain (`goldassay.judging.safety`); nothing is put together with str.format.
Knows nothing of providers and replies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from goldassay.judging.families import same_family
from goldassay.judging.parsing_rows import Settled, ready_verdict
from goldassay.judging.prompt_group import Asked, asked_of
from goldassay.judging.prompt_text import end_of_data, record_text, shown_answers
from goldassay.judging.rubric_model import Criterion, Rubric
from goldassay.judging.safety import block, data_marker
from goldassay.judging.safety_flags import talks_to_judge
from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.verdicts import Category, Outcome, RunStamp, Verdict

__all__ = ["JudgeCall", "JudgeItem", "build_calls", "evaluated_texts", "ready_verdicts"]


@dataclass(frozen=True, slots=True)
class JudgeItem:
    """One record to be judged."""

    record: AnswerRecord
    golden: GoldenQuestion | None = None
    weight: float = 1.0
    """Inverse sampling probability, >= 1."""
    flags: tuple[str, ...] = ()
    """Set by the caller: 'canary', 'refusal' (a rule saw that the answer only refuses), ..."""
    other: AnswerRecord | None = None
    """The answer to compare with, for pairwise rubrics: the baseline's to the same question."""

    @property
    def reference(self) -> str:
        """The golden question's right answer; '' where there is none."""
        return (self.golden.reference or "").strip() if self.golden else ""


@dataclass(frozen=True, slots=True)
class JudgeCall:
    """One request to the judge, before a provider gives it its own shape."""

    record_id: str
    criteria: tuple[str, ...]
    """What the reply will be about: one criterion, or all of them for calls = 'together'."""
    system: str
    user_prefix: str
    """The shared record; the same bytes for every criterion of a record."""
    user_suffix: str
    """The criterion, its scale, examples and the reply format."""
    response_schema: Mapping[str, Any]
    """JSON schema of the reply, in the subset that providers share."""
    item: JudgeItem
    marker: str
    """The word that marks where data begins and ends."""
    variant: str = ""
    """'AB' (the record's answer is shown first) or 'BA' for pairwise calls, else ''."""
    flags: tuple[str, ...] = ()
    """Flags of all rows of this call: those of the item, and 'possible_injection', 'same_family'."""

    @property
    def user(self) -> str:
        """The whole user message."""
        return self.user_prefix + self.user_suffix


def build_calls(item: JudgeItem, rubric: Rubric, *, model: str = "") -> list[JudgeCall]:
    """The calls that one record needs; none for criteria that `ready_verdicts` already settles.

    Args:
        item: The record with what is known of its question.
        rubric: What is asked.
        model: The judge model, to flag a judge of the assistant's own family.
    """
    groups = _groups(item, rubric)
    if not groups:
        return []
    marker = data_marker(_all_data(item))
    prefix = record_text(item.record, marker, with_answer=rubric.reply != "pairwise")
    shared = _Shared(marker, prefix, _flags(item, model, rubric.criterion_names))
    variants = ("AB", "BA") if rubric.reply == "pairwise" else ("",)
    return [_call(item, rubric, group, shared, variant) for group in groups for variant in variants]


def ready_verdicts(item: JudgeItem, rubric: Rubric, *, stamp: RunStamp | None = None) -> list[Verdict]:
    """Verdicts that need no judge: what does not apply, an empty answer, a refusal that passes by law."""
    found = [(criterion, _without_judge(item, rubric, criterion)) for criterion in rubric.criteria]
    return [ready_verdict(item, rubric, criterion, known, stamp) for criterion, known in found if known is not None]


def evaluated_texts(item: JudgeItem) -> tuple[str, ...]:
    """The texts in which a verdict must not stand already: question, answers, sources, turns and reference."""
    told = (*(turn.text for turn in item.record.turns), item.reference)
    return (*_graded_texts(item), *(text for text in told if text))


def _graded_texts(item: JudgeItem) -> tuple[str, ...]:
    other = (item.other.answer,) if item.other else ()
    return (item.record.question, item.record.answer, *other, *(source.text for source in item.record.sources))


class _Shared(NamedTuple):
    marker: str
    prefix: str
    flags: tuple[str, ...]


def _groups(item: JudgeItem, rubric: Rubric) -> list[list[Criterion]]:
    asked = [criterion for criterion in rubric.criteria if _without_judge(item, rubric, criterion) is None]
    if rubric.calls == "together":
        return [asked] if asked else []
    return [[criterion] for criterion in asked]


def _flags(item: JudgeItem, model: str, criteria: tuple[str, ...]) -> tuple[str, ...]:
    flags = list(item.flags)
    if talks_to_judge(_all_data(item), criteria):
        flags.append("possible_injection")
    if same_family(model, item.record.model):
        flags.append("same_family")
    return tuple(dict.fromkeys(flags))


def _call(item: JudgeItem, rubric: Rubric, group: list[Criterion], shared: _Shared, variant: str) -> JudgeCall:
    asked = asked_of(group, rubric)
    parts = [*_own_data(item, asked, shared.marker, variant), end_of_data(shared.marker), asked.text]
    return JudgeCall(
        record_id=item.record.record_id,
        criteria=asked.criteria,
        system=rubric.system,
        user_prefix=shared.prefix,
        user_suffix="\n\n".join(parts),
        response_schema=asked.schema,
        item=item,
        marker=shared.marker,
        variant=variant,
        flags=shared.flags,
    )


def _own_data(item: JudgeItem, asked: Asked, marker: str, variant: str) -> list[str]:
    """What only these criteria may see: faithfulness is never judged against the reference."""
    data = []
    if asked.sees_reference:
        data.append(block("reference", item.reference, marker))
    if variant and item.other:
        own, other = item.record.answer, item.other.answer
        first, second = (own, other) if variant == "AB" else (other, own)
        data.append(shown_answers(first, second, marker))
    return data


def _without_judge(item: JudgeItem, rubric: Rubric, criterion: Criterion) -> Settled | None:
    """What is known without a judge; None: ask one."""
    if rubric.reply == "pairwise":
        return _without_judge_of_two(item, criterion)
    if not item.record.answer.strip():
        return Settled(Outcome.FAIL, float(criterion.scale_min), Category.INCOMPLETE, "the answer is empty")
    if criterion.applies_when == "sources" and not item.record.sources:
        return Settled(Outcome.SKIP, None, None, "no sources were logged with this answer")
    if criterion.applies_when == "reference" and not item.reference:
        return Settled(Outcome.SKIP, None, None, "the golden question has no reference answer")
    if criterion.refusals == "pass" and "refusal" in item.flags and "canary" not in item.flags:
        reason = "a refusal claims nothing, so it is always supported"
        return Settled(Outcome.PASS, float(criterion.scale_max), None, reason)
    return None


def _without_judge_of_two(item: JudgeItem, criterion: Criterion) -> Settled | None:
    if item.other is None:
        return Settled(Outcome.SKIP, None, None, "there is no other answer to compare with")
    own, other = item.record.answer.strip(), item.other.answer.strip()
    if own == other:
        score, reason = 1.0, "both answers are the same"
    elif not own:
        score, reason = 0.0, "the answer is empty, the other is not"
    elif not other:
        score, reason = 2.0, "the other answer is empty"
    else:
        return None
    if criterion.passes(score):
        return Settled(Outcome.PASS, score, None, reason)
    return Settled(Outcome.FAIL, score, Category.OTHER, reason)


def _all_data(item: JudgeItem) -> list[str]:
    record = item.record
    data = [*_graded_texts(item), item.reference]
    data += [part for source in record.sources for part in (source.id, source.title or "")]
    data += [part for turn in record.turns for part in (turn.role, turn.text)]
    return data
