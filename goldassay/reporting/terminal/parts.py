"""Pieces the terminal reports share: headings, rates, bars, sparklines, examples.

Data reaches the console only inside `Text` objects whose content went through
`goldassay.reporting.safe`: no markup is ever parsed, no escape sequence passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table

from goldassay.analytics.models import Counts, Example, Notice, RateSummary
from goldassay.reporting.safe import excerpt, one_line
from goldassay.reporting.terminal.text import Text
from goldassay.reporting.theme import Signs, outcome_style, signs_for
from goldassay.reporting.words import category_name, count_text, interval_text, rate_text, source_words

__all__ = [
    "Kit",
    "answer_text",
    "bar",
    "cell",
    "command_lines",
    "example_block",
    "heading",
    "indented",
    "notice_lines",
    "outcome_sign",
    "plain_table",
    "rate_cells",
    "sparkline",
]

_ANSWER_CHARACTERS = 220


class Kit(NamedTuple):
    """What every printing function needs: the console, its signs, and whether there is room."""

    console: Console
    signs: Signs
    wide: bool

    @classmethod
    def of(cls, console: Console) -> Kit:
        """The kit for one console."""
        return cls(console, signs_for(console), console.width >= 100)

    def print(self, *renderables: RenderableType) -> None:
        """Print without soft surprises: markup off, highlighting off."""
        for renderable in renderables:
            self.console.print(renderable, markup=False, highlight=False, emoji=False)

    def blank(self) -> None:
        """One empty line."""
        self.console.print()


def heading(kit: Kit, title: str, note: str = "") -> None:
    """A section's title, with an aside set quietly beside it."""
    line = Text(title.upper(), style="ga.head")
    if note:
        line.append(f"  {one_line(note)}", style="ga.dim")
    kit.blank()
    kit.print(line)


def indented(renderable: RenderableType, by: int = 2) -> Padding:
    """The renderable moved right."""
    return Padding(renderable, (0, 0, 0, by), expand=False)


def cell(value: str, style: str = "", *, limit: int = 200) -> Text:
    """Untrusted text for one table cell: one line, harmless, cut."""
    return Text(excerpt(value, limit), style=style)


def plain_table(*columns: tuple[str, str]) -> Table:
    """A table without lines; columns are (header, 'left', 'right', or 'short' for names that stay on one line)."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="ga.label", show_edge=False)
    for header, side in columns:
        if side == "right":
            table.add_column(header, justify="right", no_wrap=True)
        else:
            table.add_column(header, justify="left", overflow="fold", no_wrap=side == "short")
    return table


def bar(counts: Counts, signs: Signs, width: int = 12) -> Text:
    """Passed, failed and errors as parts of one line, to scale: a tiny part is told by its figure, not by the bar."""
    text = Text()
    if counts.graded == 0:
        return text
    parts = _shares((counts.passed, counts.failed, counts.errors), width)
    for length, sign, style in zip(
        parts, (signs.bar_pass, signs.bar_fail, signs.bar_error), ("ga.pass", "ga.bar.fail", "ga.error"), strict=True
    ):
        text.append(sign * length, style=style)
    return text


def _shares(values: Sequence[int], width: int) -> list[int]:
    """Whole cells for each value, by largest remainder, so that they always fill the width."""
    total = sum(values)
    exact = [value * width / total for value in values]
    cells = [int(value) for value in exact]
    by_remainder = sorted(range(len(values)), key=lambda place: cells[place] - exact[place])
    for place in by_remainder[: width - sum(cells)]:
        cells[place] += 1
    return cells


def sparkline(rates: Sequence[RateSummary], signs: Signs) -> Text:
    """Rates over time with their scale, which runs from the lowest to the highest, so small moves show.

    Where many answers could not be judged an error's sign stands: the rate would tell of the judge.
    """
    known = [rate.shown for rate in rates if rate.shown is not None and not rate.is_outage]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    text = Text()
    for rate in rates:
        if rate.is_outage:
            text.append(signs.error, style="ga.error")
        else:
            level = signs.gap if rate.shown is None else _level(rate.shown, low, high, signs.spark)
            text.append(level, style="ga.path")
    if known:
        same = rate_text(low) == rate_text(high)
        text.append(f"  {rate_text(low)}" if same else f"  {rate_text(low)} to {rate_text(high)}", style="ga.dim")
    return text


def _level(value: float, low: float, high: float, levels: str) -> str:
    # A spread under one hundredth is drawn flat: noise must not look like a story.
    spread = max(high - low, 0.01)
    return levels[min(int((value - low) / spread * len(levels)), len(levels) - 1)]


def rate_cells(rate: RateSummary) -> tuple[Text, Text, Text]:
    """'171/200', '0.86', '[0.80, 0.90]': counts as they were graded, the rate weighted where sampling matters."""
    counts = rate.counts
    passed = Text(f"{count_text(counts.passed)}/{count_text(counts.graded)}")
    if counts.graded == 0:
        return Text("0/0", style="ga.dim"), Text(rate_text(None), style="ga.dim"), Text("", style="ga.dim")
    return passed, Text(rate_text(rate.shown), style="bold"), Text(interval_text(rate.shown_interval))


def outcome_sign(outcome: str, signs: Signs) -> Text:
    """The sign of an outcome in its colour."""
    by_outcome = {"pass": signs.passed, "fail": signs.failed, "error": signs.error, "unsure": signs.unsure}
    return Text(by_outcome.get(outcome, signs.skipped), style=outcome_style(outcome))


def example_block(example: Example, kit: Kit) -> Group:
    """Question, answer, what was wrong, and which sources the answer cites."""
    lines = [_labelled("Q", cell(example.question, "bold")), _labelled("A", answer_text(example))]
    lines.append(_labelled(outcome_sign(example.outcome, kit.signs), _wrong_text(example)))
    cites = _cites_text(example)
    if cites is not None:
        lines.append(_labelled(kit.signs.arrow, cites))
    return Group(*lines)


def _labelled(label: str | Text, text: Text) -> Table:
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=2, no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(label if isinstance(label, Text) else Text(label, style="ga.dim"), text)
    return grid


def _wrong_text(example: Example) -> Text:
    reason = excerpt(example.reason, 300) or f"{example.check}: {category_name(example.category)}"
    text = Text(reason, style="ga.bar.fail" if example.outcome == "fail" else outcome_style(example.outcome))
    text.append(f"  {excerpt(example.record_id, 40)}", style="ga.dim")
    return text


def answer_text(example: Example) -> Text:
    """The answer near its first wrong spot, with the wrong spots marked."""
    spans = sorted(
        (piece.start, piece.end)
        for piece in example.evidence
        if piece.source_id is None and piece.start is not None and piece.end is not None and piece.kind != "support"
    )
    if not example.answer.strip():
        return Text("(empty answer)", style="ga.dim")
    inside = [span for span in spans if 0 <= span[0] < span[1] <= len(example.answer)]
    start = _window_start(example.answer, inside[0][0] if inside else 0)
    return _marked(example.answer, inside, start, _window_end(example.answer, start), cut=example.answer_cut)


def _window_start(answer: str, first: int) -> int:
    if first < _ANSWER_CHARACTERS * 3 // 4:
        return 0
    space = answer.find(" ", first - _ANSWER_CHARACTERS // 2, first)
    return space + 1 if space >= 0 else first


def _window_end(answer: str, start: int) -> int:
    """Behind a word, where one ends near the limit."""
    stop = start + _ANSWER_CHARACTERS
    if stop >= len(answer):
        return len(answer)
    space = answer.rfind(" ", stop - 30, stop)
    return space if space > start else stop


def _marked(answer: str, spans: Sequence[tuple[int, int]], start: int, stop: int, *, cut: bool) -> Text:
    text = Text("…" if start else "")
    position = start
    for low, high in spans:
        if low < position or low >= stop:
            continue
        text.append(_piece(answer[position:low]))
        text.append(_piece(answer[low : min(high, stop)]), style="ga.mark.bad")
        position = min(high, stop)
    text.append(_piece(answer[position:stop]))
    if cut or stop < len(answer):
        text.append("…")
    return text


def _piece(raw: str) -> str:
    """One line that keeps its outer blanks, so that pieces join as they stood."""
    inner = one_line(raw)
    lead = " " if raw[:1].isspace() else ""
    trail = " " if raw[-1:].isspace() and inner else ""
    return f"{lead}{inner}{trail}"


def _cites_text(example: Example) -> Text | None:
    if not example.citations:
        return None
    text = Text("cites ", style="ga.dim")
    for place, citation in enumerate(example.citations[:5]):
        text.append(", " if place else "")
        text.append(excerpt(citation.marker, 20), style="ga.mark.cite" if citation.number else "ga.mark.bad")
        if citation.title:
            text.append(f" {excerpt(citation.title, 60)}")
        text.append(f" ({source_words(citation.number, example.sources_sent)})", style="ga.dim")
    if len(example.citations) > 5:
        text.append(f" and {len(example.citations) - 5} more", style="ga.dim")
    return text


def notice_lines(notices: Sequence[Notice], kit: Kit) -> None:
    """What a reader must know before trusting the numbers, alarms first."""
    order = {"alarm": 0, "warning": 1, "info": 2}
    styles = {"alarm": "ga.alarm", "warning": "ga.warn", "info": "ga.dim"}
    labels = {"alarm": " ALARM ", "warning": "warning", "info": "note"}
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for notice in sorted(notices, key=lambda each: order[each.level]):
        grid.add_row(Text(labels[notice.level], style=styles[notice.level]), Text(one_line(notice.text)))
    if notices:
        kit.blank()
        kit.print(grid)


def command_lines(kit: Kit, commands: Sequence[tuple[str, str]]) -> None:
    """Commands to type next under what they show; each on one line, so that it can be copied whole."""
    for meaning, command in commands:
        kit.print(Text(f"  {meaning}", style="ga.dim"))
        kit.console.print(Text(f"    {one_line(command)}", style="ga.command"), soft_wrap=True)
