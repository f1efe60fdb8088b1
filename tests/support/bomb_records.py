"""Records that may cost more than prose of the same length, and the commands that read them, run without a model.

``PAPERS`` and ``ROWS``: functions that make records of a length in characters, by their oddity: a list of thousands of
entries, a huge text, deeply nested JSON. ``COMMANDS``: command lines with the records that they read. :func:`cost_of`
measures a command as ``bombs.cost`` does.
"""

from __future__ import annotations

import copy
import functools
import importlib
import itertools
import json
import os
import random
import resource
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from support import bombs, everything, preloaded
from support.bombs import SIZES, Cost, prose

Record = dict[str, Any]
Make = Callable[[int], bytes]

#: Units that are repeated to fill a field.
_FILLS = {
    "words": "a ", "one word": "ab", "中": "中", "accents": "e\u0301", "no width": "\u200b", "marks": "\u0301", "scripts": "aяα中",
    "stops": "a. ", "capitals": "Aa ", "brackets": "([{", "lines": "a\n", "digits": "1,", "formulas": "$x_1$ ", "questions": "Is it? ",
}  # fmt: skip


def _lines(records: list[Record]) -> bytes:
    return b"".join(json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n" for record in records)


# Papers


def _base() -> Record:
    """A small record with the input of every command."""
    record = everything.whole_record(25)
    record["title"] = "A title"
    record["references"] = [{"id": "b1", "text": "A. Smith. A title. Journal, 2019.", "title": "A title", "year": 2019}]
    record["captions"] = [{"id": "table1", "kind": "table", "label": "Table 1", "text": "Results.", "page": 1}]
    record["equations"] = [{"id": "e1", "latex": "x = y + 1", "span": None, "label": None}]
    record["warnings"] = [{"kind": "hidden-text", "page": 1, "text": "a"}]
    record["provenance"] = []
    return record


def _holders(value: Any, steps: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Record, str]]:
    """Yield each key whose value is a list or a string: its path without indices, its object, and the key."""
    inside = value if isinstance(value, list) else [value]
    for one in inside:
        if isinstance(one, dict):
            for key, inner in one.items():
                if isinstance(inner, (list, str)):
                    yield (*steps, key), one, key
                yield from _holders(inner, (*steps, key))


#: Texts that are filled with every unit; other texts are filled with one.
_FOREIGN = (("abstract",), ("sections", "text"), ("reviews", "text"), ("summaries", "text"), ("limitations", "text"))
_NAMES = ("id", "system", "by", "role", "kind", "in", "reference", "candidate", "review", "claim", "weakness", "rater", "side", "level", "number", "label")  # fmt: skip


def _copies(item: Any, number: int) -> Any:
    """A copy with another id, system or rater; its references to other entries are unchanged."""
    if not isinstance(item, dict):
        return item
    new = copy.copy(item)
    for key in ("id", "system", "rater"):
        if isinstance(item.get(key), str):
            new[key] = f"{item[key]}_{number}"
            break
    return new


def _with_long_list(path: tuple[str, ...], n: int) -> bytes:
    """The record with the entries of the lists at ``path`` repeated to a length of ``n`` characters."""
    record = _base()
    found = [(holder, key) for steps, holder, key in _holders(record) if steps == path]
    room = n // len(found)
    for holder, key in found:
        items = holder[key]
        size = len(json.dumps(items, ensure_ascii=False)) + 8 * len(items)
        holder[key] = [*items, *(_copies(item, number) for number in range(room // size) for item in items)]
    return _lines([record])


def _with_long_text(path: tuple[str, ...], fill: str, n: int) -> bytes:
    """The record with the text at ``path`` extended by ``n`` characters, so that quotations of it stay valid."""
    record = _base()
    found = [(holder, key) for steps, holder, key in _holders(record) if steps == path]
    if any("spans" in holder for holder, _ in found):
        found = found[:1]
    room = n // len(found)
    for holder, key in found:
        more = prose(room) if fill == "prose" else (_FILLS[fill] * (room // len(_FILLS[fill]) + 1))[:room]
        holder[key] += " " + more
        if holder.get("spans"):
            _extend_source(record, holder, more)
    return _lines([record])


def _extend_source(record: Record, item: Record, more: str) -> None:
    """Extend the source of a quotation, and the quotation to the end of the source."""
    span = item["spans"][-1]
    if span["in"] == "abstract":
        record["abstract"] += " " + more
        span["end"] = len(record["abstract"])
        item["text"] = record["abstract"][span["start"] :]
    elif span["in"].startswith("review:"):
        review = record["reviews"][0]
        review["text"] += " " + more
        span["end"] = len(review["text"])
        item["text"] = review["text"][span["start"] :]


def _paper_of(parts: Callable[[int], Record]) -> Make:
    return lambda n: _lines([{**_base(), **parts(n)}])


def _section(number: int, text: str, **more: Any) -> Record:
    named = {"number": str(number), "heading": f"Part {number}", "level": 1, "role": "method", "pages": []}
    return {"id": f"s{number}", **named, "text": text, **more}


def _review(number: int, text: str) -> Record:
    return {"id": f"r{number}", "text": text}


def _many(key: str, make: Callable[..., Record], *texts: str, **more: Any) -> Make:
    """A record with a long list of short entries that have these texts in turn."""

    def parts(n: int) -> Record:
        items, length = [], 0
        for number, text in zip(itertools.count(1), itertools.cycle(texts)):
            if length > n:
                return {key: items}
            items.append(make(number, text.replace("#", str(number)), **more))
            length += len(text) + 20
        raise AssertionError

    return _paper_of(parts)


def _deep(opening: str, closing: str) -> Make:
    def make(n: int) -> bytes:
        depth = min(n // (len(opening) + len(closing)), 900)  # deeper JSON is rejected
        value = json.loads(opening * depth + "1" + closing * depth)
        return _lines([{**_base(), "extra": [value] * max(1, n // (depth * (len(opening) + len(closing))))}])

    return make


def _headed(heading: str, text: str, role: str = "limitation") -> Record:
    return {"id": "s1", "number": "1", "heading": heading, "level": 1, "role": role, "pages": [], "text": text}


PAPERS: dict[str, Make] = {
    **{f"long {'.'.join(path)}": functools.partial(_with_long_list, path)
       for path in dict.fromkeys(steps for steps, holder, key in _holders(_base()) if isinstance(holder[key], list) and holder[key])},
    **{f"{fill} in {'.'.join(path)}": functools.partial(_with_long_text, path, fill)
       for path in dict.fromkeys(steps for steps, holder, key in _holders(_base()) if isinstance(holder[key], str) and key not in _NAMES)
       for number, fill in enumerate(_FILLS)
       if path in _FOREIGN or not number},
    "tiny sections": _many("sections", _section, "We show it."), "empty sections": _many("sections", _section, ""),
    "sections of one role": _many("sections", _section, "A limitation is that # fails.", role="limitation"),
    "sections of one heading": _many("sections", _section, "It is so.", heading="Limitations", role="limitation"),
    "nested sections": lambda n: _lines([{**_base(), "sections": [
        _section(number, "We show it.", level=number) for number in range(1, n // 100)]}]),
    "tiny reviews": _many("reviews", _review, "It is weak."), "reviews of claims": _many("reviews", _review, "The claim # is not supported."),
    "empty reviews": _many("reviews", _review, ""), "reviews of quotations": _many("reviews", _review, 'They say "bees hedges" but # fails.'),
    "reviews of lists": _many("reviews", _review, "Weaknesses:\n- one # is weak.\n- two # is unclear.\n"),
    "a list of weaknesses": lambda n: _lines([{**_base(), "reviews": [_review(1, "Weaknesses:\n" + "".join(
        f"- The claim {number} is not supported.\n" for number in range(n // 35)))]}]),
    "a list of limitations": lambda n: _lines([{**_base(), "sections": [_headed("Limitations", "\n\n".join(
        f"The method needs data set {number}." for number in range(n // 35)))]}]),
    "limitations in two lists": lambda n: _lines([{**_base(), "sections": [{**_headed("Limitations", "\n\n".join(
        f"The method needs {word} data set {number}." for number in range(n // 80))), "id": f"s{word}"} for word in ("a", "the")]}]),
    "claims in a section": lambda n: _lines([{**_base(), "sections": [_headed("Results", " ".join(
        f"We show that model {number} beats the baseline." for number in range(n // 45)), "result")]}]),
    "prose in a section": lambda n: _lines([{**_base(), "sections": [_headed("Results", prose(n), "result")]}]),
    "mentions of sections": lambda n: _lines([{**_base(), "sections": [
        {**_section(m, "We show it."), "number": f"1.{m}"} for m in range(1, n // 200)], "reviews": [_review(1, "Weaknesses:\n" + "".join(
        f"- Section 1.{m} is unclear.\n" for m in range(n // 60)))]}]),
    "mentions of references": lambda n: _lines([{**_base(), "references": [
        {"id": f"b{m}", "text": f"A. Smith{m}. A title. Journal, 2019."} for m in range(n // 150)], "reviews": [_review(1, "Weaknesses:\n" + "".join(
        f"- It is not compared with Smith{'abcdefghij'[m % 10]} et al. (20{m % 100:02}).\n" for m in range(n // 100)))]}]),
    "deep lists": _deep("[", "]"), "deep objects": _deep('{"a":', "}"),
    "many keys": lambda n: _lines([{**_base(), **{f"key{number}": number for number in range(n // 15)}}]),
    "many keys in a section": lambda n: _lines([{**_base(), "sections": [{**_headed("A", "b"), **{f"key{m}": m for m in range(n // 15)}}]}]),
    "long numbers": lambda n: _lines([{**_base(), "extra": [0.1234567890123] * (n // 16)}]),
    "many errors": lambda n: _lines([{**_base(), "errors": [{"command": "st-x", "kind": "a", "reason": f"r{m}"} for m in range(n // 45)]}]),
    "many records": lambda n: _lines([{**_base(), "id": f"p{number}"} for number in range(max(1, n // len(_lines([_base()]))))]),
    "records of one id": lambda n: _lines([_base() for _ in range(max(1, n // len(_lines([_base()]))))]),
    "tiny records": lambda n: b'{"id":"a"}\n' * (n // 11), "blank lines": lambda n: b"\n" * n, "no records": lambda n: b"x\n" * (n // 2),
}  # fmt: skip


def _plain_paper(n: int) -> bytes:
    """A paper of prose, whose abstract, sections and reviews share the length; its other keys are small."""
    record = _base()
    record["abstract"] += " " + prose(min(n // 10, 2000), 1)
    record["sections"] += [_section(number, prose(n // 10, number)) for number in range(2, 9)]
    record["reviews"] += [_review(number, prose(n // 10, 10 + number)) for number in range(2, 4)]
    return _lines([record])


# Rows of ratings and measures


def _row(number: int, rng: random.Random, **more: Any) -> Record:
    """A row with the input of every statistic."""
    item, rater = number // 3, "abc"[number % 3]
    truth = (item * 7) % 5 + 1
    row: Record = {
        "id": number, "item": item, "rater": rater, "label": "specific", "value": min(5, max(1, truth + rng.choice([-1, 0, 0, 1]))),
        "paper": f"p{item // 4}", "method": f"m{number % 3}", "run": str(number % 3), "score": truth + rng.random(), "human": truth,
        "words": rng.randint(5, 90), "overall": truth, "ratings": {facet: rng.randint(1, 3) for facet in everything.FACETS},
        "usage": {"prompt_tokens": 100 + number, "completion_tokens": 10, "cost": 0.001}, "reply": f"Score: {truth}", "a": truth, "b": rng.randint(1, 5), "texts": ["bees and soil", f"hedge {number % 5}"],
    }  # fmt: skip
    return {**row, **{key: value(number, rng) if callable(value) else value for key, value in more.items()}}


def _rows(**more: Any) -> Make:
    def make(n: int) -> bytes:
        rng = random.Random(25)
        size = len(_lines([_row(1, rng, **more)]))
        return _lines([_row(number, rng, **more) for number in range(max(6, n // size))])

    return make


def _few(key: str, fill: str, count: int = 6, *, in_list: bool = False) -> Make:
    """A few rows, each with a huge text at a key."""

    def make(n: int) -> bytes:
        rng, room = random.Random(25), n // count
        text = prose(room) if fill == "prose" else (_FILLS[fill] * room)[:room]
        texts = [text[number:] + "b" * number for number in range(count)]
        values: list[Any] = [[text] for text in texts] if in_list else texts
        return _lines([_row(number, rng, **{key: values[number]}) for number in range(count)])

    return make


ROWS: dict[str, Make] = {
    "items of one rater": _rows(rater="a", item=lambda n, _: n), "raters of one item": _rows(item=1, rater=lambda n, _: f"r{n}"),
    "raters as items": _rows(rater=lambda n, _: f"r{n // 30}", item=lambda n, _: n % 30),
    "square": _rows(rater=lambda n, _: f"r{n % 17}", item=lambda n, _: n // 17),
    "new values": _rows(value=lambda n, _: n), "new words": _rows(value=lambda n, _: f"w{n}"), "one value": _rows(value=1),
    "reals": _rows(value=lambda n, rng: rng.random()), "blanks": _rows(value=""), "spaces": _rows(value=lambda n, _: "yes" + " " * (n % 40)),
    "lists": _rows(value=lambda n, rng: rng.sample("abcdefghij", 4)), "long lists": _rows(value=lambda n, rng: [f"l{rng.randint(0, 400)}" for _ in range(60)]),
    "new labels": _rows(label=lambda n, _: f"l{n // 3}"), "new methods": _rows(method=lambda n, _: f"m{n // 3}"), "one method": _rows(method="m"),
    "new runs": _rows(run=lambda n, _: f"r{n // 3}"), "new papers": _rows(paper=lambda n, _: f"p{n}"), "one paper": _rows(paper="p"),
    "ties": _rows(score=1, human=1), "scores all new": _rows(score=lambda n, rng: n * 1.5, human=lambda n, rng: n),
    "humans all new": _rows(human=lambda n, rng: rng.random()), "no humans": _rows(human=None), "words of one": _rows(words=1),
    "twice": _rows(item=1, rater="a"), "names like blanks": _rows(rater="NA", paper="NA"), "names of one": _rows(rater=lambda n, _: " " * (n % 60) + "a"),
    "text lists": _rows(texts=lambda n, rng: [f"hedge {rng.randint(0, 9)}" for _ in range(30)]),
    "very long text lists": _rows(texts=lambda n, rng: [f"h{rng.randint(0, 99)}" for _ in range(600)]),
    "one list of texts": lambda n: _lines([_row(m, random.Random(m), texts=[f"hedge {(k * 7 + m) % 999}" for k in range(n // 60)]) for m in range(6)]),
    **{f"{fill} in {key}": _few(key, fill) for key in ("value", "item", "rater", "label", "method", "paper", "reply", "human")
       for fill in ("words", "one word", "中", "digits", "marks")},
    **{f"{fill} in texts": _few("texts", fill, in_list=True) for fill in _FILLS},
    **{f"prose in {key}": _few(key, "prose") for key in ("value", "reply")}, "prose in texts": _few("texts", "prose", in_list=True),
    "deep values": _rows(value=json.loads("[" * 40 + "]" * 40)), "objects": _rows(value={"a": 1}),
}  # fmt: skip


def _table(form: Callable[[int], str]) -> Make:
    return lambda n: form(n).encode()


_HEAD = "item,a,b\n"
TABLES: dict[str, Make] = {
    "rows": _table(lambda n: _HEAD + "".join(f"{number},1,2\n" for number in range(n // 9))),
    "columns": _table(lambda n: ",".join(["item", "a", "b", *(f"c{number}" for number in range(n // 8))]) + "\n1,1,2\n2,1,1\n"),
    "cells": _table(lambda n: _HEAD + "1,1,2" + ",1" * (n // 2) + "\n"), "headings of one name": _table(lambda n: _HEAD[:-1] + ",c" * (n // 2) + "\n1,1,2\n"),
    "quotes": _table(lambda n: _HEAD + '1,"' + '""' * (n // 2) + '",2\n'), "an open quote": _table(lambda n: _HEAD + '1,"' + "a,\n" * (n // 3)),
    "quotes inside": _table(lambda n: _HEAD + '1,a"' + 'b"' * (n // 2) + ",2\n"), "empty lines": _table(lambda n: _HEAD + "\n" * n),
    "commas": _table(lambda n: _HEAD + "," * n), "returns": _table(lambda n: _HEAD + "1,1,2\r" * (n // 6)), "JSON cells": _table(lambda n: _HEAD + '1,"[1, 2]","[2]"\n' * (n // 17)),
    **{f"{fill} in a cell": _table(lambda n, fill=fill: _HEAD + '1,"' + _FILLS[fill] * (n // len(_FILLS[fill])) + '",2\n') for fill in _FILLS},
    **{f"{fill} in a heading": _table(lambda n, fill=fill: 'item,a,b,"' + _FILLS[fill] * (n // len(_FILLS[fill])) + '"\n1,1,2,3\n') for fill in _FILLS},
    "brackets in a cell": _table(lambda n: _HEAD + '1,"' + "[" * n + '",2\n'), "prose in a cell": _table(lambda n: _HEAD + '1,"' + prose(n).replace('"', "") + '",2\n'),
}  # fmt: skip


def _with_tabs(make: Make) -> Make:
    return lambda n: make(n).replace(b",", b"\t")


_IN_TSV = {kind: _with_tabs(make) for kind, make in TABLES.items()}

_FORMULAS = {"terms": "x+", "products": "xy ", "powers": "x^", "fractions": "\\frac{x}{", "indices": "x_1 ", "factorials": "x!!",
             "brackets": "(x", "primes": "x'", "relations": "x=", "sums": "\\sum_i ", "commands": "\\alpha ", "spaces": "\\, ", "rows": "x \\\\ ",
             "cells": "x & ", "texts": "\\text{a} ", "digits": "1", "minus": "-", "中": "中", "roots": "\\sqrt ", "braces": "{}"}  # fmt: skip
PAIRS: dict[str, Make] = {
    **{name: lambda n, token=token: _lines([{"id": "e", "positive": token * (n // 2 // len(token)), "alternative": token * (n // 2 // len(token)) + "+1"}])
       for name, token in _FORMULAS.items()},
    "pairs": lambda n: _lines([{"id": f"e{m}", "positive": f"x+{m}", "alternative": f"{m}+x"} for m in range(n // 50)]),
}  # fmt: skip
EQUATIONS: dict[str, Make] = {
    **{name: lambda n, token=token: _equations([token * (n // len(token))]) for name, token in _FORMULAS.items()},
    "many": lambda n: _equations([f"x_{m} = y + {m}" for m in range(n // 15)]), "the same": lambda n: _equations(["x = y + 1"] * (n // 15)),
    "many long": lambda n: _equations([f"x_{m} = " + " + ".join(f"a_{k} b^{k}" for k in range(40)) for m in range(n // 400)]),
}  # fmt: skip


def _equations(formulas: list[str]) -> bytes:
    text, equations = "We see it.", []
    for number, formula in enumerate(formulas, 1):
        start = len(text) + 1
        text += f" {formula} holds."
        span = {"in": "s1", "start": start, "end": start + len(formula)}
        equations.append({"id": f"e{number}", "latex": formula, "span": span, "label": None})
    return _lines([{"id": "p", "title": "A", "sections": [_headed("Method", text, "method")], "equations": equations}])


BUNDLES: dict[str, Make] = {
    "empty objects": lambda n: b"{}\n" * (n // 3), "one line": lambda n: b'{"a":"' + b"x" * n + b'"}\n', "not JSON": lambda n: b"x" * n,
    "deep": lambda n: b"[" * n, "calls without keys": lambda n: b'{"key":"00","reply":{}}\n' * (n // 24), "blank lines": lambda n: b"\n" * n,
    "manifests": lambda n: b'{"bundle":2,"calls":1}\n' * (n // 23), "gzip": lambda n: b"\x1f\x8b\x08" + b"\0" * n,
    "many": lambda n: _lines([{"key": f"{m:064x}", "request": {"model": "m"}, "reply": {"text": "a"}, "created": 1} for m in range(n // 140)]),
}  # fmt: skip


# Commands

_AGREE_XY = ["--x", "score", "--y", "human"]
_LONG = ["--method", "method", "--item", "item"]


class Command(NamedTuple):
    """A command line, functions that make its odd inputs by name, and one that makes an ordinary input."""

    line: list[str]
    makes: dict[str, Make]
    plain: Make
    ending: str = ".jsonl"


def _papers(*line: str) -> Command:
    return Command(list(line), PAPERS, _plain_paper)


def _ratings(*line: str) -> Command:
    return Command(["st-agree", *line], ROWS, _rows())


_METRICS = "facets support text match soft entail equations review spans extraction targets labels edits weaknesses verifications contamination specificity same-issue".split()  # fmt: skip
_TABLES = "papers sections references reviews facets limitations claims weaknesses targets generated matches ratings scores provenance".split()

COMMANDS: dict[str, Command] = {
    "facets": _papers("st-facets"), "extract-limits": _papers("st-extract-limits", "--merge"),
    **{f"claims {action}": _papers("st-claims", action) for action in ("select", "extract", "associate", "label")},
    "claims weaknesses": _papers("st-claims", "weaknesses", "--rater", "built-in"),
    **{f"judge {task}": _papers("st-judge", task) for task in ("facets", "match", "entail")},
    "judge review": _papers("st-judge", "review", "--segment", "--system", "none"), "generate questions": _papers("st-generate", "questions"),
    **{f"generate {task}": _papers("st-generate", task, "--model", "openai/gpt-4o-mini", "--dry-run")
       for task in ("limitations", "weaknesses", "experiments", "explanations")},
    **{f"score {metric}": _papers("st-score", metric) for metric in _METRICS},
    "score text of abstract": _papers("st-score", "text", "--reference", "abstract", "--candidate", "summaries"),
    "score summary": _papers("st-score", "--summary"),
    **{f"table {name} {form}": _papers("st-table", name, "--to", form)
       for number, name in enumerate(_TABLES) for form in (("csv", "latex", "markdown") if number < 4 else (("csv", "latex", "markdown")[number % 3],))},
    **{f"agree {name}": _ratings(name) for name in ("alpha", "kappa", "fleiss", "report", "majority")},
    "agree alpha interval": _ratings("alpha", "--level", "interval"), "agree alpha masi": _ratings("alpha", "--level", "masi", "--value", "texts"),
    "agree alpha table": _ratings("alpha", "--table"), "agree alpha pairs": _ratings("alpha", "--pairs", "--pooled"),
    "agree alpha jackknife": _ratings("alpha", "--ci", "--interval", "jackknife"), "agree leave one out": _ratings("kappa", "--leave-one-rater-out"),
    "agree wide": _ratings("alpha", "--raters", "a,b"), "agree spans": _ratings("spans", "--value", "texts"),
    "agree correlate": _ratings("correlate", *_AGREE_XY), "agree correlate by": _ratings("correlate", *_AGREE_XY, "--by", "method", "--within", "paper"),
    "agree correlate long": _ratings("correlate", *_AGREE_XY, *_LONG, "--each", "label"),
    "agree power": _ratings("power", "--resamples", "100"), "agree effect": _ratings("effect"), "agree errors": _ratings("errors", *_AGREE_XY),
    "agree errors long": _ratings("errors", *_AGREE_XY, *_LONG), "agree runs": _ratings("runs", "--run", "run", *_AGREE_XY, "--item", "item"),
    "agree bias": _ratings("bias", *_AGREE_XY, "--of", "words"), "agree efficiency": _ratings("efficiency", *_AGREE_XY, *_LONG),
    "agree levels": _ratings("levels", *_AGREE_XY, "--item", "id", "--group", "paper"), "agree conformal": _ratings("conformal", *_AGREE_XY, "--item", "id", "--group", "paper"),
    "agree mean": _ratings("mean", *_AGREE_XY), "agree fit-weights": _ratings("fit-weights", "--y", "overall"),
    "agree parse-score": _ratings("parse-score", "--range", "1", "5", "--value", "read"),
    "tables in": Command(["st-agree", "alpha", "--raters", "a,b"], TABLES, TABLES["rows"], ".csv"),
    "tables in tsv": Command(["st-agree", "majority", "--raters", "a,b"], _IN_TSV, _IN_TSV["rows"], ".tsv"),
    "eqsynth compare": Command(["st-eqsynth", "compare"], PAIRS, PAIRS["pairs"]),
    "eqsynth questions": Command(["st-eqsynth", "questions", "--compile", "off"], EQUATIONS, EQUATIONS["many"]),
    "cache import": Command(["st-cache", "import"], BUNDLES, BUNDLES["many"]),
}  # fmt: skip

#: Combinations of command and record whose cost is quadratic by definition of the results, with the reason.
ASKED = {
    **{(name, "raters of one item"): "all pairs of raters are compared, or have a result"
       for name in ("agree alpha pairs", "agree kappa", "agree report", "agree power", "agree effect", "agree spans")},
    ("agree power", "names of one"): "all pairs of systems have a result",
    ("agree spans", "one list of texts"): "all texts of two raters are assigned to one another",
    ("agree leave one out", "raters of one item"): "a result without each rater, over all pairs of the others",
    ("agree leave one out", "raters as items"): "a result without each rater, over all pairs of the others",
}  # fmt: skip

#: Limit of processor time of a command, in seconds.
_GIVEN_UP = 30


def run(command: Command, data: bytes) -> bombs.Measured:
    """Processor time (s), peak memory (bytes) and internal error, if any, of a command in a process with its modules.

    The process is forked from this one, in which the modules are already imported (:func:`prepare`).
    """
    with tempfile.TemporaryDirectory() as folder:
        given, said = Path(folder, f"given{command.ending}"), Path(folder, "said")
        given.write_bytes(data)
        pid = os.fork()
        if not pid:
            _become([*command.line, str(given)], folder, said)
        _, status, used = os.wait4(pid, 0)
        seconds, memory = used.ru_utime + used.ru_stime, 1024 * used.ru_maxrss
        message = said.read_text(errors="replace")
    if os.WIFSIGNALED(status):
        return seconds, memory, f"ended by signal {os.WTERMSIG(status)} after {seconds:.0f} s"
    wrong = [
        line for line in message.splitlines() if "internal error" in line or "Traceback" in line or "time than" in line
    ]
    return seconds, memory, wrong[0][:200] if wrong else None


def _become(line: list[str], folder: str, said: Path) -> None:
    """Run the main function of the command in this process with its output discarded, and exit."""
    status = 70
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (_GIVEN_UP, _GIVEN_UP + 5))
        os.environ["ST_CACHE"] = folder
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(os.open(said, os.O_WRONLY | os.O_CREAT), 2)
        status = _call(line)
    finally:
        os._exit(status)


def _call(line: list[str]) -> int:
    name = line[0].removeprefix("st-").replace("-", "_")
    try:
        importlib.import_module(f"scholartools.commands.{name}").main(line[1:], prog_name=line[0])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    return 0


def prepare() -> None:
    """Import the modules of the commands and load the embedder, so that the forked processes have them."""
    from scholartools.text.embeddings import sentence

    preloaded.import_all()
    sentence.embedder(None).vectors(["a"])


def cost_of(name: str, kind: str) -> Cost | None:
    """Cost of a kind of records for a command; the memory is that of the whole process, with its modules.

    None if shorter records show that the limits are kept (:func:`bombs.seems_lawful`).
    """
    command = COMMANDS[name]
    made = functools.lru_cache(command.makes[kind])
    units = bombs.more_units(made(SIZES[1]).decode(errors="replace"))
    least = bombs.more_units(command.plain(SIZES[1]).decode(errors="replace"))
    more = max(1.0, units / least)

    def measure_at(size: int) -> bombs.Measured:
        return run(command, made(size))

    if bombs.seems_lawful(measure_at, _nothing_cost(name), plain_cost(name), more):
        return None
    return bombs.cost(measure_at, lambda: plain_cost(name), more)


@functools.cache
def _nothing_cost(name: str) -> tuple[float, int]:
    """Processor time (s) and memory (bytes) for the shortest record."""
    data = COMMANDS[name].plain(1)
    taken = [run(COMMANDS[name], data) for _ in range(3)]
    return min(seconds for seconds, _, _ in taken), max(memory for _, memory, _ in taken)


@functools.cache
def plain_cost(name: str) -> tuple[float, int]:
    """Processor time (minimum of 3 runs, s) and memory (maximum, bytes) for the ordinary input of the larger size."""
    data = COMMANDS[name].plain(SIZES[1])
    taken = [run(COMMANDS[name], data) for _ in range(3)]
    return min(seconds for seconds, _, _ in taken), max(memory for _, memory, _ in taken)
