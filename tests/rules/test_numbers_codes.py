"""Numbers that name something or stand in a date: telephone and account numbers, names, short years, sizes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.verdicts import Outcome
from tests.rules.asking import outcome_of

_SAME = [
    ("Call 1-800-555-0199.", "Hotline: (800) 555-0199."),
    ("Call +1 (212) 555-1212.", "Hotline: 212-555-1212."),
    ("Call 0800 123 4567.", "Contact: 0800-1234567"),
    ("Call +49 89 1234567.", "Tel. 089/1234567"),
    ("Call 089 1234567.", "Tel. +49 (0)89 1234567"),
    ("Call 01 23 45 67 89.", "Tel. 0123456789"),
    ("Call 0123456789.", "Tel. 01 23 45 67 89"),
    ("Call 07911 123456.", "Tel. +44 7911 123456"),
    ("It is open 0900-1700.", "Hours: 0900-1700"),
    ("The ISBN is 978-3-16-148410-0.", "ISBN 9783161484100"),
    ("ISBN 9783161484100.", "The ISBN is 978-3-16-148410-0"),
    ("Send it to DE89 3704 0044 0532 0130 00.", "IBAN: DE89370400440532013000"),
    ("Send it to DE89370400440532013000.", "IBAN: DE89 3704 0044 0532 0130 00"),
    ("The card is 4111 1111 1111 1111.", "Card 4111-1111-1111-1111"),
    ("In 2020 it grew.", "Year 2019 2020 2021 2022"),
    ("It has 1500 units.", "Rows 1234 2020 1500 1700"),
    ("It won 10-5-3-2.", "Its record is 10-5-3-2."),
    ("England U17s won.", "The England U17 team won."),
    ("England Under-17s won.", "The Under-17 Championship"),
    ("PlayStation3 is out.", "PlayStation 3 is out."),
    ("PlayStation 3 is out.", "PlayStation3 is out."),
    ("Water is H2O.", "H₂O is water."),
    ("DE-53113 Bonn", "53113 Bonn"),
    ("In May '24 it was 3.", "In May 2024 it was three."),
    ("Since '98 it grew.", "It grew from 1998 on."),
    ("Summer '24 was hot.", "The summer of 2024 was hot."),
    ("It was signed on 2024-03-05.", "Signed 5 Mar 24."),
    ("It was April 7, 2016.", "On April 7 , 2016 it was."),
    ("Dial 030 123 now.", "Dial 030 123."),
    ("It is low (1.4.).", "The value is 1.4 here."),
    ("Am 1.4. beginnt es.", "Es beginnt am 1. April."),
    ("It is 4x6 in.", "It is 4 by 6 inches."),
    ("It has 1920x1080 px.", "It has 1920 × 1080 pixels."),
    ("It is 10x12x5 cm.", "It is 10 × 12 × 5 cm."),
    ("It is a 4x4.", "It is a 4x4 car."),
    ("Use 0x1F.", "Use 0x1F here."),
    ("The BMW X4 is out.", "The BMW X4 is out now."),
    ("He won the award four times.", "League MVP x4 (Spring 2016)"),
    ("He won it x4.", "He won it four times."),
    ("Gegen 20 Prozent.", "20 vom Hundert"),
    ("五分之一的人", "20%的人"),
    ("三分之二的人", "有3分の2的人"),
    ("1\\. Pay 20 euros\n2\\. Pay 30 euros", "Pay 20 euros, then 30 euros."),
]


@pytest.mark.parametrize(("answer", "source"), _SAME)
def test_a_name_or_day_is_known_in_another_spelling(answer: str, source: str):
    """Grouping, the country of a number, a century left out and a times sign are spelling."""
    assert outcome_of(answer, source) is Outcome.PASS


_OTHER = [
    ("Call 089 1234568.", "Tel. +49 (0)89 1234567"),
    ("Call 212-555-1213.", "Tel. +1 (212) 555-1212"),
    ("Call 0800 555 or the police.", "Call 0800 555 111."),
    ("Call 0800 123 4568.", "Contact: 0800-1234567"),
    ("ISBN 9783161484101.", "The ISBN is 978-3-16-148410-0"),
    ("Send it to DE89370400440532013001.", "IBAN: DE89 3704 0044 0532 0130 00"),
    ("DE-53113 Bonn", "53114 Bonn"),
    ("In May '24 it was 3.", "In May 2023 it was three."),
    ("Since '98 it grew.", "It grew from 1997 on."),
    ("It was signed on 2024-03-05.", "Signed 5 Mar 23."),
    ("It has 1920x1200 px.", "It has 1920 × 1080 pixels."),
    ("He won the award five times.", "League MVP (x4), top"),
    ("五分之一的人", "10%的人"),
]


@pytest.mark.parametrize(("answer", "source"), _OTHER)
def test_another_name_or_day_is_not_taken_for_it(answer: str, source: str):
    """One digit more or less is another number."""
    assert outcome_of(answer, source) is Outcome.FAIL


@pytest.mark.parametrize(
    ("answer", "source"),
    [("England U17s won.", "The England U18 team won."), ("It is a 4x4.", "It has four wheels.")],
)
def test_another_name_never_passes(answer: str, source: str):
    """A name that no source has is left to a judge, or fails beside a like one."""
    assert outcome_of(answer, source) is not Outcome.PASS


_PHONES = ["0{a} {b}", "0{a}/{b}", "0{a}-{b}", "(0{a}) {b}", "+49 {a} {b}", "+49 (0){a} {b}", "+49-{a}-{b}"]


@given(st.integers(200, 999), st.integers(100_000, 9_999_999), st.sampled_from(_PHONES), st.sampled_from(_PHONES))
def test_a_telephone_number_is_its_digits(area: int, local: int, mine: str, theirs: str):
    """Signs between the digits and the country make no difference, a digit does."""
    answer, source = (f"Call {form.format(a=area, b=local)} today." for form in (mine, theirs))

    assert outcome_of(answer, source) is Outcome.PASS
    assert outcome_of(f"Call {mine.format(a=area, b=local + 1)} today.", source) is Outcome.FAIL
