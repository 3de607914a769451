"""The golden set: three formats, one meaning, and every fault with its line."""

from __future__ import annotations

import gzip
import json
import time

import pytest

from goldassay.errors import ConfigError
from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.sources import GoldenSet, read_golden

YAML = """\
- id: 1.10
  question: Is it open at 12:30?
  answerable: yes
  key_facts: [2026-09-14, [no, "nope"], 20 MB, 0x1F, 1e3, null island]
  stratum: 007
  lang: no
  tags: {team: 1_000}
- id: q2
  question: "Can I bring my dog?"
  answerable: no
  reference: ~
"""
CSV = """\
id,question,answerable,key_facts,stratum,lang,tags.team,reference
1.10,Is it open at 12:30?,yes,"[""2026-09-14"", [""no"", ""nope""], ""20 MB"", ""0x1F"", ""1e3"", \
""null island""]",007,no,1_000,
q2,Can I bring my dog?,no,,,,,
"""
FACTS = ["2026-09-14", ["no", "nope"], "20 MB", "0x1F", "1e3", "null island"]
JSONL = "\n".join(
    json.dumps(row)
    for row in (
        {
            "id": "1.10",
            "question": "Is it open at 12:30?",
            "answerable": True,
            "key_facts": FACTS,
            "stratum": "007",
            "lang": "no",
            "tags": {"team": "1_000"},
        },
        {"id": "q2", "question": "Can I bring my dog?", "answerable": False},
    )
)


def _write(tmp_path, text, name="golden.yaml"):
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return tmp_path / name


def test_three_formats_mean_the_same(tmp_path):
    """And text stays text: no dates, numbers or booleans out of YAML."""
    sets = [read_golden(_write(tmp_path, t, n)) for t, n in ((YAML, "g.yaml"), (CSV, "g.csv"), (JSONL, "g.jsonl"))]

    first = sets[0].questions[0]
    assert (first.question_id, first.stratum, first.tags) == ("1.10", "007", {"team": "1_000", "lang": "no"})
    assert first.key_facts == (("2026-09-14",), ("no", "nope"), ("20 MB",), ("0x1F",), ("1e3",), ("null island",))
    assert [question.answerable for question in sets[0]] == [True, False]
    assert sets[0].questions == sets[1].questions == sets[2].questions
    assert len({golden.digest for golden in sets}) == 1


def test_the_digest_changes_with_the_meaning_only(tmp_path):
    """Order and layout do not count; a fact does."""
    base = read_golden(_write(tmp_path, YAML))
    turned = GoldenSet(reversed(base.questions))
    other = read_golden(_write(tmp_path, YAML.replace("20 MB", "25 MB")))

    assert base.digest == turned.digest
    assert base.digest != other.digest


@pytest.mark.parametrize("asked", ["Can I bring my dog?", "can i bring my DOG", "  Can I bring\nmy dog ?! "])
def test_a_question_is_found_by_its_words(tmp_path, asked):
    """Case, spaces and punctuation do not count."""
    golden = read_golden(_write(tmp_path, YAML))

    found = golden.find(AnswerRecord(record_id="r", question=asked, answer="A"))

    assert found is not None
    assert found.question_id == "q2"


def test_the_id_goes_before_the_words(tmp_path):
    """And an unknown id does not hide the words."""
    golden = read_golden(_write(tmp_path, YAML))
    dog = "Can I bring my dog?"

    by_id = golden.find(AnswerRecord(record_id="r", question_id="1.10", question=dog, answer="A"))
    by_words = golden.find(AnswerRecord(record_id="r", question_id="zzz", question=dog, answer="A"))
    neither = golden.find(AnswerRecord(record_id="r", question="???", answer="A"))

    assert by_id is not None
    assert by_words is not None
    assert (by_id.question_id, by_words.question_id, neither) == ("1.10", "q2", None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("- question: Q\n  key_fact: [a]\n", "line 2: unknown key 'key_fact'; did you mean 'key_facts'"),
        ("- question: Q\n  answerable: maybe\n", "line 2: answerable is 'maybe'"),
        ("- id: a\n", "line 1: a golden question needs a 'question'"),
        ("- question: Q\n  key_facts: ['']\n", "line 1: a key fact is empty"),
        ("- question: Q\n  answerable: no\n  key_facts: [a]\n", "line 1: answerable is false, yet there are key_facts"),
        ("- id: a\n  question: Q\n- id: a\n  question: R\n", "line 3: id 'a' stands already on line 1"),
        ("- id: a\n  question: Q?\n- id: b\n  question: q\n", "line 3: question 'b' asks what 'a' on line 1 asks"),
        ("- id: a\n  question: Q\n- id: b\n  question: Q\n  answerable: no\n", "contradicts"),
        ("- question: Q\n  question: R\n", "line 2: key 'question' stands twice"),
        ("- question: 'Q\n", "no YAML"),
        ("question: Q\n", "no list of questions"),
        ("- [a, b]\n", "line 1: a question is a map"),
        ("", "holds no question"),
        ("- &a [*a]\n", "golden.yaml"),
        ("- question: Q\n  reference: {a: b}\n", "reference is an object"),
    ],
)
def test_a_fault_is_named_with_its_line(tmp_path, text, words):
    """One message tells what, where and what to do."""
    with pytest.raises(ConfigError) as caught:
        read_golden(_write(tmp_path, text))

    assert words in str(caught.value)
    assert "golden.yaml" in str(caught.value)


def test_all_faults_are_told_at_once(tmp_path):
    """Ten of them, and how many more there are."""
    with pytest.raises(ConfigError, match="and 5 more"):
        read_golden(_write(tmp_path, "- question: Q\n  answerable: maybe\n" * 15))


@pytest.mark.parametrize("name", ["golden.toml", "none.yaml"])
def test_a_set_that_cannot_be_read_is_a_setting_error(tmp_path, name):
    """An unknown ending or no file."""
    if name == "golden.toml":
        _write(tmp_path, "", name)

    with pytest.raises(ConfigError, match=name):
        read_golden(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("g.csv", "id,question\na,b,c\n"),
        ("g.csv", 'id,question\na,"b\n'),
        ("g.jsonl", '{"question": "Q"}\n{"question": \n'),
        ("g.yaml", b"- question: Gr\xf6\xdfe\n"),
    ],
)
def test_a_damaged_set_is_a_setting_error_with_its_place(tmp_path, name, text):
    """A golden set is written by people: nothing of it is set aside."""
    with pytest.raises(ConfigError, match=r"g\.(csv|jsonl|yaml)"):
        read_golden(_write(tmp_path, text, name))


def test_a_table_from_a_spreadsheet_is_read(tmp_path):
    """Semicolons, a byte order mark, CRLF."""
    golden = read_golden(_write(tmp_path, "\ufeffid;question\r\na;Q?\r\n", "g.csv"))

    assert golden.questions[0].question == "Q?"


def test_yaml_builds_no_objects_and_no_avalanche(tmp_path):
    """Tags run no code, and aliases of aliases cost nothing."""
    tag = "- question: !!python/object/apply:os.system ['touch x']\n"
    bomb = (
        "- question: Q\n  tags: {a: &a [x, x], b: &b [*a, *a], "
        + ", ".join(
            f"k{n}: &k{n} [*{'b' if n == 0 else f'k{n - 1}'}, *{'b' if n == 0 else f'k{n - 1}'}]" for n in range(40)
        )
        + "}\n"
    )
    start = time.monotonic()

    with pytest.raises(ConfigError):
        read_golden(_write(tmp_path, tag))
    read_golden(_write(tmp_path, bomb))

    assert time.monotonic() - start < 5


def test_defaults_may_be_merged(tmp_path):
    """YAML's own way to say a thing once."""
    text = "- &base\n  question: Q\n  stratum: billing\n- <<: *base\n  question: R\n"

    golden = read_golden(_write(tmp_path, text))

    assert [(q.question, q.stratum) for q in golden] == [("Q", "billing"), ("R", "billing")]


def test_a_question_may_be_a_bare_line(tmp_path):
    """Ids are then made from its words, and stay."""
    one = read_golden(_write(tmp_path, "- What is the fee?\n- How long?\n"))
    two = read_golden(_write(tmp_path, "- How long\n- what is the fee\n"))

    assert {q.question_id for q in one} == {q.question_id for q in two}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("g.json", '[{"id": 1.10, "question": "Fee?", "answerable": false}]'),
        ("g.json", '{"questions": [{"id": "1.10", "question": "Fee?", "answerable": "off"}]}'),
        ("g.csv", "ID;Question;Answerable;\n1.10;Fee?;FALSCH;\n"),
        ("g.csv", "sep=;\nid;question;answerable\n1.10;Fee?;0.0\n"),
        ("g.csv", "\n \nid|question|answerable|lang\n1.10|Fee?|no|\n"),
        ("g.yaml", "- {id: 1.10, question: Fee?, answerable: off}  # from the FAQ\n"),
    ],
)
def test_a_set_is_read_as_programs_save_it(tmp_path, name, text):
    """JSON documents, and tables with a spreadsheet's words."""
    (tmp_path / name).write_text(text, encoding="utf-8")

    (question,) = read_golden(tmp_path / name)

    assert (question.question_id, question.question, question.answerable) == ("1.10", "Fee?", False)


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        ("g.yaml", "- id: ä\n  question: Preis für Raum #5?\n", "line 2: YAML takes"),
        ("g.yaml", "- &a x\n- <<: *a\n  id: b\n  question: q\n", "line 2: '<<'"),
        ("g.yaml", "- {id: a, question: q, expected_answer: x}\n", "its name here is 'reference'"),
        ("g.csv", "id,question,question\na,q,r\n", "'question' twice"),
        ("g.jsonl", '{"id": "a", "question": "q", "question": "r"}\n', "stands twice"),
        ("g.json", '[{"id": "a", "question": "q", "question": "r"}]', "stands twice"),
        ("g.json", '[{"id": "a", "question": "q"}', "cut"),
        ("g.yaml", "questions:\n- question: q\nquestions:\n- question: r\n", "line 3: key 'questions' stands twice"),
        ("g.yaml", "- question: q\n  key_facts: [x, []]\n", "line 1: a key fact is empty"),
        ("g.yaml", "- question: q\n  expected_sources: [D1, '']\n", "line 1: an expected source is empty"),
        ("g.csv", "sep=;\n\nid;question;answerable\na;q;maybe\n", "line 4: answerable is 'maybe'"),
    ],
)
def test_what_would_change_a_set_in_silence_is_said(tmp_path, name, text, word):
    """A remark that swallows half a question, a name that stands twice, other tools' names of fields."""
    (tmp_path / name).write_text(text, encoding="utf-8")

    with pytest.raises(ConfigError) as fault:
        read_golden(tmp_path / name)

    assert word in str(fault.value)


@pytest.mark.parametrize(
    ("facts", "kept"),
    [([[]], ()), ([""], ()), (["20 MB", [" ", "20 megabytes"], []], (("20 MB",), ("20 megabytes",))), ("", ())],
)
def test_an_empty_fact_demands_nothing(facts, kept):
    """A fact without a text passed in every answer, and one of '' failed in every answer."""
    question = GoldenQuestion(question_id="a", question="q", key_facts=facts)

    assert question.key_facts == kept


@pytest.mark.parametrize("damage", [lambda packed: packed[:-9], lambda packed: packed[:20] + b"xxxx" + packed[24:]])
def test_a_packed_set_that_is_cut_or_spoilt_is_named(tmp_path, damage):
    """Never half a set, and never a traceback."""
    packed = gzip.compress(b"- question: q\n  answerable: no\n" * 99)
    (tmp_path / "golden.yaml").write_bytes(damage(packed))

    with pytest.raises(ConfigError, match=r"golden\.yaml' cannot be read"):
        read_golden(tmp_path / "golden.yaml")
