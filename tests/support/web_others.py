"""Mocks of Europe PMC, Unpaywall, DBLP and bioRxiv, which serve the works of ``web_server``."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape

Answer = tuple[int, str, bytes]
JATS = (
    '<?xml version="1.0"?><article><front><article-meta><title-group><article-title>{}</article-title></title-group>'
    "</article-meta></front><body><sec><title>Introduction</title><p>We count to {}.</p></sec></body></article>"
)


def _json(value: Any, status: int = 200) -> Answer:
    return status, "application/json", json.dumps(value).encode()


def answer(service: str, path: str, query: Mapping[str, str], works: Mapping[int, Any]) -> Answer:
    """Answer of a service; work n has PMID 7000+n and, if n is even, PMCID PMC8000+n."""
    if service == "europe-pmc":
        return _europe_pmc(path, query, works)
    if service == "unpaywall":
        return _unpaywall(path, query, works)
    return _dblp(path, query, works) if service == "dblp" else _biorxiv(path)


def _europe_pmc(path: str, query: Mapping[str, str], works: Mapping[int, Any]) -> Answer:
    place = path.removeprefix("europepmc/webservices/rest/")
    if found := re.fullmatch(r"PMC(\d+)/fullTextXML", place):
        number = int(found[1]) - 8000
        made = JATS.format(escape(works[number].title), number).encode() if number in works else None
        return (200, "application/xml", made) if made else (404, "text/plain", b"")
    assert place == "search" and query["format"] == "json" and query["resultType"] == "core"
    words = query["query"]
    by_doi = {one.doi: one.number for one in works.values() if one.doi}
    numbers = [int(name) - 8000 for name in re.findall(r"PMCID:PMC(\d+)", words)]
    numbers += [int(name) - 7000 for name in re.findall(r"EXT_ID:(\d+)", words)]
    numbers += [by_doi[name] for name in re.findall(r'DOI:"([^"]+)"', words) if name in by_doi]
    if words.startswith("TITLE:"):
        numbers = [int(word) + step for word in re.findall(r"\d+", words) for step in (1, 0)]
    results = [_europe_pmc_work(works[number]) for number in reversed(numbers) if number in works]
    return _json(
        {"version": "6.9", "hitCount": len(results), "nextCursorMark": "AoE", "resultList": {"result": results}}
    )


def _europe_pmc_work(one: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": str(7000 + one.number), "source": "MED", "pmid": str(7000 + one.number), "title": f"{one.title}.",
        "authorList": {"author": [{"fullName": "Author A", "firstName": "Ada", "lastName": name.split(" ", 1)[1]} for name in one.authors[:1]] + [{"collectiveName": "The Counters"}]},
        "journalInfo": {"journal": {"title": "PeerJ"}}, "pubYear": str(one.year), "firstPublicationDate": f"{one.year}-05-06",
        "pubTypeList": {"pubType": ["research-article", *(["Retracted Publication"] if one.number == 13 else [])]},
        "isOpenAccess": "Y", "license": "cc by" if one.number % 4 else "cc by-nc",
    }  # fmt: skip
    if one.number % 2 == 0:
        made["pmcid"] = f"PMC{8000 + one.number}"
    if one.doi:
        made["doi"] = one.doi.upper()
    if one.abstract:
        made["abstractText"] = f"<h4>Background</h4>{one.abstract}"
    return made


def _unpaywall(path: str, query: Mapping[str, str], works: Mapping[int, Any]) -> Answer:
    if "@" not in query.get("email", ""):
        return _json({"HTTP_status_code": 422, "error": True, "message": "Please use your own email address"}, 422)
    one = next((work for work in works.values() if work.doi == path.removeprefix("v2/")), None)
    if one is None:
        return _json({"HTTP_status_code": 404, "error": True, "message": f"{path!r} is an invalid doi"}, 404)
    best = {"license": "cc-by", "url": "https://example.org/a", "url_for_pdf": "https://example.org/a.pdf", "version": "publishedVersion", "host_type": "publisher"}  # fmt: skip
    is_oa = one.number % 3 != 0
    return _json({
        "doi": one.doi, "doi_url": f"https://doi.org/{one.doi}", "title": one.title, "year": one.year, "genre": "journal-article",
        "journal_name": "Journal of Numbers", "published_date": f"{one.year}-05-06", "is_oa": is_oa,
        "best_oa_location": best if is_oa else None, "oa_locations": [best] if is_oa else [],
        "z_authors": [{"given": "Ada", "family": one.authors[0].split(" ")[1]}, {"raw_author_name": "Bo Writer"}],
    })  # fmt: skip


def _dblp(path: str, query: Mapping[str, str], works: Mapping[int, Any]) -> Answer:
    if path == "search/publ/api":
        assert query["format"] == "json" and int(query["h"]) <= 1000
        numbers = [int(word) + step for word in re.findall(r"\d+", query["q"]) for step in (1, 0)]
        hits = [
            {"@score": "3", "info": _dblp_info(works[number]), "url": "URL#1"} for number in numbers if number in works
        ]
        told: dict[str, Any] = {"@total": str(len(hits)), "@sent": str(len(hits)), "@first": "0"} | (
            {"hit": hits} if hits else {}
        )
        return _json({"result": {"query": query["q"], "status": {"@code": "200", "text": "OK"}, "hits": told}})
    found = re.fullmatch(r"rec/conf/num/Author(\d+)\.xml", path)
    if found is None or int(found[1]) not in works:
        return 404, "text/html", b"<!DOCTYPE html><html><body>not found</body></html>"
    one = works[int(found[1])]
    text = (
        f'<?xml version="1.0"?><dblp><inproceedings key="conf/num/Author{one.number}" mdate="2024-01-02">'
        f"<author>{one.authors[0]}</author><author>Bo Writer 0002</author><title>{escape(one.title)} <i>k</i>.</title>"
        f"<year>{one.year}</year><booktitle>NUM</booktitle><ee>https://doi.org/{one.doi}</ee></inproceedings></dblp>"
    )
    return 200, "text/xml", text.encode()


def _dblp_info(one: Any) -> dict[str, Any]:
    """Metadata of a work; a single author is an object, several are a list."""
    names = [{"@pid": "1/1", "text": name} for name in one.authors]
    return {
        "authors": {"author": names[0] if one.number % 2 else names}, "title": f"{one.title}.", "venue": ["NUM", "CoRR"],
        "year": str(one.year), "type": "Conference and Workshop Papers", "key": f"conf/num/Author{one.number}", "doi": one.doi,
    }  # fmt: skip


def _biorxiv(path: str) -> Answer:
    server, _, doi = path.removeprefix("details/").removesuffix("/na/json").partition("/")
    number = int(doi.rpartition(".")[2]) if doi.rpartition(".")[2].isdigit() else 0
    if not number or (number < 100) != (server == "biorxiv") or number > 200:
        return _json({"messages": [{"status": "no posts found"}], "collection": []})
    collection = [
        {"doi": doi, "title": f"On Cells {number}", "authors": "Author, A.; Writer, Bo;", "date": f"2020-0{version}-01",
         "version": str(version), "type": "WITHDRAWN" if number == 66 else "new results", "license": "cc_by" if number != 7 else "cc_no",
         "category": "cell biology", "abstract": "We count cells.", "published": "10.5555/WORK.8" if number == 8 else "NA", "server": server}
        for version in (2, 1)
    ]  # fmt: skip
    return _json({"messages": [{"status": "ok"}], "collection": collection})
