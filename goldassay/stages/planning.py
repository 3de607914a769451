"""Planning: which run to make, over which window, or which unfinished one to go on with."""

from __future__ import annotations

import contextlib
import gzip
import json
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

from goldassay.analytics.connect import connect
from goldassay.errors import ConfigError, RunError
from goldassay.records import AnswerRecord
from goldassay.stages.plan import RunPlan, plan_path, read_plan
from goldassay.stages.pull import PULLED, Taken, versioned_id
from goldassay.stages.setting_aside import rejected_digest
from goldassay.store import RunManifest, Store

__all__ = [
    "NIGHTS",
    "covered_until",
    "is_reported",
    "mark_reported",
    "night_window",
    "parse_moment",
    "parse_window",
    "plan_file",
    "resumable",
    "taken_by_nights",
    "unfinished",
]

NIGHTS = frozenset({"nightly", "backfill"})
"""Kinds of run that take new answers from the log, each answer once."""
_REPORT_WAITS = timedelta(hours=1)
"""How long a published run without a report is gone on with; later, the next night matters more."""

_TAKEN = """
SELECT record_id, app_version FROM answers
WHERE app = $app AND run_kind IN ('nightly', 'backfill')
  AND ($since IS NULL OR asked_at IS NULL OR asked_at >= $since)
"""

_TAKEN_BEFORE = """
SELECT count(DISTINCT (record_id, app_version)) FROM answers
WHERE app = $app AND run_kind IN ('nightly', 'backfill') AND asked_at < $moment
"""


def parse_moment(text: str | None, *, now: datetime, zone: tzinfo = UTC) -> datetime | None:
    """Reads a moment: ISO 8601, a bare date (its midnight), or '24h', '7d' before now, each of its days 24 hours.

    Args:
        text: As it was asked for.
        now: UTC.
        zone: Of dates and times that name none, see `zone_of`. A time that the change of the clocks brings twice is
            the first of both.

    Returns:
        UTC; None for no text.

    Raises:
        ConfigError: If it is none of these.
    """
    if text is None or not text.strip():
        return None
    text = text.strip()
    try:
        if text[:-1].isdecimal() and text[-1] in "hdm":
            unit = {"m": "minutes", "h": "hours", "d": "days"}[text[-1]]
            return now - timedelta(**{unit: int(text[:-1])})
        moment = datetime.fromisoformat(text)
        return (moment.replace(tzinfo=zone) if moment.tzinfo is None else moment).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ConfigError(
            f"{text[:80]!r} is no moment. "
            "Give a date (2026-11-28), a time (2026-11-28T02:30+01:00), or a span (24h, 7d)."
        ) from None


def parse_window(
    since: str | None, until: str | None, *, now: datetime, zone: tzinfo = UTC
) -> tuple[datetime | None, datetime | None]:
    """Reads a window as it was asked for.

    Args:
        since: First moment, see `parse_moment`.
        until: First moment not to take.
        now: UTC.
        zone: Of dates and times that name none.

    Raises:
        ConfigError: If one of them is no moment, or no time lies between them.
    """
    first, last = parse_moment(since, now=now, zone=zone), parse_moment(until, now=now, zone=zone)
    if first is not None and last is not None and first >= last:
        raise ConfigError(
            f"the window is empty: it begins at {first:%Y-%m-%d %H:%M} UTC ({since!r}) and ends at "
            f"{last:%Y-%m-%d %H:%M} UTC ({until!r}). Give an end after the beginning."
        )
    return first, last


def night_window(
    store: Store, app: str, *, now: datetime, late: timedelta
) -> tuple[datetime | None, datetime, datetime | None]:
    """The next night's window by the watermark, not by the clock.

    Args:
        store: The store.
        app: The assistant.
        now: Start of the run, UTC: the end of the window.
        late: How far behind the watermark late logs are looked for.

    Returns:
        Start of what is read (None: from the beginning), its end, and the watermark. Records between
        start and watermark that an earlier run has taken are left out by their ids.
    """
    watermark = covered_until(store.runs(app))
    return (watermark - late if watermark else None), now, watermark


def covered_until(runs: Sequence[RunManifest]) -> datetime | None:
    """The watermark: the end of what complete nights and backfills cover without a gap, from the first night on.

    A night asked for by hand far ahead of the others (`--since`) leaves a gap, and a gap is not skipped: the watermark
    stays before it until a run has closed it.

    Args:
        runs: Runs of one app, in any order.

    Returns:
        None before the first complete night.
    """
    spans = [(run.window_start, run.window_end, run.run_at, run.run_kind) for run in runs if _covers(run)]
    nights = sorted((at, end) for _, end, at, kind in spans if kind == "nightly" and end is not None)
    if not nights:
        return None
    until = nights[0][1]
    while True:
        reached = [
            end for start, end, *_ in spans if end is not None and end > until and (start is None or start <= until)
        ]
        if not reached:
            return until
        until = max(reached)


def _covers(run: RunManifest) -> bool:
    return run.status == "complete" and run.run_kind in NIGHTS


def taken_by_nights(store: Store, app: str, *, since: datetime | None) -> Taken:
    """What earlier nightly and backfill runs have taken.

    Args:
        store: The store.
        app: The assistant.
        since: Begin of the window that is read.
    """
    return Taken(
        known=_known_records(store, app, since=since),
        rejected=_known_rejected(store, app),
        before=_taken_before(store, app, since),
    )


def _known_records(store: Store, app: str, *, since: datetime | None) -> Callable[[AnswerRecord], bool]:
    """Whether a record was taken by an earlier nightly or backfill run, by id and version.

    Args:
        store: The store.
        app: The assistant.
        since: Records asked before this moment are out of reach and left out; None: none is. Undated ones always count.
    """
    if not store.runs(app):
        return lambda _record: False
    with connect(store) as connection:
        rows = connection.execute(_TAKEN, {"app": app, "since": since}).fetchall()
    known = {(str(record_id), str(version or "")) for record_id, version in rows}

    def is_known(record: AnswerRecord) -> bool:
        return any((name, record.app_version) in known for name in (record.record_id, versioned_id(record)))

    return is_known


def _taken_before(store: Store, app: str, moment: datetime | None) -> int | None:
    """How many answers from before a moment were taken; None where the first night began late itself."""
    runs = [run for run in store.runs(app) if run.run_kind in NIGHTS]
    if moment is None or not runs or all(run.window_start is not None for run in runs):
        return None
    with connect(store) as connection:
        found = connection.execute(_TAKEN_BEFORE, {"app": app, "moment": moment}).fetchone()
    return int(found[0]) if found else None


def _known_rejected(store: Store, app: str) -> set[str]:
    """Digests of the lines that earlier nights have set aside: a broken line stays in the log and is news once."""
    digests: set[str] = set()
    for run in store.runs(app):
        if run.run_kind in NIGHTS and run.counts.rejected:
            with contextlib.suppress(FileNotFoundError, ValueError, OSError):
                lines = gzip.decompress(store.files.read_bytes(f"rejected/{run.run_id}.jsonl.gz")).splitlines()
                digests.update(rejected_digest(json.loads(line)) for line in lines)
    return digests


def unfinished(store: Store) -> list[RunPlan]:
    """Plans of runs that were begun and not published, oldest first; finished leftovers are left out."""
    published = {run.run_id for run in store.runs()}
    plans = [plan for plan in _plans(store) if plan.run_id not in published]
    return sorted(plans, key=lambda plan: plan.run_at)


def _plans(store: Store) -> Iterator[RunPlan]:
    for path in plan_path(store.work_dir, "x").parent.glob("*.json"):
        with contextlib.suppress(RunError):  # a file somebody else put there
            yield read_plan(path)


def resumable(store: Store, *, intent: str, now: datetime, max_age: timedelta = timedelta(days=8)) -> RunPlan | None:
    """The newest run that was asked for in the same words and did not come to its end; None when there is none.

    A night that was killed before its log was read is none: nothing was paid for, and a new one
    looks at the log up to now. A night that was published and killed before its report is one, for an hour.

    Args:
        store: The store.
        intent: Digest of what is asked for now.
        now: UTC.
        max_age: Older ones are left alone; `--resume` takes them all the same.
    """
    published = {run.run_id: run for run in store.runs()}
    for plan in sorted(_plans(store), key=lambda plan: plan.run_at, reverse=True):
        if plan.intent != intent or now - plan.run_at > max_age:
            continue
        run = published.get(plan.run_id)
        if _is_worth_it(store, plan) if run is None else _wants_report(store, plan, run, now):
            return plan
    return None


def _is_worth_it(store: Store, plan: RunPlan) -> bool:
    # A golden run has paid for answers of the assistant before its pull is complete.
    return plan.run_kind not in NIGHTS or store.staging(plan.run_id).read_note(PULLED) is not None


def _wants_report(store: Store, plan: RunPlan, run: RunManifest, now: datetime) -> bool:
    ended = run.finished_at or run.run_at
    return plan.run_kind in NIGHTS and not is_reported(store, plan) and now - ended <= _REPORT_WAITS


def is_reported(store: Store, plan: RunPlan) -> bool:
    """Whether the run came to its end, the report."""
    return _reported_path(store, plan).exists()


def mark_reported(store: Store, plan: RunPlan) -> None:
    """Notes that the run came to its end, so that the same command begins a new one."""
    path = _reported_path(store, plan)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()


def _reported_path(store: Store, plan: RunPlan) -> Path:
    return plan_path(store.work_dir, plan.run_id).with_suffix(".reported")


def plan_file(store: Store, run_id: str, kinds: Collection[str] | None = None) -> Path:
    """Where the plan of an unfinished run lies.

    Args:
        store: The store.
        run_id: Its id, or the beginning of it.
        kinds: Kinds of run that may be gone on with here; None: any.

    Raises:
        RunError: If there is no unfinished run of that id and kind.
    """
    open_ones = [plan for plan in unfinished(store) if kinds is None or plan.run_kind in kinds]
    found = [plan for plan in open_ones if plan.run_id.startswith(run_id)]
    if len(found) == 1:
        return plan_path(store.work_dir, found[0].run_id)
    kind = f" {' or '.join(sorted(kinds))}" if kinds is not None else ""
    names = ", ".join(plan.run_id for plan in open_ones) or "none"
    raise RunError(
        f"no single unfinished{kind} run {run_id!r}; unfinished are: {names}. Name one of them with --resume."
    )
