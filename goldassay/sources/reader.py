"""Reading the log: places -> raw rows -> records, in batches and in bounded memory.

Called by the pull stage and by `goldassay check`. How a format is read lies in the
functions of `SOURCES`; what a column means lies in `mapping` and `shapes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from goldassay.errors import ConfigError, SourceError
from goldassay.sources.batch import AnswerBatch, Rejected, Window
from goldassay.sources.collect import Collector
from goldassay.sources.files import expand_paths, name_of
from goldassay.sources.hints import nearest
from goldassay.sources.jsonl import read_jsonl
from goldassay.sources.mapping import Mapper
from goldassay.sources.rows import RowSource, SourceItem
from goldassay.sources.settings import AnswersConfig
from goldassay.sources.shapes import SHAPES
from goldassay.sources.sniff import foreign_reason, kind_of, read_head

__all__ = ["SOURCES", "read_answers", "read_items"]


def _json(place: Any, config: AnswersConfig, window: Window | None) -> Iterator[SourceItem]:
    from goldassay.sources.json_document import read_json  # noqa: PLC0415 - loads with the first such file

    return read_json(place, config, window)


def _csv(place: Any, config: AnswersConfig, window: Window | None) -> Iterator[SourceItem]:
    from goldassay.sources.csv_table import read_csv  # noqa: PLC0415 - loads with the first such file

    return read_csv(place, config, window)


def _parquet(place: Any, config: AnswersConfig, window: Window | None) -> Iterator[SourceItem]:
    from goldassay.sources.parquet import read_parquet  # noqa: PLC0415 - pyarrow costs a tenth of a second

    return read_parquet(place, config, window)


def _sql(place: Any, config: AnswersConfig, window: Window | None) -> Iterator[SourceItem]:
    from goldassay.sources.sql import read_sql  # noqa: PLC0415 - SQLAlchemy costs a tenth of a second

    return read_sql(place, config, window)


SOURCES: dict[str, RowSource] = {"csv": _csv, "json": _json, "jsonl": read_jsonl, "parquet": _parquet, "sql": _sql}
"""Every kind of source; a new one is a module with one function and a line here."""


def read_answers(
    config: AnswersConfig | str | Path,
    *,
    window: Window | None = None,
    batch_size: int = 1000,
    base_dir: Path | None = None,
    environ: Mapping[str, str] | None = None,
    keep_undated: bool = False,
) -> Iterator[AnswerBatch]:
    """Stream the logged answers in batches, in the order of the log.

    Args:
        config: The settings `[answers]`, or the path of a file, folder or glob.
        window: Keep records asked in [since, until); one without `asked_at` is then set aside, because it would be
            read again every night.
        batch_size: Records and set-aside lines in a batch, at most.
        base_dir: Folder that relative paths start from; None: the current one.
        environ: Where `url_env` is looked up; nothing else is read from it.
        keep_undated: Keep records without `asked_at` in a windowed read all the same: the caller knows by their ids
            which ones an earlier run has taken.

    Yields:
        Batches; lines that cannot be read are in `rejected`, each with file, line and reason.

    Raises:
        ConfigError: A setting is wrong.
        SourceError: Nothing can be read, or ids clash; `EmptyInputError` when no answer was found.
    """
    config = _as_config(config)
    mapper = Mapper(_field_paths(config), config.defaults, time_format=config.time_format)
    with Collector(config, window, batch_size, keep_undated=keep_undated) as collector:
        for item in read_items(config, window=window, base_dir=base_dir, environ=environ):
            if (batch := collector.take(item, mapper)) is not None:
                yield batch
        if (batch := collector.rest(mapper.unfound())) is not None:
            yield batch
        collector.check()


def read_items(
    config: AnswersConfig,
    *,
    window: Window | None = None,
    base_dir: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> Iterator[SourceItem]:
    """Stream raw rows in the named export shape, before any field is looked at."""
    items = chain.from_iterable(
        _items(kind, place, config, window) for kind, place in _places(config, base_dir, environ or {})
    )
    shape = _shape_name(config)
    return items if shape is None else SHAPES[shape](items)


def _items(kind: str, place: Any, config: AnswersConfig, window: Window | None) -> Iterator[SourceItem]:
    if kind == "sql":
        return SOURCES[kind](place, config, window)
    head = read_head(place)
    reason = foreign_reason(place, head)
    if reason is not None:
        return iter([Rejected(name_of(place), 0, reason)])
    return SOURCES[kind_of(place, head) if kind == "auto" else kind](place, config, window)


def _places(config: AnswersConfig, base_dir: Path | None, environ: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    if config.reads_sql:
        from goldassay.sources.sql import database_url  # noqa: PLC0415 - SQLAlchemy costs a tenth of a second

        yield "sql", database_url(config, environ, base_dir)
        return
    if not config.path:
        raise ConfigError("answers.path is not set; name a file, folder or glob such as 'logs/*.jsonl.gz'")
    for path in expand_paths(config.path, base_dir):
        yield config.source, path


def _as_config(config: AnswersConfig | str | Path) -> AnswersConfig:
    if isinstance(config, AnswersConfig):
        return config
    try:
        return AnswersConfig(path=[str(config)])
    except ValidationError as fault:
        raise SourceError(f"{str(config)!r} is no path ({fault.error_count()} faults)") from fault


def _shape_name(config: AnswersConfig) -> str | None:
    name = config.mapping if isinstance(config.mapping, str) else next(iter(config.mapping.get("shape", [])), None)
    if name is not None and name not in SHAPES:
        raise ConfigError(f"answers.mapping names no known export shape: {name!r}{nearest(name, SHAPES)}")
    return name


def _field_paths(config: AnswersConfig) -> dict[str, list[str]]:
    mapping = {} if isinstance(config.mapping, str) else config.mapping
    return {name: paths for name, paths in mapping.items() if name != "shape"}
