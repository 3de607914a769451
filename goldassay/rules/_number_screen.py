"""Whether a large plain figure can have anything to do with a text, told without reading the text's numbers.

Most numbers that stand in no source are invented, and for each the careful reader would read all sources whole. This
screen looks at runs of digits only. It may say 'perhaps' too often, which costs time; it never says 'no' where
`find_number` or `derivation` would find something (a property test holds them together). Asked by `_number_fates`.
"""

from __future__ import annotations

import re

from goldassay.rules._number_also import sets_a_scale
from goldassay.rules._number_model import Kind, Number
from goldassay.rules._number_units import SCALES
from goldassay.text import TextCache

__all__ = ["has_nothing_like"]

_LEAST = 10_000
"""Years, seasons, roman numerals and words such as 'dozen' or 'twenty hundred' all mean less than this."""
_SMALL = 3_001
"""More than anything that figures of fewer than four digits, dates or number words can be worth in a plain text."""
_MOST_GROUPS = 8
_LONGEST_GROUP = 9  # longer runs of digits are cut by the reader
_GROUPED = 7  # characters of a figure with one comma
_LONGEST_TOKEN = 20  # so are longer names
# A run of figures and the one or two letters behind it, read together: looking at each character twice takes twice as
# long, and this is most of the work.
_RUN = re.compile(r"([0-9]+(?:[ .,']{1,3}[0-9]+)*)(?:[ -]?([a-z]{1,2})(?![a-z]))?")
_DIGITS = re.compile(r"[0-9]+")
_SCALE_LETTERS = frozenset({"k", "m", "b", "t", "g", "mm", "e", "x"})
_SCALE_WORDS = frozenset(word for word in SCALES if word.isascii())
_ONLY_LETTERS = {code: " " for code in range(128) if not chr(code).isalpha()}
_MONEY = ("usd", "eur", "gbp", "chf", "jpy", "inr")
_SCALES_BEHIND_MONEY = (
    "m k mn bn mio mrd tsd thousand thousands million millions billion billions crore crores lakh lakhs millionen"
    " milliarden tausend"
)
_TELLING = _SCALE_WORDS | {code + scale for code in _MONEY for scale in ("", *_SCALES_BEHIND_MONEY.split())}
"""Words that multiply a number, or money in whose heading a letter may."""


def has_nothing_like(wanted: Number, text: str) -> bool:
    """Whether no number of the text can be the wanted one, nearly be it, or lead to it by a sum or difference.

    Args:
        wanted: A number of the answer.
        text: A source in normal form.

    Returns:
        False: perhaps; the text must be read.
    """
    value = _plain_value(wanted)
    if value is None or wanted.written.lstrip("-") in text:
        return False
    figures = _FIGURES.get(text)
    if figures is None:
        return False
    reach = max(_rounded_to(value), _SMALL) + 1
    low, high = value - reach, value + reach
    return not any(low <= figure <= high or _leads_to(value, figure, figures) for figure in figures)


def _plain_value(wanted: Number) -> int | None:
    """The value of a large plain figure; None for all else."""
    is_plain = (
        wanted.kind is Kind.QUANTITY
        and len(wanted.readings) == 1
        and not (wanted.doubtful or wanted.parts or wanted.dates)
    )
    is_plain = is_plain and not (
        len(wanted.written) > _LONGEST_GROUP - 1 and wanted.written.isdigit()
    )  # may be an ISBN
    if not is_plain or wanted.unit or wanted.currency or wanted.word or wanted.percent_too or wanted.scale != 1:
        return None
    value = wanted.readings[0]
    return value if isinstance(value, int) and value >= _LEAST else None


def _rounded_to(value: int) -> int:
    """Worth of the last significant digit: 4,200 -> 100."""
    digits = str(value)
    return int("1" + "0" * (len(digits) - len(digits.rstrip("0"))))


def _leads_to(value: int, figure: int, figures: frozenset[int]) -> bool:
    """Whether another figure makes it a sum or difference, decimals behind either left open."""
    rest, above = value - figure, figure - value
    return rest in figures or rest - 1 in figures or above in figures or above - 1 in figures or above + 1 in figures


def _figures(text: str) -> frozenset[int] | None:
    """Whole parts of all values from 1,000 up that figures of the text may have; None: it must be read to tell."""
    if not text.isascii() or "/" in text or "^" in text or "*" in text or "+" in text:
        return None
    lower = text.lower()
    if "hundred" in lower or "thousand" in lower or "illion" in lower or _has_scale(text, lower):
        return None
    runs = _RUN.findall(lower)
    if not _SCALE_LETTERS.isdisjoint([letters for _, letters in runs]) or _has_long_name(lower):
        return None
    figures: set[int] = set()
    for run, _ in runs:
        if len(run) <= 3 or (len(run) == 4 and not run.isdigit()):
            continue  # no more than three digits
        is_grouped = len(run) <= _GROUPED and run[-4] == ","
        figure = run[:-4] + run[-3:] if is_grouped else run  # '12,345' is the common form
        if len(figure) <= _LONGEST_GROUP and figure.isdigit():
            figures.add(int(figure))
        elif not _add(run, figures):
            return None
    return frozenset(figures)


def _has_scale(text: str, lower: str) -> bool:
    """Whether a word, or a heading over figures, may multiply a number."""
    words = lower.translate(_ONLY_LETTERS).split()
    is_told = not _TELLING.isdisjoint(words)
    if is_told and not _SCALE_WORDS.isdisjoint(words):
        return True
    # Without a scale word a heading names money ('in EUR m', '($k)') or three zeros ("('000)").
    return (is_told or "$" in text or "000" in text) and sets_a_scale(text)


def _has_long_name(lower: str) -> bool:
    """Whether a name with a digit is so long that the reader cuts it."""
    tokens = lower.split()
    is_long = max(map(len, tokens), default=0) > _LONGEST_TOKEN
    return is_long and any(len(token) > _LONGEST_TOKEN and _DIGITS.search(token) for token in tokens)


def _add(run: str, figures: set[int]) -> bool:
    """Every figure that neighbouring groups of digits may make; False: the run is no plain one."""
    groups = _DIGITS.findall(run)
    if len(groups) > _MOST_GROUPS or max(map(len, groups)) > _LONGEST_GROUP:
        return False
    for start in range(len(groups)):
        joined = ""
        for group in groups[start:]:
            joined += group
            if len(joined) > 3:
                figures.add(int(joined))
    return True


_FIGURES = TextCache(_figures, 1_500_000)
