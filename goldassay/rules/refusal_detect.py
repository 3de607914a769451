"""Whether a text refuses: nothing but a refusal, a refusal that goes on to tell something, a gap named in passing.

Reads sentence by sentence with the words of `goldassay.rules.refusal_lexicon`.
Knows the answer's text only; what a refusal is worth is for `goldassay.rules.refusal`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import partial
from typing import NamedTuple

from goldassay.rules.refusal_clauses import claims_beside, holds_claim
from goldassay.rules.refusal_lexicon import courtesy, lacks, sidelines, turns
from goldassay.text import NormalText, holds_one, normalise, question_key, sentences

__all__ = ["Reading", "RefusalKind", "asks_back", "claims_nothing", "read_refusal"]

_HEAD = 1_500
"""Characters at the beginning in which a refusal declares itself."""
_SHORT = 200
"""Characters of an answer that is as likely a refusal as not."""
_LONGEST_WRAPPED = 10_000
_WRAPPERS = ("answer", "response", "output", "result", "text", "message")
"""Keys under which a structured answer holds what it says."""
_SENTENCE = 600
"""Characters of one sentence that are read."""
_QUOTED = re.compile(r'"[^"\n]{1,300}"')
_FEW_WORDS = 3
_ENGLISH_HINTS = (
    "not ", "n't", "no ", "cannot", "unable", "sorry", "without", "outside", "beyond", "insuff", "fail", "lack",
    "unclear", "unrelated", "unknown", "n/a", "unanswerable", "none ", "neither", "nothing", "silent", "need ",
    "too little", "i've ", "no_", "not_", "only ", "decline", "refuse", "out of scope", "out-of-scope", "off-topic",
    "irrelevant", "idk", "dunno", "dont ", "never ", "nowhere", "empty", "blank", "off limits", "off-limits",
    "unavailable", "missing", "absent",
)  # fmt: skip
"""Part of every English hint: a first look that spares most answers the second."""
# "However, there is no mention of …" as the first words goes on from an answer that stands elsewhere.
_CONTINUES = re.compile(r"\W{0,3}(?:however|therefore|moreover|additionally|furthermore|in addition|nevertheless)\b")
_IF = re.compile(r"\W{0,3}(?:if|when|whenever|unless|wenn|falls|sobald|si|se|als|cuando|quand)\b")
# "It means that no documents were found", "It stops when the file does not contain a header": part of a fact.
_TOLD_OF = re.compile(
    r"\w[^.;!?]{0,200}?\b(?:means?|indicates?|signif(?:y|ies)|returns?|displays?|when|whenever|if)(?: that)?"
    r" (?:the |a |an |your )?\Z"
)
_WONDERS = re.compile(r"\b(?:clear|unclear|know|sure|unsure|uncertain|tell|say|determine|wonder|even|as)\b")
_OFFERS = re.compile(
    r"\b(?:i (?:can|could|would|will|might)|i'(?:d|ll)|would you like|if you(?:'d| would) like|want me to|happy to"
    r"|glad to|let me know|feel free|help you)\b[^\n]{0,200}:\s*\Z"
)
_OFFERED = re.compile(
    r"(?:[-*•]|\d{1,2}[.)])\s(?:help|find|summari[sz]e|search|look|check|explain|provide|share|draft|ask|contact|visit"
    r"|rephrase|try|upload|give|tell|review|walk|compare|create|suggest|answer|connect|point|show|describe|outline)\b[^\d\n]*\Z"
)
_SAYS_YES = re.compile(r"\W{0,3}(?:yes|no)[,.]\s")
_A_LETTER = re.compile(r"[^\W\d_]", re.UNICODE)


class RefusalKind(StrEnum):
    """How much of the answer is refusal."""

    FULL = "full"
    """It refuses and tells nothing else: courtesy and pointing elsewhere do not count."""
    OPENING = "opening"
    """It begins with a refusal and then tells something."""
    GAP = "gap"
    """It answers and names something that is missing."""
    NONE = "none"


class Reading(NamedTuple):
    """What `read_refusal` found."""

    kind: RefusalKind
    span: tuple[int, int] | None = None
    """The sentence that refuses, in the normal form; None where none does."""
    told: tuple[int, int] | None = None
    """The first sentence that tells something."""
    naming: tuple[tuple[int, int], ...] = ()
    """Where the answer names what is missing: a number there is no claim."""


def read_refusal(answer: NormalText, fixed: Iterable[str] = (), *, common_forms: bool = True) -> Reading:
    """Tell how far an answer refuses.

    Args:
        answer: The answer in normal form.
        fixed: The assistant's own refusal sentences.
        common_forms: Whether the shipped wordings count as well.
    """
    inside = _unwrapped(answer.raw)
    if inside is not None:
        reading = read_refusal(normalise(inside), fixed, common_forms=common_forms)
        return Reading(reading.kind, None if reading.span is None else (0, len(answer.text)))
    keys = [key for key in map(question_key, fixed) if key]
    if keys:
        reading = _read_fixed(answer, keys)
        if reading.kind is not RefusalKind.NONE:
            return reading
    return _read_common(answer) if common_forms else Reading(RefusalKind.NONE)


def _unwrapped(text: str) -> str | None:
    """The answer inside '{"answer": "..."}'; None where it is no JSON object with one."""
    if not text.lstrip().startswith("{") or len(text) > _LONGEST_WRAPPED:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    found = next((value[key] for key in _WRAPPERS if isinstance(value.get(key), str)), None)
    return found or None


def asks_back(answer: NormalText) -> bool:
    """Whether the answer ends in a question to the user and claims little: a clarifying question is no refusal."""
    text = answer.text.rstrip().rstrip("\"')")
    return text.endswith(("?", "？", "؟"))


def claims_nothing(sentence: str) -> bool:
    """Whether one sentence is a courtesy, points elsewhere, asks, or only says that something is missing."""
    lower = sentence.lower()
    if len(lower.split()) == 1 and not any(character.isdigit() for character in lower):
        return True  # "Sure!", "Yes."
    kind = _sentence_kind(lower, _worth_trying(lower), is_first=False, is_late=False)
    return not kind.tells


def _read_fixed(answer: NormalText, keys: list[str]) -> Reading:
    """The assistant's own sentence is known word for word; punctuation, case and spacing do not count."""
    whole = question_key(answer.text[: 4 * _HEAD])
    key = next((key for key in keys if key in whole), None)
    if key is None:
        return Reading(RefusalKind.NONE)
    spans = sentences(answer)
    is_own = [(own := question_key(answer.text[s:e])) in key or key in own for s, e in spans]
    refusing = [span for span, own in zip(spans, is_own, strict=True) if own] or spans
    span = (refusing[0][0], refusing[-1][1])
    told = [s for s, own in zip(spans, is_own, strict=True) if not own and _tells(answer.text[s[0] : s[1]].lower())]
    if not told:
        return Reading(RefusalKind.FULL, span, naming=(span,))
    kind = RefusalKind.OPENING if span[0] < told[0][0] else RefusalKind.GAP
    return Reading(kind, span, told[0], (span,))


def _read_common(answer: NormalText) -> Reading:
    head = answer.text[:_HEAD].lower()
    patterns = _worth_trying(head)
    # Some forms must be a whole sentence; short answers are read sentence by sentence at once.
    if not patterns or (len(head) > _SHORT and not any(pattern.search(head) for pattern in patterns)):
        return Reading(RefusalKind.NONE)
    refusal: tuple[int, int] | None = None
    told: tuple[int, int] | None = None
    naming: list[tuple[int, int]] = []
    is_offering = False
    for index, (start, end) in enumerate(sentences(answer)):
        if is_offering and _OFFERED.match(answer.text[start:end].lower()):
            continue  # "I can: - look it up - ask somebody"
        is_offering = end <= _HEAD and _OFFERS.search(head, start, end) is not None
        if is_offering:
            continue
        kind = _sentence_kind(
            answer.text[start : min(end, start + _SENTENCE)],
            patterns,
            is_first=index == 0,
            is_late=start > _HEAD,
        )
        if kind.lacks:
            refusal = refusal or (start, end)
            naming.append((start, end if kind.named_until is None else start + kind.named_until))
        if kind.tells and told is None:
            told = (start, end) if kind.tells_first or not kind.lacks else (end, end)
    if refusal is not None and told is None and refusal[0] > _FEW_WORDS and _SAYS_YES.match(head):
        told = (
            0,
            refusal[0],
        )  # "No, the manual only names the hook. It does not mention others" answers "Are there any?"
    return _judged(refusal, told)._replace(naming=tuple(naming))


def _judged(refusal: tuple[int, int] | None, told: tuple[int, int] | None) -> Reading:
    if refusal is None:
        return Reading(RefusalKind.NONE)
    if told is None:
        return Reading(RefusalKind.FULL, refusal)
    return Reading(RefusalKind.OPENING if refusal[0] < told[0] else RefusalKind.GAP, refusal, told)


def _worth_trying(head: str) -> list[re.Pattern[str]]:
    """The patterns of which a hint stands in the text; most answers need none."""
    is_ascii = head.isascii()
    english, *others = lacks()
    found = []
    if holds_one(head, _ENGLISH_HINTS) and holds_one(head, english.hints):
        found.append(english.pattern)
    if is_ascii and " the " in head:  # English prose: "no", "die" and "non" of other languages mean nothing there
        return found
    tried = (language for language in others if language.is_alphabetic or not is_ascii)
    return found + [language.pattern for language in tried if holds_one(head, language.hints)]


class _SentenceKind(NamedTuple):
    lacks: bool = False
    tells: bool = False
    tells_first: bool = False
    """Something is told before the lack is named."""
    named_until: int | None = None
    """Where the sentence stops naming what is missing; None: at its end."""


def _sentence_kind(sentence: str, patterns: list[re.Pattern[str]], *, is_first: bool, is_late: bool) -> _SentenceKind:
    """Whether a sentence says that something is missing, and whether it tells something; neither is a courtesy."""
    lower = sentence.lower()
    bare = _QUOTED.sub(lambda match: " " * len(match.group()), lower)
    match = None if is_late else next((found for p in patterns if (found := p.search(bare))), None)
    if match is None or _is_condition(bare, match.start()):
        return _SentenceKind(tells=_tells(lower))
    if is_first and _CONTINUES.match(bare):
        return _SentenceKind(lacks=True, tells=True, tells_first=True)
    is_lacking = partial(_lacks, patterns)
    is_idle = partial(_is_idle, patterns)
    beside = claims_beside(bare, match.span(), is_lacking, _tells_nothing)
    before = turns().search(bare, 0, match.start())
    if beside.before or (before is not None and _tells_around(bare, before, match.start(), is_idle)):
        return _SentenceKind(lacks=True, tells=True, tells_first=True)
    turn = turns().search(bare, match.end())
    if beside.behind or (turn is not None and _tells_more(bare[turn.end() :], is_idle)):
        return _SentenceKind(lacks=True, tells=True)
    return _SentenceKind(lacks=True, named_until=beside.named_until)


def _is_condition(sentence: str, start: int) -> bool:
    """'If no documents were found, press F5' tells what to do; 'If you ask for the fee, I do not know' does not."""
    if (told := _TOLD_OF.match(sentence, 0, start)) and _WONDERS.search(told.group()) is None:
        return True
    return _IF.match(sentence) is not None and "," not in sentence[:start] and "," in sentence[start:]


def _lacks(patterns: list[re.Pattern[str]], clause: str) -> bool:
    return any(pattern.search(clause) for pattern in patterns)


def _tells_nothing(clause: str) -> bool:
    return not _tells(clause)


def _is_idle(patterns: list[re.Pattern[str]], clause: str) -> bool:
    """Whether a clause refuses as well, or claims nothing."""
    return not _tells(clause) or _lacks(patterns, clause)


def _tells_around(sentence: str, turn: re.Match[str], close: int, is_idle: Callable[[str], bool]) -> bool:
    """'The fee is 40 euros, although …' and 'Although the fee is 40 euros, …'."""
    if _tells_more(sentence[: turn.start()], is_idle):
        return True
    conceded = sentence[turn.end() : close].rpartition(",")[0] if turn.start() < _FEW_WORDS else ""
    return holds_claim(conceded) and not is_idle(conceded)


def _tells_more(clause: str, is_idle: Callable[[str], bool]) -> bool:
    return (len(clause.split()) > _FEW_WORDS or holds_claim(clause)) and not is_idle(clause)


def _tells(sentence: str) -> bool:
    """Whether a sentence says something of the world."""
    if not _A_LETTER.search(sentence) or sentence.rstrip().endswith(("?", "？", "؟")):
        return False
    if sidelines().search(sentence) is not None:
        return False
    return courtesy().search(sentence) is None or claims_beside(sentence, (0, 0), _is_never, _is_never).behind


def _is_never(clause: str) -> bool:
    del clause
    return False
