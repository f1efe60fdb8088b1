"""Detect wording that makes the score in a model's reply ambiguous, and remove thinking from the reply.

All patterns take time linear in the length of the reply.
"""

from __future__ import annotations

import re

CHANGED = "a number that the words beside it change"
IN_WORDS = "a number in words beside one in digits"
OTHER_SCALE = "a number of another scale"
NAMES = "a number that names or counts something"
HEDGED = "a number that is said with doubt"
OF_OTHERS = "a number that others gave, or of something else"
THINKING = "thinking that does not end"
UNKNOWN = "a number behind a word that may change it"

_VALUES = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100}
_WORD = "(?:" + "|".join(sorted(_VALUES, key=len, reverse=True)) + ")"
_GAP = r"[\s*_\"'“”()\[\]]*+"

# A number word used as a number: no counted noun follows.
_BARE = re.compile(
    rf"\b(?P<word>{_WORD})\b(?=[\s*_\"']*(?:$|[.,;:!?)\]}}/–—]|-(?!\w)|\([\s*_\"']*[0-9])"
    r"|\s+(?:is|was|would|may|might|could|should|will|seems?|or|and|to|out|of\s+(?:[0-9]|" + _WORD + r"\b)"
    r"|at\s+(?:most|least)|if|point|plus|minus|though|although|but|rather|instead|then|because|since)\b)",
    re.I | re.M,
)  # fmt: skip
# Context before "one" where it is a number and not a pronoun.
_BEFORE_ONE = re.compile(
    r"(?:^|[:,;(=—–\n]|\b(?:or|to|and|between|either|is|be|say|give|it|than|actually|rather|maybe|perhaps|a|only))"
    r"[\s*_\"']*$",
    re.I,
)
_ROMAN = "(?:VIII|VII|VI|IV|IX|III|II)"
_JOINED = re.compile(
    rf"(?i:\b{_WORD}{_GAP}(?:\b(?:or|to|and|through)\b|[-–/→±~&]){_GAP}[0-9]"
    rf"|[0-9]{_GAP}(?:\b(?:or|to|through)\b|[-–/→±~&]){_GAP}(?:an?\s+)?{_WORD}\b)"
    rf"|\b{_ROMAN}\s+(?:or|to|and)\s+[0-9]|[0-9]\s+(?:or|to|and)\s+{_ROMAN}\b"
)
# A second value in Roman numerals: "4 (or V)", "4 – III", "IV, 3"; single letters only after a conjunction or sign.
_ROMAN_VALUES = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9, "X": 10}
_EITHER = (
    rf"{_GAP}(?:(?:,{_GAP})?(?i:(?:or|and)(?:\s+(?:even|rather|maybe|perhaps))?|to|maybe|perhaps|possibly|rather|even)\b"
    rf"|[/→~&–-]){_GAP}(?i:a|an)?{_GAP}"
)
_SECOND_ROMAN = re.compile(
    rf"[0-9](?:{_EITHER}(?P<joined>{_ROMAN}|[IVX](?![\w-]|\s+[a-z]))|(?:,|;)?{_GAP}(?P<beside>{_ROMAN}))\b"
    rf"|\b(?:(?P<first>{_ROMAN}|[IVX](?!-[a-z])){_EITHER}|(?P<before>{_ROMAN})(?:,|;)?{_GAP})[0-9]"
)
_OF_WORD = re.compile(
    rf"[0-9]{_GAP}(?:\b(?:out\s+of|of|in|over|from)\b|/)\s*(?:an?\s+)?(?:possible\s+|total\s+of\s+)?({_WORD})\b", re.I
)

_PARTS = r"(?:half|halves|quarters?|thirds?|fourths?|fifths?|tenths?)"
_MORE = r"(?:dozens?|hundred|thousand|million|billion|squared|cubed|doubled|halved|tripled|times)"
_CHANGES = re.compile(
    # before the number
    r"\b(?:deduct(?:s|ed|ing|ions?)?|subtract(?:s|ed|ing)?|dock(?:s|ed|ing)?|los(?:es?|t|ing|s\s+of)|drop\s+of"
    r"|reduction\s+of|penalt(?:y|ies)"
    r"|penali[sz](?:es?|ed|ing)|(?:takes?|took|taking|knocks?|knocked|shaved?)\s+off|remov(?:es?|ed"
    r"|ing))\b[^.;,\n0-9]{0,20}[0-9]"
    r"|\b(?:less|past|between|about|around|roughly|approx(?:imately)?|circa|missing|lacks|needs?"
    r"|requires?|exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?|(?:north|south|shy|ahead)\s+of)\b(?::|(?<=approx)\.)?\s+(?:an?\s+|the\s+)?[0-9]"
    rf"|\b(?:half|halfway|midway|quarters?|twice|thrice|double|triple|(?:an?|one"
    rf"|two)[\s-]+thirds?)\b[^.;:,\n0-9]{{0,30}}[0-9]"
    r"|\b(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|dozens?|scores?\s+of)\b(?:,|[\s-])*[0-9]"
    # an earlier or later value
    r"|\b(?:initially|originally|at\s+first|used\s+to\s+be|once|started\s+(?:at|with|from))\b,?\s+(?:(?:it|i|a|an|was|is|gave"
    rf"|had|at)\b\s+){{0,3}}{_GAP}[0-9]|^[\s*_\"'(]*+was\s+(?:an?\s+)?[0-9]"
    r"|\b(?:instead\s+of|rather\s+than|short\s+of|shy\s+of|far\s+from|nowhere\s+near|anything\s+but|except"
    r"|excluding|near"
    r"|close\s+to|approaching|towards?|at\s+(?:best|worst)|at\s+the\s+very\s+(?:least|most)|sqrt|root(?:\s+of)?"
    r"|min(?:imum)?(?:\s+of)?|from|by|neither|out\s+of"
    rf"|(?:would|could|should|might)\s+have\s+(?:been|got|given|earned)(?:\s+it)?)(?:\s+an?\b)?{_GAP}[0-9]"
    r"|[‐‑‒﹘﹣－√∛][ \t]*+[0-9]"
    # after the number
    rf"|[0-9](?:{_GAP}(?:(?:and\b|plus\b|&|,)?\s*+(?:(?:an?|one|another|{_WORD})[\s-]+)?{_PARTS}\b"
    rf"|{_MORE}\b"
    rf"|(?:or|and)\s+(?:greater|fewer|beyond|over|under|so|thereabouts|change|counting|some)\b|to\s+go\b"
    rf"|in\s+favou?r\b|,?\s*+(?:at\s+first|initially|originally|before\s+that|to\s+begin\s+with|at\s+the\s+start)\b"
    rf"|(?:at\s+(?:the\s+)?(?:very\s+)?(?:most|least|best|worst)|tops|maximum|minimum|max|min|shy|short)\b"
    rf"|[,;]?\s*+(?:but\s+|and\s+)?(?:then|later|afterwards?|now)\b[^.;:\n0-9]{{0,25}}?\b(?:lower|higher|less|more|up|down|better|worse"
    rf"|reduced|raised|lowered|increased|decreased|changed|revised|corrected|dropped|{_WORD})\b"
    rf"|(?:before|earlier|previously|formerly)(?=[*_\"')\]]*+[ \t]*+(?:[.,;)]|$))"
    rf"|,?\s*+less\b|of\s+(?:the|its|these|those|their|my|your|all|them|which)\b"
    rf"|,?\s*+(?:if|unless|provided|assuming|were\s+it)\b"
    rf"|(?:is|was|would|does|do|did|has|could|should|can|might|seems?|feels?|looks?)\s*+(?:be\s+|to\s+be\s+)?"
    r"(?:n['’]t|(?:not|never|hardly|too|wrong|generous|harsh|high|low|out|off|beyond|outside|above|below|over"
    r"|short|away|excessive"
    r"|in(?:valid|correct|appropriate|adequate|accurate|flated)|im(?:possible|proper)|mistaken|un[a-z]++)\b)"
    r"|\?)"
    r"|[ \t*_]*+(?:[(\[]|[–—-]++[ \t])[ \t]*+(?:points[ \t]+)?"
    r"(?:off|out\s+of|wrong|invalid|too\s+(?:high|low|generous|harsh|strict|many|few))\b"
    r"|[-−–](?=[*_\"')\]]*+[ \t]*+(?:\n|$))"
    # two numbers in one
    r"|[ \t]*+[+×÷^][ \t]*+[0-9]|[ \t]++[*x/−–-][ \t]++[0-9]|[*x][0-9]|[^\s\w.][0-9])",
    re.I | re.M,
)
# "no 4" negates, and "No. 4" is an ordinal; "No, 4" and "No major flaw: 4" give a score.
_NEGATED = re.compile(
    r"\b(?:no(?:\.[ \t]*+|[ \t*_\"']++(?:[a-z’'-]++[ \t*_\"']++){0,3})"
    rf"|(?:without|lacks?|lacking|either){_GAP}(?:an?\b{_GAP})?"
    rf"|(?:fail(?:s|ed|ing)?|unable|hesitate|refuse)\s+to\s+[a-z]++(?:\s+an?\b)?{_GAP})[0-9]"
    # Conditions for a score: "To get a 4 it must", "a 4 would need more".
    rf"|\bto\s+(?:get|earn|reach|deserve|receive|achieve|obtain|merit|be\s+(?:an?|worth))\b[^.:;!?\n0-9]{{0,20}}[0-9]"
    rf"|[0-9]{_GAP}(?:points?\s+|stars?\s+)?would\s+(?:need|require|take|have\s+to|mean|demand|call\s+for|presuppose)\b"
    # A score given under pressure, or with an exception.
    r"|\b(?:if|when)\s+(?:(?:i|we)\s+(?:am|are|was|were)\s+)?(?:really\s+)?(?:pressed|forced|pushed|compelled|cornered)\b[^.;!?\n0-9]{0,40}[0-9]"
    r"|\bunless\b[^.:;!?\n0-9]{0,60}[0-9]"
    # A conditional score, but not "if I had to choose, I would say 4".
    r"|\bif\b(?!\s+(?:i|you|we|one|asked|forced|pressed|pushed)\b)[^.:;!?\n]{0,80}?\b(?:would|could"
    r"|might)\b[^.:;!?\n0-9]{0,40}[0-9]"
    r"|^[ \t]*+>[0-9]",
    re.I | re.M,
)
# Prices, measurements and ranks; "$4$" is a formula.
_UNITS = re.compile(
    r"[€£¥№º°§¶×^][ \t]*+[0-9]|(?<![\w#])#[0-9]|(?<!\$)\$[0-9]++(?:\.[0-9]++)?(?![\w$])"
    r"|[0-9][ \t]*+(?:[€£¥°×]|(?:kg|km|cm|mm|ms|gb|mb|[ap]\.?m)\b)",
    re.I,
)
_PERCENT = re.compile(rf"[0-9]{_GAP}(?:%|‰|per\s*cent\b|percentiles?\b)", re.I)
_SPACED_MINUS = re.compile(r"[-−–—][ \t]+[0-9]")
_NAMED = re.compile(
    r"\b(?:gpt|claude|llama|gemini|sections?|tables?|figures?|pages?|items?|aspects?|criterion|steps?"
    r"|reviewers?|parts?|paragraphs?"
    r"|references?|equations?|chapters?|appendix|lines?|claims?|questions?|phases?|experiments?|stud(?:y|ies)"
    r"|tasks?|versions?"
    r"|(?:sec|fig|ref|eq|no|tab|ch|p)\.?)[ \t]*+#?[0-9]"
    r"|\b(?:references?|refs?\.?|citations?|cited?|equations?|eqs?\.?|see)[ \t]*+[\[(][0-9]"
    r"|\b(?:confidence|certainty|count|year|length|(?:number|total)\s+of|threshold|baseline|average|mean|target"
    r"|previous(?:ly)?|formerly|before|found|earlier|last\s+(?:time|year|week|round)|(?:first|last|other)\s+draft)\b"
    rf"(?:\s+[a-z]++)?{_GAP}(?:(?:[:=|]|\b(?:is|was)\b){_GAP})?[0-9]"
    rf"|^[\s*_>-]*+(?:total\s+)?(?:issues|weaknesses|strengths|errors|flaws|problems|mistakes|limitations)\b{_GAP}[:=]{_GAP}[0-9]",
    re.I | re.M,
)
# Labels of other numbers, also in keys of JSON: "rank: 4", "max_score": 4, score_range = 4, | weight | 4 |
_LABEL_OF_OTHER = re.compile(
    r"(?:^|[{,|\"'`*(>_-])[ \t]*+(?:max(?:imum)?|min(?:imum)?|prev(?:ious)?|old|former|last|rank|place"
    r"|position|weights?|votes?|ids?|index|idx|keys?|n|num|number|counts?|tokens?|words|items|pages?|lines?"
    r"|years?|dates?|ages?|steps?|rounds?|runs?|seed|temperature"
    r"|versions?|samples?|range|scale|threshold|delta|difference|change|gap|errors|flaws|issues"
    r"|weaknesses|problems|mistakes|limitations|confidence|certainty|loss|std|sd|variance|p|k|x|avg|average"
    r"|mean|median|human|gold|reference|baseline|target|expected|thoughts?|thinking|draft)(?![^\W_])"
    rf"(?:[ _-][a-z_-]{{1,30}})?{_GAP}`?[:=|]{_GAP}[0-9]",
    re.I | re.M,
)
# Words that may follow a score, directly or after its unit; any other word may be a counted noun or a comparison.
_POINTS = frozenset("point points pts star stars mark marks".split())
_STOPS = frozenset(
    """is was has as its this thus us yes because since given for with but and or if the a an to in on at by that
    which it his does gives seems looks means feels fits reflects indicates suits captures represents sounds
    stands makes shows expresses matches works remains goes applies denotes describes corresponds deserves says
    tells some no several many most all any each these those only just mostly mainly overall besides perhaps
    always unless across towards here there very so also although though while when where then not i we he she
    they you my our their your due based after before despite considering being would may might could should
    will seem appears considered within without please exactly flat percent per""".split()
)
# Comparisons, whatever their case; other capitalised words start a new sentence.
_COMPARES = frozenset(
    "off below above short away behind ahead out lower higher less fewer deducted lost shy down".split()
)
_BEHIND_NUMBER = re.compile(
    r"(?<![\w.])[0-9]+(?:\.[0-9]+)?[*_\"'”)\]}`]*+[^\S\n]++[*_\"'“`]*+([^\W\d_]+)(?:[*_\"'”`]*+[^\S\n]++[*_\"'“`]*+([^\W\d_]+))?(:?)"
)

_ANOTHER_SCALE = re.compile(
    r"\bscale\s+(?:of|from)\s+[0-9.]+\s*+(?:-|–|−|to|\.\.)\s*+[0-9]|\bscale\s+of\s+(?:up\s+to\s+)?[0-9]"
    r"|\bmax(?:imum)?(?:\s+(?:possible|score|rating|value|mark|of|is))*\s*+[:=]?\s*+[0-9]",
    re.I,
)
# Headings of what a reply says next: "4 Reason: it is vague".
_NEXT = frozenset(
    """reason reasons reasoning explanation justification rationale comment comments feedback analysis assessment
    summary note notes strengths""".split()
)

# Words directly before a score. What any other word does to the number is not known, in whatever language it is:
# "presque 4", "nicht 4", "menos de 4".
_LEADS = frozenset(
    """the this that it its is be being been am are was at of with for on so then therefore thus hence but just only
    exactly simply clearly definitely certainly surely here now finally overall again give gives gave given giving rate
    rates rated rating score scores scored scoring grade grades graded mark marks marked level say says said assign
    assigns assigned award awards awarded deserve deserves deserved merit merits earn earns earned get gets got receive
    receives received warrant warrants choose chose pick picked put set settle go going stand stay worth make makes
    equals equal remain remains total final result answer value number judge assess evaluate conclude i me my to think
    believe s d ll m ve sum
    novelty clarity specificity originality relevance quality significance soundness problem method type
    solid strong weak clear high low fair firm generous good decent straight perfect full bare poor
    """.split()
)
_ARTICLES = frozenset(["a", "an", "the"])
_SHORTENED = re.compile(r"\b(?:ca|cca|c|env|aprox|ung|etc)\.[^\S\n]*+[*_]*+[0-9]", re.I)
_BEFORE_NUMBER = re.compile(
    r"(?<![^\W\d_])(?:(?P<far>[^\W\d_]++)[*_\"'”)\]`]*+[^\S\n]++[*_\"'“`]*+)?"
    r"(?P<near>[^\W\d_]++)[*_\"'”`]*+[^\S\n]++[*_\"'“`$]*+(?=[0-9])"
)
# Words of limits, doubt and conditions in other languages, which may also stand behind the number.
_ABROAD = re.compile(
    r"\b(?:vielleicht|vermutlich|wahrscheinlich|eventuell|ungefähr|höchstens|mindestens|allenfalls|nicht|keine?|wenn"
    r"|sofern|weniger|abzug|prozent|peut-être|environ|presque|probablement|jamais|moins|quizás?|casi"
    r"|aproximadamente|probablemente|nunca|menos|forse|probabilmente|almeno|meno|talvez|quase|provavelmente"
    r"|misschien|ongeveer|bijna|waarschijnlijk|minder|indien|niet|возможно|примерно|почти|около|если|меньше|минус|больше)"
    r"\b"
    r"|可能|也许|大约|大概|左右|至少|至多|最多|不到|如果|たぶん|おそらく|以上|以下|未満|もし|아마|이상|이하|만약",
    re.I,
)

# More words up to the end of a sentence.
_SENTENCE = re.compile(r"[^.!?\n\w]{0,20}[^\W\d_]")
# What may come between a word of doubt and the number in doubt: no clause boundary.
_LINKS = (
    r"(?:[\s*_\"'“”()\[\],:–—-]|\b(?:it|its|it['’]s|this|that|the|an?|is|be|i|i['’]d|i['’]ll|would|will|say"
    r"|give|rate|go|with|deserves?"
    r"|gets?|merits?|earns?|warrants?|worth|score|scores|rating|grade|mark|paper|question|of|to|toward|towards"
    r"|as|at|only|just|even|my|me|around"
    r"|overall|but|then|something|like)\b){0,18}"
)
_DOUBTS = re.compile(
    r"\b(?:(?:may|per)[ -]?haps|maybe|possibly|probably|presumably|conceivably|tentatively|provisionally"
    r"|arguably|plausibly|likely|potentially"
    r"|supposedly|apparently|hopefully|theoretically|hypothetically|(?:might|may|could)(?:[ ]well)?(?:[ ](?:be"
    r"|deserve|get|merit|earn"
    r"|warrant|score|rate|say|give|go|also[ ]be))|(?:a|my|best|wild|rough|educated|only|first|i(?:['’]d)?|would"
    r"|just)[ ]guess(?:ing)?"
    r"|i['’]m[ ]guessing|am[ ]guessing|guess(?:work)?(?=[ ]*+:)|suppose|suspect|imagine|lean(?:s|ing)?|tempted"
    r"|torn|unsure|no[ ]idea|(?:hard|difficult|tough|impossible)[ ]to[ ](?:say|tell|judge|know|rate|score|assess)"
    r"|(?<!\bis )(?<!\bare )(?:un(?:certain|decided|clear|known)|(?:rough|tentative|provisional|preliminary"
    r"|random|arbitrary|hypothetical|placeholder|dummy)(?:ly)?)|somewhere|something[ ]like"
    rf"|in[ ]the[ ](?:region|ballpark|area|vicinity)[ ]of|(?:seems|looks|is)[ ]to[ ]be){_LINKS}[:]?[ *_]*+[0-9]"
    r"|[0-9][*_\"'”)\]]*+(?:[ ]points?|[ ]stars?)?[ \t]*+[,;(–—-]*+[ \t]*+(?:but[ ]|though[ ]|although[ ]|or[ ]"
    r"|and[ ])?"
    r"(?:maybe|perhaps|possibly|probably|presumably|tentatively|provisionally|arguably|apparently|(?:i(?:['’]m"
    r"|[ ]am)?[ ]|just[ ]|only[ ]|as[ ]|my[ ]|best[ ])*(?:an?[ ])?(?:wild[ ]|rough[ ])?"
    r"(?:guess(?:ing)?|suppose|suspect|imagine|unsure|uncertain|undecided|torn)"
    r"|(?:i(?:['’]m|[ ]am)[ ])?not[ ](?:sure|certain|confident)|no[ ]idea|hard[ ]to[ ]say|who[ ]knows"
    r"|(?:with[ ])?low[ ]confidence|with[ ](?:little|no)[ ]confidence)"
    r"(?=[ \t]*+(?:$|[.,;:!?)\]\n]|\b(?:but|though|since|because|as|about|if|whether|of|at[ ]best)\b))",
    re.I | re.M,
)
_GIVES = (
    r"(?:say|says|said|give|gives|gave|given|rate|rates|rated|score|scores|scored|claims?|claimed|argues?"
    r"|argued|report|reports|reported|states?"
    r"|stated|mentions?|mentioned|wants?|wanted|expects?|expected|hopes?|hoped|suggests?|suggested|chose|choose"
    r"|chooses|picks?|picked"
    r"|asks?|asked|assigns?|assigned|award|awards|awarded|voted|votes?)"
)
_GETS = r"(?:is|was|are|were|be|been|gets?|got|receives?|received|earns?|earned|has|have|had|deserves?|merits?)"
_TO_NUMBER = (
    r"(?:[ ](?:it|this|that|them|these|us|me|for|out|about|as|an?|the|score|rating|of|all"
    r"|only)){0,4}[ *_:\"'(]*+[0-9]"
)
_OTHERS = re.compile(
    # "Others gave it a 5", "The authors claim a 5"
    r"\b(?:others?|another|most|many|some|few|people|humans?|experts?|reviewers?|authors?|colleagues?|they|he"
    r"|she|someone|somebody|everyone"
    r"|everybody|anyone|nobody|models?|judges?|raters?|critics?|readers?|editors?|annotators?|gpt|claude|you)"
    rf"(?:[ ](?!(?:it|this|i|and|but|so|which|that)\b)[a-z'’]+){{0,4}}?[ ]{_GIVES}{_TO_NUMBER}"
    # "Most papers get a 5", "The typical score is 5", "a perfect paper would be 5"
    r"|\b(?:others?|another|most|typical(?:ly)?|usual(?:ly)?|normal(?:ly)?|commonly|generally|often|ordinary"
    r"|default|norm|standard|ideal(?:ly)?"
    r"|perfect|excellent|outstanding|flawless|example|sample|expected|desired|modal|median|human|expert)"
    rf"(?:[ ](?!(?:it|this|i|and|but|so|which|that|are|is)\b)[a-z'’]+){{0,4}}?(?:[ ]{_GETS}{_TO_NUMBER})"
    r"|\b(?:usually|typically|normally|generally|commonly|often|mostly),?[ ](?:it|this|that|one|i|we"
    r"|they)(?:['’]s|[ ](?:is|gets?|gives?|would|say|be)){1,2}"
    r"(?:[ ](?:it|an?|the)){0,2}[ *_]*+[0-9]"
    r"|\b(?:others?|typical|usual|normal|default|norm|standard|ideal|example|sample|expected|desired|modal"
    r"|median|human|expert)"
    r"(?:[ ](?:score|rating|value|grade|mark|number|answer|reply))?[ ]?[:=][ *_]*+[0-9]"
    r"|\b(?:e\.g\.,?|for[ ](?:example|instance),?|such[ ]as|examples?:|format:"
    r"|by[ ]default,?)[ ]*+(?:an?[ ])?[ *_\"'(]*+[0-9]"
    # "5 is the norm", "5 is for perfect papers"
    r"|[0-9][*_\"'”)\]]*+[ ](?:is|was|are|were|would[ ]be)[ ](?:only[ ]|usually[ ]|generally[ ]"
    r"|typically[ ])?(?:(?:an?[ ]|the[ ])?(?:typical|usual|normal|norm|default|expected|common|modal)\b"
    r"|(?:an?[ ]|the[ ])(?:threshold|cut-?off|bar|boundary|borderline|limit|passing[ ](?:score|mark|grade))\b"
    r"|the[ ](?:average|median|mean|standard|maximum|minimum|highest|lowest|top|(?:best|worst)[ ](?:score"
    r"|possible|value|rating|mark|grade|there))\b"
    r"|(?:reserved|meant|intended|given|awarded|kept)\b|for[ ](?:an?[ ]|the[ ]|truly[ ]"
    r"|only[ ])*[a-z]+[ ]?(?:papers?|questions?|works?|ones|cases|texts?)\b"
    r"|what[ ](?:others|most|people|they|the|reviewers|humans|experts|you)\b)",
    re.I,
)
_LABEL_OF_OTHERS = re.compile(
    r"\b(?:typical|usual|normal|common|standard|default|expected|ideal|modal|median|average|mean|baseline"
    r"|reference|gold|human|expert|authors?['’]?s?"
    r"|reviewers?['’]?s?|others?|others['’]|another|last|old|original|their|his|her|your|best|worst|top|target"
    r"|desired|required|necessary|sample|example"
    r"|dummy|random|hypothetical|provisional|tentative|preliminary|probable|likely|approximate|rough|estimated"
    r"|guessed)[ *_]+"
    r"(?:score|rating)\b[\s*_\"'()\[\]{}]*+(?:[:=]|is\b)[^.;:\n0-9]{0,30}[0-9]",
    re.I,
)
_NOT_ITS_LABEL = re.compile(
    r"\b(?:max(?:imum)?|min(?:imum)?|highest|lowest|possible|perfect|previous|earlier|initial|threshold|passing"
    r"|no)[\s_-]+"
    r"(?:score|rating)\b[\s*_\"'()\[\]{}]*+(?:[:=]|is\b)",
    re.I,
)
_REFUSED = re.compile(
    r"^[\s*_\"'(\[]*+(?:n/?a|none|null|unknown|unclear|undefined|undecided|pending|tb[ad]|unable)\b", re.I | re.M
)
_LIST = re.compile(r"^[ \t>*_-]*+1[.)][*_]*+[ \t]+\S", re.M)
_ONES = re.compile(r"(?<![\w.])1(?:\.0+)?(?!\w)")

_TAGS = r"(?:think|thinking|thought|thoughts|reasoning|reflection)"
_THOUGHT = re.compile(rf"<({_TAGS})>|\[(THINK)\]|◁think▷", re.I)
_TAG = re.compile(
    r"</?(?:score|rating|answer|final|final_answer|final_score|result|response|output|b|strong|em|i)>", re.I
)
_END = re.compile(rf"</{_TAGS}>|\[/THINK\]|◁/think▷", re.I)


def without_thoughts(reply: str) -> str | None:
    """Blank out thinking in tags; None if the thinking is not closed.

    Text before an unopened closing tag is thinking too, because some servers strip the opening tag.
    """
    marks = sorted([*((one.start(), one.end(), 1) for one in _THOUGHT.finditer(reply)),
                    *((one.start(), one.end(), -1) for one in _END.finditer(reply))])  # fmt: skip
    depth, start, spans = 0, 0, []
    for begin, end, step in marks:
        if not depth:
            start = begin if step > 0 else 0
        depth = max(0, depth + step)
        if not depth:
            spans.append((start, end))
    if depth:
        return None
    kept, place = [], 0
    for start, end in spans:
        kept += [reply[place:start], " " * (end - max(start, place))]
        place = end
    return "".join([*kept, reply[place:]])


def without_end(text: str, top: str, high: float) -> str:
    """Blank out mentions of the maximum score: "maximum: 5", "scale of 5", "out of five".

    Args:
        text: the reply.
        top: pattern of the maximum score in digits.
        high: maximum score.
    """
    spelled = "|".join([top, *(rf"{word}\b" for word, value in _VALUES.items() if value == high)])
    highest = r"max(?:imum)?(?:\s+(?:possible|score|rating|value|mark|of|is))*\s*+[:=]?"
    pattern = rf"\b(?:{highest}|scale\s+of(?:\s+up\s+to)?|out\s+of)\s*+(?:{spelled})(?![\w%/]|[.,–−-]\d)"
    return re.sub(pattern, lambda found: " " * len(found[0]), text, flags=re.I)


def without_tags(text: str) -> str:
    """Blank out tags that only mark up a score: ``<score>4</score>``, ``<b>4</b>``."""
    return _TAG.sub(lambda found: " " * len(found[0]), text)


def why_ambiguous(text: str, said: str, low: float, high: float, value: float, *, is_labelled: bool) -> str | None:
    """Why a number in digits may not be the score of a reply; None if there is no indication.

    Args:
        text: the reply, with thinking and mentions of the scale blanked out.
        said: the same, with everything blanked out that is not searched for a score.
        low: lowest score of the scale.
        high: highest score of the scale.
        value: the only number in digits in ``said``.
        is_labelled: whether the word score or rating precedes the searched text.
    """
    if _ANOTHER_SCALE.search(text) or any(_VALUES[found[1].lower()] != high for found in _OF_WORD.finditer(said)):
        return OTHER_SCALE
    if (
        _CHANGES.search(said)
        or _NEGATED.search(said)
        or _NOT_ITS_LABEL.search(text)
        or (is_labelled and _REFUSED.search(said))
    ):
        return CHANGED
    if ((low, high) != (0, 100) and _PERCENT.search(said)) or (low < 0 and _SPACED_MINUS.search(said)):
        return CHANGED
    if _JOINED.search(said) or _has_other_word(said, value) or _has_other_roman(said, value):
        return IN_WORDS
    if (
        _NAMED.search(said)
        or _LABEL_OF_OTHER.search(said)
        or _UNITS.search(said)
        or any(_may_count(found, is_labelled=is_labelled) for found in _BEHIND_NUMBER.finditer(said))
    ):
        return NAMES
    if any(_may_change(*found.group("far", "near")) for found in _BEFORE_NUMBER.finditer(said)):
        return UNKNOWN
    if _DOUBTS.search(said) or _SHORTENED.search(said) or _ABROAD.search(said):
        return HEDGED
    if _OTHERS.search(said) or _LABEL_OF_OTHERS.search(text):
        return OF_OTHERS
    is_list = value == 1 and not is_labelled and len(_LIST.findall(said)) == len(_ONES.findall(said))
    return NAMES if is_list else None


def _has_other_word(said: str, value: float) -> bool:
    """Whether a number word denotes another number than the one in digits."""
    for found in _BARE.finditer(said):
        word = found["word"].lower()
        if word == "one" and not _BEFORE_ONE.search(said[max(0, found.start() - 20) : found.start()]):
            continue
        if _VALUES[word] != value:
            return True
    return False


def _has_other_roman(said: str, value: float) -> bool:
    """Whether a Roman numeral next to the number denotes another value."""
    found = (next(filter(None, one.groups())) for one in _SECOND_ROMAN.finditer(said))
    return any(_ROMAN_VALUES[numeral] != value for numeral in found)


def _may_change(far: str | None, near: str) -> bool:
    """Whether the word directly before a number, or before its article, may change the number."""
    if near.lower() in _ARTICLES and far is not None:
        near = far
    return near.lower() not in _LEADS and near.lower() not in _ARTICLES


def _may_count(found: re.Match[str], *, is_labelled: bool) -> bool:
    """Whether the words after a number suggest a count or comparison: "5 open questions", "5 points off".

    A capitalised word starts a new sentence. Without a label before the number, one or two words to the end are none:
    nouns have capitals in other languages and in headings ("4 Prozent", "4 Major Flaws").
    """
    first, second, colon = found.groups()
    word = second if first.lower() in _POINTS else first
    if word is None:
        return False
    if word.lower() in _COMPARES:
        return True
    if word.lower() in _STOPS or (colon and word.lower() in _NEXT):
        return False
    return word[0].islower() or not (is_labelled or _SENTENCE.match(found.string, found.end()))
