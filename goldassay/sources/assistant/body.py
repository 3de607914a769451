"""The request's body, built part by part: the question is a value in it, never part of a template."""

from __future__ import annotations

import copy
from typing import Any

from goldassay.errors import ConfigError
from goldassay.sources.assistant.question import Question
from goldassay.sources.assistant.settings import AssistantConfig
from goldassay.sources.columns import ColumnPath

__all__ = ["build_body"]


def build_body(question: Question, config: AssistantConfig) -> dict[str, Any]:
    """The fixed parts of `assistant.body` with the fields of `assistant.request` put in their places.

    Raises:
        ConfigError: A place cannot hold a value, e.g. an item of a list that has none before it.
    """
    body: dict[str, Any] = copy.deepcopy(config.body)
    fields = question.fields()
    for place, name in config.request.items():
        if fields[name] is not None:
            _put(body, ColumnPath(place), fields[name])
    return body


def _put(body: Any, path: ColumnPath, value: Any) -> None:
    where = body
    for step, following in zip(path.steps, path.steps[1:], strict=False):
        where = _inner(where, step, following, path)
    _set(where, path.steps[-1], value, path)


def _inner(where: Any, step: Any, following: Any, path: ColumnPath) -> Any:
    empty: Any = [] if isinstance(following, int) else {}
    if isinstance(where, dict) and isinstance(step, str):
        return where.setdefault(step, empty)
    if isinstance(where, list) and isinstance(step, int) and step == len(where):
        where.append(empty)
    if isinstance(where, list) and isinstance(step, int) and -len(where) <= step < len(where):
        return where[step]
    raise ConfigError(f"assistant.request cannot put a value at {path.text!r}; check it against assistant.body")


def _set(where: Any, step: Any, value: Any, path: ColumnPath) -> None:
    if isinstance(where, dict) and isinstance(step, str):
        where[step] = value
    elif isinstance(where, list) and isinstance(step, int) and step == len(where):
        where.append(value)
    elif isinstance(where, list) and isinstance(step, int) and -len(where) <= step < len(where):
        where[step] = value
    else:
        raise ConfigError(f"assistant.request cannot put a value at {path.text!r}; check it against assistant.body")
