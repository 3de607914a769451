from goldassay import AnswerRecord, Source, check_answer
from goldassay.rules import RulesConfig
from goldassay.rules.cites_base import detect_base
from goldassay.rules.settings import with_citation_base


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


def test_a_log_that_counts_from_zero_is_read_so_although_plain_sources_got_the_ids_1_and_2():
    """Plain strings get their ids by position, which says nothing of how the answers count."""
    record = AnswerRecord(
        record_id="1",
        question="How large?",
        answer="Up to 20 MB [0]. Up to 30 files [1].",
        sources=(Source(id="1", text="It may have 20 MB."), Source(id="2", text="At most 30 files.")),
    )
    config = with_citation_base(RulesConfig(), detect_base([record]))

    verdicts = {verdict.check: verdict for verdict in check_answer(record, rules=config)}

    assert verdicts["cites"].outcome == "pass"
    assert verdicts["numbers"].outcome == "pass"
