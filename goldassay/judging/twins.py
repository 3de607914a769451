"""Identical requests of one stage: the first is asked, the others wait for its reply and share it.

A popular question brings the very same answer from the very same sources many times a night; one call
serves them all. Knows nothing of records and budgets; `goldassay.judging.work` asks it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from goldassay.judging.parts import Part
from goldassay.verdicts import RunStamp, StoredReply

__all__ = ["Twins", "reply_of_line"]


class Twins:
    """Who waits for whom, and what was answered already."""

    def __init__(self, *, enabled: bool) -> None:
        """Begin with nothing.

        Args:
            enabled: False: every request is asked for itself.
        """
        self._enabled = enabled
        self._answered: dict[str, StoredReply] = {}
        self._waiting: dict[str, deque[Part]] = {}
        """By request hash; an empty queue: the request is under way and nobody else needs it yet."""

    def answered(self, request_hash: str) -> StoredReply | None:
        """The good reply that this stage was given to the same request."""
        return self._answered.get(request_hash)

    def keep(self, reply: StoredReply) -> None:
        """Remember a good reply."""
        if self._enabled:
            self._answered[reply.request_hash] = reply

    def joins(self, part: Part) -> bool:
        """Whether the part now waits for a request under way; else it is the one that others will wait for."""
        if not self._enabled:
            return False
        if part.hash in self._waiting:
            self._waiting[part.hash].append(part)
            return True
        self._waiting[part.hash] = deque()
        return False

    @property
    def waiting(self) -> int:
        """Parts that wait for a request under way."""
        return sum(map(len, self._waiting.values()))

    def release(self, request_hash: str) -> list[Part]:
        """All that wait for a request that was answered."""
        return list(self._waiting.pop(request_hash, ()))

    def next_in_line(self, request_hash: str) -> Part | None:
        """Who asks next, after a request that was not answered well; the rest waits for that one."""
        queue = self._waiting.get(request_hash)
        if queue:
            return queue.popleft()
        self._waiting.pop(request_hash, None)
        return None


def reply_of_line(line: Mapping[str, Any], stamp: RunStamp) -> StoredReply | None:
    """The good, paid reply that a journal line holds; None when there is none."""
    rows = line.get("rows") or ()
    if not rows or not line.get("paid") or line.get("unreadable") or line.get("trouble"):
        return None
    first = rows[0]
    return StoredReply(
        request_hash=first["request_hash"],
        reply=line["reply"],
        finish_reason=first.get("finish_reason"),
        judge_model_reported=first.get("judge_model_reported"),
        request_id=first.get("request_id"),
        run_id=stamp.run_id,
        run_at=stamp.run_at,
    )
