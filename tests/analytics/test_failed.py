from goldassay.analytics.failed import failed_answers
from goldassay.store import open_store
from tests.review.review_store import write_night


def test_each_failure_is_a_row_with_its_question_and_reason(tmp_path):
    """At most as many as asked for, the ones that fail the answer first; passes are left out."""
    store = open_store(tmp_path / "store")
    write_night(store, range(40))
    (run,) = store.runs("atlas")

    found = failed_answers(store, run.run_id, most=1000)

    assert found
    assert {one.outcome for one in found} <= {"fail", "error"}
    assert all(one.record_id and one.question and one.check and one.category for one in found)
    assert failed_answers(store, run.run_id, most=2) == found[:2]
