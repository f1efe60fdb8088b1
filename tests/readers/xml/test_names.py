"""Names that a file marks are taken as marked: articles, their references, and one odd name among many."""

from __future__ import annotations

import random

import pytest
from support.marked_names import Marked, draw_people

from scholartools.readers.xml import jats, tei

SEEDS = [
    range(400),
    pytest.param(range(5_000, 7_000), marks=pytest.mark.slow),
    pytest.param(range(7_000, 15_000), marks=pytest.mark.exhaustive),
]


def read_jats(contribs: str, ref: str) -> dict:
    front = f"<front><article-meta><contrib-group>{contribs}</contrib-group></article-meta></front>"
    back = f"<back><ref-list><ref>{ref}</ref></ref-list></back>"
    return jats.read(f"<article>{front}<body><p>Text.</p></body>{back}</article>".encode())


def read_tei(authors: str, ref: str) -> dict:
    header = f"<teiHeader><fileDesc><sourceDesc><biblStruct><analytic>{authors}</analytic></biblStruct></sourceDesc></fileDesc></teiHeader>"
    back = f"<back><div><listBibl>{ref}</listBibl></div></back>"
    return tei.read(f"<TEI>{header}<text><body><div><p>Text.</p></div></body>{back}</text></TEI>".encode())


def printed(people: list[Marked]) -> list[str]:
    return [one.printed for one in people if one.printed]


def in_tei(people: list[Marked]) -> list[str]:
    return [one.printed_in_tei for one in people if one.printed_in_tei]


def mark_entry(chance: random.Random, people: list[Marked]) -> str:
    """A reference in JATS that marks its authors in one of the usual ways, with editors and a title that mislead."""
    names = chance.choice(["", ", ", "; ", " "]).join(one.jats for one in people) + chance.choice(
        ["", "<etal/>", "<etal>et al.</etal>"]
    )
    editor = "<name><surname>Editor</surname><given-names>E</given-names></name>"
    title = "<article-title>Smith, J. and Doe, K. on cells</article-title><source>J Farms</source><year>2001</year>"
    grouped = f'<person-group person-group-type="author">{names}</person-group>'
    grouped += f'<person-group person-group-type="editor">{editor}</person-group>'
    loose = f"{names} {title} In: {editor} (ed.)"
    tag = chance.choice(["element-citation", "mixed-citation", "nlm-citation", "citation"])
    return f"<{tag}>{chance.choice([f'{grouped}. {title}', loose])}</{tag}>"


class TestGenerated:
    @pytest.mark.parametrize("seeds", SEEDS)
    def test_jats(self, seeds: range) -> None:
        for seed in seeds:
            chance = random.Random(seed)
            authors, cited = draw_people(chance), draw_people(chance)
            contribs = "".join(
                f'<contrib contrib-type="author">{one.jats}<degrees>PhD</degrees><xref ref-type="aff"><sup>1</sup></xref></contrib>'
                for one in authors
            )
            record = read_jats(contribs, mark_entry(chance, cited))
            assert record["authors"] == printed(authors), seed
            if printed(cited):
                assert record["references"][0]["authors"] == printed(cited), seed

    @pytest.mark.parametrize("seeds", SEEDS)
    def test_tei(self, seeds: range) -> None:
        for seed in seeds:
            chance = random.Random(seed)
            authors, cited = draw_people(chance), draw_people(chance)
            raw = chance.choice(["", '<note type="raw_reference">[1] Doe, J. and others. Cells. 2001.</note>'])
            entry = "".join(f"<author>{one.tei}</author>" for one in cited)
            ref = f'<biblStruct><analytic><title type="main">Cells</title>{entry}</analytic><monogr><title>J</title></monogr>{raw}</biblStruct>'
            record = read_tei("".join(f"<author>{one.tei}</author>" for one in authors), ref)
            assert record["authors"] == in_tei(authors), seed
            if in_tei(cited):
                assert record["references"][0]["authors"] == in_tei(cited), seed


#: Names of which a file marks only some words, or marks a part twice, and as they are printed.
PARTLY_MARKED = [
    ("<G>J.</G> <G>K.</G> <S>Roe</S>", "J. K. Roe"),
    ("<G>Ana</G> <S>Ruiz</S> <S>Soto</S>", "Ana Ruiz Soto"),
    ("<S>Ruiz</S> <S>Soto</S>, <G>Ana</G>", "Ana Ruiz Soto"),
    ("Zhen <S>ten Have</S>", "Zhen ten Have"),
    ("<S>Roe</S>, Jane B.", "Jane B. Roe"),
    ("<G>Jane</G> Roe", "Jane Roe"),
    ("<G>Jan</G> van der <S>Berg</S>", "Jan van der Berg"),
    ("<H><G>Jane</G></H> <H><S>Roe</S></H>", "Jane Roe"),
    ("<G>Jane</G> <H><S>Roe</S></H>", "Jane Roe"),
    ("Dr. <G>Jane</G> <S>Roe</S>, MD (eds.)", "Jane Roe"),
    ("<S>Roe</S> and", "Roe"),
    ("<S>Roe</S> et al.", "Roe"),
    ("<S>Roe</S> (Geneva)", "Roe"),
    ("<S>Roe</S>, PhD", "Roe"),
]


@pytest.mark.parametrize(("marked", "printed"), PARTLY_MARKED)
def test_a_name_that_is_marked_in_part_is_whole(marked: str, printed: str) -> None:
    """The words beside the marked ones, and a second part of a kind, were lost."""
    in_jats = marked.replace("G>", "given-names>").replace("S>", "surname>").replace("H>", "italic>")
    one = f"<string-name>{in_jats}</string-name>"
    record = read_jats(f"<contrib>{one}</contrib>", f"<mixed-citation>{one} (2001) <source>J</source></mixed-citation>")
    assert record["authors"] == record["references"][0]["authors"] == [printed]
    inside = marked.replace("G>", "forename>").replace("S>", "surname>").replace("H>", "hi>")
    one = f"<author><persName>{inside}</persName><affiliation><surname>Other</surname></affiliation></author>"
    record = read_tei(one, f"<biblStruct><analytic>{one}<title>A</title></analytic></biblStruct>")
    assert record["authors"] == record["references"][0]["authors"] == [printed]


class TestCases:
    def test_given_names_with_a_particle_keep_surname_and_co_authors(self) -> None:
        names = "<name><surname>Carvalho</surname><given-names>C. da C.</given-names></name>"
        names += "<name><surname>Roe</surname><given-names>R</given-names></name>"
        group = f'<person-group person-group-type="author">{names}</person-group>'
        record = read_jats("", f"<element-citation>{group}<source>J</source></element-citation>")
        assert record["references"][0]["authors"] == ["C. da C. Carvalho", "R Roe"]

    def test_editors_alone_are_no_authors(self) -> None:
        group = '<person-group person-group-type="editor"><name><surname>Roe</surname><given-names>R.</given-names></name></person-group>'
        record = read_jats("", f"<mixed-citation>{group} (2001). <source>J</source>.</mixed-citation>")
        assert record["references"][0]["authors"] is None

    def test_an_entry_without_marked_names_is_read_as_text(self) -> None:
        record = read_jats("", "<mixed-citation>Roe, R., and Poe, P. (2001). On cells. Cell J.</mixed-citation>")
        assert record["references"][0]["authors"] == ["Roe, R.", "Poe, P."]

    def test_two_authors_may_share_a_name(self) -> None:
        contrib = (
            '<contrib contrib-type="author"><name><surname>Li</surname><given-names>Wei</given-names></name></contrib>'
        )
        assert read_jats(contrib * 2, "<mixed-citation>x</mixed-citation>")["authors"] == ["Wei Li", "Wei Li"]

    def test_a_mark_beside_a_name_is_no_part_of_it(self) -> None:
        contrib = "<contrib><name><surname>Li<sup>1</sup></surname><given-names>Wei<xref>*</xref></given-names></name></contrib>"
        assert read_jats(contrib, "<mixed-citation>x</mixed-citation>")["authors"] == ["Wei Li"]


@pytest.mark.parametrize(
    ("surname", "given", "written"),
    [
        ("王", "小明", "王 小明"), ("山田", "太郎", "山田 太郎"), ("김", "철수", "김 철수"), ("ヤマダ", "タロウ", "ヤマダ タロウ"),
        ("ﾔﾏﾀﾞ", "ﾀﾛｳ", "ﾔﾏﾀﾞ ﾀﾛｳ"), ("𠮷", "𡈽", "𠮷 𡈽"), ("Wang", "Xiaoming", "Xiaoming Wang"), ("王", "Xiaoming", "Xiaoming 王"),
    ],
)  # fmt: skip
def test_a_name_wholly_in_characters_of_the_east_has_its_surname_first(surname, given, written):
    """As it is written there, in the head of a paper and in its references, in JATS and in TEI."""
    marked = f"<name><surname>{surname}</surname><given-names>{given}</given-names></name>"
    article = (
        f"<article><front><article-meta><title-group><article-title>A</article-title></title-group><contrib-group><contrib>{marked}"
        "</contrib></contrib-group></article-meta></front><body><sec><title>One</title><p>Words of text.</p></sec></body><back>"
        f"<ref-list><ref id='a'><element-citation><person-group>{marked}</person-group><article-title>X</article-title>"
        "</element-citation></ref></ref-list></back></article>"
    )
    author = f"<author><persName><forename>{given}</forename><surname>{surname}</surname></persName></author>"
    text = (
        "<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><fileDesc><titleStmt><title>A</title></titleStmt><sourceDesc><biblStruct>"
        f"<analytic>{author}</analytic></biblStruct></sourceDesc></fileDesc></teiHeader><text><body><div><head>One</head><p>Words of "
        f"text.</p></div></body><back><listBibl><biblStruct><analytic><title>X</title>{author}</analytic></biblStruct></listBibl></back>"
        "</text></TEI>"
    )
    for record in (jats.read(article.encode()), tei.read(text.encode())):
        assert record["authors"] == [written] and record["references"][0]["authors"] == [written]
