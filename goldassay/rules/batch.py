"""Checks many records: order kept, memory bounded, several processes where asked for.

With one worker the records are checked in place. With more, chunks of records go to
a process pool; each worker loads the rules once and keeps its own source cache. At
most two chunks a worker are under way, so memory does not grow with the input.
"""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.rules.engine import RuleSet, load_rules
from goldassay.rules.settings import RulesConfig
from goldassay.verdicts import RunStamp, Verdict

__all__ = ["check_records"]

Pair = tuple[AnswerRecord, GoldenQuestion | None]

_CHUNK_RECORDS = 250
"""Records a chunk: large enough that sending costs little beside checking, small enough to share out evenly."""


def check_records(
    pairs: Iterable[Pair], rules: RuleSet | None = None, *, workers: int = 1, stamp: RunStamp | None = None
) -> Iterator[list[Verdict]]:
    """Check records one after another.

    Args:
        pairs: Records with their golden questions (None: none).
        rules: The rules; None: the default ones.
        workers: Processes; 1 checks in this process.
        stamp: What all rows of the run share; None: a plain check.

    Yields:
        The verdicts of one record, in the order of `pairs`.
    """
    ruleset = rules if rules is not None else load_rules()
    if workers <= 1:
        for record, golden in pairs:
            yield ruleset.verdicts(record, golden, stamp=stamp)
        return
    yield from _in_processes(iter(pairs), ruleset, workers, stamp)


def _in_processes(
    pairs: Iterator[Pair], rules: RuleSet, workers: int, stamp: RunStamp | None
) -> Iterator[list[Verdict]]:
    # Spawned, not forked: the caller may hold threads (Prefect, DuckDB), which a fork can deadlock.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, initializer=_start_worker, initargs=(rules.config, rules.base_dir))
    with pool:
        running: deque[Future[list[list[Verdict]]]] = deque()
        while chunk := list(islice(pairs, _CHUNK_RECORDS)):
            running.append(pool.submit(_check_chunk, chunk, stamp))
            if len(running) >= 2 * workers:
                yield from running.popleft().result()
        while running:
            yield from running.popleft().result()


class _Worker(NamedTuple):
    rules: RuleSet


_worker: list[_Worker] = []  # one entry, set once when the process starts


def _start_worker(config: RulesConfig, base_dir: Path | None) -> None:
    _worker[:] = [_Worker(load_rules(config, base_dir=base_dir))]


def _check_chunk(chunk: list[Pair], stamp: RunStamp | None) -> list[list[Verdict]]:
    rules = _worker[0].rules
    return [rules.verdicts(record, golden, stamp=stamp) for record, golden in chunk]
