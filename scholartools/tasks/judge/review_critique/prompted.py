"""Judge by a model which segments of a review are deficient, with two prompts (AAAR-1.0, sections 3.4 and 5.4).

Each call shows the paper, or a chunk of it, and the segments of one review, numbered from 1, without human annotations.
With several chunks, a segment is deficient if one call says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scholartools.llm.answers import Answer, Missing
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import json_lines
from scholartools.llm.task import Found, ask, ask_all, finish
from scholartools.records import Record, read
from scholartools.tasks.judge.entries import COMMAND, with_judgements
from scholartools.tasks.judge.review_critique.inputs import CutReview, build_review, cut_reviews, mark, with_segments
from scholartools.tasks.judge.review_critique.replies import PROMPTS, SegmentVerdict, combine_answers, make_answer
from scholartools.tasks.shared.pieces import paper_parts, pieces
from scholartools.tasks.shared.systems import sample_names

# Identifies the calls on a segment with a prompt: sample, index of the review, name of the prompt.
_Key = tuple[int, int, str]


@dataclass(frozen=True)
class Critiquing:
    """Options of judging reviews.

    Attributes:
        system: name of the entry, None for the model; several samples are named ``NAME#1`` etc.
        segment: split reviews without segments into sentences.
        split_words: maximum words of the paper per call, None for all.
        segments_per_call: maximum segments per call, None for all.
    """

    system: str | None = None
    segment: bool = False
    split_words: int | None = None
    segments_per_call: int | None = None

    def provenance_options(self) -> Record:
        """Options that affect the judgements, for provenance and signature."""
        return {
            "segment": self.segment,
            "split_words": self.split_words,
            "segments_per_call": self.segments_per_call,
        }


class _Question(NamedTuple):
    """A call: a chunk of the paper and numbered segments of a review, with one prompt."""

    key: _Key
    piece: str
    part: str
    numbers: range
    texts: Sequence[str]


async def review(engine: Engine, record: Record, how: Critiquing | None = None) -> Record:
    """Add an entry for each sample under ``judgements.review`` to a copy of the record: all segments, both prompts.

    A segment without a usable answer is null, with the reason, and reported under ``errors``.

    Raises:
        InputFault: no text of the paper, no reviews, or a review without segments.
        ModelFault: the run must end.
    """
    how = how or Critiquing()
    reviews = cut_reviews(record, segment=how.segment)
    shown = pieces((read(record, "title") or "").strip(), paper_parts(record), how.split_words)
    asked = list(_questions(reviews, shown, how, engine.settings.samples))
    answers = await ask_all([_ask_once(engine, question) for question in asked])
    names = sample_names(how.system or engine.settings.model, engine.settings.samples)
    entries = [
        {"system": name, "by": engine.settings.model, "texts": mark(reviews),
         "reviews": [_judge_sample(one, (sample, place), asked, answers) for place, one in enumerate(reviews)]}
        for sample, name in enumerate(names)
    ]  # fmt: skip
    made = with_judgements(with_segments(record, reviews), "review", entries)
    named = zip((names[one.key[0]] for one in asked), answers)
    prompts = [way.prompt for way in PROMPTS.values()]
    inputs = [names, mark(reviews), shown]
    found = Found(made, "replies", named, prompts, how.provenance_options(), inputs, so=_describe_open(entries))
    return finish(engine, COMMAND, "review", found)


def _questions(
    reviews: Sequence[CutReview], shown: Sequence[str], how: Critiquing, samples: int
) -> Iterator[_Question]:
    for sample in range(samples):
        for place, one in enumerate(reviews):
            step = how.segments_per_call or max(1, len(one.texts))
            for first in range(0, len(one.texts), step):
                texts = one.texts[first : first + step]
                numbers = range(first + 1, first + 1 + len(texts))
                for name in PROMPTS:
                    for number, piece in enumerate(shown, 1):
                        yield _Question((sample, place, name), piece, f"{number} of {len(shown)}", numbers, texts)


async def _ask_once(engine: Engine, question: _Question) -> Answer[dict[int, SegmentVerdict]]:
    way = PROMPTS[question.key[2]]
    lines = json_lines({"id": n, "text": text} for n, text in zip(question.numbers, question.texts))
    inputs = {"part": question.part, "paper": question.piece, "segments": lines}
    return await ask(
        engine, way.prompt, inputs, lambda reply: way.read(reply, question.numbers), sample=question.key[0]
    )


def _judge_sample(
    one: CutReview,
    at: tuple[int, int],
    asked: Sequence[_Question],
    answers: Sequence[Answer[dict[int, SegmentVerdict]] | Missing],
) -> Record:
    """A review with the judgements of its segments in one sample."""
    said: list[dict[str, list[SegmentVerdict]]] = [{name: [] for name in PROMPTS} for _ in one.texts]
    for question, answer in zip(asked, answers):
        if question.key[:2] == at:
            for number in question.numbers:
                given = (
                    SegmentVerdict(None, reason=answer.reason) if isinstance(answer, Missing) else answer.value[number]
                )
                said[number - 1][question.key[2]].append(given)
    found = [{name: combine_answers(each) for name, each in of_segment.items()} for of_segment in said]
    return build_review(
        one,
        [{name: make_answer(each) for name, each in of_segment.items()} for of_segment in found],
        [{name: each.reason for name, each in of_segment.items() if each.reason} for of_segment in found],
    )


def _describe_open(entries: Sequence[Record]) -> str:
    """Message on the segments without an answer."""
    answers = [
        answer
        for entry in entries
        for one in entry["reviews"]
        for segment in one["segments"]
        for answer in segment["answers"].values()
    ]
    count = answers.count(None)
    return f"{count} of {len(answers)} segments {'has' if count == 1 else 'have'} no answer"
