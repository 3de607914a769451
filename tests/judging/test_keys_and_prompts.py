"""What is noticed around a call: a key no header can carry, a proxy or certificate in the way, a cut prompt."""

from __future__ import annotations

import httpx
import pytest

from goldassay.errors import ConfigError
from goldassay.judging.cut_prompts import CutPrompts
from goldassay.judging.providers import api_key
from goldassay.judging.providers.base import JudgeReply, JudgeRequest
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.stops import terminal_error
from goldassay.judging.trouble import from_exception

CONFIG = JudgeConfig(base_url="http://127.0.0.1:9/v1", api_key_env="JUDGE_KEY")
RECORD = "words and more words. " * 1000


def _request(record: str = RECORD, suffix: str = "q") -> JudgeRequest:
    return JudgeRequest("s", record, suffix, {}, 64)


def _counts(tokens: int | None) -> JudgeReply:
    return JudgeReply("{}", tokens_in=tokens)


@pytest.mark.parametrize(
    "key",
    [
        "sk-caf\u00e9-SECRET",
        "sk-\u2026SECRET",
        "sk-a\nb-SECRET",
        "\u201csk-SECRET\u201d",
        "Bearer sk-SECRET",
        '"sk-SECRET"',
        "'sk-SECRET'",
    ],
)
def test_a_key_that_no_header_can_carry_is_refused_and_not_shown(key: str) -> None:
    """Sent, it would break the request with the key in the traceback, or be refused for a reason nobody sees."""
    with pytest.raises(ConfigError, match="JUDGE_KEY") as caught:
        api_key(CONFIG, {"JUDGE_KEY": key})

    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize("key", ["sk-proj-Ab_9+/=.~!", " sk-with-blanks-around\n", '"'])
def test_an_ordinary_key_is_taken(key: str) -> None:
    """A line break at its end comes from files and is no part of it."""
    assert api_key(CONFIG, {"JUDGE_KEY": key}) == key.strip()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (httpx.ProxyError("407 Proxy Authentication Required"), "judge.proxy_env"),
        (httpx.ProxyError("407, message='Proxy Authentication Required', url='http://proxy:3128'"), "judge.proxy_env"),
        (httpx.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED] self-signed certificate in chain"), "judge.ca_file"),
    ],
)
def test_what_stands_in_the_way_stops_the_run_with_its_remedy(error: httpx.TransportError, words: str) -> None:
    """Neither a proxy's password nor a certificate gets better by trying again."""
    trouble = from_exception(error)

    assert (trouble.retry, trouble.stops_run) == (False, True)
    assert words in str(terminal_error(trouble, CONFIG))


def test_a_proxy_that_is_gone_may_come_back() -> None:
    """Any other fault of a proxy is tried again."""
    trouble = from_exception(httpx.ProxyError("502 Bad Gateway"))

    assert (trouble.retry, trouble.stops_run) == (True, False)


@pytest.mark.parametrize(
    ("record", "tokens", "is_cut"),
    [
        pytest.param(RECORD, 2050, True, id="cut"),
        pytest.param(RECORD, 5000, False, id="whole"),
        pytest.param(RECORD, None, False, id="not-told"),
        pytest.param(RECORD, 0, False, id="cached-0"),
        pytest.param("Contents " + "." * 20_000 + " 7\n", 400, False, id="dots"),
        pytest.param(("a" + " " * 60) * 400, 900, False, id="blanks"),
        pytest.param(("-" * 80 + "\n| a | b |\n") * 200, 2600, False, id="rules"),
        pytest.param("short", 1, False, id="short"),
    ],
)
def test_a_prompt_is_called_cut_by_what_the_judge_counted(record: str, tokens: int | None, *, is_cut: bool) -> None:
    """Less than half of its tokens, and not for signs that make few."""
    trouble = CutPrompts().trouble_of(_request(record), _counts(tokens))

    assert (trouble is not None) is is_cut


def test_a_record_that_was_counted_in_full_is_not_cut_for_the_next_criterion() -> None:
    """Some servers count only what their cache did not hold; another record is still told."""
    cut_prompts = CutPrompts()

    first = cut_prompts.trouble_of(_request(suffix="faithful?"), _counts(5000))
    second = cut_prompts.trouble_of(_request(suffix="relevant?"), _counts(80))
    other = cut_prompts.trouble_of(_request(RECORD + "Another."), _counts(80))

    assert (first, second) == (None, None)
    assert other is not None


def test_what_is_remembered_of_records_is_bounded() -> None:
    """A log of millions takes no more memory than one of thousands."""
    cut_prompts = CutPrompts()

    for number in range(10_050):
        cut_prompts.trouble_of(_request(f"{number} {RECORD[:5000]}"), _counts(5000))

    assert len(cut_prompts._whole) == 50
