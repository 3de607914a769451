"""The stub assistant for the tests beside it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

_SPEC = importlib.util.spec_from_file_location("stub_assistant", Path(__file__).with_name("stub_assistant.py"))
assert _SPEC is not None
assert _SPEC.loader is not None
_STUB = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(_STUB)


@pytest.fixture
def assistant():
    """A running stub assistant."""
    with _STUB.StubAssistant() as running:
        yield running
