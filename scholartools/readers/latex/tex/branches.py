"""Conditionals whose branches are arguments (etoolbox, ifthen, the kernel), and the tests of TeX's ``\\if...``.

A test is true, false, or None if only TeX could evaluate it; then the second branch is taken, with a warning.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from typing import Protocol

from scholartools.readers.latex.tex.lengths import compare_lengths
from scholartools.readers.latex.tex.macros import RELAX, Macro
from scholartools.readers.latex.tex.numbers import Counting, compare_numbers, read_all, read_number
from scholartools.readers.latex.tex.tokens import INLINE, PRIMITIVE, VERBATIM, plain_text, untokenize


class Reading(Counting, Protocol):
    """The interface of ``stream.Stream`` for conditionals: the input, and the definitions of the source."""

    switches: dict[str, bool | None]
    loaded: set[str]

    def arguments_of(self, tokens: list[str], count: int) -> list[list[str]]: ...
    def optional(self) -> list[str] | None: ...
    def until(self, closing: tuple[str, ...], *, long: bool) -> list[str] | None: ...
    def expanded(self, tokens: list[str]) -> list[str]: ...
    def set_switch(self, name: str, value: bool | None) -> None: ...
    def define(self, name: str, macro: Macro) -> None: ...
    def means(self, name: str) -> bool: ...
    def is_set(self, name: str) -> bool: ...
    def note_unknown(self, skipped: list[str]) -> None: ...


Test = Callable[[Reading], bool | None]

_KERNEL = {
    "\\empty": Macro(()), "\\@empty": Macro(()), "\\relax": RELAX, "\\@firstoftwo": Macro(("#1",), 2),
    "\\@secondoftwo": Macro(("#2",), 2), "\\@firstofone": Macro(("#1",), 1), "\\@gobble": Macro((), 1),
}  # fmt: skip
_MOST = 60  # maximum number of tokens expanded before a character
_LONGEST = 300  # maximum number of tokens of an expression
AGAIN = "\\loop@again"  # comes before the ``\\fi`` of a loop


# Switches and definitions of the source


def _boolean(stream: Reading) -> bool | None:
    """The value of a switch of ``\\newbool``, ``\\newboolean`` or ``\\newif``, or of ``true`` or ``false``."""
    name = stream.text_argument()
    return {"true": True, "false": False}.get(name, stream.switches.get(f"\\if{name}"))


def _toggle(stream: Reading) -> bool | None:
    return stream.switches.get(f"toggle {stream.text_argument()}")


def _named(stream: Reading) -> str:
    """The command in an argument: ``\\ifdef\\one``."""
    return _first(stream.argument())


def _spelled(stream: Reading) -> str:
    """The command whose name an argument spells: ``\\ifcsdef{one}``."""
    return "\\" + stream.text_argument()


def _is_defined(stream: Reading, name: str) -> bool:
    return stream.means(name)


def _is_empty(stream: Reading, name: str) -> bool | None:
    macro = meaning_of(stream, name)
    if macro is None:
        return None if stream.means(name) else False
    return not macro.parameters and not untokenize(macro.body).strip()


def _is_void(stream: Reading, name: str) -> bool | None:
    return True if not stream.means(name) else _is_empty(stream, name)


def _is_macro(stream: Reading, name: str) -> bool:
    return name in stream.macros


def _has_parameters(stream: Reading, name: str) -> bool:
    macro = meaning_of(stream, name)
    return macro is not None and macro.parameters > 0


def _is_unknown_macro(stream: Reading, name: str) -> bool | None:
    """Test of a property that is not recorded, such as being protected: unknown, or False for undefined names."""
    return None if stream.means(name) else False


def _says(stream: Reading, name: str) -> bool | None:
    """Whether the body of a macro equals a text."""
    text = plain_text(stream.argument())
    macro = meaning_of(stream, name)
    if macro is None:
        return None if stream.means(name) else False
    return plain_text(macro.body) == text


def _of_macro(test: Callable[[Reading, str], bool | None], name_of: Callable[[Reading], str]) -> Test:
    return lambda stream: test(stream, name_of(stream))


# The tests of etoolbox that come in two forms: ``\\ifdef...`` of a command, ``\\ifcs...`` of its name.
_OF_MACROS: dict[str, Callable[[Reading, str], bool | None]] = {
    "macro": _is_macro,
    "param": _has_parameters,
    "empty": _is_empty,
    "void": _is_void,
    "string": _says,
    **dict.fromkeys(("prefix", "protected", "ltxprotect", "counter", "length", "dimen"), _is_unknown_macro),
}


def _agree(name_of: Callable[[Reading], str]) -> Test:
    return lambda stream: means_same(stream, name_of(stream), name_of(stream))


def _has_package(stream: Reading) -> bool | None:
    """True if a package is loaded, else unknown, since classes or other packages may load it."""
    return True if stream.text_argument() in stream.loaded else None


# Texts and numbers


def is_blank(stream: Reading) -> bool:
    return not stream.text_argument()


def is_void(stream: Reading) -> bool:
    return not stream.argument()  # a blank is not empty


def is_same_text(stream: Reading) -> bool:
    return plain_text(stream.argument()) == plain_text(stream.argument())


# Texts of xstring


def _of_strings(test: Callable[[str, str, int], bool]) -> Test:
    """A test of two texts after expansion; unknown if they are not plain text."""

    def decide(stream: Reading) -> bool | None:
        stream.skip_spaces()
        stream.take("*")
        least = stream.optional()
        times = read_all(stream, least, read_number) if least else 1
        one, other = (stream.expanded(stream.argument()) for _ in range(2))
        if times is None or any(token[0] in _NO_TEXT for token in (*one, *other)):
            return None
        return test(_BLANKS.sub(" ", untokenize(one)), _BLANKS.sub(" ", untokenize(other)), times)

    return decide


def _equal_values(one: str, other: str, _: int) -> bool:
    """``\\IfEq``: compare two numbers by value, other texts literally."""
    numbers = [_DECIMAL.fullmatch(text.strip()) for text in (one, other)]
    if all(numbers):
        return len({float(text.replace(",", ".").replace(" ", "")) for text in (one, other)}) == 1
    return one == other


_NO_TEXT = f"\\{{}}$~#{VERBATIM}{INLINE}{PRIMITIVE}"  # first characters of tokens that are not plain text
_BLANKS = re.compile(r"\s+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)")
_STRING_TESTS: dict[str, Callable[[str, str, int], bool]] = {
    "\\IfSubStr": lambda one, other, times: bool(other) and one.count(other) >= times,
    "\\IfBeginWith": lambda one, other, _: bool(other) and one.startswith(other),
    "\\IfEndWith": lambda one, other, _: bool(other) and one.endswith(other),
    "\\IfStrEq": lambda one, other, _: one == other,
    "\\IfEq": _equal_values,
}


def _comparison(relation: str, compare: Callable[[Counting], bool | None] = compare_numbers) -> Test:
    def test(stream: Reading) -> bool | None:
        first = stream.argument()
        sign = stream.text_argument() if relation == "?" else relation
        return read_all(stream, [*first, sign, *stream.argument()], compare)

    return test


number_test = _comparison("?")


def _is_odd(stream: Reading) -> bool | None:
    number = read_all(stream, stream.argument(), read_number)
    return None if number is None else number % 2 == 1


def _unknown(count: int) -> Test:
    def test(stream: Reading) -> None:
        for _ in range(count):
            stream.argument()

    return test


# ifthen


def _if_then(stream: Reading) -> bool | None:
    """The test of ``\\ifthenelse``: tests combined by ``\\and``, ``\\or``, ``\\not`` and brackets ``\\( \\)``."""
    return _evaluate(stream, [token for token in stream.argument() if token != " "])


def _evaluate(stream: Reading, tokens: list[str]) -> bool | None:
    if len(tokens) > _LONGEST:
        return None
    place, value = _disjunction(stream, tokens, 0)
    return value if place == len(tokens) else None


def _disjunction(stream: Reading, tokens: list[str], place: int) -> tuple[int, bool | None]:
    """Evaluate ``\\and`` and ``\\or`` from left to right, as in ifthen and etoolbox; values may be unknown."""
    place, value = _single(stream, tokens, place)
    while place < len(tokens) and tokens[place] in ("\\and", "\\AND", "\\or", "\\OR"):
        joined = tokens[place]
        place, other = _single(stream, tokens, place + 1)
        value = _join(value, other, all_of=joined.casefold() == "\\and")
    return place, value


def _join(one: bool | None, other: bool | None, *, all_of: bool) -> bool | None:
    if (not all_of) in (one, other):
        return not all_of
    return None if None in (one, other) else all_of


def _single(stream: Reading, tokens: list[str], place: int) -> tuple[int, bool | None]:
    if place >= len(tokens):
        return place, None
    token = tokens[place]
    if token in ("\\not", "\\NOT"):
        place, value = _single(stream, tokens, place + 1)
        return place, None if value is None else not value
    if token == "\\(":
        place, value = _disjunction(stream, tokens, place + 1)
        return place + 1, value
    end = next((at for at in range(place, len(tokens)) if tokens[at] in _JOINTS), len(tokens))
    return end, _atom(stream, tokens[place:end])


_JOINTS = frozenset(("\\and", "\\AND", "\\or", "\\OR", "\\)"))
_ATOMS: dict[str, Test] = {
    "\\boolean": _boolean,
    "\\isundefined": lambda stream: not _is_defined(stream, _named(stream)),
    "\\isodd": _is_odd,
}


def _atom(stream: Reading, tokens: list[str]) -> bool | None:
    if tokens[:1] == ["\\equal"]:
        one, other = (stream.expanded(part) for part in stream.arguments_of(tokens[1:], 2))
        if plain_text(one) == plain_text(other):
            return True
        return None if any(token[0] == "\\" for token in (*one, *other)) else False
    if tokens and tokens[0] in _ATOMS:
        stream.push([*tokens[1:], " "])
        value = _ATOMS[tokens[0]](stream)
        stream.skip_spaces()
        return value
    return read_all(stream, tokens, compare_numbers)


# Expressions of etoolbox

# Operators of expressions, and their equivalents in ifthen.
_SIGNS = {"not": "\\not", "and": "\\and", "or": "\\or", "(": "\\(", ")": "\\)"}
_WORDS = re.compile(r"not|and|or|togl|bool|test|[()]")
_TRUTHS = {True: "true", False: "false", None: "?"}


def _if_expression(stream: Reading) -> bool | None:
    """The test of ``\\ifboolexpr``: ``bool{a}``, ``togl{a}``, ``test{\\ifdef{\\a}}``, combined by words and brackets.

    Each operand is evaluated first, then the whole as an equivalent test of ``\\ifthenelse``.
    """
    return stream.within(stream.argument(), lambda: _evaluate(stream, _translate_expression(stream)))


def _translate_expression(stream: Reading) -> list[str]:
    translated: list[str] = []
    while True:
        stream.skip_spaces()
        token = stream.next()
        if token is None:
            return translated
        word = _WORDS.match(token)
        if word is None or (word[0] not in _SIGNS and translated[-1:] == ["}"]):
            return ["\\boolean", "{", _TRUTHS[None], "}"]  # not a valid expression
        stream.push([token[word.end() :]] if token[word.end() :] else [])
        if word[0] in _SIGNS:
            translated.append(_SIGNS[word[0]])
        else:
            translated += ["\\boolean", "{", _TRUTHS[_operand(stream, word[0])], "}"]


def _operand(stream: Reading, kind: str) -> bool | None:
    if kind != "test":
        return _boolean(stream) if kind == "bool" else _toggle(stream)
    name, *tokens = itertools.dropwhile(" ".__eq__, [*stream.argument(), "\\relax"])
    name = name.removeprefix(PRIMITIVE)
    test = _TESTS.get(name) or _NEGATED.get(name)
    if test is None or len(tokens) > _LONGEST:
        return None
    value = stream.within(tokens, lambda: test(stream))
    return not value if name in _NEGATED and value is not None else value


# TeX's own conditionals


def means_same(stream: Reading, one: str, other: str) -> bool | None:
    """``\\ifx``: whether two tokens mean the same: a character itself, or macros with the same definition or none."""
    if one == other:
        return True
    if "\\" not in (one[0], other[0]):
        return False
    first, second = (
        Macro((PRIMITIVE + name,)) if macro is None and stream.means(name) else macro
        for name, macro in ((name, meaning_of(stream, name)) for name in (one, other))
    )
    if first is None and second is None:
        return all(name[0] == "\\" and not stream.means(name) for name in (one, other))
    if any(name[0] != "\\" and macro == Macro((name,)) for macro, name in ((first, other), (second, one))):
        return None  # true after \let\a=b, false after \def\a{b}, which are stored alike
    return first is not None and second is not None and first == second


def meaning_of(stream: Reading, name: str) -> Macro | None:
    return stream.macros.get(name) or _KERNEL.get(name)


def holds(stream: Reading, token: str, *, text: bool) -> bool | None:
    """Evaluate a TeX conditional, reading its operands; None if unknown."""
    if token in stream.switches:
        return stream.switches[token]
    if token in ("\\iftrue", "\\ifpdf", "\\ifpdftex", "\\ifPDFTeX"):
        return True
    if token in ("\\iffalse", "\\ifxetex", "\\ifluatex", "\\ifXeTeX", "\\ifLuaTeX", "\\ifinner", "\\ifvoid"):
        return False
    if token == "\\ifmmode":
        return not text
    test = _PRIMITIVE_TESTS.get(token)
    return test(stream) if test else None


def _if_defined(stream: Reading) -> bool:
    return stream.means(stream.next() or "")


def _if_same(stream: Reading) -> bool | None:
    """``\\ifx``; an undefined name spelled by ``\\csname`` means ``\\relax``."""
    names = []
    for _ in range(2):
        is_spelled = _is_spelled(stream)
        name = next_operand(stream)
        names.append("\\relax" if is_spelled and name and not stream.means(name) else name)
    return means_same(stream, *names) if all(names) else None


def _is_spelled(stream: Reading) -> bool:
    """Whether ``\\csname`` comes next, possibly after ``\\expandafter``, which is read."""
    stream.skip_spaces()
    while stream.take("\\expandafter"):
        stream.skip_spaces()
    return stream.peek() == "\\csname"


def next_operand(stream: Reading) -> str:
    """Read a control sequence or character, which may be spelled by ``\\csname`` or preceded by ``\\expandafter``."""
    stream.skip_spaces()
    token = stream.next() or ""
    if token == "\\expandafter":
        return next_operand(stream)
    if token == "\\csname":
        return spelled_name(stream) or ""
    if len(token) > 1 and token[0].isalnum():
        stream.push([token[1:]])
        return token[0]
    return token


def spelled_name(stream: Reading) -> str | None:
    """The control sequence spelled by ``\\csname``; None if its end is missing, or only TeX could expand it."""
    found = stream.until(("\\endcsname",), long=False)
    if found is None:
        return None
    stream.skip_spaces()
    name = plain_text(stream.expanded([token for token in found if token != "\\expandafter"]))
    return None if "\\" in name else f"\\{name}"


def _if_named(stream: Reading) -> bool | None:
    name = spelled_name(stream)
    return None if name is None else stream.means(name)


def _if_odd(stream: Reading) -> bool | None:
    number = read_number(stream)
    return None if number is None else number % 2 == 1


def case_of(stream: Reading) -> int | None:
    """The number of the case of ``\\ifcase``; None if unknown."""
    return read_number(stream)


def _if_equal(stream: Reading) -> bool | None:
    """``\\if``: compare the next two characters after expansion."""
    stream.skip_spaces()
    one, other = _next_character(stream), _next_character(stream)
    return None if not one or not other else one == other


def _if_category(stream: Reading) -> bool | None:
    """``\\ifcat``: compare the categories of the next two characters after expansion."""
    stream.skip_spaces()
    one, other = _next_character(stream), _next_character(stream)
    return None if not one or not other else _category_of(one) == _category_of(other)


def _category_of(token: str) -> str:
    """The category of a token as in TeX: control sequence, letter, a special character, or other."""
    if token[0] == "\\":
        return "\\"
    return "letter" if token.isalpha() else token if token in " $&#^_~" else "other"


def _next_character(stream: Reading) -> str:
    """Read one character or control sequence after expansion; the rest of a word is put back."""
    for _ in range(_MOST):
        token = stream.next()
        if token is None:
            return ""
        if token[0] == "\\":  # skip the space that ends its name
            stream.skip_spaces()
        if token in stream.macros or token == "\\csname":
            stream.step(token)
        elif token == "\\detokenize":
            stream.push([text] if (text := untokenize(stream.argument())) else [])
        elif token[0] != "\\" and len(token) > 1:
            stream.push([token[1:]])
            return token[0]
        else:
            return token if token[0] not in "{}" else ""
    return ""


_PRIMITIVE_TESTS: dict[str, Test] = {
    "\\ifdefined": _if_defined,
    "\\ifx": _if_same,
    "\\ifcsname": _if_named,
    "\\ifnum": compare_numbers,
    "\\ifodd": _if_odd,
    "\\if": _if_equal,
    "\\ifcat": _if_category,
    "\\ifdim": compare_lengths,
}


# Commands that set switches, and commands that test


def _new_switch(prefix: str) -> Callable[[Reading], None]:
    def define(stream: Reading) -> None:
        name = prefix + stream.text_argument()
        stream.set_switch(name, stream.switches.get(name, False))

    return define


def _set_switch(prefix: str, value: bool | None = None) -> Callable[[Reading], None]:
    def define(stream: Reading) -> None:
        name = prefix + stream.text_argument()
        stream.set_switch(name, stream.text_argument().casefold() == "true" if value is None else value)

    return define


def choice(test: Test, *, negated: bool = False) -> Callable[[Reading], None]:
    """A command with a test and two branches, which is replaced by the chosen branch."""

    def choose(stream: Reading) -> None:
        value = test(stream)
        yes, no = stream.argument(), stream.argument()
        if value is None:
            stream.note_unknown([*yes, *no])
        stream.push(yes if value is not None and value is not negated else no)

    return choose


def _choose_case(test: Callable[[str, str, int], bool]) -> Callable[[Reading], None]:
    """``\\IfStrEqCase{text}{{case}{branch}...}[branch]`` of xstring: the branch of the first case that is equal."""

    def choose(stream: Reading) -> None:
        stream.skip_spaces()
        stream.take("*")
        text, cases, other = stream.argument(), stream.argument(), stream.optional() or []
        pairs = stream.within(cases, lambda: [*_pairs_of_arguments(stream)])
        asked = [stream.expanded(part) for part in (text, *(case for case, _ in pairs))]
        if any(token[0] in _NO_TEXT for part in asked for token in part):
            stream.note_unknown([*other, *(token for _, branch in pairs for token in branch)])
            stream.push(other)
            return
        wanted, *named = (_BLANKS.sub(" ", untokenize(part)) for part in asked)
        stream.push(next((branch for (_, branch), name in zip(pairs, named) if test(wanted, name, 1)), other))

    return choose


def _pairs_of_arguments(stream: Reading) -> Iterator[tuple[list[str], list[str]]]:
    stream.skip_spaces()
    while stream.peek() is not None:
        yield stream.argument(), stream.argument()
        stream.skip_spaces()


def _choose_by_star(stream: Reading) -> None:
    """``\\@ifstar``: the first branch if a star comes next, which is read, else the second."""
    starred, plain = stream.argument(), stream.argument()
    stream.skip_spaces()
    stream.push(starred if stream.take("*") else plain)


def _choose_by_next(stream: Reading) -> None:
    """``\\@ifnextchar[{yes}{no}``: choose by the next character, without reading it."""
    character, yes, no = stream.argument(), stream.argument(), stream.argument()
    stream.skip_spaces()
    stream.push(yes if character == [stream.peek()] else no)


def _test_option(stream: Reading) -> None:
    """``\\@testopt\\name{default}``: the macro, with the default unless an optional argument follows."""
    macro, default = stream.argument(), stream.argument()
    stream.skip_spaces()
    stream.push(macro if stream.peek() == "[" else [*macro, "[", *default, "]"])


def branch_alone(test: Test, wanted: bool) -> Callable[[Reading], None]:
    """A command with a test and one branch, such as ``\\IfBlankT``."""

    def choose(stream: Reading) -> None:
        value, branch = test(stream), stream.argument()
        if value is wanted:
            stream.push(branch)
        elif value is None:
            stream.note_unknown(branch)

    return choose


def _first(tokens: list[str]) -> str:
    return next((token.removeprefix(PRIMITIVE) for token in tokens if token != " "), "")


_TESTS: dict[str, Test] = {
    "\\ifbool": _boolean,
    "\\iftoggle": _toggle,
    "\\ifdef": _of_macro(_is_defined, _named),
    "\\ifcsdef": _of_macro(_is_defined, _spelled),
    **{f"\\ifdef{kind}": _of_macro(test, _named) for kind, test in _OF_MACROS.items()},
    **{f"\\ifcs{kind}": _of_macro(test, _spelled) for kind, test in _OF_MACROS.items()},
    **dict.fromkeys(("\\ifdefequal", "\\ifdefstrequal"), _agree(_named)),
    **dict.fromkeys(("\\ifcsequal", "\\ifcsstrequal"), _agree(_spelled)),
    **dict.fromkeys(("\\ifblank", "\\IfBlankTF"), is_blank),
    "\\ifstrempty": is_void,
    "\\ifstrequal": is_same_text,
    **{name: _of_strings(test) for name, test in _STRING_TESTS.items()},
    **dict.fromkeys(("\\IfInteger", "\\IfDecimal"), _unknown(1)),
    "\\ifnumcomp": number_test,
    "\\ifnumequal": _comparison("="),
    "\\ifnumgreater": _comparison(">"),
    "\\ifnumless": _comparison("<"),
    "\\ifnumodd": _is_odd,
    "\\ifthenelse": _if_then,
    **dict.fromkeys(("\\@ifpackageloaded", "\\IfPackageLoadedTF"), _has_package),
    **dict.fromkeys(("\\@ifclassloaded", "\\IfClassLoadedTF"), _unknown(1)),
    **dict.fromkeys(("\\ifboolexpr", "\\ifboolexpe"), _if_expression),
    **dict.fromkeys(("\\ifthispageodd", "\\Ifthispageodd", "\\ifthispagewasodd"), _unknown(0)),
    **dict.fromkeys(("\\ifltxcounter", "\\iflistundef", "\\ifrmnum"), _unknown(1)),
    **dict.fromkeys(("\\ifinlist", "\\xifinlist", "\\ifinlistcs", "\\xifinlistcs"), _unknown(2)),
    "\\ifdimcomp": _comparison("?", compare_lengths),
    "\\ifdimequal": _comparison("=", compare_lengths),
    "\\ifdimgreater": _comparison(">", compare_lengths),
    "\\ifdimless": _comparison("<", compare_lengths),
}
_NEGATED: dict[str, Test] = {
    "\\notbool": _boolean,
    "\\nottoggle": _toggle,
    "\\ifundef": lambda stream: stream.is_set(_first(stream.argument())),
    **dict.fromkeys(("\\ifcsundef", "\\@ifundefined"), lambda stream: stream.is_set("\\" + stream.text_argument())),
    "\\notblank": is_blank,
}


def _while_do(stream: Reading) -> None:
    """``\\whiledo{test}{text}`` of ifthen."""
    test, text = stream.argument(), stream.argument()
    stream.push(["{", *test, "}"])
    value = _if_then(stream)
    if value:
        stream.push([*text, "\\whiledo", "{", *test, "}", "{", *text, "}"])
    elif value is None:
        stream.note_unknown(text)


def _loop_by_expression(stream: Reading) -> None:
    """``\\whileboolexpr{expression}{text}`` of etoolbox: how often the text is repeated is unknown."""
    stream.argument()
    stream.note_unknown(stream.argument())


def _loop(stream: Reading) -> None:
    """``\\loop text \\if... more \\repeat``: repeat while the condition is true."""
    stream.skip_spaces()
    text = stream.until(("\\repeat",), long=True)
    if text is not None:
        name = f"\\loop {len(stream.macros)}"
        stream.define(name, Macro((*text, AGAIN, name, "\\fi")))
        stream.push([name])


def _loop_again(stream: Reading) -> None:
    """Repeat a loop after its ``\\fi``, so that conditionals do not accumulate."""
    name = stream.next() or ""
    stream.take("\\fi")
    stream.push([name])


BRANCHES: dict[str, Callable[[Reading], None]] = {
    "\\whiledo": _while_do,
    **dict.fromkeys(("\\whileboolexpr", "\\whileboolexpe"), _loop_by_expression),
    **dict.fromkeys(("\\untilboolexpr", "\\untilboolexpe"), _loop_by_expression),
    "\\loop": _loop,
    AGAIN: _loop_again,
    **{name: choice(test) for name, test in _TESTS.items()},
    **{name: choice(test, negated=True) for name, test in _NEGATED.items()},
    "\\IfStrEqCase": _choose_case(_STRING_TESTS["\\IfStrEq"]),
    "\\IfEqCase": _choose_case(_equal_values),
    "\\@ifstar": _choose_by_star,
    **dict.fromkeys(("\\@ifnextchar", "\\kernel@ifnextchar"), _choose_by_next),
    "\\@testopt": _test_option,
    "\\IfBlankT": branch_alone(is_blank, True),
    "\\IfBlankF": branch_alone(is_blank, False),
    **dict.fromkeys(("\\newbool", "\\providebool", "\\newboolean", "\\provideboolean"), _new_switch("\\if")),
    **dict.fromkeys(("\\setbool", "\\setboolean"), _set_switch("\\if")),
    "\\booltrue": _set_switch("\\if", True),
    "\\boolfalse": _set_switch("\\if", False),
    **dict.fromkeys(("\\newtoggle", "\\providetoggle"), _new_switch("toggle ")),
    "\\settoggle": _set_switch("toggle "),
    "\\toggletrue": _set_switch("toggle ", True),
    "\\togglefalse": _set_switch("toggle ", False),
}
# Commands that ``\\edef`` expands, besides macros and TeX's conditionals.
EXPANDABLE = frozenset("\\csname \\csuse \\@nameuse \\expandafter \\the \\number \\unless".split()) | {
    *_TESTS,
    *_NEGATED,
}
