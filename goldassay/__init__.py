"""goldassay: evaluates a RAG assistant's logged answers, and says how far to trust the numbers.

The names below are the public Python face; each is loaded when first used, so
that `import goldassay` and `goldassay --help` stay fast.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goldassay.judging import load_rubric, parse_reply
    from goldassay.records import AnswerRecord, GoldenQuestion, Source
    from goldassay.rules import check_answer
    from goldassay.sources import read_answers
    from goldassay.store import open_store
    from goldassay.verdicts import Outcome, Verdict

__all__ = [
    "AnswerRecord",
    "GoldenQuestion",
    "Outcome",
    "Source",
    "Verdict",
    "__version__",
    "check_answer",
    "load_rubric",
    "open_store",
    "parse_reply",
    "read_answers",
]

__version__ = "0.1.0"

_HOME = {
    "AnswerRecord": "goldassay.records",
    "GoldenQuestion": "goldassay.records",
    "Outcome": "goldassay.verdicts",
    "Source": "goldassay.records",
    "Verdict": "goldassay.verdicts",
    "check_answer": "goldassay.rules",
    "load_rubric": "goldassay.judging",
    "open_store": "goldassay.store",
    "parse_reply": "goldassay.judging",
    "read_answers": "goldassay.sources",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    message = f"module 'goldassay' has no attribute {name!r}"
    raise AttributeError(message)
