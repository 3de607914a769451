"""Rules `banned_wording` and `no_hedging`: wordings the answer must not use.

Know lists of wordings, not meaning. Both sides are folded alike, so that curly
quotes, odd spaces or invisible characters hide nothing.
"""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from importlib import resources

from goldassay.rules.context import RuleContext
from goldassay.rules.phrases import Hit, find_phrases
from goldassay.rules.settings import BannedWordingConfig, NoHedgingConfig
from goldassay.verdicts import Category, Evidence, Finding, Outcome

__all__ = ["BANNED_WORDING_VERSION", "NO_HEDGING_VERSION", "banned_wording", "no_hedging"]

BANNED_WORDING_VERSION = "1"
NO_HEDGING_VERSION = "1"
_MOST_SHOWN = 20


def banned_wording(context: RuleContext, config: BannedWordingConfig) -> Finding:
    """None of the listed wordings stands in the answer."""
    if not config.phrases:
        return Finding(Outcome.SKIP, reason="no wording is banned")
    hits = find_phrases(context.answer, config.phrases, whole_words=config.whole_words, inflected=config.inflected)
    return _found(context, hits, "uses banned wording")


def no_hedging(context: RuleContext, config: NoHedgingConfig) -> Finding:
    """The answer says things without 'I think' and 'probably'; a refusal may hedge, and so may a source."""
    if context.is_refusal is not False:
        return Finding(Outcome.SKIP, reason="a refusal may hedge")
    hits = find_phrases(context.answer, _hedges_for(config.phrases, config.allowed))
    hits = [hit for hit in hits if not _is_of_a_source(context, hit)]
    return _found(context, hits, "hedges")


def _is_of_a_source(context: RuleContext, hit: Hit) -> bool:
    phrase = hit.phrase.casefold()
    return any(phrase in source.text.casefold() for source in context.sources)


@lru_cache(maxsize=16)
def _hedges_for(more: tuple[str, ...], allowed: tuple[str, ...]) -> tuple[str, ...]:
    """The shipped wordings and the project's own, without those it allows."""
    fine = {phrase.casefold() for phrase in allowed}
    return tuple(phrase for phrase in (*_hedges(), *more) if phrase.casefold() not in fine)


@cache
def _hedges() -> tuple[str, ...]:
    text = resources.files("goldassay.rules").joinpath("data/hedges.toml").read_text(encoding="utf-8")
    return tuple(phrase for phrases in tomllib.loads(text).values() for phrase in phrases)


def _found(context: RuleContext, hits: list[Hit], what: str) -> Finding:
    if not hits:
        return Finding(Outcome.PASS)
    names = ", ".join(repr(name) for name in dict.fromkeys(hit.phrase for hit in hits[:_MOST_SHOWN]))
    evidence = []
    for hit in hits[:_MOST_SHOWN]:
        start, end = context.answer.to_raw(hit.start, hit.end)
        evidence.append(Evidence("phrase", context.record.answer[start:end], start, end))
    return Finding(Outcome.FAIL, Category.BANNED_WORDING, f"{what}: {names}", tuple(evidence))
