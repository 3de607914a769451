"""From a raw row to an `AnswerRecord`, its golden fields and nothing else, or a reason why not.

The plain names of columns are in `fields`; `[answers.mapping]` puts column paths in their
place. Knows no file formats.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeVar

from pydantic import ValidationError

from goldassay.errors import ConfigError
from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.sources.batch import RAW_CHARS, Rejected
from goldassay.sources.columns import MISSING, ColumnPath
from goldassay.sources.faults import UnreadableValueError
from goldassay.sources.fields import PLAIN, PLAIN_NAMES
from goldassay.sources.hints import nearest
from goldassay.sources.nested import holds_float
from goldassay.sources.rows import RawRow
from goldassay.sources.source_names import SOURCE_NAMES, SourceNames
from goldassay.sources.times import is_no_time, read_formatted, read_time
from goldassay.sources.values import (
    as_bool,
    as_facts,
    as_label,
    as_sources,
    as_tags,
    as_text,
    as_texts,
    as_turns,
    clean,
    is_nothing,
    sources_hold_float,
)

__all__ = ["Mapped", "Mapper"]

Value = TypeVar("Value")

COERCE: Final[dict[str, Callable[[Any], Any]]] = {
    "record_id": as_label,
    "question_id": as_label,
    "app": as_label,
    "app_version": as_label,
    "model": as_label,
    "prompt_version": as_label,
    "index_version": as_label,
    "lang": as_label,
    "stratum": as_label,
    "sources": as_sources,
    "asked_at": read_time,
    "tags": as_tags,
    "turns": as_turns,
    "answerable": as_bool,
    "key_facts": as_facts,
    "expected_sources": as_texts,
}
"""How a field's value is read; all others are texts, possibly in the parts of a chat message."""

TEXTS: Final = frozenset(name for name in PLAIN if COERCE.get(name, as_text) in {as_text, as_label})
"""Fields that take a text as it is."""

IS_INEXACT: Final[dict[str, Callable[[Any], bool]]] = {"sources": sources_hold_float}
"""Whether a number that counts as it was written was parsed as a float; anywhere inside for all other fields."""

GOLDEN_FIELDS: Final = ("answerable", "key_facts", "reference", "expected_sources", "stratum")


class Mapped(NamedTuple):
    """A row that could be read."""

    record: AnswerRecord
    golden: GoldenQuestion | None
    has_own_id: bool
    """False: the row had no id, and one was made from its content."""


class Mapper:
    """Reads rows by the column paths of one configuration.

    Raises:
        ConfigError: A field in the mapping or the defaults does not exist, or a path cannot be read.
    """

    def __init__(
        self,
        mapping: Mapping[str, list[str]] | None = None,
        defaults: Mapping[str, str] | None = None,
        *,
        time_format: str | None = None,
    ) -> None:
        self.source_names, self.time_format = SourceNames(mapping or {}), time_format
        mapping = {name: paths for name, paths in (mapping or {}).items() if name not in SOURCE_NAMES}
        mapping, self.defaults = _known(mapping), _known(defaults or {})
        self.plain = [(name, keys, name in TEXTS) for name, keys in PLAIN.items() if name not in mapping]
        self.paths = {name: [ColumnPath(path) for path in paths] for name, paths in mapping.items()}
        self.rows = 0
        self.found = dict.fromkeys(self.paths, 0)
        self.keys: list[str] = []

    def read(self, row: RawRow) -> Mapped | Rejected:
        """Read one row."""
        try:
            fields = self._fields(row)
            return self._mapped(fields)
        except _FieldError as fault:
            return self.rejected(row, str(fault))
        except ValidationError as fault:
            return self.rejected(row, _first_fault(fault))
        except RecursionError:
            return self.rejected(row, "nested too deeply")

    @staticmethod
    def rejected(row: RawRow, reason: str) -> Rejected:
        """The row, set aside."""
        raw = row.raw() if row.raw is not None else repr(row.data)
        return Rejected(row.file, row.line, reason, raw[:RAW_CHARS])

    def _fields(self, row: RawRow) -> dict[str, Any]:
        """The fields that the row has, each read as its kind; written flat, because it runs once a row."""
        fields: dict[str, Any] = {}
        data = row.data
        if not self.rows:
            self.keys = [str(key) for key in data]
        self.rows += 1
        values = self._look_up(data)
        for name, keys, is_text in self.plain:
            for key in keys:
                if key in data and ((value := data[key]) is not None or key == keys[-1]):
                    if is_text and value and type(value) is str:
                        fields[name] = value if value.isascii() else clean(value)
                    else:
                        self._take(name, value, row, fields)
                    break
        for name, value in values.items():
            self._take(name, value, row, fields)
        if self.source_names.paths and "sources" in fields:
            # As copies: a passage may be the row's own object, in which the next name is still looked up.
            fields["sources"] = [dict(source) for source in fields["sources"]]
            self._name_sources(fields["sources"], row)
        for name, value in self.defaults.items():
            fields.setdefault(name, _coerced(name, value))
        if "answer" not in fields:
            raise _FieldError(_no_answer(row, self.paths.get("answer")))
        return fields

    def _look_up(self, data: dict[str, Any]) -> dict[str, Any]:
        """What stands at the mapped places.

        All are looked up before one is read: a value that cannot be read must not pass for a column that is missing.
        """
        values = {name: _first(paths, data) for name, paths in self.paths.items()}
        for name, value in values.items():
            self.found[name] += value is not MISSING
        return values

    def unfound(self) -> list[str]:
        """What to say of mapped columns that no row had: mostly a slip of the pen, and silently a field less.

        Raises:
            ConfigError: If it is the question: nothing could be said of such answers.
        """
        notes = []
        for name in [name for name, times in self.found.items() if not times and self.rows]:
            path = " or ".join(repr(path.text) for path in self.paths[name])
            said = f"answers.mapping.{name} names {path}, which none of the {self.rows} rows has"
            if name == "question":
                raise ConfigError(said + nearest(self.paths[name][0].text, self.keys))
            notes.append(said + nearest(self.paths[name][0].text, self.keys))
        return notes

    def _take(self, name: str, value: Any, row: RawRow, fields: dict[str, Any]) -> None:
        if row.exact is not None and name != "asked_at" and IS_INEXACT.get(name, holds_float)(value):
            exact = row.exact()
            paths = self.paths.get(name)
            keys = PLAIN[name]
            value = (
                next(exact[key] for key in keys if exact.get(key) is not None)
                if paths is None
                else _first(paths, exact)
            )
        if value is MISSING or (name != "answer" and (is_nothing(value) or value == "")):
            return  # an empty text logs nothing: no reference, no version; but the assistant may have said nothing
        if name == "asked_at" and is_no_time(value):
            return
        if name == "asked_at" and self.time_format is not None and isinstance(value, str):
            value = _formatted(value, self.time_format)
        fields[name] = _coerced(name, value)

    def _name_sources(self, sources: list[dict[str, Any]], row: RawRow) -> None:
        try:
            self.source_names.put(sources, row)
        except UnreadableValueError as fault:
            raise _FieldError(str(fault)) from fault

    def _mapped(self, fields: dict[str, Any]) -> Mapped:
        has_own_id = bool(fields.get("record_id"))
        if not has_own_id:
            fields["record_id"] = _made_id(fields)
        fields.setdefault("question", "")
        record = AnswerRecord.model_validate(fields)
        return Mapped(record, _golden(fields), has_own_id)


def _first(paths: list[ColumnPath], data: dict[str, Any]) -> Any:
    found = (path.find(data) for path in paths)
    return next((value for value in found if value is not MISSING), MISSING)


class _FieldError(Exception):
    """A field of one row cannot be read; becomes a `Rejected`."""


def _coerced(name: str, value: Any) -> Any:
    if name == "answer" and is_nothing(value):
        return ""  # the assistant said nothing: a failed answer, not a bad line
    try:
        return COERCE.get(name, as_text)(value)
    except UnreadableValueError as fault:
        raise _FieldError(f"{name}: {fault}") from fault


def _formatted(value: str, time_format: str) -> datetime:
    try:
        return read_formatted(value, time_format)
    except UnreadableValueError as fault:
        raise _FieldError(f"asked_at: {fault}") from fault


def _no_answer(row: RawRow, paths: list[ColumnPath] | None) -> str:
    keys = ", ".join(repr(str(key)) for key in list(row.data)[:10])
    if paths:
        return f"no answer at {' or '.join(repr(path.text) for path in paths)}; the row has {keys or 'no keys'}"
    return f"no field 'answer'; the row has {keys or 'no keys'}. Name its path in answers.mapping.answer"


def _golden(fields: Mapping[str, Any]) -> GoldenQuestion | None:
    found = {name: fields[name] for name in GOLDEN_FIELDS if name in fields}
    if not found:
        return None
    return GoldenQuestion(
        question_id=fields.get("question_id") or fields["record_id"], question=fields["question"], **found
    )


def _made_id(fields: Mapping[str, Any]) -> str:
    """The same row gets the same id whenever it is read: samples and reuse depend on it."""
    asked_at = fields.get("asked_at")
    parts = [
        asked_at.isoformat() if isinstance(asked_at, datetime) else "",
        fields.get("question", ""),
        fields["answer"],
    ]
    parts += [source["text"] for source in fields.get("sources", ())]
    return hashlib.blake2b("\x1f".join(parts).encode(errors="replace"), digest_size=8).hexdigest()


def _first_fault(fault: ValidationError) -> str:
    first = fault.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(str(step) for step in first['loc'])}: {first['msg']}"


def _known(named: Mapping[str, Value]) -> dict[str, Value]:
    """The same under the fields' own names: whoever may write `id` in a row may write it in the settings as well."""
    found: dict[str, Value] = {}
    for name, value in named.items():
        field = next((field for field, keys in PLAIN.items() if name in keys), None)
        if field is None:
            known = f"answers.mapping and answers.defaults know no field {name!r}"
            raise ConfigError(known + nearest(name, PLAIN_NAMES | SOURCE_NAMES.keys()))
        if field in found:
            raise ConfigError(f"answers.mapping and answers.defaults name {field!r} twice, once as {name!r}; keep one")
        found[field] = value
    return found
