"""What each judge model did, how far people confirm it, and what a reader must know before trusting it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import duckdb

from goldassay.analytics.calibration import MIN_LABELS
from goldassay.analytics.calibration_models import JudgeCalibration, JudgeKey
from goldassay.analytics.models import NO_COUNTS, CategoryCount, Counts, CriterionTrust, JudgeUse, Notice
from goldassay.analytics.scope import Scope, load_sql, rows_of
from goldassay.judging.families import same_family
from goldassay.store.manifest import RunManifest

__all__ = [
    "calibrated",
    "canary_notices",
    "judge_notices",
    "judge_uses",
    "share_family",
]

_SIZE = re.compile(
    r"(?:\d.*|v\d.*|large|medium|small|mini|nano|micro|tiny|base|pro|lite|light|turbo|flash|ultra|plus|max|xl|xxl|"
    r"latest|preview|chat|instruct|it|fast|exp|experimental)"
)


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
        trust=tuple(CriterionTrust(check, 0, MIN_LABELS) for check in row[22]),
        reasked=row[23],
        flip_share=row[25] / row[24] if row[24] else None,
    )


def calibrated(use: JudgeUse, judges: Mapping[JudgeKey, JudgeCalibration]) -> JudgeUse:
    """Tell of a judge how far people have checked it, criterion by criterion: one says nothing of another."""
    keys = (JudgeKey(one.check, use.model, use.rubric, use.rubric_version) for one in use.trust)
    return replace(use, trust=tuple(_trust(key.check, judges.get(key)) for key in keys))


def _trust(check: str, judge: JudgeCalibration | None) -> CriterionTrust:
    if judge is None:
        return CriterionTrust(check, 0, MIN_LABELS)
    # Without a kappa people and judge gave one and the same answer throughout: that is agreement, if a dull one.
    is_coin = judge.enough and judge.corrected.rate is None and judge.errors.kappa.value is not None
    return CriterionTrust(check, judge.labels, judge.needed, is_coin, judge.errors.kappa.value)


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
    yield from _trust_notices(use)


def canary_notices(uses: Sequence[JudgeUse]) -> list[Notice]:
    """Judges of the run before which no right refusal came, so that nobody knows what they make of one."""
    return [Notice("no_canaries", "info", _NO_CANARIES.replace("JUDGE", use.model)) for use in uses if _untested(use)]


_NO_CANARIES = (
    "no canary stood before JUDGE: no answer of this run rightly refused a question that the golden set calls "
    "unanswerable. Add golden questions with answerable = false, so that a judge that fails refusals is noticed"
)


def _untested(use: JudgeUse) -> bool:
    asked_of_support = any(one.check == "faithful" for one in use.trust)
    return use.provider != "lexical" and use.canaries == NO_COUNTS and asked_of_support


def _trust_notices(use: JudgeUse) -> Iterator[Notice]:
    who = f"{use.model} with rubric {use.rubric} {use.rubric_version}" if use.rubric else use.model
    for one in use.trust:
        if one.is_coin:
            kappa = "unknown" if one.kappa is None else f"{one.kappa:.2f}"
            text = (
                f"{who} grades {one.check} no better than a coin, as far as {one.labels} labelled answers tell (kappa "
                f"{kappa}): do not go by its rate. Mend the rubric or take another judge, then label again"
            )
            yield Notice("judge_is_a_coin", "alarm", f"{text}: goldassay calibrate")
    unchecked = [one for one in use.trust if one.needed]
    if unchecked:
        yield Notice("not_calibrated", "warning", _unchecked(use, unchecked, who))


def _unchecked(use: JudgeUse, unchecked: Sequence[CriterionTrust], who: str) -> str:
    begun = any(one.labels for one in unchecked)
    of = "" if len(unchecked) == len(use.trust) else " on " + " and ".join(one.check for one in unchecked)
    looked = f"people have checked few verdicts of {who}{of}" if begun else f"nobody has checked {who}{of}"
    wanted = ", ".join(f"{one.check} {one.needed}" for one in unchecked)
    opinion = f"judge not calibrated against human labels: {looked}; its rates are its own opinion"
    return f"{opinion}. Labels still needed: {wanted} (goldassay review)"


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
