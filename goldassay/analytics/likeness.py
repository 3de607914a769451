"""Free texts that say the same in like words, and a name for them.

Pure functions over lists of texts; bounded work, whatever the texts: each is compared with a
few groups that share its rarest words, so a hundred thousand wordings take some seconds.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from rapidfuzz.distance import Indel

__all__ = ["group_texts", "name_of"]

_ALIKE = 0.6
"""Share of words (in order) two wordings must have in common to be one cause."""
_ALIKE_TURNED = 0.75
"""The same of wordings whose words stand in another order: more of them must agree, since order tells a cause too."""
_RAREST = 6
"""Words of a text by which groups are looked up."""
_MAX_BLOCK = 20
"""Groups looked up by one word at most, the oldest first."""
_MAX_COMPARED = 10
"""Groups a text is compared with at most, those sharing most of its rare words first."""
_WORD = re.compile(r"[^\W\d_]{1,40}")
_MAX_TEXT = 400
"""Characters of a reason that are looked at."""
# fmt: off
_STOP_WORDS = frozenset({
    "a", "about", "also", "an", "and", "answer", "are", "as", "at", "be", "because", "but", "by", "did", "does", "for",
    "from", "had", "has", "have", "in", "into", "is", "it", "its", "not", "of", "on", "only", "or", "question", "s",
    "said", "says", "source", "sources", "t", "than", "that", "the", "them", "then", "there", "these", "they", "this",
    "those", "to", "was", "were", "which", "while", "with",
})
# fmt: on
"""Words that name no cause; other languages do without such a list, their rare words lead all the same."""


def group_texts(texts: Sequence[str]) -> list[int]:
    """Put texts that say the same in like words into one group.

    Numbers, names of marks and punctuation do not count: "the source says 2 hours, not 4" and
    "the source says 5 days, not 7" are one cause. A text joins the first group whose founding
    text shares enough words with it, looked up by its rarest words; words in the same order count for more.

    Args:
        texts: Distinct texts, the commonest first.

    Returns:
        For each text the number of its group, from 0 in the order of the groups' first texts.
    """
    worded = [_words(text) for text in texts]
    often = Counter(word for words in worded for word in set(words))
    founders: list[list[str]] = []
    by_word: dict[str, list[int]] = defaultdict(list)
    numbers: list[int] = []
    for words in worded:
        number = next((n for n in _near(words, often, by_word) if _alike(words, founders[n])), len(founders))
        if number == len(founders):
            founders.append(words)
            for word in set(words) or {""}:
                by_word[word].append(number)
        numbers.append(number)
    return numbers


def _near(words: Sequence[str], often: Counter[str], by_word: Mapping[str, list[int]]) -> list[int]:
    """Groups that share most of the text's rarest words; common words would open a flood."""
    shared: Counter[int] = Counter()
    for word in sorted(set(words) or {""}, key=lambda w: (often[w], w))[:_RAREST]:
        shared.update(by_word.get(word, ())[:_MAX_BLOCK])
    return [number for number, _ in sorted(shared.items(), key=lambda item: (-item[1], item[0]))[:_MAX_COMPARED]]


def _alike(one: Sequence[str], two: Sequence[str]) -> bool:
    if Indel.normalized_similarity(one, two) >= _ALIKE:
        return True
    # "The tone is rude and dismissive" and "dismissive, rude tone" say the same the other way round.
    return Indel.normalized_similarity(sorted(one), sorted(two)) >= _ALIKE_TURNED


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text[:_MAX_TEXT].casefold()) if word not in _STOP_WORDS]


def name_of(texts: Sequence[tuple[str, int]], *, most: int = 4) -> str:
    """Name a group by its commonest words, in the order of its commonest text.

    Args:
        texts: (text, how often), the commonest first.
        most: Words in the name at most.

    Returns:
        Words joined by blanks; 'no words' when the texts have none.
    """
    often: Counter[str] = Counter()
    for text, times in texts:
        for word in set(_words(text)):
            often[word] += times
    order = list(dict.fromkeys(word for text, _ in texts for word in _words(text)))
    chosen = set(sorted(order, key=lambda word: (-often[word], order.index(word)))[:most])
    return " ".join(word for word in order if word in chosen) or "no words"
