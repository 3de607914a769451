"""The gate on the terminal: whether it opens, and each condition that does not hold on a line of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.table import Table

from goldassay.analytics.gate_words import gate_sentence
from goldassay.analytics.models import Change, GateResult, GateState
from goldassay.reporting.safe import one_line
from goldassay.reporting.terminal.parts import Kit, cell, heading, indented, plain_table
from goldassay.reporting.terminal.text import Text
from goldassay.reporting.words import joined

__all__ = ["print_gate"]


def print_gate(
    gate: GateResult | None, kit: Kit, *, answers: Change | None = None, verbose: bool = False, is_told: bool = False
) -> None:
    """Whether the gate opens, and why.

    Args:
        gate: The answer; None prints nothing.
        kit: Where to print.
        answers: The change of whole answers it rests on.
        verbose: Also the conditions that hold.
        is_told: The answer stands above already: only its conditions follow.
    """
    if gate is None or (is_told and not verbose and not gate.reasons and not gate.doubts):
        return
    heading(kit, "Gate", "" if gate.state is not GateState.NOT_EVALUABLE else "a gate that cannot know does not open")
    signs = {
        GateState.PASS: (kit.signs.passed, "ga.pass"),
        GateState.FAIL: (kit.signs.failed, "ga.fail"),
        GateState.NOT_EVALUABLE: (kit.signs.unsure, "ga.unsure"),
    }
    if not is_told:
        sign, style = signs[gate.state]
        kit.print(indented(Text(f"{sign} {one_line(gate_sentence(gate, answers))}", style=style)))
    for line in _conditions(gate, kit, signs, verbose=verbose):
        kit.print(indented(line))
    if gate.doubts:
        kit.print(indented(Text(f"fell, but it may be chance: {one_line(joined(gate.doubts))}", style="ga.unsure"), 4))
    if not gate.conditions:
        kit.print(*(indented(Text(one_line(reason))) for reason in gate.reasons))


def _conditions(
    gate: GateResult, kit: Kit, signs: Mapping[GateState, tuple[str, str]], *, verbose: bool
) -> Iterator[Table]:
    """Conditions that do not hold, with `verbose` all: in two columns where there is room, else run on."""
    shown = [row for row in gate.conditions if verbose or row[1] is not GateState.PASS]
    table = plain_table(("", "short"), ("condition", "left"), *([("found", "left")] if kit.wide else []))
    table.show_header = False
    for condition, state, found in shown:
        sign, style = signs[state]
        line = cell(condition)
        cells = [line, cell(found, "ga.dim")] if kit.wide else [line.append_text(cell(f": {found}", "ga.dim"))]
        table.add_row(Text(sign, style=style), *cells)
    if shown:
        yield table
