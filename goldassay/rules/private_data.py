"""Rule `private_data`: no e-mail address, telephone, card or account number that the sources do not hold.

Looks for shapes: card numbers must meet the Luhn check and account numbers the
IBAN check, so that plain long numbers raise no alarm. Reasons never repeat the data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from goldassay.rules.context import RuleContext
from goldassay.rules.settings import PrivateDataConfig
from goldassay.verdicts import Category, Evidence, Finding, Outcome

__all__ = ["VERSION", "has_luhn_check", "is_iban", "private_data"]

VERSION = "1"
# Letters that part words by spaces; Chinese and Japanese ones may touch an address or a number.
_SIGN = r"0-9A-Za-z_\u00c0-\u052f"
# The last label is never a number: 'react@18.2.0' is a package; 'git@github.com:acme/tool' is a remote.
_EMAIL = re.compile(
    rf"(?<![{_SIGN}.+-])[{_SIGN}.+-]{{1,64}}@(?:[A-Za-z0-9-]{{1,63}}\.){{1,5}}(?:[A-Za-z]{{2,24}}|xn--[A-Za-z0-9-]{{2,59}})"
    rf"(?![{_SIGN}-]|\.\d|:[A-Za-z~/])"
)
_STAND_IN = re.compile(r"@example\.(?:com|org|net)\Z", re.IGNORECASE)
"""Domains that belong to nobody (RFC 2606)."""
_PHONE = re.compile(
    rf"(?<![{_SIGN}.,/-])"
    r"(?:\+\d{1,3}[\s./-]?(?:\(0?\d{1,5}\)[\s./-]?)?\d(?:[\s./-]?\d){5,12}"
    r"|\(0?\d{2,5}\)[\s./-]?\d(?:[\s./-]?\d){4,10}|0\d{1,4}[\s/-]\d(?:[\s./-]?\d){4,10}"
    # North America: neither area nor exchange begins with 0 or 1 (https://nationalnanpa.com).
    r"|(?:1[-.\s])?(?:\([2-9]\d{2}\)\s?|[2-9]\d{2}[-.\s])[2-9]\d{2}[-.\s]\d{4})"
    rf"(?![{_SIGN}-]|[.,]\d)"
)
# In one piece, or a Chinese mobile number: only where a word says that it is one.
_NAMED_PHONE = re.compile(
    r"(?:call|phone|tel|telefon|handy|mobile?|cell|fax|whatsapp|hotline|contact|appele[zr]|llam\w{1,4}|chiam\w{1,4}|bel"
    r"|звоните|тел|电话|電話|手机|手機|联系|聯繫|微信|전화|फोन)"
    r"(?:[ ]?(?:number|phone|no\b|nr\b|us|me|is|at|on|via|le|au|al|il|unter|an|bei|号码|號碼|是|为|は|[:：.])){0,4}"
    r"[ ]{0,2}"
    rf"(?P<number>0[1-9]\d{{8,10}}|1[3-9]\d(?:[ -]?\d{{4}}){{2}})(?![{_SIGN}-]|[.,]\d)",
    re.IGNORECASE,
)
_DATE = re.compile(r"\d{1,2}([./ -])\d{1,2}\1(?:19|20)?\d{2}(?: \d{1,2})?")
_BOOK_NUMBER = re.compile(r"(?:ISBN|ISSN|DOI)\S{0,6}\s?\Z", re.IGNORECASE)
# Issuers' numbers begin with 3 to 6 and come in one piece or in the groups printed on the card.
_CARD = re.compile(
    rf"(?<![{_SIGN}.,=×*/+-])(?:(?:[3-6]\d{{3}}|2[2-7]\d{{2}})([ -])\d{{4}}\1\d{{4}}\1\d{{4}}"
    r"|3\d{3}([ -])\d{6}\2\d{4,5}|[3-6]\d{14,15}|3[0689]\d{12}|2[2-7]\d{14})"
    rf"(?![{_SIGN}=×*/+-]|[.,]\d)"
)
_IBAN = re.compile(rf"(?<![{_SIGN}])(?:[A-Z]{{2}}\d{{2}}(?:\s?[A-Z0-9]){{11,30}}|[a-z]{{2}}\d{{13,30}})(?![{_SIGN}])")
_SHORTEST_ACCOUNT = 14
_TRUNK_ZERO = re.compile(r"\(0\)")
"""'+49 (0)30': dialled only inside the country."""
_LEAST_DIALLED = 7
"""Digits by which two spellings of a telephone number, with and without its country, are known to be one."""
_LONGEST_PREFIX = 4
"""Digits of a country that one spelling has and the other has not."""
_NOT_A_SIGN = re.compile(r"[^0-9A-Za-z]+")
_LONG_NUMBER = re.compile(r"[0-9](?:[\s./()-]{0,3}[0-9]){6}")  # the normal form has no other digits
"""Seven digits in a row, separators allowed: shorter numbers are none of these."""


class _Found(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


class _Known(NamedTuple):
    """What the texts hold, read once for all items."""

    emails: frozenset[str]
    signs: tuple[str, ...]
    """Letters and digits of each text."""
    lines: frozenset[str]
    """Digits of each telephone number, without zeros before them."""
    local_lines: frozenset[str]
    """The same without a country or area before them."""


def private_data(context: RuleContext, config: PrivateDataConfig) -> Finding:
    """Every such item of the answer stands in a source or in the question."""
    found = [item for item in _items(context.answer.text) if item.kind in config.kinds]
    if not found:
        return Finding(Outcome.PASS)
    texts = [*(source.text for source in context.sources), context.question.text, *config.allowed]
    # The normal form drops tags; an address in one of them was sent as well.
    texts += [source.raw for source in context.sources if "@" in source.raw and source.raw is not source.text]
    known = _known(texts)
    unknown = [item for item in found if not _is_known(item, known)]
    if not unknown:
        return Finding(Outcome.PASS)
    evidence = []
    for item in unknown[:20]:
        start, end = context.answer.to_raw(item.start, item.end)
        evidence.append(Evidence(item.kind, context.record.answer[start:end], start, end))
    kinds = ", ".join(dict.fromkeys(item.kind.replace("_", " ") for item in unknown))
    return Finding(Outcome.FAIL, Category.ADDED_CLAIM, f"holds private data of no source: {kinds}", tuple(evidence))


def _items(text: str) -> Iterator[_Found]:
    if "@" in text:
        yield from (_Found("email", m.group(), *m.span()) for m in _EMAIL.finditer(text) if not _STAND_IN.search(m[0]))
    if _LONG_NUMBER.search(text) is None:
        return
    long_numbers = [
        _Found("card_number", m.group(), *m.span()) for m in _CARD.finditer(text) if has_luhn_check(m.group())
    ]
    accounts = ((match.start(), _account_end(match)) for match in _IBAN.finditer(text))
    long_numbers += [_Found("account_number", text[start:end], start, end) for start, end in accounts if end > start]
    yield from long_numbers
    # What only looks like an account number is no telephone number either.
    taken = [item[2:] for item in long_numbers] + [match.span() for match in _IBAN.finditer(text)]
    for start, end in _phones(text):
        if not any(begin < end and start < close for begin, close in taken):
            yield _Found("phone", text[start:end], start, end)


def _account_end(match: re.Match[str]) -> int:
    """Where the account number ends: words in capitals may follow it; its start where there is none."""
    written = match.group()
    while len(written) > _SHORTEST_ACCOUNT:
        if is_iban(written):
            return match.start() + len(written)
        written = written.rpartition(" ")[0]
    return match.start()


def _phones(text: str) -> list[tuple[int, int]]:
    spans = [
        match.span()
        for match in _PHONE.finditer(text)
        if _is_phone(match.group(), text[max(0, match.start() - 12) : match.start()])
    ]
    named = [match.span("number") for match in _NAMED_PHONE.finditer(text)]
    return spans + [span for span in named if not any(start < span[1] and span[0] < end for start, end in spans)]


def _is_phone(written: str, before: str) -> bool:
    """A date, a book number or a row of round numbers ('200-300-4000 units') only looks like one."""
    groups = [int(group) for group in re.findall(r"\d+", written)]
    is_row = len(groups) == 3 and sorted(groups) == groups and all(group % 10 == 0 for group in groups)
    is_row = is_row or (len(groups) > 3 and {b - a for a, b in pairwise(groups)} == {1})
    return not (is_row or _DATE.fullmatch(written) or _BOOK_NUMBER.search(before))


def _known(texts: list[str]) -> _Known:
    emails = {match.group().casefold() for text in texts if "@" in text for match in _EMAIL.finditer(text)}
    lines = {_signs(match.group()).lstrip("0") for text in texts for match in _PHONE.finditer(text)}
    local = {line[cut:] for line in lines for cut in range(_LONGEST_PREFIX + 1)}
    return _Known(frozenset(emails), tuple(map(_signs, texts)), frozenset(lines), frozenset(local))


def _is_known(item: _Found, known: _Known) -> bool:
    if item.kind == "email":
        return item.text.casefold() in known.emails
    wanted = _signs(item.text)
    if any(wanted in text for text in known.signs):
        return True
    return item.kind == "phone" and _is_same_line(wanted.lstrip("0"), known)


def _is_same_line(wanted: str, known: _Known) -> bool:
    """'030 5550 1234' is '+49 30 5550 1234': the longer ends with the shorter, without its zeros."""
    cuts = range(min(_LONGEST_PREFIX, len(wanted) - _LEAST_DIALLED) + 1)
    is_local = len(wanted) >= _LEAST_DIALLED and wanted in known.local_lines
    return is_local or any(wanted[cut:].lstrip("0") in known.lines for cut in cuts)


def _signs(text: str) -> str:
    return _NOT_A_SIGN.sub("", _TRUNK_ZERO.sub("", text))


def has_luhn_check(number: str) -> bool:
    """Whether the digits meet the check of card numbers (H. P. Luhn, US patent 2950048)."""
    digits = [int(character) for character in number if character.isdigit()]
    if len(set(digits)) == 1:
        return False
    doubled = (digit * 2 - 9 * (digit > 4) for digit in digits[-2::-2])
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def is_iban(number: str) -> bool:
    """Whether an account number meets the check of ISO 13616: its rearranged value leaves 1 when divided by 97."""
    compact = "".join(number.split())
    rearranged = compact[4:] + compact[:4]
    return int("".join(str(int(character, 36)) for character in rearranged)) % 97 == 1
