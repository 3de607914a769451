"""The answer's own words: without code, addresses, citation marks and the list of sources, at unchanged offsets."""

from __future__ import annotations

from goldassay.rules.context import RuleContext

__all__ = ["own_words"]


def own_words(context: RuleContext) -> str:
    """The prose of the answer with every citation mark blanked; as long as `context.answer.text`."""
    prose = context.answer.prose
    if not context.cited.spans:
        return prose
    parts: list[str] = []
    done = 0
    for start, end in context.cited.spans:
        begin = max(done, start)
        parts.append(prose[done:begin])
        parts.append(" " * (end - begin))
        done = max(done, end)
    parts.append(prose[done:])
    return "".join(parts)
