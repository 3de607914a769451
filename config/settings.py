"""The project's settings: goldassay.toml, overridden by ``GOLDASSAY_...`` and by ``--set``.

The sections are models of the library (`goldassay.rules.settings`, ...); this module joins
them, finds the project file, and turns every mistake into one message that names the
nearest known name. It holds no secret: keys stay in the environment, by name.

Order, the later wins: defaults, goldassay.toml, environment, ``--set``.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from config.mistakes import explain_mistakes, unknown_variables
from goldassay.analytics.gate import GateConfig
from goldassay.analytics.sampling import SamplingConfig
from goldassay.errors import ConfigError
from goldassay.judging.settings import JudgeConfig
from goldassay.rules.settings import RulesConfig
from goldassay.sources.assistant.settings import AssistantConfig
from goldassay.sources.settings import AnswersConfig

__all__ = [
    "PROJECT_FILE",
    "AlertConfig",
    "GoldenConfig",
    "RunConfig",
    "Settings",
    "StoreConfig",
    "WatchConfig",
    "load_settings",
]

PROJECT_FILE = "goldassay.toml"
_PREFIX = "GOLDASSAY_"
_NESTED = "__"
_STRICT = ConfigDict(extra="forbid", frozen=True)


class GoldenConfig(BaseModel):
    """The golden set: questions whose right answers are known."""

    model_config = _STRICT

    path: str | None = None
    """A YAML, JSON Lines or CSV file; None: no golden set, so `key_fact` and `correct` are skipped."""


class RunConfig(BaseModel):
    """How a run is cut into pieces."""

    model_config = _STRICT

    rules_shard: int = Field(default=10_000, ge=1, le=100_000)
    """Records a task of the rules stage takes."""
    judge_at_once: int = Field(default=1, ge=1, le=64)
    """Shards of the judge under way at once, on the task runner's workers. Each takes its share of the judge's limits,
    or all of them lease from `shared_limit`. One at a time where a budget is set: it is spent in order."""
    judge_shard: int = Field(default=2_000, ge=1, le=50_000)
    """Records a task of the judge stage takes."""
    workers: int | Literal["auto"] = "auto"
    """Processes for the rules of one machine; 'auto': one a core."""
    secrets: dict[str, str] = Field(default_factory=dict)
    """Variables to take from Prefect Secret blocks where they are not set, e.g. {OPENAI_API_KEY = "judge-key"}."""
    shared_limit: str | None = None
    """Name of a Prefect global concurrency limit that all runs with the same judge key share; None: each for itself."""
    report_url: str | None = Field(default=None, pattern=r"^https?://")
    """Address under which the reports' pages are served, e.g. https://reports.example/goldassay; None: Prefect's page
    tells where they lie instead of linking them."""
    compare_to: str = "last"
    """The run the report compares with: 'last', or a run id."""
    empty_night: Literal["fail", "ok"] = "fail"
    """What a night without one new answer is: 'fail', or 'ok' for assistants that nobody asks at weekends. A log that
    cannot be read always fails."""
    late_hours: float = Field(default=48.0, ge=0.0)
    """How far behind the watermark a nightly run looks for logs that arrived late, in hours."""


class StoreConfig(BaseModel):
    """Details of the verdict store beside its address."""

    model_config = _STRICT

    endpoint_url: str | None = None
    """For an S3-compatible server; None: the provider's own."""
    region: str | None = None
    """Region of the object store; None: the provider's usual one."""
    work_dir: str = ".goldassay/work"
    """Local folder for journals and unfinished parts when the store is remote."""
    shared_staging: bool = False
    """True: unfinished parts lie in the remote store, for workers on several machines."""


class WatchConfig(BaseModel):
    """How a change of the assistant is noticed."""

    model_config = _STRICT

    version_url: str | None = None
    """Address that answers GET with the versions as JSON; None: the newest rows of the log are looked at."""
    paths: dict[str, str] = Field(
        default={name: name for name in ("app_version", "model", "prompt_version", "index_version")}
    )
    """Column path of each version in that JSON, e.g. {model = "build.model"}."""


class AlertConfig(BaseModel):
    """When somebody is told."""

    model_config = _STRICT

    stale_hours: float = Field(default=26.0, gt=0.0)
    """The freshness watchdog raises when no run has completed for this long, in hours."""
    notify: str | None = Field(default=None, pattern=r"^[a-z0-9-]+/[a-z0-9-]+$")
    """The Prefect notification block that is told, e.g. 'slack-webhook/ops'; None: nobody is."""


class Settings(BaseSettings):
    """Everything in goldassay.toml, checked."""

    model_config = SettingsConfigDict(extra="forbid", frozen=True, env_prefix=_PREFIX, env_nested_delimiter=_NESTED)

    app: str = "app"
    """Name of the assistant that is graded; a partition of the store."""
    store: str = "store"
    """A folder beside goldassay.toml, or any fsspec address (s3://bucket/path)."""
    answers: AnswersConfig = AnswersConfig()
    golden: GoldenConfig = GoldenConfig()
    rules: RulesConfig = RulesConfig()
    judge: JudgeConfig = JudgeConfig()
    sampling: SamplingConfig = SamplingConfig()
    gate: GateConfig = GateConfig()
    run: RunConfig = RunConfig()
    storage: StoreConfig = StoreConfig()
    watch: WatchConfig = WatchConfig()
    alerts: AlertConfig = AlertConfig()
    assistant: AssistantConfig | None = None
    """How to ask the assistant itself; None: only its log is read."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The file and ``--set`` come in as arguments, already merged; the environment is merged by `load_settings`."""
        del settings_cls, env_settings, dotenv_settings, file_secret_settings
        return (init_settings,)


def load_settings(
    project: Path, *, overrides: Sequence[str] = (), environ: Mapping[str, str] | None = None
) -> Settings:
    """Reads and checks the settings of the project in folder `project`.

    Args:
        project: Folder of goldassay.toml; all defaults apply where the file is missing.
        overrides: ``section.name=value`` texts, values in TOML syntax or plain text.
        environ: Where ``GOLDASSAY_...`` is read; the process environment by default.

    Raises:
        ConfigError: If the file is no TOML, or a name or value is wrong.
    """
    path = project / PROJECT_FILE
    values = _read_toml(path)
    _merge(values, _from_environment(os.environ if environ is None else environ))
    for text in overrides:
        _merge(values, _from_override(text))
    try:
        return Settings(**values)
    except ValidationError as error:
        raise ConfigError(explain_mistakes(error, Settings, path)) from None


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{str(path)!r} is not valid TOML: {error}. Mend that line and run again.") from None
    except OSError as error:
        raise ConfigError(f"{str(path)!r} cannot be read: {error.strerror}. Check its permissions.") from None


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    unknown_variables(environ, Settings, prefix=_PREFIX, nested=_NESTED)
    found: dict[str, Any] = {}
    for name, text in environ.items():
        if name.startswith(_PREFIX) and name[len(_PREFIX) :].lower().split(_NESTED)[0] in Settings.model_fields:
            keys = name[len(_PREFIX) :].lower().split(_NESTED)
            _merge(found, _nest(keys, _as_value(text)))
    return found


def _from_override(text: str) -> dict[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise ConfigError(f"--set takes name=value, got {text!r}; for instance: --set judge.model=judge-large")
    return _nest(name.strip().split("."), _as_value(value.strip()))


def _as_value(text: str) -> Any:
    """TOML where it is TOML (numbers, lists, true), plain text elsewhere."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _nest(keys: Sequence[str], value: Any) -> dict[str, Any]:
    nested: Any = value
    for key in reversed(keys):
        nested = {key: nested}
    return dict(nested)


def _merge(base: dict[str, Any], more: Mapping[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, Mapping) and isinstance(base.get(key), dict):
            _merge(base[key], value)
        else:
            base[key] = value
