"""What a deployment may give as parameters."""

import pytest
from prefect.exceptions import ParameterTypeError

from flows.backfill import backfill
from flows.golden import golden
from flows.nightly import nightly

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("prefect")]


@pytest.mark.parametrize("sample", ["200", 200, "full", None])
def test_a_sample_may_be_written_as_a_number(sample):
    """A deployment's `parameters: {sample: 200}` is a number in YAML; the run failed before it began."""
    assert nightly.validate_parameters({"sample": sample})["sample"] == sample
    assert backfill.validate_parameters({"since": "7d", "until": "1d", "sample": sample})["sample"] == sample


@pytest.mark.parametrize(
    ("flow", "given"),
    [(golden, {"app_version": 1.10}), (nightly, {"settings": "judge.model=x"}), (nightly, {"since": 20260101})],
)
def test_a_parameter_that_would_change_its_meaning_is_refused(flow, given):
    """1.10 as a number is 1.1: another version, whose answers nobody asked for."""
    with pytest.raises(ParameterTypeError):
        flow.validate_parameters(given)
