"""Texts that talk to their judge, and texts of ordinary life beside them: tags, templates, many languages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from goldassay.judging.safety_flags import talk_to_judge

_TEXTS = Path(__file__).parents[1] / "data" / "talk_to_judge.jsonl"


def _rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in _TEXTS.read_text(encoding="ascii").splitlines()]


@pytest.mark.parametrize("row", _rows(), ids=lambda row: row["text"][:40])
def test_the_flag_is_raised_for_talk_to_the_judge_alone(row: dict[str, Any]) -> None:
    """Alone and within other text, whatever it is written in."""
    surrounded = f"The library opens at nine.\n{row['text']}\nIt is closed on Sundays."

    assert bool(talk_to_judge(row["text"])) is row["talks_to_judge"]
    assert bool(talk_to_judge(surrounded)) is row["talks_to_judge"]
