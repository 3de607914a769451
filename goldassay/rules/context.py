"""What a rule may look at: one record with its texts normalised, each thing computed once and only if asked for.

Three answers belong to other rules and are fetched lazily from their modules:

- `RuleContext.cited` is `goldassay.rules.cites.resolve_citations(context) -> Citations`;
- `RuleContext.numbers` is `goldassay.rules.numbers.numbers(context, context.config.numbers) -> Finding`;
- `RuleContext.is_refusal` is `goldassay.rules.refusal.judge_refusal(context, context.config.refusal)
  -> RefusalJudgement`, its field `is_refusal`: True, False, or None where only a judge can tell.

`Citations` and `RefusalJudgement` are defined here, so that no rule imports another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar, overload

from goldassay.records import AnswerRecord, GoldenQuestion
from goldassay.rules.settings import RulesConfig
from goldassay.text import NormalText, TextCache, letter_words, normalise
from goldassay.verdicts import Finding

__all__ = ["MOST_CHARACTERS", "Citations", "RefusalJudgement", "RuleContext", "SourceCache", "blanked"]


MOST_CHARACTERS = 100_000
"""Characters of an answer that rules read: some forty pages; what is longer was made to cost time."""


class Citations(NamedTuple):
    """What the answer cites, resolved against the sources sent."""

    cited: tuple[str, ...] = ()
    """Ids in order of first use, lists and ranges expanded, the unknown ones among them."""
    unknown: tuple[str, ...] = ()
    """Cited ids that were never sent."""
    known: tuple[int, ...] = ()
    """Positions in `record.sources` of the cited ones that were sent, ascending."""
    spans: tuple[tuple[int, int], ...] = ()
    """Spans in `context.answer.text` of every citation mark and of a source list at the end, ascending."""
    uses: tuple[tuple[int, int, tuple[int, ...]], ...] = ()
    """(start, end, positions in `record.sources`) of each mark in `context.answer.text`."""
    listed: tuple[str, ...] = ()
    """Ids in a source list at the end, which is no use."""
    flags: tuple[str, ...] = ()


class RefusalJudgement(NamedTuple):
    """Whether the answer refuses to answer."""

    is_refusal: bool | None
    """None: a rule cannot know."""
    reason: str = ""
    span: tuple[int, int] | None = None
    """The refusing words in `context.answer.text`; None where there are none."""
    may_answer: bool = False
    """Whether the refusing words may be the very answer: the question asks what a document holds or lacks."""


class SourceCache(TextCache[NormalText]):
    """Normalised sources, kept over records: in real logs the same passages come again and again.

    Args:
        max_characters: Bound on the sum of the kept texts' lengths; the least recently used go first.
    """

    def __init__(self, max_characters: int = 4_000_000) -> None:
        super().__init__(normalise, max_characters)


_Value = TypeVar("_Value")


class _Once(Generic[_Value]):
    """A property computed when first asked for; `functools.cached_property` takes a lock each time, this does not."""

    def __init__(self, function: Callable[[Any], _Value]) -> None:
        self._function = function
        self._name = function.__name__
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> _Once[_Value]: ...
    @overload
    def __get__(self, owner: object, kind: type) -> _Value: ...
    def __get__(self, owner: object, kind: type) -> _Once[_Value] | _Value:
        if owner is None:
            return self
        value = owner.__dict__[self._name] = self._function(owner)
        return value


class RuleContext:
    """One record as the rules see it.

    Args:
        record: The logged answer.
        golden: Its golden question, if any.
        config: Settings of all rules.
        cache: Shared over records; None: none.
    """

    def __init__(
        self,
        record: AnswerRecord,
        golden: GoldenQuestion | None = None,
        config: RulesConfig | None = None,
        cache: SourceCache | None = None,
    ) -> None:
        self.record = record
        self.golden = golden
        self.config = config if config is not None else _DEFAULT_CONFIG
        self.cache = cache if cache is not None else SourceCache()

    @_Once
    def answer(self) -> NormalText:
        """The answer in normal form; of an answer beyond all measure only the beginning."""
        return normalise(self.record.answer[:MOST_CHARACTERS])

    @property
    def is_cut(self) -> bool:
        """Whether the answer is so long that only its beginning is read."""
        return len(self.record.answer) > MOST_CHARACTERS

    @_Once
    def question(self) -> NormalText:
        """The question in normal form."""
        return normalise(self.record.question)

    @_Once
    def sources(self) -> tuple[NormalText, ...]:
        """The sources in normal form, in the order sent."""
        return tuple([self.cache.get(source.text) for source in self.record.sources])

    @_Once
    def vocabulary(self) -> frozenset[str] | None:
        """The runs of letters in the answer, in lower case, by which rules see at once that they have nothing to do.

        None for an answer with other than ASCII characters, where letters have more forms than one.
        """
        answer = self.answer
        if not answer.text.isascii():
            return None
        return frozenset(self.prose_words if answer.prose is answer.text else letter_words(answer.text))

    @_Once
    def prose_words(self) -> list[str]:
        """The runs of letters in the prose of the answer, in lower case and in order."""
        return letter_words(self.answer.prose)

    @_Once
    def own_words(self) -> str:
        """The prose of the answer with every citation mark blanked; as long as `answer.text`."""
        return blanked(self.answer.prose, self.cited.spans)

    @_Once
    def cited(self) -> Citations:
        """What the answer cites."""
        from goldassay.rules.cites import resolve_citations  # noqa: PLC0415 - cites itself needs RuleContext

        return resolve_citations(self)

    @_Once
    def refusal(self) -> RefusalJudgement:
        """Whether and where the answer refuses."""
        from goldassay.rules.refusal import judge_refusal  # noqa: PLC0415 - refusal itself needs RuleContext

        return judge_refusal(self, self.config.refusal)

    @_Once
    def numbers(self) -> Finding:
        """What rule `numbers` says."""
        from goldassay.rules.numbers import numbers  # noqa: PLC0415 - numbers itself needs RuleContext

        return numbers(self, self.config.numbers)

    @property
    def is_refusal(self) -> bool | None:
        """True: the answer refuses; None: a rule cannot know."""
        return self.refusal.is_refusal


def blanked(text: str, spans: tuple[tuple[int, int], ...]) -> str:
    """The text with spaces in place of the spans, which are in order of their start."""
    if not spans:
        return text
    parts: list[str] = []
    done = 0
    for start, end in spans:
        if end > done:
            begin = max(done, start)
            parts += (text[done:begin], " " * (end - begin))
            done = end
    parts.append(text[done:])
    return "".join(parts)


_DEFAULT_CONFIG = RulesConfig()
