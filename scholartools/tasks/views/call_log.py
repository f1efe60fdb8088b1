"""Render the model calls of a run: requests and replies by record, with costs, follow-up requests and errors."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

from scholartools.cache import Cache, Entry, Reply
from scholartools.cache.bundle import keys_of
from scholartools.cache.replies import fault_of
from scholartools.cache.request import call_key
from scholartools.cache.statements import LAST_SECOND
from scholartools.errors import ModelFault
from scholartools.parameters import parameter
from scholartools.records import Record, name_of, read
from scholartools.secrets import current_redactor
from scholartools.tasks.views.article import Article, Table
from scholartools.tasks.views.describing import UNDEFINED, Links, Node, as_number, facts
from scholartools.tasks.views.paper_pages import Pages
from scholartools.tasks.views.templates import environment
from scholartools.wording import count_of


class Group(NamedTuple):
    """A filter for exchanges: CSS class, letter, heading, and description of an exchange."""

    name: str
    letter: str
    heading: str
    told: str = ""


ANSWERED = Group("answered", "A", "Answered at once", "answered at once")
AGAIN = Group("sent-again", "T", "Sent several times", "a reply could not be used, and the call was sent again")
SECOND = Group("second", "Q", "Second questions", "the model was told what was wrong and asked a second time")
FAILED = Group("failed", "F", "Failed", "no usable answer")
OUTCOMES = (ANSWERED, AGAIN, SECOND, FAILED)


class Shown(NamedTuple):
    """A reply as displayed."""

    text: str
    about: str
    fault: str | None


class Turn(NamedTuple):
    """A call of an exchange: its new messages, the settings, and all replies in order."""

    key: str
    messages: list[tuple[str, str]]
    settings: list[tuple[str, Node]]
    replies: list[Shown]


class Exchange(NamedTuple):
    """A request with its follow-up, if any; ``turns`` are empty if the cache has no reply."""

    anchor: str
    number: int
    outcome: Group
    group: Group
    prompt: str
    about: str
    turns: list[Turn]


class Step(NamedTuple):
    """The exchanges of a command on one record."""

    heading: str
    model: str
    exchanges: list[Exchange]


@dataclass
class Sums:
    """Totals over the exchanges of one prompt and model; a call shared by several records counts once."""

    exchanges: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    replies: int = 0
    sent: int = 0
    received: int = 0
    cost: float = 0.0
    unpriced: int = 0
    seconds: list[float] = field(default_factory=list)

    def add(self, reply: Reply) -> None:
        """Add a reply; stored failures are skipped."""
        if fault_of(reply) is not None:
            return
        self.replies += 1
        self.sent += reply.prompt_tokens or 0
        self.received += reply.completion_tokens or 0
        self.cost += reply.cost or 0.0
        self.unpriced += reply.cost is None
        self.seconds.append(reply.latency)

    def costs(self) -> list[tuple[str, str]]:
        """Costs of the replies as table cells with notes."""
        price = f"no price is known of {count_of(self.unpriced, 'reply', 'replies')}" if self.unpriced else ""
        cost = UNDEFINED if self.replies == self.unpriced else as_number(self.cost, 6)
        times = [statistics.median(self.seconds), max(self.seconds)] if self.seconds else [None, None]
        return [
            *((str(n), "") for n in (self.replies, self.sent, self.received)),
            (cost, price),
            *((as_number(seconds, 2), "") for seconds in times),
        ]

    def cells(self) -> list[tuple[str, str]]:
        """Outcomes of the exchanges and costs as table cells."""
        ended = [self.exchanges, *(self.outcomes[outcome.name] for outcome in OUTCOMES)]
        return [*((str(n), "") for n in ended), *self.costs()]


COSTS = ["replies", "tokens sent", "tokens received", "USD", "median seconds", "longest"]
_NO_REPLY = "the cache has no reply"
_COLUMNS = ["exchanges", *(outcome.heading.lower() for outcome in OUTCOMES), *COSTS]


def sum_up(cache: Cache, keys: Iterable[bytes]) -> tuple[dict[tuple[str, str], Sums], int]:
    """Costs of calls by prompt and model, and the number of calls without a cached reply."""
    sums: dict[tuple[str, str], Sums] = defaultdict(Sums)
    n_missing = 0
    for key in sorted(set(keys)):
        entries = replies_to(cache, key)
        n_missing += not entries
        for entry in entries:
            sums[entry.prompt, entry.request["model"]].add(entry.reply)
    return sums, n_missing


def replies_to(cache: Cache, key: bytes) -> list[Entry]:
    """All replies to a call, the one in use last; empty if the cache has none.

    Raises:
        ModelFault: the cache cannot be read.
    """
    try:
        return cache.every(key.hex())
    except ModelFault as fault:
        if fault.kind != "cache-miss":
            raise
        return []


def missing_note(cache: Cache, n: int) -> str:
    """Message on calls missing in the cache."""
    return f"{cache.place} has no reply to {count_of(n, 'call')} of these records: ST_CACHE names the cache of the run"


class CallLog(Pages):
    """Pages of the calls referenced by records, read from a cache; the items of a page are exchanges."""

    by_item = True

    def __init__(self, cache: Cache, size: int | None = None) -> None:
        """``size``: records per page of a folder; None: a single page."""
        super().__init__(size)
        self._cache = cache
        self._sums: dict[tuple[str, str], Sums] = defaultdict(Sums)
        self._prompts: dict[str, Group] = {}
        self._faults: Counter[tuple[str, str]] = Counter()
        self._seen: set[bytes] = set()
        self._n_missing = 0

    @property
    def kinds(self) -> list[Group]:
        """Filters by outcome, and by prompt if there are several."""
        return [*OUTCOMES, *(self._prompts.values() if len(self._prompts) > 1 else ())]

    def render(self, record: Record, anchor: str) -> Article:
        """Render the exchanges of a record, by step.

        Raises:
            InputFault: a call key is invalid, or ``provenance`` or ``errors`` are malformed.
        """
        steps, errors = read(record, "provenance") or (), read(record, "errors") or ()
        # parse before counting, so that rejected records do not count
        title = clean(read(record, "title") or name_of(record, "id") or "Untitled")
        reasons = {key: error["reason"] for error in errors for key in keys_of(error)}
        named: dict[tuple[str, str], list[bytes]] = {}
        for step in steps:
            named.setdefault((worker_of(step), clean(step.get("model") or "")), []).extend(keys_of(step))
        for error in errors:  # a step that failed completely has no provenance
            worker = worker_of(error)
            place = next((one for one in named if one[0] == worker), (worker, ""))
            known = {key for keys in named.values() for key in keys}
            named.setdefault(place, []).extend(key for key in keys_of(error) if key not in known)
        shown, n_missing, number = [], self._n_missing, 1
        for (worker, model), keys in named.items():
            made = [self._exchange(chain, reasons, anchor, number + at) for at, chain in enumerate(self._chains(keys))]
            number += len(made)
            if made:
                shown.append(Step(worker, model, made))
        for error in errors:
            self._faults[worker_of(error), f"{error['kind']}: {clean(error['reason'])}"] += 1
        missing = self._n_missing - n_missing
        problems = [f"{count_of(missing, 'call')}: {_NO_REPLY}"] if missing else []
        groups = [(one.outcome, one.group) for step in shown for one in step.exchanges]
        counts = Counter(group.heading for pair in groups for group in pair)
        html = environment().get_template("calls.html").render(
            anchor=anchor, title=title, id=None if record.get("id") is None else clean(record["id"]), steps=shown,
            errors=[(worker_of(error), clean(error["reason"])) for error in errors], n=len(groups),
        )  # fmt: skip
        return Article(anchor, title, "", "", "", dict(counts), len(errors), problems, html)

    def tables(self) -> list[Table]:
        """Totals by prompt and model, and errors by command and reason."""
        rows = [(clean(f"{prompt}, {model}"), sums.cells()) for (prompt, model), sums in sorted(self._sums.items())]
        faults = sorted(self._faults.items(), key=lambda one: (-one[1], one[0]))
        errors = [(f"{worker}: {reason}", [(str(n), "")]) for (worker, reason), n in faults]
        made = [
            Table("Exchanges by prompt and model; replies, tokens and costs of each call once", _COLUMNS, rows),
            Table("Errors by command and reason", ["records"], errors),
        ]
        return [table for table in made if table.rows]

    def notes(self) -> Iterator[str]:
        """Notes for the user; missing calls are summarised in one."""
        if self._n_missing:
            yield missing_note(self._cache, self._n_missing)
        if self._index and not any(article.counts for article in self._index):
            yield f"no record names a call of a model: were the records made with {parameter('model')}?"
        yield from (note for note in super().notes() if _NO_REPLY not in note)

    def _chains(self, keys: list[bytes]) -> Iterator[list[tuple[bytes, list[Entry]]]]:
        """Group calls with their follow-ups; each with all replies, the one in use last."""
        found: dict[bytes, list[Entry]] = {}
        for key in dict.fromkeys(keys):
            found[key] = replies_to(self._cache, key)
            self._n_missing += not found[key]
        after: dict[bytes, bytes] = {}
        for key, entries in found.items():
            before = _before(entries[0]) if entries else None
            if before in found:
                after.setdefault(before, key)
        later = set(after.values())
        for key in found:
            chain = [key] if key not in later else []
            while chain and chain[-1] in after:
                chain.append(after[chain[-1]])
            if chain:
                yield [(one, found[one]) for one in chain]

    def _exchange(
        self, chain: list[tuple[bytes, list[Entry]]], reasons: Mapping[bytes, str], anchor: str, number: int
    ) -> Exchange:
        """The exchange of a chain of calls; calls seen for the first time are added to the totals."""
        known = [entry for _, entries in chain for entry in entries]
        reason = next((reasons[key] for key, _ in chain if key in reasons), None)
        if not known:
            told = _NO_REPLY + (f"; {clean(reason)}" if reason else "")
            group = self._group_of("unknown")
            return Exchange(f"{anchor}-{number}", number, FAILED, group, chain[0][0].hex(), told, [])
        last = chain[-1][1]
        usable = bool(last) and last[-1].reply.is_usable
        several = any(len(entries) > 1 for _, entries in chain)
        outcome = SECOND if len(chain) > 1 else AGAIN if several else ANSWERED
        outcome = outcome if usable and reason is None else FAILED
        sums = self._sums[known[0].prompt, known[0].request["model"]]
        sums.exchanges += 1
        sums.outcomes[outcome.name] += 1
        for key, entries in chain:
            for entry in entries if key not in self._seen else ():
                sums.add(entry.reply)
            self._seen.add(key)
        about = f"{outcome.told}: {clean(reason)}" if reason else outcome.told
        turns, n_before = [], 0
        for key, entries in chain:
            if entries:
                turns.append(_turn(key, entries, n_before))
                n_before = len(entries[0].request["messages"]) + 1  # the reply has been shown already
        group = self._group_of(known[0].prompt)
        return Exchange(f"{anchor}-{number}", number, outcome, group, clean(known[0].prompt), about, turns)

    def _group_of(self, prompt: str) -> Group:
        number = len(self._prompts) + 1
        return self._prompts.setdefault(prompt, Group(f"prompt-{number}", f"P{number}", f"Prompt {clean(prompt)}"))


def worker_of(entry: Mapping[str, Any]) -> str:
    """Command and task of an entry of "provenance" or "errors"."""
    return " ".join(filter(None, (entry["command"], entry.get("task"))))


def _before(entry: Entry) -> bytes | None:
    """Key of the call to which a request is a follow-up; None for initial requests."""
    messages = entry.request["messages"]
    if len(messages) < 3 or messages[-2].get("role") != "assistant":
        return None
    return call_key({**entry.request, "messages": messages[:-2]})


def _turn(key: bytes, entries: list[Entry], n_before: int) -> Turn:
    request = entries[0].request
    messages = [(str(one.get("role")), clean(_text_of(one.get("content")))) for one in request["messages"][n_before:]]
    settings = {name: value for name, value in request.items() if name not in ("messages", "model")}
    if isinstance(form := settings.get("response_format"), dict):  # st-cache show displays the full schema
        settings["response_format"] = form.get("type")
    return Turn(
        key.hex(), messages, [] if n_before else facts(settings, Links()), [_show(entry.reply) for entry in entries]
    )


def _text_of(content: Any) -> str:
    """Text of a message; for images, the hash."""
    if not isinstance(content, list):
        return str(content)
    parts = [part.get("text") or part.get("image_url") or part for part in content]
    return "\n".join(str(part.get("url", part)) if isinstance(part, dict) else str(part) for part in parts)


def _show(reply: Reply) -> Shown:
    fault = fault_of(reply)
    if fault is not None:
        return Shown("", _time_of(reply), f"no reply came: {clean(fault[1])}")
    known = [
        f"{_number(reply.prompt_tokens)} tokens sent, {_number(reply.completion_tokens)} received",
        "price unknown" if reply.cost is None else f"{as_number(reply.cost, 6)} USD",
        f"{as_number(reply.latency, 2)} s",
        f"ended by {reply.finish!r}",
        reply.origin and f"from {reply.origin}",
        _time_of(reply),
    ]
    why = reply.defect or (reply.refusal and f"refused: {reply.refusal}")
    if not reply.is_usable:
        why = why or (f"not whole ({reply.finish})" if reply.text.strip() else "empty")
    return Shown(clean(reply.text), clean(", ".join(filter(None, known))), why and clean(why))


def _number(n: int | None) -> str:
    return UNDEFINED if n is None else str(n)


def _time_of(reply: Reply) -> str:
    return f"{datetime.fromtimestamp(reply.time, UTC):%Y-%m-%d %H:%M:%S} UTC" if 0 < reply.time <= LAST_SECOND else ""


def clean(text: Any) -> str:
    """Redact secrets of this environment, which prompts and replies of another run may contain."""
    return current_redactor().reply(str(text))
