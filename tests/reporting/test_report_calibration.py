"""The calibration on the terminal: every state a judge can be in."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from goldassay.analytics.calibration_models import (
    CalibrationReport,
    Confusion,
    JudgeCalibration,
    JudgeKey,
    PeopleAgreement,
)
from goldassay.analytics.statistics_agreement import CorrectedRate
from goldassay.analytics.statistics_calibration import Estimate, JudgedClass, judge_errors
from goldassay.analytics.statistics_rates import Counts, Interval
from goldassay.reporting.calibration_markdown import calibration_markdown
from goldassay.reporting.terminal.calibrate import print_calibration
from goldassay.reporting.theme import TERMINAL_THEME


def judge(**changes: Any) -> JudgeCalibration:
    """A calibrated judge of 30 labels."""
    known: dict[str, Any] = {
        "key": JudgeKey("faithful", "judge-large", "rag", "1"),
        "verdicts": Counts(passed=90, failed=10),
        "labels": 30,
        "people": ("ann", "bob"),
        "confusion": Confusion(14, 1, 3.5, 11.5),
        "errors": judge_errors(JudgedClass(90, 90, 14 / 15, 15), JudgedClass(10, 10, 3.5 / 15, 15)),
        "raw": Estimate(0.9, Interval(0.82, 0.94), 100),
        "corrected": CorrectedRate(0.86, Interval(0.7, 0.95)),
        "needed": 0,
    }
    return JudgeCalibration(**(known | changes))


def printed(*judges: JudgeCalibration, people: tuple[PeopleAgreement, ...] = ()) -> str:
    """What the terminal shows, at 80 columns."""
    console = Console(file=io.StringIO(), width=80, theme=TERMINAL_THEME)
    print_calibration(CalibrationReport(app="atlas\x1b[31m", judges=judges, people=people), console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_every_figure_has_its_line_and_its_meaning():
    """Counts by halves where two people differ; no line runs over 80 columns."""
    text = printed(judge())

    assert "FAITHFUL  judge-large, rubric rag 1" in text
    assert "people: pass           14          3.5" in text
    assert "corrected      0.86  [0.70, 0.95]  as people would say" in text
    assert "calibrated: reports show the corrected rate" in text
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 80


def test_what_stands_apart_is_told():
    """Errors, doubts, and labels that do not count."""
    text = printed(judge(verdicts=Counts(90, 10, 4, 0, 2), errors_labelled=1, not_blind=3))

    assert "4 errors apart (1 labelled)" in text
    assert "2 unsure" in text
    assert "3 left out: labelled after the verdict was seen" in " ".join(text.split())


def test_too_few_labels_and_a_coin_are_named():
    """The two ways not to be trusted."""
    coin = judge(corrected=CorrectedRate(None, Interval(0, 1)))

    assert "too few labels: 8 more needed: goldassay review --check faithful" in printed(judge(needed=8))
    assert "cannot tell this judge from a coin" in printed(coin)


@pytest.mark.parametrize(
    "render", [printed, lambda one: calibration_markdown(CalibrationReport(app="a", judges=(one,), people=()))]
)
def test_a_correction_that_had_to_be_cut_is_told(render):
    """1.00 alone would look like certainty."""
    text = " ".join(render(judge(corrected=CorrectedRate(1.0, Interval(0.93, 1.0), 1.0625))).split())

    assert "the correction gave 1.06, which is no rate, and was set to 1.00" in text
    assert "calibrated: reports" not in text


def test_a_judge_without_a_usable_label_shows_no_figures():
    """Every label came after the look."""
    text = printed(judge(labels=0, not_blind=5, needed=20))

    assert "kappa" not in text
    assert "20 more needed" in text


def test_a_rule_and_people_beside_it():
    """A rule has a version and no model."""
    pair = PeopleAgreement(
        check="numbers", first="ann", second="bob", answers=8, agreed=6, interval=Interval(0.41, 0.93), kappa=None
    )
    rule = judge(key=JudgeKey("numbers", "", "", "3"))

    text = printed(rule, people=(pair,))

    assert "NUMBERS  rule, version 3" in text
    assert "ann, bob" in text
    assert "6/8" in text
    assert "rule, version 3" in calibration_markdown(CalibrationReport(app="a", judges=(rule,), people=(pair,)))


def test_nothing_labelled_says_how_to_begin():
    """And prints no empty table."""
    assert "Label some: goldassay review" in printed()
