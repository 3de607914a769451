"""Two versions of an assistant in a store, for comparing them."""

from __future__ import annotations

from typing import Any

BOTH = ("numbers", "faithful")


def two_versions(
    verdict, publish_run, store, outcomes: dict[str, tuple[str, str]], check: str = "faithful", **head: Any
):
    """Run n1 (v1) and n2 (v2) over questions with these outcomes."""
    base = [verdict("n1", f"a-{q}", check, b, question_id=q) for q, (b, _) in outcomes.items()]
    later = [
        verdict("n2", f"b-{q}", check, h, question_id=q, app_version="v2", **head) for q, (_, h) in outcomes.items()
    ]
    publish_run(store, "n1", base)
    publish_run(store, "n2", later)
