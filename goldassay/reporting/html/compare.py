"""A comparison as one HTML file: gate, checks, and both answers to each question that changed; it runs no script.

For versions, which are many runs: of two runs there is the head's own page, with every answer (`render`). Shares the
style sheet, the pairs of answers and the safety rules of that page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from goldassay.analytics.gate_words import gate_sentence
from goldassay.analytics.models import Change, GateState, QuestionChange
from goldassay.analytics.models_reports import CheckComparison, CompareReport
from goldassay.reporting.changes import FEW, sample_notes
from goldassay.reporting.html.page import page_policy, static_text, template
from goldassay.reporting.html.parts import besides, notices_by_level, of_answers, unmet_conditions
from goldassay.reporting.words import count_text, joined, plural

__all__ = ["compare_html"]

_SENTENCES = 3
"""The others stand in the table as figures."""
_KINDS = (("broke", "broken"), ("fixed", "fixed"), ("still failing", "still_failing"))


def compare_html(report: CompareReport) -> str:
    """A comparison as one HTML file that needs no network and no script."""
    return template("compare.html.j2").render(_context(report))


def _context(report: CompareReport) -> Mapping[str, Any]:
    moved = [check for check in report.checks if _moved(check.overall)]
    return {
        "report": report,
        "policy": Markup(page_policy("")),  # noqa: S704 - made of hashes of our own files
        "css": Markup(static_text("report.css")),  # noqa: S704 - our own file
        "headline": _headline(report),
        "sentences": report.sentences[:_SENTENCES],
        "left_out": _left_out(report),
        # Each answer names its app version, so that only other labels have to be told.
        "labels": ("before", "now") if report.by == "app_version" else (report.base.label, report.head.label),
        "gate": "" if report.gate is None else gate_sentence(report.gate, report.answers),
        "mood": "worse" if report.gate is not None and report.gate.state is GateState.FAIL else "",
        "unmet": unmet_conditions(report.gate),
        "notices": notices_by_level(report.notices),
        "kinds": [_kind(report, word, name) for word, name in _KINDS],
        "rows": [row for check in moved for row in _rows(check)],
        "same": [check.overall.check for check in report.checks if check not in moved],
        "sampled": sample_notes([check.overall for check in moved]),
        "errors": [one.overall for one in report.checks if one.overall.base_errors + one.overall.head_errors],
        "scored": [one.overall for one in moved if one.overall.mean_difference],
    }


def _headline(report: CompareReport) -> str:
    if report.answers is None:
        return (
            f"{report.sentences[0][:1].upper()}{report.sentences[0][1:]}."
            if report.sentences
            else "Nothing to compare."
        )
    fixed = report.answers.fixed
    were = "was" if fixed == 1 else "were"
    return f"{plural(report.answers.broken, 'answer')} broke, {count_text(fixed)} {were} fixed."


def _left_out(report: CompareReport) -> str:
    sides = ((report.only_base, report.base), (report.only_head, report.head))
    return joined([f"{count_text(count)} only in {side.label}" for count, side in sides if count])


def _kind(report: CompareReport, word: str, name: str) -> Mapping[str, Any]:
    """One kind of changed questions: whole answers with their texts, and a line for the others."""
    changes: Sequence[QuestionChange] = getattr(report, name)
    told = of_answers(changes)
    total = len(told) if report.answers is None else max(len(told), getattr(report.answers, name))
    return {"word": word, "rows": told, "total": total, "besides": besides(changes, word)}


def _rows(check: CheckComparison) -> list[Change]:
    """The check, and those of its strata that moved and are large enough to show anything."""
    return [check.overall, *(one for one in check.strata if one.common >= FEW and _moved(one))]


def _moved(change: Change) -> bool:
    return change.broken + change.fixed > 0
