"""SVG from the chart engine made safe and themeable before it is put into a page.

Every element and attribute not on a short list is dropped: no links, no styles, no
scripts, whatever a version label or category may contain. Colours are named by
sentinels in the charts and become CSS variables here, so one drawing serves
light, dark and print. The engine's accessible names become tooltips.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from goldassay.reporting.safe import visible

__all__ = ["COLORS", "themed_svg"]

COLORS = {
    "ink": "#010101",
    "muted": "#010102",
    "line": "#010103",
    "accent": "#010104",
    "pass": "#010105",
    "fail": "#010106",
    "error": "#010107",
    "paper": "#010108",
    "on-fail": "#010109",
}
"""Names of the page's colours and the sentinels that stand for them in a chart."""

_BY_SENTINEL = {sentinel: f"var(--{name})" for name, sentinel in COLORS.items()}
_SVG = "{http://www.w3.org/2000/svg}"
_ELEMENTS = frozenset({"svg", "g", "path", "line", "rect", "circle", "text", "tspan", "title"})
_ATTRIBUTES = frozenset(
    {
        "width",
        "height",
        "viewBox",
        "transform",
        "d",
        "x",
        "y",
        "x1",
        "x2",
        "y1",
        "y2",
        "dx",
        "dy",
        "r",
        "cx",
        "cy",
        "fill",
        "fill-opacity",
        "stroke",
        "stroke-width",
        "stroke-opacity",
        "stroke-dasharray",
        "stroke-linecap",
        "stroke-linejoin",
        "stroke-miterlimit",
        "opacity",
        "text-anchor",
        "font-size",
        "font-weight",
        "dominant-baseline",
    }
)
_COLOR = re.compile(r"#[0-9a-f]{3,8}|none|transparent|rgba?\([0-9., %]+\)", re.IGNORECASE)


def themed_svg(svg: str, *, label: str) -> str:
    """Safe, themeable SVG text for a page.

    Args:
        svg: As the chart engine wrote it; well-formed XML without entities.
        label: What the drawing shows, for readers who cannot see it.
    """
    root = ET.fromstring(svg)  # noqa: S314 - the engine writes no entities, and what it wrote is rebuilt from a list
    clean = _cleaned(root)
    if clean is None:
        return ""
    clean.set("xmlns", "http://www.w3.org/2000/svg")
    clean.set("role", "img")
    clean.set("class", "chart")
    clean.set("aria-label", visible(label))
    return ET.tostring(clean, encoding="unicode")


def _cleaned(element: ET.Element) -> ET.Element | None:
    name = element.tag.removeprefix(_SVG)
    if name not in _ELEMENTS or element.get("display") == "none":
        return None
    clean = ET.Element(name, _attributes(element))
    clean.text = visible(element.text or "") or None
    tip = element.get("aria-label")
    if tip and "mark" in (element.get("aria-roledescription") or "") and name != "g":
        ET.SubElement(clean, "title").text = visible(tip)
    for child in element:
        kept = _cleaned(child)
        if kept is not None:
            clean.append(kept)
    return clean


def _attributes(element: ET.Element) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in element.attrib.items():
        if name not in _ATTRIBUTES:
            continue
        if name in {"fill", "stroke"}:
            color = _BY_SENTINEL.get(value, value if _COLOR.fullmatch(value) else None)
            if color is not None:
                found[name] = color
        else:
            found[name] = value
    return found
