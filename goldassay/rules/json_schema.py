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
        ConfigError: If it is no JSON schema, if a reference leads nowhere inside it, or if the package that
            reads schemas is missing.
    """
    try:
        import jsonschema  # type: ignore[import-untyped]  # noqa: PLC0415 - no stubs; only where a schema is set
        import referencing.jsonschema  # noqa: PLC0415 - same
    except ImportError as error:
        raise ConfigError(
            "rules.format.json_schema needs the package 'jsonschema', which is missing; install it or drop the setting."
        ) from error
    schema = json.loads(schema_text)
    kind = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    try:
        kind.check_schema(schema)
    except jsonschema.SchemaError as error:
        raise ConfigError(f"rules.format.json_schema is no JSON schema: {error.message}; mend it.") from error
    _refuse_loose_references(schema, kind, referencing)
    return kind(schema, registry=referencing.Registry())


def _refuse_loose_references(schema: Any, kind: Any, referencing: Any) -> None:
    """A reference that leads nowhere would break the rule on every single answer."""
    specification = referencing.jsonschema.specification_with(kind.META_SCHEMA["$schema"].rstrip("#"))
    resource = specification.create_resource(schema)
    resolver = referencing.Registry().with_resource(resource.id() or "", resource).resolver(resource.id() or "")
    try:
        _look_up(resource, resolver)
    except referencing.exceptions.Unresolvable as error:
        raise ConfigError(
            f"rules.format.json_schema refers to {error.ref!r}, which is not in it; references lead inside the schema"
            " only. Copy the part into '$defs'."
        ) from error


def _look_up(resource: Any, resolver: Any) -> None:
    contents = resource.contents
    for key in ("$ref", "$dynamicRef"):
        reference = contents.get(key) if isinstance(contents, dict) else None
        if isinstance(reference, str):
            resolver.lookup(reference)
    for part in resource.subresources():
        _look_up(part, resolver.in_subresource(part))
