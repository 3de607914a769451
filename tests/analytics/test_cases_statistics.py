"""The collected statistics cases through one adapter: it maps a case's words onto the product's functions.

`GOLDASSAY_CASES` may name another file of the same form; its rows of topic `statistics` are then taken.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from goldassay.analytics.gate import MIN_COMMON, rate_finding
from goldassay.analytics.judges import judge_notices
from goldassay.analytics.models import Counts, CriterionTrust, GateState, JudgeUse
from goldassay.analytics.statistics import (
    Cell,
    agreement,
    benjamini_hochberg,
    claim_of,
    composite_score,
    mcnemar_exact,
    mean_bounds,
    more_questions,
    newcombe_paired_difference,
    pairwise_result,
    rate_bounds,
    repeat_stability,
    weighted_rate,
    wilson_interval,
)
from goldassay.analytics.tally import plain_rate

DEFAULT = Path(__file__).resolve().parents[1] / "cases" / "statistics.jsonl"


def read_cases() -> list[dict[str, Any]]:
    """Rows of topic `statistics`."""
    path = Path(os.environ.get("GOLDASSAY_CASES", DEFAULT))
    with path.open(encoding="utf-8") as file:
        found = [json.loads(line) for line in file if line.strip()]
    return [case for case in found if case["topic"] == "statistics"]


def mean(scores: Sequence[float]) -> float | None:
    """None for no score: nothing is known."""
    return sum(scores) / len(scores) if scores else None


def score_of(value: Any) -> float | None:
    """A readable score; None for a judge error in any spelling."""
    if isinstance(value, Mapping):
        value = value.get("score")
    return float(value) if isinstance(value, int | float) else None


def of_scores(values: Sequence[Any]) -> dict[str, Any]:
    """Mean over readable scores, errors counted apart, bounds beside."""
    scores = [score for score in map(score_of, values) if score is not None]
    errors = len(values) - len(scores)
    low, high = mean_bounds(scores, errors)
    return {"mean": mean(scores), "n": len(scores), "judge_errors": errors, "bounds": [low, high]}


def of_runs(given: Mapping[str, Any]) -> dict[str, Any]:
    """Two runs: each by itself, and compared on rows readable in both."""
    runs: Mapping[str, Mapping[str, Any]] = given["runs"]
    result: dict[str, Any] = {name: of_scores(list(rows.values())) for name, rows in runs.items()}
    first, *_, last = runs
    readable = {
        name: {row for row, value in rows.items() if score_of(value) is not None} for name, rows in runs.items()
    }
    common = [row for row in runs[first] if row in readable[first] & readable[last]]
    means = {name: mean([score_of(runs[name][row]) or 0.0 for row in common]) for name in (first, last)}
    difference = None if not common else (means[last] or 0.0) - (means[first] or 0.0)
    verdict = "not_enough_rows" if len(common) < MIN_COMMON else "compared"
    return result | {"compare": {"common_rows": common, **means, "difference": difference, "verdict": verdict}}


def of_parts(given: Mapping[str, Any]) -> dict[str, Any]:
    """A composite is incomplete as soon as a part that counts is missing."""
    value = composite_score([(part.get("weight", 1), part.get("score")) for part in given["parts"]])
    return {"composite": value, "status": "incomplete" if value is None else "complete"}


def of_rows(given: Mapping[str, Any]) -> dict[str, Any]:
    """An empty answer is the system's failure; a missing verdict otherwise is the judge's."""
    outcomes = [row["verdict"] or ("fail" if row.get("answer") == "" else "judge_error") for row in given["rows"]]
    passed, failed, errors = (outcomes.count(name) for name in ("pass", "fail", "judge_error"))
    return of_counts({"pass": passed, "fail": failed, "judge_error": errors})


def of_counts(given: Mapping[str, Any]) -> dict[str, Any]:
    """Pass rate among readable verdicts with its interval, bounds, and the gate if there is one."""
    passed, failed = int(given.get("pass", 0)), int(given.get("fail", 0))
    errors = int(given.get("judge_error", given.get("judge_errors", given.get("error", 0))))
    n = passed + failed
    result: dict[str, Any] = {
        "pass": passed,
        "fail": failed,
        "judge_error": errors,
        "judge_errors": errors,
        "n": n,
        "pass_rate": passed / n if n else None,
        "ci95": list(wilson_interval(passed, n)),
        "bounds": list(rate_bounds(passed, failed, errors)),
        "method": "wilson",
    }
    if "gate" in given:
        finding = rate_finding(plain_rate(Counts(passed, failed)), given["gate"]["min_pass_rate"], "rate")
        result |= {"gate": str(finding.state), "reason": "" if finding.state is GateState.PASS else finding.found}
    return result


def of_labels(given: Mapping[str, Any]) -> dict[str, Any]:
    """People against the judge."""
    found = agreement(given["human"], given["judge"])
    result: dict[str, Any] = {"agreement": found.agreement, "kappa": found.kappa, "n": found.n}
    result |= {"kappa_note": found.kappa_note, "warning": ", ".join(found.warnings)}
    return result | {f"{label}_recall": recall for label, recall in found.recall.items()}


def of_pairwise(given: Mapping[str, Any]) -> dict[str, Any]:
    """Both orders of a pair."""
    found = pairwise_result([(tuple(v["order"]), v.get("winner")) for v in given["verdicts"]])
    result = {"win": found.winner, "tie": "tie", "error": "judge_error"}[found.outcome]
    return {
        "result": result,
        "winner": found.winner,
        "position_inconsistent": found.position_inconsistent,
        "counts_as_win": found.outcome == "win",
        "counts_as_tie": found.outcome == "tie",
    }


def of_models(given: Mapping[str, Any]) -> dict[str, Any]:
    """What is said of the judge before the run goes on; a note's first words are its claim."""
    trust = CriterionTrust("faithful", labels=0, needed=0 if given.get("calibration") is not None else 20)
    use = JudgeUse(provider="", model=given["judge_model"], trust=(trust,))
    notices = judge_notices([use], [given["system_model"]])
    return {"warning": [re.split(r" \(|: ", notice.text)[0] for notice in notices], "run": "continues"}


def of_repeats(given: Mapping[str, Any]) -> dict[str, Any]:
    """The same answers judged again."""
    mark = float(re.findall(r"-?\d+(?:\.\d+)?", str(given["pass_rule"]))[0])
    found = repeat_stability(given["repeat_judgements"], pass_mark=mark)
    return {
        "flip_rate": found.flip_rate,
        "unstable_rows": list(found.unstable),
        "aggregate_rule": "median",
        "scores": dict(found.scores),
    }


def of_paired(given: Mapping[str, Any]) -> dict[str, Any]:
    """Discordant pairs of two versions."""
    broken, fixed = given["paired"]["only_v1_pass"], given["paired"]["only_v2_pass"]
    n = given.get("n", broken + fixed)
    p_value, difference = mcnemar_exact(broken, fixed), (fixed - broken) / n
    interval = newcombe_paired_difference(n - broken - fixed, broken, fixed, 0)
    claim = claim_of(difference, interval, p_value)
    needed = more_questions(n, broken, fixed) if claim == "cannot_tell" else None
    return {"mcnemar_exact_p": p_value, "difference": difference, "claim": claim, "more_questions": needed}


def of_p_values(given: Mapping[str, Any]) -> dict[str, Any]:
    """Many tests at once."""
    values = given["p_values"]
    named = values if isinstance(values, Mapping) else dict(enumerate(values))
    adjusted = dict(zip(named, benjamini_hochberg(list(named.values())), strict=True))
    return {
        "adjusted": adjusted if isinstance(values, Mapping) else list(adjusted.values()),
        "significant": [name for name, p in adjusted.items() if p is not None and p < 0.05],
    }


def of_strata(given: Mapping[str, Any]) -> dict[str, Any]:
    """A sample with unequal chances."""
    strata = given["strata"]
    cells = []
    for stratum in strata.values() if isinstance(strata, Mapping) else strata:
        n, passed = stratum["sampled"], stratum["pass"]
        w = stratum["population"] / n
        cells.append(Cell(n, passed * w, n * w, passed * w * w, passed * w * w, n * w * w, n * w * w))
    found = weighted_rate(cells)
    return {"pass_rate": found.rate, "ci95": list(found.interval), "effective_n": found.effective_n}


ADAPTERS: Sequence[tuple[str, Callable[[Mapping[str, Any]], dict[str, Any]]]] = (
    ("runs", of_runs),
    ("scores", lambda given: of_scores(given["scores"])),
    ("parts", of_parts),
    ("rows", of_rows),
    ("human", of_labels),
    ("verdicts", of_pairwise),
    ("system_model", of_models),
    ("repeat_judgements", of_repeats),
    ("paired", of_paired),
    ("p_values", of_p_values),
    ("strata", of_strata),
    ("pass", of_counts),
)
"""The first key of a case's input that is listed here decides what is asked of the product."""


def adapt(given: Mapping[str, Any]) -> dict[str, Any]:
    """Ask the product what the case asks."""
    for key, adapter in ADAPTERS:
        if key in given:
            return adapter(given)
    if given and all(isinstance(value, Mapping) for value in given.values()):
        return {name: adapt(value) for name, value in given.items()}
    pytest.fail(f"no adapter for an input with {sorted(given)}; add one to ADAPTERS")


def same(found: Any, expected: Any, path: str) -> None:
    """Compare the keys of `expected` only; numbers to four places; `not` names values that would be wrong."""
    if isinstance(expected, Mapping):
        for key, value in expected.items():
            if key == "not":
                continue
            assert key in found, f"{path}: the product says nothing of {key!r}"
            same(found[key], value, f"{path}.{key}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), path
        for position, (one, two) in enumerate(zip(found, expected, strict=True)):
            same(one, two, f"{path}[{position}]")
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, abs=5.1e-5), path
    else:
        assert found == expected, path


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case["case"])
def test_reported_trouble_does_not_happen_here(case) -> None:
    """Each case is somebody's real trouble with statistics of evaluations."""
    found = adapt(case["input"])

    same(found, case["expected"], case["case"])
    wrong = case["expected"].get("not", [])
    for value in wrong if isinstance(wrong, list) else [wrong]:
        assert value not in [found.get(key) for key in ("mean", "composite", "pass_rate")]
