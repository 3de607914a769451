"""Whether a sentence that names a lack may be the very answer, as 'The file has no header' may.

Asked what a document holds or lacks, who says that it does not hold it has answered; asked for a fact, has refused.
Knows the question, the sentence and what the sources say; called by `goldassay.rules.refusal`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum

from goldassay.text import NormalText

__all__ = ["Lack", "lack_as_answer"]


class Lack(StrEnum):
    """What naming the lack is worth."""

    ANSWERS = "answers"
    """It tells what was asked, or what a source says in these words."""
    MAY_ANSWER = "may_answer"
    """The question is about the very thing; only a judge can tell."""
    REFUSES = "refuses"


_THING = re.compile(
    r"(?<![\w-])(docu|doku|manu|handb|text|testo|texto|file|datei|fich|archi|arti|artí|page|seite|página|pagina|record"
    r"|paragraph|transcript|faq|source|quelle|fuente|fonte|passage|context|excerpt|snippet|material)\w{0,8}"
)
_ACCORDING = re.compile(
    r"\b(?:according to|based on|per|laut|nach|gemäß|selon|d'après|según|secondo|segundo|volgens"
    r"|what (?:do|does|did)) (?:[^\W\d_]{1,12} ){0,3}$"
)
_REACH = 48  # characters before a noun
_ASKS_WHETHER = re.compile(
    r"\W{0,3}(?:(?:and|so|but|hi|hello|ok|okay),? ){0,2}"
    r"(?:does|do|did|is|are|was|were|has|have|isn't|doesn't|aren't|don't)\b"
)
_ASKS_FOR = re.compile(
    r"\b(?:what|which|when|where|who|whom|whose|why|how|was|welche\w?|wann|wo|wer|warum|wieso|wie|wieviel|que|quoi|quel\w{0,4}"
    r"|quand|où|qui|pourquoi|comment|combien|qué|cuál\w{0,2}|cuándo|dónde|quién|cómo|cuánt[oa]s?|che|cosa|quale|quando|dove"
    r"|chi|perché|come|quanto|qual|onde|quem|porque|wat|welke?|wanneer|waar|wie|waarom|hoe|hoeveel)\b"
)
_IS_ENGLISH = re.compile(r"\b(?:the|is|are|does|do|did|my|your|a)\b")
_ASKS_WHAT_LACKS = re.compile(
    r"\b(?:missing|lacks?|lacking|omit\w{0,4}|absent|wrong|exclude[sd]?|left out|leaves? out|not|fehlt|fehlen|nicht"
    r"|manque\w{0,3}|pas|faltan?|no|manca\w{0,3}|non|não|ontbre\w{2,4}|niet)\b|n't\b"
)
_REPORTS = re.compile(
    r"\b(mention|contain|includ|cover|specif|stat(?=e|ed|es)|list|address|discuss|describ|defin|name(?=s|d|\b))\w{0,6}"
)
_HOLDS = re.compile(r"\b(?:contain|include|have|has|list|show|define)s?\b")
_FACTS = re.compile(
    r"\b(?:information|info|details?|data|answers?|mention|knowledge|anything|context|evidence|enough)\b"
)
_SPEAKER = re.compile(r"(?:\bi\b|\bi'|\bwe\b|\bich\b|\bwir\b|\bje\b|\bnous\b)")
_SAYS_NO = re.compile(r"\W{0,3}(?:no|nein|non|não|nee)[,.;:!-]")
_NOT = re.compile(r"(?:\bnot|n't) ((?:\w[\w'-]{0,24} ){1,2}\w[\w'-]{2,24})")


def lack_as_answer(question: str, answer: str, span: tuple[int, int], sources: Iterable[NormalText]) -> Lack:
    """Whether the sentence that names a lack answers the question.

    Args:
        question: The question in normal form.
        answer: The answer in normal form, nothing but a refusal as far as its words tell.
        span: The sentence in it.
        sources: The sources, which may say the same.
    """
    asked, sentence = question.lower(), answer[span[0] : span[1]].lower()
    if _SPEAKER.search(sentence):
        return Lack.REFUSES
    if _is_said(sentence, sources):
        return Lack.ANSWERS
    if _asks_whether(asked) and _asks_about_holding(asked, sentence):
        return Lack.ANSWERS if _SAYS_NO.match(answer.lower()) else Lack.MAY_ANSWER
    return Lack.MAY_ANSWER if _asks_about_thing(asked, sentence) else Lack.REFUSES


def _is_said(sentence: str, sources: Iterable[NormalText]) -> bool:
    """Whether a source says that it lacks, in the same words: the answer repeats a fact."""
    lacking = [f" not {match.group(1)}" for match in _NOT.finditer(sentence) if not _FACTS.search(match.group(1))]
    return bool(lacking) and any(
        words in source.text.lower().replace("n't ", " not ") for source in sources for words in lacking
    )


def _asks_whether(question: str) -> bool:
    """'Does the text name a fee?', 'Erwähnt der Text eine Gebühr?': a question that yes or no answers."""
    if _IS_ENGLISH.search(question):
        return _ASKS_WHETHER.match(question) is not None
    return "?" in question and _ASKS_FOR.search(question) is None


def _asks_about_holding(question: str, sentence: str) -> bool:
    """Whether both speak of the same thing that holds, or say with the same word that it does."""
    if _shared_things(question, sentence):
        return True
    said = {match.group(1) for match in _REPORTS.finditer(sentence)}
    return any(match.group(1) in said for match in _REPORTS.finditer(question))


def _asks_about_thing(question: str, sentence: str) -> bool:
    """'Why was my file rejected?', 'What is missing from the records?'."""
    if _ASKS_WHAT_LACKS.search(question):
        return not _found_things(question).isdisjoint(_found_things(sentence))
    is_plain = _HOLDS.search(sentence) is not None and _FACTS.search(sentence) is None
    return is_plain and bool(_shared_things(question, sentence))


def _shared_things(question: str, sentence: str) -> set[str]:
    return set(_things(question)) & _found_things(sentence)


def _found_things(text: str) -> set[str]:
    return {match.group(1) for match in _THING.finditer(text)}


def _things(question: str) -> Iterator[str]:
    """What the question asks about; 'according to the text' only says where to look."""
    for match in _THING.finditer(question):
        if _ACCORDING.search(question, max(0, match.start() - _REACH), match.start()) is None:
            yield match.group(1)
