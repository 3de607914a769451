"""Settings of the rules: the `[rules]` table of goldassay.toml, one sub-model per rule.

Every field has a default that suits a fresh project; unknown names are refused
with the nearest known one. Knows nothing of how a rule works. A new rule adds its
model here, under its own heading, and one field to `RulesConfig`.
"""

from __future__ import annotations

import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from goldassay.rules.json_schema import schema_validator
from goldassay.rules.linear_regex import check_pattern

__all__ = [
    "BannedWordingConfig",
    "CitedSupportConfig",
    "CitesConfig",
    "EntitiesConfig",
    "FormatConfig",
    "KeyFactConfig",
    "LanguageConfig",
    "LengthConfig",
    "LinksConfig",
    "MarkdownPart",
    "NoHedgingConfig",
    "NumbersConfig",
    "PrivateDataConfig",
    "QuotesConfig",
    "RefusalConfig",
    "RuleSettings",
    "RulesConfig",
    "StrataConfig",
    "SupportConfig",
    "with_citation_base",
]

Decision = Literal["pass", "fail", "unsure"]
Severity = Literal["gate", "warn"]


class RuleSettings(BaseModel):
    """Base of every rule's settings: frozen, and unknown names are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


# --- numbers -----------------------------------------------------------------------------------


class NumbersConfig(RuleSettings):
    """Settings of `numbers`: what becomes of a number that stands in no source as written."""

    look_in: Literal["cited", "all"] = "cited"
    """'cited': those the sentence cites, else the answer, else all sent ones; 'all': all sent ones."""
    uncited_source: Decision = "fail"
    """The number stands only in a sent source that the answer, or the number's own sentence, does not cite."""
    question_only: Decision = "unsure"
    """It stands only in the question or an earlier turn."""
    rounded: Decision = "pass"
    """A source has it with more digits: 25 % for 25.3 %, 'about 20' for 21."""
    converted: Decision = "pass"
    """A source has the same amount in another form: 90 minutes for 1.5 hours, 13 % for 0.13."""
    reckoned: Decision = "unsure"
    """The answer says that it reckoned, from figures of the sources: an age, a span of years, a total."""
    derived: Decision = "fail"
    """It is the sum or difference of two numbers of one source."""
    ambiguous: Decision = "unsure"
    """Whether it stands there depends on how a separator is read, and the language of the text does not tell."""
    unknown_name: Decision = "unsure"
    """An identifier (COVID-19, K-204) stands in no source, nor does another of its kind."""
    vague_counts: Decision = "unsure"
    """A small count ('two', '3 reasons') stands in no source: it may count what the answer itself tells."""


# --- key_fact ----------------------------------------------------------------------------------


class KeyFactConfig(RuleSettings):
    """Settings of `key_fact`."""

    fuzzy: float | None = Field(default=None, ge=0, le=100)
    """Least similarity (0-100) at which a wording counts as the fact; None: exact words only."""


# --- cites -------------------------------------------------------------------------------------


class CitesConfig(RuleSettings):
    """Settings of `cites`: which marks are citations and where one must stand."""

    require: Literal["answer", "sentence", "claim_with_number", "none"] = "answer"
    """Where a citation must stand: somewhere, in every sentence, in every sentence with a number, nowhere."""
    base: Literal["auto", 0, 1] = "auto"
    """Number of the first source in the assistant's marks; 'auto': told from ids and answers."""
    parentheses: bool = False
    """Whether '(1)' is a citation."""
    superscripts: bool = True
    """Whether a superscript behind a word is a citation (never behind a unit: 'm²')."""


# --- cited_support -----------------------------------------------------------------------------


class CitedSupportConfig(RuleSettings):
    """Settings of `cited_support`: shares of a sentence's words, weighted by rarity."""

    held: float = Field(default=0.5, ge=0, le=1)
    """From here on the cited source holds the sentence."""
    absent: float = Field(default=0.3, ge=0, le=1)
    """Below it the sentence fails; between the two a judge must say."""
    elsewhere: float = Field(default=0.8, ge=0, le=1)
    """From here on another source holds the sentence: misattributed."""


# --- refusal -----------------------------------------------------------------------------------


class RefusalConfig(RuleSettings):
    """Settings of `refusal`."""

    sentences: tuple[str, ...] = ()
    """The assistant's own refusal sentences; case, punctuation and spacing do not count."""
    common_forms: bool = True
    """Whether the shipped wordings of many languages count beside them."""


# --- length ------------------------------------------------------------------------------------


class LengthConfig(RuleSettings):
    """Settings of `length`; every bound is included, None is no bound."""

    min_words: int | None = Field(default=None, ge=0)
    """Fewest words of an answer; None: no limit."""
    max_words: int | None = Field(default=None, ge=1)
    """Each Chinese or Japanese character counts as one word; citation marks count nowhere."""
    min_characters: int | None = Field(default=None, ge=0)
    """Fewest characters; None: no limit."""
    max_characters: int | None = Field(default=None, ge=1)
    """Most characters; None: no limit."""
    min_sentences: int | None = Field(default=None, ge=0)
    """Fewest sentences; None: no limit."""
    max_sentences: int | None = Field(default=None, ge=1)
    """Most sentences; None: no limit."""


# --- wording -----------------------------------------------------------------------------------


class BannedWordingConfig(RuleSettings):
    """Settings of `banned_wording`; the rule runs once a phrase is listed."""

    phrases: tuple[str, ...] = ()
    """Wordings that must not stand in an answer; case, quotes and spacing do not count."""
    whole_words: bool = True
    """Whether 'art' is left alone inside 'party'."""
    inflected: bool = False
    """Whether each word may carry another ending of up to four letters ('guarantee', 'guaranteed')."""


class NoHedgingConfig(RuleSettings):
    """Settings of `no_hedging`."""

    phrases: tuple[str, ...] = ()
    """Wordings beside the shipped ones."""
    allowed: tuple[str, ...] = ()
    """Shipped wordings that are fine here."""


# --- format ------------------------------------------------------------------------------------

MarkdownPart = Literal[
    "heading", "bullet_list", "numbered_list", "table", "code_block", "html", "image", "bold", "emoji"
]


class FormatConfig(RuleSettings):
    """Settings of `format`; the rule runs once one of them is set."""

    is_json: bool = False
    """Whether the answer must be one JSON value."""
    json_schema: dict[str, Any] | None = None
    """JSON Schema that the answer must meet; references lead inside it only."""
    allows_fence: bool = True
    """Whether JSON may stand in a code fence."""
    pattern: str | None = None
    """RE2 pattern that must match somewhere in the answer; anchor it to match the whole."""
    forbidden_pattern: str | None = None
    """RE2 pattern that must match nowhere."""
    max_paragraphs: int | None = Field(default=None, ge=1)
    """1: one paragraph."""
    without: tuple[MarkdownPart, ...] = ()
    """Parts of Markdown that must not stand in the answer."""
    needs: tuple[MarkdownPart, ...] = ()
    """Parts of Markdown that must stand in it."""
    spares_refusals: bool = True
    """Whether a refusal may have any shape."""

    @model_validator(mode="after")
    def _can_be_used(self) -> FormatConfig:
        """A pattern or schema that cannot be read stops the run before any answer is checked."""
        for pattern in (self.pattern, self.forbidden_pattern):
            if pattern is not None:
                check_pattern(pattern)
        if self.json_schema is not None:
            schema_validator(json.dumps(self.json_schema, sort_keys=True))
        return self


# --- what the sources must hold ------------------------------------------------------------------


class LanguageConfig(RuleSettings):
    """Settings of `language`."""

    expected: str | None = None
    """Two-letter code of the language every answer must speak; None: that of the question."""
    least_certainty: float = Field(default=0.5, ge=0, le=1)
    """Below it another language is `unsure` and not a failure."""


class QuotesConfig(RuleSettings):
    """Settings of `quotes`."""

    min_words: int = Field(default=4, ge=1)
    """Shorter quotations are terms or titles and are left alone."""


class LinksConfig(RuleSettings):
    """Settings of `links`."""

    allowed_hosts: tuple[str, ...] = ()
    """Hosts that may always be linked to, their subdomains included."""


class EntitiesConfig(RuleSettings):
    """Settings of `entities`, which is off by default."""

    allowed: tuple[str, ...] = ()
    """Names that may always be used, for instance the product's own."""


class PrivateDataConfig(RuleSettings):
    """Settings of `private_data`."""

    kinds: tuple[Literal["email", "phone", "card_number", "account_number"], ...] = (
        "email", "phone", "card_number", "account_number",
    )  # fmt: skip
    """Which kinds are looked for."""
    allowed: tuple[str, ...] = ()
    """Addresses and numbers that may always be given, for instance the support line."""


# --- support -----------------------------------------------------------------------------------


class SupportConfig(RuleSettings):
    """Settings of `support`."""

    threshold: float | None = Field(default=None, ge=0, le=1)
    """Least score that passes; None: the shipped one, fitted over many kinds of answers."""


# --- all rules ---------------------------------------------------------------------------------


class StrataConfig(RuleSettings):
    """On which strata of the golden set a rule runs; records without a stratum always run."""

    only: tuple[str, ...] | None = None
    """None: all strata."""
    skip: tuple[str, ...] = ()


class RulesConfig(BaseModel):
    """Which rules run, how strictly, and on what."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    gate: tuple[str, ...] = ("cites", "numbers", "refusal", "key_fact")
    """A failure of these fails the answer; all others warn."""
    enabled: tuple[str, ...] | None = None
    """Names of the rules to run; None: those that are on by default."""
    custom: tuple[str, ...] = ()
    """Own rules as 'file.py:function', the path relative to the project file."""
    severity: dict[str, Severity] = Field(default_factory=dict)
    """Per rule; goes before `gate`."""
    strata: dict[str, StrataConfig] = Field(default_factory=dict)
    """Per rule: on which strata it runs."""

    numbers: NumbersConfig = NumbersConfig()
    key_fact: KeyFactConfig = KeyFactConfig()
    cites: CitesConfig = CitesConfig()
    cited_support: CitedSupportConfig = CitedSupportConfig()
    refusal: RefusalConfig = RefusalConfig()
    length: LengthConfig = LengthConfig()
    banned_wording: BannedWordingConfig = BannedWordingConfig()
    no_hedging: NoHedgingConfig = NoHedgingConfig()
    format: FormatConfig = FormatConfig()
    language: LanguageConfig = LanguageConfig()
    quotes: QuotesConfig = QuotesConfig()
    links: LinksConfig = LinksConfig()
    entities: EntitiesConfig = EntitiesConfig()
    private_data: PrivateDataConfig = PrivateDataConfig()
    support: SupportConfig = SupportConfig()

    @model_validator(mode="before")
    @classmethod
    def _list_of_own_rules(cls, value: Any) -> Any:
        """`rules = ["my_rules.py:no_prices"]` is short for `[rules] custom = [...]`."""
        return {"custom": value} if isinstance(value, list | tuple) else value


def with_citation_base(config: RulesConfig, base: int | None) -> RulesConfig:
    """The settings with the numbering (0 or 1) that a log was seen to use, unless the operator set one."""
    if base is None or config.cites.base != "auto":
        return config
    return config.model_copy(update={"cites": config.cites.model_copy(update={"base": base})})
