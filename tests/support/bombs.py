"""Texts that may cost more than prose of the same length, and the operations of commands on a text without a model.

``SHAPES``: one token repeated. ``STRUCTURES``: long, deep or numerous parts. Each function makes a text of a length in
characters. ``PLACES``: operations on a text, run in this process. :func:`cost_at` measures a text at two lengths and
compares it with prose.
"""

from __future__ import annotations

import ctypes
import functools
import gc
import io as IO
import itertools
import math
import os
import random
import re
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

#: Lengths at which costs are measured, in characters.
SIZES = (20_000, 80_000)
#: The limits ("the law"): maximum cost relative to prose, for processor time and memory, and maximum exponent of the
#: time's growth with length (a little above that of sorting, since the clock of processor time is coarse).
MOST, GROWTH = 4.0, 1.3
#: Seconds and bytes below which a cost is ignored.
NOTHING, NO_MEMORY = 0.05, 60_000_000
#: Characters of prose per word or symbol, per sentence, and per line.
A_WORD, A_SENTENCE, A_LINE = 5, 60, 80
#: Seconds of processor time after which a measurement is aborted, and the resolution of times.
PATIENCE, _LEAST = 20.0, 1e-3
#: Lower bound of the memory of prose in bytes, since prose may reuse memory of earlier work.
_LEAST_MEMORY = 1_000_000
_REPEATS = 3
#: Added to the exponent estimated from shorter texts.
_MARGIN = 0.15

# Non-ASCII white space counts as a symbol, as in TeX.
_WORD = re.compile(r"[^\W_]+|[^\w\s]|_|[^\S \t\n\r\f\v]")
_END = re.compile(r"[.?!]+(?=\s|$)|[。？！]+")

_SENTENCES = (
    "We study how annotators disagree about the claims of a paper. Earlier work relied on a single label for each item "
    "(Smith et al., 2019). However, such labels hide what people really think of a claim. The method has three steps and "
    "needs no training data. In our experiments the error falls by 12% on two of the three data sets. This suggests that "
    "a distribution of labels is worth its price. A limitation is that all texts are in English. Future work may look at "
    "other languages. "
)  # fmt: skip


_NOUNS = (
    "annotator claim label sentence model paper reviewer corpus baseline parser encoder decoder graph token vector metric sample answer "
    "question summary table figure formula language dialect speaker image signal sensor network layer weight gradient kernel cluster "
    "tree graph edge query index document author citation judge rating score interval error bias variance method protocol experiment "
    "patient treatment cell protein gene mouse crystal polymer laser surface magnet planet galaxy river forest soil climate market "
    "price household school teacher student survey city road vehicle robot camera hand voice text page margin notion theory proof"
).split()
_QUALITIES = (
    "small large robust sparse dense noisy single deep shallow linear random frequent rare early late human automatic manual simple "
    "complex shared hidden open closed local global weak strong stable public annual rural clinical optical thermal formal plain"
).split()
_DEEDS = "measures shifts explains limits predicts contradicts repeats improves splits merges ranks covers shapes hides needs".split()
_FORMS = (
    "In part # of the study we look at each Q N and the N.", "We study how a Q N D the N of a Q N.",
    "Earlier work relied on a Q N for each N (Smith et al., 2019).", "However, such a N hides what the Q N D.",
    "The N has # steps and needs no Q N.", "In our experiments the Q N D the N by #% on two of the N data sets.",
    "This suggests that a Q N is worth its N.", "A limitation is that every N is Q.", "Future work may look at a Q N and at the Q N.",
    "The N D a N, but the Q N D no N at all.",
)  # fmt: skip
_seeds = itertools.count()


def prose(n: int, seed: int = 0) -> str:
    """Prose of ``n`` characters, in paragraphs of seven sentences that hardly ever repeat, also between seeds."""
    draw, parts, length = random.Random(f"prose {seed}"), [], 0
    kinds = {"N": lambda: draw.choice(_NOUNS), "Q": lambda: draw.choice(_QUALITIES), "D": lambda: draw.choice(_DEEDS),
             "#": lambda: str(draw.randrange(2, 99))}  # fmt: skip
    while length < n:
        form = _FORMS[len(parts) // 2 % len(_FORMS)]
        parts += [
            re.sub(r"[NQD#]\b|#", lambda found: kinds[found[0]](), form),
            " " if len(parts) % 14 != 12 else "\n\n",
        ]
        length += len(parts[-2]) + len(parts[-1])
    return "".join(parts)[:n]


_LETTERS = "a A y I é ß ł Ж α ا न あ 中 한 ﬁ ı".split(" ")
_DIGITS = [
    "0",
    "1",
    "9",
    "12 ",
    "1,",
    "1.",
    "1.5 ",
    "2019 ",
    "10.",
    "10.1/",
    "(2019) ",
    "3-",
    "½",
    "²",
    "٣",
    "1) ",
    "0e",
]
_SIGNS = list("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~") + list("。、，；：！？「」（）…—–·•§†‡¶©°×±≤∑∫√“”‘’‐«»¿")
_BLANKS = [
    " ",
    "\t",
    "\n",
    "\r",
    "\n\n",
    " \n",
    "\f",
    "\v",
    "\u00a0",
    "\u2003",
    "\u200b",
    "\u3000",
    "\u2028",
    "\ufeff",
    "\u00ad",
]
_MARKS = ["e\u0301", "a\u0308\u0323", "\u0301", "👍", "👨‍👩‍👧", "🇫🇷", "☃", "\U0001d400", "\ue000", "\u202e", "\u0000"]
_WORDS = [
    "x!!!", "e.g. ", "et al. ", "Mr. ", "i.e., ", "[1]", "[1, 2] ", "(a) ", "a b ", "A. ", "J. K. ", "and ", "the ", "not ",
    "we ", "limitation ", "However, ", "Fig. 1 ", "Table 2: ", "http://a.b/", "https://", "www.", "doi:10.1/a ", "10.1000/x",
    "arXiv:1234.56789 ", "a@b.c ", "@", "\\", "\\a", "\\a{", "\\begin{a}", "\\end{a}", "\\\\ ", "$$", "$x$ ", "\\item ",
    "{a", "}{", "%\n", "&amp;", "<a>", "</a>", "<!--", "<b", "]]>", "**", "* ", "_a", "`", "```\n", "~~~", "# ", "#", "> ", "- ",
    "1. a\n", "---\n", "===\n", "| a ", "![a](", "[a](b) ", "[[", "[^", "((", "))", "()", "[]", "{}", "\"a", "\u201ca\u201d ", "'a ",
    "a-", "a-\n", "-\n", "a_b ", "a,", "a;", "a:", "a.", "a. ", "a? ", "A ", "Aa ", "Abc Def, ", "Smith, J., ", "Smith, J.; ", "a\n",
    "A\n", "1\n", "METHODS: ", "Methods\n", "Results ", "Abstract\n", "References\n", "Limitations\n", "Introduction\n", "1 A\n",
    "1.1 ", "(1) ", "Q1: ", "Score: 2 ", "2 of ", "...", ". . ", "<think>", "no ", "never ", "10% ", "95% ",
]  # fmt: skip
SHAPES = {repr(token): functools.partial(lambda token, n: (token * (n // len(token) + 1))[:n], token)
          for token in dict.fromkeys([*_LETTERS, *_DIGITS, *_SIGNS, *_BLANKS, *_MARKS, *_WORDS])}  # fmt: skip


def _numbered(form: str) -> Callable[[int], str]:
    """Function that repeats a form up to a length, with the number of the copy in place of ``#``."""

    def make(n: int) -> str:
        count = n // len(form) + 1
        return "".join(form.replace("#", str(number)) for number in range(count))[:n]

    return make


def _wrapped(before: str, after: str, middle: str = "a") -> Callable[[int], str]:
    """Function that nests a text in as many pairs of brackets as fit a length."""

    def make(n: int) -> str:
        depth = max(1, (n - len(middle)) // (len(before) + len(after)))
        return before * depth + middle + after * depth

    return make


def _after(head: str, token: str) -> Callable[[int], str]:
    return lambda n: head + token * max(1, (n - len(head)) // len(token))


STRUCTURES: dict[str, Callable[[int], str]] = {
    **{f"{a}..{b}": _wrapped(a, b) for a, b in (
        ("(", ")"), ("[", "]"), ("{", "}"), ("\\frac{", "}{b}"), ("\\sqrt{", "}"), ("x^{", "}"), ("x_{", "}"), ("\\left(", "\\right)"),
        ("\\textbf{", "}"), ("\\emph{", "}"), ("\\footnote{", "}"), ("\\begin{itemize}\\item ", "\\end{itemize}"), ("**", "**"),
        ("> ", ""), ("<sec>", "</sec>"), ("<italic>", "</italic>"), ("\u201c", "\u201d"), ("-", ""), ("\\begin{quote}", "\\end{quote}"),
        ("[", "](u)"), ("a(", ")"), ("|", "|"), ("\\ifx\\a\\b ", "\\fi"), ("\\hat{", "}"), ("\\mathrm{", "}"),
    )},
    "long lines": _numbered("word# " * 200 + "\n"), "long words": _numbered("abcdefgh#" * 400 + " "),
    "one word": lambda n: "ab" * (n // 2), "contents": _numbered("#.1 About things\n\n"), "contents in parts": _numbered("1.# About things\n\n"),
    "headings": _numbered("# Heading #\n\nText #.\n\n"),
    "numbered headings": _numbered("#.1 Heading\n\nText.\n\n"), "deep numbers": lambda n: "1." * (n // 2) + " Heading\n\nText.",
    "capital headings": _numbered("HEADING #\nText here.\n"), "authors in lines": _numbered("Ann B. Smith#\n"),
    "authors in a line": lambda n: "Ann Smith, Bob Miller, and Eva Braun, " * (n // 38),
    "authors surname first": lambda n: "Smith, Ann; Miller, Bob; " * (n // 25),
    "authors with marks": _numbered("Ann Smith1,2,†, Bob Miller3,*; "), "affiliations": _numbered("# Department of Things, University X\n"),
    "references": _numbered("[#] A. Smith and B. Miller. A title of a paper. Journal 3(2), 1-9, 2019.\n"),
    "references by name": _numbered("Smith, A. & Miller, B. (2019). A title #. Journal, 3, 1-9.\n\n"),
    "citations": _numbered("(Smith et al., 2019; Miller, 2020) "), "citations by number": _numbered("[#, 2, 3-5] "),
    "items": _numbered("- item # is one.\n"), "numbered items": _numbered("#. item is one.\n"), "bullets": _numbered("• item #\n"),
    "definitions": _numbered("\\newcommand{\\x#}{\\x}\n"), "defs": _numbered("\\def\\a#{b}"), "macros": _numbered("\\unknown#{a}[b] "),
    "labels": _numbered("\\label{a#} \\ref{a#} "), "cites": _numbered("\\cite{a#,b} "), "bibitems": _numbered("\\bibitem{a#} A. B. T. 2019.\n"),
    "inline math": _numbered("$x_{#}$ and "), "display math": _numbered("\\[ x = # \\]\n"), "environments": _numbered("\\begin{equation}x=#\\end{equation}\n"),
    "rows": _numbered("a & b & # \\\\\n"), "tables": _numbered("| a | b# |\n|---|---|\n| 1 | 2 |\n\n"), "footnotes": _numbered("[^#]: note\n"),
    "links": _numbered("[a#](http://b.c/#) "), "links by name": _numbered("[a#]: http://b.c\n[a#] "), "html": _numbered("<div id='#'>a</div>\n"),
    "sums": lambda n: "x+" * (n // 2) + "x", "powers": lambda n: "x^" * (n // 2) + "x", "products": lambda n: "abc" * (n // 3),
    "relations": lambda n: "x=" * (n // 2) + "x", "digits after a word": _after("Score ", "1"), "digits after doi": _after("doi:10.1234/", "1"),
    "dots after doi": _after("doi:10.1234/a", ")."), "brackets after doi": _after("10.1234/a", ")"), "letters after a year": _after("2019", "a"),
    "quotation": _after("\u201c", "word "), "unclosed math": _after("$", "x "), "unclosed comment": _after("<!-- ", "x "), "url": _after("http://a.b/", "c"),
    "sentences": lambda n: "It is. " * (n // 7), "questions": lambda n: "Is it? " * (n // 7), "no stop": lambda n: "a thing that " * (n // 13),
    "limitations": lambda n: "A limitation is that it fails. " * (n // 31), "claims": lambda n: "We show that it works. " * (n // 23),
    "one sentence a line": lambda n: "We show that.\n" * (n // 14), "facets": lambda n: "METHODS: We did. RESULTS: It was. " * (n // 34),
    "numbers": lambda n: "12.5 (3.4-7.8), p < 0.001; " * (n // 27), "ranges": lambda n: "1-2-" * (n // 4), "scores": _numbered("Rating: # / 10\n"),
    "hyphens": lambda n: "well-known-" * (n // 11), "broken words": lambda n: "exam-\nple " * (n // 10), "spaces before a stop": lambda n: " " * n + ".",
    "spaces before a letter": lambda n: "a" + " " * n + "b", "lines before a letter": lambda n: "a" + "\n" * n + "b", "tab stops": lambda n: "a\t" * (n // 2),
    "distinct words": _numbered("w# "), "distinct letters": lambda n: "".join(chr(0x4E00 + i % 20000) for i in range(n)),
    "ids": _numbered("\\eqref{eq:#} Eq. (#) "), "abbreviations": lambda n: "U.S.A. " * (n // 7), "initials": lambda n: "A.B.C." * (n // 6),
    "captions": _numbered("Figure #: What it shows.\n\n"), "algorithm": _numbered("\\State $x \\gets #$\n"), "mixed brackets": lambda n: "([{" * (n // 3),
    "closing": lambda n: ")]}" * (n // 3), "quotes": lambda n: "\"'\u201c\u2018" * (n // 4), "backslashes": lambda n: "\\" * n, "braces": lambda n: "{}" * (n // 2),
}  # fmt: skip


#: Tokens of random shapes, to which some part of the code responds, and the separators between them.
_DRAWN = (
    "II A 12 Results a we not x limitation However method Smith Methods 1 2019 3.5 (a) [1] Fig. e.g. al I III V abc The "
    "This \u4e2d \u00e9 Conclusion: RESULTS: \u03b2 $x$ p<0.05 - * # \u2022 \u201c"
).split() + ["we show", "et al.", "A limitation", "future work"]
_DIVIDERS = ["", " ", "\n", "\n\n", ". ", "; ", ", ", ".\n", ": ", "! ", "? "]


def drawn_unit(draw: random.Random) -> str:
    """Unit of a random shape: one to three tokens, each followed by a separator."""
    letters = "abcdeXYZ019.-("
    unit = ""
    while not unit.strip():
        for _ in range(draw.choice([1, 1, 1, 2, 2, 3])):
            word = "".join(draw.choices(letters, k=draw.randint(1, 5))) if draw.random() < 0.3 else draw.choice(_DRAWN)
            unit += word + draw.choice(_DIVIDERS)
    return unit


def repeated(unit: str) -> Callable[[int], str]:
    """Function that repeats a unit up to a length."""
    return lambda n: (unit * (n // len(unit) + 1))[:n]


# Operations on a text

Work = Callable[[str], Any]


def _parse(form: str, ending: str) -> Work:
    """Parse a paper with the text in place of ``@@``."""

    def work(text: str) -> Any:
        from scholartools.tasks import parse

        body = form.replace("@@", escape(_printable(text)) if ending == "jats" or ending == "tei" else text)
        return parse.parse(
            parse.stub("-"), reading=parse.Reading(format=ending), stdin=body.encode("utf-8", "surrogatepass")
        )

    return work


def _printable(text: str) -> str:
    return "".join(sign if sign in "\t\n\r" or sign >= " " else "?" for sign in text).replace("\ufeff", "?")


_PLAIN = "A Title of a Paper\n\n{0}\n\nAbstract\n\n{1}\n\n1 Introduction\n\n{2}\n\nReferences\n\n{3}\n"
_MARKDOWN = "# A Title\n\n{0}\n\n## Abstract\n\n{1}\n\n## Introduction\n\n{2}\n\n## References\n\n{3}\n"
_LATEX = (
    "\\documentclass{{article}}\\title{{A Title}}\\author{{{0}}}\\begin{{document}}\\maketitle\\begin{{abstract}}{1}\\end{{abstract}}\n"
    "\\section{{Introduction}}\n{2}\n\\begin{{thebibliography}}{{9}}\\bibitem{{a}} {3}\\end{{thebibliography}}\\end{{document}}"
)
_JATS = (
    "<article><front><article-meta><title-group><article-title>A Title</article-title></title-group><contrib-group>"
    "<contrib><string-name>{0}</string-name></contrib></contrib-group><abstract><p>{1}</p></abstract></article-meta></front>"
    "<body><sec><title>Introduction</title><p>{2}</p></sec></body><back><ref-list><ref id='a'><mixed-citation>{3}"
    "</mixed-citation></ref></ref-list></back></article>"
)
_TEI = (
    "<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><fileDesc><titleStmt><title>A Title</title></titleStmt><sourceDesc>"
    "<biblStruct><analytic><author><persName>{0}</persName></author></analytic></biblStruct></sourceDesc></fileDesc><profileDesc>"
    "<abstract><p>{1}</p></abstract></profileDesc></teiHeader><text><body><div><head>Introduction</head><p>{2}</p></div></body>"
    "<back><listBibl><biblStruct><note type='raw_reference'>{3}</note></biblStruct></listBibl></back></text></TEI>"
)
_FILLERS = ("Ann Smith", "We measure things.", "It is well known that this is so.", "A. Smith. A title. Journal, 2019.")
_BLOCKS = {
    "latex display": "We see that\\[ @@ \\] holds.", "latex equation": "\\begin{equation}\\label{a} @@ \\end{equation}",
    "latex table": "\\begin{table}\\caption{A}\\begin{tabular}{ll} @@ & b \\\\ \\end{tabular}\\end{table}",
    "latex caption": "\\begin{figure}\\caption{@@}\\end{figure}", "latex macro": "\\newcommand{\\x}{@@}\\x and \\x",
    "markdown item": "- a\n- @@\n", "markdown quote": "> @@\n", "markdown cell": "| a | b |\n|---|---|\n| @@ | 1 |\n",
    "markdown heading": "### @@\n\nText.\n", "markdown code": "`@@`",
}  # fmt: skip
_ZONES = ("authors", "abstract", "body", "references")


def _readings() -> Iterator[tuple[str, Work]]:
    forms = {
        "plain": ("text", _PLAIN),
        "markdown": ("text", _MARKDOWN),
        "latex": ("latex", _LATEX),
        "jats": ("jats", _JATS),
        "tei": ("tei", _TEI),
    }
    for name, (reader, form) in forms.items():
        for number, zone in enumerate(_ZONES):
            parts = [filler if place != number else "@@" for place, filler in enumerate(_FILLERS)]
            yield f"parse {name} {zone}", _parse(form.format(*parts), reader)
    for name, block in _BLOCKS.items():
        form = _LATEX if name.startswith("latex") else _MARKDOWN
        reader = "latex" if name.startswith("latex") else "text"
        yield f"parse {name}", _parse(form.format(*_FILLERS[:2], block, _FILLERS[3]), reader)


_HEAD = _FILLERS[1:]
_WHOLES = {
    "plain title": ("text", _PLAIN.format(*_FILLERS).replace("A Title of a Paper", "@@")),
    "plain heading": ("text", _PLAIN.format(*_FILLERS).replace("References", f"2 @@\n\n{_FILLERS[1]}\n\nReferences")),
    "plain whole": ("text", "@@"),
    "markdown title": ("text", _MARKDOWN.format(*_FILLERS).replace("A Title", "@@")),
    "markdown front matter": ("text", "---\ntitle: @@\nauthor: Ann Smith\n---\n" + _MARKDOWN.format(*_FILLERS)),
    "latex title": ("latex", _LATEX.format(*_FILLERS).replace("A Title", "@@")),
    "latex heading": ("latex", _LATEX.format(*_FILLERS).replace("Introduction", "@@")),
    "latex preamble": ("latex", _LATEX.format(*_FILLERS).replace("\\begin{document}", "@@\n\\begin{document}")),
    "latex footnote": ("latex", _LATEX.format(*_FILLERS).replace("It is", "It\\footnote{@@} is")),
    "jats title": ("jats", _JATS.format(*_FILLERS).replace("A Title", "@@")),
    "jats heading": ("jats", _JATS.format(*_FILLERS).replace("Introduction", "@@")),
    "jats surname": ("jats", _JATS.format(*_FILLERS).replace(
        "<string-name>Ann Smith</string-name>", "<name><surname>@@</surname><given-names>@@</given-names></name>")),
    "jats parts of a reference": ("jats", _JATS.format(*_FILLERS[:3], (
        "<person-group><name><surname>Smith</surname></name></person-group><article-title>@@</article-title>"
        "<source>@@</source><year>2019</year>"))),
    "jats cell": ("jats", _JATS.format(*_FILLERS).replace("</sec>", (
        "<table-wrap><label>Table 1</label><caption><p>A</p></caption><table><tr><td>@@</td></tr></table></table-wrap></sec>"))),
    "jats caption": ("jats", _JATS.format(*_FILLERS).replace("</sec>", (
        "<fig><label>Figure 1</label><caption><p>@@</p></caption></fig></sec>"))),
    "jats formula": ("jats", _JATS.format(*_FILLERS).replace("</sec>", (
        "<p>So<disp-formula><tex-math>@@</tex-math></disp-formula>.</p></sec>"))),
    "tei title": ("tei", _TEI.format(*_FILLERS).replace("A Title", "@@")),
    "tei heading": ("tei", _TEI.format(*_FILLERS).replace("Introduction", "@@")),
    "tei parts of a reference": ("tei", _TEI.format(*_FILLERS).replace("<note type='raw_reference'>", (
        "<analytic><title>@@</title><author><persName><surname>@@</surname></persName></author></analytic>"
        "<note type='raw_reference'>"))),
    "tei formula": ("tei", _TEI.format(*_FILLERS).replace("</div>", "<formula>@@</formula></div>")),
}  # fmt: skip


def _paper(text: str, **more: Any) -> dict[str, Any]:
    section = {"level": 1, "pages": []}
    return {
        "id": "p", "title": "A title", "abstract": "We measure how people disagree. It works.",
        "sections": [
            {"id": "s1", "number": "1", "heading": "Introduction", "role": "introduction", "text": text, **section},
            {"id": "s2", "number": "2", "heading": "Experiments", "role": "experiment", "text": "We run it on two sets.", **section},
            {"id": "s3", "number": "3", "heading": "Discussion", "role": "discussion", "text": text, **section},
        ],
        "references": [], "captions": [], "equations": [], "reviews": [], **more,
    }  # fmt: skip


def _limits(where: str) -> Work:
    def work(text: str) -> Any:
        from scholartools.tasks import limits

        paper = _paper("We did it.")
        if where == "review":
            paper["reviews"] = [{"id": "r1", "text": text}, {"id": "r2", "weaknesses": text, "text": text}]
        else:
            named = {"heading": "Limitations", "role": "limitation"} if where == "section" else {}
            paper["sections"][2] |= {"text": text, **named}
        return limits.extract(paper, origin="all", merging=limits.Merging())

    return work


def _claims(action: str) -> Work:
    def work(text: str) -> Any:
        import importlib

        paper = _paper(text if action != "weaknesses" else "We show that it works.")
        paper["reviews"] = [{"id": "r1", "text": text}]
        if action in ("associate", "label"):
            paper["claims"] = [
                {"id": "c1", "text": text, "spans": [{"in": "s1", "start": 0, "end": len(text)}], "by": "a"}
            ]
            paper["weaknesses"] = [
                {"id": "w1", "review": "r1", "text": text, "spans": [{"in": "review:r1", "start": 0, "end": len(text)}]}
            ]
        return getattr(importlib.import_module(f"scholartools.tasks.claims.builtin.{action}"), action)(paper)

    return work


def _facets(text: str) -> Any:
    from scholartools.tasks import facets

    return facets.label({"id": "p", "abstract": text, "summaries": [{"system": "s", "text": text}]})


def _certify(other: str) -> Work:
    def work(text: str) -> Any:
        from scholartools.tasks import equations

        return equations.certify(text, other.replace("@", text))

    return work


def _questions(text: str) -> Any:
    from scholartools.tasks.equations.questions.making import Options, make_questions

    span = {"in": "s1", "start": 0, "end": len(text)}
    return make_questions(_paper(text, equations=[{"id": "e1", "latex": text, "span": span, "label": None}]), Options())


def _experiments(text: str) -> Any:
    from scholartools.tasks.generate.experiments.inputs import Showing, show_input

    return show_input(_paper(text, experiments=[{"id": "x1", "text": "Run it."}]), Showing(leaks="builtin"))


def _aims(text: str) -> Any:
    from scholartools.tasks.generate.questions.builtin import stated_aims

    return stated_aims(_paper("We did.", abstract=text), sections=["abstract", "introduction"])


def _sides(text: str) -> dict[str, Any]:
    return _paper(
        "We did.", abstract=text, summaries=[{"system": "s", "text": text[1:] + "b"}],
        limitations=[{"id": "l1", "text": text}], experiments=[{"id": "x1", "text": text}],
        generated={"limitations": [{"system": "s", "items": [{"id": "g1", "text": text[2:]}]}],
                   "experiments": [{"system": "s", "items": [{"id": "x1", "text": text[2:]}]}]},
    )  # fmt: skip


def _judge(task: str) -> Work:
    def work(text: str) -> Any:
        from scholartools.tasks import facets
        from scholartools.tasks.judge.entailment.builtin import entail_builtin
        from scholartools.tasks.judge.facet_ratings.builtin import facets_builtin
        from scholartools.tasks.judge.matching.builtin import match_builtin

        record = _sides(text)
        if task == "facets":
            return facets_builtin(facets.label(record))
        return {"match": match_builtin, "entail": entail_builtin}[task](record)

    return work


def _review(text: str) -> Any:
    from scholartools.tasks.judge.review_critique.trivial import review_trivial

    return review_trivial(_paper("We did.", reviews=[{"id": "r1", "text": text}]), "all", segment=True)


def _score(metric: str) -> Work:
    def work(text: str) -> Any:
        from scholartools.tasks import facets, score

        record = _sides(text)
        if metric == "facets" or metric == "support":
            record = facets.label(_paper(text, abstract=_SENTENCES, summaries=[{"system": "s", "text": _SENTENCES}]))
        if metric == "match":
            pairs = [{"reference": "l1", "candidate": "g1", "match": True}]
            record["judgements"] = {"match": [{"system": "s", "pairs": pairs}]}
        given = {"reference": "abstract", "candidate": "summaries"} if metric in ("text", "extraction") else {}
        return score.score(record, [metric], score.Options(**given))

    return work


def _reply(published: bool) -> Work:
    def work(text: str) -> Any:
        from scholartools.tasks.agree.reply_scores import Reading, parse

        return parse({"reply": text}, Reading(published=published, range=None if published else (0.0, 4.0)))

    return work


def _spans(text: str) -> Any:
    from scholartools.metrics.agreement.spans import match

    return match([text], [text[1:]])


def _quote(change: str, *, whole: bool = True) -> Work:
    """Locate a quotation with an edit in its middle: three quarters of the text, or 9,000 characters of it."""

    def work(text: str) -> Any:
        from scholartools.text.quotes import locate

        length = len(text) * 3 // 4 if whole else 9_000
        return locate(text[: length // 2] + change + text[length // 2 : length], "It is so. " + text + " We end.")

    return work


def _read_json(form: str) -> Work:
    def work(text: str) -> Any:
        from pydantic import BaseModel

        from scholartools.llm import replies

        class Asked(BaseModel):
            items: list[str]

        try:
            return replies.read(form.replace("@@", text), Asked)
        except replies.ReplyFault as fault:  # expected for prose too
            return str(fault)

    return work


def _shared_runs(text: str) -> Any:
    from scholartools.text.ngrams import count_shared, longest_shared_run

    return longest_shared_run(text, text[len(text) // 2 :] + text[: len(text) // 2]), count_shared(text, text[1:])


def _instructions(text: str) -> Any:
    from scholartools.text.prompt_injection import find_instructions

    return [find_instructions(text), True]


def _keywords(text: str) -> Any:
    from scholartools.metrics.texts.keywords import keywords
    from scholartools.text.embeddings import sentence

    return [keywords(text, sentence.embedder(None).vectors), True]


def _chunks(text: str) -> Any:
    from scholartools.text import chunks

    return chunks.split_words(text, 200), chunks.n_words(text), chunks.first_words(text, 1000)


def _retrieve(text: str) -> Any:
    from scholartools.text import chunks, retrieval
    from scholartools.text.embeddings import sentence

    found = chunks.split_words(text, 200) or [text]
    index = retrieval.Index(found, sentence.embedder(None))
    return index.search(text[:2000], range(len(found)), top=5)


def _page(text: str) -> Any:
    from scholartools.tasks import facets
    from scholartools.tasks.views import facet_page

    return facet_page.render_article(facets.label({"id": "p", "abstract": text, "title": text}))


def _article(text: str) -> Any:
    """Render a paper in which claims mark 50 of every 100 characters."""
    from scholartools.tasks.views import article

    section = {"id": "s1", "heading": text[:200], "level": 1, "role": "method", "text": text}
    claims = [
        {"id": f"c{at}", "by": "m", "text": text[at : at + 50], "spans": [{"in": "s1", "start": at, "end": at + 50}]}
        for at in range(0, len(text) - 50, 100)
    ]
    return article.render({"id": "p", "title": text[:200], "sections": [section], "claims": claims}, "p1")


def _side_by_side(text: str) -> Any:
    from scholartools.tasks.views import pairs

    return pairs.differing_words(text, text[::-1])


def _typeset(text: str) -> Any:
    from scholartools.tasks.views import typeset

    return [typeset.mathml.__wrapped__(text[at : at + 2000]) for at in range(0, len(text), 2000)]


def _shown(name: str) -> Work:
    def work(text: str) -> Any:
        from scholartools.tasks.views import plain_text

        return getattr(plain_text, name)(_paper(text, abstract=text))

    return work


def _table(kind: str) -> Work:
    def work(text: str) -> Any:
        from scholartools import io
        from scholartools.tasks.tabulate.descriptions import TABLES
        from scholartools.tasks.tabulate.writing import writer

        with tempfile.TemporaryDirectory() as folder, io.open_output(f"{folder}/out.{kind}") as output:
            made = writer(TABLES["papers"], kind, f"{folder}/out.{kind}")
            made.begin(output)
            for start in range(0, len(text), 30_000):  # limit of a workbook's cell
                part = text[start : start + 30_000]
                made.write(output, made.make(_paper("We did.", abstract=part, title=part)))
            made.end(output)
        return [kind]

    return work


def _rows_of(ending: str) -> Work:
    """Read a table that holds the text, in one cell or (in workbooks) several."""

    def work(text: str) -> Any:
        from scholartools.table_files.reading import Reading, read_rows

        file = IO.BytesIO()
        if ending == "xlsx":
            import xlsxwriter

            with xlsxwriter.Workbook(file) as book:
                sheet = book.add_worksheet()
                for row in range(len(text) // 30_000 + 1):
                    sheet.write_string(row, 0, _printable(text)[row * 30_000 :][:30_000])
        else:
            cell = text.replace('"', '""').encode("utf-8", "replace")
            divider = b"," if ending == "csv" else b"\t"
            file.write(b"id" + divider + b"abstract\np" + divider + b'"' + cell + b'"\n')
        file.seek(0)
        return list(read_rows(IO.BufferedReader(file), f"a.{ending}", Reading(text_as="abstract")))

    return work


def _raw_lines(text: str) -> Any:
    from scholartools.json_text import loads_exactly

    try:
        return loads_exactly(text.encode())
    except ValueError:
        return True


#: Places without a comparison with prose, only a limit on growth: prose is copied unchanged, while each folded
#: character takes a step (3 microseconds) in the mapping back to its offset.
BESIDE_NOTHING = ("quote whole", "quote cut")

PLACES: dict[str, Work] = {
    **dict(_readings()),
    **{f"parse {name}": _parse(form, reader) for name, (reader, form) in _WHOLES.items()},
    **{f"limits {where}": _limits(where) for where in ("section", "discussion", "review")},
    **{f"claims {action}": _claims(action) for action in ("extract", "weaknesses", "associate", "label", "select")},
    "facets": _facets, "eqsynth compare": _certify("@+1"), "eqsynth same": _certify("@"), "eqsynth questions": _questions,
    "generate experiments": _experiments, "generate questions": _aims,
    **{f"judge {task}": _judge(task) for task in ("match", "entail", "facets")}, "judge review": _review,
    **{f"score {metric}": _score(metric) for metric in ("text", "extraction", "support", "match")},
    "agree parse-score": _reply(False), "agree parse-score published": _reply(True), "agree spans": _spans,
    "quote whole": _quote(""), "quote edited": _quote(" x ", whole=False), "quote cut": _quote(" x "), "reply json": _read_json('{"items": ["@@"]}'), "reply list": _read_json('{"items": [@@]}'),
    "shared runs": _shared_runs, "instructions": _instructions, "keywords": _keywords,
    "chunks": _chunks, "retrieve": _retrieve, "view page": _page, "view paper": _article, "view pair": _side_by_side, "view equation": _typeset, "view outline": _shown("outline"), "view text": _shown("text"),
    **{f"table {kind}": _table(kind) for kind in ("csv", "latex", "markdown", "xlsx")}, **{f"rows {kind}": _rows_of(kind) for kind in ("csv", "tsv", "xlsx")},
    "json line": _raw_lines,
}  # fmt: skip


#: Places at which repeated short units are compared with prose of the same length, whatever their number of sentences.
BY_LENGTH = ("facets", "limits section", "limits discussion", "limits review", "claims extract", "claims weaknesses", "claims associate",
             "claims label", "claims select", "chunks", "retrieve", "judge review", "instructions", "score text", "score extraction",
             "score support", "eqsynth compare", "eqsynth questions")  # fmt: skip


class _OutOfPatience(BaseException):
    """The work took longer than the limit of processor time."""


def more_units(text: str) -> float:
    """Length of prose with as many words and symbols, sentences, or lines, relative to the text's; at least 1.

    In scripts without spaces between words, each character counts as a word.
    """
    n_words = len(_WORD.findall(text)) + sum("\u2e80" <= letter <= "\U0003ffff" for letter in text)
    n_sentences = sum(1 for _ in _END.finditer(text))
    length = max(A_WORD * n_words, A_SENTENCE * n_sentences, A_LINE * text.count("\n"))
    return max(1.0, length / max(len(text), 1))


class Cost(NamedTuple):
    """Minimum processor time (s) at the two :data:`SIZES`, and of prose at the larger size; None if not measured.

    Attributes:
        error: error that is not a fault of the input, or the timeout.
        units: result of :func:`more_units`.
        memory: bytes at the larger size, in addition to the memory that the process had before.
        plain_memory: the same for prose.
    """

    large: float
    small: float | None = None
    plain: float | None = None
    error: str | None = None
    units: float = 1.0
    memory: int = 0
    plain_memory: int = 0

    @property
    def growth(self) -> float | None:
        """Exponent of the growth of the time with the length."""
        if self.small is None:
            return None
        return math.log(max(self.large, _LEAST) / max(self.small, _LEAST), SIZES[1] / SIZES[0])

    @property
    def ratio(self) -> float | None:
        """Time relative to that of prose with as many units."""
        return None if self.plain is None else self.large / (max(self.plain, _LEAST) * self.units)

    @property
    def is_too_much(self) -> bool:
        """Whether the cost exceeds a limit."""
        if self.error is not None or self.memory > max(NO_MEMORY, MOST * self.units * self.plain_memory):
            return True
        if self.large < NOTHING:
            return False
        return (self.growth or 0) > GROWTH or (self.ratio or 0) > MOST


def measure(work: Work, text: str, patience: float = PATIENCE, *, is_prose: bool = False) -> tuple[float, str | None]:
    """Processor time of the work (s), and its error if that is not a fault of the input."""
    from scholartools.errors import ScholartoolsError

    def stop(*_: Any) -> None:
        if time.process_time() - start > patience:
            raise _OutOfPatience

    # A timer of processor time would make the clock of processor time coarse (many milliseconds).
    signal.signal(signal.SIGALRM, stop)
    _forget()
    start, error = time.process_time(), None
    signal.setitimer(signal.ITIMER_REAL, patience, 1.0)
    try:
        work(text)
    except ScholartoolsError as fault:
        if is_prose:
            raise AssertionError(f"prose is refused: {fault.reason}") from fault
    except _OutOfPatience:
        error = f"not done in {patience:.1f} s"
    except Exception as raised:
        error = f"{type(raised).__name__}: {raised}"[:200]
        if os.environ.get("ST_TRACEBACK"):
            import traceback

            traceback.print_exc()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return time.process_time() - start, error


def _forget() -> None:
    """Clear the package's caches of results, which would reduce the cost of repeated texts and sentences."""
    for cache in _caches(len(sys.modules)):
        cache.cache_clear()


@functools.lru_cache(maxsize=1)
def _caches(_n_modules: int) -> list[Any]:
    found = [each for each in gc.get_objects() if isinstance(each, functools._lru_cache_wrapper)]
    ours = [each for each in found if str(each.__module__).startswith(("scholartools", "nltk", "rouge"))]
    return [each for each in ours if each.cache_parameters()["maxsize"] is not None]


Measured = tuple[float, int, str | None]


def cost(measure_at: Callable[[int], Measured], of_prose: Callable[[], tuple[float, int]], units: float) -> Cost:
    """Cost at the larger size, and of the smaller size and prose if it is above :data:`NOTHING` or :data:`NO_MEMORY`.

    Args:
        measure_at: function of a size that returns seconds, bytes and the error.
        of_prose: function that returns seconds and bytes of prose at the larger size.
        units: see :class:`Cost`.
    """
    large, memory, error = _least(measure_at, SIZES[1], NOTHING)
    found = Cost(large, error=error, units=units, memory=memory)
    if error is not None or (large < NOTHING and memory < NO_MEMORY):
        return found
    plain, plain_memory = of_prose()
    found = found._replace(plain=plain, plain_memory=plain_memory)
    return found if large < NOTHING else found._replace(small=_least(measure_at, SIZES[0], 0.0)[0])


def _least(measure_at: Callable[[int], Measured], size: int, enough: float) -> Measured:
    """Minimum time and maximum memory of several runs, which end if one takes less than ``enough`` or more than 5 s."""
    least, most = math.inf, 0
    for _ in range(_REPEATS):
        seconds, memory, error = measure_at(size)
        if error is not None:
            return seconds, memory, error
        least, most = min(least, seconds), max(most, memory)
        if least < enough or seconds > 5.0:
            break
    return least, most, None


def seems_lawful(
    measure_at: Callable[[int], Measured], nothing: tuple[float, int], plain: tuple[float, int], units: float
) -> bool:
    """Whether shorter texts show that the limits are kept, so that the larger size need not be measured.

    The cost above that of a tiny text is extrapolated as the square of the length; if the result would exceed a limit,
    with the exponent between a quarter of the smaller size and the smaller size, plus :data:`_MARGIN`.

    Args:
        nothing: seconds and bytes for a tiny text.
        plain: seconds and bytes for prose at the larger size.
    """
    seconds, memory, error = measure_at(SIZES[0])
    if error is not None:
        return False

    def keeps(*powers: float) -> bool:
        large, most = (
            base + (taken - base) * (SIZES[1] / SIZES[0]) ** power
            for base, taken, power in zip(nothing, (seconds, memory), powers)
        )
        found = Cost(large, seconds, plain[0], units=units, memory=int(most), plain_memory=plain[1])
        return not found.is_too_much

    if keeps(2.0, 2.0):
        return True
    shorter, less, _ = measure_at(SIZES[0] // 4)
    grown = (
        (seconds - nothing[0], shorter - nothing[0], _LEAST),
        (memory - nothing[1], less - nothing[1], _LEAST_MEMORY),
    )
    return keeps(
        *(max(1.0, math.log(max(more, least) / max(fewer, least), 4)) + _MARGIN for more, fewer, least in grown)
    )


def cost_at(place: str, make: Callable[[int], str], *, by_length: bool = False) -> Cost | None:
    """Cost of a text at a place; None if shorter texts show that the limits are kept.

    Args:
        by_length: whether to compare with prose of the same length, instead of prose with as many units.
    """
    units = 1.0 if by_length else more_units(make(SIZES[1]))

    def measure_at(size: int) -> Measured:
        return _with_memory(PLACES[place], make(size))

    if seems_lawful(measure_at, (_nothing_cost(place), 0), plain_cost(place), units):
        return None
    found = cost(measure_at, lambda: plain_cost(place), units)
    return found._replace(plain=None) if place in BESIDE_NOTHING else found


@functools.cache
def _nothing_cost(place: str) -> float:
    plain_cost(place)  # imports
    return min(measure(PLACES[place], prose(60, next(_seeds)), is_prose=True)[0] for _ in range(_REPEATS))


def _with_memory(work: Work, text: str, *, is_prose: bool = False) -> Measured:
    """Processor time (s), additional peak memory (bytes) and error of the work.

    The memory is 0 if the kernel cannot reset the peak.
    """
    ctypes.CDLL(None).malloc_trim(0)
    try:
        Path("/proc/self/clear_refs").write_text("5")
        before = _memory("VmRSS:")
    except OSError:
        before = sys.maxsize
    seconds, error = measure(work, text, is_prose=is_prose)
    return seconds, max(0, _memory("VmHWM:") - before), error


def _memory(key: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith(key))


def n_calls(work: Work, text: str) -> int:
    """Number of calls of Python and C functions: a measure of work that is independent of other processes."""
    from scholartools.errors import ScholartoolsError

    called = 0

    def count(_frame: Any, event: str, _arg: Any) -> None:
        nonlocal called
        called += event in ("call", "c_call")

    _forget()
    sys.setprofile(count)
    try:
        work(text)
    except ScholartoolsError:
        pass
    finally:
        sys.setprofile(None)
    return called


@functools.cache
def plain_cost(place: str) -> tuple[float, int]:
    """Minimum time and memory of several new texts of prose of the larger size; the memory leaves out the first run."""
    texts = [prose(SIZES[1], next(_seeds)) for _ in range(_REPEATS + 1)]
    taken = [_with_memory(PLACES[place], text, is_prose=True) for text in texts]
    assert not any(error for _, _, error in taken), f"prose at {place}: {taken}"
    least = min(seconds for seconds, _, _ in taken), min(memory for _, memory, _ in taken[1:])
    return max(least[0], _LEAST), max(least[1], _LEAST_MEMORY)
