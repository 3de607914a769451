"""Whether a fact that was found is stated: what denies it before or behind, in its own clause or sentence.

Knows words, not grammar: what surely denies the fact ('not entitled to a locker') makes
it `NEGATED`, what may deny it makes it `DOUBTFUL`. Called by `key_fact`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from goldassay.rules._fact_tokens import Token
from goldassay.rules.wordlists import word_set

__all__ = ["NEGATIONS", "Standing", "is_suspect", "may_deny", "standing"]


class Standing(StrEnum):
    """How a fact stands in an answer, the best first."""

    STATED = "stated"
    NEGATED = "negated"
    DOUBTFUL = "doubtful"
    """A negation stands near, but may govern something else."""
    HALF_DAY = "half_day"
    """A time that may be meant in the morning or the evening."""
    MISSING = "missing"


NEGATIONS = word_set(
    "not no never neither nor without hardly barely scarcely seldom rarely nobody none nothing nowhere"
    " nicht kein keine keinen keiner keinem keines nie niemals ohne niemand niemanden nichts"
    " pas jamais aucun aucune sans rien nunca jamás sin ningún ninguna nadie nada non mai senza nessun nessuno niente"
    " não sem nenhum ninguém niet geen nooit zonder niemand niets"
    " inte ikke ingen inga aldrig aldri utan uten uden nie bez nigdy nikt не нет без никогда никто"
    " لا ليس لن tidak bukan tanpa 不 没 無 无 非"
)
_NO_NEGATION_AFTER = word_set(
    "only just merely later more less fewer earlier before after exceeding nur mehr solo solamente seulement"
    " 仅 过 论 常 但 只 同 断"
)
"""'not only 20', 'no later than 20 May', '不仅': words that turn a negation into a bound or an addition."""
_NEGATION_REACH = 4  # words between a negation and what it governs
_CLAUSE_ENDS = frozenset(".,;:!?\n()—")
_SENTENCE_ENDS = frozenset(".;!?\n")
_CONTRASTS = word_set("but sondern aber mais sino pero ma mas maar rather instead")

_SET_ASIDE = {
    "than": word_set("rather"), "of": word_set("instead lieu"), "de": word_set("lieu lugar vez"),
    "d": word_set("lieu"), "di": word_set("invece"), "van": word_set("plaats"), "von": word_set("anstelle"),
}  # fmt: skip
"""'instead of 20', 'rather than 20': last word of a wording that sets aside what follows, and the word before it."""
_SET_ASIDE_ALONE = word_set("statt anstatt anstelle")
_SET_ASIDE_REACH = 3

_FALSE = word_set(
    "false untrue incorrect wrong myth misconception doubtful unlikely unclear uncertain denied denies deny"
    " doubt doubts contrary rumour rumours rumor rumors falsch unwahr irrtum faux inexact falso falsa mentira"
    " onjuist onwaar mito mythos mythe"
)
_TRUE = word_set(
    "true correct right case evidence proof certain clear sure guarantee sign stimmt zu wahr richtig korrekt beleg"
    " sicher vrai exact cierto verdad verdadero correcto vero verdade waar juist"
)
_THAT = word_set("that whether dass daß ob que qu che dat")
_IS = word_set("is are was were ist sind war est es è é")
_HEAD_WORDS = 4
"""Words before 'that' in which a claim is called false: 'it is not at all true that'."""
_SENTENCE_REACH = 25  # words between 'it is false that' and the fact
# Japanese, Korean and Turkish deny behind: '20日ではありません', '서울이 아닙니다', 'İstanbul değil'.
_NOT_BEHIND = re.compile(r"\s?(?:で(?:は|も)(?:な|ありません)|じゃ(?:な|ありません)|[이가은는]?\s?아[니닙닌]|değil)")
_EXCEPT = word_set("except excepting excluding außer ausser sauf excepté excepto salvo eccetto tranne behalve exceto")
_DOUBTS = word_set("doubt doubts question zweifel doute duda dubbio dúvida twijfel")
"""'there is no doubt that it is 20' states it; 'I doubt it is 20' does not."""
_SPEAKERS = word_set("i we")
# Nothing parts the fact from the question mark: 'Is it free of charge? No.'
_ASKED = re.compile(r"[^.!?\n,;:()\"\u2014-]{0,120}\?")
_SUSPECTS = (
    NEGATIONS | _FALSE | _SET_ASIDE_ALONE | _EXCEPT | word_set("cannot instead rather lieu lugar vez invece plaats")
)
_LETTERS = re.compile(r"[^\W\d_]+")


_SUSPECT_LETTERS = _SUSPECTS | {"t", "used"}
"""Runs of letters, 'n't' and 'used to be' among them."""


def may_deny(text: str, vocabulary: frozenset[str]) -> bool:
    """Whether an answer in ASCII may deny or ask something: if not, `is_suspect` holds nowhere in it.

    Args:
        text: The answer.
        vocabulary: Its runs of letters in lower case.
    """
    return "?" in text or not _SUSPECT_LETTERS.isdisjoint(vocabulary)


def is_suspect(text: str, start: int, end: int) -> bool:
    """A quick look: whether any word around the span of a fact might deny it.

    Args:
        text: The answer, casefolded.
        start: Begin of the fact.
        end: Its end.
    """
    before, behind = text[max(0, start - 160) : start], text[end : end + 40]
    if "n't" in before or "n't" in behind or not behind.isascii() or "used to be" in before:
        return True
    if _ASKED.match(text, end):
        return True
    return not _SUSPECTS.isdisjoint(_LETTERS.findall(before)) or not _SUSPECTS.isdisjoint(_LETTERS.findall(behind))


def standing(tokens: Sequence[Token], first: int, last: int, text: str) -> Standing:
    """How the fact stands whose tokens are those from `first` to `last`, both included."""
    if (
        _is_denied_behind(tokens, last, text)
        or _is_called_false(tokens, first, last, text)
        or _is_asked(tokens[last], text)
    ):
        return Standing.DOUBTFUL
    for back in range(1, _NEGATION_REACH + 2):
        index = first - back
        if index < 0 or _parts(tokens, index, text, _CLAUSE_ENDS):
            return Standing.STATED
        found = _by_word(tokens, index, first)
        if found is not None:
            return found
    return Standing.STATED


def _by_word(tokens: Sequence[Token], index: int, first: int) -> Standing | None:
    """What one word before the fact makes of it; None where it leaves it as it is."""
    if first - index <= _SET_ASIDE_REACH and _sets_aside(tokens, index):
        return _denied(tokens, index, first)
    if _leaves_open(tokens, index):
        return Standing.DOUBTFUL
    if tokens[index].word in _CONTRASTS:
        return Standing.STATED
    return _governed(tokens, index, first) if tokens[index].word in NEGATIONS else None


def _is_denied_behind(tokens: Sequence[Token], last: int, text: str) -> bool:
    """By a word of a language that denies behind, or by the rest of a contraction: the 'can' of "can't"."""
    behind = tokens[last + 1] if last + 1 < len(tokens) else None
    is_contracted = behind is not None and behind.word == "not" and behind.start == tokens[last].start
    return is_contracted or _NOT_BEHIND.match(text, tokens[last].end) is not None


def _parts(tokens: Sequence[Token], index: int, text: str, marks: frozenset[str]) -> bool:
    """Whether one of the marks stands between a token and the next."""
    return not marks.isdisjoint(text[tokens[index].end : tokens[index + 1].start])


def _sets_aside(tokens: Sequence[Token], index: int) -> bool:
    word = tokens[index].word
    before = tokens[index - 1].word if index else ""
    return word in _SET_ASIDE_ALONE or before in _SET_ASIDE.get(word, ())


def _is_asked(token: Token, text: str) -> bool:
    return _ASKED.match(text, token.end) is not None


def _leaves_open(tokens: Sequence[Token], index: int) -> bool:
    """'All but not these', 'it used to be so', 'I doubt it': the fact may not hold."""
    word = tokens[index].word
    if word in _DOUBTS and index and tokens[index - 1].word in _SPEAKERS:
        return True
    return word in _EXCEPT or (
        word == "used" and [token.word for token in tokens[index + 1 : index + 3]] == ["to", "be"]
    )


def _governed(tokens: Sequence[Token], negation: int, first: int) -> Standing:
    if tokens[negation + 1].word in _NO_NEGATION_AFTER | _DOUBTS:
        return Standing.STATED
    return _denied(tokens, negation, first)


def _denied(tokens: Sequence[Token], denial: int, first: int) -> Standing:
    """'not entitled to a locker' denies the fact; 'not 20' may lead on to 'but 25', or to 'until the 21st'."""
    is_direct = denial == first - 1
    return Standing.NEGATED if is_direct and tokens[first].number is None else Standing.DOUBTFUL


def _is_called_false(tokens: Sequence[Token], first: int, last: int, text: str) -> bool:
    """'It is false that the limit is 20', 'the claim that it is 20 is wrong'."""
    return _is_false_claim(tokens, first, text) or _is_false_behind(tokens, last, text)


def _is_false_claim(tokens: Sequence[Token], first: int, text: str) -> bool:
    for index in range(first - 1, max(-1, first - _SENTENCE_REACH), -1):
        if _parts(tokens, index, text, _SENTENCE_ENDS) or tokens[index].word in _CONTRASTS:
            return False
        if tokens[index].word in _THAT:
            return _denies([token.word for token in tokens[max(0, index - _HEAD_WORDS) : index]])
    return False


def _is_false_behind(tokens: Sequence[Token], last: int, text: str) -> bool:
    words: list[str] = []
    for index in range(last, min(len(tokens) - 1, last + _HEAD_WORDS)):
        if _parts(tokens, index, text, _CLAUSE_ENDS):
            break
        words.append(tokens[index + 1].word)
    return bool(words) and (words[0] in _IS or words[0] == "stimmt") and _denies(words)


def _denies(words: list[str]) -> bool:
    """'false' denies, 'not true' denies, 'no doubt' and 'not false' do not."""
    is_false = not _FALSE.isdisjoint(words)
    is_negated = not NEGATIONS.isdisjoint(words) and (is_false or not _TRUE.isdisjoint(words))
    return is_false != is_negated
