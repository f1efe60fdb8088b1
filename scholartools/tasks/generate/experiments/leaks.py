"""Detect sentences before the experiments that reveal them, by cue words and by a model.

The built-in method uses words, not meanings. Cues are reports and announcements of results and set-ups, names of data
sets and baselines used later, and references to tables or figures with results. Headings, titles and captions are
judged by cues only; for sentences a trained classifier decides (:mod:`likelihood`), with cues among its features.
docs/aaar.md has an evaluation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scholartools.llm.answers import Answer, Missing
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt, json_lines
from scholartools.llm.replies import Closed, ReplyFault
from scholartools.llm.task import ask, ask_all_or_assume
from scholartools.records import Record
from scholartools.tasks import facets
from scholartools.tasks.generate.experiments.cues import (
    ANNOUNCED,
    AVAILABLE,
    BARE,
    CHANGE,
    CITATION,
    CONTINUATION,
    CUES,
    DETAIL,
    DONE,
    DONE_THERE,
    EARLIER,
    EMPIRICAL,
    FIGURE,
    GENERAL,
    IN_OWN_WORDS,
    LEARNED,
    NAME_IN_TITLE,
    NAMED,
    OF_EXPERIMENTS,
    OF_RESULTS,
    OF_THE_WORK,
    OPENING,
    OTHERS,
    OURS,
    OUTCOME,
    OUTCOME_FACETS,
    OUTLINE,
    OWN,
    OWN_RESULTS,
    PERCENTAGE,
    PRESENTED,
    PROSPECT,
    SECTION,
    SETTING,
    TABLE,
    THEORY,
    THESE,
    TRIED,
    WISHED,
)
from scholartools.tasks.generate.experiments.first_experiment import BACK_MATTER
from scholartools.tasks.generate.experiments.likelihood import PRECISE, Seen, find_likely
from scholartools.text import sentences
from scholartools.text.chunks import n_words, pack_sizes

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Caption, Section

# Up to three capitals are more often a field ("NLP") than a data set.
_FIELD = re.compile(r"[A-Z]{1,3}")


#: Pseudo-roles of units that are not sentences of a section.
TITLE, HEADING, CAPTION = "title", "heading", "caption"
BESIDE_TEXT = (TITLE, HEADING, CAPTION)
# Kind of cue of a sentence that the classifier removed without a cue.
_WORDS = "words"
# Label of a figure or table before the words of its caption.
_LABEL = re.compile(r"^\s*(?:Fig(?:ure|\.)?|Tab(?:le|\.)?)\s?~?[A-Z]?\d+\s?[:.|]\s*", re.I)


class Sentence(NamedTuple):
    """A sentence of the part that may be shown, with the name of its text and the role of its section.

    Also used for titles, and for whole headings and captions, where ``place`` is the id of the section or figure.
    """

    place: str
    role: str
    start: int
    end: int
    text: str


class Leaking(Closed):
    """The numbers of the sentences that leak."""

    leaking: list[int]


LEAKS: Prompt[Leaking] = Prompt("generate-leaks", Leaking)


def split_sentences(named: Sequence[tuple[str, str, str]]) -> list[Sentence]:
    """Split named texts into sentences."""
    return [
        Sentence(name, role, start, end, text[start:end])
        for name, role, text in named
        for start, end in sentences.spans(text)
    ]


class LeakCues:
    """Detects leaks in the sentences, headings and captions of one paper."""

    def __init__(
        self,
        before: Sequence[Sentence],
        rest: Sequence[Section],
        captions: Sequence[Caption],
        title: str,
        removal: str = PRECISE,
    ) -> None:
        """Collect the names in a paper.

        Args:
            before: sentences before the first experiment.
            rest: sections from there on.
            captions: captions of the record, to recognise figures and tables with results.
            title: title of the paper; names in it, like names that the paper introduces, refer to the work itself.
            removal: "precise", or "wide" for higher recall at lower precision.
        """
        presented = {name for sentence in before for name in PRESENTED.findall(sentence.text)}
        self._told = _find_outcomes(before)
        self._works = presented | {found[0] for found in NAME_IN_TITLE.finditer(title)}
        later = "\n\n".join(one["text"] for one in rest)
        self._removal = removal
        self._later = "\n\n".join(one["text"] for one in rest if one["role"] not in BACK_MATTER)
        names = _find_names(later) - set(re.findall(r"[\w-]+", title)) - presented
        self._names = {name for name in names if sum(_contains_name(one.text, name) for one in before) <= _SUBJECT}
        self._numbers = _find_numbers(rest)
        self._shown = _Floats(captions)
        self._field = self._find_field([one for one in before if one.role == "abstract"])

    def find_leaks(self, before: Sequence[Sentence]) -> list[tuple[Sentence, str]]:
        """The units that leak, each with the kind of its cue, or "words"."""
        cues = dict(self.find_cues(before))
        inside = [one for one in before if one.role not in BESIDE_TEXT]
        seen = [Seen(one.text, one.place, one.role, cues.get(one)) for one in inside]
        likely = find_likely(seen, self._later, self._removal)
        out = {one for one, leaks in zip(inside, likely, strict=True) if leaks}
        return [
            (one, cues.get(one, _WORDS)) for one in before if one in out or (one in cues and one.role in BESIDE_TEXT)
        ]

    def find_cues(self, before: Sequence[Sentence]) -> list[tuple[Sentence, str]]:
        """The units with a cue, each with its kind."""
        found: list[tuple[Sentence, str]] = []
        last: tuple[Sentence, str] | None = None
        for one in before:
            last = last if last is not None and last[0].place == one.place else None
            cue = self._find_cue(one, last)
            last = (one, cue) if cue is not None else None
            found += [last] if last is not None else []
        return found

    def has_cue(self, caption: Caption) -> bool:
        """Whether a caption has cues of experiments or results."""
        return tells_results(caption) or bool(self.find_leaks(split_sentences([("", CAPTION, caption["text"])])))

    def _find_cue(self, one: Sentence, last: tuple[Sentence, str] | None) -> str | None:
        """Kind of the first cue of a sentence; ``last``: the previous sentence, if it leaks."""
        if one in self._field or _says_nothing(one.text):
            return None
        is_own = self._is_own(one)
        if one.role not in (*OPENING, *BESIDE_TEXT, *_OF_OTHERS) and SETTING.search(one.text):
            return "setting"
        if one.role != "abstract" and last is None and THESE.match(one.text):
            return None
        cue = _find_cue(one.text, one.role, is_own=is_own) or self._find_pointer(one, is_own=is_own)
        return cue or ("outcome" if one in self._told else _find_continuation(one, last))

    def _find_field(self, abstract: Sequence[Sentence]) -> set[Sentence]:
        """Sentences of an abstract before the first one about this paper, except reports of what was done."""
        first = next((n for n, one in enumerate(abstract) if self._is_own(one)), 0)
        return {one for one in abstract[:first] if one not in self._told and not DONE_THERE.search(one.text)}

    def _is_own(self, one: Sentence) -> bool:
        """Whether a unit is about this paper: in the first person, a list item, or with the name of the work."""
        if one.role in BESIDE_TEXT or OWN.search(one.text) or one.text.startswith("\u2022"):
            return True
        return any(_contains_name(one.text, name) for name in self._works)

    def _find_pointer(self, one: Sentence, *, is_own: bool) -> str | None:
        """Kind of reference to a withheld section with an outcome, a figure or table with results, or a data set."""
        if any(number in self._numbers for number in SECTION.findall(one.text)) and OF_EXPERIMENTS.search(one.text):
            return "section"
        if not is_own and (one.role == "related" or (CITATION.search(one.text) or OTHERS.match(one.text)) is not None):
            return None
        if (pointer := self._shown.cue(one.text)) is not None:
            return pointer
        return "name" if is_own and any(_contains_name(one.text, name) for name in self._names) else None


# A name in more sentences than this belongs to the topic of the paper.
_SUBJECT = 3
# Roles of sections about other work.
_OF_OTHERS = ("related", "background")
# Roles of sections after the experiments: references to these do not point to an experiment.
_BEHIND = (
    "discussion",
    "limitation",
    "related",
    "conclusion",
    "future",
    "ethics",
    "appendix",
    "reference",
    "acknowledgement",
)


def _find_numbers(rest: Sequence[Section]) -> set[str]:
    """Top-level numbers of the sections with experiments."""
    numbers = [number for one in rest if (number := one.get("number")) and one["role"] not in _BEHIND]
    return {re.split(r"[.-]", number)[0] for number in numbers}


def _says_nothing(text: str) -> bool:
    """Whether a sentence only gives the location of code or sections, or expresses a hope without a number."""
    return (
        AVAILABLE.search(text) is not None
        or BARE.search(text) is not None
        or (WISHED.search(text) is not None and not re.search(r"\d\.\d|\d\\?%", text))
    )


# Minimum sentences of an abstract for facet labelling: in shorter ones it hardly makes a difference.
_FEWEST = 5


def _find_outcomes(before: Sequence[Sentence]) -> set[Sentence]:
    """Sentences of abstracts with outcomes according to the built-in facets, except those that only look ahead."""
    found: set[Sentence] = set()
    for place in dict.fromkeys(one.place for one in before if one.role == "abstract"):
        own = [one for one in before if one.place == place]
        if len(own) < _FEWEST:
            continue
        text = "".join(one.text.rjust(one.end - last) for one, last in zip(own, [0, *(one.end for one in own)]))
        [labelled] = facets.label({"abstract": text})["facets"]
        told = {facet: (labelled[facet] or {}).get("spans", ()) for facet in OUTCOME_FACETS}
        found |= {
            one
            for facet, spans in told.items()
            for one in own
            if any(span["start"] <= one.start < span["end"] for span in spans)
            and not (PROSPECT.search(one.text) or EARLIER.search(one.text))
            and not (OF_THE_WORK.match(one.text) and not CHANGE.search(one.text))
        }
    return found


def find_repeats(leaks: Sequence[tuple[Sentence, str]], candidates: Sequence[Sentence]) -> list[tuple[Sentence, str]]:
    """The candidates that leak: given leaks, and repetitions of their text, each with the cue of the leak.

    A caption repeats a leak if one of its sentences does. Case, whitespace and punctuation are ignored.
    """
    own = dict(leaks)
    cues = {_plain_words(one.text): cue for one, cue in reversed(leaks)}
    cues.pop("", None)
    found = []
    for one in candidates:
        said = [one.text, *(_LABEL.sub("", one.text[start:end]) for start, end in _inner_places(one))]
        again = next((cues[key] for key in map(_plain_words, said) if key in cues), None)
        if one in own or again is not None:
            found.append((one, own.get(one, again or "")))
    return found


def _inner_places(one: Sentence) -> list[tuple[int, int]]:
    return sentences.spans(one.text) if one.role == CAPTION else []


def _plain_words(text: str) -> str:
    return " ".join(re.findall(r"\w+", _LABEL.sub("", text).casefold()))


class _Floats:
    """Figures and tables of a paper, with those that show results according to their captions."""

    def __init__(self, captions: Sequence[Caption]) -> None:
        self._of_results = {_float_key(one): tells_results(one) for one in captions}

    def cue(self, text: str) -> str | None:
        """ "table" or "figure" if a text refers to one with results, assumed of tables without a caption."""
        if any(self._of_results.get(("table", number), True) for number in TABLE.findall(text)):
            return "table"
        told = any(self._of_results.get(("figure", number)) for number in FIGURE.findall(text))
        return "figure" if told and (LEARNED.search(text) or OUTCOME.search(text) or OF_RESULTS.search(text)) else None


def _float_key(caption: Caption) -> tuple[str, str]:
    found = re.search(r"\d+", caption["label"])
    return caption["kind"], found[0] if found else ""


def _find_cue(text: str, role: str, *, is_own: bool) -> str | None:
    """Kind of the first cue of a text; sentences of related work or with a citation must be about this paper.

    Headings and captions are the paper's own words, like its abstract.
    """
    is_new = not EARLIER.search(text)
    if role in OPENING and is_new and OWN_RESULTS.match(text):
        return "result"
    if not is_own and (role == "related" or CITATION.search(text) or OTHERS.match(text)):
        return None
    is_tried = TRIED.search(text) is not None
    if not is_own and not is_tried and role in ("introduction", *_OF_OTHERS) and GENERAL.search(text):
        return None
    cues = CUES | IN_OWN_WORDS if is_own or role == "abstract" else CUES
    if (kind := next((kind for kind, cue in cues.items() if cue.search(text)), None)) is not None:
        is_proved = kind == "result" and not is_tried and THEORY.search(text) and not OUTCOME.search(text)
        return None if is_proved else kind
    if PERCENTAGE.search(text) and _is_outcome(text, role, is_own=is_own):
        return "percentage"
    if EMPIRICAL.match(text):
        return "observation"
    return _find_announcement(text, role)


def _find_announcement(text: str, role: str) -> str | None:
    """Kind of cue by which an abstract or introduction announces or reports experiments."""
    announced = ANNOUNCED.search(text) and not THEORY.search(text)
    if role in (*OPENING, *BESIDE_TEXT) and (announced or OUTLINE.match(text)):
        return "announcement"
    is_told = DONE.search(text) or (role == "abstract" and DONE_THERE.search(text))
    return "done" if role in OPENING and is_told and not EARLIER.search(text) else None


def _is_outcome(text: str, role: str, *, is_own: bool) -> bool:
    """Whether a percentage is a result: in the method it may be a setting, in an introduction a fact of the field."""
    if role in (*OPENING, *BESIDE_TEXT):
        return is_own or CHANGE.search(text) is not None
    return OUTCOME.search(text) is not None or OURS.search(text) is not None


def _find_continuation(one: Sentence, last: tuple[Sentence, str] | None) -> str | None:
    """Cue of a sentence that continues a leak in the previous one; the criteria are wider in abstracts."""
    if last is None:
        return None
    is_detail = last[1] in ("experiment", "observation", "result") and DETAIL.match(one.text)
    return "continuation" if is_detail or (one.role == "abstract" and CONTINUATION.match(one.text)) else None


def _find_names(later: str) -> set[str]:
    """Names of data sets and baselines in the text from the first experiment on."""
    return {name for name in NAMED.findall(later) if not _FIELD.fullmatch(name)}


def _contains_name(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


def tells_results(caption: Caption) -> bool:
    """Whether a caption has words for results."""
    return OF_RESULTS.search(caption["text"]) is not None


async def ask_leaks(
    engine: Engine, before: Sequence[Sentence], limit: int
) -> tuple[list[Sentence], list[Answer[list[int]] | Missing]]:
    """Leaks identified by a model, including captions and headings, and its answers: one call per ``limit`` words."""
    groups = pack_sizes([n_words(sentence.text) for sentence in before], limit)
    answers = await ask_all_or_assume([_ask_group(engine, before, group) for group in groups], [])
    named = [number for answer in answers for number in answer.value or ()]
    return [before[number - 1] for number in named], answers


async def _ask_group(engine: Engine, before: Sequence[Sentence], group: range) -> Answer[list[int]]:
    numbers = range(group.start + 1, group.stop + 1)

    def verify(reply: Leaking) -> list[int]:
        if unknown := [number for number in reply.leaking if number not in numbers]:
            raise ReplyFault(f"there is no sentence {unknown[0]}")
        return sorted(set(reply.leaking))

    lines = json_lines(_describe(number, before[number - 1]) for number in numbers)
    return await ask(engine, LEAKS, {"sentences": lines}, verify)


def _describe(number: int, one: Sentence) -> Record:
    return {"number": number, **({"kind": one.role} if one.role in BESIDE_TEXT else {}), "text": one.text}


def removal_records(leaks: Sequence[tuple[Sentence, str]], by: str) -> Iterator[Record]:
    """Removed sentences as stored in the record: location, method, and cue."""
    for sentence, cue in leaks:
        if sentence.role in BESIDE_TEXT:
            continue
        where = {"in": sentence.place, "start": sentence.start, "end": sentence.end}
        yield {**where, "by": by, **({"cue": cue} if cue else {})}
