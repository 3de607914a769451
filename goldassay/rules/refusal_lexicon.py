"""How assistants say that they cannot answer: reads `data/refusal.toml` and compiles what is needed, when it is.

Knows words, not answers; called by `goldassay.rules.refusal_detect`. The
patterns and how to add a language are explained in that file.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import Any

__all__ = ["Lacks", "lacks", "sidelines", "turns"]

_MACRO = re.compile(r"<([A-Z]+)>")


@dataclass(frozen=True)
class Lacks:
    """What says in one group of languages that the answer is missing."""

    name: str
    hints: tuple[str, ...]
    """Short lower-case strings, one of which stands in every match."""
    is_alphabetic: bool
    """False where no ASCII text can match."""
    source: str
    """The pattern, not compiled yet: compiling all languages would cost more than a small check."""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The compiled pattern over lower-case text."""
        return re.compile(self.source)


@cache
def _stock() -> dict[str, Any]:
    text = resources.files("goldassay.rules").joinpath("data/refusal.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _expanded(pattern: str) -> str:
    """The pattern with its <NAMES> replaced, those inside them included."""
    return _MACRO.sub(lambda match: _expanded(_stock()["stock"][match.group(1)]), pattern)


@cache
def lacks() -> tuple[Lacks, ...]:
    """All groups of languages."""
    return tuple(
        Lacks(
            language["name"],
            tuple(language["hints"]),
            language["alphabetic"],
            "|".join(_expanded(pattern) for pattern in language["lacks"]),
        )
        for language in _stock()["language"]
    )


@cache
def sidelines() -> re.Pattern[str]:
    """Sentences that claim nothing: courtesy, pointing elsewhere, asking back, what the sources are about."""
    return re.compile("|".join(_stock()["sidelines"]["patterns"]))


@cache
def turns() -> re.Pattern[str]:
    """Words behind which a sentence turns from the refusal to something else."""
    return re.compile("|".join(_stock()["turns"]["patterns"]))
