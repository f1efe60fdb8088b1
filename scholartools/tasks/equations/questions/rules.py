"""Errors by rule: each makes one plausible mistake at one place of a formula.

The formula is the output of :func:`scholartools.tasks.equations.trees.typesetting.typeset`; offsets refer to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from scholartools.tasks.equations.questions.edits import Edit
from scholartools.tasks.equations.questions.shortcuts import Tokens, kinds_of, option_tokens
from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.tree import EMPTY, Node
from scholartools.tasks.shared.questions import EXCHANGE, SIGNS

_OPERATORS = {
    "\\sum": "\\prod",
    "\\prod": "\\sum",
    "\\bigcup": "\\bigcap",
    "\\bigcap": "\\bigcup",
    "\\max": "\\min",
    "\\min": "\\max",
    "\\sup": "\\inf",
    "\\inf": "\\sup",
    "\\cup": "\\cap",
    "\\cap": "\\cup",
    "\\operatorname{argmax}": "\\operatorname{argmin}",
    "\\operatorname{argmin}": "\\operatorname{argmax}",
}
_FUNCTIONS = {
    "\\exp": "\\log",
    "\\log": "\\exp",
    "\\ln": "\\exp",
    "\\sin": "\\cos",
    "\\cos": "\\sin",
    "\\tan": "\\sin",
    "\\tanh": "\\sinh",
    "\\sinh": "\\cosh",
    "\\cosh": "\\sinh",
    "\\det": "\\operatorname{tr}",
    "\\operatorname{tr}": "\\det",
}
_RELATIONS = {"\\leq": "\\geq", "\\geq": "\\leq", "<": ">", ">": "<", "\\ll": "\\gg", "\\gg": "\\ll", "\\in": "\\notin"}

# Nodes whose parts are values.
_HOLDERS = frozenset(["mul", "add", "frac", "minus", "apply", "maybe", "list", "bracket"])
_PARTS = 6  # maximum number of parts with the same token classes that replace each other

_CELL = re.compile(r"&|\\\\")
_CELL_END = re.compile(r"\s*+(?:(?:&|\\\\)\s*+)++")  # for reversed LaTeX


# Adjacent letters outside commands: a product, or a word without a font.
_LETTER_RUN = re.compile(r"(?<![A-Za-z\\])[A-Za-z]{2,}(?![A-Za-z])")
_WORD_LENGTH = 4  # length from which adjacent letters are a word even if it does not occur in the text
_SPELLED = frozenset("max min sup inf exp log sin cos tan det arg lim var cov erf sgn dim ker sum".split())
_LABELS = frozenset("in out eq ex up lo hi dn el th obs ref eff tot int ext abs rel avg iso rms ion".split())


def _is_word(run: str, words: frozenset[str], *, in_script: bool) -> bool:
    short = run.lower() in _SPELLED or (in_script and run.lower() in _LABELS)
    return len(run) >= _WORD_LENGTH or short or run in words


def _without_cell_end(latex: str) -> str:
    """Remove separators of cells and rows at the end of LaTeX, and the spaces around them."""
    found = _CELL_END.match(latex[::-1])
    return latex[: len(latex) - found.end()] if found else latex


class Slips:
    """The errors that a formula allows.

    Args:
        latex: the formula, typeset.
        statements: trees of its statements.
        names: letters with their scripts in the formulas around it, typeset.
        words: words in the prose around it.
    """

    def __init__(
        self,
        latex: str,
        statements: tuple[Node, ...],
        names: Sequence[str] = (),
        words: frozenset[str] = frozenset(),
    ) -> None:
        self.latex = latex
        self._words = [
            found.span()
            for found in _LETTER_RUN.finditer(latex)
            if _is_word(found[0], words, in_script=latex[: found.start()].endswith(("_{", "^{")))
        ]
        self.statements = statements
        self.names: dict[str, list[str]] = {}
        for name in names:
            alone = _without_cell_end(name)
            self.names.setdefault(_letter(alone), []).append(alone)
        self.nodes = [node for statement in statements for node in statement.walk()]
        indices = [node for node in self.nodes if node.kind == "scripts" and node.parts[1] is not EMPTY]
        self.inside = {id(one) for node in indices for one in node.parts[1].walk()}
        self.powers = {id(one) for node in self.nodes if node.kind == "scripts" for one in node.parts[2].walk()}
        self.limits = {id(one) for node in self.nodes if node.kind == "big" for p in node.parts[:2] for one in p.walk()}

    def find(self, ops: frozenset[str]) -> list[Edit]:
        """All distinct errors of the given kinds, in the order of their offsets."""
        found = {self._within_cell(edit) for op in ops for edit in OPS[op](self)}
        return sorted(edit for edit in found if self._changes(edit) and not self._spoils_word(edit))

    def _spoils_word(self, edit: Edit) -> bool:
        """Whether an edit changes a part of a word that is written as letters, or inserts something next to it."""
        return any(
            edit.start <= end and start <= edit.end
            if edit.start == edit.end
            else edit.start < end and start < edit.end and not (edit.start <= start and end <= edit.end)
            for start, end in self._words
        )

    def _within_cell(self, edit: Edit) -> Edit:
        """Remove cell and row separators at the end of an edit: the span of a letter extends to the next token."""
        old = _without_cell_end(self.latex[edit.start : edit.end])
        return replace(edit, end=edit.start + len(old), new=_without_cell_end(edit.new))

    def _changes(self, edit: Edit) -> bool:
        """Whether an edit changes the formula, but no separator of columns or rows."""
        old = self.latex[edit.start : edit.end]
        return "".join(edit.new.split()) != "".join(old.split()) and not _CELL.search(edit.new + old)

    def is_in_word(self, node: Node) -> bool:
        """Whether a node is a letter of a word that is written as letters."""
        return any(start <= node.start and node.end <= end for start, end in self._words)

    def source(self, node: Node) -> str:
        """The LaTeX of a node."""
        return self.latex[node.start : node.end]

    def names_in_formula(self) -> list[Node]:
        """Letters with their scripts, outside indices, limits and powers."""
        symbols = [node for node in self.nodes if node.kind in ("symbol", "scripts") and _is_name(node)]
        bases = {id(node.parts[0]) for node in symbols if node.kind == "scripts"}
        left_out = self.inside | self.limits | bases | self.powers
        return [node for node in symbols if id(node) not in left_out and not self.is_in_word(node)]

    def is_bound(self, node: Node) -> bool:
        """Whether a node is in an index or a limit."""
        return id(node) in self.inside or id(node) in self.limits

    def symbols(self, *, inside: bool) -> list[Node]:
        """Letters within indices (``inside``) or outside of them; words that are written as letters are excluded."""
        found = [node for node in self.nodes if node.kind == "symbol" and node.end and _is_letter(node.value)]
        return [node for node in found if (id(node) in self.inside) == inside and not self.is_in_word(node)]


def _is_letter(name: str) -> bool:
    return name not in v.LETTERS - _GREEK and not name.startswith("\\text") and name not in ("{}", "d", "e")


_GREEK = frozenset(f"\\{name}" for name in v.GREEK.split())


def _sign(slips: Slips) -> Iterator[Edit]:
    """Change the sign of a term."""
    for node in slips.nodes:
        if node.kind == "minus":
            first = slips.latex[: node.start].rstrip()[-1:] in ("", "{", "(", "[", "=", "&", ",")
            yield Edit(node.start, node.start + 1, "" if first else "+", "sign")
        elif node.kind == "add":
            for before, after in zip(node.parts, node.parts[1:]):
                place = slips.latex.find("+", before.end, after.start)
                if after.kind not in ("minus", "sign") and place >= 0:
                    yield Edit(place, place + 1, "-", "sign")


def _signs(slips: Slips) -> Iterator[Edit]:
    """Invert the signs between terms outside scripts; all of these edits together are one change."""
    for node in slips.nodes:
        if node.kind == "add" and id(node) not in slips.inside | slips.limits | slips.powers:
            for before, after in zip(node.parts, node.parts[1:]):
                if after.kind == "minus":
                    yield Edit(after.start, after.start + 1, "+", SIGNS)
                elif after.kind != "sign" and (place := slips.latex.find("+", before.end, after.start)) >= 0:
                    yield Edit(place, place + 1, "-", SIGNS)


def _letter(name: str) -> str:
    """A name without its scripts."""
    return name.partition("_")[0].partition("^")[0].rstrip("'")


def _index(slips: Slips) -> Iterator[Edit]:
    """Replace, shift, remove or add an index, or replace the scripts of a letter by others with which it occurs."""
    yield from _move_scripts(slips, 1, "_", "index")
    for node in slips.names_in_formula():
        yield from (
            Edit(node.start, node.end, name, "index") for name in slips.names.get(_letter(slips.source(node)), [])
        )
    letters = list(dict.fromkeys(slips.source(node) for node in slips.symbols(inside=True)))
    for node in slips.symbols(inside=True):
        alike = (letter for letter in letters if _class(letter) == _class(slips.source(node)))
        yield from (Edit(node.start, node.end, letter, "index") for letter in alike)
        if slips.source(node) in "ijkltmn" and not _neighbours_index(slips, node):
            for shift in ("- 1", "+ 1"):
                yield Edit(node.start, node.end, f"{{{slips.source(node)} {shift}}}", "index")
    for node in slips.nodes:
        if node.kind == "add" and id(node) in slips.inside and len(node.parts) == 2:
            yield Edit(node.start, node.end, f"{{{slips.source(node.parts[0])}}}", "index")
            sign = slips.latex[node.parts[0].end : node.parts[1].end]
            flipped = sign.replace("-", "+") if "-" in sign else sign.replace("+", "-")
            yield Edit(node.parts[0].end, node.parts[1].end, flipped, "index")


def _class(text: str) -> str:
    """The visual class of a letter; errors confuse letters of one class."""
    if text.startswith("\\"):
        return text.partition("{")[0] if "{" in text else "greek"
    return "capital" if text[:1].isupper() else "small"


def _neighbours_index(slips: Slips, node: Node) -> bool:
    """Whether an index is adjacent to letters or in a limit, where it cannot be replaced by a sum."""
    around = slips.latex[node.start - 1 : node.start] + slips.latex[node.end : node.end + 1]
    return any(sign.isalnum() or sign in "+-\\ " for sign in around) or id(node) in slips.limits


def _index_order(slips: Slips) -> Iterator[Edit]:
    """Exchange two indices."""
    for node in slips.nodes:
        if node.kind == "scripts" and node.parts[1].kind in ("mul", "list") and len(node.parts[1].parts) == 2:
            first, second = node.parts[1].parts
            between = slips.latex[first.end : second.start]
            swapped = slips.source(second) + between + slips.source(first)
            yield Edit(first.start, second.end, swapped, "index-order")


def _bound_letters(slips: Slips) -> Iterator[Edit]:
    """Change a limit of a sum or an integral."""
    for node in slips.nodes:
        if node.kind not in ("big", "integral"):
            continue
        lower, upper = node.parts[0], node.parts[1]
        start = lower.parts[1] if lower.kind == "chain" and lower.value == "=" else lower
        if start.kind == "number" and start.value in ("0", "1", "2"):
            yield from (Edit(start.start, start.end, value, "bound") for value in ("0", "1", "2"))
        if upper.kind in ("symbol", "scripts") and upper.value != "\\infty":
            inner = _inner(slips.source(upper))
            yield from (Edit(upper.start, upper.end, f"{{{inner} {shift}}}", "bound") for shift in ("- 1", "+ 1"))
        elif upper.kind == "add" and len(upper.parts) == 2 and upper.parts[1].kind in ("minus", "number"):
            yield Edit(upper.parts[0].end, upper.parts[1].end, "", "bound")


def _operator(slips: Slips) -> Iterator[Edit]:
    yield from _rename_letter(slips, _OPERATORS, "operator")


def _function(slips: Slips) -> Iterator[Edit]:
    yield from _rename_letter(slips, _FUNCTIONS, "function")


def _rename_letter(slips: Slips, names: dict[str, str], op: str) -> Iterator[Edit]:
    """Replace commands by others."""
    for old, new in names.items():
        place = slips.latex.find(old)
        while place >= 0:
            end = place + len(old)
            if not slips.latex[end : end + 1].isalpha() or old.endswith("}"):
                yield Edit(place, end, new, op)
            place = slips.latex.find(old, end)


def _move_scripts(slips: Slips, place: int, mark: str, op: str) -> Iterator[Edit]:
    """Remove scripts, and add them to letters without such a script.

    Args:
        place: index of the script among the parts of a node: 1 for subscripts, 2 for superscripts.
        mark: the sign before the script.
    """
    nodes = [node for node in slips.nodes if node.kind == "scripts" and _is_name(node) and not slips.is_bound(node)]
    scripts: list[str] = []
    for node in nodes:
        script = node.parts[place]
        start = slips.latex.rfind(mark, node.parts[0].end, script.start + 1)
        if script is not EMPTY and start >= 0:
            end = (
                node.end
                if mark == "^" or node.parts[2] is EMPTY
                else slips.latex.rfind("^", start, node.parts[2].start + 1)
            )
            if end > start:
                scripts.append(slips.latex[start:end])
                yield Edit(start, end, "", op)
    for node in slips.names_in_formula():
        if node.kind == "symbol" or (node.kind == "scripts" and node.parts[place] is EMPTY):
            yield from (Edit(node.end, node.end, script, op) for script in dict.fromkeys(scripts))


def _exponent(slips: Slips) -> Iterator[Edit]:
    """Change, remove or add an exponent."""
    yield from _move_scripts(slips, 2, "^", "exponent")
    for node in slips.nodes:
        if node.kind != "scripts" or id(node) in slips.inside:
            continue
        upper = node.parts[2]
        if upper.kind == "number" and upper.value.isdigit():
            for value in {int(upper.value) + 1, int(upper.value) - 1, 2} - {0, 1, int(upper.value)}:
                yield Edit(upper.start, upper.end, f"{{{value}}}", "exponent")
            yield Edit(slips.latex.rfind("^", 0, upper.start), upper.end, "", "exponent")
        inverse = upper.kind == "minus" and upper.parts[0].kind in ("number", "frac")
        if inverse:
            yield Edit(upper.start, upper.start + 1, "", "exponent")
    for node in _factors(slips):
        if node.kind in ("symbol", "bracket") or (node.kind == "scripts" and node.parts[2] is EMPTY):
            yield Edit(node.end, node.end, "^{2}", "exponent")


def _factors(slips: Slips) -> Iterator[Node]:
    """Yield factors and terms outside indices and limits."""
    for node in slips.nodes:
        if node.kind in ("mul", "add", "frac", "minus") and id(node) not in slips.inside | slips.limits:
            for part in node.parts:
                if part.end and part.end > part.start and not node.value.startswith("\\partial"):
                    yield part


def _root(slips: Slips) -> Iterator[Edit]:
    """Remove or add a root."""
    for node in slips.nodes:
        if node.kind == "root" and len(node.parts) == 1:
            inner = slips.source(node.parts[0])
            yield Edit(node.start, node.end, inner if _is_atom(node.parts[0]) else f"({inner})", "root")
        elif node.kind == "frac" and id(node) not in slips.inside | slips.limits:
            below = node.parts[1]
            yield Edit(below.start, below.end, f"\\sqrt{{{slips.source(below)}}}", "root")


def _is_atom(node: Node) -> bool:
    return node.kind in ("symbol", "number", "scripts", "bracket", "frac", "group")


def _constant(slips: Slips) -> Iterator[Edit]:
    """Change or add a number."""
    for node in slips.nodes:
        if (
            node.kind == "number"
            and id(node) not in slips.inside | slips.limits | slips.powers
            and node.value.isdigit()
        ):
            value = int(node.value)
            for other in {value + 1, abs(value - 1), 2 * value} - {value, 0}:
                yield Edit(
                    node.start, node.end, f"{{{other}}}" if _in_fraction(slips, node) else str(other), "constant"
                )
    for node in slips.nodes:
        if node.kind == "big" and id(node) not in slips.inside:
            yield Edit(node.start, node.start, "\\frac{1}{2}", "constant")
            yield Edit(node.start, node.start, "2", "constant")


def _in_fraction(slips: Slips, node: Node) -> bool:
    return slips.latex[node.start - 1 : node.start] not in ("{", " ", "(")


def _fraction(slips: Slips) -> Iterator[Edit]:
    """Turn a fraction upside down."""
    for node in slips.nodes:
        if node.kind == "frac" and slips.source(node).startswith("\\frac"):
            above, below = node.parts
            if above.value != "1" and all(one.kind != "differential" for one in node.walk()):
                turned = f"\\frac{{{slips.source(below)}}}{{{slips.source(above)}}}"
                yield Edit(node.start, node.end, turned, "fraction")


def _term(slips: Slips) -> Iterator[Edit]:
    """Remove a term."""
    for node in slips.nodes:
        if node.kind != "add" or id(node) in slips.inside | slips.limits:
            continue
        first, second = node.parts[0], node.parts[1]
        yield Edit(first.start, second.start, "", "term")
        for before, after in zip(node.parts, node.parts[1:]):
            yield Edit(before.end, after.end, "", "term")


def _factor(slips: Slips) -> Iterator[Edit]:
    """Remove or add a factor or a normaliser."""
    letters = _normalisers(slips)
    for node in slips.nodes:
        if id(node) in slips.inside | slips.limits:
            continue
        if node.kind == "mul":
            yield from (Edit(*_without_dot(slips, part), "", "factor") for part in node.parts if part.end > part.start)
            yield from _put_factors(slips, node)
        elif node.kind == "frac" and slips.source(node).startswith("\\frac"):
            above = slips.source(node.parts[0])
            yield Edit(node.start, node.end, above if _is_atom(node.parts[0]) else f"({above})", "factor")
        elif node.kind == "big" and node.value == "\\sum":
            yield from (Edit(node.start, node.start, f"\\frac{{1}}{{{letter}}}", "factor") for letter in letters)


def _put_factors(slips: Slips, product: Node) -> Iterator[Edit]:
    """Insert a letter of a product before a factor or term elsewhere."""
    names = [part for part in product.parts if part.kind in ("symbol", "scripts") and _is_name(part)]
    letters = [slips.source(part) for part in names if not slips.is_in_word(part)]
    places = [part for part in _factors(slips) if part.kind in ("symbol", "scripts", "bracket", "frac")]
    for letter in dict.fromkeys(letters):
        yield from (Edit(part.start, part.start, letter, "factor") for part in places if part not in product.parts)


def _normalisers(slips: Slips) -> list[str]:
    """The upper limits of sums, which may be normalisers."""
    ends = [node.parts[1] for node in slips.nodes if node.kind == "big" and node.parts[1].kind in ("symbol", "scripts")]
    return list(dict.fromkeys(_inner(slips.source(end)) for end in ends if end.value != "\\infty"))


def _inner(text: str) -> str:
    return text[1:-1] if text.startswith("{") and text.endswith("}") else text


def _without_dot(slips: Slips, part: Node) -> tuple[int, int]:
    """The span of a factor, including the dot that joins it to others."""
    before = slips.latex[: part.start].rstrip()
    if before.endswith("\\cdot"):
        return len(before) - len("\\cdot"), part.end
    after = slips.latex[part.end :]
    if after.lstrip().startswith("\\cdot"):
        return part.start, part.end + after.index("\\cdot") + len("\\cdot")
    return part.start, part.end


def _difference(slips: Slips) -> Iterator[Edit]:
    """Exchange the operands of a difference."""
    for node in slips.nodes:
        pair = node.kind == "add" and len(node.parts) == 2 and id(node) not in slips.inside | slips.limits
        if pair and node.parts[1].kind == "minus" and node.parts[0].kind != "minus":
            first, second = node.parts[0], node.parts[1].parts[0]
            yield Edit(node.start, node.end, f"{slips.source(second)} - {slips.source(first)}", "difference")


def _symbol(slips: Slips) -> Iterator[Edit]:
    """Replace a letter by another of the formula with similar scripts."""
    symbols = slips.names_in_formula()
    for node in symbols:
        for other in symbols:
            alike = _class(slips.source(other)) == _class(slips.source(node))
            if alike and other.kind == node.kind and _shape(other) == _shape(node):
                yield Edit(node.start, node.end, slips.source(other), "symbol")


def _part(slips: Slips) -> Iterator[Edit]:
    """Replace a factor, term or argument by another of the formula with the same token classes."""
    groups: dict[Tokens, list[Node]] = {}
    for node in slips.nodes:
        if node.kind not in _HOLDERS or id(node) in slips.inside | slips.limits:
            continue
        for part in node.parts:
            if part.end > part.start and not _is_name(part) and not slips.is_bound(part):
                tokens = option_tokens(slips.source(part))
                groups.setdefault(kinds_of(tokens), []).append(part)
    for parts in groups.values():
        sources = list(dict.fromkeys(map(slips.source, parts)))[:_PARTS]
        for part in parts:
            for source in sources:
                is_bare = part.kind == "number" and _in_fraction(slips, part)
                yield Edit(part.start, part.end, f"{{{source}}}" if is_bare else source, "part")


def _exchange(slips: Slips) -> Iterator[Edit]:
    """Replace a letter, number or label at one place by another of the same use; all places of both are one change."""
    places: dict[str, list[tuple[int, int]]] = {}
    for node in slips.nodes:
        if node.end and _is_exchangeable(node) and not slips.is_in_word(node):
            body = _body(node)
            start = node.start + slips.source(node).rfind(body)
            places.setdefault(node.value, []).append((start, start + len(body)))
    uses = _find_uses(slips)
    bodies = {node.value: _body(node) for node in slips.nodes}
    for old, spans in places.items():
        for new in places:
            if new != old and uses[new] == uses[old] is not None:
                yield from (Edit(start, end, bodies[new], EXCHANGE) for start, end in spans)


def _is_exchangeable(node: Node) -> bool:
    if node.kind == "symbol":
        return _is_letter(node.value)
    return node.kind in ("text", "word") or (node.kind == "number" and node.value.isdigit())


def _body(node: Node) -> str:
    """The text of a letter, number or label, without its font."""
    return node.value.rpartition("{")[2].rstrip("}'") if node.kind == "symbol" else node.value


def _font(node: Node) -> Tokens:
    """The font and accents of a letter; the kind of other nodes."""
    return option_tokens(node.value.rstrip("'"))[:-1] if node.kind == "symbol" else (node.kind,)


def _find_uses(slips: Slips) -> dict[str, tuple[object, ...] | None]:
    """The use of each letter, number and label: font, whether it is called, summed over or a differential, and where.

    None for a letter of a word in an index, such as ``m`` in ``A_{max}``.
    """
    marked: dict[str, set[int]] = {use: set() for use in ("called", "summed", "differential", "word")}
    for node in slips.nodes:
        if node.kind in ("maybe", "apply"):
            marked["called"] |= {id(one) for one in node.parts[0].walk()[:2]}
        elif node.kind == "big":
            lower = node.parts[0]
            marked["summed"] |= {id(one) for one in (lower.parts[0] if lower.kind == "chain" else lower).walk()}
        elif node.kind == "differential":
            marked["differential"] |= {id(one) for one in node.walk()}
        elif node.kind == "derivative" and len(node.parts) > 1:
            marked["differential"] |= {id(one) for one in node.parts[-1].walk()}
        elif node.kind == "mul" and id(node) in slips.inside and len(node.parts) > 2:
            marked["word"] |= {id(part) for part in node.parts}
    nodes: dict[str, list[Node]] = {}
    for node in slips.nodes:
        if node.end and _is_exchangeable(node):
            nodes.setdefault(node.value, []).append(node)
    places = {name: {id(node) for node in own} for name, own in nodes.items()}
    return {
        name: None
        if not marked["word"].isdisjoint(own)
        else (
            _font(nodes[name][0]),
            *(not marked[use].isdisjoint(own) for use in ("called", "summed", "differential")),
            not slips.limits.isdisjoint(own),
            *(where.issuperset(own) for where in (slips.inside, slips.powers)),
        )
        for name, own in places.items()
    }


def _is_name(node: Node) -> bool:
    base = node.parts[0] if node.kind == "scripts" else node
    return base.kind == "symbol" and _is_letter(base.value) and bool(node.end)


def _shape(node: Node) -> tuple[bool, ...]:
    return tuple(part is EMPTY for part in node.parts)


def _accent(slips: Slips) -> Iterator[Edit]:
    """Remove an accent, or add it to a letter without one."""
    marked = [node for node in slips.nodes if node.kind == "accent" and node.parts[0].kind == "symbol"]
    within = {id(node.parts[0]) for node in marked} | slips.powers
    for node in marked:
        yield Edit(node.start, node.end, slips.source(node.parts[0]), "accent")
    accents = list(dict.fromkeys(node.value for node in marked))
    for node in slips.symbols(inside=False):
        if id(node) not in within | slips.limits and len(slips.source(node)) == 1:
            yield from (Edit(node.start, node.end, f"{accent}{{{slips.source(node)}}}", "accent") for accent in accents)


def _argument(slips: Slips) -> Iterator[Edit]:
    """Exchange two adjacent elements of a list."""
    for node in slips.nodes:
        if node.kind == "list" and not slips.is_bound(node):
            for one, other in zip(node.parts, node.parts[1:]):
                if not (_is_name(one) and _is_name(other)):
                    continue
                between = slips.latex[one.end : other.start]
                swapped = slips.source(other) + between + slips.source(one)
                yield Edit(one.start, other.end, swapped, "argument")


def _relation(slips: Slips) -> Iterator[Edit]:
    """Invert an inequality or negate a membership."""
    yield from _rename_letter(slips, _RELATIONS, "relation")


def _bracket(slips: Slips) -> Iterator[Edit]:
    """Remove the brackets around a sum."""
    for node in slips.nodes:
        if node.kind == "mul":
            for part in node.parts:
                if part.kind == "bracket" and part.value == "()" and part.parts[0].kind == "add":
                    yield Edit(part.start, part.end, slips.source(part.parts[0]), "bracket")


#: The rules by kind of error; ``index-order`` is not a default, because matrices may be symmetric.
OPS: dict[str, Callable[[Slips], Iterator[Edit]]] = {
    "sign": _sign,
    "index": _index,
    "bound": _bound_letters,
    "operator": _operator,
    "function": _function,
    "exponent": _exponent,
    "root": _root,
    "constant": _constant,
    "fraction": _fraction,
    "term": _term,
    "factor": _factor,
    "difference": _difference,
    "symbol": _symbol,
    "relation": _relation,
    "bracket": _bracket,
    "accent": _accent,
    "argument": _argument,
    "part": _part,
    EXCHANGE: _exchange,
    SIGNS: _signs,
    "index-order": _index_order,
}
DEFAULT_OPS = frozenset(OPS) - {"index-order"}
