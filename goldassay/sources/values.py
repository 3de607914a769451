"""From a column's value to a field's value: strict where a guess could be wrong.

Each function takes the value as it was logged and returns what the record holds, or
raises `UnreadableValueError` with a reason a person can act on. Knows nothing of files.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from uuid import UUID

from goldassay.sources.faults import UnreadableValueError
from goldassay.sources.nested import parse_nested

__all__ = [
    "as_bool",
    "as_facts",
    "as_label",
    "as_sources",
    "as_tags",
    "as_text",
    "as_texts",
    "as_turns",
    "clean",
    "is_nothing",
    "sources_hold_float",
]

FLOAT_DIGITS = 2**53
"""From here on a float does not hold every whole number."""
UUID_BYTES = 16
SOURCE_TEXT_KEYS = ("text", "content", "page_content", "pageContent", "passage", "chunk", "snippet", "body")
SOURCE_ID_KEYS = ("id", "source_id", "doc_id", "document_id", "chunk_id", "docid")
INNER_KEYS = ("document", "node")
SPELLED = frozenset(SOURCE_TEXT_KEYS + SOURCE_ID_KEYS)
"""Keys of a passage whose number is a text: it counts as it was written."""
NESTING = frozenset({"metadata", *INNER_KEYS})
"""Keys under which a passage may hold what it does not hold itself."""
YES = frozenset({"true", "t", "yes", "y", "on", "1", "1.0", "wahr", "vrai", "verdadero", "verdadeiro", "vero", "waar"})
NO = frozenset({"false", "f", "no", "n", "off", "0", "0.0", "falsch", "faux", "falso", "onwaar"})
"""What YAML, PostgreSQL and data frames write, and the words spreadsheets put in the language of their user."""
NOT_LOGGED = frozenset({"null", "none", "nan"})


def is_nothing(value: object) -> bool:
    """Null, or the NaN that data frames write for null."""
    return value is None or (type(value) is float and value != value)  # noqa: PLR0124 - NaN is what differs from itself


def as_label(value: object) -> str:
    """An id or version label: a text, or a number as it was written."""
    if isinstance(value, str):
        return clean(value)
    if type(value) is float and value.is_integer():
        return _whole(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)  # of any size; a float holds only the smaller ones
    if (isinstance(value, float) and math.isfinite(value)) or (isinstance(value, Decimal) and value.is_finite()):
        return str(value)
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, bytes):
        return _decoded(value)
    raise UnreadableValueError(f"is {type(value).__name__} {value!r:.40}, not a text")


def _whole(value: float) -> str:
    """Data frames turn whole ids into floats as soon as one is missing; JSON numbers never come here."""
    if abs(value) >= FLOAT_DIGITS:
        raise UnreadableValueError(f"is the float {value!r}, whose last digits are lost; store ids as text")
    return str(int(value))


def as_text(value: object) -> str:
    """A text, a number as it was written, or the parts of a chat message joined."""
    if type(value) is str:
        return clean(value)
    if isinstance(value, list) and value:
        return "".join(_part_text(part) for part in value)
    if isinstance(value, Mapping):
        keys = ", ".join(repr(str(key)) for key in list(value)[:8])
        raise UnreadableValueError(f"is an object with the keys {keys}; name the path of its text in answers.mapping")
    return as_label(value)


def _decoded(value: bytes) -> str:
    """Old Parquet writers leave texts unmarked, as bytes, and so are UUIDs: 16 bytes that are no text."""
    try:
        text = value.decode()
    except UnicodeDecodeError as fault:
        if len(value) == UUID_BYTES:
            return str(UUID(bytes=value))
        raise UnreadableValueError("is bytes that are not UTF-8") from fault
    return text if len(value) != UUID_BYTES or text.isprintable() else str(UUID(bytes=value))


def clean(text: str) -> str:
    """Replace what no UTF-8 file can hold: half a surrogate pair, left when a logger cut a text."""
    if text.isascii():
        return text
    try:
        text.encode()  # a look at every sign in turn takes a hundred times as long
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _part_text(part: object) -> str:
    if isinstance(part, str):
        return clean(part)
    if isinstance(part, Mapping) and isinstance(part.get("text"), str):
        return clean(part["text"])
    if isinstance(part, Mapping) and part.get("type", "text") != "text":
        return ""  # a picture or a tool call beside the text
    raise UnreadableValueError("is a list whose items are no text parts; name the path of its text in answers.mapping")


def as_bool(value: object) -> bool:
    """True or false, also as the words people write into tables."""
    if isinstance(value, bool):
        return value
    word = str(value).strip().casefold()
    if isinstance(value, str | int | float) and (word in YES or word in NO):
        return word in YES
    raise UnreadableValueError(f"is {value!r:.40}; write true or false")


def as_texts(value: object) -> list[str]:
    """A list of texts; a text that is a JSON list is read as one, any other text is its only item."""
    value = parse_nested(value) if isinstance(value, str) else value
    return [as_text(item) for item in value] if isinstance(value, list) else [as_text(value)]


def as_facts(value: object) -> list[list[str]]:
    """Key facts: each item is a fact, a list of texts within is its accepted variants."""
    value = parse_nested(value) if isinstance(value, str) else value
    items = value if isinstance(value, list) else [value]
    return [as_texts(item) if isinstance(item, list) else [as_text(item)] for item in items]


def as_tags(value: object) -> dict[str, str]:
    """Tags as an object or as [{'key': ..., 'value': ...}]; a list of words becomes {'word': 'true'}."""
    value = parse_nested(value) if isinstance(value, str) else value
    if isinstance(value, Mapping):
        return {clean(str(key)): _tag(item) for key, item in value.items() if _is_flat(item)}
    items = value if isinstance(value, list) else [value]
    named = {str(item["key"]): item.get("value") for item in items if isinstance(item, Mapping) and "key" in item}
    return {_tag(item): "true" for item in items if _is_flat(item)} | (as_tags(named) if named else {})


def _tag(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else clean(str(value))


def _is_flat(item: object) -> bool:
    """Nested tags and NaN are no reason to set an answer aside; they are left out."""
    return isinstance(item, str | int | float) and not is_nothing(item)


def as_turns(value: object) -> list[dict[str, str]]:
    """Earlier turns, oldest first."""
    value = parse_nested(value) if isinstance(value, str) else value
    if not isinstance(value, list):
        raise UnreadableValueError("is not a list of turns")
    return [_turn(item) for item in value]


def _turn(item: object) -> dict[str, str]:
    if not isinstance(item, Mapping):
        raise UnreadableValueError("holds a turn that is no object with 'role' and 'text'")
    text = item.get("text", item.get("content"))
    role = next((item[key] for key in ("role", "speaker", "type") if item.get(key) is not None), "")
    return {"role": as_text(role), "text": "" if text is None else as_text(text)}


def as_sources(value: object) -> list[dict[str, Any]]:
    """The passages as sent, in order; plain texts get the ids '1', '2', ... by position."""
    if isinstance(value, str):
        value = [] if value.strip().casefold() in NOT_LOGGED else parse_nested(value, is_inexact=sources_hold_float)
    if type(value) is not list:
        value = _listed(value)
    return [item if _is_plain_source(item) else _source(item, place) for place, item in enumerate(value, 1)]


def _listed(value: object) -> list[Any] | tuple[Any, ...]:
    if isinstance(value, str | Mapping):
        return [value] if value else []
    if not isinstance(value, list | tuple):
        raise UnreadableValueError(f"is {type(value).__name__}, not a list of passages")
    return value


def sources_hold_float(value: object) -> bool:
    """Whether an id or a text among the passages was parsed as a float; a score or a rank is a number by right."""
    waiting = list(value) if type(value) is list else [value]
    while waiting:
        part = waiting.pop()
        if type(part) is float:
            return True
        for key, inner in part.items() if type(part) is dict else ():
            if type(inner) is float and key in SPELLED:
                return True
            if type(inner) is dict and key in INNER_KEYS:
                waiting.append(inner)
    return False


def _is_plain_source(item: Any) -> bool:
    """The form of our own logs, which is nearly every one: all is in its place already, and is taken over as it is."""
    if type(item) is not dict or not NESTING.isdisjoint(item):
        return False
    name, text, score = item.get("id"), item.get("text"), item.get("score")
    if type(name) is not str or not name or type(text) is not str:
        return False
    if score is not None and (type(score) is not float or not math.isfinite(score)):
        return False
    for part in (name, text, item.get("title"), item.get("url")):
        if part is not None and (type(part) is not str or (not part.isascii() and clean(part) != part)):
            return False
    return True


def _source(item: object, place: int) -> dict[str, Any]:
    if isinstance(item, str):
        return {"id": str(place), "text": clean(item)}
    if not isinstance(item, Mapping):
        raise UnreadableValueError(
            f"holds {type(item).__name__} in place {place}; a passage is a text or an object with 'text'"
        )
    flat = _flattened(item)
    text = next((flat[key] for key in SOURCE_TEXT_KEYS if not is_nothing(flat.get(key))), None)
    if text is None:
        keys = ", ".join(repr(str(key)) for key in list(item)[:8])
        raise UnreadableValueError(
            f"holds no text in place {place} (keys {keys}); name its path in answers.mapping.sources"
        )
    name = next((flat[key] for key in SOURCE_ID_KEYS if not is_nothing(flat.get(key)) and flat[key] != ""), None)
    source = {"id": str(place) if name is None else as_label(name), "text": as_text(text), "score": _score(flat)}
    for key in ("title", "url"):
        if isinstance(flat.get(key), str):
            source[key] = clean(flat[key])
    return source


def _flattened(item: Mapping[str, Any]) -> dict[str, Any]:
    """The passage with its metadata and inner document beside each other; its own keys win."""
    flat: dict[str, Any] = {}
    for key in ("metadata", *INNER_KEYS):
        inner = item.get(key)
        if isinstance(inner, Mapping):
            flat.update(
                _flattened(inner) if key in INNER_KEYS else {k: inner[k] for k in ("title", "url") if k in inner}
            )
    flat.update({key: part for key, part in item.items() if part is not None})
    return flat


def _score(flat: Mapping[str, Any]) -> float | None:
    """A score may have travelled as text; one that is no number is none, and no reason to lose the answer."""
    value = flat.get("score")
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
