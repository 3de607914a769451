"""Report: the page of the run, what Prefect's own page shows of it, and who is told."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import NamedTuple

from prefect import task
from prefect.artifacts import acreate_link_artifact, acreate_markdown_artifact, acreate_table_artifact

from goldassay.analytics.failed import FailedAnswer, failed_answers
from goldassay.analytics.models_reports import RunSummary
from goldassay.analytics.summary import run_summary
from goldassay.reporting.html import render_html
from goldassay.reporting.markdown import summary_markdown
from goldassay.reporting.safe import excerpt
from goldassay.stages.planning import mark_reported
from tasks.announcing import announce_run
from tasks.naming import artifact_key
from tasks.project import Bench, open_bench
from tasks.retrying import INFRASTRUCTURE

__all__ = ["report"]

_TABLE_ROWS = 100
"""Failures in the table artifact; all of them are in the page and the store."""


class _Rendered(NamedTuple):
    summary: RunSummary
    failed: list[FailedAnswer]
    page: Path
    place: str
    """Where a person finds the page: an address of the store, or a path and its machine."""


@task(name="report", **INFRASTRUCTURE)
async def report(plan: str) -> str:
    """Writes the HTML page and the artifacts, and emits goldassay.run.completed; returns the page's path."""
    bench = open_bench(plan)
    rendered = await asyncio.to_thread(_render, bench)
    summary = rendered.summary
    key = f"{artifact_key(summary.app)}-{summary.run_kind}"
    await acreate_markdown_artifact(summary_markdown(summary), key=f"{key}-report", description=summary.run_id)
    await acreate_table_artifact(
        [_row(one) for one in rendered.failed],
        key=f"{key}-failures",
        description=f"the first {_TABLE_ROWS} failures; by cause: goldassay report {summary.run_id} --verbose",
    )
    await _show_page(bench, rendered, key=f"{key}-page")
    if summary.run_kind != "golden":  # the gate tells of a golden run
        await announce_run(summary)
    mark_reported(bench.store, bench.plan)
    return str(rendered.page)


def _render(bench: Bench) -> _Rendered:
    run_id, compare_to = bench.plan.run_id, bench.settings.run.compare_to
    gate = bench.settings.gate if bench.plan.run_kind == "golden" else None
    summary = run_summary(bench.store, run_id, compare_to=compare_to, gate=gate)
    page = bench.plan.folder / ".goldassay" / "reports" / f"{run_id}.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    render_html(bench.store, run_id, page, compare_to=compare_to, gate=gate)
    failed = failed_answers(bench.store, run_id, most=_TABLE_ROWS)
    return _Rendered(summary, failed, page, _kept(bench, page))


def _kept(bench: Bench, page: Path) -> str:
    """The disk of a container or of another machine is out of reach, so a remote store holds the page as well."""
    if "://" not in bench.store.address:
        return f"{page} on {socket.gethostname()}"
    name = f"reports/{page.name}"
    bench.store.files.write_bytes(name, page.read_bytes())
    return f"{bench.store.address.rstrip('/')}/{name}"


async def _show_page(bench: Bench, rendered: _Rendered, *, key: str) -> None:
    """A link where the pages have an address; browsers follow no link from a server's page to a file on a disk."""
    run_id, base = rendered.summary.run_id, bench.settings.run.report_url
    if base is not None:
        address = f"{base.rstrip('/')}/{rendered.page.name}"
        await acreate_link_artifact(address, key=key, link_text=f"Report of {run_id}")
        return
    await acreate_markdown_artifact(
        f"The page of this run is `{rendered.place}`.\n\nAnywhere the store can be read, this makes it anew:\n\n"
        f"    goldassay report {run_id} -o report.html\n",
        key=key,
        description=f"where the page of {run_id} is",
    )


def _row(failed: FailedAnswer) -> dict[str, object]:
    shown = {name: excerpt(value, 300) for name, value in failed._asdict().items()}
    return {
        "record": shown["record_id"],
        "question": shown["question"] or shown["question_id"],
        "check": shown["check"],
        "outcome": shown["outcome"],
        "category": shown["category"],
        "reason": shown["reason"],
        "version": shown["app_version"],
    }
