"""Columns with names of their own: what the mapping can say of passages, times and headers."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pydantic import ValidationError

from goldassay.errors import SourceError
from goldassay.rules import check_answer, load_rules
from goldassay.sources import AnswersConfig, read_answers

MAPPING = {"sources": "ctx[*].txt", "source_ids": "ctx[*].docno", "source_titles": "ctx[*].headline"}
PASSAGES = [{"docno": "HR-01", "headline": "Leave", "txt": "30 days"}, {"docno": "HR-02", "headline": None, "txt": "b"}]


def _read(path: Any, **settings: Any) -> tuple[list[Any], list[str]]:
    batches = list(read_answers(AnswersConfig(path=[str(path)], **settings)))
    return [r for b in batches for r in b.records], [r.reason for b in batches for r in b.rejected]


def _rows(tmp_path: Any, *rows: dict[str, Any]) -> Any:
    (tmp_path / "log.jsonl").write_text("\n".join(json.dumps({"answer": "a", **row}) for row in rows))
    return tmp_path / "log.jsonl"


def test_ids_beside_the_texts_are_what_an_answer_cites(tmp_path):
    """Without them the passages are numbered, and [HR-01] would cite nothing."""
    (record,), _ = _read(_rows(tmp_path, {"answer": "30 days [HR-01].", "ctx": PASSAGES}), mapping=MAPPING)

    (cites,) = (v for v in check_answer(record, None, load_rules()) if v.check == "cites")

    assert [(source.id, source.title, source.text) for source in record.sources] == [
        ("HR-01", "Leave", "30 days"),
        ("HR-02", None, "b"),
    ]
    assert cites.outcome == "pass"


def test_a_list_of_ids_beside_a_list_of_texts_belongs_to_it(tmp_path):
    """As tables keep them, ids as numbers among them; in CSV as JSON in the cell."""
    mapping = {"sources": "chunks", "source_ids": "chunk_ids"}
    table = pa.table({"answer": ["a"], "chunks": [["x", "y"]], "chunk_ids": [[4711, 4712]]})
    pq.write_table(table, tmp_path / "log.parquet")
    (tmp_path / "log.csv").write_text('answer;chunks;chunk_ids\na;"[""x"", ""y""]";"[4711, 4712]"\n')

    for name in ("log.parquet", "log.csv"):
        (record,), _ = _read(tmp_path / name, mapping=mapping)
        assert [(source.id, source.text) for source in record.sources] == [("4711", "x"), ("4712", "y")]


def test_an_id_keeps_its_digits_and_one_that_is_null_leaves_the_number(tmp_path):
    """1.10 is not 1.1."""
    log = tmp_path / "log.jsonl"
    log.write_text('{"answer": "a", "chunks": ["x", "y", "z"], "ids": [1.10, null, 20000000000000000001]}')

    (record,), _ = _read(log, mapping={"sources": "chunks", "source_ids": "ids"})

    assert [source.id for source in record.sources] == ["1.10", "2", "20000000000000000001"]


def test_names_that_do_not_match_the_passages_in_number_set_the_row_aside(tmp_path):
    """Which belongs to which would be a guess."""
    rows = _rows(tmp_path, {"chunks": ["x", "y"], "ids": ["1"]}, {"chunks": ["x"], "ids": ["1"]}, {"chunks": []}, {})

    records, reasons = _read(rows, mapping={"sources": "chunks", "source_ids": "ids"})

    assert len(records) == 3
    assert reasons == ["source_ids: 1 for 2 sources; each needs one"]


def test_an_id_that_is_an_object_sets_the_row_aside(tmp_path):
    """A text would be made up."""
    rows = _rows(tmp_path, {"chunks": ["x"], "ids": [{"no": 1}]}, {})

    _, (reason,) = _read(rows, mapping={"sources": "chunks", "source_ids": "ids"})

    assert "dict" in reason


def test_a_time_of_another_form_is_read_as_the_settings_say(tmp_path):
    """A German table; a row of another form is set aside, and one that is no text is read as ever."""
    rows = _rows(tmp_path, {"asked_at": "03.11.2026 14:03"}, {"asked_at": "11/03/2026"}, {"asked_at": 1795852800})

    records, (reason,) = _read(rows, time_format="%d.%m.%Y %H:%M")

    assert [record.asked_at.isoformat() for record in records] == [
        "2026-11-03T14:03:00+00:00",
        "2026-11-28T08:00:00+00:00",
    ]
    assert "'11/03/2026' is not of the form '%d.%m.%Y %H:%M'" in reason


def test_a_date_whose_order_only_its_writer_knows_names_the_setting(tmp_path):
    """It is refused as a guess; what to do stands beside it."""
    rows = _rows(tmp_path, {"asked_at": "28.11.2026 14:03:22"}, {"asked_at": "9:00 PM"}, {})

    _, (german, clock) = _read(rows)

    assert "answers.time_format = '%d.%m.%Y %H:%M:%S'" in german
    assert "time_format" not in clock


@pytest.mark.parametrize("form", ["%Q", "%d.%m", "%H:%M", "today"])
def test_a_form_that_names_no_day_is_a_fault_in_the_settings(form):
    """Told before the first line is read."""
    assert AnswersConfig(path=["x"], time_format=None).time_format is None
    with pytest.raises(ValidationError, match="time_format"):
        AnswersConfig(path=["x"], time_format=form)


def test_a_mapping_may_spell_a_column_as_the_file_does(tmp_path):
    """'Version' in the header means our field to those who map nothing; who maps it must not miss it for that."""
    (tmp_path / "log.csv").write_text("Question,Answer,Version\nq,a,4.10\n")
    pq.write_table(pa.table({"Answer": ["a"], "Version": ["4.10"]}), tmp_path / "log.parquet")

    for name in ("log.csv", "log.parquet"):
        (mapped,), notes = _read(tmp_path / name, mapping={"app_version": "Version", "answer": ["Reply", "Answer"]})
        (plain,), _ = _read(tmp_path / name)
        assert (mapped.app_version, mapped.answer, plain.app_version, notes) == ("4.10", "a", "4.10", [])


def test_a_value_that_cannot_be_read_does_not_pass_for_a_missing_column(tmp_path):
    """The question's column is there; it is the time before it that every row fails on."""
    (tmp_path / "log.csv").write_text("Zeit;Frage;Antwort\n28.11.2026;q;a\n")

    with pytest.raises(SourceError, match="time_format"):
        _read(tmp_path / "log.csv", mapping={"asked_at": "Zeit", "question": "Frage", "answer": "Antwort"})


def test_a_stretch_of_a_list_can_be_mapped(tmp_path):
    """The turns before the question that is graded."""
    messages = [{"role": role, "content": role[0]} for role in ("system", "user", "assistant", "user", "assistant")]
    mapping = {
        "question": "messages[-2].content",
        "answer": "messages[-1].content",
        "turns": "messages[1:-2]",
    }

    (record,), _ = _read(_rows(tmp_path, {"messages": messages}), mapping=mapping)

    assert [(turn.role, turn.text) for turn in record.turns] == [("user", "u"), ("assistant", "a")]


def test_documents_of_opentelemetrys_own_convention_are_the_sources(tmp_path):
    """Where a team logs their texts; ids alone are no passages, and no fault either."""
    rows = []
    for trace, documents in (("1", '[{"id": "kb-1", "content": "Open 9 to 17."}]'), ("2", '[{"id": "kb-1"}]')):
        spans = [
            {"name": "retrieval", "attributes": {"gen_ai.retrieval.documents": documents}},
            {"name": "chat", "attributes": {"gen_ai.prompt": "When?", "gen_ai.completion": "9 to 17"}},
        ]
        rows += [{"trace_id": trace, "span_id": span["name"], **span} for span in spans]

    records, reasons = _read(_rows(tmp_path, *rows), mapping="opentelemetry")

    assert [[source.text for source in record.sources] for record in records] == [["Open 9 to 17."], []]
    assert [source.title for source in records[0].sources] == ["kb-1"]
    assert reasons == []
