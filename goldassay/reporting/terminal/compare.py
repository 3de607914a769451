"""The comparison on the terminal: the sentence, the table, the gate, and then the questions themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table

from goldassay.analytics.models import Change
from goldassay.analytics.models_reports import CheckComparison, CompareReport, Side
from goldassay.reporting.changes import FEW, sample_notes
from goldassay.reporting.safe import excerpt, one_line
from goldassay.reporting.terminal.gate import print_gate
from goldassay.reporting.terminal.parts import (
    Kit,
    cell,
    command_lines,
    heading,
    indented,
    notice_lines,
    plain_table,
)
from goldassay.reporting.terminal.questions import print_questions
from goldassay.reporting.terminal.text import Text
from goldassay.reporting.words import (
    category_name,
    count_text,
    interval_text,
    joined,
    p_value_text,
    plural,
    points_text,
    rate_text,
    score_text,
)

__all__ = ["print_compare"]

_SENTENCES = 3
"""The others stand in the table as figures."""
_NARROW = 72
"""Columns below which counts and p-value give way to the check's name and the finding."""
_CLAIMS = {
    "regression": ("worse", "ga.fail"),
    "improvement": ("better", "ga.pass"),
    "no_change": ("no change", "ga.dim"),
    "cannot_tell": ("cannot tell", "ga.unsure"),
}


def print_compare(report: CompareReport, console: Console, *, verbose: bool = False) -> None:
    """Print what broke, what was fixed, and whether it is real.

    Args:
        report: All numbers, as `goldassay.analytics.compare` computed them.
        console: Where to print; see `goldassay.reporting.theme.make_console`.
        verbose: All broken, fixed and still failing questions.
    """
    kit = Kit.of(console)
    _print_title(report, kit)
    for place, sentence in enumerate(report.sentences if verbose else report.sentences[:_SENTENCES]):
        kit.print(Text(one_line(sentence), style="" if place else "ga.title"))
    notice_lines(report.notices, kit)
    _print_table(report, kit, verbose=verbose)
    _print_scores(report, kit)
    print_gate(report.gate, kit, answers=report.answers, verbose=verbose)
    print_questions(report, kit, verbose=verbose)
    if report.rejudge_command:
        heading(kit, "Next")
        command_lines(kit, [("grade both sides alike", report.rejudge_command)])


def _print_title(report: CompareReport, kit: Kit) -> None:
    title = Text(
        f"{excerpt(report.base.label, 40)} {kit.signs.arrow} {excerpt(report.head.label, 40)}", style="ga.title"
    )
    title.append(f"  by {category_name(report.by)}", style="ga.dim")
    kit.print(title)
    only = [f"{count_text(count)} only in {side.label}" for count, side in _lonely(report)]
    note = f"{plural(report.common_questions, 'question')} in both" + (f"; {joined(only)} left out" if only else "")
    kit.print(Text(one_line(note), style="ga.dim"))
    kit.blank()


def _lonely(report: CompareReport) -> list[tuple[int, Side]]:
    sides = ((report.only_base, report.base), (report.only_head, report.head))
    return [(count, side) for count, side in sides if count]


def _print_table(report: CompareReport, kit: Kit, *, verbose: bool) -> None:
    if not report.checks:
        return
    heading(kit, "Checks", "on the questions readable on both sides")
    shown = [check for check in report.checks if verbose or _moved(check.overall)]
    table, hidden = _table(kit), 0
    for check in shown:
        table.add_row(*_row(check.overall, check.overall.check, kit))
        strata = [stratum for stratum in check.strata if verbose or _moved(stratum)]
        told = [stratum for stratum in strata if verbose or stratum.common >= FEW]
        hidden += len(strata) - len(told)
        for stratum in told:
            table.add_row(*_row(stratum, f"  {stratum.stratum}", kit, quiet=True))
    if shown:
        kit.print(indented(table))
    for note in _notes(report, shown, hidden):
        kit.print(indented(Text(note, style="ga.dim")))


def _table(kit: Kit) -> Table:
    columns = [("check", "short"), ("n", "right"), (f"base {kit.signs.arrow} head", "short"), ("change", "right")]
    if kit.wide:
        columns.append(("interval", "short"))
    if kit.console.width >= _NARROW:
        columns += [
            ("broke", "right"),
            ("fixed", "right"),
            *([("p", "right")] if kit.wide else []),
            ("p adj.", "right"),
        ]
    return plain_table(*columns, ("", "short"))


def _notes(report: CompareReport, shown: Sequence[CheckComparison], hidden: int) -> Iterator[str]:
    """What the table leaves out, and how its p-values are to be read."""
    if hidden:
        yield f"{plural(hidden, 'stratum', 'strata')} of fewer than {FEW} questions left out; --verbose shows them"
    if any(change.p_value != change.p_adjusted for check in shown for change in (check.overall, *check.strata)):
        yield "p adj. allows for the many tests in this table, and decides; an interval is of its own row alone"
    yield from sample_notes([check.overall for check in shown])
    errors = [check.overall for check in report.checks if check.overall.base_errors or check.overall.head_errors]
    if errors:
        told = (
            f"{each.check} {count_text(each.base_errors)} base, {count_text(each.head_errors)} head" for each in errors
        )
        yield f"judge errors, which pair with nothing and may hide a change: {'; '.join(told)}"
    same = [check.overall.check for check in report.checks if check not in shown]
    if same:
        yield f"the same outcome on every question: {joined(same)}"


def _print_scores(report: CompareReport, kit: Kit) -> None:
    """Mean scores of the checks that have a scale."""
    scored = [check.overall for check in report.checks if check.overall.mean_difference is not None]
    if not any(change.mean_difference for change in scored):
        return
    heading(kit, "Mean scores", "head minus base on the same questions, 95 % interval by bootstrap")
    table = plain_table(("check", "short"), ("change", "right"), ("interval", "short"))
    for change in scored:
        table.add_row(cell(change.check), Text(score_text(change.mean_difference)), _score_interval(change))
    kit.print(indented(table))


def _score_interval(change: Change) -> Text:
    return Text("" if change.mean_interval is None else interval_text(change.mean_interval))


def _moved(change: Change) -> bool:
    return change.broken > 0 or change.fixed > 0


def _row(change: Change, name: str, kit: Kit, *, quiet: bool = False) -> list[Text]:
    style = "ga.dim" if quiet else ""
    word, claim_style = _CLAIMS[change.claim]
    label = Text("  " if quiet else "", style=style)
    label.append(excerpt(name, 24 if kit.wide else 16))
    moved = change.claim in {"regression", "improvement"}
    rates = f"{rate_text(change.base_rate)} {kit.signs.arrow} {rate_text(change.head_rate)}"
    cells = [label, Text(count_text(change.common), style=style), Text(rates, style=style)]
    cells.append(Text(points_text(change.difference), style=claim_style if moved else style))
    if kit.wide:
        cells.append(Text(interval_text(change.interval) if change.difference is not None else "", style=style))
    if kit.console.width >= _NARROW:
        cells += [Text(count_text(change.broken), style=style), Text(count_text(change.fixed), style=style)]
        cells += [_p_cell(change.p_value)] if kit.wide else []
        cells.append(_p_cell(change.p_adjusted))
    return [*cells, Text(word, style=claim_style)]


def _p_cell(p_value: float | None) -> Text:
    return Text(p_value_text(p_value).removeprefix("p ").removeprefix("= "), style="ga.dim")
