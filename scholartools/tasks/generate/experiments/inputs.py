"""The part of a paper that is shown: cut before the first experiment, without the sentences that tell of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple

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
from scholartools.tasks.generate.experiments.gold import EXPERIMENTS, read_gold
from scholartools.tasks.generate.experiments.leaks import (
    Sentence,
    find_leaks,
    removal_records,
    split_sentences,
)
from scholartools.tasks.generate.leakage import find_leaked_runs
from scholartools.tasks.generate.redaction import remove_spans
from scholartools.tasks.shared.pictures import (
    MOST_IMAGES,
    Pictures,
    load_pictures,
    mentioned_captions,
    picture_account,
    with_captions,
)
from scholartools.tasks.shared.pieces import Part, all_parts, beginning, pieces
from scholartools.text.chunks import n_words

MODEL: Literal["model"] = "model"
BUILTIN = "builtin"


@dataclass(frozen=True)
class Showing:
    """What is shown of a paper.

    Attributes:
        before: where it ends, see :func:`scholartools.tasks.generate.experiments.first_experiment.first_experiment`.
        leaks: who takes out sentences that leak: "builtin" alone, or a "model" after it.
        max_words: words that are shown, from the beginning.
        images: "figures" for those that what is shown names, but for figures of results; "none".
        max_images: of them, with more the paper is refused.
        experiments: dotted path of those that people wrote down, whose places and texts are withheld.
    """

    before: str = AUTO
    leaks: Literal["builtin", "model"] = MODEL
    max_words: int = 3000
    images: Literal["none", "figures"] = "none"
    max_images: int = MOST_IMAGES
    experiments: str = EXPERIMENTS

    def provenance_options(self) -> dict[str, Any]:
        """What changes the text and its pictures, for provenance and signature."""
        chosen = {name: value for name, value in asdict(self).items() if name != "max_images"}
        return {**chosen, "sentences": library("nupunkt")}


class VisiblePart(NamedTuple):
    """A paper before its first experiment, with the sentences that the built-in way takes out.

    Attributes:
        place: where the experiments begin.
        parts: abstract and sections before it, whole.
        sentences: of these parts, without those taken out.
        removed: what was taken out.
        n_sentences: of the parts, all.
        withheld: texts that must not be shown: the experiments, and everything from the first on.
        captions: of all figures.
        figures: those of them that may be shown.
    """

    title: str
    place: Place
    parts: list[Part]
    sentences: list[Sentence]
    removed: list[Record]
    n_sentences: int
    withheld: list[str]
    captions: list[Record]
    figures: list[Record]


class ModelInput(NamedTuple):
    """What a model is shown, and the account of it that the entry keeps."""

    text: str
    pictures: Pictures
    account: Record
    sections: list[str]

    def entry(self) -> Record:
        """What the entry of a system tells of it."""
        seen = {"sections": self.sections, "given": self.account, "leak": self.account["leak"]}
        return {**seen, **picture_account([self.pictures])}


def cut_paper(record: Record, showing: Showing) -> VisiblePart:
    """The part of a paper before its first experiment, without what the built-in way takes for leaks.

    Raises:
        InputFault: no sections, no place of a first experiment, nothing before it, or a span that does not fit.
    """
    experiments = read_gold(record, showing.experiments)
    place = first_experiment(record, experiments, showing.before)
    kept, rest = cut_sections(read(record, "sections") or [], place)
    parts = [part for part in all_parts({**record, "sections": kept}) if part.text.strip()]
    if not parts:
        raise InputFault(f'nothing stands before the first experiment, in "{place.section}"', kind="no-text")
    later = "\n\n".join(one["text"] for one in rest)
    title = (read(record, "title") or "").strip()
    every = split_sentences([(part.name, part.role, part.text) for part in parts])
    captions = read(record, "captions") or []
    leaks = find_leaks(every, later, captions, title)
    gone = {sentence for sentence, _ in leaks}
    left = [sentence for sentence in every if sentence not in gone]
    stated = [one.text for one in experiments]
    figures = select_figures(record, place, [part.text for part in parts], later)
    out = list(removal_records(leaks, BUILTIN))
    return VisiblePart(title, place, parts, left, out, len(every), [later, *stated], captions, figures)


def build_input(before: VisiblePart, leaks: Sequence[Sentence], by: str, showing: Showing) -> ModelInput:
    """What is shown once a model has named the sentences that leak too.

    Raises:
        InputFault: nothing is left.
        ScholartoolsError: more pictures than may be.
    """
    gone = [*before.removed, *removal_records([(sentence, "") for sentence in leaks], by)]
    whole = [part._replace(text=remove_spans(part.text, _list_places(gone, part.name))) for part in before.parts]
    parts, n_cut = beginning([part for part in whole if part.text], showing.max_words)
    if not parts:
        raise InputFault("nothing is left of the paper before its first experiment", kind="no-text")
    plain = pieces(before.title, parts, None)[0]
    named = mentioned_captions(plain, before.captions, ["figure"] if showing.images == "figures" else [])
    pictures = load_pictures([one for one in named if one in before.figures], showing.max_images)
    text = with_captions(plain, pictures)
    account: Record = {
        "before": {"in": before.place.section, "start": before.place.start, "by": before.place.by},
        "words": sum(n_words(part.text) for part in parts),
        "cut": n_cut,
        "sentences": before.n_sentences,
        "removed": sorted(gone, key=lambda one: _find_position(before.parts, one)),
        "share": round(len(gone) / before.n_sentences, 6) if before.n_sentences else 0.0,
        "leak": find_leaked_runs(
            [*(part.text for part in parts), *(one["text"] for one in pictures.captions)], before.withheld
        ),
    }
    if out := [one["id"] for one in named if one not in before.figures]:
        account["figures_withheld"] = out
    return ModelInput(text, pictures, account, [part.name for part in parts])


def _list_places(gone: Iterable[Record], name: str) -> list[tuple[int, int]]:
    by_text: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for one in gone:
        by_text[one["in"]].append((one["start"], one["end"]))
    return by_text[name]


def _find_position(parts: Sequence[Part], one: Record) -> tuple[int, int]:
    return next(n for n, part in enumerate(parts) if part.name == one["in"]), one["start"]


def show_input(record: Record, showing: Showing) -> Record:
    """A copy of the record with ``experiments_input``: the text that would be shown, and the account of it. No model.

    Raises:
        InputFault: as for :func:`cut_paper`.
    """
    made = build_input(cut_paper(record, showing), [], BUILTIN, showing)
    shown = {**made.account, "sections": made.sections, **picture_account([made.pictures]), "text": made.text}
    return {**record, "experiments_input": shown}
