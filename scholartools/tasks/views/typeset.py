"""LaTeX of an equation as MathML, which browsers typeset without a script."""

from __future__ import annotations

import functools
import re
from xml.etree import ElementTree

# More than any equation of a paper has; the converter's time grows with it.
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
# Environments inside a display, of which the converter knows only the outer ones.
_INNER = re.compile(r"\\(begin|end)\{(?:aligned|split|gathered)\}")
_NUMBERING = re.compile(r"\\(?:label|tag)\s*\{[^{}]*\}|\\(?:nonumber|notag)\b")


@functools.lru_cache(4096)
def mathml(latex: str) -> str | None:
    """The equation as one ``<math>`` element; None where the converter cannot read it.

    The converter lets markup in ``\\text`` through as it is. What it makes is parsed, and only elements and attributes
    of MathML that do nothing are taken, so that nothing of the text becomes other markup.
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
    except Exception:  # the library raises its own errors, and Python's of many kinds on odd text
        return None
    for element in tree.iter():
        element.tag = element.tag.removeprefix(_NAMESPACE)
        known = element.tag in _ELEMENTS and element.attrib.keys() <= _ATTRIBUTES
        if not known or "\\" in (element.text or ""):  # a backslash: a command that the converter left as it is
            return None
    return ElementTree.tostring(tree, encoding="unicode")
