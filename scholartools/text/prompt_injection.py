"""Detect sentences in a paper or review that instruct a language model how to judge the paper.

Only instructions count, not text about instructions: the verb must open its sentence or follow an address ("please",
"you must", "AI reviewers:"), and must not be in quotation marks. So quotations in papers about prompts and prompt
injection are not reported, but prompts printed without quotation marks are.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping

from scholartools.records import Record, read
from scholartools.text.repeats import without_repeats
from scholartools.text.sentences import paragraphs, spans

#: The ``kind`` of the warnings.
KIND = "instruction"

_POLITE = r"(?:(?:please|kindly|now|instead|then|just|simply|also|important|attention|note|and)\W{1,3}){0,3}"
_MODEL = (
    r"(?:AIs?|LLMs?|GPT(?:-?\d\w*)?|ChatGPT|Claude|Gemini|chat\s?bots?|(?:large\s+)?language\s+models?|assistants?"
    r"|(?:AI|LLM|automated|automatic|machine)(?:[\s-]+(?:based|generated|assisted))?\s+(?:reviewers?|systems?|assistants?|models?|agents?|tools?|readers?))"
)
_ADDRESS = rf"(?:{_MODEL}|reviewers?|system|important|notes?|instructions?|attention|warning)"
# What precedes an instruction: the start of a sentence, or an address.
_LEAD = (
    rf"(?:(?:^|(?<=[.!?;])\s+)[ \t*_#>\[\](){{}}<!-]{{0,8}}(?:\d{{1,2}}[.)]\s)?{_POLITE}"
    rf"|[(\[{{]\s?{_POLITE}"
    rf"|\b{_ADDRESS}\s?(?:[:,!\])>]|\u2014|-)[\s*_\])>]{{1,4}}{_POLITE}"
    rf"|\b(?:please|kindly|you\s+(?:must|should|shall|will|are\s+to|need\s+to|have\s+to))\s+(?:\w{{2,12}}ly\s+|now\s+)?"
    rf"|\b(?:if\s+you|as\s+an?\s+{_MODEL}|dear\s+{_ADDRESS}|to\s+(?:all\s+|any\s+)?{_MODEL})\b[^.!?\n\"\u201c]{{0,80}},\s*{_POLITE})"
)
_EARLIER = r"(?:previous|prior|above|preceding|earlier|foregoing|former|existing|other|initial|original|system|your)"
_ORDERS = (
    r"(?:instructions?|prompts?|directions?|directives?|guidelines?|rules?|commands?|orders?|messages?|context|text)"
)
_PAPER = r"(?:this|the|our)\s+(?:paper|manuscript|submission|article|work|study)"
_FLAWS = r"(?:limitations?|weakness(?:es)?|flaws?|shortcomings?|drawbacks?|negatives?|problems?|criticisms?|concerns?)"
_VERDICT = (
    r"(?:reviews?|ratings?|scores?|evaluations?|assessments?|feedback|judge?ments?|recommendations?|verdict|comments?)"
)
_GOOD = r"(?:positive|favou?rable|glowing|perfect|high(?:est)?|top|maximum|full|best|excellent|enthusiastic|accepting)"

#: Patterns of instructions, by what they ask of the model.
ORDERS: dict[str, str] = {
    "to forget its orders": (
        rf"(?:ignore|disregard|forget|override|discard|bypass|do\s+not\s+(?:follow|obey))\s+"
        rf"(?:(?:\w+\s+){{0,3}}?{_EARLIER}\s+(?:\w+\s+){{0,2}}?{_ORDERS}"
        r"|(?:all\s+(?:of\s+)?)?(?:the\s+)?(?:above|everything\s+(?:above|before|else)|what\s+(?:was|is|stands)\s+(?:said\s+)?(?:above|before)))"
    ),
    "to deny flaws": (
        rf"(?:(?:say|state|write|report|claim|respond|answer|reply|conclude|output|declare)\s+(?:only\s+)?(?:that\s+)?"
        rf"(?:there\s+(?:are|is)|{_PAPER}\s+has|it\s+has|you\s+(?:found|see))\s+no\s+(?:\w+\s+){{0,2}}?{_FLAWS}"
        rf"|(?:do\s+not|don.t|never|avoid)\s+(?:mention|list|highlight|raise|point\s+out|bring\s+up|report|output|"
        rf"mentioning|listing|highlighting|raising|reporting|pointing\s+out)\s+(?:any|the|its|negative)\s+(?:\w+\s+){{0,2}}?"
        rf"(?:{_FLAWS}|aspects|points|comments)"
        rf"|(?:return|output|give|write|leave)\s+(?:an\s+)?(?:empty|no)\s+(?:\w+\s+){{0,2}}?(?:list|{_FLAWS}))"
    ),
    "to praise": (
        rf"(?:give|write|provide|output|return|generate|produce|leave|issue|make|submit)\s+(?:(?:{_PAPER}|it|us|me|only)\s+)?"
        rf"(?:(?:an?\s+|the\s+|only\s+)?(?:\w+ly\s+)?{_GOOD}\s+(?:possible\s+|overall\s+)?{_VERDICT}"
        r"|(?:only|nothing\s+but)\s+(?:praise|positive\s+\w+))"
    ),
    "to rate high": (
        rf"(?:(?:rate|score|grade)\s+{_PAPER}\s+(?:as\s+|with\s+|an?\s+|the\s+){{0,2}}(?:very\s+)?(?:{_GOOD}|strong|10|9|5|accept\w*)"
        rf"|(?:give|assign)\s+{_PAPER}\s+(?:an?\s+|the\s+)?(?:{_GOOD}|10|9|5)\b"
        rf"|(?:accept|recommend\s+(?:accept\w*|the\s+acceptance\s+of|strong\s+accept\w*\s+(?:of|for)))\s+{_PAPER}\s+"
        r"(?:regardless|no\s+matter|without|unconditionally|whatever))"
    ),
}  # fmt: skip

_OTHER = (
    # Requests that only make sense to a language model.
    rf"\bif\s+you(?:\s+are|.re)\s+(?:an?\s+|reading\s+this\s+as\s+an?\s+){_MODEL}\b"
    rf"|\bas\s+an?\s+{_MODEL},?\s+(?:you\s+(?:must|should|will|are|have)|your)\b"
    rf"|\b(?:note|notice|message|instructions?|attention)\s+(?:to|for)\s+(?:all\s+|any\s+)?{_MODEL}\s*[:!]"
)
_HIT = re.compile(rf"(?im){_LEAD}(?P<order>{'|'.join(ORDERS.values())})\b|(?P<told>{_OTHER})")
_QUOTES = "\"'\u2018\u201c\u201e\u00ab\u201a`"


def find_instructions(text: str) -> list[tuple[int, int]]:
    """Offsets of the sentences that instruct a model how to judge the paper: half-open, in code points, in order.

    Takes time linear in the text.
    """
    if not _HIT.search(without_repeats(text)[0]):
        return []
    hits = [hit.start("order") if hit["order"] else hit.start("told") for hit in _HIT.finditer(text)]
    hits = [hit for hit in hits if hit == 0 or text[hit - 1] not in _QUOTES]
    if not hits:
        return []
    found: list[tuple[int, int]] = []
    places = list(paragraphs(text))
    starts = [start for start, _ in places]
    cut: dict[int, list[tuple[int, int]]] = {}
    for hit in hits:
        start, end = places[bisect_right(starts, hit) - 1]
        sentences = cut.setdefault(start, spans(text[start:end]))
        first, last = sentences[bisect_right(sentences, hit - start, key=lambda place: place[0]) - 1]
        if (place := (start + first, start + last)) not in found[-1:]:
            found.append(place)
    return found


def warn_of_instructions(record: Record, named: Mapping[str, str]) -> Record:
    """Add a warning of kind ``instruction`` for every such sentence in the texts.

    Args:
        record: not modified; returned itself if there is nothing to add.
        named: texts by the names that spans use for them, as returned by :func:`scholartools.records.texts`.

    Returns:
        A copy with ``warnings``: each new one has the verbatim ``text`` and its ``span``. Existing warnings are not
            duplicated.

    Raises:
        InputFault: ``warnings`` is present but malformed.
    """
    new = []
    for name, text in named.items():
        for start, end in find_instructions(text):
            span = {"in": name, "start": start, "end": end}
            new.append({"kind": KIND, "page": None, "text": text[start:end], "span": span})
    if not new:
        return record
    there = read(record, "warnings") or []
    added = [warning for warning in new if warning not in there]
    return {**record, "warnings": [*there, *added]} if added else record
