"""The scripted judge without an address: it starts itself, stays on this machine, and says that it is no model."""

from __future__ import annotations

import logging
import sys
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from config.settings import load_settings
from goldassay.judging.engine import judge_shard, verdicts_from_journal
from goldassay.judging.own_server import NO_MODEL, starts_itself, within_reach
from goldassay.judging.providers import api_key, provider_for
from goldassay.judging.scripted import ScriptedJudge
from goldassay.judging.settings import JudgeConfig
from goldassay.verdicts import Outcome
from tests.judging.judge_wire import GOOD, STAMP, completion, items, one_criterion

OWN = JudgeConfig(provider="scripted")


def test_the_scripted_judge_without_an_address_starts_itself(tmp_path: Path) -> None:
    """A kept demo can be played with: nothing has to be started or set first, and every report says what it was."""
    journal = tmp_path / "j.jsonl"

    summary = judge_shard(items(3), rubric=one_criterion(), config=OWN, journal=journal, environ={}, stamp=STAMP)

    rows = list(verdicts_from_journal(journal))
    assert [row.outcome for row in rows] == [Outcome.PASS] * 3
    assert summary.warnings == [NO_MODEL]


def test_one_that_somebody_started_is_asked_where_it_is(tmp_path: Path) -> None:
    """With an address nothing is started; its replies may be anybody's script, so nothing is said of them."""
    with ScriptedJudge([GOOD, GOOD]) as judge:
        config = JudgeConfig(provider="scripted", base_url=judge.base_url)
        summary = judge_shard(
            items(2), rubric=one_criterion(), config=config, journal=tmp_path / "j", environ={}, stamp=STAMP
        )

        assert judge.calls == 2
    assert summary.warnings == []


def test_a_port_shapes_no_verdict(tmp_path: Path) -> None:
    """Another run has another port, and still goes on from the journal without asking again."""
    journal = tmp_path / "j.jsonl"
    for _ in range(2):
        summary = judge_shard(items(2), rubric=one_criterion(), config=OWN, journal=journal, environ={}, stamp=STAMP)

    assert summary.requests == 0
    assert summary.resumed == 2


def test_the_server_ends_with_its_block() -> None:
    """Nothing is left listening."""
    with within_reach(OWN) as reachable:
        assert reachable.base_url is not None

    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(reachable.base_url, timeout=5)


def test_a_server_that_ends_under_open_connections_is_quiet(caplog: pytest.LogCaptureFixture) -> None:
    """A traceback in the middle of the demo would be read as a fault."""
    with caplog.at_level(logging.ERROR), within_reach(OWN) as reachable:
        client = httpx.Client(trust_env=False)
        body = {"messages": [{"role": "user", "content": "?"}]}
        assert client.post(f"{reachable.base_url}/chat/completions", json=body).status_code == 200

    client.close()
    assert not caplog.records


def test_nothing_is_started_where_a_transport_stands_in_for_the_network(tmp_path: Path) -> None:
    """A test's own transport gets the calls."""
    seen: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request.url.host)
        return httpx.Response(200, json=completion())

    judge_shard(
        items(1), rubric=one_criterion(), config=OWN, journal=tmp_path / "j", environ={}, stamp=STAMP,
        transport=httpx.MockTransport(answer),
    )  # fmt: skip

    assert seen == ["127.0.0.1"]


def test_it_never_leaves_this_machine_and_takes_nobodys_key() -> None:
    """It speaks like another provider; a log must not go to that one because a line of settings is missing."""
    assert urlsplit(provider_for(OWN).url(OWN)).hostname == "127.0.0.1"
    assert api_key(OWN, {"OPENAI_API_KEY": "sk-somebody-elses"}) is None


def test_the_demo_project_has_a_judge_that_starts_itself(project_root: Path) -> None:
    """So each of its commands works in the kept folder."""
    assert starts_itself(load_settings(project_root / "examples" / "data").judge)
