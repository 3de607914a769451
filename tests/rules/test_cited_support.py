"""Whether each mark leads to the source that holds its words, its numbers and its denials."""

from __future__ import annotations

import pytest

from goldassay.records import AnswerRecord, Source
from goldassay.rules.cited_pieces import cited_pieces
from goldassay.rules.cited_support import cited_support
from goldassay.rules.cites import cited_sentences
from goldassay.rules.context import RuleContext
from goldassay.rules.settings import CitedSupportConfig
from goldassay.verdicts import Category, Finding, Outcome

_FEE = "The annual fee of the pass is 95 euros. The pass is sold at the main desk. It is not sold by mail."
_NOTICE = "The notice period is 30 days. Notice must be given in writing. Dogs are not allowed in the garden."


def _context(answer: str, *texts: str) -> RuleContext:
    sources = tuple(Source(id=str(i), text=text) for i, text in enumerate(texts or (_FEE, _NOTICE), start=1))
    return RuleContext(AnswerRecord(record_id="r", question="q?", answer=answer, sources=sources))


def _check(answer: str, *texts: str) -> Finding:
    return cited_support(_context(answer, *texts), CitedSupportConfig())


@pytest.mark.parametrize(
    "answer",
    [
        "The annual fee is 95 euros [{}] and the notice period is 30 days [{}].",
        "The annual fee is 95 euros [{}]. The notice period is 30 days [{}].",
        "Fee: 95 euros [{}]. Notice: 30 days [{}].",
        "95 euros [{}]. 30 days [{}].",
        "It is ninety-five euros [{}], with thirty days of notice [{}].",
    ],
)
def test_exchanged_marks_are_misattributed(answer: str):
    """In one sentence or in two, in words or in figures."""
    assert _check(answer.format(1, 2)).outcome is Outcome.PASS

    finding = _check(answer.format(2, 1))

    assert (finding.outcome, finding.category) == (Outcome.FAIL, Category.MISATTRIBUTED)
    assert {evidence.source_id for evidence in finding.evidence if evidence.kind == "holder"} == {"1", "2"}


def test_numbers_with_the_same_words_are_told_apart():
    """Two fees, two sources: the number says which is meant."""
    texts = ("The fee for adults is 20 €.", "The fee for children is 10 €.")

    assert _check("The fee is 20 € [1]. The fee is 10 € [2].", *texts).outcome is Outcome.PASS
    assert _check("The fee is 20 € [2]. The fee is 10 € [1].", *texts).category is Category.MISATTRIBUTED


@pytest.mark.parametrize(
    "answer",
    [
        "The annual fee is 95 euros [1][2].",
        "The annual fee is 95 euros [1, 2].",
        "According to [1], the annual fee is 95 euros and notice is 30 days [2].",
        "Both rules apply to everybody in the house [1][2].",
        "The fee is 12 euros [1].",
        "It is one of the two [1].",
    ],
)
def test_row_of_marks_answers_for_the_same_words(answer: str):
    """What stands nowhere is for `numbers`, and what a leading mark means only the whole sentence tells."""
    assert _check(answer).category is not Category.MISATTRIBUTED


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("The annual fee is not 95 euros [1].", Outcome.UNSURE),
        ("The pass isn't sold at the main desk [1].", Outcome.UNSURE),
        ("Dogs are allowed in the garden [2].", Outcome.UNSURE),
        ("Notice must not be given in writing [2].", Outcome.UNSURE),
        ("Dogs are not allowed in the garden [2].", Outcome.PASS),
        ("The pass is sold at the main desk and not by mail [1].", Outcome.PASS),
        ("The notice period is no more than 30 days [2].", Outcome.PASS),
        ("No. 1: notice must be given in writing [2].", Outcome.PASS),
    ],
)
def test_denial_of_one_side_only_is_for_the_judge(answer: str, outcome: Outcome):
    """Nearly the same words with another 'not' may say the opposite."""
    finding = _check(answer)

    assert finding.outcome is outcome
    assert finding.category is (Category.CONTRADICTS_SOURCE if outcome is Outcome.UNSURE else None)


@pytest.mark.parametrize(
    ("answer", "text", "outcome"),
    [
        ("Cats are permitted [1].", "Dogs are allowed. Cats are not permitted.", Outcome.UNSURE),
        ("Entry is not free [1].", "Entry is free.", Outcome.UNSURE),
        ("Smoking is allowed [1].", "Smoking is allowed. Drinking is not allowed.", Outcome.PASS),
        ("The fee is due [1].", "The fee is due. No refund is due after the fee.", Outcome.PASS),
    ],
)
def test_a_claim_of_two_words_is_compared_with_what_says_both(answer: str, text: str, outcome: Outcome):
    """Short as it is, it says the opposite of a sentence as short."""
    assert _check(answer, text).outcome is outcome


def test_denial_in_another_clause_denies_nothing():
    """'but not in the house' leaves the garden allowed."""
    text = "Dogs are allowed in the garden, but not in the house."

    assert _check("Dogs are allowed in the garden [1].", text).outcome is Outcome.PASS
    assert _check("Dogs are not allowed in the house [1].", text).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("answer", "pieces"),
    [
        ("The fee is 95 euros [1] and notice is 30 days [2].", ["(1)", "(2)"]),
        ("The fee is 95 euros [1][2] and notice is 30 days [2].", ["(1, 2)", "(2)"]),
        ("The fee is 95 euros [1], notice is 30 days [2] and so on.", ["(1, 2)"]),
        ("According to [1], notice is 30 days [2].", ["(1, 2)"]),
        ("See [1] and [2].", ["(1, 2)"]),
    ],
)
def test_each_mark_closes_its_piece(answer: str, pieces: list[str]):
    """Where words follow the last mark, or one stands before its words, the sentence stays whole."""
    context = _context(answer)
    sentence = cited_sentences(context)[0]

    found = cited_pieces(context, sentence, context.own_words)

    assert [f"({', '.join(str(i + 1) for i in piece.known)})" for piece in found] == pieces


def test_source_in_another_language_is_for_the_judge():
    """No word of a German answer stands in an English source, and it may be right all the same."""
    answer = "Die Gebühr ist für alle Gäste im Haus gleich und wird von der Leitung festgelegt [1]."

    finding = _check(answer, "The fee is the same for all of the guests and it is set by the head of the house.")

    assert finding.outcome is Outcome.UNSURE
    assert "another language" in finding.reason
