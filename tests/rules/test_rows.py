"""The rows of the rules are made by a short cut: they are what `Verdict(...)` gives, in every respect."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, fields, replace
from datetime import UTC, datetime

import pytest

from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.rules.rows import rule_rows
from goldassay.verdicts import Category, Evidence, Finding, Outcome, RunStamp, Verdict, record_columns

_RECORD = AnswerRecord(
    record_id="r1", question_id="q1", question="?", answer="The fee is 40.", asked_at=datetime(2026, 1, 2, tzinfo=UTC),
    app="shop", app_version="7", model="m", prompt_version="3", index_version="9",
)  # fmt: skip
_GOLDEN = GoldenQuestion(question_id="q1", question="?", answerable=False, stratum="fees")
_STAMP = RunStamp("run-1", "nightly", datetime(2026, 1, 3, tzinfo=UTC))
_FINDING = Finding(Outcome.FAIL, Category.WRONG_NUMBER, "40", (Evidence("number", "40", 11, 13),), 0.25)


def _row(golden: GoldenQuestion | None = _GOLDEN, stamp: RunStamp | None = _STAMP) -> Verdict:
    return rule_rows(_RECORD, golden, stamp, [("numbers", _FINDING)], {"numbers": ("2", "warn")})[0]


@pytest.mark.parametrize("golden", [None, _GOLDEN])
@pytest.mark.parametrize("stamp", [None, _STAMP])
def test_a_row_equals_the_verdict_made_field_by_field(golden: GoldenQuestion | None, stamp: RunStamp | None) -> None:
    """Columns of the record, of the run, of the rule and all defaults."""
    shared = record_columns(_RECORD, golden) | (stamp._asdict() if stamp else {})
    named = _FINDING._asdict()

    wanted = Verdict(**shared, **named, check="numbers", check_kind="rule", check_version="2", severity="warn")

    row = _row(golden, stamp)
    assert type(row) is Verdict
    assert [getattr(row, f.name) for f in fields(row)] == [getattr(wanted, f.name) for f in fields(wanted)]
    assert row == wanted


def test_a_row_is_frozen_can_be_sent_and_replaced() -> None:
    """It behaves as any verdict does, and no two rows share their details."""
    row = _row()

    with pytest.raises(FrozenInstanceError):
        row.reason = "other"  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(row)) == row
    assert replace(row, reason="other").reason == "other"
    assert row.extra is not _row().extra
