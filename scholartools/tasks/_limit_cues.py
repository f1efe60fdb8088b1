"""The words by which limitations are found and noise is told from them: tables for ``limits.py``."""

from __future__ import annotations

#: The keywords of implicit passages. BAGELS names the first two. On 8,431 sentences of medical papers labelled as
#: limitation or not, 91% of the hits of these state or announce one; of "limited" 42% do not, of "limit", "weakness" (a
#: symptom as often) and "constraint" half do not.
KEYWORDS: tuple[str, ...] = (
    "limitation", "shortcoming", "drawback", "caveat", "threat to validity", "threats to validity",
    "threat to the validity", "threats to the validity", "threat to internal validity", "threats to internal validity",
    "threat to external validity", "threats to external validity", "threat to construct validity", "validity threat",
)  # fmt: skip

_W = r"\W+(?:\w+\W+)"

#: What says so without a keyword, in sections where authors discuss their own work. On the sentences of discussions in
#: the same labelled set that have no keyword, 219 of the 234 that one of these is found in state a limitation (of most
#: of the rest one may doubt that they do not); keywords find 179.
PHRASES: tuple[str, ...] = (
    rf"(?:interpret|view|treat|generali[sz]|conclu)\w*{_W}{{0,4}}?caut\w+|caut\w+{_W}{{0,6}}?(?:interpret|generali|conclu"
    r"|extrapolat)\w*|\bpremature\s+to\b",
    rf"\b(?:cannot|can\s+not|could\s+not|not\s+possible\s+to|unable\s+to){_W}{{0,2}}?(?:rule[d]?\s+out|exclude[d]?)\b",
    rf"\b(?:small|limited|modest){_W}{{0,1}}?(?:sample|cohort|number\s+of\s+(?:patients|participants|subjects|cases|studies"
    rf"|raters|runs))|\bsample\s+size{_W}{{0,4}}?(?:small|limited)\b",
    rf"\b(?:not|limit\w*|restrict\w*|reduc\w*|question\w*){_W}{{0,5}}?(?:generali[sz]\w+|extrapolat\w+|external\s+validity"
    r"|representative|transfer(?:able|ability|red)?|carry\s+over)\b",
    rf"\b(?:our|this|the\s+(?:present|current)){_W}{{0,3}}?(?:stud\w+|analys\w+|data\w*|work|samples?|findings?|results?"
    r"|conclusions?|trial|review|experiments?|evaluation|model|method|approach|system)"
    rf"{_W}{{0,2}}?(?:is|are|was|were){_W}{{0,1}}?(?:limited|restricted|confined|weakened|underpowered"
    r"|less\s+(?:effective|accurate|reliable)|not\s+(?:applicable|suited|suitable|designed))\b",
    r"\b(?:recall|selection|response|reporting|social\s+desirability|information|measurement|attrition|sampling)\s+bias"
    r"|\b(?:residual|unmeasured)\s+confound\w+",
    rf"\bwe\s+(?:did\s+not|have\s+not|were\s+(?:not\s+able|unable)\s+to|could\s+not|do\s+not\s+have|lacked){_W}{{0,2}}?(?:"
    r"assess|measur|collect|evaluat|examin|test|investigat|include|adjust|control|consider|record|account|verif|compar|data"
    r"|information|have|distinguish|determin|follow|run|train|explor|study|address|know|cover)\w*",
    r"\bwe\s+(?:only|(?:tested|used|looked\s+at|evaluated|considered)\s+(?:\w+\s+){0,2}?only)\b",
    r"\b(?:may|might|could)\s+(?:have\s+)?(?:\w+\s+){0,2}?(?:bias(?:ed)?|confound(?:ed)?|introduced|(?:influenced|affected)\s+"
    r"(?:our|the|these)\s+(?:results|findings)|led\s+to\s+(?:an\s+)?(?:under|over)estimat\w+"
    r"|not\s+(?:hold|generali[sz]e|apply|be\s+representative|continue|extend|carry))\b",
    r"\bunderpowered|lack\w*\s+(?:of\s+)?(?:statistical\s+)?power\b|\b(?:insufficient|limited|low)\s+statistical\s+power\b",
    rf"\b(?:cannot|not|unable|preclud\w*|prevent\w*|limit\w*){_W}{{0,5}}?causal(?:ity|ly)?\b"
    r"|\b(?:cross-sectional|retrospective)\s+(?:design|nature)\b",
    r"\b(?:single|one)[\s-](?:cent(?:er|re)|site|institution|hospital)\b",
)

#: What says of a bias that it was kept out.
KEPT_OUT = (
    r"\b(?:minimi[sz]|reduc|avoid|prevent|eliminat|remov|mitigat|control\w*\s+for|no|without)\w*\W+(?:\w+\W+){0,3}?"
    r"(?:bias|confound\w*)\b"
)

#: Roles of sections that no implicit passage is taken from: BAGELS' abstract, introduction and related work, what is
#: related work by another name, and what BAGELS stops at. Limitations stated under a heading are taken from an
#: introduction or an appendix too.
NO_IMPLICIT = frozenset(
    ["abstract", "introduction", "related", "background", "reference", "acknowledgement", "appendix"]
)
NO_EXPLICIT = frozenset(["abstract", "related", "reference", "acknowledgement"])

#: Roles of sections where authors discuss their own work ("broader sections such as discussion or conclusion"). In any
#: other section a keyword sentence must name the paper's own work (:data:`OWN`) to begin a passage.
DISCUSSING = frozenset(["discussion", "conclusion", "limitation", "future", "ethics"])

#: Roles of subsections that do not belong to the limitation section they stand in.
NO_SUBSECTION = frozenset(["future", "conclusion", "ethics", "acknowledgement", "reference", "appendix"])

NAMES = (
    r"(?:limitations?|shortcomings?|drawbacks?|caveats?|weaknesses|strengths?\s+(?:and|&)\s+weakness"
    r"|threats?\s+to\s+(?:\w+\s+){0,2}validity|validity\s+threats?)"
)
_WORK = r"(?:stud(?:y|ies)|work|paper|research|analys[ie]s|approach|method|model|system|framework|dataset|trial|design)"
_WORKS = r"(?:studies|works|methods|approaches|models|systems|techniques|tools|solutions|datasets|benchmarks|metrics)"
OTHERS = (
    r"(?:previous|prior|existing|earlier|past|other(?!\W+hand)|traditional|conventional|classical|standard|recent|above"
    rf"|aforementioned|state-of-the-art|alternative|competing|related\W+{_WORKS}"
    rf"|(?:these|those|such)\W+{_WORKS}|current\W+(?:\w+\W+){{0,2}}?{_WORKS})"
)
_OVERCOME = (
    r"(?:overc[oa]m|address|alleviat|mitigat|tackl|lift(?:s|ed|ing)|remed|circumvent|avoid|resolv|solv|eliminat|remov"
    r"|relax|bypass|break|surpass|compensat)\w*"
)
_UP_TO_2, _UP_TO_6 = r"\W+(?:\w+\W+){0,2}?", r"\W+(?:\w+\W+){0,6}?"
_SAME_CLAUSE = r"\s+(?:[^\s,;]+\s+){0,6}?"

#: What names the paper's own work.
OWN = rf"\b(?:we|our|ours|us|this\W+{_WORK}|the\W+(?:present|current|proposed)\W+{_WORK})\b"

#: What a keyword sentence is, by the first rule that matches it; CUE stands for the keyword, None for "a limitation".
#: A sentence that no rule matches is a limitation. On the 394 keyword sentences of the labelled set on which they were
#: written, the rules reject 19 of the 35 that are no limitation, 15 of the 285 that are, 3 of the 74 that announce one.
NOISE: tuple[tuple[str | None, str], ...] = (
    ("another sense of the word", (
        r"\b(?:airflow|flow|activity|functional|mobility|motion|movement|exercise|nutrient|nitrogen|phosphorus|carbon"
        r"|oxygen|iron|light|water|substrate|physical|page|space|length|word)(?:\W+and\W+\w+)?[\s-]+CUE"
        r"|\bstatutes?\s+of\s+CUE|(?<!not\s)\bwithout\s+CUE"
    )),
    ("it refers to limitations stated elsewhere", r"CUE\W+(?:sub)?section\b"),
    ("it looks back at limitations already stated", (
        rf"\b(?:despite|in\s+spite\s+of|notwithstanding|regardless\s+of|apart\s+from){_SAME_CLAUSE}CUE"
        r"|\b(?:although|though)\s+(?:these|this)\s+CUE"
    )),
    ("it says that a limitation does no harm", rf"CUE{_UP_TO_2}(?:(?:did|does|do){_UP_TO_2}not|unlikely)\b"),
    ("it says that there is none", (
        rf"(?:\b(?:fewer|fewest|no)\W+(?:\w+\W+)?|\bnever{_UP_TO_6}"
        rf"|\bnot{_UP_TO_2}(?:suffer|share|inherit)\w*{_UP_TO_6})CUE"
    )),
    (None, (
        rf"CUE{_UP_TO_2}(?:of|to|in|with|for|is|that)\W+"
        rf"(?:our|we|this|the\W+(?:present|current|proposed)\W+{_WORK}\b)"
    )),
    (None, rf"\b(?:not|cannot|fails?|unable|yet){_UP_TO_2}{_OVERCOME}"),
    ("it speaks of other work", (
        rf"\b{OTHERS}{_UP_TO_6}CUE|CUE{_UP_TO_6}{OTHERS}\b|CUE\W+of\W+(?:such|all|many|most)\b"
        rf"|^\W*(?!(?:our|these|both|the)\b)(?:\w+\W+){{1,3}}?{_WORKS}\W+(?:have|suffer|share|come\W+with)\b{_UP_TO_6}CUE"
        rf"|\b(?:several|many|some|other)\W+(?:authors|researchers|scholars){_UP_TO_6}CUE"
    )),
    (None, (
        r"\b(?:future|plan(?:ned|s)?\s+to|hope\s+to|remains?\s+to|left\s+(?:for|to)"
        r"|(?:is|are)\s+(?:needed|required|necessary)"
        r"|further\W+(?:\w+\W+){0,3}?(?:stud|research|work|investigation|trial|experiment)\w*)\b"
    )),
    ("it speaks of a limitation overcome",
     rf"\b{_OVERCOME}{_UP_TO_6}CUE|CUE{_UP_TO_6}(?:be|been|is|are|was|were){_UP_TO_2}{_OVERCOME}"
     rf"|CUE{_UP_TO_6}(?:disappears?|vanish(?:es)?|(?:does|do)\W+not\W+(?:arise|apply|occur))\b"),
)  # fmt: skip

#: How a sentence opens that begins another limitation of a list.
ITEM = (
    r"(?:(?:first|second|third|fourth|fifth|sixth|last|final)(?:ly)?,|first\s+of\s+all\b|another\b"
    r"|(?:one|an?\s+(?:additional|further|second|third|final|last|related)"
    r"|the\s+(?:first|second|third|fourth|fifth|final|last|other))\s+"
    rf"(?:\w+\s+){{0,2}}?(?:{NAMES}|issue|concern|constraint|weakness|problem|challenge|point|threat)\b"
    r"|[(\[]?(?:\d{1,2}|[ivx]{1,4}|[a-h])[)\]]\s|\d{1,2}\.\s|[\u2022\u25aa\u25e6\u2023\u2013\u00b7*-]\s)"
)

#: The headings that end an implicit passage (BAGELS), where they stand at the start of a paragraph.
TERMINAL = r"\b(?:acknowledge?ments?|grants?|funding|future|discussion|conclusions?|appendix|appendices)\b"
