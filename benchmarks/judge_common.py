"""What the judge benchmarks share: a mock judge server beside the project, a workload, child processes."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import random
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SERVER = ROOT.parent / "shared" / "tools" / "judge_server.py"
NOUNS = ("budget", "committee", "turbine", "ledger", "river", "vaccine", "harbour", "contract", "tariff", "reactor")
VERBS = ("reported", "recorded", "approved", "measured", "reduced", "expanded", "replaced", "inspected", "published")


def sentences(count: int) -> list[str]:
    rng = random.Random(7)
    return [
        f"In {rng.randint(1950, 2025)} the {rng.choice(NOUNS)} {rng.choice(VERBS)} {rng.randint(2, 99999):,} units "
        f"of the {rng.choice(NOUNS)} again."
        for _ in range(count)
    ]


def records(count: int) -> Iterator[Any]:
    """Items of about 8 kB: four sources of some 2,000 characters, a question, an answer with citations."""
    from goldassay.judging.prompt import JudgeItem
    from goldassay.records import AnswerRecord, Source

    pool = sentences(997)
    for number in range(count):
        texts = [f"Document {number}-{s}. " + " ".join(pool[(number * s) % 900 :][:34]) for s in range(1, 5)]
        yield JudgeItem(
            AnswerRecord.model_construct(
                record_id=f"r{number:07d}",
                question=f"What did the {NOUNS[number % len(NOUNS)]} report in case {number}?",
                answer=" ".join(pool[number % 900 :][:4]) + " [1].",
                sources=tuple(Source.model_construct(id=str(s), text=text) for s, text in enumerate(texts, start=1)),
                app="bench",
                app_version="1",
                tags={},
                turns=(),
            )
        )


def one_call_rubric() -> Any:
    """The shipped rubric's first criterion: one call a record."""
    from goldassay.judging.rubric import load_rubric

    rubric = load_rubric("rag")
    return rubric.model_copy(update={"criteria": rubric.criteria[:1]})


def stamp() -> Any:
    from goldassay.verdicts import RunStamp

    return RunStamp("bench", "nightly", dt.datetime(2026, 1, 1, tzinfo=dt.UTC))


@contextlib.contextmanager
def server(*options: str) -> Iterator[str]:
    """A mock judge server on a free port; its base URL."""
    if not SERVER.is_file():
        print("skipped: there is no mock judge server beside the project")
        raise SystemExit(0)
    command = [sys.executable, str(SERVER), "--port", "0", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["listening"]
    finally:
        process.terminate()
        process.communicate(timeout=20)


def ask(url: str, data: dict[str, Any] | None = None) -> dict[str, Any]:
    request = urllib.request.Request(url, data=None if data is None else json.dumps(data).encode())
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


def child(script: str, **arguments: Any) -> dict[str, Any]:
    """Run this file's counterpart in a process of its own, so that CPU and memory are its own."""
    command = [sys.executable, script, "--child", json.dumps(arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def table(head: list[str], rows: list[list[Any]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])
