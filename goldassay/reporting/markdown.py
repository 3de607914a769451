"""Markdown for a pull-request comment and for a Prefect artifact: tables, plain sentences, under a size limit.

No HTML and no live Markdown comes from data: brackets, pipes, backticks and
HTML are escaped, and mentions, issue numbers and bare addresses are broken with an
invisible word joiner, because hosting sites link them after rendering.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from goldassay.analytics.models import (
    Change,
    CheckSummary,
    Example,
    GateState,
    Notice,
    QuestionChange,
    RateSummary,
    ReasonGroup,
)
from goldassay.analytics.models_reports import CompareReport, RunSummary
from goldassay.reporting.changes import ChangedQuestion, besides_text, by_question
from goldassay.reporting.headline import (
    applied,
    change_sentence,
    changed_answers,
    never_failed,
    pass_sentence,
    replies_text,
    unjudged_sentence,
)
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

__all__ = [
    "LIMIT_BYTES",
    "compare_markdown",
    "inline",
    "notice_lines",
    "reason_table",
    "summary_markdown",
    "table",
    "within",
]

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
        inline(unjudged_sentence(summary)),
        notice_lines(summary.notices),
        _changes("broke", summary.broken, changed_answers(summary)[0], "last run", "this run"),
        _checks_table(summary.checks, compared=summary.compared_to is not None),
        _changes("fixed", summary.fixed, changed_answers(summary)[1], "last run", "this run"),
        reason_table("Why answers failed", summary.reasons),
        reason_table("What the judge could not grade", summary.error_reasons),
        _set_aside(summary),
        _small_print(summary),
    ]
    return within(blocks, limit_bytes, f"`goldassay report {summary.run_id} -o report.html`")


def compare_markdown(report: CompareReport, *, limit_bytes: int = LIMIT_BYTES) -> str:
    """A comparison as Markdown: the sentence, the gate, the table, what broke and what was fixed."""
    base, head = report.base.label, report.head.label
    blocks = [
        f"## {inline(base)} → {inline(head)}",
        "\n".join(f"- {inline(sentence, 600)}" for sentence in report.sentences[:8]),
        notice_lines(report.notices),
        _gate(report),
        _comparison_table(report),
        _changes("broke", report.broken, report.answers.broken if report.answers else 0, base, head),
        _changes("fixed", report.fixed, report.answers.fixed if report.answers else 0, base, head),
    ]
    return within(blocks, limit_bytes, "`goldassay compare`")


def within(blocks: Iterable[str], limit_bytes: int, where: str) -> str:
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


def table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; headers that end in '>' are of columns set to the right. Cells must be inert already."""
    marks = ("---:" if header.endswith(">") else "---" for header in headers)
    names = " | ".join(header.rstrip(">") for header in headers)
    lines = [f"| {names} |", f"| {' | '.join(marks)} |", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join(lines)


def notice_lines(notices: Sequence[Notice]) -> str:
    """What must be known before trusting the numbers, as quotes."""
    icons = {"alarm": "🚨", "warning": "⚠️", "info": "💡"}
    return "\n".join(f"> {icons[notice.level]} {inline(notice.text, 600)}  " for notice in notices)


def _checks_table(checks: Sequence[CheckSummary], *, compared: bool) -> str:
    found = [check for check in checks if applied(check)]
    quiet = [check.check for check in found if check.severity == "warn" and never_failed(check)]
    shown = [check for check in found if check.check not in quiet]
    headers = ["check", "passed>", "rate>", "95 % interval", "errors>", *(["change>"] if compared else [])]
    drawn = table(headers, (_check_row(check, compared=compared) for check in shown)) if shown else ""
    rest = f"Only warn, and never failed: {inline(joined(quiet))}." if quiet else ""
    return "\n\n".join(part for part in (drawn, rest) if part)


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


def _gate(report: CompareReport) -> str:
    if report.gate is None:
        return ""
    icons = {GateState.PASS: "✅ passed", GateState.FAIL: "❌ failed", GateState.NOT_EVALUABLE: "❔ not evaluable"}
    rows = [(inline(condition), icons[state], inline(found)) for condition, state, found in report.gate.conditions]
    drawn = "\n\n" + table(("condition", "", "found"), rows) if rows else ""
    return f"**Gate: {icons[report.gate.state]}**{drawn}"


def _comparison_table(report: CompareReport) -> str:
    headers = ("check", "n>", "base>", "head>", "change>", "95 % interval", "broke>", "fixed>", "p>", "")
    changes = [change for check in report.checks for change in (check.overall, *check.strata)]
    return table(headers, map(_comparison_row, changes)) if changes else ""


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
    """A table with one row an answer; `changes` may hold the first of `total` only."""
    if not changes:
        return ""
    found = by_question(changes)
    answers = [row for row in found if row.is_answer]
    headers = ("question", "checks", inline(base), inline(head), "reason")
    rows = (
        (inline(each.question, 160), inline(joined(each.checks)), _answer(each.base), _answer(each.head), _why(each))
        for each in answers
    )
    parts = [f"### {plural(total, 'answer')} {title}", table(headers, rows) if answers else ""]
    parts.append(f"The first {count_text(len(answers))} of them." if len(answers) < total else "")
    besides = [row for row in found if not row.is_answer]
    parts.append(inline(besides_text(besides, title), 400) if besides else "")
    return "\n\n".join(part for part in parts if part)


def _answer(example: Example) -> str:
    return f"{_ICONS.get(example.outcome, '')} {inline(example.answer, 240)}".strip()


def _why(changed: ChangedQuestion) -> str:
    says = changed.head_says or changed.base_says
    return "; ".join(inline(f"{check}: {reason}" if len(says) > 1 else reason, 200) for check, reason in says[:3])


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
