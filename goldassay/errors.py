"""Every error goldassay raises on purpose, by what the caller can do about it.

    GoldassayError                  root; its text is shown without a traceback
    |- ConfigError                  a setting, rubric or golden set is wrong: fix it and run again
    |- SourceError                  the log cannot be read at all (one bad line is data, not an error)
    |- StoreError                   the store cannot be written or read
    |- GateError                    the gate failed or could not tell: the version must not go on
    |- RunError                     a run broke or would prove nothing (empty input, refused overlap)
    `- JudgeError                   a call to the judge (or to the assistant) failed
       |- JudgeTransientError       sending it again may help
       `- JudgeTerminalError        sending it again will not help (key, quota, unknown model)

A message says what happened, the value and place with ``!r``, and what to do.
Secrets and answer texts stay out of messages. One record's trouble is never an
exception: it is a row with outcome ``error`` or ``skip`` and a reason.
"""

from __future__ import annotations

__all__ = [
    "ConfigError",
    "GateError",
    "GoldassayError",
    "JudgeError",
    "JudgeTerminalError",
    "JudgeTransientError",
    "RunError",
    "SourceError",
    "StoreError",
]


class GoldassayError(Exception):
    """Root of all errors a person can act on; printed without a traceback."""

    exit_code = 3
    """Exit code of the command: 2 used wrongly, 3 the run broke."""


class ConfigError(GoldassayError):
    """A setting, rubric, rule file or golden set is wrong; fix it and run again."""

    exit_code = 2


class SourceError(GoldassayError):
    """The answers cannot be read at all: no such file, no such table, no permission, a connection that broke."""

    def __init__(self, message: str, *, transient: bool = False) -> None:
        super().__init__(message)
        self.transient = transient
        """Whether reading again may help: a database that dropped the connection, an endpoint that did not answer."""


class StoreError(GoldassayError):
    """The verdict store cannot be read or written; nothing written before is lost."""


class RunError(GoldassayError):
    """A run cannot start, broke, or would prove nothing (for instance an empty input)."""


class GateError(GoldassayError):
    """The gate failed, or could not tell: the change must not go on. The message says which questions broke."""

    exit_code = 1

    def __init__(self, message: str, *, run_id: str = "") -> None:
        super().__init__(message)
        self.run_id = run_id
        """The golden run that was compared."""


class JudgeError(GoldassayError):
    """A call to a judge or assistant failed; `category` is the closed-list reason."""

    def __init__(self, message: str, *, category: str = "provider_error") -> None:
        super().__init__(message)
        self.category = category
        """A value of `goldassay.verdicts.Category` for the error row."""

    def __reduce__(self) -> tuple[type[JudgeError], tuple[str], dict[str, object]]:
        """Pickle with its attributes: errors cross process borders."""
        return (type(self), (str(self),), self.__dict__)


class JudgeTransientError(JudgeError):
    """Sending the same request again may help: 429, 5xx, time-out, cut stream."""


class JudgeTerminalError(JudgeError):
    """Sending it again will not help: wrong key, no quota, unknown model."""
