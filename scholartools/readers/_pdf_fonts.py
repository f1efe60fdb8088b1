"""Which fonts of a page give characters that are guessed: bitmap (Type 3) fonts without a Unicode map."""

from __future__ import annotations

import re
from typing import Any

_GLYPH = re.compile(r"/([^\s/\[\]<>()]+)")
_NO_NAME = re.compile(r"[a-zA-Z]{1,2}\d+|\.notdef")


def guessed_fonts(document: Any, source: Any) -> str:
    """Bitmap (Type 3) fonts of the page that hold no Unicode map, by name; empty when there are none."""
    names = [font[4] for font in source.get_fonts() if font[2] == "Type3" and _is_guessed(document, font)]
    return "Type 3 fonts " + ", ".join(sorted(set(names))) if names else ""


def _is_guessed(document: Any, font: tuple) -> bool:
    """Whether a font has no Unicode map, and no name of its own or no glyph names that mean something."""
    if document.xref_get_key(font[0], "ToUnicode")[0] != "null":
        return False
    if not font[3]:
        return True  # bitmaps of an old TeX: glyph names, where there are any, are all one has
    encoding = document.xref_get_key(font[0], "Encoding")
    text = document.xref_object(int(encoding[1].split()[0])) if encoding[0] == "xref" else encoding[1]
    names = _GLYPH.findall(text.partition("/Differences")[2])
    return sum(_NO_NAME.fullmatch(name) is not None for name in names) >= 0.5 * len(names)
