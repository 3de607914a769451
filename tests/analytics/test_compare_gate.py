"""The gate of a comparison: another measure on the two sides, what nobody graded, and the conditions."""

from __future__ import annotations

from typing import Any

import pytest

from goldassay.analytics.compare import compare
from goldassay.analytics.gate import GateConfig
from goldassay.analytics.models import GateState
from goldassay.errors import ConfigError
from goldassay.verdicts import Category
from tests.analytics.two_versions import BOTH, two_versions


def test_another_judge_or_rule_version_is_said_loudly(store, verdict, publish_run) -> None:
    """Then the change may come from the measure, and how to judge the base again is told."""
    outcomes = {"q": ("pass", "fail")}
    two_versions(verdict, publish_run, store, outcomes, judge_model="judge-small")

    report = compare(store, "v1", "v2", by="app_version")

    assert [(n.code, n.level) for n in report.notices] == [("judge_version_differs", "alarm")]
    assert "openai/judge-large, rubric rag 1 in the base" in report.notices[0].text
    assert report.rejudge_command == "goldassay compare 'v1' 'v2' --by app_version --rejudge"


def test_another_model_behind_the_same_name_is_another_judge(store, verdict, publish_run) -> None:
    """What the provider reports counts, not only what was asked for."""
    two_versions(verdict, publish_run, store, {"q": ("pass", "fail")}, judge_model_reported="judge-large-2")

    report = compare(store, "n1", "n2")

    assert report.head.judges == ("openai/judge-large (as judge-large-2), rubric rag 1",)
    assert [n.code for n in report.notices] == ["judge_version_differs"]


def test_another_rule_version_is_said_loudly(store, verdict, publish_run) -> None:
    """The same for rules: judging again runs them again as well."""
    two_versions(verdict, publish_run, store, {"q": ("pass", "fail")}, check="numbers", check_version="2")

    report = compare(store, "n1", "n2")

    assert [n.code for n in report.notices] == ["rule_version_differs"]
    assert "numbers: version 1 in the base, version 2 in the head" in report.notices[0].text
    assert report.rejudge_command == "goldassay compare 'n1' 'n2' --by run --rejudge"


@pytest.mark.parametrize(
    ("check", "head"),
    [
        ("faithful", {"judge_model": "judge-small"}),
        ("faithful", {"judge_model_reported": "judge-large-2"}),
        ("faithful", {"rubric_version": "2"}),
        ("faithful", {"check_kind": "rule", "judge_model": None}),
        ("numbers", {"check_version": "2"}),
    ],
)
def test_a_gate_over_another_judge_or_rule_cannot_be_told(store, verdict, publish_run, check, head) -> None:
    """An alarm above a gate that passed would be read as a pass."""
    outcomes = {f"q{i}": ("pass", "pass") for i in range(20)}
    two_versions(verdict, publish_run, store, outcomes, check=check, **head)

    gate = compare(store, "n1", "n2").gate

    assert gate is not None
    assert gate.state is GateState.NOT_EVALUABLE
    assert "grade both sides alike first" in gate.reasons[0]


def test_a_judge_without_a_rubric_is_named_without_one(store, verdict, publish_run) -> None:
    """The embedded grader has none."""
    no_rubric: dict[str, Any] = {"rubric": None, "rubric_version": None}
    lexical = {"judge_provider": "lexical", "judge_model": "support-1", **no_rubric}
    two_versions(verdict, publish_run, store, {"q": ("pass", "fail")}, **lexical)

    assert "lexical/support-1 in the head;" in compare(store, "n1", "n2").notices[0].text


def test_verdicts_that_needed_no_call_are_no_other_judge(store, verdict, publish_run) -> None:
    """An empty answer fails without a judge."""
    uncalled: dict[str, Any] = {"judge_provider": None, "judge_model": None, "rubric": None, "rubric_version": None}
    two_versions(verdict, publish_run, store, {"q": ("pass", "fail")}, **uncalled)

    assert compare(store, "n1", "n2").notices == ()


def test_breaks_spread_over_checks_shut_the_gate(store, verdict, publish_run) -> None:
    """Five of a hundred questions in each of four checks: no check proves it, the answers do."""
    checks = ("cites", "numbers", "refusal", "key_fact")
    for night in ("n1", "n2"):
        rows = [
            verdict(
                night,
                f"{night}-{q}",
                check,
                "fail" if night == "n2" and place * 5 <= q < place * 5 + 5 else "pass",
                question_id=f"q{q}",
            )
            for q in range(100)
            for place, check in enumerate(checks)
        ]
        publish_run(store, night, rows)

    report = compare(store, "n1", "n2")

    assert report.gate is not None
    assert report.gate.state is GateState.FAIL
    assert report.gate.reasons[0].startswith("whole answers may not fall")
    assert {check.overall.claim for check in report.checks} == {"cannot_tell"}


@pytest.mark.parametrize("head", ["error", "skip", None])
def test_a_gate_check_that_nobody_looked_at_in_the_head_shuts_the_gate(store, verdict, publish_run, head) -> None:
    """The judge failed throughout, or was left out: the rules alone are not what the base was held to."""
    base = [verdict("n1", f"a{q}", check, "pass", question_id=f"q{q}") for q in range(10) for check in BOTH]
    publish_run(store, "n1", base)
    rows = [verdict("n2", f"b{q}", "numbers", "pass", question_id=f"q{q}") for q in range(10)]
    if head is not None:
        rows += [verdict("n2", f"b{q}", "faithful", head, question_id=f"q{q}") for q in range(10)]
    publish_run(store, "n2", rows)

    gate = compare(store, "n1", "n2").gate

    assert gate is not None
    assert gate.state is GateState.NOT_EVALUABLE
    assert any(
        reason.startswith("faithful may not fall: a gate check of the base that graded no answer")
        for reason in gate.reasons
    )


def test_a_check_that_only_warns_now_holds_nothing_back_and_shuts_the_gate(store, verdict, publish_run) -> None:
    """The embedded grader warns where the judge held: that is not what the base was held to."""
    for night, severity in (("n1", "gate"), ("n2", "warn")):
        rows = [verdict(night, f"{night}{q}", "numbers", "pass", question_id=f"q{q}") for q in range(10)]
        rows += [
            verdict(night, f"{night}{q}", "faithful", "pass", question_id=f"q{q}", severity=severity) for q in range(10)
        ]
        publish_run(store, night, rows)

    back = compare(store, "n2", "n1").gate
    gate = compare(store, "n1", "n2").gate

    assert gate is not None
    assert gate.state is GateState.NOT_EVALUABLE
    assert back is not None
    assert back.state is GateState.PASS


def test_a_new_gate_check_does_not_shut_the_gate(store, verdict, publish_run) -> None:
    """It is held from the next baseline on."""
    publish_run(store, "n1", [verdict("n1", f"a{q}", "numbers", "pass", question_id=f"q{q}") for q in range(10)])
    rows = [verdict("n2", f"b{q}", check, "pass", question_id=f"q{q}") for q in range(10) for check in BOTH]
    publish_run(store, "n2", rows)

    gate = compare(store, "n1", "n2").gate

    assert gate is not None
    assert gate.state is GateState.PASS


def test_conditions_on_categories_and_figures_gate_the_head(store, verdict, publish_run) -> None:
    """`wrong_number>0` looks at the head alone; what never came up counts 0."""
    outcomes = {f"q{i}": ("pass", "pass") for i in range(10)} | {"bad": ("fail", "fail")}
    two_versions(verdict, publish_run, store, outcomes, check="numbers", category=Category.WRONG_NUMBER)

    def state(*conditions: str) -> GateState:
        gate = compare(store, "n1", "n2", gate=GateConfig(fail_on=conditions)).gate
        assert gate is not None
        return gate.state

    assert state() is GateState.PASS
    assert state("wrong_number>0") is GateState.FAIL
    assert state("numbers.wrong_number > 10", "added_claim>0", "numbers.broken>0", "errors>5%") is GateState.PASS
    assert state("numbers<95%") is GateState.FAIL
    with pytest.raises(ConfigError, match="did you mean 'wrong_number'"):
        state("wrong_numbr>0")
