"""One person labelling one check of one run: what is to be shown, what was said, and where it is kept.

Every label is in the store before the page hears of it, so a kill loses nothing. Knows no HTTP; the page is
`goldassay.review.app`, what it shows of one answer is `goldassay.review.items`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Literal, NamedTuple

from goldassay.errors import ConfigError
from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.store.labels import Label
from goldassay.store.manifest import RunManifest
from goldassay.store.store import Store
from goldassay.verdicts import FAILURE_CATEGORIES, Verdict

__all__ = ["Given", "ReviewItem", "ReviewSession", "Said"]

Said = Literal["pass", "fail", "skip"]
_WORDS = ("pass", "fail", "skip")
_COMMENT_CHARACTERS = 4_000
_UNDONE = "(taken back)"
_TICK = timedelta(microseconds=1)


class Given(NamedTuple):
    """What the person said of an answer last."""

    outcome: Said
    category: str
    comment: str
    blind: bool
    """True: the verdict had not been shown when the outcome was chosen."""
    seen: bool
    """True: the verdict has been shown by now, so another outcome would not be blind."""


class ReviewItem(NamedTuple):
    """One answer of the sample with its verdicts."""

    record: AnswerRecord
    golden: GoldenQuestion | None
    verdict: Verdict
    """Of the check that is labelled."""
    others: tuple[Verdict, ...]


class ReviewSession:
    """The sample, and the labels one person has given."""

    def __init__(
        self,
        store: Store,
        run: RunManifest,
        check: str,
        *,
        labeller: str,
        items: Mapping[str, ReviewItem],
        given: Mapping[str, Given],
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.store, self.run, self.check, self.labeller = store, run, check, labeller
        self.items = tuple(items.values())
        self._given = dict(given)
        self._clock = clock
        self._lock = Lock()
        self._latest: datetime | None = None

    def given(self, place: int) -> Given | None:
        """What was said of the answer at a place, from 0; None: nothing, or it was taken back."""
        found = self._given.get(self.items[place].record.record_id)
        return None if found is None or (found.outcome, found.comment) == ("skip", _UNDONE) else found

    def seen(self, place: int) -> bool:
        """Whether the judge's verdict on the answer has been shown."""
        found = self._given.get(self.items[place].record.record_id)
        return found is not None and found.seen

    def label(self, place: int, outcome: Said, *, category: str = "", comment: str = "") -> Given:
        """Keep a label; the newest of a person and answer counts.

        Raises:
            ConfigError: If the outcome or the category is not one of the known words.
        """
        if outcome not in _WORDS:
            raise ConfigError(f"no label {outcome!r}; use one of {', '.join(_WORDS)}.")
        if category and (outcome != "fail" or category not in FAILURE_CATEGORIES):
            raise ConfigError(f"no category {category!r} for a label {outcome!r}; see docs/concepts.md for the list.")
        with self._lock:
            return self._keep(place, outcome, category, comment[:_COMMENT_CHARACTERS])

    def undo(self, place: int) -> None:
        """Take a label back. What was said stays in the store, followed by a word that it no longer counts."""
        with self._lock:
            if self.given(place) is not None:
                self._keep(place, "skip", "", _UNDONE)

    def _keep(self, place: int, outcome: Said, category: str, comment: str) -> Given:
        item = self.items[place]
        record, verdict, before = item.record, item.verdict, self.given(place)
        # A category or a note may follow at leisure: it is the outcome that must be chosen blind.
        kept = before is not None and before.blind and before.outcome == outcome
        blind = kept or not self.seen(place)
        self.store.add_labels(
            [
                Label(
                    labelled_at=self._moment(),
                    labeller=self.labeller,
                    run_id=self.run.run_id,
                    app=verdict.app,
                    app_version=verdict.app_version,
                    record_id=record.record_id,
                    question_id=verdict.question_id,
                    check=self.check,
                    outcome=outcome,
                    category=category or None,
                    judge_outcome=verdict.outcome.value,
                    blind=blind,
                    comment=comment,
                )
            ]
        )
        # A skip shows nothing, so the answer may still be labelled blind later.
        given = Given(outcome, category, comment, blind, self.seen(place) or outcome != "skip")
        self._given[record.record_id] = given
        return given

    def _moment(self) -> datetime:
        """Now, but later than the label before: the newest counts, and two may fall into one tick of the clock."""
        now = self._clock()
        if self._latest is not None and now <= self._latest:
            now = self._latest + _TICK
        self._latest = now
        return now
