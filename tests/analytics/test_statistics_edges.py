"""Figures at the edges: nothing graded, missing labels, tests that could not be made, values that are no numbers."""

from __future__ import annotations

import math

import pytest

from goldassay.analytics.gate import rate_finding
from goldassay.analytics.models import Counts, GateState
from goldassay.analytics.sentences import p_text
from goldassay.analytics.statistics import (
    agreement,
    benjamini_hochberg,
    cohen_kappa,
    composite_score,
    mcnemar_exact,
    mean_bounds,
    newcombe_paired_difference,
    paired_bootstrap,
    questions_needed,
    repeat_stability,
    rogan_gladen,
    wilson_interval,
)
from goldassay.analytics.tally import plain_rate

NAN = float("nan")


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        ([0.01, None, 0.04], [0.02, None, 0.04]),
        ([None, None], [None, None]),
        ([0.04, 0.04], [0.04, 0.04]),
        ([0.0, 1.0], [0.0, 1.0]),
        ([], []),
    ],
)
def test_a_test_that_was_not_made_does_not_count_among_the_many(p_values, adjusted):
    """Other libraries return NaN for every test as soon as one is missing."""
    assert benjamini_hochberg(p_values) == adjusted


@pytest.mark.parametrize("p_values", [[NAN], [0.1, 1.2], [-0.1]])
def test_what_is_no_p_value_is_refused(p_values):
    """A NaN among them was taken for 1, and a negative one kept."""
    with pytest.raises(ValueError, match="p-values"):
        benjamini_hochberg(p_values)


@pytest.mark.parametrize(
    ("people", "judge", "n", "left_out", "kappa"),
    [
        (["pass", None, "fail"], ["pass", "fail", "fail"], 2, 1, 1.0),
        (["pass", "fail"], [None, None], 0, 2, None),
        (["pass", "pass", "fail"], ["pass", "pass", None], 2, 1, None),
        ([], [], 0, 0, None),
        (["pass"] * 5, ["fail"] * 5, 5, 0, 0.0),
        (["pass", "fail"], ["fail", "pass"], 2, 0, -1.0),
    ],
)
def test_agreement_is_of_answers_that_both_labelled(people, judge, n, left_out, kappa):
    """A judge error or a question nobody labelled is neither agreement nor its opposite."""
    found = agreement(people, judge)

    assert (found.n, found.left_out, found.kappa) == (n, left_out, kappa)
    assert cohen_kappa(people, judge) == kappa


@pytest.mark.parametrize("differences", [[], [0.3], [0.0, 0.5, 1.0] * 3, [0.5] * 40])
def test_without_spread_there_is_no_bootstrap_interval(differences):
    """Equal differences gave an interval without width, as if they were proof; nine hold too little of the spread."""
    assert paired_bootstrap(differences) is None


@pytest.mark.parametrize("value", [NAN, math.inf, None])
def test_a_difference_that_is_no_number_is_refused(value):
    """It made both limits NaN, and every comparison with NaN is false."""
    with pytest.raises(ValueError, match="not finite"):
        paired_bootstrap([0.1, value, *[0.2] * 10])


@pytest.mark.parametrize(
    ("passed", "total", "min_rate", "state"),
    [
        (0, 0, 0.0, GateState.NOT_EVALUABLE),
        (0, 0, 0.9, GateState.NOT_EVALUABLE),
        (3, 3, 1.0, GateState.NOT_EVALUABLE),
        (2, 3, 1.0, GateState.FAIL),
        (35, 35, 0.9, GateState.PASS),
        (0, 3, 0.9, GateState.FAIL),
    ],
)
def test_a_gate_without_evidence_does_not_open(passed, total, min_rate, state):
    """No answer at all passed a gate of 0, and a gate of 1 stopped the run."""
    assert rate_finding(plain_rate(Counts(passed, total - passed)), min_rate, "rate").state is state


def test_a_value_that_is_no_number_is_a_missing_one():
    """NaN is what a judge error becomes on its way through a data frame."""
    assert composite_score([(1, 1.0), (3, NAN)]) is None
    assert mean_bounds([1.0, NAN], 0) == (0.5, 1.0)
    assert repeat_stability({"a": [4, NAN], "b": [4, 3]}, pass_mark=4).flip_rate == 1.0


@pytest.mark.parametrize("power", [0.3, 0.5, 0.8, 0.99])
def test_any_power_has_its_number_of_questions(power):
    """A power up to one half was refused with a word about the level."""
    needed = questions_needed(0.1, 0.05, power=power)

    assert needed is not None
    assert needed >= 1


@pytest.mark.parametrize("power", [0, 1, 80])
def test_a_power_outside_its_range_is_named(power):
    """80 for 80 %."""
    with pytest.raises(ValueError, match="power is"):
        questions_needed(0.1, 0.05, power=power)


def test_parts_greater_than_their_whole_are_refused():
    """11 of 10 was a math domain error deep inside."""
    with pytest.raises(ValueError, match="no share"):
        rogan_gladen(110, 100, sensitivity=(9, 10), specificity=(9, 10))
    with pytest.raises(ValueError, match="negative"):
        newcombe_paired_difference(-1, 1, 0, 0)


@pytest.mark.parametrize(
    ("passed", "rate"), [(90, 1.0), (5, 0.0), (50, 0.5)], ids=["above the range", "below the range", "inside"]
)
def test_a_corrected_rate_stays_a_rate(passed, rate):
    """Rogan and Gladen's estimate leaves [0, 1] where the judge's rate contradicts its labels."""
    found = rogan_gladen(passed, 100, sensitivity=(18, 20), specificity=(18, 20))

    assert found.rate == pytest.approx(rate)
    assert 0 <= found.interval.low <= found.interval.high <= 1


@pytest.mark.parametrize(("broken", "fixed"), [(2000, 1), (5000, 0), (10**6, 0)])
def test_a_p_value_is_never_printed_as_zero(broken, fixed):
    """Beyond the smallest float it is 0.0, which no experiment shows."""
    assert p_text(mcnemar_exact(broken, fixed)) == "< 0.001"


@pytest.mark.parametrize(("passed", "total"), [(0, 0), (0, 1), (1, 1), (10**9, 10**9), (1, 10**6)])
def test_an_interval_holds_its_rate(passed, total):
    """Rounding never leaves the rate outside, nor the bounds outside [0, 1]."""
    low, high = wilson_interval(passed, total)

    assert 0 <= low <= (passed / total if total else 0.5) <= high <= 1
