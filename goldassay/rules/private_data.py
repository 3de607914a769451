"""Rule `private_data`: no e-mail address, telephone, card or account number that the sources do not hold.

Looks for shapes: card numbers must meet the Luhn check and account numbers the
IBAN check, so that plain long numbers raise no alarm. Reasons never repeat the data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from goldassay.rules.context import RuleContext
from goldassay.rules.settings import PrivateDataConfig
from goldassay.verdicts import Category, Evidence, Finding, Outcome

__all__ = ["VERSION", "has_luhn_check", "is_iban", "private_data"]

VERSION = "1"
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}")
_PHONE = re.compile(
    r"(?<![\w.,/-])(?:\+\d{1,3}[\s./-]?(?:\(0?\d{1,5}\)[\s./-]?)?\d(?:[\s./-]?\d){5,12}"
    r"|\(0?\d{2,5}\)[\s./-]?\d(?:[\s./-]?\d){4,10}|0\d{1,4}[\s/-]\d(?:[\s./-]?\d){4,10}|\d{3}[-.\s]\d{3}[-.\s]\d{4})(?![\w-]|[.,]\d)"
)
# Issuers' numbers begin with 3 to 6 and come in one piece or in the groups printed on the card.
_CARD = re.compile(
    r"(?<![\w.,=×*/+-])(?:[3-6]\d{3}([ -])\d{4}\1\d{4}\1\d{4}|3\d{3}([ -])\d{6}\2\d{5}|[3-6]\d{14,15})"
    r"(?![\w=×*/+-]|[.,]\d)"
)
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?:\s?[A-Z0-9]){11,30}(?!\w)")
_NOT_A_SIGN = re.compile(r"[^0-9A-Za-z]+")
_LONG_NUMBER = re.compile(r"\d(?:[\s./()-]{0,3}\d){6}")
"""Seven digits in a row, separators allowed: shorter numbers are none of these."""


class _Found(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def private_data(context: RuleContext, config: PrivateDataConfig) -> Finding:
    """Every such item of the answer stands in a source or in the question."""
    found = [item for item in _items(context.answer.text) if item.kind in config.kinds]
    if not found:
        return Finding(Outcome.PASS)
    texts = [*(source.text for source in context.sources), context.question.text, *config.allowed]
    unknown = [item for item in found if not _is_known(item, texts)]
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
        yield from (_Found("email", m.group(), *m.span()) for m in _EMAIL.finditer(text))
    if _LONG_NUMBER.search(text) is None:
        return
    long_numbers = [
        _Found("card_number", m.group(), *m.span()) for m in _CARD.finditer(text) if has_luhn_check(m.group())
    ]
    long_numbers += [_Found("account_number", m.group(), *m.span()) for m in _IBAN.finditer(text) if is_iban(m.group())]
    yield from long_numbers
    for match in _PHONE.finditer(text):
        if not any(item.start < match.end() and match.start() < item.end for item in long_numbers):
            yield _Found("phone", match.group(), *match.span())


def _is_known(item: _Found, texts: list[str]) -> bool:
    if item.kind == "email":
        return any(item.text.casefold() in text.casefold() for text in texts)
    wanted = _NOT_A_SIGN.sub("", item.text)
    return any(wanted in _NOT_A_SIGN.sub("", text) for text in texts)


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
