"""Simulated nights: intervals hold the truth about as often as they say, under strata, errors and reuse."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def simulation() -> ModuleType:
    """The benchmark, which is no module of the package."""
    from pathlib import Path

    path = Path(__file__).resolve().parents[2] / "benchmarks" / "interval_coverage.py"
    spec = importlib.util.spec_from_file_location("interval_coverage", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["interval_coverage"] = module
    spec.loader.exec_module(module)
    return module


def test_the_simulation_runs(simulation) -> None:
    """A few nights of the hardest scene, so that the benchmark itself cannot rot."""
    covered, width = simulation.coverage(simulation.SCENES[-1], 10, 1)

    assert covered > 0.6
    assert 0 < width < 0.3
    assert simulation.false_alarms(500) < 0.06


@pytest.mark.slow
@pytest.mark.parametrize("number", range(13))
def test_intervals_cover_the_truth(simulation, number: int) -> None:
    """93 to 97 times in 100, give or take what 1,000 simulated nights leave open."""
    covered, _ = simulation.coverage(simulation.SCENES[number], 1000, 2)

    assert 0.93 - 0.02 <= covered <= 0.97 + 0.015
