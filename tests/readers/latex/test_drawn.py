"""Papers drawn by lot: every word that the page has stands in the record once, in its part and in its order."""

from __future__ import annotations

import re

import pytest
from support.drawn_latex import WORD, Paper
from support.latex import body, check, read

_COUNT = re.compile(r"([\d,]+) words? ")


def words_of(text: str | None) -> list[str]:
    return WORD.findall(text or "")


def differences(paper: Paper) -> list[str]:
    """Where the record and the paper differ."""
    record = read(paper.source, **{name.replace(".", "_"): text for name, text in paper.files.items()})
    check(record)
    pairs = {
        "title": (words_of(record["title"]), paper.title),
        "abstract": (words_of(record["abstract"]), paper.abstract),
    }
    pairs["headings"] = ([words_of(one["heading"]) for one in record["sections"]], [one.heading for one in paper.parts])
    for index, part in enumerate(paper.parts):
        pairs[f"section {index}"] = (words_of(record["sections"][index]["text"]), part.text)
    pairs["footnotes"] = ([words_of(one["text"]) for one in record["footnotes"]], paper.footnotes)
    pairs["captions"] = ([words_of(one["text"]) for one in record["captions"]], [one.text for one in paper.captions])
    pairs["steps"] = (
        [words_of(one.get("content")) for one in record["captions"]],
        [one.content for one in paper.captions],
    )
    told = [one["text"] for one in record["warnings"] if one["kind"] == "text-missing"]
    pairs["left out"] = (
        sum(int(number.replace(",", "")) for text in told for number in _COUNT.findall(text)),
        len(paper.left_out),
    )
    others = [one["text"] for one in record["warnings"] if one["kind"] != "text-missing"]
    return [
        f"{name}: {found} for {wanted}"
        for name, (found, wanted) in {**pairs, "warnings": (others, [])}.items()
        if found != wanted
    ]


@pytest.mark.parametrize("seeds", [range(200), pytest.param(range(1_000, 3_000), marks=pytest.mark.slow)])
def test_every_word_of_a_drawn_paper_is_in_its_place(seeds: range) -> None:
    for seed in seeds:
        paper = Paper(seed)
        assert differences(paper) == [], (seed, paper.source)


def test_what_is_left_out_is_counted_and_what_cannot_be_decided_is_told() -> None:
    table = r"\begin{table}\caption{C\footnote{One.}}\begin{tabular}{lr}a & 3\footnote{Two.} \\ b & -- \end{tabular} note\end{table}"
    record = body(rf"Text {table} \loop x \ifdim\hsize>3cm \repeat")
    assert [one["text"] for one in record["footnotes"]] == ["One.", "Two."]
    assert [one["text"] for one in record["warnings"]] == [
        "a condition that only TeX could decide: taken as false",
        '3 words of tables and 1 word beside captions are in no part of the record: "a 3 b note ..."',
    ]


def test_nothing_is_counted_where_nothing_is_left_out() -> None:
    figure = r"\begin{figure}\centering\includegraphics[width=3cm]{a}\label{b}\caption{C}\end{figure}"
    assert body(rf"Text {figure} \begin{{tabular}}{{l}}\hline\end{{tabular}}")["warnings"] == []
