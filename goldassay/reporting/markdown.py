"""Markdown for a pull-request comment and for a Prefect artifact: tables, plain sentences, under a size limit.

No HTML and no live Markdown comes from data: brackets, pipes, backticks and
HTML are escaped, and mentions, issue numbers and bare addresses are broken with an
invisible word joiner, because hosting sites link them after rendering.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from goldassay.analytics.models import Change, CheckSummary, Example, GateState, Notice, QuestionChange, ReasonGroup
from goldassay.analytics.models_reports import CompareReport, RunSummary
from goldassay.reporting.changes import ChangedQuestion, by_question
from goldassay.reporting.headline import applied, change_sentence, changed_counts, pass_sentence, replies_text
from goldassay.reporting.safe import excerpt
from goldassay.reporting.words import (
    category_name,
    cost_text,
    count_text,
    interval_text,
    joined,
    p_value_text,
    percent_text,
    plural,
    points_text,
    rate_text,
    source_words,
    window_text,
)

__all__ = ["LIMIT_BYTES", "compare_markdown", "inline", "summary_markdown"]

LIMIT_BYTES = 60_000
"""GitHub takes 65,536 characters in a comment; the rest is room for what a bot puts around it."""
_JOINER = "\u2060"
_SPECIAL = frozenset("\\`*_[]|~$")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_LINKED = re.compile(r"@(?=\w)|#(?=\d)|://|(?i:www)(?=\.)|(?i:gh-)(?=\d)")
_ICONS = {"pass": "✅", "fail": "❌", "error": "⚠️", "skip": "⏭️", "unsure": "❔"}
_CLAIMS = {
    "regression": "❌ worse",
    "improvement": "✅ better",
    "no_change": "no change",
    "cannot_tell": "❔ cannot tell",
}


def inline(text: str, limit: int = 300) -> str:
    """Untrusted text for a Markdown line or table cell: seen as it is, doing nothing."""
    broken = _LINKED.sub(lambda match: match.group() + _JOINER, excerpt(text, limit))
    return "".join(_ENTITIES.get(sign) or (f"\\{sign}" if sign in _SPECIAL else sign) for sign in broken)


def summary_markdown(summary: RunSummary, *, limit_bytes: int = LIMIT_BYTES) -> str:
    """One run as Markdown, cut with a note where it would grow over `limit_bytes`."""
    blocks = [
        f"## {inline(summary.app)} {inline(joined(summary.app_versions))}: {summary.run_kind} run",
        f"**{inline(pass_sentence(summary))}** {inline(change_sentence(summary))}".rstrip(),
        _notices(summary.notices),
        _checks_table(summary.checks, compared=summary.compared_to is not None),
        _changes("Broke", summary.broken, changed_counts(summary)[0], "last run", "this run"),
        _changes("Fixed", summary.fixed, changed_counts(summary)[1], "last run", "this run"),
        _reasons("Why answers failed", summary.reasons),
        _reasons("What the judge could not grade", summary.error_reasons),
        _set_aside(summary),
        _small_print(summary),
    ]
    return _within(blocks, limit_bytes, f"`goldassay report {summary.run_id} -o report.html`")


def compare_markdown(report: CompareReport, *, limit_bytes: int = LIMIT_BYTES) -> str:
    """A comparison as Markdown: the sentence, the gate, the table, what broke and what was fixed."""
    base, head = report.base.label, report.head.label
    blocks = [
        f"## {inline(base)} → {inline(head)}",
        "\n".join(f"- {inline(sentence, 600)}" for sentence in report.sentences[:8]),
        _notices(report.notices),
        _gate(report),
        _comparison_table(report),
        _changes("Broke", report.broken, sum(check.overall.broken for check in report.checks), base, head),
        _changes("Fixed", report.fixed, sum(check.overall.fixed for check in report.checks), base, head),
    ]
    return _within(blocks, limit_bytes, "`goldassay compare`")


def _within(blocks: Iterable[str], limit_bytes: int, where: str) -> str:
    """Whole blocks while they fit; of the first that does not, whole lines."""
    note = f"\n\n*Cut here to stay under {limit_bytes // 1000} kB; all of it: {where}.*\n"
    room = limit_bytes - len(note.encode())
    lines: list[str] = []
    used = 0
    for line in "\n\n".join(block for block in blocks if block).split("\n"):
        used += len(line.encode()) + 1
        if used > room:
            return "\n".join(lines).rstrip() + note
        lines.append(line)
    return "\n".join(lines) + "\n"


def _table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    marks = ("---:" if header.endswith(">") else "---" for header in headers)
    names = " | ".join(header.rstrip(">") for header in headers)
    lines = [f"| {names} |", f"| {' | '.join(marks)} |", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join(lines)


def _notices(notices: Sequence[Notice]) -> str:
    icons = {"alarm": "🚨", "warning": "⚠️", "info": "💡"}
    return "\n".join(f"> {icons[notice.level]} {inline(notice.text, 600)}  " for notice in notices)


def _checks_table(checks: Sequence[CheckSummary], *, compared: bool) -> str:
    shown = [check for check in checks if applied(check)]
    if not shown:
        return ""
    headers = ["check", "passed>", "rate>", "95 % interval", "errors>", *(["change>"] if compared else [])]
    return _table(headers, (_check_row(check, compared=compared) for check in shown))


def _check_row(check: CheckSummary, *, compared: bool) -> list[str]:
    rate = check.rate
    value, interval = (rate.weighted, rate.weighted_interval) if rate.weights_matter else (rate.headline, rate.interval)
    name = inline(check.check) + ("" if check.severity == "gate" else " *(warns)*")
    row = [name, f"{count_text(rate.counts.passed)}/{count_text(rate.counts.graded)}", rate_text(value)]
    row += [
        interval_text(interval) if value is not None else "",
        count_text(rate.counts.errors) if rate.counts.errors else "",
    ]
    if compared:
        row.append("" if check.change is None else _change_cell(check.change))
    return row


def _change_cell(change: Change) -> str:
    points = points_text(change.difference)
    return f"**{points}**" if change.claim in {"regression", "improvement"} else points


def _gate(report: CompareReport) -> str:
    if report.gate is None:
        return ""
    icons = {GateState.PASS: "✅ passed", GateState.FAIL: "❌ failed", GateState.NOT_EVALUABLE: "❔ not evaluable"}
    rows = [(inline(condition), icons[state], inline(found)) for condition, state, found in report.gate.conditions]
    table = "\n\n" + _table(("condition", "", "found"), rows) if rows else ""
    return f"**Gate: {icons[report.gate.state]}**{table}"


def _comparison_table(report: CompareReport) -> str:
    headers = ("check", "n>", "base>", "head>", "change>", "95 % interval", "broke>", "fixed>", "p>", "")
    changes = [change for check in report.checks for change in (check.overall, *check.strata)]
    return _table(headers, map(_comparison_row, changes)) if changes else ""


def _comparison_row(change: Change) -> list[str]:
    name = inline(change.check) + (f" / {inline(change.stratum)}" if change.stratum else "")
    claim = _CLAIMS[change.claim] + (f", needs about {count_text(change.needed)} more" if change.needed else "")
    return [
        name,
        count_text(change.common),
        rate_text(change.base_rate),
        rate_text(change.head_rate),
        points_text(change.difference),
        interval_text(change.interval) if change.difference is not None else "",
        count_text(change.broken),
        count_text(change.fixed),
        p_value_text(change.p_adjusted).removeprefix("p ").removeprefix("= "),
        claim,
    ]


def _changes(title: str, changes: Sequence[QuestionChange], total: int, base: str, head: str) -> str:
    """A table with one row a question; `changes` may hold the first of `total` verdicts only."""
    if not changes:
        return ""
    headers = ("question", "checks", inline(base), inline(head), "reason")
    rows = (
        (inline(each.question, 160), inline(joined(each.checks)), _answer(each.base), _answer(each.head), _why(each))
        for each in by_question(changes)
    )
    more = f"\n\nThe first {count_text(len(changes))} of them." if len(changes) < total else ""
    return f"### {title}: {plural(total, 'verdict')}\n\n{_table(headers, rows)}{more}"


def _answer(example: Example) -> str:
    return f"{_ICONS.get(example.outcome, '')} {inline(example.answer, 240)}".strip()


def _why(changed: ChangedQuestion) -> str:
    says = changed.head_says or changed.base_says
    return "; ".join(inline(f"{check}: {reason}" if len(says) > 1 else reason, 200) for check, reason in says[:3])


def _reasons(title: str, groups: Sequence[ReasonGroup]) -> str:
    if not groups:
        return ""
    rows = ([count_text(group.count), *_reason_cells(group)] for group in groups)
    return f"### {title}\n\n{_table(('count>', 'cause', 'checks', 'example'), rows)}"


def _reason_cells(group: ReasonGroup) -> list[str]:
    cause = f"{inline(category_name(group.name))} ({percent_text(group.share)})"
    if group.would_pass > 1:
        cause += f"; fix this once and {plural(group.would_pass, 'question')} pass"
    return [cause, inline(joined(group.checks)), _example(group.examples[0]) if group.examples else ""]


def _example(example: Example) -> str:
    cites = ", ".join(_cite(example, place) for place in range(min(3, len(example.citations))))
    parts = [
        inline(example.question, 160),
        _answer(example),
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
    return f"### Set aside: {plural(summary.rejected, 'input line')}\n\n{_table(('file', 'line>', 'reason'), rows)}"


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
