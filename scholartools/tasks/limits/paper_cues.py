"""Cue words that distinguish limitations of papers from noise, for ``in_papers.py`` and ``implicit.py``."""

from __future__ import annotations

#: Keywords of implicit passages. BAGELS names the first two. On 8,431 sentences of medical papers, labelled as
#: limitations or not, 91% of the matches state or announce a limitation; 42% of those of "limited" do not, nor do half
#: of those of "limit", "weakness" (often a symptom) and "constraint".
KEYWORDS: tuple[str, ...] = (
    "limitation", "shortcoming", "drawback", "caveat", "threat to validity", "threats to validity",
    "threat to the validity", "threats to the validity", "threat to internal validity", "threats to internal validity",
    "threat to external validity", "threats to external validity", "threat to construct validity", "validity threat",
)  # fmt: skip

_W = r"\W+(?:\w+\W+)"

#: Phrases without a keyword, in sections where authors discuss their work. In sentences of discussions without a
#: keyword, from the same labelled set, 219 of the 234 matches state a limitation (most of the others are debatable);
#: keywords find 179.
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
    r"\b(?:is|are|was|were|be)\s+(?:\w+ly\s+)?confounded\b|\b(?:recall|selection|response|reporting|social\s+desirability|information|measurement|attrition|sampling)\s+bias"
    r"|\b(?:residual|unmeasured)\s+confound\w+",
    rf"\bwe\s+(?:did\s+not|have\s+not|were\s+(?:not\s+able|unable)\s+to|could\s+not|do\s+not\s+have|lacked){_W}{{0,2}}?(?:"
    r"assess|measur|collect|evaluat|examin|test|investigat|include|adjust|control|consider|record|account|verif|compar|data"
    r"|information|have|distinguish|determin|follow|run|train|explor|study|address|know|cover)\w*",
    r"\bwe\s+(?:(?:have\s+)?only(?!\s+(?:assume|need|require|have\s+to|keep|f(?:i|ou)nd|see|saw|observed?)\b)|(?:tested|used|looked\s+at|evaluated|considered)\s+(?:\w+\s+){0,2}?only)\b",
    r"\b(?:may|might|could)\s+(?:have\s+)?(?:\w+\s+){0,2}?(?:bias(?:ed)?|confound(?:ed)?|introduced|(?:influenced|affected)\s+"
    r"(?:our|the|these)\s+(?:results|findings)|led\s+to\s+(?:an\s+)?(?:under|over)estimat\w+"
    r"|not\s+(?:hold|generali[sz]e|apply|be\s+representative|continue|extend|carry))\b",
    r"\bunderpowered|lack\w*\s+(?:of\s+)?(?:statistical\s+)?power\b|\b(?:insufficient|limited|low)\s+statistical\s+power\b",
    rf"\b(?:cannot|not|unable|preclud\w*|prevent\w*|limit\w*){_W}{{0,5}}?causal(?:ity|ly)?\b"
    r"|\b(?:cross-sectional|retrospective|correlational|observational|exploratory)\s+(?:designs?|natures?|data)\b|\bconvenience\s+sampl\w+",
    r"\b(?:single|one)[\s-](?:cent(?:er|re)|site|institution|hospital)\b",
)

_YET = (
    r"(?:(?:generally|exactly|fully|directly|easily|reliably|properly|currently|presently|explicitly|systematically"
    r"|necessarily|always|yet|also|still|even|be|been)\s+)*"
)
_HANDLED = (
    r"(?:handled|supported|considered|modell?ed|addressed|covered|tested|evaluated|explored|validated|verified|captured"
    r"|accounted|examined|investigated|controlled|studied|assessed|measured|compared|attempted|estimated|quantified"
    r"|resolved|located|isolated|detected|identified|recovered|excluded|separated|inferred|extended|answered"
    r"|distinguish(?:ed|able)|disentangled|determined|calculated|computed|reproduced|observed\s+directly|ruled\s+out"
    r"|taken\s+into\s+account|blinded|randomi[sz]ed|tuned|optimi[sz]ed|corrected|guaranteed|generali[sz]ed)"
)
_DOES = (
    r"(?:support|handle|scale|generali[sz]e|capture|account|model|address|cover|guarantee|extend|hold|consider|distinguish"
    r"|take\s+into\s+account|ensure|tell|reflect|represent|detect|recogni[sz]e|transfer|apply\s+to"
    r"|exploit|incorporate|provide|cope|deal|track|respect|know|have\s+(?:access|data|information)|claim|assess)"
)
_ONE = r"(?:one|two|a\s+(?:single|few|handful|small)|single|three|few|small|limited|simple|synthetic|simulated|English)"
_THING = (
    r"(?:data\s?sets?|data|corpus|corpora|languages?|models?|domains?|tasks?|benchmarks?|annotators?|raters?|sites?|schools?"
    r"|countr(?:y|ies)|cit(?:y|ies)|regions?|seeds?|runs?|participants?|subjects?|patients?|species|experiments?|systems?"
    r"|simulations?|architectures?|settings?|scenarios?|prompts?|metrics?|samples?|projects?|time\s+points?|examples?)"
)

#: Admissions in any section, in sentences that are not about others.
PLAIN_ADMISSIONS: tuple[str, ...] = (
    r"\b(?:beyond|outside)\s+(?:of\s+)?the\s+scope\b|\bout\s+of\s+(?:the\s+)?scope\b",
    r"\bnot\s+(?:always\s+|necessarily\s+|strictly\s+)?(?:guaranteed|exhaustive)\b|\b(?:no|without\s+any)\s+guarantees?\b",
    rf"\b(?:(?:is|are|was|were)\s+(?:currently|presently|explicitly|yet|still)\s+not|(?:is|are|was|were)\s+not\s+(?:currently"
    rf"|presently|explicitly|yet))\s+{_YET}{_HANDLED}\b",
    rf"\b(?:could|can)(?:\s+not|not)\s+{_YET}be\s+{_YET}{_HANDLED}\b|\b(?:when|in)\s+interpreting\s+(?:these|this|our|the|any|results)\b",
    r"\bnot\s+possible\s+to\s+(?:exclude|rule\s+out|determine|establish|assess|distinguish)\b|\bwe\s+(?:were|are)\s+(?:un|not\s+)able\s+to\b|\bwe\s+(?:acknowledge|recogni[sz]e|concede|admit|reali[sz]e|caution)\s+that\b",
    r"\b(?:only|solely)\s+(?:be\s+)?possible\s+(?:if|when|for|with|in)\b|\bwill\s+(?:\w+\s+)?fail\b|\bfar\s+from\s+(?:ideal|perfect|optimal"
    r"|complete|solved|sufficient)\b|\bdo(?:es)?\s+not\s+(?:by\s+itself\s+)?guarantee\b|\bstill\s+(?:needs?|has|have|requires?)\s+to\s+be\b",
    r"\bassum\w+\s+(?:\w+\s+){0,2}?(?:perfect|ideal(?:i[sz]ed)?|noise-?free|noiseless|(?:complete|full)\s+knowledge)\b|\bin\s+our\s+(?:setup"
    r"|setting|experiments?|study|analysis),?\s+we\s+assume\b|\bsimplif\w+\s+assumptions?\b|\boversimplif\w+",
    r"\bfor\s+(?:the\s+)?(?:sake\s+of\s+|ease\s+of\s+\w+\s+and\s+)?(?:simplicity|clarity|tractability)\b(?=[^.]{0,160}\b(?:assum|only|neglect|ignor|restrict|omit)\w*)"
    r"|\b(?:assum|neglect|ignor|omit)\w*\b[^.]{0,80}\bfor\s+(?:the\s+)?(?:sake\s+of\s+)?(?:simplicity|clarity|tractability)\b",
    r"\b(?:this|these)\s+(?:constraint|restriction|assumption|simplification)s?\s+(?:exclude|limit|restrict|mean|prevent|may|might|could)\w*",
    r"\blimited\s+(?:ability|capability|capacity|applicability|coverage|generali[sz]ability|availability)\b|\bsmall-scale\s+(?:study|experiments?"
    r"|evaluation|data\s?set)\b|\b(?:insufficient|inadequate|too\s+few|not\s+enough)\s+(?:data|samples?|evidence|statistics|resolution|memory"
    r"|information|power|training|time|examples?|coverage)\b",
    r"\b(?:may|might|could|can|will)\s+(?:also\s+|still\s+|therefore\s+)?(?:be\s+)?(?:limited|insufficient|inappropriate|unsuitable|impractical"
    r"|infeasible)\b|\b(?:may|might|could)\s+(?:accidentally|erroneously|incorrectly|wrongly|falsely|mistakenly)\b",
    r"\b(?:may|might|could|can)\s+(?:also\s+|still\s+)?(?:contain|include|introduce|have|cause|lead\s+to|result\s+in|suffer)\s+(?:\w+\s+){0,2}?"
    r"(?:errors?|noise|bias(?:es)?|artifacts?|false|inaccurac\w+|mistakes?|overfitting|overestimat\w+|underestimat\w+)\b",
    r"\b(?:results?|performance|findings?|estimates?|numbers?)\s+(?:may|might|could|can)\s+(?:\w+ly\s+)?(?:vary|differ|change|be\s+(?:different"
    r"|affected|sensitive|influenced))\b|\bunfortunately,?\s+(?:this|it|our|we|since)\b",
    r"\bour\s+(?:\w+\s+){1,2}(?:does|did|do)\s+not\s+(?!(?:\w+ly\s+)?(?:differ|show|depend|require|need|change|affect|rely|suffer|support)\b)\w+"
    r"|\bwe\s+could\s+not\s+\w+|\breaders?\s+should\s+(?:note|bear|keep|be\s+aware)\b",
    r"\b(?:may|might|could|can|will|likely|probably)\s+(?:\w+ly\s+)?(?:inflate|bias|distort|confound|skew|exaggerate|(?:under|over)(?:count|estimat"
    r"|represent))\w*\b|\b(?:is|are|be)\s+(?:\w+\s+)?biased\s+(?:against|towards?|by|in)\b",
    r"\b(?:issue|problem|difficulty)\s+with\s+(?:our|this|the)\s+(?:model|method|approach|analysis|formulation|design|data|scheme)\b",
    r"\b(?:was|were|is|are|been)\s+not\s+(?:manually|systematically|formally|independently|thoroughly|exhaustively|fully)\s+\w+ed\b",
    r"\b(?:quality|coverage|resolution|agreement|reliability)\s+(?:of\s+)?(?:\w+\s+){0,3}?(?:is|was|were|are)\s+(?:\w+\s+)?(?:poor|low|limited|weak"
    r"|insufficient)\b",
    r"\bwe\s+(?:do|did|have|could)\s+not\s+(?:currently|presently|yet|systematically|fully)\s+(?!(?:discuss|specif|mention|defin|introduc"
    r"|describ|said)\w*)\w{3,}",
    rf"\bwe\s+have\s+(?:only\s+|so\s+far\s+)?assumed\b|\bonly\s+(?:valid|meaningful|correct|true)\s+(?:if|when|for|under|in)\b"
    rf"|\bvalid\s+only\b|\bviolat\w+{_W}{{0,2}}?assumptions?\b|\bassumptions?{_W}{{0,4}}?(?:violated|may\s+not|might\s+not"
    r"|does\s+not\s+hold|do\s+not\s+hold|unrealistic|is\s+strong|are\s+strong)\b|\b(?:unrealistic|simplistic|restrictive)"
    r"\s+assumptions?\b|\bassumptions?\b[^.;]{0,90}\b(?:must|needs?\s+to|ha(?:s|ve)\s+to)\s+(?:be\s+)?(?:hold|fulfilled|satisfied|met)\b",
    rf"\b(?:results?|findings?|conclusions?|analys[ie]s|evaluations?|experiments?|comparisons?|stud(?:y|ies)|samples?|data"
    rf"|procedures?|algorithms?|optimi[sz]ation|search|training|tests?|validation|implementation|approach|method|model)"
    rf"{_W}{{0,2}}?(?:is|are|was|were)\s+(?:therefore\s+|thus\s+|hence\s+)?(?:specific|limited|restricted|confined)\s+to\b",
    rf"\b(?:analy[sz]e[sd]?|evaluat\w+|test(?:s|ed)?|stud(?:y|ies|ied)|report(?:s|ed)?|examin\w+|look(?:s|ed)?\s+at|compared?"
    rf"|trained|derived|collected|conducted|performed|experiment\w*){_W}{{0,2}}?only{_W}{{0,3}}?(?:{_ONE}\s+)(?:\w+\s+){{0,3}}?{_THING}\b",
    r"\b(?:due|owing)\s+to\s+(?:the\s+|a\s+|our\s+)?(?:lack|limited|insufficient|long|high|prohibitive|scarcity|shortage|absence|time"
    r"|budget|space|resource|hardware|memory|computational|financial)\b(?=[^.]{0,160}\b(?:not|only|limited|restricted|unable"
    r"|cannot|could|fewer|constrain\w*|omit\w*|exclud\w*|skip\w*|lack|incorrect|wrong)\b)",
    r"\b(?:comes|came|come)\s+(?:at\s+(?:the|a|an)\s+(?:\w+\s+)?(?:cost|price|expense)|with\s+(?:the|a)\s+(?:\w+\s+)?(?:cost|price"
    r"|trade-?off|penalty|overhead))\b|\bthe\s+(?:cost|price|downside|trade-?off)\s+(?:of\s+(?:this|these|our)\s+\w+\s+|here\s+)?is\b"
    r"|\bin\s+exchange\s+for\s+(?:this|these)\b|\b(?:downside|disadvantage|pitfall)s?\s+(?:of\s+(?:our|this|the\s+proposed)|is)\b",
    rf"\b(?:may|might|could)\s+(?:\w+ly\s+|also\s+|still\s+|therefore\s+|thus\s+)?(?:be(?:come)?\s+)?(?:too|inaccurate"
    rf"|incorrect|unreliable|inflated|overestimated|underestimated|suboptimal|sub-optimal|outdated|incomplete|misleading|biased"
    rf"|deteriorate|grow{_W}{{0,1}}?too)\b|\b(?:can|will)\s+be\s+(?:biased|unreliable|inaccurate|misleading)\b",
    rf"\b(?:may|might)\s+not{_W}{{0,1}}?(?:be\s+)?(?:correct|accurate|optimal|hold|generali[sz]e|reliable|representative"
    rf"|capture|work|suffice|sufficient|reflect\w*|transfer|apply|scale|handled|distinguish\w*|detect|complete\w*|applicable|extend|perform|enough|adequate"
    r"|suitable|valid|appropriate|feasible|entirely|fully|always|truly|random|comparable"
    rf"|\w+ed\s+(?:correctly|accurately|properly))\b",
    r"\b(?:is|are|was|were|be)\s+(?:only|merely)\s+(?:an?\s+)?(?:approximat\w+|rough|crude|partial(?:ly)?|preliminary|a\s+first\s+step|proxy|proxies"
    r"|surrogates?|estimates?)\b|\blimit(?:s|ed|ing)?\s+our\s+(?:ability|power|interpretation|inferences?|conclusions?|analys\w+)\b",
    r"\b(?:test\s+statistics?|data|information|records?|details?|measure\w*)\s+(?:\w+\s+){0,3}?(?:was|were)\s+not\s+(?:always\s+)?available\b"
    r"|\bsubject\s+to\s+(?:\w+\s+){0,2}?(?:bias(?:es)?|errors?|confound\w+)\b",
    r"\b(?:a|one|the|another)\s+remaining\s+(?:problem|issue|challenge|weakness)\b",
    r"\bthere\s+(?:is|are|was|were)\s+(?:however,?\s+|still\s+)?(?:an?\s+)?(?:substantial|considerable|notable|large|significant|some)\s+"
    r"(?:confusion|errors?|bias(?:es)?|discrepanc\w+|uncertaint\w+|room)\b",
    r"\b(?:was|were)\s+not\s+(?:performed|conducted|carried\s+out|attempted)\b|\bno\s+(?:\w+\s+){1,4}?(?:is|are|was|were)\s+(?:considered"
    r"|included|attempted|modell?ed|performed|conducted|taken\s+into\s+account)\b",
    r"\b(?:the|our|this)\s+(?:\w+\s+)?(?:algorithm|method|approach|procedure|tool|system|model|technique|strategy|software|implementation"
    r"|pipeline|design)\s+(?:is|was)\s+(?:\w+ly\s+|still\s+)?(?:incapable|unable|not\s+(?:cap)?able)\b",
    r"\b(?:severe|problematic|substantial|serious|questionable|crude)\s+(?:assumption|restriction|simplification|approximation)s?\b"
    r"|\bassumptions?\s+of\s[^.;]{0,80}?\b(?:is|are)\s+(?:often\s+|usually\s+|likely\s+)?violated\b",
    r"\b(?:this|it)\s+is\s+(?:of\s+course\s+|clearly\s+|admittedly\s+)?an?\s+(?:\w+\s+)?(?:weakness|flaw|simplification|idealization)\b|\b(?:main|major"
    r"|important|key|serious)\s+(?:flaws?|weakness(?:es)?)\b|\bha(?:s|ve)\s+(?:a\s+|some\s+|several\s+|also\s+)*weakness(?:es)?\b",
    r"\b(?:these|results|findings)\s+are\s+(?:only\s+|still\s+)?preliminary\b|\bimpossible\s+to\s+(?:fully|completely|entirely|reliably|exactly)\b",
    r"\b(?:work|works|worked|appl(?:y|ies)|valid|applicable|suitable)\s+only\s+(?:for|with|on|in|if|when|to|at|under)\b"
    r"|\bonly\s+(?:works?|appl(?:y|ies)|applicable|suitable)\s+(?:for|with|on|in|if|when|to|at|under)\b",
    r"\b(?:difficult|hard|impossible)\s+to\s+(?:\w+\s+){1,6}?in\s+(?:this|these|such)\s+cases?\b",
    r"\bpremature\s+to\b|\b(?:small|low|limited|insufficient)\s+(?:sample\s+sizes?|statistical\s+power|number\s+of\s+(?:\w+\s+){0,2}?"
    r"(?:samples|participants|patients|subjects|cases|observations|data\s+points|replicates|events|measurements))\b",
    r"\b(?:data\s?set|data|sample|cohort|evidence|sample\s+size|number\s+of\s+(?:\w+\s+){1,3}?)\s*(?:is|was|are|were)\s+(?:\w+ly\s+|too\s+|rather\s+"
    r"|very\s+)?(?:limited|small|sparse|scarce|insufficient)\b",
    r"\bno\s+(?:\w+\s+)?(?:comparisons?|conclusions?|inferences?)\s+(?:was|were|can|could)\s+be\b|\bno\s+(?:\w+\s+)?(?:comparisons?|tests?)\s+(?:was|were)"
    r"\s+made\b|\b(?:comparisons?|conclusions?|inferences?)\s+(?:cannot|could\s+not|can\s+not)\s+be\s+(?:made|drawn)\b",
    r"\bwe\s+(?:do|did)\s+not\s+have\s+(?:\w+\s+){0,2}?(?:access|data|information|proofs?|evidence|enough|sufficient|means)\b"
    r"|\bwe\s+(?:do|did)\s+not\s+(?:attempt|try)\b",
    r"\b(?:this\s+(?:study|analysis|approach|method|model|work|design)|our\s+\w+|these\s+(?:data|results|findings|analyses)|the\s+(?:present|current)\s+\w+)"
    r"\s+(?:cannot|can\s+not|could\s+not)\b|\b(?:may|might|could)\s+(?:also\s+|therefore\s+|thus\s+|partly\s+)?(?:have\s+)?(?:affect|influenc|alter|limit"
    r"|reduc|obscur|mask|compromis)\w*\s+(?:the|our|these)\s+(?:\w+\s+){0,2}?(?:accuracy|interpretation|conclusions?|comparisons?|findings?|power|generali\w+)\b",
)

#: Admissions in sentences about the paper's own work.
ADMISSIONS: tuple[str, ...] = (
    rf"\bha(?:s|ve)\s+(?:not|never)(?:\s+yet)?\s+been\s+{_YET}{_HANDLED}\b",
    r"\bremains?\s+(?:unclear|untested|unexplored|to\s+be\s+(?:seen|shown|tested|determined|established|verified|proven|proved|answered|addressed))\b",
    r"\bwe\s+(?:do|did)\s+not\s+(?:\w+ly\s+)?(?:handle|support|model|account\s+for|address|cover|evaluate|test|verify|validate"
    r"|guarantee|claim|explore|investigate|tune|optimi[sz]e|control\s+for|take\s+into\s+account|compare\s+(?:with|to|against)"
    r"|distinguish)\b|\bwe\s+(?:ignore|neglect|disregard)(?:ed)?\b",
    rf"\bonly{_W}{{0,2}}?(?:analy[sz]e[sd]?|evaluat\w+|test(?:s|ed)?|consider(?:s|ed)?|stud(?:y|ies|ied)|examin\w+"
    rf"|look(?:s|ed)?\s+at|trained|conducted)\b(?={_W}{{0,4}}?(?:{_ONE}|{_THING})\b)"
    rf"|\b(?:us(?:es|ed)|consider(?:s|ed)?|ran|run){_W}{{0,2}}?only{_W}{{0,3}}?(?:{_ONE}\s+)(?:\w+\s+){{0,3}}?{_THING}\b",
    r"\bwe\s+(?:therefore\s+|only\s+|here\s+)?(?:restrict|limit|confine)(?:ed)?\s+(?:ourselves|(?:our\s+)?attention"
    r"|(?:our|the)\s+(?:analys[ie]s|stud(?:y|ies)|evaluation|experiments?|focus|discussion|comparisons?)\s+to)\b",
    r"\bnot\s+(?:directly|strictly|fully|easily)\s+comparable\b|\b(?:should\s+be\s+noted|note|keep\s+in\s+mind|bear\s+in\s+mind)\s+that\b"
    r"(?=[^.;]{0,120}\b(?:(?:is|are|was|were|do|does|did|need)\s+not|cannot|may|might|limit\w*|constrain\w*|restrict\w*|bias\w*|differences?)\b)",
    r"\b(?:a|just|only)\s+(?:single|one)\s+(?:random\s+)?(?:seed|run|annotator|rater|trial)\b|\bsingle\s+(?:random\s+)?(?:seed|annotator|rater)\b|\bno\s+ground\s+truth\b|\b(?:main|major|primary)\s+(?:sources?|causes?)"
    r"\s+of\s+errors?\b|\bin\s+simulation\s+only\b|\bonly\s+in\s+simulation\b",
    r"\bwe\s+(?:\w+\s+)?(?:exclusively|solely|only)\s+(?:focus|consider|stud(?:y|ied)|evaluate|test|look|examine|report|include|cover)\w*"
    r"|\bwe\s+(?:had|were\s+forced)\s+to\s+(?:exclude|discard|drop|omit|remove|restrict|limit|reduce|approximate)\b"
    r"|\bdeliberately\s+(?:left|omit|exclud|ignor|did\s+not)\w*",
    r"\b(?:is|are|was|were)\s+(?:\w+ly\s+)?limited\s+(?:to|by)\b|\b(?:is|are|was|were|be)\s+(?:neglected|ignored)\b",
    r"\bhowever,?\s+it\s+(?:\w+ly\s+)?(?:requires?|increases?|cannot|lacks?|fails?|assumes?)\b|\bno\s+longer\s+(?:holds?|valid|applicable)\b"
    r"|\bbreaks?\s+down\b|\b(?<!not\s)more\s+(?:computationally\s+)?(?:expensive|intensive"
    r"|demanding|costly)\b(?!\s+(?:algorithms?|methods?|approach\w*|models?|techniques?))|\bat\s+the\s+(?:cost|expense)\s+of\b(?!\s+(?:\w+\s+)?(?:few|little|minor|slight))",
    r"\b(?:is|are)\s+(?:only\s+)?an?\s+(?:\w+\s+)?(?:approximation|simplification|proxy)\b|\bincomplete\s+(?:data|labels?|annotations?"
    r"|coverage|records?|information|metadata)\b",
    r"\b(?:heavily|highly|largely|critically|crucially)\s+(?:depend\w*|rel(?:y|ies|iant))\s+on\b|\bwe\s+(?:\w+ly\s+)?(?:cannot|can\s+not)\s+(?:yet\s+|currently\s+"
    r"|\w+ly\s+)?(?:observe|suggest|tell|say|know|claim|conclude|guarantee|ensure|determine|distinguish|establish|separate|infer|estimate|measure"
    r"|assess|evaluate|compare|quantify|verify|confirm|generali[sz]e|detect|identify)\b",
    r"\bwe\s+(?:have\s+)?(?:arbitrarily|deliberately|artificially)\s+(?:limit|restrict|confin|fix)\w*\b|\bwe\s+(?:have\s+)?(?:limited|restricted)\s+the"
    r"\s+(?:current|present|maximum|number|size|scope|investigation|study)\b",
    r"\bnone\s+of\s+(?:the|our)\b[^.;]{0,60}\b(?:can|could|capable|able)\b",
    r"\b(?:may|might|could)\s+(?:\w+ly\s+|also\s+|still\s+)?(?:fail|miss|overestimate|underestimate|overfit|degrade)\b",
    r"\bfails?\s+(?:on|for|when|in|if|to)\b|\bfailed\s+(?:on|for|to)\b|\bstruggles?\s+(?:with|to|on|when|in)\b|\binability\s+to\b"
    r"|\bunable\s+to\b",
    r"\b(?:will|does|do)\s+(?:\w+\s+){0,2}?(?:incorrect|inaccurate|wrong|unreliable)\b|\b(?:falsely|mistakenly|wrongly|incorrectly"
    r"|erroneously)\s+\w+ed\b",
    r"\bwill\s+(?:need|have)\s+to\s+(?:grow|increase|be\s+(?:re-?trained|adapted|adjusted|tuned))\b",
    r"\b(?:supports?|handles?|holds?|available|covers?)\s+only\s|\bonly\s+(?:supports?|handles?|holds?|covers?|deals?\s+with)\b",
    r"(?<!there\sis\s)(?<!there\sare\s)\b(?:currently|presently|at\s+present|in\s+its\s+(?:present|current)\s+form|as\s+it\s+stands)"
    r"[\s,]+(?:\w+[\s,]+){0,4}?(?:only|not|cannot|limited|restricted|lacks?|requires?|no)\b",
    rf"\b(?:does|do)(?:\s+(?:\w+\s+)?not|n['\u2019]t)\s+{_YET}{_DOES}\b",
    r"\brequir(?:es|ing)\s+(?:a\s+)?(?:large|significant|substantial|considerable|huge|manual|expensive|expert|extensive"
    r"|prior\s+knowledge)\b",
    r"\bstrongly\s+(?:depend\w*|rel(?:y|ies|iant))\s+on\b|\b(?:highly|very|quite)\s+sensitive\s+to\b"
    r"|\b(?:is|are)\s+sensitive\s+to\s+(?:the\s+)?(?:choice|setting|quality|noise|initiali[sz]ation|hyper)",
    r"\b(?:constrains?|restricts?|limits?|narrows?)\s+(?:the|our|its)?\s*(?:\w+\s+){0,2}?(?:applicab\w+|general\w*|scope"
    r"|comparab\w+|conclusions?|inputs?\s+\w+\s+to)\b",
    r"\b(?:is|are)\s+(?:prone|susceptible|vulnerable)\s+to\b|\bsuffers?\s+from\b|\b(?:ignores?|neglects?|disregards?|overlooks?)\b",
    r"\b(?:difficult|hard|challenging|impossible|infeasible|impractical)\s+(?:for\s+\w+\s+)?to\s+(?:find|distinguish|separate|tell"
    r"|determine|interpret|compare|evaluate|assess|detect|recover|estimate|generali[sz]e|disentangle|reproduce|measure|verify)\b",
    r"\b(?:several|many|two|three|four|five|ten|\d+)\s+times\s+slower\b|\b(?<!should\s)performs?\s+(?:poorly|badly)\b|\bpoor\s+performance\b"
    r"|\b(?:accuracy|performance|quality|sensitivity|precision|recall)\s+(?:\w+\s+){0,2}?(?:degrades?|deteriorates?|suffers?|drops?)"
    r"\s+(?:when|with|for|as|if|on)\b",
    r"\b(?:is|are|was|were)\s+not\s+(?:\w+ly\s+)?(?:comparable|suitable|suited|applicable|appropriate|practical|scalable|feasible"
    r"|perfect|robust|reliable|reproducible|(?:an?\s+)?representative|realistic|designed|able|conclusive|sufficient|enough|as\s+(?:\w+\s+)?(?:accurate|reliable"
    r"|precise|good|efficient|sensitive|robust|comprehensive|fast)\s+as)\b",
)

#: Admissions in sentences about the paper's own work, where authors discuss it.
OWN_CONCESSIONS: tuple[str, ...] = (
    r"\b(?:findings?|results?|observations?|conclusions?)\s+(?:should|must|needs?\s+to|remains?\s+to|ha(?:s|ve)\s+to)\s+(?:\w+\s+)?be\s+(?:confirmed"
    r"|validated|replicated|verified|corroborated)\b",
    r"\b(?:neglecting|ignoring|disregarding)\b|\b(?:model|method|approach|analysis|framework|algorithm|procedure)\s+assume[sd]?\b",
    r"\bwhich\s+(?:is|are|was|were)\s+not\s+(?:\w+\s+)?(?:the\s+case|true|realistic)\b",
    r"\b(?:lacks?|lacking|absence\s+of|unfortunately)\b(?![^.;]{0,60}\b(?:beneficial|helps?|advantage)\b)",
)

#: Admissions where authors discuss their work, without a reference to it.
CONCESSIONS: tuple[str, ...] = (
    r"\b(?:one|some)\s+of\s+the\s+(?:\w+\s+)?(?:disadvantages|weaknesses|central\s+assumptions)\b|\bimperfect\s+representation\b"
    r"|\b(?:one|another)\s+(?:\w+\s+)?(?:issue|problem|concern|difficulty)\s+(?:comes|arises|stems)\b",
    r"\b(?:may|might|could|likely)\s+(?:\w+\s+){0,2}?(?:be\s+)?(?:an?\s+)?(?:under|over)estimates?\b|\b(?:slightly|somewhat)\s+exaggerated\b"
    r"|\b(?:is|are)\s+(?:\w+ly\s+)?(?:inaccurate|unreliable|imprecise)\b|\bnot\s+(?:\w+\s+)?(?:explored|considered|examined|studied)\s+here\b",
    r"\bwe\s+(?:acknowledge|recogni[sz]e|concede|admit|caution|are\s+aware|must\s+note|must\s+stress)\b|\b(?:word|note)\s+of\s+caution\b",
    r"\b(?:another|one|an?\s+(?:further|second|third|final|related|potential|possible|additional))\s+(?:\w+\s+)?(?:concern|issue|problem|difficulty"
    r"|complication|weakness)\s+(?:is|with|for|in|of|that|relates?|concerns?)\b|\bfailure\s+modes?\b",
    r"\bis\s+not\s+(?:yet\s+)?(?:clear|known|obvious)\s+(?:what|which|how|whether|if|why|to\s+what)\b|\b(?:may|might)\s+not\b(?!\s+only)"
    r"|\bloses?\s+the\s+ability\b|\blost\s+the\s+ability\b",
    r"\b(?:naive|simplistic|crude|rudimentary|coarse)\s+(?!bayes|baseline)\w+|\bcomputationally\s+(?:expensive|intensive|demanding"
    r"|prohibitive|infeasible|intractable)\b",
    r"\b(?:relatively|rather|too|fairly)\s+(?:small|short|few|narrow|homogeneous|coarse|specific|simple|expensive|slow|simplistic"
    r"|restrictive|strict)\b|\bbased\s+on\s+[^.;]{0,40}\b(?:relatively|fairly|rather)\b",
    r"\b(?:is|are|be)\s+(?:\w+ly\s+)?(?:uncertain|questionable|debatable|inconclusive|incomplete"
    r"|unrealistic|arbitrary|subjective|imperfect|suboptimal|sub-optimal|outdated|expensive|costly|slow|absent|self-reported|intractable)\b"
    r"(?!\s+(?:detection|information|knowledge|process|choice|term|constant)s?\b)",
    r"\b(?:could|can|might|may)\s+be\s+(?:argued|objected)\s+that\b|\black(?:s|ed|ing)?\s+(?:of\s+)?(?:\w+\s+)?(?:validity|statistical\s+power|data|information"
    r"|detail|precision|resolution|diversity|variation|variability|specificity|standardi[sz]ation|evidence|a\s+control\s+group)\b",
    r"\b(?:is|are|remains?)\s+(?:still|as\s+yet|yet)\s+(?:unknown|unclear|untested|an\s+open\s+(?:question|problem|issue))\b",
    r"\b(?:may|might|could)\s+(?:have\s+)?(?:\w+\s+){0,2}?(?:differ(?!ent)|distort|skew|inflat|exaggerat|obscur|mask|hid(?:e|den)|limit|hinder"
    r"|hamper|gone\s+unnoticed|influenced?\b)\w*",
    r"\bwe\s+(?:\w+\s+)?assume\b(?!\s+only)|\bwe\s+(?:\w+\s+)?(?:make|made)\s+(?:\w+\s+){0,4}?assumptions?\b|\bassumptions?\s+(?:\w+\s+){0,3}?"
    r"(?:is|are)\s+(?:severe|bad|crude|strong|simplistic|questionable)\b",
    r"\binferior\s+to\b|\bless\s+(?:accurate|effective|efficient|reliable|precise|robust|useful|sensitive|suitable)\s+(?:than|for|when|in|on)\b",
    rf"\b(?:cannot|can\s+not|could\s+not){_W}{{0,1}}?(?:be\s+(?:used|applied|extended|assumed|seen|known|excluded|avoided)|tell|say"
    r"|know|claim|conclude|guarantee|ensure|handle|use|follow|separate|establish|explain|process|generali[sz]e|infer)\b",
    r"\bneeds?\s+(?:a|an|the|much|more|several|many|manual)\b|\bincreasingly\s+(?:\w+\s+)?(?:incorrect|inaccurate|slow|difficult"
    r"|expensive)\b|\bwe\s+(?:\w+\s+)?(?:simplif\w+|neglect\w*|ignor\w+)\b|\bwithin\s+(?:\w+\s+)?(?:minutes|hours)\s+only\b",
    r"\b(?:from|in|at|by|of|with)\s+(?:one|a\s+single|the\s+same|only\s+one)\s+(?:\w+\s+){0,2}?(?:city|country|school|university|site"
    r"|center|centre|hospital|region|company|language|annotator|rater|observer|laboratory|lab|platform|vendor|source|domain|dataset"
    r"|corpus|course|teacher|clinic|village|river|valley)\b",
    r"\b(?:is|was)\s+(?:therefore\s+)?(?:not\s+(?:always\s+)?possible|impossible)\s+to\b|\bcould\s+not\s+be\s+(?:\w+\s+)?\w+ed\b",
    rf"\b(?:was|were)\s+not\s+(?!supported)(?:\w+ly\s+)?(?:{_HANDLED}|carried\s+out|documented|recorded|available|collected|performed|reported"
    r"|represented|monitored|followed|standardi[sz]ed|masked|matched|repeated)\b",
    r"\bwe\s+did\s+not\s+(?!(?:\w+ly\s+)?(?:find|observe|see|detect|lose|exclude|need|want|note|notice|identify|expect|encounter"
    r"|experience|allow|differ|require|reject|change|alter)\b)\w+|\bwe\s+cannot\s+be\s+(?:certain|sure)\b|\bno\s+certainty\b",
    r"\bthere\s+is\s+(?:a|the|some)\s+(?:possibility|risk|chance|danger)\b|\bit\s+is\s+possible\s+(?:that\s+)?(?:we|our|the|some|certain|these)\b",
    r"\b(?:may|might|could)\s+(?:still\s+|also\s+)?(?:have\s+)?(?:been\s+)?(?:affect|bias|contaminat|misclassif|underestimat|overestimat|missed)\w*"
    r"|\bself-report(?:s|ed)?\b|\bsubjective\s+(?:measure|rating|judg|assess)\w*|\b(?:increas|introduc)\w+\s+the\s+risk\s+of\b",
    r"\bhowever,?\s+(?:this|it|such|our\s+\w+)\s+(?:\w+ly\s+|also\s+|still\s+)?(?:requires?|assumes?|relies|depends?|comes|cannot|does\s+not|may|might)\b"
    r"|\b(?:higher|increased|additional|extra)\s+(?:computational\s+|memory\s+|training\s+|inference\s+|annotation\s+)?(?:costs?|overhead|complexity"
    r"|consumption|latency)\b",
    r"\bonly\s+be\s+(?:generali[sz]ed|applied|used)\b|\bnot\s+(?:well-?\s?)?balanced\b",
    rf"\b(?:only|just)\s+(?:\w+\s+){{0,1}}?(?:{_ONE})\s+(?:\w+\s+){{0,2}}?{_THING}\b(?<!number\sof\s)|\b(?:English|simulation|synthetic\s+data)\s+only\b|\bsample{_W}{{0,3}}?"
    r"(?:small|limited|self-selected)\b",
)

#: Openings that end a passage: a turn to strengths, or to what was done about a limitation.
TURN = (
    r"(?:in\s+return|nevertheless|nonetheless|despite|in\s+spite\s+of|notwithstanding|fortunately|luckily|encouragingly|ideally|interestingly|notably|importantly|even\s+so|that\s+said"
    r"|still,|on\s+the\s+(?:other\s+hand|positive\s+side|bright\s+side)|overall|in\s+summary|in\s+conclusion|to\s+conclude|taken\s+"
    r"together|to\s+(?:mitigate|address|overcome|reduce|counter|alleviate|minimi[sz]e|avoid|remedy)|(?:the\s+)?strengths?\b"
    r"|as\s+a\s+remedy|one\s+(?:solution|remedy|strength)|we\s+(?:release|publish|thank|conclude|believe|hope))\b"
)
#: Openings that continue the previous sentence, outside a discussion.
FOLLOW = (
    r"(?:this|these|that|those|it|its|they|such|here|there|first|second|third|also|moreover|furthermore|in\s+addition|additionally"
    r"|for\s+(?:example|instance)|thus|therefore|hence|consequently|as\s+a\s+(?:result|consequence)|because|since|even|in\s+particular"
    r"|specifically|finally|lastly|likewise|similarly|another|whether)\b"
)

#: Future work.
FUTURE = (
    r"\bfuture\s+(?:\w+\s+){0,2}?(?:work|works|research|stud(?:y|ies)|directions?|investigations?|efforts?|versions?|releases?"
    r"|experiments?|extensions?|trials?|iterations?)\b|\bin\s+(?:the\s+)?(?:near\s+)?future\b"
    r"|\b(?:we|the\s+authors)\s+(?:also\s+|further\s+)?(?:plan|intend|hope|aim|would\s+like|wish|expect|propose|look\s+forward)\s+to\b"
    r"|\bwe\s+(?:will|shall)\s+(?:also\s+|then\s+|next\s+)?(?:extend|explore|investigate|study|add|address|evaluate|include|test"
    r"|examine|consider|improve|apply|collect|release|run|integrate)\b|\bnext\s+steps?\b"
    r"|\b(?:further|additional|more)\s+(?:\w+\s+){0,2}?(?:research|work|stud(?:y|ies)|investigations?|experiments?|trials?|evaluation)\b"
    r"|\bit\s+(?:would|will|could)\s+be\s+(?:\w+\s+)?(?:interesting|worthwhile|useful|valuable|desirable|fruitful|beneficial)\s+to\b"
    r"|\b(?:should|could|might|can|may)\s+(?:also\s+)?be\s+(?:\w+\s+)?(?:extended|explored|addressed|investigated|studied|improved"
    r"|integrated|added|incorporated)\b|\b(?:left|leave|defer\w*)\b[^.;]{0,80}?\b(?:future|later|further)\b"
    r"|\b(?:promising|interesting|natural|exciting|fruitful|logical)\s+(?:\w+\s+)?(?:avenues?|directions?|extensions?|next\s+step)\b"
)
#: Words in sentences on future work that also state a limitation.
GAP = (
    r"\b(?:not|no|nor|never|cannot|only|limited|limits?|lack\w*|unable|fails?|failed|insufficient|unclear|unknown|too|small|few|without"
    r"|biased?|restricted|scope|caut\w+|caveat\w*|preclud\w*|weak\w*|problem\w*|errors?|difficult\w*|unfortunately|yet)\b"
)

#: Reported results and claims of priority: "we" in these does not make a weakness the paper's own.
REPORTING = (
    r"\b(?:we|our\s+(?:\w+\s+)?(?:results?|analys[ie]s|experiments?|findings))\s+(?:\w+\s+){0,2}?(?:find|found|show|showed|shown|observe[sd]?"
    r"|see|note|notice|report|demonstrate|reveal|indicate|suggest|highlight|believe|confirm|hypothesi[sz]e)\w*(?:\s+that)?"
)
FINDING = (
    r"\bwe\s+(?:have\s+)?(?:\w+ly\s+)?(?:demonstrate|show|find|found|reveal|confirm|argue|identif(?:y|ied)|uncover|analy[sz]e|discuss|extract"
    r"|generat|collect|annotat|classif|detect|predict)\w*"
)
#: Reports of a finding about the world: a "may" or "cannot" after one is no limitation of the study.
REPORTED = (
    r"\b(?:results?|findings?|analys[ie]s|evidence|experiments?|observations?|we|(?:this|our|the)\s+(?:\w+\s+)?(?:study|review|work))\s+(?:\w+\s+){0,3}?"
    r"(?:show|shows|showed|shown|suggests?|suggested|indicates?|indicated|imply|implies|reveals?|demonstrates?|found|find)\s+that\b"
    r"|,\s+(?:thus\s+|therefore\s+)?(?:indicating|suggesting|implying|showing)\s+that\b"
)
NOVEL = r"\bto\s+(?:the\s+best\s+of\s+)?our\s+knowledge\b|\bfor\s+the\s+first\s+time\b"

#: Headings about limitations as a research topic.
SUBJECT_MATTER = (
    r"\b(?:limitations?|weakness(?:es)?|shortcomings?)\s+(?:extraction|generation|evaluation|detection|identification|classification"
    r"|annotation|taxonom\w+|data\s?sets?|types?|corpus|statements?|spans?)\b"
    r"|\b(?:generat|extract|evaluat|predict|mention|identif|annotat|highlight|detect|collect)\w*[\s-]+(?:\w+[\s-]+){0,2}?"
    r"(?:limitations?|weakness(?:es)?|shortcomings?)\b"
)

#: Statements that a bias was avoided, a description is elsewhere, or a hypothesis failed.
KEPT_OUT = (
    r"\b(?:minimi[sz]|reduc|avoid|prevent|eliminat|remov|mitigat|control\w*\s+for|no|without)\w*\W+(?:\w+\W+){0,3}?"
    r"(?:bias|confound\w*)\b"
    r"|\b(?:description|discussion|review|account|overview|treatment|derivation|proof|survey|introduction)s?\b[^.;]{0,80}"
    r"\b(?:beyond|outside|out\s+of)\s+(?:of\s+)?the\s+scope\b"
    r"|\b(?:do|does|did|was|were)\s+not\s+support(?:ed)?\s+(?:by|the|this|that|any)\b"
)

#: Roles of sections excluded from implicit passages: abstract, introduction and related work as in BAGELS, equivalents
#: of related work, and the sections at which BAGELS stops. Explicit limitations are also taken from introductions and
#: appendices, and keyword sentences about this study (:data:`OWN_CUE`) from all sections except :data:`NO_KEYWORD`.
NO_IMPLICIT = frozenset(
    [
        "abstract",
        "introduction",
        "related",
        "background",
        "reference",
        "acknowledgement",
        "appendix",
    ]
)
OPENING = frozenset(["introduction", "related", "background"])

#: Roles that never occur inside these: otherwise a heading was lost.
MISPLACED = frozenset(["method", "data", "experiment", "result", "discussion", "conclusion", "future"])
NO_KEYWORD = frozenset(["abstract", "reference", "acknowledgement"])
NO_EXPLICIT = frozenset(["abstract", "related", "reference", "acknowledgement"])

#: Roles of sections where authors discuss their work ("broader sections such as discussion or conclusion"). In other
#: sections, a sentence with a keyword must refer to the paper's own work (:data:`OWN`).
DISCUSSING = frozenset(["discussion", "conclusion", "limitation", "future", "ethics"])

#: Roles of sections in which a bare "Constraints" or "Limits" is a topic of the work.
NO_BARE = frozenset(["method", "background", "introduction", "data", "appendix"])

#: Roles of sections that are not shown to a model.
NO_TEXT = frozenset(["reference", "acknowledgement"])

#: Roles of subsections that do not belong to their parent limitation section.
NO_SUBSECTION = frozenset(["future", "conclusion", "ethics", "acknowledgement", "reference", "appendix"])

NAMES = (
    r"(?:limitations?|shortcomings?|drawbacks?|caveats?|weaknesses|strengths?\s+(?:and|&)\s+weakness"
    r"|threats?\s+to\s+(?:\w+\s+){0,2}validity|validity\s+threats?)"
)
_PLAIN_NAMES = r"(?:limits|constraints|restrictions|threats|failures?|disadvantages|downsides|pitfalls)"
_MAIN = r"(?:main|major|key|current|known|possible|potential|practical|remaining|present|other|important)"
_THIS = (
    r"(?:of|in|with|to)\s+(?:our|this|the\s+(?:(?:present|current|proposed)\s+)?)\s*"
    r"(?:study|work|paper|research|analysis|approach|method|model|system|framework|data\s?set|trial|design|tool|evaluation)"
)

#: Continuations of "limitations" in headings on other subjects: "of cassava production", but not "of our study", "of
#: the sampling technique", "of DeepTune" or "of SVM".
OF_MATTER = (
    r"\s+(?:of|in|on)\s+(?!(?i:.*\b(?:our|this|these|present|current|proposed|stud\w*|work|papers?|articles?|research|analys\w+"
    r"|approach\w*|method\w*|models?|modell?ing|systems?|frameworks?|data\w*|trials?|design\w*|tools?|evaluation\w*|reviews?"
    r"|surveys?|experiment\w*|simulation\w*|sampl\w+|techniques?|measure\w*|algorithms?|software|results?|findings|tests?"
    r"|estimat\w+|implementation|procedure|protocol|classifier|corpus|prototype|project|scope|use)\b))(?:(?i:the|an?)\s+)?"
    r"[A-Z]?[a-z]+\b(?![A-Z\d])"
)

#: Complete headings that name limitations by other words, without numbers and final marks.
OTHER_NAMES = (
    rf"(?:the\s+|our\s+|some\s+)?(?:{_MAIN}\s+{_PLAIN_NAMES}|{_PLAIN_NAMES}\s+{_THIS}|{_MAIN}\s+{_PLAIN_NAMES}\s+{_THIS}"
    r"|failure\s+(?:cases|modes|analysis)|(?:known|open|remaining)\s+(?:issues|problems|bugs|weak\s+(?:points|spots))"
    r"|weak\s+(?:points|spots)|(?:when|where)\s+(?:\w+\s+){1,3}(?:fails?|breaks?(?:\s+down)?)"
    r"|what\s+(?:\w+\s+){1,3}(?:cannot|does\s+not|do\s+not|did\s+not)(?:\s+\w+){0,3})"
    rf"(?:\s+(?:and|&)\s+\w+(?:\s+\w+){{0,3}})?"
)

#: Headings that only do so where authors discuss their work; elsewhere they name properties of a method.
BARE_NAMES = rf"(?:the\s+|our\s+)?{_PLAIN_NAMES}(?:\s+(?:and|&)\s+(?:\w+\s+){{0,2}}\w+)?"

#: Further topics in a heading on limitations: such a section is searched, not taken as a whole.
BESIDE = (
    r"\b(?:discussions?|results?|findings?|conclusions?|concluding|implications?|summary|analys[ie]s|evaluations?"
    r"|experiments?|strengths?|contributions?|comparisons?|interpretation|diskussion|fazit|discusi[o\u00f3]n"
    r"|ethic(?:s|al)?|(?:(?:broader|societal|social|potential)\s+)*impacts?)\b"
)
_WORK = r"(?:stud(?:y|ies)|work|paper|research|analys[ie]s|approach|method|model|system|framework|dataset|trial|design)"
_WORKS = (
    r"(?:studies|works|methods|approaches|models|systems|techniques|tools|solutions|datasets|benchmarks|metrics|algorithms"
    r"|packages|implementations)"
)
OTHERS = (
    r"(?:previous|prior|existing|earlier|past|other(?!\W+hand)|traditional|conventional|classical|standard|recent|competitors?"
    rf"|(?:above|aforementioned)\W+(?:\w+\W+){{0,2}}?{_WORKS}|state-of-the-art|alternative|competing|related\W+{_WORKS}"
    rf"|(?:these|those|such)\W+{_WORKS}|current\W+(?:\w+\W+){{0,2}}?{_WORKS})"
)
_OVERCOME = (
    r"(?:overc[oa]m|address|alleviat|mitigat|tackl|lift(?:s|ed|ing)|remed|circumvent|avoid|resolv|solv|eliminat|remov"
    r"|relax|bypass|break|surpass|compensat)\w*"
)
_UP_TO_2, _UP_TO_6 = r"\W+(?:\w+\W+){0,2}?", r"\W+(?:\w+\W+){0,6}?"
_SAME_CLAUSE = r"\s+(?:[^\s,;]+\s+){0,6}?"

_MEANS = r"(?:procedure|algorithm|approach|method|model|scheme|technique|system|framework|analysis|design)"

#: References to the paper's own work.
OWN = (
    rf"\b(?:we|our|ours|us|this\W+{_WORK}|the\W+(?:present|current|proposed)\W+{_WORK}"
    rf"|the\W+{_MEANS}\W+(?:described\W+)?(?:above|here)|the\W+above\W+{_MEANS})\b"
)

#: Patterns that attribute a keyword to this study: "this study" and the like, or "our", but not earlier own work.
_OURS = (
    r"(?:our\b(?!\W+(?:(?:own|current)\W+)?(?:previous|prior|earlier|past|first|initial|existing|understanding"
    r"|knowledge)\b)"
    r"|(?:this|the\W+(?:present|current))\W+(?:stud(?:y|ies)|paper|article|review|survey|trial|research)\b)"
)
OWN_CUE = (
    rf"CUE{_UP_TO_2}(?:of|to|in|with|for)\W+{_OURS}"
    rf"|\b{_OURS}(?:\W+\w+){{0,3}}?\W+(?:has|have|had|comes?\W+with|suffers?\W+from|(?:is|are)\W+not\W+without)\W+(?:\w+\W+){{0,3}}?CUE"
)

#: Patterns that attribute a keyword to the method described in the section.
OWN_METHOD_CUE = (
    rf"^\W*(?:however,\s+)?the\W+{_MEANS}\W+(?:(?:also|still|itself)\W+)?(?:has|is\W+not\W+without|comes\W+with|suffers\W+from)"
    r"\W+(?:\w+\W+){0,3}?CUE"
)

#: Openings whose subject is the paper's own work.
OWN_SUBJECT = (
    r"\W*(?:(?:however|thus|therefore|hence|in\s+practice|in\s+particular|moreover|furthermore|also|still|currently|finally|as\s+a"
    r"\s+result|as\s+a\s+consequence|consequently|note\s+that|while|although|though|since|because|again|here|lastly|for\s+now|by"
    r"\s+design),?\s+)?(?:our|it|this|these\s+(?:results|heuristics|experiments|rules|estimates|numbers|analyses)"
    r"|in\s+(?:this|our)\s+\w+|the\s+(?:\w+\s+){0,3}?(?:algorithm|procedure|implementation|method|model|approach|scheme|tool"
    r"|software|heuristic|estimat\w+|results?|search|evaluation|comparison|experiments?|strategy|technique|assumptions?"
    r"|simulations?|framework|prototype|system|analys[ie]s|dataset|corpus|study|survey|classifier|network|pipeline))\b"
)
#: Citations of other work as the subject of a sentence.
CITED = (
    r"^\W*(?:\w+\W+){0,3}?[A-Z][\w'\u2019-]+(?:\s+et\s+al\.?,?|\s+(?:and|&)\s+[A-Z][\w'\u2019-]+)?\s*(?:\(\d{4}[a-z]?\)|\[\d{1,3}\])"
    r"|^\W*(?:the\s+authors|they)\b|\b(?:work|method|approach|algorithm|model)s?\s+(?:of|by|in)\s+(?:\[\d|[A-Z]\w+\s+et\s+al)"
)
#: Contrasts with other work, before the phrase in question.
CONTRAST = (
    r"\b(?:unlike|in\s+contrast\s+(?:to|with)|as\s+opposed\s+to|instead\s+of|rather\s+than|compared\s+(?:to|with))\b"
    r"[^,;]*$"
)

#: Introductions of a name by the paper.
PRESENTED = (
    r"\b(?:[Ww]e|[Pp]aper|[Ww]ork|[Aa]rticle|[Ss]tudy)\s+(?:\w+\s+)?(?:present|introduce|propose|describe|develop|release|call)(?:s|ed)?"
    r"\s+(?:\w+\s+){0,4}?((?=[\w-]*[A-Z\d])(?:[a-z]+[A-Z\d]|[A-Z][a-z]*[A-Z\d])[\w-]{1,20})\b"
)

#: A name that starts a sentence: with inner capitals or digits, or in lower case.
SUBJECT = (
    r"(?:(?:^|[.!?]\s+)(?=[a-z]|\w*\w[A-Z\d])|,\s+(?=\w*\w[A-Z\d]))([A-Za-z][\w-]{2,20})\s+(?:\w+ly\s+)?(?:(?!as\b|its\b|this\b)[a-z]{1,12}s|can"
    r"|will|may|did|also|achieved|outperformed|was)\b"
)

#: Class of a keyword sentence by the first rule that matches; CUE stands for the keyword, None for a limitation.
#: Without a match a sentence is a limitation. On the 394 keyword sentences of the labelled set used to write them, the
#: rules reject 19 of 35 non-limitations, 15 of 285 limitations, and 3 of 74 announcements.
NOISE: tuple[tuple[str | None, str], ...] = (
    ("another sense of the word", (
        r"\b(?:airflow|flow|activity|functional|mobility|motion|movement|exercise|nutrient|nitrogen|phosphorus|carbon"
        r"|oxygen|iron|light|water|substrate|physical|page|space|length|word|dispersal|recruitment|metabolic|stomatal"
        r"|photosynthetic|energetic|pollen|seed|legal|regulatory|stringent|strict)(?:\W+and\W+\w+)?[\s-]+CUE"
        r"|\bstatutes?\s+of\s+CUE|(?<!not\s)\bwithout\s+CUE|\b(?:plac|impos)\w+\W+(?:\w+\W+)?CUE\W+on\b"
    )),
    ("it refers to limitations stated elsewhere",
     r"CUE\W+(?:sub)?section\b|CUE\b[^.;]{0,80}\bin\s+(?:the\s+(?:next|following)\s+)?(?:sections?|sec\.|appendix|chapter)"),
    ("it looks back at limitations already stated", (
        rf"\b(?:despite|in\s+spite\s+of|notwithstanding|regardless\s+of|apart\s+from){_SAME_CLAUSE}CUE"
        r"|\b(?:although|though)\s+(?:these|this)\s+CUE|\b(?:these|this|such)\s+CUE\W+(?:notwithstanding|aside)\b"
    )),
    ("it says that a limitation does no harm", rf"CUE{_UP_TO_2}(?:(?:did|does|do){_UP_TO_2}not|unlikely)\b"),
    ("it says that there is none", (
        rf"(?:\b(?:fewer|fewest|no(?:\W+longer\W+an?)?|none\W+of)\W+(?:\w+\W+)?|\bnever{_UP_TO_6}"
        rf"|\bnot{_UP_TO_2}(?:suffer|share|inherit|face)\w*{_UP_TO_6}"
        rf"|(?<!not\s)\bwithout\s+(?:the|these|those|this|any|such)\s+(?:\w+\s+)?)CUE"
    )),
    (None, (
        rf"CUE{_UP_TO_2}(?:of|to|in|with|for|is|that)\W+"
        rf"(?:our|we|this|the\W+(?:present|current|proposed)\W+{_WORK}\b)"
    )),
    (None, rf"\b(?:not|cannot|fails?|unable|yet){_UP_TO_2}{_OVERCOME}"),
    (None, rf"\b(?:we|us|our)\b[^.;]*\b(?:these|such)\W+{_WORKS}{_UP_TO_6}CUE"),
    ("it speaks of other work", (
        rf"\b{OTHERS}{_UP_TO_6}CUE|CUE{_UP_TO_6}{OTHERS}\b|CUE\W+of\W+(?:such|all|many|most)\b"
        rf"|CUE\W+of\W+(?!our|this|these|the\b)(?:\w+\W+){{1,2}}?{_WORKS}\b|CUE\W+(?:of|in|with)\W+(?:their|primary|included)\b"
        rf"|^\W*(?:some|many|most|certain)\W+(?:\w+\W+){{0,4}}?{_WORKS}\b(?!\W+(?:of|in)\W+(?:our|this))"
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

#: Further nouns for the items of a list of limitations.
PROBLEMS = (
    r"(?:issues?|concerns?|problems?|weakness|flaws?|difficult(?:y|ies)|disadvantages?|downsides?|reasons?|respects?"
    r"|assumptions?|simplifications?)"
)

_NTH_IS = r"the\s+(?:first|second|third|fourth|fifth|last)\s+(?:(?:one\s+)?(?:is|was)|concerns|relates|lies)\b"

#: Openings of sentences that start another limitation of a list.
ITEM = (
    r"(?:(?:first|second|third|fourth|fifth|sixth|last|final)(?:ly)?,|first\s+of\s+all\b|another\b"
    r"|(?:one|an?\s+(?:additional|further|second|third|final|last|related)"
    r"|the\s+(?:first|second|third|fourth|fifth|final|last|other))\s+"
    rf"(?:\w+\s+){{0,2}}?(?:{NAMES}|issue|concern|constraint|weakness|problem|challenge|point|threat)\b"
    rf"|{_NTH_IS}|[(\[]?(?:\d{{1,2}}|[ivx]{{1,4}}|[a-h])[)\]]\s|\d{{1,2}}\.\s|[\u2022\u25aa\u25e6\u2023\u2013\u00b7*-]\s)"
)

#: Openings that number list items.
ORDINAL = (
    r"(?:(?:first|second|third|fourth|fifth|sixth)(?:ly)?,|(?:the\s+|a\s+)?(?:first|second|third|fourth|fifth)\s+(?:\w+\s+){0,2}?"
    rf"(?:{NAMES}|issue|concern|constraint|weakness|problem|challenge|point|threat)\b|{_NTH_IS}|[(\[]?(?:\d{{1,2}}|[ivx]{{1,4}}|[a-h])[)\]]\s"
    r"|\d{1,2}\.\s)"
)

#: Headings at the start of a paragraph that end an implicit passage (BAGELS).
TERMINAL = r"\b(?:acknowledge?ments?|grants?|funding|future|discussion|conclusions?|appendix|appendices)\b"
