"""Split Markdown (CommonMark with tables) into blocks; formulas are protected from being parsed as markup."""

from __future__ import annotations

import functools
import html
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from scholartools.errors import InputFault
from scholartools.readers.common.authors import find_authors as authors_in
from scholartools.readers.common.roles import number_of, role_of
from scholartools.readers.common.yaml_data import load_yaml
from scholartools.readers.text.assemble import BODY, Block, FrontMatter, as_line

_ATX = re.compile(r"^ {0,3}#{1,6}[ \t]+\S", re.MULTILINE)
_SETEXT = re.compile(r"(?:\A|\n[ \t]*\n)([^\s|][^\n|]{2,119})\n(?:={3,}|-{3,})[ \t]*(?:\n|\Z)")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)
_BETWEEN_NAMES = re.compile(r"[\s,;&]*[,;&]\s*(?:and\s)?\s*|\sand\s")
_FRONT_MATTER = re.compile(r"---[ \t]*\n((?:(?!---|\.\.\.)[^\n]*\n){0,400}?)(?:---|\.\.\.)[ \t]*(?:\n|$)")
_FOOTNOTE = re.compile(r"^\[\^([^\]\n]{1,40})\]:[ \t]*([^\n]*(?:\n(?:[ ]{2,}|\t)[^\n]+)*)", re.MULTILINE)
_FOOTNOTE_MARK = re.compile(r"\[\^[^\]\n]{1,40}\]")
_FORMULA = re.compile(
    r"\$\$(?:[^$\n]|\n(?![ \t]*\n)){1,4000}\$\$"
    r"|\\\[(?:[^\\\n]|\\(?![\[\]])|\n(?![ \t]*\n)){1,4000}\\\]"
    r"|\\\((?:[^\\\n]|\\(?![()])){1,400}\\\)"
    r"|(?<![\\$\w])\$(?=[^\s$])[^$\n]{1,400}(?<=[^\s\\])\$(?![\w$])"
)
# A display formula, after white space is collapsed.
_DISPLAY = re.compile(
    r"\$\$ ?(?P<dollars>[^$ \n][^$\n]*?) ?\$\$|\\\[ ?(?P<brackets>(?! )(?:[^\\\n]|\\(?![\[\]\n]))+?) ?\\\]"
)
_LABEL = re.compile(r"\\label\{([^{}]{1,100})\}")
_HELD = re.compile("\ue000(\\d+)\ue001")
_TAG = re.compile(r"(<!--(?:[^-<]|-(?!->)|<(?!!--))*-->|</?[A-Za-z][^<>]*>)")
_HIDDEN = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_TABLE = re.compile(r"<table\b.*?(?:</table\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_TAG_NAME = re.compile(r"</?([a-z][\w:-]*)", re.IGNORECASE)
_QUOTED_VALUE = re.compile(r"""=\s*["']""")
# Elements of HTML and MathML; other names between angle brackets, such as <mask>, are words of the paper.
_WITHIN_LINES = frozenset(
    "a abbr acronym audio b bdi bdo big button canvas cite code data datalist del dfn em embed font g i img input ins "
    "kbd label map mark math mfrac mi mn mo mover mrow msqrt msub msubsup msup mtext munder meter noscript object "
    "output picture pre progress q rp rt ruby s samp script select small source span strike strong style sub sup svg "
    "template textarea time tt u var video wbr".split()
)
_VALUELESS = frozenset("async autoplay checked controls default defer disabled hidden loop muted open".split())
_BOLD_LINE = re.compile(r"(\*\*|__)([^*_\n]{3,100})\1:?")
_MARKED = re.compile(r"[\\`*_\[\]<&]")
_YAML_KEY = re.compile(r"\s*[A-Za-z][\w-]*:(?:\s|$)")
_HEADING_MARKS = re.compile(r"\{(?:-|[#.][^{}\n]{0,200})\}\s*\Z")  # {#methods .unnumbered}, as Pandoc reads them
_LONGEST_INLINE = 20_000  # inline markup of longer paragraphs (characters) is not parsed


def is_markdown(text: str) -> bool:
    """Whether a text is Markdown: it has two headings outside code, or opens with a heading or front matter."""
    outside = "\n".join(_FENCE.split(text)[::4])
    count = len(_ATX.findall(outside)) + sum(_is_setext(found[1]) for found in _SETEXT.finditer(outside))
    return count > 1 or _ATX.match(text.lstrip("\ufeff \n")) is not None or _FRONT_MATTER.match(text) is not None


def read_blocks(text: str) -> tuple[list[Block], FrontMatter]:
    """The blocks of a Markdown text in order, and its metadata, footnotes, captions and table cells."""
    front, text = _front_matter(text)
    text = text.replace("\ue000", "").replace("\ue001", "")
    formulas: list[str] = []
    text = _FORMULA.sub(lambda found: _hold_formula(found[0], formulas), text)
    reader = _Reader(formulas)
    found = reader.blocks(_FOOTNOTE_MARK.sub("", _FOOTNOTE.sub("", text)))
    front.footnotes = [reader.line(f"{mark} {words}") for mark, words in _FOOTNOTE.findall(text)]
    front.captions, front.cells, front.pictures = reader.captions, reader.cells, reader.pictures
    front.displays = {one for one in reader.written if _DISPLAY.fullmatch(one)}
    return found, front


def equation_records(texts: list[tuple[str, str]], displays: set[str]) -> list[dict[str, Any]]:
    """The display formulas in texts, each with the span of its LaTeX between the delimiters.

    Args:
        texts: pairs of the ``in`` of spans and the text.
        displays: the known display formulas with their delimiters; other matches are code.
    """
    known = {unicodedata.normalize("NFC", one).replace("\u00ad", "") for one in displays}
    found = ((name, one) for name, text in texts for one in _DISPLAY.finditer(text) if one[0] in known)
    return [_equation_record(name, one) for name, one in found]


def _equation_record(name: str, found: re.Match[str]) -> dict[str, Any]:
    group = found.lastgroup or 0
    label = _LABEL.search(found[group])
    span = {"in": name, "start": found.start(group), "end": found.end(group)}
    return {"latex": found[group], "span": span, "label": label[1] if label else None}


def _hold_formula(formula: str, formulas: list[str]) -> str:
    """Append a formula to ``formulas``, on one line, and return the placeholder that replaces it in the text."""
    formulas.append(" ".join(formula.split()))
    return f"\ue000{len(formulas) - 1}\ue001"


def _is_setext(line: str) -> bool:
    """Whether a line above a rule is a heading, and not the header of a table aligned by spaces."""
    return "  " not in line.strip()


def _front_matter(text: str) -> tuple[FrontMatter, str]:
    """Title, authors and abstract from YAML before the text, and the text after it."""
    found = _FRONT_MATTER.match(text)
    if not found:
        return FrontMatter(), text
    try:
        said = load_yaml(found[1])
    except InputFault as error:
        if _YAML_KEY.match(found[1]):
            return FrontMatter(fault=str(error)), text[found.end() :]
        said = None
    if not isinstance(said, dict):
        return FrontMatter(), text
    title, abstract = (_printed(said[key]) if said.get(key) else None for key in ("title", "abstract"))
    people = said.get("author") or said.get("authors") or []
    people = _split_people(people) if isinstance(people, str) else people
    names = [_person_name(one) for one in (people if isinstance(people, list) else [people])]
    return FrontMatter(title=title, authors=[name for name in names if name], abstract=abstract), text[found.end() :]


def _split_people(people: str) -> list[str]:
    """Split a list of names ("Anna Smith, Ben Jones") if each part is a whole name, unlike "Smith, John"."""
    line = _printed(people)
    parts = [part for part in _BETWEEN_NAMES.split(line) if part]
    return parts if len(parts) > 1 and authors_in([as_line(line)], BODY) == parts else [people]


def _person_name(person: Any) -> str:
    return _printed(person.get("name") or "" if isinstance(person, dict) else person or "")


def _printed(value: Any) -> str:
    """A value as text on one line; "" for an integer with more digits than Python converts to text."""
    try:
        return " ".join(str(value).split())
    except ValueError:
        return ""


class _Reader:
    """Converts the tokens of the parser to blocks."""

    def __init__(self, formulas: list[str]) -> None:
        from markdown_it import MarkdownIt
        from markdown_it.rules_block import table
        from markdown_it.rules_inline import image, link

        self.formulas = formulas
        self.captions: list[str] = []
        self.cells: list[str] = []
        self.pictures: list[str] = []
        self._targets: dict[str, Any] = {}  # link definitions of the whole text, by name
        self.written: list[str] = []  # formulas in running text
        self._inline = MarkdownIt("commonmark")
        for rule in (link, image):
            self._inline.inline.ruler.at(rule.__name__, functools.partial(_read_if_closed, rule))
        self._blocks = MarkdownIt("commonmark").enable("table")
        self._blocks.block.ruler.at(
            "table", functools.partial(_pass_table, table, self.cells), {"alt": ["paragraph", "reference"]}
        )
        self._blocks.core.ruler.disable("inline")
        self._mark = ""

    def blocks(self, text: str) -> list[Block]:
        """The blocks of a text in order, without tables."""
        found: list[Block] = []
        opened: Any = None
        for token in self._blocks.parse(text, self._targets):
            if token.type in ("heading_open", "paragraph_open"):
                opened = token
            elif token.type == "list_item_open":
                self._mark = f"{token.info}. " if token.info else "• "
            elif token.type == "inline":
                found.append(self._read_block(opened, token.content))
            elif token.type in ("fence", "code_block"):
                found.append(Block(self._restore_formulas(token.content).split("\n"), is_code=True))
            elif token.type == "html_block":
                found.append(Block(self._restore_formulas(self._read_html(token.content)).split("\n")))
        kept = (Block([line for line in one.lines if line.strip()], one.level, one.is_code) for one in found)
        return [block for block in kept if block.lines]

    def _read_html(self, source: str) -> str:
        """The text of HTML without its tables, whose text is added to ``cells``."""
        shown = _HIDDEN.sub("", source)
        self.cells += [" ".join(_text_of_html(found[0]).split()) for found in _TABLE.finditer(shown)]
        return _text_of_html(_TABLE.sub("\n", shown))

    def _read_block(self, opened: Any, content: str) -> Block:
        lines = self.plain(content).split("\n")
        lines[0], self._mark = self._mark + lines[0], ""
        level = 0
        if opened.type == "heading_open":
            lines[-1] = _HEADING_MARKS.sub("", lines[-1]).rstrip() or lines[-1]
        if opened.type == "heading_open" and (opened.markup[0] == "#" or (len(lines) == 1 and _is_setext(lines[0]))):
            level = int(opened.tag[1:])
        elif bold := _BOLD_LINE.fullmatch(content.strip()):
            words = bold[2].strip()
            level = -1 if not words.endswith(".") and (number_of(words)[0] or role_of(words) != "other") else 0
        return Block(lines, level)

    def line(self, source: str) -> str:
        """Convert the Markdown of one paragraph to one line of text."""
        return " ".join(self.plain(source).split())

    def plain(self, source: str) -> str:
        """Convert the Markdown of one paragraph to text, keeping its line breaks.

        Alternative texts of more than three words in a paragraph of only pictures become captions.
        """
        self.written += [self.formulas[int(index)] for index in _HELD.findall(source)]
        if len(source) > _LONGEST_INLINE or not _MARKED.search(source):
            return self._restore_formulas(source)
        pieces = self._inline.parseInline(source, self._targets)[0].children or []
        said = [self._restore_formulas(piece.content) for piece in pieces if piece.type == "image"]
        if all(piece.type in ("image", "softbreak") for piece in pieces):
            self.captions += [" ".join(text.split()) for text in said if len(text.split()) > 3]
            said = [text for text in said if len(text.split()) <= 3]
        self.pictures += said
        return self._restore_formulas("".join(_join_around_tags(map(_pair_of, pieces))))

    def _restore_formulas(self, text: str) -> str:
        return _HELD.sub(lambda found: self.formulas[int(found[1])], text)


def _pass_table(
    rule: Callable[[Any, int, int, bool], bool], cells: list[str], state: Any, start: int, end: int, silent: bool
) -> bool:
    """A parser rule for tables that skips their tokens, which are unused and costly; adds the source to ``cells``."""
    from markdown_it.token import Token

    spare = Token("", "", 0)
    state.push = lambda *_: spare
    try:
        is_table = rule(state, start, end, silent)
    finally:
        del state.push
    if is_table and not silent:
        cells.append(state.getLines(start, state.line, state.blkIndent, False).replace("|", " "))
    return is_table


def _read_if_closed(rule: Callable[[Any, bool], bool], state: Any, silent: bool) -> bool:
    """A parser rule for links or pictures that runs only before the last closing bracket.

    Without this check, the parser tries up to 20 nested brackets at each opening one.
    """
    last = state.src.rfind("]") if state.env.get("references") else _last_closing(state.src)
    return state.src[state.pos] in "![" and state.pos <= last and rule(state, silent)


@functools.lru_cache(maxsize=2)
def _last_closing(source: str) -> int:
    """Offset of the last "](" before a ")"; cached because it is needed at each bracket."""
    return source.rfind("](", 0, source.rfind(")") + 1)


def _pair_of(piece: Any) -> tuple[str, str]:
    """The text and the tag of an inline piece, one of them empty."""
    if piece.type in ("softbreak", "hardbreak"):
        return "\n", ""
    if piece.type == "html_inline":
        return "", piece.content
    return (piece.content if piece.type in ("text", "code_inline", "text_special") else ""), ""


def _text_of_html(source: str) -> str:
    """The text of HTML, with line breaks at block-level tags."""
    parts = _TAG.split(source)
    pieces = (("", part) if index % 2 else (html.unescape(part), "") for index, part in enumerate(parts))
    return "".join(_join_around_tags(pieces))


def _join_around_tags(pieces: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The text of pieces, each a text or a tag; superscripts and subscripts between numbers are marked "^" and "_"."""
    last, mark = "", ""
    for text, tag in pieces:
        if tag:
            name = _element_of(tag)
            mark = _SHIFTS.get(name or "", "") if tag[1] != "/" else ""
            text = tag if name is None else "" if name in _WITHIN_LINES or not name else "\n"
        elif text:
            yield mark if mark and last.isdigit() and (text[0].isdigit() or text[0] in "+-−–") else ""
            mark = ""
        yield text
        last = text[-1:] or last


def _element_of(tag: str) -> str | None:
    """The element name of a tag; "" for a comment; None if it is text of the paper.

    "p<b and c>d" only looks like a tag: it has words that are not HTML attributes.
    """
    named = _TAG_NAME.match(tag)
    if named is None:
        return ""
    name = named[1].casefold()
    rest = tag[named.end() :].strip("/> \t\n")
    words = {word for word in rest.casefold().split() if "=" not in word}
    is_known = name in _WITHIN_LINES or name in _blocks_of_html()
    return name if _QUOTED_VALUE.search(rest) or (is_known and words <= _VALUELESS) else None


@functools.cache
def _blocks_of_html() -> frozenset[str]:
    from markdown_it.common.html_blocks import block_names

    return frozenset((*block_names, "br"))


_SHIFTS = {"sup": "^", "sub": "_"}
