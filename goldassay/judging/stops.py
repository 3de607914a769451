"""The one message of a run that no call can save: what happened, and what to do."""

from __future__ import annotations

from goldassay.errors import JudgeTerminalError
from goldassay.judging.settings import JudgeConfig
from goldassay.judging.trouble import Trouble

__all__ = ["terminal_error"]

_RESUME = "What was judged so far is kept; resume the run afterwards."


def terminal_error(trouble: Trouble, config: JudgeConfig) -> JudgeTerminalError:
    """The exception that ends the run."""
    where = f"{config.provider} at {config.base_url!r}" if config.base_url else config.provider
    said = f" ({trouble.status}: {trouble.detail!r})" if trouble.status else f" ({trouble.detail!r})"
    key = config.api_key_env or "the provider's usual variable"
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
    return JudgeTerminalError(f"{happened}{said}. {remedy} {_RESUME}", category=trouble.category.value)
