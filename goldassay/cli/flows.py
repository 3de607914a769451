"""Runs a flow of the project in this process, with a quiet temporary Prefect server where none is named."""

from __future__ import annotations

import logging
import os
import sys
import time
from typing import Any

from goldassay.cli.embedded import prepare_prefect, server_url
from goldassay.cli.guarding import guard_servers
from goldassay.cli.project import Project
from goldassay.cli.stopping import STOPPED, is_termination, run_until_stopped
from goldassay.errors import ConfigError, GoldassayError, RunError

__all__ = ["run_flow"]


def run_flow(
    project: Project,
    name: str,
    parameters: dict[str, Any],
    *,
    task_runner: str = "local",
    dask_address: str | None = None,
) -> dict[str, Any]:
    """Runs a flow to its end.

    Args:
        project: The project.
        name: Name of the flow and of its file in flows/.
        parameters: The flow's parameters; `project` is added.
        task_runner: 'local' or 'dask'.
        dask_address: Scheduler of a Dask cluster; None: a local one of two workers.

    Returns:
        What the flow returns: its totals.

    Raises:
        ConfigError: If a setting may not be told to Prefect, or this is no project.
        GoldassayError: What the flow raised.
        RunError: If the orchestration itself broke.
    """
    project.module("tasks.project").refuse_address(parameters.get("settings") or ())
    project.must_name_a_log()
    embedded = prepare_prefect(project.folder)
    begun = time.monotonic()
    flow = _with_runner(project.flow(name), task_runner, dask_address)
    if embedded:
        guard_servers()
        _quieten()
        _announce(f"imports took {time.monotonic() - begun:.1f} s")
    try:
        run = flow(project=str(project.folder), **parameters)
        result: dict[str, Any] = run_until_stopped(run, embedded=embedded)
    except GoldassayError:
        raise
    except Exception as error:
        if type(error).__module__.startswith("goldassay"):
            raise
        raise RunError(_broke(name, error)) from error
    except BaseException as error:
        if not is_termination(error):
            raise
        raise RunError(STOPPED) from error
    return result


def _broke(name: str, error: Exception) -> str:
    kept = "What was paid for is kept: the same command goes on from there."
    url = server_url(os.environ)
    if url is not None and _is_server_away(error):
        return (
            f"the Prefect server at {url!r} cannot be reached: {error}. Start it, or correct PREFECT_API_URL; where it "
            f"is unset, goldassay starts a temporary server. {kept}"
        )
    return f"the flow {name!r} broke: {type(error).__name__}: {error}. {kept} PREFECT_LOGGING_LEVEL=DEBUG shows more."


def _is_server_away(error: Exception) -> bool:
    """The judge, the assistant and the log have errors of their own: a bare one of the network is Prefect's."""
    import httpx

    return isinstance(error, httpx.TransportError) or "Failed to reach API" in str(error)


def _with_runner(flow: Any, task_runner: str, dask_address: str | None) -> Any:
    if task_runner == "local":
        return flow
    if task_runner != "dask":
        raise ConfigError(f"no task runner {task_runner!r}; known are 'local' and 'dask'.")
    try:
        from prefect_dask.task_runners import DaskTaskRunner
    except ImportError:
        raise ConfigError("--task-runner dask needs the extra 'dask': pip install 'goldassay[dask]'") from None
    logging.getLogger("distributed").setLevel(logging.ERROR)  # it tells of every connection at INFO
    if dask_address is not None:
        return flow.with_options(task_runner=DaskTaskRunner(address=dask_address))
    local = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    return flow.with_options(task_runner=DaskTaskRunner(cluster_kwargs=local))


def _quieten() -> None:
    """An error is told once, by the command, without a traceback: Prefect's own lines about it are dropped."""
    for name in ("prefect.flow_runs", "prefect.task_runs"):
        logging.getLogger(name).addFilter(lambda record: record.levelno < logging.ERROR)


def _announce(took: str) -> None:
    """Once a process: a command of several flows waits for one server only."""
    if not _announced:
        _announced.append(took)
        _say(f"starting Prefect's temporary server, once for this command ({took})")


_announced: list[str] = []


def _say(text: str) -> None:
    sys.stderr.write(f"goldassay: {text}\n")
