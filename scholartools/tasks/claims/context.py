"""Context shown to a model: the paper and related papers in full, in part or not at all, with or without images.

Nothing is truncated: a prompt that is too long for a model is an error that names a remedy. The paper comes first in
every prompt, delimited by its own hash, so that all prompts about a paper share a prefix.
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

#: Default maximum of images per request: a long paper with appendix, and a cited paper.
MOST_IMAGES = 50

#: For ``retrieved``: number of passages, and words per passage.
PASSAGES, PASSAGE_WORDS = 12, 150

_NOT_SHOWN = frozenset(["reference", "acknowledgement"])


@dataclass(frozen=True)
class Showing:
    """What context a request includes.

    Attributes:
        text: the paper and related papers in full, the passages most similar to the query, or none.
        images: images with captions, captions only, or neither.
        most_images: maximum per request; a request with more fails.
        corpus: collection in which related papers are looked up.
    """

    text: Shown = "full"
    images: Images = "all"
    most_images: int = MOST_IMAGES
    corpus: Corpus = NO_CORPUS

    def provenance_options(self) -> Record:
        """The options that affect the answers, for provenance and signature."""
        return {
            "context": self.text,
            "images": self.images,
            "max_images": self.most_images,
            "corpus": self.corpus.fingerprint,
        }


class Context(NamedTuple):
    """Context of one request.

    Attributes:
        paper: text block with the paper and related papers.
        pictures: data URLs, in the order listed in the text block.
        related: the related papers included, and unresolved citations.
        missing: ids of captions without an image, for related papers prefixed with the paper's id.
    """

    paper: str
    pictures: list[str]
    related: Related
    missing: list[str]


def context(record: Record, about: Sequence[str], showing: Showing) -> Context:
    """Build the context of a request; the texts ``about`` determine related papers and retrieved passages."""
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
    """Check that a prompt fits the context window of the model, if this is known.

    Raises:
        ScholartoolsError: it does not fit; the message has both numbers and a remedy.
    """
    price = budget.price_of(engine.settings.model)
    if price is None or price.window is None:
        return
    about = budget.estimate_prompt(prompt.messages(inputs, engine.settings.prompt_dir, pictures))
    if about > price.window:
        reason = f"the prompt has about {about} tokens, {engine.settings.model} takes {price.window}: {way_on}"
        raise ScholartoolsError(reason, kind="too-long")


def check_pictures(pictures: Sequence[str], showing: Showing) -> None:
    """Check that a request does not have too many images.

    Raises:
        ScholartoolsError: there are too many; the message has both numbers and remedies.
    """
    check_number(len(pictures), showing.most_images, "captions")


def check_files(engine: Engine, record: PaperRecord, showing: Showing) -> None:
    """Warn of image files that captions name but that are missing.

    Raises:
        ScholartoolsError: all are missing, so that the paper would be shown without images.
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
    """The passages most similar to a query, in the order of the paper."""
    from scholartools.text.embeddings.sentence import embedder
    from scholartools.text.retrieval import Index

    passages = [piece for section in _section_texts(paper) for piece in split_words(section, PASSAGE_WORDS)]
    index = Index(passages, embedder())
    hits = index.search(query, range(len(passages)), top=PASSAGES)
    return [passages[place] for place in sorted(hit.place for hit in hits)]


def _collect_pictures(papers: Sequence[Record], showing: Showing) -> tuple[list[str], list[str], list[str]]:
    """Data URLs of the images, their names, and the captions without images."""
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
