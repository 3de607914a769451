"""Citations that need no mark: a link to a source's address, an id or a title in round brackets.

Knows the ids, addresses and titles of the sources sent. Called by
`goldassay.rules.cites_resolve`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from goldassay.rules.cites_ids import IdBook, bare_address
from goldassay.rules.cites_marks import CITING_WORDS
from goldassay.rules.context import RuleContext

__all__ = ["Use", "bracketed_uses", "linked_uses", "named_source"]

_LEAST_TITLE = 3
"""Characters of a title by which a source may be cited."""
# As in "(handbook.pdf)" and "(see kb-204, kb-205)".
_NAMED = re.compile(
    r"\((?:(?:see|sources?|from|quelle|siehe|vgl\.?|cf\.?)[:\s]\s?)?([^()\[\]\n]{2,80})\)", re.IGNORECASE
)
# "(1, 2)" cites by setting only, and "(fee)" is a word, although a source may bear it for its id.
_PLAIN_WORDS = re.compile(r"[\d\s,]{0,80}|[a-z]{0,80}")


class Use(NamedTuple):
    """One place of the answer that cites."""

    start: int
    end: int
    """Span in the normal form of the answer."""
    known: tuple[int, ...]
    """Positions in `record.sources` of the sources that were sent."""
    names: tuple[str, ...]
    """Ids as cited, the unknown ones among them."""
    unknown: tuple[str, ...]
    """Ids that were never sent."""


def named_source(context: RuleContext, book: IdBook, name: str) -> int | None:
    """Position of the source with this id or, if only one has it, this title."""
    position = book.find(name)
    if position is not None or name.strip().isdecimal():
        return position
    lead, _, rest = name.partition(":")
    if rest.strip() and lead.strip().lower() in CITING_WORDS:
        return named_source(context, book, rest)  # "Source: Price list"
    wanted = name.strip(" \"'").casefold()
    titles = [(source.title or "").strip().casefold() for source in context.record.sources]
    return titles.index(wanted) if len(wanted) >= _LEAST_TITLE and titles.count(wanted) == 1 else None


def linked_uses(context: RuleContext, book: IdBook) -> list[Use]:
    """Links that lead to a source's address are citations of it."""
    uses: list[Use] = []
    for span in context.answer.apart if book.by_url else ():
        if span.kind != "link":
            continue
        address = bare_address(context.answer.text[span.start : span.end]).split(" ", 1)[0].rstrip(">")
        position = book.find_url(address)
        if position is not None:
            start = span.start if span.label_start is None else span.label_start - 1
            uses.append(Use(start, span.end, (position,), (context.record.sources[position].id,), ()))
    return uses


def bracketed_uses(context: RuleContext, book: IdBook, taken: Sequence[Use]) -> list[Use]:
    """Ids and titles in round brackets, where no mark was found already."""
    prose = context.answer.prose
    if "(" not in prose:
        return []
    uses: list[Use] = []
    starts = sorted(use.start for use in taken)
    for match in _NAMED.finditer(prose):
        if _PLAIN_WORDS.fullmatch(match.group(1)):
            continue
        known = _all_named(context, book, match.group(1))
        if known and bisect_left(starts, match.start()) == bisect_left(starts, match.end()):
            ids = tuple(dict.fromkeys(context.record.sources[position].id for position in known))
            uses.append(Use(match.start(), match.end(), known, ids, ()))
    return uses


def _all_named(context: RuleContext, book: IdBook, content: str) -> tuple[int, ...]:
    """The sources that the content names, if it names nothing else."""
    whole = named_source(context, book, content)
    if whole is not None:
        return (whole,)
    found = [named_source(context, book, name) for name in content.split(",")]
    known = [position for position in found if position is not None]
    return tuple(dict.fromkeys(known)) if len(known) == len(found) else ()
