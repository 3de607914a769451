"""What a run's summary says of its judges: their account, their steadiness, their kinship, their absence."""

from __future__ import annotations

from datetime import timedelta

import pytest

from goldassay.analytics.judges import share_family
from goldassay.analytics.models import CategoryCount, Counts
from goldassay.analytics.summary import run_summary
from goldassay.reporting.headline import (
    change_sentence,
    pass_sentence,
    replies_text,
)
from goldassay.store.manifest import JudgeInfo


def test_each_judge_model_has_its_own_account(store, verdict, publish_run) -> None:
    """Calls, tokens, cost, what was mended, what was reused, and the canaries."""
    rows = [
        verdict("n1", "a", "faithful", "pass", attempts=2, tokens_in=10, tokens_out=5, cost_usd=0.5, latency_ms=100.0),
        verdict("n1", "b", "faithful", "pass", attempts=1, cost_usd=0.25, repairs=("fence_removed",), latency_ms=300.0),
        verdict("n1", "c", "faithful", "pass", reused=True, attempts=0),
        verdict("n1", "d", "faithful", "error", attempts=1, reply="Looks fine to me."),
        verdict("n1", "e", "faithful", "fail", attempts=1, cost_usd=0.25, flags=("refusal", "canary")),
        verdict("n1", "f", "faithful", "skip", judge_model=None, flags=("canary",)),
        verdict("n1", "e", "relevant", "fail", reused=True, flags=("refusal", "canary")),
    ]
    publish_run(store, "n1", rows, calls=5, cost_usd=1.0)

    summary = run_summary(store, "n1")

    (judge,) = summary.judges
    assert (judge.provider, judge.model, judge.verdicts, judge.errors, judge.reused) == (
        "openai",
        "judge-large",
        6,
        1,
        2,
    )
    assert (judge.calls, judge.tokens_in, judge.tokens_out, judge.cost_usd) == (5, 10, 5, 1.0)
    assert judge.unreadable_share == 0.25
    assert judge.repaired_share == pytest.approx(1 / 3)
    assert judge.repairs == (CategoryCount("fence_removed", 1, 1 / 3),)
    assert judge.canaries == Counts(failed=1)
    assert (judge.latency_p50_ms, summary.calls, summary.cost_usd, summary.reused) == (200.0, 5, 1.0, 2)
    assert [n.code for n in summary.notices] == ["canary_failed", "not_calibrated"]


def test_what_was_asked_again_and_what_flipped_are_counted(store, verdict, publish_run) -> None:
    """A reply that was asked again was unreadable, whatever came of it; repeats that disagree make the flip rate."""
    rows = [
        verdict("n1", "a", "faithful", "pass", reply="{}", extra={"reasked": "2"}),
        verdict("n1", "b", "faithful", "fail", reply="{}", repeats=3, agreeing=2),
        verdict("n1", "c", "faithful", "pass", reply="{}", repeats=5, agreeing=5),
    ]
    publish_run(store, "n1", rows)

    (judge,) = run_summary(store, "n1").judges

    assert (judge.reasked, judge.unreadable_share) == (2, 0.4)
    assert judge.flip_share == 1 / 8
    assert (
        replies_text(judge) == "0 % of the replies mended, 40 % unreadable (2 asked again), 12 % of the repeats flipped"
    )


def test_a_canary_counts_under_whatever_name_its_criterion_has(store, verdict, publish_run) -> None:
    """A rubric of the team's own may call it 'grounded'; the flags say which rows were put to the test."""
    tested = ("refusal", "canary")
    own = {"check_kind": "judge", "judge_provider": "openai", "judge_model": "judge-large"}
    rows = [
        verdict("n1", "a", "grounded", "pass", **own, flags=(*tested, "canary_passed")),
        verdict("n1", "b", "grounded", "pass", **own, flags=(*tested, "canary_failed")),
        verdict("n1", "c", "grounded", "error", **own, flags=(*tested, "canary_error")),
        verdict("n1", "a", "friendly", "fail", **own, flags=tested),
    ]
    publish_run(store, "n1", rows)

    (judge,) = run_summary(store, "n1").judges

    assert judge.canaries == Counts(passed=1, failed=1, errors=1)


def test_a_silent_change_of_the_judge_and_kinship_are_said(store, verdict, publish_run) -> None:
    """The same name in the settings, another model behind it; and a judge that grades its own kin."""
    reported = {"judge_model": "gpt-5", "judge_model_reported": "gpt-5-2026-02"}
    publish_run(
        store,
        "n1",
        [verdict("n1", "a", "faithful", "pass")],
    )
    store_run = store.run("n1")
    staging = store.staging("n2")
    staging.write_verdicts("judge", 0, [verdict("n2", "a", "faithful", "pass", **reported)])
    store.publish(
        "n2",
        store_run.model_copy(
            update={
                "run_id": "n2",
                "run_at": store_run.run_at + timedelta(days=1),
                "judge": JudgeInfo(provider="openai", model="gpt-5", models_reported=("gpt-5-2026-01",)),
            }
        ),
    )
    kin = verdict(
        "n3", "b", "faithful", "pass", **reported, model="gpt-4o", flags=("same_family", "possible_injection")
    )
    publish_run(store, "n3", [kin])

    notices = {n.code: n for n in run_summary(store, "n3").notices}

    assert list(notices) == [
        "judge_model_changed",
        "same_family",
        "not_calibrated",
        "possible_injection",
        "no_canaries",
    ]
    assert "gpt-5 now answers as gpt-5-2026-02; in run n2 it was gpt-5-2026-01" in notices["judge_model_changed"].text


def test_two_models_behind_one_name_within_a_run_are_said(store, verdict, publish_run) -> None:
    """A provider that switches in the night."""
    rows = [verdict("n1", name, "faithful", "pass", judge_model_reported=f"model-{name}") for name in "ab"]
    publish_run(store, "n1", rows)

    first = run_summary(store, "n1").notices[0]

    assert (first.code, first.text) == (
        "judge_model_changed",
        "judge-large answered as model-a, model-b within one run",
    )


@pytest.mark.parametrize(
    ("judge", "assistant", "kin"),
    [
        ("model-x-large", "model-x-small", True),
        ("gpt-5", "azure/gpt-4o-mini", True),
        ("judge-large", "assistant-large", False),
        ("large", "small", False),
        ("claude-4", "gpt-5", False),
        ("judge", None, False),
    ],
)
def test_kinship_is_of_family_not_of_size(judge, assistant, kin) -> None:
    """Names that differ in size and version only are kin, sizes alone are not."""
    assert share_family(judge, assistant) is kin


@pytest.mark.parametrize(
    ("cost_usd", "attempts", "expected"),
    [(0.5, 1, 0.5), (None, 1, None), (None, None, None), (None, 0, 0.0)],
    ids=["priced", "no price", "no price, calls unknown", "only replies used again"],
)
def test_an_unknown_cost_is_not_free(store, verdict, publish_run, cost_usd, attempts, expected) -> None:
    """A reply used again costs nothing; beside it a call without a price makes the sum unknown."""
    rows = [
        verdict("n1", "a", "faithful", "pass", cost_usd=cost_usd, attempts=attempts),
        verdict("n1", "b", "faithful", "pass", cost_usd=0.0, attempts=0, reused=True),
    ]
    publish_run(store, "n1", rows)

    (judge,) = run_summary(store, "n1").judges

    assert judge.cost_usd == expected


def test_an_outage_of_the_judge_is_said_loudly(store, verdict, publish_run) -> None:
    """With the weighted bounds; and that nothing got worse is not claimed then."""
    publish_run(store, "n1", [verdict("n1", f"a{i}", "faithful", "pass", question_id=f"q{i}") for i in range(10)])
    rows = [
        verdict("n2", f"b{i}", "faithful", "error" if i < 4 else "pass", weight=1.0 + (i < 4), question_id=f"q{i}")
        for i in range(10)
    ]
    publish_run(store, "n2", rows)

    summary = run_summary(store, "n2")

    notice = next(notice for notice in summary.notices if notice.code == "judge_outage")
    assert notice.level == "alarm"
    assert "4 of 10 answers could not be judged (40 %: unreadable reply 4)" in notice.text
    assert "between 0.43 and 1.00" in notice.text
    faithful = next(one for one in summary.checks if one.check == "faithful")
    assert faithful.change is not None
    assert faithful.change.head_errors == 4
    assert "4 could not be judged, so the true rate lies between" in pass_sentence(summary)
    assert (
        change_sentence(summary) == "Whether anything got worse cannot be told: too many answers could not be judged."
    )
