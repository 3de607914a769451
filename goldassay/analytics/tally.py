"""Sums up verdicts as they come, in memory that does not grow with them: the numbers of `goldassay check`.

The same shapes as the report of a stored run, without a store: no DuckDB, no pyarrow, so that
a thousand answers are checked and reported in under a second.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Literal

from goldassay.analytics.citations import Sent, citations_of
from goldassay.analytics.models import (
    CategoryCount,
    CheckSummary,
    Counts,
    Example,
    RateSummary,
    ReasonGroup,
    RejectedLine,
)
from goldassay.analytics.models_reports import AnswerabilityTable, RunSummary
from goldassay.analytics.notices import check_notices, log_notices
from goldassay.analytics.statistics_rates import rate_bounds, wilson_interval
from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.sources import Rejected
from goldassay.verdicts import Outcome, Verdict

__all__ = ["Tally", "plain_rate"]

_ANSWER_CHARACTERS = 600
_EXAMPLES = 3
_REJECTED = 100


class Tally:
    """Counts verdicts by check, outcome and category, and keeps the first examples of each."""

    def __init__(self, *, app: str, gate: Sequence[str]) -> None:
        self._app, self._gate = app, tuple(gate)
        self._begun = datetime.now(UTC)
        self._records = 0
        self._sourceless = 0
        self._outcomes: dict[str, Counter[Outcome]] = {}
        self._about: dict[str, tuple[str, Literal["gate", "warn"]]] = {}
        self._categories: dict[tuple[str, str], int] = {}
        self._examples: dict[tuple[str, str], list[Example]] = {}
        self._only: Counter[str] = Counter()
        self._by_cause: Counter[tuple[str, bool]] = Counter()
        self._with_any: Counter[bool] = Counter()
        self._answers: Counter[Outcome] = Counter()
        self._refusals: Counter[tuple[bool, bool]] = Counter()
        self._versions: set[str] = set()
        self._models: set[str] = set()
        self._rejected: list[RejectedLine] = []
        self._rejected_count = 0
        self._notes: list[str] = []

    @property
    def failed_answers(self) -> int:
        """Answers that fail at least one gate check."""
        return self._answers[Outcome.FAIL]

    @property
    def told_answers(self) -> int:
        """Answers that passed or failed the gate checks; where there are none, nothing was checked."""
        return self._answers[Outcome.PASS] + self._answers[Outcome.FAIL]

    def set_aside(self, rejected: Iterable[Rejected]) -> None:
        """Counts input lines that could not be read."""
        for line in rejected:
            self._rejected_count += 1
            if len(self._rejected) < _REJECTED:
                self._rejected.append(RejectedLine(line.file, line.line or None, line.reason, line.raw))

    def note(self, notes: Iterable[str]) -> None:
        """Keeps what the log as a whole should make its reader look at."""
        self._notes += notes

    def add(self, record: AnswerRecord, golden: GoldenQuestion | None, verdicts: Sequence[Verdict]) -> None:
        """Counts one record's verdicts."""
        self._records += 1
        self._sourceless += not record.sources
        self._versions.add(record.app_version)
        if record.model:
            self._models.add(record.model)
        for verdict in verdicts:
            self._count(record, verdict, verdicts)
        gate = [verdict for verdict in verdicts if verdict.severity == "gate"]
        self._answers[_answer_outcome(gate)] += 1
        failing = {str(verdict.category or "other") for verdict in gate if verdict.outcome is Outcome.FAIL}
        if len(failing) == 1:
            self._only.update(failing)
        self._count_causes(verdicts)
        self._count_refusal(golden, verdicts)

    def summary(self) -> RunSummary:
        """Everything counted so far, as the terminal shows it."""
        checks = sorted(map(self._check, self._outcomes), key=lambda check: (check.severity != "gate",))
        failures, errors = self._reasons(error=False), self._reasons(error=True)
        return RunSummary(
            run_id="",
            run_kind="check",
            run_at=self._begun,
            finished_at=datetime.now(UTC),
            app=self._app,
            app_versions=tuple(sorted(version for version in self._versions if version)),
            models=tuple(sorted(self._models)),
            window=(None, None),
            records=self._records,
            rejected=self._rejected_count,
            checked=self._records,
            judged_records=0,
            sampling="",
            answers=plain_rate(_counts(self._answers)),
            answers_judged=None,
            checks=tuple(checks),
            reasons=failures,
            error_reasons=errors,
            answerability=self._answerability(),
            notices=(*log_notices(self._notes), *check_notices(checks, sourceless=self._sourceless)),
            rejected_lines=tuple(self._rejected),
        )

    def _count(self, record: AnswerRecord, verdict: Verdict, verdicts: Sequence[Verdict]) -> None:
        self._outcomes.setdefault(verdict.check, Counter())[verdict.outcome] += 1
        self._about[verdict.check] = (verdict.check_version, verdict.severity)
        if verdict.outcome not in {Outcome.FAIL, Outcome.ERROR}:
            return
        key = (verdict.check, str(verdict.category or "other"))
        self._categories[key] = self._categories.get(key, 0) + 1
        kept = self._examples.setdefault(key, [])
        if len(kept) < _EXAMPLES:
            kept.append(_example(record, verdict, verdicts))

    def _count_causes(self, verdicts: Sequence[Verdict]) -> None:
        """Counts the answer once for each of its causes, however many checks found it."""
        for outcome in (Outcome.FAIL, Outcome.ERROR):
            causes = {str(verdict.category or "other") for verdict in verdicts if verdict.outcome is outcome}
            is_error = outcome is Outcome.ERROR
            self._by_cause.update((cause, is_error) for cause in causes)
            self._with_any[is_error] += bool(causes)

    def _count_refusal(self, golden: GoldenQuestion | None, verdicts: Sequence[Verdict]) -> None:
        rule = next((verdict for verdict in verdicts if verdict.check == "refusal"), None)
        if golden is None or rule is None or rule.outcome not in {Outcome.PASS, Outcome.FAIL}:
            return
        right = rule.outcome is Outcome.PASS
        self._refusals[golden.answerable, right != golden.answerable] += 1

    def _check(self, name: str) -> CheckSummary:
        version, severity = self._about[name]
        outcomes = self._outcomes[name]
        counts = _counts(outcomes)
        return CheckSummary(
            check=name,
            kind="rule",
            version=version,
            severity=severity,
            rate=plain_rate(counts),
            errors=self._by_category(name, counts.graded, error=True),
            failures=self._by_category(name, counts.graded, error=False),
        )

    def _by_category(self, name: str, graded: int, *, error: bool) -> tuple[CategoryCount, ...]:
        rows = [
            CategoryCount(category, times, times / graded if graded else 0.0)
            for (check, category), times in self._categories.items()
            if check == name and self._is_error(check, category) is error
        ]
        return tuple(sorted(rows, key=lambda row: (-row.times, row.category)))

    def _is_error(self, check: str, category: str) -> bool:
        examples = self._examples[check, category]
        return examples[0].outcome == Outcome.ERROR.value

    def _reasons(self, *, error: bool) -> tuple[ReasonGroup, ...]:
        checks: dict[str, list[str]] = {}
        for check, category in self._categories:
            if self._is_error(check, category) is error:
                checks.setdefault(category, []).append(check)
        groups = [self._group(category, names, error=error) for category, names in checks.items()]
        return tuple(sorted(groups, key=lambda group: (-group.answers, -group.count, group.category)))

    def _group(self, category: str, checks: list[str], *, error: bool) -> ReasonGroup:
        count = sum(self._categories[check, category] for check in checks)
        examples = [example for check in checks for example in self._examples[check, category]]
        return ReasonGroup(
            category=category,
            name=category,
            checks=tuple(checks),
            count=count,
            answers=self._by_cause[category, error],
            of_answers=self._with_any[error],
            is_error=error,
            would_pass=0 if error else self._only[category],
            examples=tuple(examples[:_EXAMPLES]),
        )

    def _answerability(self) -> AnswerabilityTable | None:
        if not self._refusals:
            return None
        table = self._refusals
        answered, refused = table[True, False], table[True, True]
        invented, right = table[False, False], table[False, True]
        return AnswerabilityTable(
            answerable_answered=answered,
            answerable_refused=refused,
            unanswerable_answered=invented,
            unanswerable_refused=right,
            refused_answerable_rate=refused / (answered + refused) if answered + refused else None,
            refused_answerable_interval=wilson_interval(refused, answered + refused),
            answered_unanswerable_rate=invented / (invented + right) if invented + right else None,
            answered_unanswerable_interval=wilson_interval(invented, invented + right),
        )


def plain_rate(counts: Counts) -> RateSummary:
    """The rate of verdicts that all stand for one answer each."""
    passed, graded, readable = counts.passed, counts.graded, counts.readable
    return RateSummary(
        counts=counts,
        headline=passed / graded if graded else None,
        interval=wilson_interval(passed, graded),
        readable=passed / readable if readable else None,
        readable_interval=wilson_interval(passed, readable),
        bounds=rate_bounds(passed, counts.failed, counts.errors),
        effective_n=float(graded),
    )


def _counts(outcomes: Counter[Outcome]) -> Counts:
    order = (Outcome.PASS, Outcome.FAIL, Outcome.ERROR, Outcome.SKIP, Outcome.UNSURE)
    return Counts(*(outcomes[outcome] for outcome in order))


def _answer_outcome(gate: Sequence[Verdict]) -> Outcome:
    """Failed when one gate check fails; an error when one broke; else passed, if any could tell."""
    outcomes = {verdict.outcome for verdict in gate}
    for outcome in (Outcome.FAIL, Outcome.ERROR, Outcome.UNSURE, Outcome.PASS):
        if outcome in outcomes:
            return outcome
    return Outcome.SKIP


def _example(record: AnswerRecord, verdict: Verdict, verdicts: Sequence[Verdict]) -> Example:
    marks = next((each.evidence for each in verdicts if each.check == "cites"), ())
    sent = [Sent(source.id, source.title, source.url) for source in record.sources]
    return Example(
        record_id=record.record_id,
        question_id=verdict.question_id,
        question=record.question,
        answer=record.answer[:_ANSWER_CHARACTERS],
        answer_cut=len(record.answer) > _ANSWER_CHARACTERS,
        check=verdict.check,
        outcome=verdict.outcome.value,
        category=verdict.category,
        reason=verdict.reason,
        score=verdict.score,
        evidence=verdict.evidence,
        citations=tuple(citations_of(marks, sent)),
        sources_sent=len(record.sources),
        app_version=record.app_version,
    )
