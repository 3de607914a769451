"""Rows to Arrow and back."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.records import AnswerRecord, GoldenQuestion, Source, Turn
from goldassay.store.parquet import conform
from goldassay.store.schema import (
    ANSWER_SCHEMA,
    SCHEMAS,
    VERDICT_SCHEMA,
    answers_to_batch,
    batch_to_stored_answers,
    batch_to_verdicts,
    verdicts_to_batch,
)
from goldassay.verdicts import Category, Evidence, OtherReply, Outcome, RunStamp, Verdict

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
MAYBE = st.none() | TEXT
NUMBER = st.none() | st.floats(allow_nan=False, allow_infinity=False)
MOMENT = st.datetimes(min_value=datetime(1990, 1, 1), max_value=datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - hypothesis wants naive bounds
EVIDENCE = st.builds(Evidence, TEXT, TEXT, st.none() | st.integers(0, 9999), st.none() | st.integers(0, 9999), MAYBE)
OTHER_REPLIES = st.builds(OtherReply, TEXT, st.sampled_from(["pass", "error"]), NUMBER, TEXT, MAYBE, MAYBE, MAYBE)
VERDICTS = st.builds(
    Verdict,
    run_id=TEXT,
    run_at=st.none() | MOMENT,
    app=TEXT,
    app_version=TEXT,
    model=MAYBE,
    record_id=TEXT,
    question_id=MAYBE,
    answerable=st.none() | st.booleans(),
    check=TEXT,
    check_kind=st.sampled_from(["rule", "judge"]),
    outcome=st.sampled_from(Outcome),
    category=st.none() | st.sampled_from(Category),
    score=NUMBER,
    cost_usd=NUMBER,
    reason=TEXT,
    reply=MAYBE,
    tokens_in=st.none() | st.integers(0, 2**40),
    evidence=st.lists(EVIDENCE, max_size=3).map(tuple),
    flags=st.lists(TEXT, max_size=3).map(tuple),
    other_replies=st.lists(OTHER_REPLIES, max_size=2).map(tuple),
    extra=st.dictionaries(TEXT, TEXT, max_size=3),
    weight=st.floats(1, 1e6),
)
RECORDS = st.builds(
    AnswerRecord,
    record_id=TEXT,
    question=TEXT,
    answer=TEXT,
    sources=st.lists(st.builds(Source, id=TEXT, text=TEXT, title=MAYBE, score=NUMBER), max_size=3).map(tuple),
    turns=st.lists(st.builds(Turn, role=TEXT, text=TEXT), max_size=2).map(tuple),
    asked_at=st.none() | MOMENT,
    app=TEXT,
    app_version=TEXT,
    model=MAYBE,
    tags=st.dictionaries(TEXT, TEXT, max_size=3),
)
GOLDEN = st.builds(
    GoldenQuestion,
    question_id=TEXT,
    question=TEXT,
    answerable=st.booleans(),
    key_facts=st.lists(st.lists(TEXT, max_size=3).map(tuple), max_size=3).map(tuple),
    reference=MAYBE,
    expected_sources=st.lists(TEXT, max_size=2).map(tuple),
    stratum=MAYBE,
    tags=st.dictionaries(TEXT, TEXT, max_size=2),
)


def plain(**changes: object) -> Verdict:
    """One verdict with changes."""
    verdict = Verdict(record_id="r", check="numbers", check_kind="rule", outcome=Outcome.PASS)
    return replace(verdict, **changes)  # type: ignore[arg-type]  # any field


def test_every_field_of_a_verdict_is_a_column_and_the_other_way_round() -> None:
    """The schema cannot drift from the dataclass."""
    assert {field.name for field in fields(Verdict)} == set(VERDICT_SCHEMA.names)


def test_every_field_of_a_record_is_a_column() -> None:
    """No logged value is lost on the way into the store."""
    assert set(AnswerRecord.model_fields) <= set(ANSWER_SCHEMA.names)


@given(st.lists(VERDICTS, max_size=5))
def test_verdicts_come_back_as_they_were(verdicts: list[Verdict]) -> None:
    """A round trip through Arrow changes nothing."""
    assert batch_to_verdicts(verdicts_to_batch(verdicts)) == verdicts


@given(st.lists(st.tuples(RECORDS, st.none() | GOLDEN), max_size=4))
def test_answers_and_golden_questions_come_back_as_they_were(
    pairs: list[tuple[AnswerRecord, GoldenQuestion | None]],
) -> None:
    """A round trip keeps sources, turns, tags and the golden question with all its facts."""
    stamp = RunStamp("run", "nightly", datetime(2026, 11, 28, tzinfo=UTC))

    stored = batch_to_stored_answers(answers_to_batch([p[0] for p in pairs], [p[1] for p in pairs], stamp=stamp))

    assert [answer.golden for answer in stored] == [golden for _, golden in pairs]
    assert [answer.stamp for answer in stored] == [stamp] * len(pairs)
    expected = [r if g is None else r.model_copy(update={"question_id": g.question_id}) for r, g in pairs]
    assert [answer.record for answer in stored] == expected


def test_the_logged_question_id_stays_where_no_golden_question_matched() -> None:
    """A record's own question id is not lost."""
    record = AnswerRecord(record_id="1", question_id="log-7", question="q", answer="a")

    (back,) = batch_to_stored_answers(answers_to_batch([record]))
    assert back.record == record


def test_column_types_do_not_depend_on_the_data() -> None:
    """A night without a failure still has lists of evidence, not a column of nulls."""
    for batch in (verdicts_to_batch([plain()]), verdicts_to_batch([])):
        assert batch.schema == VERDICT_SCHEMA
        assert batch.schema.field("evidence").type == VERDICT_SCHEMA.field("evidence").type


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_a_score_that_is_no_number_becomes_an_error_and_never_a_pass(score: float) -> None:
    """DuckDB takes NaN for the largest number; the store holds null and says why."""
    (stored,) = batch_to_verdicts(verdicts_to_batch([plain(score=score, latency_ms=math.nan)]))

    assert stored.score is None
    assert stored.latency_ms is None
    assert (stored.outcome, stored.category) == (Outcome.ERROR, Category.OUT_OF_SCALE)
    assert "no number" in stored.reason


def test_half_a_surrogate_pair_is_replaced_and_whole_ones_stay() -> None:
    """A log's broken emoji must not stop a run."""
    record = AnswerRecord(
        record_id="1", question="q", answer="a\ud83d!", sources=(Source(id="1", text="\U0001f600\udc00"),)
    )

    back = batch_to_stored_answers(answers_to_batch([record]))[0].record

    assert back.answer == "a\ufffd!"
    assert back.sources[0].text == "\U0001f600\ufffd"


def test_columns_an_old_file_lacks_take_the_default() -> None:
    """Files written before a column existed are read without it."""
    old = verdicts_to_batch([plain(flags=("canary",), reply="x")])
    kept = pa.RecordBatch.from_arrays(
        [old.column(n) for n in old.schema.names if n not in {"flags", "reply"}],
        names=[n for n in old.schema.names if n not in {"flags", "reply"}],
    )

    assert batch_to_verdicts(kept) == [plain()]


def test_heavy_columns_come_last() -> None:
    """Counting reads the front of a row group only."""
    assert VERDICT_SCHEMA.names[-5:] == ["reason", "evidence", "extra", "reply", "other_replies"]
    assert ANSWER_SCHEMA.names[-1] == "sources"
    assert set(SCHEMAS) == {"answers", "verdicts", "labels"}


@pytest.mark.parametrize(
    ("column", "values", "kind", "read"),
    [
        ("run_at", [1756717200123456789], pa.timestamp("ns", "UTC"), "2025-09-01T09:00:00.123456+00:00"),
        ("run_at", [1756717200], pa.timestamp("s", "Europe/Berlin"), "2025-09-01T09:00:00+00:00"),
        ("run_at", [1756717200123456], pa.timestamp("us"), "2025-09-01T09:00:00.123456+00:00"),
        ("app", ["007"], pa.large_string(), "007"),
        ("app", ["007"], pa.dictionary(pa.int32(), pa.string()), "007"),
        ("repairs", [["x"]], pa.large_list(pa.large_string()), ["x"]),
        ("repairs", [[]], pa.list_(pa.null()), []),
        ("evidence", [None], pa.null(), None),
        ("tokens_in", [1.0], pa.float64(), 1),
    ],
    ids=str,
)
def test_files_of_other_writers_are_read_in_our_columns(column: str, values: list[Any], kind: Any, read: Any) -> None:
    """Nanoseconds stopped the reading of a whole file; other spellings of a type never did."""
    table = pa.table({column: pa.array(values, kind)})

    (found,) = conform(table, VERDICT_SCHEMA).column(column).to_pylist()

    assert (found.isoformat() if isinstance(found, datetime) else found) == read
