"""Makes the full rows of the rules quickly: what `Verdict(...)` gives, in an eighth of its time.

A frozen dataclass sets its fields one by one through `object.__setattr__`, which took as long for ten rows as the
larger rules take for their work. A row is therefore filled as a `_Draft`, which has the very same slots but is not
frozen, and then becomes a `Verdict`; nobody sees a draft. A test holds such rows equal to those of `Verdict(...)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, field, fields, make_dataclass
from typing import Any

from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.rules.settings import Severity
from goldassay.verdicts import Finding, RunStamp, Verdict, record_columns

__all__ = ["rule_rows"]


def _same_field(named: Field[Any]) -> tuple[str, Any, Any]:
    """The field as a draft has it: its default is the verdict's, None where that has none."""
    if named.default_factory is not MISSING:
        return named.name, named.type, field(default_factory=named.default_factory)
    return named.name, named.type, field(default=None if named.default is MISSING else named.default)


_Draft: Any = make_dataclass("_Draft", map(_same_field, fields(Verdict)), slots=True, eq=False, repr=False)
_NAMES = [named.name for named in fields(Verdict)]
_SHARED = {named.name: named.default for named in fields(Verdict)[: _NAMES.index("check")]}
"""The columns before `check`, which all rows of one record share, with their defaults."""


def rule_rows(
    record: AnswerRecord,
    golden: GoldenQuestion | None,
    stamp: RunStamp | None,
    found: Iterable[tuple[str, Finding]],
    labels: Mapping[str, tuple[str, Severity]],
) -> list[Verdict]:
    """One full row per finding of a record, in their order.

    Args:
        record: The record.
        golden: Its golden question, if any.
        stamp: What all rows of the run share; None: a plain check.
        found: The findings by name of their rule.
        labels: Version and severity of each rule.
    """
    columns = _SHARED | record_columns(record, golden) | (stamp._asdict() if stamp is not None else {})
    shared = tuple(columns.values())
    return [_row(shared, name, *labels[name], finding) for name, finding in found]


def _row(shared: tuple[Any, ...], name: str, version: str, severity: Severity, finding: Finding) -> Verdict:
    outcome, category, reason, evidence, score = finding
    no_scale = (None, None, None)
    row = _Draft(*shared, name, "rule", version, outcome, score, *no_scale, category, reason, evidence, severity)
    row.__class__ = Verdict
    verdict: Verdict = row
    return verdict
