"""Which language a text is in, as far as its numbers need it: for number words and the decimal habit.

A count of very common words, no model; '' where it cannot tell. The rule `language`
has its own, finer reading.
"""

from __future__ import annotations

import re

from goldassay.rules._number_values import Style
from goldassay.text import letter_words

__all__ = ["decimal_style", "language_of", "language_of_answer"]

_COMMON = {
    "en": "the of and is are was were to for with that this by from it has have be been on as at or not can which",
    "de": "der die das und ist sind war wurde von mit für nicht ein eine im den dem auf zu bis es auch werden kann",
    "fr": "le la les des est sont était et pour dans avec sur une du au par qui que pas ce cette il elle",
    "es": "el los las del es son fue y para en con por una que se al su como más no lo este esta",
    "it": "il gli della di è sono era e per con una che non del nel dal al lo si ha questo più alla",
    "pt": "o os da do dos das é são foi e para com uma que não em no na por ao se mais um pelo",
    "nl": "de het een van is zijn was en voor met niet op aan dat die te door bij ook wordt naar uit deze",
}
_NUMBER_WORDS = {
    "en": "two three four five six seven eight nine ten eleven twelve twenty thirty fifty",
    "de": "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig fünfzig dutzend anderthalb",
    "fr": "deux trois quatre cinq six huit neuf dix onze douze vingt trente cinquante douzaine",
    "es": "dos tres cuatro cinco seis siete ocho nueve diez doce veinte treinta cincuenta docena",
    "it": "tre quattro cinque sei sette otto nove dieci undici dodici venti trenta cinquanta dozzina",
    "pt": "dois duas três quatro cinco seis sete oito nove dez onze doze vinte trinta cinquenta dúzia",
    "nl": "twee drie vier vijf zes zeven acht negen tien elf twaalf twintig dertig vijftig dozijn anderhalf",
}
"""The words to be read tell the language too, where a short text has few others: 'Die Frist beträgt zwei Wochen.'

Without those that English has as well: 'Once every 2 years' and 'Payment due' are neither Spanish nor Italian.
"""
_LONG_NUMBERS = {
    "it": re.compile(r"(?:due|tre|quattro|cinque|sei|sette|otto|nove|dieci|venti|trenta|cento)(?:mila|cento)\w{0,20}"),
    "de": re.compile(
        r"(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|\w{2,8}zig)(?:hundert|tausend|und\w{2,8}(?:zig|ßig))\w{0,30}"
    ),
    "nl": re.compile(r"(?:twee|drie|vier|vijf|zes|zeven|acht|negen|tien|\w{2,8}tig)(?:honderd|duizend)\w{0,30}"),
    "es": re.compile(r"(?:dos|tres|cuatro|seis|ocho)cient[oa]s|quinient[oa]s|setecient[oa]s|novecient[oa]s"),
    "pt": re.compile(r"duzent[oa]s|trezent[oa]s|quinhent[oa]s|(?:quatro|seis|sete|oito|nove)cent[oa]s"),
}
"""Numbers in one word that no other language has; asked where the common words do not tell."""
_THOUSAND = "mille"  # the same in Italian and French, so either reader will do
_WORDS_OF = {language: frozenset(f"{words} {_NUMBER_WORDS[language]}".split()) for language, words in _COMMON.items()}
_READ_CHARACTERS = 1500  # enough to tell; long sources cost no more
_READ_WORDS = 250
_FEW_WORDS = 12  # one English word among so few may be another language's as well
_CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def language_of(text: str, tokens: list[str] | None = None) -> str:
    """Code of the language with the most common words in the text; '' where none leads.

    Args:
        text: Any text; only its beginning is read.
        tokens: Its runs of letters in lower case, where the caller has them already.
    """
    if not text.isascii() and _CJK.search(text, 0, _READ_CHARACTERS):
        return "zh"
    seen = tokens[:_READ_WORDS] if tokens is not None else letter_words(text[:_READ_CHARACTERS])
    english = _WORDS_OF["en"]
    counts = {"en": sum(map(english.__contains__, seen))}
    seems_english = counts["en"] * 6 >= len(seen) and text.isascii()
    if seems_english and (len(seen) > _FEW_WORDS or counts["en"] * 2 >= len(seen)):
        return "en" if seen else ""
    for language, common in _WORDS_OF.items():
        counts[language] = sum(token in common for token in seen)
    best = max(counts, key=lambda language: counts[language])  # the first of the best, and English is the first
    if seems_english and best == "en":
        return best
    if counts[best] and list(counts.values()).count(counts[best]) == 1:
        return best
    return _by_long_numbers(seen, counts)


def _by_long_numbers(seen: list[str], counts: dict[str, int]) -> str:
    """The language of a short text by a number in one word: 'Costa duemila euro'."""
    for token in seen[:_FEW_WORDS]:
        for language, numbers in _LONG_NUMBERS.items():
            if numbers.fullmatch(token):
                return language
    return "it" if _THOUSAND in seen[:_FEW_WORDS] and not counts["en"] else ""


def language_of_answer(text: str, tokens: list[str]) -> str:
    """What `language_of(text)` says, for a text whose runs of letters are known; a long one is read anew."""
    is_short = len(text) <= _READ_CHARACTERS and len(tokens) <= _READ_WORDS
    return language_of(text, tokens if is_short else None)


def decimal_style(language: str) -> Style:
    """How texts of a language write decimals; '' where the language is unknown."""
    if language in {"en", "zh"}:
        return "dot"
    return "comma" if language else ""
