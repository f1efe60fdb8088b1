"""Convert LaTeX equations to MathML, which browsers typeset without a script."""

from __future__ import annotations

import functools
import re
from xml.etree import ElementTree

# Longer than any equation in a paper; limits the time of the converter.
_LONGEST = 4_000
_NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
_ELEMENTS = frozenset(
    "math mrow mi mo mn ms mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts "
    "mprescripts none mtable mtr mtd mstyle mpadded mphantom menclose".split()
)
_ATTRIBUTES = frozenset(
    "display displaystyle scriptlevel stretchy symmetric accent accentunder mathvariant columnalign rowspacing "
    "columnspacing columnlines rowlines linethickness width height depth lspace rspace minsize maxsize fence separator "
    "movablelimits largeop form notation".split()
)
# Inner environments of a display, which the converter does not support.
_INNER = re.compile(r"\\(begin|end)\{(?:aligned|split|gathered)\}")
_NUMBERING = re.compile(r"\\(?:label|tag)\s*\{[^{}]*\}|\\(?:nonumber|notag)\b")


@functools.lru_cache(4096)
def mathml(latex: str) -> str | None:
    """The equation as a ``<math>`` element; None if it cannot be converted.

    The converter passes markup in ``\\text`` through. Its output is parsed, and only passive MathML elements and
    attributes are accepted, so that no other markup can be injected.
    """
    from latex2mathml.converter import convert

    if len(latex) > _LONGEST:
        return None
    text = _NUMBERING.sub("", latex).strip().rstrip(",.; ")
    text = _INNER.sub(r"\\\1{align*}", text)
    if (r"\\" in text or "&" in text) and r"\begin" not in text:
        text = rf"\begin{{align*}}{text}\end{{align*}}"
    try:
        tree = ElementTree.fromstring(convert(text, display="block"))
    except Exception:  # the library raises various exceptions on malformed input
        return None
    for element in tree.iter():
        element.tag = element.tag.removeprefix(_NAMESPACE)
        known = element.tag in _ELEMENTS and element.attrib.keys() <= _ATTRIBUTES
        if not known or "\\" in (element.text or ""):  # a backslash indicates an unconverted command
            return None
    return ElementTree.tostring(tree, encoding="unicode")
