"""Examining what a run speaks to beside the judge: the assistant, its version endpoint, Prefect and its shared limit.

Nothing is paid for and nothing is changed: no question is asked, no limit is made. Called by `examining`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

import httpx

__all__ = ["Finding", "look_at_assistant", "look_at_prefect", "look_at_watch", "reachable"]

_TIMEOUT_S = 10.0


class Finding(NamedTuple):
    """One thing that was looked at."""

    level: Literal["ok", "warning", "problem"]
    about: str
    text: str


def reachable(about: str, url: str) -> Finding:
    """Whether anybody is at an address: any answer to a plain GET shows it, and no call is paid for."""
    try:
        status = httpx.get(url, timeout=_TIMEOUT_S, trust_env=False).status_code
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return Finding(
            "problem", about, f"{url!r} does not answer: {type(error).__name__}. Is it running, is the address right?"
        )
    return Finding("ok", about, f"{url!r} is reachable (it answered a plain GET with status {status})")


def look_at_assistant(settings: Any, folder: Path, environ: Mapping[str, str], *, offline: bool) -> Iterator[Finding]:
    """Whether golden runs can ask the assistant: its keys, its function, its address.

    Raises:
        ConfigError: If a key is missing or the function cannot be loaded.
    """
    config = settings.assistant
    if config is None:
        if settings.golden.path is not None:
            yield Finding("ok", "assistant", "not set: a golden run takes the answers that the log holds")
        return
    from goldassay.sources.assistant.ask import open_asker  # noqa: PLC0415 - only a set assistant pays for it

    open_asker(config, environ=environ, base_dir=folder)
    what = {"http": config.url, "python": config.function, "command": " ".join(config.command)}[config.kind]
    yield Finding("ok", "assistant", f"{config.kind} {what!r} can be set up; nothing was asked (goldassay ask asks)")
    if config.kind == "http" and not offline:
        yield reachable("assistant", config.url)


def look_at_watch(settings: Any, *, offline: bool) -> Iterator[Finding]:
    """Whether the version endpoint tells a version.

    Raises:
        SourceError: If it gives no JSON.
    """
    from goldassay.stages.watching import read_endpoint  # noqa: PLC0415 - only a set endpoint pays for it

    url = settings.watch.version_url
    if url is None or offline:
        return
    versions = {name: value for name, value in read_endpoint(url, settings.watch.paths).items() if value}
    if versions:
        told = ", ".join(f"{name} {value}" for name, value in versions.items())
        yield Finding("ok", "watch", f"{url!r} tells {told}")
    else:
        yield Finding("problem", "watch", f"{url!r} tells no version. Name where they stand in its JSON: watch.paths")


def look_at_prefect(settings: Any, url: str | None, *, offline: bool) -> Iterator[Finding]:
    """Whether the named Prefect server is there, and what of the settings needs one.

    Args:
        settings: The checked settings.
        url: API address of the server, from the environment or Prefect's profile; None: none is named.
        offline: Ask no server.
    """
    limit = settings.run.shared_limit
    if not url:
        yield Finding(
            "ok", "prefect", "no server is set: runs use a temporary one. Schedules need one: docs/operating.md"
        )
        if limit is not None:
            text = f"run.shared_limit = {limit!r} is shared with nobody: each temporary server has limits of its own"
            yield Finding("warning", "shared limit", f"{text}. Set PREFECT_API_URL, or use judge.rate_share")
        return
    if offline:
        return
    found = reachable("prefect", f"{url.rstrip('/')}/health")
    yield found
    if found.level == "ok" and limit is not None:
        yield _shared_limit(settings, url, limit)


def _shared_limit(settings: Any, url: str, name: str) -> Finding:
    if settings.judge.requests_per_minute is None:
        text = f"run.shared_limit = {name!r} needs judge.requests_per_minute: the rate that is shared"
        return Finding("problem", "shared limit", text)
    try:
        answer = httpx.get(f"{url.rstrip('/')}/v2/concurrency_limits/{name}", timeout=_TIMEOUT_S, trust_env=False)
        if answer.status_code == httpx.codes.NOT_FOUND:
            return Finding("ok", "shared limit", f"{name!r} is not there yet: the first run makes it")
        there = answer.raise_for_status().json()
    except (httpx.HTTPError, ValueError) as error:
        return Finding("warning", "shared limit", f"{name!r} could not be looked at: {type(error).__name__}")
    decay = float(there["slot_decay_per_second"])
    if not there["active"]:
        return Finding("problem", "shared limit", f"{name!r} is switched off. Switch it on: prefect gcl enable {name}")
    if there["limit"] < 1 or decay <= 0:
        text = f"{name!r} lets nothing through. Give it slots and a decay: prefect gcl update {name}"
        return Finding("problem", "shared limit", text)
    passes = there["limit"] + 60 * decay
    return Finding(
        "ok", "shared limit", f"{name!r} lets {passes:,.0f} requests a minute through, for all runs together"
    )
