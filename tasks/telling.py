"""How an error that a person can mend looks in a worker's log: once, as its message, without a traceback."""

from __future__ import annotations

import logging

from goldassay.errors import GoldassayError

__all__ = ["tell_without_traceback"]

_LOGGERS = ("prefect.flow_runs", "prefect.task_runs")


def tell_without_traceback() -> None:
    """Prefect logs every exception with its traceback; forty lines of ours hide the one that helps."""
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        if not any(isinstance(one, _WithoutTraceback) for one in logger.filters):
            logger.addFilter(_WithoutTraceback())


class _WithoutTraceback(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        if isinstance(error, GoldassayError):
            record.exc_info = record.exc_text = None
            record.msg, record.args = "%s", (str(error),)
        return True
