"""Find the first experiment of a paper, where the part that may be shown ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from scholartools.errors import InputFault
from scholartools.parameters import parameter
from scholartools.readers.common.roles import number_of, role_of
from scholartools.records import need
from scholartools.tasks.generate.experiments.gold import Gold

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord, Section

AUTO = "auto"

_ROLES = ("experiment", "result")
# Headings of sections with experiments despite another role, and the reverse.
_TELLS = re.compile(
    r"\b(?:experiments?|results?|(?:empirical|experimental) (?:evaluation|study)|validation"
    r"|(?:user|pilot|case|simulation) stud(?:y|ies)|numerical (?:illustration|example|stud|simulation)\w*"
    r"|quantitative analys[ie]s|real[- ]data (?:application|example|analys[ie]s)s?"
    r"|applications? to (?:\w+ )?real[- ]data|illustrations? (?:on|with)"
    r"|(?:numerical|experimental|empirical) (?:verification|confirmation)s?)\b"
    r"|^\W*(?:study \d|testing the\b|(?:measurements?|simulations?|tests)$)|\b(?:simulated|synthetic) data$",
    re.I,
)
# Headings on implementation or training, before or among the experiments; not experiments themselves.
_SETTINGS = re.compile(
    r"\bimplementations?\b"
    r"|^[\W\d]*training(?: (?:details?|procedures?|strateg(?:y|ies)|objectives?|process|and inference))?\W*$",
    re.I,
)
# Headings of experiments that also name the topic from which the section's role was derived.
_WITH_MORE = re.compile(
    r"^\W*(?:(?!summary|conclu|discuss|future)[\w-]+ ){0,2}"
    r"(?:experiments?|results?|evaluations?|simulations?|benchmarks?|ablations?|findings)(?:,| and| &) "
    r"(?:[\w-]+,? ){0,2}(?:discussions?|conclusions?|limitations?|lessons|future|outlook)\b",
    re.I,
)
_TRIED = re.compile(r"experiment|evaluat|result|benchmark|simulation|ablation|empiric|test|case stud", re.I)
_TELLS_NOT = re.compile(r"\b(?:availability|related|discussion of|motivations? (?:of|for))\b", re.I)
_THEORY = re.compile(r"\btheor", re.I)
# Names of methods and theorems that sound like experiments; they are removed before a heading is tested.
_SOUNDS = re.compile(
    r"\b(?:empirical (?:forms?|distributions?|risks?|bayes|errors?|process(?:es)?|likelihoods?|measures?)"
    r"|(?:existence|uniqueness|regularity|hardness|optimality|impossibility|identifiability|technical|auxiliary|known"
    r"|classical) results?"
    r"|results? (?:from|of|in) (?:convex|functional|real|complex|harmonic|linear|matrix|measure|probability|graph|group"
    r"|number) (?:analysis|algebra|theory)"
    r"|performance (?:guarantees?|bounds?|models?|modell?ing)"
    r"|(?:policy|value|query|function|lazy|eager|partial|expression|polynomial|integral|operator) evaluations?"
    r"|evaluations? (?:functions?|order|semantics|contexts?|rules)"
    r"|evaluations? of (?:the )?(?:\w+ )?(?:integrals?|functions?|polynomials?|gradients?|derivatives|expressions?"
    r"|quer(?:y|ies)|operators?|kernels?)"
    r"|(?:input|form|schema|request|argument|certificate)[- ]?validation|validation of inputs?"
    r"|simulation[- ]based \w+|(?:optimal|bayesian|sequential|adaptive) experimental designs?"
    r"|resulting)\b",
    re.I,
)
# Sections on data that belong to the method: how data are stored or processed.
_DATA_OF_METHOD = re.compile(
    r"\bdata(?: models?|[ -]?structures?|[ -]?flow| types?| formats?| layout| access| fusion| assimilation)\b", re.I
)
# Headings of methods and theorems with the role of experiments or results, besides the section with the actual ones.
_METHOD = re.compile(
    r"^[\W\d]*(?:materials and )?method(?:s|ology)?\b(?!.*\bresults?\b)"
    r"|\b(?:convergence|stability|consistency|asymptotic) results?\W*$",
    re.I,
)
_THEOREMS = re.compile(r"^[\W\d]*(?:our|main|summary of(?: (?:our|the|main))?) results?\W*$", re.I)
_OUTRIGHT = re.compile(r"experiment|result|\bstud(?:y|ies)\b", re.I)
_DONE = re.compile(r"experiment|simulation|numerical|empirical", re.I)
_NEVER = ("abstract", "introduction", "related", "background", "conclusion", "future")
# Roles of sections whose subsections may be about experiments of others.
_OF_OTHERS = ("related", "background")
#: Sections that are excluded from the text before the experiments, wherever they occur.
BACK_MATTER = ("appendix", "reference", "acknowledgement")


class Place(NamedTuple):
    """A place in a paper.

    Attributes:
        section: id of the section.
        start: code point in its text.
        by: how it was found: "experiments" (their spans), "role" or "heading" of the section, or "given".
    """

    section: str
    start: int
    by: str


def first_experiment(record: PaperRecord, experiments: Sequence[Gold], before: str = AUTO) -> Place:
    """Find the start of the experiments of a paper.

    Args:
        experiments: human list of the experiments.
        before: ``auto``: the first span of these in a section; if one without a span could be earlier, at most the
            start of the first section with the role or a heading of experiments or results; else the id of a section or
            an experiment.

    Raises:
        InputFault: the place does not exist, or two texts have the id.
    """
    sections = need(record, "sections", "run st-parse first")
    if before != AUTO:
        return _find_named(sections, experiments, before)
    found = _find_told(sections)
    places = _list_places(sections, experiments)
    if places and (found is None or all(_list_places(sections, [one]) for one in experiments)):
        return _find_first(sections, places, "experiments")
    if found is None:
        told = f"say with {parameter('before')} where the part to show ends: the id of a section or of an experiment"
        raise InputFault(f"no section of the role experiment or result: {told}", kind="no-experiments")
    by = "role" if found["role"] in _ROLES else "heading"
    head = _with_data(sections, found)["id"]
    first = _find_first(sections, [(head, 0), *places], by)
    return first if first[:2] == (head, 0) else first._replace(by="experiments")


def _find_told(sections: Sequence[Section]) -> Section | None:
    """The first section with experiments; one that may only prepare them is skipped if a later one has them."""
    top = min((one["level"] for one in sections), default=1)
    told = [n for n, one in enumerate(sections) if _tells_experiments(one)]
    told = [n for n in told if sections[_find_top(sections, n, top)]["role"] not in _OF_OTHERS] or told
    others = [n for n in told if not _METHOD.search(sections[n]["heading"])]
    certain = [n for n in others if sections[n]["level"] == top]
    outright = [n for n in others if n in certain or _OUTRIGHT.search(sections[n]["heading"])]
    for n in told:
        later = [one for one in (certain if n in others else outright) if one > n]
        if _THEOREMS.search(sections[n]["heading"]):
            later = [one for one in later if _DONE.search(sections[one]["heading"])]
        elif n in certain or not _prepares(sections, n, top):
            return sections[n]
        if not later:
            return sections[n]
    return None


def _find_top(sections: Sequence[Section], number: int, top: int) -> int:
    """Index of the top-level section that contains a section."""
    return max((n for n in range(number + 1) if sections[n]["level"] == top), default=number)


def _prepares(sections: Sequence[Section], number: int, top: int) -> bool:
    """Whether a section may belong to the method: by its heading, or as part of a section mostly about other topics.

    Headings that explicitly name experiments, results or a study never do.
    """
    one = sections[number]
    if _METHOD.search(one["heading"]):
        return True
    if _OUTRIGHT.search(one["heading"]):
        return False
    start = _find_top(sections, number, top)
    end = next((n for n in range(start + 1, len(sections)) if sections[n]["level"] == top), len(sections))
    told = [_tells_experiments(part) or part["role"] == "data" for part in sections[start + 1 : end]]
    is_other = sections[start]["role"] == "method" or 2 * sum(told) <= len(told)
    return is_other and not _tells_experiments(sections[start])


def _with_data(sections: Sequence[Section], found: Section) -> Section:
    """The first of the subsections on data directly before a subsection with experiments; else the latter."""
    place = next(n for n, one in enumerate(sections) if one is found)
    while place and found["level"] > 1 and sections[place - 1]["role"] == "data":
        if sections[place - 1]["level"] != found["level"] or _DATA_OF_METHOD.search(sections[place - 1]["heading"]):
            break
        place -= 1
    return sections[place]


def _tells_experiments(section: Section) -> bool:
    """Whether a section has experiments, by role and heading."""
    heading = number_of(section["heading"])[1]
    if _TELLS_NOT.search(heading) or (_SETTINGS.search(heading) and not _TRIED.search(heading)):
        return False
    left, n_names = _SOUNDS.subn("", heading)
    if _THEORY.search(left) and not _DONE.search(left):
        return False
    is_of_role = section["role"] in _ROLES and not (n_names and role_of(left) not in _ROLES)
    is_named = _TELLS.search(left) is not None and section["role"] not in (*_NEVER, *BACK_MATTER)
    return is_of_role or is_named or _WITH_MORE.search(left) is not None


def _find_named(sections: Sequence[Section], experiments: Sequence[Gold], name: str) -> Place:
    if any(one["id"] == name for one in sections):
        return Place(name, 0, "given")
    chosen = [one for one in experiments if one.id == name]
    if places := _list_places(sections, chosen):
        return _find_first(sections, places, "given")
    raise InputFault(f'no section and no experiment with spans has the id "{name}"', kind="missing-key")


def _list_places(sections: Sequence[Section], experiments: Sequence[Gold]) -> list[tuple[str, int]]:
    known = {one["id"] for one in sections}
    return [(name, start) for one in experiments for name, start, _ in one.places if name in known]


def _find_first(sections: Sequence[Section], places: Sequence[tuple[str, int]], by: str) -> Place:
    order = {one["id"]: n for n, one in enumerate(sections)}
    section, start = min(places, key=lambda place: (order[place[0]], place[1]))
    return Place(section, start, by)


def cut_sections(sections: Sequence[Section], place: Place) -> tuple[list[Section], list[Section]]:
    """Sections before and after a place; the section that contains it is split.

    Back matter is moved to the second part, because appendices may describe experiments.
    """
    number = next(n for n, one in enumerate(sections) if one["id"] == place.section)
    here = sections[number]
    before: Section = {**here, "text": here["text"][: place.start]}
    back = [one for one in sections[:number] if one["role"] in BACK_MATTER]
    later: Section = {**here, "text": here["text"][place.start :]}
    first = [one for one in [*sections[:number], before] if one["role"] not in BACK_MATTER]
    return first, [later, *sections[number + 1 :], *back]
