"""How fast, how cheap and how steady the judge client is, side by side with a bare aiohttp loop.

    python benchmarks/judge_throughput.py [--quick]

Needs a mock judge server beside the project; says so and stops where there is none.
Figures are ratios to the bare loop and to the ideal time, records x latency / in flight.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.judge_common import ask, child, one_call_rubric, records, server, stamp, table


def run_goldassay(url: str, count: int, in_flight: int, options: dict[str, Any]) -> dict[str, Any]:
    from goldassay.judging.engine import judge_shard, verdicts_from_journal
    from goldassay.judging.settings import JudgeConfig

    rubric = one_call_rubric()
    config = JudgeConfig(base_url=url + "/v1", model="mock-judge", max_in_flight=in_flight, **options)
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "journal.jsonl"
        before = resource.getrusage(resource.RUSAGE_SELF)
        begun = time.perf_counter()
        summary = judge_shard(records(count), rubric=rubric, config=config, journal=journal, environ={}, stamp=stamp())
        seconds = time.perf_counter() - begun
        after = resource.getrusage(resource.RUSAGE_SELF)
        rows = [verdict.record_id for verdict in verdicts_from_journal(journal)]
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "wall_s": seconds,
        "cpu_ms": cpu * 1000 / count,
        "peak_mb": after.ru_maxrss / 1024,
        "rows": len(rows),
        "distinct": len(set(rows)),
        "errors": dict(summary.errors),
        "outcomes": dict(summary.outcomes),
        "requests": summary.requests,
    }


def run_workload(count: int) -> dict[str, Any]:
    """What the workload's own making costs; it is taken off both."""
    before = time.process_time()
    for _ in records(count):
        pass
    return {"cpu_ms": (time.process_time() - before) * 1000 / count}


async def bare_loop(url: str, count: int, in_flight: int) -> None:
    import aiohttp
    import orjson

    source = records(count)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=in_flight)) as session:

        async def worker() -> None:
            for item in source:
                record = item.record
                text = "\n".join([*(s.text for s in record.sources), record.question, record.answer])
                body = {"model": "mock-judge", "messages": [{"role": "user", "content": text}]}
                async with session.post(url + "/v1/chat/completions", data=orjson.dumps(body)) as response:
                    orjson.loads(await response.read())

        await asyncio.gather(*(worker() for _ in range(in_flight)))


def run_bare(url: str, count: int, in_flight: int) -> dict[str, Any]:
    before = resource.getrusage(resource.RUSAGE_SELF)
    begun = time.perf_counter()
    asyncio.run(bare_loop(url, count, in_flight))
    after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "wall_s": time.perf_counter() - begun,
        "cpu_ms": cpu * 1000 / count,
        "peak_mb": after.ru_maxrss / 1024,
    }


def latency_rows(url: str, count: int, in_flight: int, latency_s: float) -> list[list[Any]]:
    rows = []
    making = child(__file__, what="workload", count=min(count, 2000))["cpu_ms"]
    ideal = count * latency_s / in_flight
    for what in ("bare", "goldassay"):
        ask(url + "/reset", {})
        figures = child(__file__, what=what, url=url, count=count, in_flight=in_flight)
        stats = ask(url + "/stats")
        span = stats["last_reply"] - stats["first_arrival"]
        rows.append(
            [
                f"{count:,} calls, {latency_s * 1000:.0f} ms, {in_flight} in flight",
                what,
                f"{span:.2f}",
                f"{span / ideal:.2f}",
                f"{count / span:,.0f}",
                f"{figures['cpu_ms'] - making:.2f}",
                f"{figures['peak_mb']:.0f}",
                stats["connections"],
            ]
        )
    return rows


def rate_row(url: str, name: str, count: int, rps: float, options: dict[str, Any]) -> list[Any]:
    ask(url + "/reset", {})
    ask(url + "/config", {"rps": rps, "latency_ms": 200})
    figures = child(__file__, what="goldassay", url=url, count=count, in_flight=100, options=options)
    stats = ask(url + "/stats")
    refused = stats["status"].get("429", 0)
    held = stats["ok_per_s"]
    middle = held[1:-1] or held
    span = stats["last_reply"] - stats["first_arrival"]
    return [
        name,
        stats["total"],
        refused,
        f"{sum(middle) / len(middle) / rps:.1%}",
        f"{span:.1f}",
        figures["rows"],
        stats["dup_paid"],
    ]


def fault_row(url: str, count: int) -> list[Any]:
    ask(url + "/reset", {})
    kinds = ("429", "500", "reset", "slow", "garbage", "truncated")
    fault = ",".join(f"{kind}:0.05" for kind in kinds)
    ask(url + "/config", {"rps": 0, "latency_ms": 50, "fault": fault, "slow_ms": 3000})
    options = {"timeout_s": 2.0, "base_delay_s": 0.2}
    figures = child(__file__, what="goldassay", url=url, count=count, in_flight=100, options=options)
    stats = ask(url + "/stats")
    ask(url + "/config", {"fault": ""})
    return [
        count,
        figures["rows"],
        figures["distinct"],
        figures["errors"],
        stats["total"],
        stats["paid"],
        stats["dup_paid"],
    ]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="fewer calls")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--only", default="latency,rate,faults")
    arguments = parser.parse_args()
    if arguments.child:
        return print(json.dumps(play(**json.loads(arguments.child))))
    with server("--latency-ms", "200") as url:
        if "latency" in arguments.only:
            show_latency(url, quick=arguments.quick)
        if "rate" in arguments.only:
            show_rate(url, quick=arguments.quick)
        if "faults" in arguments.only:
            head = ["records", "rows", "distinct", "errors", "requests", "paid", "paid twice"]
            print("\n" + table(head, [fault_row(url, 400 if arguments.quick else 2000)]))
    return None


def show_latency(url: str, *, quick: bool) -> None:
    rows = latency_rows(url, 500 if quick else 2000, 100, 0.2)
    if not quick:
        rows += latency_rows(url, 10_000, 100, 0.2)
    ask(url + "/config", {"latency_ms": 20})
    rows += latency_rows(url, 1000 if quick else 10_000, 100, 0.02)
    head = ["load", "client", "first to last reply, s", "x ideal", "calls/s", "CPU ms a call", "peak MB", "connections"]
    print(table(head, rows))


def show_rate(url: str, *, quick: bool) -> None:
    rows = [
        rate_row(url, "200/s, limit set", 800 if quick else 4000, 200, {"requests_per_minute": 12000}),
        rate_row(url, "200/s, limit learnt", 800 if quick else 4000, 200, {}),
        rate_row(url, "20/s, limit set", 200, 20, {"requests_per_minute": 1200}),
        rate_row(url, "20/s, limit learnt", 200, 20, {}),
    ]
    print("\n" + table(["permitted", "requests", "429", "rate held", "s", "rows", "paid twice"], rows))


def play(what: str, **arguments: Any) -> dict[str, Any]:
    if what == "bare":
        return run_bare(**arguments)
    if what == "workload":
        return run_workload(**arguments)
    return run_goldassay(**{"options": {}, **arguments})


if __name__ == "__main__":
    main()
