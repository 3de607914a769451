"""Two versions (or runs) on the same questions: what broke, what was fixed, and is it real.

Compared are the latest readable verdicts of each question on both sides. Texts are fetched
last and for the shown questions only.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

import duckdb

from goldassay.analytics.connect import connect
from goldassay.analytics.examples import Ref, load_examples
from goldassay.analytics.gate import GateConfig, gate_of
from goldassay.analytics.models import Change, Counts, QuestionChange, RateSummary
from goldassay.analytics.models_reports import CheckComparison, CompareReport
from goldassay.analytics.pairs import Sides, answers_change, paired, paired_changes, question_counts
from goldassay.analytics.rates import grouped, rate_summary, rates_by
from goldassay.analytics.scope import Scope, load_sql, rows_of, version_column
from goldassay.analytics.sides import AboutSides
from goldassay.errors import ConfigError
from goldassay.store.manifest import RunManifest
from goldassay.store.store import Store

__all__ = ["CompareBy", "changed_questions", "compare", "metrics_of", "paired_runs"]

CompareBy = Literal["run", "app_version", "model", "prompt_version", "index_version"]
_SHOWN = 200
"""Questions of one kind listed with their texts; the counts are always of all."""
_KINDS: dict[Literal["broken", "fixed", "still_failing"], tuple[str, str]] = {
    "broken": ("pass", "fail"),
    "fixed": ("fail", "pass"),
    "still_failing": ("fail", "fail"),
}
"""Outcomes in base and head."""


def compare(  # noqa: PLR0913 - the conditions of the command, all keyword-only
    store: Store,
    base: str,
    head: str,
    *,
    by: CompareBy = "run",
    app: str | None = None,
    check: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    gate: GateConfig | None = None,
    margin: float = 0.05,
    shown: int = _SHOWN,
    connection: duckdb.DuckDBPyConnection | None = None,
) -> CompareReport:
    """Compare two runs or versions on the questions judged readable on both sides.

    Args:
        store: Where the verdicts are.
        base: Run (id, unique prefix, 'last', 'latest:golden') or version label to compare with.
        head: Run or version label that is to replace it.
        by: What `base` and `head` name.
        app: Only this assistant.
        check: Only this check.
        since: Answers from this moment on.
        until: Answers before this moment.
        gate: Conditions; None: the default gate (no proven regression of a gate check).
        margin: Smallest change of a rate that matters.
        shown: Questions listed with texts, of each kind.
        connection: An open connection over the same store; default a new one.

    Returns:
        The report, strongest evidence of a regression first.

    Raises:
        ConfigError: If both sides are the same, or a side has no verdict.
        StoreError: If a run is not known.
    """
    sides, labels = _sides(store, base, head, by, app=app, check=check, since=since, until=until)
    with nullcontext(connection) if connection is not None else connect(store) as opened:
        assert opened is not None
        sides = _in_months(opened, sides)
        with paired(opened, sides):
            about = AboutSides(rows_of(opened, load_sql("sides")))
            _check_sides(about, labels, by)
            return _report(opened, sides, labels, by, about, gate or GateConfig(), margin, shown)


def paired_runs(base: RunManifest, head: RunManifest) -> Sides:
    """Return two runs as the sides of a comparison."""
    return Sides(Scope.of_runs(base, head), "run_id = $head", {"head": head.run_id})


def _sides(
    store: Store, base: str, head: str, by: CompareBy, *, app: str | None, **conditions: Any
) -> tuple[Sides, tuple[str, str]]:
    if by == "run":
        runs = store.run(base, app=app), store.run(head, app=app)
        labels, sides = (runs[0].run_id, runs[1].run_id), paired_runs(*runs)
        sides = replace(sides, scope=replace(sides.scope, app=app, **conditions))
    else:
        labels = (base, head)
        scope = Scope(app=app, column=by, versions=labels, with_rejudged=True, **conditions)
        sides = Sides(scope, f"{version_column(by)} = $head", {"head": head})
    if labels[0] == labels[1]:
        raise ConfigError(f"both sides are {labels[0]!r}; give two different ones to compare.")
    return sides, labels


def _in_months(connection: duckdb.DuckDBPyConnection, sides: Sides) -> Sides:
    """Open only the months whose runs can hold the versions, as the manifests tell."""
    scope = sides.scope
    # Manifests list app versions alone, and leave out answers that came without one.
    if scope.column != "app_version" or scope.versions is None or "" in scope.versions:
        return sides
    ((months,),) = rows_of(connection, load_sql("version_months"), {"versions": list(scope.versions)})
    return replace(sides, scope=replace(scope, months=tuple(months or ())))


def _check_sides(about: AboutSides, labels: tuple[str, str], by: str) -> None:
    for label, head in zip(labels, (False, True), strict=True):
        if not any(bool(row[0]) is head for row in about.rows):
            raise ConfigError(f"no verdict with {by} {label!r}; see goldassay history for the versions there are.")


def _report(
    connection: duckdb.DuckDBPyConnection,
    sides: Sides,
    labels: tuple[str, str],
    by: CompareBy,
    about: AboutSides,
    gate: GateConfig,
    margin: float,
    shown: int,
) -> CompareReport:
    rates = _side_rates(connection, sides.scope)
    errors = {name: summary.counts.errors for name, summary in rates.items()}
    checks = _checks(paired_changes(connection, errors=errors, margin=margin), rates)
    base_answers, head_answers, only_base, only_head = question_counts(connection)
    categories = _categories(connection)
    ((common,),) = rows_of(connection, "SELECT count(DISTINCT question) FROM pairs")
    answers, notices = answers_change(connection, margin=margin), about.notices()
    changes = changed_questions(connection, limit=shown)
    return CompareReport(
        by=by,
        base=about.side(labels[0], base_answers, head=False),
        head=about.side(labels[1], head_answers, head=True),
        common_questions=common,
        only_base=only_base,
        only_head=only_head,
        checks=tuple(checks),
        answers=answers,
        broken=changes["broken"],
        fixed=changes["fixed"],
        still_failing=changes["still_failing"],
        categories=categories,
        notices=tuple(notices),
        gate=gate_of(gate, checks, metrics_of(checks, _head_categories(connection))),
        sentences=_sentences(answers, checks, common),
        rejudge_command=_rejudge(labels, by) if any(n.code == "judge_version_differs" for n in notices) else None,
    )


def _side_rates(connection: duckdb.DuckDBPyConnection, scope: Scope) -> dict[tuple[str, bool], RateSummary]:
    rows = rates_by(connection, scope, by="app_version", group="is_head", table="side_verdicts")
    return {(check, bool(is_head)): rate_summary(found) for (is_head, check), found in grouped(rows)}


def _checks(
    changes: Sequence[tuple[Change, bool]], rates: Mapping[tuple[str, bool], RateSummary]
) -> list[CheckComparison]:
    strata: dict[str, list[Change]] = {}
    for change, _ in changes:
        if change.stratum is not None:
            strata.setdefault(change.check, []).append(change)
    overall = [
        CheckComparison(
            overall=change,
            severity="gate" if is_gate else "warn",
            strata=tuple(strata.get(change.check, ())),
            base_rate=rates.get((change.check, False)),
            head_rate=rates.get((change.check, True)),
        )
        for change, is_gate in changes
        if change.stratum is None
    ]
    return sorted(overall, key=_by_evidence)


def _by_evidence(check: CheckComparison) -> tuple[int, float, float, str]:
    """Proven regressions first, then by p-value of a fall, then what cannot be told, then what got better."""
    order = {"regression": 0, "cannot_tell": 1, "no_change": 2, "improvement": 3}
    change = check.overall
    difference = change.difference or 0.0
    return order[change.claim], change.p_adjusted or 1.0, difference, change.check


def _categories(connection: duckdb.DuckDBPyConnection) -> tuple[tuple[str, str, int, int], ...]:
    rows = rows_of(connection, load_sql("pair_categories"))
    return tuple((row[0], row[1], row[2], row[3]) for row in rows)


def _head_categories(connection: duckdb.DuckDBPyConnection) -> list[tuple[str, str, str, int]]:
    sql = load_sql("category_counts", table="side_verdicts", where="is_head")
    return [(row[0], row[1], row[2], row[3]) for row in rows_of(connection, sql)]


def metrics_of(
    checks: Sequence[CheckComparison], categories: Iterable[tuple[str, str, str, int]] = ()
) -> dict[str, float]:
    """Name the figures a gate condition may use.

    Args:
        checks: Checks of the comparison.
        categories: (check, category, outcome, count) in the head.

    Returns:
        'faithful' (rate of the head, for its whole log), 'faithful.broken', '.fixed', '.drop', '.errors',
        'wrong_number', 'numbers.wrong_number', 'broken', 'fixed', 'failed', 'errors' (a share of the graded verdicts
        where the condition gives a percentage: 'error_share').
    """
    metrics: dict[str, float] = {}
    for check in checks:
        change, name = check.overall, check.overall.check
        metrics |= {f"{name}.broken": change.broken, f"{name}.fixed": change.fixed}
        metrics[f"{name}.drop"] = -(change.difference or 0.0)
        # Not a number: the check is known, but nothing of it was graded, so no condition on it can be answered.
        rate = check.head_rate.shown if check.head_rate is not None else None
        metrics[name] = math.nan if rate is None else rate
        metrics[f"{name}.errors"] = check.head_rate.counts.errors if check.head_rate is not None else 0
    counts = [check.head_rate.counts for check in checks if check.head_rate is not None]
    total = Counts(*(sum(column) for column in zip(*counts, strict=True))) if counts else Counts()
    metrics |= {"broken": sum(c.overall.broken for c in checks), "fixed": sum(c.overall.fixed for c in checks)}
    metrics |= {"failed": total.failed, "errors": total.errors, "error_share": total.errors / max(total.graded, 1)}
    for check_name, category, _, times in categories:
        metrics[category] = metrics.get(category, 0) + times
        metrics[f"{check_name}.{category}"] = metrics.get(f"{check_name}.{category}", 0) + times
    return metrics


def changed_questions(connection: duckdb.DuckDBPyConnection, *, limit: int) -> dict[str, tuple[QuestionChange, ...]]:
    """List the questions of each kind of change with both answers; inside a `paired` block.

    Args:
        connection: Inside a `paired` block.
        limit: Most rows of a kind; those that broke most gate checks come first.

    Returns:
        Rows by kind ('broken', 'fixed', 'still_failing'), one a question and check.
    """
    found = [(kind, row) for kind, outcomes in _KINDS.items() for row in _changed(connection, outcomes, limit)]
    refs = [(Ref(row[3], row[4], row[1], row[5]), Ref(row[6], row[7], row[1], row[8])) for _, row in found]
    examples = load_examples(connection, [ref for both in refs for ref in both])
    changes: dict[str, list[QuestionChange]] = {kind: [] for kind in _KINDS}
    for (kind, row), (base, head) in zip(found, refs, strict=True):
        changes[kind].append(
            QuestionChange(
                question_id=examples[head].question_id,
                question=examples[head].question or examples[base].question,
                check=row[1],
                stratum=row[2],
                kind=kind,
                is_answer=bool(row[9]),
                base=examples[base],
                head=examples[head],
            )
        )
    return {kind: tuple(rows) for kind, rows in changes.items()}


def _changed(connection: duckdb.DuckDBPyConnection, outcomes: tuple[str, str], limit: int) -> Iterable[tuple[Any, ...]]:
    values = {"base_outcome": outcomes[0], "head_outcome": outcomes[1], "limit": limit}
    return rows_of(connection, load_sql("pair_changes"), values)


def _sentences(answers: Change | None, checks: Sequence[CheckComparison], common: int) -> tuple[str, ...]:
    if not common:
        return ("no question was judged readable on both sides: nothing can be compared",)
    strata = [
        change.sentence for check in checks for change in check.strata if change.claim in {"regression", "improvement"}
    ]
    whole = [] if answers is None else [answers.sentence]
    return (*whole, *(check.overall.sentence for check in checks), *strata)


def _rejudge(labels: tuple[str, str], by: str) -> str:
    return f"goldassay compare {labels[0]!r} {labels[1]!r} --by {by} --rejudge"
