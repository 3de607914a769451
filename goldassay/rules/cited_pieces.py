"""Parts a sentence by its citations: in "95 euros [1] and 30 days' notice [2]" each mark answers for its own words.

Knows places of marks, not what sources say. Called by `goldassay.rules.cited_support`.
"""

from __future__ import annotations

import re

from goldassay.rules.cites import CitedSentence
from goldassay.rules.context import RuleContext

__all__ = ["cited_pieces"]

_LEAST_WORDS = 2
"""Words a piece must have to stand alone; 'See [1] and [2].' has one piece."""
# "According to [1], the fee is 95 euros [2]": the first mark speaks for what follows.
_LEADING = re.compile(
    r"\W*(?:according to|as (?:stated|noted|said|per)(?: in| by)?|per|in|from|based on|see|laut|nach|gemäß|selon"
    r"|d'après|según|secondo|volgens)\s*\Z",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w{2,}|\d")


def cited_pieces(context: RuleContext, sentence: CitedSentence, text: str) -> list[CitedSentence]:
    """The stretches that each mark, or row of marks, closes; the whole sentence where they cannot be told apart.

    Args:
        context: The record.
        sentence: One sentence with its sources.
        text: The answer with every mark blanked, at unchanged offsets.
    """
    uses = [use for use in context.cited.uses if sentence.start <= use[0] < sentence.end]
    pieces: list[CitedSentence] = []
    start = sentence.start
    for use in uses:
        is_row = bool(pieces) and not text[pieces[-1].end : use[0]].strip(" .,;")
        if is_row:
            last = pieces[-1]
            pieces[-1] = last._replace(end=use[1], known=tuple(sorted({*last.known, *use[2]})))
        else:
            pieces.append(CitedSentence(start, use[1], use[2], is_cited=True))
        start = pieces[-1].end
    is_closed = not _WORD.search(text, start, sentence.end)
    if len(pieces) < 2 or not is_closed or not all(_stands_alone(piece, text) for piece in pieces):
        return [sentence]
    return pieces


def _stands_alone(piece: CitedSentence, text: str) -> bool:
    own = text[piece.start : piece.end].rstrip(" .,;")
    return bool(piece.known) and _LEADING.match(own) is None and len(_WORD.findall(own)) >= _LEAST_WORDS
