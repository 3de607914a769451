"""The lexical grounding score: in [0, 1], steady, with the weakest sentence and its best place as evidence."""

from __future__ import annotations

import gzip
import itertools
import json
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.records import AnswerRecord, Source
from goldassay.rules import RulesConfig, support_words
from goldassay.rules.settings import SupportConfig
from goldassay.rules.support import _category, grade_faithful
from goldassay.rules.support_features import FEATURES_VERSION, read_support
from goldassay.rules.support_model import SupportModel, shipped_model
from goldassay.rules.support_reading import Reading
from goldassay.rules.support_words import source_tokens, span_of_tokens, tokens, weights
from goldassay.verdicts import Category, Finding, Outcome

SOURCE = (
    "The Harbour Line opened in 1998 with 40 stations. It was built by the Kestrel company. The line carries about"
    " two hundred thousand passengers a day. In March the council approved a new depot near the old shipyard."
    " Trains run every four minutes at peak times, and the last train leaves at midnight."
)


def _grade(answer: str, *texts: str, question: str = "When did the line open?") -> Finding:
    sources = tuple(Source(id=f"D{i}", text=text) for i, text in enumerate(texts or (SOURCE,), 1))
    return grade_faithful(AnswerRecord(record_id="r", question=question, answer=answer, sources=sources))


def test_sentence_of_the_source_is_supported():
    """Word for word, and with the citation marks left out of the comparison."""
    finding = _grade("The Harbour Line opened in 1998 with 40 stations [D1].")

    assert finding.outcome is Outcome.PASS
    assert finding.score is not None
    assert finding.score > 0.7


def test_invented_answer_is_not_supported():
    """New names and claims fail as added, with a score below the pass mark."""
    finding = _grade("Volcanic eruptions destroyed the ancient library of Zanthoria during a terrible winter.")

    assert (finding.outcome, finding.category) == (Outcome.FAIL, Category.ADDED_CLAIM)
    assert finding.score is not None
    assert finding.score < 0.3


def test_number_of_no_source_is_named():
    """The category says what dominates."""
    finding = _grade("Elephants numbering 7731 crossed the frozen lake beside Zanthoria castle.")

    assert finding.category is Category.WRONG_NUMBER


def test_evidence_is_the_weakest_sentence_and_its_best_place():
    """Both point into the original texts."""
    answer = "The Harbour Line opened in 1998 with 40 stations. The depot near the shipyard was designed by Zorblax."
    padding = "Nothing of interest stands in this passage about gardening."

    weakest, place = _grade(answer, padding, SOURCE).evidence

    assert weakest.text == answer[weakest.start : weakest.end] == answer.split(". ", 1)[1]
    assert place.source_id == "D2"
    assert place.text == SOURCE[place.start : place.end]
    assert "depot near the old shipyard" in place.text


def test_place_is_right_behind_marks_of_the_source():
    """A source may hold marks of its own; they are no words, and shift nothing."""
    source = "[7] Gardening is old [8]. " + SOURCE

    place = _grade("The council approved a depot near the shipyard, said Zorblax.", source).evidence[1]

    assert place.text == source[place.start : place.end]
    assert "depot near the old shipyard" in place.text


def test_denial_in_the_words_of_the_source_is_a_contradiction():
    """The category says so where a negation too many is all that parts them."""
    answer = "No new depot was approved near the old shipyard, and no train leaves at midnight."
    row = {"numbers_wrong": 0.0, "negation_added": 1.0, "window_min": 0.7}

    assert _category(row)[0] is Category.CONTRADICTS_SOURCE
    assert _grade(answer).evidence


def test_memory_of_words_stays_bounded(monkeypatch: pytest.MonkeyPatch):
    """Beyond its bound it starts anew, with the same stems and weights."""
    before = tokens("the stations were approved")
    rare = weights()["zanthoria"]
    monkeypatch.setattr(support_words, "_MOST_KEPT", 2)

    assert tokens("the stations were approved") == before
    assert tokens("grommets wombats flanges") == ["grommet", "wombat", "flang"]
    assert [weights()[stem] for stem in ("quux", "corge", "zanthoria")][-1] == rare


def test_lower_case_that_grows_shifts_no_offset():
    """Some letters have a longer lower case."""
    text = "İstanbul line opened"

    start, end = span_of_tokens(text, 2, 2)

    assert text[start:end] == "opened"


def test_refusal_is_supported_by_law_and_an_empty_answer_fails():
    """A refusal claims nothing; an empty answer is a failed answer."""
    assert _grade("I could not find this in the documents.")[:1] == (Outcome.PASS,)
    assert _grade("I could not find this in the documents.").score == 1.0
    assert _grade("  ").category is Category.INCOMPLETE
    assert _grade("?!").outcome is Outcome.SKIP


def test_pass_mark_comes_from_the_settings():
    """None takes the shipped one."""
    record = AnswerRecord(
        record_id="r", question="q", answer="The line opened in 1998.", sources=(Source(id="1", text=SOURCE),)
    )
    strict = RulesConfig(support=SupportConfig(threshold=1.0))

    assert grade_faithful(record, config=strict).outcome is Outcome.FAIL
    assert grade_faithful(record).outcome is Outcome.PASS


def test_chinese_is_compared_by_pairs_of_characters():
    """Words are not parted by spaces there."""
    source = "海港线于一九九八年开通，共有四十个车站，由红隼公司建造。市议会在三月批准了新的车库。"

    assert tokens("海港线") == ["海港", "港线"]
    assert _grade("海港线共有四十个车站，由红隼公司建造。", source, question="").outcome is Outcome.PASS
    assert _grade("火山爆发摧毁了古老的图书馆和整个城市。", source, question="").outcome is Outcome.FAIL


@pytest.mark.parametrize(
    ("one", "two"),
    [("approved", "approves"), ("stations", "station"), ("wrote", "written"), ("organisation", "organization"),
     ("twelve", "12"), ("1,000", "1000"), ("cities", "city"), ("colour", "color")],
)  # fmt: skip
def test_forms_of_a_word_meet(one: str, two: str):
    """Endings, irregular forms, British spelling and number words."""
    assert tokens(one) == tokens(two)


@given(st.text(max_size=120) | st.text("a.b1,'-[]2 \n\u0130\u7f51\u00e9", max_size=40))
def test_tokens_and_their_spans_agree(text: str):
    """The evidence counts tokens in one way and points with the other."""
    stems = source_tokens(text)
    spans = [span_of_tokens(text, place, place) for place in range(len(stems))]

    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert spans == sorted(spans)
    if not re.search(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", text):  # a pair of dense characters is no word
        assert [stem for start, end in spans for stem in tokens(text[start:end])] == list(stems)


@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=40))
def test_no_text_breaks_the_grader(answer: str, source: str, question: str):
    """Whatever comes in, the score lies in [0, 1] and evidence in its text."""
    finding = _grade(answer, source, question=question)

    assert finding.score is None or 0 <= finding.score <= 1
    for evidence in finding.evidence:
        text = answer if evidence.source_id is None else source
        assert text[evidence.start : evidence.end] == evidence.text


def test_features_are_those_the_coefficients_were_fitted_on():
    """Another version of the features refuses the shipped coefficients instead of misreading them."""
    row = read_support(Reading("q", (SOURCE,), "The line opened.", ((0, 16),)))

    assert tuple(row) == shipped_model().features
    with pytest.raises(ValueError, match="fit_support"):
        SupportModel({"features_version": f"not {FEATURES_VERSION}"})


def test_hostile_answer_takes_little_time():
    """Long answers and long sources are read once; nothing is quadratic."""
    begin = time.process_time()

    _grade("word harbour line " * 5_000, SOURCE * 10)
    _grade("The line opened in 1998.", "harbour line " * 15_000)
    rows = ["".join(letters) for letters in itertools.product("bdfgklmnprtvz", repeat=4)]
    _grade(" ".join(rows[:16_000]), " ".join(reversed(rows)) * 5)
    _grade("." * 90_000 + "x", SOURCE)

    assert time.process_time() - begin < 30  # about 1 s; a quadratic walk takes many minutes


def test_peoples_labels_are_met_on_answers_of_a_rag_assistant(labelled_data: Path):
    """A check that nothing broke, not a measurement: the rows were fitted on (benchmarks/fit_support.py measures)."""
    hits: dict[bool, list[bool]] = {True: [], False: []}
    with gzip.open(labelled_data / "mtrag_human.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row.get("sources") and "faithful" in row.get("labels", {}):
                record = AnswerRecord(
                    record_id=row["id"], question=row["question"], answer=row["answer"], sources=row["sources"]
                )
                label = row["labels"]["faithful"]
                hits[label].append((grade_faithful(record).outcome is Outcome.PASS) == label)

    assert sum(sum(found) / len(found) for found in hits.values()) / 2 >= 0.8


def test_a_very_long_sentence_points_into_one_source():
    """No stretch reaches over the border of two sources, however long the sentence is."""
    words = [f"{letter}{vowel}rbon" for letter in "bcdfghklmnprstvwz" for vowel in "aeiou"]
    first, second = " ".join(words[:40]), " ".join(words[40:80])
    answer = " ".join(words[:80]) + " " + " ".join(f"{word}ix" for word in words) + "."
    sources = (Source(id="1", text=first), Source(id="2", text=second))

    record = AnswerRecord(record_id="r", question="What?", answer=answer, sources=sources)
    place = grade_faithful(record).evidence[-1]

    assert (place.source_id, place.text) == ("2", second)  # the first has a word that is not so rare: 'carbon'


PLAN = (
    "The Standard plan includes phone support and costs 95 euros a month. Staff may work from home three days a week."
)


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("The Standard plan costs 95 euros a month.", Outcome.PASS),
        ("The Standard plan includes phone support and costs 59 euros a month.", Outcome.FAIL),
        ("Staff may work at home two days a week.", Outcome.FAIL),
        ("The Standard plan does not include phone support.", Outcome.UNSURE),
        ("Staff may not work at home three days a week.", Outcome.UNSURE),
        ("No, the Standard plan costs 95 euros a month.", Outcome.PASS),
        ("I am not sure, but the Standard plan includes phone support.", Outcome.PASS),
    ],
)
def test_what_words_cannot_tell_goes_before_the_score(answer, outcome):
    """Another figure or a 'not' in the sources' own sentence leaves nearly all of its words alone."""
    finding = _grade(answer, PLAN, question="What does the plan hold?")

    assert finding.outcome is outcome
    assert finding.score is not None


def test_another_language_is_no_lack_of_support():
    """A right answer in German shares hardly a word with its English sources."""
    answer = "Der Standardtarif kostet 95 Euro im Monat und enthält telefonische Hilfe für alle, die sie brauchen."

    assert _grade(answer, PLAN).outcome is Outcome.UNSURE
