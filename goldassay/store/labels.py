"""What people said: labels of single checks, kept beside the verdicts and never changed in place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Literal
from uuid import uuid4

import pyarrow as pa

from goldassay.store.commits import new_commit
from goldassay.store.files import StoreFiles
from goldassay.store.manifest import FileEntry
from goldassay.store.paths import month_of, part_path
from goldassay.store.publish import write_part
from goldassay.store.schema import LABEL_SCHEMA, columns_to_batch

__all__ = ["Label", "write_labels"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One person's verdict on one check of one answer; the newest of a person, record and check counts."""

    label_id: str = ""
    """Filled when it is stored."""
    labelled_at: datetime
    labeller: str
    """A name or initials, as the person gave them."""
    run_id: str
    app: str
    app_version: str = ""
    record_id: str
    question_id: str | None = None
    check: str
    """The rule or criterion that was judged; 'answer' for the answer as a whole."""
    outcome: Literal["pass", "fail", "unsure", "skip"]
    """'skip': the person passed it over."""
    category: str | None = None
    """Why it fails, from the closed list; None otherwise."""
    judge_outcome: str | None = None
    """What goldassay had said of it; None when nothing."""
    blind: bool = True
    """True: the person did not see the judge's verdict before labelling."""
    comment: str = ""


def write_labels(files: StoreFiles, labels: Sequence[Label]) -> list[FileEntry]:
    """Write labels to their partitions; they count once the commit of these files is there."""
    groups: dict[tuple[str, str], list[Label]] = defaultdict(list)
    for label in labels:
        groups[label.app, month_of(label.labelled_at)].append(label)
    name = f"labels-{new_commit('labels', ()).commit_id}"
    return [
        write_part(files, part_path("labels", app, month, name=name, number=0), _table(group))
        for (app, month), group in sorted(groups.items())
    ]


def _table(labels: Sequence[Label]) -> pa.Table:
    columns = {name: [*map(attrgetter(name), labels)] for name in LABEL_SCHEMA.names}
    columns["label_id"] = [label.label_id or uuid4().hex for label in labels]
    return pa.Table.from_batches([columns_to_batch(columns, LABEL_SCHEMA)])
