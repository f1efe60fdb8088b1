"""JSONL in and out, records and signatures: the lowest layers."""

from __future__ import annotations

import json
import math
import os
import random
import signal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scholartools import __version__, io, records
from scholartools.errors import InputFault
from scholartools.file_kinds import lines_without_json, other_format
from scholartools.pipeline import parallel
from scholartools.pipeline.outcome import refuse_nan
from scholartools.pipeline.workers import make_workers
from scholartools.signature import Digest, fingerprint, signature
from scholartools.wording import count_of, share_of

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda children: st.lists(children, max_size=4) | st.dictionaries(st.text(max_size=5), children, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.text(max_size=8), json_values, max_size=6))
def test_what_is_written_is_what_is_read(record):
    data = io.dumps(record)
    assert b"\n" not in data
    assert io.loads(data.decode()) == json.loads(data) == record


@given(st.lists(st.binary(max_size=30), max_size=6))
def test_no_line_is_ever_lost(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("io") / "x"
    path.write_bytes(b"\n".join(lines))
    filled = [line for line in path.read_bytes().split(b"\n") if line.strip()]
    for head in (path.read_bytes(), b"\n".join(filled)):  # from the first line that is not blank
        assume(other_format(head) is None and lines_without_json(head) is None)
    found = list(io.read_lines([str(path)]))
    places = {line.where.rsplit(":", 1)[1] for line in found}
    shown = (line.removeprefix(b"\xef\xbb\xbf").strip() for line in path.read_bytes().split(b"\n"))
    expected = {str(n) for n, line in enumerate(shown, 1) if line}
    assert places == expected
    assert all((line.fault is None) != bool(set(line.record) & {"line", "line_base64"}) for line in found if line.fault)


def test_a_number_that_is_none_is_never_written_as_null():
    assert io.dumps({"x": 2**70}) == b'{"x":1180591620717411303424}'
    with pytest.raises(ValueError):
        io.dumps({"x": 2**70, "y": math.nan})


def test_read_names_record_and_place():
    record = {"id": "p7", "sections": [{"id": "s1", "heading": "A", "level": 1, "role": "method", "text": 3}]}
    with pytest.raises(InputFault) as caught:
        records.read(record, "sections")
    assert caught.value.reason == 'record "p7": "sections.0.text": input should be a valid string'
    assert caught.value.kind == "invalid-key"


@pytest.mark.parametrize("value", ["x", 3, None, ["x"]])
def test_read_names_an_object_as_json_does(value):
    with pytest.raises(InputFault) as caught:
        records.read({"id": "p", "summaries": [value]}, "summaries")
    assert caught.value.reason == 'record "p": "summaries.0": input should be a valid object'


def test_one_thing_is_no_plural():
    assert [count_of(n, "call") for n in (0, 1, 2)] == ["0 calls", "1 call", "2 calls"]
    assert count_of(2, "reply", "replies") == "2 replies"
    assert [share_of(n, m, "item", "are") for n, m in ((0, 2), (1, 1), (1, 3), (2, 3))] == [
        "0 of 2 items are", "1 of 1 item is", "1 of 3 items is", "2 of 3 items are",
    ]  # fmt: skip


def test_read_refuses_an_unknown_role():
    record = {"sections": [{"id": "s1", "heading": "A", "level": 1, "role": "methods", "text": ""}]}
    with pytest.raises(InputFault, match=r'"sections.0.role"'):
        records.read(record, "sections")


def test_need_says_where_a_key_comes_from():
    with pytest.raises(InputFault) as caught:
        records.need({"abstract": None}, "abstract", "run st-parse first")
    assert (caught.value.kind, caught.value.reason) == ("missing-key", 'no "abstract": run st-parse first')


def test_texts_must_have_unique_names():
    twice = {"summaries": [{"system": "a", "text": "x"}, {"system": "a", "text": "y"}]}
    with pytest.raises(InputFault, match='"summary:a"'):
        records.texts(twice)


def test_provenance_does_not_change_the_list_of_other_copies():
    first = {"provenance": [{"command": "a", "version": "1", "signature": "s"}]}
    second = dict(first)
    records.add_provenance(
        second, "b", "t", method="builtin", options={"x": [1, 2]}, input=Digest("f"), counts={"given": 2}
    )
    assert len(first["provenance"]) == 1 and first["provenance"][0] == second["provenance"][0]
    signature = f"b {__version__} input=f method=builtin task=t x=1,2"
    assert second["provenance"][1] == {
        "command": "b", "task": "t", "version": __version__, "signature": signature, "method": "builtin",
        "options": {"x": [1, 2]}, "input": "f", "counts": {"given": 2},
    }  # fmt: skip


def test_an_entry_has_the_fingerprint_of_its_input():
    entries = []
    for made_of in (["a", {"b": 1}], Digest(fingerprint(["a", {"b": 1}])), "a text, never as it is"):
        records.add_provenance(record := {}, "b", None, method="builtin", options={}, input=made_of)
        entries += record["provenance"]
    assert entries[0] == entries[1]
    assert entries[2]["input"] == fingerprint("a text, never as it is")


def test_two_values_of_one_name_are_not_signed():
    with pytest.raises(ValueError, match="two values with the same name"):
        records.add_provenance({}, "b", None, method="builtin", options={"seed": 1}, input="f", signed={"seed": 2})


@given(st.dictionaries(st.text(max_size=4), json_values, max_size=4))
def test_fingerprints_do_not_depend_on_the_order_of_keys(value):
    assert fingerprint(value) == fingerprint(dict(reversed(value.items())))


def test_a_signature_changes_with_every_parameter():
    base = signature("st-x", {"seed": 0, "level": "nominal"})
    assert base == signature("st-x", {"level": "nominal", "seed": 0})
    others = [
        {"seed": 1, "level": "nominal"},
        {"seed": 0, "level": "ordinal"},
        {"seed": 0},
        {"seed": None, "level": "nominal"},
    ]
    assert len({base, *(signature("st-x", other) for other in others)}) == 5


def survive(numbers: list[int]) -> list[int]:
    return [survive_one(number) for number in numbers]


def survive_one(number: int) -> int:
    if number == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * 10


def lost(number: int, reason: str) -> str:
    return f"{number}: {reason}"


def test_a_process_that_dies_costs_one_item():
    made = list(parallel.ordered_map(survive, range(10), make_workers(2, None), chunk=4, on_death=lost))
    assert made == [0, 10, 20, 30, 40, "5: its process was killed by SIGKILL", 60, 70, 80, 90]


def fail_at_three():
    yield from range(3)
    raise InputFault("the input ends here")


def test_a_fault_of_the_input_reaches_the_caller_after_what_came_before():
    made = parallel.ordered_map(survive, fail_at_three(), make_workers(2, None), chunk=1, on_death=lost)
    assert [next(made) for _ in range(3)] == [0, 10, 20]
    with pytest.raises(InputFault, match="the input ends here"):
        next(made)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_not_finite_never_leaves(number):
    from scholartools.pipeline.outcome import success

    with pytest.raises(ValueError, match='a number in "scores" is not finite'):
        success(io.Line("-:1", {"id": "x"}), {"id": "x", "scores": [{"values": {"rouge1": number}}]})


def test_a_number_that_is_none_is_found_however_deep_and_nothing_else_is():
    draw = random.Random(3)

    def drawn(depth):
        if depth == 0 or draw.random() < 0.3:
            return draw.choice([None, True, 1, 0.0, 2.5, "nan", "", [], {}, ()])
        inner = [drawn(depth - 1) for _ in range(draw.randint(0, 3))]
        return draw.choice([inner, tuple(inner), dict(zip("abc", inner))])

    for _ in range(500):
        value, odd = drawn(4), draw.choice([math.nan, math.inf, -math.inf])
        refuse_nan({}, {"value": value})
        for deep in (odd, [odd], {"a": odd}, (1, [odd]), [value, {"a": [value, odd]}], {"a": value, "b": [{"c": odd}]}):
            with pytest.raises(ValueError, match="not finite"):
                refuse_nan({}, {"id": 1, "value": deep})
