"""How far the reader of replies agrees with verdicts that others recorded for the same raw replies.

Usage: python benchmarks/replies_agreement.py [folder of labelled data]

One row a data set: replies, those with a recorded verdict, agreeing, differing, unread (an error
where a verdict was recorded), made (a verdict where none was recorded; ratings have no record).
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from goldassay.judging.parsing import read_reply
from goldassay.judging.reply_contract import Contract, FieldSpec, Reading

Shaped = tuple[Contract, Callable[[Reading], Any], Any]
"""The contract, how its reading becomes a verdict, and the verdict that was recorded."""


class Agreement(NamedTuple):
    """Counts over the raw replies of one data set."""

    replies: int
    recorded: int
    agreeing: int
    differing: int
    unread: int
    made: int
    unsound: int
    """Records that the reply itself contradicts: it says the other thing only, or only quotes what it was asked."""
    kinds: Counter[str]
    """Kinds of error among all replies, and of difference."""

    @property
    def share(self) -> float:
        """Agreeing replies among those with a recorded verdict."""
        return self.agreeing / self.recorded if self.recorded else 1.0

    @property
    def share_of_sound(self) -> float:
        """The same without unsound records."""
        return self.agreeing / (self.recorded - self.unsound) if self.recorded > self.unsound else 1.0


_WICE = Contract(format="tag", label="answer", values=("supported", "partially_supported", "not_supported"))
_OPENQA = Contract(format="choice", values=("Yes", "No"), position="start")
_NOMIRACL = Contract(
    format="choice",
    values=("Yes, answer is present", "I don't know"),
    synonyms={"No, answer is not present": "I don't know", "No, the answer is not present": "I don't know"},
    position="start",
)
_RAGAS = Contract(
    format="json_array",
    item_key="statement",
    item_fields={"statement": FieldSpec("string"), "verdict": FieldSpec("integer", 0, 1)},
)
_OUTPUT = Contract(format="choice", values=("Output (a)", "Output (b)"), position="start")
_OUTPUT_COT = Contract(
    format="regex", pattern=r"(Output \([ab]\)) is (?:the )?better", position="last", values=_OUTPUT.values
)
_RATING = Contract(format="regex", pattern=r"\A\s*(\d{1,2})\s*\Z", fields={"score": FieldSpec("integer", 0, 10)})
_ARENA = Contract(format="regex", pattern=r"\[\[([AB][>=]{1,2}[AB])\]\]")
_CROWD = Contract(
    format="json_object", fields={"Q7_rating": FieldSpec("enum", values=("A", "B", "N"))}, required=("Q7_rating",)
)
_COVERAGE = Contract(
    format="json_object",
    fields={"coverage": FieldSpec("enum", values=("FULL_COVERAGE", "PARTIAL_COVERAGE", "NO_COVERAGE"))},
    required=("coverage",),
)


_BY_LABEL = {"wice_judge": _WICE, "openqa_eval": _OPENQA, "summhay": _COVERAGE}
_BY_WINNER = {"judgebench_pairwise": (_ARENA, "A>B", "B>A"), "crowdrag_pairwise": (_CROWD, "A", "B")}


def _first_is_1(order: str) -> bool:
    return "other_answer" not in order and not order.startswith("output_2")


def _winner(reply: dict[str, Any], first: str, second: str) -> Callable[[Reading], Any]:
    """'1', '2' or 'tie' from the label, through the order in which the two answers were shown."""
    straight = _first_is_1(reply.get("order", ""))

    def winner(reading: Reading) -> Any:
        label = (reading.label or "").replace(">>", ">")
        if label not in {first, second}:
            return "tie"
        return "1" if (label == first) is straight else "2"

    return winner


def _shape(name: str, reply: dict[str, Any]) -> Shaped:
    recorded, judge = reply.get("verdict"), reply["judge"]
    if name in _BY_LABEL:
        return _BY_LABEL[name], lambda reading: reading.label, recorded or None
    if name == "nomiracl":
        return _NOMIRACL, lambda reading: str(reading.label).startswith("Yes"), recorded
    if name == "faithbench-nc":
        return _RAGAS, lambda reading: all(item["verdict"] == 1 for item in reading.items.values()), recorded
    if name in _BY_WINNER:
        contract, first, second = _BY_WINNER[name]
        return contract, _winner(reply, first, second), recorded
    if judge.endswith("Rating"):
        return _RATING, lambda reading: reading.score, recorded
    contract = _OUTPUT_COT if judge.endswith("CoT") else _OUTPUT
    return contract, _winner(reply, "Output (a)", "Output (b)"), recorded


FIRST_FIVE = ("wice_judge", "openqa_eval", "nomiracl", "faithbench-nc", "llmbar_pairwise")
DATA_SETS = (*FIRST_FIVE, "judgebench_pairwise", "crowdrag_pairwise", "summhay")


def raw_replies(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    """The logged replies of a data set that kept their text."""
    for line in gzip.decompress((folder / f"{name}.jsonl.gz").read_bytes()).splitlines():
        for reply in json.loads(line).get("judge_replies", ()):
            if isinstance(reply.get("reply"), str):
                yield reply


def agreement(folder: Path, name: str, *, shown: int = 0) -> Agreement:
    """Reads all replies of a data set; prints the first `shown` that do not agree."""
    count: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for reply in raw_replies(folder, name):
        contract, verdict_of, recorded = _shape(name, reply)
        reading = read_reply(reply["reply"], contract)
        if not reading.accepted:
            kinds[str(reading.error_kind)] += 1
        said = verdict_of(reading) if reading.accepted else None
        how = _how(recorded, said, accepted=reading.accepted)
        count["replies"] += 1
        count["recorded"] += recorded is not None
        count[how] += 1
        count["unsound"] += _is_unsound(how, reply["reply"])
        if how in {"differing", "unread", "made"} and shown:
            shown -= 1
            print(
                "   ", how, recorded, said, reading.error_kind, repr(reply["reply"][:150]), repr(reply["reply"][-90:])
            )
    return Agreement(**{name: count[name] for name in Agreement._fields if name != "kinds"}, kinds=kinds)


def _is_unsound(how: str, text: str) -> bool:
    """Whether a record that we do not share is wrong on its face."""
    if how == "differing":  # all that a pairwise reply calls better is the output that the log does not name
        return len(set(re.findall(r"Output \(([ab])\) is (?:the )?better", text))) == 1
    if how == "unread":  # 'Please answer "Yes, ..." or "I don't know"': the form, repeated
        labels = re.findall(r"(.)(?:Yes, answer is present|I don't know)", text)
        return bool(labels) and all(before in "\"'\u201c" for before in labels)
    return False


def _how(recorded: Any, said: Any, *, accepted: bool) -> str:
    if recorded is None:
        return "made" if accepted else "both none"
    if not accepted:
        return "unread"
    return "agreeing" if said == recorded else "differing"


def main() -> None:
    """Prints the table."""
    arguments = [each for each in sys.argv[1:] if not each.startswith("-")]
    folder = Path(arguments[0]) if arguments else Path(__file__).resolve().parents[2] / "shared" / "data"
    shown = 25 if "--show" in sys.argv else 0
    print(f"{'data set':22} replies recorded agreeing differing unread made unsound   share  of sound  kinds of error")
    for name in DATA_SETS:
        found = agreement(folder, name, shown=shown)
        read = f"{found.replies:7} {found.recorded:8} {found.agreeing:8}"
        unlike = f"{found.differing:9} {found.unread:6} {found.made:4} {found.unsound:7}"
        shares = f"{found.share:7.2%} {found.share_of_sound:9.2%}"
        print(f"{name:22} {read} {unlike} {shares}  {dict(found.kinds.most_common(4))}")


if __name__ == "__main__":
    main()
