"""From a rubric to the contract its replies must meet, and from an error's kind to the category of its row."""

from __future__ import annotations

from goldassay.judging.reply_contract import Contract, ErrorKind, FieldSpec
from goldassay.judging.rubric_model import Criterion, Rubric
from goldassay.verdicts import Category

__all__ = ["contract_for", "error_category"]

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


def error_category(kind: ErrorKind | None) -> Category:
    """The category of the error row; what is not named above could not be read."""
    return _CATEGORY.get(kind or "", Category.UNREADABLE_REPLY)


def contract_for(rubric: Rubric, names: tuple[str, ...]) -> Contract:
    """What a reply about these criteria must look like."""
    if rubric.calls == "separate":
        return Contract(format="json_object", fields=_grade(rubric.criterion(names[0])), required=("score",))
    fields = {name: FieldSpec("object", fields=_grade(rubric.criterion(name)), required=("score",)) for name in names}
    return Contract(format="json_object", fields=fields, required=names)


def _grade(criterion: Criterion) -> dict[str, FieldSpec]:
    return {
        "reason": FieldSpec("string"),
        "score": FieldSpec("integer", criterion.scale_min, criterion.scale_max),
        # A category outside the list is no reason to lose a score: it is read as text and becomes 'other'.
        "category": FieldSpec("string"),
    }
