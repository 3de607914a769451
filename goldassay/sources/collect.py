"""From raw rows to batches: the window, the filter, ids that clash, and the count of what was read."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from goldassay.errors import SourceError
from goldassay.records import AnswerRecord
from goldassay.sources.batch import AnswerBatch, EmptyInputError, Rejected, Window
from goldassay.sources.mapping import Mapped, Mapper
from goldassay.sources.rows import BlankLine, RawRow, SourceItem
from goldassay.sources.seen import SeenRecords
from goldassay.sources.settings import AnswersConfig
from goldassay.sources.sniff import kind_by_looks

__all__ = ["Collector"]

SHOWN_CLASHES = 3
_PROVES_NOTHING = "A run without answers proves nothing; check answers.path and the window"
NO_TIME = (
    "asked_at is missing, and a window of time is read; name its column in answers.mapping, or read without a window"
)


class Collector:
    """Fills batches for one read and keeps its totals."""

    def __init__(
        self, config: AnswersConfig, window: Window | None, batch_size: int, *, keep_undated: bool = False
    ) -> None:
        self.config, self.window, self.batch_size = config, window, max(1, batch_size)
        self.has_window = window is not None and window != Window()
        self.keep_undated = keep_undated
        self.batch = AnswerBatch()
        self.seen = SeenRecords()
        self.suffixes: dict[tuple[str, str], int] = {}
        self.clashes: list[str] = []
        self.clash_count = self.records = self.rejected = self.outside = 0
        self.files: dict[str, None] = {}
        self.first_rejected: Rejected | None = None
        self.first_row: RawRow | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.seen.close()

    def take(self, item: SourceItem, mapper: Mapper) -> AnswerBatch | None:
        """Take one item; a batch that became full is handed out."""
        self.files.setdefault(item.file)
        if isinstance(item, RawRow):
            self._take_row(item, mapper)
        elif isinstance(item, Rejected):
            self._set_aside(item)
        elif isinstance(item, BlankLine):
            self.batch.blank_lines += 1
        else:
            self.batch.empty_files.append(item.file)
        return self.rest() if len(self.batch.records) + len(self.batch.rejected) >= self.batch_size else None

    def rest(self, notes: list[str] | None = None) -> AnswerBatch | None:
        """What was collected since the last batch; None when there is nothing to tell."""
        batch, self.batch = self.batch, AnswerBatch()
        batch.notes = notes or []
        told = batch.records or batch.rejected or batch.outside or batch.blank_lines or batch.empty_files or notes
        return batch if told else None

    def check(self) -> None:
        """Say at the end what makes the whole read useless.

        Raises:
            SourceError: Ids clash.
            EmptyInputError: There was no answer at all.
        """
        if self.clashes:
            raise SourceError(_clash_message(self.clashes, self.clash_count))
        if not self.records:
            raise EmptyInputError(self._empty_message())

    def _take_row(self, row: RawRow, mapper: Mapper) -> None:
        mapped = mapper.read(row)
        if isinstance(mapped, Rejected):
            if not self.rejected:
                self.first_row = row
            self._set_aside(mapped)
            return
        record = mapped.record
        if self.has_window and record.asked_at is None and not self.keep_undated:
            self._set_aside(mapper.rejected(row, NO_TIME))
        elif not self._wanted(record):
            self.batch.outside += 1
            self.batch.before += self._is_before(record)
            self.outside += 1
        else:
            self._keep(row, mapped, mapper)

    def _is_before(self, record: AnswerRecord) -> bool:
        since = self.window.since if self.window else None
        return since is not None and record.asked_at is not None and not Window(since).holds(record.asked_at)

    def _wanted(self, record: AnswerRecord) -> bool:
        if self.has_window and self.window and record.asked_at and not self.window.holds(record.asked_at):
            return False
        return not self.config.only or all(
            str(getattr(record, name, record.tags.get(name, ""))) in values for name, values in self.config.only.items()
        )

    def _keep(self, row: RawRow, mapped: Mapped, mapper: Mapper) -> None:
        record = mapped.record
        earlier = self.seen.earlier(record, row.file, row.line)
        if earlier is not None and mapped.has_own_id:
            if earlier.same:
                self._set_aside(mapper.rejected(row, f"the same record stands already at {earlier.place}"))
                return
            if self.config.on_duplicate != "suffix":
                self._clash(row, record, earlier.place, mapper)
                return
        if earlier is not None:
            record = self._suffixed(record, row)
        self.batch.records.append(record)
        self.batch.golden.append(mapped.golden)
        self.records += 1

    def _clash(self, row: RawRow, record: AnswerRecord, place: str, mapper: Mapper) -> None:
        if self.config.on_duplicate == "error":
            self.clash_count += 1
            if len(self.clashes) < SHOWN_CLASHES:
                self.clashes.append(f"{record.record_id!r} at {place} and {row.file}:{row.line}")
        reason = f"id {record.record_id!r} stands already at {place} with another content"
        self._set_aside(mapper.rejected(row, reason))

    def _suffixed(self, record: AnswerRecord, row: RawRow) -> AnswerRecord:
        while True:
            number = self.suffixes[record.app_version, record.record_id] = (
                self.suffixes.get((record.app_version, record.record_id), 1) + 1
            )
            renamed = record.model_copy(update={"record_id": f"{record.record_id}#{number}"})
            if self.seen.earlier(renamed, row.file, row.line) is None:
                return renamed

    def _set_aside(self, item: Rejected) -> None:
        self.batch.rejected.append(item)
        self.rejected += 1
        if self.first_rejected is None:
            self.first_rejected = item

    def _empty_message(self) -> str:
        names = [repr(name) for name in self.files]
        shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        asked = "" if self.config.reads_sql else f" (answers.path {self.config.path!r})"
        message = f"no answer was read from {shown or 'nothing'}{asked}"
        if self.outside:
            filtered = f" or the filter answers.only {self.config.only!r}" if self.config.only else ""
            message += f"; {self.outside} lie outside the window{filtered}"
        first = self.first_rejected
        if first is None:
            return f"{message}. {_PROVES_NOTHING}"
        lines = "1 line was set aside," if self.rejected == 1 else f"{self.rejected} lines were set aside, the first"
        message += f"; {lines} at {first.file}:{first.line}: {first.reason}"
        # Rows outside the window were read well: nothing about the file's form needs advice then.
        advice = _PROVES_NOTHING if self.outside else self._advice(first)
        return f"{message}. {advice}" if advice else message

    def _advice(self, first: Rejected) -> str:
        """What would read the log after all, as far as its first line tells."""
        from goldassay.sources.suggest import suggest  # noqa: PLC0415 - needed only when nothing could be read

        kind = "auto" if self.config.reads_sql else self.config.source
        if kind != "auto" and (seems := kind_by_looks(Path(first.file))) != kind:
            return f"The file looks like {seems}, and answers.source is {kind!r}: set answers.source = 'auto'"
        return suggest(self.first_row) if self.first_row is not None and not self.config.mapping else ""


def _clash_message(clashes: list[str], count: int) -> str:
    more = f" and {count - len(clashes)} more" if count > len(clashes) else ""
    return (
        f"{count} records share version and id with another one of different content: {'; '.join(clashes)}{more}. "
        "Their verdicts would be mixed up; map a column that names each answer, or none (answers.mapping.id), and an "
        "id is made from the content. To keep these: answers.on_duplicate = 'set_aside' or 'suffix'"
    )
