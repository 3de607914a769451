"""The judge's part of a report: which model, how it behaved, what it cost."""

from __future__ import annotations

from rich.table import Table

from goldassay.analytics.models import JudgeUse
from goldassay.analytics.models_reports import RunSummary
from goldassay.reporting.headline import trust_text
from goldassay.reporting.safe import excerpt, one_line
from goldassay.reporting.terminal.parts import Kit, heading, indented
from goldassay.reporting.terminal.text import Text
from goldassay.reporting.words import cost_text, count_text, duration_text, joined, percent_text, plural

__all__ = ["print_judges"]


def print_judges(summary: RunSummary, kit: Kit) -> None:
    """One block a judge model; nothing when the run had rules only."""
    if not summary.judges:
        return
    note = f"{plural(summary.calls, 'call')}, {cost_text(summary.cost_usd)}, {count_text(summary.reused)} reused"
    heading(kit, "Judge", note)
    for use in summary.judges:
        kit.print(indented(_block(use, alone=len(summary.judges) == 1), 2))


def _block(use: JudgeUse, *, alone: bool) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="ga.dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for label, value in _facts(use, alone=alone):
        grid.add_row(Text(label, style="ga.dim"), value)
    return grid


def _facts(use: JudgeUse, *, alone: bool) -> list[tuple[str, Text]]:
    facts = [("model", _model(use)), ("verdicts", _verdicts(use)), ("calls", _calls(use, alone=alone))]
    if use.repaired_share:
        repairs = ", ".join(f"{each.category.replace('_', ' ')} {each.times}" for each in use.repairs[:4])
        text = Text(f"{percent_text(use.repaired_share)} of the replies had to be mended")
        text.append(f" ({excerpt(repairs, 100)})" if repairs else "", style="ga.dim")
        facts.append(("repaired", text))
    if use.canaries.graded:
        held = use.canaries.passed == use.canaries.graded
        facts.append(
            (
                "canaries",
                Text(
                    f"{use.canaries.passed} of {use.canaries.graded} refusals graded as supported, as they must be",
                    style="" if held else "ga.warn",
                ),
            )
        )
    return facts


def _model(use: JudgeUse) -> Text:
    text = Text(f"{excerpt(use.provider, 30)} {excerpt(use.model, 60)}", style="bold")
    if use.rubric:
        text.append(f", rubric {one_line(use.rubric)} {one_line(use.rubric_version)}", style="default")
    others = [name for name in use.models_reported if name != use.model]
    if others:
        text.append(f", answered as {excerpt(joined(others), 80)}", style="ga.dim")
    text.append(f", {trust_text(use)}", style="" if use.calibrated else "ga.warn")
    return text


def _verdicts(use: JudgeUse) -> Text:
    text = Text(count_text(use.verdicts))
    text.append(f", {plural(use.errors, 'error')}", style="ga.error" if use.errors else "ga.dim")
    if use.unreadable_share:
        again = f", {count_text(use.reasked)} asked again" if use.reasked else ""
        text.append(f" ({percent_text(use.unreadable_share)} of the replies unreadable{again})", style="ga.dim")
    if use.flip_share is not None:
        text.append(f", {percent_text(use.flip_share)} of the repeats flipped", style="ga.dim")
    text.append(f", {count_text(use.reused)} reused, never paid twice" if use.reused else "", style="ga.dim")
    return text


def _calls(use: JudgeUse, *, alone: bool) -> Text:
    # With one judge the cost stands in the heading.
    text = Text(count_text(use.calls) if alone else f"{count_text(use.calls)}, {cost_text(use.cost_usd)}")
    if use.tokens_in or use.tokens_out:
        cached = f" ({count_text(use.tokens_cached)} cached)" if use.tokens_cached else ""
        text.append(
            f", {count_text(use.tokens_in)} tokens in{cached}, {count_text(use.tokens_out)} out", style="ga.dim"
        )
    if use.latency_p50_ms is not None:
        slow = f", 95 % under {duration_text(use.latency_p95_ms / 1000)}" if use.latency_p95_ms is not None else ""
        text.append(f", half of them under {duration_text(use.latency_p50_ms / 1000)}{slow}", style="ga.dim")
    return text
