"""Which sources an answer cites, by number and title, as the rule `cites` found them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from goldassay.analytics.models import Citation
from goldassay.verdicts import Evidence

__all__ = ["Sent", "citations_of"]


class Sent(NamedTuple):
    """What a citation says of a source that was sent."""

    id: str
    title: str | None = None
    url: str | None = None


def citations_of(marks: Iterable[Evidence], sent: Sequence[Sent]) -> Iterator[Citation]:
    """One citation for each source a mark names; a mark that names none that was sent is shown as such.

    Args:
        marks: Evidence of the rule `cites`.
        sent: The sources, in the order sent.
    """
    numbers = {source.id: number for number, source in reversed(list(enumerate(sent, start=1)))}
    for mark in marks:
        if mark.kind != "citation":
            continue
        for source_id in _ids(mark.source_id, numbers):
            number = numbers.get(source_id) if source_id is not None else None
            source = sent[number - 1] if number else Sent("")
            yield Citation(mark.text, source_id, number, source.title, source.url)


def _ids(text: str | None, known: dict[str, int]) -> list[str | None]:
    """The rule `cites` joins several ids by ', '; an id may hold that itself."""
    if text is None or text in known:
        return [text]
    parts = text.split(", ")
    return [*parts] if all(part in known for part in parts) else [text]
