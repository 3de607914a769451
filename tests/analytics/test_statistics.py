"""Statistics against published worked examples, scipy and statsmodels, and the laws they must obey."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, chi2, chi2_contingency
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from goldassay.analytics.statistics import (
    Cell,
    adjusted_among_able,
    benjamini_hochberg,
    claim_of,
    composite_score,
    mcnemar_exact,
    mean_bounds,
    more_questions,
    newcombe_paired_difference,
    paired_bootstrap,
    questions_needed,
    rate_bounds,
    share_difference_p,
    trials_for_gate,
    weighted_rate,
    wilson_interval,
)

counts = st.integers(0, 400)


def plain_cell(passed: int, total: int, weight: float = 1.0) -> Cell:
    """Independent verdicts of one weight."""
    square = weight * weight
    return Cell(
        total, passed * weight, total * weight, passed * square, passed * square, total * square, total * square
    )


@pytest.mark.parametrize(
    ("passed", "total", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_the_figures_of_newcombe(passed: int, total: int, low: float, high: float) -> None:
    """R. G. Newcombe (1998), Statistics in Medicine 17(8), 857-872, table I, method 3."""
    assert wilson_interval(passed, total) == pytest.approx((low, high), abs=5e-5)


@given(total=st.integers(1, 5000), share=st.floats(0, 1), level=st.floats(0.5, 0.999))
def test_wilson_equals_statsmodels(total: int, share: float, level: float) -> None:
    """Any count and level, not only those of the papers."""
    passed = round(share * total)

    expected = proportion_confint(passed, total, alpha=1 - level, method="wilson")

    assert wilson_interval(passed, total, level=level) == pytest.approx(expected, abs=1e-9)


def test_wilson_knows_nothing_from_nothing() -> None:
    """No answer judged: any rate is possible."""
    assert wilson_interval(0, 0) == (0, 1)


@pytest.mark.parametrize(("passed", "total", "level"), [(2, 1, 0.95), (-1, 3, 0.95), (1, 2, 0.0), (1, 2, 1.0)])
def test_wilson_refuses_the_impossible(passed: int, total: int, level: float) -> None:
    """More passes than answers, or a level that is no coverage."""
    with pytest.raises(ValueError, match=r"passed|level"):
        wilson_interval(passed, total, level=level)


def test_bounds_hold_every_way_the_errors_could_have_gone() -> None:
    """Two passes, one failure, one error: between 2/4 and 3/4; without verdicts anything."""
    assert rate_bounds(2, 1, 1) == (0.5, 0.75)
    assert rate_bounds(0, 0, 0) == (0, 1)
    assert mean_bounds([1.0], 1) == (0.5, 1.0)
    assert mean_bounds([], 0, scale=(1, 5)) == (1, 5)


def test_a_composite_without_its_judge_is_incomplete() -> None:
    """Neither the rules alone (1.0) nor the missing part taken as zero (0.25); parts of weight 0 do not count."""
    assert composite_score([(1, 1.0), (3, None)]) is None
    assert composite_score([(1, 1.0), (3, 0.5), (0, None)]) == 0.625
    assert composite_score([]) is None


@pytest.mark.parametrize("rate", [0.0, 0.5, 0.8, 0.9, 0.95, 0.99])
def test_trials_for_gate_is_the_smallest_number(rate: float) -> None:
    """One answer fewer would not clear the gate even if all passed."""
    n = trials_for_gate(rate)

    assert wilson_interval(n, n).low >= rate - 1e-9
    assert n == 1 or wilson_interval(n - 1, n - 1).low < rate


def test_no_number_of_answers_proves_a_rate_of_one() -> None:
    """A gate of 1 on a lower bound is a wrong setting, said at once."""
    with pytest.raises(ValueError, match="min_rate is 1"):
        trials_for_gate(1)


@given(passed=counts, failed=counts)
def test_weighted_rate_of_even_weights_is_the_plain_rate(passed: int, failed: int) -> None:
    """A full run must show the very same interval as the unweighted formula."""
    total = passed + failed

    result = weighted_rate([plain_cell(passed, total, 7.0)])

    if total == 0:
        assert result.rate is None
        assert result.interval == (0, 1)
        return
    assert result.rate == pytest.approx(passed / total)
    assert result.effective_n == pytest.approx(total)
    assert result.interval == pytest.approx(wilson_interval(passed, total), abs=1e-9)


def test_weighted_rate_corrects_an_oversampled_stratum() -> None:
    """900 easy answers sampled 1 in 10 (90 % pass) and 100 hard ones all (50 % pass): the log's rate is 86 %."""
    result = weighted_rate([plain_cell(81, 90, 10.0), plain_cell(50, 100)])

    assert result.rate == pytest.approx(0.86)
    assert result.interval.low < 0.86 < result.interval.high
    assert result.effective_n < 190


def test_repeats_that_always_agree_do_not_narrow_the_interval() -> None:
    """50 questions asked on 30 nights with the same outcome tell no more than 50 verdicts."""
    repeated = Cell(50, 40 * 30.0, 50 * 30.0, 40 * 900.0, 40 * 900.0, 50 * 900.0, 50 * 30.0)

    assert weighted_rate([repeated]).effective_n == pytest.approx(50, rel=1e-6)


def test_repeats_that_are_independent_count_fully() -> None:
    """Thirty verdicts a question, half passing each: no question is special, so nearly all verdicts count."""
    even = Cell(50, 50 * 15.0, 50 * 30.0, 50 * 225.0, 50 * 450.0, 50 * 900.0, 50 * 30.0)

    assert weighted_rate([even]).effective_n == pytest.approx(1500, rel=1e-6)


@pytest.mark.parametrize("rates", [(0.97, 0.4), (0.99, 0.05)])
def test_a_check_that_skips_most_answers_knows_less(rates) -> None:
    """One answer in eight has it, and how many of each stratum a sample holds is chance: the interval says so.

    Without that part of the variance it held the truth 91 and 82 times in 100.
    """
    rng, held, sizes = np.random.default_rng(4), 0, (1000, 1100)
    with_it = [size // 8 for size in sizes]
    truth = np.average(rates, weights=with_it)
    for _ in range(600):
        cells = []
        for size, has, rate in zip(sizes, with_it, rates, strict=True):
            n, w = rng.hypergeometric(has, size - has, 100), size / 100
            k = rng.binomial(n, rate)
            cells.append(Cell(n, k * w, n * w, k * w * w, k * w * w, n * w * w, n * w * w, n / 100))
        interval = weighted_rate(cells).interval
        held += interval.low <= truth <= interval.high

    assert 0.93 <= held / 600 <= 0.98


@pytest.mark.parametrize(("broken", "fixed", "p"), [(6, 0, 0.03125), (7, 1, 0.0703)])
def test_mcnemar_gives_published_values(broken: int, fixed: int, p: float) -> None:
    """(7, 1) is the airway example of Fagerland, Lydersen, Laake (2013), BMC Med Res Methodol 13:91, table 6."""
    assert mcnemar_exact(broken, fixed) == pytest.approx(p, abs=5e-5)


@given(broken=counts, fixed=counts)
def test_mcnemar_equals_statsmodels_and_scipy(broken: int, fixed: int) -> None:
    """The exact test of both libraries, and the same from either side."""
    p = mcnemar_exact(broken, fixed)

    assert p == pytest.approx(mcnemar([[5, broken], [fixed, 5]], exact=True).pvalue if broken + fixed else 1.0)
    assert p == pytest.approx(binomtest(broken, broken + fixed).pvalue if broken + fixed else 1.0)
    assert p == mcnemar_exact(fixed, broken)


def test_mcnemar_stays_exact_for_many_questions_and_refuses_negatives() -> None:
    """A million changed questions neither overflow nor take long."""
    assert mcnemar_exact(500_000, 500_000) == 1.0
    assert mcnemar_exact(490_000, 510_000) < 1e-80
    with pytest.raises(ValueError, match="not negative"):
        mcnemar_exact(-1, 0)


def test_benjamini_hochberg_rejects_what_the_paper_rejects() -> None:
    """The 15 hypotheses of Benjamini and Hochberg (1995), section 3: exactly the four smallest at 0.05."""
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459]
    p += [0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]

    assert [value is not None and value < 0.05 for value in benjamini_hochberg(p)] == [True] * 4 + [False] * 11


@given(st.lists(st.floats(0, 1), max_size=40))
def test_benjamini_hochberg_equals_statsmodels(p_values: list[float]) -> None:
    """Any order, ties among them."""
    expected = multipletests(p_values, method="fdr_bh")[1] if p_values else []

    assert benjamini_hochberg(p_values) == pytest.approx(list(expected))


def test_tests_that_can_show_nothing_do_not_drown_one_that_can() -> None:
    """Nine of eleven changes in one check, and sixty strata where nothing happened: the finding stands."""
    tables = [(12, 1), *[(0, 0)] * 60, (5, 0), (4, 6)]

    adjusted = adjusted_among_able([(mcnemar_exact(*table), sum(table)) for table in tables])

    assert adjusted[0] == pytest.approx(2 * mcnemar_exact(12, 1))
    assert adjusted[1:61] == [1.0] * 60
    assert adjusted[61] == mcnemar_exact(5, 0)
    assert adjusted[62] == pytest.approx(mcnemar_exact(4, 6))
    assert adjusted_among_able([]) == []


def test_newcombe_differences_give_published_values() -> None:
    """Newcombe (1998), Stat Med 17(22) 2635-2650, table III, method 10."""
    assert newcombe_paired_difference(36, 2, 12, 0) == pytest.approx((0.0569, 0.3404), abs=5e-5)


@given(a=counts, b=counts, c=counts, d=counts)
def test_newcombe_intervals_are_sound(a: int, b: int, c: int, d: int) -> None:
    """They hold the observed difference, and mirror when the sides are swapped."""
    n = a + b + c + d
    paired = newcombe_paired_difference(a, b, c, d)
    mirrored = newcombe_paired_difference(a, c, b, d)

    assert -1 <= paired.low <= paired.high <= 1
    assert (paired.low, paired.high) == pytest.approx((-mirrored.high, -mirrored.low), abs=1e-9)
    if n:
        assert paired.low - 1e-9 <= (c - b) / n <= paired.high + 1e-9


def test_paired_bootstrap_repeats_itself_and_meets_the_normal_interval() -> None:
    """Same data, same seed, same figures; for many even differences it is the textbook interval."""
    differences = list(np.random.default_rng(1).normal(0.2, 1.0, size=5000))

    interval = paired_bootstrap(differences)

    assert interval is not None
    assert interval == paired_bootstrap(differences)
    half = 1.96 * np.std(differences) / math.sqrt(5000)
    assert interval == pytest.approx((np.mean(differences) - half, np.mean(differences) + half), abs=0.003)


def test_paired_bootstrap_of_very_many_distinct_scores_is_the_normal_interval() -> None:
    """Then drawing would take minutes and change no figure shown."""
    differences = list(np.random.default_rng(1).normal(0.2, 1.0, size=30_000))

    interval = paired_bootstrap(differences)

    half = 1.959964 * np.std(differences, ddof=1) / math.sqrt(30_000)
    assert interval == pytest.approx((np.mean(differences) - half, np.mean(differences) + half))


@pytest.mark.parametrize(
    ("common", "broken", "fixed", "low", "high"), [(10, 2, 0, 20, 60), (100, 3, 1, 50, 500), (0, 0, 0, 100, 1000)]
)
def test_more_questions_tells_a_number_that_settles_it(common, broken, fixed, low, high) -> None:
    """Few where a change shows already, hundreds where nothing is known; never less than one."""
    assert low < more_questions(common, broken, fixed) < high
    assert more_questions(1000, 500, 100) == 1


@pytest.mark.parametrize("common", [1, 10, 40, 62, 70])
def test_more_questions_without_a_change_would_settle_it(common) -> None:
    """When none of so many more changes either, the interval excludes the margin; the claim is then made."""
    enough = common + more_questions(common, 0, 0)

    claim = claim_of(0.0, newcombe_paired_difference(enough, 0, 0, 0), 1.0)

    assert claim == "no_change"


def test_questions_needed_follows_connor() -> None:
    """Connor (1987): 20 % discordant, a change of 10 points, 80 % power: 155 questions; no change, no number."""
    assert questions_needed(0.2, 0.1) == 155
    assert questions_needed(0.2, -0.1) == 155
    assert questions_needed(0.2, 0.0) is None
    assert questions_needed(0.05, 0.1) == questions_needed(0.1, 0.1)


def test_the_number_of_questions_needed_gives_the_power_promised() -> None:
    """With that many questions the paired test finds the change about four times in five."""
    n = questions_needed(0.2, -0.1)
    assert n is not None
    draws = np.random.default_rng(3).multinomial(n, [0.15, 0.05, 0.80], size=2000)

    found = np.mean([mcnemar_exact(int(b), int(f)) < 0.05 for b, f, _ in draws])

    assert found == pytest.approx(0.8, abs=0.05)


@pytest.mark.parametrize(
    ("difference", "interval", "p", "claim"),
    [
        (-0.03, (-0.05, -0.01), 0.03, "regression"),
        (0.03, (0.01, 0.05), 0.03, "improvement"),
        (0.0, (-0.02, 0.02), 1.0, "no_change"),
        (-0.03, (-0.2, 0.1), 0.4, "cannot_tell"),
        (None, (-1, 1), None, "cannot_tell"),
    ],
)
def test_a_claim_is_made_only_where_data_bear_it(difference, interval, p, claim) -> None:
    """No significant change is 'no change' only when the interval excludes one that matters."""
    from goldassay.analytics.statistics import Interval

    assert claim_of(difference, Interval(*interval), p) == claim


@settings(max_examples=50)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from([0.0, 1.0]), st.sampled_from([1.0, 2.5, 40.0])),
        min_size=1,
        max_size=60,
    )
)
def test_weighted_rate_stays_possible_for_any_clustering(rows: list[tuple[int, float, float]]) -> None:
    """The rate is the ratio of weights; the interval holds it, and its effective size is finite and positive."""
    cells = []
    for weight in {w for _, _, w in rows}:
        clusters: dict[int, list[float]] = {}
        for cluster, passed, w in rows:
            if w == weight:
                clusters.setdefault(cluster, []).append(passed)
        a = [sum(v) * weight for v in clusters.values()]
        b = [len(v) * weight for v in clusters.values()]
        cells.append(
            Cell(
                len(a), sum(a), sum(b), sum(x * x for x in a), sum(x * y for x, y in zip(a, b, strict=True)),
                sum(y * y for y in b), sum(map(len, clusters.values())) * weight**2,
            )
        )  # fmt: skip

    result = weighted_rate(cells)

    assert result.rate is not None
    assert result.rate == pytest.approx(sum(p * w for _, p, w in rows) / sum(w for _, _, w in rows))
    assert result.interval.low - 1e-9 <= result.rate <= result.interval.high + 1e-9
    assert 0 < result.effective_n < 1000


@given(one=st.integers(1, 400), two=st.integers(1, 400), data=st.data())
def test_a_difference_of_shares_is_the_n_minus_one_chi_squared_test(one, two, data) -> None:
    """Against scipy's chi-squared statistic without continuity correction, scaled by (N - 1) / N (Campbell 2007)."""
    had_one, had_two = data.draw(st.integers(0, one)), data.draw(st.integers(0, two))
    found = share_difference_p((had_one / one, one), (had_two / two, two))
    if had_one / one == had_two / two:
        assert found == 1.0
        return
    table = [[had_one, one - had_one], [had_two, two - had_two]]
    chi_squared = chi2_contingency(table, correction=False).statistic
    total = one + two

    assert found == pytest.approx(chi2.sf(chi_squared * (total - 1) / total, 1), rel=1e-6, abs=1e-12)


def test_a_share_of_nothing_proves_nothing() -> None:
    """Without a verdict on one side there is no difference to speak of."""
    assert share_difference_p((0.0, 0), (1.0, 50)) == 1.0
