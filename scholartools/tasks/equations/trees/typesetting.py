"""Normalise the LaTeX of formulas: no spacing, labels or sizes, one name for each command, uniform blanks.

All options of a question are typeset in this style, so that the style does not reveal the paper's equation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.tokens import (
    Group,
    Item,
    Token,
    read,
    text_of,
)
from scholartools.tasks.equations.trees.tree import Unread

_BLANKS = v.RELATIONS | v.SIGNS | v.LOOSE_OPERATORS | v.TIGHT_OPERATORS - {"*"} | {"\\cdot", "\\mid"}


def typeset(latex: str) -> str:
    """The formula in normalised LaTeX, without the punctuation at its end.

    Raises:
        Unread: braces, fences or environments do not match, or an environment has an unsupported column argument.
    """
    for _ in range(_PASSES):  # removing braces may make further braces redundant
        texts = _plain_bars(list(_all_texts(read(latex))))
        while texts and texts[-1] in (".", ",", ";", "\\\\", "&"):
            texts.pop()
        latex, before = _join_texts(texts), latex
        if latex == before:
            break
    return latex


def _plain_bars(texts: list[str]) -> list[str]:
    """Replace opening and closing bars by plain ones, unless bars of one kind are nested and would be misread."""
    for plain, (left, right) in _SIDES.items():
        depth = 0
        for text in texts:
            if depth and text in (plain, left):
                return texts
            depth += (text == left) - (text == right)
    plain_of = {sided: plain for plain, pair in _SIDES.items() for sided in pair}
    return [plain_of.get(text, text) for text in texts]


_PASSES = 4
_SIDES = {"|": ("\\lvert", "\\rvert"), "\\|": ("\\lVert", "\\rVert")}
_COMMANDS = (v.FUNCTIONS | v.LIMIT_FUNCTIONS) - {"\\argmax", "\\argmin", "\\esssup"}
_ARGUMENTS = dict.fromkeys(v.ACCENTS | v.FONTS | {"\\sqrt"}, 1) | {"\\frac": 2, "\\binom": 2}


def _all_texts(items: Sequence[Item]) -> Iterator[str]:
    """The texts of items: braces around arguments, no braces around scripts of one sign, no empty braces."""
    arguments, before = 0, ""
    for place, item in enumerate(items):
        text = item.text if isinstance(item, Token) and not item.kind else ""
        inner = _unwrap_braces(item)
        if arguments and not (before == "\\sqrt" and text == "["):
            arguments -= 1
            yield from ("{", *_all_texts(inner), "}")
        elif before in ("^", "_") and _is_single(inner):
            yield from _iter_texts(inner[0])
        elif inner or (place + 1 < len(items) and text_of(items[place + 1]) in ("^", "_")):
            yield from _iter_texts(item)
        arguments += _ARGUMENTS.get(text, 0) if not arguments else 0
        before = text


def _unwrap_braces(item: Item) -> tuple[Item, ...]:
    """The items within any number of nested braces; an item without braces as a tuple."""
    while isinstance(item, Group) and item.kind == "braces":
        if len(item.items) != 1:
            return item.items
        item = item.items[0]
    return (item,)


def _is_single(items: tuple[Item, ...]) -> bool:
    """Whether a script needs no braces."""
    if len(items) != 1 or not isinstance(items[0], Token) or items[0].kind not in ("", "number"):
        return False
    text = items[0].text
    return (len(text) == 1 and text.isalnum()) or text in v.LETTERS


def _iter_texts(item: Item) -> Iterator[str]:
    if isinstance(item, Token):
        if item.text in _SIDES and item.kind in ("open", "close"):
            yield _SIDES[item.text][item.kind == "close"]
        else:
            yield {"text": f"\\text{{{item.text}}}", "name": _name_command(item.text)}.get(item.kind, item.text)
        return
    opening, closing = {
        "braces": ("{", "}"),
        "fence": (f"\\left{item.opening}", f"\\right{item.closing}"),
        "environment": (f"\\begin{{{item.opening}}}{_column_argument(item)}", f"\\end{{{item.closing}}}"),
    }[item.kind]
    inner = item.items if item.kind != "braces" else _unwrap_braces(item)
    yield from (opening, *_all_texts(inner), closing)


def _column_argument(group: Group) -> str:
    """The column argument of an environment, with all columns centred.

    Raises:
        Unread: the column argument of the environment has another form.
    """
    if group.kind != "environment" or group.opening not in v.COLUMN_ARGUMENT:
        return ""
    if group.opening not in ("array", "subarray"):
        raise Unread("columns", group.opening)
    most = count = 1
    for item in group.items:
        count = 1 if isinstance(item, Token) and item.kind == "row" else count + (text_of(item) == "&")
        most = max(most, count)
    return f"{{{'c' * most}}}"


def _name_command(name: str) -> str:
    return f"\\{name}" if f"\\{name}" in _COMMANDS else f"\\operatorname{{{name}}}"


def _join_texts(texts: list[str]) -> str:
    """Join the texts, with blanks around relations and operators and where two tokens would merge."""
    made = ""
    scripted = False
    for text in texts:
        opens = not made or made[-1] in "{([|"
        wide = text in _BLANKS and not scripted and not opens
        if made and (wide or _runs_on(made, text)) and not made.endswith(" "):
            made += " "
        made += text + " " * (wide or text in (",", "\\\\", "&"))
        scripted = text in ("^", "_")
    return made.strip()


def _runs_on(before: str, text: str) -> bool:
    """Whether a text would merge with the command or number before it."""
    if not (text[:1].isalnum() and text[:1].isascii()):
        return False
    place = len(before)
    while place and before[place - 1].isalpha() and before[place - 1].isascii():
        place -= 1
    letters = place < len(before) and place > 0 and before[place - 1] == "\\"
    return (letters and text[0].isalpha()) or (before[-1].isdigit() and text[0].isdigit())
