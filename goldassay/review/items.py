"""What the page shows of one answer, as plain values for JSON; nothing of the judge before the person has spoken.

The marks come from the HTML report's own modules: citations, and where the answer's numbers stand in the sources.
"""

from __future__ import annotations

from typing import Any

from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.reporting.html.spans import answer_spans, found_numbers, source_spans
from goldassay.reporting.words import category_name
from goldassay.review.session import Given, ReviewItem, ReviewSession
from goldassay.rules.context import RuleContext, SourceCache
from goldassay.verdicts import Outcome, Verdict

__all__ = ["item_view", "session_view"]

_ANSWER_CHARACTERS = 50_000
_SOURCE_CHARACTERS = 50_000
_REPLY_CHARACTERS = 8_000
_WITH_REFERENCE = frozenset({"correct", "key_fact", "refusal"})
"""Checks that compare with the golden question: elsewhere a reference would draw the eye from the sources."""


def session_view(session: ReviewSession) -> dict[str, Any]:
    """How far the person is: one letter an answer, '' where nothing was said yet."""
    given = [session.given(place) for place in range(len(session.items))]
    return {"said": [one.outcome if one else "" for one in given]}


def item_view(session: ReviewSession, place: int) -> dict[str, Any]:
    """One answer; the verdict is in it only when it has been earned by a label."""
    item, seen = session.items[place], session.seen(place)
    record = item.record
    context = RuleContext(record, item.golden, None, SourceCache())
    found = found_numbers(context)
    shown = [*([item.verdict] if seen else []), *filter(_supports, item.others)]
    marks = source_spans(record, shown, limit=_SOURCE_CHARACTERS, found=found)
    return {
        "place": place,
        "question": record.question[:_ANSWER_CHARACTERS],
        "turns": [[turn.role, turn.text[:_REPLY_CHARACTERS]] for turn in record.turns],
        "answer": record.answer[:_ANSWER_CHARACTERS],
        "answer_length": len(record.answer),
        "marks": answer_spans(context, [item.verdict] if seen else [], limit=_ANSWER_CHARACTERS, found=found),
        "sources": _sources(record, marks),
        "golden": _golden(item.golden) if session.check in _WITH_REFERENCE and item.golden else None,
        "facts": _facts(record),
        "given": _given(session.given(place)),
        "verdict": _verdict(item) if seen else None,
    }


def _supports(verdict: Verdict) -> bool:
    """Rules that found what they looked for point to it; their complaints would be a hint."""
    return verdict.check_kind == "rule" and verdict.outcome is Outcome.PASS


def _sources(record: AnswerRecord, marks: dict[str, list[tuple[int, int, str, str]]]) -> list[dict[str, Any]]:
    return [
        {
            "id": source.id,
            "title": source.title or "",
            "url": source.url or "",
            "text": source.text[:_SOURCE_CHARACTERS],
            "length": len(source.text),
            "marks": marks.get(str(place), []),
        }
        for place, source in enumerate(record.sources, start=1)
    ]


def _golden(golden: GoldenQuestion) -> dict[str, Any]:
    return {
        "answerable": golden.answerable,
        "facts": [" / ".join(fact) for fact in golden.key_facts],
        "reference": (golden.reference or "")[:_REPLY_CHARACTERS],
    }


def _facts(record: AnswerRecord) -> list[tuple[str, str]]:
    """The fine print: enough to find the answer again, nothing that tells which version gave it."""
    return [("id", record.record_id), *((("language", record.lang),) if record.lang else ())]


def _given(given: Given | None) -> dict[str, Any] | None:
    return None if given is None else {"outcome": given.outcome, "category": given.category, "comment": given.comment}


def _verdict(item: ReviewItem) -> dict[str, Any]:
    verdict = item.verdict
    return {
        "outcome": verdict.outcome.value,
        "judge": verdict.judge_model or "",
        "category": category_name(verdict.category) if verdict.category else "",
        "reason": verdict.reason[:_REPLY_CHARACTERS],
        "score": verdict.score,
        "scale_max": verdict.scale_max,
        "pass_mark": verdict.pass_mark,
        "others": [
            {"check": other.check, "outcome": other.outcome.value, "reason": other.reason[:_REPLY_CHARACTERS]}
            for other in item.others
            if other.outcome in {Outcome.FAIL, Outcome.ERROR, Outcome.UNSURE}
        ],
    }
