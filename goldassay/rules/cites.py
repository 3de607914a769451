"""Rule `cites`: the answer cites, and whatever it cites was really sent.

Knows the marks of the answer and the ids of the sources, not what the sources
say (`goldassay.rules.cited_support`). Other rules ask `RuleContext.cited`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from goldassay.rules._number_index import read_numbers
from goldassay.rules._number_model import Kind, Number
from goldassay.rules.cites_base import detect_base
from goldassay.rules.cites_resolve import resolve_citations
from goldassay.rules.context import RuleContext
from goldassay.rules.refusal_detect import claims_nothing
from goldassay.rules.settings import CitesConfig
from goldassay.text import sentences
from goldassay.verdicts import Category, Evidence, Finding, Outcome

__all__ = ["VERSION", "CitedSentence", "cited_sentences", "cites", "detect_base", "resolve_citations"]

VERSION = "1"
_ENDS = (".", "!", "?", "。", '"', ")", "]")
_MOST_SHOWN = 50
_FEW = 5
"""Numbers of a sentence that are read to see whether it holds one."""
_MARK_STARTS = ("[", "【", "〔", "〖", "(", *"⁰¹²³⁴⁵⁶⁷⁸⁹")


class CitedSentence(NamedTuple):
    """One sentence of the answer with the sources it cites."""

    start: int
    end: int
    """Span in `context.answer.text`, marks included."""
    known: tuple[int, ...]
    """Positions in `record.sources` of the cited ones that were sent."""
    is_cited: bool
    """Whether any mark belongs to it, known or not."""


def cites(context: RuleContext, config: CitesConfig) -> Finding:
    """Every cited source was sent, and the answer cites where the setting asks for it."""
    if not context.record.answer.strip():
        return _empty(config)
    if not context.record.sources:
        return Finding(Outcome.SKIP, reason="no sources were logged")
    cited = context.cited
    if cited.unknown:
        names = ", ".join(cited.unknown[:10])
        sent = ", ".join(source.id for source in context.record.sources[:10])
        reason = f"cites {names}, which was never sent (sent: {sent})"
        return Finding(Outcome.FAIL, Category.BAD_CITATION, reason, _mark_evidence(context, known=False))
    if context.is_refusal:
        return _of_refusal(context)
    return _required(context, config)


def _empty(config: CitesConfig) -> Finding:
    if config.require == "none":
        return Finding(Outcome.SKIP, reason="the answer is empty")
    return Finding(Outcome.FAIL, Category.INCOMPLETE, "the answer is empty")


def _of_refusal(context: RuleContext) -> Finding:
    if not context.cited.cited:
        return Finding(Outcome.PASS, reason="a refusal needs no citation")
    return Finding(
        Outcome.PASS,
        reason="the refusal names the sources it searched",
        evidence=(Evidence("flag", "refusal_with_citation"),),
    )


def _required(context: RuleContext, config: CitesConfig) -> Finding:
    """Whether citations stand wherever they are asked for."""
    if config.require != "none" and not context.cited.known:
        if _asks_only(context):
            return Finding(Outcome.SKIP, reason="the answer only asks back")
        if context.is_refusal is None:
            return Finding(
                Outcome.UNSURE, Category.MISSING_CITATION, "cites nothing; it may be a refusal, which need not"
            )
        reason = "the answer cites nothing"
        if context.cited.listed:
            reason = "the answer lists sources at its end but cites none where it uses them"
        return Finding(Outcome.FAIL, Category.MISSING_CITATION, reason)
    if config.require in {"sentence", "claim_with_number"}:
        bare = _uncited(context, only_numbers=config.require == "claim_with_number")
        if bare:
            kind = "with a number " if config.require == "claim_with_number" else ""
            reason = f"{len(bare)} sentence{'s' if len(bare) > 1 else ''} {kind}without a citation"
            return Finding(Outcome.FAIL, Category.MISSING_CITATION, reason, tuple(bare[:20]))
    flags = tuple(Evidence("flag", flag) for flag in context.cited.flags)
    return Finding(Outcome.PASS, evidence=(*_mark_evidence(context, known=True), *_sources_named(context), *flags))


def _mark_evidence(context: RuleContext, *, known: bool) -> tuple[Evidence, ...]:
    """The marks that name a source that was sent (or one that was not), as they stand in the answer."""
    marks: list[Evidence] = []
    answer, cited, sources = context.answer, context.cited, context.record.sources
    for start, end, positions in cited.uses:
        if known and not positions:
            continue
        begin, close = answer.to_raw(start, end)
        text = answer.raw[begin:close]
        if known or not positions or any(name in text for name in cited.unknown):
            # One mark may name several sources; reports split the ids again.
            ids = ", ".join([sources[position].id for position in positions]) or None
            marks.append(Evidence("citation", text, begin, close, ids))
    return tuple(marks[:_MOST_SHOWN])


def _sources_named(context: RuleContext) -> tuple[Evidence, ...]:
    """The sources that the marks lead to, by id and title, so that a report can show them."""
    sources = context.record.sources
    named = [sources[position] for position in context.cited.known[:_MOST_SHOWN]]
    return tuple([Evidence("cited", source.title or source.id, None, None, source.id) for source in named])


def _asks_only(context: RuleContext) -> bool:
    text = context.answer.text
    return all(text[start:end].rstrip("\"') ").endswith(("?", "？")) for start, end in sentences(context.answer))


def _uncited(context: RuleContext, *, only_numbers: bool) -> list[Evidence]:
    """Sentences that claim something without a citation."""
    text = context.answer.text
    bare: list[Evidence] = []
    for sentence in cited_sentences(context):
        claim = text[sentence.start : sentence.end].strip()
        if sentence.is_cited or not _needs_citation(claim, only_numbers=only_numbers):
            continue
        start, end = context.answer.to_raw(sentence.start, sentence.end)
        if not _is_heading(context.record.answer, start, end):
            bare.append(Evidence("sentence", context.record.answer[start:end], start, end))
    return bare


def _needs_citation(claim: str, *, only_numbers: bool) -> bool:
    """Whether a sentence claims something: no heading, question, courtesy, nor that something is missing."""
    if claim.endswith((":", "?", "？", "：")) or claim.startswith("#"):
        return False
    if only_numbers and not _holds_number(claim):
        return False
    if not re.search(r"[^\W\d_]{2}|[\u3040-\u9fff]", claim):
        return False
    return not claims_nothing(claim)


def _holds_number(claim: str) -> bool:
    """Digits or number words; 'one of them' and 'first' count nothing, nor does a list marker."""
    bare = re.sub(r"\A\s*\d{1,3}[.)]\s", "", claim)
    if re.search(r"\d", bare):
        return True
    return any(_counts(number) for number in read_numbers(bare, limit=_FEW))


def _counts(number: Number) -> bool:
    return number.kind is not Kind.ORDINAL and bool(number.readings) and number.readings[0] not in {0, 1}


def _is_heading(raw: str, start: int, end: int) -> bool:
    """A line of its own in bold: '**Fees**'."""
    before, behind = raw[max(0, start - 2) : start], raw[end : end + 3]
    return before == "**" and behind.startswith("**") and behind[2:3] in {"", "\n", "\r"}


def cited_sentences(context: RuleContext) -> list[CitedSentence]:
    """Sentences of the answer before its list of sources, each with the sources cited in or right behind it."""
    text = context.answer.text
    uses = context.cited.uses
    close = _body_end(context)
    found: list[CitedSentence] = []
    next_use = 0
    for begin, end in sentences(context.answer):
        if begin >= close:
            break
        inside: list[_UseSpan] = []
        while next_use < len(uses) and uses[next_use][0] < end:
            inside.append(uses[next_use])
            next_use += 1
        lead = _leading(text, begin, inside) if found and text.endswith(_ENDS, 0, found[-1].end) else []
        start = begin
        if lead:
            found[-1] = _joined(found[-1], lead)
            inside = inside[len(lead) :]
            start = lead[-1][1]
        if text[start:end].strip(" .,;"):
            known = tuple(sorted({position for use in inside for position in use[2]}))
            found.append(CitedSentence(start, min(end, close), known, bool(inside)))
    return found


_UseSpan = tuple[int, int, tuple[int, ...]]


def _leading(text: str, start: int, uses: list[_UseSpan]) -> list[_UseSpan]:
    """The marks at the very beginning of a sentence: they stand behind the full stop of the one before."""
    lead: list[_UseSpan] = []
    for use in uses:
        if text[start : use[0]].strip(" .,;") or not text.startswith(_MARK_STARTS, use[0]):
            break
        lead.append(use)
        start = use[1]
    return lead


def _joined(sentence: CitedSentence, lead: list[_UseSpan]) -> CitedSentence:
    known = tuple(sorted({*sentence.known, *(position for use in lead for position in use[2])}))
    return sentence._replace(end=lead[-1][1], known=known, is_cited=True)


def _body_end(context: RuleContext) -> int:
    """Where the closing list of sources begins; a courtesy may stand behind it."""
    spans = context.cited.spans
    if spans and not any(use[0] == spans[-1][0] for use in context.cited.uses):
        return spans[-1][0]
    return len(context.answer.text)
