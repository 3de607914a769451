"""Results as table, CSV, JSON and Parquet: safe wherever they are opened."""

from __future__ import annotations

import csv
import io
import json
import math
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.analytics.results import spreadsheet_safe, write_result
from goldassay.errors import ConfigError

CASE_CELLS = [
    '=HYPERLINK("http://x.example","ok")',
    "+1+cmd|' /C calc'!A0",
    "@SUM(A1)",
    "\t=1+1",
    " =1+1",
    "\u200b=1+1",
    "-Infinity",
]
TABLE = pa.table(
    {
        "name": ["=1+1", "plain", None],
        "n": [-1, 2, None],
        "score": [-0.5, math.nan, None],
        "at": pa.array([datetime(2026, 11, 28, tzinfo=UTC)] * 3, pa.timestamp("us", tz="UTC")),
        "evidence": [[{"text": "<b>"}], [], None],
    }
)


def written(table: pa.Table, kind: Any) -> str:
    """What a person would see."""
    out = io.StringIO()
    write_result(table, kind, out)
    return out.getvalue()


@pytest.mark.parametrize(
    "cell", [*CASE_CELLS, "\uff1dA1", "\u2212 1", "\r\n=1", "\xa0=1", "|cmd", "\ufeff=1", "\u2060@x"]
)
def test_a_cell_that_would_run_gets_an_apostrophe(cell: str) -> None:
    """Signs, full-width signs, and signs behind blanks and invisible letters."""
    assert spreadsheet_safe(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "plain", "a=b", "1.10", "2026-11-28", "[1]", " text", "'quoted"])
def test_an_ordinary_cell_stays(cell: str) -> None:
    """Nothing is touched without need."""
    assert spreadsheet_safe(cell) == cell


@given(st.text(max_size=20))
def test_no_written_cell_begins_with_a_sign(text: str) -> None:
    """Whatever is in the log."""
    safe = spreadsheet_safe(text)

    assert safe in {text, f"'{text}"}
    assert not safe.lstrip().startswith(("=", "+", "-", "@"))


@pytest.mark.parametrize("cell", ["x\r=1+1", "\r=1", "x\n=1+1", "x\r\n=1+1", 'say "hi"\r@SUM(A1)'])
def test_a_line_break_of_any_kind_begins_no_row(cell: str) -> None:
    """A lone carriage return that is not quoted would put what follows into a cell of its own."""
    told = written(pa.table({"answer": [cell], "score": [5], "note": [None]}), "csv")

    _, row = csv.reader(io.StringIO(told, newline=""))
    assert row[0].removeprefix("'") == cell
    assert row[1:] == ["5", ""]


def test_headers_are_cells_too_and_numbers_stay_numbers() -> None:
    """A column name may come from a user's SQL; a negative number is no formula."""
    table = TABLE.rename_columns(["=name", *TABLE.schema.names[1:]])

    rows = list(csv.reader(io.StringIO(written(table, "csv"))))

    assert rows[0][0] == "'=name"
    assert rows[1][:3] == ["'=1+1", "-1", "-0.5"]
    assert rows[1][4] == '[{"text": "<b>"}]'
    assert rows[3] == ["", "", "", "2026-11-28 00:00:00+00:00", ""]


def test_json_is_strict_json() -> None:
    """NaN is null, times are ISO, nesting stays."""
    rows = json.loads(written(TABLE, "json"))
    lines = [json.loads(line) for line in written(TABLE, "jsonl").splitlines()]

    assert rows == lines
    assert rows[1]["score"] is None
    assert rows[0]["evidence"] == [{"text": "<b>"}]
    assert json.loads(written(TABLE.slice(0, 0), "json")) == []


def test_a_table_shows_texts_and_steers_no_terminal() -> None:
    """Escape sequences and markup of the log are shown, not obeyed."""
    table = pa.table({"answer": ["\x1b[31mred\x07", "a\u202eb", "[bold]not bold[/bold]", "a\nb"]})

    shown = written(table, "table")

    assert "\x1b" not in shown
    assert "a\ufffdb" in shown
    assert "\x07" not in shown
    assert "[bold]not bold[/bold]" in shown
    assert "4 rows" in shown


@pytest.mark.timeout(60)
@pytest.mark.parametrize("columns", [1, 12])
def test_a_huge_cell_is_cut_in_a_table_and_says_so(columns: int) -> None:
    """Side by side and one under the other; laying out millions of letters takes minutes."""
    table = pa.table({f"c{number}": ["x" * 5_000_000] for number in range(columns)})

    shown = "".join(written(table, "table").split())

    assert shown.count("...(5,000,000characters;allofthem:-oFILE.csvor--formatjson)") == columns
    assert len(shown) < 21_000 * columns
    assert len(written(table, "csv")) > 5_000_000 * columns


def test_parquet_goes_to_a_file_and_nowhere_else(tmp_path: Path) -> None:
    """Whole or not at all; on a terminal it would be noise."""
    write_result(TABLE, "parquet", tmp_path / "out.parquet")

    assert pq.read_table(tmp_path / "out.parquet").num_rows == 3
    with pytest.raises(ConfigError, match=r"Name a file with -o"):
        write_result(TABLE, "parquet", io.StringIO())


@pytest.mark.parametrize("kind", ["csv", "json", "jsonl", "table"])
def test_files_are_written_as_utf8(tmp_path: Path, kind: Any) -> None:
    """The same bytes on every machine."""
    write_result(pa.table({"a": ["\u00fc"]}), kind, tmp_path / "out")

    assert "\u00fc" in (tmp_path / "out").read_text(encoding="utf-8")


def test_an_unknown_format_names_the_known_ones() -> None:
    """A typo is answered with the list."""
    wrong: Any = "xlsx"
    with pytest.raises(ConfigError, match=r"no result format 'xlsx'.*'parquet'"):
        write_result(TABLE, wrong, io.StringIO())


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (Decimal(15), 15),
        (Decimal(170141183460469231731687303715884105727), 170141183460469231731687303715884105727),
        (Decimal("1.10"), 1.1),
        (Decimal("0.1234567890123456789"), "0.1234567890123456789"),
        (None, None),
    ],
)
def test_sums_are_numbers_in_json(value: Decimal | None, told: object) -> None:
    """DuckDB sums and counts whole numbers in 128 bits, which reach Python as decimals: they were texts in JSON."""
    out = io.StringIO()

    write_result(pa.table({"n": pa.array([value])}), "jsonl", out)

    assert json.loads(out.getvalue()) == {"n": told}


def test_tags_are_an_object_in_json() -> None:
    """Columns of names and values were lists of pairs, in which nothing is found by its name."""
    tags = pa.array([[("env", "prod")], []], pa.map_(pa.string(), pa.string()))
    out = io.StringIO()

    write_result(pa.table({"tags": tags}), "json", out)

    assert json.loads(out.getvalue()) == [{"tags": {"env": "prod"}}, {"tags": {}}]
