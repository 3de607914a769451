"""Words and sentences of many languages, counted as people count them."""

from __future__ import annotations

import pytest

from goldassay.text import normalise, sentences, words


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("I am a 台灣人", 6),
        ("这是中文测试", 6),
        ("사무실은 평일에 엽니다", 3),
        ("नमस्ते दुनिया", 2),
        ("१२३ शब्द", 2),
        ("مُحَمَّدٌ رَسُولٌ", 2),
        ("שָׁלוֹם עוֹלָם", 2),
        ("สวัสดี ชาวโลก", 2),
        ("cafe\u0301 noir", 2),
        ("snake_case here", 2),
        ("AT&T is big", 3),
        ("10:30 Uhr", 2),
        ("Hello & big / world", 3),
        ("Hello – big – world", 3),
        ("co\u00adoperate", 1),
    ],
)
def test_words_of_any_script_are_counted(text: str, count: int):
    """Vowel signs and points end no word; signs between letters join them."""
    assert len(words(normalise(text).text)) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("It is 98.6 °F. Fine.", 2),
        ("Dr. Smith met Mr. Jones at 5 p.m. They talked.", 2),
        ("They met at 5 p.m. in Bonn.", 1),
        ("He lives in the U.S. She lives in the U.K.", 2),
        ("The U.S. Army is big.", 1),
        ("Apples, pears, etc. The fee is low.", 2),
        ("Acme Inc. was founded by J. R. R. Tolkien.", 1),
        ("Am 1. Januar beginnt die 1. Bundesliga.", 1),
        ("Am 3. Mai ist es so weit. Kommen Sie!", 2),
        ("Der 2. Weltkrieg endete 1945.", 1),
        ("He is 21. She is 22.", 2),
        ("Er wohnt im 3. Sie wohnt im 4. Stock.", 2),
        ("Das gilt z. B. für Bonn, d. h. für alle.", 1),
        ("El Sr. López llegó a las 5 p. m. ayer.", 1),
        ("Prof. Dr. med. Anna Lee kommt.", 1),
        ("Sie wohnt in der Hauptstr. 5 in Bonn.", 1),
        ("Siehe Nr. 5, Abs. 2 S. 1 BGB.", 1),
        ("(See also Sec. 3.)", 1),
        ("Prod. by Fat Boy feat. L. Douglass.", 1),
        ("Yan et al. [1] analysed it.", 1),
        ("彼は「開いています。」と言った。", 1),
        ("彼は「はい。」 明日は雨です。", 2),
        ("यह खुला है। कृपया आइए।", 2),
        ("المكتب مفتوح. هل ستأتي؟ نعم.", 3),
        ("1. First do this.\n2. Then that.", 2),
    ],
)
def test_a_sentence_ends_at_its_stop_and_not_at_an_abbreviation(text: str, count: int):
    """Ordinals, abbreviations with spaces, quotations and stops of other scripts."""
    assert len(sentences(normalise(text))) == count


def test_a_long_run_without_spaces_is_cut_up_in_linear_time():
    """Only a few characters before a stop are read."""
    text = "a" * 13 + ". "

    assert len(sentences(normalise((text.strip() + "x.") * 20_000))) == 1
