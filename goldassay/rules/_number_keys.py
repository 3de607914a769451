"""Whether a name with figures, a telephone number or a version stands in a text: as written, up to signs and spaces.

Called by `_number_compare`; numbers that have a value are compared there.
"""

from __future__ import annotations

import re

from goldassay.rules._number_counted import Sought
from goldassay.rules._number_index import NumberIndex
from goldassay.rules._number_match import How, Match, hit
from goldassay.rules._number_model import Kind, Number
from goldassay.rules._number_names import same_phone

__all__ = ["find_as_version", "find_beside_word", "find_by_key", "find_paragraph"]

_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
"""'H₂O' is 'H2O'."""
_LEAST_GROUPED = 7


def find_by_key(wanted: Number, index: NumberIndex) -> Match | None:
    """Where a name, version or telephone number stands; a version only in its very characters."""
    found = index.by_key.get(wanted.key)
    if found is None and wanted.key.isdigit():
        found = next((number for key, number in index.by_key.items() if same_phone(wanted.key, key)), None)
    if found is not None:
        return hit(How.SAME, found)
    quarter = _QUARTER.fullmatch(wanted.key)
    if quarter is not None:
        letter, number = sorted((group for group in quarter.groups() if group), reverse=True)
        return _part_of_year(letter, int(number), index)
    pieces = re.findall(r"[^\W\d_]+|[0-9]+", wanted.written)[:12]
    text = index.text if index.text.isascii() else index.text.translate(_SUBSCRIPTS)
    if not all(piece in text for piece in pieces if piece.isdigit()):
        return None  # making a pattern costs more than reading a page
    pattern = r"(?<![^\W_])" + r"[\W_]{0,2}".join(re.escape(piece) for piece in pieces) + r"(?![^\W_])"
    if wanted.key.isdigit():
        pattern = rf"(?<![0-9][ -]){pattern}(?![ -]?[0-9])"  # no telephone number cut short
    if wanted.kind is Kind.VERSION:
        pattern = rf"(?<![\w.]){re.escape(wanted.written)}(?![\w]|\.[0-9])"
    match = re.search(pattern, text, re.IGNORECASE)
    return Match(How.SAME, None, *match.span()) if match else None


def find_as_version(wanted: Number, index: NumberIndex) -> Match | None:
    """'PHP 8.4' stands where 'PHP version 8.4' does, by its characters: 7.10 is not 7.1."""
    found = index.by_key.get(wanted.written) if wanted.kind is Kind.QUANTITY and wanted.unit is None else None
    if found is None:
        return None
    is_grouped = found.kind is Kind.IDENTIFIER and len(found.key) >= _LEAST_GROUPED  # an ISBN without its hyphens
    return hit(How.SAME, found) if found.kind is Kind.VERSION or is_grouped else None


_QUARTER = re.compile(r"(q)([1-4])|([1-4])(q)|(h)([12])|([12])(h)")
_ORDINAL_WORDS = ("", "first|1st|1", "second|2nd|2", "third|3rd|3", "fourth|4th|final|last|4")


def _part_of_year(letter: str, number: int, index: NumberIndex) -> Match | None:
    """'Q3' is '3Q' and 'the third quarter'; 'H1' is 'the first half'."""
    name = "quarter" if letter == "q" else "half"
    pattern = (
        rf"\b(?:(?:{_ORDINAL_WORDS[number]})(?: fiscal)?[ -]{name}|{name} {number}|{letter}{number}|{number}{letter})"
    )
    match = re.search(pattern, index.text, re.IGNORECASE)
    return Match(How.SAME, None, *match.span()) if match else None


def find_paragraph(wanted: Number, index: NumberIndex) -> Match | None:
    """'Section 230' stands where '§ 230(c)(1)' does."""
    if not wanted.written.isdigit() or wanted.unit or wanted.currency or f"{wanted.written}(" not in index.text:
        return None
    match = re.search(rf"(?<![\w.,]){wanted.written}(?=\([A-Za-z0-9]{{1,3}}\))", index.text)
    return Match(How.SAME, None, *match.span()) if match else None


_WORD_BEFORE = re.compile(r"([^\W\d_]{1,20})[ -]{1,3}$")


def find_beside_word(sought: Sought, index: NumberIndex) -> Match | None:
    """'SU - 27' and 'Type 2' where the text writes 'SU-27' and 'type2': a name that was torn apart."""
    wanted = sought.number
    before = _WORD_BEFORE.search(sought.before) if wanted.kind is Kind.QUANTITY and not wanted.word else None
    if before is None:
        return None
    if wanted.written.lstrip("-") not in index.text:
        return None  # making a pattern costs more than reading a page
    word, figure = re.escape(before.group(1)), re.escape(wanted.written.lstrip("-"))
    pattern = rf"(?<![^\W_]){word}-?{figure}(?![^\W_]|[.,][0-9])"
    match = re.search(pattern, index.text, re.IGNORECASE)
    return Match(How.SAME, None, *match.span()) if match else None
