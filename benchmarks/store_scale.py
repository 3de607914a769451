"""Growth of the store with rows: write speed, and the three questions of the morning after.

Generates months of nightly runs (300 versions over three years), column by column,
through the store's own writer, and times the queries on two threads with memory
capped at 2 GB. Prints a Markdown table.

    python benchmarks/store_scale.py --rows 1000000 10000000            # about two minutes
    python benchmarks/store_scale.py --rows 100000000 --compacted       # about fifteen minutes, 4 GB of disk

Lines marked * are the product's own functions (what `goldassay history` and `goldassay compare` call), the others
plain SQL over the views. Seconds are of the clock, CPU seconds of all threads: on a machine that others use
too, only the latter repeat.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from goldassay.analytics.compare import compare
from goldassay.analytics.connect import connect
from goldassay.analytics.history import history
from goldassay.analytics.reasons import category_counts
from goldassay.analytics.scope import Scope
from goldassay.store.manifest import RunCounts, RunManifest
from goldassay.store.parquet import sorted_table
from goldassay.store.paths import month_of, part_path
from goldassay.store.publish import write_part
from goldassay.store.schema import VERDICT_SCHEMA
from goldassay.store.store import Store, open_store

NIGHTS = 1095
VERSIONS = 300
QUESTIONS = 500
"""Golden questions asked every night; the rest of a night is the log."""
CHECKS = ("cites", "numbers", "refusal", "key_fact", "length", "language", "format", "faithful", "relevant", "correct")
JUDGED = 3
"""The last checks are the judge's."""
FAILURES = ("wrong_number", "added_claim", "missing_fact", "bad_citation", "wrong_refusal", "too_long", "other")
BUILT = 7
"""Nights built at random; the others are these under another name, which a query cannot tell."""
START = datetime(2023, 12, 1, 1, tzinfo=UTC)

COUNTS = """
SELECT app_version, category, count(*) AS n FROM verdicts WHERE outcome IN ('fail', 'error')
GROUP BY app_version, category
"""
ALL_COUNTS = "SELECT app_version, category, count(*) AS n FROM verdicts GROUP BY app_version, category"
RATES = """
SELECT app_version, "check", count(*) FILTER (outcome = 'pass') AS passed, sum(weight) AS weight, count(*) AS n
FROM verdicts WHERE outcome IN ('pass', 'fail', 'error') GROUP BY app_version, "check"
"""
COMPARE = """
WITH side AS (
    SELECT app_version, question_id, "check", arg_max(outcome, run_at) AS outcome
    FROM verdicts
    WHERE app_version IN ($base, $head) AND question_id IS NOT NULL AND outcome IN ('pass', 'fail')
    GROUP BY app_version, question_id, "check"
)
SELECT base."check", count(*) AS pairs,
    count(*) FILTER (base.outcome = 'pass' AND head.outcome = 'fail') AS broken,
    count(*) FILTER (base.outcome = 'fail' AND head.outcome = 'pass') AS fixed
FROM side AS base JOIN side AS head USING (question_id, "check")
WHERE base.app_version = $base AND head.app_version = $head
GROUP BY base."check"
"""
MONTH = """
SELECT app_version, "check", count(*) FROM verdicts WHERE month = '2026-06' GROUP BY ALL
"""


def night(number: int, rows: int, rng: np.random.Generator) -> pa.Table:
    """Build the verdicts of one night: rows / 10 records with ten checks each."""
    records = max(1, rows // len(CHECKS))
    count = records * len(CHECKS)
    record = np.repeat(np.arange(records), len(CHECKS))
    check = np.tile(np.arange(len(CHECKS)), records)
    outcome = rng.choice(4, count, p=[0.86, 0.09, 0.01, 0.04])
    failed, erred = outcome == 1, outcome == 2
    judge = check >= len(CHECKS) - JUDGED
    category = np.where(failed, rng.integers(0, len(FAILURES), count), len(FAILURES))
    made = {
        "run_id": _constant(f"night-{number:04d}", count),
        "run_kind": _constant("nightly", count),
        "run_at": pa.repeat(pa.scalar(START + timedelta(days=number), pa.timestamp("us", tz="UTC")), count),
        "app": _constant("atlas", count),
        "app_version": _constant(f"v{number * VERSIONS // NIGHTS:03d}", count),
        "model": _constant(f"answerer-{number // 100}", count),
        "record_id": pa.array(np.char.add(f"{number:04d}-", record.astype("U7"))).cast(pa.string()),
        "question_id": _where(record < QUESTIONS, np.char.add("q", record.astype("U7"))),
        "stratum": _pick(("billing", "network", "account", "other"), record % 4),
        "answerable": pa.array(record % 10 != 0, mask=record >= QUESTIONS),
        "asked_at": pa.repeat(pa.scalar(START + timedelta(days=number), pa.timestamp("us", tz="UTC")), count),
        "check": _pick(CHECKS, check),
        "check_kind": _pick(("rule", "judge"), judge.astype(int)),
        "check_version": _constant("1", count),
        "outcome": _pick(("pass", "fail", "error", "skip"), outcome),
        "category": _pick((*FAILURES, None), np.where(erred, len(FAILURES) - 1, category)),
        "severity": _pick(("gate", "warn"), (check % 2)),
        "score": pa.array(rng.integers(1, 6, count).astype(float), mask=~judge),
        "weight": pa.array(np.where(judge, 5.0, 1.0)),
        "reused": pa.repeat(pa.scalar(value=False), count),
        "judge_model": _where(judge, np.full(count, "judge-large")),
        "cost_usd": pa.array(rng.random(count) / 100, mask=~judge),
        "request_hash": _hashes(judge, rng),
        "reason": _pick(("", "the number 42 is in none of the cited sources", "not supported"), np.minimum(outcome, 2)),
        "reply": _where(judge, np.char.add('{"score": 4, "reason": "The answer follows source ', record.astype("U7"))),
    }
    columns = [made.get(field.name, pa.nulls(count, field.type)).cast(field.type) for field in VERDICT_SCHEMA]
    return pa.Table.from_arrays(columns, schema=VERDICT_SCHEMA)


def renamed(table: pa.Table, number: int) -> pa.Table:
    """Make one more night of a night that is built: another run, time, version and model."""
    at = pa.scalar(START + timedelta(days=number), pa.timestamp("us", tz="UTC"))
    changed: dict[str, Any] = {
        "run_id": pa.scalar(f"night-{number:04d}"),
        "run_at": at,
        "asked_at": at,
        "app_version": pa.scalar(f"v{number * VERSIONS // NIGHTS:03d}"),
        "model": pa.scalar(f"answerer-{number // 100}"),
    }
    for name, value in changed.items():
        position = table.schema.get_field_index(name)
        table = table.set_column(position, table.schema.field(position), pa.repeat(value, table.num_rows))
    return table


def _constant(value: str, count: int) -> pa.Array:
    return pa.repeat(pa.scalar(value), count)


def _pick(words: tuple[str | None, ...], index: np.ndarray) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(index, pa.int32()), pa.array(words, pa.string())).cast(pa.string())


def _where(mask: np.ndarray, values: np.ndarray) -> pa.Array:
    return pa.array(values, mask=~mask).cast(pa.string())


def _hashes(judge: np.ndarray, rng: np.random.Generator) -> pa.Array:
    """Random SHA-256 values: the one column that nothing compresses."""
    text = rng.bytes(32 * int(judge.sum())).hex()
    wanted = iter(range(0, len(text), 64))
    return pa.array([text[(at := next(wanted)) : at + 64] if is_judge else None for is_judge in judge.tolist()])


def generate(store: Store, rows: int, nights: int) -> float:
    """Write all nights and their manifests; returns rows a second of writing alone."""
    rng = np.random.default_rng(1)
    seconds = 0.0
    per_night = rows // nights
    built = [sorted_table(night(number, per_night, rng), "verdicts") for number in range(BUILT)]
    for number in range(nights):
        table = renamed(built[number % BUILT], number * NIGHTS // nights)
        run_id, at = f"night-{number * NIGHTS // nights:04d}", START + timedelta(days=number * NIGHTS // nights)
        started = time.perf_counter()
        entry = write_part(store.files, part_path("verdicts", "atlas", month_of(at), name=run_id, number=0), table)
        seconds += time.perf_counter() - started
        version = table.column("app_version")[0].as_py()
        counts = RunCounts(records=table.num_rows // len(CHECKS), verdicts=table.num_rows)
        manifest = RunManifest(
            run_id=run_id,
            run_kind="nightly",
            run_at=at,
            app="atlas",
            app_version=version,
            app_versions=(version,),
            counts=counts,
            files=(entry,),
        )
        store.files.write_bytes(f"runs/{run_id}.json", manifest.model_dump_json().encode())
    return nights * (per_night // len(CHECKS) * len(CHECKS)) / seconds


class Timing(NamedTuple):
    """Seconds of the first time and the medians of all."""

    first: float
    median: float
    cpu: float


def timed(work: Callable[[], object], *, repeats: int = 3) -> Timing:
    """Time a piece of work by the clock and by all threads' CPU."""
    times: list[float] = []
    cpus: list[float] = []
    for _ in range(repeats):
        started, used = time.perf_counter(), _cpu()
        work()
        times.append(time.perf_counter() - started)
        cpus.append(_cpu() - used)
    return Timing(times[0], statistics.median(times), statistics.median(cpus))


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def measure(store: Store) -> Iterator[tuple[str, Timing]]:
    """Time connecting and each question."""
    yield "connect", timed(lambda: connect(store, threads=2).close())
    connection = connect(store, memory_limit="2GB", threads=2)
    versions = sorted({run.app_version for run in store.runs()})
    base, head = versions[len(versions) // 2 - 1], versions[len(versions) // 2]
    questions: dict[str, Callable[[], object]] = {
        "version x category (failures)": lambda: connection.execute(COUNTS).fetchall(),
        "version x category (all rows)": lambda: connection.execute(ALL_COUNTS).fetchall(),
        "version x category x check *": lambda: category_counts(connection, Scope()),
        "version x check rates": lambda: connection.execute(RATES).fetchall(),
        "compare two versions": lambda: connection.execute(COMPARE, {"base": base, "head": head}).fetchall(),
        "compare() two versions *": lambda: compare(store, base, head, by="app_version", connection=connection),
        "one month": lambda: connection.execute(MONTH).fetchall(),
        "history() *": lambda: history(store, details=False, connection=connection),
    }
    for name, work in questions.items():
        yield name, timed(work)
    connection.close()


def main() -> None:
    """Run the sizes asked for and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000])
    parser.add_argument("--nights", type=int, default=NIGHTS)
    parser.add_argument("--compacted", action="store_true", help="measure again after compaction")
    parser.add_argument("--keep", type=Path, help="write here and leave it, or measure what is here")
    arguments = parser.parse_args()
    print("| rows | files | MB | rows/s written | question | first s | median s | CPU s |")
    print("|---|---|---|---|---|---|---|---|")
    for rows in arguments.rows:
        folder = arguments.keep or Path(tempfile.mkdtemp(prefix="goldassay-scale-"))
        try:
            store = open_store(folder)
            speed = generate(store, rows, arguments.nights) if not store.runs() else 0.0
            report(store, rows, speed)
            if arguments.compacted:
                store.compact(grace_s=0)
                report(store, rows, 0.0)
        finally:
            if arguments.keep is None:
                shutil.rmtree(folder, ignore_errors=True)


def report(store: Store, rows: int, speed: float) -> None:
    """Print the lines of one store."""
    files = store.live_files()
    size = sum(entry.bytes for entry in files.values()) / 1e6
    for question, timing in measure(store):
        took = " | ".join(f"{seconds:.2f}" for seconds in timing)
        print(f"| {rows:,} | {len(files):,} | {size:,.0f} | {speed:,.0f} | {question} | {took} |", flush=True)


if __name__ == "__main__":
    main()
