"""Rule `language`: the answer speaks the language of the question, or the one that the settings ask for."""

from __future__ import annotations

from goldassay.rules.context import RuleContext
from goldassay.rules.language_detect import are_close, detect_language, is_plainly_english
from goldassay.rules.settings import LanguageConfig
from goldassay.verdicts import Category, Finding, Outcome

__all__ = ["VERSION", "language"]

VERSION = "1"


def language(context: RuleContext, config: LanguageConfig) -> Finding:
    """Compare the language of the answer with the wanted one; silent where either cannot be told."""
    wanted = _wanted(context, config)
    if wanted is None:
        return Finding(Outcome.SKIP, reason="the question is too short to tell its language")
    answer = context.answer.prose
    if wanted == "en" and is_plainly_english(answer):
        return Finding(Outcome.PASS)
    found = detect_language(answer)
    if found.code is None:
        return Finding(Outcome.SKIP, reason="the answer is too short or too mixed to tell its language")
    if are_close(found.code, wanted):
        return Finding(Outcome.PASS)
    reason = f"answers in {found.code!r}, asked in {wanted!r}"
    if found.certainty < config.least_certainty:
        return Finding(Outcome.UNSURE, Category.WRONG_LANGUAGE, reason)
    return Finding(Outcome.FAIL, Category.WRONG_LANGUAGE, reason)


def _wanted(context: RuleContext, config: LanguageConfig) -> str | None:
    named = config.expected or context.record.lang
    if named:
        return named.lower().replace("_", "-").split("-", 1)[0]
    question = context.question.prose
    return "en" if is_plainly_english(question) else detect_language(question).code
