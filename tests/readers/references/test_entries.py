"""References: entries split where they begin, and title, year, DOI and arXiv identifier found or left out.

The references are made up; each shows a habit of its bibliography style. Columns: text, title, year, DOI, arXiv.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scholartools.readers.common.hyphenation import vocabulary_of
from scholartools.readers.common.page import Line, Span, Style
from scholartools.readers.references import entries as references
from scholartools.readers.references import links as reference_links
from scholartools.readers.references.ends import find_end
from scholartools.readers.references.starts import find_unheaded

GOLD: dict[str, list[tuple[str, str | None, int | None, str | None, str | None]]] = {
    "ACL and natbib": [
        ("Marta K. Vogel, Tomás de la Cruz, and Ines van den Broek. 2019a. Counting rare words in small "
         "corpora. In Proceedings of the 12th Workshop on Quantity, pages 1998–2005, Utrecht. Association "
         "of Counters.",
         "Counting rare words in small corpora", 2019, None, None),
        ("Noah A. Smythe. 2020. Is it raining? Weather in newspaper text. Transactions of the "
         "Meteorological Club, 9:1132–1146.",
         "Is it raining? Weather in newspaper text", 2020, None, None),
        ("Lin Do and Wei Du. 2021. Stop! In the name of parsing. In Findings of the Parsers 2021, pages 1–9.",
         "Stop! In the name of parsing", 2021, None, None),
        ("R. Duncan Lewis and Quoc V. Le. 2012. ImageNet 2012 revisited. Journal of Pictures, 3(1):12–40.",
         "ImageNet 2012 revisited", 2012, None, None),
    ],
    "plain": [
        ("[3] Denny B. Holt, Minh-Thang Luo, and Quoc V. Le. Massive searches of small spaces. CoRR, "
         "abs/1703.03906, 2017.",
         "Massive searches of small spaces", 2017, None, "1703.03906"),
        ("[14] Zoë Huang and Mary Harper. Self-training grammars across languages. In Proceedings of the "
         "2009 Conference on Grammar, pages 832–841. Grammar Society, August 2010.",
         "Self-training grammars across languages", 2010, None, None),
        ("[6] F. R. K. Chang. Spectral Tree Theory, volume 92. American Tree Society, 1997.",
         "Spectral Tree Theory", 1997, None, None),
        ("[7] Ashish V., Noam S., et al. Attention to details. arXiv preprint arXiv:1706.03762v5, 2017.",
         "Attention to details", 2017, None, "1706.03762"),
        ("[8] Erik F. Tjong. Introduction to shared tasks. arXiv preprint cs/0112017, 2001.",
         "Introduction to shared tasks", 2001, None, "cs/0112017"),
        ("[9] Z. Bern and L. J. Dixon. One-loop n-point amplitudes in gauge theory. [hep-ph/9403226].",
         "One-loop n-point amplitudes in gauge theory", None, None, "hep-ph/9403226"),
    ],
    "ICML": [
        ("Bauer, F. Exploring large kernels with trees. In Advances in Kernels, pp. 105–112. 2009.",
         "Exploring large kernels with trees", 2009, None, None),
        ("Wilson, Anna Grace and Adams, Ryan P. Gaussian covers for pattern discovery. Technical Report "
         "arXiv:1302.4245 [stat.ML], February 2013.",
         "Gaussian covers for pattern discovery", 2013, None, "1302.4245"),
        ("Hastings, T.J. and Tibbs, R.J. Generalized addition. Chapman & Hull, 1990.",
         "Generalized addition", 1990, None, None),
    ],
    "IEEE": [
        ("[12] J.-P. Müller, K. O’Brien, and S. D’Angelo, “Deep nets: Why they work, and when they do "
         "not,” IEEE Trans. Neural Things, vol. 12, no. 3, pp. 1998–2005, Mar. 2011, doi: "
         "10.1109/TNT.2011.1234567.",
         "Deep nets: Why they work, and when they do not", 2011, "10.1109/TNT.2011.1234567", None),
        ("[13] A. Kumar et al., \"Can robots learn 'on the job'?,\" in Proc. IEEE Int. Conf. Robot. (ICR), "
         "Paris, France, 2016, pp. 1–8.",
         "Can robots learn 'on the job'?", 2016, None, None),
        ("[14] B. Klaas, “The U.S. market for e-bikes in 2005,” M.S. thesis, Dept. Econ., Univ. Twente, "
         "Enschede, 2007.",
         "The U.S. market for e-bikes in 2005", 2007, None, None),
        ("[15] W. Strunk and E. B. Wight, The Elements of Stylish Prose, 3rd ed. New York, NY, USA: "
         "Macmillan, 1979.",
         None, 1979, None, None),
    ],
    "LNCS": [
        ("4. Du, Y., Rosen, D., De Luca, G.: Challenges in table recognition: A survey. In: 2019 "
         "International Conference on Documents (ICD). pp. 894–901. IEEE (2019)",
         "Challenges in table recognition: A survey", 2019, None, None),
        ("5. Li, M., Cui, L.: Tablestore: A data set of tables (2018), https://arxiv.org/abs/1903.01949",
         "Tablestore: A data set of tables", 2018, None, "1903.01949"),
        ("6. Knoth, D.E.: The TeX Book of Cats. Addison, Reading (1984). "
         "https://doi.org/10.1007/978-3-030-12345-6_7",
         "The TeX Book of Cats", 1984, "10.1007/978-3-030-12345-6_7", None),
    ],
    "ACM": [
        ("[1] Greta D. Abode, Anna K. Dye, and Pete Stegg. 1999. Towards a theory of context. In "
         "International Symposium on Handhelds (HUC ’99). Springer, 304–307. "
         "https://doi.org/10.1145/1124772.1124808",
         "Towards a theory of context", 1999, "10.1145/1124772.1124808", None),
        ("[2] Paul Durish. 2004. What we talk about when we talk. Personal computing 8, 1 (2004), 19–30.",
         "What we talk about when we talk", 2004, None, None),
        ("[3] Victoria Grigor and Irwin Kwon. [n. d.]. End-user strategies: A view. ACM Trans. Things ([n. "
         "d.]), 5:1–5:28.",
         "End-user strategies: A view", None, None, None),
    ],
    "APA": [
        ("Vasquez, A., Shaw, N., & Polo, I. (2017). Attention is what you need. Advances in Attention, 30, "
         "5998–6008. https://doi.org/10.5555/3295222.3295349",
         "Attention is what you need", 2017, "10.5555/3295222.3295349", None),
        ("World Health Organisation. (2020, June 3). Coronavirus disease: Questions and answers. "
         "https://www.who.int/news/q-a",
         "Coronavirus disease: Questions and answers", 2020, None, None),
        ("R Core Group (2019). R: A language for statistics (Version 3.6) [Computer software]. R "
         "Foundation. https://www.R-project.org/",
         "R: A language for statistics", 2019, None, None),
        ("Ferris, T. (n.d.). How to cite the undated. Retrieved March 4, 2018, from https://example.org/x",
         "How to cite the undated", None, None, None),
        ("Beck, A. T., & Sterling, R. A. (Eds.). (1990). Manual for the scale of sadness (2nd ed.). Psych Corp.",
         "Manual for the scale of sadness", 1990, None, None),
    ],
    "Vancouver": [
        ("1. Watson G, Arulia DA, Brown CT, Hong NPC, et al. Best Habits for Computing. PLoS Biology. "
         "2014;12(1):e1001745. doi:10.1371/journal.pbio.1001745.",
         "Best Habits for Computing", 2014, "10.1371/journal.pbio.1001745", None),
        ("2. Graciotto Silva M, van der Berg A. Barriers vs. openings in teams. Inf Softw Technol. "
         "2015;59(C):67-85.",
         "Barriers vs. openings in teams", 2015, None, None),
        ("3. Haunt A, Thom D. The Patient Programmer. Addison; 1999.",
         "The Patient Programmer", 1999, None, None),
        ("4. Raji A. From lists to wishes; 2016. Available from: http://raj.example.org/2015/03/lists.html.",
         "From lists to wishes", 2016, None, None),
        ("12. Conway TC, Bromage AJ (2011) Succinct structures for genomes. Bioinformatics 27: 479-86.",
         "Succinct structures for genomes", 2011, None, None),
    ],
    "Springer": [
        ("Choe KW, Blake R, Lee SH (2016) Pupil size during fixation. Vision research 118:48–59, DOI "
         "10.1016/j.visres. 2014.01.005",
         "Pupil size during fixation", 2016, "10.1016/j.visres.2014.01.005", None),
        ("Bahill AT, Clark MR (1975) The main sequence, a tool. Math Biosci 24(3-4):191–204, URL "
         "https://doi.org/10.1016/0025-5564(75) 90075-9",
         "The main sequence, a tool", 1975, "10.1016/0025-5564(75)90075-9", None),
        ("Jones E, et al. (2001–) SciPie: Open tools. URL http: //www.scipie.org",
         "SciPie: Open tools", 2001, None, None),
    ],
    "Nature": [
        ("5. LeCourt, Y., Bengal, Y. & Hinter, G. Deep leaning. Nature 521, 436–444 (2015).",
         "Deep leaning", 2015, None, None),
        ("6. Jumper, J. et al. Folding proteins with paper. Nature "
         "https://doi.org/10.1038/s41586-021-03819-2 (2021).",
         "Folding proteins with paper", 2021, "10.1038/s41586-021-03819-2", None),
        ("7. Abbott, B. P. et al. Observation of waves. Phys. Rev. Lett. 116, 061102 (2016).",
         "Observation of waves", 2016, None, None),
    ],
    "no title": [
        ("[8] I. A. Iyer and K. Roe, Guilds and the limits of reform (Clarendon House, Oxford, 1992).",
         "Guilds and the limits of reform", 1992, None, None),
        ("[7] B. P. Abbott, R. Abbott, and T. D. Abbott, Phys. Rev. Lett. 116, 061102 (2016).",
         None, 2016, None, None),
        ("(8) Smith, J.; Doe, A. J. Am. Chem. Soc. 2010, 132, 1–5.",
         None, 2010, None, None),
    ],
    "Elsevier": [
        ("[2] J. van der Geer, J.A.J. Hanraads, R.A. Lupton, The art of writing a scientific article, J. "
         "Sci. Commun. 163 (2010) 51–59. https://doi.org/10.1016/j.Sc.2010.00372.",
         "The art of writing a scientific article", 2010, "10.1016/j.Sc.2010.00372", None),
        ("Strang, W., White, E.B., 2000. The elements of good style, fourth ed. Longman, New York.",
         "The elements of good style", 2000, None, None),
    ],
    "Chicago": [
        ("Grazier, Brian, and Charles Fishmonger. The Curious Mind: The Road to a Bigger Life. New York: "
         "Simon & Sons, 2015.",
         "The Curious Mind: The Road to a Bigger Life", 2015, None, None),
        ("Keng, Shao-Hsun, Chun-Hung Lin, and Peter F. Orazem. “Expanding College Access in Taiwan, "
         "1978–2014: Effects on Quality.” Journal of Human Capital 11, no. 1 (Spring 2017): 1–34. "
         "https://doi.org/10.1086/690235.",
         "Expanding College Access in Taiwan, 1978–2014: Effects on Quality", 2017, "10.1086/690235", None),
        ("———. 2010. The Same Author Again. Chicago: Press of Chicago.",
         "The Same Author Again", 2010, None, None),
    ],
    "MDPI": [
        ("1. Hansel, M.; Dzik, K.; Wierz, A.Ł. Human maps in towns-two case studies. Future Internet 2012, "
         "4, 347–361. [CrossRef]",
         "Human maps in towns-two case studies", 2012, None, None),
        ("3. Berdia, N. The Realm of Cats; Harper & Sisters: New York, NY, USA, 1952; pp. 91–92.",
         "The Realm of Cats", 1952, None, None),
        ("16. The Smart Planet. Available online: http://www.example.com/smarterplanet (accessed on 7 June 2013).",
         "The Smart Planet", None, None, None),
    ],
    "theses and software": [
        ("Anna Schmidt. Artificial Skin for Machines. PhD thesis, Karlsruhe Institute, 2012.",
         "Artificial Skin for Machines", 2012, None, None),
        ("Wang, X.: Tabular Abstraction and Editing. Ph.D. thesis, CAN (1996), aAINN09397",
         "Tabular Abstraction and Editing", 1996, None, None),
        ("Martin Abad et al. TensorStream: Machine learning on heterogeneous systems, 2015. Software "
         "available from tensorstream.org.",
         "TensorStream: Machine learning on heterogeneous systems", 2015, None, None),
        ("OpenBrain. GPT-9 technical report. arXiv:2303.08774, 2023.",
         None, 2023, None, "2303.08774"),
    ],
    "named labels": [
        ("[Srivas and Salak, 2014] Nitish Srivas and Ruslan Salak. Dropping out: a way of life. JMLR, "
         "15(1):1929–1958, 2014.",
         "Dropping out: a way of life", 2014, None, None),
        ("Gordon, A. S.; and Hobbs, J. R. 2003. Coverage and competency in formal theories. In AAAI Spring "
         "Symposium, 27–32.",
         "Coverage and competency in formal theories", 2003, None, None),
    ],
    "names": [
        ("Łukasz Kaizer, Gülşah Ćirić-Öz, and Đorđe Šć. Ångström units for everyone. Journal of Length, "
         "4:1–2, 1999.",
         "Ångström units for everyone", 1999, None, None),
        ("Ward Jr, J. H. (1963). Grouping to optimize. Journal of the Society, 58(301):236–244.",
         "Grouping to optimize", 1963, None, None),
        ("P. ’t Hooft and M. al-Khwarizmi. Gauge and algebra. Annals of History, 1:3–5, 1972.",
         "Gauge and algebra", 1972, None, None),
    ],
    "stops and identifiers": [
        ("Ralph A. Bradlee and Milton E. Terry. 1952. Rank analysis of designs: I. The method of pairs. "
         "Biometrika, 39(3/4):324–345.",
         "Rank analysis of designs: I. The method of pairs", 1952, None, None),
        ("C. Elegant. C. elegans and its genome. Worm Journal, 7:1–20, 1998.",
         "C. elegans and its genome", 1998, None, None),
        ("Hoppe, K. (2008). Addresses with stops. Journal, 1(1):2–3. doi:10.1000/182. 2009 reprint.",
         "Addresses with stops", 2008, "10.1000/182", None),
        ("Weber, M. On old codes. J. Inf. Sci., 1999. "
         "doi:10.1002/(SICI)1097-4571(199009)41:6<391::AID-ASI1>3.0.CO;2-9.",
         "On old codes", 1999, "10.1002/(SICI)1097-4571(199009)41:6<391::AID-ASI1>3.0.CO;2-9", None),
        ("Attention to everything that is needed, 2017.",
         "Attention to everything that is needed", 2017, None, None),
        ("ibid., p. 2001.",
         None, None, None, None),
        ("See http://example.org/2019/05/report.pdf, accessed 12 May 2020.",
         None, None, None, None),
    ],
}  # fmt: skip

CASES = [(style, *case) for style, cases in GOLD.items() for case in cases]


@pytest.mark.parametrize(
    ("style", "text", "title", "year", "doi", "arxiv"), CASES, ids=[case[1][:30] for case in CASES]
)
def test_fields(style: str, text: str, title: str | None, year: int | None, doi: str | None, arxiv: str | None) -> None:
    expected = {"text": text, "title": title, "year": year, "doi": doi, "arxiv": arxiv}
    found = references.parse_entry(text)
    assert {key: found[key] for key in expected} == expected, style


@pytest.mark.parametrize("end", ["and R. Weinberg", "and R.A. Weinberg", "and J.-P. Weinberg", ", R. Weinberg"])
@pytest.mark.parametrize("before", ["D. Hanahan", "D. Hanahan, W.H. Lee", "D. Hanahan, A. Gonzalez-Perez"])
def test_a_surname_that_no_stop_parts_from_the_title_is_in_neither(before: str, end: str) -> None:
    found = references.parse_entry(
        f"1. {before} {end} The hallmarks of cancer. Cell, 100(1), 57-70, 2000.".replace(" ,", ",")
    )
    assert found["authors"] is None and found["title"] is None
    assert found["year"] == 2000


@pytest.mark.parametrize(
    ("text", "authors"),
    [
        ("Abouelhoda, M. I. and Ohlebusch, E. (2005). Chaining algorithms.", ["Abouelhoda, M. I.", "Ohlebusch, E."]),
        ("[3] Yoon Kim, Carl Denton, and Alexander M. Rush. Structured networks. In Proc., 2017.",
         ["Yoon Kim", "Carl Denton", "Alexander M. Rush"]),
        ("1. Marçais G, Kingsford C (2011) A fast approach. Bioinformatics 27.", ["Marçais G", "Kingsford C"]),
        ("1. Marçais G Jr, Kingsford C, Do E. A fast approach. Bioinformatics 27.", ["Marçais G Jr", "Kingsford C", "Do E"]),
        ("[2] K. Bauer and G. Mbeki, “Moths at lamps,” J. Light, vol. 2, 2016.", ["K. Bauer", "G. Mbeki"]),
        ("[1] Acosta, Grace. “Snapshots of logs.” Journal of Logs 5 (2016).", ["Acosta, Grace"]),
        ("[1] Alex Gravel. Writing sequences with networks. arXiv preprint, 2013.", ["Alex Gravel"]),
        ("Torsten Joachimson. 2002. Ranking by clicks. In Proceedings of Search.", ["Torsten Joachimson"]),
        ("de la Cruz, Marco K., Ingrid Cardoso, and Thomas Xu. 1986. Court records. Leipzig: Verlag.",
         ["de la Cruz, Marco K.", "Ingrid Cardoso", "Thomas Xu"]),
        ("van Dijk, Agnes M. 2001. “A paper on bees.” Journal of Farms 13: 1–9.", ["van Dijk, Agnes M."]),
        ("Desrosiers, Lukas A, et al. “Informal guilds.” J. Farms, vol. 2, 2013, pp. 1–9.", ["Desrosiers, Lukas A."]),
        ("Wilson, Anna Grace and Adams, Ryan. Covers for patterns. Journal of Logs, 2013.",
         ["Wilson, Anna Grace", "Adams, Ryan"]),
        ("BRANDT, M., AND MEHTA, P. Fuzzy checkpoints. Journal of Logs 5, 2016.", ["BRANDT, M.", "MEHTA, P."]),
        ("GRÖSS, MARCO M., AND LUKAS A. ABERN. 2015. “Courts.” Annals of Law 3: 1–9.",
         ["GRÖSS, MARCO M.", "LUKAS A. ABERN"]),
        ("de la Cruz, Marco K., van Dijk, Agnes M. 2001. Two surnames, two given names. Verlag.", None),
        ("DE LA CRUZ, GRAHAM K. 1985. Parish schools under gold. Oxford: House.", None),
        ("Kaiser, Koo, Petrov, and Hinton. Grammar as a language. 2015.", None),
        ("Chrissus and Odotheus. Barbarians: The Insurgence; Publications: Los Angeles, 2003.", None),
        ("World Bank. 2010. Development of the world: a report.", None),
        ("Common Crawl. 2019. Pages of the web in bulk.", None),
        ("Smart Wikipedia. Available online: http://example.org/smart (accessed 2013).", None),
        ("Alex Gravel, 2013.", None),
        ("The National Archives (2007). The soundex indexing system.", None),
    ],
)  # fmt: skip
def test_authors_are_whole_names_or_not_told(text: str, authors: list | None) -> None:
    assert references.parse_entry(text)["authors"] == authors


@pytest.mark.parametrize("seed", range(20))
def test_names_between_slashes_editors_and_bare_years(seed: int) -> None:
    """As German social sciences print them: "Lindqvist, J./Marlow, T. (Hg.) 1998a: ..."; the truth is by construction."""
    draw = random.Random(seed)
    surnames = draw.sample(
        ["Lindqvist", "Marlow", "Totović", "Jahoda", "Böckenförde", "Pressouyre"], draw.randint(1, 3)
    )
    given = draw.choice([("J.", "T.", "M. K."), ("Jana", "Tomas", "Mira")])
    people = [f"{surname}, {name}" for surname, name in zip(surnames, given)]
    year = draw.randint(1960, 2020)
    date = draw.choice([f" ({year}): ", f", {year}: ", f" {year}{draw.choice('ab')}: "])
    title = draw.choice(["Tides and harvests of the north", "Wie viel verdienen Kinder in kleinen Orten?"])
    printed = "/".join(people) + draw.choice(["", " (Hg.)", " (Hrsg.)"]) + date + title
    stop = "" if title.endswith("?") else "."
    entry = references.parse_entry(f"{printed}{stop} {draw.choice(['Journal of Farms 12: 100-110.', 'Wien: Böhlau.'])}")
    assert entry["authors"] in (people, None)
    assert (entry["title"] or title, entry["year"] or year) == (title, year)


@pytest.mark.parametrize(
    ("text", "authors", "title"),
    [
        ("Sampson, Robert/Laub, John, 2003: Life-course resisters? Roads of crime followed to age 70. Criminology 41: "
         "555-592.",
         ["Sampson, Robert", "Laub, John"], "Life-course resisters? Roads of crime followed to age 70"),
        ("Totović, Vida (Hg.) (1960): Vojvođanski kuvar. Novi Sad: Forum.", ["Totović, Vida"], "Vojvođanski kuvar"),
        ("Levins, Stephen: Pragmatics, Cambridge 1983.", ["Levins, Stephen"], "Pragmatics"),
        ("Marlow T/Lindqvist J. Tides and harvests of the north. J Farms 2019; 12: 1-10.",
         ["Marlow T", "Lindqvist J"], "Tides and harvests of the north"),
        ("Bernstein, A. Input/Output systems of the north. Journal of Farms 12 (2019) 1-10.",
         ["Bernstein, A."], "Input/Output systems of the north"),
    ],
)  # fmt: skip
def test_lists_of_names_with_slashes_and_places_of_print(text: str, authors: list, title: str) -> None:
    entry = references.parse_entry(text)
    assert (entry["authors"], entry["title"]) == (authors, title)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("[1] W3C. Pages. https://www.w3.org/TR/pages/. Accessed 2020.", "https://www.w3.org/TR/pages/"),
        ("A. Author. Pages. 2020. https://doi.org/10.1000/182", None),
        ("A. Author. Pages. 2020. http://arxiv.org/abs/2001.00001", None),
    ],
)
def test_an_address_that_is_no_identifier(text: str, url: str | None) -> None:
    assert references.parse_entry(text)["url"] == url


@pytest.mark.parametrize(
    ("printed", "linked", "doi"),
    [
        (None, ["https://doi.org/10.1000/a_b"], "10.1000/a_b"),
        ("10.1000/a", ["http://dx.doi.org/10.1000/a%5Fb"], "10.1000/a_b"),
        ("10.1000/xyz", ["https://doi.org/10.1000/other"], "10.1000/xyz"),
        (None, ["https://doi.org/10.1000/one", "https://doi.org/10.1000/two"], None),
    ],
)
def test_links_complete_what_is_printed_and_contradict_nothing(printed: str | None, linked: list, doi: str) -> None:
    record = {"text": "", "doi": printed, "arxiv": None, "url": None}
    assert reference_links.complete_entry(record, linked)["doi"] == doi


@pytest.mark.parametrize(
    ("printed", "doi"),
    [
        ("DOI 10. 1037/0278-7393.32.6.1304", "10.1037/0278-7393.32.6.1304"),
        ("doi:10.1109/TBME. 2010.2057429", "10.1109/TBME.2010.2057429"),
        ("DOI 10.1152/jn.1987.57.5. 1446, pMID: 3585475", "10.1152/jn.1987.57.5.1446"),
        ("DOI https://doi.org/10.1016/S0042-6989(96) 00217-9", "10.1016/S0042-6989(96)00217-9"),
        ("DOI 10.1016/J. NEUROIMAGE.2013.11.017", "10.1016/J.NEUROIMAGE.2013.11.017"),
        (r"DOI 10.1162/jocn\ e\ 01276", "10.1162/jocn_e_01276"),
        (r"doi:10.1162/tacl\_a\_00023", "10.1162/tacl_a_00023"),
        ("10.1007/978–3–642–12345–6_1", "10.1007/978-3-642-12345-6_1"),
        ("(doi:10.1000/182)", "10.1000/182"),
        ("doi:10.1000/182. 2005.", "10.1000/182"),
        ("doi:10.1000/182,https://example.org/10", "10.1000/182"),
        (
            "https://doi.org/10.48550/arXiv.2206.00785, https://doi.org/10.48550/arXiv.2206.00785",
            "10.48550/arXiv.2206.00785",
        ),
        ("version 10.1/2 of the manual", None),
        ("doi:10.1016/", None),
    ],
)
def test_dois_broken_by_line_ends(printed: str, doi: str | None) -> None:
    assert references.parse_entry(f"Smith J. A title of words. Journal. 2001. {printed}")["doi"] == doi


@pytest.mark.parametrize(
    ("printed", "arxiv"),
    [
        ("arXiv:1706.03762v5", "1706.03762"),
        ("arXiv : 1203.4802.", "1203.4802"),
        ("ArXiv, abs/1907.11692", "1907.11692"),
        ("CoRR abs/2206.00785 (2022)", "2206.00785"),
        ("arXiv e-prints, page arXiv:1810.04805", "1810.04805"),
        ("arXiv preprint arXiv:1706. 03762", "1706.03762"),
        ("https://arxiv.org/pdf/1706.03762.pdf", "1706.03762"),
        ("arXiv:math.GT/0309136", "math.GT/0309136"),
        ("arXiv:1111:5572", None),
        ("arXiv:1713.00001", None),
        ("pages 1203.4802", None),
        ("physics/chemistry 0112017", None),
    ],
)
def test_arxiv_identifiers(printed: str, arxiv: str | None) -> None:
    assert references.parse_entry(f"Smith J. A title of words. {printed}")["arxiv"] == arxiv


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("A. Foo and B. Bar. A title. Journal, 7:1998–2005, 1987.", 1987),
        ("A. Foo and B. Bar. A title of 1984. Journal, pages 1998–2005.", None),
        ("A. Foo. A title. http://example.org/2016/x. Accessed 2020-01-02.", None),
        ("A. Foo. A title. Journal, 5 (Mar. 1999), article 2003.", 1999),
        ("Foo, A. (2012b). A title. In 2011 Conference on Things (2013).", 2012),
        ("A. Foo. A title. arXiv:2005.14165.", None),
    ],
)
def test_years_of_print_only(text: str, year: int | None) -> None:
    assert references.parse_entry(text)["year"] == year


def lines(*rows: tuple[str, float]) -> list[Line]:
    """Printed lines of one column, each with its left edge."""
    style = Style("Serif", 9.0)
    return [
        Line(1, [Span(text, style)], x0, 11.0 * n, x0 + 4.5 * len(text), 11.0 * n + 9)
        for n, (text, x0) in enumerate(rows)
    ]


def split(*rows: tuple[str, float]) -> list[str]:
    printed = lines(*rows)
    kept = printed[: find_end(printed).line]
    return [entry["text"] for entry in references.split_entries(kept, vocabulary_of(line.text for line in printed))]


@pytest.mark.parametrize(
    ("several", "lone"),
    [
        ("Doe, J., and Roe, K. Notes on things.", [None, ["Thomas K. Xu"]]),
        ("Doe, Jane, and Karl Roe. Notes on things.", [None, ["Thomas K. Xu"]]),
        ("Jane Doe and Karl Roe. Notes on things.", [["Red Hat"], ["Thomas K. Xu"]]),
    ],
)
def test_a_lone_name_is_an_author_where_others_are_printed_like_it(several: str, lone: list) -> None:
    texts = [f"{several} Journal of Things, 3(1):1–9, 2001."] * 3 + [
        f"{one}. Notes on modules." for one in ("Red Hat", "Thomas K. Xu")
    ]
    printed = lines(*((f"[{number}] {text}", 50) for number, text in enumerate(texts, 1)))
    found = references.split_entries(printed, vocabulary_of(line.text for line in printed))
    assert [entry["authors"] for entry in found[3:]] == lone


def test_split_at_labels() -> None:
    assert split(
        ("[1] A. Foo. First title of all.", 50), ("2001.", 65), ("[Online]. Available: x.org", 65), ("[2] B. Bar. Second title.", 50)
    ) == ["[1] A. Foo. First title of all. 2001. [Online]. Available: x.org", "[2] B. Bar. Second title."]  # fmt: skip


def test_split_at_labels_of_names() -> None:
    assert split(
        ("[Foo and Bar, 2001] A. Foo and B. Bar. First", 50), ("title.", 50), ("[Bar et al., 2002b] B. Bar. Second", 50), ("title.", 50),
        ("[Quux and Longname,", 50), ("2003] C. Quux. Third title.", 50),
    ) == [
        "[Foo and Bar, 2001] A. Foo and B. Bar. First title.", "[Bar et al., 2002b] B. Bar. Second title.",
        "[Quux and Longname, 2003] C. Quux. Third title.",
    ]  # fmt: skip


@pytest.mark.parametrize("label", ["{}.", "({})", "{})", "{}"])
def test_split_at_numbers_but_not_at_dates(label: str) -> None:
    found = split(
        (label.format(1) + " Foo A. First title. Published", 50), ("16 October 2013.", 60),
        (label.format(2) + " Bar B. Second title. Journal", 50), ("3 (1999) 4.", 60), (label.format(3) + " Baz C. Third title.", 50),
    )  # fmt: skip
    assert [text.removeprefix(label.format(number)) for number, text in enumerate(found, 1)] == [
        " Foo A. First title. Published 16 October 2013.", " Bar B. Second title. Journal 3 (1999) 4.", " Baz C. Third title.",
    ]  # fmt: skip


def test_split_at_hanging_indents() -> None:
    assert split(
        ("Foo, A. and Bar, B. 2001. First title.", 50), ("In Proceedings.", 60), ("Bar, B. 2002. Second title.", 50), ("In Proceedings.", 60),
        ("Baz, C. 2003. Third title.", 50), ("Journal.", 60),
    ) == [
        "Foo, A. and Bar, B. 2001. First title. In Proceedings.", "Bar, B. 2002. Second title. In Proceedings.",
        "Baz, C. 2003. Third title. Journal.",
    ]  # fmt: skip


VENUES = [
    ("Roe, R., & Poe, P. (2001). Slow tides. Water Letters, 3(1), 1–9.", "Water Letters"),
    ("Roe R, Poe P. Slow tides. J Coast Res 2001;3(1):1–9.", "J Coast Res"),
    ("R. Roe, J. Coast. Res. 12, 3 (2001).", "J. Coast. Res."),
    ("R. Roe and P. Poe, “Slow tides of mud,” Water Letters, 2001.", "Water Letters"),
    ("R. Roe, “Slow tides of mud,” in Proc. IEEE Int. Conf. Robot. Autom. (ICRA), 2001, pp. 1–9.", "Proc. IEEE Int. Conf. Robot. Autom"),
    ("Roe, R. (2001). Slow tides. In P. Poe (Ed.), Handbook of mud (pp. 1–9). Harbour Press.", "Handbook of mud"),
    ("Roe R. Slow tides. In: Poe P, editor. Handbook of mud. Bergen: Harbour Press; 2001. p. 1–9.", "Handbook of mud"),
    ("R. Roe. Slow tides. In Proceedings of the Symposium on Mud, pages 1–9. Harbour Press, 2001.",
     "Proceedings of the Symposium on Mud"),
    ("Roe, R. (2001). Slow tides. Harbour Press, Bergen.", None),
    ("R. Roe. Slow tides. PhD thesis, University of Bergen, 2001.", None),
    ("R. Roe. Slow tides. arXiv preprint arXiv:1706.03762, 2017.", None),
    ("Roe R. Slow tides [Internet]. 2001 [cited 2002 May 3]. Available from: https://a.org", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "venue"), VENUES)
def test_where_a_reference_appeared(text: str, venue: str | None) -> None:
    assert references.parse_entry(text)["venue"] == venue


ENTRIES = [
    ["Almeida, M., & Brandt, A. (2001). Slow tides in bays.", "Water Letters, 3(1), 1–9."],
    ["Brandt, A., Castello, B., &", "Dahl, C. (1999). Mud and what it tells engineers who", "must dredge it. Water Letters, 7, 2–8."],
    ["Dahl, C. (2010). Barriers. Harbour Press."],
    ["Faria, D. (2003). A century of records from a small", "estuary. Water Letters, 9, 3–4. https://doi.org/10.1/2"],
    ["Moreau, E. (2005). Gauges before the war, and after", "it. Water Letters, 1, 4–9."],
]  # fmt: skip


@pytest.mark.parametrize(("first", "others"), [(50, 50), (62, 50)])
def test_split_at_names_and_dates_and_at_first_lines(first: float, others: float) -> None:
    """Entries flush left without a space between them; entries indented on their first line, the first of all not."""
    rows = [
        (text, others if at or not number else first)
        for number, entry in enumerate(ENTRIES)
        for at, text in enumerate(entry)
    ]
    assert split(*rows) == [" ".join(entry) for entry in ENTRIES]


def test_hanging_indents_may_shift_within_a_column() -> None:
    found = split(
        ("Foo, A. First title. Water", 60), ("Letters, 2001.", 70), ("Bar, B. Second title. Water", 60), ("Letters, 2002.", 70),
        ("Baz, C. Third title. Water", 50), ("Letters, 2003.", 60), ("Qux, D. Fourth title. Water", 50), ("Letters, 2004.", 60),
        ("Zap, E. Fifth title. Water", 50), ("Letters, 2005.", 60),
    )  # fmt: skip
    assert [text[:3] for text in found] == ["Foo", "Bar", "Baz", "Qux", "Zap"]


def test_an_entry_may_open_a_page_behind_an_address() -> None:
    rows = [("Roe R, Poe P (2001) Slow tides in bays. Water Letters 3:1–9", 50), ("Soe S (2002) Mud. Water Letters 4:1–9. https://a.org/b", 50),
            ("Toe T, Voe V (2003) Fast tides in bays. Water Letters 5:1–9", 50), ("Xoe X (2004) Gauges. Water Letters 6:1–9", 50)]  # fmt: skip
    printed = lines(*rows)
    for at, one in enumerate(printed):
        one.page, one.y0 = 1 + at // 2, 100.0 + 30 * (at % 2)
    found = references.split_entries(printed, vocabulary_of(line.text for line in printed))
    assert [entry["text"] for entry in found] == [text for text, _ in rows]


def test_hanging_indents_win_over_names_that_are_not_understood() -> None:
    """Accents that fonts set apart, and bodies as authors, split no list in another way than its indents do."""
    first = [
        "W´ojcik, O., and Sch¨afer, B. (2001). Slow tides.",
        "Tide Survey (1999). Annual mud. Bergen.",
        "Xu, B. (2003). Fast tides.",
    ]
    rows = [(text, x) for opening in first for text, x in ((opening, 50), ("Water Letters, 3(1), 1–9.", 60))]
    assert [text.partition(". Water")[0] + "." for text in split(*rows)] == [
        "Wójcik, O., and Schäfer, B. (2001). Slow tides.", *first[1:]
    ]  # fmt: skip


def test_entries_in_the_order_of_the_alphabet_need_no_heading() -> None:
    text = [("The gauges were read by hand until the war ended.", 50.0)] * 6
    printed = lines(*text, *((line, 50.0) for entry in ENTRIES for line in entry))
    assert find_unheaded(printed) == (6, len(printed))
    shuffled = lines(*text, *((line, 50.0) for entry in ENTRIES[::-1] for line in entry))
    assert find_unheaded(shuffled) is None


def test_a_colophon_ends_the_list() -> None:
    assert split(("[1] A. Foo. First title.", 50), ("[2] B. Bar. Second title.", 50), ("© 2020 by the authors.", 50)) == [
        "[1] A. Foo. First title.", "[2] B. Bar. Second title.",
    ]  # fmt: skip


@given(st.text(max_size=300))
def test_any_text_is_an_entry(text: str) -> None:
    found = references.parse_entry(text)
    assert found["text"] == text and (found["title"] is None or found["title"].strip())


WORDS = [
    "Smith",
    "J.",
    "and",
    "et al.",
    "(2001)",
    ".",
    ":",
    ",",
    ";",
    "“",
    "”",
    "?",
    "In",
    "10.1000/",
    "arXiv:",
    "1706.03762",
    "title",
    "(",
    "de",
]


@given(st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join))
def test_what_is_found_is_in_the_text(text: str) -> None:
    found = references.parse_entry(text)
    squeezed = "".join(text.split())
    assert found["title"] is None or "".join(found["title"].split()) in squeezed
    assert found["venue"] is None or "".join(found["venue"].split()) in squeezed
    assert found["year"] is None or str(found["year"]) in text
    assert found["arxiv"] is None or found["arxiv"] in squeezed


@pytest.mark.parametrize(
    "unit",
    ["A. ", "Smith, J., ", "10.1000/", "10.1000/a. 1 ", "“a, ", "‘a ", "(2001) ", "( ", "arXiv: ", "accessed ", "a", "Smith J and ", "1998-2005 ",
     "? a ", ". a", "http:// ", "[", " ", "A.-", "Title, 2001, ", "doi:", "pp. ", "Van "],
)  # fmt: skip
def test_a_megabyte_of_junk_is_read_at_once(unit: str) -> None:
    text = "Smith, J. " + unit * (1_000_000 // len(unit))
    assert references.parse_entry(text)["text"] == text
