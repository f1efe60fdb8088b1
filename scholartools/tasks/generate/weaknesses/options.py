"""What may be chosen of the generation of weaknesses."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from scholartools.signature import library
from scholartools.tasks.shared.pictures import MOST_IMAGES

Images = Literal["none", "figures", "tables", "figures,tables"]
#: The kinds of captions whose pictures are shown, by the value of ``images``.
KINDS: dict[str, tuple[str, ...]] = {
    "none": (), "figures": ("figure",), "tables": ("table",), "figures,tables": ("figure", "table"),
}  # fmt: skip


@dataclass(frozen=True)
class WeaknessOptions:
    """What may be chosen.

    Attributes:
        system: name of the entry; None for the model's.
        split_words: most words of a piece of the paper; None: the paper is not split.
        max_words: words of the paper that are read, from its beginning; None: all.
        combine: "concat": the items of all pieces follow one another; "model": it drops those that repeat others.
        reflect: rounds in which the model looks at its list of a piece once more.
        ensemble: lists of each piece, drafted independently and merged into one by the model.
        images: the pictures that are shown with a piece, of figures or tables that it names.
        max_images: of a piece, with more the paper is refused.
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
        """What changes the result, for provenance and signature."""
        chosen = {name: value for name, value in asdict(self).items() if name != "system"}
        return {"task": "weaknesses", **chosen, "sentences": library("nupunkt")}
