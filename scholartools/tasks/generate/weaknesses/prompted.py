"""List the weaknesses of a paper with a model: split-combine (AAAR-1.0, section 5.3), optionally with reflection.

The paper is read in chunks; each item records its chunk. ``ensemble`` merges several drafts per chunk, and ``reflect``
revises the list of a chunk: the two techniques of the paper's agent baseline. A failed request only affects its chunk,
which is listed under ``missing``; if a round of reflection fails, the previous list is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from scholartools.errors import InputFault
from scholartools.llm.answers import Answer, Missing
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt, json_lines
from scholartools.llm.task import Found, ask, ask_all, ask_all_or_assume, finish
from scholartools.records import Record, read
from scholartools.tasks.generate.entries import COMMAND, number_items, with_generated, with_rejected
from scholartools.tasks.generate.leakage import with_warnings
from scholartools.tasks.generate.replies import assume_items
from scholartools.tasks.generate.weaknesses.options import KINDS, WeaknessOptions
from scholartools.tasks.generate.weaknesses.replies import (
    DRAFT,
    MERGE,
    REFLECT,
    REPEATS,
    count_repeats,
    drop_repeats,
    read_merged,
    read_repeats,
    read_weaknesses,
)
from scholartools.tasks.shared.pictures import (
    Pictures,
    check_some_picture,
    load_pictures,
    mentioned_captions,
    picture_account,
    with_captions,
)
from scholartools.tasks.shared.pieces import Part, beginning, paper_parts, pieces
from scholartools.tasks.shared.systems import sample_names

TASK = "weaknesses"
_DEFAULT = WeaknessOptions()

# Prompts other than for drafts, with the conditions of their use.
_MORE_PROMPTS: tuple[tuple[Prompt, Callable[[WeaknessOptions], bool]], ...] = (
    (MERGE, lambda options: options.ensemble > 1),
    (REFLECT, lambda options: options.reflect > 0),
    (REPEATS, lambda options: options.combine == "model"),
)


@dataclass
class _Piece:
    """State of one chunk of the paper: items (None: no list), answers, and unusable items.

    ``drafts`` are kept if they could not be merged.
    """

    items: list[Record] | None = None
    answers: list[Answer[Any] | Missing] = field(default_factory=list)
    rejected: list[Record] = field(default_factory=list)
    drafts: list[Record] = field(default_factory=list)
    reason: str | None = None

    def take(self, answer: Answer[list[Record]] | Missing) -> list[Record] | None:
        """Record an answer and its unusable items; return the usable ones, None without an answer."""
        self.answers.append(answer)
        if isinstance(answer, Missing):
            return None
        self.rejected += [item for item in answer.value if "reason" in item]
        return [item for item in answer.value if "reason" not in item]

    def replace(self, answer: Answer[list[Record]] | Missing) -> list[Record] | None:
        """Record an answer that replaces earlier lists, which become drafts; see :meth:`take`."""
        if not isinstance(answer, Missing):
            self.rejected = [{**item, "is_draft": True} for item in self.rejected]
        return self.take(answer)


@dataclass(frozen=True)
class _Reading:
    """Generation of one sample for a paper."""

    engine: Engine
    options: WeaknessOptions
    pieces: list[str]
    pictures: list[Pictures]
    sample: int

    async def read_piece(self, place: int) -> Answer[_Piece]:
        """Generate the list for one chunk."""
        made = _Piece()
        urls = self.pictures[place].urls
        shown = with_captions(self.pieces[place], self.pictures[place])
        inputs = {"part": f"{place + 1} of {len(self.pieces)}", "paper": shown}
        made.items = await self._draft_list(made, inputs, urls)
        for round_ in range(self.options.reflect if made.items is not None else 0):
            listed = {**inputs, "items": json_lines({"text": item["text"]} for item in made.items or ())}
            number = self.sample * self.options.reflect + round_
            question = ask(self.engine, REFLECT, listed, read_weaknesses, sample=number, images=urls)
            [answer] = await ask_all_or_assume([question], assume_items(inputs["paper"]))
            again = made.replace(answer)
            made.items = made.items if again is None else again
        return Answer(made, [key for answer in made.answers for key in answer.calls], None)

    async def _draft_list(self, made: _Piece, inputs: dict[str, str], urls: Sequence[str]) -> list[Record] | None:
        count = self.options.ensemble
        numbers = range(self.sample * count, (self.sample + 1) * count)
        questions = [ask(self.engine, DRAFT, inputs, read_weaknesses, sample=n, images=urls) for n in numbers]
        answers = await ask_all_or_assume(questions, assume_items(inputs["paper"]))
        lists = [made.take(answer) for answer in answers]
        drafts = [item for items in lists for item in items or ()]
        lost = next((answer.reason for answer in answers if isinstance(answer, Missing)), None)
        if lost is not None and all(items is None for items in lists):
            made.reason = lost
            return None
        return drafts if count == 1 or not drafts else await self._merge_drafts(made, drafts)

    async def _merge_drafts(self, made: _Piece, drafts: Sequence[Record]) -> list[Record] | None:
        shown = {"drafts": json_lines({"number": n, "text": one["text"]} for n, one in enumerate(drafts, 1))}
        question = ask(self.engine, MERGE, shown, lambda reply: read_merged(reply, len(drafts)), sample=self.sample)
        [answer] = await ask_all_or_assume([question], [{**one, "drafts": [n]} for n, one in enumerate(drafts, 1)])
        merged = made.replace(answer)
        if isinstance(answer, Missing):
            made.reason, made.drafts = f"the lists could not be merged: {answer.reason}", [*drafts]
        return merged

    async def read_whole(self) -> Answer[Record]:
        """Generate the list for the paper, with its missing chunks."""
        read_pieces = await ask_all([self.read_piece(place) for place in range(len(self.pieces))])
        found = [one.value for one in read_pieces if one.value is not None]
        made: Record = {
            "answers": [answer for piece in found for answer in piece.answers],
            "rejected": [item for piece in found for item in piece.rejected],
            "missing": [{"piece": n, "reason": one.reason} for n, one in enumerate(found, 1) if one.reason],
            "items": [{**item, "piece": n} for n, one in enumerate(found, 1) for item in one.items or ()],
            "drafts": [{**item, "piece": n} for n, one in enumerate(found, 1) for item in one.drafts],
        }
        if all(piece.items is None for piece in found):
            made |= {"items": None, "reason": made["missing"][0]["reason"]}
        elif self.options.combine == "model" and len(made["items"]) > 1:
            await self._drop_repeats(made)
        return Answer(made, [key for answer in made["answers"] for key in answer.calls], None)

    async def _drop_repeats(self, made: Record) -> None:
        """Remove repetitions found by the model; on failure keep all items, with the reason in ``uncombined``."""
        items = made["items"]
        shown = {"items": json_lines({"number": n, "text": one["text"]} for n, one in enumerate(items, 1))}
        question = ask(self.engine, REPEATS, shown, lambda reply: read_repeats(reply, len(items)), sample=self.sample)
        [answer] = await ask_all([question])
        made["answers"].append(answer)
        if isinstance(answer, Missing):
            made["uncombined"] = f"repetitions are not dropped: {answer.reason}"
        else:
            made["items"] = drop_repeats(items, answer.value)


async def weaknesses(engine: Engine, record: Record, options: WeaknessOptions = _DEFAULT) -> Record:
    """Add an entry under ``generated.weaknesses`` to a copy of the record, replacing an earlier one of the system.

    With several samples there is an entry for each, named ``SYSTEM#1`` etc. A chunk without a usable reply is listed
    under ``missing`` and reported under ``errors``.

    Raises:
        InputFault: there is no text.
        ScholartoolsError: a chunk has too many images, or all images are missing.
        ModelFault: the run must end.
    """
    parts, n_cut = _select_parts(record, options)
    shown = pieces((read(record, "title") or "").strip(), parts, options.split_words)
    names = sample_names(options.system or engine.settings.model, engine.settings.samples)
    captions = read(record, "captions") or []
    named = [mentioned_captions(text, captions, KINDS[options.images]) for text in shown]
    pictures = [load_pictures(chosen, options.max_images) for chosen in named]
    check_some_picture(pictures, options.images)
    readings = [_Reading(engine, options, shown, pictures, sample) for sample in range(len(names))]
    written = await ask_all([reading.read_whole() for reading in readings])
    made = {name: one.value for name, one in zip(names, written) if one.value is not None}
    seen = picture_account(pictures)
    entries = [_build_entry(name, engine.settings.model, parts, n_cut, one, pictures) for name, one in made.items()]
    result = with_warnings(with_rejected(with_generated(record, TASK, entries), TASK, made), entries)
    asked = [(name, answer) for name, one in made.items() for answer in one["answers"]]
    prompts = [DRAFT, *(prompt for prompt, is_used in _MORE_PROMPTS if is_used(options))]
    told = {**options.provenance_options(), "system": options.system}
    return finish(engine, COMMAND, TASK, Found(result, "replies", asked, prompts, told, [shown, seen]))


def _select_parts(record: Record, options: WeaknessOptions) -> tuple[list[Part], int]:
    """The parts of the paper that are read, and the number of words left out."""
    parts = [part for part in paper_parts(record) if part.text.strip()]
    kept, n_cut = beginning(parts, options.max_words) if options.max_words else (parts, 0)
    if not kept:
        raise InputFault("the paper has no text", kind="no-text")
    return kept, n_cut


def _build_entry(
    system: str, by: str, parts: Sequence[Part], n_cut: int, made: Record, pictures: Sequence[Pictures]
) -> Record:
    entry: Record = {"system": system, "by": by, "sections": [part.name for part in parts], "pieces": len(pictures)}
    entry |= picture_account(pictures)
    if n_cut:
        entry["cut"] = n_cut
    entry["items"] = number_items(made["items"])
    if n_repeats := count_repeats(made["items"] or []):
        entry["repeats"] = n_repeats
    entry |= {key: made[key] for key in ("missing", "drafts", "uncombined", "reason") if made.get(key)}
    return entry
