"""Extract the limitations of a paper, verbatim, from its text and its reviews (BAGELS, section 3.2).

:func:`extract` uses no model. Passages with limitations are found by headings, fields and keywords, in the paper by
``in_papers.py`` and in reviews by ``in_reviews.py``; they are split into limitations at paragraphs and list items, and
passages that documented rules reject as noise are stored under ``rejected``.
:func:`ask` prompts a model with the same passages; it quotes the limitations, and the quotations are located in their
source (``prompted.py``).

In both cases equivalent limitations can be merged (``merging.py``). Sentences are neither changed nor reordered, and
are only split at the numbers of a list.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from scholartools.errors import UsageFault
from scholartools.parameters import parameter
from scholartools.records import Record, add_provenance, need, read, replace_failure, replace_rejected, texts, without
from scholartools.signature import library
from scholartools.tasks.limits import in_papers, in_reviews, paper_cues, prompted
from scholartools.tasks.limits import merging as merge
from scholartools.tasks.limits import passages as blocks
from scholartools.tasks.limits.implicit import Reach
from scholartools.tasks.limits.likelihood import packaged_model
from scholartools.tasks.limits.merging import THRESHOLD, Merging
from scholartools.tasks.limits.passages import Found, Noise
from scholartools.tasks.limits.prompted import Quotations
from scholartools.text.prompt_injection import warn_of_instructions

if TYPE_CHECKING:
    from scholartools.llm.answers import Answer, Missing
    from scholartools.llm.engine import Engine
    from scholartools.llm.prompts import Prompt
    from scholartools.records import Entry
    from scholartools.schemas.shapes import PaperRecord

__all__ = ["THRESHOLD", "Merging", "ask", "extract"]

COMMAND = "st-extract-limits"

Origin = Literal["author", "review", "all"]


def extract(
    record: Record,
    *,
    keywords: Sequence[str] = paper_cues.KEYWORDS,
    reach: Reach = "paragraph",
    origin: Origin = "all",
    merging: Merging | None = None,
) -> Record:
    """Extract limitations without a model, and return a copy of the record with ``limitations`` and ``rejected``.

    Each limitation is a :class:`scholartools.schemas.annotations.Limitation`. Limitations of the paper come first, in
    the order of the paper, and then limitations of its reviews. If the paper has no limitations, ``limitations`` is an
    empty list. Limitations of an earlier run are replaced.

    Args:
        keywords: words with which a passage with implicit limitations begins (singular or plural, upper or lower
            case). They replace the built-in keywords and phrases. With an empty list, only explicit limitations are
            found.
        reach: where a passage with implicit limitations ends. "paragraph": at the end of its paragraph, or before a
            sentence that states no limitation by the rules. "section" (the method of BAGELS, with keywords alone): at
            the end of its section, or at a paragraph that begins with a heading of :data:`paper_cues.TERMINAL`. "paper"
            needs a model.
        origin: whose limitations to extract. "all": limitations of the paper, and of its reviews if it has any.
        merging: how to merge limitations with the same meaning. None means that limitations are not merged. A group of
            thousands of limitations is not merged, and ``errors`` counts its limitations.

    Raises:
        InputFault: the record has no ``sections`` and no ``reviews``, or some sections or reviews have a wrong form or
            the same id.
        UsageFault: a keyword without a letter, an unknown reach or origin, or a threshold out of range.
    """
    if reach == "paper":
        raise UsageFault('reach "paper" needs a model: it shows all of a paper')
    sources = _wanted_sources(record, reach, origin)
    pieces = [_cut_limitations(found) for found in _find_passages(sources, keywords, reach)]
    items = [item for made, _ in pieces for item in made]
    _number_items(items)
    groups, unjoined = merge.by_similarity(items, merging) if merging is not None else ([], None)
    items = merge.merge_groups(items, groups)
    extracted = _replace_limitations(record, sources, items, [one for _, noise in pieces for one in noise])
    replace_failure(extracted, {"command": COMMAND, "kind": "too-many"}, unjoined)
    options = {**_provenance_options(keywords, reach, origin), **_merging_options(merging)}
    options["sentences"] = library("nupunkt")
    add_provenance(extracted, COMMAND, None, method="builtin", options=options, input=sources)
    return extracted


async def ask(
    engine: Engine,
    record: Record,
    *,
    keywords: Sequence[str] = paper_cues.KEYWORDS,
    reach: Reach = "paragraph",
    origin: Origin = "all",
    merging: bool = False,
) -> Record:
    """Extract limitations by a model, and return a copy of the record with ``limitations``, as :func:`extract` does.

    The model quotes the limitations, in one call for each passage. If ``reach`` is "paper", the passages are the
    abstract and all sections except references and acknowledgements. A review without fields and headings is one
    passage. With ``merging``, the model is called once more. If the model gives no usable reply to the call that
    merges, the limitations are not merged.

    Raises:
        InputFault, UsageFault: the record or an argument is invalid, as for :func:`extract`.
        UsageFault: ``samples`` is higher than 1 in the settings, but a record has only one list of limitations.
        ScholartoolsError: the model gave no usable reply for any passage.
        ModelFault: the run must end, for example because of the budget or the API key.
    """
    from scholartools.llm.task import Found, ask_all, finish

    _refuse_samples(engine)
    sources = _wanted_sources(record, reach, origin)
    found = list(_find_passages(sources, keywords, reach, for_model=True))
    passages = [(one, block) for one in found for block in one.blocks]
    answers: list[Answer[Any] | Missing] = list(await _ask_passages(engine, record, passages, merging))
    items = _quoted_items(answers, sources)
    rejected = _collect_rejections(found, passages, answers)
    if merging:
        answers += await ask_all([merge.by_model(engine, items)])
        items = merge.merge_groups(items, answers[-1].value) if answers[-1].value is not None else items
    made = _replace_limitations(record, sources, items, rejected)
    options = {**_provenance_options(keywords, reach, origin), "merge": merging}
    named = zip([*(one.name for one, _ in passages), "merging"], answers)
    prompts, so = _extraction_prompts(origin, merging), _describe_unmerged(merging, answers)
    return finish(engine, COMMAND, None, Found(made, "replies", named, prompts, options, sources, so=so))


# Input


def _wanted_sources(record: PaperRecord, reach: str, origin: str) -> Record:
    """The selected sections and reviews, validated and reduced to the keys used."""
    if reach not in ("paragraph", "section", "paper"):
        raise UsageFault(f'reach is "paragraph", "section" or "paper", not "{reach}"')
    if origin not in ("author", "review", "all"):
        raise UsageFault(f'origin is "author", "review" or "all", not "{origin}"')
    wanted: Record = {}
    if origin != "author":
        given = read(record, "reviews")
        if given is None and origin == "review":
            need(record, "sections", "run st-parse first")
        wanted["reviews"] = [{key: one.get(key) for key in ("id", "text", "fields")} for one in given or ()]
    if origin != "review" and not (record.get("sections") is None and wanted.get("reviews")):
        sections = need(record, "sections", "run st-parse first")
        wanted["sections"] = [{key: one[key] for key in ("id", "heading", "level", "role", "text")} for one in sections]
        wanted["title"] = read(record, "title")
        if reach == "paper":
            wanted["abstract"] = read(record, "abstract")
    texts(wanted)
    return wanted


def _find_passages(
    sources: PaperRecord, keywords: Sequence[str], reach: Reach, *, for_model: bool = False
) -> Iterable[Found]:
    """The passages of the paper, then those of its reviews."""
    if abstract := sources.get("abstract"):
        yield in_papers.whole_section({"id": "abstract", "heading": "", "role": "abstract", "text": abstract}, "")
    yield from in_papers.find_in_papers(sources.get("sections") or [], keywords, reach, sources.get("title") or "")
    critical = in_reviews.passages_for_model if for_model else in_reviews.find_in_reviews
    yield from critical(sources.get("reviews") or [])


# Methods


def _cut_limitations(found: Found) -> tuple[list[Record], list[Record]]:
    """Limitations of a text without a model, without ids, and the noise, in order."""
    items: list[Record] = []
    noise = list(found.noise)
    for block in found.blocks:
        cut = in_reviews.cut_criticism if found.origin == "review" else blocks.cut_passage
        places, dropped = cut(found.text, block)
        noise += dropped
        items += (_new_item(found, block, *place) for place in places)
    return items, [_rejection_of(found, one) for one in sorted(noise)]


def _extraction_prompts(origin: Origin, merging: bool) -> list[Prompt]:
    """The prompts, in the order of the signature."""
    prompts = [prompted.prompt_of(one) for one in ("author", "review") if origin in (one, "all")]
    return [*prompts, merge.merging_prompt()] if merging else prompts


def _refuse_samples(engine: Engine) -> None:
    """Check that only one sample is requested.

    Raises:
        UsageFault: there are several.
    """
    if engine.settings.samples > 1:
        raise UsageFault(
            f"{parameter('samples')}: a paper has one list of limitations; "
            f"{parameter('namespace')} keeps a second run apart"
        )


def _quoted_items(answers: Sequence[Answer[Any] | Missing], sources: Record) -> list[Record]:
    """The limitations of all passages, numbered; those that share a sentence reference each other."""
    items = [item for answer in answers if answer.value is not None for item in answer.value[0]]
    _number_items(items)
    prompted.flag_shared(items, texts(sources))
    return items


def _collect_rejections(
    found: Sequence[Found],
    passages: Sequence[tuple[Found, blocks.Block]],
    answers: Sequence[Answer[Any] | Missing],
) -> list[Record]:
    """Noise, quotations that are not in their passage, and passages without a reply."""
    from scholartools.llm.answers import Missing

    rejected = [_rejection_of(one, noise) for one in found for noise in one.noise]
    for (one, block), answer in zip(passages, answers):
        rejected += [_unread_passage(one, block, answer)] if isinstance(answer, Missing) else answer.value[1]
    return rejected


async def _ask_passages(
    engine: Engine, record: Record, passages: Sequence[tuple[Found, blocks.Block]], merging: bool
) -> list[Answer[Quotations] | Missing]:
    """The model's answers on all passages, requested concurrently.

    Raises:
        ScholartoolsError: the model gave no usable reply for any passage.
    """
    from scholartools.llm.answers import refuse_all_missing
    from scholartools.llm.task import ask_all
    from scholartools.llm.usage.forecast import WouldSend

    try:
        answers = await ask_all([prompted.ask_about(engine, COMMAND, *passage) for passage in passages])
    except WouldSend:
        if merging:
            # The items to merge are unknown in a dry run, so two per passage are assumed.
            whole = [_new_item(one, block, block.start, block.end) for one, block in passages]
            await merge.by_model(engine, 2 * whole)
        raise
    cleared = _cleared(record)  # fails before further requests if the record's ``rejected`` is malformed
    refuse_all_missing("passages", answers, lambda: cleared)
    return answers


def _describe_unmerged(merging: bool, answers: Sequence[Answer[Any] | Missing]) -> str:
    """Consequence of a missing reply on merging, the last answer."""
    from scholartools.llm.answers import Missing

    return "limitations with the same meaning are not merged" if merging and isinstance(answers[-1], Missing) else ""


# Output


def _new_item(found: Found, block: blocks.Block, start: int, end: int) -> Record:
    item = {
        "id": "",
        "origin": found.origin,
        "mode": "implicit" if block.cue else "explicit",
        "by": "builtin",
        "heading": block.heading,
        "text": found.text[start:end],
        "spans": [{"in": found.name, "start": start, "end": end}],
    }
    return {**item, "cue": block.cue} if block.cue else item


def _rejection_of(found: Found, noise: Noise) -> Record:
    span = {"in": found.name, "start": noise.start, "end": noise.end}
    text = found.text[noise.start : noise.end]
    return {"command": COMMAND, "text": text, "span": span, "reason": noise.reason}


def _unread_passage(found: Found, block: blocks.Block, answer: Missing) -> Record:
    """Rejection of a passage without a usable reply."""
    return _rejection_of(found, Noise(block.start, block.end, f"no usable reply about this passage: {answer.reason}"))


def _number_items(items: Sequence[Record]) -> None:
    for number, item in enumerate(items, 1):
        item["id"] = f"l{number}"


def _replace_limitations(record: Entry, sources: Record, items: list[Record], rejected: list[Record]) -> Record:
    """Replace limitations and rejections of an earlier run, and add warnings of prompt injection."""
    extracted = _with_rejected({**record, "limitations": items, "rejected": record.get("rejected") or []}, rejected)
    return warn_of_instructions(extracted, texts(sources))


def _cleared(record: Record) -> Record:
    """Remove limitations and rejections of an earlier run."""
    return _with_rejected(without(record, "limitations"), [])


def _with_rejected(record: Record, rejected: list[Record]) -> Record:
    return replace_rejected(record, rejected, lambda entry: entry["command"] == COMMAND)


def _provenance_options(keywords: Sequence[str], reach: str, origin: str) -> Record:
    weights = packaged_model().version
    return {"keywords": list(keywords), "reach": reach, "origin": origin, "weights": weights}


def _merging_options(merging: Merging | None) -> Record:
    """Signature entries on merging; empty without merging."""
    if merging is None:
        return {}
    from scholartools.text.embeddings.sentence import embedder

    linkage = {"linkage": library("scipy"), "embedder": embedder(merging.embedder).name}
    return {"merge": "complete-linkage", "threshold": merging.threshold, **linkage}
