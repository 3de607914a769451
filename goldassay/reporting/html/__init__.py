"""The report as one HTML file that needs no network and no server.

`render_html` reads a run from a store; `write_report` takes everything as
arguments. The file opens from disk, prints, follows light and dark, and holds every
answer of the run with its sources, up to a limit.
"""

from __future__ import annotations

from goldassay.reporting.html.records import Answer
from goldassay.reporting.html.render import render_html
from goldassay.reporting.html.write import MOST_ANSWERS, html_report, write_report

__all__ = ["MOST_ANSWERS", "Answer", "html_report", "render_html", "write_report"]
