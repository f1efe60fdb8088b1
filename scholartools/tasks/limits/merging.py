"""Limitations that say the same, joined: of the paper and its reviews, or of several reviews (BAGELS, section 3.2).

Nothing is rewritten: a joined limitation has all texts and spans of its members, in their order.
"""

from __future__ import annotations

import functools
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from scholartools.errors import UsageFault
from scholartools.llm.replies import Closed
from scholartools.records import Record

if TYPE_CHECKING:
    from numpy import ndarray

    from scholartools.llm.answers import Answer
    from scholartools.llm.engine import Engine

#: On the pairs of author's and reviewer's limitations in fixtures/limits-merge.jsonl (39 of 220 say the same) 0.55
#: finds 31% of those that do, and 92% of what it joins does; 0.45 finds 44% (89% right), 0.65 finds 8% (all right).
#: It is that high because longer items of one paper resemble each other: of two different ones, of three sentences
#: each, one pair in four reaches 0.5, one in ten 0.6.
THRESHOLD = 0.55

# More than any distance between two vectors, which is 2 at most.
_APART = 3.0
_ROWS = 256  # of the distances that are made at once
#: Texts that one group may be sought among. Linkage holds about 8 bytes for each pair in order (169 MB measured here).
MOST_TOGETHER = 4000

T = TypeVar("T", bound=Hashable)

Groups = list[list[int]]


class Merging(NamedTuple):
    """Settings of the built-in method that decides which limitations have the same meaning.

    Attributes:
        threshold: minimum cosine similarity of any two limitations that are merged, from -1 to 1.
        embedder: name of the embedding model, as for :func:`scholartools.text.embeddings.sentence.embedder`.
    """

    threshold: float = THRESHOLD
    embedder: str | None = None


class Reply(Closed, extra="forbid"):
    """What a model is asked for: the numbers of items that say the same."""

    groups: list[list[int]]


def by_similarity(items: Sequence[Record], merging: Merging) -> tuple[Groups, Record | None]:
    """Places of items that say the same by the cosine of their embeddings, in groups of two and more, and what is left.

    Linkage is complete: in a group every two members are that similar, so that a chain does not join what differs.
    Two limitations of one text (a section, a review) are joined only where they are the same words: who lists two
    limitations one after the other means two, however much they resemble each other.

    Returns:
        The groups; then, where more than :data:`MOST_TOGETHER` texts hang together, each similar to a next one, an
        entry for ``errors``: of those only the ones of the very same text are joined.

    Raises:
        UsageFault: a threshold out of range, or no such embedder.
    """
    if not -1 <= merging.threshold <= 1:
        raise UsageFault(f"the threshold of merging is from -1 to 1, not {merging.threshold}")
    if len(items) < 2:
        return [], None
    limit = round(1 - merging.threshold, 6)
    alike: defaultdict[str, list[int]] = defaultdict(list)
    for place, item in enumerate(items):
        alike[item["text"]].append(place)
    places = list(alike.values())
    sources = [frozenset(span["in"] for place in one for span in items[place]["spans"]) for one in places]
    distances = _Distances(list(alike), sources, merging.embedder)
    groups: Groups = []
    unjoined = 0
    for part in distances.parts(limit):
        if len(part) > MOST_TOGETHER:
            unjoined += len(part)
        is_joined = 1 < len(part) <= MOST_TOGETHER
        clusters = _cluster(part, distances.within(part), limit) if is_joined else part[:, None].tolist()
        groups += (sorted(place for text in cluster for place in places[text]) for cluster in clusters)
    return sorted(group for group in groups if len(group) > 1), _describe_unjoined(unjoined)


def _describe_unjoined(count: int) -> Record | None:
    if not count:
        return None
    told = f"{count:,} limitations that resemble each other in a chain are not merged, for merging holds the square of"
    return {"reason": f"{told} their number in memory, up to {MOST_TOGETHER:,} together", "missing": count}


class _Distances:
    """1 - cosine of texts: 0 where two have the same words, else :data:`_APART` where they share a source.

    Args:
        texts: no two are the same.
        sources: the sections and reviews that each is in.
    """

    def __init__(self, texts: Sequence[str], sources: Sequence[frozenset[str]], embedder: str | None) -> None:
        import numpy as np

        from scholartools.text.embeddings import sentence

        made = sentence.embedder(embedder)
        self._kinds, kinds = _number(sources)
        self._words, _ = _number([tuple(text.casefold().split()) for text in texts])
        self._is_shared = np.array([[bool(one & other) for other in kinds] for one in kinds])
        pairs = np.any(~self._is_shared, axis=1)[self._kinds]
        # Of a list in one section no two are joined, however long it is: none is compared.
        self._compared = np.flatnonzero(pairs | (np.bincount(self._words)[self._words] > 1))
        self._alone = np.setdiff1d(np.arange(len(texts)), self._compared)
        self._rows = np.zeros(len(texts), dtype=int)
        self._rows[self._compared] = np.arange(len(self._compared))
        # Products of float32 differ in their last digits from processor to processor.
        compared = [texts[one] for one in self._compared.tolist()]
        self._vectors = made.vectors(compared).astype(np.float64) if compared else np.zeros((0, 1))

    def between(self, some: ndarray, others: ndarray) -> ndarray:
        """The distances, an array (some, others)."""
        import numpy as np

        distances = np.round(1 - self._vectors[self._rows[some]] @ self._vectors[self._rows[others]].T, 6).clip(0)
        distances[self._is_shared[np.ix_(self._kinds[some], self._kinds[others])]] = _APART
        distances[self._words[some][:, None] == self._words[others]] = 0
        return distances

    def within(self, part: ndarray) -> ndarray:
        """The distances of each pair once, in the order of a condensed matrix: no square of all is in memory."""
        import numpy as np

        pairs, filled = np.empty(len(part) * (len(part) - 1) // 2), 0
        for start in range(0, len(part), _ROWS):
            rows = self.between(part[start : start + _ROWS], part[start:])
            for number, row in enumerate(rows, 1):
                pairs[filled : filled + len(row) - number] = row[number:]
                filled += len(row) - number
        return pairs

    def parts(self, limit: float) -> Iterator[ndarray]:
        """The numbers of the texts, those together between which a chain of distances up to the limit leads."""
        import numpy as np

        first = np.arange(len(self._compared))
        for start in range(0, len(first), _ROWS):
            near = self.between(self._compared[start : start + _ROWS], self._compared) <= limit
            for row in near[near.sum(axis=1) > 1]:
                joined = np.unique(first[row])
                first[np.isin(first, joined)] = joined[0]
        for one in np.unique(first):
            yield self._compared[first == one]
        yield from self._alone[:, None]


def _number(values: Sequence[T]) -> tuple[ndarray, list[T]]:
    """A number for each value, the same for equal ones, and the values by number."""
    import numpy as np

    numbers: dict[T, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values]), list(numbers)


def _cluster(part: ndarray, distances: ndarray, limit: float) -> Groups:
    """The numbers in clusters whose members are all within the limit of each other, by their condensed distances."""
    from scipy.cluster.hierarchy import fcluster, linkage

    labels = fcluster(linkage(distances, method="complete"), limit, criterion="distance")
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for number, label in zip(part.tolist(), labels.tolist()):
        groups[label].append(number)
    return list(groups.values())


@functools.cache
def merging_prompt() -> Any:
    """The prompt that is given all limitations of one paper."""
    from scholartools.llm.prompts import Prompt

    return Prompt("limits-merge", Reply)


async def by_model(engine: Engine, items: Sequence[Record]) -> Answer[Groups]:
    """Like :func:`by_similarity`, as a model says: one question about all items of a paper, none if they are below two.

    Raises:
        ScholartoolsError: no usable reply: one that names items that are not there, or one item in two groups.
    """
    from scholartools.llm.answers import Answer
    from scholartools.llm.prompts import json_lines
    from scholartools.llm.task import ask

    if len(items) < 2:
        return Answer([], [], None)
    numbered = enumerate(items, 1)
    shown = json_lines({"number": number, "from": item["origin"], "text": item["text"]} for number, item in numbered)
    return await ask(engine, merging_prompt(), {"items": shown}, functools.partial(_verify_groups, len(items)))


def _verify_groups(count: int, reply: Reply) -> Groups:
    from scholartools.llm.replies import ReplyFault

    seen: set[int] = set()
    for number in (number for group in reply.groups for number in group):
        if not 1 <= number <= count:
            raise ReplyFault(f"there is no item {number}: the items are 1 to {count}")
        if number in seen:
            raise ReplyFault(f"item {number} stands there twice: an item belongs to one group at most")
        seen.add(number)
    groups = [sorted(number - 1 for number in group) for group in reply.groups if len(group) > 1]
    return sorted(groups)


def merge_groups(items: Sequence[Record], groups: Groups) -> list[Record]:
    """The items, those of a group as one in the place of its first member and under its id."""
    group_of = {group[0]: group for group in groups}
    inside = {place for group in groups for place in group[1:]}
    becomes = {items[place]["id"]: items[group[0]]["id"] for group in groups for place in group}
    made = []
    for place, item in enumerate(items):
        if place not in inside:
            members = [items[member] for member in group_of.get(place, [place])]
            made.append(_update_shares(_merge_items(members) if len(members) > 1 else item, members, becomes))
    return made


def _merge_items(members: list[Record]) -> Record:
    origins = {member["origin"] for member in members}
    told = _tell_once(members)
    titles = [member["title"] for member in members if member.get("title")]
    return {
        "id": members[0]["id"],
        "origin": origins.pop() if len(origins) == 1 else "both",
        "mode": "explicit" if any(member["mode"] == "explicit" for member in members) else "implicit",
        "by": members[0]["by"],
        "heading": next((member["heading"] for member in members if member["heading"]), None),
        **({"title": titles[0]} if titles else {}),
        "text": " ".join(member["text"] for member in told),
        "spans": [span for member in told for span in member["spans"]],
        "members": members,
    }


def _tell_once(members: Sequence[Record]) -> list[Record]:
    """Those of which not all that they quote is quoted by one before them: it would be there twice."""
    told = []
    quoted: defaultdict[str, _Widest] = defaultdict(_Widest)
    for member in members:
        if any([quoted[span["in"]].add(span["start"], span["end"]) for span in member["spans"]]):
            told.append(member)
    return told


class _Widest:
    """Places of which none lies in another, in order: a look at one of them says whether any holds a given place."""

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []

    def add(self, start: int, end: int) -> bool:
        """Add a place, and say whether it lies in none that is there."""
        number = bisect_right(self.starts, start)
        if number > 0 and self.ends[number - 1] >= end:
            return False
        first, last = bisect_left(self.starts, start), bisect_right(self.ends, end)
        self.starts[first:last], self.ends[first:last] = [start], [end]
        return True


def _update_shares(item: Record, members: list[Record], becomes: dict[str, str]) -> Record:
    """The item with the ids in ``shares`` that those items have after merging, its own left out."""
    shared = [other for member in members for other in member.get("shares", ())]
    if not shared:
        return item
    others = [other for other in dict.fromkeys(becomes.get(one, one) for one in shared) if other != item["id"]]
    kept = {key: value for key, value in item.items() if key != "shares"}
    return {**kept, "shares": others} if others else kept
