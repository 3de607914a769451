"""The request hash: two calls with the same hash would be paid for twice to hear the same thing.

It covers all that shapes a verdict and nothing else: not the record's id, not the run, and not the judge's
address: a server that moves, or a gateway before it, must not make anybody pay again for what the same model said.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import orjson

from goldassay.judging.prompt import JudgeCall
from goldassay.judging.rubric_model import Rubric

if TYPE_CHECKING:
    from hashlib import _Hash

__all__ = ["RequestHasher", "request_hash"]


class RequestHasher:
    """Hashes the calls of one stage; what all calls about the same criteria share is hashed once."""

    def __init__(self, rubric: Rubric, provider: str, model: str, params: Mapping[str, Any] | None = None) -> None:
        """Take what the calls share.

        Args:
            rubric: Its name, version and pass marks count, and how the reply is read.
            provider: Kind of provider, e.g. 'openai'.
            model: The judge model as asked for.
            params: Temperature, token limit, seed, number of the repeat, ...; the order of keys does not matter.
        """
        self._rubric = rubric
        self._shared = {
            "rubric": [rubric.name, rubric.version, rubric.reply, rubric.calls],
            "provider": provider,
            "model": model,
            "params": params or {},
        }
        self._begun: dict[tuple[str, ...], tuple[JudgeCall, _Hash]] = {}
        """By criteria: a call, and the hash over all that its kind shares."""

    def __call__(self, call: JudgeCall) -> str:
        """SHA-256, in hex, over prompt, schema, rubric and marks, provider, model and parameters."""
        like, begun = self._begun.get(call.criteria, (None, None))
        if begun is None or like is None or not _is_alike(like, call):
            begun = self._begin(call)
            self._begun[call.criteria] = (call, begun)
        digest = begun.copy()
        digest.update(_quoted(call.user))
        digest.update(b"}")
        return digest.hexdigest()

    def _begin(self, call: JudgeCall) -> _Hash:
        """The hash up to the user message, which comes last among the sorted keys."""
        shaped_by = {
            **self._shared,
            "system": call.system,
            "schema": call.response_schema,
            "criteria": call.criteria,
            "marks": {name: float(self._rubric.pass_marks[name]) for name in call.criteria},
        }
        text = json.dumps(shaped_by, sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=str)
        return hashlib.sha256(text[:-1].encode("ascii") + b',"user":')


def request_hash(
    call: JudgeCall, rubric: Rubric, provider: str, model: str, params: Mapping[str, Any] | None = None
) -> str:
    """The hash of one call; `RequestHasher` does many."""
    return RequestHasher(rubric, provider, model, params)(call)


def _is_alike(one: JudgeCall, other: JudgeCall) -> bool:
    return one.response_schema is other.response_schema and one.system == other.system


def _quoted(text: str) -> bytes:
    """The text as an ASCII JSON string; the short way gives the same bytes where nothing needs an escape of its own."""
    if text.isascii() and "\x7f" not in text:
        return orjson.dumps(text)
    return json.dumps(text, ensure_ascii=True).encode("ascii")
