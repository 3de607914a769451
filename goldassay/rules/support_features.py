"""What a lexical reading can see of an answer beside its sources, as one row of numbers.

Every feature compares stems (`goldassay.rules.support_words`): how many of the
answer's words stand in the sources, in which order, how near each other, what is
new. Nothing here knows a data set or a threshold; `goldassay.rules.support_model`
turns the row into a score. `FEATURES_VERSION` changes whenever a feature does:
the shipped coefficients belong to one version.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from goldassay.rules.support_manner import manner
from goldassay.rules.support_order import alignment, best_places, order
from goldassay.rules.support_reading import Reading
from goldassay.rules.support_words import is_number, tokens, weights

__all__ = ["FEATURES_VERSION", "read_support"]

FEATURES_VERSION = "1"
_NAME = re.compile(r"(?<![\w'])[^\W\d_a-z][\w'-]{1,40}")


def read_support(reading: Reading) -> dict[str, float]:
    """The features of one answer, by name; every value is finite.

    Args:
        reading: An answer with at least one word and at least one source.
    """
    row: dict[str, float] = {}
    for part in _PARTS:
        row.update(part(reading))
    return row


def _recall(r: Reading) -> dict[str, float]:
    """How much of the answer stands in the sources at all."""
    count = max(1, len(r.content))
    types = set(r.content)
    known = types & r.known
    best = max((r.total(filter(source.holds, known)) for source in r.sources), default=0.0)
    invented = r.total(r.invented)
    return {
        "recall": 1 - len(r.novel) / count,
        "recall_weighted": 1 - r.total(r.novel) / r.size,
        "recall_with_question": 1 - invented / r.size,
        "recall_of_all_words": sum(map(r.known.__contains__, r.coded)) / max(1, len(r.coded)),
        "recall_in_best_source": best / (r.total(types) or 1e-9),
        "novel_log": math.log1p(len(set(r.novel))),
        "invented_log": math.log1p(len(set(r.invented))),
        "invented_rarest": max(map(r.weight.__getitem__, r.invented), default=0.0),
        "invented_rarity": invented / max(1, len(r.invented)),
        "rarity": r.size / count,
    }


def _mismatches(r: Reading) -> dict[str, float]:
    """Numbers, names and negations that do not fit."""
    are_numbers = {code for stem, code in r.codes.items() if is_number(stem)}
    numbers = [code for code in r.coded if code in are_numbers] if are_numbers else []
    wrong = [code for code in numbers if code not in r.known]
    far = 0
    added = lost = False
    for sentence, segment in zip(r.sentences, [fit.segment for fit in r.fits], strict=True):
        far += sum(code not in segment for code in sentence.codes if code in are_numbers) if are_numbers else 0
        here, there = not r.negations.isdisjoint(sentence.codes), not r.negations.isdisjoint(segment)
        added, lost = added or (here and not there), lost or (there and not here)
    names, unknown = _names(r)
    return {
        "numbers_wrong": min(3.0, len(set(wrong))),
        "numbers_wrong_share": len(wrong) / max(1, len(numbers)),
        "numbers_far": min(3.0, far),
        "numbers_log": math.log1p(len(numbers)),
        "names_unknown": min(4.0, unknown),
        "names_unknown_share": unknown / max(1, names),
        "names_log": math.log1p(names),
        "negation_added": float(added),
        "negation_lost": float(lost),
    }


def _names(r: Reading) -> tuple[int, int]:
    """Words with a capital within a sentence, and those of them that stand nowhere else."""
    weight = weights()
    found = [name for sentence in r.every for name in _NAME.findall(sentence.text, 2)]
    stems = [stem for stem in tokens(" ".join(found)) if weight[stem] > 0]
    return len(stems), sum(r.codes.get(stem) not in r.known and stem not in r.asked for stem in stems)


_PARTS: tuple[Callable[[Reading], dict[str, float]], ...] = (
    _recall, order, best_places, alignment, _mismatches, manner,
)  # fmt: skip
