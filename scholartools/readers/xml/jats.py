"""Read a paper record from a JATS (or older NLM) article: PMC, PLOS, PeerJ, eLife, Frontiers, bioRxiv and others."""

from __future__ import annotations

from collections import Counter
from typing import Any
from xml.etree.ElementTree import Element

from scholartools.errors import InputFault
from scholartools.readers.common.file_types import root_name
from scholartools.readers.common.ids import new_warning, with_caption_ids, with_ids
from scholartools.readers.common.outline import Outline, caption_number
from scholartools.readers.common.prose import closes_sentence, with_label
from scholartools.readers.references.publication import publication_keys
from scholartools.readers.xml import jats_markup
from scholartools.readers.xml import writer as xml_writer
from scholartools.readers.xml.jats_references import reference_records
from scholartools.readers.xml.names import jats_authors
from scholartools.readers.xml.publication import of_jats
from scholartools.readers.xml.unread import UnreadFloats
from scholartools.readers.xml.writer import Writer

_WRAPPERS = frozenset(("article", "pmc-articleset", "OAI-PMH"))
_MAIN_ABSTRACT = frozenset((None, "", "abstract", "section", "sections", "structured", "normal", "main"))
_NO_ABSTRACT = frozenset(("graphical", "teaser", "toc", "key-points", "highlights", "author-highlights", "video"))
# Types of abstracts in journals that mark each part of the abstract as a separate one.
_ABSTRACT_PARTS = frozenset(
    "background introduction objective objectives aim aims purpose methods method design results findings discussion "
    "conclusion conclusions interpretation".split()
)
_APART = jats_markup.CAPTIONED | jats_markup.GROUPS | {"fn"}
_READ_OF_FLOATS = frozenset(("label", "caption", "p", "attrib", "table-wrap-foot"))
_WORDY = 5  # a value with more words than this is a statement, not a code or a date
_REPORTS = frozenset(("reviewer-report", "referee-report"))

# Roles by ``sec-type``, for sections whose heading does not determine the role.
_SECTION_TYPES = {
    "intro": "introduction",
    "introduction": "introduction",
    "methods": "method",
    "materials": "method",
    "subjects": "data",
    "data-availability": "data",
    "results": "result",
    "discussion": "discussion",
    "conclusions": "conclusion",
    "ethics-statement": "ethics",
    "supplementary-material": "appendix",
}


def looks_like(data: bytes) -> bool:
    """Whether the content is an XML file with a JATS article."""
    root = root_name(data)
    plain = data.replace(b"\0", b"")  # the zero bytes of ASCII letters in UTF-16
    return root in _WRAPPERS and (b"article-meta" in plain or b"<front" in plain or root == "pmc-articleset")


def read(data: bytes) -> dict[str, Any]:
    """Read the part of a paper record that a JATS article provides.

    Inline formulas are LaTeX if the file has it, else linearised MathML. Pictures and affiliations are left out, and
    cells of tables with a warning; notes on authors and under tables are footnotes. Reviewer reports published with
    the article become ``reviews``; other sub-articles (decision letters, replies) are left out with a warning.

    Args:
        data: the content of the file.

    Returns:
        ``format``, ``pages`` (None), ``title``, ``authors``, ``abstract``, ``sections``, ``references``, ``captions``,
        ``footnotes``, ``equations`` and ``warnings``, and, if present, ``reviews`` and ``front_matter`` (key words),
        as :class:`scholartools.schemas.paper.Paper` types them.

    Raises:
        InputFault: kind ``unsafe-xml``, ``unreadable`` or ``no-text``.
    """
    article = _find_article(xml_writer.parse_xml(data, format="JATS XML"))
    reader = _Reader(article)
    reader.read_abstracts()
    reader.read_front()
    reader.read_body()
    reader.read_back()
    return reader.record()


def _find_article(root: Element) -> Element:
    """The single article of a file.

    Raises:
        InputFault: there is no article, there are several, or it is not JATS.
    """
    articles = [root] if root.tag == "article" else list(xml_writer.iter_within(root, "article", outside=("article",)))
    if not articles:
        raise InputFault(f'the file has no article: it begins with "{root.tag[:60]}"', kind="unreadable")
    if len(articles) > 1:
        raise InputFault(f"{len(articles)} articles in one file: give one at a time", kind="unreadable")
    if all(articles[0].find(part) is None for part in ("front", "body")):
        raise InputFault("an XML article that is not JATS: it has neither front nor body", kind="unreadable")
    return articles[0]


class _Reader:
    """Collects the parts of one article."""

    def __init__(self, article: Element) -> None:
        self.article = article
        self.meta = xml_writer.find_first(article, "front/article-meta", "front")
        self.outline = Outline()
        self.writer = Writer(jats_markup.ACTIONS)
        self.abstract: str | None = None
        self.front_matter: list[dict[str, Any]] = []
        self.unread = UnreadFloats(jats_markup.ACTIONS, cells="td th entry", notes="fn")
        self.warnings: list[dict[str, Any]] = []

    def read_abstracts(self) -> None:
        """Read the main abstract, which may be in parts; others (author summary, digest) become sections."""
        parts: list[str] = []
        elements = [] if self.meta is None else [*self.meta]
        language = self._language_of_abstract(elements)
        for element in elements:
            kind = element.get("abstract-type")
            is_abstract = element.tag == "abstract"
            if element.tag == "trans-abstract" or (is_abstract and self._language_of(element) != language):
                self.writer.lost[f"abstract in another language ({element.get('lang', 'not named')})"] += 1
            elif element.tag == "abstract" and kind in _MAIN_ABSTRACT and self.abstract is None:
                self.abstract = self._read_abstract(element) or None
            elif element.tag == "abstract" and kind in _NO_ABSTRACT:
                self.writer.lost[f"abstract of type {kind}"] += 1
            elif element.tag == "abstract" and kind in _ABSTRACT_PARTS:
                parts.append(self._read_abstract(element))
            elif element.tag == "abstract":
                self._read_section(element, level=1)
        self.abstract = "\n\n".join(filter(None, [self.abstract, *parts])) or None

    def read_front(self) -> None:
        """Read notes on title and authors, key words and front notes; other statements outside the text are counted."""
        for element in self.meta if self.meta is not None else ():
            if element.tag in ("author-notes", "title-group"):
                self.writer.apart += [one for one in element if one.tag in ("fn", "fn-group", "corresp", "p")]
            elif element.tag == "kwd-group":
                marked = [one for one in element.iter() if one.tag in ("kwd", "compound-kwd")]
                words = "; ".join(filter(None, map(jats_markup.plain_text, marked)))
                words = words or jats_markup.plain_text(element)
                self.front_matter += [{"kind": "keywords", "text": words, "page": None}] if words else []
            elif element.tag in ("funding-group", "supplementary-material", "product"):
                self.writer.lost[f"{element.tag.replace('-', ' ')} outside the text"] += 1
            self.writer.lost["author biography"] += sum(1 for _ in element.iter("bio"))
            long = [one for one in element.iter("meta-value") if len(jats_markup.plain_text(one).split()) > _WORDY]
            self.writer.lost["statement outside the text"] += len(long)
        self.writer.lost = +self.writer.lost
        for element in self.article.iterfind("front/notes"):
            self._read_section(element, level=1)

    def _language_of(self, element: Element) -> str:
        """The main part of ``xml:lang``, such as en of en-GB; the language of the article if there is none."""
        return (element.get("lang") or self.article.get("lang") or "").partition("-")[0].casefold()

    def _language_of_abstract(self, elements: list[Element]) -> str:
        """The language of the article if there is a main abstract in it, else that of the first main abstract."""
        main = (one for one in elements if one.tag == "abstract" and one.get("abstract-type") in _MAIN_ABSTRACT)
        languages = [self._language_of(one) for one in main]
        own = self._language_of(self.article)
        return own if own in languages else next(iter(languages), own)

    def _read_abstract(self, element: Element) -> str:
        """The text of an abstract, with the titles of its parts but without its main title."""
        writer = Writer({**jats_markup.ACTIONS, "title": xml_writer.skip_element})
        xml_writer.write_block(writer, element)
        self.writer.lost += writer.lost
        self.writer.apart += writer.apart
        return writer.prose.text

    def read_body(self) -> None:
        body = self.article.find("body")
        if body is not None:
            self.outline.add("", level=1)
            self._read_blocks(body, level=0)

    def read_back(self) -> None:
        """Read acknowledgements, appendices and other sections after the body; references are read elsewhere."""
        for element in self.article.iterfind("back/*"):
            if element.tag == "app-group":
                for part in element:
                    self._back_section(part)
            else:
                self._back_section(element)
        for group in ("floats-group", "floats-wrap"):
            for element in self.article.iterfind(f"{group}/*"):
                self._back_section(element)

    def _back_section(self, element: Element) -> None:
        if element.tag in _APART:
            self.writer.apart.append(element)
        elif element.tag == "bio":
            self.writer.lost["author biography"] += 1
        elif element.tag == "ref-list":
            self.writer.lost["note in the list of references"] += sum(1 for _ in element.iter("p"))
        elif element.tag not in ("title", "label"):
            role = {"ack": "acknowledgement", "app": "appendix"}.get(element.tag, "other")
            self._read_section(element, level=1, role=role, heading="Acknowledgements" if element.tag == "ack" else "")

    def _read_section(self, element: Element, *, level: int, role: str = "other", heading: str = "") -> None:
        """Read a section and its subsections; a subsection without heading continues the section before it."""
        title = element.find("title")
        printed = self.writer.text_of(jats_markup.without_marks(title)) if title is not None else ""
        printed = printed or (heading if element.find("sec/title") is None else "")
        label = self.writer.text_of(element.find("label"))
        if printed or label or level == 1:
            kinds = (element.get("sec-type") or element.get("notes-type") or "").replace(",", "|").split("|")
            role = next((_SECTION_TYPES[kind] for kind in kinds if kind in _SECTION_TYPES), role)
            self.outline.add(printed or label, number=label if printed else None, level=level, role=role)
        self._read_blocks(element, level)

    def _read_blocks(self, element: Element, level: int) -> None:
        """Read the paragraphs and other blocks of a section, and its subsections."""
        section = self.outline.last()
        heading = element.find("title")
        xml_writer.write_loose(section.prose, element.text)
        for child in element:
            if child.tag in ("sec", "app"):
                self._read_section(child, level=level + 1)
            elif child is not heading and child.tag not in ("label", "sec-meta"):
                self.writer.prose = section.prose
                section.prose.paragraph()
                self.writer.element(child)
                section.prose.paragraph()
            xml_writer.write_loose(section.prose, child.tail)

    def record(self) -> dict[str, Any]:
        """The record of the article.

        Raises:
            InputFault: kind ``no-text``.
        """
        title, authors = self._read_title(), jats_authors(self.meta) if self.meta is not None else []
        captions, footnotes = self._captions_and_footnotes()
        reviews = self._read_reviews()
        sections, equations = self.outline.finish()
        if not sections and not self.abstract:
            raise InputFault("the file has no text: neither an abstract nor a body", kind="no-text")
        if not any(section["text"] for section in sections):
            self.warnings.append(new_warning("no-body", "the file contains only the abstract of the article"))
        self.warnings += xml_writer.loss_warnings(self.writer.lost + self.unread.lost) + self.unread.warnings()
        record = {
            "format": "jats",
            "pages": None,
            "title": title,
            "authors": authors,
            **publication_keys(of_jats(self.article)),
            "abstract": self.abstract,
            "sections": sections,
            "references": with_ids("b", reference_records(self.article)),
            "captions": with_caption_ids(captions, caption_number),
            "footnotes": footnotes,
            "equations": equations,
            "warnings": self.warnings,
        }
        found = {"reviews": reviews, "front_matter": self.front_matter}
        return {**record, **{key: value for key, value in found.items() if value}}

    def _read_title(self) -> str | None:
        group = xml_writer.find_first(self.meta, "title-group", ".")
        title = jats_markup.plain_text(xml_writer.find_first(group, "article-title"))
        subtitle = jats_markup.plain_text(xml_writer.find_first(group, "subtitle"))
        if subtitle and title:
            return f"{title} {subtitle}" if closes_sentence(title) else f"{title}: {subtitle}"
        return title or None

    def _captions_and_footnotes(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Captions and footnotes in order, including footnotes within captions, and the members of groups."""
        captions: list[dict[str, Any]] = []
        footnotes: list[dict[str, Any]] = []
        waiting = self.writer.apart[::-1]
        while waiting:
            element, self.writer.apart = waiting.pop(), []
            if element.tag in jats_markup.CAPTIONED or element.find("caption") is not None:
                captions += self._caption_records(element)
            if element.tag == "table":
                self.writer.apart += self.unread.add_table(element)
            elif element.tag in jats_markup.GROUPS:
                self.writer.apart += [one for one in element if one.tag not in ("caption", "label", "title")]
            elif element.tag in jats_markup.NOTES:
                footnotes += _footnote_records(self.writer, element)
            waiting += self.writer.apart[::-1]
        return captions, footnotes

    def _caption_records(self, element: Element) -> list[dict[str, Any]]:
        """The caption of a figure, table or algorithm; empty if it has neither label nor text."""
        printed = self.writer.text_of(element.find("label"))
        title = self.writer.text_of(element.find("caption/title"))
        words = Writer({**jats_markup.ACTIONS, "title": xml_writer.skip_element})
        parts = [one for one in element if one.tag in ("caption", "p", "attrib")]
        text = " ".join(map(words.text_of, parts)).replace("\n\n", " ")
        self.writer.apart += words.apart
        self.writer.apart += [one for foot in element.iterfind("table-wrap-foot") for one in foot]
        self._set_tables_apart(element)
        whole = " ".join(part for part in (title, text) if part)
        if not printed and not whole:
            return []
        kind = "table" if element.tag.startswith("table-wrap") else "figure"
        is_algorithm = printed.casefold().startswith("algorithm") or element.get("fig-type") == "algorithm"
        kind = "algorithm" if is_algorithm else kind
        printed = f"{kind.title()} {printed}" if printed[:1].isdigit() else printed
        label = printed.rstrip(".:| ") or kind.title()
        return [{"kind": kind, "label": label, "text": with_label(printed, whole), "page": None, "bbox": None}]

    def _set_tables_apart(self, element: Element) -> None:
        """Keep the tables of a float apart (the first of alternatives), and count the words of its other content."""
        if element.tag not in jats_markup.CAPTIONED:
            return
        for part in element:
            table = part if part.tag == "table" else part.find("table") if part.tag == "alternatives" else None
            if table is not None:
                self.writer.apart.append(table)
            elif part.tag not in _READ_OF_FLOATS:
                self.writer.apart += self.unread.add_beside([part])

    def _read_reviews(self) -> list[dict[str, Any]]:
        """The published reviewer reports; other sub-articles are counted as left out."""
        found: list[dict[str, Any]] = []
        kinds: Counter[str] = Counter()
        for element in [*self.article.iterfind("sub-article"), *self.article.iterfind("response")]:
            kind = element.get("article-type") or element.get("response-type") or "sub-article"
            writer = Writer(jats_markup.ACTIONS)
            text = writer.text_of(element.find("body")) if kind in _REPORTS else ""
            if text:
                found.append({"text": text})
                kinds[f"figure, table or note of a {kind} published with the article"] += len(writer.apart)
            else:
                kinds[f"{kind} published with the article"] += 1
        self.writer.lost += +kinds
        return with_ids("r", found)


def _footnote_records(writer: Writer, element: Element) -> list[dict[str, Any]]:
    label = writer.text_of(element.find("label"))
    text = writer.text_of(element)
    return [{"text": f"{label} {text}".strip(), "page": None}] if text else []
