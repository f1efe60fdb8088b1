"""What XML says in unusual places is in the record, or told."""

from __future__ import annotations

import pytest

from scholartools.errors import InputFault
from scholartools.readers.references.identifiers import marked_doi
from scholartools.readers.xml import jats, tei


def read_jats(front: str = "", body: str = "<p>Text.</p>", back: str = "") -> dict:
    source = (
        f"<article><front><article-meta>{front}</article-meta></front><body>{body}</body><back>{back}</back></article>"
    )
    return jats.read(source.encode())


@pytest.mark.parametrize("kind", ["toc", "graphical", "teaser", "key-points", "highlights", "video"])
def test_an_abstract_that_is_passed_over_is_told(kind: str) -> None:
    record = read_jats(f'<abstract><p>Main.</p></abstract><abstract abstract-type="{kind}"><p>Short.</p></abstract>')
    assert record["abstract"] == "Main."
    assert f"abstract of type {kind}" in [one["text"] for one in record["warnings"]]


@pytest.mark.parametrize(
    ("article", "languages", "chosen"),
    [
        ("en", ("de", "en"), 1),
        ("EN-US", ("de", "en-GB", "fr"), 1),
        ("en", ("de", None), 1),
        ("en", ("de", "fr"), 0),
        (None, ("de", "en"), 0),
        (None, (None, "en"), 0),
    ],
)
def test_of_abstracts_in_several_languages_that_of_the_article_is_read(
    article: str | None, languages: tuple[str | None, ...], chosen: int
) -> None:
    """The order of the abstracts does not decide, and each of the others is told, not read as a section."""
    marks = [f' xml:lang="{one}"' if one else "" for one in (article, *languages)]
    abstracts = "".join(f"<abstract{mark}><p>Text {n}.</p></abstract>" for n, mark in enumerate(marks[1:]))
    source = (
        f"<article{marks[0]}><front><article-meta>{abstracts}</article-meta></front>"
        "<body><sec><title>One</title><p>Words.</p></sec></body></article>"
    )
    record = jats.read(source.encode())
    assert record["abstract"] == f"Text {chosen}."
    assert [one["text"] for one in record["sections"]] == ["Words."]
    told = {one["text"] for one in record["warnings"]}
    others = [one or "not named" for n, one in enumerate(languages) if n != chosen]
    assert told == {f"abstract in another language ({one})" for one in others}


def test_what_is_left_out_twice_is_told_with_its_number() -> None:
    biographies = "<bio><p>One.</p></bio><bio><p>Two.</p></bio>"
    assert "author biography (2 times)" in [one["text"] for one in read_jats(back=biographies)["warnings"]]


def test_an_abstract_in_parts_is_whole() -> None:
    parts = "".join(
        f'<abstract abstract-type="{kind}"><p>Of {kind}.</p></abstract>' for kind in ("background", "methods")
    )
    assert read_jats(parts)["abstract"] == "Of background.\n\nOf methods."


def test_a_second_title_of_a_section_stays() -> None:
    body = "<sec><title>Methods</title><p>One.</p><title>Mice.</title><p>Two.</p></sec>"
    (section,) = read_jats(body=body)["sections"]
    assert (section["heading"], section["text"]) == ("Methods", "One.\n\nMice.\n\nTwo.")


@pytest.mark.parametrize(
    "text",
    [
        "<div><head>One</head><p>Words.</p></div>", "<body><div><head>One</head><p>Words.</p></div></body>",
        "<body><div1><head>One</head><p>Words.</p></div1></body>",
    ],
)  # fmt: skip
def test_divisions_of_tei_wherever_they_stand(text: str) -> None:
    record = tei.read(f"<TEI><teiHeader/><text>{text}</text></TEI>".encode())
    assert [(one["heading"], one["text"]) for one in record["sections"]] == [("One", "Words.")]


def test_a_second_head_of_tei_stays() -> None:
    body = "<body><head>Part</head><div><head>One</head><head>Sub.</head><p>Words.</p></div></body>"
    record = tei.read(f"<TEI><teiHeader/><text>{body}</text></TEI>".encode())
    assert "\n\n".join(one["text"] for one in record["sections"]) == "Part\n\nSub.\n\nWords."


@pytest.mark.parametrize(
    ("marked", "doi"),
    [
        ("10.1016/j.cell.2010.01.002 [doi]", "10.1016/j.cell.2010.01.002"), ("10.1000/abc.URL", "10.1000/abc"),
        ("10.1000/a\u00adbc\u200b", "10.1000/abc"), ("\ufeff10.1000/abc.Epub", "10.1000/abc"),
        ("10.1002/ (abc) 12", "10.1002/(abc)12"), ("https://doi.org/10.1002/a%2812%29b", "10.1002/a(12)b"),
        ("10.1234/foo. Accessed 2 May 2019", "10.1234/foo"), ("10.1234/foo (2019)", "10.1234/foo"),
        ("doi: 10.1000/journal.pubmed.12", "10.1000/journal.pubmed.12"), ("10.1002/epub.12.", "10.1002/epub.12"),
        ("https://doi.org/10.1000/abc?download=true", "10.1000/abc"), ("10.1000/a(1)#sec1", "10.1000/a(1)"),
        ("no doi", None), ("10.1002/", None),
        ("10.1234/abc, https://doi.org/10.1234/ABC", "10.1234/abc"), ("10.1234/10.5678/x", "10.1234/10.5678/x"),
    ],
)  # fmt: skip
def test_what_stands_behind_a_doi_is_none_of_it(marked: str, doi: str | None) -> None:
    assert marked_doi(marked) == doi
    ref = f'<ref-list><ref><element-citation><pub-id pub-id-type="doi">{marked}</pub-id></element-citation></ref></ref-list>'
    assert read_jats(back=ref)["references"][0]["doi"] == doi


@pytest.mark.parametrize(
    "marked", ["10.1234/abc; 10.1234/def", "10.1234/abc 10.1234/def", "doi:10.1234/a and doi:10.1234/b"]
)
def test_of_several_dois_none_is_taken(marked: str) -> None:
    assert marked_doi(marked) is None


def test_an_address_of_a_doi_is_the_doi_of_its_reference() -> None:
    links = "".join(
        f'<ext-link ext-link-type="uri" href="https://doi.org/10.1234/{one}">here</ext-link>' for one in "ab"
    )
    refs = "".join(
        f"<ref><element-citation>{one}</element-citation></ref>" for one in (links[: len(links) // 2], links)
    )
    assert [one["doi"] for one in read_jats(back=f"<ref-list>{refs}</ref-list>")["references"]] == ["10.1234/a", None]


@pytest.mark.parametrize(
    ("text", "abstract", "texts"),
    [
        ("<body>One <p>Two</p> three.</body>", None, ["One\n\nTwo\n\nthree."]),
        ("<body><div><head>A</head>One<div><head>B</head><p>Two</p></div>three</div></body>", None, ["One", "Two\n\nthree"]),
        ("<front><div type='abstract'><p>Aim.</p></div><div><head>A</head><p>One</p></div></front><body><p>Two</p></body>",
         "Aim.", ["One\n\nTwo"]),
    ],
)  # fmt: skip
def test_text_of_tei_in_odd_places_stays(text: str, abstract: str | None, texts: list[str]) -> None:
    record = tei.read(f"<TEI><teiHeader><abstract/></teiHeader><text>{text}</text></TEI>".encode())
    assert (record["abstract"], [one["text"] for one in record["sections"]]) == (abstract, texts)


def test_text_of_jats_without_a_paragraph_stays() -> None:
    aim = "<abstract><sec><title>Aim</title>Zero <italic>and</italic> more.<p>On.</p></sec></abstract>"
    record = read_jats(aim, body="One<p>Two</p>three<sec><title>A</title>Four<p>Five</p></sec>six")
    assert [one["text"] for one in record["sections"]] == ["One\n\nTwo\n\nthree\n\nsix", "Four\n\nFive"]
    assert record["abstract"].startswith("Aim: Zero") and "On." in record["abstract"]


def test_notes_and_key_words_of_jats_stay_or_are_told() -> None:
    """Each place of a file has a word of its own: what the record lacks is known, or told."""
    front = (
        "<title-group><article-title>T</article-title><fn-group><fn><p>Wa</p></fn></fn-group></title-group><author-notes>"
        "<corresp>Wb</corresp><fn><p>Wc</p></fn><p>Wd</p></author-notes><kwd-group><title>Key</title><kwd>We</kwd>"
        "<compound-kwd><compound-kwd-part>Wf</compound-kwd-part></compound-kwd></kwd-group><funding-group>X</funding-group>"
    )
    foot = "<table-wrap-foot><p>Wg</p><fn-group><fn><p>Wh</p></fn></fn-group><fn><label>a</label><p>Wi</p></fn></table-wrap-foot>"
    body = (
        f"<table-wrap><caption><p>Wj</p></caption><table><tr><td>x<fn><p>Wk</p></fn></td></tr></table>{foot}</table-wrap>"
        "<fig-group><label>Figure 1</label><caption><title>Wl</title></caption><fig><caption><p>Wm</p></caption>"
        "<attrib>Wn</attrib></fig></fig-group><p>Text.</p>"
    )
    record = read_jats(front, body, "<ref-list><p>X</p></ref-list><fn-group><fn><p>Wo</p></fn></fn-group>")
    assert [one["text"] for one in record["footnotes"]] == ["Wa", "Wb", "Wc", "Wd", "Wg", "Wh", "a Wi", "Wk", "Wo"]
    assert [one["text"] for one in record["front_matter"]] == ["We; Wf"]
    assert [one["text"] for one in record["captions"]] == ["Wj", "Figure 1: Wl", "Wm Wn"]
    told = [one["text"] for one in record["warnings"] if one["kind"] == "left-out"]
    cell = 'not in the record: 1 word in 1 cell of 1 table: "x ..."'
    assert told == ["funding group outside the text", "note in the list of references", cell]


def test_a_reference_of_two_dois_has_none() -> None:
    marked = "".join(f'<pub-id pub-id-type="doi">10.1234/{one}</pub-id>' for one in "ab")
    printed = "A. Bee (2019). On hedges. doi:10.1234/a. doi:10.1234/b."
    same = "A. Bee (2019). doi:10.1234/a. https://doi.org/10.1234/A."
    refs = [f"<element-citation>{marked}</element-citation>", f"<mixed-citation>{printed}</mixed-citation>",
            f"<mixed-citation>{same}</mixed-citation>"]  # fmt: skip
    back = "".join(f"<ref>{one}</ref>" for one in refs)
    assert [one["doi"] for one in read_jats(back=f"<ref-list>{back}</ref-list>")["references"]] == [
        None,
        None,
        "10.1234/a",
    ]


def test_a_group_of_texts_is_refused_as_such() -> None:
    group = "<group><text><body><p>One</p></body></text><text><body><p>Two</p></body></text></group>"
    with pytest.raises(InputFault, match="several texts"):
        tei.read(f"<TEI><teiHeader/><text>{group}</text></TEI>".encode())
