"""Checks where a judge is said to be before anything is sent: its address, the proxy before it, who vouches for it.

What is wrong here a person can mend, so each is one message about the setting. A proxy's address may hold a
password: it is never repeated.
"""

from __future__ import annotations

import ssl

import httpx

from goldassay.errors import ConfigError
from goldassay.judging.settings import JudgeConfig

__all__ = ["judge_url", "proxy_of", "ssl_context"]

_SCHEMES = ("http", "https")
_HIGHEST_PORT = 65535


def judge_url(address: str, config: JudgeConfig) -> httpx.URL:
    """The address of every request.

    Args:
        address: As the provider made it of judge.base_url.
        config: Names the setting's value in the message.

    Raises:
        ConfigError: If nobody can be reached there.
    """
    if (url := _address(address)) is None:
        raise ConfigError(
            f"judge.base_url is {config.base_url!r}, which is no address. "
            "Write it as http://host:port/path or https://host/path."
        )
    return url


def proxy_of(config: JudgeConfig) -> httpx.Proxy | None:
    """The proxy, with its user name and password taken apart; None without one.

    Raises:
        ConfigError: If it is no address of an HTTP proxy.
    """
    if not config.proxy:
        return None
    if _address(config.proxy) is None:
        where = f"the variable {config.proxy_env} (judge.proxy_env)" if config.proxy_env else "judge.proxy"
        raise ConfigError(
            f"what {where} holds is no address of an HTTP proxy. Write it as http://host:port, with the user's name "
            "and password before the host where it needs them; other kinds of proxy (socks) are not spoken."
        )
    return httpx.Proxy(config.proxy)


def _address(text: str) -> httpx.URL | None:
    """An HTTP address with a host that can be looked up; None for anything else."""
    try:
        url = httpx.URL(text)
        url.host.encode("idna")  # as the resolver will
    except (httpx.InvalidURL, UnicodeError, ValueError):
        return None
    is_whole = url.scheme in _SCHEMES and url.host != "" and not any(map(str.isspace, text))
    return url if is_whole and (url.port or 0) <= _HIGHEST_PORT else None


def ssl_context(config: JudgeConfig) -> ssl.SSLContext:
    """The certificates that are trusted: those of a file that was named, else the usual ones.

    Raises:
        ConfigError: If the file cannot be read, or holds no certificate.
    """
    if not config.ca_file:
        return httpx.create_ssl_context(trust_env=False)
    try:
        return ssl.create_default_context(cafile=config.ca_file)
    except ssl.SSLError as error:
        raise ConfigError(
            f"judge.ca_file {config.ca_file!r} holds no certificate that can be read ({error.reason}). "
            "Name a PEM file of certificate authorities."
        ) from error
    except OSError as error:
        raise ConfigError(f"judge.ca_file {config.ca_file!r} cannot be read: {error.strerror}. Check it.") from error
