"""The nearest known name, for messages about unknown ones."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["nearest"]

LIKE_PERCENT = 60


def nearest(name: str, known: Iterable[str]) -> str:
    """Tail of a message: '; did you mean ...?', or the list of known names when none is near."""
    from rapidfuzz import process  # noqa: PLC0415 - needed only when something is wrong

    names = sorted(known)
    found = process.extractOne(name, names, score_cutoff=LIKE_PERCENT)
    return f"; did you mean {found[0]!r}?" if found else f"; known are {', '.join(names)}"
