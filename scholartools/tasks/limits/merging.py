"""Merge equivalent limitations of a paper and its reviews (BAGELS, section 3.2).

Nothing is rewritten: a merged limitation has all texts and spans of its members, in order.
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

#: On pairs of limitations by authors and reviewers in fixtures/limits-merge.jsonl (39 of 220 are equivalent), 0.55 has
#: a recall of 31% and a precision of 92%; 0.45 has 44% and 89%, 0.65 has 8% and 100%. The threshold is high because
#: longer items of one paper are similar: of pairs of different items of three sentences, one in four reaches 0.5, and
#: one in ten 0.6.
THRESHOLD = 0.55

# Larger than any cosine distance, which is at most 2.
_APART = 3.0
_ROWS = 256  # rows of distances computed at a time
#: Maximum number of texts clustered together. Linkage takes about 8 bytes per ordered pair (169 MB measured).
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
    """Group items by the cosine similarity of their embeddings: groups of two or more, and an error entry.

    Complete linkage: all pairs in a group reach the threshold, so that a chain of similar items does not join different
        ones. Limitations from the same text (section or review) are only merged if identical, since items that an
        author lists
    separately are meant as different.

    Returns:
        The groups; and an entry for ``errors`` if more than :data:`MOST_TOGETHER` texts are connected by similarity, in
            which case only identical ones of these are merged.

    Raises:
        UsageFault: the threshold is out of range, or the embedder is unknown.
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
    """Distances 1 - cosine of texts: 0 for equal words, :data:`_APART` for texts that share a source.

    Args:
        texts: distinct texts.
        sources: sections and reviews that contain each text.
    """

    def __init__(self, texts: Sequence[str], sources: Sequence[frozenset[str]], embedder: str | None) -> None:
        import numpy as np

        from scholartools.text.embeddings import sentence

        made = sentence.embedder(embedder)
        self._kinds, kinds = _number(sources)
        self._words, _ = _number([tuple(text.casefold().split()) for text in texts])
        self._is_shared = np.array([[bool(one & other) for other in kinds] for one in kinds])
        pairs = np.any(~self._is_shared, axis=1)[self._kinds]
        # Texts that all come from one section cannot be merged, so they are not compared.
        self._compared = np.flatnonzero(pairs | (np.bincount(self._words)[self._words] > 1))
        self._alone = np.setdiff1d(np.arange(len(texts)), self._compared)
        self._rows = np.zeros(len(texts), dtype=int)
        self._rows[self._compared] = np.arange(len(self._compared))
        # The last digits of float32 products differ between processors.
        compared = [texts[one] for one in self._compared.tolist()]
        self._vectors = made.vectors(compared).astype(np.float64) if compared else np.zeros((0, 1))

    def between(self, some: ndarray, others: ndarray) -> ndarray:
        """Distances as an array (some, others)."""
        import numpy as np

        distances = np.round(1 - self._vectors[self._rows[some]] @ self._vectors[self._rows[others]].T, 6).clip(0)
        distances[self._is_shared[np.ix_(self._kinds[some], self._kinds[others])]] = _APART
        distances[self._words[some][:, None] == self._words[others]] = 0
        return distances

    def within(self, part: ndarray) -> ndarray:
        """Condensed distance matrix, computed without a square matrix in memory."""
        import numpy as np

        pairs, filled = np.empty(len(part) * (len(part) - 1) // 2), 0
        for start in range(0, len(part), _ROWS):
            rows = self.between(part[start : start + _ROWS], part[start:])
            for number, row in enumerate(rows, 1):
                pairs[filled : filled + len(row) - number] = row[number:]
                filled += len(row) - number
        return pairs

    def parts(self, limit: float) -> Iterator[ndarray]:
        """Connected components of the texts under the distance limit."""
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
    """Assign a number to each distinct value; also return the values by number."""
    import numpy as np

    numbers: dict[T, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values]), list(numbers)


def _cluster(part: ndarray, distances: ndarray, limit: float) -> Groups:
    """Complete-linkage clusters with distances up to the limit, from a condensed matrix."""
    from scipy.cluster.hierarchy import fcluster, linkage

    labels = fcluster(linkage(distances, method="complete"), limit, criterion="distance")
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for number, label in zip(part.tolist(), labels.tolist()):
        groups[label].append(number)
    return list(groups.values())


@functools.cache
def merging_prompt() -> Any:
    """The prompt to merge all limitations of a paper."""
    from scholartools.llm.prompts import Prompt

    return Prompt("limits-merge", Reply)


async def by_model(engine: Engine, items: Sequence[Record]) -> Answer[Groups]:
    """Like :func:`by_similarity`, by a model: one request with all items of a paper; none for fewer than two.

    Raises:
        ScholartoolsError: no usable reply; a usable one has known items, each in at most one group.
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
    """Merge the items of each group into one, with position and id of the first member."""
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
    """Members that add text not quoted by earlier members."""
    told = []
    quoted: defaultdict[str, _Widest] = defaultdict(_Widest)
    for member in members:
        if any([quoted[span["in"]].add(span["start"], span["end"]) for span in member["spans"]]):
            told.append(member)
    return told


class _Widest:
    """Sorted intervals without nesting, to test whether one contains a given interval."""

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []

    def add(self, start: int, end: int) -> bool:
        """Add an interval; returns whether no other contains it."""
        number = bisect_right(self.starts, start)
        if number > 0 and self.ends[number - 1] >= end:
            return False
        first, last = bisect_left(self.starts, start), bisect_right(self.ends, end)
        self.starts[first:last], self.ends[first:last] = [start], [end]
        return True


def _update_shares(item: Record, members: list[Record], becomes: dict[str, str]) -> Record:
    """Update the ids in ``shares`` after merging; the item's own id is removed."""
    shared = [other for member in members for other in member.get("shares", ())]
    if not shared:
        return item
    others = [other for other in dict.fromkeys(becomes.get(one, one) for one in shared) if other != item["id"]]
    kept = {key: value for key, value in item.items() if key != "shares"}
    return {**kept, "shares": others} if others else kept
