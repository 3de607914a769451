"""Features of `support` that look at places: the order of the words, and the best window of each sentence.

Called by `goldassay.rules.support_features`, which says what a feature is.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, pairwise
from operator import and_

from rapidfuzz.distance import LCSseq

from goldassay.rules.support_codes import GAP, standing
from goldassay.rules.support_reading import Reading

__all__ = ["alignment", "best_places", "order"]

_LOW = 0.5


def order(r: Reading) -> dict[str, float]:
    """Whether words stand in the sources side by side as they do in the answer."""
    pairs = [one + two for one, two in pairwise(r.coded)]
    known = list(map(r.known.__contains__, r.coded))
    known_pairs = list(map(and_, known, known[1:]))
    likely = GAP.join([fit.segment for fit in r.fits])
    paired = list(map(standing(set(compress(pairs, known_pairs)), r.flat, likely).__contains__, pairs))
    triples = [pair + third for pair, third in zip(pairs, r.coded[2:], strict=False)]
    possible = set(compress(triples, map(and_, paired, paired[1:])))
    tripled = list(map(standing(possible, r.flat, likely).__contains__, triples))
    known_triples = sum(map(and_, known_pairs, known[2:]))
    longest = _longest_run(tripled)
    return {
        "pairs": sum(paired) / max(1, len(pairs)),
        "triples": sum(tripled) / max(1, len(tripled)),
        "pairs_of_known": sum(paired) / max(1, sum(known_pairs)),
        "triples_of_known": sum(tripled) / max(1, known_triples),
        "verbatim": min(1.0, (longest + 2 if longest else 0) / max(1, len(r.coded))),
    }


def _longest_run(tripled: Sequence[bool]) -> int:
    return max(map(len, bytes(tripled).split(b"\0")))


def best_places(r: Reading) -> dict[str, float]:
    """How well each sentence fits one place of the sources; the weakest sentence counts by itself."""
    if not r.sentences:
        return dict.fromkeys(_WINDOW_FEATURES, 0.0)
    sizes = [fit.weight for fit in r.fits]
    recalls = [fit.window.recall for fit in r.fits]
    whole = [fit.known for fit in r.fits]
    scattered = [fit.known - fit.window.recall for fit in r.fits]
    weak = sum(recall < _LOW for recall in recalls) / len(recalls)
    values = (min(recalls), _mean(recalls, sizes), min(whole), _mean(scattered, sizes), weak)
    return dict(zip(_WINDOW_FEATURES, values, strict=True))


_WINDOW_FEATURES = ("window_min", "window_mean", "sentence_min", "scattered", "weak_sentences")


def _mean(values: Sequence[float], sizes: Sequence[float]) -> float:
    return sum(v * s for v, s in zip(values, sizes, strict=True)) / (sum(sizes) or 1e-9)


def alignment(r: Reading) -> dict[str, float]:
    """How much of each sentence stands in the same order in its best window."""
    common: list[float] = []
    content_common: list[float] = []
    for sentence, fit in zip(r.sentences, r.fits, strict=True):
        segment = fit.segment
        if not segment:
            common.append(0.0)
            continue
        common.append(LCSseq.similarity(sentence.codes, segment) / len(sentence.codes))
        # The words that weigh nothing need not be taken out of the segment: none of them is looked for.
        content_common.append(LCSseq.similarity(sentence.content, segment) / len(sentence.content))
    return {
        "common_min": min(common, default=0.0),
        "common_mean": _mean(common, [r.total(s.content) or 1e-9 for s in r.sentences]),
        "content_common_min": min(content_common, default=0.0),
        "content_common_mean": sum(content_common) / max(1, len(content_common)),
    }
