"""Rule `links`: every address in the answer was in the sources, in their addresses, or in the question."""

from __future__ import annotations

from goldassay.rules.cites_ids import canonical_url
from goldassay.rules.context import RuleContext
from goldassay.rules.settings import LinksConfig
from goldassay.text import NormalText
from goldassay.verdicts import Category, Evidence, Finding, Outcome

__all__ = ["VERSION", "addresses", "links"]

VERSION = "1"


def links(context: RuleContext, config: LinksConfig) -> Finding:
    """Look each address up; scheme, 'www.', fragment and closing slash do not count."""
    if not context.answer.apart:
        return Finding(Outcome.PASS)
    asked = addresses(context.answer)
    if not asked:
        return Finding(Outcome.PASS)
    if not context.record.sources:
        return Finding(Outcome.SKIP, reason="no sources were logged")
    known = _known(context)
    unknown = [(url, span) for url, span in asked if not _is_known(url, known, config.allowed_hosts)]
    if not unknown:
        return Finding(Outcome.PASS)
    evidence = []
    for _, span in unknown[:20]:
        start, end = context.answer.to_raw(*span)
        evidence.append(Evidence("link", context.record.answer[start:end], start, end))
    more = f" and {len(unknown) - 1} more" if len(unknown) > 1 else ""
    reason = f"links to {evidence[0].text[:120]!r}{more}, which stands in no source"
    return Finding(Outcome.FAIL, Category.ADDED_CLAIM, reason, tuple(evidence))


def addresses(text: NormalText) -> list[tuple[str, tuple[int, int]]]:
    """Web addresses of a text in canonical form, with their spans; anchors within the page are none."""
    found = []
    for apart in text.apart:
        if apart.kind != "link":
            continue
        raw = text.text[apart.start : apart.end]
        inside = raw.strip("() <>").split(" ", 1)[0].split("\n", 1)[0].split("[", 1)[0].rstrip(".,;")
        if "." not in inside or inside.startswith(("#", "/", "./", "mailto:")):
            continue
        begin = apart.start + raw.index(inside)
        found.append((canonical_url(inside), (begin, begin + len(inside))))
    return found


def _known(context: RuleContext) -> frozenset[str]:
    urls = {canonical_url(source.url) for source in context.record.sources if source.url}
    for text in (*context.sources, context.question):
        urls.update(url for url, _ in addresses(text))
        if "." in text.text:
            # Addresses without a scheme: "see portal.example/start".
            words = (word.strip(".,;:()[]<>\"'") for word in text.text.split())
            urls.update(canonical_url(word) for word in words if "." in word)
    return frozenset(urls)


def _is_known(url: str, known: frozenset[str], allowed_hosts: tuple[str, ...]) -> bool:
    host = url.partition("/")[0]
    return url in known or any(host == name or host.endswith("." + name) for name in allowed_hosts)
