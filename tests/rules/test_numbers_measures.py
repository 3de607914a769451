"""Numbers with units of several words or signs: areas, volumes and temperatures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.verdicts import Outcome
from tests.rules.asking import outcome_of

_SAME = [
    ("The area is 25 square metres.", "Area: 25 m²."),
    ("The area is 25 m^2.", "Area: 25 square metres."),
    ("The area is 25 m**2.", "Area: 25 square metres."),
    ("The area is 25 m2.", "Area: 25 m²."),
    ("It is 12 sq ft.", "It is 12 square feet."),
    ("It is 12 sq. ft.", "It is 12 square feet."),
    ("It costs 5 per m2.", "It costs 5 per square metre."),
    ("It has 3 m2 and 5 m3.", "It has 3 m² and 5 m³."),
    ("It fell at 10 m/s2.", "It fell at 10 m/s²."),
    ("The volume is 25 cubic feet.", "Volume: 25 ft³."),
    ("The volume is 1 m³.", "Volume: 1000 litres."),
    ("Take 5 cm³ of it.", "Take 5 ml of it."),
    ("Es sind 12 qm für die Leute.", "Es sind 12 Quadratmeter für die Leute."),
    ("Das sind 12 Kubikmeter für die Leute.", "Das sind 12 m³ für die Leute."),
    ("Ce sont 12 mètres carrés pour les gens.", "Ce sont 12 m² pour les gens."),
    ("Ce sont 12 mètres cubes pour les gens.", "Ce sont 12 m³ pour les gens."),
    ("It has 5 square rooms.", "It has five square rooms here."),
    ("It is a 2 metre cube.", "It is 2 m high."),
    ("It runs at 100 km per hour.", "It runs at 100 km/h."),
    ("It is 68 °F.", "It is 20 °C."),
    ("It is 25 degrees Celsius.", "It is 25° C."),
    ("It is 25 degrees.", "It is 25 °C."),
    ("It is 5 degrees below zero.", "It is -5 °C."),
    ("It is -5 °C.", "It is five degrees below zero."),
    ("It is minus five degrees.", "It is −5 °C."),
    ("It fell by 5%.", "The change was -5%."),
    ("Apple's M2 is 20% faster.", "The M2 chip is 20 percent faster."),
]


@pytest.mark.parametrize(("answer", "source"), _SAME)
def test_a_measure_is_known_in_all_its_spellings(answer: str, source: str):
    """Words, superscripts and plain figures say the same power; a temperature has one value on both scales."""
    assert outcome_of(answer, source) is Outcome.PASS


_OTHER = [
    ("The area is 25 m³.", "Area: 25 square metres."),
    ("The area is 25 m3.", "Area: 25 m²."),
    ("The area is 25 m2.", "Length: 25 m."),
    ("The length is 25 m.", "Area: 25 m²."),
    ("The volume is 25 cubic feet.", "Area: 25 square feet."),
    ("It is 12 sq. m.", "It is 12 square feet."),
    ("Ce sont 12 mètres cubes pour les gens.", "Ce sont 12 m² pour les gens."),
    ("It is 20 °C.", "It is 20 °F."),
    ("It is 25 degrees Celsius.", "It is 25 °F."),
    ("It is 70 °F.", "It is 20 °C."),
]


@pytest.mark.parametrize(("answer", "source"), _OTHER)
def test_another_measure_is_another_number(answer: str, source: str):
    """Square, cubic and plain lengths never meet, nor do Celsius and Fahrenheit of one figure."""
    assert outcome_of(answer, source) is Outcome.FAIL


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("The temperature was 5 degrees.", "It was −5 °C."),
        ("The temperature was -5 degrees.", "It was 5 °C."),
        ("It is -5 °C.", "It is 5 degrees."),
    ],
)
def test_a_temperature_that_lost_its_sign_is_left_open(answer: str, source: str):
    """A fall by 5 % may be told without its sign, a temperature may not."""
    assert outcome_of(answer, source) is Outcome.UNSURE


_LENGTHS = {"metre": "m", "yard": "yd", "centimetre": "cm", "mile": "mi", "kilometre": "km"}
_AREAS = ["{n} square {word}s", "{n} sq {sign}", "{n} {sign}²", "{n} {sign}2", "{n} {sign}^2", "{n}{sign}²"]
_VOLUMES = ["{n} cubic {word}s", "{n} cu {sign}", "{n} {sign}³", "{n} {sign}3", "{n} {sign}^3", "{n}{sign}³"]


@given(
    st.integers(2, 9999), st.sampled_from(sorted(_LENGTHS)), st.sampled_from(_AREAS), st.sampled_from(_AREAS),
    st.sampled_from(_VOLUMES),
)  # fmt: skip
def test_an_area_has_one_value_in_every_spelling(figure: int, word: str, mine: str, theirs: str, volume: str):
    """Every spelling of an area agrees with every other and with no volume."""
    answer, same, other = (
        f"It has {form.format(n=figure, word=word, sign=_LENGTHS[word])} in all." for form in (mine, theirs, volume)
    )

    assert outcome_of(answer, same) is Outcome.PASS
    assert outcome_of(answer, other) is Outcome.FAIL
