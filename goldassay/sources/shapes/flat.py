"""Export shapes with one row per answer: a table of column paths for each tool.

A new one is an entry in `flat_paths.FLAT`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from goldassay.sources.columns import MISSING, ColumnPath
from goldassay.sources.fields import PLAIN_NAMES
from goldassay.sources.rows import RawRow, SourceItem
from goldassay.sources.shapes.dig import answer_in, decode_cell, passages_in, question_in
from goldassay.sources.shapes.flat_paths import FLAT
from goldassay.sources.values import is_nothing

__all__ = ["flat_row", "flat_shape", "flat_table", "opened"]

Table = dict[str, list[ColumnPath]]

ENVELOPES: Final = (
    "results", "data", "traces", "records", "test_cases", "testCases", "conversationalTestCases",
    "items", "rows",
)  # fmt: skip
"""Keys under which an API page or a report holds its rows."""
DIGGERS: Final[dict[str, Callable[[Any], Any]]] = {"question": question_in, "answer": answer_in}
STRUCTURED: Final = frozenset({"input", "output", "metadata", "inputs", "outputs", "request", "response"})
"""Fields that hold an object with the passages inside, besides fields that are the passages."""


FAILURES: Final = ("error", "response.error", "response.body.error", "failureReason", "errors")
"""Where a row says that the call itself failed: an answer that was never given."""


def flat_shape(name: str) -> Callable[[Iterator[SourceItem]], Iterator[SourceItem]]:
    """The reader of one shape: rows in, rows with the plain field names out."""
    paths = flat_table(name)

    def rows(items: Iterator[SourceItem]) -> Iterator[SourceItem]:
        for item in items:
            if isinstance(item, RawRow):
                yield from (flat_row(row, paths) for row in opened(item) if not _is_inner_span(row.data))
            else:
                yield item

    return rows


def _is_inner_span(data: Mapping[str, Any]) -> bool:
    """Logs of spans hold the steps below an answer as rows of their own."""
    parents = data.get("span_parents")
    return data.get("is_root") is False or (isinstance(parents, list) and bool(parents))


def flat_table(name: str) -> Table:
    """The parsed paths of one shape."""
    return {field: [ColumnPath(text) for text in texts] for field, texts in FLAT[name].items()}


def opened(row: RawRow) -> Iterator[RawRow]:
    """The rows inside an envelope such as {"results": {"results": [...]}}, or the row itself."""
    inner: Any = row.data
    for _ in range(2):
        keys = [key for key in ENVELOPES if isinstance(inner, dict) and isinstance(inner.get(key), list | dict)]
        inner = inner[keys[0]] if keys else inner
    if isinstance(inner, list) and inner and all(isinstance(item, dict) for item in inner):
        yield from (RawRow(row.file, row.line, item) for item in inner)
    else:
        yield row


def flat_row(row: RawRow, paths: Table) -> RawRow:
    """One row with the plain field names."""
    # The numbers of ids and versions must stay as written, so these exports are read exactly from the start.
    data = row.exact() if row.exact is not None else row.data
    if row.is_table:
        data = {key: decode_cell(cell) for key, cell in data.items()}
    plain: dict[str, Any] = {}
    for field, candidates in paths.items():
        value = _first(field, data, candidates)
        if value is not MISSING and value is not None:
            plain[field] = value
    _last_turns(plain)
    _answer_without_form(row, plain, paths)
    _gather_tags(plain)
    # The tool's own columns stay beside them, so that answers.mapping can name a path in them.
    rest = {key: value for key, value in data.items() if key not in PLAIN_NAMES}
    return row._replace(data=rest | plain, exact=None, is_table=False)


def _last_turns(plain: dict[str, Any]) -> None:
    """A whole conversation is graded by its last answer; what was said before it are earlier turns."""
    turns = plain.pop("conversation", None)
    if not isinstance(turns, list) or "answer" in plain:
        return
    answer = answer_in(turns)
    if answer is not None:
        plain["answer"] = answer
        plain["question"] = question_in(turns) or ""
        plain["turns"] = [turn for turn in turns if isinstance(turn, dict) and isinstance(turn.get("content"), str)][
            :-2
        ]


def _first(field: str, data: Mapping[str, Any], candidates: list[ColumnPath]) -> Any:
    for path in candidates:
        value = path.find(data)
        if value is MISSING or is_nothing(value) or (value == "" and field != "answer"):
            continue
        found = _understood(field, path, value)
        if found is not None:
            return found
    return MISSING


def _understood(field: str, path: ColumnPath, value: Any) -> Any:
    if field in DIGGERS:
        return DIGGERS[field](value)
    if field == "sources":
        if str(path.steps[-1]) in STRUCTURED:
            return passages_in(value)
        inner = passages_in(cell) if isinstance(cell := decode_cell(value), dict) else None
        return _texts_out_of_lists(value if inner is None else inner)
    if field == "key_facts" and isinstance(value, list):
        return value
    if field == "conversation":
        return value if isinstance(value, list) else None
    return value if field.startswith("tags") or not isinstance(value, list | dict) else None


def _texts_out_of_lists(value: Any) -> Any:
    if isinstance(value, list) and any(isinstance(item, list) for item in value):
        return [text for item in value for text in (item if isinstance(item, list) else [item])]
    return value


def _answer_without_form(row: RawRow, plain: dict[str, Any], paths: Table) -> None:
    """What stands where the answer belongs, if it is no known form."""
    if "answer" in plain:
        return
    found = [value for path in paths["answer"] if (value := path.find(row.data)) is not MISSING]
    texts = [value for value in found if isinstance(value, str)]
    if row.is_table and texts:
        plain["answer"] = texts[0]  # JSON of no known form is the text of its cell
    elif (found and all(is_nothing(value) for value in found)) or (not found and _failed(row.data)):
        plain["answer"] = ""  # the run broke before it answered: a failed answer, not a bad line


def _failed(data: Mapping[str, Any]) -> bool:
    return any(ColumnPath(path).find(data) for path in FAILURES)


def _gather_tags(plain: dict[str, Any]) -> None:
    named = {key.removeprefix("tags."): plain.pop(key) for key in list(plain) if key.startswith("tags.")}
    tags = plain.get("tags")
    if named:
        listed = (
            {str(tag): "true" for tag in tags} if isinstance(tags, list) else (tags if isinstance(tags, dict) else {})
        )
        plain["tags"] = listed | named
