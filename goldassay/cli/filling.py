"""Fills in deployments/prefect.yaml and automations.yaml for one app, so that several share a server.

It reads and computes; it asks no server and writes nothing. Called by `deploy.py`.
"""

from __future__ import annotations

import copy
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import Any, Literal

from goldassay.errors import ConfigError

__all__ = ["IN_IMAGE", "Pool", "app_name", "fill", "prefect_file", "read_yaml", "unfilled"]

Pool = Literal["process", "docker", "kubernetes"]
IN_IMAGE = "/opt/goldassay"
"""Where deployments/Dockerfile puts the project."""

_GUARD = "only-by-goldassay"
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def app_name(app: str) -> str:
    """The app as a part of names: as it is where Prefect and Docker take it, else made plain, with a digest.

    'atlas' stays; 'Help desk/EU' becomes 'Help-desk-EU-5f2c1a', so that it never meets 'Help desk EU'.
    """
    if _PLAIN.fullmatch(app):
        return app
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", app).strip("-._") or "app"
    return f"{plain}-{hashlib.sha256(app.encode()).hexdigest()[:6]}"


def read_yaml(path: Path) -> dict[str, Any]:
    """A YAML file that holds one table.

    Raises:
        ConfigError: If it cannot be read, or holds something else.
    """
    import yaml

    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise unusable(path, error) from error
    if not isinstance(content, dict):
        raise unusable(path, TypeError("no table of settings"))
    return content


def unusable(path: Path, error: Exception) -> ConfigError:
    """What to say of a file whose shape is not the one that `goldassay init` writes."""
    return ConfigError(f"{str(path)!r} cannot be used: {error!r}. Compare it with the one goldassay init writes.")


def fill(value: Any, values: Mapping[str, str | list[str]]) -> Any:
    """A copy with every ``${name}`` filled in; unknown names stay as they are.

    Args:
        value: Tables, lists and texts, as read from YAML.
        values: What to fill in; a list takes the place of a text that is nothing but its name.
    """
    if isinstance(value, Mapping):
        return {name: fill(item, values) for name, item in value.items()}
    if isinstance(value, list):
        return [fill(item, values) for item in value]
    if not isinstance(value, str):
        return value
    whole = re.fullmatch(r"\$\{(\w+)\}", value)
    if whole and isinstance(found := values.get(whole[1]), list):
        return list(found)
    return Template(value).safe_substitute({name: text for name, text in values.items() if isinstance(text, str)})


def unfilled(value: Any) -> set[str]:
    """Names of the ``${name}`` that are left."""
    if isinstance(value, Mapping):
        return {name for item in value.values() for name in unfilled(item)}
    if isinstance(value, list):
        return {name for item in value for name in unfilled(item)}
    return set(re.findall(r"\$\{(\w+)\}", value)) if isinstance(value, str) else set()


def prefect_file(source: Path, pool: Pool, values: Mapping[str, str | list[str]], *, folder: str) -> dict[str, Any]:
    """deployments/prefect.yaml as Prefect reads it: every deployment named after its app, on the chosen pool.

    Args:
        source: The project's file.
        pool: Kind of pool.
        values: What to fill in; 'app' among it.
        folder: Where a run finds the project.

    Raises:
        ConfigError: If the file lacks something.
    """
    content = fill(read_yaml(source), values)
    try:
        chosen = content["definitions"]["pools"][pool]
        str(chosen["name"])
        for deployment in content["deployments"]:
            deployment["work_pool"] = copy.deepcopy(chosen)  # YAML would write the same table as an alias
            deployment["name"] = _named(str(deployment["name"]), str(values["app"]))
    except (KeyError, TypeError) as error:
        raise unusable(source, error) from error
    del content["definitions"]
    content["build"] = [step for step in content.get("build") or () if not _is_guard(step)]
    content["pull"] = [{"prefect.deployments.steps.set_working_directory": {"directory": folder}}]
    return dict(content)


def _is_guard(step: Any) -> bool:
    """Whether a build step is the one that keeps `prefect deploy` from taking the file as it stands."""
    return any(isinstance(given, Mapping) and given.get("id") == _GUARD for given in dict(step).values())


def _named(name: str, app: str) -> str:
    return name if name.startswith(f"{app}-") else f"{app}-{name}"
