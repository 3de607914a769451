"""Regular expressions from settings, run by RE2: linear time on any answer, so that no pattern can hang a run.

RE2 comes with Arrow, which goldassay needs anyway; it is loaded only where such a
pattern is set. RE2 has no look-around and no back-references, and says so.
Syntax: https://github.com/google/re2/wiki/Syntax
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from goldassay.errors import ConfigError

__all__ = ["check_pattern", "matches"]


@lru_cache(maxsize=1)
def _arrow() -> tuple[Any, Any]:
    import pyarrow as pa  # noqa: PLC0415 - heavy, and needed only where a pattern is set
    import pyarrow.compute as pc  # noqa: PLC0415 - same

    return pa, pc


def matches(pattern: str, text: str) -> bool:
    """Whether `pattern` matches anywhere in `text`.

    Args:
        pattern: RE2 syntax; anchor with `^` and `$` to match the whole text, `(?s)` lets `.` match line ends.
        text: Any text.

    Raises:
        ConfigError: If RE2 cannot read the pattern.
    """
    pa, pc = _arrow()
    try:
        return bool(pc.match_substring_regex(pa.scalar(text), pattern).as_py())
    except pa.ArrowInvalid as error:
        raise ConfigError(
            f"the pattern {pattern!r} in rules.format cannot be used: {error}. Patterns run on RE2, which has no"
            " look-around and no back-references; write it without them."
        ) from error


def check_pattern(pattern: str) -> None:
    """Refuse a pattern that RE2 cannot read, before any answer is checked.

    Raises:
        ConfigError: If RE2 cannot read the pattern.
    """
    matches(pattern, "")
