"""Build the sections of a paper with their numbers, levels, roles and ids; used for XML, text and Markdown."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from scholartools.readers.common import numbering
from scholartools.readers.common.ids import Record, with_ids
from scholartools.readers.common.prose import Formula, Prose
from scholartools.readers.common.roles import number_of, role_of

_PRINTED = re.compile(
    r"\d|[A-Z](\.\d|[.:)])|[IVX]+[.:)]|(?i:appendix|annex|section|chapter|anhang|annexe|kapitel|chapitre|cap[íi]tulo|capitolo)\s"
)
_LETTER = re.compile(r"[A-Z]\s")
_CAPTION_NUMBER = re.compile(r"[A-Za-z]{0,2}\d[\w.]*|\b[IVX]{1,5}\b|\b[A-Z]\b")


@dataclass
class Section:
    """A section while it is being read; ``level`` 0 is unknown and is set by :meth:`Outline.finish`."""

    heading: str = ""
    number: str | None = None
    level: int = 1
    role: str = "other"
    pages: list[int] = field(default_factory=list)
    prose: Prose = field(default_factory=Prose)

    @property
    def is_empty(self) -> bool:
        return not self.heading and not self.prose.text


class Count:
    """Section numbers seen so far; decides whether the number of a heading continues the count."""

    def __init__(self) -> None:
        self._seen: set[tuple[str, ...]] = set()

    def add(self, number: str) -> None:
        """Record a number that is known to be a section number."""
        self._seen.add(numbering.path_of(number))

    def take(self, heading: str) -> tuple[str | None, str]:
        """Split a heading into its number and the words after it; (None, heading) if the number continues no count.

        A letter alone ("A Study") is a number only after sections with numeric numbers: that of an appendix.
        """
        number, words = printed_number(heading)
        if number is None:
            return None, heading
        path = numbering.path_of(number)
        follows = path[-1] in ("1", "A", "I") or numbering.path_before(path) in self._seen
        lettered = _LETTER.match(heading) is not None and not any(one[0].isdigit() for one in self._seen)
        if not follows or path in self._seen or lettered:
            return None, heading
        self._seen.add(path)
        return number, words


def printed_number(heading: str) -> tuple[str | None, str]:
    """The plausible number at the start of a heading, or None, and the words after it."""
    number, words = number_of(heading)
    is_printed = _PRINTED.match(heading) or _LETTER.match(heading)
    return (number, words) if number and is_printed and numbering.is_sound(number) else (None, heading)


class Outline:
    """The sections of a paper, added in order."""

    def __init__(self) -> None:
        self._sections: list[Section] = []
        self._count = Count()

    def add(self, printed: str, *, number: str | None = None, level: int = 0, role: str = "other") -> Section:
        """Begin a section.

        Args:
            printed: the heading; a number in it is removed if it continues the paper's count.
            number: the section number if the source stores it separately.
            level: 1 = top; 0 if the source does not give it.
            role: the role if the wording of the heading does not determine it.
        """
        heading = " ".join(printed.split())
        number = " ".join((number or "").split()).rstrip(".:") or None
        if number is None:
            number, heading = self._count.take(heading)
        elif numbering.path_of(number):
            self._count.add(number)
        wording = role_of(f"{number} {heading}" if number else heading) if heading else "other"
        section = Section(heading, number, level, role if wording == "other" else wording)
        self._sections.append(section)
        return section

    def last(self) -> Section:
        """The last section, for text that continues it; a section without heading is added if there is none."""
        return self._sections[-1] if self._sections else self.add("", level=1)

    def finish(self) -> tuple[list[Record], list[Record]]:
        """The entries of ``sections`` (without those that have neither heading nor text) and of ``equations``."""
        kept = [one for one in self._sections if not one.is_empty]
        _set_levels(kept)
        _set_appendix(kept)
        sections, equations = [], []
        for index, one in enumerate(kept, 1):
            name = f"s{index}"
            sections.append(_section_record(name, one))
            equations += [_equation_record(name, formula) for formula in one.prose.formulas]
        return sections, with_ids("e", equations)


def _section_record(name: str, one: Section) -> Record:
    return {
        "id": name,
        "number": one.number,
        "heading": one.heading.rstrip(":.") if one.number else one.heading,
        "level": one.level,
        "role": one.role,
        "pages": one.pages,
        "text": one.prose.text,
    }


def _equation_record(section: str, formula: Formula) -> Record:
    span = {"in": section, "start": formula.start, "end": formula.end}
    return {"latex": formula.latex, "span": span, "label": formula.label}


def _set_levels(sections: list[Section]) -> None:
    """Set unknown levels: by the depth of the number; without a number, below the last numbered heading if the role is
    "other", else at the top."""
    roman = sum(numbering.is_roman(one.number) for one in sections) >= 3
    below = 1
    for one in sections:
        if one.level == 0 and one.number:
            one.level = numbering.number_depth(one.number, roman)
        elif one.level == 0:
            one.level = below if one.role == "other" else 1
        if one.number:
            below = one.level + 1
        elif one.level == 1:
            below = 1


def _set_appendix(sections: list[Section]) -> None:
    """In a paper that counts 1, 2, 3, assign lettered sections of role "other" to the appendix."""
    counted = any(one.number and one.number[0].isdigit() and not one.number.endswith(")") for one in sections)
    for one in sections:
        if counted and one.role == "other" and one.number and one.number[0].isalpha():
            one.role = "appendix"


def caption_number(caption: Record) -> str:
    """The number in a caption's label, after its first word; empty if there is none."""
    number = _CAPTION_NUMBER.search(caption["label"].partition(" ")[2])
    return number[0] if number else ""
