"""The command line: thin, it parses, calls and prints. Heavy packages load only where a command uses them."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command.

    Args:
        arguments: The words behind ``goldassay``; those of the process by default.

    Returns:
        The exit code: 0 fine, 1 the gate failed, 2 used wrongly, 3 the run broke.
    """
    from goldassay.cli.app import run_command

    return run_command(arguments)
