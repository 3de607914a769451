"""Compiles the JSON schema of the rule `format`; the package for it is loaded only where a schema is set."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from goldassay.errors import ConfigError

__all__ = ["schema_validator"]


@lru_cache(maxsize=16)
def schema_validator(schema_text: str) -> Any:
    """A validator that opens no address: references lead inside the schema only.

    Args:
        schema_text: The schema as JSON text.

    Raises:
        ConfigError: If it is no JSON schema, or the package that reads schemas is missing.
    """
    try:
        import jsonschema  # type: ignore[import-untyped]  # noqa: PLC0415 - no stubs; only where a schema is set
        import referencing  # noqa: PLC0415 - same
    except ImportError as error:
        raise ConfigError(
            "rules.format.json_schema needs the package 'jsonschema', which is missing; install it or drop the setting."
        ) from error
    schema = json.loads(schema_text)
    kind = jsonschema.validators.validator_for(schema)
    try:
        kind.check_schema(schema)
    except jsonschema.SchemaError as error:
        raise ConfigError(f"rules.format.json_schema is no JSON schema: {error.message}; mend it.") from error
    return kind(schema, registry=referencing.Registry())
