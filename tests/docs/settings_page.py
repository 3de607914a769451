"""Writes docs/settings.md: every setting with its kind, default and meaning, taken from the models themselves.

Run by `make docs`; a test holds the page to the models. The meaning is the literal below each field.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
import textwrap
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from config.settings import Settings

__all__ = ["settings_page"]

_PAGE = Path(__file__).resolve().parents[2] / "docs" / "settings.md"
_MOST_SHOWN = 80
"""Characters of a default that a cell holds."""
_HEAD = """# Settings

Everything that may stand in `goldassay.toml`. Each can be overridden by a variable, `GOLDASSAY_JUDGE__MODEL=...`,
and on the command line, `--set judge.model=...`. An unknown name is refused with the nearest known one. Keys never
stand here: name the variable that holds them.

(Written by `make docs` from the models; do not edit.)
"""


def settings_page() -> str:
    """The page as Markdown."""
    tables = [_table("", Settings, own=True), *(_table(name, model) for name, model in _sections(Settings, ""))]
    return _HEAD + "".join(tables)


def _sections(model: type[BaseModel], prefix: str) -> Iterator[tuple[str, type[BaseModel]]]:
    """Every table of the file, the outer before the inner."""
    for name, field in model.model_fields.items():
        inner = _model_of(field.annotation)
        if inner is not None:
            yield f"{prefix}{name}", inner
            yield from _sections(inner, f"{prefix}{name}.")


def _table(name: str, model: type[BaseModel], *, own: bool = False) -> str:
    meanings = _meanings(model)
    rows = [
        f"| `{field}` | {_kind(info.annotation)} | {_default(info)} | {meanings.get(field, '')} |"
        for field, info in model.model_fields.items()
        if _model_of(info.annotation) is None
    ]
    if not rows:
        return ""
    title = "At the top" if own else f"[{name}]"
    about = _one_line(inspect.getdoc(model) or "") if not own else "Before every table."
    head = "| setting | kind | default | meaning |\n|---|---|---|---|\n"
    return f"\n## {title}\n\n{about}\n\n{head}" + "\n".join(rows) + "\n"


def _model_of(annotation: Any) -> type[BaseModel] | None:
    """The model a field holds, also an optional one; None for plain values, lists and tables of them."""
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
        return annotation
    if get_origin(annotation) in {Union, types.UnionType}:
        return next((model for part in get_args(annotation) if (model := _model_of(part)) is not None), None)
    return None


def _meanings(model: type[BaseModel]) -> dict[str, str]:
    """The literal below each field, of the model and of those it extends."""
    found: dict[str, str] = {}
    for one in reversed(model.__mro__):
        if issubclass(one, BaseModel) and one.__module__.startswith(("goldassay", "config")):
            found |= _literals(one)
    return found


def _literals(model: type[BaseModel]) -> dict[str, str]:
    body = ast.parse(textwrap.dedent(inspect.getsource(model))).body[0]
    assert isinstance(body, ast.ClassDef)
    found: dict[str, str] = {}
    for field, below in zip(body.body, body.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and _is_text(below):
            found[field.target.id] = _one_line(ast.literal_eval(below.value))  # type: ignore[attr-defined]  # _is_text
    return found


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _kind(annotation: Any) -> str:
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _kind(parts[0])
    if origin is Literal:
        return " or ".join(f"`{part}`" for part in parts)
    if origin in {Union, types.UnionType}:
        return " or ".join(dict.fromkeys(_kind(part) for part in parts if part is not types.NoneType))
    if origin in {list, tuple, frozenset, set}:
        return f"list of {_kind(parts[0])}" if parts else "list"
    if origin is dict:
        return "table"
    names = {str: "text", int: "whole number", float: "number", bool: "true or false"}
    return names.get(
        annotation, "table" if inspect.isclass(annotation) and issubclass(annotation, BaseModel) else "text"
    )


def _default(info: FieldInfo) -> str:
    if info.is_required():
        return "must be set"
    value = info.get_default(call_default_factory=True) if not info.default_factory_takes_validated_data else None
    if value is None:
        return "none"
    text = json.dumps(value, ensure_ascii=False, default=_plain)
    return f"`{text}`" if len(text) <= 60 else "see goldassay.toml"


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump()
    return sorted(value) if isinstance(value, frozenset | set) else str(value)


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text.strip()).replace("|", "\\|")


if __name__ == "__main__":
    _PAGE.write_text(settings_page(), encoding="utf-8")
    sys.stdout.write(f"wrote {_PAGE.name}\n")
