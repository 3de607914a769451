"""What a bracket may be that is no citation: an index of code, an interval, a mark copied out of a source.

Knows the characters around a mark. Called by `goldassay.rules.cites_resolve`, for
marks of unknown sources and, where the signs are plain, for known ones too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from goldassay.rules.cites_marks import Mark
from goldassay.rules.wordlists import word_set

__all__ = [
    "cites_in_words",
    "has_detached_style",
    "is_copied",
    "is_data",
    "is_index",
    "is_interval",
    "is_maths",
    "is_pattern",
    "is_ratio",
    "with_marks_in_code",
]

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
_DATA_BEFORE = re.compile(
    r"(?:[=∈]|\\in|\barray\(|\b(?:outputs?|inputs?|results?|values?|arrays?|lists?|coordinates|shape|example):"
    r"|\b(?:shape|tuple|ndarray|coordinates))\s?\Z",
    re.IGNORECASE,
)
_KEY_BEFORE = re.compile(r"\b(?:[Pp]ress|[Dd]ial|(?:[Cc]hoose|[Ss]elect|[Pp]ick) option)\s\Z")
_DATA_NOUN = re.compile(r"\b(?:list|array|vector|sequence|matrix|set)\s\Z", re.IGNORECASE)
_DATA_VERB = re.compile(r"\b(?:returns?|prints?|yields?|outputs?|produces?|gives?|becomes?|to|is|be)\s\Z")
_CODE_NEAR = re.compile(
    r"\b(?:function|method|code|call|program|script|snippet|expression|variable|python|loop|option|it prints)\b|\w\(\)",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"\s[^\W\d_]")
_SURE_LIST = 3
"""Members of a literal list; fewer behind such a word may well be citations."""
_RATIO = re.compile(r"\d{1,6}:\d{1,4}")
_RATIO_BEFORE = re.compile(
    r"\b(?:ratios?(?: of| is)?|scale(?: of)?|at|from|of|odds|slice|time|verse|is)\s?\Z", re.IGNORECASE
)
_CODE_MARKS = re.compile(r"`((?:\[\d{1,3}\]\s?){1,6})`")
_SPEAKS_OF_CODE = re.compile(
    r"\b(?:is|are|be|returns?|prints?|outputs?|gives?|lists?|arrays?|values?|index|indices|element|item|use|using|write"
    r"|type|enter|like|as|to|by|with|or|and|the|a|an)\s?\Z|[=:(]\s?\Z|\w\Z",
    re.IGNORECASE,
)
_MARK_ENDS = re.compile(r"\s?(?:[.,;:!?)|\n]|\Z|`\[)")
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


def is_data(mark: Mark, text: str, *, is_known: bool) -> bool:
    """'returns [1, 2, 3]', 'x = [1, 2]', 'the array [3, 1, 2]': a literal list, though sources may have its numbers.

    Args:
        mark: The bracket.
        text: The answer.
        is_known: Whether it names only sources that were sent; then the signs must be plainer.
    """
    before = text[max(0, mark.start - 80) : mark.start]
    if _DATA_BEFORE.search(before) or _KEY_BEFORE.search(before):
        return True
    if len(mark.items) < 2:
        return False
    is_of_code = "`" in before or _CODE_NEAR.search(before) is not None
    if _DATA_VERB.search(before):
        return is_of_code
    if _DATA_NOUN.search(before) is None:
        return False
    numbers = [item.first or 0 for item in mark.items]
    is_long = len(numbers) >= _SURE_LIST and _GOES_ON.match(text, mark.end) is not None
    return is_of_code or not is_known or is_long or numbers != sorted(numbers)


def is_ratio(mark: Mark, text: str, *, is_known: bool) -> bool:
    """'[1:3]' may be a page of source 1, a ratio or a time; it is a page behind a claim only, and of a source sent."""
    if _RATIO.fullmatch(text, mark.start + 1, mark.end - 1) is None:
        return False
    before = text[max(0, mark.start - 20) : mark.start]
    return not is_known or not before.endswith(" ") or _RATIO_BEFORE.search(before) is not None


def with_marks_in_code(text: str, prose: str) -> str:
    """The prose with the marks that an answer sets in inline code behind its claims: 'It costs 20 euros `[1]`'.

    What is spoken of as code, 'the index `[1]`', stays blanked.

    Args:
        text: Normal form of the answer.
        prose: The same with code and addresses blanked.
    """
    if "`[" not in text:
        return prose
    pieces: list[str] = []
    done = 0
    for match in _CODE_MARKS.finditer(text):
        before = text[max(0, match.start() - 16) : match.start()]
        is_mark = before[-1:].isspace() or before[-1:] in {".", "!", "?", "`"}
        if is_mark and not _SPEAKS_OF_CODE.search(before) and _MARK_ENDS.match(text, match.end()):
            pieces += [prose[done : match.start(1)], match.group(1)]
            done = match.end(1)
    return "".join([*pieces, prose[done:]])


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
