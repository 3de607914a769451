"""Puts the page, the data and the script together, and writes the file whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from goldassay.analytics.models_reports import HistoryReport, RunSummary
from goldassay.reporting.html.embed import data_block
from goldassay.reporting.html.page import page_head, page_tail
from goldassay.reporting.html.records import Answer, SourcePool, answer_chunks, answer_index, ordered

__all__ = ["MOST_ANSWERS", "html_report", "write_report"]

MOST_ANSWERS = 20_000
"""Answers in one file: it opens in a second or two; the worst ones are kept, the rest is in the store."""


def html_report(
    summary: RunSummary,
    answers: Iterable[Answer],
    *,
    history: HistoryReport | None = None,
    limit: int = MOST_ANSWERS,
) -> Iterator[str]:
    """The report, piece by piece.

    Args:
        summary: Numbers of the run.
        answers: Its answers with their verdicts, in any order.
        history: Numbers over versions and days, for the charts; None leaves them out.
        limit: The worst `limit` answers are put into the page.
    """
    shown = ordered(answers, summary)[:limit]
    checks = [check.check for check in summary.checks]
    yield page_head(summary, history, shown=len(shown))
    yield data_block("index", answer_index(shown, checks))
    pool = SourcePool()
    for number, chunk in enumerate(answer_chunks(shown, pool)):
        yield data_block(f"chunk-{number}", chunk)
    for number, sources in enumerate(pool.chunks()):
        yield data_block(f"sources-{number}", sources)
    yield page_tail()


def write_report(
    out: str | Path,
    summary: RunSummary,
    answers: Iterable[Answer],
    *,
    history: HistoryReport | None = None,
    limit: int = MOST_ANSWERS,
) -> Path:
    """Write the report to a file, whole or not at all."""
    target = Path(out)
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.part")
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(html_report(summary, answers, history=history, limit=limit))
        temporary.replace(target)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()
    return target
