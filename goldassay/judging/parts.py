"""One call of one record as the journal knows it: its name there, what it sends, how its reply is read."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from goldassay.judging.journal_calls import Line
from goldassay.judging.parsing import ParsedReply, parse_reply
from goldassay.judging.parsing_claims import checked_claims
from goldassay.judging.prompt import JudgeCall, evaluated_texts
from goldassay.judging.providers.base import JudgeRequest
from goldassay.judging.rubric_model import Rubric
from goldassay.judging.settings import JudgeConfig
from goldassay.verdicts import Category, Outcome, RunStamp

__all__ = ["Part", "journal_head", "part_key", "read", "shaping_params"]


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
    shares_prefix: bool = False
    """Other calls show the same record, so a provider's cache of it pays."""

    @property
    def chars(self) -> int:
        """Length of the prompt."""
        return len(self.call.system) + len(self.call.user_prefix) + len(self.call.user_suffix)

    def request(self, config: JudgeConfig, *, reask: int = 0, cut_off: bool = True) -> JudgeRequest:
        """What is sent; asked again, it says what was wrong, since the same words would bring the same reply.

        Args:
            config: The judge's settings.
            reask: How often it was asked before.
            cut_off: Whether the reply to that may have wanted more room. A judge need not take more than was set.
        """
        call = self.call
        note = _REASK_NOTE.replace("#", str(reask)) if reask else ""
        max_tokens = config.max_tokens * (2 if reask and cut_off else 1)
        return JudgeRequest(
            call.system,
            call.user_prefix,
            call.user_suffix + note,
            call.response_schema,
            max_tokens,
            shares_prefix=self.shares_prefix,
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
        parsed = parse_reply(text, rubric, finish_reason=finish_reason, criteria=call.criteria, evaluated=evaluated)
        return checked_claims(parsed, call.item) if rubric.reply == "claims" else parsed
    except Exception as error:  # noqa: BLE001 - the reply is paid for and is kept, whatever the reader makes of it
        detail = {"reader": type(error).__name__}
        return ParsedReply(Outcome.ERROR, category=Category.UNREADABLE_REPLY, error_kind="not_json", detail=detail)


def part_key(item: str, digest: str, index: int) -> bytes:
    """A short name of a part, for remembering many that are done."""
    return hashlib.blake2b(f"{item}\x1f{digest}\x1f{index}".encode("utf-8", "surrogatepass"), digest_size=12).digest()
