"""Every number of history, compare and summary against a plain Python recomputation on random stores."""

from __future__ import annotations

import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldassay.analytics.compare import compare
from goldassay.analytics.history import history
from goldassay.analytics.models import RateSummary
from goldassay.analytics.statistics import benjamini_hochberg, mcnemar_exact, wilson_interval
from goldassay.analytics.summary import run_summary
from goldassay.errors import ConfigError
from goldassay.store.store import Store, open_store
from goldassay.verdicts import Category, Verdict

NIGHTS = 4
CATEGORIES = [Category.WRONG_NUMBER, Category.ADDED_CLAIM, Category.OTHER]

rows = st.fixed_dictionaries(
    {
        "night": st.integers(1, NIGHTS),
        "record": st.integers(0, 5),
        "question": st.sampled_from([None, "q0", "q1", "q2"]),
        "check": st.sampled_from(["cites", "refusal", "faithful"]),
        "outcome": st.sampled_from(["pass", "pass", "fail", "fail", "error", "skip", "unsure"]),
        "version": st.sampled_from(["v1", "v2", "1.10"]),
        "category": st.sampled_from(CATEGORIES),
        "answerable": st.sampled_from([None, True, False]),
        "severity": st.sampled_from(["gate", "warn"]),
        "weight": st.sampled_from([1.0, 2.5, 10.0]),
        "score": st.sampled_from([None, 1.0, 3.0, 5.0]),
        "stratum": st.sampled_from([None, "billing", "travel"]),
    }
)
stores = st.lists(rows, max_size=40, unique_by=lambda row: (row["night"], row["record"], row["check"]))


def build(specs: Sequence[dict[str, Any]], folder: str, verdict, publish_run) -> tuple[Store, list[Verdict]]:
    """Write the rows as runs n1..n4; an answer has one version and question, those of its first row."""
    answers: dict[tuple[int, int], dict[str, Any]] = {}
    made: list[Verdict] = []
    for spec in specs:
        own = answers.setdefault((spec["night"], spec["record"]), spec)
        outcome = spec["outcome"]
        made.append(
            verdict(
                f"n{spec['night']}",
                f"n{spec['night']}r{spec['record']}",
                spec["check"],
                outcome,
                question_id=own["question"],
                app_version=own["version"],
                answerable=own["answerable"],
                stratum=own["stratum"],
                severity=spec["severity"],
                weight=spec["weight"],
                score=spec["score"] if outcome in {"pass", "fail"} else None,
                category=spec["category"] if outcome == "fail" else Category.TIMED_OUT if outcome == "error" else None,
                reason="the tone is rude" if spec["category"] is Category.OTHER else "",
            )
        )
    store = open_store(Path(folder))
    for night in sorted({spec["night"] for spec in specs}):
        publish_run(store, f"n{night}", [v for v in made if v.run_id == f"n{night}"])
    return store, made


def moment(verdict: Verdict) -> datetime:
    """When the answer was given."""
    assert verdict.asked_at is not None
    return verdict.asked_at


def same_rate(found: RateSummary, verdicts: Iterable[tuple[str, float]]) -> None:
    """Compare counts, rates, bounds and weights with sums over (outcome, weight)."""
    known = list(verdicts)
    count = Counter(outcome for outcome, _ in known)
    graded = count["pass"] + count["fail"] + count["error"]
    names = ("pass", "fail", "error", "skip", "unsure")
    assert found.counts == tuple(count[name] for name in names)
    assert found.headline == (count["pass"] / graded if graded else None)
    readable = count["pass"] + count["fail"]
    assert found.readable == (count["pass"] / readable if readable else None)
    assert found.readable_interval == wilson_interval(count["pass"], readable)
    if not graded:
        assert (found.weighted, found.bounds, found.interval) == (None, (0, 1), (0, 1))
        return
    weight = {name: sum(w for outcome, w in known if outcome == name) for name in names}
    total = weight["pass"] + weight["fail"] + weight["error"]
    assert found.bounds == (count["pass"] / graded, (count["pass"] + count["error"]) / graded)
    assert found.weighted == pytest.approx(weight["pass"] / total)
    assert found.weighted_bounds == pytest.approx((weight["pass"] / total, (weight["pass"] + weight["error"]) / total))
    assert found.headline is not None
    assert found.weighted is not None
    assert found.interval.low - 1e-9 <= found.headline <= found.interval.high + 1e-9
    assert found.weighted_interval.low - 1e-9 <= found.weighted <= found.weighted_interval.high + 1e-9


def check_history(store: Store, made: Sequence[Verdict]) -> None:
    """Rates by version and day, categories, answerability, flaky questions and causes."""
    report = history(store)

    by_version, by_day = defaultdict(list), defaultdict(list)
    for v in made:
        by_version[v.check, v.app_version].append(v)
        by_day[v.check, moment(v).date()].append(v)
    assert {(r.check, r.version) for r in report.rates} == set(by_version)
    for rate in report.rates:
        found = by_version[rate.check, rate.version]
        same_rate(rate.rate, [(v.outcome, v.weight) for v in found])
        assert (rate.first_seen, rate.last_seen) == (min(map(moment, found)), max(map(moment, found)))
    assert {(d.check, d.day) for d in report.days} == set(by_day)
    for day in report.days:
        same_rate(day.rate, [(v.outcome, v.weight) for v in by_day[day.check, day.day]])
    first = {version: min(moment(v) for v in made if v.app_version == version) for version in report.versions}
    assert list(report.versions) == sorted(first, key=lambda version: (first[version], version))
    same_categories(report, by_version)
    same_answerability(report, made)
    same_flaky(report, made)
    assert {g.category for g in report.reasons if not g.is_error} == {v.category for v in made if v.outcome == "fail"}
    same_causes(report, made, by_version)


def same_categories(report, by_version) -> None:
    """Counts, with zeros where a version had none, and shares by weight; the change is that of the newest two."""
    for trend in report.categories:
        for version, times, share in trend.counts:
            found = by_version[trend.check, version]
            failed = [v for v in found if v.category == trend.category and v.outcome in {"fail", "error"}]
            assert times == len(failed)
            assert share == pytest.approx(sum(v.weight for v in failed) / graded_weight(found))
        shares = [share for _, _, share in trend.counts]
        assert trend.change == (pytest.approx(shares[-1] - shares[-2]) if len(shares) > 1 else None)
        assert (trend.change_p is None) == (trend.change is None)


def graded_weight(verdicts: Iterable[Verdict]) -> float:
    """Answers of the log that the graded verdicts stand for."""
    return sum(v.weight for v in verdicts if v.outcome in {"pass", "fail", "error"})


def same_causes(report, made, by_version) -> None:
    """Verdicts and answers of each cause, and its share of the verdicts of its checks under the newest two versions."""
    failed = [v for v in made if v.outcome == "fail"]
    for group in (group for group in report.reasons if not group.is_error):
        mine = [v for v in failed if v.category == group.category]
        assert group.count == len(mine)
        assert group.answers == len({v.record_id for v in mine})
        assert group.of_answers == len({v.record_id for v in failed})
        assert dict(group.by_version) == {w: sum(v.app_version == w for v in mine) for w in report.versions}
        shares = []
        for version in report.versions:
            graded = sum(graded_weight(by_version[check, version]) for check in group.checks)
            if graded:
                shares.append(sum(v.weight for v in mine if v.app_version == version) / graded)
        assert group.trend == (pytest.approx(shares[-1] - shares[-2]) if len(shares) > 1 else None)


def same_answerability(report, made) -> None:
    """The four cells of each version, and the wrong ones' share by weight."""
    cells: dict[str, Counter[tuple[bool, str]]] = defaultdict(Counter)
    for v in made:
        if v.check == "refusal" and v.answerable is not None and v.outcome in {"pass", "fail"}:
            cells[v.app_version][v.answerable, str(v.outcome)] += 1
    assert {
        t.version: (t.answerable_answered, t.answerable_refused, t.unanswerable_refused, t.unanswerable_answered)
        for t in report.answerability
    } == {
        version: (c[True, "pass"], c[True, "fail"], c[False, "pass"], c[False, "fail"]) for version, c in cells.items()
    }
    for table in report.answerability:
        mine = [v for v in made if v.check == "refusal" and v.app_version == table.version]
        mine = [v for v in mine if v.outcome in {"pass", "fail"}]
        rates = {True: table.refused_answerable_rate, False: table.answered_unanswerable_rate}
        for answerable, rate in rates.items():
            found = [v for v in mine if v.answerable is answerable]
            wrong = sum(v.weight for v in found if v.outcome == "fail")
            assert rate == (pytest.approx(wrong / graded_weight(found)) if found else None)


def same_flaky(report, made) -> None:
    """Changes of outcome in the order of time, within one version."""
    series = defaultdict(list)
    for v in sorted(made, key=lambda v: (moment(v), v.run_id, v.record_id)):
        if v.question_id is not None and v.outcome in {"pass", "fail"}:
            series[v.question_id, v.check, v.app_version].append(str(v.outcome))
    flips = {key: sum(a != b for a, b in pairwise(outcomes)) for key, outcomes in series.items()}
    assert {(f.question_id, f.check, f.version): f.flips for f in report.flaky} == {k: n for k, n in flips.items() if n}


def check_compare(store: Store, made: Sequence[Verdict], base: str, head: str) -> None:
    """Pairs, tables, p-values and their adjustment."""
    latest: dict[tuple[str, str, str], Verdict] = {}
    for v in sorted(made, key=lambda v: (moment(v), v.run_id, v.record_id)):
        if v.outcome in {"pass", "fail"}:
            # The question's text, where it has no id, is made from the record id: no two records share one.
            latest[v.app_version, v.check, v.question_id or v.record_id] = v
    tables: dict[tuple[str, str | None], Counter[tuple[str, str]]] = defaultdict(Counter)
    drawn: dict[tuple[str, str | None], list[tuple[tuple[str, str], float, float]]] = defaultdict(list)
    changed: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
    for (version, check, question), after in latest.items():
        before = latest.get((base, check, question))
        if version != head or before is None:
            continue
        pair = str(before.outcome), str(after.outcome)
        weight = before.weight * after.weight
        if before.record_id == after.record_id:
            weight = max(before.weight, after.weight)
        for stratum in {None, after.stratum or before.stratum}:
            tables[check, stratum][pair] += 1
            drawn[check, stratum].append((pair, weight, after.weight))
        changed[pair].add((before.record_id, after.record_id))

    report = compare(store, base, head, by="app_version")

    found = {(c.check, c.stratum): c for check in report.checks for c in (check.overall, *check.strata)}
    assert set(found) == set(tables)
    for key, table in tables.items():
        change, n = found[key], sum(table.values())
        broken, fixed = table["pass", "fail"], table["fail", "pass"]
        assert (change.common, change.broken, change.fixed) == (n, broken, fixed)
        assert change.still_failing == table["fail", "fail"]
        same_weighted(change, drawn[key], most_drawn(made, head, *key))
    same_adjustment(found, tables)
    lists = {("pass", "fail"): report.broken, ("fail", "pass"): report.fixed, ("fail", "fail"): report.still_failing}
    for pair, questions in lists.items():
        assert {(c.base.record_id, c.head.record_id) for c in questions} == changed[pair]
    same_side_rates(report, made, base, head)
    same_answers(report, latest, base, head)


def most_drawn(made, head: str, check: str, stratum: str | None) -> float:
    """How many answers a readable verdict of the head stands for at most; of a stratum it knows, within that."""
    mine = [v for v in made if (v.check, v.app_version) == (check, head) and v.outcome in {"pass", "fail"}]
    inside = [v for v in mine if stratum is not None and v.stratum == stratum]
    return max(v.weight for v in inside or mine)


def same_weighted(change, pairs, most: float) -> None:
    """Rates by weight; with one weight for all the exact test; none where only what was looked up again pairs."""
    assert change.is_looked_up == (most > 1 and all(weight <= 1 for _, _, weight in pairs))
    if change.is_looked_up:
        assert (change.base_rate, change.p_value, change.claim) == (None, None, "cannot_tell")
        return
    total = sum(weight for _, weight, _ in pairs)
    for side, rate in enumerate((change.base_rate, change.head_rate)):
        assert rate == pytest.approx(sum(weight for pair, weight, _ in pairs if pair[side] == "pass") / total)
    assert change.is_weighted == (len({round(weight, 6) for _, weight, _ in pairs}) > 1)
    if not change.is_weighted:
        assert change.p_value == mcnemar_exact(change.broken, change.fixed)
    assert change.interval.low - 1e-9 <= change.difference <= change.interval.high + 1e-9


def same_answers(report, latest, base: str, head: str) -> None:
    """Whole answers: passed where every check that is a gate in the head passed, of those readable on both sides."""
    outcomes: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for (version, check, question), after in latest.items():
        before = latest.get((base, check, question))
        if version == head and before is not None and after.severity == "gate":
            outcomes[question].append((before.outcome == "pass", after.outcome == "pass"))
    pairs = Counter((all(b for b, _ in found), all(h for _, h in found)) for found in outcomes.values())
    if not pairs:
        assert report.answers is None
        return
    assert (report.answers.common, report.answers.broken) == (len(outcomes), pairs[True, False])
    assert (report.answers.fixed, report.answers.still_failing) == (pairs[False, True], pairs[False, False])


def same_adjustment(found, tables) -> None:
    """Benjamini-Hochberg over the tables that could reach 5 % at all."""
    able = {key: table for key, table in tables.items() if table["pass", "fail"] + table["fail", "pass"] >= 6}
    able = {key: table for key, table in able.items() if not found[key].is_looked_up}
    adjusted = dict(zip(able, benjamini_hochberg([found[key].p_value or 0.0 for key in able]), strict=True))
    for key, change in found.items():
        expected = None if change.is_looked_up else pytest.approx(adjusted.get(key, change.p_value))
        assert change.p_adjusted == expected


def same_side_rates(report, made, base: str, head: str) -> None:
    """The headline of each side, over all its answers."""
    for compared in report.checks:
        for rate, version in ((compared.base_rate, base), (compared.head_rate, head)):
            assert rate is not None
            mine = [v for v in made if (v.check, v.app_version) == (compared.overall.check, version)]
            same_rate(rate, [(v.outcome, v.weight) for v in mine])


def check_summary(store: Store, made: Sequence[Verdict], run_id: str) -> None:
    """Checks, whole answers, causes and what fixing one would bring."""
    mine = [v for v in made if v.run_id == run_id]
    summary = run_summary(store, run_id)

    assert {check.check for check in summary.checks} == {v.check for v in mine}
    for check in summary.checks:
        found = [v for v in mine if v.check == check.check]
        same_rate(check.rate, [(v.outcome, v.weight) for v in found])
        assert {c.category: c.times for c in check.failures} == Counter(
            v.category for v in found if v.outcome == "fail"
        )
        scores = [v.score for v in found if v.score is not None]
        assert check.mean_score == (pytest.approx(sum(scores) / len(scores)) if scores else None)
    same_rate(summary.answers, [(outcome, 1.0) for outcome in answer_outcomes(mine).values()])
    causes: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for v in mine:
        if v.severity == "gate" and v.outcome in {"fail", "error"}:
            causes[v.record_id].add((str(v.category), str(v.outcome)))
    for group in summary.reasons:
        alone = {r for r, found in causes.items() if found == {(group.category, "fail")}}
        assert group.count == sum(v.category == group.category for v in mine if v.outcome == "fail")
        assert group.would_pass == len(alone)


def answer_outcomes(verdicts: Sequence[Verdict]) -> dict[str, str]:
    """Outcome of whole answers over their gate checks."""
    found: dict[str, set[str]] = defaultdict(set)
    for v in verdicts:
        found[v.record_id] |= {str(v.outcome)} if v.severity == "gate" else set()
    order = ("fail", "error", "pass", "unsure")
    return {record: next((o for o in order if o in outcomes), "skip") for record, outcomes in found.items()}


def check_all(specs: Sequence[dict[str, Any]], verdict, publish_run) -> None:
    """History, comparison and summary of one random store."""
    with tempfile.TemporaryDirectory() as folder:
        store, made = build(specs, folder, verdict, publish_run)
        check_history(store, made)
        if {"v1", "v2"} <= {v.app_version for v in made if v.outcome in {"pass", "fail", "error"}}:
            check_compare(store, made, "v1", "v2")
        else:
            with pytest.raises(ConfigError):
                compare(store, "v1", "v2", by="app_version")
        for run_id in {v.run_id for v in made}:
            check_summary(store, made, run_id)


_NO_CHECKS = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@settings(max_examples=10, deadline=None, suppress_health_check=_NO_CHECKS)
@given(specs=stores)
def test_every_number_is_what_plain_python_finds(specs, verdict, publish_run) -> None:
    """Of random runs, row by row."""
    check_all(specs, verdict, publish_run)


@pytest.mark.slow
@settings(max_examples=200, deadline=None, suppress_health_check=_NO_CHECKS)
@given(specs=stores)
def test_every_number_is_what_plain_python_finds_many_times(specs, verdict, publish_run) -> None:
    """The same, on as many stores as a nightly build has time for."""
    check_all(specs, verdict, publish_run)


def test_days_are_days_in_utc(store, verdict, publish_run) -> None:
    """An answer at 23:30 in New York belongs to the next day in UTC, whatever the machine's zone."""
    late = verdict("n1", "a", "cites", "pass")
    publish_run(store, "n1", [late])

    (day,) = history(store).days

    assert day.day == (late.run_at - timedelta(hours=6)).date()


again = st.fixed_dictionaries(
    {
        "record": st.integers(0, 5),
        "check": st.sampled_from(["cites", "refusal", "faithful"]),
        "outcome": st.sampled_from(["pass", "fail", "error", "skip"]),
        "weight": st.sampled_from([1.0, 4.0]),
        "run": st.integers(1, 3),
    }
)


@settings(max_examples=15, deadline=None, suppress_health_check=_NO_CHECKS)
@given(specs=st.lists(again, max_size=30, unique_by=lambda row: (row["run"], row["record"], row["check"])))
def test_an_answer_graded_again_by_a_golden_run_counts_once(specs, verdict, publish_run) -> None:
    """The newest verdict that can be read counts, with the weight the answer had at most; nights before it do not."""
    made = []
    for spec in specs:
        kind = "nightly" if spec["run"] == 1 else "golden"
        fields = {"asked_at": datetime(2026, 3, 29, 12, tzinfo=UTC), "run_kind": kind}
        run, record = f"n{spec['run']}", f"r{spec['record']}"
        made.append(verdict(run, record, spec["check"], spec["outcome"], weight=spec["weight"], **fields))
    kept: dict[tuple[str, str], Verdict] = {}
    for v in sorted(made, key=lambda v: (v.outcome in {"pass", "fail"}, v.outcome == "error", v.run_at)):
        kept[v.record_id, v.check] = v
    weights: dict[tuple[str, str], float] = defaultdict(float)
    for v in made:
        weights[v.record_id, v.check] = max(weights[v.record_id, v.check], v.weight)

    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder))
        for run in sorted({v.run_id for v in made}):
            rows = [v for v in made if v.run_id == run]
            publish_run(store, run, rows, kind=rows[0].run_kind)
        report = history(store)

    for rate in report.rates:
        same_rate(rate.rate, [(v.outcome, weights[key]) for key, v in kept.items() if v.check == rate.check])
    for day in report.days:
        same_rate(day.rate, [(v.outcome, weights[key]) for key, v in kept.items() if v.check == day.check])
    failed = [v for v in kept.values() if v.outcome == "fail"]
    assert sum(group.count for group in report.reasons if not group.is_error) == len(failed)
    categories = [trend for trend in report.categories if not trend.is_error]
    assert sum(count for trend in categories for _, count, _ in trend.counts) == len(failed)
