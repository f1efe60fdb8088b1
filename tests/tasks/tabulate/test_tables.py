"""st-table: each row and each cell is what other code finds in the record, in every format."""

from __future__ import annotations

import csv
import io
import json
import random
import re

import pytest
from support import filled
from support.run import jsonl, st

from scholartools.tasks.tabulate.descriptions import TABLES
from scholartools.tasks.tabulate.rows import Rows

csv.field_size_limit(1 << 30)
RECORDS = [filled.filled_record(seed, f"p{seed}") for seed in range(6)]

# Where the rows of each table are, said once more: "[]" is each item, "*" each key, "<a|b>" each of these keys.
WHERE = {
    "papers": [""],
    "sections": ["sections[]"],
    "references": ["references[]"],
    "equations": ["equations[]"],
    "reviews": ["reviews[]"],
    "facets": ["facets[].<background|method|result|conclusion|other>"],
    "limitations": ["limitations[]"],
    "weaknesses": ["weaknesses[]"],
    "errors": ["errors[]"],
    "provenance": ["provenance[]"],
}


def chains(node, path):
    """For each row the objects around it, from the record on, each with its path as columns name it."""
    chain = [[("", node)]]
    for part in filter(None, path.split(".")):
        grown = []
        for one in chain:
            told, here = one[-1]
            told = f"{told}.{part}".removeprefix(".")
            if part.startswith("<"):
                names = [name for name in part[1:-1].split("|") if name in here]
                grown += [[*one, (told.replace(part, "*"), here[name])] for name in names]
            elif part == "*":
                grown += [[*one, (told, inner)] for inner in (here or {}).values()]
            elif part.endswith("[]"):
                grown += [[*one, (told, inner)] for inner in (here or {}).get(part[:-2]) or ()]
            else:
                grown += [[*one, (told, here.get(part))]]
        chain = grown
    return chain


def expected(chain, column, place):
    """What a column has in a row: found by its path in the innermost object that the path leads through."""
    told, here = next(one for one in reversed(chain) if column.path.startswith(one[0]))
    if column.path == told:
        return place if column.kind == "integer" else here
    for key in column.path[len(told) :].strip(".").split("."):
        here = None if here is None else here.get(key)
    return len(here) if column.heading.startswith("n_") and isinstance(here, list) else here


def table_of(name, *args, records=RECORDS):
    return st("st-table", name, *args, input=b"".join(map(filled.line, records)))


def parsed(out, divider=","):
    return list(csv.reader(io.StringIO(out.decode(), newline=""), delimiter=divider, strict=True))


def test_every_table_is_counted_here():
    assert set(WHERE) == set(TABLES)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("kind", ["csv", "tsv"])
def test_each_cell_is_what_other_code_finds(name, kind):
    columns = Rows(TABLES[name]).columns
    heads, *rows = parsed(table_of(name, "--to", kind).out, "\t" if kind == "tsv" else ",")
    assert heads == [column.heading for column in columns] and heads[0] == "id"
    wanted = [chain for record in RECORDS for path in WHERE[name] for chain in chains(record, path)]
    assert len(rows) == len(wanted) >= (6 if name == "papers" else 12)
    for place, column in enumerate(columns):
        if column.path and not column.note.startswith(("place in", "the key")):
            for row, chain in zip(rows, wanted, strict=True):
                value = expected(chain, column, None)
                if isinstance(value, str) and column.kind != "json":
                    assert row[place] == value, (column, row)
                else:
                    assert row[place] == "" if value is None else json.loads(row[place]) == value, (column, row)


@pytest.mark.parametrize("name", TABLES)
def test_null_and_an_empty_text_are_two_things(name):
    """As another reader of CSV finds them."""
    from pyarrow import csv as arrow

    columns = Rows(TABLES[name]).columns
    out = table_of(name).out
    found = arrow.read_csv(
        io.BytesIO(out),
        arrow.ReadOptions(block_size=1 << 26),
        arrow.ParseOptions(newlines_in_values=True),
        arrow.ConvertOptions(
            column_types={column.heading: "string" for column in columns}, null_values=[""], strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    ).to_pydict()  # fmt: skip
    wanted = [chain for record in RECORDS for path in WHERE[name] for chain in chains(record, path)]
    for column in columns:
        if column.kind == "text" and column.path and not column.note.startswith("the key"):
            assert found[column.heading] == [expected(chain, column, None) for chain in wanted], column


def test_a_paper_goes_out_and_in_again():
    """What the tables have of a paper is read as the same record; empty and blank texts come back as no value."""
    fields = ("id", "title", "abstract", "year", "venue", "doi", "arxiv")
    records = [{key: record[key] for key in fields} for record in RECORDS]
    out = table_of("papers", records=records).out
    done = st("st-facets", "--input-format", "csv", input=out)
    for made, record in zip(done.records, records, strict=True):
        assert {key: made[key] for key in fields if made.get(key) is not None} == {
            key: value for key, value in record.items() if not isinstance(value, str) or value.strip()
        }


def test_what_has_no_rows_is_told():
    assert (
        "no rows: none of 2 records has sections"
        in st("st-table", "sections", input=jsonl({"id": "a"}, {"id": "b"})).err
    )
    told = st("st-table", "sections", input=jsonl({"id": "a", "sections": None}, {"id": "b", "sections": []}))
    assert told.status == 0 and told.err == "st-table: 1 list sections is null and has no rows\n"


def test_keys_without_a_column_are_told():
    section = {"id": "s1", "heading": "", "level": 1, "role": "other", "text": "", "mine": 1}
    told = st("st-table", "sections", input=jsonl({"id": "a", "sections": [section, section]}))
    assert told.err == "st-table: keys without a column, with how often: mine (2)\n"


def test_records_that_failed_have_their_rows_and_are_told():
    fault = {"command": "st-parse", "kind": "no-text", "reason": "scanned"}
    record = {"id": "a", "errors": [fault], "references": [{"id": "b1", "text": "One."}]}
    done = st("st-table", "references", input=jsonl(record))
    assert (done.status, len(parsed(done.out))) == (0, 2) and "of 1 record 1 failed earlier, wholly" in done.err
    assert parsed(st("st-table", "errors", input=jsonl(record)).out)[1][1:5] == ["1", "st-parse", "no-text", "scanned"]


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ({"references": {}}, '"references" is not a list'),
        ({"references": ["One."]}, '"references.0" is not an object'),
        ({"references": [{"id": "b1", "text": "One.", "year": "n.d."}]}, '"references.0": year is not a whole number'),
        ({"references": [{"id": "b1", "text": "One.", "year": True}]}, '"references.0": year is not a whole number'),
        ({"references": [{"id": 1, "text": "One."}]}, '"references.0": reference is not a text'),
        ({"references": [{"id": "b1", "text": "", "authors": "A"}]}, '"references.0": authors is not a list of texts'),
    ],
)  # fmt: skip
def test_a_value_of_another_type_costs_its_record_alone(damage, reason, tmp_path):
    (tmp_path / "r.jsonl").write_bytes(
        jsonl({"id": "a", **damage}, {"id": "b", "references": [{"id": "b1", "text": "x"}]})
    )
    done = st("st-table", "references", "r.jsonl", cwd=tmp_path)
    assert done.status == 1 and [row[:3] for row in parsed(done.out)[1:]] == [["b", "b1", "x"]]
    assert done.err.splitlines()[0] == f"st-table: r.jsonl:1: {reason}"


def test_nothing_is_written_where_nothing_is_a_record(tmp_path):
    done = st("st-table", "references", "--output", "r.csv", input=b'[1]\n{"id": "a", "references": 1}\n', cwd=tmp_path)
    assert done.status == 3 and not (tmp_path / "r.csv").exists()


@pytest.mark.parametrize("args", [[], ["paper"], ["columns"], ["columns", "x"], ["list", "x"]])
def test_wrong_names(args):
    done = st("st-table", *args)
    assert done.status == 2 and len(done.err.splitlines()) == 1


def test_the_ending_of_the_output_names_the_format(tmp_path):
    st("st-table", "papers", "--output", "r.tsv", input=b'{"id": "a"}', cwd=tmp_path)
    assert (tmp_path / "r.tsv").read_text().startswith("id\tsource.path\t")


def test_the_list_and_the_columns_of_each_table():
    shown = st("st-table", "list").out.decode().splitlines()
    assert [line.split()[0] for line in shown] == list(TABLES)
    for name in random.Random(1).sample(list(TABLES), 3):
        lines = st("st-table", "columns", name).out.decode().splitlines()
        assert [re.split(r"  +", line)[:2] for line in lines] == [
            [one.heading, one.kind] for one in Rows(TABLES[name]).columns
        ]


def test_what_the_schema_has_is_in_a_table_or_left_out_on_purpose():
    """Each list of objects at the top of a record, and each key of a paper."""
    known = filled.schema()["properties"]
    lists = [key for key, node in known.items() if isinstance(RECORDS[0][key], list) and "$ref" in json.dumps(node)]
    counted = [column.heading for column in Rows(TABLES["papers"]).columns if column.heading.startswith("n_")]
    assert len(lists) == 22 and sorted(counted) == sorted(f"n_{key}" for key in lists)
