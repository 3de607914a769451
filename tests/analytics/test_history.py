"""Rates, categories, answerability and flaky questions over versions and days."""

from __future__ import annotations

from datetime import timedelta

import pytest

from goldassay.analytics import rates as rates_module
from goldassay.analytics.history import history
from goldassay.analytics.statistics import wilson_interval
from goldassay.errors import ConfigError
from goldassay.verdicts import Category


def rate_of(report, check: str, version: str):
    """One rate of a report."""
    return next(r for r in report.rates if (r.check, r.version) == (check, version))


def test_an_empty_store_has_an_empty_history(store) -> None:
    """No error, nothing made up."""
    report = history(store)

    assert (report.versions, report.rates, report.days, report.reasons, report.flaky) == ((), (), (), (), ())


def test_versions_stand_in_the_order_of_their_first_answer(store, verdict, publish_run) -> None:
    """Not by name: '1.10' comes after '1.9' because it came later; a missing label is ''."""
    for night, version in (("n1", "1.9"), ("n2", "1.10"), ("n3", ""), ("n4", "1.9")):
        publish_run(store, night, [verdict(night, f"{night}-a", "cites", "pass", app_version=version)])

    report = history(store)

    assert report.versions == ("1.9", "1.10", "")
    assert [rate.version for rate in report.rates] == ["1.9", "1.10", ""]
    assert [day.day.isoformat() for day in report.days] == ["2026-03-30", "2026-03-31", "2026-04-01", "2026-04-02"]


def test_any_version_column_can_be_followed_and_others_are_refused(store, verdict, publish_run) -> None:
    """A change of the model, the prompt or the index is a version too."""
    rows = [verdict("n1", "a", "cites", "pass", model="m1"), verdict("n1", "b", "cites", "fail", model="m2")]
    publish_run(store, "n1", [*rows, verdict("n1", "c", "cites", "fail")])

    assert {r.version: r.rate.headline for r in history(store, by="model").rates} == {"m1": 1.0, "m2": 0.0, "": 0.0}
    with pytest.raises(ConfigError, match="no version column 'answer'"):
        history(store, by="answer")  # type: ignore[arg-type]  # the point of the test


def test_filters_by_app_check_and_time(store, verdict, publish_run) -> None:
    """`since` is inclusive, `until` is not."""
    publish_run(store, "n1", [verdict("n1", "a", "cites", "pass"), verdict("n1", "a", "numbers", "fail")])
    publish_run(store, "n2", [verdict("n2", "b", "cites", "fail"), verdict("n2", "c", "cites", "fail", app="hermes")])
    second = verdict("n2", "b", "cites", "fail").asked_at

    assert {r.check for r in history(store, check="cites").rates} == {"cites"}
    assert rate_of(history(store, app="hermes"), "cites", "v1").rate.counts.failed == 1
    assert rate_of(history(store, since=second, app="atlas"), "cites", "v1").rate.counts.graded == 1
    assert rate_of(history(store, until=second), "cites", "v1").rate.headline == 1.0
    assert history(store, since=second + timedelta(days=9)).rates == ()


def test_a_category_shows_when_it_came_and_went(store, verdict, publish_run) -> None:
    """Zeros are shown, the change is of shares, and the first and last version are named."""
    plan = {"n1": ("v1", "pass"), "n2": ("v2", "fail"), "n3": ("v3", "fail"), "n4": ("v4", "pass")}
    for night, (version, outcome) in plan.items():
        rows = [verdict(night, f"{night}-{i}", "numbers", "pass", app_version=version) for i in range(3)]
        rows.append(
            verdict(night, f"{night}-x", "numbers", outcome, app_version=version, category=Category.WRONG_NUMBER)
        )
        publish_run(store, night, rows)

    (trend,) = history(store).categories
    assert trend.change_p is not None
    assert trend.change_p > 0.05

    assert trend.counts == (("v1", 0, 0.0), ("v2", 1, 0.25), ("v3", 1, 0.25), ("v4", 0, 0.0))
    assert (trend.change, trend.first_version, trend.last_version) == (-0.25, "v2", "v3")
    assert trend.first_seen == verdict("n2", "x", "x", "pass").asked_at
    assert trend.last_seen == verdict("n3", "x", "x", "pass").asked_at


def test_both_ways_to_be_wrong_about_answerability(store, verdict, publish_run) -> None:
    """Answered the unanswerable, refused the answerable: never one figure."""
    cells = {(True, "pass"): 6, (True, "fail"): 2, (False, "pass"): 3, (False, "fail"): 1}
    rows = [
        verdict("n1", f"{answerable}{outcome}{i}", "refusal", outcome, answerable=answerable)
        for (answerable, outcome), count in cells.items()
        for i in range(count)
    ]
    publish_run(store, "n1", [*rows, verdict("n1", "u", "refusal", "pass"), verdict("n1", "c", "cites", "pass")])

    (table,) = history(store).answerability

    assert (table.answerable_answered, table.answerable_refused) == (6, 2)
    assert (table.unanswerable_refused, table.unanswerable_answered) == (3, 1)
    assert (table.refused_answerable_rate, table.answered_unanswerable_rate) == (0.25, 0.25)
    assert table.answered_unanswerable_interval.high > table.refused_answerable_interval.high


def test_a_question_that_flips_within_a_version_is_flaky(store, verdict, publish_run) -> None:
    """A change of the version explains itself; a change of the judge is said."""
    outcomes = ["pass", "fail", "pass", "pass"]
    for i, outcome in enumerate(outcomes, start=1):
        fields = {"question_id": "q1", "judge_model": "judge-large" if i < 3 else "judge-small"}
        rows = [verdict(f"n{i}", f"r{i}", "faithful", outcome, **fields)]
        rows.append(
            verdict(f"n{i}", f"s{i}", "cites", outcome, question_id="q2", app_version="v1" if i == 1 else f"v{i}")
        )
        publish_run(store, f"n{i}", rows)

    (flaky,) = history(store).flaky

    assert (flaky.question_id, flaky.check, flaky.version, flaky.question) == ("q1", "faithful", "v1", "What about q1?")
    assert (flaky.passed, flaky.failed, flaky.flips) == (3, 1, 2)
    assert (flaky.judge_changed, flaky.kind) == (True, "judge")
    assert flaky.same_answer is True


def test_different_judges_are_not_one_curve(store, verdict, publish_run) -> None:
    """A rate by another judge is another quantity."""
    publish_run(store, "n1", [verdict("n1", "a", "faithful", "pass")])
    publish_run(store, "n2", [verdict("n2", "b", "faithful", "pass", judge_model="judge-small", app_version="v2")])

    report = history(store)

    assert rate_of(report, "faithful", "v2").judges == ("judge-small / 1",)
    assert [n.code for n in report.notices] == ["judge_version_differs"]


def test_answers_judged_again_do_not_count_twice(store, verdict, publish_run) -> None:
    """A rejudge run is for comparing, not for the history of answers."""
    publish_run(store, "n1", [verdict("n1", "a", "faithful", "pass")])
    publish_run(store, "n2", [verdict("n2", "a", "faithful", "fail", run_kind="rejudge")], kind="rejudge")

    assert rate_of(history(store), "faithful", "v1").rate.counts.graded == 1


@pytest.mark.parametrize("rows_that_are_many", [5_000_000, 0])
def test_the_same_question_every_night_is_no_new_evidence(
    store, verdict, publish_run, monkeypatch, rows_that_are_many
) -> None:
    """Twenty nights of ten questions: the interval is that of ten, not of two hundred; also in a large store."""
    monkeypatch.setattr(rates_module, "_MANY_ROWS", rows_that_are_many)
    for night in range(1, 21):
        name = f"n{night}"
        rows = [
            verdict(name, f"{name}-{q}", "faithful", "fail" if q < 2 else "pass", question_id=f"q{q}")
            for q in range(10)
        ]
        publish_run(store, name, rows)

    rate = rate_of(history(store, details=False), "faithful", "v1").rate

    assert rate.counts.graded == 200
    assert rate.effective_n == pytest.approx(10)
    assert rate.interval.high - rate.interval.low > 0.4


@pytest.mark.parametrize("rows_that_are_many", [5_000_000, 0])
def test_one_paid_reply_used_again_is_no_new_evidence(
    store, verdict, publish_run, monkeypatch, rows_that_are_many
) -> None:
    """Log answers without a question id, judged by one reply, are one observation."""
    monkeypatch.setattr(rates_module, "_MANY_ROWS", rows_that_are_many)
    rows = [
        verdict("n1", f"r{i}", "faithful", "pass", request_hash=f"h{i % 5}", reused=True, question_id=None)
        for i in range(50)
    ]
    publish_run(store, "n1", rows)

    assert rate_of(history(store), "faithful", "v1").rate.effective_n == pytest.approx(5)


@pytest.mark.parametrize("rows_that_are_many", [5_000_000, 0])
def test_the_same_question_every_night_is_no_new_evidence_of_answerability(
    store, verdict, publish_run, monkeypatch, rows_that_are_many
) -> None:
    """Twelve nights of ten answerable questions, one always refused: the interval is that of one in ten."""
    monkeypatch.setattr(rates_module, "_MANY_ROWS", rows_that_are_many)
    for night in range(1, 13):
        name = f"n{night}"
        rows = [
            verdict(name, f"{name}-{q}", "refusal", "fail" if q < 1 else "pass", question_id=f"q{q}", answerable=True)
            for q in range(10)
        ]
        publish_run(store, name, rows)

    (table,) = history(store, details=False).answerability

    assert (table.answerable_answered, table.answerable_refused) == (108, 12)
    assert table.refused_answerable_interval == pytest.approx(wilson_interval(1, 10), abs=0.03)


def test_a_log_that_counts_from_one_every_night_loses_no_answer(store, verdict, publish_run) -> None:
    """The same id at another moment is another answer, though a golden run holds it too."""
    publish_run(store, "n1", [verdict("n1", "1", "cites", "pass")])
    publish_run(store, "n2", [verdict("n2", "1", "cites", "fail")])
    second = verdict("n2", "1", "cites", "pass").asked_at
    publish_run(store, "n3", [verdict("n3", "1", "cites", "pass", asked_at=second, run_kind="golden")], kind="golden")

    assert rate_of(history(store), "cites", "v1").rate.counts == (2, 0, 0, 0, 0)


def test_an_outage_of_the_judge_is_said_loudly(store, verdict, publish_run) -> None:
    """The version whose rate tells of the judge is named, with how much was lost."""
    rows = [verdict("n1", f"a{i}", "faithful", "error" if i < 4 else "pass") for i in range(10)]
    publish_run(store, "n1", rows)
    publish_run(store, "n2", [verdict("n2", f"b{i}", "faithful", "pass", app_version="v2") for i in range(10)])

    (notice,) = history(store).notices

    assert (notice.code, notice.level) == ("judge_outage", "alarm")
    assert "faithful: many answers could not be judged under v1 (40 %)" in notice.text


def test_repeats_that_stand_for_several_numbers_of_answers_are_weighted(store, verdict, publish_run) -> None:
    """One question asked twice, once of a denser sample: the rate shown is that of the whole log."""
    rows = [
        verdict("n1", "a", "faithful", "pass", question_id="q", weight=1.0),
        verdict("n1", "b", "faithful", "fail", question_id="q", weight=3.0),
    ]
    publish_run(store, "n1", rows)

    (found,) = history(store).rates

    assert found.rate.weights_matter
    assert found.rate.shown == pytest.approx(0.25)
