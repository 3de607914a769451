"""Who may talk to the page: the browser on this machine that holds the token, and no page of another site.

A page on loopback is reachable by every site the person has open, and by every user of the machine. So each
request must name this very host (against DNS rebinding), carry the token's cookie (against other users), and
come from this page (against forged requests). The checks hold for every path, static files too.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["LOOPBACK", "TOKEN_HEADER", "Guard", "new_token"]

LOOPBACK = "127.0.0.1"
TOKEN_HEADER = "x-goldassay-page"  # noqa: S105 - the name of a header
"""Sent by the page's own script with every change: a form of another site cannot set it."""
_NAMES = (LOOPBACK, "localhost")
_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


def new_token() -> str:
    """A token nobody guesses."""
    return secrets.token_urlsafe(24)


class Guard:
    """ASGI middleware that turns away everyone but the one browser, and sends the strict headers."""

    def __init__(self, app: ASGIApp, *, token: str, port: int) -> None:
        self.app = app
        self.token = token
        self.hosts = frozenset(f"{name}:{port}" for name in _NAMES)
        self.cookie = cookie_name(port)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with what is wrong."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            raise RuntimeError(f"no protocol but HTTP is served here, not {scope['type']!r}")
        wrong = self._wrong(scope, Headers(scope=scope))
        answer: ASGIApp = self.app if wrong is None else PlainTextResponse(wrong, status_code=403)
        await answer(scope, receive, _with_headers(send))

    def _wrong(self, scope: Scope, headers: Headers) -> str | None:
        if headers.get("host", "").lower() not in self.hosts:
            return "wrong host: open the address that goldassay review printed."
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in {f"http://{host}" for host in self.hosts}:
            return "requests of another page are not taken."
        if scope["path"] == "/enter":  # the one path that is opened with the token instead of the cookie
            return None
        return self._wrong_behind_the_door(scope, headers)

    def _wrong_behind_the_door(self, scope: Scope, headers: Headers) -> str | None:
        if not self._knows(_cookies(headers).get(self.cookie, "")):
            return "not for you: open the address, token included, that goldassay review printed."
        if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
            return "requests of another page are not taken."
        if scope["method"] not in {"GET", "HEAD"} and not self._knows(headers.get(TOKEN_HEADER, "")):
            return "changes are taken from the page alone."
        return None

    def _knows(self, given: str) -> bool:
        return secrets.compare_digest(given.encode("utf-8", "replace"), self.token.encode())


def cookie_name(port: int) -> str:
    """Cookies are shared by all ports of a host, so two pages at once need two names."""
    return f"goldassay-{port}"


def _cookies(headers: Headers) -> Mapping[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(_HEADERS)
        await send(message)

    return sending
