"""How right the rules are: measured on answers that people labelled, printed as Markdown.

    python benchmarks/rules_accuracy.py [--data FOLDER] [--show SET]

Positive = "flag". Precision: share of the flagged answers that people call unfaithful. Recall: share of the
unfaithful answers that are flagged. Intervals are Wilson's, 95 %. Only outcome `fail` counts as a flag; `unsure`
is handed to a judge and counted apart. The baseline in the last columns is the literal rule after simple
normalising, measured in the same run. Labels are noisy: `--show SET` prints each flag that people call faithful.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from goldassay.analytics.statistics import wilson_interval
from goldassay.records import AnswerRecord, GoldenQuestion, Source, Turn
from goldassay.rules import RULES, RuleContext, RulesConfig, SourceCache, load_rules
from goldassay.verdicts import Finding, Outcome

_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
_WITH_SOURCES = (
    "attributionbench", "begin", "clapnq", "factcheckgpt_stance", "faithbench-nc", "mtrag_human", "q2_wow",
    "rgb_counterfactual-nc", "summ_summeval_qags", "summedits", "uhgeval_zh", "wice_claims", "wice_judge",
)  # fmt: skip
_CONFIG = RulesConfig()
_CACHE = SourceCache()

Row = dict[str, Any]


class Counts(NamedTuple):
    """Flags against labels."""

    true_flags: int = 0
    false_flags: int = 0
    missed: int = 0
    quiet: int = 0
    unsure: int = 0

    def plus(self, other: Counts) -> Counts:
        """The sums."""
        return Counts(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    def with_row(self, *, flagged: bool, is_bad: bool, unsure: bool = False) -> Counts:
        """One answer more."""
        return self.plus(
            Counts(
                flagged and is_bad, flagged and not is_bad, not flagged and is_bad, not flagged and not is_bad, unsure
            )
        )

    @property
    def flagged(self) -> int:
        """Answers flagged."""
        return self.true_flags + self.false_flags

    @property
    def bad(self) -> int:
        """Answers that people call bad."""
        return self.true_flags + self.missed

    @property
    def balanced_accuracy(self) -> float:
        """Mean of recall and specificity; NaN where one class is empty."""
        good = self.false_flags + self.quiet
        return (self.true_flags / self.bad + self.quiet / good) / 2 if self.bad and good else float("nan")


def rows_of(folder: Path, name: str) -> Iterator[Row]:
    """All rows of one data set."""
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def record_of(row: Row) -> AnswerRecord:
    """The row as a logged answer; earlier turns are kept where the data set has them."""
    turns = row.get("label_detail", {}).get("history") or ()
    return AnswerRecord(
        record_id=row["id"],
        question=row.get("question") or "",
        answer=row.get("answer") or "",
        sources=tuple(Source.model_validate(source) for source in row.get("sources") or ()),
        turns=tuple(
            Turn(role=str(t.get("speaker", "")), text=str(t.get("text", ""))) for t in turns if isinstance(t, dict)
        ),
    )


def _labelled(folder: Path, name: str, label: str) -> Iterator[tuple[Row, RuleContext]]:
    for row in rows_of(folder, name):
        if row.get("sources") and row.get("answer") and row.get("labels", {}).get(label) is not None:
            yield row, RuleContext(record_of(row), None, _CONFIG, _CACHE)


def _say(context: RuleContext, rule: str) -> Finding:
    spec = RULES[rule]
    return spec.function(context, getattr(_CONFIG, spec.config_field))


# --- the baseline ------------------------------------------------------------------------------

_LITERAL = re.compile(r"\d+(?:[.,]\d+)*")
_WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def _simply_normalised(text: str) -> str:
    text = re.sub(r"\[\d+(?:[,\s\-–]+\d+)*\]|\bpassages? \d+", " ", text)
    text = re.sub(r"(?m)^\s*\d{1,2}[.)]\s", " ", text)
    text = re.sub(r"(\d), (\d{3})\b", r"\1\2", text)
    return re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)


def _literal_numbers(text: str) -> set[str]:
    return {re.sub(r"\.0+$", "", number) for number in _LITERAL.findall(_simply_normalised(text))}


def baseline_flags(record: AnswerRecord) -> bool:
    """Whether some number of the answer stands in no source literally, after simple normalising."""
    sources = " \n".join(source.text for source in record.sources)
    there = _literal_numbers(sources)
    lower = sources.lower()
    there |= {str(value) for value, word in enumerate(_WORDS, start=1) if re.search(rf"\b{word}\b", lower)}
    return bool(_literal_numbers(record.answer) - there)


# --- tables ------------------------------------------------------------------------------------


def _rate(part: int, whole: int) -> str:
    if not whole:
        return "–"
    low, high = wilson_interval(part, whole)
    return f"{part / whole:.3f} ({low:.2f}–{high:.2f})"


def numbers_table(folder: Path, shown: str) -> None:
    """`numbers` against `faithful`."""
    print("## `numbers` against people's `faithful`\n")
    print("| data set | rows | unfaithful | flagged | precision | recall | unsure ", end="")
    print("| baseline: flagged | precision | recall |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    ours = theirs = Counts()
    for name in _WITH_SOURCES:
        mine, base = _numbers_counts(folder, name, show=name == shown)
        _numbers_row(name, mine, base)
        ours, theirs = ours.plus(mine), theirs.plus(base)
    _numbers_row("**pooled**", ours, theirs)
    print(
        f"\nFlags that people call faithful: {ours.false_flags}. `--show SET` prints them; in most of them the number"
    )
    print("really stands in no source (general knowledge, a year that was added, a sum): label noise, left in.\n")


def _numbers_counts(folder: Path, name: str, *, show: bool) -> tuple[Counts, Counts]:
    mine = base = Counts()
    for row, context in _labelled(folder, name, "faithful"):
        finding, is_bad = _say(context, "numbers"), not row["labels"]["faithful"]
        flagged = finding.outcome is Outcome.FAIL
        mine = mine.with_row(flagged=flagged, is_bad=is_bad, unsure=finding.outcome is Outcome.UNSURE)
        base = base.with_row(flagged=baseline_flags(context.record), is_bad=is_bad)
        if show and flagged and not is_bad:
            print(f"<!-- {row['id']}: {finding.reason} -->", file=sys.stderr)
    return mine, base


def _numbers_row(name: str, mine: Counts, base: Counts) -> None:
    total = sum(mine[:4])
    print(
        f"| {name} | {total} | {mine.bad} | {mine.flagged} | {_rate(mine.true_flags, mine.flagged)} "
        f"| {_rate(mine.true_flags, mine.bad)} | {mine.unsure} | {base.flagged} "
        f"| {_rate(base.true_flags, base.flagged)} | {_rate(base.true_flags, base.bad)} |"
    )


def citations_table(folder: Path) -> None:
    """`cites` and `cited_support` against `citation_ok`."""
    print("## Citations against people's `citation_ok`\n")
    print("| data set | rule | rows | bad | flagged | precision | recall | unsure |\n|---|---|---|---|---|---|---|---|")
    for name in ("attributionbench", "wice_claims"):
        for rule in ("cites", "cited_support"):
            if rule in RULES:
                _citation_row(folder, name, rule)
    print()


def _citation_row(folder: Path, name: str, rule: str) -> None:
    counts = Counts()
    for row, context in _labelled(folder, name, "citation_ok"):
        finding = _say(context, rule)
        is_bad_mark = finding.category is not None and finding.category.value != "missing_citation"
        flagged = finding.outcome is Outcome.FAIL and is_bad_mark
        unsure = finding.outcome is Outcome.UNSURE
        counts = counts.with_row(flagged=flagged, is_bad=not row["labels"]["citation_ok"], unsure=unsure)
    precision, recall = _rate(counts.true_flags, counts.flagged), _rate(counts.true_flags, counts.bad)
    total = sum(counts[:4])
    print(f"| {name} | {rule} | {total} | {counts.bad} | {counts.flagged} | {precision} | {recall} | {counts.unsure} |")


_REFUSAL_LABELS: tuple[tuple[str, str, Callable[[Row], bool | None]], ...] = (
    ("mtragun_reference", "unanswerable, the approved answer refuses", lambda row: _not(row.get("answerable"))),
    ("delucionqa_nosrc", "`does_not_answer`", lambda row: row["label_detail"].get("does_not_answer")),
    ("delucionqa_nosrc", "unanswerable", lambda row: _not(row.get("answerable"))),
)


def _not(value: bool | None) -> bool | None:  # noqa: FBT001 - a label
    return None if value is None else not value


def refusal_table(folder: Path) -> None:
    """Detected refusals against labels."""
    print("## Detected refusals\n")
    print("| data set | label | rows | refusals | detected | precision | recall | left to a judge |")
    print("|---|---|---|---|---|---|---|---|")
    for name, label, read in _REFUSAL_LABELS:
        counts = Counts()
        for row in rows_of(folder, name):
            is_refusal = read(row)
            if is_refusal is not None and row.get("answer"):
                said = RuleContext(record_of(row), None, _CONFIG, _CACHE).is_refusal
                counts = counts.with_row(flagged=said is True, is_bad=is_refusal, unsure=said is None)
        precision, recall = _rate(counts.true_flags, counts.flagged), _rate(counts.true_flags, counts.bad)
        sizes = f"{sum(counts[:4])} | {counts.bad} | {counts.flagged}"
        print(f"| {name} | {label} | {sizes} | {precision} | {recall} | {counts.unsure} |")
    print()


def false_alarms_table(folder: Path) -> None:
    """Every default rule on answers that people wrote from the source."""
    print("## False alarms on the human-written answers of clapnq\n")
    print("| rule | fail | unsure | rows |\n|---|---|---|---|")
    rules = load_rules()
    tally: dict[str, list[Outcome]] = {name: [] for name in rules.names}
    for row in rows_of(folder, "clapnq"):
        if row.get("answer") and row.get("sources"):
            golden = GoldenQuestion(question_id=row["id"], question=row["question"], answerable=row["answerable"])
            for name, finding in rules.check(record_of(row), golden):
                tally[name].append(finding.outcome)
    for name, outcomes in tally.items():
        note = " (the answers cite nothing)" if name == "cites" else ""
        fails, unsure = outcomes.count(Outcome.FAIL), outcomes.count(Outcome.UNSURE)
        print(f"| {name}{note} | {_rate(fails, len(outcomes))} | {_rate(unsure, len(outcomes))} | {len(outcomes)} |")
    print()


def support_table(folder: Path) -> None:
    """Balanced accuracy of `support`, one setting for all sets."""
    if "support" not in RULES:
        return
    print("## `support` against people's `faithful`, one setting\n")
    print("Fitted on these rows (not on the `-nc` sets); docs/rules.md has the cross-validated figures.\n")
    print("| data set | rows | unfaithful | precision | recall | balanced accuracy |\n|---|---|---|---|---|---|")
    found: list[float] = []
    for name in _WITH_SOURCES:
        counts = Counts()
        for row, context in _labelled(folder, name, "faithful"):
            flagged = _say(context, "support").outcome is Outcome.FAIL
            counts = counts.with_row(flagged=flagged, is_bad=not row["labels"]["faithful"])
        precision, recall = _rate(counts.true_flags, counts.flagged), _rate(counts.true_flags, counts.bad)
        print(
            f"| {name} | {sum(counts[:4])} | {counts.bad} | {precision} | {recall} | {counts.balanced_accuracy:.3f} |"
        )
        if counts.balanced_accuracy == counts.balanced_accuracy:
            found.append(counts.balanced_accuracy)
    print(f"\nMean balanced accuracy over the {len(found)} sets with both classes: {sum(found) / len(found):.3f}\n")


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=_DATA)
    parser.add_argument("--show", default="", metavar="SET", help="print the flags of a set that people call faithful")
    parser.add_argument("--only", default="", help="one of numbers, citations, refusal, alarms, support")
    args = parser.parse_args()
    if not args.data.is_dir():
        print(f"skipped: no labelled data at {args.data.name!r} beside the project")
        return
    tables: dict[str, Callable[[], None]] = {
        "numbers": lambda: numbers_table(args.data, args.show),
        "citations": lambda: citations_table(args.data),
        "refusal": lambda: refusal_table(args.data),
        "alarms": lambda: false_alarms_table(args.data),
        "support": lambda: support_table(args.data),
    }
    for name, table in tables.items():
        if args.only in {"", name}:
            table()


if __name__ == "__main__":
    main()
