"""Whether two statements may be the same in different notations, so that different values prove nothing.

Probes draw values of unknown objects (sets, functions, intervals, dots) by name, so that two notations of one object,
such as ``[n]`` and ``{1, ..., n}``, also have different values. If each statement has such an object that the other
lacks, or one has it and the other is longer, a difference is not proven.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from scholartools.tasks.equations.certificates import relations
from scholartools.tasks.equations.certificates.canonical import canonical, spell
from scholartools.tasks.equations.certificates.evidence import COMPLEX, all_computed, is_computed
from scholartools.tasks.equations.trees import vocabulary as v
from scholartools.tasks.equations.trees.parser import Tree
from scholartools.tasks.equations.trees.tree import EMPTY, Node

# Functions that probes compute.
_KNOWN = frozenset("exp log ln lg sin cos tan sinh cosh tanh ! !!".split())
_LOGARITHMS = frozenset(["log", "ln", "lg"])
# Pairs of operators that are opposites, or at least never equal in meaning.
_CONTRASTS = [
    frozenset(pair)
    for pair in (
        ("max", "min"), ("sup", "inf"), ("argmax", "argmin"), ("\\max", "\\min"), ("limsup", "liminf"),
        ("\\sum", "\\prod"), ("\\bigcup", "\\bigcap"), ("\\cup", "\\cap"), ("floor", "ceil"),
        ("\\wedge", "\\vee"), ("\\in", "\\notin"), ("det", "tr"),
    )
]  # fmt: skip
# Ordered lists in brackets, and functions whose arguments cannot be exchanged.
_ORDERED = frozenset(["()", "[]", "\\langle\\rangle", "binom"])
# Relations that papers use interchangeably.
_ALIKE = [
    frozenset(names.split())
    for names in (
        "\\approx \\simeq \\cong \\approxeq \\asymp \\sim \\thickapprox \\thicksim \\eqsim \\doteq",
        "= \\in :", "\\subset \\subseteq \\sqsubseteq", "\\supset \\supseteq \\sqsupseteq",
        "\\rightarrow \\Rightarrow \\mapsto \\leadsto \\rightsquigarrow \\hookrightarrow \\twoheadrightarrow "
        "\\rightharpoonup",
        "\\supset \\rightarrow \\Rightarrow",
        "= := : \\equiv \\triangleq \\coloneqq \\coloneq \\colonequals \\doteq \\leftarrow \\Leftrightarrow "
        "\\leftrightarrow \\propto \\mapsto",
        "< \\prec \\ll \\lesssim \\ngeq", "\\leq \\preceq \\lesssim \\prec \\ngtr",
        "> \\succ \\gg \\gtrsim \\nleq", "\\geq \\succeq \\gtrsim \\succ \\nless", "\\models \\vdash",
        "\\leftarrow \\Leftarrow",
    )
]  # fmt: skip
# Relations between values; statements with different ones may also have different sides.
_ORDERS = frozenset("= \\neq < > \\leq \\geq \\approx".split())
_SETS = frozenset("\\in \\ni \\notin \\subset \\subseteq \\supset \\supseteq".split())
# Accents that are operators, and patterns of notation with several meanings.
_ACCENT = re.compile(r"\\(?:bar|d*dot)(?=\{)")
# A number in scientific notation (``1e-3``), in hexadecimal digits (``0x1F``), or with its uncertainty (``5.0(1)``).
_ODD_NUMBER = re.compile(
    r"\d\s*(?:[eE]|\\mathrm\{[eE]\})\s*\{?\s*[-+]?\s*\d|\d\s*\\(?:text|math)[a-z]*\s*\{\s*[eE]\s*(?:[-+]|\d|\}\s*-)|(?<!\d)0[xXbo][\dA-Fa-f]{2}"
    r"|(?<![\d.^_])\d+(?:\.\d+)?\s*(?:\\,)?\s*[(\[]\s*\d+\s*[)\]]"
)
_IN_BRACKETS = (
    r"(?:\\left|\\[bB]igl?)?\(\s*(?:\\[dt]?frac\{[^{}]*\}\{[^{}]*\}|[^()/{}]+/[^()/{}]+)\s*(?:\\right|\\[bB]igr?)?\)\s*"
)
_FRACTION = re.compile(_IN_BRACKETS)
_LEGENDRE = re.compile(rf"(?:^|=|\\equiv)[\s-]*(?:{_IN_BRACKETS})+(?:[.,]?\s*$|=|\\equiv)")
_RANKED = re.compile(r"_\s*\{\s*\(")
_EXTREME = re.compile(r"\\(?:min|max|inf|sup)(?![a-z])")
_MARK = re.compile(r"\^(\W.*|\\.*)$")
_ADJOINT = frozenset(["H", "h", "*", "C", "c"])
# Names of tensors with symmetric indices (Kronecker delta, metrics, distances, covariances, Christoffel symbols), and
# coordinates.
_SYMMETRIC = frozenset("d \\delta g \\eta \\sigma \\Sigma \\rho \\Gamma".split())
_PLACES = frozenset(Node("symbol", name) for name in "xyzt")
_SPELLINGS = frozenset(["\\surd", "\\%", "\\neg", "\\backslash", "\\setminus"])
_SPECIAL = re.compile(
    r"\\(?:cdot|infty|emptyset|ldots|vdots|ddots|top|bot|Re|Im)$|\\math(?:bb|frak)\{|\\math(?:bf|rm)\{\d|\\text"
)
_FONTED = re.compile(
    r"\\(?:mathrm|mathbf|mathit|mathcal|mathbb|mathsf|mathscr|mathfrak|boldsymbol|mathnormal|vec)\{(.*)\}$"
)
_FORMS = {
    "\\triangle": "\\Delta",
    "\\ell": "l",
    "\\hbar": "h",
    "\\imath": "i",
    "\\jmath": "j",
    "\\Re": "R",
    "\\mathds": "\\mathbb",
    **v.UPRIGHT,
}


# A product in an index; the number of an equation before it; letters that may be a name; a product of two vectors.
_DOTTED = re.compile(r"_\s*\{[^{}]*\\cdot(?![A-Za-z])\s*[^\s{}][^{}]*\}")
_NUMBER_OF_EQUATION = (
    r"(?:\\(?:text|mathrm)\s*\{\s*|\{\s*\\(?:rm|bf)(?![A-Za-z])\s*)?[(\[]\s*(?:\\(?:text|mathrm)\s*\{)?"
    r"(?:[\w.]{1,6}|\*|\\ast)\}?\s*[)\]]\s*\}?\s*"
)
_NUMBERED = re.compile(
    rf"^\s*{_NUMBER_OF_EQUATION}(?:(?:\\[;:]|\\q?quad(?![A-Za-z])|\\\s|~)\s*)+"
    rf"|(?:\\(?:q?quad|hfill)(?![A-Za-z])\s*)+{_NUMBER_OF_EQUATION}[.,;]?\s*$"
)
_NAMED = re.compile(
    r"\\(?:math|text|operatorname)[a-z]*\s*\{[^{}]*\}|\\[A-Za-z]+|[\^_]\s*(?:\{[^{}]*\}|[A-Za-z])|(?:d[a-z]){2,}(?![A-Za-z])|([A-Z]{2,}(?![a-z])|[A-Za-z]{4,}"
    r"|(?!d[a-z](?![a-z]))[a-z]{2,3}(?![A-Za-z]))"
)
_SCRIPT = re.compile(r"[\^_]\s*(?:\{[^{}]*\}|\\?[A-Za-z]+)")
_FONT = re.compile(r"\\(?:math|text|operatorname)[a-z]*\*?\s*\{[^{}]*\}")
_ALONE = re.compile(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])")
_DOT_PRODUCT = re.compile(
    r"\\(?:mathbf|boldsymbol|vec|bm)\s*(?:\{[^{}]*\}|\S)\s*(?:[_^]\s*(?:\{[^{}]*\}|\S)\s*)*\\cdot\s*\\(?:mathbf|boldsymbol|vec|bm)"
)
_WORD = re.compile(r"\\mathrm\{\W\}$|[^\W\d_]*[^\\\w^'][^\\]*$|[A-Za-z]{2,}$")  # a word or a sign between words
_OF_MATRICES = re.compile(
    r"\\top|\^\s*\{?\s*(?:T|-|H|\\dagger|\*|')|\\det|tr\b|Tr\b|\\otimes|\\times|\[|\\mathbf|\bI\b"
)
_IN_EITHER_BRACKETS = (
    v.PROBABILITIES
    | frozenset("EVHhID")
    | {f"\\{font}{{{one}}}" for font in ("mathbb", "mathbf", "mathrm") for one in "EPVHID"}
    | {f"\\mathcal{{{one}}}" for one in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
)
# Signs that may be operators beside a number.
_SIGNS_OF_OPERATORS = frozenset(
    "\\uparrow \\downarrow \\Uparrow \\Downarrow \\dagger \\ddagger \\sharp \\flat \\natural \\angle \\measuredangle "
    "\\square \\Box \\Diamond \\lozenge \\triangle \\bigstar \\blacksquare \\blacktriangle \\blacklozenge".split()
)
_SPELLED = re.compile(r"(?<![A-Za-z\\])(a?sinh?|a?cosh?|a?tanh?|cot|log|ln|exp|max|min|sqrt|abs|det|arg)(?![A-Za-z])")


def has_odd_number(latex: str) -> bool:
    """Whether a formula may contain a number in another notation than that of decimals."""
    return bool(_ODD_NUMBER.search(latex))


def spelled_functions(latex: str) -> list[str]:
    """The names of functions that are written with italic letters, as in ``y = exp(x)``."""
    return sorted(_SPELLED.findall(_SCRIPT.sub(" ", _FONT.sub(" ", latex))))


def groups_otherwise(positive: str, alternative: str, trees: Sequence[Tree], *, doubled: bool = False) -> bool:
    """Whether two formulas differ in brackets or separators that may do more than group letters.

    With ``doubled``, only products in an index, double brackets around a letter and those around a binomial coefficient
    count.

    ``((x))`` may be a sawtooth, ``x_{(1)}`` the least of several values, ``N[v]`` a closed neighbourhood, ``K_{m,n}``
    has two indices where ``K_{mn}`` may have one, and two vectors without a dot may be a dyad.
    """
    marks = [Counter(mark for node in tree.statements for mark in _grouping_marks(node)) for tree in trees]
    dotted = [_DOTTED.findall(latex) for latex in (positive, alternative)]
    if doubled:
        return dotted[0] != dotted[1] or any(mark.startswith("sign") for mark in marks[0].keys() ^ marks[1].keys())
    products = [len(_DOT_PRODUCT.findall(latex)) for latex in (positive, alternative)]
    return marks[0] != marks[1] or dotted[0] != dotted[1] or products[0] != products[1]


def _grouping_marks(statement: Node) -> Iterator[str]:
    """Yield double brackets, brackets around a binomial coefficient, brackets and commas in indices, and ``f[x]``."""
    arguments = {id(part) for one in statement.walk() if one.kind in ("apply", "maybe") for part in one.parts}
    for node in statement.walk():
        if node.kind == "bracket" and id(node) in arguments:
            continue
        if node.kind in _MARKS and (mark := _MARKS[node.kind](node)):
            yield mark


def _mark_of_bracket(node: Node) -> str | None:
    """The mark of double brackets, or of brackets around a binomial coefficient."""
    inner = _ungrouped(node.parts[0])
    if inner.kind != "binom" and (inner.kind, inner.value) != ("bracket", node.value):
        return None
    within = _ungrouped(inner.parts[0]) if inner.kind == "bracket" else inner
    return f"{'sign' if within.kind in ('symbol', 'binom') else 'double'} {node.value}"


def _mark_of_index(node: Node) -> str | None:
    """The mark of brackets or commas in the index of a letter."""
    index = _ungrouped(node.parts[1])
    is_marked = _ungrouped(node.parts[0]).kind in ("symbol", "accent") and index.kind in ("bracket", "list")
    return f"index {index.kind} {index.value}" if is_marked else None


def _mark_of_call(node: Node) -> str | None:
    """The mark of square brackets behind a letter, unless its argument may be in either brackets."""
    name = _ungrouped(node.parts[0])
    is_marked = name.kind == "symbol" and name.value not in _IN_EITHER_BRACKETS
    is_square = any(part.kind == "bracket" and part.value == "[]" for part in node.parts)
    return f"{name.value} []" if is_marked and is_square else None


_MARKS = {"bracket": _mark_of_bracket, "scripts": _mark_of_index, "maybe": _mark_of_call}


def _ungrouped(node: Node) -> Node:
    while node.kind == "group":
        node = node.parts[0]
    return node


def rewrite(positive: str, alternative: str) -> Iterator[tuple[tuple[str, str], str, tuple[str, ...]]]:
    """Yield two formulas in another reading of their LaTeX, its reason, and the verdicts or methods that it concerns.

    A number in brackets before a formula may be the number of the equation. Adjacent letters may be one name, which
    cannot be solved for one of its letters, if they are capital letters (``TP``), or four letters, or stand so twice;
    signs of matrices, or all of the letters beside others (``2PR / (P + R)``), show that they are a product.
    """
    both = positive, alternative
    plain = _NUMBERED.sub("", positive), _NUMBERED.sub("", alternative)
    if plain != both:
        yield plain, "a number in brackets may be the number of the equation", ("different",)
    names = set().union(*map(_names_of_letters, both))
    one, other = (_NAMED.sub(lambda run: f"\\mathrm{{{run[1]}}}" if run[1] in names else run[0], it) for it in both)
    if (one, other) != both:
        verdicts = ("solve",) if any(map(_OF_MATRICES.search, both)) else ("same", "solve")
        yield (one, other), "adjacent letters may be one name", verdicts


def _names_of_letters(latex: str) -> set[str]:
    """Adjacent letters that may be one name."""
    counts = Counter(run[1] for run in _NAMED.finditer(latex) if run[1])
    alone = set(_ALONE.findall(_SCRIPT.sub(" ", latex)))
    found = (name for name, n_times in counts.items() if n_times > 1 or len(name) > 3 or name.isupper())
    return {name for name in found if not alone >= set(name)}


def may_be_written_in_brackets(first: str, second: str) -> bool:
    """Whether brackets of one formula may denote a floor or an order statistic that the other writes otherwise."""
    for one, other in ((first, second), (second, first)):
        is_floor = "[" in one and "\\lfloor" not in one and "\\lfloor" in other
        is_ordered = bool(_RANKED.search(one)) and not _RANKED.search(other) and bool(_EXTREME.search(other))
        if is_floor or is_ordered:
            return True
    return False


def find_legendre(latex: str) -> list[str]:
    """Fractions in brackets that may be Legendre symbols, if a side of the formula consists only of such fractions."""
    return sorted("".join(one.split()) for one in _FRACTION.findall(latex)) if _LEGENDRE.search(latex) else []


def may_be_alike(names: tuple[str, str]) -> bool:
    """Whether two relations may be interchangeable; a relation built of several signs may be any."""
    one, other = names
    is_built = "\\mathrel" in one + other or any(map(_SIGNS.match, {*names} - v.DEFINITIONS))
    return one == other or is_built or any(one in group and other in group for group in _ALIKE)


_SIGNS = re.compile(r"(?!\\not)(?:\\[A-Za-z]+(?![A-Za-z])|[^\\])(?!$)")  # several adjacent signs: <=


def may_say_the_same(first: Node, second: Node) -> str | None:
    """Why two statements with different values may have the same meaning; None if no reason is known."""
    one, other = canonical(first), canonical(second)
    if _relations_doubt(one, other):
        return "the relations may be two ways to write one"
    if one.kind == other.kind == "symbol":
        return "a letter alone says nothing"
    calls = [part for part in (*one.walk(), *other.walk()) if part.kind == "call" and part.value in _KNOWN]
    if any(len(call.parts) > 2 for call in calls):
        return "a function of one argument stands with several"
    hidden = [Counter(_implicit_variables([node], indefinite=False)) for node in (first, second)]
    if hidden[0] != hidden[1]:
        return "what is integrated does not show its variable, which may be a distribution"
    if _powers_of_d(one) != _powers_of_d(other):
        return "a power of the sign of a differential tells over how many variables is integrated"
    if _count_remarks(one) != _count_remarks(other):
        return "words or signs may be a remark, a unit, or the end of a proof"
    if _count_marked(one) != _count_marked(other):
        return "a superscript in brackets may be a power, a derivative or a rising factorial"
    if _scales_a_distribution(one, other) or _spells_components(one, other) or _spells_components(other, one):
        return "one may spell out what the other says"
    if _writes_in_another_font(one, other) or _spells_a_name_otherwise(one, other):
        return "a letter may only be written in another way"
    if _moves_scripts(one, other):
        return "an index may only be written above"
    if spell(_without_order(one)) == spell(_without_order(other)):
        return "only the order of arguments or of elements differs"
    is_transposed = _has_transpose(first) and _has_transpose(second)
    is_scaled = _determinants([first], factors=False) == _determinants([second], factors=False)
    if (is_transposed or is_scaled) and _determinants([first]) != _determinants([second]):
        return _DETERMINANTS
    if _turns_commutator(one, other):
        return "a commutator may be turned round"
    if _differ_in_notation(one, other) or _joins_letters(one, other) or _joins_letters(other, one):
        return "notations differ that may mean the same"
    return None


def _powers_of_d(node: Node) -> Counter[Node]:
    """The factors that stand for powers of the sign of a differential, as in ``d^3 x``."""
    return Counter(one for one in node.walk() if one.kind == "symbol" and one.value == "d^")


def _count_remarks(node: Node) -> int:
    """The number of names with blanks or punctuation, and of signs that are no letters: ``y = x \\; \\square``."""
    named = (one.value for one in node.walk() if one.kind in ("symbol", "call"))
    return sum(name in _REMARKS or bool(_REMARK.match(name)) for name in named)


_REMARKS = frozenset("\\square \\Box \\blacksquare \\lozenge \\blacklozenge \\checkmark \\% \\& \\#".split())
_REMARK = re.compile(r"\\mathrm\{\W+\}$|-+$|\w[^\\^']*[^\w\\^'/-]")


def _count_marked(node: Node) -> int:
    """The number of superscripts in brackets on bases other than letters, as in ``(f g)^{(n)}``."""
    return sum(one.kind == "call" and one.value == "^bracket" for one in node.walk())


def may_differ(first: Sequence[Node], second: Sequence[Node]) -> str | None:
    """Why two formulas with the same values may differ; None if no reason is known.

    In ``\\int B dS`` the letter ``B`` depends on ``S``, so that another variable is not a mere renaming.
    """
    if Counter(_implicit_variables(first)) != Counter(_implicit_variables(second)):
        return "what is integrated does not show its variable, which has another name"
    if Counter(_special_integrals(first)) != Counter(_special_integrals(second)):
        return "an integral around a whole curve or surface, or a mean, stands for a plain one"
    if Counter(_signs_of_dimension(first)) != Counter(_signs_of_dimension(second)):
        return "the sign alone tells over how many variables is integrated"
    if _absolute_values(first) != _absolute_values(second):
        return "the absolute value of a letter that may be complex stands in one only"
    if _determinants(first) != _determinants(second):
        return _DETERMINANTS
    if Counter(_operators_on_numbers(first)) != Counter(_operators_on_numbers(second)):
        return "a sign beside a number may be an operator"
    return None


def _operators_on_numbers(statements: Sequence[Node]) -> Iterator[Node]:
    """Products of numbers with signs or words that may be operators or relations: ``x \\downarrow 0``, ``1 of 2``."""
    for one in (one for statement in statements for one in statement.walk() if one.kind == "mul"):
        signs = [part.value in _SIGNS_OF_OPERATORS for part in one.parts]
        words = [part.kind == "symbol" and bool(_WORD.match(part.value)) for part in one.parts]
        numbers = [all(leaf.kind in ("number", "list") for leaf in part.walk() if not leaf.parts) for part in one.parts]
        if (any(signs) and any(numbers)) or (any(words) and any(numbers[words.index(True) :])):
            yield one


_DETERMINANTS = "bars may take a determinant"
_MATRIX = re.compile(
    r"(\\(?:mathbf|boldsymbol|mathrm|mathbb)\{)?([A-Z]|\\(?:Sigma|Lambda|Omega|Gamma|Phi|Psi))\}?(\^.*)?$"
)


def _determinants(statements: Iterable[Node], *, factors: bool = True) -> Counter[str]:
    """Count the expressions between bars that may be matrices, by their capital or bold letters.

    Args:
        factors: whether an expression and its multiples by a number are told apart.
    """
    found: Counter[str] = Counter()
    for statement in statements:
        for one in statement.walk():
            if one.kind == "call" and one.value == "abs" and _may_be_matrix(one.parts[-1]):
                found[spell(canonical(one.parts[-1])) if factors else _spell_without_factors(one.parts[-1])] += 1
    return found


def _spell_without_factors(node: Node) -> str:
    """A matrix as text, without its sign and the factors that are numbers."""
    while node.kind == "neg":
        node = node.parts[0]
    if node.kind == "mul":
        matrices = tuple(part for part in node.parts if _may_be_matrix(part))
        node = matrices[0] if len(matrices) == 1 else Node("mul", "", matrices)
    return min(spell(canonical(way)) for way in (node, Node("neg", "", (node,))))


def _may_be_matrix(node: Node) -> bool:
    """Whether a node is algebra of numbers and letters, some of which commonly are matrices."""
    letters = [one for one in node.walk() if one.kind == "symbol" and not one.parts]
    is_plain = all(one.kind in _MATRIX_KINDS for one in node.walk())
    return is_plain and any(_MATRIX.match(one.value) for one in letters)


_MATRIX_KINDS = frozenset("symbol number add mul neg div pow transpose".split())


def _absolute_values(statements: Sequence[Node]) -> int:
    """The number of absolute values with a letter that is commonly complex, whose square need not be positive."""
    calls = (one for statement in statements for one in statement.walk() if one.kind == "call" and one.value == "abs")
    return sum(any(part.value in COMPLEX for part in call.walk()) for call in calls)


def _signs_of_dimension(statements: Sequence[Node]) -> Iterator[str]:
    """The signs of multiple integrals with fewer differentials than variables: ``\\iiint f dV``."""
    nodes = (one for statement in statements for one in statement.walk() if one.kind == "bind")
    yield from (one.value for one in nodes if len(one.parts[4:]) < v.SEVERAL_INTEGRALS.get(one.value, 0))


def _special_integrals(statements: Sequence[Node]) -> Iterator[str]:
    """The signs of contour, surface and mean integrals."""
    nodes = (one for statement in statements for one in statement.walk() if one.kind == "bind")
    yield from (one.value for one in nodes if one.value in v.SPECIAL_INTEGRALS)


def _implicit_variables(statements: Sequence[Node], *, indefinite: bool = True) -> Iterator[str]:
    """The variables of indefinite integrals (if wanted), and of integrals whose integrand does not contain them.

    ``\\int x dx`` is a function of ``x`` and not of ``t``.
    """
    for statement in statements:
        for one in statement.walk():
            if one.kind == "bind" and one.value in v.INTEGRALS:
                within = set(one.parts[3].walk())
                if indefinite and one.parts[:3] == (EMPTY, EMPTY, EMPTY):
                    yield from map(spell, one.parts[4:])
                elif any(part.kind == "symbol" for part in within):
                    yield from (spell(variable) for variable in one.parts[4:] if variable not in within)


def _relations_doubt(first: Node, second: Node) -> bool:
    """Whether the statements differ in relations other than comparisons of values."""
    if first.kind != "relation" or second.kind != "relation":
        return False
    names = set(first.value.split(" ")) ^ set(second.value.split(" "))
    return not names <= _ORDERS


def _differ_in_notation(first: Node, second: Node) -> bool:
    if _n_told_sets(first) != _n_told_sets(second):
        return True
    heads = [Counter(_heads(node)) for node in (first, second)]
    if _show_all([first, second]):
        shown = _CALCULUS if all_computed([first, second]) else _BINDING
        heads = [Counter({head: count for head, count in one.items() if not shown & {head, head[:1]}}) for one in heads]
    left, right = heads[0] - heads[1], heads[1] - heads[0]
    if not left and not right:
        return False
    if left and right:
        return not _are_contrasts(left, right) or _signs(first) != _signs(second)
    if all(kind == "mark" for kind, *_ in (*left, *right)):
        return False
    longer, shorter = (first, second) if left else (second, first)
    if _membership(longer) != _membership(shorter) or _leaves_arguments_out(longer, shorter):
        return True
    if _writes_numbers_otherwise(longer, shorter) or ("spelling", "index") in (*left, *right):
        return True
    return _n_leaves(longer) <= _n_leaves(shorter)


_BINDING: frozenset[tuple[str, ...]] = frozenset([("bind",)])
_CALCULUS = _BINDING | {("derivative",), ("mark", "'")}


def _n_told_sets(node: Node) -> int:
    """The number of sets that are defined by a condition."""
    sets = (one for one in node.walk() if one.kind == "call" and one.value == "\\{\\}")
    return sum(any(part.kind == "relation" or part.value == "|" for part in one.parts[1:]) for one in sets)


def _show_all(nodes: Sequence[Node]) -> bool:
    """Whether two statements have the same letters and only operators that probes compute."""
    letters = []
    for node in nodes:
        bound = {part for one in node.walk() if one.kind == "bind" for part in one.parts[4:]}
        letters.append({one.value for one in node.walk() if one.kind == "symbol" and one not in bound})
        for one in node.walk():
            if one.kind == "bind" and not is_computed(one):
                ends = all(end is not EMPTY and v.ENDLESS not in spell(end) for end in one.parts[:2])
                if one.value not in ("\\sum", "\\prod") or not ends or one.parts[2] is not EMPTY:
                    return False
    return letters[0] == letters[1]


def _writes_numbers_otherwise(longer: Node, shorter: Node) -> bool:
    """Whether a percentage may be written as a fraction, or a logarithm with another base."""
    counts = [Counter(_number_names(node)) for node in (longer, shorter)]
    lost, new = counts[0] - counts[1], counts[1] - counts[0]
    is_share = "\\%" in lost and any(name.startswith("number") for name in new)
    return is_share or all(any(name.startswith("log") for name in names) for names in (lost, new))


def _number_names(node: Node) -> Iterator[str]:
    """Yield numbers, per cent signs and logarithms."""
    for one in node.walk():
        if one.kind == "number":
            yield f"number {one.value}"
        elif one.kind == "call" and one.value in _LOGARITHMS:
            base = spell(one.parts[0]) if one.parts[0].parts else "lg" if one.value == "lg" else ""
            yield f"log {base}"
        elif one.value == "\\%":
            yield one.value


def _membership(node: Node) -> Counter[str]:
    """Count the set memberships and inclusions, in which brackets may be a matter of notation."""
    said = (one for one in node.walk() if one.kind == "relation" and _SETS & set(one.value.split(" ")))
    return Counter(map(spell, said))


def _leaves_arguments_out(longer: Node, shorter: Node) -> bool:
    """Whether a function has its argument in one statement, and none in the other."""
    called = {one.value for one in longer.walk() if one.kind == "call" and is_named_by_paper(one.value)}
    alone = [{one.value for one in node.walk() if one.kind == "symbol"} for node in (longer, shorter)]
    is_laplacian = "\\Delta" in alone[1] - alone[0] and any(one.value == "\\nabla" for one in longer.walk())
    return is_laplacian or bool(called & (alone[1] - alone[0]))


def _scales_a_distribution(first: Node, second: Node) -> bool:
    """Whether a distribution is a call in one statement, and a product or sum in the other; or both have a sum.

    A sum beside the sign of a distribution may be the terms of a regression: ``y \\sim 1 + x`` may be ``y \\sim x``.
    """
    drawn = [node for node in (first, second) if node.kind == "relation" and node.value == "\\sim"]
    kinds = [sorted(part.kind for part in node.parts) for node in drawn]
    return len(kinds) == 2 and (kinds[0] != kinds[1] or "add" in kinds[0])


def _spells_components(first: Node, second: Node) -> bool:
    """Whether at least two letters have no indices in one statement, and always indices in the other."""
    bare: set[str] = set()
    indexed: set[str] = set()
    for node, wanted in ((first, False), (second, True)):
        symbols = [one for one in node.walk() if one.kind == "symbol" and one.value[-1:].isalpha()]
        found = {one.value for one in symbols if bool(one.parts) == wanted}
        found -= {one.value for one in symbols if bool(one.parts) != wanted}
        (indexed if wanted else bare).update(found)
    return len(bare & indexed) > 1


def _joins_letters(first: Node, second: Node) -> bool:
    """Whether factors of one statement are the index of a function in the other: ``KL(p)`` and ``D_{KL}(p)``."""
    indices = [
        {
            part.value
            for one in node.walk()
            if one.kind == "call" and _is_letter(one.value)
            for part in one.parts[0].walk()
        }
        for node in (first, second)
    ]
    factors = [
        {part.value for one in node.walk() if one.kind == "mul" for part in one.parts} for node in (first, second)
    ]
    return bool((indices[1] - indices[0]) & (factors[0] - factors[1]))


def _are_contrasts(left: Counter[tuple[str, ...]], right: Counter[tuple[str, ...]]) -> bool:
    """Whether the differing parts can be paired so that their names are contrasts and they are equal otherwise."""
    ones, others = list(left.elements()), list(right.elements())
    if len(ones) != len(others):
        return False
    for one in ones:
        match = next((other for other in others if _is_contrast(one, other)), None)
        if match is None:
            return False
        others.remove(match)
    return True


def _is_contrast(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return one[0] == other[0] and one[2:] == other[2:] and frozenset([one[1], other[1]]) in _CONTRASTS


def _signs(node: Node) -> int:
    """The number of negative numbers in a canonical node."""
    return sum(one.kind == "number" and one.value.startswith("-") for one in node.walk())


def _heads(node: Node) -> Iterator[tuple[str, ...]]:
    """Yield kind, name and shape of each node that probes do not compute, except the outermost relation."""
    for one in node.walk():
        if one is node and one.kind == "relation":
            continue
        if one.kind == "call":
            yield from _call_heads(one)
        elif one.kind == "bind":
            given = "".join("-" if part is EMPTY else "+" for part in one.parts[:3])
            yield "bind", one.value, given, str(len(one.parts) - 4)
        elif one.kind == "derivative" and is_computed(one):
            yield one.kind, one.value
        elif one.kind in ("tuple", "derivative"):
            yield one.kind, one.value, str(len(one.parts))
        elif one.kind in ("binary", "transpose", "signed", "words", "relation"):
            yield one.kind, one.value
        elif one.kind == "symbol":
            yield from _symbol_heads(one)
        elif one.kind == "pow" and one.parts[1].value in _ADJOINT:
            yield "mark", one.parts[1].value


def _call_heads(node: Node) -> Iterator[tuple[str, ...]]:
    n_indices, n_arguments = len(node.parts[0].parts), len(node.parts) - 1
    if node.value == "index":
        yield "spelling", node.value
    if node.value in _KNOWN and not n_indices and n_arguments == 1:
        return
    plain = node.value.rstrip("'")
    if plain != node.value and _is_letter(plain):
        yield "mark", "'"
    name = "a letter" if _is_letter(plain) else node.value
    yield "call", name, str(n_arguments), *([] if name == "a letter" else [str(n_indices)])


def _symbol_heads(node: Node) -> Iterator[tuple[str, ...]]:
    """Yield the notation of a letter: special symbols, accents that are operators, marks."""
    accent = _ACCENT.match(node.value)
    if accent:
        yield "accent", accent[0]
    elif _SPECIAL.match(node.value):
        yield "symbol", node.value, str(len(node.parts))
    elif node.value in _SPELLINGS:
        yield "symbol", node.value
    if node.value.endswith("'"):
        yield "mark", "'"
    if mark := _MARK.search(node.value):
        yield "mark", mark[1]
    if node.value.endswith("^bracket"):
        yield "symbol", "with an index in brackets"
    yield from (("mark", part.value) for part in node.parts if part.value in ("+", "-", "*"))


def _is_letter(name: str) -> bool:
    """Whether the name of a function is a single letter, as for functions that a paper defines."""
    if len(name) == 1:
        return name.isalpha()
    fonted = _FONTED.match(name)
    if fonted:
        return not name.startswith("\\mathbb") and _is_letter(fonted[1])
    return name in v.LETTERS and name.removeprefix("\\") in v.GREEK.split()


def _n_leaves(node: Node) -> int:
    """The number of letters, numbers and names of functions in a node."""
    inner = sum(_n_leaves(part) for part in node.parts)
    is_call = node.kind == "call" and node.value not in _ORDERED | {"\\{\\}"}
    is_leaf = is_call or node.kind in ("symbol", "number", "transpose") or (node.kind == "bind" and bool(node.value))
    return inner + is_leaf


def _letters(node: Node) -> set[tuple[str, bool]]:
    """The letters and functions, each with a flag for indices."""
    found = {(one.value, bool(one.parts)) for one in node.walk() if one.kind == "symbol"}
    called = (one for one in node.walk() if one.kind == "call" and _is_letter(one.value))
    return found | {(one.value, bool(one.parts[0].parts)) for one in called}


def _writes_in_another_font(first: Node, second: Node) -> bool:
    """Whether letters that only one statement has are the same letter in two fonts or forms."""
    left, right = _letters(first), _letters(second)
    new, gone = right - left, left - right
    return bool(
        {(_plain(name), is_indexed) for name, is_indexed in new}
        & {(_plain(name), is_indexed) for name, is_indexed in gone}
    )


_FUNCTIONS = frozenset(name[1:] for name in v.FUNCTIONS | v.LIMIT_FUNCTIONS) | {"norm", "abs", "index", "apply", "at"}


def is_named_by_paper(name: str) -> bool:
    """Whether the name of a function consists of letters or digits and is not a standard function."""
    return name not in _FUNCTIONS and (_is_letter(name) or name.replace("-", "").isalnum())


def _spells_a_name_otherwise(first: Node, second: Node) -> bool:
    """Whether names that only one statement has are spelled alike: ``F_1`` and ``F1``, ``p_X(x)`` and ``p(x)``.

    Letters that also occur with other indices are distinguished by their indices, and do not count.
    """
    names = _names(first), _names(second)
    lost, new = names[0].keys() - names[1].keys(), names[1].keys() - names[0].keys()
    if any(names[0][one] == names[1][other] for one in lost for other in new):
        return True
    words = [{spelled for name, spelled in one.items() if len(name.value) > 1 and not name.parts} for one in names]
    if any(_joins(word, second) for word in words[0] - words[1]) or any(
        _joins(word, first) for word in words[1] - words[0]
    ):
        return True
    ways = {
        bool(one.parts)
        for one in lost
        for other in new
        if bool(one.parts) != bool(other.parts)
        and _starts_alike(names[0][one], names[1][other])
        and _is_only(one, names[0])
        and _is_only(other, names[1])
    }
    return len(ways) == 1  # if one letter gains an index and another loses one, the index has moved


def _joins(word: str, node: Node) -> bool:
    """Whether the letters of a name are adjacent factors."""
    products = (one for one in node.walk() if one.kind == "mul")
    return len(word) > 1 and any(word in _factors_in_small_letters(one) for one in products)


def _factors_in_small_letters(node: Node) -> str:
    """The letters of a product in lower case, with a blank for each other factor."""
    plain = (_in_small_letters(one) if one.kind == "symbol" else " " for one in node.parts)
    return "".join(one if len(one) == 1 else " " for one in plain)


def _starts_alike(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)


def _is_only(name: Node, names: Iterable[Node]) -> bool:
    """Whether a letter occurs among the names with these indices only."""
    return not any(one.value == name.value and one != name for one in names)


def _names(node: Node) -> dict[Node, str]:
    """Names with their indices, mapped to their lower-case letters and digits."""
    found = {}
    for one in node.walk():
        if one.kind == "call" and is_named_by_paper(one.value):
            one = Node("symbol", one.value, one.parts[0].parts)
        if one.kind == "symbol" and (plain := _in_small_letters(one)):
            found[one] = plain
    return found


def _in_small_letters(node: Node) -> str:
    """A letter and its indices as one lower-case text."""
    names = (
        one.value.replace("-", "minus") if one.kind == "number" else _plain(one.value)
        for one in node.walk()
        if one.kind in ("symbol", "number")
    )
    return "".join(part for name in names for part in name if part.isalnum() or part in "^*'").casefold()


def _moves_scripts(first: Node, second: Node) -> bool:
    """Whether an index of a letter is its exponent in the other statement: ``x_{k+1}`` and ``x^{k+1}``."""
    indexed, raised = zip(*(_scripts_of(node) for node in (first, second)))
    return bool(
        (indexed[0] - indexed[1]) & (raised[1] - raised[0]) or (indexed[1] - indexed[0]) & (raised[0] - raised[1])
    )


def _scripts_of(node: Node) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Letters with a single index, and letters without indices with their exponent."""
    indexed = {(one.value, spell(one.parts[0])) for one in node.walk() if one.kind == "symbol" and len(one.parts) == 1}
    raised = {
        (one.parts[0].value, spell(one.parts[1]))
        for one in node.walk()
        if one.kind == "pow" and one.parts[0].kind == "symbol" and not one.parts[0].parts
    }
    return indexed, raised


def _plain(name: str) -> str:
    """A letter without its font, in its plain form."""
    while fonted := _FONTED.match(name):
        name = fonted[1]
    if name in ("P", "\\Pr"):
        return "p"
    return _FORMS.get(name, name.replace("\\var", "\\") if name.startswith("\\var") else name)


def _without_order(node: Node) -> Node:
    """Sort the arguments of functions, elements, conditions and rows of cases.

    Sides of relations are sorted as well, unless the relation is known to be asymmetric.
    """
    if not node.parts:
        return node
    parts = [_without_order(part) for part in node.parts]
    if node.kind == "call" and node.value == "\\{\\}":
        parts = [one for part in parts for one in _conditions_apart(part)]
        parts = [part if part.value != "," else _sort_parts(part, 0) for part in parts]
    if node.kind == "call":
        head = _sort_parts(parts[0], 0) if len(parts[0].parts) == len(parts) - 1 else parts[0]
        parts = [head, *_order_conditions(parts[1:])]
    made = Node(node.kind, node.value, tuple(parts))
    if node.kind == "relation" and not any(map(relations.is_one_way, node.value.split(" "))):
        return _sort_parts(made, 0)
    if node.kind == "symbol" and (node.value in _SYMMETRIC or _PLACES.issuperset(node.parts)):
        return Node(made.kind, made.value, tuple(sorted(_spell_indices(parts), key=spell)))
    is_pair = node.value == "()" and len(parts) == 3  # a divisor or an inner product
    has_no_order = is_pair or (node.value not in v.GRIDS and node.value not in _ORDERED)
    return _sort_parts(made, 1) if node.kind == "call" and has_no_order else made


def _spell_indices(parts: list[Node]) -> list[Node]:
    """Split indices into single digits: 12 is two indices."""
    return [
        Node("symbol", figure) if part.kind == "number" else part
        for part in parts
        for figure in (part.value if part.kind == "number" else "x")
    ]


def _conditions_apart(part: Node) -> tuple[Node, ...]:
    """The part of a set before a colon, and its condition."""
    if part.kind != "relation" or not part.value.endswith(" :"):
        return (part,)
    return Node("relation", part.value.removesuffix(" :"), part.parts[:-1]), part.parts[-1]


def _order_conditions(arguments: list[Node]) -> list[Node]:
    """Sort the arguments of ``I(x; y, z | w)`` before the bar and after it."""
    if arguments and arguments[0].kind == "symbol" and ";" in arguments[0].value:
        arguments = arguments[1:]  # the separators
    bars = [place for place, one in enumerate(arguments) if one.kind == "tuple" and one.value == "|"]
    if len(bars) != 1 or len(arguments[bars[0]].parts) != 2:
        return arguments
    before, after = arguments[bars[0]].parts
    sides = [*arguments[: bars[0]], before], [after, *arguments[bars[0] + 1 :]]
    return [Node("tuple", "|", tuple(Node("tuple", ",", tuple(sorted(side, key=spell))) for side in sides))]


def _turns_commutator(first: Node, second: Node) -> bool:
    """Whether two statements differ only by signs and by the order in commutators."""
    return spell(_without_signs(first)) == spell(_without_signs(second))


def _without_signs(node: Node) -> Node:
    """Remove signs of factors of commutators, and sort the arguments of commutators, terms and symmetric sides."""
    parts = [_without_signs(part) for part in node.parts]
    if node.kind == "mul" and any(map(_is_commutator, parts)):
        parts = [Node(part.kind, part.value.removeprefix("-"), part.parts) for part in parts]
        parts = [part for part in parts if part != Node("number", "1")]
        if len(parts) == 1:
            return parts[0]
    if node.kind == "add" or (node.kind == "relation" and relations.is_symmetric(node.value)):
        parts.sort(key=spell)
    made = Node(node.kind, node.value, tuple(parts))
    return _sort_parts(made, 1) if _is_commutator(made) else made


def _has_transpose(node: Node) -> bool:
    return any(one.kind == "transpose" for one in node.walk())


def _is_commutator(node: Node) -> bool:
    return node.kind == "call" and node.value in ("[]", "\\{\\}") and len(node.parts) == 3


def _sort_parts(node: Node, first: int) -> Node:
    """Sort the parts of a node from index ``first`` on."""
    return Node(node.kind, node.value, (*node.parts[:first], *sorted(node.parts[first:], key=spell)))
