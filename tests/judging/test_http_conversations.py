"""Whole conversations with a server, through the engine: each run ends as a careful practitioner would want.

In the format of the reported cases, and played by their adapter.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.judging.test_cases_http_retry import CHECKS, Played

_FILE = Path(__file__).parents[1] / "data" / "http_conversations.jsonl"


def _rows() -> list[Any]:
    rows = [json.loads(line) for line in _FILE.read_text(encoding="ascii").splitlines()]
    return [pytest.param(row, id=row["case"]) for row in rows]


@pytest.mark.parametrize("case", _rows())
def test_a_conversation_ends_well(case: dict[str, Any], tmp_path: Path) -> None:
    """Requests, waits, outcome, and whether the run goes on."""
    played = Played(case, tmp_path)

    for name, wanted in case["expected"].items():
        CHECKS[name](played, wanted)
