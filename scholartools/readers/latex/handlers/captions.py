"""Captions of floats and of their lettered parts, and pictures; all are kept with the caption of the whole float."""

from __future__ import annotations

import re
from collections.abc import Callable

from scholartools.readers.latex.document.counters import Target
from scholartools.readers.latex.document.output import Display, Sink
from scholartools.readers.latex.document.parts import Caption, Float, Part, Picture
from scholartools.readers.latex.document.state import Command, Document
from scholartools.readers.latex.tex.tokens import plain_text, untokenize

_KINDS = ("figure", "table", "algorithm", "listing")


def open_float(document: Document, kind: str) -> Float:
    """A new float of a kind, or a part of the open one."""
    steps = document.sink.inner("steps", kept=True)
    if kind != "part":
        return Float(kind, steps)
    whole = document.float or Float("figure", steps)
    return Float(whole.kind, whole.steps, whole.whole or whole)


def close_float(document: Document, closed: Float) -> None:
    """Assign remaining parts and pictures to the last caption; parts without a caption get an empty one."""
    if closed.whole is None or document.float is None:
        _place_steps(document, closed)
    if closed.caption is not None:
        closed.caption.pictures += closed.pictures
    if not closed.parts:
        return
    if closed.caption is None:
        closed.caption = Caption(closed.kind, None, Sink("caption"), pictures=closed.pictures)
        document.parts.captions.append(closed.caption)
    closed.caption.parts += closed.parts


def add_caption(document: Document, kind: str, *, starred: bool = False) -> None:
    """Read the next argument as a caption, and assign the parts, pictures and steps before it to it."""
    caption = Caption(kind, None if starred else document.counters.refer(kind), Sink("caption"))
    document.parts.captions.append(caption)
    if document.float is not None:
        caption.parts, document.float.parts = document.float.parts, []
        _take_pictures(caption, document.float)
        _take_steps(caption, document.float)
        document.float.caption = caption
    document.capture(caption.text)


def _take_pictures(caption: Caption, of: Float) -> None:
    """Assign the pictures before a caption to it; if the first caption has none, captions are above their pictures."""
    of.captions_first = of.captions_first or (of.caption is None and not of.pictures)
    caption.pictures, of.pictures = of.pictures, []


def _take_steps(caption: Caption, of: Float) -> None:
    """Assign the steps before a caption to it, or to the previous caption if that has none."""
    above = of.caption
    (caption if above is None or above.content.has_text() else above).content.atoms += of.steps.atoms
    of.steps.atoms.clear()


def _place_steps(document: Document, closed: Float) -> None:
    """Assign the last steps to the last caption; without a caption they become text after the paragraph."""
    if closed.caption is not None:
        closed.caption.content.atoms += closed.steps.atoms
    elif closed.steps.has_text():
        document.sink.add_behind([atom for atom in closed.steps.atoms if not isinstance(atom, Display)])
    closed.steps.atoms.clear()


def add_picture(document: Document, picture: Picture) -> None:
    """Keep a picture of the open float, if any, for its caption."""
    if document.float is None:
        return
    whole = document.float.whole or document.float
    is_above = whole.captions_first and whole.caption is not None
    (whole.caption.pictures if is_above and whole.caption else whole.pictures).append(picture)


def _include_picture(document: Document) -> None:
    """``\\includegraphics[options]{name}``; the star is equivalent to the option ``clip``."""
    starred = document.stream.take("*")
    given = [document.stream.optional(), document.stream.optional()]
    options = ",".join(untokenize(one) for one in given if one)
    name = plain_text(document.stream.expanded(document.stream.argument()))
    add_picture(document, Picture(name, options + ",clip" * starred))


def _include_postscript(document: Document) -> None:
    """``\\epsfig{file=name, ...}``, ``\\psfig{figure=name, ...}``."""
    options = document.stream.text_argument()
    found = re.search(r"\b(?:file|figure)\s*=\s*([^,\s]+)", options)
    add_picture(document, Picture(found[1] if found else options))


def _read_picture_folders(document: Document) -> None:
    """``\\graphicspath{{one/}{other/}}``."""
    document.parts.picture_folders += re.findall(r"\{([^{}]*)\}", untokenize(document.stream.argument()))


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
    """The sink for the caption of a part, discarded outside floats; the part becomes the target of the next label."""
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
    """``\\subfloat[caption]{...}``, or ``[short caption][caption]``; the content is not part of the text."""
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
        content = document.sink.inner("float", document.parts.beside)
        document.capture(content, lambda: setattr(document.counters, "current", outer))

    return read


def _read_unseen_part(document: Document) -> None:
    """``\\phantomsubcaption``: a part whose letter is printed in the picture."""
    _open_part(document)


COMMANDS: dict[str, Command] = {
    **dict.fromkeys(("\\includegraphics", "\\includesvg", "\\epsfbox"), _include_picture),
    **dict.fromkeys(("\\epsfig", "\\psfig"), _include_postscript),
    "\\graphicspath": _read_picture_folders,
    "\\caption": _read_caption,
    "\\captionof": _caption_of,
    "\\subcaption": _sub_caption,
    "\\phantomsubcaption": _read_unseen_part,
    **dict.fromkeys(("\\subfloat", "\\subfigure", "\\subtable"), _sub_float),
    "\\subcaptionbox": _sub_box,
}
