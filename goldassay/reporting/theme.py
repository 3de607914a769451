"""Colours and signs of the terminal reports: one meaning, one look, readable without colour.

Every outcome has a sign beside its colour, so nothing is told by colour alone.
Terminals that cannot show the signs get ASCII ones.
"""

from __future__ import annotations

from typing import NamedTuple

from rich.console import Console
from rich.theme import Theme

__all__ = ["ASCII", "TERMINAL_THEME", "UNICODE", "Signs", "make_console", "outcome_style", "signs_for"]

TERMINAL_THEME = Theme(
    {
        "ga.title": "bold",
        "ga.head": "bold cyan",
        "ga.dim": "dim",
        "ga.label": "dim",
        "ga.pass": "green",
        "ga.fail": "bold red",
        "ga.bar.fail": "red",
        "ga.error": "yellow",
        "ga.skip": "dim",
        "ga.unsure": "magenta",
        "ga.warn": "bold yellow",
        "ga.alarm": "bold white on red",
        "ga.command": "bold",
        "ga.path": "cyan",
        "ga.quote": "default",
        "ga.mark.good": "green",
        "ga.mark.bad": "bold red underline",
        "ga.mark.cite": "cyan",
    }
)


class Signs(NamedTuple):
    """The signs a report draws with."""

    passed: str
    failed: str
    error: str
    skipped: str
    unsure: str
    up: str
    down: str
    same: str
    bullet: str
    bar_pass: str
    bar_fail: str
    bar_error: str
    spark: str
    """Levels of a sparkline, lowest first; one more for a gap stands in `gap`."""
    gap: str
    rule: str
    arrow: str


UNICODE = Signs("✓", "✗", "!", "\u2013", "?", "▲", "▼", "=", "•", "━", "╌", "!", "▁▂▃▄▅▆▇█", "·", "─", "→")
ASCII = Signs("+", "x", "!", "-", "?", "^", "v", "=", "*", "#", ".", "!", "_.-=+*%#", " ", "-", "->")

_STYLES = {"pass": "ga.pass", "fail": "ga.fail", "error": "ga.error", "skip": "ga.skip", "unsure": "ga.unsure"}


def outcome_style(outcome: str) -> str:
    """Style name of an outcome."""
    return _STYLES.get(outcome, "default")


def signs_for(console: Console) -> Signs:
    """Unicode signs where the console's encoding can carry them, else ASCII."""
    return UNICODE if "utf" in console.encoding.lower() else ASCII


class _Console(Console):
    """Rich ends the process with code 1 where a reader such as `head` has enough; here that is no failure."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        raise BrokenPipeError


def make_console(*, stderr: bool = False, width: int | None = None, no_color: bool | None = None) -> Console:
    """A console for the reports: no markup, no guessing of colours in data, no crash on a narrow encoding.

    Rich itself honours NO_COLOR, TERM=dumb, COLUMNS and FORCE_COLOR.
    """
    console = _Console(
        stderr=stderr, width=width, no_color=no_color, markup=False, emoji=False, highlight=False, theme=TERMINAL_THEME
    )
    reconfigure = getattr(console.file, "reconfigure", None)
    if reconfigure is not None and "utf" not in console.encoding.lower():
        reconfigure(errors="replace")
    return console
