"""Asking: golden questions that the log does not answer are put to the assistant itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from goldassay.analytics.coverage import ANSWERED_CHECK
from goldassay.records import GoldenQuestion
from goldassay.sources.assistant import AskedVersion, AskError, AssistantConfig, ask_golden
from goldassay.stages.plan import RunPlan
from goldassay.stages.pull import Matched
from goldassay.store import Staging
from goldassay.verdicts import Outcome, Verdict

__all__ = ["ASKED_STAGE", "AskReport", "ask_missing"]

ASKED_STAGE = "asked"
"""Stage of the rows for questions that ended without an answer."""


class AskReport(NamedTuple):
    """What came of asking."""

    answers: list[Matched]
    """In the order of the golden set."""
    errors: int
    """Questions without an answer; each has a row of the check `answered`."""
    reused: int
    """Answers of an earlier, interrupted attempt of this run."""


async def ask_missing(
    plan: RunPlan,
    staging: Staging,
    config: AssistantConfig,
    questions: Sequence[GoldenQuestion],
    *,
    environ: Mapping[str, str],
) -> AskReport:
    """Asks each question once; goes on from its journal after a kill.

    Args:
        plan: The run; its versions are asked for and stored.
        staging: Where its unfinished parts lie.
        config: How the assistant is asked.
        questions: Those without an answer in the log.
        environ: Where headers and tokens are found.

    Returns:
        Answers and the number of errors; together as many as questions.
    """
    version = AskedVersion(plan.app, plan.app_version or "", plan.model, plan.prompt_version, plan.index_version)
    journal = staging.folder / "asked.jsonl"
    journal.parent.mkdir(parents=True, exist_ok=True)
    asked = await ask_golden(
        questions, config=config, version=version, journal=journal, environ=environ, base_dir=plan.folder
    )
    by_id = {question.question_id: question for question in questions}
    if asked.errors:
        staging.write_verdicts(ASKED_STAGE, 0, (_row(plan, by_id[error.question_id], error) for error in asked.errors))
    answers = [Matched(record, by_id.get(record.question_id or "")) for record in asked.records]
    return AskReport(answers, len(asked.errors), asked.reused)


def _row(plan: RunPlan, question: GoldenQuestion, error: AskError) -> Verdict:
    return Verdict(
        run_id=plan.run_id,
        run_kind=plan.run_kind,
        run_at=plan.run_at,
        app=plan.app,
        app_version=plan.app_version or "",
        model=plan.model,
        prompt_version=plan.prompt_version,
        index_version=plan.index_version,
        record_id=f"unanswered-{question.question_id}",
        question_id=question.question_id,
        stratum=question.stratum,
        answerable=question.answerable,
        check=ANSWERED_CHECK,
        check_kind="rule",
        outcome=Outcome.ERROR,
        category=error.category,
        reason=f"the assistant gave no answer: {error.reason}",
        severity="gate",
        attempts=error.attempts,
    )
