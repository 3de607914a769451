"""Keeps data data: markers that the data cannot contain, and a flag for data that talks to the judge."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from goldassay.judging.sendable import sendable_text

__all__ = ["block", "data_marker"]

_MARKER_LENGTH = 16


def data_marker(texts: Iterable[str]) -> str:
    """A word that stands in none of the texts, the same each time for the same texts.

    It is a hash of the texts, so their writer cannot know it beforehand, and it is
    looked for in them all the same. It is deterministic, so that the request hash
    and the provider's prefix cache stay stable.
    """
    data = list(texts)
    parts = [text.encode("utf-8", "surrogatepass") for text in data]
    digest = hashlib.sha256(b"".join([len(part).to_bytes(8, "big") + part for part in parts]))
    whole = "\n".join(data).casefold()  # a marker holds no line end, so it stands in this only if in one of them
    while True:
        marker = digest.hexdigest()[:_MARKER_LENGTH]
        if marker not in whole:
            return marker
        digest.update(b"taken")


def block(name: str, text: str, marker: str) -> str:
    """One piece of data between its two markers, exactly as it is."""
    return f"[begin {name} {marker}]\n{sendable_text(text)}\n[end {name} {marker}]"
