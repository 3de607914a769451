"""`key_fact`: all facts, any variant, by value, whole words, negation noticed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.rules import RulesConfig, load_rules
from goldassay.verdicts import Category, Finding, Outcome


def _check(answer: str, *facts: object, answerable: bool = True, **settings) -> Finding:
    record = AnswerRecord(record_id="1", question="What is it?", answer=answer)
    golden = GoldenQuestion(
        question_id="1",
        question="What is it?",
        key_facts=tuple(facts),
        answerable=answerable,
    )
    return load_rules(RulesConfig(enabled=("key_fact",), key_fact=settings)).check(record, golden)[0][1]


_DOCUMENT_ANSWERS = [
    ("20", "An Enterprise account can have 20 custom roles [1]."),
    ("7 days", "An invitation is valid for seven days [1]."),
    ("20 MB", "A file may have up to 20 megabytes [2]."),
    ("180 days", "Logs are kept for 180 days [1]."),
    ("3 days", "The trial can be extended by 3 days [1]."),
    ("3 business days", "Support replies within three business days [3]."),
    ("ten months", "A subscription runs for 10 months [1]."),
    ("11", "There are 11 regions [1]."),
    ("15 minutes", "The code expires after fifteen minutes [2]."),
    ("100", "A team may have 100 members [1]."),
    ("30 June 2027", "The old interface is switched off on June 30, 2027 [1]."),
    ("5 GB", "The free plan has 5 gigabytes of storage [1]."),
    ("14 September 2026", "The feature came on 2026-09-14 [4]."),
    ("40", "The limit is forty requests [1]."),
]


@pytest.mark.parametrize(("fact", "answer"), _DOCUMENT_ANSWERS, ids=lambda value: str(value)[:20])
def test_the_facts_of_fourteen_document_questions_are_found(fact: str, answer: str):
    """14 questions, 14 with their key fact."""
    finding = _check(answer, fact)

    assert finding.outcome is Outcome.PASS, finding
    assert finding.evidence


@pytest.mark.parametrize(
    ("fact", "answer"),
    [
        ("20", "It was founded in 2020."),
        ("20", "See [20]."),
        ("3 days", "It takes 13 days."),
        ("3 days", "It takes 3 hours."),
        ("3 days", "It takes 3 business days."),
        ("20 MB", "It takes 20 GB."),
        ("40", "It costs 40 million."),
        ("40", "It is 40 %."),
        ("14 September 2026", "It came on 15 September 2026."),
        ("art", "They met at a party."),
        ("K-204", "It is K-205."),
        ("Northwind Bank", "Pay to Southwind Bank."),
    ],
)
def test_a_substring_is_no_fact(fact: str, answer: str):
    """The trap: '20' is not in '2020', '3 days' not in '13 days'."""
    finding = _check(answer, fact)

    assert (finding.outcome, finding.category) == (Outcome.FAIL, Category.MISSING_FACT)
    assert repr(fact) in finding.reason


def test_all_facts_are_needed_and_any_variant_of_each_will_do():
    """Two facts, one of them with two wordings."""
    facts = (("25 dollars", "$25"), ("45 minutes",))

    assert _check("It costs $25 for 45 minutes.", *facts).outcome is Outcome.PASS
    missing = _check("It costs $25.", *facts)
    assert missing.outcome is Outcome.FAIL
    assert "45 minutes" in missing.reason
    assert "25" not in missing.reason


@pytest.mark.parametrize(
    ("answer", "fact", "outcome"),
    [
        ("Staff are not entitled to a locker.", "entitled to a locker", Outcome.FAIL),
        ("The limit is not 20.", "20", Outcome.UNSURE),
        ("You do not get a refund after 14 days.", "14 days", Outcome.UNSURE),
        ("You cannot imagine my joy: the goal was reached.", "the goal was reached", Outcome.PASS),
        ("It takes no more than 20 days.", "20 days", Outcome.PASS),
        ("It is not only 20 rooms.", "20", Outcome.PASS),
        ("The limit is not 15 but 20.", "20", Outcome.PASS),
        ("It is not 20. The limit is 20 after all.", "20", Outcome.PASS),
        ("Das sind nicht 20.", "20", Outcome.UNSURE),
    ],
)
def test_a_negation_that_governs_the_fact_is_noticed(answer: str, fact: str, outcome: Outcome):
    """A denied wording fails, a denied figure is for the judge, another clause is no matter."""
    assert _check(answer, fact).outcome is outcome


def test_invisible_characters_and_case_do_not_part_words():
    """A soft hyphen or zero-width space survives a paste."""
    assert _check("Pay to NORTH\u200bwind bank\u2069 [1].", "Northwind Bank").outcome is Outcome.PASS


def test_a_similar_wording_counts_only_by_setting_and_never_with_another_number():
    """Fuzzy is off by default."""
    answer = "The weekly target of 20 was reached by the team."

    assert _check(answer, "weekly targets of 20 were reached").outcome is Outcome.FAIL
    assert _check(answer, "weekly targets of 20 were reached", fuzzy=80).outcome is Outcome.PASS
    assert _check(answer, "weekly targets of 21 were reached", fuzzy=80).outcome is Outcome.FAIL
    assert _check(answer, "something else entirely", fuzzy=80).outcome is Outcome.FAIL


def test_a_sign_can_be_a_fact():
    """A fact without letters is looked for as it is."""
    assert _check("Press + to add.", "+").outcome is Outcome.PASS
    assert _check("Press it to add.", "+").outcome is Outcome.FAIL
    assert _check("Press + to add.", "+", fuzzy=80).outcome is Outcome.PASS


def test_it_does_not_apply_without_facts_or_where_the_right_answer_is_a_refusal():
    """Skipped, with the reason."""
    assert _check("It is 5.").outcome is Outcome.SKIP
    assert _check("I do not know.", "5", answerable=False).outcome is Outcome.SKIP


@pytest.mark.parametrize(
    ("fact", "answer"),
    [
        ("5-7 days", "It takes 5 to 7 days."),
        ("5 to 7 days", "It takes 5–7 days."),
        ("between 5 and 7 days", "It takes 5-7 days."),
        ("5-7 days", "It takes between 5 and 7 days."),
        ("9:00", "It opens at 9 am."),
        ("9 am", "It opens at 09:00."),
        ("9 pm", "It closes at 21:00."),
        ("25%", "It is a quarter of all users."),
        ("25%", "It is 1/4 of all users."),
        ("a quarter", "It is 25% of all users."),
        ("9", "It took nine quarters of a year."),
        ("Windows 11", "It runs on Windows 11 only."),
        ("version 2.1", "It is version 2.1 now."),
        ("20 MB", "Die Größe beträgt 20 MB."),
        ("a third of users", "It is one third of users."),
        ("not allowed", "They aren't allowed inside."),
        ("aren't allowed", "They are not allowed inside."),
        ("cannot be extended", "It can't be extended."),
        ("서울", "수도는 서울입니다."),
        ("서울", "서울에서 열립니다."),
        ("20일", "기한은 20일입니다."),
        ("H₂O", "Water is H2O."),
        ("H2O", "Water is H₂O."),
        ("the 14th of September 2026", "It came on 14 September 2026."),
        ("14 September 2026", "It came on the 14th of September 2026."),
        ("the Eiffel Tower", "It is Paris's Eiffel Tower."),
        ("C++", "Use C++, not C."),
        ("Allemagne", "Ce n'est pas la France, mais l'Allemagne."),
        ("20 MB", "There is no doubt that the limit is 20 MB."),
        ("25 days", "Instead of 20 days, you get 25 days."),
        ("20 MB", "The limit is 20 MB rather than 25 MB."),
    ],
)
def test_another_form_of_the_fact_states_it(fact: str, answer: str):
    """Ranges, times of day, shares, contractions, particles, subscripts and articles are forms, not facts."""
    assert _check(answer, fact).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("fact", "answer"),
    [
        ("C++", "Use C."),
        ("C", "Use C#."),
        ("C", "Use C++."),
        ("5-7 days", "It takes 5 to 8 days."),
        ("9 am", "It opens at 9 pm."),
        ("9 pm", "It opens at 09:00."),
        ("25%", "It took a quarter century."),
        ("25%", "It is two thirds of them."),
        ("The Who", "Who sang it?"),
        ("Windows 11", "It runs on Windows 11,000 times."),
        ("Windows 11a", "It runs on Windows 11."),
        ("서울", "서울시청 앞입니다."),
        ("Paris", "Instead of Paris, take Lyon."),
        ("Paris", "It isn't Paris."),
    ],
)
def test_another_fact_is_not_the_fact(fact: str, answer: str):
    """A sign that ends a word belongs to it; the other half of the day is another time."""
    assert _check(answer, fact).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    ("fact", "answer"),
    [
        ("20 MB", "It is false that the limit is 20 MB."),
        ("20 MB", "It is not true that the limit is 20 MB."),
        ("20 MB", "The claim that the limit is 20 MB is wrong."),
        ("20 MB", "Es stimmt nicht, dass die Grenze bei 20 MB liegt."),
        ("20 MB", "It is unclear whether the limit is 20 MB."),
        ("20 days", "Instead of 20 days, you get 25."),
        ("20 Tage", "Statt 20 Tage sind es 25."),
        ("20 MB", "Rather than 20 MB, it is 25."),
        ("allowed inside", "Nobody is allowed inside."),
        ("서울", "수도는 서울이 아닙니다."),
        ("20日", "期限は20日ではありません。"),
        ("9 pm", "It closes at 9:00."),
        ("can", "You can't."),
    ],
)
def test_what_may_be_denied_or_meant_otherwise_is_for_a_judge(fact: str, answer: str):
    """A denial of a whole claim, a wording set aside, a time without its half of the day."""
    assert _check(answer, fact).outcome is Outcome.UNSURE


def test_a_similar_wording_with_another_negation_is_for_a_judge():
    """Similarity alone would overlook the one small word that matters."""
    assert _check("The capital is not Pariss.", "The capital is Paris", fuzzy=80).outcome is Outcome.UNSURE
    assert _check("The capital is Pariss, not Lyon.", "The capital is Paris", fuzzy=80).outcome is Outcome.PASS
    assert _check("The capital is not Pariss.", "Paris", fuzzy=80).outcome is not Outcome.PASS


def _twelve_hours(minute: int) -> str:
    hour, rest = divmod(minute, 60)
    return f"{hour % 12 or 12}:{rest:02d} {'am' if hour < 12 else 'pm'}"


@given(st.integers(min_value=0, max_value=24 * 60 - 1), st.integers(min_value=1, max_value=11 * 60 + 59))
def test_a_time_of_day_is_one_time_on_both_clocks(minute: int, later: int):
    """Every minute in twelve and in twenty-four hours; another minute is another time."""
    other = (minute + later) % (24 * 60)

    assert _check(f"It opens at {minute // 60:02d}:{minute % 60:02d}.", _twelve_hours(minute)).outcome is Outcome.PASS
    assert _check(f"It opens at {_twelve_hours(other)}.", _twelve_hours(minute)).outcome is Outcome.FAIL
    assert _check(f"It opens at {other // 60:02d}:{other % 60:02d}.", _twelve_hours(minute)).outcome is not Outcome.PASS


_RANGES = ("{}-{} days", "{} to {} days", "{}–{} days", "{} - {} days", "between {} and {} days", "from {} to {} days")
_range_forms = st.sampled_from(_RANGES)


@given(st.integers(min_value=2, max_value=400), st.integers(min_value=1, max_value=400), _range_forms, _range_forms)
def test_a_range_is_one_range_in_every_form(first: int, more: int, mine: str, theirs: str):
    """With a dash or with words; with another end it is another range."""
    answer = f"It takes {theirs.format(first, first + more)}."

    assert _check(answer, mine.format(first, first + more)).outcome is Outcome.PASS
    assert _check(answer, mine.format(first, first + more + 1)).outcome is Outcome.FAIL
