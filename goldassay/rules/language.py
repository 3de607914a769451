"""Rule `language`: the answer speaks the language of the question, or the one that the settings ask for."""

from __future__ import annotations

import re

from goldassay.rules.context import RuleContext
from goldassay.rules.language_detect import Detected, are_close, detect_language, is_plainly_english, sure_of
from goldassay.rules.settings import LanguageConfig
from goldassay.text import question_key
from goldassay.verdicts import Category, Finding, Outcome

__all__ = ["VERSION", "language"]

VERSION = "1"
# "How do I say it in French?" wants French; names of languages as questions in many languages write them.
_ASKS_FOR_WORDS = re.compile(
    r"translat|übersetz|traduc|tradui|tradur|traduz|vertaal|翻译|翻訳|번역|перевод|перевед"
    r"|\b(?:in|into|auf|en|em|op|på|по)[ -](?:english|german|french|spanish|italian|portuguese|dutch|polish|russian"
    r"|chinese|japanese|korean|arabic|turkish|latin|hindi|englisch|deutsch|französisch|spanisch|italienisch|anglais"
    r"|allemand|français|espagnol|italien|inglés|alemán|francés|español|inglese|tedesco|francese|spagnolo|inglês"
    r"|francês|espanhol|engels|duits|frans|английски|немецки)",
    re.IGNORECASE,
)


def language(context: RuleContext, config: LanguageConfig) -> Finding:
    """Compare the language of the answer with the wanted one; silent where either cannot be told.

    Args:
        context: The record with its texts.
        config: The language wanted, and how sure a failure must be.

    Returns:
        Fail with category `wrong_language` where the answer surely is not in the wanted language, `unsure` where
        question or answer leaves a doubt.
    """
    if _is_own_sentence(context):
        return Finding(Outcome.SKIP, reason="a refusal in the assistant's own fixed words")
    wanted = _wanted(context, config)
    if wanted.code is None:
        return Finding(Outcome.SKIP, reason="the question is too short to tell its language")
    answer = _without_list(context)
    if wanted.code == "en" and is_plainly_english(answer):
        return Finding(Outcome.PASS)
    found = detect_language(answer)
    if found.code is None:
        return Finding(Outcome.SKIP, reason="the answer is too short or too mixed to tell its language")
    if are_close(found.code, wanted.code):
        return Finding(Outcome.PASS)
    reason = f"answers in {found.code!r}, asked in {wanted.code!r}"
    certainty = min(wanted.certainty_against(found.code), found.certainty_against(wanted.code))
    is_doubtful = certainty < config.least_certainty or _ASKS_FOR_WORDS.search(context.question.text) is not None
    outcome = Outcome.UNSURE if is_doubtful else Outcome.FAIL
    return Finding(outcome, Category.WRONG_LANGUAGE, reason)


def _without_list(context: RuleContext) -> str:
    """The answer up to its list of sources, for those bear names of their own language."""
    cited = context.cited
    has_list = cited.spans and (not cited.uses or cited.spans[-1][0] > cited.uses[-1][0])
    return context.answer.prose[: cited.spans[-1][0]] if has_list else context.answer.prose


def _is_own_sentence(context: RuleContext) -> bool:
    """Whether the answer is a refusal that the settings list: the project chose its language."""
    fixed = context.config.refusal.sentences
    return bool(fixed) and question_key(context.record.answer) in map(question_key, fixed)


def _wanted(context: RuleContext, config: LanguageConfig) -> Detected:
    named = config.expected or context.record.lang
    if named:
        return sure_of(named.lower().replace("_", "-").split("-", 1)[0])
    question = context.question.prose
    return sure_of("en") if is_plainly_english(question) else detect_language(question)
