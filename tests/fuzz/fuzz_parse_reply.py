"""Coverage-guided fuzzing of the reader of replies with atheris, where that is installed.

Usage: python tests/fuzz/fuzz_parse_reply.py -max_total_time=300 -dict=tests/fuzz/parse_reply.dict [corpus folder]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

try:
    import atheris
except ImportError:
    sys.exit("atheris is not installed: pip install atheris")

with atheris.instrument_imports(include=["goldassay.judging"]):
    from goldassay.judging.parsing import parse_reply, read_reply
    from goldassay.judging.reply_contract import Contract, FieldSpec
    from goldassay.judging.rubric import load_rubric
    from goldassay.verdicts import Outcome

RUBRICS = [load_rubric(name) for name in ("rag", "faithful_claims", "pairwise")]
CONTRACTS = [
    Contract(format="json_object", fields={"score": FieldSpec("number", 1, 5)}, required=("score",)),
    Contract(format="json_array", item_fields={"id": FieldSpec("string"), "passed": FieldSpec("boolean")}),
    Contract(format="choice", values=("Yes", "No"), pass_value=("Yes",)),
    Contract(format="choice", values=("Yes", "No"), pass_value=("Yes",), position="start"),
    Contract(format="labelled_line", label="GRADE", values=("C", "I"), pass_value=("C",)),
    Contract(format="labelled_line", label="Score", fields={"score": FieldSpec("integer", 1, 5)}, required=("score",)),
    Contract(format="tag", label="answer", values=("supported",), pass_value=("supported",)),
    Contract(format="regex", pattern=r"\[\[(\d+)\]\]", fields={"score": FieldSpec("integer", 1, 5)}),
]


def read_one(data: bytes) -> None:
    """Reads one reply in every form; an exception, or a pass without a verdict in the text, is a finding."""
    source: Any = atheris.FuzzedDataProvider(data)
    which = source.ConsumeIntInRange(0, len(RUBRICS) + len(CONTRACTS) - 1)
    text = source.ConsumeUnicode(4_000)
    if which < len(RUBRICS):
        parsed = parse_reply(text, RUBRICS[which], evaluated=(text[:40],))
        if parsed.outcome is not Outcome.ERROR and "{" not in text:
            raise AssertionError(f"a verdict without an object: {text!r}")
        return
    reading = read_reply(text, CONTRACTS[which - len(RUBRICS)])
    if not reading.accepted and (reading.score is not None or reading.passed is not None):
        raise AssertionError(f"an error with a score: {text!r}")


if __name__ == "__main__":
    atheris.Setup(sys.argv, read_one)
    atheris.Fuzz()
