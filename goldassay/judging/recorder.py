"""Writes down how parts ended: one journal line each, counted in the summary."""

from __future__ import annotations

from collections.abc import Sequence

from goldassay.judging.budget import cost_usd
from goldassay.judging.journal import Journal
from goldassay.judging.journal_calls import Line
from goldassay.judging.journal_rows import verdict_to_json
from goldassay.judging.parsing import ParsedReply
from goldassay.judging.parsing_rows import error_verdicts
from goldassay.judging.parts import Part
from goldassay.judging.providers.base import JudgeReply
from goldassay.judging.rubric_model import Rubric
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.summary import JudgeSummary
from goldassay.judging.trouble import Trouble
from goldassay.verdicts import Category, RunStamp, Verdict

__all__ = ["Recorder"]

_IN_LINE = frozenset({"reply"})
"""Columns that stand in the line once, not in each of its rows."""


class Recorder:
    """The one writer of a stage's journal lines."""

    def __init__(
        self, log: Journal, summary: JudgeSummary, *, rubric: Rubric, config: JudgeConfig, stamp: RunStamp
    ) -> None:
        self._log, self._summary = log, summary
        self._rubric, self._config, self._stamp = rubric, config, stamp

    @property
    def unsaved(self) -> bool:
        """Whether the disk refused lines."""
        return bool(self._log.unsaved)

    def sync(self) -> None:
        """Have the journal put on the disk."""
        self._log.sync()

    def write_ready(self, key: str, digest: str, of: int, ready: Sequence[Verdict]) -> None:
        """What needed no call."""
        rows = [verdict_to_json(verdict) for verdict in ready]
        place = {"kind": "part", "item": key, "set": digest, "part": of - 1, "of": of}
        self._write({**place, "ready": True, "rows": rows})

    def write_part(
        self,
        part: Part,
        rows: Sequence[Verdict],
        *,
        reply: JudgeReply | None = None,
        parsed: ParsedReply | None = None,
        trouble: Trouble | None = None,
        reused: bool = False,
        unanswered: bool = False,
        empty: int = 0,
    ) -> None:
        """A finished call: its raw reply and its rows, in one line.

        `unanswered`: no reply came in all attempts, perhaps because the judge was not there; a resumed run makes
        such a call again. `empty`: responses on the way that held no reply and count against the budget.
        """
        line = {**_where("part", part), "rows": [verdict_to_json(row, leave_out=_IN_LINE) for row in rows]}
        if reply is not None:
            line |= {"reply": reply.text, "reused": True} if reused else self._paid(part, reply)
            line["model_reported"] = reply.model_reported
        elif rows:
            line["reply"] = rows[0].reply
        if parsed is not None:
            line |= {"repaired": bool(parsed.repairs), "unreadable": parsed.outcome == "error"}
        if trouble is not None:
            line["trouble"] = trouble.kind
        if unanswered:
            line["unanswered"] = True
        if empty:
            line |= {"empty": empty, "chars": part.chars}
        self._write(line)

    def write_spent(self, part: Part, reply: JudgeReply, *, reason: str, attempts: int, empty: int = 0) -> None:
        """A paid reply that could not be read and is asked again."""
        how = {"reason": reason, "finish_reason": reply.finish_reason, "attempts": attempts, "empty": empty}
        self._write({**_where("spent", part), **self._paid(part, reply), **how})

    def write_over_budget(self, part: Part, *, attempts: int = 0) -> None:
        """A call that was not made, or brought no reply in time, for want of budget; a run with more of it makes it."""
        reason = "over_budget: the limit of the run in money, calls or minutes was reached"
        rows = error_verdicts(
            part.call,
            self._rubric,
            Category.OVER_BUDGET,
            reason,
            stamp=self._stamp,
            judge_provider=self._config.provider,
            judge_model=self._config.model,
            request_hash=part.hash,
            attempts=attempts,
        )
        self._write({**_where("part", part), "over_budget": True, "rows": [verdict_to_json(row) for row in rows]})

    def _paid(self, part: Part, reply: JudgeReply) -> Line:
        cost = cost_usd(self._config.price, reply.tokens_in, reply.tokens_cached, reply.tokens_out)
        paid = {
            "paid": True,
            "reply": reply.text,
            "tokens_in": reply.tokens_in,
            "tokens_cached": reply.tokens_cached,
            "tokens_out": reply.tokens_out,
            "cost_usd": cost,
        }
        # A resumed run has to estimate what no usage tells.
        return paid if cost is not None else {**paid, "chars": part.chars}

    def _write(self, line: Line) -> None:
        self._log.write(line)
        self._summary.add(line)


def _where(kind: str, part: Part) -> Line:
    return {"kind": kind, "item": part.item, "set": part.set, "part": part.number, "of": part.of}
