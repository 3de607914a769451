"""What goes in: one logged answer with the sources the model was really sent, and one golden question.

Parsed once at the edge into frozen models and trusted from there on. This module
does not know where records come from (`goldassay.sources`) or what is checked.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

__all__ = ["AnswerRecord", "GoldenQuestion", "Source", "Turn"]


TextId = Annotated[str, Field(coerce_numbers_to_str=True)]
"""An id or version label: any text; a number is read as text (1 -> '1'), true and false are refused."""

_FROZEN = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=False)


class Source(BaseModel):
    """One passage, exactly as it was sent to the answering model."""

    model_config = _FROZEN

    id: TextId
    """The id the answer cites it by; sources given as plain strings get '1', '2', ... by position."""
    text: str
    """The passage as sent, never re-retrieved, never shortened."""
    title: str | None = None
    url: str | None = None
    score: float | None = None
    """The retriever's score, any scale; None when it was not logged."""


class Turn(BaseModel):
    """An earlier turn of the conversation."""

    model_config = _FROZEN

    role: str
    """'user' or 'assistant', as logged."""
    text: str


class AnswerRecord(BaseModel):
    """One logged answer of the assistant."""

    model_config = _FROZEN

    record_id: TextId
    question_id: TextId | None = None
    """Id of the golden question it answers, where the log knows it."""
    question: str
    answer: str
    """As given to the user; an empty answer is a failed answer, not an error."""
    sources: tuple[Source, ...] = ()
    """In the order sent; empty when none were sent or logged."""
    asked_at: datetime | None = None
    """UTC; None when the log does not tell. Times without a zone are read as UTC."""
    app: str = "app"
    app_version: TextId = ""
    """Version label of the assistant; '' when the log does not tell."""
    model: TextId | None = None
    prompt_version: TextId | None = None
    index_version: TextId | None = None
    lang: str | None = None
    """Language code of the question, e.g. 'de'; None when not logged."""
    tags: dict[str, str] = Field(default_factory=dict)
    turns: tuple[Turn, ...] = ()
    """Earlier turns, oldest first; the last question is not repeated here."""

    @field_validator("asked_at")
    @classmethod
    def _in_utc(cls, value: datetime | None) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)

    @field_validator("tags", mode="before")
    @classmethod
    def _text_tags(cls, value: Any) -> Any:
        if isinstance(value, dict):
            return {str(key): str(item) for key, item in value.items() if item is not None}
        return value


class GoldenQuestion(BaseModel):
    """A question whose right answer is known: what the assistant must say, or that it must refuse."""

    model_config = _FROZEN

    question_id: TextId
    question: str
    answerable: bool = True
    """False: the sources hold no answer, and the refusal is the right answer."""
    key_facts: tuple[tuple[str, ...], ...] = ()
    """All facts are needed; each fact is the tuple of its accepted variants. Empty ones are left out."""
    reference: str | None = None
    """A right answer in full, for the criterion `correct`; None: that criterion is skipped."""
    expected_sources: tuple[TextId, ...] = ()
    stratum: TextId | None = None
    """Group for sampling and rates, e.g. 'billing'; None: no group."""
    tags: dict[str, str] = Field(default_factory=dict)

    @field_validator("key_facts", mode="before")
    @classmethod
    def _each_fact_is_a_list(cls, value: Any) -> Any:
        if isinstance(value, str | int | float):
            value = [value]
        if isinstance(value, list | tuple):
            return tuple(filter(None, map(_variants, value)))
        return value


def _variants(fact: Any) -> tuple[str, ...]:
    """The texts of a fact; an empty one demands nothing, and would be found in every answer or in none."""
    texts = fact if isinstance(fact, list | tuple) else [fact]
    return tuple(text for text in map(str, texts) if text.strip())
