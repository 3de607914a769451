"""Whether the answer only repeats a year by which the question names its subject: 'Who won the 2014 final?'.

A question that could be answered with yes or no asks about the year itself, so nothing is an echo of it. Called by
`_number_fates` for years that stand in no source.
"""

from __future__ import annotations

import re

from goldassay.rules._number_counted import Sought
from goldassay.rules._number_match import may_be_year

__all__ = ["is_echo"]

_ASKS_FOR_MORE = re.compile(
    r"(?:^|[.!?\n] ?|, )(?:[^\W\d_]{1,10} ){0,2}(?:who|what|which|where|when|how|why|whose)\b", re.IGNORECASE
)
_WORD_BEHIND = re.compile(r"[ -]([^\W\d_]{2,24})")


def is_echo(sought: Sought, question: str) -> bool:
    """Whether the year with its next word stands in a question that asks for something else.

    Args:
        sought: A number of the answer.
        question: The question in normal form.
    """
    behind = _WORD_BEHIND.match(sought.behind)
    if not may_be_year(sought.number) or behind is None or _ASKS_FOR_MORE.search(question) is None:
        return False
    return f"{sought.number.written}{behind.group()}".casefold() in question.casefold()
