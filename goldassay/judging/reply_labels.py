"""Reads replies that are no JSON: a choice, a labelled line, a tag, or a pattern of the team's own.

A label counts only as a whole word in the place that was agreed; a label that merely
occurs in prose is no verdict, for the prose may be quoting the answer under evaluation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from goldassay.judging.reply_contract import Contract, Fault
from goldassay.judging.reply_fields import EDGE, to_label
from goldassay.judging.reply_text import INVISIBLE, without_reasoning

__all__ = ["Said", "find_said"]

_VERDICT_WORD = re.compile(
    r"(?:final\s+|my\s+|the\s+|overall\s+)*(?:answer|verdict|label|choice|grade|judgement|judgment|decision|rating|result|output)"
    r"(?:\s+is)?\s*[:=\-]\s*",
    re.IGNORECASE,
)
_MARKS = " \t*_#>`-"
"""Markdown that may stand before a line."""
_MARKS_OF_A_NUMBER = _MARKS.replace("-", "")
"""A minus before a number is no bullet: '-4' is not 4."""
_LIST_NUMBER = re.compile(r"[0-9]{1,3}[.)]\s+")


class Said(NamedTuple):
    """What the reply says where the verdict belongs."""

    text: str
    """A label of the contract, or the text of a number."""
    repairs: tuple[str, ...]


def find_said(text: str, contract: Contract) -> Said:
    """The label or number that a reply gives as its verdict.

    Raises:
        Fault: 'unknown_label', 'missing_field', 'ambiguous' or 'no_final_answer'.
    """
    rest, thought, _ = without_reasoning(text)
    find = {"choice": _choice, "labelled_line": _labelled, "tag": _tagged, "regex": _matched}[contract.format]
    said = find(rest.strip(INVISIBLE), contract)
    return said._replace(repairs=tuple(dict.fromkeys((*thought, *said.repairs))))


def _choice(text: str, contract: Contract) -> Said:
    repairs: list[str] = []
    if label := to_label(text, contract.values, contract.synonyms, repairs):
        return Said(label, tuple(repairs))
    if contract.position == "start" and (said := _begins(text, contract)):
        return said
    alone = [said for line in text.splitlines() if (said := _alone(line, contract))]
    if alone:
        return _only(alone, also=("surrounding_text_ignored",))
    mentioned = [label for label in contract.values if _mentions(text, label)]
    raise Fault("ambiguous" if len(mentioned) > 1 else "unknown_label", value=text[:80])


def _begins(text: str, contract: Contract) -> Said | None:
    """The label that a reply, or failing that a line, begins with: 'Yes, because ...'.

    Raises:
        Fault: 'ambiguous' when lines begin with different labels, or another label of several words is named.
    """
    first = _at_start(text, contract)
    found = [said for line in text.splitlines() if (said := _at_start(line, contract))]
    if not found:
        return None
    told = first or _only(found)
    others = (label for label in contract.values if label != told.text and " " in label)
    if any(_mentions(text, label) for label in others):
        raise Fault("ambiguous", value=text[:80])
    whole = text.strip(EDGE).casefold() == told.text.casefold()
    return told if whole else told._replace(repairs=tuple(dict.fromkeys((*told.repairs, "surrounding_text_ignored"))))


def _at_start(line: str, contract: Contract) -> Said | None:
    head = _bare(line).lstrip(EDGE)
    folded = head.casefold()
    spellings = {label: label for label in contract.values} | dict(contract.synonyms)
    fits = [spelling for spelling in spellings if folded.startswith(spelling.casefold())]
    fits = [spelling for spelling in fits if not head[len(spelling) : len(spelling) + 1].isalnum()]
    if not fits:
        return None
    spelling = max(fits, key=len)
    exact = head.startswith(spelling) and spelling in contract.values
    return Said(spellings[spelling], () if exact else ("label_case",))


def _alone(line: str, contract: Contract) -> Said | None:
    """The label that is all a line says, perhaps after a word such as 'Verdict:'."""
    repairs: list[str] = []
    label = to_label(_bare(line), contract.values, contract.synonyms, repairs)
    return Said(label, tuple(repairs)) if label else None


def _bare(line: str) -> str:
    """A line without what may lead up to a label: markdown, the number of a list, a word such as 'Verdict:'."""
    line = _LIST_NUMBER.sub("", line.strip(_MARKS), count=1)
    prefix = _VERDICT_WORD.match(line)
    return (line[prefix.end() :] if prefix else line).strip(_MARKS)


def _mentions(text: str, label: str) -> bool:
    # 'a' is an article, 'A' may be a grade: single letters keep their case.
    flags = re.IGNORECASE if len(label) > 1 else 0
    return re.search(rf"(?<!\w){re.escape(label)}(?!\w)", text, flags) is not None


def _labelled(text: str, contract: Contract) -> Said:
    lines = text.splitlines()
    label = re.compile(rf"{re.escape(contract.label)}\s*[*_`\"]*\s*[:=\uff1a]\s*(.*)", re.IGNORECASE)
    said = []
    for number, line in enumerate(lines):
        if found := label.match(line.strip(_MARKS + "\"'")):
            value = found.group(1).strip(EDGE) or next((rest for rest in lines[number + 1 :] if rest.strip()), "")
            said.append(_value(value.strip(_MARKS if contract.values else _MARKS_OF_A_NUMBER), contract))
    if not said:
        raise Fault("missing_field", missing=[contract.label])
    return _only(said)


def _value(text: str, contract: Contract) -> Said:
    """What stands behind a label: one of the values, perhaps with a remark behind it; or any text for numbers."""
    if not contract.values:
        return Said(text.strip(EDGE), ())
    repairs: list[str] = []
    if label := to_label(text, contract.values, contract.synonyms, repairs):
        return Said(label, tuple(repairs))
    head = re.match(r"[\w.+-]+", text.lstrip(EDGE))
    label = to_label(head.group(), contract.values, contract.synonyms, repairs) if head else None
    if label is None or not head:
        raise Fault("unknown_label", value=text[:80])
    remark = text.lstrip(EDGE)[head.end() :]
    if any(_mentions(remark, other) for other in contract.values if other != label):
        raise Fault("ambiguous", value=text[:80])
    return Said(label, (*repairs, "surrounding_text_ignored"))


def _tagged(text: str, contract: Contract) -> Said:
    tag = re.escape(contract.label)
    found = re.findall(rf"<{tag}>([^<]*)</{tag}>", text, re.IGNORECASE)
    if not found:
        raise Fault("missing_field", missing=[contract.label])
    return _only([_value(value, contract) for value in found])


def _matched(text: str, contract: Contract) -> Said:
    found = [
        next((group for group in match.groups() if group is not None), match.group())
        for match in re.finditer(contract.pattern, text)
    ]
    if not found:
        raise Fault("missing_field", missing=list(contract.required) or [contract.label or "match"])
    if contract.position in {"start", "last"}:
        found = [found[0] if contract.position == "start" else found[-1]]
    return _only([_value(value, contract) for value in found])


def _only(said: Iterable[Said], also: tuple[str, ...] = ()) -> Said:
    """The one thing that was said, however often; two things are ambiguous."""
    every = list(said)
    if len({one.text for one in every}) > 1:
        raise Fault("ambiguous", value=" / ".join(dict.fromkeys(one.text for one in every))[:80])
    return Said(every[-1].text, tuple(dict.fromkeys((*also, *every[-1].repairs))))
