"""Judge against people, from labels drawn by the judge's outcome: worked by hand, and simulated."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldassay.analytics.statistics import cohen_kappa, rogan_gladen, wilson_interval
from goldassay.analytics.statistics_calibration import JudgedClass, JudgeErrors, corrected_by, judge_errors


def judged(verdicts: int, people_pass: int, labelled: int) -> JudgedClass:
    """A class drawn evenly: each verdict stands for one answer."""
    return JudgedClass(verdicts, float(verdicts), people_pass / labelled if labelled else None, float(labelled))


def whole(both_pass: int, judge_only: int, people_only: int, both_fail: int) -> JudgeErrors:
    """Every verdict is labelled, so nothing was drawn."""
    passed, failed = both_pass + judge_only, people_only + both_fail
    return judge_errors(judged(passed, both_pass, passed), judged(failed, people_only, failed))


def test_labels_by_outcome_are_weighted_back_to_the_log():
    """900 passed and 100 failed, 15 labelled of each: 14 and 3 are passed by people.

    By hand: people pass 900 * 14/15 = 840 and 100 * 3/15 = 20 of them, so sensitivity is 840/860, specificity
    80/140 and agreement 920/1000; counted as they come the labels would say 14/17 and 12/13.
    """
    found = judge_errors(judged(900, 14, 15), judged(100, 3, 15))

    assert found.sensitivity.value == pytest.approx(840 / 860)
    assert found.specificity.value == pytest.approx(80 / 140)
    assert found.agreement.value == pytest.approx(0.92)
    assert found.people.value == pytest.approx(0.86)
    chance = 0.9 * 0.86 + 0.1 * 0.14
    assert found.kappa.value == pytest.approx((0.92 - chance) / (1 - chance))


def test_the_interval_of_drawn_labels_follows_begg_and_greenes():
    """Their logit variance, (1-a)/(n a) + (1-b)/(m b) + 1/(N p (1-p)), is what the effective size comes from."""
    found = judge_errors(judged(900, 14, 15), judged(100, 3, 15)).sensitivity

    logit = (1 / 15) / 14 + (12 / 15) / 3 + 1 / (1000 * 0.9 * 0.1)
    assert found.value is not None
    assert found.effective == pytest.approx(1 / (found.value * (1 - found.value) * logit), rel=1e-6)
    assert found.interval.low < found.value < found.interval.high


def test_labels_of_every_verdict_give_the_plain_figures():
    """Cohen (1960) and Wilson (1927) come out: 40 both pass, 9 judge only, 6 people only, 45 both fail."""
    found = whole(40, 9, 6, 45)
    people = ["pass"] * 40 + ["fail"] * 9 + ["pass"] * 6 + ["fail"] * 45
    judge = ["pass"] * 49 + ["fail"] * 51

    assert found.kappa.value == pytest.approx(cohen_kappa(people, judge))
    assert found.sensitivity.value == pytest.approx(40 / 46)
    assert found.sensitivity.interval == pytest.approx(wilson_interval(40, 46), abs=1e-6)
    assert found.specificity.interval == pytest.approx(wilson_interval(45, 54), abs=1e-6)
    assert found.agreement.interval == pytest.approx(wilson_interval(85, 100), abs=1e-6)


def test_the_interval_of_kappa_is_that_of_fleiss_cohen_and_everitt():
    """Their large-sample variance (1969, eq. 13), written out for 20, 5, 10, 15."""
    n = 50
    table = [[20 / n, 5 / n], [10 / n, 15 / n]]
    rows, columns = [sum(row) for row in table], [table[0][j] + table[1][j] for j in (0, 1)]
    observed, chance = table[0][0] + table[1][1], sum(rows[i] * columns[i] for i in (0, 1))
    kappa = (observed - chance) / (1 - chance)
    first = sum(table[i][i] * (1 - (rows[i] + columns[i]) * (1 - kappa)) ** 2 for i in (0, 1))
    second = (1 - kappa) ** 2 * sum(table[i][j] * (columns[i] + rows[j]) ** 2 for i in (0, 1) for j in (0, 1) if i != j)
    error = math.sqrt(first + second - (kappa - chance * (1 - kappa)) ** 2) / (math.sqrt(n) * (1 - chance))

    found = whole(20, 5, 10, 15).kappa

    assert found.value == pytest.approx(kappa)
    assert found.value == pytest.approx(0.4)
    assert found.interval.high - kappa == pytest.approx(1.959964 * error, rel=1e-4)


def test_correction_of_the_very_answers_gives_the_rate_of_people():
    """Rogan-Gladen turns the judge's 0.9 into the 0.86 that people say."""
    found = judge_errors(judged(900, 14, 15), judged(100, 3, 15))

    corrected = corrected_by(900, 1000, found)

    assert corrected.rate == pytest.approx(0.86)
    assert corrected.interval.low < 0.86 < corrected.interval.high


def test_correction_from_a_full_set_of_labels_is_plain_rogan_gladen():
    """Effective sizes are the counts, so nothing changes."""
    corrected = corrected_by(700, 1000, whole(40, 9, 6, 45))
    expected = rogan_gladen(700, 1000, sensitivity=(40, 46), specificity=(45, 54))

    assert corrected.rate == pytest.approx(expected.rate)
    assert corrected.interval == pytest.approx(expected.interval, abs=1e-6)


def test_a_class_without_a_label_leaves_all_unknown():
    """Without one look at what the judge failed, nobody knows what it wrongly fails."""
    found = judge_errors(judged(90, 9, 10), judged(10, 0, 0))

    assert found.sensitivity.value is found.specificity.value is found.kappa.value is found.agreement.value is None
    assert corrected_by(90, 100, found).rate is None
    assert judge_errors(judged(0, 0, 0), judged(0, 0, 0)).people.value is None


def test_a_judge_that_never_fails_has_no_specificity_and_corrects_nothing():
    """It passes all that people fail: no better than no judge."""
    found = judge_errors(judged(50, 8, 10), judged(0, 0, 0))

    assert found.sensitivity == (1.0, (1.0, 1.0), 50.0)
    assert found.specificity.value == 0
    assert found.kappa.value == 0
    assert corrected_by(50, 50, found).rate is None


def test_people_who_pass_everything_tell_nothing_of_specificity():
    """There is no failed answer to find."""
    found = judge_errors(judged(50, 10, 10), judged(5, 5, 5))

    assert found.specificity.value is None
    assert corrected_by(50, 55, found).rate is None


def test_few_agreements_are_no_certainty():
    """Five of five is 1.00, with an interval that says how little five are."""
    found = judge_errors(judged(95, 5, 5), judged(5, 0, 5))

    assert found.agreement.value == 1
    assert found.agreement.interval.low < 0.7


@given(st.tuples(*[st.integers(0, 60)] * 4), st.integers(0, 400), st.integers(0, 400))
@settings(max_examples=300, deadline=None)
def test_every_figure_stays_in_its_range(counts, more_passed, more_failed):
    """Whatever the labels, no figure leaves its range and every value lies in its interval."""
    both_pass, judge_only, people_only, both_fail = counts
    passed, failed = both_pass + judge_only, people_only + both_fail
    found = judge_errors(
        judged(passed + more_passed, both_pass, passed), judged(failed + more_failed, people_only, failed)
    )

    for share in (found.agreement, found.sensitivity, found.specificity, found.people):
        assert 0 <= share.interval.low <= share.interval.high <= 1
        assert math.isfinite(share.effective)
        assert share.value is None or share.interval.low - 1e-9 <= share.value <= share.interval.high + 1e-9
    assert -1 <= found.kappa.interval.low <= found.kappa.interval.high <= 1
    corrected = corrected_by(passed + more_passed, passed + failed + more_passed + more_failed, found)
    assert corrected.rate is None or 0 <= corrected.rate <= 1


def _draw(chance: random.Random, *, judge: float, by_pass: float, by_fail: float) -> JudgeErrors:
    """A night of 400 verdicts, 20 labels of each outcome."""
    passed = sum(chance.random() < judge for _ in range(400))
    first = sum(chance.random() < by_pass for _ in range(20))
    second = sum(chance.random() < by_fail for _ in range(20))
    return judge_errors(judged(passed, first, 20), judged(400 - passed, second, 20))


@pytest.mark.parametrize(
    ("judge", "by_pass", "by_fail"), [(0.85, 0.95, 0.25), (0.6, 0.85, 0.15), (0.9, 0.9, 0.4)], ids=str
)
def test_intervals_hold_the_truth_as_often_as_they_say(judge, by_pass, by_fail):
    """Over 1,000 simulated sittings each 95 % interval holds the true figure in 88 % or more, on average in 92 %."""
    chance = random.Random(7)
    people = judge * by_pass + (1 - judge) * by_fail
    truth = {
        "agreement": judge * by_pass + (1 - judge) * (1 - by_fail),
        "sensitivity": judge * by_pass / people,
        "specificity": (1 - judge) * (1 - by_fail) / (1 - people),
        "people": people,
    }
    held = dict.fromkeys((*truth, "corrected"), 0)
    for _ in range(1000):
        found = _draw(chance, judge=judge, by_pass=by_pass, by_fail=by_fail)
        for name, value in truth.items():
            interval = getattr(found, name).interval
            held[name] += interval.low <= value <= interval.high
        corrected = corrected_by(judge * 400, 400, found)
        held["corrected"] += corrected.interval.low <= people <= corrected.interval.high

    # Twenty labels of a share near 1 come in few steps, so no interval holds 95 % everywhere.
    assert min(held.values()) >= 880, held
    assert sum(held.values()) / len(held) >= 920, held
