"""Examining: is everything there that a night needs? Called by ``goldassay doctor``.

Every finding says what was looked at and what to do. Keys are looked for by name and never printed.
"""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from goldassay.errors import GoldassayError
from goldassay.judging import rubric_of_run
from goldassay.judging.own_server import starts_itself
from goldassay.judging.providers import api_key, provider_for
from goldassay.rules import load_rules
from goldassay.sources import GoldenSet, read_golden
from goldassay.stages.examining_answers import first_answers, look_at_answers
from goldassay.stages.examining_servers import (
    Finding,
    look_at_assistant,
    look_at_prefect,
    look_at_watch,
    reachable,
)
from goldassay.store import Store

__all__ = ["Finding", "examine"]

_VERSIONS = ("prefect", "duckdb", "pyarrow", "httpx", "pydantic")


def examine(
    settings: Any,
    folder: Path,
    store: Store,
    *,
    environ: Mapping[str, str],
    prefect_url: str | None = None,
    offline: bool = False,
) -> list[Finding]:
    """Looks at everything a night needs.

    Args:
        settings: The checked settings.
        folder: The project's folder.
        store: Its store.
        environ: Where keys are looked for.
        prefect_url: API address of the Prefect server; None: none is named.
        offline: Ask no server.

    Returns:
        Findings in the order of a run; nothing is raised for what a person can mend.
    """
    looks: list[tuple[str, Callable[[], Iterator[Finding]]]] = [
        ("python", _python),
        ("settings", lambda: _settings(folder)),
        ("answers", lambda: look_at_answers(settings, folder, environ)),
        ("golden set", lambda: _golden(settings, folder, environ)),
        ("rules", lambda: _rules(settings, folder)),
        ("judge", lambda: _judge(settings, folder, environ, offline=offline)),
        ("assistant", lambda: look_at_assistant(settings, folder, environ, offline=offline)),
        ("watch", lambda: look_at_watch(settings, offline=offline)),
        ("store", lambda: _store(store)),
        ("prefect", lambda: look_at_prefect(settings, prefect_url, offline=offline)),
    ]
    findings: list[Finding] = []
    for about, look in looks:
        try:
            findings += look()
        except GoldassayError as error:
            findings.append(Finding("problem", about, str(error)))
    return findings


def _python() -> Iterator[Finding]:
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in _VERSIONS)
    yield Finding("ok", "python", f"{sys.version.split()[0]} with {versions}")


def _settings(folder: Path) -> Iterator[Finding]:
    if (folder / "goldassay.toml").is_file():
        yield Finding("ok", "settings", f"goldassay.toml in {folder.name}/ is read without a fault")
    else:
        yield Finding("warning", "settings", "no goldassay.toml here: all defaults apply. Write one: goldassay init")


def _golden(settings: Any, folder: Path, environ: Mapping[str, str]) -> Iterator[Finding]:
    if settings.golden.path is None:
        yield Finding("warning", "golden set", "none is set: key_fact and correct are skipped. Set golden.path")
        return
    golden = read_golden(folder / settings.golden.path)
    unanswerable = sum(not question.answerable for question in golden.questions)
    yield Finding("ok", "golden set", f"{len(golden)} questions, {unanswerable} of them unanswerable")
    if len(golden) < settings.gate.min_questions:
        few = f"the gate needs {settings.gate.min_questions} common questions (gate.min_questions) and will not open"
        yield Finding("warning", "golden set", f"{few}: add questions")
    yield from _asked(settings, folder, environ, golden)
    if unanswerable == 0:
        yield Finding("warning", "golden set", "no unanswerable question: nobody sees whether the assistant refuses")


def _asked(settings: Any, folder: Path, environ: Mapping[str, str], golden: GoldenSet) -> Iterator[Finding]:
    """Which golden questions the log holds: one that is worded differently there is never graded as golden."""
    try:
        records, _, _ = first_answers(settings, folder, environ)
    except GoldassayError:
        return  # told under 'answers'
    found = {question.question_id for record in records if (question := golden.find(record)) is not None}
    missing = [question.question_id for question in golden.questions if question.question_id not in found]
    text = f"{len(found)} of {len(golden)} questions stand in the first {len(records)} records"
    if missing and found:
        text += f"; not there, or worded otherwise: {', '.join(missing[:5])}{', ...' if len(missing) > 5 else ''}"
    elif missing:
        text += ": their wording or their question_id differs from the log's"
    yield Finding("ok" if found else "warning", "golden set", text)


def _rules(settings: Any, folder: Path) -> Iterator[Finding]:
    rules = load_rules(settings.rules, base_dir=folder)
    yield Finding("ok", "rules", f"{', '.join(rules.names)}; gate: {', '.join(settings.rules.gate)}")


def _judge(settings: Any, folder: Path, environ: Mapping[str, str], *, offline: bool) -> Iterator[Finding]:
    judge = settings.judge
    if judge.provider == "lexical":
        yield Finding("warning", "judge", "no model is asked: faithful is graded by word overlap. Set judge.provider")
        return
    rubric = rubric_of_run(judge.rubric, version=judge.rubric_version, project=folder)
    names = ", ".join(criterion.name for criterion in rubric.criteria)
    yield Finding("ok", "rubric", f"{rubric.name} version {rubric.version}: {names}")
    provider_for(judge)
    if starts_itself(judge):
        yield Finding("warning", "judge", "no model is asked: the scripted judge grades by words. Set judge.provider")
    key = api_key(judge, environ)
    if key:
        yield Finding("ok", "judge key", f"variable {judge.api_key_env or 'of the provider'} is set")
    elif judge.api_key_env in settings.run.secrets:
        block = settings.run.secrets[judge.api_key_env]
        yield Finding("ok", "judge key", f"{judge.api_key_env!r} comes from the Prefect Secret block {block!r}")
    elif judge.api_key_env:
        yield Finding("problem", "judge key", f"variable {judge.api_key_env!r} is not set. Export it before the run")
    if not offline and judge.base_url:
        yield reachable("judge", judge.base_url)


def _store(store: Store) -> Iterator[Finding]:
    runs = store.runs()
    yield Finding("ok", "store", f"{store.address}: {len(runs)} {'run' if len(runs) == 1 else 'runs'}")
    for problem in store.verify():
        level: Literal["warning", "problem"] = "warning" if problem.severity == "info" else "problem"
        yield Finding(level, "store", f"{problem.path} {problem.what}. {problem.hint}")
