"""The one message of a run that no call can save: what happened, and what to do."""

from __future__ import annotations

from goldassay.errors import JudgeTerminalError, JudgeTransientError
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.trouble import Trouble

__all__ = ["RunStoppedError", "UnreachableError", "terminal_error", "unreachable_error"]

_BAD_REQUEST = "Check the judge's settings against what its model takes, e.g. judge.max_tokens"
_NOT_THERE = "Start it, or check judge.base_url"
_PROXY = "The proxy before it cannot be reached: check judge.proxy, or the variable that judge.proxy_env names"
_RESUME = "What was judged so far is kept: run the same command again, and it goes on from there."


class RunStoppedError(JudgeTerminalError):
    """No call of the run can succeed; what was judged before is in the journal."""

    def __init__(self, message: str, *, category: str = "provider_error", kind: str = "http_error") -> None:
        super().__init__(message, category=category)
        self.kind = kind
        """'auth', 'quota_exhausted', 'model_not_found', ...: see `goldassay.judging.trouble.ErrorKind`."""


class UnreachableError(JudgeTransientError):
    """The judge answered no call; the same command asks again."""

    def __init__(self, message: str, *, category: str, kind: str) -> None:
        super().__init__(message, category=category)
        self.kind = kind
        """What the last call met: see `goldassay.judging.trouble.ErrorKind`."""


def unreachable_error(trouble: Trouble, config: JudgeConfig, calls: int) -> UnreachableError:
    """The exception when a judge has answered none of many calls."""
    where = config.base_url or config.provider
    remedy = _BAD_REQUEST if trouble.kind == "bad_request" else _NOT_THERE
    remedy = _PROXY if trouble.detail.startswith("ProxyError") else remedy
    message = f"the judge at {where!r} answered none of {calls} calls in a row: {trouble.detail!r}. {remedy}. {_RESUME}"
    return UnreachableError(message, category=trouble.category.value, kind=trouble.kind)


def terminal_error(trouble: Trouble, config: JudgeConfig) -> RunStoppedError:
    """The exception that ends the run."""
    where = f"{config.provider} at {config.base_url!r}" if config.base_url else config.provider
    said = f" ({trouble.status}: {trouble.detail!r})" if trouble.status else f" ({trouble.detail!r})"
    key = config.api_key_env or (
        "the provider's usual variable"
        if config.base_url is None
        else "the variable that judge.api_key_env should name"
    )
    happened, remedy = {
        "auth": (f"{where} refused the key", f"Check the key in {key} and what it may be used for."),
        "quota_exhausted": (
            f"the quota or credit at {where} is used up",
            "Wait until it opens again, or pay the bill.",
        ),
        "model_not_found": (
            f"{where} has no model {config.model!r}",
            "Set judge.model to a model that is there (Azure: the deployment's name).",
        ),
    }.get(
        trouble.kind,
        (f"{where} does not answer like a judge", "Check judge.provider and judge.base_url."),
    )
    happened, remedy = _on_the_way(trouble) or (happened, remedy)
    message = f"{happened}{said}. {remedy} {_RESUME}"
    return RunStoppedError(message, category=trouble.category.value, kind=trouble.kind)


def _on_the_way(trouble: Trouble) -> tuple[str, str] | None:
    """What to say when it was not the judge that refused, but a proxy or the check of a certificate."""
    if trouble.status == 407:
        return "the proxy refused its password", "Check the address in the variable that judge.proxy_env names."
    if "CERTIFICATE_VERIFY_FAILED" in trouble.detail:
        return "the certificate of the judge's server is not trusted", "Name your authority's file in judge.ca_file."
    return None
