"""Words by which a sentence tells of a paper's own experiments or of what came out of them."""

from __future__ import annotations

import re

_FIRST = r"\b(?:we|our|us|this (?:paper|work|study|article))\b"
_MEASURES = (
    r"(?:accurac(?:y|ies)|precision|recall|f-?1|f-?scores?|bleu|rouge|perplexity|error rates?|auc|roc|map|mrr|ndcg|wer|"
    r"psnr|ssim|miou|iou|top-?[15]|speed-?ups?|throughput|runtime|latency)"
)

#: Sentences of a paper that match one are taken for leaks; the name says what is told.
CUES: dict[str, re.Pattern[str]] = {
    "result": re.compile(
        r"\b(?:outperform\w*|surpass\w*|state[- ]of[- ]the[- ]art (?:results?|performances?|scores?|accurac\w+)"
        r"|new state[- ]of[- ]the[- ]art|results? (?:show|demonstrate|indicate|suggest|confirm|reveal)\w*"
        r"|experiment\w* (?:show|demonstrate|indicate|suggest|confirm|reveal|verif|validat|on|with|conducted)\w*"
        r"|(?:our|experimental|empirical|main) results"
        r"|we (?:further |also |then )?(?:demonstrate|show empirically|compare (?:it|them|our|this|the)\b)"
        r"|perform\w* (?:similarly|better|worse|comparably|on par)"
        r"|\d+ times (?:as )?(?:fast|slow|small|larg|more|less)\w*"
        r"|accurac(?:y|ies) (?:improve|increase|drop|decrease)\w*"
        r"|significant(?:ly)? (?:improv|better|outperform|faster|higher|lower|gains?)\w*"
        r"|(?:improv|reduc|increas|decreas)\w+ (?:[\w-]+ ){0,6}?(?:by|up to|from) (?:an? |about |up to |over )*\d"
        r"|competitive (?:with|results?|performances?|accurac\w+)|superior (?:results?|performances?|accurac\w+)"
        r"|effectiveness of (?:our|the proposed|this)"
        r"|we (?:\w+ly |also |then )?(?:found|observed|discovered|obtained)\b"
        r"|in our (?:experiments?|simulations?|evaluations?|tests?)"
        r"|(?:present|report|show|discuss|describe|give|provide)\w* (?:[\w-]+ ){0,4}?"
        r"(?:results|experiments|evaluations?|case stud(?:y|ies)) (?:on|of|for|with|from|in|obtained|that)"
        r"|achiev\w+ (?:\w+[ -]){0,6}?(?:" + _MEASURES + r"|performance|results?|scores?|improvements?|gains?))\b",
        re.I,
    ),
    "experiment": re.compile(
        r"\b(?:ablat\w+|held[- ]out|test set|validation set|development set|dev set|baselines?"
        r"|(?:extensive|several|comprehensive|thorough|preliminary|additional|multiple|numerical|further|our|the|"
        r"of|following|conduct\w*|perform\w*|run|ran) experiments"
        r"|experimental (?:results?|evaluation|setup|settings?|comparisons?)"
        r"|(?:we|will|is|are|was|were|have|been|then|also|empirically) (?:\w+ly )?"
        r"(?:evaluate|benchmark|test|validate|assesse?)(?:d|ed)?\b"
        r"(?=[^.]{0,60}\b(?:on|against|with|using|over|by)\b)"
        r"|we (?:\w+ly |also |then |first |additionally )?(?:conduct(?:ed)?|ran|analy[sz]ed|tested|evaluated|validated"
        r"|compared|recruited|surveyed|interviewed)\b"
        r"|our (?:participants|annotators|subjects"
        r"|(?:qualitative|quantitative|empirical|experimental) (?:analys[ie]s|stud\w+|evaluations?))"
        r"|participants (?:were|had|completed|performed|worked|received|used)"
        r"|empirical(?:ly)? (?:evidence|evaluat\w+|validat\w+|comparisons?|demonstrat\w+|test\w*|verif\w+))\b",
        re.I,
    ),
    "percentage": re.compile(r"\d\s?%|\b\d+(?:\.\d+)? (?:percent(?:age points?)?|points?)\b"),
    "measure": re.compile(
        rf"\b\d+\.\d+\s(?:\w+\s)?{_MEASURES}\b|\b{_MEASURES}\s(?:scores? )?(?:of|to|is|was|by)\s\d", re.I
    ),
}

#: What a sentence of an abstract or introduction announces; elsewhere such words tell of the method as often.
ANNOUNCED = re.compile(
    r"\b(?:we (?:\w+ly |also |then |will |further |use [^.]{0,60} to )*"
    r"(?:evaluat|validat|analy[sz]|examin|compar|observe|find|found|show|confirm|illustrat|assess|report|test"
    r"|appl(?:y|ied) (?:it|this|our|these|the (?:method|model|approach|algorithm|technique|proposed))"
    r"|discuss [^.]{0,30}performance)\w*"
    r"|experiments (?:are|were) \w+)\b",
    re.I,
)
#: The roles of sections that announce.
OPENING = ("abstract", "introduction")

#: A reference to a table, or to a figure, with its number.
TABLE = re.compile(r"\bTab(?:le|\.)?s?\s?~?\(?(\d+)", re.I)
FIGURE = re.compile(r"\bFig(?:ure|\.)?s?\s?~?\(?(\d+)", re.I)
#: What makes a figure or table one of results, by its caption.
OF_RESULTS = re.compile(
    rf"\b(?:results?|performances?|comparisons?|compar(?:ed|ing)|evaluat\w+|experiment\w*|versus|vs\.?|{_MEASURES}|"
    r"training curves?|learning curves?|loss|ablat\w+|errors?)\b",
    re.I,
)
#: Whose results a sentence of related work tells: it is left in place where it does not speak of this paper.
OWN = re.compile(_FIRST, re.I)
#: A citation: what a sentence with one reports may be others' work.
CITATION = re.compile(r"\[\d[\d,\s\u2013-]*\]|\([^()]*\b(?:19|20)\d\d[a-z]?\)|\bet al\b")
#: What stands after the name of a data set or of a baseline.
NAMED = re.compile(
    r"\b((?:[A-Z][\w]*[A-Z0-9][\w]*|[A-Z]{2,}[\w]*|[A-Z][a-z]+(?:-[\w]+)+)(?:[ -]\d+)?)"
    r"(?=[ ](?:data ?sets?|corpus|corpora|benchmarks?|baselines?|treebank|test sets?|collection)\b)"
)
