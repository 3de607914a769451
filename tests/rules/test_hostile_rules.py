"""A hostile answer of a megabyte takes no more time than a harmless one of that length: all patterns are linear."""

from __future__ import annotations

import time

import pytest

from goldassay.records import AnswerRecord, GoldenQuestion, Source
from goldassay.rules import RulesConfig, load_rules
from goldassay.text import normalise, sentences
from goldassay.verdicts import Outcome

_PATTERNS = [
    "1", "1,", "1.", "1 ", "1,11", "1,111", "1.111.", "1'111", "1/", "1-", "12:", "1e", "(1", "[1", "[1,", "[1-",
    "[1][", "【1", "$", "$1", "1%", "-1", "- ", "a-1", "A-", "a", "a ", "one ", "two hundred ", "hundredandfive", "一",
    "百万", "½", "²", "\u200b", "́", "é", "“", "'", "`", "``", "```", "*", "**", "_", "__", "~~", "<", "<a ", "</",
    "&", "&#1;", "](", "](a", "[a](", "http://", "http://a", "www.", "\n", "\n\n", "# ", "1. ", "1) ", "|", "--",
    "==", "a.", "a. ", "?!", "not ", "I cannot ", "I don't know. ", "(", ")", "()", "[^1]", "May ", "May 1", "1 May",
    "3 p", "3 p.m", "v1.", "Step ", "passage 1 ", "of the ", "\t", " ", ".", ",", "@", "a@", "a@b", "+1 ", "0", "00",
    "1 000 ", "x10^", "1×10", "°", "年", "1年", '"', '"a ', "„a“ ", "sorry ", "\u202e", "𝟙", "İ", "ß",
]  # fmt: skip
_MEGABYTE = 1_000_000
_LIMIT_S = 12.0  # of CPU on a busy machine; quadratic work on a megabyte takes hours


def _record(answer: str) -> AnswerRecord:
    source = Source(id="1", text="The house has 12 rooms and opened on 14 September 2026. It costs $25.")
    return AnswerRecord(record_id="1", question="How many rooms?", answer=answer, sources=(source,))


@pytest.mark.slow
@pytest.mark.parametrize("pattern", _PATTERNS, ids=repr)
def test_a_megabyte_of_anything_takes_linear_time(pattern: str):
    """Every default rule ends in time and without an error on a megabyte of one repeated pattern."""
    rules = load_rules()
    golden = GoldenQuestion(question_id="1", question="?", key_facts=(("12 rooms",),))
    answer = (pattern * (_MEGABYTE // len(pattern) + 1))[:_MEGABYTE]

    start = time.process_time()
    findings = rules.check(_record(answer), golden)

    assert time.process_time() - start < _LIMIT_S
    assert all(finding.outcome is not Outcome.ERROR for _, finding in findings)


@pytest.mark.parametrize("pattern", _PATTERNS, ids=repr)
def test_doubling_a_hostile_answer_does_not_square_the_time(pattern: str):
    """Thirty thousand characters of anything are checked; quadratic patterns show here already."""
    rules = load_rules(RulesConfig(enabled=("numbers", "key_fact")))
    golden = GoldenQuestion(question_id="1", question="?", key_facts=(("12 rooms",), ("14 September 2026",)))
    answer = (pattern * 30_000)[:30_000]

    start = time.process_time()
    findings = rules.check(_record(answer), golden)
    normal = normalise(answer)
    sentences(normal)

    assert time.process_time() - start < _LIMIT_S
    assert all(finding.outcome is not Outcome.ERROR for _, finding in findings)
