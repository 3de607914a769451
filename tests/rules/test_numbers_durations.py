"""Amounts that several figures say together: durations, heights, times of four figures, ranges of thousands."""

from __future__ import annotations

import pytest

from goldassay.verdicts import Outcome
from tests.rules.asking import finding_of, outcome_of

_PART_OF_ONE = [
    ("It takes 30 minutes.", "It takes 1 hour and 30 minutes."),
    ("It takes 30 minutes.", "It takes one hour and 30 minutes."),
    ("It takes 20 minutes.", "It takes an hour and 20 minutes."),
    ("It takes 30 minutes.", "Duration: 1 h 30 min."),
    ("It takes thirty minutes.", "It takes one hour and thirty minutes."),
    ("It takes 1 hour.", "It takes 1 hour and 30 minutes."),
    ("It takes 2 hours.", "It takes 2 hours and a half."),
    ("It takes 2 hours.", "It takes 2 hours and twenty minutes."),
    ("It takes nearly 2 hours.", "It takes 2 hours and 40 minutes."),
    ("He got 3 years.", "He got 3 years and 6 months."),
    ("It weighs 5 ounces.", "The weight is 8 pounds 5 ounces."),
    ("Er dauert 30 Minuten.", "Der Film dauert 1 Stunde und 30 Minuten."),
    ("Il dure 30 minutes.", "Le film dure 1 heure et 30 minutes."),
]


@pytest.mark.parametrize(("answer", "source"), _PART_OF_ONE)
def test_a_part_of_an_amount_is_not_stated_by_the_whole(answer: str, source: str):
    """'1 hour and 30 minutes' is one amount, so a source that says it says no 30 minutes."""
    assert outcome_of(answer, source) is Outcome.FAIL


_APART = [
    ("It takes 30 minutes.", "It takes 1 hour, then 30 minutes of rest."),
    ("It is 500 m away.", "Distances: 2 km, 500 m, 300 m."),
    ("Sessions of 30 minutes.", "Sessions of 2 hours, 1 hour and 30 minutes."),
    ("Sessions of 30 minutes.", "Sessions of 1 hour, 30 minutes and 15 minutes."),
    ("Runners take 30 minutes.", "Walkers and runners take 1 hour and 30 minutes, respectively."),
    ("Cook 10 minutes.", "Preheat for 1 hour, 10 minutes before that, cook."),
    ("He got 3 years.", "He got 3 years and was released."),
    ("It takes over 2 hours.", "It takes 2 hours and 20 minutes."),
    ("It takes nearly 3 hours.", "It takes 2 hours and 40 minutes."),
    ("It takes 1.5 hours.", "It takes 1 hour and 30 minutes."),
]


@pytest.mark.parametrize(("answer", "source"), _APART)
def test_amounts_that_only_stand_side_by_side_are_each_stated(answer: str, source: str):
    """A list of amounts holds each of them, and 'over 2 hours' is true of 2 hours and 20 minutes."""
    assert outcome_of(answer, source) is Outcome.PASS


_SAME_DURATION = [
    ("Duration: 1:45:00.", "Duration: 1 hour 45 minutes."),
    ("The film lasts 1:45.", "The film lasts 1 hour 45 minutes."),
    ("The film lasts 1:45.", "The film lasts 105 minutes."),
    ("He finished in 2:05:30.", "He finished in 2 hours, 5 minutes, 30 seconds."),
    ("It took 3m 20s.", "It took 3 minutes 20 seconds."),
    ("It took 3m20s.", "It took 3 minutes 20 seconds."),
    ("It ran for 1h 5m 20s.", "It ran for 1 hour 5 minutes and 20 seconds."),
    ("It lasts 2d 4h.", "It lasts 2 days and 4 hours."),
]


@pytest.mark.parametrize(("one", "other"), _SAME_DURATION)
def test_a_duration_is_known_as_a_clock_as_letters_and_as_words(one: str, other: str):
    """'1:45:00', '1h 45m' and '1 hour 45 minutes' last the same, whichever side writes which."""
    assert outcome_of(one, other) is Outcome.PASS
    assert outcome_of(other, one) is Outcome.PASS


_OTHER_DURATION = [
    ("The film lasts 1:46.", "The film lasts 1 hour 45 minutes."),
    ("The film starts at 1:45 pm.", "The film lasts 1 hour 45 minutes."),
    ("The film starts at 1:45.", "The film lasts 1 hour 45 minutes."),
    ("The film lasts 1 hour 45 minutes.", "The film starts at 1:45 pm."),
    ("It took 3m 25s.", "It took 3 minutes 20 seconds."),
]


@pytest.mark.parametrize(("answer", "source"), _OTHER_DURATION)
def test_another_duration_or_a_time_of_day_is_no_such_duration(answer: str, source: str):
    """A minute more is another duration, and a quarter to two is none."""
    assert outcome_of(answer, source) is Outcome.FAIL


_HEIGHTS = [
    ("He is 1m 80 tall.", "He is 1.80 m tall."),
    ("He is 1m80 tall.", "He is 1.80 m tall."),
    ("Il mesure 1 m 80.", "Sa taille est de 1,80 m."),
    ("The jump was 8m 95.", "The jump was 8.95 m."),
]


@pytest.mark.parametrize(("one", "other"), _HEIGHTS)
def test_a_length_with_the_metre_in_its_middle_is_a_decimal(one: str, other: str):
    """'1m 80' is 1.80 m, whichever side writes it so."""
    assert outcome_of(one, other) is Outcome.PASS
    assert outcome_of(other, one) is Outcome.PASS


def test_another_height_fails():
    """The figures behind the metre count."""
    assert outcome_of("He is 1m 85 tall.", "He is 1.80 m tall.") is Outcome.FAIL


_SHORT_TIMES = [
    ("Open 0900-1700.", "Open 09:00 to 17:00."),
    ("Open from 0900 to 1700.", "Open from 9 am to 5 pm."),
    ("The doors open at 0900.", "The doors open at 9 am."),
    ("The doors open at 1700 hours.", "The doors open at 5 p.m."),
]


@pytest.mark.parametrize(("one", "other"), _SHORT_TIMES)
def test_times_of_four_figures_are_times(one: str, other: str):
    """'0900-1700' and '09:00 to 17:00' are the same hours, whichever side writes which."""
    assert outcome_of(one, other) is Outcome.PASS
    assert outcome_of(other, one) is Outcome.PASS


_OTHER_TIMES = [
    ("Open 0900-1800.", "Open 09:00 to 17:00."),
    ("The doors open at 0900.", "The doors open at 9 pm."),
    ("The doors close at 8:10 pm.", "Between 2010 and 2015 it was open."),
]


@pytest.mark.parametrize(("answer", "source"), _OTHER_TIMES)
def test_four_figures_are_no_other_time_and_years_are_none(answer: str, source: str):
    """Another hour fails, and 2010 is no ten past eight."""
    assert outcome_of(answer, source) is Outcome.FAIL


_RANGES = [
    ("One to two thousand people came.", "1,000 to 2,000 people came."),
    ("Two to three million people came.", "2 million to 3 million people came."),
]


@pytest.mark.parametrize(("one", "other"), _RANGES)
def test_a_range_in_words_shares_its_thousands(one: str, other: str):
    """'One to two thousand' begins at a thousand, whichever side writes it so."""
    assert outcome_of(one, other) is Outcome.PASS
    assert outcome_of(other, one) is Outcome.PASS


_SHORT_ANSWERS = [
    ("Costa mille euro.", "Il prezzo è di 1.000 euro.", Outcome.PASS),
    ("Costa mille euro.", "Il prezzo è di 2.000 euro.", Outcome.FAIL),
    ("Mille.", "Il prezzo è di 2.000 euro.", Outcome.FAIL),
    ("Duemila euro.", "Il prezzo è di 2.000 euro.", Outcome.PASS),
    ("Costa tremila euro.", "Il prezzo è di 2.000 euro.", Outcome.FAIL),
    ("Mille euros.", "Le prix est de 1 000 euros.", Outcome.PASS),
    ("Dreitausend Euro.", "Der Preis ist 2000 Euro.", Outcome.FAIL),
    ("Drieduizend euro.", "De prijs is 2000 euro voor het huis.", Outcome.FAIL),
]


@pytest.mark.parametrize(("answer", "source", "outcome"), _SHORT_ANSWERS)
def test_a_number_in_one_word_tells_the_language_of_a_short_answer(answer: str, source: str, outcome: Outcome):
    """Where no common word tells the language, a number that only one has does, so it is read."""
    finding = finding_of(answer, source)

    assert finding.outcome is outcome
    assert not finding.reason.startswith("nothing to check")


_ONE_TOKEN = [
    ("He is 5'10\" tall.", "He is 5 feet 10 inches tall."),
    ("He is 5′ 10″ tall.", "He is 70 inches tall."),
    ("It costs 20€50.", "It costs 20.50 euros."),
    ("There are 2^10 of them.", "There are 1024 of them."),
    ("The step is 10⁻³.", "The step is 0.001."),
    ("The rate is 2.5‰.", "The rate is 2.5 per mille."),
    ("The rate is 2.5‰.", "The rate is 0.25%."),
    ("It is a 60/40 split.", "They get 60% and 40%."),
    ("Open Dec 28–Jan 3.", "Open from 28 December to 3 January."),
    ("Open 28 Feb–1 Mar 2023.", "Open from February 28 to March 1, 2023."),
    ("Pay every 3 months.", "Pay quarterly."),
    ("Pay every 6 months.", "Pay semi-annually."),
    ("Once every 2 years.", "It takes place every two years."),
    ("It rose from 10% to 20%.", "Growth: 10→20%."),
    ("She is in her 20s.", "She is in her twenties."),
    ("It costs 0 euros.", "It is free of charge."),
    ("Part 1 of 2: open it.", "Open it."),
    ("**Confidence:** 95%\n\nIt is 5.", "It is 5."),
    ("(Word count: 50)\nIt is 5.", "It is 5."),
    ("Ce sont soixante-quinze pour cent des gens.", "Ce sont 75 % des gens."),
    ("那天是二〇二四年三月五日。", "那天是2024-03-05。"),
]


@pytest.mark.parametrize(("answer", "source"), _ONE_TOKEN)
def test_shorthand_is_read_as_what_it_stands_for(answer: str, source: str):
    """Feet and inches, prices with the sign in their middle, powers, per mille, ranges of days, spans in one word."""
    assert outcome_of(answer, source) is Outcome.PASS


_OTHER_SHORTHAND = [
    ("He is 5'11\" tall.", "He is 5 feet 10 inches tall."),
    ("It costs 20€60.", "It costs 20.50 euros."),
    ("The rate is 2.5‰.", "The rate is 2.5%."),
    ("It is a 70/30 split.", "They get 60% and 40%."),
    ("Open Dec 28–Jan 4.", "Open from 28 December to 3 January."),
    ("Pay every 3 months.", "Pay monthly."),
    ("那天是二〇二四年三月六日。", "那天是2024-03-05。"),
]


@pytest.mark.parametrize(("answer", "source"), _OTHER_SHORTHAND)
def test_shorthand_for_something_else_fails(answer: str, source: str):
    """Another inch, cent, share or day is another number."""
    assert outcome_of(answer, source) is Outcome.FAIL


_PERCENT_TABLES = [
    "| Region | Share (%) |\n|---|---|\n| North | 45 |",
    "Share in %: 45",
    "Region\tShare [%]\nNorth\t45",
]


@pytest.mark.parametrize("source", _PERCENT_TABLES)
def test_a_heading_makes_the_figures_below_it_percentages(source: str):
    """A table says '(%)' once for all its rows."""
    assert outcome_of("The share of the north is 45%.", source) is Outcome.PASS
    assert outcome_of("The share of the north is 46%.", source) is Outcome.FAIL


_FORMULAS = [
    ("The energy is $5 \\times 10^{3}$ J.", "The energy is 5,000 J."),
    ("The speed is $3.0 \\times 10^8\\,\\text{m/s}$.", "The speed is 300,000,000 m/s."),
    ("The ratio is \\(\\frac{3}{4}\\).", "The ratio is 0.75."),
    ("It has $10{,}000$ members.", "It has 10,000 members."),
    ("It is $50^\\circ$C.", "It is 50 °C."),
    ("It is $25\\%$ of $\\$20$.", "It is 25% of $20."),
    ("The result is $\\boxed{42}$.", "The result is 42."),
    ("It costs $5 and $10 \\(net\\).", "It costs $5 and $10."),
]


@pytest.mark.parametrize(("answer", "source"), _FORMULAS)
def test_a_formula_in_latex_says_plain_numbers(answer: str, source: str):
    """Powers, fractions, groups and degrees in LaTeX have their value, and its dollar signs are no money."""
    assert outcome_of(answer, source) is Outcome.PASS


def test_another_result_in_latex_fails():
    """The formula is read, not passed over."""
    assert outcome_of("The result is $\\boxed{43}$.", "The result is 42.") is Outcome.FAIL
    assert outcome_of("The energy is $5 \\times 10^{4}$ J.", "The energy is 5,000 J.") is Outcome.FAIL


_HOURS = [
    ("Open Mon–Fri 9–17.", "Open Monday to Friday, 9 am to 5 pm."),
    ("È aperto dalle 9 alle 17.", "È aperto 9:00-17:00."),
    ("Abierto de 9 a 17 h todos los días.", "Abierto de 9:00 a 17:00 todos los días."),
    ("Es ist von neun bis siebzehn Uhr offen.", "Es ist 9:00 bis 17:00 Uhr offen."),
]


@pytest.mark.parametrize(("one", "other"), _HOURS)
def test_full_hours_are_known_by_the_words_around_them(one: str, other: str):
    """Weekdays, 'dalle' and 'Uhr' make hours of plain figures, whichever side writes them so."""
    assert outcome_of(one, other) is Outcome.PASS
    assert outcome_of(other, one) is Outcome.PASS


_OTHER_HOURS = [
    ("Open Mon–Fri 9–18.", "Open Monday to Friday, 9 am to 5 pm."),
    ("Es ist von neun bis achtzehn Uhr offen.", "Es ist 9:00 bis 17:00 Uhr offen."),
    ("On Monday 9 people came.", "Monday 9:00: 8 people came."),
]


@pytest.mark.parametrize(("answer", "source"), _OTHER_HOURS)
def test_other_hours_fail_and_people_are_none(answer: str, source: str):
    """Another hour is another number."""
    assert outcome_of(answer, source) is Outcome.FAIL


_SIGNED = [
    ("Sales changed by -5%.", "Sales dropped 5%."),
    ("It grew by 5pp.", "It grew by 5 percentage points."),
    ("It was on Sept. 5.", "It was on September 5."),
    ("5 Sept 2024.", "It was on 2024-09-05."),
    ("Это было 5 сентября 2024.", "It was on 5 September 2024."),
]


@pytest.mark.parametrize(("answer", "source"), _SIGNED)
def test_losses_points_and_months_are_known_in_short(answer: str, source: str):
    """A minus is a loss, 'pp' are points, 'Sept' is no French seven."""
    assert outcome_of(answer, source) is Outcome.PASS


def test_a_loss_is_no_gain():
    """Where the source tells a rise, the sign is for a judge."""
    assert outcome_of("Sales changed by -5%.", "Sales rose 5%.") is Outcome.UNSURE
