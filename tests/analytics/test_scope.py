"""Conditions on verdicts: bound values, closed lists of names, nothing of a user's in the SQL text."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from goldassay.analytics.connect import connect
from goldassay.analytics.history import history
from goldassay.analytics.scope import Scope, load_sql, used_values, version_column
from goldassay.errors import ConfigError

ATTACK = "x'; DROP VIEW verdicts; --"


def test_no_value_reaches_the_text() -> None:
    """Whatever it holds."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    scope = Scope(app=ATTACK, check=ATTACK, since=now, until=now, run_ids=[ATTACK], months=[ATTACK], versions=[ATTACK])

    assert ATTACK not in scope.where()
    assert list(scope.values().values()).count(ATTACK) == 5
    assert set(used_values(scope.where(), scope.values())) == set(scope.values())


def test_an_empty_scope_is_everything_but_answers_judged_again() -> None:
    """And one that also takes those is simply true."""
    assert Scope().where() == "run_kind <> 'rejudge'"
    assert Scope(with_rejudged=True).where() == "TRUE"
    assert Scope(with_rejudged=True, versions=()).where() == "FALSE"


def test_only_version_columns_are_column_names() -> None:
    """An identifier cannot be bound, so it is taken from a closed list."""
    assert version_column("model") == "coalesce(model, '')"
    with pytest.raises(ConfigError, match="no version column"):
        version_column("model; DROP TABLE x")
    with pytest.raises(ConfigError, match="no version column"):
        Scope(column="model; DROP TABLE x", versions=["a"]).where()  # type: ignore[arg-type]  # the point of the test


def test_attacks_as_values_find_nothing_and_break_nothing(store, verdict, publish_run) -> None:
    """The views are still there afterwards."""
    publish_run(store, "n1", [verdict("n1", "a", "cites", "pass")])

    with connect(store) as connection:
        assert history(store, app=ATTACK, check=ATTACK, connection=connection).rates == ()
        assert len(history(store, connection=connection).rates) == 1


def test_every_placeholder_of_every_question_is_filled_by_us() -> None:
    """A file of sql/ holds named placeholders only where a piece of our own SQL belongs."""
    text = load_sql("answerability", table="verdicts", where="TRUE")

    assert "{" not in text
    assert "WHERE TRUE" in text
