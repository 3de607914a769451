"""A number rendered in any style is found; inserting a digit breaks it; no rule ever raises."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from hypothesis import example, given, settings
from hypothesis import strategies as st

from goldassay.records import AnswerRecord, GoldenQuestion, Source
from goldassay.rules import RulesConfig, load_rules
from goldassay.rules._number_scan import _any, read_at
from goldassay.verdicts import Outcome

_RULES = load_rules(RulesConfig(enabled=("numbers",)))
_ALL = load_rules()

_BEFORE = "According to the report of the museum, there were "
_BEHIND = " visitors in the halls of the house."


def _outcome(answer: str, source: str) -> Outcome:
    record = AnswerRecord(record_id="1", question="How many?", answer=answer, sources=(Source(id="1", text=source),))
    return _RULES.check(record)[0][1].outcome


def _indian(value: int) -> str:
    head, tail = str(value)[:-3], str(value)[-3:]
    groups: list[str] = []
    while head:
        groups.insert(0, head[-2:])
        head = head[:-2]
    return ",".join([*groups, tail])


_STYLES: dict[str, Callable[[int], str]] = {
    "plain": str,
    "english": "{:,}".format,
    "swiss": lambda value: f"{value:,}".replace(",", "’"),
    "thin space": lambda value: f"{value:,}".replace(",", "\u202f"),
    "no-break space": lambda value: f"{value:,}".replace(",", "\u00a0"),
    "indian": _indian,
    "cents": "{:,}.00".format,
    "devanagari": lambda value: str(value).translate(str.maketrans("0123456789", "०१२३४५६७८९")),
    "arabic": lambda value: str(value).translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")),
    "fullwidth": lambda value: str(value).translate(str.maketrans("0123456789", "０１２３４５６７８９")),
    "bold": "**{}**".format,
    "tag": "<b>{:,}</b>".format,
}
_values = st.integers(min_value=1001, max_value=10**9)
_styles = st.sampled_from(sorted(_STYLES))


@given(_values, _styles, _styles)
def test_a_number_in_any_style_is_found_in_any_style(value: int, mine: str, theirs: str):
    """The answer's style and the source's style do not matter."""
    answer = f"{_BEFORE}{_STYLES[mine](value)}{_BEHIND}"
    source = f"{_BEFORE}{_STYLES[theirs](value)}{_BEHIND}"

    assert _outcome(answer, source) is Outcome.PASS


@given(_values, _styles, st.integers(min_value=0, max_value=9), st.data())
def test_inserting_a_digit_breaks_it(value: int, style: str, digit: int, data: st.DataObject):
    """One digit more at any place is another number."""
    text = str(value)
    place = data.draw(st.integers(min_value=1, max_value=len(text)))
    other = int(text[:place] + str(digit) + text[place:])

    assert _outcome(f"{_BEFORE}{other}{_BEHIND}", f"{_BEFORE}{_STYLES[style](value)}{_BEHIND}") is Outcome.FAIL


@given(
    st.integers(min_value=1, max_value=999),
    st.sampled_from([("million", 10**6), ("billion", 10**9), ("thousand", 1000)]),
)
def test_scale_words_are_applied(value: int, scale: tuple[str, int]):
    """'28 million' is 28,000,000, in both directions."""
    word, factor = scale
    written, full = f"{_BEFORE}{value} {word}{_BEHIND}", f"{_BEFORE}{value * factor:,}{_BEHIND}"

    assert _outcome(written, full) is Outcome.PASS
    assert _outcome(full, written) is Outcome.PASS


@given(st.integers(min_value=101, max_value=99999), st.integers(min_value=1, max_value=99))
def test_percents_and_currencies_are_found_in_every_form(whole: int, cents: int):
    """Signs before and behind, words and signs, are one number."""
    value = f"{whole}.{cents:02d}"
    continental = f"{whole},{cents:02d}"

    assert _outcome(f"The sum of the fees was ${value}.", f"They paid {value} dollars in the end.") is Outcome.PASS
    assert _outcome(f"The sum of the fees was {value} %.", f"That is {value} percent of the sum.") is Outcome.PASS
    assert _outcome(f"The sum of the fees was €{value}.", f"Das sind {continental} Euro für die Firma.") is Outcome.PASS


@given(st.dates(), st.sampled_from(["%d %B %Y", "%B %d, %Y", "%b %d, %Y", "%Y-%m-%d", "%d.%m.%Y", "%d. %B %Y"]))
def test_dates_are_one_calendar_value(day, form: str):
    """Common forms of one date agree; the next day does not."""
    if day.year < 1000:
        return
    answer = f"The hall was opened on {day.strftime(form)}."

    assert _outcome(answer, f"The date of the opening is {day.isoformat()}.") is Outcome.PASS
    other = day.replace(day=day.day - 1) if day.day > 1 else day.replace(day=2)
    assert _outcome(answer, f"The date of the opening is {other.isoformat()}.") is Outcome.FAIL


@given(
    st.text(alphabet=st.sampled_from("0123456789,. abcdepr%$-\n"), max_size=30), st.sampled_from(["dot", "comma", ""])
)
@example("5 percent-points", "dot")
@example("1,234.567 points", "dot")
@example("14. September 2026", "comma")
def test_the_quick_reading_of_plain_figures_is_the_careful_one(text: str, style):
    """The short cut for plain figures gives exactly what the full reader gives."""
    for start, character in enumerate(text):
        if character.isdigit() and not text[start - 1 : start].isdigit():
            assert read_at(text, start, style) == _any(text, start, style)


_noise = st.text(
    alphabet=st.one_of(st.characters(), st.sampled_from("0123456789.,-/%$€[](){}【】†^#*`'\"½²\n ")), max_size=120
)


@settings(max_examples=150, deadline=None)
@given(_noise, _noise, _noise, st.booleans())
def test_no_rule_ever_raises(answer: str, source: str, fact: str, answerable: bool):  # noqa: FBT001 - a drawn value
    """Whatever the texts, every rule gives an outcome that is no error, and evidence inside the answer."""
    record = AnswerRecord(record_id="1", question=source[:40], answer=answer, sources=(Source(id="1", text=source),))
    golden = GoldenQuestion(question_id="1", question="?", answerable=answerable, key_facts=((fact,),))

    for name, finding in _ALL.check(record, golden):
        assert finding.outcome is not Outcome.ERROR, (name, finding)
        for evidence in finding.evidence:
            if evidence.source_id is None and evidence.start is not None and evidence.end is not None:
                assert 0 <= evidence.start <= evidence.end <= len(answer), (name, evidence)


@given(st.decimals(min_value=Decimal("0.01"), max_value=Decimal(99999), places=2))
def test_decimals_in_continental_and_english_form_agree(value: Decimal):
    """'1.234,50' in a German text is '1,234.50' in an English one."""
    german = f"{value:,.2f}".replace(",", "x").replace(".", ",").replace("x", ".")

    answer = f"Das Konto zeigt für die Firma einen Betrag von {german} Euro und nicht mehr."
    assert _outcome(answer, f"The account of the firm shows the sum of {value:,.2f} euros.") is Outcome.PASS
