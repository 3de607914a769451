"""The fields of a record and of its golden question, and the plain names of their columns."""

from __future__ import annotations

from typing import Final

__all__ = ["PLAIN", "PLAIN_NAMES"]

PLAIN: Final[dict[str, tuple[str, ...]]] = {
    "record_id": ("record_id", "id"),
    "question": ("question",),
    "answer": ("answer",),
    "sources": ("sources",),
    "asked_at": ("asked_at",),
    "app": ("app",),
    "app_version": ("app_version", "version"),
    "model": ("model",),
    "prompt_version": ("prompt_version",),
    "index_version": ("index_version",),
    "lang": ("lang",),
    "tags": ("tags",),
    "turns": ("turns",),
    "question_id": ("question_id",),
    "answerable": ("answerable",),
    "key_facts": ("key_facts",),
    "reference": ("reference",),
    "expected_sources": ("expected_sources",),
    "stratum": ("stratum",),
}
"""Columns a field is looked up in, the first one present wins."""

PLAIN_NAMES: Final = frozenset(name for names in PLAIN.values() for name in names)
"""All of them."""
