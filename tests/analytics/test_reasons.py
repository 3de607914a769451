"""Causes of failure: likeness of free texts, their names, and counts over versions."""

from __future__ import annotations

import random
import time

from goldassay.analytics.connect import connect
from goldassay.analytics.likeness import group_texts, name_of
from goldassay.analytics.rates import rates_by
from goldassay.analytics.reasons import reason_groups
from goldassay.analytics.scope import Scope
from goldassay.analytics.shares import graded_by_version
from goldassay.verdicts import Category


def test_texts_that_say_the_same_are_one_cause() -> None:
    """Numbers, case and punctuation do not count; another trouble is another cause."""
    texts = [
        "The source says 2 hours, not 4.",
        "The customer is addressed rudely in the reply",
        "the source says 15 HOURS, not 7",
        "Customer addressed rudely (in this reply).",
        "Invents a product name",
        "",
        "!!!",
    ]

    assert group_texts(texts) == [0, 1, 0, 1, 2, 3, 3]
    assert group_texts([]) == []


def test_the_same_words_the_other_way_round_are_one_cause() -> None:
    """A judge that words its reason freely turns sentences around."""
    assert group_texts(["dismissive, rude tone", "The tone is rude and dismissive", "invents a price"]) == [0, 0, 1]


def test_a_cause_is_named_by_its_commonest_words() -> None:
    """In the order of the commonest text."""
    texts = [("The tone is rude to the customer", 5), ("tone rude towards customer", 3), ("rude tone", 1)]

    assert name_of(texts, most=3) == "tone rude customer"
    assert name_of([("42!", 1)]) == "no words"


def test_other_languages_group_as_well() -> None:
    """No word list is needed: rare words lead."""
    texts = ["Die Antwort nennt einen falschen Preis", "Antwort nennt falschen Preis", "Der Ton ist unhöflich"]

    assert group_texts(texts) == [0, 0, 1]


def test_thousands_of_wordings_are_grouped_in_seconds_at_most() -> None:
    """The work is bounded whatever the texts are; a quadratic comparison would take minutes."""
    rng = random.Random(1)
    words = [f"w{chr(97 + i % 26)}{chr(97 + i // 26 % 26)}{chr(97 + i // 676)}" for i in range(2000)]
    texts = [" ".join(rng.choices(words, k=12)) + " the same common ending" for _ in range(5000)]
    started = time.process_time()

    numbers = group_texts(texts)

    assert max(numbers) > 1000
    assert time.process_time() - started < 60


def test_causes_by_version_with_trend_and_first_sight(store, verdict, publish_run) -> None:
    """What came with v2 shows as such; two checks with one category are one cause."""
    wrong = {"category": Category.WRONG_NUMBER, "reason": "4 is in no source"}
    publish_run(
        store,
        "n1",
        [verdict("n1", "a", "numbers", "fail", **wrong), *(verdict("n1", f"p{i}", "cites", "pass") for i in range(3))],
    )
    v2 = {"app_version": "v2"}
    rows = [verdict("n2", "a", "numbers", "fail", **wrong, **v2), verdict("n2", "b", "numbers", "fail", **wrong, **v2)]
    rows += [verdict("n2", "b", "correct", "fail", **wrong, **v2), verdict("n2", "c", "correct", "error", **v2)]
    rows += [verdict("n2", f"p{i}", "numbers", "pass", **v2) for i in range(2)]
    publish_run(store, "n2", rows)

    with connect(store) as connection:
        graded = graded_by_version(rates_by(connection, Scope(), by="app_version"))
        found = reason_groups(connection, Scope(), versions=("v1", "v2"), graded=graded)

    cause = found[0]
    assert (cause.name, cause.checks, cause.count, cause.share) == ("wrong_number", ("correct", "numbers"), 4, 1.0)
    assert (cause.answers, cause.of_answers) == (3, 3)
    assert cause.by_version == (("v1", 1), ("v2", 3))
    assert cause.trend == 3 / 6 - 1 / 1
    assert cause.trend_p is not None
    assert cause.trend_p > 0.05
    assert cause.first_seen is not None
    assert cause.last_seen is not None
    assert cause.first_seen < cause.last_seen
    assert cause.would_pass == 2
    assert [(e.app_version, e.record_id) for e in cause.examples] == [("v2", "a"), ("v2", "b")]
    assert found[1].is_error


def test_answers_to_one_question_are_counted_each_like_all_figures_of_failures(store, verdict, publish_run) -> None:
    """A log without question ids would count answers, one with them questions; the words beside it say answers."""
    rows = [verdict("n1", r, "cites", "fail", question_id="q", category=Category.BAD_CITATION) for r in ("a", "b")]
    publish_run(store, "n1", rows)

    with connect(store) as connection:
        (group,) = reason_groups(connection, Scope())

    assert (group.answers, group.would_pass) == (2, 2)


def test_a_question_that_fails_for_two_causes_passes_by_neither(store, verdict, publish_run) -> None:
    """Only what stands alone is promised, and a warning stands in nobody's way."""
    rows = [
        verdict("n1", "a", "numbers", "fail", category=Category.WRONG_NUMBER),
        verdict("n1", "a", "cites", "fail", category=Category.BAD_CITATION),
        verdict("n1", "b", "numbers", "fail", category=Category.WRONG_NUMBER),
        verdict("n1", "b", "length", "fail", category=Category.TOO_LONG, severity="warn"),
    ]
    publish_run(store, "n1", rows)

    with connect(store) as connection:
        found = {group.category: group.would_pass for group in reason_groups(connection, Scope())}

    assert found == {"wrong_number": 1, "bad_citation": 0, "too_long": 0}
