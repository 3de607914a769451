"""Runs the rules over one record: never raises, keeps the order, skips what is switched off.

Knows nothing of batches, files or runs (`goldassay.rules.batch`, `tasks/`).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from goldassay.errors import ConfigError
from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.rules.context import MOST_CHARACTERS, RuleContext, SourceCache
from goldassay.rules.custom import load_custom_rule
from goldassay.rules.registry import RULES, RuleFunction, RuleSpec
from goldassay.rules.rows import rule_rows
from goldassay.rules.settings import RulesConfig, Severity
from goldassay.verdicts import Category, Finding, Outcome, RunStamp, Verdict

__all__ = ["RuleSet", "check_answer", "load_rules"]


class _Configured(NamedTuple):
    """One rule with its settings."""

    name: str
    function: RuleFunction
    config: Any


@dataclass(frozen=True)
class RuleSet:
    """The rules of a project, ready to run; reuses normalised sources from record to record."""

    specs: tuple[RuleSpec, ...]
    config: RulesConfig
    base_dir: Path | None = None
    """To which paths of own rules are relative; worker processes load the rules again from it."""
    cache: SourceCache = field(default_factory=SourceCache, repr=False, compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the rules that run, in the order reported."""
        return tuple(spec.name for spec in self.specs)

    def check(self, record: AnswerRecord, golden: GoldenQuestion | None = None) -> list[tuple[str, Finding]]:
        """What each rule says of the record; a rule that breaks gives outcome `error` and never raises."""
        context = RuleContext(record, golden, self.config, self.cache)
        found = self._each_on_its_strata(context) if self.config.strata else _each(self._configured, context)
        return [(name, _of_cut_answer(finding)) for name, finding in found] if context.is_cut else found

    @cached_property
    def _configured(self) -> tuple[_Configured, ...]:
        return tuple(
            _Configured(spec.name, spec.function, getattr(self.config, spec.config_field, None)) for spec in self.specs
        )

    @cached_property
    def _versions(self) -> dict[str, str]:
        return {spec.name: spec.version for spec in self.specs}

    def verdicts(
        self, record: AnswerRecord, golden: GoldenQuestion | None = None, *, stamp: RunStamp | None = None
    ) -> list[Verdict]:
        """One full row per rule, in the order reported."""
        return rule_rows(record, golden, stamp, self.check(record, golden), self._labels)

    @cached_property
    def _labels(self) -> dict[str, tuple[str, Severity]]:
        return {name: (self.version(name), self.severity(name)) for name in self.names}

    def version(self, name: str) -> str:
        """Version of the rule; changes whenever a verdict may change."""
        return self._versions[name]

    def severity(self, name: str) -> Severity:
        """'gate': a failure fails the answer; 'warn': it is only shown."""
        explicit = self.config.severity.get(name)
        if explicit is not None:
            return explicit
        return "gate" if name in self.config.gate else "warn"

    def _each_on_its_strata(self, context: RuleContext) -> list[tuple[str, Finding]]:
        found: list[tuple[str, Finding]] = []
        for rule in self._configured:
            if _runs_on(self.config, rule.name, context.golden):
                found += _each((rule,), context)
            else:
                found.append((rule.name, Finding(Outcome.SKIP, reason="switched off for this stratum")))
        return found


def load_rules(config: RulesConfig | None = None, *, base_dir: Path | None = None) -> RuleSet:
    """Choose and load the rules of a project.

    Args:
        config: The `[rules]` settings; None: the defaults.
        base_dir: Folder to which paths of own rules are relative; None: the current one.

    Returns:
        The rules, ready to run.

    Raises:
        ConfigError: If a name is unknown or an own rule cannot be loaded.
    """
    config = config if config is not None else RulesConfig()
    own = _own_rules(config, base_dir or Path())
    available = {**RULES, **own}
    _refuse_unknown(config, list(available))
    return RuleSet(tuple(spec for spec in available.values() if _is_on(spec, config, own)), config, base_dir)


def _own_rules(config: RulesConfig, base_dir: Path) -> dict[str, RuleSpec]:
    own: dict[str, RuleSpec] = {}
    for entry in config.custom:
        spec = load_custom_rule(entry, base_dir)
        if spec.name in RULES or spec.name in own:
            raise ConfigError(f"own rule {entry!r} bears a name that is taken: {spec.name!r}; rename the function")
        own[spec.name] = spec
    return own


def _is_on(spec: RuleSpec, config: RulesConfig, own: dict[str, RuleSpec]) -> bool:
    """Named, or on by default, or off by default but configured; own rules are named by being loaded."""
    if spec.name in own:
        return True
    if config.enabled is not None:
        return spec.name in config.enabled
    return spec.default_on or spec.config_field in config.model_fields_set


def check_answer(
    record: AnswerRecord, golden: GoldenQuestion | None = None, rules: RuleSet | RulesConfig | None = None
) -> list[Verdict]:
    """Check one answer with the rules.

    Args:
        record: The answer with the sources that were really sent.
        golden: Its golden question, if any.
        rules: A loaded rule set or settings; None: the default rules.

    Returns:
        One verdict per rule, in the order of the registry.
    """
    ruleset = rules if isinstance(rules, RuleSet) else load_rules(rules)
    return ruleset.verdicts(record, golden)


def _each(rules: Iterable[_Configured], context: RuleContext) -> list[tuple[str, Finding]]:
    """What the rules say one after another; one that raises gives an error and the others run on."""
    found: list[tuple[str, Finding]] = []
    for name, function, config in rules:
        try:
            found.append((name, function(context, config)))
        except (Exception, SystemExit) as error:  # noqa: BLE001 - one record's trouble is data: it becomes an error row
            reason = f"the rule raised {type(error).__name__}: {error}"[:500]
            found.append((name, Finding(Outcome.ERROR, Category.OTHER, reason)))
    return found


def _of_cut_answer(finding: Finding) -> Finding:
    """A failure in the part that was read stands; a pass of the whole cannot be known."""
    if finding.outcome is not Outcome.PASS:
        return finding
    reason = f"only the first {MOST_CHARACTERS:,} characters of the answer were read"
    return finding._replace(outcome=Outcome.UNSURE, category=Category.OTHER, reason=reason)


def _runs_on(config: RulesConfig, name: str, golden: GoldenQuestion | None) -> bool:
    strata = config.strata.get(name)
    if strata is None or golden is None or golden.stratum is None:
        return True
    if strata.only is not None and golden.stratum not in strata.only:
        return False
    return golden.stratum not in strata.skip


def _refuse_unknown(config: RulesConfig, known: list[str]) -> None:
    """A misspelt name would silently gate nothing."""
    places = {
        "gate": config.gate,
        "enabled": config.enabled or (),
        "severity": config.severity,
        "strata": config.strata,
    }
    for place, names in places.items():
        for name in names:
            if name not in known:
                near = difflib.get_close_matches(name, known, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}."
                raise ConfigError(f"rules.{place} names no rule: {name!r}; {hint}")
