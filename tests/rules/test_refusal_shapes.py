"""Refusals in everyday shapes, and claims that are glued to a refusing sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.records import AnswerRecord, GoldenQuestion, Source
from goldassay.rules.context import RuleContext
from goldassay.rules.numbers import numbers
from goldassay.rules.refusal import refusal
from goldassay.rules.refusal_detect import RefusalKind, read_refusal
from goldassay.rules.settings import RefusalConfig, RulesConfig
from goldassay.text import normalise
from goldassay.verdicts import Outcome


def _kind(answer: str) -> RefusalKind:
    return read_refusal(normalise(answer)).kind


def _context(answer: str, *, answerable: bool = False, config: RulesConfig | None = None) -> RuleContext:
    sources = (Source(id="1", text="The hall opens at 9. A pass costs 25 euros."),)
    record = AnswerRecord(record_id="r", question="What was the fee in 2019?", answer=answer, sources=sources)
    return RuleContext(record, GoldenQuestion(question_id="q", question="q", answerable=answerable), config)


REFUSALS = [
    "It's not in the sources.",
    "Sorry, that's not mentioned in the documents.",
    "The provided context does not contain information about the fee, its amount, or who has to pay it.",
    "The documents do not mention the monthly costs, the cost of a day pass, or its length.",
    "The documents do not say when the museum opens or how much it costs.",
    "While the documents discuss parking, they do not mention the fee.",
    "I'm not able to find the answer in the sources you provided, which cover only travel.",
    "The documents do not mention the fees of 2018 and 2019.",
    "Not specified in the provided context.",
    "Not mentioned in the sources.",
    "Insufficient information.",
    "Information not available.",
    "No mention of fees.",
    "Could not find it.",
    "The fee isn't mentioned.",
    "The answer isn't in the documents.",
    "The provided text says nothing about fees.",
    "I don't see anything about that in the documents provided.",
    "That's not something I have information on.",
    "I lack the information to answer.",
    "No se encontró información sobre la tarifa en los documentos.",
    "No he encontrado información sobre la tarifa.",
    "I documenti non contengono informazioni sulla tariffa.",
    "Dazu steht nichts in den Quellen.",
    "In den vorliegenden Unterlagen finde ich dazu nichts.",
    "Dat weet ik niet.",
    "Не знаю.",
    "Det fremgår ikke af kilderne.",
    "Det står ikke i dokumentene.",
    "Jeg vet ikke.",
    "Kildene sier ingenting om gebyret.",
    "En tiedä.",
    "Asiakirjoissa ei mainita maksua.",
    "Lähteissä ei ole tietoa maksusta.",
    "Nevím.",
    "Dokumenty neobsahují informace o poplatku.",
    "V dokumentech se o tom nic nepíše.",
    "Tato informace není v dokumentech uvedena.",
    "Δεν γνωρίζω.",
    "Τα έγγραφα δεν αναφέρουν το τέλος.",
    "Δεν βρήκα πληροφορίες για το τέλος.",
    "Nu știu.",
    "Nu am găsit informații despre taxă în documente.",
    "Documentele nu menționează taxa.",
    "Nem tudom.",
    "A dokumentumok nem említik a díjat.",
    "Nem találtam információt a díjról.",
    "Saya tidak tahu.",
    "Dokumen tidak menyebutkan biaya.",
    "Informasi tersebut tidak tersedia.",
    "Belgelerde ücret belirtilmemiş.",
    "Tài liệu không đề cập đến phí.",
    "W dokumentach nie ma informacji o opłacie.",
    "Det framgår inte av källorna.",
    "Dat staat niet in de documenten.",
    "Cela n'est pas mentionné dans les documents.",
    "There's no information about fees in the documents.",
    "There is nothing about fees in the sources.",
    "I couldn't find anything about that.",
    "I have no idea.",
    "No idea.",
    "I haven't found any information on this.",
    "I wasn't able to find it in the documents.",
    "The documents don't say.",
    "It doesn't say.",
    "I don't have an answer to that.",
    "I can't tell from the documents provided.",
    "This question cannot be answered.",
    "Unable to determine.",
    "Sorry, that information is unavailable.",
    "The information you are asking for is not in the sources.",
    "I'm sorry: the documents do not mention the fee.",
    "The fee is not mentioned in the documents (they only describe the rooms).",
    "The documents do not mention the fee, so I cannot answer.",
    "The documents do not mention the fee; please contact the office.",
    "I do not know - this is not covered in the sources.",
    "The documents provided, which are about museums, do not mention the fee.",
    "Sorry, I cannot answer the question because of some technical issue.",
    "It is not stated in the documents, and it is not clear from the text whether there is a fee.",
    "The given context mentions a light. However, it does not mention the indicator. Therefore, I cannot answer.",
    "I'm sorry, but the documents contain no information on the fee; therefore, I am unable to answer your question.",
    "Based on the provided context, I cannot determine the fee. The context only discusses the opening hours.",
    "The answer to your question is not included in the given documents. Please check the official website.",
    "I apologize, but I couldn't find any relevant information in the provided sources to answer your question.",
    "Sorry, I don't have information about this.",
    "This information isn't provided in the text.",
    "The retrieved passages don't mention who designed the bridge, when it was built or what it cost.",
    "I'm unable to find that in the provided documents.",
    "Unfortunately the handbook doesn't say.",
    "There isn't enough information in the context to answer this.",
    "The sources do not specify this, and I cannot infer it.",
    "I do not know the answer to that question, as it is not mentioned in the documents.",
    "As the sources do not mention the fee, I cannot say what it is.",
    "Since the documents do not cover this, I can't answer.",
    "I don't know what the fee is.",
    "I don't know if it is open on Sundays.",
    "I do not have information on whether the museum is open on holidays, or who is allowed in.",
    "None of the documents mention parking (or whether it is free).",
    "Leider enthalten die Dokumente keine Informationen dazu, ob das Museum am Sonntag geöffnet ist.",
    "Ich kann diese Frage nicht beantworten, da die Dokumente keine Angaben dazu enthalten.",
    "Die Quellen sagen dazu nichts.",
    "Darüber habe ich keine Informationen.",
    "Je suis désolé, mais les documents fournis ne contiennent pas cette information, donc je ne peux pas répondre.",
    "Lo siento, pero los documentos no contienen esa información.",
    "Mi dispiace, ma i documenti non contengono informazioni su questo argomento.",
    "Desculpe, mas os documentos não mencionam a taxa.",
    "Sorry, maar de documenten bevatten daar geen informatie over.",
    "抱歉，提供的资料中没有相关信息，因此无法回答您的问题。",
    "申し訳ありませんが、提供された資料にはその情報が含まれていません。",
    "죄송합니다. 제공된 문서에는 해당 정보가 없습니다.",
    "عذراً، لا تحتوي المستندات على معلومات حول الرسوم.",
    "Извините, в предоставленных документах нет информации об этом.",
    "Beklager, jeg fant ingen informasjon om dette i dokumentene.",
    "Tyvärr hittade jag ingen information om detta.",
    "Anteeksi, mutta en löytänyt tietoa tästä.",
    "Üzgünüm, bu konuda bilgi bulamadım.",
    "Przepraszam, ale nie znalazłem tej informacji w dokumentach.",
    "Bohužel dokumenty tuto informaci neobsahují.",
    "Sajnálom, de a megadott dokumentumok nem tartalmaznak erre vonatkozó információt.",
    "Îmi pare rău, dar documentele nu conțin această informație.",
    "Λυπάμαι, αλλά τα έγγραφα δεν περιέχουν αυτή την πληροφορία.",
    "Maaf, saya tidak menemukan informasi tentang biaya tersebut.",
    "Xin lỗi, tôi không tìm thấy thông tin về phí.",
]

ANSWERS = [
    "There is no fee in the text message plan.",
    "The contract does not provide for a refund.",
    "You cannot find it cheaper. It is 40 euros.",
    "The context manager does not contain state [1].",
    "The service charge is not included.",
    "The article of 1999 names no author.",
    "The source code does not include tests.",
    "The refund is not available in Norway.",
    "Breakfast is not included in the price.",
    "Pets are not mentioned as allowed on the invoice, so ask first.",
    "The key is not in the box.",
    "There is nothing better in the area.",
    "No mention is needed when you sign.",
    "You cannot find a cheaper ticket.",
    "She could not find her keys in the house.",
    "He didn't see anything unusual.",
    "The context menu does not show the entry.",
    "The content management system does not support tables.",
    "The text field does not accept numbers.",
    "The document type does not allow comments.",
    "Files larger than 5 MB are not included in the archive.",
    "The information desk does not sell tickets.",
    "The information security officer does not approve requests.",
    "The page size does not include the margin.",
    "The reference number does not contain letters.",
    "The source code does not include tests.",
    "Tickets are not named.",
    "The path was not documented until 1990.",
    "Det er ikke tilladt at ryge.",
    "Er ist nicht in der Liste.",
    "Nie ma opłaty.",
    "Het is niet toegestaan.",
    "El museo no está en el centro.",
    "De bron is niet drinkbaar.",
    "A múzeum nem található a központban.",
    "Non è possibile entrare.",
    "Это не так.",
    "Tato cesta není značená.",
    "Δεν επιτρέπεται το κάπνισμα.",
    "It doesn't matter.",
    "We have no pets.",
    "That's not something to worry about.",
    "You will see nothing in the dark.",
    "We don't have any rooms left.",
]

GLUED = [
    "It's not in the sources. In general, gyms charge around 40 euros.",
    "The documents do not mention it explicitly; however, it can be inferred that it is 40 euros.",
    "40 euros, but this is not mentioned in the documents.",
    "The documents do not mention the fee; it is 40 euros.",
    "The documents do not mention the fee, it is 40 euros.",
    "The documents do not mention the fee – it is 40 euros.",
    "The documents do not mention the fee — it is 40 euros.",
    "The documents do not mention the fee (it is 40 euros).",
    "The documents do not mention the fee: it is 40 euros.",
    "The documents do not mention the fee, so it is 40 euros.",
    "The documents do not mention the fee, which is 40 euros.",
    "The documents do not mention the fee and it is usually 40 euros.",
    "The documents do not mention the fee and the usual fee is 40 euros.",
    "I don't know, probably 40 euros per month.",
    "I don't know, 40 euros.",
    "I don't know, but it's 40 euros.",
    "I don't know but probably 40.",
    "The fee is 40 euros; the documents do not mention it.",
    "The fee is 40 euros, the documents do not mention it.",
    "The fee is 40 euros (the documents do not mention it).",
    "The fee is 40 euros and the documents do not mention it.",
    "文档没有提到费用，通常是40欧元。",
    "The documents do not mention the fee; entry is free for members.",
    "The documents do not mention the fee. It only costs 40 euros.",
    "The documents do not mention the fee. It is about 40 euros.",
    "I don't know. His fee is 40 euros.",
    "I don't know. Unfortunately, the fee is 40 euros.",
    "Die Dokumente erwähnen die Gebühr nicht; sie beträgt 40 Euro.",
    "Die Dokumente enthalten keine Angaben zur Gebühr, sie beträgt aber 40 Euro.",
    "Die Dokumente enthalten keine Angaben zur Gebühr, wahrscheinlich 40 Euro.",
    "Die Dokumente enthalten keine Angaben. Die Gebühr beträgt nur 40 Euro.",
    "Les documents ne mentionnent pas le tarif, il est de 40 euros.",
    "Los documentos no mencionan la tarifa; cuesta 40 euros.",
    "I documenti non menzionano la tariffa, probabilmente è di 40 euro.",
    "Je ne sais pas, probablement 40 euros.",
    "Although the fee is usually 40 euros, the documents do not mention it.",
    "資料には記載がありませんが、通常は40ユーロです。",
]


@pytest.mark.parametrize("answer", REFUSALS)
def test_everyday_refusal_is_certain(answer: str):
    """Short forms, reasons given for the refusal and languages of all families change nothing."""
    assert _kind(answer) is RefusalKind.FULL


@pytest.mark.parametrize("answer", ANSWERS)
def test_denial_of_something_else_is_no_refusal(answer: str):
    """A context manager is no context, and a service that is not included is an answer."""
    assert _kind(answer) is RefusalKind.NONE


@pytest.mark.parametrize("answer", GLUED)
def test_claim_glued_to_a_refusal_is_seen(answer: str):
    """Whatever joins the two: the refusal hides no claim, and the other rules look at it."""
    assert _kind(answer) in {RefusalKind.OPENING, RefusalKind.GAP}
    assert _context(answer).is_refusal is not True
    assert refusal(_context(answer), RefusalConfig()).outcome is Outcome.UNSURE


@pytest.mark.parametrize(
    "answer",
    [
        "I'm not sure but I believe the fee is 40 euros.",
        "Although not stated in the documents, the fee is 40 euros.",
        "While the fee is not mentioned, it is typically 40 euros.",
        "The fee (not mentioned in the documents) is 40 euros.",
    ],
)
def test_lack_inside_a_claim_refuses_nothing(answer: str):
    """The sentence claims; that its claim stands nowhere is said beside."""
    assert _context(answer).is_refusal is not True


_JOINTS = ["; ", ": ", " - ", " – ", " — ", ", ", ", so ", " and ", "; hence ", ". ", " ("]
_CLAIMS = [
    "it is 40 euros",
    "it costs 40 euros",
    "probably 40 euros",
    "the usual fee is 40 euros",
    "40 euros",
    "it is free",
]


@given(st.sampled_from(_JOINTS), st.sampled_from(_CLAIMS), st.booleans())
def test_every_joint_leaves_the_claim_visible(joint: str, claim: str, is_first: bool):  # noqa: FBT001 - drawn
    """Before or behind the refusal."""
    lack = "the documents do not mention the fee"
    answer = f"{claim}{joint}{lack}." if is_first else f"{lack}{joint}{claim}."

    assert _kind(answer) is not RefusalKind.FULL


@pytest.mark.parametrize(
    "answer",
    [
        "I don't know. See the price of 41 euros on the website.",
        "The documents do not mention it. They only mention 41 euros.",
        "The documents do not mention it (they only mention 41 euros).",
        "I do not have this information. Please fill in the form K-99.",
    ],
)
def test_refusal_with_a_number_of_no_source_is_for_the_judge(answer: str):
    """It tells more than that it cannot answer; the numbers are looked at."""
    context = _context(answer)

    assert context.is_refusal is None
    assert refusal(context, RefusalConfig()).outcome is Outcome.UNSURE
    assert numbers(context, context.config.numbers).outcome is not Outcome.PASS


@pytest.mark.parametrize(
    "answer",
    [
        "The documents do not mention a fee in 2019.",
        "The documents do not mention it. They only mention 25 euros.",
        "Neither of the two documents mentions it.",
        "I could not find the fees of 2031, 2032 and 2033 in the documents; the fee of K-99 is not mentioned either.",
    ],
)
def test_refusal_may_repeat_the_numbers_of_question_and_sources(answer: str):
    """It says what is missing and what is there instead; what is missing need stand nowhere."""
    assert _context(answer).is_refusal is True


def test_own_sentence_may_hold_its_own_number():
    """The support line in the assistant's own refusal is no invention; one beside it is."""
    config = RulesConfig(refusal=RefusalConfig(sentences=("Please call 0800 123 456.",)))

    assert _context("Please call 0800 123 456.", config=config).is_refusal is True
    assert _context("Please call 0800 123 456. Thank you for 77!", config=config).is_refusal is None
