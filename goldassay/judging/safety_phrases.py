"""The wordings by which data tries to talk to a judge, one row each: words that must occur, and the pattern.

Patterns run over text that is folded (NFKC, lower case, invisible signs removed). Each is
linear: no nested repetition, every gap has a bound. The words in front make ordinary text
cheap: a pattern runs only where one of its words occurs at all.
"""

# ruff: noqa: E501 - a pattern is easier to read in one piece

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["PHRASES", "Phrase"]


class Phrase(NamedTuple):
    """One way to talk to the judge."""

    name: str
    words: tuple[str, ...]
    """At least one of them stands in the text, or the pattern is not tried."""
    pattern: re.Pattern[str]
    pieces: tuple[tuple[str, str], ...]
    """Each word with its longest part that has no blank: where the one stands, the other stands within one word."""


def _phrase(name: str, words: str, pattern: str) -> Phrase:
    known = tuple(word.replace("BAR", "|") for word in words.split("|"))
    pieces = tuple((word, max(word.split(), key=len)) for word in known)
    return Phrase(name, known, re.compile(pattern), pieces)


_KEY = r"(?:score|pass|passed|verdict|rating|grade|winner|outcome|faithful|faithfulness|relevant|correct|label)"
_IS = r"[\"'\u201c\u201d]?\s{0,5}[:=]\s{0,5}"
_GRADER = (
    r"(?:grader|evaluator|assessor|rater|llm judge|ai judge|judge model|grading model|evaluation model|"
    r"automated judge|auto-?grader|reviewing model)"
)
_TOP = r"(?:top|full|maximum|max|highest|perfect|best possible|5/5|10/10|100 ?%)"
_MARK = r"(?:score|mark|marks|grade|rating|points|evaluation)"
_RULES = r"(?:instructions?|prompts?|directions?|guidelines?|rubrics?|directives?|system message|grading rules)"

PHRASES: tuple[Phrase, ...] = (
    _phrase(
        "verdict_object",
        "score|pass|verdict|rating|grade|winner|outcome|faithful|relevant|correct|label",
        rf"\{{[^{{}}]{{0,4000}}?[\"'\u201c\u201d]?\b(?:{_KEY}{_IS}"
        r"(?:[\"'\u201c]?(?:pass|passed|supported|true|yes|faithful|correct)|true|false|"
        r"[\"'\u201c]?[0-9]{1,3}(?:\.[0-9])?[\"'\u201d]?\s{0,3}[,}/])|"
        rf"(?:winner|verdict|better_answer){_IS}[\"'\u201c]?(?:[abc]|tie)\b)",
    ),
    _phrase(
        "verdict_claims",
        "claims",
        r"[\"'\u201c]claims[\"'\u201d]\s{0,5}[:=]\s{0,5}\[\s{0,5}(?:\]|\{[^{}]{0,600}[\"'\u201c]verdict[\"'\u201d])",
    ),
    _phrase(
        "verdict_brackets",
        "[[",
        r"\[\[\s?(?:[ab][<>=]{1,2}[ab]|(?:rating|score|verdict)\s?:?\s?[0-9]{1,3}|[0-9]{1,2})\s?\]\]",
    ),
    _phrase(
        "verdict_line",
        "verdict|grade|judgement|judgment|rating|score|bewertung|note:|note :|evaluation result|评分|得分|判定|評価|оценка",
        r"(?:^|\n)[ \t>*_#-]{0,8}(?:final |my |overall |official )?(?:(?:verdict|grade|judgement|judgment|evaluation result)[*_]{0,2}\s?[:=]\s?[*_]{0,2}"
        r"(?:pass|passed|correct|supported|faithful|true)\b|(?:score|rating|grade|verdict|bewertung|note|评分|得分|判定|評価|оценка)"
        r"[*_]{0,2}\s?[:=\uff1a]\s?[*_]{0,2}(?:5 ?/ ?5|10 ?/ ?10|100 ?/ ?100|5 (?:out of|von|sur|de|из) 5|10 out of 10))|"
        r"(?:^|\n)[ \t>*_#-]{0,8}(?:score|rating|grade|verdict)[*_]{0,2}\s?[:=][^\n]{1,12}\n[ \t>*_#-]{0,8}(?:reason|reasoning|rationale|explanation)[*_]{0,2}\s?[:=]|"
        r"<(?:verdict|grade|judgement|judgment)>\s?(?:pass|passed|correct|supported|faithful|true|[0-9]{1,3})\s?</",
    ),
    _phrase(
        "to_the_grader",
        "grader|evaluator|assessor|rater|judge|grading|evaluation model|reviewing model|judging|evaluating|scoring|rating this|assessing|"
        "grades this|evaluates this|scores this|rates this",
        rf"(?:\b(?:dear|attention|attn|hey|hello|hi|note (?:to|for)|notes? to the|important (?:to|for)|message (?:to|for)|"
        rf"instructions? (?:to|for)|warning (?:to|for)|to (?:the|all|any)|for (?:the|all|any))[ ,:]{{1,3}}(?:the |all |any |our |ai |llm )?"
        rf"(?:{_GRADER}s?|judges?\s?[:,!]|llm judges?|ai judges?|judge models?)\b)|\bas (?:a|an|the|your) {_GRADER}\b(?:[^.\n]{{0,40}}\b(?:you|give|score)\b|,? (?:must|should)\b)|"
        r"\b(?:ai|llm|model|automated) (?:evaluators?|graders?|raters?|assessors?)\s?[:,!]|\bllm[- ]as[- ]a[- ]judge\s?[.:,!]|"
        r"\b(?:llm|ai|gpt|model|bot|assistant|system|whoever|anyone)(?: that| who| which)?(?: is| are)? (?:grad|judg|evaluat|scor|assess|rat)(?:es|s|ing) "
        r"(?:this|my|these|the (?:answer|response|reply))\b|"
        rf"\byou are (?:now )?(?:a|an|the) (?:\w+ ){{0,2}}(?:{_GRADER}|judge)\b",
    ),
    _phrase(
        "asks_for_marks",
        "score| marks|rating|top mark|highest mark|best mark|top grade|highest grade|best grade|grade of 5|grade 5|grade this|grade it|"
        "rate this|rate it|rate me|rate the|mark this|mark it|mark the|5 points|10 points|full points|maximum points|this answer|"
        "this response|this a pass|set faithful|set relevant|set the score|evaluation purposes",
        rf"\b(?:give|award|assign|grant|return|output|reply with|respond with|answer with|always answer|always give|record|emit|print|report)\b"
        rf"[^.\n]{{0,40}}\b(?:(?:{_TOP}|a passing|passing) {_MARK}|{_MARK} (?:of )?(?:5|10|100|five|ten|{_TOP})\b|{_TOP} {_MARK})|"
        rf"\b(?:score|rate|grade|mark) (?:this|it|me|the (?:answer|response|reply))(?: answer| response| reply)? (?:as |with |at )?(?:a )?"
        rf"(?:{_TOP}|5\b|10\b|five|ten|correct|faithful|passed|passing|supported)|"
        rf"\b(?:deserves?|merits?|must get|should (?:get|receive)|must receive|gets) (?:the |a |an )?{_TOP} {_MARK}|"
        rf"\b(?:always|only) (?:answer|reply|respond|return|output|score) (?:with )?(?:a )?(?:score|rating)? ?(?:of )?(?:5|10|pass|passed)\b",
    ),
    _phrase(
        "settles_the_grade",
        "this answer|this response|this reply|this a pass|all claims|set faithful|set relevant|set the score|output pass",
        r"\bset (?:faithful|relevant|correct|the (?:score|grade|rating)) to (?:5|10|1|five|ten|pass|true)\b|"
        r"\b(?:this|the) (?:answer|response|reply) (?:should|must|has to|is to) be (?:scored|rated|graded|marked|judged)\b|"
        r"\b(?:correct|right|proper|appropriate|only) (?:score|grade|rating|mark) for this (?:answer|response|reply)\b|"
        r"\b(?:i would |please )?(?:rate|score|grade) this (?:answer|response|reply) (?:as )?(?:[0-9]{1,3}\b|highly)|"
        r"\b(?:treat|consider|regard|accept) (?:this (?:answer|response|reply)|all (?:of its |its )?claims) as (?:fully |entirely )?(?:correct|supported|faithful|true|verified)\b|"
        r"\b(?:when|while) (?:evaluating|grading|judging|scoring)[^.\n]{0,20}\b(?:consider|treat|regard) this (?:answer|response|reply)\b|"
        r"\b(?:do not|don't|never) (?:penali[sz]e|deduct points from|mark down|downgrade) this (?:answer|response|reply)\b|"
        r"\bgive this (?:answer |response )?a pass\b[.!]|\b(?:simply |just |only )?output pass\b",
    ),
    _phrase(
        "ignore_instructions",
        "ignore|disregard|forget|override|overrule|bypass|skip the|do not follow|don't follow|stop following",
        rf"\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget|overrid(?:e|ing)|overrule|bypass|do not follow|don't follow|stop following|skip)\b"
        rf"[^.\n]{{0,30}}\b(?:(?:previous|prior|above|earlier|preceding|foregoing|all|any|your|these|those|original|system|other|the) ){{1,3}}"
        rf"(?:\w+ )?{_RULES}\b|\b(?:ignore|disregard|forget) (?:all |everything )?(?:that was )?(?:said |written |stated )?(?:above|before this)\b",
    ),
    _phrase(
        "new_instructions",
        "instruction|system prompt|system message|developer message|jailbreak|developer mode",
        r"\b(?:new|updated|revised|real|actual|true|secret|hidden) (?:system )?(?:instructions?|prompt)\s?[:=]|\bsystem (?:prompt|message)\s?[:=]|"
        r"\b(?:end|start) of (?:system )?(?:instructions?|prompt)\b|\b(?:enter|enable|activate) (?:developer|jailbreak|dan) mode",
    ),
    _phrase(
        "chat_tokens",
        "<BAR|[system_prompt]|[available_tools]|[tool_results]|<tool_response>|[inst]|[/inst]|<<sys|_of_turn>|think>|tool_call>|</s>|<\uff5c",
        r"<\|(?:im_(?:start|end)|system|user|assistant|eot_id|end(?:oftext|_of_text|_header_id)?|start_header_id|channel|message|begin_of_text|start|return|call)\|>|<\|(?:turn|channel)>|"
        r"\[/?inst\]|<<sys>>|<(?:start|end)_of_turn>|</?think>|<tool_call>|<tool_response>|\[(?:/?system_prompt|available_tools|tool_results)\]|</s>\s?(?:<s>|\[)|<\uff5c",
    ),
    _phrase(
        "role_header",
        "system:|system override|system\uff1a|assistant:|developer:|### system|### instruction|### human|### assistant|\"role\"|'role'|<system>|</system>|[system]",
        r"(?:^|\n)[ \t>*_#]{0,6}(?:system|developer)[*_]{0,2}\s?[:\uff1a]\s?[*_]{0,2}\s?(?:you|ignore|override|the grader|new|from now|always|grade|score|output|set)\b|"
        r"(?:^|\n)#{2,4} ?(?:system|instructions?)(?: prompt| message)?\s?:?\s?\n|[\"']role[\"']\s?:\s?[\"'](?:system|developer|assistant)[\"']|</?system>|"
        r"(?:^|\n)\[system\]|(?:^|\n)assistant\s?:[^\n]{0,40}\b(?:score|verdict|grade|rating)\b|\bsystem override\b",
    ),
    _phrase(
        "end_of_data",
        "end of|end answer|begin answer|end source|end question|begin system|/answer>|/source>|/sources>|/context>|/question>|/data>|end_of_|[end|[begin|[/|end context|end data|end answer|</answer|</ answer|</source|</candidate_|</untrusted_|_to_evaluate|_to_grade",
        r"(?:^|\n)[^\w\n]{0,10}(?:end of|end_of_)(?: the| all| this)?[ _]?(?:data|answer|answers|record|sources?|context|input|untrusted \w+|document to grade|evaluated \w+)[^\w\n]{0,10}(?:\n|$)|"
        r"\[(?:begin|end)[ _-](?:of[ _-])?(?:data|context|answer|source|question|reference|system|submission)\b|\[/(?:answer|context|data|submission)\]|"
        r"(?:^|\n)[^\w\s]{2,10} ?end[ _](?:context|data|answer|sources?|submission|record) ?[^\w\s]{2,10}|"
        r"</\s?(?:answer|sources?(?:_[0-9]{1,3})?|context|question|data|candidate_\w{1,20}|untrusted_\w{1,20}|\w{1,20}_to_(?:evaluate|grade|judge))\s?>",
    ),
    _phrase(
        "grader_de",
        "ignorier|missacht|vergiss|bewerter|gutachter|prüfer|höchstnote|volle punktzahl|bestnote|bewertungs|diese antwort",
        r"\b(?:ignorier\w{0,3}|missacht\w{0,3}|vergiss)\b[^.\n]{0,30}\b(?:anweisung|instruktion|vorgabe|regel|rubrik)\w{0,4}\b|"
        r"\b(?:hinweis|nachricht|achtung|an) (?:an )?(?:den|die|alle|das)? ?(?:bewerter|gutachter|bewertungsmodell|prüfmodell|richtermodell)|"
        r"\b(?:gib|gebe|vergib|vergebe|geben sie|vergeben sie)\b[^.\n]{0,40}\b(?:höchstnote|bestnote|volle punktzahl|volle punkte|höchste punktzahl|5 punkte|punktzahl 5)|"
        r"\bbewerten? (?:sie )?diese antwort (?:mit|als)\b",
    ),
    _phrase(
        "grader_fr",
        "ignore|oublie|évaluateur|correcteur|note maximale|meilleure note|score de 5|note de 5|cette réponse",
        r"\b(?:ignore[zr]?|oublie[zr]?)\b[^.\n]{0,30}\b(?:instructions?|consignes?|directives?|règles)\b[^.\n]{0,20}\b(?:précédentes?|ci-dessus|antérieures?)|"
        r"\b(?:à l'attention de l'|note à l'|message à l'|cher )(?:évaluateur|correcteur)|"
        r"\b(?:donne[zr]?|attribue[zr]?|mets|mettez)\b[^.\n]{0,40}\b(?:note maximale|meilleure note|note (?:de )?5|score (?:de )?5)|\bnote(?:z)? ?:? ?(?:5|10) ?/ ?(?:5|10) pour cette réponse",
    ),
    _phrase(
        "grader_es_pt_it",
        "ignora|ignore|olvida|esque|evaluador|avaliador|valutatore|puntuación máxima|pontuação máxima|punteggio massimo|dimentica|califica|esta respuesta|esta resposta|questa risposta",
        r"\b(?:ignora|ignore|ignorad|olvida|olvide|esqueça|dimentica)\b[^.\n]{0,30}\b(?:instruccion(?:es)?|instruções|istruzioni|órdenes|reglas|regras|regole)\b|"
        r"\b(?:nota para|atención,?|querido|estimado|mensaje (?:al|para)|atenção,?|caro|messaggio (?:al|per)) ?(?:el |o |il |los |al )?(?:evaluador|avaliador|valutatore)|"
        r"\b(?:da|dale|dé|asigna|otorga|dê|atribua|dai|assegna)\b[^.\n]{0,40}\b(?:puntuación máxima|nota máxima|pontuação máxima|punteggio massimo|voto massimo|puntuación (?:de )?5)|"
        r"\b(?:ignora|ignorad|olvida) todo lo anterior\b|\b(?:califica|puntúa|calificad) esta respuesta (?:con|como)\b|\b(?:nota|pontuação) (?:5|10|máxima) para esta resposta\b|"
        r"\bvaluta questa risposta (?:con|come)\b",
    ),
    _phrase(
        "grader_other_latin",
        "negeer|beoordelaar|zignoruj|oceniając|ignorera|bedömare|yok say|değerlendirici|tam puan|oceń|ignoruj|bỏ qua|abaikan|αγνό|התעלם",
        r"\bnegeer\b[^.\n]{0,30}\binstructies\b|\b(?:aan|voor) de beoordelaar\b[^.\n]{0,60}\b(?:score|cijfer|punt)|\bzignoruj\b[^.\n]{0,30}\b(?:instrukcj|polece)\w{0,4}|"
        r"\bignorera\b[^.\n]{0,30}\binstruktion\w{0,4}|\b(?:talimat)\w{0,6}[^.\n]{0,20}\byok say|\b(?:değerlendirici|tam puan ver)|"
        r"\boceń tę odpowiedź\b|\bignorujte?\b[^.\n]{0,30}\bpokyn\w{0,3}\b|\bbỏ qua\b[^.\n]{0,20}\b(?:hướng dẫn|chỉ dẫn|chỉ thị)|\babaikan\b[^.\n]{0,30}\b(?:instruksi|perintah|arahan)\b|"
        r"αγνό\w{1,6}[^.\n]{0,40}οδηγ|התעלמ?ם?ו?[^.\n]{0,30}הוראות",
    ),
    _phrase(
        "grader_ru",
        "игнорир|забудь|оценщик|максимальн|высш",
        r"(?:игнорируй(?:те)?|проигнорируй(?:те)?|забудь(?:те)?)[^.\n]{0,30}(?:инструкци|указани|правил)|(?:вниманию|сообщение для|уважаемый) оценщик|"
        r"(?:поставь|поставьте|дай|дайте|присвой)[^.\n]{0,40}(?:максимальн\w{0,4} (?:оценк|балл)|высш\w{0,4} (?:оценк|балл)|оценку 5|5 баллов)",
    ),
    _phrase(
        "grader_cjk",
        "忽略|无视|無視|这个回答|這個回答|この回答|이 답변|5分|五分|评分者|评审|評審|評価者|採点者|满分|滿分|満点|무시|평가자|채점자|만점",
        r"(?:忽略|无视|無視)[^。\n]{0,15}(?:指令|指示|说明|提示|规则|規則)|(?:指示|命令|ルール)[^。\n]{0,6}(?:を)?(?:無視|忘れ)|(?:致|告|给|請|请)?(?:评分者|评分员|评审模型|評審模型|評価者|採点者)(?:注意|へ|：|:|，|,|请|請|は)|"
        r"(?:给|給|打|判|评)(?:出|予|它|他)?[^。\n]{0,6}(?:满分|滿分|5分|五分|最高分)|(?:忽略|无视|無視)(?:以上|之前|上述)(?:的)?(?:所有)?(?:内容|內容|文字)|(?:直接|只)(?:输出|輸出|回复|回答)[^。\n]{0,4}[5五]分|(?:この|本)回答に[^。\n]{0,4}[5五]点|満点にして|이 (?:답변|응답)에[^.\n]{0,6}(?:5점|만점)|満点(?:を)?(?:つけ|与え|付け)|(?:지시|명령|규칙)[^.\n]{0,8}무시|(?:평가자|채점자)(?:에게|는|:|,)|만점을? ?(?:주|부여)",
    ),
    _phrase(
        "grader_ar_hi",
        "تجاهل|المقيم|الدرجة الكاملة|अनदेखा|अनदेखी|मूल्यांकनकर्ता|पूरे अंक",
        r"تجاهل[^.\n]{0,30}(?:التعليمات|الأوامر|القواعد)|(?:إلى|عزيزي) (?:المقيم|المقيّم)|(?:أعط|امنح)[^.\n]{0,30}الدرجة الكاملة|"
        r"(?:निर्देश|नियम)\S{0,6}[^.\n]{0,15}(?:अनदेखा|अनदेखी)|मूल्यांकनकर्ता[^.\n]{0,20}(?:अंक|ध्यान)|पूरे अंक दें",
    ),
)
