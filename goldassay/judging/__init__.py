"""Grades answers with a judge model: rubrics, prompts, providers, reading of replies, limits, journal."""

from __future__ import annotations

from goldassay.judging.parsing import ParsedReply, parse_reply
from goldassay.judging.prompt import JudgeCall, JudgeItem, build_calls
from goldassay.judging.rubric import Criterion, Rubric, load_rubric, rubric_of_run

__all__ = [
    "Criterion",
    "JudgeCall",
    "JudgeItem",
    "ParsedReply",
    "Rubric",
    "build_calls",
    "load_rubric",
    "parse_reply",
    "rubric_of_run",
]
