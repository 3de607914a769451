"""Planning refuses what could never be graded, before a night's work is done."""

from __future__ import annotations

import pytest

from config.settings import load_settings
from goldassay.errors import ConfigError
from goldassay.store import open_store
from tasks.plan import _plan


@pytest.mark.parametrize(("rubric", "refusal"), [("pairwise", "compares two answers"), ("mine", "no rubric 'mine'")])
def test_a_rubric_that_cannot_grade_a_run_is_refused(tmp_path, rubric, refusal):
    """One for two answers, and one that is not there."""
    chosen = ["judge.provider=openai", f"judge.rubric={rubric}"]
    settings = load_settings(tmp_path, overrides=chosen)

    with pytest.raises(ConfigError, match=refusal):
        _plan(settings, tmp_path, open_store(tmp_path / "store"), "nightly", "intent")


def test_without_a_model_no_rubric_is_needed(tmp_path):
    """The lexical judge reads none."""
    settings = load_settings(tmp_path, overrides=["judge.provider=lexical", "judge.rubric=pairwise"])

    assert _plan(settings, tmp_path, open_store(tmp_path / "store"), "nightly", "intent").run_kind == "nightly"
