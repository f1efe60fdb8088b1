"""From pages of lines to the parts of a paper, without access to the file."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import Any

from scholartools.readers.common import numbering, person_names
from scholartools.readers.common.authors import (
    find_author_above,
    find_authors,
    find_authors_above,
    front_of_names,
    named_by_file,
)
from scholartools.readers.common.hyphenation import Vocabulary, join_lines, vocabulary_of
from scholartools.readers.common.ids import last_number, new_warning, with_caption_ids, with_ids
from scholartools.readers.common.page import (
    Body,
    Box,
    Line,
    Page,
    body_of,
)
from scholartools.readers.common.prose import with_label
from scholartools.readers.common.roles import CHAPTER, heads_references, is_end_matter, role_of
from scholartools.readers.pdf import abstract as abstracts
from scholartools.readers.pdf import columns, coverage, covers, front_matter, line_map, page_furniture, text_order
from scholartools.readers.pdf import (
    footnotes as notes,
)
from scholartools.readers.pdf import (
    paragraphs as prose,
)
from scholartools.readers.pdf import (
    title as front,
)
from scholartools.readers.pdf.abstract import Abstract
from scholartools.readers.pdf.floats import figure_context, figures
from scholartools.readers.pdf.floats.captions import Caption, caption_record, content_record, take_captions
from scholartools.readers.pdf.floats.content import running_text, take_float_content
from scholartools.readers.pdf.footnotes import Note
from scholartools.readers.pdf.sections import heading_levels, heading_styles, headings, run_ins
from scholartools.readers.pdf.sections.headings import Heading
from scholartools.readers.pdf.title import Title
from scholartools.readers.references import ends
from scholartools.readers.references import entries as references
from scholartools.readers.references.links import Links
from scholartools.readers.references.starts import find_unheaded

__all__ = ["build_paper", "role_of"]

_APPENDIX = re.compile(r"appendi(x|ces)\b|anhang\b|annexes?\b", re.IGNORECASE)
_METHODS = re.compile(r"(online |star |materials and )?methods", re.IGNORECASE)
_EMPTY = (
    "The abstract has no text, or it has parts with headings that may be headings of the paper. "
    "The abstract is null, and such parts are in the sections."
)
_ENDED = "the list of references ends above text that does not look like a reference: "
_GOES_ON = re.compile(r"[a-z]{2,}[ ,]")  # beginning of an abstract whose first sentence is not complete
_IN_SENTENCE = re.compile(r"(?:[a-z],?|[-‐–])$")  # ends of an abstract whose last sentence is not complete
_QUOTED = 40  # length of the quotation in a warning, in characters
_FULL = 20  # a line of text has more letters
_ALIKE = 0.6  # maximum difference in size of lines of one bibliography, in points
_APART = ("limitation", "ethics", "acknowledgement", "reference")  # roles that sections keep within an appendix


def build_paper(pages: list[Page], *, title_hint: str = "", author_hint: str = "") -> dict[str, Any]:
    """Build the keys of a paper record; the pages are modified.

    Args:
        pages: at least one page, in order; pages without lines are allowed.
        title_hint: title in the file's metadata; used only if the first page has it, too.
        author_hint: authors in the file's metadata; likewise.

    Returns:
        ``title``, ``authors``, ``abstract``, ``front_matter``, ``sections``, ``references``, ``captions``,
        ``footnotes``, ``warnings``, as :class:`scholartools.schemas.paper.Paper` types them. A caption has
        ``image_bbox``, the box of its float, if the page's graphics are given and the float is found; a footnote has
        its ``mark``. ``lines`` only if the paper has printed line numbers: the spans of the numbered lines.
    """
    if not covers.has_cover(pages):
        return _build_paper(pages, title_hint, author_hint)
    covers.count_pages_from(pages[1:], -1)
    record = covers.with_pages_from(_build_paper(pages[1:], title_hint, author_hint), 1)
    cover = columns.in_order(pages[0].lines)
    record["front_matter"][:0] = front_matter.front_matter_records(cover, vocabulary_of(line.text for line in cover))
    return record


def _build_paper(pages: list[Page], title_hint: str, author_hint: str) -> dict[str, Any]:
    printed = line_map.numbered_lines(pages)
    body, apart = _arrange_text(pages)
    shown = coverage.visible_lines(pages, apart)
    vocabulary = vocabulary_of(line.text for page in pages for line in page.lines)
    title = front.take_title(pages[0], body, title_hint, vocabulary)
    is_title_page = title is not None and len(pages) > 1 and front.is_title_page(pages[0], body)
    parts = _take_apart(pages, body, front.above_text(pages[0], body))
    lines, lists = front_matter.split_contents([line for page in pages for line in page.lines])
    lines = run_ins.split_numbered(lines)
    found = headings.find_headings(lines, body)
    if is_title_page and not any(_is_of_text(one, lines) for one in found):
        found = [one for one in found if lines[one.start].page > 1]
    found = [one for one in found if not _is_of_front(one, lines, body)]
    abstract = _past_translated_title(abstracts.find_abstract(lines, found, body), found)
    starts = _with_references(_body_headings(_join_appendix(found, lines), abstract, lines, body), lines)
    lines, starts = run_ins.open_paragraphs(lines, _outside_references(starts), body)
    starts, doubtful = _past_references(starts, lines)
    text = _Text(lines, starts, body, vocabulary)
    first = abstract.body if abstract else _first_text_line(lines, starts, title, body)
    words, matter = _split_front(text, abstract, first, [line for line in apart if line.page == 1])
    before = _lines_before(lines, abstract, starts) if title else []
    above = [line for line in before if line.page > 1 or line.y1 > title.top] if title else []
    running = " ".join(line.text for line in lines[first:])
    authors = named_by_file(author_hint, find_authors(above, body, running), above)
    over = [line for line in before if line not in above] if not authors else []
    authors = authors or find_authors_above(over) or (find_author_above(over) if is_title_page else [])
    record: dict[str, Any] = {
        "title": title.text if title else None,
        "authors": authors,
        "abstract": words,
        "front_matter": [*matter, *map(front_matter.contents_record, lists)],
        "sections": text.sections(first),
        "references": with_ids("b", text.references({page.number: page.links for page in pages})),
        **_apart_records(parts, vocabulary),
    }
    numbers = line_map.locate_lines(printed, _texts_by_place(record))
    warnings = coverage.missing_text_warnings(shown, record, parts.labels()) + text_order.mixed_text_warnings(pages)
    warnings += [new_warning("references-end", _ENDED + f'"{line.text[:_QUOTED]} ..."', line.page) for line in doubtful]
    if abstract and words and _GOES_ON.match(words):
        told = f'the abstract begins within a sentence, what comes before was not found: "{words[:_QUOTED]} ..."'
        warnings.append(new_warning("abstract-start", told, lines[abstract.start].page))
    if abstract and words and _IN_SENTENCE.search(words):
        told = f'the abstract ends within a sentence, the rest was not found: "... {words[-_QUOTED:]}"'
        warnings.append(new_warning("abstract-end", told, lines[abstract.start].page))
    if abstract and words is None:
        warnings.append(new_warning("empty-abstract", _EMPTY, lines[max(0, abstract.start - 1)].page))
    return {**record, **({"lines": numbers} if numbers else {}), "warnings": warnings}


def _texts_by_place(record: dict[str, Any]) -> dict[str, str]:
    """The texts that spans can refer to, by their names in spans."""
    return {"abstract": record["abstract"] or "", **{one["id"]: one["text"] for one in record["sections"]}}


def _arrange_text(pages: list[Page]) -> tuple[Body, list[Line]]:
    """Remove page furniture and sort the lines into reading order, in place.

    Returns:
        The look of the text, and removed lines that may belong to the text.
    """
    body = body_of(pages)
    apart = page_furniture.strip_furniture(pages, body)
    columns.arrange_pages(pages, body)
    for page in pages:
        columns.arrange_pages(page.sideways, body)
        page.lines = heading_styles.strip_ornaments(page.lines)
    return body_of(pages), apart


def _split_front(
    text: _Text, abstract: Abstract | None, first: int, above: list[Line]
) -> tuple[str | None, list[dict[str, Any]]]:
    """The abstract without key words at its end, and the other front matter before the text's first line."""
    if abstract is None:
        return None, front_matter.front_matter_records([*above, *text.lines[:first]], text.vocabulary)
    words, keywords = abstracts.cut_keywords(_abstract_text(text, abstract))
    beside = [*text.lines[: abstract.start], *text.lines[abstract.end : first]]
    matter = front_matter.front_matter_records([*above, *beside], text.vocabulary)
    if keywords:
        matter.append(front_matter.keywords_record(keywords, text.lines[abstract.start].page))
    return words or None, matter


@dataclass(frozen=True)
class _Parts:
    """Parts of the pages that are removed from the text.

    Attributes:
        captions: captions, in order.
        areas: boxes of their floats by the caption's ``id()``.
        notes: footnotes.
        held: captions, each with the lines in its float.
    """

    captions: list[Caption]
    areas: dict[int, Box]
    notes: list[Note]
    held: list[tuple[Caption, list[Line]]]

    def labels(self) -> dict[int, str]:
        """The label of the float that contains a line, by the line's ``id()``."""
        return {id(line): caption.label for caption, lines in self.held for line in lines}


def _apart_records(parts: _Parts, vocabulary: Vocabulary) -> dict[str, Any]:
    """The keys ``captions`` and ``footnotes`` of the record."""
    held = {id(one): lines for one, lines in parts.held}
    captions = [
        caption_record(one, vocabulary, parts.areas.get(id(one))) | content_record(one, held[id(one)])
        for one in parts.captions
    ]
    return {
        "captions": with_caption_ids(captions, _caption_number),
        "footnotes": [notes.note_record(note, vocabulary) for note in parts.notes],
    }


def _take_apart(pages: list[Page], body: Body, above_text: set[int]) -> _Parts:
    """Remove captions, footnotes and the content of floats from the pages.

    ``above_text`` has the ids of lines above the text of the first page, which are in no float: names and addresses.
    """
    figure_context.strip_repeated(pages)
    views = [view for page in pages for view in (page, *page.sideways)]
    captions = take_captions(views, body)
    kept: list[Note] = []
    held: list[tuple[Caption, list[Line]]] = []
    scenes: list[tuple[Caption, figure_context.FigureContext]] = []
    listed: Body | None = None
    unheaded = _unheaded_entries(pages, body)
    for page, own in zip(views, captions):
        found = notes.take_footnotes(page, body, unheaded | abstracts.later_abstracts(page.lines))
        prose = running_text(page, body) | unheaded | abstracts.labelled_lines(page.lines, body)
        start = next((at for at, line in enumerate(page.lines) if _heads_references(line, body)), None)
        if start is not None and page.lines[start + 1 :]:
            listed = replace(body, size=page.lines[start + 1].size)
        entries = unheaded
        if listed is not None:
            entries = {id(line) for line in page.lines[start or 0 :] if abs(line.size - listed.size) < _ALIKE}
            prose |= running_text(page, listed) & entries
        if page.graphics is not None and own:
            scene = figure_context.context_of(page, own, prose, found, body)
            scenes += [(caption, scene) for caption in own]
        taken = take_float_content(page, own, prose | above_text, body, entries)
        held += taken
        tables = [lines for caption, lines in taken if caption.kind == "table"]
        kept += [*found, *(note for rows in tables for note in notes.under_table(rows, page.rules, body))]
    return _Parts([caption for own in captions for caption in own], figures.find_floats(scenes), kept, held)


def _unheaded_entries(pages: list[Page], body: Body) -> set[int]:
    """The ids of the lines of a bibliography without a heading."""
    lines = [line for page in pages for line in page.lines]
    span = None if any(_heads_references(line, body) for line in lines) else find_unheaded(lines)
    return set(map(id, lines[slice(*span)])) if span else set()


def _heads_references(line: Line, body: Body) -> bool:
    return heads_references(line.text) and headings.looks_like_heading(line, body)


def _body_headings(found: list[Heading], abstract: Abstract | None, lines: list[Line], body: Body) -> list[Heading]:
    """The headings of sections: those after the abstract, or without an abstract those after the front matter."""
    if abstract is not None:
        return [one for one in found if one.start >= abstract.body]
    sure = [
        index
        for index, one in enumerate(found)
        if one.number is not None or role_of(one.words) != "other" or abstracts.stands_over_prose(one, lines, body)
    ]
    return found[sure[0] :] if sure and lines[found[sure[0]].start].page <= 2 else found


def _past_translated_title(abstract: Abstract | None, found: list[Heading]) -> Abstract | None:
    """The abstract with the text after it beginning below the paper's title in the language of a second abstract.

    Such a title looks like headings without text, right above the heading of an abstract.
    """
    after = [one for one in found if abstract is not None and one.start >= abstract.body]
    title = list(takewhile(lambda one: one.number is None and role_of(one.words) == "other", after))
    second = next(iter(after[len(title) :]), None)
    if abstract is None or not title or second is None or role_of(second.words) != "abstract":
        return abstract
    empty = all(one.end == below.start for one, below in pairwise([*title, second]))
    return replace(abstract, body=second.start) if empty and title[0].start == abstract.body else abstract


def _is_of_text(one: Heading, lines: list[Line]) -> bool:
    """Whether a heading on the first page shows that the page is more than a title page."""
    return lines[one.start].page == 1 and (one.number is not None or role_of(one.words) != "other")


def _is_of_front(one: Heading, lines: list[Line], body: Body) -> bool:
    """Whether an apparent heading of the first page is a name or an address, with no text below it."""
    if lines[one.start].page > 1 or one.number is not None or role_of(one.words) != "other":
        return False
    says_who = bool(person_names.names_in(one.words)) or person_names.is_affiliation(one.words)
    below = lines[one.end] if one.end < len(lines) else None
    if not says_who or below is None:
        return False
    is_text = abs(below.size - body.size) < 0.4 and below.letters > _FULL
    return not is_text or person_names.is_affiliation(below.text)


def _join_appendix(starts: list[Heading], lines: list[Line]) -> list[Heading]:
    """Join a heading "Appendix" or "Chapter 3" with the title right below it."""
    joined: list[Heading] = []
    for one in starts:
        above = joined[-1] if joined else None
        label = _label_alone(above) if above is not None else None
        if above is not None and label and _is_right_below(lines, above, one):
            joined[-1] = replace(one, start=above.start, number=label, look=above.look)
        else:
            joined.append(one)
    return joined


def _label_alone(one: Heading) -> str | None:
    """The label of a heading that is only "Appendix" or "Chapter 3"; None if there are more words."""
    if headings.APPENDIX.fullmatch(one.words):
        return "Appendix"
    return one.words if CHAPTER.fullmatch(one.words) else None


def _is_right_below(lines: list[Line], above: Heading, one: Heading) -> bool:
    first, last = lines[one.start], lines[above.end - 1]
    near = first.page == last.page and 0 < first.y0 - last.y0 < 5 * first.size
    return one.start == above.end and near and one.number is None and role_of(one.words) != "reference"


def _with_references(starts: list[Heading], lines: list[Line]) -> list[Heading]:
    """Insert a heading before a bibliography that has none, in place of those within it, and an empty one after it."""
    if any(role_of(one.words) == "reference" for one in starts):
        return starts
    span = find_unheaded(lines)
    if span is None:
        return starts
    first, end = span
    look = headings.NO_LOOK._replace(size=lines[first].size, bold=True)
    others = [one for one in starts if not first <= one.start < end]
    made = [Heading(first, first, None, "References", look)]
    if end < len(lines) and all(one.start != end for one in others):
        made.append(Heading(end, end, None, "", headings.NO_LOOK))
    return sorted([*others, *made], key=lambda one: one.start)


def _lines_before(lines: list[Line], abstract: Abstract | None, starts: list[Heading]) -> list[Line]:
    end = abstract.start if abstract else starts[0].start if starts else min(len(lines), 12)
    return front_of_names(lines[:end])


def _first_text_line(lines: list[Line], starts: list[Heading], title: Title | None, body: Body) -> int:
    """Index of the first line of text in a paper without abstract: its first heading or paragraph, 0 if uncertain."""
    if not title:
        return 0
    end = starts[0].start if starts else len(lines)
    first = abstracts.first_prose(lines, end, body)
    return first if starts or (first < end and lines[first].page == 1) else 0


def _abstract_text(text: _Text, abstract: Abstract) -> str:
    parts = [*(index for index in abstract.parts if index < abstract.end), abstract.end]
    if abstract.parts:
        pieces = (with_label(text.lines[at].text, text.paragraphs(at + 1, to)) for at, to in pairwise(parts))
        return "\n\n".join(pieces)
    words = text.paragraphs(abstract.start, abstract.end)
    return words[len(abstract.label) :].strip() if words.startswith(abstract.label) else words


class _Text:
    """The lines of the text with their headings."""

    def __init__(self, lines: list[Line], starts: list[Heading], body: Body, vocabulary: Vocabulary) -> None:
        self.lines = lines
        self.body = body
        self.vocabulary = vocabulary
        self.edges = prose.edges_of(lines)
        self.starts = heading_levels.with_levels(starts)
        self.appendix = _appendix_start(self.starts, len(lines))

    def paragraphs(self, start: int, end: int) -> str:
        return prose.join_paragraphs(self.lines[start:end], self.body, self.edges, self.vocabulary)

    def sections(self, first: int) -> list[dict[str, Any]]:
        """The sections in order, without the bibliography; text before the first heading has an empty heading."""
        ends = [one.start for one in self.starts[1:]] + [len(self.lines)]
        sections = [
            self._build_section(one, end) for one, end in zip(self.starts, ends) if role_of(one.words) != "reference"
        ]
        before = self.starts[0].start if self.starts else len(self.lines)
        if any(line.letters for line in self.lines[first:before]):
            sections.insert(0, self._build_section(Heading(first, first, None, "", headings.NO_LOOK), before))
        return with_ids("s", sections)

    def _build_section(self, one: Heading, end: int) -> dict[str, Any]:
        last = self.lines[max(one.start, end - 1)].page
        printed = join_lines(self.lines[one.start : one.end], self.vocabulary)
        heading = headings.number_of(printed)[1] if one.number else printed
        if one.number == "Appendix":  # on a separate line
            heading = headings.APPENDIX.sub("", heading, count=1).lstrip(" .:")
        if one.is_run_in:
            heading = heading.rstrip(" .:—–-")
        role = self._role_of(one, printed)
        return {
            "number": one.number,
            "heading": heading.rstrip(":.") if one.number else heading,
            "level": one.level,
            "role": "appendix" if one.start >= self.appendix and role not in _APART else role,
            "pages": [self.lines[one.start].page, last],
            "text": self.paragraphs(one.end, end),
        }

    def _role_of(self, one: Heading, printed: str) -> str:
        """The role by the heading, or by the label of an abstract that opens the text, below a translated title."""
        role = role_of(printed)
        is_empty = any(other.start == one.end for other in self.starts)
        opened = role == "other" and one.end < len(self.lines) and abstracts.label_of(self.lines[one.end])
        return "abstract" if opened and not is_empty else role

    def references(self, links: Links) -> list[dict[str, Any]]:
        ends = [one.start for one in self.starts[1:]] + [len(self.lines)]
        found: list[dict[str, Any]] = []
        for one, end in zip(self.starts, ends):
            if role_of(one.words) == "reference":
                found += references.split_entries(self.lines[one.end : end], self.vocabulary, links)
        return found


def _appendix_start(starts: list[Heading], end: int) -> int:
    """The index of the line where the appendix begins; ``end`` if there is none.

    It begins after the bibliography, at a heading "Appendix", or where the numbering 1, 2, 3 (not within A, B, C) is
    followed by A, B, C. Methods that journals print after the bibliography, and their parts, are not an appendix.
    """
    first = [numbering.path_of(one.number or "")[:1] for one in starts]
    counted = [index for index, part in enumerate(first) if part and part[0].isdigit()]
    within = any(part and part[0].isalpha() for part in first[: max(counted, default=0)])
    past, methods = False, 0
    for index, one in enumerate(starts):
        methods = one.level if _METHODS.fullmatch(one.words) else methods if one.level > methods else 0
        opens = _APPENDIX.match(one.words) or (one.number or "").casefold().startswith("appendix")
        letter = counted and not within and one.number and one.number[0].isalpha()
        if (past and one.words and not methods) or (index > max(counted, default=-1) and (opens or letter)):
            return one.start
        past = past or role_of(one.words) == "reference"
    return end


def _outside_references(starts: list[Heading]) -> list[Heading]:
    """Remove false headings within the bibliography, such as numbered entries and bold volume numbers."""
    kept: list[Heading] = []
    looks = Counter(one.look for one in starts)
    opened: Heading | None = None
    for one in starts:
        if role_of(one.words) == "reference":
            opened = one
        elif opened is not None and not (
            one.look == opened.look or one.look.size > opened.look.size or looks[one.look] > 2
            or not one.words or _APPENDIX.match(one.words) or one.number == "Appendix" or is_end_matter(one.words)
        ):  # fmt: skip
            continue
        kept.append(one)
    return kept


def _past_references(starts: list[Heading], lines: list[Line]) -> tuple[list[Heading], list[Line]]:
    """Insert an empty heading where a bibliography ends above other text; with the lines where this is not certain."""
    made: list[Heading] = []
    doubtful: list[Line] = []
    for one, end in zip(starts, [*(other.start for other in starts[1:]), len(lines)]):
        made.append(one)
        if role_of(one.words) != "reference":
            continue
        found = ends.find_end(lines[one.end : end])
        stop = one.end + found.line
        if one.end < stop < end:
            made.append(Heading(stop, stop, None, "", headings.NO_LOOK))
            doubtful += [] if found.is_told else [lines[stop]]
    return made, doubtful


def _caption_number(caption: dict[str, Any]) -> str:
    """The number in a caption's label, which can be a single word such as "Table1"."""
    return last_number(caption).removeprefix(caption["kind"])
