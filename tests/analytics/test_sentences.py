"""Findings in plain words."""

from __future__ import annotations

import pytest

from goldassay.analytics.paired_changes import PairCounts, change_of
from goldassay.analytics.sentences import change_sentence, counted, p_text, p_words
from goldassay.analytics.statistics import PairTable


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (
            PairCounts("faithful", None, PairTable(174, 19, 4, 15)),
            "faithful fell from 0.91 to 0.84 on 212 common questions; 19 broke, 4 were fixed; p = 0.003",
        ),
        (
            PairCounts("cites", "billing", PairTable(100, 0, 9, 1)),
            "cites in billing rose from 0.91 to 0.99 on 110 common questions; 0 broke, 9 were fixed; p = 0.004",
        ),
        (
            PairCounts("cites", None, PairTable(1990, 2, 2, 6)),
            (
                "cites stayed at 1.00 on 2,000 common questions; 2 broke, 2 were fixed; p = 1.00; "
                "no change of 5 points or more"
            ),
        ),
        (
            PairCounts("cites", None, PairTable(9990, 4, 1, 5)),
            (
                "cites fell from 0.9994 to 0.9991 on 10,000 common questions; 4 broke, 1 was fixed; p = 0.38; "
                "no change of 5 points or more"
            ),
        ),
        (
            PairCounts("cites", None, PairTable(1, 0, 0, 0)),
            (
                "cites stayed at 1.00 on 1 common question; none changed; "
                "too few to exclude a change of 5 points: needs about 512 more questions"
            ),
        ),
        (
            PairCounts("cites", None, PairTable(0, 0, 0, 0)),
            "cites: no question could be judged on both sides; cannot tell: needs about 769 more questions",
        ),
    ],
)
def test_a_change_is_told_as_people_would(table, sentence) -> None:
    """Fallen, risen, stayed, unknown; small changes get more figures."""
    assert change_sentence(change_of(table)) == sentence


def test_an_adjusted_p_value_stands_beside_the_plain_one() -> None:
    """The interval excludes 0 and the claim does not: both figures are needed to see why."""
    change = change_of(PairCounts("numbers", None, PairTable(50, 9, 2, 0)), p_adjusted=0.26)

    assert "; p = 0.065, adjusted 0.26; cannot tell" in change_sentence(change)
    assert p_words(change_of(PairCounts("numbers", None, PairTable(50, 9, 2, 0)))) == "p = 0.065"
    assert p_words(change_of(PairCounts("numbers", None, PairTable(0, 0, 0, 0)))) == "p is unknown"


def test_p_values_and_counts_read_naturally() -> None:
    """No '0.000', no '1 questions'."""
    assert [p_text(p) for p in (None, 0.0001, 0.0312, 0.24)] == ["is unknown", "< 0.001", "= 0.031", "= 0.24"]
    assert [counted(n, "question") for n in (1, 2, 1200)] == ["1 question", "2 questions", "1,200 questions"]
