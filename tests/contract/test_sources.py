"""What every kind of source must keep: order, windows, bad rows, batches, nothing lost."""

from __future__ import annotations

import csv
import datetime as dt
import itertools
import json
import sqlite3

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from goldassay.errors import SourceError
from goldassay.sources import SOURCES, AnswersConfig, EmptyInputError, Window, read_answers

START = dt.datetime(2026, 9, 1, tzinfo=dt.UTC)
BAD = 7
"""Row whose sources cannot be read, in every kind."""
ROWS = [
    {
        "id": f"r{number}",
        "question": f"Question {number}?",
        "answer": f'Answer "{number}", with\nbreaks; and, signs é',
        "sources": "{broken" if number == BAD else json.dumps([{"id": "D1", "text": f"Passage {number}"}]),
        "asked_at": (START + dt.timedelta(hours=number)).isoformat(),
        "app_version": "1.10",
    }
    for number in range(20)
]
ROWS[BAD]["sources"] = '[{"id": "D1", "te'


def _jsonl(folder, rows):
    (folder / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return AnswersConfig(path=str(folder / "log.jsonl"))


def _json(folder, rows):
    (folder / "log.json").write_text(json.dumps(rows, indent=1))
    return AnswersConfig(path=str(folder / "log.json"))


def _csv(folder, rows):
    with (folder / "log.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(ROWS[0]))
        writer.writeheader()
        writer.writerows(rows)
    return AnswersConfig(path=str(folder / "log.csv"))


def _parquet(folder, rows):
    schema = pa.schema([(name, pa.string()) for name in ROWS[0]])
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), folder / "log.parquet")
    return AnswersConfig(path=str(folder / "log.parquet"))


def _sql(folder, rows):
    base = sqlite3.connect(folder / "log.db")
    base.execute(f"CREATE TABLE rag_log ({', '.join(ROWS[0])})")
    base.executemany("INSERT INTO rag_log VALUES (?, ?, ?, ?, ?, ?)", [tuple(row.values()) for row in rows])
    base.commit()
    base.close()
    return AnswersConfig.model_validate({"url": f"sqlite:///{folder / 'log.db'}"})


WRITERS = {"csv": _csv, "json": _json, "jsonl": _jsonl, "parquet": _parquet, "sql": _sql}


@pytest.fixture(params=sorted(SOURCES))
def write(request):
    """Writes rows as one kind of source."""
    return WRITERS[request.param]


def test_rows_come_in_the_order_of_the_log(tmp_path, write):
    """With every text as it was."""
    batches = list(read_answers(write(tmp_path, ROWS)))

    records = [record for batch in batches for record in batch.records]
    assert [record.record_id for record in records] == [row["id"] for n, row in enumerate(ROWS) if n != BAD]
    assert [record.answer for record in records] == [row["answer"] for n, row in enumerate(ROWS) if n != BAD]
    assert {record.app_version for record in records} == {"1.10"}
    assert records[0].sources[0].text == "Passage 0"


def test_a_bad_row_is_set_aside_with_its_place(tmp_path, write):
    """Once, with a reason and the beginning of what stood there."""
    (rejected,) = [item for batch in read_answers(write(tmp_path, ROWS)) for item in batch.rejected]

    assert rejected.file
    assert rejected.line > 0
    assert rejected.reason.startswith("sources:")
    assert "Question 7?" in rejected.raw


def test_windows_that_touch_read_each_record_once(tmp_path, write):
    """Half-open at both ends."""
    config = write(tmp_path, ROWS)
    edges = [START + dt.timedelta(hours=hours) for hours in (0, 5, 6, 20)]

    found = [
        record.record_id
        for since, until in itertools.pairwise(edges)
        for batch in read_answers(config, window=Window(since, until))
        for record in batch.records
    ]

    assert found == [row["id"] for n, row in enumerate(ROWS) if n != BAD]


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_batches_are_bounded(tmp_path, write, size):
    """Whatever the kind."""
    batches = list(read_answers(write(tmp_path, ROWS), batch_size=size))

    assert all(len(batch.records) + len(batch.rejected) <= size for batch in batches)
    assert sum(len(batch.records) + len(batch.rejected) for batch in batches) == len(ROWS)
    assert all(len(batch.records) == len(batch.golden) for batch in batches)


def test_an_empty_source_is_a_clear_failure(tmp_path, write):
    """Never a passed night."""
    with pytest.raises(EmptyInputError, match="no answer was read"):
        list(read_answers(write(tmp_path, [])))


def test_reading_twice_gives_the_same(tmp_path, write):
    """Samples and reuse depend on it."""
    config = write(tmp_path, ROWS)

    assert list(read_answers(config)) == list(read_answers(config))


def test_clashing_ids_stop_the_run(tmp_path, write):
    """In every kind, with both places."""
    rows = [*ROWS, ROWS[3] | {"answer": "another"}]

    with pytest.raises(SourceError, match="'r3'"):
        list(read_answers(write(tmp_path, rows)))


def test_a_given_kind_overrules_the_ending(tmp_path):
    """A log may be called anything."""
    (tmp_path / "log.txt").write_text("id;answer\na;A\n")

    (batch,) = read_answers(AnswersConfig(path=str(tmp_path / "log.txt"), source="csv"))

    assert batch.records[0].answer == "A"


def test_every_labelled_row_is_read(labelled_data):
    """Public data of many makers; what is set aside has no answer."""
    for name in ("mtrag_human", "attributionbench"):
        batches = list(read_answers(labelled_data / f"{name}.jsonl.gz"))
        assert sum(len(batch.rejected) for batch in batches) == 0
        assert sum(len(batch) for batch in batches) == {"mtrag_human": 212, "attributionbench": 1466}[name]
    for path in sorted(labelled_data.glob("*.jsonl.gz")):
        rejected = [item for batch in read_answers(path) for item in batch.rejected]
        assert all("no field 'answer'" in item.reason for item in rejected), path.name
