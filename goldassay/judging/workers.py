"""A fixed number of workers, each with one call at a time: asks, reads, asks again, writes, stops.

Whatever ends the run (a wrong key, a full disk, a bug) is kept, nothing new goes out, and
calls in flight are heard to their end, because they are being paid for.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
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
        reserved, cut_off = False, True
        while True:
            request = part.request(self._config, reask=asked, cut_off=cut_off)
            result = await self._client.call(request, deadline=self._budget.deadline)
            if reserved:
                self._budget.release(1, part.reserved_usd)
            self._pay(part, result)
            reply = result.reply
            if reply is None or result.trouble is not None:
                self._failed(part, result)
                return
            parsed = self._parse(part, reply)
            if not self._may_ask_again(parsed, asked) or not (self._stop or self._budget.admit(1, part.reserved_usd)):
                self._answered_part(part, result, reply, parsed)
                return
            self._work.recorder.write_spent(
                part, reply, reason=parsed.reason, attempts=result.attempts, empty=result.empty
            )
            if self._stop is not None:
                return  # nothing new goes out; a resumed run asks again
            asked, reserved, cut_off = asked + 1, True, parsed.category is Category.CUT_OFF

    def _pay(self, part: Part, result: CallResult) -> None:
        """Count against the budget what a call took."""
        for _ in range(result.empty):
            self._budget.spend(None, part.chars)
        if result.reply is not None:
            self._answered, self._failed_in_a_row = True, 0
            self._budget.spend(self._budget.cost_of(result.reply), part.chars)
            self._budget.learn(part.chars, result.reply)

    def _may_ask_again(self, parsed: ParsedReply, asked: int) -> bool:
        return parsed.outcome == "error" and parsed.retry_may_help and asked < self._config.reask

    def _parse(self, part: Part, reply: JudgeReply) -> ParsedReply:
        return read(reply.text, reply.finish_reason, part.call, self._rubric)

    def _columns(self, part: Part, result: CallResult) -> dict[str, Any]:
        """Of this call alone: what was asked before it stands in lines of its own."""
        columns = {
            "judge_provider": self._config.provider,
            "judge_model": self._config.model,
            "request_hash": part.hash,
            "attempts": result.attempts,
            "latency_ms": round(result.latency_ms, 1),
            "extra": dict(self._client.refused),
        }
        reply = result.reply
        if reply is None:
            return columns
        return {
            **columns,
            "tokens_in": reply.tokens_in,
            "tokens_cached": reply.tokens_cached,
            "tokens_out": reply.tokens_out,
            "cost_usd": self._budget.cost_of(reply),
            "judge_model_reported": reply.model_reported,
            "finish_reason": reply.finish_reason,
            "request_id": reply.request_id,
        }

    def _answered_part(self, part: Part, result: CallResult, reply: JudgeReply, parsed: ParsedReply) -> None:
        columns = self._columns(part, result)
        rows = verdicts_from_reply(part.call, parsed, self._rubric, stamp=self._stamp, **columns)
        self._work.recorder.write_part(part, rows, reply=reply, parsed=parsed, empty=result.empty)
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

    def _failed(self, part: Part, result: CallResult) -> None:
        trouble = result.trouble
        if trouble is None and self._stop is not None:
            return  # stopped before it had ended: a resumed run makes the call
        if trouble is None:  # the time was up before it could be sent
            self._work.recorder.write_over_budget(part, attempts=result.attempts)
            self._work.finished(part, None)
            return
        if self._client.policy.stops_run(trouble):
            self._halt(terminal_error(trouble, self._config))
            return
        columns = self._columns(part, result)
        columns["extra"] = {**columns["extra"], "error_kind": trouble.kind}
        reason = f"{trouble.kind}: {trouble.detail}".strip(": ")
        raw = result.reply.text if result.reply else result.raw
        rows = error_verdicts(
            part.call, self._rubric, trouble.category, reason, stamp=self._stamp, reply=raw or None, **columns
        )
        absent = result.reply is None and trouble.category in _ABSENCE
        unanswered = absent and trouble.kind != "bad_request"
        self._work.recorder.write_part(
            part,
            rows,
            reply=result.reply,
            trouble=trouble,
            unanswered=unanswered,
            empty=result.empty,
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
        self._client.stop()
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
                try:
                    await asyncio.to_thread(self._work.recorder.sync)
                except StoreError as error:  # what is paid for from here on might be lost
                    self._halt(error)
                    return

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
