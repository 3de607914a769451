"""Judges records: a fixed number of workers over an iterator, one journal line per finished call.

    items -> work (what is not yet in the journal, not in the store, within the budget) -> call -> journal

Knows how calls follow each other; what a call is, how it is sent, read, paid and written
stands in its own module. A worker holds one call at a time, so memory is flat.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import httpx

from goldassay.judging.budget import Budget
from goldassay.judging.client import JudgeClient
from goldassay.judging.clock import Clock, SystemClock
from goldassay.judging.journal import Journal, verdicts_from_journal
from goldassay.judging.limits import Limiter
from goldassay.judging.own_server import NO_MODEL, starts_itself, within_reach
from goldassay.judging.parts import journal_head
from goldassay.judging.progress import OnProgress
from goldassay.judging.prompt import JudgeItem
from goldassay.judging.providers import api_key, provider_for, with_proxy
from goldassay.judging.retry import RetryPolicy
from goldassay.judging.rubric_model import Rubric
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.summary import JudgeSummary
from goldassay.judging.work import Work
from goldassay.judging.workers import Workers
from goldassay.verdicts import RunStamp, StoredReply

__all__ = ["Reuse", "judge_items", "judge_shard", "verdicts_from_journal"]

Reuse = Callable[[Sequence[str]], Mapping[str, StoredReply]]
"""Request hashes in, stored replies out, for those that were paid for before."""


async def judge_items(  # noqa: PLR0913 - the seams of a stage; all but the items go by name
    items: Iterable[JudgeItem],
    *,
    rubric: Rubric,
    config: JudgeConfig,
    journal: Path,
    environ: Mapping[str, str],
    stamp: RunStamp,
    reuse: Reuse | None = None,
    limiter: Limiter | None = None,
    on_progress: OnProgress | None = None,
    total: int | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
    clock: Clock | None = None,
    policy: RetryPolicy | None = None,
) -> JudgeSummary:
    """Judge all items; call it again with the same journal to go on after a crash.

    Args:
        items: What to judge, in an order that stays the same when a run is resumed.
        rubric: What to ask.
        config: Whom to ask, how fast, how patiently, for how much.
        journal: File that gets one line per finished call; `verdicts_from_journal` reads it.
        environ: Where the key is looked up, by the name in the settings.
        stamp: What every row of the run shares.
        reuse: Gives replies that were paid for in earlier runs.
        limiter: Permits from elsewhere; None: a limiter of this process alone.
        on_progress: Told about every half second how far it is.
        total: Number of items, where known, for the progress.
        transport: Stands in for the network in tests.
        clock: Stands in for time in tests.
        policy: Stands in for the settings' retries in tests.

    Returns:
        Figures of the whole journal.

    Raises:
        JudgeTerminalError: If no call can succeed: key, bill, model, address. What was judged is in the journal.
        JudgeTransientError: If the judge cannot be reached at all.
        StoreError: If the journal cannot be written.
        ConfigError: If a setting is wrong.
    """
    clock = clock or SystemClock()
    budget = Budget(config, clock=clock)
    head = journal_head(rubric, config, stamp)
    with Journal(journal, head) as log, _reachable(config, transport) as reachable:
        client = JudgeClient(
            provider_for(config),
            with_proxy(reachable, environ),
            key=api_key(config, environ),
            limiter=limiter,
            clock=clock,
            policy=policy,
            transport=transport,
        )
        client.warnings += [NO_MODEL] if starts_itself(config) else []
        work = Work(
            items,
            rubric=rubric,
            config=config,
            log=log,
            budget=budget,
            stamp=stamp,
            reuse=reuse if config.reuse else None,
        )
        run = Workers(work, client, budget, config, rubric, stamp, clock)
        async with client:
            await run.all(on_progress, total)
    return run.finish()


def _reachable(config: JudgeConfig, transport: httpx.AsyncBaseTransport | None) -> AbstractContextManager[JudgeConfig]:
    return within_reach(config) if transport is None else nullcontext(config)


def judge_shard(items: Iterable[JudgeItem], **arguments: Any) -> JudgeSummary:
    """`judge_items` for callers without an event loop; same arguments."""
    return asyncio.run(judge_items(items, **arguments))
