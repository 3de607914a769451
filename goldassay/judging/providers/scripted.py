"""The offline server that comes with goldassay, which speaks OpenAI's chat completions.

Its own address is on this machine: a project whose judge is `scripted` sends nothing away, whatever it forgot to set.
"""

from __future__ import annotations

from goldassay.judging.providers.openai import OpenAI

__all__ = ["Scripted"]


class Scripted(OpenAI):
    """Chat completions of `goldassay.judging.scripted`."""

    default_base_url = "http://127.0.0.1:0/v1"
    """Port 0 is any free one: without judge.base_url the server is started for the run (`own_server`)."""
    default_key_env = "SCRIPTED_JUDGE_KEY"
    """It asks for none; a name of its own, so that nobody else's key is sent to it."""
