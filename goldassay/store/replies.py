"""Which judge replies are paid for already: a look at the request hashes of recent files.

Two steps a file: the hash column alone, then the reply of the few rows that match.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from goldassay.store.files import StoreFiles
from goldassay.store.parquet import conform, reading
from goldassay.store.paths import month_of
from goldassay.store.schema import VERDICT_SCHEMA
from goldassay.verdicts import StoredReply

__all__ = ["find_replies", "replies_in_parts"]

_READERS = 4
"""Files read at once; pyarrow decodes without holding the interpreter."""
_KEYS = ["request_hash", "outcome", "reused", "run_at", "run_id"]
_COLUMNS = [*_KEYS, "reply", "finish_reason", "judge_model_reported", "request_id"]
_SCHEMA = pa.schema([VERDICT_SCHEMA.field(name) for name in _COLUMNS])


def find_replies(
    files: StoreFiles, paths: Iterable[str], hashes: Collection[str], *, max_age_days: float, now: datetime
) -> dict[str, StoredReply]:
    """Return the newest usable reply for each request hash that has one.

    Usable: the reply was paid for in its run (not itself reused, or its age would never end), no
    verdict drawn from it is an error, and the run began at most `max_age_days` ago.
    """
    oldest = now - timedelta(days=max_age_days)
    recent = [path for path in paths if _month(path) >= month_of(oldest)]
    wanted = pa.array(sorted(hashes), pa.string())
    if not recent or not len(wanted):
        return {}
    with ThreadPoolExecutor(_READERS) as readers:
        rows = [row for found in readers.map(lambda path: _matches(files, path, wanted), recent) for row in found]
    return _newest([row for row in rows if row["run_at"] >= oldest])


def replies_in_parts(parts: Iterable[Path], hashes: Collection[str]) -> dict[str, StoredReply]:
    """Return the usable reply for each request hash that has one in the local parts of a run under way."""
    wanted = pa.array(sorted(hashes), pa.string())
    rows: list[dict[str, Any]] = []
    for part in parts if len(wanted) else ():
        with pq.ParquetFile(part) as file:
            rows += _matches_in(file, wanted)
    return _newest(rows)


def _month(path: str) -> str:
    return path.partition("/month=")[2].partition("/")[0]


def _matches(files: StoreFiles, path: str, wanted: pa.Array[Any]) -> list[dict[str, Any]]:
    with reading(files, path) as handle, pq.ParquetFile(handle) as file:
        return _matches_in(file, wanted)


def _matches_in(file: pq.ParquetFile, wanted: pa.Array[Any]) -> list[dict[str, Any]]:
    return [row for group in _groups_with_hashes(file) for row in _rows_of(file, group, wanted)]


def _groups_with_hashes(file: pq.ParquetFile) -> Iterator[int]:
    paths = [file.schema.column(position).path for position in range(file.metadata.num_columns)]
    if "request_hash" not in paths:
        return
    position = paths.index("request_hash")
    for group in range(file.num_row_groups):
        statistics = file.metadata.row_group(group).column(position).statistics
        if statistics is None or statistics.has_min_max:  # only rules in the group: no hash has a minimum
            yield group


def _rows_of(file: pq.ParquetFile, group: int, wanted: pa.Array[Any]) -> list[dict[str, Any]]:
    keys = file.read_row_group(group, columns=["request_hash"])
    hits = pc.is_in(keys.column("request_hash"), value_set=wanted)
    if not pc.any(hits).as_py():
        return []
    present = [name for name in _COLUMNS if name in file.schema_arrow.names]
    return conform(file.read_row_group(group, columns=present).filter(hits), _SCHEMA).to_pylist()


def _newest(rows: list[dict[str, Any]]) -> dict[str, StoredReply]:
    # By its text: the same request may have been asked once more, because the first reply could not be read.
    spoilt = {_name(row) for row in rows if row["outcome"] not in {"pass", "fail"}}
    usable = [row for row in rows if row["reply"] is not None and not row["reused"] and _name(row) not in spoilt]
    return {row["request_hash"]: _reply(row) for row in sorted(usable, key=lambda row: (row["run_at"], row["run_id"]))}


def _name(row: dict[str, Any]) -> tuple[str, str, str]:
    return row["run_id"], row["request_hash"], row["reply"]


def _reply(row: dict[str, Any]) -> StoredReply:
    return StoredReply(
        request_hash=row["request_hash"],
        reply=row["reply"],
        finish_reason=row["finish_reason"],
        judge_model_reported=row["judge_model_reported"],
        request_id=row["request_id"],
        run_id=row["run_id"],
        run_at=row["run_at"].astimezone(UTC),
    )
