"""Citation marks: every shape of real logs, resolved by id first; whatever was never sent fails."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.records import AnswerRecord, Source
from goldassay.rules import RulesConfig, check_answer
from goldassay.rules.cites import cited_sentences, cites, detect_base, resolve_citations
from goldassay.rules.cites_ids import canonical_url
from goldassay.rules.context import Citations, RuleContext
from goldassay.rules.settings import CitesConfig
from goldassay.verdicts import Category, Finding, Outcome


def _context(answer: str, ids: str = "1 2 3 4", *, texts: dict[str, str] | None = None, **config: Any) -> RuleContext:
    sources = tuple(
        Source(id=i, text=(texts or {}).get(i, f"Text of {i}."), url=f"https://docs.example/{i}") for i in ids.split()
    )
    record = AnswerRecord(record_id="r", question="What is the fee?", answer=answer, sources=sources)
    return RuleContext(record, None, RulesConfig(cites=CitesConfig.model_validate(config)))


def _cited(answer: str, ids: str = "1 2 3 4", **config: Any) -> Citations:
    return resolve_citations(_context(answer, ids, **config))


def _check(answer: str, ids: str = "1 2 3 4", **config: Any) -> Finding:
    context = _context(answer, ids, **config)
    return cites(context, context.config.cites)


@pytest.mark.parametrize(
    ("answer", "ids", "cited"),
    [
        ("The fee is 5 [1].", "1 2", "1"),
        ("The fee is 5 [1][2].", "1 2", "1 2"),
        ("The fee is 5 [1, 2].", "1 2", "1 2"),
        ("The fee is 5 [1; 2 and 3].", "1 2 3", "1 2 3"),
        ("The fee is 5 [1-3].", "1 2 3", "1 2 3"),
        ("The fee is 5 [1–3].", "1 2 3", "1 2 3"),
        ("The fee is 5 [D1].", "D1 D2", "D1"),
        ("The fee is 5 [D1, D2].", "D1 D2", "D1 D2"),
        ("The fee is 5 [1].", "D1 D2", "D1"),
        ("The fee is 5 [doc2].", "1 2", "2"),
        ("The fee is 5 [Document 2].", "1 2", "2"),
        ("The fee is 5 [Source: 1, p. 3].", "1 2", "1"),
        ("The fee is 5.[^1]", "1 2", "1"),
        ("The fee is 5.[^2^]", "1 2", "2"),
        ("The fee is 5 [Source 1: Price list].", "1 2", "1"),
        ("The fee is 5 [1, p. 12].", "1 2", "1"),
        ("The fee is 5 [\u200b1\u200b].", "1 2", "1"),
        ("The fee is 5 ［2］.", "1 2", "2"),
        ("The fee is 5【2†source】.", "1 2", "2"),
        ("The fee is 5【4:0†source】.", "1 2 3 4", "4"),
        ("The fee is five euros¹ a month².", "1 2", "1 2"),
        ("According to passage 2, the fee is 5.", "1 2", "2"),
        ("Passages 1 and 3 say the fee is 5.", "1 2 3", "1 3"),
        ("Laut Quelle 2 kostet es 5 Euro.", "1 2", "2"),
        ("根据文档2，费用为5元。", "1 2", "2"),
        ("The fee is 5 [price-list.pdf].", "price-list.pdf terms.pdf", "price-list.pdf"),
        ("The fee is 5 [price-list.pdf#page=3].", "price-list.pdf terms.pdf", "price-list.pdf"),
        ("The fee is 5 [2].", "a7f c9e", "c9e"),
        ("The fee is 5 [2].", "kb-1045 kb-2001", "kb-2001"),
        ("The fee is 5 [2].", "2 5", "2"),
        ("See [the prices](https://docs.example/2/).", "1 2", "2"),
        ("See http://www.docs.example/2#fees for more.", "1 2", "2"),
        ("The fee is 5 [[1]](https://elsewhere.example/x).", "1 2", "1"),
    ],
)
def test_mark_leads_to_the_source_it_means(answer: str, ids: str, cited: str):
    """Ids go first, numbers inside ids next, positions only where ids are opaque."""
    texts = dict.fromkeys(ids.split(), "x")
    found = _cited(answer, ids, texts=texts) if "www" not in answer else _cited(answer, ids)

    assert found.cited == tuple(cited.split())
    assert found.unknown == ()


@pytest.mark.parametrize(
    ("answer", "ids", "unknown"),
    [
        ("The fee is 5 [999].", "1", "999"),
        ("The fee is 5 [D8].", "D1 D2 D3", "D8"),
        ("The fee is 5 [1-900].", "1", "900"),
        ("The fee is 5 [a1b-9].", "a1b-3 a1b-7", "a1b-9"),
        ("The fee is 5 [1-4].", "1 2 3", "4"),
        ("The fee is 5 [1].", "2 5", "1"),
        ("The fee is 5 [old.pdf].", "new.pdf", "old.pdf"),
        ("According to passage 9, the fee is 5.", "1 2", "9"),
        ("The fee is 5 [0].", "1 2", "0"),
    ],
)
def test_source_that_was_never_sent_is_a_bad_citation(answer: str, ids: str, unknown: str):
    """Existence in the list of sent sources is the whole point."""
    found = _check(answer, ids)

    assert _cited(answer, ids).unknown == (unknown,)
    assert (found.outcome, found.category) == (Outcome.FAIL, Category.BAD_CITATION)
    assert unknown in found.reason
    assert found.evidence


@pytest.mark.parametrize(
    "answer",
    [
        "It was founded in [1999] there.",
        "Read `items[0]` and\n```\nx = grid[7][2]\n```\n",
        "Use x[0] or grid_rows[7] here.",
        "Values in the range [0, 10] are fine.",
        "The area is 20 m² and the speed 5 m/s².",
        "The area is 20 feet² in all.",
        "Read more [here](https://portal.example/a).",
        "He said it [sic] twice.",
        "The last item is [-1], as in [Smith 2020] at [12:30].",
        "- [x] done\n- [ ] open",
        "They sold 5 documents 3000 times.",
        "She printed document 77 twice.",
        "The fee is fine⁹ and fair.",
    ],
)
def test_no_citation_is_read_into_other_brackets(answer: str):
    """Years, code, indexes, mathematics, powers, links and check boxes are none."""
    assert _cited(answer).cited == ()


def test_mark_of_the_source_text_itself_is_no_citation():
    """An answer that copies '[7]' out of its source has cited nothing new."""
    texts = {"1": "The limit [7] is five."}

    assert _cited("The limit [7] is five [1].", "1 2", texts=texts).cited == ("1",)


def test_list_at_the_end_is_no_use_of_its_entries():
    """Otherwise any answer could cite everything."""
    answer = "Founded in 1901 [1].\n\nSources:\n[1] Chronicle\n[2] Staff list\n"

    found = _cited(answer, "1 2")

    assert found.cited == ("1",)
    assert found.listed == ("1", "2")
    assert found.spans[-1] == (answer.index("Sources"), len(answer))


@pytest.mark.parametrize(
    "answer",
    ["Fee 5 [1].\n\n[1] Prices\n[2] Terms", "Fee 5 [^1].\n\n[^1]: Prices\n[^2]: Terms", "Fee 5 [1]. Sources: [1] [2]"],
)
def test_list_is_known_with_and_without_heading(answer: str):
    """Footnote definitions and a closing paragraph of entries are lists too."""
    found = _cited(answer, "1 2")

    assert (found.cited, found.listed) == (("1",), ("1", "2"))


def test_lone_source_below_an_answer_without_marks_is_its_citation():
    """'Source: [1]' cites for the answer as a whole; a row of several sources does not."""
    assert _check("The fee is 5.\n\nSource: [1]").outcome is Outcome.PASS
    assert _check("The fee is 5.\n\nSources: [1] [2]").category is Category.MISSING_CITATION


def test_zero_based_marks_are_told_from_the_whole_log():
    """One answer cannot tell; a log in which [0] stands more often than [n] can."""
    records = [_context("Fee 5 [0, 2].", "1 2 3").record, _context("Fee 6 [1].", "1 2 3").record]

    assert detect_base(records) == 0
    assert detect_base([_context("Fee 5 [3].", "1 2 3").record]) == 1
    assert _cited("Fee 5 [0, 2].", "1 2 3", base=0).cited == ("1", "3")
    assert _cited("Fee 5 [0].", "a b c").cited == ("a",)


def test_parentheses_count_only_by_setting():
    """'(1)' is a list mark in most texts."""
    assert _cited("The fee is 5 (1).").cited == ()
    assert _cited("The fee is 5 (1).", parentheses=True).cited == ("1",)
    assert _cited("The fee is 5 (9).", parentheses=True).cited == ()


@pytest.mark.parametrize(
    ("require", "answer", "category"),
    [
        ("answer", "The fee is 5.", Category.MISSING_CITATION),
        ("none", "The fee is 5.", None),
        ("sentence", "The fee is 5 [1]. It is due in May.", Category.MISSING_CITATION),
        ("sentence", "The fee is 5. [1] It is due in May. [2]", None),
        ("claim_with_number", "The fee is 5 [1]. It is due in May.", None),
        ("claim_with_number", "The fee is 5. It is due in May [1].", Category.MISSING_CITATION),
        ("sentence", "Here is what I found:\n- The fee is 5 [1].", None),
    ],
)
def test_citation_is_asked_for_where_the_setting_says(require: str, answer: str, category: Category | None):
    """A mark behind the full stop belongs to the sentence before it."""
    assert _check(answer, require=require).category is category


def test_refusals_and_questions_back_need_no_citation():
    """They claim nothing."""
    assert _check("I could not find this in the documents.").outcome is Outcome.PASS
    assert _check("Which plan do you mean?").outcome is Outcome.SKIP
    cited = _check("The documents do not mention the fee [1].")
    assert cited.outcome is Outcome.PASS
    assert "refusal_with_citation" in {evidence.text for evidence in cited.evidence}


def test_report_can_show_which_source_is_cited_by_number_and_title():
    """Four sources sent, the first cited: the finding names it."""
    sources = tuple(Source(id=str(i), text=f"Text {i}.", title=f"Title {i}") for i in range(1, 5))
    record = AnswerRecord(record_id="r", question="How many?", answer="It has 20 [1].", sources=sources)

    verdict = next(v for v in check_answer(record, None, RulesConfig(enabled=("cites",))))

    assert [(e.text, e.source_id) for e in verdict.evidence if e.kind == "cited"] == [("Title 1", "1")]
    mark = next(e for e in verdict.evidence if e.kind == "citation")
    assert record.answer[mark.start : mark.end] == "[1]"


def test_evidence_points_into_the_original_answer():
    """Odd spaces and quotes before the mark do not shift it."""
    answer = "The “fee” is\u00a0\u200b5 [9]."

    mark = _check(answer, "1 2").evidence[0]

    assert answer[mark.start : mark.end] == mark.text == "[9]"


def test_sentences_know_their_sources():
    """Adjacent marks share the sentence before them."""
    context = _context("Built in 1998 with 40 rooms [1][2]. The garden is large. [3]")

    found = [(context.answer.text[s.start : s.end].strip(), s.known) for s in cited_sentences(context)]

    assert [known for _, known in found] == [(0, 1), (2,)]


def test_addresses_are_compared_without_their_dress():
    """Scheme, www, fragment, closing slash and host case do not count."""
    assert canonical_url("HTTPS://www.Docs.example/A/#x") == canonical_url("http://docs.example/A") == "docs.example/A"


def test_refusal_that_tells_something_without_a_citation_is_for_the_judge():
    """Whether it needs one depends on how much it tells."""
    answer = "The documents do not mention the fee. However, most passes of that kind cost 25 dollars a month."

    assert _check(answer).outcome is Outcome.UNSURE


def test_sentences_behind_the_list_of_sources_are_not_asked_for_marks():
    """The list ends the answer's claims."""
    answer = "The fee is 5 [1].\n\n---\n\nSources:\n[1] Price list of May\n[2] Terms of use"

    assert _check(answer, require="sentence").outcome is Outcome.PASS


def test_log_without_marks_counts_from_one():
    """Nothing to tell from."""
    assert detect_base([_context("No mark.").record]) == 1


def test_empty_answer_and_missing_sources():
    """An empty answer is a failed answer; without sources there is nothing to cite."""
    assert _check("  ", require="none").outcome is Outcome.SKIP
    assert _check("  ").outcome is Outcome.FAIL
    record = AnswerRecord(record_id="r", question="q", answer="The fee is 5 [1].")
    assert cites(RuleContext(record), CitesConfig()).outcome is Outcome.SKIP


@given(st.text(alphabet="[]()【】^0123456789,-– abD.\n¹²:", max_size=200))
def test_no_text_breaks_the_reading_of_marks(text: str):
    """Whatever stands in an answer, spans lie inside it and known positions exist."""
    context = _context(text)

    found = context.cited

    assert all(0 <= start < end <= len(context.answer.text) for start, end in found.spans)
    assert all(0 <= position < 4 for position in found.known)
    assert set(found.unknown) <= {*found.cited, *found.listed}


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "[1",
        "[1,",
        "【1†",
        "passage 1 and ",
        "¹,",
        "[^1]: x\n",
        "Sources: ",
        "[[1]](",
        "a_b[0]",
        "a[1]",
        "items[2] ",
        "(see 1, x) [1]",
        "[1]-[3]",
        "{1}",
        "the second passage ",
        "in [0, 1] ",
        "<sup>1</sup>",
    ],
)
def test_hostile_answer_takes_linear_time(piece: str):
    """Four times the text takes about four times as long, not sixteen."""

    def seconds(size: int) -> float:
        context = _context(piece * (size // len(piece)))
        begin = time.process_time()
        cites(context, context.config.cites)
        return time.process_time() - begin

    def least(size: int) -> float:
        return min(seconds(size) for _ in range(3))  # a pause for garbage is no growth

    seconds(1000)
    assert least(200_000) < 16 * max(least(50_000), 0.05)
