"""Shows what a judge is asked and how its reply was read: `goldassay judge show RECORD`.

Builds the very request that the engine would send, and sends nothing. No key is
needed and none is shown: the place of the key holds three stars.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from typing import Any

from goldassay.judging.adapt import with_format
from goldassay.judging.hashing import request_hash
from goldassay.judging.parsing import ParsedReply, parse_reply
from goldassay.judging.parsing_claims import checked_claims
from goldassay.judging.parsing_rubric import contract_for
from goldassay.judging.prompt import JudgeCall, JudgeItem, build_calls, evaluated_texts, ready_verdicts
from goldassay.judging.providers import PROVIDERS, JudgeRequest, provider_for
from goldassay.judging.rubric_model import Rubric
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.work import shaping_params
from goldassay.verdicts import OtherReply, Outcome, Verdict

__all__ = ["Shown", "ShownCall", "ShownReply", "show_item", "show_reply"]

_MASK = "***"
_USER_INFO = re.compile(r"(?<=//)[^/@\s]{1,200}@")
_SECRET_NAME = re.compile(r"key|token|secret|password|authorization|credential|signature", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ShownCall:
    """One request as it would go out."""

    criteria: tuple[str, ...]
    variant: str
    request_hash: str
    flags: tuple[str, ...]
    url: str
    headers: dict[str, str]
    body: dict[str, Any]
    system: str
    user: str

    def text(self) -> str:
        """For a terminal: the request line and headers, then the prompt as the model reads it."""
        head = [f"--- {', '.join(self.criteria)} {self.variant}".rstrip() + " ---", f"POST {self.url}"]
        head += [f"{name}: {value}" for name, value in self.headers.items()]
        head += [f"request hash: {self.request_hash}", f"flags: {', '.join(self.flags) or 'none'}"]
        rest = {key: value for key, value in self.body.items() if key not in _PROMPT_KEYS}
        parts = ["\n".join(head), "parameters: " + json.dumps(rest, ensure_ascii=False, default=str)]
        return "\n\n".join([*parts, f"[system]\n{self.system}", f"[user]\n{self.user}"])


_PROMPT_KEYS = frozenset(
    {"messages", "system", "contents", "systemInstruction", "system_instruction", "input", "instructions", "prompt"}
)
"""Keys of a body under which providers put the prompt; it is shown in plain text instead."""


@dataclass(frozen=True, slots=True)
class Shown:
    """All that would be asked about one record."""

    record_id: str
    calls: tuple[ShownCall, ...]
    settled: tuple[Verdict, ...]
    """Criteria that need no call."""

    def text(self) -> str:
        """For a terminal."""
        settled = [f"{row.check}: {row.outcome.value} without a call, because {row.reason}" for row in self.settled]
        return "\n\n".join([*settled, *(call.text() for call in self.calls)])

    def data(self) -> dict[str, Any]:
        """For --json."""
        settled = [{"check": row.check, "outcome": row.outcome.value, "reason": row.reason} for row in self.settled]
        return {"record_id": self.record_id, "calls": [asdict(call) for call in self.calls], "settled": settled}


@dataclass(frozen=True, slots=True)
class ShownReply:
    """A stored verdict: the raw reply, and how it is read."""

    verdict: Verdict
    contract: dict[str, Any]
    """The form that was asked for: fields with type and scale."""
    read_again: ParsedReply | None
    """As today's reader reads the kept reply; None when there is none."""
    asked: ShownCall | None = None
    """The request as it is built again for that judge and rubric; None where the record or the call is not at hand."""

    @property
    def reads_the_same(self) -> bool:
        """Whether today's reader comes to the stored outcome; of two orders only whether the reply is readable."""
        if self.read_again is None:
            return True
        if "order" in self.verdict.extra:
            return (self.read_again.outcome is Outcome.ERROR) == (self.verdict.outcome is Outcome.ERROR)
        return self._outcome() == self.verdict.outcome

    @property
    def is_exact(self) -> bool:
        """Whether `asked` is, by its hash, the very request that went out."""
        return self.asked is not None and self.asked.request_hash == self.verdict.request_hash

    def _request(self) -> str:
        if self.verdict.request_hash is None:
            return "nothing went out: this was known without a call"
        if self.asked is None:
            return "what went out is not kept, and cannot be built again: only its hash is known"
        if self.is_exact:
            return f"[what went out, by its hash]\n{self.asked.text()}"
        return (
            "CAUTION: what went out was another request than any that is built today. Its hash differs, so the prompt, "
            "the rubric's text or the parameters have changed since; only that hash is kept. "
            f"The nearest request of today has the hash {self.asked.request_hash}"
        )

    def _outcome(self) -> str:
        assert self.read_again is not None
        return self.read_again.outcomes.get(self.verdict.check, self.read_again.outcome)

    def text(self) -> str:
        """For a terminal."""
        row = self.verdict
        score = "" if row.score is None else f", score {row.score:g} of {row.scale_max:g}, pass mark {row.pass_mark:g}"
        lines = [
            f"--- {row.check}: {row.outcome.value}{score} ---",
            f"judge: {row.judge_provider} {row.judge_model}, answered as {row.judge_model_reported or 'unknown'}",
            f"rubric: {row.rubric} {row.rubric_version}, request hash {row.request_hash}",
            f"finish reason: {row.finish_reason}, attempts: {row.attempts}, reused: {row.reused}",
            f"repairs: {', '.join(row.repairs) or 'none'}; flags: {', '.join(row.flags) or 'none'}",
            f"category: {row.category.value if row.category else 'none'}; reason: {row.reason}",
            "asked for: " + json.dumps(self.contract, ensure_ascii=False, default=str),
        ]
        if not self.reads_the_same:
            lines.append(f"today's reader would say {self._outcome()}")
        reply = f"[reply]\n{row.reply if row.reply is not None else '(none was kept)'}"
        others = [_other_text(other) for other in row.other_replies]
        return "\n\n".join(["\n".join(lines), self._request(), reply, *others])

    def data(self) -> dict[str, Any]:
        """For --json."""
        return {
            "check": self.verdict.check,
            "request_hash": self.verdict.request_hash,
            "request_is_exact": self.is_exact,
            "request": asdict(self.asked) if self.asked is not None and self.is_exact else None,
            "reads_the_same": self.reads_the_same,
        }


_WHY = {
    "repeat": "the same call, made once more",
    "order": "the answers shown the other way round",
    "asked_again": "could not be read and was asked again",
}


def _other_text(other: OtherReply) -> str:
    """A further reply that was paid for, with what was read from it."""
    score = "" if other.score is None else f", score {other.score:g}"
    order = f", order {other.variant}" if other.variant else ""
    why = _WHY.get(other.kind, other.kind)
    head = f"[another reply: {why}{order}; {other.outcome}{score}: {other.reason}]"
    return f"{head}\n{other.reply if other.reply is not None else '(none came)'}"


def show_item(item: JudgeItem, rubric: Rubric, config: JudgeConfig) -> Shown:
    """The exact prompts and requests for a record, keys masked; nothing is sent.

    Raises:
        ConfigError: If judge.provider is unknown.
    """
    calls = build_calls(item, rubric, model=config.model)
    shown = tuple(_shown(call, rubric, config, shares_prefix=len(calls) * config.repeats > 1) for call in calls)
    return Shown(item.record.record_id, shown, tuple(ready_verdicts(item, rubric)))


def _shown(call: JudgeCall, rubric: Rubric, config: JudgeConfig, *, shares_prefix: bool) -> ShownCall:
    provider = provider_for(config)
    tuning = provider.first_tuning
    if config.structured != "auto":
        tuning = with_format(tuning, config.structured)
    request = JudgeRequest(
        call.system,
        call.user_prefix,
        call.user_suffix,
        call.response_schema,
        config.max_tokens,
        shares_prefix=shares_prefix,
    )
    return ShownCall(
        criteria=call.criteria,
        variant=call.variant,
        request_hash=request_hash(call, rubric, config.provider, config.model, shaping_params(config)),
        flags=call.flags,
        url=_USER_INFO.sub(f"{_MASK}@", provider.url(config)),
        headers=provider.headers(config, _MASK),
        body=_masked(provider.body(request, config, tuning)),
        system=call.system,
        user=call.user,
    )


def _masked(body: Any) -> Any:
    """The body without values that a team may have put into extra_body as secrets."""
    if not isinstance(body, dict):
        return body
    return {
        key: _MASK if isinstance(value, str) and _SECRET_NAME.search(key) else _masked(value)
        for key, value in body.items()
    }


def show_reply(
    verdict: Verdict, rubric: Rubric, item: JudgeItem | None = None, config: JudgeConfig | None = None
) -> ShownReply:
    """A stored verdict with its raw reply, and the reading of it done again.

    Args:
        verdict: A judge's row from the store.
        rubric: The rubric of that row, by name and version.
        item: Its record, to tell an echoed verdict; None where it is not at hand.
        config: Today's settings, to build the request again with the judge of that row; None: it is not built.
    """
    together = rubric.calls == "together"
    # Of a reply about several criteria only this row's part is read: others may not have been asked for.
    names = (verdict.check,)
    contract = contract_for(rubric, names, together=together)
    read_again = None
    if verdict.reply is not None:
        read_again = parse_reply(
            verdict.reply,
            rubric,
            finish_reason=verdict.finish_reason,
            criteria=names,
            evaluated=evaluated_texts(item) if item else (),
        )
        if item is not None and rubric.reply == "claims":
            read_again = checked_claims(read_again, item)
    fields = {name: asdict(spec) for name, spec in contract.fields.items()}
    told = {"format": contract.format, "required": contract.required, "fields": fields}
    return ShownReply(verdict, told, read_again, _asked(verdict, rubric, item, config))


def _asked(verdict: Verdict, rubric: Rubric, item: JudgeItem | None, config: JudgeConfig | None) -> ShownCall | None:
    """The request for a stored row: of its own provider and model, with whatever else is set today."""
    if item is None or config is None or verdict.judge_provider not in PROVIDERS:
        return None
    then = config.model_copy(update={"provider": verdict.judge_provider, "model": verdict.judge_model or ""})
    if then.provider != config.provider:
        then = then.model_copy(update={"base_url": None})  # the address of one provider is not another's
    calls = build_calls(item, rubric, model=then.model)
    shares = len(calls) * then.repeats > 1
    shown = [_shown(call, rubric, then, shares_prefix=shares) for call in calls if verdict.check in call.criteria]
    exact = (call for call in shown if call.request_hash == verdict.request_hash)
    return next(exact, shown[0] if shown else None)
