"""Serving the page on loopback until it is stopped."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable

import uvicorn

from goldassay.errors import ConfigError
from goldassay.review.app import About, review_app
from goldassay.review.guard import LOOPBACK, new_token
from goldassay.review.session import ReviewSession

__all__ = ["serve_review"]

_GRACE_S = 2


def serve_review(
    session: ReviewSession,
    *,
    port: int = 0,
    about: About | None = None,
    on_ready: Callable[[str], None],
    on_server: Callable[[uvicorn.Server], None] = lambda _server: None,
) -> None:
    """Serve a session; comes back when the person stops it (Ctrl-C).

    Args:
        session: What is labelled.
        port: 0: any free port.
        about: The criterion in words.
        on_ready: Told the address, token included, as soon as the port is taken.
        on_server: Told the server, so that another thread can stop it.

    Raises:
        ConfigError: If the port is taken.
    """
    token = new_token()
    # Taken before the address is told: nobody else can answer on it, and a browser may come at once.
    with _listening(port) as listener:
        taken: int = listener.getsockname()[1]
        app = review_app(session, token=token, port=taken, about=about)
        # No access log: it would hold the token of the first request.
        config = uvicorn.Config(
            app, access_log=False, log_level="warning", server_header=False, date_header=False,
            proxy_headers=False, ws="none", lifespan="off", timeout_graceful_shutdown=_GRACE_S,
        )  # fmt: skip
        server = uvicorn.Server(config)
        on_server(server)
        on_ready(f"http://{LOOPBACK}:{taken}/enter?token={token}")
        with contextlib.suppress(KeyboardInterrupt):  # the way to end it, which uvicorn passes on
            server.run(sockets=[listener])


def _listening(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((LOOPBACK, port))
        listener.listen(64)
    except (OSError, OverflowError) as error:
        listener.close()
        raise ConfigError(
            f"port {port!r} of {LOOPBACK} cannot be taken: {error}. Use --port 0 for any free one."
        ) from error
    return listener
