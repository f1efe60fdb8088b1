"""Read a paper record from a TEI document, as written by GROBID."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element

from scholartools.errors import InputFault
from scholartools.readers.common.file_types import root_name
from scholartools.readers.common.ids import new_warning, with_caption_ids, with_ids
from scholartools.readers.common.outline import Outline, caption_number
from scholartools.readers.common.prose import with_label
from scholartools.readers.references.publication import publication_keys
from scholartools.readers.xml import mathml
from scholartools.readers.xml import writer as xml_writer
from scholartools.readers.xml.names import tei_name
from scholartools.readers.xml.publication import of_tei
from scholartools.readers.xml.tei_references import reference_records
from scholartools.readers.xml.unread import UnreadFloats
from scholartools.readers.xml.writer import Action, Writer

# Roles of parts after the body whose heading does not determine the role.
_BACK_ROLES = {
    "acknowledgement": "acknowledgement",
    "acknowledgements": "acknowledgement",
    "funding": "acknowledgement",
    "contribution": "acknowledgement",
    "conflict": "acknowledgement",
    "availability": "data",
    "annex": "appendix",
    "appendix": "appendix",
}
_LABEL = re.compile(
    r"(?:extended data |supplementary )?(fig(?:ure|\.)?|table|tab\.|algorithm)\s*([A-Z]?\d[\w.]*|[IVX]+|[A-Z]\b)?", re.I
)
_DIVISIONS = frozenset(("div", *(f"div{level}" for level in range(8))))
_READ_OF_FLOATS = frozenset(("head", "label", "figDesc"))
_LOOSE_DOT = re.compile(r" ([.:])$")
_TEX = frozenset(("tex", "latex", "TeX", "LaTeX"))
_Place = tuple[int, list[float]]  # page, and box x0, y0, x1, y1 in points


def looks_like(data: bytes) -> bool:
    """Whether the content is a TEI document."""
    return root_name(data) in ("TEI", "teiCorpus", "TEI.2")


def read(data: bytes) -> dict[str, Any]:
    """Read the part of a paper record that a TEI document provides.

    Pages and boxes come from ``coords``, if present; the box of a caption is that of its figure or table. GROBID does
    not nest sections: their levels follow from their numbers, and without numbers all are at the top level. Notes of
    figures and tables are footnotes; cells of tables are left out with a warning.

    Args:
        data: the content of the file.

    Returns:
        ``format``, ``pages`` (None), ``title``, ``authors``, ``abstract``, ``sections``, ``references``, ``captions``,
        ``footnotes``, ``equations`` (formulas whose notation is TeX) and ``warnings``, as
        :class:`scholartools.schemas.paper.Paper` types them.

    Raises:
        InputFault: kind ``unsafe-xml``, ``unreadable`` or ``no-text``.
    """
    root = xml_writer.parse_xml(data, format="TEI XML")
    if root.tag == "teiCorpus" or len(documents := list(root.iter("TEI"))) > 1:
        raise InputFault("several documents in one TEI file: give one at a time", kind="unreadable")
    if root.tag not in ("TEI", "TEI.2") and not documents:
        raise InputFault(f'not TEI: the file begins with "{root.tag[:60]}"', kind="unreadable")
    if root.find(".//text/group") is not None:
        raise InputFault("several texts in a group of one TEI file: give one at a time", kind="unreadable")
    reader = _Reader(documents[0] if documents else root)
    reader.read_text()
    return reader.record()


class _Reader:
    """Collects the parts of one document."""

    def __init__(self, document: Element) -> None:
        self.document = document
        self.outline = Outline()
        self.writer = Writer(ACTIONS)
        self.unread = UnreadFloats(ACTIONS, cells="cell", notes="note", caption="head")

    def read_text(self) -> None:
        """Read the sections of body and back, and divisions in the front or directly in the text."""
        loose = Element("body")
        loose.extend(one for one in self.document.iterfind("text/front/*") if one.tag in _DIVISIONS)
        loose.extend(one for one in self.document.iterfind("text/*") if one.tag not in ("front", "body", "back"))
        for part in (loose, *self.document.findall("text/body"), *self.document.findall("text/back")):
            self._read_blocks(part, level=0, role="other")

    def _read_blocks(self, parent: Element, *, level: int, role: str) -> None:
        """Read blocks into the current section; each ``div`` with a head starts a new section."""
        heading = parent.find("head")
        xml_writer.write_loose(self.outline.last().prose, parent.text)
        for element in parent:
            if element.tag in _DIVISIONS:
                self._read_division(element, level, _BACK_ROLES.get(element.get("type", ""), role))
            elif element.tag != "listBibl" and (element is not heading or parent.tag not in _DIVISIONS):
                section = self.outline.last()
                self.writer.prose = section.prose
                section.prose.paragraph()
                self.writer.element(element)
                section.prose.paragraph()
                if element.tag not in ("figure", "note"):
                    section.pages = _page_extent(section.pages, element)
            xml_writer.write_loose(self.outline.last().prose, element.tail)

    def _read_division(self, element: Element, level: int, role: str) -> None:
        if element.get("type") in ("references", "bibliography", "abstract"):
            return
        head = element.find("head")
        printed = self.writer.text_of(head).replace("\n\n", " ")
        heads_none = role != "other" and element.find("div") is None
        own = level + 1 if level else 0
        if printed or heads_none:
            number = head.get("n") if head is not None else None
            section = self.outline.add(printed, number=number, level=own, role=role)
            section.pages = _page_extent([], head) if head is not None else []
        # Only divisions within one with a heading are subsections; GROBID wraps those of the back in one without.
        self._read_blocks(element, level=(own or 1) if printed else level, role=role)

    def record(self) -> dict[str, Any]:
        """The record of the document.

        Raises:
            InputFault: kind ``no-text``.
        """
        abstract = self._read_abstract()
        captions, footnotes = self._captions_and_footnotes()
        sections, equations = self.outline.finish()
        if not sections and not abstract:
            raise InputFault("no text in it: neither an abstract nor a body", kind="no-text")
        warnings = xml_writer.loss_warnings(self.writer.lost + self.unread.lost) + self.unread.warnings()
        if not any(section["text"] for section in sections):
            warnings.append(new_warning("no-body", "the file contains only the abstract of the paper"))
        return {
            "format": "tei",
            "pages": None,
            "title": self._read_title(),
            "authors": self._read_authors(),
            **publication_keys(of_tei(self.document)),
            "abstract": abstract,
            "sections": sections,
            "references": with_ids("b", reference_records(self.document)),
            "captions": with_caption_ids(captions, caption_number),
            "footnotes": footnotes,
            "equations": equations,
            "warnings": warnings,
        }

    def _read_title(self) -> str | None:
        titles = (
            *self.document.iterfind("teiHeader//analytic/title"),
            *self.document.iterfind("teiHeader//titleStmt/title"),
        )
        texts = [Writer(ACTIONS).text_of(title) for title in titles if title.get("type") in (None, "", "main")]
        return next((" ".join(text.split()) for text in texts if text), None)

    def _read_authors(self) -> list[str]:
        for place in ("teiHeader//sourceDesc//analytic/author", "teiHeader//titleStmt/author"):
            if names := [name for author in self.document.iterfind(place) if (name := tei_name(author))]:
                return names
        return []

    def _read_abstract(self) -> str | None:
        """The paragraphs of the abstract, with the heads of its parts run in."""
        paths = ("teiHeader//abstract", "text/front//div[@type='abstract']", "text//div[@type='abstract']")
        places = (one for path in paths if (one := self.document.find(path)) is not None)
        found = next((one for one in places if "".join(one.itertext()).strip()), None)
        if found is None:
            return None
        writer = Writer({**ACTIONS, "div": _write_titled, "head": xml_writer.skip_element})
        writer.inside(found)
        self.writer.apart += writer.apart
        return writer.prose.text or None

    def _captions_and_footnotes(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        captions: list[dict[str, Any]] = []
        footnotes: list[dict[str, Any]] = []
        waiting = self.writer.apart[::-1]
        while waiting:
            element, self.writer.apart = waiting.pop(), []
            if element.tag in ("figure", "table"):
                captions += _caption_records(self.writer, element)
                self._set_tables_apart(element)
            elif text := self.writer.text_of(element).replace("\n\n", " "):
                mark = element.get("n", "")
                place = _place_of(element)
                footnotes.append({"text": f"{mark} {text}".strip(), "page": place[0] if place else None})
            waiting += self.writer.apart[::-1]
        return captions, footnotes

    def _set_tables_apart(self, element: Element) -> None:
        """Keep the tables and notes of a float apart, and count the words of its other content."""
        if element.tag == "table":
            self.writer.apart += self.unread.add_table(element)
            return
        for part in element:
            if part.tag in ("table", "note"):
                self.writer.apart.append(part)
            elif part.tag not in _READ_OF_FLOATS:
                self.writer.apart += self.unread.add_beside([part])


def _write_titled(writer: Writer, element: Element) -> None:
    """Write a part of a structured abstract: ``Background: text``."""
    head = Writer(ACTIONS).text_of(element.find("head"))
    writer.prose.item("" if head.casefold() == "abstract" else with_label(head, " ").strip())
    writer.inside(element)
    writer.prose.paragraph()


def _caption_records(writer: Writer, element: Element) -> list[dict[str, Any]]:
    """The caption of a figure or table; empty if it has no text."""
    head, label, words = (writer.text_of(element.find(part)) for part in ("head", "label", "figDesc"))
    head = _LOOSE_DOT.sub(r"\1", head)
    text = words if words.startswith(head) else f"{head} {words}" if _is_cut(head) else with_label(head, words)
    if not text:
        return []
    kind = "table" if "table" in (element.tag, element.get("type")) else "figure"
    found = _LABEL.match(text)
    kind = "algorithm" if found and found[1].casefold() == "algorithm" else kind
    named = found[0].rstrip(" .") if found and found[2] else f"{kind.title()} {label}".strip()
    place = _place_of(element)
    return [
        {
            "kind": kind,
            "label": named,
            "text": text.replace("\n\n", " "),
            "page": place[0] if place else None,
            "bbox": place[1] if place else None,
        }
    ]


def _is_cut(head: str) -> bool:
    """Whether a head has a label followed by the start of the caption: ``Fig. 2 Results of``."""
    label = _LABEL.match(head)
    return label is not None and label.end() < len(head.rstrip(" .:"))


def _parse_boxes(element: Element) -> list[_Place]:
    """The valid boxes in ``coords`` (page, x, y, width, height; in points from the top left)."""
    boxes = []
    for part in (element.get("coords") or "").split(";"):
        try:
            page, x, y, width, height = (float(number) for number in part.split(","))
        except ValueError:
            continue
        if page >= 1 and width >= 0 and height >= 0 and max(page, x, y, width, height) < 1e6:
            boxes.append((int(page), [x, y, x + width, y + height]))
    return boxes


def _place_of(element: Element) -> _Place | None:
    """The page on which an element starts, and the bounding box of its parts there."""
    boxes = _parse_boxes(element)
    if not boxes:
        return None
    page = boxes[0][0]
    x0, y0, x1, y1 = zip(*(box for number, box in boxes if number == page))
    return page, [round(edge, 2) for edge in (min(x0), min(y0), max(x1), max(y1))]


def _page_extent(pages: list[int], element: Element) -> list[int]:
    """Extend the (first, last) pages by those of an element and its descendants."""
    found = pages + [page for part in element.iter() if part.get("coords") for page, _ in _parse_boxes(part)]
    return [min(found), max(found)] if found else []


def _write_formula(writer: Writer, element: Element) -> None:
    """Write a formula: LaTeX if its notation is TeX, else its characters in reading order, as GROBID provides them."""
    label = Writer(ACTIONS).text_of(element.find("label")) or None
    text = Writer({**ACTIONS, "label": xml_writer.skip_element}).text_of(element)
    is_tex = element.get("notation") in _TEX
    text = mathml.latex_of(text) if is_tex else " ".join(text.split())
    if text and element.get("rend") == "inline":
        writer.prose.write(text)
    elif text:
        writer.prose.formula(text, latex=text if is_tex else None, label=label)


def _write_list(writer: Writer, element: Element) -> None:
    ordered = "ordered" in (element.get("type"), element.get("rend"))
    for index, item in enumerate(element.iterfind("item"), 1):
        writer.prose.item(f"{index}." if ordered else "")
        writer.prose.paragraph()
        writer.inside(item)
        writer.prose.paragraph()


def _write_highlighted(writer: Writer, element: Element) -> None:
    """Write superscripts and subscripts, by the attribute ``rend``."""
    rend = element.get("rend") or ""
    action = (
        xml_writer.write_superscript
        if rend.startswith("sup")
        else xml_writer.write_subscript
        if rend.startswith("sub")
        else Writer.inside
    )
    action(writer, element)


def _write_note(writer: Writer, element: Element) -> None:
    """Keep footnotes apart; write other notes into the text."""
    (xml_writer.keep_apart if element.get("place") in ("foot", "end", "bottom") else xml_writer.write_block)(
        writer, element
    )


def _line_break(writer: Writer, element: Element) -> None:
    if element.get("break") != "no":
        writer.prose.space()


ACTIONS: dict[str, Action] = xml_writer.action_table(
    (xml_writer.write_block, "p ab quote head lg l div figDesc"),
    (xml_writer.write_word, "s"),
    (xml_writer.keep_apart, "figure table"),
    (xml_writer.skip_element, "listBibl graphic sic orig fw"),
    (_line_break, "lb pb cb"),
    (xml_writer.write_math, "math"),
    (_write_formula, "formula"),
    (_write_list, "list"),
    (_write_highlighted, "hi"),
    (_write_note, "note"),
)
