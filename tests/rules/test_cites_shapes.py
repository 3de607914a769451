"""Citations in rarer dress, and brackets that look like citations and are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.records import AnswerRecord, Source
from goldassay.rules import RulesConfig
from goldassay.rules.cites import cites
from goldassay.rules.context import RuleContext
from goldassay.rules.settings import CitesConfig
from goldassay.verdicts import Category, Outcome


def _context(
    answer: str,
    ids: str = "1 2 3",
    *,
    texts: dict[str, str] | None = None,
    titles: dict[str, str] | None = None,
    require: str = "answer",
) -> RuleContext:
    sources = tuple(
        Source(id=i, text=(texts or {}).get(i, f"Text of {i}."), title=(titles or {}).get(i)) for i in ids.split()
    )
    record = AnswerRecord(record_id="r", question="What is the fee?", answer=answer, sources=sources)
    return RuleContext(record, None, RulesConfig(cites=CitesConfig.model_validate({"require": require})))


def _category(context: RuleContext) -> Category | None:
    return cites(context, context.config.cites).category


@pytest.mark.parametrize(
    ("answer", "ids", "cited"),
    [
        ("The fee is 5¹.", "1 2 3", "1"),
        ("The fee is five¹ and due at 8².", "1 2 3", "1 2"),
        ("The fee is five¹².", "1 2 3", "1 2"),
        ("The fee is five<sup>1</sup>.", "1 2 3", "1"),
        ("The fee is five.<sup>1, 2</sup>", "1 2 3", "1 2"),
        (r"The fee is five \[1\].", "1 2 3", "1"),
        ("The fee is five {1}.", "1 2 3", "1"),
        ("The fee is five [1]-[3].", "1 2 3", "1 2 3"),
        ("The fee is five [1]–[3].", "1 2 3", "1 2 3"),
        ("The fee is five [1, 2]-[3].", "1 2 3", "1 2 3"),
        ("The fee is five ([2]).", "1 2 3", "2"),
        ("The fee is five (Source: 2).", "1 2 3", "2"),
        ("The fee is five (Sources: 1, 2).", "1 2 3", "1 2"),
        ("As passage two says, it is five.", "1 2 3", "2"),
        ("According to the second passage, it is five.", "1 2 3", "2"),
        ("The third document says it is five.", "1 2 3", "3"),
        ("Laut der zweiten Quelle kostet es fünf.", "1 2 3", "2"),
        ("資料2によると、料金は5ユーロです。", "1 2 3", "2"),
        ("The fee is five (handbook.pdf).", "handbook.pdf terms.pdf", "handbook.pdf"),
        ("The fee is five (see handbook.pdf, p. 3).", "handbook.pdf terms.pdf", "handbook.pdf"),
        ("The fee is five (kb-204, kb-7).", "kb-204 kb-7", "kb-204 kb-7"),
        ("The fee is five [Price list].", "1 2 3", "2"),
        ("The fee is five (Price list).", "1 2 3", "2"),
    ],
)
def test_rarer_mark_is_seen(answer: str, ids: str, cited: str):
    """What a reader takes for a citation is one; otherwise a cited answer would be called uncited."""
    context = _context(answer, ids, titles={"2": "Price list"})

    assert context.cited.cited == tuple(cited.split())
    assert _category(context) is None


@pytest.mark.parametrize(
    "answer",
    [
        "Use items[7] to get alpha [1].",
        "Use items[2] to get alpha [1].",
        "The data[2] element comes first [1].",
        "Take cfg.rows[9] here [1].",
        "Let x in [0, 3]. It is alpha [1].",
        "Let x in [2, 3]. It is alpha [1].",
        "f(x) lies in [2, 3], as said [1].",
        "x^{2} is alpha [1], and the set {2, 3} is beta.",
        "The area is 20 m<sup>2</sup>, about 10<sup>2</sup>, or 5², they say [1].",
        "Tourism is the second source of income [1].",
        "The second document you sign is alpha [1].",
        "資料2枚を提出する [1]。",
        "The fee (due in 2 parts) is alpha [1].",
    ],
)
def test_bracket_of_another_kind_is_no_use(answer: str):
    """Indexes, intervals, sets, powers and counts cite nothing, even where a source has that number."""
    context = _context(answer)

    assert (context.cited.cited, context.cited.unknown) == (("1",), ())
    assert _category(context) is None


@pytest.mark.parametrize(
    "answer", ["The fee is five euros[9] a month.", "The fee is 5 ([9]).", "It is so in the U.S.[9]."]
)
def test_mark_that_touches_its_word_is_still_a_citation(answer: str):
    """Only what is plainly code is let pass."""
    assert _category(_context(answer)) is Category.BAD_CITATION


def test_mark_copied_with_its_words_cites_nothing():
    """Unless it names the very source in which it stands."""
    texts = {"1": "The limit alpha [2] is five, they say. See also beta [1]."}

    assert _context("The limit alpha [2] is five [1].", texts=texts).cited.cited == ("1",)
    assert _context("Alpha [2].", texts=texts).cited.cited == ("2",)
    assert _context("See also beta [1].", texts=texts).cited.cited == ("1",)
    assert _context("The fee is five [2].", texts=texts).cited.cited == ("2",)


@pytest.mark.parametrize(
    "other",
    [
        "Sure!",
        "Hello.",
        "Yes.",
        "**Fees**\n",
        "## Fees\n",
        "Let me know if you need more.",
        "I hope this helps!",
        "The documents do not mention a discount.",
        "Please ask the office for more information.",
    ],
)
def test_sentence_without_a_claim_needs_no_citation(other: str):
    """Courtesies, headings and named gaps claim nothing, before and behind what is cited."""
    assert _category(_context(f"{other} The fee is 5 [1].", require="sentence")) is None
    assert _category(_context(f"The fee is 5 [1].\n{other}", require="sentence")) is None


@pytest.mark.parametrize("claim", ["Alpha is free.", "Unfortunately, the fee is high.", "**Fees** are high."])
def test_sentence_with_a_claim_needs_one(claim: str):
    """Polite or bold words before it do not matter."""
    assert _category(_context(f"{claim} The fee is 5 [1].", require="sentence")) is Category.MISSING_CITATION


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("Alpha is five. Beta is 3 [1].", Outcome.FAIL),
        ("Alpha costs twenty euros. Beta is 3 [1].", Outcome.FAIL),
        ("One of them is red. Beta is 3 [1].", Outcome.PASS),
        ("The second way is red. Beta is 3 [1].", Outcome.PASS),
    ],
)
def test_number_words_are_numbers_that_need_a_citation(answer: str, outcome: Outcome):
    """'One of them' and ordinals count nothing."""
    context = _context(answer, require="claim_with_number")

    assert cites(context, context.config.cites).outcome is outcome


@given(st.text(alphabet="[](){}^_\\\\0123456789,- abD.\n¹²<sup>/", max_size=200))
def test_no_text_breaks_the_reading(text: str):
    """Whatever stands in an answer, spans lie inside it in order and known positions exist."""
    context = _context(text, titles={"1": "a b", "2": "D."})

    found = context.cited

    assert all(0 <= start < end <= len(context.answer.text) for start, end in found.spans)
    assert all(0 <= position < 3 for position in found.known)
