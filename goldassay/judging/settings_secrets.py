"""Keeps secrets out of the judge's settings, which are kept with every run, shown by Prefect and printed by doctor.

Each check names the way out and never repeats what it found.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

__all__ = ["SecretMistakeError", "plain_address", "secret_in", "variable_name"]

_SECRET_NAME = re.compile(r"(?<!cache_)key\Z|tokens?\Z|secret|passw|authorization|credential", re.IGNORECASE)
"""'prompt_cache_key' and 'tokenizer' are none."""
_SHORTEST_SECRET = 9
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LONGEST_MIXED_NAME = 30
"""Characters; a name as long, of upper and lower case letters and digits, is a key that was put in its place."""
_MOST_DEPTH = 8


class SecretMistakeError(ValueError):
    """A setting that may hold a secret: whoever shows the mistake must not show the value."""


def plain_address(address: str | None) -> str | None:
    """An address without a password, a user name, or a query.

    Raises:
        SecretMistakeError: If it has one.
        ValueError: If it is empty: left out, the provider's own address would be meant, and all would be sent there.
    """
    if address is not None and not address.strip():
        raise ValueError("the address is empty; leave the setting out where none is meant")
    parts = urlsplit(address or "")
    if parts.username is not None or parts.password is not None:
        raise SecretMistakeError(
            "the address holds a user name or password, which would be kept with every run. Export it and name the "
            "variable: judge.api_key_env for the judge's key, judge.proxy_env for a proxy's address"
        )
    if parts.query or parts.fragment:
        raise SecretMistakeError(
            "the address has a '?' or '#', behind which no path can be put. If a key stands there, export it and name "
            "the variable: judge.api_key_env; for Azure set judge.api_version"
        )
    return address


def variable_name(name: str | None) -> str | None:
    """The name of an environment variable, and not the key itself.

    Raises:
        SecretMistakeError: If it cannot be a name.
    """
    if name is None or (_VARIABLE.fullmatch(name) and not _looks_like_a_key(name)):
        return name
    raise SecretMistakeError(
        "this is the name of an environment variable, such as JUDGE_API_KEY, and never the key itself. "
        "Export the key in a variable and name that"
    )


def _looks_like_a_key(name: str) -> bool:
    kinds = (any(map(str.islower, name)), any(map(str.isupper, name)), any(map(str.isdigit, name)))
    return len(name) >= _LONGEST_MIXED_NAME and all(kinds)


def secret_in(fields: object, *, depth: int = 0) -> str | None:
    """The dotted name of the first field, however deep, that looks like a secret; None without one."""
    if depth > _MOST_DEPTH:
        return None
    named = fields.items() if isinstance(fields, Mapping) else enumerate(fields) if isinstance(fields, list) else ()
    for name, value in named:
        if isinstance(value, str):
            if _SECRET_NAME.search(str(name)) and len(value) >= _SHORTEST_SECRET:
                return str(name)
        elif inner := secret_in(value, depth=depth + 1):
            return f"{name}.{inner}"
    return None
