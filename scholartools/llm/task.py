"""Ask, read, verify: :func:`ask` is the only way to a model, with a prompt and with what its reply must satisfy.

A record is asked about in parts (its items, passages, votes, systems), and one reply that cannot be used costs one
part, never the record: what was paid for the others is not lost. A task is written so::

    answers = await ask_all([ask(engine, PROMPT, inputs(part), verify) for part in parts])
    made = {**record, "found": [entry(part, answer) for part, answer in zip(parts, answers)]}
    found = Found(made, "ratings", zip(systems, answers), [PROMPT], options, parts)
    return finish(engine, COMMAND, TASK, found)

:func:`ask_all` gives each question its :class:`Answer`, or a :class:`Missing`, whose ``value`` is None and whose
``reason`` the entry keeps beside its null. :func:`finish` adds one entry to ``errors`` that counts the missing
parts with their reasons and names their calls; the command then prints a line for the record and ends with 1. A
reply of which only some items cannot be used is asked for once more like any other, and what there is of it is kept:
``verify`` raises :class:`PartlyUsable`. Where a null would be read as an answer ("no limitation"), a record of which
nothing at all could be had fails: :func:`refuse_all_missing`. What ends the run (ModelFault) is raised, never a part.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from scholartools.errors import InputFault, ModelFault, ScholartoolsError, UsageFault
from scholartools.llm import replies
from scholartools.llm.answers import Answer, Missing, PartlyUsable, tell_missing
from scholartools.llm.calls import Call, CallKey
from scholartools.llm.engine import Engine
from scholartools.llm.parking import Parked
from scholartools.llm.prompts import Prompt, Reply, may_copy_fences
from scholartools.llm.reading import read_logprobs
from scholartools.llm.replies import PlainText, ReplyFault
from scholartools.llm.settings import Settings, refuse_equal_samples
from scholartools.llm.usage.forecast import WouldSend
from scholartools.parameters import parameter
from scholartools.records import Record, add_provenance
from scholartools.signature import Written, fingerprint, write_value

Result = TypeVar("Result")


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
    schema = prompt.schema()
    messages = prompt.messages(inputs, engine.settings.prompt_dir, images)
    verify_reply = functools.partial(_verify_reply, engine, prompt, inputs, verify)
    put = functools.partial(engine.complete, prompt.name, sample=sample, schema=schema, sampling=prompt.sampling)
    first = await put(messages)
    try:
        return verify_reply([first])
    except ReplyFault as fault:
        unusable = fault
    more = _correction_messages(first.reply.text, unusable.reason, is_json=schema is not None)
    try:
        with after([first.key]):
            second = await (correct := functools.partial(put, [*messages, *more]))()
            if engine.is_of_earlier_run(second):
                with contextlib.suppress(ReplyFault):
                    return verify_reply([first, second])
                second = await _ask_anew(engine, second, correct)
    except ScholartoolsError as fault:
        return _use_first(unusable, fault)
    engine.counts.asked_again += engine.is_of_this_run(second)
    return _read_second(engine, [first, second], verify_reply, unusable)


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
        prompt.name, messages, range(first, first + samples), schema=prompt.schema(), sampling=prompt.sampling
    )
    for outcome in found:
        if isinstance(outcome, WouldSend):
            raise outcome
    verify_reply = functools.partial(_verify_reply, engine, prompt, inputs, verify)
    return [_read_sample(outcome, verify_reply) for outcome in found]


def _read_sample(
    outcome: Call | ScholartoolsError, verify_reply: Callable[[list[Call]], Answer[Result]]
) -> Answer[Result] | Missing:
    if isinstance(outcome, ScholartoolsError):
        return Missing(outcome.reason, outcome.kind, _calls_of(outcome), outcome.details.get("reply"))
    try:
        return verify_reply([outcome])
    except PartlyUsable as fault:
        return Answer(fault.value, [outcome.key], None, fault.lacks)
    except ReplyFault as fault:
        return Missing(fault.reason, "reply", [outcome.key], outcome.reply.text)


def _read_second(
    engine: Engine,
    calls: list[Call],
    verify_reply: Callable[[list[Call]], Answer[Result]],
    unusable: ReplyFault,
) -> Answer[Result]:
    """The answer by the second of two calls; where that cannot be used either, by what can be of the first.

    Raises:
        ScholartoolsError: neither reply can be used.
    """
    keys = [call.key for call in calls]
    try:
        return verify_reply(calls)
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
    engine: Engine,
    prompt: Prompt[Reply],
    inputs: Mapping[str, str],
    verify: Callable[[Reply], Result],
    calls: list[Call],
) -> Answer[Result]:
    """What verification makes of the last reply, without copies of the word around the quoted texts.

    Raises:
        ReplyFault: it cannot be used; PartlyUsable where some of its items can be.
    """
    reply = _read_reply(prompt, calls[-1])
    lacks = list(reply.lacks)
    if reply.repair == "json" or may_copy_fences(calls[-1].reply.text):
        lacks += prompt.take_out_fences(inputs, engine.settings.prompt_dir, reply.value)
    try:
        value = verify(reply.value)
    except PartlyUsable as fault:
        raise PartlyUsable(fault.value, [*lacks, *fault.lacks]) from None
    if lacks:
        raise PartlyUsable(value, lacks)
    engine.counts.repaired += reply.repair is not None
    return Answer(value, [call.key for call in calls], reply.repair)


def _read_reply(prompt: Prompt[Reply], call: Call) -> replies.ReadReply:
    """The reply of a call as the prompt's model has it, and how it had to be repaired."""
    if not issubclass(prompt.reply, PlainText):
        return replies.read(call.reply.text, prompt.reply)
    told = read_logprobs(call.reply) if prompt.sampling.logprobs else None
    return replies.ReadReply(prompt.reply(text=replies.strip_thinking(call.reply.text), logprobs=told), None, [])


def _correction_messages(said: str, reason: str, *, is_json: bool) -> list[dict[str, str]]:
    """What a model said, and what it is answered."""
    how = "with the JSON object alone" if is_json else "in the form that was asked for"
    told = f"That reply cannot be used: {reason}. Reply again, {how}."
    return [{"role": "assistant", "content": said}, {"role": "user", "content": told}]


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
    if faults := [outcome for outcome in found if isinstance(outcome, BaseException)]:
        raise min(faults, key=lambda fault: not isinstance(fault, ModelFault))
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


async def _catch_missing(question: Awaitable[Answer[Result]]) -> Answer[Result] | Missing | BaseException:
    try:
        return await question
    except (Exception, Parked) as fault:
        if isinstance(fault, ScholartoolsError) and _is_of_one_question(fault):
            return Missing(fault.reason, fault.kind, _calls_of(fault), fault.details.get("reply"))
        return fault


@contextlib.contextmanager
def after(calls: Sequence[str]) -> Iterator[None]:
    """A question asked after others: its fault names their calls too, without which it cannot be replayed."""
    try:
        yield
    except ScholartoolsError as fault:
        raise _with_calls(fault, [*calls, *_calls_of(fault)]) from None


def _with_calls(fault: ScholartoolsError, calls: list[str]) -> ScholartoolsError:
    """The fault with the keys of all calls that were made; the fault itself may be other records' too."""
    if isinstance(fault, ModelFault) or not calls:
        return fault
    return type(fault)(fault.reason, kind=fault.kind, details={**fault.details, "calls": calls})


def _calls_of(fault: ScholartoolsError) -> list[str]:
    """The keys of the calls that the want of an answer took."""
    return fault.details.get("calls", [])


class Found(NamedTuple):
    """What a task made of one record with a model's answers.

    Attributes:
        record: a copy of the record that was asked about, with the result.
        what: the parts that were asked for, in the plural: "ratings".
        asked: each answer with the name of what it is of, as a later run will call it too: the system, or the text.
        prompts: that were used.
        options: all that changes the result beside the input and the settings of the model, as resolved.
        input: what was asked about, of which the fingerprint is signed.
        counts: of what happened on the way, and what was missing; not signed.
        so: what comes of missing answers, for the reason.
    """

    record: Record
    what: str
    asked: Iterable[tuple[str, Answer[Any] | Missing]]
    prompts: Sequence[Prompt[Any]]
    options: Mapping[str, Any]
    input: object
    counts: Mapping[str, Any] | None = None
    so: str = ""


def finish(engine: Engine, command: str, task: str | None, found: Found) -> Record:
    """The record that was found, with one entry of ``errors`` for what is missing and one of ``provenance``.

    Args:
        command: that asked.
        task: of the command, where it has several.
    """
    asked = list(found.asked)
    tell_missing(found.record, command, found.what, asked, task=task, so=found.so)
    answers = [answer for _, answer in asked]
    sign(engine, found.record, command, task, found.prompts, answers, found.options, found.input, found.counts)
    return found.record


def sign(
    engine: Engine,
    record: Record,
    command: str,
    task: str | None,
    prompts: Sequence[Prompt],
    answers: Iterable[Answer | Missing],
    options: Mapping[str, Any],
    input: object,
    counts: Mapping[str, Any] | None = None,
) -> None:
    """Append to ``provenance`` how a model worked on a record, with the keys of the calls, by which they are exported.

    Args:
        options: all that changes the result beside the input and the settings of the model.
        input: what was asked about, of which the fingerprint is signed.
        counts: of what happened on the way, and what was missing.
    """
    if (folder := engine.settings.prompt_dir) is not None:
        names = tuple(prompt.name for prompt in prompts)
        if not _has_text_of_one(folder, names):
            engine.warn_once(
                f"{parameter('prompt_dir')} {folder} has no file {' or '.join(f'{name}.txt' for name in names)}: "
                "the built-in prompts are used"
            )
    calls = [key for answer in answers for key in answer.calls]
    named = [key for key in calls if isinstance(key, CallKey)]
    formats = tuple(sorted({key.response_format for key in named}))
    constants = _run_constants(engine.settings, tuple(prompts))
    told = {
        "model": engine.settings.model,
        "prompts": dict(constants.digests),
        "parameters": dict(constants.parameters),
        **({"sampling": dict(constants.sampling)} if constants.sampling else {}),
        "response_formats": list(formats),
        "endpoints": sorted({key.reply.origin for key in named}, key=str),
        "calls": calls,
    }
    signed = {**constants.signed, "response_formats": _written_formats(formats)}
    add_provenance(
        record, command, task, method="model", options=options, input=input, counts=counts, signed=signed, told=told
    )


@functools.lru_cache(maxsize=64)
def _has_text_of_one(folder: str, names: tuple[str, ...]) -> bool:
    """Whether a folder of a user's prompts has one of these names: else a file may be misspelt."""
    return any((Path(folder) / f"{name}.txt").exists() for name in names)


class _RunConstants(NamedTuple):
    """The parts of provenance that are equal for all records of a run.

    Attributes:
        signed: what enters the signature, as it is written there.
        digests: the digest of each prompt.
        parameters: the parameters of each call.
        sampling: by prompt, the parameters of its calls, where the prompt has some of its own.
    """

    signed: Mapping[str, Written]
    digests: Mapping[str, str]
    parameters: Mapping[str, Any]
    sampling: Mapping[str, Any]


@functools.lru_cache(maxsize=64)
def _run_constants(settings: Settings, prompts: tuple[Prompt, ...]) -> _RunConstants:
    digests = {prompt.name: prompt.digest(settings.prompt_dir) for prompt in prompts}
    sampling = {
        prompt.name: settings.parameters(0, prompt.sampling) for prompt in prompts if prompt.sampling.parameters()
    }
    own = {"sampling": fingerprint(sampling)} if sampling else {}
    signed = {**settings.signature_parameters(), **own, "prompts": list(digests.values())}
    written = {name: Written(write_value(value)) for name, value in signed.items()}
    return _RunConstants(written, digests, settings.parameters(0), sampling)


@functools.cache
def _written_formats(formats: tuple[str, ...]) -> Written:
    return Written(write_value(formats))
