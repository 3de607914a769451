"""Which records of a night go to the judge, and how many answers each of them stands for.

Deterministic: a record is chosen by the hash of its id, so the same night gives the same
sample on any machine, and a larger sample holds the smaller one. One pass over the
candidates; memory grows with the sample, not with the log. Knows nothing of files or judges.
"""

from __future__ import annotations

import hashlib
import heapq
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, PositiveFloat

from goldassay.analytics.statistics_rates import normal_quantile
from goldassay.records import AnswerRecord, GoldenQuestion

__all__ = ["Candidate", "SamplingConfig", "Selected", "candidate_of", "is_certain", "select_sample", "stratum_name"]

_WORST_RATE = 0.5
"""The pass rate with the widest interval; assumed where nothing is known of the past."""
_AUTO_FLOOR = 30
"""Even where the past shows no variance at all, `auto` looks at this many answers."""


class SamplingConfig(BaseModel):
    """Settings of the table [sampling]."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    nightly: NonNegativeInt | Literal["full", "auto"] = 200
    """Answers judged a night, those always taken among them; 0: none, 'full': all, 'auto': as `auto_width` needs."""
    stratify: tuple[str, ...] = ()
    """Fields or tags that split the log: 'lang', 'app_version', 'model', 'stratum', 'answerable', any tag."""
    allocation: Literal["proportional", "neyman"] = "proportional"
    """'neyman': more from strata whose verdicts vary more, as past pass rates tell."""
    oversample: dict[str, PositiveFloat] = Field(default_factory=dict)
    """Factor by stratum, e.g. {'lang=de': 3}: that many times its share; rates are weighted back."""
    min_per_stratum: NonNegativeInt = 2
    """At least so many of each stratum (as far as it has them): a rate needs a look everywhere."""
    unanswerable: Literal["always", "sampled"] = "always"
    """'always': every answer to a question known to be unanswerable is judged (canaries)."""
    failed_last_night: Literal["always", "sampled"] = "always"
    """'always': questions that failed in the run before are judged again."""
    auto_width: Annotated[float, Field(gt=0, le=1)] = 0.08
    """Wanted full width of the 95 % interval for `nightly = 'auto'`."""
    auto_max: NonNegativeInt = 2000
    """Most answers `auto` may choose."""
    salt: str = ""
    """Change it to draw another sample of the same night."""


class Candidate(NamedTuple):
    """What the choice needs to know of one record."""

    record_id: str
    app: str = ""
    fields: Mapping[str, str] = {}
    """Values to stratify by; a missing one counts as ''."""
    answerable: bool | None = None
    failed_before: bool = False
    """Its question failed in the run before."""
    always: bool = False
    """To be judged in any case, e.g. because a rule was unsure."""


class Selected(NamedTuple):
    """A record for the judge."""

    record_id: str
    weight: float
    """Answers of the log it stands for: 1 / its chance of being chosen; 1 for those always taken."""


@dataclass(slots=True)
class _Stratum:
    """The candidates of one stratum with the smallest hashes, as a heap whose root is the largest."""

    name: str
    factor: float
    size: int = 0
    kept: list[tuple[int, int, str]] = field(default_factory=list)
    """(-hash, position, record_id)."""

    def offer(self, key: int, position: int, record_id: str, limit: int) -> None:
        self.size += 1
        if len(self.kept) < limit:
            heapq.heappush(self.kept, (-key, position, record_id))
        elif self.kept and -key > self.kept[0][0]:
            heapq.heapreplace(self.kept, (-key, position, record_id))

    def chosen(self, count: int) -> Iterator[tuple[int, Selected]]:
        for _, position, record_id in heapq.nlargest(count, self.kept):
            yield position, Selected(record_id, self.size / count)


def candidate_of(
    record: AnswerRecord,
    golden: GoldenQuestion | None = None,
    *,
    failed_before: bool = False,
    always: bool = False,
) -> Candidate:
    """Describe a record for the choice; its tags, and the golden question's, can be stratified by.

    Args:
        record: The logged answer.
        golden: The golden question it matches, if any.
        failed_before: Its question failed in the run before.
        always: To be judged in any case.

    Returns:
        A light tuple that holds no text of the answer.
    """
    known = {
        "lang": record.lang,
        "app_version": record.app_version,
        "model": record.model,
        "prompt_version": record.prompt_version,
        "index_version": record.index_version,
        "stratum": golden.stratum if golden else None,
        "answerable": str(golden.answerable).lower() if golden else None,
    }
    fields = {**(golden.tags if golden else {}), **record.tags, **{k: v for k, v in known.items() if v}}
    answerable = golden.answerable if golden else None
    return Candidate(record.record_id, record.app, fields, answerable, failed_before, always)


def select_sample(
    candidates: Iterable[Candidate],
    config: SamplingConfig,
    *,
    past: Mapping[str, float] | None = None,
) -> list[Selected]:
    """Choose the records to judge, each with the weight that makes rates those of the whole log.

    Args:
        candidates: All records of the night, in the order of the log; read once.
        config: How many, by which strata, and what is always in.
        past: Pass rate by stratum name ('lang=de', or '' over all) in earlier runs; steers `auto` and 'neyman'.

    Returns:
        Chosen records in the order of the log. The weights of a stratum add up to its size.
    """
    if config.nightly == "full":
        return [Selected(candidate.record_id, 1.0) for candidate in candidates]
    limit = config.auto_max if config.nightly == "auto" else config.nightly
    if limit == 0:
        return []
    certain, strata = _sorted_out(candidates, config, max(limit, config.min_per_stratum))
    sizes = _sizes(config, strata, len(certain), past or {})
    drawn = [row for stratum, count in zip(strata, sizes, strict=True) if count for row in stratum.chosen(count)]
    return [selected for _, selected in sorted([*certain, *drawn])]


def _sorted_out(
    candidates: Iterable[Candidate], config: SamplingConfig, limit: int
) -> tuple[list[tuple[int, Selected]], list[_Stratum]]:
    """Those always in, and the others by stratum (sorted by name, so that nothing depends on their order)."""
    certain: list[tuple[int, Selected]] = []
    strata: dict[tuple[str, ...], _Stratum] = {}
    salt = config.salt.encode("utf-8", "surrogatepass")
    for position, candidate in enumerate(candidates):
        if is_certain(candidate, config):
            certain.append((position, Selected(candidate.record_id, 1.0)))
            continue
        key = tuple(candidate.fields.get(name, "") for name in config.stratify)
        stratum = strata.get(key)
        if stratum is None:
            stratum = strata[key] = _new_stratum(key, config)
        stratum.offer(_hash(candidate, salt), position, candidate.record_id, limit)
    return certain, [strata[key] for key in sorted(strata)]


def is_certain(candidate: Candidate, config: SamplingConfig) -> bool:
    """Whether a record goes to the judge in any case, beside or beyond the number wanted."""
    return (
        candidate.always
        or (candidate.answerable is False and config.unanswerable == "always")
        or (candidate.failed_before and config.failed_last_night == "always")
    )


def stratum_name(names: Sequence[str], values: Sequence[str]) -> str:
    """Name a stratum as settings and past rates do: 'lang=de', 'lang=de, channel=mail'; '' without names."""
    return ", ".join(f"{name}={value}" for name, value in zip(names, values, strict=True))


def _new_stratum(key: tuple[str, ...], config: SamplingConfig) -> _Stratum:
    name = stratum_name(config.stratify, key)
    parts = [stratum_name([field_name], [value]) for field_name, value in zip(config.stratify, key, strict=True)]
    factor = config.oversample.get(name) or math.prod(config.oversample.get(part, 1.0) for part in parts)
    return _Stratum(name, factor)


def _hash(candidate: Candidate, salt: bytes) -> int:
    # Lengths before texts, so that ('ab', 'c') and ('a', 'bc') differ.
    app, record = (text.encode("utf-8", "surrogatepass") for text in (candidate.app, candidate.record_id))
    text = b"%d:%b%d:%b%b" % (len(app), app, len(record), record, salt)
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")


def _sizes(config: SamplingConfig, strata: Sequence[_Stratum], certain: int, past: Mapping[str, float]) -> list[int]:
    """How many of each stratum."""
    rates = [past.get(stratum.name, past.get("", _WORST_RATE)) for stratum in strata]
    if config.nightly != "auto":
        return _allocate(int(config.nightly) - certain, strata, rates, config)
    low, high = min(_AUTO_FLOOR, config.auto_max), config.auto_max
    while low < high:
        middle = (low + high) // 2
        if _width(strata, rates, _allocate(middle, strata, rates, config), certain) <= config.auto_width:
            high = middle
        else:
            low = middle + 1
    return _allocate(low, strata, rates, config)


def _width(strata: Sequence[_Stratum], rates: Sequence[float], sizes: Sequence[int], certain: int) -> float:
    """Expected full width of the 95 % interval of the weighted rate."""
    total = sum(stratum.size for stratum in strata) + certain
    variance = sum(
        (stratum.size / total) ** 2 * _spread(rate) ** 2 / size
        for stratum, rate, size in zip(strata, rates, sizes, strict=True)
        if 0 < size < stratum.size
    )
    return 2 * normal_quantile(0.95) * math.sqrt(variance)


def _spread(rate: float) -> float:
    """Standard deviation of a verdict; never 0, since a past without failures is no promise."""
    return math.sqrt(max(rate * (1 - rate), 0.01))


def _allocate(wanted: int, strata: Sequence[_Stratum], rates: Sequence[float], config: SamplingConfig) -> list[int]:
    """Share `wanted` out by size (times factor, times spread for Neyman), within each stratum's size.

    Largest remainders (Hamilton) make the whole numbers add up. Neyman: J. Neyman (1934), J. Royal
    Statistical Society 97(4). A stratum smaller than its share gives the rest to the others.
    """
    shares = [
        stratum.size * stratum.factor * (_spread(rate) if config.allocation == "neyman" else 1.0)
        for stratum, rate in zip(strata, rates, strict=True)
    ]
    sizes = [min(stratum.size, config.min_per_stratum) for stratum in strata]
    rest = max(0, min(wanted, sum(stratum.size for stratum in strata)) - sum(sizes))
    return _fill(sizes, shares, [stratum.size for stratum in strata], rest + sum(sizes))


def _fill(floor: Sequence[int], shares: Sequence[float], ceiling: Sequence[int], total: int) -> list[int]:
    """Whole numbers between floor and ceiling, in proportion to the shares, that add up to the total."""
    scale = _scale(floor, shares, ceiling, total)
    exact = [min(max(share * scale, low), high) for share, low, high in zip(shares, floor, ceiling, strict=True)]
    sizes = [math.floor(value + 1e-9) for value in exact]
    by_remainder = sorted(range(len(sizes)), key=lambda i: (sizes[i] - exact[i], i))
    open_ = [i for i in by_remainder if sizes[i] < ceiling[i]]
    for index in open_[: total - sum(sizes)]:
        sizes[index] += 1
    return sizes


def _scale(floor: Sequence[int], shares: Sequence[float], ceiling: Sequence[int], total: int) -> float:
    """The factor at which the clipped shares add up to the total (a growing function: bisection)."""
    if not shares:
        return 0.0
    low, high = 0.0, max(top / share for top, share in zip(ceiling, shares, strict=True))
    for _ in range(100):
        middle = (low + high) / 2
        if sum(min(max(s * middle, f), c) for s, f, c in zip(shares, floor, ceiling, strict=True)) < total:
            low = middle
        else:
            high = middle
    return high
