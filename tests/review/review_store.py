"""One judged night, written through the store's own front door."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from goldassay.records import AnswerRecord, Source
from goldassay.store import RunManifest, Store
from goldassay.store.manifest import RunCounts
from goldassay.verdicts import Category, Outcome, RunStamp, Verdict

RUN = "n1"
RUN_AT = datetime(2026, 11, 29, 2, tzinfo=UTC)
BY_LAW = 11
"""Passed without a judge: a refusal claims nothing."""
SECRET = "the judge's own secret words"
_FLAGS = {8: ("refusal", "same_family"), 9: ("possible_injection", "canary")}
_JUDGE: dict[str, Any] = {
    "judge_provider": "openai",
    "judge_model": "judge-large",
    "rubric": "rag",
    "rubric_version": "1",
}


def record_of(number: int) -> AnswerRecord:
    """An answer that cites the second of two sources."""
    return AnswerRecord(
        record_id=f"r{number:03d}",
        question=f"How long is pass {number}?",
        answer=f"Pass {number} lasts 30 days [D2]. <script>alert(1)</script>",
        sources=(Source(id="D1", text="A day pass."), Source(id="D2", title="Passes", text="Passes last 30 days.")),
        app="atlas",
        app_version="1",
    )


def outcome_of(number: int) -> Outcome:
    """Of forty, 31 pass, 8 fail and one breaks."""
    if number == 7:
        return Outcome.ERROR
    return Outcome.FAIL if number % 5 == 0 else Outcome.PASS


def verdicts_of(number: int, stamp: RunStamp) -> list[Verdict]:
    """The judge's verdict, and one of a rule that complains."""
    outcome = outcome_of(number)
    about: dict[str, Any] = {"run_id": stamp.run_id, "run_kind": stamp.run_kind, "run_at": stamp.run_at}
    shared: dict[str, Any] = {**about, "record_id": f"r{number:03d}", "app": "atlas", "app_version": "1"}
    category = {Outcome.FAIL: Category.ADDED_CLAIM, Outcome.ERROR: Category.UNREADABLE_REPLY}.get(outcome)
    judge = Verdict(
        **shared, check="faithful", check_kind="judge", outcome=outcome, category=category, reason=SECRET,
        score=5.0 if outcome is Outcome.PASS else 1.0, scale_max=5.0, pass_mark=4.0, weight=2.0,
        flags=_FLAGS.get(number, ()), **(_JUDGE if number != BY_LAW else {"rubric": "rag"}),
    )  # fmt: skip
    rule = Verdict(
        **shared, check="numbers", check_kind="rule", outcome=Outcome.FAIL, category=Category.WRONG_NUMBER,
        reason="a complaint of a rule",
    )  # fmt: skip
    return [judge, rule]


def write_night(store: Store, numbers: range) -> Store:
    """Publish one run of these records."""
    stamp = RunStamp(RUN, "nightly", RUN_AT)
    staging = store.staging(RUN)
    staging.write_answers(0, [record_of(number) for number in numbers], None, stamp=stamp)
    staging.write_verdicts("judge", 0, [row for number in numbers for row in verdicts_of(number, stamp)])
    counts = RunCounts(records=len(numbers), checked=len(numbers))
    store.publish(RUN, RunManifest(run_id=RUN, run_kind="nightly", run_at=RUN_AT, app="atlas", counts=counts))
    return store
