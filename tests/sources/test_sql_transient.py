import sqlite3

import pytest
from sqlalchemy.exc import ArgumentError, OperationalError, ProgrammingError

from goldassay.sources.sql import _may_come_back


class DroppedError(Exception):
    """As a driver of a database server says that the connection is gone."""


@pytest.mark.parametrize(
    ("fault", "again"),
    [
        (OperationalError("SELECT 1", {}, DroppedError("server closed the connection")), True),
        (ProgrammingError("SELECT 1", {}, DroppedError("gone"), connection_invalidated=True), True),
        (OperationalError("SELECT 1", {}, sqlite3.OperationalError("database is locked")), True),
        (OperationalError("SELECT x", {}, sqlite3.OperationalError("no such column: x")), False),
        (ProgrammingError("SELECT x", {}, DroppedError("no column x")), False),
        (ArgumentError("no such option"), False),
    ],
    ids=["dropped", "invalidated", "locked", "column of SQLite", "column", "option"],
)
def test_only_a_broken_connection_is_worth_another_try(fault, again):
    """A wrong table or column stays wrong, whatever the driver calls it."""
    assert _may_come_back(fault) is again
