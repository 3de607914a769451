"""Rules `banned_wording` and `no_hedging`: wordings the answer must not use.

Know lists of wordings, not meaning. Both sides are folded alike, so that curly
quotes, odd spaces or invisible characters hide nothing.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from importlib import resources

from goldassay.rules.context import RuleContext
from goldassay.rules.phrases import Hit, Searched, find_phrases
from goldassay.rules.settings import BannedWordingConfig, NoHedgingConfig
from goldassay.verdicts import Category, Evidence, Finding, Outcome

__all__ = ["BANNED_WORDING_VERSION", "NO_HEDGING_VERSION", "banned_wording", "no_hedging"]

BANNED_WORDING_VERSION = "1"
NO_HEDGING_VERSION = "1"
_MOST_SHOWN = 20
_QUOTED = re.compile(r'"[^"\n]{1,300}"')


def banned_wording(context: RuleContext, config: BannedWordingConfig) -> Finding:
    """None of the listed wordings stands in the answer."""
    if not config.phrases:
        return Finding(Outcome.SKIP, reason="no wording is banned")
    hits = find_phrases(
        context.answer, config.phrases, whole_words=config.whole_words, inflected=config.inflected, accents=False
    )
    return _found(context, hits, "uses banned wording")


def no_hedging(context: RuleContext, config: NoHedgingConfig) -> Finding:
    """The answer says things without 'I think' and 'probably'; a refusal may hedge, and so may a source.

    Args:
        context: The record with its texts.
        config: Wordings to add, and those that are fine.

    Returns:
        Fail with category `banned_wording` for a wording that takes the answer back; `unsure` for one like 'might',
        which may tell what is open, where no source leaves anything open.
    """
    if context.is_refusal is not False:
        return Finding(Outcome.SKIP, reason="a refusal may hedge")
    answer = Searched(context.answer, context.vocabulary)
    hits = _in_own_voice(context, find_phrases(answer, _hedges_for(config.phrases, config.allowed)))
    hits = _without_those_of_a_source(context, hits)
    if hits or not context.record.sources:
        return _found(context, hits, "hedges")
    weak = _in_own_voice(context, find_phrases(answer, _weak_hedges_for(config.allowed)))
    if not weak or _leaves_open(context):
        return Finding(Outcome.PASS)
    finding = _found(context, weak, "may hedge, and no source does")
    return finding._replace(outcome=Outcome.UNSURE)


def _in_own_voice(context: RuleContext, hits: list[Hit]) -> list[Hit]:
    """The hits outside quotation marks: what stands in them another one says, or is a title."""
    if not hits or '"' not in context.answer.text:
        return hits
    quoted = [match.span() for match in _QUOTED.finditer(context.answer.text)]
    return [hit for hit in hits if not any(start < hit.start and hit.end < end for start, end in quoted)]


def _without_those_of_a_source(context: RuleContext, hits: list[Hit]) -> list[Hit]:
    if not hits:
        return hits
    texts = [source.text.casefold() for source in context.sources]
    said = {phrase for phrase in {hit.phrase for hit in hits} if any(phrase.casefold() in text for text in texts)}
    return [hit for hit in hits if hit.phrase not in said]


def _leaves_open(context: RuleContext) -> bool:
    """Whether a source or the question speaks of what may be: then 'might' is their word in another form."""
    words = _listed("open")
    return any(find_phrases(text, words) for text in (*context.sources, context.question))


@lru_cache(maxsize=16)
def _hedges_for(more: tuple[str, ...], allowed: tuple[str, ...]) -> tuple[str, ...]:
    """The shipped wordings and the project's own, without those it allows."""
    return _without((*_listed("own"), *more), allowed)


@lru_cache(maxsize=16)
def _weak_hedges_for(allowed: tuple[str, ...]) -> tuple[str, ...]:
    return _without(_listed("weak"), allowed)


def _without(phrases: tuple[str, ...], allowed: tuple[str, ...]) -> tuple[str, ...]:
    fine = {phrase.casefold() for phrase in allowed}
    return tuple(phrase for phrase in phrases if phrase.casefold() not in fine)


@cache
def _listed(part: str) -> tuple[str, ...]:
    """The wordings of all languages in one part of `data/hedges.toml`."""
    text = resources.files("goldassay.rules").joinpath("data/hedges.toml").read_text(encoding="utf-8")
    return tuple(dict.fromkeys(phrase for phrases in tomllib.loads(text)[part].values() for phrase in phrases))


def _found(context: RuleContext, hits: list[Hit], what: str) -> Finding:
    if not hits:
        return Finding(Outcome.PASS)
    names = ", ".join(repr(name) for name in dict.fromkeys(hit.phrase for hit in hits[:_MOST_SHOWN]))
    evidence = []
    for hit in hits[:_MOST_SHOWN]:
        start, end = context.answer.to_raw(hit.start, hit.end)
        evidence.append(Evidence("phrase", context.record.answer[start:end], start, end))
    return Finding(Outcome.FAIL, Category.BANNED_WORDING, f"{what}: {names}", tuple(evidence))
