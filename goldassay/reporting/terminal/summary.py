"""The report of one run on the terminal: the morning's first look.

Reads a `RunSummary`; computes nothing. Answers come before verdicts: the one sentence, what
must be known before trusting the numbers, which answers broke, the checks, why answers
failed, what was set aside, the judge and its cost, and what to type next.
"""

from __future__ import annotations

from shlex import quote

from rich.console import Console
from rich.table import Table

from goldassay.analytics.models import Change, QuestionChange, ReasonGroup
from goldassay.analytics.models_reports import RunSummary
from goldassay.reporting.changes import besides_text, by_question
from goldassay.reporting.headline import (
    change_mood,
    change_sentence,
    changed_answers,
    pass_sentence,
    unchanged_text,
    unjudged_sentence,
    unmoved,
)
from goldassay.reporting.safe import excerpt, one_line
from goldassay.reporting.terminal.answerability import print_answerability
from goldassay.reporting.terminal.checks import print_checks
from goldassay.reporting.terminal.gate import print_gate
from goldassay.reporting.terminal.judge import print_judges
from goldassay.reporting.terminal.parts import (
    Kit,
    cell,
    command_lines,
    example_block,
    heading,
    indented,
    notice_lines,
    plain_table,
)
from goldassay.reporting.terminal.text import Text
from goldassay.reporting.words import (
    category_name,
    count_text,
    joined,
    path_text,
    percent_text,
    plural,
    points_text,
    time_text,
    window_text,
)

__all__ = ["print_reasons", "print_rejected", "print_summary", "print_title"]

_GROUPS = 6
_EXAMPLES = 1
_CHANGES = 5
_LINES = 5


def print_summary(summary: RunSummary, console: Console, *, verbose: bool = False) -> None:
    """Print the whole report of one run.

    Args:
        summary: All numbers, as `goldassay.analytics.summary` computed them.
        console: Where to print; see `goldassay.reporting.theme.make_console`.
        verbose: All reason groups, three examples each, all changes and set-aside lines.
    """
    kit = Kit.of(console)
    print_title(summary, kit)
    notice_lines(summary.notices, kit)
    print_gate(summary.gate, kit, answers=summary.answers_change, verbose=verbose, is_told=True)
    _print_changes(summary, kit, verbose=verbose)
    print_checks(summary.checks, kit, compared=summary.compared_to is not None)
    print_reasons(summary.reasons, kit, verbose=verbose)
    print_reasons(summary.error_reasons, kit, verbose=verbose, errors=True)
    print_answerability((summary.answerability,) if summary.answerability else (), kit)
    print_rejected(summary, kit, verbose=verbose)
    print_judges(summary, kit)
    _print_next(summary, kit)


def print_title(summary: RunSummary, kit: Kit) -> None:
    """Which run this is, and the one sentence."""
    line = Text(excerpt(summary.app, 40), style="ga.title")
    if any(summary.app_versions):
        line.append(f" {excerpt(joined(summary.app_versions), 60)}", style="ga.title")
    line.append(f"  {summary.run_kind} run {one_line(summary.run_id)}", style="ga.dim")
    kit.print(line)
    kit.print(Text(_scope(summary), style="ga.dim"))
    kit.blank()
    kit.print(Text(pass_sentence(summary), style="ga.title"))
    if rest := unjudged_sentence(summary):
        kit.print(Text(rest))
    if change := change_sentence(summary):
        kit.print(Text(one_line(change), style="ga.fail" if change_mood(summary) == "worse" else ""))


def _scope(summary: RunSummary) -> str:
    parts = [window_text(summary.window) or f"run at {time_text(summary.run_at)}"]
    parts.append(f"{count_text(summary.checked)} checked by rules")
    if summary.judged_records:
        parts.append(f"{count_text(summary.judged_records)} judged")
    if summary.sampling:
        parts.append(excerpt(summary.sampling, 80))
    if summary.models:
        parts.append("model " + excerpt(joined(summary.models), 60))
    return "; ".join(parts)


def print_reasons(reasons: tuple[ReasonGroup, ...], kit: Kit, *, verbose: bool = False, errors: bool = False) -> None:
    """Failures (or judge errors) by cause, each with its clearest example."""
    if not reasons:
        return
    title = "What the judge could not grade" if errors else "Why answers failed"
    verdicts = plural(sum(group.count for group in reasons), "judge error" if errors else "failed verdict")
    heading(kit, title, f"{plural(reasons[0].of_answers, 'answer')}, {verdicts}")
    shown = reasons if verbose else reasons[:_GROUPS]
    for group in shown:
        kit.print(indented(_group_line(group), 2))
        for example in group.examples[: 3 if verbose else _EXAMPLES]:
            kit.print(indented(example_block(example, kit), 9))
    hidden = reasons[len(shown) :]
    if hidden:
        rest = ", ".join(f"{category_name(group.name)} {group.answers}" for group in hidden[:8])
        kit.print(indented(Text(f"and {plural(len(hidden), 'more cause')}: {excerpt(rest, 160)}", style="ga.dim"), 2))


def _group_line(group: ReasonGroup) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(justify="right", width=5, no_wrap=True)
    grid.add_column(overflow="fold")
    text = Text(excerpt(category_name(group.name), 60), style="ga.error" if group.is_error else "ga.fail")
    text.append(f"  {percent_text(group.share)} of them, in {excerpt(joined(group.checks), 60)}", style="ga.dim")
    if group.count > group.answers:
        text.append(f" ({plural(group.count, 'verdict')})", style="ga.dim")
    grid.add_row(Text(count_text(group.answers), style="bold"), text)
    if len(group.by_version) > 1:
        grid.add_row("", _by_version(group))
    if group.would_pass > 1:
        grid.add_row("", Text(f"fix this once and {plural(group.would_pass, 'answer')} pass"))
    return grid


def _by_version(group: ReasonGroup) -> Text:
    """Verdicts with the cause under the newest versions, and its share of the verdicts, if that moved for certain."""
    counts = (f"{excerpt(version, 18) or 'no version'} {count_text(times)}" for version, times in group.by_version[-5:])
    text = Text("verdicts: " + ", ".join(counts), style="ga.dim")
    if group.trend is not None:
        is_real = group.trend_p is not None and group.trend_p < 0.05
        style = ("ga.fail" if group.trend > 0 else "ga.pass") if is_real else "ga.dim"
        text.append(f"; share {points_text(group.trend)}", style=style)
        text.append("" if is_real else " (within chance)", style="ga.dim")
    return text


def _print_changes(summary: RunSummary, kit: Kit, *, verbose: bool) -> None:
    if summary.compared_to is None:
        return
    named = "" if summary.compared_as == "the last run" else f"{summary.compared_as}, "
    heading(kit, "What changed", f"against {named}run {summary.compared_to}")
    broken, fixed = changed_answers(summary)
    limit = None if verbose else _CHANGES
    _print_question_changes(summary.broken, broken, "broke", kit, limit=limit)
    _print_question_changes(summary.fixed, fixed, "fixed", kit, limit=limit)
    if not (summary.broken or summary.fixed):
        kit.print(indented(Text(unchanged_text(summary)), 2))
    kit.blank()
    for check in summary.checks:
        if check.change is not None and (verbose or check.change.claim in {"regression", "improvement"}):
            kit.print(indented(_change_line(check.change, kit), 2))
    quiet = unmoved(summary)
    if quiet.same and not verbose:
        kit.print(indented(Text(f"no change: {joined(quiet.same)}", style="ga.dim"), 2))
    if quiet.lost:
        kit.print(indented(Text(f"not comparable, too many judge errors: {joined(quiet.lost)}", style="ga.error"), 2))
    if quiet.unknown and not verbose:
        needed = f"cannot tell yet; more questions needed: {joined(quiet.unknown)}"
        kit.print(indented(Text(needed, style="ga.dim"), 2))


def _change_line(change: Change, kit: Kit) -> Table:
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=1, no_wrap=True)
    grid.add_column(overflow="fold")
    signs = {"regression": (kit.signs.down, "ga.fail"), "improvement": (kit.signs.up, "ga.pass")}
    sign, style = signs.get(change.claim, (kit.signs.bullet, "ga.dim"))
    grid.add_row(Text(sign, style=style), Text(one_line(change.sentence)))
    return grid


def _print_question_changes(
    changes: tuple[QuestionChange, ...], total: int, kind: str, kit: Kit, *, limit: int | None
) -> None:
    """Answers that broke or were fixed: checks, question, reason; `changes` may hold the first of `total` only."""
    if not changes:
        return
    style, sign = ("ga.fail", kit.signs.failed) if kind == "broke" else ("ga.pass", kit.signs.passed)
    kit.blank()
    kit.print(indented(Text(f"{sign} {plural(total, 'answer')} {kind}", style=style), 2))
    found = by_question(changes)
    questions = [question for question in found if question.is_answer][:limit]
    table = plain_table(("checks", "left"), ("question", "left"), ("reason", "left"))
    table.show_header = False
    for question in questions:
        says = question.head_says if kind == "broke" else question.base_says
        reason = says[0][1] if says else ""
        names = cell(", ".join(question.checks), "bold", limit=40)
        table.add_row(names, cell(question.question, limit=90), cell(reason, "ga.dim", limit=110))
    if questions:
        kit.print(indented(table, 4))
    if len(questions) < total:
        kit.print(indented(Text(f"and {count_text(total - len(questions))} more", style="ga.dim"), 4))
    besides = [question for question in found if not question.is_answer]
    if besides:
        kit.print(indented(Text(besides_text(besides, kind), style="ga.dim"), 4))


def print_rejected(summary: RunSummary, kit: Kit, *, verbose: bool = False) -> None:
    """Input lines that were set aside, with file, line and reason."""
    if not summary.rejected:
        return
    heading(kit, "Set aside", f"{plural(summary.rejected, 'input line')} could not be read; the rest went on")
    table = plain_table(("file", "left"), ("line", "right"), ("reason", "left"))
    shown = summary.rejected_lines if verbose else summary.rejected_lines[:_LINES]
    for line in shown:
        number = "" if line.line is None else count_text(line.line)
        table.add_row(
            Text(path_text(line.file, 60 if kit.wide else 28), style="ga.path"),
            Text(number),
            cell(line.reason, limit=120),
        )
    kit.print(indented(table, 2))
    if len(shown) < summary.rejected:
        kit.print(indented(Text(f"and {count_text(summary.rejected - len(shown))} more", style="ga.dim"), 2))


def _print_next(summary: RunSummary, kit: Kit) -> None:
    heading(kit, "Next")
    commands = [("every answer with its sources", f"goldassay report {quote(summary.run_id)} -o report.html")]
    if summary.compared_to:
        commands.append(
            (
                "broken and fixed, side by side",
                f"goldassay compare {quote(summary.compared_to)} {quote(summary.run_id)}",
            )
        )
    commands.append(("rates and failure reasons over versions", "goldassay history"))
    if any(not use.calibrated for use in summary.judges):
        commands.append(("label answers, so that the judge can be trusted", "goldassay review"))
    command_lines(kit, commands)
    _print_place(summary, kit)


def _print_place(summary: RunSummary, kit: Kit) -> None:
    if not summary.files:
        return
    more = f" and {plural(len(summary.files) - 1, 'more file')}" if len(summary.files) > 1 else ""
    kit.print(Text(f"  the verdicts as Parquet{more}", style="ga.dim"))
    first = next((path for path in summary.files if path.startswith("verdicts/")), summary.files[0])
    place = Text(f"    {one_line(summary.store).rstrip('/')}/{one_line(first)}", style="ga.path")
    kit.console.print(place, soft_wrap=True)
