"""What the calls about the same criteria share, whatever the record: the words of the question, the reply's schema.

Worked out once for a rubric, not for each of its thousands of records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from goldassay.judging.prompt_schema import reply_schema
from goldassay.judging.prompt_text import asked_text
from goldassay.judging.rubric_model import Criterion, Rubric

__all__ = ["Asked", "asked_of"]


class Asked(NamedTuple):
    """The shared part of the calls about one group of criteria."""

    criteria: tuple[str, ...]
    text: str
    schema: Mapping[str, Any]
    """Shared by all their calls: never changed, only read."""
    sees_reference: bool


class _Rubric:
    """A rubric as a key: the same one, not an equal one, since comparing would cost more than it saves."""

    __slots__ = ("rubric",)

    def __init__(self, rubric: Rubric) -> None:
        self.rubric = rubric

    def __hash__(self) -> int:
        return id(self.rubric)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Rubric) and other.rubric is self.rubric


def asked_of(group: Sequence[Criterion], rubric: Rubric) -> Asked:
    """What is asked about these criteria of a rubric."""
    return _asked_of(_Rubric(rubric), tuple([criterion.name for criterion in group]))


@lru_cache(maxsize=64)
def _asked_of(key: _Rubric, names: tuple[str, ...]) -> Asked:
    group = [key.rubric.criterion(name) for name in names]
    sees_reference = any(criterion.applies_when == "reference" for criterion in group)
    return Asked(names, asked_text(group, key.rubric), reply_schema(group, key.rubric), sees_reference)
