"""JUnit XML: what CI servers count, and well-formed whatever the data hold."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.analytics.models import GateResult, GateState
from goldassay.reporting.junit import compare_junit, verdicts_junit
from goldassay.verdicts import Category, Evidence, Outcome, Verdict

CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase", "properties"},
    "properties": {"property"},
    "testcase": {"skipped", "error", "failure", "system-out"},
}
REQUIRED = {
    "testsuites": {"name", "tests", "failures", "errors", "time"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time", "id"},
    "testcase": {"name", "classname", "time"},
    "failure": {"type", "message"},
    "error": {"type", "message"},
    "skipped": {"message"},
    "system-out": set(),
    "properties": set(),
    "property": {"name", "value"},
}


def verdict(**changes) -> Verdict:
    """A failed rule."""
    base = {"record_id": "r1", "check": "numbers", "check_kind": "rule", "outcome": Outcome.PASS, "app": "atlas"}
    return Verdict(**{**base, **changes})


def parsed(pieces) -> ET.Element:
    """The document, its structure held against what CI servers accept."""
    root = ET.fromstring("".join(pieces).encode())
    for element in root.iter():
        assert REQUIRED[element.tag] <= set(element.attrib)
        assert {child.tag for child in element} <= CHILDREN.get(element.tag, set())
    for suite in (root, *root.iter("testsuite")):
        assert int(suite.attrib["tests"]) == len(list(suite.iter("testcase")))
        assert int(suite.attrib["failures"]) == len(list(suite.iter("failure")))
        assert int(suite.attrib["errors"]) == len(list(suite.iter("error")))
    return root


def test_failures_errors_and_skips_stand_apart():
    """A judge error is no failure; a warning breaks no build; what a rule cannot know is skipped."""
    rows = [
        verdict(),
        verdict(record_id="r2", outcome=Outcome.FAIL, category=Category.WRONG_NUMBER, reason="4 is not 2",
                evidence=(Evidence("number", "4 hours"),)),
        verdict(record_id="r3", outcome=Outcome.ERROR, category=Category.TIMED_OUT, reason="no reply", reply="{",
                check="faithful"),
        verdict(record_id="r4", outcome=Outcome.SKIP, reason="no sources logged"),
        verdict(record_id="r5", outcome=Outcome.UNSURE, category=Category.WRONG_NUMBER, reason="a range"),
        verdict(record_id="r6", outcome=Outcome.FAIL, severity="warn", category=Category.TOO_LONG,
                reason="130 words", check="length"),
    ]  # fmt: skip
    root = parsed(
        verdicts_junit(rows, questions={"r2": "Do I get my money back?"}, run_at=datetime(2026, 11, 29, 2, tzinfo=UTC))
    )

    counts = {
        suite.attrib["name"]: tuple(suite.attrib[key] for key in ("tests", "failures", "errors", "skipped"))
        for suite in root
    }
    assert counts == {"numbers": ("4", "1", "0", "2"), "faithful": ("1", "0", "1", "0"), "length": ("1", "0", "0", "0")}
    failure = next(root.iter("failure"))
    assert failure.attrib == {"type": "wrong number", "message": "4 is not 2"}
    assert failure.text == "4 is not 2\nnumber: 4 hours"
    assert "raw reply: {" in (next(root.iter("error")).text or "")
    assert "130 words" in (next(root.iter("system-out")).text or "")
    assert [case.attrib["name"] for case in root.iter("testcase")][1] == "r2: Do I get my money back?"
    assert next(root.iter("testsuite")).attrib["timestamp"] == "2026-11-29T02:00:00"


@given(st.text(st.characters(codec=None, categories=None)))
def test_any_text_gives_valid_xml(text):
    """Control characters, half surrogates and markup never break the document."""
    row = verdict(
        record_id=text, check=text, reason=text, outcome=Outcome.FAIL, app=text, evidence=(Evidence("x", text),)
    )

    parsed(verdicts_junit([row], name=text, questions={text: text}))


def test_huge_texts_are_cut():
    """A megabyte of answer does not land in the CI log."""
    document = "".join(verdicts_junit([verdict(outcome=Outcome.FAIL, reason="x" * 1_000_000)]))

    assert len(document) < 20_000


def test_no_verdicts_give_an_empty_document():
    """Still valid."""
    assert parsed(verdicts_junit([])).attrib["tests"] == "0"


def test_a_comparison_has_one_case_a_condition(make_compare):
    """A gate's conditions and the questions that changed are cases; with a failed gate what broke is a failure."""
    root = parsed(compare_junit(make_compare()))

    gate = next(suite for suite in root if suite.attrib["name"] == "gate")
    assert [case.attrib["name"] for case in gate] == ["max_drop faithful 0.03", "wrong_number>0"]
    assert gate.attrib["failures"] == "1"
    numbers = next(suite for suite in root if suite.attrib["name"] == "numbers")
    assert (numbers.attrib["tests"], numbers.attrib["failures"]) == ("2", "1")


def test_a_suite_of_a_judge_tells_how_its_replies_could_be_read():
    """Shares of unreadable and mended replies and of flipped repeats; what needed no judge is no reply."""
    of_judge = {"check": "faithful", "check_kind": "judge", "judge_model": "m", "reply": "{}"}
    rows = [
        verdict(**of_judge, repairs=("fence_removed",), extra={"reasked": "1"}),
        verdict(**of_judge, repeats=4, agreeing=3),
        verdict(**of_judge, outcome=Outcome.ERROR, category=Category.CUT_OFF),
        verdict(**of_judge, reused=True),
        verdict(check="faithful", check_kind="judge"),
        verdict(),
    ]

    root = parsed(verdicts_junit(rows))

    suite, other = root.iter("testsuite")
    assert {each.attrib["name"]: each.attrib["value"] for each in suite.iter("property")} == {
        "judge.replies": "4",
        "judge.unreadable_share": "0.5000",
        "judge.repaired_share": "0.5000",
        "judge.flip_share": "0.2500",
    }
    assert not list(other.iter("property"))


@pytest.mark.parametrize(
    ("state", "failures", "errors"),
    [(GateState.PASS, 0, 0), (GateState.NOT_EVALUABLE, 0, 1), (GateState.FAIL, 2, 0)],
)
def test_a_comparison_fails_a_build_where_its_gate_does(make_compare, state, failures, errors):
    """The file and the exit code say the same; a check that only warns never fails a build."""
    gate = GateResult(state=state, conditions=(("whole answers may not fall", state, "it fell"),))
    report = make_compare(gate=gate)
    warned = replace(report.broken[0], check="length")
    checks = (
        *report.checks,
        replace(report.checks[0], overall=replace(report.checks[0].overall, check="length"), severity="warn"),
    )

    root = parsed(compare_junit(replace(report, broken=(*report.broken, warned), checks=checks)))

    assert (root.attrib["failures"], root.attrib["errors"]) == (str(failures), str(errors))
    assert (int(root.attrib["failures"]) + int(root.attrib["errors"]) > 0) is (gate.exit_code == 1)
