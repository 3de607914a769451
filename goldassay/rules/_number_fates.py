"""What becomes of each number of an answer: where it was looked for, where it stands, or why it does not.

Takes the places from best to worst: the cited sources (all where none is cited), the
other sent sources, the question and earlier turns. What stands nowhere is weighed:
counts of what the answer itself tells, names, sums, the day of speaking. The rule
`numbers` sums the fates up; `explain` shows them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from goldassay.rules._number_compare import find_as_written, find_month_and_day, find_number, holds_year, names_years
from goldassay.rules._number_derive import derivation
from goldassay.rules._number_index import MOST_NUMBERS, NumberIndex, index_numbers, read_numbers
from goldassay.rules._number_language import decimal_style, language_of
from goldassay.rules._number_lists import claims_only, without_labels
from goldassay.rules._number_match import How, Match
from goldassay.rules._number_model import Kind, Number
from goldassay.rules._number_screen import has_nothing_like
from goldassay.rules.context import RuleContext
from goldassay.rules.settings import NumbersConfig
from goldassay.text import normalise
from goldassay.verdicts import Category, Outcome

__all__ = ["NumberFate", "examine_numbers"]


class NumberFate(NamedTuple):
    """One number of the answer and what became of it."""

    number: Number
    outcome: Outcome
    category: Category | None
    how: str
    """'same', 'rounded', 'converted', ..., 'question_only', 'uncited_source', 'derived', 'nowhere'."""
    reason: str = ""
    source: int | None = None
    """Position in `record.sources` of the source that holds it."""
    start: int | None = None
    """Its place in the normal form of that source."""
    end: int | None = None


def examine_numbers(context: RuleContext, config: NumbersConfig) -> list[NumberFate]:
    """Every number of the answer with its fate, in the order of the answer."""
    language = _language(context)
    claims = claims_only(context.answer.prose, context.cited.spans, language)
    found = [number for number in read_numbers(claims, language, MOST_NUMBERS) if not _is_generic(number)]
    if not found:
        return []
    search = _Search(context, config, claims, language)
    texts = [source.text for source in context.sources]
    return [search.fate(number) for number in without_labels(found, claims, context.answer.prose, texts)]


def _language(context: RuleContext) -> str:
    return (
        language_of(context.answer.prose)
        or (context.record.lang or "")[:2].lower()
        or language_of(context.question.text)
    )


def _is_generic(number: Number) -> bool:
    """'one', 'first', 'the second way': words that mostly count nothing."""
    if not number.word:
        return False
    return not number.readings or number.readings[0] in {0, 1} or number.kind is Kind.ORDINAL


_ADJECTIVES = "main|key|major|different|separate|distinct|unrelated|common|important|possible|primary|other|simple"
_COUNTED = (
    "ways?|things?|steps?|reasons?|options?|types?|kinds?|topics?|pieces?|subjects?|points?|aspects?|factors?|methods?"
    "|categories|parts?|examples?|tips?|entities|individuals|questions?|areas?|groups?|issues?|elements?|approaches"
)
_COUNTED_BY_ANSWER = re.compile(
    rf" (?:(?:{_ADJECTIVES}) ){{0,3}}(?:{_COUNTED})\b| (?:separate|distinct|unrelated|different)\b", re.IGNORECASE
)
_TIME_OF_SPEAKING = re.compile(
    r"(?:\bas of|\bas at|\bstand(?: vom)?:?|\bà la date du|\ba fecha de) (?:the |early |late |mid-?)?$", re.IGNORECASE
)


def _counts_vaguely(number: Number, claims: str) -> bool:
    """'two', 'three main reasons', a bare 0: counts of what the answer tells, which no source need write."""
    if not number.readings or number.kind is not Kind.QUANTITY:
        return False
    value = number.readings[0]
    if value == 0:
        return True  # 'no time' is 0 days
    if number.unit or number.currency:
        return False
    if number.word and value == 2:
        return True
    return 1 < value <= 12 and _COUNTED_BY_ANSWER.match(claims, number.end) is not None


_HOW_IT_AGREES = {
    How.ROUNDED: "is {} rounded",
    How.CONVERTED: "is {} in another form",
    How.AMBIGUOUS_DATE: "agrees with one reading of {} (ambiguous date)",
    How.AMBIGUOUS_SEPARATOR: "agrees with {} only if a separator is read the other way (ambiguous separator)",
    How.UNDECIDED_SEPARATOR: "may agree with {}: the texts do not show how they write decimals (ambiguous separator)",
    How.SIGN: "stands there with another sign: {}",
}


_QUARTER = re.compile(r"q[1-4]|[1-4]q")


def _are_siblings(key: str, other: str) -> bool:
    letters, other_letters = (re.sub(r"[^a-z]", "", name) for name in (key, other))
    if letters == other_letters:
        return True
    return bool(key[:1].isdigit() and other_letters) and key.rstrip(letters) == other.rstrip(other_letters)


class _Search:
    """Looks for the numbers of one answer, place by place."""

    def __init__(self, context: RuleContext, config: NumbersConfig, claims: str, language: str) -> None:
        self.context = context
        self.config = config
        self.claims = claims
        self.style = decimal_style(language)
        self.seen: dict[tuple[object, ...], NumberFate] = {}
        count = len(context.sources)
        known = context.cited.known if config.look_in == "cited" else ()
        self.first: Sequence[int] = known or range(count)
        self.others = [index for index in range(count) if index not in self.first]

    def fate(self, number: Number) -> NumberFate:
        """Where the number stands; the same number in the same words is looked for once."""
        before = self.claims[max(0, number.start - 30) : number.start]
        behind = self.claims[number.end : number.end + 30]
        key = (number.written, number.kind, number.unit, before, behind)
        known = self.seen.get(key)
        if known is None:
            known = self.seen[key] = self._sought(number, before)
        return known._replace(number=number)

    def _sought(self, number: Number, before: str) -> NumberFate:
        """From the best place to the worst."""
        for place in self.first:
            match = find_as_written(number, self.context.sources[place].text, self.style)
            if match is not None:
                return _found(number, place, match)
        best = self._among(number, self.first, before)
        if best is not None and best[1].how is How.SAME:
            return _found(number, *best)
        if best is not None:
            return self._doubtful(number, *best)
        return self._elsewhere(number, before)

    def _among(self, number: Number, places: Iterable[int], before: str) -> tuple[int, Match] | None:
        best: tuple[int, Match] | None = None
        for place in places:
            if has_nothing_like(number, self.context.sources[place].text):
                continue
            match = find_number(number, self._index(place), before)
            if match is not None and match.how is How.SAME:
                return place, match
            best = best or ((place, match) if match is not None else None)
        return best

    def _index(self, place: int) -> NumberIndex:
        return index_numbers(self.context.sources[place].text)

    def _doubtful(self, number: Number, place: int, match: Match) -> NumberFate:
        there = repr(self._index(place).text[match.start : match.end])
        outcome = self._decision(match.how)
        category = None if outcome is Outcome.PASS else Category.WRONG_NUMBER
        reason = f"{number.written!r} {_HOW_IT_AGREES[match.how].replace('{}', there, 1)}"
        return NumberFate(number, outcome, category, match.how.value, reason, place, match.start, match.end)

    def _decision(self, how: How) -> Outcome:
        return {
            How.ROUNDED: Outcome(self.config.rounded),
            How.CONVERTED: Outcome(self.config.converted),
            How.UNDECIDED_SEPARATOR: Outcome(self.config.ambiguous),
            How.AMBIGUOUS_SEPARATOR: Outcome.FAIL,
            How.SIGN: Outcome.UNSURE,
        }.get(how, Outcome.PASS)

    def _elsewhere(self, number: Number, before: str) -> NumberFate:
        if number.dates and (joined := self._date_in_pieces(number)) is not None:
            return joined
        uncited = self._among(number, self.others, before)
        if uncited is not None:
            return self._uncited(number, *uncited)
        if self._in_conversation(number):
            outcome = Outcome(self.config.question_only)
            reason = f"{number.written!r} stands only in the question"
            return _missed(number, outcome, Category.ADDED_CLAIM, "question_only", reason)
        return self._nowhere(number, before)

    def _date_in_pieces(self, number: Number) -> NumberFate | None:
        """'14 September' in one source and '2026' in another, or in the question, make the date."""
        year = number.dates[0].year
        found = [(place, find_month_and_day(number, self._index(place))) for place in self.first]
        place, match = next(((place, match) for place, match in found if match), (0, None))
        if year is None or match is None:
            return None
        if any(holds_year(year, self._index(other)) for other in self.first) or self._in_question(year):
            return _found(number, place, match)
        reason = f"the year of {number.written!r} stands in none of the sources"
        if any(names_years(self._index(other)) for other in self.first):
            return _missed(number, Outcome.FAIL, Category.WRONG_NUMBER, "wrong_year", reason)
        return _missed(number, Outcome.UNSURE, Category.ADDED_CLAIM, "year_added", reason)

    def _in_question(self, year: int) -> bool:
        return holds_year(year, index_numbers(self.context.question.text))

    def _uncited(self, number: Number, place: int, match: Match) -> NumberFate:
        source_id = self.context.record.sources[place].id
        reason = f"{number.written!r} stands only in source {source_id!r}, which the answer does not cite"
        outcome = Outcome(self.config.uncited_source)
        fate = _missed(number, outcome, Category.MISATTRIBUTED, "uncited_source", reason)
        return fate._replace(source=place, start=match.start, end=match.end)

    def _in_conversation(self, number: Number) -> bool:
        turns = (normalise(turn.text).text for turn in self.context.record.turns)
        return any(find_number(number, index_numbers(text)) for text in (self.context.question.text, *turns))

    def _nowhere(self, number: Number, before: str) -> NumberFate:
        if _TIME_OF_SPEAKING.search(before):
            reason = f"{number.written!r} stands in no source, but may be the day on which the answer was given"
            return _missed(number, Outcome.UNSURE, Category.ADDED_CLAIM, "time_of_speaking", reason)
        if _counts_vaguely(number, self.claims):
            outcome = Outcome(self.config.vague_counts)
            reason = f"{number.written!r} stands in no source, but may count what the answer itself tells"
            return _missed(number, outcome, Category.WRONG_NUMBER, "vague_count", reason)
        if number.kind is Kind.IDENTIFIER and not self._has_sibling(number):
            outcome = Outcome(self.config.unknown_name)
            reason = f"the name {number.written!r} stands in no source"
            return _missed(number, outcome, Category.WRONG_NUMBER, "unknown_name", reason)
        texts = (self.context.sources[place].text for place in self.first)
        how = derivation(number, (index_numbers(text) for text in texts if not has_nothing_like(number, text)))
        if how is not None:
            outcome = Outcome(self.config.derived)
            reason = f"{number.written!r} stands in no source; derived: {how}"
            return _missed(number, outcome, Category.WRONG_NUMBER, "derived", reason)
        reason = f"{number.written!r} stands in {self._where()}{self._asked_for(number)}"
        return _missed(number, Outcome.FAIL, Category.WRONG_NUMBER, "nowhere", reason)

    def _asked_for(self, number: Number) -> str:
        """A note where the question sets a scale that holds the number: 'CONFIDENCE 1-10'."""
        asked = index_numbers(self.context.question.text)
        for low, high in zip(asked.numbers, asked.numbers[1:], strict=False):
            is_range = asked.text[low.end : high.start].strip() in {"-", "to", "bis", "à", "a"}
            if is_range and number.readings and low.readings[0] <= number.readings[0] <= high.readings[0]:
                return f" (number requested by the question: {low.written} to {high.written})"
        return ""

    def _has_sibling(self, number: Number) -> bool:
        """Whether a source holds another name of its kind: K-205 beside K-204, 12c beside 12b, Q2 beside Q3."""
        if _QUARTER.fullmatch(number.key):
            return any("quarter" in self.context.sources[place].text.lower() for place in self.first)
        keys = (key for place in self.first for key in self._index(place).by_key)
        return any(_are_siblings(number.key, key) for key in keys)

    def _where(self) -> str:
        if self.context.cited.known and self.config.look_in == "cited":
            names = ", ".join(repr(self.context.record.sources[place].id) for place in self.first)
            return f"no source it cites ({names})"
        return "none of the sources"


def _found(number: Number, place: int, match: Match) -> NumberFate:
    return NumberFate(number, Outcome.PASS, None, match.how.value, "", place, match.start, match.end)


def _missed(number: Number, outcome: Outcome, category: Category, how: str, reason: str) -> NumberFate:
    return NumberFate(number, outcome, None if outcome is Outcome.PASS else category, how, reason)
