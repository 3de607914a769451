"""Where each tool's export holds the fields: for each field the paths that may hold it, the first one present wins.

Plain data; `flat` reads rows by it.
"""

from __future__ import annotations

from typing import Final

__all__ = ["FLAT"]

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
        "conversation": ("user_input",),
    },
    "deepeval": {
        # https://deepeval.com/docs/evaluation-test-cases: retrieval_context was sent, context is the ideal
        "record_id": ("id", "name"),
        "question": ("input",),
        "answer": ("actual_output", "actualOutput"),
        "sources": ("retrieval_context", "retrievalContext"),
        "reference": ("expected_output", "expectedOutput"),
        "tags": ("tags",),
        "conversation": ("turns",),
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
        # A batch has its own id for every line; custom_id is the one the operator gave.
        "record_id": ("custom_id", "id", "response.id", "response.body.id"),
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
