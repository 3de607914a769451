"""From the assistant's reply to the record that is stored under the version asked."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from goldassay.errors import ConfigError
from goldassay.records import AnswerRecord
from goldassay.sources.assistant.question import AskTroubleError, Question
from goldassay.sources.assistant.settings import AssistantConfig
from goldassay.sources.batch import Rejected
from goldassay.sources.hints import nearest
from goldassay.sources.mapping import Mapper
from goldassay.sources.rows import RawRow
from goldassay.sources.shapes.flat import flat_shape
from goldassay.sources.shapes.flat_paths import FLAT
from goldassay.verdicts import Category

__all__ = ["ReplyReader"]


class ReplyReader:
    """Reads replies by the column paths of `assistant.response`.

    Raises:
        ConfigError: A path or shape is unknown.
    """

    def __init__(self, config: AssistantConfig) -> None:
        self.shape = None
        if isinstance(config.response, str):
            if config.response not in FLAT:
                raise ConfigError(
                    f"assistant.response names no known shape: {config.response!r}{nearest(config.response, FLAT)}"
                )
            self.shape = flat_shape(config.response)
        self.mapper = Mapper(None if isinstance(config.response, str) else config.response)

    def read(self, reply: Any, question: Question, asked_at: datetime) -> AnswerRecord:
        """The record; the question and the version are what was asked, whatever the reply says of them.

        Raises:
            AskTroubleError: No answer can be found in the reply.
        """
        data = {"answer": reply} if isinstance(reply, str) else reply
        if not isinstance(data, dict):
            raise _unreadable(f"the reply is {type(reply).__name__}, not an object")
        row = next(self._rows(RawRow("reply", 0, data)), None)
        if row is None:
            raise _unreadable("the reply holds no answer, only a step on the way to one")
        mapped = self.mapper.read(row) if isinstance(row, RawRow) else row
        if isinstance(mapped, Rejected):
            raise _unreadable(mapped.reason)
        asked = {name: value for name, value in question.version._asdict().items() if value is not None}
        return mapped.record.model_copy(
            update=asked
            | {
                "record_id": mapped.record.record_id if mapped.has_own_id else question.question_id,
                "question_id": question.question_id,
                "question": question.question,
                "asked_at": asked_at,
                "lang": question.lang or mapped.record.lang,
            }
        )

    def _rows(self, row: RawRow) -> Iterator[Any]:
        return iter([row]) if self.shape is None else self.shape(iter([row]))


def _unreadable(reason: str) -> AskTroubleError:
    return AskTroubleError(reason, category=Category.UNREADABLE_REPLY)
