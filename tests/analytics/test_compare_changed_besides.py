"""What else changed between two runs, besides the assistant: the golden set, a rule, the checks there are."""

from __future__ import annotations

import pytest

from goldassay.analytics.compare import compare
from goldassay.analytics.summary import run_summary
from goldassay.records import GoldenQuestion
from goldassay.reporting.headline import headline, unchanged_text

FACTS = (("12",), ("seven", "7"))


def publish_with(publish_run, verdict, store, name: str, golden: list[GoldenQuestion], digest: str | None) -> None:
    """A run over these golden questions."""
    rows = [verdict(name, f"{name}{one.question_id}", "cites", "pass", question_id=one.question_id) for one in golden]
    publish_run(store, name, rows, golden=golden, golden_digest=digest)


def golden(question_id: str, **fields) -> GoldenQuestion:
    """A golden question with two facts."""
    return GoldenQuestion(question_id=question_id, question="What?", key_facts=FACTS, **fields)


def test_a_question_that_was_edited_is_named(store, verdict, publish_run) -> None:
    """With what is another; in the comparison and in the report of the later run."""
    publish_with(publish_run, verdict, store, "n1", [golden("q1"), golden("q2"), golden("q3")], "one")
    later = [
        golden("q1").model_copy(update={"key_facts": (("13",),), "answerable": False}),
        golden("q2"),
        golden("q3", reference="new"),
    ]
    publish_with(publish_run, verdict, store, "n2", later, "two")

    told = "2 common questions stand otherwise in the golden sets of the two sides: q1 (answerable and key facts), q3 "
    for notices in (compare(store, "n1", "n2").notices, run_summary(store, "n2").notices):
        (found,) = (notice for notice in notices if notice.code == "golden_changed")
        assert found.text.startswith(told)


@pytest.mark.parametrize("digests", [("one", "two"), ("one", "one"), (None, None)])
def test_a_set_that_only_grew_changes_no_question(store, verdict, publish_run, digests) -> None:
    """Whether its digest is known or not."""
    publish_with(publish_run, verdict, store, "n1", [golden("q1")], digests[0])
    publish_with(publish_run, verdict, store, "n2", [golden("q1"), golden("q2")], digests[1])

    assert compare(store, "n1", "n2").notices == ()


def test_a_rule_that_changed_between_two_nights_is_told_in_the_report(store, verdict, publish_run) -> None:
    """As in a comparison: the change beside it may be the rule's own."""
    for name, version in (("n1", "1"), ("n2", "2")):
        publish_run(store, name, [verdict(name, name, "cites", "pass", question_id="q", check_version=version)])

    assert [n.code for n in run_summary(store, "n2").notices if n.level == "alarm"] == ["rule_version_differs"]


@pytest.mark.parametrize(("times", "told"), [(10, True), (9, False)])
def test_a_check_that_is_gone_is_told(store, verdict, publish_run, times, told) -> None:
    """Silence would read as "no change"; a rare check comes and goes."""
    rows = [verdict("n1", f"a{i}", "numbers", "pass", question_id=f"q{i}") for i in range(times)]
    publish_run(store, "n1", [*rows, verdict("n1", "a", "cites", "pass", question_id="q")])
    publish_run(store, "n2", [verdict("n2", "b", "cites", "pass", question_id="q")])

    found = [notice.text for notice in run_summary(store, "n2").notices if notice.code == "check_missing"]

    assert [text.partition(":")[0] for text in found] == (["numbers"] if told else [])


def test_without_a_common_question_nothing_is_called_unchanged(store, verdict, publish_run) -> None:
    """A night of other questions got neither worse nor better."""
    publish_run(store, "n1", [verdict("n1", "a", "cites", "pass", question_id="q1")])
    publish_run(store, "n2", [verdict("n2", "b", "cites", "fail", question_id="q2")])

    summary = run_summary(store, "n2")

    assert headline(summary).endswith("Nothing can be compared with last time: no question was graded in both runs.")
    assert unchanged_text(summary) == "No question was graded in both runs: nothing can be compared."
    same = run_summary(store, "n2", compare_to="n2")
    assert "compared" not in headline(same)
