"""The JSON schema of the reply that a call asks for; the reason comes before the score, so that it is thought first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from goldassay.judging.rubric_model import Criterion, Rubric

__all__ = ["reply_schema"]


def reply_schema(group: Sequence[Criterion], rubric: Rubric) -> dict[str, Any]:
    """Schema for the criteria of one call, in the subset of JSON schema that providers share."""
    if rubric.calls == "separate":
        return _grade(group[0])
    return _object({criterion.name: _grade(criterion) for criterion in group})


def _grade(criterion: Criterion) -> dict[str, Any]:
    return _object(
        {
            "reason": {"type": "string"},
            "score": {"type": "integer", "minimum": criterion.scale_min, "maximum": criterion.scale_max},
            "category": {"type": "string", "enum": ["none", *(category.value for category in criterion.categories)]},
        }
    )


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
