"""Resolves the citation marks of an answer: which sources each one means, which are unknown, which are no citation.

Knows the answer's text and the ids of the sources; it opens a source's text only
to see whether a mark that resolves to nothing was copied from there. Called by
`RuleContext.cited` through `goldassay.rules.cites`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from goldassay.rules.cites_base import expanded, is_place, is_title
from goldassay.rules.cites_else import (
    cites_in_words,
    has_detached_style,
    is_copied,
    is_data,
    is_index,
    is_interval,
    is_maths,
    is_pattern,
    is_ratio,
    with_marks_in_code,
)
from goldassay.rules.cites_ids import IdBook, bare_address, id_book
from goldassay.rules.cites_lists import closing_list
from goldassay.rules.cites_marks import CITING_WORDS, Item, Mark, find_marks
from goldassay.rules.cites_named import Use, bracketed_uses, linked_uses, named_source
from goldassay.rules.context import Citations, RuleContext
from goldassay.rules.wordlists import word_set

__all__ = ["resolve_citations"]

_LARGEST_BARE_NUMBER = 999
"""A larger number in brackets is a year or a quantity, unless a source has it for its id."""
_LARGEST_DIGIT = 9
_NUMBERING = word_set("no nos nr n° n number num nummer numéro número")
_SHORT_NAME = re.compile(r"[SD]\d{1,3}")
"""'[S1]' names source 1 where it was sent; '[S. 1]' is a page."""


_DATA_ENDS = ("= ", "=", "∈ ", "ress ", "ial ", "option ")
"""How a text may go on before what is data: 'x = [1]', 'press [1]'; `is_data` looks closer."""


def resolve_citations(context: RuleContext) -> Citations:
    """What the answer cites, each mark resolved against the ids of the sources sent."""
    config = context.config.cites
    answer = context.answer
    vocabulary = context.vocabulary
    marks = find_marks(
        with_marks_in_code(answer.text, answer.prose),
        parentheses=config.parentheses,
        superscripts=config.superscripts,
        vocabulary=vocabulary,
    )
    if not marks and not answer.apart and "(" not in answer.prose:
        return _NOTHING
    sources = context.record.sources
    book = id_book(tuple([s.id for s in sources]), tuple([s.url or "" for s in sources]), config.base)
    close, end = closing_list(answer.text)
    resolver = _Resolver(context, book, marks)
    uses = [use for mark in marks if (use := resolver.use(mark)) is not None]
    uses += linked_uses(context, book)
    uses += bracketed_uses(context, book, uses)
    uses.sort()
    return _collect(uses, close, end, zero_based=resolver.zero_based)


_NOTHING = Citations()


def _collect(uses: list[Use], close: int | None, end: int, *, zero_based: bool) -> Citations:
    """Part the uses from the list at the end; a list of one source below an answer without marks is its citation."""
    body, listed = uses, uses[:0]
    if close is not None:
        body = [use for use in uses if use.start < close]
        listed = uses[len(body) :]
    spans = [(use.start, use.end) for use in body]
    if close is not None:
        spans.append((close, end))
    if not body and len({name for use in listed for name in use.names}) == 1:
        body = listed[:1]
    return Citations(
        cited=_unique([name for use in body for name in use.names]),
        unknown=_unique([name for use in (*body, *listed) for name in use.unknown]),
        known=tuple(sorted({position for use in body for position in use.known})),
        spans=tuple(spans),
        uses=tuple([(use.start, use.end, use.known) for use in body]),
        listed=_unique([name for use in listed for name in use.names]),
        flags=("zero_based",) if zero_based and uses else (),
    )


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


class _Resolver:
    """Says of each mark of one answer which sources it means, or that it is no citation."""

    def __init__(self, context: RuleContext, book: IdBook, marks: list[Mark]) -> None:
        self.context = context
        self.book = book
        self.text = context.answer.text
        self.links = {span.label_start: span for span in context.answer.apart if span.label_start is not None}
        self.zero_based = book.base == 0 or (
            book.base == "auto"
            and book.counts_positions
            and any(item.first == 0 for mark in marks if self._counts(mark) for item in mark.items)
        )
        self.marks = marks
        self.marked = (
            [(i, source.text) for i, source in enumerate(context.sources) if "[" in source.text] if marks else []
        )

    @cached_property
    def is_detached(self) -> bool:
        """Whether marks of this answer stand apart from the words."""
        return has_detached_style(self.text, self.marks)

    def _counts(self, mark: Mark) -> bool:
        return mark.kind == "bracket" and not is_interval(mark, self._literal(mark), self._before(mark))

    def _literal(self, mark: Mark) -> str:
        return self.text[mark.start : mark.end]

    def _before(self, mark: Mark) -> str:
        return self.text[max(0, mark.start - 40) : mark.start]

    def use(self, mark: Mark) -> Use | None:
        """The mark as a use; None where it is a link's label, code, a year, mathematics or the source's own text."""
        if mark.start + 1 in self.links and self._is_label(mark):
            return None
        literal = self._literal(mark)
        key = (mark.kind, literal, self.zero_based)
        meant = self.book.meant.get(key)
        if meant is None:
            use = self._resolve(mark, literal)
            if use is None or use.unknown:  # what an unknown one is depends on the words around it
                return use
            meant = self.book.remember(key, use.known, use.names)
        is_in_doubt = (
            self.marked or len(mark.items) > 1 or not self.text[mark.start - 1].isspace() or ":" in literal
            or self.text.endswith(_DATA_ENDS, 0, mark.start)
        )  # fmt: skip
        if is_in_doubt and mark.kind == "bracket" and self._is_something_else(mark, literal, meant[0]):
            return None
        return Use(mark.start, mark.end, *meant, ())

    def _is_something_else(self, mark: Mark, literal: str, known: tuple[int, ...]) -> bool:
        """Whether a bracket that would name a source is plainly none: an index, an interval, copied from elsewhere."""
        before = self.text[mark.start - 1] if mark.start else " "
        if (before.isalnum() or before == "_") and is_index(
            mark, self.text, is_known=True, is_detached=self.is_detached
        ):
            return True
        if len(mark.items) == 2 and is_interval(mark, literal, self._before(mark)):
            return True
        if is_data(mark, self.text, is_known=True) or is_ratio(mark, self.text, is_known=True):
            return True
        return bool(self.marked) and is_copied(mark, self.text, self.marked, known)

    def _resolve(self, mark: Mark, literal: str) -> Use | None:
        inside = literal[1:-1]
        # In a log that counts from 0, [1] is the second source, although its neighbour may have the id '1'.
        by_count = self.zero_based and inside.strip().isdecimal() and self.book.is_counted
        whole = (
            named_source(self.context, self.book, inside)
            if mark.kind in {"bracket", "lenticular"} and not by_count
            else None
        )
        if whole is not None:
            return self._made(mark, [whole], [])
        known: list[int] = []
        unknown: list[str] = []
        may_go_on = True
        for i, item in enumerate(mark.items):
            if not may_go_on and ";" not in literal and not is_place(mark.items[i + 1 : i + 2]):
                break  # "[1, p. 3, 4]": the rest tells the place
            if self._take(item, mark, known, unknown):
                continue
            if i == 0 or not (mark.items[0].word in CITING_WORDS or is_place((item,)) or is_title(item)):
                return None
            may_go_on = False
        if unknown and self._is_no_citation(mark, known):
            return None
        return self._made(mark, known, unknown)

    def _made(self, mark: Mark, known: list[int], unknown: list[str]) -> Use:
        ids = [source.id for source in self.context.record.sources]
        names = _unique([*(ids[position] for position in known), *unknown])
        return Use(mark.start, mark.end, tuple(dict.fromkeys(known)), names, _unique(unknown))

    def _take(self, item: Item, mark: Mark, known: list[int], unknown: list[str]) -> bool:
        """Sort one member in; False: it is nothing that could name a source."""
        told = item.text.partition("†")[2]  # "【4:1†price.pdf】"
        exact = self.book.find(told or item.text) if item.first is None or item.word or told else None
        if exact is not None:
            known.append(exact)
            return True
        if item.first is None:
            if mark.kind == "bracket" and self.book.is_like_an_id(item.text):
                unknown.append(item.text)
                return True
            return False
        if not self._names_a_source(item):
            return False
        numbers = expanded(item)
        if mark.kind == "superscript" and self._find(numbers[0]) is None and item.first and item.first > _LARGEST_DIGIT:
            numbers = [int(digit) for digit in str(item.first)]  # "five¹²" cites 1 and 2 where no 12 was sent
        for number in numbers:
            position = self._find(number)
            if position is None and not self._must_be_sent(item):
                unknown.append(str(number) if item.last is not None or not self._is_prefixed(item) else item.text)
            elif position is None:
                return False
            else:
                known.append(position)
        return True

    def _must_be_sent(self, item: Item) -> bool:
        """Whether the item names a source only if there is one: '[no. 7]' may be an issue, '[S7]' a seat."""
        return item.word in _NUMBERING or (item.word != self.book.prefix and bool(_SHORT_NAME.fullmatch(item.text)))

    def _find(self, number: int) -> int | None:
        return self.book.find_number(number, zero_based=self.zero_based)

    def _is_prefixed(self, item: Item) -> bool:
        return bool(self.book.prefix) and item.word == self.book.prefix.strip(" .:_-#")

    def _names_a_source(self, item: Item) -> bool:
        if item.word in CITING_WORDS or item.word in {"^", "#", "@"} or self._is_prefixed(item):
            return True
        if item.word in _NUMBERING or _SHORT_NAME.fullmatch(item.text):
            return True
        if item.word:
            return False
        number = item.first or 0
        return number <= _LARGEST_BARE_NUMBER or self.book.find_number(number) is not None

    def _is_no_citation(self, mark: Mark, known: list[int]) -> bool:
        """Whether a mark that names an unknown source is something else after all."""
        if mark.kind == "superscript" or (mark.kind == "lenticular" and "†" not in self.text[mark.start : mark.end]):
            return not known
        if mark.kind in {"parenthesis", "curly"}:
            return True
        before = self._before(mark)
        if mark.kind == "phrase" and not cites_in_words(before):
            return True
        if mark.kind == "bracket":
            is_code = is_index(mark, self.text, is_known=False, is_detached=self.is_detached)
            if is_code or is_maths(before) or is_pattern(mark, self.text):
                return True
            if is_data(mark, self.text, is_known=False) or is_ratio(mark, self.text, is_known=False):
                return True
        literal = self._literal(mark)
        return any(literal in source.text for source in self.context.sources)

    def _is_label(self, mark: Mark) -> bool:
        """Whether the mark is the label of a link that leads to a source or has a label of words."""
        span = self.links[mark.start + 1]
        if self.book.find_url(bare_address(self.text[span.start : span.end])) is not None:
            return True
        return mark.items[0].first is None and self.book.find(mark.items[0].text) is None
