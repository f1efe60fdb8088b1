"""Pseudo-code: commands of algorithmic, algpseudocode and algorithm2e, converted to their printed words."""

from __future__ import annotations

import re
from collections.abc import Callable

from scholartools.readers.latex.document.output import PARAGRAPH, Sink
from scholartools.readers.latex.document.state import Command, Document
from scholartools.readers.latex.tex.macros import Macro
from scholartools.readers.latex.tex.tokens import plain_text, tokenize

_TEXT = re.compile(r"(<\d>)")

# Templates of commands that start a line: "#1" is the first argument, "\;" ends a line.
_LINES = {
    **dict.fromkeys(("State", "Statex"), ""),
    "Require": r"\algorithmicrequire{} ",
    "Ensure": r"\algorithmicensure{} ",
    **dict.fromkeys(("If", "uIf", "lIf"), r"if #1 then\;"),
    **dict.fromkeys("ElsIf ElseIf uElseIf lElseIf".split(), r"else if #1 then\;"),
    **dict.fromkeys(("Else", "uElse", "lElse"), r"else\;"),
    "eIf": r"if #1 then\;#2\;else\;#3\;",
    **dict.fromkeys(("For", "lFor"), r"for #1 do\;"),
    **dict.fromkeys(("ForAll", "lForAll"), r"for all #1 do\;"),
    **dict.fromkeys(("ForEach", "lForEach"), r"for each #1 do\;"),
    **dict.fromkeys(("While", "lWhile"), r"while #1 do\;"),
    "Until": r"until #1\;",
    "Loop": r"loop\;",
    **{f"End{kind}": f"end {kind.casefold()}\\;" for kind in "If For While Loop Function Procedure".split()},
    "Function": r"function #1(#2)\;",
    "Procedure": r"procedure #1(#2)\;",
    "Switch": r"switch #1 do\;",
    **dict.fromkeys(("Case", "uCase", "lCase"), r"case #1 do\;"),
    **dict.fromkeys(("Other", "uOther", "lOther"), r"otherwise\;"),
    "Begin": r"begin\;",
    **dict.fromkeys(("Return", "KwRet"), "return "),
    "Print": "print ",
    **dict.fromkeys(("Input", "KwIn"), "Input: "),
    **dict.fromkeys(("Output", "KwOut"), "Output: "),
    "KwData": "Data: ",
    "KwResult": "Result: ",
}
# Templates of commands within a line.
_PHRASES = {
    "algorithmicrequire": "Require:",
    "algorithmicensure": "Ensure:",
    "Comment": " ▷ #1",
    **{word: f" {word.casefold()} " for word in "And Or Xor Not To True False".split()},
    "KwTo": " to ",
    "=": " ",
}


def begin_steps(document: Document, name: str) -> None:
    """Open an environment of pseudo-code, which goes to the open float, else into a separate paragraph."""
    document.drop("o")
    if document.float is not None:
        document.open_environment(name, document.float.steps)
        return
    outer, steps = document.sink, Sink("steps")

    def close() -> None:
        steps.settle()
        for atom in (PARAGRAPH, *steps.atoms, PARAGRAPH):
            outer.add(atom)

    document.open_environment(name, steps, close)


def _print_words(template: str, *, own_line: bool) -> Command:
    """A command that prints a template filled with its arguments, on a new line if ``own_line``."""
    tokens = tokenize(template)

    def read(document: Document) -> None:
        if own_line:
            document.line()
        _fill_words(document, tokens)

    return read


def _fill_words(document: Document, template: list[str]) -> None:
    """Fill a template with arguments from the stream; ``(\\tcp{...})`` before them is a comment on its first line."""
    stream = document.stream
    count = sum(one in template for one in ("#1", "#2", "#3"))
    remark: list[str] = []
    if count:
        stream.take("*")
        stream.skip_spaces()
        if stream.take("("):
            remark = stream.until((")",), long=False) or []
    end = template.index("\\;") if "\\;" in template else len(template)
    stream.push(Macro((*template[:end], *remark, *template[end:]), count).expand(stream))


def _end_line(document: Document) -> None:
    document.drop("*o")
    document.line()


def _read_repeat(document: Document) -> None:
    """``\\Repeat ... \\Until{condition}``, or algorithm2e's ``\\Repeat{condition}{...}``."""
    document.stream.skip_spaces()
    words = r"repeat\;#2\;until #1\;" if document.stream.peek() == "{" else r"repeat\;"
    _print_words(words, own_line=True)(document)


def _read_call(document: Document) -> None:
    """``\\Call{name}{arguments}``; functions defined with algorithm2e may lack the arguments."""
    name = document.stream.argument()
    called = document.stream.peek() == "{"
    document.stream.push([*name, "(", *document.stream.argument(), ")"] if called else [*name, "\\xspace"])


def _read_remark(document: Document) -> None:
    """``\\tcp*[r]{...}``: a comment of algorithm2e, which ends its line."""
    document.drop("*o")
    if document.stream.take("("):
        document.stream.until((")",), long=False)
    document.stream.push([" ", "/", "/", " ", *document.stream.argument(), "\\;"])


def _define_keyword(*body: str, texts: int = 1) -> Command:
    """A command that defines another one, with a name and ``texts`` arguments ``<1>``, ``<2>`` ... for its body."""

    def define(document: Document) -> None:
        stream = document.stream
        name = "\\" + plain_text(stream.argument()).removeprefix("\\")
        given = {f"<{number}>": stream.argument() for number in range(1, texts + 1)}
        stream.define(name, Macro(tuple(token for one in body for token in given.get(one, [one]))))

    return define


def _define_keywords(names: int, texts: int, templates: dict[str, str]) -> Command:
    """A command that defines several others (``\\SetKwIF``), with their names and the texts that they print.

    Args:
        names: number of names.
        texts: number of texts.
        templates: templates by command: "u1" is the first name prefixed with "u".
    """

    def define(document: Document) -> None:
        stream = document.stream
        named = [plain_text(stream.argument()).removeprefix("\\") for _ in range(names)]
        given = {f"<{number}>": stream.argument() for number in range(1, texts + 1)}
        for name, template in templates.items():
            parts = _TEXT.split(template)
            body = (token for part in parts for token in given.get(part, tokenize(part)))
            stream.define(f"\\{name[:-1]}{named[int(name[-1]) - 1]}", Macro(("\\step@words", "{", *body, "}")))

    return define


def _read_step_words(document: Document) -> None:
    """Fill the template of a keyword defined in the paper."""
    document.line()
    _fill_words(document, document.stream.argument())


_IF = {
    **dict.fromkeys(("1", "u1", "l1"), r"<1> #1 <2> \;"),
    **dict.fromkeys(("e1", "le1"), r"<1> #1 <2> \; #2 \; <4> \; #3 \;"),
    **dict.fromkeys(("2", "u2", "l2"), r"<3> #1 <2> \;"),
    **dict.fromkeys(("3", "u3", "l3"), r"<4> \;"),
}
_SWITCH = {
    "1": r"<1> #1 <2> \;",
    **dict.fromkeys(("2", "u2", "l2"), r"<3> #1 <2> \;"),
    **dict.fromkeys(("3", "u3", "l3"), r"<4> <2> \;"),
}

# Meanings of commands in pseudo-code, unless the paper redefines them.
STEPS: dict[str, Command] = {
    **{
        f"\\{name}": _print_words(words, own_line=table is _LINES)
        for table in (_PHRASES, _LINES)
        for word, words in table.items()
        for name in (word, word.upper())
    },
    **dict.fromkeys(("\\Repeat", "\\REPEAT"), _read_repeat),
    "\\;": Document.line,
    **dict.fromkeys(("\\\\", "\\newline"), _end_line),
    **dict.fromkeys(("\\Call", "\\CALL"), _read_call),
    **dict.fromkeys(("\\tcp", "\\tcc"), _read_remark),
}
COMMANDS: dict[str, Callable[[Document], None]] = {
    "\\SetKw": _define_keyword("<1>", " "),
    **dict.fromkeys(("\\SetKwData", "\\SetKwArray"), _define_keyword("<1>", "\\xspace")),
    "\\SetKwFunction": _define_keyword("\\Call", "{", "<1>", "}"),
    "\\SetKwComment": _define_keyword("\\tcp", texts=2),
    **dict.fromkeys(("\\SetKwInOut", "\\SetKwInput"), _define_keywords(1, 1, {"1": r"<1>: #1 \;"})),
    "\\SetKwProg": _define_keywords(1, 3, {"1": r"<1> #1 <2> \;"}),
    "\\SetKwFor": _define_keywords(1, 3, dict.fromkeys(("1", "l1"), r"<1> #1 <2> \;")),
    "\\SetKwIF": _define_keywords(3, 5, _IF),
    "\\SetKwSwitch": _define_keywords(3, 6, _SWITCH),
    "\\SetKwRepeat": _define_keywords(1, 2, dict.fromkeys(("1", "l1"), r"<1> \; #2 \; <2> #1 \;")),
    "\\SetKwBlock": _define_keywords(1, 2, dict.fromkeys(("1", "u1"), r"<1> \;")),
    "\\step@words": _read_step_words,
}
