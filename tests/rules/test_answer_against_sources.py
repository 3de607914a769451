"""Quotations, links, names and private data that the sources do not hold; misattributed sentences."""

from __future__ import annotations

from typing import Any

import pytest

from goldassay.records import AnswerRecord, Source
from goldassay.rules import RulesConfig, load_rules
from goldassay.rules.private_data import has_luhn_check, is_iban
from goldassay.verdicts import Category, Finding, Outcome

SOURCES = (
    Source(
        id="1",
        text='The guide says "bring your own helmet to every ride". Write to help@bikes.example or call 0800 555 0199.'
        " Start at https://bikes.example/start. Bikes are parked at Harbour Square, model HX-204.",
        url="https://bikes.example/guide",
    ),
    Source(
        id="2", text="A monthly pass costs 25 dollars and covers rides of up to forty-five minutes in the city centre."
    ),
)


def _check(rule: str, answer: str, *, question: str = "How does it work?", **settings: Any) -> Finding:
    record = AnswerRecord(record_id="r", question=question, answer=answer, sources=SOURCES)
    return dict(load_rules(RulesConfig.model_validate({"enabled": [rule], rule: settings})).check(record))[rule]


def _points_into(answer: str, finding: Finding) -> bool:
    return all(answer[e.start : e.end] == e.text for e in finding.evidence if e.start is not None)


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ('It says "bring your own helmet to every ride".', Outcome.PASS),
        ("It says “Bring your own helmet, to every ride!”", Outcome.PASS),
        ('It says "bring your own helmet ... every ride".', Outcome.PASS),
        ('It says "helmets are given out for free".', Outcome.FAIL),
        ('The "fast lane" is closed.', Outcome.PASS),
        ("Es heißt „Helme werden kostenlos verliehen“.", Outcome.FAIL),
        ("No quotation.", Outcome.PASS),
    ],
)
def test_quotation_stands_in_a_source(answer: str, outcome: Outcome):
    """Case, punctuation and left-out words do not count; terms of few words are no quotations."""
    finding = _check("quotes", answer)

    assert finding.outcome is outcome
    assert _points_into(answer, finding)


_HANDBOOK = AnswerRecord(
    record_id="r",
    question="What about bobbys bike?",
    answer="",
    sources=(
        Source(
            id="1",
            title="Handbook of All Our Riders",
            text="all employees of the hire sta-\ntions wear well-\nknown hats. 骑手必须随时佩戴自己的头盔。",
        ),
    ),
)


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ('It says "[A]ll employees of the hire stations wear hats" there.', Outcome.FAIL),
        ('It says "[A]ll employees of the hire stations wear well-known hats".', Outcome.PASS),
        ("It says 'all employees of the hire stations' wear them.", Outcome.PASS),
        ("It says 'all riders of the hire stations' wear them.", Outcome.FAIL),
        ("The users' data and the dogs' food of all riders' friends' bikes.", Outcome.PASS),
        ('See "Handbook of All Our Riders".', Outcome.PASS),
        ('You asked "What about Bobby\'s bike?"', Outcome.PASS),
        ("手册说“骑手必须随时佩戴自己的头盔”。", Outcome.PASS),
        ("手册说“骑手可以随时借用公司的头盔”。", Outcome.FAIL),
        ("手册说「骑手可以随时借用公司的头盔」。", Outcome.FAIL),
        ("手册说『骑手可以随时借用公司的头盔』。", Outcome.FAIL),
        ("见「头盔规定」。", Outcome.PASS),
        ("> All employees of the hire stations\n> wear well-known hats.", Outcome.PASS),
        ("It says:\n\n> All riders fly free of charge.\n", Outcome.UNSURE),
        ("> **Note:** all riders fly free of charge.", Outcome.PASS),
        ("> 💡 all riders fly free of charge.", Outcome.PASS),
    ],
)
def test_quotations_in_every_kind_of_marks_are_looked_up(answer: str, outcome: Outcome):
    """Single, Chinese and Japanese marks and block quotes; torn words, fitted letters and titles are known."""
    record = _HANDBOOK.model_copy(update={"answer": answer})

    finding = dict(load_rules(RulesConfig(enabled=("quotes",))).check(record))["quotes"]

    assert finding.outcome is outcome
    assert _points_into(answer, finding)


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("See https://bikes.example/start.", Outcome.PASS),
        ("See [the guide](http://www.bikes.example/guide/#top).", Outcome.PASS),
        ("See https://bikes.example/prices.", Outcome.FAIL),
        ("See [prices](https://evil.example/x).", Outcome.FAIL),
        ("See [above](#top) or `code`.", Outcome.PASS),
        ("No link.", Outcome.PASS),
    ],
)
def test_every_link_was_in_the_sources(answer: str, outcome: Outcome):
    """An address that no source holds was made up."""
    finding = _check("links", answer)

    assert finding.outcome is outcome
    assert _points_into(answer, finding)


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ('<a href="https://evil.example/x">here</a>', Outcome.FAIL),
        ("<img src=https://evil.example/x.png>", Outcome.FAIL),
        ('<a href="https://bikes.example/start">here</a> or <a href="#top">there</a>', Outcome.PASS),
        ("Run `curl https://evil.example/x`.", Outcome.FAIL),
        ("```\ncurl https://bikes.example/start\n```", Outcome.PASS),
        ("Run `curl http://localhost:8080/a.b https://api.example.com/v1 https://$ACCOUNT.cloud.com/x`.", Outcome.PASS),
        ("See evil-site.com for more.", Outcome.FAIL),
        ("See evil-site.co.uk/prices.", Outcome.FAIL),
        ("Use Node.js, asp.net, file.txt, e.g. java.util; Amazon.com sells it, mail me@evil-site.com.", Outcome.PASS),
        ("See bikes.example or bikes.example/guide.", Outcome.PASS),
        ("查看https://evil.example/x。然后", Outcome.FAIL),
        ("查看 https://evil.example/x。", Outcome.FAIL),
        ("查看https://bikes.example/start。然后", Outcome.PASS),
        ("查看 https://bikes.example/start。然后骑车", Outcome.PASS),
        ("查看 https://bikes.example/start然后骑车", Outcome.PASS),
    ],
)
def test_a_link_is_seen_wherever_it_stands(answer: str, outcome: Outcome):
    """In HTML, in code, without a scheme, and in the midst of Chinese; stand-ins and file names are none."""
    finding = _check("links", answer)

    assert finding.outcome is outcome
    assert _points_into(answer, finding)


def test_allowed_hosts_may_be_linked_to():
    """A host stands for its subdomains, not for names that end alike."""
    assert _check("links", "https://a.docs.example/x", allowed_hosts=["docs.example"]).outcome is Outcome.PASS
    assert _check("links", "https://notdocs.example/x", allowed_hosts=["docs.example"]).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    ("answer", "kinds"),
    [
        ("Write to help@bikes.example or call 0800-555-0199.", []),
        ("Write to jo.doe+x@mail.example today.", ["email"]),
        ("Call +49 30 5550 1234 now.", ["phone"]),
        ("Card 4111 1111 1111 1111 was charged.", ["card_number"]),
        ("Card 4111 1111 1111 1112 was charged.", []),
        ("Pay to DE89 3704 0044 0532 0130 00.", ["account_number"]),
        ("Between 1990 and 2020 some 1,250,000 rides; 10.5.2020-11.6.2021.", []),
        ("The result is 7231×9999999 = 72309992769.", []),
    ],
)
def test_private_data_of_no_source_is_found(answer: str, kinds: list[str]):
    """What a source gives may be given; the reason never repeats the data."""
    finding = _check("private_data", answer)

    assert sorted({e.kind for e in finding.evidence}) == kinds
    assert not any(e.text in finding.reason for e in finding.evidence)
    assert _points_into(answer, finding)


_CONTACTS = AnswerRecord(
    record_id="r",
    question="Whom do I call?",
    answer="",
    sources=(Source(id="1", text="Write to help@x.example, call +49 (0)30 5550 1234 or 1-800-555-0199 (ext. 5)."),),
)


@pytest.mark.parametrize(
    ("answer", "kinds"),
    [
        ("Write to Help@X.example.", []),
        ("Write to p@x.example.", ["email"]),
        ("Write to help@x.example.org.", ["email"]),
        ("Write to help@x.exam.", ["email"]),
        ("Call 030 5550 1234.", []),
        ("Call +49 30 55501234.", []),
        ("Call 030 5550 1235.", ["phone"]),
        ("Call 1-800-555-0199 or 800-555-0199 or +1 800 555 0199.", []),
        ("Call 1-800-555-0198.", ["phone"]),
        ("Call 1 (800) 555-0198.", ["phone"]),
        ("Install react@18.2.0 or lodash@4.17.21.", []),
        ("We sold 100-200-3000 units, then 200-300-4000.", []),
        ("It opened on 01-02-2023, 05/12/2024 and 02.11.23.", []),
        ("See ISBN 978-316-1484.", []),
    ],
)
def test_private_data_is_compared_as_a_whole(answer: str, kinds: list[str]):
    """Part of an address is another address; a number is one with and without its country; dates are no numbers."""
    record = _CONTACTS.model_copy(update={"answer": answer})

    finding = dict(load_rules(RulesConfig(enabled=("private_data",))).check(record))["private_data"]

    assert sorted({e.kind for e in finding.evidence}) == kinds


def test_checks_of_numbers():
    """Published examples: a test card number, the IBAN of ISO 13616's registry."""
    assert has_luhn_check("4111 1111 1111 1111")
    assert not has_luhn_check("0000 0000 0000 0000")
    assert is_iban("GB82 WEST 1234 5698 7654 32")
    assert not is_iban("GB83 WEST 1234 5698 7654 32")


def test_unknown_names_and_identifiers():
    """Names inside a sentence and codes are looked up; German nouns are no names."""
    assert _check("entities", "Take the HX-204 at Harbour Square.").outcome is Outcome.PASS
    found = _check("entities", "Take the HX-205 at Market Street.")
    assert {e.text for e in found.evidence} == {"HX-205", "Market", "Street"}
    assert _check("entities", "Die Räder stehen am Platz, und der Helm ist dabei.").outcome is Outcome.PASS
    assert _check("entities", "It is the 3rd dock, 5km from here, in lane B2.").outcome is Outcome.PASS
    calendar = "It is open on Monday in May, in the U.S. and on a 30-day pass, and I'd take the City-Centre dock."
    assert _check("entities", calendar, question="Where in the US?").outcome is Outcome.PASS
    assert _check("entities", "It is open at the Harbour-Plaza.").outcome is Outcome.FAIL
    assert _check("entities", "Ask the Acme team.", allowed=["Acme"]).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("answer", "outcome", "category"),
    [
        ("A monthly pass costs 25 dollars and covers rides in the centre [2].", Outcome.PASS, None),
        (
            "A monthly pass costs 25 dollars and covers rides of up to forty-five minutes [1].",
            Outcome.FAIL,
            Category.MISATTRIBUTED,
        ),
        ("Elephants sleep standing beneath ancient baobab trees every night [1].", Outcome.FAIL, Category.ADDED_CLAIM),
        (
            "A monthly pass covers rides anywhere across national borders abroad [2].",
            Outcome.UNSURE,
            Category.ADDED_CLAIM,
        ),
        ("Rides in the city centre with a pass of 25 dollars monthly are very nice indeed [2].", Outcome.PASS, None),
        ("Nothing is cited here.", Outcome.SKIP, None),
        ("I could not find this in the documents [1].", Outcome.SKIP, None),
        ("Yes [1].", Outcome.PASS, None),
    ],
)
def test_cited_source_holds_the_sentence(answer: str, outcome: Outcome, category: Category | None):
    """Sure only at the ends: hardly a word there, or all of them in another source."""
    finding = _check("cited_support", answer)

    assert (finding.outcome, finding.category) == (outcome, category)
    assert _points_into(answer, finding)


def test_misattributed_sentence_names_its_true_source():
    """The report can say where it really stands."""
    finding = _check(
        "cited_support", "A monthly pass costs 25 dollars and covers rides of up to forty-five minutes [1]."
    )

    assert [e.source_id for e in finding.evidence if e.kind == "holder"] == ["2"]


@pytest.mark.parametrize("rule", ["quotes", "links", "entities", "cited_support", "support"])
def test_without_sources_there_is_nothing_to_compare_with(rule: str):
    """No sources logged: the check is skipped with that reason, not guessed."""
    record = AnswerRecord(record_id="r", question="q", answer='Look "here at this very place" http://a.example/b [1].')

    finding = dict(load_rules(RulesConfig(enabled=(rule,))).check(record))[rule]

    assert finding.outcome is Outcome.SKIP
    assert "no sources" in finding.reason
