"""The store of answers and verdicts; its names load pyarrow when first used."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goldassay.store.labels import Label
    from goldassay.store.manifest import FileEntry, JudgeInfo, RunCounts, RunManifest
    from goldassay.store.schema import StoredAnswer
    from goldassay.store.staging import ANSWERS, Staging
    from goldassay.store.store import Store, open_store
    from goldassay.store.verify import Problem

__all__ = [
    "ANSWERS",
    "FileEntry",
    "JudgeInfo",
    "Label",
    "Problem",
    "RunCounts",
    "RunManifest",
    "Staging",
    "Store",
    "StoredAnswer",
    "open_store",
]

_HOME = {
    "ANSWERS": "staging",
    "FileEntry": "manifest",
    "JudgeInfo": "manifest",
    "Label": "labels",
    "Problem": "verify",
    "RunCounts": "manifest",
    "RunManifest": "manifest",
    "Staging": "staging",
    "Store": "store",
    "StoredAnswer": "schema",
    "open_store": "store",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"goldassay.store.{_HOME[name]}"), name)
    message = f"module 'goldassay.store' has no attribute {name!r}"
    raise AttributeError(message)
