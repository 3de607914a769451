"""What an operator sets about the log of answers: the table `[answers]` of goldassay.toml.

Knows no file formats and reads nothing; `goldassay.sources.reader` does.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, field_validator, model_validator

__all__ = ["AnswersConfig", "SourceKind"]

SourceKind = Literal["auto", "jsonl", "json", "csv", "parquet", "sql"]

MIB = 1024 * 1024
_BEYOND_NAME = re.compile(r"[.\[]")


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


Paths = Annotated[list[str], BeforeValidator(_as_list)]
ColumnPaths = Annotated[list[str], BeforeValidator(_as_list)]


class AnswersConfig(BaseModel):
    """Where the logged answers are and how their columns are called."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: SourceKind = "auto"
    """Kind of source; 'auto' tells files apart by their ending and takes `sql` when a URL is set."""
    path: Paths = Field(default_factory=list)
    """Files, globs ('logs/*.jsonl.gz', '**' crosses folders) or folders; read in the order of their names."""
    url: SecretStr | None = None
    """SQLAlchemy URL of the database; never printed. A URL with a password belongs in `url_env`."""
    url_env: str | None = None
    """Name of the environment variable that holds the URL."""
    table: str = "rag_log"
    """Table or view to read when `query` is not set; may be 'schema.table'."""
    query: str | None = None
    """SELECT to read instead of a whole table; :since and :until are bound to the window where it names them."""
    mapping: str | dict[str, ColumnPaths] = Field(default_factory=dict)
    """Column path(s) for each field ('retrieval.documents[*].page_content'), or the name of an export shape.

    `source_ids` and `source_titles` name the passages where a log keeps their ids or titles apart from their texts.
    """
    defaults: dict[str, str] = Field(default_factory=dict)
    """Values for fields that a row lacks, e.g. {app_version = "2026.11.0"}."""
    only: dict[str, Annotated[list[str], BeforeValidator(_as_list)]] = Field(default_factory=dict)
    """Keep records whose field has one of these values, e.g. {app = "atlas", lang = ["de", "en"]}."""
    encoding: str | None = None
    """Text encoding; None: UTF-8, or what the byte order mark says."""
    delimiter: str | None = None
    """Column separator of CSV files; None: found in the header line."""
    time_format: str | None = None
    """Form of `asked_at` where it is not ISO 8601, as Python's strptime writes it ('%d.%m.%Y %H:%M:%S')."""
    on_duplicate: Literal["error", "set_aside", "suffix"] = "error"
    """Same version and id, different content: stop the run, keep the first, or keep all under 'id', 'id#2', ..."""
    max_record_mib: int = Field(default=32, ge=1, le=1024)
    """Longest line, row or field that is read, in MiB; a longer one is set aside."""

    @field_validator("time_format")
    @classmethod
    def _is_a_form_of_time(cls, form: str | None) -> str | None:
        if form is not None:
            moment = datetime(2026, 11, 28, 14, 3, 22, tzinfo=UTC)
            try:
                read_back = datetime.strptime(moment.strftime(form), form)  # noqa: DTZ007 - only its day is looked at
            except ValueError as fault:
                raise ValueError(f"answers.time_format: {fault}; write it like '%d.%m.%Y %H:%M:%S'") from fault
            if read_back.date() != moment.date():
                raise ValueError(f"answers.time_format {form!r} leaves out year, month or day")
        return form

    @model_validator(mode="after")
    def _names_one_place(self) -> AnswersConfig:
        if self.url is not None and self.url_env is not None:
            message = "answers.url and answers.url_env are both set; keep one (url_env, if it holds a password)"
            raise ValueError(message)
        return self

    @property
    def max_record_bytes(self) -> int:
        """`max_record_mib` in bytes."""
        return self.max_record_mib * MIB

    @property
    def mapped_columns(self) -> frozenset[str]:
        """Columns that `mapping` names, spelled as there."""
        paths = [] if isinstance(self.mapping, str) else [path for paths in self.mapping.values() for path in paths]
        return frozenset(paths) | {_BEYOND_NAME.split(path, maxsplit=1)[0] for path in paths}

    @property
    def reads_sql(self) -> bool:
        """The answers come from a database."""
        return self.source == "sql" or (self.source == "auto" and bool(self.url or self.url_env))
