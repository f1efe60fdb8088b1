"""Markdown to blocks: parsed as CommonMark with tables; formulas are kept from being read as marks."""

from __future__ import annotations

import functools
import html
import re
import unicodedata
from collections.abc import Callable, Iterator
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
# One set by itself, its white space collapsed.
_DISPLAY = re.compile(
    r"\$\$ ?(?P<dollars>[^$ \n][^$\n]*?) ?\$\$|\\\[ ?(?P<brackets>(?! )(?:[^\\\n]|\\(?![\[\]\n]))+?) ?\\\]"
)
_LABEL = re.compile(r"\\label\{([^{}]{1,100})\}")
_HELD = re.compile("\ue000(\\d+)\ue001")
_TAG = re.compile(r"<!--(?:[^-<]|-(?!->)|<(?!!--))*-->|</?[A-Za-z][^<>]*>")
_TABLE = re.compile(r"<(table|script|style)\b", re.IGNORECASE)
_BOLD_LINE = re.compile(r"(\*\*|__)([^*_\n]{3,100})\1:?")
_MARKED = re.compile(r"[\\`*_\[\]<&]")
_YAML_KEY = re.compile(r"\s*[A-Za-z][\w-]*:(?:\s|$)")
_LONGEST_INLINE = 20_000  # characters of one paragraph in which marks are looked for


def is_markdown(text: str) -> bool:
    """Whether a text has headings as Markdown writes them, outside of code: two, or one that begins it."""
    outside = "\n".join(_FENCE.split(text)[::4])
    count = len(_ATX.findall(outside)) + sum(_is_setext(found[1]) for found in _SETEXT.finditer(outside))
    return count > 1 or _ATX.match(text.lstrip("\ufeff \n")) is not None or _FRONT_MATTER.match(text) is not None


def read_blocks(text: str) -> tuple[list[Block], FrontMatter]:
    """The blocks of a Markdown text in order, and what is apart from them."""
    front, text = _front_matter(text)
    text = text.replace("\ue000", "").replace("\ue001", "")
    formulas: list[str] = []
    text = _FORMULA.sub(lambda found: _hold_formula(found[0], formulas), text)
    reader = _Reader(formulas)
    front.footnotes = [reader.line(f"{mark} {words}") for mark, words in _FOOTNOTE.findall(text)]
    found = reader.blocks(_FOOTNOTE_MARK.sub("", _FOOTNOTE.sub("", text)))
    front.captions = reader.captions
    front.displays = {one for one in reader.written if _DISPLAY.fullmatch(one)}
    return found, front


def equation_records(texts: list[tuple[str, str]], displays: set[str]) -> list[dict[str, Any]]:
    """The display formulas in texts, each with the span of its LaTeX between the marks.

    Args:
        texts: by the name that spans give them.
        displays: the formulas, with their marks; what else looks like one is code.
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
    """A formula kept apart, and the sign that stands for it; a display formula is a paragraph's piece on one line."""
    formulas.append(" ".join(formula.split()))
    return f"\ue000{len(formulas) - 1}\ue001"


def _is_setext(line: str) -> bool:
    """Whether a line above a rule is a heading and not the head of a table made of spaces."""
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
    """Names in one text ("Anna Smith, Ben Jones") of which every part is a whole name, unlike "Smith, John"."""
    line = _printed(people)
    parts = [part for part in _BETWEEN_NAMES.split(line) if part]
    return parts if len(parts) > 1 and authors_in([as_line(line)], BODY) == parts else [people]


def _person_name(person: Any) -> str:
    return _printed(person.get("name") or "" if isinstance(person, dict) else person or "")


def _printed(value: Any) -> str:
    """A value as text on one line; "" for an integer of more digits than Python prints."""
    try:
        return " ".join(str(value).split())
    except ValueError:
        return ""


class _Reader:
    """Turns what the parser says of a text into blocks."""

    def __init__(self, formulas: list[str]) -> None:
        from markdown_it import MarkdownIt
        from markdown_it.rules_block import table
        from markdown_it.rules_inline import image, link

        self.formulas = formulas
        self.captions: list[str] = []
        self.written: list[str] = []  # formulas in running text
        self._inline = MarkdownIt("commonmark")
        for rule in (link, image):
            self._inline.inline.ruler.at(rule.__name__, functools.partial(_read_if_closed, rule))
        self._blocks = MarkdownIt("commonmark").enable("table")
        self._blocks.block.ruler.at("table", functools.partial(_pass_table, table), {"alt": ["paragraph", "reference"]})
        self._blocks.core.ruler.disable("inline")
        self._mark = ""

    def blocks(self, text: str) -> list[Block]:
        """The blocks in order; tables are left out."""
        found: list[Block] = []
        opened: Any = None
        for token in self._blocks.parse(text):
            if token.type in ("heading_open", "paragraph_open"):
                opened = token
            elif token.type == "list_item_open":
                self._mark = f"{token.info}. " if token.info else "• "
            elif token.type == "inline":
                found.append(self._read_block(opened, token.content))
            elif token.type in ("fence", "code_block"):
                found.append(Block(self._restore_formulas(token.content).split("\n"), is_code=True))
            elif token.type == "html_block" and not _TABLE.search(token.content):
                found.append(Block(self._restore_formulas(html.unescape(_TAG.sub("", token.content))).split("\n")))
        kept = (Block([line for line in one.lines if line.strip()], one.level, one.is_code) for one in found)
        return [block for block in kept if block.lines]

    def _read_block(self, opened: Any, content: str) -> Block:
        lines = self.plain(content).split("\n")
        lines[0], self._mark = self._mark + lines[0], ""
        level = 0
        if opened.type == "heading_open" and (opened.markup[0] == "#" or (len(lines) == 1 and _is_setext(lines[0]))):
            level = int(opened.tag[1:])
        elif bold := _BOLD_LINE.fullmatch(content.strip()):
            words = bold[2].strip()
            level = -1 if not words.endswith(".") and (number_of(words)[0] or role_of(words) != "other") else 0
        return Block(lines, level)

    def line(self, source: str) -> str:
        """Markdown of one paragraph as one line of text."""
        return " ".join(self.plain(source).split())

    def plain(self, source: str) -> str:
        """Markdown of one paragraph as text; its lines stay lines. A picture by itself gives its caption away."""
        self.written += [self.formulas[int(index)] for index in _HELD.findall(source)]
        if len(source) > _LONGEST_INLINE or not _MARKED.search(source):
            return self._restore_formulas(source)
        pieces = self._inline.parseInline(source)[0].children or []
        if all(piece.type in ("image", "softbreak") for piece in pieces):
            texts = (self._restore_formulas(piece.content) for piece in pieces if piece.type == "image")
            self.captions += [" ".join(text.split()) for text in texts if len(text.split()) > 3]
        return self._restore_formulas("".join(_inline_text(pieces)))

    def _restore_formulas(self, text: str) -> str:
        return _HELD.sub(lambda found: self.formulas[int(found[1])], text)


def _pass_table(rule: Callable[[Any, int, int, bool], bool], state: Any, start: int, end: int, silent: bool) -> bool:
    """A rule for tables that makes nothing of the cells, which nobody reads, and which take most of its time."""
    from markdown_it.token import Token

    spare = Token("", "", 0)
    state.push = lambda *_: spare
    try:
        return rule(state, start, end, silent)
    finally:
        del state.push


def _read_if_closed(rule: Callable[[Any, bool], bool], state: Any, silent: bool) -> bool:
    """A rule for links or pictures where one can still close: the parser tries 20 brackets in one another at each."""
    return state.src[state.pos] in "![" and state.pos <= _last_closing(state.src) and rule(state, silent)


@functools.lru_cache(maxsize=2)
def _last_closing(source: str) -> int:
    """Where the last "](" is that a ")" follows; it is asked at each bracket."""
    return source.rfind("](", 0, source.rfind(")") + 1)


def _inline_text(pieces: list[Any]) -> Iterator[str]:
    """The text of inline pieces; between two numbers a raised one keeps a mark."""
    last, mark = "", ""
    for piece in pieces:
        text = piece.content if piece.type in ("text", "code_inline", "text_special") else ""
        if piece.type in ("softbreak", "hardbreak"):
            text = "\n"
        elif piece.type == "html_inline":
            mark = _SHIFTS.get(piece.content.casefold(), "")
            text = "\n" if piece.content.casefold().startswith("<br") else ""
        elif text:
            yield mark if mark and last.isdigit() and (text[0].isdigit() or text[0] in "+-−–") else ""
            mark = ""
        yield text
        last = text[-1:] or last


_SHIFTS = {"<sup>": "^", "<sub>": "_"}
