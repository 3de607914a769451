"""Tells a verdict of the judge's own from one that it repeats from the text under evaluation.

Compared by what the verdict says, member by member: other quotes, another order, fewer members or
escapes make it no other verdict. Called by the reader of JSON replies; knows nothing of rubrics.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from goldassay.judging.reply_contract import Fault, Reading

__all__ = ["Evaluated", "check_echo"]

_MEANS_NOTHING = re.compile(r"[\s\"'`\\\u2018-\u201f\u00ab\u00bb]+")
_EQUALS = str.maketrans({"=": ":", "\uff1a": ":"})
_DOUBT = re.compile(
    r"\b(?:inject\w*|instruct\w*|manipulat\w*|refus\w*|ignor\w*|disregard\w*|"
    r"(?:not|n['\u2019]t|never) (?:follow|obey|give|output)\w*)",
    re.IGNORECASE,
)
"""Words of a judge that speaks of a verdict it was told to give."""


class Evaluated:
    """The texts under evaluation, made comparable when first looked at, since most replies need none of it."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Keep them as they are."""
        self._texts = texts
        self._comparable: dict[int, str] = {}

    def holds(self, value: Any) -> bool:
        """Whether one text says all that the value says."""
        members = list(_members(value))
        # Looked for by name before anything is made comparable: ordinary text does not speak of scores.
        names = sorted({name.casefold() for name, _ in members}, key=len, reverse=True)  # long names are rare words
        likely = [number for number, text in enumerate(self._texts) if _has_all(text, names)] if members else []
        if not likely:
            return False
        told = [f"{_comparable(name.casefold())}:{_comparable(said.casefold())}" for name, said in members]
        return any(all(_stands_in(member, self._text(number)) for member in told) for number in likely)

    def _text(self, number: int) -> str:
        if number not in self._comparable:
            self._comparable[number] = _comparable(self._texts[number].casefold())
        return self._comparable[number]


def check_echo(reading: Reading, value: Any, evaluated: Evaluated, *, around: str, is_sure: bool) -> bool:
    """Whether the verdict stands in the text under evaluation, so that it is suspect.

    Args:
        reading: What was made of the value.
        value: The value as decoded.
        evaluated: The texts under evaluation.
        around: What the judge says beside it.
        is_sure: Whether the value is known to be the judge's last word.

    Raises:
        Fault: 'ambiguous' when it is quoted in prose: nothing tells it from the judge quoting the answer.
    """
    is_quoted = evaluated.holds(value)
    in_prose = "surrounding_text_ignored" in reading.repairs or not is_sure
    if is_quoted and in_prose:
        raise Fault("ambiguous", suspect=True)
    has_reason = any(isinstance(part, str) and part.strip() for part in reading.values.values())
    if not has_reason and _speaks_of_orders(around):
        raise Fault("ambiguous", value=around.strip()[:80])
    return is_quoted


@lru_cache(maxsize=4)
def _speaks_of_orders(around: str) -> bool:
    """Asked for each of the values of a reply, which may be many, and the same for all of them."""
    return _DOUBT.search(around) is not None


def _has_all(text: str, names: Sequence[str]) -> bool:
    folded = text.casefold()
    return names[0] in folded and all(name in folded for name in names)


def _members(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """What a value says, as name and text; members that say nothing are left out."""
    if isinstance(value, dict) and value:
        for key, part in value.items():
            yield from _members(part, str(key))
    elif isinstance(value, list) and value:
        for part in value:
            yield from _members(part, name)
    elif value not in ("", None) and name:
        yield name, _literal(value)


def _literal(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _stands_in(member: str, text: str) -> bool:
    """Whether a member stands there as a whole: 'score:5' is not in 'score:50'."""
    at = text.find(member)
    while at >= 0:
        after = text[at + len(member) : at + len(member) + 2]
        if not (after[:1].isalnum() or (after[:1] == "." and after[1:].isdigit() and after[1:] != "0")):
            return True
        at = text.find(member, at + 1)
    return False


def _comparable(text: str) -> str:
    return _MEANS_NOTHING.sub("", text).translate(_EQUALS)
