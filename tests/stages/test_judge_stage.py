from typing import Any

import pytest

from goldassay.judging.settings import JudgeConfig
from goldassay.stages.judge import budget_left

NOTES: list[dict[str, Any]] = [
    {"cost_usd": 1.5, "calls": 30, "seconds": 60.0},
    {"cost_usd": None, "calls": 20, "seconds": 30.0},
]


def test_a_budget_is_that_of_the_whole_run():
    """Ten shards do not spend it ten times."""
    left = budget_left(JudgeConfig(max_cost_usd=2.0, max_calls=100, max_minutes=2.0), NOTES)

    assert left.max_cost_usd == pytest.approx(0.5)
    assert left.max_calls == 50
    assert left.max_minutes == pytest.approx(0.5)


def test_what_is_overspent_leaves_nothing_and_never_less():
    """The last call of a shard may cost a little more than was left."""
    left = budget_left(JudgeConfig(max_cost_usd=1.0, max_calls=40), NOTES)

    assert (left.max_cost_usd, left.max_calls, left.max_minutes) == (0.0, 0, None)


def test_no_budget_stays_no_budget():
    """None is no limit, and not zero."""
    left = budget_left(JudgeConfig(), NOTES)

    assert (left.max_cost_usd, left.max_calls, left.max_minutes) == (None, None, None)
