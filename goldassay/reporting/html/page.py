"""The page around the answers: headline, checks, trend, reasons, changes; rendered ahead, readable without script.

Everything from data is escaped by the template engine and made visible by
`goldassay.reporting.safe`; only the charts, rebuilt from a short list of elements,
go in as markup.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Collection, Mapping
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import jinja2
from markupsafe import Markup

from goldassay.analytics.models import CheckSummary, Example
from goldassay.analytics.models_reports import HistoryReport, RunSummary
from goldassay.reporting import words
from goldassay.reporting.headline import (
    applied,
    change_mood,
    change_sentence,
    changed_answers,
    never_failed,
    pass_sentence,
    passing,
    repeats_sentence,
    trust_text,
    unchanged_text,
    unjudged_sentence,
    unmoved,
)
from goldassay.reporting.html.charts import Trend, trends
from goldassay.reporting.html.heat import heatmap
from goldassay.reporting.html.parts import besides, notices_by_level, of_answers, unmet_conditions
from goldassay.reporting.safe import visible
from goldassay.verdicts import Evidence

__all__ = ["page_head", "page_policy", "page_tail", "static_text", "template", "trend_note"]

_MOST_CHANGES = 25
_MOST_REASONS = 12
_WIDTH = 360.0
_SIGNS = {"pass": "✓", "fail": "✗", "error": "!", "unsure": "?"}


class _Whisker(NamedTuple):
    """Where a check's rate, interval, errors and last rate stand on a line of `_WIDTH` units."""

    x: float
    low: float
    high: float
    base: float | None
    error: float | None
    """Where the rate would stand if every error had passed; None without errors."""


def page_head(summary: RunSummary, history: HistoryReport | None, *, shown: int) -> str:
    """Everything up to the data; `shown` answers follow in the page."""
    return template("report.html.j2").render(_context(summary, history, shown))


def page_tail() -> str:
    """The script, and the end of the page."""
    return f"<script>{_script()}</script>\n</body>\n</html>\n"


def _context(summary: RunSummary, history: HistoryReport | None, shown: int) -> Mapping[str, Any]:
    floor = _floor(summary)
    rows = [(check, _whisker(check, floor)) for check in summary.checks if applied(check)]
    return {
        "summary": summary,
        "policy": Markup(page_policy(_script())),  # noqa: S704 - made of hashes of our own files
        "css": Markup(static_text("report.css")),  # noqa: S704 - our own file
        "first_sentence": pass_sentence(summary, figures=False),
        "answers_passing": passing(summary),
        "rest_sentence": unjudged_sentence(summary),
        "changed": changed_answers(summary),
        "unmoved": unmoved(summary),
        "unchanged": unchanged_text(summary),
        "broken": of_answers(summary.broken),
        "fixed": of_answers(summary.fixed),
        "besides": [besides(summary.broken, "broke"), besides(summary.fixed, "fixed")],
        "second_sentence": change_sentence(summary),
        "mood": change_mood(summary),
        "unmet": unmet_conditions(summary.gate),
        "notices": notices_by_level(summary.notices),
        "gates": [row for row in rows if row[0].severity == "gate"],
        "warns": [row for row in rows if row[0].severity != "gate" and not never_failed(row[0])],
        "quiet": [check.check for check, _ in rows if check.severity != "gate" and never_failed(check)],
        "idle": [check.check for check in summary.checks if not applied(check)],
        "any_errors": any(check.rate.counts.errors for check in summary.checks),
        "any_weights": any(check.rate.weights_matter for check in summary.checks),
        "repeats": repeats_sentence(summary.checks),
        "floor_text": f"{floor:.2f}",
        "trends": _trends(summary, history),
        "heat": heatmap(history.categories, history.versions) if history else None,
        "trend_note": trend_note(history),
        "shown_note": _shown_note(summary, shown),
    }


def _trends(summary: RunSummary, history: HistoryReport | None) -> list[Trend]:
    """Charts of the gate checks, and of those that only warn where they ever failed."""
    if history is None:
        return []
    warns = {check.check for check in summary.checks if check.severity == "warn"}
    told = {
        row.check for row in history.rates if row.check not in warns or row.rate.counts.passed < row.rate.counts.graded
    }
    days = [day for day in history.days if day.check in told]
    return trends(days, [row for row in history.rates if row.check in told])


def trend_note(history: HistoryReport | None) -> str:
    """How the charts are to be read."""
    if history is None or not history.days:
        return ""
    by_day = len({day.day for day in history.days}) > 1
    drawn = "By day, dotted lines are new versions" if by_day else "By version"
    rates = [*(day.rate for day in history.days), *(row.rate for row in history.rates)]
    outage = any(rate.is_outage for rate in rates)
    bars = " A bar: too many answers could not be judged, the rate lies anywhere along it." if outage else ""
    scale = "one scale for all, with 95 % intervals, weighted to the whole log; a band at the lower edge goes on below"
    return f"{drawn}; {scale}.{bars}"


def _shown_note(summary: RunSummary, shown: int) -> str:
    total = max(summary.checked, summary.records - summary.rejected, shown)
    if shown < total:
        return f"The {words.count_text(shown)} worst of {words.count_text(total)}; all of them are in the store."
    return "Worst first. Open one to see its sources, what was checked, and the judge's reply."


def _floor(summary: RunSummary) -> float:
    lows = [check.rate.shown_interval.low for check in summary.checks if check.rate.shown is not None]
    return max(0.0, min(0.9, int(min(lows, default=0.9) * 10) / 10))


def _whisker(check: CheckSummary, floor: float) -> _Whisker | None:
    rate = check.rate
    if rate.shown is None:
        return None

    def place(share: float) -> float:
        return round(max(0.0, share - floor) / (1 - floor) * _WIDTH, 1)

    low, high = rate.shown_interval
    base = check.before.shown if check.before is not None else None
    error = place(rate.shown_bounds.high) if rate.counts.errors else None
    return _Whisker(place(rate.shown), place(low), place(high), None if base is None else place(base), error)


def _segments(example: Example) -> list[tuple[str, str]]:
    """The example's answer in pieces of (text, mark); mark is '' for plain text."""
    answer, at, found = example.answer, 0, []
    known = {citation.marker for citation in example.citations if citation.number is not None}
    spans = [
        (piece.start, piece.end, _mark(piece, example.outcome, known))
        for piece in example.evidence
        if piece.start is not None and piece.end is not None and (piece.source_id is None or piece.kind == "citation")
    ]
    for start, end, mark in sorted(spans):
        if at <= start < end <= len(answer):
            found += [(answer[at:start], ""), (answer[start:end], mark)]
            at = end
    return [(text, mark) for text, mark in [*found, (answer[at:], "")] if text]


def _mark(piece: Evidence, outcome: str, known: Collection[str]) -> str:
    if piece.kind == "citation":
        return "cite" if piece.text in known else "lost"
    if piece.kind == "refusal" and outcome == "pass":
        return "said"
    return {"fail": "bad", "pass": "good"}.get(outcome, "odd")


def page_policy(script: str) -> str:
    """What a page may do: run this script and our style sheet, by their hashes, and nothing else."""
    scripts = f"'{_hash(script)}'" if script else "'none'"
    return (
        f"default-src 'none'; script-src {scripts}; style-src '{_hash(static_text('report.css'))}'; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _script() -> str:
    return static_text("page.js") + static_text("report.js")


@cache
def static_text(name: str) -> str:
    """The text of a file of our own."""
    return (resources.files("goldassay.reporting.html") / "static" / name).read_text(encoding="utf-8")


def _finalize(value: Any) -> Any:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def template(name: str) -> jinja2.Template:
    """A template of ours, with the words that all reports share."""
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=jinja2.FunctionLoader(static_text),
    )
    environment.globals.update(
        category=words.category_name,
        column_title=words.column_title,
        cost=words.cost_text,
        count=words.count_text,
        duration=words.duration_text,
        interval=words.interval_text,
        joined=words.joined,
        trust=trust_text,
        most_changes=_MOST_CHANGES,
        most_reasons=_MOST_REASONS,
        outside=words.outside_text,
        path=words.path_text,
        percent=words.percent_text,
        p_value=lambda p: words.p_value_text(p).removeprefix("p ").removeprefix("= "),
        plural=words.plural,
        points=words.points_text,
        rate=words.rate_text,
        score=words.score_text,
        segments=_segments,
        signs=_SIGNS,
        source_words=words.source_words,
        time=words.time_text,
        window=words.window_text,
    )
    return environment.get_template(name)
