"""Moments in the forms that logs hold, and those that are refused because half a reading would be hours off."""

from __future__ import annotations

import contextlib
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.sources.faults import UnreadableValueError
from goldassay.sources.times import is_no_time, read_time


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2026-09-01T24:00:00Z", "2026-09-02T00:00:00"),
        ("2026-12-31T24:00", "2027-01-01T00:00:00"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00"),
        ("2026-09-01 09:00:00 GMT", "2026-09-01T09:00:00"),
        ("2026-09-01 09:00:00 UTC", "2026-09-01T09:00:00"),
        ("2026-09-01t09:00:00z", "2026-09-01T09:00:00"),
        ("2026-09-01T09:00:00 +02:00", "2026-09-01T07:00:00"),
        ("2026-09-01T09:00:00+02:00[Europe/Berlin]", "2026-09-01T07:00:00"),
        ("2026-09-01 09:00:00.123456789+00", "2026-09-01T09:00:00.123456"),
        ("2026-09-01T09:00:00,5Z", "2026-09-01T09:00:00.500000"),
        ("20260901T090000Z", "2026-09-01T09:00:00"),
        ("2026/09/01 09:00:00", "2026-09-01T09:00:00"),
        ("2026-9-1 9:00:00", "2026-09-01T09:00:00"),
        ("2026-09-01T09:00:00+0530", "2026-09-01T03:30:00"),
        ("2026-09-01T09:00:00-00:00", "2026-09-01T09:00:00"),
        ("2026-09-01", "2026-09-01T00:00:00"),
        ("20260901", "2026-09-01T00:00:00"),
        (20260901, "2026-09-01T00:00:00"),
        ("2026-W36-2T09:00:00Z", "2026-09-01T09:00:00"),
        ("Tue, 01 Sep 2026 09:00:00 GMT", "2026-09-01T09:00:00"),
        ("Tue, 01 Sep 2026 09:00:00 +0200", "2026-09-01T07:00:00"),
        ("Tue Sep  1 09:00:00 2026", "2026-09-01T09:00:00"),
        ("Tue Sep 01 2026 09:00:00 GMT+0200 (Central European Summer Time)", "2026-09-01T07:00:00"),
        ("1756717200.123", "2025-09-01T09:00:00.123000"),
        ({"$date": "2026-09-01T09:00:00Z"}, "2026-09-01T09:00:00"),
        ({"$date": 1756717200000}, "2025-09-01T09:00:00"),
        ({"$date": {"$numberLong": "1756717200000"}}, "2025-09-01T09:00:00"),
        (date(2026, 9, 1), "2026-09-01T00:00:00"),
        (datetime(2026, 9, 1, 9, tzinfo=timezone(timedelta(hours=2))), "2026-09-01T07:00:00"),
    ],
    ids=str,
)
def test_a_moment_is_read_as_utc(written, meant):
    """The end of a day, leap seconds, zones by number, one-digit hours, and what browsers and MongoDB print."""
    assert read_time(written) == datetime.fromisoformat(meant).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "written",
    [
        "Sep 1, 2026, 9:00:00 PM",
        "Sep 1, 2026, 9:00:00 AM",
        "Mon, 01 Sep 2026 09:00 PM",
        "2026-09-01 09:00:00 PM",
        "Tue, 01 Sep 2026 09:00:00 CET",
        "Tue Sep  1 09:00:00 CEST 2026",
        "2026-09-01T09:00:00 CET",
        "2026-09-01T09:00:00[Europe/Berlin]",
        "09/01/2026 09:00",
        "01.09.2026 09:00",
        "2026-02-30T09:00:00Z",
        "Tue, 31 Feb 2026 09:00:00 GMT",
        "Tue, 01 Sep 2026 25:00:00 GMT",
        "2026-09-01T24:00:01Z",
        "2026-09-01T09:61:00Z",
        "2026-09-01T09:00:00+25:00",
        "2026-09-01T900",
        "2026-09-01Z",
        "20261301",
        "0001-01-01T00:00:00+02:00",
        "9999-12-31T23:59:59-02:00",
        "45901.375",
        "1.75672E+12",
        "yesterday",
        True,
        [2026, 9, 1],
        {"seconds": 1756717200},
        {"$date": None},
    ],
    ids=str,
)
def test_what_would_be_a_guess_is_refused(written):
    """A clock with PM, a zone by its letters and a day in local order were read hours or months off by many tools."""
    with pytest.raises(UnreadableValueError):
        read_time(written)


@pytest.mark.parametrize(
    "written",
    [None, "", " ", "null", "None", "NaN", "NaT", "N/A", "0001-01-01T00:00:00Z", datetime(1, 1, 1)],  # noqa: DTZ001
    ids=str,
)
def test_the_words_for_no_time_are_no_time(written):
    """What data frames, Go and .NET write where no time was logged is no reason to lose the answer."""
    assert is_no_time(written)


@given(st.datetimes(min_value=datetime(1974, 1, 1), max_value=datetime(5000, 1, 1)), st.integers(-14 * 60, 14 * 60))  # noqa: DTZ001
def test_every_iso_form_python_writes_is_read_as_it_was_meant(moment, minutes):
    """Any moment, any whole-minute zone, either separator."""
    there = moment.replace(tzinfo=timezone(timedelta(minutes=minutes)))

    assert read_time(there.isoformat()) == there
    assert read_time(there.isoformat(sep=" ")) == there


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    """Nothing else is ever raised."""
    with contextlib.suppress(UnreadableValueError):
        assert read_time(text).tzinfo is UTC
