"""One answer taken apart: every number, citation and sentence with where it was found, or why not."""

from __future__ import annotations

from goldassay.records import AnswerRecord, Source
from goldassay.rules.explain import Mark, explain
from goldassay.verdicts import Outcome

_RECORD = AnswerRecord(
    record_id="1",
    question="How big is it?",
    answer="It has **40** rooms [1]. It has 7 ponds [9].",
    sources=(
        Source(id="1", title="Rooms", text="The site has “40” rooms and 3 ponds."),
        Source(id="2", text="Built in 1998."),
    ),
)


def _marks(kind: str) -> list[Mark]:
    return [mark for mark in explain(_RECORD).marks if mark.kind == kind]


def test_numbers_show_where_they_stand_in_the_original_source():
    """The place in the source is that of its original text; a missing number says so."""
    found, missing = _marks("number")

    assert (found.text, found.outcome, found.source_id, found.source_title) == ("40", Outcome.PASS, "1", "Rooms")
    assert _RECORD.sources[0].text[found.source_start : found.source_end] == "40"
    assert "rooms" in found.source_text
    assert (missing.text, missing.outcome, missing.source_id) == ("7", Outcome.FAIL, None)
    assert "'7'" in missing.reason


def test_citations_lead_to_their_source_or_say_that_there_is_none():
    """Each mark of the answer is shown with the source it means."""
    known, unknown = _marks("citation")

    assert (known.text, known.outcome, known.source_title) == ("[1]", Outcome.PASS, "Rooms")
    assert (unknown.text, unknown.outcome) == ("[9]", Outcome.FAIL)


def test_sentences_carry_the_worst_of_what_stands_in_them():
    """A sentence with a wrong number is marked, the other is fine."""
    first, second = _marks("sentence")

    assert (first.outcome, second.outcome) == (Outcome.PASS, Outcome.FAIL)
    assert all(_RECORD.answer[mark.start : mark.end] == mark.text for mark in explain(_RECORD).marks)


def test_each_sentence_shows_the_place_that_fits_it_best():
    """Sound sentences too, and without the rule `support`; the place is that of the original source."""
    first, second = _marks("sentence")

    assert (first.source_id, first.source_title) == ("1", "Rooms")
    assert "rooms" in _RECORD.sources[0].text[first.source_start : first.source_end]
    assert second.source_id == "1"
    assert "support" not in dict(explain(_RECORD).findings)


def test_a_sentence_of_which_no_source_has_the_words_is_in_doubt():
    """A refusal claims nothing and is not, and no more is a courtesy."""
    invented = _RECORD.model_copy(
        update={"answer": "Elephants sleep standing beneath baobab trees. Let me know if you need more."}
    )
    refused = _RECORD.model_copy(update={"answer": "I could not find this in the documents."})

    mark, courtesy = (mark for mark in explain(invented).marks if mark.kind == "sentence")
    (claims_nothing,) = (mark for mark in explain(refused).marks if mark.kind == "sentence")

    assert (mark.outcome, mark.source_id) == (Outcome.UNSURE, None)
    assert "0% of its words" in mark.reason
    assert (claims_nothing.outcome, courtesy.outcome) == (Outcome.PASS, Outcome.PASS)


def test_marks_are_in_order_and_findings_are_those_of_the_rules():
    """By start; the findings are what `check` says."""
    explanation = explain(_RECORD)

    assert [mark.start for mark in explanation.marks] == sorted(mark.start for mark in explanation.marks)
    assert dict(explanation.findings)["numbers"].outcome is Outcome.FAIL


def test_an_answer_without_sources_has_no_numbers_to_look_for():
    """Nothing can be said of them."""
    explanation = explain(_RECORD.model_copy(update={"sources": ()}))

    assert [mark.kind for mark in explanation.marks if mark.kind == "number"] == []
