"""Year, venue, DOI and arXiv identifier of the paper itself: found where a file says them, null where it is not sure."""

from __future__ import annotations

from typing import Any

import pymupdf
import pytest

from scholartools.readers.latex import reader as latex
from scholartools.readers.pdf import reader as pdf
from scholartools.readers.xml import jats, tei

BODY = "The quick brown fox jumps over the lazy dog while cats sleep in the barn all day long"


def keys(record: dict[str, Any]) -> list[Any]:
    found = [record[key] for key in ("year", "venue", "doi", "arxiv")]
    assert set(record["front_matter_spans"]) == {
        key for key, value in zip(("year", "venue", "doi", "arxiv"), found) if value is not None
    }
    return found


def read_pdf(head: str = "", foot: list[str] = [], stamp: str = "", xmp: str = "", subject: str = "") -> list[Any]:  # noqa: B006
    file = pymupdf.open()
    page = file.new_page()
    for line in range(20):
        page.insert_text((72, 140 + 20 * line), f"{BODY} {line}.", fontsize=10)
    page.insert_text((72, 50), head, fontsize=8)
    for line, text in enumerate(foot):
        page.insert_text((72, 700 + 10 * line), text, fontsize=8)
    page.insert_text((30, 600), stamp, fontsize=16, rotate=90)
    file.set_metadata({"subject": subject})
    if xmp:
        file.set_xml_metadata(f"<x:xmpmeta>{xmp}</x:xmpmeta>")
    return keys(pdf.read(file.tobytes()))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"foot": ["31st Conference on Farm Systems (NIPS 2017), Long Beach, CA, USA."]},
         [2017, "31st Conference on Farm Systems (NIPS 2017)", None, None]),
        ({"head": "Future Internet 2014, 6, 61-75; doi:10.3390/fi6010061"}, [2014, "Future Internet", "10.3390/fi6010061", None]),
        *(({"head": f"{venue}{where}"}, [2018, venue, None, None]) for venue, where in (
            ("Proceedings of Machine Learning Research", " vol 95:1-16, 2018"), ("Farm Research", " 12:1-16, 2018"),
            ("JMLR: Workshop and Conference Proceedings", " 211:1-11, 2018 Workshop on Farms"),
            ("JMLR: Workshop and Conference Proceedings", " vol 23 (2018) 45.1-45.25 25th Conference on Farms"))),
        ({"head": "Journal of Farms 12 (2019) 100-110"}, [2019, "Journal of Farms", None, None]),
        ({"head": "IEEE TRANSACTIONS ON FARMS, VOL. 12, NO. 3, MARCH 2019"}, [2019, "IEEE TRANSACTIONS ON FARMS", None, None]),
        ({"foot": ["CHASE'18, May 27, 2018, Gothenburg, Sweden", "© 2017 ACM.", "https://doi.org/10.1145/3195836.3195861"]},
         [2018, "CHASE'18", "10.1145/3195836.3195861", None]),
        ({"foot": ["Proceedings of the 17th Conference of Farms, pages 1650-1669", "May 2-6, 2023"]},
         [2023, "Proceedings of the 17th Conference of Farms", None, None]),
        ({"head": "Published as a conference paper at ICLR 2018"}, [2018, "ICLR 2018", None, None]),
        ({"foot": ["Permission to make copies is granted.", "© 2020 ACM. ISBN 978-1-4503-7023-3/20/04. https://doi.org/10.1145/3366423.3380"]},
         [None, None, "10.1145/3366423.3380", None]),
        ({"head": "bioRxiv preprint doi: https://doi.org/10.1101/2020.03.04.97; this version posted March 5, 2020. The copyright"},
         [2020, "bioRxiv", "10.1101/2020.03.04.97", None]),
        ({"foot": ["© 2020 ACM. ISBN 978-1-4503. https://doi.org/10.1145/", "3366423.3380"]}, [None, None, "10.1145/3366423.3380", None]),
        ({"foot": ["© 2020 ACM. ISBN 978-1-4503. https://doi.org/10.1145/3366423.3380.", "All rights reserved."]}, [None, None, "10.1145/3366423.3380", None]),
        *(({"foot": [f"https://doi.org/10.1234/abc{tail}"]}, [None, None, "10.1234/abc", None]) for tail in (
            " Received 3 May 2019", " | www.farm.com", "; published online 2 March 2018", " March 2, 2018 1 / 12", " 1 of 10")),
        *(({"foot": [line]}, [2018, "PNAS", "10.1073/pnas.1801234115", None]) for line in (
            "www.pnas.org/cgi/doi/10.1073/pnas.1801234115 PNAS | March 2, 2018 | vol. 115 | no. 9 | 1234-1239",
            "1234-1239 | PNAS | March 2, 2018 | vol. 115 | no. 9 www.pnas.org/cgi/doi/10.1073/pnas.1801234115",
            "PNAS 2018 Vol. 115 No. 9 e1801234115 https://doi.org/10.1073/pnas.1801234115 | 1 of 10")),
        ({"foot": ["FARM REPORTS | (2018) 8:1234 | DOI:10.1234/abc"]}, [2018, "FARM REPORTS", "10.1234/abc", None]),
        *(({"foot": [line]}, [2018, None, None, None]) for line in (
            "published 2 March 2018", "Published online: 2 March 2018", "Received 3 May 2017; accepted 1 July 2017; published March 2, 2018.")),
        ({"head": "Journal of Farms 12 (2019) 100-110", "foot": ["Published online 30 December 2018"]},
         [2019, "Journal of Farms", None, None]),
        *(({"subject": f"{before}doi:10.1234/abc"}, [None, None, "10.1234/abc", None]) for before in ("", "Journal of Farms, 12 (2018) 1-9. ")),
        ({"stamp": "arXiv:2201.11903v6 [cs.CL] 10 Jan 2023"}, [None, None, None, "2201.11903"]),
        ({"xmp": "<prism:doi>10.1234/abc</prism:doi><prism:publicationName>J Farms</prism:publicationName>"},
         [None, "J Farms", "10.1234/abc", None]),
        ({"head": "August 2018, 31, 549–557"}, [2018, None, None, None]),
    ],
)  # fmt: skip
def test_what_a_pdf_says(said: dict[str, Any], expected: list[Any]) -> None:
    assert read_pdf(**said) == expected


@pytest.mark.parametrize(
    "said",
    [
        {"foot": ["1 As Smith (2019) says in the Journal of Farms, it is so.", "https://doi.org/10.1234/cited"]},
        {"foot": ["1 https://doi.org/10.1234/cited"]}, {"foot": ["2 arXiv:1901.00001, accessed 3 May 2020"]},
        {"foot": ["Submitted to 35th Conference on Farm Systems (NeurIPS 2021). Do not distribute."]},
        {"foot": ["Conference'17, July 2017, Washington, DC, USA", "© 2018 ACM.", "https://doi.org/10.1145/nnnnnnn.nnnnnnn"]},
        {"foot": ["Conference'17, July 3-5, 2017, Washington, DC, USA"]},
        {"foot": ["Woodstock '18, June 03-05, 2018, Woodstock, NY"]},
        {"foot": ["https://doi.org/10.5061/dryad.8515"]}, {"foot": ["https://doi.org/10.5281/zenodo.123456"]},
        *({"foot": [f"{note} Journal of Farms 12 (2016) 100-120"]}
          for note in ("Reprinted from", "An earlier version appeared in", "Comment on:", "Reply to", "Originally in", "Extends")),
        *({"head": f"{note} Farm Review, Vol. 3, No. 2, 2011"} for note in ("Translated from", "See Smith,", "Cited in")),
        {"foot": ["Reprinted from Proceedings of the 17th Conference of Farms, pages 1650-1669", "May 2-6, 2023"]},
        {"foot": ["© 2010 Farm Press. Reprinted from Hens, doi:10.1234/other"]}, {"head": "Under review as a conference paper at ICLR 2023"},
        {"foot": ["1 Farm Research 12:1-16, 2018"]}, {"head": "See Farm Research 12:1-16, 2018"},
        {"head": "Farm Research 12:1-16, 2018 says so"}, {"head": "Farm Research 12:1, 2018"},
        {"foot": ["1 Published as a conference paper at ICLR 2018 by Smith."]}, {"foot": ["bioRxiv preprint doi: https://doi.org/10.1101/2020.1"]},
        {"foot": ["© 2020 ACM. https://doi.org/10.1016/j.", "jf.2018.01.002"]}, {"foot": ["© 2020 ACM. https://doi.org/10.1007/s1-", "23"]},
        {"foot": ["© 2020 ACM. https://doi.org/10.1145/"]}, {"foot": ["© 2020 ACM. https://doi.org/10.1145/", "Words of a note 1"]},
        {"subject": "Comment on doi:10.1234/abc"}, {"subject": "doi:10.1234/abc shows it"}, {"foot": ["https://doi.org/10.1234/abc as Smith (2018) says"]},
        {"foot": ["1 The report of the bank was", "published 2 March 2018."]}, {"foot": ["Published 2 March 2018 by Smith"]},
        {"foot": ["Previously published 2 March 2018"]}, {"foot": ["An early version: received 3 May 2017, published 2 March 2018"]},
        {"foot": ["© 2018 Association for Farms."]}, {"head": "Accessed 12 May 2019"}, {"head": "Draft of March 2019"},
        {"xmp": "<prism:doi>10.1/a</prism:doi><xmp:CreateDate>2019-01-01</xmp:CreateDate>"},
    ],
)  # fmt: skip
def test_what_is_not_sure_in_a_pdf_is_null(said: dict[str, Any]) -> None:
    assert read_pdf(**said) == [None] * 4


@pytest.mark.parametrize(
    ("above", "cited"),
    [
        (above, cited)
        for index, above in enumerate((
            "[1] J. Smith and A. Doe. On hens. In", "1 See for example the work of J. Smith in", "Smith, J. (2016). On hens.",
            "* Corresponding author. This extends the work that was in", "and cows. The law that was shown in a series of", "Supplement to:",
        ))
        for cited in (
            "Journal of Farms 12 (2016) 100-120.", "Farm Research 12:1-16, 2016", "CHASE'16, May 27, 2016, Gothenburg, Sweden",
            "HEN REPORTS | (2016) 8:1234 | DOI:10.1234/cited", "31st Conference on Farm Systems (NIPS 2016), Long Beach",
            "Proceedings of the 17th Conference of Farms, pages 1650-1669, May 2-6, 2016",
        )[index % 2 :: 2]
    ],
)  # fmt: skip
def test_a_line_that_goes_on_with_a_citation_says_nothing_of_the_paper(above: str, cited: str) -> None:
    """Year and venue of the cited work were those of the paper: 270 of 768 drawn pages."""
    assert read_pdf(foot=[above, cited]) == [None] * 4
    assert read_pdf(head="Journal of Dogs 15 (2019) 1-9", foot=[above, cited]) == [2019, "Journal of Dogs", None, None]


def test_two_dois_that_differ_are_none() -> None:
    assert read_pdf(xmp="<prism:doi>10.1234/abc</prism:doi><pdfx:doi>10.1234/xyz</pdfx:doi>")[2] is None


def test_jats_marks_them() -> None:
    meta = '<article-id pub-id-type="doi">10.1234/abc</article-id><article-id pub-id-type="pmid">12</article-id>'
    meta += (
        '<pub-date pub-type="epub"><year>2018</year></pub-date><pub-date pub-type="ppub"><year>2019</year></pub-date>'
    )
    meta += '<history><date date-type="received"><year>2017</year></date></history>'
    journal = (
        "<journal-meta><journal-title-group><journal-title>J Farms</journal-title></journal-title-group></journal-meta>"
    )
    back = (
        '<ref-list><ref><element-citation><pub-id pub-id-type="doi">10.9/x</pub-id></element-citation></ref></ref-list>'
    )
    source = f"<article><front>{journal}<article-meta>{meta}</article-meta></front><body><p>x</p></body><back>{back}</back></article>"
    record = jats.read(source.encode())
    assert keys(record) == [2019, "J Farms", "10.1234/abc", None]
    assert record["front_matter_spans"]["year"]["where"] == "article-meta/pub-date ppub"


def test_tei_marks_them() -> None:
    source = """<TEI><teiHeader><fileDesc><sourceDesc><biblStruct><analytic><title>T</title>
        <idno type="DOI">10.1234/abc</idno></analytic><monogr><title level="j">J Farms</title><imprint>
        <date type="published" when="2019-03-02"/></imprint></monogr><idno type="arXiv">arXiv:1901.00001v2 [cs.CL]</idno>
        </biblStruct></sourceDesc></fileDesc></teiHeader><text><body><div><p>Words.</p></div></body></text></TEI>"""
    assert keys(tei.read(source.encode())) == [2019, "J Farms", "10.1234/abc", "1901.00001"]


@pytest.mark.parametrize("kind", ["accessed", "received", "submitted"])
def test_other_dates_of_tei_are_no_year(kind: str) -> None:
    dates = f'<biblStruct><monogr><imprint><date type="{kind}" when="2021-01-01"/></imprint></monogr></biblStruct>'
    source = f"<TEI><teiHeader><fileDesc><sourceDesc>{dates}</sourceDesc></fileDesc></teiHeader><text><body><div><p>Words.</p></div></body></text></TEI>"
    assert keys(tei.read(source.encode())) == [None] * 4


@pytest.mark.parametrize(
    ("preamble", "expected"),
    [
        (r"\acmDOI{10.1145/3195836.3195861}\acmYear{2018}\acmConference[C'18]{Conference on Farms}{May}{Rome}",
         [2018, "Conference on Farms", "10.1145/3195836.3195861", None]),
        (r"\acmDOI{XXXXXXX.XXXXXXX}\acmYear{2018}\acmJournal{TOSEM}", [None] * 4),
        (r"\journal{Journal of Farms}\date{March 2019}\doi{10.1234/abc}", [2019, "Journal of Farms", "10.1234/abc", None]),
        (r"\journal{Nuclear Physics B}\date{\today}", [None] * 4),
        (r"\newcommand{\doi}[1]{10.1234/#1} % \doi{10.1234/abc}" + "\n", [None] * 4),
        (r"\acmDOI{10.1145/1122445.1122456}\acmYear{2018}", [None] * 4),
        (r"\acmConference[Conference acronym 'XX]{Make sure to enter the correct conference title}\acmDOI{10.1145/3195836.3195861}",
         [None, None, "10.1145/3195836.3195861", None]),
        *((cited, [None] * 4) for cited in (
            r"\title{T\thanks{Extends \doi{10.1145/old.1}}}", r"\author{A\thanks{A short version: \arxiv{1901.00001}}}",
            r"\iffalse\doi{10.1234/abc}\fi", "\\begin{comment}\n\\doi{10.1234/abc}\n\\end{comment}",
            "\\begin{filecontents*}{a.bib}\n\\eprint{1901.00001}\n\\end{filecontents*}", r"\newcommand{\mine}{\doi{10.1234/abc}}")),
        *((rf"\date{{{date}}}", [None] * 4) for date in (
            "Submitted March 2019", "Draft of March 2019", "Draft 2019", "Revised: 3 May 2019", "Last updated 2019",
            "Received: 3 May 2019 / Accepted: date", "First version: May 2019", "Version 2, May 2019")),
        *((rf"\date{{{date}}}", [2019, None, None, None]) for date in (
            "May 2019", "May 3rd, 2019", "3rd of May 2019", "3. Mai 2019", "2019-05-03", "Published online: 3 May 2019")),
        *((rf"\journal{{{name}}}", [None] * 4) for name in (
            "Preprint submitted to Elsevier", "Under review", "TBD", "---", "Name of the Journal", "Your Journal")),
        *((rf"\doi{{{doi}}}", [None] * 4) for doi in ("10.1000/xyz123", "10.1007/s00000-000-0000-0", "10.3390/------")),
    ],
)  # fmt: skip
def test_what_a_latex_source_says(preamble: str, expected: list[Any]) -> None:
    source = rf"\documentclass{{article}}{preamble}\title{{T}}\begin{{document}}\maketitle Words. \doi{{10.9/cited}} 2001\end{{document}}"
    assert keys(latex.read({"main.tex": source.encode()})) == expected
