"""The tables of the built-in facet labelling: headings, boilerplate, and cues.

A phrase is words in lower case; phrases are divided by ``|``; ``#`` is any number, ``^`` the start of the sentence. A
hyphen is a space. What a cue says for and against a label the network of ``network.py`` has learned: a change of
these tables needs it trained again.
"""

from __future__ import annotations

VERSION = "9"

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

#: What makes a sentence certainly a conclusion: the author says so, or says what the results mean. In abstracts with
#: headings 95% of such sentences stand under one of conclusions; of "the results show" and "results indicate" fewer do.
#: "4. Synthesis and applications." heads the last part of the numbered abstracts of ecology.
CERTAINLY_CONCLUSION = (
    "these results suggest | these results support | these results imply | these results highlight | "
    "these results provide | our results suggest | our results imply | our results support | the results suggest | "
    "results of this study suggest | these findings suggest | these findings indicate | these findings support | "
    "these findings imply | these findings highlight | these findings provide | our findings suggest | "
    "our findings imply | our findings support | our findings highlight | our findings demonstrate | "
    "the findings suggest | findings of this study suggest | these data suggest | these data support | "
    "our data suggest | our data support | "
    "these results indicate | these observations suggest | this study suggests | this study supports | "
    "this study demonstrates | "
    "we conclude that | ^ we conclude | ^ we therefore conclude | ^ in conclusion | ^ to conclude | "
    "it is concluded that | it was concluded that | ^ conclusion | ^ conclusions | "
    "^ synthesis and applications | ^ # synthesis and applications | "
    "^ synthesis and application | ^ # synthesis and application"
)

#: Phrases that speak for and against the same labels. Each is an input of the network, in this order.
CUES: dict[str, str] = {
    # Aims and questions
    "aim": (
        "aim | aims | aimed | the purpose | purpose of | objective | objectives | goal | goals | aiming | purposes of"
    ),
    "copula of an aim": "was to | is to | were to | are to | designed to | in order to",
    "infinitive at the start": "^ to",
    "infinitive of study": (
        "to evaluate | to assess | to determine | to investigate | to examine | to compare | to explore | to test "
        "| to identify | to describe | to study | to estimate | to establish | to analyze | to analyse | to "
        "understand | to develop | to characterize | to clarify | to verify | to validate | to report | to find "
        "out | to see | to measure | to review"
    ),
    "active study, past": (
        "we investigated | we examined | we evaluated | we tested | we assessed | we compared | we studied | we "
        "explored | study investigated | study examined | study evaluated | study assessed | study compared | "
        "trial compared | study tested | study explored | trial evaluated | study aimed | study sought | we sought "
        "| sought to | we asked | was investigated | were investigated | was examined | was studied | was "
        "evaluated | was compared | we analyzed | we analysed"
    ),
    "active study, present": (
        "we investigate | we examine | we study | we explore | we evaluate | we address | we consider | we focus | "
        "we discuss | we review | examines | investigates | explores | discusses | focuses | addresses | evaluates "
        "| compares | reviews | we analyze | analyzes | considers | studies the | we aim"
    ),
    "question": (
        "whether | hypothesis | hypothesized | hypothesised | hypotheses | hypothesize | hypothesise | question | "
        "questions | how to | if the"
    ),
    "attention": (
        "efficacy and safety | the efficacy | the effects of | the effect of | the impact of | the effectiveness | "
        "effectiveness of | the role of | the relationship | the association | the feasibility | safety and"
    ),
    # What is known and what is missing
    "gap": (
        "little | unknown | unclear | uncertain | controversial | controversy | scarce | lacking | lack | few "
        "studies | poorly | not well | no studies | debate | debated | inconclusive | conflicting | inconsistent | "
        "not known | not yet | not been | remains | remain | to date | limited evidence | is limited | "
        "understudied | insufficient | neglected | rarely | overlooked | no consensus | seldom"
    ),
    "contrast at the start": (
        "^ however | ^ but | ^ although | ^ despite | ^ yet | ^ while | ^ nevertheless | ^ though | ^ "
        "unfortunately | ^ conversely | ^ in contrast | ^ on the other hand | ^ even though"
    ),
    "contrast": "however | although | despite | but | while | whereas | though | yet",
    "importance": (
        "important | major | leading cause | one of the | increasingly | crucial | essential | widely | critical | "
        "key | serious | prevalent | growing | popular | fundamental | vital | central | significant role | burden "
        "| rapidly | ubiquitous | prominent | increasing | attention | worldwide | public health | common | "
        "commonly"
    ),
    "prior work": (
        "prior work | prior research | earlier studies | existing | traditional | conventional | recently | the "
        "past | past decade | proposed in | literature | traditionally | recent | previous | previously | prior "
        "studies | so far | current | currently | nowadays | today | state of the art | now"
    ),
    "present perfect": "has | have | had been",
    "present passive": (
        "is known | well known | is considered | are considered | believed | thought to | is used | are used | is "
        "based | are based | is associated | are associated | is characterized | is often | are often | is one | "
        "are commonly | known to | known as | referred to | defined as | considered to"
    ),
    "present copula": "is | are",
    "is a": "is a | is an | are a | is the | are the | exists | exist | there is | there are",
    "difficulty": (
        "challenge | challenges | challenging | problem | problems | difficult | difficulty | difficulties | issue "
        "| issues | limitations | limitation | suffer | suffers | complex | fail | fails | hard | barrier | "
        "barriers | costly | expensive | lack of | drawback | drawbacks"
    ),
    "habit": (
        "often | usually | typically | generally | frequently | many | various | variety | numerous | most of the "
        "| in general | mainly | especially | particularly | such as | e g | including | range of | several"
    ),
    "need": "need | needs | require | requires | required | necessary | demand | demands | needed to",
    "reason": (
        "because | due to | since | reasons | reason | as a result | leads to | lead to | leading to | cause | "
        "causes | caused by | results in | resulting in"
    ),
    "consequence": "therefore | thus | hence | consequently | accordingly",
    "possibility": "can | able to | possible | makes | enables | enable | allow | allows | ability",
    "possibility of benefit": "may | might | could | potentially | potential",
    "obligation": "should | must | need to | needs to | ought",
    "condition": "would | if",
    "past perfect": "had",
    # What is done
    "this paper": (
        "this paper | this article | this work | the paper | this letter | this chapter | this thesis | this "
        "report | present paper | the article | this survey | this contribution"
    ),
    "here": "^ here | ^ herein | here we | ^ in this | in this paper | in this article | in this work | in this study",
    "this study": (
        "this study | present study | current study | our study | this trial | this review | this research | this "
        "project | this pilot"
    ),
    "proposal": (
        "we present | we introduce | we describe | we develop | we developed | proposes | presents | introduces | "
        "is proposed | are proposed | is presented | are presented | is introduced | is developed | describes | we "
        "proposed | we designed | we design | is described | are described | novel | new method | a new | propose "
        "| present a | was proposed | we suggest a | was developed | were developed"
    ),
    "we act, past": (
        "we used | we applied | we conducted | we performed | we collected | we searched | we included | we "
        "measured | we recruited | we randomly | we randomized | we randomised | we assigned | we carried out | we "
        "enrolled | we identified | we calculated | we estimated | we selected | we obtained | we surveyed | we "
        "interviewed | we reviewed | we undertook | we extracted | we created | we employed | we implemented | we "
        "utilized"
    ),
    "we act, present": (
        "we use | we apply | we employ | we train | we combine | we extend | we build | we define | we derive | we "
        "formulate | we implement | we adopt | we model | we learn | we exploit | we design | we first | we then | "
        "we also | we perform | we conduct | we construct | we utilize | we incorporate | we compute | we compare "
        "| we integrate"
    ),
    "means": (
        "using | based on | used | uses | by means | via | applying | applied | employing | utilizing | with the "
        "use | makes use | making use"
    ),
    "procedure words": (
        "algorithm | algorithms | method | methods | framework | approach | technique | techniques | architecture "
        "| scheme | procedure | module | strategy | tool | model | models | pipeline | mechanism | formulation"
    ),
    "system words": (
        "system | systems | software | network | networks | application | applications | technology | technologies "
        "| device | platform | users | user | dataset | datasets | data | information"
    ),
    "parts": (
        "consist of | consisting of | composed of | comprises | comprised | divided into | comprising | consisted "
        "| consists | contains | each"
    ),
    "order": (
        "first | then | second | third | next | finally | ^ additionally | ^ in addition | subsequently | "
        "afterwards | followed by | ^ moreover | ^ furthermore"
    ),
    # Study design and procedure
    "design": (
        "controlled trial | double-blind | single-blind | placebo-controlled | cross-sectional | cohort | "
        "retrospective | prospective | open-label | crossover | cross-over | multicenter | multicentre | "
        "case-control | longitudinal | blinded | retrospectively | prospectively | quasi-experimental | "
        "observational study | non-inferiority | single-center | pilot study | phase | randomised controlled | "
        "randomized controlled | two-arm | parallel | single-centre | in a randomized | design"
    ),
    "allocation": (
        "randomised | randomized | allocated | assigned | randomly | randomization | randomisation | random | "
        "assignment | allocation | stratified"
    ),
    "treatment given": (
        "receive | received | receiving | treated with | administered | given | underwent | undergo | were treated "
        "| injection | injected"
    ),
    "enrolment": (
        "recruited | enrolled | eligible | recruit | recruitment | enrolment | enrollment | invited | selected | "
        "consecutive | consecutively | criteria | eligibility | volunteers | volunteered | were included | was "
        "included | excluded | exclusion"
    ),
    "measurement": (
        "measured | assessed | evaluated | recorded | collected | obtained | extracted | calculated | determined | "
        "monitored | quantified | estimated using | scored | rated"
    ),
    "work done": (
        "performed | conducted | carried out | undertaken | completed | implemented | designed | reviewed | "
        "analysed | analyzed | examined | tested | compared | studied | investigated | explored"
    ),
    "instruments": (
        "questionnaire | questionnaires | interview | interviews | scale | inventory | survey | surveys | index | "
        "checklist | instrument | visual analog | self-reported | self-report | focus groups | semi-structured | "
        "diary | diaries | form | vas"
    ),
    "statistics used": (
        "regression | anova | t test | chi-square | kaplan-meier | logistic | intention-to-treat | multivariate | "
        "analysis of variance | mixed model | linear | wilcoxon | mann-whitney | cox | generalized | models were | "
        "statistical analysis | analyses were | analysis was | multivariable | bivariate | spss | propensity | "
        "proportional hazards | thematic analysis | content analysis"
    ),
    "outcome named": (
        "primary outcome | primary end | ^ primary | ^ the primary | ^ secondary | secondary outcomes | secondary "
        "outcome | outcome measures | outcome measure | main outcome | ^ main | endpoints | endpoint | end point | "
        "outcomes included | outcome was | outcomes were | ^ outcome | ^ outcomes | variables"
    ),
    "literature search": (
        "searched | databases | database | medline | embase | pubmed | cochrane | articles | publications | search "
        "| systematic review | meta-analysis | scopus | web of science | review of | systematic literature | "
        "systematically | keywords | records"
    ),
    "dose": (
        "mg | kg | ml | daily | dose | doses | twice | per day | min | g | minutes | mm | cm | hours | h | per "
        "week | weekly | times | sessions | session"
    ),
    "time": (
        "weeks | months | days | week | month | day | during | period | over a | post | postoperatively | "
        "postoperative | years | year"
    ),
    "baseline and after": "baseline | before | after | follow-up | pre | at #",
    "place": (
        "hospital | hospitals | center | centers | centre | centres | clinic | clinics | university | department | "
        "institution | institutions | school | schools | units | unit | at a | laboratory"
    ),
    "years from to": (
        "from # to # | in # | january | february | march | april | june | july | august | september | october | "
        "november | december | between"
    ),
    "people": (
        "respondent | patients | participants | subjects | women | men | children | adults | individuals | "
        "students | people | infants | persons | respondents | males | females | girls | boys | adolescents | rats "
        "| mice | samples | cases"
    ),
    "patients at the start": (
        "^ patients | ^ participants | ^ subjects | ^ children | ^ women | ^ all | ^ adults | ^ students | ^ "
        "eligible | ^ adult | ^ healthy | ^ data | ^ blood | ^ samples | ^ a questionnaire"
    ),
    "number and people": (
        "# patients | # participants | # subjects | # women | # men | # children | # adults | # healthy | # "
        "students | # consecutive | # individuals | # cases | # male | # female"
    ),
    "arms": "group | groups | arm | arms | placebo | control | controls | intervention | either | or a",
    "age": "aged | age | years old",
    "definition": (
        "defined as | were defined | was defined | according to | considered | classified | divided | categorized "
        "| included | was set"
    ),
    "protocol": (
        "will | is a randomized | be recruited | be randomized | be randomised | be assessed | be conducted | be "
        "measured | be analysed | be analyzed"
    ),
    # What came out
    "p value": "p < | p = | p > | p ≤ | p values | p value | p ≥",
    "interval and ratio": (
        "ci | confidence interval | confidence intervals | hazard ratio | relative risk | or = | rr | hr | aor | "
        "or # | or : | md | smd | risk ratio | odds | mean difference | i # | likelihood ratio"
    ),
    "equals": "=",
    "percent": "%",
    "inequality": "< | > | ≤ | ≥",
    "plus minus": "± | sd | standard deviation | se",
    "versus": "vs | versus",
    "respectively": "respectively",
    "significance": (
        "significant | significantly | statistically | nonsignificant | significance | difference was | "
        "differences were"
    ),
    "no difference": (
        "similar | differ | comparable | did not | was not | were not | unchanged | not different | remained | no"
    ),
    "change": (
        "increased | decreased | reduced | improved | declined | improvement | improvements | reduction | increase "
        "| decrease | reductions | increases | changes | change | dropped | rose | fell | elevated"
    ),
    "comparison": (
        "higher | lower | greater | less | more | fewer | larger | smaller | better | worse | longer | shorter | "
        "highest | lowest | than | most | superior | stronger | faster | best"
    ),
    "compared with": (
        "compared with | compared to | in comparison | difference | differences | between groups | between the | "
        "relative to | as compared"
    ),
    "observation": (
        "found | observed | showed | revealed | demonstrated | identified | reported | detected | noted | was seen "
        "| were seen | yielded | exhibited | shown | indicated | experienced | developed | died | met"
    ),
    "occurrence": (
        "occurred | there was | there were | resulted in | led to | was associated | were associated | was "
        "significantly | were significantly | correlated | correlation | predicted | associated with | was higher "
        "| were higher | was lower | were lower | ranged | reached | accounted for | achieved | was detected | was "
        "reported | were reported | were identified"
    ),
    "there at the start": (
        "^ there was | ^ there were | ^ no | ^ we found | ^ we observed | ^ we identified | ^ both | ^ in the | ^ "
        "at | ^ after | ^ mean | ^ median | ^ compared | ^ among | ^ overall | ^ most | ^ only | ^ one | ^ two | ^ "
        "three | ^ more | ^ of # | ^ of the | ^ # | ^ total | ^ a total | ^ in total | ^ during | ^ between | ^ "
        "when | ^ using"
    ),
    "results show": (
        "results show | results showed | results indicate | experimental results | we show | show that | shows "
        "that | outperforms | outperform | achieves | achieve | experiments | experiment | demonstrate that | we "
        "demonstrate | evaluation | simulations | simulation | accuracy | performance | results demonstrate | is "
        "shown | are shown | we find | we found | we observe | our method | our approach | the proposed | obtained "
        "results | show how | case study | demonstrates"
    ),
    "count words": (
        "median | mean | rate | rates | proportion | majority | number of | average | percentage | score | scores "
        "| total | frequency | incidence | prevalence | ratio | levels | values | range | interquartile"
    ),
    "small numbers": "one | two | three | four | five | six | both | all | only | none",
    "factors": (
        "factors | predictors | predictor | independent | independently | adjusted | after adjustment | adjusting "
        "| after controlling | association between | associations | univariate | positively | negatively | "
        "correlations"
    ),
    "adverse": (
        "adverse | complications | complication | side effects | mortality | death | deaths | recurrence | "
        "survival | events"
    ),
    # What it means
    "conclude": "conclude | conclusion | conclusions | concluded | in summary | taken together | ^ overall",
    "these findings": (
        "these results | our results | these data | our data | ^ these | ^ this | ^ such | findings | ^ our | ^ "
        "results | the results | results of this | the present results | of our"
    ),
    "suggest": (
        "suggest | suggests | suggesting | indicate | indicates | indicating | imply | support | supports | "
        "confirm | confirms | confirmed | supported | demonstrate | demonstrates | highlight | highlights | "
        "underscore | reveal | reveals | implies | point to | show"
    ),
    "this study shows": (
        "study shows | study demonstrates | study suggests | study demonstrated | study showed | study provides | "
        "study suggest | study confirms | study found | study indicates | study supports | study highlights | "
        "study confirmed | trial demonstrated | study revealed | review suggests | study contributes | study "
        "indicated | study is the first | paper shows"
    ),
    "recommendation": (
        "recommended | recommend | recommendations | future | further | warranted | needed | more research | "
        "additional research | should be considered | should consider | larger | research is | studies are | to "
        "confirm | required to"
    ),
    "appraisal": (
        "effective | feasible | safe | well tolerated | beneficial | useful | promising | valuable | acceptable | "
        "reliable | valid | successful | benefit | benefits | helpful | efficacious | accurate | robust | "
        "efficient | alternative | suitable | viable | simple | option"
    ),
    "seeming": "appears | appear | seems | seem | likely | unlikely | tend | potentially",
    "implications": (
        "implications | policy | practitioners | clinicians | can be used | evidence | insight | insights | "
        "understanding | contribute | contributes | practice | care | strategies | physicians | policymakers | "
        "implementation | routine | provides | provide | consider | help | role"
    ),
    "discussed": "discussed | discussion | we discuss | are presented | is given | are given | we also discuss",
    "effect in present": (
        "improves | reduces | increases | improve | reduce | does not | do not | is associated | are associated | "
        "is effective | is safe | is feasible | is not | are not | has a | have a | is an | prevents | decreases | "
        "leads to | effect on | affects | is more | are more"
    ),
    "strength of study": (
        "to our knowledge | the first | limitations of | limitation of | small sample | sample size | strengths | "
        "generalizability | bias | interpreted | cautiously | caution"
    ),
    # Whose words, and which tense
    "we": "we",
    "we at the start": "^ we",
    "our": "our | us",
    "past copula": "was | were",
    "was verb": "were # | was # | was the | were the | was a",
    "the at the start": "^ the",
    "a at the start": "^ a | ^ an",
    "in at the start": "^ in",
    "it": "it | its | they | their | them",
    "this or these": "this | these | that | those",
    "question mark": "?",
    "colon or semicolon": ": | ;",
    "infinitive": "to",
    "conjunction": "as | with the | of a | for the | into",
    "also": "also | as well | well as | in addition | moreover | furthermore | additionally",
    "modern life": (
        "internet | web | mobile | social media | computer | computing | digital | online | technology | world | "
        "industry | business | market | economic"
    ),
    "disease": (
        "disease | disorder | disorders | syndrome | cancer | diabetes | pain | infection | depression | obesity"
    ),
    # What papers of physics and mathematics say, who mostly tell what they find in the present tense
    "proof": (
        "we prove | is proved | are proved | it is proved | is proven | are proven | we establish | is established | "
        "theorem | theorems | corollary | lemma | conjecture | necessary and sufficient | if and only if | "
        "counterexample | there exists | there exist | we classify | we characterize | is shown that | it is shown | "
        "shown to be | is shown to | are shown to | we show that | we also show | show that any | main result"
    ),
    "derivation": (
        "we obtain | we derive | is derived | are derived | is obtained | are obtained | we deduce | is deduced | are "
        "deduced | we compute | is computed | are computed | we calculate | is calculated | are calculated | we give | "
        "explicit | explicitly | formula | formulas | formulae | expression | expressions | analytic | exact | bound | "
        "bounds | asymptotic | asymptotics"
    ),
    "application of a result": (
        "as a consequence | as an application | as applications | as a corollary | as a by-product | in particular | "
        "more precisely | it follows | this implies | this allows | this gives | examples are | some examples | "
        "generalizes | generalize | generalise | generalises | extends | we extend | improves a | special case | "
        "special cases | answer | answers | consequences"
    ),
    "means of a proof": (
        "the proof | the proofs | our proof | main tool | is based on | are based on | relies on | rely on | makes use "
        "of | the main idea | is done via | in terms of | in the framework of | within the | by using | with the help"
    ),
    "physical finding": (
        "is found | are found | found to be | we find | we report | we detect | is detected | are detected | agrees | "
        "agree | agreement | consistent with | inconsistent with | predict | predicts | predicted | we predict | "
        "exhibit | exhibits | behavior | behaviour | dominated | vanishes | constrains | constraint | upper limit | "
        "it is observed | we argue | it is argued | we estimate | estimated | arises | emerges | becomes | become"
    ),
    "meaning of results": (
        "these results | our results | our findings | these findings | the result suggests | the results suggest | "
        "results suggest | results indicate | findings suggest | findings indicate | results imply | results support | "
        "suggest that | suggests that | indicating that | suggesting that | imply that | implies that | is unlikely | "
        "are unlikely | is likely | are likely | likely to | can be used to | could be used | may be used | may be | "
        "might be | could be | pave the way | opens | open the | shed light | important for | of interest | makes "
        "feasible | new insight | we believe | we hope | we argue that | will be | cannot"
    ),
    "physics": (
        "field | fields | gauge | quantum | magnetic | spin | energy | phase | symmetry | mass | galaxy | galaxies | "
        "star | stars | solar | stellar | electron | electrons | particle | particles | lattice | scattering | "
        "gravity | cosmological | neutrino | quark | boson | photon | photons | optical | emission | radiation | "
        "coupling | interaction | interactions | decay | wave | waves | temperature | spectrum | spectra | telescope "
        "| relativity | superconducting | plasma | matter | velocity | entanglement | string | black hole | universe "
        "| plasmon | plasmons | graphene | crystal | crystals | superconductor | superconductors | superconductivity "
        "| atom | atoms | atomic | laser | beam | x ray | gamma ray | luminosity | redshift | dust | disk | halo | "
        "dwarf | supernova | supernovae | orbit | flux | neutron | proton | nucleus | nuclei | nuclear | meson | "
        "mesons | collider | gev | mev | tev | supersymmetry | supersymmetric | brane | vacuum | inflation | qubit | "
        "qubits | coherence | oscillations | fermion | fermions | condensate | collisions | thermal | fluid | "
        "turbulence | diffusion | polymer | ferromagnetic | antiferromagnetic | conductance | nanotube | nanotubes | "
        "electronic | ionization | resonance | resonances | tunneling | doping"
    ),
    "mathematics": (
        "algebra | algebras | group | groups | manifold | manifolds | space | spaces | function | functions | "
        "polynomial | polynomials | operator | operators | finite | infinite | compact | ring | rings | map | maps | "
        "graph | graphs | equation | equations | theory | set | sets | conjecture | theorem | cohomology | homology | "
        "invariant | invariants | metric | norm | matrix | matrices | integral | differential | dimension | "
        "dimensional | topological | geometry | geometric | convex | bounded | continuous | smooth | modular | curve "
        "| curves | surface | surfaces | variety | varieties | subgroup | subset | subsets | random variables | "
        "brownian | markov | stochastic | eigenvalue | eigenvalues | spectral | combinatorial | permutations | "
        "integers | prime | primes | category | categories | module | modules | sheaf | bundle | bundles | lie | "
        "hilbert | banach | riemannian | symplectic | projective | abelian | representation | representations | "
        "measure | converges | convergence | coefficients | existence | uniqueness | boundary | asymptotically"
    ),
    "passive study": (
        "is studied | are studied | is investigated | are investigated | is considered | are considered | is analyzed "
        "| are analyzed | is analysed | are analysed | is examined | are examined | is addressed | are addressed | is "
        "reviewed | are reviewed | is discussed | are discussed | we are interested | we are concerned | is concerned "
        "with | is devoted to | deals with | the problem of | we revisit | we also study | we also consider | we also "
        "investigate | we also discuss"
    ),
    "setting of a theorem": (
        "let | denote | denotes | denoted by | is said to be | is called | are called | suppose | suppose that | "
        "given a | given an | for any | for every | for all | where | such that | we say | is defined by | is defined "
        "as"
    ),
    "work of others": (
        "conjectured | conjecture of | question of | a result of | results of | theorem of | introduced by | proposed "
        "by | et al | well known | celebrated | classical result | recent result | recently introduced | recently "
        "proposed | was introduced | were introduced | has been shown | have been shown | was predicted | were "
        "predicted | it is known | has been proposed | have been proposed | has attracted | has been studied | have "
        "been studied | open question | open problem"
    ),
    "tools of physics": (
        "we use | we used | data from | observations with | observations of | observed with | telescope | survey | "
        "monte carlo | numerically | numerical simulations | simulations of | density functional | first principles | "
        "ab initio | molecular dynamics | renormalization group | mean field | exact diagonalization | spectroscopy | "
        "photometry | diffraction | microscopy | spectrometer | detector | integrated luminosity | data sample | "
        "ansatz | approximation | we assume | is assumed | are assumed | perturbation theory | by solving | is solved "
        "| are solved | we construct | is constructed | are constructed | is applied to | we apply"
    ),
    "interpretation": (
        "we argue | it is argued | we suggest | we propose that | we speculate | we hypothesize | we interpret | is "
        "interpreted | are interpreted | interpreted as | interpreted in terms | attributed to | is attributed | can "
        "be explained | can be understood | may be explained | supports the | support the | evidence for | evidence "
        "that | direct evidence | rules out | rule out | probably | presumably | plausible | implication | implies | "
        "imply | must be | should not"
    ),
    "outlook": (
        "future | in the future | near future | upcoming | forthcoming | next generation | will be able | will allow "
        "| will provide | will enable | can be tested | could be tested | should be observable | may lead | could "
        "lead | can lead | might lead | lead to new | new way | new ways | open the | opens | opens up | promising | "
        "starting point | first step | step towards | further studies | would be interesting | remains open | "
        "applications include | applications to | possible applications | potential applications | important "
        "applications | has important | have important | possible implications | implications for | implications of | "
        "consequences for | may help | could help | helps to understand | help to understand | may serve | can serve "
        "| useful for | useful in | of interest for | could be useful | may be useful | may provide | could provide"
    ),
    # What is not part of the argument
    "registry": (
        "nct | isrctn | actrn | chictr | umin | eudract | drks | ntr | ctri | irct | clinicaltrials | registry | "
        "registration | registered | prospero | crd | pactr | kct | jprn"
    ),
    "funding and ethics": (
        "funded | funding | supported by | grant | grants | sponsored | ethics | ethical | consent | approved by | "
        "review board | institutional review | dissemination | disseminated | peer-reviewed"
    ),
    "address": (
        "http | https | www | doi | org | available at | available from | freely available | publicly available | "
        "source code | code is | code and | github | com | supplementary | supplemental | online version | "
        "authorized users | edu | is available"
    ),
    "publisher": (
        "copyright | © | rights reserved | elsevier | springer | wiley | ltd | inc | publishing | published by | "
        "press | authors | b v | llc | society | periodicals"
    ),
}
