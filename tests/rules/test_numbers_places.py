"""`numbers`: in which source a number must stand, and when the question is enough."""

from __future__ import annotations

import pytest

from goldassay.verdicts import Category, Outcome
from tests.rules.asking import finding_of

# --- attribution -------------------------------------------------------------------------------

_FEES = ("The fee is 10 euros.", "The deposit is 20 euros.")


@pytest.mark.parametrize(
    "answer",
    [
        "The fee is 10 euros [2]. The deposit is 20 euros [1].",
        "The fee is 10 euros. [2] The deposit is 20 euros. [1]",
        "- The fee is 10 euros [2]\n- The deposit is 20 euros [1]",
    ],
)
def test_a_number_must_stand_in_the_source_its_own_sentence_cites(answer: str) -> None:
    """That another sentence cites the source that holds it makes it no better: misattributed."""
    finding = finding_of(answer, *_FEES)

    assert (finding.outcome, finding.category) == (Outcome.FAIL, Category.MISATTRIBUTED), finding
    assert "which its sentence does not cite" in finding.reason
    assert len(finding.evidence) == 2


@pytest.mark.parametrize(
    "answer",
    [
        "The fee is 10 euros [1]. The deposit is 20 euros [2].",
        "The fee is 10 euros. The deposit is 20 euros [1][2].",
        "The fee is 10 euros. The deposit is 20 euros. [1] [2]",
        "The fee is 10 euros, the deposit 20 euros [1, 2].",
        "The deposit is 20 euros. The fee is 10 euros [1].\n\nBoth are paid in cash [2].",
    ],
)
def test_marks_may_stand_once_at_the_end_of_a_paragraph(answer: str) -> None:
    """A sentence without a mark may take its numbers from whatever the answer cites."""
    finding = finding_of(answer, *_FEES)

    assert finding.outcome is Outcome.PASS, finding


@pytest.mark.parametrize(
    "answer",
    [
        "The fee is 20 euros [1]. Both are paid in cash [1][2].",
        "The deposit is 20 euros [2]. Those 20 euros are paid in cash [1].",
        "They name two sums [2]. The deposit is 20 euros [2].",
    ],
)
def test_a_number_that_the_answer_attributes_rightly_elsewhere_does_not_fail(answer: str) -> None:
    """Marks at the paragraph's end, a repeated number and a small count leave open which source is meant."""
    sources = ("The fee is two euros.", "The deposit is 20 euros.")

    assert finding_of(answer, *sources).outcome is Outcome.UNSURE


@pytest.mark.parametrize("decision", ["pass", "unsure", "fail"])
def test_the_setting_for_uncited_sources_decides_on_other_sentences_sources_too(decision: str) -> None:
    """`uncited_source` holds for sources that only other sentences cite."""
    answer = "The fee is 10 euros [2]. The deposit is 20 euros [1]."

    assert finding_of(answer, *_FEES, uncited_source=decision).outcome == decision


# --- echoes of the question --------------------------------------------------------------------


def test_the_year_by_which_the_question_names_its_subject_passes() -> None:
    """'the 2014 final' is the user's name for the match; the sources name no year that could contradict."""
    finding = finding_of(
        "Germany won the 2014 final.", "Germany won the final against Argentina.", question="Who won the 2014 final?"
    )

    assert finding.outcome is Outcome.PASS, finding


@pytest.mark.parametrize(
    ("question", "source"),
    [
        ("Did Germany win the 2014 final?", "Germany won the final against Argentina."),
        ("Who won the 2014 final?", "In 2018 France won the final."),
        ("Who won in 2014?", "Germany won the final against Argentina."),
    ],
)
def test_a_year_of_the_question_is_unsure_where_it_may_be_the_point(question: str, source: str) -> None:
    """A yes-or-no question asks about the year itself; a source that names years may name another one."""
    assert finding_of("Germany won the 2014 final.", source, question=question).outcome is Outcome.UNSURE
