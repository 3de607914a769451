"""Which parts of an answer and of its sources are marked, and as what.

Offsets are counted in UTF-16 units, because that is how a browser counts. Spans
never overlap: where two do, the graver one wins.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from goldassay.records import AnswerRecord
from goldassay.verdicts import Evidence, Outcome, Verdict

__all__ = ["answer_spans", "source_spans"]

_CITATION = "citation"
_WRONG = {Outcome.FAIL: "bad", Outcome.UNSURE: "odd", Outcome.ERROR: "odd"}
_ORDER = {"bad": 0, "odd": 1, "lost": 2, "cite": 3, "good": 4}
_MOST_SPANS = 400


class _Span(NamedTuple):
    start: int
    end: int
    mark: str
    note: str


def answer_spans(record: AnswerRecord, verdicts: Sequence[Verdict], *, limit: int) -> list[tuple[int, int, str, str]]:
    """(start, end, mark, note) in the answer, ascending.

    Marks: 'bad' is wrong, 'odd' is in doubt, 'cite' is a citation of a source sent
    (its note holds the sources' numbers, e.g. '1,3'), 'lost' is a citation of none, 'good' was found.
    """
    numbers = {source.id: str(place) for place, source in enumerate(record.sources, 1)}
    found = [
        span
        for verdict in verdicts
        for piece in verdict.evidence
        if (span := _answer_span(piece, verdict, numbers)) is not None
    ]
    return _placed(found, record.answer[:limit])


def _answer_span(piece: Evidence, verdict: Verdict, numbers: dict[str, str]) -> _Span | None:
    if piece.start is None or piece.end is None:
        return None
    if piece.kind == _CITATION:
        cited = [numbers[name] for name in (piece.source_id or "").split(", ") if name in numbers]
        return _Span(piece.start, piece.end, "cite" if cited else "lost", ",".join(cited))
    if piece.source_id is not None:
        return None
    return _Span(piece.start, piece.end, _WRONG.get(verdict.outcome, "good"), verdict.check)


def source_spans(
    record: AnswerRecord, verdicts: Sequence[Verdict], *, limit: int
) -> dict[str, list[tuple[int, int, str, str]]]:
    """Number of the source (from 1, as text) -> (start, end, mark, check) in its text; only sources with spans."""
    by_source: dict[str, list[_Span]] = {}
    for verdict in verdicts:
        for piece in verdict.evidence:
            if piece.source_id is None or piece.kind == _CITATION or piece.start is None or piece.end is None:
                continue
            # A span in a source is where something was found, unless the verdict is that it contradicts.
            mark = "bad" if piece.kind == "contradiction" else "good"
            by_source.setdefault(piece.source_id, []).append(_Span(piece.start, piece.end, mark, verdict.check))
    placed = {
        str(place): _placed(by_source[source.id], source.text[:limit])
        for place, source in enumerate(record.sources, 1)
        if source.id in by_source
    }
    return {number: spans for number, spans in placed.items() if spans}


def _placed(spans: Iterable[_Span], text: str) -> list[tuple[int, int, str, str]]:
    """Spans inside the text, the graver first where two overlap, in UTF-16 offsets, ascending."""
    inside = [span for span in spans if 0 <= span.start < span.end <= len(text)]
    taken: list[_Span] = []
    for span in sorted(inside, key=lambda span: (_ORDER[span.mark], span.start, -span.end))[:_MOST_SPANS]:
        place = bisect_left(taken, span)
        before_ends = taken[place - 1].end if place else 0
        after_starts = taken[place].start if place < len(taken) else len(text)
        if before_ends <= span.start and span.end <= after_starts:
            taken.insert(place, span)
    return _in_utf16(taken, text)


def _in_utf16(spans: Sequence[_Span], text: str) -> list[tuple[int, int, str, str]]:
    if text.isascii():
        return [(span.start, span.end, span.mark, span.note) for span in spans]
    cuts = sorted({0, *(span.start for span in spans), *(span.end for span in spans)})
    offsets, total = {0: 0}, 0
    for low, high in pairwise(cuts):
        total += high - low + sum(sign > "\uffff" for sign in text[low:high])
        offsets[high] = total
    return [(offsets[span.start], offsets[span.end], span.mark, span.note) for span in spans]
