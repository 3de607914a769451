"""Reading the log: places -> raw rows -> records, in batches and in bounded memory.

Called by the pull stage and by `goldassay check`. Format by format the work lies in the
functions of `SOURCES`; what a column means lies in `mapping`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from goldassay.sources.batch import AnswerBatch, EmptyInputError, Rejected, Window
from goldassay.sources.files import expand_paths
from goldassay.sources.jsonl import read_jsonl
from goldassay.sources.mapping import Mapper
from goldassay.sources.rows import BlankLine, EmptyFile, RowSource
from goldassay.sources.settings import AnswersConfig

__all__ = ["SOURCES", "read_answers"]

SOURCES: dict[str, RowSource] = {"jsonl": read_jsonl}


def read_answers(
    config: AnswersConfig | str | Path,
    *,
    window: Window | None = None,
    batch_size: int = 1000,
    base_dir: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> Iterator[AnswerBatch]:
    """Stream the logged answers in batches.

    Raises:
        SourceError: Nothing can be read: no such file or table, no answer in them.
    """
    del environ
    if not isinstance(config, AnswersConfig):
        config = AnswersConfig(path=str(config))
    mapper = Mapper(config.mapping if isinstance(config.mapping, dict) else None, config.defaults)
    batch, total = AnswerBatch(), 0
    for path in expand_paths(config.path, base_dir):
        for item in SOURCES["jsonl"](path, config, window):
            if isinstance(item, BlankLine):
                batch.blank_lines += 1
                continue
            if isinstance(item, EmptyFile):
                batch.empty_files.append(item.file)
                continue
            mapped = item if isinstance(item, Rejected) else mapper.read(item)
            if isinstance(mapped, Rejected):
                batch.rejected.append(mapped)
            else:
                batch.records.append(mapped.record)
                batch.golden.append(mapped.golden)
                total += 1
            if len(batch.records) + len(batch.rejected) >= batch_size:
                yield batch
                batch = AnswerBatch()
    if batch.records or batch.rejected or batch.blank_lines or batch.empty_files:
        yield batch
    if not total:
        raise EmptyInputError(f"no answer in {config.path!r}")
