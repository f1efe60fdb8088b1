"""Mocks of OpenReview, the ACL Anthology and arXiv's files: nine varied forums, and three venues, one of 1,203 papers.

Names of people and private content are recognisable, so that a test finds them where they must not occur.
"""

from __future__ import annotations

import io
import json
import tarfile
import zlib
from pathlib import Path
from typing import Any

MARKED = "Marked_Person"
PRIVATE = "what-only-chairs-may-read"
N_BIG = 1203
DAY = 86_400_000
START = 1_700_000_000_000  # 2023-11-14

Answer = tuple[int, str, bytes]
Record = dict[str, Any]


def _wrap(content: Record) -> Record:
    return {key: {"value": value} for key, value in content.items()}


class Forum:
    """A forum under construction; ``v2``: whether its notes have the form of API 2."""

    def __init__(self, name: str, group: str, *, v2: bool, submission: str, **content: Any) -> None:
        self.id, self.venue, self.v2, self.number = name, group, v2, int(name[-1], 36) % 10 + 1
        self.notes: list[Record] = []
        self.file: bytes | None = None
        self.add(submission, content, "Authors", note_id=name, own=True)

    def add(
        self, kind: str, content: Record, signer: str, *, note_id: str | None = None, to: str | None = None,
        readers: list[str] | None = None, own: bool = False, **more: Any,
    ) -> str:  # fmt: skip
        """Add a note and return its id; ``signer`` is the name of a group, or a profile ("~...")."""
        place = f"{self.venue}/{'Submission' if self.v2 else 'Paper'}{self.number}"
        made: Record = {
            "id": note_id or f"{self.id}n{len(self.notes)}",
            "forum": self.id,
            "replyto": to or (None if own else self.id),
            "signatures": [signer if signer.startswith("~") else f"{place}/{signer}"],
            "readers": readers or ["everyone"],
            "cdate": START + len(self.notes) * DAY,
            "mdate": START + len(self.notes) * DAY + 3 * DAY,
            "content": _wrap(content) if self.v2 else content,
            **more,
        }
        invitation = f"{self.venue}/-/{kind}" if own else f"{place}/-/{kind}"
        made |= {"invitations": [invitation]} if self.v2 else {"invitation": invitation}
        self.notes.append(made)
        return str(made["id"])


def _paper(title: str, **more: Any) -> Record:
    return {
        "title": title, "abstract": f"We study {title.lower()}.", "authors": ["Ada Author", "Bo Writer"],
        "authorids": [f"~{MARKED}1", f"{MARKED}@example.org"], "keywords": ["numbers"], "_bibtex": "@x{}",
        "TLDR": "short", "pdf": "/pdf/x.pdf", **more,
    }  # fmt: skip


_ICLR = "ICLR.cc/2024/Conference"


def _iclr(name: str, title: str, venueid: str, venue: str, track: str) -> Forum:
    paper = _paper(title, venue=venue, venueid=venueid, primary_area=track)
    made = Forum(name, _ICLR, v2=True, submission="Submission", **paper)
    made.notes[0]["license"] = "CC BY 4.0"
    return made


def _iclr_review(forum: Forum, number: int, rating: str) -> str:
    content = {
        "summary": f"Summary {number}.", "strengths": "Clear.", "weaknesses": f"The proof of lemma {number} has a gap.",
        "questions": "Why?", "soundness": "3 good", "presentation": 3, "contribution": "2 fair",
        "flag_for_ethics_review": ["No ethics review needed."], "rating": rating, "confidence": "4: confident",
        "code_of_conduct": "Yes", "rigour_of_proofs": "solid, with small gaps", "words_to_chairs": "2 of us agree",
    }  # fmt: skip
    return forum.add("Official_Review", content, f"Reviewer_ab{number:02d}")


def _forums() -> list[Forum]:
    one = _iclr("iclrForum1", "On the Number 48 & its Cousins", _ICLR, "ICLR 2024 poster", "theory")
    first = _iclr_review(one, 1, "6: marginally above the acceptance threshold")
    _iclr_review(one, 2, "8: accept, good paper")
    one.add("Official_Comment", {"comment": "We closed the gap."}, "Authors", to=first)
    one.add("Official_Comment", {"comment": "Thank you, this helps."}, "Reviewer_ab01", to=first)
    one.add("Official_Comment", {"comment": PRIVATE}, "Area_Chair_x1", readers=[f"{_ICLR}/Program_Chairs"])
    one.add("Public_Comment", {"comment": "A comment of the public."}, f"~{MARKED}1")
    one.add("Meta_Review", {"metareview": "All reviewers agree.", "confidence": 5}, "Area_Chair_x1")
    one.add("Decision", {"decision": "Accept (poster)", "comment": "Accepted."}, "Program_Chairs")
    one.add("Official_Review", {"weaknesses": "deleted"}, "Reviewer_zz", ddate=START)
    hidden = one.notes[1]["content"]
    hidden["secret_remark"] = {"value": PRIVATE, "readers": [f"{_ICLR}/Program_Chairs"]}

    two = _iclr(
        "iclrForum2",
        "On the Number 73 & its Neighbours",
        f"{_ICLR}/Rejected_Submission",
        "Submitted to ICLR 2024",
        "theory",
    )
    _iclr_review(two, 3, "3: reject, not good enough")
    two.add("Decision", {"decision": "Reject"}, "Program_Chairs")
    three = _iclr("iclrForum3", "On No Numbers", f"{_ICLR}/Withdrawn_Submission", "ICLR 2024 withdrawn", "vision")
    four = _iclr("iclrForum4", "On Any Number", f"{_ICLR}/Desk_Rejected_Submission", "desk rejected", "vision")

    old = "NeurIPS.cc/2021/Conference"
    five = Forum("neurForum5", old, v2=False, submission="Blind_Submission", **_paper("On Old Numbers"))
    review = {"summary": "Old.", "main_review": "The experiments are few.", "rating": "5: Borderline", "confidence": 3,
              "ethical_concerns": "No.", "needs_ethics_review": "No", "ethics_review_area": ["I don't know"]}  # fmt: skip
    five.add("Official_Review", review, "Reviewer_q1")
    five.add("Decision", {"title": "Paper Decision", "decision": "Reject"}, "Program_Chairs")
    blind = {**_paper("On Blind Numbers"), "authors": ["Anonymous"]}
    six = Forum("neurForum6", old, v2=False, submission="Blind_Submission", **blind)
    six.add("Official_Review", review, "Reviewer_q2", readers=[f"{old}/Program_Chairs"])

    seven = Forum("tmlrForum7", "TMLR", v2=True, submission="Submission", **_paper("On Long Numbers", venueid="TMLR"))
    seven.add(
        "Review",
        {"summary_of_contributions": "It counts.", "strengths_and_weaknesses": "Strong, but long.",
         "requested_changes": "Shorten it.", "broader_impact_concerns": "None", "claims_and_evidence": "Yes",
         "audience": "No"},
        "Reviewer_t1",
    )  # fmt: skip
    seven.add("Decision", {"recommendation": "Accept with minor revision", "comment": "Good."}, "Action_Editors")

    arr = "aclweb.org/ACL/ARR/2024/June"
    eight = Forum("arrrForum8", arr, v2=True, submission="Submission", **_paper("On Rolling Numbers"))
    eight.add(
        "Official_Review",
        {"paper_summary": "It rolls.", "summary_of_strengths": "It rolls well.",
         "summary_of_weaknesses": "It rolls slowly.", "comments_suggestions_and_typos": "N/A", "confidence": 4,
         "soundness": 3.5, "overall_assessment": "2.5", "knowledge_of_paper": "N/A, I do not know the paper",
         "reviewer_certification": "Yes", "secondary_reviewer": [f"~{MARKED}2"]},
        "Reviewer_r1",
    )  # fmt: skip
    early = "ICLR.cc/2023/Conference"
    nine = Forum("earlForum9", early, v2=False, submission="Blind_Submission", **_paper("On Early Numbers"))
    nine.add(
        "Official_Review",
        {"summary_of_the_paper": "Early.", "strength_and_weaknesses": "Novel, but not sound.",
         "technical_novelty_and_significance": "3: significant", "empirical_novelty_and_significance": "Not applicable",
         "recommendation": "5: marginally below", "confidence": "4: confident", "correctness": "2: some claims fail"},
        "Reviewer_e1",
    )  # fmt: skip
    return [one, two, three, four, five, six, seven, eight, nine]


FORUMS = {one.id: one for one in _forums()}
BIG = "Big.cc/2024/Conference"


def big_note(number: int) -> Record:
    return {
        "id": f"big{number:07d}", "forum": f"big{number:07d}", "invitations": [f"{BIG}/-/Submission"],
        "readers": ["everyone"] if number != 7 else [f"{BIG}/Program_Chairs"], "cdate": START, "signatures": [],
        "content": _wrap({"title": f"On the Number {number}", "venueid": f"{BIG}/Rejected_Submission"}),
        "details": {"replies": []},
    }  # fmt: skip


def openreview(web: Any, path: str, query: dict[str, str], body: Any, key: str | None) -> Answer:
    """Answer of either API; paths of the older one start with ``v1/``."""
    is_old, path = path.startswith("v1/"), path.removeprefix("v1/")
    if path == "login":
        return web.login(body)
    if web.tokens is not None and key is not None and key not in web.tokens:
        return _json({"name": "TokenExpiredError", "message": "token"}, 401)
    if web.challenge and key is None:
        told = {"name": "ChallengeRequiredError", "details": {"challengeUrl": "https://example.org/"}}
        return _json(told, 403)
    if path == "groups":
        return _group(query["id"])
    if path == "attachment":
        return _attachment(query["id"], is_old)
    if path == "invitations":
        return _invitation(query["id"], is_old)
    if path == "notes/edits":
        found = edits_of(query["note.id"])
        return _json({"edits": found, "count": len(found)})
    if path == "notes/edits/attachment":
        return 200, "application/pdf", pdf(query["id"])
    assert path == "notes" and int(query["limit"]) <= 1000
    if "forum" in query:
        one = FORUMS.get(query["forum"])
        notes = one.notes if one is not None and one.v2 != is_old else []
        return _json({"notes": notes, "count": len(notes)})
    group, _, name = query["invitation"].partition("/-/")
    if group == BIG:
        notes = [big_note(number) for number in range(N_BIG) if f"big{number:07d}" > query.get("after", "")]
        made: Record = {"notes": notes[: int(query["limit"])]}
        return _json(made | ({} if "after" in query else {"count": N_BIG + web.big_claims}))
    listed = [
        {**one.notes[0], "details": {"replies": one.notes[1:]}}
        for one in FORUMS.values()
        if one.venue == group and one.v2 != is_old and _name_of(one.notes[0]) == name
    ]
    offset = int(query.get("offset", 0))
    return _json({"notes": [one for one in listed if one["id"] > query.get("after", "")][offset:]})


def _name_of(note: Record) -> str:
    return str((note.get("invitations") or [note.get("invitation")])[0]).rpartition("/-/")[2]


def _group(name: str) -> Answer:
    known = {one.venue: one.v2 for one in FORUMS.values()} | {BIG: True}
    if name not in known:
        return _json({"groups": []})
    content = _wrap({"submission_name": "Submission"}) if known[name] else None
    return _json({"groups": [{"id": name, **({"domain": name, "content": content} if known[name] else {})}]})


def _param(kind: str, enum: list[Any] | None = None, **more: Any) -> Record:
    return {"value": {"param": {"type": kind, **({"enum": enum} if enum else {}), **more}}}


def _invitation(name: str, is_old: bool) -> Answer:
    """Review form of a venue: public for ICLR 2024, public in the older API for ICLR 2023, private for ARR."""
    scale = [{"value": n, "description": words} for n, words in ((1, "strong reject"), (6, "weak accept"), (8, "accept"), (10, "strong accept"))]  # fmt: skip
    if name == f"{_ICLR}/-/Official_Review" and not is_old:
        content = {
            "summary": _param("string", input="textarea"), "weaknesses": _param("string", maxLength=9),
            "rating": _param("integer", scale), "confidence": _param("integer", list(range(1, 6))),
            "soundness": _param("string", ["1 poor", "2 fair", "3 good", "4 excellent"]),
            "rigour_of_proofs": _param("string", ["none", "solid, with small gaps", "solid"]),
            "words_to_chairs": _param("string", input="textarea"),
        }  # fmt: skip
        note = {"edit": {"note": {"content": content}}}
        return _json({"invitations": [{"id": name, "readers": ["everyone"], "edit": {"invitation": note}}]})
    if name == "ICLR.cc/2023/Conference/-/Official_Review" and is_old:
        content = {"correctness": {"value-radio": ["1: wrong", "2: some claims fail", "4: right"]}, "x": {"order": 1}}
        return _json({"invitations": [{"id": name, "readers": ["everyone"], "reply": {"content": content}}]})
    if "ARR" in name:
        return _json({"name": "ForbiddenError", "message": "You don't have permission to read it"}, 403)
    return _json({"invitations": []})


def edits_of(note: str) -> list[Record]:
    """Edits of a note: revisions of the first forum's paper, and of its first reviews, some of them private."""
    everyone = {"readers": ["everyone"]}
    if note == "iclrForum1":
        days = ((-9, "a", True), (-3, "b", True), (-1, "c", False), (9, "d", True))
        return [
            {"id": f"edit_{name}", "cdate": START + day * DAY, "readers": ["everyone"] if is_open else [_ICLR],
             "note": {"id": note, "content": {"pdf": {"value": f"/pdf/{name}.pdf"}}}}
            for day, name, is_open in days
        ]  # fmt: skip
    if note == "iclrForum1n1":
        whole = next(one for one in FORUMS["iclrForum1"].notes if one["id"] == note)["content"]
        before = {**whole, "rating": {"value": "1: strong reject"}, "questions": {"value": "Is it so?"}, "old": {"value": "Gone."}}  # fmt: skip
        changed = {"rating": whole["rating"], "questions": whole["questions"], "old": {"value": {"delete": True}}}
        hidden = {"id": "e2", "cdate": START + 2 * DAY, "readers": [_ICLR], "note": {"content": {"summary": {"value": PRIVATE}}}}  # fmt: skip
        first = {"id": "e1", "cdate": START + DAY, **everyone, "note": {"id": note, "content": before}}
        return [{"id": "e3", "cdate": START + 5 * DAY, **everyone, "note": {"content": changed}}, hidden, first]
    if note == "iclrForum1n2":  # some of its edits are not public
        return [{"id": "f1", "cdate": START, **everyone, "note": {"content": {"summary": {"value": "Other."}}}}]
    return []


def _attachment(name: str, is_old: bool) -> Answer:
    one = FORUMS.get(name)
    if one is None or one.v2 == is_old or (one.file is None and one.number == 4):
        return _json({"name": "NotFoundError"}, 404)
    return 200, "application/pdf", one.file or pdf(one.id)


# ACL Anthology; P18 has the older form of ids.
def acl_xml(collection: str) -> bytes | None:
    if collection not in ("2023.acl", "P18"):
        return None
    is_new = collection == "2023.acl"
    volume, year = ("long", 2023) if is_new else ("1", 2018)
    papers = ""
    for number in range(1, 6):
        name = f"{collection}-{volume}.{number}" if is_new else f"P18-1{number:03d}"
        checksum = f"{zlib.crc32(pdf(name)):08x}" if number != 4 else "00000000"
        taken = '<retracted date="2024-01-02">It was wrong.</retracted>' if number == 3 else ""
        revision = (
            f'<revision id="2" href="{name}v2" hash="x" date="2023-09-01">Typo.</revision>' if number == 2 else ""
        )
        papers += (
            f'<paper id="{number}"><title>{_title_of(number)}</title>'
            f"<author><first>Ada</first><last>Author{number}</last></author><author><last>Mononym</last></author>"
            f"<abstract>We count to <i>{number}</i>.</abstract><url hash=\"{checksum}\">{name}</url>"
            f"<doi>10.18653/v1/{name}</doi>{taken}{revision}<bibkey>a-{number}</bibkey></paper>"
        )  # fmt: skip
    meta = f"<meta><booktitle>Proceedings of <fixed-case>ACL</fixed-case></booktitle><year>{year}</year><venue>acl</venue></meta>"
    front = '<frontmatter><url hash="x">front</url></frontmatter>'
    return f'<?xml version="1.0" encoding="UTF-8"?><collection id="{collection}"><volume id="{volume}">{meta}{front}{papers}</volume></collection>'.encode()  # fmt: skip


def _title_of(number: int) -> str:
    """Title with markup; that of paper 5 is the title of a work that is also at arXiv, under a free licence."""
    if number == 5:
        return "On the Number <tex-math>71</tex-math> &amp; its <fixed-case>N</fixed-case>eighbours"
    return f"<fixed-case>BERT</fixed-case>s &amp; the number <tex-math>{number}</tex-math>"


def acl(path: str) -> Answer:
    if path.startswith("data/"):
        made = acl_xml(path.rpartition("/")[2].removesuffix(".xml"))
        return (200, "text/plain", made) if made else (404, "text/plain", b"404: Not Found")
    return 200, "application/pdf", pdf(path.removesuffix(".pdf"))


PAPER = Path(__file__).resolve().parents[2] / "fixtures" / "paper" / "paper.pdf"


def pdf(name: str) -> bytes:
    """Bytes with the beginning and end of a PDF; a readable paper for forums of ICLR."""
    if name.startswith("iclr"):
        return PAPER.read_bytes()
    return b"%PDF-1.4\n" + f"% {name}\n".encode() * 40 + b"startxref\n0\n%%EOF\n"


# Files of arXiv: the last digit of the number determines the format of the e-print.
TEX = r"""\documentclass{article}
\begin{document}
\title{A Source of %s}
\maketitle
\begin{abstract}We give a source.\end{abstract}
\section{Introduction} We count \begin{equation} \hat{\theta}_n = \frac{1}{n} \sum_{i=1}^{n} x_i^2 + \lambda \theta^3 - \mu \label{sum} \end{equation} as before.
\end{document}
"""
LICENCES = {
    1: "http://creativecommons.org/licenses/by/4.0/", 2: "http://arxiv.org/licenses/nonexclusive-distrib/1.0/",
    3: "http://creativecommons.org/publicdomain/zero/1.0/", 4: "http://creativecommons.org/licenses/by-nc-nd/4.0/",
}  # fmt: skip


def archive(name: str) -> bytes:
    data = (TEX % name).encode()
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        info = tarfile.TarInfo("main.tex")
        info.size = len(data)
        tar.addfile(info, io.BytesIO(data))
    # gzip.compress has a different header from Python 3.13 on.
    return zlib.compress(made.getvalue(), 9, wbits=31)


def oai(query: dict[str, str]) -> Answer:
    """A record of arXivRaw. Numbers that end in 9 are unknown; those that end in 8 were withdrawn in version 2."""
    name = query["identifier"].rpartition(":")[2]
    digit = int(name[-1])
    head = '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>x</responseDate>'
    if digit == 9:
        return 200, "text/xml", f'{head}<error code="idDoesNotExist">no</error></OAI-PMH>'.encode()
    licence = f"<license>{LICENCES[digit]}</license>" if digit in LICENCES else ""
    last = "I" if digit == 8 else "D"
    versions = "".join(
        f'<version version="v{n}"><date>Mon, {n} Jan 2024 10:00:00 GMT</date><size>9kb</size><source_type>{kind}</source_type></version>'
        for n, kind in ((1, "D"), (2, last))
    )
    body = f'<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><id>{name}</id>{versions}<title>x</title>{licence}</arXivRaw>'
    return (
        200,
        "text/xml",
        f"{head}<GetRecord><record><metadata>{body}</metadata></record></GetRecord></OAI-PMH>".encode(),
    )


def eprint(path: str) -> Answer:
    """Answer to /e-print/ID: an archive; a compressed file for numbers that end in 3, a PDF for 4, PostScript for 5."""
    what, _, name = path.partition("/")
    base = name.partition("v")[0]
    if what == "pdf":
        return 200, "application/pdf", pdf(name)
    made = {"3": zlib.compress((TEX % name).encode(), 9, wbits=31), "4": pdf(name), "5": b"%!PS-Adobe\n" + b"x" * 300}
    return 200, "application/octet-stream", made.get(base[-1]) or archive(name)


def _json(value: Any, status: int = 200) -> Answer:
    return status, "application/json", json.dumps(value).encode()
