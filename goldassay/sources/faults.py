"""The one exception inside this package: a value that cannot be read; it becomes a `Rejected`."""

from __future__ import annotations

__all__ = ["UnreadableValueError"]


class UnreadableValueError(ValueError):
    """A value is not what its field holds; the text says why, without the field's name."""
