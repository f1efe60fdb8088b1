"""Find the authors of a paper in the lines between its title and its abstract."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from scholartools.readers.common import person_names
from scholartools.readers.common.addresses import opens_with_number
from scholartools.readers.common.hyphenation import compose_accents
from scholartools.readers.common.page import (
    Body,
    Line,
    Style,
)
from scholartools.readers.common.roles import ABSTRACT_LABEL

_LABEL = re.compile(r"(?:by|authors?)\s?:?", re.IGNORECASE)
_INITIALISM = re.compile(r"[A-Z]{2,}\b(?=.*[a-z])")  # "TU Delft"
_ADVISER = re.compile(
    r"(?:(?:thesis|academic|first|second) )?(?:co-?\s?)?(?:direct(?:or|ora|eur|rice)|tutora?|advis[eo]r|supervisor|"
    r"orientadora?|promotor|betreuer(?:in)?|relat(?:ore|rice)|examiner)(?: de (?:tesis|tesina|th[eè]se))?\s?:?",
    re.IGNORECASE,
)  # in the languages of theses
_INITIAL = re.compile(r"\b[^\W\d_]\.$")
_CYRILLIC = re.compile(  # "И. И. Иванов", "Иванов И.И."
    r"(?:[А-ЯЁІЇЄҐ]\. ?){1,2}(?:[А-ЯЁІЇЄҐ][\w’'-]+)|(?:[А-ЯЁІЇЄҐ][\w’'-]+) (?:[А-ЯЁІЇЄҐ]\. ?){1,2}"
)
_CUT_NAME = re.compile(r", [^\W\d_]+$")  # a list of names that ends with one word of a name
_PLACE = re.compile(r"\s[·•|]\s")  # between a name and its affiliation
_DOT = re.compile("[·•]")  # separates the names of authors
_SAME_FOOT = 0.5  # bottoms of lines that differ by less (points) are in one row
_STACK = 3  # minimum number of names below each other, each alone on its line
_NEAR = 1.6  # maximum distance of names below each other, in multiples of their size
_OF_WORDS = 0.75  # minimum share of usual words among the words of a subtitle
_WORD_ENDS = (" ", ", ", ". ", "; ", ") ")
_ALIKE = 0.6  # font sizes that differ by less (points) count as equal


def find_authors(lines: list[Line], body: Body, text: str = "") -> list[str]:
    """The names of authors in the lines between title and abstract, in order.

    All names share one style, the largest among the lines that read like names. A line just below an address, in the
    same style, belongs to the address. Capitalised words that are in lower case in ``text``, the text of the paper, are
    a subtitle.
    """
    lines = [line for line in lines if line.text.strip("|·• ")]  # drop lines of nothing but separators
    read = list(_without_addresses(_before_text(_unbroken(_rows_from_left(lines)), body)))
    read = _without_subtitles(read, text)
    rows = [line for line, _ in read]
    names = {id(line): listed for line, listed in read}
    found: dict[str, None] = {}
    above: Line | None = None
    is_list = False  # the group above has names
    undated = [line for line in rows if not person_names.is_date(line.text)]
    between = _between_addresses(rows) | _stacked_names(undated)
    between |= set(map(id, _two_in_all(undated, names)))
    groups = [
        (group, person_names.names_in(_text_of_list(group)) if len(group) > 1 else names[id(group[0])])
        for group in _runs_on(rows)
    ]
    named = (group[0] for group, listed in groups if listed)
    largest = max(named, key=lambda line: _leading_style(line).size, default=None)
    for group, listed in groups:
        own = largest is not None and listed and _is_alike(group[0], largest)
        if own and (not _is_address(group[0], above, is_list) or id(group[0]) in between):
            found |= dict.fromkeys(_without_advisers(above, listed))
        above, is_list = group[-1], bool(listed)
    return list(found)


def _rows_from_left(lines: list[Line]) -> list[Line]:
    """Sort lines with the same bottom from left to right; a raised mark may make the right one begin higher."""
    ordered: list[Line] = []
    for line in lines:
        at = len(ordered)
        while at and _is_left_of(line, ordered[at - 1]):
            at -= 1
        ordered.insert(at, line)
    return ordered


def _is_left_of(line: Line, other: Line) -> bool:
    """Whether a line is in the row of another, to the left of it."""
    return line.page == other.page and abs(line.y1 - other.y1) < _SAME_FOOT and line.x1 < other.x0


def _unbroken(lines: list[Line]) -> list[Line]:
    """Move the rest of a broken name up to its first word, past lines of another column, such as a side bar."""
    ordered: list[Line] = []
    for line in lines:
        at = len(ordered)
        while at and not ordered[at - 1].overlaps(line):
            at -= 1
        above = ordered[at - 1] if at else None
        near = above is not None and 0 < line.y0 - above.y0 < 2 * line.size
        broken = above is not None and _CUT_NAME.search(above.text) is not None and _is_alike(above, line)
        ordered.insert(at if near and broken else len(ordered), line)
    return ordered


def _without_advisers(label: Line | None, listed: Sequence[str]) -> Sequence[str]:
    """Drop the names of a row that are printed below a label for advisers, as on title pages of theses."""
    roles = re.split(r"\s{3,}", "".join(span.text for span in label.spans).strip()) if label else []
    if len(roles) != len(listed) or not any(map(_ADVISER.fullmatch, roles)):
        return listed
    return [name for role, name in zip(roles, listed) if not _ADVISER.fullmatch(role)]


def front_of_names(lines: list[Line]) -> list[Line]:
    """The lines of the first page, and those of later pages onto which its list of names continues."""
    kept: list[Line] = []
    for line in lines:
        goes_on = kept and len(_split_names(kept[-1])) > 1 < len(_split_names(line))
        if line.page > (kept[-1].page if kept else 1) and not goes_on:
            break
        kept.append(line)
    return kept


def find_author_above(lines: list[Line]) -> list[str]:
    """The name alone on its line above the title, as on title pages of theses; empty if several lines are names."""
    texts = (_LABEL.sub("", compose_accents(line.text), count=1).strip() for line in lines)
    names = [text for text in texts if person_names.is_name(text) and not _INITIALISM.match(text)]
    return names if len(names) == 1 else []


def find_authors_above(lines: list[Line]) -> list[str]:
    """The names above the title, where Russian journals print them: lines of only initials and surnames."""
    listed = [person_names.parts_of(_lead_text(line)) for line in lines]
    return [name for names in listed if names and all(map(_CYRILLIC.fullmatch, names)) for name in names]


def named_by_file(hint: str, found: list[str], lines: list[Line]) -> list[str]:
    """The authors in the file's metadata if they are more than ``found`` and the lines contain all their last names.

    Names printed close to each other may be read only in part; the metadata shows how many there are.
    """
    listed = person_names.parts_of(hint)
    shown = set(re.findall(r"[^\W\d_]+", compose_accents(" ".join(line.text for line in lines))))
    is_more = len(listed) > len(found) and all(map(person_names.is_name, listed))
    is_shown = all(set(re.findall(r"[^\W\d_]+", name.split()[-1])) <= shown for name in listed)
    return listed if is_more and is_shown else found


def _between_addresses(rows: list[Line]) -> set[int]:
    """The ``id()`` of names between two affiliations, and of lines "name, affiliation" below another such line."""
    pairs = {id(line) for over, line in zip(rows, rows[1:]) if _names_its_place(over) and _names_its_place(line)}
    return pairs | {
        id(line)
        for over, line, under in zip(rows, rows[1:], rows[2:])
        if person_names.is_affiliation(over.text)
        and person_names.is_affiliation(under.text)
        and person_names.is_name(compose_accents(line.text))
    }


def _two_in_all(rows: list[Line], names: dict[int, list[str]]) -> list[Line]:
    """The two lines of a stack of two names, with no other line in their style below."""
    named = [line for line in rows if names[id(line)]]
    if len(named) != 2 or any(len(names[id(line)]) > 1 for line in named):
        return []
    at = rows.index(named[0])
    is_last = not any(_is_alike(line, named[1]) for line in rows[at + 2 :])
    return named if rows[at + 1] is named[1] and is_last else []


def _stacked_names(rows: list[Line]) -> set[int]:
    """The ``id()`` of lines in stacks of names in one style, each name alone on its line."""
    found: set[int] = set()
    stack: list[Line] = []
    for line in rows:
        alone = person_names.is_name(compose_accents(line.text))
        stack = [*(stack[1 - _STACK :] if stack and _is_alike(stack[-1], line) else []), line] if alone else []
        found |= set(map(id, stack[-_STACK:])) if len(stack) >= _STACK else set()
    return found


def _names_its_place(line: Line) -> bool:
    """Whether a line is one name and, after a comma, an affiliation, or after a dot also a country."""
    name, _, place = compose_accents(line.text).partition(",")
    return (person_names.is_name(name) and person_names.is_affiliation(place)) or _name_before_dot(line) != ""


def _name_before_dot(line: Line) -> str:
    """The name of a line "Ada Lovelace • Engine Works, UK"; empty for other lines."""
    name, *place = _PLACE.split(compose_accents(line.text), maxsplit=1)
    is_place = bool(place) and person_names.says_otherwise(place[0]) and not person_names.names_in(place[0])
    return name if is_place and person_names.is_name(name) else ""


def _before_text(lines: list[Line], body: Body) -> Iterator[tuple[Line, list[str]]]:
    """The lines before the abstract's label, or before a sentence below the names, each with its names."""
    named = False
    for line in lines:
        stops = "." in line.text[-2:] and not _INITIAL.search(line.text)
        sentence = line.letters > 60 and line.size <= body.size and stops
        if ABSTRACT_LABEL.match(line.text) or (named and sentence):
            return
        listed = _split_names(line)
        named = named or bool(listed)
        yield line, listed


def _without_subtitles(rows: list[tuple[Line, list[str]]], text: str) -> list[tuple[Line, list[str]]]:
    """Remove the names of lines that consist of words of the text, unless a list of other names goes on below."""
    doubtful = [bool(listed) and _is_of_words(listed, text) for _, listed in rows]
    kept = []
    for at, (line, listed) in enumerate(rows):
        below = rows[at + 1][0] if rows[at + 1 :] and rows[at + 1][1] and not doubtful[at + 1] else None
        opens = below is not None and _is_alike(line, below) and below.y0 - line.y0 < _NEAR * line.size
        kept.append((line, [] if doubtful[at] and not opens else listed))
    return kept


def _is_of_words(names: list[str], text: str) -> bool:
    """Whether nearly all words of names apart from particles are in the text in lower case, not within addresses."""
    words = [word.casefold() for name in names for word in name.split()]
    words = [word for word in words if word not in person_names.PARTICLES]
    found = sum(any(f" {word}{end}" in text for end in _WORD_ENDS) for word in words)
    return found >= _OF_WORDS * len(words)


def _without_addresses(rows: Iterable[tuple[Line, list[str]]]) -> Iterator[tuple[Line, list[str]]]:
    """Drop addresses that read like names: rows that open with a mark or number, below names that do not."""
    named = False
    for line, listed in rows:
        marked = opens_with_number(line)
        named = named or (bool(listed) and not marked)
        if not (named and marked):
            yield line, listed


def _runs_on(lines: list[Line]) -> Iterator[list[Line]]:
    """Group lines that share a name broken across them: "C. Titus" at the end of one and "Brown" on the next."""
    group: list[Line] = []
    in_list = False  # whether the line above the group ends between two names
    for line in lines:
        if group and not _goes_on(group, line, in_list):
            yield group
            in_list = _is_listed(group[-1])
            group = []
        group.append(line)
    if group:
        yield group


def _text_of_list(group: list[Line]) -> str:
    """The text of lines of names, with a comma added where the authors left it out at the end of a line."""
    text = _lead_text(group[0])
    for line in group[1:]:
        comma = "," if _parts_names(text, line) else ""
        text += f"{comma} {_lead_text(line)}"
    return text


def _parts_names(text: str, line: Line) -> bool:
    """Whether a text ends with a whole name and the next line, without raised marks, begins with another."""
    last, first = person_names.parts_of(text)[-1:], person_names.parts_of(_lead_text(line))[:1]
    if _INITIAL.search(text.rstrip()) or any(span.style.raised for span in line.spans):
        return False
    if not all(map(person_names.is_name, [*last, *first])) or not (last and first):
        return False
    return person_names.PARTICLES.isdisjoint(map(str.casefold, (last[0].split()[-1], first[0].split()[0])))


def _goes_on(group: list[Line], line: Line, in_list: bool) -> bool:
    """Whether a list of names continues on a line: within a name, or anywhere if semicolons separate the names."""
    above = group[-1]
    below = 0 < line.y0 - above.y0 < _NEAR * line.size or line.page > above.page
    if not below or not _is_alike(above, line) or person_names.is_date(line.text):
        return False
    last = _lead_text(above).split()
    if last and last[-1].casefold() in person_names.PARTICLES and _split_names(above)[1:]:
        return True  # also where bars or wide spaces separate the names
    if max(above.cells, line.cells) > 1:
        return False
    if _is_listed(above):
        return ";" in above.text and person_names.parts_of(_lead_text(above))[1:] != []
    parts = person_names.parts_of(" ".join(map(_lead_text, group)))
    first = person_names.parts_of(_lead_text(line))[:1]
    if not parts or not first or not all(map(person_names.is_name, parts[:-1])):
        return parts[1:] != [] and first != [] and " " not in first[0]
    if parts[-1].split()[-1].casefold() in person_names.PARTICLES:
        return True
    return parts[1:] != [] and (" " not in first[0] or _is_cut(group, parts, first[0], in_list))


def _is_cut(group: list[Line], parts: list[str], first: str, in_list: bool) -> bool:
    """Whether the last part of the lines is a broken name that continues with the first part of the line below."""
    last = parts[-1]
    raised = [span.style.raised for line in group for span in line.spans if span.text.strip()]
    if raised[-1] or person_names.says_otherwise(last):
        return False
    if (
        first.split()[0].casefold() in person_names.PARTICLES or sum(raised) >= len(parts) - 1
    ):  # all names but this carry marks
        return True
    if " " not in last:  # may be a place, unless the lines clearly list names: "Santa Barbara, California"
        in_list = in_list or len(parts) > 2 or any(_DOT.search(line.text) for line in group)
        return in_list and (not last.isupper() or all(map(str.isupper, parts)))
    return _INITIAL.search(last) is not None and not all(map(_INITIAL.search, parts))


def _is_alike(one: Line, other: Line) -> bool:
    a, b = _leading_style(one), _leading_style(other)
    return abs(a.size - b.size) < _ALIKE and (a.bold, a.italic) == (b.bold, b.italic)


def _is_address(line: Line, above: Line | None, is_list: bool) -> bool:
    """Whether a line in the same style just below an address, or below names (``is_list``), belongs to the address.

    It does not if the list of names goes on: after a comma, or on a line with marks. Below an e-mail address comes the
    next author.
    """
    if above is None or "@" in above.text or not _is_alike(line, above):
        return False
    if not 0.5 * line.size < line.y0 - above.y0 < 1.5 * line.size:
        return False
    return not (is_list and (_is_listed(above) or _is_marked(line)))


def _is_listed(line: Line) -> bool:
    return line.text.rstrip("*†‡∗ ").endswith((",", ";", "&", "|", " and", " and the", " и", "·", "•"))


def _is_marked(line: Line) -> bool:
    """Whether a line carries raised marks, or opens with "and"."""
    return any(span.style.raised for span in line.spans) or line.text.startswith(("and ", "& "))


def _leading_style(line: Line) -> Style:
    """The style of a line's first words, after a label such as "Authors:"."""
    if len(line.spans) == 1:
        return line.style
    words = (span for span in line.spans if not span.style.raised and span.text.strip())
    return next((span.style for span in words if not _LABEL.fullmatch(span.text.strip())), line.style)


def _lead_text(line: Line) -> str:
    """The text of a line in the style of its first words; other spans (marks, addresses) become commas."""
    if len(line.spans) == 1 and not line.spans[0].style.raised:
        return compose_accents(line.spans[0].text)
    lead = _leading_style(line)
    kept = (
        not span.style.raised and abs(span.style.size - lead.size) < _ALIKE
        and (span.style.bold, span.style.italic) == (lead.bold, lead.italic)
        for span in line.spans
    )  # fmt: skip
    return compose_accents(
        "".join(span.text if keep or span.text.isspace() else "," for span, keep in zip(line.spans, kept))
    )


def _split_names(line: Line) -> list[str]:
    if line.text.endswith(":"):  # "Key Points:"
        return []
    if line.cells == 1 and (name := _name_before_dot(line)):
        return [name]
    cells = re.split(r"\s{3,}", _lead_text(line))
    return [name for cell in cells for name in person_names.names_in(cell)]
