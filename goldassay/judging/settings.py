"""What an operator sets for the judge: where it is, how fast, how patient, how expensive.

Pure data, checked on construction; unknown names are refused. Keys never stand
here: `api_key_env` names the variable, and the caller hands the environment in.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from goldassay.judging.settings_secrets import SecretMistakeError, plain_address, secret_in, variable_name

__all__ = ["JudgeConfig", "Price"]

_STRICT = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Price(BaseModel):
    """What a judge model costs, in US dollars per million tokens."""

    model_config = _STRICT

    input: float = Field(ge=0)
    cached: float | None = Field(default=None, ge=0)
    """Input tokens read from the provider's cache; None: priced like other input."""
    output: float = Field(ge=0)


class JudgeConfig(BaseModel):
    """Settings of the judge (`[judge]` in goldassay.toml)."""

    model_config = _STRICT

    provider: str = "openai"
    """openai | openai_responses | anthropic | gemini | ollama | scripted | lexical (no model)."""
    base_url: str | None = None
    """Root of the API, e.g. 'http://127.0.0.1:8000/v1'; None: the provider's own address. The scripted judge without
    one is started on this machine for as long as a run asks it."""
    model: str = "judge"
    """The judge model, as the provider names it."""
    api_key_env: str | None = None
    """Name of the variable that holds the key. None: the provider's usual one at its own address; with a
    base_url no key is sent, so that a key never goes to an address it was not meant for."""
    api_version: str | None = None
    """Set for Azure: requests go to deployment paths with this api-version."""
    proxy: str | None = Field(default=None, repr=False)
    """Address of an HTTP proxy without a password; proxies named in the environment are not read."""
    proxy_env: str | None = None
    """Name of the variable that holds the proxy's address, for one with a password."""
    ca_file: str | None = None
    """File with the certificate authorities to trust; None: the usual ones."""
    rubric: str = "rag"
    """Name of the rubric: a shipped one, or a file in config/rubrics."""
    rubric_version: str | None = None
    """None: the newest."""

    temperature: float | None = Field(default=0.0, ge=0)
    """None: not sent. A model that refuses it judges at its own default, which the rows then say."""
    max_tokens: int = Field(default=1024, ge=16)
    """Most tokens a reply may have."""
    seed: int | None = None
    """Sent where the provider takes one; None: not sent."""
    structured: Literal["auto", "json_schema", "json_object", "none"] = "auto"
    """How the reply's shape is asked for; auto begins with the provider's strictest way."""
    num_ctx: int | None = Field(default=None, ge=256)
    """Context window asked of Ollama's own API, in tokens; without effect elsewhere."""
    extra_body: dict[str, Any] = Field(default_factory=dict)
    """Further fields of the request body, as the provider names them (e.g. reasoning_effort)."""

    requests_per_minute: float | None = Field(default=None, gt=0)
    """None: learnt from the server's headers and refusals."""
    tokens_per_minute: float | None = Field(default=None, gt=0)
    """Prompt and reply together; None: learnt from the headers."""
    max_in_flight: int = Field(default=50, ge=1, le=2000)
    """Most calls under way at once."""
    burst: float | None = Field(default=None, ge=1)
    """Requests that may go out at once; None: a tenth of a second's worth, at least 1."""
    rate_share: float = Field(default=1.0, gt=0, le=1)
    """Part of the limits this process may use, when several share one key."""

    timeout_s: float = Field(default=120.0, gt=0)
    """For one request, from sending it to the last byte of its reply."""
    total_timeout_s: float = Field(default=600.0, gt=0)
    """For one call with all its attempts and waits."""
    max_attempts: int = Field(default=5, ge=1)
    """Requests for one call, the first included; those that only taught what the model takes are not counted."""
    base_delay_s: float = Field(default=1.0, ge=0)
    """First own wait before another try, in seconds; it doubles with each."""
    max_delay_s: float = Field(default=60.0, ge=0)
    """Longest own wait; a longer one asked by the server is kept."""
    give_up_after: int = Field(default=25, ge=1)
    """So many calls failing in a row stop the run: the judge is not there (any more)."""
    reask: int = Field(default=1, ge=0)
    """How often an unreadable reply is asked again, with a word on what was wrong."""
    repeats: int = Field(default=1, ge=1)
    """How often each call is made; the majority decides and a tie is an error."""
    http2: bool = False
    """Speak HTTP/2 with the judge."""

    prices: dict[str, Price] = Field(default_factory=dict)
    """By model name."""
    max_cost_usd: float | None = Field(default=None, ge=0)
    """Most dollars a run may spend; the rest ends as over_budget. None: no limit."""
    max_calls: int | None = Field(default=None, ge=0)
    """Most calls in all; re-asks and repeats count, retries of refused requests do not."""
    max_minutes: float | None = Field(default=None, ge=0)
    """Longest time of a run's judging; the rest ends as over_budget. None: no limit."""

    reuse: bool = True
    """Take a stored verdict when the exact same request was paid for before."""
    reuse_max_age_days: float | None = Field(default=90.0, ge=0)
    """Older stored verdicts are asked anew; None: no limit."""

    @field_validator("base_url", "proxy")
    @classmethod
    def _no_password(cls, address: str | None) -> str | None:
        """Settings are kept with every run, shown by Prefect and printed by doctor: no secret may stand in them."""
        return plain_address(address)

    @field_validator("api_key_env", "proxy_env")
    @classmethod
    def _names_a_variable(cls, name: str | None) -> str | None:
        return variable_name(name)

    @field_validator("extra_body")
    @classmethod
    def _no_secret(cls, fields: dict[str, Any]) -> dict[str, Any]:
        if found := secret_in(fields):
            raise SecretMistakeError(
                f"extra_body.{found} looks like a secret, which would be kept with every run. "
                "Export it and name the variable: judge.api_key_env"
            )
        return fields

    def shared_by(self, processes: int, *, leased: bool) -> JudgeConfig:
        """The settings of one of several processes that judge at once, so that all keep within the limits together.

        Args:
            processes: How many.
            leased: They lease their permits from one place, so that only the calls under way are shared out.
        """
        shares: dict[str, float | int] = {"max_in_flight": max(1, self.max_in_flight // processes)}
        if not leased:
            shares["rate_share"] = self.rate_share / processes
        return self.model_copy(update=shares)

    @property
    def is_limited(self) -> bool:
        """Whether a budget may end the judging before all was judged."""
        return self.max_cost_usd is not None or self.max_calls is not None or self.max_minutes is not None

    @property
    def price(self) -> Price | None:
        """Price of the model; None when none is configured: unknown is not free."""
        return self.prices.get(self.model)
