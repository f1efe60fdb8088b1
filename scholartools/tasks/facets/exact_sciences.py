"""Restrict sentences in abstracts of physics and mathematics by phrases for aims, findings and conclusions.

The network was mainly trained on other fields, where "we study" opens methods as often as aims, and has seen few
conclusions of such abstracts. In texts of these fields, sentences with one of the phrases below are restricted to the
label that they had in the training part of ``fixtures/facet-abstracts.jsonl``: aims in 101 of 113 such sentences,
findings in 262 of 265, conclusions in 40 of 47.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from scholartools.tasks.facets import cues as tables
from scholartools.tasks.facets.facet_sets import LABELS
from scholartools.tasks.facets.headings import ANY, Allowed

if TYPE_CHECKING:
    from scholartools.tasks.facets.features import Texts

_FIELDS = [list(tables.CUES).index(name) - len(tables.CUES) for name in ("physics", "mathematics")]
_PEOPLE = list(tables.CUES).index("people") - len(tables.CUES)
# A text belongs to these fields if it mentions no people, and has a formula or enough words of the fields: this many
# per sentence, and at least two.
_SHARE, _FEWEST = 0.7, 2

_AIM, _FINDING, _CONCLUSION = ((LABELS.index(label),) for label in ("background", "result", "conclusion"))
_AIM_PLACES = 2
_CONCLUSION_PLACES = 2

# For lower-cased text, which is faster than case-insensitive patterns.
_STUDY = re.compile(
    r"^\W*(?:(?:here|in\s+(?:this|the\s+present)\s+(?:paper|work|article|note|study|letter|review)|motivated\s+by\b[^,]*),?\s+)?"
    r"(?:i|we)\s+(?:also\s+)?(?:study|investigate|consider|discuss|examine|explore|analy[sz]e|address|review|revisit|treat"
    r"|are\s+(?:interested|concerned))\b"
)
_IS_STUDIED = re.compile(
    r"\b(?:is|are|was|were|has\s+been|have\s+been)\s+(?:theoretically\s+|systematically\s+)?(?:studied|investigated"
    r"|considered|discussed|examined|reviewed|analy[sz]ed|presented)\s*(?:\.|$|in\s|for\s|at\s|on\s|under\s)"
)
_BY_MEANS = re.compile(r"\b(?:by|using|via|with|through|from|numerically|experimentally)\b")
_AND_HOW = re.compile(r"\b(?:using|by\s+means|via|numerically|monte\s+carlo|simulations?|we\s+(?:show|find|prove))\b")
_SHOW = re.compile(
    r"\b(?:we|i)\s+(?:(?:also|then|further|shall|first|thus)\s+)*(?:show|find|found|prove|point\s+out|observed?"
    r"|establish|demonstrate|confirm|detect(?:ed)?|verify)\b(?!\s+how)"
    r"|\bit\s+(?:is|was|has\s+been)\s+(?:also\s+|thus\s+)?(?:shown|found|proved|proven|observed|demonstrated|established)\b"
    r"|\b(?:is|are|was|were)\s+(?:also\s+)?(?:shown|found|observed|proved|detected)\s+to\b"
)
_MEAN = re.compile(
    r"\b(?:can|could|may|might|should|will|would)\s+(?:\w+\s+){0,2}?(?:find\s+(?:\w+\s+)?applications?|help|serve|provide"
    r"|be\s+(?:\w+\s+)?(?:useful|applied|used|of\s+interest|important|interesting)|allow|lead|open|shed"
    r"|have\s+(?:important|interesting|far-reaching|profound|significant|strong))\b"
    r"|\b(?:important|interesting|possible|potential|useful)\s+(?:consequences?|applications?)\s+(?:for|to|in|of)\b"
    r"|\bimplications?\b|\bfirst\s+step\b|\bpromising\b|\bdirect\s+(?:\w+\s+){0,2}?evidence\s+for\b"
    r"|\b(?:this|these|our)\s+(?:\w+\s+){0,2}?(?:supports?|suggests?|impl(?:y|ies)|indicates?|opens?|offers?"
    r"|makes?\s+(?:it\s+)?(?:feasible|possible)|provides?\s+(?:\w+\s+){0,2}?(?:evidence|insights?|basis|tool|way|opportunit\w+"
    r"|explanation))\b"
    r"|\bwe\s+(?:\w+\s+)?(?:hypothesi[sz]e|speculate|conclude|suggest|believe|hope|expect|anticipate|argue|interpret)\b(?!\s+by\b)"
    r"|\bin\s+(?:the\s+)?(?:near\s+)?future\b|\bfuture\s+(?:experiments?|observations?|studies|work|measurements?|research)\b"
)


def restrict_sentences(texts: Sequence[Sequence[str]], known: Texts) -> Iterator[Allowed]:
    """Allowed labels of each sentence, over all texts; ``known``: the features of these sentences."""
    first = 0
    words, people = (known.said[:, kind].take(known.kinds, axis=0) for kind in (_FIELDS, _PEOPLE))
    for text in texts:
        count = len(text)
        own = slice(first, first + count)
        is_theirs = words[own].sum() >= max(_FEWEST, _SHARE * count) or any(map(_has_formula, text))
        is_theirs = is_theirs and not people[own].any()
        first += count
        if not is_theirs:
            yield from [ANY] * count
            continue
        findings = {sentence: _SHOW.search(sentence.lower()) is not None for sentence in set(text)}
        yield from (_allowed_labels(text, place, findings[text[place]]) for place in range(count))


def _has_formula(sentence: str) -> bool:
    return "$" in sentence or "\\" in sentence


def _allowed_labels(text: Sequence[str], place: int, is_finding: bool) -> Allowed:
    count = len(text)
    is_late = count > _CONCLUSION_PLACES and place >= count - (_CONCLUSION_PLACES if count > 3 else 1)
    allowed: Allowed = _FINDING if is_finding else ()
    if is_late and _MEAN.search(text[place].lower()):
        allowed = (*allowed, *_CONCLUSION)
    if not allowed and place < _AIM_PLACES and _states_aim(text[place].lower()):
        return _AIM
    return allowed or ANY


def _states_aim(sentence: str) -> bool:
    """Whether a sentence states what is studied, without means or results."""
    if _AND_HOW.search(sentence):
        return False
    passive = _IS_STUDIED.search(sentence)
    return _STUDY.match(sentence) is not None or (
        passive is not None and _BY_MEANS.search(sentence, 0, passive.start()) is None
    )
