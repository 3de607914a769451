"""Report: the page beside the store, and what Prefect's own page shows of the run."""

from __future__ import annotations

import asyncio
from pathlib import Path

from prefect import task
from prefect.artifacts import acreate_link_artifact, acreate_markdown_artifact, acreate_table_artifact

from goldassay.analytics.models_reports import RunSummary
from goldassay.analytics.summary import run_summary
from goldassay.reporting.html import render_html
from goldassay.reporting.markdown import summary_markdown
from goldassay.stages.planning import mark_reported
from tasks.naming import artifact_key
from tasks.project import Bench, open_bench
from tasks.retrying import INFRASTRUCTURE

__all__ = ["report"]

_TABLE_ROWS = 50
"""Failures in the table artifact; all of them are in the page and the store."""


@task(name="report", **INFRASTRUCTURE)
async def report(plan: str) -> str:
    """Writes the HTML page and the artifacts; returns the page's path."""
    bench = open_bench(plan)
    summary, page = await asyncio.to_thread(_render, bench)
    key = f"{artifact_key(summary.app)}-{summary.run_kind}"
    await acreate_markdown_artifact(summary_markdown(summary), key=f"{key}-report", description=summary.run_id)
    await acreate_table_artifact(_failures(summary), key=f"{key}-failures", description="failures, grouped by reason")
    await acreate_link_artifact(page.as_uri(), key=f"{key}-page", link_text=f"Report of {summary.run_id}")
    mark_reported(bench.store, bench.plan)
    return str(page)


def _render(bench: Bench) -> tuple[RunSummary, Path]:
    run_id, compare_to = bench.plan.run_id, bench.settings.run.compare_to
    gate = bench.settings.gate if bench.plan.run_kind == "golden" else None
    summary = run_summary(bench.store, run_id, compare_to=compare_to, gate=gate)
    page = bench.plan.folder / ".goldassay" / "reports" / f"{run_id}.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    render_html(bench.store, run_id, page, compare_to=compare_to, gate=gate)
    return summary, page


def _failures(summary: RunSummary) -> list[dict[str, object]]:
    return [
        {
            "category": group.category,
            "name": group.name,
            "checks": ", ".join(group.checks),
            "answers": group.answers,
            "verdicts": group.count,
            "would pass if mended": group.would_pass,
        }
        for group in summary.reasons[:_TABLE_ROWS]
    ]
