"""st-agree plot: what stands in a figure is what the results say."""

from __future__ import annotations

import math
import random
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as strategies
from support.run import jsonl, st

from scholartools.tasks.agree.figures.canvas import scale_around
from scholartools.tasks.agree.figures.strips import density_shape

SVG = "{http://www.w3.org/2000/svg}"
KEYS = ("--x", "score", "--y", "human", "--item", "item", "--method", "method", "--each", "aspect")


def make_records() -> list[dict]:
    """Three runs of two methods, one of an awkward name, and a constant one, over 30 items and two aspects."""
    draw = random.Random(1)
    return [
        {"item": item, "aspect": aspect, "human": item % 3, "run": run, "method": method,
         "score": 1 if noise is None else item % 3 + draw.gauss(0, noise),
         "usage": {"prompt_tokens": tokens, "completion_tokens": 5, "cost": None}}
        for item in range(30) for aspect in ("problem", "method") for run in (1, 2, 3)
        for method, noise, tokens in (("a<b>&c", 0.5, 100), ("long", 2, 12000), ("flat", None, 10))
    ]  # fmt: skip


RUNS = make_records()
ONE = [record for record in RUNS if record["run"] == 1]


def results(*args, data) -> list[dict]:
    return st("st-agree", *args, input=jsonl(*data)).records


def plot(found, *args):
    done = st("st-agree", "plot", *args, input=jsonl(*found))
    assert done.status == 0, done.err
    tree = ElementTree.fromstring(done.out)
    texts = [text.text for text in tree.iter(f"{SVG}text")]
    size = (float(tree.get("width")), float(tree.get("height")))
    for text in tree.iter(f"{SVG}text"):
        assert 0 <= float(text.get("x")) <= size[0] and 0 <= float(text.get("y")) <= size[1]
    return tree, texts


def test_a_heat_map_has_the_index_of_each_pair_twice_and_the_shares_on_the_diagonal():
    found = results("errors", *KEYS, data=ONE)
    tree, texts = plot(found)
    assert len(list(tree.iter(f"{SVG}rect"))) == 1 + 2 * 9, "the ground, and nine cells for each aspect"
    wanted = []
    for entry in found:
        shown = "-" if entry["value"] is None else f"{entry['value']:.2f}"
        wanted += [shown] * len(entry["methods"])
    assert sorted(text for text in texts if text == "-" or text[0] == "0") == sorted(wanted)
    assert {"aspect: problem", "aspect: method", "a<b>&c", "flat"} <= {*texts}


@pytest.mark.parametrize(("measure", "title"), [("spearman", "Spearman's rho"), ("kendall", "Kendall's tau-b")])
def test_a_strip_has_a_disc_for_each_run_at_its_coefficient(measure, title):
    found = results("runs", "--run", "run", *KEYS, data=RUNS)
    tree, texts = plot(found, "--measure", measure)
    shown = [entry for entry in found if entry["measure"] == measure]
    values = [run["value"] for entry in shown for run in entry["runs"] if run["value"] is not None]
    discs = [float(disc.get("cy")) for disc in tree.iter(f"{SVG}circle")]
    assert len(discs) == len(values) == 12 and texts.count(title) == 2
    assert len(list(tree.iter(f"{SVG}polygon"))) == 4, "a violin for each method but the constant one"
    for panel in (slice(0, 6), slice(6, 12)):
        pairs = sorted(zip(values[panel], discs[panel], strict=True))
        assert [y for _, y in pairs] == sorted((y for _, y in pairs), reverse=True), "higher is further up"
        (low, bottom), (high, top) = pairs[0], pairs[-1]
        for value, y in pairs:
            assert y == pytest.approx(bottom + (value - low) / (high - low) * (top - bottom), abs=0.02)


def test_a_scatter_has_the_methods_at_the_logarithm_of_their_tokens():
    found = results("efficiency", *KEYS, data=ONE)
    tree, texts = plot(found)
    discs = [(float(disc.get("cx")), float(disc.get("cy"))) for disc in tree.iter(f"{SVG}circle")]
    assert len(discs) == 4, "the constant method has no coefficient"
    assert discs[0][0] < discs[1][0] and discs[2][0] < discs[3][0]
    assert "flat" not in texts and texts.count("tokens of a rating") == 2 and "10k" in texts


def test_names_of_methods_in_one_place_do_not_cover_each_other():
    data = [{**one, "method": f"method-{n}"} for n in range(6) for one in ONE if one["method"] == "long"]
    tree, _ = plot(results("efficiency", *KEYS, data=data))
    names = [text for text in tree.iter(f"{SVG}text") if text.text.startswith("method-")]
    places = [(text.get("y"), text.get("text-anchor")) for text in names]
    assert len(set(places[:6])) == len(set(places[6:])) == 6


def test_panels_stand_below_each_other_or_in_rows():
    found = results("errors", *KEYS, data=ONE)
    sizes = [
        (float(tree.get("width")), float(tree.get("height"))) for tree, _ in (plot(found), plot(found, "--columns", 2))
    ]
    assert sizes[0][0] < 440 and sizes[0][1] > 1.5 * sizes[1][1] and sizes[1][0] > sizes[0][0]


def test_a_violin_ends_where_the_runs_do_and_is_widest_where_they_are_densest():
    shape = density_shape([0.1, 0.2, 0.3])
    assert shape[0][0] == 0.1 and shape[-1][0] == pytest.approx(0.3)
    assert [share for _, share in shape] == pytest.approx([share for _, share in reversed(shape)])
    width = 0.1 * 3**-0.2
    heights = [sum(math.exp(-(((x - run) / width) ** 2) / 2) for run in (0.1, 0.2, 0.3)) for x in (0.1, 0.2)]
    assert shape[0][1] == pytest.approx(heights[0] / heights[1]) and max(share for _, share in shape) == 1
    assert density_shape([0.2, 0.2]) == density_shape([0.4]) == []


def test_the_same_results_are_the_same_bytes():
    found = results("errors", *KEYS, data=ONE)
    assert st("st-agree", "plot", input=jsonl(*found)).out == st("st-agree", "plot", input=jsonl(*found)).out


def test_output_is_a_file(tmp_path):
    found = results("errors", *KEYS, data=ONE)
    done = st("st-agree", "plot", "--output", tmp_path / "errors.svg", input=jsonl(*found))
    assert done.status == 0 and done.out == b"" and (tmp_path / "errors.svg").read_text().startswith("<svg")


def test_other_records_are_refused_with_their_line():
    found = results("errors", *KEYS, data=ONE)
    done = st("st-agree", "plot", input=jsonl(*found, {"stat": "alpha", "value": 1}))
    assert done.status == 1 and f"-:{len(found) + 1}: no result of st-agree errors, runs, efficiency" in done.err
    mixed = [*found, *results("efficiency", *KEYS, data=ONE)]
    assert "a result of efficiency after one of errors" in st("st-agree", "plot", input=jsonl(*mixed)).err
    signed = results("errors", "--signed", *KEYS[:-2], "--x-range", "-9", "9", "--y-range", "0", "2",
                     data=[one for one in ONE if one["aspect"] == "problem"])  # fmt: skip
    done = st("st-agree", "plot", input=jsonl(*signed))
    assert done.status == 2 and "no result that a figure shows" in done.err


@pytest.mark.parametrize(
    "args", [("errors", *KEYS), ("efficiency", *KEYS), ("runs", "--run", "run", *KEYS, "--each", "method")]
)
def test_a_second_result_for_one_place_is_refused_and_not_drawn(args):
    data = RUNS if args[0] == "runs" else ONE
    first = results(*args, data=data)
    other = results(*args, data=[{**one, "human": 2 - one["human"]} for one in data])
    done = st("st-agree", "plot", input=jsonl(*first, *other))
    assert done.status == 1 and f"-:{len(first) + 1}: a second result for one place of the figure" in done.err
    assert done.out == st("st-agree", "plot", input=jsonl(*first)).out, "results of two inputs in one figure"


@given(strategies.lists(strategies.floats(-1, 1), min_size=1, max_size=5))
def test_a_scale_holds_its_numbers_and_has_ticks(numbers):
    scale = scale_around(numbers, 200, 0)
    assert all(-0.001 <= scale.at(number) <= 200.001 for number in numbers)
    assert len(scale.ticks()) >= 2 and all(scale.low - 1e-6 <= tick <= scale.high + 1e-6 for tick in scale.ticks())


@given(strategies.lists(strategies.floats(1, 1e6), min_size=1, max_size=5))
def test_a_logarithmic_scale_holds_its_numbers_and_has_ticks(numbers):
    scale = scale_around(numbers, 0, 300, is_log=True)
    assert all(0 <= scale.at(number) <= 300 for number in numbers)
    assert scale.ticks()
