"""Every statistic of the project under one name; each formula names its source in its own docstring.

`statistics_rates` (intervals, bounds, weights), `statistics_paired`, `statistics_paired_weighted` and
`statistics_bootstrap` (two versions on the same questions, all of them or a sample) and `statistics_agreement`
(judge against people, itself and the order of answers). `agreement`, `composite_score`, `mean_bounds`,
`pairwise_result` and `repeat_stability` are for whoever computes on verdicts from Python: no command calls them.
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
from goldassay.analytics.statistics_bootstrap import paired_bootstrap
from goldassay.analytics.statistics_paired import (
    Claim,
    adjusted_among_able,
    benjamini_hochberg,
    claim_of,
    mcnemar_exact,
    more_questions,
    newcombe_paired_difference,
    questions_needed,
)
from goldassay.analytics.statistics_paired_weighted import PairedChange, PairTable, paired_change
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
    "PairTable",
    "PairedChange",
    "PairwiseResult",
    "Repeats",
    "WeightedRate",
    "adjusted_among_able",
    "agreement",
    "benjamini_hochberg",
    "claim_of",
    "cohen_kappa",
    "composite_score",
    "mcnemar_exact",
    "mean_bounds",
    "more_questions",
    "newcombe_paired_difference",
    "paired_bootstrap",
    "paired_change",
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
