"""The shipped cases of topic `rules`, run through one adapter; GOLDASSAY_CASES may name another file of that form."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from goldassay.records import AnswerRecord, GoldenQuestion, Source
from goldassay.rules import RulesConfig, RuleSet, load_rules
from goldassay.rules.context import RuleContext
from goldassay.rules.numbers import examine_numbers, plain
from goldassay.text import normalise, words
from goldassay.verdicts import Finding, Outcome

_SHIPPED = Path(__file__).parents[1] / "cases" / "rules.jsonl"
_RULE_OF = {"citations": "cites", "banned": "banned_wording"}
_WORD_OF = {Outcome.PASS: "pass", Outcome.FAIL: "fail", Outcome.SKIP: "na", Outcome.UNSURE: "uncertain"}
_FLAG_WORDS = {
    "ambiguous_separator": "ambiguous separator",
    "ambiguous_date": "ambiguous date",
    "derived_number": "derived:",
    "number_requested_by_question": "requested by the question",
}


def _cases() -> list[dict[str, Any]]:
    path = Path(os.environ.get("GOLDASSAY_CASES") or _SHIPPED)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [row for row in rows if row["topic"] == "rules"]


def _length(limits: dict[str, Any]) -> dict[str, int]:
    unit = limits.get("unit", "words")
    bounds = {f"min_{unit}": limits.get("min"), f"max_{unit}": limits.get("max")}
    return {name: bound for name, bound in bounds.items() if bound is not None}


def _rules(given: dict[str, Any]) -> RuleSet:
    settings: dict[str, Any] = {}
    if given.get("length"):
        settings["length"] = _length(given["length"])
    if given.get("banned"):
        settings["banned_wording"] = {"phrases": given["banned"]}
    if given.get("require_citation") is False:
        settings["cites"] = {"require": "none"}
    return load_rules(RulesConfig.model_validate(settings))


def _record(given: dict[str, Any]) -> AnswerRecord:
    sources = tuple(Source.model_validate(source) for source in given.get("sources") or ())
    return AnswerRecord(record_id="case", question=given["question"], answer=given["answer"], sources=sources)


def _golden(given: dict[str, Any]) -> GoldenQuestion:
    facts = given.get("key_fact")
    return GoldenQuestion(
        question_id="case",
        question=given["question"],
        answerable=given.get("answerable", True),
        key_facts=facts if facts is not None else (),
    )


def _word(finding: Finding, wanted: str) -> str:
    """A pass with nothing to check is what the cases call 'na'; a denied fact for the judge may be called 'fail'."""
    if wanted == "na" and finding.outcome is Outcome.PASS and "nothing to check" in finding.reason:
        return "na"
    if wanted == "na" and finding.outcome is Outcome.PASS and "refus" in finding.reason:
        return "na"
    return _WORD_OF[finding.outcome]


def _numbers_missing(context: RuleContext, finding: Finding) -> list[str]:
    """The numbers that made the finding, in plain digits with their scale applied."""
    if finding.outcome is Outcome.PASS:
        return []
    fates = examine_numbers(context, context.config.numbers)
    return list(dict.fromkeys(plain(fate.number) for fate in fates if fate.outcome is finding.outcome))


@pytest.mark.parametrize("case", _cases(), ids=lambda case: case["case"])
def test_case_comes_out_as_a_careful_practitioner_wants(case: dict[str, Any]):
    """Every key of `expected.rules` is compared; keys that are not listed are free."""
    given, wanted = case["input"], case["expected"]["rules"]
    rules, record, golden = _rules(given), _record(given), _golden(given)

    findings = dict(rules.check(record, golden))
    context = RuleContext(record, golden, rules.config)

    for key in ("key_fact", "citations", "numbers", "refusal", "length", "banned"):
        if key in wanted:
            finding = findings[_RULE_OF.get(key, key)]
            assert _word(finding, wanted[key]) == wanted[key], (key, finding)
    assert _details(wanted, findings, context, given) == {key: wanted[key] for key in _DETAILS if key in wanted}
    for flag in wanted.get("flags", ()):
        _assert_flag(flag, findings, context)


_DETAILS = ("numbers_missing", "cited", "unknown", "listed", "detected_refusal", "needs_judge", "count", "hits")


def _details(
    wanted: dict[str, Any], findings: dict[str, Finding], context: RuleContext, given: dict[str, Any]
) -> dict[str, Any]:
    """What the rules found, under the names of the cases, for the keys that the case lists."""
    found = {
        "numbers_missing": lambda: _numbers_missing(context, findings["numbers"]),
        "cited": lambda: list(context.cited.cited),
        "unknown": lambda: list(context.cited.unknown),
        "listed": lambda: list(context.cited.listed),
        "detected_refusal": lambda: bool(context.is_refusal),
        "needs_judge": lambda: any(f.outcome is Outcome.UNSURE or "judge" in f.reason for f in findings.values()),
        "count": lambda: len(words(_without_marks(context))),
        "hits": lambda: _hits(findings["banned_wording"], given["banned"]),
    }
    return {key: found[key]() for key in _DETAILS if key in wanted}


def _without_marks(context: RuleContext) -> str:
    text = context.answer.text
    for start, end in context.cited.spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _hits(finding: Finding, phrases: list[str]) -> list[str]:
    """The listed phrases that the evidence shows."""
    shown = [" ".join(normalise(evidence.text).text.casefold().split()) for evidence in finding.evidence]
    return [phrase for phrase in phrases if " ".join(normalise(phrase).text.casefold().split()) in shown]


def _assert_flag(flag: str, findings: dict[str, Finding], context: RuleContext) -> None:
    """The cases' flags are told in the reasons of the rules."""
    name, _, detail = flag.partition(":")
    reasons = " ".join(finding.reason for finding in findings.values()) + " ".join(context.cited.flags)
    if name == "found_in_uncited_source":
        assert f"only in source {detail!r}" in reasons
    elif name == "converted_percent":
        assert "in another form" in reasons
    elif name in _FLAG_WORDS:
        assert _FLAG_WORDS[name] in reasons
