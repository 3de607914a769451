"""Key facts in other spellings, and words that only look like the fact or take it back."""

from __future__ import annotations

import pytest

from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.rules import load_rules
from goldassay.verdicts import Outcome


def _outcome(answer: str, fact: str, question: str = "What is the answer to it?") -> Outcome:
    record = AnswerRecord(record_id="r", question=question, answer=answer)
    golden = GoldenQuestion(question_id="q", question=question, key_facts=fact)
    return dict(load_rules().check(record, golden))["key_fact"].outcome


@pytest.mark.parametrize(
    ("answer", "fact"),
    [
        ("The capital is São Paulo.", "Sao Paulo"),
        ("The capital is Sao Paulo.", "São Paulo"),
        ("Er heißt Müller.", "Mueller"),
        ("He is called Muller.", "Müller"),
        ("The café is open.", "cafe"),
        ("Die Straße heißt Hauptstraße.", "Hauptstrasse"),
        ("Use e-mail.", "email"),
        ("Use email.", "e-mail"),
        ("Use the drop down menu.", "dropdown"),
        ("Use the dropdown menu.", "drop down"),
        ("Use NodeJS.", "Node.js"),
        ("Ask Ph.D. students.", "PhD"),
        ("The U.S. won.", "US"),
        ("The U.K. won.", "UK"),
        ("The US won.", "US"),
        ("The answer is A.", "A"),
        ("A is correct.", "A"),
        ("**A**", "A"),
        ("It was World War Two.", "World War II"),
        ("See chapter III.", "chapter 3"),
        ("See chapter 3.", "Chapter III"),
        ("v2.0 is out.", "version 2.0"),
        ("Version 2.0 is out.", "v2.0"),
        ("Use v 2.0 of it.", "version 2.0"),
        ("Use v. 3 of it.", "version 3"),
        ("They won 5 v 3.", "5-3"),
        ("They won 5-3.", "5 vs 3"),
        ("It was on 12 March 2024.", "2024"),
        ("It takes 1h30m.", "90 minutes"),
        ("It takes 1:30 h.", "90 minutes"),
        ("Call 030 123456.", "+49 30 123456"),
        ("The USA won.", "U.S.A."),
        ("It is $5 \\times 10^{3}$.", "5000"),
        ("Half of the users agree.", "50%"),
        ("Die Hälfte der Nutzer stimmt zu.", "50 %"),
        ("It is half.", "half"),
        ("Half the users agree.", "half"),
        ("There is no doubt that it is free of charge.", "free of charge"),
        ("Is it free of charge? Yes, it is free of charge.", "free of charge"),
        ("Which limit applies? 20 MB.", "20 MB"),
        ("Everything is free of charge, except for parking.", "free of charge"),
    ],
)
def test_a_fact_in_another_spelling_is_stated(answer: str, fact: str):
    """Accents, joints, Roman figures and shares in words are spelling."""
    assert _outcome(answer, fact) is Outcome.PASS


@pytest.mark.parametrize(
    ("answer", "fact"),
    [
        ("Give us the key.", "US"),
        ("I do not know who did it.", "WHO"),
        ("A dog is here; the answer is B.", "A"),
        ("I went on a run.", "N/A"),
        ("The résumé is long.", "rosume"),
        ("See chapter IV.", "chapter 3"),
        ("It was on 12 March 2024.", "2023"),
        ("It was on 20 March 2024.", "20"),
        ("It takes 1h20m.", "90 minutes"),
        ("It takes 1 hour and 30 minutes.", "30 minutes"),
        ("Call 030 123457.", "+49 30 123456"),
        ("They won 5 v 3.", "version 3"),
        ("They won 5 v 3.", "v3"),
        ("They came 5 v 3.1.", "version 3.1"),
        ("It may be so.", "Maybe"),
        ("The first half of the year went well.", "50 users"),
    ],
)
def test_a_word_that_only_looks_like_the_fact_is_none(answer: str, fact: str):
    """A pronoun is no country, an article no option."""
    assert _outcome(answer, fact) is Outcome.FAIL


@pytest.mark.parametrize(
    ("answer", "fact"),
    [
        ("Is it free of charge? No.", "free of charge"),
        ("It used to be free of charge.", "free of charge"),
        ("I doubt it is free of charge.", "free of charge"),
        ("Contrary to rumours that it is free of charge, it costs 5 euros.", "free of charge"),
        ("All cities except Bonn are open.", "Bonn"),
        ("Alle Städte außer Bonn sind offen.", "Bonn"),
    ],
)
def test_what_may_take_the_fact_back_is_left_to_a_judge(answer: str, fact: str):
    """A question, the past, a doubt or an exception does not plainly state it."""
    assert _outcome(answer, fact) is Outcome.UNSURE
