"""Agreement with people, correction for a judge's mistakes, and steadiness, against published examples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa

from goldassay.analytics.statistics import (
    agreement,
    cohen_kappa,
    pairwise_result,
    repeat_stability,
    rogan_gladen,
)


@given(st.lists(st.tuples(st.sampled_from("pf"), st.sampled_from("pf")), min_size=1, max_size=60))
def test_kappa_equals_statsmodels(pairs: list[tuple[str, str]]) -> None:
    """Undefined exactly where only one label exists."""
    people, judge = [a for a, _ in pairs], [b for _, b in pairs]
    table = [[pairs.count((a, b)) for b in "pf"] for a in "pf"]

    kappa = cohen_kappa(people, judge)

    if len(set(people) | set(judge)) == 1:
        assert kappa is None
    else:
        assert kappa == pytest.approx(cohens_kappa(np.array(table), return_results=False))


def test_agreement_shows_the_base_rate_trap() -> None:
    """Always 'pass' agrees on 90 % and is worth nothing."""
    result = agreement(["pass"] * 9 + ["fail"], ["pass"] * 10)

    assert (result.agreement, result.kappa, result.recall["fail"]) == (0.9, 0.0, 0.0)
    assert result.warnings == ("judge never says fail",)
    assert agreement([], []).kappa_note == "undefined: no labels"
    with pytest.raises(ValueError, match="pair them"):
        cohen_kappa(["pass"], [])


def test_rogan_gladen_undoes_the_judges_mistakes() -> None:
    """True rate 0.8, judge finds 90 % of the passes and 80 % of the failures: it reports 0.76."""
    result = rogan_gladen(760, 1000, sensitivity=(900, 1000), specificity=(800, 1000))

    assert result.rate == pytest.approx(0.8)
    assert result.interval.low < 0.8 < result.interval.high


@pytest.mark.parametrize(
    ("sensitivity", "specificity"), [((5, 10), (5, 10)), ((9, 10), (0, 0)), ((1, 10), (1, 10)), ((0, 0), (9, 10))]
)
def test_a_judge_no_better_than_a_coin_corrects_nothing(sensitivity, specificity) -> None:
    """Dividing by (almost) nothing would print a confident figure."""
    found = rogan_gladen(50, 100, sensitivity=sensitivity, specificity=specificity)

    assert (found.rate, found.interval, found.outside) == (None, (0, 1), None)


@pytest.mark.parametrize(
    ("passed", "rate", "outside"), [(95, 1.0, 0.85 / 0.8), (5, 0.0, -0.05 / 0.8), (90, 1.0, None), (50, 0.5, None)]
)
def test_a_correction_that_is_no_rate_is_cut_and_said_to_be(passed, rate, outside) -> None:
    """95 % passed by a judge that passes 90 % of the good ones: (0.95 + 0.9 - 1) / 0.8 = 1.06 is no rate."""
    found = rogan_gladen(passed, 100, sensitivity=(90, 100), specificity=(90, 100))

    assert found.rate is not None
    assert found.rate == pytest.approx(rate)
    assert found.outside == (None if outside is None else pytest.approx(outside))
    assert found.interval.low <= found.rate <= found.interval.high


def test_the_interval_of_a_correction_holds_it_whatever_the_labels() -> None:
    """With one label of a class the interval of Lang and Reiczigel lay wholly below the rate it belongs to."""
    found = rogan_gladen(76, 293, sensitivity=(23, 23), specificity=(1, 1))

    assert found.rate is not None
    assert found.rate == pytest.approx(76 / 293)
    assert found.interval.low <= found.rate <= found.interval.high


def test_rogan_gladen_knows_nothing_when_a_few_labels_barely_tell() -> None:
    """One label on each side, both right: the point estimate exists, the interval is wide open."""
    result = rogan_gladen(50, 100, sensitivity=(1, 1), specificity=(1, 1))

    assert result.rate == pytest.approx(0.5)
    assert result.interval.high - result.interval.low > 0.9
    weak = rogan_gladen(50, 100, sensitivity=(1, 1), specificity=(1, 100))
    assert weak.rate is not None
    assert weak.interval == (0, 1)


def test_rogan_gladen_covers_the_truth() -> None:
    """Of 2,000 simulated calibrations the 95 % interval holds the true rate in 93 to 98 %."""
    rng = np.random.default_rng(11)
    truth, sens, spec, hits = 0.85, 0.92, 0.75, 0
    for _ in range(2000):
        good = rng.binomial(300, truth)
        passed = rng.binomial(good, sens) + rng.binomial(300 - good, 1 - spec)
        found = rogan_gladen(
            passed, 300, sensitivity=(rng.binomial(80, sens), 80), specificity=(rng.binomial(40, spec), 40)
        )
        hits += found.interval.low <= truth <= found.interval.high

    assert 0.93 <= hits / 2000 <= 0.98


def test_repeats_show_which_rows_flip() -> None:
    """Medians are scores that were given; errors leave; a row judged once cannot flip."""
    result = repeat_stability({"a": [3, 4, 3], "b": [5, None, 5], "c": [2, 4], "d": [None], "e": [4]}, pass_mark=4)

    assert result.unstable == ("a", "c")
    assert result.flip_rate == pytest.approx(2 / 3)
    assert result.scores == {"a": 3, "b": 5, "c": 2, "d": None, "e": 4}
    assert repeat_stability({}, pass_mark=4).flip_rate is None


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([(("a", "b"), "first"), (("b", "a"), "second")], ("a", "win", False)),
        ([(("a", "b"), "first"), (("b", "a"), "first")], (None, "tie", True)),
        ([(("a", "b"), "first"), (("b", "a"), None)], (None, "error", False)),
        ([(("a", "b"), "first")], (None, "error", False)),
        ([(("a", "b"), "tie"), (("b", "a"), "first")], (None, "tie", False)),
        ([(("a", "b"), "tie"), (("b", "a"), "tie")], (None, "tie", False)),
    ],
)
def test_a_win_counts_only_when_it_survives_the_swap(verdicts, expected) -> None:
    """Half a check is no check; two contradicting orders are a tie by position."""
    assert pairwise_result(verdicts) == expected
