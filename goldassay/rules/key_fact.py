"""Rule `key_fact`: the answer states every key fact of its golden question.

All facts are needed, any accepted variant of each will do. Words are compared whole
("20" is not in "2020"), numbers and dates by value ("20 MB" is "20 megabytes"). What
denies the fact is noticed. Knows nothing of the sources.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz import fuzz

from goldassay.rules._fact_compound import find_compound
from goldassay.rules._fact_same import Agreement, find_run, same_token
from goldassay.rules._fact_standing import NEGATIONS, Standing, is_suspect, may_deny, standing
from goldassay.rules._fact_tokens import Token, read_tokens, without_articles
from goldassay.rules._number_language import language_of
from goldassay.rules._number_model import Kind
from goldassay.rules._number_scan import read_at
from goldassay.rules.context import RuleContext, blanked
from goldassay.rules.settings import KeyFactConfig
from goldassay.rules.wordlists import word_set
from goldassay.text import normalise
from goldassay.verdicts import Category, Evidence, Finding, Outcome

__all__ = ["VERSION", "key_fact"]

VERSION = "1"

_MOST_SIMILAR_CHARACTERS = 20_000  # similarity is the one comparison that is not linear
_SHORT = 80
"""Characters of an answer that leave its language in doubt."""
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_CLAUSE_MARKS = ".,;:!?\n"
_COMMON_WORDS = word_set("a i us it who or in am as at be by do he if is me my so to up we an on of all any are can")
"""Words that in capitals are a name or an option: 'US', 'WHO', 'A'."""
_BEHIND_ARTICLE = re.compile(r" (?!(?:is|was|or|and|because|since|as|would|will|has|means)\b)[a-z]")
_BEST_FIRST = {standing: rank for rank, standing in enumerate(Standing)}


class _Fate(NamedTuple):
    fact: str
    standing: Standing
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
    text = _with_plain_figures(_without_marks(context))
    folded = text.casefold()
    is_denying = context.vocabulary is None or may_deny(text, context.vocabulary)
    quick = [_as_written(fact, text, folded, is_denying=is_denying) for fact in golden.key_facts if fact]
    if all(quick):
        return _summed_up(context, [fate for fate in quick if fate is not None])
    # Of a few words, 'war' is as well German as English; the question tells.
    is_short = len(context.answer.prose) < _SHORT
    language = language_of(f"{context.question.prose} {context.answer.prose}" if is_short else context.answer.prose)
    language = language or (context.record.lang or "en")[:2]
    tokens = read_tokens(text, language)
    fates = [_fate(text, fact, tokens, language, config) for fact in golden.key_facts if fact]
    return _summed_up(context, fates)


def _as_written(fact: tuple[str, ...], text: str, folded: str, *, is_denying: bool) -> _Fate | None:
    """The quick look: a fact of words stands as it is written, in a clause without a negation.

    Args:
        fact: Its accepted variants.
        text: The answer without citation marks.
        folded: The same, casefolded.
        is_denying: Whether any word of the answer may deny something.
    """
    if len(folded) != len(text):
        return None
    for variant in fact:
        wanted = _normal(variant).strip().casefold()
        start = folded.find(wanted) if wanted[:1].isalpha() and wanted[-1:].isalnum() else -1
        if start < 0:
            continue
        end = start + len(wanted)
        is_whole = not folded[start - 1 : start].isalnum() and not _goes_on(folded[end : end + 1])
        is_whole = is_whole and (wanted[-1].isalpha() or _ends_with_figure(text, start, end))
        is_whole = is_whole and not _is_common_word(variant, text, start, end)
        if is_whole and not (is_denying and is_suspect(folded, start, end)):
            return _Fate(fact[0], Standing.STATED, (start, end))
    return None


@lru_cache(maxsize=4096)  # a golden question is asked again and again
def _normal(variant: str) -> str:
    """A variant as the answer is read: normal form, subscripts as digits ('H₂O' is 'H2O')."""
    return _with_plain_figures(normalise(variant).text)


def _with_plain_figures(text: str) -> str:
    return text if text.isascii() else text.translate(_SUBSCRIPTS)


def _goes_on(character: str) -> bool:
    """Whether a word goes on with this character: the C of 'C++', 'C#' and "can't" is not the word."""
    return character.isalnum() or character in {"+", "#", "'"}


def _ends_with_figure(text: str, start: int, end: int) -> bool:
    """Whether the figure at the end is all of its number: not the 20 of '20,000', '20 %' or '20 million'."""
    first = text.rfind(" ", start, end) + 1
    if not text[first:end].replace(",", "").isdigit():
        return False
    number = read_at(text, first, "dot")
    return number.end == end and number.kind is Kind.QUANTITY and number.unit is None and len(number.readings) == 1


def _without_marks(context: RuleContext) -> str:
    """The answer without its citation marks: '[20]' does not state 20."""
    answer = context.answer
    return context.own_words if answer.prose is answer.text else blanked(answer.text, context.cited.spans)


def _fate(text: str, fact: tuple[str, ...], tokens: list[Token], language: str, config: KeyFactConfig) -> _Fate:
    """The best that any variant of the fact comes to."""
    fates = [_variant(variant, text, tokens, language) for variant in fact]
    if config.fuzzy is not None:
        fates += [_similar(variant, text, tokens, config.fuzzy) for variant in fact]
    return _best(fates)._replace(fact=fact[0])


def _best(fates: list[_Fate]) -> _Fate:
    return min(fates, key=lambda fate: _BEST_FIRST[fate.standing])


def _variant(variant: str, text: str, tokens: list[Token], language: str) -> _Fate:
    wanted = without_articles(read_tokens(_normal(variant), language))
    if not wanted:
        return _literally(variant, text)
    best = _Fate(variant, Standing.MISSING)
    run = find_run(wanted, tokens)
    while run is not None and best.standing is not Standing.STATED:
        last = run.position + len(wanted) - 1
        if _is_common_word(variant, text, tokens[run.position].start, tokens[last].end):
            run = find_run(wanted, tokens, run.position + 1)
            continue
        found = standing(tokens, run.position, last, text)
        if found is Standing.STATED and run.agreement is Agreement.MAYBE:
            found = Standing.HALF_DAY
        best = _best([best, _Fate(variant, found, (tokens[run.position].start, tokens[last].end))])
        run = find_run(wanted, tokens, run.position + 1)
    return best if best.standing is not Standing.MISSING else _compounded(variant, wanted, tokens, text)


def _compounded(variant: str, wanted: list[Token], tokens: list[Token], text: str) -> _Fate:
    """The fact with its words written together or apart: 'e-mail' is 'email', 'U.S.' is 'US'."""
    span = find_compound(wanted, tokens, text)
    if span is None:
        return _Fate(variant, Standing.MISSING)
    first, last = span
    return _Fate(variant, standing(tokens, first, last, text), (tokens[first].start, tokens[last].end))


def _is_common_word(variant: str, text: str, start: int, end: int) -> bool:
    """Whether 'us' stands where the fact is 'US', or the article 'A' where it is option A."""
    fact = variant.strip()
    if not fact.isupper() or fact.lower() not in _COMMON_WORDS:
        return False
    is_article = fact == "A" and _BEHIND_ARTICLE.match(text, end) is not None
    return is_article or not text[start:end].isupper()


def _literally(variant: str, text: str) -> _Fate:
    """A fact without letters or digits, for instance a sign."""
    wanted = _normal(variant).strip()
    start = text.find(wanted) if wanted else -1
    return (
        _Fate(variant, Standing.MISSING) if start < 0 else _Fate(variant, Standing.STATED, (start, start + len(wanted)))
    )


def _similar(variant: str, text: str, tokens: list[Token], cutoff: float) -> _Fate:
    """The most similar stretch of the answer; similar wording is no excuse for another number or a negation."""
    wanted = _normal(variant).casefold()
    mine = read_tokens(wanted, "en")
    figures = [token for token in mine if token.number is not None]
    if not wanted or not all(any(same_token(figure, token) for token in tokens) for figure in figures):
        return _Fate(variant, Standing.MISSING)
    shown = text[:_MOST_SIMILAR_CHARACTERS].casefold()
    found = fuzz.partial_ratio_alignment(wanted, shown, score_cutoff=cutoff)
    if found is None or found.score < cutoff:
        return _Fate(variant, Standing.MISSING)
    span = found.dest_start, min(found.dest_end, len(text))
    return _Fate(variant, _standing_of_similar(mine, tokens, span, text), span)


def _standing_of_similar(wanted: list[Token], tokens: list[Token], span: tuple[int, int], text: str) -> Standing:
    """A clause that negates where the fact does not, or the other way round, is for a judge to read."""
    start = max(text.rfind(mark, 0, span[0]) for mark in _CLAUSE_MARKS)
    end = min((at for mark in _CLAUSE_MARKS if (at := text.find(mark, span[1])) >= 0), default=len(text))
    inside = [i for i, token in enumerate(tokens) if token.end > span[0] and token.start < span[1]]
    clause = [token for token in tokens if start < token.end and token.start < end]
    if not inside:
        return Standing.STATED
    found = standing(tokens, inside[0], inside[-1], text)
    is_as_wanted = _negations(clause) == _negations(wanted)
    return found if is_as_wanted or found is not Standing.STATED else Standing.DOUBTFUL


def _negations(tokens: list[Token]) -> int:
    return sum(token.word in NEGATIONS for token in tokens)


def _summed_up(context: RuleContext, fates: list[_Fate]) -> Finding:
    wrong = [fate for fate in fates if fate.standing in {Standing.MISSING, Standing.NEGATED}]
    doubtful = [fate for fate in fates if fate.standing in {Standing.DOUBTFUL, Standing.HALF_DAY}]
    evidence = tuple(_evidence(context, fate) for fate in (wrong or doubtful or fates) if fate.span is not None)
    if not wrong and not doubtful:
        return Finding(Outcome.PASS, evidence=evidence)
    reason = "; ".join(_REASONS[fate.standing].replace("{}", repr(fate.fact)) for fate in wrong or doubtful)
    return Finding(Outcome.FAIL if wrong else Outcome.UNSURE, Category.MISSING_FACT, reason[:1000], evidence)


_REASONS = {
    Standing.MISSING: "the answer does not state {}",
    Standing.NEGATED: "the answer states {} negated; a judge should look",
    Standing.DOUBTFUL: "something near {} may deny it; a judge must say whether it does",
    Standing.HALF_DAY: "the answer states {} without telling morning from evening; a judge must say which is meant",
}


def _evidence(context: RuleContext, fate: _Fate) -> Evidence:
    start, end = context.answer.to_raw(*(fate.span or (0, 0)))
    return Evidence("key_fact", context.record.answer[start:end], start, end)
