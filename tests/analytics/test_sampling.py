"""The night's sample: the same each time, right in its weights, small in memory."""

from __future__ import annotations

import random
import tracemalloc
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from goldassay.analytics.sampling import Candidate, SamplingConfig, candidate_of, select_sample
from goldassay.records import AnswerRecord, GoldenQuestion


def night(sizes: dict[str, int], app: str = "atlas") -> list[Candidate]:
    """Candidates with ids r0, r1, ... by language."""
    langs = [lang for lang, size in sizes.items() for _ in range(size)]
    return [Candidate(f"r{i}", app, {"lang": lang}) for i, lang in enumerate(langs)]


def chosen_langs(candidates: list[Candidate], config: SamplingConfig, **options: object) -> Counter[str]:
    """How many of each language were chosen."""
    langs = {c.record_id: c.fields["lang"] for c in candidates}
    return Counter(langs[row.record_id] for row in select_sample(candidates, config, **options))  # type: ignore[arg-type]


def test_the_same_night_gives_the_same_sample_in_any_order() -> None:
    """Files may be listed in another order on another machine."""
    candidates = night({"en": 700, "de": 300})
    config = SamplingConfig(nightly=50, stratify=("lang",))
    shuffled = random.Random(1).sample(candidates, len(candidates))

    assert set(select_sample(candidates, config)) == set(select_sample(shuffled, config))


def test_the_sample_of_a_known_night_never_changes() -> None:
    """A new release that draws another sample would judge, and pay, anew."""
    chosen = [row.record_id for row in select_sample(night({"en": 100}), SamplingConfig(nightly=5))]

    assert chosen == ["r33", "r43", "r44", "r88", "r97"]


def test_a_larger_sample_holds_the_smaller_and_another_salt_draws_anew() -> None:
    """So that raising `nightly` throws no verdict away."""
    candidates = night({"en": 1000})
    small, large, other = (
        {row.record_id for row in select_sample(candidates, config)}
        for config in (SamplingConfig(nightly=50), SamplingConfig(nightly=80), SamplingConfig(nightly=50, salt="x"))
    )

    assert small < large
    assert len(small & other) < 20
    assert {r.record_id for r in select_sample(night({"en": 1000}, "b"), SamplingConfig(nightly=50))} != small


def test_none_all_and_fewer_than_wanted() -> None:
    """0 judges nothing, 'full' everything, and a short night is taken whole with weight 1."""
    candidates = night({"en": 7})

    assert select_sample(candidates, SamplingConfig(nightly=0)) == []
    assert [r.weight for r in select_sample(candidates, SamplingConfig(nightly="full"))] == [1.0] * 7
    assert [r.weight for r in select_sample(candidates, SamplingConfig(nightly=50))] == [1.0] * 7
    assert select_sample([], SamplingConfig(nightly=50)) == []
    assert select_sample([], SamplingConfig(nightly="auto")) == []


def test_strata_get_their_share_and_an_oversampled_one_more() -> None:
    """70/20/10 of 100; with de three times its share the others shrink, and the weights tell."""
    candidates = night({"en": 700, "de": 200, "fr": 100})

    assert chosen_langs(candidates, SamplingConfig(nightly=100, stratify=("lang",))) == {"en": 70, "de": 20, "fr": 10}
    config = SamplingConfig(nightly=140, stratify=("lang",), oversample={"lang=de": 3})
    assert chosen_langs(candidates, config) == {"en": 70, "de": 60, "fr": 10}
    weights = {round(row.weight, 6) for row in select_sample(candidates, config)}
    assert weights == {10.0, round(200 / 60, 6)}


def test_neyman_looks_more_where_verdicts_vary() -> None:
    """A stratum that always passed is looked at less than one that passes half the time."""
    candidates = night({"en": 500, "de": 500})
    config = SamplingConfig(nightly=120, stratify=("lang",), allocation="neyman")

    assert chosen_langs(candidates, config, past={"lang=en": 1.0, "lang=de": 0.5}) == {"en": 20, "de": 100}


def test_the_unanswerable_the_failed_and_the_unsure_are_always_in() -> None:
    """They stand for themselves (weight 1), within the number wanted; the rest stands for the rest."""
    candidates = [
        *night({"en": 100}),
        Candidate("u", answerable=False),
        Candidate("f", failed_before=True),
        Candidate("s", always=True),
    ]

    weights = dict(select_sample(candidates, SamplingConfig(nightly=23)))

    assert {weights.pop(name) for name in "ufs"} == {1.0}
    assert list(weights.values()) == [5.0] * 20
    config = SamplingConfig(nightly=23, unanswerable="sampled", failed_last_night="sampled")
    assert sum(dict(select_sample(candidates, config)).values()) == pytest.approx(103)


def test_the_rest_of_the_log_is_looked_at_even_when_the_failed_fill_the_sample() -> None:
    """Else the rate of the log would rest on last night's failures alone."""
    candidates = [*(Candidate(f"f{i}", failed_before=True) for i in range(50)), *night({"en": 100, "de": 10})]

    chosen = select_sample(candidates, SamplingConfig(nightly=20, stratify=("lang",)))

    assert len(chosen) == 54
    assert sum(row.weight for row in chosen) == pytest.approx(160)


def test_auto_takes_more_where_more_is_unknown() -> None:
    """A past of 99 % needs fewer answers for the same width than a past of 50 % or none; never above its limit."""
    candidates = night({"en": 5000})
    config = SamplingConfig(nightly="auto", auto_width=0.1)

    sure, unsure = (len(select_sample(candidates, config, past={"": rate})) for rate in (0.99, 0.5))

    assert len(select_sample(candidates, config)) == unsure == 385
    assert sure == 30
    assert len(select_sample(candidates, SamplingConfig(nightly="auto", auto_width=0.001, auto_max=400))) == 400
    assert len(select_sample(night({"en": 20}), config)) == 20


@given(
    sizes=st.dictionaries(st.sampled_from(["en", "de", "fr", "it"]), st.integers(1, 60), min_size=1),
    nightly=st.one_of(st.integers(1, 80), st.just("auto")),
    factor=st.floats(0.1, 8),
    allocation=st.sampled_from(["proportional", "neyman"]),
    floor=st.integers(1, 4),
)
def test_the_weights_always_add_up_to_the_log(sizes, nightly, factor, allocation, floor) -> None:
    """Per stratum, whatever the settings; and never fewer than wanted while there are enough."""
    config = SamplingConfig(
        nightly=nightly,
        stratify=("lang",),
        oversample={"lang=de": factor},
        allocation=allocation,
        min_per_stratum=floor,
    )
    candidates = night(sizes)
    langs = {c.record_id: c.fields["lang"] for c in candidates}

    chosen = select_sample(candidates, config)

    for lang, size in sizes.items():
        assert sum(row.weight for row in chosen if langs[row.record_id] == lang) == pytest.approx(size)
    if nightly != "auto":
        assert len(chosen) == max(min(nightly, len(candidates)), sum(min(floor, size) for size in sizes.values()))


def test_a_record_is_described_by_its_fields_and_tags() -> None:
    """Tags of the record win over those of the golden question; named fields over both."""
    record = AnswerRecord(record_id="r", question="q", answer="a", lang="de", tags={"team": "b", "lang": "x"})
    golden = GoldenQuestion(
        question_id="g", question="q", answerable=False, stratum="billing", tags={"team": "a", "k": "v"}
    )

    candidate = candidate_of(record, golden, failed_before=True, always=True)

    assert candidate.fields == {"team": "b", "k": "v", "lang": "de", "stratum": "billing", "answerable": "false"}
    assert (candidate.answerable, candidate.failed_before, candidate.always) == (False, True, True)
    assert candidate_of(record).answerable is None


def test_ids_no_file_can_hold_and_unknown_settings() -> None:
    """Half a surrogate pair from a log is hashed like any id; a misspelt setting is refused."""
    assert len(select_sample([Candidate("\ud800")], SamplingConfig(nightly=3))) == 1
    with pytest.raises(ValidationError):
        SamplingConfig(nightli=3)  # type: ignore[call-arg]  # the point of the test


def test_memory_stays_with_the_sample() -> None:
    """A hundred thousand candidates from a stream, 200 kept."""

    def stream() -> Iterator[Candidate]:
        for i in range(100_000):
            yield Candidate(f"record-{i}", "atlas", {})

    tracemalloc.start()
    chosen = select_sample(stream(), SamplingConfig(nightly=200))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert len(chosen) == 200
    assert peak < 1_000_000
