"""Safe parsing of XML, and conversion of its mixed content to prose, shared by the TEI and JATS readers."""

from __future__ import annotations

import html.entities
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from scholartools.errors import InputFault
from scholartools.readers.common.ids import new_warning
from scholartools.readers.common.prose import Prose
from scholartools.readers.xml import mathml

DEEPEST = 150  # maximum depth of nested elements; papers stay below 60, including mathematics

_NAMED = {name.rstrip(";"): text for name, text in html.entities.html5.items()}

Action = Callable[["Writer", Element], None]


def parse_xml(data: bytes, *, format: str) -> Element:
    """Parse XML and return its root; namespaces are removed from names. No external resources are read.

    A document type with a public identifier is accepted but not fetched; the entities of HTML, which include those
    used in JATS files, are defined.

    Raises:
        InputFault: kind ``unsafe-xml`` (declares entities, or nests too deep), or ``unreadable`` (not well-formed).
    """
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    if not data.strip(b"\0 \t\r\n\xef\xbb\xbf"):
        raise InputFault(f"an empty file, not {format}", kind="unreadable")
    parser = DefusedXMLParser(target=_Builder(), forbid_dtd=False, forbid_entities=True, forbid_external=True)
    parser.parser.UseForeignDTD(True)  # undeclared entities are looked up in ``parser.entity`` instead of being errors
    parser.entity.update(_NAMED)
    try:
        parser.feed(data)
        return parser.close()
    except DefusedXmlException as error:
        what = "declares entities" if type(error).__name__ == "EntitiesForbidden" else "refers to other files"
        raise InputFault(f"unsafe XML: it {what}, which can be used to attack its readers", kind="unsafe-xml") from None
    except (ParseError, ValueError, LookupError) as error:
        raise InputFault(f"not well-formed XML: {str(error)[:200]}", kind="unreadable") from None


class _Builder(TreeBuilder):
    """Builds the tree without namespaces, and limits its depth."""

    def __init__(self) -> None:
        super().__init__()
        self._depth = 0

    def start(self, tag: str, attrs: dict[str, str]) -> Element:  # type: ignore[override]
        self._depth += 1
        if self._depth > DEEPEST:
            raise InputFault(f"unsafe XML: elements nested more than {DEEPEST} deep", kind="unsafe-xml")
        return super().start(_local_name(tag), {_local_name(name): value for name, value in attrs.items()})

    def end(self, tag: str) -> Element:
        self._depth -= 1
        return super().end(_local_name(tag))


def _local_name(name: str) -> str:
    return name.rpartition("}")[2]


class Writer:
    """Writes the mixed content of elements as prose, by a table of actions per element name.

    Attributes:
        prose: the output.
        apart: elements that are kept apart from the text (figures, tables, footnotes), in order.
        lost: counts of content that cannot be written as text, by description.
    """

    def __init__(self, actions: Mapping[str, Action], prose: Prose | None = None) -> None:
        self.actions = actions
        self.prose = prose or Prose()
        self.apart: list[Element] = []
        self.lost: Counter[str] = Counter()

    def element(self, element: Element) -> None:
        """Write one element by its action; for elements without an action, write the content."""
        self.actions.get(element.tag, Writer.inside)(self, element)

    def inside(self, element: Element) -> None:
        """Write the text and the children of an element."""
        self.prose.write(element.text)
        for child in element:
            self.element(child)
            self.prose.write(child.tail)

    def text_of(self, element: Element | None) -> str:
        """The text of an element alone; figures, tables and notes in it are still added to ``apart``."""
        if element is None:
            return ""
        whole, self.prose = self.prose, Prose()
        self.inside(element)
        text, self.prose = self.prose.text, whole
        return text


def skip_element(writer: Writer, element: Element) -> None:
    """Leave the element out."""


def write_block(writer: Writer, element: Element) -> None:
    """Write the element as one or more paragraphs."""
    writer.prose.paragraph()
    writer.inside(element)
    writer.prose.paragraph()


def write_loose(prose: Prose, text: str | None) -> None:
    """Write text between blocks as a paragraph."""
    if text and text.strip():
        prose.paragraph()
        prose.write(text)
        prose.paragraph()


def write_space(writer: Writer, element: Element) -> None:
    """Write a space, for a line or page break."""
    writer.prose.space()


def write_word(writer: Writer, element: Element) -> None:
    """Write the element, separated by a space from the text before it."""
    writer.prose.space()
    writer.inside(element)


def write_superscript(writer: Writer, element: Element) -> None:
    """Write a superscript."""
    writer.prose.shift("^")
    writer.inside(element)
    writer.prose.shift("")


def write_subscript(writer: Writer, element: Element) -> None:
    """Write a subscript."""
    writer.prose.shift("_")
    writer.inside(element)
    writer.prose.shift("")


def keep_apart(writer: Writer, element: Element) -> None:
    """Keep the element apart from the text."""
    writer.apart.append(element)


def write_math(writer: Writer, element: Element) -> None:
    """Write MathML as linear text."""
    writer.prose.write(mathml.text_of(element))


def action_table(*groups: tuple[Action, str]) -> dict[str, Action]:
    """A table of actions from (action, names of elements separated by spaces)."""
    return {name: action for action, names in groups for name in names.split()}


def find_first(element: Element | None, *paths: str) -> Element | None:
    """The first element that one of the paths finds, tried in order."""
    if element is None:
        return None
    return next((found for path in paths if (found := element.find(path)) is not None), None)


def iter_within(element: Element, name: str, *, outside: Iterable[str] = ()) -> Iterator[Element]:
    """Descendants with a tag in document order, without descending into elements with a tag of ``outside``."""
    stopped = frozenset(outside)
    for child in element:
        if child.tag == name:
            yield child
        if child.tag not in stopped:
            yield from iter_within(child, name, outside=stopped)


def loss_warnings(lost: Counter[str]) -> list[dict[str, Any]]:
    """Warnings about content of the file that is not in the record."""
    return [
        new_warning("left-out", f"{name} ({count} times)" if count > 1 else name)
        for name, count in sorted(lost.items())
    ]
