"""Tables as data frames of pandas, polars and pyarrow, and back: the same rows, null and empty texts apart."""

from __future__ import annotations

import subprocess
import sys
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from support import filled
from support.run import environment

from scholartools.errors import InputFault, ScholartoolsError, UsageFault
from scholartools.tables import frame, records, rows, show
from scholartools.tasks.tabulate.listing import ALL

LIBRARIES = {"pandas": "pandas", "polars": "polars", "arrow": "pyarrow"}
RECORDS = [filled.filled_record(seed, f"p{seed}") for seed in range(3)]
# What is told of lists that are null has a test of its own.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
TEXTS = some.none() | some.sampled_from(["", "007", "1e5", "NA", "null", "nan", "<NA>", "=1+1", " "]) | some.text()


def cell(library):
    pytest.importorskip(LIBRARIES[library])
    return library


@pytest.fixture(params=LIBRARIES)
def library(request):
    return cell(request.param)


def whole(row):
    """A row as files hold it: half of a surrogate pair is U+FFFD."""
    if isinstance(row, str):
        return row.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(row, list):
        return [whole(one) for one in row]
    return {key: whole(value) for key, value in row.items()} if isinstance(row, dict) else row


@pytest.mark.parametrize("name", ALL)
def test_every_table_comes_back_as_it_was(name, library):
    keys = ["id", "title"] if name == "long" else []
    given_rows = list(rows(name, RECORDS, keys=keys))
    found = records(frame(name, RECORDS, to=library, keys=keys))
    assert found == whole(given_rows)
    for row, other in zip(found, given_rows, strict=True):
        for heading, value in row.items():
            assert isinstance(value, (type(other[heading]), float)), heading


@settings(max_examples=60)
@given(
    references=some.lists(
        some.fixed_dictionaries(
            {"title": TEXTS, "authors": some.none() | some.lists(TEXTS.filter(lambda one: one is not None), max_size=3)},
            optional={"year": some.none() | some.integers(-(1 << 63), (1 << 63) - 1), "doi": TEXTS},
        ),
        max_size=4,
    ),
    name=some.sampled_from(["007", "", "1e5", "NA"]),
)  # fmt: skip
@pytest.mark.parametrize("library", LIBRARIES)
def test_any_texts_lists_and_numbers_come_back(library, references, name):
    cell(library)
    record = {"id": name, "references": references}
    expected = [
        {"id": name, "title": one["title"], "year": one.get("year"), "authors": one["authors"], "doi": one.get("doi")}
        for one in references
    ]
    made = frame("references", [record], to=library, columns=["id", "title", "year", "authors", "doi"])
    assert records(made) == whole(expected)


def test_types_do_not_depend_on_what_is_there(library):
    kinds = [
        str(made.dtypes if library != "arrow" else made.schema.types)
        for made in (frame("papers", some, to=library) for some in ([], [{"id": "007"}], RECORDS))
    ]
    assert len(set(kinds)) == 1


def test_pandas_keeps_null_and_whole_numbers():
    pandas = pytest.importorskip("pandas")
    made = frame("papers", [{"id": "007", "year": 2021, "title": ""}, {"id": "008"}], columns=["id", "year", "title"])
    assert [str(kind) for kind in made.dtypes] == ["string", "Int64", "string"]
    assert made["id"].tolist() == ["007", "008"] and made["year"][0] == 2021
    assert made["title"][0] == "" and made["title"][1] is pandas.NA and made["year"][1] is pandas.NA


def test_missing_values_of_pandas_are_none():
    pandas = pytest.importorskip("pandas")
    made = pandas.DataFrame({"id": ["007", None], "n": [1.5, float("nan")], "at": [["a"], None]}, index=[7, 8])
    assert records(made) == [{"id": "007", "n": 1.5, "at": ["a"]}, {"id": None, "n": None, "at": None}]


def test_a_frame_is_input_for_a_task():
    pandas = pytest.importorskip("pandas")
    from scholartools.pipeline import run
    from scholartools.tasks import facets

    papers = pandas.DataFrame({"id": ["007"], "abstract": ["We counted bees. They came back."]})
    (record,) = run(records(papers), facets.label)
    assert record["id"] == "007" and record["facets"]


@pytest.mark.parametrize("library", LIBRARIES)
def test_hostile_texts_are_inert_where_a_notebook_shows_a_frame(library):
    cell(library)
    hostile = "<script>alert(1)</script>&lt;<img src=x onerror=alert(1)>"
    made = frame("papers", [{"id": hostile, "title": hostile}], to=library, columns=["id", "title"])
    shown = made._repr_html_() if hasattr(made, "_repr_html_") else ""
    assert "<script>" not in shown and "<img" not in shown


def test_faults_name_the_record_the_table_and_the_column(library):
    with pytest.raises(InputFault, match="record 2: .*year is not a whole number"):
        frame("papers", [{"id": "a"}, {"id": "b", "year": "n.d."}], to=library)
    with pytest.raises(InputFault, match="record 1: year: .* 64 bits"):
        frame("papers", [{"id": "a", "year": 1 << 63}], to=library)
    with pytest.raises(UsageFault, match='no table "paper"'):
        rows("paper", [])
    with pytest.raises(UsageFault, match="is no column of papers"):
        frame("papers", [], to=library, columns=["x"])
    with pytest.raises(UsageFault, match='not "excel"'):
        frame("papers", [], to="excel")
    for wrong in ([], {"id": 1}, None):
        with pytest.raises(UsageFault, match="not a data frame"):
            records(wrong)


@pytest.mark.parametrize(("library", "name"), [("pandas", "pandas"), ("polars", "polars"), ("arrow", "parquet")])
def test_a_library_that_is_missing_is_named_with_its_line(library, name):
    code = (
        f"import sys; sys.modules[{LIBRARIES[library]!r}] = None\n"
        "from scholartools.errors import UsageFault\n"
        "from scholartools.tables import frame, rows\n"
        "print(len(list(rows('papers', [{'id': '1'}]))))\n"
        f"try:\n    frame('papers', [], to={library!r})\n"
        "except UsageFault as fault:\n    print(fault.reason)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment())
    told = f'{LIBRARIES[library]} is not installed: pip install "scholartools[{name}]"'
    assert done.stdout.splitlines() == ["1", told], done.stderr


def test_no_library_of_frames_is_imported_before_it_is_asked_for():
    code = (
        "import sys, scholartools.tables\n"
        "print([name for name in ('pandas', 'polars', 'pyarrow', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment())
    assert done.stdout == "[]\n", done.stderr


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda: rows("papers", {"id": "a"}), "records: expected a list of records, not one dict"),
        (lambda: rows("papers", "a.jsonl"), "records: expected a list of records, not one str"),
        (lambda: rows("papers", None), "records: expected a list of records, not one NoneType"),
        (lambda: list(rows("papers", [{"id": "a"}, "b"])), "record 2: a str is not a record"),
        (lambda: list(rows("papers", [{"year": "n.d."}])), "record 1: year is not a whole number"),
        (lambda: rows("papers", [], columns="id"), r'columns: expected a list of names, as in \["id"\]'),
        (lambda: rows("long", [{"id": "a", "n": 1}]), "keys: only the table long takes keys"),
        (lambda: rows("papers", [], keys=["id"]), "keys: only the table long takes keys"),
        (lambda: list(rows("long", [{"id": "a"}], keys=["n"])), "n"),
        (lambda: show("papers", [], most=0), "most: 1 or more"),
    ],
)  # fmt: skip
def test_a_call_that_makes_no_sense_is_refused_in_words_of_python(call, reason):
    with pytest.raises(ScholartoolsError, match=reason) as raised:
        call()
    assert "--" not in str(raised.value)


def test_the_long_form_has_its_keys():
    found = list(rows("long", [{"id": "a", "n": 1, "x": None}], keys=["n", "x"]))
    assert found == [{"id": "a", "key": "n", "value": "1"}, {"id": "a", "key": "x", "value": None}]


def test_what_has_no_rows_is_a_warning():
    with pytest.warns(UserWarning, match="^references: 1 list references is null and has no rows$"):
        assert list(rows("references", [{"id": "a", "references": None}, {"id": "b", "references": [{}]}]))


class Page(HTMLParser):
    """The cells of the tables of a page."""

    def __init__(self):
        super().__init__()
        self.tags, self.found, self.told = set(), [], ""
        self.inside = None

    def handle_starttag(self, tag, _):
        self.tags.add(tag)
        if tag == "tr":
            self.found.append([])
        if tag in ("td", "th"):
            self.found[-1].append("")
        self.inside = tag if tag in ("td", "th", "p") else self.inside

    def handle_data(self, data):
        if self.inside == "p":
            self.told += data
        else:
            self.found[-1][-1] += data


def test_a_notebook_shows_every_text_and_runs_none():
    texts = [text for text in filled.HOSTILE if text] + ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>"]
    shown = show("references", [{"id": text, "references": [{"title": text, "year": 2}, {}]} for text in texts], ["id", "title", "year"], most=len(texts))  # fmt: skip
    page = Page()
    page.feed(shown._repr_html_())
    wanted = [[text, text, "2"] if row == 0 else [text, "null", "null"] for text in texts for row in (0, 1)]
    assert page.found == [["id", "title", "year"], *wanted[: len(texts)]]
    assert page.tags == {"table", "thead", "tr", "th", "td", "i", "p"}
    assert page.told == f"{len(texts)} of {2 * len(texts)} rows" and page.told in repr(shown)
    assert len(shown.rows) == 2 * len(texts) and repr(shown).startswith("| id | title | year |\n| --- | --- | ---: |\n")
