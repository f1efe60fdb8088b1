"""Options for the generation of weaknesses."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from scholartools.signature import library
from scholartools.tasks.shared.pictures import MOST_IMAGES

Images = Literal["none", "figures", "tables", "figures,tables"]
#: Kinds of captions whose images are shown, by the value of ``images``.
KINDS: dict[str, tuple[str, ...]] = {
    "none": (), "figures": ("figure",), "tables": ("table",), "figures,tables": ("figure", "table"),
}  # fmt: skip


@dataclass(frozen=True)
class WeaknessOptions:
    """Options for the generation of weaknesses.

    Attributes:
        system: name of the entry; None for the model's.
        split_words: maximum words per chunk of the paper; None: the paper is not split.
        max_words: maximum words of the paper that are read, from its beginning; None: all.
        combine: "concat": concatenate the items of all chunks; "model": let the model also remove repetitions.
        reflect: number of rounds in which the model revises its list for a chunk.
        ensemble: number of independent drafts per chunk, which the model merges.
        images: kinds of images shown with a chunk that mentions them.
        max_images: maximum number of images per chunk; more are an error.
    """

    system: str | None = None
    split_words: int | None = 3000
    max_words: int | None = None
    combine: Literal["concat", "model"] = "concat"
    reflect: int = 0
    ensemble: int = 1
    images: Images = "none"
    max_images: int = MOST_IMAGES

    def provenance_options(self) -> dict[str, Any]:
        """Options that affect the result, for provenance and signature."""
        chosen = {name: value for name, value in asdict(self).items() if name != "system"}
        return {"task": "weaknesses", **chosen, "sentences": library("nupunkt")}
