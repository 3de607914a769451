"""Rows a second from Python objects to published Parquet and back, stage by stage.

    python benchmarks/store_write.py --records 20000

Each record has a source text of 4 kB and ten checks. Prints rows a second and the ratio to the floor:
the same rows written by pyarrow from columns that are ready.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from goldassay.records import AnswerRecord, Source
from goldassay.store import RunManifest, open_store
from goldassay.store.schema import batch_to_verdicts, verdicts_to_batch
from goldassay.verdicts import Category, Evidence, Outcome, Verdict

Result = TypeVar("Result")
CHECKS = 10


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Return seconds and result."""
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result


def record(number: int) -> AnswerRecord:
    """One answer with a source of 4 kB."""
    text = f"Plan {number} costs {number} EUR a month and can be cancelled. " * 70
    source = Source(id="1", text=text)
    return AnswerRecord(
        record_id=str(number),
        question="How much?",
        answer=f"{number} EUR [1]",
        sources=(source,),
        app="atlas",
        app_version="1",
    )


def verdict(number: int) -> Verdict:
    """One of ten verdicts of a record; every seventh fails with evidence."""
    failed = number % 7 == 0
    return Verdict(
        record_id=str(number // CHECKS),
        app="atlas",
        app_version="1",
        check=f"check-{number % CHECKS}",
        check_kind="rule",
        outcome=Outcome.FAIL if failed else Outcome.PASS,
        category=Category.WRONG_NUMBER if failed else None,
        reason="7 is in no cited source" if failed else "",
        evidence=(Evidence("number", "7", 6, 7),) if failed else (),
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=20_000)
    records = [record(number) for number in range(parser.parse_args().records)]
    verdicts = [verdict(number) for number in range(len(records) * CHECKS)]
    with tempfile.TemporaryDirectory(prefix="goldassay-write-") as folder:
        measure(Path(folder), records, verdicts)


def measure(folder: Path, records: list[AnswerRecord], verdicts: list[Verdict]) -> None:
    """Time each stage over the same rows."""
    store = open_store(folder / "store")
    staging = store.staging("run")
    convert, batch = timed(lambda: verdicts_to_batch(verdicts))
    floor, _ = timed(
        lambda: pq.write_table(pa.Table.from_batches([batch]), folder / "floor.parquet", compression="zstd")
    )
    show("verdicts to Arrow", len(verdicts), convert, floor)
    show("floor: pyarrow writes ready columns", len(verdicts), floor, floor)
    show("stage verdicts", len(verdicts), timed(lambda: staging.write_verdicts("rules", 0, verdicts))[0], floor)
    show("stage answers (4 kB sources)", len(records), timed(lambda: staging.write_answers(0, records))[0], floor)
    at = datetime(2026, 11, 28, tzinfo=UTC)
    manifest = RunManifest(run_id="run", run_kind="nightly", run_at=at, app="atlas")
    show("publish (answers and verdicts)", len(verdicts), timed(lambda: store.publish("run", manifest))[0], floor)
    show("verdicts back to Python", len(verdicts), timed(lambda: batch_to_verdicts(batch))[0], floor)


def show(what: str, rows: int, seconds: float, floor: float) -> None:
    """Print one line."""
    print(f"| {what} | {rows / seconds:,.0f} rows/s | {seconds / floor:.1f} x floor |", flush=True)


if __name__ == "__main__":
    main()
