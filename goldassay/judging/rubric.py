"""Finds and reads rubric files: `rag.toml`, `rag.2.toml`, in a team's folders first, then among the shipped ones."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

import goldassay
from goldassay.errors import ConfigError
from goldassay.judging.rubric_model import Criterion, Example, ReplyKind, Rubric

__all__ = ["Criterion", "Example", "ReplyKind", "Rubric", "load_rubric", "shipped_folder"]


def shipped_folder() -> Path:
    """Where the rubrics that come with goldassay lie: inside the wheel, else in the checkout."""
    package = Path(goldassay.__file__).resolve().parent
    installed = package / "_project" / "config" / "rubrics"
    return installed if installed.is_dir() else package.parent / "config" / "rubrics"


def load_rubric(
    name_or_path: str | Path,
    *,
    version: str | None = None,
    folders: Sequence[Path] = (),
    pass_marks: Mapping[str, float] | float | None = None,
) -> Rubric:
    """Reads a rubric by name, or from a file.

    Args:
        name_or_path: A name such as 'rag', or the path of a TOML file.
        version: The version wanted; None: the highest one found.
        folders: A team's own folders, searched before the shipped rubrics.
        pass_marks: Overrides the marks of the file: one for all criteria, or one per name.

    Raises:
        ConfigError: If there is no such rubric or version, or the file is not a valid rubric.
    """
    path = Path(name_or_path)
    is_file = path.suffix == ".toml"
    found = _read(path) if is_file else _find(str(name_or_path), version, [*folders, shipped_folder()])
    return found if pass_marks is None else _marked(found, pass_marks)


def _find(name: str, version: str | None, folders: Sequence[Path]) -> Rubric:
    for folder in folders:
        found = [_read(path) for path in sorted(folder.glob("*.toml")) if path.name.split(".")[0] == name]
        if found and version is None:
            return max(found, key=lambda rubric: _natural(rubric.version))
        for rubric in found:
            if rubric.version == version:
                return rubric
    raise ConfigError(f"there is no rubric {name!r}, version {version!r}")


def _natural(version: str) -> tuple[tuple[int, str], ...]:
    return tuple((int(part), "") if part.isdigit() else (0, part) for part in re.split(r"[.-]", version))


def _read(path: Path) -> Rubric:
    try:
        return Rubric.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, ValidationError) as error:
        raise ConfigError(f"rubric file {path.name!r} cannot be used: {error}") from error


def _marked(rubric: Rubric, marks: Mapping[str, float] | float) -> Rubric:
    try:
        return rubric.with_pass_marks(marks)
    except ValidationError as error:
        raise ConfigError(f"pass marks {marks!r} do not fit rubric {rubric.name!r}: {error}") from error
