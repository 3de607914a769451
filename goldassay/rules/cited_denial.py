"""Whether a claim denies what a source says in nearly the same words, or leaves a denial out.

Compares words: it sees that one side says "not" and the other does not, never what
that means, so that it only raises doubt. Called by `goldassay.rules.cited_support`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from goldassay.rules.support_words import tokens, weights, without_marks
from goldassay.rules.wordlists import word_set

__all__ = ["differs_by_a_negation"]

_NEGATIONS = word_set(
    "not no never neither nor without cannot isn't aren't wasn't weren't don't doesn't didn't won't can't couldn't"
    " shouldn't wouldn't hasn't haven't nobody none nicht kein keine keinen keiner keinem nie niemals ohne pas jamais"
    " aucun aucune nunca jamás sin ningún ninguna não sem nenhum niet geen nooit zonder inte ikke ingen"
)
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
# "not only", "no more than" and "no. 5" deny nothing.
_NO_DENIAL = re.compile(r"\bnot (?:only|just)\b|\bno (?:more|less|later|longer|fewer|earlier) than\b|\bno\. ?\d")
_STOP = re.compile(r"[.!?;\n](?:\s|\Z)|\n")
_CLAUSE = re.compile(r"[,:]\s|\s-\s|\b(?:but|and|while|although|whereas|aber|und|mais|et|pero|y)\b")
_LEAST_WORDS = 2
_FEW_WORDS = 3
"""A claim of fewer words is compared only with what says all of them and hardly more: 'Cats are permitted.'"""
_HELD = 0.8
"""Share of a claim's words, by weight, that must stand in one sentence before its negations are compared."""


class _Unit(NamedTuple):
    stems: frozenset[str]
    denies: bool


def differs_by_a_negation(claim: str, texts: Iterable[str]) -> bool:
    """Whether only one side denies, where a source says nearly the same words in one place."""
    weight = weights()
    stems = {stem for stem in tokens(claim) if weight[stem] > 0} - _NEGATIONS
    total = math.fsum(map(weight.__getitem__, stems))
    if len(stems) < _LEAST_WORDS or not total:
        return False

    def close(units: tuple[_Unit, ...]) -> list[_Unit]:
        if len(stems) < _FEW_WORDS:
            return [unit for unit in units if stems <= unit.stems and len(unit.stems - _NEGATIONS) <= _FEW_WORDS]
        return [unit for unit in units if math.fsum(weight[stem] for stem in stems & unit.stems) >= _HELD * total]

    read = [_units(text) for text in texts]
    whole = [unit for sentences, _ in read for unit in close(sentences)]
    if _denies(claim):
        return bool(whole) and not any(unit.denies for unit in whole)
    clauses = [unit for _, clauses in read for unit in close(clauses)]
    return any(unit.denies for unit in clauses) and all(unit.denies for unit in (*clauses, *whole))


def _denies(text: str) -> bool:
    bare = _NO_DENIAL.sub(" ", text.lower())
    return not _NEGATIONS.isdisjoint(_WORD.findall(bare))


@lru_cache(maxsize=128)
def _units(text: str) -> tuple[tuple[_Unit, ...], tuple[_Unit, ...]]:
    """The sentences of a source, and their clauses."""
    sentences = [piece for piece in _STOP.split(without_marks(text)) if piece.strip()]
    clauses = [clause for piece in sentences for clause in _CLAUSE.split(piece) if clause.strip()]
    return tuple(map(_unit, sentences)), tuple(map(_unit, clauses))


def _unit(text: str) -> _Unit:
    return _Unit(frozenset(tokens(text)), _denies(text))
