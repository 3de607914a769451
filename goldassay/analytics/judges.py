"""What each judge model did, how far people confirm it, and what a reader must know before trusting it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import duckdb

from goldassay.analytics.models import CategoryCount, Counts, JudgeUse, Notice, RateSummary
from goldassay.analytics.scope import Scope, load_sql, rows_of
from goldassay.analytics.statistics import CorrectedRate, rogan_gladen
from goldassay.judging.families import same_family
from goldassay.store.manifest import RunManifest

__all__ = [
    "MIN_LABELS",
    "LabelCounts",
    "calibrated",
    "corrected_rate",
    "judge_notices",
    "judge_uses",
    "label_counts",
    "share_family",
]

MIN_LABELS = 20
"""Labels below which a judge does not count as calibrated: kappa of fewer is anyone's guess."""
_SIZE = re.compile(
    r"(?:\d.*|v\d.*|large|medium|small|mini|nano|micro|tiny|base|pro|lite|light|turbo|flash|ultra|plus|max|xl|xxl|"
    r"latest|preview|chat|instruct|it|fast|exp|experimental)"
)


class LabelCounts(NamedTuple):
    """People's labels against the judge's verdicts on the same answers."""

    both_pass: int = 0
    people_pass: int = 0
    both_fail: int = 0
    people_fail: int = 0

    @property
    def total(self) -> int:
        """All labels."""
        return self.people_pass + self.people_fail


def judge_uses(connection: duckdb.DuckDBPyConnection, scope: Scope) -> list[JudgeUse]:
    """What each judge model did in the scope, without calibration."""
    repairs: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for model, repair, times in rows_of(connection, load_sql("judge_repairs", where=scope.where()), scope.values()):
        repairs[model].append((repair, times))
    rows = rows_of(connection, load_sql("judge_use", where=scope.where()), scope.values())
    return [_judge_use(row, repairs.get(row[1], ())) for row in rows]


def _judge_use(row: Sequence[Any], repairs: Iterable[tuple[str, int]]) -> JudgeUse:
    unreadable, replies, readable, repaired = row[7:11]
    return JudgeUse(
        provider=row[0],
        model=row[1],
        rubric=row[2],
        rubric_version=row[3],
        models_reported=tuple(row[4] or ()),
        verdicts=row[5],
        errors=row[6],
        unreadable_share=unreadable / replies if replies else None,
        repaired_share=repaired / readable if readable else None,
        repairs=tuple(CategoryCount(name, times, times / readable) for name, times in repairs),
        reused=row[11],
        calls=row[12],
        tokens_in=row[13],
        tokens_cached=row[14],
        tokens_out=row[15],
        cost_usd=row[16],
        latency_p50_ms=row[17],
        latency_p95_ms=row[18],
        canaries=Counts(passed=row[19], failed=row[20], errors=row[21]),
    )


def label_counts(connection: duckdb.DuckDBPyConnection, app: str) -> dict[tuple[str, str, str], LabelCounts]:
    """People's labels by (check, judge model, rubric version); skipped ones and judge errors are left out."""
    found: dict[tuple[str, str, str], LabelCounts] = defaultdict(LabelCounts)
    for check, model, version, said, judged, times in rows_of(connection, load_sql("label_counts"), {"app": app}):
        old = found[check, model, version]
        agree = times if said == judged else 0
        if said == "pass":
            new = old._replace(both_pass=old.both_pass + agree, people_pass=old.people_pass + times)
        else:
            new = old._replace(both_fail=old.both_fail + agree, people_fail=old.people_fail + times)
        found[check, model, version] = new
    return dict(found)


def corrected_rate(rate: RateSummary, labels: LabelCounts) -> CorrectedRate:
    """Correct the rate among readable verdicts, weighted to the whole log, for the judge's mistakes."""
    bounds = rate.weighted_bounds
    readable = 1 - (bounds.high - bounds.low)
    if rate.weighted is None or readable <= 0:
        return rogan_gladen(0, 0, sensitivity=(0, 0), specificity=(0, 0))
    return rogan_gladen(
        rate.effective_n * bounds.low,
        rate.effective_n * readable,
        sensitivity=(labels.both_pass, labels.people_pass),
        specificity=(labels.both_fail, labels.people_fail),
    )


def calibrated(use: JudgeUse, labels: Mapping[tuple[str, str, str], LabelCounts]) -> JudgeUse:
    """Mark a judge that people have checked."""
    wanted = (use.model, use.rubric_version)
    total = sum(found.total for (_, *judge), found in labels.items() if tuple(judge) == wanted)
    return replace(use, calibrated=total >= MIN_LABELS)


def judge_notices(
    uses: Sequence[JudgeUse], assistant_models: Iterable[str], earlier: Sequence[RunManifest] = ()
) -> list[Notice]:
    """What must be known before trusting these judges.

    Args:
        uses: Judges of the run, marked by `calibrated`.
        assistant_models: Models that gave the answers.
        earlier: Earlier runs, oldest first, for a silent change of the judge model.

    Returns:
        Alarms first.
    """
    models = list(assistant_models)
    notices = [notice for use in uses for notice in _of_judge(use, models, earlier)]
    order = {"alarm": 0, "warning": 1, "info": 2}
    return sorted(dict.fromkeys(notices), key=lambda notice: order[notice.level])


def _of_judge(use: JudgeUse, models: Sequence[str], earlier: Sequence[RunManifest]) -> Iterable[Notice]:
    yield from _silent_change(use, earlier)
    if use.canaries.failed:
        failed = f"{use.canaries.failed} of {use.canaries.graded} canaries"
        text = f"{use.model} failed {failed}: it calls right refusals unsupported"
        yield Notice("canary_failed", "alarm", text)
    for model in models:
        if share_family(use.model, model):
            text = f"judge and system share a model family ({use.model}, {model}): a judge tends to favour its own kin"
            yield Notice("same_family", "warning", text)
    if not use.calibrated:
        text = (
            f"judge not calibrated against human labels: nobody has checked {use.model} with rubric {use.rubric} "
            f"{use.rubric_version}; its rates are its own opinion. Label {MIN_LABELS} answers or more: goldassay review"
        )
        yield Notice("not_calibrated", "warning", text)


def _silent_change(use: JudgeUse, earlier: Sequence[RunManifest]) -> Iterable[Notice]:
    """The same name in the settings, another model behind it."""
    if len(use.models_reported) > 1:
        names = ", ".join(use.models_reported)
        yield Notice("judge_model_changed", "alarm", f"{use.model} answered as {names} within one run")
    before = next(
        (run for run in reversed(earlier) if run.judge.model == use.model and run.judge.models_reported), None
    )
    if before is not None and use.models_reported and set(before.judge.models_reported) != set(use.models_reported):
        was, now = ", ".join(before.judge.models_reported), ", ".join(use.models_reported)
        text = f"{use.model} now answers as {now}; in run {before.run_id} it was {was}: rates are not comparable"
        yield Notice("judge_model_changed", "alarm", text)


def share_family(judge_model: str | None, assistant_model: str | None) -> bool:
    """Whether judge and assistant are kin: of a known family, or of one name but for size and version."""
    if same_family(judge_model, assistant_model):
        return True
    one, two = _stem(judge_model), _stem(assistant_model)
    return bool(one) and one == two


def _stem(model: str | None) -> tuple[str, ...]:
    parts = re.split(r"[^a-z0-9]+", (model or "").casefold().rpartition("/")[2])
    return tuple(part for part in parts if part and not _SIZE.fullmatch(part))
