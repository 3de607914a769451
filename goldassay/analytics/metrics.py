"""The figures of a comparison by name, for the conditions a user sets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from goldassay.analytics.models import Change, Counts, RateSummary
from goldassay.analytics.models_reports import CheckComparison

__all__ = ["metrics_of"]


def metrics_of(
    checks: Sequence[CheckComparison],
    categories: Iterable[tuple[str, str, str, int]] = (),
    *,
    answers: Change | None = None,
) -> dict[str, float]:
    """Name the figures a gate condition may use.

    Args:
        checks: Checks of the comparison.
        categories: (check, category, outcome, count) in the head.
        answers: The change of whole answers.

    Returns:
        'faithful' (rate of the head as shown, weighted where that matters), 'faithful.broken', '.fixed', '.drop',
        '.errors', 'wrong_number', 'numbers.wrong_number', 'answers.broken', 'answers.fixed', 'answers.drop' (whole
        answers), and over all checks 'broken', 'fixed', 'failed', 'errors', 'error_share'.
    """
    metrics: dict[str, float] = {}
    for check in checks:
        change, name = check.overall, check.overall.check
        metrics |= {f"{name}.broken": change.broken, f"{name}.fixed": change.fixed}
        metrics[f"{name}.drop"] = -(change.difference or 0.0)
        metrics[name] = _shown_rate(check.head_rate)
        metrics[f"{name}.errors"] = check.head_rate.counts.errors if check.head_rate is not None else 0
    if answers is not None:
        metrics |= {"answers.broken": answers.broken, "answers.fixed": answers.fixed}
        metrics["answers.drop"] = -(answers.difference or 0.0)
    counts = [check.head_rate.counts for check in checks if check.head_rate is not None]
    total = Counts(*(sum(column) for column in zip(*counts, strict=True))) if counts else Counts()
    metrics |= {"broken": sum(c.overall.broken for c in checks), "fixed": sum(c.overall.fixed for c in checks)}
    metrics |= {"failed": total.failed, "errors": total.errors, "error_share": total.errors / max(total.graded, 1)}
    for check_name, category, _, times in categories:
        metrics[category] = metrics.get(category, 0) + times
        metrics[f"{check_name}.{category}"] = metrics.get(f"{check_name}.{category}", 0) + times
    return metrics


def _shown_rate(rate: RateSummary | None) -> float:
    """The rate as reports show it; not a number where nothing was graded: then no condition on it can be answered."""
    value = None if rate is None else rate.shown
    return math.nan if value is None else value
