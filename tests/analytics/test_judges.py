"""A rate corrected for the judge's mistakes, from labels in the store."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from goldassay.analytics.statistics_calibration import JudgedClass, corrected_by, judge_errors
from goldassay.analytics.summary import run_summary
from goldassay.reporting.headline import trust_text
from goldassay.store.labels import Label


def label(record: str, outcome: str, *, check: str = "faithful", at: int = 1, labeller: str = "ab") -> Label:
    """One person's word on one answer of run n1."""
    when = datetime(2026, 5, at, tzinfo=UTC)
    return Label(
        labelled_at=when,
        labeller=labeller,
        run_id="n1",
        app="atlas",
        record_id=record,
        check=check,
        outcome=outcome,  # type: ignore[arg-type]  # tests give any text
    )


def test_labels_calibrate_the_judge_and_correct_its_rate(store, verdict, publish_run) -> None:
    """People's newest word counts; what they passed over, and the judge's errors, do not."""
    rows = [verdict("n1", f"p{i}", "faithful", "pass") for i in range(70)]
    rows += [verdict("n1", f"f{i}", "faithful", "fail") for i in range(30)]
    rows += [verdict("n1", "e", "faithful", "error")]
    publish_run(store, "n1", rows)
    labels = [label(f"p{i}", "pass") for i in range(18)] + [label(f"p{i}", "fail") for i in range(18, 20)]
    labels += [label(f"f{i}", "fail") for i in range(9)] + [
        label("f9", "pass"),
        label("f10", "skip"),
        label("e", "fail"),
    ]
    labels += [label("p0", "fail", at=2), label("p0", "pass", at=3)]
    store.add_labels(labels)

    summary = run_summary(store, "n1")

    (check,) = summary.checks
    # By hand: people pass 18/20 of the 70 and 1/10 of the 30, that is 63 + 3 of the 100 readable ones.
    expected = corrected_by(70, 100, judge_errors(JudgedClass(70, 70, 18 / 20, 20), JudgedClass(30, 30, 1 / 10, 10)))
    assert check.labels == 30
    assert check.corrected == pytest.approx(0.66)
    assert expected.rate == pytest.approx(0.66)
    assert check.corrected_interval == pytest.approx(expected.interval)
    assert summary.judges[0].calibrated
    assert "not_calibrated" not in {notice.code for notice in summary.notices}


def test_labels_of_another_judge_or_too_few_calibrate_nothing(store, verdict, publish_run) -> None:
    """A changed judge has to be checked anew."""
    publish_run(store, "n1", [verdict("n1", f"p{i}", "faithful", "pass") for i in range(25)])
    publish_run(store, "n2", [verdict("n2", f"p{i}", "faithful", "pass", judge_model="judge-small") for i in range(25)])
    store.add_labels([label(f"p{i}", "pass") for i in range(25)])

    assert run_summary(store, "n1").judges[0].calibrated
    later = run_summary(store, "n2")
    assert not later.judges[0].calibrated
    assert (later.checks[0].labels, later.checks[0].corrected) == (0, None)


def test_few_labels_are_counted_and_the_missing_ones_named(store, verdict, publish_run) -> None:
    """Twelve labels do not calibrate, and nobody is told that nobody has looked."""
    rows = [verdict("n1", f"p{i}", "faithful", "pass") for i in range(20)]
    publish_run(store, "n1", [*rows, *(verdict("n1", f"f{i}", "faithful", "fail") for i in range(20))])
    store.add_labels([label(f"p{i}", "pass") for i in range(10)] + [label(f"f{i}", "fail") for i in range(2)])

    summary = run_summary(store, "n1")

    assert summary.judges[0].trust[0][:3] == ("faithful", 12, 8)
    assert (summary.checks[0].labels, summary.checks[0].corrected) == (12, None)
    (notice,) = (notice for notice in summary.notices if notice.code == "not_calibrated")
    assert "people have checked few verdicts of judge-large with rubric rag 1" in notice.text
    assert notice.text.endswith("Labels still needed: faithful 8 (goldassay review)")


def test_labels_of_one_criterion_say_nothing_of_another(store, verdict, publish_run) -> None:
    """Thirty labels on `faithful` leave `relevant` unchecked, and the report says on which."""
    rows = [verdict("n1", f"p{i}", check, "pass") for i in range(25) for check in ("faithful", "relevant")]
    publish_run(store, "n1", rows)
    store.add_labels([label(f"p{i}", "pass") for i in range(25)])

    summary = run_summary(store, "n1")

    assert not summary.judges[0].calibrated
    assert trust_text(summary.judges[0]) == "calibrated on faithful only"
    (notice,) = (notice for notice in summary.notices if notice.code == "not_calibrated")
    assert "nobody has checked judge-large with rubric rag 1 on relevant" in notice.text


def test_a_judge_no_better_than_a_coin_is_an_alarm_and_never_calibrated(store, verdict, publish_run) -> None:
    """People pass all that it passes and all that it fails: enough labels, and a kappa of nought."""
    rows = [verdict("n1", f"p{i}", "faithful", "pass") for i in range(15)]
    publish_run(store, "n1", [*rows, *(verdict("n1", f"f{i}", "faithful", "fail") for i in range(15))])
    store.add_labels([label(f"{kind}{i}", "pass") for kind in "pf" for i in range(15)])

    summary = run_summary(store, "n1")

    assert not summary.judges[0].calibrated
    assert trust_text(summary.judges[0]) == "no better than a coin on faithful; not calibrated"
    alarm = next(notice for notice in summary.notices if notice.code == "judge_is_a_coin")
    assert alarm.level == "alarm"
    assert "30 labelled answers tell (kappa 0.00)" in alarm.text


def test_labels_of_another_rubric_with_the_same_version_do_not_count(store, verdict, publish_run) -> None:
    """Each rubric has its version 1."""
    publish_run(store, "n1", [verdict("n1", f"p{i}", "faithful", "pass") for i in range(25)])
    publish_run(store, "n2", [verdict("n2", f"p{i}", "faithful", "pass", rubric="claims") for i in range(25)])
    store.add_labels([label(f"p{i}", "pass") for i in range(25)])

    assert run_summary(store, "n1").judges[0].calibrated
    assert not run_summary(store, "n2").judges[0].calibrated


def test_two_judges_in_one_run_get_no_common_correction(store, verdict, publish_run) -> None:
    """Each has its own mistakes."""
    publish_run(
        store,
        "n1",
        [verdict("n1", "p0", "faithful", "pass"), verdict("n1", "p1", "faithful", "pass", judge_model="judge-small")],
    )
    store.add_labels([label("p0", "pass"), label("p1", "fail")])

    (check,) = run_summary(store, "n1").checks

    assert (check.labels, check.corrected) == (0, None)


def test_a_check_without_a_readable_verdict_has_no_corrected_rate(store, verdict, publish_run) -> None:
    """Errors alone correct to nothing."""
    publish_run(store, "n1", [verdict("n1", "p0", "faithful", "pass")])
    publish_run(store, "n2", [verdict("n2", "p0", "faithful", "error")])
    store.add_labels([label("p0", "pass")])

    (check,) = run_summary(store, "n2").checks

    assert (check.labels, check.corrected, check.corrected_interval) == (1, None, None)
