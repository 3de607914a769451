"""The list of all rules: one explicit line each, in the order in which they are reported.

A newcomer's rule is one file, one line here, one model in `settings.py`, one test.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from goldassay.rules import (
    cited_support,
    cites,
    entities,
    key_fact,
    language,
    length,
    links,
    numbers,
    private_data,
    quotes,
    refusal,
    support,
    wording,
)
from goldassay.rules import format as format_rule
from goldassay.rules.context import RuleContext
from goldassay.verdicts import Finding

__all__ = ["RULES", "RuleFunction", "RuleSpec"]

RuleFunction = Callable[[RuleContext, Any], Finding]
"""Called with the context and the rule's own settings."""


class RuleSpec(NamedTuple):
    """One rule as the engine knows it."""

    name: str
    function: RuleFunction
    """Called with the context and the rule's own settings."""
    version: str
    """Changes whenever a verdict may change."""
    config_field: str
    """Its field in `RulesConfig`."""
    default_on: bool = True


# cites, numbers, refusal and key_fact gate by default: `RulesConfig.gate`.
_SPECS = (
    RuleSpec("cites", cites.cites, cites.VERSION, "cites"),
    RuleSpec("cited_support", cited_support.cited_support, cited_support.VERSION, "cited_support", default_on=False),
    RuleSpec("numbers", numbers.numbers, numbers.VERSION, "numbers"),
    RuleSpec("refusal", refusal.refusal, refusal.VERSION, "refusal"),
    RuleSpec("key_fact", key_fact.key_fact, key_fact.VERSION, "key_fact"),
    RuleSpec("length", length.length, length.VERSION, "length"),
    RuleSpec("no_hedging", wording.no_hedging, wording.NO_HEDGING_VERSION, "no_hedging"),
    RuleSpec(
        "banned_wording", wording.banned_wording, wording.BANNED_WORDING_VERSION, "banned_wording", default_on=False
    ),
    RuleSpec("format", format_rule.format_, format_rule.VERSION, "format", default_on=False),
    RuleSpec("language", language.language, language.VERSION, "language"),
    RuleSpec("quotes", quotes.quotes, quotes.VERSION, "quotes"),
    RuleSpec("links", links.links, links.VERSION, "links"),
    RuleSpec("private_data", private_data.private_data, private_data.VERSION, "private_data"),
    RuleSpec("support", support.support, support.VERSION, "support", default_on=False),
    RuleSpec("entities", entities.entities, entities.VERSION, "entities", default_on=False),
)

RULES: dict[str, RuleSpec] = {spec.name: spec for spec in _SPECS}
"""All rules by name."""
