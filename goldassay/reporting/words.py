"""How numbers, rates and categories are worded, the same in every report.

Pure formatting: every figure arrives computed from `goldassay.analytics`. A rate
below one is never rounded up to one, and `None` (cannot be known) is a dash, never
a zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from goldassay.reporting.safe import excerpt, one_line

if TYPE_CHECKING:
    from goldassay.analytics.models import Interval

__all__ = [
    "DASH",
    "category_name",
    "column_title",
    "cost_text",
    "count_text",
    "duration_text",
    "interval_text",
    "joined",
    "outside_text",
    "p_value_text",
    "path_text",
    "percent_text",
    "plural",
    "points_text",
    "rate_text",
    "score_text",
    "short_labels",
    "source_words",
    "time_text",
    "window_text",
]

DASH = "\u2013"
_MOST_PLACES = 4


def rate_text(rate: float | None, *, places: int = 2) -> str:
    """0.855 -> '0.86'; 0.9996 -> '0.9996', because a rate below one must not read as one."""
    if rate is None:
        return DASH
    if rate in {0.0, 1.0}:
        return f"{rate:.{places}f}"
    for digits in range(places, _MOST_PLACES + 1):
        text = f"{rate:.{digits}f}"
        if float(text) not in {0.0, 1.0}:
            return text
    return ">0.9999" if rate > 0.5 else "<0.0001"


def interval_text(interval: Interval | None) -> str:
    """'[0.81, 0.93]'; a bound may be an honest 1.00 after rounding, so bounds keep two places."""
    if interval is None:
        return DASH
    return f"[{interval.low:.2f}, {interval.high:.2f}]"


def outside_text(outside: float) -> str:
    """What to think of a corrected rate that was cut to 0 or 1."""
    end = min(1.0, max(0.0, outside))
    return (
        f"the correction gave {outside:.2f}, which is no rate, and was set to {end:.2f}: the judge errs otherwise here "
        "than on the labelled answers, or by chance"
    )


def percent_text(share: float | None) -> str:
    """0.283 -> '28 %'; small shares keep one place, and a share above zero is never '0 %'."""
    if share is None:
        return DASH
    percent = share * 100
    if percent in {0.0, 100.0}:
        return f"{percent:.0f} %"
    text = f"{percent:.0f} %" if 9.95 <= percent < 99 else f"{percent:.1f} %"
    return {"0.0 %": "<0.1 %", "100.0 %": ">99.9 %"}.get(text, text)


def points_text(difference: float | None) -> str:
    """A difference of two rates with its sign: -0.07 -> '-0.07', 0.004 -> '+0.004'."""
    if difference is None:
        return DASH
    if difference == 0:
        return "±0.00"
    sign = "+" if difference > 0 else "-"
    return sign + rate_text(abs(difference)).replace("<", "")


def score_text(difference: float | None) -> str:
    """A difference of two mean scores, which may be of any scale: -0.5 -> '-0.50', 0 -> '±0.00'."""
    if difference is None:
        return DASH
    return "±0.00" if difference == 0 else f"{difference:+.2f}"


def p_value_text(p_value: float | None) -> str:
    """'p = 0.003', 'p < 0.001'."""
    if p_value is None:
        return "p unknown"
    if p_value < 0.001:
        return "p < 0.001"
    return f"p = {p_value:.3f}" if p_value < 0.095 else f"p = {p_value:.2f}"


def count_text(number: int) -> str:
    """1234567 -> '1,234,567'."""
    return f"{number:,}"


def plural(number: int, noun: str, many: str | None = None) -> str:
    """'1 answer', '2 answers', '1,200 replies'."""
    return f"{count_text(number)} {noun if number == 1 else many or noun + 's'}"


def cost_text(cost_usd: float | None) -> str:
    """'$12.40', '$0.0031'; 'cost unknown (no price set)' when no price is configured: unknown is not free."""
    if cost_usd is None:
        return "cost unknown (no price set)"
    return f"${cost_usd:,.2f}" if cost_usd >= 0.0995 or cost_usd == 0 else f"${cost_usd:.2g}"


def duration_text(seconds: float) -> str:
    """'8 ms', '1.2 s', '42 s', '3 min 20 s', '1 h 05 min'."""
    if seconds < 0.9995:
        return f"{max(seconds * 1000, 1):.0f} ms"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def time_text(moment: datetime | None) -> str:
    """'2026-11-29 02:00 UTC'."""
    return DASH if moment is None else f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def window_text(window: tuple[datetime | None, datetime | None]) -> str:
    """The half-open window of the log in words; '' when it had no bounds."""
    since, until = window
    if since is None and until is None:
        return ""
    if since is None:
        return f"answers before {time_text(until)}"
    if until is None:
        return f"answers since {time_text(since)}"
    if _is_one_day(since, until):
        return f"answers of {since.astimezone(UTC):%Y-%m-%d}"
    return f"answers from {time_text(since)} to {time_text(until)}"


def _is_one_day(since: datetime, until: datetime) -> bool:
    start = since.astimezone(UTC)
    return (until - since).total_seconds() == 86_400 and start.hour == start.minute == start.second == 0


def category_name(category: str | None) -> str:
    """'wrong_number' -> 'wrong number'."""
    return (category or "other").replace("_", " ")


def column_title(by: str) -> str:
    """How a table calls the column that a history is made by: 'version' for app_version, 'model' for model."""
    return "version" if by == "app_version" else category_name(by)


def source_words(number: int | None, sent: int) -> str:
    """'source 2 of 4'; 'not among the 4 sources sent'."""
    if number is None:
        return "no source was sent" if sent == 0 else f"not among the {plural(sent, 'source')} sent"
    return f"source {number} of {sent}" if sent else f"source {number}"


def path_text(path: str, limit: int) -> str:
    """A path cut at its beginning: the end tells which file it is."""
    line = one_line(path)
    return line if len(line) <= limit else "…" + line[-(limit - 1) :]


def short_labels(names: Sequence[str], limit: int = 12) -> list[str]:
    """Names that fit under a column and stay apart: the middle is cut where the beginnings are alike."""
    names = [one_line(name[:200]) or "no version" for name in names]
    labels = [excerpt(name, limit) for name in names]
    if len(set(labels)) < len(labels):
        labels = [name if len(name) <= limit else f"{name[:2]}…{name[-(limit - 3) :]}" for name in names]
    seen: dict[str, int] = {}
    for place, label in enumerate(labels):
        seen[label] = seen.get(label, 0) + 1
        if seen[label] > 1:
            labels[place] = f"{label} ({seen[label]})"
    return labels


def joined(items: Sequence[str], *, last: str = " and ") -> str:
    """'a', 'a and b', 'a, b and c'."""
    if len(items) < 2:
        return "".join(items)
    return ", ".join(items[:-1]) + last + items[-1]
