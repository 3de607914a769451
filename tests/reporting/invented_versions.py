"""Invented figures of a bike rental assistant: a history and a comparison of two versions."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from goldassay.analytics.models import (
    GateResult,
    GateState,
    Interval,
    Notice,
    ReasonGroup,
)
from goldassay.analytics.models_reports import (
    AnswerabilityTable,
    CategoryTrend,
    CheckComparison,
    CompareReport,
    DayRate,
    FlakyQuestion,
    HistoryReport,
    Side,
    VersionRate,
)
from tests.reporting.invented_run import RUN_AT, change, example, question_change, rate


def build_history(**changes: object) -> HistoryReport:
    """Four versions and thirty days."""
    versions = ("1.2.0", "1.3.0", "1.3.1", "1.4.0")
    figures = {"faithful": (180, 184, 183, 171), "numbers": (190, 191, 186, 188), "refusal": (170, 178, 181, 190)}
    rates = tuple(
        VersionRate(
            version=version,
            check=check,
            kind="judge" if check == "faithful" else "rule",
            rate=rate(passed, 197 - passed, 3 if check == "faithful" else 0),
            questions=200,
            first_seen=RUN_AT - timedelta(days=40 - 10 * place),
            last_seen=RUN_AT - timedelta(days=31 - 10 * place),
            judges=("judge-large / rag 2",) if check == "faithful" else (),
        )
        for check, row in figures.items()
        for place, (version, passed) in enumerate(zip(versions, row, strict=True))
    )
    days = tuple(
        DayRate(
            day=date(2026, 11, 1) + timedelta(days=day), check=check, rate=rate(180 - (day * 7) % 13 - day // 3, 20)
        )
        for check in figures
        for day in range(29)
    )
    categories = tuple(
        CategoryTrend(
            category=category,
            check=check,
            is_error=error,
            counts=tuple((version, count, count / 200) for version, count in zip(versions, counts, strict=True)),
            change=(counts[-1] - counts[-2]) / 200,
            change_p=0.01 if abs(counts[-1] - counts[-2]) > 5 else 0.4,
            first_seen=RUN_AT - timedelta(days=40),
            last_seen=RUN_AT,
            first_version=versions[0],
            last_version=versions[-1],
        )
        for category, check, error, counts in (
            ("wrong_number", "numbers", False, (10, 9, 14, 12)),
            ("added_claim", "faithful", False, (8, 6, 7, 19)),
            ("contradicts_source", "faithful", False, (9, 7, 7, 4)),
            ("missed_refusal", "refusal", False, (27, 19, 16, 7)),
            ("missing_citation", "cites", False, (4, 4, 0, 1)),
            ("unreadable_reply", "faithful", True, (3, 3, 3, 3)),
        )
    )
    built = HistoryReport(
        by="app_version",
        app="atlas",
        since=datetime(2026, 10, 20, tzinfo=UTC),
        until=None,
        versions=versions,
        rates=rates,
        days=days,
        categories=categories,
        answerability=(
            AnswerabilityTable(
                version="1.3.1",
                answerable_answered=168,
                answerable_refused=8,
                unanswerable_answered=9,
                unanswerable_refused=15,
                refused_answerable_rate=0.05,
                refused_answerable_interval=Interval(0.02, 0.09),
                answered_unanswerable_rate=0.38,
                answered_unanswerable_interval=Interval(0.21, 0.57),
            ),
            AnswerabilityTable(
                version="1.4.0",
                answerable_answered=160,
                answerable_refused=16,
                unanswerable_answered=5,
                unanswerable_refused=19,
                refused_answerable_rate=0.09,
                refused_answerable_interval=Interval(0.06, 0.14),
                answered_unanswerable_rate=0.21,
                answered_unanswerable_interval=Interval(0.09, 0.41),
            ),
        ),
        reasons=(
            ReasonGroup(
                category="added_claim",
                name="added_claim",
                checks=("faithful",),
                count=40,
                answers=36,
                of_answers=120,
                trend=0.06,
                trend_p=0.01,
                by_version=(("1.2.0", 8), ("1.3.0", 6), ("1.3.1", 7), ("1.4.0", 19)),
                first_seen=RUN_AT - timedelta(days=40),
                last_seen=RUN_AT,
                would_pass=12,
                examples=(example(),),
            ),
        ),
        flaky=(
            FlakyQuestion(
                question_id="q17",
                question="May my child ride along?",
                check="faithful",
                kind="judge",
                version="1.4.0",
                passed=5,
                failed=3,
                flips=4,
                same_answer=True,
            ),
        ),
    )
    return replace(built, **changes)  # type: ignore[arg-type]  # tests hand over whatever they like


def build_compare(**changes: object) -> CompareReport:
    """1.3.1 against 1.4.0."""
    built = CompareReport(
        by="app_version",
        base=Side(
            label="1.3.1", run_ids=("r1",), app_versions=("1.3.1",), answers=214, judges=("openai/judge-large rag 2",)
        ),
        head=Side(
            label="1.4.0", run_ids=("r2",), app_versions=("1.4.0",), answers=213, judges=("openai/judge-large rag 3",)
        ),
        common_questions=212,
        only_base=2,
        only_head=1,
        checks=(
            CheckComparison(
                overall=change("faithful"), strata=(replace(change("faithful"), stratum="billing", common=60),)
            ),
            CheckComparison(
                overall=replace(change("numbers", "improvement"), sentence="numbers rose from 0.84 to 0.91")
            ),
            CheckComparison(
                overall=replace(
                    change("relevant", "cannot_tell"),
                    needed=340,
                    sentence="relevant: cannot tell; needs about 340 more questions",
                )
            ),
        ),
        answers=change("answers that pass every gate check"),
        broken=(question_change(is_answer=True),),
        fixed=(question_change("fixed", is_answer=True),),
        still_failing=(question_change("still_failing", is_answer=True),),
        categories=(("faithful", "added_claim", 7, 19), ("numbers", "wrong_number", 14, 12)),
        notices=(Notice("judge_version_differs", "alarm", "Rubric rag 2 graded the base, rag 3 the candidate."),),
        gate=GateResult(
            state=GateState.FAIL,
            reasons=("faithful dropped by 0.07, more than the 0.03 allowed",),
            conditions=(
                ("max_drop faithful 0.03", GateState.FAIL, "dropped by 0.07"),
                ("wrong_number>0", GateState.PASS, "12 in base, none new"),
            ),
        ),
        sentences=("faithful fell from 0.91 to 0.84 on 212 common questions; 19 broke, 4 were fixed; p = 0.003.",),
        rejudge_command="goldassay compare 1.3.1 1.4.0 --rejudge",
    )
    return replace(built, **changes)  # type: ignore[arg-type]  # tests hand over whatever they like
