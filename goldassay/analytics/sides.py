"""What stands behind the two sides of a comparison, and whether they were graded alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from goldassay.analytics.models import Notice
from goldassay.analytics.models_reports import Side

__all__ = ["AboutSides"]


class AboutSides:
    """Rows of sql/sides.sql: per side and check the runs, versions and judges."""

    def __init__(self, rows: Iterable[tuple[Any, ...]]) -> None:
        self.rows = list(rows)

    def side(self, label: str, answers: int, *, head: bool) -> Side:
        """Describe one side."""
        rows = [row for row in self.rows if bool(row[0]) is head]
        moments = [row[7] for row in rows if row[7]], [row[8] for row in rows if row[8]]
        return Side(
            label=label,
            run_ids=tuple(sorted({run for row in rows for run in row[3]})),
            app_versions=tuple(sorted({version for row in rows for version in row[4]})),
            answers=answers,
            first_seen=min(moments[0], default=None),
            last_seen=max(moments[1], default=None),
            judges=tuple(sorted({judge for row in rows for judge in _judges(row)})),
            rule_versions=tuple(sorted(f"{row[1]} {v}" for row in rows if row[2] == "rule" for v in row[5])),
        )

    def notices(self) -> list[Notice]:
        """Say loudly where the sides were graded by different judges, rubrics or rule versions."""
        by_check: dict[tuple[str, str], dict[bool, tuple[Any, ...]]] = {}
        for row in self.rows:
            by_check.setdefault((row[1], row[2]), {})[bool(row[0])] = row
        both = [(check, sides) for check, sides in by_check.items() if len(sides) == 2]
        rules = [_rule_notice(check, sides) for (check, kind), sides in both if kind == "rule"]
        judges = _judge_notices([(check, sides) for (check, kind), sides in both if kind == "judge"])
        return [*judges, *(notice for notice in rules if notice is not None)]


def _judges(row: Sequence[Any]) -> set[str]:
    return {_judge_text(judge) for judge in row[6] or ()}


def _judge_text(judge: Mapping[str, Any]) -> str:
    reported = judge["reported"]
    model = f"{judge['provider']}/{judge['model']}"
    if reported and reported != judge["model"]:
        model += f" (as {reported})"
    return f"{model}, rubric {judge['rubric']} {judge['version']}"


def _rule_notice(check: str, sides: Mapping[bool, Sequence[Any]]) -> Notice | None:
    base, head = sorted(map(str, sides[False][5])), sorted(map(str, sides[True][5]))
    if base == head:
        return None
    text = f"{check}: version {', '.join(base)} in the base, {', '.join(head)} in the head"
    return Notice("rule_version_differs", "alarm", f"{text}; a change may come from the rule, not from the assistant")


def _judge_notices(checks: Sequence[tuple[str, Mapping[bool, Sequence[Any]]]]) -> list[Notice]:
    differing = [(check, sides) for check, sides in checks if _judges(sides[False]) != _judges(sides[True])]
    grouped_by_text: dict[str, list[str]] = {}
    for check, sides in differing:
        base, head = ("; ".join(sorted(_judges(sides[side]))) for side in (False, True))
        grouped_by_text.setdefault(f"{base} in the base, {head} in the head", []).append(check)
    return [
        Notice(
            "judge_version_differs",
            "alarm",
            f"{', '.join(names)}: judged by {text}; a change may come from the judge, not from the assistant",
        )
        for text, names in grouped_by_text.items()
    ]
