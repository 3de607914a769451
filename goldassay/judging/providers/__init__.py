"""The judge APIs that goldassay speaks, one file each.

To add one: write its class (see `base.JudgeProvider`) and add one line to `PROVIDERS`;
the contract suite in tests/contract/test_judge_providers.py then runs over it.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from goldassay.errors import ConfigError
from goldassay.judging.providers.anthropic import Anthropic
from goldassay.judging.providers.base import JudgeProvider, JudgeReply, JudgeRequest
from goldassay.judging.providers.gemini import Gemini
from goldassay.judging.providers.ollama import Ollama
from goldassay.judging.providers.openai import OpenAI
from goldassay.judging.providers.openai_responses import OpenAIResponses
from goldassay.judging.providers.scripted import Scripted
from goldassay.judging.settings import JudgeConfig

__all__ = ["PROVIDERS", "JudgeProvider", "JudgeReply", "JudgeRequest", "api_key", "provider_for", "with_proxy"]

PROVIDERS: dict[str, JudgeProvider] = {
    "anthropic": Anthropic(),
    "gemini": Gemini(),
    "ollama": Ollama(),
    "openai": OpenAI(),
    "openai_responses": OpenAIResponses(),
    "scripted": Scripted(),
}
"""By name in judge.provider; `scripted` is the offline server that speaks like openai."""


def provider_for(config: JudgeConfig) -> JudgeProvider:
    """The provider an operator set.

    Raises:
        ConfigError: If there is none of that name.
    """
    provider = PROVIDERS.get(config.provider)
    if provider is not None:
        return provider
    if config.provider == "lexical":
        raise ConfigError(
            "judge.provider is 'lexical': no model is asked, so there is no request. Set judge.provider to ask one: "
            f"{', '.join(sorted(PROVIDERS))}."
        )
    near = difflib.get_close_matches(config.provider, [*PROVIDERS, "lexical"], n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise ConfigError(f"judge.provider is {config.provider!r}; {hint}Known: {', '.join(sorted(PROVIDERS))}, lexical.")


def with_proxy(config: JudgeConfig, environ: Mapping[str, str]) -> JudgeConfig:
    """The settings with the proxy's address, password and all, for the client alone: nothing keeps these.

    Raises:
        ConfigError: If the settings name a variable that is not set.
    """
    if config.proxy_env is None:
        return config
    address = environ.get(config.proxy_env, "").strip()
    if not address:
        raise ConfigError(
            f"judge.proxy_env names {config.proxy_env!r}, which is not set. Set it to the proxy's address."
        )
    return config.model_copy(update={"proxy": address})


def api_key(config: JudgeConfig, environ: Mapping[str, str]) -> str | None:
    """The key from the variable that the settings name; at the provider's own address also from its usual one.

    A key that lies in the environment for one provider is never sent to another address
    without being named: base_url with no api_key_env sends no key.

    Raises:
        ConfigError: If the settings name a variable that is not set, or what it holds cannot be a key.
    """
    usual = provider_for(config).default_key_env if config.base_url is None else None
    key = environ.get(config.api_key_env or usual or "", "").strip()
    if not key and config.api_key_env and config.provider != "scripted":
        raise ConfigError(
            f"judge.api_key_env names {config.api_key_env!r}, which is not set. Set that variable to the judge's key."
        )
    _check_key(key, config.api_key_env or usual or "")
    return key or None


def _check_key(key: str, name: str) -> None:
    """Refuse what no header can carry, before it breaks a request with the key in the traceback; never shown."""
    wrong = next((place for place, sign in enumerate(key, start=1) if not "!" <= sign <= "~"), None)
    if wrong is not None:
        raise ConfigError(
            f"the key in {name} has a blank, a line break or a sign beyond ASCII at place {wrong}. "
            "Copy the key alone, without 'Bearer' and without quotes."
        )
    if len(key) > 1 and key[0] == key[-1] and key[0] in "\"'":
        raise ConfigError(f"the key in {name} stands in quotes, which Docker's env files keep. Take them away.")
