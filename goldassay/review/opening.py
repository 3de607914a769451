"""From a run in the store to a session: which answers are drawn, and what the person said of them before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import duckdb

from goldassay.analytics.calibration import FLAGGED
from goldassay.analytics.connect import connect
from goldassay.analytics.scope import load_sql, rows_of
from goldassay.errors import ConfigError, RunError
from goldassay.review.sample import Candidate, First, draw_sample
from goldassay.review.session import Given, ReviewItem, ReviewSession
from goldassay.store.schema import batch_to_stored_answers, batch_to_verdicts
from goldassay.store.store import Store
from goldassay.verdicts import Verdict

__all__ = ["open_session"]

_NAME_CHARACTERS = 60


def open_session(
    store: Store,
    reference: str,
    *,
    app: str,
    check: str | None = None,
    number: int = 30,
    labeller: str = "me",
    first: First = "mixed",
) -> ReviewSession:
    """Draw the answers and find what the person has said of them before.

    Args:
        store: Where the run is, and where labels go.
        reference: The run: id, unique prefix, 'last' or 'latest:golden'.
        app: The assistant.
        check: The criterion (or rule) to label; None: 'faithful', else the first one a judge graded.
        number: Answers in all, those labelled before among them.
        labeller: Name or initials; labels of different names stand side by side.
        first: See `draw_sample`.

    Raises:
        ConfigError: If the name or number is of no use, or the run has no such check.
        RunError: If the answers of the run are gone.
    """
    name = " ".join(labeller.split())[:_NAME_CHARACTERS]
    if not name or not name.isprintable():
        raise ConfigError(f"no name to label as: --as {labeller!r}. Give a name or initials.")
    if number < 1:
        raise ConfigError(f"nothing to label: --number {number!r}. Give 1 or more.")
    run = store.run(reference, app=app)
    with connect(store) as connection:
        chosen = _check_of(connection, run.run_id, check)
        about = {"run_id": run.run_id, "check": chosen, "labeller": name}
        rows = rows_of(connection, load_sql("review_candidates", flagged=FLAGGED), about)
        candidates = [Candidate(*row) for row in rows]
        drawn = draw_sample(candidates, number, salt=f"{run.app}\0{chosen}", first=first)
        items = _items(connection, run.run_id, chosen, drawn)
        given = {row[0]: Given(*row[1:]) for row in rows_of(connection, load_sql("review_labels"), about)}
    if not items:
        raise RunError(
            f"the answers of run {run.run_id!r} are gone from the store. Label a newer run: goldassay review."
        )
    return ReviewSession(store, run, chosen, labeller=name, items=items, given=given)


def _check_of(connection: duckdb.DuckDBPyConnection, run_id: str, check: str | None) -> str:
    found = [name for name, _ in rows_of(connection, load_sql("review_checks"), {"run_id": run_id})]
    if check is None and found:
        return str(found[0])
    if check not in found:
        known = f"It has {', '.join(map(repr, found))}." if found else "No check of it says pass or fail."
        raise ConfigError(f"run {run_id!r} has no verdicts of {check!r} to label. {known}")
    return str(check)


def _items(
    connection: duckdb.DuckDBPyConnection, run_id: str, check: str, drawn: Sequence[str]
) -> dict[str, ReviewItem]:
    wanted = {"run_id": run_id, "records": list(drawn)}
    answers = connection.sql(load_sql("review_answers", table="answers"), params=wanted).to_arrow_table()
    rows = connection.sql(load_sql("review_answers", table="verdicts"), params=wanted).to_arrow_table()
    verdicts: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in batch_to_verdicts(rows):
        verdicts[verdict.record_id].append(verdict)
    stored = {answer.record.record_id: answer for answer in batch_to_stored_answers(answers)}
    return {
        name: ReviewItem(
            stored[name].record,
            stored[name].golden,
            next(verdict for verdict in verdicts[name] if verdict.check == check),
            tuple(verdict for verdict in verdicts[name] if verdict.check != check),
        )
        for name in drawn
        if name in stored
    }
