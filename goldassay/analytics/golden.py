"""What a golden run is held against: the accepted run, or the last golden run that the gate let through.

Never simply the run before: that may be the one the gate refused, and beside it anything looks as good as ever.
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from goldassay.analytics.compare import compare
from goldassay.analytics.gate import GateConfig
from goldassay.analytics.models import GateState
from goldassay.errors import ConfigError
from goldassay.store.manifest import RunManifest
from goldassay.store.store import Store

__all__ = ["golden_base"]

_LOOKED_AT = 20
"""Golden runs, newest first, that are looked at while none was accepted: each is a comparison."""


def golden_base(
    store: Store,
    run: RunManifest,
    gate: GateConfig,
    *,
    newer_too: bool = False,
    connection: duckdb.DuckDBPyConnection | None = None,
) -> RunManifest | None:
    """Find the run that a golden run is compared with.

    Args:
        store: The store.
        run: The golden run; it need not be published.
        gate: What decides whether an earlier run was good.
        newer_too: Take the accepted run also where it is newer than `run`: a gate is asked again now.
        connection: An open connection over the same store; default a new one.

    Returns:
        None when nothing was accepted and no golden run came before.
    """
    accepted = store.baseline(run.app)
    if accepted is not None and accepted.run_id != run.run_id and (newer_too or _moment(accepted) < _moment(run)):
        return accepted
    earlier = [one for one in store.runs(run.app, "golden") if _moment(one) < _moment(run)]
    return _last_good(store, earlier[-_LOOKED_AT:], gate, connection)


def _moment(run: RunManifest) -> tuple[object, str]:
    return run.run_at, run.run_id


def _last_good(
    store: Store, runs: Sequence[RunManifest], gate: GateConfig, connection: duckdb.DuckDBPyConnection | None
) -> RunManifest | None:
    """The newest that passed against the last good one before it; the first has nothing to be held against."""
    good: RunManifest | None = None
    for run in runs:
        if good is None or _passes(store, good, run, gate, connection):
            good = run
    return good


def _passes(
    store: Store, base: RunManifest, head: RunManifest, gate: GateConfig, connection: duckdb.DuckDBPyConnection | None
) -> bool:
    try:
        report = compare(store, base.run_id, head.run_id, gate=gate, shown=0, connection=connection)
    except ConfigError:
        return False  # a run without a verdict is no measure for another
    return report.gate is not None and report.gate.state is GateState.PASS
