"""Exact rules: free, deterministic checks of one answer against the sources it was given."""

from __future__ import annotations

from goldassay.rules.context import Citations, RefusalJudgement, RuleContext, SourceCache
from goldassay.rules.engine import RuleSet, check_answer, load_rules
from goldassay.rules.registry import RULES, RuleSpec
from goldassay.rules.settings import RulesConfig

__all__ = [
    "RULES",
    "Citations",
    "RefusalJudgement",
    "RuleContext",
    "RuleSet",
    "RuleSpec",
    "RulesConfig",
    "SourceCache",
    "check_answer",
    "load_rules",
]
