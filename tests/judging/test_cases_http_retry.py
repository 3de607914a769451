"""All cases of topic http_retry through one adapter: the engine, a fake server, virtual time."""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from goldassay.errors import JudgeError
from goldassay.judging.engine import judge_items, judge_shard, verdicts_from_journal
from goldassay.judging.limits import AdaptiveLimiter
from goldassay.judging.retry import RetryPolicy
from goldassay.judging.settings import JudgeConfig
from goldassay.verdicts import Outcome

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.judging.judge_wire import STAMP, Quiet, VirtualClock, Wire, item, one_criterion

_FILE = Path(os.environ.get("GOLDASSAY_CASES") or Path(__file__).resolve().parents[1] / "cases" / "http_retry.jsonl")
_SAME_KIND = {"timed_out": "http_error"}
"""Names of ours that the cases do not know."""


def _cases() -> Iterator[Any]:
    for line in _FILE.read_text(encoding="ascii").splitlines():
        case = json.loads(line)
        if case["topic"] == "http_retry":
            yield pytest.param(case, id=case["case"])


def _config_of(given: dict[str, Any], expected: dict[str, Any]) -> JudgeConfig:
    params = given.get("request_params", {})
    policy = given.get("policy", {})
    shape = params.get("response_format", {}).get("type", "auto")
    in_flight = given.get("pool_max_connections") or given.get("concurrency") or expected.get("requests_at_most") or 1
    provider = {"openai_compatible": "openai"}.get(given.get("provider", "openai"), given.get("provider", "openai"))
    return JudgeConfig(
        provider=provider,
        base_url=given.get("base_url", "http://127.0.0.1:9/v1"),
        model=given.get("model", "judge-x"),
        temperature=params.get("temperature", 0),
        max_tokens=params.get("max_tokens") or params.get("max_completion_tokens") or 1024,
        structured=shape if shape in {"json_schema", "json_object"} else "auto",
        num_ctx=given.get("num_ctx_requested") or given.get("config", {}).get("num_ctx"),
        requests_per_minute=given.get("rpm"),
        tokens_per_minute=given.get("tpm"),
        burst=given.get("burst"),
        max_in_flight=in_flight if "rpm" not in given else given["rows"],
        max_attempts=policy.get("max_attempts", 4),
        base_delay_s=policy.get("base_delay_s", 1),
        max_delay_s=policy.get("max_delay_s", 60),
        total_timeout_s=policy.get("max_total_wait_s", 600),
        reask=0,
    )


class Played:
    """A case, run to its end."""

    def __init__(self, case: dict[str, Any], folder: Path) -> None:
        self.given, self.expected = case["input"], case["expected"]
        now = self.given.get("now")
        self.clock = VirtualClock(datetime.fromisoformat(now).timestamp()) if now else VirtualClock()
        self.wire = Wire(self._answer, clock=self.clock, latency_s=self.given.get("server_latency_s", 0.0))
        self.stopped: JudgeError | None = None
        self.journal = folder / "journal.jsonl"
        self.summary: Any = None
        self._config = _config_of(self.given, self.expected)
        self._run()
        self.rows = list(verdicts_from_journal(self.journal))

    def _answer(self, number: int) -> dict[str, Any]:
        if "http_each" in self.given:
            return dict(self.given["http_each"])
        replies = self.given.get("http") or [{"status": 200, "body": {"choices": [{"message": {"content": "{}"}}]}}]
        return dict(replies[min(number, len(replies) - 1)])

    def _items(self) -> list[Any]:
        chars = self.given.get("prompt_chars")
        source = "The source says a word. " * (chars // 24) if chars else "Parcels can be returned in 30 days."
        return [item(number, source=source) for number in range(self.given.get("rows", 1))]

    def _run(self) -> None:
        try:
            self.summary = asyncio.run(self._judge())
        except JudgeError as error:
            self.stopped = error

    async def _judge(self) -> Any:
        policy = RetryPolicy.of(self._config, random.Random(5))
        return await judge_items(
            self._items(),
            rubric=one_criterion(),
            config=self._config,
            journal=self.journal,
            environ={"OPENAI_API_KEY": "sk-a-test-key-of-no-use"},
            stamp=STAMP,
            limiter=AdaptiveLimiter(self._config, clock=Quiet(self.clock)),
            transport=self.wire,
            clock=self.clock,
            policy=policy,
        )

    @property
    def accepted(self) -> int:
        return sum(row.outcome in {Outcome.PASS, Outcome.FAIL} for row in self.rows)

    @property
    def error_kind(self) -> str | None:
        if self.stopped is not None:
            return str(getattr(self.stopped, "kind", self.stopped.category))
        row = next((row for row in self.rows if row.outcome is Outcome.ERROR), None)
        if row is None:
            return None
        return row.extra.get("error_kind") or row.reason.split(":")[0]


@pytest.mark.parametrize("case", list(_cases()))
def test_case(case: dict[str, Any], tmp_path: Path) -> None:
    """The case ends as a careful practitioner would want."""
    if "call_sequence" in case["input"]:
        return _two_loops(case, tmp_path)
    played = Played(case, tmp_path)

    for name, wanted in case["expected"].items():
        check = CHECKS.get(name)
        if check is not None:
            check(played, wanted)
    return None


def _two_loops(case: dict[str, Any], folder: Path) -> None:
    """A client belongs to one event loop: the second batch of a process works too."""
    rows = []
    for half in (0, 1):
        wire = Wire(lambda _number: dict(case["input"]["http_each"]))
        journal = folder / f"journal-{half}.jsonl"
        judge_shard(
            [item(2 * half), item(2 * half + 1)],
            rubric=one_criterion(),
            config=JudgeConfig(base_url="http://127.0.0.1:9/v1"),
            journal=journal,
            environ={},
            stamp=STAMP,
            transport=wire,
        )
        rows += list(verdicts_from_journal(journal))

    assert sum(row.outcome is not Outcome.ERROR for row in rows) == case["expected"]["accepted"]
    assert sum(row.outcome is Outcome.ERROR for row in rows) == case["expected"]["judge_errors"]


def _check_outcome(played: Played, wanted: str) -> None:
    if wanted == "accepted":
        assert played.accepted == len(played.rows) > 0
    else:
        assert played.accepted == 0
        assert played.stopped is not None or all(row.outcome is Outcome.ERROR for row in played.rows)


def _check_waits(played: Played, wanted: list[dict[str, float]]) -> None:
    naps = played.clock.naps
    assert len(naps) == len(wanted), naps
    for nap, allowed in zip(naps, wanted, strict=True):
        assert allowed.get("min", 0) - 1e-9 <= nap <= allowed.get("max", float("inf")) + 1e-9, naps


def _check_kind(played: Played, wanted: str) -> None:
    kind = played.error_kind or ""
    assert wanted in {kind, _SAME_KIND.get(kind)}


def _check_run(played: Played, wanted: str) -> None:
    assert (played.stopped is not None) == (wanted == "stops_early")


def _check_params_sent(played: Played, wanted: dict[str, Any]) -> None:
    sent = played.wire.bodies[-1]
    assert {name: sent.get(name) for name in wanted} == wanted
    asked = played.given.get("request_params", {})
    assert not [name for name in asked if name not in wanted and name in sent and name != "response_format"]


def _check_params_one_of(played: Played, allowed: list[dict[str, Any]]) -> None:
    shape = played.wire.bodies[-1].get("response_format", {}).get("type")
    assert shape in {option.get("response_format", {}).get("type") for option in allowed}


def _check_recorded(played: Played, wanted: dict[str, str]) -> None:
    assert wanted.items() <= played.rows[0].extra.items()
    assert wanted.items() <= played.summary.refused_parameters.items()


def _check_schema_in_prompt(played: Played, wanted: object) -> None:
    assert ('"score"' in json.dumps(played.wire.bodies[-1]["messages"]).replace("\\", "")) is wanted


def _check_window(played: Played, wanted: int) -> None:
    times = played.wire.times
    assert max(sum(start <= time < start + 1.0 for time in times) for start in times) <= wanted


def _equal(of: Any) -> Any:
    def check(played: Played, wanted: Any) -> None:
        assert of(played) == wanted

    return check


def _check_warning(played: Played, wanted: str) -> None:
    (warning,) = played.summary.warnings
    assert all(word in warning for word in wanted.split() if "_" in word)


def _check_partial(played: Played, wanted: object) -> None:
    """What was generated in vain is no verdict: the score accepted is that of the whole reply."""
    assert all(row.score != 5 for row in played.rows) is wanted


def _check_non_zero(played: Played, wanted: str) -> None:
    assert wanted == "non-zero"
    assert played.stopped is not None
    assert played.stopped.exit_code != 0


def _check_at_most(of: Any) -> Any:
    def check(played: Played, wanted: float) -> None:
        assert of(played) <= wanted

    return check


CHECKS: dict[str, Any] = {
    "requests": _equal(lambda played: len(played.wire.bodies)),
    "requests_at_most": _check_at_most(lambda played: len(played.wire.bodies)),
    "accepted": _equal(lambda played: played.accepted),
    "judge_errors": _equal(lambda played: sum(row.outcome is Outcome.ERROR for row in played.rows)),
    "max_in_flight_at_most": _check_at_most(lambda played: played.wire.in_flight_max),
    "max_requests_in_any_1s_window": _check_window,
    "duration_s_at_least": lambda played, wanted: _at_least(played.clock.now, wanted),
    "outcome": _check_outcome,
    "waits_s": _check_waits,
    "error_kind": _check_kind,
    "run": _check_run,
    "params_sent_last": _check_params_sent,
    "params_sent_last_one_of": _check_params_one_of,
    "recorded": _check_recorded,
    "schema_in_prompt": _check_schema_in_prompt,
    "warning": _check_warning,
    "discarded_partial_text": _check_partial,
    "exit_code": _check_non_zero,
}


def _at_least(value: float, least: float) -> None:
    assert value >= least
