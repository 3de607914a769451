"""The counts of the one pass are those of the verdicts themselves, whatever repeats."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from goldassay.analytics import rates
from goldassay.analytics.connect import connect
from goldassay.analytics.history import history
from goldassay.analytics.rates import rates_by
from goldassay.analytics.reasons import category_counts
from goldassay.analytics.rollup import rolled_day_rates, rolled_up, rolled_version_rates
from goldassay.analytics.scope import Scope
from goldassay.errors import ConfigError

FIRST_NIGHT = datetime(2026, 3, 30, 2, tzinfo=UTC)


@dataclass
class Mixed:
    """A store in which questions come again, replies are used again and weights are fractions."""

    store: object
    verdicts: list


@pytest.fixture
def mixed(store, verdict, publish_run) -> Mixed:
    """Three nights of all kinds of rows; the moment of some answers is the day before or after the run's."""
    draw, made = random.Random(7), []
    for night in range(3):
        rows = [_row(verdict, draw, f"n{night}", number) for number in range(120)]
        publish_run(store, f"n{night}", rows)
        made += rows
    return Mixed(store, made)


def _row(verdict, draw, run_id, number):
    outcome = draw.choice(["pass", "pass", "fail", "error", "skip", "unsure"])
    return verdict(
        run_id, f"{run_id}-{number}", draw.choice(["faithful", "numbers", "refusal"]), outcome,
        app_version=draw.choice(["", "v1", "v2"]), question_id=draw.choice([None, None, "q1", "q2"]),
        weight=draw.choice([1.0, 10 / 3, 7.1]), reused=draw.random() < 0.3,
        request_hash=draw.choice([None, "h1", "h2"]), answerable=draw.choice([None, True, False]),
        asked_at=draw.choice([None, FIRST_NIGHT + timedelta(hours=draw.randint(-40, 40))]),
    )  # fmt: skip


@pytest.mark.parametrize("many", [0, 5_000_000])
@pytest.mark.parametrize("scope", [Scope(), Scope(check="faithful"), Scope(app="none")])
def test_version_rates_out_of_the_rollup_are_those_of_the_verdicts(mixed, monkeypatch, many, scope):
    """Row by row, in stores taken for large and for small."""
    monkeypatch.setattr(rates, "_MANY_ROWS", many)

    with connect(mixed.store) as connection, rolled_up(connection, scope, by="app_version"):
        expected = rates_by(connection, scope, by="app_version")
        found = rolled_version_rates(connection, scope, by="app_version")

    same_rows(found, expected)


def same_rows(found, expected):
    """Sums to the last figures but rounding, all else exactly."""
    by_key = {(row.group, row.check, row.kind, row.weight): row for row in expected}
    assert len(found) == len(expected) == len(by_key)
    for row in found:
        other = by_key[row.group, row.check, row.kind, row.weight]
        assert row[:9] == other[:9]
        assert row[9:17] == pytest.approx(other[9:17])
        assert row[17:] == other[17:]


def test_day_rates_out_of_the_rollup_are_those_of_the_verdicts(mixed):
    """Days are UTC days of the moment of the answer; replies used again within a day are one cluster."""
    day = "coalesce(asked_at, run_at)::DATE"

    with connect(mixed.store) as connection, rolled_up(connection, Scope(), by="model"):
        found = rolled_day_rates(connection, Scope())
        connection.execute(
            "CREATE TEMP TABLE no_ids AS SELECT * REPLACE (NULL AS question_id) FROM verdicts"
            " WHERE run_kind <> 'rejudge'"
        )
        expected = rates_by(connection, Scope(), by="model", group=day, table="no_ids")

    assert found
    same_rows(found, expected)


def test_categories_are_the_same_with_and_without_the_rollup(mixed):
    """One question asked alone, or as a part of the history."""
    with connect(mixed.store) as connection, rolled_up(connection, Scope(), by="app_version"):
        rolled = category_counts(connection, Scope(), rows="rollup")
        alone = category_counts(connection, Scope())
    assert [(*row[:5], *row[6:]) for row in rolled] == [(*row[:5], *row[6:]) for row in alone]
    assert [row[5] for row in rolled] == pytest.approx([row[5] for row in alone])

    failed = sum(v.outcome in {"fail", "error"} for v in mixed.verdicts)
    assert sum(row[4] for row in rolled) == failed > 0


def test_the_rollup_is_gone_afterwards(mixed):
    """A connection that is used again holds nothing of an earlier question."""
    with connect(mixed.store) as connection:
        history(mixed.store, connection=connection)
        assert connection.execute("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'rollup'").fetchone() == (0,)


def test_only_a_version_column_can_be_rolled_up(mixed):
    """An identifier is never taken from a user."""
    with (
        connect(mixed.store) as connection,
        pytest.raises(ConfigError, match="no version column"),
        rolled_up(connection, Scope(), by="model; DROP TABLE x"),  # type: ignore[arg-type]  # the point of the test
    ):
        pass
