"""Finds and reads rubric files: `rag.toml`, `rag.2.toml`, in a team's folders first, then among the shipped ones."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from goldassay.errors import ConfigError
from goldassay.judging.rubric_model import AppliesWhen, Criterion, Example, ReplyKind, Rubric

__all__ = [
    "AppliesWhen",
    "Criterion",
    "Example",
    "ReplyKind",
    "Rubric",
    "load_rubric",
    "rubric_of_run",
    "shipped_folder",
]


def shipped_folder() -> Path:
    """Where the rubrics that come with goldassay lie: inside the wheel, else in the checkout."""
    package = Path(__file__).resolve().parents[1]
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
        version: The version wanted; None: the highest one in the first folder that has the name.
        folders: A team's own folders, searched before the shipped rubrics.
        pass_marks: Overrides the marks of the file: one for all criteria, or one per name.

    Raises:
        ConfigError: If there is no such rubric or version, or the file is not a valid rubric.
    """
    path = Path(name_or_path)
    if path.suffix == ".toml":
        found = _read(path)
        if version not in {None, found.version}:
            raise ConfigError(
                f"rubric file {path.name!r} is version {found.version!r}, not {version!r}. "
                "Name the file of that version, or leave judge.rubric_version out."
            )
    else:
        found = _find(str(name_or_path), version, [*folders, shipped_folder()])
    return found if pass_marks is None else _marked(found, pass_marks)


def rubric_of_run(name: str, *, version: str | None, project: Path) -> Rubric:
    """The rubric that a run grades single answers with: the team's own, or a shipped one.

    Raises:
        ConfigError: As `load_rubric`, and if the rubric compares two answers: a run has one to each question.
    """
    rubric = load_rubric(name, version=version, folders=(project / "config" / "rubrics",))
    if rubric.reply == "pairwise":
        raise ConfigError(
            f"judge.rubric is {rubric.name!r}, which compares two answers to one question; a run grades one answer "
            "at a time, so nothing would be judged. Set judge.rubric to a rubric with reply = 'score' or 'claims', for "
            "instance 'rag'."
        )
    return rubric


def _find(name: str, version: str | None, folders: Sequence[Path]) -> Rubric:
    known: dict[str, Rubric] = {}
    for folder in folders:
        versions = _versions(name, folder)
        if version is None and versions:
            return versions[max(versions, key=_natural)]
        if version in versions:
            return versions[version]
        known |= versions
    places = ", ".join(repr(folder.name) for folder in folders)
    if not known:
        raise ConfigError(f"there is no rubric {name!r} in {places}; {_names_hint(name, folders)}")
    found = ", ".join(repr(each) for each in sorted(known, key=_natural))
    raise ConfigError(
        f"rubric {name!r} has no version {version!r} in {places}; found {found}. "
        f"Add {name}.{version}.toml or set judge.rubric_version."
    )


def _versions(name: str, folder: Path) -> dict[str, Rubric]:
    """The rubrics of that name in a folder, by version."""
    files = [path for path in sorted(folder.glob("*.toml")) if path.name.split(".")[0] == name]
    rubrics = [_read(path, named=True) for path in files]
    twice = [version for version, count in Counter(rubric.version for rubric in rubrics).items() if count > 1]
    if twice:
        raise ConfigError(
            f"two files of rubric {name!r} in {folder.name!r} say version = {twice[0]!r}. "
            "Give the newer one a version of its own: verdicts are compared by it."
        )
    return {rubric.version: rubric for rubric in rubrics}


def _names_hint(name: str, folders: Sequence[Path]) -> str:
    names = sorted({path.name.split(".")[0] for folder in folders for path in folder.glob("*.toml")})
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{hint}Known: {', '.join(names) or 'none'}. Set judge.rubric, or add {name}.toml."


def _natural(version: str) -> tuple[tuple[int, str], ...]:
    """'10' after '9', '1.10' after '1.9'."""
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"[.-]", version))


def _read(path: Path, *, named: bool = False) -> Rubric:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"rubric file {path.name!r} cannot be read: {error.strerror}. Check judge.rubric.") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"rubric file {path.name!r} is not TOML: {error}. Mend that line.") from error
    try:
        rubric = Rubric.model_validate(data)
    except ValidationError as error:
        raise ConfigError(f"rubric file {path.name!r}: {_first_trouble(error)}") from error
    if named:
        _check_name(path, rubric)
    return rubric


def _check_name(path: Path, rubric: Rubric) -> None:
    allowed = {f"{rubric.name}.toml", f"{rubric.name}.{rubric.version}.toml"}
    if path.name not in allowed:
        raise ConfigError(
            f"rubric file {path.name!r} says name = {rubric.name!r}, version = {rubric.version!r}. "
            f"Call it {' or '.join(sorted(allowed))}, or change what it says."
        )


def _marked(rubric: Rubric, marks: Mapping[str, float] | float) -> Rubric:
    try:
        return rubric.with_pass_marks(marks)
    except ValidationError as error:
        raise ConfigError(f"pass marks of rubric {rubric.name!r}: {_first_trouble(error)}") from error
    except ValueError as error:
        known = ", ".join(rubric.criterion_names)
        raise ConfigError(f"pass marks of rubric {rubric.name!r}: {error}. Its criteria are {known}.") from error


def _first_trouble(error: ValidationError) -> str:
    """The first thing that is wrong: what, where and with which value, what to do; and how many more."""
    # An unknown key before a missing one: the one is most often the other, misspelt.
    troubles = sorted(error.errors(), key=lambda trouble: trouble["type"] != "extra_forbidden")
    more = f" ({len(troubles) - 1} more)" if len(troubles) > 1 else ""
    return _trouble(troubles[0]) + more


def _trouble(trouble: ErrorDetails) -> str:
    place = _place(trouble["loc"])
    if trouble["type"] == "extra_forbidden":
        name = str(trouble["loc"][-1])
        fields = _fields_at(trouble["loc"][:-1])
        near = difflib.get_close_matches(name, fields, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(fields)}."
        return f"there is no key {place!r}. {hint}"
    if trouble["type"] == "missing":
        return f"the key {place!r} is missing. Add it; docs/rubrics.md shows a whole rubric."
    message = trouble["msg"].removeprefix("Value error, ").removeprefix("Input ")
    value = trouble["input"]
    shown = f", not {value!r}" if isinstance(value, str | int | float) else ""
    return f"{place or 'rubric'}: {message}{shown}. Change it; docs/rubrics.md says what fits."


def _place(location: Sequence[str | int]) -> str:
    return "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in location).lstrip(".")


def _fields_at(location: Sequence[str | int]) -> list[str]:
    """The keys that are known where an unknown one was found."""
    model: Any = Rubric
    for part in location:
        if isinstance(part, str) and part in model.model_fields:
            inner = [kind for kind in get_args(model.model_fields[part].annotation) if _is_model(kind)]
            model = inner[0] if inner else model
    return list(model.model_fields)


def _is_model(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)
