"""What Prefect adds to a night: the flow beside the same stages called in plain Python, in one process and one run.

    python benchmarks/orchestration_overhead.py [--records 10000] [--rounds 3]

The temporary server's start is measured apart. Both sides read the same log, check every record, judge the
same sample by the scripted judge over HTTP, and publish; the flow also aggregates and renders the report, so those two
stages are timed by themselves and left out of the comparison.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

SETTINGS = """
app = "bench"
[answers]
path = "log.jsonl"
[judge]
base_url = "{url}"
model = "scripted-judge"
max_in_flight = 50
reuse = false
[sampling]
nightly = 200
"""


def write_log(path: Path, records: int) -> None:
    """Short answers with two sources each: the orchestration is what is measured, not the rules."""
    with path.open("w", encoding="utf-8") as file:
        for i in range(records):
            fee = 10 + i % 90
            line = {
                "id": f"r{i:06d}",
                "question": f"What does plan {i} cost?",
                "answer": f"Plan {i} costs {fee} dollars a month [1].",
                "sources": [f"Plan {i} costs {fee} dollars a month.", f"Plan {i + 1} is billed every year."],
                "app_version": "1",
                "asked_at": "2026-11-01T12:00:00Z",
            }
            file.write(json.dumps(line) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="overhead-") as place:
        folder = Path(place)
        from goldassay.cli.embedded import prepare_prefect

        prepare_prefect(folder)
        os.environ["PREFECT_LOGGING_LEVEL"] = "ERROR"
        sys.path.insert(0, str(ROOT / "flows"))
        flow_file = importlib.import_module("nightly")

        from benchmarks.plain_night import plain_night
        from goldassay.judging.scripted import ScriptedJudge

        write_log(folder / "log.jsonl", asked.records)
        with ScriptedJudge() as judge:
            (folder / "goldassay.toml").write_text(SETTINGS.format(url=judge.base_url), encoding="utf-8")
            begun = time.perf_counter()
            asyncio.run(_server_up())
            start = time.perf_counter() - begun
            apart = _time_last_stages(flow_file)
            plain: list[float] = []
            flow: list[float] = []
            for number in range(asked.rounds):
                overrides = (f"store=plain{number}",)
                begun = time.perf_counter()
                plain_night(folder, overrides=overrides)
                plain.append(time.perf_counter() - begun)
                begun = time.perf_counter()
                asyncio.run(flow_file.nightly(str(folder), settings=[f"store=flow{number}"]))
                flow.append(time.perf_counter() - begun)
    compared = [whole - last for whole, last in zip(flow, apart, strict=True)]
    ratios = [f / p for f, p in zip(compared, plain, strict=True)]
    print(f"records {asked.records}, judged 200, rounds {asked.rounds}; start of the temporary server {start:.1f} s")
    print("| | median s | all |")
    print("|---|---|---|")
    for name, values in (("plain stages", plain), ("flow, aggregate and report apart", compared), ("whole flow", flow)):
        print(f"| {name} | {statistics.median(values):.2f} | {', '.join(f'{v:.2f}' for v in values)} |")
    print(f"flow / plain: median {statistics.median(ratios):.3f} (of {', '.join(f'{r:.3f}' for r in ratios)})")


def _time_last_stages(flow_file: Any) -> list[float]:
    """Wraps the flow's last two stages, which the plain night does not have, and notes what each flow spent in them."""
    spent: list[float] = []
    aggregate, report = flow_file.aggregate, flow_file.report

    async def noted_aggregate(plan: str) -> Any:
        begun = time.perf_counter()
        result = await aggregate(plan)
        spent.append(time.perf_counter() - begun)
        return result

    async def noted_report(plan: str) -> Any:
        begun = time.perf_counter()
        result = await report(plan)
        spent[-1] += time.perf_counter() - begun
        return result

    flow_file.aggregate, flow_file.report = noted_aggregate, noted_report
    return spent


async def _server_up() -> None:
    from prefect import flow

    @flow(name="warm-up")
    async def warm_up() -> int:
        return 1

    await warm_up()


if __name__ == "__main__":
    main()
