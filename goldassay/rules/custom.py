"""A team's own rules: plain functions loaded from a file by its path.

`rules = ["my_rules.py:no_prices"]` loads `no_prices(record, golden) -> Verdict | Finding | bool`.
The file is loaded on its own, never through sys.path, so it can neither shadow nor
be shadowed by an installed package. What the function raises becomes an `error` row
(`goldassay.rules.engine`); a file that cannot be loaded stops the run.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from goldassay.errors import ConfigError
from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.rules.context import RuleContext
from goldassay.rules.registry import RuleSpec
from goldassay.verdicts import Category, Finding, Outcome, Verdict

__all__ = ["load_custom_rule"]

OwnRule = Callable[[AnswerRecord, GoldenQuestion | None], Verdict | Finding | bool]


def load_custom_rule(entry: str, base_dir: Path) -> RuleSpec:
    """Load one own rule.

    Args:
        entry: 'file.py:function'; the path is relative to `base_dir` or absolute.
        base_dir: Usually the folder of goldassay.toml.

    Returns:
        The rule; its version is taken from the file's content, so that an edit is seen in the store.

    Raises:
        ConfigError: If the entry is malformed, the file is missing or does not load, or it has no such function.
    """
    path, name = _split(entry, base_dir)
    code = _read(path, entry)
    module = _load(path, hashlib.sha256(code).hexdigest(), entry)
    function = getattr(module, name, None)
    if not callable(function):
        raise ConfigError(f"own rule {entry!r}: {path.name} has no function {name!r}; define it or mend rules.custom")
    if inspect.iscoroutinefunction(function):
        raise ConfigError(f"own rule {entry!r} is 'async def'; rules run in plain functions, write 'def'")
    version = str(getattr(function, "version", "")) or f"file-{hashlib.sha256(code).hexdigest()[:10]}"
    return RuleSpec(name, _as_rule(name, function), version, "")


def _split(entry: str, base_dir: Path) -> tuple[Path, str]:
    file, separator, name = entry.rpartition(":")
    if not separator or not file.strip().endswith(".py") or not name.strip().isidentifier():
        raise ConfigError(f"own rule {entry!r} is not 'file.py:function'; write e.g. 'my_rules.py:no_prices'")
    return (base_dir / file.strip()).resolve(), name.strip()


def _read(path: Path, entry: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"own rule {entry!r}: cannot read {str(path)!r}; check the path in rules.custom") from error


def _load(path: Path, digest: str, entry: str) -> ModuleType:
    """Run the file once per content under a name of its own; dataclasses in it need that name in sys.modules."""
    module_name = f"_goldassay_own_rule_{digest[:16]}"
    if module_name in sys.modules:
        return sys.modules[module_name]
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None and spec.loader is not None  # noqa: PT018 - one fact: the path ends in .py
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[module_name]
        what = f"{type(error).__name__}: {error}"[:300]
        raise ConfigError(f"own rule {entry!r} does not load: {what}; mend {path.name}") from error
    return module


def _as_rule(name: str, function: OwnRule) -> Callable[[RuleContext, Any], Finding]:
    def rule(context: RuleContext, _config: object) -> Finding:
        return _as_finding(name, function(context.record, context.golden))

    return rule


def _as_finding(name: str, said: object) -> Finding:
    if isinstance(said, bool):
        return Finding(Outcome.PASS) if said else Finding(Outcome.FAIL, Category.OTHER, f"own rule {name!r} said no")
    if isinstance(said, Finding):
        return said
    if isinstance(said, Verdict):
        return Finding(said.outcome, said.category, said.reason, said.evidence, said.score)
    message = f"own rule {name!r} returned {type(said).__name__}; return True, False, a Finding or a Verdict"
    raise TypeError(message)
