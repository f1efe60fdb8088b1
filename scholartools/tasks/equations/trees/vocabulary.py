"""Classes of LaTeX math commands: spacing, fonts, relations, operators, functions, letters."""

from __future__ import annotations


def _with_commands(words: str) -> frozenset[str]:
    """Split at white space, and prefix words that consist of letters with a backslash."""
    return frozenset(f"\\{word}" if word.isalpha() else word for word in words.split())


# Commands that print nothing or change only spacing or size.
SPACING = _with_commands(
    r"\, \; \: \! \> \/ enspace enskip thinspace medspace thickspace negthinspace negmedspace "
    "negthickspace allowbreak nobreak noindent hfill hfil null relax displaystyle textstyle scriptstyle "
    "scriptscriptstyle limits nolimits displaylimits nonumber notag mathstrut strut normalsize small footnotesize "
    "large Large LARGE huge Huge tiny scriptsize xspace protect boldmath unboldmath centering smallskip medskip "
    "bigskip break linebreak newline displaybreak allowdisplaybreaks"
) | {"~", "\\ ", "\\\n", "\\\t"}
# The same for commands with arguments, and the number of arguments to skip.
SPACING_ARGUMENTS = {
    **dict.fromkeys(
        _with_commands("hspace vspace mspace label tag phantom hphantom vphantom color setlength raggedright"), 1
    ),
    "\\setlength": 2,
    "\\raggedright": 0,
    "\\textcolor": 1,  # skips the colour and keeps the coloured content
    "\\scalebox": 1,
    "\\resizebox": 2,
    "\\addtocounter": 2,
    "\\setcounter": 2,
    **dict.fromkeys(["\\stepcounter", "\\refstepcounter"], 1),
    "\\raisebox": 1,
}
SIZES = {
    **dict.fromkeys(_with_commands("bigl Bigl biggl Biggl"), "open"),
    **dict.fromkeys(_with_commands("bigr Bigr biggr Biggr"), "close"),
    **dict.fromkeys(_with_commands("big Big bigg Bigg bigm Bigm biggm Biggm middle"), "sized"),
    "\\left": "left",
    "\\right": "right",
}
# Commands that print their one argument unchanged.
TRANSPARENT = _with_commands(
    "mathord mathopen mathclose mathinner mathpunct ensuremath smash mathsmaller mathlarger boxed mathclap mathrlap "
    "mathllap fbox lefteqn vcenter mathchoice Large overlap"
) - {"\\mathchoice", "\\Large", "\\overlap"}
FONTS = _with_commands(
    "mathrm mathbf mathit mathcal mathbb mathfrak mathsf mathtt mathscr boldsymbol mathnormal mathbfit"
)
# Fonts in which adjacent letters form one name.
NAME_FONTS = _with_commands("mathrm mathit mathsf mathtt mathnormal")
FONT_SWITCHES = {
    "\\rm": "\\mathrm",
    "\\bf": "\\mathbf",
    "\\it": "\\mathit",
    "\\cal": "\\mathcal",
    "\\sf": "\\mathsf",
    "\\tt": "\\mathtt",
    "\\frak": "\\mathfrak",
    "\\mit": "\\mathnormal",
}
TEXTS = _with_commands("text textrm textbf textit textsf texttt textsc textnormal textup textsl textmd mbox hbox emph")
ACCENTS = _with_commands(
    "hat tilde bar vec dot ddot dddot check breve acute grave mathring underline overleftarrow overleftrightarrow "
    "underbar utilde"
)
ALIASES = {
    "\\" + short: ("\\" + long if long.isalpha() else long)
    for long, shorts in {
        "frac": "dfrac tfrac cfrac nicefrac sfrac",
        "binom": "dbinom tbinom",
        "leq": "le leqslant leqq",
        "geq": "ge geqslant geqq",
        "neq": "ne",
        "rightarrow": "to longrightarrow",
        "leftarrow": "gets longleftarrow",
        "Rightarrow": "implies Longrightarrow",
        "Leftarrow": "impliedby Longleftarrow",
        "Leftrightarrow": "iff Longleftrightarrow",
        "mapsto": "longmapsto",
        "wedge": "land",
        "vee": "lor",
        "neg": "lnot",
        "ldots": "dots cdots dotsc dotsb dotsm dotsi dotso hdots",
        "mathsf": "mathsfit",
        "hat": "widehat",
        "tilde": "widetilde",
        "bar": "overline",
        "vec": "overrightarrow",
        "boldsymbol": "bm pmb mathbold boldmath",
        "mathbb": "mathds mathbbm Bbb",
        "emptyset": "varnothing",
        "operatorname": "mathoperator",
        "triangleq": "stackreldef",
        "ni": "owns",
        "Pr": "mathPr",
        "|": "lvert rvert vert",
        "\\|": "lVert rVert Vert",
        "\\{": "lbrace",
        "\\}": "rbrace",
        "[": "lbrack",
        "]": "rbrack",
        "*": "ast",
        ":": "colon",
        "<": "lt",
        ">": "gt",
        "'": "prime",
        "\\setminus": "smallsetminus",
    }.items()
    for short in shorts.split()
    if short not in ("boldmath", "mathoperator", "stackreldef", "mathPr")
} | {"−": "-", "·": "\\cdot", "×": "\\times", "≤": "\\leq", "≥": "\\geq", "≠": "\\neq", "…": "\\ldots", "∞": "\\infty"}
# Greek letters of Unicode.
ALIASES |= {
    letter: f"\\{name}"
    for letter, name in zip(
        "αβγδϵεζηθϑικλμνξοπρϱσςτυφϕχψωΓΔΘΛΞΠΣΥΦΨΩ",
        "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi omicron pi rho "
        "varrho sigma varsigma tau upsilon varphi phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi "
        "Psi Omega".split(),
    )
}

RELATIONS = _with_commands(
    "= < > : neq leq geq approx equiv sim simeq cong propto in notin ni subset subseteq supset supseteq subsetneq "
    "supsetneq nsubseteq rightarrow leftarrow Rightarrow Leftarrow Leftrightarrow leftrightarrow mapsto ll gg lesssim "
    "gtrsim prec succ preceq succeq perp parallel nparallel vdash dashv models triangleq doteq asymp hookrightarrow "
    "leadsto rightsquigarrow coloneqq eqqcolon coloneq colonequals eqcolon trianglelefteq sqsubseteq sqsupseteq "
    "nleftarrow uparrow downarrow nearrow searrow twoheadrightarrow xrightarrow nsim ncong nless ngtr nleq ngeq "
    "lll ggg approxeq backsim thicksim thickapprox risingdotseq circeq eqsim precsim succsim rightharpoonup "
    "rightleftharpoons upharpoonright dotplus"
) - {"\\dotplus", "\\upharpoonright", "\\uparrow", "\\downarrow"}
FLIPPED = {
    "<": ">",
    "\\leq": "\\geq",
    "\\subset": "\\supset",
    "\\subseteq": "\\supseteq",
    "\\in": "\\ni",
    "\\ll": "\\gg",
    "\\prec": "\\succ",
    "\\preceq": "\\succeq",
    "\\leftarrow": "\\rightarrow",
    "\\Leftarrow": "\\Rightarrow",
    "\\lesssim": "\\gtrsim",
    "\\subsetneq": "\\supsetneq",
    "<=": ">=",
}
# Relations that have a separate command for their negation.
NEGATED = {
    **{f"\\{name}": f"\\n{name}" for name in "leq geq sim cong subseteq parallel leftarrow mid".split()},
    **{"=": "\\neq", "\\in": "\\notin", "<": "\\nless", ">": "\\ngtr"},
}
SYMMETRIC = _with_commands("= neq approx equiv simeq cong Leftrightarrow leftrightarrow asymp perp")
# Equivalent notations of "is defined as".
DEFINITIONS = frozenset(
    [":=", "\\coloneqq", "\\coloneq", "\\colonequals", "\\triangleq"]
    + [f"\\overset{{{label}}}{{=}}" for label in ("d~e~f", "\\text{def}", "\\mathrm{def}", "\\triangle")]
)
DEFINING = _with_commands(r"= := equiv triangleq coloneqq doteq coloneq colonequals")

SIGNS = _with_commands("+ - pm mp")
# Operators with lower precedence than multiplication.
LOOSE_OPERATORS = _with_commands(
    "cap cup setminus wedge vee oplus ominus uplus sqcup sqcap bmod mod boxplus veebar barwedge backslash amalg "
    "dotplus bowtie"
)
# Operators between factors, other than juxtaposition and ``\cdot``.
TIGHT_OPERATORS = _with_commands(
    "times * otimes odot circ star bullet diamond ltimes rtimes boxtimes div oslash circledast bigcirc boxdot wr"
)
COMMUTATIVE = _with_commands("cap cup wedge vee oplus uplus sqcup sqcap")
BIG = _with_commands("sum prod coprod bigcup bigcap bigoplus bigotimes bigodot bigvee bigwedge biguplus bigsqcup")
# Integrals over closed curves or surfaces, and mean integrals.
SPECIAL_INTEGRALS = _with_commands("oint oiint oiiint varoiint ointctrclockwise ointclockwise varointclockwise fint")
# Number of variables of multiple integrals; dots get a number that is larger than any that is written out.
SEVERAL_INTEGRALS = {"\\iint": 2, "\\iiint": 3, "\\idotsint": 100}
INTEGRALS = _with_commands("int iint iiint idotsint smallint") | SPECIAL_INTEGRALS
FUNCTIONS = _with_commands(
    "log ln lg exp sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan det dim ker deg gcd arg hom Pr"
)
# Functions whose lower limit names the variable.
LIMIT_FUNCTIONS = _with_commands(
    "max min sup inf lim limsup liminf argmax argmin esssup varlimsup varliminf injlim projlim"
)
PREFIXES = _with_commands("nabla partial")
# Letters of special functions and polynomials with an order, such as Bessel's J_n and Legendre's P_n.
WITH_ORDERS = frozenset("J Y I K P Q T U L H C B j y".split())
QUANTIFIERS = _with_commands("forall exists nexists therefore because")
OPENING = {"(": ")", "[": "]", "\\{": "\\}", "\\langle": "\\rangle", "\\lfloor": "\\rfloor", "\\lceil": "\\rceil"} | {
    "\\llbracket": "\\rrbracket",
    "\\lgroup": "\\rgroup",
    "\\ulcorner": "\\urcorner",
}
CLOSING = frozenset(OPENING.values())
BARS = frozenset(["|", "\\|"])
CONDITIONS = _with_commands("mid nmid")

# Vertical bars that are explicitly opening or closing.
SIDED_BARS = {"\\lvert": "open", "\\rvert": "close", "\\lVert": "open", "\\rVert": "close"}

GREEK = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa varkappa lambda mu nu xi omicron pi "
    "varpi rho varrho sigma varsigma tau upsilon phi varphi chi psi omega digamma Gamma Delta Theta Lambda Xi Pi Sigma "
    "Upsilon Phi Psi Omega varGamma varDelta varTheta varLambda varXi varPi varSigma varUpsilon varPhi varPsi varOmega"
)
_SIGNS = (
    "ell hbar imath jmath Re Im aleph beth wp infty emptyset top bot angle triangle square Box Diamond lozenge "
    "clubsuit diamondsuit heartsuit spadesuit checkmark dagger ddagger S P degree Bbbk complement eth mho flat natural "
    "sharp surd backprime blacksquare bigstar ldots vdots ddots neg intercal prime aa AA o O l L ae AE oe OE ss i j "
    "blacktriangle blacklozenge hslash Game Finv measuredangle # uparrow downarrow Uparrow Downarrow circledR"
)
# Upright Greek letters, and the usual commands of the same letters.
UPRIGHT = {
    (f"\\up{name}" if name[0].islower() else f"\\Up{name.lower()}"): f"\\{name}"
    for name in GREEK.split()
    if not name.startswith("var")
}
LETTERS = _with_commands(GREEK) | _with_commands(_SIGNS) | set(UPRIGHT) | {"\\#", "\\%", "\\&", "\\$", "\\_"}
DOTS = "\\ldots"
ENDLESS = "\\infty"
TRANSPOSES = frozenset(["T", "\\top", "\\intercal", "\\mathsf{T}", "\\mathrm{T}", "\\mathrm{t}", "\\mathsf{t}"])
# Superscripts that mark a name and are not exponents.
MARKS = _with_commands("* + - dagger ddagger star perp circ top sharp flat natural bullet prime intercal degree")

ROW_WRAPPERS = frozenset(
    "aligned alignedat align align* split gathered gather gather* multline multline* multlined equation equation* "
    "eqnarray eqnarray* flalign flalign* alignat alignat* displaymath math IEEEeqnarray IEEEeqnarray* dmath dmath* "
    "subequations".split()
)
CASES = frozenset("cases dcases rcases cases* dcases* numcases".split())
GRIDS = frozenset("matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix smallmatrix array pmatrix* bmatrix* matrix*".split())
COLUMN_ARGUMENT = frozenset(
    "array alignedat alignat alignat* IEEEeqnarray IEEEeqnarray* subarray xalignat xalignat* numcases".split()
)
# First words of prose between statements.
WORDS = frozenset(
    "and or if otherwise where for with such s.t. when else subject iff then as over on every some all any each "
    "while whenever by since because so hence thus that i.e. e.g. unless until given else, otherwise, minimize "
    "maximize minimise maximise from is are be means denotes here note which".split()
)
# Names of probabilities of events, and names that may also be densities.
PROBABILITIES = frozenset("P p Pr \\Pr \\mathbb{P} \\mathrm{P} \\mathbf{P}".split())
DENSITIES = PROBABILITIES | frozenset("q Q f \\mathrm{p} \\pi".split())
