"""TEI and JATS files of the varieties that tools and publishers write, and files that attack their reader."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scholartools.errors import InputFault
from scholartools.readers.xml import (
    jats,
    tei,
    writer,
)
from scholartools.readers.xml import (
    mathml as mathml_reader,
)
from scholartools.schemas.paper import Paper

DOCTYPE = (
    '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving and Interchange DTD v1.2 20190208//EN" '
    '"JATS-archivearticle1.dtd">'
)
SPACES = 'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML"'
FRONT = """<front><journal-meta><journal-title>Journal of Tests</journal-title></journal-meta><article-meta>
  <title-group><article-title>Growth of <italic>E. coli</italic> at 10<sup>5</sup> cells<xref ref-type="fn">*</xref>
  </article-title><subtitle>A trial</subtitle></title-group>
  <contrib-group>
    <contrib contrib-type="author"><name><surname>Doe</surname><given-names>Jane B</given-names>
    <suffix>Jr</suffix></name>
      <xref ref-type="aff"><sup>1</sup></xref></contrib>
    <contrib contrib-type="author"><name-alternatives><name name-style="eastern"><surname>Li</surname>
      <given-names>Wei</given-names></name></name-alternatives></contrib>
    <contrib contrib-type="author"><collab>The Cell Group<contrib-group><contrib><name><surname>Member</surname>
      </name></contrib></contrib-group></collab></contrib>
    <contrib contrib-type="editor"><name><surname>Editor</surname><given-names>An</given-names></name></contrib>
  </contrib-group>
  <abstract abstract-type="executive-summary"><title>Digest</title><p>For everyone.</p></abstract>
  <abstract><title>Abstract</title><object-id pub-id-type="doi">10.1/a</object-id>
    <sec><title>Background</title><p>Cells grow.</p></sec>
    <sec><title>Results:</title><p>They grew.</p><p><bold>DOI:</bold> http://dx.doi.org/10.1/x.001</p></sec></abstract>
  <trans-abstract xml:lang="es"><p>Resumen.</p></trans-abstract>
</article-meta></front>"""


def article(body: str = "", back: str = "", front: str = FRONT, after: str = "", doctype: str = DOCTYPE) -> bytes:
    text = f"<article {SPACES}>{front}<body>{body}</body><back>{back}</back>{after}</article>"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{doctype}\n{text}'.encode()


def read_jats(body: str = "", back: str = "", **parts: str) -> dict:
    return checked(jats.read(article(body, back, **parts)))


def checked(record: dict) -> dict:
    """The record, after the promises that hold for every one."""
    Paper.model_validate({"id": "x", **{key: value for key, value in record.items() if key not in ("format", "pages")}})
    texts = {section["id"]: section["text"] for section in record["sections"]}
    assert len(texts) == len(record["sections"])
    for equation in record["equations"]:
        span = equation["span"]
        assert texts[span["in"]][span["start"] : span["end"]] == equation["latex"]
    assert len({caption["id"] for caption in record["captions"]}) == len(record["captions"])
    for text in texts.values():
        assert text == "\n\n".join(" ".join(part.split()) for part in text.split("\n\n") if part.strip())
    return record


def fault(reader, data: bytes) -> InputFault:
    with pytest.raises(InputFault) as raised:
        reader.read(data)
    assert "\n" not in raised.value.reason
    return raised.value


class TestJatsFront:
    def test_title_authors_and_abstract(self):
        record = read_jats("<p>Text.</p>")
        assert record["title"] == "Growth of E. coli at 10^5 cells: A trial"
        assert record["authors"] == ["Jane B Doe Jr", "Li Wei", "The Cell Group"]
        assert record["abstract"] == "Background: Cells grow.\n\nResults: They grew."
        assert (record["format"], record["pages"]) == ("jats", None)

    def test_other_abstracts_are_sections_and_translations_are_said_to_be_left_out(self):
        record = read_jats("<p>Text.</p>")
        assert (record["sections"][0]["heading"], record["sections"][0]["text"]) == ("Digest", "For everyone.")
        assert [one["text"] for one in record["warnings"]] == ["abstract in another language (es)"]

    def test_an_article_with_an_abstract_alone_is_a_record_that_says_so(self):
        record = read_jats(front=FRONT.replace("For everyone.", "").replace("<title>Digest</title>", ""))
        assert record["sections"] == []
        assert "no-body" in [one["kind"] for one in record["warnings"]]


class TestJatsBody:
    def test_sections_keep_number_level_and_role(self):
        record = read_jats(
            "<p>Before.</p><sec><label>1.</label><title>Introduction</title><p>One.</p>"
            "<sec><label>1.1</label><title>Aims</title><p>Two.</p></sec></sec>"
            '<sec sec-type="materials|methods"><title>2. What we did</title></sec>'
            "<sec><title>2.1 Cells</title><p>Three.</p></sec><sec><title>3D prints</title><p>Four.</p></sec>"
        )
        outline = [
            (one["number"], one["heading"], one["level"], one["role"], one["text"]) for one in record["sections"]
        ]
        assert outline[1:] == [
            (None, "", 1, "other", "Before."),
            ("1", "Introduction", 1, "introduction", "One."),
            ("1.1", "Aims", 2, "other", "Two."),
            ("2", "What we did", 1, "method", ""),
            ("2.1", "Cells", 1, "other", "Three."),
            (None, "3D prints", 1, "other", "Four."),
        ]

    def test_text_without_heading_is_not_mixed_into_another_section(self):
        record = read_jats(
            "<sec><title>Results</title><p>x</p></sec><sec><p>Alone.</p></sec>", "<notes><p>A note.</p></notes>"
        )
        assert [(one["heading"], one["text"]) for one in record["sections"][1:]] == [
            ("Results", "x"),
            ("", "Alone."),
            ("", "A note."),
        ]

    @pytest.mark.parametrize(
        ("markup", "text"),
        [
            ("M<italic>m</italic>PPOX and <bold>bold</bold> ones", "MmPPOX and bold ones"),
            ("10<sup>5</sup> cells, 10<sup>&#8722;3</sup> M, H<sub>2</sub>O, m<sup>2</sup>", "10^5 cells,"
                " 10^−3 M, H2O, m2"),
            ("x<sub>1</sub> of A1<sub>2</sub>", "x1 of A1_2"),
            ("shown<sup><xref ref-type='bibr'>1</xref>,<xref ref-type='bibr'>2</xref></sup>. Next", "shown1,2. Next"),
            ("as said <xref ref-type='bibr'>[1]</xref>, <xref ref-type='bibr'>[2]</xref>.", "as said [1], [2]."),
            ("one<break/>two", "one two"),
            ("a&#160;b&#8201;c\n   d", "a b c d"),
            ("soft&#173;hyphen and e&#769;", "softhyphen and é"),
            ("&alpha;-helix &mdash; it&rsquo;s", "α-helix — it’s"),
            ("<inline-formula><alternatives><tex-math>$x_i$</tex-math><mml:math><mml:mi>y</mml:mi></mml:math>"
             "</alternatives></inline-formula> is", "x_i is"),
            ("<inline-formula><mml:math><mml:msup><mml:mn>10</mml:mn><mml:mn>5</mml:mn></mml:msup></mml:math>"
             "</inline-formula> is", "10^5 is"),
        ],
    )  # fmt: skip
    def test_inline_markup_neither_glues_nor_splits_words(self, markup, text):
        assert read_jats(f"<sec><title>A</title><p>{markup}</p></sec>")["sections"][1]["text"] == text

    def test_lists_boxes_quotes_and_definitions_are_paragraphs(self):
        record = read_jats(
            "<sec><title>A</title><p>Two:<list list-type='order'><list-item><p>one</p></list-item><list-item><p>two</p>"
            "</list-item></list>end.</p><list list-type='bullet'><list-item><label>a)</label><p>x</p>"
            "</list-item></list>"
            "<disp-quote><p>Said.</p></disp-quote><boxed-text><label>Box 1</label><caption>"
            "<title>Terms.</title></caption>"
            "<def-list><def-item><term>Cell</term><def><p>Unit.</p></def></def-item></def-list></boxed-text></sec>"
        )
        assert record["sections"][1]["text"].split("\n\n") == [
            "Two:", "1. one", "2. two", "end.", "a) x", "Said.", "Box 1: Terms.", "Cell: Unit.",
        ]  # fmt: skip

    def test_display_formulas_stand_in_their_sentence(self):
        tex = (
            r"\documentclass[12pt]{minimal} \usepackage{amsmath} \begin{document}$$ E = % energy"
            "\n"
            r"mc^2 $$\end{document}"
        )
        record = read_jats(
            f"<sec><title>A</title><p>It is <disp-formula id='e1'><label>(1)</label>"
            f"<tex-math>{tex}</tex-math></disp-formula>"
            "where m is mass.</p><p>Then</p><disp-formula><mml:math><mml:mi>a</mml:mi><mml:mo>=</mml:mo>"
            "<mml:mi>b</mml:mi>"
            "</mml:math></disp-formula><p>so New.</p><disp-formula><graphic xlink:href='x'/></disp-formula></sec>"
        )
        assert record["sections"][1]["text"] == "It is E = mc^2 (1) where m is mass.\n\nThen a = b so New."
        assert [(one["latex"], one["label"], one["id"]) for one in record["equations"]] == [("E = mc^2", "(1)", "e1")]
        assert "formula that is only a picture" in [one["text"] for one in record["warnings"]]

    def test_floats_and_footnotes_stand_apart(self):
        record = read_jats(
            "<sec><title>A</title><p>Text<fn><label>1</label><p>Note one.</p></fn> goes<fig><label>Fig"
            " 1.</label><caption>"
            "<title>Growth.</title><p>More.</p></caption></fig> on.</p><table-wrap><label>Table 1</label>"
            "<caption><p>Sizes"
            "</p></caption><table><tr><td>9</td></tr></table></table-wrap><fig-group><fig><label>Figure"
            " 2.</label></fig>"
            "<fig><label>Figure 2&#8212;figure supplement 1.</label><caption><p>S.</p></caption></fig>"
            "</fig-group></sec>",
            "<fn-group><fn><p>Competing: none.</p></fn></fn-group>",
            after="<floats-group><fig><caption><p>No label.</p></caption></fig><fig/></floats-group>",
        )
        assert record["sections"][1]["text"] == "Text goes on."
        assert [(one["id"], one["label"], one["text"]) for one in record["captions"]] == [
            ("figure1", "Fig 1", "Fig 1. Growth. More."),
            ("table1", "Table 1", "Table 1: Sizes"),
            ("figure2", "Figure 2", "Figure 2."),
            ("figure2-2", "Figure 2—figure supplement 1", "Figure 2—figure supplement 1. S."),
            ("figure", "Figure", "No label."),
        ]
        assert [one["text"] for one in record["footnotes"]] == ["1 Note one.", "Competing: none."]


class TestJatsBack:
    def test_acknowledgements_and_appendices(self):
        record = read_jats(
            "<sec><title>Results</title><p>x</p></sec>",
            "<ack><p>Thanks.</p></ack><app-group><app><title>Appendix 1</title><sec><title>Proofs</title>"
            "<p>y</p></sec></app>"
            "</app-group><sec sec-type='supplementary-material'><title>Files</title><supplementary-material>"
            "<label>S1 Table.</label><caption><title>Raw.</title><p>(CSV)</p></caption></supplementary-material></sec>"
            "<bio><p>She works.</p></bio>",
        )
        outline = [(one["heading"], one["level"], one["role"], one["text"]) for one in record["sections"][2:]]
        assert outline == [
            ("Acknowledgements", 1, "acknowledgement", "Thanks."),
            ("Appendix 1", 1, "appendix", ""),
            ("Proofs", 2, "other", "y"),
            ("Files", 1, "appendix", "S1 Table. Raw.\n\n(CSV)"),
        ]
        assert "author biography" in [one["text"] for one in record["warnings"]]

    def test_references_of_every_citation_element(self):
        record = read_jats(
            "<p>x</p>",
            """<ref-list><title>References</title>
            <ref><label>1</label><element-citation publication-type="journal">
            <person-group person-group-type="author"><name>
              <surname>Roe</surname><given-names>R</given-names></name></person-group>
              <article-title>On cells</article-title>
              <source>Cell J</source><year>2001a</year><volume>3</volume><issue>2</issue><fpage>1</fpage>
              <lpage>9</lpage>
              <pub-id pub-id-type="doi">10.1234/abc</pub-id></element-citation></ref>
            <ref><mixed-citation publication-type="preprint"><name><surname>Poe</surname>
            <given-names>P</given-names></name>.
              (<year>2019</year>). <article-title>On more</article-title>. arXiv preprint
              arXiv:1901.00001.</mixed-citation></ref>
            <ref><citation-alternatives><element-citation><source>The Book</source><year>1999</year></element-citation>
              <mixed-citation>Soe S: The Book. Press 1999.</mixed-citation></citation-alternatives></ref>
            <ref><nlm-citation><article-title>Old</article-title><year>1988</year></nlm-citation></ref><ref/>
            </ref-list>""",
        )
        assert [one["venue"] for one in record["references"]] == ["Cell J", None, None, None]
        found = [[one[key] for key in ("id", "text", "title", "year", "doi", "arxiv")] for one in record["references"]]
        assert found == [
            [
                "b1",
                "1. R Roe (2001a). On cells. Cell J 3(2): 1–9. doi:10.1234/abc.",
                "On cells",
                2001,
                "10.1234/abc",
                None,
            ],
            ["b2", "Poe P. (2019). On more. arXiv preprint arXiv:1901.00001.", "On more", 2019, None, "1901.00001"],
            ["b3", "Soe S: The Book. Press 1999.", "The Book", 1999, None, None],
            ["b4", "(1988). Old.", "Old", 1988, None, None],
        ]

    def test_the_printed_and_the_marked_form_of_a_reference_are_one_entry(self):
        printed = "<mixed-citation>ROE, R. On cells. Cell J, v. 3, 2001.</mixed-citation>"
        marked = """<element-citation><name><surname>Roe</surname><given-names>R</given-names></name>
            <article-title>On cells</article-title><source>Cell J</source><year>2001</year></element-citation>"""
        other = """<element-citation><name><surname>Poe</surname></name><article-title>A second work</article-title>
            <source>Annals</source><year>1999</year></element-citation>"""
        refs = (printed + marked, marked + printed, printed + other, printed + marked + other)
        record = read_jats("<p>x</p>", f"<ref-list>{''.join(f'<ref>{one}</ref>' for one in refs)}</ref-list>")
        found = [(one["authors"], one["title"]) for one in record["references"]]
        assert found == [(["R Roe"], "On cells")] * 2 + [
            (["ROE, R."], None), (["Poe"], "A second work"), (["R Roe"], "On cells"), (["Poe"], "A second work")
        ]  # fmt: skip
        assert record["references"][0]["text"] == "ROE, R. On cells. Cell J, v. 3, 2001."

    @pytest.mark.parametrize(
        ("kind", "title", "venue"), [("journal", None, "J Farms"), ("book", "J Farms", None), ("", "J Farms", None)]
    )
    def test_a_source_is_the_title_of_a_book_and_the_venue_of_an_article(self, kind, title, venue):
        citation = f"""<element-citation publication-type="{kind}"><name><surname>Roe</surname><given-names>R
            </given-names></name><source>J Farms</source><year>2001</year></element-citation>"""
        (found,) = read_jats("<p>x</p>", f"<ref-list><ref>{citation}</ref></ref-list>")["references"]
        assert (found["title"], found["venue"]) == (title, venue)

    def test_sub_articles_are_not_mixed_into_the_paper(self):
        record = read_jats(
            "<sec><title>Results</title><p>Ours.</p></sec>",
            after='<sub-article article-type="decision-letter"><front-stub/><body><p>Revise.</p></body>'
            "<back><ref-list><ref>"
            "<mixed-citation>Not ours, 2000.</mixed-citation></ref></ref-list></back></sub-article>"
            '<sub-article article-type="reviewer-report"><body><p>Too small.</p></body></sub-article>',
        )
        assert "Revise." not in str(record["sections"])
        assert record["references"] == []
        assert record["reviews"] == [{"id": "r1", "text": "Too small."}]
        assert "decision-letter published with the article" in [one["text"] for one in record["warnings"]]


class TestJatsFiles:
    def test_one_article_in_a_set_and_several(self):
        inner = article("<p>x</p>", doctype="").partition(b"?>")[2]
        assert jats.read(b"<pmc-articleset>" + inner + b"</pmc-articleset>")["title"]
        several = b"<pmc-articleset>" + inner * 2 + b"</pmc-articleset>"
        assert fault(jats, several).reason.startswith("2 articles in one file")

    def test_prefixes_and_default_namespaces_do_not_matter(self):
        plain = article("<sec><title>A</title><p>x</p></sec>", doctype="").decode()
        spaced = plain.replace("<article ", '<article xmlns="https://jats.nlm.nih.gov/ns/archiving/1.3/" ')
        assert jats.read(spaced.encode()) == jats.read(plain.encode())
        assert jats.looks_like(spaced.encode())

    def test_docbook_and_empty_articles_are_refused(self):
        assert "not JATS" in fault(jats, b"<article><title>DocBook</title><para>x</para></article>").reason
        assert fault(jats, b"<article><front/><body/></article>").kind == "no-text"


TEI = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xml:space="preserve" xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt>
<title level="a" type="main">On Raters</title></titleStmt><sourceDesc><biblStruct><analytic>
<author><persName><forename type="first">Jane</forename><forename type="middle">B</forename>
<surname>Doe</surname></persName>
</author><author><affiliation><orgName type="department">Statistics</orgName></affiliation></author>
<title level="a" type="main">On Raters</title></analytic><monogr><title level="j">J. Tests</title></monogr></biblStruct>
</sourceDesc></fileDesc><profileDesc><abstract><div xmlns="http://www.tei-c.org/ns/1.0"><p>Raters differ.</p>
</div></abstract>
</profileDesc></teiHeader><text><body>{body}</body><back>{back}</back></text></TEI>"""


def read_tei(body: str = "", back: str = "") -> dict:
    return checked(tei.read(TEI.format(body=body, back=back).encode()))


class TestTei:
    def test_header(self):
        record = read_tei("<div><p>x</p></div>")
        assert (record["title"], record["authors"], record["abstract"]) == (
            "On Raters",
            ["Jane B Doe"],
            "Raters differ.",
        )

    def test_structured_abstract(self):
        data = TEI.format(body="", back="").replace("<p>Raters", "<head>Aims</head><p>Raters").encode()
        assert tei.read(data)["abstract"] == "Aims: Raters differ."

    def test_levels_follow_numbers_and_pages_follow_coordinates(self):
        record = read_tei(
            "<div><p>Lead.</p></div>"
            '<div><head n="1." coords="1,50,60,100,10">Introduction</head><p>One <ref'
            ' coords="2,1,1,9,9">[1]</ref>.</p></div>'
            '<div><head n="1.1">Aims</head><p>Two.</p></div><div><p>Goes on.</p></div>'
            "<div><head>Small matters</head><p>Three.</p></div><div><head>Conclusion</head><p>Four.</p></div>"
        )
        outline = [(one["number"], one["heading"], one["level"], one["pages"]) for one in record["sections"]]
        assert outline == [
            (None, "", 1, []),
            ("1", "Introduction", 1, [1, 2]),
            ("1.1", "Aims", 2, []),
            (None, "Small matters", 3, []),
            (None, "Conclusion", 1, []),
        ]
        assert record["sections"][2]["text"] == "Two.\n\nGoes on."

    def test_nested_divisions(self):
        record = read_tei(
            "<div><head>A</head><p>a</p><div><head>B</head><p>b</p><div><head>C</head><p>c</p></div></div></div>"
            "<div><head>D</head><p>d</p></div>"
        )
        assert [(one["heading"], one["level"]) for one in record["sections"]] == [
            ("A", 1),
            ("B", 2),
            ("C", 3),
            ("D", 1),
        ]

    def test_sentences_formulas_and_notes(self):
        record = read_tei(
            "<div><head>A</head><p><s>One.</s><s>It is</s></p><formula xml:id='f'>E = mc 2<label>(1)</label></formula>"
            "<p>where m is mass.</p><p>New<note place='foot' n='3' coords='4,1,1,1,1'>A note.</note>.</p>"
            "<list><item>x</item><item>y</item></list><formula notation='tex'>\\alpha</formula></div>"
            "<note place='foot' n='4'>Another.</note>"
        )
        paragraphs = record["sections"][0]["text"].split("\n\n")
        assert paragraphs == ["One. It is E = mc 2 (1) where m is mass.", "New.", "x", "y \\alpha"]
        assert record["footnotes"] == [{"text": "3 A note.", "page": 4}, {"text": "4 Another.", "page": None}]
        assert [one["latex"] for one in record["equations"]] == ["\\alpha"]

    def test_captions_with_their_boxes(self):
        record = read_tei(
            "<div><head>A</head><p>x</p></div>"
            '<figure xml:id="fig_0" coords="3,10,20,100,50;3,10,70,120,20;4,0,0,9,9"><head>Fig. 1 .</head>'
            "<label>1</label>"
            "<figDesc>Coverage.</figDesc></figure>"
            '<figure type="table" coords="bad;1,2"><head>Table 2</head><label>2</label><figDesc>Sizes of'
            " all.</figDesc><table>"
            "<row><cell>9</cell></row></table></figure><figure><head>Fig. 3 The rest of</head>"
            "<figDesc>it.</figDesc></figure>"
            "<figure><graphic/></figure>"
        )
        assert [(one["id"], one["label"], one["text"], one["page"], one["bbox"]) for one in record["captions"]] == [
            ("figure1", "Fig. 1", "Fig. 1. Coverage.", 3, [10.0, 20.0, 130.0, 90.0]),
            ("table2", "Table 2", "Table 2: Sizes of all.", None, None),
            ("figure3", "Fig. 3", "Fig. 3 The rest of it.", None, None),
        ]
        assert record["sections"][0]["text"] == "x"

    def test_back_matter(self):
        record = read_tei(
            "<div><head n='1'>Methods</head><p>x</p></div>",
            '<div type="acknowledgement"><div><head>Thanks</head><p>To all.</p></div></div><div'
            ' type="funding"><p>A grant.</p>'
            '</div><div type="annex"><div><head>Tables of it</head><p>y</p></div></div><div'
            ' type="references"><listBibl/></div>',
        )
        assert [(one["heading"], one["role"], one["text"]) for one in record["sections"][1:]] == [
            ("Thanks", "acknowledgement", "To all."),
            ("", "acknowledgement", "A grant."),
            ("Tables of it", "appendix", "y"),
        ]

    def test_references(self):
        record = read_tei(
            "<div><p>x</p></div>",
            """<div type="references"><listBibl><biblStruct xml:id="b0"><analytic>
            <title level="a" type="main">On cells</title>
            <author><persName><forename>R</forename><surname>Roe</surname></persName></author>
            <idno type="DOI">10.1234/abc</idno>
            </analytic><monogr><title level="j">Cell J</title><imprint><biblScope unit="volume">3</biblScope>
            <biblScope unit="page" from="1" to="9"/><date type="published" when="2001-02">2001</date></imprint>
            </monogr></biblStruct>
            <biblStruct><monogr><title level="m">Book</title><idno type="arXiv">arXiv:1706.03762[cs]</idno>
            <imprint/></monogr>
            <note type="raw_reference">[2] P. Poe. Book. 2017.</note></biblStruct><biblStruct/></listBibl></div>""",
        )
        assert [one["venue"] for one in record["references"]] == ["Cell J", None]
        found = [[one[key] for key in ("text", "title", "year", "doi", "arxiv")] for one in record["references"]]
        assert found == [
            ["R Roe (2001). On cells. Cell J 3: 1–9. doi:10.1234/abc.", "On cells", 2001, "10.1234/abc", None],
            ["[2] P. Poe. Book. 2017.", "Book", 2017, None, "1706.03762"],
        ]

    def test_several_documents_are_refused(self):
        assert "several documents" in fault(tei, b"<teiCorpus><TEI/><TEI/></teiCorpus>").reason


DEEP = b"<sec>" * 10_000


class TestUnsafe:
    @pytest.mark.parametrize(
        "data",
        [
            b'<!DOCTYPE article [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><article><front/><body><p>&b;</p>'
            b"</body></article>",
            b'<!DOCTYPE article [<!ENTITY x SYSTEM "file:///etc/passwd">]><article><body><p>&x;</p></body></article>',
            b'<!DOCTYPE article [<!ENTITY % x SYSTEM "http://127.0.0.1/x"> %x;]><article><body><p>x</p>'
            b"</body></article>",
            b"<article><front/><body>" + DEEP,
            b"<TEI><text><body>" + b"<div>" * 10_000,
        ],
        ids=["bomb", "external", "parameter", "deep", "deep-tei"],
    )
    @pytest.mark.parametrize("reader", [jats, tei])
    def test_attacks_are_refused(self, reader, data):
        assert fault(reader, data).kind == "unsafe-xml"

    def test_a_paper_as_deep_as_allowed_is_read(self):
        room = writer.DEEPEST - 3
        italic = "<italic>" * (room - 1) + "x" + "</italic>" * (room - 1)
        assert read_jats(f"<p>{italic}</p>")["sections"][-1]["text"] == "x"
        math = "<mml:mrow>" * (room - 2) + "<mml:mi>y</mml:mi>" + "</mml:mrow>" * (room - 2)
        assert read_jats(f"<p><mml:math>{math}</mml:math></p>")["sections"][-1]["text"] == "y"
        assert read_jats("<sec>" * (room - 1) + "<p>z</p>" + "</sec>" * (room - 1))["sections"][-1]["text"] == "z"

    @pytest.mark.parametrize(
        "data",
        [b"", b" \n", b"not xml", b"<article>", b"<a>&#0;</a>", b"%PDF-1.5", b"\xff\xfe<",
         b"<?xml version='1.0' encoding='x'?><a/>",
         b"<html><body>x</body></html>", b"<article>\x00</article>"],
    )  # fmt: skip
    @pytest.mark.parametrize("reader", [jats, tei])
    def test_what_is_not_a_paper_is_refused_in_one_line(self, reader, data):
        assert fault(reader, data).kind == "unreadable"

    def test_encodings(self):
        text = article("<p>Größe</p>").decode()
        for encoding in ("utf-8", "utf-16", "iso-8859-1"):
            data = text.replace("UTF-8", encoding).encode(encoding)
            assert jats.looks_like(data)
            assert "Größe" in str(jats.read(data)["sections"])

    @settings(max_examples=150)
    @given(st.data())
    def test_mutated_files_end_as_record_or_fault(self, data):
        source = bytearray(article("<sec><title>A</title><p>x<sup>2</sup></p></sec>", "<ack><p>y</p></ack>"))
        for _ in range(data.draw(st.integers(1, 6))):
            source[data.draw(st.integers(0, len(source) - 1))] = data.draw(st.integers(0, 255))
        for reader in (jats, tei):
            reader.looks_like(bytes(source))
            try:
                reader.read(bytes(source))
            except InputFault as error:
                assert "\n" not in error.reason


@pytest.mark.parametrize(
    ("title", "heading"),
    [
        ('Methods<xref ref-type="bibr">12</xref>', "Methods"),
        ('Methods <sup><xref ref-type="bibr">1</xref>,<xref ref-type="bibr">2</xref></sup>', "Methods"),
        ('<italic>In vitro</italic><xref ref-type="fn"><sup>*</sup></xref> tests', "In vitro tests"),
        ('The model of Smith <xref ref-type="bibr">[3]</xref>', "The model of Smith [3]"),
        ('Area in km<sup>2</sup> (<xref ref-type="fig">1</xref>)', "Area in km2 (1)"),
    ],
)
def test_marks_of_citations_are_no_part_of_a_heading(title, heading):
    sections = read_jats(f"<sec><title>{title}</title><p>Text.</p></sec>")["sections"]
    assert heading in [one["heading"] for one in sections]


@pytest.mark.parametrize(
    ("data", "is_jats", "is_tei"),
    [
        (article("<p>x</p>"), True, False),
        (TEI.encode(), False, True),
        (b"<!-- note --><?pi?>\n<tei:TEI xmlns:tei='x'/>", False, True),
        (b"<article><title>DocBook</title></article>", False, False),
        (b"<html><article><front></front></article></html>", False, False),
        (b"an <article> in prose with article-meta", False, False),
        (b"", False, False),
    ],
)
def test_content_decides(data, is_jats, is_tei):
    assert (jats.looks_like(data), tei.looks_like(data)) == (is_jats, is_tei)


@pytest.mark.parametrize(
    ("tex", "latex"),
    [
        ("$$x$$", "x"),
        (r"\[ x \]", "x"),
        (r"\(x\)", "x"),
        ("$a$ and $b$", "$a$ and $b$"),
        (r"50\% of $", r"50\% of $"),
        (r"\begin{document}$y$\end{document}", "y"),
        ("a % b\nc", "a c"),
    ],
)
def test_latex_loses_its_wrapping(tex, latex):
    assert mathml_reader.latex_of(tex) == latex


@pytest.mark.parametrize(
    ("mathml", "text"),
    [
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>", "(a + b)/c"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_i^2"),
        ("<msqrt><mi>n</mi></msqrt>", "√(n)"),
        ("<mover><mi>a</mi><mo>~</mo></mover>", "ã"),
        ("<mi>f</mi><mo>&#x2061;</mo><mfenced><mi>x</mi><mi>y</mi></mfenced>", "f(x, y)"),
        ("<semantics><mi>z</mi><annotation encoding='x'>junk</annotation></semantics>", "z"),
        ("<msup><mi>e</mi><mrow><mo>-</mo><mi>t</mi></mrow></msup>", "e^(-t)"),
    ],
)
def test_mathml_as_a_line(mathml, text):
    assert mathml_reader.text_of(writer.parse_xml(f"<math>{mathml}</math>".encode(), format="MathML")) == text
