"""Which source a citation mark means: by id first, by number inside the ids next, by position only for opaque ids.

Knows the ids and addresses of the sources sent, not the answer. Called by
`goldassay.rules.cites`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal
from urllib.parse import unquote

__all__ = ["Base", "IdBook", "bare_address", "canonical_url", "id_book"]

Base = Literal["auto", 0, 1]
"""Number of the first source: 0, 1, or 'auto' to tell from the answers."""

_NUMBERED = re.compile(r"(.{0,40}?)0*(\d{1,9})", re.DOTALL)
_EXTENSION = re.compile(r"\.[A-Za-z]{2,5}\Z")
_PAGE = re.compile(r"(?:#page=\d+|[#,]?\s*(?:p|pp|page|seite|s)\.?\s*\d+(?:-\d+)?)\Z", re.IGNORECASE)
_TRACKING = re.compile(r"(?<=[?&])(?:utm_[a-z]{2,12}|fbclid|gclid)=[^&]{0,200}&?", re.IGNORECASE)
_PORT = re.compile(r":(?:80|443)\Z")
_DATABASE_KEY = 100
"""Ids that all count from here on are keys of a database, so that [1] means the first source."""


_MOST_KEPT = 500
_MarkKey = tuple[str, str, bool]
"""Kind and characters of a mark, and whether the log counts from 0."""
_Meaning = tuple[tuple[int, ...], tuple[str, ...]]
"""Positions of the sources and their ids."""


class IdBook:
    """Looks up citation marks among the sources of one record.

    Args:
        ids: Ids of the sources, in the order sent.
        urls: Their addresses; empty text where none is known.
        base: Number of the first source when marks count positions.
    """

    def __init__(self, ids: Sequence[str], urls: Sequence[str] = (), base: Base = "auto") -> None:
        self.ids = tuple(ids)
        self.base = base
        self.by_id = {source_id.strip().casefold(): position for position, source_id in reversed([*enumerate(ids)])}
        self.by_url = {canonical_url(url): position for position, url in reversed([*enumerate(urls)]) if url}
        self.prefix, self.by_number = _numbered(self.ids)
        self.extensions = frozenset(m.group().casefold() for m in map(_EXTENSION.search, ids) if m)
        self.meant: dict[_MarkKey, _Meaning] = {}
        """What marks mean that name sources sent and nothing else; the same marks come in every answer."""

    @property
    def counts_positions(self) -> bool:
        """Whether a plain number can only mean a position: no id is a number or ends in one of a common row."""
        return not self.by_number or min(self.by_number) > _DATABASE_KEY

    @property
    def is_counted(self) -> bool:
        """Whether the ids are the numbers from 1 to the number of sources: given by position, they say no more."""
        return sorted(self.by_number) == [*range(1, len(self.ids) + 1)]

    def remember(self, key: _MarkKey, known: tuple[int, ...], names: tuple[str, ...]) -> _Meaning:
        """Keep what a mark means; bounded, for a log may hold any number of spellings."""
        if len(self.meant) >= _MOST_KEPT:
            self.meant.clear()
        self.meant[key] = (known, names)
        return known, names

    def find(self, name: str) -> int | None:
        """Position of the source with this id, or None."""
        key = name.strip().casefold()
        position = self.by_id.get(key)
        if position is None and self.extensions:
            position = self.by_id.get(_PAGE.sub("", key))
        return position

    def find_number(self, number: int, *, zero_based: bool = False) -> int | None:
        """Position of the source that a mark with this number means, or None."""
        if zero_based and self.is_counted:
            return self.by_number.get(number + 1)
        position = self.by_number.get(number)
        if position is None and self.counts_positions:
            position = number if zero_based else number - 1
        return position if position is not None and 0 <= position < len(self.ids) else None

    def find_url(self, url: str) -> int | None:
        """Position of the source with this address, or None."""
        return self.by_url.get(canonical_url(url)) if self.by_url else None

    def is_like_an_id(self, name: str) -> bool:
        """Whether `name` has the shape of these ids, so that an unknown one is a citation all the same."""
        key = name.strip().casefold()
        match = _NUMBERED.fullmatch(key)
        if self.prefix and match is not None and match.group(1) == self.prefix:
            return True
        extension = _EXTENSION.search(_PAGE.sub("", key))
        return extension is not None and extension.group() in self.extensions and " " not in key


def _numbered(ids: tuple[str, ...]) -> tuple[str, dict[int, int]]:
    """The prefix that all ids share before their number, and the position of each number; ('', {}) if they do not."""
    matches = [_NUMBERED.fullmatch(source_id.strip().casefold()) for source_id in ids]
    found = [match for match in matches if match is not None]
    prefixes = {match.group(1) for match in found}
    if len(found) != len(ids) or len(prefixes) != 1:
        plain = {int(match.group(2)): i for i, match in enumerate(matches) if match is not None and not match.group(1)}
        return "", plain
    return prefixes.pop(), {int(match.group(2)): i for i, match in reversed([*enumerate(found)])}


def canonical_url(url: str) -> str:
    """One form for spellings of an address: no scheme, 'www.', fragment, closing slash or upper case host.

    Percent signs are decoded, '&amp;' is '&', usual ports, what chats write behind a bar ('address|label') and what
    they add to tell where a visitor comes from ('utm_source=...') go.
    """
    bare = url.strip().split("#", 1)[0].split("|", 1)[0].replace("&amp;", "&")
    bare = re.sub(r"\A[A-Za-z][A-Za-z0-9+.-]{0,20}://", "", bare)
    bare = _TRACKING.sub("", bare).rstrip("?&") if "?" in bare else bare
    host, slash, path = (unquote(bare) if "%" in bare else bare).partition("/")
    host = _PORT.sub("", host.casefold()).removeprefix("www.")
    return (_in_letters(host) + slash + path).rstrip("/").removesuffix(".git")


def bare_address(written: str) -> str:
    """The address behind a label: without the brackets around it, '(address)', '(<address>'; those inside it stay."""
    inside = written[1:-1] if written.startswith("(") else written
    return inside.strip(" <>")


def _in_letters(host: str) -> str:
    """'xn--mnchen-3ya.de' is 'münchen.de'."""
    if "xn--" not in host:
        return host
    try:
        return host.encode("ascii").decode("idna")
    except UnicodeError:
        return host


@lru_cache(maxsize=1024)
def id_book(ids: tuple[str, ...], urls: tuple[str, ...], base: Base) -> IdBook:
    """The book for these ids; logs repeat the same few rows of ids over and over."""
    return IdBook(ids, urls, base)
