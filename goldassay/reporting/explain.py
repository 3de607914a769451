"""One answer explained on the terminal: every number, citation and sentence, where it was found, or why not.

Reads an `Explanation` of `goldassay.rules.explain`. In the answer each mark carries
its sign as well as its colour, so the page reads the same in a log file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console

from goldassay.records import AnswerRecord
from goldassay.reporting.safe import excerpt, one_line
from goldassay.reporting.terminal.parts import Kit, cell, heading, indented, outcome_sign, plain_table
from goldassay.reporting.terminal.text import Text
from goldassay.reporting.theme import outcome_style
from goldassay.reporting.words import category_name, plural, source_words
from goldassay.rules.explain import Explanation, Mark
from goldassay.verdicts import Outcome

__all__ = ["print_explanation"]

_ANSWER_CHARACTERS = 6_000
_MARKS = 60
_PLACE_CHARACTERS = 240
_MARK_STYLES = {"citation": "ga.mark.cite", "number": "ga.mark.good"}


def print_explanation(explanation: Explanation, console: Console) -> None:
    """Print one answer with its marks, what each rule says, and what the signs mean."""
    kit = Kit.of(console)
    _print_question(explanation, kit)
    _print_answer(explanation, kit)
    inner = [mark for mark in explanation.marks if mark.kind != "sentence"]
    _print_marks("Numbers", [mark for mark in inner if mark.kind == "number"], explanation.record, kit)
    _print_marks("Citations", [mark for mark in inner if mark.kind == "citation"], explanation.record, kit)
    _print_sentences([mark for mark in explanation.marks if mark.kind == "sentence"], explanation.record, kit)
    _print_rules(explanation, kit)
    _print_legend(kit)


def _print_question(explanation: Explanation, kit: Kit) -> None:
    record, golden = explanation.record, explanation.golden
    kit.print(Text(excerpt(record.question, 400), style="ga.title"))
    parts = [record.record_id, record.app_version, f"{plural(len(record.sources), 'source')} sent"]
    if golden is not None:
        parts.append("answerable" if golden.answerable else "unanswerable: a refusal is right")
    kit.print(Text("  ".join(one_line(part) for part in parts if part), style="ga.dim"))


def _print_answer(explanation: Explanation, kit: Kit) -> None:
    heading(kit, "Answer")
    answer = explanation.record.answer
    if not answer.strip():
        kit.print(indented(Text("(empty answer)", style="ga.dim")))
        return
    for line in _lines(answer[:_ANSWER_CHARACTERS], explanation.marks, kit):
        kit.print(indented(line if line.plain.strip() else Text(" ")))
    if len(answer) > _ANSWER_CHARACTERS:
        kit.print(indented(Text(f"cut here: the whole answer has {len(answer):,} characters", style="ga.dim")))


def _lines(answer: str, marks: Sequence[Mark], kit: Kit) -> Iterator[Text]:
    """The answer line by line, each mark in its colour with its sign behind it."""
    line = Text()
    for text, mark in _pieces(answer, marks):
        if mark is None:
            first, *rest = text.replace("\r\n", "\n").split("\n")
            line.append(first)
            for part in rest:
                yield line
                line = Text(part)
        else:
            line.append(text, style=_mark_style(mark))
            line.append_text(outcome_sign(mark.outcome, kit.signs))
    yield line


def _pieces(answer: str, marks: Sequence[Mark]) -> Iterator[tuple[str, Mark | None]]:
    at = 0
    for mark in marks:
        if mark.kind != "sentence" and at <= mark.start < mark.end <= len(answer):
            yield answer[at : mark.start], None
            yield answer[mark.start : mark.end], mark
            at = mark.end
    yield answer[at:], None


def _mark_style(mark: Mark) -> str:
    if mark.outcome is Outcome.PASS:
        return _MARK_STYLES.get(mark.kind, "")
    return "ga.mark.bad" if mark.outcome is Outcome.FAIL else outcome_style(mark.outcome)


def _print_marks(title: str, marks: Sequence[Mark], record: AnswerRecord, kit: Kit) -> None:
    if not marks:
        return
    heading(kit, title)
    table = plain_table(("", "short"), ("", "left"), ("", "left"))
    table.show_header = False
    for mark in marks[:_MARKS]:
        table.add_row(outcome_sign(mark.outcome, kit.signs), cell(mark.text, "bold", limit=40), _found(mark, record))
    kit.print(indented(table))
    if len(marks) > _MARKS:
        kit.print(indented(Text(f"and {len(marks) - _MARKS} more", style="ga.dim")))


def _found(mark: Mark, record: AnswerRecord) -> Text:
    """Which source holds it and the words around it; or why it is not fine."""
    text = Text()
    if mark.source_id is not None:
        number = next((place for place, each in enumerate(record.sources, 1) if each.id == mark.source_id), None)
        text.append(excerpt(mark.source_title or mark.source_id, 50))
        text.append(f" ({source_words(number, len(record.sources))})", style="ga.dim")
    if mark.source_text:
        text.append(f' "…{excerpt(mark.source_text, _PLACE_CHARACTERS)}…"', style="ga.dim")
    if mark.reason:
        text.append(": " if text else "", style="ga.dim")
        text.append(excerpt(mark.reason, 240), style=outcome_style(mark.outcome) if mark.outcome != "pass" else "")
    return text


def _print_sentences(marks: Sequence[Mark], record: AnswerRecord, kit: Kit) -> None:
    """Every sentence with the place that fits it best; what is in doubt carries its reason."""
    if not marks:
        return
    wrong = sum(mark.outcome is not Outcome.PASS for mark in marks)
    heading(kit, "Sentences", f"{wrong} of {plural(len(marks), 'sentence')} in doubt")
    table = plain_table(("", "short"), ("", "left"), ("", "left"))
    table.show_header = False
    for mark in marks[:_MARKS]:
        table.add_row(outcome_sign(mark.outcome, kit.signs), cell(mark.text, limit=200), _found(mark, record))
    kit.print(indented(table))
    if len(marks) > _MARKS:
        kit.print(indented(Text(f"and {len(marks) - _MARKS} more", style="ga.dim")))


def _print_rules(explanation: Explanation, kit: Kit) -> None:
    heading(kit, "Rules")
    table = plain_table(("", "short"), ("", "left"), ("", "left"))
    table.show_header = False
    for name, finding in explanation.findings:
        why = f"{category_name(finding.category)}: {finding.reason}" if finding.category else finding.reason
        style = "ga.dim" if finding.outcome in {Outcome.PASS, Outcome.SKIP} else ""
        table.add_row(outcome_sign(finding.outcome, kit.signs), cell(name, limit=30), cell(why, style, limit=300))
    kit.print(indented(table))


def _print_legend(kit: Kit) -> None:
    meanings = (
        (Outcome.PASS, "found"),
        (Outcome.FAIL, "wrong or not found"),
        (Outcome.UNSURE, "a rule cannot know"),
        (Outcome.SKIP, "does not apply"),
    )
    line = Text()
    for outcome, meaning in meanings:
        line.append_text(outcome_sign(outcome, kit.signs))
        line.append(f" {meaning}   ", style="ga.dim")
    kit.blank()
    kit.print(indented(line))
