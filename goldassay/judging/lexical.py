"""A judge without a model: grades by the words and numbers that answer and sources share.

Reads the marked sections of the prompt that a real judge would get, so the scripted
server can answer anything plausibly and the same each time. It understands nothing:
demo and tests use it, and nobody should rate an assistant by it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

__all__ = ["Sections", "grade", "is_refusal", "read_sections", "reply_for"]

_BLOCK = re.compile(r"^\[begin ([a-z]{1,20})(?: \d{1,5})? ([0-9a-f]{16})\]$", re.MULTILINE)
_CRITERION = re.compile(r"^Criterion '?([a-z][a-z0-9_]{0,39})'?:", re.MULTILINE)
_SOURCE_ID = re.compile(r'id: "([^"\n]{0,200})"')
_DEEPEST = 8
_WORD = re.compile(r"[^\W\d_]{3,}")
_NUMBER = re.compile(r"\d[\d.,]*")
_CITATION = re.compile(r"\[[^\[\]\n]{1,40}\]")
_REFUSAL = re.compile(
    r"\b(?:cannot|can't|could not|couldn't|unable to|do not (?:say|tell|contain|know)|does not (?:say|tell|contain)|"
    r"don't (?:say|tell|contain|know)|no information|not (?:find|mentioned|stated)|sorry|"
    r"nichts gefunden|nicht gefunden|keine (?:angabe|information)\w*|leider|weiß (?:ich )?nicht|"
    r"n'ai pas trouvé|aucune information|no (?:encontré|he encontrado)|non ho trovato)\b",
    re.IGNORECASE,
)
_REFUSAL_WORDS = 45
"""A longer answer says something besides."""
_STOP = frozenset(
    [
        "the",
        "and",
        "for",
        "that",
        "this",
        "with",
        "from",
        "are",
        "was",
        "were",
        "has",
        "have",
        "had",
        "not",
        "but",
        "you",
        "your",
        "can",
        "will",
        "its",
        "his",
        "her",
        "they",
        "their",
        "our",
        "which",
        "who",
        "what",
        "when",
        "where",
        "how",
        "why",
        "does",
        "did",
        "all",
        "any",
        "each",
        "per",
        "into",
        "over",
        "under",
        "than",
        "then",
        "there",
        "here",
        "been",
        "also",
    ]
)


class Sections(NamedTuple):
    """What stands in a prompt."""

    question: str
    sources: tuple[str, ...]
    answer: str
    reference: str
    criteria: tuple[str, ...]
    source_ids: tuple[str, ...] = ()


def read_sections(prompt: str) -> Sections:
    """The marked sections and the names of the criteria asked for; what is missing is empty."""
    found: dict[str, list[str]] = {}
    end = 0
    for begin in _BLOCK.finditer(prompt):
        if begin.start() < end:
            continue  # it stands inside data
        name = begin.group()[len("[begin ") : -1]
        end = prompt.find(f"\n[end {name}]", begin.end())
        if end < 0:
            break
        found.setdefault(begin[1], []).append(prompt[begin.end() + 1 : end])
    criteria = tuple(dict.fromkeys(match[1] for match in _CRITERION.finditer(prompt, max(end, 0))))
    return Sections(
        _first(found, "question"),
        tuple(_source_text(text) for text in found.get("source", [])),
        _first(found, "answer"),
        _first(found, "reference"),
        criteria,
        tuple(_source_id(text, number) for number, text in enumerate(found.get("source", []), start=1)),
    )


def _source_id(text: str, number: int) -> str:
    found = _SOURCE_ID.match(text)
    return found[1] if found else str(number)


def _first(found: dict[str, list[str]], name: str) -> str:
    return found.get(name, [""])[0]


def _source_text(text: str) -> str:
    return text.partition("text:\n")[2] or text


def reply_for(sections: Sections, schema: Mapping[str, Any] | None = None) -> str:
    """The reply of a judge that follows the prompt, in the shape that was asked for.

    Args:
        sections: What stands in the prompt.
        schema: JSON schema of the reply; None: one grade, or one for each criterion.
    """
    names = sections.criteria or ("faithful",)
    if schema is not None:
        return json.dumps(_shaped(schema, sections, names[0]), ensure_ascii=False)
    if len(names) == 1:
        return json.dumps(grade(sections, names[0]), ensure_ascii=False)
    return json.dumps({name: grade(sections, name) for name in names}, ensure_ascii=False)


def _shaped(schema: Mapping[str, Any], sections: Sections, name: str, depth: int = 0) -> Any:
    """A value that fits the schema: grades where a score is asked for, claims where claims are."""
    fields = schema.get("properties")
    if not isinstance(fields, Mapping) or depth > _DEEPEST:
        return _plain_value(schema)
    if "score" in fields:
        return _fitting(grade(sections, name), fields)
    if "claims" in fields:
        return {"claims": [_claim(sentence, sections) for sentence in _sentences(sections.answer)]}
    return {key: _shaped(part, sections, key, depth + 1) for key, part in fields.items()}


def _fitting(graded: dict[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    fitting = {key: graded.get(key, _plain_value(part)) for key, part in fields.items()}
    allowed = fields.get("category", {}).get("enum")
    if allowed and fitting.get("category") not in allowed:
        fitting["category"] = "other" if "other" in allowed else allowed[0]
    return fitting


def _plain_value(schema: Mapping[str, Any]) -> Any:
    if schema.get("enum"):
        return schema["enum"][0]
    return {"integer": schema.get("minimum", 1), "number": schema.get("minimum", 1), "boolean": True, "array": []}.get(
        str(schema.get("type")), "as the words are"
    )


def _sentences(answer: str) -> list[str]:
    if is_refusal(answer):
        return []
    return [part for part in re.split(r"(?<=[.!?])\s+", answer.strip()) if _WORD.search(part)]


def _claim(sentence: str, sections: Sections) -> dict[str, Any]:
    graded = _faithful(sections._replace(answer=sentence))
    supported = graded["score"] >= 4
    said = _words(sentence)
    nearest = max(enumerate(sections.sources), key=lambda numbered: len(said & _words(numbered[1])), default=(0, ""))
    verdict = "supported" if supported else "contradicted" if graded["category"] == "wrong_number" else "not_found"
    ids = [sections.source_ids[nearest[0]]] if sections.sources and verdict != "not_found" else []
    return {"claim": sentence, "reason": graded["reason"], "sources": ids, "verdict": verdict}


def grade(sections: Sections, criterion: str) -> dict[str, Any]:
    """Reason, score 1-5 and category for one criterion."""
    if criterion.startswith("relevant"):
        return _relevant(sections)
    if criterion.startswith("correct"):
        return _overlap_grade(sections.answer, [sections.reference], "the reference", "missing_fact")
    return _faithful(sections)


def is_refusal(answer: str) -> bool:
    """Whether the answer only says that it cannot answer."""
    return len(answer.split()) <= _REFUSAL_WORDS and _REFUSAL.search(answer) is not None


def _faithful(sections: Sections) -> dict[str, Any]:
    if is_refusal(sections.answer):
        return _made("A refusal claims nothing, so it is supported.", 5)
    answer = _CITATION.sub(" ", sections.answer)
    known = {_plain(number) for source in sections.sources for number in _NUMBER.findall(source)}
    missing = [number for number in _NUMBER.findall(answer) if _plain(number) not in known]
    if missing:
        return _made(f"The sources do not say {missing[0].rstrip('.,')}.", 1, "wrong_number")
    return _overlap_grade(answer, list(sections.sources), "the sources", "added_claim")


def _relevant(sections: Sections) -> dict[str, Any]:
    if is_refusal(sections.answer):
        return _made("It says that the question cannot be answered.", 4)
    asked, said = _words(sections.question), _words(sections.answer)
    if not asked:
        return _made("The question names nothing to look for.", 4)
    share = len(asked & said) / len(asked)
    score = 5 if share >= 0.4 else 4 if share > 0 else 2
    reason = f"It speaks to {len(asked & said)} of {len(asked)} words of the question."
    return _made(reason, score, "none" if score >= 4 else "off_topic")


def _overlap_grade(text: str, others: list[str], named: str, category: str) -> dict[str, Any]:
    said = _words(text)
    there = _words(" ".join(others))
    if not said:
        return _made("It claims nothing.", 5)
    new = sorted(said - there)
    share = 1 - len(new) / len(said)
    score = 5 if share >= 0.8 else 4 if share >= 0.6 else 3 if share >= 0.45 else 2 if share >= 0.25 else 1
    if score >= 4:
        return _made(f"{share:.0%} of its words stand in {named}.", score)
    whole = {word.casefold()[:6]: word.casefold() for word in reversed(_WORD.findall(text))}
    return _made(f"Not in {named}: {', '.join(whole[stem] for stem in new[:5])}.", score, category)


def _made(reason: str, score: int, category: str = "none") -> dict[str, Any]:
    return {"reason": reason, "score": score, "category": category}


def _words(text: str) -> set[str]:
    """Content words, cut to their first six letters: a poor man's stem, good for many languages."""
    return {word.casefold()[:6] for word in _WORD.findall(text)} - _STOP


def _plain(number: str) -> str:
    return number.rstrip(".,").replace(",", "").replace(".", "")
