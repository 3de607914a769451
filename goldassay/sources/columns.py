"""Column paths: where a field lies in a nested row.

`a.b` steps into objects, `[0]` and `[-1]` into lists, `[*]` over all items of a list,
`[1:-2]` keeps a stretch of it; a key that holds dots or brackets is quoted: `"attributes.input.value"`. A key that
stands in the row word for word comes first, because flat exports use dots in names.
Knows nothing of records; never evaluates code.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from goldassay.errors import ConfigError

__all__ = ["MISSING", "ColumnPath", "Missing"]


class Missing:
    """Type of `MISSING`: the path leads nowhere in this row."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()

_STEP = re.compile(r'\.?(?:"([^"]+)"|([^.\[\]"]+)|\[(\*|-?\d{1,9})\]|\[((?:-?\d{1,9})?:(?:-?\d{1,9})?)\])')
EVERY: Final = object()


class ColumnPath:
    """A parsed path; `find` follows it through one row.

    Raises:
        ConfigError: The text is no path.
    """

    __slots__ = ("steps", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.steps = tuple(_parse(text))

    def find(self, row: Any) -> Any:
        """The value at the path, a list where `[*]` stands, or `MISSING`."""
        if isinstance(row, Mapping) and self.text in row:
            return row[self.text]
        return _follow(row, self.steps)

    def __repr__(self) -> str:
        return f"ColumnPath({self.text!r})"


def _parse(text: str) -> list[Any]:
    steps: list[Any] = []
    position = 0
    while position < len(text):
        match = _STEP.match(text, position)
        if match is None or (position == 0 and text.startswith(".")):
            raise ConfigError(
                f"column path {text!r} cannot be read at {text[position:]!r}; write keys with dots and list places "
                "in brackets, like 'retrieval.documents[*].text'"
            )
        quoted, key, place, stretch = match.groups()
        steps.append(quoted or key or (_stretch(stretch) if stretch else EVERY if place == "*" else int(place)))
        position = match.end()
    if not steps:
        raise ConfigError("a column path is empty; name a column, like 'response.text'")
    return steps


def _stretch(text: str) -> slice:
    begin, end = text.split(":")
    return slice(int(begin) if begin else None, int(end) if end else None)


def _follow(value: Any, steps: tuple[Any, ...]) -> Any:
    for index, step in enumerate(steps):
        if step is EVERY:
            if not isinstance(value, list | tuple):
                return MISSING
            found = (_follow(item, steps[index + 1 :]) for item in value)
            return [item for item in found if item is not MISSING]
        value = _step(value, step)
        if value is MISSING:
            return MISSING
    return value


def _step(value: Any, step: Any) -> Any:
    if isinstance(step, slice):
        return list(value[step]) if isinstance(value, list | tuple) else MISSING
    if isinstance(step, int):
        inside = isinstance(value, list | tuple) and -len(value) <= step < len(value)
        return value[step] if inside else MISSING
    return value.get(step, MISSING) if isinstance(value, Mapping) else MISSING
