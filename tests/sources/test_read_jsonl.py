"""JSON Lines as logs really are: marks, endings, encodings, damage."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import json
import lzma
import random
import tracemalloc
from functools import partial

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldassay.errors import ConfigError, SourceError
from goldassay.sources import AnswerBatch, AnswersConfig, EmptyInputError, read_answers

GOOD = {"id": "a", "question": "Q", "answer": "A", "sources": [{"id": "1", "text": "S"}]}


PACKERS = [gzip.compress, bz2.compress, partial(lzma.compress, preset=0), "zstd"]


def _line(**more):
    return json.dumps(GOOD | more).encode()


def _read(path, **settings_):
    batches = list(read_answers(AnswersConfig(path=str(path), **settings_)))
    return [r for b in batches for r in b.records], [r for b in batches for r in b.rejected]


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + _line(id="a") + b"\r\n\r\n" + _line(id="b"),
        (_line(id="a") + b"\n" + _line(id="b")).decode().encode("utf-16"),
        (_line(id="a") + b"\n" + _line(id="b") + b"\n").decode().encode("utf-16-le"),
        (_line(id="a") + b"\n" + _line(id="b") + b"\n").decode().encode("utf-16-be"),
        b"\xff\xfe\x00\x00" + (_line(id="a") + b"\n" + _line(id="b")).decode().encode("utf-32-le"),
        b"\n  \n" + _line(id="a") + b"\n\t\n" + _line(id="b") + b"\n\n",
    ],
    ids=["bom-crlf", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "blank-lines"],
)
def test_marks_endings_and_encodings_do_not_matter(tmp_path, data):
    """Two records come out, whatever wrote the file."""
    (tmp_path / "log.jsonl").write_bytes(data)

    records, rejected = _read(tmp_path / "log.jsonl")

    assert [record.record_id for record in records] == ["a", "b"]
    assert rejected == []


@pytest.mark.parametrize("name", ["log.jsonl.gz", "log.jsonl", "log"])
@pytest.mark.parametrize("pack", PACKERS, ids=["gzip", "bz2", "xz", "zstd"])
def test_compression_is_told_by_the_first_bytes(tmp_path, name, pack):
    """Not by the ending of the name."""
    data = b"\n".join(_line(id=str(number)) for number in range(2000))
    packed = pa.compress(data, codec="zstd", asbytes=True) if pack == "zstd" else pack(data)
    (tmp_path / name).write_bytes(packed)

    records, rejected = _read(tmp_path / name)

    assert len(records) == 2000
    assert rejected == []


@pytest.mark.parametrize("pack", PACKERS, ids=["gzip", "bz2", "xz", "zstd"])
def test_a_cut_stream_keeps_what_was_read_and_sets_the_rest_aside_once(tmp_path, pack):
    """A log copied while it was being written."""
    rng = random.Random(1)
    data = b"\n".join(_line(id=str(number), answer=rng.randbytes(150).hex()) for number in range(8_000))
    packed = pa.compress(data, codec="zstd", asbytes=True) if pack == "zstd" else pack(data)
    (tmp_path / "log.jsonl.gz").write_bytes(packed[: len(packed) * 9 // 10])

    records, rejected = _read(tmp_path / "log.jsonl.gz")

    assert 1_000 < len(records) < 8_000
    assert [record.record_id for record in records] == [str(number) for number in range(len(records))]
    (broken,) = rejected
    assert broken.line == len(records) + 1
    assert "breaks off" in broken.reason


def test_damage_in_the_middle_of_an_archive_is_one_entry(tmp_path):
    """A flipped byte spoils what lies behind it, no more."""
    data = bytearray(gzip.compress(b"\n".join(_line(id=str(n), answer=str(hash(str(n)))) for n in range(8_000))))
    data[len(data) // 2] ^= 0xFF
    (tmp_path / "log.jsonl.gz").write_bytes(bytes(data))
    (tmp_path / "next.jsonl").write_bytes(_line(id="next"))

    records, rejected = _read(tmp_path)

    assert records[-1].record_id == "next"
    assert any("breaks off" in item.reason for item in rejected)


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (b'{"id": "x", "question": "Q", "answer": "A"', "not readable as JSON"),
        (b"[1, 2]", "a list"),
        (b'{"id": "x", "answer": "A", "answer": "B"}', "'answer' stands twice"),
        (b'"text"', "a text"),
        (b"null", "null"),
        (b'{"id": "x", "question": "Q"}', "no field 'answer'"),
        (b'{"id": "x", "answer": {"text": "A"}}', "answers.mapping"),
        (b'{"id": "x", "answer": true}', "not a text"),
        (b'{"id": "x", "answer": "A", "sources": 7}', "sources"),
        (b'{"id": "x", "answer": "A", "sources": [{"id": "1"}]}', "no text in place 1"),
        (b'{"id": "x", "answer": "A", "sources": [null]}', "place 1"),
        (b'{"id": "x", "answer": "A", "asked_at": "01/02/2026"}', "asked_at"),
        (b'{"id": "x", "answer": "A", "asked_at": true}', "asked_at"),
        (b'{"id": "x", "answer": "A", "answerable": "maybe"}', "answerable"),
        (b'{"id": "x", "answer": "Gr\xf6\xdfe"}', "answers.encoding"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"id": ["x"], "answer": "A"}', "record_id: is list"),
    ],
    ids=lambda value: value[:30].decode(errors="replace") if isinstance(value, bytes) else None,
)
def test_a_bad_line_is_set_aside_with_file_line_and_reason(tmp_path, bad, words):
    """Never lost, never fatal."""
    (tmp_path / "log.jsonl").write_bytes(_line(id="a") + b"\n" + bad + b"\n" + _line(id="b") + b"\n")

    records, (rejected,) = _read(tmp_path / "log.jsonl")

    assert [record.record_id for record in records] == ["a", "b"]
    assert (rejected.file, rejected.line) == (str(tmp_path / "log.jsonl"), 2)
    assert words in rejected.reason
    assert rejected.raw == bad.decode(errors="replace")[:2000]


def test_a_line_of_200_megabytes_is_set_aside_in_bounded_memory(tmp_path):
    """The rest of the file is read as if nothing had happened."""
    with gzip.open(tmp_path / "log.jsonl.gz", "wb", compresslevel=1) as file:
        file.write(_line(id="a") + b"\n" + b'{"id": "big", "answer": "')
        for _ in range(200):
            file.write(b"x" * (1 << 20))
        file.write(b'"}\n' + _line(id="b") + b"\n")
    tracemalloc.start()

    records, (rejected,) = _read(tmp_path / "log.jsonl.gz", max_record_mib=4)

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [record.record_id for record in records] == ["a", "b"]
    assert (rejected.line, len(rejected.raw)) == (2, 2000)
    assert "max_record_mib" in rejected.reason
    assert peak < 40 << 20


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"1.10"', "1.10"),
        ("1.10", "1.10"),
        ("7", "7"),
        ("12345678901234567890123", "12345678901234567890123"),
        ("1e3", "1e3"),
        ("-0.0", "-0.0"),
    ],
)
def test_ids_and_versions_are_the_text_that_stood_there(tmp_path, text, expected):
    """No rounding, no lost zero."""
    line = f'{{"id": {text}, "question": "Q", "answer": "A", "app_version": {text}}}'
    (tmp_path / "log.jsonl").write_text(line)

    (record,), _ = _read(tmp_path / "log.jsonl")

    assert (record.record_id, record.app_version) == (expected, expected)


def test_what_other_writers_call_json_is_read_where_it_does_no_harm(tmp_path):
    """NaN in a score is no score, and half a surrogate pair is the replacement sign."""
    lines = [
        '{"id": "a", "answer": "A", "sources": [{"id": "1", "text": "S", "score": NaN}], "x": -Infinity}',
        '{"id": "b", "question": "Q", "answer": "cut \\ud83d"}',
        '{"id": "c", "question": "Q", "answer": "whole \\ud83d\\ude00"}',
    ]
    (tmp_path / "log.jsonl").write_text("\n".join(lines))

    records, rejected = _read(tmp_path / "log.jsonl")

    assert rejected == []
    assert records[0].sources[0].score is None
    assert [record.answer for record in records[1:]] == ["cut \ufffd", "whole \U0001f600"]


@pytest.mark.parametrize("answer", ["null", '""'])
def test_an_empty_answer_is_a_record(tmp_path, answer):
    """The assistant failed; the line did not."""
    (tmp_path / "log.jsonl").write_text(f'{{"id": "a", "question": "Q", "answer": {answer}}}')

    (record,), rejected = _read(tmp_path / "log.jsonl")

    assert (record.answer, rejected) == ("", [])


def test_golden_fields_on_the_line_come_beside_the_record(tmp_path):
    """Under the question's id, else under the record's."""
    rows = [
        GOOD | {"id": "a", "answerable": False, "question_id": "q1"},
        GOOD | {"id": "b", "key_facts": ["20", ["3 days", "three days"]], "reference": "R", "stratum": 7},
        GOOD | {"id": "c"},
    ]
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, rows)))

    (batch,) = read_answers(tmp_path / "log.jsonl")

    first, second, third = batch.golden
    assert first is not None
    assert second is not None
    assert third is None
    assert (first.question_id, first.answerable) == ("q1", False)
    assert (second.question_id, second.key_facts, second.stratum) == ("b", (("20",), ("3 days", "three days")), "7")


@pytest.mark.parametrize(
    "sources",
    [
        [{"page_content": "S", "metadata": {"title": "T", "url": "http://x"}}],
        [{"content": "S", "title": "T", "url": "http://x"}],
        [{"node": {"id": "1", "text": "S", "metadata": {"title": "T", "url": "http://x"}}, "score": 0.5}],
        [{"document": {"page_content": "S", "metadata": {"title": "T", "url": "http://x"}}}],
        '[{"text": "S", "title": "T", "url": "http://x"}]',
        {"text": "S", "title": "T", "url": "http://x"},
    ],
)
def test_passages_are_found_in_the_forms_that_retrievers_log(tmp_path, sources):
    """One passage with title and address."""
    (tmp_path / "log.jsonl").write_text(json.dumps(GOOD | {"sources": sources}))

    (record,), rejected = _read(tmp_path / "log.jsonl")

    (source,) = record.sources
    assert rejected == []
    assert (source.id, source.text, source.title, source.url) == ("1", "S", "T", "http://x")


def test_a_record_without_an_id_gets_the_same_one_every_time(tmp_path):
    """Two rows that are the same word for word are still two answers."""
    line = '{"question": "Q", "answer": "A"}'
    (tmp_path / "log.jsonl").write_text(f"{line}\n{line}\n" + '{"question": "Q", "answer": "B"}\n')

    first, _ = _read(tmp_path / "log.jsonl")
    second, _ = _read(tmp_path / "log.jsonl")

    assert first == second
    assert len({record.record_id for record in first}) == 3


@pytest.mark.parametrize("text", ["[\n", "", "\n  [ "], ids=["array", "objects", "spaces"])
def test_a_document_under_a_name_for_lines_is_read_too(tmp_path, text):
    """People rename files."""
    rows = [json.dumps(GOOD | {"id": str(number)}, indent=2) for number in range(3)]
    body = ",\n".join(rows) + "\n]" if text else "\n".join(rows)
    (tmp_path / "log.jsonl").write_text(text + body)

    records, rejected = _read(tmp_path / "log.jsonl")

    assert [record.record_id for record in records] == ["0", "1", "2"]
    assert rejected == []


def test_a_json_document_is_read_value_by_value(tmp_path):
    """An array, or objects one after the other, over many lines."""
    rows = [GOOD | {"id": str(number)} for number in range(50)]
    (tmp_path / "array.json").write_text(json.dumps(rows, indent=2))
    (tmp_path / "objects.json").write_text("\n".join(json.dumps(row | {"version": "2"}, indent=2) for row in rows))

    records, rejected = _read(tmp_path)

    assert len(records) == 100
    assert rejected == []


@pytest.mark.parametrize("end", ['{"id": "x", "ans', "", '{"id": "x"'])
def test_a_cut_json_array_keeps_what_was_read(tmp_path, end):
    """And says that it was cut."""
    (tmp_path / "log.json").write_text("[" + json.dumps(GOOD) + ",\n" + end)

    records, (rejected,) = _read(tmp_path / "log.json")

    assert len(records) == 1
    assert rejected.line == 2


def test_nothing_to_read_is_a_clear_failure(tmp_path):
    """It names what was looked for and where."""
    with pytest.raises(SourceError, match=r"'logs/\*\.jsonl'.*answers\.path"):
        list(read_answers("logs/*.jsonl", base_dir=tmp_path))


def test_files_without_answers_are_a_clear_failure_after_telling_all(tmp_path):
    """What was set aside is handed out before."""
    (tmp_path / "a.jsonl").write_text("\n\n")
    (tmp_path / "b.jsonl").write_text("not json\n")
    batches: list[AnswerBatch] = []

    with pytest.raises(EmptyInputError, match=r"a\.jsonl.*1 line was set aside.*b\.jsonl:1") as caught:
        batches.extend(read_answers(tmp_path))

    assert caught.value.exit_code == 3


def test_objects_one_behind_the_other_are_all_read(tmp_path):
    """Two files joined without a line end between them."""
    joined = gzip.compress(_line(id="a")) + gzip.compress(_line(id="b", app_version="1.10") + b' {"broken": ')
    (tmp_path / "log.jsonl.gz").write_bytes(joined)

    records, (rejected,) = _read(tmp_path / "log.jsonl.gz")

    assert [record.record_id for record in records] == ["a", "b"]
    assert (rejected.line, rejected.raw) == (1, '{"broken": ')


def test_an_unknown_encoding_is_a_setting_error(tmp_path):
    """With its name."""
    (tmp_path / "log.jsonl").write_bytes(_line())

    with pytest.raises(ConfigError, match="'latin-99'"):
        _read(tmp_path / "log.jsonl", encoding="latin-99")


def test_a_named_encoding_is_used(tmp_path):
    """For logs that are not UTF-8."""
    (tmp_path / "log.jsonl").write_bytes('{"id": "a", "question": "Q", "answer": "Café"}'.encode("cp1252"))

    (record,), _ = _read(tmp_path / "log.jsonl", encoding="cp1252")

    assert record.answer == "Café"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(st.binary(max_size=60), st.just(_line()), st.text(max_size=40).map(str.encode)), max_size=8))
def test_no_bytes_whatever_break_the_reader(tmp_path_factory, lines):
    """Each non-blank line is a record or set aside: nothing is lost."""
    path = tmp_path_factory.mktemp("fuzz") / "log.jsonl"
    data = b"\n".join(b" " + line.replace(b"\n", b"") for line in lines)
    path.write_bytes(b"{}\n" + data)
    batches: list[AnswerBatch] = []

    with contextlib.suppress(EmptyInputError):
        batches.extend(read_answers(AnswersConfig(path=str(path), on_duplicate="suffix")))

    told = sum(len(b.records) + len(b.rejected) + b.blank_lines for b in batches)
    assert told >= 1 + sum(bool(line.replace(b"\n", b"").strip()) for line in lines) - 1


def test_a_field_may_be_mapped_by_either_of_its_names(tmp_path):
    """What may stand in a row as `id` and `version` may stand so in the settings; twice is a contradiction."""
    (tmp_path / "log.jsonl").write_text('{"t": {"id": "x", "v": "7"}, "answer": "A"}\n', encoding="utf-8")
    (record,), _ = _read(tmp_path / "log.jsonl", mapping={"id": "t.id", "version": "t.v"})
    assert (record.record_id, record.app_version) == ("x", "7")

    with pytest.raises(ConfigError, match="'record_id' twice"):
        _read(tmp_path / "log.jsonl", mapping={"id": "t.id", "record_id": "t.id"})


def test_a_broken_line_is_told_in_plain_words(tmp_path):
    """The reason names the character once."""
    (tmp_path / "log.jsonl").write_bytes(_line() + b'\n{"id": "b\n')
    _, (rejected,) = _read(tmp_path / "log.jsonl")
    assert rejected.reason == "not readable as JSON: Unterminated string starting at character 8"
