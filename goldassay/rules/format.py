"""Rule `format`: the answer has the shape the settings ask for: JSON, a pattern, paragraphs, lists, tables, headings.

Looks at the answer as given to the user, not at its normal form. Off until one of
its settings is set.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from goldassay.rules.context import RuleContext
from goldassay.rules.json_schema import schema_validator
from goldassay.rules.linear_regex import matches
from goldassay.rules.settings import FormatConfig
from goldassay.verdicts import Category, Finding, Outcome

__all__ = ["VERSION", "format_"]

VERSION = "1"
_FENCED = re.compile(r"\A\s*```[A-Za-z0-9]{0,10}\s*\n(.*)\n\s*```\s*\Z", re.DOTALL)
_PARAGRAPH_BREAK = re.compile(r"\n[ \t]*\n")
_PARTS: dict[str, re.Pattern[str]] = {
    "heading": re.compile(r"^[ ]{0,3}#{1,6}[ \t]+\S", re.MULTILINE),
    "bullet_list": re.compile(r"^[ \t]{0,12}[-*+•][ \t]+\S", re.MULTILINE),
    "numbered_list": re.compile(r"^[ \t]{0,12}\d{1,3}[.)][ \t]+\S", re.MULTILINE),
    "table": re.compile(r"^[ \t]{0,3}\|?[ \t]{0,9}:?-{2,100}:?[ \t]{0,9}\|[-|: \t]{0,500}$", re.MULTILINE),
    "code_block": re.compile(r"^[ \t]{0,12}(?:```|~~~)", re.MULTILINE),
    "html": re.compile(r"</?[A-Za-z][A-Za-z0-9]{0,20}(?:[ \t][^<>\n]{0,200})?/?>"),
    "image": re.compile(r"!\[[^\]\n]{0,200}\]\("),
    "bold": re.compile(r"\*\*[^\s*]|__[^\s_]"),
    "emoji": re.compile("[\U0001f300-\U0001faff\u2600-\u27bf]"),
}
_MOST_PROBLEMS = 5


def format_(context: RuleContext, config: FormatConfig) -> Finding:
    """Every set demand on the answer's shape is met."""
    if config == _UNSET:
        return Finding(Outcome.SKIP, reason="no format is set")
    answer = context.record.answer
    if not answer.strip():
        return Finding(Outcome.FAIL, Category.INCOMPLETE, "the answer is empty")
    if config.spares_refusals and context.is_refusal:
        return Finding(Outcome.SKIP, reason="a refusal needs no format")
    problems = list(_problems(answer, config))
    if not problems:
        return Finding(Outcome.PASS)
    return Finding(Outcome.FAIL, Category.BAD_FORMAT, "; ".join(problems[:_MOST_PROBLEMS]))


_UNSET = FormatConfig()


def _problems(answer: str, config: FormatConfig) -> Iterator[str]:
    if config.json_schema is not None or config.is_json:
        yield from _json_problems(answer, config)
    if config.pattern is not None and not matches(config.pattern, answer):
        yield f"does not match {config.pattern!r}"
    if config.forbidden_pattern is not None and matches(config.forbidden_pattern, answer):
        yield f"matches the forbidden {config.forbidden_pattern!r}"
    if config.max_paragraphs is not None:
        count = sum(1 for part in _PARAGRAPH_BREAK.split(answer) if part.strip())
        if count > config.max_paragraphs:
            yield f"{count} paragraphs, at most {config.max_paragraphs} allowed"
    yield from (f"holds a {part.replace('_', ' ')}" for part in config.without if _PARTS[part].search(answer))
    yield from (f"holds no {part.replace('_', ' ')}" for part in config.needs if not _PARTS[part].search(answer))


def _json_problems(answer: str, config: FormatConfig) -> Iterator[str]:
    fenced = _FENCED.match(answer) if config.allows_fence else None
    try:
        value = json.loads(fenced.group(1) if fenced else answer, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        yield f"is no JSON: {error}"[:200]
        return
    if config.json_schema is not None:
        validator = schema_validator(json.dumps(config.json_schema, sort_keys=True))
        for breach in list(validator.iter_errors(value))[:_MOST_PROBLEMS]:
            yield f"breaks the schema at {breach.json_path}: {breach.message}"[:200]


def _refuse_constant(name: str) -> None:
    message = f"{name} is no JSON value"
    raise ValueError(message)
