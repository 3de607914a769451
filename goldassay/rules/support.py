"""Rule `support`: a lexical score of how well the sources sent hold the answer, with its weakest sentence as evidence.

Also the embedded grader: where no judge is configured, `grade_faithful` grades
`faithful`, and the report says that no model was asked. Knows words, not meaning: what
`support_limits` names goes before the score.
"""

from __future__ import annotations

from typing import NamedTuple

from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.rules.context import RuleContext, SourceCache
from goldassay.rules.settings import RulesConfig, SupportConfig
from goldassay.rules.support_features import FEATURES_VERSION, read_support
from goldassay.rules.support_limits import beyond_words
from goldassay.rules.support_model import shipped_model
from goldassay.rules.support_reading import Reading, Sentence, Window
from goldassay.rules.support_words import span_of_tokens
from goldassay.text import sentences
from goldassay.verdicts import Category, Evidence, Finding, Outcome

__all__ = ["VERSION", "grade_faithful", "place_of", "reading_of", "support"]

VERSION = f"1.{FEATURES_VERSION}"
_NO_SOURCES = "no sources were logged"
_CONTRADICTS_FROM = 0.6
"""Share of a sentence that must stand in one place before a negation too many reads as a contradiction."""


class _Weakest(NamedTuple):
    sentence: Sentence
    window: Window


def support(context: RuleContext, config: SupportConfig) -> Finding:
    """Score the answer against all sources sent."""
    if not context.record.answer.strip():
        return Finding(Outcome.FAIL, Category.INCOMPLETE, "the answer is empty", score=0.0)
    if context.is_refusal:
        return Finding(Outcome.PASS, reason="a refusal claims nothing, so it is supported", score=1.0)
    reading = reading_of(context) if context.record.sources else None
    if reading is None or not reading.stems:
        return Finding(Outcome.SKIP, reason="the answer holds no words to compare" if reading else _NO_SOURCES)
    row = read_support(reading)
    model = shipped_model()
    score = round(model.score(row), 4)
    threshold = config.threshold if config.threshold is not None else model.threshold
    weakest = _weakest(reading)
    evidence = _evidence(context, weakest)
    if (beyond := beyond_words(context, reading, score, threshold)) is not None:
        return beyond._replace(evidence=(*beyond.evidence, *evidence))
    return _by_words(row, score, threshold, evidence)


def _by_words(row: dict[str, float], score: float, threshold: float, evidence: tuple[Evidence, ...]) -> Finding:
    if score >= threshold:
        return Finding(Outcome.PASS, evidence=evidence, score=score)
    category, what = _category(row)
    return Finding(Outcome.FAIL, category, f"{what} (score {score:.2f}, pass mark {threshold:.2f})", evidence, score)


def grade_faithful(
    record: AnswerRecord,
    golden: GoldenQuestion | None = None,
    *,
    config: RulesConfig | None = None,
    cache: SourceCache | None = None,
) -> Finding:
    """Grade `faithful` without a model.

    Args:
        record: The answer with the sources that were really sent.
        golden: Its golden question, if any.
        config: Settings of the rules: refusal sentences, marks of citations, the pass mark.
        cache: Normalised sources, shared over records.

    Returns:
        The finding of the rule `support`; its score lies in [0, 1].
    """
    context = RuleContext(record, golden, config, cache)
    return support(context, context.config.support)


def reading_of(context: RuleContext) -> Reading:
    """The answer laid beside its sources, citation marks and the closing list of sources blanked."""
    return Reading(
        context.question.text,
        [source.text for source in context.sources],
        context.own_words,
        sentences(context.answer),
        begins_with_refusal=context.is_refusal is None,
    )


def _weakest(reading: Reading) -> _Weakest | None:
    pairs = zip(reading.sentences, [fit.window for fit in reading.fits], strict=True)
    return min(map(_Weakest._make, pairs), key=lambda pair: pair.window.recall, default=None)


def _category(row: dict[str, float]) -> tuple[Category, str]:
    """The mismatch that tells most about the failure."""
    if row["numbers_wrong"] > 0:
        return Category.WRONG_NUMBER, "holds a number of no source, and the rest fits badly"
    if row["negation_added"] and row["window_min"] >= _CONTRADICTS_FROM:
        return Category.CONTRADICTS_SOURCE, "denies what the sources say in nearly the same words"
    return Category.ADDED_CLAIM, "says more than the sources hold"


def _evidence(context: RuleContext, weakest: _Weakest | None) -> tuple[Evidence, ...]:
    """The sentence that fits worst, and the place in the sources that fits it best."""
    if weakest is None:
        return ()
    start, end = context.answer.to_raw(weakest.sentence.start, weakest.sentence.end)
    claim = Evidence("sentence", context.record.answer[start:end], start, end)
    place = place_of(context, weakest.window)
    return (claim,) if place is None else (claim, place)


def place_of(context: RuleContext, window: Window) -> Evidence | None:
    """The place in the original sources of the stretch that fits a sentence best; None where nothing fits."""
    if not window.recall:
        return None
    source, record = context.sources[window.source], context.record.sources[window.source]
    start, end = source.to_raw(*span_of_tokens(source.text, window.first, window.last))
    return Evidence("support", record.text[start:end], start, end, record.id)
