"""What several commands print or write in the same way."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from goldassay.errors import ConfigError
from goldassay.verdicts import Verdict

__all__ = ["print_json", "verdict_json", "writing"]


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """A verdict without its empty columns."""
    row = asdict(verdict)
    row["evidence"] = [span._asdict() for span in verdict.evidence]
    row["other_replies"] = [reply._asdict() for reply in verdict.other_replies]
    return {name: value for name, value in row.items() if value not in (None, "", (), [], {})}


def print_json(value: Any) -> None:
    """One JSON document on standard output; dates as ISO 8601, NaN never."""
    import orjson

    sys.stdout.buffer.write(orjson.dumps(_plain(value), option=orjson.OPT_INDENT_2) + b"\n")


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        value = value._asdict()
    elif hasattr(value, "__dataclass_fields__"):
        value = {name: getattr(value, name) for name in value.__dataclass_fields__}
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    return value.isoformat() if isinstance(value, datetime) else value


@contextlib.contextmanager
def writing(path: Path) -> Iterator[IO[str]]:
    """A text file that is there whole or not at all.

    Raises:
        ConfigError: If it cannot be written.
    """
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with half.open("w", encoding="utf-8") as file:
            yield file
        half.replace(path)
    except OSError as error:
        raise ConfigError(f"{str(path)!r} cannot be written: {error.strerror}. Name another place.") from error
    finally:
        half.unlink(missing_ok=True)
