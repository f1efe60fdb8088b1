"""Entries that print a mark for the authors of the entry before."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.run import st

from scholartools.readers.common.hyphenation import vocabulary_of
from scholartools.readers.common.page import Line, Span, Style
from scholartools.readers.references.entries import split_entries

FIRST = "[1] J. Roe and K. Doe, “The structure of mud,” Journal of Farms, vol. 12, pp. 1–20, 1990."
WORDS = "We weigh tides. They are heavy, as was found before by all who weighed them."
LAST = "[4] T. Poe, “A map of barriers,” Journal of Maps, vol. 3, pp. 4–9, 2001."
NAMES = ["J. Roe", "K. Doe"]


def parse(path: Path) -> dict:
    return st("st-parse", path).records[0]


def authors_of(texts: list[str]) -> list[list[str] | None]:
    lines = [Line(1, [Span(text, Style("Times", 10))], 50, 100 + 12 * at, 450, 110 + 12 * at)
             for at, text in enumerate(texts)]  # fmt: skip
    return [one["authors"] for one in split_entries(lines, vocabulary_of(texts))]


@pytest.mark.parametrize("mark", ["——,", "———.", "—,", "______,", "--- ,", "__ ,"])
def test_a_mark_says_the_authors_of_the_entry_before_and_goes_on(mark: str) -> None:
    marked = [f"[{at}] {mark} “The weight of tides {at},” Journal of Tides, vol. 2, pp. 3–5, 1992." for at in (2, 3)]
    assert authors_of([FIRST, *marked, LAST]) == [NAMES, NAMES, NAMES, ["T. Poe"]]


@pytest.mark.parametrize("opening", ["__docformat__ = restructuredtext, a file of code,", "–1 is the root,"])
def test_what_only_begins_with_a_dash_names_nobody(opening: str) -> None:
    marked = f"[2] {opening} “The weight of tides,” Journal of Tides, vol. 2, pp. 3–5, 1992."
    assert authors_of([FIRST, marked])[1] != NAMES


def test_a_mark_behind_authors_that_are_not_sure_gives_none() -> None:
    marked = "[2] ——, “The weight of tides,” Journal of Tides, vol. 2, pp. 3–5, 1992."
    unsure = "[1] D. Hanahan and R. Weinberg The hallmarks of cancer. Cell 2000."
    assert authors_of([unsure, marked]) == [None, None]


LATEX = r"""\documentclass{amsart}
\begin{document}
\title{On tides}\author{Ann Roe}\maketitle
\section{Introduction} We weigh tides in this text of a few words \cite{a,b,c}.
\begin{thebibliography}{9}
\providecommand{\bysame}{\leavevmode\hbox to3em{\hrulefill}\thinspace}
\bibitem{a} J.~Roe and K.~Doe, \emph{The structure of mud}, Journal of Farms \textbf{12} (1990), 1--20.
\bibitem{b} MARK, \emph{The weight of tides}, Journal of Tides \textbf{2} (1992), 3--5.
\bibitem{c} MARK, \emph{The weight of other tides}, Journal of Tides \textbf{3} (1993), 3--5.
\bibitem{d} T.~Poe, \emph{A map of barriers}, Journal of Maps \textbf{3} (2001), 4--9.
\end{thebibliography}
\end{document}
"""


@pytest.mark.parametrize("mark", [r"\bysame", "---", r"\textemdash\textemdash", r"\rule{3em}{0.4pt}"])
def test_a_mark_in_latex_says_the_authors_of_the_entry_before(mark: str, tmp_path: Path) -> None:
    (tmp_path / "paper.tex").write_text(LATEX.replace("MARK", mark))
    found = parse(tmp_path / "paper.tex")["references"]
    assert [one["authors"] for one in found] == [NAMES, NAMES, NAMES, ["T. Poe"]]
    assert found[1]["title"] == "The weight of tides" and found[1]["text"].startswith("—")


def test_a_mark_in_plain_text_says_the_authors_of_the_entry_before(tmp_path: Path) -> None:
    marked = "[2] ---, “The weight of tides,” Journal of Tides, vol. 2, pp. 3–5, 1992."
    entries = "\n".join([FIRST, marked, LAST.replace("[4]", "[3]")])
    (tmp_path / "paper.txt").write_text(
        f"On tides\n\nAnn Roe\n\n1 Introduction\n\n{WORDS}\n\nReferences\n\n{entries}\n"
    )
    assert [one["authors"] for one in parse(tmp_path / "paper.txt")["references"]] == [NAMES, NAMES, ["T. Poe"]]


XML = """<article><front><article-meta><title-group><article-title>On tides</article-title></title-group></article-meta>
</front><body><sec><title>Introduction</title><p>We weigh tides.</p></sec></body><back><ref-list>
<ref><mixed-citation>J. Roe and K. Doe, “The structure of mud,” Journal of Farms, vol. 12, 1990.</mixed-citation></ref>
<ref><mixed-citation>———, “The weight of tides,” Journal of Tides, vol. 2, pp. 3–5, 1992.</mixed-citation></ref>
</ref-list></back></article>"""


def test_a_mark_in_xml_says_the_authors_of_the_entry_before(tmp_path: Path) -> None:
    (tmp_path / "paper.xml").write_text(XML)
    assert [one["authors"] for one in parse(tmp_path / "paper.xml")["references"]] == [NAMES, NAMES]
