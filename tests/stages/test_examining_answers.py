"""What doctor says of the log: is it read as its owner meant?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from config.settings import Settings
from goldassay.stages.examining import examine
from goldassay.store import open_store


def _found(
    tmp_path: Path, rows: list[dict[str, Any]], *, golden: int = 0, **answers: Any
) -> list[tuple[str, str, str]]:
    (tmp_path / "log.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    (tmp_path / "golden.yaml").write_text("\n".join(f"- Question {number}?" for number in range(golden)) or "[]")
    settings = Settings.model_validate(
        {
            "answers": {"path": "log.jsonl", **answers},
            "golden": {"path": "golden.yaml"} if golden else {},
        }
    )
    found = examine(settings, tmp_path, open_store(tmp_path / "store"), environ={}, offline=True)
    return [(finding.level, finding.about, finding.text) for finding in found]


def _texts(found: list[tuple[str, str, str]], about: str) -> str:
    return "\n".join(text for level, name, text in found if name == about and level == "warning")


def _cited(mark: str, **more: Any) -> dict[str, Any]:
    return {"question": "q", "answer": f"30 days {mark}.", "asked_at": "2026-11-28", "sources": ["30 days"], **more}


def test_a_log_whose_columns_have_other_names_gets_one_mapping_to_begin_with(tmp_path):
    """It was read, but as answers to nothing, from nothing."""
    rows = [{"id": "a", "input": "q", "answer": "a", "context": [{"page_content": "p"}], "createdAt": "2026-11-28"}]

    texts = _texts(_found(tmp_path, rows), "answers")

    assert texts.count('answers.mapping = "langchain"') == 1


def test_no_mapping_is_suggested_that_fills_nothing(tmp_path):
    """The log has no sources under any name, or the shape is set already."""
    plain = [{"user_text": "q", "bot_text": "a", "when": "2026-11-28"}]
    mapping = {"question": "user_text", "answer": "bot_text", "asked_at": "when"}
    shaped = [{"id": "a", "input": "q", "answer": "a"}]

    assert "mapping = {" not in _texts(_found(tmp_path, plain, mapping=mapping), "answers")
    assert 'mapping = "' not in _texts(_found(tmp_path, shaped, mapping="langchain"), "answers")


def test_marks_that_name_no_source_anywhere_are_told_before_they_fail_every_answer(tmp_path):
    """The ids stand in the log under another name."""
    texts = _texts(_found(tmp_path, [_cited("[HR-01]"), _cited("[HR-02]"), _cited("[1]")]), "answers")

    assert "2 of 3 answers hold marks like '[HR-01]'" in texts
    assert "answers.mapping.source_ids" in texts


def test_marks_of_sources_and_slips_of_an_assistant_are_no_fault_of_the_mapping(tmp_path):
    """One id that resolves shows that the ids are mapped; one mark in ten answers is the answer's own fault."""
    known = [_cited("[HR-01]", sources=[{"id": "HR-01", "text": "30 days"}]), _cited("[HR-02]")]
    slip = [_cited("[HR-09]"), *[_cited("[1]")] * 9]

    assert "marks" not in _texts(_found(tmp_path, known), "answers")
    assert "marks" not in _texts(_found(tmp_path, slip, on_duplicate="suffix"), "answers")


def test_a_golden_set_that_no_gate_can_judge_by_is_told_at_once(tmp_path):
    """Else it is told after the first model change."""
    assert "will not open" in _texts(_found(tmp_path, [_cited("[1]")], golden=5), "golden set")
    assert "will not open" not in _texts(_found(tmp_path, [_cited("[1]")], golden=6), "golden set")
