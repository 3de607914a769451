"""The JSON schema of the reply that a call asks for; the reason comes before the score, so that it is thought first.

Only keywords that the providers share. The schema is the same for all records of a
rubric: a provider compiles each new schema, so no record's source ids stand in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from goldassay.judging.rubric_model import Criterion, Rubric

__all__ = ["CLAIM_VERDICTS", "WINNERS", "reply_schema"]

CLAIM_VERDICTS = ("supported", "contradicted", "not_found")
WINNERS = ("A", "B", "tie")

_TEXT = {"type": "string"}


def reply_schema(group: Sequence[Criterion], rubric: Rubric) -> dict[str, Any]:
    """Schema for the reply to one call.

    Args:
        group: The criteria of the call.
        rubric: Their rubric; its `reply` and `calls` decide the form.
    """
    if rubric.reply == "claims":
        return _object({"claims": {"type": "array", "items": _claim()}})
    if rubric.reply == "pairwise":
        return _object({"reason": _TEXT, "winner": _one_of(WINNERS), "category": _category(group[0])})
    if rubric.calls == "separate":
        return _grade(group[0])
    return _object({criterion.name: _grade(criterion) for criterion in group})


def _claim() -> dict[str, Any]:
    sources = {"type": "array", "items": _TEXT}
    return _object({"claim": _TEXT, "reason": _TEXT, "sources": sources, "verdict": _one_of(CLAIM_VERDICTS)})


def _grade(criterion: Criterion) -> dict[str, Any]:
    score = {"type": "integer", "minimum": criterion.scale_min, "maximum": criterion.scale_max}
    return _object({"reason": _TEXT, "score": score, "category": _category(criterion)})


def _category(criterion: Criterion) -> dict[str, Any]:
    return _one_of(["none", *(category.value for category in criterion.categories)])


def _one_of(values: Sequence[str]) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
