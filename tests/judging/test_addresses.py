"""Where the judge is said to be: a wrong address, proxy or certificate file is one message, and repeats no password."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from pydantic import ValidationError

from goldassay.errors import ConfigError
from goldassay.judging.addresses import judge_url, proxy_of, ssl_context
from goldassay.judging.client import JudgeClient
from goldassay.judging.engine import judge_shard
from goldassay.judging.providers import PROVIDERS
from goldassay.judging.providers.base import JudgeRequest
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.stops import terminal_error, unreachable_error
from goldassay.judging.trouble import Trouble, from_response
from tests.judging.judge_wire import STAMP, Wire, items, one_criterion


@pytest.mark.parametrize(
    "address",
    [
        "localhost:8000/v1",
        "ftp://judge.example/v1",
        "http://",
        "http:///v1",
        "/v1",
        "http://judge.example:99999/v1",
        "http://judge .example/v1",
        "http://..example/v1",
        "http://127.0.0.1:9/v1\n",
        "http://" + "a" * 300 + "/v1",
    ],
)
def test_an_address_where_nobody_can_be_is_a_mistake_in_the_settings(address: str) -> None:
    """Told before anything is sent, with the value and the form it should have."""
    with pytest.raises(ConfigError, match=r"judge\.base_url is .*Write it as"):
        judge_url(address, JudgeConfig(base_url=address))


@pytest.mark.parametrize(
    "address",
    ["http://127.0.0.1:8000/v1", "https://judge.example", "http://[::1]:8000/v1", "HTTP://f\u00fcr.example/x"],
)
def test_an_ordinary_address_is_taken(address: str) -> None:
    """Also IPv6, capital letters and a name beyond ASCII."""
    assert judge_url(address, JudgeConfig(base_url=address)).host


def test_an_empty_address_does_not_mean_the_providers_own() -> None:
    """A variable that was never set must not send the whole log to somebody else's server."""
    with pytest.raises(ValidationError, match="the address is empty"):
        JudgeConfig(base_url=" ")


@pytest.mark.parametrize(
    "address",
    ["proxy.example:3128", "socks5://u:s3cret@proxy.example:1080", "u:s3cret@proxy.example:3128", "http://[::1"],
)
@pytest.mark.parametrize("http2", [False, True])
def test_what_is_no_proxy_is_told_without_its_password(tmp_path: Path, address: str, *, http2: bool) -> None:
    """A proxy that is not spoken would be asked in the wrong tongue, or the judge without it."""
    config = JudgeConfig(base_url="http://127.0.0.1:9/v1", proxy_env="MY_PROXY", http2=http2)

    with pytest.raises(ConfigError, match="MY_PROXY") as caught:
        judge_shard(
            items(1),
            rubric=one_criterion(),
            config=config,
            journal=tmp_path / "j",
            environ={"MY_PROXY": address},
            stamp=STAMP,
        )

    assert "s3cret" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_proxy_keeps_its_password_apart_from_its_address() -> None:
    """The address may be shown, the password goes into a header alone."""
    proxy = proxy_of(JudgeConfig.model_construct(proxy="http://u:s3cret@proxy.example:3128", proxy_env=None))

    assert proxy is not None
    assert (str(proxy.url), proxy.auth) == ("http://proxy.example:3128", ("u", "s3cret"))


def test_a_proxy_that_is_not_there_is_named_as_the_trouble() -> None:
    """Nobody looks for the fault at the judge's address."""
    trouble = Trouble("http_error", retry=True, detail="ProxyError: Cannot connect to host proxy.example:3128")

    assert "judge.proxy" in str(unreachable_error(trouble, JudgeConfig(), 3))


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_a_file_of_authorities_that_is_none_is_a_mistake_in_the_settings(tmp_path: Path, content: str | None) -> None:
    """Missing, or something else."""
    file = tmp_path / "ca.pem"
    if content is not None:
        file.write_text(content)

    with pytest.raises(ConfigError, match=r"judge\.ca_file"):
        ssl_context(JudgeConfig(ca_file=str(file)))


def test_a_redirect_tells_where_to_and_no_secret_behind_it() -> None:
    """The usual mistake is http for https, which the message then shows."""
    trouble = from_response(301, {"location": "https://judge.example/v1?sig=s3cret"}, None, "", now=0.0)

    assert trouble is not None
    message = str(terminal_error(trouble, JudgeConfig(base_url="http://judge.example/v1")))
    assert "it sends us on to https://judge.example/v1'" in message
    assert "s3cret" not in message


def test_a_key_that_a_server_echoes_is_in_no_part_of_what_comes_back() -> None:
    """Not even in what is looked at for refused parameters."""
    key = "sk-S3cret-Value-0123456789"
    config = JudgeConfig(base_url="http://127.0.0.1:9/v1")
    error = {"status": 400, "body": {"error": {"message": f"no such thing, and the key was {key}"}}}

    async def call() -> str:
        client = JudgeClient(PROVIDERS["openai"], config, key=key, transport=Wire(lambda _: error))
        async with client:
            return repr(await client.call(JudgeRequest("s", "p", "c", {}, 100)))

    assert "s3cret" not in asyncio.run(call()).lower()
