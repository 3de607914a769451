"""Which answers a person is asked to label."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from goldassay.review.sample import Candidate, draw_sample


def many(passed: int, failed: int, errors: int = 0, flagged: int = 0) -> list[Candidate]:
    """Candidates in the order of the log: first those that passed."""
    outcomes = ["pass"] * passed + ["fail"] * failed + ["error"] * errors
    return [Candidate(f"r{place}", outcome, place < flagged) for place, outcome in enumerate(outcomes)]


def drawn(candidates: list[Candidate], number: int, **more) -> Counter[str]:
    """How many of each outcome were drawn."""
    outcomes = {one.record_id: one.outcome for one in candidates}
    return Counter(outcomes[name] for name in draw_sample(candidates, number, salt="a", **more))


def test_half_of_the_answers_come_from_each_outcome_of_the_judge():
    """A judge that fails one in twenty would otherwise show one failure in twenty labels."""
    assert drawn(many(950, 50), 30) == {"pass": 15, "fail": 15}


def test_where_one_outcome_is_rare_the_other_fills_up():
    """All failures there are, and passes for the rest; fewer answers than wanted: all of them."""
    assert drawn(many(950, 4), 30) == {"pass": 26, "fail": 4}
    assert drawn(many(3, 950), 30) == {"pass": 3, "fail": 27}
    assert drawn(many(5, 2), 30) == {"pass": 5, "fail": 2}


def test_answers_the_judge_could_not_grade_are_left_out_unless_asked_for():
    """They tell nothing of its two error rates."""
    assert drawn(many(50, 50, errors=50), 20)["error"] == 0
    assert drawn(many(50, 50, errors=50), 20, first="flagged")["error"] == 10


def test_flagged_answers_come_first_and_are_half_at_most():
    """Somebody should look at them anyway."""
    candidates = many(60, 40, flagged=30)
    flagged = {one.record_id for one in candidates if one.flagged}

    shown = draw_sample(candidates, 20, salt="a", first="flagged")

    assert [name in flagged for name in shown] == [True] * 10 + [False] * 10


def test_where_all_are_flagged_they_are_still_labelled():
    """A store of canaries alone is no empty store."""
    assert drawn(many(3, 3, flagged=6), 4, first="flagged").total() == 4


def test_the_order_does_not_give_the_judge_away():
    """Outcomes in turn, or in blocks, would be seen through after three answers."""
    candidates = many(100, 100)
    outcomes = {one.record_id: one.outcome for one in candidates}
    order = [outcomes[name] for name in draw_sample(candidates, 100, salt="a")]

    changes = sum(one != other for one, other in pairwise(order))
    assert 35 <= changes <= 65


@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 60), st.integers(0, 30))
def test_a_larger_sample_holds_the_smaller_one(passed, failed, number, more):
    """Whoever goes on labelling, or labels beside another person, sees the same answers."""
    candidates = many(passed, failed)
    small = draw_sample(candidates, number, salt="a")

    assert len(small) == min(number, passed + failed) == len(set(small))
    if passed >= number + more and failed >= number + more:
        assert set(small) <= set(draw_sample(list(reversed(candidates)), number + more, salt="a"))


def test_another_check_draws_other_answers():
    """One unlucky draw does not stand for all criteria."""
    candidates = many(500, 500)

    assert set(draw_sample(candidates, 30, salt="a")) != set(draw_sample(candidates, 30, salt="b"))
