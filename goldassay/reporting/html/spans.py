"""Which parts of an answer and of its sources are marked, and as what.

Offsets are counted in UTF-16 units, because that is how a browser counts. Spans
never overlap: where two do, the graver one wins.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple

from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.reporting.html.own_words import own_words
from goldassay.rules.context import RuleContext
from goldassay.rules.numbers import examine_numbers
from goldassay.verdicts import Evidence, Outcome, Verdict

__all__ = ["FoundNumber", "answer_spans", "found_numbers", "source_spans"]

_CITATION = "citation"
_WRONG = {Outcome.FAIL: "bad", Outcome.UNSURE: "odd", Outcome.ERROR: "odd"}
_ORDER = {"bad": 0, "odd": 1, "lost": 2, "own": 3, "cite": 4, "good": 5, "said": 6}
_MOST_SPANS = 400


class _Span(NamedTuple):
    start: int
    end: int
    mark: str
    note: str


class FoundNumber(NamedTuple):
    """A number of the answer that stands in a source."""

    start: int
    """Offset in the answer."""
    end: int
    source: int
    """Position in `record.sources`."""
    source_start: int
    source_end: int


def found_numbers(context: RuleContext) -> list[FoundNumber]:
    """Where the rule `numbers` finds the answer's numbers: its verdict tells only of those it does not find."""
    found: list[FoundNumber] = []
    with suppress(Exception):  # one answer's trouble must not cost the report: the mark is left out
        for fate in examine_numbers(context, context.config.numbers):
            if (
                fate.outcome is Outcome.PASS
                and fate.source is not None
                and fate.start is not None
                and fate.end is not None
            ):
                start, end = context.answer.to_raw(fate.number.start, fate.number.end)
                place = context.sources[fate.source].to_raw(fate.start, fate.end)
                found.append(FoundNumber(start, end, fate.source, *place))
    return found


def answer_spans(
    context: RuleContext, verdicts: Sequence[Verdict], *, limit: int, found: Sequence[FoundNumber] = ()
) -> list[tuple[int, int, str, str]]:
    """(start, end, mark, note) in the answer, ascending.

    Marks: 'bad' is wrong, 'odd' is in doubt, 'cite' is a citation of a source sent
    (its note holds the sources' numbers, e.g. '1,3'), 'lost' is a citation of none, 'good' was found,
    'said' is a right refusal.
    """
    spans = _citations(context)
    spans += [
        _Span(piece.start, piece.end, _mark(verdict, piece), verdict.check)
        for verdict in verdicts
        for piece in verdict.evidence
        if piece.start is not None and piece.end is not None and piece.source_id is None and piece.kind != _CITATION
    ]
    spans += [_Span(each.start, each.end, "good", f"stands in source {each.source + 1}") for each in found]
    return _placed(spans, context.record.answer[:limit])


def _mark(verdict: Verdict, piece: Evidence) -> str:
    # A right refusal was not found in any source: it is only pointed at.
    good = "said" if piece.kind == "refusal" else "good"
    return _WRONG.get(verdict.outcome, good)


def _citations(context: RuleContext) -> list[_Span]:
    """Every citation with the numbers of the sources it leads to, as the rule `cites` resolves them."""
    if not context.record.sources:
        return []
    spans: list[_Span] = []
    with suppress(Exception):  # as above
        for start, end, places in context.cited.uses:
            numbers = ",".join(str(place + 1) for place in places)
            spans.append(_Span(*context.answer.to_raw(start, end), "cite" if numbers else "lost", numbers))
    return spans


def source_spans(
    record: AnswerRecord,
    verdicts: Sequence[Verdict],
    *,
    limit: int,
    found: Sequence[FoundNumber] = (),
    golden: GoldenQuestion | None = None,
) -> dict[str, list[tuple[int, int, str, str]]]:
    """Number of the source (from 1, as text) -> (start, end, mark, check) in its text; only sources with spans.

    Marks as in the answer, and 'own' for the figure or key fact a source gives where the answer has a wrong one.
    """
    places = {source.id: place for place, source in reversed(list(enumerate(record.sources)))}
    spans: dict[int, list[_Span]] = {}
    for verdict in verdicts:
        for piece in verdict.evidence:
            if piece.source_id not in places or piece.kind == _CITATION or piece.start is None or piece.end is None:
                continue
            # A span in a source is where something was found, unless the verdict is that it contradicts.
            mark = "bad" if piece.kind == "contradiction" else "good"
            spans.setdefault(places[piece.source_id], []).append(_Span(piece.start, piece.end, mark, verdict.check))
    for place, source in enumerate(record.sources):
        own = own_words(source.text[:limit], record.answer, verdicts, golden)
        spans.setdefault(place, []).extend(_Span(*span) for span in own)
    for each in found:
        spans.setdefault(each.source, []).append(_Span(each.source_start, each.source_end, "good", "numbers"))
    placed = {str(place + 1): _placed(spans[place], record.sources[place].text[:limit]) for place in sorted(spans)}
    return {number: marks for number, marks in placed.items() if marks}


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
