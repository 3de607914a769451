"""Asking the assistant itself: over HTTP, by a Python function or by a command.

Names load on first use: httpx is needed only where the assistant is asked over HTTP.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goldassay.sources.assistant.ask import Asked, ask_golden, ask_one
    from goldassay.sources.assistant.question import AskedVersion, AskError
    from goldassay.sources.assistant.settings import AssistantConfig

__all__ = ["AskError", "Asked", "AskedVersion", "AssistantConfig", "ask_golden", "ask_one"]

_HOME = {
    "AskError": "question",
    "Asked": "ask",
    "AskedVersion": "question",
    "AssistantConfig": "settings",
    "ask_golden": "ask",
    "ask_one": "ask",
}


def __getattr__(name: str) -> Any:
    """Load a public name from its module."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
