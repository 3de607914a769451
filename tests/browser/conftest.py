"""A store with three nights of a bike rental assistant, written through the store's own API, and a real browser."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from playwright.sync_api import Browser, Dialog, Page, Request, sync_playwright

from goldassay.analytics.models_reports import RunSummary
from goldassay.analytics.summary import run_summary
from goldassay.records import AnswerRecord, GoldenQuestion, Source
from goldassay.reporting.html import Answer
from goldassay.store.manifest import JudgeInfo, RunCounts, RunManifest
from goldassay.store.store import Store, open_store
from goldassay.verdicts import Category, Evidence, Outcome, RunStamp, Verdict

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
FIRST_NIGHT = datetime(2026, 11, 26, 2, 0, tzinfo=UTC)
VERSIONS = ("1.3.1", "1.3.1", "1.4.0")

SOURCES = (
    Source(
        id="D1",
        title="Passes and prices",
        url="https://example.org/passes",
        text="A monthly pass costs 25 dollars. With it, every ride may last up to 45 minutes.\n\n"
        "A day pass costs 7 dollars. A helmet can be hired for 2 dollars a day; it is not included.",
    ),
    Source(
        id="D2",
        title="Refunds and cancellation",
        url="https://example.org/refunds",
        text="You get your money back if you cancel at least 2 hours before the ride starts. After that, half of the "
        "price is kept. Refunds arrive within 5 working days.",
    ),
    Source(
        id="D3",
        title="Where to ride",
        text="Bikes may be ridden on all streets of the city and on the river path. The old bridge is closed to bikes "
        "from 22:00 to 06:00. Children under 14 ride with an adult.",
    ),
    Source(
        id="D4",
        title="Contact",
        url="javascript:alert(1)",
        text="Write to help@example.org or call 555 0100 between 08:00 and 20:00.",
    ),
)

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


def _row(outcome: Outcome, category: Category | None = None, reason: str = "", **more: Any) -> dict[str, Any]:
    return {"outcome": outcome, "category": category, "reason": reason, **more}


def _judged(answer: str, noise: random.Random) -> dict[str, dict[str, Any]]:
    """What the rules and a judge would say, by check."""
    reply = '{"faithful": 5, "relevant": 5}'
    found = {check: _row(Outcome.PASS) for check in CHECKS}
    found["faithful"] = _row(Outcome.PASS, None, "Both facts match the source.", score=5.0, reply=reply)
    found["relevant"] = _row(Outcome.PASS, None, "It answers the question.", score=5.0, reply=reply)
    cite = next((f"[{source.id}]" for source in SOURCES if f"[{source.id}]" in answer), "")
    if answer.startswith("I could not"):
        found["cites"] = _row(Outcome.SKIP, None, "a refusal needs no citation")
    elif cite:
        found["cites"] = _row(Outcome.PASS, evidence=_evidence("citation", cite, answer, cite.strip("[]")))
    elif "[D8]" not in answer:
        found["cites"] = _row(Outcome.FAIL, Category.MISSING_CITATION, "the answer cites nothing")
    for wrong, right, source in (("4 hours", "2 hours", SOURCES[1]), ("21:00", "22:00", SOURCES[2])):
        if wrong in answer:
            found |= _wrong_number(answer, wrong, right, source)
    if "[D8]" in answer:
        found |= _invented(answer)
    if noise.random() < 0.03:
        found["relevant"] = _row(Outcome.ERROR, Category.TIMED_OUT, "no reply within 60 s")
    return found


def _wrong_number(answer: str, wrong: str, right: str, source: Source) -> dict[str, dict[str, Any]]:
    spans = _evidence("number", wrong, answer) + _evidence("support", right, source.text, source.id)
    reason = f"The source says {right}, not {wrong}."
    reply = f'```json\n{{"faithful": 1, "relevant": 5, "reason": "{reason}"}}\n```'
    found = f"'{wrong}' stands in no cited source; {source.id} says '{right}'"
    return {
        "numbers": _row(Outcome.FAIL, Category.WRONG_NUMBER, found, evidence=spans),
        "faithful": _row(
            Outcome.FAIL, Category.CONTRADICTS_SOURCE, reason, score=1.0, reply=reply, repairs=("fence_removed",)
        ),
    }


def _invented(answer: str) -> dict[str, dict[str, Any]]:
    mark, price = _evidence("citation", "[D8]", answer), _evidence("number", "12 dollars", answer)
    answered = "the question has no answer in the sources, and it was answered"
    return {
        "cites": _row(Outcome.FAIL, Category.BAD_CITATION, "'D8' was never sent", evidence=mark),
        "numbers": _row(Outcome.FAIL, Category.WRONG_NUMBER, "'12 dollars' stands in no source", evidence=price),
        "refusal": _row(Outcome.FAIL, Category.MISSED_REFUSAL, answered),
        "faithful": _row(
            Outcome.ERROR, Category.UNREADABLE_REPLY, "no JSON object in the reply", reply="Looks fine to me."
        ),
    }


def record_of(number: int, night: int, *, question: str = "", answer: str = "") -> tuple[AnswerRecord, GoldenQuestion]:
    """One record: a case of the table, or the texts given."""
    question_id, asked, before, now, stratum, answerable = CASES[number % len(CASES)]
    golden = GoldenQuestion(
        question_id=f"{question_id}-{number // len(CASES)}",
        question=asked,
        answerable=answerable,
        stratum=stratum,
        key_facts=(("2 hours", "two hours"),) if question_id == "q2" else (),
    )
    record = AnswerRecord(
        record_id=f"n{night}-{number:05d}",
        question_id=golden.question_id,
        question=question or asked,
        answer=answer or (now if night == 2 else before),
        sources=SOURCES,
        asked_at=FIRST_NIGHT + timedelta(days=night, seconds=number - 30_000),
        app="atlas",
        app_version=VERSIONS[night],
        model="answer-large-2" if night == 2 else "answer-large-1",
        lang="en",
        tags={"channel": "web"},
    )
    return record, golden


def verdicts_of(record: AnswerRecord, golden: GoldenQuestion, stamp: RunStamp) -> list[Verdict]:
    """All verdicts of one record."""
    judged = _judged(record.answer, random.Random(crc32(record.record_id.encode("utf-8", "replace"))))
    return [_verdict(record, golden, stamp, check, row) for check, row in judged.items()]


def _verdict(record: AnswerRecord, golden: GoldenQuestion, stamp: RunStamp, check: str, row: dict[str, Any]) -> Verdict:
    judge: dict[str, Any] = {}
    if check in {"faithful", "relevant"}:
        judge = {
            "judge_provider": "openai",
            "judge_model": "judge-large",
            "judge_model_reported": "judge-large-2026-11",
            "rubric": "rag",
            "rubric_version": "2",
            "request_hash": f"{record.record_id}-{check}",
            "attempts": 1,
            "latency_ms": 812.0,
            "tokens_in": 700,
            "tokens_out": 40,
            "cost_usd": 0.0004,
            "scale_min": 1.0,
            "scale_max": 5.0,
            "pass_mark": 4.0,
        }
    return Verdict(
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
        severity="warn" if check == "length" else "gate",
        **judge,
        **row,
    )


def write_night(store: Store, night: int, records: Sequence[tuple[AnswerRecord, GoldenQuestion]]) -> str:
    """One whole run, staged and published; returns its id."""
    at = FIRST_NIGHT + timedelta(days=night)
    run_id = f"{at:%Y%m%dT%H%M%S}-n{night}"
    stamp = RunStamp(run_id, "nightly", at)
    staging = store.staging(run_id)
    staging.write_answers(0, [record for record, _ in records], [golden for _, golden in records], stamp=stamp)
    rows = (row for record, golden in records for row in verdicts_of(record, golden, stamp))
    staging.write_verdicts("rules", 0, rows)
    store.publish(run_id, _manifest(run_id, night, records))
    return run_id


def _manifest(run_id: str, night: int, records: Sequence[tuple[AnswerRecord, GoldenQuestion]]) -> RunManifest:
    at = FIRST_NIGHT + timedelta(days=night)
    many = len(records)
    return RunManifest(
        run_id=run_id,
        run_kind="nightly",
        run_at=at,
        finished_at=at + timedelta(minutes=4),
        app="atlas",
        app_version=VERSIONS[night],
        app_versions=(VERSIONS[night],),
        model=records[0][0].model,
        window_start=at - timedelta(hours=26),
        window_end=at - timedelta(hours=2),
        gate=("cites", "numbers", "refusal", "faithful", "relevant"),
        rubric="rag",
        rubric_version="2",
        judge=JudgeInfo(provider="openai", model="judge-large", models_reported=("judge-large-2026-11",)),
        counts=RunCounts(records=many, rejected=2, checked=many, selected=many),
        cost_usd=0.0008 * many,
        calls=many * 2,
        rejected_samples=(
            {"file": "logs/2026-11-28.jsonl.gz", "line": 118, "reason": "no field 'answer'", "raw": "{}"},
            {"file": "logs/<b>.jsonl", "line": 4, "reason": "not JSON: </script><script>alert(1)</script>", "raw": "{"},
        ),
    )


@pytest.fixture(scope="session")
def three_nights(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, str]:
    """A store of three nights, and the id of the last run."""
    store = open_store(tmp_path_factory.mktemp("store"))
    run_id = ""
    for night in range(3):
        run_id = write_night(store, night, [record_of(number, night) for number in range(120)])
    return store, run_id


@pytest.fixture(scope="session")
def store_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., tuple[Store, str]]:
    """Builder of a store with one run of given records."""

    def build(records: Sequence[tuple[AnswerRecord, GoldenQuestion]]) -> tuple[Store, str]:
        store = open_store(tmp_path_factory.mktemp("store"))
        return store, write_night(store, 2, records)

    return build


@pytest.fixture(scope="session")
def a_night() -> Callable[[int], Iterator[Answer]]:
    """Builder of the answers of one night, without a store."""

    def build(count: int) -> Iterator[Answer]:
        stamp = RunStamp("n2", "nightly", FIRST_NIGHT)
        for number in range(count):
            record, golden = record_of(number, 2)
            yield Answer(record, golden, verdicts_of(record, golden, stamp))

    return build


@pytest.fixture(scope="session")
def a_summary(three_nights: tuple[Store, str]) -> RunSummary:
    """The figures of the third night."""
    return run_summary(*three_nights)


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of a real Chromium; the test is skipped, with a word, where there is none."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("no chromium on this machine; Debian: apt-get install chromium")
    return path


class Noise:
    """What a page complained about, asked the network for, or popped up."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def listen(self, page: Page) -> None:
        """Write down everything from now on."""
        page.on("console", lambda message: self.lines.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: self.lines.append(f"error: {error}"))
        page.on("dialog", self._dialog)
        page.on("request", self._request)

    def _dialog(self, dialog: Dialog) -> None:
        self.lines.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _request(self, request: Request) -> None:
        if not request.url.startswith(("file:", "data:")):
            self.lines.append(f"request: {request.url}")


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """One browser a module: its event loop must be gone before other modules run theirs."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=FLAGS, headless=True)
        yield started
        started.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., tuple[Page, list[str]]]]:
    """Opens a file in a fresh profile; returns the page and the list of everything it did that it should not."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})

    def opened(path: Path, fragment: str = "", *, width: int = 1280, **media: Any) -> tuple[Page, list[str]]:
        page = context.new_page()
        noise = Noise()
        noise.listen(page)
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(**media)
        page.goto(path.as_uri() + fragment)
        page.wait_for_selector("html[data-ready]")
        return page, noise.lines

    yield opened
    context.close()
