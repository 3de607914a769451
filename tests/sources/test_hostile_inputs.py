"""Logs as they really arrive: other programs' tables, joined and cut files, values that look like something else."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import os
import random
import sys
import warnings

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from goldassay.errors import SourceError
from goldassay.sources import AnswerBatch, AnswersConfig, read_answers
from goldassay.sources.reader import read_items
from goldassay.sources.rows import RawRow

ROW = {"id": "a", "question": "Fee?", "answer": "10 euros [1].", "sources": [{"id": "1", "text": "It is 10 euros."}]}
LINE = json.dumps(ROW)
OTHER = json.dumps(ROW | {"id": "b"})


def _read(folder, files, **settings):
    """Records and what was set aside."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    settings = {"path": list(files)} | settings
    batches = list(read_answers(AnswersConfig(**settings), base_dir=folder))
    return [r for b in batches for r in b.records], [r for b in batches for r in b.rejected]


def _ids(records):
    return [record.record_id for record in records]


def _parquet(**columns):
    sink = io.BytesIO()
    base = {"id": ["a"], "question": ["Fee?"], "answer": ["10"]}
    pq.write_table(pa.table(base | columns), sink)
    return sink.getvalue()


@pytest.mark.parametrize(
    "text",
    [
        "id,question,answer\ra,Fee?,x\rb,Fee?,y\r",
        '"id","question","answer"\n"a","Fee?","x"\n"b","Fee?","y"\n',
        'id,"question",answer,"remark\n(of the reader)"\na,Fee?,x,\nb,Fee?,y,\n',
        'id, question, answer\na, "Fee?", "x"\nb, "Fee?", "y"\n',
        "\ufeff\ufeffid,question,answer\na,Fee?,x\nb,Fee?,y\n",
        "\ufeffsep=;\r\nid;question;answer\r\na;Fee?;x\r\nb;Fee?;y\r\n",
        "id,question,answer\na,Fee?,x\nb,Fee?,y\n\x1a",
        ",id,question,answer\n0,a,Fee?,x\n1,b,Fee?,y\n",
        "ID|Question|Answer\na|Fee?|x\nb|Fee?|y\n",
    ],
)
def test_tables_of_spreadsheets_are_read(tmp_path, text):
    """Old line ends, names with a line break, blanks behind separators, two byte order marks, DOS's end mark."""
    records, rejected = _read(tmp_path, {"log.csv": text})

    assert [(r.record_id, r.question, r.answer) for r in records] == [("a", "Fee?", "x"), ("b", "Fee?", "y")]
    assert not rejected


def test_the_header_of_a_joined_table_is_no_answer(tmp_path):
    """`cat *.csv` repeats it; a record with the answer 'answer' would be graded."""
    text = "id,question,answer\na,Fee?,x\n"

    records, (rejected,) = _read(tmp_path, {"log.csv": text + text.replace("a,", "b,")})

    assert _ids(records) == ["a", "b"]
    assert rejected.line == 3
    assert "header" in rejected.reason


@pytest.mark.parametrize(
    ("cell", "texts"),
    [
        ("array(['one', 'two'], dtype=object)", ["one", "two"]),
        ("['one', \"it's two\"]", ["one", "it's two"]),
        ("[]", []),
        ("nan", []),
        ("None", []),
        ("null", []),
        ('["None"]', ["None"]),
        ("[1] The fee is 10.", ["[1] The fee is 10."]),
    ],
)
def test_passages_in_a_cell_are_what_was_sent(tmp_path, cell, texts):
    """A missing value printed as a word is no passage: every claim would stand unsupported beside it."""
    quoted = cell.replace('"', '""')

    (record,), _ = _read(tmp_path, {"log.csv": f'id,question,answer,sources\na,Fee?,x,"{quoted}"\n'})

    assert [source.text for source in record.sources] == texts


def test_a_printed_object_is_no_passage(tmp_path):
    """Its text stands between escapes and keyword names: set aside, for the model saw another text."""
    text = "id,question,answer,sources\na,F,x,\"[Document(page_content='one')]\"\nb,F,x,\n"

    _, (rejected,) = _read(tmp_path, {"log.csv": text})

    assert "printed of an object" in rejected.reason


@pytest.mark.parametrize(
    ("data", "reads"),
    [
        (f"\ufeff{LINE}\n\ufeff{OTHER}\n", "ab"),
        (f"\x1e{LINE}\n\x1e{OTHER}\n", "ab"),
        (f"{LINE},\n{OTHER},\n", "ab"),
        (f"{LINE}{OTHER}\n", "ab"),
        (f"[\n{LINE},\n{OTHER}\n]", "ab"),
        (gzip.compress(gzip.compress(LINE.encode())), "a"),
        (bz2.compress(LINE.encode()) + bz2.compress(b"\n" + OTHER.encode()), "ab"),
        (f"id,question,answer\na,Fee?,{LINE[:3]}\n", "a"),
        (_parquet(), "a"),
    ],
    ids=["marks", "sequence", "commas", "joined", "array", "packed twice", "members", "a table", "parquet"],
)
def test_lines_are_read_whatever_stands_between_them(tmp_path, data, reads):
    """Also a table and a Parquet file under a name for JSON Lines."""
    records, rejected = _read(tmp_path, {"log.jsonl": data})

    assert "".join(_ids(records)) == reads
    assert not rejected


def test_json_lines_under_a_name_for_tables_are_read(tmp_path):
    """Else the first answer would be taken for the header, and its loss told by nobody."""
    records, _ = _read(tmp_path, {"log.csv": f"{LINE}\n{OTHER}\n"})

    assert _ids(records) == ["a", "b"]


def _zstandard(data):
    return pa.compress(data, codec="zstd", asbytes=True)


@pytest.mark.parametrize(
    "damage",
    [lambda packed: packed[:-12], lambda packed: packed + b"garbage"],
    ids=["cut", "garbage behind"],
)
@pytest.mark.parametrize(("pack", "kept"), [(gzip.compress, 990), (_zstandard, 800)], ids=["gzip", "zstd"])
def test_a_cut_file_keeps_what_stands_before_the_cut(tmp_path, damage, pack, kept):
    """A short file is one read: its good lines went down with its end. Zstandard loses its last block."""
    rng = random.Random(1)
    lines = [json.dumps(ROW | {"id": str(number), "x": rng.randbytes(150).hex()}) for number in range(1000)]

    records, rejected = _read(tmp_path, {"log.jsonl.gz": damage(pack("\n".join(lines).encode()))})

    assert _ids(records) == [str(number) for number in range(len(records))]
    assert len(records) >= kept
    assert "breaks off" in rejected[-1].reason


def test_a_parquet_file_in_an_archive_is_told_to_be_unpacked(tmp_path):
    """It is read from its end, which no archive allows."""
    with pytest.raises(SourceError, match="Parquet file inside an archive; unpack it"):
        _read(tmp_path, {"log.parquet.gz": gzip.compress(_parquet())})


@pytest.mark.parametrize(
    ("beginning", "word"),
    [
        (b"PK\x03\x04" + bytes(30), "Excel"),
        (b"SQLite format 3\x00" + bytes(30), "SQLite"),
        (b"<!DOCTYPE html>\n<html>Sign in</html>", "web page"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 1\n", "git lfs pull"),
        (b"ARROW1\x00\x00", "Arrow"),
    ],
)
def test_files_of_other_programs_are_named(tmp_path, beginning, word):
    """One reason that tells what to do, not one broken line after the other."""
    with pytest.raises(SourceError, match=word):
        _read(tmp_path, {"log.jsonl": beginning})


def test_helper_files_in_a_folder_are_no_logs(tmp_path):
    """Spark, Delta, macOS and notebooks keep their own files beside the data."""
    helpers = ("._a.jsonl", ".part.jsonl", "_delta_log/0.json", ".ipynb_checkpoints/a-checkpoint.jsonl", "_SUCCESS")
    files = {f"logs/{name}": OTHER for name in helpers}

    records, rejected = _read(tmp_path, {"logs/a.jsonl": LINE} | files, path="logs")

    assert _ids(records) == ["a"]
    assert not rejected


@pytest.mark.parametrize(
    "line",
    [
        '{"id": "x", "id": "y", "question": "q", "answer": "z"}',
        '{"id": "x", "question": "q", "question": "r", "answer": "z"}',
        '{"id": 1.5, "question": "q", "question": "r", "answer": "z"}',
        '{"id": "x", "question": "q", "answer": "z", "sources": ["a"], "sources": ["b"]}',
        '{"id": "x", "question": "q", "answer": "z", "version": 1, "version": 2}',
    ],
)
@pytest.mark.parametrize("ending", ["jsonl", "json"])
def test_a_key_that_stands_twice_is_set_aside(tmp_path, line, ending):
    """Which value holds would be a guess; the last one won without a word, and a decimal id stopped the run."""
    text = f"{LINE}\n{line}\n" if ending == "jsonl" else f"[{LINE},\n{line}]"

    records, (rejected,) = _read(tmp_path, {f"log.{ending}": text})

    assert _ids(records) == ["a"]
    assert "stands twice" in rejected.reason


def test_a_key_that_stands_twice_is_found_in_a_line_of_any_length(tmp_path):
    """Keys are counted another way in lines of over a megabyte."""
    line = LINE[:-1] + f', "filler": "{"x" * 1_200_000}", "answer": "no"}}'

    records, (rejected,) = _read(tmp_path, {"log.jsonl": f"{LINE}\n{line}\n"})

    assert _ids(records) == ["a"]
    assert "'answer' stands twice" in rejected.reason


def test_tags_stay_as_they_were_written(tmp_path):
    """1.10 is no 1.1, and 21 digits are not rounded; pairs of key and value are tags too."""
    tags = '{"v": 1.10, "trace": 123456789012345678901, "on": true, "none": null}'
    pairs = '[{"key": "env", "value": "prod"}, "beta"]'
    lines = [f'{{"id": "{name}", "question": "q", "answer": "x", "tags": {value}}}' for name, value in
             (("a", tags), ("b", pairs))]  # fmt: skip

    (one, two), _ = _read(tmp_path, {"log.jsonl": "\n".join(lines)})

    assert one.tags == {"v": "1.10", "trace": "123456789012345678901", "on": "true"}
    assert two.tags == {"env": "prod", "beta": "true"}


@pytest.mark.parametrize(
    ("written", "meant"),
    [("WAHR", True), ("FALSCH", False), ("0.0", False), ("1.0", True), ("t", True), ("off", False), ("FAUX", False)],
)
def test_yes_and_no_are_read_as_programs_write_them(tmp_path, written, meant):
    """Spreadsheets write them in the language of their user, data frames as decimals, PostgreSQL as letters."""
    path = tmp_path / "log.csv"
    path.write_text(f"id,question,answer,answerable\na,Fee?,x,{written}\n", encoding="utf-8")

    (batch,) = read_answers(path)

    (golden,) = batch.golden
    assert golden is not None
    assert golden.answerable is meant


def test_a_null_name_does_not_hide_the_other_name(tmp_path):
    """`record_id: null` beside `id`, as joins of two tables leave it."""
    row = {"record_id": None, "id": "a", "app_version": None, "version": "1.10", "question": "q", "answer": "x"}

    (record,), _ = _read(tmp_path, {"log.jsonl": json.dumps(row)})

    assert (record.record_id, record.app_version) == ("a", "1.10")


@pytest.mark.parametrize(
    ("columns", "field", "value"),
    [
        ({"version": pa.array([1.1], pa.float32())}, "app_version", "1.1"),
        ({"version": pa.array([1.1], pa.float64())}, "app_version", "1.1"),
        ({"version": pa.array([18446744073709551615], pa.uint64())}, "app_version", "18446744073709551615"),
        ({"lang": pa.nulls(1)}, "lang", None),
        ({"asked_at": [""]}, "asked_at", None),
        ({"id": pa.array([bytes(15) + b"\x05"], pa.binary(16))}, "record_id", "00000000-0000-0000-0000-000000000005"),
        ({"answer": pa.array([None], pa.large_string())}, "answer", ""),
        ({"lang": pa.array(["de"]).dictionary_encode()}, "lang", "de"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_parquet_types_give_the_value_that_was_meant(tmp_path, columns, field, value):
    """Half-precision versions, unsigned numbers, null columns, UUIDs in 16 bytes, dictionaries."""
    (record,), _ = _read(tmp_path, {"log.parquet": _parquet(**columns)})

    assert getattr(record, field) == value


@pytest.mark.parametrize("kind", [pa.timestamp("us", "Mars/Olympus"), pa.timestamp("ns"), pa.timestamp("s", "+05:30")])
def test_parquet_moments_are_read_in_every_unit_and_zone(tmp_path, kind):
    """An unknown zone stopped the run; the value is in UTC whatever its name."""
    per_second = {"s": 1, "us": 10**6, "ns": 10**9}[kind.unit]
    column = pa.array([1756717200 * per_second], kind)

    (record,), _ = _read(tmp_path, {"log.parquet": _parquet(asked_at=column, more=[{"at": [1]}])})

    assert record.asked_at.isoformat() == "2025-09-01T09:00:00+00:00"


def test_one_moment_out_of_range_costs_one_row(tmp_path):
    """The year 294,277 in one row stopped the run for all of them."""
    sink = io.BytesIO()
    moments = pa.array([9223372036854775807, 1756717200123456], pa.timestamp("us"))
    pq.write_table(pa.table({"id": ["a", "b"], "question": ["q", "q"], "answer": ["x", "y"], "at": moments}), sink)

    records, (rejected,) = _read(tmp_path, {"log.parquet": sink.getvalue()})

    assert _ids(records) == ["b"]
    assert rejected.line == 1


def test_a_column_that_stands_twice_is_no_column(tmp_path):
    """Parquet allows it; the last one won without a word."""
    sink = io.BytesIO()
    arrays = [pa.array([text]) for text in ("a", "q", "x", "y")]
    pq.write_table(pa.table(arrays, names=["id", "question", "answer", "answer"]), sink)

    with pytest.raises(SourceError, match="'answer' twice"):
        _read(tmp_path, {"log.parquet": sink.getvalue()})


def test_a_map_with_a_key_twice_is_read_in_silence(tmp_path):
    """Arrow warns on the terminal for every row."""
    tags = pa.array([[("k", "v"), ("k", "w")]], pa.map_(pa.string(), pa.string()))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (record,), _ = _read(tmp_path, {"log.parquet": _parquet(tags=tags)})

    assert record.tags == {"k": "w"}


@pytest.mark.parametrize(
    ("column", "value", "found"),
    [
        ("question", "1.10", lambda record, _: record.question),
        ("tags", '[{"key": "v", "value": 1.10}]', lambda record, _: record.tags["v"]),
        ("key_facts", '[[1.10, "one and a bit"]]', lambda _, golden: golden.key_facts[0][0]),
        ("expected_sources", "[1.10]", lambda _, golden: golden.expected_sources[0]),
        ("sources", '[{"id": "a", "text": 1.10}]', lambda record, _: record.sources[0].text),
        ("sources", '[{"id": 1.10, "text": "x"}]', lambda record, _: record.sources[0].id),
        ("sources", '[{"document": {"id": 1.10, "text": "x"}, "score": 0.5}]', lambda record, _: record.sources[0].id),
        ("sources", '{"doc_id": 1.10, "text": "x"}', lambda record, _: record.sources[0].id),
    ],
)
@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_a_number_stays_as_it_was_written_wherever_its_text_counts(tmp_path, column, value, found, ending):
    """1.10 is no 1.1 in a pair of key and value, in a variant of a fact, nor inside a passage."""
    path = tmp_path / f"log.{ending}"
    cell = value.replace('"', '""')
    lines = {
        "jsonl": f'{{"id": "a", "answer": "x", "{column}": {value}}}',
        "csv": f'id,answer,{column}\na,x,"{cell}"\n',
    }
    path.write_text(lines[ending], encoding="utf-8")

    (batch,) = read_answers(path)

    assert found(batch.records[0], batch.golden[0]) == "1.10"


@pytest.mark.parametrize("field", ['"question_id": {}', '"sources": [{{"id": {}, "text": "x"}}]'])
def test_an_id_of_any_length_is_read_as_written(tmp_path, field):
    """400 digits are more than a float can hold, and ended the whole reading."""
    digits = "1" * 400
    line = f'{{"id": "a", "question": "q", "answer": "x", {field.format(digits)}}}'

    (record,), _ = _read(tmp_path, {"log.jsonl": line})

    assert digits in {record.question_id, *(source.id for source in record.sources)}


def test_a_score_that_no_float_can_hold_is_none(tmp_path):
    """A score is no reason to lose an answer, and less a reason to lose all others."""
    lines = [
        f'{{"id": "{name}", "question": "q", "answer": "x", "sources": [{{"text": "t", "score": {score}}}]}}'
        for name, score in (("a", "1" * 400), ("b", "0.5"))
    ]

    records, _ = _read(tmp_path, {"log.jsonl": "\n".join(lines)})

    assert [record.sources[0].score for record in records] == [None, 0.5]


def test_a_passage_nested_a_thousand_times_is_set_aside(tmp_path):
    """One line's trouble is that line's alone."""
    deep = '{"document": ' * 1000 + '{"text": "x"}' + "}" * 1000
    line = f'{{"id": "deep", "question": "q", "answer": "x", "sources": [{deep}]}}'

    records, (rejected,) = _read(tmp_path, {"log.jsonl": f"{line}\n{LINE}\n"})

    assert (_ids(records), rejected.line, rejected.reason) == (["a"], 1, "nested too deeply")


def test_texts_beyond_ascii_are_taken_over_as_they_are(tmp_path):
    """Letters of every script stay; half of a surrogate pair, which no file can hold, becomes a question mark."""
    line = '{"id": "a", "question": "Größe?", "answer": "大小 \\ud83d", "sources": [{"id": "ä", "text": "😀 \\ude00"}]}'

    (record,), _ = _read(tmp_path, {"log.jsonl": line})

    assert (record.question, record.answer) == ("Größe?", "大小 \ufffd")
    assert (record.sources[0].id, record.sources[0].text) == ("ä", "😀 \ufffd")


@pytest.mark.parametrize("depth", [400, 990, 3000])
def test_a_line_of_any_depth_is_that_lines_trouble(tmp_path, depth):
    """Also where a second look is taken at it, because a key may stand twice."""
    deep = '{"id": 1, "x": ' + "[" * depth + "]" * depth + "}"
    line = f'{{"id": "deep", "question": "q", "answer": "x", "odd": [{{"id": 1}}, {{"id": 2}}, {deep}]}}'

    records, rejected = _read(tmp_path, {"log.jsonl": f"{line}\n{LINE}\n"})

    assert len(records) + len(rejected) == 2
    assert _ids(records)[-1] == "a"
    assert all("nested too deeply" in item.reason for item in rejected)


@pytest.mark.parametrize(
    ("field", "empty"),
    [("question_id", None), ("app_version", ""), ("model", None), ("lang", None), ("tags", {}), ("turns", ())],
)
@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_an_empty_text_logs_nothing(tmp_path, field, empty, ending):
    """In every kind of file: '' is no version, no tag and no language."""
    row = {"id": "a", "question": "q", "answer": "x", field: ""}
    text = {"jsonl": json.dumps(row), "csv": "\n".join([",".join(row), ",".join(row.values())])}

    (record,), _ = _read(tmp_path, {f"log.{ending}": text[ending]}, defaults={"app": "atlas"})

    assert getattr(record, field) == empty


def test_an_empty_app_takes_the_default_and_an_empty_reference_is_none(tmp_path):
    """An answer of '' would be left out as another app's, and graded against a reference without a word."""
    row = {"id": "a", "question": "q", "answer": "x", "app": "", "reference": "", "key_facts": "", "stratum": "s"}
    (tmp_path / "log.jsonl").write_text(json.dumps(row))

    (batch,) = read_answers(AnswersConfig(path=["log.jsonl"], defaults={"app": "atlas"}), base_dir=tmp_path)

    (golden,) = batch.golden
    assert batch.records[0].app == "atlas"
    assert golden is not None
    assert (golden.reference, golden.key_facts, golden.stratum) == (None, (), "s")


@pytest.mark.skipif(sys.platform in {"darwin", "win32"}, reason="their disks refuse such names")
@pytest.mark.parametrize("ending", [b".jsonl", b".csv", b".json", b".parquet"])
def test_a_file_whose_name_is_no_utf_8_is_named_in_text_that_can_be_stored(tmp_path, ending):
    """Old disks hold such names; a report that names the file could not be written."""
    path = os.fsdecode(os.fsencode(tmp_path) + b"/gr\xf6" + ending)
    with open(path, "wb") as file:  # noqa: PTH123 - the name is what is tested
        file.write(b"id,question,answer\nbroken\n" if ending == b".csv" else b"broken\n")

    batches: list[AnswerBatch] = []
    with pytest.raises(SourceError) as caught:
        batches.extend(read_answers(path))

    assert batches[0].rejected[0].file.endswith(f"gr\ufffd{ending.decode()}")
    assert "gr\ufffd" in str(caught.value)


def test_a_mark_within_a_recoded_text_is_no_byte_order_mark(tmp_path):
    """Wherever the file happens to be read in pieces."""
    row = ROW | {"answer": "\ufeff" * 3_000_000}
    text = json.dumps(row, ensure_ascii=False)

    (record,), _ = _read(tmp_path, {"log.jsonl": text.encode("utf-16")})

    assert len(record.answer) == 3_000_000


def test_the_home_of_nobody_is_a_clear_failure():
    """With what was asked for."""
    with pytest.raises(SourceError, match=r"answers\.path '~no-such-user/log\.jsonl'"):
        list(read_answers("~no-such-user/log.jsonl"))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 50])
@pytest.mark.parametrize("is_array", [True, False])
def test_a_document_is_the_same_read_in_pieces_of_any_size(tmp_path, monkeypatch, size, is_array):
    """With the line of each value, wherever a piece ends."""
    monkeypatch.setattr("goldassay.sources.json_document.CHUNK_BYTES", size)
    rows = [ROW | {"id": str(number), "answer": text} for number, text in enumerate(["]", '{"', "ä😀", "\\", ",\n"])]
    parts = [json.dumps(row, ensure_ascii=False, indent=number % 2 or None) for number, row in enumerate(rows)]
    text = "[\n" + "\n,".join(parts) + " ]\n" if is_array else "\n\n".join(parts)
    (tmp_path / "log.json").write_text(text, encoding="utf-8")

    items = list(read_items(AnswersConfig(path=["log.json"]), base_dir=tmp_path))

    found = [(item.line, item.data) for item in items if isinstance(item, RawRow)]
    lines = [text[: text.index(part)].count("\n") + 1 for part in parts]
    assert found == list(zip(lines, rows, strict=True))


def test_names_of_passages_are_read_from_the_row_as_it_was(tmp_path):
    """The id that a passage gets is not the title that it has."""
    row = {"id": "a", "question": "q", "answer": "x", "docs": [{"id": "Fees", "text": "t", "ref": "D1"}]}
    mapping = {"sources": ["docs"], "source_ids": ["docs[*].ref"], "source_titles": ["docs[*].id"]}

    (record,), _ = _read(tmp_path, {"log.jsonl": json.dumps(row)}, mapping=mapping)

    assert (record.sources[0].id, record.sources[0].title) == ("D1", "Fees")


def test_version_and_id_are_told_apart_wherever_one_ends(tmp_path):
    """'1' + 'x' is another record than '1x' + ''; also with the sign that used to stand between them."""
    rows = [ROW | {"app_version": "1", "id": "2\x1f3"}, ROW | {"app_version": "1\x1f2", "id": "3"}]

    records, rejected = _read(tmp_path, {"log.jsonl": "\n".join(map(json.dumps, rows))})

    assert (len(records), rejected) == (2, [])
