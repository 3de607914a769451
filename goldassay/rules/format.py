"""Rule `format`: the answer has the shape the settings ask for: JSON, a pattern, paragraphs, lists, tables, headings.

Looks at the answer as given to the user, not at its normal form. Off until one of
its settings is set.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from goldassay.rules.context import RuleContext
from goldassay.rules.json_schema import schema_validator
from goldassay.rules.linear_regex import matches
from goldassay.rules.settings import FormatConfig
from goldassay.verdicts import Category, Finding, Outcome

__all__ = ["VERSION", "format_"]

VERSION = "1"
# A fence of more marks may hold one of three; models also write it on one line.
_FENCED = re.compile(
    r"\A\s*(?P<fence>`{3,9}|~{3,9})(?:[A-Za-z0-9]{1,10}(?=[\s{\[])|(?=[\s{\[]))(.*)(?P=fence)\s*\Z", re.DOTALL
)
_PARAGRAPH_BREAK = re.compile(
    r"\n[ \t]*\n|\u2029|</p>|<p(?:[ \t][^<>\n]{0,200})?>|<br[ ]?/?>\s{0,9}<br[ ]?/?>", re.IGNORECASE
)
# What shows as a picture by itself, or is told to by U+FE0F; a plain ✓ or ★ is a sign of the text
# (https://unicode.org/reports/tr51/, Emoji_Presentation).
_EMOJI = (
    "[\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff\U0001f004\U0001f0cf\U0001f18e\U0001f191-\U0001f19a"
    "\u231a\u231b\u23e9-\u23ec\u23f0\u23f3\u25fd\u25fe\u2614\u2615\u2648-\u2653\u267f\u2693\u26a1\u26aa\u26ab\u26bd\u26be"
    "\u26c4\u26c5\u26ce\u26d4\u26ea\u26f2\u26f3\u26f5\u26fa\u26fd\u2705\u270a\u270b\u2728\u274c\u274e\u2753-\u2755\u2757"
    "\u2795-\u2797\u27b0\u27bf\u2b1b\u2b1c\u2b50\u2b55]|[\u00a9\u00ae\u203c-\u3299]\ufe0f|[0-9#*]\ufe0f?\u20e3"
)
_PARTS: dict[str, re.Pattern[str]] = {
    "heading": re.compile(r"^[ ]{0,3}#{1,6}[ \t]+\S|<h[1-6](?:[ \t][^<>\n]{0,200})?>", re.MULTILINE | re.IGNORECASE),
    # A line of nothing but dashes or stars parts sections: "* * *".
    "bullet_list": re.compile(
        r"^[ \t>]{0,12}(?!(?:-[ \t]{0,9}){3,40}$|(?:\*[ \t]{0,9}){3,40}$)[-*+•·‣●○◦▪▫■–][ \t]+\S|<ul[\s>]",
        re.MULTILINE | re.IGNORECASE,
    ),
    "numbered_list": re.compile(
        r"^[ \t>]{0,12}(?:\d{1,3}\\?[.)]|\(\d{1,3}\))[ \t]+\S|<ol[\s>]", re.MULTILINE | re.IGNORECASE
    ),
    "table": re.compile(
        r"^[ \t]{0,3}\|?[ \t]{0,9}:?-{1,100}:?[ \t]{0,9}\|[-|: \t]{0,500}$|<table[\s>]", re.MULTILINE | re.IGNORECASE
    ),
    "code_block": re.compile(r"^[ \t]{0,12}(?:```|~~~)", re.MULTILINE),
    "html": re.compile(r"</?[A-Za-z][A-Za-z0-9]{0,20}(?:[ \t][^<>\n]{0,200})?/?>|<!--"),
    "image": re.compile(r"!\[[^\]\n]{0,200}\]\(|<img[\s>]", re.IGNORECASE),
    # "__init__(self)" is code; an underscore inside a word makes nothing bold.
    "bold": re.compile(r"\*\*[^\s*]|(?<![\w])__(?=[^\s_])[^\n]{0,300}?[^\s_]__(?![\w(])|<(?:b|strong)>", re.IGNORECASE),
    "emoji": re.compile(_EMOJI),
}
_OF_THE_WHOLE = frozenset({"code_block", "emoji"})
"""Parts that are looked for in code as well."""
_UNDERLINE = re.compile(r"(?<=\S)[ \t]{0,9}\n[ ]{0,3}(?:=={1,200}|--{1,200})[ \t]{0,9}$", re.MULTILINE)
"""The line below a heading."""
_NO_HEADING = re.compile(r"[ \t]{0,12}(?:[-*+•>|#]|\d{1,3}[.)])|[ ]{4}")
_FENCE = re.compile(r"^[ \t]{0,12}(`{3,9}|~{3,9})", re.MULTILINE)
_INLINE_CODE = re.compile(r"`[^`\n]{1,400}`")
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
    # RE2's `$` is the very end; a line break there is no part of what was said.
    if (
        config.pattern is not None
        and not matches(config.pattern, answer)
        and not matches(config.pattern, answer.rstrip())
    ):
        yield f"does not match {config.pattern!r}"
    if config.forbidden_pattern is not None and matches(config.forbidden_pattern, answer):
        yield f"matches the forbidden {config.forbidden_pattern!r}"
    yield from _shape_problems(answer.replace("\r\n", "\n").replace("\r", "\n"), config)


def _shape_problems(answer: str, config: FormatConfig) -> Iterator[str]:
    if config.max_paragraphs is not None:
        count = sum(1 for part in _PARAGRAPH_BREAK.split(answer) if part.strip())
        if count > config.max_paragraphs:
            yield f"{count} paragraphs, at most {config.max_paragraphs} allowed"
    if not config.without and not config.needs:
        return
    prose = _without_code(answer)
    yield from (f"holds a {part.replace('_', ' ')}" for part in config.without if _has(part, answer, prose))
    yield from (f"holds no {part.replace('_', ' ')}" for part in config.needs if not _has(part, answer, prose))


def _has(part: str, answer: str, prose: str) -> bool:
    if _PARTS[part].search(answer if part in _OF_THE_WHOLE else prose):
        return True
    return part == "heading" and any(_is_heading(prose, match.start()) for match in _UNDERLINE.finditer(prose))


def _is_heading(text: str, end: int) -> bool:
    """Whether the line that ends there may be a heading: below an entry of a list a row of dashes parts paragraphs."""
    return _NO_HEADING.match(text, text.rfind("\n", 0, end) + 1) is None


def _without_code(answer: str) -> str:
    """The answer without code: '# comment' in a shell script is no heading."""
    parts: list[str] = []
    done = 0
    while opening := _FENCE.search(answer, done):
        parts.append(answer[done : opening.start()])
        close = answer.find(opening.group(1), opening.end())
        done = len(answer) if close < 0 else close + len(opening.group(1))
    parts.append(answer[done:])
    return _INLINE_CODE.sub("", "\n".join(parts))


def _json_problems(answer: str, config: FormatConfig) -> Iterator[str]:
    fenced = _FENCED.match(answer) if config.allows_fence else None
    try:
        text = fenced.group(2) if fenced else answer.removeprefix("\ufeff")
        value = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_without_doubles)
    except (ValueError, RecursionError) as error:
        yield f"is no JSON: {error}"[:200]
        return
    if config.json_schema is not None:
        validator = schema_validator(json.dumps(config.json_schema, sort_keys=True))
        for breach in list(validator.iter_errors(value))[:_MOST_PROBLEMS]:
            yield f"breaks the schema at {breach.json_path}: {breach.message}"[:200]


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Readers of JSON differ on which of two values counts, so that nobody knows what the answer says."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found and found[key] != value:
            message = f"the key {key[:50]!r} stands twice with different values"
            raise ValueError(message)
        found[key] = value
    return found


def _refuse_constant(name: str) -> None:
    message = f"{name} is no JSON value"
    raise ValueError(message)
