"""Invented figures of a bike rental assistant: the report of one night, in the shapes analytics hands over."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from goldassay.analytics.models import (
    CategoryCount,
    Change,
    CheckSummary,
    Citation,
    Counts,
    Example,
    Interval,
    JudgeUse,
    Notice,
    QuestionChange,
    RateSummary,
    ReasonGroup,
    RejectedLine,
)
from goldassay.analytics.models_reports import (
    AnswerabilityTable,
    RunSummary,
)
from goldassay.verdicts import Evidence

RUN_AT = datetime(2026, 11, 29, 2, 0, tzinfo=UTC)


def rate(passed: int, failed: int, errors: int = 0, *, skipped: int = 0) -> RateSummary:
    """A rate with made-up, plausible intervals: the tests look at words, not at statistics."""
    graded = passed + failed + errors
    if graded == 0:
        none = Interval(0.0, 1.0)
        return RateSummary(
            counts=Counts(skipped=skipped),
            headline=None,
            interval=none,
            readable=None,
            readable_interval=none,
            bounds=none,
        )
    share, half = passed / graded, 1.0 / graded**0.5
    around = Interval(max(0.0, share - half), min(1.0, share + half))
    return RateSummary(
        counts=Counts(passed, failed, errors, skipped),
        headline=share,
        interval=around,
        readable=passed / (passed + failed) if passed + failed else None,
        readable_interval=around,
        bounds=Interval(share, (passed + errors) / graded),
        weighted=share,
        weighted_interval=around,
    )


def example(**changes: object) -> Example:
    """The failure everybody knows: 4 hours where the source says 2."""
    answer = "Yes. You get your money back if you cancel up to 4 hours before the ride starts [2]."
    base = Example(
        record_id="case-2",
        question_id="q2",
        question="Do I get my money back if I cancel?",
        answer=answer,
        check="numbers",
        outcome="fail",
        category="wrong_number",
        reason="'4 hours' stands in no cited source; D2 says '2 hours'",
        evidence=(Evidence("number", "4 hours", answer.index("4 hours"), answer.index("4 hours") + 7),),
        citations=(Citation("[2]", "D2", 2, "Refunds and cancellation"),),
        sources_sent=4,
        app_version="1.4.0",
        run_id="20261129T020000-a1b2",
    )
    return replace(base, **changes)  # type: ignore[arg-type]  # tests hand over whatever they like


def change(check: str, claim: str = "regression") -> Change:
    """faithful, as the design words it."""
    return Change(
        check=check,
        common=212,
        base_rate=0.91,
        head_rate=0.84,
        difference=-0.07 if claim == "regression" else 0.02,
        interval=Interval(-0.12, -0.03),
        broken=19,
        fixed=4,
        still_failing=11,
        p_value=0.003,
        p_adjusted=0.012,
        claim=claim,  # type: ignore[arg-type]  # a closed list, handed over by tests
        sentence=f"{check} fell from 0.91 to 0.84 on 212 common questions; 19 broke, 4 were fixed; p = 0.003",
    )


def question_change(kind: str = "broken", **changes: object) -> QuestionChange:
    """One question on both sides."""
    good = example(
        answer="Yes, up to 2 hours before the ride starts [2].", outcome="pass", category=None, reason="", evidence=()
    )
    bad = example()
    base, head = (good, bad) if kind == "broken" else (bad, good)
    built = QuestionChange(
        question_id="q2",
        question=bad.question,
        check="numbers",
        stratum="billing",
        kind=kind,  # type: ignore[arg-type]  # a closed list
        base=base,
        head=head,
    )
    return replace(built, **changes)  # type: ignore[arg-type]  # tests hand over whatever they like


def check_summary(
    name: str, kind: str, passed: int, failed: int, errors: int = 0, severity: str = "gate"
) -> CheckSummary:
    """One line of the table."""
    found = (CategoryCount("wrong_number", failed, failed / max(passed + failed + errors, 1)),) if failed else ()
    bad = (CategoryCount("unreadable_reply", errors, errors / max(passed + failed + errors, 1)),) if errors else ()
    return CheckSummary(
        check=name,
        kind=kind,  # type: ignore[arg-type]  # a closed list
        version="3",
        severity=severity,  # type: ignore[arg-type]  # a closed list
        rate=rate(passed, failed, errors),
        errors=bad,
        failures=found,
    )


def build_summary(**changes: object) -> RunSummary:
    """A night of the bike rental assistant, with something in every section."""
    missing = example(
        record_id="case-3",
        question="Is a helmet included in the price of a day pass?",
        answer="Yes, a helmet is included with every day pass.",
        check="cites",
        category="missing_citation",
        reason="no source is cited",
        evidence=(),
        citations=(),
    )
    invented = example(
        record_id="case-4",
        question="Do you rent scooters?",
        answer="Yes, scooters cost 12 dollars an hour [D8].",
        check="refusal",
        category="missed_refusal",
        reason="the question has no answer in the sources, and it was answered",
        evidence=(Evidence("number", "12 dollars", 19, 29),),
        citations=(Citation("[D8]", None, None, None),),
    )
    unread = example(
        check="faithful",
        outcome="error",
        category="unreadable_reply",
        reason="no JSON object in 'Looks fine to me.'",
        evidence=(),
    )
    reasons = (
        ReasonGroup(
            category="wrong_number",
            name="wrong_number",
            checks=("numbers",),
            count=120,
            answers=104,
            of_answers=360,
            trend=0.012,
            trend_p=0.6,
            would_pass=98,
            examples=(example(),),
        ),
        ReasonGroup(
            category="missing_citation",
            name="missing_citation",
            checks=("cites",),
            count=71,
            answers=71,
            of_answers=360,
            trend=-0.004,
            trend_p=0.9,
            would_pass=64,
            examples=(missing,),
        ),
        ReasonGroup(
            category="missed_refusal",
            name="missed_refusal",
            checks=("refusal", "faithful"),
            count=19,
            answers=18,
            of_answers=360,
            would_pass=1,
            examples=(invented,),
        ),
        ReasonGroup(
            category="other", name="opening hours holiday", checks=("relevant",), count=4, answers=4, of_answers=360
        ),
    )
    faithful = check_summary("faithful", "judge", 171, 23, 6)
    built = RunSummary(
        run_id="20261129T020000-a1b2",
        run_kind="nightly",
        run_at=RUN_AT,
        finished_at=RUN_AT + timedelta(minutes=9, seconds=12),
        app="atlas",
        app_versions=("1.4.0",),
        models=("answer-large-2",),
        window=(datetime(2026, 11, 28, tzinfo=UTC), datetime(2026, 11, 29, tzinfo=UTC)),
        records=2003,
        rejected=3,
        checked=2000,
        judged_records=200,
        sampling="200 drawn by lang, all 24 unanswerable, 31 failed last night",
        answers=rate(1842, 152, 6),
        answers_judged=None,
        checks=(
            check_summary("cites", "rule", 1929, 71),
            check_summary("numbers", "rule", 1880, 120),
            check_summary("refusal", "rule", 1978, 22),
            check_summary("key_fact", "rule", 188, 12),
            replace(faithful, change=change("faithful"), mean_score=4.41, scale=(1.0, 5.0)),
            replace(check_summary("relevant", "judge", 196, 4, 0), change=change("relevant", "cannot_tell")),
            check_summary("length", "rule", 1990, 10, severity="warn"),
            check_summary("banned_wording", "rule", 1999, 1, severity="warn"),
        ),
        reasons=reasons,
        error_reasons=(
            ReasonGroup(
                category="unreadable_reply",
                name="unreadable_reply",
                checks=("faithful",),
                count=6,
                answers=6,
                of_answers=6,
                is_error=True,
                examples=(unread,),
            ),
        ),
        answerability=AnswerabilityTable(
            answerable_answered=160,
            answerable_refused=16,
            unanswerable_answered=5,
            unanswerable_refused=19,
            refused_answerable_rate=0.09,
            refused_answerable_interval=Interval(0.06, 0.14),
            answered_unanswerable_rate=0.21,
            answered_unanswerable_interval=Interval(0.09, 0.41),
        ),
        compared_to="20261128T020000-77ff",
        broken=(
            question_change(),
            question_change(
                question="Is there a student discount on the yearly plan in the first three months?",
                check="faithful",
                question_id="q9",
            ),
        ),
        fixed=(question_change("fixed", question="How long may a single ride last?", question_id="q5"),),
        judges=(
            JudgeUse(
                provider="openai",
                model="judge-large",
                models_reported=("judge-large-2026-11",),
                rubric="rag",
                rubric_version="2",
                verdicts=400,
                errors=6,
                unreadable_share=0.011,
                repaired_share=0.04,
                repairs=(CategoryCount("fence_removed", 12, 0.03), CategoryCount("trailing_comma", 4, 0.01)),
                reused=96,
                calls=321,
                tokens_in=812_300,
                tokens_cached=410_000,
                tokens_out=21_400,
                cost_usd=1.4312,
                latency_p50_ms=820.0,
                latency_p95_ms=2310.0,
                canaries=Counts(passed=24),
            ),
        ),
        notices=(
            Notice(
                "judge_model_changed",
                "alarm",
                "The provider answered with judge-large-2026-11 where judge-large-2026-08 "
                "answered last night: rates of the two nights are not comparable as they stand.",
            ),
            Notice(
                "not_calibrated",
                "warning",
                "Nobody has labelled answers for this judge: run `goldassay review` and label "
                "30 answers before trusting its rates.",
            ),
        ),
        rejected_lines=(
            RejectedLine("logs/2026-11-28.jsonl.gz", 118, "no field 'answer'", '{"id": 118}'),
            RejectedLine("logs/2026-11-28.jsonl.gz", 901, "not JSON: Expecting ',' delimiter at column 40", "{"),
            RejectedLine("logs/2026-11-28.jsonl.gz", 1400, "sources[2] has no text", ""),
        ),
        cost_usd=1.4312,
        calls=321,
        tokens_in=812_300,
        tokens_out=21_400,
        reused=96,
        files=(
            "verdicts/app=atlas/month=2026-11/20261129T020000-a1b2-0.parquet",
            "answers/app=atlas/month=2026-11/x.parquet",
        ),
        store="evals/store",
    )
    return replace(built, **changes)  # type: ignore[arg-type]  # tests hand over whatever they like
