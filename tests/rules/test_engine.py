"""The engine: the worked examples, severity, strata, unknown names, and rules that break."""

from __future__ import annotations

import pytest

from goldassay import check_answer
from goldassay.errors import ConfigError
from goldassay.records import AnswerRecord, GoldenQuestion, Source
from goldassay.rules import RULES, RuleContext, RulesConfig, RuleSet, RuleSpec, load_rules
from goldassay.verdicts import Category, Finding, Outcome, RunStamp, Verdict

_SOURCES = {
    "D1": "Monthly pass. The monthly pass costs 25 dollars. It includes rides of up to 45 minutes each.",
    "D2": "Cancelling. You get your money back if you cancel at least 2 hours before the ride starts.",
    "D3": "Helmets. Every bike comes with a helmet at no extra charge.",
}
_CASES = [
    ("What does the monthly pass include?", True,
     "The monthly pass costs 25 dollars and includes rides of up to 45 minutes [D1]."),
    ("Do I get my money back if I cancel?", True, "Yes, if you cancel at least 4 hours before the ride starts [D2]."),
    ("Is a helmet included?", True, "Yes, every bike comes with a helmet at no extra charge."),
    ("Do you rent scooters?", False, "Yes, scooters cost 9 dollars an hour [D8]."),
    ("Can I bring my dog?", False, "I could not find this in the provided documents."),
]  # fmt: skip
_FINE = {Outcome.PASS, Outcome.SKIP}


def _pair(number: int) -> tuple[AnswerRecord, GoldenQuestion]:
    question, answerable, answer = _CASES[number]
    sources = tuple(Source(id=name, text=text) for name, text in _SOURCES.items())
    record = AnswerRecord(record_id=str(number), question=question, answer=answer, sources=sources)
    return record, GoldenQuestion(question_id=str(number), question=question, answerable=answerable)


@pytest.mark.parametrize(
    ("number", "failing"),
    [(0, set()), (1, {"numbers"}), (2, {"cites"}), (3, {"cites", "numbers", "refusal"}), (4, set())],
)
def test_the_five_bike_rental_answers_come_out_exactly(number: int, failing: set[str]):
    """All ok; wrong hours; no citation; an invented offer; a right refusal."""
    rules = load_rules(RulesConfig(enabled=("cites", "numbers", "refusal", "length"), length={"max_words": 120}))

    findings = dict(rules.check(*_pair(number)))

    assert {name for name, finding in findings.items() if finding.outcome is Outcome.FAIL} == failing
    assert {name for name, finding in findings.items() if finding.outcome not in _FINE} == failing


def test_the_totals_of_the_bike_rental_come_out_exactly():
    """Fine of five: cites 3, numbers 3, refusal 4, length 5; what does not apply to a refusal is fine."""
    rules = load_rules(RulesConfig(enabled=("cites", "numbers", "refusal", "length"), length={"max_words": 120}))
    checked = [dict(rules.check(*_pair(number))) for number in range(5)]

    fine = {name: sum(f[name].outcome in _FINE for f in checked) for name in rules.names}

    assert fine == {"cites": 3, "numbers": 3, "refusal": 4, "length": 5}


def test_check_answer_gives_full_rows():
    """Record, question and rule fields are all there; gate and warn come from the settings."""
    record, golden = _pair(1)
    record = record.model_copy(update={"app": "bikes", "app_version": "1.10", "model": "m"})

    verdicts = check_answer(record, golden.model_copy(update={"stratum": "money"}))

    (numbers,) = (verdict for verdict in verdicts if verdict.check == "numbers")
    assert isinstance(numbers, Verdict)
    assert (numbers.outcome, numbers.category) == (Outcome.FAIL, Category.WRONG_NUMBER)
    assert (numbers.app, numbers.app_version, numbers.model) == ("bikes", "1.10", "m")
    assert (numbers.record_id, numbers.question_id, numbers.stratum) == ("1", "1", "money")
    assert (numbers.check_kind, numbers.severity, numbers.answerable) == ("rule", "gate", True)
    assert next(verdict.severity for verdict in verdicts if verdict.check == "length") == "warn"
    assert record.answer[numbers.evidence[0].start : numbers.evidence[0].end] == "4"


def test_severity_goes_before_gate():
    """A rule of the gate may be made a warning, and the other way round."""
    rules = load_rules(RulesConfig(severity={"numbers": "warn", "length": "gate"}))

    assert (rules.severity("numbers"), rules.severity("length"), rules.severity("cites")) == ("warn", "gate", "gate")


def test_a_rule_runs_on_its_strata_only():
    """`only` and `skip` name strata of the golden set; a record of none is always checked."""
    rules = load_rules(RulesConfig(strata={"numbers": {"skip": ["chat"]}, "cites": {"only": ["money"]}}))
    record, golden = _pair(1)

    chat = dict(rules.check(record, golden.model_copy(update={"stratum": "chat"})))
    money = dict(rules.check(record, golden.model_copy(update={"stratum": "money"})))
    nobody = dict(rules.check(record))

    assert (chat["numbers"].outcome, chat["cites"].outcome) == (Outcome.SKIP, Outcome.SKIP)
    assert (money["numbers"].outcome, money["cites"].outcome) == (Outcome.FAIL, Outcome.PASS)
    assert nobody["numbers"].outcome is Outcome.FAIL


@pytest.mark.parametrize("place", ["gate", "enabled", "severity", "strata"])
def test_an_unknown_rule_is_refused_with_the_nearest_known(place: str):
    """A misspelt name would silently gate nothing."""
    value = {"gate": ["numbars"], "enabled": ["numbars"], "severity": {"numbars": "warn"}, "strata": {"numbars": {}}}

    with pytest.raises(ConfigError, match=f"rules.{place}.*'numbars'.*'numbers'"):
        load_rules(RulesConfig.model_validate({place: value[place]}))


def test_a_rule_that_is_off_by_default_runs_once_it_is_configured():
    """`banned_wording` has nothing to do until a phrase is listed."""
    assert "banned_wording" not in load_rules().names
    assert "banned_wording" in load_rules(RulesConfig(banned_wording={"phrases": ["as an AI"]})).names


def _breaks(_context: RuleContext, _config: object) -> Finding:
    message = "no such thing"
    raise KeyError(message)


def test_a_rule_that_breaks_gives_an_error_row_and_the_others_run_on():
    """An error is neither pass nor fail; its message is kept."""
    rules = RuleSet((RuleSpec("broken", _breaks, "1", ""), RULES["numbers"]), RulesConfig())

    findings = dict(rules.check(*_pair(0)))

    assert (findings["broken"].outcome, findings["broken"].category) == (Outcome.ERROR, Category.OTHER)
    assert "KeyError" in findings["broken"].reason
    assert "no such thing" in findings["broken"].reason
    assert findings["numbers"].outcome is Outcome.PASS


def test_the_registry_names_each_rule_once_with_a_version_and_a_setting():
    """A rule without its own settings or version could not be told apart in the store."""
    for name, spec in RULES.items():
        assert spec.name == name
        assert spec.version
        assert spec.config_field in RulesConfig.model_fields


def test_rows_of_a_run_carry_its_stamp():
    """run_id, run_kind and run_at are those of the run."""
    from datetime import UTC, datetime

    stamp = RunStamp("run-1", "golden", datetime(2026, 9, 14, tzinfo=UTC))

    row = load_rules().verdicts(*_pair(0), stamp=stamp)[0]

    assert (row.run_id, row.run_kind, row.run_at) == stamp
