"""Turns the features of `goldassay.rules.support_features` into a score, with the shipped coefficients.

The mean of two readings of the same row: a logistic regression with products of
features, and small boosted trees. Fitted by `benchmarks/fit_support.py`; plain
Python, no numeric library.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

from goldassay.rules.support_features import FEATURES_VERSION

__all__ = ["SupportModel", "shipped_model"]

_Tree = tuple[tuple[Any, ...], tuple[Any, ...], tuple[float, ...]]
"""Feature and cut of the upper three splits, of the lower four, and the eight leaves."""


class SupportModel:
    """Coefficients of one version of the features.

    Args:
        table: Content of `data/support_model.json`.

    Raises:
        ValueError: If the coefficients belong to another version of the features.
    """

    def __init__(self, table: dict[str, Any]) -> None:
        if table["features_version"] != FEATURES_VERSION:
            raise ValueError(
                f"the coefficients are of features {table['features_version']!r}, the code computes"
                f" {FEATURES_VERSION!r}; run benchmarks/fit_support.py."
            )
        self.features: tuple[str, ...] = tuple(table["features"])
        self.threshold: float = table["threshold"]
        self._mean: list[float] = table["mean"]
        self._scale: list[float] = table["scale"]
        self._pairs = [(a, b) for a, b in table["pairs"]]
        self._coefficients: list[float] = table["coefficients"]
        self._intercept: float = table["intercept"]
        self._trees: list[_Tree] = [_tree(tree) for tree in table["trees"]]

    def score(self, row: dict[str, float]) -> float:
        """Likelihood, from 0 to 1, that people would call the answer supported."""
        values = [row[name] for name in self.features]
        logit = (self._linear(values) + self._boosted(values)) / 2
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))

    def _linear(self, values: Sequence[float]) -> float:
        scaled = [(v - m) / s for v, m, s in zip(values, self._mean, self._scale, strict=True)]
        scaled += [scaled[a] * scaled[b] for a, b in self._pairs]
        return self._intercept + sum(map(float.__mul__, scaled, self._coefficients))

    def _boosted(self, values: Sequence[float]) -> float:
        """Sum of the leaves reached; depth three written out, since this is the hot loop."""
        total = 0.0
        for (f0, c0, f1, c1, f2, c2), (f3, c3, f4, c4, f5, c5, f6, c6), leaves in self._trees:
            if values[f0] < c0:
                if values[f1] < c1:
                    total += leaves[0] if values[f3] < c3 else leaves[1]
                else:
                    total += leaves[2] if values[f4] < c4 else leaves[3]
            elif values[f2] < c2:
                total += leaves[4] if values[f5] < c5 else leaves[5]
            else:
                total += leaves[6] if values[f6] < c6 else leaves[7]
        return total


def _tree(tree: dict[str, Any]) -> _Tree:
    cuts = [math.inf if cut is None else cut for cut in tree["cuts"]]
    flat = [item for pair in zip(tree["features"], cuts, strict=True) for item in pair]
    return tuple(flat[:6]), tuple(flat[6:]), tuple(tree["leaves"])


@cache
def shipped_model() -> SupportModel:
    """The coefficients that come with goldassay."""
    text = resources.files("goldassay.rules").joinpath("data/support_model.json").read_text(encoding="utf-8")
    return SupportModel(json.loads(text))
