"""Send parts to a provider as batches, and write the replies to the same files as for ``batch_file``.

Each batch is recorded before it is sent. A run that is killed at any time finds its batches again: none is sent twice,
and none is lost.
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

# First and longest interval in seconds between checks of batches.
_FIRST_LOOK, _LONGEST_LOOK = 0.5, 300.0
# Pauses in seconds before a missing batch, or incomplete replies, are requested again. All attempts are made in one
# check: a command that does not wait has no other, and its later invocations do not know of earlier attempts.
_LOOKS_AGAIN = (0.5, 1.5)
# Maximum number of lines per question in the files of replies.
_MOST_LINES = 100
_RUN_AGAIN = "what was sent is recorded: run the same command again"
# Error codes of providers for a part that exceeds a current limit.
_TOO_MUCH = ("token_limit_exceeded", "request_limit_exceeded", "too_many_tasks")
_LIVE = (TO_SEND, SENT, FETCHED)


class Courier:
    """Sends the parts of a run, and fetches their replies; for one thread at a time."""

    def __init__(
        self, settings: Settings, connect: Callable[[], Endpoint], batches: Batches,
        tell: Callable[[str], None], run: str,
    ) -> None:  # fmt: skip
        """Nothing is sent yet.

        Args:
            settings: for the model and ``max_wait``.
            connect: opens the connections, when they are first needed.
            tell: receives messages for the user.
            run: id of the run.
        """
        self._model, self._max_wait = settings.model, settings.max_wait
        self._connect, self._batches, self._tell, self._run = connect, batches, tell, run
        self._endpoint: Endpoint | None = None
        self._told: set[str] = set()
        self._pause = 0.0
        self._refused_since: float | None = None

    @property
    def live(self) -> list[Sent]:
        """Batches that are to be sent, or of which the provider still has data."""
        return [sent for sent in self._batches.sent(self._run) if sent.state in _LIVE]

    @property
    def waiting(self) -> list[Sent]:
        """Batches that are to be sent, or whose replies have not been fetched."""
        return [sent for sent in self.live if sent.state != FETCHED]

    def spent(self) -> tuple[float, int]:
        """USD spent or reserved since the start of the run, and number of requests sent or to be sent."""
        counted = [sent for sent in self._batches.sent(self._run) if sent.state != REFUSED]
        spent = usd(*(sent.reserved if sent.cost is None else sent.cost for sent in counted))
        return spent, sum(sent.lines for sent in counted)

    def most_lines(self, most: int) -> int:
        """Maximum number of lines of a part: ``most``, or half of the shortest part that was refused as too large."""
        sent_before = self._batches.sent(self._run)
        refused = [sent.lines for sent in sent_before if sent.state == REFUSED and sent.told in _TOO_MUCH]
        return max(1, min([most, *(lines // 2 for lines in refused)]))

    def note_part(self, part: Part, lines: int, reserved: float) -> None:
        """Record that a part is to be sent."""
        self._note(Sent("", self._run, part.id, self._model, "", TO_SEND, lines, reserved, None, 0.0, None, None, None))

    def begin_probe(self, kind: str, most: float) -> Sent:
        """Record that a single request of a kind is about to be sent directly, for ``most`` USD at most."""
        return self._note(Sent("", self._run, "", self._model, "", PROBE, 1, most, None, 0.0, None, None, kind))

    def end_probe(self, probe: Sent, cost: float, refusal: str | None = None) -> None:
        """Record the cost of a direct request and, if its kind is refused, the reason."""
        self._batches.note_sent(probe._replace(cost=cost, file=refusal))

    def drop_probe(self, probe: Sent) -> None:
        """Record that a direct request was not processed."""
        self._batches.note_sent(probe._replace(state=REFUSED))

    def probed(self) -> dict[str, str | None]:
        """The kinds of which a request has been sent directly, each with the reason if it is refused, or None."""
        return {str(sent.told): sent.file for sent in self._probes() if sent.cost is not None}

    def uncertain(self) -> float:
        """Maximum USD for direct requests of invocations that ended before they recorded the cost."""
        return usd(*(sent.reserved for sent in self._probes() if sent.cost is None))

    def _probes(self) -> list[Sent]:
        return [sent for sent in self._batches.sent(self._run) if sent.state == PROBE]

    def note_cost(self, part: Part, cost: float | None) -> None:
        """Record the cost of the replies to a part; None if unknown."""
        for sent in self._batches.sent(part.run):
            if sent.part == part.id and sent.state != REFUSED:
                self._batches.note_sent(sent._replace(cost=cost))

    def go(self, *, sends: bool = True) -> None:
        """Send new batches, check the batches that have been sent, and fetch available replies.

        Args:
            sends: whether new batches are sent.

        Raises:
            ModelFault: the provider rejects a request for good, or a requested pause or the time of refusals exceeds
                ``max_wait``.
        """
        parts = {part.id: part for part in self._batches.parts(self._run)}
        begun, refusals, has_moved = time.monotonic(), [], False
        self._pause = 0.0
        for sent in self.live:
            if sent.state == TO_SEND and not sends:
                continue
            try:
                self._move(sent, parts.get(sent.part))
                has_moved = has_moved or sent.state != FETCHED  # deletion ignores refusals
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
        """Raise ModelFault if a requested pause, or the time of refusals, exceeds ``max_wait``."""
        if error.pause is not None and error.pause > self._max_wait:
            raise pause_fault(error, self._max_wait, _RUN_AGAIN)
        refused = 0.0 if self._refused_since is None else time.monotonic() - self._refused_since
        if refused > self._max_wait:
            raise refused_fault(error, refused, self._max_wait, _RUN_AGAIN)

    def wait(self, seconds: float, others_wait: Callable[[], bool]) -> bool:
        """Wait at most ``seconds`` until all replies are fetched; return whether they are.

        Args:
            others_wait: returns whether other runs still wait for replies; used if this run waits for none.

        Raises:
            ModelFault: as :meth:`go`.
        """
        until, pause = time.monotonic() + seconds, _FIRST_LOOK
        goes_on = (lambda: bool(self.waiting)) if self.waiting else others_wait
        try:
            while goes_on():
                left = until - time.monotonic()
                if left <= 0:
                    return False
                if self._refused_since is not None:  # the last check is at the end of max_wait
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
        """Cancel a batch. A lost batch is recorded as refused, so that its requests are sent again."""
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
        """Advance a batch by one step."""
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
        if sent.address:  # an earlier attempt may have reached the provider
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
        """Status of a batch.

        Raises:
            ModelFault: the batch or its files are not found; to send its requests again might pay for them twice.
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
        """Record that no request of a part was processed, so that they are sent in another part."""
        self._batches.note_sent(sent._replace(state=REFUSED, told=why))
        for part in self._batches.parts(sent.run):
            if part.id == sent.part:
                self._batches.drop_part(part)

    def _fetch(self, endpoint: Endpoint, sent: Sent, part: Part, told: Told) -> None:
        """Write the replies to the file in which they are expected."""
        target = Path(f"{part.replies}.part")
        for _ in _looks():
            found = _download(endpoint, told, part, target, most=_MOST_LINES * sent.lines)
            if len(found) >= (told.lines or 0):
                break
        if found and not self._batches.asks(part, found):
            rejected = ",".join(filter(None, (sent.file, told.remote)))  # not ours: it was chosen by its size
            self._batches.note_sent(sent._replace(state=TO_SEND, remote=None, file=rejected))
            target.unlink()
            return
        target.rename(part.replies)
        sent = sent._replace(state=FETCHED, told=told.status)
        self._batches.note_sent(sent)
        self._forget(endpoint, sent, told)

    def _forget(self, endpoint: Endpoint, sent: Sent, told: Told | None) -> None:
        """Delete the data of a batch at the provider, once its replies are recorded as fetched."""
        try:
            endpoint.forget(sent, told or endpoint.look(str(sent.remote)))
        except NotThere:
            pass
        except (Transient, ScholartoolsError) as error:  # e.g. the key has no permission to delete
            self._tell_once(f"files are still at the provider ({error.reason}); `st-cache batch collect` deletes them")
            return
        self._batches.note_sent(sent._replace(state=OVER))

    def _tell_once(self, message: str) -> None:
        if message not in self._told:
            self._told.add(message)
            self._tell(message)


def _looks() -> Iterator[None]:
    """Yield once immediately, and once after each pause of ``_LOOKS_AGAIN``."""
    yield
    for pause in _LOOKS_AGAIN:
        time.sleep(pause)
        yield


def _download(endpoint: Endpoint, told: Told, part: Part, target: Path, *, most: int) -> list[bytes]:
    """Write the replies of a batch to a file, without secrets; return the keys of the requests that they answer.

    Args:
        most: maximum number of lines; a file without end would fill the disk.
    """
    redactor = current_redactor()
    try:
        with target.open("wb") as file:
            for number, line in enumerate(endpoint.replies(told, part.path)):
                if number >= most:
                    reason = f"the replies of the batch {told.remote} have more than {most:,} lines: they were not read"
                    raise ModelFault(reason, kind="batch")
                text = redactor.reply(line.decode(errors="surrogateescape"))
                file.write(text.encode(errors="surrogateescape"))
            file.flush()
            os.fsync(file.fileno())
        return [answer.key for answer in answers_in(target) if answer is not None]
    except NotThere:
        raise Transient(f"the provider has no replies of the batch {told.remote}") from None
    except OSError as error:
        raise ModelFault(f"{target}: {error.strerror}", kind="batch") from None
