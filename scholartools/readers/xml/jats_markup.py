"""Actions of JATS elements: how their content is written as prose."""

from __future__ import annotations

import re
from copy import copy
from xml.etree.ElementTree import Element

from scholartools.readers.common.prose import with_label
from scholartools.readers.xml import mathml
from scholartools.readers.xml import writer as xml_writer
from scholartools.readers.xml.writer import Action, Writer

CAPTIONED = frozenset(("fig", "table-wrap"))
GROUPS = frozenset(("fig-group", "table-wrap-group", "fn-group"))
NOTES = frozenset(("fn", "corresp", "p", "attrib"))  # on authors, and under tables

_MARKED = ("bibr", "fn", "table-fn")  # types of references whose marks are no words of a heading
_MARKS = re.compile(r"[\d\s,;*†‡§–-]+")
_DOI_LINE = re.compile(r"DOI: ?https?://\S+")
_BULLETS = {"order": "{}.", "ordered": "{}.", "number": "{}.", "bullet": "•", "unordered": "•"}


def plain_text(element: Element | None) -> str:
    """The text of a title or name on one line, without footnotes and footnote marks."""
    actions = {**ACTIONS, "xref": _unless_footnote, "fn": xml_writer.skip_element}
    return " ".join(Writer(actions).text_of(element).split())


def without_marks(title: Element) -> Element:
    """A heading without the marks of citations and notes that are glued to its words or raised ("Methods12")."""
    kept = Element(title.tag)
    kept.text = title.text
    for child in map(copy, title):
        last = kept[-1] if len(kept) else None
        before = (kept.text if last is None else last.tail) or ""
        if not _is_mark(child, before):
            kept.append(child)
        elif last is None:
            kept.text = before + (child.tail or "")
        else:
            last.tail = before + (child.tail or "")
    return kept


def _is_mark(element: Element, before: str) -> bool:
    reference = element if element.tag == "xref" else element.find("xref") if element.tag == "sup" else None
    if reference is None or reference.get("ref-type") not in _MARKED:
        return False
    raised = element.tag == "sup" or element.find("sup") is not None
    glued = before[-1:].isalnum() or before[-1:] in (")", "”", "")
    return (raised or glued) and _MARKS.fullmatch("".join(element.itertext())) is not None


def write_titled(writer: Writer, element: Element) -> None:
    """Write a part with its label or title run in: ``Background: text``, ``Theorem 2. text``."""
    label, title = (Writer(ACTIONS).text_of(element.find(part)) for part in ("label", "title"))
    heading = " ".join(part for part in (label, title) if part)
    writer.prose.item(with_label(heading, " ").strip())
    writer.prose.write(element.text or "")
    for child in element:
        if child.tag != "title":
            writer.element(child)
            writer.prose.paragraph()
        if child.tail and child.tail.strip():
            writer.prose.write(child.tail)
            writer.prose.paragraph()


def _write_paragraph(writer: Writer, element: Element) -> None:
    """Write a paragraph, unless it only repeats the DOI of the object that contains it."""
    if len(element) < 3 and _DOI_LINE.fullmatch(" ".join("".join(element.itertext()).split())):
        return
    xml_writer.write_block(writer, element)


def _write_list(writer: Writer, element: Element) -> None:
    """Write the items as separate paragraphs, with their printed labels."""
    writer.prose.item(Writer(ACTIONS).text_of(element.find("title")))
    writer.prose.paragraph()
    mark = _BULLETS.get(element.get("list-type") or "", "")
    for index, item in enumerate(element.iterfind("list-item"), 1):
        label = Writer(ACTIONS).text_of(item.find("label"))
        writer.prose.item(label or mark.format(index))
        writer.inside(item)
        writer.prose.paragraph()


def _write_definition(writer: Writer, element: Element) -> None:
    term = Writer(ACTIONS).text_of(element.find("term"))
    writer.prose.item(with_label(term, " ").strip())
    for part in element.iterfind("def"):
        writer.inside(part)
    writer.prose.paragraph()


def _write_material(writer: Writer, element: Element) -> None:
    """Write the label and caption of supplementary files and videos as a paragraph."""
    writer.prose.item(Writer(ACTIONS).text_of(element.find("label")))
    for part in element.iterfind("caption"):
        writer.inside(part)
    writer.prose.paragraph()


def _formula_latex(element: Element) -> str:
    """The LaTeX of a formula; "" if the file has none."""
    tex = next(element.iter("tex-math"), None)
    if tex is None:
        tex = next((one for one in element.iter("annotation") if "tex" in (one.get("encoding") or "").casefold()), None)
    return mathml.latex_of("".join(tex.itertext())) if tex is not None else ""


def _inline_formula(writer: Writer, element: Element) -> None:
    if tex := _formula_latex(element):
        writer.prose.write(tex)
    elif next(element.iter("math"), None) is None and not "".join(element.itertext()).strip():
        writer.lost["formula that is only a picture"] += 1
    else:
        writer.inside(element)


def _display_formula(writer: Writer, element: Element) -> None:
    label = Writer(ACTIONS).text_of(element.find("label")) or None
    tex = _formula_latex(element)
    text = tex or " ".join(Writer(ACTIONS).text_of(element).split())
    if text:
        writer.prose.formula(text, latex=tex or None, label=label)
    else:
        writer.lost["formula that is only a picture"] += 1


def _write_alternative(writer: Writer, element: Element) -> None:
    """Write the first alternative that has text."""
    for child in element:
        if "".join(child.itertext()).strip():
            writer.element(child)
            return


def _unless_footnote(writer: Writer, element: Element) -> None:
    if element.get("ref-type") not in ("fn", "corresp", "aff", "author-notes"):
        writer.inside(element)


ACTIONS: dict[str, Action] = {
    **xml_writer.action_table(
        (_write_paragraph, "p"),
        (xml_writer.write_block, "disp-quote verse-group verse-line speech title attrib preformat code "
                     "disp-formula-group license-p"),
        (write_titled, "sec boxed-text statement def-list"),
        (xml_writer.keep_apart, "fig table-wrap fig-group table-wrap-group fn fn-group table"),
        (xml_writer.skip_element, "graphic inline-graphic inline-supplementary-material object-id "
                    "ref-list permissions alt-text long-desc index-term private-char kwd-group related-object "
                    "sub-article response contrib-group label"),
        (xml_writer.write_space, "break hr"),
        (xml_writer.write_superscript, "sup"),
        (xml_writer.write_subscript, "sub"),
        (xml_writer.write_math, "math"),
        (_inline_formula, "inline-formula"),
        (_display_formula, "disp-formula"),
        (_write_alternative, "alternatives"),
        (_write_list, "list"),
        (_write_definition, "def-item"),
        (_write_material, "supplementary-material media"),
    ),
    "tex-math": lambda writer, element: writer.prose.write(mathml.latex_of("".join(element.itertext()))),
}  # fmt: skip
