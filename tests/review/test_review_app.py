"""Who may talk to the page, and what it answers."""

from __future__ import annotations

import asyncio
import re
import socket
import threading
from functools import partialmethod
from typing import Any

import httpx
import pytest
import uvicorn

from goldassay.analytics.connect import connect
from goldassay.errors import ConfigError, StoreError
from goldassay.review.app import About, review_app
from goldassay.review.guard import TOKEN_HEADER, Guard, new_token
from goldassay.review.serve import serve_review
from tests.review.review_store import SECRET

TOKEN = "t0ken"
HERE = "http://127.0.0.1:5000"
CHANGE = {TOKEN_HEADER: TOKEN}


class Client:
    """A browser of few words: it keeps cookies and follows nothing."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.cookies = httpx.Cookies()

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        """One request to the application, without a socket."""
        return asyncio.run(self._request(method, path, more))

    async def _request(self, method: str, path: str, more: dict[str, Any]) -> httpx.Response:
        transport = httpx.ASGITransport(app=self.app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=HERE, cookies=self.cookies) as client:
            reply = await client.request(method, path, **more)
            self.cookies = client.cookies
            return reply

    get = partialmethod(request, "GET")
    put = partialmethod(request, "PUT")
    post = partialmethod(request, "POST")
    delete = partialmethod(request, "DELETE")


@pytest.fixture
def session(opened):
    """Five answers."""
    return opened(number=5)


@pytest.fixture
def stranger(session):
    """A client without the cookie."""
    about = About("Is it <b>supported</b>?", "Look closely.", ("added_claim", "other"))
    return Client(review_app(session, token=TOKEN, port=5000, about=about))


@pytest.fixture
def client(stranger):
    """A client that came in by the printed address."""
    assert stranger.get("/enter", params={"token": TOKEN}).status_code == 303
    return stranger


def labels(session) -> list[tuple]:
    """What is in the store."""
    with connect(session.store) as connection:
        return connection.execute("SELECT outcome, category, comment FROM labels ORDER BY labelled_at").fetchall()


def test_the_token_becomes_a_cookie_and_leaves_the_address(stranger):
    """Browser histories and proxies keep addresses; scripts cannot read the cookie, other sites cannot use it."""
    reply = stranger.get("/enter", params={"token": TOKEN})

    assert reply.headers["location"] == "/"
    cookie = reply.headers["set-cookie"].lower()
    assert cookie.startswith("goldassay-5000=t0ken;")
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


@pytest.mark.parametrize("path", ["/", "/static/review.js", "/api/state", "/api/answers/0", "/nowhere"])
def test_without_the_token_nothing_is_told(stranger, path):
    """Another user of the machine finds the port and gets nothing."""
    reply = stranger.get(path)

    assert reply.status_code == 403
    assert SECRET not in reply.text


def test_a_wrong_token_is_refused(stranger):
    """Whatever it is made of."""
    for token in ("", "t0keN", "\u00e4"):
        assert stranger.get("/enter", params={"token": token}).status_code == 403
    assert stranger.get("/api/state", headers={"cookie": 'goldassay-5000="\\'}).status_code == 403
    assert len({new_token() for _ in range(100)}) == 100
    assert len(new_token()) >= 32


@pytest.mark.parametrize("host", ["evil.example", "evil.example:5000", "127.0.0.1", "127.0.0.1:80", ""])
def test_another_host_name_is_refused(client, host):
    """A site whose name is made to lead here (DNS rebinding) names itself."""
    known = {"host": host, "cookie": "goldassay-5000=t0ken"}

    assert client.get("/api/state", headers=known).status_code == 403
    assert client.get("/enter", params={"token": TOKEN}, headers=known).status_code == 403


def test_localhost_is_the_same_machine(client):
    """Some browsers write it so."""
    known = {"host": "localhost:5000", "cookie": "goldassay-5000=t0ken"}

    assert client.get("/api/state", headers=known).is_success


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:5001"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {TOKEN_HEADER: "other"},
        {TOKEN_HEADER: ""},
    ],
    ids=str,
)
def test_a_forged_change_is_refused(client, session, headers):
    """A page of another site cannot label, even if the browser sent the cookie along."""
    reply = client.put("/api/answers/0", json={"outcome": "pass"}, headers=CHANGE | headers)

    assert reply.status_code == 403
    assert labels(session) == []


def test_a_form_cannot_label(client, session):
    """Forms send no JSON, and no header of ours."""
    assert client.put("/api/answers/0", data={"outcome": "pass"}, headers=CHANGE).status_code == 400
    assert client.post("/api/answers/0", data={"outcome": "pass"}).status_code == 403
    assert client.post("/api/answers/0", json={"outcome": "pass"}, headers=CHANGE).status_code == 405
    assert labels(session) == []


def test_every_reply_forbids_what_the_page_does_not_need(client):
    """No inline script, no other site, no frame, no cache."""
    for path in ("/", "/api/answers/0", "/static/review.js", "/static/none", "/enter?token=wrong"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'"), path
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-frame-options"] == "DENY"


def test_the_page_holds_no_answer_and_no_markup_of_the_data(client):
    """The rubric's words are text; answers come as JSON and become text nodes."""
    page = client.get("/").text

    assert "Is it &lt;b&gt;supported&lt;/b&gt;?" in page
    assert "Look closely." in page
    assert "<script>alert" not in page
    assert not re.search(r"<script(?! src)|<style|style=|\son\w+=", page)


@pytest.mark.parametrize("name", ["page.js", "review.js"])
def test_the_scripts_make_no_markup_of_data(client, name):
    """Text nodes only; the grep is crude, and that is its strength."""
    script = client.get(f"/static/{name}").text

    assert '"use strict"' in script

    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|new Function|\.href\s*=", script)
    assert "http://" not in script
    assert "https://" not in script


def test_label_look_and_take_back(client, session):
    """The four questions of the page."""
    assert client.get("/api/state").json() == {"said": [""] * 5}
    assert client.get("/api/answers/1").json()["verdict"] is None

    body = {"outcome": "fail", "category": "other", "comment": "\u00fcber"}
    kept = client.put("/api/answers/1", json=body, headers=CHANGE).json()
    assert kept["verdict"]["reason"] == SECRET
    assert kept["given"] == body
    assert client.get("/api/state").json()["said"][1] == "fail"

    gone = client.delete("/api/answers/1", headers=CHANGE).json()
    assert gone["given"] is None
    assert client.get("/api/state").json() == {"said": [""] * 5}
    assert labels(session)[0] == ("fail", "other", "\u00fcber")


@pytest.mark.parametrize(
    "body",
    ["", "[]", "{", '{"outcome": 1}', '{"outcome": "pass", "comment": null}', '{"outcome": "maybe"}', "x" * 70_000],
    ids=["nothing", "a list", "half", "a number", "null", "unknown", "huge"],
)
def test_a_bad_label_is_told_and_not_kept(client, session, body):
    """One line says what was wrong."""
    json_type = {"content-type": "application/json; charset=utf-8"}
    reply = client.put("/api/answers/0", content=body, headers=CHANGE | json_type)

    assert reply.status_code == 400
    assert "label" in reply.text
    assert labels(session) == []


def test_answers_outside_the_sample_are_not_there(client):
    """Whatever the method."""
    assert client.get("/api/answers/5").status_code == 404
    assert client.put("/api/answers/99", json={"outcome": "pass"}, headers=CHANGE).status_code == 404
    assert client.delete("/api/answers/5", headers=CHANGE).status_code == 404
    assert client.get("/static/..%2Fapp.py").status_code == 404


def test_a_label_that_cannot_be_kept_is_told(client, session, monkeypatch):
    """A full disk must not look like a kept label."""

    def full(_labels):
        raise StoreError("no space left on the disk. Make room.")

    monkeypatch.setattr(session.store, "add_labels", full)
    reply = client.put("/api/answers/0", json={"outcome": "pass"}, headers=CHANGE)

    assert (reply.status_code, reply.text) == (500, "no space left on the disk. Make room.")
    assert client.get("/api/state").json()["said"][0] == ""


async def test_the_servers_own_start_passes_the_guard():
    """A life cycle has no host and no cookie."""
    seen: list[str] = []

    async def app(scope, _receive, _send):
        seen.append(scope["type"])

    await Guard(app, token=TOKEN, port=5000)({"type": "lifespan"}, app, app)  # type: ignore[arg-type]  # never called

    assert seen == ["lifespan"]


async def test_nothing_but_http_is_served():
    """No web socket, which would know no origin check of its own."""

    async def never(*_args):
        raise AssertionError

    guard = Guard(never, token=TOKEN, port=5000)
    with pytest.raises(RuntimeError, match="no protocol but HTTP"):
        await guard({"type": "websocket"}, never, never)


def test_the_server_listens_on_this_machine_alone_and_stops(session):
    """A real server on a free port: its address leads in, and it can be stopped from outside."""
    told: list[str] = []
    servers: list[uvicorn.Server] = []
    ready = threading.Event()

    def on_ready(address: str) -> None:
        told.append(address)
        ready.set()

    running = threading.Thread(
        target=serve_review, args=(session,), kwargs={"on_ready": on_ready, "on_server": servers.append}
    )
    running.start()
    try:
        assert ready.wait(20)
        with httpx.Client(follow_redirects=True, trust_env=False) as client:
            reply = client.get(told[0])
        assert (reply.status_code, reply.url.path) == (200, "/")
        assert told[0].startswith("http://127.0.0.1:")
        assert "server" not in reply.headers
    finally:
        servers[0].should_exit = True
        running.join(20)
    assert not running.is_alive()


def test_a_port_in_use_is_told(session):
    """Before anything is served."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=f"port {port}.*--port 0"):
            serve_review(session, port=port, on_ready=lambda _: None)
    with pytest.raises(ConfigError, match="port 70000"):
        serve_review(session, port=70_000, on_ready=lambda _: None)
