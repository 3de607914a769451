"""What doctor says of the assistant, its version endpoint, Prefect and the shared limit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from config.settings import load_settings
from goldassay.errors import ConfigError
from goldassay.stages.examining_servers import look_at_assistant, look_at_prefect, look_at_watch

LIMIT = "/api/v2/concurrency_limits/judge"


@pytest.fixture
def served() -> Iterator[tuple[str, dict[str, Any]]]:
    """An address, and what it answers by path; anything else is not found."""
    answers: dict[str, Any] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            body = json.dumps(answers.get(self.path)).encode()
            self.send_response(200 if self.path in answers else 404)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_words):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", answers
    server.shutdown()
    server.server_close()
    thread.join()


def _settings(folder: Path, *overrides: str) -> Any:
    return load_settings(folder, overrides=overrides, environ={})


def _limit(limit: int = 10, decay: float = 9.8, *, active: bool = True) -> dict[str, object]:
    return {"limit": limit, "slot_decay_per_second": decay, "active": active}


@pytest.mark.parametrize(
    ("there", "level", "said"),
    [
        (_limit(), "ok", "lets 598 requests a minute through"),
        (_limit(active=False), "problem", "prefect gcl enable judge"),
        (_limit(0), "problem", "lets nothing through"),
        (_limit(decay=0.0), "problem", "lets nothing through"),
        (None, "ok", "the first run makes it"),
    ],
    ids=["fit", "switched off", "no slots", "no decay", "missing"],
)
def test_the_shared_limit_is_looked_at_before_the_night(tmp_path, served, there, level, said):
    """What would stop the run is found by daylight."""
    url, answers = served
    answers["/api/health"] = True
    if there is not None:
        answers[LIMIT] = there
    settings = _settings(tmp_path, "run.shared_limit=judge", "judge.requests_per_minute=600")

    prefect, limit = look_at_prefect(settings, f"{url}/api", offline=False)

    assert prefect.level == "ok"
    assert (limit.about, limit.level) == ("shared limit", level)
    assert said in limit.text


def test_a_shared_limit_needs_a_rate_and_a_server(tmp_path, served):
    """Without a server each process would have a limit of its own."""
    url, answers = served
    answers["/api/health"] = True
    settings = _settings(tmp_path, "run.shared_limit=judge")

    alone = list(look_at_prefect(settings, None, offline=False))
    (_, rate) = look_at_prefect(settings, f"{url}/api", offline=False)

    assert [finding.level for finding in alone] == ["ok", "warning"]
    assert rate.level == "problem"
    assert list(look_at_prefect(settings, f"{url}/api", offline=True)) == []


def test_a_server_that_is_not_there_is_a_problem(tmp_path):
    """Whether it was named by a variable or by Prefect's profile."""
    (finding,) = look_at_prefect(_settings(tmp_path), "http://127.0.0.1:9/api", offline=False)

    assert finding.level == "problem"
    assert "does not answer" in finding.text


def test_the_version_endpoint_must_tell_a_version(tmp_path, served):
    """A path that leads nowhere would never notice a change."""
    url, answers = served
    answers["/version"] = {"build": {"model": "m-2"}}
    wrong = _settings(tmp_path, f"watch.version_url={url}/version")
    right = _settings(tmp_path, f"watch.version_url={url}/version", 'watch.paths={model = "build.model"}')

    assert [finding.level for finding in look_at_watch(wrong, offline=False)] == ["problem"]
    (told,) = look_at_watch(right, offline=False)
    assert "model m-2" in told.text
    assert list(look_at_watch(wrong, offline=True)) == []


def test_the_assistant_is_set_up_but_not_asked(tmp_path, served):
    """A missing key, function or address is told; a question would cost something."""
    url, _ = served
    (tmp_path / "mine.py").write_text("def ask(question):\n    raise SystemExit\n", encoding="utf-8")
    function = _settings(tmp_path, "assistant.kind=python", "assistant.function=mine.py:ask")
    gone = _settings(tmp_path, "assistant.kind=python", "assistant.function=gone.py:ask")
    http = _settings(tmp_path, f"assistant.url={url}/ask", "assistant.bearer_env=ASSISTANT_KEY")

    assert [f.level for f in look_at_assistant(function, tmp_path, {}, offline=False)] == ["ok"]
    with pytest.raises(ConfigError, match=r"gone\.py"):
        list(look_at_assistant(gone, tmp_path, {}, offline=False))
    with pytest.raises(ConfigError, match="ASSISTANT_KEY"):
        list(look_at_assistant(http, tmp_path, {}, offline=False))
    found = list(look_at_assistant(http, tmp_path, {"ASSISTANT_KEY": "x"}, offline=False))
    assert [f.level for f in found] == ["ok", "ok"]
    assert list(look_at_assistant(_settings(tmp_path), tmp_path, {}, offline=False)) == []
