"""Sources are data and pure functions: nothing in them acts; a new one is one file."""

from __future__ import annotations

import ast
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.run import ROOT
from support.web_server import WORKS, inverted, openalex_work

from scholartools.errors import InputFault
from scholartools.sources import SOURCES, crossref, europe_pmc, openalex
from scholartools.sources.base import Id, Job, one_line
from scholartools.tasks.fetch.ids import as_ids, parse_id, record_id
from scholartools.web.request import Answer, Ask

ACTING = {"aiohttp", "io", "os", "time", "random", "socket", "asyncio", "subprocess", "pathlib", "requests", "httpx"}


def test_sources_import_nothing_that_acts():
    for path in (ROOT / "scholartools" / "sources").glob("*.py"):
        tree = ast.parse(path.read_text())
        names = {
            alias.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
        }
        names |= {
            node.module.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module
        }
        assert not names & ACTING, path
        assert not [
            node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr in ("now", "today")
        ]
        assert not [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "open"], path


def test_every_source_says_its_limits_and_where_they_stand():
    for source in SOURCES.values():
        assert "documented in" in source.checked and source.terms
        for ask in source.requests(Job("papers", (Id(source.id_kinds[0], "10.1101/1"),))):
            lane = source.service.lanes[ask.lane]
            assert lane.interval > 0 and ask.at in source.service.addresses
            assert source.service.addresses[ask.at].startswith("https://")


@given(st.lists(st.sampled_from(["a", "b", "the", "of", "x."]), min_size=1, max_size=30))
def test_an_abstract_comes_back_from_its_index(words):
    text = " ".join(words)
    assert openalex._abstract(inverted(text)) == (text, None)


@given(st.lists(st.sampled_from(["a", "b", "c"]), min_size=2, max_size=12), st.data())
def test_an_index_with_a_gap_or_a_place_taken_twice_is_no_abstract(words, data):
    index = inverted(" ".join(words))
    assert index is not None
    word = data.draw(st.sampled_from(sorted(index)))
    if data.draw(st.booleans()):
        index[word] = index[word][:-1] + [index[word][-1] + len(words) + 1]
    else:
        index["other"] = [index[word][0]]
    assert openalex._abstract(index)[0] is None


IDS = {
    "10.18653/v1/N19-1423": "doi:10.18653/v1/n19-1423", "https://doi.org/10.1002/(SICI)1097-0258<1::AID>3.0": None,
    "doi:10.48550/arXiv.2401.00001": "arxiv:2401.00001", "https://arxiv.org/abs/2401.00001v2": "arxiv:2401.00001v2",
    "math.GT/0309136": "arxiv:math.GT/0309136", "arXiv:2401.00001": "arxiv:2401.00001", "w123456": "openalex:W123456",
    "https://openalex.org/W123456": "openalex:W123456", "0" * 40: "s2:" + "0" * 40, "CorpusId:12": "corpus:12",
    "PMID:123": "pmid:123", "PMC123": "pmcid:PMC123", "2023.acl-long.1": "acl:2023.acl-long.1", "P18-1001": "acl:P18-1001",
    "https://aclanthology.org/2023.acl-long.1.pdf": "acl:2023.acl-long.1", "openreview:-ab_CD12ef": "openreview:-ab_CD12ef",
    "https://openreview.net/forum?id=-ab_CD12ef": "openreview:-ab_CD12ef",
}  # fmt: skip


@pytest.mark.parametrize("text", IDS)
def test_identifiers_in_the_spellings_of_people(text):
    made = parse_id(text)
    assert IDS[text] is None or str(made) == IDS[text]
    assert record_id(as_ids(made)) and "/" not in record_id(as_ids(made))


@pytest.mark.parametrize(
    "text", ["foo", "", "10.1/x", "2401.1", "12345", "https://example.org/paper", "W12", "a b", "report/1234567"]
)
def test_what_is_no_identifier_is_refused(text):
    with pytest.raises(InputFault, match="is not an identifier"):
        parse_id(text)


TAGGED = {
    "For n<m and k>2 it holds.": None, "if a<b>c": None, "p<i and j>0": None, "x <p and q> y": None, "a<b=c>d": None,
    "t<math and s>": None, "<unknown>": None, "n < m <sup>2</sup>": "n < m 2",
    "H<sub>2</sub>O and <i>E.&nbsp;coli</i>": "H2O and E.&nbsp;coli", "<h4>Background</h4>We": "Background We",
    "<jats:title>Abstract</jats:title><jats:p>We see n<m.</jats:p>": "Abstract We see n<m.",
    '<p id="p1">One<br/>two</p>': "One two", "<SUP>3</SUP>He": "3He", "<jats:p>Open": "Open",
    '<mml:math xmlns:mml="http://w3.org/M"><mml:mi mathvariant="normal">x</mml:mi></mml:math>=1': "x=1",
    '<a href="https://example.org/?a=1">here</a>': "here", "<ext-link xlink:href='u'>u</ext-link>": "u",
}  # fmt: skip


@pytest.mark.parametrize("text", TAGGED)
def test_what_is_no_tag_stays_in_a_text(text):
    assert one_line(text, has_tags=True) == (TAGGED[text] or text)


@pytest.mark.parametrize("source", [crossref, europe_pmc])
def test_titles_and_abstracts_keep_what_they_compare(source):
    words = "Where n<m and k>2 of CO<sub>2</sub>"
    made = source._work({"title": [words] if source is crossref else words, "abstract": words, "abstractText": words})
    assert (made["title"], made["abstract"]) == ("Where n<m and k>2 of CO2",) * 2


def test_a_key_is_made_of_what_is_asked_and_nothing_else():
    ask = Ask("openalex", "/works", (("b", "1"), ("a", "2")))
    assert (
        ask.request() == Ask("openalex", "/works", (("a", "2"), ("b", "1")), lane="x", price=1, items=("q",)).request()
    )
    other = [
        ask._replace(path="/x"),
        ask._replace(query=()),
        ask._replace(body=1),
        ask._replace(at="v1"),
        ask._replace(auth="key"),
    ]
    assert (
        len({json.dumps(one.request(), sort_keys=True) for one in [ask, *other]} | {json.dumps(ask.request("n"))}) == 7
    )


def test_a_list_that_gives_more_than_was_asked_adds_nothing():
    job = Job("papers", (Id("openalex", "W90001"),))
    [ask] = openalex.requests(job)
    body = json.dumps({"results": [openalex_work(WORKS[number]) for number in (1, 2, 3)]}).encode()
    page = openalex.read(job, ask, Answer(200, {}, body, 0.0, ""))
    assert list(page.works) == ["openalex:W90001"] and not page.missing
