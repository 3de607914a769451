"""A text as a row of words and numbers, so that a fact is found whatever its spelling.

'20 MB' and '20 megabytes' are one number token, '14 September 2026' and '2026-09-14'
one date token; words are casefolded, contractions are written out ("aren't" is 'are',
'not'), and a range is its two ends. Used by `key_fact` for facts and answers alike;
whether two tokens say the same is for `_fact_same`.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from goldassay.rules._number_behind import is_cjk
from goldassay.rules._number_index import MOST_NUMBERS, read_numbers
from goldassay.rules._number_measures import unit_end
from goldassay.rules._number_model import Kind, Number
from goldassay.rules._number_units import unit_of
from goldassay.rules._number_values import tidy
from goldassay.rules.wordlists import word_set

__all__ = ["Token", "read_tokens", "without_articles"]

_CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
# Signs belong to a word where they end it: C++, C#, the grade A+; 'Ctrl+C' and '#1' are taken apart.
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+(?:'[^\W_{_CJK}]+)?(?:(?:\+{{1,2}}|\#)(?![\w+#]))?")
_LONGEST_CJK_UNIT = 3  # characters; the text goes on behind it without a space

_SHORT_FORMS = {"can't": "can not", "cannot": "can not", "won't": "will not", "shan't": "shall not", "let's": "let us"}
_SHORT_ENDINGS = {"n't": "not", "'re": "are", "'ve": "have", "'ll": "will", "'m": "am", "'s": ""}
_ELIDED = word_set("l d qu n s c j m t dell all nell dall sull un quest jusqu lorsqu puisqu")
"""French and Italian words that melt into the next one: "l'Allemagne", "dell'anno"."""

_RANGE_OPENERS = word_set("from between von zwischen de entre da dal tra fra van tussen vom")
_RANGE_JOINERS = word_set("to till until through bis à a ao al tot")
_BETWEEN = word_set("between zwischen entre tra fra tussen")
_AND = word_set("and und et y e en")
_ARTICLES = word_set("the a an der das den dem ein eine einen le la les un une el los las il gli het")
_VERSUS = word_set("v vs versus")
_HALVES = word_set("half hälfte moitié mitad metà metade helft")
_SHARES = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4}


class Token(NamedTuple):
    """One word or one number with its unit."""

    word: str
    """Casefolded; '' for a number."""
    number: Number | None
    start: int
    end: int


def read_tokens(text: str, language: str) -> list[Token]:
    """Words and numbers of a text in normal form, in order.

    Args:
        text: The text.
        language: For number words and the decimal habit.
    """
    tokens: list[Token] = []
    done = 0
    for number in read_numbers(text, language, MOST_NUMBERS):
        if number.start < done:
            continue
        tokens += _words(text, done, number.start)
        done = _behind_unit(text, number)
        tokens.append(Token("", number, number.start, done))
    tokens += _words(text, done, len(text))
    return _tidied(tokens, text)


def without_articles(wanted: list[Token]) -> list[Token]:
    """A fact without its leading article, where two words or a number are left: 'the 14th of September 2026'."""
    rest = wanted[1:]
    if wanted and wanted[0].word in _ARTICLES and (len(rest) > 1 or any(token.number for token in rest)):
        return rest
    return wanted


def _words(text: str, start: int, end: int) -> list[Token]:
    tokens: list[Token] = []
    for match in _WORD.finditer(text, start, end):
        word = match.group().casefold()
        if "'" in word or word == "cannot":
            tokens += _written_out(word, *match.span())
        else:
            tokens.append(Token(word, None, *match.span()))
    return tokens


def _written_out(word: str, start: int, end: int) -> list[Token]:
    """A contracted word as the words it stands for, all of them with its span."""
    if word in _SHORT_FORMS:
        return [Token(part, None, start, end) for part in _SHORT_FORMS[word].split()]
    for ending, full in _SHORT_ENDINGS.items():
        if word.endswith(ending) and len(word) > len(ending):
            parts = [word.removesuffix(ending), full] if full else [word.removesuffix(ending)]
            return [Token(part, None, start, end) for part in parts]
    head, _, tail = word.partition("'")
    if head in _ELIDED and tail:
        return [Token(head, None, start, start + len(head)), Token(tail, None, start + len(head) + 1, end)]
    return [Token(word, None, start, end)]


def _behind_unit(text: str, number: Number) -> int:
    if number.unit is None:
        return number.end
    end = unit_end(text, number.end, number.unit)
    if end > number.end:
        return end
    start = number.end + text.startswith(" ", number.end)
    ends = range(start + _LONGEST_CJK_UNIT, start, -1) if is_cjk(text[start : start + 1] or " ") else ()
    return next((end for end in ends if unit_of(text[start:end]) == number.unit), number.end)


def _tidied(tokens: list[Token], text: str) -> list[Token]:
    """Without the words that only join a range or lead up to a date; shares in words become numbers."""
    kept: list[Token] = []
    for index, token in enumerate(tokens):
        if token.number is None and (_is_filler(tokens, index) or _is_versus(tokens, index, text)):
            continue
        share = _share(kept, tokens, index, text)
        if share is not None:
            kept[-1] = share
        elif token.word in _HALVES and _is_half(tokens, index):
            kept.append(Token("", _half_of(token, text), token.start, token.end))
        else:
            kept.append(token)
    return kept


def _is_filler(tokens: list[Token], index: int) -> bool:
    """Whether the word joins or opens a range ('from 5 to 7'), or is the article of a date ('the 14th of May')."""
    word = tokens[index].word
    if word in _ARTICLES and _is_date(tokens, index + 1):
        return True
    if word in _RANGE_OPENERS and _is_number(tokens, index + 1) and _is_number(tokens, index + 3):
        return tokens[index + 2].word in (_AND | _RANGE_JOINERS if word in _BETWEEN else _RANGE_JOINERS)
    if not _is_number(tokens, index - 1) or not _is_number(tokens, index + 1):
        return False
    return word in _RANGE_JOINERS or (word in _AND and index > 1 and tokens[index - 2].word in _BETWEEN)


def _is_versus(tokens: list[Token], index: int, text: str) -> bool:
    """Whether the word parts the sides of a score: '5 v 3' is '5-3'; the v of 'Windows 10 v3' is a version's."""
    if tokens[index].word not in _VERSUS or not _is_number(tokens, index - 1) or not _is_number(tokens, index + 1):
        return False
    return text[tokens[index].end : tokens[index + 1].start].endswith(" ")


def _is_number(tokens: list[Token], index: int) -> bool:
    return 0 <= index < len(tokens) and tokens[index].number is not None


def _is_date(tokens: list[Token], index: int) -> bool:
    number = tokens[index].number if 0 <= index < len(tokens) else None
    return number is not None and bool(number.dates)


def _is_half(tokens: list[Token], index: int) -> bool:
    """'half of the users', 'half the users' and 'half.'; 'half an hour' and 'half full' are other things."""
    behind = tokens[index + 1].word if index + 1 < len(tokens) else "of"
    return tokens[index].word != "half" or behind in {"of", "the"}


def _half_of(token: Token, text: str) -> Number:
    written = text[token.start : token.end]
    return Number(Kind.QUANTITY, token.start, token.end, (tidy(Fraction(1, 2)),), word=True, written=written)


def _share(kept: list[Token], tokens: list[Token], index: int, text: str) -> Token | None:
    """'a quarter', 'two thirds' as one number that takes the place of the last kept token; None where it is none."""
    lower = _lower_side(tokens[index])
    if lower is None or not kept or not _ends_share(tokens, index, text):
        return None
    before, token = kept[-1], tokens[index]
    upper = _upper_side(before)
    if upper is None or upper >= lower:
        return None
    value = tidy(Fraction(upper, lower))
    number = Number(Kind.QUANTITY, before.start, token.end, (value,), word=True, written=text[before.start : token.end])
    return Token("", number, before.start, token.end)


def _lower_side(token: Token) -> int | None:
    if token.number is None:
        return _SHARES.get(token.word)
    value = token.number.readings[0] if token.number.readings and token.number.kind is Kind.ORDINAL else 0
    return int(value) if 3 <= value <= 10 else None


def _upper_side(token: Token) -> int | None:
    if token.number is None:
        return 1 if token.word in {"a", "one"} else None
    number = token.number
    is_count = number.kind is Kind.QUANTITY and number.unit is None and bool(number.readings)
    return int(number.readings[0]) if is_count and number.readings[0] in range(1, 10) else None


def _ends_share(tokens: list[Token], index: int, text: str) -> bool:
    """'a third of the users' is a share, 'a third party' is none."""
    if index + 1 == len(tokens):
        return True
    return tokens[index + 1].word == "of" or text[tokens[index].end : tokens[index + 1].start].strip() != ""
