"""Find implicit limitations of a paper: passages with a keyword, sentences that admit a limitation, and noise.

A keyword starts a passage, which includes its continuation. Other sentences are accepted by their likelihood of stating
a limitation (``likelihood.py``), with a lower threshold if a rule finds an admission.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from scholartools.errors import UsageFault
from scholartools.tasks.limits import paper_cues
from scholartools.tasks.limits.headings import is_heading
from scholartools.tasks.limits.likelihood import limitation_log_odds, telling_words
from scholartools.tasks.limits.passages import (
    Block,
    Noise,
    Place,
    announces_list,
    announces_several,
    opens_item,
    sentence_places,
)

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Section

Reach = Literal["paragraph", "section", "paper"]


def _any_of(patterns: Sequence[str]) -> re.Pattern[str]:
    """Case-insensitive union of patterns, in which "n't" matches wherever "not" follows a verb.

    Patterns start with a word and are only tried at starts of words, which takes a third of the time.
    """
    joined = "|".join(patterns).replace(r"can\s+not", r"can\s+not|can['\u2019]t")
    return re.compile(r"(?i)\b(?=\w)(?:" + joined.replace(r")\s+not", r")(?:\s+not|n['\u2019]t)") + ")")


_OWN = re.compile(rf"(?i){paper_cues.OWN}")
_OWN_SUBJECT = re.compile(rf"(?i){paper_cues.OWN_SUBJECT}")
_REPORTING = re.compile(rf"(?i){paper_cues.REPORTING}")
_REPORTED = re.compile(rf"(?i){paper_cues.REPORTED}")
_FINDING = re.compile(rf"(?i){paper_cues.FINDING}")
_CONTRAST = re.compile(rf"(?i){paper_cues.CONTRAST}")
_NOVEL = re.compile(rf"(?i){paper_cues.NOVEL}")
_OTHERS = re.compile(
    rf"(?i)\b(?:{paper_cues.OTHERS}\b|(?:some|many|several)\s+(?:authors|researchers|scholars|studies)\b)"
)
_CITED = re.compile(paper_cues.CITED)
_PRESENTED = re.compile(paper_cues.PRESENTED)
_SUBJECT = re.compile(paper_cues.SUBJECT)
_CONDITION = re.compile(
    r"(?i)\W*(?:if|when|where|unless|suppose)\b(?!\s+(?:this|these|the|our)\s+assumption)[^,;]*[,;]"
)
_ADMITTED = _any_of(paper_cues.PLAIN_ADMISSIONS)
_ADMITTED_OWN = _any_of((*paper_cues.PLAIN_ADMISSIONS, *paper_cues.ADMISSIONS))
_DISCUSSED = _any_of((*paper_cues.PHRASES, *paper_cues.PLAIN_ADMISSIONS, *paper_cues.CONCESSIONS))
_DISCUSSED_OWN = _any_of(
    (
        *paper_cues.PHRASES,
        *paper_cues.PLAIN_ADMISSIONS,
        *paper_cues.CONCESSIONS,
        *paper_cues.ADMISSIONS,
        *paper_cues.OWN_CONCESSIONS,
    )
)
_PAST = re.compile(r"(?i)\b(?:was|were|could\s*not|couldn['\u2019]t)\b")
_KEPT_OUT = re.compile(rf"(?i){paper_cues.KEPT_OUT}")
_TURN = re.compile(rf"(?i)\W*{paper_cues.TURN}")
_FOLLOW = re.compile(rf"(?i)\W*(?:(?:and|but|however),?\s+)?{paper_cues.FOLLOW}")

# Context in characters on each side of a keyword for the rules of paper_cues.NOISE.
_WINDOW = 300

# Minimum distance in characters of two phrases in separate clauses.
_CLAUSE = 12

# Minimum words of a sentence that can admit a limitation ("Unfortunately we do." cannot).
_FEWEST_WORDS = 4

# In thousandths of log odds: threshold for a sentence where authors discuss their work, and bonus if a rule matches.
_LEAST, _BY_RULE = 1000, 2500

# Outside a discussion a rule must match, and the threshold is higher. There rules only match sentences about the
# paper's own work, or about what was not done: of 22 other sentences, on 84 papers not used to write the rules, 1
# stated a limitation. Of the three sentences with the highest log odds without a rule, on 152 papers, none did.
_ELSEWHERE = 500

# Threshold for continuations of a keyword; and bonus within this many sentences after a keyword in a discussion.
_LEAST_GOING_ON, _NEAR, _BY_KEYWORD = -1500, 9, 2000

# Minimum words of a sentence for the classifier; shorter ones are decided by rules.
_WEIGHABLE = 15

# Number of sentences that may follow one that names a limitation, and one that announces several.
_FEW, _MANY = 2, 1000

# Minimum number of sentences that start with a name.
_SUBJECTS = 3


class Search(NamedTuple):
    """Parameters of the search in a paper: keywords, and names of the paper's own work.

    ``must_name_own``: in sections on other topics, a keyword must refer to the paper's own work.
    """

    cue: re.Pattern[str] | None
    reach: Reach
    has_phrases: bool
    own: re.Pattern[str]
    must_name_own: bool = False


def implicit_passages(
    text: str, places: list[Place], search: Search, is_discussing: bool
) -> tuple[list[Block], list[Noise]]:
    """Implicit passages in the paragraphs, and noise."""
    passages: list[Block] = []
    noise: list[Noise] = []
    lead: int | None = None
    for place in places:
        if lead is not None and opens_item(text, *place):
            passages.append(passages[lead]._replace(start=place[0], end=place[1]))
            continue
        lead = None
        if is_heading(text, *place):
            continue
        made, dropped = _passages_of_paragraph(text, place, search, is_discussing)
        if made and made[-1].end == place[1] and announces_list(text, made[-1]):
            lead = len(passages) + len(made) - 1
        passages += made
        noise += dropped
    return passages, noise


def _passages_of_paragraph(
    text: str, place: Place, search: Search, is_discussing: bool
) -> tuple[list[Block], list[Noise]]:
    """Implicit passages in a paragraph, and noise.

    A keyword starts a passage, which ends with the paragraph, at noise, or at a sentence that changes the topic;
    outside a discussion, or if the keyword announces no list, after a few sentences, except for items of the announced
    list and continuations. A sentence that is likely to state a limitation also forms a passage. Adjacent ones are
    joined.
    """
    passages: list[Block] = []
    noise: list[Noise] = []
    is_open = is_next = False
    plain = listed = 0
    since = _NEAR
    sentences = sentence_places(text, *place)
    for number, (start, end) in enumerate(sentences):
        sentence = text[start:end]
        word = _find_keyword(text, start, end, search)
        said = _find_admission(sentence, search, is_discussing)
        reason = _noise_reason(text, start, end, word, search, not is_discussing and not is_open) if word else None
        if word and reason and not (said and _is_apart(word, start, said)):
            noise.append(Noise(start, end, reason))
            is_open = is_next = False
            continue
        opens = word is not None and reason is None
        listed = _last_item(text, sentences[number:]) if opens else listed
        is_any = start <= listed or (is_discussing and plain > 0)
        goes_on = is_open and _continues_passage(text, start, end, is_any)
        plain = _max_sentences(sentence) if opens else plain - (not said)
        least = _least_odds(is_discussing, said is not None, since < _NEAR)
        since = 0 if opens else since + 1
        may = said is not None or is_discussing
        is_likely = may and _is_likely(sentence, least, search, otherwise=said is not None)
        goes_on = goes_on and (start <= listed or is_likely or _is_likely(sentence, _LEAST_GOING_ON, search))
        is_taken = opens or goes_on or is_likely
        if is_taken and is_next:
            passages[-1] = passages[-1]._replace(end=end)
        elif is_taken:
            passages.append(Block(start, end, None, _cue_of(sentence, word if opens else said)))
        is_open = opens or goes_on
        is_next = is_taken
    return passages, noise


def _least_odds(is_discussing: bool, is_ruled: bool, is_near: bool) -> int:
    """Threshold of the log odds of a sentence, by section, matching rules, and nearby keywords."""
    if is_discussing:
        return _LEAST - _BY_RULE * is_ruled - _BY_KEYWORD * is_near
    return _LEAST + _ELSEWHERE - _BY_RULE


def _find_keyword(text: str, start: int, end: int, search: Search) -> re.Match[str] | None:
    """The keyword of a sentence, if it counts in this section."""
    word = search.cue.search(text, start, end) if search.cue else None
    if word and search.must_name_own and not _cue_rule(paper_cues.OWN_CUE, word.re).search(text, start, end):
        return None
    return word


def _last_item(text: str, places: Sequence[Place]) -> int:
    """Start of the last item of a list that the first sentence announces and the second starts; 0: no list."""
    if not announces_several(text[slice(*places[0])]) or not any(opens_item(text, *place) for place in places[1:2]):
        return 0
    return max(place[0] for place in places[1:] if opens_item(text, *place))


def _is_likely(sentence: str, least: int, search: Search, otherwise: bool = True) -> bool:
    """Whether a sentence reaches a threshold of log odds; ``otherwise`` is returned if it is too short."""
    if not search.has_phrases or len(sentence.split()) < _WEIGHABLE:
        return otherwise
    return limitation_log_odds(sentence) >= least


def _cue_of(sentence: str, found: re.Match[str] | None) -> str:
    return found.group() if found else telling_words(sentence)


def _max_sentences(sentence: str) -> int:
    """How many sentences may follow one with a keyword: unlimited if it announces several limitations."""
    return _MANY if announces_several(sentence) else _FEW


def _continues_passage(text: str, start: int, end: int, is_any: bool) -> bool:
    if _TURN.match(text, start, end):
        return False
    return is_any or _FOLLOW.match(text, start, end) is not None


def _is_apart(word: re.Match[str], start: int, said: re.Match[str]) -> bool:
    """Whether the admission in a sentence is in another clause than the keyword."""
    gap = max(start + said.start() - word.end(), word.start() - start - said.end())
    return gap >= _CLAUSE


def _find_admission(sentence: str, search: Search, is_discussing: bool) -> re.Match[str] | None:
    """Phrase that admits a limitation of the paper's own work in a sentence without a keyword."""
    if not search.has_phrases or sentence.endswith(("?", ":")) or len(sentence.split()) < _FEWEST_WORDS:
        return None
    if _KEPT_OUT.search(sentence) or _NOVEL.search(sentence):
        return None
    stated = sentence if is_discussing else _REPORTING.sub("", sentence)
    is_cited = _CITED.search(sentence) is not None
    is_own = _OWN.search(stated) is not None or (search.own.search(stated) is not None and not is_cited)
    if not is_own and (is_cited or _OTHERS.search(sentence)):
        return None
    is_own = is_own or _OWN_SUBJECT.match(sentence) is not None
    if is_own:
        admits = _DISCUSSED_OWN if is_discussing else _ADMITTED_OWN
    else:
        admits = _DISCUSSED if is_discussing else _ADMITTED
    condition = _CONDITION.match(sentence)
    said = admits.search(sentence, condition.end() if condition else 0)
    if said is None or any(turned.search(sentence, 0, said.start()) for turned in (_CONTRAST, _REPORTED)):
        return None
    return said if is_discussing or is_own or _PAST.search(said.group()) else None


def own_names(title: str, sections: Sequence[Section]) -> re.Pattern[str]:
    """Pattern of the names that a paper gives to its own work.

    Names come before a colon in the title, or where the paper introduces them; also the name-like word that starts most
    sentences.
    """
    head = re.match(r"\s*([\w-]{2,24})\s*[:\u2013\u2014]\s", title)
    names = {head[1]} if head else set()
    subjects: Counter[str] = Counter()
    for section in sections:
        if section["role"] in paper_cues.OPENING:
            names |= {found[1] for found in _PRESENTED.finditer(section["text"])}
        if section["role"] not in paper_cues.NO_EXPLICIT:
            subjects.update(_SUBJECT.findall(section["text"]))
    names |= {name for name, count in subjects.most_common(1) if count >= _SUBJECTS}
    return re.compile(rf"(?i)(?<!\w)(?:{'|'.join(map(re.escape, sorted(names)))})(?!\w)" if names else r"(?!)")


def check_keywords(keywords: Sequence[str]) -> None:
    """Raise an exception for keywords that cannot be searched for.

    Raises:
        UsageFault: a keyword has neither letter nor digit, or the list is empty.
    """
    if bad := [keyword for keyword in keywords or [""] if not re.search(r"\w", keyword)]:
        raise UsageFault(f'"{bad[0]}" has no letter', parameter="keywords")


@functools.lru_cache(maxsize=8)
def cue_pattern(keywords: tuple[str, ...]) -> re.Pattern[str] | None:
    """Pattern of the keywords, singular or plural; None without keywords."""
    if not keywords:
        return None
    check_keywords(keywords)
    forms = (r"\s+".join(re.escape(word) for word in keyword.split()) for keyword in keywords)
    return re.compile(rf"(?i)(?<!\w)(?:{'|'.join(forms)})(?:e?s)?(?!\w)")


@functools.lru_cache(maxsize=8)
def _noise_rules(cue: re.Pattern[str]) -> list[tuple[str | None, re.Pattern[str]]]:
    return [(reason, _cue_rule(rule, cue)) for reason, rule in paper_cues.NOISE]


@functools.lru_cache(maxsize=64)
def _cue_rule(rule: str, cue: re.Pattern[str]) -> re.Pattern[str]:
    """Compile a rule of ``paper_cues`` for a pattern of keywords."""
    return re.compile("(?i)" + rule.replace("CUE", cue.pattern.removeprefix("(?i)")))


def _noise_reason(
    text: str,
    start: int,
    end: int,
    word: re.Match[str],
    search: Search,
    must_own: bool,
) -> str | None:
    """Why a sentence with a keyword is noise; None if it is a limitation."""
    around = text[max(start, word.start() - _WINDOW) : min(end, word.end() + _WINDOW)]
    verdict = next((reason for reason, rule in _noise_rules(word.re) if rule.search(around)), None)
    own = (_OWN, search.own, _cue_rule(paper_cues.OWN_METHOD_CUE, word.re))
    if verdict is None and must_own and not any(names.search(around) for names in own):
        return "outside a discussion, it does not name the paper's own work"
    if verdict is None and _FINDING.search(around) and not _OWN.search(_FINDING.sub("", around)):
        return "it reports limitations as a finding"
    return verdict
