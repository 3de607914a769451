"""Rule `numbers`: every number of the answer stands in the sources it cites."""

from __future__ import annotations

import re

from goldassay.rules.context import RuleContext
from goldassay.rules.settings import NumbersConfig
from goldassay.verdicts import Category, Evidence, Finding, Outcome

__all__ = ["VERSION", "numbers"]

VERSION = "1"
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*")


def numbers(context: RuleContext, config: NumbersConfig) -> Finding:
    """Compare every number of the answer with those of the sources."""
    if not context.record.sources:
        return Finding(Outcome.SKIP, reason="no sources were logged")
    known = context.cited.known if config.look_in == "cited" else ()
    texts = [context.sources[i].text for i in known] or [source.text for source in context.sources]
    there = {_value(m.group()) for text in texts for m in _NUMBER.finditer(text)}
    missing = []
    prose = _without(context.answer.prose, context.cited.spans)
    for match in _NUMBER.finditer(prose):
        if _value(match.group()) not in there:
            start, end = context.answer.to_raw(*match.span())
            missing.append(Evidence("number", context.record.answer[start:end], start, end))
    if missing:
        names = ", ".join(evidence.text for evidence in missing)
        return Finding(Outcome.FAIL, Category.WRONG_NUMBER, f"{names} in none of the sources", tuple(missing))
    return Finding(Outcome.PASS)


def _value(text: str) -> str:
    return text.replace(",", "")


def _without(text: str, spans: tuple[tuple[int, int], ...]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text
