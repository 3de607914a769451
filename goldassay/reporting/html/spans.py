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
from goldassay.rules.context import RuleContext
from goldassay.verdicts import Outcome, Verdict

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
    found = _citations(record)
    found += [
        _Span(piece.start, piece.end, _WRONG.get(verdict.outcome, "good"), verdict.check)
        for verdict in verdicts
        for piece in verdict.evidence
        if piece.start is not None and piece.end is not None and piece.source_id is None and piece.kind != _CITATION
    ]
    return _placed(found, record.answer[:limit])


def _citations(record: AnswerRecord) -> list[_Span]:
    """Every citation with the numbers of the sources it leads to, as the rule `cites` resolves them."""
    if not record.sources:
        return []
    context = RuleContext(record)
    spans = []
    for start, end, places in context.cited.uses:
        numbers = ",".join(str(place + 1) for place in places)
        spans.append(_Span(*context.answer.to_raw(start, end), "cite" if numbers else "lost", numbers))
    return spans


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
