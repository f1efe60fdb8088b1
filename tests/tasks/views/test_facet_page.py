"""The page that shows facets: whole texts, marks where the spans are, numbers beside them, nothing of a record as markup."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as some
from support.pages import SCRIPT, Tree
from support.run import ABSTRACT, ROOT, jsonl, st

from scholartools.errors import InputFault
from scholartools.tasks import facets, score
from scholartools.tasks.views import facet_page as page
from scholartools.tasks.views.cutting import cut_facets as split_pieces
from scholartools.tasks.views.facet_numbers import numbers_of
from scholartools.vocabulary import FACETS


def read(html: str) -> Tree:
    return Tree(html)


def span(name: str, start: int, end: int) -> dict:
    return {"in": name, "start": start, "end": end}


def facet_set(text: str, name: str = "abstract", by: str = "model", **places: tuple[int, int]) -> dict:
    found = {facet: None for facet in FACETS}
    for facet, (start, end) in places.items():
        found[facet] = {"text": text[start:end], "spans": [span(name, start, end)]}
    return {"in": name, "by": by, **found}


def whole(*records: dict, failed: int = 0) -> str:
    made = page.Page()
    for record in records:
        made.add(record)
    return "".join(made.finish(failed))


@pytest.fixture(scope="module")
def scored() -> dict:
    """A paper with two systems, labelled, rated and scored."""
    summaries = [{"system": "one", "text": ABSTRACT[:120]}, {"system": "two", "text": ABSTRACT[120:]}]
    ratings = {"background": 3, "method": 2.5, "result": None, "conclusion": 1}
    entry = {"system": "one", "by": "anna", "ratings": ratings, "reasons": {"conclusion": "nothing in the summary"}}
    record = {"id": "p", "title": "A title", "abstract": ABSTRACT, "summaries": summaries}
    return score.score({**facets.label(record), "judgements": {"facets": [entry]}}, ["facets"])


class TestPieces:
    @given(
        some.text(max_size=40),
        some.lists(some.tuples(some.sampled_from(FACETS), some.integers(0, 40), some.integers(0, 40))),
    )
    def test_they_are_the_text_and_know_what_covers_them(self, text, places):
        found = {
            facet: {"spans": [span("abstract", a, b) for name, a, b in places if name == facet]} for facet in FACETS
        }
        at = 0
        for piece in split_pieces(text, found):
            covering = {name for name, a, b in places if a <= at < min(b, len(text))}
            assert set(piece.names) == covering
            assert set(piece.begins) == {name for name, a, b in places if a == at < min(b, len(text))}
            assert piece.text == text[at : at + len(piece.text)] != ""
            at += len(piece.text)
        assert at == len(text)

    def test_many_spans_take_no_quadratic_time(self):
        text = "x" * 100_000
        spans = [span("abstract", at, len(text) - at) for at in range(20_000)]
        assert sum(1 for _ in split_pieces(text, {"method": {"spans": spans}})) == 39_999


class TestNumbers:
    def test_ratings_and_scores_stand_side_by_side(self):
        ratings = {"background": 3, "method": 2.5, "result": None, "conclusion": 1}
        values = {"overall.rouge1": 0.256, "overall.score": 0.5, "method.rouge1": None, "method.score": 0.625}
        reasons = {"method.rouge1": "no method in the abstract", "result.score": "not shown twice"}
        made = numbers_of({"ratings": ratings}, [{"metric": "facets", "values": values, "reasons": reasons}])
        assert made.columns == ["rating", "rouge1"]
        shown = {part: [cell.text for cell in row] for part, row in made.rows.items()}
        assert shown == {
            "overall": ["0.50", "0.26"],
            "background": ["3/3", ""],
            "method": ["2.5/4", "–"],
            "result": ["–", ""],
            "conclusion": ["1/3", ""],
        }
        assert [made.rows[part][0].share for part in ("overall", "method", "result")] == [0.5, 0.625, None]
        assert made.reasons == ["no result in the abstract", "no method in the abstract"]

    def test_scores_without_ratings_keep_their_names(self):
        entries = [
            {"metric": "facets", "values": {"overall.score": 0.5}, "reasons": {}},
            {"metric": "soft", "values": {"f1": 0.25, "n": None}, "reasons": {"n": "empty"}},
            {"metric": "support", "values": {"method.rouge1": 0.125}, "reasons": {}},
        ]
        made = numbers_of(None, entries)
        assert made.columns == ["score", "support rouge1"]
        assert made.others == {"soft": [("f1", "0.25"), ("n", "–")]}
        assert made.reasons == ["empty"]

    def test_nothing_is_nothing(self):
        assert not numbers_of(None, [])


class TestPage:
    def test_every_text_is_whole_and_marked_where_its_facets_are(self, scored):
        tree = read(whole(scored))
        assert "".join(tree.said(r"section\.abstract .*p\.text", without=r"b\.tag")) == ABSTRACT
        systems = "".join(tree.said(r"section\.system .*p\.text", without=r"b\.tag"))
        assert systems == "".join(summary["text"] for summary in scored["summaries"])
        for facet in FACETS:
            found = scored["facets"][0][facet]
            marked = tree.said(rf"section\.abstract .*mark\.{facet} span")
            assert " ".join(marked) == (found["text"] if found else "")

    def test_it_reads_without_colour(self, scored):
        tree = read(whole(scored))
        letters = tree.said(r"section\.abstract .*b\.tag \w+ i")
        assert letters == [facet[0].upper() for facet in FACETS if scored["facets"][0][facet]]
        assert [text.strip() for text in tree.said(r"fieldset.* label\.$", without="tag")] == list(FACETS)
        missing = [facet for facet in FACETS if not scored["facets"][1][facet]]
        assert f"Not in this text: {', '.join(missing)}." in tree.said("section.system p.note")

    def test_numbers_stand_beside_their_system(self, scored):
        one, two = re.findall(r'<section class="system">.*?</section>', whole(scored), re.S)
        assert [text for text in read(one).said(r"td\. span\.bar") if "/" in text] == ["3/3", "2.5/4", "1/3"]
        assert "ratings: anna" in one and "nothing in the summary" in one
        assert "ratings:" not in two and "no ratings of this system" in two

    def test_a_page_needs_no_network_and_no_script(self, scored):
        html = whole(scored)
        tree = read(html)
        assert html.startswith("<!doctype html>")
        assert {name for name, _ in tree.elements}.isdisjoint({"script", "link", "img", "iframe", "object", "base"})
        assert not any({"src", "href", "action"} & set(attributes) for _, attributes in tree.elements)
        assert not re.search(r"url\(|@import|https?:", html)
        assert "default-src 'none'" in html

    def test_marks_of_several_facets_overlap(self):
        text = "abcdef"
        found = facet_set(text, method=(0, 4), result=(2, 6))
        tree = read(page.render_article({"id": "p", "abstract": text, "facets": [found]}))
        assert tree.said(r"mark\.method span") == ["ab"]
        assert tree.said(r"mark\.method result span") == ["cd"]
        assert tree.said(r"mark\.result span") == ["ef"]

    def test_several_samples_and_refused_passages_are_told(self):
        found = [facet_set("abc", by="m", method=(0, 1)), facet_set("abc", by="m", result=(0, 1))]
        rejected = [
            {"command": "st-facets", "text": "abd", "reason": "not there"},
            {"command": "st-extract-limits", "text": "other", "reason": "no"},
        ]
        tree = read(page.render_article({"id": "p", "abstract": "abc", "facets": found, "rejected": rejected}))
        assert "The first of 2 labellings." in tree.said("note")
        assert tree.said("details. summary") == ["1 passage not taken"]
        assert tree.said("details. .* q") == ["abd"]

    def test_systems_without_text_have_their_numbers(self):
        entry = {"system": "ghost", "ratings": dict.fromkeys(FACETS, 1)}
        record = {"id": "p", "abstract": "abc", "facets": [facet_set("abc")], "judgements": {"facets": [entry]}}
        tree = read(page.render_article(record))
        assert tree.said("bdi") == ["ghost"]
        assert "The record has no text of this system." in tree.said("note")

    def test_the_abstract_has_the_scores_of_its_support(self):
        values = {
            "metric": "support",
            "system": "abstract",
            "signature": "s",
            "values": {"method.rouge1": 0.5},
            "reasons": {},
        }
        record = {"id": "p", "abstract": "abc", "facets": [facet_set("abc")], "scores": [values]}
        html = page.render_article(record)
        assert "support rouge1" in read(html).said("section.abstract .*th")
        assert 'class="system"' not in html

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            ({"facets": None}, "run st-facets first"),
            ({"abstract": "another text"}, "not in that text any more"),
            ({"title": 7}, '"title"'),
            ({"judgements": {"facets": [{"system": "one", "ratings": []}]}}, "judgements.facets"),
        ],
    )
    def test_what_is_wrong_with_a_record_is_said(self, change, reason):
        record = {"id": "p", "abstract": "abc", "facets": [facet_set("abc", method=(0, 2))], **change}
        with pytest.raises(InputFault, match=reason):
            page.render_article(record)

    def test_an_empty_page_is_a_page(self):
        assert "Facets of 0 papers" in "".join(read(whole()).said("h1"))


def hostile() -> dict:
    """A record with markup wherever a record can have text."""
    summary = f"summary:{SCRIPT}"
    ratings = {"background": 1, "method": None}
    score_entry = {"metric": SCRIPT, "system": SCRIPT, "signature": "s", "reasons": {SCRIPT: SCRIPT}}
    return {
        "id": SCRIPT, "title": SCRIPT, "authors": [SCRIPT], "abstract": SCRIPT, SCRIPT: SCRIPT,
        "summaries": [{"system": SCRIPT, "text": SCRIPT}],
        "facets": [
            facet_set(SCRIPT, by=SCRIPT, method=(0, 30), result=(3, 40)),
            facet_set(SCRIPT, name=summary, by=SCRIPT, conclusion=(1, 9)),
        ],
        "judgements": {"facets": [{"system": SCRIPT, "by": SCRIPT, "ratings": ratings, "reasons": {"method": SCRIPT}}]},
        "scores": [{**score_entry, "values": {SCRIPT: None, f"overall.{SCRIPT}": 0.5}}],
        "rejected": [{"command": "st-facets", "text": SCRIPT, "reason": SCRIPT}],
        "errors": [{"command": SCRIPT, "kind": SCRIPT, "reason": SCRIPT}],
    }  # fmt: skip


def test_nothing_in_a_record_becomes_markup():
    tree, plain = (
        read(page.render_article(hostile())),
        read(page.render_article(json.loads(json.dumps(hostile()).replace("<", "(")))),
    )
    assert [name for name, _ in tree.elements] == [name for name, _ in plain.elements]
    assert {name for name, _ in tree.elements}.isdisjoint({"script", "img"})
    assert {key for _, attributes in tree.elements for key in attributes} <= {"class", "dir", "title", "scope", "style"}
    assert sum(SCRIPT in text for _, text in tree.texts) >= 10
    assert "".join(tree.said(r"section\.abstract .*p\.text", without=r"b\.tag")) == SCRIPT


class TestCommand:
    def test_pages_are_the_same_however_they_are_made(self, tmp_path):
        source = ROOT / "fixtures" / "summaries.jsonl"
        direct = st("st-facets", "--html", source)
        assert direct.status == 0 and direct.err == ""
        labelled = st("st-facets", source).out
        assert st("st-facets", "--html", "--jobs", "2", "--output", tmp_path / "page.html", input=labelled).out == b""
        assert (tmp_path / "page.html").read_bytes() == direct.out
        assert len(re.findall(b"<article>", direct.out)) == 4
        read(direct.out.decode())

    def test_facets_of_a_model_are_shown_as_they_are_and_none_is_asked(self):
        record = {"id": "p", "abstract": "Text.", "facets": [facet_set("Text.", by="my-model", conclusion=(0, 5))]}
        shown = st("st-facets", "--html", input=jsonl(record), env={"ST_MODEL": "openai/none"})
        assert shown.status == 0
        assert read(shown.out.decode()).said(r"mark\.conclusion span") == ["Text."]
        assert b"my-model" in shown.out
        refused = st("st-facets", "--html", "--model", "openai/none", input=jsonl({"id": "p", "abstract": "Text."}))
        assert refused.status == 2 and "--html cannot be used with --model" in refused.err and refused.out == b""

    def test_what_cannot_be_shown_is_counted(self):
        done = st("st-facets", "--html", input=jsonl({"id": "a", "abstract": ABSTRACT}, {"id": "b"}))
        assert done.status == 1
        assert "Facets of 1 paper; 1 more could not be shown" in read(done.out.decode()).said("h1")[0]

    def test_html_and_text_exclude_each_other(self):
        done = st("st-facets", "--html", "--text", input=b"")
        assert done.status == 2 and "--text cannot be used with --html" in done.err
