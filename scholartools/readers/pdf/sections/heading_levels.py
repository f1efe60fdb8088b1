"""The levels of headings, from their numbers, looks and positions."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from scholartools.readers.common import numbering
from scholartools.readers.common.roles import CHAPTER, is_end_matter, role_of
from scholartools.readers.pdf.sections.heading_styles import LETTERED
from scholartools.readers.pdf.sections.headings import Heading, Look

_OF_FIRST_LEVEL = ("reference", "acknowledgement", "abstract")  # roles of headings without a number
_GROUP = re.compile(r"(statements and )?declarations?|additional information|article information", re.IGNORECASE)
_PARTS = ("introduction", "method", "result", "discussion", "conclusion")  # roles of sections of the first level
_SURE = 4  # minimum number of these roles that one look has
_DEEPEST = 4  # deepest level assigned by look
_BELOW_ALL = 6  # deepest level of a run-in heading


def with_levels(headings: list[Heading]) -> list[Heading]:
    """Assign levels by the number's depth; without a number by the look, relative to numbered and larger headings.

    End matter (acknowledgements, data availability) is at the first level, or the second within a group, in any style.
    """
    roman = sum(numbering.is_roman(one.number) for one in headings) >= 3
    shown = [one for one in headings if not one.is_run_in]
    behind = _end_matter(headings)
    depths: dict[Look, Counter[int]] = {}
    for one in shown:
        if one.number is not None:
            depths.setdefault(one.look, Counter())[numbering.number_depth(one.number, roman)] += 1
    by_look = {look: counts.most_common(1)[0][0] for look, counts in depths.items()}
    ranked = [one for one in shown if one.look not in by_look and one.words and one.start not in behind
              and role_of(one.words) != "reference"]  # fmt: skip
    ranks = _rank_looks(ranked, by_look)
    leveled = [replace(one, level=_heading_level(one, roman, by_look, ranks)) for one in shown]
    leveled = _from_the_top([_as_its_like(one, ranks) if at else one for at, one in enumerate(leveled)])
    placed = {one.start: one for one in leveled}
    return _with_end_matter(_with_run_ins([placed.get(one.start, one) for one in headings]), behind)


def _end_matter(headings: list[Heading]) -> set[int]:
    """The first lines of end-matter headings: acknowledgements, and those followed by no other section of the text."""
    found: set[int] = set()
    often = Counter(one.words.casefold() for one in headings)
    is_last = True
    for one in reversed(headings):
        role = role_of(one.words)
        if one.number is None and (
            role == "acknowledgement" or (is_last and is_end_matter(one.words) and often[one.words.casefold()] == 1)
        ):
            found.add(one.start)
        elif one.words and not one.is_run_in:
            is_last = role in ("reference", "appendix")
    return found


def _with_end_matter(headings: list[Heading], behind: set[int]) -> list[Heading]:
    """Put end matter at the first level, and less prominent headings after a group heading at the second."""
    leveled: list[Heading] = []
    group: Heading | None = None
    for one in headings:
        if one.start not in behind:
            group = None
        elif group is not None and (one.is_run_in or _prominence_key(one.look) < _prominence_key(group.look)):
            one = replace(one, level=2)
        else:
            one = replace(one, level=1)
            group = one if _GROUP.fullmatch(one.words.rstrip(" .:")) else None
        leveled.append(one)
    return leveled


def _with_run_ins(headings: list[Heading]) -> list[Heading]:
    """Set the levels of run-in headings: each look one below the deepest heading right before one of them.

    A look that occurs after another run-in look in a section, but never the reverse, is one level deeper.
    """
    above: dict[Look, int] = {}
    last = Heading(0, 0, None, "", headings[0].look, level=0) if headings else None
    parents: dict[Look, Counter[Look]] = {}
    first: Look | None = None
    for one in headings:
        if not one.is_run_in:
            last, first = one, None
        elif last is not None:
            above[one.look] = max(above.get(one.look, 0), last.level)
            if first is not None and first != one.look:
                parents.setdefault(one.look, Counter())[first] += 1
            first = first or one.look
    deeper = {look for look, found in parents.items() for other in found if look not in parents.get(other, ())}
    return [
        replace(one, level=min(_BELOW_ALL, above[one.look] + 1 + (one.look in deeper))) if one.is_run_in else one
        for one in headings
    ]


def _as_its_like(one: Heading, ranks: dict[Look, int]) -> Heading:
    """Put an unnumbered summary at the level of its look, since it closes a section."""
    closes = role_of(one.words) == "abstract" and one.number is None and one.look in ranks
    return replace(one, level=min(ranks[one.look], _DEEPEST)) if closes else one


def _from_the_top(headings: list[Heading]) -> list[Heading]:
    """Shift unnumbered headings so that the first one is at level 1, unless two or more others are above its level.

    A single larger heading further down may be the label of a plot.
    """
    first = next((one for one in headings if one.words), None)
    if first is None or first.number is not None or first.level == 1:
        return headings
    above = [one for one in headings if one.level < first.level and role_of(one.words) not in _OF_FIRST_LEVEL]
    if len(above) > 1:
        return headings
    step = first.level - 1
    return [one if one.number else replace(one, level=max(1, one.level - step)) for one in headings]


def _rank_looks(headings: list[Heading], by_look: dict[Look, int]) -> dict[Look, int]:
    # Sorting is stable: of two bold looks that differ in italics only the first one has the higher rank, since headings
    # come after those of the section they are in.
    top = _look_of_parts(headings)
    looks = sorted(dict.fromkeys(one.look for one in headings), key=_prominence_key, reverse=True)
    looks.sort(key=lambda look: look != top)
    ranks: dict[Look, int] = {}
    for look in looks:
        larger = [level for other, level in by_look.items() if _prominence_key(other) > _prominence_key(look)]
        larger += [level for other, level in ranks.items()]
        ranks[look] = max(larger, default=0) + 1
    return ranks


def _look_of_parts(headings: list[Heading]) -> Look | None:
    """The look of the first level, if introduction, methods, results and the like share it; None if this is uncertain.

    Bold headings may be within sections whose headings are in italics of the same size.
    """
    roles: dict[Look, set[str]] = {}
    for one in headings:
        if one.number is None and role_of(one.words) in _PARTS:
            roles.setdefault(one.look, set()).add(role_of(one.words))
    if len(roles) != 1:
        return None
    [(look, found)] = roles.items()
    is_largest = look == headings[0].look and all(one.look.size <= look.size for one in headings)
    return look if is_largest and len(found) >= _SURE else None


def _prominence_key(look: Look) -> tuple[float, bool, bool, bool, bool]:
    return look.size, look.caps, look.bold, look.bold or not look.italic, look.centred


def _heading_level(one: Heading, roman: bool, by_look: dict[Look, int], ranks: dict[Look, int]) -> int:
    if one.number is not None:
        return numbering.number_depth(one.number, roman)
    if not one.words or CHAPTER.fullmatch(one.words):
        return 1
    if role_of(one.words) in _OF_FIRST_LEVEL and one.look not in by_look:
        return 1
    if LETTERED.match(one.words) and one.look not in by_look:
        return min(by_look.values(), default=0) + 1
    return by_look.get(one.look) or min(ranks.get(one.look, 1), _DEEPEST)
