"""Pull: the logged answers of a window, with the golden questions they match, into shards.

Calls a source and the store; knows nothing of rules and judges. A shard that is there
is done, so a pull that died half-way is begun anew: nothing was paid for yet.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from goldassay.errors import RunError, SourceError
from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.rules.cites_base import detect_base
from goldassay.sources import AnswersConfig, EmptyInputError, GoldenSet, Window, read_answers
from goldassay.stages.plan import VERSION_NAMES, RunPlan
from goldassay.stages.pull_words import nothing_new, too_late
from goldassay.stages.setting_aside import REJECTED_FILE, Aside
from goldassay.store import Staging

__all__ = [
    "PULLED",
    "Matched",
    "NothingNewError",
    "PullReport",
    "Taken",
    "latest_answers",
    "of_app",
    "pull_answers",
    "pull_records",
    "versioned_id",
]

PULLED = "pulled"
"""Note of the staging folder that says the pull is complete."""
_NAMED = 5
_BASE_SAMPLE = 500


class NothingNewError(RunError):
    """The window holds no answer that an earlier run has not taken."""

    def __init__(self, message: str, *, rejected: int = 0) -> None:
        super().__init__(message)
        self.rejected = rejected
        """Lines that could not be read: with some, the night was not quiet but broken."""


class Matched(NamedTuple):
    """A record with the golden question it answers, if any."""

    record: AnswerRecord
    golden: GoldenQuestion | None


class Taken(NamedTuple):
    """What earlier nights have taken from the log."""

    known: Callable[[AnswerRecord], bool] = lambda _record: False
    """Whether a record is among it."""
    rejected: Collection[str] = ()
    """Digests (`rejected_digest`) of lines that were set aside and told of."""
    before: int | None = None
    """Answers from before the window; None: not known."""


@dataclass
class PullReport:
    """What a pull found."""

    shards: int = 0
    records: int = 0
    rejected: int = 0
    """Lines or rows set aside; all of them are in the staging folder's rejected.jsonl."""
    rejected_before: int = 0
    """Lines that an earlier run has set aside already."""
    outside: int = 0
    """Rows outside the window."""
    before: int = 0
    """Those of them from before it begins."""
    foreign: int = 0
    """Records of another app."""
    other_apps: list[str] = field(default_factory=list)
    """Names of those, the first few."""
    known: int = 0
    """Records that an earlier run has already taken."""
    matched: int = 0
    """Records that answer a golden question."""
    unanswered: int = 0
    """Golden runs: questions the assistant was asked and did not answer."""
    citation_base: int | None = None
    """Whether this log numbers its sources from 0 or from 1; None before the first shard."""
    other_versions: list[str] = field(default_factory=list)
    """Golden runs: versions of those golden questions' answers that are not of the version asked for, the first few."""
    missing_questions: list[str] = field(default_factory=list)
    """Golden runs: ids of golden questions without an answer."""
    rejected_samples: list[dict[str, object]] = field(default_factory=list)
    """The first ones, for the report."""
    notes: list[str] = field(default_factory=list)
    """What the log as a whole should make its reader look at."""


def pull_answers(
    plan: RunPlan,
    staging: Staging,
    config: AnswersConfig,
    golden: GoldenSet | None,
    *,
    shard_size: int,
    taken: Taken | None = None,
    environ: Mapping[str, str] | None = None,
) -> PullReport:
    """Reads the plan's window of the log into shards of at most `shard_size` records.

    Args:
        plan: The run.
        staging: Where its unfinished parts lie.
        config: The source.
        golden: The golden set to match against; None: only golden fields of the log itself.
        shard_size: Records a shard.
        taken: What earlier runs have taken; None: nothing.
        environ: Where the source finds the variables its settings name.

    Returns:
        The counts; they are also kept in the staging folder.

    Raises:
        SourceError: If the log cannot be read.
        NothingNewError: If it holds no answer to grade: a night without answers is not a night that passed.
    """
    report, taken = PullReport(), taken or Taken()
    staging.folder.mkdir(parents=True, exist_ok=True)
    with (staging.folder / REJECTED_FILE).open("w", encoding="utf-8") as file:
        aside = Aside(report, file, taken.rejected)
        found = _matched(plan, config, golden, report, aside, known=taken.known, environ=environ)
        try:
            _write_shards(staging, plan, found, shard_size, report)
        except EmptyInputError as error:
            raise NothingNewError(str(error), rejected=report.rejected) from error
    if taken.before is not None and report.before > taken.before:
        report.notes.append(too_late(plan, report.before - taken.before))
    if report.records == 0:
        raise NothingNewError(nothing_new(plan, report), rejected=report.rejected)
    staging.write_note(PULLED, vars(report))
    return report


def pull_records(
    plan: RunPlan, staging: Staging, records: Iterable[Matched], *, shard_size: int, report: PullReport | None = None
) -> PullReport:
    """The same for records that are already at hand (a golden run's answers, a rejudged baseline).

    Raises:
        RunError: If there is no record.
    """
    report = report or PullReport()
    _write_shards(staging, plan, iter(records), shard_size, report)
    if report.records == 0:
        raise RunError(nothing_new(plan, report))
    staging.write_note(PULLED, vars(report))
    return report


def latest_answers(
    plan: RunPlan,
    config: AnswersConfig,
    golden: GoldenSet,
    report: PullReport,
    *,
    environ: Mapping[str, str] | None = None,
    may_be_empty: bool = False,
) -> list[Matched]:
    """The newest logged answer of the plan's version to each golden question, in the order of the golden set.

    Args:
        plan: Its app_version, model, prompt_version and index_version choose the records; None: any.
        config: The source.
        golden: The golden set.
        report: Takes the counts, and the ids of questions without an answer.
        environ: Where the source finds the variables its settings name.
        may_be_empty: No log at all is fine, because the assistant can be asked.
    """
    newest: dict[str, Matched] = {}
    found = _matched(plan, config, golden, report, Aside(report), known=lambda _record: False, environ=environ)
    for match in _or_nothing(found) if may_be_empty else found:
        if match.golden is None:
            continue
        if not _is_version(match.record, plan):
            _name_version(match.record, report)
            continue
        before = newest.get(match.golden.question_id)
        if before is None or _when(match.record) >= _when(before.record):
            newest[match.golden.question_id] = match
    report.missing_questions = [q.question_id for q in golden.questions if q.question_id not in newest]
    report.matched = 0
    return [newest[q.question_id] for q in golden.questions if q.question_id in newest]


def _or_nothing(found: Iterator[Matched]) -> Iterator[Matched]:
    with contextlib.suppress(SourceError):
        yield from found


def _is_version(record: AnswerRecord, plan: RunPlan) -> bool:
    return all(getattr(plan, name) in (None, getattr(record, name)) for name in VERSION_NAMES)


def _name_version(record: AnswerRecord, report: PullReport) -> None:
    named = [f"{name} {value!r}" for name in VERSION_NAMES if (value := getattr(record, name))]
    version = ", ".join(named) or "no version"
    if version not in report.other_versions and len(report.other_versions) < _NAMED:
        report.other_versions.append(version)


def _when(record: AnswerRecord) -> float:
    return record.asked_at.timestamp() if record.asked_at else 0.0


def _matched(
    plan: RunPlan,
    config: AnswersConfig,
    golden: GoldenSet | None,
    report: PullReport,
    aside: Aside,
    *,
    known: Callable[[AnswerRecord], bool],
    environ: Mapping[str, str] | None,
) -> Iterator[Matched]:
    window = Window(plan.window_start, plan.window_end)
    log = of_app(config, plan.app)
    ids: set[str] = set()
    for batch in read_answers(log, window=window, base_dir=plan.folder, environ=environ or {}, keep_undated=True):
        report.outside += batch.outside
        report.before += batch.before
        report.notes += batch.notes
        for rejected in batch.rejected:
            aside.take(rejected)
        for record, inline in zip(batch.records, batch.golden, strict=True):
            if record.app != plan.app:
                _count_foreign(record.app, report)
            elif known(record):
                report.known += 1
            else:
                question = (golden.find(record) if golden else None) or inline
                yield Matched(_with_own_id(record, ids), question)


def of_app(config: AnswersConfig, app: str) -> AnswersConfig:
    """The log's settings, with records that name no app taken for this one's."""
    if "app" in config.defaults:
        return config
    return config.model_copy(update={"defaults": {**config.defaults, "app": app}})


def _count_foreign(app: str, report: PullReport) -> None:
    report.foreign += 1
    if app not in report.other_apps and len(report.other_apps) < _NAMED:
        report.other_apps.append(app)


def _with_own_id(record: AnswerRecord, ids: set[str]) -> AnswerRecord:
    """The same id in two versions is two records: the second is told apart by its version."""
    if record.record_id in ids:
        record = record.model_copy(update={"record_id": versioned_id(record)})
    ids.add(record.record_id)
    return record


def versioned_id(record: AnswerRecord) -> str:
    """Id of a record whose plain id belongs to another version in the same run."""
    return f"{record.record_id}@{record.app_version or record.model or 'unknown'}"


def _write_shards(
    staging: Staging, plan: RunPlan, found: Iterator[Matched], shard_size: int, report: PullReport
) -> None:
    shard: list[Matched] = []
    for match in found:
        shard.append(match)
        report.records += 1
        report.matched += match.golden is not None
        if len(shard) == shard_size:
            _write(staging, plan, report, shard)
            shard = []
    if shard:
        _write(staging, plan, report, shard)


def _write(staging: Staging, plan: RunPlan, report: PullReport, shard: list[Matched]) -> None:
    if report.citation_base is None:
        report.citation_base = detect_base(match.record for match in shard[:_BASE_SAMPLE])
    number = report.shards
    report.shards += 1
    staging.write_answers(number, [m.record for m in shard], [m.golden for m in shard], stamp=plan.stamp)
