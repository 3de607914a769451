"""Holds a reply claim by claim against the record it is about: nothing passes that rests on nothing.

A judge that finds no claim in an answer that says something, or support in a source that was never
sent, has not graded that answer. Knows claims and records; called wherever a reply to a call is read.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from goldassay.judging.lexical import is_refusal
from goldassay.judging.reply_fields import EDGE, fold
from goldassay.records import AnswerRecord
from goldassay.verdicts import Category, Outcome

if TYPE_CHECKING:
    from goldassay.judging.parsing import ParsedReply
    from goldassay.judging.prompt import JudgeItem

__all__ = ["checked_claims", "source_id_of"]

_NAMED = re.compile(r"(?:the )?(?:sources?|src|docs?|documents?|passages?|ids?)\b[ :#=_-]*", re.IGNORECASE)
_SEVERAL = re.compile(r"\s*[,;]\s*")
_SENTENCE_END = re.compile(r"(?<=[.!?\u3002\uff01\uff1f\u061f])\s+")
_ASKS = ("?", "\uff1f", "\u061f")


def checked_claims(parsed: ParsedReply, item: JudgeItem) -> ParsedReply:
    """The reply to a call claim by claim, or an error of kind 'contradictory' where it cannot be about this record.

    Args:
        parsed: What the reply says; an error stays as it is.
        item: The record that was shown.
    """
    if parsed.outcome is Outcome.ERROR:
        return parsed
    if not parsed.claims:
        return (
            parsed
            if _may_claim_nothing(item)
            else _contradictory(parsed, claims="none in an answer that says something")
        )
    for claim in parsed.claims:
        if claim.verdict == "supported" and not any(source_id_of(name, item.record) for name in claim.sources):
            return _contradictory(parsed, field="sources", value=", ".join(claim.sources)[:80])
    return parsed


def source_id_of(name: str, record: AnswerRecord) -> str | None:
    """The id of the source that a judge names, as 'D2', '[D2]', 'source D2' or by its place; None for no source."""
    ids = {fold(source.id): source.id for source in record.sources}
    for part in (name, *_SEVERAL.split(name)):
        folded = fold(part)
        plain = _NAMED.sub("", folded.strip(EDGE), count=1).strip(EDGE)
        for form in (folded, folded.strip(EDGE), plain):
            if form and form in ids:
                return ids[form]
        # The blocks of the prompt are numbered from 1, whatever the ids.
        if plain.isdecimal() and len(plain) < 6 and 1 <= int(plain) <= len(record.sources):
            return record.sources[int(plain) - 1].id
    return None


def _may_claim_nothing(item: JudgeItem) -> bool:
    """Whether each sentence of the answer refuses or asks back, or none holds a word."""
    answer = item.record.answer.strip()
    if "refusal" in item.flags or not any(sign.isalnum() for sign in answer):
        return True
    return all(_claims_nothing(sentence) for sentence in _SENTENCE_END.split(answer))


def _claims_nothing(sentence: str) -> bool:
    # A refusal that the rules did not see: a number in it would be a claim.
    refuses = is_refusal(sentence) and not any(sign.isdigit() for sign in sentence)
    return refuses or sentence.rstrip(EDGE).endswith(_ASKS)


def _contradictory(parsed: ParsedReply, **detail: Any) -> ParsedReply:
    return replace(
        parsed,
        outcome=Outcome.ERROR,
        category=Category.UNREADABLE_REPLY,
        scores={},
        reasons={},
        categories={},
        outcomes={},
        claims=(),
        error_kind="contradictory",
        retry_may_help=True,
        detail=detail,
    )
