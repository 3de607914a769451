"""Export shapes with one row per answer: a table of column paths for each tool.

A new one is an entry in `FLAT`: for each field the paths that may hold it, the first
one present wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from goldassay.sources.columns import MISSING, ColumnPath
from goldassay.sources.fields import PLAIN_NAMES
from goldassay.sources.rows import RawRow, SourceItem
from goldassay.sources.shapes.dig import answer_in, decode_cell, passages_in, question_in

__all__ = ["FLAT", "flat_row", "flat_shape", "flat_table", "opened"]

Table = dict[str, list[ColumnPath]]

FLAT: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "langfuse": {
        # https://langfuse.com/docs/api-and-data-platform/features/export-to-blob-storage
        "record_id": ("id", "traceId", "trace_id"),
        "question": ("input",),
        "answer": ("output",),
        "sources": ("output", "metadata", "input"),
        "asked_at": ("timestamp", "startTime", "start_time"),
        "app_version": ("version", "release"),
        "model": ("model", "providedModelName", "provided_model_name", "metadata.model"),
        "tags.user_id": ("user_id", "userId"),
        "tags.session_id": ("session_id", "sessionId"),
        "tags": ("tags",),
    },
    "ragas": {
        # https://docs.ragas.io/en/stable/concepts/components/eval_sample/ and the names before 0.2
        "record_id": ("id", "record_id"),
        "question": ("user_input", "question"),
        "answer": ("response", "answer"),
        "sources": ("retrieved_contexts", "contexts"),
        "reference": ("reference", "ground_truth", "ground_truths[0]"),
        "asked_at": ("asked_at", "timestamp"),
    },
    "deepeval": {
        # https://deepeval.com/docs/evaluation-test-cases: retrieval_context was sent, context is the ideal
        "record_id": ("id", "name"),
        "question": ("input",),
        "answer": ("actual_output", "actualOutput"),
        "sources": ("retrieval_context", "retrievalContext"),
        "reference": ("expected_output", "expectedOutput"),
        "tags": ("tags",),
    },
    "trulens": {
        "record_id": ("record_id",),
        "question": ("input", "main_input"),
        "answer": ("output", "main_output"),
        "sources": ("contexts", "context", "retrieved_contexts"),
        "asked_at": ("ts", "timestamp"),
        "app": ("app_name",),
        "app_version": ("app_version", "app_id"),
    },
    "mlflow": {
        # https://docs.databricks.com/en/generative-ai/agent-evaluation/evaluation-schema.html
        "record_id": ("request_id", "trace_id", "id"),
        "question": ("request", "inputs"),
        "answer": ("response", "outputs", "prediction"),
        "sources": ("retrieved_context", "retrieved_contexts", "outputs"),
        "reference": ("expected_response", "expectations.expected_response"),
        "key_facts": ("expected_facts", "expectations.expected_facts"),
        "asked_at": ("timestamp", "request_time", "timestamp_ms"),
    },
    "promptflow": {
        # https://learn.microsoft.com/azure/ai-foundry/how-to/develop/evaluate-sdk
        "record_id": ("id", "line_number"),
        "question": ("query", "question", "inputs.query", "inputs.question"),
        "answer": ("response", "answer", "outputs.response", "outputs.answer"),
        "sources": ("context", "contexts", "inputs.context", "outputs.context"),
        "reference": ("ground_truth", "inputs.ground_truth"),
    },
    "promptfoo": {
        # https://www.promptfoo.dev/docs/usage/command-line/ (results as JSON Lines)
        "record_id": ("id",),
        "question": ("vars.question", "vars.query", "vars.input", "testCase.vars.question", "testCase.vars.query"),
        "answer": ("response.output", "output"),
        "sources": ("vars.context", "vars.sources", "testCase.vars.context", "response.metadata.context"),
        "model": ("provider.id", "provider"),
    },
    "langchain": {
        "record_id": ("id", "run_id"),
        "question": ("input", "question", "query"),
        "answer": ("answer", "output", "result"),
        "sources": ("context", "source_documents"),
        "asked_at": ("asked_at", "timestamp", "start_time"),
    },
    "llamaindex": {
        "record_id": ("id", "query_id"),
        "question": ("query", "query_str"),
        "answer": ("response",),
        "sources": ("source_nodes", "contexts"),
        "reference": ("reference_answer",),
    },
    "haystack": {
        "record_id": ("id", "query_id"),
        "question": ("query", "question"),
        "answer": ("answers[0].data", "answers[0].answer", "replies[0]", "answer"),
        "sources": ("documents", "retriever.documents", "answers[0].documents"),
    },
    "braintrust": {
        "record_id": ("id", "span_id"),
        "question": ("input",),
        "answer": ("output",),
        "sources": ("output", "metadata", "input"),
        "reference": ("expected",),
        "asked_at": ("created",),
        "model": ("metadata.model",),
        "tags": ("tags",),
    },
    "opik": {
        "record_id": ("id", "trace_id"),
        "question": ("input",),
        "answer": ("output",),
        "sources": ("output", "input", "metadata"),
        "asked_at": ("start_time", "startTime"),
        "tags": ("tags",),
    },
    "openai": {
        # https://platform.openai.com/docs/api-reference/chat: request and response logged side by side
        "record_id": ("id", "custom_id", "response.id", "response.body.id"),
        "question": ("request.messages", "messages", "request.body.messages", "body.messages", "input"),
        "answer": ("response.choices", "response.body.choices", "choices", "output"),
        "sources": ("sources", "metadata", "context"),
        "asked_at": ("created", "created_at", "response.created", "response.body.created"),
        "model": ("model", "response.model", "response.body.model", "request.model"),
    },
    "bedrock": {
        # https://docs.aws.amazon.com/bedrock/latest/userguide/knowledge-base-evaluation-prompt.html
        "record_id": ("id", "sessionId"),
        "question": ("conversationTurns[0].prompt.content", "input.text"),
        "answer": ("conversationTurns[0].output.text", "output.text"),
        "sources": (
            "conversationTurns[0].output.retrievedPassages.retrievalResults[*].content.text",
            "citations[*].retrievedReferences[*].content.text",
        ),
        "reference": ("conversationTurns[0].referenceResponses[0].content",),
    },
}

ENVELOPES: Final = ("results", "data", "traces", "records", "test_cases", "testCases", "items", "rows")
"""Keys under which an API page or a report holds its rows."""
DIGGERS: Final[dict[str, Callable[[Any], Any]]] = {"question": question_in, "answer": answer_in}
STRUCTURED: Final = frozenset({"input", "output", "metadata", "inputs", "outputs", "request", "response"})
"""Fields that hold an object with the passages inside, besides fields that are the passages."""


def flat_shape(name: str) -> Callable[[Iterator[SourceItem]], Iterator[SourceItem]]:
    """The reader of one shape: rows in, rows with the plain field names out."""
    paths = flat_table(name)

    def rows(items: Iterator[SourceItem]) -> Iterator[SourceItem]:
        for item in items:
            if isinstance(item, RawRow):
                yield from (flat_row(row, paths) for row in opened(item))
            else:
                yield item

    return rows


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
    _answer_without_form(row, plain, paths)
    _gather_tags(plain)
    # The tool's own columns stay beside them, so that answers.mapping can name a path in them.
    rest = {key: value for key, value in data.items() if key not in PLAIN_NAMES}
    return row._replace(data=rest | plain, exact=None, is_table=False)


def _first(field: str, data: Mapping[str, Any], candidates: list[ColumnPath]) -> Any:
    for path in candidates:
        value = path.find(data)
        if value is MISSING or value is None or (value == "" and field != "answer"):
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
        return _texts_out_of_lists(value)
    if field == "key_facts" and isinstance(value, list):
        return value
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
    elif found and all(value is None for value in found):
        plain["answer"] = ""  # the run broke before it answered: a failed answer, not a bad line


def _gather_tags(plain: dict[str, Any]) -> None:
    named = {key.removeprefix("tags."): plain.pop(key) for key in list(plain) if key.startswith("tags.")}
    tags = plain.get("tags")
    if named:
        listed = (
            {str(tag): "true" for tag in tags} if isinstance(tags, list) else (tags if isinstance(tags, dict) else {})
        )
        plain["tags"] = listed | named
