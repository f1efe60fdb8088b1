"""Printed form of accents, symbols and formulas, from pylatexenc's tables and additions for what these lack."""

from __future__ import annotations

import functools
import re
import unicodedata
from typing import Any

# Input ligatures of TeX's fonts.
LIGATURES = {"---": "—", "--": "–", "``": "“", "''": "”", "`": "‘", "'": "’", "!`": "¡", "?`": "¿", "~": " ", "&": " "}

ACCENTS = {
    "\\'": "\u0301",
    "\\`": "\u0300",
    "\\^": "\u0302",
    '\\"': "\u0308",
    "\\~": "\u0303",
    "\\=": "\u0304",
    "\\.": "\u0307",
    "\\u": "\u0306",
    "\\v": "\u030c",
    "\\H": "\u030b",
    "\\c": "\u0327",
    "\\k": "\u0328",
    "\\d": "\u0323",
    "\\b": "\u0331",
    "\\r": "\u030a",
}
_SPACING = {"\\'": "´", "\\`": "`", "\\^": "^", '\\"': "¨", "\\~": "~", "\\=": "¯", "\\.": "˙"}
_DOTLESS = {"ı": "i", "ȷ": "j"}

# White space and characters that a backslash makes plain; names of programs; abbreviations that styles define.
_OWN = {
    **{f"\\{char}": char for char in "%&#$_{}"},
    **dict.fromkeys(
        (
            "\\  \\, \\; \\: \\> \\quad \\qquad \\enspace \\enskip \\thinspace \\medspace \\thickspace \\space "
            "\\nobreakspace \\newline \\linebreak \\\\ \\tabularnewline \\hfill \\hfil \\cr \\tab"
        ).split(),
        " ",
    ),
    "\\ ": " ",
    **dict.fromkeys(("\\-", "\\/", "\\@", "\\!", "\\*", "\\|", "\\(", "\\)"), ""),
    "\\slash": "/",
    "\\S": "§",
    "\\P": "¶",
    "\\dag": "†",
    "\\ddag": "‡",
    "\\copyright": "©",
    "\\textregistered": "®",
    "\\texttrademark": "™",
    "\\pounds": "£",
    "\\euro": "€",
    "\\EUR": "€",
    "\\ldots": "…",
    "\\dots": "…",
    "\\dotsc": "…",
    "\\textellipsis": "…",
    "\\TeX": "TeX",
    "\\LaTeX": "LaTeX",
    "\\LaTeXe": "LaTeX2e",
    "\\BibTeX": "BibTeX",
    "\\bibtex": "BibTeX",
    "\\eg": "e.g.",
    "\\Eg": "E.g.",
    "\\ie": "i.e.",
    "\\Ie": "I.e.",
    "\\etc": "etc.",
    "\\etal": "et al.",
    "\\cf": "cf.",
    "\\vs": "vs.",
    "\\wrt": "w.r.t.",
    "\\aka": "a.k.a.",
    "\\textbar": "|",
    "\\textless": "<",
    "\\textgreater": ">",
    "\\textasciitilde": "~",
    "\\textasciicircum": "^",
    "\\textunderscore": "_",
    "\\textbackslash": "\\",
    "\\textquotesingle": "'",
    "\\textquotedbl": '"',
    "\\textbullet": "•",
    "\\textperiodcentered": "·",
    "\\lq": "‘",
    "\\rq": "’",
    "\\glqq": "„",
    "\\grqq": "“",
    "\\flqq": "«",
    "\\frqq": "»",
    "\\og": "«",
    "\\fg": "»",
    "\\No": "N°",
    "\\lbrack": "[",
    "\\rbrack": "]",
    "\\lbrace": "{",
    "\\rbrace": "}",
    "\\hyp": "-",
    "\\cmark": "✓",
    "\\xmark": "✗",
    "\\textsterling": "£",
    **dict(zip("\\degree \\celsius \\micro \\ohm \\percent".split(), "° °C µ Ω %".split())),
    "\\ackname": "Acknowledgments",
    "\\discintname": "Disclosure of Interests",
    "\\abstractname": "Abstract",
    "\\refname": "References",
    "\\bibname": "Bibliography",
}
UNITS = {
    **dict(zip("\\metre \\meter \\gram \\second \\hertz \\watt \\joule \\volt".split(), "m m g s Hz W J V".split())),
    **dict(zip("\\newton \\pascal \\ampere \\mole \\ohm \\tesla \\electronvolt".split(), "N Pa A mol Ω T eV".split())),
    **dict(zip("\\byte \\bit \\kilo \\mega \\giga \\tera \\milli \\micro".split(), "B bit k M G T m µ".split())),
    **dict(zip("\\nano \\pico \\femto \\centi \\deci \\litre \\liter".split(), "n p f c d L L".split())),
    **dict(zip("\\percent \\degree \\celsius \\degreeCelsius \\kelvin".split(), "% ° °C °C K".split())),
    **dict(zip("\\hour \\minute \\day \\decibel \\angstrom \\radian".split(), "h min d dB Å rad".split())),
    "\\per": "/",
    "\\squared": "²",
    "\\cubed": "³",
}  # fmt: skip


def printed_symbol(name: str) -> str | None:
    """The text printed by a control sequence without arguments; None if unknown."""
    found = _OWN.get(name)
    return found if found is not None else _symbol_table().get(name)


def put_accent(letter: str, accent: str) -> str:
    """Put an accent on the first character of a text."""
    base = _DOTLESS.get(letter[0], letter[0])
    return unicodedata.normalize("NFC", base + accent) + letter[1:]


def spacing_accent(command: str) -> str:
    """The text printed by an accent command without a letter."""
    return _SPACING.get(command, "")


@functools.cache
def _symbol_table() -> dict[str, str]:
    from pylatexenc.latex2text import get_default_latex_context_db

    specs = ((spec.macroname, spec.simplify_repl) for spec in get_default_latex_context_db().iter_macro_specs())
    return {f"\\{name}": text for name, text in specs if isinstance(text, str) and text.strip() and "%" not in text}


@functools.cache
def _math_tables() -> tuple[Any, Any]:
    """pylatexenc's tables for parsing and printing, cached since it otherwise rebuilds them for each formula."""
    from pylatexenc import latex2text, latexwalker

    return latexwalker.get_default_latex_context_db(), latex2text.get_default_latex_context_db()


_FORMULA_PART = re.compile(r"\\(?P<name>[A-Za-z]+)(?P<gap> *)|(?P<brace>[{}])|(?P<signs>[^\\{}$%&~\n]+)")
_LIGATURE = re.compile(r"--|''|``|[!?]`")


@functools.cache
def _printed_in_math(name: str) -> str | None:
    """The text that pylatexenc prints for a macro without arguments in mathematics; None if it is not fixed."""
    reading, printing = _math_tables()
    read, printed = reading.get_macro_spec(name), printing.get_macro_spec(name)
    takes_nothing = read is None or getattr(read.args_parser, "argspec", None) == ""
    text = printed.simplify_repl if printed is not None and takes_nothing else None
    return text if isinstance(text, str) and text and "%" not in text else None


def _print_simple(latex: str) -> str | None:
    """Print a formula of only signs, groups and symbols like pylatexenc, but faster; None for other formulas."""
    if _LIGATURE.search(latex):
        return None
    made: list[str] = []
    depth, place, gap = 0, 0, ""
    while part := _FORMULA_PART.match(latex, place):
        place = part.end()
        if brace := part["brace"]:
            depth += 1 if brace == "{" else -1
            gap = ""
        elif signs := part["signs"]:
            made += [gap, signs] if signs.strip() else [gap]
            gap = ""
        elif (printed := _printed_in_math(part["name"])) is not None:
            made.append(printed)
            gap = part["gap"]
        else:
            return None
        if depth < 0:
            return None
    return "".join(made).strip() if place == len(latex) and not depth else None


def _print_any(latex: str) -> str:
    from pylatexenc.latex2text import LatexNodes2Text

    reading, printing = _math_tables()
    return LatexNodes2Text(latex_context=printing, math_mode="text").latex_to_text(f"${latex}$", latex_context=reading)


# Replacements for macros that pylatexenc does not print: it drops these symbols, and the content of \mbox.
_MATH_REWRITTEN = {
    **dict(zip("gets iff implies impliedby ne owns bot models mapsfrom".split(), "←⟺⟹⟸≠∋⊥⊨↤", strict=True)),
    **dict(
        zip("land lor lnot neg coloneqq eqqcolon degree percent |".split(), "∧ ∨ ¬ ¬ ≔ ≕ ° \\% ‖".split(), strict=True)
    ),
    **dict.fromkeys("dfrac tfrac cfrac".split(), "\\frac"),
    **dict.fromkeys("mathds mathbbm".split(), "\\mathbb"),
    **dict.fromkeys("mbox textsf texttt textup textmd operatorname operatorname*".split(), "\\text"),
    **{name: name for name in "arg argmin argmax deg dim gcd hom inf ker lg liminf limsup Pr sup".split()},
    **dict.fromkeys("mod bmod".split(), " mod "),
    ">": " ",
    "/": "",
}
# Macros that print nothing themselves: sizes, styles and weights.
_MATH_UNPRINTED = frozenset(
    "left right middle big Big bigg Bigg bigl bigr bigm Bigl Bigr Bigm biggl biggr Biggl Biggr displaystyle textstyle "
    "scriptstyle limits nolimits mathop mathbin mathrel mathord boldsymbol bm pmb "
    "cal rm bf it sf tt smash begin end".split()
)
_MATH_MACRO = re.compile(r"\\(operatorname\*|[A-Za-z]+|.)", re.DOTALL)
_NO_DELIMITER = re.compile(r"\\(?:left|right)\s*\.")
_ENVIRONMENT = re.compile(r"\\begin\s*\{([^{}]*)\}")
# Macros that cannot be printed on one line: indices of roots, and accents over several letters.
_OFF_THE_LINE = re.compile(r"\\sqrt\s*\[|\\(?:over|under|wide)[a-z]|\\(?:fcolorbox|textfrac)(?![A-Za-z])")
_STRUCTURE = re.compile(r"\\frac(?![A-Za-z])\s*|([\^_])|\\.", re.DOTALL)
_ARGUMENT = re.compile(r"\\(?:[A-Za-z]+|.)|.", re.DOTALL)
# Expressions that need no brackets in a script, in a numerator, and in a denominator.
_MACRO = r"\\[A-Za-z]+\s*"
_ONE_SCRIPT = re.compile(rf"\s*(?:[+-]?[\d.]+|[A-Za-z]+|'+|[^{{}}\\]|{_MACRO}|\\(?:math|text)\w*\s*\{{[\w ]*\}})\s*")
_ONE_ABOVE = re.compile(rf"\s*(?:[A-Za-z\d.]+|{_MACRO})\s*")
_ONE_BELOW = re.compile(rf"\s*(?:[\d.]+|[A-Za-z]|{_MACRO})\s*")
_STANDS_ALONE = re.compile(r"[-+=<>,;:&\[({|]?\Z")
_GOES_ON = re.compile(r"\s*(?:[^\W_]|[\^_/({]|\\[A-Za-z(\[{])")


def _with_known_macros(latex: str) -> str | None:
    """Rewrite a formula in macros that pylatexenc prints; None if a macro or environment would be lost."""
    _, printing = _math_tables()
    if _OFF_THE_LINE.search(latex) or any(
        printing.get_environment_spec(name) is None for name in _ENVIRONMENT.findall(latex)
    ):
        return None
    latex = _NO_DELIMITER.sub("", latex)
    if not all(
        name in _MATH_REWRITTEN or name in _MATH_UNPRINTED or printing.get_macro_spec(name) is not None
        for name in _MATH_MACRO.findall(latex)
    ):
        return None
    return _with_brackets(_MATH_MACRO.sub(lambda found: _MATH_REWRITTEN.get(found[1], found[0]), latex))


def _with_brackets(latex: str) -> str | None:
    """Add brackets to scripts and fractions with several parts, since printing drops groups.

    None if something next to a fraction would be read as part of it: ``2\\frac12`` is not 21/2.
    """
    made: list[str] = []
    place = 0
    while found := _STRUCTURE.search(latex, place):
        made.append(latex[place : found.start()])
        if found[0].startswith("\\frac"):
            above, middle = _read_argument(latex, found.end())
            below, place = _read_argument(latex, middle)
            before = "".join(made).rstrip()
            over, under = _with_brackets(above), _with_brackets(below)
            alone = _STANDS_ALONE.fullmatch(before[-1:]) and not _GOES_ON.match(latex, place)
            if over is None or under is None or not alone:
                return None
            made.append(over if _ONE_ABOVE.fullmatch(above) else f"({over})")
            made.append(f"/{under}" if _ONE_BELOW.fullmatch(below) else f"/({under})")
        elif found[1]:
            script, place = _read_argument(latex, found.end())
            inside = _with_brackets(script)
            if inside is None:
                return None
            end, after = script.strip()[-1:], latex[place : place + 1]
            joined = after.isalnum() and (
                len(script.strip()) > 1 or (end.isalnum() and end.isdigit() == after.isdigit())
            )
            bare = _ONE_SCRIPT.fullmatch(script) and not joined
            made.append(f"{found[1]}{{{inside}}}" if bare else f"{found[1]}\\{{{inside}\\}}")
        else:
            made.append(found[0])
            place = found.end()
    return "".join(made) + latex[place:]


def _read_argument(latex: str, place: int) -> tuple[str, int]:
    """The argument of a macro that starts at ``place``, without its braces, and the index after it.

    Raises:
        ValueError: there is no argument, or its brace is not closed.
    """
    depth, first = 0, None
    for found in _ARGUMENT.finditer(latex, place):
        sign = found[0]
        if first is None and sign.isspace():
            continue
        first = found.start() if first is None else first
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            break
        if not depth:
            whole = latex[first : found.end()]
            return (whole[1:-1] if sign == "}" else whole), found.end()
    raise ValueError("a macro without its argument")


@functools.lru_cache(maxsize=1024)
def unicode_math(latex: str) -> str:
    """Mathematics of a title or a heading in Unicode if possible, else unchanged in dollar signs."""
    if len(latex) > 400:
        return f"${latex}$"
    try:
        known = _with_known_macros(latex)
        if known is None:
            return f"${latex}$"
        text = _print_simple(known)
        text = _print_any(known) if text is None else text
    except Exception:  # noqa: BLE001  # what damaged mathematics makes the library raise has no common type
        return f"${latex}$"
    return " ".join(unicodedata.normalize("NFC", text).split()) or f"${latex}$"
