"""Macros of packages for formulas that sources do not include: those of ``physics``."""

from __future__ import annotations

from dataclasses import dataclass

from scholartools.readers.latex.tex.macros import Arguments, Macro, fill_body
from scholartools.readers.latex.tex.tokens import tokenize


@dataclass(frozen=True)
class Variants(Macro):
    """A macro whose body depends on the number of braced arguments: ``\\dv{x}`` and ``\\dv{f}{x}``.

    Attributes:
        bodies: the bodies for one argument, two, and so on; ``#1`` is an optional argument before them.
    """

    bodies: tuple[tuple[str, ...], ...] = ()

    def expand(self, stream: Arguments) -> list[str] | None:
        """The body, filled with arguments from the stream."""
        stream.take("*")
        given = [stream.optional() or []]
        while len(given) <= len(self.bodies) and (len(given) == 1 or stream.peek() == "{"):
            given.append(stream.argument())
        body = self.bodies[len(given) - 2]
        return fill_body(body if given[0] else _without_exponent(body), given, stream.room)


def _without_exponent(body: tuple[str, ...]) -> tuple[str, ...]:
    """The body without ``^{#1}``, for a use without the optional argument."""
    places = [place for place in range(len(body)) if body[place : place + 4] == _EXPONENT]
    left_out = {place + step for place in places for step in range(4)}
    return tuple(token for place, token in enumerate(body) if place not in left_out)


_EXPONENT = ("^", "{", "#1", "}")


def _variants(*bodies: str) -> Macro:
    return Variants((), bodies=tuple(tuple(tokenize(body)) for body in bodies))


def _derivative(sign: str) -> list[str]:
    """The derivative operator, and the derivative of a function."""
    return [rf"\frac{{{sign}^{{#1}}}}{{{sign} #2^{{#1}}}}", rf"\frac{{{sign}^{{#1}} #2}}{{{sign} #3^{{#1}}}}"]


_MIXED = r"\frac{\partial^{2} #2}{\partial #3\partial #4}"
_LETTERS = {"\\vb": r"\mathbf{#2}", "\\va": r"\vec{\mathbf{#2}}", "\\vu": r"\hat{\mathbf{#2}}"}
_SIGNS = {"\\cross": r"\times", "\\vdot": r"\cdot", "\\grad": r"\nabla", "\\curl": r"\nabla\times", "\\qty": ""}
_OPERATORS = {name: rf"\operatorname{{{name[1:]}}}" for name in ("\\tr", "\\Tr", "\\rank", "\\erf")}

PACKAGES: dict[str, dict[str, Macro]] = {
    "physics": {
        "\\abs": _variants(r"\left\lvert #2 \right\rvert"),
        "\\norm": _variants(r"\left\lVert #2 \right\rVert"),
        "\\order": _variants(r"\mathcal{O}\left( #2 \right)"),
        "\\bra": _variants(r"\langle #2 |"),
        "\\ket": _variants(r"| #2 \rangle"),
        "\\braket": _variants(r"\langle #2 | #2 \rangle", r"\langle #2 | #3 \rangle"),
        **dict.fromkeys(("\\ev", "\\expval"), _variants(r"\langle #2 \rangle", r"\langle #3 | #2 | #3 \rangle")),
        "\\mel": _variants("", "", r"\langle #2 | #3 | #4 \rangle"),
        **dict.fromkeys(("\\comm", "\\commutator"), _variants("", r"\left[ #2, #3 \right]")),
        "\\dd": _variants(r"\mathrm{d}^{#1} #2"),
        **dict.fromkeys(("\\dv", "\\derivative"), _variants(*_derivative(r"\mathrm{d}"))),
        **dict.fromkeys(("\\pdv", "\\partialderivative"), _variants(*_derivative(r"\partial"), _MIXED)),
        **{name: _variants(body) for name, body in _LETTERS.items()},
        **{name: Macro(tuple(tokenize(body))) for name, body in (_SIGNS | _OPERATORS).items()},
    }
}
