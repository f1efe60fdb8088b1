"""Every task that asks a model: its command line, and a paper that holds what it reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from support.claims import answer as answer_of_claims
from support.run import jsonl, st
from support.server import Server, facets

ABSTRACT = "We ask why bees are few. We planted ten hedges. Bees came back within two years. So plant more hedges."
LATEX = "y = a + b c"
METHOD = f"Let $a$, $b$ and $c$ be counts. Then {LATEX} holds, and $y$ grows."
PAPER: dict[str, Any] = {
    "id": "p1",
    "title": "Hedges and bees",
    "abstract": ABSTRACT,
    "sections": [
        {"id": "s1", "number": None, "heading": "Introduction", "level": 1, "role": "introduction",
         "text": "Bees are few. We show that hedges bring bees back. Our method counts bees at each hedge."},
        {"id": "s2", "number": None, "heading": "Method", "level": 1, "role": "method", "text": METHOD},
        {"id": "s4", "number": None, "heading": "Experiments", "level": 1, "role": "experiment",
         "text": "We counted bees at ten hedges over two years. The count rose from 12 to 48."},
        {"id": "s3", "number": None, "heading": "Limitations", "level": 1, "role": "limitation",
         "text": "We studied one valley only. Rare species were not counted."},
    ],
    "equations": [{"id": "e1", "latex": LATEX, "label": None,
                   "span": {"in": "s2", "start": METHOD.index(LATEX), "end": METHOD.index(LATEX) + len(LATEX)}}],
    "reviews": [{"id": "r1", "text": "The claim that hedges bring bees back is not supported, since one valley was studied."}],
    "summaries": [{"system": "a", "text": "Hedges bring bees back. Plant more."}],
}  # fmt: skip
ITEMS = {
    "limitations": "Only one valley was studied.",
    "experiments": "Count bees at ten hedges over two years.",
    "explanations": "To see whether there are more bees.",
}
# Long enough to be cut into parts.
REVIEW = (
    "The paper is clear. However, the claim that hedges bring bees back is not supported, since only one valley was "
    "studied. Ten hedges are too few to tell chance from effect, and the authors count bees in June alone, when most "
    "fields flower anyway. I would like to see a second valley, a longer count, and hedges of other plants, before I "
    "believe what is said here."
)
Prepare = Callable[[dict[str, str]], bytes]


# Steps are given, which a model of this size writes only at length.
CRITERIA = {
    "task": "a summary of a paper",
    "candidate": "summaries",
    "context": ["abstract"],
    "aspects": [{"name": "clear", "definition": "How clear the summary is.", "scale": [1, 3], "low": "It is unclear.",
                 "high": "It is clear.", "steps": ["Read the summary.", "Judge how clear it is."],
                 "sub_aspects": [{"name": "words", "definition": "Whether its words are known."}],
                 "examples": [{"source": {"abstract": f"Ants {n}."}, "id": f"ants{n}#t1", "candidate": f"Ants {n}.", "score": n % 3 + 1} for n in range(5)],
                 "fitted": {"autocalibrate": {"definition": "How plain it is.", "levels": {"1": "dark", "3": "clear"}}}}],
}  # fmt: skip


def paper(*drop: str, **more: Any) -> bytes:
    return jsonl({name: value for name, value in {**PAPER, **more}.items() if name not in drop})


def after(
    *line: str, data: Callable[[dict[str, str]], bytes] = lambda _: paper(), played: Callable | None = None
) -> Prepare:
    """What a command makes, without a model or by one that is played so."""

    def prepare(env: dict[str, str]) -> bytes:
        if played is None:
            return st(*line, input=data(env)).out
        with Server(answer=played) as server:
            done = st(*line, "--model", "openai/played", input=data(env), env={**env, **server.environment})
        assert done.status == 0, done.err
        return done.out

    return prepare


def given(*names: str) -> Prepare:
    """The paper with lists of items, and those that a system generated."""
    items = {name: [{"id": "i1", "text": ITEMS[name]}] for name in names}
    generated = {name: [{"system": "a", "items": [{"id": "g1", "text": ITEMS[name]}]}] for name in names}
    if "limitations" in names:
        items["limitations"][0] |= {"origin": "author", "mode": "explicit"}
    return lambda _: paper(**items, generated=generated)


def rated() -> Prepare:
    """Papers whose summaries people have rated."""
    texts = ("Hedges bring bees back.", "Bees: few.", "Plant more hedges, and count.")
    summaries = [
        [
            {"system": system, "text": f"{text} ({number})", "human": n + 1}
            for n, (system, text) in enumerate(zip("abc", texts))
        ]
        for number in range(2)
    ]
    return lambda _: b"".join(paper(id=f"p{number}", summaries=one) for number, one in enumerate(summaries))


TARGETS = after("st-claims", "associate", data=after("st-claims", "weaknesses", data=after("st-claims", "extract")))


class Task(NamedTuple):
    """A command line, and what it reads."""

    line: tuple[str, ...]
    prepare: Prepare = lambda _: paper()
    more: tuple[str, ...] = ()


TASKS = [
    Task(("st-facets",)),
    Task(("st-extract-limits",)),
    Task(("st-extract-limits", "--merge")),
    Task(("st-claims", "select"), more=("--topic", "ecology")),
    Task(("st-claims", "extract"), lambda _: paper(sections=PAPER["sections"][:1])),
    Task(("st-claims", "weaknesses"), after("st-claims", "extract")),
    Task(("st-claims", "associate"), after("st-claims", "weaknesses", data=after("st-claims", "extract"))),
    Task(("st-claims", "label"), TARGETS),
    Task(("st-claims", "edit"), TARGETS),
    Task(("st-claims", "verify"), TARGETS, ("--side", "both")),
    Task(("st-claims", "contamination"), lambda _: paper(reviews=[{"id": "r1", "text": REVIEW}])),
    Task(("st-generate", "limitations"), after("st-extract-limits")),
    Task(("st-generate", "weaknesses")),
    Task(("st-generate", "weaknesses", "--combine", "model"), more=("--split-words", "40")),
    Task(("st-generate", "weaknesses", "--ensemble", "2"), more=("--reflect", "1")),
    Task(("st-generate", "experiments")),
    Task(("st-generate", "explanations"), given("experiments")),
    Task(("st-generate", "explanations", "--leaks", "builtin"), given("experiments"), ("--layout", "list")),
    Task(("st-generate", "questions")),
    Task(("st-judge", "facets"), after("st-facets", played=facets)),
    Task(("st-judge", "match"), given("limitations")),
    Task(("st-judge", "entail"), given("experiments")),
    Task(("st-judge", "review"), lambda _: paper(reviews=[{"id": "r1", "text": REVIEW}]), ("--segment",)),
    Task(
        ("st-judge", "same-issue"),
        after("st-claims", "verify", "--side", "both", data=TARGETS, played=answer_of_claims),
    ),
    Task(("st-judge", "specificity"), after("st-claims", "edit", data=TARGETS, played=answer_of_claims)),
    Task(("st-judge", "rate"), more=("--candidate", "summaries")),
    Task(
        ("st-judge", "rate", "--method", "geval"),
        more=("--candidate", "summaries", "--weights", "logprobs", "--aspects", "CRITERIA"),
    ),
    *(
        Task(("st-judge", "rate", "--method", method), more=("--candidate", "summaries", "--aspects", "CRITERIA"))
        for method in ("autocalibrate", "coascore", "icl")
    ),
    *(  # whose samples must differ
        Task(
            ("st-judge", "rate", "--method", method),
            more=("--candidate", "summaries", "--samples", "2", "--temperature", "0.7", "--aspects", "CRITERIA"),
        )
        for method in ("analyze-rate", "rate-explain")
    ),
    Task(("st-judge", "fit", "geval"), lambda _: b"", ("--aspects", "CRITERIA")),
    Task(("st-judge", "fit", "coascore"), lambda _: b"", ("--aspects", "CRITERIA")),
    Task(("st-judge", "fit", "autocalibrate"), rated(), ("--label", "human", "--split", "1", "--aspects", "CRITERIA")),
    Task(("st-eqsynth",), more=("--compile", "off", "--tries", "2")),
    Task(("st-judge", "equation"), after("st-eqsynth", "--per-paper", "1", "--compile", "off")),
]


def name_of(task: Task) -> str:
    return " ".join([*task.line, *task.more[-1:]]).replace("--", "")
