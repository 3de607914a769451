"""The history on the terminal: rates by version, days as a sparkline, reasons by version, flaky questions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from shlex import quote

from rich.console import Console

from goldassay.analytics.models_reports import CategoryTrend, FlakyQuestion, HistoryReport, VersionRate
from goldassay.reporting.safe import excerpt
from goldassay.reporting.terminal.answerability import print_answerability
from goldassay.reporting.terminal.parts import (
    Kit,
    bar,
    cell,
    command_lines,
    heading,
    indented,
    notice_lines,
    plain_table,
    rate_cells,
    sparkline,
)
from goldassay.reporting.terminal.summary import print_reasons
from goldassay.reporting.terminal.text import Text
from goldassay.reporting.words import category_name, count_text, joined, plural, points_text, rate_text, time_text

__all__ = ["print_history"]

_VERSIONS = 8
"""Rows a check: the newest versions; older ones are in the HTML report and in SQL."""
_DAYS = 60
_FLAKY = 8


def print_history(report: HistoryReport, console: Console, *, verbose: bool = False) -> None:
    """Print rates and failure reasons over versions and time.

    Args:
        report: All numbers, as `goldassay.analytics.history` computed them.
        console: Where to print; see `goldassay.reporting.theme.make_console`.
        verbose: Every version, category and flaky question.
    """
    kit = Kit.of(console)
    _print_title(report, kit)
    notice_lines(report.notices, kit)
    print_answerability(report.answerability, kit)
    _print_rates(report, kit, verbose=verbose)
    _print_categories(report, kit, verbose=verbose)
    print_reasons(report.reasons, kit, verbose=verbose)
    _print_flaky(report.flaky, kit, verbose=verbose)
    if len(report.versions) > 1:
        heading(kit, "Next")
        base, head = report.versions[-2:]
        command = f"goldassay compare {quote(base)} {quote(head)} --by {report.by}"
        command_lines(kit, [("what broke between the newest two versions, and is it real", command)])


def _print_title(report: HistoryReport, kit: Kit) -> None:
    title = Text(excerpt(report.app or "all assistants", 40), style="ga.title")
    what = category_name(report.by)
    title.append(f"  history of {plural(len(report.versions), what)}", style="ga.dim")
    if report.since is not None:
        title.append(f" since {time_text(report.since)}", style="ga.dim")
    if report.until is not None:
        title.append(f" until {time_text(report.until)}", style="ga.dim")
    kit.print(title)
    if not report.versions:
        kit.print(Text("No verdicts in this window. Widen --since, or run `goldassay run` first."))


def _print_rates(report: HistoryReport, kit: Kit, *, verbose: bool) -> None:
    """A table for each check that ever failed; the others share a line."""
    quiet: dict[str, list[str]] = {"never failed": [], "applied to no answer": []}
    for check, rows in groupby(report.rates, key=lambda row: row.check):
        found = list(rows)
        word = _quiet_word(found)
        if word and not verbose:
            quiet[word].append(check)
        else:
            _print_check(check, found, report, kit, verbose=verbose)
    if any(quiet.values()):
        kit.blank()
    for word, checks in quiet.items():
        if checks:
            kit.print(Text(f"{word}: {joined(checks)}", style="ga.dim"))


def _quiet_word(rows: Sequence[VersionRate]) -> str:
    counts = [row.rate.counts for row in rows]
    if not any(each.graded for each in counts):
        return "applied to no answer"
    return "" if any(each.failed or each.errors for each in counts) else "never failed"


def _print_check(check: str, rows: Sequence[VersionRate], report: HistoryReport, kit: Kit, *, verbose: bool) -> None:
    days = [day for day in report.days if day.check == check][-_DAYS if kit.wide else -_DAYS // 2 :]
    weighted = ", weighted to the whole log" if any(row.rate.weights_matter for row in rows) else ""
    heading(kit, check, rows[0].kind + weighted)
    if len(days) > 2:
        line = sparkline([day.rate.headline for day in days], kit.signs)
        line.append(f"  {days[0].day} to {days[-1].day}", style="ga.dim")
        kit.print(indented(line))
    shown = rows if verbose else rows[-_VERSIONS:]
    _print_versions(shown, kit)
    if len(shown) < len(rows):
        older = plural(len(rows) - len(shown), "older version")
        kit.print(indented(Text(f"and {older} with --verbose", style="ga.dim")))


def _print_versions(rows: Sequence[VersionRate], kit: Kit) -> None:
    errors = any(row.rate.counts.errors for row in rows)
    columns = [("version", "left"), ("passed", "right"), ("rate", "right"), ("interval", "short"), ("", "short")]
    table = plain_table(*columns, *([("errors", "right")] if errors else []), ("seen", "short"))
    for row in rows:
        cells = [
            cell(row.version, limit=18),
            *rate_cells(row.rate),
            bar(row.rate.counts, kit.signs, 16 if kit.wide else 8),
        ]
        if errors:
            cells.append(_errors(row, wide=kit.wide))
        table.add_row(*cells, _seen(row, wide=kit.wide))
    kit.print(indented(table))


def _errors(row: VersionRate, *, wide: bool) -> Text:
    """Judge errors, and where there is room, the rate if all of them had failed or passed."""
    if not row.rate.counts.errors:
        return Text("")
    text = Text(count_text(row.rate.counts.errors), style="ga.error")
    if wide:
        bounds = row.rate.bounds
        text.append(f" ({rate_text(bounds.low)} to {rate_text(bounds.high)})", style="ga.dim")
    return text


def _seen(row: VersionRate, *, wide: bool) -> Text:
    if row.first_seen is None or row.last_seen is None:
        return Text("")
    first = f"{row.first_seen:%Y-%m-%d} to " if wide else "to "
    return Text(f"{first}{row.last_seen:%Y-%m-%d}" if wide else f"{row.last_seen:%Y-%m-%d}", style="ga.dim")


def _print_categories(report: HistoryReport, kit: Kit, *, verbose: bool) -> None:
    if not report.categories:
        return
    versions = report.versions[-8 if kit.wide else -4 :]
    heading(kit, "Why, by version", "count of verdicts; the newest version's share against the one before")
    columns = [("category", "left"), ("check", "left")]
    table = plain_table(*columns, *((excerpt(version, 10), "right") for version in versions), ("change", "right"))
    shown = report.categories if verbose else report.categories[:15]
    for trend in shown:
        counts = {version: count for version, count, _ in trend.counts}
        cells = [Text(count_text(counts.get(v, 0)), style="" if counts.get(v) else "ga.dim") for v in versions]
        name = cell(category_name(trend.category), "ga.error" if trend.is_error else "", limit=20)
        table.add_row(name, cell(trend.check, "ga.dim", limit=14), *cells, _change(trend, kit))
    kit.print(indented(table))
    if len(shown) < len(report.categories):
        kit.print(indented(Text(f"and {len(report.categories) - len(shown)} more with --verbose", style="ga.dim")))


def _change(trend: CategoryTrend, kit: Kit) -> Text:
    if trend.change is None:
        return Text("")
    if abs(trend.change) < 0.0005:
        return Text(kit.signs.same, style="ga.dim")
    sign, style = (kit.signs.up, "ga.fail") if trend.change > 0 else (kit.signs.down, "ga.pass")
    return Text(f"{sign} {points_text(trend.change)}", style=style)


def _print_flaky(flaky: Sequence[FlakyQuestion], kit: Kit, *, verbose: bool) -> None:
    if not flaky:
        return
    heading(kit, "Flaky", "the verdict flipped although the version stayed the same")
    table = plain_table(
        ("check", "left"), ("question", "left"), ("pass/fail", "right"), ("flips", "right"), ("why", "left")
    )
    for each in flaky if verbose else flaky[:_FLAKY]:
        counts = f"{each.passed}/{each.failed}"
        table.add_row(
            cell(each.check, limit=14), cell(each.question, limit=90), Text(counts), Text(str(each.flips)), _cause(each)
        )
    kit.print(indented(table))


def _cause(each: FlakyQuestion) -> Text:
    if each.judge_changed:
        return Text("judge or rubric changed", style="ga.warn")
    if each.same_answer:
        return Text("same answer: the judge wavers", style="ga.warn")
    return Text("" if each.same_answer is None else "the answer changed", style="ga.dim")
