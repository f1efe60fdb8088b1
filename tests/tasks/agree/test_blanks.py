"""A blank cell is a missing value, however it is written, in every form of ratings and measures."""

from __future__ import annotations

import json
import math
import random
import re
import unicodedata
from dataclasses import replace

import pytest
from support.run import jsonl, st

from scholartools.errors import InputFault
from scholartools.metrics.statistics.correlation import MEASURES
from scholartools.metrics.statistics.resampling import Resampling
from scholartools.tasks.agree import correlation, error_overlap, majority_vote, systems
from scholartools.tasks.agree.bias import bias_records
from scholartools.tasks.agree.coefficients import Choices, coefficient_records
from scholartools.tasks.agree.columns import RowKeys, make_columns
from scholartools.tasks.agree.efficiency import Prices, efficiency_records
from scholartools.tasks.agree.label_report import report_records
from scholartools.tasks.agree.people import conformal, levels
from scholartools.tasks.agree.people.means import mean_records
from scholartools.tasks.agree.people.weight_fit import fit
from scholartools.tasks.agree.ratings import Keys, Ratings
from scholartools.tasks.agree.run import Run
from scholartools.tasks.annotate.kinds.questions import scales_of
from scholartools.tasks.annotate.rating_sheets import _read_cell
from scholartools.tasks.claims.answer_files import parse_rating
from scholartools.tasks.claims.human_labels import _parse_flag
from scholartools.tasks.judge.rate.criteria import read_criteria
from scholartools.tasks.shared.blanks import is_blank, tell_likely_missing
from scholartools.tasks.shared.text_names import TextName
from scholartools.tasks.summarize.truth import make_truth

BLANKS = ["", " ", "\t", "NA", "na", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "None", "none", "NULL", "null", " NA ",
          math.nan]  # fmt: skip
HOW = Resampling(20)
RATERS = ("r.anna", "r.ben", "r.eve")


def is_cell_blank(chance):
    return chance.random() < 0.25


def wide_ratings(chance, values):
    """Ratings by item and rater in nested wide form; a cell that is to be blank holds the mark BLANK."""
    return [
        {"item": item, "paper": f"p{item // 3}", "label": None,
         "r": {rater.removeprefix("r."): BLANK if is_cell_blank(chance) else chance.choice(values)
               for rater in RATERS}}
        for item in range(18)
    ]  # fmt: skip


def long_of(rows):
    return [
        {"item": row["item"], "paper": row["paper"], "rater": rater, "value": value}
        for row in rows for rater, value in row["r"].items()
    ]  # fmt: skip


BLANK = object()


def copied(records, make):
    """The records with each mark BLANK replaced by what ``make`` gives, or taken out where that is BLANK."""
    if isinstance(records, list):
        return [copied(record, make) for record in records]
    made = {
        key: copied(value, make) if isinstance(value, dict) else make() if value is BLANK else value
        for key, value in records.items()
    }
    return {key: value for key, value in made.items() if value is not BLANK}


def rating_runs(keys):
    every = ("alpha", "kappa", "agreement", "fleiss", "perfect")
    nominal = Choices(how=HOW, pooled=True, pairs=True, leave_one_out=True)
    interval = replace(nominal, level="interval")

    def run(make, level="nominal"):
        ratings = Ratings(keys, level)
        return Run(ratings, lambda: make(ratings))

    yield run(lambda ratings: coefficient_records(ratings, every, nominal))
    yield run(lambda ratings: coefficient_records(ratings, every, interval), "interval")
    yield run(lambda ratings: report_records(ratings, interval), "interval")
    yield run(lambda ratings: majority_vote.majority_records(ratings, 2))
    yield run(lambda ratings: majority_vote.summary(ratings, 2))
    yield run(lambda ratings: systems.powers(ratings, HOW), "interval")
    yield run(lambda ratings: systems.effects(ratings, HOW, 0), "interval")


def column_runs(make):
    def run(results):
        columns = make()
        return Run(columns, lambda: results(columns))

    beside = correlation.Comparisons(("words",), (("close", "long"),), HOW)
    yield run(lambda columns: correlation.correlations(columns, X, ["human"], MEASURES, beside=beside))
    yield run(lambda columns: error_overlap.error_records(columns, X, "human", 2))
    yield run(lambda columns: bias_records(columns, X, "human", ["words"], HOW))
    yield run(lambda columns: mean_records(columns, X[0], "human", HOW))
    yield run(lambda columns: levels.summary(columns, X[0], "human", 0.5, 0))
    yield run(lambda columns: conformal.summary(columns, X[0], "human", conformal.Asked(0.5)))
    yield run(lambda columns: fit(columns, X, "human", [5, 5]))


def results(run, records):
    """Statistics of records; a record with nothing in it is no record."""
    failed = 0
    for record in records:
        try:
            run.taken.add(record)
        except InputFault as fault:
            assert fault.kind == "missing-key", fault.reason
            failed += 1
    return run.finish(failed)


def numbers(entries):
    """What statistics say, without how many cells were missing and what the input was."""
    hidden = ("signature", "n_missing", "dropped", "nulls", "n_items")
    return [{key: value for key, value in entry.items() if key not in hidden} for entry in entries]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("form", ["wide", "long"])
def test_blank_ratings_are_missing_ratings(form, seed):
    chance = random.Random(seed)
    rows = wide_ratings(chance, [1, 2, 3, "2.5"])
    records = rows if form == "wide" else long_of(rows)
    keys = Keys(raters=RATERS, cluster="paper") if form == "wide" else Keys(cluster="paper")
    as_null = [results(run, copied(records, lambda: None)) for run in rating_runs(keys)]
    told = [results(run, copied(records, lambda: chance.choice(BLANKS))) for run in rating_runs(keys)]
    assert told == as_null
    if form == "wide":
        rows = [row for row in records if any(value is not BLANK for value in row["r"].values())]
    else:
        rows = [row for row in records if row["value"] is not BLANK]
    absent = [results(run, copied(rows, lambda: BLANK)) for run in rating_runs(keys)]
    for one, other in zip(told, absent, strict=True):
        if one and one[0]["stat"] == "majority":
            continue  # an item that nobody rated is one without a majority, where it is there
        assert numbers(one) == numbers(other)


X = ["close", "long"]


@pytest.mark.parametrize("seed", range(3))
def test_blank_measures_are_missing_measures(seed):
    chance = random.Random(seed)
    records = [
        {"item": item, "words": chance.randrange(20),
         **{path: BLANK if is_cell_blank(chance) else chance.randrange(1, 6) for path in (*X, "human")}}
        for item in range(40)
    ]  # fmt: skip

    def make():
        return make_columns([*X, "human", "words"], RowKeys(item="item"))

    whole = [one for one in records if any(one[path] is not BLANK for path in X)]
    as_null = [results(run, copied(whole, lambda: None)) for run in column_runs(make)]
    assert [results(run, copied(whole, lambda: chance.choice(BLANKS))) for run in column_runs(make)] == as_null
    assert [results(run, copied(whole, lambda: BLANK)) for run in column_runs(make)] == as_null


def test_blank_scores_and_prices_of_methods_are_missing():
    chance = random.Random(2)
    records = [
        {"item": item, "method": method, "human": item % 4, "score": BLANK if is_cell_blank(chance) else chance.random(),
         "cost": BLANK if is_cell_blank(chance) else 0.1, "tokens": 5}
        for item in range(20) for method in ("a", "b")
    ]  # fmt: skip

    def made(make_blank):
        prices = Prices(("tokens",), "cost")
        columns = make_columns(["score", "human"], RowKeys(item="item", method=("method",), beside=prices.paths()))
        run = Run(columns, lambda: efficiency_records(columns, "score", "human", "spearman", prices, HOW))
        return results(run, copied(records, make_blank))

    assert made(lambda: chance.choice(BLANKS)) == made(lambda: None)
    assert numbers(made(lambda: None))


def test_what_is_blank():
    assert all(map(is_blank, [*BLANKS, None])) and not any(
        map(is_blank, ["-", "no", "0", 0, False, "none of these", []])
    )


WIDE = [{"item": 1, "a": "yes", "b": "", "c": ""}, {"item": 2, "a": "no", "b": "None", "c": "no"},
        {"item": 3, "a": "yes", "b": "yes ", "c": "-"}]  # fmt: skip


def majority(*args, data=WIDE, status=0):
    done = st("st-agree", "majority", "--raters", "a,b,c", *args, input=jsonl(*data))
    assert done.status == status, done.err
    return done


def test_blank_cells_are_told_once_with_the_way_back():
    done = majority()
    assert [one["value"] for one in done.records] == [None, "no", None]
    assert done.err.splitlines() == [
        'st-agree: 3 cells are blank and missing among the ratings: "" (2), "None" (1); --keep-blank takes blank texts as '
        "values",
        'st-agree: 1 of the ratings looks like a mark for a missing value, and counts as a value: "-" (1); --missing - '
        "takes that for missing",
        'st-agree: 3 ratings differ only in white space or number format, and count as different: "yes " (1), '
        '"yes" (2)',
    ]  # fmt: skip
    assert majority("--quiet").err == ""


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (["yes", "-", "no"], {"-"}), (["+", "-", "-"], set()), (["a", " \u2014 ", "?", "..."], {" \u2014 ", "?", "..."}),
        (["a", "N.A.", "Not available", "(missing)"], {"N.A.", "Not available", "(missing)"}),
        (["a", "nothing missing", "n", "x-y", "a?", "na-ive", "-1", "none of these"], set()),
        ([1, 2, 5, -9], {"-9"}), ([1, 3, 5, -1], {"-1"}), ([1, 0, 5, 3, -1], set()), ([-1, 1, 1, 2], set()),
        ([1, 2.5, 3, 4, -1], set()), ([1, 3, 5, -1, -2], set()), ([1, 2, 5, 99.0], {"99"}), ([1, "2", "999"], {"999"}), ([0, 50, 99], set()),
        ([-12, 4, -9], set()), ([-9, -9], set()), ([99], set()), ([True, False], set()), ([0, 1, 9], set()),
        ([0.5, -9.5], set()), ([1, 9.9e30], set()), ([("-",)], set()),
    ],
)  # fmt: skip
def test_marks_that_may_stand_for_no_value_are_told_and_stay_values(values, told):
    notes = list(tell_likely_missing(values, "ratings"))
    assert len(notes) == bool(told)
    assert not told or told == {json.loads(one) for one in re.findall(r'("[^"]*") \(\d+\)', notes[0])}


def test_a_number_that_stands_for_none_is_told_of_its_own_column():
    data = [{"x": x, "y": y} for x, y in ((1, 999), (2, 700), (-9, 800), (3, 650))]
    done = st("st-agree", "correlate", "--x", "x", "--y", "y", input=jsonl(*data))
    assert done.err.splitlines() == [
        'st-agree: 1 of the numbers of x looks like a mark for a missing value, and counts as a value: "-9" (1); '
        "--missing -9 takes that for missing"
    ]
    assert st("st-agree", "correlate", "--x", "x", "--y", "y", "--missing", "-9", input=jsonl(*data)).err.count("blank")


def test_blank_texts_are_kept_and_others_named_and_both_are_in_the_signature():
    plain, kept = majority().records, majority("--keep-blank")
    assert [one["value"] for one in kept.records] == ["", "no", None]
    assert "3 blank texts count as values" in kept.err
    named = majority("--missing", "-", "--missing", "no").records
    assert [one["value"] for one in named] == [None, None, None] and named[1]["n_ratings"] == 0
    assert "input=" in plain[0]["signature"] and "missing:" not in plain[0]["signature"]
    assert ",keep-blank" in kept.records[0]["signature"] and ",missing:-,missing:no" in named[0]["signature"]
    assert majority("--missing", "absent").out == majority().out
    none = [{"item": 1, "a": "x", "b": "y", "c": "x"}]
    assert majority("--keep-blank", data=none).out == majority(data=none).out


def test_a_number_may_be_named_as_missing():
    data = [{"x": x, "y": y} for x, y in ((1, 2), (2, 1), (-9, 7), (4, "-9.0"), (5, 6))]
    args = ("correlate", "--x", "x", "--y", "y")
    done = st("st-agree", *args, "--missing", "-9", input=jsonl(*data))
    known = [row for row in data if row["x"] != -9 and row["y"] != "-9.0"]
    wanted = st("st-agree", *args, input=jsonl(*known)).records
    assert [one["value"] for one in done.records] == [one["value"] for one in wanted]
    assert done.records[0]["n_missing"] == 2 and "missing:-9" in done.records[0]["signature"]


def test_an_empty_name_is_none():
    data = [{"item": "", "rater": "a", "value": 1}, {"item": 1, "rater": " ", "value": 1},
            {"item": 1, "rater": "NA", "value": 1}, {"item": 1, "rater": "b", "value": 1}]  # fmt: skip
    done = st("st-agree", "agreement", input=jsonl(*data))
    assert done.status == 1 and done.records[0]["dropped"] == {"missing-key": 2} and done.records[0]["value"] == 1
    assert '-:1: no "item": the cell is empty' in done.err


def test_names_that_differ_in_white_space_are_told():
    data = [{"item": item, "rater": rater, "value": 1} for item, rater in ((1, "anna"), (1, "ben"), (2, "anna "))]
    assert "2 raters differ only in white space" in st("st-agree", "agreement", input=jsonl(*data)).err


def test_a_number_in_other_writing_is_the_number_on_a_scale_of_numbers():
    data = [
        {"item": item, "a": text, "b": number} for item, text, number in ((1, "2.50", 2.5), (2, " 3", 3), (3, "1e0", 2))
    ]
    args = ("alpha", "kappa", "agreement", "--level", "interval", "--raters", "a,b")
    done = st("st-agree", *args, input=jsonl(*data))
    assert done.err == "" and done.records[-1]["value"] == pytest.approx(2 / 3)
    told = st("st-agree", "agreement", "--raters", "a,b", input=jsonl(*data))
    assert told.records[-1]["value"] == 0 and "count as different" in told.err


def test_blank_scores_of_people_in_a_file_are_no_scores(tmp_path):
    path = tmp_path / "people.jsonl"
    rows = [{"name": "p1/a/i1", "clarity": "NA", "note": ""}, {"name": "p2/a/i1", "clarity": "4", "note": "NA"}]
    path.write_bytes(jsonl(*rows))
    truth, record = make_truth(str(path), "name", None), {}
    names = [TextName(paper, "a", "i1") for paper in ("p1", "p2")]
    assert [truth.score(record, record, name, [name], "clarity") for name in names] == [None, 4]
    assert next(truth.notes()) == "1 score by people is blank, and missing"


@pytest.mark.parametrize("blank", [blank for blank in BLANKS if isinstance(blank, str)])
def test_blank_answers_on_sheets_and_in_files_of_labels_are_none(blank):
    spec = read_criteria("builtin:rq").aspects[0]
    assert _read_cell(blank.strip(), scales_of([spec])[0], "a.csv:2") == "blank"
    assert parse_rating("agreement", blank, "labels.csv:2") is None
    assert _parse_flag("novelty", blank, "labels.csv:2") is None


@pytest.mark.parametrize("member", ["", " ", "NA", "n/a", "None"])
@pytest.mark.parametrize(("statistic", "options"), [("alpha", ["--level", "masi"]), ("spans", [])])
def test_a_blank_member_of_a_list_is_refused_unless_it_is_kept(statistic, options, member):
    values = {1: [["a"], [member]], 2: [["b"], ["b"]], 3: [["a"], ["b"]], 4: [["c"], ["c"]]}
    records = [
        {"item": item, "rater": rater, "value": value}
        for item, row in values.items() for rater, value in zip(("anna", "ben"), row, strict=True)
    ]  # fmt: skip
    without = st("st-agree", statistic, *options, input=jsonl(*(one for one in records if one["value"] != [member])))
    done = st("st-agree", statistic, *options, input=jsonl(*records))
    assert done.status == 1 and "holds a blank text" in done.err and "-:2:" in done.err
    assert [one["value"] for one in done.records] == [one["value"] for one in without.records]
    kept = st("st-agree", statistic, *options, "--keep-blank", input=jsonl(*records))
    assert kept.status == (0 if member.strip() else 1)
    if member.strip():
        assert kept.records[0]["value"] != done.records[0]["value"]


def test_names_written_as_blank_cells_stay_names_and_are_told():
    rows = [{"item": item, "paper": "NA" if item < 4 else f"p{item}", "x": item % 3, "y": item % 2, "rater": "anna",
             "value": item % 2} for item in range(8)]  # fmt: skip
    told = 'look like blank cells, and count as names: "NA" (4)'
    for line in (["correlate", "--x", "x", "--y", "y", "--ci", "--cluster", "paper"],
                 ["correlate", "--x", "x", "--y", "y", "--each", "paper"],
                 ["alpha", "--ci", "--cluster", "paper"]):  # fmt: skip
        done = st("st-agree", *line, input=jsonl(*rows))
        assert done.status == 0 and told in done.err, done.err
        named = [{**row, "paper": f"p{row['item']}"} for row in rows]
        assert "blank" not in st("st-agree", *line, input=jsonl(*named)).err


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["text", "extraction"])
def test_a_text_that_is_a_blank_cell_says_nothing(metric):
    def mean(*pairs):
        rows = [{"id": place, "gold": gold, "own": own} for place, (gold, own) in enumerate(pairs)]
        paths = ("--reference", "gold", "--candidate", "own", "--summary")
        values = st("st-score", metric, *paths, input=jsonl(*rows)).records[0]["values"]
        return {name: (value["n"], value["mean"]) for name, value in values.items()}

    whole = [("the sample is small", "the sample is tiny"), ("one valley alone", "one valley")]
    for blank in ("NA", " n/a", "None", "nan"):
        assert mean(*whole, (blank, "one valley")) == mean(*whole, ("", "one valley")) == mean(*whole)
        assert mean(*whole, (blank, blank)) == mean(*whole)
        assert mean(*whole, ("one valley", blank)) == mean(*whole, ("one valley", ""))


@pytest.mark.parametrize("option", ["--cluster", "--by"])
def test_records_with_an_empty_name_are_no_group_of_a_summary(option):
    rows = [{"id": place, "paper": "" if place < 2 else f"p{place}", "gold": "a small sample", "own": "a sample"}
            for place in range(5)]  # fmt: skip
    line = ["text", "--reference", "gold", "--candidate", "own", "--summary", option, "paper"]
    done = st("st-score", *line, input=jsonl(*rows))
    assert done.status in (1, 3) and '-:1: no "paper": the cell is empty' in done.err, done.err


# Ways to write a name or a label anew that no reader sees, and the number that each is where it is one.
UNSEEN = {
    "decomposed": lambda text: unicodedata.normalize("NFD", text),
    "zero width": lambda text: f"{text[:1]}\u200b{text[1:]}",
    "byte-order mark": lambda text: f"\ufeff{text}",
    "soft hyphen": lambda text: f"{text}\u00ad",
    "variation selector": lambda text: f"{text}\ufe0f",
    "Hangul filler": lambda text: f"{text}\u3164",
    "full width": lambda text: "".join(chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else one for one in text),
    "case": str.swapcase,
    "no-break space": lambda text: f"\u00a0{text}",
}


@pytest.mark.parametrize("what", ["item", "rater", "label", "value", "paper"])
@pytest.mark.parametrize("way", UNSEEN)
def test_what_looks_alike_is_told_wherever_it_splits_one_into_two(way, what):
    """Items then have fewer ratings, raters fewer items, clusters are more than there are: numbers change in silence."""
    rows = [
        {"item": f"é{item}", "rater": rater, "label": "çlear", "value": "jä", "paper": f"pré{item % 3}"}
        for item in range(6) for rater in ("zoë", "bén")
    ]  # fmt: skip
    plain = st("st-agree", "agreement", "--ci", "--cluster", "paper", input=jsonl(*rows))
    assert plain.err == ""
    rows[2][what] = UNSEEN[way](rows[2][what])
    if what == "paper":
        rows[3][what] = rows[2][what]  # of one item
    told = st("st-agree", "agreement", "--ci", "--cluster", "paper", input=jsonl(*rows))
    named = {"value": "ratings", "paper": "names of clusters"}.get(what, f"{what}s")
    assert f"{named} differ only in white space" in told.err, told.err


@pytest.mark.parametrize(
    ("one", "other"), [("2,0", "2"), ("1,5", "1.5"), ("-1,25", "-1.250"), ("\u22121", "-1"), ("0,50", 0.5)]
)
def test_a_decimal_comma_beside_a_decimal_point_is_told(one, other):
    """At the nominal level they are two labels: agreement of raters who mean the same number falls in silence."""
    rows = [{"item": n, "a": one, "b": other if n % 2 else one} for n in range(4)]
    done = st("st-agree", "agreement", "--raters", "a,b", input=jsonl(*rows))
    assert "8 ratings differ only in white space or number format, and count as different" in done.err, done.err


def test_commas_that_are_no_decimal_commas_are_not_told():
    rows = [{"item": n, "a": "1,2,3", "b": "1,2.3"} for n in range(4)] + [{"item": 5, "a": "a,5", "b": "a.5"}]
    assert st("st-agree", "agreement", "--raters", "a,b", input=jsonl(*rows)).err == ""


def test_long_numbers_that_differ_are_not_said_to_be_alike():
    """All digits of a name count, not those that a float has."""
    rows = [{"item": 2**53 + item, "rater": rater, "value": 1} for item in range(9) for rater in "ab"]
    assert st("st-agree", "agreement", input=jsonl(*rows)).err == ""
    rows += [{"item": f"{2**53}.0", "rater": "a", "value": 1}]
    assert "2 items differ only in white space or number format" in st("st-agree", "agreement", input=jsonl(*rows)).err


@pytest.mark.parametrize("name", ["system", "paper", "domain"])
def test_names_that_split_groups_of_measures_are_told(name):
    rows = [
        {"system": f"s{n % 3}", "paper": f"p{n // 3}", "domain": "nlp", "x": n * 7 % 11, "y": n * 5 % 7}
        for n in range(24)
    ]
    line = ("correlate", "--x", "x", "--y", "y", "--by", "system", "--ci", "--cluster", "paper", "--each", "domain")
    plain = st("st-agree", *line, input=jsonl(*rows))
    assert plain.status == 0 and "differ only" not in plain.err, plain.err
    rows[4][name] += "\u200b"
    assert "differ only in white space" in st("st-agree", *line, input=jsonl(*rows)).err


@pytest.mark.parametrize("blank", ["\u200b", "\ufeff", "N\u200bA", "\ufeffnull", "ＮＡ", "n／a", "\u2060"])
def test_a_cell_that_nobody_sees_is_blank(blank):
    rows = [{"item": n, "a": "yes", "b": "yes" if n else blank} for n in range(3)]
    done = st("st-agree", "agreement", "--raters", "a,b", input=jsonl(*rows))
    assert done.records[0]["value"] == 1 and done.records[0]["n_items"] == 2 and "1 cell is blank" in done.err
