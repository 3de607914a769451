"""A comparison as Markdown, for a pull-request comment and for the gate's artifact: sentences, gate, tables."""

from __future__ import annotations

from goldassay.analytics.models import Change, QuestionChange
from goldassay.analytics.models_reports import CompareReport
from goldassay.reporting.changes import FEW, sample_notes
from goldassay.reporting.markdown_parts import (
    LIMIT_BYTES,
    changes_block,
    gate_block,
    inline,
    notices_block,
    table,
    within,
)
from goldassay.reporting.words import (
    count_text,
    interval_text,
    joined,
    p_value_text,
    points_text,
    rate_text,
    score_text,
)

__all__ = ["compare_markdown"]

_SENTENCES = 4
"""The others stand in the table as figures."""
_STILL_FAILING = 20
"""Rows: they are no news, and a pull request is read for its news."""
_CLAIMS = {
    "regression": "❌ worse",
    "improvement": "✅ better",
    "no_change": "no change",
    "cannot_tell": "❔ cannot tell",
}


def compare_markdown(report: CompareReport, *, limit_bytes: int = LIMIT_BYTES) -> str:
    """The sentence, the gate, the tables, what broke, what was fixed, and what still fails."""
    blocks = [
        f"## {inline(report.base.label)} → {inline(report.head.label)}",
        gate_block(report.gate, report.answers),
        "\n".join(f"- {inline(sentence, 600)}" for sentence in report.sentences[:_SENTENCES]),
        notices_block(report.notices),
        _comparison_table(report),
        _scores_table(report),
        _changes("broke", "broken", report.broken, report),
        _changes("fixed", "fixed", report.fixed, report),
        _changes("still failing", "still_failing", report.still_failing, report),
    ]
    return within(blocks, limit_bytes, "`goldassay compare`")


def _changes(word: str, kind: str, changes: tuple[QuestionChange, ...], report: CompareReport) -> str:
    return changes_block(
        word,
        changes,
        answers=None if report.answers is None else getattr(report.answers, kind),
        verdicts=sum(getattr(check.overall, kind) for check in report.checks),
        sides=(report.base.label, report.head.label),
        most=_STILL_FAILING if kind == "still_failing" else None,
    )


def _comparison_table(report: CompareReport) -> str:
    """The checks and strata that moved; the others in a line."""
    headers = ("check", "n>", "base>", "head>", "change>", "95 % interval", "broke>", "fixed>", "p>", "p adj.>", "")
    moved = [check for check in report.checks if _moved(check.overall)]
    changes = [
        change
        for check in moved
        for change in (check.overall, *(one for one in check.strata if one.common >= FEW and _moved(one)))
    ]
    same = [inline(check.overall.check) for check in report.checks if check not in moved]
    rows = table(headers, map(_comparison_row, changes)) if changes else ""
    notes = [f"{inline(note, 600)}." for note in sample_notes([check.overall for check in moved])]
    if same:
        notes.append(f"The same outcome on every question: {joined(same)}.")
    return "\n\n".join(part for part in (rows, *notes) if part)


def _moved(change: Change) -> bool:
    return change.broken + change.fixed > 0


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
        *(p_value_text(p).removeprefix("p ").removeprefix("= ") for p in (change.p_value, change.p_adjusted)),
        claim,
    ]


def _scores_table(report: CompareReport) -> str:
    """Mean scores of the checks that have a scale, where one of them moved."""
    scored = [check.overall for check in report.checks if check.overall.mean_difference is not None]
    if not any(change.mean_difference for change in scored):
        return ""
    rows = (
        (inline(each.check), score_text(each.mean_difference), interval_text(each.mean_interval)) for each in scored
    )
    return table(("mean score", "change>", "95 % interval"), rows)
