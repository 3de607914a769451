"""Builds what a judge is sent: system text and shared record first, the criterion last.

The shared part is the same, byte for byte, for all criteria of a record, so a
provider's prefix cache pays for it once. All data stands between markers that it
cannot contain (`goldassay.judging.safety`); nothing is put together with str.format.
Knows nothing of providers and replies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from goldassay.judging.families import same_family
from goldassay.judging.parsing_rows import criterion_columns, record_columns
from goldassay.judging.prompt_schema import reply_schema
from goldassay.judging.prompt_text import criterion_text, record_text
from goldassay.judging.rubric_model import Criterion, Rubric
from goldassay.judging.safety import data_marker
from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.verdicts import Category, Outcome, RunStamp, Verdict

__all__ = ["JudgeCall", "JudgeItem", "build_calls", "ready_verdicts"]


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
    """The answer to compare with, for pairwise rubrics."""


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
    """JSON schema of the reply, without keywords that a provider refuses."""
    item: JudgeItem
    marker: str
    """The word that marks where data begins and ends."""
    variant: str = ""
    """'AB' or 'BA' for pairwise calls, else ''."""
    flags: tuple[str, ...] = field(default=())
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
    settled = {verdict.check for verdict in ready_verdicts(item, rubric)}
    open_criteria = [criterion for criterion in rubric.criteria if criterion.name not in settled]
    groups = [open_criteria] if rubric.calls == "together" else [[criterion] for criterion in open_criteria]
    marker = data_marker(_all_data(item))
    shared = _Shared(marker, record_text(item.record, marker), _flags(item, model))
    return [_call(item, rubric, group, shared) for group in groups if group]


class _Shared(NamedTuple):
    marker: str
    prefix: str
    flags: tuple[str, ...]


def _flags(item: JudgeItem, model: str) -> tuple[str, ...]:
    return (*item.flags, "same_family") if same_family(model, item.record.model) else item.flags


def _call(item: JudgeItem, rubric: Rubric, group: list[Criterion], shared: _Shared) -> JudgeCall:
    return JudgeCall(
        record_id=item.record.record_id,
        criteria=tuple(criterion.name for criterion in group),
        system=rubric.system,
        user_prefix=shared.prefix,
        user_suffix=criterion_text(group, rubric, item, shared.marker),
        response_schema=reply_schema(group, rubric),
        item=item,
        marker=shared.marker,
        flags=shared.flags,
    )


def ready_verdicts(item: JudgeItem, rubric: Rubric, *, stamp: RunStamp | None = None) -> list[Verdict]:
    """Verdicts that need no judge: what does not apply, an empty answer, a refusal that passes by law."""
    return [
        verdict for criterion in rubric.criteria if (verdict := _settle(item, rubric, criterion, stamp)) is not None
    ]


def _settle(item: JudgeItem, rubric: Rubric, criterion: Criterion, stamp: RunStamp | None) -> Verdict | None:
    settled = _without_judge(item, criterion)
    if settled is None:
        return None
    outcome, category, reason = settled
    return Verdict(
        **(stamp._asdict() if stamp else {}),
        **record_columns(item),
        **criterion_columns(rubric, criterion),
        outcome=outcome,
        category=category,
        reason=reason,
        flags=item.flags,
        attempts=0,
    )


def _without_judge(item: JudgeItem, criterion: Criterion) -> tuple[Outcome, Category | None, str] | None:
    if not item.record.answer.strip():
        return Outcome.FAIL, Category.OTHER, "the answer is empty"
    if criterion.applies_when == "sources" and not item.record.sources:
        return Outcome.SKIP, None, "no sources were logged with this answer"
    if criterion.applies_when == "reference" and not (item.golden and (item.golden.reference or "").strip()):
        return Outcome.SKIP, None, "the golden question has no reference answer"
    if criterion.refusals == "pass" and "refusal" in item.flags and "canary" not in item.flags:
        return Outcome.PASS, None, "a refusal claims nothing, so it is always supported"
    return None


def _all_data(item: JudgeItem) -> list[str]:
    record, golden = item.record, item.golden
    data = [record.question, record.answer, golden.reference or "" if golden else ""]
    data += [part for source in record.sources for part in (source.id, source.title or "", source.text)]
    data += [part for turn in record.turns for part in (turn.role, turn.text)]
    if item.other:
        data.append(item.other.answer)
    return data
