"""The interface of tasks to a model: :func:`ask` sends a prompt, parses the reply and verifies it.

A task asks about the parts of a record (items, passages, votes, systems), each in a question of its own. An unusable
reply loses only its part, never the record, so that paid replies to the other questions are used. A task has this
form::

    answers = await ask_all([ask(engine, PROMPT, inputs(part), verify) for part in parts])
    made = {**record, "found": [entry(part, answer) for part, answer in zip(parts, answers)]}
    found = Found(made, "ratings", zip(systems, answers), [PROMPT], options, parts)
    return finish(engine, COMMAND, TASK, found)

:func:`ask_all` returns an :class:`Answer` for each question, or a :class:`Missing` with ``value`` None and the
``reason``, which the entry of the part has next to its null. :func:`finish` adds one entry to ``errors`` with the
number of missing parts, their reasons and their calls; the command then prints a line for the record and exits with
status 1. If only some items of a reply are unusable, ``verify`` raises :class:`PartlyUsable`: the question is repeated
once, as for other faults, and then the usable items are kept. If null could be misread as an answer ("no limitation"),
a record without any answer must fail: :func:`refuse_all_missing`. A fault that ends the run (ModelFault) is raised and
never becomes a missing part.
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
    """Send a prompt, parse the reply and verify it; if that fails, ask once more with the reason.

    Args:
        verify: returns the result of a reply, or raises ReplyFault with the reason why it is unusable.

    Raises:
        ScholartoolsError: no usable reply; its ``details`` have the raw reply.
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
    """Ask again a question whose reply from an earlier run is unusable; if that fails, return the earlier reply."""
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
    """Several samples of the reply to one prompt, by one call if the provider supports this, without corrections.

    Args:
        verify: returns the result of a reply, or raises ReplyFault with the reason why it is unusable.
        samples: number of samples, at least 1.
        first: number of the first sample.

    Raises:
        UsageFault: several samples at temperature 0.
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
    """The answer from the second of two calls; if its reply is unusable, from the usable items of the first.

    Raises:
        ScholartoolsError: neither reply is usable.
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
    """The usable items of the first reply, if the second question failed; without them, raise its fault."""
    if isinstance(first, PartlyUsable) and _is_of_one_question(fault):
        return Answer(first.value, _calls_of(fault), None, first.lacks)
    raise fault from None


def _is_of_one_question(fault: ScholartoolsError) -> bool:
    """Whether a fault concerns only one question, not the run or the whole record."""
    return not isinstance(fault, (ModelFault, UsageFault, InputFault, WouldSend))


def _verify_reply(
    engine: Engine,
    prompt: Prompt[Reply],
    inputs: Mapping[str, str],
    verify: Callable[[Reply], Result],
    calls: list[Call],
) -> Answer[Result]:
    """Parse the last reply, remove copied fences, and verify it.

    Raises:
        ReplyFault: it is unusable; PartlyUsable if some of its items are usable.
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
    """Parse the reply of a call into the reply model of the prompt."""
    if not issubclass(prompt.reply, PlainText):
        return replies.read(call.reply.text, prompt.reply)
    told = read_logprobs(call.reply) if prompt.sampling.logprobs else None
    return replies.ReadReply(prompt.reply(text=replies.strip_thinking(call.reply.text), logprobs=told), None, [])


def _correction_messages(said: str, reason: str, *, is_json: bool) -> list[dict[str, str]]:
    """The unusable reply of the model, and the message that asks for another."""
    how = "with the JSON object alone" if is_json else "in the form that was asked for"
    told = f"That reply cannot be used: {reason}. Reply again, {how}."
    return [{"role": "assistant", "content": said}, {"role": "user", "content": told}]


async def ask_all(questions: Sequence[Awaitable[Answer[Result]]]) -> list[Answer[Result] | Missing]:
    """Ask several questions about one record concurrently; return each answer, or the reason why it is missing.

    A fault is raised only after all questions have ended, so that no reply is lost.

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
    """Like :func:`ask_all`, for questions on whose answers other questions depend.

    A dry run has no replies. It continues with an assumed result, so that it counts the later questions too; only
    their numbers of tokens are then estimates.

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
    """Add the calls of earlier questions to the fault of a later one in the block, which needs them for a replay."""
    try:
        yield
    except ScholartoolsError as fault:
        raise _with_calls(fault, [*calls, *_calls_of(fault)]) from None


def _with_calls(fault: ScholartoolsError, calls: list[str]) -> ScholartoolsError:
    """A copy of the fault with the keys of all calls: the fault itself may be shared with other records."""
    if isinstance(fault, ModelFault) or not calls:
        return fault
    return type(fault)(fault.reason, kind=fault.kind, details={**fault.details, "calls": calls})


def _calls_of(fault: ScholartoolsError) -> list[str]:
    """The keys of the calls of a question without an answer."""
    return fault.details.get("calls", [])


class Found(NamedTuple):
    """The result of a task for one record.

    Attributes:
        record: a copy of the input record, with the result.
        what: the parts, as a plural noun: "ratings".
        asked: each answer with the name of its part (a system or a text), the same in later runs.
        prompts: the prompts used.
        options: all resolved options that affect the result, without the settings of the model.
        input: the input of the questions; its fingerprint enters the signature.
        counts: further counts for ``provenance``, e.g. of missing parts; not in the signature.
        so: consequence of missing answers, appended to the reason.
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
    """The record of the result, with one entry in ``errors`` for missing parts, if any, and one in ``provenance``.

    Args:
        command: name of the command.
        task: the task, if the command has several.
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
    """Append an entry to ``provenance`` with the model, prompts and parameters, and the keys of the calls for export.

    Args:
        options: all options that affect the result, without the settings of the model.
        input: the input of the questions; its fingerprint enters the signature.
        counts: further counts for the entry, e.g. of missing parts.
    """
    if (folder := engine.settings.prompt_dir) is not None:
        names = tuple(prompt.name for prompt in prompts)
        if not _has_text_of_one(folder, names):
            engine.warn_once(
                f"{parameter('prompt_dir')} {folder} has no file {' or '.join(f'{name}.txt' for name in names)}: "
                "the built-in prompts are used"
            )
    answers = list(answers)
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
    # The first call of an answer is its question as it was sent, with all texts of the record in it.
    asked = fingerprint(sorted({str(answer.calls[0]) for answer in answers if answer.calls}))
    signed = {**constants.signed, "response_formats": _written_formats(formats), "asked": asked}
    add_provenance(
        record, command, task, method="model", options=options, input=input, counts=counts, signed=signed, told=told
    )


@functools.lru_cache(maxsize=64)
def _has_text_of_one(folder: str, names: tuple[str, ...]) -> bool:
    """Whether the user's folder of prompts has a file for any of these names; if not, its name may be misspelt."""
    return any((Path(folder) / f"{name}.txt").exists() for name in names)


class _RunConstants(NamedTuple):
    """The parts of provenance that are equal for all records of a run.

    Attributes:
        signed: serialised entries of the signature.
        digests: digest of each prompt, by its name.
        parameters: parameters of the calls.
        sampling: parameters of the calls of each prompt that has sampling parameters of its own.
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
