"""Prepare the part of a paper that is shown: before the first experiment, without sentences that reveal it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from scholartools.errors import InputFault
from scholartools.records import Record, read
from scholartools.signature import library
from scholartools.tasks.generate.experiments.figures import select_figures
from scholartools.tasks.generate.experiments.first_experiment import (
    AUTO,
    Place,
    cut_sections,
    first_experiment,
)
from scholartools.tasks.generate.experiments.gold import EXPERIMENTS, Gold, read_gold
from scholartools.tasks.generate.experiments.leaks import (
    CAPTION,
    HEADING,
    TITLE,
    LeakCues,
    Sentence,
    find_repeats,
    removal_records,
    split_sentences,
)
from scholartools.tasks.generate.experiments.likelihood import PRECISE, WIDE, packaged_model
from scholartools.tasks.generate.leakage import find_leaked_runs
from scholartools.tasks.generate.redaction import remove_spans
from scholartools.tasks.shared.pictures import (
    MOST_IMAGES,
    Pictures,
    check_some_picture,
    load_pictures,
    mentioned_captions,
    picture_account,
    with_captions,
)
from scholartools.tasks.shared.pieces import Part, all_parts, beginning, pieces
from scholartools.text.chunks import n_words

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Caption, Cut

MODEL: Literal["model"] = "model"
BUILTIN = "builtin"


@dataclass(frozen=True)
class Showing:
    """Options of the part of a paper that is shown.

    Attributes:
        before: end of the part, see
            :func:`scholartools.tasks.generate.experiments.first_experiment.first_experiment`.
        leaks: method that removes leaking sentences: "builtin" only, or also a "model".
        removal: threshold of the built-in method: "precise", or "wide" for higher recall at lower precision; "auto" is
            "wide" for the built-in method alone, and "precise" if a model follows.
        max_words: maximum number of words shown, from the beginning.
        images: "figures" for figures that the shown text mentions, except those with results; or "none".
        max_images: maximum number of images; more are an error.
        experiments: dotted path of the human list, whose texts and spans are withheld.
    """

    before: str = AUTO
    leaks: Literal["builtin", "model"] = MODEL
    removal: Literal["auto", "precise", "wide"] = "auto"
    max_words: int = 3000
    images: Literal["none", "figures"] = "none"
    max_images: int = MOST_IMAGES
    experiments: str = EXPERIMENTS

    def chosen_removal(self) -> str:
        """The removal with "auto" resolved."""
        if self.removal != AUTO:
            return self.removal
        return WIDE if self.leaks == BUILTIN else PRECISE

    def provenance_options(self) -> dict[str, Any]:
        """Options that affect the text and images, for provenance and signature."""
        chosen = {**asdict(self), "removal": self.chosen_removal()}
        return {**chosen, "leak_weights": packaged_model().version, "sentences": library("nupunkt")}


class VisiblePart(NamedTuple):
    """The part of a paper before its first experiment, and the built-in removals from it.

    Attributes:
        place: start of the experiments.
        parts: abstract and sections before it, unredacted.
        candidates: remaining units that may leak: title, sentences, headings, and captions of figures that may be
            shown.
        gone: sentences, headings and captions removed by the built-in method, with the kinds of their cues.
        n_sentences: number of sentences in the parts.
        withheld: texts that must not be shown: the experiments, and everything after the place.
        sections_withheld: id and heading of the sections after the place.
        captions: captions of all figures.
        figures: captions of the figures that may be shown.
    """

    title: str
    place: Place
    parts: list[Part]
    candidates: list[Sentence]
    gone: list[tuple[Sentence, str]]
    n_sentences: int
    withheld: list[str]
    sections_withheld: list[Record]
    captions: list[Caption]
    figures: list[Caption]


class ModelInput(NamedTuple):
    """Input for a model, and the report stored in the entry."""

    text: str
    pictures: Pictures
    account: Record
    sections: list[str]

    def entry(self) -> Record:
        """Keys that report the input in the entry of a system."""
        seen = {"sections": self.sections, "given": self.account, "leak": self.account["leak"]}
        return {**seen, **picture_account([self.pictures])}


def cut_paper(record: Record, showing: Showing) -> VisiblePart:
    """The part of a paper before its first experiment, with built-in removal of leaks.

    Raises:
        InputFault: no sections, no first experiment, no text before it, or an invalid span.
    """
    experiments = read_gold(record, showing.experiments)
    place = first_experiment(record, experiments, showing.before)
    kept, rest = cut_sections(read(record, "sections") or [], place)
    parts = [part for part in all_parts({**record, "sections": kept}) if part.text.strip()]
    if not parts:
        raise InputFault(f'the paper has no text before the first experiment, in "{place.section}"', kind="no-text")
    later = "\n\n".join(one["text"] for one in rest)
    title = (read(record, "title") or "").strip()
    every = split_sentences([(part.name, part.role, part.text) for part in parts])
    captions = read(record, "captions") or []
    cues = LeakCues(every, rest, captions, title, showing.chosen_removal())
    figures = select_figures(record, place, [part.text for part in parts], later, cues)
    beside = _list_beside(title, parts, mentioned_captions(_join(parts), figures, _kinds(showing)))
    leaks = cues.find_leaks([*every, *(one for one in beside if one.role != CAPTION)])
    gone = find_repeats([*leaks, *_find_gold(every, experiments)], [*every, *beside])
    out = {sentence for sentence, _ in gone}
    left = [one for one in [*every, *beside] if one not in out]
    withheld = [later, *(one.text for one in experiments)]
    sections = [{"id": one["id"], "heading": one["heading"]} for one in rest]
    return VisiblePart(title, place, parts, left, gone, len(every), withheld, sections, captions, figures)


def _join(parts: Sequence[Part]) -> str:
    return "\n\n".join(part.text for part in parts)


def _kinds(showing: Showing) -> list[str]:
    return ["figure"] if showing.images == "figures" else []


def _list_beside(title: str, parts: Sequence[Part], captions: Sequence[Caption]) -> list[Sentence]:
    """Title, section headings and captions as units that may leak."""
    headed = [part for part in parts if part.heading and part.role != "abstract"]
    found = [Sentence(TITLE, TITLE, 0, len(title), title)] if title else []
    found += [Sentence(part.name, HEADING, 0, len(part.heading), part.heading) for part in headed]
    return found + [Sentence(one["id"], CAPTION, 0, len(one["text"]), one["text"]) for one in captions]


def _find_gold(every: Sequence[Sentence], experiments: Sequence[Gold]) -> list[tuple[Sentence, str]]:
    """Sentences that overlap with spans of the human list."""
    places = [place for one in experiments for place in one.places]
    return [
        (one, "span")
        for one in every
        if any(name == one.place and start < one.end and one.start < end for name, start, end in places)
    ]


def build_input(before: VisiblePart, leaks: Sequence[Sentence], by: str, showing: Showing) -> ModelInput:
    """Build the input after a model has also identified leaks.

    Raises:
        InputFault: no text is left.
        ScholartoolsError: there are too many images, or all are missing.
    """
    named = find_repeats([(one, "") for one in leaks], before.candidates)
    gone = [one for one, _ in (*before.gone, *named)]
    removed = [*removal_records(before.gone, BUILTIN), *removal_records(named, by)]
    parts, n_cut = beginning(_take_out(before.parts, gone, removed), showing.max_words)
    if not parts:
        raise InputFault("no text of the paper is left before its first experiment", kind="no-text")
    title = "" if _names_of(gone, TITLE) else before.title
    plain = pieces(title, parts, None)[0]
    pictures, out = _choose_pictures(before, plain, gone, showing)
    sent = [title, *(f"{part.heading}\n\n{part.text}" for part in parts), *(one["text"] for one in pictures.captions)]
    account: Record = {
        "before": {"in": before.place.section, "start": before.place.start, "by": before.place.by},
        "words": sum(n_words(part.text) for part in parts),
        "cut": n_cut,
        "sentences": before.n_sentences,
        "removed": sorted(removed, key=lambda one: _find_position(before.parts, one)),
        "share": round(len(removed) / before.n_sentences, 6) if before.n_sentences else 0.0,
        "leak": find_leaked_runs(sent, before.withheld),
    }
    account["sections_withheld"] = [*_unseen_before(before, parts), *before.sections_withheld]
    account |= {"title_withheld": True} if title != before.title else {}
    account |= {"headings_withheld": found} if (found := _names_of(gone, HEADING)) else {}
    account |= {"figures_withheld": out} if out else {}
    return ModelInput(with_captions(plain, pictures), pictures, account, [part.name for part in parts])


def _unseen_before(before: VisiblePart, shown: Sequence[Part]) -> Iterator[Record]:
    """Sections before the first experiment that are not shown at all, because of leaks or the limit of words."""
    named = {part.name for part in shown} | {one["id"] for one in before.sections_withheld}
    for part in before.parts:
        if part.name not in named:
            yield {"id": part.name, "heading": part.heading}


def _names_of(gone: Sequence[Sentence], role: str) -> list[str]:
    return [one.place for one in gone if one.role == role]


def _take_out(parts: Sequence[Part], gone: Sequence[Sentence], removed: Sequence[Record]) -> list[Part]:
    """Remove sentences and headings from the parts; parts without remaining text are dropped."""
    headings, spans = _names_of(gone, HEADING), defaultdict(list)
    for one in removed:
        spans[one["in"]].append((one["start"], one["end"]))
    whole = [part._replace(text=remove_spans(part.text, spans[part.name])) for part in parts]
    return [part._replace(heading="") if part.name in headings else part for part in whole if part.text]


def _choose_pictures(
    before: VisiblePart, shown: str, gone: Sequence[Sentence], showing: Showing
) -> tuple[Pictures, list[str]]:
    """Images of the figures that the text mentions, and the ids of withheld ones."""
    captions_gone = _names_of(gone, CAPTION)
    named = mentioned_captions(shown, before.captions, _kinds(showing))
    allowed = [one for one in named if one in before.figures and one["id"] not in captions_gone]
    pictures = load_pictures(allowed, showing.max_images)
    check_some_picture([pictures], showing.images)
    return pictures, [one["id"] for one in named if one not in allowed]


def _find_position(parts: Sequence[Part], one: Cut) -> tuple[int, int]:
    return next(n for n, part in enumerate(parts) if part.name == one["in"]), one["start"]


def show_input(record: Record, showing: Showing) -> Record:
    """Add ``experiments_input`` to a copy of the record: the text that would be shown, with its report. Uses no model.

    Raises:
        InputFault: see :func:`cut_paper`.
    """
    made = build_input(cut_paper(record, showing), [], BUILTIN, showing)
    shown = {**made.account, "sections": made.sections, **picture_account([made.pictures]), "text": made.text}
    return {**record, "experiments_input": shown}
