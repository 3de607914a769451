"""Pairing: the two answers that two runs gave to each common question, put before the judge in both orders.

Called by ``goldassay compare --judge``. Grades no answer by itself and publishes nothing: the journal keeps what
was paid for, so the same comparison asked again costs nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from goldassay.analytics.sentences import p_text
from goldassay.analytics.statistics import mcnemar_exact
from goldassay.errors import ConfigError
from goldassay.judging import JudgeItem, Rubric
from goldassay.judging.engine import judge_shard, verdicts_from_journal
from goldassay.judging.settings import JudgeConfig
from goldassay.records import AnswerRecord
from goldassay.store import Store, StoredAnswer
from goldassay.text import question_key
from goldassay.verdicts import Outcome, RunStamp, Verdict

__all__ = ["PairsJudged", "judge_pairs", "pair_items"]

_EQUAL = 1.0
_CLAIMED_BELOW = 0.05


@dataclass(frozen=True, slots=True)
class PairsJudged:
    """Which of two runs a judge prefers, question by question."""

    base: str
    head: str
    head_better: int = 0
    """Questions on which the head's answer won in both orders."""
    base_better: int = 0
    equal: int = 0
    """Neither won in both orders."""
    order_dependent: int = 0
    """Of the equal ones, those where the judge preferred a place, not an answer."""
    errors: int = 0
    """Pairs without a verdict in both orders."""

    @property
    def p_value(self) -> float:
        """Chance of so uneven a count of wins if neither run were better (exact sign test); ties say nothing."""
        return mcnemar_exact(self.base_better, self.head_better)

    @property
    def sentence(self) -> str:
        """The result in words; it claims no more than the counts bear out."""
        pairs = self.head_better + self.base_better + self.equal + self.errors
        better = self.head if self.head_better > self.base_better else self.base
        is_shown = self.p_value < _CLAIMED_BELOW
        verdict = f"{better} is better" if is_shown else "no difference is shown"
        return (
            f"Judged side by side on {pairs} common questions: {self.head} better on {self.head_better}, "
            f"{self.base} on {self.base_better}, equal {self.equal} ({self.order_dependent} of them by order only), "
            f"{self.errors} without a verdict; {verdict} (p {p_text(self.p_value)})."
        )

    def data(self) -> dict[str, Any]:
        """For --json."""
        return {**asdict(self), "p_value": self.p_value, "sentence": self.sentence}


def pair_items(store: Store, base: str, head: str) -> Iterator[JudgeItem]:
    """The head's answers whose question the base answered too, each with the base's answer beside it.

    Args:
        store: The store.
        base: Id of the run to compare with.
        head: Id of the run that is to replace it.
    """
    others: dict[str, AnswerRecord] = {}
    for stored in store.answers_of(base):
        others.setdefault(_question_of(stored), stored.record)
    for stored in store.answers_of(head):
        other = others.pop(_question_of(stored), None)  # a question counts once, however often it was asked
        if other is not None:
            yield JudgeItem(stored.record, stored.golden, other=other)


def judge_pairs(
    store: Store, base: str, head: str, *, rubric: Rubric, config: JudgeConfig, environ: Mapping[str, str]
) -> PairsJudged:
    """Has the judge compare the answers of two runs; goes on from its journal when asked again.

    Raises:
        ConfigError: If the rubric compares nothing, or the runs have no question in common.
    """
    if rubric.reply != "pairwise":
        raise ConfigError(f"rubric {rubric.name!r} grades one answer; comparing two needs one with reply = 'pairwise'")
    items = list(pair_items(store, base, head))
    if not items:
        raise ConfigError(f"runs {base!r} and {head!r} have no question in common; compare runs of the same questions.")
    journal = _journal(store, base, head, rubric, config)
    stamp = RunStamp(f"{base}..{head}", "check", datetime.now(UTC))
    judge_shard(items, rubric=rubric, config=config, journal=journal, environ=environ, stamp=stamp, total=len(items))
    return _counted(base, head, list(verdicts_from_journal(journal)))


def _question_of(stored: StoredAnswer) -> str:
    name = stored.record.question_id or (stored.golden.question_id if stored.golden else None)
    return f"id {name}" if name else f"text {question_key(stored.record.question)}"


def _journal(store: Store, base: str, head: str, rubric: Rubric, config: JudgeConfig) -> Path:
    """One file for each pair of runs and judge: another judge begins anew."""
    asked = repr((base, head, rubric.model_dump_json(), config.provider, config.model, config.temperature))
    name = hashlib.sha256(asked.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return store.work_dir / "pairs" / f"{name}.jsonl"


def _counted(base: str, head: str, rows: list[Verdict]) -> PairsJudged:
    graded = [row for row in rows if row.outcome in {Outcome.PASS, Outcome.FAIL} and row.score is not None]
    equal = [row for row in graded if row.score == _EQUAL]
    return PairsJudged(
        base,
        head,
        head_better=sum((row.score or 0.0) > _EQUAL for row in graded),
        base_better=sum((row.score or 0.0) < _EQUAL for row in graded),
        equal=len(equal),
        order_dependent=sum("order_dependent" in row.flags for row in equal),
        errors=sum(row.outcome is Outcome.ERROR for row in rows),
    )
