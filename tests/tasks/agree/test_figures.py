"""st-agree plot: what a figure draws and says is what the results say, and the same file everywhere."""

from __future__ import annotations

import json
import math
import os
import random
import re
import subprocess
import sys
import warnings
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as strategies
from support.run import environment, jsonl, st

from scholartools.errors import UsageFault
from scholartools.metrics.statistics.resampling import Resampling
from scholartools.tasks.agree.columns import RowKeys, make_columns
from scholartools.tasks.agree.figures import Results, compose, labels, pair_panels
from scholartools.tasks.agree.figures.axes import Span, span_around
from scholartools.tasks.agree.figures.page import text_width
from scholartools.tasks.agree.figures.scatter import spread_apart
from scholartools.tasks.agree.figures.violins import density_shape

SVG = "{http://www.w3.org/2000/svg}"
KEYS = ("--x", "score", "--y", "human", "--item", "item", "--method", "method", "--each", "aspect")
HOSTILE = (
    "a<b>&c $\\frac{1}$ \u202egnp.exe\x1b[31m\x00\n\u05e9\u05dc\u05d5\u05dd \u4e2d\u6587 \U0001f600 " + "long " * 40
)


def make_records() -> list[dict]:
    """Three runs of two methods, one of an awkward name, and a constant one, over 30 items and two aspects."""
    draw = random.Random(1)
    return [
        {"item": item, "aspect": aspect, "human": item % 3, "run": run, "method": method,
         "score": 1 if noise is None else item % 3 + draw.gauss(0, noise),
         "usage": {"prompt_tokens": tokens, "completion_tokens": 5, "cost": None}}
        for item in range(30) for aspect in ("problem", "method") for run in (1, 2, 3)
        for method, noise, tokens in ((HOSTILE, 0.5, 100), ("long", 2, 12000), ("flat", None, 10))
    ]  # fmt: skip


RUNS = make_records()
ONE = [record for record in RUNS if record["run"] == 1]
OF = {
    "errors": ("errors", *KEYS), "runs": ("runs", "--run", "run", *KEYS), "efficiency": ("efficiency", *KEYS),
    "correlate": ("correlate", *KEYS, "--ci"),
}  # fmt: skip


@pytest.fixture(scope="module")
def found() -> dict[str, list[dict]]:
    """The results of each statistic that has a figure of its own, and of a forest plot."""
    return {
        name: st("st-agree", *args, input=jsonl(*(RUNS if name == "runs" else ONE))).records
        for name, args in OF.items()
    }


def panels_of(found, measure="spearman"):
    results = Results(measure)
    for entry in found:
        results.add(entry)
    return results.panels()


def judged(n=60, seed=3) -> list[dict]:
    draw = random.Random(seed)
    records = []
    for item in range(n):
        human, p = draw.choice([1, 2, 3, 4, 5]), round(draw.random(), 3)
        records.append(
            {"item": item, "paper": item // 4, "human": human, "judge": min(5, max(1, human + draw.choice([-1, 0, 1]))),
             "exact": human + draw.gauss(0, 1), "p": p, "yes": int(draw.random() < p)}
        )  # fmt: skip
    return records


def panels_of_pairs(records, kind, x, y, cluster=None, **options):
    columns = make_columns([*x, *y], RowKeys(item="item", cluster=cluster), ())
    for record in records:
        columns.add(record)
    return pair_panels(columns, x, y, kind, Resampling(), options.get("measure", "spearman"), options.get("n_bins", 10))


def all_panels(found):
    """Panels of every kind."""
    yield from (panels_of(entries) for entries in found.values())
    for kind, x, y in (("scatter", "judge", "human"), ("bland-altman", "exact", "human"), ("reliability", "p", "yes")):
        yield panels_of_pairs(judged(), kind, [x], [y])


def plot(found, *args):
    """The title and the description of an SVG of results."""
    done = st("st-agree", "plot", *args, input=jsonl(*found))
    assert done.status == 0, done.err
    return told(done.out)


def told(svg: bytes) -> tuple[str, str]:
    tree = ElementTree.fromstring(svg)
    assert [child.tag for child in tree][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert tree.get("aria-labelledby").split() == [child.get("id") for child in tree][:2]
    assert not list(tree.iter(f"{SVG}text")), "letters are outlines: a reader's machine may lack the font"
    return tree[0].text, tree[1].text


def numbers(text: str) -> list[str]:
    """Numbers as tables write them, with their intervals: what follows no letter and has three decimals."""
    return sorted(re.findall(r"(?<![\w.])-?\d+\.\d{3}(?: \[-?\d+\.\d{3}, -?\d+\.\d{3}\])?", text))


def offsets(drawing, panel=0):
    """The marks of the axes of a panel: the points of each line."""
    return [list(zip(*line.get_data(), strict=True)) for line in drawing.page.figure.axes[panel].get_lines()]


# What is said


def test_a_heat_map_says_the_index_of_each_pair_and_the_share_of_each_method(found):
    title, said = plot(found["errors"])
    assert "err on the same items" in title
    assert len(numbers(said)) == sum(entry["value"] is not None for entry in found["errors"])
    table = st("st-agree", *OF["errors"], "--table", input=jsonl(*ONE)).out.decode()
    assert {*numbers(said)} == {*numbers(table)}
    assert "flat: share of errors undefined (" in said and "aspect: problem" in said


@pytest.mark.parametrize("measure", ["pearson", "spearman", "kendall"])
def test_a_forest_plot_says_what_the_table_says(found, measure):
    _, said = plot(found["correlate"], "--measure", measure)
    table = st("st-agree", *OF["correlate"], "--table", input=jsonl(*ONE)).out.decode()
    block = next(part for part in table.split("\n\n") if part.startswith(f"correlate {measure} records"))
    assert len(numbers(said)) == 4 and numbers(said) == numbers(block)
    assert "95% jackknife intervals by record" in said


def test_violins_say_the_median_and_each_run(found):
    _, said = plot(found["runs"], "--measure", "kendall")
    shown = [entry for entry in found["runs"] if entry["measure"] == "kendall"]
    for entry in shown:
        for run in entry["runs"]:
            assert (f"{run['run']} -" if run["value"] is None else f"{run['run']} {run['value']:.3f}") in said
        if entry["value"] is not None:
            assert f"median Kendall's tau-b {entry['value']:.3f} of 3 runs" in said


def test_tokens_say_coefficient_interval_and_tokens(found):
    _, said = plot(found["efficiency"])
    table = st("st-agree", *OF["efficiency"], "--table", input=jsonl(*ONE)).out.decode()
    assert "105.0 tokens" in said and "12005.0 tokens" in said and "flat: Spearman's rho undefined" in said
    assert {*numbers(said)} <= {*numbers(table)} and len(numbers(said)) == 6


@pytest.mark.parametrize("interval", ["jackknife", "bootstrap"])
def test_a_scatter_has_the_coefficient_of_correlate_and_every_point(tmp_path, interval):
    records = judged()
    args = ("--x", "judge", "--x", "exact", "--y", "human", "--item", "item", "--cluster", "paper", "--seed", "5",
            "--interval", interval)  # fmt: skip
    wanted = st("st-agree", "correlate", *args, "--ci", input=jsonl(*records)).records
    wanted = [entry for entry in wanted if entry["measure"] == "pearson"]
    data = tmp_path / "data.jsonl"
    done = st("st-agree", "plot", "--kind", "scatter", *args, "--measure", "pearson", "--data", data,
              input=jsonl(*reversed(records)))  # fmt: skip
    drawn = [json.loads(line) for line in data.read_text().splitlines()]
    _, said = told(done.out)
    for entry, panel in zip(wanted, drawn, strict=True):
        assert {**panel, **entry} == panel, "the result of correlate, to the last bit"
        assert sorted(panel["points"], key=lambda one: one["item"]) == [
            {"item": one["item"], "x": one[entry["x"]], "y": one["human"]} for one in records
        ]
        low, high = entry["interval"]["low"], entry["interval"]["high"]
        assert f"Pearson's r {entry['value']:.3f} [{low:.3f}, {high:.3f}], n = 60" in said


def test_limits_of_agreement_are_those_of_the_differences():
    records = judged()
    (panel,) = panels_of_pairs(records, "bland-altman", ["exact"], ["human"])
    (entry,) = panel.records()
    away = [one["exact"] - one["human"] for one in records]
    mean = sum(away) / 60
    sd = math.sqrt(sum((one - mean) ** 2 for one in away) / 59)
    assert entry["value"] == pytest.approx(mean) and entry["sd"] == pytest.approx(sd)
    assert entry["limits"] == pytest.approx([mean - 1.959964 * sd, mean + 1.959964 * sd])
    drawing = compose([panel], 85, 1)
    for limit in entry["limits"]:
        assert f"limit of agreement {limit:.3f} [" in drawing.description
    lines = [line[0][1] for line in offsets(drawing) if len(line) == 2]
    assert {entry["value"], *entry["limits"], 0} == {*lines}
    points = next(line for line in offsets(drawing) if len(line) == 60)
    assert sorted(y for _, y in points) == pytest.approx(sorted(away)), "no two are equal: none is moved"


def test_limits_of_clusters_have_no_intervals():
    (panel,) = panels_of_pairs(judged(), "bland-altman", ["exact"], ["human"], cluster="paper")
    (entry,) = panel.records()
    assert entry["limit_intervals"] is None and entry["interval"]["over"] == "paper"
    assert "Shaded" not in " ".join(panel.notes)


def test_a_reliability_diagram_has_the_share_of_each_bin():
    records = judged(200)
    (panel,) = panels_of_pairs(records, "reliability", ["p"], ["yes"], n_bins=5)
    (entry,) = panel.records()
    drawing = compose([panel], 85, 1)
    inside = [[one for one in records if min(int(one["p"] * 5), 4) == place] for place in range(5)]
    shares = [sum(one["yes"] for one in members) / len(members) for members in inside]
    means = [sum(one["p"] for one in members) / len(members) for members in inside]
    drawn = next(line for line in offsets(drawing) if len(line) == 5)
    assert [y for _, y in drawn] == pytest.approx(shares) and [x for x, _ in drawn] == pytest.approx(means)
    error = sum(len(members) * abs(share - mean) for members, share, mean in zip(inside, shares, means, strict=True))
    assert entry["value"] == pytest.approx(error / 200)
    ends = entry["error"]
    assert (
        f"expected calibration error {entry['value']:.3f}, "
        f"corrected for bias {ends['corrected']:.3f} [{ends['low']:.3f}, {ends['high']:.3f}];"
    ) in drawing.description, "the interval is of the corrected error"
    for members, one in zip(inside, entry["bins"], strict=True):
        assert one["n"] == len(members) and f"share {one['share']:.3f} [{one['low']:.3f}" in drawing.description


def test_outcomes_may_be_a_condition_and_others_are_refused():
    args = ("st-agree", "plot", "--kind", "reliability", "--x", "p", "--item", "item")
    records = [{**one, "verdict": "valid" if one["yes"] else "invalid"} for one in judged()]
    by_words = st(*args, "--y", "verdict=valid", input=jsonl(*records))
    by_numbers = st(*args, "--y", "yes", input=jsonl(*records))
    assert numbers(told(by_words.out)[1]) == numbers(told(by_numbers.out)[1])
    done = st(*args, "--y", "human", input=jsonl(*records))
    assert done.status == 2 and "is not an outcome (0 or 1)" in done.err and done.out == b""


# What is drawn


def test_violins_draw_each_run_at_its_coefficient(found):
    panels = panels_of(found["runs"])
    drawing = compose(panels, 85, 1)
    for number, part in enumerate(("method", "problem")):
        entries = [e for e in found["runs"] if e["measure"] == "spearman" and e["each"]["aspect"] == part]
        drawn = [line for line in offsets(drawing, number) if len(line) == 3]
        wanted = [[run["value"] for run in entry["runs"]] for entry in entries if entry["value"] is not None]
        assert [[x for x, _ in line] for line in drawn] == wanted


def test_a_forest_draws_each_value_and_the_ends_of_its_interval(found):
    drawing = compose(panels_of(found["correlate"]), 175, 2)
    shown = [e for e in found["correlate"] if e["measure"] == "spearman" and e["value"] is not None]
    marks = [line for axes in (0, 1) for line in offsets(drawing, axes)]
    assert [line[0][0] for line in marks if len(line) == 1] == [entry["value"] for entry in shown]
    bars = [[x for x, _ in line] for line in marks if len(line) == 2 and line[0][1] == line[1][1]]
    assert bars == [[entry["interval"]["low"], entry["interval"]["high"]] for entry in shown]


def test_tokens_draw_methods_at_their_tokens_and_coefficients(found):
    drawing = compose(panels_of(found["efficiency"]), 85, 1)
    marks = [line[0] for axes in (0, 1) for line in offsets(drawing, axes) if len(line) == 1]
    shown = [e for e in found["efficiency"] if e["method"] and e["value"] is not None]
    assert marks == [(entry["tokens"], entry["value"]) for entry in shown] and len(marks) == 4
    assert drawing.page.figure.axes[0].get_xscale() == "log"


def test_a_heat_map_hatches_what_is_undefined_and_has_a_key(found):
    drawing = compose(panels_of(found["errors"])[:1], 85, 1)
    cells, key = drawing.page.figure.axes
    hatched = [patch.get_xy() for patch in cells.patches if patch.get_hatch()]
    entries = [e for e in found["errors"] if e["each"]["aspect"] == "method"]
    names = [entry["methods"][0] for entry in entries if len(entry["methods"]) == 1]
    flat = names.index("flat")
    assert {*hatched} == {(x, y) for x in range(3) for y in range(3) if flat in (x, y)}
    shades = [sum(patch.get_facecolor()[:3]) for patch in key.patches]
    assert shades == sorted(shades, reverse=True) and len({*shades}) == len(shades), "darker with every step"


@pytest.mark.parametrize("width", [85, 175])
def test_nothing_is_drawn_outside_of_the_page(found, width):
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    for panels in all_panels(found):
        drawing = compose(panels, width, 1 if width == 85 else 2)
        figure = drawing.page.figure
        assert figure.get_size_inches()[0] * 25.4 == pytest.approx(width)
        renderer = FigureCanvasAgg(figure).get_renderer()
        page = figure.bbox
        for text in figure.findobj(lambda artist: hasattr(artist, "get_text") and artist.get_text()):
            box = text.get_window_extent(renderer)
            inside = page.x0 - 1 <= box.x0 and box.x1 <= page.x1 + 1 and page.y0 - 1 <= box.y0 and box.y1 <= page.y1 + 1
            assert inside, (panels[0].what, text.get_text())
            assert "DejaVuSans.ttf" in str(text.get_fontproperties().get_file()), text.get_text()


def test_panels_stand_below_each_other_or_in_rows(found):
    below, beside = (compose(panels_of(found["errors"]), 175, columns).page for columns in (1, 2))
    assert below.height > 1.5 * beside.height


# The same file everywhere

_SCRIPT = """
import hashlib, json, sys
from scholartools.tasks.agree.figures import Results, compose
for name, entries in json.load(sys.stdin).items():
    results = Results()
    for entry in entries:
        results.add(entry)
    for kind in ("svg", "png", "pdf"):
        made = compose(results.panels(), 85, 1).save(kind)
        print(name, kind, hashlib.sha256(made).hexdigest())
"""


@pytest.mark.slow
def test_two_processes_write_the_same_bytes_whatever_a_users_settings_are(found, tmp_path):
    settings = tmp_path / "matplotlibrc"
    settings.write_text("font.family: serif\nlines.linewidth: 9\nsvg.fonttype: none\naxes.facecolor: red\n")
    shown = []
    for hash_seed, more in (("1", {}), ("2", {"MATPLOTLIBRC": str(settings), "TZ": "Asia/Tokyo", "LC_ALL": "C"})):
        env = environment(PYTHONHASHSEED=hash_seed, SOURCE_DATE_EPOCH="", **more)
        if not env["SOURCE_DATE_EPOCH"]:
            del env["SOURCE_DATE_EPOCH"]
        done = subprocess.run(
            [sys.executable, "-c", _SCRIPT], input=json.dumps(found), capture_output=True, text=True, env=env
        )
        assert done.returncode == 0 and done.stderr == "", done.stderr
        shown.append(done.stdout)
    assert shown[0] == shown[1] and len(shown[0].splitlines()) == 3 * len(found)


def test_a_file_tells_no_date_and_no_program_but_title_and_numbers(found):
    drawing = compose(panels_of(found["correlate"]), 85, 1)
    for kind, first in (("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        made = drawing.save(kind)
        assert made.startswith(first)
        assert not re.search(rb"CreationDate|ModDate|dc:date|Producer|Software|[Mm]atplotlib v", made), kind
    assert b"Values with their intervals" in drawing.save("png") and b"/Subject" in drawing.save("pdf")


def test_the_ending_of_the_output_says_the_format(found, tmp_path):
    for ending, first in ((".svg", b"<?xml"), (".PNG", b"\x89PNG"), (".pdf", b"%PDF")):
        path = tmp_path / f"figure{ending}"
        done = st("st-agree", "plot", "--output", path, input=jsonl(*found["efficiency"]))
        assert done.status == 0 and done.out == b"" and path.read_bytes().startswith(first)
    done = st("st-agree", "plot", "--output", tmp_path / "figure.jpg", input=jsonl(*found["efficiency"]))
    assert done.status == 2 and "does not end in .svg, .png or .pdf" in done.err


# Foreign names


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [HOSTILE, "$", "$$", "\\$x$", "\u202e", "\x00", "x" * 5000, "\U000e0041", "%s{0}", " "]
)
def test_a_name_is_inert(name, found):
    entries = [
        {**entry, "each": {"aspect": name, "system": name}, "methods": [one + name for one in entry["methods"]]}
        for entry in found["errors"]
        if entry["each"]["aspect"] == "method"
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        drawing = compose(panels_of(entries), 85, 1)
        for kind in ("png", "pdf"):
            assert drawing.save(kind)
        _, said = told(drawing.save("svg"))
    assert said.isprintable() or {one for one in said if not one.isprintable()} == {"\n"}
    assert labels.inert("flat" + name) in said


def test_names_that_are_cut_differ_and_fit():
    names = [f"{'system ' * 20}{place} {'of a long name ' * 9}" for place in range(12)]
    drawn = labels.fit_all(names, 30.0)
    assert len({*drawn.values()}) == 12 and all(text_width(text) <= 30.0 for text in drawn.values())
    assert labels.fit_all(["a\nb", "a b"], 30.0) == {"a\nb": "a b (1)", "a b": "a b (2)"}
    assert labels.drawable("\u4e2d") == "\\u4e2d" and labels.inert("\u202e\x1b") == "\\u202e\\u001b"


# What cannot be read, or is no result


def many(n: int) -> list[dict]:
    draw = random.Random(4)
    return [
        {"item": item, "human": item % 5, "method": f"system-{place:02d}", "score": item % 5 + draw.gauss(0, 1)}
        for item in range(12) for place in range(n)
    ]  # fmt: skip


def test_sixty_systems_are_drawn_where_they_can_be_read_and_refused_where_not():
    keys = ("--x", "score", "--y", "human", "--item", "item", "--method", "method")
    correlated = st("st-agree", "correlate", *keys, "--ci", input=jsonl(*many(60))).records
    _, said = plot(correlated)
    assert sum(line.startswith("system-") for line in said.splitlines()) == 60
    assert compose(panels_of(correlated), 85, 1).page.height < 240
    wrong = st("st-agree", "errors", *keys, input=jsonl(*many(60))).records
    done = st("st-agree", "plot", input=jsonl(*wrong))
    assert done.status == 2 and done.out == b"" and done.err.count("\n") == 1
    assert re.search(r"60 methods in a heat map cannot be read in a panel of 82 mm, 1\d can: .*--width 175", done.err)
    more = [{**entry, "x": f"{entry['x']}-{place}"} for entry in correlated for place in (1, 2)]
    with pytest.raises(UsageFault, match="120 rows cannot be read"):
        compose(panels_of(more), 175, 1)


def test_other_records_are_refused_with_their_line(found):
    entries = found["errors"]
    done = st("st-agree", "plot", input=jsonl(*entries, {"stat": "alpha", "value": 1}))
    assert done.status == 1 and f"-:{len(entries) + 1}: not a result of st-agree errors, runs, efficiency" in done.err
    mixed = [*entries, *found["efficiency"]]
    assert "a result of efficiency after one of errors" in st("st-agree", "plot", input=jsonl(*mixed)).err
    signed = st("st-agree", "errors", "--signed", *KEYS[:-2], "--x-range", "-9", "9", "--y-range", "0", "2",
                input=jsonl(*(one for one in ONE if one["aspect"] == "problem"))).records  # fmt: skip
    done = st("st-agree", "plot", input=jsonl(*signed))
    assert done.status == 2 and "no result that a figure shows" in done.err


@pytest.mark.parametrize("name", OF)
def test_a_second_result_for_one_place_is_refused_and_not_drawn(found, name):
    results = Results()
    for entry in found[name]:
        results.add(entry)
    for entry in found[name]:
        with pytest.raises(Exception, match="two results belong to the same position of the figure"):
            results.add({**entry, "value": 0.123})
    assert [list(panel.records()) for panel in results.panels()] == [
        list(panel.records()) for panel in panels_of(found[name])
    ]


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (("--x", "judge"), "--x: needs --kind"),
        (("--each", "aspect"), "--each: needs --kind"),
        (("--kind", "scatter", "--x", "judge"), "--kind needs --y"),
        (("--cluster", "paper"), "--cluster needs --kind"),
        (("--bins", "4"), "--bins needs --kind reliability"),
        (("--data", "-"), "--data: the figure already uses standard output"),
    ],
)
def test_an_option_without_effect_is_refused(args, reason):
    done = st("st-agree", "plot", *args, input=jsonl(*judged()))
    assert done.status == 2 and reason in done.err and done.out == b""


def test_without_matplotlib_one_line_names_the_extra(found, tmp_path):
    (tmp_path / "matplotlib.py").write_text("raise ImportError('none here')\n")
    done = subprocess.run(
        [str(os.path.join(os.path.dirname(sys.executable), "st-agree")), "plot"],
        input=jsonl(*found["efficiency"]), capture_output=True, env=environment(PYTHONPATH=str(tmp_path)),
    )  # fmt: skip
    assert done.returncode == 2 and done.stdout == b""
    assert done.stderr.decode() == 'st-agree: matplotlib is not installed: pip install "scholartools[plot]"\n'


# Parts


def test_equal_points_are_moved_less_than_to_the_next_number_and_the_same_way_each_time():
    draw = random.Random(2)
    points = [(draw.choice([1, 2, 3]), draw.choice([0, 0.25, 4])) for _ in range(100)]
    moved, away = spread_apart(points, 7)
    assert (moved, away) == spread_apart(points, 7) and moved != spread_apart(points, 8)[0]
    assert len({*moved}) == 100 and away[0] <= 0.3 and away[1] <= 0.3 * 0.25
    for (x, y), (at_x, at_y) in zip(points, moved, strict=True):
        assert abs(x - at_x) <= away[0] and abs(y - at_y) <= away[1]
    assert spread_apart([(1, 1), (1, 2)], 7) == ([(1, 1), (1, 2)], (0.0, 0.0))


def test_a_violin_ends_where_the_runs_do_and_is_widest_where_they_are_densest():
    shape = density_shape([0.1, 0.2, 0.3])
    assert shape[0][0] == 0.1 and shape[-1][0] == pytest.approx(0.3)
    assert [share for _, share in shape] == pytest.approx([share for _, share in reversed(shape)])
    width = 0.1 * 3**-0.2
    heights = [sum(math.exp(-(((x - run) / width) ** 2) / 2) for run in (0.1, 0.2, 0.3)) for x in (0.1, 0.2)]
    assert shape[0][1] == pytest.approx(heights[0] / heights[1]) and max(share for _, share in shape) == 1
    assert density_shape([0.2, 0.2]) == density_shape([0.4]) == []


FINITE = strategies.floats(-1e300, 1e300) | strategies.floats(-1, 1) | strategies.integers(-9, 9).map(float)


@given(strategies.lists(FINITE, min_size=1, max_size=5), strategies.floats(20, 170))
def test_a_scale_holds_its_numbers_and_has_ticks(numbers, length):
    span = span_around(numbers)
    assert span.low < span.high and all(span.low <= number <= span.high for number in numbers)
    slack = 1e-6 * (span.high - span.low)
    assert len(span.ticks(length)) >= 2
    assert all(span.low - slack <= tick <= span.high + slack for tick in span.ticks(length))


@given(strategies.lists(strategies.floats(1, 1e6), min_size=1, max_size=5))
def test_a_logarithmic_scale_holds_its_numbers_and_has_ticks(numbers):
    span = span_around(numbers, is_log=True)
    assert all(0 <= span.share(number) <= 1 for number in numbers)
    assert span.ticks(60)


def test_an_axis_without_0_is_marked():
    cases = (([3.0, 3.4], 2), ([0.0, 3.4], 0), ([-1.0, 1.0], 0), ([-3.4, -3.0], 2))
    for numbers_, strokes in cases:
        entries = [
            {"stat": "mean", "x": str(place), "y": "human", "value": value, "interval": None, "n": 9, "reason": None}
            for place, value in enumerate(numbers_)
        ]
        drawing = compose(panels_of(entries), 85, 1)
        drawn = [line for line in drawing.page.figure.artists if line.get_color() == "#000000"]
        assert len(drawn) == strokes, numbers_
    assert Span(3, 4).is_cut and not Span(0, 4).is_cut and not Span(3, 4, is_log=True).is_cut
