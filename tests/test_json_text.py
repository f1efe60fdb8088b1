"""JSON read and written with nothing lost: generated texts, against a scanner of JSON that keeps all it sees."""

from __future__ import annotations

import json
import math
import random
import string

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from support.run import BIN, jsonl, shell, st

from scholartools import io
from scholartools.json_text import DuplicateKey, dumps, dumps_exactly, loads_exactly

NUMBERS = [
    "0", "-0", "-0.0", "2.5", "2.50", "1e5", "1E5", "1e-400", "-1e-400", "0.12345678901234567890", "123456789.1234567890",
    "100000000000000000000", "9007199254740993", "1.0", "1.00e+02", "0.30000000000000004", "18446744073709551616", "1e22",
]  # fmt: skip
TEXTS = [
    "",
    "a",
    '\\"',
    "\\\\",
    '\\":',
    "\\u0022:",
    "\\u00e9",
    "é",
    "2020-01-05",
    "1e5 : 2.50",
    "\\/",
    "\\ud83d\\ude00",
    "{",
    "\\n",
]


class Text:
    """JSON texts by chance: of numbers in every writing, keys that may stand twice, white space anywhere."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.has_twice = False

    def space(self) -> str:
        return self.draw.choice(["", "", "", " ", "  ", "\t"])

    def value(self, depth: int = 0) -> str:
        kind = self.draw.randrange(6 if depth < 3 else 3)
        if kind == 0:
            return self.draw.choice(NUMBERS)
        if kind == 1:
            return f'"{self.draw.choice(TEXTS)}"'
        if kind == 2:
            return self.draw.choice(["true", "null", "false"])
        if kind == 3:
            inner = [self.value(depth + 1) for _ in range(self.draw.randrange(4))]
            return f"[{self.space()}{(self.space() + ',' + self.space()).join(inner)}]"
        return self.object(depth + 1)

    def object(self, depth: int = 0) -> str:
        keys = [self.draw.choice([*TEXTS, *string.ascii_letters]) for _ in range(self.draw.randrange(5))]
        named = [json.loads(f'"{key}"') for key in keys]
        self.has_twice |= len(set(named)) < len(named)
        pairs = [f'{self.space()}"{key}"{self.space()}:{self.space()}{self.value(depth)}{self.space()}' for key in keys]
        return "{" + ",".join(pairs) + "}"


def numbers_of(text: str) -> list[str]:
    """All numbers of a JSON text as they are written."""
    found: list[str] = []
    json.loads(text, parse_int=found.append, parse_float=found.append)
    return found


@settings(max_examples=400, suppress_health_check=list(HealthCheck))
@given(some.integers(0, 2**63))
def test_every_number_comes_out_as_it_was_written_and_no_key_is_lost(seed):
    made = Text(seed)
    text = made.object()
    if made.has_twice:
        with pytest.raises(DuplicateKey, match="occurs twice in one object"):
            loads_exactly(text.encode())
        return
    record, kept = loads_exactly(text.encode())
    assert repr(record) == repr(json.loads(text)), "types and signs of zeros too"
    written = dumps_exactly({**record, "new key": 1}, record, kept).decode()
    assert numbers_of(written) == [*numbers_of(text), "1"]
    assert list(json.loads(written)) == [*json.loads(text), "new key"] and "\n" not in written


NUMBER = some.from_regex(r"-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,24})?([eE][+-]?[0-9]{1,3})?", fullmatch=True)


@settings(max_examples=400)
@given(some.lists(NUMBER, max_size=4), NUMBER)
def test_any_number_is_read_as_python_reads_it_and_written_as_it_was(several, one):
    text = f'{{"a":[{",".join(several)}],"b":{one}}}'
    if any(math.isinf(float(number)) for number in (*several, one)):
        with pytest.raises(ValueError):
            loads_exactly(text.encode())
        return
    record, kept = loads_exactly(text.encode())
    assert repr(record) == repr(json.loads(text))
    assert dumps_exactly(record, record, kept).decode() == text


def test_a_value_that_a_task_changed_is_written_anew():
    record, kept = loads_exactly(b'{"a": [2.50], "b": 2.50}')
    assert dumps_exactly({**record, "a": [*record["a"], 1]}, record, kept) == b'{"a":[2.5,1],"b":2.50}'


@pytest.mark.parametrize(
    "line", ['{"id": 1, "id": 2}', '{"a": {"b": [{"c": 1, "d": 2, "c": 1}]}}', '{"a":1,"\\u0061":2}']
)
def test_a_key_that_stands_twice_is_a_fault_of_its_line(line):
    good = {"id": "p1", "abstract": "We test. It works."}
    result = st("st-facets", input=jsonl(good) + line.encode() + b"\n" + jsonl(good))
    assert result.status == 1 and "-:2: the key " in result.err and "occurs twice in one object" in result.err
    assert [error["kind"] for error in result.records[1]["errors"]] == ["duplicate-key"]
    assert result.records[1]["line"] == line, "nothing of it is lost"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_numbers_pass_a_command_as_they_were_written(jobs):
    mine = '{"z":-0,"y":[2.50,1e-400,0.12345678901234567890,123456789012345678901],"n":{"a": 1E5}}'
    lines = f'{{"mine":{mine},"abstract":"We test. It works."}}\n{{"id":-0,"mine":{mine}}}\n'
    result = st("st-facets", "--jobs", jobs, input=lines)
    assert result.out.count(mine.encode()) == 2 and b'"id":-0,' in result.out


def test_a_number_that_no_float_holds_is_told():
    result = st("st-facets", input='{"abstract": "We test.", "x": 1e400}\n')
    assert result.status == 3 and "-:1: " in result.err and result.records[0]["line"].endswith("1e400}")


def test_lines_are_numbered_as_an_editor_does(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b'\xef\xbb\xbf\n{"a":1}\r\n\n  \n[1]\n\xff\n{"a":1}')
    found = [(line.where.rsplit(":", 1)[1], line.fault and line.fault.kind) for line in io.read_lines([str(path)])]
    assert found == [("2", None), ("5", "not-an-object"), ("6", "not-utf8"), ("7", None)]


# Standard streams that are closed

COMMANDS = sorted(path.name for path in BIN.glob("st-*"))
TASKS = {
    "st-agree": "coefficients", "st-cache": "stats", "st-claims": "extract", "st-eqsynth": "questions",
    "st-generate": "questions", "st-judge": "facets", "st-table": "papers", "st-annotate": "status",
    "st-fetch": "papers",
}  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_a_closed_standard_output_is_one_line_in_every_command(command, tmp_path):
    cache = {"ST_CACHE": str(tmp_path / "cache.sqlite")}
    st("st-facets", "--model", "openai/m", "--dry-run", env=cache)
    (tmp_path / "in").write_bytes(jsonl({"id": "p1", "abstract": "We test."}))
    given = "" if command == "st-cache" else f"{tmp_path}/in"
    if command == "st-annotate":
        given = f"{tmp_path}/batch"
        assert st(command, "assign", "facet-spans", tmp_path / "in", "--raters", "a,b", "--output", given).status == 0
    result = shell(f"{command} {TASKS.get(command, '')} {given} >&-", env=cache)
    assert (result.status, result.err.splitlines()[-1]) == (2, f"{command}: standard output: Bad file descriptor")


def test_no_file_takes_the_place_of_a_stream_that_is_closed(tmp_path):
    """With a model the cache is opened before the output."""
    cache = {
        "ST_CACHE": str(tmp_path / "cache.sqlite"),
        "OPENAI_API_KEY": "k",
        "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
    }
    line = 'echo \'{"abstract": "We test."}\' | st-facets --model openai/m'
    result = shell(f"{line} >&-", env=cache)
    assert (result.status, result.err) == (2, "st-facets: standard output: Bad file descriptor\n")
    helped = shell("st-facets --help >&-")
    assert (helped.status, helped.err) == (6, "st-facets: standard output: Bad file descriptor\n")
    closed = shell("st-facets <&-")
    assert (closed.status, closed.err) == (3, "st-facets: -: Bad file descriptor\n")
    silent = shell("st-facets --bogus 2>&-")
    assert (silent.status, silent.out, silent.err) == (2, b"", ""), "no message goes to the records"
    whole = shell(f'st-facets --output {tmp_path}/out >&- <<< \'{{"abstract": "We test."}}\'')
    assert whole.status == 0 and b"facets" in (tmp_path / "out").read_bytes()


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a\ud800b", "a\ufffdb"),
        ("\udc00", "\ufffd"),
        ("\ud83d\ude00", "\U0001f600"),
        ("\ud83d\ud83d\ude00\0", "\ufffd\U0001f600\0"),
    ],
)
def test_half_of_a_surrogate_pair_is_written_as_the_mark_for_it(text, written):
    assert json.loads(dumps({"a": text, text: [2**70]})) == {"a": written, written: [2**70]}
