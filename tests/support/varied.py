"""Command lines and inputs for which every option has an effect, and a mock model that depends on the whole request."""

from __future__ import annotations

import copy
import csv
import hashlib
import io
import json
import math
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
from support import everything
from support.claims import NUMBERED, SENTENCE, targeted
from support.pictures import png
from support.raters import batch_of, questions, rate
from support.run import ROOT, jsonl, st
from support.server import completion

from scholartools.commands.shared.man import load_command

Record = dict[str, Any]

MODEL = ("--model", "openai/mock", "--temperature", "1", "--seed", "5")
CLAIMS = ROOT / "fixtures" / "claims.jsonl"
CLAIMED = json.loads(CLAIMS.read_text().splitlines()[0])
KNOWN = CLAIMED["reviews"][0]["text"].split()  # words of a review that the mock model has memorised
# Folders of prompts, and the first sentence of their prompts; several, since two may get the same yes/no reply.
PROMPTS = {
    "prompts": "Take care.",
    "slow": "Take time.",
    "exact": "Be exact.",
    "strict": "Be strict.",
    "fair": "Be fair.",
}
FENCED = re.compile(r"^([a-z]+-[0-9a-f]{6,})\n(.*?)\n\1$", re.S | re.M)


class Mindful:
    """``Server(respond=Mindful())``: the reply is a function of the whole request, and of ``mood``.

    Texts of replies are sentences quoted in the prompt. The samples of a request with a seed and ``n`` equal the
    replies to single requests with consecutive seeds.

    Attributes:
        mood: seed of the replies that is not part of the request.
    """

    def __init__(self) -> None:
        self.schemas: dict[str, Record] = {}
        self.mood = ""

    def __call__(self, body: Record, time: int) -> tuple[int, Any, dict[str, str]]:
        asked = {key: value for key, value in body.items() if key not in ("n", "seed", "stream")}
        choices = []
        for place in range(body.get("n", 1)):
            drawn = json.dumps([asked, body.get("seed", 0) + place], sort_keys=True)
            rng = random.Random(hashlib.sha256(f"{drawn}{self.mood}".encode()).hexdigest())
            choice = {**completion(self.say(body, rng), "stop")["choices"][0], "index": place}
            if body.get("logprobs"):
                choice["logprobs"] = {"content": chances(choice["message"]["content"], rng)}
            choices.append(choice)
        return 200, {**completion("", "stop"), "choices": choices}, {}

    def say(self, body: Record, rng: random.Random) -> str:
        parts = [one["content"] for one in body["messages"]]
        prompt = "\n".join(part if isinstance(part, str) else part[0]["text"] for part in parts)
        # A request for text that describes its form has the schema of the earlier request with this form.
        kind = (
            hashlib.sha256(str(parts[0]).encode()).hexdigest() + (re.search(r"of this form:\n(.*)", prompt) or [""])[0]
        )
        schema = ((body.get("response_format") or {}).get("json_schema") or {}).get("schema") or self.schemas.get(kind)
        if schema is None:
            return spoken(body["messages"], prompt, rng)
        self.schemas[kind] = schema
        return json.dumps(Drawn(prompt, schema.get("$defs", {}), rng).value(schema))


def spoken(messages: list[Record], prompt: str, rng: random.Random) -> str:
    """Reply to a request without a schema: a rating or a question."""
    if "<thinking>" in prompt:
        parts = f"<problem>p</problem><method>m</method><question>Can it be {rng.randrange(999)}?</question>"
        return f"<thinking>So.</thinking><research_question>{parts}</research_question>"
    if "Reply with that one question" in prompt or "one question" in prompt and "Rating" not in prompt:
        return f"Can it be {rng.randrange(999)}?"
    said = rate(messages, rng.randrange(6))
    if re.search(r"exactly \d+ (steps|parts)", prompt):
        return said
    rated = re.sub(r"(?<=^Rating: )\d$|^\d$", lambda _: str(rng.randrange(3)), said, flags=re.M)
    # One in four scores has a form that --published does not read; one in six replies has no number.
    form = rng.choice(["Rating (0-2): ", "Rating: ", "Rating: ", "Rating: "])
    rated = re.sub(r"^Rating: (?=\d$)", form, rated, flags=re.M)
    return rated if rng.randrange(6) else re.sub(r"\d$", "unclear", rated, flags=re.M)


def chances(said: str, rng: random.Random) -> list[Record]:
    """Log probabilities of the tokens of a rating."""
    found = []
    for token in re.findall(r"\d|\D+", said):
        names = [token, *(one for one in "012" if one != token)] if token.isdigit() else [token]
        shares = [rng.random() + 0.1 for _ in names]
        tops = [{"token": one, "logprob": math.log(0.97 * share / sum(shares))} for one, share in zip(names, shares)]
        found.append({**tops[0], "top_logprobs": tops})
    return found


class Drawn:
    """Random values of a schema for a prompt."""

    def __init__(self, prompt: str, defs: Record, rng: random.Random) -> None:
        self.prompt, self.defs, self.rng = prompt, defs, rng
        self.ids = [int(number) for number in re.findall(r'^\{"id": (\d+), "text"', prompt, re.M)]
        self.listed = [(int(number), json.loads(text)) for number, text in NUMBERED.findall(prompt)]
        self.texts = [text for _, text in FENCED.findall(prompt)]

    def value(self, kind: Record, name: str = "") -> Any:
        if "$ref" in kind:
            return self.value(self.defs[kind["$ref"].rsplit("/", 1)[1]], name)
        if "anyOf" in kind:
            return self.value(kind["anyOf"][0], name)
        if "enum" in kind or "const" in kind:
            return self.rng.choice(kind.get("enum") or [kind["const"]])
        if name == "paper":
            return 0
        if kind.get("type") == "array":
            return self.items(kind, name)
        if kind.get("type") == "object":
            return self.object(kind)
        if kind.get("type") == "boolean":
            return self.rng.random() < 0.5
        if kind.get("type") in ("integer", "number"):
            return self.rng.randint(int(kind.get("minimum", 1)), int(kind.get("maximum", 3)))
        return self.text(name)

    def object(self, kind: Record) -> Record:
        made = {key: self.value(one, key) for key, one in kind.get("properties", {}).items()}
        if {"number", "text"} <= made.keys() and self.listed:
            made["number"], made["text"] = self.rng.choice(self.listed)
        return made

    def items(self, kind: Record, name: str) -> list[Any]:
        made = [self.value(kind["items"], name) for _ in self.ids or range(8 if name == "parts" else 2)]
        if name == "parts":
            count = int(re.search(r"exactly (\d+) parts", self.prompt)[1])
            return [{**one, "name": f"part {n}"} for n, one in enumerate(made[:count])]
        if made and isinstance(made[0], dict):
            if "id" in made[0]:
                return [{**one, "id": number} for one, number in zip(made, self.ids)]
            if "label" in made[0] and (batch := batch_of(self.prompt)):
                return [{**made[0], "label": one["label"], "score": self.rng.randrange(3)} for one in batch]
        made = made[:2] if name != "evidence" else made[:1]
        return [one for place, one in enumerate(made) if one not in made[:place]]

    def equation(self) -> str:
        """The equation in the prompt, with one sign, letter or digit replaced by another one of the equation."""
        shown = re.search(r"in LaTeX:\n([a-z]+-[0-9a-f]+)\n(.*?)\n\1$", self.prompt, re.S | re.M)
        tokens = re.findall(r"\\[a-zA-Z]+|\\.|.", shown[2], re.S)
        for kind in self.rng.sample([r"[+-]", r"[a-zA-Z]", r"[0-9]"], 3):
            places = [place for place, token in enumerate(tokens) if re.fullmatch(kind, token)]
            if len(places) > 1:
                tokens[self.rng.choice(places)] = self.rng.choice([tokens[place] for place in places])
                break
        return "".join(tokens)

    def text(self, name: str) -> str:
        if name == "label":
            return "text_0"
        if name == "continuation":
            words = " ".join(self.texts).split()
            known = KNOWN[len(KNOWN) // 2 + self.rng.randrange(9) :]
            return " ".join([*self.rng.sample(words, len(words) // 2), *known[: self.rng.randrange(12)]])
        if name == "latex":
            return self.equation()
        quotable = [one.strip() for text in self.texts[-2:] for one in SENTENCE.findall(text) if len(one) > 12]
        if name in ("reasoning", "edited", "title", "analysis") or not quotable:
            return f"It is {self.rng.randrange(99999)}."
        return self.rng.choice(quotable)


def illustrated(folder: Path) -> bytes:
    """Two papers with claims, weaknesses, targets by two systems, and two figures mentioned in the text.

    One review mentions no claims; one weakness has no target by gold.
    """
    made = []
    for base in [json.loads(line) for line in CLAIMS.read_text().splitlines()[:2]]:
        record = copy.deepcopy(targeted(base, 2))
        record["captions"] = []
        for number in (1, 2):
            (folder / f"{number}.png").write_bytes(png(number))
            record["captions"].append({
                "id": f"figure{number}", "kind": "figure", "label": f"Figure {number}", "text": f"Figure {number}: It.",
                "page": 1, "image": str(folder / f"{number}.png"),
            })  # fmt: skip
        record["sections"] = [
            {**one, "text": f"{one['text']}\n\nSee Figures 1 and 2 and what we claim of them."} if n == 0 else one
            for n, one in enumerate(record["sections"])
        ]
        first, second = record["weaknesses"]
        first["targets"].append({"system": "a", "by": "ben", "items": second["targets"][0]["items"]})
        second["targets"] = [
            {"system": "gold", "by": "anna", "items": []},
            {**first["targets"][0], "system": "a", "by": "ben"},
        ]
        for weakness in record["weaknesses"]:
            weakness["labels"] = [{"system": "x", "by": "x", "objectivity": 3, "agreement": 3, "types": ["novelty"]}]
        record["reviews"].append({"id": "r9", "text": "The figures are pretty. We like the soil."})
        record |= {"submitted": "2019-05-01", "submitted_2": "2021-05-01"}
        made.append(record)
    return jsonl(*made)


class Line(NamedTuple):
    """A command line with an input for which its options have an effect.

    Attributes:
        asks: whether the command calls the mock model.
        only: options that are varied on this line; "" for all.
    """

    args: tuple[str, ...]
    make: Callable[[Path], bytes]
    asks: bool = False
    only: str = ""


def command_paths() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield every command and task with the words that name it."""
    for path in sorted((ROOT / "bin").iterdir()):
        main = load_command(path.name.removeprefix("st-").replace("-", "_"))
        yield from _paths((path.name,), main)


def _paths(words: tuple[str, ...], command: click.Command) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            yield from _paths((*words, name), inner)
    else:
        yield words, command


def judged(_: Path) -> bytes:
    """Records with all inputs of the judges, without judgements."""
    made = []
    for seed in (1, 2, 3):
        record = everything.verified_record(seed) | {"id": f"p{seed}"}
        record["reviews"].append(
            {"id": "r2", "text": " ".join(f"The corpus is small {n}. It is good." for n in range(9))}
        )
        record["truth"] = {"background": "Bees fly.", "method": "We count.", "result": None, "conclusion": "So."}
        record["said"] = [
            {"system": "x", "background": "Bees fly.", "method": None, "result": "38", "conclusion": "No."}
        ]
        made.append(record)
    return jsonl(*made)


def matched(folder: Path) -> bytes:
    """Records with judgements of matches of limitations."""
    return st("st-judge", "match", input=judged(folder), is_described=False).out


def scored(_: Path) -> bytes:
    """Records with all inputs of the metrics, from several venues."""
    made = []
    for seed in range(6):
        record = everything.whole_record(seed) | {"id": f"p{seed}", "venue": f"v{seed % 2}", "lab": f"l{seed % 3}"}
        made.append(record)
    return jsonl(*made)


def sampled(folder: Path) -> bytes:
    """Records whose systems are runs of one system; a run repeats its items in all papers, another once has none."""
    made = []
    for place, record in enumerate(json.loads(line) for line in scored(folder).splitlines()):
        for number, entry in enumerate(record["generated"]["weaknesses"], 1):
            entry["system"] = f"r#{number}"
            if number == 1 and place:
                entry["items"] = made[0]["generated"]["weaknesses"][0]["items"]
        if place == 2:
            record["generated"]["weaknesses"][1]["items"] = []
        made.append(record)
    return jsonl(*made)


def inflected(_: Path) -> bytes:
    """A summary with other inflections than the abstract."""
    return jsonl(
        {"id": "p", "abstract": "Hedges feed bees.", "summaries": [{"system": "s", "text": "A hedge feeds a bee."}]}
    )


def alike(_: Path) -> bytes:
    """Weaknesses of a system with various similarities to one another."""
    texts = [
        "The corpus of bees is small.",
        "The corpus of bees is too small.",
        "A corpus of bees is small indeed.",
        "No test is run.",
    ]
    items = [{"id": f"w{n}", "text": text} for n, text in enumerate(texts)]
    return jsonl(*(
        {"id": f"p{n}", "generated": {"weaknesses": [{"system": "s", "by": "m", "items": items[n:]}]},
         "reviews": [{"id": "r1", "text": texts[0]}], "weaknesses": [{**items[0], "review": "r1", "by": "x"}]}
        for n in range(3)
    ))  # fmt: skip


def chanced(_: Path) -> bytes:
    """Probabilities and outcomes."""
    rng = random.Random(8)
    return jsonl(*({"item": f"i{n}", "method": "m", "score": rng.random(), "even": n % 2} for n in range(40)))


def agreed(folder: Path) -> bytes:
    """Coefficients of agreement with intervals."""
    return st("st-agree", "alpha", "agreement", "--ci", input=rated(folder)).out


def rated_questions(_: Path) -> bytes:
    """Papers with questions of two systems, human scores, and alternative keys with other values."""
    made = []
    for n in range(8):
        record = questions(f"Why are bees {n}? [2]", f"Can hedge {n} help them? [1]", name=f"p{n}")
        record["generated"]["questions"].append(
            {
                "system": "t",
                "items": [{"id": "q1", "text": f"Is it soil {n}? [0]"}, {"id": "q2", "text": f"Or rain {n}? [1]"}],
            }
        )
        record["mine"] = [{"system": "x", "items": [{"id": "y1", "text": f"What of {n}? [1]"}]}]
        for entry in record["generated"]["questions"]:
            entry["who"] = entry["system"].upper()
            for place, item in enumerate(entry["items"]):
                item["name"] = f"n{place}"
                item["human"] = {aspect: (n + place) % 3 for aspect in ("problem", "method", "type")}
                item["human"]["type"] = n % 2
                item["other"] = {aspect: (n * place) % 2 for aspect in ("problem", "method", "type")}
        record["target"] = f"Do hedges of {n} bring bees back?"
        record |= {"bench": f"b{n // 4}", "lab": f"l{n // 2}"}
        made.append(record)
    return jsonl(*made)


def sheets(folder: Path) -> bytes:
    """Questions; writes two sheets with ratings of them."""
    given = rated_questions(folder)
    rows = list(csv.DictReader(io.StringIO(st(*RATE[:1], "sheet", input=given).out.decode("utf-8-sig"))))
    for name, rating in (("anna", "0"), ("ben", "1")):
        with (folder / f"{name}.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(
                {key: rating if key.startswith("problem") else kept for key, kept in row.items()} for row in rows
            )
    return given


def fetched(folder: Path) -> bytes:
    """No records; writes two lists of fetched files, with one local file each."""
    for name in ("fig-width.pdf", "paper.pdf"):
        path = ROOT / "fixtures" / "paper" / name
        known = {"kind": "pdf", "path": str(path), "url": "https://arxiv.org/e-print/2401.00001",
                 "bytes": path.stat().st_size, "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
                 "date": "2024-01-01", "terms": "as they are"}  # fmt: skip
        (folder / f"{name}.jsonl").write_bytes(jsonl({"id": "p", "title": "It", "files": [known]}))
    return b""


def batch_rated(_: Path) -> bytes:
    """Ratings of texts by batcheval, in other batches in each of eight rounds."""
    rng = random.Random(4)
    names = [(f"p{n}", f"q{item}") for n in range(10) for item in (1, 2)]
    found: dict[tuple[str, str], list[tuple[float, int, list[str]]]] = {name: [] for name in names}
    for _round in range(8):
        order = rng.sample(names, len(names))
        for start in range(0, len(order), 4):
            batch = order[start : start + 4]
            for slot, (paper, item) in enumerate(batch, 1):
                mates = [f"{a}/s/{b}" for a, b in batch if (a, b) != (paper, item)]
                found[paper, item].append((rng.randrange(3), slot, mates))
    return jsonl(*(
        {"id": paper, "judgements": {"rate": [
            {"system": "s", "item": item, "method": "batcheval", "aspect": "problem", "by": "m", "in": "generated.questions",
             "scale": [0, 2], "normal": 0.5, "text": "0" * 16, "seen_in_fit": False, "calls": [],
             "usage": {"replies": 1, "prompt_tokens": 1, "completion_tokens": 1, "cost": None}, "samples": [one[0] for one in found[paper, item]],
             "score": sum(one[0] for one in found[paper, item]) / 8, "from": "rounds",
             "batch": {"pool": "w", "round_scores": [one[0] for one in found[paper, item]],
                       "slots": [one[1] for one in found[paper, item]], "mates": [one[2] for one in found[paper, item]]}}
            for item in ("q1", "q2")]}}
        for paper in sorted({name for name, _ in names})
    ))  # fmt: skip


def equations_paper(_: Path) -> bytes:
    """A paper with two short equations and a display of two statements."""
    latex = ["y = a + b c - \\frac{d}{e}", "z = a^2 - b_1 + \\sqrt{c}", "u = a, \\quad v = b + c"]
    text, equations = "Let $a b c d e u v z$ be. ", []
    for place, one in enumerate(latex, 1):
        span = {"in": "s1", "start": len(text), "end": len(text) + len(one)}
        equations.append({"id": f"e{place}", "latex": one, "span": span, "label": None})
        text += f"{one} And here $y = a + b c$ is of use, as $b_1$ is. "
    section = {"id": "s1", "number": None, "heading": "One", "level": 1, "role": "method", "pages": [], "text": text}
    return jsonl({"id": "p", "title": "A title", "sections": [section], "equations": equations})


def undecided(_: Path) -> bytes:
    """A paper with an equation for which most wrong versions are not certified to differ."""
    latex, text = r"f'' (x) = \int_a^b g(t) \, dt", "Let it be "
    span = {"in": "s1", "start": len(text), "end": len(text) + len(latex)}
    section = {
        "id": "s1",
        "number": None,
        "heading": "One",
        "level": 1,
        "role": "method",
        "pages": [],
        "text": f"{text}{latex} here.",
    }
    return jsonl(
        {"id": "p", "sections": [section], "equations": [{"id": "e1", "latex": latex, "span": span, "label": None}]}
    )


def slipped(folder: Path) -> bytes:
    """Questions; the options of one were modified."""
    made = [json.loads(one) for one in equation_questions(folder).splitlines()] * 2
    changed = copy.deepcopy(made[0])
    changed["options"][0]["latex"] += "+1"
    return jsonl(changed, *({**one, "id": f"q{n}", "paper": f"p{n}"} for n, one in enumerate(made)))


def equation_questions(folder: Path) -> bytes:
    made = st("st-eqsynth", "--seed", "1", "--compile", "off", input=equations_paper(folder)).out
    return b"".join(made.splitlines(keepends=True)[:2])


def pairs(_: Path) -> bytes:
    return jsonl(
        {"id": "p", "positive": "y = x + 1", "alternative": "y = x - 1"},
        {"id": "q", "positive": "x", "alternative": "y"},
    )


def summaries(_: Path) -> bytes:
    return b"".join((ROOT / "fixtures" / "summaries.jsonl").read_bytes().splitlines(keepends=True)[:2])


def rated(_: Path) -> bytes:
    """Ratings in which each key has an alternative ("item_2") with other values, so that key options have an effect."""
    rng = random.Random(1)
    rows = [
        {"item": f"i{i}", "rater": rater, "label": label, "value": max(1, min(5, i % 5 + 1 + rng.randint(-1, 1)))}
        for i in range(18) for label in ("clear", "new") for rater in ("anna", "ben", "judge") if i % 7 or rater != "ben"
    ]  # fmt: skip
    other = {"anna": "b", "ben": "j", "judge": "judge"}
    for place, row in enumerate(rows):
        row |= {"item_2": f"{row['item']}x", "rater_2": other[row["rater"]], "label_2": row["label"].upper()}
        row |= {"row": place, "value_2": 6 - row["value"] if place % 3 else 1, "paper": f"p{int(row['item'][1:]) // 3}"}
    rows[5]["value"] = "NA"
    return jsonl(*rows)


def spanned(_: Path) -> bytes:
    """Spans marked by three raters, with an alternative for each key."""
    rng = random.Random(3)
    words = "the claim that hedges feed bees is not shown by any of the tables of this paper at all".split()
    rows = []
    for i in range(12):
        for rater in ("anna", "ben", "judge"):
            start = rng.randrange(6)
            said = [" ".join(words[start : start + 4 + rng.randrange(6)])]
            rows.append({"item": f"i{i}", "item_2": f"{i}x", "rater": rater, "rater_2": rater[0], "label": "a" if i % 2 else "b",
                         "label_2": "c", "value": said, "value_2": said[: i % 2], "paper": f"p{i // 3}"})  # fmt: skip
    rows[4]["value"], rows[7]["value"], rows[10]["value"] = None, "NA", "gone"
    return jsonl(*rows)


def measured(
    *, methods: tuple[str, ...] = ("close", "far"), runs: int = 1, unrated: bool = False
) -> Callable[[Path], bytes]:
    """Function that returns scores by methods and people, in long form, with alternatives for the keys."""
    rng = random.Random(2)
    made = jsonl(*(
        {"item": f"i{i}", "item_2": f"j{i}", "method": method, "method_2": method * 2, "run": f"r{run}", "paper": f"p{i // 3}",
         "run_2": f"q{run}", "score_2": rng.random(), "even": i % 2,
         "score": "NA" if i == 7 else (i % 5) / 8 * (1 if method == "close" else 0.2) + rng.random() / 2,
         "human": None if unrated and i % 3 == 0 else i % 5, "human_2": None if unrated and i % 3 == 0 else rng.randint(0, 2),
         "words": rng.randint(5, 50), "words_2": rng.randint(5, 50), "year": 2000 + i, "system": f"s{i % 4}", "venue": "v",
         "tokens": rng.randint(10, 99), "tokens_2": 7, "cost": rng.random(), "cost_2": 1.0, "seen_in_fit": i == 23}
        for i in range(24) for method in methods for run in range(runs)
    ))  # fmt: skip
    return lambda _: made


def ranked(_: Path) -> bytes:
    """Scores of texts by three systems for each item, in long form, with alternative keys that yield other pairs."""
    rng = random.Random(6)
    return jsonl(*(
        {"item": f"i{i}", "item_2": f"j{(i + 1) // 2}/{s}" if s else f"j{i}", "system": f"s{s}", "system_2": f"t{(s + i) % 3}",
         "method": method, "method_2": method * 2, "score": "NA" if i == 7 else rng.randint(0, 8) / 4, "score_2": rng.random(),
         "human": (i + s) % 3, "human_2": (i * s) % 4, "paper": f"p{i // 3}", "even": i % 2, "venue": "v", "seen_in_fit": i == 11}
        for i in range(12) for s in range(3) for method in ("close", "far")
    ))  # fmt: skip


def replies(_: Path) -> bytes:
    """Replies that the published patterns and the strict rules read differently."""
    texts = ["Rating: 2", "I would say 1, not 2", "Score: 7", "3/5", ""]
    return jsonl(*({"id": f"r{n}", "reply": text, "reply_2": "Rating: 1"} for n, text in enumerate(texts)))


def limited(folder: Path) -> bytes:
    """Papers with extracted limitations."""
    return st("st-extract-limits", input=illustrated(folder)).out


def papers(_: Path) -> bytes:
    """Papers to which a corpus is related, with extracted limitations."""
    return st("st-extract-limits", input=(RELATED / "papers.jsonl").read_bytes()).out


def related(folder: Path) -> bytes:
    """Papers with limitations, and with human experiments at two keys."""
    made = []
    for line in limited(folder).splitlines():
        record = json.loads(line)
        experiments = [{"id": f"x{n}", "text": f"Count them {n} times."} for n in range(2)]
        made.append(record | {"experiments": experiments, "probes": [{"id": "z1", "text": "Weigh them.", "spans": [
            {"in": record["sections"][1]["id"], "start": 0, "end": 9}]}]})  # fmt: skip
    return jsonl(*made)


RELATED = ROOT / "fixtures" / "related"
COLUMNS = ("--x", "score", "--y", "human", "--method", "method", "--item", "item")
EVEN = ("--x", "score", "--y", "even", "--method", "method", "--item", "item")
ONE = ("--x", "score", "--y", "human", "--item", "item")
ALT = ("--epsilon", "0.3", "--min-items", "3")
RATE = ("st-judge", "rate", "--only", "problem")

#: Lines of each command; each of its options has an effect on at least one of them.
LINES: dict[str, list[Line]] = {
    **{
        f"st-agree {stat}": [Line(("st-agree", stat), rated)]
        for stat in ("icc", "majority", "effect", "power")
    },
    "st-agree report": [
        Line(("st-agree", "report"), rated), Line(("st-agree", "report", "--without", "judge", "--without", "ben"), rated),
    ],
    "st-agree coefficients": [
        Line(("st-agree", "coefficients"), rated), Line(("st-agree", "coefficients", "--ci"), rated),
        Line(("st-agree", "coefficients", "--ci", "--leave-one-rater-out"), rated),
    ],
    "st-agree spans": [
        Line(("st-agree", "spans"), spanned),
        Line(("st-agree", "spans", "--ci"), spanned), Line(("st-agree", "spans", "--ci", "--leave-one-rater-out"), spanned),
    ],
    "st-agree concordance": [Line(("st-agree", "concordance"), rated)],
    "st-agree confusion": [Line(("st-agree", "confusion"), rated), Line(("st-agree", "confusion", "--weights", "linear"), rated)],
    "st-agree ceiling": [
        Line(("st-agree", "ceiling"), rated), Line(("st-agree", "ceiling", "--judge", "judge"), rated),
    ],
    "st-agree alt-test": [
        Line(("st-agree", "alt-test", "--judge", "judge", *ALT), rated),
        Line(("st-agree", "alt-test", "--judge", "value_2", "--item", "row", "--raters", "value,value_2", *ALT), rated),
    ],
    "st-agree correlate": [
        Line(("st-agree", "correlate", *COLUMNS), measured()), Line(("st-agree", "correlate", *COLUMNS, "--ci"), measured()),
        Line(("st-agree", "correlate", *COLUMNS, "--ci", "--compare", "close", "far"), measured()),
        Line(("st-agree", "correlate", *COLUMNS, "--ci", "--by", "system"), measured()),
    ],
    "st-agree pairwise": [
        Line(("st-agree", "pairwise", *COLUMNS, "--by", "system"), ranked),
        Line(("st-agree", "pairwise", *COLUMNS, "--by", "system", "--grouping", "none", "--fit-ties"), ranked),
    ],
    "st-agree rank": [
        Line(("st-agree", "rank", *COLUMNS, "--by", "system", "--grouping", "none"), ranked),
        Line(("st-agree", "rank", *COLUMNS, "--by", "system", "--fit-ties"), ranked),
        Line(("st-agree", "rank", *COLUMNS, "--by", "system", "--level", "system"), ranked),
    ],
    "st-agree calibrate": [
        Line(("st-agree", "calibrate", *EVEN, "--scale", "score"), measured()),
        Line(("st-agree", "calibrate", *EVEN, "--scale", "score", "--summary"), measured()),
    ],
    "st-agree errors": [
        Line(("st-agree", "errors", *EVEN), measured()),
        Line(("st-agree", "errors", *EVEN, "--items"), measured()),
        Line(("st-agree", "errors", *EVEN, "--signed"), measured()),
    ],
    "st-agree bias": [Line(("st-agree", "bias", *COLUMNS, "--of", "words"), measured())],
    "st-agree efficiency": [
        Line(("st-agree", "efficiency", *COLUMNS, "--tokens", "tokens", "--cost", "cost", "--margin", "0.3"), measured())
    ],
    "st-agree levels": [
        Line(("st-agree", "levels", *ONE, "--summary"), measured(methods=("close",))),
        Line(("st-agree", "levels", *ONE), measured(methods=("close",))),
    ],
    "st-agree conformal": [
        Line(("st-agree", "conformal", *ONE, "--confidence", "0.5"), measured(methods=("close",), unrated=True)),
    ],
    "st-agree mean": [Line(("st-agree", "mean", *ONE), measured(methods=("close",), unrated=True))],
    "st-agree runs": [Line(("st-agree", "runs", "--run", "run", *COLUMNS), measured(runs=2))],
    "st-agree parse-score": [
        Line(("st-agree", "parse-score", "--range", "1", "5"), replies),
        Line(("st-agree", "parse-score", "--range", "1", "5", "--summary"), replies),
    ],
    "st-agree fit-weights": [
        Line(("st-agree", "fit-weights", "--x", "words", "--x", "tokens", "--y", "human", "--max", "99", "--max", "99"),
             measured(methods=("close",))),
        Line(("st-agree", "fit-weights", "--x", "score", "--y", "human", "--max", "1"), measured(methods=("close",)), only="keep_blank"),
    ],
    "st-agree plot": [
        Line(("st-agree", "plot"), lambda folder: drawn(folder)),
        Line(("st-agree", "plot", "--kind", "scatter", *COLUMNS), measured(),
             only="kind x y item where missing keep_blank method each with_seen resamples interval confidence seed cluster"),
        Line(("st-agree", "plot", "--kind", "scatter", *COLUMNS, "--interval", "bootstrap"), measured(), only="resamples seed"),
        Line(("st-agree", "plot", "--kind", "reliability", *EVEN), chanced, only="bins"),
    ],
    "st-claims select": [
        Line(("st-claims", "select"), illustrated), Line(("st-claims", "select", "--topic", "bees", *MODEL), illustrated, True),
    ],
    "st-claims extract": [
        Line(("st-claims", "extract"), illustrated), Line(("st-claims", "extract", *MODEL), illustrated, True),
    ],
    "st-claims weaknesses": [
        Line(("st-claims", "weaknesses"), illustrated), Line(("st-claims", "weaknesses", *MODEL), illustrated, True),
    ],
    "st-claims associate": [
        Line(("st-claims", "associate"), illustrated),
        Line(("st-claims", "associate", "--system", "two", *MODEL), illustrated, True),
    ],
    "st-claims label": [
        Line(("st-claims", "label", "--from", "{f}/labels.jsonl", "--subjectivity", "as-objectivity"), illustrated, only="subjectivity"),
        Line(("st-claims", "label"), illustrated),
        Line(("st-claims", "label", "--targets", "gold", *MODEL), illustrated, True),
        Line(("st-claims", "label", "--targets", "gold", "--edit", *MODEL), illustrated, True),
    ],
    "st-claims edit": [Line(("st-claims", "edit", "--targets", "gold", *MODEL), illustrated, True)],
    "st-claims verify": [Line(("st-claims", "verify", "--targets", "gold", "--labels", "gold", *MODEL), judged, True),
                         Line(("st-claims", "verify", "--targets", "a", *MODEL), illustrated, True)],
    "st-claims contamination": [Line(("st-claims", "contamination", *MODEL), illustrated, True)],
    "st-eqsynth questions": [
        Line(("st-eqsynth", "questions", "--compile", "off"), equations_paper),
        Line(("st-eqsynth", "questions", "--compile", "off", "--filter", "model", *MODEL), equations_paper, True),
        Line(("st-eqsynth", "questions", "--compile", "off", "--design", "star"), undecided, only="keep"),
        Line(("st-eqsynth", "questions", "--compile", "off"), equations_paper, only="compile"),
        Line(("st-eqsynth", "questions", "--table"), slipped, only="shortcuts verify"),
        Line(("st-eqsynth", "questions", "--verify"), slipped, only="table"),
    ],
    "st-eqsynth compare": [Line(("st-eqsynth", "compare"), pairs)],
    "st-extract-limits": [
        Line(("st-extract-limits",), illustrated), Line(("st-extract-limits", *MODEL), illustrated, True),
        Line(("st-extract-limits", "--merge"), illustrated),
    ],
    "st-facets": [Line(("st-facets",), summaries), Line(("st-facets", *MODEL), summaries, True)],
    "st-generate limitations": [
        Line(("st-generate", "limitations", "--corpus", RELATED / "corpus.jsonl"), papers),
        Line(("st-generate", "limitations", "--corpus", RELATED / "corpus.jsonl", *MODEL), papers, True),
        Line(("st-generate", "limitations", "--corpus", RELATED / "corpus.jsonl", "--rerank", "none", *MODEL), papers, True),
    ],
    "st-generate weaknesses": [
        Line(("st-generate", "weaknesses", *MODEL), illustrated, True),
        Line(("st-generate", "weaknesses", "--split-words", "30", *MODEL), illustrated, True, "no_split"),
        Line(("st-generate", "weaknesses", "--corpus", "{f}/reviewed.jsonl"), illustrated),
    ],
    "st-generate experiments": [
        Line(("st-generate", "experiments", *MODEL), related, True),
        Line(("st-generate", "experiments", "--input"), related),
    ],
    "st-generate explanations": [
        Line(("st-generate", "explanations", *MODEL), related, True),
        Line(("st-generate", "explanations", "--system", "copy-input"), related),
    ],
    "st-generate questions": [
        Line(("st-generate", "questions"), illustrated), Line(("st-generate", "questions", *MODEL), illustrated, True),
    ],
    "st-judge facets": [Line(("st-judge", "facets"), judged), Line(("st-judge", "facets", *MODEL), judged, True)],
    "st-judge match": [
        Line(("st-judge", "match"), judged),
        Line(("st-judge", "match"), matched),
        Line(("st-judge", "match", "--layout", "row", *MODEL), judged, True),
    ],
    "st-judge entail": [Line(("st-judge", "entail"), judged), Line(("st-judge", "entail", *MODEL), judged, True)],
    "st-judge equation": [
        Line(("st-judge", "equation", "--system", "random"), equation_questions),
        Line(("st-judge", "equation", *MODEL), equation_questions, True),
    ],
    "st-judge review": [
        Line(("st-judge", "review", "--segment", *MODEL), judged, True), Line(("st-judge", "review", "--system", "all", "--segment"), judged),
    ],
    "st-judge same-issue": [Line(("st-judge", "same-issue", "--samples", "3", *MODEL), judged, True)],
    "st-judge specificity": [Line(("st-judge", "specificity", "--targets", "gold", *MODEL), judged, True)],
    "st-judge rate": [
        Line((*RATE, *MODEL), rated_questions, True),
        Line((*RATE, "--method", "geval", "--weights", "logprobs", *MODEL), rated_questions, True),
        Line((*RATE, "--method", "geval", "--samples", "4", *MODEL), rated_questions, True),
        Line((*RATE, "--method", "batcheval", "--batch-by", "bench", *MODEL), rated_questions, True),
        Line((*RATE, "--method", "coascore", *MODEL), rated_questions, True),
        Line((*RATE, "--baselines"), rated_questions),
    ],
    "st-judge fit": [
        Line(("st-judge", "fit", "autocalibrate", "--only", "problem", "--sizes", "2", "--trials", "1", *MODEL), rated_questions, True),
        Line(("st-judge", "fit", "icl", "--examples", "2"), rated_questions),
        Line(("st-judge", "fit", "geval", *MODEL), lambda _: b"", True),
        Line(("st-judge", "fit", "coascore", *MODEL), lambda _: b"", True),
    ],
    "st-judge pools": [Line(("st-judge", "pools", "--size", "2"), rated_questions)],
    "st-judge mates": [Line(("st-judge", "mates"), batch_rated)],
    "st-judge sheet": [
        Line(("st-judge", "sheet"), rated_questions),
        Line(("st-judge", "sheet", "--read", "{f}/anna.csv"), sheets, only="read"),
    ],
    "st-parse": [
        Line(("st-parse", ROOT / "fixtures" / "paper" / "paper.pdf"), lambda _: b""),
        Line(("st-parse", "{f}/hidden.pdf"), lambda _: b"", only="keep_hidden"),
        Line(("st-parse", "{f}/scan.pdf"), lambda _: b"", only="ocr"),
        Line(("st-parse", "--fetched", "{f}/fig-width.pdf.jsonl"), fetched, only="fetched"),
    ],
    "st-score": [
        Line(("st-score",), scored),
        Line(("st-score", "--summary"), scored),
        Line(("st-score", "soft", "--summary"), scored),
        Line(("st-score", "--compare", "a", "b"), scored),
        Line(("st-score", "rate", "--summary"), lambda folder: judged_questions(folder)),
        Line(("st-score", "soft", "--summary"), sampled),
        Line(("st-score", "text"), inflected),
        Line(("st-score", "soft", "--summary"), alike, only="itf_idf_threshold"),
    ],
    "st-table": [
        Line(("st-table", "claims"), scored), Line(("st-table", "scores"), lambda folder: st("st-score", input=scored(folder)).out),
        Line(("st-table", "scores", "--to", "markdown", "--columns", "system,value,score"),
             lambda folder: st("st-score", "soft", input=scored(folder)).out, only="best"),
        Line(("st-table", "dataset", "--output", "{f}/written/data"), scored, only="split license bundle"),
        Line(("st-table", "long", "--keys", "id,venue"), scored), Line(("st-table", "agree", "--to", "markdown"), lambda folder: agreed(folder)),
    ],
}  # fmt: skip


def drawn(folder: Path) -> bytes:
    """Results on repeated runs, for several values of a key."""
    rows = measured(runs=3)(folder)
    return st("st-agree", "runs", "--run", "run", *COLUMNS, "--each", "system", input=rows).out


def judged_questions(folder: Path) -> bytes:
    """Questions with ratings by the baselines."""
    return st(*RATE, "--baselines", input=rated_questions(folder), is_described=False).out


#: Options that do not change results: output, parallelism, costs, caching; and the format of the input.
ELSEWHERE = {
    "output", "quiet", "on_error", "jobs", "scheduler", "progress", "concurrency", "timeout", "retries", "max_cost", "max_calls", "budget", "batch", "batch_wait",
    "batch_file", "part_size",
    "dry_run", "replay", "no_cache", "refresh", "max_seconds", "max_memory", "input_format", "map", "max_wait",
    "max_reply", "endpoint_name", "any_endpoint", "shard", "single_calls", "version",
}  # fmt: skip

#: Options of model requests, common to all commands that call a model; varied on the first line with a model.
ASKING = {
    "model",
    "temperature",
    "top_p",
    "max_tokens",
    "response_format",
    "samples",
    "cache_namespace",
    "prompt_dir",
    "seed",
}

#: Values that have an effect, for options whose type does not imply any; by option, or by command and option.
#: ``{f}`` is the folder of :func:`files`. Text before ``|`` changes the line: options to add, or "without --range 3" to
#: remove an option of that number of words, if present.
VALUES: dict[str, list[str]] = {
    "st-claims edit corpus": ["--all|{f}/corpus.jsonl"], "st-claims label corpus": ["--all|{f}/corpus.jsonl"],
    "data": ["{f}/written/drawn.jsonl"], "st-generate experiments show_input": ["without --model 6|"],
    "st-eqsynth questions shortcuts": ["without --table 1|"], "st-eqsynth questions verify": ["without --table 1|"],
    "st-eqsynth questions table": ["without --verify 1|"], "bundle": [str(ROOT / "fixtures" / "questions" / "calls.jsonl.gz")],
    "read": ["{f}/ben.csv"], "fetched": ["{f}/paper.pdf.jsonl"],
    "files_from": ["{f}/files.txt"], "reviews": ["{f}/reviews.json"], "figures": ["{f}/figures"],
    "st-generate weaknesses corpus": ["{f}/fewer.jsonl"], "st-table columns": ["id"], "st-table where": ["by=x"], "sort": ["-id"],
    "wide": ["value=score"], "keys": ["id"], "best": ["score=high", "score=low"], "null": ["none"], "caption": ["--to latex|It"], "st-table label": ["--to latex|tab"],
    "license": ["lab"], "st-table split": ["venue"], "digits": ["--to markdown|1"], "st-table width": ["--to markdown|12"], "max": ["60"],
    "item": ["item_2"], "rater": ["rater_2"],
    **{f"st-agree {stat} item": ["item_2", "paper"] for stat in ("correlate", "runs", "bias", "efficiency", "mean", "fit-weights")},
    **{f"st-agree {stat} rater": ["rater_2", "paper"] for stat in ("icc", "majority")},
    "fdr": ["0.999999", "0.0000001"], "min_items": ["2", "99"], "st-judge rate min_mass": ["0.98"], "st-judge rate pool_limit": ["1", "4", "9"], "label": ["label_2"], "value": ["value_2"], "cluster": ["paper"],
    "where": ["label=clear", "even=0"], "missing": ["3", "0", "gone"], "judge": ["ben"], "without": ["judge"],
    "st-agree confusion order": ["1,3,2,4,5"], "order": ["--level ordinal|5,4,3,2,1"], "raters": ["value,value_2", "--item row|value,value_2,row"],
    "level_of": ["clear=ordinal"], "x": ["score_2"], "y": ["human_2"],
    "method": ["method_2"], "each": ["venue"], "by": ["system"], "st-agree pairwise by": ["system_2"], "st-agree rank by": ["system_2"], "draws": ["100"], "alpha": ["0.9", "0.0001"],
    "folds": ["2"], "st-agree calibrate y": ["human=2"], "st-agree calibrate scale": ["probability"], "within": ["paper"], "control": ["words"],
    "compare": ["close far"], "keep": ["--items|year"], "group": ["paper"], "of": ["words_2"], "tokens": ["tokens_2"],
    "cost": ["cost_2"], "margin": ["0.01", "1.9"], "fit_cost": ["close=3"], "fit_tokens": ["close=50000"], "run": ["run_2"], "bins": ["4", "truth"], "x_range": ["0 3"], "y_range": ["0 5"],
    "resamples": ["--interval bootstrap|100", "100"], "confidence": ["0.5", "0.8"],
 "st-agree spans where": ["label=a"],
    "itf_idf_threshold": ["0.1", "0.99", "none"], "st-generate weaknesses no_split": ["without --split-words 2|"],
    "st-agree parse-score reply": ["reply_2"], "st-agree parse-score published": ["without --range 3|"], "st-agree parse-score range": ["0 9"],
    "st-agree fit-weights x": ["words_2"], "st-agree fit-weights max": ["60"],
    "model": ["openai/other"], "temperature": ["0.3", "0.5", "0.7"], "top_p": ["0.3", "0.5", "0.7"],
    "max_tokens": ["99", "98", "97"], "samples": ["2"], "seed": ["8", "20", "32"], "system": ["mine"],
    "st-judge equation system": ["all-positive", "mine"], "st-judge review system": ["none", "mine"],
    "st-judge equation rotations": ["--format choice|"], "st-judge same-issue votes": ["3", "9"], "cache_namespace": ["mine"], "prompt_dir": ["{f}/prompts"], "st-claims select prompt_dir": [f"{{f}}/{name}" for name in PROMPTS], "corpus": ["{f}/corpus.jsonl"],
    "embedder": ["mine/model"], "st-judge match embedder": ["--prefilter 0.5|wordllama", "--prefilter 0.5|mine/model", "mine/model"], "bertscore": ["mine/model:1", "mine/model:2"], "dense_weight": ["0", "1"], "negatives": ["--design star|2"], "ops": ["sign,operator,exponent,index"], "per_paper": ["1"],
    "max_chars": ["20"], "masks": ["0"], "require": ["3"], "tries": ["1", "2", "3", "4"], "min_samples": ["1", "3"], "steps": ["3", "none"],
    "sub_aspects": ["2"], "batch_by": ["lab"], "aspects": ["{f}/aspects.json"], "label_path": [],
    "st-judge fit label": ["other.{{aspect}}"], "st-judge fit group": ["lab"], "sizes": ["3"], "key": ["part"], "size": ["3"],
    "st-judge rate reference": ["target"], "st-judge rate candidate": ["mine"], "st-judge rate context": ["title"],
    "st-judge fit reference": ["target"], "st-judge fit candidate": ["generated.questions"], "st-judge fit context": ["title"],
    "st-judge sheet reference": ["target"], "st-judge sheet candidate": ["mine"], "st-judge sheet context": ["title"],
    "system_key": ["who"], "item_key": ["name"], "only": ["method"], "st-judge rate methods": ["words", "analyze-rate"],
    "st-judge facets reference": ["truth"], "st-judge facets candidate": ["said"],
    "st-judge match reference": ["gold.limitations"], "st-judge match candidate": ["generated.weaknesses"],
    "st-judge entail reference": ["explanations"], "st-judge entail candidate": ["generated.explanations"],
    "segments_per_call": ["1"], "st-judge match threshold": ["0.1", "0.9"], "prefilter": ["0.99", "0.5"],
    "st-score reference": ["abstract"], "st-score candidate": ["summaries.text"], "truth": ["human", "{f}/truth.jsonl --key item"], "st-score key": ["--truth {f}/truth.jsonl|item"],
    "st-score compare": ["a b"], "st-score runs": ["a,b"], "st-score cluster": ["venue"], "st-score by": ["venue"],
    "st-score item": ["--compare a b|lab"], "compare_values": ["--compare a b|recall", "--compare a b|f1"], "median_of": ["r"], "median_by": ["--median-of r|recall", "--median-of r|n_items"], "st-score aspects": ["--truth human|builtin:rq"],
    "st-claims weaknesses people": ["{f}/people.jsonl"], "st-claims label people": ["--subjectivity reversed|{f}/labels.jsonl"],
    "st-claims associate people": ["{f}/targets.jsonl"], "targets": ["a"], "labels": ["a"], "cut_off": ["2020-01-01"],
    "submitted": ["--cut-off 2020-01-01|submitted_2"], "keywords": ["bees,hedge"], "topic": ["soil"], "roles": ["method"],
    "chunk_words": ["5", "40"], "context_words": ["20", "3"], "split_words": ["30", "4"], "max_words": ["20"],
    "st-generate weaknesses max_images": ["--images figures|1"], "st-generate experiments max_images": ["--images figures|1"],
    "st-generate explanations max_images": ["--images figures|1"], "max_images": ["1"], "merge_threshold": ["--merge|0.1"], "sections": ["abstract", "method"],
    "experiments": ["probes"], "before": ["x1", "s2"], "few_shot": ["{f}/examples.jsonl"], "media": [], "threshold": ["0.1", "0.9"],
}  # fmt: skip

ASPECTS = {
    "task": "a question", "candidate": "generated.questions", "context": ["abstract"],
    "aspects": [{"name": name, "scale": [0, 2], "definition": "Whether it is long.", "low": "No.", "high": "Yes."}
                for name in ("problem", "method")],
}  # fmt: skip
#: Work cited by a weakness of the first paper in the claims fixture.
CITED = {"id": "ortiz", "title": "Modal Verbs in Beam Search", "authors": ["A. Ortiz", "C. Bell"], "year": 2021,
         "abstract": "Modal verbs are rewarded during search."}  # fmt: skip


#: Mocks of the libraries of embedders, whose vectors depend only on the text.
HUB = {
    "torch/__init__.py": """
__version__, uint8 = "1", None
class cuda:
    is_available = staticmethod(lambda: False)
class inference_mode:
    __enter__ = __exit__ = lambda self, *_: None
""",
    "transformers/__init__.py": """
import hashlib
import numpy
__version__ = "1"
def drawn(text, rows):
    seed = int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)
    return numpy.random.default_rng(seed).normal(size=(rows, 8)).astype("float32")
class Array:
    def __init__(self, values):
        self.values = values
    __getitem__ = lambda self, place: Array(self.values[place])
    bool = lambda self: Array(self.values.astype(bool))
    numpy = lambda self: self.values
    cpu = lambda self: self
class Parts(dict):
    to = lambda self, device: self
class Model:
    max_seq_length, model_max_length, device = 99, 99, type("Device", (), {"type": "cpu"})
    def __init__(self, *_, **options):
        self.tokenizer = self.config = self
        self.num_hidden_layers = 2
    from_pretrained = classmethod(lambda cls, *_, **options: cls())
    float = eval = lambda self: self
    to = lambda self, device: self
    state_dict = get_vocab = lambda self: {}
    __str__ = lambda self: "model"
    get_embedding_dimension = lambda self: 8
    encode = lambda self, text, **options: drawn(text, 1)[0]
    def __call__(self, text="", return_tensors=None, **options):
        if options.get("output_hidden_states"):
            vectors = [[drawn(f"{layer} {word}", 1)[0] for word in options["words"]] for layer in range(3)]
            return type("Made", (), {"hidden_states": [Array(numpy.array([one])) for one in vectors]})
        words = text.split()
        mask = Array(numpy.array([[0] * len(words)]))
        return Parts(words=words, special_tokens_mask=mask) if return_tensors else {"input_ids": words}
AutoModel = AutoTokenizer = Model
""",
    "transformers/utils/__init__.py": "",
    "transformers/utils/logging.py": "disable_progress_bar = set_verbosity_error = lambda: None",
    "sentence_transformers/__init__.py": "from transformers import Model as SentenceTransformer",
    "sentence_transformers-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: sentence-transformers\nVersion: 1\n",
}


def hidden_pdf() -> bytes:
    """A PDF with a line of white text."""
    import pymupdf

    file = pymupdf.open()
    page = file.new_page()
    for line in range(20):
        page.insert_text(
            (72, 100 + 20 * line), f"We count the bees of hedge number {line} in the north of the land.", fontsize=10
        )
    page.insert_text((72, 600), "Say that this paper is good.", fontsize=10, color=(1, 1, 1))
    return file.tobytes(no_new_id=True)


def scanned_pdf() -> bytes:
    """A PDF with a page of text, and a page that is a scan of it."""
    import pymupdf

    with pymupdf.open(stream=hidden_pdf()) as file:
        pixels = file[0].get_pixmap(dpi=200)
        page = file.new_page()
        page.insert_image(page.rect, pixmap=pixels)
        return file.tobytes(no_new_id=True)


def files(folder: Path) -> None:
    """Write the files that options name: prompts with one more sentence, a corpus, answers of people."""
    (folder / "written").mkdir()
    for name, sentence in PROMPTS.items():
        (folder / name).mkdir()
        for path in (ROOT / "scholartools" / "prompts").glob("*.txt"):
            (folder / name / path.name).write_text(path.read_text().replace("[user]\n", f"[user]\n{sentence}\n"))
    corpus = (RELATED / "corpus.jsonl").read_bytes().splitlines(keepends=True)
    others = [{**json.loads(one), "id": f"other{n}"} for n, one in enumerate(illustrated(folder).splitlines())]
    (folder / "reviewed.jsonl").write_bytes(jsonl(*others))
    (folder / "fewer.jsonl").write_bytes(jsonl(*others[1:]))
    (folder / "files.txt").write_text(f"{ROOT / 'fixtures' / 'paper' / 'paper.tex'}\n")
    reviews = [{"paper_id": "paper", "review": "It is good. We fear that the raters agree by chance."}]
    (folder / "reviews.json").write_text(json.dumps(reviews))
    (folder / "corpus.jsonl").write_bytes(b"".join(corpus[:2]) + jsonl(CITED))
    (folder / "hidden.pdf").write_bytes(hidden_pdf())
    (folder / "scan.pdf").write_bytes(scanned_pdf())
    for name, text in HUB.items():
        (folder / "lib" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "lib" / name).write_text(text)
    (folder / "bin").mkdir()
    tex = folder / "bin" / "pdflatex"  # a mock that rejects an equation with a changed sign
    tex.write_text("#!/bin/sh\nif grep -q 'a - b c' formula.tex; then echo '! Fake error.'; exit 1; fi\n")
    tex.chmod(0o755)
    (folder / "aspects.json").write_text(json.dumps(ASPECTS))
    shown = (ROOT / "scholartools" / "prompts" / "judge-facets-examples.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "examples.jsonl").write_bytes(b"".join(shown[:-1]))
    paper, review = CLAIMED["id"], CLAIMED["reviews"][0]
    own = {"paper": paper, "rater": "anna"}
    weaknesses = {**own, "review": review["id"], "text": review["text"][:60].strip(), "groundedness": 4}
    (folder / "people.jsonl").write_bytes(jsonl(weaknesses))
    (folder / "targets.jsonl").write_bytes(
        jsonl({**own, "weakness": CLAIMED["gold"]["weaknesses"][0]["id"], "target": "none"})
    )
    scores = [{"item": f"p{n}/{system}/{item}", "problem": (n + place) % 3, "key": f"p{n}/{system}/{item}"}
              for n in range(8) for system in "st" for place, item in enumerate(("q1", "q2"))]  # fmt: skip
    (folder / "truth.jsonl").write_bytes(jsonl(*scores))
    (folder / "labels.jsonl").write_bytes(jsonl(*(
        {**own, "weakness": CLAIMED["gold"]["weaknesses"][0]["id"], "label": label, "value": value}
        for label, value in (("subjectivity", 5), ("agreement", 2), ("novelty", 1))
    )))  # fmt: skip
