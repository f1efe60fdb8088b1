"""Captions of floats and of their parts, which are printed with a letter and kept with the caption of the whole."""

from __future__ import annotations

from collections.abc import Callable

from scholartools.readers.latex.document.counters import Target
from scholartools.readers.latex.document.output import Sink
from scholartools.readers.latex.document.parts import Caption, Float, Part
from scholartools.readers.latex.document.state import Command, Document

_KINDS = ("figure", "table", "algorithm", "listing")


def open_float(kind: str, outer: Float | None) -> Float:
    """A float of a kind, or a part of the one that is open."""
    if kind != "part":
        return Float(kind)
    whole = outer or Float("figure")
    return Float(whole.kind, whole.whole or whole)


def close_float(document: Document, closed: Float) -> None:
    """Give what is left of the captions of parts to the last caption of the whole, which may have none of its own."""
    if not closed.parts:
        return
    if closed.caption is None:
        closed.caption = Caption(closed.kind, None, Sink("caption"))
        document.parts.captions.append(closed.caption)
    closed.caption.parts += closed.parts


def add_caption(document: Document, kind: str, *, starred: bool = False) -> None:
    """Send the next argument to a caption, which takes the captions of the parts before it."""
    caption = Caption(kind, None if starred else document.counters.refer(kind), Sink("caption"))
    document.parts.captions.append(caption)
    if document.float is not None:
        caption.parts, document.float.parts = document.float.parts, []
        document.float.caption = caption
    document.capture(caption.text)


def _read_caption(document: Document) -> None:
    starred = document.stream.take("*")
    document.stream.optional()
    if document.float is None or document.float.whole is not None:
        document.capture(_open_part(document, starred=starred))
    else:
        add_caption(document, document.float.kind, starred=starred)


def _caption_of(document: Document) -> None:
    starred = document.stream.take("*")
    kind = document.stream.text_argument()
    document.stream.optional()
    if kind in _KINDS:
        add_caption(document, kind, starred=starred)
    else:
        document.capture(_open_part(document, starred=starred))


def _open_part(document: Document, *, starred: bool = False) -> Sink:
    """Where the caption of a part goes; that of no float is read and dropped. A label behind it names the part."""
    if document.float is None:
        return Sink("caption", kept=False)
    whole = document.float.whole or document.float
    letter = ""
    if not starred:
        whole.count += 1
        letter = chr(96 + min(26, whole.count))
        counters = document.counters
        number = counters.number_after_step(whole.kind) if whole.caption is None else counters.number(whole.kind)
        counters.current = Target(number + letter, whole.kind)
    whole.parts.append(Part(letter, Sink("caption")))
    return whole.parts[-1].text


def _sub_caption(document: Document) -> None:
    starred = document.stream.take("*")
    document.stream.optional()
    document.capture(_open_part(document, starred=starred))


def _sub_float(document: Document) -> None:
    """``\\subfloat[caption]{...}``, or ``[for the list][caption]``: what is not a caption is no text."""
    outer = document.counters.current
    first, second = document.stream.optional(), document.stream.optional()
    caption = first if second is None else second
    if caption is None:
        _skip_float_content(document, outer)()
        return
    document.stream.push(["{", *caption, "}"])
    document.capture(_open_part(document), _skip_float_content(document, outer))


def _sub_box(document: Document) -> None:
    """``\\subcaptionbox{caption}[width]{...}``."""
    outer = document.counters.current
    starred = document.stream.take("*")
    document.stream.optional()
    document.capture(_open_part(document, starred=starred), _skip_float_content(document, outer))


def _skip_float_content(document: Document, outer: Target) -> Callable[[], None]:
    def read() -> None:
        document.drop("oo")
        document.capture(document.sink.inner("float"), lambda: setattr(document.counters, "current", outer))

    return read


def _read_unseen_part(document: Document) -> None:
    """``\\phantomsubcaption``: a part whose letter is in the picture."""
    _open_part(document)


COMMANDS: dict[str, Command] = {
    "\\caption": _read_caption,
    "\\captionof": _caption_of,
    "\\subcaption": _sub_caption,
    "\\phantomsubcaption": _read_unseen_part,
    **dict.fromkeys(("\\subfloat", "\\subfigure", "\\subtable"), _sub_float),
    "\\subcaptionbox": _sub_box,
}
