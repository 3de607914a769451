"""The HTML report as a file: nothing from data becomes markup, nothing is lost, the worst comes first."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.analytics.models import Notice, RejectedLine
from goldassay.records import AnswerRecord, GoldenQuestion, Source, Turn
from goldassay.reporting.html import Answer, html_report, write_report
from goldassay.reporting.html.embed import data_block, safe_json
from goldassay.reporting.html.own_words import own_words
from goldassay.reporting.html.spans import answer_spans, found_numbers, source_spans
from goldassay.rules.context import RuleContext
from goldassay.verdicts import Category, Evidence, Outcome, Verdict

NASTY = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> \u2028 & \" ' =1+1 javascript:alert(1)"


class Reader(HTMLParser):
    """Counts what a browser would act on."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.blocks: dict[str, str] = {}
        self._block = ""

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._block = dict(attrs).get("id") or "" if tag == "script" else ""

    def handle_data(self, data):
        if self._block:
            self.blocks[self._block] = self.blocks.get(self._block, "") + data

    def handle_endtag(self, tag):
        self._block = ""


def read(page: str) -> Reader:
    """The page as a parser sees it."""
    reader = Reader()
    reader.feed(page)
    return reader


def unpacked(reader: Reader, name: str):
    """A data block of the page."""
    kind = next(attrs["type"] for tag, attrs in reader.tags if tag == "script" and attrs.get("id") == name)
    text = reader.blocks[name]
    return json.loads(gzip.decompress(base64.b64decode(text)) if kind == "application/gzip" else text)


def answer(number: int = 0, outcome: Outcome = Outcome.PASS, **changes) -> Answer:
    """One answer with one verdict."""
    text = changes.pop("text", "Up to 4 hours before the ride [D2].")
    record = AnswerRecord(
        record_id=changes.pop("record_id", f"r{number}"),
        question=changes.pop("question", f"Question {number}?"),
        answer=text,
        sources=(Source(id="D1", text="Passes."), Source(id="D2", text="At least 2 hours before.", title="Refunds")),
        app_version="1.4.0",
    )
    verdict = Verdict(record_id=record.record_id, check="numbers", check_kind="rule", outcome=outcome, **changes)
    return Answer(record, None, [verdict])


def page_of(summary, answers, **options) -> str:
    """The whole page."""
    return "".join(html_report(summary, answers, **options))


def test_replies_asked_again_and_repeats_that_flipped_are_told(make_summary):
    """A judge that is hard to read or unsteady is not hidden behind its rates."""
    summary = make_summary()

    page = page_of(replace(summary, judges=(replace(summary.judges[0], reasked=3, flip_share=0.05),)), [])

    assert "unreadable (3 asked again)" in page
    assert "<dt>Repeats</dt><dd>5.0 % flipped</dd>" in page


def test_nothing_in_the_page_loads_anything(make_summary, make_history):
    """One script, one style, both held by their hashes; no element that fetches."""
    page = page_of(make_summary(), [answer()], history=make_history())
    reader = read(page)

    policy = next(attrs["content"] for tag, attrs in reader.tags if tag == "meta" and attrs.get("http-equiv"))
    running = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    style = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert len(running) == len(style) == 1
    for text in (*running, *style):
        assert f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" in policy
    assert policy.startswith("default-src 'none'")
    assert not {tag for tag, _ in reader.tags} & {"img", "iframe", "object", "embed", "form", "base", "audio", "video"}
    assert not [
        attrs for _, attrs in reader.tags for name in attrs if name.startswith("on") or name in {"src", "style"}
    ]
    assert {attrs["href"][:5] for tag, attrs in reader.tags if tag == "link"} == {"data:"}
    assert all(attrs["href"].startswith("#") for tag, attrs in reader.tags if tag == "a")


def test_hostile_data_stays_text_everywhere(make_summary, make_history):
    """Every field of every model may carry markup; the page has the same elements as without."""
    bad = replace(
        make_summary().broken[0].head, question=NASTY, answer=NASTY, reason=NASTY, check=NASTY,
        record_id=NASTY, evidence=(),
        citations=(make_summary().broken[0].head.citations[0]._replace(marker=NASTY, title=NASTY, number=None),),
    )  # fmt: skip
    change = replace(make_summary().broken[0], question=NASTY, check=NASTY, base=bad, head=bad)
    summary = make_summary(
        app=NASTY, app_versions=(NASTY,), models=(NASTY,), run_id="r", store=NASTY,
        files=(NASTY,), sampling=NASTY, notes=(NASTY,), broken=(change,),
        notices=(Notice("x", "alarm", NASTY),), rejected_lines=(RejectedLine(NASTY, 1, NASTY, NASTY),),
        reasons=(replace(make_summary().reasons[0], name=NASTY, category=NASTY, checks=(NASTY,), examples=(bad,)),),
        checks=(replace(make_summary().checks[4], check=NASTY),),
    )  # fmt: skip
    history = make_history()
    history = replace(
        history, versions=(NASTY, "2"),
        categories=(replace(history.categories[0], category=NASTY, counts=((NASTY, 3, 0.1),)),),
        rates=tuple(replace(row, version=NASTY, check=NASTY) for row in history.rates),
    )  # fmt: skip
    hostile = answer(text=NASTY, question=NASTY, record_id=NASTY, outcome=Outcome.FAIL, reason=NASTY, reply=NASTY)
    page = page_of(summary, [hostile], history=history)
    reader = read(page)

    assert [attrs.get("id", "run") for tag, attrs in reader.tags if tag == "script"] == [
        "index",
        "chunk-0",
        "sources-0",
        "run",
    ]
    assert not {tag for tag, _ in reader.tags} & {"img", "b1"}
    assert not [name for _, attrs in reader.tags for name in attrs if name.startswith("on")]
    assert "<!--" not in page
    assert unpacked(reader, "index")["id"] == [NASTY]


def test_json_in_a_page_closes_nothing():
    """The signs that could end the element, or a line of script, are escaped; the value stays the same."""
    text = safe_json({"answer": NASTY, "odd": "\u2029"})

    assert not set(text) & set("<>&\u2028\u2029")
    assert json.loads(text) == {"answer": NASTY, "odd": "\u2029"}


def test_large_blocks_are_packed_and_small_ones_are_not():
    """A small report can be read with no script at all; the same data give the same bytes."""
    small, large = data_block("a", {"x": 1}), data_block("a", {"x": "word " * 5000})

    assert small == '<script type="application/json" id="a">{"x":1}</script>\n'
    assert large == data_block("a", {"x": "word " * 5000})
    assert len(large) < 1000


def test_half_a_surrogate_pair_is_written_as_a_question_mark():
    """A file in UTF-8 cannot hold it, and must not fail for it."""
    assert json.loads(safe_json("a\ud800b")) == "a?b"


def test_the_worst_answers_come_first_and_the_limit_keeps_them(make_summary):
    """Broken, failed, errors, unsure, passed; what does not fit is said."""
    outcomes = [Outcome.PASS, Outcome.UNSURE, Outcome.ERROR, Outcome.FAIL, Outcome.SKIP]
    answers = [answer(number, outcome) for number, outcome in enumerate(outcomes)]
    broken = replace(make_summary().broken[0], head=replace(make_summary().broken[0].head, record_id="r0"))
    page = page_of(make_summary(broken=(broken,)), answers, limit=4)

    index = unpacked(read(page), "index")
    assert (index["id"], index["o"], index["d"]) == (["r0", "r3", "r2", "r1"], ["p", "f", "e", "u"], ["b", "", "", ""])
    assert "The 4 worst of 2,003" in page or "The 4 worst of 2,000" in page


def test_a_check_that_only_warns_does_not_fail_the_answer(make_summary):
    """The answer's sign comes from its gate checks."""
    warned = answer(outcome=Outcome.FAIL, severity="warn", category=Category.TOO_LONG, reason="130 words")

    index = unpacked(read(page_of(make_summary(), [warned])), "index")

    assert index["o"] == ["s"]
    assert index["r"] == [[[1, "130 words"]]]


def test_details_hold_sources_once_and_everything_about_the_answer(make_summary):
    """Sources shared by answers stand once; golden question, turns, tags and the raw reply are there."""
    first, second = answer(1, Outcome.FAIL, reply="raw"), answer(2)
    first.golden = GoldenQuestion(
        question_id="g", question="?", answerable=False, key_facts=(("2", "two"),), reference="Two."
    )
    first.record = first.record.model_copy(
        update={"turns": (Turn(role="user", text="Hi"),), "tags": {"team": "x"}, "lang": "de"}
    )
    reader = read(page_of(make_summary(), [first, second]))

    assert [source[0] for source in unpacked(reader, "sources-0")] == ["D1", "D2"]
    one, two = unpacked(reader, "chunk-0")
    assert one["s"] == two["s"] == [0, 1]
    assert one["g"] == {"answerable": False, "facts": ["2 / two"], "reference": "Two."}
    assert one["t"] == [["user", "Hi"]]
    assert ["team", "x"] in one["f"]
    assert one["v"][0]["y"] == "raw"


def test_huge_texts_are_cut_and_say_so(make_summary):
    """A page is not a place for megabytes; the whole text is in the store."""
    huge = answer(text="x" * 3_000_000)
    chunk = unpacked(read(page_of(make_summary(), [huge])), "chunk-0")

    assert len(chunk[0]["a"]) == 50_000
    assert chunk[0]["n"] == 3_000_000


def test_spans_count_as_a_browser_does():
    """An emoji is two units in a browser and one in Python."""
    text = "🌉 closed at 21:00 [D2]"
    at, mark = text.index("21:00"), text.index("[D2]")
    evidence = (Evidence("number", "21:00", at, at + 5), Evidence("citation", "[D2]", mark, mark + 4, "D2"))
    found = answer(text=text, outcome=Outcome.FAIL, evidence=evidence)

    spans = answer_spans(RuleContext(found.record), found.verdicts, limit=1000)

    units = text.encode("utf-16-le")
    assert [units[2 * start : 2 * end].decode("utf-16-le") for start, end, _, _ in spans] == ["21:00", "[D2]"]
    assert [(mark, note) for _, _, mark, note in spans] == [("bad", "numbers"), ("cite", "2")]


def test_right_numbers_are_marked_in_both_places():
    """What the rule found stands marked in the answer and in the source that holds it."""
    found = answer(text="🚲 At least 2 hours before [D2].")
    numbers = found_numbers(RuleContext(found.record))

    marked = answer_spans(RuleContext(found.record), found.verdicts, limit=99, found=numbers)
    (span,) = source_spans(found.record, found.verdicts, limit=99, found=numbers)["2"]

    assert (marked[0][0], marked[0][2:]) == (12, ("good", "stands in source 2"))
    assert found.record.sources[1].text[span[0] : span[1]].startswith("2")


def test_an_answer_the_rules_choke_on_costs_its_marks_only(monkeypatch):
    """The report goes on without them."""

    def broken(*_):
        raise RecursionError

    monkeypatch.setattr("goldassay.reporting.html.spans.examine_numbers", broken)
    monkeypatch.setattr("goldassay.rules.cites.resolve_citations", broken)
    found = answer(text="2 hours [D2]")

    assert found_numbers(RuleContext(found.record)) == []
    assert answer_spans(RuleContext(found.record), found.verdicts, limit=99) == []


def test_citations_of_nothing_and_spans_in_sources():
    """A mark that resolves to no source is 'lost'; a span with a source's id lies in that source."""
    evidence = (
        Evidence("support", "2 hours", 9, 16, "D2"),
        Evidence("flag", "x"),
        Evidence("cited", "Refunds", None, None, "D2"),
    )
    found = answer(text="It says so [D8], and so [D1, D2].", outcome=Outcome.FAIL, evidence=evidence)

    assert answer_spans(RuleContext(found.record), found.verdicts, limit=99) == [
        (11, 15, "lost", ""),
        (24, 32, "cite", "1,2"),
    ]
    assert source_spans(found.record, found.verdicts, limit=99) == {"2": [(9, 16, "good", "numbers")]}


@given(
    st.text(st.characters(codec="utf-8"), max_size=40),
    st.lists(st.tuples(st.integers(-2, 45), st.integers(-2, 45), st.sampled_from(list(Outcome))), max_size=12),
)
def test_spans_are_sorted_disjoint_and_inside(text, pieces):
    """Whatever a rule reports, the page gets spans it can draw."""
    record = AnswerRecord(record_id="r", question="q", answer=text)
    rows = [
        Verdict(record_id="r", check="x", check_kind="rule", outcome=outcome, evidence=(Evidence("n", "", start, end),))
        for start, end, outcome in pieces
    ]
    spans = answer_spans(RuleContext(record), rows, limit=1000)

    ends = [0, *(end for _, end, _, _ in spans)]
    assert all(before <= start < end for before, (start, end, _, _) in zip(ends, spans, strict=False))
    assert ends[-1] <= len(text.encode("utf-16-le")) // 2


def test_the_file_is_whole_or_not_there(make_summary, tmp_path):
    """A failure half-way leaves the old report in place and no litter."""
    target = tmp_path / "deep" / "report.html"
    write_report(target, make_summary(), [answer()])
    before = target.read_bytes()

    def breaking():
        yield answer()
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        write_report(target, make_summary(), breaking())
    assert target.read_bytes() == before
    assert list(target.parent.iterdir()) == [target]


def verdict(check: str, outcome: Outcome, **fields) -> Verdict:
    """A verdict of a rule on some answer."""
    return Verdict(record_id="a", check=check, check_kind="rule", outcome=outcome, **fields)


@pytest.mark.parametrize(
    ("answer", "wrong", "source", "own"),
    [
        ("You may send 150 requests a minute.", "150", "Each key: 120 requests, 9 burst.", ["120 requests"]),
        ("It takes 4 hours.", "4 hours", "Within 2 hours, or 3 days.", ["2 hours"]),
        ("It costs $0.25.", "0.25", "It costs $0.30 on 12 March.", ["$0.30"]),
        ("About 20 % off.", "20 %", "Students get 15 % off 30 rides.", ["15 %"]),
        ("Call 112.", "112", "Call 911 now.", []),
    ],
    ids=["unit behind", "unit inside", "currency", "percent", "a bare figure could be any"],
)
def test_the_source_s_own_figure_is_pointed_at(answer, wrong, source, own):
    """Where the answer has a wrong number, the figure of the same unit in the source is marked."""
    start = answer.index(wrong)
    piece = Evidence("number", wrong, start, start + len(wrong))
    row = verdict("numbers", Outcome.FAIL, evidence=(piece,))

    found = [source[low:high] for low, high, _, _ in own_words(source, answer, [row], None)]

    assert found == own
    assert list(own_words(source, answer, [verdict("numbers", Outcome.PASS, evidence=(piece,))], None)) == []


def test_a_missed_key_fact_is_pointed_at_in_the_source():
    """Whole figures and words only: '12' does not stand in '120'."""
    golden = GoldenQuestion(question_id="q", question="?", answerable=True, key_facts=(("12", "twelve"),))
    row = verdict("key_fact", Outcome.FAIL)
    source = "120 of them, 12 in all."

    assert [source[low:high] for low, high, _, _ in own_words(source, "", [row], golden)] == ["12"]


def test_a_right_refusal_is_not_painted_as_found():
    """It stands in no source; a wrong one is wrong."""
    record = AnswerRecord(record_id="a", question="?", answer="I could not find this.", sources=())
    piece = Evidence("refusal", "I could not find this", 0, 21)

    def mark(outcome: Outcome) -> str:
        return answer_spans(RuleContext(record), [verdict("refusal", outcome, evidence=(piece,))], limit=99)[0][2]

    assert (mark(Outcome.PASS), mark(Outcome.FAIL)) == ("said", "bad")
