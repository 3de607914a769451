"""Two nights of which samples were judged, failed questions again for certain: pairs stand for the log."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta

import numpy as np
import pytest

from goldassay.analytics.compare import compare
from goldassay.analytics.models import GateState
from goldassay.analytics.sampling import Candidate, SamplingConfig, select_sample
from goldassay.analytics.statistics import (
    PairTable,
    mcnemar_exact,
    newcombe_paired_difference,
    paired_bootstrap,
    paired_change,
)


def judged_night(name: str, probabilities, failed, nightly: int, rng) -> tuple[dict[int, float], np.ndarray]:
    """Weights of the questions that the product's own sample holds, and the outcome of every question."""
    candidates = [Candidate(f"{name}-{i}", failed_before=bool(is_failed)) for i, is_failed in enumerate(failed)]
    chosen = select_sample(candidates, SamplingConfig(nightly=nightly))
    weights = {int(one.record_id.rpartition("-")[2]): one.weight for one in chosen}
    return weights, rng.random(len(probabilities)) < probabilities


def two_nights(name: str, probabilities, later, nightly: int, rng) -> dict[float, PairTable]:
    """Tables by weight of two nights after a first one, each judging the failures of the night before again."""
    nights, failed = [], np.zeros(len(probabilities), bool)
    for night, rates in enumerate((probabilities, probabilities, later)):
        weights, passed = judged_night(f"{name}{night}", rates, failed, nightly, rng)
        nights.append((weights, passed))
        failed = np.array([i in weights and not passed[i] for i in range(len(rates))])
    (base, was), (head, now) = nights[1:]
    places: dict[float, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for i in base.keys() & head.keys():
        places[round(base[i] * head[i], 6)][2 * (not was[i]) + (bool(was[i]) != bool(now[i]))] += 1
    # Order of the places: pass-pass, broken, then fail-fail, fixed.
    return {weight: PairTable(row[0], row[1], row[3], row[2]) for weight, row in places.items()}


def test_nights_without_a_change_seldom_look_like_one() -> None:
    """Counted one by one, the pairs called two nights in five progress: failures are looked at again for certain."""
    rng = np.random.default_rng(7)
    plain = weighted = held = 0
    for night in range(100):
        rates = rng.beta(9, 1, 400)
        cells = two_nights(f"{night}-", rates, rates, 200, rng)
        plain += mcnemar_exact(sum(t.broken for t in cells.values()), sum(t.fixed for t in cells.values())) < 0.05
        found = paired_change(cells)
        weighted += found.p_value < 0.05
        held += found.interval.low <= 0 <= found.interval.high

    assert plain > 25
    assert weighted <= 9
    assert held >= 91


def test_a_fall_is_seen_that_plain_counts_hide() -> None:
    """Every question 15 % worse: one by one the fixed ones drown it, by weight it is found, as large as it is."""
    rng = np.random.default_rng(8)
    plain = weighted = held = 0
    for night in range(60):
        rates = rng.beta(9, 1, 400)
        cells = two_nights(f"{night}-", rates, 0.85 * rates, 200, rng)
        plain += mcnemar_exact(sum(t.broken for t in cells.values()), sum(t.fixed for t in cells.values())) < 0.05
        found = paired_change(cells)
        weighted += found.p_value < 0.05 and found.difference < 0
        held += found.interval.low <= -0.15 * rates.mean() <= found.interval.high

    assert plain < 20
    assert weighted > 45
    assert held >= 52


def test_with_even_chances_it_is_the_exact_test() -> None:
    """The airway example of Fagerland and others (2013), and Newcombe's interval, whatever the one weight is."""
    for weight in (1.0, 8.5):
        found = paired_change({weight: PairTable(1, 7, 1, 12)})

        assert found.p_value == pytest.approx(0.0703, abs=5e-5)
        assert found.interval == newcombe_paired_difference(1, 7, 1, 12)
        assert (found.base_rate, found.head_rate) == pytest.approx((8 / 21, 2 / 21))


def test_a_sampled_change_by_hand() -> None:
    """18 of 20 failures fixed, 2 of 18 passes broken, each of these for ten: nothing moved, 18 - 20 of 200."""
    cells = {1.0: PairTable(0, 0, 18, 2), 10.0: PairTable(16, 2, 0, 0)}

    found = paired_change(cells)

    assert (found.base_rate, found.head_rate) == pytest.approx((180 / 200, 178 / 200))
    assert found.difference == pytest.approx(-0.01)
    assert found.discordant == pytest.approx(38 / 200)
    own = [newcombe_paired_difference(*table) for table in cells.values()]
    # Shares of the cells are 0.1 and 0.9, their differences 0.9 and -1/9; only the second cell's size is chance.
    sizes = 1.959964**2 * 0.9**2 * (-1 / 9 + 0.01) ** 2 * (1 - 1 / 10) / 18
    below = (0.1 * (0.9 - own[0].low)) ** 2 + (0.9 * (-1 / 9 - own[1].low)) ** 2 + sizes
    above = (0.1 * (own[0].high - 0.9)) ** 2 + (0.9 * (own[1].high + 1 / 9)) ** 2 + sizes
    assert found.interval == pytest.approx((-0.01 - below**0.5, -0.01 + above**0.5), abs=1e-6)
    assert found.p_value > 0.8


def test_the_p_value_belongs_to_its_interval() -> None:
    """At the level where the interval just holds zero; five changed questions prove nothing, whatever they weigh."""
    found = paired_change(cells := {1.0: PairTable(10, 1, 8, 3), 4.0: PairTable(60, 12, 2, 6)})

    edge = paired_change(cells, level=1 - found.p_value).interval
    assert 0 < found.p_value < 0.05
    assert min(abs(edge.low), abs(edge.high)) == pytest.approx(0, abs=1e-5)
    few = paired_change({1.0: PairTable(100, 0, 0, 0), 50.0: PairTable(0, 5, 0, 0)})
    assert few.p_value >= mcnemar_exact(5, 0) > 0.05


def test_a_weighted_mean_of_scores_has_its_interval() -> None:
    """For many pairs that of a ratio of sums; one weight for all changes nothing."""
    rng = np.random.default_rng(2)
    scores, weights = rng.normal(0.2, 1, 4000), rng.choice([1.0, 10.0], 4000)

    interval = paired_bootstrap(list(scores), list(weights))

    mean = np.average(scores, weights=weights)
    half = 1.96 * np.sqrt(np.sum((weights * (scores - mean)) ** 2)) / weights.sum()
    assert interval == pytest.approx((mean - half, mean + half), abs=0.004)
    assert paired_bootstrap(list(scores), [3.0] * 4000) == pytest.approx(paired_bootstrap(list(scores)))


@pytest.mark.parametrize("n", [10, 20, 60])
def test_the_interval_of_a_mean_score_covers(n) -> None:
    """Plain percentiles of ten pairs held the truth 89 times in 100; widened they hold it about 95 times."""
    rng = np.random.default_rng(n)
    held = 0
    for _ in range(200):
        interval = paired_bootstrap(list(rng.normal(0.1, 1, n)))
        assert interval is not None
        held += interval.low <= 0.1 <= interval.high

    assert 0.91 <= held / 200 <= 0.98


def publish_nights(store, verdict, publish_run, nights) -> None:
    """Runs n1 and n2 of the same questions: {question: (outcome, weight)} each, and a rule that sees every answer."""
    everything = set().union(*nights)
    for name, judged in zip(("n1", "n2"), nights, strict=True):
        given = datetime.fromisoformat("2026-03-30T00:00:00+00:00") + timedelta(days=int(name[1]))
        rows = [
            verdict(name, f"{name}{q}", "faithful", outcome, question_id=q, weight=weight, asked_at=given)
            for q, (outcome, weight) in judged.items()
        ]
        rows += [verdict(name, f"{name}{q}", "cites", "pass", question_id=q, asked_at=given) for q in everything]
        publish_run(store, name, rows)


def test_a_stored_sample_is_compared_by_weight(store, verdict, publish_run) -> None:
    """Checks and whole answers alike; the counts stay those seen, and the sentence says what the rates are of."""
    base = {f"f{i}": ("fail", 10.0) for i in range(20)} | {f"p{i}": ("pass", 10.0) for i in range(18)}
    head = {f"f{i}": ("pass" if i < 18 else "fail", 1.0) for i in range(20)}
    head |= {f"p{i}": ("fail" if i < 2 else "pass", 10.0) for i in range(18)} | {"other": ("pass", 10.0)}
    publish_nights(store, verdict, publish_run, (base, head))

    report = compare(store, "n1", "n2")

    faithful = next(check.overall for check in report.checks if check.overall.check == "faithful")
    assert (faithful.common, faithful.broken, faithful.fixed, faithful.is_weighted) == (38, 2, 18, True)
    assert faithful.difference == pytest.approx(-0.01)
    assert faithful.claim == "cannot_tell"
    assert faithful.sentence.startswith("faithful fell from 0.90 to 0.89 on 38 common questions, weighted to the log;")
    assert report.answers is not None
    assert (report.answers.common, report.answers.broken, report.answers.fixed) == (39, 2, 18)
    assert report.answers.difference == pytest.approx(-0.01)
    assert report.gate is not None
    assert report.gate.state is GateState.PASS


def test_pairs_that_were_all_looked_up_again_tell_nothing(store, verdict, publish_run) -> None:
    """Failures of last night that pass now are no progress while nobody looked at what passed then."""
    base = {f"f{i}": ("fail", 10.0) for i in range(20)} | {f"p{i}": ("pass", 10.0) for i in range(18)}
    head = {f"f{i}": ("pass", 1.0) for i in range(20)} | {f"other{i}": ("pass", 10.0) for i in range(18)}
    publish_nights(store, verdict, publish_run, (base, head))

    report = compare(store, "n1", "n2")

    faithful = next(check.overall for check in report.checks if check.overall.check == "faithful")
    assert (faithful.fixed, faithful.p_value, faithful.claim) == (20, None, "cannot_tell")
    assert "none drawn by chance: cannot tell of the others" in faithful.sentence
    assert report.answers is not None
    assert report.answers.claim == "cannot_tell"
    assert report.gate is not None
    assert report.gate.state is GateState.NOT_EVALUABLE


def test_an_answer_judged_again_was_drawn_once(store, verdict, publish_run) -> None:
    """Both sides hold the very same record: its weight is not multiplied."""
    for name in ("n1", "n2"):
        rows = [verdict(name, f"r{i}", "faithful", "pass", question_id=f"q{i}", weight=8.0) for i in range(6)]
        rows += [verdict(name, "rx", "faithful", "fail", question_id="qx", weight=1.0)]
        publish_run(store, name, rows)

    (faithful,) = compare(store, "n1", "n2").checks

    assert faithful.overall.base_rate == pytest.approx(48 / 49)


def test_whole_answers_add_what_the_judge_alone_failed_to_the_rules() -> None:
    """Rules saw 100 questions and broke 12; of 40 judged ones, some for three, the judge alone broke 2 and fixed 6."""
    rules = PairTable(80, 12, 2, 6)
    judge = {1.0: PairTable(8, 0, 6, 1), 3.0: PairTable(23, 2, 0, 0)}

    found = paired_change(judge, rules=rules)

    assert found.base_rate == pytest.approx(0.92 + (8 + 75) / 90 - 1)
    assert found.head_rate == pytest.approx(0.82 + (8 + 6 + 69) / 90 - 1)
    assert found.difference == pytest.approx(-0.10 + (6 - 6) / 90)
    assert found.interval.low < found.difference < found.interval.high
    assert found.p_value == pytest.approx(2 * mcnemar_exact(12, 2))


def test_rules_alone_prove_nothing_where_the_whole_moved_the_other_way() -> None:
    """The judge's part made up for them."""
    found = paired_change({1.0: PairTable(8, 0, 30, 1), 3.0: PairTable(23, 0, 10, 0)}, rules=PairTable(80, 12, 2, 6))

    assert found.difference > 0
    assert found.p_value != pytest.approx(2 * mcnemar_exact(12, 2))
