"""Tables for readers: intervals behind numbers, the best in bold, short texts, and why a number is not there."""

from __future__ import annotations

import json
import random
import re
import subprocess
from collections import Counter

import pytest
from support.latex import compiles
from support.run import st

from scholartools.tasks.tabulate.answers import ANSWERS
from scholartools.tasks.tabulate.results import ALL
from scholartools.tasks.tabulate.rows import Rows

SYSTEMS, VALUES = ["a", "b", "c*", "d_e"], ["f1", "recall"]
LINE = ["st-table", "summary", "--columns", "system,value,mean"]


def result(system, numbers, by=None):
    """A summary as st-score writes it: of each value the mean, its interval, and the reasons of its nulls."""
    values = {
        name: {"n": 3, "mean": mean, "low": low, "high": high, "nulls": nulls}
        for name, (mean, low, high, nulls) in numbers.items()
    }
    part = {} if by is None else {"by": {"part": by}}
    return {"metric": "match", "system": system, "n": 3, "failed": 0, "values": values, **part}


def drawn(rng):
    """A number, its ends and its nulls; one may lack its interval, or itself."""
    if rng.random() < 0.2:
        return None, None, None, {rng.choice(["no item", "a & b_c"]): 3}
    mean = rng.choice([0.5, 0.5004, -0.25, 1, 0.125, 2e-7, 0.4996])
    return (mean, None, None, {}) if rng.random() < 0.3 else (mean, mean - 0.25, mean + 0.125, {})


def shown(number, digits):
    """As Python formats it, and no -0.00."""
    text = json.dumps(number).replace("e-0", "e-") if digits is None else f"{number:.{digits}f}"
    return text.lstrip("-") if digits is not None and float(text) == 0 else text


def cells_of(out):
    """The cells of a table in Markdown, as they are written."""
    return [re.split(r"(?<!\\) \| ", line[2:-2]) for line in out.decode().splitlines() if line.startswith("|")]


@pytest.mark.parametrize("seed", range(12))
def test_intervals_and_the_best_are_those_of_other_code(seed):
    rng = random.Random(seed)
    digits, side = rng.choice([None, 0, 1, 3]), rng.choice(["high", "low"])
    given = {system: {name: drawn(rng) for name in VALUES} for system in SYSTEMS}
    data = "".join(json.dumps(result(system, numbers)) + "\n" for system, numbers in given.items())
    more = [] if digits is None else ["--digits", str(digits)]
    wanted = {}
    for name in VALUES:
        there = {one: float(shown(given[one][name][0], digits)) for one in SYSTEMS if given[one][name][0] is not None}
        best = (max if side == "high" else min)(there.values(), default=None)
        for system in SYSTEMS:
            mean, low, high, _ = given[system][name]
            text = "" if mean is None else shown(mean, digits)
            text = f"**{text}**" if mean is not None and there[system] == best and len(there) > 1 else text
            text += "" if low is None else rf" \[{shown(low, digits)}, {shown(high, digits)}\]"
            wanted[system.replace("*", "\\*"), name] = text
    line = [*LINE, "--interval", "--best", f"mean={side}", "--to", "markdown", *more]
    done = st(*line, input=data)
    assert {(system, name): cell for system, name, cell in cells_of(done.out)[2:]} == wanted
    wide = cells_of(st(*line, "--wide", "value=mean", input=data).out)
    assert wide[0] == ["system", *VALUES]
    found = {(row[0], name): cell for row in wide[2:] for name, cell in zip(VALUES, row[1:], strict=True)}
    assert found == wanted
    n_without = sum(mean is not None and low is None for one in given.values() for mean, low, _, _ in one.values())
    assert (f"{n_without} value" in done.err) == (n_without > 0)


def test_numbers_of_other_quantities_and_parts_are_not_compared():
    """A long table has several values below each other, and a column may not say of which part they are."""
    data = "".join(
        json.dumps(result(system, {"f1": (mean, None, None, {}), "cost": (100 * mean, None, None, {})}, by)) + "\n"
        for system, by, mean in [("a", "x", 0.5), ("b", "x", 0.4), ("a", "y", 0.2), ("b", "y", 0.3)]
    )
    found = cells_of(st(*LINE, "--best", "mean=high", "--to", "markdown", input=data).out)[2:]
    assert [cell for _, _, cell in found] == [
        "**0.5**",
        "**50.0**",
        "0.4",
        "40.0",
        "0.2",
        "20.0",
        "**0.3**",
        "**30.0**",
    ]


def test_sorting_by_a_number_with_an_interval():
    data = "".join(
        json.dumps(result(name, {"f1": (mean, mean and mean - 0.1, mean and mean + 0.1, {})})) + "\n"
        for name, mean in [("a", 0.5), ("b", None), ("c", 9.5), ("d", 10.5)]
    )
    for to in ("markdown", "latex"):
        out = st(*LINE, "--interval", "--best", "mean=low", "--sort", "-mean", "--to", to, input=data).out.decode()
        assert re.findall(r"^(?:\{\}|\| )([abcd]) [|&]", out, re.M) == ["d", "c", "a", "b"]


def test_texts_are_cut_to_a_width_and_counted():
    titles = ["short", "exactly ten", "eleven char", "e\u0301" * 9, "a|b*c_d`e[f", "\u4e2d" * 20]
    data = "".join(json.dumps({"id": f"p{n}", "title": title}) + "\n" for n, title in enumerate(titles))
    done = st("st-table", "papers", "--columns", "id,title", "--width", "10", "--to", "markdown", input=data)
    found = [re.sub(r"\\(.)", r"\1", cell) for _, cell in cells_of(done.out)[2:]]
    assert found == [
        "short",
        "exactly t\u2026",
        "eleven ch\u2026",
        "e\u0301" * 4 + "\u2026",
        "a|b*c_d`e\u2026",
        "\u4e2d" * 9 + "\u2026",
    ]
    assert "5 texts cut to 10 characters" in done.err
    latex = st("st-table", "papers", "--columns", "id,title", "--width", "10", "--to", "latex", input=data)
    assert "5 texts cut to 10 characters" in latex.err and "exactly t\u2026" in latex.out.decode()


def test_latex_tells_why_a_number_is_not_there():
    none = (None, None, None, {"no <item> & 50%": 2, "b": 1})
    data = "".join(
        json.dumps(result(name, {"f1": numbers})) + "\n" for name, numbers in
        [("a", none), ("b", (0.5, None, None, {"c": 1})), ("c", none), ("d", (None, None, None, {"z": 3}))]
    )  # fmt: skip
    out = st(*LINE, "--to", "latex", input=data).out.decode()
    assert re.findall(r"f1 & (.*) \\\\", out) == ["--\\textsuperscript{1} &", "0 & .5", "--\\textsuperscript{1} &", "--\\textsuperscript{2} &"]  # fmt: skip
    notes = re.findall(r"noindent\\textsuperscript\{(\d)\} (.*)\\par", out)
    assert notes == [("1", "2 x no \\textless{}item\\textgreater{} \\& 50\\%; 1 x b"), ("2", "3 x z")]
    beside = st("st-table", "summary", "--columns", "system,mean,reasons", "--to", "latex", input=data).out.decode()
    assert "superscript" not in beside and "2 x no" in beside, "a column has it already"


def test_a_column_of_the_answer_is_named_by_its_values_alone():
    data = json.dumps(result("a", {"f1": (0.5, 0.25, 1, {}), "recall": (1, 0, 2, {})})) + "\n"
    line = ["st-table", "summary", "--columns", "system,n,mean", "--wide", "mean=n", "--interval", "--to", "markdown"]
    assert cells_of(st(*line, input=data).out)[0] == ["system", "0.5", "1"]
    null = json.dumps(result("a", {"f1": (None, None, None, {"x": 1})})) + "\n"
    done = st(*line[:-1], "latex", input=data + null)
    assert done.status == 2 and "mean is empty" in done.err


def test_what_a_table_does_not_have_is_refused():
    data = json.dumps(result("a", {"f1": (1, 0, 2, {})}))
    for args, reason in [
        (["papers", "--interval", "--to", "latex"], "papers has no intervals"),
        (["summary", "--columns", "system", "--interval", "--to", "latex"], 'it belongs to "mean"'),
        (["summary", "--interval"], "no effect on a table in csv: use --to latex or --to markdown"),
        (["summary", "--best", "mean=high", "--to", "parquet"], "no effect on a table in parquet"),
        (["summary", "--width", "9", "--to", "xlsx"], "no effect on a table in xlsx"),
        (["summary", "--best", "mean", "--to", "latex"], '"mean" is not COLUMN=high or COLUMN=low'),
        (["summary", "--best", "system=high", "--to", "latex"], '"system" is no column of numbers'),
        (["summary", "--best", "mean=low", "--best", "mean=high", "--to", "latex"], "names a column again"),
        (["summary", "--width", "1", "--to", "latex"], "--width"),
    ]:
        done = st("st-table", *args, input=data)
        assert done.status == 2 and reason in done.err and done.out == b"", (args, done.err)


def test_an_answer_names_columns_of_its_table():
    for name, answer in ANSWERS.items():
        kinds = {column.heading: column.kind for column in Rows(ALL[name]).columns}
        named = [answer.value, answer.reason, *answer.of, *(end for end in (answer.low, answer.high) if end)]
        assert set(named) <= kinds.keys() and kinds[answer.reason] == "text", name


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["pdflatex", "lualatex"])
def test_a_wide_table_of_many_pages_fits_the_page(engine, tmp_path):
    if not compiles(engine):
        pytest.skip(f"{engine} is not there")
    import pymupdf

    rng = random.Random(1)
    given = {f"system {n}": {name: drawn(rng) for name in [*VALUES, "precision", "rouge"]} for n in range(150)}
    data = "".join(json.dumps(result(system, numbers)) + "\n" for system, numbers in given.items())
    args = [
        "--wide",
        "value=mean",
        "--interval",
        "--best",
        "mean=high",
        "--digits",
        "2",
        "--output",
        tmp_path / "t.tex",
    ]
    assert st(*LINE, *args, input=data).status == 0
    line = [engine, "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)
    assert done.returncode == 0 and "Overfull" not in done.stdout, done.stdout[-2000:]
    with pymupdf.open(tmp_path / "t.pdf") as document:
        shown_text = "".join("".join(page.get_text() for page in document).split())
        assert len(document) > 2
    found = Counter(re.findall(r"\[-?[0-9.]+,-?[0-9.]+\]", shown_text))
    drawn_ends = [one[1:3] for numbers in given.values() for one in numbers.values() if one[1] is not None]
    assert found == Counter(f"[{shown(low, 2)},{shown(high, 2)}]" for low, high in drawn_ends)
    assert "3xa&b_c" in shown_text and "3xnoitem" in shown_text
