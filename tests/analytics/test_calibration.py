"""Judges against people, from labels in a store, recomputed by hand."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from goldassay.analytics.calibration import calibration
from goldassay.analytics.calibration_models import Confusion, JudgeKey
from goldassay.analytics.statistics_rates import wilson_interval
from goldassay.store.labels import Label

FAITHFUL = JudgeKey("faithful", "judge-large", "rag", "1")


def label(record: str, outcome: str, *, at: int = 1, **more: Any) -> Label:
    """One person's word on one answer of run n1."""
    about: dict[str, Any] = {"labeller": "ab", "run_id": "n1", "app": "atlas", "check": "faithful", "outcome": outcome}
    about["labelled_at"] = datetime(2026, 5, at, tzinfo=UTC)
    return Label(record_id=record, **(about | more))


@pytest.fixture
def night(store, verdict, publish_run):
    """Ninety passed, ten failed, four broken, one skipped, and a rule."""
    rows = [verdict("n1", f"p{i}", "faithful", "pass") for i in range(90)]
    rows += [verdict("n1", f"f{i}", "faithful", "fail") for i in range(10)]
    rows += [verdict("n1", f"e{i}", "faithful", "error") for i in range(4)] + [verdict("n1", "s", "faithful", "skip")]
    rows += [verdict("n1", f"p{i}", "numbers", "pass" if i else "fail") for i in range(30)]
    publish_run(store, "n1", rows)
    return store


def people_label(store, *, passed: int, of_passed: int, kept: int, of_failed: int) -> None:
    """People pass `passed` of `of_passed` that the judge passed, and `kept` of `of_failed` that it failed."""
    store.add_labels([label(f"p{i}", "pass" if i < passed else "fail") for i in range(of_passed)])
    store.add_labels([label(f"f{i}", "pass" if i < kept else "fail") for i in range(of_failed)])


def test_one_judge_against_one_person(night):
    """12 and 3 of the 90 and 10: people pass 12/15 of 90 and 1/10 of 10, so 72 + 1 of 100."""
    people_label(night, passed=12, of_passed=15, kept=1, of_failed=10)
    night.add_labels([label("e0", "fail"), label("e1", "pass"), label("p80", "skip"), label("s", "pass")])

    (judge,) = calibration(night, app="atlas").judges

    assert judge.key == FAITHFUL
    assert judge.verdicts == (90, 10, 4, 0, 0)
    assert (judge.labels, judge.errors_labelled, judge.people, judge.needed) == (25, 2, ("ab",), 0)
    assert judge.confusion == Confusion(both_pass=12, judge_only=3, people_only=1, both_fail=9)
    assert judge.errors.sensitivity.value == pytest.approx(72 / 73)
    assert judge.errors.specificity.value == pytest.approx(9 / 27)
    assert judge.errors.agreement.value == pytest.approx(0.81)
    assert judge.raw.value == pytest.approx(0.9)
    assert judge.raw.interval == pytest.approx(wilson_interval(90, 100))
    assert judge.corrected.rate == pytest.approx(0.73)
    assert judge.corrected.interval == judge.errors.people.interval


def test_verdicts_stand_for_the_answers_they_were_sampled_from(store, verdict, publish_run):
    """Ten of weight 9 and ten of weight 1 pass; people fail the heavy ones: 10 of 100, not half."""
    rows = [verdict("n1", f"a{i}", "faithful", "pass", weight=9.0) for i in range(10)]
    rows += [verdict("n1", f"b{i}", "faithful", "pass", weight=1.0) for i in range(10)]
    publish_run(store, "n1", rows)
    store.add_labels([label(f"a{i}", "pass") for i in range(10)] + [label(f"b{i}", "fail") for i in range(10)])

    (judge,) = calibration(store, app="atlas").judges

    assert judge.errors.people.value == pytest.approx(0.9)
    assert judge.errors.agreement.value == pytest.approx(0.9)


def test_flagged_answers_labelled_first_do_not_tilt_the_figures(store, verdict, publish_run):
    """All ten flagged passes are labelled and wrong, ten of the other ninety are labelled and right: 90 %, not 50 %."""
    rows = [verdict("n1", f"x{i}", "faithful", "pass", flags=("possible_injection",)) for i in range(10)]
    rows += [verdict("n1", f"p{i}", "faithful", "pass") for i in range(90)]
    publish_run(store, "n1", rows)
    flagged = [label(f"x{i}", "fail") for i in range(10)]
    store.add_labels(flagged)

    only_flagged = calibration(store, app="atlas").judges[0]
    store.add_labels([label(f"p{i}", "pass") for i in range(10)])
    both = calibration(store, app="atlas").judges[0]

    assert only_flagged.errors.people.value == pytest.approx(0.0)
    assert both.errors.people.value == pytest.approx(0.9)


def test_too_few_labels_say_how_many_more(night):
    """Twenty in all, and five of each outcome: eighteen passes and two failures lack three failures."""
    people_label(night, passed=18, of_passed=18, kept=0, of_failed=2)
    assert calibration(night, app="atlas").judges[0].needed == 3

    night.add_labels([label(f"f{i}", "fail") for i in range(2, 5)])
    assert calibration(night, app="atlas").judges[0].needed == 0


def test_labels_given_after_the_verdict_was_seen_are_left_out(night):
    """Newest word: p0 was turned round after the look; p1 was taken back."""
    people_label(night, passed=3, of_passed=3, kept=0, of_failed=1)
    night.add_labels([label("p0", "fail", at=2, blind=False), label("p1", "skip", at=2, blind=False)])

    (judge,) = calibration(night, app="atlas").judges

    assert (judge.labels, judge.not_blind) == (2, 1)
    assert judge.confusion == Confusion(1, 0, 0, 1)


def test_two_people_are_the_ceiling(night):
    """They differ on two of eight; such an answer counts half for each side."""
    people_label(night, passed=6, of_passed=6, kept=0, of_failed=2)
    theirs = [label(f"p{i}", "pass" if i > 1 else "fail", labeller="cd") for i in range(6)]
    night.add_labels(
        [*theirs, *(label(f"f{i}", "fail", labeller="cd") for i in range(2)), label("f7", "fail", labeller="cd")]
    )

    report = calibration(night, app="atlas")

    (judge,), (pair,) = report.judges, report.people
    assert judge.people == ("ab", "cd")
    assert judge.labels == 9
    assert judge.confusion == Confusion(5, 1, 0, 3)
    assert (pair.first, pair.second, pair.answers, pair.agreed) == ("ab", "cd", 8, 6)
    assert pair.interval == pytest.approx(wilson_interval(6, 8))
    assert pair.kappa == pytest.approx((6 / 8 - (6 * 4 + 2 * 4) / 64) / (1 - (6 * 4 + 2 * 4) / 64))


def test_rules_are_measured_the_same_way(night):
    """A person may doubt a rule as well."""
    night.add_labels([label(f"p{i}", "pass", check="numbers") for i in range(20)])

    (rule,) = calibration(night, app="atlas", check="numbers").judges

    assert rule.key == JudgeKey("numbers", "", "", "1")
    assert rule.confusion == Confusion(19, 0, 1, 0)


def test_verdicts_by_law_are_no_judges(store, verdict, publish_run):
    """An empty answer fails without a call: no judge is measured by it."""
    rows = [verdict("n1", f"p{i}", "faithful", "pass") for i in range(5)]
    rows.append(verdict("n1", "empty", "faithful", "fail", judge_model=None, judge_provider=None))
    publish_run(store, "n1", rows)
    store.add_labels([label("p0", "pass"), label("empty", "fail")])

    (judge,) = calibration(store, app="atlas").judges

    assert (judge.key, judge.labels, judge.verdicts.readable) == (FAITHFUL, 1, 5)


def test_a_judge_no_better_than_a_coin_corrects_nothing(night):
    """Half right on both sides: its rate carries no word of the answers, though people's does."""
    people_label(night, passed=5, of_passed=10, kept=5, of_failed=10)

    (judge,) = calibration(night, app="atlas").judges

    assert judge.enough
    assert judge.corrected.rate is None
    assert judge.errors.people.value == pytest.approx(0.5)


def test_judges_and_apps_stay_apart(night, verdict, publish_run):
    """Labels of one judge say nothing of the next, nor labels of one app of another."""
    publish_run(night, "n2", [verdict("n2", f"p{i}", "faithful", "pass", judge_model="judge-small") for i in range(9)])
    people_label(night, passed=4, of_passed=5, kept=0, of_failed=2)
    night.add_labels([label(f"p{i}", "fail", run_id="n2") for i in range(3)])
    night.add_labels([label("p0", "pass", app="other", run_id="n1", at=9)])

    report = calibration(night, app="atlas")

    assert [(judge.key.judge, judge.labels) for judge in report.judges] == [("judge-large", 7), ("judge-small", 3)]
    assert calibration(night, app="other").judges == ()
    assert calibration(night, app="atlas", check="relevant").judges == ()
