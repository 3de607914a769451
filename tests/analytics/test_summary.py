"""The report of one run: every number of it, from rows whose right answer is known by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from goldassay.analytics.models import CategoryCount, Citation, Counts, RejectedLine
from goldassay.analytics.summary import run_summary
from goldassay.reporting.headline import (
    changed_answers,
    pass_sentence,
    passing,
    unjudged_sentence,
)
from goldassay.store.manifest import FileEntry, RunCounts
from goldassay.verdicts import Category, Evidence


def check_of(summary, name):
    """One check of a summary."""
    return next(check for check in summary.checks if check.check == name)


def test_counts_rates_and_bounds_of_a_check(store, verdict, publish_run) -> None:
    """One pass, one fail, one judge error of three: 1/3, not 2/3 and not 1/2; skips are left out."""
    outcomes = {"a": "pass", "b": "fail", "c": "error", "d": "skip"}
    publish_run(store, "n1", [verdict("n1", r, "faithful", o) for r, o in outcomes.items()])

    check = check_of(run_summary(store, "last"), "faithful")

    assert check.rate.counts == Counts(passed=1, failed=1, errors=1, skipped=1)
    assert check.rate.headline == pytest.approx(1 / 3)
    assert check.rate.readable == 0.5
    assert check.rate.bounds == pytest.approx((1 / 3, 2 / 3))
    assert check.errors == (CategoryCount("unreadable_reply", 1, 1 / 3),)
    assert check.failures == (CategoryCount("other", 1, 1 / 3),)
    assert (check.kind, check.version, check.severity) == ("judge", "1", "gate")


def test_an_answer_passes_when_every_gate_check_passes(store, verdict, publish_run) -> None:
    """A warning does not fail it; a failure outweighs an error, an error a pass."""
    rows = [
        verdict("n1", "good", "cites", "pass"),
        verdict("n1", "good", "length", "fail", severity="warn"),
        verdict("n1", "bad", "cites", "fail"),
        verdict("n1", "bad", "faithful", "error"),
        verdict("n1", "broken", "cites", "pass"),
        verdict("n1", "broken", "faithful", "error"),
        verdict("n1", "none", "cites", "skip"),
        verdict("n1", "open", "cites", "unsure"),
    ]
    publish_run(store, "n1", rows)

    summary = run_summary(store, "n1")

    assert summary.answers.counts == Counts(passed=1, failed=1, errors=1, skipped=1, unsure=1)
    assert summary.answers_judged is not None
    assert summary.answers_judged.counts == Counts(failed=1, errors=1)
    assert summary.judged_records == 2
    assert check_of(summary, "length").severity == "warn"


def test_sampled_verdicts_are_weighted_to_the_whole_log(store, verdict, publish_run) -> None:
    """Ninety easy answers for one looked at: the rate of the log, not of the sample."""
    rows = [verdict("n1", f"e{i}", "faithful", "pass", weight=9.0) for i in range(10)]
    rows += [verdict("n1", f"h{i}", "faithful", "fail") for i in range(10)]
    publish_run(store, "n1", rows)

    rate = check_of(run_summary(store, "n1"), "faithful").rate

    assert (rate.headline, rate.weighted, rate.weights_matter) == (0.5, 0.9, True)
    assert rate.weighted_interval.low < 0.9 < rate.weighted_interval.high
    assert rate.weighted_bounds == (0.9, 0.9)


def test_reasons_are_grouped_with_examples_and_what_they_cite(store, verdict, publish_run) -> None:
    """Wrong numbers by category, free texts by likeness; the example shows answer, reason and cited source."""
    marks = (
        Evidence("citation", "[2]", 24, 27, "D2"),
        Evidence("citation", "[9]", 30, 33, None),
        Evidence("flag", "x"),
    )
    rows = [
        verdict("n1", f"r{i}", "numbers", "fail", category=Category.WRONG_NUMBER, reason="4 is 2") for i in range(3)
    ]
    rows += [
        verdict("n1", "r0", "cites", "pass", evidence=marks),
        verdict("n1", "r0", "faithful", "fail", reason="The tone is rude to the customer"),
        verdict("n1", "r3", "faithful", "fail", reason="the tone was rude to this customer!"),
        verdict("n1", "r4", "faithful", "fail", reason="Names a product that does not exist"),
        verdict("n1", "r5", "faithful", "error"),
    ]
    publish_run(store, "n1", rows)

    summary = run_summary(store, "n1")

    assert [(g.name, g.count, g.would_pass) for g in summary.reasons] == [
        ("wrong_number", 3, 2),
        ("other: tone rude customer", 2, 1),
        ("other: names product exist", 1, 1),
    ]
    assert [(g.category, g.count, g.would_pass) for g in summary.error_reasons] == [("unreadable_reply", 1, 0)]
    group = summary.reasons[0]
    assert (group.answers, group.of_answers) == (3, 5)
    assert group.share == pytest.approx(0.6)
    assert [e.record_id for e in group.examples] == ["r1", "r2", "r0"]
    example = group.examples[2]
    assert (example.question, example.answer) == ("What about r0?", "The answer to r0 [2].")
    assert (example.reason, example.sources_sent) == ("4 is 2", 2)
    assert example.citations == (Citation("[2]", "D2", 2, "Second"), Citation("[9]", None, None, None))


def test_what_changed_against_the_run_before(store, verdict, publish_run) -> None:
    """The last run of the same kind, the baseline, a named run, or none."""
    for night, outcome in (("n1", "fail"), ("n2", "pass"), ("n4", "fail")):
        publish_run(store, night, [verdict(night, f"{night}-a", "cites", outcome, question_id="q")])
    publish_run(store, "n3", [verdict("n3", "g", "cites", "pass", question_id="q")], kind="golden")

    summary = run_summary(store, "n4")

    assert summary.compared_to == "n2"
    assert [(c.question_id, c.base.outcome, c.head.outcome) for c in summary.broken] == [("q", "pass", "fail")]
    change = check_of(summary, "cites").change
    assert change is not None
    assert change.broken == 1
    assert run_summary(store, "n4", compare_to="n3").compared_to == "n3"
    assert run_summary(store, "n4", compare_to=None).compared_to is None
    assert run_summary(store, "n1").compared_to is None
    assert run_summary(store, "n4", compare_to="baseline").compared_to is None
    store.accept("n1")
    assert run_summary(store, "n4", compare_to="baseline").compared_to == "n1"
    assert run_summary(store, "n1", compare_to="baseline").compared_to is None


def test_one_mark_may_cite_several_sources(store, verdict, publish_run) -> None:
    """'[1, 2]' is two citations, also of a source whose id holds a comma; an id never sent stays as written."""
    marks = tuple(Evidence("citation", "[x]", 0, 3, ids) for ids in ("D1, D2", "D1, D7"))
    rows = [verdict("n1", "r", "cites", "fail", evidence=marks, category=Category.BAD_CITATION)]
    publish_run(store, "n1", rows)

    (example,) = run_summary(store, "n1").reasons[0].examples

    assert [(c.source_id, c.number) for c in example.citations] == [("D1", 1), ("D2", 2), ("D1, D7", None)]


def test_manifest_facts_are_passed_on(store, verdict, publish_run) -> None:
    """Rejected lines, files, notes and how the sample was drawn."""
    publish_run(
        store,
        "n1",
        [verdict("n1", "a", "refusal", "fail", answerable=False, model="m1", category=Category.MISSED_REFUSAL)],
        rejected_samples=({"file": "log.jsonl", "line": 7, "reason": "no JSON", "raw": "{"}, {"file": "x"}),
        notes=("nothing was judged",),
        sampling={"stratify": ["lang"]},
    )

    summary = run_summary(store, "n1")

    assert summary.rejected_lines == (RejectedLine("log.jsonl", 7, "no JSON", "{"), RejectedLine("x", None, "", ""))
    assert summary.notes == ("nothing was judged",)
    assert sorted(path.split("/")[0] for path in summary.files) == ["answers", "verdicts"]
    assert summary.store == store.address
    assert (summary.app_versions, summary.models, summary.sampling) == (("v1",), ("m1",), "")
    assert summary.answers_judged is None
    assert summary.answerability is not None
    assert summary.answerability.unanswerable_answered == 1
    assert summary.answerability.answered_unanswerable_rate == 1.0
    assert summary.answerability.refused_answerable_rate is None


def test_the_way_the_sample_was_drawn_is_told(store, verdict, publish_run) -> None:
    """In words, with the strata."""
    from goldassay.analytics.summary import _sampling_words

    run = publish_run(store, "n1", [verdict("n1", "a", "cites", "pass")], sampling={"stratify": ["lang"]})
    run = run.model_copy(update={"counts": RunCounts(checked=1000, selected=200)})

    assert _sampling_words(run) == ("200 of 1,000 answers chosen by hash, by lang; rates are weighted to all 1,000")
    assert all(isinstance(entry, FileEntry) for entry in run.files)


def test_a_run_without_a_verdict_has_a_summary(store, publish_run) -> None:
    """Nothing was graded, so nothing is known: no rate, no division by zero."""
    publish_run(store, "n1", [])

    summary = run_summary(store, "n1")

    assert summary.answers.headline is None
    assert summary.answers.interval == (0, 1)
    assert summary.checks == ()
    assert summary.reasons == ()


def test_an_answer_the_judge_did_not_see_has_not_passed_its_checks(store, verdict, publish_run) -> None:
    """The headline is about the judged answers, standing for the log; what the rules say of the rest comes apart."""
    rows = [verdict("n1", f"r{i}", "cites", "fail" if i == 9 else "pass") for i in range(10)]
    rows += [verdict("n1", f"r{i}", "faithful", "fail" if i < 2 else "pass", weight=2.5) for i in range(4)]
    publish_run(store, "n1", rows)

    summary = run_summary(store, "n1")

    assert passing(summary).shown == 0.5
    assert pass_sentence(summary).startswith("2 of 4 judged answers passed every gate check")
    assert unjudged_sentence(summary) == ("The judge did not see the other 6: by the rules alone, 5 of them passed.")


def test_the_rate_of_the_run_before_is_weighted_like_the_run_s_own(store, verdict, publish_run) -> None:
    """One failure that stands for nine answers is nine tenths of the last run's log, beside a rate over this one's."""
    for night, outcome in (("n1", "fail"), ("n2", "pass")):
        rows = [verdict(night, f"{night}-a", "faithful", outcome, weight=9.0, question_id="q1")]
        rows.append(verdict(night, f"{night}-b", "faithful", "pass", weight=1.0, question_id="q2"))
        publish_run(store, night, rows)

    check = check_of(run_summary(store, "n2"), "faithful")

    assert check.before is not None
    assert (check.before.shown, check.rate.shown) == (pytest.approx(0.1), 1.0)


def test_a_change_tells_whether_the_whole_answer_changed(store, verdict, publish_run) -> None:
    """A check that broke in an answer that failed already, or that only warns, breaks no answer."""
    plan = {
        "broke": ("pass", "pass", "fail", "pass"),
        "failed_already": ("pass", "fail", "fail", "fail"),
        "only_warns": ("pass", "pass", "pass", "pass"),
    }
    for night, (cites, numbers) in (("n1", (0, 1)), ("n2", (2, 3))):
        rows = []
        for name, outcomes in plan.items():
            rows.append(verdict(night, f"{night}{name}", "cites", outcomes[cites], question_id=name))
            rows.append(verdict(night, f"{night}{name}", "numbers", outcomes[numbers], question_id=name))
            length = "fail" if night == "n2" and name == "only_warns" else "pass"
            rows.append(verdict(night, f"{night}{name}", "length", length, question_id=name, severity="warn"))
        publish_run(store, night, rows)

    summary = run_summary(store, "n2")

    assert {change.question_id: change.is_answer for change in summary.broken} == {
        "broke": True,
        "failed_already": False,
        "only_warns": False,
    }
    assert summary.answers_change is not None
    assert (summary.answers_change.broken, summary.answers_change.fixed) == (1, 0)
    assert changed_answers(replace(summary, answers_change=None)) == (1, 0)
