"""A store with three nights of a bike rental assistant, written through the store's own API, and a real browser."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from goldassay.records import AnswerRecord, GoldenQuestion, Source
from goldassay.store.manifest import JudgeInfo, RunCounts, RunManifest
from goldassay.store.store import Store, open_store
from goldassay.verdicts import Category, Evidence, Outcome, RunStamp, Verdict

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
FIRST_NIGHT = datetime(2026, 11, 26, 2, 0, tzinfo=UTC)
VERSIONS = ("1.3.1", "1.3.1", "1.4.0")

SOURCES = (
    Source(id="D1", title="Passes and prices", url="https://example.org/passes",
           text="A monthly pass costs 25 dollars. With it, every ride may last up to 45 minutes.\n\nA day pass costs 7 dollars. "
                "A helmet can be hired for 2 dollars a day; it is not included."),
    Source(id="D2", title="Refunds and cancellation", url="https://example.org/refunds",
           text="You get your money back if you cancel at least 2 hours before the ride starts. After that, half of the price is "
                "kept. Refunds arrive within 5 working days."),
    Source(id="D3", title="Where to ride", text="Bikes may be ridden on all streets of the city and on the river path. The old "
                "bridge is closed to bikes from 22:00 to 06:00. " * 3),
    Source(id="D4", title="Contact", url="javascript:alert(1)", text="Write to help@example.org or call 555 0100, 08:00 to 20:00."),
)  # fmt: skip

CASES = (
    ("q1", "How much is a monthly pass, and how long may I ride?",
     "A monthly pass costs 25 dollars, and each ride may last up to 45 minutes [D1].",
     "A monthly pass costs 25 dollars, and each ride may last up to 45 minutes [D1].", "prices", True),
    ("q2", "Do I get my money back if I cancel?",
     "Yes, if you cancel at least 2 hours before the ride starts [D2].",
     "Yes. You get your money back if you cancel up to 4 hours before the ride starts [D2].", "refunds", True),
    ("q3", "Is a helmet included in the price of a day pass?",
     "Yes, a helmet is included with every day pass.",
     "No. A helmet can be hired for 2 dollars a day [D1].", "prices", True),
    ("q4", "Do you rent scooters?",
     "Yes, scooters cost 12 dollars an hour [D8].",
     "Yes, scooters cost 12 dollars an hour [D8].", "other", False),
    ("q5", "Can I bring my dog?",
     "I could not find this in the sources I was given.",
     "I could not find this in the sources I was given.", "other", False),
    ("q6", "When is the old bridge closed? 🚲",
     "🌉 The old bridge is closed to bikes from 22:00 to 06:00 [D3].",
     "🌉 The old bridge is closed to bikes from 21:00 to 06:00 [D3].", "routes", True),
)  # fmt: skip
CHECKS = ("cites", "numbers", "refusal", "length", "faithful", "relevant")


def _evidence(kind: str, text: str, within: str, source_id: str | None = None) -> tuple[Evidence, ...]:
    at = within.find(text)
    return (Evidence(kind, text, at, at + len(text), source_id),) if at >= 0 else ()


def _judged(answer: str, noise: random.Random) -> dict[str, tuple]:
    """(outcome, category, reason, evidence, score, reply) by check: written by hand, as the rules and a judge would."""
    good = (Outcome.PASS, None, "", (), None, None)
    found = {check: good for check in CHECKS}
    cite = next((f"[{s.id}]" for s in SOURCES if f"[{s.id}]" in answer), None)
    found["cites"] = (
        Outcome.PASS,
        None,
        "",
        _evidence("citation", cite or "", answer, (cite or "").strip("[]")),
        None,
        None,
    )
    found["faithful"] = (Outcome.PASS, None, "Both facts match the source.", (), 5.0, '{"faithful": 5, "relevant": 5}')
    found["relevant"] = (Outcome.PASS, None, "It answers the question.", (), 5.0, '{"faithful": 5, "relevant": 5}')
    refused = answer.startswith("I could not")
    if refused:
        found["cites"] = (Outcome.SKIP, None, "a refusal needs no citation", (), None, None)
    for wrong, right, source in (("4 hours", "2 hours", 1), ("21:00", "22:00", 2)):
        if wrong in answer:
            spans = _evidence("number", wrong, answer) + _evidence(
                "support", right, SOURCES[source].text, SOURCES[source].id
            )
            found["numbers"] = (Outcome.FAIL, Category.WRONG_NUMBER, f"'{wrong}' stands in no cited source; "
                                f"{SOURCES[source].id} says '{right}'", spans, None, None)  # fmt: skip
            reply = f'```json\n{{"faithful": 1, "relevant": 5, "reason": "The source says {right}, not {wrong}."}}\n```'
            found["faithful"] = (Outcome.FAIL, Category.CONTRADICTS_SOURCE, f"The source says {right}, not {wrong}.",
                                 (), 1.0, reply)  # fmt: skip
    if cite is None and not refused:
        found["cites"] = (Outcome.FAIL, Category.MISSING_CITATION, "the answer cites nothing", (), None, None)
    if "[D8]" in answer:
        found["cites"] = (Outcome.FAIL, Category.BAD_CITATION, "'D8' was never sent", _evidence("citation", "[D8]", answer),
                          None, None)  # fmt: skip
        found["numbers"] = (Outcome.FAIL, Category.WRONG_NUMBER, "'12 dollars' stands in no source",
                            _evidence("number", "12 dollars", answer), None, None)  # fmt: skip
        found["refusal"] = (Outcome.FAIL, Category.MISSED_REFUSAL, "the question has no answer in the sources, and it was "
                            "answered", (), None, None)  # fmt: skip
        found["faithful"] = (
            Outcome.ERROR,
            Category.UNREADABLE_REPLY,
            "no JSON object in the reply",
            (),
            None,
            "Looks fine to me.",
        )
    if noise.random() < 0.03:
        found["relevant"] = (Outcome.ERROR, Category.TIMED_OUT, "no reply within 60 s", (), None, None)
    return found


def record_of(number: int, night: int, *, question: str = "", answer: str = "") -> tuple[AnswerRecord, GoldenQuestion]:
    """One record: a case of the table, or the texts given."""
    question_id, asked, before, now, stratum, answerable = CASES[number % len(CASES)]
    golden = GoldenQuestion(question_id=f"{question_id}-{number // len(CASES)}", question=asked, answerable=answerable,
                            stratum=stratum, key_facts=(("2 hours",),) if question_id == "q2" else ())  # fmt: skip
    record = AnswerRecord(
        record_id=f"n{night}-{number:05d}", question_id=golden.question_id, question=question or asked,
        answer=answer or (now if night == 2 else before), sources=SOURCES, asked_at=FIRST_NIGHT + timedelta(days=night, seconds=number - 30_000),
        app="atlas", app_version=VERSIONS[night], model="answer-large-2" if night == 2 else "answer-large-1", lang="en",
        tags={"channel": "web"},
    )  # fmt: skip
    return record, golden


def verdicts_of(record: AnswerRecord, golden: GoldenQuestion, stamp: RunStamp) -> list[Verdict]:
    """All verdicts of one record."""
    rows = []
    for check, (outcome, category, reason, evidence, score, reply) in _judged(
        record.answer, random.Random(record.record_id)
    ).items():
        judge = check in {"faithful", "relevant"}
        extra = {"judge_provider": "openai", "judge_model": "judge-large", "judge_model_reported": "judge-large-2026-11",
                 "rubric": "rag", "rubric_version": "2", "request_hash": f"{record.record_id}-{check}", "attempts": 1,
                 "latency_ms": 812.0, "tokens_in": 700, "tokens_out": 40, "cost_usd": 0.0004,
                 "scale_min": 1.0, "scale_max": 5.0, "pass_mark": 4.0} if judge else {}  # fmt: skip
        rows.append(
            Verdict(
                run_id=stamp.run_id,
                run_kind=stamp.run_kind,
                run_at=stamp.run_at,
                app=record.app,
                app_version=record.app_version,
                model=record.model,
                record_id=record.record_id,
                question_id=golden.question_id,
                stratum=golden.stratum,
                answerable=golden.answerable,
                asked_at=record.asked_at,
                check=check,
                check_kind="judge" if judge else "rule",
                check_version="2",
                outcome=outcome,
                category=category,
                reason=reason,
                evidence=evidence,
                score=score,
                reply=reply,
                severity="warn" if check == "length" else "gate",
                **extra,
            )  # fmt: skip
        )
    return rows


def write_night(store: Store, night: int, records: list[tuple[AnswerRecord, GoldenQuestion]]) -> str:
    """One whole run, staged and published."""
    at = FIRST_NIGHT + timedelta(days=night)
    run_id = f"{at:%Y%m%dT%H%M%S}-n{night}"
    stamp = RunStamp(run_id, "nightly", at)
    staging = store.staging(run_id)
    staging.write_answers(0, [record for record, _ in records], [golden for _, golden in records], stamp=stamp)
    staging.write_verdicts(
        "rules", 0, [row for record, golden in records for row in verdicts_of(record, golden, stamp)]
    )
    manifest = RunManifest(
        run_id=run_id, run_kind="nightly", run_at=at, finished_at=at + timedelta(minutes=4), app="atlas",
        app_version=VERSIONS[night], app_versions=(VERSIONS[night],), model=records[0][0].model, window_start=at - timedelta(hours=26),
        window_end=at - timedelta(hours=2), gate=("cites", "numbers", "refusal", "faithful", "relevant"), rubric="rag",
        rubric_version="2", judge=JudgeInfo(provider="openai", model="judge-large", models_reported=("judge-large-2026-11",)),
        counts=RunCounts(records=len(records), rejected=2, checked=len(records), selected=len(records)), cost_usd=0.0008 * len(records),
        calls=len(records) * 2,
        rejected_samples=({"file": "logs/2026-11-28.jsonl.gz", "line": 118, "reason": "no field 'answer'", "raw": "{}"},
                          {"file": "logs/<b>.jsonl", "line": 4, "reason": "not JSON: </script><script>alert(1)</script>", "raw": "{"}),
    )  # fmt: skip
    store.publish(run_id, manifest)
    return run_id


@pytest.fixture(scope="session")
def three_nights(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, str]:
    """A store of three nights, and the id of the last run."""
    store = open_store(tmp_path_factory.mktemp("store"))
    run_id = ""
    for night in range(3):
        run_id = write_night(store, night, [record_of(number, night) for number in range(120)])
    return store, run_id


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of a real Chromium; the test is skipped, with a word, where there is none."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("no chromium on this machine; Debian: apt-get install chromium")
    return path


@pytest.fixture
def open_page(chromium: str, tmp_path: Path) -> Iterator[Callable]:
    """Open a file in a fresh browser; returns the page and a growing list of everything it complained about or asked for."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            str(tmp_path / "profile"),
            executable_path=chromium,
            args=FLAGS,
            headless=True,
            viewport={"width": 1280, "height": 900},
        )

        def opened(path: Path, fragment: str = "", **media) -> tuple:
            page = context.new_page()
            noise: list[str] = []
            page.on("console", lambda message: noise.append(f"console: {message.text}"))
            page.on("pageerror", lambda error: noise.append(f"error: {error}"))
            page.on("dialog", lambda dialog: (noise.append(f"dialog: {dialog.message}"), dialog.dismiss()))
            page.on(
                "request",
                lambda request: (
                    noise.append(f"request: {request.url}") if not request.url.startswith("file:") else None
                ),
            )
            if media:
                page.emulate_media(**media)
            page.goto(path.as_uri() + fragment)
            page.wait_for_selector("html[data-ready]")
            return page, noise

        yield opened
        context.close()
