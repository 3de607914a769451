"""What a run would ask the judge, and what that would cost: decided by the very code of the run, asking nobody.

`Work` is let run over the records with a journal of its own; each call it hands out is counted instead of made, and
each it settles from what was paid for is counted as such.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from goldassay.judging.budget import TOKENS_PER_CHAR, TYPICAL_TOKENS_OUT, Budget, cost_usd
from goldassay.judging.engine import Reuse
from goldassay.judging.journal import Journal
from goldassay.judging.parts import journal_head
from goldassay.judging.prompt import JudgeItem
from goldassay.judging.rubric_model import Rubric
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.work import Work
from goldassay.verdicts import RunStamp

__all__ = ["Forecast", "forecast"]


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a run would ask; several shards add up."""

    items: int = 0
    calls: int = 0
    """Calls that will be made: repeats counted, those asked again because a reply cannot be read are not."""
    chars: int = 0
    """Of their prompts."""
    reused: int = 0
    """Calls answered by a reply that an earlier run paid for."""
    shared: int = 0
    """Calls that ask the same as another one of these, and share its reply."""
    resumed: int = 0
    """Calls that the run had finished before it was interrupted."""

    def __add__(self, other: Forecast) -> Forecast:
        """Both together."""
        return Forecast(
            self.items + other.items,
            self.calls + other.calls,
            self.chars + other.chars,
            self.reused + other.reused,
            self.shared + other.shared,
            self.resumed + other.resumed,
        )

    @property
    def tokens_in(self) -> int:
        """Of the calls that will be made, about."""
        return math.ceil(self.chars * TOKENS_PER_CHAR)

    def tokens_out(self, config: JudgeConfig) -> int:
        """Of their replies, about."""
        return self.calls * min(TYPICAL_TOKENS_OUT, config.max_tokens)

    def cost_usd(self, config: JudgeConfig) -> float | None:
        """Dollars for them; None when the model has no price."""
        return cost_usd(config.price, self.tokens_in, 0, self.tokens_out(config))

    def minutes(self, config: JudgeConfig) -> float | None:
        """Shortest time for them at the set rate limits; None when none is set."""
        tokens = self.tokens_in + self.tokens_out(config)
        by_calls = self.calls / config.requests_per_minute if config.requests_per_minute else 0.0
        by_tokens = tokens / config.tokens_per_minute if config.tokens_per_minute else 0.0
        return max(by_calls, by_tokens) or None


def forecast(
    items: Iterable[JudgeItem],
    *,
    rubric: Rubric,
    config: JudgeConfig,
    journal: Path,
    stamp: RunStamp,
    reuse: Reuse | None = None,
) -> Forecast:
    """Count what judging these records would take, limits of the budget left aside.

    Args:
        items: What would be judged.
        rubric: What would be asked.
        config: Whom it would be asked.
        journal: A file of this estimate's own; a copy of a run's journal tells what that run has finished.
        stamp: The run's.
        reuse: Gives replies that were paid for in earlier runs, as for `judge_items`.
    """
    free = config.model_copy(update={"max_cost_usd": None, "max_calls": None, "max_minutes": None})
    with Journal(journal, journal_head(rubric, free, stamp)) as log:
        work = Work(
            items,
            rubric=rubric,
            config=free,
            log=log,
            budget=Budget(free),
            stamp=stamp,
            reuse=reuse if free.reuse else None,
        )
        reused_before = work.summary.reused
        calls, chars = 0, 0
        while (part := work.take()) is not None:
            calls += 1
            chars += part.chars
        found = work.summary
        return Forecast(found.items, calls, chars, found.reused - reused_before, work.sharing, found.resumed)
