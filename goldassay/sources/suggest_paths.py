"""The places of a nested row, and those that look like a chat or like passages. Called by `suggest`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final, NamedTuple

from goldassay.sources.values import SOURCE_ID_KEYS, SOURCE_TEXT_KEYS

__all__ = ["Place", "chat_paths", "places_in", "source_paths", "words_of"]

DEEPEST = 5
MOST_PLACES = 300
SOURCE_WORDS: Final = (
    "sources", "contexts", "context", "kontext", "quellen", "passages", "chunks", "documents", "docs", "ctx",
    "retrieved", "retrieval", "snippets", "evidence", "hits", "knowledge",
)  # fmt: skip
"""Keys under which logs keep what was retrieved, the surest first."""
ID_WORDS: Final = frozenset({"id", "ids", "docno", "docid", "key", "ref", "number", "nr", "no"})
TITLE_WORDS: Final = frozenset({"title", "headline", "heading", "name", "titel"})
LONGEST_ID = 80
LONGEST_KEY = 100
_WORD = re.compile(r"[^\W\d_]+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PLAIN_KEY = re.compile(r'[^.\[\]"]+')


class Place(NamedTuple):
    """A value of the row and the path that leads to it."""

    path: str
    key: str
    value: Any

    @property
    def is_single(self) -> bool:
        """Not an object and no list."""
        return not isinstance(self.value, Mapping | list | tuple)


def words_of(key: str) -> list[str]:
    """'createdAt' and 'created_at' are the words created, at."""
    return [word.casefold() for word in _WORD.findall(_HUMP.sub("_", key[:200]))]


def places_in(row: Mapping[str, Any]) -> Iterator[Place]:
    """Single values and lists of a row; what lies inside lists is not walked."""
    return islice(_walk(row, "", DEEPEST), MOST_PLACES)


def _walk(value: Mapping[str, Any], before: str, depth: int) -> Iterator[Place]:
    for key, item in value.items():
        if not _may_be_shown(str(key)):
            continue
        name = str(key) if _PLAIN_KEY.fullmatch(str(key)) else f'"{key}"'
        path = f"{before}.{name}" if before else name
        if not isinstance(item, Mapping):
            yield Place(path, str(key), item)
        elif depth:
            yield from _walk(item, path, depth - 1)


def _may_be_shown(key: str) -> bool:
    """Short, and without signs that a terminal would obey or that end a text in the settings."""
    return len(key) <= LONGEST_KEY and key.isprintable() and not any(sign in key for sign in "\"'\\")


def chat_paths(places: list[Place]) -> dict[str, str]:
    """Question and answer as the last user's and the last assistant's message of a list of messages."""
    for place in places:
        messages = place.value if isinstance(place.value, list) else []
        roles = [str(item.get("role", "")) if isinstance(item, Mapping) else "" for item in messages]
        if roles[-1:] == ["assistant"] and "user" in roles and "content" in messages[-1]:
            back = roles[::-1].index("user") + 1
            found = {"question": f"{place.path}[-{back}].content", "answer": f"{place.path}[-1].content"}
            earlier = roles.index("user")
            return found | ({"turns": f"{place.path}[{earlier}:-{back}]"} if earlier < len(roles) - back else {})
    return {}


def source_paths(places: list[Place]) -> dict[str, str]:
    """Where the passages lie, and their ids and titles where they stand apart."""
    ranked = [
        (SOURCE_WORDS.index(word), place)
        for place in places
        if _may_hold_passages(place)
        for word in words_of(place.key)
        if word in SOURCE_WORDS
    ]
    if not ranked:
        return {}
    place = min(ranked, key=lambda item: item[0])[1]
    if isinstance(place.value, list) and isinstance(place.value[0], Mapping):
        return _of_objects(place.path, place.value[0])
    ids = next((other.path for other in places if _stands_beside(other, place)), None)
    return {"sources": place.path} | ({} if ids is None else {"source_ids": ids})


def _may_hold_passages(place: Place) -> bool:
    """A text, a list of objects, or a list of texts that are no ids."""
    if isinstance(place.value, list) and place.value:
        return isinstance(place.value[0], Mapping) or _is_prose(place)
    return isinstance(place.value, str)


def _is_prose(place: Place) -> bool:
    return isinstance(place.value[0], str) and not ID_WORDS & set(words_of(place.key))


def _stands_beside(other: Place, texts: Place) -> bool:
    return (
        isinstance(other.value, list)
        and isinstance(texts.value, list)
        and len(other.value) == len(texts.value)
        and bool(ID_WORDS & set(words_of(other.key)))
    )


def _of_objects(path: str, first: Mapping[str, Any]) -> dict[str, str]:
    if any(key in first for key in SOURCE_TEXT_KEYS):
        return {"sources": path}
    texts = {
        key: value
        for key, value in first.items()
        if isinstance(value, str) and _may_be_shown(key) and _PLAIN_KEY.fullmatch(key)
    }
    if not texts:
        return {}
    longest = max(texts, key=lambda key: len(texts[key]))
    found = {"sources": f"{path}[*].{longest}"}
    for name, words in (("source_ids", ID_WORDS | set(SOURCE_ID_KEYS)), ("source_titles", TITLE_WORDS)):
        named = (key for key, value in first.items() if key != longest and _is_name(str(key), value, words))
        if (key := next(named, None)) is not None:
            found[name] = f"{path}[*].{key}"
    return found


def _is_name(key: str, value: Any, words: frozenset[str] | set[str]) -> bool:
    if not (_may_be_shown(key) and _PLAIN_KEY.fullmatch(key)):
        return False
    return isinstance(value, str | int) and len(str(value)) <= LONGEST_ID and bool(words & {key, *words_of(key)})
