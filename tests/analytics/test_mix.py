"""Simpson's paradox: the rate rose because easier questions came, while every kind of question got worse."""

from __future__ import annotations

import pytest

from goldassay.analytics.history import history
from goldassay.analytics.mix import Part, shift_of


def test_kidney_stones_are_the_textbook_case() -> None:
    """Charig and others (1986), BMJ 292, 879-882: surgery is better for small and for large stones, and worse over all.

    Open surgery 81/87 and 192/263, punctures 234/270 and 55/80: 0.780 against 0.826.
    """
    surgery = {"small": Part(87, 81 / 87), "large": Part(263, 192 / 263)}
    puncture = {"small": Part(270, 234 / 270), "large": Part(80, 55 / 80)}

    shift = shift_of(surgery, puncture)

    assert shift is not None
    assert shift.difference == pytest.approx(289 / 350 - 273 / 350)
    small, large = (87 / 350 + 270 / 350) / 2, (263 / 350 + 80 / 350) / 2
    assert shift.within == pytest.approx(small * (234 / 270 - 81 / 87) + large * (55 / 80 - 192 / 263))
    assert shift.within < 0 < shift.difference
    assert shift.kind == "small"
    assert shift.shares == pytest.approx((87 / 350, 270 / 350))


def test_kinds_of_one_version_alone_count_to_the_mix() -> None:
    """They have no rate on the other side; without a common kind nothing can be said."""
    shift = shift_of({"a": Part(10, 0.5)}, {"a": Part(10, 0.5), "b": Part(10, 1.0)})

    assert shift is not None
    assert (shift.difference, shift.within, shift.kind) == (0.25, 0.0, "b")
    assert shift_of({"a": Part(10, 0.5)}, {"b": Part(10, 0.5)}) is None


def publish_kinds(store, verdict, publish_run, name: str, version: str, kinds: dict[str, tuple[int, int]]) -> None:
    """A run with (passed, failed) answers of each stratum."""
    rows = [
        verdict(
            name, f"{name}-{kind}-{i}", "cites", "pass" if i < passed else "fail", app_version=version, stratum=kind
        )
        for kind, (passed, failed) in kinds.items()
        for i in range(passed + failed)
    ]
    publish_run(store, name, rows)


def test_a_rise_that_the_mix_made_is_told(store, verdict, publish_run) -> None:
    """Both kinds fell, and the rate rose."""
    publish_kinds(store, verdict, publish_run, "n1", "v1", {"easy": (19, 1), "hard": (40, 40)})
    publish_kinds(store, verdict, publish_run, "n2", "v2", {"easy": (72, 8), "hard": (7, 13)})

    (notice,) = history(store).notices

    assert (notice.code, notice.level) == ("mix_changed", "warning")
    assert notice.text == (
        "cites rose by 0.20 from v1 to v2, but other questions were asked: easy makes 80 % of the graded answers, it "
        "made 20 %. Within the kinds of questions it fell by 0.10. Compare the two on the same questions"
    )


@pytest.mark.parametrize("later", [{"easy": (15, 5), "hard": (20, 60)}, {"easy": (2, 0)}])
def test_the_same_mix_or_too_few_answers_raise_no_notice(store, verdict, publish_run, later) -> None:
    """A fall within the same mix is a fall; two answers are no mix."""
    publish_kinds(store, verdict, publish_run, "n1", "v1", {"easy": (19, 1), "hard": (40, 40)})
    publish_kinds(store, verdict, publish_run, "n2", "v2", later)

    assert history(store).notices == ()
