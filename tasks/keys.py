"""Keys from Prefect Secret blocks, for those who keep them there instead of in the worker's environment."""

from __future__ import annotations

import os
from collections import ChainMap
from collections.abc import Mapping
from typing import Any

from prefect.blocks.system import Secret

from config.settings import Settings
from goldassay.errors import ConfigError

__all__ = ["environment_of"]


async def environment_of(settings: Settings) -> Mapping[str, str]:
    """The process environment, with the variables that `run.secrets` names taken from their Secret blocks.

    A variable that is set in the environment wins: a worker can be given a key of its own. Values live in this
    mapping alone; they are written nowhere.

    Raises:
        ConfigError: If a block cannot be loaded; the message names the block, never a value.
    """
    found: dict[str, str] = {}
    for variable, block in settings.run.secrets.items():
        if variable not in os.environ:
            found[variable] = await _load(variable, block)
    return ChainMap(dict(os.environ), found)


async def _load(variable: str, block: str) -> str:
    try:
        secret: Any = await Secret.aload(block)
    except Exception as error:  # noqa: BLE001 - whatever a block's loader raises, the operator hears one sentence
        raise ConfigError(
            f"run.secrets names the Prefect Secret block {block!r} for {variable}, which cannot be loaded: "
            f"{type(error).__name__}. Make it on the server's page (Blocks, Secret), or export {variable}."
        ) from None
    return str(secret.get())
