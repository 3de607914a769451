"""A rate corrected for the judge's mistakes, from labels in the store."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from goldassay.analytics.statistics import rogan_gladen
from goldassay.analytics.summary import run_summary
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
    expected = rogan_gladen(70 / 101 * 101, 100, sensitivity=(18, 19), specificity=(9, 11))
    assert check.labels == 30
    assert expected.rate is not None
    assert check.corrected == pytest.approx(expected.rate)
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
