"""Shows how far the judging is: a live line on a terminal, a plain line every half minute elsewhere."""

from __future__ import annotations

import contextlib
import math
import sys
import time
from collections.abc import Callable, Iterator
from typing import TextIO

from goldassay.judging.progress import OnProgress, ProgressSnapshot

__all__ = ["PLAIN_EVERY_S", "progress_line", "progress_reporter"]

PLAIN_EVERY_S = 30.0
"""Seconds between plain lines: often enough to see that it lives, seldom enough for a log."""


def progress_line(snapshot: ProgressSnapshot) -> str:
    """One line: calls done, in flight, rate against limit, errors, cost so far, time left."""
    total = "" if snapshot.total is None else f"/{snapshot.total:,}"
    parts = [f"judge {snapshot.done:,}{total} calls", f"{snapshot.in_flight} in flight"]
    limit = "" if math.isinf(snapshot.limit_per_s) else f" of {snapshot.limit_per_s:.1f}"
    parts.append(f"{snapshot.rate_per_s:.1f}{limit} a second")
    parts.append(f"{snapshot.errors} errors")
    if snapshot.cost_usd is not None:
        parts.append(f"${snapshot.cost_usd:.2f}")
    if snapshot.seconds_left is not None and snapshot.done:
        parts.append(f"about {_span(snapshot.seconds_left)} left")
    return ", ".join(parts)


@contextlib.contextmanager
def progress_reporter(
    log: Callable[[str], object], *, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
) -> Iterator[OnProgress]:
    """What to hand to `judge_items` as `on_progress`.

    Args:
        log: Takes the plain lines where there is no terminal.
        stream: Where the live line is drawn; standard error by default.
        clock: Stands in for time in tests.
    """
    where = sys.stderr if stream is None else stream
    if where.isatty():
        with _live(where) as on_progress:
            yield on_progress
        return
    said_at = clock()

    def say(snapshot: ProgressSnapshot) -> None:
        nonlocal said_at
        if clock() - said_at >= PLAIN_EVERY_S:
            said_at = clock()
            log(progress_line(snapshot))

    yield say


@contextlib.contextmanager
def _live(stream: TextIO) -> Iterator[OnProgress]:
    from rich.console import Console  # noqa: PLC0415 - only a terminal pays for it
    from rich.progress import BarColumn, Progress, TextColumn  # noqa: PLC0415 - as above

    console = Console(file=stream)
    with Progress(BarColumn(bar_width=24), TextColumn("{task.description}"), console=console, transient=True) as bar:
        line = bar.add_task("judge", total=None)

        def draw(snapshot: ProgressSnapshot) -> None:
            bar.update(line, total=snapshot.total, completed=snapshot.done, description=progress_line(snapshot))

        yield draw


def _span(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
