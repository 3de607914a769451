"""Check: all rules over one shard of records."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as pq

from goldassay.rules import RulesConfig, load_rules
from goldassay.rules.batch import check_records
from goldassay.rules.settings import with_citation_base
from goldassay.stages.plan import RunPlan
from goldassay.stages.pull import PULLED
from goldassay.store import ANSWERS, Staging
from goldassay.verdicts import Outcome

__all__ = ["RULES_STAGE", "CheckCounts", "check_shard"]

RULES_STAGE = "rules"


class CheckCounts(NamedTuple):
    """What the rules said of one shard."""

    records: int
    verdicts: int
    failed: int
    errors: int


def check_shard(plan: RunPlan, staging: Staging, shard: int, config: RulesConfig) -> CheckCounts:
    """Runs the rules over a shard; done at once when its part is already there.

    Args:
        plan: The run.
        staging: Where its unfinished parts lie.
        shard: Number of the shard, from 0.
        config: The `[rules]` settings.

    Returns:
        The shard's counts.
    """
    if not staging.has(RULES_STAGE, shard):
        base = (staging.read_note(PULLED) or {}).get("citation_base")
        rules = load_rules(with_citation_base(config, base), base_dir=Path(plan.project))
        pairs = ((stored.record, stored.golden) for stored in staging.read_answers(shard))
        rows = check_records(pairs, rules, stamp=plan.stamp)
        staging.write_verdicts(RULES_STAGE, shard, (verdict for row in rows for verdict in row))
    return _count(staging, shard)


def _count(staging: Staging, shard: int) -> CheckCounts:
    outcomes = pq.read_table(staging.path(RULES_STAGE, shard), columns=["outcome"]).column("outcome").to_pylist()
    return CheckCounts(
        records=pq.read_metadata(staging.path(ANSWERS, shard)).num_rows,
        verdicts=len(outcomes),
        failed=outcomes.count(Outcome.FAIL.value),
        errors=outcomes.count(Outcome.ERROR.value),
    )
