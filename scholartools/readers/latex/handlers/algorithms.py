"""Pseudo-code: the commands of algorithmic, algpseudocode and algorithm2e, read as the words that they print."""

from __future__ import annotations

from collections.abc import Callable

from scholartools.readers.latex.document.output import PARAGRAPH, Sink
from scholartools.readers.latex.document.state import Command, Document
from scholartools.readers.latex.tex.macros import Macro
from scholartools.readers.latex.tex.tokens import plain_text, tokenize

# What a command prints: "#1" is its first argument, "\;" ends a line. These begin a line ...
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
# ... and these stand within one.
_PHRASES = {
    "algorithmicrequire": "Require:",
    "algorithmicensure": "Ensure:",
    "Comment": " ▷ #1",
    **{word: f" {word.casefold()} " for word in "And Or Xor Not To True False".split()},
    "KwTo": " to ",
    "=": " ",
}


def begin_steps(document: Document, name: str) -> None:
    """Pseudo-code is the content of the float that it stands in, else text between two paragraphs."""
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
    """What prints words around as many arguments as they name, on a line of their own or not."""
    macro = Macro(tuple(tokenize(template)), sum(one in template for one in ("#1", "#2", "#3")))

    def read(document: Document) -> None:
        if own_line:
            document.line()
        document.stream.push(macro.expand(document.stream))

    return read


def _end_line(document: Document) -> None:
    document.drop("*o")
    document.line()


def _read_repeat(document: Document) -> None:
    """``\\Repeat ... \\Until{condition}``, or algorithm2e's ``\\Repeat{condition}{...}``."""
    document.stream.skip_spaces()
    words = r"repeat\;#2\;until #1\;" if document.stream.peek() == "{" else r"repeat\;"
    _print_words(words, own_line=True)(document)


def _read_call(document: Document) -> None:
    """``\\Call{name}{arguments}``; the functions that algorithm2e defines may stand without arguments."""
    name = document.stream.argument()
    called = document.stream.peek() == "{"
    document.stream.push([*name, "(", *document.stream.argument(), ")"] if called else [*name, "\\xspace"])


def _read_remark(document: Document) -> None:
    """``\\tcp*[r]{...}``: a comment of algorithm2e, which ends its line."""
    document.drop("*o")
    if document.stream.take("("):
        document.stream.until((")",), long=False)
    document.stream.push([" ", "/", "/", " ", *document.stream.argument(), "\\;"])


def _define_keyword(*body: str, texts: int = 1, parameters: int = 0) -> Command:
    """A command that defines another: its name, then as many texts, ``<1>``, ``<2>`` ... of its body."""

    def define(document: Document) -> None:
        stream = document.stream
        name = "\\" + plain_text(stream.argument()).removeprefix("\\")
        given = {f"<{number}>": stream.argument() for number in range(1, texts + 1)}
        stream.define(name, Macro(tuple(token for one in body for token in given.get(one, [one])), parameters))

    return define


_BLOCK = _define_keyword("\\State", " ", "<1>", " ", "#1", " ", "<2>", "\\State", " ", texts=3, parameters=1)
_HEAD = _define_keyword("\\State", " ", "<1>", ":", " ", "#1", "\\State", " ", parameters=1)

# What commands mean in pseudo-code, where the paper gives them no meaning of its own.
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
    **dict.fromkeys(("\\SetKwInOut", "\\SetKwInput"), _HEAD),
    **dict.fromkeys(("\\SetKwFor", "\\SetKwProg"), _BLOCK),
}
