"""Model families: a judge of the assistant's own family is told, an unknown name is never called kin."""

from __future__ import annotations

import pytest

from goldassay.judging.families import family_of, same_family


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("gpt-4o-mini", "gpt"),
        ("azure/gpt-4.1", "gpt"),
        ("o3-mini", "gpt"),
        ("o1", "gpt"),
        ("openai/gpt-oss-120b", "gpt"),
        ("chatgpt-4o-latest", "gpt"),
        ("text-davinci-003", "gpt"),
        ("claude-3-5-haiku-20241022", "claude"),
        ("anthropic.claude-v2:1", "claude"),
        ("us.anthropic.claude-sonnet-4", "claude"),
        ("gemini-2.5-flash", "gemini"),
        ("models/gemma-3-27b-it", "gemini"),
        ("meta-llama/Llama-3.1-70B-Instruct", "llama"),
        ("llama3.2:3b", "llama"),
        ("codellama-7b", "llama"),
        ("Qwen/Qwen2.5-72B-Instruct", "qwen"),
        ("qwq-32b", "qwen"),
        ("mistral-large-latest", "mistral"),
        ("mixtral-8x7b", "mistral"),
        ("deepseek-r1-distill-llama-70b", "deepseek"),
        ("deepseek-chat", "deepseek"),
        ("command-r-plus", "command"),
        ("grok-4", "grok"),
        ("phi-4", "phi"),
        ("phi3:mini", "phi"),
        ("glm-4.5", "glm"),
        ("yi-34b", "yi"),
        ("judge-large", None),
        ("my-pro1-model", None),
        ("yield-model", None),
        ("", None),
        (None, None),
    ],
)
def test_the_family_is_read_from_the_name(model, family):
    """Vendor prefixes, deployment paths, sizes and dates do not matter."""
    assert family_of(model) == family


@pytest.mark.parametrize(
    ("judge", "assistant", "kin"),
    [
        ("gpt-4o", "o3-mini", True),
        ("gemini-2.5-pro", "gemma3:27b", True),
        ("claude-opus-4", "gpt-4o", False),
        ("judge-large", "judge-large", True),
        ("judge-large", "answer-large", False),
        ("gpt-4o", None, False),
        ("", "gpt-4o", False),
    ],
)
def test_kin_is_told(judge, assistant, kin):
    """Equal names are kin even when nobody knows their family."""
    assert same_family(judge, assistant) is kin
