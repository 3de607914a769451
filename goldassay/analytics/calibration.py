"""Judge against people, from the labels in a store: how far each judge agrees, and people among each other.

A judge is a model, a rubric version and a criterion; a rule that people labelled is measured the same way. Computes
the counts; the figures come from `statistics_calibration`, and the page where labels are given is `goldassay.review`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import duckdb

from goldassay.analytics.calibration_models import (
    CalibrationReport,
    Confusion,
    JudgeCalibration,
    JudgeKey,
)
from goldassay.analytics.calibration_people import Word, pairs_of_people
from goldassay.analytics.connect import connect
from goldassay.analytics.models import RateSummary
from goldassay.analytics.scope import load_sql, rows_of
from goldassay.analytics.statistics_agreement import CorrectedRate
from goldassay.analytics.statistics_calibration import Estimate, JudgedClass, JudgeErrors, corrected_by, judge_errors
from goldassay.analytics.statistics_rates import Cell, Counts, weighted_rate
from goldassay.store.store import Store

__all__ = [
    "FLAGGED",
    "MIN_EACH",
    "MIN_LABELS",
    "calibration",
    "corrected_rate",
    "judge_calibrations",
]

MIN_LABELS = 20
"""Labelled answers below which a judge does not count as calibrated: kappa of fewer is anyone's guess."""
MIN_EACH = 5
"""Labelled answers wanted of each outcome of the judge: one error rate hangs on each."""
FLAGGED = "(NOT list_has_all(['refusal', 'canary', 'same_family'], coalesce(v.flags, [])))"
"""SQL: the verdict is in the class that `goldassay review --first flagged` draws from separately. Flags that describe
the record or the whole run are no reason to look."""


class _Population(NamedTuple):
    """Verdicts of one judge that share outcome, flag and weight."""

    key: JudgeKey
    outcome: str
    flagged: bool
    weight: float
    verdicts: int


class _Labelled(NamedTuple):
    """One answer with what people said of it, together."""

    outcome: str
    flagged: bool
    weight: float
    people_pass: float
    """1: all who labelled it pass it."""


def calibration(store: Store, *, app: str, check: str | None = None) -> CalibrationReport:
    """Measure every judge that people labelled.

    Args:
        store: Where labels and verdicts are.
        app: The assistant.
        check: Only this rule or criterion.

    Returns:
        Judges by criterion, those with most labels first; pairs of people likewise.
    """
    with connect(store) as connection:
        words = _words(connection, app)
        judges = judge_calibrations(connection, app, words=words)
    shown = [judge for judge in judges.values() if check in {None, judge.key.check}]
    kept = [word for word in words if check in {None, word.key.check}]
    return CalibrationReport(
        app=app,
        judges=tuple(sorted(shown, key=lambda judge: (judge.key.check, -judge.labels, judge.key))),
        people=pairs_of_people(kept),
    )


def judge_calibrations(
    connection: duckdb.DuckDBPyConnection, app: str, *, words: Sequence[Word] | None = None
) -> dict[JudgeKey, JudgeCalibration]:
    """Every judge with at least one label, over an open connection."""
    by_judge: dict[JudgeKey, list[Word]] = defaultdict(list)
    for word in _words(connection, app) if words is None else words:
        by_judge[word.key].append(word)
    if not by_judge:
        return {}
    populations: dict[JudgeKey, list[_Population]] = defaultdict(list)
    for row in rows_of(connection, load_sql("calibration_verdicts", flagged=FLAGGED), {"app": app}):
        population = _Population(JudgeKey(*row[:4]), *row[4:])
        populations[population.key].append(population)
    return {key: _calibration(key, found, populations[key]) for key, found in by_judge.items()}


def corrected_rate(rate: RateSummary, judge: JudgeCalibration) -> CorrectedRate:
    """Correct a run's rate among readable verdicts, weighted to the whole log, for the judge's mistakes."""
    bounds = rate.weighted_bounds
    readable = 1 - (bounds.high - bounds.low)
    if rate.weighted is None or readable <= 0:
        return corrected_by(0, 0, judge.errors)
    return corrected_by(rate.effective_n * bounds.low, rate.effective_n * readable, judge.errors)


def _words(connection: duckdb.DuckDBPyConnection, app: str) -> list[Word]:
    rows = rows_of(connection, load_sql("calibration_labels", flagged=FLAGGED), {"app": app})
    return [Word(JudgeKey(*row[:4]), *row[4:]) for row in rows]


def _calibration(key: JudgeKey, words: Sequence[Word], population: Sequence[_Population]) -> JudgeCalibration:
    by_answer: dict[tuple[str, str], list[Word]] = defaultdict(list)
    for word in words:
        if word.said in {"pass", "fail"}:
            by_answer[word.run_id, word.record_id].append(word)
    blind = [together for found in by_answer.values() if (together := _together(found)) is not None]
    labelled = [answer for answer in blind if answer.outcome in {"pass", "fail"}]
    passed, failed = (_class(outcome, labelled, population) for outcome in ("pass", "fail"))
    errors = judge_errors(passed, failed)
    raw = _raw(population)
    return JudgeCalibration(
        key=key,
        verdicts=_counts(population),
        labels=len(labelled),
        people=tuple(sorted({word.labeller for word in words if word.said in {"pass", "fail"}})),
        confusion=_confusion(labelled),
        errors=errors,
        raw=raw,
        corrected=_corrected(raw, errors),
        needed=_needed(labelled, population),
        errors_labelled=sum(answer.outcome == "error" for answer in blind),
        not_blind=len(by_answer) - len(blind),
    )


def _corrected(raw: Estimate, errors: JudgeErrors) -> CorrectedRate:
    """Rogan-Gladen on the very answers the errors are known from: its rate is the one people gave.

    So is its interval, which is narrower than for another run: rate and errors were not found apart.
    """
    corrected = corrected_by((raw.value or 0.0) * raw.effective, raw.effective, errors)
    return corrected if corrected.rate is None else corrected._replace(interval=errors.people.interval)


def _together(words: Iterable[Word]) -> _Labelled | None:
    """What people say of one answer; None when all of them had seen the verdict."""
    blind = [word for word in words if word.blind]
    if not blind:
        return None
    share = sum(word.said == "pass" for word in blind) / len(blind)
    return _Labelled(blind[0].outcome, blind[0].flagged, blind[0].weight, share)


def _class(outcome: str, labelled: Sequence[_Labelled], population: Sequence[_Population]) -> JudgedClass:
    inside = [part for part in population if part.outcome == outcome]
    answers = [answer for answer in labelled if answer.outcome == outcome]
    weights = _weights(answers, inside)
    total, squares = sum(weights), sum(weight**2 for weight in weights)
    share = sum(w * a.people_pass for w, a in zip(weights, answers, strict=True)) / total if total else None
    return JudgedClass(
        verdicts=sum(part.verdicts for part in inside),
        weight=sum(part.weight * part.verdicts for part in inside),
        people_pass=share,
        effective=total**2 / squares if squares else 0.0,
    )


def _weights(answers: Sequence[_Labelled], population: Sequence[_Population]) -> list[float]:
    """How many answers each labelled one stands for: flagged and other answers are weighted to their own numbers.

    Taken from what is labelled now, not from a plan: a person may stop at any answer.
    """
    size, known = (dict.fromkeys((True, False), 0.0) for _ in range(2))
    for part in population:
        size[part.flagged] += part.weight * part.verdicts
    for answer in answers:
        known[answer.flagged] += answer.weight
    if any(size[flag] and not known[flag] for flag in size):  # nobody looked at one of the two: they count as one
        factor = sum(size.values()) / (sum(known.values()) or 1.0)
        return [answer.weight * factor for answer in answers]
    return [answer.weight * size[answer.flagged] / known[answer.flagged] for answer in answers]


def _confusion(labelled: Iterable[_Labelled]) -> Confusion:
    both_pass = judge_only = people_only = both_fail = 0.0
    for answer in labelled:
        if answer.outcome == "pass":
            both_pass += answer.people_pass
            judge_only += 1 - answer.people_pass
        else:
            people_only += answer.people_pass
            both_fail += 1 - answer.people_pass
    return Confusion(both_pass, judge_only, people_only, both_fail)


def _counts(population: Sequence[_Population]) -> Counts:
    total: Mapping[str, int] = {
        outcome: sum(part.verdicts for part in population if part.outcome == outcome)
        for outcome in ("pass", "fail", "error", "unsure")
    }
    return Counts(passed=total["pass"], failed=total["fail"], errors=total["error"], unsure=total["unsure"])


def _raw(population: Sequence[_Population]) -> Estimate:
    by_weight: dict[float, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for part in population:
        if part.outcome in {"pass", "fail"}:
            by_weight[part.weight][0] += part.verdicts * (part.outcome == "pass")
            by_weight[part.weight][1] += part.verdicts
    cells = [
        Cell(int(n), k * w, n * w, k * w * w, k * w * w, n * w * w, n * w * w)
        for w, (k, n) in sorted(by_weight.items())
    ]
    rate = weighted_rate(cells)
    return Estimate(rate.rate, rate.interval, rate.effective_n)


def _needed(labelled: Sequence[_Labelled], population: Sequence[_Population]) -> int:
    """Answers still to label: `MIN_LABELS` in all, `MIN_EACH` of each outcome, or all there are of it."""
    missing = 0
    for outcome in ("pass", "fail"):
        there = sum(part.verdicts for part in population if part.outcome == outcome)
        missing += max(0, min(MIN_EACH, there) - sum(answer.outcome == outcome for answer in labelled))
    return max(missing, MIN_LABELS - len(labelled), 0)
