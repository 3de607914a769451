"""Where answers come from: JSON Lines, CSV, Parquet, SQL and the assistant itself; and the golden set.

Names load on first use, so that `goldassay check` pays for no format it does not read.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goldassay.sources.batch import AnswerBatch, EmptyInputError, Rejected, Window
    from goldassay.sources.golden import GoldenSet, read_golden
    from goldassay.sources.reader import SOURCES, read_answers
    from goldassay.sources.settings import AnswersConfig

__all__ = [
    "SOURCES",
    "AnswerBatch",
    "AnswersConfig",
    "EmptyInputError",
    "GoldenSet",
    "Rejected",
    "Window",
    "read_answers",
    "read_golden",
]

_HOME = {
    "AnswerBatch": "batch",
    "AnswersConfig": "settings",
    "EmptyInputError": "batch",
    "GoldenSet": "golden",
    "Rejected": "batch",
    "SOURCES": "reader",
    "Window": "batch",
    "read_answers": "reader",
    "read_golden": "golden",
}


def __getattr__(name: str) -> Any:
    """Load a public name from its module."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
