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
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

from rapidfuzz import process
from rapidfuzz.distance import LCSseq
from rapidfuzz.fuzz import ratio

from goldassay.rules.support_limits import NEGATIONS
from goldassay.rules.support_reading import Reading, Sentence
from goldassay.rules.support_words import is_number, tokens
from goldassay.rules.wordlists import word_set

__all__ = ["FEATURES_VERSION", "read_support"]

FEATURES_VERSION = "1"
_NEAR = 8
"""Tokens within which two words that stand side by side in the answer should meet in a source."""
_NAME = re.compile(r"(?<![\w'])[^\W\d_a-z][\w'-]{1,40}")
_HEDGE = re.compile(
    r"\b(?:may|might|could|possibly|perhaps|probably|likely|seems?|suggests?|usually|often|typically|generally|think"
    r"|believe|guess)\b"
)
_SPACED_STOP = re.compile(r"\w [.,](?: |$)")
"""A full stop parted from its word, as in tokenised text."""
_DENSE_SCRIPT = re.compile(r"[\u3040-\u9fff]")
_CAPITAL = re.compile(r"[A-ZÀ-ÞА-Я]")
_ASCII_CAPITALS = bytes(range(ord("A"), ord("Z") + 1))
_ASCII_LETTERS = _ASCII_CAPITALS + _ASCII_CAPITALS.lower()
_FIRST_PERSON = word_set("i my me we our us")
_SECOND_PERSON = word_set("you your")
_MOST_COMPARED = 8
"""New words that are compared with all words of the sources for a near spelling."""
_LIKE = 60
"""Least similarity (0-100) at which two spellings are near."""
_LEAST_WEIGHT_MOVED = 2.5
_LOW = 0.5


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
    type_weight = r.total(types) or 1e-9
    best = max((r.total(known) for known in r.known_by_source), default=0.0)
    known = types & r.vocabulary
    source_types = sum(map(bool, map(r.weights.__getitem__, r.vocabulary)))
    return {
        "recall": 1 - len(r.novel) / count,
        "recall_weighted": 1 - r.total(r.novel) / r.weight,
        "recall_with_question": 1 - r.total(r.invented) / r.weight,
        "recall_of_all_words": sum(stem in r.vocabulary for stem in r.stems) / max(1, len(r.stems)),
        "recall_in_best_source": best / type_weight,
        "novel_log": math.log1p(len(set(r.novel))),
        "invented_log": math.log1p(len(set(r.invented))),
        "invented_rarest": max(map(r.weights.__getitem__, r.invented), default=0.0),
        "invented_rarity": r.total(r.invented) / max(1, len(r.invented)),
        "coverage": len(known) / max(1, source_types),
        "rarity": r.weight / count,
    }


def _near_spellings(r: Reading) -> dict[str, float]:
    """Whether new words are other forms of known ones."""
    compared = [s for s in dict.fromkeys(r.invented) if len(s) > 3 and s.isascii() and not is_number(s)][
        :_MOST_COMPARED
    ]
    known = [stem for stem in r.vocabulary if len(stem) > 3] if compared else []
    likeness: dict[str, float] = {}
    for stem in compared:
        near = process.extractOne(stem, known, scorer=ratio, score_cutoff=_LIKE)
        likeness[stem] = near[1] / 100 if near else _LOW
    missing = 0.0
    for stem in r.invented:
        like = likeness.get(stem, _LOW)
        missing += r.weights[stem] * (0.0 if like >= 0.85 else 1 - like if like >= 0.7 else 1.0)
    prefixes = {stem[:5] for stem in known if len(stem) >= 5}
    lost = {s for s in r.invented if len(s) < 5 or s[:5] not in prefixes}
    return {
        "recall_by_spelling": 1 - missing / r.weight,
        "lost_log": math.log1p(len(lost)),
        "likeness": sum(likeness.values()) / len(likeness) if likeness else 1.0,
    }


def _order(r: Reading) -> dict[str, float]:
    """Whether words stand in the sources side by side as they do in the answer."""
    answer_pairs = list(pairwise(r.stems))
    answer_triples = list(zip(r.stems, r.stems[1:], r.stems[2:]))  # noqa: B905 - the last words have no neighbours
    pairs, triples = _grams(r)
    known_pairs = [p for p in answer_pairs if r.vocabulary.issuperset(p)]
    known_triples = [t for t in answer_triples if r.vocabulary.issuperset(t)]
    run = longest = 0
    for triple in answer_triples:
        run = run + 1 if triple in triples else 0
        longest = max(longest, run)
    return {
        "pairs": sum(p in pairs for p in answer_pairs) / max(1, len(answer_pairs)),
        "triples": sum(t in triples for t in answer_triples) / max(1, len(answer_triples)),
        "pairs_of_known": sum(p in pairs for p in known_pairs) / max(1, len(known_pairs)),
        "triples_of_known": sum(t in triples for t in known_triples) / max(1, len(known_triples)),
        "verbatim": min(1.0, (longest + 2 if longest else 0) / max(1, len(r.stems))),
        **_neighbours(r),
    }


def _grams(r: Reading) -> tuple[set[tuple[str, str]], set[tuple[str, str, str]]]:
    """Pairs and triples of the sources whose words all stand in the answer."""
    pairs: set[tuple[str, str]] = set()
    triples: set[tuple[str, str, str]] = set()
    before = -9
    one = two = ""
    for position, stem in r.all_hits:
        if position == before + 1:
            pairs.add((one, stem))
            if two:
                triples.add((two, one, stem))
            two = one
        else:
            two = ""
        one, before = stem, position
    return pairs, triples


def _neighbours(r: Reading) -> dict[str, float]:
    """Whether neighbouring content words of the answer meet anywhere in a source."""
    places: dict[str, list[int]] = {stem: [] for stem in r.content}
    for position, stem in r.hits:
        places[stem].append(position)
    both = near = 0
    for one, two in pairwise(r.content):
        if places[one] and places[two]:
            both += 1
            near += _meet(places[one], places[two])
    total = max(1, len(r.content) - 1)
    return {"neighbours": near / total, "neighbours_parted": (both - near) / total}


def _meet(one: list[int], two: list[int]) -> bool:
    """Whether two ascending rows of places come within `_NEAR` of each other."""
    i = j = 0
    while i < len(one) and j < len(two):
        if abs(one[i] - two[j]) <= _NEAR:
            return True
        if one[i] < two[j]:
            i += 1
        else:
            j += 1
    return False


def _windows(r: Reading) -> dict[str, float]:
    """How well each sentence fits one place of the sources; the weakest sentence counts by itself."""
    if not r.sentences:
        return dict.fromkeys(_WINDOW_FEATURES, 0.0)
    sizes = [r.total(set(s.stems)) or 1e-9 for s in r.sentences]
    recalls = [w.recall for w in r.windows]
    whole = [_whole(r, s, size) for s, size in zip(r.sentences, sizes, strict=True)]
    second = [
        w.recall + r.window(s, max(16, len(s.stems)), frozenset(segment)).recall if w.recall < 1 else 1.0
        for s, w, segment in zip(r.sentences, r.windows, r.segments, strict=True)
    ]
    short = [r.window(s, max(8, int(len(s.stems) * 0.7))).recall for s in r.sentences]
    long = [r.window(s, max(40, len(s.stems) * 4)).recall for s in r.sentences]
    scattered = [a - b for a, b in zip(whole, recalls, strict=True)]
    weak = sum(recall < _LOW for recall in recalls) / len(recalls)
    values = (
        min(recalls), _mean(recalls, sizes), min(second), min(long), _mean(short, sizes), min(whole),
        _mean(scattered, sizes), weak,
    )  # fmt: skip
    return dict(zip(_WINDOW_FEATURES, values, strict=True))


def _whole(r: Reading, sentence: Sentence, size: float) -> float:
    """Share of a sentence that stands anywhere in the sources."""
    return r.total(r.vocabulary.intersection(sentence.stems)) / size


_WINDOW_FEATURES = (
    "window_min", "window_mean", "two_windows_min", "long_window_min", "short_window_mean", "sentence_min",
    "scattered", "weak_sentences",
)  # fmt: skip


def _mean(values: Sequence[float], sizes: Sequence[float]) -> float:
    return sum(v * s for v, s in zip(values, sizes, strict=True)) / (sum(sizes) or 1e-9)


def _alignment(r: Reading) -> dict[str, float]:
    """What must be exchanged, added or moved to turn the best window into the sentence."""
    common: list[float] = []
    content_common: list[float] = []
    exchanged = added = 0
    moved: list[str] = []
    for sentence, segment in zip(r.sentences, r.segments, strict=True):
        if not segment:
            common.append(0.0)
            continue
        common.append(LCSseq.similarity(sentence.stems, segment) / len(sentence.stems))
        content = [x for x in sentence.stems if r.weights[x] > 0]
        content_common.append(LCSseq.similarity(content, [x for x in segment if r.weights[x] > 0]) / len(content))
        here = set(segment)
        moved.extend(x for x in content if r.weights[x] > _LEAST_WEIGHT_MOVED and x in r.vocabulary and x not in here)
        swaps, inserts = _edits(r, segment, sentence.stems)
        exchanged += swaps
        added += inserts
    count = max(1, len(r.content))
    sizes = [r.total(s.stems) or 1e-9 for s in r.sentences]
    return {
        "common_min": min(common, default=0.0),
        "common_mean": _mean(common, sizes),
        "content_common_min": min(content_common, default=0.0),
        "content_common_mean": sum(content_common) / max(1, len(content_common)),
        "moved": len(moved) / count,
        "moved_rarest": max(map(r.weights.__getitem__, moved), default=0.0),
        "exchanged": exchanged / count,
        "added": added / count,
    }


def _edits(r: Reading, segment: list[str], stems: list[str]) -> tuple[int, int]:
    """Content words exchanged for few others, and content words added, on the way from segment to sentence."""
    exchanged = added = 0
    for edit in LCSseq.opcodes(segment, stems):
        if edit.tag not in {"replace", "insert"}:
            continue
        new = sum(1 for x in stems[edit.dest_start : edit.dest_end] if r.weights[x] > 0)
        old = sum(1 for x in segment[edit.src_start : edit.src_end] if r.weights[x] > 0)
        if 0 < new <= 3 and 0 < old <= 3:
            exchanged += new
        else:
            added += new
    return exchanged, added


def _mismatches(r: Reading) -> dict[str, float]:
    """Numbers, names and negations that do not fit."""
    numbers = [stem for stem in r.stems if is_number(stem)]
    wrong = [stem for stem in numbers if stem not in r.vocabulary]
    far = sum(
        1
        for s, g in zip(r.sentences, map(set, r.segments), strict=True)
        for x in s.stems
        if is_number(x) and x not in g
    )
    names = unknown = 0
    for sentence in r.every:
        for match in _NAME.finditer(sentence.text, 2):
            for stem in tokens(match.group()):
                if r.weights[stem] > 0:
                    names += 1
                    unknown += stem not in r.vocabulary and stem not in r.asked
    added = lost = False
    for sentence, segment in zip(r.sentences, r.segments, strict=True):
        here, there = not NEGATIONS.isdisjoint(sentence.stems), not NEGATIONS.isdisjoint(segment)
        added, lost = added or (here and not there), lost or (there and not here)
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


def _manner(r: Reading) -> dict[str, float]:
    """How the answer speaks, and how long answer and sources are."""
    count = max(1, len(r.stems))
    return {
        "hedges": len(_HEDGE.findall(r.answer.lower())) / count,
        "first_person": sum(stem in _FIRST_PERSON for stem in r.stems) / count,
        "second_person": sum(stem in _SECOND_PERSON for stem in r.stems) / count,
        "asks": float("?" in r.answer),
        "refuses_first": float(r.begins_with_refusal),
        "answer_log": math.log(count),
        "sources_log": math.log1p(sum(map(len, r.per_source))),
        "sources_count_log": math.log(max(1, len(r.per_source))),
        "sentences_log": math.log(max(1, len(r.every))),
        "sentence_length_log": math.log(count / max(1, len(r.every))),
        "function_words": 1 - len(r.content) / count,
        "question_overlap": sum(stem in r.asked for stem in r.content) / max(1, len(r.content)),
        "has_question": float(bool(r.asked)),
        **_writing(r),
    }


def _writing(r: Reading) -> dict[str, float]:
    """How answer and sources are set: a headline, a chat and a page with menus are read with other measures."""
    text = r.answer
    upper, letters = _letters(text)
    characters, capitals, lines, spaces = map(sum, zip(*map(_manner_of, r.texts), strict=True))
    return {
        "has_capitals": float(upper > 0),
        "capitals": upper / max(1, letters),
        "is_tokenised": float(_SPACED_STOP.search(text) is not None),
        "has_quotes": float('"' in text),
        "exclaims": float("!" in text),
        "is_dense": float(_DENSE_SCRIPT.search(text) is not None),
        "ends_with_stop": float(text.rstrip()[-1:] in {".", "!", "?", "。"}),
        "has_lines": float("\n" in text.strip()),
        "punctuation": sum(map(text.count, ",;:()")) / max(1, len(text)),
        "sources_capitals": capitals / max(1, characters),
        "sources_lines": 1000 * lines / max(1, characters),
        "sources_word_length": characters / max(1, spaces),
    }


@lru_cache(maxsize=2048)
def _manner_of(source: str) -> tuple[int, int, int, int]:
    """Characters, capitals, line ends and words of a source."""
    return len(source), _capitals(source), source.count("\n"), source.count(" ") + 1


def _capitals(source: str) -> int:
    if source.isascii():  # as the pattern, in a tenth of its time
        return _count(source, _ASCII_CAPITALS)
    return len(_CAPITAL.findall(source))


def _letters(text: str) -> tuple[int, int]:
    """Capitals and letters of a text."""
    if text.isascii():
        return _count(text, _ASCII_CAPITALS), _count(text, _ASCII_LETTERS)
    return sum(map(str.isupper, text)), sum(map(str.isalpha, text))


def _count(text: str, letters: bytes) -> int:
    return len(text) - len(text.encode().translate(None, delete=letters))


_PARTS: tuple[Callable[[Reading], dict[str, float]], ...] = (
    _recall, _near_spellings, _order, _windows, _alignment, _mismatches, _manner,
)  # fmt: skip
