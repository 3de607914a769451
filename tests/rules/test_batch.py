"""Many records: order kept, input taken as it is needed, the same rows from one process and several."""

from __future__ import annotations

from collections.abc import Iterator

from goldassay.records import AnswerRecord, GoldenQuestion, Source
from goldassay.rules import RulesConfig, load_rules
from goldassay.rules.batch import check_records


def _pairs(count: int, taken: list[int] | None = None) -> Iterator[tuple[AnswerRecord, GoldenQuestion | None]]:
    for number in range(count):
        if taken is not None:
            taken.append(number)
        source = Source(id="1", text=f"The house has {number % 7} rooms.")
        record = AnswerRecord(
            record_id=str(number), question="?", answer=f"It has {number % 5} rooms [1].", sources=(source,)
        )
        yield record, None


def test_order_is_kept_and_records_are_taken_one_by_one():
    """A generator over a million answers is never held in memory."""
    taken: list[int] = []
    rows = check_records(_pairs(10_000, taken))

    first = [next(rows)[0].record_id for _ in range(3)]

    assert first == ["0", "1", "2"]
    assert len(taken) == 3


def test_several_processes_give_the_same_rows_in_the_same_order():
    """Workers load the rules anew; nothing but speed may differ."""
    rules = load_rules(RulesConfig(enabled=("cites", "numbers")))

    alone = list(check_records(_pairs(600), rules))
    together = list(check_records(_pairs(600), rules, workers=2))

    assert together == alone


def test_processes_take_only_a_bounded_part_of_the_input_ahead():
    """Two chunks a worker are under way at most."""
    taken: list[int] = []
    rows = check_records(_pairs(5_000, taken), load_rules(RulesConfig(enabled=("length",))), workers=2)

    next(rows)
    ahead = len(taken)
    rows.close()  # type: ignore[attr-defined]  # a generator

    assert ahead <= 4 * 250
