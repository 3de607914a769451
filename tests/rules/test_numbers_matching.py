"""`numbers`: what is near a source's number, or looks like it, is not taken for it; what is it in other words is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldassay.verdicts import Category, Outcome
from tests.rules.asking import finding_of, outcome_of

# --- rounding ----------------------------------------------------------------------------------

_NO_ROUNDING = [
    ("You have 20 days to appeal.", "You have 21 days to appeal."),
    ("It takes 30 days.", "It takes 31 days."),
    ("It takes 30 days.", "It takes 29 days."),
    ("It costs $100.", "It costs $95."),
    ("It costs 200 euros.", "It costs 210 euros."),
    ("It has 300 employees.", "It has 312 employees."),
    ("It has 50 users.", "It has 52 users."),
    ("The deductible is $2,000.", "There is a $2,100 deductible."),
    ("It got 30 goals.", "It got 31 goals."),
    ("Take 10 mg.", "Take 10.5 mg."),
    ("Take thirty pills.", "Take thirty-one pills."),
    ("It costs $5.", "It costs $5.52."),
]


@pytest.mark.parametrize(("answer", "source"), _NO_ROUNDING)
def test_a_whole_number_near_that_of_the_source_is_wrong(answer: str, source: str) -> None:
    """Twenty days are not twenty-one: without 'about' a whole number rounds no other."""
    finding = finding_of(answer, source)

    assert (finding.outcome, finding.category) == (Outcome.FAIL, Category.WRONG_NUMBER), finding


_ROUNDING = [
    ("25 % agreed.", "25.3 % agreed."),
    ("13 % agreed.", "12.6 % agreed."),
    ("It has 48,200 users.", "It has 48,213 users."),
    ("It has 48.2k users.", "It has 48,213 users."),
    ("It has 3 million users.", "It has 2,956,737 users."),
    ("It is 100 °C hot.", "It is 99.7 °C hot."),
    ("It takes about 20 days.", "It takes 21 days."),
    ("It takes nearly 30 days.", "It takes 29 days."),
    ("It has over 300 employees.", "It has 312 employees."),
    ("It costs roughly $2,000.", "It costs $2,100."),
]


@pytest.mark.parametrize(("answer", "source"), _ROUNDING)
def test_a_rounded_number_passes(answer: str, source: str) -> None:
    """Decimals left out, figures of three digits, scale words, and whatever is said to be 'about'."""
    finding = finding_of(answer, source)

    assert finding.outcome is Outcome.PASS, finding
    assert "rounded" in finding.reason


@settings(max_examples=200, deadline=None)
@given(value=st.integers(2, 5_000), offset=st.integers(-50, 50).filter(bool), unit=st.sampled_from(["days", "users"]))
def test_no_whole_number_of_two_digits_passes_for_another(value: int, offset: int, unit: str) -> None:
    """Whatever the distance, the answer's count must stand in the source unless it has three digits to round to."""
    wrong = value + offset
    if wrong > 1 and len(str(wrong).rstrip("0")) < 3:
        assert finding_of(f"It has {wrong} {unit}.", f"It has {value} {unit}.").outcome is Outcome.FAIL


# --- words that imply a number -----------------------------------------------------------------

_ORDINARY_WORDS = [
    ("The response was 100%.", "The response was, in all subgroups, 94.1%."),
    ("The share is 25%.", "It was 12% in the fourth quarter."),
    ("The share is 25%.", "It was 12% in a good quarter."),
    ("The share is 33%.", "It was 12% in the third quarter."),
    ("The share is 33%.", "A third party counted 12%."),
    ("The share is 50%.", "It was 10% in the first half."),
    ("You get 2 days.", "There is a big allowance of five days."),
    ("You get 2 days.", "Both managers may bid for five days."),
    ("It takes 3 months.", "Notify the third party within 6 months."),
    ("It takes 3 months.", "A third of them take 6 months."),
    ("It takes 1 day.", "A user has a desk for 5 days."),
    ("Take 100 mg.", "Take vitamin C, that is 80 mg."),
    ("It gives 5 marks.", "Section V gives 8 marks."),
    ("You have 10 licences.", "See Appendix X: 12 licences."),
    ("There are 50 employees.", "The L size fits 30 employees."),
    ("It has 12 eggs.", "It has a dozen boxes of 10 eggs."),
    ("It has 1 room.", "It has 2 rooms."),
    ("Take 1 of them.", "Take 2 of them."),
    ("It takes 1 day.", "On holidays a daydream costs 5 euros."),
    ("It takes 1 day.", "It costs 5 euros on some days. " * 60),
    ("Chapter 5 says so.", "It has 3 - V halls."),
    ("It has 205 rooms: K-205.", "It has many rooms: K-204."),
]


@pytest.mark.parametrize(("answer", "source"), _ORDINARY_WORDS)
def test_an_ordinary_word_implies_no_number(answer: str, source: str) -> None:
    """'all', 'quarter', 'big', 'third', 'a' and single roman letters count only at the thing that is counted."""
    finding = finding_of(answer, source)

    assert finding.outcome is Outcome.FAIL, finding


_IMPLIED = [
    ("It takes 2 weeks.", "It takes a couple of weeks."),
    ("It takes 2 weeks.", "It takes a fortnight."),
    ("It takes 14 days.", "It takes a fortnight."),
    ("It has 12 eggs.", "There are a dozen fresh eggs."),
    ("It has 2 owners.", "Both owners agree."),
    ("It lasts 1 day.", "It lasts a whole day."),
    ("Press it 2 times.", "Press it twice."),
    ("It grew 3x.", "It tripled."),
    ("100% of members agree.", "All members agree."),
    ("It is 100% refundable.", "It is fully refundable."),
    ("It rose by 100%.", "It doubled."),
    ("50% of them agree.", "Half of them agree."),
    ("25% of them agree.", "A quarter of them agree."),
    ("33% of them agree.", "One third of them agree."),
    ("Chapter 5 says so.", "Chapter V says so."),
    ("The 14th Louis reigned.", "Louis XIV reigned."),
    ("He was the 14th.", "Louis XIV reigned."),
    ("In the 20th century it grew.", "En el siglo XX creció."),
    ("Chapter 3 tells it.", "The third chapter says so."),
    ("It is option no. 3 here.", "It is the third one."),
    ("Placed 3rd.", "The place is 3."),
    ("It has 3 albums.", "The third album is out."),
    ("He is 40 years old.", "He had his 40th birthday."),
]


@pytest.mark.parametrize(("answer", "source"), _IMPLIED)
def test_a_word_at_the_counted_thing_implies_the_number(answer: str, source: str) -> None:
    """'a couple of weeks' are 2 weeks, 'Chapter V' is Chapter 5, a third album makes 3 albums."""
    finding = finding_of(answer, source)

    assert finding.outcome is Outcome.PASS, finding


# --- kinds and units ---------------------------------------------------------------------------

_OTHER_KINDS = [
    ("It costs $20.", "It takes 20 days."),
    ("It costs 20 euros.", "It takes 20 days."),
    ("It takes 20 days.", "It costs 20 euros."),
    ("It weighs 20 kg.", "It is 20 cm long."),
    ("It drives 100 mph.", "It drives 100 km/h."),
    ("It takes 3 days.", "We meet at 3 o'clock."),
    ("It takes 3 days.", "It stands on the 3rd floor."),
    ("It drew 3.", "It stands on the third floor."),
    ("It has 3 shops for 12 euros.", "It costs 3/12 in all."),
    ("It costs 3 euros.", "It is open 3/7."),
    ("It has 6 schools.", "It opened on 6 March."),
    ("It has 4711 rooms.", "See https://example.org/houses/4711/ for several rooms."),
    ("It has 20 teams.", "20% of them came."),
    ("It has 20 rooms.", "In the season 2020/21 it was -20 °C."),
    ("It has 15 members.", "It starts at 15:30."),
    ("It has 4 rooms.", "It has several rooms [4]."),
    ("She won 4 titles.", "She won 6-4, 7-6 in her first final."),
    ("It has 4711 rooms.", "See https://example.org/houses/id-4711/ for several rooms."),
    ("The 15th-ranked team won.", "The match of November 15, 2016 was lost."),
    ("It is her 3rd novel.", "It was published on 3 March 2013."),
    ("It is set in the 17th century.", "Published at 2018-06-16T17:22:36 in full."),
    ("He stayed for four years.", "It has more than 4m readers."),
]


@pytest.mark.parametrize(("answer", "source"), _OTHER_KINDS)
def test_the_same_figure_of_another_kind_is_another_number(answer: str, source: str) -> None:
    """Money, measures, ranks, hours, percentages, citation marks and addresses do not stand for one another."""
    finding = finding_of(answer, source)

    assert finding.outcome is Outcome.FAIL, finding


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("You get 20 GB.", "It has 20 users."),
        ("It has 20 users.", "You get 20 GB."),
        ("It has 20 people.", "It takes 20 days."),
        ("It rose 5 percentage points.", "It rose 5 percent."),
        ("3/4 of the members agreed.", "It is open in 3 of the 4 regions."),
    ],
)
def test_the_same_figure_of_perhaps_another_thing_is_unsure(answer: str, source: str) -> None:
    """Where only one side names a unit, or both sides other things, a rule cannot know."""
    assert finding_of(answer, source).outcome is Outcome.UNSURE


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("It takes 20 days.", "It takes 20 working days."),
        ("It costs 20 euros.", "Price in EUR: 20"),
        ("It is 20 degrees warm.", "It is 20 °C warm."),
        ("It costs $20.", "It costs $20 an hour."),
        ("It opens on the 6th.", "It opens on 6 March."),
        ("On the 6th we open.", "It opens on 6 March."),
        ("It takes 4 minutes.", "It takes 4m at most."),
        ("It has 4 million readers.", "It has more than 4m readers."),
        ("In 2024 it opened.", "It opened on 6 March 2024."),
        ("It weighs ⅓ kg.", "It weighs 0.3333 kg."),
        ("3/5 agreed.", "A share of 3/5 agreed, that is 6/10."),
        ("It runs 60 miles per hour.", "It runs 60 mph."),
        ("It costs 10 pounds.", "It costs £10."),
        ("It weighs 23 lb.", "It is a 23-pound ball."),
        ("It weighs 10 kg (23 lb).", "It is a 23-pound ball."),
        ("It weighs 23 pounds.", "It weighs 10.4 kg."),
        ("It is open 24 hours, 7 days a week.", "It is open 24/7."),
        ("We meet at 3 pm.", "We meet at 3 o'clock."),
        ("We meet at 3 pm.", "We meet from 3 to 5 pm."),
        ("It takes 3 days.", "It takes 3-5 days."),
        ("She won 4 titles.", "She won 4-time titles."),
        ("In 2020/21 it grew.", "In 2020/21 it grew."),
        ("It has 3 rooms at least.", "Number of rooms: 3-5"),
        ("3 out of 5 members agreed.", "3/5 of the members agreed."),
        ("3/5 agreed.", "Three members out of five agreed."),
        ("Section 230 applies.", "Under § 230(c)(1) it applies."),
        ("Growth [10] is told.", "It is told [10]."),
    ],
)
def test_a_unit_in_other_words_is_the_same(answer: str, source: str) -> None:
    """Adjectives, signs, table headings and neighbouring forms leave the number what it is."""
    assert finding_of(answer, source).outcome is Outcome.PASS


# --- pieces ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("Der Rabatt beträgt 12,5 % für alle.", "Es gibt 12 Filialen und in der Stadt noch 5 weitere."),
        ("3/5 agreed.", "It has 3 halls. Nobody knows when it will open. It has 5 doors."),
        ("It closes at 5 pm.", "It closes at 5 am."),
        ("It closes at 5 pm.", "It has 5 doors."),
    ],
)
def test_pieces_that_stand_apart_are_no_number(answer: str, source: str) -> None:
    """12 and 5 anywhere are no 12,5 %; 5 am is no 5 pm, and no more are 5 doors."""
    finding = finding_of(answer, source)

    assert finding.outcome is Outcome.FAIL, finding


# --- sums --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "source", "is_sum"),
    [
        ("It has 30 rooms.", "North has 12 rooms. South has 18 rooms.", True),
        ("It costs $30.", "It costs $12 and $18.", True),
        ("It costs $30.", "It costs €12 and €18.", False),
        ("It takes 30 days.", "It takes 12 hours and 18 hours.", False),
        ("It has 19 rooms.", "The first house has 18 rooms.", False),
    ],
)
def test_only_numbers_of_one_kind_make_a_sum(answer: str, source: str, is_sum: bool) -> None:  # noqa: FBT001
    """Ranks, other currencies and other units are no summands."""
    assert ("derived" in finding_of(answer, source, derived="fail").reason) is is_sum
    assert finding_of(answer, source, derived="pass").outcome is (Outcome.PASS if is_sum else Outcome.FAIL)


# --- edges -------------------------------------------------------------------------------------


def test_numbers_beyond_all_measure_are_compared_too() -> None:
    """What is larger than a float can hold raises nothing."""
    source = "It is 9e300 billion or -9e300 billion, or 7."

    assert finding_of("It is 8e300 billion.", source).outcome is Outcome.FAIL
    assert finding_of("It is 9e300 billion.", source).outcome is Outcome.PASS


def test_a_date_takes_its_year_from_another_cited_source() -> None:
    """Day and month stand in the sentence's source, the year in one that the answer cites elsewhere."""
    finding = finding_of(
        "It opens on 14 September 2026 [1]. It is a house [2].", "It opens on 14 September.", "In 2026 it is a house."
    )

    assert finding.outcome is Outcome.PASS, finding


def test_a_scale_of_the_question_with_a_date_in_it_raises_nothing() -> None:
    """Ranges of dates in a question set no scale for the answer's numbers."""
    finding = finding_of("It is 7.", "Rooms are nice.", question="Is it open from May 3 to May 9, or COVID-19 to 20?")
    scaled = finding_of("It is 7.", "Rooms are nice.", question="Rate it from 1 to 5.")

    assert finding.outcome is scaled.outcome is Outcome.FAIL, finding


def test_a_one_that_counts_nothing_is_unsure() -> None:
    """A score or a label may be told by the answer itself."""
    assert finding_of("They won 1-0.", "They won by the only goal.").outcome is Outcome.UNSURE


def test_the_day_of_speaking_is_unsure() -> None:
    """'As of' a date may name the day on which the answer was given."""
    assert finding_of("As of June 2026 it is open.", "It is open.").outcome is Outcome.UNSURE


_OTHER_RATES = [
    ("It costs $20 per month.", "It costs $20 per year."),
    ("It costs $20/month.", "It costs $20 annually."),
    ("Send 20 requests per minute.", "Send 20 requests per hour."),
    ("Take 20 mg daily.", "Take 20 mg per week."),
]


@pytest.mark.parametrize(("answer", "source"), _OTHER_RATES)
def test_an_amount_that_comes_again_at_another_time_fails(answer: str, source: str):
    """20 a month are not 20 a year."""
    assert outcome_of(answer, source) is Outcome.FAIL


_SAME_RATES = [
    ("It costs $20 per month.", "It costs $20 a month."),
    ("It costs $20 monthly.", "It costs $20/month."),
    ("It costs $240 a year.", "It costs $20 per month ($240 per year)."),
    ("It costs $20 a month.", "It costs $20."),
    ("It costs $20.", "It costs $20 a year."),
    ("Come 3 times a week.", "Come 3 times per week."),
]


@pytest.mark.parametrize(("answer", "source"), _SAME_RATES)
def test_an_amount_that_comes_again_is_known_in_all_spellings(answer: str, source: str):
    """And where one side leaves out how often, nothing speaks against it."""
    assert outcome_of(answer, source) is Outcome.PASS


def test_the_number_of_a_room_is_no_price():
    """What counts nothing may not stand for an amount; a judge must tell."""
    assert outcome_of("The fee is 25 euros.", "The fee is 20 euros. Room 25 is closed.") is Outcome.UNSURE
    assert outcome_of("It is in Room 25.", "Room 25 is closed.") is Outcome.PASS


def test_a_version_is_not_rounded():
    """'Python 3.1' is another one than 'Python 3.11', though 3.11 rounds to 3.1 elsewhere."""
    assert outcome_of("Use Python 3.1 for it.", "Use Python 3.11 for it.") is Outcome.FAIL
    assert outcome_of("The share is about 3.1.", "The share is 3.11.") is Outcome.PASS


def test_nearly_a_number_is_hardly_less():
    """96 are nearly 100, 70 are not."""
    assert outcome_of("There are nearly 100 of them.", "There are 96 of them.") is Outcome.PASS
    assert outcome_of("There are nearly 100 of them.", "There are 70 of them.") is Outcome.FAIL
