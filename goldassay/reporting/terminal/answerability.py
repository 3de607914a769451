"""The two ways to be wrong about answerability: refusing the answerable, answering the unanswerable."""

from __future__ import annotations

from collections.abc import Sequence

from goldassay.analytics.models import Interval
from goldassay.analytics.models_reports import AnswerabilityTable
from goldassay.reporting.safe import excerpt
from goldassay.reporting.terminal.parts import Kit, heading, indented, plain_table
from goldassay.reporting.terminal.text import Text
from goldassay.reporting.words import column_title, count_text, interval_text, rate_text, short_labels

__all__ = ["print_answerability"]


def print_answerability(tables: Sequence[AnswerabilityTable], kit: Kit, *, by: str = "app_version") -> None:
    """The newest version as a two-by-two table; with more versions, their two error rates below."""
    if not tables:
        return
    newest = tables[-1]
    heading(kit, "Answerability", excerpt(newest.version, 40))
    _print_square(newest, kit)
    if len(tables) > 1:
        kit.blank()
        _print_versions(tables, kit, by=by)


def _print_square(table: AnswerabilityTable, kit: Kit) -> None:
    square = plain_table(("", "short"), ("answered", "right"), ("refused", "right"), ("wrong", "short"))
    square.add_row(
        Text("the sources hold an answer"),
        _right(table.answerable_answered, kit),
        _wrong(table.answerable_refused, kit),
        _rate(table.refused_answerable_rate, table.refused_answerable_interval),
    )
    square.add_row(
        Text("they hold none"),
        _wrong(table.unanswerable_answered, kit),
        _right(table.unanswerable_refused, kit),
        _rate(table.answered_unanswerable_rate, table.answered_unanswerable_interval),
    )
    kit.print(indented(square))


def _right(count: int, kit: Kit) -> Text:
    return Text(f"{count_text(count)} {kit.signs.passed}", style="ga.pass" if count else "ga.dim")


def _wrong(count: int, kit: Kit) -> Text:
    return Text(f"{count_text(count)} {kit.signs.failed}", style="ga.fail" if count else "ga.dim")


def _rate(rate: float | None, interval: Interval) -> Text:
    text = Text(rate_text(rate), style="bold" if rate is not None else "ga.dim")
    text.append(f"  {interval_text(interval)}" if rate is not None else "", style="default")
    return text


def _print_versions(tables: Sequence[AnswerabilityTable], kit: Kit, *, by: str) -> None:
    grid = plain_table(
        (column_title(by), "short"), ("refused the answerable", "short"), ("answered the unanswerable", "short")
    )
    for table, label in zip(tables, short_labels([table.version for table in tables], 24), strict=True):
        grid.add_row(
            Text(label),
            _rate(table.refused_answerable_rate, table.refused_answerable_interval),
            _rate(table.answered_unanswerable_rate, table.answered_unanswerable_interval),
        )
    kit.print(indented(grid))
