"""A team's own rules: by path, in every form of answer, and when they are wrong."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from goldassay.errors import ConfigError
from goldassay.records import AnswerRecord
from goldassay.rules import RulesConfig, load_rules
from goldassay.rules.batch import check_records
from goldassay.verdicts import Category, Finding, Outcome

_FILE = """
from dataclasses import dataclass
from goldassay import Outcome, Verdict
from goldassay.verdicts import Finding

@dataclass
class Price:
    text: str

def no_prices(record, golden):
    return "$" not in record.answer

def as_finding(record, golden):
    return Finding(Outcome.UNSURE, reason="ask the judge")

def as_verdict(record, golden):
    return Verdict(record_id=record.record_id, check="x", check_kind="rule", outcome=Outcome.FAIL, reason="no")

def raises(record, golden):
    raise ValueError("a bad day")

def leaves(record, golden):
    raise SystemExit(3)

def says_nothing(record, golden):
    pass

async def waits(record, golden):
    return True

not_callable = 5
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project folder with a file of own rules, named like a module of the standard library."""
    (tmp_path / "json.py").write_text(_FILE, encoding="utf-8")
    return tmp_path


def _check(folder: Path, name: str, answer: str = "It costs $5.") -> Finding:
    rules = load_rules(RulesConfig(enabled=(), custom=(f"json.py:{name}",)), base_dir=folder)
    return dict(rules.check(AnswerRecord(record_id="1", question="?", answer=answer)))[name]


@pytest.mark.parametrize(
    ("name", "outcome", "words"),
    [
        ("no_prices", Outcome.FAIL, "no_prices"),
        ("as_finding", Outcome.UNSURE, "ask the judge"),
        ("as_verdict", Outcome.FAIL, "no"),
        ("raises", Outcome.ERROR, "ValueError: a bad day"),
        ("leaves", Outcome.ERROR, "SystemExit"),
        ("says_nothing", Outcome.ERROR, "NoneType"),
    ],
)
def test_every_answer_of_an_own_rule_becomes_a_finding(folder: Path, name: str, outcome: Outcome, words: str):
    """bool, Finding and Verdict are read; what it raises is an error row with its message."""
    finding = _check(folder, name)

    assert finding.outcome is outcome
    assert words in finding.reason


def test_it_passes_when_it_says_so(folder: Path):
    """True is a pass."""
    assert _check(folder, "no_prices", "It is free.").outcome is Outcome.PASS


def test_the_file_is_loaded_by_path_and_shadows_nothing(folder: Path):
    """A file called json.py is loaded, and `import json` still means the standard library."""
    before = list(sys.path)
    _check(folder, "no_prices")

    import json

    assert sys.path == before
    assert "goldassay" not in (json.__file__ or "")
    assert json.loads("[1]") == [1]


def test_the_version_follows_the_content(folder: Path):
    """An edited rule is another rule for the store."""
    config = RulesConfig(enabled=(), custom=("json.py:no_prices",))
    first = load_rules(config, base_dir=folder).version("no_prices")
    (folder / "json.py").write_text(_FILE + "\n# edited\n", encoding="utf-8")

    assert load_rules(config, base_dir=folder).version("no_prices") != first


def test_worker_processes_load_it_too(folder: Path):
    """The pool gets the settings and the folder, not the function."""
    rules = load_rules(RulesConfig(enabled=(), custom=("json.py:no_prices",)), base_dir=folder)
    record = AnswerRecord(record_id="1", question="?", answer="It costs $5.")

    (rows,) = check_records([(record, None)], rules, workers=2)

    assert [(row.check, row.outcome, row.category) for row in rows] == [("no_prices", Outcome.FAIL, Category.OTHER)]


def test_a_list_of_rules_is_short_for_own_rules():
    """`rules = ["my_rules.py:no_prices"]` in the project file."""
    assert RulesConfig.model_validate(["my_rules.py:no_prices"]).custom == ("my_rules.py:no_prices",)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("json.py:waits", "async"),
        ("json.py", "is not 'file.py:function'"),
        ("json.txt:no_prices", "is not 'file.py:function'"),
        ("json.py:no prices", "is not 'file.py:function'"),
        ("missing.py:no_prices", "cannot read"),
        ("json.py:no_such", "has no function 'no_such'"),
        ("json.py:not_callable", "has no function 'not_callable'"),
        ("broken.py:rule", "does not load: SyntaxError"),
        ("taken.py:numbers", "name that is taken"),
    ],
)
def test_an_entry_that_cannot_be_loaded_stops_the_run_with_one_message(folder: Path, entry: str, words: str):
    """The message names the entry and what to do."""
    (folder / "broken.py").write_text("def rule(:\n", encoding="utf-8")
    (folder / "taken.py").write_text("def numbers(record, golden):\n    return True\n", encoding="utf-8")

    with pytest.raises(ConfigError, match=words):
        load_rules(RulesConfig(custom=(entry,)), base_dir=folder)


def test_severity_and_strata_hold_for_own_rules(folder: Path):
    """An own rule warns unless it is named in the gate."""
    plain = load_rules(RulesConfig(custom=("json.py:no_prices",)), base_dir=folder)
    gated = load_rules(RulesConfig(custom=("json.py:no_prices",), gate=("no_prices",)), base_dir=folder)

    assert (plain.severity("no_prices"), gated.severity("no_prices")) == ("warn", "gate")
