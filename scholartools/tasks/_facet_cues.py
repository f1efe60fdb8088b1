"""The tables of the built-in facet labelling: headings, cues, positions, transitions.

Every weight stands for the five labels in the order background, method, result, conclusion, other, and is the gain of
that label in log odds. The cues and the tables' layout were written by hand. The weights were fitted together, as a
linear-chain conditional random field with an L2 penalty of 6, on 6,012 openly licensed abstracts of medicine and
computer science whose sentences are labelled (CSAbstruct, Evidence Inference, PubMedQA, and CC BY abstracts of PLOS and
of systematic reviews), and rounded. CSAbstruct does not tell results from conclusions: its sentences of that class were
taken as results where no cue of conclusions stands in them. It weighs 3 abstracts to 1; one to three sentences drawn
from each abstract were added as a text of their own, at a weight of 0.3.

A phrase is words in lower case; ``#`` is any number and ``^`` the start of the sentence. A cue counts once a sentence.
A hyphen is a space.
"""

from __future__ import annotations

from typing import NamedTuple

VERSION = "2"

Weights = tuple[float, float, float, float, float]


class Cue(NamedTuple):
    """Phrases, divided by ``|``, that speak for and against the same labels."""

    name: str
    weights: Weights
    phrases: str


class KindWeights(NamedTuple):
    """Weights of one kind of text: by fifth, of the last sentence, and of each in a text of up to three sentences."""

    fifths: tuple[Weights, ...]
    last: Weights
    short: Weights


#: What headings name. "X of the study", "main X", "X and Y" and "X, Y/Z" are read by the names of X, Y and Z.
HEADINGS: dict[str, str] = {
    "background": (
        "background | backgrounds | introduction | context | rationale | motivation | objective | objectives | aim | "
        "aims | purpose | purposes | goal | goals | importance | question | questions | hypothesis | hypotheses | "
        "problem | problem statement | state of the art"
    ),
    "method": (
        "method | methods | materials | material | methodology | methodologies | design | setting | settings | "
        "participant | participants | patients | subjects | sample | population | intervention | interventions | "
        "exposure | exposures | outcome measure | outcome measures | measure | measures | measurements | "
        "data sources | data source | study selection | data extraction | data collection | search strategy | "
        "search methods | selection criteria | eligibility criteria | statistical analysis | statistical analyses | "
        "data analysis | procedure | procedures | approach | experimental design | randomization | randomisation | "
        "animals | case selection"
    ),
    "result": (
        "result | results | finding | findings | observation | observations | data synthesis | evidence synthesis | "
        "case presentation | case report | case description"
    ),
    "conclusion": (
        "conclusion | conclusions | concluding remarks | discussion | interpretation | interpretations | "
        "implications | significance | relevance | limitations | recommendations | future directions | future work | "
        "key messages | lessons learned | practical implications | clinical relevance | clinical significance"
    ),
    "other": (
        "registration | trial registration | funding | funding source | keywords | key words | "
        "ethics and dissemination | copyright | jel classification | level of evidence | registration number"
    ),
}

HEADING_QUALIFIERS = (
    "main | primary | key | principal | major | study | research | clinical | secondary | trial | patient | "
    "authors' | author's | summary of | statement of | brief | overall"
)

#: What makes a sentence certainly no part of the argument, whatever else it says.
CERTAINLY_OTHER = (
    "all rights reserved | © | copyright | ^ c # | ^ key words | ^ keywords | ^ index terms | ^ jel | "
    "jel classification | jel codes | mathematics subject classification | ^ trial registration | "
    "^ clinical trial registration | ^ systematic review registration | ^ clinicaltrials | ^ isrctn | ^ nct | "
    "^ actrn | ^ chictr | ^ umin | ^ eudract | ^ drks | ^ ntr | ^ prospero | ^ current controlled trials | "
    "^ registered | trial is registered | trial was registered | supplementary material | supplementary information | "
    "creative commons | ^ doi | ^ funding : | elsevier"
)

#: What makes a sentence certainly a conclusion: the author says so.
CERTAINLY_CONCLUSION = (
    "we conclude that | ^ we conclude | ^ we therefore conclude | ^ in conclusion | ^ to conclude | "
    "it is concluded that | it was concluded that | ^ conclusion | ^ conclusions"
)

# fmt: off
CUES: tuple[Cue, ...] = (
    # Aims and questions
    Cue("aim", (1.08, -0.25, -0.22, -0.09, -0.52),
        "aim | aims | aimed | the purpose | purpose of | objective | objectives | goal | goals | aiming | "
        "purposes of"),
    Cue("copula of an aim", (0.65, -0.11, -0.17, -0.03, -0.34),
        "was to | is to | were to | are to | designed to | in order to"),
    Cue("infinitive at the start", (0.43, -0.04, -0.28, -0.32, 0.22),
        "^ to"),
    Cue("infinitive of study", (0.51, -0.25, -0.32, 0.12, -0.05),
        "to evaluate | to assess | to determine | to investigate | to examine | to compare | to explore | to test | "
        "to identify | to describe | to study | to estimate | to establish | to analyze | to analyse | "
        "to understand | to develop | to characterize | to clarify | to verify | to validate | to report | "
        "to find out | to see | to measure | to review"),
    Cue("active study, past", (1.11, -0.11, -0.45, -0.37, -0.18),
        "we investigated | we examined | we evaluated | we tested | we assessed | we compared | we studied | "
        "we explored | study investigated | study examined | study evaluated | study assessed | study compared | "
        "trial compared | study tested | study explored | trial evaluated | study aimed | study sought | we sought | "
        "sought to | we asked | was investigated | were investigated | was examined | was studied | was evaluated | "
        "was compared | we analyzed | we analysed"),
    Cue("active study, present", (0.24, 0.10, 0.09, -0.33, -0.11),
        "we investigate | we examine | we study | we explore | we evaluate | we address | we consider | we focus | "
        "we discuss | we review | examines | investigates | explores | discusses | focuses | addresses | evaluates | "
        "compares | reviews | we analyze | analyzes | considers | studies the | we aim"),
    Cue("question", (0.37, 0.08, 0.05, 0.13, -0.62),
        "whether | hypothesis | hypothesized | hypothesised | hypotheses | hypothesize | hypothesise | question | "
        "questions | how to | if the"),
    Cue("attention", (0.42, -0.31, -0.19, 0.26, -0.18),
        "efficacy and safety | the efficacy | the effects of | the effect of | the impact of | the effectiveness | "
        "effectiveness of | the role of | the relationship | the association | the feasibility | safety and"),
    # What is known and what is missing
    Cue("gap", (0.38, -0.65, 0.04, 0.31, -0.09),
        "little | unknown | unclear | uncertain | controversial | controversy | scarce | lacking | lack | "
        "few studies | poorly | not well | no studies | debate | debated | inconclusive | conflicting | "
        "inconsistent | not known | not yet | not been | remains | remain | to date | limited evidence | is limited | "
        "understudied | insufficient | neglected | rarely | overlooked | no consensus | seldom"),
    Cue("contrast at the start", (0.21, -0.29, 0.07, -0.19, 0.21),
        "^ however | ^ but | ^ although | ^ despite | ^ yet | ^ while | ^ nevertheless | ^ though | ^ unfortunately | "
        "^ conversely | ^ in contrast | ^ on the other hand | ^ even though"),
    Cue("contrast", (0.19, -0.14, 0.16, 0.28, -0.50),
        "however | although | despite | but | while | whereas | though | yet"),
    Cue("importance", (0.19, -0.21, 0.05, 0.15, -0.19),
        "important | major | leading cause | one of the | increasingly | crucial | essential | widely | critical | "
        "key | serious | prevalent | growing | popular | fundamental | vital | central | significant role | burden | "
        "rapidly | ubiquitous | prominent | increasing | attention | worldwide | public health | common | commonly"),
    Cue("prior work", (0.20, 0.05, -0.06, -0.01, -0.18),
        "prior work | prior research | earlier studies | existing | traditional | conventional | recently | "
        "the past | past decade | proposed in | literature | traditionally | recent | previous | previously | "
        "prior studies | so far | current | currently | nowadays | today | state of the art | now"),
    Cue("present perfect", (0.36, -0.15, -0.14, 0.07, -0.14),
        "has | have | had been"),
    Cue("present passive", (-0.19, -0.22, -0.32, 0.24, 0.49),
        "is known | well known | is considered | are considered | believed | thought to | is used | are used | "
        "is based | are based | is associated | are associated | is characterized | is often | are often | is one | "
        "are commonly | known to | known as | referred to | defined as | considered to"),
    Cue("present copula", (0.26, 0.13, -0.10, 0.13, -0.41),
        "is | are"),
    Cue("is a", (0.08, -0.04, -0.24, 0.38, -0.18),
        "is a | is an | are a | is the | are the | exists | exist | there is | there are"),
    Cue("difficulty", (0.23, 0.03, 0.19, -0.16, -0.30),
        "challenge | challenges | challenging | problem | problems | difficult | difficulty | difficulties | issue | "
        "issues | limitations | limitation | suffer | suffers | complex | fail | fails | hard | barrier | barriers | "
        "costly | expensive | lack of | drawback | drawbacks"),
    Cue("habit", (0.22, -0.04, 0.18, -0.26, -0.11),
        "often | usually | typically | generally | frequently | many | various | variety | numerous | most of the | "
        "in general | mainly | especially | particularly | such as | e g | including | range of | several"),
    Cue("need", (0.31, 0.11, 0.05, 0.20, -0.68),
        "need | needs | require | requires | required | necessary | demand | demands | needed to"),
    Cue("reason", (0.14, -0.28, 0.03, 0.22, -0.12),
        "because | due to | since | reasons | reason | as a result | leads to | lead to | leading to | cause | "
        "causes | caused by | results in | resulting in"),
    Cue("consequence", (0.19, -0.22, 0.02, 0.06, -0.05),
        "therefore | thus | hence | consequently | accordingly"),
    Cue("possibility", (0.12, 0.02, 0.07, 0.32, -0.52),
        "can | able to | possible | makes | enables | enable | allow | allows | ability"),
    Cue("possibility of benefit", (0.31, -0.22, -0.28, 1.16, -0.97),
        "may | might | could | potentially | potential"),
    Cue("obligation", (0.07, -0.34, -0.23, 1.04, -0.54),
        "should | must | need to | needs to | ought"),
    Cue("condition", (0.54, -0.09, -0.08, -0.01, -0.35),
        "would | if"),
    Cue("past perfect", (-0.23, -0.12, 0.62, 0.21, -0.47),
        "had"),
    # What is done
    Cue("this paper", (0.59, -0.14, -0.09, -0.74, 0.38),
        "this paper | this article | this work | the paper | this letter | this chapter | this thesis | this report | "
        "present paper | the article | this survey | this contribution"),
    Cue("here", (-0.08, -0.22, -0.11, 0.47, -0.06),
        "^ here | ^ herein | here we | ^ in this | in this paper | in this article | in this work | in this study"),
    Cue("this study", (-0.11, -0.78, -0.54, 0.71, 0.72),
        "this study | present study | current study | our study | this trial | this review | this research | "
        "this project | this pilot"),
    Cue("proposal", (0.36, 0.41, 0.17, -0.20, -0.74),
        "we present | we introduce | we describe | we develop | we developed | proposes | presents | introduces | "
        "is proposed | are proposed | is presented | are presented | is introduced | is developed | describes | "
        "we proposed | we designed | we design | is described | are described | novel | new method | a new | "
        "propose | present a | was proposed | we suggest a | was developed | were developed"),
    Cue("we act, past", (-0.13, 0.27, 0.03, 0.11, -0.27),
        "we used | we applied | we conducted | we performed | we collected | we searched | we included | "
        "we measured | we recruited | we randomly | we randomized | we randomised | we assigned | we carried out | "
        "we enrolled | we identified | we calculated | we estimated | we selected | we obtained | we surveyed | "
        "we interviewed | we reviewed | we undertook | we extracted | we created | we employed | we implemented | "
        "we utilized"),
    Cue("we act, present", (-0.18, 0.62, 0.25, -0.32, -0.38),
        "we use | we apply | we employ | we train | we combine | we extend | we build | we define | we derive | "
        "we formulate | we implement | we adopt | we model | we learn | we exploit | we design | we first | we then | "
        "we also | we perform | we conduct | we construct | we utilize | we incorporate | we compute | we compare | "
        "we integrate"),
    Cue("means", (0.03, 0.53, -0.12, -0.10, -0.34),
        "using | based on | used | uses | by means | via | applying | applied | employing | utilizing | "
        "with the use | makes use | making use"),
    Cue("procedure words", (-0.07, 0.49, -0.09, -0.11, -0.22),
        "algorithm | algorithms | method | methods | framework | approach | technique | techniques | architecture | "
        "scheme | procedure | module | strategy | tool | model | models | pipeline | mechanism | formulation"),
    Cue("system words", (0.15, 0.13, 0.18, -0.27, -0.18),
        "system | systems | software | network | networks | application | applications | technology | technologies | "
        "device | platform | users | user | dataset | datasets | data | information"),
    Cue("parts", (0.17, 0.66, 0.07, -1.13, 0.25),
        "consist of | consisting of | composed of | comprises | comprised | divided into | comprising | consisted | "
        "consists | contains | each"),
    Cue("order", (-0.20, 0.34, 0.32, -0.27, -0.18),
        "first | then | second | third | next | finally | ^ additionally | ^ in addition | subsequently | "
        "afterwards | followed by | ^ moreover | ^ furthermore"),
    # Study design and procedure
    Cue("design", (-0.04, 0.58, -0.10, 0.03, -0.47),
        "controlled trial | double-blind | single-blind | placebo-controlled | cross-sectional | cohort | "
        "retrospective | prospective | open-label | crossover | cross-over | multicenter | multicentre | "
        "case-control | longitudinal | blinded | retrospectively | prospectively | quasi-experimental | "
        "observational study | non-inferiority | single-center | pilot study | phase | randomised controlled | "
        "randomized controlled | two-arm | parallel | single-centre | in a randomized | design"),
    Cue("allocation", (-0.59, 0.46, 0.00, 0.26, -0.13),
        "randomised | randomized | allocated | assigned | randomly | randomization | randomisation | random | "
        "assignment | allocation | stratified"),
    Cue("treatment given", (-0.06, 0.43, -0.23, -0.17, 0.03),
        "receive | received | receiving | treated with | administered | given | underwent | undergo | were treated | "
        "injection | injected"),
    Cue("enrolment", (-0.62, 0.23, 0.26, 0.23, -0.10),
        "recruited | enrolled | eligible | recruit | recruitment | enrolment | enrollment | invited | selected | "
        "consecutive | consecutively | criteria | eligibility | volunteers | volunteered | were included | "
        "was included | excluded | exclusion"),
    Cue("measurement", (-0.05, 0.60, -0.15, -0.41, 0.01),
        "measured | assessed | evaluated | recorded | collected | obtained | extracted | calculated | determined | "
        "monitored | quantified | estimated using | scored | rated"),
    Cue("work done", (0.18, 0.43, -0.01, 0.00, -0.59),
        "performed | conducted | carried out | undertaken | completed | implemented | designed | reviewed | "
        "analysed | analyzed | examined | tested | compared | studied | investigated | explored"),
    Cue("instruments", (-0.02, 0.50, 0.06, -0.23, -0.32),
        "questionnaire | questionnaires | interview | interviews | scale | inventory | survey | surveys | index | "
        "checklist | instrument | visual analog | self-reported | self-report | focus groups | semi-structured | "
        "diary | diaries | form | vas"),
    Cue("statistics used", (0.49, 0.69, -0.10, -1.00, -0.07),
        "regression | anova | t test | chi-square | kaplan-meier | logistic | intention-to-treat | multivariate | "
        "analysis of variance | mixed model | linear | wilcoxon | mann-whitney | cox | generalized | models were | "
        "statistical analysis | analyses were | analysis was | multivariable | bivariate | spss | propensity | "
        "proportional hazards | thematic analysis | content analysis"),
    Cue("outcome named", (0.48, 1.23, -0.44, -0.37, -0.90),
        "primary outcome | primary end | ^ primary | ^ the primary | ^ secondary | secondary outcomes | "
        "secondary outcome | outcome measures | outcome measure | main outcome | ^ main | endpoints | endpoint | "
        "end point | outcomes included | outcome was | outcomes were | ^ outcome | ^ outcomes | variables"),
    Cue("literature search", (-0.16, 0.18, 0.23, -0.23, -0.02),
        "searched | databases | database | medline | embase | pubmed | cochrane | articles | publications | search | "
        "systematic review | meta-analysis | scopus | web of science | review of | systematic literature | "
        "systematically | keywords | records"),
    Cue("dose", (0.08, 0.20, -0.06, 0.02, -0.24),
        "mg | kg | ml | daily | dose | doses | twice | per day | min | g | minutes | mm | cm | hours | h | per week | "
        "weekly | times | sessions | session"),
    Cue("time", (0.15, 0.34, -0.11, 0.26, -0.65),
        "weeks | months | days | week | month | day | during | period | over a | post | postoperatively | "
        "postoperative | years | year"),
    Cue("baseline and after", (0.08, 0.41, 0.10, 0.19, -0.78),
        "baseline | before | after | follow-up | pre | at #"),
    Cue("place", (-0.28, 0.17, -0.15, -0.23, 0.49),
        "hospital | hospitals | center | centers | centre | centres | clinic | clinics | university | department | "
        "institution | institutions | school | schools | units | unit | at a | laboratory"),
    Cue("years from to", (-0.20, 0.26, 0.12, -0.12, -0.07),
        "from # to # | in # | january | february | march | april | june | july | august | september | october | "
        "november | december | between"),
    Cue("people", (-0.10, -0.12, 0.20, 0.71, -0.70),
        "respondent | patients | participants | subjects | women | men | children | adults | individuals | students | "
        "people | infants | persons | respondents | males | females | girls | boys | adolescents | rats | mice | "
        "samples | cases"),
    Cue("patients at the start", (-0.42, 0.53, 0.17, -0.48, 0.20),
        "^ patients | ^ participants | ^ subjects | ^ children | ^ women | ^ all | ^ adults | ^ students | "
        "^ eligible | ^ adult | ^ healthy | ^ data | ^ blood | ^ samples | ^ a questionnaire"),
    Cue("number and people", (-1.07, 0.51, 1.23, -0.34, -0.34),
        "# patients | # participants | # subjects | # women | # men | # children | # adults | # healthy | "
        "# students | # consecutive | # individuals | # cases | # male | # female"),
    Cue("arms", (-0.08, 0.35, 0.41, 0.07, -0.75),
        "group | groups | arm | arms | placebo | control | controls | intervention | either | or a"),
    Cue("age", (-0.31, 0.13, 0.25, 0.21, -0.28),
        "aged | age | years old"),
    Cue("definition", (0.09, 0.60, 0.10, -0.21, -0.57),
        "defined as | were defined | was defined | according to | considered | classified | divided | categorized | "
        "included | was set"),
    Cue("protocol", (0.13, 0.50, -0.75, -0.18, 0.30),
        "will | is a randomized | be recruited | be randomized | be randomised | be assessed | be conducted | "
        "be measured | be analysed | be analyzed"),
    # What came out
    Cue("p value", (-0.37, 0.05, 1.58, -1.19, -0.08),
        "p < | p = | p > | p ≤ | p values | p value | p ≥"),
    Cue("interval and ratio", (-0.04, 0.16, 0.00, -0.16, 0.04),
        "ci | confidence interval | confidence intervals | hazard ratio | relative risk | or = | rr | hr | aor | "
        "or # | or : | md | smd | risk ratio | odds | mean difference | i # | likelihood ratio"),
    Cue("equals", (-0.39, 0.42, 0.62, -0.31, -0.35),
        "="),
    Cue("percent", (0.14, -0.17, 0.95, -0.44, -0.47),
        "%"),
    Cue("inequality", (0.01, 0.34, 0.10, -0.13, -0.32),
        "< | > | ≤ | ≥"),
    Cue("plus minus", (-0.45, -0.01, 0.64, -0.20, 0.02),
        "± | sd | standard deviation | se"),
    Cue("versus", (-0.03, -0.28, 0.22, -0.01, 0.10),
        "vs | versus"),
    Cue("respectively", (-0.79, 0.03, 0.99, -0.21, -0.02),
        "respectively"),
    Cue("significance", (0.12, -0.43, 0.40, 0.02, -0.11),
        "significant | significantly | statistically | nonsignificant | significance | difference was | "
        "differences were"),
    Cue("no difference", (-0.14, -0.39, 0.53, 0.11, -0.11),
        "similar | differ | comparable | did not | was not | were not | unchanged | not different | remained | no"),
    Cue("change", (0.02, -0.26, 0.40, 0.68, -0.85),
        "increased | decreased | reduced | improved | declined | improvement | improvements | reduction | increase | "
        "decrease | reductions | increases | changes | change | dropped | rose | fell | elevated"),
    Cue("comparison", (-0.04, -0.16, 0.38, 0.30, -0.48),
        "higher | lower | greater | less | more | fewer | larger | smaller | better | worse | longer | shorter | "
        "highest | lowest | than | most | superior | stronger | faster | best"),
    Cue("compared with", (0.00, -0.28, 0.36, 0.39, -0.47),
        "compared with | compared to | in comparison | difference | differences | between groups | between the | "
        "relative to | as compared"),
    Cue("observation", (-0.11, -0.21, 0.61, 0.18, -0.46),
        "found | observed | showed | revealed | demonstrated | identified | reported | detected | noted | was seen | "
        "were seen | yielded | exhibited | shown | indicated | experienced | developed | died | met"),
    Cue("occurrence", (0.09, -0.26, 0.51, 0.34, -0.68),
        "occurred | there was | there were | resulted in | led to | was associated | were associated | "
        "was significantly | were significantly | correlated | correlation | predicted | associated with | "
        "was higher | were higher | was lower | were lower | ranged | reached | accounted for | achieved | "
        "was detected | was reported | were reported | were identified"),
    Cue("there at the start", (-0.39, -0.16, 0.35, -0.15, 0.34),
        "^ there was | ^ there were | ^ no | ^ we found | ^ we observed | ^ we identified | ^ both | ^ in the | "
        "^ at | ^ after | ^ mean | ^ median | ^ compared | ^ among | ^ overall | ^ most | ^ only | ^ one | ^ two | "
        "^ three | ^ more | ^ of # | ^ of the | ^ # | ^ total | ^ a total | ^ in total | ^ during | ^ between | "
        "^ when | ^ using"),
    Cue("results show", (-0.08, 0.14, 0.45, 0.17, -0.68),
        "results show | results showed | results indicate | experimental results | we show | show that | shows that | "
        "outperforms | outperform | achieves | achieve | experiments | experiment | demonstrate that | "
        "we demonstrate | evaluation | simulations | simulation | accuracy | performance | results demonstrate | "
        "is shown | are shown | we find | we found | we observe | our method | our approach | the proposed | "
        "obtained results | show how | case study | demonstrates"),
    Cue("count words", (0.13, 0.15, 0.33, 0.16, -0.78),
        "median | mean | rate | rates | proportion | majority | number of | average | percentage | score | scores | "
        "total | frequency | incidence | prevalence | ratio | levels | values | range | interquartile"),
    Cue("small numbers", (-0.09, 0.14, 0.31, -0.29, -0.06),
        "one | two | three | four | five | six | both | all | only | none"),
    Cue("factors", (-0.20, -0.04, 0.15, 0.19, -0.10),
        "factors | predictors | predictor | independent | independently | adjusted | after adjustment | adjusting | "
        "after controlling | association between | associations | univariate | positively | negatively | "
        "correlations"),
    Cue("adverse", (0.27, 0.08, 0.12, -0.01, -0.45),
        "adverse | complications | complication | side effects | mortality | death | deaths | recurrence | survival | "
        "events"),
    # What it means
    Cue("conclude", (-0.62, -0.76, 0.39, 1.24, -0.23),
        "conclude | conclusion | conclusions | concluded | in summary | taken together | ^ overall"),
    Cue("these findings", (-0.10, -0.19, 0.05, 0.39, -0.15),
        "these results | our results | these data | our data | ^ these | ^ this | ^ such | findings | ^ our | "
        "^ results | the results | results of this | the present results | of our"),
    Cue("suggest", (-0.47, -0.26, 0.38, 0.71, -0.35),
        "suggest | suggests | suggesting | indicate | indicates | indicating | imply | support | supports | confirm | "
        "confirms | confirmed | supported | demonstrate | demonstrates | highlight | highlights | underscore | "
        "reveal | reveals | implies | point to | show"),
    Cue("this study shows", (-0.16, -0.56, -0.34, 0.93, 0.13),
        "study shows | study demonstrates | study suggests | study demonstrated | study showed | study provides | "
        "study suggest | study confirms | study found | study indicates | study supports | study highlights | "
        "study confirmed | trial demonstrated | study revealed | review suggests | study contributes | "
        "study indicated | study is the first | paper shows"),
    Cue("recommendation", (0.09, 0.12, 0.04, 0.73, -0.99),
        "recommended | recommend | recommendations | future | further | warranted | needed | more research | "
        "additional research | should be considered | should consider | larger | research is | studies are | "
        "to confirm | required to"),
    Cue("appraisal", (-0.06, -0.30, 0.03, 0.94, -0.61),
        "effective | feasible | safe | well tolerated | beneficial | useful | promising | valuable | acceptable | "
        "reliable | valid | successful | benefit | benefits | helpful | efficacious | accurate | robust | efficient | "
        "alternative | suitable | viable | simple | option"),
    Cue("seeming", (0.00, -0.92, 0.04, 0.76, 0.13),
        "appears | appear | seems | seem | likely | unlikely | tend | potentially"),
    Cue("implications", (0.01, -0.04, -0.05, 0.69, -0.61),
        "implications | policy | practitioners | clinicians | can be used | evidence | insight | insights | "
        "understanding | contribute | contributes | practice | care | strategies | physicians | policymakers | "
        "implementation | routine | provides | provide | consider | help | role"),
    Cue("discussed", (-0.01, 0.17, 0.20, 0.25, -0.62),
        "discussed | discussion | we discuss | are presented | is given | are given | we also discuss"),
    Cue("effect in present", (-0.17, -0.35, -0.22, 0.63, 0.11),
        "improves | reduces | increases | improve | reduce | does not | do not | is associated | are associated | "
        "is effective | is safe | is feasible | is not | are not | has a | have a | is an | prevents | decreases | "
        "leads to | effect on | affects | is more | are more"),
    Cue("strength of study", (-0.23, -0.03, -0.33, 0.67, -0.08),
        "to our knowledge | the first | limitations of | limitation of | small sample | sample size | strengths | "
        "generalizability | bias | interpreted | cautiously | caution"),
    # Whose words, and which tense
    Cue("we", (0.03, 0.51, 0.32, -0.38, -0.48),
        "we"),
    Cue("we at the start", (-0.09, -0.23, -0.35, 0.16, 0.50),
        "^ we"),
    Cue("our", (-0.17, 0.11, 0.17, 0.05, -0.16),
        "our | us"),
    Cue("past copula", (-0.38, 0.70, 0.53, -0.23, -0.63),
        "was | were"),
    Cue("was verb", (-0.52, -0.31, 0.62, 0.09, 0.13),
        "were # | was # | was the | were the | was a"),
    Cue("the at the start", (0.03, 0.08, 0.11, 0.01, -0.24),
        "^ the"),
    Cue("a at the start", (-0.35, 0.38, 0.16, 0.25, -0.43),
        "^ a | ^ an"),
    Cue("in at the start", (0.19, -0.01, 0.13, 0.21, -0.52),
        "^ in"),
    Cue("it", (0.21, 0.14, 0.08, -0.12, -0.30),
        "it | its | they | their | them"),
    Cue("this or these", (0.13, -0.07, 0.04, -0.08, -0.02),
        "this | these | that | those"),
    Cue("question mark", (-0.19, -0.79, -0.30, 0.15, 1.14),
        "?"),
    Cue("colon or semicolon", (-0.17, -0.05, -0.05, -0.38, 0.64),
        ": | ;"),
    Cue("infinitive", (0.18, 0.17, -0.04, -0.04, -0.27),
        "to"),
    Cue("conjunction", (-0.01, -0.06, -0.02, 0.05, 0.04),
        "as | with the | of a | for the | into"),
    Cue("also", (0.54, 0.41, 0.24, -0.62, -0.56),
        "also | as well | well as | in addition | moreover | furthermore | additionally"),
    Cue("modern life", (0.09, -0.09, -0.01, -0.17, 0.18),
        "internet | web | mobile | social media | computer | computing | digital | online | technology | world | "
        "industry | business | market | economic"),
    Cue("disease", (0.11, -0.27, -0.10, 0.39, -0.14),
        "disease | disorder | disorders | syndrome | cancer | diabetes | pain | infection | depression | obesity"),
    # What is not part of the argument
    Cue("registry", (-0.40, -0.34, -0.69, -0.79, 2.21),
        "nct | isrctn | actrn | chictr | umin | eudract | drks | ntr | ctri | irct | clinicaltrials | registry | "
        "registration | registered | prospero | crd | pactr | kct | jprn"),
    Cue("funding and ethics", (-0.35, -0.24, -0.73, -0.51, 1.83),
        "funded | funding | supported by | grant | grants | sponsored | ethics | ethical | consent | approved by | "
        "review board | institutional review | dissemination | disseminated | peer-reviewed"),
    Cue("address", (-0.11, -0.54, -0.03, -0.27, 0.94),
        "http | https | www | doi | org | available at | available from | freely available | publicly available | "
        "source code | code is | code and | github | com | supplementary | supplemental | online version | "
        "authorized users | edu | is available"),
    Cue("publisher", (-0.20, 0.01, -0.66, -0.01, 0.86),
        "copyright | © | rights reserved | elsevier | springer | wiley | ltd | inc | publishing | published by | "
        "press | authors | b v | llc | society | periodicals"),
)

#: By how many numbers stand in the sentence: from so many on.
NUMBERS: dict[int, Weights] = {
    0: (0.50, 0.18, -0.33, 0.33, -0.68),
    1: (0.13, 0.21, -0.18, 0.02, -0.18),
    2: (-0.03, 0.05, 0.01, -0.03, 0.00),
    4: (-0.21, -0.02, 0.25, -0.17, 0.15),
    8: (-0.37, -0.29, 0.24, -0.65, 1.08),
}

#: By how many words, numbers and marks: from so many on.
WORDS: dict[int, Weights] = {
    0: (-0.81, -0.10, 0.07, -0.39, 1.23),
    9: (0.19, -0.09, 0.04, -0.15, 0.02),
    15: (0.36, 0.13, 0.03, 0.17, -0.68),
    35: (0.27, 0.19, -0.14, -0.12, -0.20),
}

# Where the sentence stands: SHORT in a text of up to three sentences, the sum of all the others in a longer one.

#: By the number of sentences: one row a sentence.
SHORT: dict[int, tuple[Weights, ...]] = {
    1: ((-0.49, 0.91, 0.20, 0.08, -0.70),),
    2: ((-0.04, 0.22, 0.03, -0.12, -0.08), (0.01, 0.10, 0.05, -0.02, -0.14)),
    3: ((0.07, 0.10, -0.17, -0.12, 0.11), (0.38, -0.47, -0.24, 0.04, 0.30), (-0.02, -0.10, 0.18, -0.17, 0.11)),
}

#: By tenth of the text, the first sentence in the first.
TENTHS: tuple[Weights, ...] = (
    (0.28, -0.26, -0.48, 0.18, 0.28),
    (0.49, 0.06, -0.31, -0.02, -0.22),
    (0.37, -0.04, -0.21, 0.11, -0.23),
    (0.15, 0.11, 0.29, -0.36, -0.18),
    (-0.01, 0.04, 0.01, -0.14, 0.10),
    (-0.20, 0.05, 0.27, -0.18, 0.06),
    (-0.15, -0.06, 0.15, -0.35, 0.41),
    (-0.43, -0.20, 0.22, 0.22, 0.19),
    (-0.37, -0.46, 0.34, 0.26, 0.23),
    (-0.03, 0.14, -0.32, 0.09, 0.13),
)

#: By fifth of the text, in texts of so many sentences and more.
FIFTHS: dict[int, tuple[Weights, ...]] = {
    4: (
        (-0.21, -0.19, 0.13, -0.06, 0.33),
        (0.02, -0.36, 0.32, -0.22, 0.24),
        (0.51, 0.18, -0.30, -0.51, 0.12),
        (0.64, 0.18, -0.07, -0.87, 0.12),
        (0.49, 0.15, 0.14, -0.96, 0.18),
    ),
    6: (
        (-0.13, -0.15, 0.34, -0.43, 0.37),
        (-0.03, -0.06, 0.06, 0.28, -0.24),
        (0.13, 0.05, -0.19, -0.06, 0.07),
        (0.40, -0.24, -0.01, -0.43, 0.29),
        (0.06, 0.19, 0.06, -0.47, 0.17),
    ),
    9: (
        (0.12, -0.13, -0.36, 0.50, -0.13),
        (0.05, -0.06, -0.34, 0.26, 0.08),
        (0.03, -0.20, -0.02, -0.11, 0.31),
        (0.19, -0.20, -0.02, -0.04, 0.08),
        (0.12, 0.11, 0.04, 0.10, -0.37),
    ),
    12: (
        (0.52, 0.23, -0.18, -0.20, -0.37),
        (0.20, 0.26, -0.11, -0.24, -0.11),
        (-0.29, 0.12, 0.40, 0.24, -0.46),
        (-0.94, -0.08, 0.18, 0.55, 0.30),
        (-0.48, -0.64, -0.05, 0.98, 0.19),
    ),
    15: (
        (0.48, 0.04, -0.72, 0.34, -0.14),
        (0.28, 0.28, 0.14, -0.33, -0.38),
        (-0.57, -0.05, 0.37, 0.12, 0.13),
        (-0.85, 0.08, 0.30, 0.67, -0.20),
        (-0.59, -0.14, -0.17, 0.70, 0.19),
    ),
}

SECOND: Weights = (0.41, -0.04, -0.63, 0.20, 0.06)
BEFORE_LAST: Weights = (0.12, 0.06, -0.33, 0.28, -0.13)

# Studies end with what they mean, work on methods with what the method reached. A text is empirical if more of its
# sentences have a cue of EMPIRICAL than of TECHNICAL, else technical.
EMPIRICAL = (
    "age | allocation | design | dose | enrolment | interval and ratio | number and people | outcome named | "
    "p value | patients at the start | significance | statistics used"
)
TECHNICAL = (
    "modern life | procedure words | proposal | results show | system words | this paper | we act, present"
)

EMPIRICAL_WEIGHTS = KindWeights(
    fifths=(
        (0.64, 0.10, -0.72, 0.26, -0.27),
        (0.45, 0.26, 0.02, -0.17, -0.56),
        (-0.07, 0.13, 0.13, -0.12, -0.07),
        (-0.14, -0.24, 0.04, 0.12, 0.21),
        (-0.25, -0.15, -0.12, 0.34, 0.17),
    ),
    last=(0.43, -0.95, -1.04, 0.90, 0.67),
    short=(-0.12, 0.44, -0.13, 0.16, -0.35),
)

TECHNICAL_WEIGHTS = KindWeights(
    fifths=(
        (0.14, -0.30, -0.07, -0.10, 0.33),
        (0.06, -0.20, 0.06, -0.08, 0.15),
        (-0.13, -0.04, 0.15, -0.21, 0.23),
        (-0.44, -0.02, 0.33, -0.25, 0.38),
        (-0.16, -0.17, 0.13, 0.01, 0.18),
    ),
    last=(0.23, 0.31, 0.64, -1.21, 0.02),
    short=(0.02, 0.32, 0.17, -0.47, -0.05),
)

#: The label of the first sentence, of the last, and of a sentence (columns) after a sentence (rows).
START: Weights = (2.01, 0.33, 0.11, -2.33, -0.12)
STOP: Weights = (-1.39, -1.37, -0.19, 1.73, 1.23)
AFTER: dict[str, Weights] = {
    "background": (1.34, 1.51, 0.73, -2.27, -0.24),
    "method": (-0.40, 2.29, 1.62, -0.69, 0.06),
    "result": (-0.84, -0.52, 1.98, 0.12, -0.14),
    "conclusion": (-2.88, -2.63, -4.61, 1.13, 1.77),
    "other": (0.43, 0.53, 0.59, -1.45, 2.59),
}
# fmt: on
