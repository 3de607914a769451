"""The page's server: the page itself, its files, and four questions in JSON.

    GET  /enter?token=...     takes the token, sets the cookie, goes on to the page
    GET  /                    the page
    GET  /api/state           what was said of each answer
    GET  /api/answers/{n}     one answer
    PUT  /api/answers/{n}     a label: {"outcome", "category", "comment"}
    DELETE /api/answers/{n}   takes it back

Who may ask is the guard's to say (`goldassay.review.guard`).
"""

from __future__ import annotations

import secrets
from importlib import resources
from typing import Any, NamedTuple

import jinja2
import orjson
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from goldassay.errors import ConfigError, GoldassayError
from goldassay.reporting.words import category_name
from goldassay.review.guard import Guard, cookie_name
from goldassay.review.items import item_view, session_view
from goldassay.review.session import ReviewSession
from goldassay.verdicts import FAILURE_CATEGORIES

__all__ = ["About", "review_app"]

_MOST_BODY_BYTES = 64_000
_TYPES = {
    "page.js": "text/javascript",
    "review.js": "text/javascript",
    "review.css": "text/css",
    "report.css": "text/css",
    "icon.svg": "image/svg+xml",
}
_SHARED = {"page.js", "report.css"}  # the report's own


class About(NamedTuple):
    """What the person is asked: the criterion in its own words."""

    question: str = ""
    guidance: str = ""
    categories: tuple[str, ...] = ()
    """Reasons to choose from; empty: the whole closed list."""


def review_app(session: ReviewSession, *, token: str, port: int, about: About | None = None) -> Starlette:
    """The ASGI application of one session.

    Args:
        session: What is labelled, and by whom.
        token: The secret of the printed address.
        port: The port it is served on; other host names and ports are refused.
        about: The criterion in words.
    """
    pages = _Pages(session, token, port, about or About())
    routes = [
        Route("/enter", pages.enter),
        Route("/", pages.page),
        Route("/static/{name}", pages.static),
        Route("/api/state", pages.state),
        Route("/api/answers/{place:int}", pages.answer),
        Route("/api/answers/{place:int}", pages.label, methods=["PUT"]),
        Route("/api/answers/{place:int}", pages.undo, methods=["DELETE"]),
    ]
    app = Starlette(routes=routes, middleware=[Middleware(Guard, token=token, port=port)])
    app.add_exception_handler(GoldassayError, _complain)
    return app


class _Pages:
    """The answers to the requests of one session."""

    def __init__(self, session: ReviewSession, token: str, port: int, about: About) -> None:
        self.session, self.token, self.port, self.about = session, token, port, about

    async def enter(self, request: Request) -> Response:
        """Trade the token for a cookie, so that it leaves the address bar and the history."""
        if not secrets.compare_digest(request.query_params.get("token", "").encode(), self.token.encode()):
            return PlainTextResponse("wrong token: open the address that goldassay review printed.", status_code=403)
        response = RedirectResponse("/", status_code=303)
        response.set_cookie(cookie_name(self.port), self.token, httponly=True, samesite="strict", path="/")
        return response

    async def page(self, _request: Request) -> Response:
        """The page, without any answer in it."""
        session = self.session
        setup = {"token": self.token, "total": len(session.items), "categories": _categories(self.about)}
        return HTMLResponse(
            _template().render(
                setup=orjson.dumps(setup).decode(),
                app=session.run.app,
                run=session.run.run_id,
                check=session.check,
                labeller=session.labeller,
                total=len(session.items),
                about=self.about,
            )
        )

    async def static(self, request: Request) -> Response:
        """One of the page's own files."""
        name = request.path_params["name"]
        if name not in _TYPES:
            return PlainTextResponse("no such file", status_code=404)
        package = "goldassay.reporting.html" if name in _SHARED else "goldassay.review"
        return Response(resources.files(package).joinpath("static", name).read_bytes(), media_type=_TYPES[name])

    async def state(self, _request: Request) -> Response:
        """How far the person is."""
        return _json(session_view(self.session))

    async def answer(self, request: Request) -> Response:
        """One answer."""
        place = self._place(request)
        return _no_answer() if place is None else _json(await run_in_threadpool(item_view, self.session, place))

    async def label(self, request: Request) -> Response:
        """Keep a label, then show what the judge said."""
        place = self._place(request)
        if place is None:
            return _no_answer()
        outcome, category, comment = await _read_label(request)
        await run_in_threadpool(self.session.label, place, outcome, category=category, comment=comment)
        return _json(await run_in_threadpool(item_view, self.session, place))

    async def undo(self, request: Request) -> Response:
        """Take a label back."""
        place = self._place(request)
        if place is None:
            return _no_answer()
        await run_in_threadpool(self.session.undo, place)
        return _json(await run_in_threadpool(item_view, self.session, place))

    def _place(self, request: Request) -> int | None:
        place: int = request.path_params["place"]
        return place if place < len(self.session.items) else None


async def _read_label(request: Request) -> tuple[Any, str, str]:
    """The body of a label.

    Raises:
        ConfigError: If it is no JSON object of texts, or far too long.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise ConfigError("a label is sent as application/json.")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_BODY_BYTES:
            raise ConfigError(f"a label of more than {_MOST_BODY_BYTES:,} bytes; write a shorter note.")
    try:
        given = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise ConfigError("a label is a JSON object.") from error
    values = [given.get(name, "") for name in ("outcome", "category", "comment")] if isinstance(given, dict) else []
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) != 3:
        raise ConfigError("a label is an object of the texts outcome, category and comment.")
    return texts[0], texts[1], texts[2]


def _categories(about: About) -> list[tuple[str, str]]:
    return [(name, category_name(name)) for name in about.categories or sorted(FAILURE_CATEGORIES)]


def _json(value: Any) -> Response:
    return Response(orjson.dumps(value), media_type="application/json")


def _no_answer() -> Response:
    return PlainTextResponse("no such answer in this sample", status_code=404)


def _complain(_request: Request, error: Exception) -> Response:
    """A label that cannot be kept must be told: the page says so and stays where it is."""
    return PlainTextResponse(str(error), status_code=400 if isinstance(error, ConfigError) else 500)


def _template() -> jinja2.Template:
    text = resources.files("goldassay.review").joinpath("static", "review.html.j2").read_text(encoding="utf-8")
    return jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined).from_string(text)
