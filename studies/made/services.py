"""The made papers where st-fetch looks for papers: the server that the tests have, with one venue more."""

from __future__ import annotations

import functools
import html

import pymupdf
from sources import archive, sources
from support import web_forums, web_server
from support.web_forums import Forum
from world import AROUND, VENUE, Paper, papers

_PAGE = pymupdf.paper_rect("a4")
_STYLE = "body {font-family: serif; font-size: 10pt} h1 {font-size: 17pt; text-align: center} h2 {font-size: 12pt; font-weight: bold}"


def forum(paper: Paper) -> Forum:
    """A submission with its reviews and decision, as OpenReview has it."""
    group = VENUE if paper.is_accepted else f"{VENUE}/Rejected_Submission"
    content = {
        "title": paper.title, "abstract": paper.abstract, "authors": ["Ada Made"], "keywords": ["made data"],
        "pdf": "/pdf/x.pdf", "venue": "Made 2026" if paper.is_accepted else "Submitted to Made 2026", "venueid": group,
        "primary_area": paper.thing,
    }  # fmt: skip
    made = Forum(paper.id, VENUE, v2=True, submission="Submission", **content)
    made.notes[0]["license"] = "CC BY 4.0"
    made.file = pdf(paper)
    for place, review in enumerate(paper.reviews, 1):
        said = {
            "summary": review.summary, "strengths": review.strengths,
            "weaknesses": " ".join([*(one.text for one in review.weaknesses), review.writing, review.remark.text]),
            "questions": review.questions, "rating": f"{review.rating}: made", "confidence": "3: made",
        }  # fmt: skip
        made.add("Official_Review", said, f"Reviewer_m{place:03d}")
    made.add("Decision", {"decision": "Accept (poster)" if paper.is_accepted else "Reject"}, "Program_Chairs")
    return made


@functools.cache
def pdf(paper: Paper) -> bytes:
    """The paper as a PDF with a figure and a table; the same bytes each time."""
    parts = [f"<h1>{html.escape(paper.title)}</h1><p>Ada Made</p><h2>Abstract</h2><p>{html.escape(paper.abstract)}</p>"]
    for number, (heading, sentences) in enumerate(paper.sections, 1):
        parts.append(f"<h2>{number} {heading}</h2><p>{html.escape(' '.join(sentences))}</p>")
    parts.append("<h2>References</h2><p>Author, A. (2019). On Reading by Hand. Made Press.</p>")
    document = pymupdf.open()
    body, style = "".join(parts), {"user_css": _STYLE}
    left, _ = document.new_page(width=_PAGE.width, height=_PAGE.height).insert_htmlbox(
        _PAGE + (60, 60, -60, -60), body, css=_STYLE
    )
    assert left >= 0, style
    _draw(document.new_page(width=_PAGE.width, height=_PAGE.height), paper)
    return document.tobytes(no_new_id=True, deflate=True)


def _draw(page: pymupdf.Page, paper: Paper) -> None:
    """A curve with axes, and a table with rules, each under or over its caption."""
    page.draw_line((120, 100), (120, 260))
    page.draw_line((120, 260), (420, 260))
    page.draw_polyline([(120 + 30 * n, 250 - 9 * ((n * (paper.number + 3)) % 11)) for n in range(10)], color=(0, 0, 1))
    page.insert_text(
        (120, 290), f"Figure 1: Errors of {paper.name} by the number of labels.", fontname="tiro", fontsize=9
    )
    page.insert_text(
        (120, 360), f"Table 1: Errors of {paper.name} and of an earlier system.", fontname="tiro", fontsize=9
    )
    for row, cells in enumerate(
        [("system", "errors"), ("earlier", "31.4"), (paper.name, f"{20 + paper.number % 9}.7")]
    ):
        page.draw_line((120, 372 + 18 * row), (320, 372 + 18 * row))
        for column, cell in enumerate(cells):
            page.insert_text((130 + 110 * column, 385 + 18 * row), cell, fontname="tiro", fontsize=9)
    page.draw_line((120, 426), (320, 426))


def _listed(paper: Paper) -> dict[str, object]:
    """A paper as Semantic Scholar lists it."""
    made = {**web_server.s2_work(web_server.WORKS[1]), "paperId": f"{paper.number:040x}", "title": paper.title}
    about = {"abstract": paper.abstract, "authors": [{"authorId": "1", "name": "Ada Made"}], "year": 2026}
    counts = {"referenceCount": 3, "citationCount": 3, "externalIds": {"CorpusId": 10_000 + paper.number}}
    return {**made, **about, "publicationDate": "2026-05-06", **counts}


def _semantic_scholar(_: object, path: str, query: dict[str, str], body: dict[str, list[str]]) -> web_forums.Answer:
    """Three made papers before one are cited in it, three after it cite it, and three further on are like it."""
    known = {f"{paper.number:040x}": paper for paper in papers()}
    if path.endswith("search/match"):
        found = [paper for paper in papers() if paper.title == query["query"]]
        return web_forums._json(
            {"data": [_listed(found[0])]} if found else {"error": "Title match not found"}, 200 if found else 404
        )
    if path.endswith("paper/batch"):
        return web_forums._json([_listed(known[one]) if one in known else None for one in body["ids"]])
    name = next((part for part in path.split("/") if part in known), None)
    if name is None:
        return web_forums._json({"error": "Paper not found"}, 404)
    steps = AROUND[{"references": "cited-in", "citations": "cited-by"}.get(path.rpartition("/")[2], "similar")]
    around = [_listed(papers()[(known[name].number + step) % len(papers())]) for step in steps]
    if path.startswith("recommendations"):
        return web_forums._json({"recommendedPapers": around})
    if path.endswith(("references", "citations")):
        role = "citedPaper" if path.endswith("references") else "citingPaper"
        start = int(query["offset"])
        data = [{"contexts": [], "intents": [], "isInfluential": False, role: one} for one in around[start:]]
        return web_forums._json({"offset": start, "data": data})
    return web_forums._json(_listed(known[name]))


def _arxiv_id(paper: Paper) -> str:
    return f"2605.{paper.number:05d}"


def _arxiv(_: object, query: dict[str, str]) -> web_forums.Answer:
    """Entries of the papers that are asked for by number, or whose name is in the title that is looked for."""
    names, words = query.get("id_list", ""), query.get("search_query", "")
    entries = [
        f"<entry><id>http://arxiv.org/abs/{_arxiv_id(one)}v1</id><updated>2026-05-06T00:00:00Z</updated>"
        f"<published>2026-05-06T00:00:00Z</published><title>{one.title}</title><summary>{one.abstract}</summary>"
        '<author><name>Ada Made</name></author><arxiv:primary_category term="cs.CL"/></entry>'
        for one in sources()
        if _arxiv_id(one) in names or one.name in words
    ]
    return 200, "application/atom+xml", web_server._feed("".join(entries), len(entries))


def _eprint(path: str) -> web_forums.Answer:
    return 200, "application/octet-stream", next(archive(one) for one in sources() if _arxiv_id(one) in path)


def _oai(query: dict[str, str]) -> web_forums.Answer:
    """The record of a paper: one version, under CC BY."""
    name = query["identifier"].rpartition(":")[2]
    version = '<version version="v1"><date>Mon, 6 May 2026 10:00:00 GMT</date><size>9kb</size><source_type>D</source_type></version>'
    body = f'<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><id>{name}</id>{version}<title>x</title><license>{web_forums.LICENCES[1]}</license></arXivRaw>'
    head = '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>x</responseDate>'
    return (
        200,
        "text/xml",
        f"{head}<GetRecord><record><metadata>{body}</metadata></record></GetRecord></OAI-PMH>".encode(),
    )


def open_made_venue() -> None:
    """Give the server of the tests the made venue, and no other."""
    web_forums.FORUMS.clear()
    web_forums.FORUMS.update((paper.id, forum(paper)) for paper in papers())
    web_server._Handler._s2 = _semantic_scholar  # type: ignore[method-assign]
    web_server._Handler._arxiv = _arxiv  # type: ignore[method-assign]
    web_forums.eprint, web_forums.oai = _eprint, _oai
