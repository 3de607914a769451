"""Every statistic of the project under one name; each formula names its source in its own docstring.

`statistics_rates` (intervals, bounds, weights), `statistics_paired` (two versions on the same
questions) and `statistics_agreement` (judge against people, itself and the order of answers).
"""

from __future__ import annotations

from goldassay.analytics.statistics_agreement import (
    Agreement,
    CorrectedRate,
    PairwiseResult,
    Repeats,
    agreement,
    cohen_kappa,
    pairwise_result,
    repeat_stability,
    rogan_gladen,
)
from goldassay.analytics.statistics_paired import (
    Claim,
    adjusted_mcnemar,
    benjamini_hochberg,
    claim_of,
    mcnemar_exact,
    more_questions,
    newcombe_difference,
    newcombe_paired_difference,
    paired_bootstrap,
    questions_needed,
)
from goldassay.analytics.statistics_rates import (
    Cell,
    Counts,
    Interval,
    WeightedRate,
    composite_score,
    mean_bounds,
    rate_bounds,
    share_difference_p,
    trials_for_gate,
    weighted_rate,
    wilson_interval,
)

__all__ = [
    "Agreement",
    "Cell",
    "Claim",
    "CorrectedRate",
    "Counts",
    "Interval",
    "PairwiseResult",
    "Repeats",
    "WeightedRate",
    "adjusted_mcnemar",
    "agreement",
    "benjamini_hochberg",
    "claim_of",
    "cohen_kappa",
    "composite_score",
    "mcnemar_exact",
    "mean_bounds",
    "more_questions",
    "newcombe_difference",
    "newcombe_paired_difference",
    "paired_bootstrap",
    "pairwise_result",
    "questions_needed",
    "rate_bounds",
    "repeat_stability",
    "rogan_gladen",
    "share_difference_p",
    "trials_for_gate",
    "weighted_rate",
    "wilson_interval",
]
