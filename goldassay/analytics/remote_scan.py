"""Files of an object store as a lazy relation: Arrow reads what a query needs, DuckDB never touches the network.

So the sandbox holds there too, and no DuckDB extension has to be installed. Months are
known from the paths: a query on one month opens that month's files alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.dataset as pads
import pyarrow.fs as pafs

from goldassay.store.remote import RemoteFiles

__all__ = ["remote_dataset"]


def remote_dataset(files: RemoteFiles, paths: Sequence[str]) -> pads.FileSystemDataset:
    """Return files of one schema version, relative paths, as a dataset with the column `month`."""
    handler: Any = pafs.FSSpecHandler  # the stubs take it for abstract
    filesystem = pafs.PyFileSystem(handler(files.filesystem))
    kind = pads.ParquetFileFormat()
    fragments = [_fragment(kind, filesystem, files.full_path(path), path) for path in paths]
    schema = fragments[0].physical_schema.append(pa.field("month", pa.string()))
    return pads.FileSystemDataset(fragments, schema, kind, filesystem)


def _fragment(kind: pads.ParquetFileFormat, filesystem: Any, full: str, path: str) -> Any:
    month = path.partition("/month=")[2].partition("/")[0]
    return kind.make_fragment(full, filesystem, partition_expression=pads.field("month") == pads.scalar(month))
