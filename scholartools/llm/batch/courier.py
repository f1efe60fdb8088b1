"""Takes parts to a provider as batches, and brings their replies, into the same files as where others answer them.

What is about to be sent is written down before. A run that is killed at any moment finds its batches again: none is
sent twice, and none is forgotten.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from scholartools.cache.batches import (
    FETCHED,
    OVER,
    PROBE,
    REFUSED,
    SENT,
    TO_SEND,
    Batches,
    Part,
    Sent,
)
from scholartools.errors import ModelFault, ScholartoolsError, Terminated
from scholartools.llm.batch.endpoints import Endpoint, NotThere, Told
from scholartools.llm.batch.lines import answers_in
from scholartools.llm.faults import Transient, pause_fault, refused_fault
from scholartools.llm.settings import Settings
from scholartools.money import usd
from scholartools.pauses import clock_time
from scholartools.secrets import current_redactor
from scholartools.wording import count_of

# Seconds between looks at batches: the first time, and at most.
_FIRST_LOOK, _LONGEST_LOOK = 0.5, 300.0
# Seconds after which a batch that is not there, or replies of which some have not come, are looked for again. All looks
# are in one go: a command that does not wait has no other, and its later starts know nothing of them.
_LOOKS_AGAIN = (0.5, 1.5)
_RUN_AGAIN = "what was sent is recorded: run the same command again"
# What a provider says of a part that is too much for it at the time.
_TOO_MUCH = ("token_limit_exceeded", "request_limit_exceeded", "too_many_tasks")
_LIVE = (TO_SEND, SENT, FETCHED)


class Courier:
    """Sends the parts of runs, and fetches their replies; for one thread at a time."""

    def __init__(
        self, settings: Settings, connect: Callable[[], Endpoint], batches: Batches,
        tell: Callable[[str], None], run: str,
    ) -> None:  # fmt: skip
        """Send nothing yet.

        Args:
            settings: the model, and how long the provider may refuse all that is asked.
            connect: opens the connections, once they are needed.
            tell: is given what a person should know.
            run: whose parts they are.
        """
        self._model, self._max_wait = settings.model, settings.max_wait
        self._connect, self._batches, self._tell, self._run = connect, batches, tell, run
        self._endpoint: Endpoint | None = None
        self._told: set[str] = set()
        self._pause = 0.0
        self._refused_since: float | None = None

    @property
    def live(self) -> list[Sent]:
        """What is to be sent, or of which the provider has anything left."""
        return [sent for sent in self._batches.sent(self._run) if sent.state in _LIVE]

    @property
    def waiting(self) -> list[Sent]:
        """What is to be sent, or whose replies have not come."""
        return [sent for sent in self.live if sent.state != FETCHED]

    def spent(self) -> tuple[float, int]:
        """USD that are spent or may be by what is on its way, and questions sent, since the run began."""
        counted = [sent for sent in self._batches.sent(self._run) if sent.state != REFUSED]
        spent = usd(*(sent.reserved if sent.cost is None else sent.cost for sent in counted))
        return spent, sum(sent.lines for sent in counted)

    def most_lines(self, most: int) -> int:
        """How many lines a part may have, by what the provider refused."""
        sent_before = self._batches.sent(self._run)
        refused = [sent.lines for sent in sent_before if sent.state == REFUSED and sent.told in _TOO_MUCH]
        return max(1, min([most, *(lines // 2 for lines in refused)]))

    def note_part(self, part: Part, lines: int, reserved: float) -> None:
        """Write down that a part is to be sent."""
        self._note(Sent("", self._run, part.id, self._model, "", TO_SEND, lines, reserved, None, 0.0, None, None, None))

    def begin_probe(self, kind: str, most: float) -> Sent:
        """Write down that one question is about to be asked at once, which costs so much at most."""
        return self._note(Sent("", self._run, "", self._model, "", PROBE, 1, most, None, 0.0, None, None, kind))

    def end_probe(self, probe: Sent, cost: float, refusal: str | None = None) -> None:
        """Write down what a question that was asked at once has cost, and why its kind is refused, where it is."""
        self._batches.note_sent(probe._replace(cost=cost, file=refusal))

    def drop_probe(self, probe: Sent) -> None:
        """Write down that a question that was asked at once was not worked on."""
        self._batches.note_sent(probe._replace(state=REFUSED))

    def probed(self) -> dict[str, str | None]:
        """The kinds of which one question has been asked at once, and why they are refused, where they are."""
        return {str(sent.told): sent.file for sent in self._probes() if sent.cost is not None}

    def uncertain(self) -> float:
        """USD that questions may have cost that were asked at once by starts that ended before they knew."""
        return usd(*(sent.reserved for sent in self._probes() if sent.cost is None))

    def _probes(self) -> list[Sent]:
        return [sent for sent in self._batches.sent(self._run) if sent.state == PROBE]

    def note_cost(self, part: Part, cost: float | None) -> None:
        """Write down what the replies to a part have cost."""
        for sent in self._batches.sent(part.run):
            if sent.part == part.id and sent.state != REFUSED:
                self._batches.note_sent(sent._replace(cost=cost))

    def go(self, *, sends: bool = True) -> None:
        """Send what is to be sent, look at what has been, and fetch the replies that are there.

        Args:
            sends: whether anything is sent.

        Raises:
            ModelFault: the provider will answer nothing of this, or asks for a longer pause than the run may wait, or
                has refused all that was asked for as long.
        """
        parts = {part.id: part for part in self._batches.parts(self._run)}
        begun, refusals, has_moved = time.monotonic(), [], False
        self._pause = 0.0
        for sent in self.live:
            if sent.state == TO_SEND and not sends:
                continue
            try:
                self._move(sent, parts.get(sent.part))
                has_moved = has_moved or sent.state != FETCHED  # of which a refusal to delete is no matter
            except Transient as error:
                refusals.append(error)
                self._pause = max(self._pause, error.pause or 0.0)
            except ModelFault:
                raise
            except ScholartoolsError as error:
                raise ModelFault(error.reason, kind=error.kind) from None
        if has_moved:
            self._refused_since = None
        elif refusals and self._refused_since is None:
            self._refused_since = begun
        for refusal in refusals:
            self._check_patience(refusal)
            when = f" at {clock_time(refusal.pause)}" if refusal.pause else ""
            self._tell_once(f"{refusal.reason}; it is tried again{when}")

    def _check_patience(self, error: Transient) -> None:
        """Go on in spite of a refusal, or raise ModelFault where the run may not wait so long."""
        if error.pause is not None and error.pause > self._max_wait:
            raise pause_fault(error, self._max_wait, _RUN_AGAIN)
        refused = 0.0 if self._refused_since is None else time.monotonic() - self._refused_since
        if refused > self._max_wait:
            raise refused_fault(error, refused, self._max_wait, _RUN_AGAIN)

    def wait(self, seconds: float, others_wait: Callable[[], bool]) -> bool:
        """Wait until the replies to all that was sent are here, for so many seconds at most; whether they are.

        Args:
            others_wait: whether other runs wait for replies; they count where nothing was sent.

        Raises:
            ModelFault: they will not come, or nothing was answered for as long as the run may wait.
        """
        until, pause = time.monotonic() + seconds, _FIRST_LOOK
        goes_on = (lambda: bool(self.waiting)) if self.waiting else others_wait
        try:
            while goes_on():
                left = until - time.monotonic()
                if left <= 0:
                    return False
                if self._refused_since is not None:  # the last look is at the end of the patience
                    left = min(left, max(0.01, self._refused_since + self._max_wait - time.monotonic()))
                time.sleep(min(left, max(pause, self._pause)))
                pause = min(1.5 * pause, _LONGEST_LOOK)
                self.go()
        except (KeyboardInterrupt, Terminated, ModelFault):
            if names := [sent.remote for sent in self.waiting if sent.remote]:
                self._tell(
                    f"the provider still works on {count_of(len(names), 'batch', 'batches')}: {', '.join(names)}"
                )
            raise
        return True

    def cancel(self, sent: Sent) -> None:
        """Let a batch end; one that is lost is forgotten, so that its questions are asked anew."""
        endpoint = self._open(sent)
        try:
            if endpoint.look(str(sent.remote)).is_without_files:
                raise NotThere
            endpoint.cancel(str(sent.remote))
        except NotThere:
            self._refuse(sent, "not there")
        except Transient as error:
            raise ModelFault(error.reason, kind="provider") from None

    def close(self) -> None:
        """Close the connections."""
        if self._endpoint is not None:
            self._endpoint.close()

    def _note(self, sent: Sent) -> Sent:
        noted = sent._replace(id=secrets.token_hex(16), made=time.time())
        self._batches.note_sent(noted)
        return noted

    def _open(self, sent: Sent) -> Endpoint:
        if self._endpoint is None:
            self._endpoint = self._connect()
        if sent.address and sent.address != self._endpoint.address:
            reason = f"the batch {sent.remote} was sent to {sent.address}, but this run asks {self._endpoint.address}"
            raise ModelFault(reason, kind="endpoint")
        return self._endpoint

    def _move(self, sent: Sent, part: Part | None) -> None:
        """Take a batch one step on."""
        if part is None:  # it was dropped before it was sent
            self._batches.note_sent(sent._replace(state=REFUSED, told="dropped"))
            return
        endpoint = self._open(sent)
        if sent.state == FETCHED:
            self._forget(endpoint, sent, None)
        elif sent.state == TO_SEND:
            self._send(endpoint, sent, part)
        else:
            self._look(endpoint, sent, part)

    def _send(self, endpoint: Endpoint, sent: Sent, part: Part) -> None:
        if not part.path.exists():
            self._refuse(sent, "gone")
            return
        told = None
        if sent.address:  # an earlier try may have reached the provider
            known = {other.remote for other in self._batches.sent() if other.remote}
            told = endpoint.find(sent, known | set((sent.file or "").split(",")))
        if told is None:
            sent = sent._replace(address=endpoint.address)
            self._batches.note_sent(sent)

            def note(noted: Sent) -> None:
                nonlocal sent
                sent = noted
                self._batches.note_sent(noted)

            try:
                told = endpoint.begin(sent, part.path, note)
            except NotThere as gone:
                raise ModelFault(f"{endpoint.address} takes no batches: {gone}", kind="batch") from None
        self._batches.note_sent(sent._replace(state=SENT, remote=told.remote, told=told.status))

    def _look(self, endpoint: Endpoint, sent: Sent, part: Part) -> None:
        told = self._told_of(endpoint, str(sent.remote))
        if told.status != sent.told:
            sent = sent._replace(told=told.status)
            self._batches.note_sent(sent)
        if told.refusal is not None:
            self._take_refusal(endpoint, sent, told, told.refusal)
        elif told.has_ended:
            self._fetch(endpoint, sent, part, told)

    def _told_of(self, endpoint: Endpoint, remote: str) -> Told:
        """How far a batch is.

        Raises:
            ModelFault: what is paid for is not found: asking anew at once would pay for it twice.
        """
        for _ in _looks():
            try:
                told = endpoint.look(remote)
            except NotThere:
                reason = f"the provider knows no batch {remote}: is this the key of another account? If not,"
            else:
                if not told.is_without_files:
                    return told
                reason = f"the provider names no file with the replies of the batch {remote}. If that stays so,"
        advice = f"`st-cache batch cancel {remote}` removes it, and the next run sends its questions again"
        raise ModelFault(f"{reason} {advice}", kind="batch")

    def _take_refusal(self, endpoint: Endpoint, sent: Sent, told: Told, refusal: tuple[str, str]) -> None:
        code, words = refusal
        self._refuse(sent, code)
        with contextlib.suppress(NotThere, Transient, ScholartoolsError):
            endpoint.forget(sent, told)
        if code in _TOO_MUCH and sent.lines > 1:
            self._tell(f"the provider does not take {sent.lines} questions at once now ({words}): sending half")
            return
        raise ModelFault(f"the provider refused the batch {sent.remote}: {words}", kind="provider")

    def _refuse(self, sent: Sent, why: str) -> None:
        """Nothing of a part has been worked on: what it asks is asked in another."""
        self._batches.note_sent(sent._replace(state=REFUSED, told=why))
        for part in self._batches.parts(sent.run):
            if part.id == sent.part:
                self._batches.drop_part(part)

    def _fetch(self, endpoint: Endpoint, sent: Sent, part: Part, told: Told) -> None:
        """Write the replies into the file in which they are expected."""
        target = Path(f"{part.replies}.part")
        for _ in _looks():
            found = _download(endpoint, told, part, target)
            if len(found) >= (told.lines or 0):
                break
        if found and not self._batches.asks(part, found):
            rejected = ",".join(filter(None, (sent.file, told.remote)))  # it was taken for ours by its size
            self._batches.note_sent(sent._replace(state=TO_SEND, remote=None, file=rejected))
            target.unlink()
            return
        target.rename(part.replies)
        sent = sent._replace(state=FETCHED, told=told.status)
        self._batches.note_sent(sent)
        self._forget(endpoint, sent, told)

    def _forget(self, endpoint: Endpoint, sent: Sent, told: Told | None) -> None:
        """Delete what the provider keeps; that the replies are here is written down."""
        try:
            endpoint.forget(sent, told or endpoint.look(str(sent.remote)))
        except NotThere:
            pass
        except (Transient, ScholartoolsError) as error:  # such as a key that may not delete
            self._tell_once(f"files are still at the provider ({error.reason}); `st-cache batch collect` deletes them")
            return
        self._batches.note_sent(sent._replace(state=OVER))

    def _tell_once(self, message: str) -> None:
        if message not in self._told:
            self._told.add(message)
            self._tell(message)


def _looks() -> Iterator[None]:
    """One look at once, and others after pauses, for what has not come yet."""
    yield
    for pause in _LOOKS_AGAIN:
        time.sleep(pause)
        yield


def _download(endpoint: Endpoint, told: Told, part: Part, target: Path) -> list[bytes]:
    """Write the replies to a part into a file, without keys; the questions that they answer, whoever asked them."""
    redactor = current_redactor()
    try:
        with target.open("wb") as file:
            for line in endpoint.replies(told, part.path):
                text = redactor.reply(line.decode(errors="surrogateescape"))
                file.write(text.encode(errors="surrogateescape"))
            file.flush()
            os.fsync(file.fileno())
        return [answer.key for answer in answers_in(target) if answer is not None]
    except NotThere:
        raise Transient(f"the provider has no replies of the batch {told.remote}") from None
    except OSError as error:
        raise ModelFault(f"{target}: {error.strerror}", kind="batch") from None
