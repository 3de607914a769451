r"""The signs of LaTeX that answers write between figures: '$5 \times 10^{3}$' is '5 × 10^3', '\frac{3}{4}' is '3/4'.

Knows patterns and what stands for them; `goldassay.text.normalise` finds and puts them in place. Only texts with a
backslash are looked at.
"""

from __future__ import annotations

import re

__all__ = ["LATEX", "plain_latex"]

LATEX = r"""
    (?P<dollar>(?<![\w$])\$(?=[^\s$][^$\n]{0,300}(?<!\s)\$(?![0-9$])))
    |(?P<latex>\\[dt]?frac\{(?P<upper>[^{}\\\n]{1,20})\}\{(?P<lower>[^{}\\\n]{1,20})\}
        |\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|boxed|operatorname)\{(?P<words>[^{}\\\n]{0,80})\}
        |\^\{(?P<power>-?[0-9]{1,4})\}|(?P<degree>\^\{?\\circ\}?|\\degree(?![A-Za-z]))
        |(?<![A-Za-z_:.\\])\\(?P<sign>times|cdot|pm|approx|leq?|geq?|quad)(?![A-Za-z])|(?P<comma>\{,\})|(?P<gap>\\,))"""
"""Alternatives for a verbose pattern. A dollar sign opens a formula where a closing one touches its end and no figure
follows that, as Pandoc has it: '$5 and $10' is money."""

_SIGNS = {
    "times": "×", "cdot": "*", "pm": "±", "approx": "≈", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "quad": " ",
}  # fmt: skip


def plain_latex(match: re.Match[str]) -> str:
    """What stands for a match of `LATEX` in plain text."""
    found = match.groupdict()
    if found["upper"] is not None:
        return f"{found['upper'].strip()}/{found['lower'].strip()}"
    if found["words"] is not None:
        return found["words"]
    if found["power"] is not None:
        return f"^{found['power']}"
    if found["sign"] is not None:
        return _SIGNS[found["sign"]]
    if found["degree"] is not None:
        return "°"
    return "," if found["comma"] is not None else " "
