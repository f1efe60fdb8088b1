"""The bibliography of a LaTeX source: entries of a ``.bbl`` file, of the document itself, or of ``.bib`` files."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from scholartools.readers.latex.bibtex_names import Person, are_well_formed, split_names
from scholartools.readers.latex.cross_references import Label
from scholartools.readers.latex.document.output import Rendered
from scholartools.readers.references import entries as references
from scholartools.readers.references.identifiers import without_identifiers

_LONGEST = 400  # a tenth of the maximum length of an entry's field, in characters
_MOST = 5_000  # maximum number of entries
_LABEL = re.compile(r"([^()]{1,300})\((\d{4}[a-z]?|n\.d\.|[^()]{0,20})\)")
_CITE_LABEL = re.compile(
    r"\\(?:cite(?:author)?year|citename|astroncite|BCAY)\s*+\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}\s*+"
    r"(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}\s*+)??(?:[{\s]|\\(?:protect|APACyear))*+(\d{4}[a-z]?)"
)
_LINKED_DOI = re.compile(r"(?:doi\.org/|\\doibase ?)(10\.\d{4,9}/[^\s\"<>]+)")
_LINKED_ARXIV = re.compile(r"arxiv\.org/(?:abs|pdf)/(\d{4}\.\d{4,5}|[a-z.-]{2,15}/\d{7})", re.IGNORECASE)
_ENTRY = re.compile(r"\\entry\{([^{}\n]{1,200})\}\{([^{}\n]{1,40})\}")
_FIELD = re.compile(r"\\field\{(\w+)\}\{")
_VERB = re.compile(r"\\verb\{(\w+)\}\s*\n\s*\\verb ([^\n]{1,500})\n")
_NAME_LIST = re.compile(r"\\name\{(author|editor)\}")
_NAME_PART = re.compile(r"\b(family|given|prefix|suffix)=\{")
_UNSORTED = re.compile(
    r"unsrt|ieee|abbrvunsrt|ieeetr|nature|naturemag|vancouver|apsrev|aip|elsarticle-num|sorting=none"
)
_WORD = re.compile(r"[^\W\d_]+")
_IDENTIFIERS = frozenset(("doi", "url", "issn", "isbn", "arxiv"))
_DRAWN = re.compile(r"[,.]\s")  # begins an entry that draws a rule for the authors of the previous one (``\\bysame``)
_VENUE_FIELDS = ("journal", "journaltitle", "booktitle")
_JOURNAL_FIELDS = ("journal", "journaltitle", "booktitle", "school", "institution", "publisher", "howpublished", "note")

TextOf = Callable[[str], str]  # LaTeX source to plain text


@dataclass
class Reference:
    """An entry: its key, the record without id, and the parts of its citation label."""

    key: str
    record: dict[str, Any]
    names: str | None = None
    year: str | None = None
    label: str | None = None  # a printed number or short name


@dataclass
class Fields:
    """An entry of a bibliography database: its fields, and its authors or else its editors, as LaTeX source.

    Attributes:
        are_authors: whether the people are authors, and marked as the format prescribes.
    """

    key: str
    fields: dict[str, str]
    people: list[Person] = field(default_factory=list)
    are_authors: bool = False


def from_item(key: str, label: str | None, rendered: Rendered, text_of: TextOf) -> Reference:
    """The reference of ``\\bibitem[label]{key} text``.

    Args:
        label: LaTeX source of the label; None if there is none.
        rendered: the text, with marks at the start of its blocks and named parts.
    """
    dash = "———" if _DRAWN.match(rendered.text) else ""
    record = references.parse_entry(dash + rendered.text)
    links = " ".join(name[5:] for name, _ in rendered.marks if name.startswith("link:"))
    if record["doi"] is None and (found := _LINKED_DOI.search(links)):
        record["doi"] = found[1].rstrip(".,;)]}")
    if record["arxiv"] is None and (found := _LINKED_ARXIV.search(links)):
        record["arxiv"] = found[1]
    record |= _by_marks(rendered, record)
    names, year, short = _label_parts(label, text_of) if label else (None, None, None)
    return Reference(key, {**record, "key": key}, names, year, short)


def _by_marks(rendered: Rendered, guessed: dict[str, Any]) -> dict[str, Any]:
    """Title and year from marks, else as guessed; no title if the parts are marked and none is a title.

    Without a mark, the second block is the title, since styles put authors, title and the rest into blocks. Some styles
    have a single block for all of these, and a second one for identifiers only.
    """
    year = re.search(r"\d{4}", _part_of_name(rendered, "year") or "")
    title = _part_of_name(rendered, "title")
    blocks = [at for name, at in rendered.marks if name == "block"]
    if title is None and blocks:
        second = rendered.text[blocks[0] : blocks[1] if len(blocks) > 1 else None]
        words = map(str.casefold, _WORD.findall(without_identifiers(second)))
        title = second if not _IDENTIFIERS.issuperset(words) else None
    named = any(name == "author" for name, _ in rendered.marks)
    title = (title or "").strip(' .,“”"') or (None if named else guessed["title"])
    return {"title": title, "year": int(year[0]) if year else guessed["year"]}


def _part_of_name(rendered: Rendered, name: str) -> str | None:
    """The first part of a reference that is marked with a name."""
    starts = [at for mark, at in rendered.marks if mark == name]
    ends = [at for mark, at in rendered.marks if mark == f"/{name}"]
    return rendered.text[starts[0] : ends[0]] if starts and ends else None


def _label_parts(label: str, text_of: TextOf) -> tuple[str | None, str | None, str | None]:
    """(names, year, None) of an author-year label, else (None, None, label)."""
    if found := _CITE_LABEL.search(label[:2000]):
        return text_of(found[1]).strip(" ,"), found[2], None
    plain = text_of(label[:2000])
    found = _LABEL.match(plain)
    if found and found[2][:1].isdigit():
        return found[1].strip(" ,"), found[2], None
    return None, None, plain.strip("[] ") or None


def from_biblatex(text: str, text_of: TextOf) -> list[Reference]:
    """The entries of a ``.bbl`` file written by biblatex."""
    starts = [*_ENTRY.finditer(text)][:_MOST]
    found: dict[str, Fields] = {}
    for start, end in zip(starts, [one.start() for one in starts[1:]] + [len(text)]):
        block = text[start.end() : end].partition("\\endentry")[0]
        fields = {one[1].casefold(): _braced_value(block, one.end()) for one in _FIELD.finditer(block)}
        fields |= {one[1].casefold(): one[2].strip() for one in _VERB.finditer(block)}
        if "journaltitle" in fields:
            fields["journal"] = fields["journaltitle"]
        listed = _NAME_LIST.search(block)
        people = _biblatex_names(block[listed.end() :]) if listed else []
        found.setdefault(start[1], Fields(start[1], fields, people, listed is not None and listed[1] == "author"))
    return [_from_fields(one, text_of) for one in found.values()]


def _biblatex_names(block: str) -> list[Person]:
    lines = block.partition("\n      }%\n")[0].partition("\\field{")[0].partition("\\list{")[0]
    people: list[dict[str, str]] = []
    for part in _NAME_PART.finditer(lines):
        if part[1] == "family":
            people.append({})
        if people:
            people[-1][part[1]] = _braced_value(lines, part.end())
    return [
        Person(f"{one.get('prefix', '')} {one['family']}".strip(), one.get("given", ""), one.get("suffix", ""))
        for one in people[:_MOST]
    ]


def _braced_value(text: str, start: int) -> str:
    """The text from ``start``, just after a brace, to its closing brace; "" if longer than ``_LONGEST * 10``."""
    depth = 1
    for at in range(start, min(len(text), start + 10 * _LONGEST)):
        depth += (text[at] == "{") - (text[at] == "}")
        if not depth:
            return text[start:at]
    return ""


def from_databases(texts: Iterable[str], cited: list[str], style: str, text_of: TextOf) -> list[Reference]:
    """The cited entries of ``.bib`` files, in the order of the style; all entries if ``*`` is cited."""
    known: dict[str, Fields] = {}
    for text in texts:
        for one in _parse_database(text):
            known.setdefault(one.key, one)
    folded = {key.casefold(): one for key, one in reversed(known.items())}
    chosen = [known.get(key) or folded.get(key.casefold()) for key in cited if key != "*"]
    wanted = {one.key: one for one in chosen if one is not None}
    if "*" in cited:
        wanted |= {key: one for key, one in known.items() if key not in wanted}
    made = [_from_fields(one, text_of) for one in [*wanted.values()][:_MOST]]
    if _UNSORTED.search(style.casefold()):
        return made
    return sorted(
        made, key=lambda one: (_WORD.findall((one.names or one.record["text"]).casefold()), one.year or "", one.key)
    )


def _parse_database(text: str) -> list[Fields]:
    """The entries of a ``.bib`` file; of a field that an entry has several times, the first counts, as in BibTeX."""
    import bibtexparser
    from bibtexparser.middlewares.parsestack import default_parse_stack
    from bibtexparser.model import DuplicateFieldKeyBlock, Entry

    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # it logs every damaged entry
    library = bibtexparser.parse_string(text, parse_stack=[])
    for block in library.failed_blocks:
        whole = block.ignore_error_block
        if isinstance(block, DuplicateFieldKeyBlock) and isinstance(whole, Entry):
            firsts = {one.key.casefold(): one for one in reversed(whole.fields)}
            library.replace(
                block, Entry(whole.entry_type, whole.key, list(firsts.values())), fail_on_duplicate_key=False
            )
    for step in default_parse_stack():
        library = step.transform(library)
    found = []
    for entry in library.entries:
        fields = {key.casefold(): _join_strings(str(one.value)) for key, one in entry.fields_dict.items()}
        authors, editors = (split_names(fields.get(name, "")) for name in ("author", "editor"))
        found.append(Fields(entry.key, fields, authors or editors, bool(authors) and are_well_formed(authors)))
    return found


def _join_strings(value: str) -> str:
    """A field's value, with concatenated strings joined."""
    return value.replace('" # "', "").strip('" ') if " # " in value else value


def _from_fields(one: Fields, text_of: TextOf) -> Reference:
    fields = {
        name: text_of(value) for name, value in one.fields.items() if name in _USED and len(value) < 10 * _LONGEST
    }
    people = [Person(*(part and text_of(part) for part in person)) for person in one.people]
    year = (re.search(r"\d{4}[a-z]?", fields.get("year") or fields.get("date") or "") or [None])[0]
    text = _compose_entry(fields, people, year)
    record = references.parse_entry(text)
    named = [str(person) for person in people if not person.stands_for_others]
    record |= {"authors": named or None} if one.are_authors or not people else {}
    doi = re.search(r"10\.\d{4,9}/\S+", one.fields.get("doi", ""))
    eprint = re.search(r"\d{4}\.\d{4,5}|[a-z.-]{2,15}/\d{7}", fields.get("eprint", ""))
    where = next((fields[name] for name in _VENUE_FIELDS if fields.get(name)), None)
    record |= {"venue": where or record["venue"]}
    record |= {"title": fields.get("title") or record["title"], "year": int(year[:4]) if year else record["year"]}
    record |= {
        "doi": doi[0] if doi else record["doi"],
        "arxiv": eprint[0] if eprint else record["arxiv"],
        "key": one.key,
    }
    return Reference(one.key, record, _short_names([person.family for person in people]), year)


_USED = frozenset(
    (*_JOURNAL_FIELDS, "title", "year", "date", "volume", "number", "pages", "doi", "eprint", "url", "edition")
)


def _compose_entry(fields: dict[str, str], people: list[Person], year: str | None) -> str:
    """Format an entry in a plain style: authors, title, venue, year, identifiers."""
    where = next((fields[name] for name in _JOURNAL_FIELDS if fields.get(name)), "")
    note = fields.get("note", "")
    volume = fields.get("volume", "") + (f"({fields['number']})" if fields.get("number") else "")
    place = ":".join(part for part in (volume, fields.get("pages", "").replace("--", "–")) if part)
    named = _join_people([str(person) for person in people])
    parts = [named, fields.get("title", ""), ", ".join(part for part in (where, place, year) if part)]
    parts += [
        f"doi:{fields['doi']}" if fields.get("doi") else "",
        f"arXiv:{fields['eprint']}" if fields.get("eprint") else "",
    ]
    parts.append(note if note != where else "")
    return " ".join(part if part.endswith((".", "?", "!")) else part + "." for part in parts if part)


def _join_people(people: list[str]) -> str:
    if people[-1:] == ["others"]:
        return ", ".join(people[:-1]) + " et al"
    return " and ".join(people) if len(people) < 3 else f"{', '.join(people[:-1])}, and {people[-1]}"


def _short_names(families: list[str]) -> str | None:
    """Authors as in a citation: one, two joined by "and", or the first followed by "et al."."""
    if len(families) > 2 or "others" in families[1:]:
        return f"{families[0]} et al."
    return " and ".join(families) or None


def citation_labels(found: list[Reference]) -> dict[str, Label]:
    """Citation labels by key; entries without a label are numbered by their position from 1."""
    return {one.key: Label(one.label or str(number), one.names, one.year) for number, one in enumerate(found, 1)}
