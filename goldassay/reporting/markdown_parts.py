"""Blocks that the Markdown of a run and of a comparison share, and how untrusted text becomes harmless in them.

No HTML and no live Markdown comes from data: brackets, pipes, backticks and
HTML are escaped, and mentions, issue numbers and bare addresses are broken with an
invisible word joiner, because hosting sites link them after rendering.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from goldassay.analytics.gate_words import gate_sentence
from goldassay.analytics.models import Change, Example, GateResult, GateState, Notice, QuestionChange
from goldassay.reporting.changes import ChangedQuestion, besides_text, by_question
from goldassay.reporting.safe import excerpt
from goldassay.reporting.words import count_text, joined, plural

__all__ = [
    "LIMIT_BYTES",
    "answer_text",
    "changes_block",
    "gate_block",
    "inline",
    "notices_block",
    "table",
    "within",
]

LIMIT_BYTES = 60_000
"""GitHub takes 65,536 characters in a comment; the rest is room for what a bot puts around it."""
_JOINER = "\u2060"
_SPECIAL = frozenset("\\`*_[]|~$")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_LINKED = re.compile(r"@(?=\w)|#(?=\d)|://|(?i:www)(?=\.)|(?i:gh-)(?=\d)")
_ICONS = {"pass": "✅", "fail": "❌", "error": "⚠️", "skip": "⏭️", "unsure": "❔"}


def inline(text: str, limit: int = 300) -> str:
    """Untrusted text for a Markdown line or table cell: seen as it is, doing nothing."""
    broken = _LINKED.sub(lambda match: match.group() + _JOINER, excerpt(text, limit))
    return "".join(_ENTITIES.get(sign) or (f"\\{sign}" if sign in _SPECIAL else sign) for sign in broken)


def within(blocks: Iterable[str], limit_bytes: int, where: str) -> str:
    """Whole blocks while they fit; of the first that does not, whole lines."""
    note = f"\n\n*Cut here to stay under {limit_bytes // 1000} kB; all of it: {where}.*\n"
    room = limit_bytes - len(note.encode())
    lines: list[str] = []
    used = 0
    for line in "\n\n".join(block for block in blocks if block).split("\n"):
        used += len(line.encode()) + 1
        if used > room:
            return "\n".join(lines).rstrip() + note
        lines.append(line)
    return "\n".join(lines) + "\n"


def table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; a header that ends in '>' is of a column of figures."""
    marks = ("---:" if header.endswith(">") else "---" for header in headers)
    names = " | ".join(header.rstrip(">") for header in headers)
    lines = [f"| {names} |", f"| {' | '.join(marks)} |", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join(lines)


def notices_block(notices: Sequence[Notice]) -> str:
    """What must be known before the numbers are trusted."""
    icons = {"alarm": "🚨", "warning": "⚠️", "info": "💡"}
    return "\n".join(f"> {icons[notice.level]} {inline(notice.text, 600)}  " for notice in notices)


def gate_block(gate: GateResult | None, answers: Change | None = None) -> str:
    """The gate's answer, and the conditions that do not hold line by line; '' without one."""
    if gate is None:
        return ""
    icons = {GateState.PASS: "✅", GateState.FAIL: "❌", GateState.NOT_EVALUABLE: "❔"}
    doubts = f" Fell, but it may be chance: {inline(joined(gate.doubts))}." if gate.doubts else ""
    rows = [
        (icons[state], inline(condition), inline(found))
        for condition, state, found in gate.conditions
        if state is not GateState.PASS
    ]
    conditions = "\n\n" + table(("", "condition", "found"), rows) if rows else ""
    return f"**{icons[gate.state]} Gate {inline(gate_sentence(gate, answers))}.**{doubts}{conditions}"


def changes_block(
    kind: str,
    changes: Sequence[QuestionChange],
    *,
    answers: int | None,
    sides: tuple[str, str],
    verdicts: int | None = None,
    most: int | None = None,
) -> str:
    """A table with one row an answer that changed as a whole, and a line for the others; '' without any.

    Args:
        kind: 'broke', 'fixed' or 'still failing'.
        changes: The first of all changed verdicts.
        answers: Whole answers that changed so; None where no gate check tells: then every question has its row.
        sides: Names of base and head.
        verdicts: All verdicts that changed so, where their number is to be told.
        most: Rows; None: all that are listed.
    """
    if not changes:
        return ""
    found = by_question(changes)
    told = [row for row in found if row.is_answer or answers is None]
    besides = [row for row in found if row not in told]
    headers = ("question", "checks", *map(inline, sides), "reason")
    parts = [f"### {_changed(kind, answers, verdicts)}"]
    parts.append(table(headers, map(_change_row, told[:most])) if told else "")
    parts.append(_cut_note(len(told[:most]), max(answers or 0, len(told))))
    parts.append(inline(besides_text(besides, kind), 400) if besides else "")
    return "\n\n".join(part for part in parts if part)


def _cut_note(listed: int, total: int) -> str:
    if not 0 < listed < total:
        return ""
    return "The first of them." if listed == 1 else f"The first {count_text(listed)} of them."


def _changed(kind: str, answers: int | None, verdicts: int | None) -> str:
    """'13 answers broke', and with the verdicts '13 answers broke (29 verdicts)'."""
    if answers is None:
        return f"{plural(verdicts or 0, 'verdict')} {kind}"
    beside = "" if verdicts is None else f" ({plural(verdicts, 'verdict')})"
    return f"{plural(answers, 'answer')} {kind}{beside}"


def _change_row(each: ChangedQuestion) -> list[str]:
    row = [inline(each.question, 160), inline(joined(each.checks)), answer_text(each.base), answer_text(each.head)]
    return [*row, _why(each)]


def answer_text(example: Example) -> str:
    """An answer behind the icon of its outcome."""
    return f"{_ICONS.get(example.outcome, '')} {inline(example.answer, 240)}".strip()


def _why(changed: ChangedQuestion) -> str:
    says = changed.head_says or changed.base_says
    return "; ".join(inline(f"{check}: {reason}" if len(says) > 1 else reason, 200) for check, reason in says[:3])
