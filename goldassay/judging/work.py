"""What is left to do: records become parts, and parts that are settled become journal lines at once.

A part is one call (and one of its repeats), or all that needs no call. What stands in
the journal is passed over, what stands in the store is taken from there, what another record
of the stage asks for in the same words waits for that reply, what goes over the budget is
written as such. All that is handed out has to be asked for.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from goldassay.judging.budget import Budget, fair_order
from goldassay.judging.hashing import RequestHasher
from goldassay.judging.journal import Journal, read_lines
from goldassay.judging.journal_calls import Line
from goldassay.judging.parsing_rows import verdicts_from_reply
from goldassay.judging.parts import Part, part_key, read, shaping_params
from goldassay.judging.prompt import JudgeItem, build_calls, ready_verdicts
from goldassay.judging.providers.base import JudgeReply
from goldassay.judging.recorder import Recorder
from goldassay.judging.rubric_model import Rubric
from goldassay.judging.sendable import sendable_text
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.summary import JudgeSummary
from goldassay.judging.twins import Twins, reply_of_line
from goldassay.verdicts import RunStamp, StoredReply

__all__ = ["Work", "shaping_params"]

_LOOKUP = 256
"""Records whose hashes are looked up in the store at a time."""


class Work:
    """Hands out parts, and writes down how they ended."""

    def __init__(
        self,
        items: Iterable[JudgeItem],
        *,
        rubric: Rubric,
        config: JudgeConfig,
        log: Journal,
        budget: Budget,
        stamp: RunStamp,
        reuse: Callable[[Sequence[str]], Mapping[str, StoredReply]] | None = None,
    ) -> None:
        self._rubric, self._config, self._log, self._budget, self._reuse = rubric, config, log, budget, reuse
        self._stamp = stamp
        self._hash_of = RequestHasher(rubric, config.provider, config.model, shaping_params(config))
        self.summary = JudgeSummary()
        self.recorder = Recorder(log, self.summary, rubric=rubric, config=config, stamp=stamp)
        if config.price is not None:
            self.summary.cost_usd = 0.0
        self._twins = Twins(enabled=config.reuse and config.repeats == 1)
        self._done: set[bytes] = set()
        self._asked: dict[bytes, int] = {}
        self._seen: dict[str, int] = {}
        self._parts = 0
        self._resume()
        self._open: dict[int, deque[Part]] = {}
        """Parts that are handed out but not taken, by the number of their record."""
        self._held: deque[list[Part]] = deque()
        """Records that wait for room in the budget."""
        self._count = 0
        self._fresh: deque[int] = deque()
        """Records that no worker has begun."""
        self._batches = self._in_batches(fair_order(items) if budget.limited else items)

    def expected_calls(self, items: int | None) -> int | None:
        """Calls that so many records take, judging by those seen; None while that is not known."""
        seen = self.summary.items
        return None if items is None or not seen else round(items * self._parts / seen)

    @property
    def sharing(self) -> int:
        """Calls that wait for the reply to another one that asks the same."""
        return self._twins.waiting

    def _resume(self) -> None:
        for line in read_lines(self._log.path):
            kind = line.get("kind")
            if kind == "spent":
                key = part_key(line["item"], line["set"], line["part"])
                self._asked[key] = self._asked.get(key, 0) + 1
            elif kind == "part" and (line.get("over_budget") or line.get("unanswered")):
                self._count_spent(line)
                continue
            elif kind == "part":
                self._done.add(part_key(line["item"], line["set"], line["part"]))
                self.summary.resumed += not line.get("ready")  # what needed no call is no call of the progress
                if (reply := reply_of_line(line, self._stamp)) is not None:
                    self._twins.keep(reply)
            else:
                continue
            self.summary.add(line)
            self._count_spent(line)

    def _count_spent(self, line: Line) -> None:
        """What a line of the journal took from the budget."""
        chars = line.get("chars", 0)
        for _ in range(line.get("empty", 0)):
            self._budget.spend(None, chars)
        if line.get("paid"):
            self._budget.spend(line.get("cost_usd"), chars)

    def take(self, mine: int = -1) -> Part | None:
        """The next call to make; None when there is none left.

        A worker goes on with the record it is at, so that the first call about a record has filled
        the provider's prefix cache before the next one comes. When records run out, workers help each other.

        Args:
            mine: Number of the record of the caller's last part.
        """
        parts = self._open.get(mine) or self._next_record()
        if not parts:
            parts = max(self._open.values(), key=len, default=None)
        return self._pop(parts) if parts else None

    @property
    def is_waiting(self) -> bool:
        """Whether there is more to do once calls under way have told what they cost."""
        return bool(self._held)

    def _next_record(self) -> deque[Part] | None:
        self._admit_all()
        while not self._fresh:
            if self._held:
                return None
            batch = next(self._batches, None)
            if batch is None:
                return None
            self._add(batch)
        return self._open[self._fresh.popleft()]

    def _pop(self, parts: deque[Part]) -> Part:
        part = parts.popleft()
        if not parts:
            del self._open[part.record]
        return part

    def reasks_of(self, part: Part) -> int:
        """How often this call was asked again before the run was interrupted."""
        return self._asked.get(part_key(part.item, part.set, part.number), 0)

    def _in_batches(self, items: Iterable[JudgeItem]) -> Iterator[list[JudgeItem]]:
        source = iter(items)
        size = _LOOKUP if self._reuse else 1
        while batch := list(islice(source, size)):
            yield batch

    def _add(self, batch: list[JudgeItem]) -> None:
        open_parts = [parts for item in batch if (parts := self._open_parts(item))]
        stored: Mapping[str, StoredReply] = {}
        if self._reuse and open_parts:
            stored = self._reuse([part.hash for parts in open_parts for part in parts])
        for parts in open_parts:
            self._hand_out([part for part in parts if not self._settled(part, stored)])

    def _open_parts(self, item: JudgeItem) -> list[Part]:
        """The calls of a record that are not in the journal; what needs no call is written."""
        self.summary.items += 1
        calls = build_calls(item, self._rubric, model=self._config.model)
        ready = ready_verdicts(item, self._rubric, stamp=self._stamp)
        hashes = [self._hash_of(call) for call in calls]
        repeats = self._config.repeats
        self._parts += len(calls) * repeats
        of = len(calls) * repeats + bool(ready)
        key, digest = self._item_key(item), hashlib.sha256("|".join(hashes).encode()).hexdigest()[:12]
        if ready and part_key(key, digest, of - 1) not in self._done:
            self.recorder.write_ready(key, digest, of, ready)
        parts = [
            Part(key, digest, number, of, call, hashed, shares_prefix=len(calls) * repeats > 1)
            for number, (call, hashed) in enumerate(
                (call, hashed) for call, hashed in zip(calls, hashes, strict=True) for _ in range(repeats)
            )
        ]
        return [part for part in parts if part_key(part.item, part.set, part.number) not in self._done]

    def _item_key(self, item: JudgeItem) -> str:
        """The record id; a second record of the same id gets a number of its own."""
        name = sendable_text(item.record.record_id)  # as it stands in the journal, to be found there again
        count = self._seen.get(name, 0)
        self._seen[name] = count + 1
        return f"{name}\x1f{count}" if count else name

    def _hand_out(self, parts: list[Part]) -> None:
        if not parts:
            return
        self._held.append(parts)
        self._admit_all()

    def _admit_all(self) -> None:
        while self._held and self._admit_held():
            pass

    def _admit_held(self) -> bool:
        """Let the first record that was held back go on, or give it up; False while it has to wait."""
        parts = self._held[0]
        costs = [self._budget.most_usd(part.chars) for part in parts]
        if not self._budget.admit(len(parts), sum(costs)):
            if self._budget.is_reserved and not self._budget.is_out_of_time:
                return False
            self._held.popleft()
            for part in parts:
                self.recorder.write_over_budget(part)
                self._pass_on(part)
            return True
        self._held.popleft()
        self._count += 1
        self._fresh.append(self._count)
        self._open[self._count] = deque(
            part._replace(reserved_usd=cost, record=self._count) for part, cost in zip(parts, costs, strict=True)
        )
        return True

    def finished(self, part: Part, reply: StoredReply | None) -> None:
        """A call has ended: its reply serves all that ask the same; without a good one the next of them asks.

        Args:
            part: The call.
            reply: Its reply, None when it cannot be read or never came.
        """
        if reply is None:
            self._pass_on(part)
        else:
            self._twins.keep(reply)
            for twin in self._twins.release(part.hash):
                if not self._reused(twin, reply):
                    self._held.append([twin])
        self._admit_all()

    def _pass_on(self, part: Part) -> None:
        heir = self._twins.next_in_line(part.hash)
        if heir is not None:
            self._held.append([heir])

    def _settled(self, part: Part, stored: Mapping[str, StoredReply]) -> bool:
        """Whether the part needs no call of its own: its reply is known, or the same request is under way."""
        found = self._twins.answered(part.hash) or stored.get(part.hash)
        return self._reused(part, found) or self._twins.joins(part)

    def _reused(self, part: Part, found: StoredReply | None) -> bool:
        """Whether a known reply settles it; it is read again, so that a better reader mends old replies too."""
        if found is None or self._config.repeats > 1:
            return False
        parsed = read(found.reply, found.finish_reason, part.call, self._rubric)
        if parsed.outcome == "error":
            return False
        rows = verdicts_from_reply(
            part.call,
            parsed,
            self._rubric,
            stamp=self._stamp,
            judge_provider=self._config.provider,
            judge_model=self._config.model,
            judge_model_reported=found.judge_model_reported,
            request_hash=part.hash,
            finish_reason=found.finish_reason,
            request_id=found.request_id,
            attempts=0,
            cost_usd=0.0,
            reused=True,
        )
        reply = JudgeReply(found.reply, model_reported=found.judge_model_reported)
        self.recorder.write_part(part, rows, reply=reply, parsed=parsed, reused=True)
        return True
