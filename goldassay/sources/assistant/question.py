"""One question to the assistant, the version it is asked of, and the trouble it can meet."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple, Protocol

import orjson

from goldassay.records import GoldenQuestion
from goldassay.sources.assistant.settings import AssistantConfig
from goldassay.verdicts import Category

__all__ = ["AskError", "AskTroubleError", "AskedVersion", "Asker", "Question"]


class AskedVersion(NamedTuple):
    """The version of the assistant that is asked; its answers are stored under it."""

    app: str = "app"
    app_version: str = ""
    model: str | None = None
    prompt_version: str | None = None
    index_version: str | None = None


class Question(NamedTuple):
    """What is sent, with the labels a request may carry."""

    question: str
    question_id: str
    lang: str | None
    version: AskedVersion

    @classmethod
    def of(cls, golden: GoldenQuestion, version: AskedVersion) -> Question:
        """A golden question as it is asked."""
        return cls(golden.question, golden.question_id, golden.tags.get("lang"), version)

    def fields(self) -> dict[str, str | None]:
        """Every field that a request can carry, by name."""
        own = {"question": self.question, "question_id": self.question_id, "lang": self.lang}
        return own | self.version._asdict()

    def key(self, config: AssistantConfig) -> str:
        """SHA-256 over all that shapes the answer: what the journal finds a finished question by."""
        shaping = config.model_dump(
            include={"kind", "url", "method", "headers", "body", "request", "response", "function", "command"}
        )
        return hashlib.sha256(orjson.dumps([self.fields(), shaping], option=orjson.OPT_SORT_KEYS)).hexdigest()


class AskError(NamedTuple):
    """A question that ended without an answer: counted, never dropped."""

    question_id: str
    question: str
    category: Category
    """One of the error categories: rate_limited, timed_out, provider_error, unreadable_reply."""
    reason: str
    attempts: int


class AskTroubleError(Exception):
    """One try failed."""

    def __init__(
        self,
        reason: str,
        *,
        category: Category = Category.PROVIDER_ERROR,
        may_help: bool = True,
        wait_s: float | None = None,
        stops_run: bool = False,
    ) -> None:
        """Describe it.

        Args:
            reason: What happened, without secrets.
            category: An error category.
            may_help: Whether another try may help.
            wait_s: How long the assistant asked to be left alone.
            stops_run: No other question will fare better (wrong key, no such endpoint).
        """
        super().__init__(reason)
        self.reason, self.category, self.may_help = reason, category, may_help
        self.wait_s, self.stops_run = wait_s, stops_run


class Asker(Protocol):
    """One way to ask: HTTP, a function, a command."""

    async def ask(self, question: Question) -> Any:
        """The reply as JSON values (an object, or a text that is the answer).

        Raises:
            AskTroubleError: The try failed.
        """
        ...

    async def close(self) -> None:
        """Free what it holds."""
        ...
