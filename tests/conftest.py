"""What every test gets: no network beyond loopback, an environment without keys or Prefect settings, no hurry."""

from __future__ import annotations

import ipaddress
import os
import socket
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# How fast a machine is, and what else runs on it, says nothing about the code.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

_REAL_CONNECT = socket.socket.connect


def _is_local(address: object) -> bool:
    if not isinstance(address, tuple):
        return True  # a Unix socket
    host = str(address[0])
    if host in {"", "localhost"}:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _guarded_connect(self: socket.socket, address: object) -> None:
    if not _is_local(address):
        message = f"a test tried to reach {address!r}; only loopback is allowed"
        raise RuntimeError(message)
    _REAL_CONNECT(self, address)  # type: ignore[arg-type]  # the guard takes whatever socket takes


@pytest.fixture(autouse=True, scope="session")
def _only_loopback():
    socket.socket.connect = _guarded_connect  # type: ignore[method-assign, assignment]  # the point of the guard
    yield
    socket.socket.connect = _REAL_CONNECT  # type: ignore[method-assign]


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("GOLDASSAY_") and name != "GOLDASSAY_CASES":
            monkeypatch.delenv(name)
        if name.endswith("_API_KEY"):
            monkeypatch.delenv(name)


@pytest.fixture
def project_root() -> Path:
    """The checkout."""
    return Path(__file__).resolve().parents[1]


@pytest.fixture
def labelled_data(project_root: Path) -> Path:
    """The folder of people's labels beside the checkout; the test is skipped, with a word, where it is absent."""
    folder = project_root.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no labelled data at {folder.name!r} beside the project")
    return folder
