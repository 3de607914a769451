"""The web page on which a person reads answers and labels them, blind to what the judge said."""

from __future__ import annotations
