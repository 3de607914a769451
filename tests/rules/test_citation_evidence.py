from goldassay import AnswerRecord, Source, check_answer


def test_every_citation_mark_names_the_sources_it_leads_to():
    """A report shows which source an answer cites by number and title; one mark may name several."""
    record = AnswerRecord(
        record_id="1",
        question="How many custom roles can an Enterprise account have?",
        answer="An Enterprise account can have 100 custom roles [1]. They need a paid seat [2, 3].",
        sources=(
            Source(id="1", text="Enterprise: 100 custom roles.", title="Roles"),
            Source(id="2", text="A role needs a paid seat."),
            Source(id="3", text="Paid seats."),
            Source(id="4", text="Other."),
        ),
    )

    (cites,) = (verdict for verdict in check_answer(record) if verdict.check == "cites")
    marks = [(span.text, span.source_id) for span in cites.evidence if span.kind == "citation"]

    assert marks == [("[1]", "1"), ("[2, 3]", "2, 3")]
