"""The parts of a paper as its LaTeX source sets them."""

from __future__ import annotations

from dataclasses import dataclass, field

from scholartools.readers.latex.document.output import Sink


@dataclass
class Section:
    """A heading and the text under it."""

    kind: str
    number: str | None
    heading: Sink
    text: Sink
    appendix: bool


@dataclass
class Part:
    """The caption of a part of a float, with its letter (empty where it has none)."""

    letter: str
    text: Sink


@dataclass(frozen=True)
class Picture:
    """A picture in a float: the file as the command names it, with the command's options; no name: TeX draws it."""

    name: str = ""
    options: str = ""


@dataclass
class Caption:
    """A caption: its kind, its number (None where it has none), its text, the captions of the parts, the pictures.

    ``content`` is pseudo-code, or a listing.
    """

    kind: str
    number: str | None
    text: Sink
    parts: list[Part] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    content: Sink = field(default_factory=lambda: Sink("content"))


@dataclass
class Float:
    """A figure, table or algorithm that is open.

    Attributes:
        steps: the pseudo-code and the listings that belong to no caption yet; those of its parts as well.
        whole: what it is a part of.
        caption: the last one of its own.
        parts: captions of its parts that belong to none of its own yet; ``count`` of them had a letter so far.
        pictures: those that belong to no caption yet.
        captions_first: whether its first caption is above the pictures, as the others then do.
    """

    kind: str
    steps: Sink
    whole: Float | None = None
    caption: Caption | None = None
    parts: list[Part] = field(default_factory=list)
    count: int = 0
    pictures: list[Picture] = field(default_factory=list)
    captions_first: bool = False


@dataclass
class Entry:
    """An entry of the bibliography as the source sets it: its key, its label's tokens, its text."""

    key: str
    label: list[str] | None
    text: Sink


@dataclass
class List:
    """A list that is open: how its items are marked."""

    kind: str
    format: str
    count: int = 0
    inline: bool = False


@dataclass
class Theorem:
    """A theorem-like environment: the name it prints and its counter, None where it has no number."""

    title: str
    counter: str | None


@dataclass
class Parts:
    """What has been found of the paper so far."""

    title: Sink | None = None
    authors: list[Sink] = field(default_factory=list)
    abstract: Sink | None = None
    front: Sink = field(default_factory=lambda: Sink("front"))
    sections: list[Section] = field(default_factory=list)
    captions: list[Caption] = field(default_factory=list)
    footnotes: list[Sink] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)  # the words of tables, which are in no text ...
    beside: list[str] = field(default_factory=list)  # ... and those of floats beside their captions
    cited: dict[str, None] = field(default_factory=dict)
    bibliographies: list[str] = field(default_factory=list)
    picture_folders: list[str] = field(default_factory=list)
    packages: dict[str, str] = field(default_factory=dict)  # their options
    bibliography_style: str = ""
    document_class: str = ""
