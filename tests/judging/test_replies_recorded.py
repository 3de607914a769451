"""Raw replies of real judges, with the verdicts that others recorded for them."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

_BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "replies_agreement.py"


def _benchmark():
    spec = importlib.util.spec_from_file_location("replies_agreement", _BENCHMARK)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "floor"),
    [
        ("wice_judge", 1.0),
        ("openqa_eval", 0.99),
        ("nomiracl", 0.99),
        ("faithbench-nc", 1.0),
        ("llmbar_pairwise", 0.99),
        ("judgebench_pairwise", 1.0),
        ("crowdrag_pairwise", 1.0),
        ("summhay", 1.0),
    ],
)
def test_real_replies_agree_with_the_recorded_verdicts(labelled_data, name, floor):
    """No exception; what is read agrees, apart from records that the reply itself contradicts."""
    module = _benchmark()

    found = module.agreement(labelled_data, name)

    assert found.replies > 200
    assert found.share_of_sound >= floor
    assert found.differing - found.unsound <= 5
    assert found.unsound <= 0.015 * found.recorded
