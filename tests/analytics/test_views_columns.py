"""docs/columns.md tells every column of every view, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from goldassay.analytics.connect import VIEWS, connect
from goldassay.store import open_store

ROW = re.compile(r"^\| `(\w+)` \| (.+?) \| (.+?) \|$", re.MULTILINE)


def _section(page: str, view: str) -> str:
    return page.partition(f"\n## {view}\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("view", VIEWS)
def test_every_column_is_told_with_its_type(project_root: Path, tmp_path: Path, view: str) -> None:
    """In the view's own order, so that the page reads like the table."""
    page = (project_root / "docs" / "columns.md").read_text(encoding="utf-8")
    told = ROW.findall(_section(page, view))

    with connect(open_store(tmp_path / "none")) as connection:
        rows = connection.execute(f"DESCRIBE {view}").fetchall()

    real = [
        (name, str(kind).replace("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ").replace('"', "")) for name, kind, *_ in rows
    ]
    assert [(name, kind) for name, kind, _ in told] == real
    assert all(len(meaning) > 3 for _, _, meaning in told)


def test_the_page_tells_all_views_and_no_other(project_root: Path) -> None:
    """A view that goes leaves the page."""
    page = (project_root / "docs" / "columns.md").read_text(encoding="utf-8")

    assert tuple(re.findall(r"^## (\w+)$", page, re.MULTILINE)) == VIEWS
