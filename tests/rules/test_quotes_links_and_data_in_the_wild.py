"""Quotations, addresses and private data as real answers write them, and what only looks like them."""

from __future__ import annotations

import pytest

from goldassay.records import AnswerRecord, Source
from goldassay.rules import RulesConfig, load_rules
from goldassay.verdicts import Finding, Outcome

_LEASE = (
    "The landlord is not permitted to terminate this lease during the fixed term. Rent is due on the first day."
    " Tenants may keep one small pet. The deposit is repaid within a month of the end of the lease."
)


def _finding(rule: str, answer: str, *sources: str) -> Finding:
    sent = tuple(Source(id=str(number), text=text) for number, text in enumerate(sources, start=1))
    record = AnswerRecord(record_id="r", question="What about it?", answer=answer, sources=sent)
    return dict(load_rules(RulesConfig(enabled=(rule,))).check(record))[rule]


@pytest.mark.parametrize(
    "answer",
    [
        'It says "the landlord is not permitted to … during the fixed term".',
        'It says "the landlord is not permitted to terminate [...] Rent is due".',
        'It says "the landlord [the owner] is not permitted to terminate".',
        'It says "the landlord is not\npermitted to terminate this lease".',
        'The book "One Hundred Years of Solitude" is sold.',
        "The film “The Lord of the Rings” is shown.",
        "He is 6'2\" tall and the door is 7'1\" tall, both were measured.",
    ],
)
def test_a_true_quotation_or_a_title_passes(answer: str):
    """Gaps in order, line breaks and titles are no invention."""
    assert _finding("quotes", answer, _LEASE).outcome is Outcome.PASS


@pytest.mark.parametrize(
    "answer",
    [
        'It says "the landlord is ... permitted to terminate this lease".',
        'It says "during the fixed term ... the landlord is not permitted".',
        'You could say: "Hello, I would like to end my lease."',
        'Write "I hereby end my lease as of today" in the subject line.',
    ],
)
def test_a_quotation_pieced_together_or_suggested_is_left_to_a_judge(answer: str):
    """A gap that swallows 'not', parts in another order, words put into the reader's mouth."""
    assert _finding("quotes", answer, _LEASE).outcome is Outcome.UNSURE


def test_parts_of_a_quotation_must_stand_near_each_other():
    """A gap leaves out some words, not a chapter."""
    far = "The fee is small. " + "Many other words stand here now. " * 40 + "It is paid in gold."

    assert _finding("quotes", 'It says "the fee is small ... it is paid in gold".', far).outcome is Outcome.UNSURE


@pytest.mark.parametrize(
    "answer",
    [
        'It says "the landlord shall be\npermitted to terminate at will".',
        'The policy states: "Employees must wear blue helmets at all times".',
    ],
)
def test_an_invented_quotation_fails(answer: str):
    """A line break inside it hides nothing."""
    assert _finding("quotes", answer, _LEASE).outcome is Outcome.FAIL


def test_a_menu_path_in_quotation_marks_is_looked_up_step_by_step():
    """'Settings > Account' stands where its steps stand."""
    answer = 'Click on "Settings > Account > Delete my account" to go on.'

    assert _finding("quotes", answer, "Open Settings, then Account, then Delete my account.").outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ('See [help](<https://acme.com/help> "Title").', "https://acme.com/help"),
        ("See https://acme.com/help.", "https://acme.com/help?lang=en"),
        ("See https://wiki.acme.com/Blur_%28band%29.", "https://wiki.acme.com/Blur_(band)"),
        ("See https://wiki.acme.com/Blur_(band).", "https://wiki.acme.com/Blur_%28band%29"),
        ("See (https://wiki.acme.com/Blur_(band)).", "https://wiki.acme.com/Blur_(band)"),
        ("See https://acme.com/stra%C3%9Fe.", "https://acme.com/straße"),
        ("See https://acme.com:443/help.", "https://acme.com/help"),
        ("See https://acme.com/help?utm_source=chatgpt.com.", "https://acme.com/help"),
        ("See https://acme.com/a?utm_source=x&b=1.", "https://acme.com/a?b=1"),
        ("See https://münchen.de/x.", "https://xn--mnchen-3ya.de/x"),
        ("See https://acme.com/a?x=1&amp;y=2.", "https://acme.com/a?x=1&y=2"),
        ("See https://acme.com/a?x=1&y=2.", "https://acme.com/a?x=1&amp;y=2"),
        ("See <https://acme.com/help|the help>.", "https://acme.com/help"),
        ("See https://doi.org/10.1000/182.", "It was published as doi:10.1000/182."),
        ("See github.com/acme/tool.", "Code: https://github.com/acme/tool.git"),
        ("Go to bit.ly/abc.", "Go to bit.ly/abc"),
    ],
)
def test_an_address_in_another_spelling_is_known(answer: str, source: str):
    """Encoding, ports, entities and labels are spelling; a page is known without its query."""
    assert _finding("links", answer, source).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("See https://acme.com/help?lang=de.", "https://acme.com/help?lang=en"),
        ("See https://wiki.acme.com/Oasis_(band).", "https://wiki.acme.com/Blur_(band)"),
        ("See https://acme.com:8443/help.", "https://acme.com/help"),
        ("Go to bit.ly/abd.", "Go to bit.ly/abc"),
        ("See https://doi.org/10.1000/183.", "It was published as doi:10.1000/182."),
        ("See https://acme.com.evil.net/help.", "https://acme.com/help"),
        ("See https://acme.com@evil.net/help.", "https://acme.com/help"),
    ],
)
def test_another_address_is_unknown(answer: str, source: str):
    """Another query, port, host or path leads elsewhere."""
    assert _finding("links", answer, source).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    "answer",
    [
        "Call 09123456789.",
        "My phone number is: 09123456789",
        "手机号码是13800138000",
        "电话：138 0013 8000",
        "电话：13800138000",
        "電話は03-1234-5678です。",
        "Appelez le 01 23 45 67 89.",
        "The card is 3056 930902 5904.",
        "The card is 2221 0000 0000 0009.",
        "iban: de89370400440532013000",
        "Account: DE89 3704 0044 0532 0130 00 BIC COBADEFF",
        "连接bob@acme.de或致电",
    ],
)
def test_private_data_of_many_countries_is_found(answer: str):
    """Mobile numbers behind a word that says so, cards of more issuers, and what touches a Chinese letter."""
    assert _finding("private_data", answer, "The office is in Bonn.").outcome is Outcome.FAIL


@pytest.mark.parametrize(
    "answer",
    [
        "clone via git@github.com:acme/tool.git",
        "Write to you@example.com.",
        "Table: 01 02 03 04 05 06 07 08",
        "IBAN DE89 3704 0044 0532 0130 01 is wrong.",
        "The guid is 110bcd25-a55d-453a-8046-1297901ea002.",
        "created_at 1755302400, timestamp 1748503543012",
        "product_id 3074185296",
        "opacity 0.5309136012499991",
        "Court case 1747-9192-2056-7223",
        "Transaction 20260823000001 is done.",
        "Order 13800138000 was sent.",
        "The mobile market grew to 15500000000 dollars.",
        "Version 10.0.19045.3086 is out.",
    ],
)
def test_what_only_looks_like_private_data_raises_no_alarm(answer: str):
    """Remotes, stand-ins, rows, stamps and identifiers name no person."""
    assert _finding("private_data", answer, "The office is in Bonn.").outcome is Outcome.PASS


def test_an_address_in_an_attribute_of_a_source_was_sent():
    """The normal form drops the tag, the model saw it."""
    source = "Contact: <a href='mailto:anna.lee@corp.net'>mail</a>"

    assert _finding("private_data", "Write to anna.lee@corp.net.", source).outcome is Outcome.PASS
