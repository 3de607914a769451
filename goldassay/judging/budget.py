"""What a run may cost, and what it has cost; what it will cost stands in `forecast`.

During the run there is a reservation for each record before its calls go out, so that
calls in flight cannot overshoot. At the limit the rest is not asked; the
records were put in an order (`fair_order`) whose every beginning is a fair sample.
"""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from collections.abc import Iterable

from goldassay.errors import ConfigError
from goldassay.judging.clock import Clock, SystemClock
from goldassay.judging.prompt import JudgeItem
from goldassay.judging.providers.base import JudgeReply
from goldassay.judging.settings import JudgeConfig, Price

__all__ = ["TOKENS_PER_CHAR", "TYPICAL_TOKENS_OUT", "Budget", "cost_usd", "fair_order", "order_key"]

TOKENS_PER_CHAR = 0.25
"""Of a prompt, about; corrected by what the provider counts."""
_CAUTION = 1.2
"""Factor on estimated tokens: a reservation should rather be too large."""
TYPICAL_TOKENS_OUT = 150
"""Of a verdict with its reason, before any was seen."""


def cost_usd(
    price: Price | None, tokens_in: int | None, tokens_cached: int | None, tokens_out: int | None
) -> float | None:
    """Price of one call; None when the price or the usage is unknown: unknown is not free."""
    if price is None or tokens_in is None or tokens_out is None:
        return None
    cached = min(tokens_cached or 0, tokens_in)
    cached_price = price.input if price.cached is None else price.cached
    return ((tokens_in - cached) * price.input + cached * cached_price + tokens_out * price.output) / 1e6


def order_key(record_id: str) -> bytes:
    """A record's place in an order that has nothing to do with the log's, and is the same each time."""
    return hashlib.blake2b(record_id.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def fair_order(items: Iterable[JudgeItem]) -> list[JudgeItem]:
    """The items in an order whose every beginning holds the strata in proportion, at random within each.

    The order depends on the record ids alone, so a resumed run goes on where it stopped.
    """
    strata: dict[str, list[tuple[bytes, JudgeItem]]] = defaultdict(list)
    for item in items:
        digest = order_key(item.record.record_id)
        strata[(item.golden.stratum if item.golden else None) or ""].append((digest, item))
    placed: list[tuple[float, bytes, JudgeItem]] = []
    for members in strata.values():
        members.sort(key=lambda member: member[0])
        placed += [((rank + 0.5) / len(members), digest, item) for rank, (digest, item) in enumerate(members)]
    placed.sort(key=lambda place: place[:2])
    return [item for _, _, item in placed]


class Budget:
    """Counts what is spent and reserved against the limits of one run."""

    def __init__(self, config: JudgeConfig, *, clock: Clock | None = None) -> None:
        """Begin to count.

        Raises:
            ConfigError: If there is a limit in money, but no price for the model.
        """
        if config.max_cost_usd is not None and config.price is None:
            raise ConfigError(
                f"max_cost_usd is {config.max_cost_usd!r}, but judge model {config.model!r} has no price. "
                f'Add judge.prices."{config.model}" = {{ input = ..., output = ... }} in dollars per million tokens, '
                "or limit max_calls instead."
            )
        self._config = config
        self._clock = clock or SystemClock()
        self._begun = self._clock.monotonic()
        self._reserved_usd = 0.0
        self._reserved_calls = 0
        self._replies = 0
        self._longest_out = 0
        self._tokens_out = 0
        self._tokens_in = 0
        self._chars = 0
        self.spent_usd: float = 0.0
        self.calls = 0
        """Calls that were answered, those of a run that is resumed included."""

    @property
    def limited(self) -> bool:
        """Whether any limit is set."""
        return self._config.is_limited

    @property
    def deadline(self) -> float:
        """On the monotonic clock; infinity without a time limit."""
        return self._begun + 60 * self._config.max_minutes if self._config.max_minutes is not None else math.inf

    def expected_usd(self, chars: int) -> float:
        """Cautious price of one call with a prompt of so many characters; 0 when no price is known."""
        out = self._tokens_out / self._replies if self._replies else TYPICAL_TOKENS_OUT
        return self._usd(chars, out * _CAUTION)

    def most_usd(self, chars: int) -> float:
        """What to reserve for one such call: the longest reply seen counts, and before any the longest allowed.

        Else all workers would set out before the first reply has told what a judge that thinks takes: ten times the
        usual. Only who sets out alone is reckoned as usual, or a small budget would never begin.
        """
        if self._replies:
            return self._usd(chars, self._longest_out * _CAUTION)
        return self._usd(chars, math.inf) if self.is_reserved else self.expected_usd(chars)

    def _usd(self, chars: int, tokens_out: float) -> float:
        tokens_out = math.ceil(min(self._config.max_tokens, tokens_out))
        per_char = self._tokens_in / self._chars if self._chars else TOKENS_PER_CHAR
        tokens_in = math.ceil(chars * per_char * _CAUTION)
        return cost_usd(self._config.price, tokens_in, 0, tokens_out) or 0.0

    def admit(self, calls: int, usd: float) -> bool:
        """Reserve; False when it would go over a limit, or the time is up."""
        config = self._config
        if self.is_out_of_time:
            return False
        if config.max_calls is not None and self.calls + self._reserved_calls + calls > config.max_calls:
            return False
        if config.max_cost_usd is not None and self.spent_usd + self._reserved_usd + usd > config.max_cost_usd:
            return False
        self._reserved_calls += calls
        self._reserved_usd += usd
        return True

    def release(self, calls: int, usd: float) -> None:
        """Give a reservation back, once its call has ended."""
        self._reserved_calls -= calls
        self._reserved_usd = max(0.0, self._reserved_usd - usd)

    @property
    def is_out_of_time(self) -> bool:
        """Whether the minutes are used up."""
        return self._clock.monotonic() >= self.deadline

    @property
    def is_reserved(self) -> bool:
        """Whether calls are under way whose reservation may turn out too large."""
        return self._reserved_calls > 0

    def spend(self, usd: float | None, chars: int = 0) -> None:
        """One answered call; where the provider tells no usage, what such a prompt is thought to cost counts."""
        self.calls += 1
        self.spent_usd += self.expected_usd(chars) if usd is None else usd

    def learn(self, chars: int, reply: JudgeReply) -> None:
        """What prompts and replies of this run really take."""
        if reply.tokens_in is not None and reply.tokens_out is not None:
            self._replies += 1
            self._tokens_out += reply.tokens_out
            self._longest_out = max(self._longest_out, reply.tokens_out)
            self._tokens_in += reply.tokens_in
            self._chars += chars

    def cost_of(self, reply: JudgeReply) -> float | None:
        """What a reply cost; None when unknown."""
        return cost_usd(self._config.price, reply.tokens_in, reply.tokens_cached, reply.tokens_out)
