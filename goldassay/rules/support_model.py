"""Turns the features of `goldassay.rules.support_features` into a score, with the shipped coefficients.

The mean of two readings of the same row: a logistic regression with products of
features, and small boosted trees. Fitted by `benchmarks/fit_support.py`; plain
Python, no numeric library.

The trees are not walked one by one. Every leaf of all trees is one bit of a long
integer; for each feature, and each stretch between two of its cuts, a mask says which
leaves a value there leaves over. One `&` per feature then leaves the leaf reached in
each tree as its lowest bit (the way of QuickScorer: C. Lucchese and others, SIGIR 2015).
"""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from importlib import resources
from operator import getitem
from typing import Any

from goldassay.rules.support_features import FEATURES_VERSION

__all__ = ["SupportModel", "shipped_model"]

_LEAVES = 8
"""Leaves of a tree of depth three: one byte of the long integer."""
_LEFT = (0b00001111, 0b00000011, 0b00110000, 0b00000001, 0b00000100, 0b00010000, 0b01000000)
"""Leaves on the left of each split, level by level: those that a value at or above its cut rules out."""
_LOWEST = bytes((byte & -byte).bit_length() - 1 if byte else 0 for byte in range(256))
_Masks = tuple[int, tuple[float, ...], tuple[int, ...]]
"""A feature, its cuts, and the leaves left over below the first cut, between two, and above the last."""


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
        self._leaves: list[list[float]] = [tree["leaves"] for tree in table["trees"]]
        self._all = (1 << _LEAVES * len(self._leaves)) - 1
        self._masks = _masks(table["trees"], self._all)

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
        """Sum of the leaves reached."""
        left = self._all
        for feature, cuts, masks in self._masks:
            left &= masks[bisect_right(cuts, values[feature])]
        return sum(map(getitem, self._leaves, left.to_bytes(len(self._leaves), "little").translate(_LOWEST)))


def _masks(trees: list[dict[str, Any]], every: int) -> list[_Masks]:
    """The masks of all features that some tree looks at; `every` is the mask of all leaves."""
    ruled_out: dict[int, dict[float, int]] = {}
    for place, tree in enumerate(trees):
        for feature, cut, leaves in zip(tree["features"], tree["cuts"], _LEFT, strict=True):
            if cut is not None:  # a split that was not made sends everything to the left
                by_cut = ruled_out.setdefault(feature, {})
                by_cut[cut] = by_cut.get(cut, 0) | leaves << _LEAVES * place
    return [(feature, tuple(sorted(by_cut)), _left_over(by_cut, every)) for feature, by_cut in ruled_out.items()]


def _left_over(by_cut: dict[float, int], every: int) -> tuple[int, ...]:
    masks = [every]
    for cut in sorted(by_cut):
        masks.append(masks[-1] & (every ^ by_cut[cut]))
    return tuple(masks)


@cache
def shipped_model() -> SupportModel:
    """The coefficients that come with goldassay."""
    text = resources.files("goldassay.rules").joinpath("data/support_model.json").read_text(encoding="utf-8")
    return SupportModel(json.loads(text))
