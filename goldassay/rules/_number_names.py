"""Figures that are part of a name: COVID-19, 12b, version 7.10, telephone numbers, and the years of FY23 and 3Q20.

Names are compared as written, not by value. Called by `_number_scan` and `_number_around`.
"""

from __future__ import annotations

import re

from goldassay.rules._number_dates import MONTHS, full_year
from goldassay.rules._number_model import Kind, Number
from goldassay.rules._number_units import currency_of

__all__ = [
    "chunk_end",
    "grouped",
    "is_version",
    "name_with_letters_before",
    "named",
    "phone",
    "quarter",
    "same_phone",
    "short_year",
]

# Letters of alphabets: a CJK sentence has no spaces, its characters belong to no name.
_LETTER = r"[^\W\u2e80-\u9fff\uac00-\ud7af]"
_LETTERS_BEFORE = re.compile(rf"(?:{_LETTER}|&)(?:{_LETTER}|[&'/]|(?<=[A-Za-z])-){{0,24}}-?$")
_CHUNK = re.compile(rf"{_LETTER}{{0,40}}(?:[-./:](?={_LETTER}{{0,20}}[0-9]){_LETTER}{{1,20}}){{0,5}}")
_VERSION_BEFORE = re.compile(
    r"\b(?:(?:versions?|releases?|ver|rev|revision|build|firmware)\.? ?|v\.?|(?<![0-9] )v\.? )$", re.IGNORECASE
)
"""The v of '5 v 3' stands for 'versus'."""
_PROTOCOL = re.compile(r"[A-Z]{2,8}v")
_POSTAL_COUNTRIES = frozenset({"D-", "DE-", "A-", "AT-", "CH-", "F-", "FR-", "I-", "IT-", "ES-", "BE-", "NL-"})
_POST_CODE = re.compile(r"[0-9]{4,5}(?![\w-]|[.,][0-9])")
_ACCOUNT = re.compile(r"[0-9]{2}(?: [0-9A-Z]{4}){2,7}(?: [0-9A-Z]{1,3})?(?!\w)")
_DECIMAL = re.compile(r"[0-9]+\.[0-9]+(?![0-9.]*[^\W_])")
_DAY_OR_YEAR = re.compile(r"(?:[0-9]{1,2}-)?(?:19|20)[0-9]{2}(?![0-9])|[0-9]{1,2}\.? ([^\W\d_]{3,10})(?!\w)")
_LOWER_PREFIX_WORDS = (
    "mid pre post non sub top over under early late since around about approximately ca circa age aged ages up to till"
    " until from by for of and or the a an in on at per all number twenty thirty forty fifty sixty seventy eighty"
    " ninety am pm noon midnight"
)
_LOWER_PREFIXES = frozenset(_LOWER_PREFIX_WORDS.split())
_YEAR_OR_VERSION = re.compile(r"v|[FC]Y[0-9]{0,4}", re.IGNORECASE)
_CENTURIES = frozenset({"18", "19", "20"})
_LEAST_DIGITS = 7
_LONGEST_COUNTRY = 4  # digits, with the 00 or the 0 that it takes the place of
_LONGEST_LOOK_BACK = 28
_QUARTER = re.compile(r"[1-4][QH](?=(?:[0-9]{2}|[0-9]{4})(?![0-9A-Za-z]))")
_BEFORE_SHORT_YEAR = re.compile(r"\b(?:[FC]Y ?'?|[1-4][QH]'?|[QH][1-4]')$")
_BEFORE_APOSTROPHE = re.compile(
    r"\b(?:in|of|since|by|until|till|before|after|to|from|and|early|late|mid|spring|summer|fall|autumn|winter|season"
    r"|Q[1-4]|H[12]) '$",
    re.IGNORECASE,
)
_APOSTROPHE_BEHIND = re.compile(
    r"[0-9]{2}(?!['\w%]|[.,][0-9])(?! (?:hours?|days?|years?|minutes?|months?|weeks?|people)\b)"
)
_SHORT_YEAR = re.compile(r"[0-9]{2}(?![\w%]|[.,][0-9])")


def named(text: str, start: int, end: int, kind: Kind = Kind.IDENTIFIER) -> Number:
    """A name or version as it stands at `text[start:end]`."""
    end = end if end > start else start + 1
    written = text[start:end].rstrip(".-:/ ")
    key = "".join(character for character in written.casefold() if character.isalnum() or character == ".")
    return Number(kind, start, start + len(written), key=key, written=written)


def chunk_end(text: str, start: int) -> int:
    """Where the letters and digits that go on from `start` without a space end."""
    return _CHUNK.match(text, start).end()  # type: ignore[union-attr]  # the pattern takes the empty string too


def name_with_letters_before(text: str, start: int) -> Number | None:
    """Letters before the digits make a name: COVID-19, Q3, B12; 'mid-1990s' and '$5' do not."""
    window = max(0, start - _LONGEST_LOOK_BACK)
    match = _LETTERS_BEFORE.search(text[window:start])
    if match is None:
        return None
    prefix = match.group().rstrip("-")
    if not _makes_a_name(prefix) or (prefix.casefold() in MONTHS and _goes_on_as_date(text, start)):
        return None
    if match.group() in _POSTAL_COUNTRIES and _POST_CODE.match(text, start):
        return None  # 'DE-53113' is 53113
    account = _ACCOUNT.match(text, start) if len(prefix) == 2 and prefix.isupper() else None
    if account is not None:
        return named(text, start - 2, account.end())
    decimal = _DECIMAL.match(text, start) if _PROTOCOL.fullmatch(prefix) else None
    if decimal is not None:
        return named(text, start, decimal.end(), Kind.VERSION)  # TLSv1.2
    end = chunk_end(text, start)
    is_plural = prefix[0].isupper() and text[end - 1] == "s" and text[end - 2].isdigit()
    return named(text, window + match.start(), end - is_plural)  # 'U17s' are those of 'U17'


def _goes_on_as_date(text: str, start: int) -> bool:
    """'Mar-15-2024' is a date, '28 Feb-1 Mar' are two."""
    match = _DAY_OR_YEAR.match(text, start)
    return match is not None and (match.group(1) is None or match.group(1).casefold() in MONTHS)


def _makes_a_name(prefix: str) -> bool:
    if not any(character.isalpha() for character in prefix) or prefix.casefold() in _LOWER_PREFIXES:
        return False
    if prefix.casefold().rpartition("-")[2] in _LOWER_PREFIXES or currency_of(prefix):
        return False
    # '1970s-1980s' is a range, 'v2.1' a version, 'FY2020' a year and 'FY2022-23' two.
    return not prefix[0].isdigit() and _YEAR_OR_VERSION.fullmatch(prefix) is None


def is_version(text: str, start: int, end: int) -> bool:
    """Whether the figure is a version: it has a dot, and a word such as 'version' stands before it."""
    return "." in text[start:end] and _VERSION_BEFORE.search(text[max(0, start - 12) : start]) is not None


def phone(text: str, start: int, end: int) -> Number | None:
    """A telephone number, known by its digits but for the '(0)' that is not dialled from abroad and America's 1."""
    number = named(text, start, end)
    digits = "".join(c for c in number.written.replace("(0)", "") if c.isdigit())
    if len(digits) < _LEAST_DIGITS:
        return None
    return number._replace(key=digits[1:] if len(digits) == len("12125551212") and digits[0] == "1" else digits)


def grouped(text: str, start: int, end: int) -> Number | None:
    """The groups of digits of a book, card or account: '978-3-16-148410-0'; years in a row are figures."""
    number = named(text, start, end)
    digits = "".join(c for c in number.written if c.isalnum())
    groups = re.findall("[0-9]+", number.written)
    if len(digits) <= _LEAST_DIGITS or all(len(group) == 4 and group[:2] in _CENTURIES for group in groups):
        return None
    return number._replace(key=digits.casefold(), parts=tuple(int(group) for group in groups))


def same_phone(key: str, other: str) -> bool:
    """Whether two runs of digits are a telephone number with its country and without: '498912345', '08912345'."""
    longer, shorter = (key, other) if len(key) > len(other) else (other, key)
    return (
        shorter.startswith("0") and key.isdigit() and other.isdigit() and len(shorter) > _LEAST_DIGITS
        and len(longer) - len(shorter) < _LONGEST_COUNTRY and longer.endswith(shorter[1:])
    )  # fmt: skip


def quarter(text: str, start: int) -> Number | None:
    """The '3Q' of '3Q20' and the '1H' of '1H2020'."""
    match = _QUARTER.match(text, start)
    return named(text, start, match.end()) if match else None


def short_year(text: str, start: int) -> Number | None:
    """The year of 'FY23', '3Q20', "Q3'20" and "since '98"."""
    match = _SHORT_YEAR.match(text, start)
    if match is None:
        return None
    value = int(match.group())
    if _BEFORE_SHORT_YEAR.search(text[max(0, start - 4) : start]) is not None:
        return Number(Kind.QUANTITY, start, match.end(), (2000 + value, value), written=match.group())
    before = text[max(0, start - 10) : start] if text[start - 1 : start] == "'" else ""
    if not before or _BEFORE_APOSTROPHE.search(before) is None or _APOSTROPHE_BEHIND.match(text, start) is None:
        return None
    return Number(Kind.QUANTITY, start, match.end(), (full_year(value), value), written=match.group())
