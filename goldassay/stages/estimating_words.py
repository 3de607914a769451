"""The estimate in words: what will be asked and paid for, and what will not be because it was paid for before."""

from __future__ import annotations

import math

from goldassay.judging.forecast import Forecast
from goldassay.judging.settings import JudgeConfig

__all__ = ["estimate_words"]


def estimate_words(made: Forecast, judge: JudgeConfig, *, shards: int, to_ask: int, criteria: int) -> str:
    """Say what a run would ask.

    Args:
        made: The calls, all shards together.
        judge: Prices and rates.
        shards: Shards of the judge. What two of them ask alike is told only when the first is done.
        to_ask: Golden questions whose answers the assistant has yet to give.
        criteria: Criteria of the rubric: calls about an answer of which nothing is known.

    Returns:
        Sentences with a full stop.
    """
    return " ".join([_to_make(made, judge, shards), *_spared(made), *_yet_to_come(made, judge, to_ask, criteria)])


def _to_make(made: Forecast, judge: JudgeConfig, shards: int) -> str:
    if not made.calls:
        return "no call to make."
    most = "at most " if shards > 1 else ""
    tokens = f"about {made.tokens_in:,} tokens in and {made.tokens_out(judge):,} out"
    price = made.cost_usd(judge)
    cost = "price unknown (judge.prices)" if price is None else f"about {price:.2f} US dollars"
    rate = made.minutes(judge)
    minutes = "" if rate is None else f", at least {rate:.1f} minutes at the set rate"
    calls = f"{made.calls:,} {'call' if made.calls == 1 else 'calls'} to make"
    return f"{most}{calls}, {tokens}, {cost}{minutes}."


def _spared(made: Forecast) -> list[str]:
    """Calls that will not be made; none where nothing is spared."""
    parts = [
        (made.reused, "by a reply that an earlier run paid for"),
        (made.shared, "by the reply to another call that asks the same"),
        (made.resumed, "already, before the run was interrupted"),
    ]
    told = "; ".join(f"{count:,} {words}" for count, words in parts if count)
    return [f"Besides, answered at no cost: {told}."] if told else []


def _yet_to_come(made: Forecast, judge: JudgeConfig, to_ask: int, criteria: int) -> list[str]:
    if not to_ask:
        return []
    seen = made.calls + made.reused + made.shared + made.resumed
    each = seen / made.items if made.items else criteria * judge.repeats
    told = (
        f"{to_ask:,} golden questions have no answer in the log and are put to the assistant first; judging "
        f"what it says takes about {math.ceil(each * to_ask):,} calls more."
    )
    return [told]
