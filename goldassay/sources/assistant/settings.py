"""How the assistant is asked: the table `[assistant]` of goldassay.toml.

Knows no protocol; secrets are named here by their environment variable, never held.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

__all__ = ["REQUEST_FIELDS", "AssistantConfig"]

REQUEST_FIELDS = ("question", "question_id", "lang", "app", "app_version", "model", "prompt_version", "index_version")
"""What a request can carry."""


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


class AssistantConfig(BaseModel):
    """Where the assistant answers, and how question and answer lie in what it takes and gives."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["http", "python", "command"] = "http"
    """An HTTP endpoint, a function in a Python file, or a command."""
    url: str | None = None
    """Endpoint of an assistant over HTTP."""
    method: Literal["POST", "GET"] = "POST"
    """GET sends the request's fields in the query string."""
    headers: dict[str, str] = Field(default_factory=dict)
    """Headers without secrets."""
    headers_env: dict[str, str] = Field(default_factory=dict)
    """Header -> name of the environment variable that holds its whole value."""
    bearer_env: str | None = None
    """Name of the variable with a token, sent as 'Authorization: Bearer ...'."""
    body: dict[str, Any] = Field(default_factory=dict)
    """Parts of the JSON body that are the same for every question."""
    request: dict[str, str] = Field(default_factory=lambda: {"question": "question"})
    """Place in the body -> field, e.g. {"messages[0].content" = "question", "options.model" = "model"}."""
    response: str | dict[str, Annotated[list[str], BeforeValidator(_as_list)]] = Field(default_factory=dict)
    """Column paths of answer, sources and other fields in the reply, or the name of an export shape."""
    function: str | None = None
    """Python: 'my_app.py:ask', a function that takes the question and returns a text or an object."""
    command: list[str] = Field(default_factory=list)
    """Command: program and arguments; gets JSON on its standard input, prints JSON. Never run through a shell."""
    requests_per_minute: float = Field(default=120, gt=0)
    """Questions a minute, at most."""
    max_in_flight: int = Field(default=4, ge=1, le=1000)
    """Questions under way at once."""
    attempts: int = Field(default=4, ge=1, le=20)
    """Tries for one question, the first included."""
    timeout_s: float = Field(default=60, gt=0)
    """Longest wait for one try, in seconds."""
    total_timeout_s: float = Field(default=300, gt=0)
    """Longest time for one question, waits between tries included, in seconds."""
    first_wait_s: float = Field(default=1.0, ge=0)
    """Wait before the second try; it doubles from try to try, with up to a fifth more at random."""
    max_reply_mib: int = Field(default=16, ge=1, le=256)
    """A longer reply is an error, in MiB."""

    @model_validator(mode="after")
    def _has_what_its_kind_needs(self) -> AssistantConfig:
        needed = {
            "http": ("url", self.url),
            "python": ("function", self.function),
            "command": ("command", self.command),
        }
        name, value = needed[self.kind]
        if not value:
            message = f"assistant.kind is {self.kind!r}, which needs assistant.{name}"
            raise ValueError(message)
        unknown = sorted(set(self.request.values()) - set(REQUEST_FIELDS))
        if unknown:
            message = f"assistant.request names unknown fields {unknown}; known are {', '.join(REQUEST_FIELDS)}"
            raise ValueError(message)
        return self

    @property
    def max_reply_bytes(self) -> int:
        """`max_reply_mib` in bytes."""
        return self.max_reply_mib * 1024 * 1024
