"""What the last run tells the choice of the next, and what the choice tells the report."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from goldassay.analytics.connect import connect
from goldassay.analytics.past import past_outcomes
from goldassay.analytics.sampling import SamplingConfig
from goldassay.analytics.summary import run_summary
from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.stages.plan import RunPlan
from goldassay.stages.publish import RunFacts, publish_run
from goldassay.stages.select import PastRun, past_of, read_selection, select_records
from goldassay.store import RunManifest, Staging, Store, open_store
from goldassay.verdicts import Category, Outcome, RunStamp, Verdict

NIGHT = datetime(2026, 11, 1, 2, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store."""
    return open_store(tmp_path / "store")


def plan_of(store: Store, run_id: str, *, days: int = 1, kind: str = "nightly") -> RunPlan:
    """A plan of a night some days after the first."""
    at = NIGHT + timedelta(days=days)
    return RunPlan(
        run_id=run_id, run_kind=kind, run_at=at, app="atlas", project=".", store=store.address, settings={},
        window_start=None, window_end=at,
    )  # fmt: skip


def record(name: str, *, lang: str = "", question_id: str | None = None, **tags: str) -> AnswerRecord:
    """A logged answer."""
    return AnswerRecord(
        record_id=name, question=f"What about {name}?", answer="It is so.", app="atlas", lang=lang or None,
        question_id=question_id, tags=tags,
    )  # fmt: skip


def judged(name: str, outcome: str, *, weight: float = 1.0, severity: str = "warn", kind: str = "judge") -> Verdict:
    """A verdict of the first night."""
    return Verdict(
        run_id="first", run_kind="nightly", run_at=NIGHT, app="atlas", record_id=name, weight=weight,
        check="faithful" if kind == "judge" else "numbers", check_kind=kind, severity=severity,  # type: ignore[arg-type]
        outcome=Outcome(outcome), category=Category.OTHER if outcome == "fail" else None,
    )  # fmt: skip


def publish(
    store: Store,
    records: list[AnswerRecord],
    verdicts: list[Verdict],
    golden: list[GoldenQuestion | None] | None = None,
) -> None:
    """Publish the first night."""
    staging = store.staging("first")
    staging.write_answers(0, records, golden, stamp=RunStamp("first", "nightly", NIGHT))
    staging.write_verdicts("rules", 0, verdicts)
    store.publish("first", RunManifest(run_id="first", run_kind="nightly", run_at=NIGHT, app="atlas"))


def test_before_the_first_night_nothing_is_known(store):
    """No run, no rates."""
    assert past_of(store, plan_of(store, "next"), ("lang",)) == PastRun()


def test_rates_of_the_past_go_by_the_strata_of_the_next_sample(store):
    """'lang=de' of the last run, weighted to its log; '' over all; what could not be read does not count."""
    records = [record(f"{lang}{i}", lang=lang) for lang in ("de", "en", "") for i in range(4)]
    outcomes = {"de": "pass pass fail error", "en": "pass pass pass pass", "": "fail fail skip pass"}
    verdicts = [
        judged(f"{lang}{i}", outcome, weight=5.0 if i == 0 else 1.0)
        for lang, told in outcomes.items()
        for i, outcome in enumerate(told.split())
    ]
    publish(store, records, verdicts)

    past = past_of(store, plan_of(store, "next"), ("lang",))

    assert past.rates == pytest.approx({"lang=de": 6 / 7, "lang=en": 1.0, "lang=": 1 / 7, "": 15 / 22})
    assert past_of(store, plan_of(store, "next")).rates == pytest.approx({"": 15 / 22})


def test_strata_are_found_as_the_sample_finds_them(store):
    """Fields before tags, tags of the record before those of its golden question; odd names are only values."""
    odd = "it's a [tag]'; --"
    golden = GoldenQuestion(
        question_id="q", question="What about a?", stratum="billing", tags={odd: "gold", "lang": "x"}
    )
    records = [
        record("a", question_id="q", **{odd: "mine", "stratum": "not this"}),
        record("b", question_id="q"),
        record("c", lang="de").model_copy(update={"tags": {"lang": "not this"}}),
    ]
    publish(store, records, [judged(r.record_id, "pass") for r in records], [golden, golden, None])

    rates = past_of(store, plan_of(store, "next"), (odd, "stratum", "lang", "answerable")).rates

    assert set(rates) - {""} == {
        f"{odd}=mine, stratum=billing, lang=x, answerable=true",
        f"{odd}=gold, stratum=billing, lang=x, answerable=true",
        f"{odd}=, stratum=, lang=de, answerable=",
    }


def test_questions_that_failed_a_gate_check_are_known_by_id_or_text(store):
    """Warnings and passes are no failures."""
    records = [record("a", question_id="q1"), record("b"), record("c"), record("d")]
    verdicts = [
        judged("a", "fail", severity="gate"),
        judged("b", "fail", severity="gate", kind="rule"),
        judged("c", "fail"),
        judged("d", "pass", severity="gate"),
    ]
    publish(store, records, verdicts)

    assert past_of(store, plan_of(store, "next")).failed == {"id:q1", "text:whataboutb"}


def test_a_run_without_a_judge_gives_no_rate(store):
    """Rules say nothing of how much the judge's verdicts vary."""
    publish(store, [record("a")], [judged("a", "pass", kind="rule")])

    with connect(store) as connection:
        assert past_outcomes(connection, store.run("first"), ("lang",)).rates == {}


def test_a_stratum_that_varied_gets_more_of_the_sample(store):
    """Neyman's allocation follows the last night's rates by stratum."""
    names = [f"{lang}{i:03d}" for lang in ("de", "en") for i in range(100)]
    records = [record(name, lang=name[:2]) for name in names]
    outcomes = ["fail" if name < "de" + "050" else "pass" for name in names]
    publish(store, records, [judged(name, outcome) for name, outcome in zip(names, outcomes, strict=True)])
    config = SamplingConfig(nightly=40, stratify=("lang",), allocation="neyman", failed_last_night="sampled")
    plan = plan_of(store, "next")
    staging = staged(store, plan, records)

    select_records(plan, staging, config, shards=1, shard_size=100, past=past_of(store, plan, config.stratify))

    chosen = [name for _, weights in read_selection(staging, 0) for name in weights]
    assert len(chosen) == 40
    assert sum(name.startswith("de") for name in chosen) > 30


def test_the_report_says_when_those_always_judged_exceed_the_number_wanted(store):
    """Failed questions stay in whatever the number; the manifest and the report tell."""
    records = [record(f"r{i}") for i in range(10)]
    publish(store, records, [judged(r.record_id, "fail", severity="gate") for r in records[:6]])
    plan = plan_of(store, "next")
    staging = staged(store, plan, records)

    report = select_records(
        plan, staging, SamplingConfig(nightly=4), shards=1, shard_size=100, past=past_of(store, plan)
    )
    facts = RunFacts(("faithful",), {}, None, None, None, None, SamplingConfig(nightly=4).model_dump(), "s", None)
    run = publish_run(plan, store, facts, now=plan.run_at)

    assert (report.always, report.wanted) == (6, 4)
    assert report.selected >= 6
    assert "6 answers are always judged" in run.notes[0]
    assert "more than the 4 wanted" in run_summary(store, "next").sampling


def test_under_a_budget_the_first_shard_is_a_fair_sample_of_the_log(store):
    """The log has one language after the other, and the money may end with the first shard."""
    records = [record(f"{lang}{i:03d}", lang=lang) for lang in ("de", "en", "fr") for i in range(100)]
    plan = plan_of(store, "next")
    staging = staged(store, plan, records)

    select_records(plan, staging, SamplingConfig(nightly="full"), shards=1, shard_size=90, fairly=True)

    first = [name for _, weights in read_selection(staging, 0) for name in weights]
    assert len(first) == 90
    assert all(15 <= sum(name.startswith(lang) for name in first) <= 45 for lang in ("de", "en", "fr"))


def staged(store: Store, plan: RunPlan, records: list[AnswerRecord]) -> Staging:
    """The staging folder of a night after its rules."""
    stamp = RunStamp(plan.run_id, plan.run_kind, plan.run_at)
    staging = store.staging(plan.run_id)
    staging.write_answers(0, records, None, stamp=stamp)
    verdicts = [
        Verdict(
            run_id=plan.run_id, run_kind=plan.run_kind, run_at=plan.run_at, app="atlas", record_id=r.record_id,
            check="numbers", check_kind="rule", outcome=Outcome.PASS,
        )
        for r in records
    ]  # fmt: skip
    staging.write_verdicts("rules", 0, verdicts)
    staging.write_note("pulled", {"records": len(records)})
    return staging
