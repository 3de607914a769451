"""Fits the coefficients of the rule `support` on people's labels and says, cross-validated, how good they are.

    python benchmarks/fit_support.py            # measures, and writes goldassay/rules/data/support_model.json
    python benchmarks/fit_support.py --measure  # measures only

Data: the open labelled sets with sources beside the project; sets under a
non-commercial licence (`-nc`) are scored but never fitted on. All rows that share
their sources (`label_detail.group`), or an answer of the WiCE sets, fall into one
fold. Every set, and in it every label, weighs the same, so that no set is tuned for.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import math
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
OUT = ROOT / "goldassay" / "rules" / "data"
SETS = (
    "attributionbench", "begin", "factcheckgpt_stance", "faithbench-nc", "mtrag_human", "q2_wow",
    "rgb_counterfactual-nc", "summ_summeval_qags", "summedits", "uhgeval_zh", "wice_claims", "wice_judge",
)  # fmt: skip
FOLDS = 5
LEAST_DOCUMENTS = 15
"""Stems in fewer source texts all get the highest weight."""
CONTEXT = (
    "sources_log", "answer_log", "has_question", "sources_count_log", "has_capitals", "is_tokenised", "sources_lines",
)  # fmt: skip
"""What kind of answer it is: the meaning of the features below shifts with it, hence their products."""
SIGNALS = (
    "recall_weighted", "recall_with_question", "window_min", "window_mean", "triples", "pairs", "verbatim",
    "common_mean", "invented_log", "numbers_wrong", "names_unknown",
    "recall_in_best_source", "content_common_min",
)  # fmt: skip
RISING = (
    "recall", "recall_weighted", "recall_with_question", "recall_of_all_words", "recall_in_best_source",
    "pairs", "triples", "pairs_of_known", "triples_of_known", "verbatim",
    "window_min", "window_mean", "sentence_min",
    "common_min", "common_mean", "content_common_min", "content_common_mean",
)  # fmt: skip
FALLING = (
    "novel_log", "invented_log", "invented_rarest", "invented_rarity", "weak_sentences",
    "numbers_wrong", "numbers_wrong_share", "numbers_far", "names_unknown", "names_unknown_share",
    "negation_added",
)  # fmt: skip
"""Features that may only raise (lower) the score: more overlap must never count against an answer."""


class Rows(NamedTuple):
    names: tuple[str, ...]
    values: np.ndarray
    labels: np.ndarray
    sets: np.ndarray
    groups: np.ndarray
    by_law: np.ndarray
    """Refusals, which are supported whatever the coefficients say."""
    wrong_numbers: np.ndarray
    """Answers in which rule `numbers` finds a number of no source: they fail whatever the coefficients say."""


def labelled() -> list[tuple[str, dict[str, Any]]]:
    """Rows that have sources, an answer and the label `faithful`."""
    rows = []
    for name in SETS:
        path = DATA / f"{name}.jsonl.gz"
        if not path.is_file():
            continue
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                if row.get("sources") and row.get("answer", "").strip() and "faithful" in row.get("labels", {}):
                    rows.append((name, row))
    return rows


def count_rarity(rows: list[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    """In how many source texts each stem stands, as inverse document frequency."""
    from goldassay.rules.support_words import source_tokens
    from goldassay.text import normalise

    texts = {source["text"] for name, row in rows if not name.endswith("-nc") for source in row["sources"]}
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(set(source_tokens(normalise(text).text)))
    kept = {s: round(math.log(len(texts) / c), 2) for s, c in sorted(counts.items()) if c >= LEAST_DOCUMENTS}
    return {"most": round(math.log(len(texts) / 3), 2), "rarity": kept}


def read_rows(rows: list[tuple[str, dict[str, Any]]]) -> Rows:
    """Features of every row, through the same path as the rule."""
    from goldassay.records import AnswerRecord
    from goldassay.rules.context import RuleContext
    from goldassay.rules.support import reading_of
    from goldassay.rules.support_features import read_support
    from goldassay.verdicts import Outcome

    table, labels, sets, groups, by_law, wrong = [], [], [], [], [], []
    names: tuple[str, ...] = ()
    for name, row in rows:
        record = AnswerRecord(
            record_id=row["id"], question=row.get("question", ""), answer=row["answer"], sources=row["sources"]
        )
        context = RuleContext(record)
        reading = reading_of(context)
        if not reading.stems:
            continue
        features = read_support(reading)
        names = tuple(features)
        table.append(tuple(features.values()))
        labels.append(bool(row["labels"]["faithful"]))
        sets.append(name)
        group = row["answer"] if name.startswith("wice") else row["label_detail"]["group"]
        groups.append(group)
        by_law.append(context.is_refusal is True)
        wrong.append(context.numbers.outcome is Outcome.FAIL)
    return Rows(names, *map(np.array, (table, labels, sets, groups, by_law, wrong)))


def balanced_weights(labels: np.ndarray, sets: np.ndarray) -> np.ndarray:
    weights = np.zeros(len(labels))
    for name in np.unique(sets):
        for label in (False, True):
            chosen = (sets == name) & (labels == label)
            weights[chosen] = 1 / max(1, chosen.sum())
    return weights / weights.mean()


class Linear:
    """Logistic regression over features and products of features, with an L2 penalty."""

    def __init__(self, names: tuple[str, ...], penalty: float = 100.0) -> None:
        self.pairs = [(names.index(a), names.index(b)) for a in CONTEXT for b in SIGNALS]
        self.penalty = penalty

    def expanded(self, values: np.ndarray) -> np.ndarray:
        scaled = (values - self.mean) / self.scale
        return np.concatenate([scaled, np.stack([scaled[:, a] * scaled[:, b] for a, b in self.pairs], 1)], 1)

    def fit(self, values: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> Linear:
        self.mean, self.scale = values.mean(0), values.std(0) + 1e-9
        wide = self.expanded(values)
        centre, spread = np.average(wide, 0, weights), wide.std(0) + 1e-9
        design = np.concatenate([(wide - centre) / spread, np.ones((len(wide), 1))], 1)
        target = labels.astype(float)

        def loss(b: np.ndarray) -> tuple[float, np.ndarray]:
            z = design @ b
            gradient = design.T @ (weights * (1 / (1 + np.exp(-z)) - target))
            gradient[:-1] += self.penalty * b[:-1]
            value = np.sum(weights * (np.logaddexp(0, z) - target * z)) + self.penalty * np.sum(b[:-1] ** 2) / 2
            return float(value), gradient

        solved = minimize(loss, np.zeros(design.shape[1]), jac=True, method="L-BFGS-B").x
        self.coefficients = solved[:-1] / spread
        self.intercept = float(solved[-1] - np.sum(solved[:-1] * centre / spread))
        return self

    def logits(self, values: np.ndarray) -> np.ndarray:
        return self.expanded(values) @ self.coefficients + self.intercept


class Trees:
    """Boosted trees of depth three over binned features, monotone where the meaning of a feature asks for it."""

    def __init__(self, names: tuple[str, ...], count: int = 100, rate: float = 0.1, bags: int = 2) -> None:
        self.signs = np.array([(n in RISING) - (n in FALLING) for n in names])
        self.count, self.rate, self.bags = count, rate, bags
        self.depth, self.bins, self.ridge, self.least = 3, 32, 10.0, 2.0

    def fit(self, values: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> Trees:
        columns = values.shape[1]
        quantiles = np.linspace(0, 1, self.bins + 1)[1:-1]
        self.edges = [np.unique(np.quantile(values[:, j], quantiles)) for j in range(columns)]
        binned = np.stack([np.searchsorted(self.edges[j], values[:, j], side="right") for j in range(columns)], 1)
        self.trees: list[tuple[list[tuple[int, float]], list[float]]] = []
        for seed in range(self.bags):
            self._boost(binned, labels, weights, np.random.default_rng(seed))
        return self

    def _boost(self, binned: np.ndarray, labels: np.ndarray, weights: np.ndarray, random: np.random.Generator) -> None:
        rows, columns = binned.shape
        logits = np.zeros(rows)
        for _ in range(self.count):
            chance = 1 / (1 + np.exp(-logits))
            slope, bend = weights * (chance - labels), weights * chance * (1 - chance)
            sample = np.flatnonzero(random.random(rows) < 0.7)
            chosen = np.flatnonzero(random.random(columns) < 0.5)
            logits += self._grow(binned, slope, bend, sample, chosen)

    def _grow(
        self, binned: np.ndarray, slope: np.ndarray, bend: np.ndarray, sample: np.ndarray, chosen: np.ndarray
    ) -> np.ndarray:
        width, bins = len(chosen), self.bins
        node = np.zeros(len(binned), int)
        small = binned[np.ix_(sample, chosen)]
        offsets = np.arange(width) * bins
        splits: list[tuple[int, float]] = []
        for level in range(self.depth):
            nodes = 2**level
            key = (node[sample][:, None] * (width * bins) + offsets + small).ravel()
            shape = (nodes, width, bins)
            left_slope, left_bend = (
                np.bincount(key, np.repeat(x[sample], width), math.prod(shape)).reshape(shape).cumsum(2)
                for x in (slope, bend)
            )
            all_slope, all_bend = left_slope[:, :, -1:], left_bend[:, :, -1:]
            right_slope, right_bend = all_slope - left_slope, all_bend - left_bend
            gain = (
                left_slope**2 / (left_bend + self.ridge)
                + right_slope**2 / (right_bend + self.ridge)
                - all_slope**2 / (all_bend + self.ridge)
            )
            rise = left_slope / (left_bend + self.ridge) - right_slope / (right_bend + self.ridge)
            forbidden = (left_bend < self.least) | (right_bend < self.least)
            forbidden |= self.signs[chosen][None, :, None] * rise < 0
            gain[forbidden] = -1
            following = node * 2
            for k in range(nodes):
                column, cut = np.unravel_index(int(np.argmax(gain[k])), gain[k].shape)
                if gain[k, column, cut] <= 1e-6:
                    splits.append((0, math.inf))
                    continue
                feature = int(chosen[column])
                splits.append((feature, float(self.edges[feature][cut])))
                here = node == k
                following[here] += binned[here, feature] > cut
            node = following
        leaves = 2**self.depth
        sums = [np.bincount(node[sample], x[sample], leaves) for x in (slope, bend)]
        leaf = -self.rate * sums[0] / (sums[1] + self.ridge)
        self.trees.append((splits, (leaf / self.bags).tolist()))
        return leaf[node]

    def logits(self, values: np.ndarray) -> np.ndarray:
        total = np.zeros(len(values))
        for splits, leaf in self.trees:
            node = np.zeros(len(values), int)
            for level in range(self.depth):
                first = 2**level - 1
                following = node * 2
                for k in range(2**level):
                    feature, cut = splits[first + k]
                    here = node == k
                    following[here] += values[here, feature] >= cut
                node = following
            total += np.array(leaf)[node]
        return total


def fit(rows: Rows, chosen: np.ndarray) -> tuple[Linear, Trees]:
    labels, sets = rows.labels[chosen], rows.sets[chosen]
    weights = balanced_weights(labels, sets)
    values = rows.values[chosen]
    return Linear(rows.names).fit(values, labels, weights), Trees(rows.names).fit(values, labels, weights)


def scores(model: tuple[Linear, Trees], values: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-(model[0].logits(values) + model[1].logits(values)) / 2))


def cross_validated(rows: Rows, seed: int) -> np.ndarray:
    """Score of each row by a model that saw neither its group nor any non-commercial set."""
    folds = np.array([int(hashlib.sha256(f"{seed}:{g}".encode()).hexdigest(), 16) % FOLDS for g in rows.groups])
    free = ~np.char.endswith(rows.sets, "-nc")
    found = np.zeros(len(rows.labels))
    for fold in range(FOLDS):
        held = folds == fold
        found[held] = scores(fit(rows, ~held & free), rows.values[held])
    found[rows.wrong_numbers] = 0.0
    found[rows.by_law] = 1.0
    return found


def balanced_accuracy(labels: np.ndarray, passed: np.ndarray) -> float:
    return float((passed[labels].mean() + (~passed[~labels]).mean()) / 2)


def by_set(rows: Rows, found: np.ndarray, threshold: float) -> dict[str, float]:
    passed = found >= threshold
    return {
        str(name): balanced_accuracy(rows.labels[rows.sets == name], passed[rows.sets == name])
        for name in np.unique(rows.sets)
    }


def shipped(rows: Rows, model: tuple[Linear, Trees], threshold: float, version: str) -> dict[str, Any]:
    linear, trees = model

    def short(values: Any) -> list[float]:
        return [float(f"{value:.6g}") for value in values]

    return {
        "features_version": version,
        "features": list(rows.names),
        "threshold": threshold,
        "mean": short(linear.mean),
        "scale": short(linear.scale),
        "pairs": [list(pair) for pair in linear.pairs],
        "coefficients": short(linear.coefficients),
        "intercept": float(f"{linear.intercept:.6g}"),
        "trees": [
            {
                "features": [feature for feature, _ in splits],
                "cuts": [None if math.isinf(cut) else float(f"{cut:.6g}") for _, cut in splits],
                "leaves": short(leaf),
            }
            for splits, leaf in trees.trees
        ],
    }


def report(rows: Rows, seeds: int, threshold: float) -> None:
    """Balanced accuracy of each set and their mean, averaged over ways to cut the folds."""
    runs = [by_set(rows, cross_validated(rows, seed), threshold) for seed in range(seeds)]
    for name in runs[0] if runs else ():
        print(f"{name:24s} {np.mean([run[name] for run in runs]):.3f}  ({int((rows.sets == name).sum())} rows)")
    means = [float(np.mean(list(run.values()))) for run in runs]
    if means:
        each = ", ".join(f"{mean:.3f}" for mean in means)
        print(f"mean balanced accuracy   {np.mean(means):.3f}  over {len(means)} cuts of the folds: {each}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", action="store_true", help="cross-validate only, write nothing")
    parser.add_argument("--seeds", type=int, default=5, help="ways to cut the folds; figures are their mean")
    options = parser.parse_args()
    if not DATA.is_dir():
        print("no labelled data beside the project: nothing to fit on")
        return 0
    raw = labelled()
    if not options.measure:
        (OUT / "word_rarity.json").write_text(
            json.dumps(count_rarity(raw), ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8"
        )
    from goldassay.rules.support_features import FEATURES_VERSION

    rows = read_rows(raw)
    print(f"{len(rows.labels)} rows, {len(rows.names)} features")
    threshold = 0.5
    if not options.measure:
        free = ~np.char.endswith(rows.sets, "-nc")
        text = json.dumps(shipped(rows, fit(rows, free), threshold, FEATURES_VERSION))
        (OUT / "support_model.json").write_text(text + "\n", encoding="utf-8")
    report(rows, options.seeds, threshold)
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
