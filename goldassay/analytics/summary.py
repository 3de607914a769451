"""All that the report of one run shows, gathered from its manifest and its verdicts.

Computes nothing itself: rates, reasons, comparison and judges come from their own modules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import duckdb

from goldassay.analytics.answerability import answerability
from goldassay.analytics.calibration import corrected_rate, judge_calibrations
from goldassay.analytics.calibration_models import JudgeCalibration, JudgeKey
from goldassay.analytics.connect import connect
from goldassay.analytics.gate import GateConfig
from goldassay.analytics.judges import calibrated, canary_notices, judge_notices, judge_uses
from goldassay.analytics.models import (
    CategoryCount,
    Change,
    CheckSummary,
    JudgeUse,
    Notice,
    RateSummary,
    RejectedLine,
)
from goldassay.analytics.models_reports import RunSummary
from goldassay.analytics.notices import check_notices
from goldassay.analytics.rates import answer_rate, grouped, rate_summary, rates_by
from goldassay.analytics.reasons import reason_groups
from goldassay.analytics.scope import Scope, load_sql, rows_of
from goldassay.analytics.sentences import counted
from goldassay.analytics.since import Before, changes_since, run_before
from goldassay.store.manifest import RunManifest
from goldassay.store.store import Store

__all__ = ["run_summary"]


def run_summary(
    store: Store,
    run_id: str,
    *,
    compare_to: str | None = "last",
    gate: GateConfig | None = None,
    connection: duckdb.DuckDBPyConnection | None = None,
) -> RunSummary:
    """Gather what the report of one run shows.

    Args:
        store: Where the run is.
        run_id: The run: id, unique prefix, 'last' or 'latest:golden'.
        compare_to: 'last': the run of the same kind before it, for a golden run the one it is held against (see
            `golden_base`); 'baseline': the accepted run; a run id; None: nothing.
        gate: Conditions the run is held to against that run; None: it is not held to any.
        connection: An open connection over the same store; default a new one.

    Returns:
        The summary.

    Raises:
        StoreError: If a run is not known.
    """
    run = store.run(run_id)
    earlier = [r for r in store.runs(run.app) if (r.run_at, r.run_id) < (run.run_at, run.run_id)]
    with nullcontext(connection) if connection is not None else connect(store) as opened:
        assert opened is not None
        before = run_before(opened, store, run, compare_to, gate=gate)
        return _Summary(opened, store, run, before, earlier, gate).build()


class _Summary:
    """One run under way to its summary."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        store: Store,
        run: RunManifest,
        before: Before,
        earlier: Sequence[RunManifest],
        gate: GateConfig | None,
    ) -> None:
        self.connection = connection
        self.store = store
        self.run = run
        self.before = before
        self.earlier = earlier
        self.gate = gate
        self.scope = Scope.of_runs(run)

    def build(self) -> RunSummary:
        run, judges = self.run, self._judges()
        changes = changes_since(self.connection, self.store, self.before.run, run, gate=self.gate)
        reasons = reason_groups(self.connection, self.scope)
        versions, models, judged = self._about_answers()
        tables = answerability(self.connection, self.scope, group="''")
        checks = self._checks(changes.by_check, judges)
        return RunSummary(
            run_id=run.run_id,
            run_kind=run.run_kind,
            run_at=run.run_at,
            finished_at=run.finished_at,
            app=run.app,
            app_versions=versions,
            models=models,
            window=(run.window_start, run.window_end),
            records=run.counts.records,
            rejected=run.counts.rejected,
            checked=run.counts.checked,
            judged_records=judged,
            sampling=_sampling_words(run),
            answers=answer_rate(self.connection, self.scope, judged=False),
            answers_judged=answer_rate(self.connection, self.scope, judged=True) if judged else None,
            checks=checks,
            reasons=tuple(group for group in reasons if not group.is_error),
            error_reasons=tuple(group for group in reasons if group.is_error),
            answerability=tables[0] if tables else None,
            compared_to=self.before.run.run_id if self.before.run else None,
            compared_as=self.before.name,
            is_baseline=self.before.is_baseline,
            gate=changes.gate,
            answers_change=changes.whole,
            broken=changes.broken,
            fixed=changes.fixed,
            judges=tuple(judges),
            notices=(
                *changes.notices,
                *check_notices(checks),
                *judge_notices(judges, models, self.earlier),
                *self._flag_notices(),
                *canary_notices(judges),
                *(Notice("note", "info", note) for note in run.notes if not _is_told(note)),
            ),
            rejected_lines=tuple(map(_rejected_line, run.rejected_samples)),
            cost_usd=run.cost_usd,
            calls=run.calls,
            tokens_in=sum(judge.tokens_in for judge in judges),
            tokens_out=sum(judge.tokens_out for judge in judges),
            reused=sum(judge.reused for judge in judges),
            files=tuple(entry.path for entry in run.files),
            store=self.store.address,
            notes=run.notes,
        )

    def _rows(self, name: str) -> list[tuple[Any, ...]]:
        return list(
            rows_of(self.connection, load_sql(name, table="verdicts", where=self.scope.where()), self.scope.values())
        )

    def _about_answers(self) -> tuple[tuple[str, ...], tuple[str, ...], int]:
        ((versions, models, judged),) = self._rows("run_info")
        return tuple(versions or ()), tuple(models or ()), judged

    def _judges(self) -> list[JudgeUse]:
        self.calibrations = judge_calibrations(self.connection, self.run.app)
        return [calibrated(use, self.calibrations) for use in judge_uses(self.connection, self.scope)]

    def _checks(self, changes: Mapping[str, Change], judges: Sequence[JudgeUse]) -> tuple[CheckSummary, ...]:
        rates = self._rates(self.scope)
        before = self._rates(Scope.of_runs(self.before.run)) if self.before.run is not None else {}
        categories: dict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
        for check, category, outcome, times in self._rows("category_counts"):
            categories[check, outcome].append((category, times))
        made = [
            replace(self._check(row, rates[row[0]], categories, changes, judges), before=before.get(row[0]))
            for row in self._rows("check_info")
        ]
        return tuple(sorted(made, key=lambda c: (c.severity != "gate", c.kind != "rule", c.check)))

    def _rates(self, scope: Scope) -> dict[str, RateSummary]:
        rows = rates_by(self.connection, scope, by="app_version", group="''")
        return {check: rate_summary(found) for (_, check), found in grouped(rows)}

    def _check(
        self,
        row: Sequence[Any],
        rate: RateSummary,
        categories: Mapping[tuple[str, str], Sequence[tuple[str, int]]],
        changes: Mapping[str, Change],
        judges: Sequence[JudgeUse],
    ) -> CheckSummary:
        check, kind, versions, is_gate, mean, low, high = row
        people = self._calibration_of(check, judges) if kind == "judge" else None
        corrected = corrected_rate(rate, people) if people is not None and people.enough else None
        return CheckSummary(
            check=check,
            kind=kind,
            version=", ".join(version for version in versions or () if version),
            severity="gate" if is_gate else "warn",
            rate=rate,
            errors=_category_counts(categories.get((check, "error"), ()), rate.counts.graded),
            failures=_category_counts(categories.get((check, "fail"), ()), rate.counts.graded),
            mean_score=mean,
            scale=None if low is None or high is None else (low, high),
            corrected=corrected.rate if corrected else None,
            corrected_interval=corrected.interval if corrected and corrected.rate is not None else None,
            corrected_outside=corrected.outside if corrected else None,
            labels=people.labels if people else 0,
            change=changes.get(check),
        )

    def _calibration_of(self, check: str, judges: Sequence[JudgeUse]) -> JudgeCalibration | None:
        """The judge at work against people; with several judges in one run no single correction fits."""
        used = {(use.model, use.rubric, use.rubric_version) for use in judges}
        return self.calibrations.get(JudgeKey(check, *used.pop())) if len(used) == 1 else None

    def _flag_notices(self) -> Iterable[Notice]:
        for flag, answers in self._rows("run_flags"):
            if flag == "possible_injection":
                text = f"{counted(answers, 'answer')} may try to steer the judge; read them: flag possible_injection"
                yield Notice("possible_injection", "warning", text)


def _category_counts(found: Sequence[tuple[str, int]], graded: int) -> tuple[CategoryCount, ...]:
    ordered = sorted(found, key=lambda item: (-item[1], item[0]))
    return tuple(CategoryCount(name, times, times / graded) for name, times in ordered)


def _rejected_line(row: Mapping[str, Any]) -> RejectedLine:
    line = row.get("line")
    return RejectedLine(
        str(row.get("file", "")),
        None if line is None else int(line),
        str(row.get("reason", "")),
        str(row.get("raw", "")),
    )


def _is_told(note: str) -> bool:
    """Whether the words on the sample say it already."""
    return "are always judged" in note


def _sampling_words(run: RunManifest) -> str:
    """How records were chosen for the judge, in words; '' when all were or none."""
    chosen, checked = run.counts.selected, run.counts.checked
    if chosen in {0, checked}:
        return ""
    strata = run.sampling.get("stratify") or ()
    by = f", by {', '.join(map(str, strata))}" if strata else ""
    words = f"{chosen:,} of {checked:,} answers chosen by hash{by}; rates are weighted to all {checked:,}"
    always, nightly = run.sampling.get("always_in", 0), run.sampling.get("nightly")
    if isinstance(nightly, int) and always > nightly:
        words += f"; {always:,} are always judged, more than the {nightly:,} wanted"
    return words
