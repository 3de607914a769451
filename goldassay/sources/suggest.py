"""A mapping to begin with, for a log whose columns have names of their own.

Looks at one row: whether a known export shape reads it, else which paths seem to hold the
fields. A guess, and told as one; nothing is ever read by it. Called for messages by
`collect` and by `goldassay doctor`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from goldassay.sources.fields import PLAIN
from goldassay.sources.mapping import Mapped, Mapper
from goldassay.sources.rows import RawRow
from goldassay.sources.shapes import SHAPES
from goldassay.sources.suggest_paths import Place, chat_paths, places_in, source_paths, words_of

__all__ = ["suggest"]

SHOWN_PATHS = 12
ALIASES: Final = frozenset({"azure", "openinference", "otlp", "phoenix"})
"""Second names of shapes: one is named."""
NAMES: Final[dict[str, tuple[str, ...]]] = {
    "question": (
        "question", "query", "frage", "pregunta", "domanda", "anfrage", "prompt", "utterance", "usertext",
        "usermessage", "userinput", "input",
    ),
    "answer": (
        "answer", "response", "reply", "antwort", "respuesta", "risposta", "reponse", "completion", "generation",
        "generated", "bottext", "botmessage", "assistant", "prediction", "output",
    ),
    "asked_at": (
        "askedat", "timestamp", "createdat", "eventtime", "starttime", "zeitpunkt", "datetime", "created", "time", "ts",
        "when", "zeit", "datum", "date", "fecha",
    ),
    "app_version": ("appversion", "version", "release", "build"),
    "model": ("model", "llm"),
    "id": ("id", "uuid", "traceid", "requestid", "messageid", "runid", "nr", "number"),
}  # fmt: skip
"""What the last key of a path says for a field, the surest first. 'sources' is told in `suggest_paths`."""


def suggest(row: RawRow) -> str:
    """Words for a message: which setting would read this row, as far as its names tell; '' when they tell nothing."""
    shapes = _shapes_of(row)
    whole = [shape for shape, has_sources in shapes if has_sources]
    found = _fields(row.data)
    has_answer = "answer" in found or "answer" in row.data
    if whole or (shapes and not has_answer):
        return f'It looks like an export of a known tool: answers.mapping = "{(whole or [shapes[0][0]])[0]}"'
    if found and has_answer:
        return f"A guess to correct, for the table [answers]: mapping = {_toml(found)}"
    texts = [place.path for place in places_in(row.data) if isinstance(place.value, str)]
    return f"Its texts stand at {', '.join(map(repr, texts[:SHOWN_PATHS]))}" if texts else ""


def _shapes_of(row: RawRow) -> list[tuple[str, bool]]:
    """The export shapes that find question and answer in the row, and whether they find sources as well."""
    found = []
    for name, shape in SHAPES.items():
        rows = [item for item in shape(iter([row])) if isinstance(item, RawRow)] if name not in ALIASES else []
        mapped = Mapper().read(rows[0]) if len(rows) == 1 else None
        if isinstance(mapped, Mapped) and mapped.record.question and mapped.record.answer:
            found.append((name, bool(mapped.record.sources)))
    return found


def _fields(row: Mapping[str, Any]) -> dict[str, str]:
    places = list(places_in(row))
    found = chat_paths(places)
    for name, words in NAMES.items():
        if name not in found and (path := _best(places, words, is_text=name != "asked_at")):
            found[name] = path
    found |= source_paths(places)
    return {name: path for name, path in found.items() if path not in PLAIN.get(name, (name,))}


def _best(places: list[Place], words: tuple[str, ...], *, is_text: bool) -> str | None:
    ranked = [
        (rank, place.path)
        for place in places
        if isinstance(place.value, str) or (not is_text and place.is_single)
        if (rank := _rank(place.key, words)) is not None
    ]
    return min(ranked, key=lambda item: item[0])[1] if ranked else None


def _rank(key: str, words: tuple[str, ...]) -> int | None:
    """How early in the list a key stands, whole ('created_at') or by one of its words ('model_name')."""
    parts = words_of(key)
    whole = "".join(parts)
    if whole in words:
        return words.index(whole)
    ranks = [len(words) + words.index(part) for part in parts if part in words and part not in {"id", "time", "date"}]
    return min(ranks, default=None)


def _toml(found: Mapping[str, str]) -> str:
    quoted = {name: f"'{path}'" if '"' in path else f'"{path}"' for name, path in found.items()}
    return "{ " + ", ".join(f"{name} = {path}" for name, path in quoted.items()) + " }"
