"""Weaknesses marked in reviews, the claims that they dispute, their labels and rewritings (CLAIMCHECK, 3.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from scholartools.records import Entry, Record, read
from scholartools.tasks.annotate.description import Candidate, Choice, Item, Kind, Part, Pick, Scale, Spans, Text
from scholartools.tasks.claims import human_labels, human_weaknesses
from scholartools.tasks.claims.answer_files import SAID, Answers
from scholartools.tasks.claims.base import MOST_TARGETS, items_of, paper_texts, review_text, reviews_of, whole_paper
from scholartools.tasks.claims.entries import refuse_overwriting, replace_entry, with_claims
from scholartools.tasks.claims.marks import weakness_mark
from scholartools.vocabulary import WEAKNESS_TYPES

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

Given = Mapping[str, Mapping[str, Record]]

_TYPES = {
    "insufficient": "A claim has too little evidence: no test, missing experiments, weak baselines.",
    "contradictory": "There is evidence against a claim: an error, or contradicting results elsewhere.",
    "novelty": "Something is presented as new, but is not new in an important respect.",
    "clarity": "The paper is hard to understand here, because of its wording or structure.",
    "related_work": "Related work is not cited, or not discussed adequately.",
    "other": "Something else is wrong.",
}
_OBJECTIVITY = {
    "1": "Almost only a personal judgement, such as how exciting or important the work is.",
    "3": "A mixture of verifiable facts and the reviewer's own interpretation.",
    "5": "Almost only verifiable facts, with sound reasoning.",
}
_AGREEMENT = {
    "1": "It makes no sense, has no basis, or the paper does not claim this.",
    "3": "It is partly convincing, or partly applicable.",
    "5": "It is fully convincing: the authors would have to rewrite the claims completely, or drop them.",
}
_GROUNDED = {
    "1": "You would hardly find a claim in the paper that it disputes.",
    "3": "You would probably find a disputed claim, although the weakness neither quotes nor clearly describes it.",
    "5": "It quotes or clearly describes the claim that it disputes.",
}
_WEAKNESS = (
    "A weakness is a passage of a review that finds fault with the paper, usually with something that the paper claims."
)
_ABSTRACT: Final = "abstract"


def _paper_parts(record: PaperRecord) -> list[Part]:
    """Title and abstract, if present."""
    parts = []
    if title := read(record, "title"):
        parts.append(Part("title", "Title", title))
    if abstract := read(record, _ABSTRACT):
        parts.append(Part(_ABSTRACT, "Abstract", abstract, _ABSTRACT))
    return parts


def _reviews(record: Record) -> Iterator[Item]:
    paper = str(record.get("id"))
    for review in reviews_of(record):
        text = Part("review", "Review", review["text"], f"review:{review['id']}")
        yield Item(f"{paper}/{review['id']}", paper, f"{paper}/{review['id']}", (*_paper_parts(record), text))


def _weaknesses(record: PaperRecord, *, with_claims: bool = False) -> Iterator[Item]:
    paper = str(record.get("id"))
    claims = items_of(record, "claims", "extract") if with_claims else []
    for weakness in items_of(record, "weaknesses", "weaknesses"):
        parts = [
            *_paper_parts(record),
            Part("review", "Review", review_text(record, weakness)),
            Part("weakness", "Weakness", weakness["text"]),
        ]
        if with_claims:
            parts.insert(-1, Part("paper", "Paper", whole_paper(paper_texts(record))))
        candidates = tuple(Candidate(claim["id"], claim["text"]) for claim in claims)
        yield Item(f"{paper}/{weakness['id']}", paper, f"{paper}/{weakness['review']}", tuple(parts), candidates)


def _weaknesses_with_claims(record: PaperRecord) -> Iterator[Item]:
    return _weaknesses(record, with_claims=True)


def _answers(record: PaperRecord, kind: str, given: Given) -> Answers:
    """Answers in the format of the import functions of st-claims."""
    paper = str(record.get("id"))
    made: dict[tuple[str, str], dict[str, Any]] = {}
    for item, said in given.items():
        for rater, answers in said.items():
            if (value := SAID[kind](answers)) is not None:
                made.setdefault((paper, item.removeprefix(f"{paper}/")), {})[rater] = value
    return Answers(kind, made, {})


def _put_labels(record: Record, given: Given) -> Record:
    return human_labels.add(record, _answers(record, "labels", given), lambda _: None)


def _put_targets(record: Record, given: Given) -> Record:
    return human_labels.add(record, _answers(record, "targets", given), lambda _: None)


def _put_weaknesses(record: Record, given: Given) -> Record:
    return human_weaknesses.add_weaknesses(record, _answers(record, "weaknesses", given), lambda _: None)


def _put_edits(record: Record, given: Given) -> Record:
    paper = str(record.get("id"))
    made = []
    for weakness in items_of(record, "weaknesses", "weaknesses"):
        entries: Sequence[Entry] = weakness.get("edited") or []
        for rater, answers in given.get(f"{paper}/{weakness['id']}", {}).items():
            if (text := answers.get("text")) is None:
                continue
            refuse_overwriting([weakness], "edited", rater, rater)
            entry = {"system": rater, "by": rater, "text": text, "changed": text != weakness["text"]}
            entries = replace_entry(entries, {**entry, "texts": weakness_mark(weakness)})
        made.append({**weakness, "edited": entries} if entries else weakness)
    return {**record, "weaknesses": made}


def _claim_texts(record: PaperRecord) -> Iterator[Item]:
    """The abstract and each section."""
    paper = str(record.get("id"))
    title = [part for part in _paper_parts(record) if part.name == "title"]
    for name, text in paper_texts(record).items():
        if text.strip() and not name.startswith("caption:"):
            yield Item(f"{paper}/{name}", paper, paper, (*title, Part("text", "Text", text, name)))


def _put_claims(record: Record, given: Given) -> Record:
    """Claims that raters marked, under ``generated.claims``, in the order of the texts."""
    paper, found = str(record.get("id")), dict[str, list[Record]]()
    for name in paper_texts(record):
        for rater, answers in given.get(f"{paper}/{name}", {}).items():
            found.setdefault(rater, []).extend(answers.get("claims") or ())
    for rater, spans in found.items():
        items = [
            {"id": f"c{number}", "text": span["text"], "spans": [{key: span[key] for key in ("in", "start", "end")}]}
            for number, span in enumerate(spans, 1)
        ]
        record = with_claims(record, [{**item, "by": rater} for item in items], rater, rater)
    return record


KINDS = (
    Kind(
        "claims",
        "Claims of a paper",
        "a text of a paper",
        "A claim is a statement of the authors about their findings, results, contributions or "
        "related work that a reviewer could dispute. Mark the exact words of each claim.",
        (Spans("claims", "Which passages are claims?", part="text", labels=("claim",)),),
        _claim_texts,
        _put_claims,
        is_whole=True,
    ),
    Kind(
        "weaknesses",
        "Weaknesses in a review",
        "a review",
        f"{_WEAKNESS} Mark the exact words of each weakness. A weakness may have one or more sentences.",
        (
            Spans(
                "weaknesses",
                "Which passages find fault with the paper?",
                part="review",
                labels=("weakness",),
                rated=Scale(
                    "groundedness",
                    "How certain is it that the weakness disputes a claim of the paper?",
                    levels=_GROUNDED,
                ),
            ),
        ),
        _reviews,
        _put_weaknesses,
    ),
    Kind(
        "targets",
        "Claims that a weakness disputes",
        "a weakness of a review",
        f"{_WEAKNESS} A claim of the paper is a target of a weakness if the weakness clearly disputes that "
        "the claim is true or accurate. This must be clear from the weakness and the claim alone.",
        (Pick("targets", "Which claims does the weakness dispute?", at_most=MOST_TARGETS, custom_in="paper"),),
        _weaknesses_with_claims,
        _put_targets,
    ),
    Kind(
        "labels",
        "Labels of a weakness",
        "a weakness of a review",
        _WEAKNESS,
        (
            Scale("objectivity", "How far is it based on verifiable facts?", levels=_OBJECTIVITY),
            Scale("agreement", "How far would you agree with it as the meta-reviewer?", levels=_AGREEMENT),
            Choice("types", "Which types apply?", values=WEAKNESS_TYPES, is_many=True, at_least=1, meanings=_TYPES),
            Text("comment", "Anything to add?", is_required=False),
        ),
        _weaknesses,
        _put_labels,
    ),
    Kind(
        "edits",
        "Weaknesses rewritten",
        "a weakness of a review",
        f"{_WEAKNESS} Rewrite it to be sounder and more specific for the authors. Keep the meaning of the "
        "reviewer. If no change is needed, copy it.",
        (Text("text", "The weakness as you would write it."),),
        _weaknesses,
        _put_edits,
    ),
)
