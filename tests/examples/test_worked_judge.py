"""The worked examples with a judge: real HTTP, scripted replies, figures to the digit."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.plain_night import plain_night
from goldassay import Outcome, open_store, parse_reply
from goldassay.judging.engine import judge_items, verdicts_from_journal
from goldassay.judging.prompt import JudgeItem
from goldassay.judging.rubric import load_rubric
from goldassay.judging.scripted import ScriptedJudge
from goldassay.judging.settings import JudgeConfig
from goldassay.records import AnswerRecord, Source
from goldassay.verdicts import RunStamp

REPLIES = [
    '{"faithful": 5, "relevant": 5, "reason": "Both facts match the source."}',
    '{"faithful": 1, "relevant": 5, "reason": "The source says 2 hours, not 4."}',
    "Looks fine to me.",
]
STAMP = RunStamp("worked", "nightly", datetime(2026, 11, 28, tzinfo=UTC))


async def test_three_scripted_replies_pass_one_of_three_with_one_judge_error(tmp_path):
    """An error counts in the denominator and never as a pass: 1 of 3, not 2 of 3."""
    rubric = load_rubric("rag").model_copy(update={"calls": "together"})
    records = [
        AnswerRecord(
            record_id=str(n), question=f"Question {n}?", answer=f"Answer {n}.", sources=(Source(id="1", text="T"),)
        )
        for n in range(3)
    ]
    with ScriptedJudge(REPLIES) as judge:
        config = JudgeConfig(base_url=judge.base_url, model="scripted-judge", max_in_flight=1, reask=0)
        await judge_items(
            [JudgeItem(record) for record in records],
            rubric=rubric, config=config, journal=tmp_path / "j.jsonl", environ={}, stamp=STAMP,
        )  # fmt: skip

    faithful = [row for row in verdicts_from_journal(tmp_path / "j.jsonl") if row.check == "faithful"]

    assert [row.outcome for row in faithful] == [Outcome.PASS, Outcome.FAIL, Outcome.ERROR]
    assert faithful[1].reason == "The source says 2 hours, not 4."
    assert faithful[2].reply == "Looks fine to me."
    assert sum(row.outcome is Outcome.PASS for row in faithful) / len(faithful) == 1 / 3


@pytest.mark.parametrize(("mark", "outcome"), [(4, Outcome.PASS), (5, Outcome.FAIL)])
def test_close_enough_passes_at_mark_four_and_fails_at_mark_five(mark, outcome):
    """The pass mark decides, not the reader."""
    rubric = load_rubric("rag", pass_marks=mark)

    parsed = parse_reply('{"faithful": 4, "relevant": 5, "reason": "close enough"}', rubric)

    assert parsed.outcomes["faithful"] is outcome
    assert parsed.outcomes["relevant"] is Outcome.PASS
    assert parsed.reasons["faithful"] == "close enough"


def test_a_short_reply_beyond_the_scale_is_an_error_and_not_clamped():
    """9 on a scale of 1 to 5 is no 5."""
    parsed = parse_reply('{"faithful": 9, "relevant": 5, "reason": "x"}', load_rubric("rag"))

    assert parsed.outcome is Outcome.ERROR
    assert parsed.error_kind == "out_of_scale"


def _graded(project_root: Path, folder: Path, answers: str, replies: str) -> dict[str, str]:
    """Outcome of `faithful` by record, graded by the scripted judge."""
    example = project_root / "examples" / "graded_against_what_the_model_saw"
    script = json.loads((example / replies).read_text(encoding="utf-8"))
    shutil.copy(example / "golden.yaml", folder / "golden.yaml")
    shutil.copy(example / answers, folder / "answers.jsonl")
    with ScriptedJudge(script) as judge:
        (folder / "goldassay.toml").write_text(
            f'app = "bikes"\n[answers]\npath = "answers.jsonl"\n[golden]\npath = "golden.yaml"\n'
            f'[judge]\nbase_url = "{judge.base_url}"\nmodel = "scripted-judge"\n[sampling]\nnightly = "full"\n',
            encoding="utf-8",
        )
        run = plain_night(folder)
    rows = open_store(folder / "store").verdicts_of(run.run_id)
    return {row.record_id: row.outcome.value for row in rows if row.check == "faithful"}


def test_graded_against_what_the_model_saw(project_root, tmp_path):
    """Twenty answers: against the one article 4 are unsupported; against the sources really sent 1 is."""
    (tmp_path / "reference").mkdir()
    (tmp_path / "sent").mkdir()

    reference = _graded(
        project_root, tmp_path / "reference", "answers_against_reference.jsonl", "replies_reference.json"
    )
    sent = _graded(project_root, tmp_path / "sent", "answers.jsonl", "replies_sent.json")

    assert len(reference) == len(sent) == 20
    assert sum(outcome == "fail" for outcome in reference.values()) == 4
    assert sum(outcome == "fail" for outcome in sent.values()) == 1
