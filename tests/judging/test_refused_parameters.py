"""Refusals of parameters in the words of many servers: what is given up, and what the request looks like then."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from goldassay.judging.adapt import change_for
from goldassay.judging.providers import PROVIDERS
from goldassay.judging.providers.base import JudgeRequest, Tuning
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.trouble import from_response

CONFIG = JudgeConfig(seed=7)
ALL = Tuning()
REQUEST = JudgeRequest("Be strict.", "The record.", "The question.", {"type": "object", "properties": {}}, 64)


SENT = {
    "all": ALL,
    "json_object": replace(ALL, format="json_object"),
    "max_completion_tokens": replace(ALL, max_tokens_name="max_completion_tokens"),
}
_REFUSALS = Path(__file__).parents[1] / "data" / "refused_parameters.jsonl"


def _rows() -> list[Any]:
    rows = [json.loads(line) for line in _REFUSALS.read_text(encoding="ascii").splitlines()]
    return [pytest.param(row, id=row["id"]) for row in rows]


@pytest.mark.parametrize("row", _rows())
def test_what_a_model_refuses_is_given_up_and_nothing_else(row: dict[str, Any]) -> None:
    """One parameter a refusal; an error about something else gives up nothing."""
    sent = SENT[row["sent"]]
    trouble = from_response(row["status"], httpx.Headers(), row["body"], json.dumps(row["body"]), now=0.0)

    assert trouble is not None
    change = change_for(trouble, sent, sent, CONFIG)

    now = change.tuning if change else sent
    changed = {name for name in Tuning.__dataclass_fields__ if getattr(now, name) != getattr(sent, name)}
    assert row["gives_up"] in changed if row["gives_up"] else change is None
    assert change is None or change.noted


@pytest.mark.parametrize("name", ["openai", "ollama", "gemini"])
def test_without_a_system_role_its_text_comes_first(name: str) -> None:
    """Nothing that was asked is lost, and no system role is sent."""
    body = PROVIDERS[name].body(REQUEST, CONFIG, replace(ALL, system=False))

    text = json.dumps(body)
    assert text.index("Be strict.") < text.index("The record.") < text.index("The question.")
    assert "system" not in text.lower()
