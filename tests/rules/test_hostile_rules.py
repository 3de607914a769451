"""A hostile answer of a megabyte takes no more time than a harmless one of that length: all patterns are linear."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldassay.records import AnswerRecord, GoldenQuestion, Source
from goldassay.rules import RulesConfig, RuleSet, load_rules
from goldassay.rules.context import MOST_CHARACTERS
from goldassay.text import normalise, sentences
from goldassay.verdicts import Finding, Outcome

_PATTERNS = [
    "1", "1,", "1.", "1 ", "1,11", "1,111", "1.111.", "1'111", "1/", "1-", "12:", "1e", "(1", "[1", "[1,", "[1-",
    "[1][", "【1", "$", "$1", "1%", "-1", "- ", "a-1", "A-", "a", "a ", "one ", "two hundred ", "hundredandfive", "一",
    "百万", "½", "²", "\u200b", "́", "é", "“", "'", "`", "``", "```", "*", "**", "_", "__", "~~", "<", "<a ", "</",
    "&", "&#1;", "](", "](a", "[a](", "http://", "http://a", "www.", "\n", "\n\n", "# ", "1. ", "1) ", "|", "--",
    "==", "a.", "a. ", "?!", "not ", "I cannot ", "I don't know. ", "(", ")", "()", "[^1]", "May ", "May 1", "1 May",
    "3 p", "3 p.m", "v1.", "Step ", "passage 1 ", "of the ", "\t", " ", ".", ",", "@", "a@", "a@b", "+1 ", "0", "00",
    "1 000 ", "x10^", "1×10", "°", "年", "1年", '"', '"a ', "„a“ ", "sorry ", "\u202e", "𝟙", "İ", "ß",
    "http://a.b ", "`http://a.b/` ", "a.com/", "href=", "a@b.com ", "800-555-0199 ", "\n> a", "'a ", "「a", "「aaaa」",
    "it is false that ", "instead of ", "not 12 rooms ", "12 rooms is not ", "I think ", "it might be ", "A.B. ",
    "1 hour 30 minutes ", "1m 80 ", "0900-1700 ", "$a\\text{", "\\frac{1}{", "^{1", "<!-- ", "`[1]", "[1: 3; ",
    "[1, 2] is ", "5' 10 ", "Mon 9-17 ", "i can: - help\n", "it means that ", "Confidence: 9\n",
    "last year ", "in 2018 ", "not in 1490 ", "in total 11 ", "from 2010 to 2015 5 years ",
]  # fmt: skip
_MEGABYTE = 1_000_000
_ASKED = "It takes 7 hours and 13 minutes, not in 1490, 17 years in total, in 2018. In total 77."


def _record(answer: str) -> AnswerRecord:
    source = Source(id="1", text="The house has 12 rooms and opened on 14 September 2026. It costs $25.")
    return AnswerRecord(record_id="1", question="How many rooms?", answer=answer, sources=(source,))


def _check(pattern: str, length: int, rules: RuleSet) -> list[tuple[str, Finding]]:
    golden = GoldenQuestion(question_id="1", question="?", key_facts=(("12 rooms",), ("14 September 2026",)))
    return rules.check(_record((pattern * (length // len(pattern) + 1))[:length]), golden)


# Quadratic work on a megabyte takes hours, so the time-out is the proof; benchmarks/rules_speed.py prints the seconds.
@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize("pattern", _PATTERNS, ids=ascii)
def test_a_megabyte_of_anything_is_checked_in_time(pattern: str):
    """Every default rule ends without an error on a megabyte of one repeated pattern."""
    findings = _check(pattern, _MEGABYTE, load_rules())

    assert all(finding.outcome is not Outcome.ERROR for _, finding in findings)


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "pattern",
    [
        "1 hour 30 minutes ",
        "1 hour, 30 minutes, ",
        "Mon 9-17 ",
        "(%) 5 ",
        "2 km, 500 m ",
        "last year 5 ",
        "2010 to 2015. ",
        "not 12. ",
    ],
)
def test_a_megabyte_of_amounts_in_a_source_is_searched_in_time(pattern: str):
    """A source is read whole for a number that it does not hold as written."""
    source = Source(id="1", text=(pattern * (_MEGABYTE // len(pattern) + 1))[:_MEGABYTE])
    record = AnswerRecord(record_id="1", question="?", answer=_ASKED, sources=(source,))

    findings = load_rules(RulesConfig(enabled=("numbers",))).check(record)

    assert findings[0][1].outcome is Outcome.FAIL


@pytest.mark.timeout(60)
@pytest.mark.parametrize("pattern", _PATTERNS[::6], ids=ascii)
def test_forty_pages_of_anything_are_read_in_time(pattern: str):
    """A share of the patterns, at the most that is read of one answer, for every run of the tests."""
    rules = load_rules(RulesConfig(enabled=("numbers", "key_fact")))

    findings = _check(pattern, MOST_CHARACTERS, rules)

    assert all(finding.outcome is not Outcome.ERROR for _, finding in findings)


@pytest.mark.timeout(60)
@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(_PATTERNS), min_size=1, max_size=4))
def test_mixtures_of_patterns_are_read_in_time(pieces: list[str]):
    """Patterns that are harmless alone are harmless together."""
    findings = _check("".join(pieces), 20_000, load_rules(RulesConfig(enabled=("numbers", "key_fact"))))

    assert all(finding.outcome is not Outcome.ERROR for _, finding in findings)


def test_what_is_too_long_to_be_read_whole_never_passes():
    """A pass of the part that was read is no pass; a failure in it stands."""
    rules = load_rules(RulesConfig(enabled=("numbers",)))

    fine = dict(_check("It has 12 rooms. ", MOST_CHARACTERS + 1, rules))["numbers"]
    wrong = dict(_check("It has 13 rooms. ", MOST_CHARACTERS + 1, rules))["numbers"]

    assert (fine.outcome, wrong.outcome) == (Outcome.UNSURE, Outcome.FAIL)
    assert "100,000" in fine.reason


def test_a_megabyte_of_a_source_is_no_trouble_either():
    """Sources are read whole, once."""
    text = "It has 12 rooms and 34 doors. " * 33_000
    record = AnswerRecord(record_id="1", question="?", answer="It has 57 rooms.", sources=(Source(id="1", text=text),))

    assert dict(load_rules().check(record))["numbers"].outcome is Outcome.FAIL


def test_the_normal_form_of_hostile_markup_is_linear():
    """Unclosed code, tags, links and entities in masses."""
    for piece in ("`", "<a ", "](x", "[a](", "&amp", "**", "http://"):
        normal = normalise(piece * 50_000)
        assert len(sentences(normal)) >= 0
