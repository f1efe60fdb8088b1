"""Nothing foreign reaches a terminal as it is: control characters of records, names and replies are spelled out."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as some
from support.model_runs import papers
from support.run import ROOT, environment, jsonl, st
from support.server import Server

from scholartools.cache import Cache, Selection
from scholartools.terminal import CONTROLS, Messages, printable

EVIL = "x\x1b]0;own\x07\x1b[2J\x9b31m\u202eend\rover"
STEERS = re.compile(f"(?![\n\t]){CONTROLS}")


def on_a_terminal(*line: str, input: bytes) -> str:
    """What a command writes where both of its outputs are a terminal."""
    ours, theirs = pty.openpty()
    command = [sys.executable, str(ROOT / "bin" / line[0]), *line[1:]]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=theirs, stderr=theirs, env=environment()) as run:
        os.close(theirs)
        run.stdin.write(input)
        run.stdin.close()
        shown = b""
        while True:
            try:
                shown += os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
    os.close(ours)
    return shown.decode(errors="replace").replace("\r\n", "\n")


@given(some.text(alphabet=some.sampled_from("ab\x00\x1b\x7f\x9b\u2028\u202e\u2069\n\t\r\\é")))
def test_what_is_shown_holds_no_character_that_steers(text):
    shown = printable(text)
    assert not STEERS.search(shown) and shown.count("\n") == text.count("\n")
    assert printable(shown) == shown
    assert json.loads(printable(json.dumps({"a": text}, ensure_ascii=False))) == {"a": text}


def test_the_carriage_returns_of_progress_stay():
    written = []
    stream = Messages(type("Stream", (), {"write": lambda self, text: written.append(text), "name": "n"})())
    for text in ("\r", "\r1 of 2\r", "a\rb", "", "\r\x1b"):
        assert stream.write(text) == len(text)
    assert "".join(written) == "\r\r1 of 2\ra\\u000db\r\\u001b" and stream.name == "n"


def test_a_message_is_one_line_whatever_names_it_holds(tmp_path):
    name = "a\nst-facets: 9 of 9 records, all well\nb"
    told = st("st-facets", tmp_path / name).err
    assert told.count("\n") == 1 and "9 of 9" in told
    (tmp_path / name).write_bytes(b"{\n{}\n")
    told = st("st-facets", tmp_path / name).err
    assert "a\\nst-facets: 9 of 9" in told and len(told.splitlines()) == 2
    assert all(line.startswith("st-facets: ") and "9 of 9" not in line[:20] for line in told.splitlines())


def test_records_tables_and_messages_on_a_terminal():
    record = {"id": EVIL, "abstract": "We test it.", "summaries": [{"system": EVIL, "text": "It is tested."}]}
    table = on_a_terminal("st-score", "text", "--table", "--progress", "off", input=jsonl(record))
    assert "end" in table and not STEERS.search(table)
    records = on_a_terminal("st-score", "text", "--progress", "off", input=jsonl(record))
    assert not STEERS.search(records) and json.loads(records)["id"] == EVIL
    wrong = on_a_terminal("st-score", EVIL.replace("\x00", ""), input=b"")
    assert "own" in wrong and not STEERS.search(wrong)


def test_names_in_a_cache_of_an_earlier_version_are_spelled_out(tmp_path):
    """Such names are refused now; a cache that has them is read as ever."""
    model, env = ("--model", "openai/mock"), {"OPENAI_API_KEY": "x", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    with Server() as server:
        st("st-facets", *model, input=papers(1), env={**server.environment, "ST_CACHE": str(tmp_path / "a.sqlite")})
    with Cache.open(tmp_path / "a.sqlite") as old, Cache.open(tmp_path / "b.sqlite") as new:
        for row in old.listing(Selection()):
            for entry in old.every(row["key"]):
                reply = entry.reply._replace(endpoint=f"http://{EVIL}/v1", endpoint_name=None)
                new.put(entry.key, entry.request, reply, f"facets{EVIL}")
    env["ST_CACHE"] = str(tmp_path / "b.sqlite")
    for more in ((), ("--replay",)):
        shown = st("st-facets", *model, *more, input=papers(1), env=env).err
        assert "\\u001b" in shown and not STEERS.search(shown), more


ANSWER = {"choices": [{"message": {"role": "assistant", "content": ""}, "finish_reason": EVIL}], "model": EVIL}


@pytest.mark.parametrize(
    "answer",
    [(400, {"error": {"message": EVIL, "code": EVIL}}, {}), (200, ANSWER, {})],
    ids=["refusal", "finish reason"],
)
def test_what_a_server_says_of_a_call_is_spelled_out(answer, tmp_path):
    with Server(respond=lambda request, came: answer) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "c")}
        shown = st("st-facets", "--model", "openai/mock", "--retries", "0", input=papers(1), env=env).err
    assert "own" in shown and not STEERS.search(shown)
