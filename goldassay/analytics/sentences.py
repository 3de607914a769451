"""Findings in plain English, so that every report says the same in the same words."""

from __future__ import annotations

from goldassay.analytics.models import Change

__all__ = ["change_sentence", "counted", "flips_text", "p_text", "p_words"]

_TINY_P = 0.001


def change_sentence(change: Change, *, margin: float = 0.05) -> str:
    """Say what changed, on how many questions, and whether the data bear it out.

    Args:
        change: A change with its claim.
        margin: Smallest change that matters, as used for the claim.

    Returns:
        One sentence without a full stop, e.g. "faithful fell from 0.91 to 0.84 on 212 common
        questions; 19 broke, 4 were fixed; p = 0.003".
    """
    name = change.check if change.stratum is None else f"{change.check} in {change.stratum}"
    if change.is_looked_up:
        return f"{name}: {_looked_up(change)}"
    if change.base_rate is None or change.head_rate is None:
        return f"{name}: no question could be judged on both sides; cannot tell{_needs(change)}"
    questions = counted(change.common, "common question")
    if change.is_weighted:
        questions += ", weighted to the log"
    if not change.broken and not change.fixed:
        return f"{name} stayed at {change.head_rate:.2f} on {questions}; none changed{_verdict(change, margin)}"
    return f"{name} {_moved(change)} on {questions}; {flips_text(change)}; {p_words(change)}{_verdict(change, margin)}"


def _moved(change: Change) -> str:
    base, head = f"{change.base_rate:.2f}", f"{change.head_rate:.2f}"
    difference = change.difference or 0.0
    if not difference:
        return f"stayed at {head}"
    verb = "fell" if difference < 0 else "rose"
    # Two figures hide a small change among many questions: "fell from 0.91 to 0.91".
    if base == head:
        base, head = f"{change.base_rate:.4f}", f"{change.head_rate:.4f}"
    return f"{verb} from {base} to {head}"


def _looked_up(change: Change) -> str:
    flips = f"of {counted(change.common, 'common question')} {flips_text(change)}"
    return f"{flips}; all were judged for what was known of them, none drawn by chance: cannot tell of the others"


def flips_text(change: Change) -> str:
    """Return "19 broke, 4 were fixed"."""
    return f"{change.broken} broke, {change.fixed} {'was' if change.fixed == 1 else 'were'} fixed"


def _verdict(change: Change, margin: float) -> str:
    if change.claim == "cannot_tell" and not change.broken and not change.fixed:
        return f"; too few to exclude a change of {margin * 100:g} points{_needs(change)}"
    if change.claim == "cannot_tell":
        return f"; cannot tell{_needs(change)}"
    if change.claim == "no_change":
        return f"; no change of {margin * 100:g} points or more"
    return ""


def _needs(change: Change) -> str:
    return f": needs about {counted(change.needed, 'more question')}" if change.needed else ""


def counted(number: int, noun: str) -> str:
    """Return '1 question', '2 questions', '1,200 questions'."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def p_words(change: Change) -> str:
    """Return "p = 0.065", and "p = 0.065, adjusted 0.26" where a report made many such tests.

    The interval beside it belongs to the plain p, what is claimed to the adjusted one.
    """
    plain = p_text(change.p_value)
    adjusted = p_text(change.p_adjusted)
    if change.p_value is None or adjusted == plain:
        return f"p {adjusted}"
    return f"p {plain}, adjusted {adjusted.removeprefix('= ')}"


def p_text(p_value: float | None) -> str:
    """Return a p-value as people write it behind "p": "= 0.003", "= 0.24", "< 0.001"."""
    if p_value is None:
        return "is unknown"
    if p_value < _TINY_P:
        return "< 0.001"
    return f"= {p_value:.3f}" if p_value < 0.1 else f"= {p_value:.2f}"
