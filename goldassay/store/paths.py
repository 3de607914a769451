"""Where things lie in a store, and how untrusted names become safe path parts.

    answers/app=<app>/month=YYYY-MM/<run_id>-<n>.parquet     verdicts/ and labels/ the same
    runs/<run_id>.json     commits/<id>.json     baselines/<app>.json
    staging/<run_id>/...   leases/<run_id>.lock, on an object store leases/<run_id>.json

App names come from logs: every byte but letters, digits, '_', '-' and '.' is
percent-encoded, so that no name leaves its folder and every name comes back as it was.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from goldassay.errors import StoreError

__all__ = ["check_run_id", "encode_part", "month_of", "part_path", "partition_of"]

_RUN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}")
_SAFE = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")
_CAPITALS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_MAX_PART = 200
"""Bytes of an encoded name; file systems stop at 255 for one path part."""
_READ_AS_NULL = frozenset({"NULL", "__HIVE_DEFAULT_PARTITION__"})
"""Words that readers of hive folders take for a missing value, whatever their case."""


def encode_part(value: str, *, capitals: bool = True) -> str:
    """Percent-encode a partition value; the words that mean "missing" to other readers are encoded whole.

    Args:
        value: The name.
        capitals: False: they are encoded too, for a name of its own on disks that take 'A' and 'a' for the same.

    Raises:
        StoreError: If the value is empty or too long for a file system.
    """
    if not value:
        message = "the app name is ''; a partition needs a name. Set app in goldassay.toml."
        raise StoreError(message)
    safe = frozenset[int]() if value.upper() in _READ_AS_NULL or not value.strip(".") else _SAFE
    safe = safe if capitals else safe - _CAPITALS
    raw = value.encode("utf-8", "replace")
    encoded = "".join(chr(byte) if byte in safe else f"%{byte:02X}" for byte in raw)
    if len(encoded) > _MAX_PART:
        message = f"the app name {value[:40]!r}... is too long for a folder name. Use at most {_MAX_PART} letters."
        raise StoreError(message)
    return encoded


def check_run_id(run_id: str) -> str:
    """Return the run id if it is safe as a file name.

    Raises:
        StoreError: If it holds anything but letters, digits, '.', '_' and '-'.
    """
    if _RUN_ID.fullmatch(run_id) is None:
        message = f"run id {run_id[:80]!r} is no safe file name. Use up to 120 letters, digits, '.', '_' and '-'."
        raise StoreError(message)
    return run_id


def month_of(moment: datetime) -> str:
    """Return the UTC month, 'YYYY-MM', a run's files are kept under; a time without a zone is UTC."""
    return (moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)).strftime("%Y-%m")


def part_path(kind: str, app: str, month: str, *, name: str, number: int) -> str:
    """Return the path of one Parquet file, relative to the store."""
    return f"{kind}/app={encode_part(app)}/month={month}/{name}-{number}.parquet"


def partition_of(path: str) -> tuple[str, str]:
    """Return the kind and the partition folder of a file path: ('verdicts', 'verdicts/app=atlas/month=2026-11')."""
    folder = path.rpartition("/")[0]
    return path.partition("/")[0], folder
