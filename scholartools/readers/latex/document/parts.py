"""Data classes for the parts of a paper in LaTeX source."""

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
    """The caption of a part of a float, with its letter ("" if it has none)."""

    letter: str
    text: Sink


@dataclass(frozen=True)
class Picture:
    """A picture in a float: the file name and options of the command; an empty name if TeX draws the picture."""

    name: str = ""
    options: str = ""


@dataclass
class Caption:
    """A caption: its kind, its number or None, its text, the captions of its parts, and the pictures.

    ``content`` is pseudo-code or a listing.
    """

    kind: str
    number: str | None
    text: Sink
    parts: list[Part] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    content: Sink = field(default_factory=lambda: Sink("content"))


@dataclass
class Float:
    """An open figure, table or algorithm.

    Attributes:
        steps: pseudo-code and listings not yet assigned to a caption, including those of its parts.
        whole: the float that contains it, if it is a part.
        caption: its last caption.
        parts: captions of its parts not yet assigned to a caption.
        count: number of parts with a letter so far.
        pictures: pictures not yet assigned to a caption.
        captions_first: whether its first caption is above the pictures; further captions are then assumed to be too.
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
    """An entry of the bibliography in the source: its key, the tokens of its label, its text."""

    key: str
    label: list[str] | None
    text: Sink


@dataclass
class List:
    """An open list, with the labels of its items."""

    kind: str
    format: str
    count: int = 0
    inline: bool = False


@dataclass
class Theorem:
    """A theorem-like environment: its printed name and its counter; None if it is not numbered."""

    title: str
    counter: str | None


@dataclass
class Parts:
    """The parts of the paper found so far."""

    title: Sink | None = None
    authors: list[Sink] = field(default_factory=list)
    abstract: Sink | None = None
    front: Sink = field(default_factory=lambda: Sink("front"))
    sections: list[Section] = field(default_factory=list)
    captions: list[Caption] = field(default_factory=list)
    footnotes: list[Sink] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)  # words of tables, which are left out of the text
    beside: list[str] = field(default_factory=list)  # words of floats outside captions, likewise
    cited: dict[str, None] = field(default_factory=dict)
    bibliographies: list[str] = field(default_factory=list)
    picture_folders: list[str] = field(default_factory=list)
    packages: dict[str, str] = field(default_factory=dict)  # options by package
    bibliography_style: str = ""
    document_class: str = ""
    class_options: str = ""  # between commas
