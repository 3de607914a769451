"""What a judge stage did, in figures."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

__all__ = ["JudgeSummary"]


@dataclass(slots=True)
class JudgeSummary:
    """Figures of one journal; a resumed stage counts what it found there too."""

    items: int = 0
    """Records seen."""
    rows: int = 0
    """Verdicts before repeats are merged."""
    outcomes: Counter[str] = field(default_factory=Counter)
    """Rows by outcome."""
    errors: Counter[str] = field(default_factory=Counter)
    """Error rows by category."""
    calls: int = 0
    """Calls that were answered and paid for, re-asks included."""
    requests: int = 0
    """Requests sent, retries included; of this process alone."""
    resumed: int = 0
    """Finished calls found in the journal and not made again."""
    reused: int = 0
    """Calls answered by a reply that was paid for before: in an earlier run, or for the same request in this one."""
    reasked: int = 0
    repaired: int = 0
    """Replies that had to be mended to be read."""
    unreadable: int = 0
    tokens_in: int = 0
    tokens_cached: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None
    """None when no price is configured, or a reply came without its usage: unknown is not free."""
    is_cost_unknown: bool = False
    models_reported: Counter[str] = field(default_factory=Counter)
    refused_parameters: dict[str, str] = field(default_factory=dict)
    """What the model refused, and what was sent instead."""
    warnings: list[str] = field(default_factory=list)
    max_in_flight: int = 0
    seconds: float = 0.0

    def add(self, line: dict[str, Any]) -> None:
        """Count one journal line."""
        if line["kind"] == "spent":
            self.reasked += 1
        elif line["kind"] != "part":
            return
        for row in line.get("rows", ()):
            self.rows += 1
            self.outcomes[row["outcome"]] += 1
            if row["outcome"] == "error":
                self.errors[row.get("category") or "other"] += 1
        self._add_call(line)

    def _add_cost(self, usd: float | None) -> None:
        self.is_cost_unknown = self.is_cost_unknown or usd is None
        self.cost_usd = None if self.is_cost_unknown else (self.cost_usd or 0.0) + (usd or 0.0)

    def _add_call(self, line: dict[str, Any]) -> None:
        if line.get("reused"):
            self.reused += 1
        elif line.get("paid"):
            self.calls += 1
            self.tokens_in += line.get("tokens_in") or 0
            self.tokens_cached += line.get("tokens_cached") or 0
            self.tokens_out += line.get("tokens_out") or 0
            self._add_cost(line.get("cost_usd"))
        if line.get("model_reported"):
            self.models_reported[line["model_reported"]] += 1
        self.repaired += bool(line.get("repaired"))
        self.unreadable += bool(line.get("unreadable"))
