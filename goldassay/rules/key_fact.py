"""Rule `key_fact`: the answer states every key fact of its golden question.

All facts are needed, any accepted variant of each will do. Words are compared whole
("20" is not in "2020"), numbers and dates by value ("20 MB" is "20 megabytes"). A
negation that governs the fact is noticed. Knows nothing of the sources.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from rapidfuzz import fuzz

from goldassay.rules._fact_tokens import Token, find_run, read_tokens, same_token
from goldassay.rules._number_language import language_of
from goldassay.rules._number_model import Kind
from goldassay.rules._number_scan import read_at
from goldassay.rules.context import RuleContext
from goldassay.rules.settings import KeyFactConfig
from goldassay.text import normalise
from goldassay.verdicts import Category, Evidence, Finding, Outcome

__all__ = ["VERSION", "key_fact"]

VERSION = "1"

_NEGATIONS = frozenset(
    {
        "not", "no", "never", "neither", "nor", "without", "cannot", "hardly", "isn't", "aren't", "wasn't", "weren't",
        "don't", "doesn't", "didn't", "won't", "can't", "couldn't", "shouldn't", "wouldn't", "hasn't", "haven't",
        "nicht", "kein", "keine", "keinen", "keiner", "nie", "niemals", "ohne", "pas", "jamais", "aucun", "aucune",
        "sans", "nunca", "jamás", "sin", "ningún", "ninguna", "non", "mai", "senza", "nessun", "não", "sem", "nenhum",
        "niet", "geen", "nooit", "zonder", "不", "没", "無", "无", "非",
    }
)  # fmt: skip
_NO_NEGATION_AFTER = frozenset(
    {
        "only",
        "just",
        "merely",
        "later",
        "more",
        "less",
        "fewer",
        "earlier",
        "before",
        "after",
        "exceeding",
        "nur",
        "mehr",
    }
)
"""'not only 20', 'no later than 20 May': words that turn a negation into a bound."""
_MOST_SIMILAR_CHARACTERS = 20_000  # similarity is the one comparison that is not linear
_NEGATION_REACH = 4  # words between a negation and what it governs
_CLAUSE_ENDS = frozenset(".,;:!?\n()—")
_CONTRASTS = frozenset({"but", "sondern", "aber", "mais", "sino", "pero", "ma", "mas", "maar", "rather", "instead"})


class _Standing(StrEnum):
    STATED = "stated"
    NEGATED = "negated"
    DOUBTFUL = "doubtful"
    """A negation stands near, but may govern something else."""
    MISSING = "missing"


class _Fate(NamedTuple):
    fact: str
    standing: _Standing
    span: tuple[int, int] | None = None


def key_fact(context: RuleContext, config: KeyFactConfig) -> Finding:
    """Check that the answer states every key fact.

    Args:
        context: The record; its golden question names the facts.
        config: Whether a similar wording counts.

    Returns:
        Fail with category `missing_fact` where a fact is missing or denied, `unsure` where a negation stands
        near a fact; skipped for questions that name no fact or cannot be answered.
    """
    golden = context.golden
    if golden is None or not golden.key_facts:
        return Finding(Outcome.SKIP, reason="no golden question names a key fact")
    if not golden.answerable:
        return Finding(Outcome.SKIP, reason="the question cannot be answered")
    text = _without_marks(context)
    quick = [_as_written(fact, text) for fact in golden.key_facts if fact]
    if all(quick):
        return _summed_up(context, [fate for fate in quick if fate is not None])
    language = language_of(context.answer.prose) or (context.record.lang or "en")[:2]
    tokens = read_tokens(text, language)
    fates = [_fate(text, fact, tokens, language, config) for fact in golden.key_facts if fact]
    return _summed_up(context, fates)


def _as_written(fact: tuple[str, ...], text: str) -> _Fate | None:
    """The quick look: a fact of words stands as it is written, in a clause without a negation."""
    folded = text.casefold()
    if len(folded) != len(text):
        return None
    for variant in fact:
        wanted = normalise(variant).text.strip().casefold()
        start = folded.find(wanted) if wanted[:1].isalpha() and wanted[-1:].isalnum() else -1
        if start < 0:
            continue
        end = start + len(wanted)
        is_whole = not folded[start - 1 : start].isalnum() and not folded[end : end + 1].isalnum()
        is_whole = is_whole and (wanted[-1].isalpha() or _ends_with_figure(text, start, end))
        if is_whole and _NEGATIONS.isdisjoint(folded[max(0, start - 80) : start].replace(",", " ").split()):
            return _Fate(fact[0], _Standing.STATED, (start, end))
    return None


def _ends_with_figure(text: str, start: int, end: int) -> bool:
    """Whether the figure at the end is all of its number: not the 20 of '20,000', '20 %' or '20 million'."""
    first = text.rfind(" ", start, end) + 1
    if not text[first:end].replace(",", "").isdigit():
        return False
    number = read_at(text, first, "dot")
    return number.end == end and number.kind is Kind.QUANTITY and number.unit is None and len(number.readings) == 1


def _without_marks(context: RuleContext) -> str:
    """The answer without its citation marks: '[20]' does not state 20."""
    text = context.answer.text
    for start, end in context.cited.spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _fate(text: str, fact: tuple[str, ...], tokens: list[Token], language: str, config: KeyFactConfig) -> _Fate:
    """The best that any variant of the fact comes to."""
    fates = [_variant(variant, text, tokens, language) for variant in fact]
    if config.fuzzy is not None:
        fates += [_similar(variant, text, tokens, config.fuzzy) for variant in fact]
    return min(fates, key=lambda fate: list(_Standing).index(fate.standing))._replace(fact=fact[0])


def _variant(variant: str, text: str, tokens: list[Token], language: str) -> _Fate:
    wanted = read_tokens(normalise(variant).text, language)
    if not wanted:
        return _literally(variant, text)
    best = _Fate(variant, _Standing.MISSING)
    position = find_run(wanted, tokens)
    while position is not None:
        span = tokens[position].start, tokens[position + len(wanted) - 1].end
        standing = _standing(tokens, position, text)
        if standing is _Standing.STATED:
            return _Fate(variant, standing, span)
        best = min(best, _Fate(variant, standing, span), key=lambda fate: list(_Standing).index(fate.standing))
        position = find_run(wanted, tokens, position + 1)
    return best


def _literally(variant: str, text: str) -> _Fate:
    """A fact without letters or digits, for instance a sign."""
    wanted = normalise(variant).text.strip()
    start = text.find(wanted) if wanted else -1
    return (
        _Fate(variant, _Standing.MISSING)
        if start < 0
        else _Fate(variant, _Standing.STATED, (start, start + len(wanted)))
    )


def _standing(tokens: list[Token], position: int, text: str) -> _Standing:
    """Whether a negation before the fact, in the same clause, governs it."""
    for back in range(1, _NEGATION_REACH + 2):
        index = position - back
        if index < 0 or _CLAUSE_ENDS & set(text[tokens[index].end : tokens[index + 1].start]):
            return _Standing.STATED
        if tokens[index].word in _CONTRASTS:
            return _Standing.STATED
        if tokens[index].word in _NEGATIONS:
            return _governed(tokens, index, position)
    return _Standing.STATED


def _governed(tokens: list[Token], negation: int, position: int) -> _Standing:
    if tokens[negation + 1].word in _NO_NEGATION_AFTER:
        return _Standing.STATED
    is_direct = negation == position - 1
    # 'not entitled to a locker' denies the fact; 'not 20' may lead on to 'but 25', or to 'until the 21st'.
    return _Standing.NEGATED if is_direct and tokens[position].number is None else _Standing.DOUBTFUL


def _similar(variant: str, text: str, tokens: list[Token], cutoff: float) -> _Fate:
    """The most similar stretch of the answer; similar wording is no excuse for another number."""
    wanted = normalise(variant).text.casefold()
    figures = [token for token in read_tokens(wanted, "en") if token.number is not None]
    if not wanted or not all(any(same_token(figure, token) for token in tokens) for figure in figures):
        return _Fate(variant, _Standing.MISSING)
    shown = text[:_MOST_SIMILAR_CHARACTERS].casefold()
    found = fuzz.partial_ratio_alignment(wanted, shown, score_cutoff=cutoff)
    if found is None or found.score < cutoff:
        return _Fate(variant, _Standing.MISSING)
    return _Fate(variant, _Standing.STATED, (found.dest_start, min(found.dest_end, len(text))))


def _summed_up(context: RuleContext, fates: list[_Fate]) -> Finding:
    wrong = [fate for fate in fates if fate.standing in {_Standing.MISSING, _Standing.NEGATED}]
    doubtful = [fate for fate in fates if fate.standing is _Standing.DOUBTFUL]
    evidence = tuple(_evidence(context, fate) for fate in (wrong or doubtful or fates) if fate.span is not None)
    if not wrong and not doubtful:
        return Finding(Outcome.PASS, evidence=evidence)
    reason = "; ".join(_REASONS[fate.standing].replace("{}", repr(fate.fact)) for fate in wrong or doubtful)
    return Finding(Outcome.FAIL if wrong else Outcome.UNSURE, Category.MISSING_FACT, reason[:1000], evidence)


_REASONS = {
    _Standing.MISSING: "the answer does not state {}",
    _Standing.NEGATED: "the answer states {} negated; a judge should look",
    _Standing.DOUBTFUL: "a negation stands before {}; a judge must say whether it is denied",
}


def _evidence(context: RuleContext, fate: _Fate) -> Evidence:
    start, end = context.answer.to_raw(*(fate.span or (0, 0)))
    return Evidence("key_fact", context.record.answer[start:end], start, end)
