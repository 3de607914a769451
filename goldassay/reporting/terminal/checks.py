"""The table of checks: pass rate, counts, interval, errors, bar and change, gate checks first."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from goldassay.analytics.models import CheckSummary
from goldassay.reporting.headline import applied, never_failed, repeats_sentence
from goldassay.reporting.terminal.parts import Kit, bar, cell, heading, indented, plain_table, rate_cells
from goldassay.reporting.terminal.text import Text
from goldassay.reporting.words import count_text, interval_text, joined, outside_text, plural, points_text, rate_text

__all__ = ["print_checks"]


def print_checks(checks: Sequence[CheckSummary], kit: Kit, *, compared: bool = False) -> None:
    """One line a check; checks that only warn stand apart, below."""
    if not checks:
        return
    heading(kit, "Checks")
    table = _table(compared=compared, errors=any(check.rate.counts.errors for check in checks))
    shown = [check for check in checks if applied(check)]
    gates = [check for check in shown if check.severity == "gate"]
    for check in gates:
        table.add_row(*_row(check, kit, table))
    warns = [check for check in shown if check.severity != "gate" and not never_failed(check)]
    if warns and gates:
        table.add_row(Text("only warn", style="ga.label"))
    for check in warns:
        table.add_row(*_row(check, kit, table))
    if table.row_count:
        kit.print(indented(table, 2))
    if compared:
        kit.print(indented(Text(_change_words(checks), style="ga.dim"), 2))
    quiet = [check.check for check in shown if check.severity != "gate" and never_failed(check)]
    if quiet:
        kit.print(indented(Text(f"only warn, and never failed: {joined(quiet)}", style="ga.dim"), 2))
    _print_notes(checks, kit)


def _table(*, compared: bool, errors: bool) -> Table:
    columns = [("check", "left"), ("passed", "right"), ("rate", "right"), ("interval", "short"), ("", "short")]
    if errors:
        columns.append(("errors", "right"))
    if compared:
        columns.append(("change", "right"))
    return plain_table(*columns)


def _row(check: CheckSummary, kit: Kit, table: Table) -> list[Text]:
    name = cell(check.check, "" if check.severity == "gate" else "ga.dim", limit=24 if kit.wide else 16)
    cells = [name, *rate_cells(check.rate), bar(check.rate.counts, kit.signs, 20 if kit.wide else 10)]
    headers = [str(column.header) for column in table.columns]
    if "errors" in headers:
        errors = check.rate.counts.errors
        cells.append(Text(count_text(errors) if errors else "", style="ga.error"))
    if "change" in headers:
        cells.append(_change(check, kit))
    return cells


def _change(check: CheckSummary, kit: Kit) -> Text:
    change = check.change
    if change is None or change.difference is None:
        return Text("")
    if change.claim == "regression":
        return Text(f"{kit.signs.down} {points_text(change.difference)}", style="ga.fail")
    if change.claim == "improvement":
        return Text(f"{kit.signs.up} {points_text(change.difference)}", style="ga.pass")
    return Text(points_text(change.difference), style="ga.dim")


def _change_words(checks: Sequence[CheckSummary]) -> str:
    weighted = [check.check for check in checks if check.change is not None and check.change.is_weighted]
    words = "change: on the questions common to both runs"
    return f"{words}; of {joined(weighted)} weighted to the log's" if weighted else words


def _print_notes(checks: Sequence[CheckSummary], kit: Kit) -> None:
    idle = [check.check for check in checks if not applied(check)]
    if idle:
        kit.print(indented(Text(f"applied to no answer: {joined(idle)}", style="ga.dim"), 2))
    if repeats := repeats_sentence(checks):
        kit.print(indented(Text(repeats, style="ga.dim"), 2))
    for check in checks:
        for note in _notes(check):
            line = Text(f"{check.check}: ", style="ga.dim")
            line.append(note, style="ga.dim")
            kit.print(indented(line, 2))


def _notes(check: CheckSummary) -> list[str]:
    rate, notes = check.rate, []
    if rate.counts.errors:
        low, high = map(rate_text, rate.shown_bounds)
        notes.append(
            f"{rate_text(rate.shown_readable)} of the {count_text(rate.counts.readable)} readable verdicts; "
            f"between {low} and {high} whatever the errors were"
        )
    if rate.weights_matter:
        notes.append(f"weighted to the whole log; {rate_text(rate.headline)} among the {rate.counts.graded} graded")
    if check.corrected is not None:
        notes.append(
            f"{rate_text(check.corrected)} {interval_text(check.corrected_interval)} corrected for the judge's known "
            f"mistakes, from {plural(check.labels, 'label')}"
        )
    if check.corrected_outside is not None:
        notes.append(outside_text(check.corrected_outside))
    if rate.counts.unsure:
        notes.append(f"{plural(rate.counts.unsure, 'answer')} it cannot decide, left to the judge")
    return notes
