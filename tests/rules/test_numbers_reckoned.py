"""Figures that an answer says it has reckoned, and times that it denies: a literal look cannot settle them."""

from __future__ import annotations

import pytest

from goldassay.verdicts import Category, Outcome
from tests.rules.asking import finding_of, outcome_of

BORN = "Ana Example (born September 29, 1953) is an actor."
LAST_YEAR = "He became famous by winning a world championship with Example Gaming last year."
CUPS = "Between 1989 and 2005 they won five League titles and six FA Cups. They sold 40 shirts."


@pytest.mark.parametrize(
    ("answer", "source", "reckoned_from"),
    [
        ("She was born in 1953 and is, as of 2021, 68 years old.", BORN, "2021 - 1953"),
        ("It lasted from 2010 to 2015, that is five years.", "It began in 2010 and ended in 2015.", "2015 - 2010"),
        (
            "It has more than doubled in five years.",
            "From 2010 to 2015 it rose by 163 %.",
            "2015 - 2010",
        ),
        ("In total they won 11 trophies.", CUPS, "five + six"),
        ("Example Gaming won the world championship in 2018.", LAST_YEAR, "'last year'"),
        ("Zusammen sind es 30 Tage.", "Zuerst sind es 12 Tage, danach 18 Tage.", "12 + 18"),
    ],
)
def test_a_figure_that_the_answer_says_it_reckoned_is_left_to_a_judge(answer, source, reckoned_from):
    """An age, a span, a total, a year for 'last year': unsure, and the reason shows the sum."""
    finding = finding_of(answer, source)

    assert finding.outcome is Outcome.UNSURE
    assert finding.category is Category.WRONG_NUMBER
    assert f"may be reckoned from {reckoned_from}" in finding.reason


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("She was born in 1953 and is, as of 2021, 69 years old.", BORN),
        ("They won 11 trophies.", CUPS),
        ("In total they won 46 trophies.", CUPS),
        ("In total they won 12 trophies.", CUPS),
        ("It takes five years.", "It takes 4 years, as it did in 2010."),
        ("Example Gaming won the world championship in 2018.", LAST_YEAR + " So it was in 2021."),
        ("Example Gaming won the world championship in 2018.", "Last year a stadium was opened."),
    ],
)
def test_a_figure_that_does_not_follow_or_was_not_said_to_is_wrong(answer, source):
    """A sum across sentences, of another total, an undeclared one, or a year long before the source was written."""
    assert outcome_of(answer, source) is Outcome.FAIL


def test_what_is_reckoned_may_be_let_pass_or_failed():
    """The setting decides, as for every other way in which a number may be meant."""
    said = ("In total they won 11 trophies.", CUPS)

    assert finding_of(*said, reckoned="pass").outcome is Outcome.PASS
    assert finding_of(*said, reckoned="fail").outcome is Outcome.FAIL


def test_where_every_sum_passes_a_stated_one_does_too():
    """`derived = "pass"` trusts sums that nobody declares; a declared one is trusted no less."""
    said = ("It took 5 years.", "It began in 2010 and ended in 2015.")

    assert finding_of(*said).outcome is Outcome.UNSURE
    assert finding_of(*said, derived="pass").outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("The dish could not have existed in 1490.", "The dish came to Madrid after 1542."),
        ("It wasn't built in the 15th century.", "It was built in the 16th century."),
        ("Es wurde nicht im März 1990 eröffnet.", "Es wurde im Mai 1991 eröffnet."),
    ],
)
def test_a_time_that_the_answer_denies_need_stand_nowhere(answer, source):
    """Whether the denial is right is for a judge."""
    finding = finding_of(answer, source)

    assert finding.outcome is Outcome.UNSURE
    assert "denies" in finding.reason


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("It did not arrive until the 15th century.", "It arrived in the 16th century."),
        ("It was not shown in 2019.", "It was not shown in 2020."),
        ("You cannot return it within 30 days.", "Returns are possible within 14 days."),
        ("It was not liked, but in 1490 it came.", "It came in 1542."),
    ],
)
def test_a_claim_with_a_denial_in_it_is_still_a_claim(answer, source):
    """'Not until 1490' claims 1490, an amount is no time, and a source that denies a time may contradict."""
    assert outcome_of(answer, source) is Outcome.FAIL
