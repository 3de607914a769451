"""The questions of a comparison on the terminal: what broke, what was fixed, what still fails.

Counts are of whole answers, with the verdicts behind them: one answer that breaks in four checks broke once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from rich.table import Table

from goldassay.analytics.models import Example, QuestionChange
from goldassay.analytics.models_reports import CompareReport
from goldassay.reporting.changes import ChangedQuestion, besides_text, by_question
from goldassay.reporting.safe import excerpt
from goldassay.reporting.terminal.parts import (
    Kit,
    answer_text,
    cell,
    heading,
    indented,
    outcome_sign,
    plain_table,
)
from goldassay.reporting.terminal.text import Text
from goldassay.reporting.words import joined, plural

__all__ = ["print_questions"]

_CHANGES = 5
_STILL = 3
ChangeKind = Literal["broken", "fixed", "still_failing"]


def print_questions(report: CompareReport, kit: Kit, *, verbose: bool = False) -> None:
    """Print broken and fixed answers side by side, and those that still fail in a line each.

    Args:
        report: The comparison.
        kit: Where to print.
        verbose: All of them side by side.
    """
    limit = None if verbose else _CHANGES
    _print_pairs(report.broken, "broken", report, kit, limit=limit)
    _print_pairs(report.fixed, "fixed", report, kit, limit=limit)
    if verbose:
        _print_pairs(report.still_failing, "still_failing", report, kit, limit=None)
    else:
        _print_still_failing(report, kit)


def _print_pairs(
    changes: Sequence[QuestionChange], kind: ChangeKind, report: CompareReport, kit: Kit, *, limit: int | None
) -> None:
    if not changes:
        return
    heading(kit, *_heading(kind, report))
    questions = by_question(changes)
    whole = [question for question in questions if question.is_answer]
    shown = questions if limit is None else (whole or questions)[:limit]
    for place, question in enumerate(shown):
        if place:
            kit.blank()
        kit.print(indented(_pair(question, report, kit)))
    if limit is None:
        return
    _print_more(_answer_count(kind, report) - len(shown), kit)
    besides = [question for question in questions if not question.is_answer and question not in shown]
    if besides:
        kit.print(indented(Text(besides_text(besides, "broke" if kind == "broken" else "fixed"), style="ga.dim")))


def _heading(kind: ChangeKind, report: CompareReport) -> tuple[str, str]:
    """'Broke' with the number of answers, and of the verdicts behind them."""
    title = {"broken": "Broke", "fixed": "Fixed", "still_failing": "Still failing"}[kind]
    verdicts = sum(getattr(check.overall, kind) for check in report.checks)
    return title, f"{plural(_answer_count(kind, report), 'answer')}; {plural(verdicts, 'verdict')}"


def _answer_count(kind: ChangeKind, report: CompareReport) -> int:
    return 0 if report.answers is None else int(getattr(report.answers, kind))


def _print_more(more: int, kit: Kit) -> None:
    if more > 0:
        kit.print(indented(Text(f"and {plural(more, 'more answer')} with --verbose", style="ga.dim")))


def _print_still_failing(report: CompareReport, kit: Kit) -> None:
    """A line each: nothing changed, so there is nothing to hold side by side."""
    questions = by_question(report.still_failing)
    whole = [question for question in questions if question.is_answer] or questions
    if not whole:
        return
    heading(kit, *_heading("still_failing", report))
    table = plain_table(("checks", "left"), ("question", "left"), ("reason", "left"))
    table.show_header = False
    for question in whole[:_STILL]:
        reason = question.head_says[0][1] if question.head_says else ""
        names = cell(", ".join(question.checks), "bold", limit=40)
        table.add_row(names, cell(question.question, limit=90), cell(reason, "ga.dim", limit=110))
    kit.print(indented(table))
    more = max(_answer_count("still_failing", report), len(whole)) - min(_STILL, len(whole))
    _print_more(more, kit)


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
