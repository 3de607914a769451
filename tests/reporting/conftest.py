"""Builders of invented reports, and consoles in memory."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from rich.console import Console

from goldassay.analytics.models_reports import (
    CompareReport,
    HistoryReport,
    RunSummary,
)
from goldassay.reporting.theme import TERMINAL_THEME
from tests.reporting.invented_run import build_summary
from tests.reporting.invented_versions import build_compare, build_history

HOSTILE = "<script>alert(1)</script>[red]x[/red]\x1b[31mred\x07 ]]> `a|b` @team \u202eevil =1+1 javascript:alert(1)"


def paper(width: int = 80, *, color: bool = False) -> Console:
    """A console that writes to memory."""
    return Console(
        file=io.StringIO(),
        width=width,
        theme=TERMINAL_THEME,
        force_terminal=color,
        color_system="truecolor" if color else None,
        legacy_windows=False,
    )


@pytest.fixture
def console() -> Console:
    """80 columns, no colour, in memory."""
    return paper()


@pytest.fixture
def make_summary() -> Callable[..., RunSummary]:
    """Builder of run summaries."""
    return build_summary


@pytest.fixture
def make_history() -> Callable[..., HistoryReport]:
    """Builder of histories."""
    return build_history


@pytest.fixture
def make_compare() -> Callable[..., CompareReport]:
    """Builder of comparisons."""
    return build_compare


@pytest.fixture
def paper_of() -> Callable[..., Console]:
    """Builder of consoles in memory."""
    return paper


@pytest.fixture
def hostile() -> str:
    """Markup of every kind in one line."""
    return HOSTILE
