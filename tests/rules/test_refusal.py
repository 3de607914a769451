"""Refusals: the fixed sentence, the common forms of many languages, and what is no refusal at all."""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.records import AnswerRecord, GoldenQuestion, Source
from goldassay.rules import RulesConfig
from goldassay.rules.context import RuleContext
from goldassay.rules.refusal import judge_refusal, refusal
from goldassay.rules.refusal_detect import RefusalKind, read_refusal
from goldassay.rules.refusal_lexicon import lacks
from goldassay.rules.settings import RefusalConfig
from goldassay.text import normalise
from goldassay.verdicts import Category, Finding, Outcome


def _kind(answer: str, *fixed: str, common_forms: bool = True) -> RefusalKind:
    return read_refusal(normalise(answer), fixed, common_forms=common_forms).kind


def _check(answer: str, *, answerable: bool | None) -> Finding:
    golden = None if answerable is None else GoldenQuestion(question_id="q", question="q", answerable=answerable)
    record = AnswerRecord(record_id="r", question="q", answer=answer, sources=(Source(id="1", text="x"),))
    context = RuleContext(record, golden)
    return refusal(context, context.config.refusal)


FULL = [
    "I don't know.",
    "I could not find this in the documents.",
    "I’m afraid I can’t find that in the provided documents.\u00a0",
    "Sorry, but I do not have that information.",
    "I do not have any information on any other battles fought in Indiana.",
    "The given context does not provide information about the tailgate.",
    "The name of the system is not provided in the given context.",
    "There is no information provided in the given context about cleaning mirrors.",
    "I'm sorry, I cannot answer that question as it is not related to the context provided.",
    "I'm sorry, but I need more information to answer your question. What is the tire size?",
    "The passage does not mention it. Please consult the owner's manual.",
    "I don't have enough information to answer this.\n\nThe sources only cover the start.\n\nPlease ask the organiser.",
    "Unfortunately, none of the sources mention the fee.",
    "The given context does not provide any information about it. Therefore, I cannot answer your question.",
    "**I do not know.**",
    "Not mentioned.",
    "N/A",
    "Answer: Unknown",
    "Unbekannt.",
    "Aucune idée.",
    "Das kann ich leider nicht beantworten.",
    "Dazu liegen mir keine Informationen vor.",
    "Die Dokumente enthalten keine Angaben zu den Gebühren.",
    "Ich konnte in den Dokumenten nichts dazu finden.",
    "Je ne sais pas.",
    "Je n’ai pas trouvé cette information dans les documents.",
    "Les documents ne mentionnent pas ce tarif.",
    "No lo sé.",
    "No tengo información sobre las tarifas.",
    "Los documentos no mencionan la tarifa.",
    "Non lo so.",
    "I documenti non menzionano la tariffa.",
    "Não sei.",
    "Não encontrei informações sobre isso nos documentos.",
    "Ik weet het niet.",
    "De documenten bevatten geen informatie over de kosten.",
    "Jag vet inte.",
    "Nie wiem.",
    "Я не знаю.",
    "В документах нет информации о тарифах.",
    "我不知道。",
    "根据提供的文档，无法回答这个问题。",
    "文档中没有提到费用。",
    "わかりません。",
    "資料には記載がありません。",
    "모르겠습니다.",
    "문서에서 해당 정보를 찾을 수 없습니다.",
    "لا أعرف.",
    "لا توجد معلومات في الوثائق.",
    "मुझे नहीं पता।",
    "Bilmiyorum.",
    "Tôi không biết.",
]


@pytest.mark.parametrize("answer", FULL)
def test_common_refusals_are_certain(answer: str):
    """Curly quotes, courtesy, several paragraphs and other languages change nothing."""
    assert _kind(answer) is RefusalKind.FULL


@pytest.mark.parametrize(
    "answer",
    [
        "The fee is 5 euros [1].",
        "I'm sorry you had this trouble. Send a photo within 7 days [1].",
        '"We cannot open the gate," says the porter.',
        '"I do not know," says the porter.',
        "You do not need a ticket.",
        "I cannot recommend this pass enough.",
        "Unknown Pleasures is an album of 1979.",
        "The document does not have to be notarised.",
        "Which county are you referring to?",
        "Children under six do not pay. There is no deposit.",
        "The museum is not open on Mondays.",
        "We do not ship abroad; parcels cannot be returned.",
        "Die Gebühr beträgt 5 Euro; Kinder zahlen nicht.",
        "Le musée n'est pas ouvert le lundi.",
        "El museo no abre los lunes.",
        "博物馆周一不开放。",
        "No sources of iron were found in the valley.",
    ],
)
def test_an_answer_with_negations_is_no_refusal(answer: str):
    """Apology, negation, quoted speech and a question back are no refusal."""
    assert _kind(answer) is RefusalKind.NONE


def test_refusal_that_goes_on_is_for_the_judge():
    """A refusal with a partial answer behind it is neither."""
    answer = "The context does not mention the fee. However, a monthly pass is said to cost 25 dollars in most cities."

    assert _kind(answer) is RefusalKind.OPENING
    assert _check(answer, answerable=False).outcome is Outcome.UNSURE
    assert _check(answer, answerable=True).outcome is Outcome.UNSURE


def test_gap_named_in_passing_is_an_answer():
    """It answers an answerable question; whether it may answer an unanswerable one, a judge must say."""
    answer = "The pass costs 25 dollars a month. The documents do not mention a yearly pass."

    assert _kind(answer) is RefusalKind.GAP
    assert _check(answer, answerable=True).outcome is Outcome.PASS
    assert _check(answer, answerable=False).outcome is Outcome.UNSURE


@pytest.mark.parametrize(
    ("answer", "answerable", "outcome", "category"),
    [
        ("I don't know.", False, Outcome.PASS, None),
        ("I don't know.", True, Outcome.FAIL, Category.WRONG_REFUSAL),
        ("It is Paris.", False, Outcome.FAIL, Category.MISSED_REFUSAL),
        ("It is Paris.", True, Outcome.PASS, None),
        ("Which city do you mean?", False, Outcome.UNSURE, Category.MISSED_REFUSAL),
        ("Which city do you mean?", True, Outcome.PASS, None),
        (" \n", True, Outcome.FAIL, Category.INCOMPLETE),
        (" \n", None, Outcome.FAIL, Category.INCOMPLETE),
        ("I don't know.", None, Outcome.SKIP, None),
    ],
)
def test_refuses_exactly_when_it_should(
    answer: str,
    answerable: bool | None,  # noqa: FBT001 - a parametrised case
    outcome: Outcome,
    category: Category | None,
):
    """Without a golden question nobody knows whether it should, but whether it does is still told."""
    finding = _check(answer, answerable=answerable)

    assert (finding.outcome, finding.category) == (outcome, category)


@pytest.mark.parametrize(
    "answer",
    [
        "However, there is no mention of lighters in the context of the museum.",
        "The pass costs 25 dollars a month for adults, but the documents do not mention a price for children.",
    ],
)
def test_lack_behind_a_claim_is_a_gap(answer: str):
    """Words that go on from something told make no refusal."""
    assert _kind(answer) is RefusalKind.GAP


def test_refusal_far_down_is_none():
    """An assistant refuses at the beginning."""
    assert _kind("The pass costs 25 dollars a month. " * 60 + "I do not know the rest.") is RefusalKind.NONE


def test_evidence_is_the_refusing_sentence():
    """It stands in the original answer, odd spaces included."""
    answer = "Thank you!\u00a0 I’m sorry, I\u200b can’t find that in the documents."
    record = AnswerRecord(record_id="r", question="q", answer=answer)
    context = RuleContext(record, GoldenQuestion(question_id="q", question="q", answerable=False))

    evidence = refusal(context, RefusalConfig()).evidence[0]

    assert answer[evidence.start : evidence.end] == evidence.text
    assert evidence.text.endswith("documents.")


def test_own_sentence_counts_whatever_its_dress():
    """Case, punctuation and spacing do not count; what stands beside it does."""
    own = "Bitte fragen Sie unser Team: dazu steht hier nichts."

    assert _kind("Bitte fragen Sie unser Team – dazu steht HIER nichts!", own, common_forms=False) is RefusalKind.FULL
    assert _kind(f"{own} Der Preis ist 5 Euro.", own, common_forms=False) is RefusalKind.OPENING
    assert _kind("Der Preis ist 5 Euro.", own, common_forms=False) is RefusalKind.NONE
    assert _kind("I don't know.", own, common_forms=False) is RefusalKind.NONE


def test_own_sentences_come_from_the_settings():
    """`refusal = {sentences = [...]}` reaches the rule and all who ask whether the answer refuses."""
    config = RulesConfig(refusal=RefusalConfig(sentences=("Out of scope!",)))
    context = RuleContext(AnswerRecord(record_id="r", question="q", answer="Out of scope."), None, config)

    assert context.is_refusal is True
    assert judge_refusal(context, None).is_refusal is False


def test_every_hint_list_can_let_its_patterns_speak():
    """A pattern that no hint of its language lets through would never be tried."""
    for answer in FULL:
        lower = normalise(answer).text.lower()
        matching = [group for group in lacks() if group.pattern.search(lower)]
        assert any(hint in lower for group in matching for hint in group.hints), answer


@given(st.text(max_size=300))
def test_no_text_breaks_the_reading(text: str):
    """Spans lie inside the normal form."""
    answer = normalise(text)

    reading = read_refusal(answer, ("I don't know.",))

    assert reading.span is None or 0 <= reading.span[0] <= reading.span[1] <= len(answer.text)


@pytest.mark.parametrize(
    "piece", ["the context ", "i do not ", "information in the ", "ich kann ", "não há ", "no ", "没有", "I "]
)
def test_hostile_answer_takes_little_time(piece: str):
    """Only the beginning of a sentence, and of an answer, is read."""
    answer = normalise(piece * (300_000 // len(piece)))
    begin = time.process_time()

    read_refusal(answer)

    assert time.process_time() - begin < 10  # about 0.1 s; a pattern that is not linear takes many minutes


def _rows(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_peoples_labels_of_refusals_are_met(labelled_data: Path):
    """On conversations labelled by people: recall 0.90 and no false alarm among answerable questions."""
    rows = _rows(labelled_data / "mtragun_reference.jsonl.gz")
    kinds = [(row["label_detail"]["answerability"], _kind(row["answer"])) for row in rows]
    told = {RefusalKind.FULL, RefusalKind.OPENING}
    refused = [kind in told for label, kind in kinds if label == "UNANSWERABLE"]
    false_alarms = [kind in told for label, kind in kinds if label in {"ANSWERABLE", "UNDERSPECIFIED"}]

    assert sum(refused) / len(refused) >= 0.90
    assert sum(refused) / (sum(refused) + sum(false_alarms)) >= 0.98


def test_human_answers_raise_no_alarm(labelled_data: Path):
    """Answers that people wrote from the passage refuse nothing."""
    answers = [row["answer"] for row in _rows(labelled_data / "clapnq.jsonl.gz") if row.get("answer")]

    assert [answer for answer in answers if _kind(answer) in {RefusalKind.FULL, RefusalKind.OPENING}] == []


def test_passages_of_seventeen_languages_raise_no_alarm(labelled_data: Path):
    """Encyclopaedia texts refuse nothing, in whatever script: at most two in a thousand are read so."""
    rows = _rows(labelled_data / "nomiracl.jsonl.gz")[::3]
    texts = [source["text"][:500] for row in rows for source in row["sources"][:4]]

    alarms = [text for text in texts if _kind(text) in {RefusalKind.FULL, RefusalKind.OPENING}]

    assert len(texts) > 500
    assert len(alarms) <= 0.002 * len(texts) + 1
