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
from typing import Any, NamedTuple

__all__ = ["ClauseWords", "Lacks", "clause_words", "courtesy", "lacks", "sidelines", "turns"]

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


class ClauseWords(NamedTuple):
    """How clauses part and what makes one a claim."""

    cut: re.Pattern[str]
    """Ends a clause; its group 'loose' matches where the next may only go on with the one before."""
    asks: re.Pattern[str]
    """A clause that begins so only says what is not known."""
    begins: re.Pattern[str]
    """A clause that begins with a claim."""
    holds: re.Pattern[str]
    """A clause with a claim anywhere in it."""


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
    """Sentences that claim nothing: pointing elsewhere, asking back, what the sources are about."""
    return re.compile("|".join(_stock()["sidelines"]["patterns"]))


@cache
def courtesy() -> re.Pattern[str]:
    """Polite words that may yet introduce a claim."""
    return re.compile(_stock()["sidelines"]["courtesy"])


@cache
def turns() -> re.Pattern[str]:
    """Words behind which a sentence turns from the refusal to something else."""
    return re.compile("|".join(_stock()["turns"]["patterns"]))


@cache
def clause_words() -> ClauseWords:
    """The words that part clauses and those that claim."""
    stock = _stock()["clauses"]
    subject, verb, hedge, wide = (stock[name] for name in ("subject", "verb", "hedge", "wide"))
    figure, amount = stock["figure"], stock["amount"]
    before, behind = r"(?<![\w'])", r"(?![\w'])"
    return ClauseWords(
        re.compile(f"(?P<loose>{stock['loose']})|{stock['strong']}"),
        re.compile(stock["asks"]),
        re.compile(rf"\A\W{{0,3}}(?:{subject}{verb}{behind}|(?:\w{{1,12}} ){{0,2}}{hedge}{behind}|{wide}|{amount})"),
        re.compile(rf"{before}(?:{verb}|{hedge}){behind}|{wide}|{figure}"),
    )
