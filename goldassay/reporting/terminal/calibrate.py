"""The calibration on the terminal: one block a judge and criterion, then how far people agree among each other."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from goldassay.analytics.calibration_models import CalibrationReport, JudgeCalibration, PeopleAgreement
from goldassay.analytics.statistics_calibration import Estimate
from goldassay.reporting.safe import excerpt, one_line
from goldassay.reporting.terminal.parts import Kit, cell, heading, indented, plain_table
from goldassay.reporting.terminal.text import Text
from goldassay.reporting.words import count_text, interval_text, joined, outside_text, percent_text, plural, rate_text

__all__ = ["print_calibration"]


def print_calibration(report: CalibrationReport, console: Console) -> None:
    """Print a calibration; without labels it says how to begin."""
    kit = Kit.of(console)
    kit.print(Text(f"Judge against people: {one_line(report.app)}", style="ga.title"))
    if not report.judges:
        kit.blank()
        kit.print(Text("No answer has been labelled yet. Label some: goldassay review"))
        return
    for judge in report.judges:
        _print_judge(judge, kit)
    _print_people(report.people, kit)


def _print_judge(judge: JudgeCalibration, kit: Kit) -> None:
    heading(kit, judge.key.check, _who(judge))
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for label, value in _facts(judge):
        grid.add_row(Text(label, style="ga.dim"), value)
    kit.print(indented(grid, 2))
    if judge.labels:
        kit.print(indented(_square(judge), 2))
        kit.print(indented(_figures(judge), 2))
    kit.print(indented(_says(judge), 2))


def _who(judge: JudgeCalibration) -> str:
    key = judge.key
    return f"{key.judge}, rubric {key.rubric} {key.version}" if key.judge else f"rule, version {key.version}"


def _facts(judge: JudgeCalibration) -> list[tuple[str, Text]]:
    counts = judge.verdicts
    verdicts = Text(f"{count_text(counts.passed)} passed, {count_text(counts.failed)} failed")
    if counts.errors:
        text = f", {plural(counts.errors, 'error')} apart ({count_text(judge.errors_labelled)} labelled)"
        verdicts.append(text, style="ga.error")
    if counts.unsure:
        verdicts.append(f", {count_text(counts.unsure)} unsure", style="ga.unsure")
    labels = Text(f"{plural(judge.labels, 'answer')} by {excerpt(joined(judge.people), 60)}")
    if judge.not_blind:
        labels.append(f", {count_text(judge.not_blind)} left out: labelled after the verdict was seen", style="ga.dim")
    return [("verdicts", verdicts), ("labels", labels)]


def _square(judge: JudgeCalibration) -> Table:
    table = plain_table(("", "short"), ("judge: pass", "right"), ("judge: fail", "right"))
    said = judge.confusion
    wrong = "ga.bar.fail"
    table.add_row(
        Text("people: pass"), _number(said.both_pass), _number(said.people_only, wrong if said.people_only else "")
    )
    table.add_row(
        Text("people: fail"), _number(said.judge_only, wrong if said.judge_only else ""), _number(said.both_fail)
    )
    return table


def _number(value: float, style: str = "") -> Text:
    return Text(f"{value:g}" if value == int(value) else f"{value:.1f}", style=style)


def _figures(judge: JudgeCalibration) -> Table:
    errors = judge.errors
    table = plain_table(("", "short"), ("", "right"), ("interval", "short"), ("", "left"))
    rows = (
        ("agreement", errors.agreement, "weighted to all its verdicts"),
        ("kappa", errors.kappa, "agreement beyond chance"),
        ("sensitivity", errors.sensitivity, "of what people pass, it passes"),
        ("specificity", errors.specificity, "of what people fail, it fails"),
        ("raw pass rate", judge.raw, "as the judge says"),
        ("corrected", Estimate(judge.corrected.rate, judge.corrected.interval), "as people would say"),
    )
    for name, figure, meaning in rows:
        known = figure.value is not None
        interval = Text(interval_text(figure.interval) if known else "", style="")
        table.add_row(Text(name), Text(rate_text(figure.value), style="bold"), interval, Text(meaning, style="ga.dim"))
    return table


def _says(judge: JudgeCalibration) -> Text:
    if judge.needed:
        more = f"too few labels: {count_text(judge.needed)} more needed"
        return Text(f"{more}: goldassay review --check {one_line(judge.key.check)}", style="ga.warn")
    if judge.corrected.rate is None:
        return Text("the labels cannot tell this judge from a coin: there is no corrected rate", style="ga.warn")
    if judge.corrected.outside is not None:
        return Text(outside_text(judge.corrected.outside), style="ga.warn")
    return Text("calibrated: reports show the corrected rate beside the raw one", style="ga.pass")


def _print_people(pairs: tuple[PeopleAgreement, ...], kit: Kit) -> None:
    if not pairs:
        return
    heading(kit, "People among each other", "the ceiling: no judge can be asked for more")
    columns = [("check", "short"), ("people", "left"), ("agree", "right"), ("", "right"), ("interval", "short")]
    table = plain_table(*columns, ("kappa", "right"))
    for pair in pairs:
        table.add_row(
            cell(pair.check, limit=24),
            cell(f"{pair.first}, {pair.second}", limit=40),
            Text(f"{count_text(pair.agreed)}/{count_text(pair.answers)}"),
            Text(percent_text(pair.agreed / pair.answers), style="bold"),
            Text(interval_text(pair.interval)),
            Text(rate_text(pair.kappa)),
        )
    kit.print(indented(table, 2))
