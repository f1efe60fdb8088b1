"""LaTeX sources of the accepted made papers, as arXiv gives them, and what is true of them: equations, experiments, leaks."""

from __future__ import annotations

import functools
import gzip
import io
import tarfile
from typing import NamedTuple

import pymupdf
from world import N_REJECTED, Paper, papers

#: Of the accepted papers one is not at arXiv, and one is an essay without experiments.
UNKNOWN, ESSAY = 31, 30
_LETTERS = ["xwu", "zav", "hqr", "pmg", "fbe", "ocd"]
#: What is done, and why: the key experiments of a paper, each a subsection.
EXPERIMENTS = [
    ("Main Comparison", "Compare the errors of {name} with those of the earlier system on {thing}.",
     "To see whether {name} lowers the error on {thing} beyond what the earlier system reaches."),
    ("Fewer Labels", "Train {name} with ever fewer labels, and measure its errors on {thing}.",
     "To learn how many labels {name} needs before its errors on {thing} grow."),
    ("Without the Order", "Shuffle the pages of {thing} before {name} reads them.",
     "To show that the gain of {name} comes from the order in which {thing} stand."),
    ("Other Archives", "Run {name} without any change on {thing} of other archives.",
     "To know whether {name} works on {thing} of archives that it was not made for."),
    ("Readers", "Ask readers to choose between the outputs of {name} and of the earlier system.",
     "To find out whether readers of {thing} notice that {name} errs less."),
]  # fmt: skip


class Experiment(NamedTuple):
    """An experiment of a paper as people write it down, with its reason."""

    heading: str
    text: str
    why: str

    @property
    def report(self) -> str:
        """The sentence of the paper that the experiment is known by."""
        return f"What we did was this: {self.text[0].lower()}{self.text[1:]}"


@functools.cache
def sources() -> list[Paper]:
    return [one for one in papers()[N_REJECTED:] if one.number != UNKNOWN]


@functools.cache
def experiments(paper: Paper) -> list[Experiment]:
    """Three to five; none of the essay."""
    n = 0 if paper.number == ESSAY else 3 + paper.number % 3
    return [
        Experiment(*(part.format(name=paper.name, thing=paper.thing) for part in parts)) for parts in EXPERIMENTS[:n]
    ]


def equations(paper: Paper) -> list[str]:
    """Four displays; the numbers in them are of the paper alone."""
    x, w, u = _LETTERS[paper.number % 6]
    own = 40 + paper.number
    return [
        rf"y_t = \frac{{1}}{{n + {own}}} \sum_{{i=1}}^n {w}_i {x}_{{t-i}} + \beta",
        rf"L = \sum_{{t=1}}^T (y_t - r_t)^2 + {own} \lambda {u}^2",
        rf"{w}_i = \frac{{\exp(s_i)}}{{{own} + \sum_{{j=1}}^n \exp(s_j)}}",
        rf"s_i = {own} {u} {x}_i - \gamma d_i^2",
    ]


def leaks(paper: Paper) -> list[str]:
    """Sentences before the experiments that report them."""
    if paper.number == ESSAY:
        return []
    low = f"In our experiments {paper.name} outperforms the earlier system on {paper.thing} by a wide margin."
    return [
        *paper.claims[:2],
        low,
        f"We evaluate {paper.name} on {paper.thing} and compare it with the earlier system.",
    ]


def tex(paper: Paper) -> str:
    """The paper, whose main file calls for the section on its experiments."""
    one, two, three, four = (f"\\begin{{equation}}\n{made}\n\\end{{equation}}" for made in equations(paper))
    x, w, u = _LETTERS[paper.number % 6]
    name, thing = paper.name, paper.thing
    tried = "\\input{experiments}" if experiments(paper) else ""
    return rf"""\documentclass{{article}}
\usepackage{{amsmath,graphicx}}
\title{{{paper.title}}}
\author{{Ada Made}}
\begin{{document}}
\maketitle
\begin{{abstract}}
{paper.abstract if experiments(paper) else paper.background + " " + paper.method}
\end{{abstract}}
\section{{Introduction}}
Who keeps {thing} has more of them than time. {" ".join(leaks(paper)[2:])} Earlier systems ask for a dictionary.
\section{{Method}}
{name} takes one page at a time, as Figure~\ref{{fig:way}} shows. Let ${x}_t$ be the page at the time $t$, ${w}_i$ the weight of
the page that lies $i$ steps back, and $\beta$ a constant. The state after a page is
{one}
where $n$ is the number of pages that {name} remembers. With the labels $r_t$ and the norm ${u}$ of the weights the loss is
{two}
with a factor $\lambda$ that is chosen by hand. A weight is the share of a score $s_i$ among all scores:
{three}
and the score falls with the distance $d_i$ at the rate $\gamma$:
{four}
so that pages that are far away count for little.
\begin{{figure}}
\includegraphics{{way}}
\caption{{How {name} goes from page to page.}}\label{{fig:way}}
\end{{figure}}
{tried}
\section{{Conclusion}}
Others may read {thing} with {name} now.
\end{{document}}
"""


def experiments_tex(paper: Paper) -> str:
    parts = [
        rf"""\subsection{{{one.heading}}}
{one.report} Three annotators read every page. Table~\ref{{tab:errors}} has what came out.
"""
        for one in experiments(paper)
    ]
    return rf"""\section{{Experiments}}
{"".join(parts)}\begin{{table}}
\caption{{Errors of {paper.name} and of an earlier system.}}\label{{tab:errors}}
\begin{{tabular}}{{lr}}
system & errors \\
earlier & 31.4 \\
{paper.name} & {20 + paper.number % 9}.7 \\
\end{{tabular}}
\end{{table}}
"""


def archive(paper: Paper) -> bytes:
    """What arXiv has of the paper; the same bytes each time."""
    files = {
        "main.tex": tex(paper).encode(),
        "experiments.tex": experiments_tex(paper).encode(),
        "way.png": _picture(paper),
    }
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        for name, data in files.items():
            about = tarfile.TarInfo(name)
            about.size = len(data)
            tar.addfile(about, io.BytesIO(data))
    return gzip.compress(made.getvalue(), mtime=0)


def _picture(paper: Paper) -> bytes:
    page = pymupdf.open().new_page(width=200, height=100)
    for step in range(5):
        page.draw_rect((10 + 38 * step, 40 - paper.number % 9, 36 + 38 * step, 70), color=(0, 0, step / 5))
    return page.get_pixmap().tobytes("png")
