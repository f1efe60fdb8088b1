r"""Random papers in LaTeX with known headings: their numbers, levels, words, and the text below each.

Headings occur where authors and programs put them: in the argument of a command (``\hypertarget`` of Pandoc), in a
group, in a box, after commands for bookmarks, in macros of the paper, with comments and line breaks in between.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

_LETTERS = "abcdeghiklmnoprstuvy"
_WEIGHTS = {"part": 1, "chapter": 6, "section": 10, "subsection": 8, "subsubsection": 3}
_KINDS = {"part": 0, "chapter": 0, "section": 1, "subsection": 2, "subsubsection": 3}
_CLASSES = {  # whether there are chapters, the deepest level that is numbered, commands without number
    "article": (False, 3, {}),
    "scrartcl": (False, 3, {"addsec": "section", "addpart": "part"}),
    "report": (True, 2, {}),
    "book": (True, 2, {}),
    "memoir": (True, 1, {}),
    "scrreprt": (True, 2, {"addsec": "section", "addchap": "chapter", "addpart": "part"}),
}
_PREAMBLE = r"""
\usepackage{needspace,placeins,multicol,etoolbox,ifthen,xcolor,hyperref}
\newcommand{\nocontentsline}[3]{}
\newcommand{\tocless}[2]{\bgroup\let\addcontentsline=\nocontentsline#1{#2}\egroup}
\newcommand{\wrapped}[2]{\vspace{2pt}#1{#2}\label{wrapped-#2}}
\newcommand{\tinted}[1]{{\color{red}#1}}
\NewDocumentCommand{\listed}{m s o m}{\IfBooleanTF{#2}{#1*{#4}}{\IfNoValueTF{#3}{#1{#4}}{#1[#3]{#4}}}}
\makeatletter
\newcommand{\starred}[1]{\@ifstar{#1*}{#1}}
\makeatother
"""
_BEFORE = (
    "\\phantomsection",
    "\\phantomsection\n",
    "\\pdfbookmark[1]{{{dead}}}{{{dead}}}",
    "\\pdfbookmark[1]{{{dead}}}{{{dead}}}\n\n",
    "\\currentpdfbookmark{{{dead}}}{{{dead}}}",
    "\\Needspace{{5\\baselineskip}}",
    "\\Needspace*{{3cm}}\n",
    "\\needspace{{2\\baselineskip}}",
    "\\FloatBarrier\n",
    "\\bigskip\\noindent",
    "\\par\\pagebreak[3]",
    "\\addtocontents{{toc}}{{\\protect\\vspace{{2pt}}}}",
    "\\vfil\\penalty-200\\vfilneg\n",
    "\\hypertarget{{{dead}}}{{}}\n",
    "\\label{{{dead}}}",
    "% {dead}\n",
    "",
)
_AFTER = (
    "\\label{{{dead}}}",
    "\\label{{{dead}}}\\nopagebreak",
    "\\sectionmark{{{dead}}}",
    "\\subsectionmark{{{dead}}}",
    "\\markboth{{{dead}}}{{{dead}}}",
    "\\markright{{{dead}}}",
    "\\addcontentsline{{toc}}{{section}}{{{dead}}}",
    "\\addcontentsline{{toc}}{{section}}{{\\protect\\numberline{{}}{dead}}}%\n",
    "% {dead}\n",
    "\\hypertarget{{{dead}}}{{}}",
    "\\thispagestyle{{empty}}",
    "",
)
_BETWEEN = ("", "", "", " ", "\n", "\t", "%{dead}\n", " % {dead}\n  \t")
_AROUND = (
    "{heading}",
    "{heading}",
    "{heading}",
    "\\hypertarget{{{dead}}}{{{heading}}}",
    "\\hypertarget{{{dead}}}{{%\n{heading}\\label{{{dead}}}}}",
    "\\hypertarget{{{dead}}}{{\n{heading}\n}}",
    "\\hypertarget {{{dead}}} {{{heading}\\label{{{dead}}}}}",
    "{{\\small{heading}}}",
    "{{\\color{{red}}{heading}}}",
    "{{{{{heading}}}}}",
    "\\begingroup\\large\n{heading}\\endgroup",
    "\\bgroup\\let\\clearpage\\relax{heading}\\egroup",
    "\\begin{{center}}{heading}\\end{{center}}",
    "\\begin{{samepage}}\n{heading}\n\\end{{samepage}}",
    "\\begin{{flushleft}}\\sffamily\n{heading}\\end{{flushleft}}",
    "\\tinted{{{heading}}}",
    "\\tinted{{\\hypertarget{{{dead}}}{{{heading}}}}}",
    "\\textcolor{{blue}}{{{heading}}}",
    "\\parbox{{\\linewidth}}{{{heading}}}",
    "\\fbox{{\\parbox{{.9\\linewidth}}{{{heading}}}}}",
    "\\colorbox{{yellow}}{{\\begin{{minipage}}{{.9\\linewidth}}{heading}\\end{{minipage}}}}",
    "\\begin{{minipage}}{{\\linewidth}}\n{heading}\n\\end{{minipage}}",
    "\\texorpdfstring{{{heading}}}{{{dead}}}",
    "\\ifthenelse{{\\equal{{a}}{{a}}}}{{{heading}}}{{{dead}}}",
    "\\iftrue{heading}\\else {dead}\\fi",
    "\\ifdefined\\tinted\n{heading}\n\\fi",
)
_WORDS = (
    "{word}",
    "{word}",
    "{word}",
    "\\texorpdfstring{{{word}}}{{{dead}}}",
    "\\texorpdfstring{{\\textbf{{{word}}}}}{{{dead}}}",
    "{{\\em {word}}}",
    "\\textbf{{{word}}}",
    "\\protect\\textsc{{{word}}}",
    "\\MakeUppercase{{{word}}}",
    "\\mbox{{{word}}}",
    "\\label{{{dead}}}{word}",
    "{word}\\label{{{dead}}}",
    "\\phantomsection {word}",
    "\\protect\\hypertarget{{{dead}}}{{{word}}}",
    "\\protect\\hypertarget{{{dead}}}{{}}{word}",
    "\\href{{http://{dead}.org}}{{{word}}}",
    "\\index{{{dead}}}{word}",
    "{word} %{dead}\n",
    "{word}\\\\",
    "\\boldmath {word}",
    "\\centering {word}",
    "\\hspace*{{1em}}{word}",
    "{{\\footnotesize\\textit{{{word}}}}}",
)


@dataclass
class Heading:
    """A heading as printed, and the words below it."""

    number: str | None
    level: int
    words: list[str]
    text: list[str] = field(default_factory=list)


class Headings:
    """A random paper; ``source``: its LaTeX, ``found``: the expected headings."""

    def __init__(self, seed: int) -> None:
        self.lot = random.Random(seed)
        self.name = self.lot.choice(list(_CLASSES))
        self.chapters, self.depth, self.plain = _CLASSES[self.name]
        self.counts = dict.fromkeys(_KINDS, 0)
        self.found: list[Heading] = []
        self.kinds: list[str] = []
        self.defined = ""
        self._serial = self.lot.randrange(1000)
        self.main = True
        blocks = "".join(self._matter() + self._block() for _ in range(self.lot.randint(3, 9)))
        head = f"\\documentclass{{{self.name}}}{_PREAMBLE}{self.defined}"
        self.source = f"{head}\\begin{{document}}\n{blocks}\\end{{document}}\n"
        highest = min(_KINDS[kind] for kind in self.kinds)
        has_chapters = "chapter" in self.kinds
        for kind, one in zip(self.kinds, self.found, strict=True):
            one.level = max(1, _KINDS[kind] + has_chapters - max(0, highest - 1))

    def _coin(self) -> str:
        self._serial, number, made = self._serial + 1, self._serial, ""
        for _ in range(4):
            number, digit = divmod(number, len(_LETTERS))
            made += _LETTERS[digit]
        return f"q{made}z"

    def _fill(self, pattern: str, **parts: str) -> str:
        return pattern.format(dead=self._coin(), **parts)

    def _words(self, into: list[str]) -> str:
        into += (coined := [self._coin() for _ in range(self.lot.randint(2, 6))])
        return " ".join(coined)

    def _matter(self) -> str:
        """``\\frontmatter`` and the like, in books: only chapters of the main matter are numbered."""
        if self.name != "book" or self.lot.random() > 0.3:
            return ""
        matter = self.lot.choice(("front", "main", "back"))
        self.main = matter == "main"
        return f"\\{matter}matter\n"

    def _block(self) -> str:
        """Source of a heading and the text below it."""
        pattern = self.lot.choice(_BEFORE)
        before = self._fill(pattern)
        inside = self._heading()
        after = self._fill(self.lot.choice(_AFTER))
        if self.lot.random() < 0.06:
            around = f"\\begin{{multicols}}{{2}}[{{{inside}}}]\n{self._words(self.found[-1].text)}\n\\end{{multicols}}"
        else:
            around = self._fill(self.lot.choice(_AROUND), heading=inside)
        text = self._words(self.found[-1].text)
        gap = self.lot.choice(("\n", "\n\n", "%\n\n", "\n\n\\noindent "))
        return f"{before}{around}{after}{gap}{text}.\n\n"

    def _heading(self) -> str:
        kinds = [kind for kind in _KINDS if kind != "chapter" or self.chapters]
        kind = self.lot.choices(kinds, [_WEIGHTS[kind] for kind in kinds])[0]
        if self.plain and self.lot.random() < 0.2:
            command, kind = self.lot.choice(list(self.plain.items()))
            star, numbered = self.lot.choice(("", "*")), False
        else:
            command = kind
            star = self.lot.choice(("", "", "", "*"))
            numbered = not star
        heading = Heading(self._number(kind) if numbered else None, 0, [])
        self.found.append(heading)
        self.kinds.append(kind)
        words = " ".join(self._word(heading) for _ in range(self.lot.randint(1, 4)))
        return self._command(command, star, words)

    def _word(self, heading: Heading) -> str:
        heading.words.append(coined := self._coin())
        return self._fill(self.lot.choice(_WORDS), word=coined)

    def _command(self, name: str, star: str, words: str) -> str:
        """The sectioning command, in one of the ways in which it can be called."""
        gaps = [self._fill(self.lot.choice(_BETWEEN)) for _ in range(3)]
        short = f"[{self._coin()}]" if not star and self.lot.random() < 0.2 else ""
        call = f"{star}{gaps[0]}{short}{gaps[1] if short else ''}{{{gaps[2]}{words}}}"
        ways: list[Callable[[], str]] = [
            lambda: f"\\{name}{call}",
            lambda: f"\\{name}{call}",
            lambda: f"\\{name}{call}",
            lambda: f"\\csname {name}\\endcsname{call}",
            lambda: f"\\expandafter\\{name}{call}",
            lambda: f"\\starred{{\\{name}}}{call}",
            lambda: f"\\listed{{\\{name}}}{call}",
            lambda: self._own(name, star, words),
            lambda: self._own_of_argument(name, call),
        ]
        if not short:
            ways.append(lambda: f"\\tocless\\{name}{call}" if not star else f"\\tocless{{\\{name}*}}{{{words}}}")
        return self.lot.choice(ways)()

    def _own(self, name: str, star: str, words: str) -> str:
        own = f"\\own{self._coin()}"
        define = self.lot.choice(
            (
                f"\\def{own}##1{{\\{name}{star}{{##1}}}}",
                f"\\newcommand{{{own}}}[1]{{\\{name}{star}{{##1}}\\label{{{self._coin()}}}}}",
                f"\\newcommand*{own}[1]{{\\{name}{star}{{##1}}}}",
                f"\\DeclareRobustCommand{{{own}}}[1]{{\\hypertarget{{{self._coin()}}}{{\\{name}{star}{{##1}}}}}}",
            )
        ).replace("##", "#")
        self.defined += define + "\n"
        return f"{own}{{{words}}}"

    def _own_of_argument(self, name: str, call: str) -> str:
        own = f"\\own{self._coin()}"
        self.defined += f"\\let{own}\\{name}\n"
        return f"{own}{call}"

    def _number(self, kind: str) -> str | None:
        order = ("chapter", "section", "subsection", "subsubsection")
        deepest = -1 if kind == "part" else order.index(kind)
        if deepest > self.depth:
            return None
        self.counts[kind] += 1
        if kind == "chapter" and not self.main:
            self.counts[kind] -= 1
            return None
        if kind == "part":
            return _roman(self.counts[kind])
        for below in order[order.index(kind) + 1 :]:
            self.counts[below] = 0
        used = order[0 if self.chapters else 1 : order.index(kind) + 1]
        return ".".join(str(self.counts[one]) for one in used)


def _roman(number: int) -> str:
    tens, ones = divmod(number, 10)
    return "X" * tens + ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")[ones]
