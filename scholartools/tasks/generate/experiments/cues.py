"""Cue words of sentences that reveal a paper's own experiments or their results."""

from __future__ import annotations

import re

_FIRST = (
    r"\b(?:we(?! (?:also )?(?:note|recall|review|refer|attempt)\b)|our(?! knowledge)|us|this (?:paper"
    r"|work|study|article))\b"
)
# Adverbs and auxiliaries between "we" and the verb.
_ADVERBS = r"(?:\w+ly |also |then |first |further |still |now |next |thus |therefore |again |have |had )*"
_MEASURES = (
    r"(?:accurac(?:y|ies)|precision|recall|f-?1|f-?scores?|bleu|rouge|perplexity|error rates?|auc|roc|map|mrr|ndcg|wer|"
    r"psnr|ssim|miou|iou|top-?[15]|speed-?ups?|(?:true|false) (?:positive|negative)s?(?: rates?)?|run[- ]?times?"
    r"|throughput|latency|correlation coefficients?)"
)
_OUTCOMES = (
    r"improv\w*|increas\w*|decreas\w*|reduc(?:e[sd]?|ing|tions?)|gains?|outperform\w*|rank\w*|better|worse|higher|lower"
    r"|greater"
    r"|correct\w*|correlat\w*|agreement|effective(?:ness|ly)?"
    r"|(?:fast|slow|small|larg|cheap)er than"
)
_NUMBER = r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|several|many|multiple)"

#: Sentences that match a pattern are candidates for leaks; the key says what is revealed.
CUES: dict[str, re.Pattern[str]] = {
    "result": re.compile(
        r"\b(?:outperform\w*|surpass\w*|state[- ]of[- ]the[- ]art (?:results?|performances?|scores?|accurac\w+)"
        r"|new state[- ]of[- ]the[- ]art|results?"
        r" (?:\w+ly |also |further |thus )?(?:show|demonstrate|indicate|suggest|confirm|reveal|highlight|imply)\w*"
        r"|experiment\w* (?:show|demonstrate|indicate|suggest|confirm|reveal|verif|validat|on|with|conducted)\w*"
        r"|(?:experimental|empirical|main|(?<!reproduce )(?<!discussion of )our) results(?! (?:will|may|can|could)\b)"
        r"|we (?:further |also |then )?(?:demonstrate|show empirically|compare (?:it|them|our|this|these|the|against"
        r"|with)\b)"
        r"|demonstrat\w+ (?:its|their|the|our)"
        r" (?:utility|usefulness|efficacy|performance|benefits?|advantages?|potential)"
        r"|(?:all|the|our) results (?:below|that follow|presented|in this (?:paper|work|study|article))"
        r"|results (?:do not |don\u2019t )?(?:seem|appear|warrant)\w*"
        r"|demonstrat\w+ (?:the |its |their |our )?(?:[\w\u2019'-]+ ){0,2}effectiveness"
        r"|(?<!will )perform\w* (?:similarly|better|worse|comparably|on par)"
        r"|"
        + _NUMBER
        + r"(?: times|[- ]fold|\s?[x\u00d7]) (?:as )?(?:fast|slow|small|larg|more|less|better|higher|lower)\w*"
        r"|accurac(?:y|ies) (?:improve|increase|drop|decrease)\w*"
        r"|(?:is|are|was|were) (?:improv|reduc|increas|decreas)ed (?:by|to|up to|from) (?:an? |about |up to |over )*\d"
        r"|competitive (?:with|results?|performances?|accurac\w+)|superior (?:results?|performances?|accurac\w+)"
        r"|effectiveness of (?:our|the proposed|this)"
        r"|we (?:\w+ly |also |then )?(?:found|observed|discovered|obtained|noticed)\b(?! it\b| (?:previously|earlier"
        r"|before)\b)"
        r"|in our (?:\w+ )?(?:experiments?|simulations?|evaluations?|tests?)|our (?:[\w-]+ ){0,3}experiments?"
        r"|(?:present|report|show|discuss|describe|give|provide)\w* (?:[\w-]+ ){0,4}?"
        r"(?:results|experiments|evaluations?|case stud(?:y|ies)) (?:on|of|for|with|from|in|obtained|that)"
        r"|(?:(?<!\bto )|(?<=able to ))achiev\w+ (?:\w+[ -]){0,6}?(?!(?<=desired )results?)"
        r"(?:" + _MEASURES + r"|performance|results?|scores?|improvements?|gains?|state[- ]of[- ]the[- ]art)"
        r"|(?:work|perform|far)(?:s|ed)? (?:the |much |very )?(?:best|better|worse|poorly)|best[- ]performing"
        r"|(?:loss|drop|gap|gain|increase|decrease|improvement|degradation|difference)s? (?:in|of) (?:[\w-]+ ){0,2}"
        r"(?:" + _MEASURES + r"|performances?|quality)"
        r"|evaluations? [^.]{0,80}\b(?:show|demonstrat|indicat|reveal|suggest|confirm)\w*"
        r"|comparisons? of (?:the )?(?:\w+ )?(?:" + _MEASURES + r"|performances?)"
        r"|(?:effects?|impact|influence) of [^.]{0,80}\b(?:is|are|was|were) "
        r"(?:analy[sz]ed|studied|investigated|examined|evaluated|shown|reported)"
        r"|(?:proven|proved|shown) to (?:be effective|work well))\b",
        re.I,
    ),
    "experiment": re.compile(
        r"\b(?:ablat\w+|baselines"
        r"|baseline (?:methods?|models?|systems?|results|performance)"
        r"|(?:over|than|against|with|to|as|beats|outperforms?) (?:a|the|our|strong) baseline"
        r"|(?:extensive|several|comprehensive|thorough|preliminary|additional|multiple|numerical|further|our|the|"
        r"of|following|conduct\w*|perform\w*|run|ran) experiments"
        r"|experimental (?:results?|evaluation|setup|settings?|comparisons?)"
        r"|experiment(?:s|al)? section|(?:in|for|throughout) (?:all|these|those|this|each|final|preliminary|initial"
        r"|the (?:main|first|second)) "
        r"(?:\w+ )?experiments?|(?:run|ran|present|report|conduct|perform)\w* (?:[\w-]+ ){0,3}experiments?"
        r"|we " + _ADVERBS + r"(?:evaluate|test|assess) (?:how|whether|if|the (?:effects?|impact|influence))"
        r"|this experiment|confusion matri(?:x|ces)|fair(?:er)? comparisons?"
        r"|we " + _ADVERBS + r"(?:explored|experiment(?:ed)?|tried|investigated)"
        r"|we "
        + _ADVERBS
        + r"(?:use|adopt)(?:d|ed)? (?:the|an?|our) (?:\w+ )?(?:re)?implementation|same settings? (?:as|of)"
        r"|repeated \d+ times"
        r"|we " + _ADVERBS + r"(?:investigate|explore|try|compare) (?:\w+ )?"
        r"(?:two|three|four|five|several|different|various|multiple|alternative)"
        r"|(?:use[sd]?|made use of|consider(?:ed)?|employ(?:ed)?|collect(?:ed)?|select(?:ed)?|utili[sz]ed?) (?:\w+ )?"
        r"(?:" + _NUMBER + r"|various|different|public\w*) (?:[\w-]+ ){0,3}(?:data ?sets|corpora|benchmarks)"
        r"|(?:we|will|have|then|also|empirically) (?:\w+ly )?(?:evaluate|benchmark|test|validate|assesse?)(?:d|ed)?\b"
        r"(?=[^.]{0,60}\b(?:on|against|with|using|over|by)\b)"
        r"|(?:was|were|been) (?:\w+ly |then )?(?:evaluated|benchmarked|tested|validated|assessed)\b"
        r"(?=[^.]{0,60}\b(?:on|against|in|using|via|with)\b)"
        r"|to (?:demonstrate|test|verify|assess|validate|investigate|evaluate|examine|probe|compare (?:against|with"
        r"|to))\b"
        r"[^.]{0,100}(?:, we\b|\bwe (?:also )?(?:run|ran|conduct|perform|compar|evaluat|measur|train|us)\w*)"
        r"|we (?:\w+ly |also |then |first |additionally )?(?:conduct(?:ed)?|ran|analy[sz]ed|tested|evaluated|validated"
        r"|compared|recruited|surveyed|interviewed)\b"
        r"|averages? (?:of|over) \d+ (?:runs|trials|seeds|repetitions|replicates)|in each experiment"
        r"|our (?:participants|annotators|subjects"
        r"|(?:qualitative|quantitative|empirical|experimental) (?:analys[ie]s|stud\w+|evaluations?))"
        r"|participants (?:were|had|completed|performed|worked|received|used)"
        r"|empirical(?:ly)? (?:evidence|evaluat\w+|validat\w+|comparisons?|demonstrat\w+|test\w*|verif\w+))\b",
        re.I,
    ),
    "measure": re.compile(
        rf"\b\d+\.\d+\s(?:\w+\s)?{_MEASURES}\b|\b{_MEASURES}\s(?:scores? )?(?:of|to|is|was|by)\s\$?\d"
        r"|\b(?-i:[A-Z]{3}\w*+) (?:scores? )?(?:of|is|was) \$?\d+\.\d"
        r"|\b(?:takes?|took|requires?|required|within|in|only) (?:only |about |less than |under )?\$?\d[\d.,]*\$? ?"
        r"(?:milliseconds|seconds|minutes|hours|ms|fps)\b",
        re.I,
    ),
}

#: Settings of experiments; in a section on the method, a citation next to one refers to the tool used.
SETTING = re.compile(
    r"\b(?:learning[- ]rates? (?:of|is|was|set to|=) [^a-z]{0,6}\d|batch[- ]size (?:of|is|was|set to|=) \$?\d"
    r"|for \$?\d[\d,.]*k? (?:epochs|(?:training |gradient )?steps)"
    r"|(?:us(?:e[sd]?|ing)|with|by) (?:the )?(?:AdamW?|RMSProp|AdaGrad|AdaDelta|SGD|stochastic gradient descent)\b"
    r"|hyper-?parameter (?:tuning|search|sweep)|learning rate schedul\w+|warm(?:s|ed)?[- ]?up"
    r"|train(?:ed)? [^.]{0,30}from scratch|initiali[sz]ed [^.]{0,40}\b(?:according to|following)"
    r"|(?:we (?:\w+ly )?(?:set|tuned?|chose|choose|select|selected|fixed|keep|kept)"
    r"|tuning) [^.]{0,40}\bhyper-?parameters?"
    r"|(?:was|were) (?:tuned|selected|chosen|cross-validated) (?:on|using|by|via)|grid search|random seeds?"
    r"|(?:test|validation|development|dev|held-out) (?:sets?|splits?)|development and test\w* (?:sets?|data))\b",
    re.I,
)

#: Cues that only count in sentences about the paper itself or in its abstract; elsewhere they are about other work.
IN_OWN_WORDS: dict[str, re.Pattern[str]] = {
    "comparison": re.compile(
        r"\b(?:(?:our|the proposed)\b[^.]{0,60}?\b(?:is|are|was|were|performs?) (?:\w+ ){0,2}?"
        r"(?:faster|slower|better|worse|superior|comparable|competitive)\b"
        r"|(?:is|are|was|were) (?:\w+ )?(?:faster|slower|(?:more|less) (?:accurate|efficient|robust))"
        r"|(?:better|worse|higher|lower|comparable|superior|robust) (?:\w+ ){0,2}?"
        r"(?:performances?|results|correlations?|" + _MEASURES + r")"
        r"|(?:increas|improv|boost)(?:es|ed) (?:[\w-]+ ){0,4}?(?:performance|quality|results|" + _MEASURES + r")"
        r"|(?:was|were) (?:trained|tested|compared|evaluated|applied|shown) (?:in|on|to|with|against|using)"
        r"|(?:is|are) (?:\w+ly |then )?(?:evaluated|benchmarked|tested|validated|assessed) (?:on|against|in|using"
        r"|via|with)"
        r"|(?:results?|experiments?|simulations?|tests?) (?:are |is )?(?:reported|presented|shown) (?:here|below|in)"
        r"|(?:performance|accuracy) is (?:\w+ )?(?:robust|better|worse|higher|lower|comparable|similar)"
        r"|(?:shows?|yields?|gives?|leads? to) (?:\w+ ){0,3}?(?:benefits?|improvements?|gains?|speed-?ups?)"
        r"|(?:improv|reduc|increas|decreas)\w+ (?:[\w-]+ ){0,6}?(?:by|to|up to|from) (?:an? |about |up to |over )*\d"
        r"|(?:more|less|better|worse|(?:fast|slow|small|larg|high|low)er)\b[^.]{0,40}? than "
        r"(?:any|all|several|most|other|previous|existing|prior|earlier|current|mainstream|the (?:state|best|most"
        r"|baseline))"
        r"|shown to (?:\w+ly )?(?:improv|outperform|reduc|increas|be (?:\w+ly )?(?:effective|better|faster|robust))\w*"
        r"|orders? of magnitude|significant(?:ly)? (?:improv|better|outperform|faster|higher|lower|gains?)\w*"
        r"|(?<!been )successfully (?!\w+ly\b)\w+|perform(?:s|ed)? (?:\w+ )?well"
        r"|without (?:much |any |significant )?(?:reduction|loss) (?:in|of) (?!generality)\w+"
        r"|examples? (?:that|which) (?:show|illustrate|demonstrate)|held[- ]out"
        r"|(?:considering|given|from) (?:these|the|our) (?:results|findings)"
        r"|(?:substantially|significantly|dramatically|considerably|greatly|drastically|markedly) "
        r"(?:improv|reduc|increas|decreas|enhanc|outperform|fast|slow|low|high|better)\w*)\b",
        re.I,
    ),
    "observation": re.compile(
        r"\bwe (?:\w+ly |also |then |first |further |now )*"
        r"(?:observe|find|see|achieve|reach|obtain|measure|notice)\b(?=.{0,160}?\b(?:"
        + _OUTCOMES
        + r"|\d[\d.,]* ?(?:G?FLOP\S*|[num\u00b5]?s|seconds|minutes|hours|[KMG]B|fps|x|times)\b))",
        re.I | re.S,
    ),
    "study": re.compile(
        r"\b(?:(?:empirical|experimental|extensive|comprehensive|quantitative|numerical|thorough|systematic|simulation)"
        r" (?:stud(?:y|ies)|analys[ie]s|evaluations?|comparisons?|validations?|investigations?|simulations?|examples?)"
        r"|(?:our|this) (?:[\w-]+ )?(?:analys[ie]s|stud(?:y|ies)|simulations?|findings?|evaluations?|tests?)"
        r"(?: [\w-]+){0,8}? (?:show|reveal|suggest|indicate|demonstrate|confirm)\w*"
        r"|the researchers (?:also |then |\w+ly )*(?:found|identified|estimated|calculated|used|collected|obtained"
        r"|tested|observed|analy[sz]ed|compared|reported|showed|attempt\w*)"
        r"|(?:test|validation|development|dev) set"
        r"|(?:investigat|explor|examin|evaluat|gaug|assess|quantif)\w* (?:[\w-]+ ){0,4}?"
        r"(?:performance|effectiveness|accuracy|properties)"
        r"|(?:synthetic|simulated|toy|real|real-world|benchmark|public) "
        r"(?:data ?sets?|data|examples?|problems?|tasks?|images|observations|experiments?))\b",
        re.I,
    ),
}

#: What a paper did, in the past tense of abstracts and introductions; elsewhere such sentences describe the method.
DONE = re.compile(
    r"\b(?:(?:we|the (?:researchers|authors|investigators)) (?:have |had |also |then |first |next |\w+ly )*"
    r"(?:investigated|explored|identified|characteri[sz]ed|determined|established|revealed|quantified|measured"
    r"|discovered"
    r"|detected|screened|sequenced|collected|recruited|enrolled|analy[sz]ed|estimated|calculated|found|tested|compared"
    r"|observed|assessed|examined|obtained|conducted|performed)"
    r"|(?:evidence|data) (?:is|are) (?:provided|presented)|(?:it is|we have|have been) shown that"
    r"|we (?:also )?(?:provide evidence|uncover|discover|do not (?:see|find|observe)|see that)"
    r"|, (?:thereby |thus )?(?:finding|showing|revealing|demonstrating|confirming|suggesting) (?:that|how)"
    r"|(?:we|paper|study|work|article) (?:(?!will\b)\w+ ){0,3}"
    r"(?:investigat|explor|examin|stud(?:y|ies|ied)|analy[sz]|assess|prob|quantif|measur|correlat)\w* (?!how to)"
    r"(?:[\w-]+,? ){0,3}?(?:applicability|informativeness|usefulness|suitability|feasibility|effects?|impact"
    r"|influence|relationship|extent|role|behaviou?rs?|abilit\w+|capabilit\w+"
    r"|robustness|sensitivity|how|whether|correlations?|hypothes[ei]s)"
    r"|test the (?:\w+ )?hypothes[ei]s"
    r"|(?:on|across|over|for) (?:\w+ )?(?:" + _NUMBER + r"|various|different|public\w*|standard|benchmark) "
    r"(?:[\w-]+ ){0,4}?(?:data ?sets|benchmarks|corpora|tasks|domains|languages)"
    r"|to (?:\w+ )?(?:" + _NUMBER + r"|various|different|public\w*|standard|benchmark) "
    r"(?:[\w-]+ ){0,4}?(?:data ?sets|benchmarks|corpora)"
    r"|evaluat(?:e|ing) [^.]{0,60}\b(?:on|against)\b|benchmarks? to compare|and (?:tested|compared|evaluated"
    r"|performed|conducted)\b"
    r"|(?:we|study|work|paper) (?:aimed|sought|aims? (?=to (?:investigat|determin|assess|test|evaluat|examin|understand"
    r"|identif|explor|compar|quantif|characteri)))\s?to"
    r"|(?:here|in this (?:study|work|paper|report)),? we (?:also )?(?:describe the (?!method|model|algorithm"
    r"|approach)\w+"
    r"|investigate(?! the problem)|identify|analy[sz]e)"
    r"|(?<!discussion of )our (?:findings|results|data|analys[ie]s|simulations?)(?! (?:will|may|can|could)\b)"
    r"|(?:simulations?|comparisons?) (?:of |on |with )?.{0,80}?\b(?:shows?|reveals?|confirms?|demonstrates?"
    r"|indicates?))\b",
    re.I,
)
#: Passive forms of the same, for abstracts.
DONE_THERE = re.compile(
    r"\b(?:was|were) (?:\w+ly )?(?:investigated|explored|identified|characteri[sz]ed|determined|quantified|measured"
    r"|detected|screened|sequenced|collected|recruited|enrolled|analy[sz]ed|estimated|calculated|found|tested|compared"
    r"|observed|assessed|examined|obtained|conducted|performed|recorded|evaluated|randomi[sz]ed|restricted|genotyped"
    r"|pooled|included|synthesi[sz]ed|validated|confirmed|followed|used to (?:test|measure|estimate|assess))\b"
    r"|\bis (?:tested|evaluated|validated|assessed) (?:by|on|with)\b",
    re.I,
)
#: Facets of an abstract with outcomes, and sentences in them that look ahead or give a location.
OUTCOME_FACETS = ("result", "conclusion")
PROSPECT = re.compile(
    r"\b(?:(?:may|might|could|can|will|should) (?:\w+ly )?(?:help|provide|contribute|enable|guide|inform"
    r"|facilitate|serve"
    r"|be (?:useful|used|applied))|promis\w+|potential (?:for|to)|future|framework|offers?|insights?|glimpses?|adds? to"
    r"|example of)\b"
    r"|^(?:availability|contact|supplementary|please see)\b",
    re.I,
)
#: Earlier work of the authors.
EARLIER = re.compile(r"\b(?:previous|previously|prior|earlier|recently)\b", re.I)

#: Percentages, which may be settings of the method, and the words that make them results.
PERCENTAGE = re.compile(r"\d\$?\s?\\?%|\b\d+(?:\.\d+)?\$? (?:percent(?:age points?)?|points?)\b")
CHANGE = re.compile(rf"\b(?:{_OUTCOMES}|los(?:s|es|ing)|drop\w*|achiev\w*|obtain\w*|finds?|found)\b", re.I)
OUTCOME = re.compile(rf"\b(?:{_OUTCOMES}|achiev\w*|obtain\w*|finds?|found|{_MEASURES})\b", re.I)

#: Announcements in abstracts and introductions; elsewhere such words often describe the method.
ANNOUNCED = re.compile(
    r"\b(?:we (?:\w+ly |also |then |will |further |use [^.]{0,60} to )*"
    r"(?:evaluat|validat|analy[sz]|examin|compar|ask whether|observe|find|found|show(?!case)|confirm|assess|report"
    r"|test|conclude that"
    r"|appl(?:y|ied) [^.]{0,60} to\b"
    r"|appl(?:y|ied) (?:it|this|our|these|the (?:method|model|approach|algorithm|technique|proposed))"
    r"|discuss [^.]{0,30}performance)\w*"
    r"|(?<=and )(?:show|find|demonstrate|confirm) (?:that|how)"
    r"|(?<=and )(?:evaluate|test|assess|benchmark|validate) (?:its?|the|our|them|on)\b"
    r"|(?:it|this (?:paper|work|study)) (?:also )?(?:demonstrates?|shows?|evaluates?|compares?) (?:that|how|the)\b"
    r"|(?:is|are) compared (?:against|with|to)\b"
    r"|(?<=and )compar(?:e|ing) (?:it|them|this|these|our|its)\b"
    r"|experiments (?:are|were) \w+)\b",
    re.I,
)
#: Proofs: no experiment is announced.
THEORY = re.compile(
    r"\b(?:[Aa]ppendix|derivations?|(?i:theorem|lemma|proposition)s?|prov(?:e|en|ably|able)|proofs?|theoretical\w*"
    r"|arbitrarily|optimal"
    r"|bound(?:s|ed)?|guarantee[sd]?|converges?|asymptotic\w*|polynomial|NP|special case|equivalent|closed[- ]form"
    r"|(?:can|could) be (?:written|viewed|derived|interpreted|reduced|computed|expressed|cast|extended|seen))\b"
)
#: Availability of code or data, and hopes: no experiment is revealed.
AVAILABLE = re.compile(
    r"\b(?:source code|code|implementations?|software|data)\b[^.]{0,80}\b(?:available|release[sd]?|provided|found"
    r"|online"
    r"|open[- ]source)|provide the (?:source )?code|https?://",
    re.I,
)
WISHED = re.compile(r"\b(?:wish|hope|expect|hypothesi[sz]e|conjecture|goal is|aim is|suppos\w+)\b", re.I)
#: Starts of sentences in an abstract that continue the outcome in the previous sentence.
CONTINUATION = re.compile(r"(?:This|These|Those|They|Thus|Hence|Therefore|Consequently|Similarly|Likewise)\b")
#: Roles of sections that announce experiments.
OPENING = ("abstract", "introduction")

#: A sentence of an introduction that says which section has the experiments.
OUTLINE = re.compile(
    r"(?=.*(?<!\()\b(?:next section|(?:sections?|sec\.|\u00a7)\s?~?(?:\d|[IVX]+\b)))"
    r".*\b(?:compar(?:e[sd]?|ing|isons?)|evaluat\w+|experiment\w*|validat\w+|case stud\w+|simulat\w+|benchmark\w*"
    r"|performance|(?:numerical|empirical) results|appl(?:y|ied|ying|ications?)\b.*\b(?:data|problems?))\b",
    re.I | re.S,
)

#: Numbered references to a table or figure.
TABLE = re.compile(r"\bTab(?:le|\.)?s?\s?~?\(?(\d+)", re.I)
FIGURE = re.compile(r"\bFig(?:ure|\.)?s?\s?~?\(?(\d+)", re.I)
#: Caption words of figures and tables with results.
OF_RESULTS = re.compile(
    rf"\b(?:results?|performances?|comparisons?|compar(?:ed|ing)|evaluat\w+|experiment\w*|versus|vs\.?|{_MEASURES}|"
    r"training curves?|learning curves?|(?:training|test|validation) loss|ablat\w+|(?:test|training|mean) errors?)\b",
    re.I,
)
#: References to this paper: results in related work are only removed if a sentence has one.
OWN = re.compile(_FIRST + r"|\bthe (?:researchers|proposed)\b", re.I)
#: Openings that state the paper's own results, so that a citation in the sentence is incidental.
OWN_RESULTS = re.compile(
    r"(?:\w+, )?(?:(?:the|these|overall|experimental|empirical|simulation|preliminary|initial|numerical) ){0,2}"
    r"(?:results|findings) (?:also |thus |therefore |further )?"
    r"(?:show|suggest|indicate|demonstrate|confirm|reveal|support|highlight|provide|establish)",
    re.I,
)
OURS = re.compile(r"\bour\b", re.I)
#: Openings of sentences about other work.
OTHERS = re.compile(
    r"(?:They|Their|In their|These (?:authors|methods|works|approaches|techniques|tools|studies|systems|models)"
    r"|Previous|Prior|Existing|Recent(?:ly)?)\b"
)
#: Citations: the results in a sentence with one may be those of other work.
CITATION = re.compile(
    r"\[\d[\d,\s\u2013-]*\]|\[[A-Za-z][\w:-]*\d\d[\w-]*(?:[,;][^\[\]]*)?\]|\([^()]*(?:19|20)\d\d[^\s()]{0,60}\)"
    r"|\bet al\b"
    r"|[(\[][a-z][a-z_:-]{3,}\d[\w;, -]*[)\]]"
)
#: Names before the words for data sets or baselines.
NAMED = re.compile(
    r"\b((?:(?=[A-Z]\w*[A-Z0-9])\w++|[A-Z][a-z]++(?:-\w++){1,8}+)(?:[ -]\d+)?)"
    r"(?=[ ](?:data ?sets?|corpus|corpora|benchmarks?|baselines?|treebank|test sets?|collection)\b)"
)
#: The name of the paper's own work: "we present CLgen", "our tool, CLgen".
PRESENTED = re.compile(
    r"\b(?:(?:present|propose|introduce|develop|call|name|describe)(?:ed|d|s|ing)?"
    r"|our (?:\w+ )?(?:tool|system|generator|program|method|model|framework|library|package|algorithm),?"
    r"|(?:novel|new) tool) ([A-Z][\w-]+)"
)
#: Numbered references to a section, and words that indicate experiments there.
SECTION = re.compile(r"(?:\b[Ss]ections?|\b[Ss]ec\.|\u00a7)\s?~?\(?(\d+|[IVX]+(?![a-z]))(?:[.-][\dA-Z]+)*")
OF_EXPERIMENTS = re.compile(
    r"\b(?:compar|results?\b|show|demonstrat|empiric|experiment|evaluat|performance|ablat|benchmark|verif|validat"
    r"|confirm)\w*",
    re.I,
)
#: Openings that explicitly mark a finding as empirical.
EMPIRICAL = re.compile(
    r"(?:Empirically|Experimentally)\b(?!,? (?:they|it is (?:widely|well|often|commonly|known|observed))\b)"
)
#: "These results show" refers to the previous sentence.
THESE = re.compile(r"(?:\w+, )?these (?:results|findings)\b", re.I)
#: The name of the work in a title: before a colon, or with inner capitals.
NAME_IN_TITLE = re.compile(r"^([A-Z][\w-]*)(?=:)|\b([A-Z][a-z]+[A-Z]\w*|[A-Z]{2,}[a-z]\w*)")
#: Openings of sentences that elaborate on an experiment in the previous sentence.
DETAIL = re.compile(
    r"(?:Specifically|In particular|More (?:precisely|specifically)|Namely|This (?:suggests|indicates|shows))\b"
)
#: Words for a finding in a figure, as opposed to a mere pointer to it.
LEARNED = re.compile(r"\b(?:that|how)\b", re.I)
#: General statements about a field.
GENERAL = re.compile(r"\b(?:may|can|could|often|typically|usually|generally|tends? to)\b", re.I)
#: Words that make a result empirical, whatever else the sentence says.
TRIED = re.compile(r"\b(?:experiment\w*|ablat\w+|evaluations?|empiric\w+|results)\b", re.I)
#: Outlines that only say where experiments or related work are.
BARE = re.compile(
    r"\b(?:present|describ|outlin|report|provid|discuss|giv|show)\w* (?:our |the |some )?(?:[\w-]+ ){0,2}?"
    r"(?:experiments?|results|evaluations?|demonstrations?) in (?:the )?(?:section|sec\.|\u00a7)\s?\S+?[.,](?:\s|$)"
    r"|\b(?:evaluations?|experiments?|results)(?: \w+)? (?:is|are) (?:outlined|presented|described|given|reported) in "
    r"(?:the )?(?:section|sec\.|\u00a7)\s?\S+\.?$"
    r"|\b(?:next section|section \S+),? we [^.]{0,80}\b(?:related work|state of the art)\b",
    re.I,
)
#: Openings about the work itself or its aim, in place of a conclusion of an abstract.
OF_THE_WORK = re.compile(
    r"(?:such|this|the|our)(?: [\w-]+)? (?:approach|method\w*|tool|system|framework|algorithm|visuali[sz]ation"
    r"|implementation|procedure|technique|package|library|software)\b|[^.]*\b(?:aims? to|we (?:seek|aim|hope) to)\b",
    re.I,
)
