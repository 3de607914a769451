"""Sentences that name a lack: the answer to a question about a document, a refusal of a question about the world."""

from __future__ import annotations

import pytest

from goldassay.records import AnswerRecord, GoldenQuestion, Source
from goldassay.rules.context import RuleContext
from goldassay.rules.refusal import refusal
from goldassay.verdicts import Outcome

_OTHER = "The office opens at nine. Fees are due in May."


def _context(question: str, answer: str, source: str = _OTHER, *, answerable: bool = True) -> RuleContext:
    golden = GoldenQuestion(question_id="q", question=question, answerable=answerable)
    record = AnswerRecord(record_id="r", question=question, answer=answer, sources=(Source(id="1", text=source),))
    return RuleContext(record, golden)


_MAY_ANSWER = [
    ("Does the document mention a deadline?", "The document does not mention a deadline."),
    ("Is a deadline mentioned in the document?", "The document does not mention a deadline."),
    ("Does the contract specify a deadline?", "The document does not specify a deadline."),
    ("Does the manual cover installation?", "The manual does not cover installation; it covers maintenance."),
    ("What does the file lack?", "The file does not contain a header."),
    ("Which topics does the manual not cover?", "The manual does not cover installation."),
    ("What is missing from the records?", "The records do not contain a date of birth."),
    ("Why was my file rejected?", "The file does not contain a header."),
    ("Erwähnt das Dokument eine Frist?", "Das Dokument erwähnt keine Frist."),
    ("Le document mentionne-t-il un délai ?", "Le document ne mentionne pas de délai."),
    ("¿El documento menciona un plazo?", "El documento no menciona ningún plazo."),
]


@pytest.mark.parametrize(("question", "answer"), _MAY_ANSWER)
def test_a_lack_in_what_the_question_asks_about_may_be_the_answer(question: str, answer: str):
    """Asked what a document holds, who says that it does not may have answered; a judge must tell."""
    context = _context(question, answer)

    assert context.is_refusal is None
    assert refusal(context, context.config.refusal).outcome is Outcome.UNSURE


def test_no_to_a_question_about_a_document_is_an_answer():
    """'No' says that the question was understood and answered."""
    context = _context("Does the document mention a deadline?", "No, the document does not mention a deadline.")

    assert context.is_refusal is False
    assert refusal(context, context.config.refusal).outcome is Outcome.PASS


@pytest.mark.parametrize("answer", ["The file does not contain a header.", "The file doesn't contain a header."])
def test_a_lack_that_a_source_tells_is_a_fact(answer: str):
    """What a source says in the same words was looked up, not missed."""
    context = _context("Why does the import fail?", answer, "The import fails when the file does not contain a header.")

    assert context.is_refusal is False


_REFUSES = [
    ("What is the deadline?", "The document does not mention a deadline."),
    ("According to the document, what is the deadline?", "The document does not mention a deadline."),
    ("What does the document say about deadlines?", "The document does not mention deadlines."),
    ("Is smoking allowed?", "The document does not mention smoking."),
    ("Is smoking allowed according to the document?", "The document does not mention smoking."),
    ("Does the document mention a deadline?", "I don't know."),
    ("Does the document mention a deadline?", "I could not find any information about that in the document."),
    ("Why does the import fail?", "The documents do not contain that information."),
    ("How do I fill out the file?", "The documents do not cover how to fill out the file."),
    ("How do I cite a source?", "The sources do not explain how to cite a source."),
]


@pytest.mark.parametrize(("question", "answer"), _REFUSES)
def test_a_lack_of_what_the_sources_should_tell_is_a_refusal(question: str, answer: str):
    """Asked for a fact, who says that the sources do not hold it refuses, whatever words the two share."""
    assert _context(question, answer).is_refusal is True


@pytest.mark.parametrize(("question", "answer"), _MAY_ANSWER[:2])
def test_naming_the_lack_is_right_where_the_sources_cannot_answer(question: str, answer: str):
    """Answer or refusal, it claims nothing that the sources do not hold."""
    context = _context(question, answer, answerable=False)

    assert refusal(context, context.config.refusal).outcome is Outcome.PASS
