"""Citation marks as chat products, search engines and models of many makers write them, and their look-alikes."""

from __future__ import annotations

import pytest

from goldassay.records import AnswerRecord, Source
from goldassay.rules import RulesConfig
from goldassay.rules.cites import cites
from goldassay.rules.context import RuleContext
from goldassay.rules.settings import CitesConfig
from goldassay.verdicts import Outcome


def _context(answer: str, ids: str = "1 2", *, titles: str = "", require: str = "answer") -> RuleContext:
    named = dict(zip(ids.split(), titles.split("|"), strict=False))
    sources = tuple(Source(id=i, text="Text.", title=named.get(i) or None) for i in ids.split())
    record = AnswerRecord(record_id="r", question="What is the fee?", answer=answer, sources=sources)
    return RuleContext(record, None, RulesConfig(cites=CitesConfig.model_validate({"require": require})))


@pytest.mark.parametrize(
    ("mark", "cited"),
    [
        ("[[1]] and [[2]]", "1 2"),
        ("[1](#source-1)", "1"),
        (".[^1^][^2^]", "1 2"),
        ("【1†source】【2†L10-L12】", "1 2"),
        ("[cite: 1, 2]", "1 2"),
        ("[cite_start]95[cite: 1]", "1"),
        ("<sup>1</sup>", "1"),
        ("<sup>[1]</sup>", "1"),
        ("<cite>1</cite>", "1"),
        ("<cite>1, 2</cite>", "1 2"),
        ("<source>1</source>", "1"),
        ("<citation>[2]</citation>", "2"),
        ('<ref id="1"/>', "1"),
        ("<doc id=2 />", "2"),
        ("¹ ²", "1 2"),
        ("[1, p. 3]", "1"),
        ("[1 p. 3]", "1"),
        ("[1 §3]", "1"),
        ("[1, § 3]", "1"),
        ("[see 1]", "1"),
        ("[see 1 and 2]", "1 2"),
        ("[cf. 1]", "1"),
        ("[siehe 2]", "2"),
        ("[1/2]", "1 2"),
        ("[1|2]", "1 2"),
        ("[1 + 2]", "1 2"),
        ("[1, and 2]", "1 2"),
        ("［1］［2］", "1 2"),
        ("〔1〕", "1"),
        ("〖2〗", "2"),
        ("(source: [1])", "1"),
        ("&#91;1&#93;", "1"),
        ("[\u200b1]", "1"),
        ("[01]", "1"),
        ("(Doc. 1)", "1"),
        ("[1: 3]", "1"),
        ("[1:3]", "1"),
        ("[1: p. 3]", "1"),
        ("[1: 3; 2: 5]", "1 2"),
        ("[1, lines 3-5]", "1"),
        ("[1, Section 4.2]", "1"),
        ("[1, chap. 3]", "1"),
        ("[1, S. 3 ff.]", "1"),
        ("[1, Price list, 2024]", "1"),
        ("[1: Price list]", "1"),
        ("[1, p. 3, 4]", "1"),
        ("[1, p. 3; 2, p. 4]", "1 2"),
        ("[1 p. 3, 2 p. 4]", "1 2"),
        ("[ID: 2]", "2"),
        ("€ ¹", "1"),
        ("[no. 1]", "1"),
        ("[Nr. 2]", "2"),
        ("[n° 1]", "1"),
        ("[nos. 1 and 2]", "1 2"),
        ("[source no. 1]", "1"),
        ("[Source #2]", "2"),
        ("[S1]", "1"),
        ("[1.]", "1"),
        ("`[1]`", "1"),
        ("`[1][2]`", "1 2"),
        ("`[1]` `[2]`", "1 2"),
        ("[1~2]", "1 2"),
        ("【1～2】", "1 2"),
        ("\\cite{1}", "1"),
        ("[@1]", "1"),
        ("$^{[1]}$", "1"),
    ],
)
def test_a_mark_in_the_wild_names_its_source(mark: str, cited: str):
    """Each of them stands behind a claim, as products write it."""
    context = _context(f"The fee is 95 euros {mark}.")

    assert context.cited.cited == tuple(cited.split())
    assert cites(context, context.config.cites).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("mark", "ids", "titles", "cited"),
    [
        ("【4:1†price.pdf】", "price.pdf b.pdf", "", "price.pdf"),
        ("[Source: Price list]", "x1 x2", "Price list|Rules", "x1"),
        ('(Source: "Price list")', "x1 x2", "Price list|Rules", "x1"),
        ("<source>doc-12</source>", "doc-12 doc-13", "", "doc-12"),
        ("[kb/12, kb/13]", "kb/12 kb/13", "", "kb/12 kb/13"),
        ("[handbook.pdf#page=3]", "handbook.pdf b.pdf", "", "handbook.pdf"),
    ],
)
def test_a_mark_by_name_names_its_source(mark: str, ids: str, titles: str, cited: str):
    """A file name, a title or an id inside a mark goes before any number in it."""
    assert _context(f"The fee is 95 euros {mark}.", ids, titles=titles).cited.cited == tuple(cited.split())


@pytest.mark.parametrize(
    "text",
    [
        "Use the pattern [0-9]+ for digits",
        "Use [a-z0-9] and [1-9]\\d* for names",
        "Match [0-9] here",
        "We answer [24/7] on the phone",
        "See page [3/7] of the scan",
        "Press [F5] to reload",
        "The sum of a[1] and a[2] is 95",
        "The vector [0.5, 0.5] is short",
        "Levels [A1] and [B2] exist",
        "- [ ] to do\n- [x] done",
        "Timestamps [00:12:30] mark it",
        "The address [::1]:8080 is local",
        "[18F]FDG and [3H]thymidine are used",
        "The [WARNING] line",
        "The area is 5 sec ² and 10 ⁶ items",
        "The function returns [1, 2]",
        "x = [1, 2]",
        "The list [1, 2, 3] has three items",
        "Given the array [2, 1], sort it",
        "It prints [1, 2] when `run()` returns [1, 2]",
        "Output: [1, 2]",
        "The tensor has shape [2, 1]",
        "Let $x \\in [1, 2]$ be given",
        "Use `[1]` to get the second item",
        "Press `[2]` to go on",
        "Water and oil are mixed at a ratio of [1:2]",
        "At [1:30] he speaks",
        "Issue [no. 7] tells more",
        "Press [2] to hear more",
        "Choose option [2] then",
        "For [2 - 4 people] and the [3. Platz]",
        "Seat [S7] is free",
    ],
)
def test_a_bracket_of_another_trade_cites_nothing(text: str):
    """Regular expressions, keys, times, isotopes and page counts are no citations of sources that were never sent."""
    context = _context(f"{text} [1].")

    assert context.cited.cited == ("1",)
    assert not context.cited.unknown


@pytest.mark.parametrize(
    "text",
    [
        "The function returns an error [1, 2].",
        "Investors expect higher returns [1, 2].",
        "This stands on the list [1, 2].",
        "The antenna is an array [1, 2].",
        "The value is set to `5` by default [1, 2].",
        "`pip install x` installs it [1, 2].",
    ],
)
def test_marks_behind_a_claim_about_lists_or_code_still_cite(text: str):
    """Only what stands where a literal list would is one."""
    assert _context(text).cited.cited == ("1", "2")


@pytest.mark.parametrize(
    ("tail", "listed"),
    [
        (" (Sources: [1], [2])", "1 2"),
        ("\n\n---\n*Sources: [1], [2]*", "1 2"),
        ("\n\n### Sources\n- [1] Price list\n- [2] Rules\n\nLet me know if you need more!", "1 2"),
    ],
)
def test_a_list_of_sources_may_be_bracketed_or_followed_by_a_courtesy(tail: str, listed: str):
    """What is only listed is no use, wherever the list stands at the end."""
    cited = _context(f"The fee is 95 euros [1].{tail}").cited

    assert (cited.cited, cited.listed) == (("1",), tuple(listed.split()))


def test_a_claim_behind_the_list_is_read_as_part_of_the_answer():
    """Only a courtesy may follow a list; what claims something still needs its citation."""
    answer = "The fee is 95 euros [1].\n\nSources:\n- [1] Price list\n\nThe notice period is 30 days."

    context = _context(answer, require="sentence")

    assert cites(context, context.config.cites).outcome is Outcome.FAIL
