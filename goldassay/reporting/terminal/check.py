"""The report of `goldassay check`: rules only, the same table, quick."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import join

from rich.console import Console

from goldassay.analytics.models_reports import RunSummary
from goldassay.reporting.headline import pass_sentence
from goldassay.reporting.terminal.answerability import print_answerability
from goldassay.reporting.terminal.checks import print_checks
from goldassay.reporting.terminal.parts import Kit, command_lines, heading, notice_lines
from goldassay.reporting.terminal.summary import print_reasons, print_rejected
from goldassay.reporting.terminal.text import Text

__all__ = ["print_check"]


def print_check(summary: RunSummary, console: Console, *, verbose: bool = False, files: Sequence[str] = ()) -> None:
    """Print the outcome of the rules over some files.

    Args:
        summary: All numbers; only its rule checks, reasons and set-aside lines are used.
        console: Where to print; see `goldassay.reporting.theme.make_console`.
        verbose: All reasons with three examples each, all set-aside lines.
        files: The files that were named on the command line, for the command that comes next.
    """
    kit = Kit.of(console)
    kit.print(Text(pass_sentence(summary), style="ga.title"))
    notice_lines(summary.notices, kit)
    print_checks(summary.checks, kit)
    print_reasons(summary.reasons, kit, verbose=verbose)
    print_reasons(summary.error_reasons, kit, verbose=verbose, errors=True)
    print_answerability((summary.answerability,) if summary.answerability else (), kit)
    print_rejected(summary, kit, verbose=verbose)
    record = next((each.record_id for group in summary.reasons for each in group.examples), None)
    if record is not None:
        heading(kit, "Next")
        meaning = "one answer taken apart: where each number and citation was found, or why not"
        command_lines(kit, [(meaning, join(["goldassay", "check", *files, "--explain", record]))])
