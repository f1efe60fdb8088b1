"""Cue words of claims, weaknesses and their types, for the built-in methods of st-claims."""

from __future__ import annotations

#: Keyword stems by which CLAIMCHECK selects reviews (A.2), as far as given in the paper. A star matches any ending.
KEYWORDS: tuple[str, ...] = (
    "overclaim*", "over-claim*", "over claim*", "claim*", "support*", "fully support*", "substantiat*", "convinc*",
    "unsubstantiated", "unsupported", "unverified",
)  # fmt: skip

#: Roles of sections from which claims are taken.
ROLES = ("abstract", "introduction", "experiment", "result", "discussion", "conclusion")

_OURS = r"(?:our|the\s+(?:proposed|present(?:ed)?|resulting|adapted|suggested)|this)"
_THING = (
    r"(?:method|model|approach|system|framework|algorithm|architecture|technique|work|study|paper|data\s?set|benchmark"
    r"|trial|analysis|experiments?|evaluation|results?|findings?|recipe|index|tool|network|estimator|procedure|scheme)s?"
)
_BETTER = (
    r"(?:outperform\w*|surpass\w*|exceed\w*|beats?|halves|doubles?|improv\w+|reduc\w+|increas\w+|decreas\w+|gains?"
    r"|achiev\w+|reach\w*|attains?|obtains?|yields?|matches|generali[sz]es?|transfers?|scales?|requires?\s+(?:no|only|fewer|less)"
    r"|needs?\s+(?:no|only|fewer|less)|solves?|eliminates?|makes?|keeps?|preserves?|does\s+not|is|are|can|runs?|works?)"
)

#: Patterns of claims by role; the first match decides.
CLAIMS: tuple[tuple[str, str], ...] = (
    ("novelty", (
        r"to\s+(?:the\s+best\s+of\s+)?our\s+knowledge|\b(?:is|are|was|were|be|being|present|propose|introduce|offer|provide"
        r"|report|conduct)\s+(?:\w+\s+){0,2}?the\s+(?:first|only)\b|\bfirst\s+(?:\w+\s+){0,3}?(?:to|that|which)\b"
        r"|\bnovel\s+(?:result|finding|insight)s?\b|\bno\s+(?:prior|previous|earlier|existing)\b"
    )),
    ("relation", (
        r"\b(?:in\s+contrast\s+to|contrary\s+to|unlike|compared\s+(?:to|with)|as\s+opposed\s+to|different(?:ly)?\s+from"
        r"|differs?\s+from|rather\s+than\s+(?:prior|previous)|complementary\s+to)\b"
        r"|\bwhile\s+(?:prior|previous|existing|earlier|other)\b"
    )),
    ("finding", (
        r"\b(?:suggest|indicat|impl|demonstrat|show|reveal|confirm|establish|prov|conclud|evidenc)\w*\s+(?:\w+\s+){0,2}?that\b"
        r"|\bwe\s+(?:also\s+|further\s+|then\s+|thus\s+|therefore\s+|empirically\s+|theoretically\s+|formally\s+|have\s+)?"
        r"(?:find|found|show|showed|shown|demonstrate|demonstrated|prove|proved|observe|observed|conclude|concluded|establish"
        r"|established|reveal|revealed|confirm|confirmed|verify|argue|see)\b"
        r"|\b(?:therefore|thus|hence|consequently|as\s+a\s+result)\b|\bthe\s+reason\s+is\b|\bno\s+longer\s+(?:need|requir)\w*"
        r"|\bmatters?\s+(?:more|most|less)\b|\bmost\s+of\s+the\b"
    )),
    ("result", (
        r"\b(?:new|sets?|achiev\w+|establish\w+|advanc\w+)\s+(?:\w+\s+){0,3}?state[\s-]of[\s-]the[\s-]art\b|\b(?:outperform|surpass|exceed)\w*|\b(?:beats?|halves|halved)\b"
        rf"|\b{_OURS}\s+(?:\w+\s+){{0,2}}?{_THING}\s+(?:\w+\s+){{0,2}}?{_BETTER}\b"
        r"|\b(?:significant(?:ly)?|substantial(?:ly)?|consistent(?:ly)?|dramatic(?:ally)?|markedly)\b"
        r"|\b(?:better|worse|faster|slower|higher|lower|larger|smaller|fewer|cheaper|stronger|weaker|more\s+\w+|less\s+\w+|wider"
        r"|narrower|greater|as\s+\w+\s+as)\b(?=.{0,80}\bthan\b|.{0,80}\bas\b)"
        r"|\bno\s+(?:\w+\s+){0,2}?(?:difference|loss|cost|change|effect|degradation|tuning|training)\b"
        r"|\bdo(?:es)?\s+not\s+(?:differ|depend|change|vary|degrade|hurt)\b"
    )),
)  # fmt: skip

#: In sections of results, a sentence with a number and one of these words is a result.
MEASURED = (
    r"\b(?:(?:improv|reduc|increas|decreas|differ|achiev|reach|remain|exceed)(?:e|es|s|ed|d|ing|ements?|tions?)?|drop(?:s|ped)?"
    r"|gain(?:s|ed)?|los(?:e|es|t)|falls?|fell|rises?|rose|grows?|grew|covers?|detect(?:s|ed)?|avoid(?:s|ed)?|preced(?:es|ed)"
    r"|higher|lower|faster|slower|better|worse|wider|narrower|slows?|shrinks?|shrank|up\s+to\s+\d|no\s+more\s+than"
    r"|(?:between|from)\s+[\d.]+|scored)\b"
)

#: Phrases that refer to the paper itself: most other sentences of an introduction are about the field.
OWN = (
    r"(?i:\b(?:we|our|ours|us|this\s+(?:paper|work|study|article)|the\s+(?:proposed|present(?:ed)?|resulting|suggested)"
    r"\s+\w+)\b)|^\W*It\s+(?!is\b|has\b|was\b|can\b)|,\s+it\s+(?:needs|requires|does)\b"
)
#: Names of the paper's contribution: a word with an inner capital in the abstract, or the object of a naming verb.
NAMES = (
    r"\b(?:propos|present|introduc|describ|develop|call|nam)\w*\b[^.]{0,60}?\b(?P<given>[A-Z][\w-]+)"
    r"|\b(?P<camel>[A-Za-z]+[a-z][A-Z]\w*|[A-Z]{2,}[a-z]\w*)\b"
)

#: In concluding sections, sentences that assert something of the paper's contribution.
ASSERTS = (
    r"(?:^|[,;]\s+)(?:it|they|these|this|our|the|[A-Z][\w-]+)\b[^,;]{0,60}?\b(?:is|are|can|generali[sz]es?|costs?|makes?|solves?"
    r"|carries|carry|extends?|enables?|allows?|provides?|removes?|eliminates?|should|need|needs?|holds?|applies)\b"
)

#: Patterns of sentences that are no claims: questions, outlines, methods or set-ups, work of others.
NONE: tuple[tuple[str, str], ...] = (
    ("it is a question", r"\?\s*$"),
    ("it says where something stands", (
        r"(?i:\b(?:table|figure|fig\.|section|sec\.|appendix|equation|eq\.|algorithm))\s*\(?[A-Z]?\.?\d*[\d.]*\)?\s+(?:also\s+)?"
        r"(?:shows?|lists?|gives?|plots?|presents?|reports?|summari[sz]es?|describes?|illustrates?|depicts?|compares?|has|have"
        r"|contains?|pools?|turns?|discusses|provides?)\b"
        r"|\b(?:rest|remainder)\s+of\s+(?:the|this)\s+paper\b|\b(?:is|are)\s+(?:shown|listed|given|reported|described|summari[sz]ed"
        r"|discussed|plotted|presented|provided)\s+in\b"
    )),
    (
        "it says where to find something",
        r"(?i:\b(?:code|data|models?|materials?|demo)\b[^.]{0,40}\bavailable\b)|https?://",
    ),
    (
        "it speaks of what is to come",
        r"\b(?:future\s+work|in\s+the\s+future|we\s+(?:plan|hope|intend)|plan\s+to|remains\s+open|left\s+for|research\s+goals?)\b",
    ),
    ("it thanks", r"^\W*acknowledge?ments?\b|\b(?:grateful|thankful)\b"),
    ("it describes a method or a set-up", (
        r"^\W*(?:(?:for|in|to|as|on|at|during|following|then|first|second|next|finally|here|unless|where|let|suppose|assume)\b[^,]{0,80},\s+)?"
        r"(?:we\s+(?:then\s+|also\s+|first\s+|next\s+|therefore\s+|only\s+)?(?:perform(?:ed)?|use[ds]?|train(?:ed)?|set|sample[d]?|select(?:ed)?|choose|chose"
        r"|compute[d]?|define[d]?|denote|consider(?:ed)?|let|adopt(?:ed)?|appl(?:y|ied)|compare[d]?|evaluate[d]?|run|ran|test(?:ed)?"
        r"|report(?:ed)?|simulate[d]?|measure[d]?|ask(?:ed)?|collect(?:ed)?|recruit(?:ed)?|split|draw|drew|vary|varied|follow(?:ed)?"
        r"|fit(?:ted)?|describe[d]?|call(?:ed)?|release[d]?|thank|study|studied|investigate[d]?|record(?:ed)?|repeat(?:ed)?"
        r"|implement(?:ed)?|initiali[sz]ed?|optimi[sz]ed?|normali[sz]ed?|write|wrote|take|took|assign(?:ed)?)\b"
        r"|let\b|suppose\b|assume\b|given\b)"
    )),
    ("it speaks of other people's work", (
        r"^\W*(?i:(?:as|while|although)\s+)?(?:(?i:prior|previous|existing|earlier|recent|several|other|many|some)\s+(?:\w+\s+){0,2}?"
        r"(?:work|works|studies|methods|approaches|papers|authors|models|scores|systems)\b(?!(?:[^,\[]|\[[^\]]*\]){0,60},\s+(?:our|we|[A-Z]\w+\s+(?:does|is|can|needs)))"
        r"|[A-Z][\w\u2019'-]+(?:\s+(?:et\s+al\.?|and\s+[A-Z][\w\u2019'-]+))?\s*[\[(](?:\d|[12]\d{3}))"
    )),
)  # fmt: skip

#: Phrases in critical passages that refer to a claim of the paper.
POINTS_TO_CLAIM = (
    r"\b(?:over-?\s?)?claim\w*|\b(?:the\s+)?(?:authors?|paper|manuscript|abstract|introduction|conclusion)s?\s+(?:\w+\s+){0,2}?"
    r"(?:state|say|argue|assert|conclude|suggest|report|write|call|present|draw|maintain)\w*"
    r"|\b(?:it\s+is\s+|is\s+)?(?:stated|asserted|argued|reported|suggested|presented\s+as)\b|\bassertions?\b|\bstatements?\b|\bconclusions?\b"
    r"|\b(?:not|un|n.t|hardly|insufficiently|poorly|weakly)[\s-]*(?:\w+\s+)?(?:support|convinc|substantiat|justif|verif|prov)\w*"
    r"|\bunsupported|\bunsubstantiated|\bunconvinc\w*|\bcontradict\w*|\bnot\s+(?:true|correct|hold)\b|\b(?:is|are)\s+(?:false|wrong)\b"
    r"|\b(?:does|do|did)\s+not\s+(?:follow|support|imply|show|prove|establish)\b|\bcannot\s+(?:show|prove|support|be\s+concluded)\b"
    r"|\boverstat\w*|\bexaggerat\w*|\btoo\s+weak\s+to\b|\bgoes\s+(?:far\s+)?beyond\b|\bnovel\w*|\bnot\s+new\b|\balready\s+(?:been\s+)?"
    r"(?:shown|done|proposed|has|exist|known)\w*|\bthe\s+first\b|\bstate[\s-]of[\s-]the[\s-]art\b|\b(?:improvement|gain|speed-?up|effect)s?\b"
    r"|\bcompar(?:ison|ed?|es)\b|\bevidence\b|\bimport(?:ance)\b|\bassum\w+\b|\bestimate\b|\bproof\b|\blemma\b|\btheorem\b"
)
#: Phrases that explicitly say that the paper claims something.
SAYS_CLAIMS = (
    r"\b(?:authors?|paper|manuscript|abstract|introduction|conclusion|work)s?\s+(?:\w+\s+){0,2}?(?:claim|state|say|argue|assert"
    r"|conclude|suggest)s?\b|\b(?:it\s+is|is|are)\s+(?:claimed|stated|asserted|argued)\b|\b(?:the\s+)?(?:claim|statement|assertion"
    r"|conclusion)s?\s+(?:that|to|of|about)\b"
)
#: Sentences of critical passages that dispute no claim: unclear writing, missing work, requests, minor issues.
NOT_ABOUT_CLAIMS = (
    r"\b(?:typos?|grammar|hard\s+to\s+(?:follow|read)|fonts?|colou?rs?|captions?|symbols?\s+are|notation|writing|checklist"
    r"|organi[sz]ation|(?:paper|page)\s+length|too\s+long|very\s+short)\b|^\W*(?:please|could\s+you|can\s+you|did\s+you|what\s+is|why\s+did)\b"
    r"|\b(?:related\s+work|references?|citations?)\b[^.]{0,60}\b(?:missing|incomplete|lacks?)\b|\bmore\s+details\b"
    r"|\bI\s+(?:would\s+like\s+to\s+see|could\s+not\s+find)\b"
)

#: Cue phrases of the types of weaknesses. Insufficient evidence and novelty are recognised better than the others.
TYPES: tuple[tuple[str, str], ...] = (
    ("insufficient", (
        r"\b(?:insufficient|inadequate|unsupported|unsubstantiated|unverified|unconvincing|overclaim\w*|over-claim\w*|overstat\w*"
        r"|exploratory|anecdotal)\b|\bnot\s+(?:\w+\s+){0,2}?(?:convinc|support|substantiat|justif|significan|corrected|tested|studied)\w*"
        r"|\bno\s+(?:\w+\s+){0,2}?(?:evidence|experiments?|baselines?|ablations?|comparisons?|analysis|variance|error\s+bars"
        r"|confidence|intervals?|intervention|question|breakdown)\b|\b(?:without|lacks?|lacking|missing)\s+(?:\w+\s+){0,3}?"
        r"(?:evidence|experiments?|baselines?|ablations?|comparisons?|variance|significance|tests?|estimate)\b"
        r"|\bonly\s+(?:\w+\s+){0,3}?(?:one|two|three|a\s+single|once|small|few|\d+|tested|evaluated|medical|synthetic|toy)\b"
        r"|\bonly\s+\w+\s+(?:was|were|is|are)\b|\btoo\s+(?:few|small|weak|narrow|limited)\b|\bsingle\s+(?:run|seed|dataset|ablation)\b"
        r"|\bdoes\s+not\s+follow\b|\bcannot\s+(?:show|prove|support)\b|\bmore\s+(?:experiments|data\s?sets|baselines|evidence)\b"
        r"|\b(?:statistical\s+)?significance\b|\bnothing\s+in\s+the\s+paper\b|\bweak\s+baselines?\b|\bgoes\s+(?:far\s+)?beyond\b"
        r"|\bby\s+\d+\s+\w+\s+only\b|\bone\s+(?:city|hospital|laboratory|lab|speaker|detector|model|data\s?set|language|domain)\b"
    )),
    ("contradictory", (
        r"\bcontradict\w*|\binconsisten\w*|\b(?:is|are|was)\s+(?:simply\s+|in\s+fact\s+)?(?:false|wrong|incorrect|untrue)\b"
        r"|\bnot\s+(?:true|correct)\b|\bat\s+odds\s+with\b|\bdisagrees?\s+with\b|\b(?:yet|but|however|although)\b[^.]{0,40}\b(?:table|figure"
        r"|fig\.)\s*\d+\b|\baccording\s+to\s+(?:table|figure|fig\.)|\bcounter-?examples?\b|\berrors?\s+in\s+(?:the\s+)?(?:proof|equation)"
        r"|\bis\s+not\s+one\b"
    )),
    ("novelty", (
        r"\bnovel\w*|\bincremental\b|\bnot\s+new\b|\bthe\s+(?:first|only)\b|\boriginality\b|\balready\s+(?:been\s+)?(?:proposed|done|shown"
        r"|known|exist\w*|published)\b|\bdid\s+so\s+in\b"
    )),
    ("clarity", (
        r"\bunclear\b|\bnot\s+clear\b|\bhard\s+to\s+(?:understand|judge|follow|parse)\b|\bconfus\w+|\bambiguous\w*|\bvague\w*"
        r"|\b(?:never|not|poorly|un)\s*(?:defined|explained)\b|\bdo\s+not\s+understand\b|\bwhat\s+is\s+meant\b|\binterchangeably\b"
    )),
    ("related_work", (
        r"\b(?:not|un)\s*-?cited\b|\bis\s+missing\s+from\s+the\s+references\b|\bprior\s+work\b|\bprevious\s+work\b|\brelated\s+work\b"
        r"|\bignores?\s+the\s+work\b|\b[A-Z][\w'-]+(?:\s+(?:and|&)\s+[A-Z][\w'-]+|\s+et\s+al\.?)?,?\s*\(?(?:19|20)\d{2}\b|\bexist(?:s|ing)?\s+\("
    )),
)  # fmt: skip
