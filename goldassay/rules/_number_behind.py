"""What stands behind a figure: ordinal endings, scale words, percent signs, currencies and units.

Each part is taken at most once, in the order in which people write them. Called by
`_number_scan` for figures and by `_number_words` for number words.
"""

from __future__ import annotations

import re
from decimal import Decimal

from goldassay.rules._number_measures import is_below_zero, unit_behind
from goldassay.rules._number_model import Kind
from goldassay.rules._number_units import (
    DEGREE_WORDS,
    ORDINAL_ENDINGS,
    POINT_WORDS,
    Unit,
    currency_of,
    scale_of,
    unit_of,
)

__all__ = ["Behind", "is_cjk"]

# Devanagari vowel signs are no letters to `re`, so that script is named.
_NEXT = re.compile(r"([ \-]?)(%|‰|°[CFcf]?|[$€£¥₹¢]|[\u0900-\u097f]{1,12}|[^\W\d_]{1,24}(?:[²³]|[23](?!\w))?)")
_PERCENT = re.compile(
    r" ?%| ?-?(?:percent(?:age)?|per cent|pct|prozent|pour cent|por ciento|por cento|procent|per cento"
    r"|v[ao]m hundert|von hundert)\b",
    re.IGNORECASE,
)
_PER_MILLE = re.compile(r" ?‰|[ -](?:per mill?e?|promille|pour mille|por mil|per mille)\b", re.IGNORECASE)
_POINTS = re.compile(r"[ -]([^\W\d_]{1,24})")
_HUNDREDTHS = re.compile(r"[ -]?(?:basis[ -]points?|bps)\b", re.IGNORECASE)
_LENGTH_BEHIND = re.compile(
    r" ?(?:tall|high|wide|long|deep|thick|above|below|away|apart|x|hoch|breit|lang|tief)\b"
    r"| in (?:height|length|width)\b| ?[/x×*²]"
)
_MANY_BEHIND = re.compile(r" (?:[a-z]{2,20} )?(?:[a-z]{3,20}s|people|men|women|children)\b")
_DECIMAL_BEFORE = re.compile(r"[0-9][.,][0-9]{1,3}$")
_FACTOR = re.compile(
    r"([0-9]{1,8})(?:[.,][0-9]{1,3})?(?![0-9])"
    r"(?:(x(?=[0-9])| ?(?:x|cm|mm|m|in|inch|inches|feet|ft|px|pixels|grid)\b)|(?![^\W\d_]))"
)
_DEGREES_BEGIN = frozenset({word[:2] for word in DEGREE_WORDS} | {"°c", "°f", "be"})
_BARE_SUFFIXES = frozenset({"%", "x", "pts", "pt", "ppl"})
"""What may touch a figure and neither makes it a name nor measures it."""
_CENTURY = re.compile(
    r"[ -]((?:century|centuries|jahrhunderts?|siècles?|siglos?|secol[oi]|séculos?|eeuw)\b)", re.IGNORECASE
)
_CJK_UNITS = ("个月", "小时", "分钟", "美元", "欧元", "日元", "天", "日", "年", "周", "元", "円", "원", "秒")
_CJK_SCALES = ("万亿", "千万", "百万", "亿", "億", "억", "万", "萬", "만", "千", "천", "百", "兆", "조")


class Behind:
    """Reads on behind a figure; each part is taken at most once, in the order in which people write them."""

    def __init__(self, text: str, end: int, *, money: bool) -> None:
        self.text = text
        self.end = end
        self.kind = Kind.QUANTITY
        self.scale = 1
        self.unit: Unit | None = None
        self.currency: str | None = None
        self.is_name = False
        self._share: Decimal | None = None
        self.below_zero = False
        """Whether 'degrees below zero' follows."""
        self.million_too = 0
        """The factor that a suffix of two meanings may have: '1.1m' are metres or millions."""
        self.mostly_millions = False
        """Whether that is the likelier meaning: '1.1m users'."""
        self._money = money
        self._read()

    @property
    def factor(self) -> int | Decimal:
        """What the figure is multiplied by: its scale; a hundredth for basis points, a tenth for per mille."""
        return self._share or self.scale

    def _read(self) -> None:
        match = _NEXT.match(self.text, self.end)
        if match is None:
            return
        gap, word = match.groups()
        if is_cjk(word[0]):
            self._cjk(match.start(2))
        elif not self._ending(gap, word, match.end()):
            self._scale_and_unit(gap, word, match.end())

    def _ending(self, gap: str, word: str, end: int) -> bool:
        """Endings that touch the digits: 7th, 1990s, 4x."""
        if gap:
            return False
        if word.casefold() in ORDINAL_ENDINGS:
            self.kind, self.end = Kind.ORDINAL, end
            century = _CENTURY.match(self.text, end)
            self.unit = unit_of(century.group(1)) if century else None
        elif word in {"s", "er"}:
            self.kind, self.end = Kind.DECADE, end
        elif word in {"pp", "ppt", "ppts"}:
            self.kind, self.end = Kind.POINTS, end
        elif word not in {"x", "%", "‰"}:
            return False
        else:
            return self._percent()
        return True

    def _scale_and_unit(self, gap: str, word: str, end: int) -> None:
        goes_on = not gap and self.text[end : end + 1].isdigit()  # '5M3' is a name
        scale = None if goes_on else scale_of(word, attached=not gap, money=self._money)
        if scale is not None:
            self.scale, self.end = scale, end
            if self.text.startswith(".", end) and word.casefold() in {"mio", "mrd", "tsd", "mill"}:
                self.end += 1
            match = _NEXT.match(self.text, self.end)
            if match is None:
                return
            gap, word, end = match.group(1), match.group(2), match.end()
            second = scale_of(word, attached=False, money=False)
            if second is not None:
                self.scale, self.end = self.scale * second, end
        if not self._percent() and not self._basis_points():
            self._take_unit(gap, word, end)

    def _basis_points(self) -> bool:
        match = _HUNDREDTHS.match(self.text, self.end)
        if match is None:
            return False
        self.kind, self.end, self._share = Kind.POINTS, match.end(), Decimal("0.01")
        return True

    def _take_unit(self, gap: str, word: str, end: int) -> None:
        self.currency = currency_of(word)
        if self.currency is not None:
            self.end = end
            return
        attached = not gap and self.scale == 1
        self.unit, _ = unit_behind(self.text, word, end, attached=not gap)
        self.below_zero = word[:2].casefold() in _DEGREES_BEGIN and is_below_zero(self.text, self.end)
        if attached and self.text[end : end + 1].isdigit():
            self.unit, self.is_name = None, word != "x" or self._is_named_by_times(end)  # 4in1
        elif attached and word in {"m", "b"} and (self.unit is None or self.unit.dimension == "length"):
            self._metres_or_millions(word, end)
        elif attached and self.unit is None and word not in _BARE_SUFFIXES and not word.startswith("°"):
            self.is_name = True  # 12b, 3D: letters that touch the digits and are no unit

    def _is_named_by_times(self, end: int) -> bool:
        """'0x1F' and the car '4x4' are names; '1920x1080' are two figures."""
        match = _FACTOR.match(self.text, end)
        return match is None or (self.text[self.end - 1] == match.group(1) and match.group(2) is None)

    def _metres_or_millions(self, word: str, end: int) -> None:
        """'1.1m users' are millions, '5m tall' metres, '5m' alone may be both; '2.5b' are billions, '12b' is a name."""
        if word == "b":
            is_decimal = _DECIMAL_BEFORE.search(self.text[max(0, self.end - 8) : self.end]) is not None
            self.million_too, self.is_name = 10**9 if is_decimal else 0, not is_decimal
        elif _LENGTH_BEHIND.match(self.text, end) is None:
            self.million_too = 10**6
        self.mostly_millions = bool(self.million_too and _MANY_BEHIND.match(self.text, end))

    def _percent(self) -> bool:
        match = _PER_MILLE.match(self.text, self.end)
        if match is not None:
            self.kind, self.end, self._share = Kind.PERCENT, match.end(), Decimal("0.1")
            return True
        match = _PERCENT.match(self.text, self.end)
        if match is None:
            return self._bare_points()
        self.kind, self.end = Kind.PERCENT, match.end()
        self._points()
        return True

    def _points(self) -> None:
        match = _POINTS.match(self.text, self.end)
        if match is not None and match.group(1).casefold() in POINT_WORDS:
            self.kind, self.end = Kind.POINTS, match.end()

    def _bare_points(self) -> bool:
        match = _POINTS.match(self.text, self.end)
        if match is not None and match.group(1).casefold() in {"pp", "prozentpunkte", "prozentpunkten"}:
            self.kind, self.end = Kind.POINTS, match.end()
            return True
        return False

    def _cjk(self, start: int) -> None:
        for scale in _CJK_SCALES:
            if self.text.startswith(scale, start):
                self.scale = scale_of(scale, attached=True, money=False) or 1
                start += len(scale)
                self.end = start
                break
        for word in _CJK_UNITS:
            if self.text.startswith(word, start):
                self.currency, self.unit = currency_of(word), unit_of(word)
                break


def is_cjk(character: str) -> bool:
    return "\u3040" <= character <= "\u9fff" or "\uac00" <= character <= "\ud7af"
