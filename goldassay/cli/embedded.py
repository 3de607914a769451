"""Makes Prefect ready before it is imported: the given server, or a quiet temporary one in the project's folder.

Prefect reads its settings when it is imported, so this runs first and only sets
environment variables that the operator has not set.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import MutableMapping
from pathlib import Path

__all__ = ["prepare_prefect", "server_url", "uses_own_server"]

_START_LIMIT_S = 120
"""A first start in a new home migrates its database and was seen to take 20 s on two busy cores."""

_QUIET = {
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",  # else the server looks up an analytics host
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ALLOW_EPHEMERAL_MODE": "true",
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": str(_START_LIMIT_S),
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",  # at the default it prints tracebacks when it is shut down
    "PREFECT_LOGGING_LEVEL": "WARNING",
    "PREFECT_LOGGING_TO_API_ENABLED": "false",  # the temporary server forgets them at exit
    "PREFECT_SERVER_UI_ENABLED": "false",
    "PREFECT_CLIENT_SERVER_VERSION_CHECK_ENABLED": "false",
}


def uses_own_server(environ: MutableMapping[str, str]) -> bool:
    """True when a Prefect server is named, by PREFECT_API_URL or by the active profile."""
    return server_url(environ) is not None


def server_url(environ: MutableMapping[str, str]) -> str | None:
    """API address of the named Prefect server; None when none is named."""
    return environ.get("PREFECT_API_URL") or _profile_url(environ) or None


def prepare_prefect(folder: Path, environ: MutableMapping[str, str] | None = None) -> bool:
    """Sets the environment for embedded use; changes nothing when a server is named.

    Args:
        folder: The project's folder; the temporary server's state lies in its ``.goldassay/prefect``.
        environ: The process environment by default.

    Returns:
        True when the temporary server will be used.
    """
    environ = os.environ if environ is None else environ
    if uses_own_server(environ):
        return False
    home = Path(environ.setdefault("PREFECT_HOME", str(folder / ".goldassay" / "prefect")))
    home.mkdir(parents=True, exist_ok=True)
    for name, value in _QUIET.items():
        environ.setdefault(name, value)
    return True


def _profile_url(environ: MutableMapping[str, str]) -> str | None:
    home = Path(environ.get("PREFECT_HOME") or Path.home() / ".prefect")
    try:
        profiles = tomllib.loads((home / "profiles.toml").read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError):
        return None
    active = environ.get("PREFECT_PROFILE") or profiles.get("active")
    url = profiles.get("profiles", {}).get(active, {}).get("PREFECT_API_URL")
    return url if isinstance(url, str) else None
