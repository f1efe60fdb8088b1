"""Pages of whole records: texts are whole, marks are where spans are, links lead somewhere, nothing becomes markup."""

from __future__ import annotations

import copy
import json
import os
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from support import everything
from support.pages import SCRIPT, Tree
from support.run import PAPER, ROOT, ends, jsonl, st

from scholartools.tasks.views.article import render
from scholartools.tasks.views.cutting import cut
from scholartools.tasks.views.pairs import differing_words
from scholartools.tasks.views.typeset import mathml


def texts_of(html: str) -> list[str]:
    return Tree(html).read_texts()


def page_of(*records: dict) -> str:
    return st("st-view", input=jsonl(*records)).out.decode()


SPANS = some.lists(some.tuples(some.sampled_from(["limitation-1", "claim-1", "claim-2"]), some.integers(0, 30), some.integers(0, 30)))  # fmt: skip


@given(some.text(max_size=25), SPANS)
def test_pieces_are_the_text_and_name_what_covers_them(text, spans):
    at = 0
    for piece in cut(text, spans):
        assert set(piece.names) == {name for name, a, b in spans if a <= at < min(b, len(text))}
        assert set(piece.begins) == {name for name, a, b in spans if a == at < min(b, len(text))}
        assert piece.text == text[at : at + len(piece.text)] != ""
        at += len(piece.text)
    assert at == len(text)


@settings(max_examples=60)
@given(
    some.text(some.characters(exclude_categories=["Cs"]), min_size=1, max_size=60),
    some.lists(some.tuples(some.integers(0, 60), some.integers(1, 20)), max_size=6),
)
def test_a_page_has_the_text_of_the_record_whatever_is_marked(text, places):
    spans = [(start, min(start + length, len(text))) for start, length in places if start < len(text)]
    claims = [
        {"id": f"c{n}", "by": "m", "text": text[a:b], "spans": [{"in": "abstract", "start": a, "end": b}]}
        for n, (a, b) in enumerate(spans)
    ]
    html = render({"id": "p", "abstract": text, "claims": claims}, "p1").html
    # a parser of HTML reads a carriage return as a line feed, and a browser shows no NUL
    assert texts_of(html) == [text] or set(text) & set("\r\0")
    covered = {at for a, b in spans for at in range(a, b)}
    if not set(text) & set("\r\0"):
        assert Tree(html).marked("claim") == "".join(text[at] for at in sorted(covered))


class TestArticle:
    def test_all_that_a_record_holds_is_on_its_page(self):
        """Every text of a record, wherever it stands, is read on the page, but for what is an id or a fingerprint."""
        for seed in range(4):
            record = everything.whole_record(seed)
            article = render(record, "p1")
            assert article.problems == []
            page = " ".join("".join(text for where, text in Tree(article.html).texts if "b.tag" not in where).split())
            for text in strings_of(record):
                assert " ".join(text.split()) in page, text

    def test_every_link_leads_to_one_place(self):
        record = everything.whole_record(3)
        tree = Tree(render(record, "p1").html)
        ids = [attributes["id"] for _, attributes in tree.elements if "id" in attributes]
        assert len(ids) == len(set(ids))
        links = [attributes["href"] for name, attributes in tree.elements if name == "a"]
        assert links and {link.removeprefix("#") for link in links} <= set(ids)
        marks = [one for one in ids if one.endswith("-mark")]
        assert {one.removesuffix("-mark") for one in marks} <= set(ids) and marks

    def test_an_item_with_many_like_places_has_one_mark_that_its_card_leads_to(self):
        """Further marks took ids of the lengths of their pieces, so that two could have one id."""
        text = "one two one two one two"
        spans = [{"in": "abstract", "start": start, "end": start + 3} for start in (0, 8, 16)]
        claim = {"id": "c1", "by": "m", "text": "one one one", "spans": spans}
        html = render({"id": "p", "abstract": text, "claims": [claim]}, "p1").html
        ids = [attributes["id"] for _, attributes in Tree(html).elements if "id" in attributes]
        assert len(ids) == len(set(ids)) and ids.count("p1-claim-1-mark") == 1 and html.count("<mark") == 3

    def test_a_bad_part_costs_itself_alone(self):
        record = everything.whole_record(1)
        whole = texts_of(render(record, "p1").html)
        for key in (
            "limitations",
            "claims",
            "weaknesses",
            "generated",
            "judgements",
            "facets",
            "annotations",
            "scores",
        ):
            for bad in (7, [7], {"a": 1}, [{"id": 1}]):
                spoiled = {**copy.deepcopy(record), key: bad}
                article = render(spoiled, "p1")
                texts = texts_of(article.html)
                assert texts[: len(whole)] == whole, (key, bad)
                Tree(article.html)
        assert render({**record, "claims": 7}, "p1").problems == ['Claims: "claims" is not a list of objects']

    def test_a_place_that_holds_another_text_is_not_marked(self):
        claim = {"id": "c1", "by": "m", "text": "three", "spans": [{"in": "abstract", "start": 0, "end": 5}]}
        html = render({"id": "p", "abstract": "three words", "claims": [claim]}, "p1").html
        assert Tree(html).marked("claim") == "three"
        html = render({"id": "p", "abstract": "other words", "claims": [claim]}, "p1").html
        assert Tree(html).marked("claim") == "" and "holds another text now" in html
        gone = {**claim, "spans": [{"in": "s9", "start": 0, "end": 5}]}
        assert "is not shown" in render({"id": "p", "abstract": "three words", "claims": [gone]}, "p1").html

    def test_pairs_come_matched_first_and_unmatched_items_are_named(self):
        truth, said = [{"id": "l1", "text": "One valley."}, {"id": "l2", "text": "Two summers."}], []
        said = [{"id": "g1", "text": "A single valley."}, {"id": "g2", "text": "No code."}]
        pairs = [
            {"reference": "l1", "candidate": "g2", "match": False},
            {"reference": "l1", "candidate": "g1", "match": True},
        ]
        record = {
            "id": "p", "abstract": "a", "limitations": truth, "generated": {"limitations": [{"system": "m", "items": said}]},
            "judgements": {"match": [{"system": "m", "pairs": pairs}]},
        }  # fmt: skip
        html = render(record, "p1").html
        verdicts = re.findall(r'<section class="pair \w+">\s*<h4>(.*?)</h4>', html)
        assert verdicts == ["match", "missed: no item matches it", "matches nothing in the reference", "no match"]

    def test_words_that_differ_are_marked_and_texts_stay_whole(self):
        left, right = differing_words("The farms lie in one valley.", "All farms lie in a valley.")
        assert "".join(word for word, _ in left) == "The farms lie in one valley."
        assert [word.strip() for word, differs in left if differs] == ["The", "one"]
        assert [word.strip() for word, differs in right if differs] == ["All", "a"]


@given(some.text(max_size=40), some.text(max_size=40))
def test_aligned_texts_are_the_texts(one, other):
    left, right = differing_words(one, other)
    assert ("".join(word for word, _ in left), "".join(word for word, _ in right)) == (one, other)


def strings_of(value: object, key: str = "") -> list[str]:
    """The sentences of a record: texts with a blank, which no id has."""
    if isinstance(value, str):
        return [value] if " " in value else []
    if isinstance(value, dict):
        return [text for name, one in value.items() for text in strings_of(one, name)]
    return [text for one in value for text in strings_of(one)] if isinstance(value, list) else []


def spoil(value: object) -> object:
    """A record with markup in every text and in every name that is not of the schema."""
    if isinstance(value, str):
        return value + SCRIPT if " " in value else value
    if isinstance(value, dict):
        return {name: spoil(one) for name, one in value.items()} | {SCRIPT: SCRIPT}
    return [spoil(one) for one in value] if isinstance(value, list) else value


class TestHostile:
    def test_nothing_in_a_record_becomes_markup(self):
        record = {**everything.whole_record(2), "title": SCRIPT, "id": SCRIPT, "authors": [SCRIPT]}
        record = {key: spoil(value) if key != "judgements" else value for key, value in record.items()}
        mild = json.loads(json.dumps(record).replace("<", "("))
        tree, plain = Tree(page_of(record)), Tree(page_of(mild))
        assert [name for name, _ in tree.elements] == [name for name, _ in plain.elements]
        assert {name for name, _ in tree.elements}.isdisjoint({"img", "iframe", "object", "base", "link"})
        assert [name for name, _ in tree.elements].count("script") == 1
        keys = {key for _, attributes in tree.elements for key in attributes}
        assert not {key for key in keys if key.startswith("on")} and "src" not in keys and "style" not in keys

    @pytest.mark.parametrize("latex", [r"\text{<img src=x>}", r"\text{<script>a</script>}", r"\href{javascript:x}{y}", r"\mbox{<mi onclick='x'>a</mi>}", r"\unknown{x}", "{" * 3000, "x" * 5000])  # fmt: skip
    def test_an_equation_that_would_become_markup_is_not_typeset(self, latex):
        assert mathml(latex) is None

    def test_equations_are_typeset(self):
        for latex in (
            r"\frac{a}{b}",
            r"a &= b \\ c &= d",
            r"\begin{aligned}a &= b\end{aligned}",
            r"x < y",
            r"\hat{\alpha}_1 .",
        ):
            made = mathml(latex)
            assert made and made.startswith("<math") and made.count("<m") == made.count("</m") + made.count("/>")


class TestCommand:
    def test_a_real_paper_from_the_command_line(self, tmp_path):
        record = st("st-parse", PAPER).out
        record = st("st-claims", "extract", input=st("st-extract-limits", input=record).out).out
        done = st("st-view", "--output", tmp_path / "page.html", input=record)
        assert (done.status, done.err, done.out) == (0, "", b"")
        html = (tmp_path / "page.html").read_text()
        paper = json.loads(record)
        assert texts_of(html) == [paper["abstract"], *(section["text"] for section in paper["sections"])]
        assert html.count('class="card claim"') == len(paper["claims"])
        assert st("st-view", input=record).out.decode() == html

    def test_a_folder_has_the_articles_of_the_page(self, tmp_path):
        records = [everything.whole_record(n, f"p{n}") for n in range(5)]
        whole = page_of(*records)
        assert st("st-view", "--split", "2", "--output", tmp_path / "pages", input=jsonl(*records)).status == 0
        names = sorted(path.name for path in (tmp_path / "pages").iterdir())
        assert names == ["index.html", "papers-0001.html", "papers-0002.html", "papers-0003.html"]
        articles = re.findall(r'<article class="paper".*?</article>', whole, re.S)
        parts = [(tmp_path / "pages" / name).read_text() for name in names[1:]]
        assert [
            one for part in parts for one in re.findall(r'<article class="paper".*?</article>', part, re.S)
        ] == articles
        index = Tree((tmp_path / "pages" / "index.html").read_text())
        for href in (attributes["href"] for name, attributes in index.elements if name == "a"):
            page, _, anchor = href.partition("#")
            assert anchor == "content" or f'id="{anchor}"' in (tmp_path / "pages" / page).read_text()
        again = st("st-view", "--split", "2", "--output", tmp_path / "pages", input=jsonl(*records))
        assert again.status == 2 and "not empty" in again.err

    def test_what_cannot_be_shown_is_told(self):
        done = st(
            "st-view", input=jsonl({"id": "a", "abstract": "Text.", "claims": 7}, {"id": "b", "abstract": "Text."})
        )
        assert done.status == 1 and 'a: not shown: Claims: "claims" is not a list of objects' in done.err
        assert done.out.count(b'<article class="paper"') == 2
        done = st("st-view", input=b"not json\n")
        assert done.status == 3 and done.out == b""

    def test_a_page_asks_for_nothing(self):
        html = page_of(*(everything.whole_record(n, f"p{n}") for n in range(2)))
        tree = Tree(html)
        assert "default-src 'none'" in html and not re.search(r"url\(|@import|https?://(?!www\.w3\.org)", html)
        hrefs = [attributes["href"] for _, attributes in tree.elements if "href" in attributes]
        assert all(href.startswith("#") for href in hrefs)

    def test_pictures_come_only_when_asked_for(self, tmp_path):
        picture = tmp_path / "figure.png"
        picture.write_bytes(b"\x89PNG\r\n\x1a\n")
        caption = {"id": "figure1", "kind": "figure", "label": "Figure 1", "text": "A line.", "image": str(picture)}
        record = {"id": "p", "abstract": "a", "captions": [caption, {**caption, "id": "f2", "image": "gone.png"}]}
        assert b"<img" not in st("st-view", input=jsonl(record)).out
        done = st("st-view", "--images", input=jsonl(record))
        assert done.out.count(b'<img src="data:image/png;base64,iVBOR') == 1
        assert "1 picture could not be read" in done.err

    @pytest.mark.slow
    def test_questions_of_equations_show_their_options(self):
        found = st("st-eqsynth", "questions", input=st("st-parse", ROOT / "fixtures/paper/paper.tex").out).out
        page = st("st-view", input=found).out.decode()
        n_questions = len(found.splitlines())
        assert n_questions and page.count(": right</figcaption>") == n_questions
        assert page.count("<math ") == 4 * n_questions and "certificate" in page


@pytest.mark.parametrize("span", [[3], {"in": "abstract", "start": "6", "end": 9}, {"in": "abstract", "start": 6.0, "end": 9},
                                  {"in": "abstract"}, {"in": ["x"], "start": 1, "end": 2}, {"in": "abstract", "start": -5, "end": 3}])  # fmt: skip
def test_a_span_of_another_shape_costs_its_mark_alone(span):
    claims = [{"id": "c1", "by": "m", "text": "Bees", "spans": [span]}]
    record = {"id": "p", "title": "T", "abstract": "Bees decline.\r\nSo do\rwasps.", "claims": claims}
    done = st("st-view", input=jsonl(record), is_described=False)
    assert done.status == 1 and "internal error" not in done.err
    assert Tree(done.out.decode()).read_texts() == [record["abstract"]]


def test_many_nested_marks_and_blanks_stay_small():
    claims = [
        {"id": f"c{n}", "by": "m", "text": "x", "spans": [{"in": "abstract", "start": n, "end": 2000 - n}] * 2}
        for n in range(900)
    ]
    done = st("st-view", input=jsonl({"id": "p", "title": "T", "abstract": "y" * 2000, "claims": claims}))
    assert len(done.out) < 3_000_000
    with ends(20):
        assert "".join(text for text, _ in differing_words(" " * 100_000, "a b")[0]) == " " * 100_000


def test_pictures_are_files_of_pictures_within_the_bound(tmp_path):
    os.mkfifo(tmp_path / "x.png")
    (tmp_path / "secret.png").write_bytes(b"root:x:0:0")
    with (tmp_path / "large.png").open("wb") as file:
        file.truncate(3 * 2**30)
    captions = [
        {"id": name, "kind": "figure", "label": "1", "text": name, "image": str(tmp_path / name)}
        for name in ("x.png", "secret.png", "large.png")
    ]
    done = st("st-view", "--images", input=jsonl({"id": "p", "title": "T", "captions": captions}), is_described=False)
    assert b"data:image" not in done.out
    assert "3 pictures could not be read" in done.err
