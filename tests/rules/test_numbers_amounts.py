"""Amounts that several words or numbers say together: hours with minutes, whole numbers with parts, dozens, years."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.rules import RulesConfig, load_rules
from goldassay.verdicts import Outcome
from tests.rules.asking import outcome_of

_FACTS = load_rules(RulesConfig(enabled=("key_fact",)))


_SAME = [
    ("It lasts 1 hour and 30 minutes.", "It lasts 90 minutes."),
    ("It lasts 90 minutes.", "It lasts 1 hour and 30 minutes."),
    ("It lasts 90 minutes.", "It lasts an hour and 30 minutes."),
    ("It lasts 1 hour 30 minutes.", "It lasts 1.5 hours."),
    ("It lasts 1 h 30 min.", "It lasts 1:30 h."),
    ("It lasts 1h45m.", "It lasts 105 minutes."),
    ("It lasts 105 minutes.", "Runtime: 1h 45m"),
    ("It lasts 1h 45m 30s.", "It lasts 1 hour 45 minutes and 30 seconds."),
    ("Es dauert 1 Std. 30 Min.", "Es dauert 90 Minuten."),
    ("It lasts 1h30.", "It lasts 90 minutes."),
    ("It took 5:30 hours.", "It took 5 hours and 30 minutes."),
    ("It took 2 years, 3 months.", "It took 27 months."),
    ("It took 2 years and 3 months.", "It took two years and three months."),
    ("Es dauert 1 Stunde und 30 Minuten für die Gäste.", "Es dauert 90 Minuten für die Gäste."),
    ("He is 6 ft 2 in tall.", "He is 188 cm tall."),
    ("It weighs 5 pounds 3 ounces.", "It weighs 83 oz."),
    ("The shift is 5 days, 8 hours a day.", "They work 8 hours a day on 5 days."),
    ("It lasts 2 hours and 15 minutes.", "It lasts two and a quarter hours."),
    ("It lasts 2.5 hours.", "It lasts 2 hours and a half."),
    ("Elle dure 2,5 heures pour les gens.", "Elle dure deux heures et demie pour les gens."),
    ("The path runs 1.5 miles.", "The path runs one and one-half miles east."),
    ("Two-and-a-half years.", "It took 2.5 years."),
    ("Take 2½ cups.", "Take two and one-half cups."),
    ("Take 2-1/2 cups.", "Take 2.5 cups."),
    ("Take 2 and a half cups.", "Take 2.5 cups."),
    ("Take 2 and 1/2 cups.", "Take 2.5 cups."),
    ("Es dauert 2,5 Stunden für die Gäste.", "Zweieinhalb Stunden dauert es für die Gäste."),
    ("Es dauert 90 Minuten für die Gäste.", "Es dauert anderthalb Stunden für die Gäste."),
    ("It was 1,000+ points.", "He scored over a thousand points."),
    ("It was 1 million.", "It was a million."),
    ("It was 1.5 million.", "It was a million and a half."),
    ("Es sind 1000 Euro für die Leute.", "Es sind tausend Euro für die Leute."),
    ("40 million came.", "40 million came."),
    ("Half a million came.", "500,000 came."),
    ("The fee is 5600 euros.", "The fee is five thousand, six hundred euros."),
    ("They sold 24 eggs.", "They sold two dozen eggs."),
    ("They sold half a dozen.", "They sold 6."),
    ("Es sind 12 für die Leute.", "Es ist ein Dutzend für die Leute."),
    ("Drei Viertel der Leute", "75 % der Leute"),
    ("75 % der Leute", "Drei Viertel der Leute"),
    ("Trois quarts des gens", "75 % des gens"),
    ("Zwei Drittel der Leute", "67 % der Leute"),
    ("33 % der Leute", "Ein Drittel der Leute"),
    ("50 % der Leute", "Die Hälfte der Leute"),
    ("Two-thirds of users agree.", "2/3 of users agree."),
    ("Two-thirds of users agree.", "66% of users agree."),
    ("It rose 2-fold.", "It doubled."),
    ("In the 1800s it grew.", "It grew in the 19th century."),
    ("In the 1800s it grew.", "A group of 19 people of the 19th century saw it grow."),
    ("Le train part à 14 h 30 pour la ville.", "Départ à 14h30"),
    ("It lasts 2 h 30 min.", "It lasts 150 minutes."),
    ("They sold five thousand, six of them blue.", "They sold 5000, six of them blue."),
    ("Alle vier Viertel sind voll und die Leute sind da.", "Alle vier Viertel sind voll."),
    ("有5分之6的人", "有5分之6的人"),
    ("At twelve thirty it opens.", "It opens at 12:30."),
    ("It fell 0.5%.", "It fell half a percent."),
    ("Two and a third party came.", "Two and a third party came in."),
    ("In twenty twenty-four it grew.", "It grew in 2024."),
    ("It was in 1984.", "It was in nineteen eighty-four."),
]


@pytest.mark.parametrize(("answer", "source"), _SAME)
def test_an_amount_in_several_words_is_one_number(answer: str, source: str):
    """What belongs together is added up, whatever way it is written."""
    assert outcome_of(answer, source) is Outcome.PASS


_OTHER = [
    ("It lasts 1 hour and 20 minutes.", "It lasts 90 minutes."),
    ("It lasts 1 hour and 57 minutes.", "It lasts 2 hours."),
    ("It lasts 1h45m.", "It lasts 100 minutes."),
    ("It lasts 1h20.", "It lasts 90 minutes."),
    ("It was 90 people.", "It lasts 1h20."),
    ("He is 6 ft 3 in tall.", "He is 6 ft 2 in tall."),
    ("It lasts 2 hours and 20 minutes.", "It lasts two and a quarter hours."),
    ("Two-and-a-half years.", "It took 3.5 years."),
    ("Es dauert anderthalb Stunden für die Gäste.", "Es dauert 2,5 Stunden für die Gäste."),
    ("It cost a million dollars.", "It cost $2 million."),
    ("It was two thousand, one hundred and fifty euros.", "It was 2,250 euros."),
    ("They sold two dozen eggs.", "They sold 12 eggs."),
    ("In nineteen eighty-four.", "It was 1985."),
    ("At twelve thirty it opens.", "It opens at 12:15."),
    ("It opens at half past nine.", "It opens at 9:15."),
    ("It fell half a percent.", "It fell 1.5%."),
    ("Zwei Drittel der Leute", "75 % der Leute"),
    ("50 % der Leute", "Ein Drittel der Leute"),
    ("In the 1700s it grew.", "It grew in the 19th century."),
]


@pytest.mark.parametrize(("answer", "source"), _OTHER)
def test_another_amount_in_several_words_is_another_number(answer: str, source: str):
    """The sum counts: a quarter of an hour more or less is an error."""
    assert outcome_of(answer, source) is Outcome.FAIL


_SPANS = [
    "{h} hours and {m} minutes", "{h} hours {m} minutes", "{h}h {m}min", "{h} h {m} min", "{h}h{m:02d}",
    "{h}:{m:02d} h", "{t} minutes", "{t} min", "{h} hours, {m} minutes",
]  # fmt: skip


@given(st.integers(2, 12), st.integers(1, 59), st.sampled_from(_SPANS), st.sampled_from(_SPANS))
def test_hours_with_minutes_are_one_amount(hours: int, minutes: int, mine: str, theirs: str):
    """Every spelling of a duration agrees with every other; a minute more is another one."""
    answer, source = (f"It lasts {f.format(h=hours, m=minutes, t=hours * 60 + minutes)}." for f in (mine, theirs))
    longer = mine.format(h=hours, m=minutes + 1, t=hours * 60 + minutes + 1)

    assert outcome_of(answer, source) is Outcome.PASS
    if minutes < 59:
        assert outcome_of(f"It lasts {longer}.", source) is Outcome.FAIL


@pytest.mark.parametrize(
    ("fact", "answer", "outcome"),
    [
        ("90 minutes", "It lasts 1 hour and 30 minutes.", Outcome.PASS),
        ("1 hour 30 minutes", "It lasts 1.5 hours.", Outcome.PASS),
        ("1 hour", "It lasts 1 hour and 30 minutes.", Outcome.FAIL),
        ("25 square metres", "It has 25 m².", Outcome.PASS),
        ("25 m²", "It has 25 m³.", Outcome.FAIL),
        ("April 7, 2016", "It was April 7 , 2016.", Outcome.PASS),
        ("two dozen eggs", "It has 24 eggs.", Outcome.PASS),
    ],
)
def test_a_fact_may_be_told_as_another_spelling_of_the_amount(fact: str, answer: str, outcome: Outcome):
    """Key facts are read by the same reader."""
    record = AnswerRecord(record_id="1", question="What is it?", answer=answer)
    golden = GoldenQuestion(question_id="1", question="What is it?", key_facts=((fact,),))

    assert _FACTS.check(record, golden)[0][1].outcome is outcome
