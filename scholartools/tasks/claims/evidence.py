"""Verify the evidence that a model gives for or against a claim: quotations become spans, and tables must exist."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scholartools.llm.replies import ReplyFault
from scholartools.records import Record
from scholartools.tasks.claims import replies
from scholartools.tasks.claims.base import paper_texts
from scholartools.tasks.claims.mentions import Places, find, why_missed
from scholartools.text.quotes import Miss, locate

_NUMBER = r"(?:[A-Za-z]?\.?\d{1,3}|[IVXivx]{1,6})"
_LABEL = re.compile(rf"(?:r(?P<paper>\d{{1,2}})_)?(?P<kind>text|table|figure|algorithm)_(?P<number>{_NUMBER})")
_CITED = re.compile(rf"<(?P<label>(?:r\d{{1,2}}_)?(?:text|table|figure|algorithm)_{_NUMBER})>")


class Papers(NamedTuple):
    """Sources of evidence.

    Attributes:
        main: record of the paper.
        related: records of related papers, numbered from 1 in the prompt.
        review: text of the review, which is not accepted as evidence.
    """

    main: Record
    related: Sequence[Record]
    review: str


class Evidence(NamedTuple):
    """The verified evidence of a reply.

    Attributes:
        items: sorted by paper and position; text items are renumbered.
        rejected: evidence that was not found, with its label in ``text`` and a reason.
        text: the reasoning with the new labels; None if it is unusable.
        cited: labels of the items cited in the reasoning, in order; None if it is unusable.
    """

    items: list[Record]
    rejected: list[Record]
    text: str | None
    cited: list[str] | None


class _Found(NamedTuple):
    """A piece of evidence after the search; ``place`` is its sort key: paper, text, offset."""

    label: str
    is_text: bool
    item: Record
    reason: str | None
    place: tuple[int, int, int]


def evidence(pieces: Sequence[replies.Piece], reasoning: str | None, papers: Papers) -> Evidence:
    """Verify the evidence of a reply.

    Raises:
        ReplyFault: a label is malformed, duplicate, or of a paper that does not exist; a cited label is not given; or
            the reasoning is empty.
    """
    if reasoning is not None and not reasoning.strip():
        raise ReplyFault("the reasoning is empty")
    forms = [_match_form(piece, papers) for piece in pieces]
    labels = [form.group() for form in forms]
    if twice := [label for label, count in Counter(labels).items() if count > 1]:
        raise ReplyFault(f'the label "{twice[0]}" is given twice')
    cited = list(dict.fromkeys(hit["label"] for hit in _CITED.finditer(reasoning or "")))
    if dangling := [label for label in cited if label not in labels]:
        raise ReplyFault(f"<{dangling[0]}> is cited, but no evidence has that label")
    named = [paper_texts(paper) for paper in (papers.main, *papers.related)]
    found = [_find_piece(form, piece, papers, named) for form, piece in zip(forms, pieces)]
    found.sort(key=lambda one: (one.reason is not None, not one.is_text, one.place))
    texts = (one.label for one in found if one.is_text)
    names = {label: label for label in labels} | {label: f"text_{number}" for number, label in enumerate(texts)}
    items = [{"label": names[one.label], **one.item} for one in found if one.reason is None]
    rejected = [
        {"label": names[one.label], "text": one.item["text"] or one.label, "reason": one.reason}
        for one in found
        if one.reason is not None
    ]
    if reasoning is None:
        return Evidence(items, rejected, None, None)
    text = _CITED.sub(lambda hit: f"<{names[hit['label']]}>", reasoning)
    kept = {item["label"] for item in items}
    return Evidence(items, rejected, text, [names[label] for label in cited if names[label] in kept])


def _match_form(piece: replies.Piece, papers: Papers) -> re.Match[str]:
    form = _LABEL.fullmatch(piece.label.strip().strip("<>"))
    if form is None:
        raise ReplyFault(f'"{piece.label[:40]}" is no label such as text_0 or table_2')
    if not 0 <= piece.paper <= len(papers.related):
        raise ReplyFault(f"there is no paper {piece.paper}: 0 is the paper itself, {len(papers.related)} are related")
    if form["kind"] != "text" and int(form["paper"] or 0) != piece.paper:
        raise ReplyFault(f'"{form.group()}" is not of paper {piece.paper}: a table of related paper 1 is r1_table_...')
    return form


def _find_piece(
    form: re.Match[str], piece: replies.Piece, papers: Papers, named: Sequence[Mapping[str, str]]
) -> _Found:
    """Turn a piece of evidence into an item, or give the reason why it is not found."""
    source = papers.related[piece.paper - 1] if piece.paper else papers.main
    of_paper = {"paper": source["id"]} if piece.paper else {}
    label, is_text = form.group(), form["kind"] == "text"
    last = (piece.paper, len(named[piece.paper]), 0)
    if not is_text:
        caption = Places(source).caption(form["kind"], form["number"].upper())
        reason = None if caption else f"there is no {form['kind']} {form['number']}"
        return _Found(label, False, {"text": None, "caption": caption, **of_paper}, reason, last)
    quote = (piece.quote or "").strip()
    place = find(quote, named[piece.paper])
    if place is None:
        return _Found(label, True, {"text": quote, **of_paper}, _why_not(quote, piece.paper, papers, named), last)
    span = {"in": place.name, "start": place.match.start, "end": place.match.end, **of_paper}
    text = named[piece.paper][place.name][span["start"] : span["end"]]
    at = (piece.paper, list(named[piece.paper]).index(place.name), place.match.start)
    return _Found(label, True, {"text": text, "spans": [span], **of_paper}, None, at)


def _why_not(quote: str, paper: int, papers: Papers, named: Sequence[Mapping[str, str]]) -> str:
    if not quote:
        return "it has no quote"
    for other, texts in enumerate(named):
        if other != paper and find(quote, texts) is not None:
            return f"it stands in paper {other}, not in paper {paper}"
    if not isinstance(locate(quote, papers.review), Miss):
        return "it stands in the review, not in the paper"
    return why_missed(quote, named[paper])
