"""Two versions (or runs) on the same questions: what broke, what was fixed, and is it real.

Compared are the latest readable verdicts of each question on both sides. Texts are fetched
last and for the shown questions only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

import duckdb

from goldassay.analytics.answered import golden_coverage
from goldassay.analytics.changed import changed_questions
from goldassay.analytics.connect import connect
from goldassay.analytics.gate import GateConfig, gate_of
from goldassay.analytics.metrics import metrics_of
from goldassay.analytics.models import Change, RateSummary
from goldassay.analytics.models_reports import CheckComparison, CompareReport
from goldassay.analytics.paired_changes import answers_change, paired_changes
from goldassay.analytics.pairs import Sides, paired, question_counts
from goldassay.analytics.rates import grouped, rate_summary, rates_by
from goldassay.analytics.scope import Scope, load_sql, rows_of, version_column
from goldassay.analytics.sides import AboutSides, golden_notices, measure_notices, other_measures
from goldassay.analytics.unpaired import unpaired_checks
from goldassay.errors import ConfigError
from goldassay.store.manifest import RunManifest
from goldassay.store.store import Store

__all__ = ["CompareBy", "compare", "paired_runs"]

CompareBy = Literal["run", "app_version", "model", "prompt_version", "index_version"]
_SHOWN = 200
"""Questions of one kind listed with their texts; the counts are always of all."""


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
    base_run: str | None = None,
    head_run: str | None = None,
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
        base_run: With versions: of the base only the answers of this run, e.g. because they were judged again.
        head_run: The same for the head.
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
        sides = _of_runs(_in_months(opened, sides), base_run, head_run)
        with paired(opened, sides):
            about = AboutSides(rows_of(opened, load_sql("sides")))
            _check_sides(about, labels, by, check)
            return _report(opened, sides, labels, by, about, gate or GateConfig(), margin, shown)


def paired_runs(base: RunManifest, head: RunManifest) -> Sides:
    """Return two runs as the sides of a comparison."""
    return Sides(Scope.of_runs(base, head), "run_id = $head", {"head": head.run_id}, head_run=head)


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


def _of_runs(sides: Sides, base_run: str | None, head_run: str | None) -> Sides:
    """Keep of a side the answers of one run alone; of the other all."""
    given = {"base_run": base_run, "head_run": head_run}
    parts = []
    if base_run is not None:
        parts.append("(is_head OR run_id = $base_run)")
    if head_run is not None:
        parts.append("(NOT is_head OR run_id = $head_run)")
    values = {name: run for name, run in given.items() if run is not None}
    return replace(sides, only=" AND ".join(parts) or "TRUE", values={**sides.values, **values})


def _check_sides(about: AboutSides, labels: tuple[str, str], by: str, check: str | None) -> None:
    for label, head in zip(labels, (False, True), strict=True):
        if not any(bool(row[0]) is head for row in about.rows):
            if check is not None:
                raise ConfigError(
                    f"no verdict of the check {check!r} with {by} {label!r} that grades an answer; goldassay history "
                    "lists checks."
                )
            raise ConfigError(
                f"no verdict with {by} {label!r} that grades an answer; see goldassay history for the versions there "
                "are."
            )


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
    answers, measures = answers_change(connection, margin=margin), other_measures(connection)
    metrics = metrics_of(checks, _head_categories(connection), answers=answers)
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
        notices=(*measure_notices(measures), *golden_notices(connection)),
        gate=gate_of(
            gate,
            [*checks, *unpaired_checks(connection, checks, rates)],
            metrics,
            answers=answers,
            other_measure={one.check for one in measures},
            coverage=golden_coverage(connection, sides.head_run) if sides.head_run is not None else None,
        ),
        sentences=_sentences(answers, checks, common),
        rejudge_command=_rejudge(labels, by) if measures else None,
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
    """What is proven first, regressions before what got better; then what cannot be told, by p-value of a fall."""
    order = {"regression": 0, "improvement": 1, "cannot_tell": 2, "no_change": 3}
    change = check.overall
    difference = change.difference or 0.0
    p_value = 1.0 if change.p_adjusted is None else change.p_adjusted
    return order[change.claim], p_value, difference, change.check


def _categories(connection: duckdb.DuckDBPyConnection) -> tuple[tuple[str, str, int, int], ...]:
    rows = rows_of(connection, load_sql("pair_categories"))
    return tuple((row[0], row[1], row[2], row[3]) for row in rows)


def _head_categories(connection: duckdb.DuckDBPyConnection) -> list[tuple[str, str, str, int]]:
    sql = load_sql("category_counts", table="side_verdicts", where="is_head")
    return [(row[0], row[1], row[2], row[3]) for row in rows_of(connection, sql)]


def _sentences(answers: Change | None, checks: Sequence[CheckComparison], common: int) -> tuple[str, ...]:
    """Whole answers, then what is proven of checks and strata, then the checks that moved, then the others."""
    if not common:
        return ("no question was judged readable on both sides: nothing can be compared",)
    whole = [] if answers is None else [answers.sentence]
    changes = [check.overall for check in checks]
    strata = [change for check in checks for change in check.strata if _is_proven(change)]
    proven = [change for change in changes if _is_proven(change)]
    rest = sorted((change for change in changes if change not in proven), key=lambda change: not _moved(change))
    return (*whole, *(change.sentence for change in (*proven, *strata, *rest)))


def _is_proven(change: Change) -> bool:
    return change.claim in {"regression", "improvement"}


def _moved(change: Change) -> bool:
    return change.broken + change.fixed > 0


def _rejudge(labels: tuple[str, str], by: str) -> str:
    return f"goldassay compare {labels[0]!r} {labels[1]!r} --by {by} --rejudge"
