from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.settings import load_settings
from goldassay.errors import ConfigError, RunError
from goldassay.stages.estimating import Place, _night_plan
from goldassay.stages.plan import RunPlan, read_plan, write_plan
from goldassay.stages.planning import covered_until, mark_reported, parse_moment, parse_window, resumable
from goldassay.stages.pull import PULLED
from goldassay.store import RunManifest, open_store
from tasks.plan import _new_night

DAY = datetime(2026, 11, 1, tzinfo=UTC)


def at(day):
    """A moment so many days after the first."""
    return None if day is None else DAY + timedelta(days=day)


def run(start, end, *, kind="nightly", made=None, status="complete"):
    """A run over days start to end, made on the day it ended."""
    moment = at(end if made is None else made)
    return RunManifest(
        run_id=f"{kind}-{start}-{end}-{made}", run_kind=kind, run_at=moment, app="a", status=status,
        window_start=at(start), window_end=at(end),
    )  # fmt: skip


def test_before_the_first_night_there_is_no_watermark():
    """Backfills alone do not start a schedule."""
    assert covered_until([]) is None
    assert covered_until([run(0, 1, kind="backfill")]) is None
    assert covered_until([run(0, 1, kind="golden")]) is None


def test_nights_in_a_row_move_the_watermark_to_the_end_of_the_last():
    """Each night begins where the one before ended, or earlier for late logs."""
    assert covered_until([run(None, 1), run(-1, 2), run(0, 3)]) == at(3)


def test_a_missed_night_is_covered_by_the_next_one():
    """The window follows the watermark, so nothing is skipped."""
    assert covered_until([run(None, 1), run(0, 4)]) == at(4)


def test_a_night_by_hand_far_ahead_leaves_the_watermark_before_the_gap():
    """`--since` three days ahead: the days between are not skipped."""
    ahead = [run(None, 1), run(4, 5)]

    assert covered_until(ahead) == at(1)
    assert covered_until([*ahead, run(0, 4, kind="backfill", made=6)]) == at(5)


def test_a_run_that_did_not_complete_covers_nothing():
    """A partial run does not move the watermark."""
    assert covered_until([run(None, 1), run(0, 2, status="partial")]) == at(1)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 5)), min_size=1, max_size=12))
def test_every_moment_between_the_first_night_and_the_watermark_is_covered(spans):
    """Property: no day before the watermark and after the first night's end is in no window."""
    runs = [run(start, start + length, made=start + length + n * 0.001) for n, (start, length) in enumerate(spans)]
    first = min(runs, key=lambda each: each.run_at)

    mark = covered_until(runs)

    assert mark is not None
    assert mark >= first.window_end
    day = first.window_end
    while day < mark:
        assert any(each.window_start <= day < each.window_end for each in runs)
        day += timedelta(hours=12)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-11-28", datetime(2026, 11, 28, tzinfo=UTC)),
        ("2026-11-28T02:30+01:00", datetime(2026, 11, 28, 1, 30, tzinfo=UTC)),
        ("2026-11-28T02:30", datetime(2026, 11, 28, 2, 30, tzinfo=UTC)),
        ("24h", DAY - timedelta(hours=24)),
        ("7d", DAY - timedelta(days=7)),
        ("30m", DAY - timedelta(minutes=30)),
        (None, None),
        ("", None),
    ],
)
def test_a_moment_is_a_date_a_time_or_a_span(text, expected):
    """Times without a zone are UTC where the project names none; a zone is honoured across a change of the clocks."""
    assert parse_moment(text, now=DAY) == expected


@pytest.mark.parametrize("text", ["yesterday", "24", "2026-13-01", "-3d", "3y"])
def test_what_is_no_moment_is_refused_with_examples(text):
    """The message shows the three forms."""
    with pytest.raises(ConfigError, match="24h"):
        parse_moment(text, now=DAY)


def test_the_hour_that_comes_twice_is_told_apart_by_its_offset():
    """02:30 in Berlin on the last Sunday of October happens twice, an hour apart."""
    first, second = (parse_moment(f"2026-10-25T02:30{zone}", now=DAY) for zone in ("+02:00", "+01:00"))

    assert first is not None
    assert second is not None
    assert second - first == timedelta(hours=1)


@pytest.mark.parametrize(
    ("since", "until", "hours", "begins"),
    [
        pytest.param("2026-10-24", "2026-10-25", 24, datetime(2026, 10, 23, 22, tzinfo=UTC), id="summer"),
        pytest.param("2026-10-25", "2026-10-26", 25, datetime(2026, 10, 24, 22, tzinfo=UTC), id="clocks-go-back"),
        pytest.param("2026-10-26", "2026-10-27", 24, datetime(2026, 10, 25, 23, tzinfo=UTC), id="winter"),
        pytest.param("2026-03-29", "2026-03-30", 23, datetime(2026, 3, 28, 23, tzinfo=UTC), id="clocks-go-forward"),
        pytest.param("2026-10-25T02:30", "2026-10-25T03:30", 2, datetime(2026, 10, 25, 0, 30, tzinfo=UTC), id="twice"),
        pytest.param("2026-10-25T00:00Z", "2026-10-26T00:00Z", 24, datetime(2026, 10, 25, tzinfo=UTC), id="own-zone"),
    ],
)
def test_days_are_those_of_the_schedules_zone(since, until, hours, begins):
    """Berlin's days follow on each other without a gap or an overlap; a time that names its zone keeps it."""
    first, last = parse_window(since, until, now=DAY, zone=ZoneInfo("Europe/Berlin"))

    assert first == begins
    assert last is not None
    assert last - begins == timedelta(hours=hours)


def test_a_span_is_of_whole_hours_in_any_zone():
    """'24h' and '1d' before now are the same moment, whatever the clocks did meanwhile."""
    berlin, after = ZoneInfo("Europe/Berlin"), datetime(2026, 10, 25, 12, tzinfo=UTC)

    for span in ("24h", "1d"):
        assert parse_moment(span, now=after, zone=berlin) == after - timedelta(hours=24)


def test_a_night_asked_for_by_day_is_planned_in_the_projects_zone(tmp_path):
    """The plan of the flow and the estimate read the day alike: from deployments/prefect.yaml."""
    (tmp_path / "deployments").mkdir()
    (tmp_path / "deployments" / "prefect.yaml").write_text("definitions: {zone: Europe/Berlin}\n", encoding="utf-8")
    (tmp_path / "goldassay.toml").write_text('app = "a"\n', encoding="utf-8")
    settings, store = load_settings(tmp_path), open_store(tmp_path / "store")

    flow = read_plan(_new_night(store, settings, tmp_path, "nightly", "2026-10-25", "2026-10-26", "intent"))
    told = _night_plan(Place(settings, tmp_path, store, {}), "2026-10-25", "2026-10-26")

    expected = (datetime(2026, 10, 24, 22, tzinfo=UTC), datetime(2026, 10, 25, 23, tzinfo=UTC))
    assert (flow.window_start, flow.window_end) == (told.window_start, told.window_end) == expected


@pytest.fixture
def store(tmp_path):
    """An empty store."""
    return open_store(tmp_path / "store")


def planned(store, run_id, *, kind="nightly", hours=0.0):
    """A run that was begun so many hours after the first day, and did not come far."""
    begun = DAY + timedelta(hours=hours)
    plan = RunPlan(
        run_id=run_id, run_kind=kind, run_at=begun, app="a", project=".", store=store.address, settings={}, intent="i"
    )  # fmt: skip
    write_plan(plan, store.work_dir)
    return plan


def published(store, plan):
    """The same run, published a minute after its start."""
    ended = plan.run_at + timedelta(minutes=1)
    manifest = RunManifest(run_id=plan.run_id, run_kind=plan.run_kind, run_at=plan.run_at, app="a", finished_at=ended)
    store.publish(plan.run_id, manifest)


def test_a_night_that_read_its_log_is_gone_on_with(store):
    """The same words within a day find it; other words, and a later day, do not."""
    plan = planned(store, "r1")
    store.staging("r1").write_note(PULLED, {"shards": 1})

    assert resumable(store, intent="i", now=DAY + timedelta(hours=2)) == plan
    assert resumable(store, intent="other", now=DAY) is None
    assert resumable(store, intent="i", now=DAY + timedelta(days=9)) is None


def test_a_night_that_never_read_its_log_is_begun_anew(store):
    """Its window ended when it was planned: answers logged since would be left out for a day. Golden runs go on."""
    planned(store, "r1")

    assert resumable(store, intent="i", now=DAY + timedelta(hours=2)) is None

    golden = planned(store, "r2", kind="golden")
    assert resumable(store, intent="i", now=DAY + timedelta(hours=2)) == golden


def test_a_night_killed_between_publishing_and_report_still_gets_its_report(store):
    """The same command goes on with it for an hour, once; then a new night is begun."""
    plan = planned(store, "r1")
    published(store, plan)
    soon = DAY + timedelta(minutes=30)

    assert resumable(store, intent="i", now=soon) == plan
    assert resumable(store, intent="i", now=DAY + timedelta(hours=2)) is None

    mark_reported(store, plan)
    assert resumable(store, intent="i", now=soon) is None


def test_two_runs_never_take_from_the_log_of_one_app_at_once(store):
    """The second one is refused with the first one's process; another app is free."""
    with store.lock_nights("a/../b"):
        with store.lock_nights("c"):
            pass
        refused = pytest.raises(RunError, match=r"the log of app 'a/\.\./b' is in the hands of process")
        with refused, store.lock_nights("a/../b"):
            pass


@pytest.mark.parametrize(
    "text",
    ["99999999999d", "999999999d", "9" * 5_000 + "h", "0001-01-01T00:00+14:00", "9999-12-31T23:59-12:00", "2026-13-01"],
)
def test_what_lies_outside_of_all_calendars_is_no_moment(text):
    """A message, not an overflow."""
    with pytest.raises(ConfigError, match="is no moment"):
        parse_moment(text, now=DAY)


def test_a_window_that_ends_before_it_begins_is_a_mistake():
    """Days in the wrong order are told at once, not as a log without answers."""
    assert parse_window("2026-11-01", "2026-11-02", now=DAY) == (DAY, DAY + timedelta(days=1))
    assert parse_window(None, None, now=DAY) == (None, None)
    for since, until in (("2026-11-30", "2026-11-01"), ("2026-11-01", "2026-11-01"), ("1h", "2h")):
        with pytest.raises(ConfigError, match="the window is empty"):
            parse_window(since, until, now=DAY)
