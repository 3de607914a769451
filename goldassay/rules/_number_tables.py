"""The word lists of the number reader: months, units, currencies, scale words; `head: words` a line in `data/`."""

from __future__ import annotations

from importlib.resources import files

__all__ = ["read_table"]


def read_table(name: str) -> list[str]:
    """Lines of one word list, blank ones left out."""
    text = files("goldassay.rules").joinpath("data", name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip()]
