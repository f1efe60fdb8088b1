"""Read reviews (OpenReview notes of both APIs, or plain lists), and match them to papers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from scholartools import io
from scholartools.errors import InputFault
from scholartools.file_kinds import marked_encoding
from scholartools.readers.common.file_types import is_archive, is_pdf, kind_of
from scholartools.readers.common.ids import new_warning
from scholartools.readers.references.identifiers import arxiv_number
from scholartools.readers.reviews import openreview, plain
from scholartools.readers.reviews.form import Given
from scholartools.readers.text.reader import looks_like, other_text_of

__all__ = ["Given", "combine_files", "match_reviews", "read", "papers_without_title"]

Record = dict[str, Any]

# Equal texts of at least so many words are copies of one review.
_FEWEST_WORDS = 8
_NEEDED = "reviews are read from JSON, JSON lines or plain text in UTF-8"
# Kinds of texts that are not papers, but may be reviews.
_MAYBE_REVIEWS = (None, "mail", "a text without sentences")
# Prefixes of DOIs and arXiv ids, and the form of a DOI in text or in a file name.
_PREFIX = re.compile(
    r"(https?://)?(www\.|dx\.|export\.)?(doi\.org/|arxiv\.org/(abs|pdf)/)|doi:\s*|(10\.48550[/_])?arxiv[:.]\s*", re.I
)
_DOI = re.compile(r"10\.\d{4,9}[/_]\S+")
_ENDINGS = re.compile(r"(\.pdf|\.tex|\.xml|\.tei\.xml|\.nxml|\.txt|\.md|\.zip|\.tar\.gz|\.tgz)$", re.IGNORECASE)


def read(data: bytes) -> list[Given]:
    """The reviews in a file, grouped by paper, in the file's order.

    Accepted are notes of OpenReview (a list, an object with ``notes``, JSON lines, or submissions with their replies
    under ``details``), lists of strings or objects, an object that maps papers to reviews, a list of lists (one per
    paper), and plain text (one review). Of OpenReview's notes only official reviews are kept; ``warnings`` count the
    others.

    A review from a form has each prose answer below the name of its question, and ``fields`` with the answers' spans.

    Raises:
        InputFault: kind ``not-json``, ``not-utf8``, ``unreadable`` or ``no-text``; the reason says what the file is.
    """
    text = _decode(data)
    if not text.strip():
        raise InputFault("reviews: an empty file", kind="no-text")
    given = _parse_papers(_parse_json(text))
    if not given:
        raise InputFault("reviews: the file has no review", kind="no-text")
    for one in given:
        _give_ids(one)
    return given


def _decode(data: bytes) -> str:
    """The text of a file of reviews, in UTF-8 or the encoding of its byte order mark.

    Raises:
        InputFault: kind ``not-utf8``; the reason names the kind of the file if it is known.
    """
    encoding = marked_encoding(data)
    try:
        return data.decode(encoding or "utf-8").removeprefix("\ufeff")
    except UnicodeError as error:
        kind = "a PDF" if is_pdf(data) else "compressed or an archive" if is_archive(data) else kind_of(data)
        place = error.start + 1 if isinstance(error, UnicodeDecodeError) else 1
        told = f"not {(encoding or 'UTF-8').upper()} at byte {place}" if "unknown" in kind else kind
        raise InputFault(f"reviews: {told}: {_NEEDED}", kind="not-utf8") from None


def combine_files(files: Sequence[Sequence[Given]], n_papers: int) -> list[Given]:
    """Merge the reviews of several files by paper, in the files' order.

    Reviews without a paper's name belong to the papers in order: within each file if every file has one group per
    paper, else over all files in sequence.

    Raises:
        InputFault: kind ``reviews-mismatch``: a review of one paper is in two files under two ids, or one note
            has two texts.
    """
    if len(files) == 1:
        return list(files[0])
    by_order = all(len(given) == n_papers and all(one.paper is None for one in given) for given in files)
    together: dict[Any, list[Given]] = {}
    for number, given in enumerate(files):
        for place, one in enumerate(given):
            name = place if by_order else (number, place) if one.paper is None else _comparable_id(one.paper)
            together.setdefault(name, []).append(one)
    return [_as_one(lists) for lists in together.values()]


def _as_one(lists: list[Given]) -> Given:
    first = lists[0]
    made = Given(first.paper, [], next((one.title for one in lists if one.title), None))
    whose = f'of "{first.paper}" ' if first.paper else ""
    for given in lists:
        known = {review["id"]: review for review in made.reviews if review["id"] in made.note_ids & given.note_ids}
        changed = [one["id"] for one in given.reviews if one["id"] in known and known[one["id"]]["text"] != one["text"]]
        if changed:
            told = f'review "{changed[0]}" {whose}has another text in another file: leave the older file out'
            raise InputFault(told, kind="reviews-mismatch")
        new = [review for review in given.reviews if review["id"] not in known]
        if any(_is_copy(review, other) for review in new for other in made.reviews):
            raise InputFault(f"one review {whose}is in two files", kind="reviews-mismatch")
        made.reviews.extend(dict(review) for review in new)
        made.note_ids |= given.note_ids
        made.warnings.extend(warning for warning in given.warnings if warning not in made.warnings)
    _give_ids(made)
    return made


def _is_copy(one: Record, other: Record) -> bool:
    """Whether two reviews are the same one: equal and long, since two reviewers may give the same short answer."""
    return one["text"] == other["text"] and len(one["text"].split()) >= _FEWEST_WORDS


def papers_without_title(papers: Sequence[Record], given: Sequence[Given]) -> list[int]:
    """Indices of the papers whose titles, DOIs and arXiv ids are needed to match reviews.

    Reviews whose paper id is unknown may belong to any paper that no review names by id; reviews that have only a
    title may belong to any paper.
    """
    ids = {_comparable_id(paper["id"]) for paper in papers}
    open_lists = [one for one in given if one.paper is not None and _comparable_id(one.paper) not in ids]
    if any(_has_title_alone(one) for one in open_lists if one.title):
        return list(range(len(papers)))
    named = {_comparable_id(one.paper) for one in given if one.paper is not None}
    places = [place for place, paper in enumerate(papers) if _comparable_id(paper["id"]) not in named]
    return places if any(one.title or _kind_of_id(one.paper) for one in open_lists) else []


def _has_title_alone(given: Given) -> bool:
    """Whether the file names the paper only by a possible title, without an id."""
    return given.paper is not None and given.title == given.paper


def match_reviews(papers: Sequence[Record], given: Sequence[Given]) -> tuple[list[Given | None], list[Record]]:
    """For each paper its reviews, or None, and warnings about reviews without a paper.

    Reviews that name their paper are matched by id, DOI or arXiv id (in any spelling; in any version unless several
    papers share the number), or else by title, ignoring case, spacing and punctuation. A paper may get some reviews by
    id and others by title. If no reviews name a paper, they are matched by order, and the counts must be equal.

    Args:
        papers: records with ``id``, and with ``title``, ``doi`` and ``arxiv`` if known.

    Raises:
        InputFault: kind ``reviews-mismatch``: some reviews name a paper and others do not, the counts differ, an id is
            not unique, a title that would match reviews occurs twice, or no review matches any paper.
    """
    named = [one for one in given if one.paper is not None]
    if not named:
        if len(given) != len(papers):
            counts = f"reviews of {len(given)} paper(s) for {len(papers)}"
            raise InputFault(f"{counts}: they name no paper, so the counts must agree", kind="reviews-mismatch")
        return list(given), []
    if len(named) < len(given):
        raise InputFault("some reviews name their paper and others do not", kind="reviews-mismatch")
    return _by_name(papers, named)


def _by_name(papers: Sequence[Record], named: Sequence[Given]) -> tuple[list[Given | None], list[Record]]:
    for what, keys in (
        ("papers", [paper["id"] for paper in papers]),
        ("lists of reviews", [one.paper for one in named]),
    ):
        if twice := [one for one, count in Counter(map(_comparable_id, keys)).items() if count > 1]:
            raise InputFault(f'two {what} have the id "{twice[0]}"', kind="reviews-mismatch")
    by_id = {_comparable_id(one.paper): one for one in named}
    found = [[one] if (one := by_id.get(_comparable_id(paper["id"]))) else [] for paper in papers]
    joined = {id(one) for lists in found for one in lists}
    places = _places_of_ids(papers)
    for one in named:
        place = places.get(_base_id(one.paper))
        if id(one) not in joined and place is not None and _is_of_another_kind(one, found[place]):
            found[place].append(one)
            joined.add(id(one))
    open_lists = [one for one in named if id(one) not in joined]
    for place, one in _by_title(papers, open_lists):
        if not _has_title_alone(one) and not _is_of_another_kind(one, found[place]):
            continue
        found[place].append(one)
        joined.add(id(one))
    if papers and not joined:
        names = ", ".join(f'"{one.paper}"' for one in named[:3])
        ids = ", ".join(f'"{paper["id"]}"' for paper in papers[:3])
        reason = f"no paper has an id or title of the reviews, such as {names}: the papers have the ids {ids}"
        raise InputFault(f"{reason}, from the names of their files", kind="reviews-mismatch")
    left = (one for one in named if id(one) not in joined)
    return [_as_one(lists) if len(lists) > 1 else next(iter(lists), None) for lists in found], [
        new_warning("reviews-without-paper", f'{len(one.reviews)} review(s) of "{one.paper}"') for one in left
    ]


def _by_title(papers: Sequence[Record], named: Sequence[Given]) -> list[tuple[int, Given]]:
    """Indices of papers, each with the reviews that have its title."""
    titles = {title: one for one in named if (title := _squash_title(one.title))}
    found = [
        (place, title) for place, paper in enumerate(papers) if (title := _squash_title(paper.get("title"))) in titles
    ]
    wanted = {title for _, title in found}
    for what, keys in (
        ("papers", [title for _, title in found]),
        ("lists of reviews", [title for one in named if (title := _squash_title(one.title)) in wanted]),
    ):
        if twice := [title for title, count in Counter(keys).items() if count > 1]:
            reason = f'two {what} have the title "{titles[twice[0]].title}": give the papers ids that the reviews name'
            raise InputFault(reason, kind="reviews-mismatch")
    return [(place, titles[title]) for place, title in found]


def _places_of_ids(papers: Sequence[Record]) -> dict[str, int]:
    """Index of the paper for each id, DOI and arXiv id (without version) that only one paper has."""
    found: dict[str, set[int]] = {}
    for place, paper in enumerate(papers):
        for one in (paper["id"], paper.get("doi"), paper.get("arxiv")):
            if one is not None:
                found.setdefault(_base_id(one), set()).add(place)
    return {name: places.pop() for name, places in found.items() if len(places) == 1}


def _is_of_another_kind(one: Given, others: Sequence[Given]) -> bool:
    """Whether no other list names the paper by an id of the same kind, which would mean another paper."""
    return all(_kind_of_id(one.paper) != _kind_of_id(other.paper) for other in others)


def _kind_of_id(paper: Any) -> str | None:
    """The kind of an id: "doi", "arxiv", or None for forum ids, file names and titles."""
    name = _comparable_id(paper)
    return "arxiv" if arxiv_number(name) else "doi" if _DOI.fullmatch(name) else None


def _base_id(paper: Any) -> str:
    """The normalised id (see :func:`_comparable_id`), without the version of an arXiv id."""
    name = _comparable_id(paper)
    return found[0] if (found := arxiv_number(name)) else name


def _comparable_id(paper: Any) -> str:
    """Normalise an id for comparison: drop folder and extension of a file name; one spelling of DOIs and arXiv ids."""
    name = str(paper).replace("\\", "/").strip()
    word = _ENDINGS.sub("", _PREFIX.sub("", name, count=1) if _PREFIX.match(name) else name)
    for part in (word, word.rpartition("/")[2]):
        if (number := arxiv_number(part)) or _DOI.fullmatch(part):
            return "".join(number) if number else part.replace("/", "_").casefold()
    return word.rpartition("/")[2]


def _squash_title(title: Any) -> str:
    return re.sub(r"[\W_]+", "", title).casefold() if isinstance(title, str) else ""


def _parse_json(text: str) -> Any:
    """The JSON of the file, or of its lines as a list, or a list with the text itself if it does not begin like JSON.

    Raises:
        InputFault: kind ``not-json``; for JSON lines the reason names the line.
    """
    if text.lstrip()[0] not in "[{":
        told = None if looks_like(text.encode()) else kind_of(text.encode()).replace("plain text", "control characters")
        if told is None and (other := other_text_of(text.encode())) not in _MAYBE_REVIEWS:
            told = other
        if told is not None:
            raise InputFault(f"reviews: {told}: {_NEEDED}", kind="not-json")
        return [text.strip()]
    try:
        return io.loads(text)
    except (ValueError, RecursionError):
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    values = []
    for number, line in lines:
        try:
            values.append(io.loads(line))
        except (ValueError, RecursionError):
            raise InputFault(f"reviews: neither JSON nor JSON lines: see line {number}", kind="not-json") from None
    return values


def _parse_papers(value: Any) -> list[Given]:
    """The reviews by paper from a value of any accepted shape: see :func:`read`.

    Raises:
        InputFault: the value has another shape.
    """
    if isinstance(value, dict) and isinstance(value.get("notes"), list):
        value = value["notes"]
    if notes := list(openreview.notes_in(value)):
        return openreview.of_notes(notes)
    if isinstance(value, dict):
        return plain.of_object(value)
    if value and all(isinstance(one, list) for one in value):
        return [Given(None, [plain.parse_review(one) for one in reviews]) for reviews in value]
    return plain.of_list(value)


def _give_ids(given: Given) -> None:
    """Give ids to reviews without one, and new ids to repeated ones: ids become unique within the paper."""
    taken = {review["id"] for review in given.reviews}
    used: set[str] = set()
    for index, review in enumerate(given.reviews, 1):
        wanted = review["id"] or f"r{index}"
        name, count = wanted, 1
        while name in used or (name != review["id"] and name in taken):
            count += 1
            name = f"{wanted}-{count}"
        used.add(name)
        review["id"] = name
