"""The comparison on the terminal: the sentence, the table, the gate, and both answers side by side."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from goldassay.analytics.models import Change, Example, GateResult, GateState, QuestionChange
from goldassay.analytics.models_reports import CompareReport, Side
from goldassay.reporting.changes import ChangedQuestion, by_question
from goldassay.reporting.safe import excerpt, one_line
from goldassay.reporting.terminal.parts import (
    Kit,
    answer_text,
    cell,
    command_lines,
    heading,
    indented,
    notice_lines,
    outcome_sign,
    plain_table,
)
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
)

__all__ = ["print_compare", "print_gate"]

_CHANGES = 5
_SENTENCES = 3
"""The others stand in the table as figures."""
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
    print_gate(report.gate, kit, verbose=verbose)
    limit = None if verbose else _CHANGES
    overall = [check.overall for check in report.checks]
    totals = [sum(change.broken for change in overall), sum(change.fixed for change in overall)]
    _print_pairs(report.broken, totals[0], "Broke", report, kit, limit=limit)
    _print_pairs(report.fixed, totals[1], "Fixed", report, kit, limit=limit)
    still = sum(change.still_failing for change in overall)
    _print_pairs(report.still_failing, still, "Still failing", report, kit, limit=None if verbose else 0)
    if report.rejudge_command:
        heading(kit, "Next")
        command_lines(kit, [("judge both sides with today's judge", report.rejudge_command)])


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
    columns = [("check", "left"), ("n", "right"), (f"base {kit.signs.arrow} head", "short"), ("change", "right")]
    if kit.wide:
        columns.append(("interval", "short"))
    table = plain_table(*columns, ("broke", "right"), ("fixed", "right"), ("p", "right"), ("", "short"))
    shown = [check for check in report.checks if verbose or _moved(check.overall)]
    for check in shown:
        table.add_row(*_row(check.overall, check.overall.check, kit))
        for stratum in check.strata:
            if verbose or _moved(stratum):
                table.add_row(*_row(stratum, f"  {stratum.stratum}", kit, quiet=True))
    if shown:
        kit.print(indented(table))
    same = [check.overall.check for check in report.checks if check not in shown]
    if same:
        kit.print(indented(Text(f"the same outcome on every question: {joined(same)}", style="ga.dim")))


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
    cells += [Text(count_text(change.broken), style=style), Text(count_text(change.fixed), style=style)]
    return [
        *cells,
        Text(p_value_text(change.p_adjusted).removeprefix("p ").removeprefix("= "), style="ga.dim"),
        Text(word, style=claim_style),
    ]


def print_gate(gate: GateResult | None, kit: Kit, *, verbose: bool = False) -> None:
    """Whether the gate opens, and why; conditions that hold are counted, or listed with `verbose`."""
    if gate is None:
        return
    heading(kit, "Gate")
    words = {
        GateState.PASS: (kit.signs.passed, "passed", "ga.pass"),
        GateState.FAIL: (kit.signs.failed, "failed", "ga.fail"),
        GateState.NOT_EVALUABLE: (
            kit.signs.unsure,
            "not evaluable: a gate that cannot know does not open",
            "ga.unsure",
        ),
    }
    sign, word, style = words[gate.state]
    line = Text(f"{sign} {word}", style=style)
    held = sum(state is GateState.PASS for _, state, _ in gate.conditions)
    if gate.conditions:
        line.append(f"  {held} of {plural(len(gate.conditions), 'condition')} hold", style="ga.dim")
    kit.print(indented(line))
    shown = [row for row in gate.conditions if verbose or row[1] is not GateState.PASS]
    table = plain_table(("", "short"), ("condition", "left"), ("found", "left"))
    table.show_header = False
    for condition, state, found in shown:
        table.add_row(Text(words[state][0], style=words[state][2]), cell(condition), cell(found, "ga.dim"))
    if shown:
        kit.print(indented(table))
    if not gate.conditions:
        kit.print(*(indented(Text(one_line(reason))) for reason in gate.reasons))


def _print_pairs(
    changes: Sequence[QuestionChange], total: int, title: str, report: CompareReport, kit: Kit, *, limit: int | None
) -> None:
    if not changes:
        return
    heading(kit, title, plural(total, "verdict"))
    questions = by_question(changes)
    shown = questions[:limit]
    for place, question in enumerate(shown):
        if place:
            kit.blank()
        kit.print(indented(_pair(question, report, kit)))
    if len(shown) < len(questions):
        more = total - sum(len(question.checks) for question in shown)
        kit.print(indented(Text(f"{'and ' if shown else ''}{count_text(more)} more with --verbose", style="ga.dim")))


def _pair(changed: ChangedQuestion, report: CompareReport, kit: Kit) -> Table:
    """Both answers beside each other: two columns where there is room, else one under the other."""
    title = Text(excerpt(changed.question, 200), style="bold")
    title.append(f"  {excerpt(joined(changed.checks), 60)}", style="ga.dim")
    sides = [
        _side(report.base.label, changed.base, changed.base_says, kit),
        _side(report.head.label, changed.head, changed.head_says, kit),
    ]
    grid = Table.grid(padding=(0, 3, 0, 0), expand=kit.wide)
    grid.add_column(ratio=1, overflow="fold")
    if not kit.wide:
        grid.add_row(title)
        for side in sides:
            grid.add_row(side)
        return grid
    outer = Table.grid()
    grid.add_column(ratio=1, overflow="fold")
    grid.add_row(*sides)
    outer.add_row(title)
    outer.add_row(grid)
    return outer


def _side(label: str, side: Example, says: Sequence[tuple[str, str]], kit: Kit) -> Table:
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=2, no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(outcome_sign(side.outcome, kit.signs), Text(excerpt(label, 40), style="ga.dim"))
    grid.add_row("", answer_text(side))
    style = "ga.error" if side.outcome == "error" else "ga.bar.fail"
    for check, reason in says:
        name = f"{check}: " if len(says) > 1 else ""
        grid.add_row("", Text(f"{name}{excerpt(reason, 240)}", style=style))
    return grid
