"""What is shown of a paper and of related ones: whole, in part or not at all; with captions and pictures, or without.

Nothing is cut: what is too long for a model is reported, with the way on. The paper comes first in every prompt and its
fence is its own hash, so that all questions about a paper begin with the same characters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from scholartools.errors import ScholartoolsError
from scholartools.llm.prompts import fence_text
from scholartools.llm.usage import budget
from scholartools.records import Record, read
from scholartools.tasks.claims.related import NO_CORPUS, Corpus, Related
from scholartools.tasks.shared.pictures import Pictures, check_number, check_some_picture, data_url
from scholartools.text.chunks import split_words
from scholartools.wording import share_of

if TYPE_CHECKING:
    from scholartools.llm.engine import Engine
    from scholartools.llm.prompts import Prompt
    from scholartools.schemas.shapes import PaperRecord

Shown = Literal["full", "retrieved", "none"]
Images = Literal["all", "captions", "none"]
SHOWN: tuple[str, ...] = get_args(Shown)
IMAGES: tuple[str, ...] = get_args(Images)

#: Pictures of one question, at most: those of a long paper with its appendix, and of one that it cites.
MOST_IMAGES = 50

#: Of ``retrieved``: passages that are shown, and their words.
PASSAGES, PASSAGE_WORDS = 12, 150

_NOT_SHOWN = frozenset(["reference", "acknowledgement"])


@dataclass(frozen=True)
class Showing:
    """What is shown with a question.

    Attributes:
        text: of the paper and of related ones: all of it, the passages that are most like the question, or none.
        images: pictures with their captions, captions alone, or neither.
        most_images: of one question; with more it is not asked.
        corpus: where related papers are looked for.
    """

    text: Shown = "full"
    images: Images = "all"
    most_images: int = MOST_IMAGES
    corpus: Corpus = NO_CORPUS

    def provenance_options(self) -> Record:
        """What changes the answers, for provenance and signature."""
        return {
            "context": self.text,
            "images": self.images,
            "max_images": self.most_images,
            "corpus": self.corpus.fingerprint,
        }


class Context(NamedTuple):
    """What goes into one question.

    Attributes:
        paper: the block of text that stands for the paper and the related ones.
        pictures: data URLs, in the order that the block tells.
        related: the related papers that are shown, and citations nothing was found for.
        missing: ids of captions whose picture is missing, related papers' with their id before them.
    """

    paper: str
    pictures: list[str]
    related: Related
    missing: list[str]


def context(record: Record, about: Sequence[str], showing: Showing) -> Context:
    """The context of a question about some texts, which name the related papers and what is retrieved."""
    related = showing.corpus.find_cited(record, about)
    papers = [record, *related.papers]
    pictures, names, missing = _collect_pictures(papers, showing)
    blocks = [_paper_block(paper, number, about, showing) for number, paper in enumerate(papers)]
    if names:
        blocks.append(f"The pictures, in this order: {', '.join(names)}.")
    return Context("\n\n".join(blocks), pictures, related, missing)


def check_length(
    engine: Engine, prompt: Prompt[Any], inputs: dict[str, str], pictures: Sequence[str], way_on: str
) -> None:
    """Refuse a prompt that is longer than the model takes, as far as that is known; nothing is cut.

    Raises:
        ScholartoolsError: it is, with both numbers and the way on.
    """
    price = budget.price_of(engine.settings.model)
    if price is None or price.window is None:
        return
    about = budget.estimate_prompt(prompt.messages(inputs, engine.settings.prompt_dir, pictures))
    if about > price.window:
        reason = f"the prompt has about {about} tokens, {engine.settings.model} takes {price.window}: {way_on}"
        raise ScholartoolsError(reason, kind="too-long")


def check_pictures(pictures: Sequence[str], showing: Showing) -> None:
    """Refuse a question with more pictures than may be; none is left out in silence.

    Raises:
        ScholartoolsError: it has more, with both numbers and the ways on.
    """
    check_number(len(pictures), showing.most_images, "captions")


def check_files(engine: Engine, record: PaperRecord, showing: Showing) -> None:
    """Tell which pictures that the captions of a paper name are missing on disk.

    Raises:
        ScholartoolsError: all are; the paper would be shown without any.
    """
    named = [one for one in read(record, "captions") or () if one.get("image")] if showing.images == "all" else []
    urls = [url for one in named if (url := data_url(one["image"])) is not None]
    missing = [one for one in named if data_url(one["image"]) is None]
    check_some_picture([Pictures(urls, [], missing)], showing.images)
    if missing:
        told = f"paper {record.get('id')}: {share_of(len(missing), len(named), 'picture', 'are')} missing"
        engine.warn_once(f"{told}, such as {missing[0]['image']}")


def head(record: PaperRecord) -> str:
    """Title and abstract."""
    parts = (read(record, "title"), read(record, "abstract"))
    return "\n\n".join(part.strip() for part in parts if part and part.strip())


def _paper_block(paper: PaperRecord, number: int, about: Sequence[str], showing: Showing) -> str:
    parts = [head(paper)] if showing.text != "none" else []
    if showing.text == "full":
        parts += _section_texts(paper)
    elif showing.text == "retrieved":
        parts += _retrieve_passages(paper, " ".join(about))
    if showing.images != "none" and (captions := [one["text"] for one in read(paper, "captions") or ()]):
        parts.append("\n".join(["Captions:", *captions]))
    text = "\n\n".join(part for part in parts if part) or "(Nothing of the paper is shown.)"
    return fence_text(text) if number == 0 else f"Related paper {number}:\n{fence_text(text)}"


def _section_texts(paper: PaperRecord) -> list[str]:
    shown = (one for one in read(paper, "sections") or () if one["role"] not in _NOT_SHOWN)
    return [
        f"{' '.join(filter(None, (one.get('number'), one['heading'].strip())))}\n{one['text'].strip()}" for one in shown
    ]


def _retrieve_passages(paper: PaperRecord, query: str) -> list[str]:
    """The passages that are most like a text, in the order of the paper."""
    from scholartools.text.embeddings.sentence import embedder
    from scholartools.text.retrieval import Index

    passages = [piece for section in _section_texts(paper) for piece in split_words(section, PASSAGE_WORDS)]
    index = Index(passages, embedder())
    hits = index.search(query, range(len(passages)), top=PASSAGES)
    return [passages[place] for place in sorted(hit.place for hit in hits)]


def _collect_pictures(papers: Sequence[Record], showing: Showing) -> tuple[list[str], list[str], list[str]]:
    """Data URLs, what each shows, and what has none."""
    if showing.images != "all":
        return [], [], []
    urls: list[str] = []
    names: list[str] = []
    missing: list[str] = []
    for number, paper in enumerate(papers):
        of_paper = f" of related paper {number}" if number else ""
        for caption in read(paper, "captions") or ():
            url = data_url(caption["image"]) if caption.get("image") else None
            if url is None:
                missing.append(f"{paper['id']}:{caption['id']}" if number else caption["id"])
            else:
                urls.append(url)
                names.append(f"{caption['label']}{of_paper}")
    return urls, names, missing
