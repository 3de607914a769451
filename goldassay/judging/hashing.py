"""The request hash: two calls with the same hash would be paid for twice to hear the same thing.

It covers all that shapes a verdict and nothing else: not the record's id, not the run.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from goldassay.judging.prompt import JudgeCall
from goldassay.judging.rubric_model import Rubric

__all__ = ["request_hash"]


def request_hash(
    call: JudgeCall, rubric: Rubric, provider: str, model: str, params: Mapping[str, Any] | None = None
) -> str:
    """SHA-256, in hex, over prompt, schema, rubric and marks, provider, model and parameters.

    Args:
        call: What is sent.
        rubric: Its name, version and pass marks count, and how the reply is read.
        provider: Kind of provider, e.g. 'openai'.
        model: The judge model as asked for.
        params: Temperature, token limit, seed, number of the repeat, ...; the order of keys does not matter.
    """
    shaped_by = {
        "system": call.system,
        "user": call.user,
        "schema": call.response_schema,
        "criteria": call.criteria,
        "rubric": [rubric.name, rubric.version, rubric.reply, rubric.calls],
        "marks": {name: float(rubric.pass_marks[name]) for name in call.criteria},
        "provider": provider,
        "model": model,
        "params": params or {},
    }
    text = json.dumps(shaped_by, sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
