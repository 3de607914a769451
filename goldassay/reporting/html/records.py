"""The answers of a run as a page shows them: a light index for lists and filters, and heavy details in chunks.

The index holds what a list needs (columns, not rows: it compresses and parses
better); a chunk holds everything else of its answers and is unpacked when one of
them is opened; sources stand apart, each once. Answers come worst first: broken, failed, errors, unsure, passed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from goldassay.analytics.models_reports import RunSummary
from goldassay.records import AnswerRecord, GoldenQuestion, Source
from goldassay.reporting.changes import ChangedQuestion, by_question
from goldassay.reporting.html.spans import answer_spans, found_numbers, source_spans
from goldassay.reporting.safe import excerpt
from goldassay.reporting.words import category_name
from goldassay.rules.context import RuleContext, SourceCache
from goldassay.verdicts import OtherReply, Outcome, Verdict

__all__ = ["CHUNK", "SOURCE_CHUNK", "Answer", "SourcePool", "answer_chunks", "answer_index", "ordered", "outcome_rank"]

CHUNK = 50
"""Answers a chunk: about 100 kB of text, unpacked in a few milliseconds."""
SOURCE_CHUNK = 40
"""Sources a chunk, in the order of first use: an answer opened needs a few chunks."""
_ANSWER_CHARACTERS = 50_000
_SOURCE_CHARACTERS = 20_000
_REPLY_CHARACTERS = 8_000
_SEARCH_CHARACTERS = 600
_MOST_REASONS = 6
_WITH_NUMBERS = 1_000
"""Answers, worst first, whose right numbers are marked in their sources: looking them up again takes 1-3 ms each."""
_CODES = {Outcome.PASS: "p", Outcome.FAIL: "f", Outcome.ERROR: "e", Outcome.SKIP: "s", Outcome.UNSURE: "u"}
_WHY_OTHER = {
    "repeat": "Asked once more",
    "order": "Answers the other way round",
    "asked_again": "Could not be read, and was asked again",
}
_RANK = {"f": 0, "e": 1, "u": 2, "p": 3, "s": 4}


@dataclass(slots=True)
class Answer:
    """One answer with its verdicts, as the page needs it."""

    record: AnswerRecord
    golden: GoldenQuestion | None
    verdicts: list[Verdict] = field(default_factory=list)
    change: str = ""
    """'broken', 'fixed', or '' against the run compared with."""
    before: ChangedQuestion | None = None
    """The same question in the run compared with, where a check of it broke or was fixed."""

    @property
    def code(self) -> str:
        """Outcome of the answer: gate checks decide, 'f' before 'e' before 'u' before 'p'; 's' where none applies."""
        codes = {_CODES[verdict.outcome] for verdict in self.verdicts if verdict.severity == "gate"}
        return min(codes, key=_RANK.__getitem__) if codes else "s"


def outcome_rank(outcome: Outcome) -> int:
    """Place of an outcome in the order of the page: 0 is worst."""
    return _RANK[_CODES[outcome]]


def ordered(answers: Iterable[Answer], summary: RunSummary) -> list[Answer]:
    """Answers worst first, with what changed against the run compared with."""
    changes = {
        row.head.record_id: (kind, row)
        for kind, changed in (("fixed", summary.fixed), ("broken", summary.broken))
        for row in by_question(changed)
    }
    found = list(answers)
    for answer in found:
        kind, row = changes.get(answer.record.record_id, ("", None))
        answer.change, answer.before = kind, row
    return sorted(found, key=lambda answer: (answer.change != "broken", _RANK[answer.code], answer.change != "fixed"))


def answer_index(answers: Sequence[Answer], checks: Sequence[str]) -> dict[str, Any]:
    """Columns for lists and filters, one entry an answer in the order given."""
    categories: dict[str, int] = {}
    strata: dict[str, int] = {}
    versions: dict[str, int] = {}
    columns: dict[str, list[Any]] = {name: [] for name in ("id", "q", "a", "o", "v", "c", "s", "r", "d", "x")}
    for answer in answers:
        failed = [verdict for verdict in answer.verdicts if verdict.outcome in {Outcome.FAIL, Outcome.ERROR}]
        columns["id"].append(answer.record.record_id)
        columns["q"].append(excerpt(answer.record.question, 200))
        columns["a"].append(excerpt(answer.record.answer, _SEARCH_CHARACTERS))
        columns["o"].append(answer.code)
        columns["v"].append(_codes(answer.verdicts, checks))
        columns["c"].append(sorted({_number(categories, category_name(verdict.category)) for verdict in failed}))
        columns["s"].append(_number(strata, _stratum(answer)))
        columns["r"].append(_reasons(failed, checks))
        columns["d"].append(answer.change[:1])
        columns["x"].append(_number(versions, answer.record.app_version))
    return {
        "chunk": CHUNK,
        "source_chunk": SOURCE_CHUNK,
        "checks": list(checks),
        "categories": list(categories),
        "strata": list(strata),
        "versions": list(versions),
        **columns,
    }


def _codes(verdicts: Sequence[Verdict], checks: Sequence[str]) -> str:
    by_check = {verdict.check: _CODES[verdict.outcome] for verdict in verdicts}
    return "".join(by_check.get(check, "-") for check in checks)


def _number(known: dict[str, int], name: str) -> int:
    return known.setdefault(name, len(known))


def _stratum(answer: Answer) -> str:
    found = next((verdict.stratum for verdict in answer.verdicts if verdict.stratum), None)
    return found or (answer.golden.stratum if answer.golden and answer.golden.stratum else "")


def _reasons(failed: Sequence[Verdict], checks: Sequence[str]) -> list[tuple[int, str]]:
    """(place of the check, why it failed), the gravest first."""
    worst = sorted(failed, key=lambda verdict: (verdict.severity != "gate", _RANK[_CODES[verdict.outcome]]))
    return [
        (checks.index(verdict.check), excerpt(verdict.reason or category_name(verdict.category), 160))
        for verdict in worst[:_MOST_REASONS]
        if verdict.check in checks
    ]


class SourcePool:
    """Every source of the page once: in real logs the same passages are sent again and again."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, str, str | None, str | None], int] = {}
        self.cache = SourceCache()
        """Their normal forms, for the rules that look into them again."""

    def place(self, source: Source) -> int:
        """The number of a source in the pool, from 0."""
        return self._places.setdefault((source.id, source.text, source.title, source.url), len(self._places))

    def chunks(self) -> Iterator[list[list[Any]]]:
        """`SOURCE_CHUNK` sources at a time: id, text, its whole length, title, address."""
        rows = (
            [name, _cut(text, _SOURCE_CHARACTERS), len(text), title, url] for name, text, title, url in self._places
        )
        while chunk := list(islice(rows, SOURCE_CHUNK)):
            yield chunk


def answer_chunks(answers: Sequence[Answer], pool: SourcePool) -> Iterator[list[dict[str, Any]]]:
    """Everything of `CHUNK` answers at a time; their sources go into the pool."""
    for start in range(0, len(answers), CHUNK):
        with_numbers = start < _WITH_NUMBERS
        yield [_detail(answer, pool, with_numbers=with_numbers) for answer in answers[start : start + CHUNK]]


def _detail(answer: Answer, pool: SourcePool, *, with_numbers: bool) -> dict[str, Any]:
    record = answer.record
    context = RuleContext(record, answer.golden, None, pool.cache)
    found = found_numbers(context) if with_numbers else []
    detail: dict[str, Any] = {
        "q": record.question[:_ANSWER_CHARACTERS],
        "a": record.answer[:_ANSWER_CHARACTERS],
        "n": len(record.answer),
        "s": [pool.place(source) for source in record.sources],
        "m": answer_spans(context, answer.verdicts, limit=_ANSWER_CHARACTERS, found=found),
        "h": source_spans(
            record,
            answer.verdicts,
            limit=_SOURCE_CHARACTERS,
            found=found,
            golden=answer.golden if with_numbers else None,
        ),
        "v": [_verdict(verdict) for verdict in answer.verdicts],
        "f": _facts(record),
    }
    if record.turns:
        detail["t"] = [[turn.role, turn.text[:_REPLY_CHARACTERS]] for turn in record.turns]
    if answer.golden is not None:
        detail["g"] = _golden(answer.golden)
    if answer.before is not None:
        detail["b"] = _before(answer.before)
    return detail


def _before(changed: ChangedQuestion) -> list[Any]:
    """Version and answer of the run before, and what each changed check said of it: name, outcome, reason."""
    reasons = dict(changed.base_says)
    says = [[check, changed.base.outcome, reasons.get(check, "")] for check in changed.checks]
    return [changed.base.app_version, changed.base.answer, says]


def _facts(record: AnswerRecord) -> list[tuple[str, str]]:
    """Names and values for the fine print; what the log does not tell is left out."""
    asked = record.asked_at.isoformat(timespec="seconds") if record.asked_at else ""
    facts: Mapping[str, str | None] = {
        "asked": asked.replace("T", " ").replace("+00:00", " UTC"),
        "version": record.app_version,
        "model": record.model,
        "prompt": record.prompt_version,
        "index": record.index_version,
        "language": record.lang,
        **record.tags,
    }
    return [(name, excerpt(value, 120)) for name, value in facts.items() if value]


def _golden(golden: GoldenQuestion) -> dict[str, Any]:
    return {
        "answerable": golden.answerable,
        "facts": [" / ".join(fact) for fact in golden.key_facts],
        "reference": _cut(golden.reference or "", _REPLY_CHARACTERS),
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    """One verdict; keys whose value says nothing are left out."""
    judge = " ".join(
        part for part in (verdict.judge_provider, verdict.judge_model_reported or verdict.judge_model) if part
    )
    row: dict[str, Any] = {
        "k": verdict.check,
        "o": _CODES[verdict.outcome],
        "w": verdict.severity == "warn",
        "c": category_name(verdict.category) if verdict.category else "",
        "r": verdict.reason[:_REPLY_CHARACTERS],
        "s": verdict.score,
        "z": verdict.scale_max if verdict.score is not None else None,
        "p": verdict.pass_mark if verdict.score is not None else None,
        "j": judge,
        "y": _cut(verdict.reply or "", _REPLY_CHARACTERS),
        "t": [_other(reply) for reply in verdict.other_replies],
        "l": [*verdict.flags, *verdict.repairs],
        "u": verdict.reused,
    }
    return {key: value for key, value in row.items() if value not in (None, "", False, [])}


def _other(reply: OtherReply) -> list[str]:
    """What a further reply was read as, and its text; said in words, since nothing is computed from it."""
    score = "" if reply.score is None else f" {reply.score:g}"
    shown = f", order {reply.variant}" if reply.variant else ""
    head = f"{_WHY_OTHER.get(reply.kind, reply.kind)}{shown}: {reply.outcome}{score}"
    return [head, excerpt(reply.reason, _SEARCH_CHARACTERS), _cut(reply.reply or "", _REPLY_CHARACTERS)]


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit]
