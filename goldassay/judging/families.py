"""Tells whether judge and assistant are models of one family: a judge tends to favour its own kin."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["family_of", "same_family"]

_FAMILIES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("claude", ("claude", "anthropic")),
    ("gemini", ("gemini", "gemma", "palm", "bison", "learnlm", "medgemma")),
    ("deepseek", ("deepseek",)),
    ("qwen", ("qwen", "qwq", "qvq", "tongyi")),
    ("mistral", ("mistral", "mixtral", "ministral", "codestral", "magistral", "devstral", "pixtral", "voxtral")),
    ("command", ("command", "cohere", "aya", "c4ai")),
    ("grok", ("grok", "xai")),
    ("phi", ("phi", "orca")),
    ("nova", ("nova", "titan")),
    ("glm", ("glm", "chatglm", "zhipu")),
    ("kimi", ("kimi", "moonshot")),
    ("yi", ("yi",)),
    ("granite", ("granite",)),
    ("falcon", ("falcon",)),
    ("jamba", ("jamba", "jurassic", "j2")),
    ("llama", ("llama", "vicuna", "alpaca", "codellama", "tinyllama", "nemotron")),
    ("gpt", ("gpt", "chatgpt", "davinci", "openai", "o1", "o3", "o4", "codex")),
)
"""Family, and the words of a model's name that tell it. Order matters: a distilled 'deepseek-r1-distill-llama' speaks
like the model it was distilled from."""


@lru_cache(maxsize=256)
def family_of(model: str | None) -> str | None:
    """The family of a model's name, e.g. 'gpt' for 'azure/gpt-4o-mini'; None for a name it does not know."""
    name = (model or "").casefold()
    pieces = re.split(r"[^a-z0-9]+", name)
    for family, words in _FAMILIES:
        if any(_tells(piece, word) for piece in pieces for word in words):
            return family
    return None


def _tells(piece: str, word: str) -> bool:
    """'llama3' and 'llama' tell 'llama'; 'o1' must stand alone, or 'pro1' would be a GPT."""
    if len(word) <= 3:
        return piece == word or (word.isalpha() and bool(re.fullmatch(word + r"[0-9]+", piece)))
    return piece.startswith(word)


def same_family(judge_model: str | None, assistant_model: str | None) -> bool:
    """Whether both names are known and of one family; unknown names are never called kin, equal ones always."""
    if not judge_model or not assistant_model:
        return False
    if judge_model.casefold() == assistant_model.casefold():
        return True
    family = family_of(judge_model)
    return family is not None and family == family_of(assistant_model)
