"""Rule `key_fact`: the answer states every key fact of its golden question."""

from __future__ import annotations

import re

from goldassay.rules.context import RuleContext
from goldassay.rules.settings import KeyFactConfig
from goldassay.text import normalise
from goldassay.verdicts import Category, Finding, Outcome

__all__ = ["VERSION", "key_fact"]

VERSION = "1"


def key_fact(context: RuleContext, config: KeyFactConfig) -> Finding:
    """All facts are needed; any variant of a fact will do."""
    golden = context.golden
    if golden is None or not golden.key_facts or not golden.answerable:
        return Finding(Outcome.SKIP, reason="the golden question names no key fact")
    text = context.answer.text.casefold()
    missing = [fact for fact in golden.key_facts if not any(_stands(variant, text) for variant in fact)]
    if missing:
        names = "; ".join(repr(fact[0]) for fact in missing)
        return Finding(Outcome.FAIL, Category.MISSING_FACT, f"the answer does not state {names}")
    return Finding(Outcome.PASS)


def _stands(variant: str, text: str) -> bool:
    wanted = re.escape(normalise(variant).text.casefold().strip())
    return re.search(rf"(?<!\w){wanted}(?!\w)", text) is not None
