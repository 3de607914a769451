"""Every case of topic parquet_duckdb through one adapter: files of any shape under the store's own reader.

`GOLDASSAY_CASES` may name another file in the same format. The cases speak of a
partition `version` and a folder `out/`; the store's own are `app` and `verdicts/`.
"""

from __future__ import annotations

import base64
import json
import logging
import multiprocessing
import os
import re
import resource
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from goldassay.analytics.connect import connect
from goldassay.analytics.scan import create_scan
from goldassay.errors import StoreError
from goldassay.store import RunManifest, Store, open_store
from goldassay.store.files import LocalFiles, replacing
from goldassay.store.manifest import FileEntry
from goldassay.store.parquet import digest, is_whole
from goldassay.store.publish import write_part
from goldassay.store.schema import verdicts_to_batch
from goldassay.verdicts import Outcome, Verdict

TOPIC = "parquet_duckdb"
NIGHT = datetime(2026, 11, 28, 1, tzinfo=UTC)


def _cases() -> list[dict[str, Any]]:
    named = os.environ.get("GOLDASSAY_CASES")
    path = Path(named) if named else Path(__file__).parents[1] / "cases" / f"{TOPIC}.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [row for row in rows if row["topic"] == TOPIC]


class Folder:
    """The case's files below a store, and the store's reader over the whole ones."""

    def __init__(self, store: Store, files: list[dict[str, Any]]) -> None:
        self.store, self.root = store, Path(store.address)
        self.names = {self._place(item): str(item["file_name"]) for item in files}

    def _place(self, item: dict[str, Any]) -> str:
        """Write one file where the store keeps verdicts: out/version=007/p.parquet -> verdicts/app=007/p.parquet."""
        path = "verdicts/" + re.sub(r"/(version|app_version)=", "/app=", f"/{item['file_name'].partition('/')[2]}")[1:]
        content = base64.b64decode(item["bytes_base64"]) if "bytes_base64" in item else item["text"].encode()
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(content)
        return path

    def whole(self) -> list[str]:
        """Return the complete files."""
        found = []
        for path in self.names:
            with (self.root / path).open("rb") as file:
                if is_whole(file):
                    found.append(path)
        return found

    def adopt(self) -> None:
        """Name the complete files in a manifest, as a published run does."""
        entries = [self._entry(path) for path in self.whole()]
        run = RunManifest(run_id="run-1", run_kind="nightly", run_at=NIGHT, app="atlas", files=tuple(entries))
        self.store.catalog.write_manifest(run)

    def _entry(self, path: str) -> FileEntry:
        with (self.root / path).open("rb") as file:
            size, sha256 = digest(file)
        return FileEntry(path=path, rows=pq.read_metadata(self.root / path).num_rows, bytes=size, sha256=sha256)

    def connect(self) -> duckdb.DuckDBPyConnection:
        """Open the store with one more view, `out`: each file as a schema version of its own."""
        self.adopt()
        connection = connect(self.store, read_only_sandbox=False)
        groups = {str(number): [path] for number, path in enumerate(self.whole())}
        schemas = [pq.read_schema(self.root / path).remove_metadata() for path in self.whole()]
        create_scan(connection, "out", groups, _widest(schemas, self.names), files=self.store.files)
        return connection


def _widest(schemas: list[pa.Schema], paths: dict[str, str]) -> pa.Schema:
    """Return the columns of all files, each in its fullest type; the folder's value as text."""
    columns: dict[str, pa.DataType] = {}
    for schema in schemas:
        for field in schema:
            columns[field.name] = _wider(columns.get(field.name), field.type)
    if any("/app=" in path for path in paths):
        columns["app"] = pa.string()
    return pa.schema(list(columns.items()))


def _wider(known: pa.DataType | None, found: pa.DataType) -> pa.DataType:
    if known is None or pa.types.is_null(known):
        return found
    if isinstance(known, pa.StructType) and isinstance(found, pa.StructType):
        fields = {f.name: f.type for f in known} | {f.name: _wider(None, f.type) for f in found}
        return pa.struct(list(fields.items()))
    return known


def _verdict(name: str, outcome: Outcome = Outcome.PASS, **fields: Any) -> Verdict:
    known = {"app": "atlas", "check": "numbers", "check_kind": "rule"} | fields
    return Verdict(record_id=name, outcome=outcome, **known)


def _publish(store: Store, run_id: str, verdicts: list[Verdict]) -> RunManifest:
    store.staging(run_id).write_verdicts("rules", 0, verdicts)
    return store.publish(run_id, RunManifest(run_id=run_id, run_kind="nightly", run_at=NIGHT, app="atlas"))


def _sql(query: str, columns: dict[str, str]) -> str:
    """Turn a case's query into SQL over the view `out` with these columns and types."""
    words = query.lower()
    if words.startswith("count rows"):
        return "SELECT count(*) FROM out"
    if words.endswith("per utc day"):
        moment = next(name for name, kind in columns.items() if kind.startswith("TIMESTAMP"))
        return f'SELECT "{moment}"::DATE, count(*) FROM out GROUP BY 1 ORDER BY 1'
    if found := re.fullmatch(r"count by (\w+)", words):
        return f"SELECT {found[1]}, count(*) FROM out GROUP BY 1 ORDER BY 1".replace("version", "app")
    sql = re.sub(r"(?i)\bfrom\s+'?out/[^\s']*'?", "FROM out", query)
    sql = re.sub(r"\bversion\b", "app", sql)
    return sql if re.search(r"(?i)\bfrom\b", sql) else re.sub(r"(?i)( order by|$)", r" FROM out\1", sql, count=1)


def _plain(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    return [*map(_plain, value)] if isinstance(value, list | tuple) else value


def read_files(case: dict[str, Any], store: Store) -> dict[str, Any]:
    """Files and a query: broken files are set aside and reported, the rest is counted."""
    folder = Folder(store, case["input"]["files"])
    with folder.connect() as connection:
        columns = {str(row[0]): str(row[1]) for row in connection.execute("DESCRIBE out").fetchall()}
        relation = connection.sql(_sql(case["input"]["query"], columns))
        kinds, rows = [str(kind) for kind in relation.types], relation.fetchall()
    broken = [p.path for p in store.verify() if "incomplete" in p.what]
    got: dict[str, Any] = {
        "rows": rows[0][0] if isinstance(case["expected"].get("rows"), int) else _plain(rows),
        "type": kinds[0],
        "quarantined": [folder.names[path] for path in broken],
        "reported": bool(broken),
    }
    return got


def in_zone(case: dict[str, Any], store: Store) -> dict[str, Any]:
    """Set the same on a machine in another zone."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = case["input"]["machine_time_zone"]
    time.tzset()
    try:
        return read_files(case, store)
    finally:
        os.environ.pop("TZ")
        if before is not None:
            os.environ["TZ"] = before
        time.tzset()


def rewrite_partial(case: dict[str, Any], store: Store) -> dict[str, Any]:
    """A partial file where the retried run wants to write."""
    (item,) = case["input"]["files"]
    staging = store.staging("run-1")
    path = staging.path("rules", 0)
    path.parent.mkdir(parents=True)
    path.write_bytes(base64.b64decode(item["bytes_base64"]))
    messages: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: messages.append(record.getMessage())  # type: ignore[method-assign]  # collects
    logging.getLogger("goldassay.store.staging").addHandler(handler)

    had = staging.has("rules", 0)
    staging.write_verdicts("rules", 0, [_verdict("1")])

    replaced = not had and staging.has("rules", 0)
    told = [message for message in messages if message.endswith("was incomplete and has been rewritten")]
    return {
        "run": "succeeds",
        "action": "partial file is replaced" if replaced else "none",
        "logged": told[0].replace(str(path), item["file_name"]) if told else None,
    }


def steps_of_a_write(_: dict[str, Any], store: Store) -> dict[str, Any]:
    """A reader lists while a file is written, and after."""
    target = Path(store.address) / "verdicts" / "v1.parquet"
    with replacing(target) as temporary:
        temporary.write_bytes(b"x")
        during = list(target.parent.glob("*.parquet")) + store.files.list("verdicts")
        matches = temporary.match("*.parquet")
    return {
        "reader_sees_file_at_step_2": bool(during),
        "reader_sees_file_after_step_3": target in target.parent.glob("*.parquet"),
        "temporary_name_matches_glob": matches,
    }


def partition_rows(case: dict[str, Any], store: Store) -> dict[str, Any]:
    """Rows written under a partition value, read back."""
    column = case["input"]["partition_by"]
    rows = case["input"]["rows_to_write"]
    verdicts = [_verdict(r["id"], app="atlas" if r[column] is None else r[column], model=r[column]) for r in rows]
    try:
        _publish(store, "run-1", verdicts)
    except StoreError as error:
        return {"run": "fails", "reason": f"empty {column} label" if "''" in str(error) else str(error)}
    with connect(store) as connection:
        read = connection.execute("SELECT record_id, model, app FROM verdicts ORDER BY 1").fetchall()
    assert all(app == (model or "atlas") for _, model, app in read)
    return {"run": "succeeds", "read_back": [{"id": name, column: model} for name, model, _ in read]}


def write_in_steps(case: dict[str, Any], store: Store) -> dict[str, Any]:
    """Runs one after the other into the same place."""
    for step in case["input"]["steps"]:
        found = re.match(r"write (\d+) verdicts of run (\S+)", step)
        assert found is not None, step
        _publish(store, found[2], [_verdict(str(n)) for n in range(int(found[1]))])
    with connect(store) as connection:
        rows = connection.execute("SELECT run_id, count(*) FROM verdicts GROUP BY 1 ORDER BY 1").fetchall()
    return {"rows": _plain(rows)}


def _write_rows(address: str, run_id: str, rows: int, barrier: Any) -> None:
    barrier.wait()
    _publish(open_store(address), run_id, [_verdict(str(n)) for n in range(rows)])


def write_at_once(case: dict[str, Any], store: Store) -> dict[str, Any]:
    """Several processes, one partition."""
    context = multiprocessing.get_context("fork")
    barrier = context.Barrier(len(case["input"]["writers"]))
    writers = [
        context.Process(target=_write_rows, args=(store.address, w["run"], w["rows"], barrier))
        for w in case["input"]["writers"]
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    with connect(store) as connection:
        ((total,),) = connection.execute("SELECT count(*) FROM verdicts").fetchall()
    return {"total_rows": total}


def count_scores(case: dict[str, Any], store: Store) -> dict[str, Any]:
    """Scores of a foreign file become verdicts; a score that is none becomes an error, whatever it compares to."""
    found = re.search(r"score >= ([\d.]+)", case["input"]["query"])
    assert found is not None
    mark = float(found[1])
    folder = Folder(store, case["input"]["files"])
    rows = [row for path in folder.whole() for row in pq.read_table(folder.root / path).to_pylist()]
    verdicts = [_verdict(r["id"], _judged(r["score"], mark), score=r["score"]) for r in rows]
    _publish(store, "run-1", verdicts)
    sql = """SELECT count(*) FILTER (outcome IN ('pass', 'fail')), count(*) FILTER (score >= ?),
        count(*) FILTER (outcome = 'error'), count(*) FILTER (outcome = 'pass') FROM verdicts"""
    with connect(store) as connection:
        ((judged, passed, errors, outcomes),) = connection.execute(sql, [mark]).fetchall()
    assert passed == outcomes
    return {"judged": judged, "passed": passed, "pass_rate": passed / judged, "judge_errors": errors}


def _judged(score: float | None, mark: float) -> Outcome:
    if score is None:
        return Outcome.ERROR
    return Outcome.FAIL if score < mark else Outcome.PASS  # NaN is not below the mark: the naive reading


def _count_with_limit(address: str, limit: int, sender: Any) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    with connect(open_store(address), threads=2) as connection:
        connection.execute("SELECT count(*) FROM verdicts")
        rows = connection.fetchall()[0][0]
    sender.send((rows, sum(1 for _ in Path("/proc/self/fd").iterdir())))


def count_many_files(case: dict[str, Any], store: Store) -> dict[str, Any]:
    """Very many tiny files, read by a process that may open few."""
    wanted = case["input"]["files_count"]
    table = pa.Table.from_batches(
        [verdicts_to_batch([_verdict(str(n)) for n in range(case["input"]["rows_per_file"])])]
    )
    seed = write_part(store.files, "verdicts/app=atlas/month=2026-11/seed-0.parquet", table)
    content = store.files.read_bytes(seed.path)
    entries = [
        seed.model_copy(update={"path": f"verdicts/app=atlas/month=2026-11/r-{n}.parquet"}) for n in range(wanted)
    ]
    for entry in entries:
        (Path(store.address) / entry.path).write_bytes(content)
    run = RunManifest(run_id="run-1", run_kind="nightly", run_at=NIGHT, app="atlas", files=tuple(entries))
    store.catalog.write_manifest(run)
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    limit = case["input"]["open_file_limit"]
    process = context.Process(target=_count_with_limit, args=(store.address, limit, sender))
    process.start()
    process.join()
    rows, opened = receiver.recv()
    return {"run": "succeeds", "rows": rows, "max_open_files": opened}


def _way(case: dict[str, Any]) -> Callable[[dict[str, Any], Store], dict[str, Any]]:
    given = case["input"]
    ways: dict[str, Callable[[dict[str, Any], Store], dict[str, Any]]] = {
        "event": rewrite_partial,
        "timeline": steps_of_a_write,
        "rows_to_write": partition_rows,
        "steps": write_in_steps,
        "writers": write_at_once,
        "files_count": count_many_files,
        "machine_time_zone": in_zone,
    }
    for key, way in ways.items():
        if key in given:
            return way
    return count_scores if str(given.get("query", "")).startswith("share of judged") else read_files


def _differences(expected: dict[str, Any], got: dict[str, Any]) -> Iterator[str]:
    for key, value in expected.items():
        if key.endswith("_at_most"):
            fits = got[key.removesuffix("_at_most")] <= value
        elif key == "run" and " or " in value:
            fits = str(got.get(key)) in value
        elif isinstance(value, float):
            fits = round(float(got.get(key, -1)), 4) == round(value, 4)
        else:
            fits = got.get(key) == value
        if not fits:
            yield f"{key}: {got.get(key)!r} instead of {value!r}"


@pytest.mark.parametrize("case", _cases(), ids=lambda case: str(case["case"]))
def test_case(case: dict[str, Any], tmp_path: Path) -> None:
    """The store gives what a careful practitioner would want."""
    store = open_store(tmp_path / "store")
    assert isinstance(store.files, LocalFiles)

    got = _way(case)(case, store)

    assert list(_differences(case["expected"], got)) == [], case["why"]
