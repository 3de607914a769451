"""Two runs' answers side by side: each common question once, in both orders, paid for once."""

from __future__ import annotations

import json

import pytest

from goldassay.errors import ConfigError
from goldassay.judging import load_rubric
from goldassay.judging.scripted import ScriptedJudge
from goldassay.judging.settings import JudgeConfig
from goldassay.records import AnswerRecord
from goldassay.stages.pairing import PairsJudged, judge_pairs, pair_items
from goldassay.store import open_store
from tests.analytics.conftest import make_verdict, publish

PAIRWISE = load_rubric("pairwise")


def _answers(run, *questions, version="v1"):
    return [
        AnswerRecord(record_id=f"{run}-{number}", question=question, answer=f"{version} says {number}.", app="atlas")
        for number, question in enumerate(questions)
    ]


@pytest.fixture
def two_runs(tmp_path):
    """A store with runs n1 and n2; three questions in common, one of them asked twice."""
    store = open_store(tmp_path / "store")
    asked = {"n1": ["One?", "Two?", "Three?", "Only then?"], "n2": ["one", "Two?", "Three?", "Two?", "Only now?"]}
    for run, questions in asked.items():
        records = _answers(run, *questions, version=run)
        rows = [make_verdict(run, record.record_id, "numbers", "pass") for record in records]
        publish(store, run, rows, answers=records, golden=[None] * len(records))
    return store


def _said(*winners):
    return [json.dumps({"reason": "r", "winner": winner, "category": "none"}) for winner in winners]


def test_each_common_question_is_paired_once(two_runs):
    """By id or by its text; what one side alone was asked is left out."""
    pairs = [(item.record.answer, item.other and item.other.answer) for item in pair_items(two_runs, "n1", "n2")]

    assert pairs == [("n2 says 0.", "n1 says 0."), ("n2 says 1.", "n1 says 1."), ("n2 says 2.", "n1 says 2.")]


def test_a_win_must_hold_in_both_orders_and_is_paid_for_once(two_runs):
    """A judge that prefers a place makes a tie; the same comparison again asks nobody."""
    with ScriptedJudge(_said("A", "B", "A", "A", "B", "A")) as judge:
        config = JudgeConfig(base_url=judge.base_url, max_in_flight=1)
        result = judge_pairs(two_runs, "n1", "n2", rubric=PAIRWISE, config=config, environ={})
        again = judge_pairs(two_runs, "n1", "n2", rubric=PAIRWISE, config=config, environ={})

        assert judge.calls == 6
    assert result == PairsJudged("n1", "n2", head_better=1, base_better=1, equal=1, order_dependent=1)
    assert again == result
    assert "n2 better on 1, n1 on 1, equal 1 (1 of them by order only)" in result.sentence
    assert "no difference is shown (p = 1.00)" in result.sentence
    assert not list(two_runs.verify())


def test_a_pair_without_both_verdicts_is_an_error(two_runs):
    """Half a check is no check."""
    with ScriptedJudge([*_said("A"), "hm", *_said("A", "B", "A", "B")]) as judge:
        config = JudgeConfig(base_url=judge.base_url, max_in_flight=1, reask=0)
        result = judge_pairs(two_runs, "n1", "n2", rubric=PAIRWISE, config=config, environ={})

    assert (result.head_better, result.errors) == (2, 1)


def test_a_claim_needs_a_count_that_bears_it_out():
    """Six wins to none are shown, five are not."""
    assert "n2 is better (p = 0.031)" in PairsJudged("n1", "n2", head_better=6).sentence
    assert "no difference is shown" in PairsJudged("n1", "n2", head_better=5).sentence
    assert PairsJudged("n1", "n2", base_better=9).data()["sentence"].endswith("n1 is better (p = 0.004).")


def test_what_cannot_be_compared_is_said(two_runs):
    """A rubric for one answer, and runs without a common question."""
    config = JudgeConfig()
    with pytest.raises(ConfigError, match="reply = 'pairwise'"):
        judge_pairs(two_runs, "n1", "n2", rubric=load_rubric("rag"), config=config, environ={})
    records = _answers("n3", "Else?")
    publish(two_runs, "n3", [make_verdict("n3", "n3-0", "numbers", "pass")], answers=records, golden=[None])
    with pytest.raises(ConfigError, match="no question in common"):
        judge_pairs(two_runs, "n1", "n3", rubric=PAIRWISE, config=config, environ={})
