"""Let the judge grade one shard of the sample."""

from __future__ import annotations

from typing import Any

from prefect import task
from prefect.logging import get_run_logger

from goldassay.judging.progress import OnProgress, ProgressSnapshot
from goldassay.judging.progress_display import progress_reporter
from goldassay.stages.judge import judge_shard
from tasks.keys import environment_of
from tasks.limits import shared_limiter
from tasks.naming import artifact_key
from tasks.project import judged_at_once, open_bench
from tasks.retrying import INFRASTRUCTURE
from tasks.showing import progress_artifact

__all__ = ["judge"]


@task(name="judge", task_run_name="judge shard {shard}", **INFRASTRUCTURE)
async def judge(plan: str, shard: int) -> dict[str, Any]:
    """Grades a shard; goes on from its journal after a kill. Returns its counts."""
    bench = open_bench(plan)
    settings, width = bench.settings, judged_at_once(bench)
    config = settings.judge if width == 1 else settings.judge.shared_by(width, leased=bool(settings.run.shared_limit))
    log = get_run_logger()
    async with (
        shared_limiter(config, settings.run.shared_limit, say=log.warning) as limiter,
        progress_artifact(
            f"{artifact_key(bench.plan.app)}-judge", asks_model=settings.judge.provider != "lexical"
        ) as on_page,
    ):
        with progress_reporter(log.info) as on_terminal:
            note = await judge_shard(
                bench.plan,
                bench.staging,
                bench.store,
                shard,
                config,
                settings.rules,
                environ=await environment_of(settings),
                limiter=limiter,
                on_progress=_both(on_page, on_terminal) if width == 1 else on_page,
            )
    log.info(
        "shard %d: %s", shard, ", ".join(f"{value} {name}" for name, value in note.items() if isinstance(value, int))
    )
    return {name: value for name, value in note.items() if isinstance(value, int | float)}


def _both(one: OnProgress, other: OnProgress) -> OnProgress:
    def tell(snapshot: ProgressSnapshot) -> None:
        one(snapshot)
        other(snapshot)

    return tell
