"""JUnit XML, as CI servers read it: one test case for each answer and check, or for each condition of a gate.

Failures, errors and skips stand apart: a judge error is an `error`, never a
failure. A check that only warns never fails a build: its finding is printed in
the case's `system-out`. Text is made safe for XML 1.0, which knows no control
characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from goldassay.analytics.models import GateState, QuestionChange
from goldassay.analytics.models_reports import CompareReport
from goldassay.reporting.replies import ReplyTally
from goldassay.reporting.safe import excerpt, visible
from goldassay.reporting.words import category_name
from goldassay.verdicts import Outcome, Verdict

__all__ = ["compare_junit", "verdicts_junit"]

_NOT_XML = re.compile("[\ufffe\uffff]")
_TEXT_CHARACTERS = 10_000
_NAME_CHARACTERS = 200


class _Case(NamedTuple):
    suite: str
    name: str
    class_name: str
    outcome: Outcome
    kind: str = ""
    message: str = ""
    detail: str = ""
    seconds: float = 0.0
    warns: bool = False

    @property
    def counts_as(self) -> str:
        """The element a CI server counts: 'failure', 'error', 'skipped', or '' for a passed case."""
        if self.outcome is Outcome.ERROR:
            return "error"
        if self.outcome is Outcome.FAIL:
            return "" if self.warns else "failure"
        return "skipped" if self.outcome in {Outcome.SKIP, Outcome.UNSURE} else ""


def verdicts_junit(
    verdicts: Iterable[Verdict],
    *,
    questions: Mapping[str, str] | None = None,
    name: str = "goldassay",
    run_at: datetime | None = None,
) -> Iterator[str]:
    """JUnit XML of verdicts, piece by piece; one suite a check.

    Args:
        verdicts: The rows of one run.
        questions: record_id -> question, shown in the names of the cases where given.
        name: Name of the whole set.
        run_at: Start of the run; without it the first verdict's is taken.
    """
    texts = questions or {}
    cases: dict[str, list[_Case]] = {}
    replies: dict[str, ReplyTally] = {}
    for verdict in verdicts:
        if verdict.check_kind == "judge":
            replies.setdefault(verdict.check, ReplyTally()).add(verdict)
        run_at = run_at or verdict.run_at
        cases.setdefault(verdict.check, []).append(_verdict_case(verdict, texts.get(verdict.record_id, "")))
    return _document(cases, name, run_at, {check: tally.properties() for check, tally in replies.items()})


def compare_junit(report: CompareReport, *, name: str = "goldassay compare") -> Iterator[str]:
    """JUnit XML of a comparison: a case for each condition of the gate and each question that changed.

    Fails a build exactly where the gate does not open: the conditions that do not hold fail it, and with a gate
    that failed the questions that broke in a gate check. Else these are told in the case's `system-out`.
    """
    cases: dict[str, list[_Case]] = {}
    outcomes = {GateState.PASS: Outcome.PASS, GateState.FAIL: Outcome.FAIL, GateState.NOT_EVALUABLE: Outcome.ERROR}
    if report.gate is not None:
        cases["gate"] = [
            _Case("gate", condition, "goldassay.gate", outcomes[state], state.value, found, found)
            for condition, state, found in report.gate.conditions
        ]
    failed = report.gate is not None and report.gate.state is GateState.FAIL
    held = {check.overall.check for check in report.checks if check.severity == "gate"} if failed else set()
    for change in (*report.broken, *report.fixed):
        cases.setdefault(change.check, []).append(_change_case(change, report, warns=change.check not in held))
    return _document(cases, name, report.head.last_seen, {})


def _verdict_case(verdict: Verdict, question: str) -> _Case:
    name = f"{verdict.record_id}: {excerpt(question, _NAME_CHARACTERS)}" if question else verdict.record_id
    class_name = ".".join(part for part in (verdict.app, verdict.check) if part)
    kind = verdict.category or ("not applicable" if verdict.outcome is Outcome.SKIP else verdict.outcome.value)
    return _Case(
        verdict.check,
        name,
        class_name,
        verdict.outcome,
        category_name(kind),
        verdict.reason,
        _detail(verdict),
        (verdict.latency_ms or 0.0) / 1000,
        warns=verdict.severity == "warn",
    )


def _detail(verdict: Verdict) -> str:
    lines = [verdict.reason, *(f"{piece.kind}: {piece.text}" for piece in verdict.evidence[:20])]
    if verdict.reply and verdict.outcome is Outcome.ERROR:
        lines.append(f"raw reply: {verdict.reply}")
    return "\n".join(line for line in lines if line)


def _change_case(change: QuestionChange, report: CompareReport, *, warns: bool) -> _Case:
    outcome = Outcome.FAIL if change.kind == "broken" else Outcome.PASS
    name = f"{change.question_id or change.head.record_id}: {excerpt(change.question, _NAME_CHARACTERS)}"
    detail = f"{report.base.label}: {change.base.answer}\n{report.head.label}: {change.head.answer}"
    message = change.head.reason or change.kind.replace("_", " ")
    kind, class_name = category_name(change.head.category), f"compare.{change.check}"
    return _Case(change.check, name, class_name, outcome, kind, message, detail, warns=warns)


def _document(
    cases: Mapping[str, list[_Case]], name: str, run_at: datetime | None, told: Mapping[str, Mapping[str, str]]
) -> Iterator[str]:
    everything = [case for suite in cases.values() for case in suite]
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f"<testsuites name={_attribute(name)} {_totals(everything, with_skipped=False)}>\n"
    for number, (suite, suite_cases) in enumerate(cases.items()):
        yield from _suite(number, suite, suite_cases, run_at, told.get(suite, {}))
    yield "</testsuites>\n"


def _suite(
    number: int, suite: str, cases: list[_Case], run_at: datetime | None, told: Mapping[str, str]
) -> Iterator[str]:
    stamp = f' timestamp="{run_at.astimezone(UTC):%Y-%m-%dT%H:%M:%S}"' if run_at else ""
    yield f'<testsuite id="{number}" name={_attribute(suite)} {_totals(cases, with_skipped=True)}{stamp}>\n'
    if told:
        lines = (f"<property name={_attribute(key)} value={_attribute(value)}/>" for key, value in told.items())
        yield f"<properties>{''.join(lines)}</properties>\n"
    yield from (_case_xml(case) for case in cases)
    yield "</testsuite>\n"


def _totals(cases: list[_Case], *, with_skipped: bool) -> str:
    counted = [case.counts_as for case in cases]
    seconds = sum(case.seconds for case in cases)
    skipped = f' skipped="{counted.count("skipped")}"' if with_skipped else ""
    return (
        f'tests="{len(cases)}" failures="{counted.count("failure")}" errors="{counted.count("error")}"{skipped} '
        f'time="{seconds:.3f}"'
    )


def _case_xml(case: _Case) -> str:
    head = f'<testcase name={_attribute(case.name)} classname={_attribute(case.class_name)} time="{case.seconds:.3f}"'
    element = case.counts_as
    if element == "skipped":
        return f"{head}><skipped message={_attribute(case.message or case.kind)}/></testcase>\n"
    if element:
        attributes = f"type={_attribute(case.kind)} message={_attribute(case.message)}"
        return f"{head}><{element} {attributes}>{_text(case.detail)}</{element}></testcase>\n"
    if case.outcome is Outcome.FAIL:
        return f"{head}><system-out>{_text(f'warning, {case.kind}: {case.detail}')}</system-out></testcase>\n"
    return f"{head}/>\n"


def _safe(value: str, limit: int) -> str:
    cut = value if len(value) <= limit else value[:limit] + " (cut)"
    return _NOT_XML.sub("\ufffd", visible(cut))


def _text(value: str) -> str:
    return escape(_safe(value, _TEXT_CHARACTERS))


def _attribute(value: str) -> str:
    return quoteattr(_safe(value, 1000))
