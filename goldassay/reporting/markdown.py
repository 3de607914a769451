"""One run as Markdown, for a pull-request comment and for a Prefect artifact: tables, plain sentences, limited size."""

from __future__ import annotations

from collections.abc import Sequence

from goldassay.analytics.models import Change, CheckSummary, Example, QuestionChange, RateSummary, ReasonGroup
from goldassay.analytics.models_reports import RunSummary
from goldassay.reporting.headline import (
    applied,
    change_sentence,
    changed_answers,
    never_failed,
    pass_sentence,
    repeats_sentence,
    replies_text,
    unjudged_sentence,
)
from goldassay.reporting.markdown_parts import (
    LIMIT_BYTES,
    answer_text,
    changes_block,
    gate_block,
    inline,
    notices_block,
    table,
    within,
)
from goldassay.reporting.words import (
    category_name,
    cost_text,
    count_text,
    interval_text,
    joined,
    percent_text,
    plural,
    points_text,
    rate_text,
    source_words,
    window_text,
)

__all__ = ["reason_table", "summary_markdown"]


def summary_markdown(summary: RunSummary, *, limit_bytes: int = LIMIT_BYTES) -> str:
    """One run as Markdown, cut with a note where it would grow over `limit_bytes`."""
    broken, fixed = changed_answers(summary)
    blocks = [
        f"## {inline(summary.app)} {inline(joined(summary.app_versions))}: {summary.run_kind} run",
        f"**{inline(pass_sentence(summary))}** {_change(summary)}".rstrip(),
        inline(unjudged_sentence(summary)),
        gate_block(summary.gate, summary.answers_change),
        notices_block(summary.notices),
        _changes("broke", summary.broken, broken, summary),
        _checks_table(summary.checks, compared=summary.compared_to is not None),
        _changes("fixed", summary.fixed, fixed, summary),
        reason_table("Why answers failed", summary.reasons),
        reason_table("What the judge could not grade", summary.error_reasons),
        _set_aside(summary),
        _small_print(summary),
    ]
    return within(blocks, limit_bytes, f"`goldassay report {summary.run_id} -o report.html`")


def _change(summary: RunSummary) -> str:
    """What changed in a sentence; the gate's stands in its own block, bold."""
    if summary.gate is not None:
        return inline(f"Held against {summary.compared_as}, run {summary.compared_to}.")
    return inline(change_sentence(summary), 600)


def _changes(kind: str, changes: Sequence[QuestionChange], answers: int, summary: RunSummary) -> str:
    sides = (summary.compared_as.removeprefix("the "), "this run")
    return changes_block(kind, changes, answers=answers, sides=sides)


def _checks_table(checks: Sequence[CheckSummary], *, compared: bool) -> str:
    found = [check for check in checks if applied(check)]
    quiet = [check.check for check in found if check.severity == "warn" and never_failed(check)]
    shown = [check for check in found if check.check not in quiet]
    headers = ["check", "passed>", "rate>", "95 % interval", "errors>", *(["change>"] if compared else [])]
    drawn = table(headers, (_check_row(check, compared=compared) for check in shown)) if shown else ""
    rest = f"Only warn, and never failed: {inline(joined(quiet))}." if quiet else ""
    repeats = f"{sentence[0].upper()}{inline(sentence[1:], 600)}." if (sentence := repeats_sentence(checks)) else ""
    return "\n\n".join(part for part in (drawn, rest, repeats) if part)


def _check_row(check: CheckSummary, *, compared: bool) -> list[str]:
    rate = check.rate
    name = inline(check.check) + ("" if check.severity == "gate" else " *(warns)*")
    row = [name, f"{count_text(rate.counts.passed)}/{count_text(rate.counts.graded)}", rate_text(rate.shown)]
    row += [interval_text(rate.shown_interval) if rate.shown is not None else "", _errors_cell(rate)]
    if compared:
        row.append("" if check.change is None else _change_cell(check.change))
    return row


def _errors_cell(rate: RateSummary) -> str:
    """Judge errors, and between which bounds they leave the rate."""
    if not rate.counts.errors:
        return ""
    low, high = rate.shown_bounds
    return f"{count_text(rate.counts.errors)} ({low:.2f} to {high:.2f})"


def _change_cell(change: Change) -> str:
    points = points_text(change.difference)
    return f"**{points}**" if change.claim in {"regression", "improvement"} else points


def reason_table(title: str, groups: Sequence[ReasonGroup]) -> str:
    """Causes with their counts and an example each; '' without one."""
    if not groups:
        return ""
    rows = ([count_text(group.answers), count_text(group.count), *_reason_cells(group)] for group in groups)
    drawn = table(("answers>", "verdicts>", "cause", "checks", "example"), rows)
    return f"### {title}: {plural(groups[0].of_answers, 'answer')}\n\n{drawn}"


def _reason_cells(group: ReasonGroup) -> list[str]:
    cause = f"{inline(category_name(group.name))} ({percent_text(group.share)})"
    if group.would_pass > 1:
        cause += f"; fix this once and {plural(group.would_pass, 'answer')} pass"
    return [cause, inline(joined(group.checks)), _example(group.examples[0]) if group.examples else ""]


def _example(example: Example) -> str:
    cites = ", ".join(_cite(example, place) for place in range(min(3, len(example.citations))))
    parts = [
        inline(example.question, 160),
        answer_text(example),
        inline(example.reason, 240),
        f"cites {cites}" if cites else "",
    ]
    return " → ".join(part for part in parts if part)


def _cite(example: Example, place: int) -> str:
    citation = example.citations[place]
    title = f"{citation.title}, " if citation.title else ""
    return f"{inline(citation.marker, 30)} ({inline(title + source_words(citation.number, example.sources_sent))})"


def _set_aside(summary: RunSummary) -> str:
    if not summary.rejected:
        return ""
    rows = (
        (inline(each.file), "" if each.line is None else str(each.line), inline(each.reason))
        for each in summary.rejected_lines
    )
    return f"### Set aside: {plural(summary.rejected, 'input line')}\n\n{table(('file', 'line>', 'reason'), rows)}"


def _small_print(summary: RunSummary) -> str:
    parts = [f"Run {inline(summary.run_id)}", inline(window_text(summary.window))]
    parts.append(f"{plural(summary.records, 'answer')}, {count_text(summary.judged_records)} judged")
    parts += [
        ", ".join(
            part
            for part in (
                f"judge {inline(f'{use.provider} {use.model}, rubric {use.rubric} {use.rubric_version}')}",
                replies_text(use),
            )
            if part
        )
        for use in summary.judges
    ]
    if summary.calls:
        parts.append(f"{plural(summary.calls, 'call')}, {inline(cost_text(summary.cost_usd))}")
        parts.append(f"{count_text(summary.reused)} reused")
    return "*" + "; ".join(part for part in parts if part) + "*"
