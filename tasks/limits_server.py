"""The shared limits on the server: made where they are missing, and looked at before the first call.

A limit lives on the server and outlives the settings; who set it by hand had a reason. So the stricter of the two
holds: a limit that would let through more than the settings allow is lowered, one that lets through less is kept and
told of.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from prefect.client.orchestration import PrefectClient, get_client
from prefect.exceptions import ObjectNotFound

from goldassay.errors import ConfigError, GoldassayError, RunError

__all__ = ["TOKEN_BURST_S", "Shared", "lease_size", "shared_limit"]

TOKEN_BURST_S = 6.0
"""Stock of a limit of tokens, in seconds of its rate: one prompt may take much."""
_ALIKE = 0.01
"""Rates that differ by less than this share are the same."""


class Shared(NamedTuple):
    """A limit on the server that may be leased from."""

    name: str
    lease: int
    """Permits of one lease: about a second's worth, and never more than the limit holds."""


def lease_size(per_minute: float) -> int:
    """Permits of one lease: about a second's worth."""
    return max(1, round(per_minute / 60))


async def shared_limit(name: str, per_minute: float, *, burst_s: float = 1.0, say: Callable[[str], object]) -> Shared:
    """Makes the limit, or fits it to the settings.

    Args:
        name: Of the limit.
        per_minute: What the settings allow.
        burst_s: Stock of the limit, in seconds of its rate.
        say: Told when the limit that is there differs.

    Raises:
        ConfigError: If the limit that is there is switched off or lets nothing through.
        RunError: If the server cannot be asked.
    """
    size = max(1, round(per_minute / 60 * burst_s))
    try:
        async with get_client() as client:
            there = await _read_or_make(client, name, size, _decay(per_minute, size))
            if there is None:
                return Shared(name, min(lease_size(per_minute), size))
            _refuse_unfit(name, there, per_minute)
            await _fit(client, name, there, per_minute, size, say)
    except GoldassayError:
        raise
    except Exception as error:
        raise RunError(
            f"the shared limit {name!r} can be neither read nor made: {type(error).__name__}: {error}. "
            f"Create it (prefect gcl create {name} --limit {size} --slot-decay-per-second ...) "
            "or unset run.shared_limit."
        ) from error
    return Shared(name, max(1, min(lease_size(per_minute), there.limit, size)))


def _decay(per_minute: float, size: int) -> float:
    """A bucket of `size` slots that empties by d a second lets through size + 60 d in the worst minute."""
    return max(per_minute - size, per_minute / 2) / 60


async def _read_or_make(client: PrefectClient, name: str, size: int, decay: float) -> Any | None:
    """The limit that is there; None when it was made just now."""
    try:
        return await client.read_global_concurrency_limit_by_name(name)
    except ObjectNotFound:
        await client.upsert_global_concurrency_limit_by_name(name, size, slot_decay_per_second=decay)
        return None


def _refuse_unfit(name: str, there: Any, per_minute: float) -> None:
    if not there.active:
        raise ConfigError(
            f"the shared limit {name!r} is switched off, so it would let every call through. Switch it on: "
            f"prefect gcl enable {name}; or unset run.shared_limit."
        )
    if there.limit < 1 or there.slot_decay_per_second <= 0:
        decay = _decay(per_minute, lease_size(per_minute))
        raise ConfigError(
            f"the shared limit {name!r} lets nothing through (limit {there.limit}, decay "
            f"{there.slot_decay_per_second:g} a second). Set it: prefect gcl update {name} "
            f"--limit {lease_size(per_minute)} --slot-decay-per-second {decay:g}"
        )


async def _fit(
    client: PrefectClient, name: str, there: Any, per_minute: float, size: int, say: Callable[[str], object]
) -> None:
    passes = there.limit + 60 * there.slot_decay_per_second
    ours = size + 60 * _decay(per_minute, size)
    if abs(passes - ours) <= _ALIKE * ours:
        return
    if passes > ours:
        await client.upsert_global_concurrency_limit_by_name(name, size, slot_decay_per_second=_decay(per_minute, size))
        say(f"the shared limit {name!r} let {passes:,.0f} a minute through and is lowered to {per_minute:,.0f}")
        return
    say(
        f"the shared limit {name!r} lets {passes:,.0f} a minute through, fewer than the {per_minute:,.0f} of "
        f"the settings; it is kept. To raise it: prefect gcl update {name} --limit {size} "
        f"--slot-decay-per-second {_decay(per_minute, size):g}"
    )
