"""Asking a command: JSON on its standard input, JSON on its standard output, no shell between."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import Any

import orjson

from goldassay.errors import ConfigError
from goldassay.sources.assistant.body import build_body
from goldassay.sources.assistant.question import AskTroubleError, Question
from goldassay.sources.assistant.settings import AssistantConfig
from goldassay.sources.nested import parse_reply_json
from goldassay.verdicts import Category

__all__ = ["CommandAsker"]

STDERR_CHARS = 300


class CommandAsker:
    """An assistant that is a program."""

    def __init__(self, config: AssistantConfig, base_dir: Path | None = None) -> None:
        self.config, self.base_dir = config, base_dir

    async def ask(self, question: Question) -> Any:
        """Run it once."""
        process = await self._start()
        sent = orjson.dumps(build_body(question, self.config) | question.fields())
        try:
            async with asyncio.timeout(self.config.timeout_s):
                out, err = await self._exchange(process, sent)
        except TimeoutError as fault:
            reason = f"no answer within {self.config.timeout_s:g} s"
            raise AskTroubleError(reason, category=Category.TIMED_OUT) from fault
        finally:
            await _end(process)
        if process.returncode:
            shown = err.decode(errors="replace").strip()[-STDERR_CHARS:]
            raise AskTroubleError(f"the command ended with {process.returncode}: {shown}")
        try:
            return parse_reply_json(out)
        except ValueError as fault:
            reason = f"the command printed no JSON ({fault})"
            raise AskTroubleError(reason, category=Category.UNREADABLE_REPLY) from fault

    async def close(self) -> None:
        """Nothing to free."""

    async def _start(self) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        try:
            # A session of its own, so that a time-out ends the children of the command too.
            return await asyncio.create_subprocess_exec(
                *self.config.command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=self.base_dir, start_new_session=True
            )
        except OSError as fault:
            raise ConfigError(
                f"assistant.command {self.config.command[0]!r} cannot be started: {fault.strerror}"
            ) from fault

    async def _exchange(self, process: asyncio.subprocess.Process, sent: bytes) -> tuple[bytes, bytes]:
        limit = self.config.max_reply_bytes
        _, out, err = await asyncio.gather(
            _feed(process, sent), _read(process.stdout, limit), _read(process.stderr, limit)
        )
        await process.wait()
        if len(out) > limit:
            reason = f"the command printed more than {self.config.max_reply_mib} MiB"
            raise AskTroubleError(reason, category=Category.UNREADABLE_REPLY, may_help=False)
        return out, err


async def _feed(process: asyncio.subprocess.Process, sent: bytes) -> None:
    if process.stdin is None:
        return
    # A command may answer without reading its input to the end.
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(sent)
        await process.stdin.drain()
        process.stdin.close()
        await process.stdin.wait_closed()


async def _read(stream: asyncio.StreamReader | None, limit: int) -> bytes:
    """Read to the end, but keep no more than a little over the limit."""
    kept = bytearray()
    while stream is not None and (part := await stream.read(1 << 16)):
        if len(kept) <= limit:
            kept += part
    return bytes(kept)


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
