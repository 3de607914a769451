"""What a bracket may be that is no citation: an index of code, an interval, a mark copied out of a source.

Knows the characters around a mark. Called by `goldassay.rules.cites_resolve`, for
marks of unknown sources and, where the signs are plain, for known ones too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from goldassay.rules.cites_marks import Mark
from goldassay.rules.wordlists import word_set

__all__ = ["cites_in_words", "has_detached_style", "is_copied", "is_index", "is_interval", "is_maths", "is_pattern"]

_MATHS = re.compile(r"(?:range|interval|scale|domain|bounds?|values?|[=∈]|\w\()\s?(?:of|from|in)?\s?\Z", re.IGNORECASE)
_INTERVAL = re.compile(
    r"(?:\b(?i:range|interval|domain)(?: of| from)?|∈"
    r"|\b(?:[a-zA-Z]|\w{1,12}\([a-z]\)) (?:lies |is |lie |are )?(?:in|within|from))\s?\Z"
)
_IDENTIFIER = re.compile(r"[\w.]{1,40}\Z")
_CODE_WORD = re.compile(r"\w_\w|[a-z]\.[a-z]|[a-z][A-Z]|\A[A-Za-z]\Z")
_ARRAYS = word_set("items arr args argv params vals vec idx cols rows elems nums tuple kwargs sys.argv")
_PERHAPS_ARRAYS = word_set(
    "list lists array arrays data values results table elements element keys entries buffer string lines tokens words"
    " numbers output input records nodes stack queue cells row column matrix vector map dict"
)
_CITES = re.compile(
    r"(?:according to|as per|based on|see|in|from|per|by|also|cf\.?|laut|siehe|nach|gemäß|selon|según|secondo|根据|见)"
    r"\s?(?:the\s|der\s)?\(?\Z|(?:\A|[.!?(:\n])\s?\Z",
    re.IGNORECASE,
)
_SLASHES = frozenset("/|+")
_LEAST_COPIED = 8
"""Characters before a mark that must stand before it in the source as well."""


def cites_in_words(before: str) -> bool:
    """Whether 'passage 9' stands where one cites: behind 'according to' or at the beginning of a sentence."""
    return _CITES.search(before) is not None


def has_detached_style(text: str, marks: Iterable[Mark]) -> bool:
    """Whether the answer sets a space before its marks; one that touches a word may then be an index."""
    return any(mark.kind == "bracket" and mark.start and text[mark.start - 1].isspace() for mark in marks)


def is_maths(before: str) -> bool:
    """Whether mathematics comes before the bracket: 'range of [0, 10]', 'f([1, 2])'."""
    return _MATHS.search(before) is not None or _INTERVAL.search(before) is not None


def is_interval(mark: Mark, literal: str, before: str) -> bool:
    """'x in [0, 1]' is an interval even where sources 0 and 1 were sent."""
    return mark.kind == "bracket" and len(mark.items) == 2 and "," in literal and _INTERVAL.search(before) is not None


def is_pattern(mark: Mark, text: str) -> bool:
    """'[0-9]+' and '[1-9]' are classes of a regular expression, '[24/7]' is a fraction or a phrase."""
    literal = text[mark.start : mark.end]
    has_class = literal in {"[0-9]", "[1-9]"} or (
        mark.items[0].last is not None and text[mark.end : mark.end + 1] in {"+", "*", "{", "\\", "$", "^"}
    )
    return has_class or not _SLASHES.isdisjoint(literal)


def is_index(mark: Mark, text: str, *, is_known: bool, is_detached: bool) -> bool:
    """'x[0]', 'grid_rows[7]', 'items[2]': an index in prose.

    Args:
        mark: The bracket.
        text: The answer.
        is_known: Whether it names a source that was sent; then the signs must be plainer.
        is_detached: Whether other marks of the answer stand apart from the words.
    """
    found = _IDENTIFIER.search(text, max(0, mark.start - 40), mark.start)
    if found is None or text[mark.start + 1] in "^#@":
        return False
    word = found.group()
    if word.lower() in _ARRAYS:
        return not is_known or is_detached
    if word.lower() in _PERHAPS_ARRAYS and is_detached and text[mark.end : mark.end + 2].strip().isalpha():
        return True
    if is_known:
        return is_detached and ("_" in word or (len(word) == 1 and word.islower()))
    return _CODE_WORD.search(word) is not None or mark.items[0].first == 0


def is_copied(mark: Mark, text: str, sources: Sequence[tuple[int, str]], known: Sequence[int]) -> bool:
    """Whether the mark was copied with the words before it out of a source that it does not name.

    Args:
        mark: The bracket.
        text: The answer.
        sources: Position and text of the sources that hold a bracket.
        known: Positions of the sources that the mark names.
    """
    begin = mark.start - _LEAST_COPIED
    if begin < 0:
        return False
    literal, copied = text[mark.start : mark.end], text[begin : mark.end]
    holders = [position for position, source in sources if literal in source and copied in source]
    return bool(holders) and not any(position in known for position in holders)
