"""The calibration as Markdown, for a Prefect artifact: one table of judges, one of people, and what to do next."""

from __future__ import annotations

from goldassay.analytics.calibration_models import CalibrationReport, JudgeCalibration
from goldassay.analytics.statistics_calibration import Estimate
from goldassay.reporting.markdown_parts import inline, table
from goldassay.reporting.words import count_text, interval_text, outside_text, percent_text, rate_text

__all__ = ["calibration_markdown"]


def calibration_markdown(report: CalibrationReport) -> str:
    """Judges against people, and people among each other."""
    blocks = [f"## {inline(report.app)}: judge against people"]
    if not report.judges:
        return f"{blocks[0]}\n\nNo answer has been labelled yet. Label some with `goldassay review`."
    blocks.append(table(_JUDGE_COLUMNS, map(_judge_cells, report.judges)))
    blocks.append("\n".join(f"- {line}" for line in map(_says, report.judges)))
    if report.people:
        blocks.append("### People among each other\n\nNo judge can be asked to agree more than they do.")
        rows = (
            [
                inline(pair.check),
                inline(f"{pair.first}, {pair.second}"),
                f"{count_text(pair.agreed)}/{count_text(pair.answers)}",
                f"{percent_text(pair.agreed / pair.answers)} {interval_text(pair.interval)}",
                rate_text(pair.kappa),
            ]
            for pair in report.people
        )
        blocks.append(table(("check", "people", "agree", "share", "kappa"), rows))
    return "\n\n".join(blocks) + "\n"


_JUDGE_COLUMNS = (
    "check", "judge", "labels", "agreement", "kappa", "sensitivity", "specificity", "raw rate", "corrected", "errors",
)  # fmt: skip


def _judge_cells(judge: JudgeCalibration) -> list[str]:
    errors, counts = judge.errors, judge.verdicts
    return [
        inline(judge.key.check),
        _who(judge),
        count_text(judge.labels),
        *map(_figure, (errors.agreement, errors.kappa, errors.sensitivity, errors.specificity, judge.raw)),
        _figure(Estimate(judge.corrected.rate, judge.corrected.interval)),
        f"{count_text(counts.errors)} of {count_text(counts.graded)}",
    ]


def _who(judge: JudgeCalibration) -> str:
    key = judge.key
    return inline(f"{key.judge}, {key.rubric} {key.version}" if key.judge else f"rule, version {key.version}")


def _figure(figure: Estimate) -> str:
    if figure.value is None:
        return rate_text(None)
    return f"{rate_text(figure.value)} {interval_text(figure.interval)}"


def _says(judge: JudgeCalibration) -> str:
    name = f"**{inline(judge.key.check)}** by {_who(judge)}: "
    if judge.needed:
        return f"{name}too few labels, {count_text(judge.needed)} more needed (`goldassay review`)."
    if judge.corrected.rate is None:
        return f"{name}the labels cannot tell this judge from a coin; there is no corrected rate."
    if judge.corrected.outside is not None:
        return f"{name}{outside_text(judge.corrected.outside)}."
    return f"{name}calibrated."
