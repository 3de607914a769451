"""Asking a Python function, loaded from a file by its path: nothing is added to sys.path."""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from goldassay.errors import ConfigError
from goldassay.sources.assistant.question import AskTroubleError, Question
from goldassay.sources.assistant.settings import AssistantConfig
from goldassay.sources.values import clean
from goldassay.verdicts import Category

__all__ = ["FunctionAsker"]


class FunctionAsker:
    """An assistant that is a function `(question, ...) -> text or object`, plain or async.

    It gets the question, and of `app_version`, `model`, `lang`, ... those it has a parameter for.

    Raises:
        ConfigError: There is no such file or function, or the file cannot be loaded.
    """

    def __init__(self, config: AssistantConfig, base_dir: Path | None = None) -> None:
        self.config = config
        self.function = _load(str(config.function), base_dir or Path())
        self.names = _wanted_names(self.function)

    async def ask(self, question: Question) -> Any:
        """Call it; a plain function runs in a thread, so that others are asked meanwhile."""
        fields = {name: value for name, value in question.fields().items() if name in self.names}
        try:
            async with asyncio.timeout(self.config.timeout_s):
                if inspect.iscoroutinefunction(self.function):
                    return await self.function(question.question, **fields)
                return await asyncio.to_thread(self.function, question.question, **fields)
        except TimeoutError as fault:
            reason = f"no answer within {self.config.timeout_s:g} s"
            raise AskTroubleError(reason, category=Category.TIMED_OUT) from fault
        except Exception as fault:  # the function is not ours: whatever it raises is this question's error
            raise AskTroubleError(clean(f"{type(fault).__name__}: {fault}"[:500])) from fault

    async def close(self) -> None:
        """Nothing to free."""


def _load(place: str, base_dir: Path) -> Callable[..., Any]:
    file, colon, name = place.rpartition(":")
    path = base_dir / file
    if not colon or not path.is_file():
        raise ConfigError(
            f"assistant.function {place!r}: no such file; write it like 'my_app.py:ask', beside goldassay.toml"
        )
    spec = importlib.util.spec_from_file_location(f"goldassay_app_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ConfigError(f"assistant.function {place!r} is no Python file")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as fault:
        raise ConfigError(f"assistant.function {place!r} cannot be loaded: {type(fault).__name__}: {fault}") from fault
    function = getattr(module, name, None)
    if not callable(function):
        raise ConfigError(f"assistant.function {place!r}: the file has no function {name!r}")
    loaded: Callable[..., Any] = function
    return loaded


def _wanted_names(function: Callable[..., Any]) -> frozenset[str]:
    kinds = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = list(inspect.signature(function).parameters.values())
    return frozenset(part.name for part in parameters[1:] if part.kind in kinds)
