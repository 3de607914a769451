"""Properties of how numbers are read: a form and its value go together, whatever the figure."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from goldassay.records import AnswerRecord, Source
from goldassay.rules import RulesConfig, load_rules
from goldassay.rules._number_index import index_numbers, read_numbers
from goldassay.rules._number_model import Kind
from goldassay.verdicts import Outcome

_RULES = load_rules(RulesConfig(enabled=("numbers",)))


def _outcome(answer: str, source: str) -> Outcome:
    record = AnswerRecord(record_id="1", question="What is it?", answer=answer, sources=(Source(id="1", text=source),))
    return _RULES.check(record)[0][1].outcome


_SUFFIXES = [
    "kcal",
    "mmHg",
    "IU",
    "V",
    "W",
    "L",
    "hp",
    "dB",
    "bar",
    "rpm",
    "mAh",
    "MP",
    "GiB",
    "dpi",
    "wks",
    "mg",
    "zorks",
]
_units = st.sampled_from(_SUFFIXES)
_figures = st.one_of(
    st.integers(min_value=2, max_value=9_999_999).flatmap(lambda n: st.sampled_from([str(n), f"{n:,}"])),
    st.decimals(min_value=1, max_value=999, places=1).map(str),
)


@given(_figures, _units)
def test_a_unit_may_touch_its_figure_or_not(figure: str, unit: str):
    """'500kcal' is '500 kcal', in both directions."""
    apart, touching = f"It has {figure} {unit} in all.", f"The box says that it has {figure}{unit} in all."

    assert _outcome(apart, touching) is Outcome.PASS
    assert _outcome(touching, apart) is Outcome.PASS


@given(_figures, _figures, _units)
def test_a_unit_that_touches_makes_no_other_figure_true(mine: str, theirs: str, unit: str):
    """Only the whole figure before the suffix counts."""
    value = [float(figure.replace(",", "")) for figure in (mine, theirs)]
    if abs(value[0] - value[1]) > max(value) / 10:
        answer = f"It has {mine} {unit} in all."

        assert _outcome(answer, f"The box says that it has {theirs}{unit} in all.") is Outcome.FAIL


@given(st.integers(min_value=1, max_value=999), st.sampled_from(["mg", "%", "of it", "million", "kg"]))
def test_a_leading_dot_makes_a_decimal(digits: int, behind: str):
    """'.5 mg' is '0.5 mg' and never '5 mg'."""
    led, full, whole = f"Take .{digits} {behind}.", f"Take 0.{digits} {behind}.", f"Take {digits} {behind}."

    assert _outcome(led, full) is Outcome.PASS
    assert _outcome(full, led) is Outcome.PASS
    assert _outcome(whole, led) is Outcome.FAIL
    assert _outcome(led, whole) is Outcome.FAIL


@given(st.integers(min_value=0, max_value=30), st.integers(min_value=0, max_value=99))
def test_a_version_with_two_parts_is_found_by_its_characters(major: int, minor: int):
    """'8.4' stands where 'version 8.4' does; 'version 8.40' is another."""
    assert (
        _outcome(f"It needs PHP {major}.{minor} here.", f"It needs PHP version {major}.{minor} here.") is Outcome.PASS
    )
    assert (
        _outcome(f"It needs PHP {major}.{minor}1 here.", f"It needs PHP version {major}.{minor} here.") is Outcome.FAIL
    )


_RANGES = [
    "{m} {a}-{b}, {y}", "{m} {a} to {b}, {y}", "{m} {a} to {m} {b}, {y}", "{a} to {b} {m} {y}", "{a}-{b} {m} {y}",
    "{a} {m} {y} to {b} {m} {y}", "{a}–{b} {m} {y}", "{m} {a} through {b}, {y}", "between {a} and {b} {m} {y}",
]  # fmt: skip


@given(
    st.integers(1, 27), st.integers(1, 27), st.sampled_from(["June", "Aug", "December"]), st.integers(1950, 2049),
    st.sampled_from(_RANGES), st.sampled_from(_RANGES),
)  # fmt: skip
def test_both_days_of_a_range_are_dates(first: int, last: int, month: str, year: int, mine: str, theirs: str):
    """Whatever way a range of days is written, its days have the month and year of the range."""
    if first >= last:
        return
    answer = f"It was open for everybody ({mine.format(a=first, b=last, m=month, y=year)})."
    source = f"The hall is open for the people, {theirs.format(a=first, b=last, m=month, y=year)}, and not later."

    assert _outcome(answer, source) is Outcome.PASS
    assert _outcome(f"It was open on {month} {last + 1}, {year}.", source) is Outcome.FAIL


_CLOCKS = ["{h}:{m:02d}", "{h:02d}:{m:02d} Uhr", "{h}.{m:02d} Uhr", "{h}h{m:02d}"]


@given(st.integers(0, 23), st.integers(0, 59), st.sampled_from(_CLOCKS), st.sampled_from(_CLOCKS))
def test_a_time_of_day_is_its_minutes(hour: int, minute: int, mine: str, theirs: str):
    """Colon, dot and letter are forms of one time; a minute later is another."""
    answer, source = (f"Es beginnt für die Gäste um {form.format(h=hour, m=minute)}." for form in (mine, theirs))

    assert _outcome(answer, source) is Outcome.PASS
    later = mine.format(h=hour, m=(minute + 1) % 60)
    assert _outcome(f"Es beginnt für die Gäste um {later}.", source) is Outcome.FAIL


@given(st.integers(min_value=1, max_value=9999), st.integers(min_value=1, max_value=9999))
def test_numerals_of_figures_and_signs_are_summed(myriads: int, rest: int):
    """'3万5000' is 35,000."""
    value = myriads * 10_000 + rest

    assert _outcome(f"価格は{value:,}円です。", f"価格は{myriads}万{rest}円です。") is Outcome.PASS
    assert _outcome(f"価格は{myriads}万{rest}円です。", f"価格は{value}円です。") is Outcome.PASS


def test_a_name_with_letters_behind_stays_a_name():
    """'3D', '12b' and '4WD' name something; 'Seat 20A' may be amperes, and is a name first."""
    kinds = [number.kind for number in read_numbers("They have 3D, 12b, 4WD, 20A and 4in1.")]

    assert kinds == [Kind.IDENTIFIER] * 5


def test_a_version_in_figures_may_be_a_day():
    """'15.3.24' is kept as a version and found as a date; 'version 15.3.24' is no date."""
    (number,) = read_numbers("am 15.3.24")
    (version,) = read_numbers("version 15.3.24")

    assert (number.kind, number.dates[0]) == (Kind.VERSION, (2024, 3, 15))
    assert version.dates == ()


def test_half_a_character_is_no_number_word():
    """A lone surrogate, which logs may hold, ends nothing."""
    assert read_numbers("La casa es de los \udde2 dos.", "es")


def test_a_heading_sets_the_scale_of_what_stands_below_it():
    """Years and what stands above keep their value; the next heading sets its own scale."""
    index = index_numbers("It has 7 rooms.\n($ in thousands)\n2024 | 1,500\n(€ in millions)\n2025 | 33 and 5 kg of it")

    assert {1_500_000, 33_000_000, 1500, 33, 7} <= index.by_value.keys()
    assert not {7000, 2_024_000, 2_025_000_000, 5_000_000} & index.by_value.keys()
