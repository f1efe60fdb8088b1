"""st-table: each row and each cell is what other code finds in the record, in every format."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import warnings

import pytest
from support import filled
from support.run import jsonl, st

from scholartools import tables
from scholartools.tasks.shared import items as items_of
from scholartools.tasks.tabulate import writing
from scholartools.tasks.tabulate.descriptions import TABLES
from scholartools.tasks.tabulate.results import ALL
from scholartools.tasks.tabulate.rows import Rows

csv.field_size_limit(1 << 30)
RECORDS = [filled.filled_record(seed, f"p{seed}") for seed in range(6)]

# Where the rows of each table are, said once more: "[]" is each item, "*" each key, "<a|b>" each of these keys.
WRITTEN = ("claims", "limitations", "weaknesses", "experiments", "explanations", "questions")
WHERE = {
    "papers": [""],
    "front-matter": ["front_matter[]"],
    "sections": ["sections[]"],
    "references": ["references[]"],
    "captions": ["captions[]"],
    "footnotes": ["footnotes[]"],
    "equations": ["equations[]"],
    "lines": ["lines[]"],
    "versions": ["versions[]"],
    "fetched": ["fetched[]"],
    "files": ["files[]"],
    "replies": ["forum.replies[]"],
    "meta-reviews": ["forum.meta_reviews[]"],
    "reviews": ["reviews[]"],
    "segments": ["reviews[].segments[]"],
    "summaries": ["summaries[]"],
    "facets": ["facets[].<background|method|result|conclusion|other>"],
    "limitations": ["limitations[]"],
    "claims": ["claims[]"],
    "weaknesses": ["weaknesses[]"],
    "annotations": ["annotations.weaknesses[].items[]"],
    "mentions": ["weaknesses[].mentions[]"],
    "targets": ["weaknesses[].targets[].items[]"],
    "target-answers": ["weaknesses[].targets[]"],
    "target-votes": ["weaknesses[].targets[].votes[]"],
    "labels": ["weaknesses[].labels[]"],
    "edits": ["weaknesses[].edited[]"],
    "verifications": ["verifications[]"],
    "evidence": ["verifications[].evidence[]"],
    "contamination": ["contamination[].reviews[]"],
    "experiments": ["experiments[]"],
    "explanations": ["explanations[]"],
    "generated": [f"generated.{task}[].items[]" for task in WRITTEN],
    "passages": [f"generated.{task}[].passages[]" for task in WRITTEN[1:5]],
    "lists": [f"generated.{task}[]" for task in WRITTEN],
    "matches": ["judgements.match[].pairs[]"],
    "votes": ["judgements.match[].pairs[].votes[]"],
    "ratings": ["judgements.facets[].ratings.*"],
    "overall": ["judgements.vanilla[]"],
    "entailed": ["judgements.entail[].candidates[]", "judgements.entail[].references[]"],
    "inferences": ["judgements.equation[].options[]"],
    "choices": ["judgements.equation[].orders[]"],
    "segment-answers": ["judgements.review[].reviews[].segments[].answers.*"],
    "same-issue": ["judgements.same_issue[].pairs[]", "judgements.same_issue[].controls[]"],
    "specificity": ["judgements.specificity[].pairs[]", "judgements.specificity[].controls[]"],
    "same-issue-votes": [f"judgements.same_issue[].{kind}s[].votes[]" for kind in ("pair", "control")],
    "specificity-votes": [f"judgements.specificity[].{kind}s[].votes[]" for kind in ("pair", "control")],
    "rates": ["judgements.rate[]"],
    "scores": ["scores[].values.*"],
    "rejected": ["rejected[]"],
    "warnings": ["warnings[]"],
    "errors": ["errors[]"],
    "provenance": ["provenance[]"],
}
# Columns of which the tests below say what they have.
OWN = re.compile(r"place in the list|the key$|text of the (reference|candidate)|\"\w+\" or ")


def chains(node, path):
    """For each row the objects around it from the record on, each with its path, and at the end the keys and places."""
    grown = [([("", node)], ())]
    for part in filter(None, path.split(".")):
        before, grown = grown, []
        for chain, marks in before:
            told, here = chain[-1]
            steps = [(part, (here or {}).get(part), ())]
            if part.startswith("<"):
                steps = [("*", here[name], (name,)) for name in part[1:-1].split("|") if name in here]
            elif part == "*":
                steps = [("*", inner, (key,)) for key, inner in (here or {}).items()]
            elif part.endswith("[]"):
                steps = [(part, inner, (n,)) for n, inner in enumerate((here or {}).get(part[:-2]) or (), 1)]
            grown += [([*chain, (f"{told}.{one}".strip("."), inner)], marks + more) for one, inner, more in steps]
    return [[*chain, marks] for chain, marks in grown]


def is_at(column, told):
    """Whether a path leads to what a column is of, or to what is around that."""
    steps, around = column.path.split("."), told.split(".") if told else []
    return len(around) <= len(steps) and all(a in (b, "*", "*[]") for a, b in zip(steps, around, strict=False))


def expected(chain, column):
    """What a column has in a row: found by its path in the innermost object that the path leads through."""
    told, here = next(one for one in reversed(chain[:-1]) if is_at(column, one[0]))
    keys = column.path.split(".")[len(told.split(".")) if told else 0 :]
    for key in keys:
        if key == "*":  # what stands by the same key beside it
            key = chain[-1][-1]
        here = None if here is None else here.get(key)
    return len(here) if column.heading.startswith("n_") and isinstance(here, list) else here


class Sink:
    """An output that keeps what is written."""

    written = b""

    def write(self, text):
        self.written += text.encode()

    def write_bytes(self, data):
        self.written += data


def table_of(name, kind="csv", records=RECORDS):
    """A table as the command writes it, without a process."""
    made, writer = Sink(), writing.writer(TABLES[name], kind, None)
    writer.begin(made)
    for record in records:
        writer.write(made, writer.make(record))
    writer.end(made)
    return made.written


def parsed(out, divider=","):
    return list(csv.reader(io.StringIO(out.decode(), newline=""), delimiter=divider, strict=True))


def test_every_table_is_counted_here():
    assert set(WHERE) == set(TABLES)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("kind", ["csv", "tsv"])
def test_each_cell_is_what_other_code_finds(name, kind):
    columns = Rows(TABLES[name]).columns
    heads, *rows = parsed(table_of(name, kind), "\t" if kind == "tsv" else ",")
    assert heads == [column.heading for column in columns] and heads[0] == "id"
    wanted = [chain for record in RECORDS for path in WHERE[name] for chain in chains(record, path)]
    assert len(rows) == len(wanted) >= (4 if name == "papers" else 6)
    for place, column in enumerate(columns):
        assert any(row[place] for row in rows) or column.note.startswith("text of the"), column
        if not OWN.search(column.note):
            for row, chain in zip(rows, wanted, strict=True):
                value = expected(chain, column)
                if isinstance(value, str) and column.kind != "json":
                    assert row[place] == value, (column, row)
                else:
                    assert row[place] == "" if value is None else json.loads(row[place]) == value, (column, row)


@pytest.mark.parametrize("name", TABLES)
def test_places_keys_and_tasks_are_those_of_the_row(name):
    """The last number or key is the row's own; a column of constants tells the lists apart."""
    rows = csv.DictReader(io.StringIO(table_of(name).decode(), newline=""))
    wanted = [(path, chain[-1]) for record in RECORDS for path in WHERE[name] for chain in chains(record, path)]
    heads = {"value": "scores", "facet": "facets ratings", "prompt": "segment-answers"}
    for row, (path, marks) in zip(rows, wanted, strict=True):
        own = next((head for head, of in heads.items() if name in of.split()), None) or next(
            (head for head in ("vote", "place") if head in row), None
        )
        assert own is None or row[own] == str(marks[-1])
        if name in ("segments", "segment-answers"):
            assert row["segment"] == str(marks[-1] if name == "segments" else marks[-2])
        if name in ("generated", "passages", "lists"):
            assert f"generated.{row['task']}[]" in path
        if name.startswith(("entailed", "same-issue", "specificity")):
            assert f".{row.get('side') or row['kind']}s[]" in path


def test_the_pairs_have_the_texts_that_were_judged():
    limits = [{"id": f"l{n}", "text": f"Text {n}.", "by": "h", "origin": "author", "mode": "explicit"} for n in (1, 2)]
    items = [{"id": f"g{n}", "text": f"Text {n}."} for n in (2, 3)]
    record = {"id": "a", "limitations": limits, "generated": {"limitations": [{"system": "m", "items": items}]}}
    answers = [
        {"reference": one["id"], "candidate": two["id"], "match": one is limits[1]} for one in limits for two in items
    ]
    sides = items_of.references(record, "limitations"), items_of.candidates(record, "generated.limitations")["m"]
    judged = {
        **record,
        "judgements": {"match": [{"system": "m", "texts": items_of.mark(*sides), "pairs": answers}]},
    }
    keys = ("reference", "reference_text", "candidate", "candidate_text", "match")

    def pairs(of):
        done = st("st-table", "matches", input=jsonl(of))
        return [[row[key] for key in keys] for row in csv.DictReader(io.StringIO(done.out.decode()))], done.err

    found, told = pairs(judged)
    assert not told and ["l2", "Text 2.", "g2", "Text 2.", "true"] in found and len(found) == 4
    changed = json.loads(json.dumps(judged))
    changed["limitations"][0]["text"] = "Text 1, changed."
    bare, told = pairs(changed)
    assert bare == [[one[0], "", one[2], "", one[4]] for one in found] and "4 pairs have no texts" in told
    del changed["judgements"]["match"][0]["texts"]
    assert pairs(changed)[0][0][1] == "Text 1, changed."


@pytest.mark.parametrize("name", TABLES)
def test_null_and_an_empty_text_are_two_things(name):
    """As another reader of CSV finds them."""
    from pyarrow import csv as arrow

    columns = Rows(TABLES[name]).columns
    out = table_of(name)
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
        if column.kind == "text" and not OWN.search(column.note):
            assert found[column.heading] == [expected(chain, column) for chain in wanted], column


def test_a_paper_goes_out_and_in_again():
    """What the tables have of a paper is read as the same record; empty and blank texts come back as no value."""
    fields = ("id", "title", "abstract", "year", "venue", "doi", "arxiv")
    records = [{key: record[key] for key in fields} for record in RECORDS]
    out = table_of("papers", records=records)
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


@pytest.mark.parametrize(
    ("columns", "records", "is_told"),
    [
        ([], [{"id": "a"}, {}], True),
        ([], [{"id": "a"}, {"year": 0}], False),
        (["title", "id"], [{"id": "a", "year": 1999}, {"id": "b", "title": None}], True),
        (["title", "id"], [{"id": "a", "title": ""}, {"id": "b"}], False),
        (["year"], [{"id": "a"}] * 2, True),
        (["id"], [{"id": "a"}, {}], False),
        (["id"], [{"title": "a"}] * 2, True),
    ],
)
def test_a_table_of_empty_cells_is_told(columns, records, is_told):
    told = st("st-table", "papers", *(["--columns", ",".join(columns)] if columns else []), input=jsonl(*records))
    line = "st-table: no values: all cells of 2 rows are empty, except for ids\n"
    assert told.status == 0 and told.err.count("no values") == (line in told.err) == is_told


def test_keys_without_a_column_are_told():
    section = {"id": "s1", "heading": "", "level": 1, "role": "other", "text": "", "mine": 1}
    told = st("st-table", "sections", input=jsonl({"id": "a", "sections": [section, section]}))
    assert told.err == "st-table: keys without a column, with how often: mine (2)\n"


@pytest.mark.parametrize(
    ("ids", "same", "alike"),
    [
        (["1", "2", "1", "1"], "2 of 4 records have the id of an earlier record", '"1"'),
        ([1, "1"], "1 of 2 records has the id of an earlier record", '"1"'),
        ([" 1", "1"], "1 of 2 records has an id that looks like an earlier one", '"1"'),
        (["x", "x\u200b", "X"], "2 of 3 records have an id that looks like an earlier one", '"x\u200b", "X"'),
        (["1", "2", "10", "a b", "ab"], None, None),
    ],
)
def test_ids_by_which_a_join_confuses_records_are_told(ids, same, alike, tmp_path):
    records = [{"id": name, "title": "t"} for name in ids]
    runs = [st("st-table", *args, input=jsonl(*records)) for args in (("papers",), ("long", "--keys", "title"))]
    runs.append(st("st-table", "dataset", "--output", tmp_path / "data", input=jsonl(*records)))
    for done in runs:
        assert done.status == 0
        assert (f"{same}" in done.err and f": {alike}\n" in done.err) if same else " id " not in done.err
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        list(tables.rows("papers", records))
    assert any(same in str(one.message) for one in told) if same else not told


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
    assert [line.split()[0] for line in shown] == list(ALL)
    for name in random.Random(1).sample(list(ALL), 6):
        lines = st("st-table", "columns", name).out.decode().splitlines()
        assert [re.split(r"  +", line)[:2] for line in lines] == [
            [one.heading, one.kind] for one in Rows(ALL[name]).columns
        ]


def test_what_the_schema_has_is_in_a_table_or_left_out_on_purpose():
    """Each list of objects at the top of a record, and each key of a paper."""
    known = filled.schema()["properties"]
    lists = [key for key, node in known.items() if isinstance(RECORDS[0][key], list) and "$ref" in json.dumps(node)]
    counted = [column.heading for column in Rows(TABLES["papers"]).columns if column.heading.startswith("n_")]
    assert len(lists) == 25 and sorted(counted) == sorted(f"n_{key}" for key in lists)


# Lists of objects without rows of their own: they stand as JSON in a cell, or are only counted.
LEFT_OUT = re.compile(
    r"annotations\.(facets|limitations)\[\]|annotations\.weaknesses\[\]\.items\[\]\..*|experiments_input\..*|limitations\[\]\.members\[\]|(forum\.meta_)?reviews\[\]\.(fields|versions|claim_related\.hits)\[\]"
    r"|generated\.\w+\[\]\.(drafts|images|missing|unexplained|given\.removed|given\.sections_withheld)\[\]"
)


def lists_of(node, at="", seen=()):
    """The paths of all lists of objects in the schema, spans left out."""
    node = next((one for one in node.get("anyOf", ()) if one != {"type": "null"}), node)
    if "$ref" in node:
        name = node["$ref"].rpartition("/")[2]
        if name in seen:
            return
        node, seen = filled.schema()["$defs"][name], (*seen, name)
    if node.get("type") == "array":
        of = node["items"].get("$ref", "")
        if of and not of.endswith("/Span"):
            yield f"{at}[]"
        yield from lists_of(node["items"], f"{at}[]", seen)
    for key, inner in node.get("properties", {}).items():
        yield from lists_of(inner, f"{at}.{key}".strip("."), seen)


def test_every_list_of_the_schema_has_rows_or_is_left_out_on_purpose():
    found = set(lists_of(filled.schema()))
    covered = {path[: len(one)] for paths in WHERE.values() for path in paths for one in found if path.startswith(one)}
    assert len(found) > 60 and [path for path in found - covered if not LEFT_OUT.fullmatch(path)] == []
