"""What a judge was asked for, and what was read from its reply. Pure data; the reading is done elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["Contract", "ErrorKind", "Fault", "FieldSpec", "Reading"]

ErrorKind = Literal[
    "not_json",
    "truncated",
    "empty",
    "refused",
    "blocked",
    "no_final_answer",
    "missing_field",
    "wrong_type",
    "not_finite",
    "out_of_scale",
    "unknown_label",
    "ambiguous",
    "contradictory",
    "abstained",
    "http_error",
    "rate_limited",
    "quota_exhausted",
    "auth",
    "model_not_found",
    "bad_request",
    "context_too_long",
    "prompt_truncated",
]
"""Why a reply holds no verdict. From 'http_error' on they are the transport's; the parser never gives them."""

_ASKING_AGAIN_MAY_HELP = frozenset(
    {
        "not_json",
        "truncated",
        "empty",
        "no_final_answer",
        "missing_field",
        "wrong_type",
        "not_finite",
        "out_of_scale",
        "unknown_label",
        "ambiguous",
        "contradictory",
    }
)
"""A slip of the pen may not come twice; a refusal, a block or an abstention will."""


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field of the reply."""

    type: Literal["number", "integer", "boolean", "string", "remark", "enum", "object", "array"]
    """'remark': text that decides nothing, so that its form costs no verdict: a list or a number is read as text."""
    minimum: float | None = None
    maximum: float | None = None
    values: tuple[str | float, ...] = ()
    """For 'enum'."""
    fields: Mapping[str, FieldSpec] = field(default_factory=dict)
    """For 'object'."""
    required: tuple[str, ...] = ()
    """For 'object': the fields it must have."""
    items: FieldSpec | None = None
    """For 'array': what each member is; None: anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """The form that was asked for, and what makes it a pass."""

    format: Literal["json_object", "json_array", "tool_call", "labelled_line", "choice", "regex", "tag"]
    fields: Mapping[str, FieldSpec] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    pass_rule: str = ""
    """For instance 'score >= 0.5'."""
    pass_field: str = "pass"  # noqa: S105 - the name of a field, not a password
    """The boolean field that says so itself."""
    pass_value: tuple[str, ...] = ()
    """The labels that pass."""
    values: tuple[str, ...] = ()
    """The labels, for choice and labelled_line."""
    scores: Mapping[str, float | None] = field(default_factory=dict)
    """The score of each label; None: that label abstains."""
    synonyms: Mapping[str, str] = field(default_factory=dict)
    """Other spellings of a label that were agreed beforehand."""
    label: str = ""
    """The word before the colon, for labelled_line; the name of the tag, for tag."""
    pattern: str = ""
    """For regex: trusted, from the team's own settings."""
    position: Literal["line", "start", "last"] = "line"
    """'line': a label must be the whole reply or all that a line says, and must be the only one; 'start': the reply
    may begin with it; 'last': of several matches of a regex the last one counts."""
    item_fields: Mapping[str, FieldSpec] = field(default_factory=dict)
    item_key: str = "id"
    required_items: tuple[str, ...] = ()


class Fault(Exception):  # noqa: N818 - not an error of the program: what is wrong with one reply
    """What keeps a reply from being a verdict; caught inside the reader, never seen outside."""

    def __init__(self, kind: ErrorKind, **detail: Any) -> None:
        super().__init__(kind)
        self.kind = kind
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Reading:
    """A verdict as it was read, or why there is none. There are no default values."""

    values: Mapping[str, Any] = field(default_factory=dict)
    """The fields asked for, by name."""
    score: float | None = None
    passed: bool | None = None
    label: str | None = None
    items: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """For json_array: the fields of each item by its id."""
    repairs: tuple[str, ...] = ()
    error_kind: ErrorKind | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)
    """'missing': names; 'field' and 'value': what was wrong with it."""
    suspect: bool = False
    """The verdict stands word for word in the text under evaluation."""

    @property
    def accepted(self) -> bool:
        """Whether there is a verdict."""
        return self.error_kind is None

    @property
    def retry_may_help(self) -> bool:
        """Whether one more call with the same prompt is worth its price."""
        return self.error_kind in _ASKING_AGAIN_MAY_HELP

    @classmethod
    def of(cls, fault: Fault, repairs: tuple[str, ...] = ()) -> Reading:
        """The reading of a reply that holds no verdict."""
        detail = {key: value for key, value in fault.detail.items() if key != "suspect"}
        return cls(error_kind=fault.kind, detail=detail, repairs=repairs, suspect=bool(fault.detail.get("suspect")))
