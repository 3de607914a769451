"""Asking the assistant: the whole golden set for a version, or one question.

Every question ends as an `AnswerRecord` or as a counted `AskError`. Called by the golden
run and by `goldassay ask`.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from goldassay.errors import GoldassayError, JudgeTerminalError, JudgeTransientError
from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.sources.assistant.journal import Journal
from goldassay.sources.assistant.pace import Pace, wait_before
from goldassay.sources.assistant.question import AskedVersion, Asker, AskError, AskTroubleError, Question
from goldassay.sources.assistant.reply import ReplyReader
from goldassay.sources.assistant.settings import AssistantConfig
from goldassay.verdicts import Category

__all__ = ["Asked", "ask_golden", "ask_one", "open_asker"]


class Asked(NamedTuple):
    """What came of a golden set, in its order."""

    records: list[AnswerRecord]
    errors: list[AskError]
    reused: int
    """Answers taken from the journal of an earlier, interrupted run."""


def open_asker(
    config: AssistantConfig, *, environ: Mapping[str, str], base_dir: Path | None = None, transport: Any = None
) -> Asker:
    """The way to ask that the settings name.

    Raises:
        ConfigError: It cannot be set up.
    """
    if config.kind == "http":
        from goldassay.sources.assistant.over_http import HttpAsker  # noqa: PLC0415 - httpx loads only where used

        return HttpAsker(config, environ, transport=transport)
    if config.kind == "python":
        from goldassay.sources.assistant.by_function import FunctionAsker  # noqa: PLC0415 - one of three

        return FunctionAsker(config, base_dir)
    from goldassay.sources.assistant.by_command import CommandAsker  # noqa: PLC0415 - one of three

    return CommandAsker(config, base_dir)


async def ask_golden(
    questions: Iterable[GoldenQuestion],
    *,
    config: AssistantConfig,
    version: AskedVersion,
    journal: Path,
    environ: Mapping[str, str],
    base_dir: Path | None = None,
    transport: Any = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Asked:
    """Ask every question once and keep each answer before anything else is done with it.

    Args:
        questions: The golden set.
        config: How to ask.
        version: The version asked; answers are stored under it.
        journal: File that finished questions are appended to; the same call after a crash goes on from it.
        environ: Where headers and tokens are looked up by name.
        base_dir: Folder of goldassay.toml, for relative paths.
        transport: An httpx transport, for tests.
        on_progress: Called with (finished, all) after each question.

    Returns:
        Answers and errors; together as many as there are questions.

    Raises:
        ConfigError: The settings cannot work.
        JudgeTerminalError: No question can be answered (wrong key, no such endpoint).
    """
    asked = [Question.of(question, version) for question in questions]
    with Journal(journal) as done:
        run = _Run(config, open_asker(config, environ=environ, base_dir=base_dir, transport=transport), done)
        keys = [question.key(config) for question in asked]
        kept = sum(isinstance(done.entries.get(key), AnswerRecord) for key in keys)
        try:
            await run.all(list(zip(keys, asked, strict=True)), on_progress or (lambda _done, _all: None))
        finally:
            await run.asker.close()
        entries = [done.entries[key] for key in keys]
    records = [entry for entry in entries if isinstance(entry, AnswerRecord)]
    return Asked(records, [entry for entry in entries if isinstance(entry, AskError)], kept)


def ask_one(
    question: str,
    config: AssistantConfig,
    *,
    version: AskedVersion | None = None,
    environ: Mapping[str, str],
    base_dir: Path | None = None,
    transport: Any = None,
) -> AnswerRecord:
    """Ask one question and wait for its answer; nothing is stored.

    Raises:
        JudgeTransientError: No answer after all tries; asking again may help.
        JudgeTerminalError: Asking again will not help.
    """
    single = Question(question, "asked", None, version or AskedVersion())

    async def ask() -> AnswerRecord | AskError:
        run = _Run(config, open_asker(config, environ=environ, base_dir=base_dir, transport=transport), None)
        try:
            return await run.one(single)
        finally:
            await run.asker.close()

    answer = asyncio.run(ask())
    if isinstance(answer, AskError):
        raise JudgeTransientError(f"the assistant gave no answer: {answer.reason}", category=answer.category)
    return answer


class _Run:
    """One use of an asker: its pace, its tries, its journal."""

    def __init__(self, config: AssistantConfig, asker: Asker, journal: Journal | None) -> None:
        self.config, self.asker, self.journal = config, asker, journal
        self.reader = ReplyReader(config)
        self.pace = Pace(config.requests_per_minute)
        self.rng = random.Random(0)  # noqa: S311 - jitter, no secret

    async def all(self, asked: list[tuple[str, Question]], on_progress: Callable[[int, int], None]) -> None:
        waiting = {key: question for key, question in asked if not self._has_answer(key)}
        total, queue = len(asked), list(waiting.items())[::-1]
        finished = total - len(waiting)

        async def work() -> None:
            nonlocal finished
            while queue:
                key, question = queue.pop()
                entry = await self.one(question)
                if self.journal is not None:
                    self.journal.add(key, entry)
                finished += 1
                on_progress(finished, total)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(self.config.max_in_flight, len(queue))):
                    group.create_task(work())
        except* GoldassayError as faults:
            raise faults.exceptions[0] from None

    def _has_answer(self, key: str) -> bool:
        return self.journal is not None and isinstance(self.journal.entries.get(key), AnswerRecord)

    async def one(self, question: Question) -> AnswerRecord | AskError:
        """Try until it is answered, helpless or too late."""
        last, attempt = AskTroubleError("no try came to an end", category=Category.TIMED_OUT), 0
        try:
            async with asyncio.timeout(self.config.total_timeout_s):
                while attempt < self.config.attempts:
                    attempt += 1
                    try:
                        return await self._try(question)
                    except AskTroubleError as trouble:
                        last = trouble
                        if not await self._goes_on(trouble, attempt):
                            break
        except TimeoutError:
            reason = f"not answered within {self.config.total_timeout_s:g} s; last: {last.reason}"
            return AskError(question.question_id, question.question, Category.TIMED_OUT, reason, attempt)
        return AskError(question.question_id, question.question, last.category, last.reason, attempt)

    async def _try(self, question: Question) -> AnswerRecord:
        await self.pace.start()
        asked_at = datetime.now(UTC)
        return self.reader.read(await self.asker.ask(question), question, asked_at)

    async def _goes_on(self, trouble: AskTroubleError, attempt: int) -> bool:
        """Wait before the next try, if there is to be one."""
        if trouble.stops_run:
            raise JudgeTerminalError(
                f"the assistant cannot be asked ({trouble.reason}); check assistant.url and its key",
                category=trouble.category,
            )
        if not trouble.may_help or attempt >= self.config.attempts:
            return False
        wait = wait_before(attempt + 1, first_s=self.config.first_wait_s, asked_s=trouble.wait_s, rng=self.rng)
        if trouble.wait_s is not None:
            self.pace.hold(trouble.wait_s)  # the others would only be turned away too
        await asyncio.sleep(wait)
        return True
