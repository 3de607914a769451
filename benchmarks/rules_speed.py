"""How fast the rules are: answers a second on one core, beside floors measured in the same run.

    python benchmarks/rules_speed.py [ANSWERS] [--workers N] [--profile]

Generated answers with four sources of about 300 words each, seeded. In the first scenario all text is
unique, so that the source cache never helps: the worst case. In the second each source comes in 20
answers, in any order, as it does in a real log. Prints ratios to floors, since machines differ.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import random
import re
import resource
import time
from collections.abc import Iterable, Iterator

import orjson

from goldassay.records import AnswerRecord, GoldenQuestion, Source
from goldassay.rules import RulesConfig, RuleSet, load_rules
from goldassay.rules.batch import check_records

_NOUN_TEXT = "budget committee turbine ledger river patient vaccine orbit harbour contract tariff reactor survey census"
_VERB_TEXT = "reported recorded approved measured reduced expanded replaced inspected financed published audited"
_ADJECTIVE_TEXT = "annual regional coastal digital revised northern quarterly industrial municipal federal clinical"
_ADVERB_TEXT = "sharply slowly formally partly again jointly quietly steadily later twice"
_NAME_TEXT = "Alden Brisco Corvane Delmar Estrin Farrow Galway Hesper Jorvik Kestrel Lomond Novane Orsted"
_NOUNS, _VERBS, _ADJECTIVES = _NOUN_TEXT.split(), _VERB_TEXT.split(), _ADJECTIVE_TEXT.split()
_ADVERBS, _NAMES = _ADVERB_TEXT.split(), _NAME_TEXT.split()
_WORDS_A_SOURCE = 296
_ANSWERS_A_SOURCE = 20
_SAMPLE = 4000


def _sentence(pick: random.Random) -> str:
    kind, adjective, noun, other = pick.random(), pick.choice(_ADJECTIVES), pick.choice(_NOUNS), pick.choice(_NOUNS)
    verb, name, adverb = pick.choice(_VERBS), pick.choice(_NAMES), pick.choice(_ADVERBS)
    if kind < 0.45:
        year, count = pick.randint(1950, 2025), pick.randint(2, 99999)
        return f"In {year} the {adjective} {noun} of {name} {verb} {count:,} units of the {other}, {adverb} above plan."
    if kind < 0.75:
        share = f"{pick.randint(1, 99)}.{pick.randint(0, 9)}"
        return f"The {name} {noun} {verb} its {adjective} {other} {adverb}, the share rose to {share} percent by March."
    rest = f"while the {pick.choice(_NOUNS)} stayed as it was."
    return f"According to {name}, the {adjective} {noun} {verb} the {other} {rest}"


def _source(pick: random.Random, number: int, place: int) -> tuple[str, str]:
    sentences: list[str] = []
    words = 0
    while words < _WORDS_A_SOURCE:
        sentences.append(_sentence(pick))
        words += len(sentences[-1].split())
    return f"Document {number}-{place}. " + " ".join(sentences), pick.choice(sentences)


def _answer(pick: random.Random, facts: list[str]) -> str:
    second = 2 if pick.random() < 0.7 else 3
    text = f"{facts[0].rstrip('.')} [1]. {facts[second - 1].rstrip('.')} [{second}]."
    while len(text.split()) < 56:
        text += (
            f" This follows from the {pick.choice(_ADJECTIVES)} {pick.choice(_NOUNS)} as the sources say [{second}]."
        )
    if pick.random() < 0.06:
        text += f" A further {pick.randint(100000, 999999)} were added."
    return text + (" [7]" if pick.random() < 0.05 else "")


def pairs(count: int, seed: int = 7) -> Iterator[tuple[AnswerRecord, GoldenQuestion | None]]:
    """Records with their golden questions; 6 % hold an invented number, 5 % cite a source that was not sent."""
    for number in range(count):
        pick = random.Random(seed * 1_000_003 + number)
        made = [_source(pick, number, place) for place in range(1, 5)]
        facts = [fact for _, fact in made]
        question = f"What did the {pick.choice(_ADJECTIVES)} {pick.choice(_NOUNS)} report in case {number}?"
        fact = " ".join(facts[0].split()[3:9]).rstrip(".,")
        record = AnswerRecord(
            record_id=f"r{number:07d}",
            question=question,
            answer=_answer(pick, facts),
            sources=tuple(Source(id=str(place), text=text) for place, (text, _) in enumerate(made, start=1)),
        )
        yield record, GoldenQuestion(question_id=record.record_id, question=question, key_facts=((fact,),))


def recurring_pairs(count: int, seed: int = 11) -> Iterator[tuple[AnswerRecord, GoldenQuestion | None]]:
    """The same with sources of which each comes in 20 answers, each time as another object, as records are read."""
    made = random.Random(seed)
    texts = [_source(made, number, 0)[0] for number in range(max(4, 4 * count // _ANSWERS_A_SOURCE))]
    for record, golden in pairs(count, seed):
        pick = random.Random(record.record_id)
        chosen = [text[:1] + text[1:] for text in pick.sample(texts, 4)]
        facts = [pick.choice(text.split(". ")[1:-1]) for text in chosen]
        sources = tuple(Source(id=str(place), text=text) for place, text in enumerate(chosen, start=1))
        fact = " ".join(facts[0].split()[3:9]).rstrip(".,")
        changed = record.model_copy(update={"sources": sources, "answer": _answer(pick, facts)})
        yield changed, golden.model_copy(update={"key_facts": ((fact,),)}) if golden is not None else None


def _seconds(work: Iterable[object]) -> float:
    start = time.process_time()
    for _ in work:
        pass
    return time.process_time() - start


def _floor_json(lines: list[bytes]) -> Iterator[object]:
    return (orjson.loads(line) for line in lines)


_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_MARK = re.compile(r"\[(\d+)\]")


def _floor_regex(records: list[AnswerRecord]) -> Iterator[object]:
    """Three plain regular expressions that read all sources: wrong on real answers, but a floor."""
    for record in records:
        there = {m for source in record.sources for m in _NUMBER.findall(source.text)}
        cited = {int(m) <= len(record.sources) for m in _MARK.findall(record.answer)}
        yield all(m in there for m in _NUMBER.findall(_MARK.sub("", record.answer))), cited, len(record.answer.split())


def _peak_mb(who: int = resource.RUSAGE_SELF) -> float:
    return resource.getrusage(who).ru_maxrss / 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("answers", nargs="?", type=int, default=4000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--each", action="store_true", help="each rule alone")
    args = parser.parse_args()
    sample = list(pairs(min(args.answers, _SAMPLE)))
    rules = load_rules()
    if args.profile:
        _profile(sample, rules)
        return
    floor = _floors(sample)
    if args.each:
        _each(sample, rules)
    _alone("all default rules, one core", rules, sample, floor)
    _alone("the same, sources recur", load_rules(), list(recurring_pairs(len(sample))), floor)
    _alone("support alone", load_rules(RulesConfig(enabled=("support",))), sample[:1000], floor)
    _all(args.answers, rules, args.workers, sample)


def _floors(sample: list[tuple[AnswerRecord, GoldenQuestion | None]]) -> float:
    """Print the floors; the one to compare with is the three regular expressions."""
    rate = 0.0
    records = [record for record, _ in sample]
    lines = [orjson.dumps(record.model_dump()) for record in records]
    for name, work in (("orjson alone", _floor_json(lines)), ("three regular expressions", _floor_regex(records))):
        rate = len(records) / _seconds(work)
        print(f"{name:32} {rate:>10,.0f} answers/s")
    return rate


def _alone(name: str, rules: RuleSet, sample: list[tuple[AnswerRecord, GoldenQuestion | None]], floor: float) -> None:
    rate = len(sample) / _seconds(rules.check(record, golden) for record, golden in sample)
    print(f"{name:32} {rate:>10,.0f} answers/s, {rate / floor:.2f} of the three regular expressions")


def _each(sample: list[tuple[AnswerRecord, GoldenQuestion | None]], rules: RuleSet) -> None:
    for name in rules.names:
        alone = load_rules(RulesConfig(enabled=(name,)))
        took = _seconds(alone.check(record, golden) for record, golden in sample)
        print(f"  {name:30} {len(sample) / took:>10,.0f} answers/s")


def _all(count: int, rules: RuleSet, workers: int, sample: list[tuple[AnswerRecord, GoldenQuestion | None]]) -> None:
    took = _seconds(check_records(iter(sample), rules))
    print(f"{'the same with full rows':32} {len(sample) / took:>10,.0f} answers/s")
    before = _peak_mb()
    start = time.perf_counter()
    for _ in check_records(pairs(count), rules, workers=workers):
        pass
    rate = count / (time.perf_counter() - start)
    print(f"{f'made and checked, {workers} worker(s)':32} {rate:>10,.0f} answers/s of wall time, {count:,} answers")
    print(
        f"peak memory {_peak_mb():,.0f} MB, {_peak_mb() - before:,.0f} MB of it after the first {len(sample):,} answers"
        + (f"; of a worker {_peak_mb(resource.RUSAGE_CHILDREN):,.0f} MB" if workers > 1 else "")
    )


def _profile(sample: list[tuple[AnswerRecord, GoldenQuestion | None]], rules: RuleSet) -> None:
    profile = cProfile.Profile()
    profile.enable()
    _seconds(rules.check(record, golden) for record, golden in sample)
    profile.disable()
    pstats.Stats(profile).sort_stats("tottime").print_stats(45)


if __name__ == "__main__":
    main()
