"""Banned wording in other spellings, hedges in the words of others, and names in other dress."""

from __future__ import annotations

import pytest

from goldassay.records import AnswerRecord, Source
from goldassay.rules import RulesConfig, load_rules
from goldassay.verdicts import Finding, Outcome


def _finding(rule: str, answer: str, source: str = "The office opens at nine.", **settings: object) -> Finding:
    config = RulesConfig.model_validate({**settings, "enabled": [rule]})
    record = AnswerRecord(
        record_id="r", question="When does it open?", answer=answer, sources=(Source(id="1", text=source),)
    )
    return dict(load_rules(config).check(record))[rule]


def _bans(answer: str, phrase: str) -> bool:
    return _finding("banned_wording", answer, banned_wording={"phrases": [phrase]}).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    ("answer", "phrase"),
    [
        ("As an AI-language model", "as an AI language model"),
        ("It is best-in-class.", "best in class"),
        ("It is best in class.", "best-in-class"),
        ("It's worth noting \u2014 that", "it's worth noting - that"),
        ("I`m just an AI", "I'm just an AI"),
        ("I\u00b4m just an AI", "I'm just an AI"),
        ("It is 100 % guaranteed.", "100% guaranteed"),
        ("It is 100% guaranteed.", "100 % guaranteed"),
        ("I'm sorry, but ...", "I'm sorry, but..."),
        ("Free !", "free!"),
        ("Das ist GROSSARTIG.", "großartig"),
        ("Die Straße ist offen.", "STRASSE"),
        ("How naïve.", "naive"),
        ("What a cliche.", "cliché"),
        ("No \u2014 never.", "\u2014"),
        ("\u7edd\u5bf9\u5b89\u5168\u3002", "\u7edd\u5bf9"),
    ],
)
def test_a_banned_wording_is_found_in_another_spelling(answer: str, phrase: str):
    """Hyphens, accents, sharp s and a space before a sign hide nothing."""
    assert _bans(answer, phrase)


@pytest.mark.parametrize(
    ("answer", "phrase"),
    [
        ("The class passes.", "ass"),
        ("It is not best; in class we say so.", "best in class"),
        ("Freedom!", "free!"),
        ("100 guaranteed", "100% guaranteed"),
        ("A man-made lake", "\u2014"),
    ],
)
def test_another_wording_is_not_banned(answer: str, phrase: str):
    """Only spelling is folded; words stay whole and signs stay signs."""
    assert not _bans(answer, phrase)


@pytest.mark.parametrize(
    "answer",
    [
        "It appears that it opens at nine.",
        "In all likelihood it opens at nine.",
        "Il est probable que le bureau ouvre à neuf heures.",
        "可能九点开门。",
    ],
)
def test_more_weak_hedges_are_left_to_a_judge(answer: str):
    """They may tell what is open, where no source leaves anything open."""
    assert _finding("no_hedging", answer).outcome is Outcome.UNSURE


def test_a_hedge_in_quotation_marks_is_not_the_assistants():
    """A title or the words of another take nothing back."""
    assert _finding("no_hedging", 'The film "I Think I Love You" starts at nine.').outcome is Outcome.PASS


@pytest.mark.parametrize(
    "answer",
    [
        "The Acme Corporation is in Bonn.",
        "They sell the X200.",
        "They sell the X 200.",
        "| Name | Place |\n|---|---|\n| Anna Lee | Bonn |",
        "## The Leader of the Office\nAnna Lee leads it.",
    ],
)
def test_a_name_in_another_dress_is_known(answer: str):
    """Forms of companies, hyphens of a model, headings and heads of tables name nothing new."""
    source = "Anna Lee leads the Bonn office of Acme Corp. The model X-200 is sold."

    assert _finding("entities", answer, source).outcome is Outcome.PASS


def test_a_name_below_the_head_of_a_table_is_looked_up():
    """Only the head is spared."""
    answer = "| Name | Place |\n|---|---|\n| the Peter Smith | in Bonn |"

    assert _finding("entities", answer, "Anna Lee leads the Bonn office.").outcome is Outcome.FAIL
