"""The gate: passes, fails, or says that it cannot know."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from goldassay.analytics.compare import compare
from goldassay.analytics.conditions import condition_findings, parse_condition
from goldassay.analytics.gate import (
    GateConfig,
    gate_of,
    rate_finding,
)
from goldassay.analytics.gate_words import gate_sentence
from goldassay.analytics.metrics import metrics_of
from goldassay.analytics.models import Counts, GateResult, GateState, RateSummary
from goldassay.analytics.models_reports import CheckComparison
from goldassay.analytics.paired_changes import PairCounts, change_of
from goldassay.analytics.statistics import PairTable
from goldassay.analytics.tally import plain_rate
from goldassay.errors import ConfigError

PASS, FAIL, UNKNOWN = GateState.PASS, GateState.FAIL, GateState.NOT_EVALUABLE


def change(both_pass: int, broken: int, fixed: int = 0, both_fail: int = 0):
    """A tested change of the check `cites`."""
    return change_of(PairCounts("cites", None, PairTable(both_pass, broken, fixed, both_fail)))


def rate(passed: int, failed: int, errors: int = 0) -> RateSummary:
    """An unweighted rate."""
    return plain_rate(Counts(passed, failed, errors))


def gate_on(*changes, **config) -> GateResult:
    """The gate over these changes alone."""
    return gate_of(GateConfig(**config), [CheckComparison(overall=each) for each in changes], {})


def states(conditions, metrics) -> list[GateState]:
    """What each condition came to."""
    return [finding.state for finding in condition_findings(conditions, metrics)]


@pytest.mark.parametrize(
    ("text", "name", "compare", "value"),
    [
        ("wrong_number>0", "wrong_number", ">", 0.0),
        ("  faithful <= 0.9 ", "faithful", "<=", 0.9),
        ("errors>5%", "errors", ">", 0.05),
        ("cites.drop>-0.5", "cites.drop", ">", -0.5),
        ("my-rule==3", "my-rule", "==", 3.0),
    ],
)
def test_a_condition_is_a_name_a_comparison_and_a_number(text, name, compare, value) -> None:
    """With or without blanks; a percentage is a share."""
    condition = parse_condition(text)

    assert (condition.name, condition.compare) == (name, compare)
    assert condition.value == pytest.approx(value)


@pytest.mark.parametrize(
    "text",
    ["", "wrong_number", ">0", "a>b", "__import__('os').system('x')>0", "a>0 or 1", "a>0;b>0", "a>1e9", "a" * 500],
)
def test_anything_else_is_refused_and_never_run(text) -> None:
    """There is no expression language to attack."""
    with pytest.raises(ConfigError, match="cannot read the condition"):
        parse_condition(text)
    with pytest.raises((ConfigError, ValidationError)):
        GateConfig(fail_on=(text,))


@given(st.text(max_size=200))
def test_no_text_breaks_the_parser(text) -> None:
    """It is read or refused, in linear time."""
    try:
        parse_condition(text)
    except ConfigError:
        return


def test_conditions_hold_against_named_figures() -> None:
    """A category that never came up counts 0; an unknown name is a mistake; what was not graded cannot be told."""
    metrics = {"wrong_number": 2.0, "faithful": float("nan"), "cites": 0.9}

    assert states(["wrong_number>1"], metrics) == [FAIL]
    assert states(["wrong_number>2", "added_claim>0", "cites.off_topic>0"], metrics) == [PASS, PASS, PASS]
    assert states(["faithful<0.9"], metrics) == [UNKNOWN]
    assert states([], metrics) == []
    with pytest.raises(ConfigError, match=r"did you mean 'cites'"):
        states(["cite<0.9"], metrics)
    with pytest.raises(ConfigError, match="known are"):
        states(["zzzzzz>1"], metrics)


@pytest.mark.parametrize(
    ("passed", "total", "state"),
    [
        (35, 35, PASS),
        (34, 34, UNKNOWN),
        (3, 3, UNKNOWN),
        (19, 20, UNKNOWN),
        (10, 20, FAIL),
        (0, 0, UNKNOWN),
        (90, 100, FAIL),
    ],
)
def test_a_minimum_rate_needs_enough_answers(passed, total, state) -> None:
    """Three of three cannot prove 90 %: too few is not a failure and not a pass."""
    assert rate_finding(rate(passed, total - passed), 0.9, "rate").state is state


def test_a_question_asked_every_night_is_no_evidence_thirty_times(store, verdict, publish_run) -> None:
    """Six questions, always right, on 30 nights: 180 passes cleared a gate of 0.9 that 35 questions are needed for."""
    rows = [verdict("n1", f"r{n}-{q}", "cites", "pass", question_id=f"q{q}") for q in range(6) for n in range(30)]
    publish_run(store, "n1", rows)
    publish_run(store, "n2", [replace(row, run_id="n2", app_version="v2") for row in rows])

    gate = compare(store, "v1", "v2", by="app_version", gate=GateConfig(min_rate=0.9)).gate

    assert gate is not None
    assert gate.state is UNKNOWN
    assert gate.reasons == (
        "cites >= 0.9 at the lower bound: n too small for this gate (needs about 35 of 35); worth 6 independent ones",
    )


@pytest.mark.parametrize(
    ("table", "max_drop", "state"),
    [
        ((194, 6), None, FAIL),
        ((194, 6), 0.05, PASS),
        ((190, 10), 0.02, FAIL),
        ((46, 4), 0.02, UNKNOWN),
        ((46, 4), None, PASS),
        ((50, 0), 0.0, PASS),
        ((3, 0), None, UNKNOWN),
        ((0, 0), None, UNKNOWN),
    ],
)
def test_a_fall_fails_when_it_is_proven(table, max_drop, state) -> None:
    """More than allowed but perhaps chance: not evaluable. Nothing allowed and perhaps chance: passes."""
    assert gate_on(change(*table), max_drop=max_drop).state is state


def test_only_gate_checks_are_held_against_a_version() -> None:
    """A warning check may fall; but with no gate check at all nothing is known."""
    fell = CheckComparison(overall=change(10, 30), severity="warn")

    assert gate_of(GateConfig(), [fell], {}).state is UNKNOWN
    held = CheckComparison(overall=change(40, 0), severity="gate")
    assert gate_of(GateConfig(), [fell, held], {}).state is PASS


def test_many_judge_errors_make_a_check_not_evaluable() -> None:
    """They leave the pairs, so they could hide any regression."""
    check = CheckComparison(overall=change(40, 0), head_rate=rate(40, 0, 20))

    gate = gate_of(GateConfig(), [check], {})

    assert gate.state is UNKNOWN
    assert gate.reasons == ("cites errors <= 20%: 20 of 60",)
    assert gate_of(GateConfig(max_error_share=0.5, min_rate=0.5), [check], {}).state is PASS
    assert gate_of(GateConfig(max_error_share=0.5, min_rate=0.9), [check], {}).state is FAIL


def test_figures_for_conditions_come_from_the_head() -> None:
    """Rates, breaks, drops, errors and categories under plain names."""
    check = CheckComparison(overall=change(30, 6, 2, 2), head_rate=rate(30, 8, 2))
    bare = CheckComparison(overall=change_of(PairCounts("faithful", None, PairTable(0, 0, 0, 0))))

    metrics = metrics_of([check, bare], [("cites", "bad_citation", "fail", 8)])

    assert metrics["cites"] == 0.75
    assert (metrics["cites.broken"], metrics["cites.fixed"]) == (6, 2)
    assert metrics["cites.drop"] == pytest.approx(0.1)
    assert (metrics["bad_citation"], metrics["cites.bad_citation"], metrics["errors"]) == (8, 8, 2)
    assert metrics["error_share"] == 0.05
    assert metrics["faithful"] != metrics["faithful"]
    assert metrics_of([])["failed"] == 0


def test_a_reason_says_what_is_allowed_and_what_happened() -> None:
    """Read on a flow run that failed: no double negation, no sign to puzzle over."""
    gate = gate_on(change(4, 8), max_drop=0.05)

    assert gate.reasons == (
        "cites may fall by 0.05 at most: it fell by 0.67 on 12 common questions (8 broke, 0 were fixed), p = 0.008",
    )


def test_a_check_that_hardly_any_question_has_does_not_shut_the_gate() -> None:
    """One golden question with a reference: `correct` can never be evaluable, and the other checks still are."""
    common = CheckComparison(overall=change(40, 0), base_rate=rate(40, 0), head_rate=rate(40, 0))
    rare = CheckComparison(overall=change(1, 0), base_rate=rate(1, 0), head_rate=rate(1, 0))
    lost = CheckComparison(overall=change(1, 0), base_rate=rate(40, 0), head_rate=rate(1, 0, errors=39))

    assert gate_of(GateConfig(), [common, rare], {}).state is GateState.PASS
    assert gate_of(GateConfig(), [rare], {}).state is GateState.NOT_EVALUABLE
    assert gate_of(GateConfig(), [common, lost], {}).state is GateState.NOT_EVALUABLE


WHOLE = "answers that pass every gate check"


def test_whole_answers_are_held_to_the_gate() -> None:
    """Five breaks in each of four checks prove nothing in any of them, and twenty broken answers do."""
    checks = [CheckComparison(overall=change(95, 5)) for _ in range(4)]
    answers = change_of(PairCounts(WHOLE, None, PairTable(80, 20, 0, 0)))

    assert gate_of(GateConfig(), checks, {}).state is PASS
    gate = gate_of(GateConfig(), checks, {}, answers=answers)

    assert gate.state is FAIL
    assert gate.reasons[0].startswith("whole answers may not fall: it fell by 0.2 on 100 common questions (20 broke")


@pytest.mark.parametrize(("max_drop", "state"), [(None, PASS), (0.05, UNKNOWN), (0.2, PASS)])
def test_a_fall_of_whole_answers_that_may_be_chance(max_drop, state) -> None:
    """Without an allowance it passes, and says that a fall was seen; beyond the allowance it cannot be told."""
    answers = change_of(PairCounts(WHOLE, None, PairTable(37, 13, 6, 6)))

    gate = gate_of(GateConfig(max_drop=max_drop), [CheckComparison(overall=change(62, 0))], {}, answers=answers)

    assert gate.state is state
    assert gate.doubts == (("whole answers",) if max_drop is None else ())


@pytest.mark.parametrize("severity", ["gate", "warn"])
def test_a_check_graded_otherwise_on_the_two_sides_cannot_be_told(severity) -> None:
    """Neither its change nor that of whole answers says anything of the assistant; a warning is not held against it."""
    same = CheckComparison(overall=change(40, 0))
    other = CheckComparison(overall=replace(change(40, 0), check="faithful"), severity=severity)

    gate = gate_of(GateConfig(), [same, other], {}, answers=change(40, 0), other_measure={"faithful"})

    assert gate.state is (UNKNOWN if severity == "gate" else PASS)
    names = {condition for condition, state, _ in gate.conditions if state is UNKNOWN}
    assert names == ({"whole answers may not fall", "faithful may not fall"} if severity == "gate" else set())


def test_whole_answers_are_figures_for_conditions() -> None:
    """'answers.broken>3' counts each answer once."""
    metrics = metrics_of([], answers=change(30, 6, 2, 2))

    assert (metrics["answers.broken"], metrics["answers.fixed"]) == (6, 2)
    assert metrics["answers.drop"] == pytest.approx(0.1)


def test_a_condition_holds_against_the_rate_that_is_shown() -> None:
    """Weighted to the log where a sample was judged, as every report shows it."""
    weighted = replace(rate(17, 3), weighted=0.9, weights_matter=True)

    assert metrics_of([CheckComparison(overall=change(20, 0), head_rate=weighted)])["cites"] == 0.9


@pytest.mark.parametrize(
    ("gate", "sentence"),
    [
        (gate_of(GateConfig(), [CheckComparison(overall=change(40, 0))], {}), "passed: 1 condition holds"),
        (gate_of(GateConfig(), [CheckComparison(overall=change(40, 2))], {}), "passed: no fall is proven"),
        (gate_of(GateConfig(), [CheckComparison(overall=change(4, 40))], {}), "failed: 1 of 1 condition does not hold"),
        (gate_of(GateConfig(), [], {}), "not evaluable: 1 of 1 condition cannot be told"),
        (gate_on(change(4, 40), change(5, 39)), "failed: 2 of 2 conditions do not hold"),
    ],
)
def test_the_gate_in_a_sentence(gate, sentence) -> None:
    """Its state and on how much it rests."""
    assert gate_sentence(gate) == sentence


def test_the_gate_in_a_sentence_counts_answers() -> None:
    """Each once, whatever the number of checks it broke in."""
    gate = gate_on(change(40, 0))

    assert gate_sentence(gate, change(40, 1, 1)).endswith("; 1 answer broke, 1 was fixed")
    assert gate_sentence(gate, change(40, 0)).endswith("; no answer changed on 40 common questions")
