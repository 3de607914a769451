"""Notices a judge that did not see the whole prompt: Ollama and others cut it to their window without a word.

Told by the tokens that the judge says it read. Called with every reply; knows nothing of what the prompt is about.
"""

from __future__ import annotations

import re

from goldassay.judging.providers.base import JudgeReply, JudgeRequest
from goldassay.judging.trouble import Trouble

__all__ = ["CutPrompts"]

_CHARS_PER_TOKEN = 4
_LONG_PROMPT = 4000
"""Characters; estimates of shorter prompts are too rough to accuse anybody."""
_MOST_RECORDS = 10_000
_RUN = re.compile(r"(.)\1{7,}", re.DOTALL)
"""Dots of a table of contents, rules of dashes: a tokenizer makes one token of many."""


class CutPrompts:
    """Remembers, for one run, which records the judge has counted in full."""

    def __init__(self) -> None:
        """Know none yet."""
        self._whole: set[int] = set()

    def trouble_of(self, request: JudgeRequest, reply: JudgeReply | None) -> Trouble | None:
        """The trouble with a reply to a prompt that was cut; None where all of it may have been read.

        Some servers count only what their cache did not hold, which is 0 or the criterion alone. A record that was
        counted in full once, with another criterion, fits. https://github.com/ollama/ollama/pull/16428

        Args:
            request: What was sent.
            reply: Whose tokens are looked at; None, or none told, accuses nobody.
        """
        counted = reply.tokens_in if reply else None
        if not counted or request.chars < _LONG_PROMPT:
            return None
        record = hash(request.user_prefix)
        if _is_plausible(counted, request):
            self._remember(record)
            return None
        return None if record in self._whole else _prompt_truncated(counted, request)

    def _remember(self, record: int) -> None:
        if len(self._whole) >= _MOST_RECORDS:
            self._whole.clear()
        self._whole.add(record)


def _is_plausible(counted: int, request: JudgeRequest) -> bool:
    """Whether a judge that counts so many tokens may have read the whole prompt: less than half is too few."""
    return counted * _CHARS_PER_TOKEN * 2 >= request.chars or counted * 2 >= _fewest_tokens(request)


def _fewest_tokens(request: JudgeRequest) -> int:
    """An estimate that counts runs of blanks and of one sign, as in tables, for little."""
    text = " ".join((request.system + request.user_prefix + request.user_suffix).split())
    return len(_RUN.sub(r"\1", text)) // _CHARS_PER_TOKEN


def _prompt_truncated(counted: int, request: JudgeRequest) -> Trouble:
    detail = (
        f"the judge read {counted} tokens of about {_fewest_tokens(request)}: its context window cut the prompt. "
        "Raise judge.num_ctx (provider 'ollama') or the server's context length."
    )
    return Trouble("prompt_truncated", retry=False, status=200, detail=detail)
