"""How numbers are read off a text, kind by kind."""

from __future__ import annotations

import pytest

from goldassay.rules._number_index import index_numbers, read_numbers
from goldassay.rules._number_language import decimal_style, language_of
from goldassay.rules._number_lists import claims_only
from goldassay.rules._number_model import plain
from goldassay.rules._number_words import scan_words
from goldassay.rules.context import SourceCache

_READINGS = [
    ("The fee is $28M a year.", ["quantity 28000000"]),
    ("It rose by 2 percentage points to 61 %.", ["points 2pp", "percent 61%"]),
    ("See version 7.10 and 1.2.3 of the app.", ["version 7.10", "version 1.2.3"]),
    ("The room 12b is in the hall K-204.", ["identifier 12b", "identifier K-204"]),
    ("It was on the 7th of the month.", ["ordinal 7"]),
    ("It was in the 1990s and the '80s.", ["decade 1990", "decade 80"]),
    ("It was open at 3 p.m. and 15:30.", ["time 3 p.m.", "time 15:30"]),
    ("The score was 99:99 in the end.", ["identifier 99:99"]),
    ("It was on 45.13.2020 and 99/99/2020.", ["version 45.13.2020", "quantity 99", "fraction"]),
    ("It was on the 14th of March '98.", ["date"]),
    ("The address is 192.168.1.1 of the net.", ["version 192.168.1.1"]),
    ("It is 1.000.000 in the list.", ["quantity 1000000"]),
    ("It is 1,234.5,6 in the list.", None),
    ("The ratio 3/0 is not a number.", ["identifier 3/0"]),
    ("It has 1e999 atoms in it.", ["identifier 1e999"]),
    ("It has 10^6 cells in it.", ["quantity 1000000"]),
    ("It takes two and a half days of it.", ["quantity 2.5"]),
    ("It cost 3 million million of it.", ["quantity 3000000000000"]),
    ("It has " + "1" * 60 + " in it.", ["identifier"]),
    ("It is .5 of the whole.", ["quantity 0.5"]),
    ("It rose by 25 basis points in FY23.", ["points 0.25pp", "quantity 2023"]),
    ("It has half a million users and half a team.", ["quantity 500000"]),
    ("It took a team and a half for an hour and a half.", ["quantity 1.5"]),
    ("It is nine fifths of the whole and three fifths of it.", ["quantity 9", "ordinal 5", "quantity 0.6"]),
    ("It won one in five and 9 out of 10 of 5 in 2.", ["quantity 0.2", "quantity 0.9", "quantity 5", "quantity 2"]),
    ("It was in mid-to-late-1990s and cost USD5.", ["decade 1990", "quantity 5"]),
    ("It is a group of 5. 12,345 of them came.", ["quantity 5", "quantity 12345"]),
    ("The ways were 5 to 3 May and June 5 to 3.", ["quantity 5", "date 3 May", "date June 5", "quantity 3"]),
    ("It weighs 20240315 kg of the 20240231.", ["quantity 20240315", "quantity 20240231"]),
    ("It is open from 9 to 17 Uhr or 15h30.", ["time 9", "time 17 Uhr", "time 15h30"]),
    ("In FY2020 the v2.1 was sold.", ["quantity 2020", "version 2.1"]),
    ("该项目于2026年9月14日开始, 百分之三十五, 三成, 二〇二六, 第三", None),
]


@pytest.mark.parametrize(("text", "wanted"), _READINGS)
def test_kinds_and_values_are_read(text: str, wanted: list[str] | None):
    """Each number is named by its kind and its value in plain digits; what is no number raises nothing."""
    found = [f"{number.kind.value} {plain(number)}" for number in read_numbers(text)]

    assert found
    for mine, theirs in zip(wanted or (), found, strict=False):
        assert theirs.startswith(mine) or mine == "fraction"


def test_texts_of_other_languages_have_no_number_words():
    """Where the words of a language are not known, none are read."""
    assert scan_words("dwa domy", "pl") == []


def test_a_chinese_text_has_its_dates_shares_and_numerals():
    """Dates with signs, percentages in words, tenths, digits in a row."""
    found = read_numbers("该项目于2026年9月14日开始,占百分之三十五,即三成,二〇二六年,3万元。")

    assert found[0].dates[0] == (2026, 9, 14)
    assert [plain(number) for number in found[1:]] == ["35%", "30%", "2026", "30000"]


def test_torn_figures_and_ranges_get_their_further_readings():
    """'31. 8 million' may be 31.8 million; '5-7 million' are five and seven millions; '1998-99' ends in 1999."""
    index = index_numbers("It rose to 31. 8 million, by 5-7 million, in 1998-99 and by 10 to 20 percent of it.")

    assert {31_800_000, 5_000_000, 7_000_000, 1999} <= {int(value) for value in (*index.by_value, *index.by_part)}
    assert [number.percent_too for number in index.by_value[10]] == [True]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The house of the man is on the hill.", "en"),
        ("Das Haus ist auf dem Berg und nicht im Tal.", "de"),
        ("La maison est sur la colline et dans le village.", "fr"),
        ("La casa está en el monte y no en la costa.", "es"),
        ("La casa è sul monte e non nella valle.", "it"),
        ("A casa não é do homem, mas de uma mulher.", "pt"),
        ("Het huis van de man is niet op de berg.", "nl"),
        ("退款期限为14天。", "zh"),
        ("12345", ""),
    ],
)
def test_the_language_is_told_by_common_words(text: str, language: str):
    """Enough for number words and the decimal habit; '' where nothing shows."""
    assert language_of(text) == language


def test_the_decimal_habit_follows_the_language():
    """English and Chinese write a point, the other languages a comma."""
    assert [decimal_style(language) for language in ("en", "zh", "de", "")] == ["dot", "dot", "comma", ""]


def test_a_german_day_at_the_start_of_a_line_is_no_list_marker():
    """'5. Mai' is a date in German and a list marker nowhere."""
    assert "5." in claims_only("5. Mai 2026 ist der Termin.", (), "de")
    assert "5." not in claims_only("5. March on.", (), "en")


def test_citation_marks_are_blanked_where_they_stand():
    """Offsets stay as they are."""
    assert claims_only("It is 5 [12].", ((8, 12),), "en") == "It is 5     ."


def test_the_source_cache_is_bounded_by_characters():
    """The least recently used text goes first; a text seen again is not folded again."""
    cache = SourceCache(max_characters=20)
    first = cache.get("a" * 10)

    assert cache.get("a" * 10) is first
    cache.get("b" * 10)
    cache.get("c" * 10)
    assert cache.get("a" * 10) is not first
