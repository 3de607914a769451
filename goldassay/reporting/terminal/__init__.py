"""Reports on the terminal: quick to load, safe at 80 columns, readable without colour or a terminal."""

from __future__ import annotations

from goldassay.reporting.terminal.check import print_check
from goldassay.reporting.terminal.compare import print_compare
from goldassay.reporting.terminal.history import print_history
from goldassay.reporting.terminal.summary import print_summary

__all__ = ["print_check", "print_compare", "print_history", "print_summary"]
