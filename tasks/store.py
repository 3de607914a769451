"""Publish a run: its parts become readable all at once, the manifest last."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from prefect import task
from prefect.logging import get_run_logger

from goldassay.judging import load_rubric
from goldassay.rules import load_rules
from goldassay.sources import GoldenSet
from goldassay.stages.publish import RunFacts, publish_run
from goldassay.store import RunManifest
from tasks.naming import name_versions
from tasks.project import Bench, golden_of, open_bench, settings_digest
from tasks.retrying import INFRASTRUCTURE

__all__ = ["publish"]


@task(name="publish", **INFRASTRUCTURE)
async def publish(plan: str) -> str:
    """Makes the run readable; returns its id."""
    manifest = await asyncio.to_thread(_publish, open_bench(plan))
    counts = manifest.counts
    await name_versions(manifest.run_kind, manifest.app_versions)
    get_run_logger().info(
        "published %s: %d records, %d verdicts, %d errors, %d files",
        manifest.run_id, counts.records, counts.verdicts, counts.errors, len(manifest.files),
    )  # fmt: skip
    return manifest.run_id


def _publish(bench: Bench) -> RunManifest:
    return publish_run(bench.plan, bench.store, _facts(bench), now=datetime.now(UTC))


def _facts(bench: Bench) -> RunFacts:
    settings, folder = bench.settings, bench.plan.folder
    rules = load_rules(settings.rules, base_dir=folder)
    judge, golden = settings.judge, golden_of(settings, folder)
    by_model = judge.provider != "lexical"
    rubric = load_rubric(judge.rubric, version=judge.rubric_version, folders=(folder / "config" / "rubrics",))
    return RunFacts(
        gate=tuple(settings.rules.gate),
        rule_versions={name: rules.version(name) for name in rules.names},
        rubric=rubric.name if by_model else None,
        rubric_version=rubric.version if by_model else None,
        judge_provider=judge.provider,
        judge_model=judge.model if by_model else "support",
        sampling=settings.sampling.model_dump(mode="json"),
        settings_digest=settings_digest(settings),
        golden_digest=golden.digest if golden else None,
        golden_questions=_asked(bench, golden),
    )


def _asked(bench: Bench, golden: GoldenSet | None) -> int | None:
    """Questions that a golden run was put; one that judges its answers again stands for as many."""
    if bench.plan.source_run is not None:
        return bench.store.run(bench.plan.source_run).golden_questions
    return len(golden) if golden is not None and bench.plan.run_kind == "golden" else None
