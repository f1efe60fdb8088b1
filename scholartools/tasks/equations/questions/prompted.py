"""Make questions whose wrong options a model proposes (AAAR-1.0, section 3.1), verified by certificates.

Each call requests one wrong version, at temperature 1 unless another is set for the run. Verified proposals are edits
of the equation, from which squares and stars are made as from errors by rule. A filter asks the model which symbols of
each wrong option have no meaning in the context.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from scholartools.errors import ModelFault
from scholartools.llm.answers import Answer, Missing, tell_missing
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt
from scholartools.llm.replies import Closed, ReplyFault
from scholartools.llm.sampling import Sampling
from scholartools.llm.task import ask, ask_all, sign
from scholartools.llm.usage.forecast import CERTAIN, WouldSend
from scholartools.records import Record
from scholartools.tasks.equations.certificates.certify import DIFFERENT, certify
from scholartools.tasks.equations.questions.edits import Edit, apply
from scholartools.tasks.equations.questions.making import (
    COMMAND,
    UNALIGNED,
    Candidate,
    Made,
    Options,
    QuestionMaker,
    find_candidates,
    is_aligned,
)
from scholartools.tasks.equations.questions.proposals import Original, Proposal, read_proposal
from scholartools.tasks.equations.questions.shortcuts import option_tokens
from scholartools.tasks.equations.questions.verifying import digest
from scholartools.tasks.equations.trees.typesetting import typeset

_NO_TEXT = "(no text)"


class Alignment(Closed):
    """Whether all symbols of an option have a meaning in the context, and those that have none."""

    aligned: bool
    undefined: list[str]


_PROPOSE: Prompt[Proposal] = Prompt("eqsynth", Proposal, sampling=Sampling(temperature=1.0))
_ALIGN: Prompt[Alignment] = Prompt("eqsynth-aligned", Alignment)


@dataclass(frozen=True)
class Asking:
    """Options for requests of wrong options.

    Attributes:
        tries: maximum number of calls for one equation, not counting repeated calls after unusable replies.
        filter: whether the model is asked which options are aligned; questions without an aligned option are dropped.
    """

    tries: int = 10
    filter: bool = False

    def parameters(self) -> dict[str, Any]:
        """All options, for a signature."""
        return dict(self.__dict__)


@dataclass
class _Tried:
    """The question about one equation, or the reason why there is none, and the answers to all requests."""

    question: Record | None = None
    reason: str = ""
    answers: list[Answer[Any] | Missing] = field(default_factory=list)


async def ask_questions(engine: Engine, paper: Record, options: Options, asking: Asking) -> tuple[Made, Record | None]:
    """Make at most ``per_paper`` questions; also return the paper if equations have no question because replies failed.

    The paper and each question report their missing replies under ``errors``.

    Raises:
        InputFault: there are no equations, or a span does not match its LaTeX.
        ModelFault: the run must end.
    """
    candidates = find_candidates(paper, options)

    def make(one: Candidate) -> _Asker:
        return _Asker(engine, QuestionMaker(paper, candidates, one, options), one, asking)

    made = Made(skipped=candidates.skipped)
    found: dict[int, Record] = {}
    given_up: list[tuple[str, Answer[Any] | Missing]] = []
    rest = list(candidates.usable)
    while rest and len(found) < options.per_paper:
        asked, rest = rest[: options.per_paper - len(found)], rest[options.per_paper - len(found) :]
        askers = [make(one) for one in asked]
        try:
            tried = await _gather([asker.run() for asker in askers])
        except WouldSend:
            await _forecast([make(one) for one in rest])
            raise
        for one, asker, outcome in zip(asked, askers, tried):
            answers = [(asker.maker.name, answer) for answer in outcome.answers]
            if outcome.question is None:
                made.skipped[outcome.reason] += 1
                given_up += answers
            else:
                found[one.place] = outcome.question
                tell_missing(outcome.question, COMMAND, "replies about the equation", answers)
    made.questions = [found[place] for place in sorted(found)]
    return made, _tell_given_up(paper, given_up)


def _tell_given_up(paper: Record, answers: Sequence[tuple[str, Answer[Any] | Missing]]) -> Record | None:
    """The paper with the missing replies about equations without a question; None if no reply is missing."""
    if not any(isinstance(answer, Missing) for _, answer in answers):
        return None
    told = dict(paper)
    tell_missing(told, COMMAND, "replies about equations", answers, so="these equations have no question")
    return told


async def _forecast(askers: Sequence[_Asker]) -> None:
    """Forecast, in a dry run, the requests about equations that replace dropped ones."""
    CERTAIN.set(False)
    for asker in askers:
        await asker.forecast_rest(0)


async def _gather(work: Sequence[Any]) -> list[_Tried]:
    """Await all coroutines before raising an error, so that no pending reply is lost."""
    found = await asyncio.gather(*work, return_exceptions=True)
    faults = [outcome for outcome in found if isinstance(outcome, BaseException)]
    for fault in sorted(faults, key=lambda fault: not isinstance(fault, ModelFault)):
        raise fault
    return found  # type: ignore[return-value]


class _Asker:
    """Requests wrong versions of one equation until there are enough."""

    def __init__(self, engine: Engine, maker: QuestionMaker, candidate: Candidate, asking: Asking) -> None:
        self.engine = engine
        self.maker = maker
        self.asking = asking
        options = maker.options
        slips = maker.find_slips()
        self.original = Original(candidate.latex, candidate.tree, slips, options.keep, options.engine)
        self.needed = options.negatives if options.design == "star" else 1 if options.equivalents else 2
        self.context = {side: maker.context[side] or _NO_TEXT for side in ("before", "after")}
        self.tried = _Tried()

    async def run(self) -> _Tried:
        """Make the question, or find the reason why there is none."""
        edits: list[Edit] = []
        options, n_asked = None, 0
        while options is None and n_asked < self.asking.tries:
            count = min(max(1, self.needed - len(edits)), self.asking.tries - n_asked)
            try:
                answers = await ask_all([self._ask_proposal(n_asked + place) for place in range(count)])
            except WouldSend:
                await self.forecast_rest(n_asked + count)
                raise
            n_asked += count
            self._take(answers, edits)
            if len(edits) >= self.needed:
                options = await asyncio.to_thread(self.maker.find_options, edits, balanced=False)
        if options is None:
            self.tried.reason = self.maker.reason or f"only {len(edits)} of {self.needed} proposals of a model"
            return self.tried
        question = self.maker.write_question(*options, origin=self.engine.settings.model)
        if self.asking.filter:
            await self._align(question)
        self._finish(question)
        return self.tried

    async def forecast_rest(self, n_asked: int) -> None:
        """Forecast, in a dry run, the remaining requests and those of the filter, for options of twice the length."""
        CERTAIN.set(False)
        questions: list[Any] = [self._ask_proposal(sample) for sample in range(n_asked, self.asking.tries)]
        if self.asking.filter:
            n_wrong = self.maker.options.negatives if self.maker.options.design == "star" else 3
            longest = f"{self.original.latex} {self.original.latex}"
            questions += [self._ask_alignment(longest + " " * place) for place in range(n_wrong)]
        if questions:
            with contextlib.suppress(WouldSend):
                await ask_all(questions)

    async def _ask_proposal(self, sample: int) -> Answer[Edit]:
        title = self.maker.paper.get("title") or _NO_TEXT
        inputs = {"title": title, **self.context, "equation": self.original.latex}
        return await ask(
            self.engine, _PROPOSE, inputs, lambda reply: read_proposal(reply, self.original), sample=sample
        )

    def _take(self, answers: Sequence[Answer[Edit] | Missing], edits: list[Edit]) -> None:
        """Add the proposed edits that differ from all previous ones."""
        self.tried.answers += answers
        for answer in answers:
            if isinstance(answer, Missing):
                reply = {} if answer.reply is None else {"text": answer.reply}
                self.maker.rejected.append({"command": COMMAND, **reply, "reason": answer.reason})
            elif all(self._differ(answer.value, edit) for edit in edits):
                edits.append(answer.value)

    def _differ(self, one: Edit, other: Edit) -> bool:
        latex = [typeset(apply(self.original.latex, [edit])) for edit in (one, other)]
        return latex[0] != latex[1] and certify(*latex)["verdict"] in (DIFFERENT, self.original.keep)

    async def _align(self, question: Record) -> None:
        """Replace the token-based alignment of each wrong option by the model's."""
        wrong = [option for option in question["options"] if not option["correct"]]
        answers = await ask_all([self._ask_alignment(option["latex"]) for option in wrong])
        self.tried.answers += answers
        for option, answer in zip(wrong, answers):
            if isinstance(answer, Missing):
                option |= {"aligned": None, "undefined": [], "reason": answer.reason}
            else:
                option |= {"aligned": answer.value.aligned, "undefined": answer.value.undefined}

    async def _ask_alignment(self, latex: str) -> Answer[Alignment]:
        known = {token for (token,) in self.maker.around.habits.counts[0]}
        inputs = {**self.context, "equation": latex}
        return await ask(self.engine, _ALIGN, inputs, lambda reply: _read_alignment(reply, latex, known))

    def _finish(self, question: Record) -> None:
        """Sign the question, if it passes the filter."""
        aligned = [option["aligned"] for option in question["options"] if not option["correct"]]
        if self.asking.filter and not any(one is not False for one in aligned):
            self.tried.reason = "no wrong option keeps to the notation of the text"
        elif self.maker.options.all_aligned and not is_aligned(question):
            self.tried.reason = UNALIGNED
        else:
            prompts: list[Prompt[Any]] = [_PROPOSE, _ALIGN] if self.asking.filter else [_PROPOSE]
            question["digest"] = digest(question)
            options = {**self.maker.options.parameters(), **self.asking.parameters()}
            answers, input = self.tried.answers, self.maker.input()
            sign(self.engine, question, COMMAND, "questions", prompts, answers, options, input)
            self.tried.question = question


def _read_alignment(reply: Alignment, latex: str, known: set[str]) -> Alignment:
    """Validate that the symbols of a reply occur in the option, but not in the formulas of the context.

    Raises:
        ReplyFault: a symbol violates this, or the list and the verdict disagree.
    """
    if reply.aligned == bool(reply.undefined):
        raise ReplyFault('"aligned" is true where "undefined" is empty, and false where it names symbols')
    own = option_tokens(latex)
    for symbol in reply.undefined:
        tokens = option_tokens(symbol)
        if not tokens or f" {' '.join(tokens)} " not in f" {' '.join(own)} ":
            raise ReplyFault(f'the symbol "{symbol}" is not in the equation')
        if all(token in known for token in tokens):
            raise ReplyFault(f'the symbol "{symbol}" stands in a formula of the text')
    return reply
