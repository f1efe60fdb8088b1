"""Tokenise LaTeX mathematics: resolve aliases, drop what prints nothing, nest groups and fences.

Nothing else is dropped: a parser must consume every token.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.tree import Unread

LONGEST = 4000  # maximum length of a formula, in characters
DEEPEST = 40  # maximum number of nested groups

_LENGTH = r"-?\s*\d*\.?\d*\s*(?:pt|em|ex|mu|cm|mm|in|bp|pc|sp|\\\w+)"
_LEXER = re.compile(
    rf"""(?P<comment>(?<!\\)%[^\n]*(?:\n\s*|$))
    |(?P<row>\\\\\*?(?:\[{_LENGTH}\])?|\\cr(?![A-Za-z])|\\tabularnewline(?![A-Za-z]))
    |(?P<skip>\\(?:kern|mkern|hskip|mskip)(?![A-Za-z])\s*{_LENGTH}|\\(?:hline|rule)(?![A-Za-z]))
    |(?P<word>\\[A-Za-z@]+\*?)
    |(?P<sign>\\.)
    |(?P<dots>\.\.\.)
    |(?P<bars>\|\|)
    |(?P<number>[1-9]\d{{0,2}}(?:(?:\\,|\{{,\}})\d{{3}})+(?!\d)(?:\.\d+)?|(?:0|\d+(?=\{{,\}}(?!\d{{3}}(?!\d))))\{{,\}}\d+|\d+(?:\s+\d+)*(?:\.\d+)?|\.\d+)
    |(?P<blank>\s+)
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_IN_NUMBERS = re.compile(r"\\,|\{,\}|\s")  # separators of thousands, and blanks, which print nothing
_DECIMAL = re.compile(r"0\{|\d+\{,\}(?!\d{3}(?!\d))")  # a decimal comma
# Digits after a separator of thousands without a group of three: "12\\,5" may be a decimal or a product.
_PARTED = re.compile(r"(?:\\,|\{,\})\d")
_TWO_DIGITS = frozenset(["\\frac", "\\binom"])
_ONE_DIGIT = frozenset(["^", "_", "\\sqrt"]) | _TWO_DIGITS
# Commands that print the contents of their arguments in sequence, with the number of arguments.
_LINES = {"\\smashoperator": 1, "\\splitfrac": 2, "\\splitdfrac": 2}
_OPERATORS = v.BIG | v.INTEGRALS | v.LIMIT_FUNCTIONS
# Signs with which a line begins that continues the line before it.
_JOINS = v.RELATIONS | v.SIGNS | v.LOOSE_OPERATORS | v.TIGHT_OPERATORS | {"\\cdot", "/"}
_STARRED = frozenset("\\operatorname* \\hspace* \\tag* \\mathop*".split())


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a formula.

    Attributes:
        text: canonical name, aliases resolved.
        kind: ``text`` (words), ``name`` (of an operator), ``left`` / ``right`` (after ``\\left``, ``\\right``),
            ``open`` / ``close`` / ``sized`` (delimiters of explicit size or side), ``row``, ``gap`` (``\\quad``),
            ``begin`` / ``end`` (of an environment), ``color``, ``number``, or empty. The sign ``||`` is one token.
        start: start offset in the LaTeX.
        end: end offset, exclusive.
    """

    text: str
    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Group:
    """Tokens in braces, or between ``\\left`` and ``\\right``, or in an environment.

    ``kind`` is ``braces``, ``fence`` or ``environment``; ``opening`` and ``closing`` are the delimiters, or the name of
    the environment.
    """

    items: tuple[Item, ...]
    kind: str
    opening: str
    closing: str
    start: int
    end: int


Item = Token | Group


@lru_cache(maxsize=256)
def read(latex: str) -> tuple[Item, ...]:
    """Tokenise a formula and nest its groups.

    Raises:
        Unread: braces, fences or environments do not match, or the formula is too long or too deeply nested.
    """
    if len(latex) > LONGEST:
        raise Unread("too long", f"{len(latex)} characters")
    return _Nest(list(_Lexer(latex).read())).read()


def flat(items: tuple[Item, ...]) -> list[str]:
    """The texts of the items: no braces around one sign, subscripts before superscripts, fences as delimiters."""
    return [text for item in _with_sorted_scripts(items) for text in _item_texts(item)]


def spell_items(items: tuple[Item, ...]) -> str:
    """The items as LaTeX without white space."""
    commands = {"text": "\\text", "name": "\\operatorname"}
    parts = []
    for text in flat(items):
        kind, found, rest = text.partition(":")
        parts.append(f"{commands[kind]}{{{rest.replace(' ', '~')}}}" if found and kind in commands else text)
    return "~".join(parts)


def _item_texts(item: Item) -> list[str]:
    if isinstance(item, Token):
        return [f"{item.kind}:{item.text}" if item.kind in ("text", "name", "row") else item.text]
    inner = flat(item.items)
    if item.kind == "braces":
        return inner if len(inner) == 1 else ["{", *inner, "}"]
    if item.kind == "environment":
        return [f"\\begin{{{item.opening}}}", *inner, f"\\end{{{item.closing}}}"]
    return [text for text in (item.opening, *inner, item.closing) if text != "."]


def _with_sorted_scripts(items: tuple[Item, ...]) -> Iterator[Item]:
    place = 0
    while place < len(items):
        four = items[place : place + 4]
        if len(four) == 4 and [text_of(four[0]), text_of(four[2])] == ["^", "_"]:
            yield from (four[2], four[3], four[0], four[1])
            place += 4
        else:
            yield items[place]
            place += 1


def text_of(item: Item) -> str:
    """The text of a token whose kind is empty; an empty string for other tokens and for groups."""
    return item.text if isinstance(item, Token) and not item.kind else ""


class _Lexer:
    """Tokenises a formula; the tokens before a number determine how many digits belong to it, as in ``x^12``."""

    def __init__(self, latex: str) -> None:
        self.latex = latex
        self.place = 0
        self.before = ("", "")  # the two preceding tokens, aliases resolved
        self.in_script = [False]  # for each open brace, whether it begins a script

    def read(self) -> Iterator[Token]:
        """Yield all tokens in order."""
        while self.place < len(self.latex):
            found = _LEXER.match(self.latex, self.place)
            assert found is not None and found.lastgroup is not None  # the last alternative takes any character
            start, self.place = self.place, found.end()
            kind, text = found.lastgroup, found.group()
            if kind == "number":
                yield self._read_number(start)
            self._note(kind, self.latex[start : self.place])
            token = self._read_other(kind, text, start)
            if token is not None:
                yield token

    def _note(self, kind: str, text: str) -> None:
        """Update the state that affects the tokens that follow."""
        if text == "{":
            self.in_script.append(self.before[1] in ("^", "_"))
        elif text == "}" and len(self.in_script) > 1:
            self.in_script.pop()
        if kind not in ("blank", "comment"):
            self.before = (self.before[1], v.ALIASES.get(text, text))

    def _read_number(self, start: int) -> Token:
        """A number; as an argument without braces it is a single digit."""
        single = self.before[1] in _ONE_DIGIT or (self.before[0] in _TWO_DIGITS and self.before[1].isdigit())
        if single:
            self.place = start + 1
        is_list = self.in_script[-1] and _DECIMAL.match(self.latex, start)  # "x_{1{,}2}" has two indices
        digits = self.latex[start : self.place]
        if not single and (is_list or _PARTED.match(self.latex, self.place)):
            raise Unread("number", f"the digits after {digits} are no thousands")
        return Token(_IN_NUMBERS.sub("." if _DECIMAL.match(digits) else "", digits), "number", start, self.place)

    def _read_other(self, kind: str, text: str, start: int) -> Token | None:
        """The token of a match other than a number, or None if it prints nothing."""
        if kind == "row":
            return Token("\\\\", "row", start, self.place)
        if kind == "dots":
            return Token("\\ldots", "", start, self.place)
        if kind == "word" and text in ("\\quad", "\\qquad"):
            return Token(text, "gap", start, self.place)
        if kind == "word":
            if text[-1] == "*" and text not in _STARRED:
                text, self.place = text[:-1], self.place - 1
            token, self.place = _read_command(self.latex, text.rstrip("*"), start, self.place)
            return token
        name = v.ALIASES.get(text, text)
        is_last = self.place == len(self.latex)
        if kind not in ("sign", "other", "bars") or name in v.SPACING or (name == "\\" and is_last):
            return None
        return Token(name, "", start, self.place)


def _read_command(latex: str, text: str, start: int, place: int) -> tuple[Token | None, int]:
    """The token of a command, or None if it prints nothing, and the position after it."""
    name = v.ALIASES.get(text, text)
    if name in v.SPACING:
        return None, place
    if name in v.SPACING_ARGUMENTS and not (name == "\\color" and _read_argument(latex, place)[0].strip() == "white"):
        for _ in range(v.SPACING_ARGUMENTS[name]):
            place = _read_argument(latex, place)[1]
        return None, place
    if name in v.TEXTS or name in ("\\intertext", "\\shortintertext"):
        words, place = _read_argument(latex, place)
        return Token(" ".join(words.split()), "text", start, place), place
    if name == "\\operatorname":
        words, place = _read_argument(latex, place)
        return Token(_operator_name(words), "name", start, place), place
    if name in ("\\begin", "\\end", "\\color"):
        words, place = _read_argument(latex, place)
        if name == "\\begin" and words in v.COLUMN_ARGUMENT:
            place = _read_argument(latex, _skip_optional(latex, place))[1]
        return Token(words, name[1:], start, place), place
    if text in v.SIDED_BARS:
        return Token(name, v.SIDED_BARS[text], start, place), place
    if name == "\\smashoperator":
        place = _skip_optional(latex, place)
    if name in v.SIZES:
        return _read_delimiter(latex, v.SIZES[name], start, place)
    return Token(name, "", start, place), place


def _operator_name(words: str) -> str:
    """The name of an operator without spacing and fonts: ``arg\\,max`` and ``arg max`` are ``argmax``."""
    words = re.sub(r"\\(?:[,;:! ]|(?:math|text)(?:rm|bf|sf|it|tt|normal)\b|rm\b|bf\b|sf\b|limits\b)|[\s{}~]", "", words)
    return words.replace("\\", "")


def _read_delimiter(latex: str, kind: str, start: int, place: int) -> tuple[Token, int]:
    """The delimiter after ``\\left``, ``\\right`` or a size command."""
    place = _skip_blank(latex, place)
    found = _LEXER.match(latex, place)
    if found is None:
        raise Unread("no delimiter", latex[start:place].strip())
    text = v.ALIASES.get(found.group().rstrip("*"), found.group())
    if text == "/":
        raise Unread("unexpected", "a large slash, which may divide all around it")
    if kind in ("left", "right"):
        text = {"<": "\\langle", ">": "\\rangle"}.get(text, text)
    return Token(text, kind, start, found.end()), found.end()


def _read_argument(latex: str, place: int) -> tuple[str, int]:
    """The text of the argument at a position, and the position after it."""
    place = _skip_blank(latex, place)
    if latex[place : place + 1] != "{":
        found = _LEXER.match(latex, place)
        return (found.group(), found.end()) if found else ("", place)
    depth, end = 0, place
    while end < len(latex):
        if latex[end] == "\\":
            end += 1
        elif latex[end] in "{}":
            depth += 1 if latex[end] == "{" else -1
            if not depth:
                return latex[place + 1 : end], end + 1
        end += 1
    raise Unread("braces", "{ without }")


def _skip_optional(latex: str, place: int) -> int:
    """The position after an optional argument, if there is one."""
    place = _skip_blank(latex, place)
    end = latex.find("]", place)
    return end + 1 if latex[place : place + 1] == "[" and end > 0 else place


def _skip_blank(latex: str, place: int) -> int:
    while latex[place : place + 1].isspace():
        place += 1
    return place


class _Nest:
    """Nests a flat list of tokens into groups."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.place = 0
        self.depth = 0

    def read(self) -> tuple[Item, ...]:
        items, end = self._until("")
        if end is not None:
            raise Unread("braces" if end.text == "}" else "fences", f"{_printed_token(end)} without its beginning")
        return items

    def _until(self, kind: str) -> tuple[tuple[Item, ...], Token | None]:
        """The items up to the token that ends the group, and that token; ``kind`` is the kind of the group's end."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unread("too deep", f"more than {DEEPEST} levels of groups")
        items: list[Item] = []
        while self.place < len(self.tokens):
            token = self.tokens[self.place]
            self.place += 1
            if token.kind in ("right", "end") or (token.text == "}" and not token.kind):
                self.depth -= 1
                return _apply_declarations(_drop_empty_scripts(_read_gaps(items, kind))), token
            items.extend(self._lines(token) if token.text in _LINES and not token.kind else (self._item(token),))
        self.depth -= 1
        return _apply_declarations(_drop_empty_scripts(_read_gaps(items, kind))), None

    def _item(self, token: Token) -> Item:
        if token.text == "{" and not token.kind:
            items, end = self._until("}")
            if end is None or end.text != "}" or end.kind:
                raise Unread("braces", "{ without }")
            return Group(items, "braces", "{", "}", token.start, end.end)
        if token.kind == "left":
            items, end = self._until("right")
            if end is None or end.kind != "right":
                raise Unread("fences", "\\left without \\right")
            return Group(items, "fence", token.text, end.text, token.start, end.end)
        if token.kind == "begin":
            items, end = self._until("end")
            if end is None or end.kind != "end" or end.text != token.text:
                raise Unread("environments", f"\\begin{{{token.text}}} without its end")
            return Group(items, "environment", token.text, token.text, token.start, end.end)
        return token

    def _lines(self, token: Token) -> Iterator[Item]:
        """The items in the arguments of a command that affects only the layout of its arguments.

        Raises:
            Unread: a line does not continue the line before it, or ``\\smashoperator`` has no operator.
        """
        for line in range(_LINES[token.text]):
            if self.place == len(self.tokens) or text_of(self.tokens[self.place]) != "{":
                raise Unread("unknown macro", f"{token.text} without braces")
            self.place += 1
            group = self._item(self.tokens[self.place - 1])
            items = group.items if isinstance(group, Group) else ()
            first = text_of(items[0]) if items else ""
            if first not in (_JOINS if line else _OPERATORS if token.text == "\\smashoperator" else {first}):
                raise Unread("unexpected", f"{first or 'nothing'} in {token.text}")
            if token.text == "\\smashoperator" and any(text_of(one) not in ("_", "^") for one in items[1::2]):
                raise Unread("unexpected", f"more than an operator in {token.text}")
            yield from items


def _printed_token(token: Token) -> str:
    return {"right": "\\right", "end": f"\\end{{{token.text}}}"}.get(token.kind, token.text)


def _read_gaps(items: list[Item], kind: str) -> list[Item]:
    """Drop wide blanks; between two statements of a formula or row they are replaced by commas."""
    found: list[Item] = []
    related = False
    for place, item in enumerate(items):
        if not isinstance(item, Token) or item.kind != "gap":
            ends = isinstance(item, Token) and (item.kind == "row" or item.text in (",", ";"))
            related = not ends and (related or text_of(item) in v.RELATIONS)
            found.append(item)
        elif related and kind in ("", "end") and _states_next(items[place + 1 :]):
            found.append(replace(item, text=",", kind=""))
            related = False
    return found


def _states_next(items: list[Item]) -> bool:
    """Whether the items begin with a statement: a side and then a relation."""
    for place, item in enumerate(items):
        text = text_of(item)
        if text in v.RELATIONS:
            return place > 0
        if isinstance(item, Token) and (item.kind in ("gap", "row", "text") or text in (",", ";", "&")):
            return False
        if not place and (text in v.SIGNS or text in v.BARS):
            return False
    return False


def _drop_empty_scripts(items: list[Item]) -> list[Item]:
    """Drop ``^{}`` and ``_{}``, which print nothing; macros make them of omitted optional arguments."""
    found: list[Item] = []
    for item in items:
        if isinstance(item, Group) and item.kind == "braces" and not item.items and found and _is_script(found[-1]):
            found.pop()
        else:
            found.append(item)
    return found


def _is_script(item: Item) -> bool:
    return isinstance(item, Token) and not item.kind and item.text in ("^", "_")


def _apply_declarations(items: list[Item]) -> tuple[Item, ...]:
    r"""Rewrite commands that affect the rest of a group: ``\rm x``, ``a \over b`` (as ``\frac{a}{b}``)."""
    for place, item in enumerate(items):
        if not isinstance(item, Token) or item.kind not in ("", "color"):
            continue
        before, after = items[:place], items[place + 1 :]
        if item.kind == "color":  # white text prints nothing
            return tuple(before)
        if item.text in v.FONT_SWITCHES:
            font = replace(item, text=v.FONT_SWITCHES[item.text])
            return (*before, font, _group_at(_apply_declarations(after), item.end))
        if item.text in ("\\over", "\\choose"):
            name = replace(item, text="\\frac" if item.text == "\\over" else "\\binom")
            return (name, _group_at(tuple(before), item.start), _group_at(_apply_declarations(after), item.end))
    return tuple(items)


def _group_at(items: tuple[Item, ...], place: int) -> Group:
    start, end = (items[0].start, items[-1].end) if items else (place, place)
    return Group(items, "braces", "{", "}", start, end)
