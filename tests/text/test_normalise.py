"""Texts are folded alike, and every place leads back to the original."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.text import normalise, question_key, sentences, words


@pytest.mark.parametrize(
    ("raw", "folded"),
    [
        ("I’m “here”", 'I\'m "here"'),
        ("1–3 and −5", "1-3 and -5"),
        ("1\u202f000\u00a0km", "1 000 km"),
        ("North\u200bwind\u00ad Bank\u2069", "Northwind Bank"),
        ("१,२५०", "1,250"),
        ("１００％", "100%"),
        ("cafe\u0301", "café"),
        ("**bold** and *soft* and __strong__", "bold and soft and strong"),
        ("3 * 4 * 5", "3 * 4 * 5"),
        ("snake_case_name", "snake_case_name"),
        ("<b>5</b>&nbsp;km<br>next", "5 km\nnext"),
        ("x < 5 and y > 3", "x < 5 and y > 3"),
        ("m² and ½ and ①", "m² and ½ and ①"),
        (r"1\. Pay 20 euros", "1. Pay 20 euros"),
        (r"It costs \$5 \[1\]", "It costs $5 [1]"),
        (r"\*no emphasis\*", "*no emphasis*"),
        (r"C:\temp\new", r"C:\temp\new"),
        (r"\d+ digits", r"\d+ digits"),
        ("* item\n* item", "* item\n* item"),
        ("‹so›", "'so'"),
        ("See https://a.com/x_(y).", "See https://a.com/x_(y)."),
        ("<cite>1</cite>", "[1]"),
        ('<source id="2"/>', "[2]"),
        ("<cite>The Times</cite>", "The Times"),
    ],
)
def test_folding_keeps_what_carries_meaning(raw: str, folded: str):
    """Quotes, dashes, spaces, invisible signs, digits, Markdown and HTML are folded; superscripts are kept."""
    assert normalise(raw).text == folded


def test_code_and_addresses_are_set_apart_but_keep_their_place():
    """`prose` has the length of `text`, with code and addresses blanked."""
    normal = normalise("Use `x[0]` or [the guide](https://a.example/1?x=(2)) or https://b.example/7.\n```\ny[1]\n```")

    assert len(normal.prose) == len(normal.text)
    assert "x[0]" not in normal.prose
    assert "example" not in normal.prose
    assert "y[1]" not in normal.prose
    assert "[the guide]" in normal.prose
    assert [span.kind for span in normal.apart] == ["code", "link", "link", "code"]
    label = next(span for span in normal.apart if span.label_start is not None)
    assert normal.text[label.label_start : label.start - 1] == "the guide"


def test_a_span_leads_back_to_the_original():
    """Offsets survive deleted, replaced and joined characters."""
    raw = "“Pay” **₹१,२५०** to North\u200bwind now"
    normal = normalise(raw)

    start = normal.text.index("₹1,250")
    assert normal.original(start, start + len("₹1,250")) == "₹१,२५०"
    start = normal.text.index("Northwind")
    assert normal.original(start, start + len("Northwind")) == "North\u200bwind"


@given(st.text(alphabet=st.sampled_from("ab 1,.-–“”*_`<>&;[]()#~\u200b\u00a0é①²१中/:w\n"), max_size=60))
def test_offsets_are_ordered_and_inside_for_any_text(raw: str):
    """`to_raw` gives ascending offsets inside the original, and the text itself is never changed."""
    normal = normalise(raw)
    starts = [normal.to_raw(i, i + 1) for i in range(len(normal.text))]

    assert normal.raw == raw
    assert len(normal.prose) == len(normal.text)
    assert all(0 <= start <= end <= len(raw) for start, end in starts)
    assert [start for start, _ in starts] == sorted(start for start, _ in starts)


@given(st.text(max_size=80))
def test_a_plain_character_leads_back_to_itself(raw: str):
    """A letter or digit of the normal form that stands in the original is found at its place."""
    normal = normalise(raw)

    for index, character in enumerate(normal.text):
        start, end = normal.to_raw(index, index + 1)
        if end - start == 1 and raw[start].isascii() and raw[start].isalnum() and "&" not in raw:
            assert raw[start] == character


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=60))
def test_folding_twice_changes_plain_words_no_more(raw: str):
    """The normal form of letters, digits and spaces is stable."""
    plain = "".join(c for c in raw if c.isalnum() or c == " ")

    assert normalise(plain).text == plain


@pytest.mark.parametrize(
    ("text", "count"),
    [("two words", 2), ("好的。", 2), ("it's 3.5 km", 3), ("", 0), ("e-mail to Bob", 3)],
)
def test_words_are_counted_as_people_count_them(text: str, count: int):
    """Each Chinese character is a word; an apostrophe or decimal point parts none."""
    assert len(words(text)) == count


def test_sentences_end_where_sentences_end():
    """Abbreviations, initials and decimals end none; CJK stops and line breaks do."""
    text = "Dr. J. Smith paid 3.5 dollars, e.g. in cash. He left! 退款期限为14天。好的\n1. First step"
    normal = normalise(text)

    found = [normal.text[start:end] for start, end in sentences(normal)]

    assert found == [
        "Dr. J. Smith paid 3.5 dollars, e.g. in cash.",
        "He left!",
        "退款期限为14天。",
        "好的",
        "1. First step",
    ]


def test_question_key_meets_over_spelling():
    """Case, punctuation, quotes and spacing do not part two spellings of one question; words do."""
    assert question_key("What’s  the Fee?") == question_key("what's the fee")
    assert question_key("What is the fee?") != question_key("What is the free?")
    assert question_key("???") == "???"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("One.[1] Two.", ["One.", "[1] Two."]),
        ("See fig.[1] there", ["See fig.", "[1] there"]),
        ("Wait... what?! Yes", ["Wait...", "what?!", "Yes"]),
        ('He said "Yes." Then', ['He said "Yes."', "Then"]),
        ("好吗?!好", ["好吗?!", "好"]),
        ("a..b", ["a..b"]),
    ],
)
def test_runs_of_stops_end_one_sentence(text: str, found: list[str]):
    """With the quotes and marks that stand behind them."""
    assert [text[start:end] for start, end in sentences(normalise(text))] == found


@pytest.mark.timeout(20)
def test_row_of_full_stops_is_read_in_linear_time():
    """100,000 of them with a letter behind took minutes when the row was read again from each."""
    for row in (".", ".?", ".'", "a.", ".["):
        assert sentences(normalise(row * 100_000 + "x"))


def test_a_comment_of_html_is_no_prose_but_stays_in_the_text():
    """A reader does not see it; a model that was sent it did."""
    normal = normalise("Five <!-- or six --> euros <!-- no end")

    assert normal.text == normal.raw
    assert normal.prose == "Five                 euros <!-- no end"
    assert [span.kind for span in normal.apart] == ["comment"]


@pytest.mark.parametrize(
    ("raw", "folded"),
    [
        (r"$5 \times 10^{-3}$ and $x$", "5 × 10^-3 and x"),
        ("$10{,}000$", "10,000"),
        (r"$\frac{1}{2}\,\text{km}$", "1/2 km"),
        (r"$50^\circ$C", "50°C"),
        (r"from $5 to $10 \(net\)", "from $5 to $10 (net)"),
        (r"\$20 or \$30", "$20 or $30"),
        (r"$a `x$y` b\,", r"a `x$y` b "),
    ],
)
def test_latex_is_folded_and_money_is_kept(raw: str, folded: str):
    """Formulas become plain signs; a dollar sign before an amount stays."""
    assert normalise(raw).text.rstrip() == folded.rstrip()
