"""Changed verdicts gathered by question."""

from __future__ import annotations

from dataclasses import replace

from goldassay.analytics.models import Counts
from goldassay.reporting.changes import by_question
from goldassay.reporting.headline import changed_counts, headline, unmoved
from goldassay.verdicts import Evidence


def test_two_checks_of_one_answer_make_one_entry(make_summary):
    """Both answers stand once, with the reasons and the marks of each check."""
    numbers = make_summary().broken[0]
    judged = replace(
        numbers.head, check="faithful", reason="It says 2.", citations=(), evidence=(Evidence("claim", "4", 48, 49),)
    )
    faithful = replace(
        numbers, check="faithful", head=judged, base=replace(numbers.base, check="faithful", reason="Fine.")
    )
    other = replace(numbers, question="Another?", head=replace(numbers.head, record_id="x"))

    first, second = by_question((numbers, faithful, other))

    assert first.checks == ("numbers", "faithful")
    assert first.base_says == ()
    assert first.head_says == (("numbers", numbers.head.reason), ("faithful", "It says 2."))
    assert len(first.head.evidence) == 2
    assert first.head.citations == numbers.head.citations
    assert second.question == "Another?"


def test_the_sentence_says_no_more_than_the_comparison(make_summary):
    """Worse, better, both, too little to tell, nothing, or nothing to compare with."""
    summary = make_summary()
    change = summary.checks[4].change

    def claimed(*claims: str):
        checks = tuple(
            replace(summary.checks[0], check=f"c{n}", change=replace(change, claim=c)) for n, c in enumerate(claims)
        )
        return headline(replace(summary, checks=checks)).partition("0.92 and 0.92. ")[2]

    assert claimed("regression", "improvement") == "Worse than last time: c0; better: c1."
    assert claimed("improvement") == "Better than last time: c0."
    assert claimed("regression", *["regression"] * 4) == "Worse than last time: c0, c1, c2 and 2 other checks."
    assert claimed("cannot_tell") == "19 verdicts broke and 4 were fixed since last time."
    assert claimed("no_change") == "Nothing got measurably worse since last time."
    assert headline(replace(summary, compared_to=None)).endswith("so the true rate lies between 0.92 and 0.92.")


def test_the_sentence_counts_an_answer_that_broke_in_four_checks_once(make_summary):
    """37 verdicts against 14 would be no chance, were they independent; 13 answers against 6 may be."""
    summary = make_summary()
    checks = (replace(summary.checks[0], change=replace(summary.checks[4].change, claim="cannot_tell", broken=37)),)
    whole = replace(summary.checks[4].change, common=62, broken=13, fixed=1, p_value=0.167, claim="cannot_tell")

    def told(change):
        return headline(replace(summary, checks=checks, answers_change=change)).partition("0.92 and 0.92. ")[2]

    counts = "13 answers broke and 1 was fixed since last time (62 common questions, p = 0.17)"
    assert told(whole) == f"{counts}: too few to say that it is more than chance."
    assert told(replace(whole, claim="regression")) == f"Worse than last time: {counts}."


def test_counts_come_from_the_comparison_not_from_the_list(make_summary):
    """The list holds the first ones only; without a comparison by check the list is all there is."""
    summary = make_summary()

    assert changed_counts(summary) == (38, 8)
    assert changed_counts(replace(summary, checks=())) == (2, 1)
    assert unmoved(summary) == ((), ("relevant",), ())


def test_as_many_fixed_as_broken_is_not_called_unchanged(make_summary):
    """Questions changed their outcome, too few to tell whether by chance; how many more would tell is unknown."""
    summary = make_summary()
    even = replace(summary.checks[4].change, claim="cannot_tell", broken=1, fixed=1, difference=0.0, needed=765)
    calm = replace(even, check="calm", broken=0, fixed=0)
    whole = replace(even, broken=1, fixed=0)
    checks = tuple(replace(summary.checks[4], check=change.check, change=change) for change in (even, calm))

    told = replace(summary, checks=checks, answers_change=whole)

    assert unmoved(told) == (("calm",), (even.check,), ())
    assert "1 answer broke and 0 were fixed" in headline(told)
    assert "1 answer broke and 0 were fixed" in headline(replace(told, checks=checks[1:]))


def test_answers_that_no_gate_check_decides_are_told_beside_the_rate(make_summary):
    """Four empty answers out of 24 are no log of four."""
    summary = make_summary()
    rate = replace(summary.answers, counts=Counts(0, 4, 0, skipped=19, unsure=1))

    assert "0 of 4 answers passed" in headline(replace(summary, answers=rate, answers_judged=None))
    assert "; of 20 more the gate checks cannot tell." in headline(replace(summary, answers=rate, answers_judged=None))
    assert "cannot tell" not in headline(summary)


def test_nothing_is_called_unchanged_where_the_judge_was_out(make_summary):
    """In this run or in the one before: what could be read says nothing of the rest."""
    summary = make_summary()
    quiet = replace(summary.checks[4].change, claim="no_change")
    unread = replace(summary.checks[4].rate, counts=Counts(60, 40, 100))
    now = replace(summary.checks[4], check="now", change=quiet, rate=unread)
    before = replace(summary.checks[4], check="before", change=quiet, before=unread)
    calm = replace(summary.checks[4], check="calm", change=replace(quiet, check="calm"), before=summary.checks[4].rate)

    told = replace(summary, checks=(now, before, calm))

    assert unmoved(told) == (("calm",), (), ("now", "before"))
    assert headline(told).endswith("Whether anything got worse cannot be told: too many answers could not be judged.")


def test_the_sentence_names_the_run_where_it_is_not_the_last(make_summary):
    """Against the baseline nothing got worse "since last time"."""
    summary = make_summary(compared_as="the baseline")
    quiet = replace(summary.checks[4].change, claim="no_change")
    calm = replace(summary, checks=(replace(summary.checks[4], change=quiet),))

    assert headline(summary).endswith("Worse than the baseline: faithful.")
    assert headline(calm).endswith("Nothing got measurably worse since the baseline.")
