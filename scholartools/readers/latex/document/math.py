"""Read formulas from the token stream as LaTeX, with the macros of the paper expanded."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from scholartools.readers.latex.tex.macros import Macro
from scholartools.readers.latex.tex.stream import Stream
from scholartools.readers.latex.tex.tokens import (
    PAR,
    PRIMITIVE,
    plain_text,
    untokenize,
)

_ONE_NUMBER = "equation multline dmath".split()
_NUMBERED_ROWS = "align gather eqnarray flalign alignat xalignat IEEEeqnarray dgroup".split()

# Display environments, and whether each row is numbered (False: one number in total; None: no number).
DISPLAYS: dict[str, bool | None] = {
    **dict.fromkeys(_ONE_NUMBER, False),
    **dict.fromkeys(_NUMBERED_ROWS, True),
    **dict.fromkeys([f"{name}*" for name in _ONE_NUMBER + _NUMBERED_ROWS]),
    **dict.fromkeys("displaymath xxalignat".split()),
}
ARGUMENTS = dict.fromkeys("alignat alignat* xalignat xalignat* xxalignat".split(), "m") | dict.fromkeys(
    ("IEEEeqnarray", "IEEEeqnarray*"), "om"
)
# The commands behind environments, which are used in macros of papers: ``\\def\\be{\\equation}``.
SPELLED_OUT = {
    f"\\{end}{name}": Macro((f"\\{end or 'begin'}", "{", name, "}"))
    for name in "equation eqnarray align gather multline displaymath".split()
    for end in ("", "end")
}

# Commands with one or two arguments that may lack braces: ``\\hat\\x``, ``\\frac12``.
_OF_ONE = frozenset({"^", "_"}) | {
    f"\\{name}"
    for name in (
        "acute bar bm boldsymbol breve check ddot dot grave hat mathbb mathbf mathcal mathfrak mathit mathring mathrm "
        "mathscr mathsf mathtt overline sqrt tilde underline vec widehat widetilde"
    ).split()
}
_OF_TWO = frozenset("\\binom \\dfrac \\frac \\overset \\stackrel \\tfrac \\underset".split())

_GONE = frozenset("\\xspace \\protect \\leavevmode \\displaybreak \\allowdisplaybreaks".split())
_ENDS_ALL = frozenset("\\section \\subsection \\subsubsection \\chapter \\bibliography \\maketitle".split())
_NO_NUMBER = frozenset("\\nonumber \\notag \\IEEEnonumber".split())


@dataclass
class Row:
    """One row of a display, with the commands that determine its number."""

    labels: list[str] = field(default_factory=list)
    tag: str | None = None
    numbered: bool = True


@dataclass
class Formula:
    """A formula: its LaTeX, its rows, and whether its end was found."""

    latex: str
    rows: list[Row]
    closed: bool


def read_formula(stream: Stream, close: str) -> Formula:
    """Read up to ``close``: ``$``, ``$$``, ``\\)``, ``\\]`` or the name of an environment.

    An empty line or a heading also ends the formula, since it is an error in TeX.
    """
    return _Formula(stream, close).read()


class _Formula:
    def __init__(self, stream: Stream, close: str) -> None:
        self.stream = stream
        self.close = close
        self.found: list[str] = []
        self.rows = [Row()]
        self.braces = 0
        self.environments: list[str] = []

    def read(self) -> Formula:
        closed = False
        while not closed and (token := self.stream.next()) is not None:
            if token == PAR or token in _ENDS_ALL:
                self.stream.back(token)
                break
            closed = self._ends_here() if token == "\\end" else self._is_close(token)
            if not closed and token != "\\end":
                self._take_token(token)
        return Formula(" ".join(untokenize(self.found).split()), self.rows, closed)

    def _is_close(self, token: str) -> bool:
        if token != self.close[0] or token != "$":
            return token == self.close
        if self.braces or self.environments:
            return False
        if self.close == "$$":
            self.stream.take("$")
        return True

    def _ends_here(self) -> bool:
        """Read the name after ``\\end``; whether it is that of the formula's environment."""
        name = self.stream.text_argument()
        if not self.environments and name == self.close:
            return True
        if name in self.environments:
            while self.environments.pop() != name:
                pass
        if name in self.stream.environments:
            self.stream.push(list(self.stream.environments[name][1]))
        else:
            self.found += ["\\end", "{", name, "}"]
        return False

    def _take_token(self, token: str) -> None:
        if token == "\\label":
            self.rows[-1].labels.append(self.stream.text_argument())
        elif token == "\\ensuremath":
            self.stream.push(self.stream.argument())
        elif token == "\\begin":
            self._begin_environment()
        elif self.stream.stands_for_several(token) and _awaits_argument(self.found):
            self.stream.push(["{", token, "}"])
        elif token not in _GONE and not self.stream.step(token, text=False):
            self._keep_token(token)

    def _begin_environment(self) -> None:
        name = self.stream.text_argument()
        if name in self.stream.environments:
            self.stream.push(self.stream.environments[name][0].expand(self.stream))
            return
        self.environments.append(name)
        self.found += ["\\begin", "{", name, "}"]

    def _keep_token(self, token: str) -> None:
        token = token.removeprefix(PRIMITIVE)
        if token in "{}":
            if token == "}" and not self.braces:
                return
            self.braces += 1 if token == "{" else -1
        elif token == "\\\\" and not self.braces and not self.environments:
            self.rows.append(Row())
        elif token in _NO_NUMBER:
            self.rows[-1].numbered = False
        elif token == "\\tag":
            star = "*" * self.stream.take("*")
            argument = self.stream.argument()
            self.rows[-1].tag = plain_text(argument)
            self.found += ["\\tag", *star, "{", *argument, "}"]
            return
        self.found.append(token)


def _awaits_argument(found: list[str]) -> bool:
    """Whether the next token is an unbraced argument of a command before it."""
    end = _skip_spaces_back(found, len(found))
    if not end or found[end - 1] == "{":
        return False
    if found[end - 1] in _OF_ONE or found[end - 1] in _OF_TWO:
        return True
    before = _skip_spaces_back(found, _begin_of_group(found, end))
    return before > 0 and found[before - 1] in _OF_TWO


def _skip_spaces_back(found: list[str], end: int) -> int:
    while end and found[end - 1] == " ":
        end -= 1
    return end


def _begin_of_group(found: list[str], end: int) -> int:
    """The start of the group that ends at ``end``, or of the single token there."""
    depth = 0
    for place in range(end - 1, -1, -1):
        depth += (found[place] == "}") - (found[place] == "{")
        if depth <= 0:
            return place
    return 0


_TRIVIAL = re.compile(r"(?:\\[,;:! ]|[\s{}~])*")


def is_blank(latex: str) -> bool:
    """Whether a formula prints nothing."""
    return _TRIVIAL.fullmatch(latex) is not None
