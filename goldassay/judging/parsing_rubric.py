"""From a rubric to the contract its replies must meet, and from an error's kind to the category of its row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldassay.judging.prompt_schema import CLAIM_VERDICTS, WINNERS
from goldassay.judging.reply_contract import Contract, ErrorKind, FieldSpec
from goldassay.judging.rubric_model import Criterion, Rubric
from goldassay.verdicts import Category

__all__ = ["contract_for", "error_category", "flat_contract", "unflattened"]

_CATEGORY: dict[str, Category] = {
    "out_of_scale": Category.OUT_OF_SCALE,
    "truncated": Category.CUT_OFF,
    "no_final_answer": Category.CUT_OFF,
    "refused": Category.JUDGE_REFUSED,
    "blocked": Category.JUDGE_REFUSED,
    "abstained": Category.JUDGE_REFUSED,
    "rate_limited": Category.RATE_LIMITED,
    "quota_exhausted": Category.RATE_LIMITED,
    "http_error": Category.PROVIDER_ERROR,
    "auth": Category.PROVIDER_ERROR,
    "model_not_found": Category.PROVIDER_ERROR,
    "bad_request": Category.PROVIDER_ERROR,
    "context_too_long": Category.CONTEXT_TOO_LONG,
    "prompt_truncated": Category.CONTEXT_TOO_LONG,
}

_TEXT = FieldSpec("string")
_REMARK = FieldSpec("remark")


def error_category(kind: ErrorKind | None) -> Category:
    """The category of the error row; what is not named above could not be read."""
    return _CATEGORY.get(kind or "", Category.UNREADABLE_REPLY)


def contract_for(rubric: Rubric, names: tuple[str, ...], *, together: bool) -> Contract:
    """What a reply about these criteria must look like.

    Args:
        rubric: The rubric of the call.
        names: The criteria of the call.
        together: Whether the reply has one object for each criterion.
    """
    if together:
        objects = {name: _grade(rubric.criterion(name)) for name in names}
        fields = {name: FieldSpec("object", fields=grade, required=("score",)) for name, grade in objects.items()}
        return Contract(format="json_object", fields=fields, required=names)
    if rubric.reply == "claims":
        return Contract(format="json_object", fields={"claims": _claims()}, required=("claims",))
    if rubric.reply == "pairwise":
        winner = FieldSpec("enum", values=WINNERS)
        fields = {"reason": _REMARK, "winner": winner, "category": _REMARK}
        return Contract(format="json_object", fields=fields, required=("winner",))
    return Contract(format="json_object", fields=_grade(rubric.criterion(names[0])), required=("score",))


def flat_contract(rubric: Rubric, names: tuple[str, ...], *, may_lack: tuple[str, ...] = ()) -> Contract:
    """The short form of a reply about several criteria: a score under each name, one reason for all.

    Small models fall into it whatever form is asked for, and it says as clearly what the verdict is.

    Args:
        rubric: The rubric of the call.
        names: The criteria of the call.
        may_lack: Those that need not be there, because the caller does not know whether they were asked about.
    """
    scores = {name: _grade(rubric.criterion(name))["score"] for name in names}
    required = tuple(name for name in names if name not in may_lack)
    return Contract(format="json_object", fields={**scores, "reason": _REMARK, "category": _REMARK}, required=required)


def unflattened(values: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """The same reply with one object for each criterion that is there."""
    shared = {key: values[key] for key in ("reason", "category") if key in values}
    return {name: {"score": values[name], **shared} for name in names if name in values}


def _grade(criterion: Criterion) -> dict[str, FieldSpec]:
    score = FieldSpec("integer", criterion.scale_min, criterion.scale_max)
    # A category outside the list is no reason to lose a score: it is read as text and becomes 'other'.
    return {"reason": _REMARK, "score": score, "category": _REMARK}


def _claims() -> FieldSpec:
    fields = {
        "claim": _TEXT,
        "reason": _REMARK,
        "sources": FieldSpec("array", items=_REMARK),
        "verdict": FieldSpec("enum", values=CLAIM_VERDICTS),
    }
    return FieldSpec("array", items=FieldSpec("object", fields=fields, required=("claim", "verdict")))
