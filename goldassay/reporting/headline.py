"""One plain sentence for a run, the same in every report.

Says what share of the answers passed and whether anything got worse, from the
figures of a `RunSummary`; it never says more than the comparison bears out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from goldassay.analytics.gate_words import gate_sentence
from goldassay.analytics.models import Change, CheckSummary, GateState, JudgeUse, RateSummary
from goldassay.analytics.models_reports import RunSummary
from goldassay.analytics.sentences import p_text
from goldassay.reporting.words import count_text, interval_text, joined, percent_text, plural, rate_text

__all__ = [
    "Unmoved",
    "applied",
    "change_mood",
    "change_sentence",
    "changed_answers",
    "changed_counts",
    "headline",
    "never_failed",
    "nothing_common",
    "pass_sentence",
    "passing",
    "repeats_sentence",
    "replies_text",
    "trust_text",
    "unchanged_text",
    "unjudged_sentence",
    "unmoved",
]

_NAMED = 3
_REPEATS_FROM = 0.9
"""Share of the answers that the interval counts, below which a reader would wonder at its width."""


def headline(summary: RunSummary) -> str:
    """The sentence a reader should take away if they read nothing else."""
    return " ".join(part for part in (pass_sentence(summary), change_sentence(summary)) if part)


def passing(summary: RunSummary) -> RateSummary:
    """The rate of whole answers to show: of the judged ones, standing for the log, where the judge decides too.

    An answer that no judge saw has passed the rules alone; to count it as passing every gate check would flatter.
    """
    judged = summary.answers_judged
    decides = any(check.kind == "judge" and check.severity == "gate" and applied(check) for check in summary.checks)
    if decides and judged is not None and 0 < judged.counts.graded < summary.answers.counts.graded:
        return judged
    return summary.answers


def pass_sentence(summary: RunSummary, *, figures: bool = True) -> str:
    """How many answers passed every gate check; `figures` adds the rate and its interval."""
    rate = passing(summary)
    if rate.counts.graded == 0:
        return f"{plural(summary.records, 'answer')} read, none could be graded."
    kind = "judged answer" if rate is summary.answers_judged else "answer"
    passed, graded = count_text(rate.counts.passed), plural(rate.counts.graded, kind)
    whole = "of the whole log " if rate.weights_matter else ""
    beside = f" ({whole}{rate_text(rate.shown)}, {interval_text(rate.shown_interval)})" if figures else ""
    return f"{passed} of {graded} passed every gate check{beside}{_lost(rate)}{_ungraded(rate)}."


def _lost(rate: RateSummary) -> str:
    """What judge errors leave open: an answer that could not be judged has neither passed nor failed."""
    if not rate.counts.errors:
        return ""
    low, high = rate.shown_bounds
    between = f"the true rate lies between {rate_text(low)} and {rate_text(high)}"
    return f"; {count_text(rate.counts.errors)} could not be judged, so {between}"


def _ungraded(rate: RateSummary) -> str:
    """Answers that no gate check decides are neither passes nor failures; nobody may miss them."""
    silent = rate.counts.skipped + rate.counts.unsure
    return f"; of {count_text(silent)} more the gate checks cannot tell" if silent else ""


def unjudged_sentence(summary: RunSummary) -> str:
    """What is known of the answers the judge did not see; '' where the headline is about all answers."""
    rate = passing(summary)
    if rate is summary.answers:
        return ""
    rest = count_text(summary.answers.counts.graded - rate.counts.graded)
    passed = count_text(summary.answers.counts.passed - rate.counts.passed)
    return f"The judge did not see the other {rest}: by the rules alone, {passed} of them passed."


def change_sentence(summary: RunSummary) -> str:
    """What the data bear out against the run compared with, or what the gate says; '' without one."""
    if summary.gate is not None:
        against = f" Held against {summary.compared_as}, run {summary.compared_to}."
        return f"Gate {gate_sentence(summary.gate, summary.answers_change)}.{against}"
    if summary.compared_to is None:
        return _alone(summary)
    worse, better = _claimed(summary, "regression"), _claimed(summary, "improvement")
    if worse and better:
        return f"Worse than {_then(summary)}: {_names(worse)}; better: {_names(better)}."
    if worse or better:
        return f"{'Worse' if worse else 'Better'} than {_then(summary)}: {_names(worse or better)}."
    whole = summary.answers_change
    if whole is not None and whole.claim in {"regression", "improvement"}:
        return (
            f"{'Worse' if whole.claim == 'regression' else 'Better'} than {_then(summary)}: {_flipped(summary, whole)}."
        )
    return _undecided(summary) if unmoved(summary).unknown or _is_open(whole) else _unchanged(summary)


def _unchanged(summary: RunSummary) -> str:
    if any(_is_outage(check) for check in summary.checks):
        return "Whether anything got worse cannot be told: too many answers could not be judged."
    if nothing_common(summary):
        return f"Nothing can be compared with {_then(summary)}: no question was graded in both runs."
    return f"Nothing got measurably worse since {_then(summary)}."


def _is_open(change: Change | None) -> bool:
    """Something moved, and nobody can tell whether by chance: as many fixed as broken is no proof of 'no change'."""
    if change is None or change.claim != "cannot_tell":
        return False
    return change.is_looked_up or bool(change.broken or change.fixed)


def nothing_common(summary: RunSummary) -> bool:
    """Whether no question was graded in this run and in the one compared with: then "no change" would be a guess."""
    whole = summary.answers_change
    pairs = [check.change.common for check in summary.checks if check.change is not None]
    return not any(pairs) and (whole is None or not whole.common)


def unchanged_text(summary: RunSummary) -> str:
    """What stands in the place of the changes where there is none."""
    if nothing_common(summary):
        return "No question was graded in both runs: nothing can be compared."
    return "No question changed its outcome."


def _then(summary: RunSummary) -> str:
    """The run compared with: 'last time', or by its name where it is another than the last one."""
    return "last time" if summary.compared_as == "the last run" else summary.compared_as


def _is_outage(check: CheckSummary) -> bool:
    return check.rate.is_outage or (check.before is not None and check.before.is_outage)


def replies_text(use: JudgeUse) -> str:
    """How well a judge's replies could be read, and how steady they are; '' where it gave none."""
    parts = []
    if use.repaired_share is not None:
        parts.append(f"{percent_text(use.repaired_share)} of the replies mended")
    if use.unreadable_share is not None:
        again = f" ({count_text(use.reasked)} asked again)" if use.reasked else ""
        parts.append(f"{percent_text(use.unreadable_share)} unreadable{again}")
    if use.flip_share is not None:
        parts.append(f"{percent_text(use.flip_share)} of the repeats flipped")
    return ", ".join(parts)


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
    whole = summary.answers_change
    if whole is not None and whole.is_looked_up:
        return f"{_flipped(summary, whole)}: judged for what was known of them, they tell nothing of the others."
    if whole is not None:
        return f"{_flipped(summary, whole)}: too few to say that it is more than chance."
    broken, fixed = changed_counts(summary)
    return f"{plural(broken, 'verdict')} broke and {count_text(fixed)} {_were(fixed)} fixed since {_then(summary)}."


def _flipped(summary: RunSummary, change: Change) -> str:
    fixed = f"{count_text(change.fixed)} {_were(change.fixed)} fixed"
    told = [plural(change.common, "common question")]
    if change.is_weighted:
        told.append("weighted to the log")
    if (change.broken or change.fixed) and not change.is_looked_up:
        told.append(f"p {p_text(change.p_value)}")
    return f"{plural(change.broken, 'answer')} broke and {fixed} since {_then(summary)} ({', '.join(told)})"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def changed_counts(summary: RunSummary) -> tuple[int, int]:
    """Verdicts that broke and that were fixed, over all checks; the summary lists the texts of the first ones only."""
    changes = [check.change for check in summary.checks if check.change is not None]
    if not changes:
        return len(summary.broken), len(summary.fixed)
    return sum(change.broken for change in changes), sum(change.fixed for change in changes)


def changed_answers(summary: RunSummary) -> tuple[int, int]:
    """Whole answers that broke and that were fixed."""
    whole = summary.answers_change
    if whole is not None:
        return whole.broken, whole.fixed
    broken, fixed = (
        {change.head.record_id for change in changes if change.is_answer} for changes in (summary.broken, summary.fixed)
    )
    return len(broken), len(fixed)


def applied(check: CheckSummary) -> bool:
    """Whether the check said anything of any answer; a table has no row for one that did not."""
    return check.rate.counts.graded > 0 or check.rate.counts.unsure > 0


def never_failed(check: CheckSummary) -> bool:
    """Whether every answer it applied to passed; such a check that only warns needs no row of its own."""
    return check.rate.counts.passed == check.rate.counts.graded > 0


def repeats_sentence(checks: Sequence[CheckSummary]) -> str:
    """Why intervals are wider than their counts; '' where each answer counts as one."""
    told = [
        f"{check.check} {round(check.rate.effective_n)} of {count_text(check.rate.counts.graded)}"
        for check in checks
        if check.severity == "gate" and not check.rate.weights_matter
        if 0 < check.rate.effective_n < _REPEATS_FROM * check.rate.counts.graded
    ]
    return (
        f"golden questions or verdicts repeat; the intervals are as wide as of fewer answers: {joined(told)}"
        if told
        else ""
    )


class Unmoved(NamedTuple):
    """The checks for which no change is borne out."""

    same: tuple[str, ...]
    """No question changed its outcome, or any change is too small to matter."""
    unknown: tuple[str, ...]
    """Too few common questions to tell; each with about how many more would do."""
    lost: tuple[str, ...] = ()
    """The judge was out in one of the runs: what it could read says nothing of the rest."""


def unmoved(summary: RunSummary) -> Unmoved:
    """The checks that did not measurably change, apart from those of which nothing can be said."""
    compared = [check for check in summary.checks if check.change is not None and check.change.common]
    lost = tuple(check.check for check in compared if _is_outage(check))
    changes = [check.change for check in compared if check.change is not None and check.check not in lost]
    quiet = [change for change in changes if change.claim in {"no_change", "cannot_tell"}]
    open_ones = [change for change in quiet if _is_open(change)]
    unknown = sorted(open_ones, key=lambda change: _needed(change) or 0)
    return Unmoved(
        tuple(change.check for change in quiet if change not in open_ones),
        tuple(
            f"{change.check} {count_text(more)}" if (more := _needed(change)) else change.check for change in unknown
        ),
        lost,
    )


def _needed(change: Change) -> int | None:
    """How many more questions would tell; unknown where as many broke as were fixed."""
    return change.needed if change.difference else None


def _claimed(summary: RunSummary, claim: str) -> list[CheckSummary]:
    return [check for check in summary.checks if check.change is not None and check.change.claim == claim]


def _names(checks: list[CheckSummary]) -> str:
    shown = [check.check for check in checks[:_NAMED]]
    more = len(checks) - len(shown)
    return joined([*shown, plural(more, "other check")]) if more else joined(shown)
