"""The history on the terminal: rates by version, days as a sparkline, reasons by version, flaky questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from goldassay.reporting.words import (
    category_name,
    column_title,
    count_text,
    joined,
    percent_text,
    plural,
    points_text,
    short_labels,
    time_text,
)

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
    print_answerability(report.answerability, kit, by=report.by)
    _print_rates(report, kit, verbose=verbose)
    _print_categories(report, kit, verbose=verbose)
    for errors in (False, True):
        groups = tuple(group for group in report.reasons if group.is_error is errors)
        print_reasons(groups, kit, verbose=verbose, errors=errors)
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
    if report.versions == ("",):
        kit.print(Text(f"The log names no {what}: all answers stand in one row. Try {_other_columns(report.by)}."))


def _other_columns(by: str) -> str:
    others = (column for column in ("app_version", "model", "prompt_version", "index_version") if column != by)
    return joined([f"--by {column}" for column in others], last=" or ")


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
        line = sparkline([day.rate for day in days], kit.signs)
        line.append(f", {days[0].day} to {days[-1].day}", style="ga.dim")
        if any(day.rate.is_outage for day in days):
            line.append(f"; {kit.signs.error} judge outage", style="ga.error")
        kit.print(indented(line))
    shown = rows if verbose else rows[-_VERSIONS:]
    _print_versions(shown, kit, by=report.by)
    if len(shown) < len(rows):
        older = plural(len(rows) - len(shown), "older version")
        kit.print(indented(Text(f"and {older} with --verbose", style="ga.dim")))


def _print_versions(rows: Sequence[VersionRate], kit: Kit, *, by: str) -> None:
    """A row a version; where judge errors leave the rate open, its bounds stand beside it, if need be for the bar."""
    errors = any(row.rate.counts.errors for row in rows)
    columns = [(column_title(by), "short"), ("passed", "right"), ("rate", "right"), ("interval", "short")]
    columns += [("", "short")] if kit.wide or not errors else []
    columns += [("errors", "right"), ("bounds", "short")] if errors else []
    table = plain_table(*columns, ("seen", "short"))
    labels = short_labels([row.version for row in rows], 18 if kit.wide else 14)
    for row, label in zip(rows, labels, strict=True):
        cells = [Text(label), *rate_cells(row.rate)]
        cells += [bar(row.rate.counts, kit.signs, 16 if kit.wide else 8)] if kit.wide or not errors else []
        cells += _errors(row) if errors else []
        table.add_row(*cells, _seen(row, wide=kit.wide))
    kit.print(indented(table))


def _errors(row: VersionRate) -> list[Text]:
    """Judge errors, and the rate if all of them had failed or passed."""
    if not row.rate.counts.errors:
        return [Text(""), Text("")]
    low, high = row.rate.shown_bounds
    style = "ga.error" if row.rate.is_outage else "ga.dim"
    return [
        Text(count_text(row.rate.counts.errors), style="ga.error"),
        Text(f"{low:.2f}-{high:.2f}", style=style),
    ]


def _seen(row: VersionRate, *, wide: bool) -> Text:
    if row.first_seen is None or row.last_seen is None:
        return Text("")
    form = "%Y-%m-%d" if wide else "%m-%d"
    first, last = f"{row.first_seen:{form}}", f"{row.last_seen:{form}}"
    return Text(first if first == last else f"{first} to {last}", style="ga.dim")


def _print_categories(report: HistoryReport, kit: Kit, *, verbose: bool) -> None:
    if not report.categories:
        return
    versions = report.versions[-8 if kit.wide else -4 :]
    note = "failed verdicts; share: of the newest version's graded ones, for the whole log"
    heading(kit, f"Why, by {column_title(report.by)}", note if kit.wide else "")
    columns = [("category", "left"), ("check", "left")]
    columns += [(label, "right") for label in short_labels(versions, 11 if kit.wide or len(versions) < 3 else 8)]
    columns += [("share", "right"), ("change", "right")]
    table = plain_table(*columns, *([("seen under", "left")] if kit.wide else []))
    shown = report.categories if verbose else report.categories[:15]
    for trend in shown:
        table.add_row(*_category_cells(trend, versions, kit))
    kit.print(indented(table))
    for note in _category_notes(report, len(versions), len(shown)):
        kit.print(indented(Text(note, style="ga.dim")))


def _category_cells(trend: CategoryTrend, versions: Sequence[str], kit: Kit) -> list[Text]:
    counts = {version: count for version, count, _ in trend.counts}
    cells = [
        cell(category_name(trend.category), "ga.error" if trend.is_error else "", limit=20 if kit.wide else 16),
        cell(trend.check, "ga.dim", limit=14 if kit.wide else 10),
        *(Text(count_text(counts.get(v, 0)), style="" if counts.get(v) else "ga.dim") for v in versions),
        Text(percent_text(trend.counts[-1][2])),
        _change(trend, kit),
    ]
    if not kit.wide:
        return cells
    labels = [excerpt(version or "no version", 14) for version in (trend.first_version, trend.last_version)]
    return [*cells, Text(" to ".join(dict.fromkeys(labels)), style="ga.dim")]


def _category_notes(report: HistoryReport, versions: int, shown: int) -> Iterator[str]:
    """What the table does not show, and how its changes were tested."""
    if any(trend.change is not None for trend in report.categories):
        sure = "coloured where it is more than chance"
        yield f"change: share under the newest version minus that under the one before, {sure}"
    hidden = len(report.versions) - versions
    if hidden > 0:
        yield f"{plural(hidden, 'older version')} left out here; all stand in --json"
    if shown < len(report.categories):
        yield f"and {len(report.categories) - shown} more with --verbose"


def _change(trend: CategoryTrend, kit: Kit) -> Text:
    if trend.change is None:
        return Text("")
    if trend.change_p is None or trend.change_p >= 0.05:
        return Text(points_text(trend.change), style="ga.dim")
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
    """What the flips come from, as far as the store tells; a rule never wavers over one and the same input."""
    is_rule = each.kind == "rule"
    if each.judge_changed:
        return Text("the rule changed" if is_rule else "judge or rubric changed", style="ga.warn")
    if each.same_answer and not is_rule:
        return Text("same answer: the judge wavers", style="ga.warn")
    if each.same_answer:
        return Text("same answer, other sources or facts", style="ga.dim")
    return Text("" if each.same_answer is None else "the answer changed", style="ga.dim")
