"""Replies with one true score, or with none that can be told: what they mean is known by how they are made."""

from __future__ import annotations

import random

import pytest

from scholartools.text.reply_score import read_strict

WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
TOP = 5

# Replies whose score is {n}; {m} is another score, {w} and {v} are these in words.
PLAIN = [
    "{n}", "**{n}**", "{n}.0", "Score: {n}", "Rating: **{n}**", "The rating is {n}.", "{n}/5", "{n} out of 5",
    "I would give it a {n}.", "I rate this {n} out of 5 because it is clear.", '{{"score": {n}}}', "Score (1-5): {n}",
    "Rating: {n}\nIt names {m} parts of the problem.", "1. It is clear.\n2. It is new.\n\n**Score**: {n}",
    "Rating: {n}, since two of the claims lack evidence.", "Rating: {n} and a strong paper", "Rating: {n} stars",
    "A {n} seems right: it is clear and specific.", "{n} because the question names its method.", "Final answer: {n}",
    "The question has three parts, one of which is vague. Rating: {n}", "Score: {n} ({w})", "{w} ({n})",
    "Rating: {n}. The one thing that lacks is a data set.", "<think>Is it {m}? Or {v}?</think>\n{n}",
    "<think>\nmaybe {m}\n</think>\n\nRating: {n}", "so {m} or {v} ...</think>Score: {n}", "Rating: {n} (on a scale of 1 to 5)",
    "Rating: {n} (maximum: 5)", "This deserves a {n}.", "Score = {n}", "- {n}", "Overall I'd say {n}, no more words.",
    "[THINK]{m}[/THINK]{n}", "{n} - a clear question", "Rating: {n} for clarity and focus", "Rating: {n} as it is vague",
    "No, {n}", "No. I give it a {n}.", "No major flaw: {n}", "There are no baselines, so {n}", "# {n}", "$ {n} $", "Rating: ${n}$",
    "The question names no method, and for that I give it a {n}.", "If I had to choose, I would say {n}", "> Rating: {n}",
    "no\n{n}", "It is without doubt good: {n}", "If asked, I would say {n}.",
    "<thinking>{m} first</thinking>\n<think>then {v}</think>\nRating: {n}",
]  # fmt: skip

# Replies whose score is none, or is not {n} alone: a number that is read from them is wrong.
OPEN = [
    "{v} to {n}", "{n} or {v}", "{n} ½", "{n}½", "between {v} and {n}", "half of {n}", "{n} ¾", "{v} or {n}", "{n} and a half",
    "between {n} and {v}", "from {v} to {n}", "{n} to {v}", "{n}-{v}", "{n} – {v}", "either {v} or {n}", "halfway to {n}",
    "Score: {v}, though {n} is tempting", "Rating: {n}? No, {v}.", "Score: {n}... actually {v}.", "{n} out of ten",
    "{n} of 7", "{n} out of 10", "on a scale of 0-10, the score is: {n}", "Rating: {n} out of seven", "{n}%", "{n} %",
    "{n} percent", "{n} per cent", "{n}th", "the {n}th", "not {n}", "Rating: not a {n}", "anything but {n}", "no more than {n}",
    "less than {n}", "at most {n}", "{n} at most", "{n} at best", "{n} or more", "{n} or greater", "{n}+", "Rating: {n}-",
    "short of {n}", "{n} is too high", "a {n} would be generous", "{n} isn't right", "{n} would not be fair", "Is it a {n}?",
    "It would have been a {n}.", "{n}, if it had data", "{n} unless the data are new", "instead of {n}", "{n} + {n}",
    "{n} * {n}", "{n}*{n}", "{n} x {n}", "{n}:{n}", "{n}٫{n}", "{n} squared", "twice {n}", "{n} times", "{n} thousand", "‑{n}",
    "GPT‑{n} cannot say", "See section {n}.", "Table {n} is unclear.", "As GPT {n} I have no opinion", "{n} {v} {m}",
    "I found {n} weaknesses.", "It names {n} data sets", "The paper has {n} major flaws.", "Rating: n/a ({n} open points)",
    "Score: none ({n})", "The maximum score is {n}; this gets {v}.", "Previous rating: {n}", "Rating: lowered from {n}",
    "<think>Rating: {n}", "Rating: {n}\n<think>or {m}", "<think>{n} <think>{m}</think>", "Rating: {v} ({n})", "{v} ({n})",
    "near {n}", "three quarters of {n}", "{n} and two thirds", "{n} and three quarters", "two thirds of {n}", "{n} ④",
    "IV or {n}", "{n} 五", "{n}/five or {v}", "Rating: {v} out of {n}", "1. The question is vague.", "Reasons:\n1. It is vague.",
    "no {n}", "No {n}", "NO **{n}**", "no. {n}", "No. {n}", "No.{n}", "There is no {n} here", "Rating: no {n}", "Rating: No. {n}", "no clear {n}",
    "there's no real {n}", "no score of {n}", "No score: {n}", "no rating: {n}", "no way {n}", "without a {n}", "It lacks a {n}",
    "it fails to reach {n}", "unable to give {n}", "If it had data I would say {n}", "If the data were new, it might be a {n}.",
    "either {n}", ">{n}", "It was new.\n>{n}", "${n}", "{n} €", "£{n}", "{n} kg", "№ {n}", "nº {n}", "#{n}",
    "rather than {n}, {v}", "{n}e0", "{n},{m}", "{n}.{m}.{n}", "{n} shy of the best", "neither {n} nor {v}",
]  # fmt: skip


# The same by a number that "@" stands for: words behind it or before it compare, count or take away.
OPEN_WORDS = """
@ points off | @ off | off by @ | @ off the mark | @ points short of perfect | @ short of the maximum | short by @
@ points below the top | @ points below average | @ below the best | @ above the minimum | @ points above the worst
@ out of range | @ is out of range | @ is outside the scale | @ is off the scale | @ away from perfect
@ points away from 10 | @ points from the top | @ from the top | @ less than the maximum | @ fewer than the maximum
@ more than the minimum | @ points lower than its rival | @ points higher than the baseline | @ points deducted
@ points lost | @ points taken off | @ deductions | @ deducted | minus @ | less @ | lose @ points | deduct @ | take off @
subtract @ | @ points subtracted | @ points removed | @ too many | @ too few | @ points too high | @ too low | @ times
@ times better | @ issues | @ problems | @ weaknesses found | @ criteria met | @ of the criteria
@ steps down from the best | @ notches below | @ levels under the top | at least @ | at most @ | more than @ | less than @
over @ | under @ | above @ | below @ | not @ | not a @ | isn't a @ | no @ | nowhere near @ | anything but @ | never @
not quite @ | not quite a @ | almost @ | nearly a @ | up to @ | @ or more | @ or less | @ or higher | @ or lower
@ or above | @ or so | @ at most | @ at least | @ at best | @+ | @ and up | @ percent | @% | @th percentile | @th of 10
@ would be too high | @ would be too generous | @ is too low | @ is wrong | @ is not right | @ is not warranted
@ does not fit | @ cannot be justified | @ if it had data, otherwise none | @ words | @ sentences | @ pages | @ minutes
@ reviewers | @ stars short | a step below @ | one below @ | one point less than @ | half a point over @ | beyond @
between a @ | past @ | @ behind the leader | @ ahead of the rest | @ points ahead | @ points behind | @ missing points
@ points missing | @ points are missing | @ points were deducted | @ penalty points | penalty: @ | Deduction: @
I deduct @ points | Rating: @ points off | Rating: @ short of the top | Score: @ below maximum
Score: @ points less than the maximum | **Score:** @ off | Score: not @ | Score: below @ | Score: above @
Score: at least @ | Score: @ or more | Score: @ percent | Score: @ points deducted | Score: minus @ | @ to go | @ left
@ remaining | @ points remain | @ points worse | @ worse than the best | @ better than the worst | @ points better
@ greater than nothing | @ degrees below the best | @ units below the top | @ marks lower | @ marks off | @ marks down
@ down from the top | @ up from the bottom | @ shy of the top | @ points shy | @ under par | @ over par
@ removed from the top | @ of them | @ such claims | @ examples | Question @ | Item @ | Criterion @ | Step @ | version @
@ out of bounds | @ is beyond the scale | @ exceeds the scale | @ isn't on the scale | @ is not on the scale
@ is not allowed | @ is invalid | five points off | five short of the best | @ pts off | @ pts below the max | @pts off
@-point deduction | @ point drop | a @ point drop | @ point penalty | drop of @ | loss of @ | @ standard deviations
@ sigma | @ votes | @ against | @ in favour | Confidence: @ | My confidence is @ | confidence @ | Certainty: @
Number of issues: @ | Issues: @ | Weaknesses found: @ | Total issues: @ | Count: @ | Errors: @ | Year: @ | Word count: @
Length: @ | @ percent sure | @ Points Off | @ POINTS BELOW | **@** points off | "@" points off | @ *points* off
@ points **below** the top | @  points  off | @\tpoints off | (@) points short | [@] below par | @ points\u00a0off
@\u00a0points off | @ – points off | @ -- off by one | @ more | @ extra | @ full points too high | @ whole points off
@ points too generous | @ entire points below | @ good reasons | @ clear faults | @ open | @ lines | @ points de moins
a deduction of @ | my deduction: @ | the penalty is @ | score reduced by @ | score drops by @ | I lowered it by @
I knocked off @ | docked @ points | missing @ | missing: @ points | lacks @ | needs @ | needs @ more | requires @
would need @ | target: @ | baseline: @ | maximum: @ | threshold is @ | previous: @ | before: @ | average: @ | mean @
around @ | about @ | roughly @ | approximately @ | circa @ | @ish | @-ish | @ ish | @ roughly | @ approximately
@ give or take | @ plus or minus one | @ and change | @ and counting | @ ± 1 | @ (off by one) | @ (wrong)
@ (out of range) | @ (too high) | @? | @?!
"""
PLAIN_WORDS = r"""
@ | @. | @ points | @ points. | Score: @ | Rating: @ | Rating: @ points | **Rating:** @ | **@** | I give it a @
I give this a @. | I rate this @ | My rating is @. | The score is @ | It deserves a @ | a @ | @ stars | @ (good)
@ - good | @: good | @ pts | "@" | {"score": @} | Score=@ | Final score: @ | Overall: @ | @, because it is clear
@ because it is clear | @ points because it is clear | @. The text is off topic. | @ – solid work | Answer: @ | [@] | (@)
`@` | <score>@</score> | \\boxed{@} | @ on the scale | I would say @ | I'd give it @ points | @ seems right | @ is right
@ is appropriate | Score: @. Two points off for style. | @, which is short of perfect | @ overall | @ point
Score: @ point | @ star | @ point because it is vague | @ mark | <score>@</score> | <rating>@</rating>
<answer>@</answer> | <b>@</b> | @ I think | @ in my view | @ overall | @ Reason: it is vague | @ Explanation: bad
Rating: @ Strengths: clear | @ based on the abstract | @ due to vagueness | @ The paper is vague
Rating: **@** The paper is vague | **Rating**: @ – it is off topic | Rating: @, off topic | @ since it is short of data
@ as the paper falls short | Novelty: @ | Score: @ (poor) | @ (very low) | @ for originality | @ on novelty | @ stars
"""


def _templates(words: str) -> list[str]:
    made = [part.strip() for line in words.strip().split("\n") for part in line.split(" | ")]
    return [part.replace("{", "{{").replace("}", "}}").replace("@", "{n}") for part in made]


OPEN += _templates(OPEN_WORDS)
PLAIN += _templates(PLAIN_WORDS)


def reply(template, chance):
    n, m = chance.sample(range(1, TOP + 1), 2)
    decorate = chance.choice(["{}", "{}", "{}\n", " {} ", "I read the question.\n{}", "{}\n\nThat is all."])
    made = decorate.format(template.format(n=n, m=m, w=WORDS[n], v=chance.choice([WORDS[m], WORDS[m].title()])))
    return made, n


@pytest.mark.parametrize("seed", range(20))
def test_plain_replies_are_read_and_where_they_say_it(seed):
    chance = random.Random(seed)
    for template in PLAIN:
        text, n = reply(template, chance)
        found = read_strict(text, 1, TOP)
        assert found.value == n, (text, found)
        assert {float(text[start:end]) for start, end in found.places} == {n}, text


@pytest.mark.parametrize("seed", range(20))
def test_replies_that_leave_their_score_open_are_never_read(seed):
    chance = random.Random(seed)
    for template in OPEN:
        text, n = reply(template, chance)
        if template in ("Rating: {v} out of {n}", "The maximum score is {n}; this gets {v}.") and n == TOP:
            continue  # then the highest is named as such
        assert read_strict(text, 1, TOP).value is None, (text, read_strict(text, 1, TOP))


@pytest.mark.parametrize("text", ["80 percent", "Score: 80 percent"])
def test_percents_are_scores_of_a_scale_to_100(text):
    assert read_strict(text, 0, 100).value == 80 and read_strict(text, 1, 90).value is None


def test_a_minus_apart_from_its_number_leaves_its_sign_open():
    assert read_strict("Score: - 3", -5, 5).value is None and read_strict("Score: -3", -5, 5).value == -3


def test_the_number_of_the_highest_score_is_no_score():
    for text in ("three out of 5", "The maximum is 5.", "The rating is out of 5.", "on a scale of 5"):
        assert read_strict(text, 1, 5).value is None, text
    assert read_strict("2 (maximum: 2)", 0, 2).value == 2 and read_strict("2 (maximum: 2)", 0, 3).value is None
    assert read_strict("4 out of five", 1, 5).value == 4


# What is said with doubt, or of something else: each of these words in each place.
DOUBTS = """
maybe | perhaps | possibly | probably | Maybe | PERHAPS | presumably | I guess | I'd guess | my guess is | I suppose
it might be | it could be | it may be | could be | I might say | I am leaning towards | leaning to | I lean to
tempted to say | somewhere around | something like | most likely | unsure, | Hard to say, but | hard to say:
No idea: | a wild guess: | Just a guess: | best guess: | I'm not sure, maybe | tentatively | provisionally | roughly
"""
BEFORE = """
~ @ | ~ a @ | ~ it deserves a @ | Score: ~ @ | Rating: ~ a @ | **~** @ | ~ **@** | ~ this is a @ | I read it. ~ @.
~ I would give it a @
"""
DOUBTS_BEHIND = """
maybe | perhaps | I guess | I suppose | probably | just a guess | but I am not sure | not sure | though I'm unsure
low confidence | with low confidence | my best guess | hard to say | possibly | no idea
"""
BEHIND = """
@, ~ | @ ~ | @ (~) | Score: @, ~ | Rating: @ (~) | **@** – ~ | @, ~.
"""
OTHERS = """
others | most reviewers | another model | the authors | a colleague | most people | human raters | experts
some readers | you | they | the first reviewer | everyone | GPT
"""
GIVE = """
gave | gave it | said | would give | rated it | would say | claim | give it a | asked for | wanted | scored it
expected | suggested
"""
NORMS = """
typical is @ | the typical score is @ | a typical paper gets @ | the usual score is @ | usually it is @
the norm is @ | the default is @ | a perfect question would be @ | an ideal question gets a @ | most papers get @
normal is @ | the expected value is @ | the median is @ | Typical: @ | Typical score: @ | Default:  @ | Example: @
e.g. @ | for example @ | such as @ | The example rating is @ | Human score: @ | Reviewer's score: @ | Your score: @
Other rating: @ | Expected rating: @ | Average score: @ | Ideal score = @ | Reference rating: @ | Rough score: @
Guessed rating: @ | @ is typical | @ is the norm | @ is the usual score | @ is what others gave
@ is reserved for the best | @ is for perfect papers | @ is the default | @ is the average | @ would be the maximum
A @ is the highest score | @ is given to flawless work | @ is what most people would say | @ is the top score
a @ is meant for outstanding work | @ is usually awarded to better work
"""
# The same words where the score is plain.
PLAIN_BESIDE = r"""
Score: @. Perhaps more data would help. | Rating: @\nMaybe add a figure. | @. The authors may lack data.
@, because the typical baselines are missing | Score: @ (typical of this venue) | The paper could use more data, so @.
The claim might be wrong. @ | @: others did the same before | @ because others did this before
Most of it is clear, so I give @. | The authors claim a lot; I give it a @. | @ - the authors could say more
@ since it may be hard to reproduce | It is probably too long. Score: @ | @, as the method is perhaps incremental
Possible improvements: more data. Rating: @ | I think it is a @ | I believe @ | My score is @
Many readers will like it. @ | Some parts are unclear, others good: @
The question is hard to answer, which is good. @ | Rating: @ – could be better | @ (could be clearer)
@; might be useful | Reviewers may disagree, but I give it a @ | You asked for a score. @
The standard methods are used. @ | The average score is not reported. Rating: @
The authors gave no data. I give it @. | They gave good reasons, so @ | I am confident: @ | I am sure that it is a @
Certainly a @ | definitely @ | clearly @ | @, I am sure | @, with high confidence | The score would be @
My rating would be a @ | It should be a @ | @ is fair | A @ is fair | @ is my score | @ is the score I give
@ is what I would give it | I would go with @ | I'll say @ | Let me give it a @ | It gets a @ | this gets @
This paper gets a @ | The paper deserves a @ | the question merits a @ | It's a @ | That makes @ | I settle on @
Final: @ | Overall @ | Overall, a @ | in sum @ | @\n\nThe question is possibly too broad.
@\nProbably the authors know this. | Score: @\nThe typical question of this kind is vaguer.
Rating: @, though others may differ | @, though others may differ | Final rating: @. Other reviewers may differ.
The human rating is not known. Score: @ | As an expert I give it a @ | As a reviewer I give it @
For most readers it is clear: @ | @ for a perfect idea | @ for most readers will follow it | An excellent question: @
A perfect question. @ | Excellent! @ | A typical question; @ | An ideal question: @ | @ is the right score
@ seems fair to me | A solid @ | a clear @ | a strong @ | a weak @ | a high @ | I rate it @ | I'd rate this @
Given the above, @ | Based on this, I assign @ | I score it @ | Specificity: @ | Novelty = @ | My assessment: @
Assessment: @ | Grade: @ | I conclude with @ | @ – uncertain results, but clear | @ for its uncertain premise
@. It is unclear who gains. | unclear premises; @ | The question is unclear. @ | The aim is unclear; I give it a @
It is hard to judge its novelty. I give it a @. | The authors suggest a new method, and it is a @
"""
# Sentences with these words that may stand beside a score.
BESIDE = """
The method is possibly too slow. | Perhaps the authors overlooked this. | It may be hard to reproduce.
Others have shown this before. | Most readers will follow it. | Typical baselines are missing.
I am not an expert in this field. | The idea is probably new. | The claims could be stronger.
The text is hard to judge in parts. | Reviewers might ask for more data. | The default settings are used.
The authors say that it works. | The expected gain is small. | An average reader will like it.
I suppose the data are public. | I guess the authors are students. | The results are unclear.
Maybe it can be shortened. | The norm is not stated. | It could be clearer. | Their score is not given.
They gave no reasons. | Many papers do this. | The aim seems likely to be reached. | The sample is random.
It is what others call a survey. | Usually this is done by hand.
"""


def _parts(words: str) -> list[str]:
    return [part for line in words.strip().split("\n") for part in line.split(" | ")]


DOUBTED = [
    *(place.replace("~", doubt) for doubt in _parts(DOUBTS) for place in _parts(BEFORE)),
    *(place.replace("~", doubt) for doubt in _parts(DOUBTS_BEHIND) for place in _parts(BEHIND)),
    *(f"{who} {gave} @" for who in _parts(OTHERS) for gave in _parts(GIVE)),
    *_parts(NORMS),
]


@pytest.mark.parametrize("score", [2, 4])
def test_scores_said_with_doubt_or_of_something_else_are_never_read(score):
    read = [text for text in (one.replace("@", str(score)) for one in DOUBTED) if read_strict(text, 1, TOP).value]
    assert not read


@pytest.mark.parametrize("score", range(2, TOP + 1))  # "1. It is" begins a list
def test_words_of_doubt_in_another_clause_cost_no_plain_score(score):
    replies = [one.replace("@", str(score)).replace("\\n", "\n") for one in _parts(PLAIN_BESIDE)]
    assert not [text for text in replies if read_strict(text, 1, TOP).value != score]


@pytest.mark.parametrize("seed", range(3))
def test_words_of_doubt_in_another_sentence_cost_no_plain_score(seed):
    chance = random.Random(seed)
    for template in [*PLAIN, *_parts(PLAIN_BESIDE)]:
        text, n = reply(template, chance) if template in PLAIN else (template.replace("@", "3").replace("\\n", "\n"), 3)
        if "hink" in text or "THINK" in text or "score" in text.lower():
            continue
        beside, form = chance.choice(_parts(BESIDE)), chance.choice(["{s}\n{c}", "{c}\n\n{s}", "{s} {c}"])
        whole = form.format(s=beside, c=text)
        if "score" not in beside:
            assert read_strict(whole, 1, TOP).value == n, whole


ROMAN = ["", "I", "II", "III", "IV", "V"]
# A second value in another notation than {n}, or a number that is part of {n}: {r} is another score in Roman numerals.
SECOND = """
{n} (or {r}) | Rating: {n} (or {r}) | {n} or {r} | {r} or {n} | {n} to {r} | {r} to {n} | {n}/{r} | {n} – {r} | {r}–{n} | {n}, or {r}
{n}, maybe {r} | {n} (perhaps {r}) | **{n}** or **{r}** | Score: {r} or {n} | {n} or a {r} | {n} or even {r} | {n} → {r} | {n} ~ {r}
{n} ({d}) | {d}, {n} | {d} {n} | Rating: {d} {n} | twenty {n} | twenty-{n} | forty {n} | ninety {n} | a dozen, {n} | dozens, {n}
"""
# What it was before, what becomes of it, what forces it, and what it is of.
CHANGED = """
was {n} | Was a {n} | used to be {n} | it used to be a {n} | initially {n} | Initially, {n} | originally it was {n} | at first {n}
once {n} | started at {n} | {n}, then lower | {n}, but then lower | {n}, later {w} | {n}; then {v} | {n} then {v} | {n}, now lower
{n} but now higher | {n}, afterwards reduced | {n} before, lower now | {n} (before) | {n} earlier | {n} previously. | {n}, then changed
if pressed {n} | If pressed, {n} | if forced, I would say {n} | if pushed: {n} | when pressed, {n} | if I am pressed, {n}
if really pressed, a {n} | unless it improves, {n} | Unless the data are new, I say {n} | {n} is the threshold for acceptance
{n} is the cut-off | {n} is a borderline | {n} is the passing score | reference [{n}] | Ref. [{n}] | see [{n}] | cite [{n}] | eq. ({n})
"""
BESIDE_OTHERS = r"""
{n} ({s}) | {s} ({n}) | {n}, i.e. {s} | World War II is well covered: {n} | Type II errors are counted. {n} | Phase III trials. Rating: {n}
I give {n} | I say {n} | I: {n} | {n}. I would accept it. | {n} - I like it | {n}, I think | If asked, {n} | If I had to choose, {n}
The authors then say more. {n} | It was clear. {n} | The aim was clear: {n} | Now to the score: {n} | Rating: {n}\nNow it could be higher.
Rating: {n}. Before, it was lower. | Rating: {n} since the data were seen once | It is a {n} | [{n}] | {n}! | {n}... | It was fun; {n}
Dozens of papers do this. Rating: {n} | Twenty people were asked. Rating: {n} | {n} – X-ray data are missing
"""


@pytest.mark.parametrize("n", range(1, TOP + 1))
def test_a_second_value_in_another_notation_leaves_the_score_open(n):
    for m in range(1, TOP + 1):
        if m != n:
            words = {"n": n, "r": ROMAN[m], "d": "ⅠⅡⅢⅣⅤ"[m - 1], "v": WORDS[m], "w": WORDS[m]}
            replies = [template.format(**words) for template in _parts(SECOND + CHANGED.strip("\n"))]
            assert [text for text in replies if read_strict(text, 1, TOP).value is not None] == []


@pytest.mark.parametrize("n", range(2, TOP + 1))
def test_the_same_value_in_another_notation_and_words_alike_cost_no_plain_score(n):
    replies = [template.format(n=n, s=ROMAN[n]).replace("\\n", "\n") for template in _parts(BESIDE_OTHERS)]
    assert [text for text in replies if read_strict(text, 1, TOP).value != n] == []


# Words before and behind a number that change it, in other languages: a German who reads "nicht 4" does not read 4.
ABROAD = """
nicht 4 | Bewertung: nicht 4 | Note: unter 4 | weniger als 4 | mindestens 4 | höchstens 4 | fast 4 | ungefähr 4 | ca. 4 | drei bis 4
zwischen drei und 4 | Vielleicht 4 | vielleicht eine 4 | 4 Prozent | 4 Punkte Abzug | Ich ziehe 4 Punkte ab | halb 4 | keine 4
4, wenn die Daten da wären | 4 (vielleicht) | 4 – höchstens | pas 4 | ce n'est pas 4 | Note : pas 4 | moins de 4 | plus de 4 | au moins 4
presque 4 | environ 4 | trois ou 4 | entre trois et 4 | peut-être 4 | jamais 4 | trois à 4 | 4 (environ) | no es 4 | menos de 4 | más de 4
al menos 4 | como máximo 4 | casi 4 | tres o 4 | quizás 4 | tal vez 4 | nunca 4 | Puntuación: menos de 4 | 4 (quizás) | non 4 | meno di 4
più di 4 | quasi 4 | tre o 4 | forse 4 | não 4 | quase 4 | talvez 4 | niet 4 | minder dan 4 | bijna 4 | misschien 4 | не 4 | меньше 4
почти 4 | около 4 | три или 4 | от трёх до 4 | минус 4 | 4 (возможно) | 不是 4 | 少于 4 | 4 左右 | 4 以上 | 4 (たぶん) | それは 4 未満
nie 4 | prawie 4 | mniej niż 4 | değil 4 | neredeyse 4 | ikke 4 | inte 4 | ei 4 | nem 4 | không 4 | bukan 4
"""
LABELS_ABROAD = r"""
Bewertung: 4 | Note: 4 | Note : 4 | Puntuación: 4 | 评分：4 | 得分: 4 | 評価: 4 | Оценка: 4 | Valutazione: 4 | Pontuação: 4 | Beoordeling: 4
Die Frage ist klar.\n4 | La question est vague.\n\n**4** | Gesamtnote: **4**
"""
# Other numbers of a reply: in JSON, in tables and beside labels.
OTHER_LABELS = """
{"max_score": @} | {"min_score": @} | {"previous_score": @} | {"score_range": @} | {"score_weight": @} | {"weight": @} | {"rank": @} | {"id": @}
{"n_flaws": @} | {"errors": @} | {"index": @, "text": "none"} | {"max": @} | score_threshold: @ | avg_score = @ | max-score: @ | score_sd = @
number_of_ratings: @ | Rank: @ | Weight: @ | Votes: @ | Tokens: @ | Items: @ | Pages: @ | Range: @ | Difference: @ | SD = @ | n = @ | k=@
Thought: @ | Draft: @ | § @ | §@ | Score^@ | ×@ | @ Weaknesses | @ Major Flaws | @ April | @ a.m. | ◁think▷@◁/think▷
"""
OWN_LABELS = r"""
{"score": @} | {"rating": "@"} | {"novelty": @} | {"final_score": @} | [{"score": @}] | score: @\nreason: "vague" | Novelty = @
Here is the JSON:\n{"score": @, "explanation": "clear"}\nHope this helps! | ◁think▷1◁/think▷@ | Rating: @ Weaknesses: none | @ Reason: vague
"""


def test_words_of_other_languages_that_change_a_number_leave_the_score_open():
    assert [text for text in _parts(ABROAD) if read_strict(text, 1, TOP).value is not None] == []


def test_a_number_behind_a_label_or_alone_is_read_in_every_language():
    replies = [text.replace("\\n", "\n") for text in _parts(LABELS_ABROAD)]
    assert [text for text in replies if read_strict(text, 1, TOP).value != 4] == []


def test_a_number_with_the_label_of_another_one_is_no_score():
    for score in "234":
        assert [text for text in _parts(OTHER_LABELS.replace("@", score)) if read_strict(text, 1, TOP).value] == []
        replies = [text.replace("\\n", "\n") for text in _parts(OWN_LABELS.replace("@", score))]
        assert [text for text in replies if read_strict(text, 1, TOP).value != int(score)] == []
