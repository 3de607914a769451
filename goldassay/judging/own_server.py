"""The scripted judge, started on this machine for as long as a run asks it.

So a project with `provider = "scripted"` and no address, the demo's for one, can be played with like any other.
Called by the engine; knows nothing of what is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from goldassay.judging.scripted import ScriptedJudge
from goldassay.judging.settings import JudgeConfig

__all__ = ["NO_MODEL", "starts_itself", "within_reach"]

NO_MODEL = "No model was asked: the scripted judge on this machine graded by shared words and numbers, as in the demo."
"""What a report must say of such verdicts."""


def starts_itself(config: JudgeConfig) -> bool:
    """Whether the judge is a server of our own that nobody else has started."""
    return config.provider == "scripted" and config.base_url is None


@contextmanager
def within_reach(config: JudgeConfig) -> Iterator[JudgeConfig]:
    """The settings with an address that answers; a server of our own runs until the end of the block.

    Args:
        config: As set. They stay what a journal and a request hash are made of: a port shapes no verdict.
    """
    if not starts_itself(config):
        yield config
        return
    with ScriptedJudge(model=config.model) as judge:
        yield config.model_copy(update={"base_url": judge.base_url})
