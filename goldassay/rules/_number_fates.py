"""What becomes of each number of an answer: where it was looked for, where it stands, or why it does not.

Takes the places from best to worst: the cited sources (all where none is cited), the
other sent sources, the question and earlier turns. What stands nowhere is weighed:
counts of what the answer itself tells, names, sums, the day of speaking. The rule
`numbers` sums the fates up; `explain` shows them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from goldassay.rules._number_compare import find_as_written, find_month_and_day, find_number, holds_year, names_years
from goldassay.rules._number_counted import Sought, sought_at
from goldassay.rules._number_denied import is_denied_time
from goldassay.rules._number_derive import derivation
from goldassay.rules._number_echo import is_echo
from goldassay.rules._number_index import MOST_NUMBERS, NumberIndex, index_numbers, read_numbers
from goldassay.rules._number_language import decimal_style, language_of, language_of_answer
from goldassay.rules._number_lists import claims_only, without_labels
from goldassay.rules._number_match import How, Match
from goldassay.rules._number_model import Kind, Number
from goldassay.rules._number_places import Places, SourcePlaces
from goldassay.rules._number_reckoned import reckoning
from goldassay.rules._number_screen import has_nothing_like
from goldassay.rules._number_unfound import asked_for, counts_vaguely, has_sibling, is_time_of_speaking
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
    """'same', 'rounded', 'converted', ..., 'question_only', 'uncited_source', 'reckoned', 'derived', 'nowhere'."""
    reason: str = ""
    source: int | None = None
    """Position in `record.sources` of the source that holds it."""
    start: int | None = None
    """Its place in the normal form of that source."""
    end: int | None = None


class _Doubt(NamedTuple):
    """Why a number that stands nowhere is not simply wrong."""

    outcome: Outcome
    how: str
    why: str


def examine_numbers(context: RuleContext, config: NumbersConfig) -> list[NumberFate]:
    """Every number of the answer with its fate, in the order of the answer."""
    language = _language(context)
    claims = claims_only(context.own_words, (), language)
    read = read_numbers(claims, language, MOST_NUMBERS, context.prose_words)
    found = [number for number in read if not _is_generic(number)]
    if not found:
        return []
    texts = [source.text for source in context.sources]
    claimed = without_labels(found, claims, context.answer.prose, texts)
    search = _Search(context, config, claims, language, claimed)
    return [search.fate(number) for number in search.numbers]


def _language(context: RuleContext) -> str:
    return (
        language_of_answer(context.answer.prose, context.prose_words)
        or (context.record.lang or "")[:2].lower()
        or language_of(context.question.text)
    )


def _is_generic(number: Number) -> bool:
    """'one', 'first', 'the second way': words that mostly count nothing."""
    if not number.word or number.minutes:
        return False
    return not number.readings or number.readings[0] in {0, 1} or number.kind is Kind.ORDINAL


_HOW_IT_AGREES = {
    How.ROUNDED: "is {} rounded",
    How.CONVERTED: "is {} in another form",
    How.AMBIGUOUS_DATE: "agrees with one reading of {} (ambiguous date)",
    How.AMBIGUOUS_SEPARATOR: "agrees with {} only if a separator is read the other way (ambiguous separator)",
    How.UNDECIDED_SEPARATOR: "may agree with {}: the texts do not show how they write decimals (ambiguous separator)",
    How.SIGN: "stands there with another sign: {}",
    How.POINTS: "is {} there: percent are no percentage points",
    How.OTHER_THING: "may count another thing than {} there",
}
_DOUBT_IN = {"time_of_speaking": Category.ADDED_CLAIM}
_SAME_FIGURE_ONLY = frozenset({How.POINTS, How.OTHER_THING})


class _Search:
    """Looks for the numbers of one answer, place by place."""

    def __init__(
        self, context: RuleContext, config: NumbersConfig, claims: str, language: str, numbers: list[Number]
    ) -> None:
        self.context = context
        self.numbers = numbers
        self.config = config
        self.claims = claims
        self.style = decimal_style(language)
        self.seen: dict[tuple[object, ...], NumberFate] = {}
        self.where = SourcePlaces(context, config)

    def fate(self, number: Number) -> NumberFate:
        """Where the number stands; the same number in the same words is looked for once."""
        sought = sought_at(number, self.claims)
        quickly = self._as_written(sought, self.where.at_next_mark(number))
        if quickly is not None:
            return quickly
        places = self.where.of(number)
        key = (number.written, number.kind, number.unit, sought.before, sought.behind, places)
        known = self.seen.get(key)
        if known is None:
            known = self.seen[key] = self._sought(sought, places)
        return known._replace(number=number)

    def _sought(self, sought: Sought, places: Places) -> NumberFate:
        """From the best place to the worst."""
        written = self._as_written(sought, places.first)
        if written is not None:
            return written
        best = self._among(sought, places.first)
        if best is not None and best[1].how is How.SAME:
            return _found(sought.number, *best)
        if best is not None:
            return self._doubtful(sought.number, *best)
        return self._elsewhere(sought, places)

    def _as_written(self, sought: Sought, places: Iterable[int]) -> NumberFate | None:
        for place in places:
            match = find_as_written(sought, self.context.sources[place].text, self.style)
            if match is not None:
                return _found(sought.number, place, match)
        return None

    def _among(self, sought: Sought, places: Iterable[int]) -> tuple[int, Match] | None:
        best: tuple[int, Match] | None = None
        for place in places:
            if has_nothing_like(sought.number, self.context.sources[place].text):
                continue
            match = find_number(sought, self._index(place))
            if match is not None and match.how is How.SAME:
                return place, match
            if match is not None and (best is None or best[1].how in _SAME_FIGURE_ONLY):
                best = place, match
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
            How.POINTS: Outcome.UNSURE,
            How.OTHER_THING: Outcome.UNSURE,
        }.get(how, Outcome.PASS)

    def _elsewhere(self, sought: Sought, places: Places) -> NumberFate:
        number = sought.number
        if number.dates and (joined := self._date_in_pieces(number, places)) is not None:
            return joined
        for others in (places.cited_elsewhere, places.uncited):
            found = self._among(sought, others)
            if found is not None:
                return self._in_another_source(sought, places, *found)
        if self._in_conversation(sought):
            return self._question_only(sought)
        return self._nowhere(sought, places)

    def _date_in_pieces(self, number: Number, places: Places) -> NumberFate | None:
        """'14 September' in one source and '2026' in another, or in the question, make the date."""
        year = number.dates[0].year
        found = [(place, find_month_and_day(number, self._index(place))) for place in places.first]
        place, match = next(((place, match) for place, match in found if match), (0, None))
        if year is None or match is None:
            return None
        others = [self._index(other) for other in (*places.first, *places.cited_elsewhere)]
        if any(holds_year(year, other) for other in others) or self._in_question(year):
            return _found(number, place, match)
        reason = f"the year of {number.written!r} stands in none of the sources"
        if any(names_years(other) for other in others):
            return _missed(number, Outcome.FAIL, Category.WRONG_NUMBER, "wrong_year", reason)
        return _missed(number, Outcome.UNSURE, Category.ADDED_CLAIM, "year_added", reason)

    def _in_question(self, year: int) -> bool:
        return holds_year(year, index_numbers(self.context.question.text))

    def _in_another_source(self, sought: Sought, places: Places, place: int, match: Match) -> NumberFate:
        written = sought.number.written
        source_id = self.context.record.sources[place].id
        outcome = Outcome(self.config.uncited_source)
        how, which = "uncited_source", "the answer does not cite"
        may_be_meant = counts_vaguely(sought.number, self.claims)
        if place in places.cited_elsewhere:
            how, which = "cited_elsewhere", "its sentence does not cite"
            may_be_meant = may_be_meant or self.where.may_be_cited(sought.number, place, self.numbers)
        if outcome is Outcome.FAIL and may_be_meant:
            outcome = Outcome.UNSURE
        reason = f"{written!r} stands only in source {source_id!r}, which {which}"
        fate = _missed(sought.number, outcome, Category.MISATTRIBUTED, how, reason)
        return fate._replace(source=place, start=match.start, end=match.end)

    def _in_conversation(self, sought: Sought) -> bool:
        turns = (normalise(turn.text).text for turn in self.context.record.turns)
        texts = (self.context.question.text, *turns)
        return any(
            find_number(sought, index_numbers(text)) for text in texts if not has_nothing_like(sought.number, text)
        )

    def _question_only(self, sought: Sought) -> NumberFate:
        number = sought.number
        if is_echo(sought, self.context.question.text) and not self._sources_name_years():
            return NumberFate(number, Outcome.PASS, None, "echo")
        outcome = Outcome(self.config.question_only)
        reason = f"{number.written!r} stands only in the question"
        return _missed(number, outcome, Category.ADDED_CLAIM, "question_only", reason)

    def _sources_name_years(self) -> bool:
        return any(names_years(self._index(place)) for place in range(len(self.context.sources)))

    def _nowhere(self, sought: Sought, places: Places) -> NumberFate:
        number = sought.number
        doubt = self._may_be_right(sought, places) or self._follows(sought, places)
        if doubt is not None:
            outcome, how, why = doubt
            return _missed(number, outcome, _DOUBT_IN.get(how, Category.WRONG_NUMBER), how, f"{number.written!r} {why}")
        reason = f"{number.written!r} stands in {self._where(places)}{asked_for(number, self.context.question.text)}"
        return _missed(number, Outcome.FAIL, Category.WRONG_NUMBER, "nowhere", reason)

    def _may_be_right(self, sought: Sought, places: Places) -> _Doubt | None:
        """Why the words around the number make it one that no source need hold."""
        number = sought.number
        if is_time_of_speaking(sought.before):
            why = "stands in no source, but may be the day on which the answer was given"
            return _Doubt(Outcome.UNSURE, "time_of_speaking", why)
        if counts_vaguely(number, self.claims):
            why = "stands in no source, but may count what the answer itself tells"
            return _Doubt(Outcome(self.config.vague_counts), "vague_count", why)
        if number.kind is Kind.IDENTIFIER and not has_sibling(number, map(self._index, places.first)):
            return _Doubt(Outcome(self.config.unknown_name), "unknown_name", "is a name that stands in no source")
        if is_denied_time(number, self.claims, map(self._index, places.first)):
            why = "stands in no source, but the answer denies it, which may be right"
            return _Doubt(Outcome.UNSURE, "denied", why)
        return None

    def _follows(self, sought: Sought, places: Places) -> _Doubt | None:
        """How the number may follow from figures of the sources."""
        number = sought.number
        texts = (self.context.sources[place].text for place in places.first)
        how = derivation(number, (index_numbers(text) for text in texts if not has_nothing_like(number, text)))
        derived = _Doubt(Outcome(self.config.derived), "derived", f"stands in no source; derived: {how}")
        if how is not None and derived.outcome is Outcome.PASS:
            return derived
        reckoned = reckoning(sought, self.claims, map(self._index, places.first))
        if reckoned is not None:
            why = f"stands in no source, but may be reckoned from {reckoned}"
            return _Doubt(Outcome(self.config.reckoned), "reckoned", why)
        return None if how is None else derived

    def _where(self, places: Places) -> str:
        if places.are_cited:
            names = ", ".join(repr(self.context.record.sources[place].id) for place in places.first)
            return f"no source it cites ({names})"
        return "none of the sources"


def _found(number: Number, place: int, match: Match) -> NumberFate:
    return NumberFate(number, Outcome.PASS, None, match.how.value, "", place, match.start, match.end)


def _missed(number: Number, outcome: Outcome, category: Category, how: str, reason: str) -> NumberFate:
    return NumberFate(number, outcome, None if outcome is Outcome.PASS else category, how, reason)
