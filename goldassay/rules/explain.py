"""One answer taken apart: every number, citation and sentence with where it was found, or why not.

Each sentence is laid beside the sources whether or not the rule `support` runs. Gives
data (`Explanation`); `goldassay.reporting` prints it for `goldassay check --explain ID`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.rules.context import RuleContext
from goldassay.rules.engine import RuleSet, load_rules
from goldassay.rules.numbers import NumberFate, examine_numbers
from goldassay.rules.refusal_lexicon import sidelines
from goldassay.rules.support import place_of, reading_of
from goldassay.text import sentences
from goldassay.verdicts import Evidence, Finding, Outcome

__all__ = ["Explanation", "Mark", "explain"]

_AROUND = 40  # characters shown on either side of a place in a source
_HARDLY = 0.3  # share of a sentence's words, weighted by rarity, below which no place holds it


class Mark(NamedTuple):
    """One span of the answer and what is known of it."""

    kind: Literal["number", "citation", "sentence"]
    start: int
    """Offset in the original answer."""
    end: int
    text: str
    """The span as it stands in the original answer."""
    outcome: Outcome
    reason: str = ""
    """Why it is not fine, or how it agrees; empty where there is nothing to tell."""
    source_id: str | None = None
    """The source that holds it, or that the citation means."""
    source_title: str | None = None
    source_start: int | None = None
    """Offset in the original text of that source."""
    source_end: int | None = None
    source_text: str = ""
    """The place in the source with some words around it."""


class Explanation(NamedTuple):
    """One answer with all its marks and what each rule says."""

    record: AnswerRecord
    golden: GoldenQuestion | None
    marks: tuple[Mark, ...]
    """By start; a sentence comes before what stands in it."""
    findings: tuple[tuple[str, Finding], ...]
    """Name of the rule and what it says, in the order reported."""


def explain(record: AnswerRecord, golden: GoldenQuestion | None = None, rules: RuleSet | None = None) -> Explanation:
    """Take one answer apart.

    Args:
        record: The answer with the sources that were really sent.
        golden: Its golden question, if any.
        rules: The rules; None: the default ones.
    """
    ruleset = rules if rules is not None else load_rules()
    context = RuleContext(record, golden, ruleset.config, ruleset.cache)
    findings = tuple(ruleset.check(record, golden))
    inner = [*_numbers(context), *_citations(context)]
    marks = [*_sentences(context, inner, findings), *inner]
    return Explanation(record, golden, tuple(sorted(marks, key=lambda mark: (mark.start, -mark.end))), findings)


def _numbers(context: RuleContext) -> list[Mark]:
    if not context.record.sources:
        return []
    return [_number(context, fate) for fate in examine_numbers(context, context.config.numbers)]


def _number(context: RuleContext, fate: NumberFate) -> Mark:
    start, end = context.answer.to_raw(fate.number.start, fate.number.end)
    mark = Mark("number", start, end, context.record.answer[start:end], fate.outcome, fate.reason)
    if fate.source is None or fate.start is None or fate.end is None:
        return mark
    return _placed(mark, context, fate.source, *context.sources[fate.source].to_raw(fate.start, fate.end))


def _placed(mark: Mark, context: RuleContext, place: int, start: int, end: int) -> Mark:
    source = context.record.sources[place]
    return mark._replace(
        source_id=source.id,
        source_title=source.title,
        source_start=start,
        source_end=end,
        source_text=source.text[max(0, start - _AROUND) : end + _AROUND],
    )


def _citations(context: RuleContext) -> list[Mark]:
    marks = []
    for start, end, places in context.cited.uses:
        raw_start, raw_end = context.answer.to_raw(start, end)
        text = context.record.answer[raw_start:raw_end]
        marks += [
            Mark("citation", raw_start, raw_end, text, Outcome.PASS, "", source.id, source.title)
            for source in (context.record.sources[place] for place in places)
        ] or [Mark("citation", raw_start, raw_end, text, Outcome.FAIL, "no such source was sent")]
    return marks


def _sentences(context: RuleContext, inner: list[Mark], findings: tuple[tuple[str, Finding], ...]) -> list[Mark]:
    places = _best_places(context)
    marks = []
    for span in sentences(context.answer):
        start, end = context.answer.to_raw(*span)
        text = context.record.answer[start:end]
        mark = Mark("sentence", start, end, text, *_worst(start, end, inner, findings))
        marks.append(_with_place(mark, context, places.get(span[0])))
    return marks


def _best_places(context: RuleContext) -> dict[int, tuple[float, Evidence | None]]:
    """For each sentence that claims something, by its start: how much of it stands in its best place, and where."""
    if not context.record.sources or context.is_refusal:
        return {}
    reading = reading_of(context)
    pairs = zip(reading.sentences, [fit.window for fit in reading.fits], strict=True)
    claims = [(sentence, window) for sentence, window in pairs if sidelines().search(sentence.text.lower()) is None]
    return {sentence.start: (window.recall, place_of(context, window)) for sentence, window in claims}


def _with_place(mark: Mark, context: RuleContext, best: tuple[float, Evidence | None] | None) -> Mark:
    """The sentence with the place in the sources that fits it best, or the remark that none does."""
    if best is None:
        return mark
    share, place = best
    if share < _HARDLY and mark.outcome is Outcome.PASS:
        mark = mark._replace(outcome=Outcome.UNSURE, reason=f"{share:.0%} of its words stand together in a source")
    if place is None or place.start is None or place.end is None:
        return mark
    number = next(i for i, source in enumerate(context.record.sources) if source.id == place.source_id)
    return _placed(mark, context, number, place.start, place.end)


def _worst(start: int, end: int, inner: list[Mark], findings: tuple[tuple[str, Finding], ...]) -> tuple[Outcome, str]:
    """The worst of what lies in a sentence, and which rule or mark says so."""
    said = [(mark.outcome, mark.reason) for mark in inner if start <= mark.start < end]
    said += [
        (finding.outcome, f"{name}: {finding.reason}")
        for name, finding in findings
        for evidence in finding.evidence
        if evidence.source_id is None and evidence.start is not None and start <= evidence.start < end
    ]
    for outcome in (Outcome.FAIL, Outcome.UNSURE):
        for found, reason in said:
            if found is outcome:
                return outcome, reason
    return Outcome.PASS, ""
