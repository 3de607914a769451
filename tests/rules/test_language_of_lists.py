"""The language of an answer is that of what it says, not of the sources it lists."""

from __future__ import annotations

import pytest

from goldassay.records import AnswerRecord
from goldassay.rules import RulesConfig, load_rules
from goldassay.verdicts import Outcome


def _outcome(question: str, answer: str) -> Outcome:
    record = AnswerRecord(record_id="r", question=question, answer=answer)
    return dict(load_rules(RulesConfig(enabled=("language",))).check(record))["language"].outcome


def test_a_list_of_sources_in_another_language_is_not_the_answers():
    """Titles of sources keep their language."""
    answer = "Die Gebühr beträgt 95 Euro [1].\n\nSources: [1] Price list of the company and the rules of the house"

    assert _outcome("Wie hoch ist die Gebühr?", answer) is Outcome.PASS


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the fee and when is it due?", "Die Gebühr beträgt 95 Euro [1].\n\nSources: [1] Price list"),
        ("¿Cuándo está abierta la oficina?", "L'ufficio è aperto dalle nove alle cinque nei giorni feriali."),
        ("Quand le bureau est-il ouvert ?", "The quick answer is that the office is open."),
        ("When does it open?", "Abre a las nueve."),
        ("What is the fee?", "Cuesta veinte euros al mes."),
        ("What time does the office open?", "O escritório abre às nove."),
        ("What time does the office open?", "L'ufficio apre alle nove."),
        ("What time does the office open?", "Le bureau ouvre à neuf heures."),
        ("¿Qué es?", "The fee is due."),
        ("WANN IST DAS BÜRO GEÖFFNET UND WO LIEGT ES?", "THE OFFICE IS OPEN ON WEEKDAYS FROM NINE TO FIVE."),
    ],
)
def test_an_answer_in_another_language_fails(question: str, answer: str):
    """Short ones and ones in capitals among them."""
    assert _outcome(question, answer) is Outcome.FAIL


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How was the service?", "Excellent service as usual."),
        ("What did he say to her?", "I love you"),
        ("Is there broadband yet?", "Still no broadband."),
        ("Which day is it?", "Cinco de Mayo."),
        ("What is the title?", "La vida es un carnaval"),
        ("¿Cuánto cuesta?", "Cuesta veinte euros."),
        ("Which cruise do they offer?", "A viking river cruise."),
        ("When should I plan?", "Retirement planning at a young age is a good idea."),
        ("Who are the members of the board?", "Van den Berg, De Vries, Jansen"),
        ("Wann ist das Meeting?", "Das Meeting findet im Office statt; bitte den Link im Chat nutzen."),
    ],
)
def test_a_short_answer_raises_no_alarm(question: str, answer: str):
    """Texts that other detectors took for Catalan, Slovak, Swedish and Afrikaans."""
    assert _outcome(question, answer) in {Outcome.PASS, Outcome.SKIP}
