"""Text as rules see it: one normal form for answers and sources, with offsets back into the original.

What is folded: compatibility forms (NFKC), quotes, dashes, spaces, invisible
characters, digits of all scripts, Markdown emphasis, HTML tags and entities.
What is kept because it carries meaning: superscripts (m², citation marks),
fractions (½), circled numbers. Code and addresses stay in `text` and are
blanked in `prose`. The stored text is never changed; this module knows nothing
of records or rules. Called by every rule through `RuleContext`.
"""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from goldassay.text.latex import LATEX, plain_latex

__all__ = ["Apart", "NormalText", "normalise"]


class Apart(NamedTuple):
    """A stretch that is no prose: code, an address or an HTML comment."""

    kind: str
    """'code' (fenced or inline), 'link' (the address of a link, or a bare one), 'comment' (of HTML: unseen)."""
    start: int
    """Offset in `NormalText.text`."""
    end: int
    label_start: int | None = None
    """For a Markdown link: offset of its label, which is prose; else None."""


@dataclass(frozen=True, slots=True)
class NormalText:
    """A text in normal form; `text` and `prose` have the same length and offsets."""

    raw: str
    """The original, never changed."""
    text: str
    """Normal form; lower and upper case are kept."""
    prose: str
    """As `text`, but code, addresses and comments are blanked with spaces."""
    apart: tuple[Apart, ...] = ()
    _norm_marks: tuple[int, ...] = ()
    _raw_marks: tuple[int, ...] = ()
    _raw_ends: tuple[int, ...] = ()

    def to_raw(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the original of the span `text[start:end]`."""
        if not self._norm_marks:
            return start, end
        raw_start = self._raw_offset(start)
        return raw_start, max(raw_start, self._raw_end(end))

    def original(self, start: int, end: int) -> str:
        """The original characters behind `text[start:end]`."""
        raw_start, raw_end = self.to_raw(start, end)
        return self.raw[raw_start:raw_end]

    def _raw_offset(self, offset: int) -> int:
        index = bisect_right(self._norm_marks, offset) - 1
        if index < 0:
            return offset
        inside = offset - self._norm_marks[index]
        return min(self._raw_marks[index] + inside, self._raw_ends[index])

    def _raw_end(self, end: int) -> int:
        if end == 0:
            return 0
        # The end is the place behind the last character, so that marks deleted after it stay outside.
        return self._raw_offset(end - 1) + 1 if self._is_plain(end - 1) else self._piece_end(end - 1)

    def _is_plain(self, offset: int) -> bool:
        index = bisect_right(self._norm_marks, offset) - 1
        return index < 0 or index % 2 == 1

    def _piece_end(self, offset: int) -> int:
        return self._raw_ends[bisect_right(self._norm_marks, offset) - 1]


_QUOTES = dict.fromkeys("‘’‚‛‹›′‵ʼ＇´ʹ", "'") | dict.fromkeys("“”„‟″«»〝〞＂", '"')
_DASHES = dict.fromkeys("‐‑‒–−﹣－⁃", "-")
_SEPARATORS = {"٫": ".", "٬": ","}
_FOLDED = {**_QUOTES, **_DASHES, **_SEPARATORS}
_CIRCLED = frozenset(chr(code) for code in range(0x2460, 0x2500))
_KEPT = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻₀₁₂₃₄₅₆₇₈₉½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅐⅑⅒™©®") | _CIRCLED

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹", " ")
"""'m<sup>2</sup>' is 'm²' and 'five<sup>1</sup>' a footnote: without the tag the figure would join the text."""

_INLINE_TAG_NAMES = (
    "a abbr b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong sub sup u var"
)
_INLINE_TAGS = frozenset(_INLINE_TAG_NAMES.split())


@lru_cache(maxsize=65536)
def _fold(character: str) -> str:
    """Normal form of one non-ASCII character or one base with its combining marks."""
    if character in _FOLDED or character in _KEPT:
        return _FOLDED.get(character, character)
    category = unicodedata.category(character) if len(character) == 1 else ""
    if category in {"Cf", "Zs"}:
        return "" if category == "Cf" else " "
    if category == "Nd":
        return str(unicodedata.digit(character))
    return unicodedata.normalize("NFKC", character)


# One pass, every alternative starts with its own character and none nests a repeat: linear on any input.
_SPECIAL_SIGNS = r"""(?P<fence>```)|(?P<tick>`)|(?P<comment><!--)|(?P<escape>\\[!-/:-@\[-`{-~])
    |(?P<url>\b(?:https?|ftp)://[^\s<>"'`\])}]+|\bwww\.[^\s<>"'`\])}]+)
    |(?P<target>\]\((?=[^\s)]))
    |(?P<cite><(?P<name>cite|citation|source|ref|reference|doc|document)(?:
        >[ ]?\[?(?P<cited>[0-9]{1,3}(?:[ ]?,[ ]?[0-9]{1,3}){0,9}|[A-Za-z][\w.-]{0,40}[0-9])\]?[ ]?</(?P=name)>
        |[ ](?:id|ids|index|source|doc|n)=["']?(?P<marked>[0-9]{1,3}|[A-Za-z][\w.-]{0,40}[0-9])["']?[ ]?
        (?:/>|></(?P=name)>)))
    |(?P<raised><sup>[ ]?[0-9]{1,3}(?:[ ]?,[ ]?[0-9]{1,3}){0,9}[ ]?</sup>)
    |(?P<tag></?[A-Za-z][A-Za-z0-9]{0,12}(?:\s[^<>]{0,300})?/?>)
    |(?P<entity>&(?:[A-Za-z]{2,8}|\#[0-9]{1,6}|\#[xX][0-9A-Fa-f]{1,5});)
    |(?P<strong>\*{2,3}|__(?=\w)|(?<=\w)__(?!\w)|~~)
    |(?P<star>(?<=\S)\*(?!\*)(?=\W|$)|(?<![\w*])\*(?=[^\s*]))
    |(?P<under>(?<![\w_])_(?=[^\W_])|(?<=[^\W_])_(?![\w]))
    |(?P<wide>[^\x00-\x7f]+)"""
_SPECIAL = re.compile(_SPECIAL_SIGNS, re.VERBOSE)
_SPECIAL_WITH_LATEX = re.compile(f"{LATEX}|{_SPECIAL_SIGNS}", re.VERBOSE)
_COMBINING_RUN = re.compile(r".[\u0300-\u036f\u0483-\u0487\u3099\u309a]*", re.DOTALL)


def normalise(text: str) -> NormalText:
    """Fold `text` into its normal form; cheap for plain ASCII, linear for everything.

    Args:
        text: Any text; it is kept as `raw`.

    Returns:
        The normal form with offsets; equal inputs give equal outputs.
    """
    if text.isascii() and not _may_be_special(text):
        return NormalText(text, text, text)
    return _Builder(text).build()


def _may_be_special(text: str) -> bool:
    """Substring searches, because one regular expression that reads every character takes ten times as long."""
    return (
        "*" in text or "`" in text or "_" in text or "<" in text or "&" in text or "~" in text or "\\" in text
        or "{,}" in text
        or ("]" in text and "](" in text) or (":" in text and "://" in text) or "www." in text
    )  # fmt: skip  # one character is found ten times as fast as two


class _Builder:
    """Walks once over a text, copying plain stretches and folding the special ones."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.parts: list[str] = []
        self.length = 0
        self.done = 0
        self.marks: list[tuple[int, int, int]] = []
        self.apart: list[Apart] = []
        self.special = _SPECIAL_WITH_LATEX if "\\" in raw or "{,}" in raw else _SPECIAL
        self.has_comments = True  # until one does not close: then no later one does, and looking again takes time

    def build(self) -> NormalText:
        self._walk(0, len(self.raw))
        self._copy(len(self.raw))
        text = "".join(self.parts)
        columns = list(zip(*self.marks, strict=True)) or [(), (), ()]
        apart = tuple(_with_label(span, text) for span in self.apart)
        return NormalText(self.raw, text, _blanked(text, apart), apart, *(tuple(column) for column in columns))

    def _walk(self, position: int, end: int) -> None:
        while match := self.special.search(self.raw, position, end):
            position = self._take(match)

    def _take(self, match: re.Match[str]) -> int:
        kind = match.lastgroup
        start, end = match.span()
        if kind in {"fence", "tick"}:
            return self._code(start, match.group())
        if kind in {"url", "target", "comment", "dollar"}:
            return self._stretch(kind, start, end)
        if kind == "wide":
            self._wide(start, end)
        elif kind == "latex":
            self._replace(start, end, plain_latex(match))
        elif kind == "escape":  # '1\\.' and '\\*' in Markdown are the sign itself
            self._replace(start, start + 1, "")
        elif kind == "cite":
            self._replace(start, end, f"[{match.group('cited') or match.group('marked')}]")
        elif kind == "raised":
            self._replace(start, end, match.group()[len("<sup>") : -len("</sup>")].strip().translate(_RAISED))
        elif kind == "tag":
            self._replace(start, end, _tag_text(match.group()))
        elif kind == "entity":
            self._replace(start, end, "".join(_fold(c) if ord(c) > 127 else c for c in html.unescape(match.group())))
        else:
            self._replace(start, end, "")
        return end

    def _code(self, start: int, fence: str) -> int:
        limit = len(self.raw) if fence == "```" else min(len(self.raw), start + 400)
        close = self.raw.find(fence, start + len(fence), limit)
        if close < 0:
            if fence == "`":
                return start + 1
            close = len(self.raw)
        end = min(close + len(fence), len(self.raw))
        self._set_apart("code", start, end)
        return end

    def _formula(self, start: int, end: int) -> int:
        """What stands between two dollar signs, without them: they are no money."""
        close = self.raw.index("$", end)
        self._replace(start, end, "")
        self._walk(end, close)
        if self.done <= close:  # else code that begins in it ends behind it
            self._replace(close, close + 1, "")
        return max(self.done, close + 1)

    def _stretch(self, kind: str, start: int, end: int) -> int:
        """What goes on behind the signs that begin it."""
        if kind == "url":
            return self._address(start, _trimmed_end(self.raw, start, end))
        if kind == "target":
            return self._target(start)
        return self._formula(start, end) if kind == "dollar" else self._comment(start, end)

    def _comment(self, start: int, end: int) -> int:
        close = self.raw.find("-->", end) if self.has_comments else -1
        if close < 0:
            self.has_comments = False
            return end
        self._set_apart("comment", start, close + len("-->"))
        return close + len("-->")

    def _address(self, start: int, end: int) -> int:
        self._set_apart("link", start, end)
        return end

    def _target(self, start: int) -> int:
        """The address of a Markdown link, `](...)`; one level of brackets inside is allowed."""
        close = self.raw.find(")", start + 2, start + 2000)
        if close < 0 or "\n" in self.raw[start:close]:
            return start + 2
        if "(" in self.raw[start + 2 : close] and self.raw[close + 1 : close + 2] == ")":
            close += 1
        self._copy(start + 1)
        self._set_apart("link", start + 1, close + 1)
        return close + 1

    def _set_apart(self, kind: str, start: int, end: int) -> None:
        self._copy(start)
        begin = self.length
        self._copy(end)
        self.apart.append(Apart(kind, begin, self.length))

    def _wide(self, start: int, end: int) -> None:
        if start > self.done and unicodedata.combining(self.raw[start]):
            start -= 1  # the base of the first combining mark is an ASCII letter
        run = self.raw[start:end]
        offset = start
        for cluster in _COMBINING_RUN.findall(run):
            folded = cluster if cluster.isascii() else _fold(cluster)
            if folded != cluster:
                self._replace(offset, offset + len(cluster), folded)
            offset += len(cluster)

    def _copy(self, end: int) -> None:
        if end > self.done:
            self.parts.append(self.raw[self.done : end])
            self.length += end - self.done
            self.done = end

    def _replace(self, start: int, end: int, folded: str) -> None:
        self._copy(start)
        self.marks.append((self.length, start, end))
        self.parts.append(folded)
        self.length += len(folded)
        self.done = end
        self.marks.append((self.length, end, len(self.raw)))


def _with_label(span: Apart, text: str) -> Apart:
    """Find the label of a Markdown link: the nearest bracket before it, within reason."""
    if span.kind != "link" or not text.startswith("](", span.start - 1):
        return span
    label = text.rfind("[", max(0, span.start - 300), span.start - 1)
    return span if label < 0 else span._replace(label_start=label + 1)


def _blanked(text: str, apart: tuple[Apart, ...]) -> str:
    if not apart:
        return text
    parts: list[str] = []
    done = 0
    for span in apart:
        parts.append(text[done : span.start])
        parts.append(" " * (span.end - span.start))
        done = span.end
    parts.append(text[done:])
    return "".join(parts)


def _trimmed_end(raw: str, start: int, end: int) -> int:
    """Punctuation behind a bare address belongs to the sentence, a bracket that closes one inside it does not."""
    if raw.startswith(")", end) and raw.count("(", start, end) > raw.count(")", start, end):
        return end + 1
    while end > start and raw[end - 1] in ".,;:!?*_":
        end -= 1
    return end


def _tag_text(tag: str) -> str:
    name = tag.strip("</>").split(None, 1)[0].strip("/").lower()
    return "" if name in _INLINE_TAGS else "\n"
