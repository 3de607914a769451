"""What a source says where the answer is wrong: the figure with the same unit, the key fact that was missed.

A guess for the eye, never a verdict: it points a reader to the place to compare. Looks only at
answers whose check of numbers or key facts failed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from goldassay.records import GoldenQuestion
from goldassay.verdicts import Evidence, Outcome, Verdict

__all__ = ["own_words"]

_MOST = 20
"""Places marked in one source."""
_FIGURE = r"\d[\d.,'\u202f\u00a0]{0,20}"
_BEHIND = re.compile(r"[ \u00a0-]?([^\W\d_]{2,30}|%)")
"""The word behind a figure, its unit as the text writes it."""
_BEFORE = re.compile(r"([$€£¥])\s?$")


def own_words(
    source: str, answer: str, verdicts: Sequence[Verdict], golden: GoldenQuestion | None
) -> Iterator[tuple[int, int, str, str]]:
    """Yield (start, end, 'own', note) in the source's text; at most `_MOST` a cause.

    Args:
        source: Text of the source.
        answer: Text of the answer; offsets of the evidence are in it.
        verdicts: Of this answer.
        golden: Its golden question, for the key facts.
    """
    for verdict in verdicts:
        if verdict.outcome is not Outcome.FAIL:
            continue
        if verdict.check == "numbers":
            for piece in verdict.evidence:
                yield from _figures(source, answer, piece)
        if verdict.check == "key_fact" and golden is not None:
            yield from _facts(source, golden)


def _figures(source: str, answer: str, piece: Evidence) -> Iterator[tuple[int, int, str, str]]:
    """Figures of the source with the same unit as the wrong one; a bare figure could be any."""
    if piece.start is None or piece.end is None or piece.source_id is not None:
        return
    pattern = _like(answer, piece.start, piece.end)
    if pattern is None:
        return
    for found, _ in zip(re.finditer(pattern, source, re.IGNORECASE), range(_MOST), strict=False):
        yield found.start(), found.end(), "own", f"what the source says instead of {answer[piece.start : piece.end]}"


def _like(answer: str, start: int, end: int) -> str | None:
    written = answer[start:end]
    sign = _BEFORE.search(answer[max(0, start - 2) : start]) or re.match(r"([$€£¥])", written)
    if sign is not None:
        return re.escape(sign.group(1)) + r"\s?" + _FIGURE
    inside = re.search(r"[^\W\d_]{2,30}|%", written)
    unit = inside.group() if inside is not None else None
    if unit is None and (behind := _BEHIND.match(answer, end)) is not None:
        unit = behind.group(1)
    return None if unit is None else _FIGURE + r"[ \u00a0-]?" + re.escape(unit)


def _facts(source: str, golden: GoldenQuestion) -> Iterator[tuple[int, int, str, str]]:
    for variants in golden.key_facts:
        for variant in variants:
            wanted = variant.strip()
            if not wanted:
                continue
            # A whole figure or word: '12' does not stand in '120'.
            pattern = rf"(?<!\w){re.escape(wanted)}(?!\w)"
            for found, _ in zip(re.finditer(pattern, source, re.IGNORECASE), range(_MOST), strict=False):
                yield found.start(), found.end(), "own", "the key fact the answer should state"
