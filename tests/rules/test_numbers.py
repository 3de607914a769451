"""`numbers`: compared by value, scale and kind, looked for where the answer says it found them."""

from __future__ import annotations

import pytest

from goldassay.records import AnswerRecord, Source, Turn
from goldassay.rules import RulesConfig, load_rules
from goldassay.verdicts import Category, Finding, Outcome


def _check(answer: str, *sources: str, question: str = "What is it?", turns=(), **settings) -> Finding:
    record = AnswerRecord(
        record_id="1",
        question=question,
        answer=answer,
        sources=tuple(Source(id=str(i), text=text) for i, text in enumerate(sources, start=1)),
        turns=turns,
    )
    rules = load_rules(RulesConfig(enabled=("numbers",), numbers=settings))
    return rules.check(record)[0][1]


_SAME = [
    ("It costs 3450 dollars.", "The fee is $3,450.00 a year."),
    ("Es kostet 1250,50 Franken.", "Die Kaution beträgt CHF 1’250.50."),
    ("It has 12,34,567 users.", "The app has 1,234,567 users."),
    ("It has 40,000 seats.", "The hall has 40, 000 seats."),
    ("Il y a 1 000 places.", "La salle compte 1000 places pour le public."),
    ("The price is 25 euros.", "The price is twenty-five euros."),
    ("The price is twenty-five euros.", "The price is 25 euros."),
    ("Der Preis ist 25 Euro.", "Der Preis ist fünfundzwanzig Euro."),
    ("Le prix est de 97 euros.", "Le prix est de quatre-vingt-dix-sept euros."),
    ("El precio es de 31 euros.", "El precio es de treinta y un euros para los dos."),
    ("Il prezzo è di 23 euro.", "Il prezzo è di ventitré euro."),
    ("O preço é de 42 euros.", "O preço é de quarenta e dois euros."),
    ("De prijs is 25 euro.", "De prijs is vijfentwintig euro en niet meer."),
    ("期限为14天。", "期限为十四天。"),
    ("It raised $28M.", "It raised 28 million dollars."),
    ("Es waren 3 Mio. Euro.", "Es waren 3.000.000 Euro."),
    ("Der Umsatz war 1,5 Milliarden.", "Der Umsatz war 1.500.000.000."),
    ("It fell to -5.5 °C.", "It was −5.5 °C at dawn."),
    ("The archive is on the 7th floor.", "The archive is on the seventh floor."),
    ("It opened on 14 September 2026.", "Opening: 2026-09-14."),
    ("It opened on Sept 14, 2026.", "It opens on the 14th of September 2026."),
    ("It opened in September 2026.", "It opens on 14 September 2026."),
    ("Es öffnet am 14.09.2026.", "Es öffnet am 14. September 2026."),
    ("It closes at 3 p.m.", "It closes at 15:00."),
    ("Mass is 6.02e23.", "The number is 6.02 × 10²³."),
    ("It takes 3.5 days.", "It takes 3½ days."),
    ("It was 5-7 %.", "Between 5 and 7 percent."),
    ("It ran 1998-1999.", "It ran 1998-99."),
    ("In Q3 it grew.", "It grew in the third quarter."),
    ("In the 1990s it grew.", "It grew in 1994."),
    ("It fixes COVID-19.", "About Covid 19."),
    ("Call 800-555-1234.", "Telephone: (800) 555-1234."),
    ("A 401(k) is fine.", "A 401K is fine."),
    ("It left at 6.15 pm.", "It left at 6.15pm."),
    ("There are a dozen, that is 12.", "There are a dozen eggs."),
    ("It was 12.50 euros.", "It was twelve euros and fifty cents."),
    ("It is 1.2.3.", "It is version 1.2.3."),
    ("It is 0.5 of the whole.", "It is ½ of the whole."),
    ("It is 75% of the total.", "It is three quarters of the total."),
    ("It is 2/3 of it.", "It is two-thirds of the total."),
    ("It has 5k users.", "It has 5,000 users."),
    ("It cost $1.5B.", "It cost 1.5 billion dollars."),
    ("It cost €2bn.", "It cost 2,000 million euros."),
    ("A loss of (1,234).", "A loss of -1,234."),
    ("In 2020/21 it grew.", "In the season 2020-2021 it grew."),
    ("It was -5 degrees.", "It was minus five degrees."),
    ("It was 30 °C.", "It was 30 degrees Celsius."),
    ("It has 5 km².", "It has 5 square kilometres."),
    ("It grew 3x.", "It tripled."),
    ("It opens at 7:30 pm.", "It opens at 19:30."),
    ("It opens at 12:00.", "It opens at noon."),
    ("Call +49 30 1234567.", "Phone: +49 (30) 123 4567"),
    ("Use v2.1 now.", "Use version 2.1 now."),
    ("It has 10^6 cells.", "It has 1,000,000 cells."),
    ("It takes 5–7 days.", "It takes five to seven days."),
    ("It takes 5 to 7 days.", "It takes between 5 and 7 days."),
    ("It is 3.0.", "It is 3."),
    ("It is No. 5.", "It is number five."),
    ("It is 10-15%.", "It is 10% to 15%."),
    ("In the 80s it grew.", "In the 1980s it grew."),
    ("In the '80s it grew.", "In the 1980s it grew."),
    ("It cost USD 5 million.", "It cost 5 million US dollars."),
    ("It takes 12 months.", "It takes a year."),
    ("It takes 12 months.", "It takes one year."),
    ("In World War 2 it burned.", "In World War II it burned."),
    ("It takes 24 hours.", "It takes one day."),
    ("It is 1 in 4.", "It is 25% of people; 1 of 4."),
    ("The price is 1,299.", "The price is 1.299,00 €."),
    ("Der Preis ist 1.299 €.", "Der Preis beträgt 1299 Euro."),
    ("It rose 2 percentage points.", "It rose by 2 pp."),
    ("It is 5'000 francs.", "It is 5000 francs."),
    ("It weighs 2.5 kg.", "It weighs 2500 g."),
    ("It takes 1.5 hours.", "It takes 90 minutes."),
    ("It is 16:9.", "The format is 16:9."),
    ("Born 14.9.1980.", "Born on 14 September 1980."),
    ("It is on 3/9/2025.", "It is on 9 March 2025."),
    ("Chapter 3 says 12.", "Chapter three says twelve."),
    ("It takes 2 weeks.", "It takes 14 days."),
    ("It is a 20-minute ride.", "The ride takes 20 minutes."),
    ("It has 1 million users.", "It has 1,000,000 users."),
    ("It has 1.2 million users.", "It has 1,234,567 users."),
    ("It has about 1.3 million users.", "It has 1,234,567 users."),
    ("It has over 1,200 users.", "It has 1,234 users."),
    ("It has nearly 1,300 users.", "It has 1,234 users."),
    ("It is the 21st century.", "It began in 2008."),
    ("It has 15 rooms.", "It has fifteen rooms."),
    ("It was 1999.", "It was nineteen ninety-nine."),
    ("Es sind 1,5 Prozent der Kunden.", "The share is 1.5 percent of the customers."),
    ("It costs 20 cents.", "It costs $0.20."),
    ("It costs 0.20 dollars.", "It costs 20 cents."),
    ("It is 3 p.m. to 5 p.m.", "It is open 15:00-17:00."),
    ("It's 1:30.", "It is 13:30."),
    ("It lasts 100 days.", "It lasts a hundred days."),
    ("Il coûte 1 234,56 euros.", "It costs 1,234.56 euros."),
    ("價格是3萬元。", "价格是30000元。"),
    ("价格是3万元。", "价格是30,000元。"),
    ("约有三成。", "It is 30%."),
    ("It has 12 eggs.", "It has 1 dozen eggs."),
    ("IPv4 and 5G are used.", "They use IPv4 and 5G."),
    ("In FY2020 it grew.", "In fiscal year 2020 it grew."),
    ("In H1 2020 it grew.", "In the first half of 2020 it grew."),
    ("The speed is 5 m/s².", "The speed is 5 m/s²."),
    ("Use Python 3.11.", "Use Python 3.11 or later."),
    ("It costs €1.000.", "Es kostet 1000 Euro und nicht mehr."),
    ("Der Preis ist 1.000 €.", "The price is 1,000 euros."),
    ("The price is 3.5%", "The price is 3,5 Prozent und nicht mehr als das."),
    ("It is $25/month.", "It is 25 dollars per month."),
    ("It is 25$ a month.", "It is $25 a month."),
    ("It costs 1 500 €.", "Il coûte 1500 euros pour la famille."),
    ("It was founded in 1999 and has 20 staff.", "Founded 1999. It has 20 staff."),
    ("About a third, 33%, agree.", "One third agree."),
    ("The meeting is on Monday, 14 September.", "The meeting is on 14 September 2026."),
    ("The deadline is 14/09/2026.", "Deadline: 14 September 2026."),
    ("The deadline is 09/14/2026.", "Deadline: 14 September 2026."),
    ("It has a 4.5-star rating.", "It is rated 4.5 of 5."),
    ("Between 1990 and 1995.", "From 1990-95."),
    ("It has 1000 rooms.", "It has 1,000 rooms."),
    ("The chance is 50/50.", "The chance is fifty-fifty."),
    ("It is 1:1000.", "The scale is 1:1000."),
    ("It is 2^10.", "It is 2^10."),
    ("The ID is 4711-AB.", "The ID is 4711-AB."),
    ("Call 0800 123456.", "Call 0800-123456."),
    ("It is 12 °C.", "It is 12°C."),
    ("It is 3.14159.", "It is 3.14159265."),
    ("It's a 2-for-1 offer.", "Two for one."),
    ("It weighs 10 lbs.", "It weighs 10 pounds."),
    ("It is 6 feet tall.", "It is 72 inches tall."),
    ("Es kostet 2,50 Euro.", "Der Preis ist 2 Euro 50."),
    ("It is 100 million.", "It is one hundred million."),
    ("It is 110.", "It is a hundred and ten."),
    ("In 2010-2011 it was.", "From 2010 to 2011."),
]


@pytest.mark.parametrize(("answer", "source"), _SAME)
def test_the_same_number_in_another_form_is_found(answer: str, source: str):
    """Separators, scripts, words, scales, dates and units are forms; the value counts."""
    finding = _check(answer, source)

    assert finding.outcome is Outcome.PASS, finding


_OTHER = [
    ("It has 20 rooms.", "It opened in 2020."),
    ("It takes 3 days.", "It takes 13 days."),
    ("It raised $40 million.", "The fund has 1400 members and 240 sponsors."),
    ("It raised $40 million.", "It raised $40."),
    ("It has 40 members.", "It has 40 million members."),
    ("The share is 13%.", "13 teams took part."),
    ("The share is 0.13%.", "The rate was 0.13."),
    ("It is fixed in version 7.10.", "Fixed in release 7.1."),
    ("It takes 4 hours.", "It takes 4 days."),
    ("It costs 25 euros.", "It costs 25 dollars."),
    ("It opened on 15 September 2026.", "It opened on 14 September 2026."),
    ("It opened in October 2026.", "It opened on 14 September 2026."),
    ("It closes at 4 p.m.", "It closes at 15:00."),
    ("It has 1,234 seats.", "It has 12,345 seats."),
    ("Room 12b is open.", "Room 12c is open."),
    ("In Q3 it grew.", "It grew in the second quarter."),
    ("Use v2.1 now.", "Use version 2.2 now."),
    ("It takes 48 hours.", "It takes one day."),
    ("It rose 2 percentage points.", "It rose by 3 pp."),
    ("It weighs 2.5 kg.", "It weighs 2.5 g."),
    ("It has 1.3 million users.", "It has 1,234,567 users."),
    ("It has over 1,300 users.", "It has 1,234 users."),
    ("Use Python 3.11.", "Use Python 3.9."),
    ("Version 2 is out.", "Version 3 is out."),
    ("It has 1000 rooms.", "It has 1.000 rooms in the house."),
    ("The ID is 4711-AC.", "The ID is 4711-AB."),
    ("Call 555-1234.", "Call 555-1235."),
]


@pytest.mark.parametrize(("answer", "source"), _OTHER)
def test_another_number_is_not_taken_for_it(answer: str, source: str):
    """Whole tokens only: other values, scales, kinds, units, currencies and days are other numbers."""
    finding = _check(answer, source)

    assert finding.outcome is Outcome.FAIL, finding
    assert finding.category is Category.WRONG_NUMBER


@pytest.mark.parametrize(
    "answer",
    [
        "1. Open the door.\n2. Go in.\n3. Close it.",
        "# 10 things to know\nOpen the door.",
        "Step 1: open. Step 2: close.",
        "First: 1) open 2) go in 3) close.",
        "Do this: 1. Open the door. 2. Go in. 3. Close it.",
        "Open it [1].",
        "As passage 1 says, open it.",
        "Use `x[7]` or https://example.org/12.",
        "There are two ways to open it.",
    ],
)
def test_what_claims_nothing_is_left_alone(answer: str):
    """List markers, step numbers, headings, citations, code and addresses never fail."""
    finding = _check(answer, "The door can be opened.")

    assert finding.outcome is not Outcome.FAIL, finding


def test_the_reason_names_the_number_and_the_evidence_points_into_the_original():
    """The span is that of the original answer, invisible characters and all."""
    answer = "Pay\u200b the **sum** of $4\u00a0million today."
    finding = _check(answer, "Pay the sum of $5 million today.")

    (evidence,) = finding.evidence
    assert "$4 million" in finding.reason
    assert answer[evidence.start : evidence.end] == "$4\u00a0million" == evidence.text


def test_a_number_of_an_uncited_source_is_misattributed():
    """Only what the cited source says counts; the reason names the source that has it."""
    finding = _check("It has 12 staff [1].", "Founded in 1901.", "It has 12 staff.")

    assert (finding.outcome, finding.category) == (Outcome.FAIL, Category.MISATTRIBUTED)
    assert "'2'" in finding.reason


def test_all_sources_count_where_none_is_cited_or_the_setting_says_so():
    """`look_in = "all"` looks in every sent source."""
    sources = ("Founded in 1901.", "It has 12 staff.")

    assert _check("It has 12 staff.", *sources).outcome is Outcome.PASS
    assert _check("It has 12 staff [1].", *sources, look_in="all").outcome is Outcome.PASS


def test_a_number_of_the_question_is_unsure():
    """The model may repeat the user's own number; a rule cannot know whether it claims it."""
    finding = _check("Yes, a 12-year-old may ride.", "Children may ride.", question="May a 12-year-old ride?")

    assert (finding.outcome, finding.category) == (Outcome.UNSURE, Category.ADDED_CLAIM)


def test_a_number_of_an_earlier_turn_is_unsure():
    """Earlier turns count like the question."""
    turns = (Turn(role="user", text="I have 37 bikes."),)

    assert _check("Your 37 bikes are fine.", "Bikes are fine.", turns=turns).outcome is Outcome.UNSURE


@pytest.mark.parametrize(
    ("answer", "source", "setting"),
    [
        ("About 25 % agreed.", "25.3 % agreed.", "rounded"),
        ("It takes 90 minutes.", "It takes 1.5 hours.", "converted"),
        ("There are 30 staff: 12 and 18.", "North has 12 staff. South has 18 staff.", "derived"),
        ("It has 12 staff [1].", "Founded in 1901.", "uncited_source"),
    ],
)
@pytest.mark.parametrize("decision", ["pass", "fail", "unsure"])
def test_what_nearly_stands_there_is_decided_by_setting(answer: str, source: str, setting: str, decision: str):
    """Rounding, conversion, sums and uncited sources each have their own setting and reason."""
    others = ("It has 12 staff.",) if setting == "uncited_source" else ()

    finding = _check(answer, source, *others, **{setting: decision})

    assert finding.outcome == decision
    assert finding.reason or decision == "pass"


def test_an_undecided_separator_is_unsure():
    """'2.875' may be 2875 where nothing shows how the text writes decimals."""
    assert _check("2875 mg", "Konzentration 2.875 mg").outcome is Outcome.UNSURE


def test_no_sources_and_empty_answers_are_skipped():
    """Nothing to look in, or nothing said: the rule does not apply."""
    assert _check("It is 5.").outcome is Outcome.SKIP
    assert _check("", "It is 5.").outcome is Outcome.SKIP


def test_a_refusal_claims_nothing():
    """By law a refusal is supported, whatever it names."""
    finding = _check("I could not find the results of 2031 in the provided documents.", "The cup began in 1998.")

    assert finding.outcome is Outcome.PASS


def test_a_year_that_was_added_is_told_from_a_wrong_one():
    """Day and month stand there; whether the year is wrong shows only where the source names years."""
    added = _check("It runs until 5 September 2022.", "It runs until September 5.")
    wrong = _check("It runs until 5 September 2022.", "In 2019 it was said: it runs until September 5.")

    assert (added.outcome, wrong.outcome) == (Outcome.UNSURE, Outcome.FAIL)
