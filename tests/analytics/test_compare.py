"""Comparing two versions: the pairs, the tests, the words, and what is said loudly."""

from __future__ import annotations

import pytest

from goldassay.analytics.compare import compare
from goldassay.analytics.models import GateState
from goldassay.errors import ConfigError, StoreError
from tests.analytics.two_versions import two_versions


@pytest.mark.parametrize(("by", "base", "head"), [("run", "n1", "n2"), ("app_version", "v1", "v2")])
def test_broken_fixed_and_still_failing_questions_are_told_apart(store, verdict, publish_run, by, base, head) -> None:
    """Errors and skips pair with nothing: trouble of the judge is no regression."""
    outcomes = {
        "broke": ("pass", "fail"),
        "fixed": ("fail", "pass"),
        "still": ("fail", "fail"),
        "fine": ("pass", "pass"),
        "error": ("pass", "error"),
        "skip": ("skip", "fail"),
    }
    two_versions(verdict, publish_run, store, outcomes)

    report = compare(store, base, head, by=by)

    change = report.checks[0].overall
    assert (change.common, change.broken, change.fixed, change.still_failing) == (4, 1, 1, 1)
    assert (change.base_rate, change.head_rate, change.p_value) == (0.5, 0.5, 1.0)
    assert (change.base_errors, change.head_errors) == (0, 1)
    assert [c.question_id for c in report.broken] == ["broke"]
    assert [c.question_id for c in report.fixed] == ["fixed"]
    assert [c.question_id for c in report.still_failing] == ["still"]
    assert report.broken[0].base.answer == "The answer to broke [2]."
    assert report.broken[0].head.app_version == "v2"
    assert (report.common_questions, report.only_base, report.only_head) == (4, 0, 0)
    assert report.base.run_ids == ("n1",)
    assert report.notices == ()
    assert report.gate is not None
    assert report.gate.state is GateState.NOT_EVALUABLE


def test_the_plain_sentence(store, verdict, publish_run) -> None:
    """As people would say it, with the numbers the report rests on."""
    outcomes = {f"p{i}": ("pass", "pass") for i in range(174)}
    outcomes |= {f"b{i}": ("pass", "fail") for i in range(19)} | {f"f{i}": ("fail", "pass") for i in range(4)}
    outcomes |= {f"s{i}": ("fail", "fail") for i in range(15)}
    two_versions(verdict, publish_run, store, outcomes)

    report = compare(store, "v1", "v2", by="app_version", shown=3)

    assert report.sentences == (
        (
            "answers that pass every gate check fell from 0.91 to 0.84 on 212 common questions; "
            "19 broke, 4 were fixed; p = 0.003"
        ),
        "faithful fell from 0.91 to 0.84 on 212 common questions; 19 broke, 4 were fixed; p = 0.003",
    )
    assert report.checks[0].overall.claim == "regression"
    assert len(report.broken) == 3
    assert report.gate is not None
    assert report.gate.state is GateState.FAIL


def test_whole_answers_are_compared_over_their_gate_checks(store, verdict, publish_run) -> None:
    """One broken gate check breaks the answer, a broken warning does not, and an unread check is left out."""
    plan = {
        "q1": {"cites": ("pass", "fail"), "numbers": ("pass", "pass")},
        "q2": {"cites": ("fail", "pass"), "numbers": ("fail", "fail")},
        "q3": {"cites": ("fail", "pass"), "length": ("pass", "fail"), "faithful": ("fail", "error")},
    }
    for night, side in (("n1", 0), ("n2", 1)):
        rows = [
            verdict(
                night,
                f"{night}{q}",
                check,
                outcomes[side],
                question_id=q,
                severity="warn" if check == "length" else "gate",
            )
            for q, checks in plan.items()
            for check, outcomes in checks.items()
        ]
        publish_run(store, night, rows)

    answers = compare(store, "n1", "n2").answers

    assert answers is not None
    assert (answers.common, answers.broken, answers.fixed, answers.still_failing) == (3, 1, 1, 1)


def test_few_questions_say_how_many_more_are_needed(store, verdict, publish_run) -> None:
    """Two of ten broke: that may be chance, and the report says what would settle it."""
    outcomes = {f"p{i}": ("pass", "pass") for i in range(8)} | {f"b{i}": ("pass", "fail") for i in range(2)}
    two_versions(verdict, publish_run, store, outcomes)

    change = compare(store, "n1", "n2").checks[0].overall

    assert change.claim == "cannot_tell"
    assert change.needed is not None
    assert 20 < change.needed < 100
    assert change.sentence.endswith(f"cannot tell: needs about {change.needed} more questions")


def test_a_question_without_an_id_pairs_by_its_text(store, verdict, publish_run) -> None:
    """Case, punctuation and spaces do not count, and a text known under an id on one side takes that id."""
    from goldassay.records import AnswerRecord

    def answers(prefix: str, texts: dict[str, str | None]) -> list[AnswerRecord]:
        return [
            AnswerRecord(record_id=f"{prefix}{i}", question=text, answer="x", question_id=known, app="atlas")
            for i, (text, known) in enumerate(texts.items())
        ]

    publish_run(
        store,
        "n1",
        [verdict("n1", "a0", "cites", "pass"), verdict("n1", "a1", "cites", "pass", question_id="q7")],
        answers=answers("a", {"How much is it?": None, "Is it free?": "q7"}),
    )
    publish_run(
        store,
        "n2",
        [verdict("n2", "b0", "cites", "fail"), verdict("n2", "b1", "cites", "fail")],
        answers=answers("b", {"how much  is it": None, "IS IT FREE": None}),
    )

    report = compare(store, "n1", "n2")

    assert report.checks[0].overall.broken == 2
    assert (report.common_questions, report.only_base, report.only_head) == (2, 0, 0)
    assert {c.question for c in report.broken} == {"how much  is it", "IS IT FREE"}


def test_the_latest_readable_verdict_of_a_question_counts(store, verdict, publish_run) -> None:
    """A version that ran three nights: the newest answer, but never one that could not be read."""
    publish_run(store, "n1", [verdict("n1", "a", "faithful", "fail", question_id="q")])
    publish_run(store, "n2", [verdict("n2", "b", "faithful", "pass", question_id="q")])
    publish_run(store, "n3", [verdict("n3", "c", "faithful", "error", question_id="q")])
    publish_run(store, "n4", [verdict("n4", "d", "faithful", "fail", question_id="q", app_version="v2")])

    report = compare(store, "v1", "v2", by="app_version")

    assert [(c.base.record_id, c.head.record_id) for c in report.broken] == [("b", "d")]
    assert report.base.run_ids == ("n1", "n2", "n3")


def test_what_is_proven_comes_first(store, verdict, publish_run) -> None:
    """An improvement that is certain says more than a fall that may be chance."""
    plan = {"numbers": {f"f{i}" for i in range(10)}, "cites": {f"b{i}" for i in range(3)}}
    for night in ("n1", "n2"):
        failing = {"n1": plan["numbers"], "n2": plan["cites"]}[night]
        rows = [
            verdict(night, f"{night}-{q}", check, "fail" if q in failing & questions else "pass", question_id=q)
            for check, questions in plan.items()
            for q in sorted(questions | {f"p{i}" for i in range(20)})
        ]
        publish_run(store, night, rows)

    report = compare(store, "n1", "n2")

    assert [(c.overall.check, c.overall.claim) for c in report.checks] == [
        ("numbers", "improvement"),
        ("cites", "cannot_tell"),
    ]
    assert [sentence.split()[0] for sentence in report.sentences] == ["answers", "numbers", "cites"]


def test_a_broken_answer_is_told_from_a_broken_verdict(store, verdict, publish_run) -> None:
    """An answer that failed before did not break when one more check failed; a warning breaks no answer."""
    plan = {
        "whole": {"cites": ("pass", "fail")},
        "before": {"cites": ("pass", "fail"), "numbers": ("fail", "fail")},
        "warned": {"length": ("pass", "fail"), "cites": ("pass", "pass")},
    }
    for night, side in (("n1", 0), ("n2", 1)):
        rows = [
            verdict(
                night,
                f"{night}{q}",
                check,
                outcomes[side],
                question_id=q,
                severity="warn" if check == "length" else "gate",
            )
            for q, checks in plan.items()
            for check, outcomes in checks.items()
        ]
        publish_run(store, night, rows)

    report = compare(store, "n1", "n2")

    assert {c.question_id: c.is_answer for c in report.broken} == {"whole": True, "before": False, "warned": False}
    assert report.broken[0].question_id == "whole"
    assert report.answers is not None
    assert report.answers.broken == 1


def test_only_the_answers_of_a_named_run_count(store, verdict, publish_run) -> None:
    """Two nights of the base version, one of them judged again: the other night stays out."""
    publish_run(store, "n1", [verdict("n1", "a1", "faithful", "pass", question_id="q1")])
    publish_run(store, "n2", [verdict("n2", "a2", "faithful", "pass", question_id="q2")])
    again = verdict("n3", "a2", "faithful", "pass", question_id="q2", run_kind="rejudge", judge_model="judge-2")
    publish_run(store, "n3", [again], kind="rejudge")
    head = [
        verdict("n4", f"b{q}", "faithful", "fail", question_id=q, app_version="v2", judge_model="judge-2")
        for q in ("q1", "q2")
    ]
    publish_run(store, "n4", head)

    whole = compare(store, "v1", "v2", by="app_version")
    rejudged = compare(store, "v1", "v2", by="app_version", base_run="n3", head_run="n4")

    assert (whole.common_questions, len(whole.notices)) == (2, 1)
    assert (rejudged.common_questions, rejudged.notices) == (1, ())


def test_a_rejudged_base_counts_instead_of_its_old_verdicts(store, verdict, publish_run) -> None:
    """Judging the base's stored answers again with today's judge replaces what the old judge said."""
    two_versions(verdict, publish_run, store, {"q": ("pass", "fail")}, judge_model="judge-small")
    again = verdict(
        "n3",
        "a-q",
        "faithful",
        "fail",
        question_id="q",
        judge_model="judge-small",
        run_kind="rejudge",
        asked_at=verdict("n1", "x", "x", "pass").asked_at,
    )
    publish_run(store, "n3", [again], kind="rejudge")

    report = compare(store, "v1", "v2", by="app_version")

    assert report.checks[0].overall.still_failing == 1


def test_strata_are_tested_apart_and_p_values_are_adjusted_over_all(store, verdict, publish_run) -> None:
    """One stratum that broke is found although the whole hardly moved."""
    base, head = [], []
    for i in range(40):
        stratum = "billing" if i < 12 else "rest"
        outcome = "fail" if i < 10 else "pass"
        base.append(verdict("n1", f"a{i}", "numbers", "pass", question_id=f"q{i}", stratum=stratum))
        head.append(verdict("n2", f"b{i}", "numbers", outcome, question_id=f"q{i}", stratum=stratum, app_version="v2"))
    publish_run(store, "n1", base)
    publish_run(store, "n2", head)

    check = compare(store, "n1", "n2").checks[0]

    assert [(c.stratum, c.common, c.broken) for c in check.strata] == [("billing", 12, 10), ("rest", 28, 0)]
    p_values = {c.stratum: (c.p_value, c.p_adjusted) for c in (check.overall, *check.strata)}
    assert p_values["rest"] == (1.0, 1.0)
    assert p_values["billing"] == pytest.approx((2 / 2**10, 2 / 2**10)), "two tests, both with this p"


def test_mean_scores_are_compared_where_both_sides_have_one(store, verdict, publish_run) -> None:
    """Paired bootstrap with a fixed seed: the same report every time."""
    base = [verdict("n1", f"a{i}", "faithful", "pass", question_id=f"q{i}", score=5.0) for i in range(20)]
    head = [verdict("n2", f"b{i}", "faithful", "pass", question_id=f"q{i}", score=4.0 + i % 2) for i in range(20)]
    publish_run(store, "n1", base)
    publish_run(store, "n2", head)

    change = compare(store, "n1", "n2").checks[0].overall

    assert change.mean_difference == -0.5
    assert change.mean_interval is not None
    assert -0.8 < change.mean_interval.low < -0.5 < change.mean_interval.high < -0.2
    assert change == compare(store, "n1", "n2").checks[0].overall


def test_sides_that_are_the_same_or_empty_are_refused(store, verdict, publish_run) -> None:
    """With words that help."""
    publish_run(store, "n1", [verdict("n1", "a", "cites", "pass")])
    publish_run(store, "n2", [verdict("n2", "b", "cites", "pass")])

    with pytest.raises(ConfigError, match="both sides are 'n2'"):
        compare(store, "n2", "last")
    with pytest.raises(ConfigError, match="no verdict with app_version 'v9'"):
        compare(store, "v9", "v1", by="app_version")
    with pytest.raises(ConfigError, match="no verdict of the check 'nope' with run 'n1'"):
        compare(store, "n1", "n2", check="nope")
    with pytest.raises(StoreError, match="no run 'zzz'"):
        compare(store, "zzz", "n1")
    with pytest.raises(ConfigError, match="no version column"):
        compare(store, "a", "b", by="password")  # type: ignore[arg-type]  # the point of the test


def test_sides_without_a_common_question_say_so(store, verdict, publish_run) -> None:
    """No pair is no change and no pass."""
    publish_run(store, "n1", [verdict("n1", "a", "cites", "pass", question_id="q1")])
    publish_run(store, "n2", [verdict("n2", "b", "cites", "pass", question_id="q2")])

    report = compare(store, "n1", "n2")

    assert report.sentences == ("no question was judged readable on both sides: nothing can be compared",)
    assert (report.common_questions, report.only_base, report.only_head) == (0, 1, 1)
    assert report.gate is not None
    assert report.gate.state is GateState.NOT_EVALUABLE
    assert report.gate.exit_code == 1
