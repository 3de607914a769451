"""Which failures of a task are worth another try: those of the machine, never those a person must mend.

A request to the judge is retried by the judge's own client; a task is retried when its worker, disk or
network broke, and then goes on from the journal.
"""

from __future__ import annotations

from typing import Any

from goldassay.errors import GoldassayError, JudgeTransientError

__all__ = ["INFRASTRUCTURE", "is_infrastructure"]


def is_infrastructure(_task: Any, _task_run: Any, state: Any) -> bool:
    """True when running the shard again may help.

    It looks at the exception that the state carries and asks the server for nothing: a condition that
    raises is read as "do not retry".
    """
    error = getattr(state, "data", None)
    if isinstance(error, JudgeTransientError):
        return True
    return not isinstance(error, GoldassayError)


INFRASTRUCTURE: dict[str, Any] = {
    "retries": 2,
    "retry_delay_seconds": [5, 30],
    "retry_jitter_factor": 0.5,
    "retry_condition_fn": is_infrastructure,
    "persist_result": False,
}
"""How every task of a shard is retried; results are paths and counts, so nothing is worth persisting."""
