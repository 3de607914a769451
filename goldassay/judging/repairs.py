"""A lenient reader for what judges write instead of JSON, and only for slips that leave no doubt what was meant.

Read: trailing commas, comments, Python's quotes and constants, raw control characters
in strings, escapes that JSON does not know. Each is written down. Not read, because it
would be guessing: missing brackets, quotes or commas, keys without quotes, numbers of
another form. Linear in the text; nesting is limited.
"""

from __future__ import annotations

import re
from typing import Any

from goldassay.judging.reply_contract import Fault
from goldassay.judging.reply_json import NotJsonError, decode

__all__ = ["read_leniently"]

_MAX_DEPTH = 64
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORD = re.compile(r"-?[A-Za-z]+")
_BLANK = re.compile(r"[ \t\r\n]*")
_ODD_BLANK = re.compile(r"[\u00a0\u2000-\u200d\u2028\u2029\u202f\u2060\u3000\ufeff]+")
"""No-break, wide and zero-width blanks, which a copy from a web page or a CJK model leaves between the parts."""
_PLAIN = {'"': re.compile(r'[^"\\\x00-\x1f]+'), "'": re.compile(r"[^'\\\x00-\x1f]+")}
_HEX = {"u": re.compile(r"[0-9a-fA-F]{4}"), "x": re.compile(r"[0-9a-fA-F]{2}")}
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None}
_PYTHON_WORDS: dict[str, Any] = {"True": True, "False": False, "None": None}
_NOT_FINITE = frozenset({"nan", "inf", "infinity"})


def read_leniently(text: str, start: int) -> tuple[Any, int, list[str]]:
    """The value that begins at `start`, the offset behind it, and the repairs that were needed.

    Raises:
        NotJsonError: If it cannot be read without guessing.
        Fault: If it can, but says two things or holds NaN or Infinity.
    """
    reader = _Reader(text, start)
    value = reader.value(0)
    return value, reader.at, list(dict.fromkeys(reader.repairs))


class _Reader:
    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.at = start
        self.repairs: list[str] = []

    def value(self, depth: int) -> Any:
        if depth > _MAX_DEPTH:
            raise NotJsonError("nested too deeply to be a verdict")
        self.blank()
        mark = self.peek()
        if mark == "{":
            return self.object(depth)
        if mark == "[":
            return self.array(depth)
        if mark in _PLAIN:
            return self.string()
        return self.scalar()

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def blank(self) -> None:
        while True:
            self.at = _BLANK.match(self.text, self.at).end()  # type: ignore[union-attr]  # matches the empty text too
            if odd := _ODD_BLANK.match(self.text, self.at):
                self.at = odd.end()
                self.repairs.append("odd_blanks")
                continue
            if self.text.startswith(("//", "#"), self.at):
                end = self.text.find("\n", self.at)
            elif self.text.startswith("/*", self.at):
                end = self.text.find("*/", self.at) + 2
                if end == 1:
                    raise NotJsonError("a comment that does not end")
            else:
                return
            self.at = len(self.text) if end < 0 else end
            self.repairs.append("comments_removed")

    def object(self, depth: int) -> dict[str, Any]:
        self.at += 1
        result: dict[str, Any] = {}
        while not self.closed("}", bool(result)):
            self.blank()
            if self.peek() not in _PLAIN:
                raise NotJsonError("a key without quotes")
            key = self.string()
            self.blank()
            self.expect(":")
            value = self.value(depth + 1)
            if key in result and repr(result[key]) != repr(value):
                raise Fault("ambiguous", field=key)
            result[key] = value
        return result

    def array(self, depth: int) -> list[Any]:
        self.at += 1
        result: list[Any] = []
        while not self.closed("]", bool(result)):
            result.append(self.value(depth + 1))
        return result

    def closed(self, bracket: str, going_on: bool) -> bool:  # noqa: FBT001 - a private step of the two loops above
        """Steps over the comma between two members, or over the end."""
        self.blank()
        comma = going_on and self.peek() == ","
        if comma:
            self.at += 1
            self.blank()
        if self.peek() == bracket:
            self.at += 1
            if comma:
                self.repairs.append("trailing_comma")
            return True
        if going_on and not comma:
            raise NotJsonError("a comma is missing")
        return False

    def expect(self, mark: str) -> None:
        if self.peek() != mark:
            raise NotJsonError(f"{mark!r} is missing")
        self.at += 1

    def scalar(self) -> Any:
        if found := _NUMBER.match(self.text, self.at):
            self.at = found.end()
            return decode(found.group())
        found = _WORD.match(self.text, self.at)
        word = found.group() if found else ""
        if word.lstrip("-").casefold() in _NOT_FINITE:
            raise Fault("not_finite", value=word)
        self.at += len(word)
        if word in _WORDS:
            return _WORDS[word]
        if word in _PYTHON_WORDS:
            self.repairs.append("python_literals")
            return _PYTHON_WORDS[word]
        raise NotJsonError("neither a number nor a constant")

    def string(self) -> str:
        quote = self.peek()
        if quote == "'":
            self.repairs.append("python_literals")
        self.at += 1
        parts: list[str] = []
        while (mark := self.peek()) != quote:
            if not mark:
                raise NotJsonError("a string that does not end")
            parts.append(self.piece(quote, mark))
        self.at += 1
        # Escaped surrogate pairs are two halves here; join them as JSON does, keep a lone half as it is.
        return "".join(parts).encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")

    def piece(self, quote: str, mark: str) -> str:
        if mark == "\\":
            return self.escape(quote)
        if found := _PLAIN[quote].match(self.text, self.at):
            self.at = found.end()
            return found.group()
        self.at += 1
        self.repairs.append("raw_control_chars")
        return mark

    def escape(self, quote: str) -> str:
        letter = self.text[self.at + 1 : self.at + 2]
        self.at += 2
        if letter in _ESCAPES:
            return _ESCAPES[letter]
        if letter in _HEX and (letter == "u" or quote == "'") and (found := _HEX[letter].match(self.text, self.at)):
            self.at = found.end()
            return chr(int(found.group(), 16))
        if letter == "'" and quote == "'":
            return "'"
        self.repairs.append("bad_escape")
        # Markdown and LaTeX write an underscore so, also in the names of fields: 'overall\\_score'.
        return letter if letter in {"'", "_"} else "\\" + letter
