"""A prompt is a text, the shape of its reply and how a reply is verified; :func:`ask` is the only way to a model.

To declare a prompt: write ``prompts/NAME.txt``, a pydantic model of the reply, and ``Prompt("NAME", Reply)``.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import BaseModel

from scholartools import __version__
from scholartools.errors import ModelFault, ScholartoolsError, UsageFault
from scholartools.llm import replies
from scholartools.llm.engine import Engine
from scholartools.llm.replies import ReplyFault
from scholartools.llm.settings import Settings
from scholartools.records import Record, add_provenance
from scholartools.signature import signature

Reply = TypeVar("Reply", bound=BaseModel)
Result = TypeVar("Result")

_ROLE = re.compile(r"^\[(system|user)\]\s*$", re.M)
_SLOT = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True)
class Prompt(Generic[Reply]):
    """What to ask and how the reply must look.

    Attributes:
        name: of the file in ``prompts/``, without ``.txt``.
        reply: the model of the reply.

    The text has parts headed ``[system]`` and ``[user]``. ``{{name}}`` stands for an input; ``{{fence}}`` for a word
    that occurs in no input, to put around quoted text so that nothing in it can end the quotation; ``{{schema}}`` for
    the reply's JSON schema.
    """

    name: str
    reply: type[Reply]

    def text(self, folder: str | None) -> str:
        """The prompt's text, from ``folder`` where that has a file of its name.

        Raises:
            UsageFault: the folder does not exist or a file in it cannot be read.
        """
        return _text(self.name, folder)

    def digest(self, folder: str | None) -> str:
        """The first 16 hexadecimal digits of the SHA-256 of text and schema: part of the signature."""
        return _digest(self.text(folder), self.reply)

    def messages(
        self, inputs: Mapping[str, str], folder: str | None = None, images: Sequence[str] = ()
    ) -> list[dict[str, Any]]:
        """The prompt filled in, as chat messages; images (data URLs) go with the last one.

        Raises:
            UsageFault: the text has a slot that no input fills.
        """
        filled = {**inputs, "fence": _fence(inputs), "schema": _schema_text(self.reply)}
        parts = _parts(self.name, self.text(folder), tuple(inputs))
        messages: list[dict[str, Any]] = [{"role": role, "content": _filled(part, filled)} for role, part in parts]
        if images:
            text = {"type": "text", "text": messages[-1]["content"]}
            pictures = [{"type": "image_url", "image_url": {"url": url}} for url in images]
            messages[-1]["content"] = [text, *pictures]
        return messages


class Answer(NamedTuple, Generic[Result]):
    """What verification made of a reply, and the keys of the calls it took (two where it was asked once more)."""

    value: Result
    calls: list[str]
    repair: str | None


async def ask(
    engine: Engine,
    prompt: Prompt[Reply],
    inputs: Mapping[str, str],
    verify: Callable[[Reply], Result],
    *,
    sample: int = 0,
    images: Sequence[str] = (),
) -> Answer[Result]:
    """Ask, read the reply, verify it; once more with the reason where that fails.

    Args:
        verify: makes the result of a reply, or raises ReplyFault with what is wrong with it.

    Raises:
        ScholartoolsError: no usable reply; its ``details`` keep the raw one.
        ModelFault: the run must end.
    """
    schema = _schema_text(prompt.reply)
    messages = prompt.messages(inputs, engine.settings.prompt_dir, images)
    first = await engine.complete(prompt.name, messages, sample=sample, schema=schema)
    try:
        return _answer(engine, prompt, first.reply.text, verify, [first.key])
    except ReplyFault as fault:
        reason = fault.reason
    engine.counts.asked_again += 1
    more = [*messages, {"role": "assistant", "content": first.reply.text}, {"role": "user", "content": _again(reason)}]
    with after([first.key]):
        second = await engine.complete(prompt.name, more, sample=sample, schema=schema)
    try:
        return _answer(engine, prompt, second.reply.text, verify, [first.key, second.key])
    except ReplyFault as fault:
        engine.counts.failed += 1
        details = {"reply": second.reply.text, "calls": [first.key, second.key]}
        raise ScholartoolsError(f"reply not usable: {fault.reason}", kind="reply", details=details) from None


def _answer(
    engine: Engine, prompt: Prompt[Reply], text: str, verify: Callable[[Reply], Result], calls: list[str]
) -> Answer[Result]:
    reply, repair = replies.read(text, prompt.reply)
    value = verify(reply)
    engine.counts.repaired += repair is not None
    return Answer(value, calls, repair)


def _again(reason: str) -> str:
    return f"That reply cannot be used: {reason}. Reply again, with the JSON object alone."


def _fence(inputs: Mapping[str, str]) -> str:
    """A word made of the inputs' own hash: the same for the same inputs, and in none of them."""
    everything = "\0".join(inputs.values())
    digest = hashlib.sha256(everything.encode(errors="surrogatepass")).hexdigest()
    length = 8
    while (word := f"text-{digest[:length]}") in everything:
        length += 1
    return word


@functools.cache
def _text(name: str, folder: str | None) -> str:
    if folder is not None:
        if not Path(folder).is_dir():
            raise UsageFault(f"--prompt-dir {folder}: no such folder")
        own = Path(folder) / f"{name}.txt"
        if own.exists():
            try:
                return _checked(name, own.read_text(encoding="utf-8"))
            except (OSError, UnicodeDecodeError) as error:
                raise UsageFault(f"{own}: cannot be read as UTF-8 text: {error}") from None
    return _checked(name, (files("scholartools") / "prompts" / f"{name}.txt").read_text(encoding="utf-8"))


def _checked(name: str, text: str) -> str:
    if not _ROLE.search(text):
        raise UsageFault(f'prompt "{name}": no part headed [user] or [system]')
    return text


@functools.cache
def _parts(name: str, text: str, inputs: tuple[str, ...]) -> list[tuple[str, list[str]]]:
    """The parts of a prompt, each its role and its text cut at the slots (every second piece is a slot's name).

    Raises:
        UsageFault: an input has no slot, or a slot no input.
    """
    _, *parts = _ROLE.split(text)
    pieces = [_SLOT.split(part.strip()) for part in parts[1::2]]
    slots = {slot for part in pieces for slot in part[1::2]}
    if missing := set(inputs) - slots:
        raise UsageFault(f'prompt "{name}": {{{{{min(missing)}}}}} stands nowhere in its text')
    if unfilled := slots - {*inputs, "fence", "schema"}:
        raise UsageFault(f'prompt "{name}": nothing fills {{{{{min(unfilled)}}}}}')
    return list(zip(parts[::2], pieces))


def _filled(pieces: list[str], inputs: Mapping[str, str]) -> str:
    return "".join([inputs[piece] if index % 2 else piece for index, piece in enumerate(pieces)])


@functools.cache
def _digest(text: str, reply: type[BaseModel]) -> str:
    return hashlib.sha256(f"{text}\n{_schema_text(reply)}".encode()).hexdigest()[:16]


@functools.cache
def _schema_text(reply: type[BaseModel]) -> str:
    return json.dumps(reply.model_json_schema(), ensure_ascii=False)


async def together(questions: Sequence[Awaitable[Answer[Result]]]) -> list[Answer[Result]]:
    """The answers to several questions about one record, asked at once.

    All are waited for before one's fault is raised, so that no reply on its way is lost.
    """
    if len(questions) == 1:
        return [await questions[0]]
    answers = await asyncio.gather(*questions, return_exceptions=True)
    faults = [answer for answer in answers if isinstance(answer, BaseException)]
    for fault in sorted(faults, key=lambda fault: not isinstance(fault, ModelFault)):
        if isinstance(fault, ScholartoolsError) and not isinstance(fault, ModelFault):
            raise _naming(fault, [key for answer in answers for key in _calls(answer)]) from None
        raise fault
    return list(answers)  # type: ignore[arg-type]


@contextlib.contextmanager
def after(calls: Sequence[str]) -> Iterator[None]:
    """A question asked after others: its fault names their calls too, without which it cannot be replayed."""
    try:
        yield
    except ScholartoolsError as fault:
        raise _naming(fault, [*calls, *_calls(fault)]) from None


def json_lines(entries: Iterable[Mapping[str, Any]]) -> str:
    """One JSON object a line, to be quoted in a prompt: no text in one can pass for another entry."""
    return "\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries)


def _naming(fault: ScholartoolsError, calls: list[str]) -> ScholartoolsError:
    """The fault with the keys of all calls that were made; the fault itself may be other records' too."""
    if isinstance(fault, ModelFault) or not calls:
        return fault
    return type(fault)(fault.reason, kind=fault.kind, details={**fault.details, "calls": calls})


def _calls(answer: Answer | BaseException) -> list[str]:
    """The keys of the calls that an answer, or the want of one, took."""
    return answer.calls if isinstance(answer, Answer) else getattr(answer, "details", {}).get("calls", [])


def sign(
    engine: Engine, record: Record, command: str, prompts: Sequence[Prompt], answers: Sequence[Answer], inputs: str
) -> None:
    """Append to ``provenance`` how a model worked on a record, with the keys of the calls, by which they are exported.

    Args:
        inputs: the fingerprint of what was asked about.
    """
    (before, after), digests, parameters = _standing(engine.settings, command, tuple(prompts))
    add_provenance(record, command, __version__, before + inputs + after)
    calls = [key for answer in answers for key in answer.calls]
    record["provenance"][-1] |= {
        "model": engine.settings.model,
        "prompts": dict(digests),
        "parameters": dict(parameters),
        "calls": calls,
    }


@functools.lru_cache(maxsize=64)
def _standing(
    settings: Settings, command: str, prompts: tuple[Prompt, ...]
) -> tuple[list[str], dict[str, str], dict[str, Any]]:
    """What is the same for all records of a run: the signature around its input, the prompts' digests, parameters."""
    digests = {prompt.name: prompt.digest(settings.prompt_dir) for prompt in prompts}
    gap = "\0"  # in no option
    mark = signature(command, {**settings.signed(), "prompts": list(digests.values()), "input": gap})
    return mark.split(gap), digests, settings.parameters(0)
