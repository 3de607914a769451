"""Rows a second of CPU time of `read_answers` beside bare parsing of the same bytes, and its memory on a growing log.

    python benchmarks/sources_speed.py [--rows 20000]

The floor is `orjson.loads` on every line of the open file: what no reader can beat. Labelled
data is looked for beside the checkout and left out where it is absent.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import random
import resource
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from goldassay.sources import AnswersConfig, read_answers

WORDS = [f"word{number}" for number in range(5000)]
SOURCES, SOURCE_WORDS, ANSWER_WORDS = 4, 300, 60


def made_rows(count: int) -> Iterator[dict]:
    """Answers of the shape that real logs have: 4 sources of 300 words."""
    rng = random.Random(7)
    passages = [" ".join(rng.choices(WORDS, k=SOURCE_WORDS)) for _ in range(500)]
    for number in range(count):
        sources = [{"id": f"D{place}", "text": rng.choice(passages), "score": rng.random()} for place in range(SOURCES)]
        yield {
            "id": f"r{number}",
            "question": " ".join(rng.choices(WORDS, k=9)),
            "answer": " ".join(rng.choices(WORDS, k=ANSWER_WORDS)) + " [D1].",
            "sources": sources,
            "asked_at": f"2026-09-01T{number % 24:02d}:00:00Z",
            "app": "atlas",
            "app_version": "2026.11.0",
            "lang": "en",
        }


def seconds(action: Callable[[], int]) -> tuple[float, int]:
    start = time.process_time()
    count = action()
    return time.process_time() - start, count


def read_all(config: AnswersConfig) -> int:
    return sum(len(batch) for batch in read_answers(config))


def bare(path: Path) -> int:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rb") as file:
        return sum(1 for line in file if orjson.loads(line))


def written(folder: Path, count: int) -> dict[str, AnswersConfig]:
    rows = list(made_rows(count))
    lines = b"".join(orjson.dumps(row) + b"\n" for row in rows)
    (folder / "log.jsonl").write_bytes(lines)
    # No language but English is ASCII, and a text that is not takes other paths everywhere.
    (folder / "umlauts.jsonl").write_bytes(lines.replace(b"word", "wört".encode()))
    with gzip.open(folder / "log.jsonl.gz", "wb", compresslevel=4) as file:
        file.write(lines)
    pq.write_table(pa.Table.from_pylist(rows), folder / "log.parquet")
    flat = [row | {"sources": json.dumps(row["sources"])} for row in rows]
    with (folder / "log.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(flat[0]))
        writer.writeheader()
        writer.writerows(flat)
    base = sqlite3.connect(folder / "log.db")
    base.execute(f"CREATE TABLE rag_log ({', '.join(flat[0])})")
    base.executemany(f"INSERT INTO rag_log VALUES ({', '.join('?' * len(flat[0]))})", [list(r.values()) for r in flat])
    base.commit()
    base.close()
    names = ("log.jsonl", "umlauts.jsonl", "log.jsonl.gz", "log.csv", "log.parquet")
    files = {name: AnswersConfig(path=str(folder / name)) for name in names}
    return files | {"log.db": AnswersConfig(url=f"sqlite:///{folder / 'log.db'}")}


def speed(count: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        configs = written(folder, count)
        floor, _ = seconds(lambda: bare(folder / "log.jsonl"))
        print(f"{count} rows, {(folder / 'log.jsonl').stat().st_size / 1e6:.0f} MB of JSON Lines")
        print(f"{'bare orjson':<16}{count / floor:>12,.0f} rows/s")
        for kind, config in configs.items():
            took, read = seconds(partial(read_all, config))
            assert read == count, (kind, read)
            print(f"{kind:<16}{count / took:>12,.0f} rows/s   {took / floor:.1f} x bare orjson")


def memory(counts: tuple[int, ...]) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "log.jsonl"
        for count in counts:
            with path.open("wb") as file:
                for row in made_rows(count):
                    file.write(orjson.dumps(row) + b"\n")
            read_all(AnswersConfig(path=str(path)))
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"{count:>8} rows, {path.stat().st_size / 1e6:>6.0f} MB: peak {peak:.0f} MiB")


def labelled() -> None:
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    files = sorted(folder.glob("*.jsonl.gz"))
    if not files:
        print("no labelled data beside the checkout: left out")
        return
    rows = rejected = 0
    start = time.process_time()
    for file in files:
        for batch in read_answers(file):
            rows += len(batch)
            rejected += len(batch.rejected)
    took = time.process_time() - start
    floor, _ = seconds(lambda: sum(bare(file) for file in files))
    print(
        f"labelled data: {rows} rows, {rejected} without an answer, "
        f"{rows / took:,.0f} rows/s, {took / floor:.1f} x bare orjson"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    given = parser.parse_args()
    print(f"Python {sys.version.split()[0]}, orjson {orjson.__version__}, pyarrow {pa.__version__}")
    memory((given.rows // 4, given.rows, given.rows * 2))
    speed(given.rows)
    labelled()
