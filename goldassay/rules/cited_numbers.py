"""Numbers of a cited stretch that stand in another source than the one it cites.

Asks the reader of `numbers`, but for the source of one stretch and not of the whole
answer. Called by `goldassay.rules.cited_support`.
"""

from __future__ import annotations

from collections.abc import Sequence

from goldassay.rules._number_compare import find_number
from goldassay.rules._number_counted import sought_at
from goldassay.rules._number_index import index_numbers, read_numbers
from goldassay.rules._number_language import language_of
from goldassay.rules._number_match import How
from goldassay.rules._number_model import Kind, Number

__all__ = ["holders_of_numbers"]

_MOST_READ = 20
"""Numbers of one stretch that are looked up."""


def holders_of_numbers(claim: str, cited: Sequence[str], others: Sequence[str]) -> list[tuple[str, list[int]]]:
    """Each number that no cited source holds, with the places among `others` of the sources that hold it as it is."""
    found: list[tuple[str, list[int]]] = []
    for number in read_numbers(claim, language_of(claim), _MOST_READ):
        if _claims_nothing(number) or any(_stands_in(number, claim, text, any_way=True) for text in cited):
            continue
        places = [place for place, text in enumerate(others) if _stands_in(number, claim, text)]
        if places:
            found.append((number.written, places))
    return found


def _claims_nothing(number: Number) -> bool:
    """'one', 'first': words that mostly count nothing."""
    is_small = not number.readings or number.readings[0] in {0, 1}
    return number.word and (is_small or number.kind is Kind.ORDINAL)


def _stands_in(number: Number, claim: str, text: str, *, any_way: bool = False) -> bool:
    match = find_number(sought_at(number, claim), index_numbers(text))
    return match is not None and (any_way or match.how is How.SAME)
