"""Ids and titles of the passages where a log keeps them apart from the texts.

A column of texts beside a column of ids, or objects whose keys have names of their own:
without their ids the passages are numbered, and an answer that cites [HR-01] cites
nothing. Called by `mapping`; knows no file formats.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from goldassay.sources.columns import MISSING, ColumnPath
from goldassay.sources.faults import UnreadableValueError
from goldassay.sources.nested import parse_nested
from goldassay.sources.rows import RawRow
from goldassay.sources.values import as_label, as_text, is_nothing

__all__ = ["SOURCE_NAMES", "SourceNames"]

SOURCE_NAMES: Final[dict[str, str]] = {"source_ids": "id", "source_titles": "title"}
"""Names in `answers.mapping`, and the field of a passage that each fills."""


class SourceNames:
    """Puts ids and titles from other places of the row onto its passages."""

    def __init__(self, mapping: Mapping[str, list[str]]) -> None:
        self.paths = {name: [ColumnPath(path) for path in mapping[name]] for name in SOURCE_NAMES if name in mapping}

    def put(self, sources: list[dict[str, Any]], row: RawRow) -> None:
        """Fill the passages of one row; a name that is null leaves the passage its number.

        Raises:
            UnreadableValueError: There are not as many names as passages: which belongs to which would be a guess.
        """
        for name, paths in self.paths.items():
            named = _named(paths, row)
            if len(named) != len(sources):
                raise UnreadableValueError(f"{name}: {len(named)} for {len(sources)} sources; each needs one")
            field = SOURCE_NAMES[name]
            for source, value in zip(sources, named, strict=True):
                if not is_nothing(value):
                    source[field] = as_label(value) if field == "id" else as_text(value)


def _named(paths: list[ColumnPath], row: RawRow) -> list[Any]:
    value = _found(paths, row.data)
    if row.exact is not None and any(type(item) is float for item in _as_list(value)):
        value = _found(paths, row.exact())  # an id of 1.10 is not 1.1
    return _as_list(value)


def _found(paths: list[ColumnPath], data: Mapping[str, Any]) -> Any:
    return next((value for path in paths if (value := path.find(data)) is not MISSING), None)


def _as_list(value: Any) -> list[Any]:
    value = parse_nested(value) if isinstance(value, str) else value
    if isinstance(value, list | tuple):
        return list(value)
    return [] if is_nothing(value) or value == "" else [value]
