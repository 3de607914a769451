from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from prefect.client.schemas.schedules import CronSchedule


async def runs_after(cron, zone, after, count):
    """The next runs of a schedule, as Prefect's own server computes them, in UTC."""
    from prefect.server.schemas.schedules import CronSchedule as ServerCron

    schedule = CronSchedule(cron=cron, timezone=zone)
    server = ServerCron(cron=schedule.cron, timezone=schedule.timezone)
    return [moment.astimezone(UTC).isoformat() for moment in await server.get_dates(count, start=after)]


async def test_a_night_keeps_its_local_hour_when_the_clocks_change():
    """06:00 in Berlin is 05:00 UTC in winter and 04:00 in summer."""
    found = await runs_after("0 6 * * *", "Europe/Berlin", datetime(2026, 3, 27, 12, tzinfo=UTC), 3)

    assert found == ["2026-03-28T05:00:00+00:00", "2026-03-29T04:00:00+00:00", "2026-03-30T04:00:00+00:00"]


async def test_a_run_at_an_hour_that_does_not_exist_still_runs_that_day():
    """02:30 in New York does not exist on 8 March 2026; no day is skipped and none runs twice."""
    found = await runs_after("30 2 * * *", "America/New_York", datetime(2026, 3, 7, tzinfo=UTC), 4)
    days = [datetime.fromisoformat(moment).astimezone(ZoneInfo("America/New_York")).date().day for moment in found]

    assert days == [7, 8, 9, 10]
    assert found[0] == "2026-03-07T07:30:00+00:00"
    assert found[2:] == ["2026-03-09T06:30:00+00:00", "2026-03-10T06:30:00+00:00"]


@pytest.mark.parametrize(
    ("zone", "after"),
    [
        ("Europe/Berlin", datetime(2026, 10, 23, 12, tzinfo=UTC)),
        ("Australia/Lord_Howe", datetime(2026, 4, 2, tzinfo=UTC)),
    ],
)
async def test_an_hour_that_comes_twice_brings_one_night(zone, after):
    """02:30 comes twice when the clocks go back by an hour, 01:30 where they go back by half of one."""
    for cron in ("30 2 * * *", "30 1 * * *"):
        found = await runs_after(cron, zone, after, 5)
        days = [datetime.fromisoformat(moment).astimezone(ZoneInfo(zone)).date() for moment in found]

        assert len(set(days)) == 5


@pytest.mark.parametrize("hours", [23, 25])
def test_a_night_of_23_or_25_hours_is_one_window(hours):
    """Windows join by the watermark: the end of one is the start of the next, whatever the clock did between."""
    from datetime import timedelta

    from goldassay.stages.planning import covered_until
    from goldassay.store import RunManifest

    start = datetime(2026, 3, 28, 1, 30, tzinfo=UTC)
    first = RunManifest(run_id="1", run_kind="nightly", run_at=start, app="a", window_end=start)
    end = start + timedelta(hours=hours)
    second = RunManifest(run_id="2", run_kind="nightly", run_at=end, app="a", window_start=start, window_end=end)

    assert covered_until([first, second]) == end
