"""Formulas in XML: extraction of LaTeX, and linearisation of MathML."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from xml.etree.ElementTree import Element

_BODY = re.compile(r"\\begin\s*\{document\}(.*?)(?:\\end\s*\{document\}|$)", re.DOTALL)
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_FENCES = (("$$", "$$"), ("$", "$"), (r"\[", r"\]"), (r"\(", r"\)"))


def latex_of(text: str) -> str:
    """The formula in a ``tex-math`` element: without preamble, comments and math delimiters, on one line."""
    body = _BODY.search(text)
    formula = " ".join(_COMMENT.sub("", body[1] if body else text).split())
    for opening, closing in _FENCES:
        inner = formula.removeprefix(opening).removesuffix(closing)
        if len(inner) == len(formula) - len(opening) - len(closing) and opening not in inner:
            return inner.strip()
    return formula


def text_of(math: Element) -> str:
    """MathML on one line: ``x^2``, ``(a + b)/c``, ``√(n)``. Element names must not have a namespace prefix."""
    return " ".join(_linear_text(math).split())


def _linear_text(element: Element) -> str:
    return _LAYOUTS.get(element.tag, _row_text)(element)


def _row_text(element: Element) -> str:
    return (element.text or "").strip() + "".join(map(_linear_text, element))


def _child_texts(element: Element) -> list[str]:
    return [_linear_text(child) for child in element]


def _parenthesize(text: str) -> str:
    """Add parentheses, unless the text is a single sign, number or name."""
    return text if len(text) == 1 or text.replace(".", "").isalnum() else f"({text})"


def _scripts_writer(*marks: str) -> Callable[[Element], str]:
    def layout(element: Element) -> str:
        base, *scripts = _child_texts(element) or [""]
        return base + "".join(
            f"{mark}{_parenthesize(script)}" for mark, script in zip(marks, scripts) if script.strip()
        )

    return layout


def _fraction_text(element: Element) -> str:
    return "/".join(map(_parenthesize, _child_texts(element)))


def _root_text(element: Element) -> str:
    return f"√({''.join(_child_texts(element)[:1] if element.tag == 'mroot' else _child_texts(element))})"


def _fenced_text(element: Element) -> str:
    return f"{element.get('open', '(')}{', '.join(_child_texts(element))}{element.get('close', ')')}"


def _operator_text(element: Element) -> str:
    sign = _row_text(element).translate(_INVISIBLE)
    return f" {sign} " if sign in _SPACED else f"{sign} " if sign in (",", ";") else sign


def _accented_text(element: Element) -> str:
    base, *above = _child_texts(element) or [""]
    mark = "".join(above).strip()
    return unicodedata.normalize("NFC", base + _ACCENTS[mark]) if mark in _ACCENTS else f"{base}{mark}"


def _first_child_text(element: Element) -> str:
    return "".join(_child_texts(element)[:1])


def _list_writer(separator: str) -> Callable[[Element], str]:
    return lambda element: separator.join(_child_texts(element))


_ACCENTS = dict(zip("^ˆ~˜¯‾˙.→⃗", "\u0302\u0302\u0303\u0303\u0304\u0304\u0307\u0307\u20d7\u20d7"))
_INVISIBLE = dict.fromkeys(map(ord, "\u2061\u2062\u2063\u2064"))
_SPACED = frozenset("=≠≈≃≅≡<>≤≥≪≫∈∉⊂⊆→←↔⇒⇔∼~+−±×∝")
_LAYOUTS: dict[str, Callable[[Element], str]] = {
    "msup": _scripts_writer("^"),
    "msub": _scripts_writer("_"),
    "msubsup": _scripts_writer("_", "^"),
    "munder": _scripts_writer("_"),
    "munderover": _scripts_writer("_", "^"),
    "mover": _accented_text,
    "mfrac": _fraction_text,
    "msqrt": _root_text,
    "mroot": _root_text,
    "mfenced": _fenced_text,
    "mo": _operator_text,
    "mspace": lambda element: " ",
    "mtext": lambda element: f" {_row_text(element)} ",
    "mtable": _list_writer("; "),
    "mtr": _list_writer(", "),
    "semantics": _first_child_text,
    "annotation": lambda element: "",
    "annotation-xml": lambda element: "",
    "mphantom": lambda element: "",
}
