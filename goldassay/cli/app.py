"""The table of commands, and the one place where an error becomes a line and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

from cyclopts import App, CycloptsError, Group

from goldassay import __version__
from goldassay.errors import GoldassayError

__all__ = ["FINE", "GATE_FAILED", "RUN_BROKE", "USED_WRONGLY", "app", "run_command"]

FINE, GATE_FAILED, USED_WRONGLY, RUN_BROKE = 0, 1, 2, 3

_NIGHTLY = Group("Evaluate", sort_key=1)
_HISTORY = Group("Ask the verdicts", sort_key=2)
_SET_UP = Group("Set up and look after", sort_key=3)

app = App(
    name="goldassay",
    help="Evaluates a RAG assistant's logged answers, and says how far to trust the numbers.",
    version=__version__,
    result_action="return_value",
    group_commands=Group("Other", sort_key=9),
)

_COMMANDS = {
    _NIGHTLY: {
        "check": ("check:check", "The rules alone, in seconds: for every commit."),
        "run": ("run:run", "The answers logged since the last night: rules on all, the judge on a sample."),
        "golden": ("golden:golden", "The whole golden set of one version, compared with the baseline."),
        "backfill": ("run:backfill", "A range of past days."),
        "rejudge": ("rejudge:rejudge", "A stored run's answers again, with today's rules and judge."),
        "ask": ("ask:ask", "Ask the assistant itself one question."),
        "judge": ("judge:judge_app", "See exactly what the judge is asked, and how its reply was read."),
    },
    _HISTORY: {
        "report": ("report:report", "One run: terminal, HTML page, Markdown or JUnit."),
        "history": ("history:history", "Rates and failure reasons over versions and time."),
        "compare": ("compare:compare", "Two versions on the same questions: what broke, is it real?"),
        "query": ("query:query", "SQL over the store's views, read-only."),
        "review": ("review:review", "A page to read answers and label them, blind to the judge."),
        "calibrate": ("calibrate:calibrate", "The judge against people's labels: how far to trust it."),
    },
    _SET_UP: {
        "demo": ("demo:demo", "Two nights of a sample assistant, offline; prints the report."),
        "init": ("init:init", "Write a project to own: settings, golden set, flows, deployments."),
        "doctor": ("doctor:doctor", "Is everything there that a night needs?"),
        "deploy": ("deploy:deploy", "Put schedules and triggers onto your Prefect server."),
        "model-changed": (
            "model_changed:model_changed",
            "Say that the assistant changed, which starts the golden run.",
        ),
        "accept": ("store:accept", "Make a run the baseline."),
        "compact": ("store:compact", "Join many small files of the store into few."),
    },
}


def _register() -> None:
    for group, commands in _COMMANDS.items():
        for place, (name, (target, about)) in enumerate(commands.items()):
            # Named, not imported: a command's module is loaded when it is called.
            app.command(f"goldassay.cli.{target}", name=name, help=about, group=group, sort_key=place)


_register()


def run_command(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; every expected error ends in one message on standard error.

    Args:
        arguments: The words behind ``goldassay``; those of the process by default.

    Returns:
        The exit code.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        result = app(words, exit_on_error=False, print_error=False)
        sys.stdout.flush()
    except CycloptsError as error:
        _complain(f"{error}".strip() + "\nSee: goldassay --help")
        return USED_WRONGLY
    except GoldassayError as error:
        _complain(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        _complain("stopped; what was paid for is kept, and the same command goes on from there.")
        return RUN_BROKE
    except BrokenPipeError:
        # `goldassay query ... | head`: the reader has enough, which is no error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except Exception as error:  # noqa: BLE001 - raised again unless it is a person's to mend
        return _mended(error)
    return result if isinstance(result, int) else FINE


def _mended(error: Exception) -> int:
    """One message for what a person can mend; anything else is a defect and keeps its traceback."""
    if isinstance(error, OSError):
        _complain(_refused(error))
        return RUN_BROKE
    if type(error).__name__ != "ValidationError":  # pydantic's, which loads only where it is used
        raise error
    _complain(_not_valid(error))
    return USED_WRONGLY


def _refused(error: OSError) -> str:
    """What the operating system did not let happen, where, and what to do."""
    where = f" {str(error.filename)!r}" if error.filename is not None else ""
    return (
        f"the machine refused{where}: {error.strerror or error}. "
        "Make room, mend the permissions or name another place, then run it again: nothing paid for is lost."
    )


def _not_valid(error: Any) -> str:
    """Of a value given on the command line: which, and what is wrong with it."""
    first = error.errors(include_url=False)[0]
    where = ".".join(map(str, first["loc"])) or "a value"
    return f"{where}: {first['msg']} (got {first.get('input')!r}). See: goldassay --help"


def _complain(message: str) -> None:
    sys.stderr.write(f"goldassay: {message}\n")
