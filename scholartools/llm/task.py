"""A prompt is a text, the shape of its reply and how a reply is verified; :func:`ask` is the only way to a model.

To declare a prompt: write ``prompts/NAME.txt``, a pydantic model of the reply, and ``Prompt("NAME", Reply)``.

A record is asked about in parts (its items, passages, votes, systems), and one reply that cannot be used costs one
part, never the record: what was paid for the others is not lost. A task is written so::

    answers = await ask_all([ask(engine, PROMPT, inputs(part), verify) for part in parts])
    made = {**record, "found": [entry(part, answer) for part, answer in zip(parts, answers)]}
    sign(engine, made, COMMAND, [PROMPT], answers, fingerprint(parts))
    tell_missing(made, COMMAND, "ratings", zip(systems, answers))
    return made

:func:`ask_all` gives each question its :class:`Answer`, or a :class:`Missing`, whose ``value`` is None and whose
``reason`` the entry keeps beside its null. :func:`tell_missing` adds one entry to ``errors`` that counts the missing
parts with their reasons and names their calls; the command then prints a line for the record and ends with 1. A
reply of which only some items cannot be used is asked for once more like any other, and what there is of it is kept:
``verify`` raises :class:`PartlyUsable`. Where a null would be read as an answer ("no limitation"), a record of which
nothing at all could be had fails: :func:`refuse_all_missing`. What ends the run (ModelFault) is raised, never a part.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import hashlib
import json
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import BaseModel

from scholartools import __version__
from scholartools.errors import InputFault, ModelFault, ScholartoolsError, UsageFault
from scholartools.llm import replies
from scholartools.llm.calls import Call, CallKey
from scholartools.llm.engine import Engine
from scholartools.llm.forecast import WouldSend
from scholartools.llm.reading import read_logprobs
from scholartools.llm.replies import PlainText, ReplyFault
from scholartools.llm.sampling import AS_THE_RUN, Sampling
from scholartools.llm.settings import Settings, refuse_equal_samples
from scholartools.parameters import parameter
from scholartools.records import Record, add_provenance, failures
from scholartools.signature import fingerprint, signature

Reply = TypeVar("Reply", bound=BaseModel)
Result = TypeVar("Result")

_ROLE = re.compile(r"^\[(system|user)\]\s*$", re.M)
_SLOT = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True)
class Prompt(Generic[Reply]):
    """What to ask and how the reply must look.

    Attributes:
        name: of the file in ``prompts/``, without ``.txt``.
        reply: the model of the reply, or :class:`PlainText`.
        sampling: parameters of this prompt, where the run sets no others.
        own: the text of a prompt that has no file in ``prompts/``.

    The text has parts headed ``[system]`` and ``[user]``. ``{{name}}`` stands for an input; ``{{fence}}`` for a word
    that occurs in no input, to put around quoted text so that nothing in it can end the quotation; ``{{schema}}`` for
    the reply's JSON schema.
    """

    name: str
    reply: type[Reply]
    sampling: Sampling = AS_THE_RUN
    own: str | None = None

    def text(self, folder: str | None) -> str:
        """The prompt's text, from ``folder`` where that has a file of its name.

        Raises:
            UsageFault: the folder does not exist or a file in it cannot be read.
        """
        return _read_prompt(self.name, folder, self.own)

    def digest(self, folder: str | None) -> str:
        """The first 16 hexadecimal digits of the SHA-256 of text and schema: part of the signature."""
        return _prompt_digest(self.text(folder), self.reply)

    def messages(
        self, inputs: Mapping[str, str], folder: str | None = None, images: Sequence[str] = ()
    ) -> list[dict[str, Any]]:
        """The prompt filled in, as chat messages; images (data URLs) go with the last one.

        Raises:
            UsageFault: the text has a slot that no input fills.
        """
        filled = {**inputs, "fence": _fence_word(inputs), "schema": _schema_text(self.reply)}
        parts = _prompt_parts(self.name, self.text(folder), tuple(inputs))
        messages: list[dict[str, Any]] = [
            {"role": role, "content": _fill_template(part, filled)} for role, part in parts
        ]
        if images:
            text = {"type": "text", "text": messages[-1]["content"]}
            pictures = [{"type": "image_url", "image_url": {"url": url}} for url in images]
            messages[-1]["content"] = [text, *pictures]
        return messages


class Answer(NamedTuple, Generic[Result]):
    """What verification made of a reply, and the keys of the calls it took (two where it was asked once more).

    ``lacks`` says of each item that the reply should have had and that cannot be used why.
    """

    value: Result
    calls: Sequence[str]
    repair: str | None
    lacks: Sequence[str] = ()


class Missing(NamedTuple):
    """In place of an answer that is missing: why, the kind of the fault, its calls, the raw reply if any."""

    reason: str
    kind: str
    calls: Sequence[str]
    reply: str | None = None

    @property
    def value(self) -> None:
        """Nothing, as JSON has it."""
        return None


class PartlyUsable(ReplyFault):
    """Some items of a reply cannot be used; the model is told and asked once more, and then the others are kept."""

    def __init__(self, value: Any, lacks: Sequence[str]) -> None:
        """``value``: what verification makes of the other items; ``lacks``: of each item that cannot be used, why."""
        super().__init__("; ".join(lacks))
        self.value = value
        self.lacks = lacks


#: The kind of the ``errors`` entry of a record some of whose parts are missing.
MISSING_PARTS = "missing-parts"


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
    schema = _request_schema(prompt)
    messages = prompt.messages(inputs, engine.settings.prompt_dir, images)
    put = functools.partial(engine.complete, prompt.name, sample=sample, schema=schema, sampling=prompt.sampling)
    first = await put(messages)
    try:
        return _verify_reply(engine, prompt, [first], verify)
    except ReplyFault as fault:
        unusable = fault
    more = _correction_messages(first.reply.text, unusable.reason, is_json=schema is not None)
    correct = functools.partial(put, [*messages, *more])
    try:
        with after([first.key]):
            second = await correct()
            if engine.is_of_earlier_run(second):
                with contextlib.suppress(ReplyFault):
                    return _verify_reply(engine, prompt, [first, second], verify)
                second = await _ask_anew(engine, second, correct)
    except ScholartoolsError as fault:
        return _use_first(unusable, fault)
    engine.counts.asked_again += engine.is_of_this_run(second)
    return _read_second(engine, prompt, [first, second], verify, unusable)


async def _ask_anew(engine: Engine, earlier: Call, question: Callable[[], Awaitable[Call]]) -> Call:
    """The reply of this run to a question whose reply of an earlier run cannot be used; that one where none comes."""
    engine.withdraw(earlier)
    try:
        return await question()
    except ScholartoolsError as fault:
        if _is_of_one_question(fault):
            return earlier
        raise


async def ask_samples(
    engine: Engine,
    prompt: Prompt[Reply],
    inputs: Mapping[str, str],
    verify: Callable[[Reply], Result],
    samples: int,
    *,
    first: int = 0,
) -> list[Answer[Result] | Missing]:
    """Several samples of the reply to one prompt, by one call where the provider can; none is asked for once more.

    Args:
        verify: makes the result of a reply, or raises ReplyFault with what is wrong with it.
        samples: how many, at least 1.
        first: the number of the first.

    Raises:
        UsageFault: several are wanted at temperature 0.
        ModelFault: the run must end.
    """
    temperature = engine.settings.parameters(0, prompt.sampling).get("temperature")
    refuse_equal_samples(samples, temperature)
    messages = prompt.messages(inputs, engine.settings.prompt_dir)
    found = await engine.complete_samples(
        prompt.name, messages, range(first, first + samples), schema=_request_schema(prompt), sampling=prompt.sampling
    )
    for outcome in found:
        if isinstance(outcome, WouldSend):
            raise outcome
    return [_read_sample(engine, prompt, outcome, verify) for outcome in found]


def _request_schema(prompt: Prompt) -> str | None:
    """The schema of a prompt's reply; None where the reply is text in the prompt's own form."""
    reply: type[BaseModel] = prompt.reply
    return None if issubclass(reply, PlainText) else _schema_text(reply)


def _read_sample(
    engine: Engine, prompt: Prompt[Reply], outcome: Call | ScholartoolsError, verify: Callable[[Reply], Result]
) -> Answer[Result] | Missing:
    if isinstance(outcome, ScholartoolsError):
        return Missing(outcome.reason, outcome.kind, _calls_of(outcome), outcome.details.get("reply"))
    try:
        return _verify_reply(engine, prompt, [outcome], verify)
    except ReplyFault as fault:
        return Missing(fault.reason, "reply", [outcome.key], outcome.reply.text)


def _read_second(
    engine: Engine,
    prompt: Prompt[Reply],
    calls: list[Call],
    verify: Callable[[Reply], Result],
    unusable: ReplyFault,
) -> Answer[Result]:
    """The answer by the second of two calls; where that cannot be used either, by what can be of the first.

    Raises:
        ScholartoolsError: neither reply can be used.
    """
    keys = [call.key for call in calls]
    try:
        return _verify_reply(engine, prompt, calls, verify)
    except PartlyUsable as fault:
        return Answer(fault.value, keys, None, fault.lacks)
    except ReplyFault as fault:
        details = {"reply": calls[-1].reply.text, "calls": keys}
        lost = ScholartoolsError(f"reply not usable: {fault.reason}", kind="reply", details=details)
    if not isinstance(unusable, PartlyUsable):
        engine.counts.failed += 1
    return _use_first(unusable, lost)


def _use_first(first: ReplyFault, fault: ScholartoolsError) -> Answer[Any]:
    """What can be used of the first reply, where the second brought nothing; else that fault is raised."""
    if isinstance(first, PartlyUsable) and _is_of_one_question(fault):
        return Answer(first.value, _calls_of(fault), None, first.lacks)
    raise fault from None


def _is_of_one_question(fault: ScholartoolsError) -> bool:
    """Whether a fault leaves the other questions of a record as they are: it neither ends the run nor refuses all."""
    return not isinstance(fault, (ModelFault, UsageFault, InputFault, WouldSend))


def _verify_reply(
    engine: Engine, prompt: Prompt[Reply], calls: list[Call], verify: Callable[[Reply], Result]
) -> Answer[Result]:
    """What verification makes of the last reply.

    Raises:
        ReplyFault: it cannot be used; PartlyUsable where some of its items can be.
    """
    reply = _read_reply(prompt, calls[-1])
    try:
        value = verify(reply.value)
    except PartlyUsable as fault:
        raise PartlyUsable(fault.value, [*reply.lacks, *fault.lacks]) from None
    if reply.lacks:
        raise PartlyUsable(value, reply.lacks)
    engine.counts.repaired += reply.repair is not None
    return Answer(value, [call.key for call in calls], reply.repair)


def _read_reply(prompt: Prompt[Reply], call: Call) -> replies.ReadReply:
    """The reply of a call as the prompt's model has it, and how it had to be repaired."""
    if not issubclass(prompt.reply, PlainText):
        return replies.read(call.reply.text, prompt.reply)
    told = read_logprobs(call.reply) if prompt.sampling.logprobs else None
    return replies.ReadReply(prompt.reply(text=replies.strip_thinking(call.reply.text), logprobs=told), None, [])


def _correction_messages(said: str, reason: str, *, is_json: bool) -> list[dict[str, str]]:
    """What a model said, and what it is told of that."""
    how = "with the JSON object alone" if is_json else "in the form that was asked for"
    told = f"That reply cannot be used: {reason}. Reply again, {how}."
    return [{"role": "assistant", "content": said}, {"role": "user", "content": told}]


def _fence_word(inputs: Mapping[str, str]) -> str:
    """A word made of the inputs' own hash: the same for the same inputs, and in none of them."""
    everything = "\0".join(inputs.values())
    digest = hashlib.sha256(everything.encode(errors="surrogatepass")).hexdigest()
    length = 8
    while (word := f"text-{digest[:length]}") in everything:
        length += 1
    return word


@functools.cache
def _read_prompt(name: str, folder: str | None, given: str | None = None) -> str:
    if folder is not None:
        if not Path(folder).is_dir():
            raise UsageFault(f"{parameter('prompt_dir')} {folder}: no such folder")
        own = Path(folder) / f"{name}.txt"
        if own.exists():
            try:
                return _check_fields(name, own.read_text(encoding="utf-8"))
            except (OSError, UnicodeDecodeError) as error:
                raise UsageFault(f"{own}: cannot be read as UTF-8 text: {error}") from None
    if given is not None:
        return _check_fields(name, given)
    return _check_fields(name, (files("scholartools") / "prompts" / f"{name}.txt").read_text(encoding="utf-8"))


def _check_fields(name: str, text: str) -> str:
    if not _ROLE.search(text):
        raise UsageFault(f'prompt "{name}": no part headed [user] or [system]')
    return text


@functools.cache
def _prompt_parts(name: str, text: str, inputs: tuple[str, ...]) -> list[tuple[str, list[str]]]:
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


def _fill_template(pieces: list[str], inputs: Mapping[str, str]) -> str:
    return "".join([inputs[piece] if index % 2 else piece for index, piece in enumerate(pieces)])


@functools.cache
def _prompt_digest(text: str, reply: type[BaseModel]) -> str:
    return hashlib.sha256(f"{text}\n{_schema_text(reply)}".encode()).hexdigest()[:16]


@functools.cache
def _schema_text(reply: type[BaseModel]) -> str:
    return json.dumps(reply.model_json_schema(), ensure_ascii=False)


async def ask_all(questions: Sequence[Awaitable[Answer[Result]]]) -> list[Answer[Result] | Missing]:
    """The answers to several questions about one record, asked at once, each or why it is missing.

    All are waited for before anything is raised, so that no reply on its way is lost.

    Raises:
        ModelFault: the run must end.
    """
    found = (
        [await _catch_missing(questions[0])]
        if len(questions) == 1
        else await asyncio.gather(*map(_catch_missing, questions))
    )
    faults = [outcome for outcome in found if isinstance(outcome, BaseException)]
    for fault in sorted(faults, key=lambda fault: not isinstance(fault, ModelFault)):
        raise fault
    return found  # type: ignore[return-value]


async def ask_all_or_assume(
    questions: Sequence[Awaitable[Answer[Result]]], assumed: Result
) -> list[Answer[Result] | Missing]:
    """Like :func:`ask_all`, of questions on whose answers other questions depend.

    A dry run has no replies. It goes on with an assumed result of each, so that it counts what would be asked later; of
    that only the number of tokens is then a guess.

    Raises:
        ModelFault: the run must end.
    """
    try:
        return await ask_all(questions)
    except WouldSend:
        return [Answer(assumed, [], None)] * len(questions)


async def _catch_missing(question: Awaitable[Answer[Result]]) -> Answer[Result] | Missing | Exception:
    try:
        return await question
    except Exception as fault:
        if isinstance(fault, ScholartoolsError) and _is_of_one_question(fault):
            return Missing(fault.reason, fault.kind, _calls_of(fault), fault.details.get("reply"))
        return fault


def refuse_all_missing(what: str, answers: Sequence[Answer[Any] | Missing]) -> None:
    """Fail the record where not one question has an answer and a null would be read as one: no facet, no limitation.

    Raises:
        ScholartoolsError: nothing could be had; names all calls.
    """
    lost = [answer for answer in answers if isinstance(answer, Missing)]
    if not lost or len(lost) < len(answers):
        return
    counted = _count_missing(what, [("", answer) for answer in lost], len(lost), "")
    reason = counted["reason"] if len(lost) > 1 else lost[0].reason
    details = {key: counted[key] for key in ("reply", "calls") if counted.get(key)}
    raise ScholartoolsError(reason, kind=lost[0].kind, details=details)


def tell_missing(
    record: Record,
    command: str,
    what: str,
    asked: Iterable[tuple[str, Answer[Any] | Missing]],
    *,
    task: str | None = None,
    so: str = "",
) -> None:
    """Add to ``errors`` one entry that counts what is missing, without changing the list other copies hold.

    An entry that an earlier run left for the same parts goes: they have been asked about anew.

    Args:
        record: a copy, as for :func:`sign`.
        what: the parts, in the plural: "ratings".
        asked: each answer with what it is of, as a later run will call it too: the system, or the text.
        task: of the command, where it has several.
        so: what comes of it, for the reason.
    """
    asked = list(asked)
    parts = {name for name, _ in asked}
    same = {"command": command, "kind": MISSING_PARTS, **({"task": task} if task else {})}
    earlier = failures(record)
    kept = [entry for entry in earlier if not _is_anew(entry, same, parts)]
    lost = [(name, answer) for name, answer in asked if isinstance(answer, Missing) or answer.lacks]
    if lost:
        record["errors"] = [*kept, {**same, **_count_missing(what, lost, len(asked), so)}]
    elif kept:
        record["errors"] = kept if len(kept) < len(earlier) else record["errors"]
    elif earlier:
        del record["errors"]


def _is_anew(entry: Any, same: Record, parts: set[str]) -> bool:
    """Whether an entry counts what the same task could not have of parts that have been asked about now."""
    return isinstance(entry, dict) and same.items() <= entry.items() and parts.issuperset(entry.get("parts") or ())


def _count_missing(what: str, lost: Sequence[tuple[str, Answer[Any] | Missing]], of: int, so: str) -> Record:
    """The counts and reasons of an entry, the first raw reply, and the calls."""
    answers = [answer for _, answer in lost]
    reasons = Counter(answer.reason if isinstance(answer, Missing) else "; ".join(answer.lacks) for answer in answers)
    first, *others = reasons
    is_whole = all(isinstance(answer, Missing) for answer in answers)
    verb = f"{'is' if len(lost) == 1 else 'are'} {'missing' if is_whole else 'missing or not whole'}"
    more = f" (and {len(others)} other reasons)" if len(others) > 1 else f" (and: {others[0]})" if others else ""
    reply = next((answer.reply for answer in answers if isinstance(answer, Missing) and answer.reply is not None), None)
    return {
        "reason": f"{len(lost)} of {of} {what} {verb}: {first}{more}{f'; {so}' if so else ''}",
        "missing": len(lost),
        "of": of,
        "reasons": dict(reasons),
        "parts": list(dict.fromkeys(name for name, _ in lost)),
        **({} if reply is None else {"reply": reply}),
        "calls": [key for answer in answers for key in answer.calls],
    }


@contextlib.contextmanager
def after(calls: Sequence[str]) -> Iterator[None]:
    """A question asked after others: its fault names their calls too, without which it cannot be replayed."""
    try:
        yield
    except ScholartoolsError as fault:
        raise _with_calls(fault, [*calls, *_calls_of(fault)]) from None


def json_lines(entries: Iterable[Mapping[str, Any]]) -> str:
    """One JSON object a line, to be quoted in a prompt: no text in one can pass for another entry."""
    return "\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries)


def _with_calls(fault: ScholartoolsError, calls: list[str]) -> ScholartoolsError:
    """The fault with the keys of all calls that were made; the fault itself may be other records' too."""
    if isinstance(fault, ModelFault) or not calls:
        return fault
    return type(fault)(fault.reason, kind=fault.kind, details={**fault.details, "calls": calls})


def _calls_of(fault: ScholartoolsError) -> list[str]:
    """The keys of the calls that the want of an answer took."""
    return fault.details.get("calls", [])


def sign(
    engine: Engine,
    record: Record,
    command: str,
    prompts: Sequence[Prompt],
    answers: Iterable[Answer | Missing],
    inputs: str,
) -> None:
    """Append to ``provenance`` how a model worked on a record, with the keys of the calls, by which they are exported.

    Args:
        inputs: the fingerprint of what was asked about.
    """
    names = tuple(prompt.name for prompt in prompts)
    if (folder := engine.settings.prompt_dir) is not None and not _has_text_of_one(folder, names):
        engine.warn_once(f"{parameter('prompt_dir')} {folder} has no text of {', '.join(names)}: ours are asked")
    calls = [key for answer in answers for key in answer.calls]
    formats = tuple(sorted({key.response_format for key in calls if isinstance(key, CallKey)}))
    asked, digests, sampling = _run_constants(engine.settings, tuple(prompts))
    mark = signature(command, {**asked, "response_formats": list(formats), "input": inputs})
    add_provenance(record, command, __version__, mark)
    record["provenance"][-1] |= {
        "model": engine.settings.model,
        "prompts": dict(digests),
        "parameters": engine.settings.parameters(0),
        **({"sampling": dict(sampling)} if sampling else {}),
        "response_formats": list(formats),
        "calls": calls,
    }


@functools.lru_cache(maxsize=64)
def _has_text_of_one(folder: str, names: tuple[str, ...]) -> bool:
    """Whether a folder of a user's prompts has one of these names: else a file may be misspelt."""
    return any((Path(folder) / f"{name}.txt").exists() for name in names)


@functools.lru_cache(maxsize=64)
def _run_constants(
    settings: Settings, prompts: tuple[Prompt, ...]
) -> tuple[Mapping[str, Any], Mapping[str, str], Mapping[str, Any]]:
    """What is the same for all records of a run: what a signature says of it, prompts' digests, prompts' parameters."""
    digests = {prompt.name: prompt.digest(settings.prompt_dir) for prompt in prompts}
    sampling = {
        prompt.name: settings.parameters(0, prompt.sampling) for prompt in prompts if prompt.sampling.parameters()
    }
    own = {"sampling": fingerprint(sampling)} if sampling else {}
    return {**settings.signature_parameters(), **own, "prompts": list(digests.values())}, digests, sampling
