"""Rich's `Text` with every string made harmless on its way in, so that no report can forget to."""

from __future__ import annotations

from typing import Any

from rich.style import Style
from rich.text import Text as RichText

from goldassay.reporting.safe import visible

__all__ = ["Text"]


class Text(RichText):
    """One line of styled text: control characters are shown, line breaks become blanks, markup is never parsed."""

    def __init__(self, text: str = "", style: str | Style = "", **options: Any) -> None:
        # The style belongs to these words alone: what is appended later does not inherit it.
        super().__init__("", "" if text else style, **options)
        if text:
            self.append(text, style or None)

    def append(self, text: RichText | str, style: str | Style | None = None) -> Text:
        """Add text at the end, made harmless."""
        super().append(_harmless(text) if isinstance(text, str) else text, style)
        return self


def _harmless(text: str) -> str:
    return visible(text).replace("\n", " ").replace("\t", " ")
