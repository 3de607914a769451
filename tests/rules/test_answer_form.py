"""Length, wording, shape and language of an answer."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.errors import ConfigError
from goldassay.records import AnswerRecord, Source
from goldassay.rules import RulesConfig, load_rules
from goldassay.rules.json_schema import schema_validator
from goldassay.rules.language_detect import detect_language
from goldassay.rules.linear_regex import check_pattern, matches
from goldassay.rules.phrases import find_phrases
from goldassay.rules.settings import FormatConfig
from goldassay.text import normalise
from goldassay.verdicts import Category, Finding, Outcome


def _check(
    rule: str, answer: str, *, question: str = "What is the fee?", lang: str | None = None, **settings: Any
) -> Finding:
    record = AnswerRecord(
        record_id="r", question=question, answer=answer, lang=lang, sources=(Source(id="1", text="Perhaps 5 euros."),)
    )
    rules = load_rules(RulesConfig.model_validate({"enabled": [rule], rule: settings}))
    return dict(rules.check(record))[rule]


@pytest.mark.parametrize(
    ("answer", "bounds", "outcome"),
    [
        ("The fee is five euros [1].", {"max_words": 5}, Outcome.PASS),
        ("The fee is five euros today [1].", {"max_words": 5}, Outcome.FAIL),
        ("Fee: 5 [1].\n\nSources:\n[1] A very long title of a very long list", {"max_words": 3}, Outcome.PASS),
        ("好的[1]。", {"min_words": 5}, Outcome.FAIL),
        ("退款期限为十四天。", {"max_words": 8, "min_words": 8}, Outcome.PASS),
        ("One. Two. Three.", {"max_sentences": 2}, Outcome.FAIL),
        ("See https://www.bikes.example/start-now/all_prices?a=1 now.", {"max_words": 3, "min_words": 3}, Outcome.PASS),
        ("See [the price list](https://bikes.example/start) now.", {"max_words": 5, "min_words": 5}, Outcome.PASS),
        ("Run `bikes start` now.", {"max_words": 4, "min_words": 4}, Outcome.PASS),
        ("See [the list](https://bikes.example/start).", {"max_characters": 16}, Outcome.PASS),
        ("It has 200 sq. ft. of room in Washington, D.C. for all.", {"max_sentences": 1}, Outcome.PASS),
        ("It is 5 ft. It stands in Washington, D.C. The end.", {"max_sentences": 2}, Outcome.FAIL),
        ("The fee is five. <!-- checked by two people -->", {"max_words": 4, "max_characters": 16}, Outcome.PASS),
        ("The fee is <!-- five", {"max_words": 3}, Outcome.FAIL),
        (
            "1. Fees\n2. Rules\n\n(a) Room\nb) Board\n- [x] Done\n> 3) Rest",
            {"max_words": 6, "min_words": 6},
            Outcome.PASS,
        ),
        ("- **1. Fees**\n- **2. Rules**", {"max_words": 2}, Outcome.PASS),
        ("In it are\n5 apples\nand 1.5 pears", {"min_words": 8, "max_words": 8}, Outcome.PASS),
        ("abc", {"max_characters": 2}, Outcome.FAIL),
        ("abc", {}, Outcome.PASS),
    ],
)
def test_length_counts_what_a_reader_reads(answer: str, bounds: dict[str, Any], outcome: Outcome):
    """Citation marks and lists of sources do not count; each Chinese character is a word."""
    assert _check("length", answer, **bounds).outcome is outcome


@pytest.mark.parametrize("answer", ["", " ", "\u200b", "\u200b\n\ufeff", "****"])
def test_empty_answer_fails_by_length(answer: str):
    """An answer in which nothing can be read is a fail, not an error."""
    assert _check("length", answer).category is Category.INCOMPLETE


@pytest.mark.parametrize(
    "answer",
    [
        "I'm just an AI.",
        "I’m just\u00a0an\nAI.",
        "I\u200bm no. I'm ju\u00adst an AI",
        "i'M JUST AN ai",
        "**I'm** just _an_ AI.",
    ],
)
def test_banned_wording_cannot_hide(answer: str):
    """Quotes, spaces, case, emphasis and invisible characters are folded on both sides."""
    finding = _check("banned_wording", answer, phrases=["I'm just an AI"])

    assert finding.category is Category.BANNED_WORDING
    assert all(answer[e.start : e.end] == e.text for e in finding.evidence)


@pytest.mark.parametrize(
    ("answer", "settings", "count"),
    [
        ("A party of art.", {}, 1),
        ("A party of art.", {"whole_words": False}, 2),
        ("Artful arts.", {"inflected": True}, 2),
        ("艺术art很好", {}, 1),
    ],
)
def test_banned_word_is_a_whole_word(answer: str, settings: dict[str, bool], count: int):
    """'art' is left alone inside 'party', unless the setting says otherwise."""
    assert len(find_phrases(normalise(answer), ("art",), **settings)) == count


def test_fuller_wording_is_named():
    """Of two overlapping wordings the longer one is shown."""
    hits = find_phrases(normalise("as an AI model"), ("as an AI", "as an AI model"))

    assert [hit.phrase for hit in hits] == ["as an AI model"]


def test_offsets_stay_where_lower_case_grows():
    """Some letters have a longer lower case."""
    answer = normalise("İİ art")

    assert [answer.text[hit.start : hit.end] for hit in find_phrases(answer, ("Art",))] == ["art"]


def test_no_banned_wording_is_no_check():
    """Without a list there is nothing to find."""
    assert _check("banned_wording", "art").outcome is Outcome.SKIP


@given(st.text(max_size=80), st.text(min_size=1, max_size=10))
def test_phrase_search_never_breaks(text: str, phrase: str):
    """Any text, any phrase: offsets lie inside the normal form."""
    answer = normalise(text)

    assert all(0 <= hit.start < hit.end <= len(answer.text) for hit in find_phrases(answer, (phrase,)))


def test_hedging_is_the_assistants_own():
    """'I think' fails; what a source says itself, a refusal and an allowed wording do not."""
    assert _check("no_hedging", "I think it is 5 euros.").category is Category.BANNED_WORDING
    assert _check("no_hedging", "Ich glaube, es sind 5 Euro.").outcome is Outcome.FAIL
    assert _check("no_hedging", "It is perhaps 5 euros.").outcome is Outcome.PASS
    assert _check("no_hedging", "I don't know, perhaps.").outcome is Outcome.SKIP
    assert _check("no_hedging", "I think so.", allowed=["i think"]).outcome is Outcome.PASS
    assert _check("no_hedging", "Guess what.", phrases=["guess what"]).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    ("answer", "source", "outcome"),
    [
        ("I would assume it is 5 euros.", "It is 5 euros.", Outcome.FAIL),
        ("料金は多分5ユーロです。", "料金は5ユーロです。", Outcome.FAIL),
        ("아마도 5유로입니다.", "5유로입니다.", Outcome.FAIL),
        ("아마존은 5유로입니다.", "아마존은 5유로입니다.", Outcome.PASS),
        ("Наверное, это 5 евро.", "Это 5 евро.", Outcome.FAIL),
        ("It might be 5 euros.", "It is 5 euros.", Outcome.UNSURE),
        ("It could be 5 euros.", "It is 5 euros.", Outcome.UNSURE),
        ("It seems to be 5 euros.", "It is 5 euros.", Outcome.UNSURE),
        ("It is likely 5 euros.", "It is 5 euros.", Outcome.UNSURE),
        ("Es dürfte 5 Euro kosten.", "Es kostet 5 Euro.", Outcome.UNSURE),
        ("It might rain.", "Rain is possible.", Outcome.PASS),
        ("It could be 5 euros.", "It may be 5 euros.", Outcome.PASS),
    ],
)
def test_what_may_hedge_is_unsure_unless_a_source_leaves_it_open(answer: str, source: str, outcome: Outcome):
    """'I would assume' takes the answer back; 'might' may tell what a source leaves open."""
    record = AnswerRecord(record_id="r", question="Fee?", answer=answer, sources=(Source(id="1", text=source),))

    assert dict(load_rules(RulesConfig(enabled=("no_hedging",))).check(record))["no_hedging"].outcome is outcome


def test_a_weak_hedge_can_be_allowed():
    """By the same setting as the others."""
    source = Source(id="1", text="It is 5 euros.")
    record = AnswerRecord(record_id="r", question="Fee?", answer="It might be 5 euros.", sources=(source,))
    rules = load_rules(RulesConfig.model_validate({"enabled": ["no_hedging"], "no_hedging": {"allowed": ["might"]}}))

    assert dict(rules.check(record))["no_hedging"].outcome is Outcome.PASS


SCHEMA = {"type": "object", "properties": {"fee": {"type": "number"}}, "required": ["fee"]}


@pytest.mark.parametrize(
    ("answer", "settings", "said"),
    [
        ('{"fee": 5}', {"json_schema": SCHEMA}, None),
        ('```json\n{"fee": 5}\n```', {"json_schema": SCHEMA}, None),
        ('```json\n{"fee": 5}\n```', {"json_schema": SCHEMA, "allows_fence": False}, "is no JSON"),
        ('{"fee": "5"}', {"json_schema": SCHEMA}, "breaks the schema"),
        ('{"fee": NaN}', {"is_json": True}, "is no JSON"),
        ("[5]", {"is_json": True}, None),
        ("[" * 100_000, {"is_json": True}, "is no JSON"),
        ("Fee: 5", {"pattern": r"^Fee: \d+$"}, None),
        ("Fee 5", {"pattern": r"^Fee: \d+$"}, "does not match"),
        ("call me", {"forbidden_pattern": r"(?i)CALL"}, "forbidden"),
        ("One.\n\nTwo.", {"max_paragraphs": 1}, "2 paragraphs"),
        ("One.\n  \n", {"max_paragraphs": 1}, None),
        ("One.\r\n\r\nTwo.", {"max_paragraphs": 1}, "2 paragraphs"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", {"without": ["table"]}, "holds a table"),
        (
            "Plain.",
            {"without": ["table", "heading", "bullet_list", "code_block", "html", "image", "bold", "emoji"]},
            None,
        ),
        ("# Fee\n- 5", {"needs": ["heading", "bullet_list"]}, None),
        ("Fee", {"needs": ["numbered_list"]}, "holds no numbered list"),
        (" ", {"needs": ["heading"]}, "empty"),
    ],
)
def test_format_meets_its_settings(answer: str, settings: dict[str, Any], said: str | None):
    """Each unmet demand is named."""
    finding = _check("format", answer, **settings)

    assert finding.outcome is (Outcome.PASS if said is None else Outcome.FAIL)
    assert (said or "") in finding.reason


_SHAPES = {
    "heading": (
        ["# A", "A\n===", "Fees\n---\nx", "<h1>A</h1>", "x\r\n# A"],
        ["```\n# a\n```", "~~~\n# a", "- a\n---", "`# a`"],
    ),
    "table": (["a|b\n|-|-|\n1|2", "a|b\r\n-|-\r\n1|2", "<table><tr></table>"], ["a | b", "- a", "---"]),
    "emoji": (["Fine 🙂", "✅ yes", "1️⃣ one", "❤️", "☎️ call", "🇫🇷"], ["✓ yes", "★★★", "→ a", "☎ call", "5 © x", "✔ yes"]),
    "html": (["a <b>c</b>", "<br/>"], ["`<b>`", "```\n<b>\n```", "5 < 6 > 4"]),
    "bold": (["**a**", "__a__", "<b>a</b>"], ["`**a**`", "2 ** 3"]),
    "code_block": (["```\nx\n```", "~~~\nx"], ["`x`"]),
}  # fmt: skip


@pytest.mark.parametrize(
    ("part", "answer", "is_there"),
    [(part, answer, i == 0) for part, both in _SHAPES.items() for i, listed in enumerate(both) for answer in listed],
)
def test_parts_of_markdown_are_told_in_every_form(part: str, answer: str, is_there: bool):  # noqa: FBT001 - a case
    """Underlined and HTML headings, lean tables, pictures; code is no part, and a tick is no picture."""
    finding = _check("format", answer, without=[part])

    assert finding.outcome is (Outcome.FAIL if is_there else Outcome.PASS), finding


def test_format_spares_refusals_and_runs_only_when_set():
    """A refusal is right in any shape; without settings there is nothing to check."""
    assert _check("format", "I don't know.", is_json=True).outcome is Outcome.SKIP
    assert _check("format", "I don't know.", is_json=True, spares_refusals=False).outcome is Outcome.FAIL
    assert _check("format", "x").outcome is Outcome.SKIP


def test_pattern_that_could_hang_is_refused_or_linear():
    """RE2 has no back-references, and runs nested repeats in linear time."""
    with pytest.raises(ConfigError, match="RE2"):
        check_pattern(r"(a)\1")
    assert matches(r"^(a+)+$", "a" * 20_000 + "b") is False


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "http://schema.example/x"},
        {"$ref": "#/$defs/fee"},
        {"properties": {"fee": {"items": {"$ref": "#/definitions/fee"}}}},
        {"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/fee"},
    ],
)
def test_schema_with_a_loose_reference_stops_the_run(schema: dict[str, Any]):
    """A reference to elsewhere or to nothing is an error of the settings, never a request nor an error per answer."""
    with pytest.raises(ConfigError, match="refers to"):
        FormatConfig(json_schema=schema)


@pytest.mark.parametrize(
    "schema",
    [
        {"$defs": {"fee": {"type": "number"}}, "properties": {"fee": {"$ref": "#/$defs/fee"}}},
        {"$id": "http://schema.example/a", "$defs": {"f": {"$anchor": "fee"}}, "properties": {"fee": {"$ref": "#fee"}}},
        {"$schema": "http://schema.example/own", "properties": {"$ref": {"type": "string"}, "next": {"$ref": "#"}}},
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "definitions": {"fee": {"$id": "fee.json"}},
            "properties": {"fee": {"$ref": "fee.json"}},
        },
        True,
    ],
)
def test_schema_may_refer_to_its_own_parts(schema: Any):
    """By pointer, by anchor, by id, and to itself."""
    assert schema_validator(json.dumps(schema)).is_valid({"fee": 5})


def test_setting_that_cannot_be_used_stops_before_any_answer(monkeypatch: pytest.MonkeyPatch):
    """A wrong pattern or schema, or a missing package, is an error of the settings."""
    with pytest.raises(ConfigError, match="no JSON schema"):
        FormatConfig(json_schema={"type": "nonsense"})
    with pytest.raises(ConfigError, match="RE2"):
        FormatConfig(pattern=r"(?=a)")
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    with pytest.raises(ConfigError, match="'jsonschema'"):
        FormatConfig(json_schema={"title": "not asked for before"})


TEXTS = {
    "en": "The monthly fee is due on the first day of each month and can be paid by card.",
    "de": "Die monatliche Gebühr ist am ersten Tag des Monats fällig und kann mit der Karte bezahlt werden.",
    "fr": "Les frais mensuels sont dus le premier jour du mois et peuvent être payés par carte.",
    "es": "La cuota mensual se paga el primer día del mes y se puede pagar con tarjeta.",
    "it": "La quota mensile è dovuta il primo giorno del mese e si può pagare con la carta.",
    "pt": "A taxa mensal é devida no primeiro dia do mês e pode ser paga com cartão.",
    "nl": "De maandelijkse kosten zijn op de eerste dag van de maand verschuldigd en worden met de kaart betaald.",
    "pl": "Opłata miesięczna jest należna pierwszego dnia miesiąca i może być zapłacona kartą, ale nie gotówką.",
    "tr": "Aylık ücret her ayın ilk günü ödenir ve kart ile ödeme için bir seçenek de var.",
    "ru": "Ежемесячная плата вносится в первый день месяца.",
    "zh": "每月的费用应在每月的第一天支付。",
    "ja": "月額料金は毎月一日にお支払いください。",
    "ko": "월 요금은 매월 첫날에 납부해야 합니다.",
    "ar": "يتم دفع الرسوم الشهرية في اليوم الأول من كل شهر.",
    "hi": "मासिक शुल्क हर महीने के पहले दिन देय है।",
    "fa": "هزینهٔ ماهانه در روز اول هر ماه پرداخت می‌شود و با کارت نیز می‌توان پرداخت کرد؛ گزینهٔ دیگری نیست.",
    "uk": "Щомісячна плата вноситься в перший день місяця і її можна сплатити карткою.",
    "el": "Η μηνιαία χρέωση καταβάλλεται την πρώτη ημέρα του μήνα.",
}


@pytest.mark.parametrize("code", TEXTS)
def test_language_of_running_text_is_told(code: str):
    """By script, else by function words."""
    assert detect_language(TEXTS[code]).code == code


@pytest.mark.parametrize(
    "text", ["", "OK", "a to do a to do", "Windows 11 Pro", "5 EUR", "Galway Corvane Delmar Estrin Farrow Hesper"]
)
def test_short_texts_have_no_language(text: str):
    """Names and numbers speak none."""
    assert detect_language(text).code is None


_SHORT_QUESTIONS = {
    "de": "Wann öffnet der Laden am Morgen?|Was kostet der Versand?|Muss ich einen Helm tragen?",
    "fr": "Quand ouvre le magasin ?|Combien coûte la livraison ?|Comment supprimer mon compte ?",
    "es": "¿Cuándo abre la tienda?|¿Cuánto cuesta el envío?|¿Dónde encuentro mi factura?|¿Puedo cancelar mi pedido?",
    "it": "Quanto costa la spedizione?|Dove trovo la mia fattura?|Quali documenti servono?|Chi devo contattare?",
    "pt": "Quando abre a loja de manhã?|Onde encontro a minha fatura?|Qual é o prazo de devolução?",
    "nl": "Hoeveel kost de verzending?|Waar vind ik mijn factuur?|Is er korting voor studenten?",
    "pl": "O której otwiera się sklep?|Ile kosztuje wysyłka?|Czy mogę anulować zamówienie?",
    "sv": "När öppnar butiken på morgonen?|Hur mycket kostar frakten?",
    "da": "Hvornår åbner butikken?|Hvad koster fragten?",
    "fi": "Milloin kauppa aukeaa aamulla?|Voinko peruuttaa tilaukseni?",
    "cs": "Kdy se ráno otevírá obchod?|Kolik stojí doprava?",
    "hu": "Mikor nyit a bolt reggel?|Hol találom a számlámat?",
    "ro": "Când se deschide magazinul?|Unde găsesc factura mea?",
    "tr": "Mağaza sabah saat kaçta açılıyor?|Kargo ücreti ne kadar?",
    "id": "Berapa biaya pengiriman?|Bagaimana cara menghapus akun?",
    "vi": "Cửa hàng mở cửa lúc mấy giờ?|Phí vận chuyển là bao nhiêu?",
    "en": "When does the shop open?|How much is shipping?|Where was Melissa Gaboriau Auf der Maur born?",
}


@pytest.mark.parametrize(
    ("code", "question"),
    [(code, question) for code, listed in _SHORT_QUESTIONS.items() for question in listed.split("|")],
)
def test_language_of_a_short_question_is_told(code: str, question: str):
    """Question words and letters are enough; names in capitals speak no language."""
    assert detect_language(normalise(question).prose).code == code


def test_a_fixed_refusal_may_be_in_its_own_language():
    """The project wrote it, in one language for all."""
    record = AnswerRecord(record_id="r", question="Wann öffnet der Laden?", answer="I could not find this. Sorry!")
    fixed = {"enabled": ["language"], "refusal": {"sentences": ["I could not find this, sorry."]}}

    assert dict(load_rules(RulesConfig.model_validate(fixed)).check(record))["language"].outcome is Outcome.SKIP
    assert dict(load_rules(RulesConfig(enabled=("language",))).check(record))["language"].outcome is Outcome.FAIL


def test_a_text_in_capitals_speaks_a_language_too():
    """Only where small letters stand beside them are capitals names."""
    assert detect_language("WIE HOCH IST DIE GEBÜHR UND WANN IST SIE FÄLLIG?").code == "de"


@pytest.mark.parametrize(
    ("question", "answer", "outcome"),
    [
        ("When does the shop open?", "Sklep jest otwarty codziennie od 9 do 17, ale nie w święta.", Outcome.FAIL),
        ("Wann öffnet der Laden?", "The shop opens at 9 in the morning.", Outcome.FAIL),
        ("When does the shop open?", "1. Google.com\n2. YouTube.com\n3. Yahoo.com", Outcome.SKIP),
        ("How do I say bless you in French?", "À vos souhaits, ou bien que Dieu vous bénisse.", Outcome.UNSURE),
        ("Translate 'the shop is open' for me.", "Der Laden ist geöffnet und nicht geschlossen.", Outcome.UNSURE),
        ("Who sang it?", "The band Kiss sang 'La Vie en Rose' and the rest of it.", Outcome.PASS),
    ],
)
def test_another_language_fails_only_where_it_is_sure(question: str, answer: str, outcome: Outcome):
    """What matters is how little speaks for the wanted language; a question may ask for another."""
    assert _check("language", answer, question=question).outcome is outcome


def test_answer_speaks_the_language_of_the_question():
    """Another language fails; what cannot be told is skipped."""
    asked_in_german = "Wie hoch ist die monatliche Gebühr und wann ist sie fällig?"

    assert _check("language", TEXTS["de"], question=asked_in_german).outcome is Outcome.PASS
    assert _check("language", TEXTS["en"], question=asked_in_german).category is Category.WRONG_LANGUAGE
    assert _check("language", TEXTS["ja"], question=TEXTS["zh"]).outcome is Outcome.FAIL
    strict = _check("language", TEXTS["en"], question=asked_in_german, least_certainty=1.0)
    assert strict.outcome is Outcome.UNSURE
    assert _check("language", "OK.", question=asked_in_german).outcome is Outcome.SKIP
    assert _check("language", TEXTS["en"], question="Fee?").outcome is Outcome.SKIP
    assert _check("language", TEXTS["en"], lang="de-AT").outcome is Outcome.FAIL
    assert (
        _check("language", TEXTS["de"], expected="de", question="What is the fee of the plan?").outcome is Outcome.PASS
    )
