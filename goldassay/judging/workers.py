"""A fixed number of workers, each with one call at a time: asks, reads, asks again, writes, stops.

Whatever ends the run (a wrong key, a full disk, a bug) is kept, nothing new goes out, and
calls in flight are heard to their end, because they are being paid for.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Sequence
from typing import Any

from goldassay.errors import StoreError
from goldassay.judging.budget import Budget
from goldassay.judging.client import CallResult, JudgeClient
from goldassay.judging.clock import Clock
from goldassay.judging.parsing import ParsedReply
from goldassay.judging.parsing_rows import error_verdicts, verdicts_from_reply
from goldassay.judging.parts import Part, read
from goldassay.judging.progress import OnProgress, ProgressSnapshot
from goldassay.judging.providers.base import JudgeReply
from goldassay.judging.rubric_model import Rubric
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.stops import terminal_error, unreachable_error
from goldassay.judging.summary import JudgeSummary
from goldassay.judging.trouble import Trouble
from goldassay.judging.work import Work
from goldassay.verdicts import Category, RunStamp, StoredReply

__all__ = ["Workers"]

_ABSENCE = frozenset({Category.PROVIDER_ERROR, Category.TIMED_OUT})
"""What calls end with when the judge is not there."""
_BEAT_S = 0.5
_RATE_BEATS = 20
"""The rate shown is that of the last ten seconds."""


_FIRST_REPLY_CHARS = 2000
"""Kept of an unreadable reply that was asked again; all of it stands in the journal while the run goes on."""


class Workers:
    """The workers of one stage, and what they know in common."""

    def __init__(
        self,
        work: Work,
        client: JudgeClient,
        budget: Budget,
        config: JudgeConfig,
        rubric: Rubric,
        stamp: RunStamp,
        clock: Clock,
    ) -> None:
        self._work, self._client, self._budget = work, client, budget
        self._config, self._rubric, self._stamp, self._clock = config, rubric, stamp, clock
        self._begun = clock.monotonic()
        self._stop: Exception | None = None
        self._failed_in_a_row = 0
        self._last_trouble: Trouble | None = None
        self._answered = False
        self._in_flight = 0
        self._finished = 0
        self._free_before = work.summary.reused - work.summary.resumed
        """Takes what the journal held out of the count of replies that needed no call in this process."""
        self._workers: list[asyncio.Task[None]] = []
        self._settled = asyncio.Event()
        """A call has ended, so there may be room in the budget again."""
        self._beats: deque[tuple[float, int]] = deque([(0.0, 0)], maxlen=_RATE_BEATS)
        """Time and calls finished at the last beats."""

    async def all(self, on_progress: OnProgress | None, total: int | None) -> None:
        """Run the workers to the end, or until something stops them."""
        ticker = asyncio.create_task(self._tick(on_progress, total))
        self._workers = [asyncio.create_task(self._worker()) for _ in range(self._config.max_in_flight)]
        try:
            # A worker that is stopped ends as cancelled; the others are heard to their end.
            await asyncio.gather(*self._workers, return_exceptions=True)
        finally:
            for worker in self._workers:
                worker.cancel()
            await asyncio.gather(*self._workers, return_exceptions=True)
            ticker.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await ticker
            self._report(on_progress, total)
        if (stop := self._stop or self._judge_was_never_there()) is not None:
            raise stop

    def finish(self) -> JudgeSummary:
        """The figures."""
        summary = self._work.summary
        summary.requests = self._client.requests
        summary.warnings = list(self._client.warnings)
        summary.refused_parameters = dict(self._client.refused)
        summary.seconds = self._clock.monotonic() - self._begun
        return summary

    async def _worker(self) -> None:
        try:
            await self._work_on()
        except Exception as error:  # noqa: BLE001 - whatever broke one worker ends the run, once all are heard
            self._halt(error)

    async def _work_on(self) -> None:
        record = -1
        while self._stop is None:
            part = self._work.take(record)
            if part is None and self._work.is_waiting:
                self._settled.clear()
                await self._settled.wait()
                continue
            if part is None:
                return
            record = part.record
            self._in_flight += 1
            self._work.summary.max_in_flight = max(self._work.summary.max_in_flight, self._in_flight)
            try:
                await self._judge(part)
            finally:
                self._in_flight -= 1
                self._budget.release(1, part.reserved_usd)
                self._settled.set()

    async def _judge(self, part: Part) -> None:
        asked = self._work.reasks_of(part)
        spent: list[JudgeReply] = []
        attempts, request = 0, part.request(self._config, reask=asked)
        reserved = False
        while True:
            result = await self._client.call(request, deadline=self._budget.deadline)
            if reserved:
                self._budget.release(1, part.reserved_usd)
            attempts += result.attempts
            for _ in range(result.empty):
                self._budget.spend(None, request.chars)
            if result.reply is not None:
                spent.append(result.reply)
                self._answered, self._failed_in_a_row = True, 0
                cost = self._budget.cost_of(result.reply)
                self._budget.spend(cost, request.chars)
                self._budget.learn(request.chars, result.reply)
            if result.reply is None or result.trouble is not None:
                self._failed(part, result, attempts, spent)
                return
            parsed = self._parse(part, result.reply)
            if not self._asks_again(part, parsed, asked):
                self._answered_part(part, result, parsed, attempts, spent)
                return
            self._work.recorder.write_spent(part, result.reply, cost)
            asked, reserved = asked + 1, True
            request = part.request(self._config, reask=asked)

    def _asks_again(self, part: Part, parsed: ParsedReply, asked: int) -> bool:
        """Whether one more call may help and fits the budget; it is reserved then."""
        return (
            parsed.outcome == "error"
            and parsed.retry_may_help
            and asked < self._config.reask
            and self._stop is None
            and self._budget.admit(1, part.reserved_usd)
        )

    def _parse(self, part: Part, reply: JudgeReply) -> ParsedReply:
        return read(reply.text, reply.finish_reason, part.call, self._rubric)

    def _columns(self, part: Part, attempts: int, result: CallResult, spent: list[JudgeReply]) -> dict[str, Any]:
        costs = [self._budget.cost_of(reply) for reply in spent]
        known = [cost for cost in costs if cost is not None]
        return {
            "judge_provider": self._config.provider,
            "judge_model": self._config.model,
            "request_hash": part.hash,
            "attempts": attempts,
            "latency_ms": round(result.latency_ms, 1),
            "tokens_in": _sum([reply.tokens_in for reply in spent]),
            "tokens_cached": _sum([reply.tokens_cached for reply in spent]),
            "tokens_out": _sum([reply.tokens_out for reply in spent]),
            "cost_usd": sum(known) if known and len(known) == len(costs) else None,
            "extra": {**self._client.refused, **self._asked_again(part, result, spent)},
        }

    def _asked_again(self, part: Part, result: CallResult, spent: list[JudgeReply]) -> dict[str, str]:
        """How often the call was asked again because its reply could not be read, and the first such reply."""
        unread = spent if result.reply is None else spent[:-1]
        times = self._work.reasks_of(part) + len(unread)
        first = {"first_reply": unread[0].text[:_FIRST_REPLY_CHARS]} if unread else {}
        return {"reasked": str(times), **first} if times else {}

    def _answered_part(
        self, part: Part, result: CallResult, parsed: ParsedReply, attempts: int, spent: list[JudgeReply]
    ) -> None:
        reply = result.reply
        assert reply is not None
        columns = {
            **self._columns(part, attempts, result, spent),
            "judge_model_reported": reply.model_reported,
            "finish_reason": reply.finish_reason,
            "request_id": reply.request_id,
        }
        rows = verdicts_from_reply(part.call, parsed, self._rubric, stamp=self._stamp, **columns)
        self._work.recorder.write_part(part, rows, reply=reply, cost=self._budget.cost_of(reply), parsed=parsed)
        self._finished += 1
        self._work.finished(part, None if parsed.outcome == "error" else self._as_stored(part, reply))
        self._check_disk()

    def _as_stored(self, part: Part, reply: JudgeReply) -> StoredReply:
        return StoredReply(
            part.hash,
            reply.text,
            reply.finish_reason,
            reply.model_reported,
            reply.request_id,
            self._stamp.run_id,
            self._stamp.run_at,
        )

    def _failed(self, part: Part, result: CallResult, attempts: int, spent: list[JudgeReply]) -> None:
        trouble = result.trouble
        if trouble is None:  # the time was up before it could be sent
            self._work.recorder.write_over_budget(part)
            self._work.finished(part, None)
            return
        if self._client.policy.stops_run(trouble):
            self._halt(terminal_error(trouble, self._config))
            return
        columns = self._columns(part, attempts, result, spent)
        columns["extra"] = {**columns["extra"], "error_kind": trouble.kind}
        reason = f"{trouble.kind}: {trouble.detail}".strip(": ")
        raw = result.reply.text if result.reply else result.raw
        rows = error_verdicts(
            part.call, self._rubric, trouble.category, reason, stamp=self._stamp, reply=raw or None, **columns
        )
        cost = self._budget.cost_of(result.reply) if result.reply else None
        absent = result.reply is None and trouble.category in _ABSENCE
        unanswered = absent and trouble.kind != "bad_request"
        self._work.recorder.write_part(
            part, rows, reply=result.reply, cost=cost, trouble=trouble, unanswered=unanswered
        )
        self._finished += 1
        self._work.finished(part, None)
        self._check_disk()
        # A judge that has answered others calls a request bad for what is in it.
        if unanswered or (absent and not self._answered):
            self._count_failure(trouble)

    def _count_failure(self, trouble: Trouble) -> None:
        self._failed_in_a_row += 1
        self._last_trouble = trouble
        if self._failed_in_a_row >= self._config.give_up_after:
            self._halt(unreachable_error(trouble, self._config, self._failed_in_a_row))

    def _judge_was_never_there(self) -> Exception | None:
        """Few answers, and not one call answered: as good a reason to stop as many.

        What a judge calls bad requests may lie in the answers, so few of those stop nothing.
        """
        trouble = self._last_trouble
        if self._answered or trouble is None or self._failed_in_a_row < self._finished or trouble.kind == "bad_request":
            return None
        return unreachable_error(trouble, self._config, self._failed_in_a_row)

    def _check_disk(self) -> None:
        if self._work.recorder.unsaved and self._stop is None:
            self._halt(
                StoreError(
                    "the disk took no more of the journal for a while. What was finished is kept: "
                    "make room, then run the same command again."
                )
            )

    def _halt(self, error: Exception) -> None:
        """Stop the run: nothing new goes out, what is under way is heard to its end and written."""
        if self._stop is not None:
            return
        self._stop = error
        current = asyncio.current_task()
        for worker in self._workers:
            if worker is not current and worker not in self._client.sending:
                worker.cancel()

    async def _tick(self, on_progress: OnProgress | None, total: int | None) -> None:
        """Twice a second: say how far it is; each second have the journal put on the disk."""
        beat = 0
        while True:
            await asyncio.sleep(_BEAT_S)
            beat += 1
            self._report(on_progress, total)
            if beat % 2 == 0:
                await asyncio.to_thread(self._work.recorder.sync)

    def _report(self, on_progress: OnProgress | None, total: int | None) -> None:
        if on_progress is None:
            return
        summary = self._work.summary
        seconds = self._clock.monotonic() - self._begun
        self._beats.append((seconds, self._finished))
        (since, before), (until, now) = self._beats[0], self._beats[-1]
        on_progress(
            ProgressSnapshot(
                done=self._finished + summary.reused - self._free_before,
                total=self._work.expected_calls(total),
                in_flight=self._in_flight,
                rate_per_s=(now - before) / (until - since) if until > since else 0.0,
                limit_per_s=self._client.rate_limit_per_s,
                errors=sum(summary.errors.values()),
                cost_usd=summary.cost_usd,
                seconds=seconds,
            )
        )


def _sum(values: Sequence[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
