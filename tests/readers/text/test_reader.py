"""Plain text and Markdown: what is a heading, what is a paragraph, and that nothing of the text is lost."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import run

from scholartools.errors import InputFault
from scholartools.readers.text import reader as text
from scholartools.schemas.paper import Paper

MARKDOWN = """---
title: "On *Raters*"
author: [Jane Doe, {name: John Roe}]
---

# On Raters

Department of Tests

## Abstract

Raters [differ](http://example.org). They
are obser-
vations.

**Keywords:** raters, items

## 1 Introduction

Some **bold**, _slanted_ and `code_x` words with $a_i * b_* c$ at 10<sup>5</sup>.[^1]

$$
E = mc^2
- x
$$

- item one
- item *two*
  goes on

1. first
2. second

![Figure 1: How wide it is.](a.png)

```python
# no heading
x = 1
```

| a | b |
|---|---|
| 1 | 2 |

### 1.1 Details &amp; more

A \\* star.

[^1]: A note with *marks*.

## Limitations

Small.

## References

1. Roe J. (2020). Wide intervals here. Journal 3.
2. Doe, J. 2021. "Narrow intervals here." arXiv:2101.00001.
"""

PLAIN = """A Study of Raters

Jane Doe and John Roe
University of Tests

Abstract

Raters differ, as every stu-
dent knows.  They are few.

Keywords: raters

1 Introduction

First paragraph is here
and goes on.
    An indented one is another.

We do:

1. First thing.
2. Second thing
   with more.

2 Method
Text follows at once. It is
here.

2.1 Raters and Items

Table 1: How many there were.

Each rater has 3
items.

LIMITATIONS

It is small.

A Proofs

By looking.

References

[1] A. Roe. Wide intervals here. Journal, 2020.
[2] B. Doe. Narrow
    intervals. Journal, 2021.
"""


def read(source: str | bytes) -> dict:
    record = text.read(source.encode() if isinstance(source, str) else source)
    Paper.model_validate({"id": "x", **{key: value for key, value in record.items() if key not in ("format", "pages")}})
    for section in record["sections"]:
        parts = section["text"].split("\n\n")
        assert section["text"] == "\n\n".join(" ".join(part.split()) for part in parts)
    return record


def outline(record: dict) -> list[tuple]:
    return [(one["number"], one["heading"], one["level"], one["role"]) for one in record["sections"]]


def fault(data: bytes) -> InputFault:
    with pytest.raises(InputFault) as raised:
        text.read(data)
    assert "\n" not in raised.value.reason
    return raised.value


class TestMarkdown:
    record = read(MARKDOWN)

    def test_front(self):
        assert self.record["title"] == "On *Raters*"
        assert self.record["authors"] == ["Jane Doe", "John Roe"]
        assert self.record["abstract"] == "Raters differ. They are observations."

    def test_outline(self):
        assert outline(self.record) == [
            ("1", "Introduction", 1, "introduction"),
            ("1.1", "Details & more", 2, "other"),
            (None, "Limitations", 1, "limitation"),
        ]

    def test_marks_go_and_formulas_code_and_items_stay(self):
        assert self.record["sections"][0]["text"].split("\n\n") == [
            "Some bold, slanted and code_x words with $a_i * b_* c$ at 10^5.",
            "$$ E = mc^2 - x $$",
            "• item one",
            "• item two goes on",
            "1. first",
            "2. second",
            "# no heading",
            "x = 1",
        ]
        assert self.record["sections"][1]["text"] == "A * star."

    def test_captions_footnotes_and_references_stand_apart(self):
        assert [(one["id"], one["text"]) for one in self.record["captions"]] == [
            ("figure1", "Figure 1: How wide it is.")
        ]
        assert self.record["footnotes"] == [{"text": "1 A note with marks.", "page": None}]
        assert [(one["title"], one["year"], one["arxiv"]) for one in self.record["references"]] == [
            ("Wide intervals here", 2020, None),
            ("Narrow intervals here", 2021, "2101.00001"),
        ]

    def test_setext_headings_and_titles_without_front_matter(self):
        record = read("On Raters\n=========\n\nJane Doe\n\nAims\n----\n\nOne.\n\nResults\n-------\n\nTwo.\n")
        assert (record["title"], record["authors"]) == ("On Raters", ["Jane Doe"])
        assert [(one["heading"], one["level"], one["text"]) for one in record["sections"]] == [
            ("Aims", 1, "One."),
            ("Results", 1, "Two."),
        ]

    def test_all_headings_with_one_mark_take_levels_from_numbers(self):
        record = read("# On Raters\n\n# Abstract\n\nShort.\n\n# 1 Aims\n\na\n\n# 1.1 Scope\n\nb\n\n# Conclusion\n\nc\n")
        assert (record["title"], record["abstract"]) == ("On Raters", "Short.")
        assert [(one["number"], one["level"]) for one in record["sections"]] == [("1", 1), ("1.1", 2), (None, 1)]

    def test_headings_in_bold(self):
        record = read(
            "# On Raters\n\n**Abstract**\n\nShort.\n\n**1. Introduction**\n\na **Results** b\n\n**Only bold.**\n"
        )
        assert record["abstract"] == "Short."
        assert outline(record) == [("1", "Introduction", 1, "introduction")]
        assert record["sections"][0]["text"] == "a Results b\n\nOnly bold."

    def test_a_first_heading_that_names_a_section_is_no_title(self):
        record = read("## Introduction\n\nOne.\n\n## Method\n\nTwo.\n")
        assert record["title"] is None
        assert [one["heading"] for one in record["sections"]] == ["Introduction", "Method"]

    def test_a_rule_in_plain_text_makes_no_heading(self):
        record = read("Introduction\n\nSizes  of all\n-------------\na      1\n\nMethod\n\nTwo.\n")
        assert [one["heading"] for one in record["sections"]] == ["Introduction", "Method"]

    def test_html_in_markdown(self):
        record = read(
            "# On Raters\n\n<!-- hidden -->\n\n## Aims\n\n<div>Inside</div>\n\n<table><tr><td>9</td></tr></table>\n"
        )
        assert record["sections"][0]["text"] == "Inside"


class TestPlainText:
    record = read(PLAIN)

    def test_front(self):
        assert self.record["title"] == "A Study of Raters"
        assert self.record["authors"] == ["Jane Doe", "John Roe"]
        assert self.record["abstract"] == "Raters differ, as every student knows. They are few."

    def test_outline(self):
        assert outline(self.record) == [
            ("1", "Introduction", 1, "introduction"),
            ("2", "Method", 1, "method"),
            ("2.1", "Raters and Items", 2, "other"),
            (None, "LIMITATIONS", 1, "limitation"),
            ("A", "Proofs", 1, "appendix"),
        ]

    def test_lines_are_joined_to_paragraphs_and_items_are_not(self):
        assert self.record["sections"][0]["text"].split("\n\n") == [
            "First paragraph is here and goes on.",
            "An indented one is another.",
            "We do:",
            "1. First thing.",
            "2. Second thing with more.",
        ]
        assert self.record["sections"][1]["text"] == "Text follows at once. It is here."

    def test_captions_and_references(self):
        assert [(one["id"], one["label"]) for one in self.record["captions"]] == [("table1", "Table 1")]
        assert self.record["sections"][2]["text"] == "Each rater has 3 items."
        assert [one["text"] for one in self.record["references"]] == [
            "[1] A. Roe. Wide intervals here. Journal, 2020.",
            "[2] B. Doe. Narrow intervals. Journal, 2021.",
        ]

    def test_a_table_of_contents_and_lists_are_no_headings(self):
        record = read(
            "On Raters\n\nAbstract\n\nShort.\n\nContents\n\n1 Introduction\n\n2 Method\n\n2.1 Items\n\n3 End\n\n"
            "1 Introduction\n\nIn 2020 we began.\n\n1. Buy it\n\n2. Use it\n\nThen:\n\n2 Method\n\nb\n\n2.1"
            " Items\n\nc\n\n3 End\n\nd\n"
        )
        headings = [(one["number"], one["text"]) for one in record["sections"] if one["number"]]
        assert headings[1:] == [("2", "b"), ("2.1", "c"), ("3", "d")]
        assert headings[0][0] == "1"
        assert "1. Buy it\n\n2. Use it" in headings[0][1]

    @pytest.mark.parametrize(
        "line",
        ["5 Of these were lost", "2020 was a good year", "1. We show that raters differ.", "0.5 Of all",
         "We have results",
         "1 Introduction ........ 3", "3.1 4.2 5.5 6.1", "the method", "1 introduction of it"],
    )  # fmt: skip
    def test_lines_that_are_no_headings(self, line):
        record = read(f"1 Aims\n\nOne.\n\n{line}\n\nTwo.\n")
        assert len(record["sections"]) == 1
        assert line.split()[-1].strip(".") in record["sections"][0]["text"]

    def test_run_in_abstract(self):
        record = read(
            "On Raters\n\nAbstract— Raters differ.\n\nIndex Terms: raters\n\nI. INTRODUCTION\n\nOne.\n\nII."
            " METHOD\n\nTwo.\n"
        )
        assert record["abstract"] == "Raters differ."
        assert [(one["number"], one["role"]) for one in record["sections"]] == [("I", "introduction"), ("II", "method")]

    def test_without_headings_all_text_is_one_section(self):
        record = read("One line\ngoes on.\n\nAnother paragraph.\n")
        assert record["title"] is None
        assert outline(record) == [(None, "", 1, "other")]
        assert record["sections"][0]["text"] == "One line goes on.\n\nAnother paragraph."

    def test_long_lines_are_paragraphs(self):
        long = "word " * 40
        record = read(f"{long.strip()}.\n{long.strip()} again.\n")
        assert record["sections"][0]["text"].count("\n\n") == 1

    @pytest.mark.parametrize(
        ("lines", "count"),
        [
            ("A. Roe. One thing. 2020.\nB. Doe. Other thing. 2021.", 2),
            ("A. Roe. One thing.\n   Journal, 2020.\nB. Doe. Other thing.\n   Journal, 2021.", 2),
            ("A. Roe. One\nthing. 2020.\n\nB. Doe. Other\nthing. 2021.", 2),
            ("1. A. Roe. One thing. 2020.\n2. B. Doe. Other\nthing. 2021.\n3. C. Poe. Third. 2022.", 3),
            ("[Roe20] A. Roe. One thing. 2020.\n[Doe21] B. Doe. Other thing.\n2021.", 2),
        ],
    )
    def test_references_are_split(self, lines, count):
        assert len(read(f"Introduction\n\nText.\n\nReferences\n\n{lines}\n")["references"]) == count


class TestFiles:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_encodings_and_line_ends(self, encoding, end):
        data = PLAIN.replace("Raters", "Ráters").replace("\n", end).encode(encoding)
        assert text.looks_like(data)
        record = read(data)
        assert record == {**TestPlainText.record, **record, "warnings": []}
        assert record["title"] == "A Study of Ráters"
        assert outline(record)[0] == outline(TestPlainText.record)[0]

    @pytest.mark.parametrize("extra", [b"\x93so\x94", b"\x81"])
    def test_what_is_not_utf_8_is_read_with_a_warning(self, extra):
        record = read("Größe ".encode("latin-1") + extra + b" of it.\n")
        assert record["warnings"][0]["kind"] == "encoding"
        assert record["sections"][0]["text"].startswith("Größe")

    @pytest.mark.parametrize(
        ("data", "kind"),
        [
            (b"", "no-text"),
            (b" \n\t\r\n", "no-text"),
            (b"\xef\xbb\xbf", "no-text"),
            (b"# Only\n\n## Headings\n", "no-text"),
            (b"<!DOCTYPE html>\n<html><body>x</body></html>", "unreadable"),
            (b"\n <HTML><p>x", "unreadable"),
            (b"<?xml version='1.0'?><TEI/>", "unreadable"),
            (b"%PDF-1.5\nx", "unreadable"),
            (b"{\\rtf1 x}", "unreadable"),
            (b"\x89PNG\r\n\x1a\n\0\0", "unreadable"),
            (b"a\0b", "unreadable"),
            (b"\xff\xfea", "unreadable"),
        ],
    )
    def test_what_is_no_text_is_refused_in_one_line(self, data, kind):
        assert fault(data).kind == kind
        assert text.looks_like(data) == (kind == "no-text" and data[:1] == b"#")

    @pytest.mark.parametrize(
        "source",
        ["#" * 1_000_000 + " x", "x " + "[" * 300_000, "# a\n\n" + "`a" * 100_000, "# a\n\n" + "*a " * 100_000,
         "a-\n" * 20_000,
         "# a\n\n" + "<!--" * 50_000, "# a\n\n" + "$$" * 100_000, "# a\n\n" + "\\[" * 100_000,
         "# a\n\nb\n" + ">" * 200_000,
         "Abstract: " * 20_000, ". " * 200_000, "a" + " " * 500_000 + "b"],
        ids=range(12),
    )  # fmt: skip
    def test_junk_is_read_in_linear_time(self, source):
        assert read(source)["sections"] or read(source)["abstract"]

    @settings(max_examples=200)
    @given(st.text(alphabet=st.sampled_from(list("aB1.#-*_`[]()|$<>!~=: \n\t\\&;é\ue000\ue001")), max_size=200))
    def test_any_text_ends_as_record_or_fault(self, source):
        try:
            read(source)
        except InputFault as error:
            assert "\n" not in error.reason

    @settings(max_examples=40)
    @given(st.lists(st.from_regex(r"[a-z]{2,9}( [a-z]{2,9}){3,20}\.", fullmatch=True), min_size=1, max_size=6))
    def test_no_word_of_prose_is_lost(self, paragraphs):
        record = read("\n\n".join(paragraphs))
        found = re.findall(r"\w+", " ".join(section["text"] for section in record["sections"]))
        assert found == re.findall(r"\w+", " ".join(paragraphs))


def test_a_text_about_objects_is_no_pdf(tmp_path):
    """Every word that began with "obj" was once taken for the mark of a damaged PDF."""
    path = tmp_path / "paper.txt"
    path.write_text(
        "On objects\n\nAbstract\n\nOur objective is to count 3 0 objects.\n\n1 Introduction\n\nAn object is one.\n"
    )
    result = run.st("st-parse", path)
    assert (result.status, result.records[0]["source"]["format"]) == (0, "text")


@pytest.mark.parametrize(
    ("author", "names"),
    [
        ("Anna Smith, Ben Jones", ["Anna Smith", "Ben Jones"]),
        ("Anna Smith, Ben Jones, and Eve de la Cruz", ["Anna Smith", "Ben Jones", "Eve de la Cruz"]),
        ("A. Smith & B. Jones", ["A. Smith", "B. Jones"]),
        *(
            (one, [one])
            for one in ("Smith, John", "Anna Smith, PhD", "Smith, Anna and Jones, Ben", "Procter and Gamble")
        ),
    ],
)
def test_names_in_one_text_of_the_front_matter_are_told_apart_where_each_is_whole(author, names):
    assert read(f'---\ntitle: T\nauthor: "{author}"\n---\n\n# One\n\nText.\n')["authors"] == names


@pytest.mark.parametrize(
    "front", ["title: A\nauthor: &me Ann Bee\ncontact: *me", "title: [unclosed\nauthor: Ann", "a: b: c"]
)
def test_front_matter_that_cannot_be_read_is_left_out_with_a_warning(front):
    """Its lines were the title and the text, without a word."""
    record = read(f"---\n{front}\n---\n\n# Bees\n\n## Intro\n\nBees fell on all farms.\n")
    assert (record["title"], record["authors"]) == ("Bees", [])
    assert [section["text"] for section in record["sections"]] == ["Bees fell on all farms."]
    assert [one["kind"] for one in record["warnings"]] == ["front-matter"]
