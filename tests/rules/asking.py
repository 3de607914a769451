"""Asks the rule `numbers` of one answer; for the tests of what it reads and of what it takes for the same."""

from __future__ import annotations

from goldassay.records import AnswerRecord, Source
from goldassay.rules import RulesConfig, load_rules
from goldassay.verdicts import Finding, Outcome

__all__ = ["finding_of", "outcome_of"]

_RULES = load_rules(RulesConfig(enabled=("numbers",)))


def finding_of(answer: str, *sources: str, question: str = "What is it?", **settings: str) -> Finding:
    """What the rule says of an answer with these sources, which get the ids "1", "2", ..., under its settings."""
    record = AnswerRecord(
        record_id="1",
        question=question,
        answer=answer,
        sources=tuple(Source(id=str(place), text=text) for place, text in enumerate(sources, start=1)),
    )
    rules = load_rules(RulesConfig(enabled=("numbers",), numbers=settings)) if settings else _RULES
    return rules.check(record)[0][1]


def outcome_of(answer: str, source: str) -> Outcome:
    """Its outcome for an answer with one source."""
    return finding_of(answer, source).outcome
