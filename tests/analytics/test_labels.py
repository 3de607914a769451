"""What a version's label names."""

from __future__ import annotations

import pytest

from goldassay.analytics.labels import column_of, newest_run_with
from goldassay.errors import ConfigError


@pytest.fixture
def filled(store, verdict, publish_run):
    """Two nights: two app versions, two models, and one judged again."""
    publish_run(store, "n1", [verdict("n1", "a", "cites", "pass", app_version="v1", model="m1", prompt_version="p1")])
    publish_run(store, "n2", [verdict("n2", "b", "cites", "pass", app_version="v2", model="m2", index_version="i2")])
    again = [verdict("n3", "b", "cites", "pass", app_version="v2", model="m2", run_kind="rejudge")]
    publish_run(store, "n3", again, kind="rejudge")
    return store


@pytest.mark.parametrize(("labels", "column"), [(("v1", "v2"), "app_version"), (("m1", "m2"), "model")])
def test_labels_name_the_column_that_holds_both(filled, labels, column) -> None:
    """Nobody should have to know which of four columns a name stands in."""
    assert column_of(filled, labels, app="atlas") == column


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        (("m1", "v2"), "'m1' is a value of model, 'v2' is a value of app_version"),
        (("v1", "v9"), "'v1' is a value of app_version, 'v9' is not known"),
    ],
)
def test_labels_of_two_kinds_are_refused_with_what_is_known(filled, labels, told) -> None:
    """What each of them is helps to find the mistake."""
    with pytest.raises(ConfigError, match=told):
        column_of(filled, labels)


def test_the_newest_run_of_a_version_is_one_that_took_answers(filled) -> None:
    """A run that judged stored answers again is no source of answers."""
    assert newest_run_with(filled, "model", "m2", app="atlas") == "n2"
    with pytest.raises(ConfigError, match="no stored run with model 'm9'"):
        newest_run_with(filled, "model", "m9")
