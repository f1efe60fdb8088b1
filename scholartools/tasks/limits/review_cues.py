"""Cue words of critical parts of reviews and of noise, for ``in_reviews.py``.

Field names are from forms of ICLR, ICML, NeurIPS, ACL Rolling Review and EMNLP of several years.
"""

from __future__ import annotations

#: Patterns of field names, in lower case with underscores; the first match decides. "remark": questions and remarks on
#: writing. Fields without a match have other content (a summary), but are used if the form has no better field.
FIELDS: tuple[tuple[str, str], ...] = (
    ("silent", r"ethic|confidential"),
    ("remark", r"typo|suggestion"),
    ("open", r"strengths?_.*weakness|pros?_.*cons?|weakness.*_strengths?"),
    (
        "critical",
        r"weak|limitation|shortcoming|drawback|concern|reasons?_to_reject|\bcons\b|negative|improvement",
    ),
    ("silent", r"strength|reasons?_to_accept|\bpros\b|summary|positive|title|justification|rebuttal"),
    ("remark", r"question"),
    (
        "open",
        r"^(?:\w+_)?(?:review|comments?|assessment|evaluation|critique|feedback)(?:_(?:to|for)_(?:the_)?authors?)?$",
    ),
)

#: Headings in a review that start a critical part, those of questions and remarks on writing, and others, which end a
#: part.
CRITICAL_HEADINGS = (
    r"(?:(?:main|major|key|minor|potential|other|paper|important|overall)[^\S\n]+)?(?:weakness(?:es)?|concerns?|cons"
    r"|limitations?|shortcomings?|drawbacks?|disadvantages?|criticisms?|negatives?)|weak[^\S\n]+points?"
    r"|negative[^\S\n]+(?:points?|aspects?|comments?)|major[^\S\n]+(?:comments?|issues?|points?|problems?)"
    r"|reasons?[^\S\n]+to[^\S\n]+reject|(?:areas|points)[^\S\n]+for[^\S\n]+improvement|summary[^\S\n]+of[^\S\n]+weaknesses"
    r"|weaknesses[^\S\n]+and[^\S\n]+(?:limitations|questions)"
)
REMARK_HEADINGS = (
    r"(?:minor[^\S\n]+|other[^\S\n]+)?(?:questions?|typos?|suggestions?)(?:[^\S\n]+(?:to|for)[^\S\n]+(?:the[^\S\n]+)?authors?)?"
    r"|minor(?:[^\S\n]+(?:comments?|issues?|points?|remarks?))?"
)
OTHER_HEADINGS = (
    r"(?:(?:main|major|key|paper)[^\S\n]+)?(?:strengths?|contributions?|pros|positives?|merits?)|strong[^\S\n]+points?"
    r"|positive[^\S\n]+(?:points?|aspects?|comments?)|reasons?[^\S\n]+to[^\S\n]+accept|advantages?"
    r"|(?:paper[^\S\n]+)?summary(?:[^\S\n]+of[^\S\n]+(?:the[^\S\n]+)?(?:paper|strengths|contributions?|review))?"
    r"|(?:overall[^\S\n]+)?(?:rating|score|recommendation|decision)"
    r"|confidence|post[^\S\n-]rebuttal(?:[^\S\n]+(?:update|comments?))?|after[^\S\n]+(?:the[^\S\n]+)?rebuttal|update"
    r"|ethical[^\S\n]+(?:concerns|considerations)|references|justification(?:[^\S\n]+of[^\S\n]+\w+)?"
)
#: Continuations of the name in such a heading.
HEADING_TAIL = (
    r"(?:[^\S\n]?\((?:s|es)\))?(?:[^\S\n]+(?:of|in|with)[^\S\n]+(?:the|this)[^\S\n]+"
    r"(?:paper|work|manuscript|submission|approach|method|study))?"
)
#: Words in a line with a final colon that also starts or ends a part ("My main concerns are:").
CRITICAL_LINE = r"weakness(?:es)?|concerns|limitations|shortcomings|drawbacks|reasons[^\S\n]+to[^\S\n]+reject"
REMARK_LINE = r"questions|typos|suggestions"
OTHER_LINE = r"strengths|pros|positives|merits"
#: Labels of points: ``W1`` is a weakness, ``Q1`` a question; ``S1`` and ``P1`` are strengths.
CRITICAL_LABELS, REMARK_LABELS, OTHER_LABELS = r"W\d{1,2}", r"Q\d{1,2}", r"[SP]\d{1,2}"

#: Markers of list items at the start of a line.
MARKER = (
    r"(?:[-*+\u2022\u25aa\u25e6\u2023\u2013\u2014\u00b7](?=\s)|[(\[](?:\d{1,2}|[a-hA-H]|[ivx]{1,4})[)\]]"
    r"|(?:\d{1,2}|[a-hA-H]|[ivx]{1,4})[.):](?=\s))"
)

#: Words that make a sentence critical in a review without headings.
CRITIQUE = (
    r"weakness(?:es)?|limitations?|shortcomings?|drawbacks?|concern(?:s|ed)?|lack(?:s|ing)?|missing|unclear|unconvincing"
    r"|not\s+(?:(?:very|entirely|fully|completely|sufficiently|well)\s+)?(?:clear|convinc(?:ed|ing)|motivated|justified"
    r"|supported|discussed|reported|compared|evaluated|explained|described|novel|enough)|insufficient(?:ly)?|inadequate(?:ly)?"
    r"|too\s+(?:few|small|short|narrow|weak|limited|strong)|fails?\s+to|limited(?:\s+to)?|incremental|overclaim\w*|marginal"
    r"|only\s+(?:one|two|a\s+single|on\s+one|small|evaluated|tested)|no\s+(?:comparisons?|baselines?|ablations?|evaluation"
    r"|discussion|analysis|evidence|experiments?|details?|justification|mention)|questionable|unfair|unrealistic"
    r"|(?:should|must|need\s+to)\s+(?:also\s+)?(?:be\s+)?(?:compared?|included?|add(?:ed)?|discuss(?:ed)?|report(?:ed)?|test(?:ed)?)"
    r"|would\s+(?:be\s+(?:good|nice|helpful|better|useful)|benefit\s+from|have\s+(?:liked|expected|preferred|wished|hoped)|like\s+to\s+see)"
    r"|(?:main|major|biggest|chief|serious|minor)\s+(?:\w+\s+)?(?:reservations?|issues?|problems?|objections?|complaints?|worr(?:y|ies)"
    r"|criticisms?|doubts?|questions?)|(?:my|a\s+few|some|several)\s+(?:\w+\s+)?(?:reservations?|objections?|doubts?|worries)"
    r"|s[kc]eptical|doubtful|dubious|puzzl(?:ed|ing)|confus(?:ed|ing)|worr(?:y|ied|ies|ying|isome)|disappoint(?:ed|ing)|troubl(?:ed|ing)"
    r"|(?:hard|difficult|impossible)\s+to\s+(?:believe|follow|interpret|judge|assess|see|tell|understand|reproduce|verify|evaluate|read)"
    r"|(?:could|can)\s*not\s+(?:\w+\s+){0,2}?(?:work\s+out|find|follow|tell|see|judge|understand|verify|support|rule\s+out|be\s+\w+)"
    r"|(?:do|does|did)\s+not\s+(?:\w+ly\s+)?(?:see|understand|follow|show|tell|explain|discuss|compare|report|mention|address|consider"
    r"|convince|support|justify|demonstrate|provide|control|cover|say|specify|describe|define|help|hold|include|test|evaluate|account)"
    r"|(?:is|are|was|were|has|have)\s+(?:never|nowhere)|never\s+\w+ed|nowhere|passes?\s+over|gloss(?:ed|es)\s+over|wav(?:ed|es)\s+away"
    r"|unable\s+to|skips?|omit(?:s|ted)?|overlook(?:s|ed)|ignor(?:es|ed)|neglect(?:s|ed)|undefined|unspecified|unexplained|unjustified"
    r"|unsubstantiated|unsupported|arbitrary|subjective|trivial|overstat\w+|exaggerat\w+|ton(?:ed?|ing)\s+down|beyond\s+what|stronger\s+than"
    r"|not\s+(?:statistically\s+)?significant|ought\s+to|deserves\s+(?:a|more|some)|(?:is|are)\s+called\s+for|could\s+use|needs?\s+(?:a|more|to)"
    r"|already\s+(?:been\s+)?(?:published|known|done|proposed|studied)|as\s+it\s+stands|in\s+its\s+(?:current|present)\s+form"
    r"|on\s+the\s+(?:negative|down)\s*side|dropped\s+out|apples\s+to\s+apples|a\s+single|all\s+(?:of\s+)?(?:the\s+)?experiments"
    r"|why\s+(?:is|are|was|were|did|do|does|not)"
)

#: Words that turn from criticism to praise.
PRAISE = (
    r"\b(?:well[\s-](?:written|motivated|designed|executed|sourced|done)|clear(?:ly)?|thorough(?:ly)?|careful(?:ly)?|elegant|beautiful(?:ly)?"
    r"|enjoy\w*|appreciate\w*|like[ds]?|impress\w+|solid|strong|interesting|novel|timely|important|rich|sound|pleasure|glad|thanks?"
    r"|welcome|convincing|commend\w*|strengths?|excellent|fine|good|nice|correct|improved|public(?:ly)?|pleased|relevant|useful|fair"
    r"|enough\s+detail)\b"
)
#: Openings of sentences that summarise the paper.
SUMMARY = (
    r"(?:the|this)\s+(?:paper|work|manuscript|submission|article|study|authors?)\s+(?:\w+ly\s+)?(?:propos|present|stud(?:y|ies)|introduc|describ"
    r"|report|investigat|examin|develop|revisit|show|consider|address|explor|analy[sz])\w*"
)

#: Openings that continue the previous point.
GOES_ON = (
    r"(?:this|these|that|it|they|for\s+(?:example|instance)|e\.g\.|in\s+particular|specifically|therefore|thus|hence|as\s+such"
    r"|such|otherwise|without\s+(?:this|these|it))\b"
)

_LIST_OF_NONE = r"(?:none|n\.?/?a\.?|nil|no|yes|nothing|not\s+applicable|no\s+comments?|same\s+as\s+above)"
# A dash among signs only; the pattern is unambiguous, to avoid cubic time on lines of dashes.
_DASHES = r"(?:(?!-)\W)*-\W*$"
_SHOWN = r"(?:weaknesses|strengths|questions?|limitations?|comments?|review|summary|above|below|previous\s+\w+)"
_SCORED = (
    r"(?:rating|score|recommendation|confidence|soundness|presentation|contribution|originality|quality|clarity"
    r"|significance|novelty|decision|excitement|reproducibility|assessment)"
)
_BIG = (
    r"(?:(?:major|serious|significant|obvious|real|particular|further|other|additional|big|clear|glaring|substantial"
    r"|specific|strong|technical|apparent|noticeable|known|important|relevant)\s+){0,2}"
)
# No later word reverses the opening of the sentence.
_PLAIN = (
    r"(?!.{0,600}\b(?:not|no|never|only|but|however|although|though|while|yet|should|could|would|without"
    r"|insufficient\w*|lack\w*)\b)"
)

#: Sentences under a heading or field for limitations that state none, also in papers; the first rule that matches from
#: the start decides.
NOTHING: tuple[tuple[str, str], ...] = (
    ("it says nothing", rf"(?:\W*{_LIST_OF_NONE}\W*$|{_DASHES})"),
    ("it thanks", r"\W*(?:(?:many\s+)?thanks?\b|(?:I|we)\s+(?:would\s+like\s+to\s+)?thank\b)"),
    ("it says that there is none", (
        rf"(?!.{{0,600}}\b(?:but|however|except|other\s+than|although|though)\b).{{0,60}}\b(?:no|(?:not|n.t)\s+(?:\w+\s+)?any)\s+"
        rf"{_BIG}(?:weakness(?:es)?|concerns?|limitations?|shortcomings?|drawbacks?|issues?|complaints?|criticisms?)\b"
    )),
)  # fmt: skip

#: Sentences in critical parts that state no limitation; the first rule that matches from the start decides.
NOISE: tuple[tuple[str, str], ...] = (
    *NOTHING,
    ("it refers to what is said elsewhere", (
        rf"\W*(?:please\s+)?(?:see|refer\s+to|check|cf\.?)\b.{{0,60}}\b{_SHOWN}(?:\s+(?:above|below|section|part|field))?\W*$"
        rf"|\W*(?:as\s+)?(?:already\s+)?(?:(?:discussed|mentioned|listed|described|stated|said)\s+)?(?:in\s+(?:the\s+)?)?"
        rf"(?:above|{_SHOWN}\s+(?:above|section))\W*$"
    )),
    ("it is a score", (
        rf"\W*(?:overall\s+)?{_SCORED}(?:\s+(?:rating|score))?\W{{1,4}}"
        r"(?:\d{1,2}\b|(?:strong|weak|borderline|marginal(?:ly)?|clear)?\s*(?:accept|reject)).{0,80}$"
    )),
    ("it speaks of the discussion with the authors", (
        r"\W*(?:(?:after|post)[\s-]+(?:reading\s+)?(?:the\s+)?(?:authors?\S?\s+)?(?:rebuttal|discussion|response)"
        r"|I\s+(?:have\s+)?read\s+the\s+(?:authors?\S?\s+)?(?:rebuttal|responses?)"
        r"|.{0,80}\b(?:rais|keep|kept|maintain|increas|updat|lower|chang)\w*\s+my\s+(?:score|rating)\b)"
    )),
    ("it says that the authors state them", (
        rf"\W*{_PLAIN}(?:yes\b|(?=.{{0,300}}\b(?:limitations?|impacts?|shortcomings)\b).{{0,80}}\b"
        r"(?:discuss|address|mention|acknowledg|list|describ|outlin)(?:es|s|ed|d|ing)?\b)"
    )),
    ("it praises", (
        rf"{_PLAIN}.{{0,200}}\b(?:(?:I|we)\s+(?:really\s+)?(?:like|liked|enjoyed?|appreciate)|(?:well|clearly)[\s-](?:written|motivated"
        r"|organi[sz]ed|structured)|easy\s+to\s+(?:follow|read)|a\s+strength|strengths\s+of)\b"
    )),
)  # fmt: skip
