from dataclasses import replace

import pytest

from goldassay import AnswerRecord, Source, check_answer
from goldassay.analytics.models import CategoryCount, CheckSummary, Counts
from goldassay.analytics.notices import check_notices
from goldassay.analytics.tally import Tally, plain_rate


def check(name, counts, failures=()):
    """A check with these counts."""
    return CheckSummary(
        check=name, kind="rule", version="1", severity="gate", rate=plain_rate(counts), failures=tuple(failures)
    )


@pytest.mark.parametrize(("passed", "missing", "told"), [(0, 10, True), (0, 9, False), (4, 56, True), (20, 100, False)])
def test_a_log_that_never_cites_is_told_what_to_set(passed, missing, told):
    """A gate that fails every answer for a habit helps nobody; a few missing citations are failures like others."""
    failures = [CategoryCount("missing_citation", missing, 1.0)]

    notices = [notice.code for notice in check_notices([check("cites", Counts(passed, missing), failures)])]

    assert notices == (["never_cites"] if told else [])


def test_a_log_without_sources_is_told_that_nothing_was_graded():
    """All skipped is not a good night."""
    notices = list(check_notices([check("faithful", Counts(0, 0, 0, 12))]))

    assert [notice.code for notice in notices] == ["no_sources"]


def test_refusals_hide_no_log_without_sources():
    """A refusal passes `faithful` without a source; the others were skipped, and that is what must be told."""
    notices = list(check_notices([check("faithful", Counts(4, 0, 0, 26))]))

    assert "26 answers" in notices[0].text


def test_check_tells_that_no_sources_were_logged():
    """Rules that compare with sources are skipped then, and a report without a failure would be no good news."""
    tally = Tally(app="a", gate=("cites",))
    for n in range(12):
        record = AnswerRecord(record_id=str(n), question="How large?", answer="Up to 20 MB.")
        tally.add(record, None, check_answer(record))

    assert [notice.code for notice in tally.summary().notices] == ["no_sources"]


def test_check_tells_it_too():
    """The notice stands in the report of `goldassay check`."""
    tally = Tally(app="a", gate=("cites",))
    for n in range(12):
        record = AnswerRecord(
            record_id=str(n), question="How large?", answer="Up to 20 MB.", sources=(Source(id="1", text="20 MB."),)
        )
        tally.add(record, None, check_answer(record))

    assert [notice.code for notice in tally.summary().notices] == ["never_cites"]


@pytest.mark.parametrize(
    ("counts", "is_told"),
    [
        (Counts(17, 0, 3), True),
        (Counts(18, 0, 3), False),
        (Counts(0, 0, 2), False),
        (Counts(30, 20, 10), True),
    ],
    ids=["15 % lost", "less than 15 %", "two errors are no outage", "many"],
)
@pytest.mark.parametrize("kind", ["judge", "rule"])
def test_many_errors_are_told_as_an_outage(kind, counts, is_told):
    """With the bounds they leave; a rule that broke is not blamed on the judge."""
    lost = replace(check("x", counts), kind=kind, errors=(CategoryCount("timed_out", counts.errors, 1.0),))

    found = list(check_notices([lost]))

    assert [notice.code for notice in found] == ([f"{kind}_outage"] if is_told else [])
    for notice in found:
        low, high = counts.passed / counts.graded, (counts.passed + counts.errors) / counts.graded
        assert f"could not be {'judged' if kind == 'judge' else 'checked'}" in notice.text
        assert f"between {low:.2f} and {high:.2f}" in notice.text


def test_an_answer_with_one_cause_in_many_checks_counts_once_in_goldassay_check():
    """An empty answer fails four checks for one cause: one answer, four verdicts."""
    tally = Tally(app="a", gate=("cites", "refusal"))
    record = AnswerRecord(record_id="1", question="How large?", answer="", sources=(Source(id="D1", text="20 MB"),))
    tally.add(record, None, check_answer(record))

    (group,) = tally.summary().reasons

    assert (group.category, group.answers, group.of_answers, group.share) == ("incomplete", 1, 1, 1.0)
    assert group.count == len(group.checks) > 1
