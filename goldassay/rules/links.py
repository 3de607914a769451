"""Rule `links`: every address in the answer was in the sources, in their addresses, or in the question.

Sees addresses in prose, in code, in Markdown and HTML links, and site names without a
scheme. Knows addresses, not pages: whether one leads anywhere is not asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from goldassay.rules.cites_ids import bare_address, canonical_url
from goldassay.rules.context import RuleContext
from goldassay.rules.settings import LinksConfig
from goldassay.rules.wordlists import word_set
from goldassay.text import NormalText
from goldassay.verdicts import Category, Evidence, Finding, Outcome

__all__ = ["VERSION", "Address", "addresses", "links"]

VERSION = "1"
# What `normalise` does not set apart: an address in code, or one that touches a Chinese or Japanese character.
_WRITTEN = re.compile(r"(?<![A-Za-z0-9])(?:(?:https?|ftp)://|www\.)[!#-&(-;=?-_a-z|~]{1,2000}")
_ATTRIBUTE = re.compile(r"""\b(?:href|src)\s{0,3}=\s{0,3}["']?([^"'\s<>]{1,2000})""", re.IGNORECASE)
# Endings that no file name and no product has; 'Amazon.com' with a capital names a company.
_BARE = re.compile(
    r"(?<![\w@./-])(?:[a-z0-9-]{1,40}\.){1,4}"
    r"(?:com|org|net|edu|gov|info|biz|eu|de|fr|uk|ch|nl|ru|cn|jp|br|(?:com|co|org|net|gov|ac)\.[a-z]{2}"
    # With a path behind them these are no words either: 'bit.ly/abc'.
    r"|(?:io|ai|app|dev|ly|co|me|gg|tv|to|at|it|es|pl|se|be|ca|us|gl|shop|cloud)(?=/[!-~]))"
    r"(?:/[!-~]{0,300})?(?![\w@-]|\.\w)"
)
_NO_SITES = word_set("asp.net vb.net ado.net")
_CJK_STOP = re.compile("[。，、；：！？（）【】「」『』《》]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_STAND_INS = re.compile(
    r"(?:[^/$]{0,80}\$[^/]{0,200}|localhost|127\.0\.0\.1|0\.0\.0\.0|(?:[\w-]{1,40}\.){0,3}example\.(?:com|org|net))(?::\d+)?\Z"
)
"""Hosts that code shows in place of the reader's own (RFC 2606, RFC 6761), or with a variable in them: $ACCOUNT."""
_DOI = re.compile(r"(?<![\w.])10\.\d{4,9}/[^\s\"<>]{1,200}")
_CLOSING = ".,;:!?*_)]}'\""
_MOST_SHOWN = 20


class Address(NamedTuple):
    """One web address of a text."""

    url: str
    """In canonical form."""
    start: int
    """Offset in the original text."""
    end: int


def links(context: RuleContext, config: LinksConfig) -> Finding:
    """Look each address up; scheme, 'www.', fragment and closing slash do not count."""
    asked = [*addresses(context.answer), *_bare_sites(context.answer)]
    if not asked:
        return Finding(Outcome.PASS)
    if not context.record.sources:
        return Finding(Outcome.SKIP, reason="no sources were logged")
    known = _known(context)
    if any(item.url.startswith("doi.org/") for item in asked):
        known |= _articles(context)
    unknown = [item for item in asked if not _is_known(item.url, known, config.allowed_hosts)]
    if not unknown:
        return Finding(Outcome.PASS)
    answer = context.record.answer
    evidence = tuple(Evidence("link", answer[a:b], a, b) for _, a, b in unknown[:_MOST_SHOWN])
    more = f" and {len(unknown) - 1} more" if len(unknown) > 1 else ""
    reason = f"links to {evidence[0].text[:120]!r}{more}, which stands in no source"
    return Finding(Outcome.FAIL, Category.ADDED_CLAIM, reason, evidence)


def addresses(text: NormalText) -> list[Address]:
    """Web addresses of a text in order; anchors within the page and stand-ins in code are none."""
    if "." not in text.text and "=" not in text.raw:
        return []
    found = {item.start: item for item in (*_in_attributes(text), *_written(text), *_set_apart(text))}
    return sorted(found.values(), key=lambda item: item.start)


def _set_apart(text: NormalText) -> Iterator[Address]:
    for apart in text.apart:
        if apart.kind != "link":
            continue
        raw = text.text[apart.start : apart.end]
        inside = bare_address(raw).split(" ", 1)[0].split("\n", 1)[0].split("[", 1)[0]
        inside = _CJK_STOP.split(inside, maxsplit=1)[0].rstrip(".,;>")
        if _is_address(inside):
            begin = apart.start + raw.index(inside)
            yield _address(text, begin, begin + len(inside))


def _written(text: NormalText) -> Iterator[Address]:
    if "://" not in text.text and "www." not in text.text:
        return
    for match in _WRITTEN.finditer(text.prose):
        yield _trimmed(text, match)
    for apart in text.apart:
        if apart.kind in {"code", "comment"}:
            found = (_trimmed(text, match) for match in _WRITTEN.finditer(text.text, apart.start, apart.end))
            yield from (item for item in found if not _STAND_INS.match(item.url.partition("/")[0]))


def _trimmed(text: NormalText, match: re.Match[str]) -> Address:
    """Punctuation at the end belongs to the sentence."""
    return _address(text, match.start(), match.start() + len(match.group().rstrip(_CLOSING)))


def _in_attributes(text: NormalText) -> Iterator[Address]:
    """The normal form drops tags, so these are read from the original."""
    if "=" not in text.raw or "<" not in text.raw:
        return
    for match in _ATTRIBUTE.finditer(text.raw):
        if _is_address(match.group(1)):
            yield Address(canonical_url(match.group(1)), *match.span(1))


def _bare_sites(text: NormalText) -> Iterator[Address]:
    """Names of sites without a scheme: 'see bikes.com/prices'."""
    if not _has_dotted_name(text.prose):
        return
    for match in _BARE.finditer(text.prose):
        if match.group() not in _NO_SITES:
            yield _trimmed(text, match)


def _has_dotted_name(text: str) -> bool:
    """Whether a small letter follows a full stop at once; most answers have none, and need no closer look."""
    dot = text.find(".")
    while dot >= 0:
        if "a" <= text[dot + 1 : dot + 2] <= "z":
            return True
        dot = text.find(".", dot + 1)
    return False


def _is_address(written: str) -> bool:
    return "." in written and not written.startswith(("#", "/", "./", "../", "mailto:", "tel:", "data:"))


def _address(text: NormalText, start: int, end: int) -> Address:
    return Address(canonical_url(text.text[start:end]), *text.to_raw(start, end))


def _known(context: RuleContext) -> frozenset[str]:
    """Addresses of the sources and of what was asked, and the hosts of them."""
    urls = {canonical_url(source.url) for source in context.record.sources if source.url}
    for text in (*context.sources, context.question):
        urls.update(item.url for item in addresses(text))
        if "." in text.text:
            # Addresses without a scheme: "see portal.example/start".
            words = (word.strip(".,;:()[]<>\"'") for word in text.text.split())
            urls.update(canonical_url(word.rpartition("@")[2]) for word in words if "." in word)
            urls.update(item.url for item in _bare_sites(text))
    # A page is known without its query as well, and so is its site.
    return frozenset(
        urls | {url.partition("?")[0].rstrip("/") for url in urls} | {url.partition("/")[0] for url in urls}
    )


def _articles(context: RuleContext) -> frozenset[str]:
    """Addresses of the articles that a source names by their number: 'doi:10.1000/182'."""
    found = (match.group() for source in context.sources for match in _DOI.finditer(source.text))
    return frozenset("doi.org/" + number.rstrip(_CLOSING) for number in found)


def _is_known(url: str, known: frozenset[str], allowed_hosts: tuple[str, ...]) -> bool:
    host = url.partition("/")[0]
    # Where a Chinese sentence goes on behind an address without a stop, nobody sees where the address ends.
    if url in known or _NOT_ASCII.split(url, maxsplit=1)[0] in known:
        return True
    return any(host == name or host.endswith("." + name) for name in allowed_hosts)
