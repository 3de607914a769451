"""The table of commands, and the one place where an error becomes a line and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

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
        "check": "check:check",
        "run": "run:run",
        "golden": "golden:golden",
        "backfill": "run:backfill",
        "ask": "ask:ask",
        "judge": "judge:judge_app",
    },
    _HISTORY: {
        "report": "report:report",
        "history": "history:history",
        "compare": "compare:compare",
        "reasons": "history:reasons",
        "query": "query:query",
    },
    _SET_UP: {
        "demo": "demo:demo",
        "init": "init:init",
        "doctor": "doctor:doctor",
        "deploy": "deploy:deploy",
        "model-changed": "model_changed:model_changed",
        "accept": "store:accept",
        "compact": "store:compact",
    },
}


def _register() -> None:
    for group, commands in _COMMANDS.items():
        for place, (name, target) in enumerate(commands.items()):
            app.command(f"goldassay.cli.{target}", name=name, group=group, sort_key=place)


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
    return result if isinstance(result, int) else FINE


def _complain(message: str) -> None:
    sys.stderr.write(f"goldassay: {message}\n")
