"""Assemble the parts of a paper from blocks of Markdown or plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from scholartools.readers.common.authors import find_authors as authors_in
from scholartools.readers.common.front_text import kind_of_front_text
from scholartools.readers.common.hyphenation import (
    Vocabulary,
    join_texts,
    vocabulary_of,
)
from scholartools.readers.common.ids import with_caption_ids, with_ids
from scholartools.readers.common.outline import Outline, caption_number, printed_number
from scholartools.readers.common.page import (
    Body,
    Line,
    Span,
    Style,
)
from scholartools.readers.common.roles import role_of
from scholartools.readers.references import entries as references

ABSTRACT = r"(?:abstract|summary|zusammenfassung|r[ée]sum[ée]|resumen|resumo|riassunto)"

_RUN_IN = re.compile(rf"({ABSTRACT}\s*[.:—–-]+\s*|ABSTRACT\s+)(?=\S)", re.IGNORECASE)
_KEYWORDS = re.compile(r"(?:key\s?-?words?|index terms|ccs concepts|palabras clave|palavras-chave|mots[- ]cl[ée]s|"
                       r"schlüsselw[öo]rter|parole chiave)\b", re.IGNORECASE)  # fmt: skip
_CAPTION = re.compile(
    r"(figure|fig\.?|table|tab\.|algorithm)\s+([A-Z]?\d{1,3}[a-z]?(?:\.\d{1,3})?|[IVX]{1,5})\s?[.:|]\s+\S", re.I
)
_KINDS = {"f": "figure", "t": "table", "a": "algorithm"}
_LABELLED = re.compile(r"\[[\w+&. -]{1,12}\]|\(?\d{1,3}[.)]\s")
_LETTERED = re.compile(r"[A-Z]\s")
_LISTED = re.compile(r"[-*+•]\s+")
_LONGEST_CAPTION = 2_000  # maximum characters
_LONGEST_ENTRY = 2_000  # characters of an entry that are parsed
_LONGEST_PART, _LONGEST_ABSTRACT = 250, 700  # words of a part of an abstract with headings, and of all parts
_PROSE = 40  # a block before the first heading with so many words is text and not an address
_LONGEST_WORD = 80  # longer words (characters) are not joined at hyphens
_LONGEST_TITLE = 300  # maximum characters

_STYLE = Style("", 10.0)
BODY = Body(10.0, "", 12.0)


@dataclass
class Block:
    """A heading, a paragraph, an item or a piece of code.

    Attributes:
        lines: the lines of the file, without markup.
        level: level of a heading, 1 = top; 0 for other blocks; -1 for a heading whose level is not marked.
        is_code: whether the lines must not be joined.
    """

    lines: list[str]
    level: int = 0
    is_code: bool = False

    @property
    def is_heading(self) -> bool:
        return self.level != 0

    @property
    def words(self) -> int:
        return sum(len(line.split()) for line in self.lines)


@dataclass
class FrontMatter:
    """Metadata before the text of a file, and the parts that were taken out of the text."""

    title: str | None = None
    authors: list[str] = field(default_factory=list)
    abstract: str | None = None
    captions: list[str] = field(default_factory=list)
    footnotes: list[str] = field(default_factory=list)
    apart: list[dict[str, Any]] = field(default_factory=list)  # other entries of ``front_matter``
    displays: set[str] = field(default_factory=set)  # display formulas with their delimiters
    cells: list[str] = field(default_factory=list)  # text of tables
    pictures: list[str] = field(default_factory=list)  # alternative texts of pictures that are not captions
    fault: str | None = None  # why the metadata cannot be read
    has_empty_abstract: bool = False  # whether the heading of the abstract has no text below it


def as_line(text: str) -> Line:
    """Wrap a text as a line for the layout functions, at position 0 of page 1."""
    return Line(1, [Span(text, _STYLE)], 0.0, 0.0, 0.0, 0.0)


def join_broken_lines(lines: Iterable[str], vocabulary: Vocabulary) -> str:
    """Join lines to one line, including words that a hyphen breaks at a line end."""
    words: list[str] = []
    for line in lines:
        found = line.split()
        if found and words and 1 < len(words[-1]) < _LONGEST_WORD and words[-1].endswith(("-", "‐", "\u00ad")):
            words[-1] = join_texts([words[-1], found.pop(0)], vocabulary)
        words += found
    return " ".join(words)


def build_paper(blocks: list[Block], front: FrontMatter) -> dict[str, Any]:
    """Build the parts of a paper record from blocks.

    Returns:
        ``title``, ``authors``, ``abstract``, ``sections``, ``references``, ``captions``, ``footnotes``, and
        ``front_matter`` if it has entries.
    """
    vocabulary = vocabulary_of(" ".join(line.split()) for block in blocks for line in block.lines)
    reader = _Reader(blocks, front, vocabulary)
    reader.read()
    sections, _ = reader.outline.finish()
    return {
        "title": reader.title,
        "authors": reader.authors,
        "abstract": reader.abstract,
        "sections": sections,
        "references": with_ids("b", reader.references),
        "captions": with_caption_ids([_caption_record(text) for text in front.captions], caption_number),
        "footnotes": [{"text": text, "page": None} for text in front.footnotes],
        **({"front_matter": front.apart} if front.apart else {}),
    }


class _Reader:
    """Processes the blocks in order: front matter, abstract, sections, references."""

    def __init__(self, blocks: list[Block], front: FrontMatter, vocabulary: Vocabulary) -> None:
        self.blocks = blocks
        self.front = front
        self.vocabulary = vocabulary
        self.title = front.title
        self.authors = front.authors
        self.abstract = front.abstract
        self.outline = Outline()
        self.references: list[dict[str, Any]] = []

    def read(self) -> None:
        start = self._take_title()
        end = next((i for i, one in enumerate(self.blocks) if i >= start and self._ends_front_matter(one)), None)
        if end is None:
            self._read_body(start)
            return
        before = self.blocks[start:end]
        if self.title and not self.authors:
            self.authors = authors_in([as_line(line) for block in before for line in block.lines], BODY)
        for block in before:
            # Short blocks below a title are names and addresses; without a title they may be text of the paper.
            if not self.title or block.words >= _PROSE:
                self._write_block(block)
            else:
                self._keep_apart(self._text_of(block))
        self._read_body(self._take_abstract(end))

    def _ends_front_matter(self, block: Block) -> bool:
        """Whether the block ends the front matter."""
        return block.is_heading or (self.abstract is None and _RUN_IN.match(block.lines[0]) is not None)

    def _take_title(self) -> int:
        """Set the title if the first block is one (heading or not); returns the index of the block after it."""
        if not self.blocks:
            return 0
        first = self.blocks[0]
        text = join_broken_lines(first.lines, self.vocabulary)
        opened = any(self._ends_front_matter(one) for one in self.blocks[1:])
        if first.is_heading:
            opens_text = role_of(text) != "other" and not _is_above(self.blocks)
            is_title = first.level > 0 and not text[0].isdigit() and not opens_text and not _is_abstract(first)
        else:
            short = len(text) <= _LONGEST_TITLE and not text.endswith((".", ",", ";", ":")) and not first.is_code
            is_title = opened and short and not self._ends_front_matter(first)
        if not is_title:
            return 0
        same = self.title is None or _is_same_title(text, self.title)
        self.title = self.title or text
        return 1 if same else 0

    def _take_abstract(self, index: int) -> int:
        """Set the abstract if the block at ``index`` opens one; returns the index of the first block of the body."""
        block = self.blocks[index]
        label = None if block.is_heading else _RUN_IN.match(block.lines[0])
        if self.abstract is not None or not (label or _is_abstract(block)):
            return index
        end, has_parts = self._end_of_abstract(index, bool(label))
        parts = self.blocks[index + (label is None) : end]
        if has_parts:
            parts, texts = self._parts_below_headings(parts)
        else:
            texts = [self._text_of(part) for part in parts]
        if label:
            texts[0] = texts[0][len(" ".join(label[0].split())) :].lstrip(" .:—–-")
        cut = next((i for i, text in enumerate(texts) if _KEYWORDS.match(text)), len(texts))
        self.abstract = "\n\n".join(text for text in texts[:cut] if text) or None
        self.front.has_empty_abstract = self.abstract is None
        for place in range(cut, len(parts)):
            if place > cut and parts[place].words >= _PROSE:
                self._write_block(parts[place])
            else:
                self._keep_apart(texts[place])
        return end

    def _end_of_abstract(self, index: int, is_run_in: bool) -> tuple[int, bool]:
        """The index of the first block after the abstract, and whether headings within it divide it into parts.

        Such headings are deeper than that of the abstract, and a heading of its level follows. Parts that are longer
        than those of an abstract are sections.
        """
        level = self.blocks[index].level
        headings = [i for i in range(index + 1, len(self.blocks)) if self.blocks[i].is_heading]
        following = next((i for i in headings if not 0 < level < self.blocks[i].level), None)
        if level > 0 and following is not None and following != headings[0]:
            ends = [i for i in headings if i <= following]
            lengths = [sum(one.words for one in self.blocks[a:b]) for a, b in zip(ends, ends[1:])]
            if max(lengths) <= _LONGEST_PART and sum(lengths) <= _LONGEST_ABSTRACT:
                return following, True
        return headings[0] if headings else index + (1 if is_run_in else 2), False

    def _parts_below_headings(self, blocks: Sequence[Block]) -> tuple[list[Block], list[str]]:
        """The parts of an abstract, and their texts, each after the headings above it and a colon."""
        parts, texts, above = [], [], ""
        for block in blocks:
            text = self._text_of(block)
            if block.is_heading:
                above += f"{text.rstrip(' .:')}: "
            else:
                parts.append(block)
                texts.append(above + text)
                above = ""
        if above:
            parts.append(blocks[-1])
            texts.append(above.rstrip(": "))
        return parts, texts

    def _read_body(self, start: int) -> None:
        levels = [block.level for block in self.blocks[start:] if block.level > 0]
        top = min(levels, default=1)
        listed: list[list[str]] | None = None
        for block in self.blocks[start:]:
            if block.is_heading:
                text = join_broken_lines(block.lines, self.vocabulary)
                if listed is not None:
                    self.references += _split_entries(listed, self.vocabulary)
                listed = [] if role_of(text) == "reference" else None
                if listed is None:
                    # A number is more reliable than the level of the markup, which many converters do not vary.
                    counted = printed_number(text)[0] is not None and not _LETTERED.match(text)
                    self.outline.add(text, level=0 if counted or block.level < 0 else block.level - top + 1)
            elif listed is not None:
                listed.append(block.lines)
            elif not self._is_caption(block):
                self._write_block(block)
        if listed is not None:
            self.references += _split_entries(listed, self.vocabulary)

    def _is_caption(self, block: Block) -> bool:
        """Whether a block is a caption; if so, add it to the captions."""
        text = "" if block.is_code else join_broken_lines(block.lines, self.vocabulary)
        if len(text) > _LONGEST_CAPTION or not _CAPTION.match(text):
            return False
        self.front.captions.append(text)
        return True

    def _keep_apart(self, text: str) -> None:
        self.front.apart.append({"kind": kind_of_front_text(text), "text": text, "page": None})

    def _text_of(self, block: Block) -> str:
        return "\n\n".join(block.lines) if block.is_code else join_broken_lines(block.lines, self.vocabulary)

    def _write_block(self, block: Block) -> None:
        prose = self.outline.last().prose
        for text in block.lines if block.is_code else [join_broken_lines(block.lines, self.vocabulary)]:
            prose.paragraph()
            prose.write(text)


def _is_same_title(text: str, title: str) -> bool:
    """Whether a heading repeats the title, or one of them is the beginning of the other."""
    one, other = ("".join(filter(str.isalnum, words.casefold())) for words in (text, title))
    return bool(one and other) and (one.startswith(other) or other.startswith(one))


def _is_above(blocks: list[Block]) -> bool:
    """Whether the first heading is the only one of its level and above all others, i.e. a title with any wording."""
    levels = [block.level for block in blocks if block.is_heading]
    return len(levels) > 1 and all(level < 0 or level > levels[0] for level in levels[1:])


def _is_abstract(block: Block) -> bool:
    return block.is_heading and re.fullmatch(rf"{ABSTRACT}\W*", " ".join(block.lines), re.IGNORECASE) is not None


def _caption_record(text: str) -> dict[str, Any]:
    found = _CAPTION.match(text)
    label = f"{found[1]} {found[2]}" if found else "Figure"
    return {"kind": _KINDS[label[0].casefold()], "label": label, "text": text, "page": None, "bbox": None}


def _split_entries(blocks: list[list[str]], vocabulary: Vocabulary) -> list[dict[str, Any]]:
    """Split a bibliography into entries: at labels, else one per block, else (one block) by indents or line ends."""
    texts = [join_broken_lines(lines, vocabulary) for block in blocks for lines in _split_lines(block, len(blocks))]
    plain = [_LISTED.sub("", text, count=1) if _LISTED.match(text) else text for text in texts]
    listed = [text for text in plain if text]
    found = references.parse_entries([text[:_LONGEST_ENTRY] for text in listed])
    return references.with_same_authors([{**entry, "text": text} for entry, text in zip(found, listed)])


def _split_lines(lines: list[str], blocks: int) -> list[list[str]]:
    starts = [index for index, line in enumerate(lines) if _LABELLED.match(line.lstrip())]
    if not starts and blocks == 1:
        margin = min(len(line) - len(line.lstrip()) for line in lines)
        hanging = [index for index, line in enumerate(lines) if len(line) - len(line.lstrip()) == margin]
        closed = [0, *(i for i in range(1, len(lines)) if lines[i - 1].rstrip().endswith((".", "]", ")")))]
        starts = hanging if 1 < len(hanging) < len(lines) else closed
    starts = starts if starts[:1] == [0] else [0, *starts]
    return [lines[a:b] for a, b in zip(starts, [*starts[1:], len(lines)])]
