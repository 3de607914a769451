"""One plain sentence for a run, the same in every report.

Says what share of the answers passed and whether anything got worse, from the
figures of a `RunSummary`; it never says more than the comparison bears out.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from goldassay.analytics.gate_words import gate_sentence
from goldassay.analytics.models import Change, CheckSummary, GateState, JudgeUse
from goldassay.analytics.models_reports import RunSummary
from goldassay.analytics.sentences import p_text
from goldassay.reporting.words import count_text, interval_text, joined, plural, rate_text

__all__ = [
    "Unmoved",
    "applied",
    "change_mood",
    "change_sentence",
    "changed_counts",
    "headline",
    "pass_sentence",
    "trust_text",
    "unmoved",
]

_NAMED = 3


def headline(summary: RunSummary) -> str:
    """The sentence a reader should take away if they read nothing else."""
    return " ".join(part for part in (pass_sentence(summary), change_sentence(summary)) if part)


def pass_sentence(summary: RunSummary, *, figures: bool = True) -> str:
    """How many answers passed every gate check; `figures` adds the rate and its interval."""
    rate = summary.answers
    if rate.counts.graded == 0:
        return f"{plural(summary.records, 'answer')} read, none could be graded."
    passed, graded = count_text(rate.counts.passed), plural(rate.counts.graded, "answer")
    beside = f" ({rate_text(rate.headline)}, {interval_text(rate.interval)})" if figures else ""
    errors = f"; {count_text(rate.counts.errors)} could not be judged" if rate.counts.errors else ""
    return f"{passed} of {graded} passed every gate check{beside}{errors}."


def change_sentence(summary: RunSummary) -> str:
    """What the data bear out against the run compared with, or what the gate says; '' without one."""
    if summary.gate is not None:
        against = f" Held against {summary.compared_as}, run {summary.compared_to}."
        return f"Gate {gate_sentence(summary.gate, summary.answers_change)}.{against}"
    if summary.compared_to is None:
        return _alone(summary)
    worse, better = _claimed(summary, "regression"), _claimed(summary, "improvement")
    if worse and better:
        return f"Worse than last time: {_names(worse)}; better: {_names(better)}."
    if worse or better:
        return f"{'Worse' if worse else 'Better'} than last time: {_names(worse or better)}."
    whole = summary.answers_change
    if whole is not None and whole.claim in {"regression", "improvement"}:
        return f"{'Worse' if whole.claim == 'regression' else 'Better'} than last time: {_flipped(whole)}."
    return _undecided(summary) if unmoved(summary).unknown else "Nothing got measurably worse since last time."


def _alone(summary: RunSummary) -> str:
    """What a golden run without another to compare with is good for; '' for other runs."""
    if summary.run_kind != "golden":
        return ""
    if summary.is_baseline:
        return "It is the accepted baseline."
    return (
        "Gate not evaluable: this is the first golden run, so there is nothing to compare it with. "
        f"Read it, then make it the baseline: goldassay accept {summary.run_id}"
    )


def change_mood(summary: RunSummary) -> Literal["worse", "better", ""]:
    """Whether the sentence of the change is bad news, good news, or neither."""
    if summary.gate is not None:
        return "worse" if summary.gate.state is GateState.FAIL else ""
    sentence = change_sentence(summary)
    return "worse" if sentence.startswith("Worse") else "better" if sentence.startswith("Better") else ""


def trust_text(use: JudgeUse) -> str:
    """Whether a judge may be believed, in the fewest words: 'calibrated', 'calibrated on faithful only'."""
    good = [one.check for one in use.trust if one.calibrated]
    coins = [one.check for one in use.trust if one.is_coin]
    if use.calibrated:
        return "calibrated"
    told = f"no better than a coin on {joined(coins)}" if coins else ""
    rest = f"calibrated on {joined(good)} only" if good else "not calibrated"
    return f"{told}; {rest}" if told else rest


def _undecided(summary: RunSummary) -> str:
    """Told in answers, each counted once: one answer that breaks in four checks is no evidence four times."""
    if summary.answers_change is not None:
        return f"{_flipped(summary.answers_change)}: too few to say that it is more than chance."
    broken, fixed = changed_counts(summary)
    return f"{plural(broken, 'verdict')} broke and {count_text(fixed)} {_were(fixed)} fixed since last time."


def _flipped(change: Change) -> str:
    fixed = f"{count_text(change.fixed)} {_were(change.fixed)} fixed"
    p_value = f", p {p_text(change.p_value)}" if change.broken or change.fixed else ""
    common = plural(change.common, "common question")
    return f"{plural(change.broken, 'answer')} broke and {fixed} since last time ({common}{p_value})"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def changed_counts(summary: RunSummary) -> tuple[int, int]:
    """Verdicts that broke and that were fixed, over all checks; the summary lists the texts of the first ones only."""
    changes = [check.change for check in summary.checks if check.change is not None]
    if not changes:
        return len(summary.broken), len(summary.fixed)
    return sum(change.broken for change in changes), sum(change.fixed for change in changes)


def applied(check: CheckSummary) -> bool:
    """Whether the check said anything of any answer; a table has no row for one that did not."""
    return check.rate.counts.graded > 0 or check.rate.counts.unsure > 0


class Unmoved(NamedTuple):
    """The checks for which no change is borne out."""

    same: tuple[str, ...]
    """Their rate is the same, or any change is too small to matter."""
    unknown: tuple[str, ...]
    """Too few common questions to tell; each with about how many more would do."""


def unmoved(summary: RunSummary) -> Unmoved:
    """The checks that did not measurably change, apart from those of which nothing can be said."""
    changes = [check.change for check in summary.checks if check.change is not None and check.change.common]
    quiet = [change for change in changes if change.claim in {"no_change", "cannot_tell"}]
    open_ones = [change for change in quiet if change.claim == "cannot_tell" and change.difference]
    unknown = sorted(open_ones, key=lambda change: change.needed or 0)
    return Unmoved(
        tuple(change.check for change in quiet if change not in open_ones),
        tuple(f"{change.check} {count_text(change.needed)}" if change.needed else change.check for change in unknown),
    )


def _claimed(summary: RunSummary, claim: str) -> list[CheckSummary]:
    return [check for check in summary.checks if check.change is not None and check.change.claim == claim]


def _names(checks: list[CheckSummary]) -> str:
    shown = [check.check for check in checks[:_NAMED]]
    more = len(checks) - len(shown)
    return joined([*shown, plural(more, "other check")]) if more else joined(shown)
