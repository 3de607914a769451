"""A query cannot bring its machine down: the process is held to the limit, whatever DuckDB counts."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from goldassay.analytics import memory
from goldassay.analytics.memory import memory_bytes, within_memory
from goldassay.errors import ConfigError, RunError
from goldassay.store import open_store

ROOT = Path(__file__).resolve().parents[2]
MOST_MB = 1_000
"""Peak of a command that is allowed 100 MB: that twice, Python, Arrow, DuckDB, and stacks for many cores."""
_ASK = """
import resource, sys
from goldassay.cli import main
code = main(["query", sys.argv[1], "--memory", "100MB", "--format", sys.argv[2]])
sys.stderr.write(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000}")
sys.exit(code)
"""
linux_only = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory in use is read from /proc")


@pytest.mark.parametrize(
    ("text", "size"),
    [("500MB", 500_000_000), ("2GB", 2 * 10**9), (" 1.5 GiB", 3 * 2**29), ("64kib", 65_536), ("1TB", 10**12)],
)
def test_amounts_are_read_as_duckdb_reads_them(text: str, size: int) -> None:
    """Decimal units, and binary ones with an i."""
    assert memory_bytes(text) == size


@pytest.mark.parametrize("text", ["", "2", "GB", "-1GB", "2 GB 3", "2XB", "1e9MB", "lots"])
def test_anything_else_is_no_amount(text: str) -> None:
    """With an example of one."""
    with pytest.raises(ConfigError, match="no amount of memory"):
        memory_bytes(text)


@linux_only
@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        pytest.param("SELECT repeat('x', 2000000000) AS a", "json", id="one-huge-value"),
        pytest.param("SELECT repeat('x', 2000000000) || i AS a FROM range(3) t(i)", "table", id="several"),
        pytest.param("SELECT i, repeat('x', 100) AS s FROM range(1000000000) t(i)", "csv", id="a-huge-result"),
        pytest.param("SELECT list(repeat('x', 1000) || i) FROM range(100000000) t(i)", "csv", id="one-huge-list"),
    ],
)
def test_a_query_that_would_fill_the_machine_ends_with_a_sentence(tmp_path: Path, sql: str, kind: str) -> None:
    """DuckDB's own limit lets all of these pass it; the shared machine and its other people must not pay for it."""
    open_store(tmp_path / "store")
    (tmp_path / "goldassay.toml").write_text('app = "a"\n', encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-c", _ASK, sql, kind], cwd=tmp_path, env={"PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    told, _, peak = done.stderr.partition("peak ")
    assert done.returncode == 3
    assert told == "goldassay: the query needs more memory than 100MB. Narrow it, or raise the limit (--memory).\n"
    assert int(peak) < MOST_MB


@linux_only
def test_the_bound_ends_with_its_block() -> None:
    """And a running out of memory in it is told as such."""
    before = resource.getrlimit(resource.RLIMIT_DATA)

    with within_memory("20MB"):
        assert resource.getrlimit(resource.RLIMIT_DATA) != before
    with pytest.raises(RunError, match="more memory than 20MB"), within_memory("20MB"):
        bytearray(50 * 2**30)

    assert resource.getrlimit(resource.RLIMIT_DATA) == before


@linux_only
def test_a_lower_bound_of_the_machine_stays() -> None:
    """An operator's own limit is never raised."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    own = 100 * 2**30
    resource.setrlimit(resource.RLIMIT_DATA, (own, hard))
    try:
        with within_memory("900GB"):
            assert resource.getrlimit(resource.RLIMIT_DATA)[0] == own
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def test_where_nothing_tells_the_memory_in_use_there_is_duckdbs_limit_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No /proc, or one without the figure."""
    before = resource.getrlimit(resource.RLIMIT_DATA)
    (tmp_path / "status").write_text("Name:\tpython\n", encoding="ascii")

    for place in (tmp_path / "nowhere", tmp_path / "status"):
        monkeypatch.setattr(memory, "_STATUS", place)
        with within_memory("1GB"):
            assert resource.getrlimit(resource.RLIMIT_DATA) == before
