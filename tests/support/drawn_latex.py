r"""Random papers in LaTeX with known printed words, their order, and the part of the paper of each.

Each kind of construct is a function that returns source and notes the words that TeX prints for it. Words are added to
the list ``Paper.place``; if it is None (a branch that is not taken, a comment), they are not printed. Macros are
defined where they are used; within arguments, where "#" would have to be doubled, in the preamble.
"""

from __future__ import annotations

import functools
import itertools
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

WORD = re.compile(r"q\w+?z", re.IGNORECASE)  # pattern of the random words
_LETTERS = "abcdeghiklmnoprstuvy"
_PACKAGES = (
    "[T1]{fontenc} [utf8]{inputenc} {amsmath} {amsthm} {etoolbox} {ifthen} {xspace} {xcolor} {graphicx} {enumitem} {longtable} "
    "{tabularx} {threeparttable} {tablefootnote} {subcaption} {listings} {comment} {booktabs} {multirow} {tikz} {hyperref}"
).split()
_HEAD = r"""\hyphenpenalty=10000 \exhyphenpenalty=10000 \sloppy
\newtheorem{claim}{Claim} \newif\ifyes \yestrue \newif\ifno \nofalse
\newcounter{steps} \newtoggle{shown} \toggletrue{shown} \newbool{long} \boolfalse{long} \newcount\tally
"""


@dataclass
class Part:
    """Words of a heading and of the text below it."""

    heading: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)


@dataclass
class Caption:
    """Words of a caption, and of its algorithm, if any."""

    text: list[str] = field(default_factory=list)
    content: list[str] = field(default_factory=list)


Kind = Callable[["Paper"], str]
ANYWHERE: dict[str, Kind] = {}  # kinds that are allowed in arguments
BLOCKS: dict[str, Kind] = {}  # kinds that are allowed only outside arguments


def _anywhere(made: Kind) -> Kind:
    ANYWHERE[made.__name__.strip("_")] = made
    return made


def _block(made: Kind) -> Kind:
    BLOCKS[made.__name__.strip("_")] = made
    return made


def _running_block(made: Kind) -> Kind:
    """Decorator of a block that is allowed only in the running text of a section; elsewhere it becomes a word."""

    @functools.wraps(made)
    def block(paper: Paper) -> str:
        return made(paper) if paper.is_running() else paper.words(1)

    return _block(block)


class Paper:
    """A random paper; ``source`` and ``files``: the input of the reader; the lists of words: the expected result."""

    def __init__(self, seed: int, only: frozenset[str] = frozenset()) -> None:
        self.lot = random.Random(seed)
        self.only = only
        self.files: dict[str, str] = {}
        self.abstract: list[str] = []
        self.title: list[str] = []
        self.parts: list[Part] = []
        self.footnotes: list[list[str]] = []
        self.captions: list[Caption] = []
        self.left_out: list[str] = []  # words of tables, and of floats outside their captions
        self.lost: list[str] = []  # words that TeX itself does not print
        self.place: list[str] | None = None
        self.preamble: list[str] = []
        self.used: set[str] = set()
        self._serial = itertools.count(self.lot.randrange(1000))
        self._inside = 0  # depth of arguments
        self._moves = False
        self._depth = 0  # nesting depth of kinds
        self.source = self._draw()

    # -- words ----------------------------------------------------------------

    def letters(self) -> str:
        number, made = next(self._serial), ""
        for _ in range(4):
            number, digit = divmod(number, len(_LETTERS))
            made += _LETTERS[digit]
        return made

    def coin(self) -> str:
        """A new word, not noted as printed."""
        return f"q{self.letters()}z"

    def say(self, *words: str) -> None:
        """Note that the words are printed at the current place."""
        if self.place is not None:
            self.place += words

    def word(self) -> str:
        """A new word that is printed once at the current place."""
        coined = self.coin()
        self.say(coined)
        return coined

    def words(self, most: int = 3) -> str:
        return " ".join(self.word() for _ in range(self.lot.randint(1, most)))

    def name(self) -> str:
        return f"\\m{self.letters()}"

    def dead(self, most: int = 2) -> str:
        """Words that are never printed."""
        return " ".join(self.coin() for _ in range(self.lot.randint(1, most)))

    # -- where they are printed -----------------------------------------------

    @contextmanager
    def into(self, place: list[str] | None) -> Iterator[None]:
        """Print words at another place within the block, unless words are not printed at all."""
        outer, self.place = self.place, place if self.place is not None else None
        yield
        self.place = outer

    @contextmanager
    def moving(self) -> Iterator[None]:
        """Within the block, do not draw fragile commands, which break in moving arguments."""
        outer, self._moves = self._moves, True
        yield
        self._moves = outer

    @contextmanager
    def argument(self) -> Iterator[None]:
        self._inside += 1
        yield
        self._inside -= 1

    def define(self, source: str) -> str:
        """Put a definition here or in the preamble; return the source to insert here."""
        if self._inside or self.lot.random() < 0.4:
            self.preamble.append(source)
            return ""
        return source + self.lot.choice(["", " ", "\n"])

    def use(self, name: str) -> str:
        return name + self.lot.choice(["{}", "\\ ", "{} "])

    def is_running(self) -> bool:
        """Whether the current place is the running text of a section, where floats are allowed."""
        return not self._inside and any(self.place is part.text for part in self.parts)

    def note(self, command: str = r"\footnote", *, lost: bool = False) -> str:
        """A footnote; ``lost``: TeX itself does not print it (in floats and tables), but the reader must keep it."""
        words: list[str] = []
        if self.place is not None:
            self.footnotes.append(words)
        with self.into(words):
            source = f"{command}{{{self.words()}}}"
        self.lost += words * lost
        return source

    # -- text -------------------------------------------------------------------

    def text(self, most: int = 3) -> str:
        """Text that is allowed in an argument."""
        with self.argument():
            return self._some(ANYWHERE, most)

    def body(self, most: int = 4) -> str:
        """Text with paragraphs and environments; within an argument, only what is allowed there."""
        return self._some(ANYWHERE if self._inside else ANYWHERE | BLOCKS, most)

    def _some(self, kinds: dict[str, Kind], most: int) -> str:
        left = _FRAGILE if self._moves else frozenset()
        kinds = {
            name: kind for name, kind in kinds.items() if name not in left and (not self.only or name in self.only)
        }
        made = [self.words()]
        for _ in range(self.lot.randint(1, most) if kinds and self._depth < 4 else 0):
            name = self.lot.choice([*kinds])
            self.used.add(name)
            self._depth += 1
            made.append(kinds[name](self))
            self._depth -= 1
            made.append(self.words(1))
        return self.lot.choice([" ", "\n"]).join(made)

    # -- the whole ----------------------------------------------------------------

    def _draw(self) -> str:
        self.place = self.title
        title = self.words()
        self.place = self.abstract
        abstract = self.text()
        parts = [self._section(name) for name in self.lot.choice(_OUTLINES)]
        head = "\n".join(rf"\usepackage{name}" for name in _PACKAGES)
        steps = self.lot.choice(_STEPS)
        defined = "\n".join(self.preamble)
        return (
            f"\\documentclass{{article}}\n{head}\n{steps}\n{_HEAD}{defined}\n\\title{{{title}}}\\author{{Ada Lovelace}}\n"
            f"\\begin{{document}}\n\\maketitle\n\\begin{{abstract}}{abstract}\\end{{abstract}}\n"
            + "\n\n".join(parts)
            + "\n\\end{document}\n"
            + self.dead()
        )

    def _section(self, command: str) -> str:
        self.parts.append(Part())
        self.place = self.parts[-1].heading
        short = f"[{self.dead()}]" if self.lot.random() < 0.2 and command[-1] != "*" else ""
        heading = self.words()
        self.place = self.parts[-1].text
        label = rf"\label{{{self.letters()}}}" if self.lot.random() < 0.3 else ""
        if self.lot.random() < 0.1 and not short and command == "section":
            self.preamble.append(r"\providecommand{\mysection}[1]{\section{#1}}")
            command = "mysection"
        return f"\\{command}{short}{{{heading}}}{label}\n" + "\n\n".join(
            self.body() for _ in range(self.lot.randint(1, 3))
        )


_OUTLINES = (
    ["section", "subsection", "section"],
    ["section", "section*", "subsection", "subsubsection"],
    ["section", "section"],
)
_FRAGILE = frozenset("asked delimited footnote linked".split())
_STEPS = [r"\usepackage[noend]{algorithm2e}"]


# Definitions and expansion


@_anywhere
def _macro(paper: Paper) -> str:
    r"""``\def`` and similar commands, without arguments."""
    name, words = paper.name(), [paper.coin(), paper.coin()]
    body = " ".join(words)
    how = paper.lot.choice([r"\def%s{%s}", r"\newcommand{%s}{%s}", r"\newcommand*%s{%s}", r"\gdef%s{%s}", r"\edef%s{%s}",
                            r"\providecommand{%s}{%s}", r"\DeclareRobustCommand{%s}{%s}", r"\xdef %s {%s}"])  # fmt: skip
    made = paper.define(how % (name, body))
    uses = [paper.use(name) for _ in range(paper.lot.randint(1, 2))]
    for _ in uses:
        paper.say(*words)
    return made + " ".join(uses)


@_anywhere
def _with_arguments(paper: Paper) -> str:
    name, before, after = paper.name(), paper.coin(), paper.coin()
    how = paper.lot.choice(
        [r"\newcommand{%s}[2]{%s}", r"\def%s#1#2{%s}", r"\long\def%s#1#2{%s}", r"\NewDocumentCommand{%s}{mm}{%s}"]
    )
    turned = paper.lot.random() < 0.3
    made = paper.define(how % (name, f"{before} #2 #1 {after}" if turned else f"{before} #1 #2 {after}"))
    paper.say(before)
    if turned:
        first = paper.coin()
        second = paper.text(1)
        paper.say(first)
    else:
        first, second = paper.text(2), paper.text(1)
    paper.say(after)
    return f"{made}{name}{{{first}}}{{{second}}}"


@_anywhere
def _with_default(paper: Paper) -> str:
    name, default, end = paper.name(), paper.coin(), paper.coin()
    how = paper.lot.choice([r"\newcommand{%s}[2][%s]{#1 #2 %s}", r"\NewDocumentCommand{%s}{O{%s}m}{#1 #2 %s}"])
    made = paper.define(how % (name, default, end))
    if paper.lot.random() < 0.5:
        given = f"[{paper.word()}]"
    else:
        given = ""
        paper.say(default)
    use = f"{made}{name}{given}{{{paper.text(2)}}}"
    paper.say(end)
    return use


@_anywhere
def _delimited(paper: Paper) -> str:
    name, between = paper.name(), paper.coin()
    made = paper.define(rf"\def{name}#1;#2\end{name[1:]}{{#1 {between} #2}}")
    first = paper.words()
    paper.say(between)
    return rf"{made}{name} {first};{paper.words()}\end{name[1:]}{{}}"


@_block
def _expanded_definition(paper: Paper) -> str:
    r"""``\edef`` and ``\xdef`` keep the meaning that a macro had at the definition."""
    inner, outer, first, second, own = paper.name(), paper.name(), paper.coin(), paper.coin(), paper.coin()
    how = paper.lot.choice([r"\edef", r"\xdef", r"\protected@edef"])
    protected = paper.lot.choice(["", r"\noexpand", r"\unexpanded"])
    used = rf"\unexpanded{{{inner}}}" if protected == r"\unexpanded" else protected + inner
    made = rf"\def{inner}{{{first}}}{how}{outer}{{{used} {own}}}\def{inner}{{{second}}}{outer}{{}}"
    paper.say(second if protected else first, own)
    return rf"\makeatletter {made}\makeatother " if "@" in how else made


@_block
def _grown(paper: Paper) -> str:
    r"""``\edef\list{\list word}``, repeated."""
    name, words = paper.name(), [paper.coin() for _ in range(3)]
    how = paper.lot.choice([rf"\edef{name}{{{name} %s}}", rf"\appto{name}{{ %s}}", rf"\eappto{name}{{ %s}}",
                            rf"\expandafter\def\expandafter{name}\expandafter{{{name} %s}}"])  # fmt: skip
    paper.say(*words)
    return rf"\def{name}{{{words[0]}}}" + "".join(how % word for word in words[1:]) + f"{name}{{}}"


@_block
def _local(paper: Paper) -> str:
    """A local definition ends with its group, a global one does not."""
    name, outer, inner = paper.name(), paper.coin(), paper.coin()
    begin, end = paper.lot.choice(
        [("{", "}"), (r"\begingroup ", r"\endgroup "), (r"\bgroup ", r"\egroup "), (r"\begin{center}", r"\end{center}")]
    )
    how, is_global = paper.lot.choice([(r"\def%s{%s}", False), (r"\renewcommand{%s}{%s}", False), (r"\gdef%s{%s}", True),
                                       (r"\xdef%s{%s}", True), (r"\global\def%s{%s}", True), (r"\edef%s{%s}", False)])  # fmt: skip
    paper.say(inner, inner if is_global else outer)
    return rf"\def{name}{{{outer}}}{begin}{how % (name, inner)}{name}{{}}{end}{name}{{}}"


@_block
def _local_switch(paper: Paper) -> str:
    name, yes, no = f"own{paper.letters()}", paper.coin(), paper.coin()
    paper.preamble.append(rf"\newif\if{name}")
    is_global = paper.lot.random() < 0.5
    test = rf"\if{name} {yes}\else {no}\fi"
    paper.say(yes, yes if is_global else no)
    return f"{{{chr(92) + 'global' if is_global else ''}\\{name}true {test}}} {test}"


@_block
def _copied(paper: Paper) -> str:
    r"""``\let`` keeps the meaning of a macro that is then redefined, perhaps in terms of the old meaning."""
    name, kept, first, second = paper.name(), paper.name(), paper.coin(), paper.coin()
    if paper.lot.random() < 0.5:
        paper.say(first, second)
        return rf"\def{name}{{{first}}}\let{kept}={name} \def{name}{{{second}}}{kept}{{}} {name}{{}}"
    given = paper.coin()
    paper.say(second, first, given)
    return (
        rf"\newcommand{{{name}}}[1]{{{first} #1}}\let{kept}{name}"
        rf"\renewcommand{{{name}}}[1]{{{second} {kept}{{#1}}}}{name}{{{given}}}"
    )


@_anywhere
def _copied_command(paper: Paper) -> str:
    name = paper.name()
    other = paper.lot.choice([r"\textbf", r"=\emph", r"= \mbox"])
    made = paper.define(rf"\let{name}{other}")
    return f"{made}{name}{{{paper.words()}}}"


@_block
def _spelled(paper: Paper) -> str:
    name, word = f"m-{paper.letters()}", paper.coin()
    define = paper.lot.choice([rf"\expandafter\def\csname {name}\endcsname{{{word}}}", rf"\csdef{{{name}}}{{{word}}}",
                               rf"\expandafter\gdef\csname {name}\endcsname{{{word}}}", rf"\csedef{{{name}}}{{{word}}}",
                               rf"\makeatletter\@namedef{{{name}}}{{{word}}}\makeatother "])  # fmt: skip
    use = paper.lot.choice(
        [rf"\csname {name}\endcsname", rf"\csuse{{{name}}}", rf"\makeatletter\@nameuse{{{name}}}\makeatother"]
    )
    paper.say(word)
    return define + use + "{}"


@_block
def _expanded_after(paper: Paper) -> str:
    r"""``\expandafter``: arguments that are expanded before they are taken."""
    taker, given, first, second, word = paper.name(), paper.name(), paper.coin(), paper.coin(), paper.coin()
    paper.say(first, word)
    return rf"\def{taker}#1#2{{#2 {word}}}\def{given}{{{{{second}}}{{{first}}}}}\expandafter{taker}{given}"


@_block
def _defining(paper: Paper) -> str:
    """A macro that defines another."""
    name, made, before, word = paper.name(), paper.name(), paper.coin(), paper.coin()
    how = paper.lot.choice([r"\def", r"\gdef", r"\edef", r"\xdef"])
    paper.say(before, before, word)
    return rf"\newcommand{{{name}}}[1]{{{before}{how}{made}{{{before} #1}}}}{name}{{{word}}} {made}{{}}"


@_block
def _recursive(paper: Paper) -> str:
    """A recursive macro that takes words of a list until an empty one."""
    name, one, words = paper.name(), paper.name(), [paper.coin() for _ in range(paper.lot.randint(1, 4))]
    paper.say(*words)
    made = rf"\def{name}#1,{{\def{one}{{#1}}\ifx{one}\empty\else #1 \expandafter{name}\fi}}"
    return f"{made}{name} {','.join(words)},,"


@_block
def _starred(paper: Paper) -> str:
    name, plain, starred, shared = paper.name(), paper.coin(), paper.coin(), paper.coin()
    has_star = paper.lot.random() < 0.5
    paper.say(starred if has_star else plain, shared)
    star = "*" * has_star
    return paper.lot.choice([
        rf"\NewDocumentCommand{{{name}}}{{sm}}{{\IfBooleanTF{{#1}}{{{starred}}}{{{plain}}} #2}}{name}{star}{{{shared}}}",
        rf"\makeatletter\def{name}{{\@ifstar{{{starred} }}{{{plain} }}}}\makeatother{name}{star}{{{shared}}}",
    ])  # fmt: skip


@_block
def _redefined(paper: Paper) -> str:
    name, first, second = paper.name(), paper.coin(), paper.coin()
    how = paper.lot.choice([r"\renewcommand{%s}{%s}", r"\def%s{%s}", r"\providecommand{%s}{%s}"])
    paper.say(first, first if "provide" in how else second)
    return rf"\newcommand{{{name}}}{{{first}}}{name}{{}} " + how % (name, second) + f"{name}{{}}"


@_block
def _environment(paper: Paper) -> str:
    name, begin, end = paper.letters(), paper.coin(), paper.coin()
    given = paper.coin()
    made = paper.define(rf"\newenvironment{{{name}}}[1]{{\par {begin} #1 }}{{ {end}\par}}")
    paper.say(begin, given)
    inside = paper.body(2)
    paper.say(end)
    return rf"{made}\begin{{{name}}}{{{given}}}{inside}\end{{{name}}}"


@_anywhere
def _spacing_itself(paper: Paper) -> str:
    r"""A macro that ends in ``\xspace``."""
    name, word = paper.name(), paper.coin()
    paper.say(word)
    made = paper.define(rf"\newcommand{{{name}}}{{{word}\xspace}}")
    return made + name + paper.lot.choice([" ", ", ", "{} ", "~"]) + paper.word()


@_block
def _peeking(paper: Paper) -> str:
    """A macro that looks ahead for a bracket."""
    name, bare, own, word = paper.name(), paper.coin(), paper.coin(), paper.coin()
    made = (
        rf"\def{name}{{\@ifnextchar[{{{name}x}}{{{name}y}}}}\def{name}x[#1]#2{{#1 {own} #2}}\def{name}y#1{{{bare} #1}}"
    )
    if paper.lot.random() < 0.5:
        option = paper.word()
        paper.say(own, word)
        return rf"\makeatletter {made}\makeatother {name}[{option}]{{{word}}}"
    paper.say(bare, word)
    return rf"\makeatletter {made}\makeatother {name}{{{word}}}"


@_block
def _emptiness(paper: Paper) -> str:
    """A macro that tests whether its argument is empty."""
    name, given, none, some = paper.name(), paper.coin(), paper.coin(), paper.coin()
    test = paper.lot.choice(
        [r"\ifx\\#1\\", r"\ifx\relax#1\relax", r"\def\own{#1}\ifx\own\empty", r"\if\relax\detokenize{#1}\relax"]
    )
    is_empty = paper.lot.random() < 0.5
    paper.say(*[none] if is_empty else [some, given])
    made = rf"\newcommand{{{name}}}[1][]{{{test} {none}\else {some} #1\fi}}"
    return made + name + (paper.lot.choice(["[]", "{}", " "]) if is_empty else f"[{given}]") + " "


@_block
def _kept_in_box(paper: Paper) -> str:
    name, word = paper.name(), paper.coin()
    paper.preamble.append(rf"\newsavebox{{{name}}}")
    before = paper.words(1)
    paper.say(word)
    return rf"\sbox{{{name}}}{{{word}}}{before} \usebox{{{name}}}"


@_block
def _decided_at_definition(paper: Paper) -> str:
    name, yes, no = paper.name(), paper.coin(), paper.coin()
    paper.say(yes)
    return rf"{{\edef{name}{{\ifyes {yes}\else {no}\fi}}\yesfalse {name}}}"


@_anywhere
def _at_begin(paper: Paper) -> str:
    name, word = paper.name(), paper.coin()
    paper.preamble.append(rf"\AtBeginDocument{{\newcommand{{{name}}}{{{word}}}}}")
    paper.say(word)
    return paper.use(name)


@_anywhere
def _patched(paper: Paper) -> str:
    name, first, second = paper.name(), paper.coin(), paper.coin()
    paper.say(second, first)
    paper.preamble.append(rf"\newcommand{{{name}}}{{{first}}}\pretocmd{{{name}}}{{{second} }}{{}}{{}}")
    return paper.use(name)


@_block
def _shorthand(paper: Paper) -> str:
    """Macros for the beginning and the end of an environment."""
    begin, end = paper.name(), paper.name()
    name = paper.lot.choice(["quote", "itemize", "center", "equation*"])
    how = paper.lot.choice([r"\def%s{\%s{%s}}", r"\newcommand{%s}{\%s{%s}}"])
    made = paper.define(how % (begin, "begin", name)) + paper.define(how % (end, "end", name))
    inside = (
        {"itemize": r"\item ", "equation*": r"x = \text{"}.get(name, "") + paper.words() + "}" * (name == "equation*")
    )
    return f"{made}{begin} {inside} {end} "


# Conditions


def _branches(paper: Paper, test: str, *, holds: bool, end: str = r"\fi") -> str:
    r"""A condition of TeX, with or without an ``\else`` branch; ``holds``: whether it is true."""
    with paper.argument():
        with paper.into(paper.place if holds else None):
            yes = paper.text(1)
        with paper.into(None if holds else paper.place):
            no = rf"\else {paper.text(1)}" if paper.lot.random() < 0.7 else ""
    return f"{test} {yes}{no}{end} "


@_anywhere
def _condition(paper: Paper) -> str:
    alike, other = paper.coin(), paper.coin()
    first, second, third = paper.name(), paper.name(), paper.name()
    paper.preamble.append(rf"\def{first}{{{alike}}}\def{second}{{{alike}}}\def{third}{{{other}}}")
    test, holds = paper.lot.choice([
        (r"\iftrue", True), (r"\iffalse", False), (r"\ifyes", True), (r"\ifno", False), (rf"\ifx{first}{second}", True),
        (rf"\ifx{first}{third}", False), (rf"\ifdefined{first}", True), (rf"\ifdefined{first}x", False), (r"\ifnum 3<2", False),
        (r"\ifnum2=2", True), (r"\ifodd 3", True), (rf"\ifcsname {first[1:]}\endcsname", True), (r"\if ab", False),
        (r"\ifmmode", False), (r"\unless\ifno", True),
    ])  # fmt: skip
    return _branches(paper, test, holds=holds)


@_anywhere
def _cases(paper: Paper) -> str:
    number = paper.lot.randrange(4)
    made = []
    for case in range(3):
        with paper.argument(), paper.into(paper.place if case == number else None):
            made.append(paper.text(1))
    with paper.into(paper.place if number == 3 else None):
        other = paper.words()
    return rf"\ifcase{number} " + r"\or ".join(made) + rf"\else {other}\fi "


@_anywhere
def _asked(paper: Paper) -> str:
    """Conditions whose branches are arguments."""
    test, holds = paper.lot.choice([
        (r"\iftoggle{shown}", True), (r"\ifbool{long}", False), (r"\notbool{long}", True), (r"\ifdef{\thispaper}", False),
        (r"\ifthenelse{\equal{a}{a}}", True), (r"\ifthenelse{1 > 2}", False), (r"\ifstrequal{a}{b}", False), (r"\ifblank{ }", True),
        (r"\ifthenelse{\boolean{long} \OR \NOT \equal{a}{b}}", True), (r"\IfFileExists{no/such/file.tex}", False),
        (r"\ifnumcomp{2}{>}{1}", True), (r"\ifcsdef{section}", True),
    ])  # fmt: skip
    with paper.into(paper.place if holds else None):
        yes = paper.text(1)
    with paper.into(None if holds else paper.place):
        no = paper.text(1)
    return f"{test}{{{yes}}}{{{no}}}"


@_block
def _counted(paper: Paper) -> str:
    r"""Conditions on counters and on registers."""
    value, other = paper.lot.randint(0, 5), paper.lot.randint(0, 5)
    setting, number = paper.lot.choice([
        (rf"\setcounter{{steps}}{{{value}}}", r"\value{steps}"), (rf"\tally={value} ", r"\tally"),
        (rf"\setcounter{{steps}}{{{value - 1}}}\stepcounter{{steps}}", r"\value{steps}"),
        (rf"\setcounter{{steps}}{{{value - 2}}}\addtocounter{{steps}}{{2}}", r"\value{steps}"),
        (rf"\tally={value + 1}\advance\tally by -1 ", r"\tally"), (rf"\tally={value - 1} \advance\tally 1 ", r"\the\tally"),
        (rf"\setcounter{{steps}}{{{value}}}", r"\arabic{steps}"), (rf"\setcounter{{steps}}{{{value}}}", r"\thesteps"),
    ])  # fmt: skip
    sign, holds = paper.lot.choice([("<", value < other), (">", value > other), ("=", value == other)])
    if paper.lot.random() < 0.3:
        number = number if "value" not in number and number != r"\tally" else rf"\number{number}"
        return setting + _branches(paper, rf"\ifnum{other}{dict(zip('<>=', '><='))[sign]}{number} ", holds=holds)
    return setting + _branches(paper, rf"\ifnum{number}{sign}{other}", holds=holds)


@_block
def _loop(paper: Paper) -> str:
    word, times = paper.coin(), paper.lot.randint(1, 4)
    count, step = paper.lot.choice(
        [(r"\tally=0 ", r"\advance\tally by 1 "), (r"\setcounter{steps}{0}", r"\stepcounter{steps}")]
    )
    number = r"\tally" if "tally" in count else r"\value{steps}"
    if paper.lot.random() < 0.7:
        paper.say(*[word] * times)
        return rf"{count}\loop {word} {step}\ifnum{number}<{times} \repeat "
    first = paper.coin()
    paper.say(*[word, first] * (times - 1), word)
    return rf"{count}\loop {word} {step}\ifnum {number}<{times} {first} \repeat "


@_block
def _while(paper: Paper) -> str:
    word, times = paper.coin(), paper.lot.randint(0, 3)
    paper.say(*[word] * times)
    return rf"\setcounter{{steps}}{{0}}\whiledo{{\value{{steps}}<{times}}}{{{word} \stepcounter{{steps}}}}"


@_block
def _left_out(paper: Paper) -> str:
    name, word = paper.letters(), paper.dead()
    return paper.lot.choice([
        f"% {word} {{\n", f"% \\begin{{verbatim}} {word}\n", f"%{word} \\iffalse \\verb|\n", f"\\iffalse {word} \\fi ", f"\\begin{{comment}}\n{word} \\end{{x}}\n\\end{{comment}}\n",
        f"\\phantom{{{word}}}", f"\\label{{{word}}}", f"\\index{{{word}}}", f"\\typeout{{{word}}}",
        rf"\newcommand{{\never{name}}}{{{word}}}", rf"\setbox0=\hbox{{{word}}}",
    ])  # fmt: skip


# Text


@_anywhere
def _broken_word(paper: Paper) -> str:
    """A word that contains groups, comments or commands that print nothing."""
    word = paper.word()
    at = paper.lot.randrange(2, len(word) - 1)
    inner = paper.lot.choice(
        [
            "%\n   ",
            r"\-",
            r"\/",
            "{}",
            r"\relax{}",
            r"\null{}",
            r"{\bfseries}",
            r"\textbf{}",
            r"\protect{}",
            r"\discretionary{-}{}{}",
        ]
    )
    return word[:at] + inner + word[at:]


@_anywhere
def _accented(paper: Paper) -> str:
    coined = paper.coin()
    source, letter = paper.lot.choice([
        (r"\'e", "é"), (r"\'{e}", "é"), (r"\`{a}", "à"), (r"\^o", "ô"), (r'\"u', "ü"), (r'\"{\i}', "ï"), (r"\c{c}", "ç"), (r"\~n", "ñ"),
        (r"\v{s}", "š"), (r"\H{o}", "ő"), (r"\ss{}", "ß"), (r"\o{}", "ø"), (r"{\ae}", "æ"), (r"{\l}", "ł"), (r"\aa{}", "å"), (r"\k{a}", "ą"),
        (r"\oe ", "œ"), (r"\u{g}", "ğ"), (r"\r{u}", "ů"), (r"\d{s}", "ṣ"), (r"{\'{\i}}", "í"), (r"\'\i ", "í"),
    ])  # fmt: skip
    at = paper.lot.randrange(2, len(coined) - 1)
    paper.say(coined[:at] + letter + coined[at:])
    return coined[:at] + source + coined[at:]


@_anywhere
def _signs(paper: Paper) -> str:
    first, second = paper.word(), paper.word()
    return paper.lot.choice([f"``{first}'' {second}", f"{first}--{second}", f"{first}---{second}", f"{first}~{second}", rf"{first}\ {second}",
                             rf"{first}\,{second}", rf"{first} \& {second}", rf"{first}\%{second}", f"`{first}'-{second}",
                             rf"{first}\textendash{second}".replace("dash", "dash "), rf"{first} $\alpha$ {second}", f"({first}) [{second}]"])  # fmt: skip


@_anywhere
def _font(paper: Paper) -> str:
    before, after = paper.lot.choice([(r"\textbf{", "}"), (r"\emph{", "}"), (r"{\bf ", "}"), (r"{\itshape ", "}"), (r"{\em ", r"\/}"), (r"\texttt{", "}"),
                                      (r"\textsc{", "}"), (r"{\small\sf ", "}"), (r"\textcolor{red}{", "}"), (r"{\color{blue}", "}"), (r"\underline{", "}"),
                                      (r"{\fontsize{9}{11}\selectfont ", "}"), (r"\textnormal{", "}")])  # fmt: skip
    return before + (paper.words(1) if before == r"\textsc{" else paper.text(1)) + after


@_anywhere
def _box(paper: Paper) -> str:
    before, after = paper.lot.choice([(r"\mbox{", "}"), (r"\fbox{", "}"), (r"\makebox[3cm][l]{", "}"), (r"\raisebox{1pt}{", "}"), (r"\hbox{", "}"),
                                      (r"\colorbox{yellow}{", "}"), (r"\rotatebox{5}{", "}"), (r"\scalebox{0.9}{", "}"), (r"\fcolorbox{red}{white}{", "}"),
                                      (r"\parbox{4cm}{", "}"), (r"\resizebox{3cm}{!}{", "}"), (r"\framebox{", "}"), (r"\llap{", "}"), (r"\smash{", "}"),
                                      (r"\vbox{\hsize=3cm ", "}"), (r"\raise 1pt\hbox{", "}")])  # fmt: skip
    return before + paper.words(1) + after


@_anywhere
def _linked(paper: Paper) -> str:
    dead = paper.coin()
    before = paper.lot.choice([rf"\href{{https://a.org/{dead}}}{{", rf"\hyperref[{dead}]{{", rf"\hypertarget{{{dead}}}{{", rf"\hyperlink{{{dead}}}{{",
                               r"\texorpdfstring{", r"\ensuremath{\text{", r"\textsuperscript{"])  # fmt: skip
    return (
        before + paper.words(1) + {r"\ensuremath{\text{": "}}", r"\texorpdfstring{": f"}}{{{dead}}}"}.get(before, "}")
    )


@_anywhere
def _spaced(paper: Paper) -> str:
    inner = paper.lot.choice([r"\hspace{1cm}", r"\hspace*{2pt}", r"\hfill{}", r"\quad ", r"\hskip 1em plus 2pt ", r"\kern2pt ", r"\vspace{2pt} ", r"\hphantom{ab} ",
                              r"\rule{1cm}{1pt}", r"\strut{} ", r"\penalty100 ", r"\space ", r"\noindent ", r"\allowbreak{} ", r"\leavevmode\hbox{} "])  # fmt: skip
    return f"{paper.word()}{inner}{paper.word()}"


@_anywhere
def _upper(paper: Paper) -> str:
    """A change of case, which affects only the page: the record keeps the case of the source."""
    return (
        paper.lot.choice([r"\MakeUppercase", r"\uppercase", r"\MakeLowercase", r"\lowercase"]) + f"{{{paper.word()}}}"
    )


@_anywhere
def _footnote(paper: Paper) -> str:
    if paper._inside > 2:
        return paper.words(1)
    note: list[str] = []
    if paper.place is not None:
        paper.footnotes.append(note)
    with paper.into(note), paper.argument():
        inner = paper.words() if paper.lot.random() < 0.7 else rf"{paper.words(1)} \textit{{{paper.words()}}}"
    return rf"\footnote{{{inner}}}" if paper.lot.random() < 0.8 else rf"\footnotemark \footnotetext{{{inner}}}"


@_block
def _verbatim(paper: Paper) -> str:
    lines = "\n".join(paper.words() for _ in range(2))
    name = paper.lot.choice(["verbatim", "lstlisting"])
    sign = paper.lot.choice([r"\x{", "%", r"$a_b", r"\fi", "#1", "&"])
    return f"\\begin{{{name}}}\n{lines} {sign}\n\\end{{{name}}}\n"


@_block
def _inline_verbatim(paper: Paper) -> str:
    word = paper.word()
    return paper.lot.choice([rf"\verb|{word} \x{{|", rf"\verb+{word} %+", rf"\lstinline|{word}|", rf"\verb*!{word}!"])


@_block
def _items(paper: Paper) -> str:
    name = paper.lot.choice(["itemize", "enumerate", "description", "enumerate*" if False else "itemize"])
    made = []
    for _ in range(paper.lot.randint(1, 3)):
        label = f"[{paper.words(1)}]" if name == "description" or paper.lot.random() < 0.2 else ""
        made.append(rf"\item{label} {paper.body(2)}")
    options = "[label=(\\alph*), leftmargin=2cm]" if name == "enumerate" and paper.lot.random() < 0.3 else ""
    return rf"\begin{{{name}}}{options} " + "\n".join(made) + rf"\end{{{name}}}"


@_block
def _surrounded(paper: Paper) -> str:
    begin = paper.lot.choice([r"\begin{quote}", r"\begin{center}", r"\begin{flushleft}", r"\begin{minipage}[t]{5cm}", r"\begin{small}", r"\begin{quotation}",
                              r"\begin{samepage}", r"\begin{verse}"])  # fmt: skip
    end = r"\end{" + begin.split("{")[1].rstrip("}").split("}")[0] + "}"
    if "minipage" in begin:  # floats are not allowed in it
        return begin + paper.text() + end
    return begin + paper.body(2) + end


@_block
def _claimed(paper: Paper) -> str:
    if paper.lot.random() < 0.4:
        note = f"[{paper.words(1)}]" if paper.lot.random() < 0.5 else ""
        return rf"\begin{{proof}}{note} {paper.body(2)}\end{{proof}}"
    name, title = paper.letters(), paper.coin()
    paper.preamble.append(rf"\newtheorem{{{name}}}{paper.lot.choice(['[claim]', ''])}{{{title}}}")
    paper.say(title)
    note = f"[{paper.words(1)}]" if paper.lot.random() < 0.5 else ""
    return rf"\begin{{{name}}}{note} {paper.body(2)}\end{{{name}}}"


@_block
def _run_in(paper: Paper) -> str:
    return rf"\{paper.lot.choice(['paragraph', 'subparagraph', 'paragraph*'])}{{{paper.words()}}} {paper.words()}"


@_block
def _equation(paper: Paper) -> str:
    begin, end = paper.lot.choice(
        [
            (r"\[", r"\]"),
            (r"\begin{equation}", r"\end{equation}"),
            (r"\begin{align*}", r"\end{align*}"),
            ("$$", "$$"),
            ("$", "$"),
            (r"\(", r"\)"),
        ]
    )
    return rf"{begin} x = y \text{{{paper.words(1)}}} {end}"


@_block
def _paragraphs(paper: Paper) -> str:
    return (
        paper.words()
        + paper.lot.choice(["\n\n", r"\par ", "\\\\\n", r"\newline ", "\n%\n\n", r"\bigskip ", r"\\[2pt] "])
        + paper.words()
    )


# Files


@_block
def _input(paper: Paper) -> str:
    name = f"part{paper.letters()}"
    text = paper.words() if paper.lot.random() < 0.5 else paper.body(2)
    ended = f"\n\\endinput\n{paper.dead()}" if paper.lot.random() < 0.3 else ""
    defined, used = "", ""
    if paper.lot.random() < 0.3:
        macro, word = paper.name(), paper.coin()
        paper.say(word)
        defined, used = rf"\newcommand{{{macro}}}{{{word}}}", f" {macro}{{}}"
    paper.files[f"{name}.tex"] = f"{defined}{text}{ended}\n"
    asked = paper.lot.choice([rf"\input{{{name}}}", rf"\input{{{name}.tex}}", f"\\input {name} ", rf"\InputIfFileExists{{{name}.tex}}{{}}{{{paper.dead()}}}",
                             rf"\IfFileExists{{{name}.tex}}{{\input{{{name}}}}}{{{paper.dead()}}}"])  # fmt: skip
    return asked + used


# Floats and tables


@_running_block
def _figure(paper: Paper) -> str:
    """A float, with words outside its caption."""
    kind = paper.lot.choice(["figure", "table", "figure*"])
    caption = Caption()
    short = f"[{paper.dead()}]" if paper.lot.random() < 0.3 else ""
    beside, before = "", len(paper.footnotes)
    with paper.into(paper.left_out):
        if kind == "table" and paper.lot.random() < 0.3:
            beside = rf"\begin{{tablenotes}}\item {paper.words()}\end{{tablenotes}}"
        elif paper.lot.random() < 0.5:
            beside = (
                paper.lot.choice(
                    [
                        r"\centering %s\par",
                        r"{\small %s}",
                        r"\begin{minipage}{4cm}%s\end{minipage}",
                        r"\begin{center}%s\end{center}",
                    ]
                )
                % paper.words()
            )
        table = _cells(paper) if kind == "table" else ""
    of_table = len(paper.footnotes)
    paper.captions.append(caption)
    with paper.into(caption.text), paper.argument():
        paper._depth += 2
        text = _quoted(paper)
        paper._depth -= 2
    content = [
        (rf"\caption{short}{{{text}}}", paper.footnotes[of_table:]),
        (table, paper.footnotes[before:of_table]),
        (beside, []),
    ]
    paper.lot.shuffle(content)
    paper.footnotes[before:] = [note for _, notes in content for note in notes]
    inside = "\n".join(source for source, _ in content)
    if "tablenotes" in inside:
        inside = rf"\begin{{threeparttable}}{inside}\end{{threeparttable}}"
    return rf"\begin{{{kind}}}[t]{inside}\end{{{kind}}}"


def _quoted(paper: Paper) -> str:
    """Text of a caption, perhaps with a footnote."""
    with paper.moving():
        text = paper.text(2)
    if paper.lot.random() < 0.3:
        text += paper.note(r"\protect\footnote", lost=True) + " " + paper.words(1)
    return text


def _cells(paper: Paper) -> str:
    """Source of a table, perhaps with a footnote in it."""
    begin, name = paper.lot.choice([(r"\begin{tabular}{l|c}", "tabular"), (r"\begin{tabular}[t]{@{}lp{2cm}}", "tabular"), (r"\begin{tabularx}{8cm}{lX}", "tabularx"),
                                    (r"\begin{tabular*}{8cm}{lc}", "tabular*")])  # fmt: skip
    rows = []
    for _ in range(paper.lot.randint(1, 3)):
        cells = [paper.words(2), paper.words(2)]
        kind = paper.lot.randrange(5)
        if kind == 0:
            cells = [rf"\textbf{{{cells[0]}}}", cells[1]]
        elif kind == 1:
            cells = [rf"\multicolumn{{2}}{{c}}{{{' '.join(cells)}}}"]
        elif kind == 2 and name != "tabularx":
            cells[1] += paper.note(paper.lot.choice([r"\tablefootnote", r"\footnote"]), lost=True)
        rows.append(" & ".join(cells))
    line = paper.lot.choice(
        [r"\\ \hline ", r"\\", r"\\[2pt] ", r"\\ \cline{1-2} ", r"\\ \cmidrule(lr){1-2} ", r"\tabularnewline "]
    )
    return begin + line.join(rows) + rf"\end{{{name}}}"


@_block
def _table(paper: Paper) -> str:
    """A table in the running text, whose words the record omits."""
    if paper.place is None:
        return paper.words(1)
    with paper.into(paper.left_out), paper.argument():
        return _cells(paper)


@_running_block
def _long_table(paper: Paper) -> str:
    paper.captions.append(Caption())
    with paper.into(paper.captions[-1].text):
        caption = paper.words()
    with paper.into(paper.left_out):
        cells = rf"{paper.words()} & {paper.words()}{paper.note()}"
        more = rf"{paper.words()} & {paper.words()}"
    return rf"\begin{{longtable}}{{lc}}\caption{{{caption}}}\\ {cells} \\ {more} \\ \end{{longtable}}"


@_running_block
def _captioned(paper: Paper) -> str:
    r"""A caption in the running text, by ``\captionof``."""
    paper.captions.append(Caption())
    with paper.into(paper.captions[-1].text), paper.moving():
        return rf"\begin{{center}}\captionof{{figure}}{{{paper.text(1)}}}\end{{center}}"


@_running_block
def _sub_figures(paper: Paper) -> str:
    paper.captions.append(Caption())
    with paper.into(paper.captions[-1].text):
        whole: list[str] = []
        with paper.into(whole):
            above = paper.words()
        first = rf"\begin{{subfigure}}{{4cm}}\caption{{{paper.words()}}}\end{{subfigure}}"
        second = rf"\begin{{subfigure}}[b]{{4cm}}\caption{{{paper.words()}}}\end{{subfigure}}"
    paper.captions[-1].text[:0] = whole
    return rf"\begin{{figure}}{first}{second}\caption{{{above}}}\end{{figure}}"


# Pseudo-code


@_running_block
def _algorithm(paper: Paper) -> str:
    """An algorithm of algorithm2e, with keywords defined by the paper."""
    paper.captions.append(Caption())
    with paper.into(paper.captions[-1].text):
        caption = rf"\caption{{{paper.words()}}}"
    with paper.into(paper.captions[-1].content), paper.argument():
        steps = "\n".join(_step(paper, 0) for _ in range(paper.lot.randint(1, 4)))
    return rf"\begin{{algorithm}}[H]{caption}" + steps + r"\end{algorithm}"


def _step(paper: Paper, depth: int) -> str:
    kinds = [_plain_step, _own_if, _own_switch, _own_repeat, _own_block, _own_for, _known_steps]
    return paper.lot.choice(kinds if depth < 3 else kinds[:1])(paper, depth)


def _plain_step(paper: Paper, _depth: int) -> str:
    remark = paper.lot.choice(["", "", "", r"\tcp*[r]{%s}", r"\tcc{%s}"])
    text = paper.words()
    return (
        rf"{text}\;"
        if not remark
        else text + remark % paper.words()
        if "*" in remark
        else rf"{text}\;" + remark % paper.words()
    )


def _keyword(paper: Paper) -> str:
    return "".join(paper.lot.choice("ABCDEGHKLMNPRSTV") for _ in range(5))


def _own_if(paper: Paper, depth: int) -> str:
    first, elsewise, other = _keyword(paper), _keyword(paper), _keyword(paper)
    if_, then, else_if, else_, end = (paper.coin() for _ in range(5))
    made = rf"\SetKwIF{{{first}}}{{{elsewise}}}{{{other}}}{{{if_}}}{{{then}}}{{{else_if}}}{{{else_}}}{{{end}}}"
    kind = paper.lot.randrange(4)

    def head(word: str) -> str:
        paper.say(word)
        condition = paper.words(2)
        paper.say(then)
        return condition

    if kind == 0:
        return rf"{made}\e{first}{{{head(if_)}}}{{{_step(paper, depth + 1)}}}" + _other(paper, else_, depth)
    if kind == 1:
        short = rf"\l{first}{{{head(if_)}}}{{{paper.words()}}}"
        return made + short
    opened = rf"{made}\u{first}{{{head(if_)}}}{{{_step(paper, depth + 1)}}}"
    if kind == 2:
        opened += rf"\u{elsewise}{{{head(else_if)}}}{{{_step(paper, depth + 1)}}}"
    return opened + rf"\{other}" + _other(paper, else_, depth)


def _other(paper: Paper, word: str, depth: int) -> str:
    paper.say(word)
    return f"{{{_step(paper, depth + 1)}}}"


def _own_switch(paper: Paper, depth: int) -> str:
    switch, case, other = _keyword(paper), _keyword(paper), _keyword(paper)
    switch_, do, case_, other_, end, finish = (paper.coin() for _ in range(6))
    made = rf"\SetKwSwitch{{{switch}}}{{{case}}}{{{other}}}{{{switch_}}}{{{do}}}{{{case_}}}{{{other_}}}{{{end}}}{{{finish}}}"
    paper.say(switch_)
    made += rf"\{switch}{{{paper.words(2)}}}{{"
    paper.say(do)
    for _ in range(paper.lot.randint(1, 2)):
        paper.say(case_)
        made += rf"\{paper.lot.choice(['', 'u', 'l'])}{case}{{{paper.words(2)}}}{{"
        paper.say(do)
        made += paper.words() + r"}"
    paper.say(other_, do)
    return made + rf"\{other}{{{_step(paper, depth + 1)}}}}}"


def _own_repeat(paper: Paper, depth: int) -> str:
    name, repeat, until = _keyword(paper), paper.coin(), paper.coin()
    paper.say(repeat)
    body = _step(paper, depth + 1)
    paper.say(until)
    return rf"\SetKwRepeat{{{name}}}{{{repeat}}}{{{until}}}\{name}{{{paper.words(2)}}}{{{body}}}"


def _own_block(paper: Paper, depth: int) -> str:
    name, begin, end = _keyword(paper), paper.coin(), paper.coin()
    paper.say(begin)
    return rf"\SetKwBlock{{{name}}}{{{begin}}}{{{end}}}\{name}{{{_step(paper, depth + 1)}}}"


def _own_for(paper: Paper, depth: int) -> str:
    name, for_, do, end = _keyword(paper), paper.coin(), paper.coin(), paper.coin()
    paper.say(for_)
    condition = paper.words(2)
    paper.say(do)
    short = paper.lot.random() < 0.3
    body = paper.words() if short else _step(paper, depth + 1)
    return rf"\SetKwFor{{{name}}}{{{for_}}}{{{do}}}{{{end}}}\{'l' * short}{name}{{{condition}}}{{{body}}}"


def _known_steps(paper: Paper, depth: int) -> str:
    kind = paper.lot.choice(
        ["If", "While", "For", "ForEach", "uIf", "Switch", "Begin", "KwIn", "KwResult", "own input", "own word"]
    )
    if kind == "Begin":
        return rf"\Begin{{{_step(paper, depth + 1)}}}"
    if kind.startswith("Kw"):
        return rf"\{kind}{{{paper.words()}}}"
    if kind.startswith("own"):
        name, word = _keyword(paper), paper.word()
        if kind == "own input":
            return rf"\SetKwInOut{{{name}}}{{{word}}}\{name}{{{paper.words()}}}"
        return rf"\SetKw{{{name}}}{{{word}}}\{name} {paper.words()}\;"
    condition, remark = paper.words(2), paper.words(1) if paper.lot.random() < 0.3 else ""
    side = rf"(\tcp*[f]{{{remark}}})" if remark else ""
    return rf"\{kind}{side}{{{condition}}}{{{_step(paper, depth + 1)}}}"
