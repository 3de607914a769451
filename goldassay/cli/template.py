"""The project template: which files a project owns, what of them is older than the library, and how to refresh them.

`goldassay init` notes in goldassay-template.json what it wrote, by digest. So an upgrade of the library can tell a
file that nobody has touched, which may be replaced, from one that its owner has edited, which never is.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from goldassay import __version__
from goldassay.cli.project import shipped_template
from goldassay.errors import ConfigError

__all__ = [
    "STAMP",
    "FileState",
    "Stamp",
    "compare",
    "digest",
    "read_stamp",
    "shipped_files",
    "update",
    "write_file",
    "write_stamp",
]

STAMP = "goldassay-template.json"
"""At the top of a project; belongs into version control with the rest."""

_PARTS = ("flows", "tasks", "config", "deployments")
_OWN = frozenset({"config/goldassay.toml", "config/golden.yaml"})
"""Written once, at the top of the project, and the owner's from then on."""
_PINNED = "constraints/image.txt"
_WHEELS = b"""A wheel of goldassay in this folder is used by deployments/Dockerfile, for builds that reach no package
index that has it. Other files in here are ignored.
"""

State = Literal["same", "edited", "outdated", "missing", "conflict", "removed"]


@dataclass(frozen=True)
class FileState:
    """One file of the template in a project."""

    path: str
    """Relative to the project, with '/'."""
    state: State
    """`edited`: the owner's, and the shipped one is as it was. `outdated`: untouched, and a newer one is shipped.
    `conflict`: edited, and a newer one is shipped. `removed`: untouched, and shipped no more."""


@dataclass(frozen=True)
class Stamp:
    """What was written into a project, and by which version of the library."""

    version: str
    """'' when the project has no stamp."""
    files: Mapping[str, str]
    """SHA-256 by path."""


def shipped_files() -> dict[str, bytes]:
    """The files that a project owns, by path, as this version of the library ships them."""
    template = shipped_template()
    found = {path: (template / path).read_bytes() for part in _PARTS for path in _tree(template, part)}
    found[".dockerignore"] = found.pop("deployments/dockerignore")
    found[_PINNED] = (template / _PINNED).read_bytes()
    found["wheels/README.md"] = _WHEELS
    return found


def _tree(template: Path, part: str) -> Iterator[str]:
    for path in sorted((template / part).rglob("*")):
        name = path.relative_to(template).as_posix()
        if path.is_file() and "__pycache__" not in path.parts and name not in _OWN:
            yield name


def read_stamp(folder: Path) -> Stamp:
    """The stamp of a project; an empty one where there is none.

    Raises:
        ConfigError: If it cannot be read.
    """
    path = folder / STAMP
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return Stamp(str(content["version"]), {str(name): str(digest) for name, digest in content["files"].items()})
    except FileNotFoundError:
        return Stamp("", {})
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigError(
            f"{str(path)!r} cannot be read: {error!r}. Restore it, or remove it: goldassay init --update then takes "
            "every file that differs for an edited one."
        ) from error


def write_stamp(folder: Path, files: Mapping[str, str]) -> None:
    """Notes what the project holds now; `files` are digests of what was shipped, by path."""
    content = {"version": __version__, "files": dict(sorted(files.items()))}
    write_file(folder / STAMP, (json.dumps(content, indent=1) + "\n").encode())


def digest(content: bytes) -> str:
    """SHA-256; line ends count as one kind, since version control may change them."""
    return hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()


def compare(folder: Path) -> list[FileState]:
    """Every file of the template and of the stamp, by path."""
    stamp, shipped = read_stamp(folder), shipped_files()
    return [
        FileState(path, state)
        for path in sorted({*stamp.files, *shipped})
        if (state := _state(folder / path, stamp.files.get(path), shipped.get(path))) is not None
    ]


def _state(path: Path, stamped: str | None, shipped: bytes | None) -> State | None:
    is_there = path.is_file()
    own = digest(path.read_bytes()) if is_there else None
    if shipped is None:
        return "removed" if is_there and own == stamped else None
    if not is_there:
        return "missing"
    now = digest(shipped)
    if own == now:
        return "same"
    if own == stamped:
        return "outdated"
    return "edited" if stamped == now else "conflict"


def update(folder: Path) -> list[FileState]:
    """Brings every file that its owner has not edited to this version; returns the states as they were.

    Of an edited file whose shipped one has changed, the new one is written beside it, as <name>.new.
    """
    shipped, states = shipped_files(), compare(folder)
    for one in states:
        path = folder / one.path
        if one.state in {"outdated", "missing"}:
            write_file(path, shipped[one.path])
        elif one.state == "conflict":
            write_file(path.with_name(f"{path.name}.new"), shipped[one.path])
        elif one.state == "removed":
            path.unlink()
    write_stamp(folder, {path: digest(content) for path, content in shipped.items()})
    return states


def write_file(path: Path, content: bytes) -> None:
    """Writes a file of a project, with its folder.

    Raises:
        ConfigError: If it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise ConfigError(f"{str(path)!r} cannot be written: {error.strerror}. Name another folder.") from error
    shutil.copymode(__file__, path)
