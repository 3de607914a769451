"""Turns a settings mistake into a sentence: what is wrong, the value, and the nearest known name."""

from __future__ import annotations

import difflib
import types
import typing
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from goldassay.errors import ConfigError
from goldassay.judging.settings_secrets import SecretMistakeError

__all__ = ["explain_mistakes", "unknown_variables"]

_NOT_SETTINGS = {"GOLDASSAY_CASES"}
"""Variables with our prefix that are no settings."""


def explain_mistakes(error: ValidationError, model: type[BaseModel], path: Path) -> str:
    """One line for each mistake in `error`, in file order.

    Args:
        error: What pydantic says of the settings.
        model: The settings model, for the known names.
        path: The file to name in the message.
    """
    more = f"{path.name}: " if path.is_file() else "settings: "
    told: dict[str, list[str]] = {}
    for details in error.errors(include_url=False, include_context=True):
        what, why = _explain(details, model)
        told.setdefault(what, []).append(why)
    return "\n".join(more + _sentence(what, list(dict.fromkeys(why))) for what, why in told.items())


def _sentence(what: str, why: list[str]) -> str:
    reasons = "; or: ".join(reason for reason in why if reason)
    return f"{what}: {reasons}. Correct it and run again." if reasons else what


def _explain(details: Any, model: type[BaseModel]) -> tuple[str, str]:
    """What is wrong, and why; a value that may be of several kinds is wrong once, for a reason of each kind."""
    place = _place(details["loc"], model)
    name = ".".join(place)
    if details["type"] == "extra_forbidden":
        known = _names_at(model, place[:-1])
        return f"unknown setting {name!r}{_nearest(name, ['.'.join([*place[:-1], each]) for each in known])}", ""
    value = details.get("input")
    is_secret = isinstance(details.get("ctx", {}).get("error"), SecretMistakeError)
    shown = f" (got {value!r})" if isinstance(value, str | int | float | bool) and not is_secret else ""
    return f"setting {name!r} is wrong{shown}", details["msg"].removeprefix("Value error, ")


def _place(loc: Sequence[int | str], model: type[BaseModel]) -> list[str]:
    """The setting's name as it stands in the file: pydantic adds which kind of a union it tried."""
    place: list[str] = []
    annotation: Any = model
    for part in loc:
        if _is_union(annotation):
            annotation = None
            continue
        place.append(str(part))
        owner = _model_of(annotation)
        field = owner.model_fields.get(str(part)) if owner is not None else None
        annotation = field.annotation if field is not None else None
    return place


def _is_union(annotation: Any) -> bool:
    kinds = [part for part in typing.get_args(annotation) if part is not type(None)]
    return typing.get_origin(annotation) in {typing.Union, types.UnionType} and len(kinds) > 1


def _nearest(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; known here: {', '.join(sorted(known))}." if known else "."


def _names_at(model: type[BaseModel], place: list[str]) -> list[str]:
    current: type[BaseModel] | None = model
    for part in place:
        current = _model_of(current.model_fields[part].annotation) if current and part in current.model_fields else None
    return list(current.model_fields) if current else []


def _model_of(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if typing.get_origin(annotation) in {typing.Union, types.UnionType, typing.Annotated}:
        return next((found for part in typing.get_args(annotation) if (found := _model_of(part))), None)
    return None


def unknown_variables(environ: Mapping[str, str], model: type[BaseModel], *, prefix: str, nested: str) -> None:
    """Refuses a variable with our prefix that names no setting: a typing mistake would be silent otherwise.

    Raises:
        ConfigError: If there is one; the message holds its name, never its value.
    """
    for variable in environ:
        if not variable.startswith(prefix) or variable in _NOT_SETTINGS:
            continue
        first = variable[len(prefix) :].lower().split(nested)[0]
        if first not in model.model_fields:
            known = [prefix + name.upper() for name in model.model_fields]
            raise ConfigError(f"unknown variable {variable!r}{_nearest(variable, known)} Unset it or correct its name.")
