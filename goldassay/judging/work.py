"""What is left to do: records become parts, and parts that are settled become journal lines at once.

A part is one call (and one of its repeats), or all that needs no call. What stands in
the journal is passed over, what stands in the store is taken from there, what goes
over the budget is written as such. All that is handed out has to be asked for.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from goldassay.judging.budget import Budget, fair_order
from goldassay.judging.hashing import request_hash
from goldassay.judging.journal import Journal, Line, read_lines
from goldassay.judging.journal_rows import verdict_to_json
from goldassay.judging.parsing import ParsedReply, parse_reply
from goldassay.judging.parsing_rows import error_verdicts, verdicts_from_reply
from goldassay.judging.prompt import JudgeCall, JudgeItem, build_calls, evaluated_texts, ready_verdicts
from goldassay.judging.providers.base import JudgeReply, JudgeRequest
from goldassay.judging.rubric_model import Rubric
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.summary import JudgeSummary
from goldassay.judging.trouble import Trouble
from goldassay.verdicts import Category, Outcome, RunStamp, StoredReply, Verdict

__all__ = ["Part", "Work", "journal_head", "read", "shaping_params"]

_LOOKUP = 256
"""Records whose hashes are looked up in the store at a time."""
_IN_LINE = frozenset({"reply"})


class Part(NamedTuple):
    """One call of one record."""

    item: str
    """The record's key in the journal."""
    set: str
    """Hash over all calls of the record: a record that changed is judged anew."""
    number: int
    of: int
    """Parts of the record."""
    call: JudgeCall
    hash: str
    """Request hash."""
    reserved_usd: float = 0.0
    record: int = 0
    """Number of the record among those handed out."""

    def request(self, config: JudgeConfig, *, reask: int = 0) -> JudgeRequest:
        """What is sent; asked again, it says what was wrong, since the same words would bring the same reply."""
        call = self.call
        note = _REASK_NOTE.replace("#", str(reask)) if reask else ""
        max_tokens = config.max_tokens * (2 if reask else 1)
        return JudgeRequest(
            call.system,
            call.user_prefix,
            call.user_suffix + note,
            call.response_schema,
            max_tokens,
            shares_prefix=self.of > 1,
        )


_REASK_NOTE = (
    "\n(Request # after an earlier reply could not be read: reply with the JSON object only, complete and short.)\n"
)


def shaping_params(config: JudgeConfig) -> dict[str, Any]:
    """The settings that shape a verdict; they belong to the request hash."""
    return {
        "temperature": config.temperature,
        "max_tokens": config.max_tokens,
        "seed": config.seed,
        "structured": config.structured,
        "num_ctx": config.num_ctx,
        "extra_body": config.extra_body,
    }


def journal_head(rubric: Rubric, config: JudgeConfig, stamp: RunStamp) -> Line:
    """What a journal is about; resuming with anything else is refused."""
    asked = rubric.model_dump(mode="json")
    shape = f"{asked!r}|{sorted(shaping_params(config).items())!r}|{config.repeats}"
    return {
        "version": 1,
        "run_id": stamp.run_id,
        "provider": config.provider,
        "model": config.model,
        "rubric": f"{rubric.name} {rubric.version}",
        "asked": asked,
        "settings": hashlib.sha256(shape.encode("utf-8", "surrogatepass")).hexdigest()[:16],
    }


def read(text: str, finish_reason: str | None, call: JudgeCall, rubric: Rubric) -> ParsedReply:
    """What a reply to a call says; a reader that breaks makes an unreadable reply, not a broken run."""
    evaluated = evaluated_texts(call.item)
    try:
        return parse_reply(text, rubric, finish_reason=finish_reason, criteria=call.criteria, evaluated=evaluated)
    except Exception as error:  # noqa: BLE001 - the reply is paid for and is kept, whatever the reader makes of it
        detail = {"reader": type(error).__name__}
        return ParsedReply(Outcome.ERROR, category=Category.UNREADABLE_REPLY, error_kind="not_json", detail=detail)


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
        self._params = shaping_params(config)
        self.summary = JudgeSummary()
        if config.price is not None:
            self.summary.cost_usd = 0.0
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

    @property
    def unsaved(self) -> bool:
        """Whether the disk refused lines."""
        return bool(self._log.unsaved)

    def expected_calls(self, items: int | None) -> int | None:
        """Calls that so many records take, judging by those seen; None while that is not known."""
        seen = self.summary.items
        return None if items is None or not seen else round(items * self._parts / seen)

    def sync(self) -> None:
        """Have the journal put on the disk."""
        self._log.sync()

    def _resume(self) -> None:
        for line in read_lines(self._log.path):
            kind = line.get("kind")
            if kind == "spent":
                key = _key(line["item"], line["set"], line["part"])
                self._asked[key] = self._asked.get(key, 0) + 1
            elif kind == "part" and not line.get("over_budget"):
                self._done.add(_key(line["item"], line["set"], line["part"]))
                self.summary.resumed += 1
            else:
                continue
            self.summary.add(line)
            if line.get("paid"):
                self._budget.spend(line.get("cost_usd"))

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
        while self._held and self._admit_held():
            pass
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
        return self._asked.get(_key(part.item, part.set, part.number), 0)

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
            self._hand_out([part for part in parts if not self._reused(part, stored)])

    def _open_parts(self, item: JudgeItem) -> list[Part]:
        """The calls of a record that are not in the journal; what needs no call is written."""
        self.summary.items += 1
        calls = build_calls(item, self._rubric, model=self._config.model)
        ready = ready_verdicts(item, self._rubric, stamp=self._stamp)
        hashes = [
            request_hash(call, self._rubric, self._config.provider, self._config.model, self._params) for call in calls
        ]
        repeats = self._config.repeats
        self._parts += len(calls) * repeats
        of = len(calls) * repeats + bool(ready)
        key, digest = self._item_key(item), hashlib.sha256("|".join(hashes).encode()).hexdigest()[:12]
        if ready:
            self._write_ready(key, digest, of, ready)
        parts = [
            Part(key, digest, number, of, call, hashed)
            for number, (call, hashed) in enumerate(
                (call, hashed) for call, hashed in zip(calls, hashes, strict=True) for _ in range(repeats)
            )
        ]
        return [part for part in parts if _key(part.item, part.set, part.number) not in self._done]

    def _item_key(self, item: JudgeItem) -> str:
        """The record id; a second record of the same id gets a number of its own."""
        record = item.record
        count = self._seen.get(record.record_id, 0)
        self._seen[record.record_id] = count + 1
        return f"{record.record_id}\x1f{count}" if count else record.record_id

    def _hand_out(self, parts: list[Part]) -> None:
        if not parts:
            return
        self._held.append(parts)
        self._admit_held()

    def _admit_held(self) -> bool:
        """Let the first record that was held back go on, or give it up; False while it has to wait."""
        parts = self._held[0]
        costs = [self._budget.expected_usd(_chars(part.call)) for part in parts]
        if not self._budget.admit(len(parts), sum(costs)):
            if self._budget.is_reserved and not self._budget.is_out_of_time:
                return False
            self._held.popleft()
            for part in parts:
                self.write_over_budget(part)
            return True
        self._held.popleft()
        self._count += 1
        self._fresh.append(self._count)
        self._open[self._count] = deque(
            part._replace(reserved_usd=cost, record=self._count) for part, cost in zip(parts, costs, strict=True)
        )
        return True

    def _reused(self, part: Part, stored: Mapping[str, StoredReply]) -> bool:
        """Whether the store had the reply; it is read again, so that a better reader mends old replies too."""
        found = stored.get(part.hash)
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
        self.write_part(part, rows, reply=reply, parsed=parsed, reused=True)
        return True

    def _write_ready(self, key: str, digest: str, of: int, ready: list[Verdict]) -> None:
        if _key(key, digest, of - 1) in self._done:
            return
        rows = [verdict_to_json(verdict) for verdict in ready]
        self._write({"kind": "part", "item": key, "set": digest, "part": of - 1, "of": of, "rows": rows})

    def write_part(
        self,
        part: Part,
        rows: Sequence[Verdict],
        *,
        reply: JudgeReply | None = None,
        cost: float | None = None,
        parsed: ParsedReply | None = None,
        trouble: Trouble | None = None,
        reused: bool = False,
    ) -> None:
        """A finished call: its raw reply and its rows, in one line."""
        line = {**_where("part", part), "rows": [verdict_to_json(row, leave_out=_IN_LINE) for row in rows]}
        if reply is not None:
            line |= _paid(reply, cost) if not reused else {"reply": reply.text, "reused": True}
            line["model_reported"] = reply.model_reported
        elif rows:
            line["reply"] = rows[0].reply
        if parsed is not None:
            line |= {"repaired": bool(parsed.repairs), "unreadable": parsed.outcome == "error"}
        if trouble is not None:
            line["trouble"] = trouble.kind
        self._write(line)

    def write_spent(self, part: Part, reply: JudgeReply, cost: float | None) -> None:
        """A paid reply that could not be read and is asked again."""
        self._write({**_where("spent", part), **_paid(reply, cost)})

    def write_over_budget(self, part: Part) -> None:
        """A call that was not made, for want of budget; a resumed run with more budget makes it."""
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
            attempts=0,
        )
        self._write({**_where("part", part), "over_budget": True, "rows": [verdict_to_json(row) for row in rows]})

    def _write(self, line: Line) -> None:
        self._log.write(line)
        self.summary.add(line)


def _where(kind: str, part: Part) -> Line:
    return {"kind": kind, "item": part.item, "set": part.set, "part": part.number, "of": part.of}


def _paid(reply: JudgeReply, cost: float | None) -> Line:
    return {
        "paid": True,
        "reply": reply.text,
        "tokens_in": reply.tokens_in,
        "tokens_cached": reply.tokens_cached,
        "tokens_out": reply.tokens_out,
        "cost_usd": cost,
    }


def _key(item: str, digest: str, index: int) -> bytes:
    return hashlib.blake2b(f"{item}\x1f{digest}\x1f{index}".encode("utf-8", "surrogatepass"), digest_size=12).digest()


def _chars(call: JudgeCall) -> int:
    return len(call.system) + len(call.user_prefix) + len(call.user_suffix)
