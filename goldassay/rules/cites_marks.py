"""Finds citation marks in an answer by their shape: brackets, footnotes, superscripts, '【1†source】', 'passage 2'.

Knows shapes only; what a mark means is for `goldassay.rules.cites_ids`, what is
a use and what a list for `goldassay.rules.cites`. Every pattern is bounded, so
that a hostile answer takes linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from operator import attrgetter
from typing import Literal, NamedTuple

from goldassay.rules.cites_words import SINGULAR_NAMES, written_out
from goldassay.rules.wordlists import word_set

__all__ = ["CITING_WORDS", "Item", "Mark", "bracket_items", "find_marks"]

MarkKind = Literal["bracket", "lenticular", "superscript", "parenthesis", "phrase", "curly"]


class Item(NamedTuple):
    """One member of a mark; a range is one item with two numbers."""

    text: str
    """As written, without brackets."""
    first: int | None = None
    """Its number; None where it has none."""
    last: int | None = None
    """End of a range, included; None for a single number."""
    word: str = ""
    """What stands before the number: '', '^', 'doc', 'source', an id's prefix, ..."""


class Mark(NamedTuple):
    """One mark in the text."""

    kind: MarkKind
    start: int
    end: int
    items: tuple[Item, ...]


_LEAD_WORDS = word_set("see cf siehe vgl voir véase vedi zie from via")
"""Words before the number in "[see 1]"."""
CITING_WORDS = _LEAD_WORDS | word_set(
    "doc docs document documents source sources src passage passages context contexts chunk chunks ref refs reference"
    " references cite citation citations excerpt snippet result note fn article quelle quellen dokument dok abschnitt"
    " textstelle id fuente fuentes documento documentos fonte fonti bron bronnen passaggio passage extrait"
)
_BRACKET = re.compile(r"\[([^\[\]\n]{1,120})\]")
_LENTICULAR = re.compile(r"[【〔〖]([^【】〔〕〖〗\n]{1,120})[】〕〗]")
_PARENTHESIS = re.compile(r"(?<=\S)\s?\(\s?(\d{1,3}(?:\s?[,;-]\s?\d{1,3}){0,20})\s?\)(?!\w)")
# "{1}"; not the braces of mathematics: "x^{2}", "= {1, 2}", "the set {1}".
_CURLY = re.compile(r"(?<![\w$\\^_{=])(?<!set )(?<!= )\{(\d{1,3}(?:\s?,\s?\d{1,3}){0,9})\}(?![\w}])")
_LATEX = re.compile(r"\\cite[a-z]{0,3}\{([^{}\n]{1,120})\}")
_SUPERSCRIPT = re.compile(
    r"(?:(?<=[^\W\d_]{3})|(?<=[^\W\d_]{3}[ ])|(?<=[%€$£⁰¹²³⁴⁵⁶⁷⁸⁹][ ])|(?<=[.,;:!?\"'\])])|(?P<behind>(?<=[0-9%€$£])))"
    r"(?P<mark>[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}(?:[,⁻˒ʼ'][⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}){0,9})(?![⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻])"
)
_PHRASE = re.compile(
    r"((?<![\w-])(?:passages?|documents?|sources?|docs?\.?|contexts?|excerpts?|snippets?|quellen?|dokumente?n?|fuentes?"
    r"|documentos?|fonte|bron)|来源|文档|文件|资料|資料|文書|出典)\s?(?:\#|no\.?\s|nr\.?\s|number\s|n[°º]\s?|:\s?(?=[\d\s,&-]{1,20}\)))?"
    r"(\d{1,3}(?:(?:\s?,\s?|\s?-\s?|\s(?:and|und|et|y|e|en|&)\s)\d{1,3}){0,9})(?![0-9a-z_%枚件つ個个份页頁篇本部]|[.,]\d|\s?(?:percent|%))",
    re.IGNORECASE,
)
_PHRASE_HINTS = (
    "assage", "ocument", "ource", "oc ", "oc#", "oc.", "ontext", "xcerpt", "nippet", "uelle", "okument", "uente",
    "onte ", "ron ", "来源", "文档", "文件", "资料", "資料", "文書", "出典",
)  # fmt: skip
_PHRASE_WORDS = (
    "assage", "ocument", "ource", "oc", "ontext", "xcerpt", "nippet", "uelle", "okument", "uente", "onte", "ron"
)  # fmt: skip
_COUNTED_NAMES = word_set(
    "passage passages document documents source sources doc docs context contexts excerpt excerpts snippet snippets"
    " quelle quellen dokument dokumente dokumentn dokumenten fuente fuentes documento documentos fonte bron"
)
_COUNTED = {
    name + touching: next(word for word in _PHRASE_WORDS if word in name)
    for name in _COUNTED_NAMES
    for touching in ("", "no", "nr", "number", "n")
}
"""Runs of letters of which one stands in each 'passage 2' of an ASCII text, with their part of `_PHRASE_WORDS`."""
_NAMES = frozenset(_COUNTED) | SINGULAR_NAMES
_WIDE_PHRASE_WORDS = ("来源", "文档", "文件", "资料", "資料", "文書", "出典")
_DIGIT_NEAR = re.compile(r"[a-z]{0,2}[ #.:noNrumbe°º]{0,9}\d")
_SPLIT = re.compile(
    r"\s?[,;、，；&]\s?(?:(?:and|und|et|y|e|en|or)\s)?|\s(?:and|und|et|y|e|en|or)\s|\s(?=[\^\#]?\d)(?<=\d\s)"
    r"|(?<=\d)\s(?=(?:pp?\.|s\.|page|seite|§|sec\.|section)\s?\d)",
    re.IGNORECASE,
)
_SIGNED_ROW = re.compile(r"\d{1,3}(?:\s?[/|+]\s?\d{1,3}){1,9}")
"""'[1/2]', '[1|2]', '[1 + 2]'."""
_ITEM = re.compile(
    r"(?P<word>(?:[^\W\d_]|[\^\#@°=._:\s-]){0,30}?)\s?(?P<first>\d{1,6})"
    r"(?:\s?(?:-|\.\.|~|to|bis)\s?(?P<word2>[^\W\d_]{0,20}[\^\#.]?)\s?(?P<last>\d{1,6})|(?::\d{1,4})?†.{0,80}"
    r"|:\s?(?:pp?\.?\s?|S\.\s?)?\d{1,4}(?:\s?-\s?\d{1,4})?)?"
)
_NUMBERING_BEHIND = re.compile(r"(?<=\w)[ .:]{0,3}(?:\#|\b(?:no|nr|n°|number|num))\Z")
_NAMED = re.compile(r"([^\W\d_]{2,20})\.?\s?(\d{1,4})\s?[:-]\s?\S")
_TITLED = re.compile(r"(\d{1,3})(?:\s?:| -)\s(?=[^\W\d_a-zß-ÿ])")
_SUPER_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
# "sec²" and "log²" are powers, not citations.
_POWERS = word_set(
    "sec min inch inches feet foot meter meters metre metres mile miles yard yards log sin cos tan exp var quadratmeter"
    " meter mètre mètres metri metro metros"
)


def find_marks(
    text: str, *, parentheses: bool = False, superscripts: bool = True, vocabulary: frozenset[str] | None = None
) -> list[Mark]:
    """All stretches of `text` that have the shape of a citation, in order; many will turn out to be none.

    Args:
        text: Normal form of the answer, code and addresses blanked.
        parentheses: Whether '(1)' is a shape of citations here.
        superscripts: Whether '¹' behind a word is one.
        vocabulary: The text's runs of letters in lower case, for a text in ASCII of which the caller has them.

    Returns:
        Marks in order of their start; they do not overlap.
    """
    marks: list[Mark] = []
    if "[" in text:
        marks.extend(_bracketed(_BRACKET, "bracket", text))
    if "【" in text or "〔" in text or "〖" in text:
        marks.extend(_bracketed(_LENTICULAR, "lenticular", text))
    if parentheses and "(" in text:
        marks.extend(_bracketed(_PARENTHESIS, "parenthesis", text))
    if superscripts and not text.isascii():
        marks.extend(_superscripts(text))
    if "{" in text:
        marks.extend(_bracketed(_CURLY, "curly", text))
        marks.extend(_bracketed(_LATEX, "curly", text))
    names = None if vocabulary is None else _NAMES.intersection(vocabulary)
    if names is None or names:
        marks.extend(_phrases(text, names))
    is_one_pass = {mark.kind for mark in marks} <= {"bracket"}
    apart = marks if is_one_pass else _apart(marks)
    return _with_ranges(apart, text) if "]-[" in text or "] - [" in text else apart


def _apart(marks: list[Mark]) -> list[Mark]:
    """Marks of several passes in the order of the text, without those that overlap the one before."""
    marks.sort(key=attrgetter("start"))
    return [mark for i, mark in enumerate(marks) if i == 0 or mark.start >= marks[i - 1].end]


def _with_ranges(marks: list[Mark], text: str) -> list[Mark]:
    """'[1]-[3]' is one mark with a range."""
    joined: list[Mark] = []
    for mark in marks:
        last = joined[-1] if joined else None
        if last is not None and _is_single(last) and _is_single(mark) and text[last.end : mark.start].strip() == "-":
            item = last.items[0]._replace(text=text[last.start + 1 : mark.end - 1], last=mark.items[0].first)
            joined[-1] = Mark("bracket", last.start, mark.end, (item,))
        else:
            joined.append(mark)
    return joined


def _is_single(mark: Mark) -> bool:
    """Whether the mark is one bracket with one plain number."""
    if mark.kind != "bracket" or len(mark.items) != 1:
        return False
    return mark.items[0].first is not None and mark.items[0].last is None


def _phrases(text: str, names: frozenset[str] | None) -> list[Mark]:
    """Citations in words.

    Args:
        text: The text.
        names: The words for sources that stand in it; None: not known.
    """
    marks = _bracketed(_PHRASE, "phrase", text, group=2) if _may_hold_phrase(text, names) else []
    if names is None or not SINGULAR_NAMES.isdisjoint(names):
        marks.extend(Mark("phrase", start, end, (Item(str(n), n),)) for start, end, n in written_out(text))
    return marks


def _may_hold_phrase(text: str, names: frozenset[str] | None = None) -> bool:
    """A quick look: one of the words with a digit close behind."""
    words: tuple[str, ...] = _PHRASE_WORDS if text.isascii() else (*_PHRASE_WORDS, *_WIDE_PHRASE_WORDS)
    if names is not None:
        words = tuple({_COUNTED[name] for name in names if name in _COUNTED})
    for word in words:
        position = text.find(word)
        while position >= 0:
            if _DIGIT_NEAR.match(text, position + len(word)):
                return any(hint in text for hint in _PHRASE_HINTS)
            position = text.find(word, position + 1)
    return False


def _bracketed(pattern: re.Pattern[str], kind: MarkKind, text: str, *, group: int = 1) -> list[Mark]:
    found: list[Mark] = []
    for match in pattern.finditer(text):
        items = bracket_items(match[group])
        if items:
            found.append(Mark(kind, *match.span(), items))
    return found


def _superscripts(text: str) -> Iterator[Mark]:
    found = [match for match in _SUPERSCRIPT.finditer(text) if not _is_power(match, text)]
    cites_so = any(match.group("behind") is None for match in found)
    for match in found:
        # "5²" is a power unless other superscripts of the answer cite; no one writes the power 1.
        if match.group("behind") is not None and not cites_so and match.group("mark") != "¹":
            continue
        items = bracket_items(match.group("mark").translate(_SUPER_DIGITS))
        if items:
            yield Mark("superscript", match.start(), match.end(), items)


def _is_power(match: re.Match[str], text: str) -> bool:
    if match.group("behind") is not None:
        return text[match.start() - 2 : match.start()] == "10" or text[match.end() : match.end() + 1].isalnum()
    word = re.search(r"[^\W\d_]{0,20}\Z", text[max(0, match.start() - 20) : match.start()].rstrip(" "))
    return word is not None and word.group().lower() in _POWERS


@lru_cache(maxsize=4096)
def bracket_items(content: str) -> tuple[Item, ...]:
    """The members of a bracket's content: numbers, ranges and names; empty for blank content."""
    bare = content.strip().rstrip("\\")  # "\[1\]" in Markdown
    pieces = re.split(r"[/|+]", bare) if _SIGNED_ROW.fullmatch(bare) else _SPLIT.split(bare)
    pieces = [piece.strip() for piece in pieces]
    return tuple(_item(piece) for piece in pieces if piece)


def _item(piece: str) -> Item:
    match = _ITEM.fullmatch(piece.rstrip("^.") if piece[-2:-1].isdigit() else piece)
    if match is None:
        return _named(piece)
    if match.group("word").strip() in {"-", ".", ":"}:  # "[-1]" and "[.5]" are code or numbers
        return Item(piece)
    word = _NUMBERING_BEHIND.sub("", match.group("word").strip(" .:=_-").lower())  # "source no. 1" is "source 1"
    last = match.group("last")
    return Item(piece, int(match.group("first")), int(last) if last else None, word)


def _named(piece: str) -> Item:
    """'Source 1: Price list' and '1: Price list' are source 1; any other text is a name."""
    titled = _TITLED.match(piece)
    if titled is not None:
        return Item(piece, int(titled.group(1)))
    match = _NAMED.match(piece)
    if match is None or match.group(1).lower() not in CITING_WORDS:
        return Item(piece)
    return Item(piece, int(match.group(2)), None, match.group(1).lower())
