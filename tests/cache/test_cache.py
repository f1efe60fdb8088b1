"""The cache of replies: its keys, its file under every kind of trouble, its bundles, and st-cache from outside."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from support.caches import keep, noise, request
from support.run import ROOT, jsonl, shell, st

from scholartools.cache import (
    Cache,
    Reply,
    Selection,
    bundle,
    cache_file,
    call_key,
    default_place,
    sqlite,
)
from scholartools.cache.request import (
    canonical_json,
    make_key_function,
    normalize_request,
    parse_canonical,
)
from scholartools.errors import InputFault, ModelFault, UsageFault
from scholartools.io import open_output

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def pictured(data: bytes, head: str = "data:image/png;base64,"):
    image = {"type": "image_url", "image_url": {"url": head + base64.b64encode(data).decode(), "detail": "low"}}
    return {"model": "m", "messages": [{"role": "user", "content": [{"type": "text", "text": "what?"}, image]}]}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "calls.sqlite"


@pytest.fixture
def cache(path):
    with Cache.open(path) as cache:
        yield cache


# Keys


def test_the_key_is_the_same_in_every_version():
    """A change here makes every cache and every bundle there is useless."""
    asked = {**request(parameters={"temperature": 0.0, "max_tokens": 10}, sample=1), "namespace": "b"}
    canon = (
        b'{"messages":[{"content":"hello","role":"user"}],"model":"openai/m","namespace":"b",'
        b'"parameters":{"max_tokens":10,"temperature":0},"sample":1}'
    )
    assert call_key(asked) == hashlib.sha256(canon).digest()


@pytest.mark.parametrize(
    "more",
    [
        {"model": "openai/n"},
        {"messages": [{"role": "system", "content": "hello"}]},
        {"messages": [{"role": "user", "content": "hello"}] * 2},
        *({"parameters": {name: 1}} for name in ("temperature", "top_p", "max_tokens", "seed", "anything")),
        {"parameters": {"seed": 2}},
        {"parameters": {"stop": ["x"]}},
        {"response_format": {"type": "json_object"}},
        {"extra_body": {"top_k": 5}},
        {"extra_body": {"top_k": None}},
        {"sample": 1},
        {"namespace": "second"},
    ],
)
def test_everything_asked_is_in_the_key(more):
    assert call_key({**request(), **more}) != call_key(request())


def test_absent_and_none_and_the_order_of_keys_do_not_matter():
    bare = call_key(request())
    nothing = {"parameters": None, "response_format": None, "extra_body": None, "namespace": None, "sample": 0}
    assert call_key(request(**nothing)) == bare == call_key(request(parameters={"seed": None}))
    assert call_key(dict(reversed(request().items()))) == bare
    assert call_key(request(parameters={"temperature": 1})) == call_key(request(parameters={"temperature": 1.0}))


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({"temperature": 0}, "temperature"),
        ({"endpoint": "http://x"}, "endpoint"),
        ({"model": None}, "model"),
        ({"messages": None}, "messages"),
        ({"parameters": {"temperature": float("nan")}}, "nan"),
        ({"extra_body": {"a": [float("inf")]}}, "inf"),
    ],
)
def test_a_request_that_would_lose_something_has_no_key(wrong, word):
    with pytest.raises(ValueError, match=word):
        call_key({**request(), **wrong})


@pytest.mark.parametrize(
    "rest",
    [
        {"model": "openai/m"},
        {"model": "m", "namespace": "\0", "sample": 3, "parameters": {"seed": 2**70, "top_p": 1.0}},
        {"model": "m", "response_format": {"schema": {"messages": [{"role": "\0"}], "title": "café"}}},
        {"model": "m", "extra_body": {"messages": [{"role": "user"}]}, "namespace": '[{"role":"\\u0000"}]'},
    ],
)
@pytest.mark.parametrize("text", ["hello", "café", "half \ud83d", "", '[{"role":"\0"}]'])
def test_the_quick_way_to_a_key_gives_the_same_key(rest, text):
    several = [*request(text)["messages"], *pictured(PIXEL)["messages"]]
    key = make_key_function(rest)
    for messages in (request(text)["messages"], several, []):
        assert key(messages) == call_key({**rest, "messages": messages})


def test_images_are_keyed_by_their_bytes():
    asked = pictured(PIXEL)
    kept = normalize_request(asked)
    assert hashlib.sha256(PIXEL).hexdigest() in json.dumps(kept) and "base64" not in json.dumps(kept)
    assert kept["messages"][0]["content"][1]["image_url"]["detail"] == "low"
    assert call_key(kept) == call_key(asked) == call_key(pictured(PIXEL, "data:image/x-png;base64,"))
    assert call_key(pictured(PIXEL + b"x")) != call_key(asked)
    assert asked == pictured(PIXEL), "the caller's request is left as it was"


def test_an_image_named_by_its_address_stays():
    part = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    asked = {"model": "m", "messages": [{"role": "user", "content": [part]}]}
    assert normalize_request(asked)["messages"] == asked["messages"]


anything = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats(allow_nan=False, allow_infinity=False) | some.text(),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(), inner, max_size=3),
    max_leaves=8,
)


@given(some.text(), some.dictionaries(some.text(), anything, max_size=4), anything)
def test_a_request_keeps_its_key_when_it_is_written_and_read(text, parameters, body):
    asked = request(text, parameters=parameters, extra_body=body)
    kept = normalize_request(asked)
    assert normalize_request(kept) == kept
    assert call_key(parse_canonical(canonical_json(kept))) == call_key(asked) == call_key(kept)


# Replies


@pytest.mark.parametrize(
    ("reply", "served"),
    [
        (Reply("yes", "stop"), True),
        (Reply("yes", "tool_calls"), True),
        (Reply("yes", "length"), False),
        (Reply("yes", "content_filter"), False),
        (Reply("yes", "MAX_TOKENS"), False),
        (Reply("yes", "stop", refusal="I cannot"), False),
        (Reply("", "stop"), False),
        (Reply(" \n", "stop"), False),
    ],
)
def test_only_whole_replies_are_served(cache, reply, served):
    assert reply.is_usable is served
    key = call_key(request())
    cache.put(key, request(), reply, "p")
    assert cache.has(key) is served
    assert cache.get(key) == (reply if served else None)
    assert [entry.reply for entry in cache.every(key.hex())] == [reply], "kept in any case"


def test_unserved_replies_stay_beside_the_served_one(cache):
    for said in ("", "cut", "whole"):
        key = keep(cache, "x", said, finish="length" if said == "cut" else "stop")
    assert cache.get(key).text == "whole"
    keep(cache, "x", "cut again", finish="length")
    assert cache.get(key).text == "whole"
    assert [entry.reply.text for entry in cache.every(key.hex())] == ["", "cut", "cut again", "whole"]


def test_a_newer_reply_takes_the_place_of_an_older_one(cache):
    key = keep(cache, "x", "first")
    keep(cache, "x", "second")
    assert cache.get(key).text == "second" and cache.stats()["calls"] == 1


@settings(max_examples=50)
@given(some.text(some.characters(exclude_categories=())), some.none() | some.integers(0, 10**9))
def test_a_reply_comes_back_as_it_was(cache, text, tokens):
    """Half a surrogate pair too: a model that is cut in the middle of an emoji sends one."""
    reply = Reply(text + ".", "stop", tokens, tokens, 0.25, 1.5, 1.7e9, "http://localhost:1/v1")
    cache.put(call_key(request(text)), request(text), reply, "p")
    assert cache.get(call_key(request(text))) == reply
    (entry,) = cache.entries([call_key(request(text))])
    assert entry.request == normalize_request(request(text)) and entry.prompt == "p"


def test_a_key_must_be_the_request_s_own(cache):
    with pytest.raises(ValueError, match="key"):
        cache.put(call_key(request("a")), request("b"), Reply("x", "stop"), "p")
    assert cache.stats()["calls"] == 0


def test_what_was_put_is_there_for_other_connections_at_once(cache, path):
    key = keep(cache, "x")
    with Cache.open(path) as other:
        assert other.get(key).text == "yes"


def test_a_held_moment_ends_when_released_or_when_something_is_put(cache, path):
    keep(cache, "early")
    with Cache.open(path) as other:
        cache.begin_reading()
        assert cache.get(call_key(request("early")))
        late = keep(other, "late")
        assert cache.get(late) is None
        cache.end_reading()
        assert cache.get(late)
        cache.begin_reading()
        assert cache.get(late)
        later = keep(other, "later")
        own = keep(cache, "own")
        assert cache.get(later) and cache.get(own) and other.get(own)
        cache.begin_reading()
    cache.close()
    cache.end_reading()


def test_a_transaction_keeps_all_or_nothing(cache, path):
    with cache.transaction():
        key = keep(cache, "a")
        with Cache.open(path) as other:
            assert not other.has(key)
    with pytest.raises(ZeroDivisionError), cache.transaction():
        lost = keep(cache, "b")
        raise ZeroDivisionError
    assert (cache.has(key), cache.has(lost)) == (True, False)


# Where it lies


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"ST_CACHE": "/a/b"}, "/a/b/calls.sqlite"),
        ({"ST_CACHE": "/a/b.sqlite"}, "/a/b.sqlite"),
        ({"ST_CACHE": "~/b"}, "/home/me/b/calls.sqlite"),
        ({"ST_CACHE": "", "XDG_CACHE_HOME": "/x"}, "/x/scholartools/calls.sqlite"),
        ({"XDG_CACHE_HOME": "relative"}, "/home/me/.cache/scholartools/calls.sqlite"),
        ({}, "/home/me/.cache/scholartools/calls.sqlite"),
    ],
)
def test_default_path(monkeypatch, variables, expected):
    for name in ("ST_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/home/me", **variables}.items():
        monkeypatch.setenv(name, value)
    assert default_place() == Path(expected)


def test_file_and_folders_are_the_owner_s_alone(tmp_path):
    path = cache_file(tmp_path / "new" / "deep")
    with Cache.open(path) as cache:
        keep(cache, "x")
        modes = {part.name: stat.S_IMODE(part.stat().st_mode) for part in path.parent.iterdir()}
        assert set(modes.values()) == {0o600} and "calls.sqlite-wal" in modes
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in (path.parent, path.parent.parent)} == {0o700}


def test_odd_characters_in_the_path(tmp_path):
    path = tmp_path / "50% a?b#c é" / "x y.sqlite"
    with Cache.open(path) as cache:
        key = keep(cache, "x")
    with Cache.open(path, readonly=True) as cache:
        assert cache.has(key)
    assert [part.name for part in path.parent.iterdir()] == ["x y.sqlite"], "the log is gone with the last connection"


# Several processes

WRITER = """
import sys
from scholartools.cache import Cache, Reply, call_key
sys.stdin.readline()
with Cache.open(sys.argv[1]) as cache:
    for number in range(int(sys.argv[3])):
        text = f"{sys.argv[2]} {number}"
        request = {"model": "openai/m", "messages": [{"role": "user", "content": text}]}
        cache.put(call_key(request), request, Reply(text, "stop"), "p")
        print(text, flush=True)
"""


def writer(path: Path, name: str, calls: int) -> subprocess.Popen:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", WRITER, str(path), name, str(calls)], **pipes)


def test_no_acknowledged_reply_is_lost_when_a_writer_is_killed(path):
    """Four writers; all make the file at the same moment."""
    writers = [writer(path, "victim", 1_000_000), *(writer(path, name, 300) for name in "abc")]
    for process in writers:
        process.stdin.write("go\n")
        process.stdin.flush()
    victim = writers[0]
    kept = [victim.stdout.readline() for _ in range(150)]
    victim.send_signal(signal.SIGKILL)
    outputs = [process.communicate(timeout=60) for process in writers]
    assert [process.returncode for process in writers] == [-9, 0, 0, 0], outputs
    kept += [line for out, _ in outputs for line in out.splitlines(True) if line.endswith("\n")]
    assert len(kept) >= 150 + 3 * 300
    with Cache.open(path) as cache:
        assert [text for text in map(str.strip, kept) if cache.get(call_key(request(text))) is None] == []
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    db.close()


def make_many(folder: Path, start: float) -> None:
    """Make 200 caches, each at a moment of its own, and end the process with the number of failures."""
    failures = 0
    for number in range(200):
        while time.time() < start + number * 0.008:
            pass
        try:
            Cache.open(folder / str(number) / "calls.sqlite").close()
        except ModelFault:
            failures += 1
    os._exit(failures)


@pytest.mark.slow
def test_several_processes_may_make_the_cache_at_once(tmp_path):
    """SQLite itself says "locked" to one in some hundred."""
    start, children = time.time() + 0.2, []
    for _ in range(6):
        children.append(os.fork())
        if not children[-1]:
            make_many(tmp_path, start)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 6
    with Cache.open(tmp_path / "199" / "calls.sqlite") as cache:
        assert cache.stats()["calls"] == 0


# Trouble


def test_a_full_file_system_loses_nothing(path):
    """A limit on the size of files stands in for the disk."""
    script = f"""
import resource
import sys
from support.caches import *
from scholartools.errors import ModelFault
resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))
cache, kept = Cache.open({str(path)!r}), []
try:
    for number in range(1000):
        kept.append(keep(cache, str(number), noise(number)))
except ModelFault as fault:
    print(len(kept), all(map(cache.get, kept)), fault.reason)
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=Path(__file__).parent,
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests")},
        capture_output=True,
        text=True,
    )
    kept, readable, reason = done.stdout.split(" ", 2)
    assert int(kept) > 20 and readable == "True", done.stderr
    assert reason.startswith(f"{path}: ") and "disk full" in reason and reason.count("\n") == 1
    with Cache.open(path) as cache:
        assert cache.stats()["calls"] == int(kept)
        assert all(cache.get(call_key(request(str(number)))).text == noise(number) for number in range(int(kept)))
        keep(cache, "room again")


def test_a_full_cache_is_one_line(cache):
    key = keep(cache, "first")
    cache._file.rows("PRAGMA max_page_count = 12")
    with pytest.raises(ModelFault, match="no space is left on the disk"):
        for number in range(100):
            keep(cache, str(number), noise(number))
    with pytest.raises(ModelFault, match="no space"), cache.transaction():
        keep(cache, "more", noise(7) * 10)
    assert cache.get(key).text == "yes"
    cache._file.rows("PRAGMA max_page_count = 10000")
    assert cache.has(keep(cache, "later"))


def test_a_cache_of_a_newer_version(path):
    Cache.open(path).close()
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    for readonly in (False, True):
        with pytest.raises(ModelFault, match="written by a newer scholartools .*99"):
            Cache.open(path, readonly)


def test_files_that_are_no_cache(path):
    path.write_bytes(b"id,text\n1,hello\n" * 100)
    with pytest.raises(ModelFault, match="not a cache of replies"):
        Cache.open(path)
    assert path.read_bytes() == b"id,text\n1,hello\n" * 100
    path.unlink()
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE mine (x)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(ModelFault, match="of another program"):
        Cache.open(path)
    assert path.read_bytes() == before


def test_places_where_no_cache_can_be(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(
        ModelFault, match=r"file/calls.sqlite: no cache can be made there: Not a directory; set ST_CACHE"
    ):
        Cache.open(tmp_path / "file" / "calls.sqlite")
    with pytest.raises(ModelFault, match="cannot be opened"):
        Cache.open(tmp_path)
    with pytest.raises(ModelFault, match="no cache there"):
        Cache.open(tmp_path / "none.sqlite", readonly=True)
    assert [part.name for part in tmp_path.iterdir()] == ["file"]


def test_an_empty_file_becomes_a_cache(path):
    path.touch()
    with Cache.open(path) as cache:
        assert cache.has(keep(cache, "x"))


def test_a_damaged_reply_is_not_served(cache):
    """Whatever bit of it is turned."""
    key = keep(cache, "x", "a reply of some length, so that a bit of it can be turned")
    ((packed,),) = cache._file.rows("SELECT reply FROM calls")
    reply, damaged = cache.get(key), 0
    for bit in range(len(packed) * 8):
        turned = int.from_bytes(packed, "big") ^ (1 << bit)
        cache._file.rows("UPDATE calls SET reply = ?", turned.to_bytes(len(packed), "big"))
        try:
            assert cache.get(key) == reply
        except ModelFault as fault:
            assert "damaged" in fault.reason
            damaged += 1
    assert damaged > len(packed) * 8 * 0.9, "a few bits of the header mean nothing"


def test_a_damaged_file_is_one_line(path):
    with Cache.open(path) as cache:
        keys = [keep(cache, str(number), noise(number)) for number in range(50)]
    data = bytearray(path.read_bytes())
    data[4096 * 2 :] = os.urandom(len(data) - 4096 * 2)
    path.write_bytes(data)
    with pytest.raises(ModelFault, match=r"calls.sqlite: \w"), Cache.open(path) as cache:
        for key in keys:
            cache.get(key)


def test_an_older_cache_is_brought_up_to_date(path, monkeypatch):
    with Cache.open(path) as cache:
        key = keep(cache, "x")
    monkeypatch.setattr(sqlite, "MIGRATIONS", [*sqlite.MIGRATIONS, ("CREATE TABLE later (x)",)])
    with pytest.raises(ModelFault, match="format of the earlier version 1"):
        Cache.open(path, readonly=True)
    for _ in range(2):
        with Cache.open(path) as cache:
            assert cache._file.rows("PRAGMA user_version") == [(2,)]
            assert cache._file.rows("SELECT count(*) FROM later") == [(0,)] and cache.has(key)


# Without the right to write


@pytest.fixture
def shared():
    """A folder that a user without rights can reach, which pytest's own are not."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def unprivileged(work):
    """What ``work`` returns in a process that may not write what only its owner may (root may everything)."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        if os.getuid() == 0:
            os.setgid(65534)
            os.setuid(65534)
        try:
            made = work()
        except ModelFault as fault:
            made = fault.reason
        except BaseException as error:
            made = repr(error)
        os.write(writing, json.dumps(made).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        made = json.load(file)
    os.waitpid(child, 0)
    return made


def look(path: Path, key: bytes):
    def work():
        with Cache.open(path) as cache:
            with pytest.raises(ModelFault, match="read-only"):
                keep(cache, "new")
            with pytest.raises(ModelFault, match="the file is not writable"):
                cache.prove_writable()
            stats = cache.stats()["calls"]
            return [cache.readonly, cache.has(key), stats, sorted(os.listdir(path.parent))]

    return unprivileged(work)


def lock(folder: Path, *, folder_mode: int) -> None:
    for part in folder.iterdir():
        part.chmod(0o444)
    folder.chmod(folder_mode)


@pytest.mark.parametrize("folder_mode", [0o555, 0o777])
def test_a_cache_that_may_not_be_written_is_read(shared, folder_mode):
    path = shared / "calls.sqlite"
    with Cache.open(path) as cache:
        key = keep(cache, "x")
    lock(shared, folder_mode=folder_mode)
    assert look(path, key) == [True, True, 1, ["calls.sqlite"]]


@pytest.mark.parametrize("folder_mode", [0o555, 0o777])
def test_replies_still_in_the_log_are_read_too(shared, folder_mode):
    """A writer is at work, or was killed."""
    path = shared / "calls.sqlite"
    with Cache.open(path) as cache:
        key = keep(cache, "x")
        lock(shared, folder_mode=folder_mode)
        assert look(path, key)[:3] == [True, True, 1]


def test_a_log_that_cannot_be_read_is_not_passed_over(shared):
    """As in a copy on a read-only disk of the files a killed writer left."""
    (shared / "live").mkdir()
    with Cache.open(shared / "live" / "calls.sqlite") as cache:
        key = keep(cache, "x")
        copy = shared / "copy"
        shutil.copytree(shared / "live", copy, ignore=shutil.ignore_patterns("*-shm"))
    lock(copy, folder_mode=0o555)
    reason = look(copy / "calls.sqlite", key)
    assert "calls.sqlite-wal contains replies that need write access" in reason and "\n" not in reason
    (copy / "calls.sqlite-wal").write_bytes(b"")
    copy.chmod(0o755)


def test_no_cache_in_a_folder_that_may_not_be_written(shared):
    shared.chmod(0o555)
    reason = look(shared / "deep" / "calls.sqlite", b"")
    assert "no cache can be made there: Permission denied" in reason


def test_readonly_by_choice_leaves_the_files_as_they_are(path):
    with Cache.open(path) as cache:
        key = keep(cache, "x")
    before = path.read_bytes()
    with Cache.open(path, readonly=True) as cache:
        with pytest.raises(ModelFault, match="read-only"):
            keep(cache, "new")
        assert cache.readonly and cache.has(key)
        with pytest.raises(ModelFault, match="read-only"):
            cache.prune(Selection(model="openai/m"))
    assert path.read_bytes() == before and os.listdir(path.parent) == [path.name]


# Looking and pruning

DAY = 86_400


@pytest.fixture
def mixed(cache):
    """Four calls and a cut reply, of two models and two prompts, on five days."""
    keep(cache, "1", prompt="facets", time=1 * DAY, cost=0.5, prompt_tokens=10, completion_tokens=1)
    keep(cache, "2", prompt="facets", time=2 * DAY, cost=0.25, prompt_tokens=10, completion_tokens=1)
    keep(cache, "3", prompt="claims", time=3 * DAY)
    keep(cache, "4", prompt="facets", model="ollama/n", time=4 * DAY)
    keep(cache, "5", prompt="facets", time=5 * DAY, finish="length")
    return cache


def test_stats(mixed):
    stats = mixed.stats()
    assert (stats["calls"], stats["unserved"], stats["cost"], stats["unpriced"]) == (4, 1, 0.75, 3)
    assert (stats["oldest"], stats["newest"]) == ("1970-01-02T00:00:00Z", "1970-01-06T00:00:00Z")
    groups = [(group["model"], group["prompt"], group["calls"], group["cost"]) for group in stats["groups"]]
    assert groups == [
        ("ollama/n", "facets", 1, None),
        ("openai/m", "claims", 1, None),
        ("openai/m", "facets", 2, 0.75),
    ]


def test_stats_of_an_empty_cache(cache):
    stats = cache.stats()
    assert (stats["calls"], stats["cost"], stats["oldest"], stats["groups"]) == (0, None, None, [])


SELECTIONS = [
    (Selection(), "12345"),
    (Selection(model="openai/m"), "1235"),
    (Selection(prompt="facets"), "1245"),
    (Selection(before=3 * DAY), "12"),
    (Selection(model="openai/m", prompt="facets", before=5 * DAY), "12"),
    (Selection(unusable=True), "5"),
    (Selection(unusable=True, before=5 * DAY), ""),
]


def numbers(cache: Cache, selection: Selection) -> str:
    return "".join(record["time"][9] for record in cache.listing(selection)).translate(str.maketrans("23456", "12345"))


@pytest.mark.parametrize(("selection", "expected"), SELECTIONS)
def test_listing_is_by_age(mixed, selection, expected):
    assert numbers(mixed, selection) == expected


@pytest.mark.parametrize(("selection", "expected"), SELECTIONS)
def test_prune_deletes_what_is_listed(mixed, selection, expected):
    counts = mixed.prune(selection, dry_run=True)
    assert counts["calls"] + counts["unserved"] == len(expected) and numbers(mixed, Selection()) == "12345"
    assert mixed.prune(selection) == {**counts, "dry_run": False}
    assert numbers(mixed, Selection()) == "".join(sorted(set("12345") - set(expected)))


def test_prune_gives_room_back(cache, path):
    for number in range(100):
        keep(cache, str(number), noise(number))
    full = cache.stats()["bytes"]
    cache.prune(Selection(prompt="facets"))
    assert path.stat().st_size < full / 5


def test_the_beginning_of_a_key_is_enough(cache):
    keys = sorted(keep(cache, str(number)).hex() for number in range(40))
    first = keys[0]
    short = next(first[:length] for length in range(1, 65) if not keys[1].startswith(first[:length]))
    assert [entry.key.hex() for entry in cache.every(short.upper())] == [first]
    with pytest.raises(UsageFault, match="several calls begin with"):
        cache.every(os.path.commonprefix([one for one in keys if one[0] == keys[-1][0]])[:1] or "0")
    with pytest.raises(ModelFault, match="holds no call"):
        cache.every("0" * 64)
    for wrong in ("", "xyz", "0" * 65):
        with pytest.raises(UsageFault, match="not the key"):
            cache.every(wrong)


# Bundles


def exported(cache: Cache, tmp_path: Path, keys=None) -> bytes:
    target = tmp_path / "bundle.jsonl"
    with open_output(str(target)) as out:
        bundle.export(cache, out, keys)
    return target.read_bytes()


def load(data: bytes, path: Path) -> dict[str, int]:
    with Cache.open(path) as cache:
        return bundle.load(data.splitlines(True), cache, "b.jsonl").record()


def test_a_bundle_goes_round(mixed, tmp_path):
    mixed.put(call_key(pictured(PIXEL)), pictured(PIXEL), Reply("a dot \ud83d", "stop"), "figure")
    data = exported(mixed, tmp_path)
    manifest, rest = json.loads(data.splitlines()[0]), data.split(b"\n", 1)[1]
    assert manifest == {
        "bundle": "scholartools-calls", "version": 2, "calls": 6, "sha256": hashlib.sha256(rest).hexdigest(),
    }  # fmt: skip
    keys = [call["key"] for call in map(json.loads, rest.splitlines()) if "key" in call]
    assert len(set(keys)) == 6, "a cut reply is in it: a replay fails where the run did"
    other = tmp_path / "other.sqlite"
    assert load(data, other) == {"calls": 6, "new": 6, "known": 0, "conflicts": 0, "refused": 0}
    assert load(data, other) == {"calls": 6, "new": 0, "known": 6, "conflicts": 0, "refused": 0}
    with Cache.open(other) as copy:
        assert exported(copy, tmp_path) == data
        assert list(copy.entries()) == list(mixed.entries())


def test_a_cut_reply_goes_round_as_what_it_is(cache, tmp_path):
    key = keep(cache, "x", "half", finish="length")
    with Cache.open(tmp_path / "other.sqlite") as other:
        load(exported(cache, tmp_path), tmp_path / "other.sqlite")
        assert other.get(key) is None and other.last_unusable(key).text == "half"
        keep(other, "x", "whole")
        assert load(exported(cache, tmp_path), tmp_path / "other.sqlite")["conflicts"] == 1
        assert other.get(key).text == "whole"


def test_the_same_calls_give_the_same_bytes(tmp_path):
    made = []
    for order in (range(20), reversed(range(20))):
        with Cache.open(tmp_path / f"{len(made)}.sqlite") as cache:
            for number in order:
                asked = request(str(number), parameters={"seed": number, "top_p": 0.5})
                shuffled = dict(sorted(asked.items(), reverse=bool(made)))
                cache.put(call_key(asked), shuffled, Reply("x", "stop", time=number), "p")
            made.append(exported(cache, tmp_path))
    assert made[0] == made[1]


def test_a_bundle_of_some_calls(mixed, tmp_path):
    keys = mixed.keys(Selection(prompt="facets"))
    data = exported(mixed, tmp_path, [*keys, keys[0]])
    found = [json.loads(line) for line in data.splitlines()[1:]]
    assert sorted(call["key"] for call in found if "key" in call) == [key.hex() for key in keys]


def test_a_call_that_is_not_there_stops_the_export(mixed, tmp_path):
    with pytest.raises(ModelFault, match="holds no reply to call " + "00" * 32):
        exported(mixed, tmp_path, [bytes(32)])
    assert (tmp_path / "bundle.jsonl.part").read_bytes() == b""


def test_another_reply_is_a_conflict_and_changes_nothing(tmp_path):
    with Cache.open(tmp_path / "a.sqlite") as ours, Cache.open(tmp_path / "b.sqlite") as theirs:
        same, other = keep(ours, "same"), keep(ours, "other", "ours")
        keep(theirs, "same", latency=9.0, time=9.0, endpoint="http://elsewhere")
        keep(theirs, "other", "theirs")
        keep(theirs, "new")
        counts = bundle.load(exported(theirs, tmp_path).splitlines(True), ours)
        assert counts.record() == {"calls": 3, "new": 1, "known": 1, "conflicts": 1, "refused": 0}
        assert (ours.get(same).latency, ours.get(other).text) == (0.0, "ours")


@pytest.mark.parametrize("bad", ["missing.sqlite", "empty.sqlite"])
def test_a_merge_of_what_is_no_cache_writes_nothing(bad, tmp_path):
    with Cache.open(tmp_path / "good.sqlite") as good:
        keep(good, "one")
    (tmp_path / "empty.sqlite").touch()
    sources = (tmp_path / "good.sqlite", tmp_path / bad)
    done = st("st-cache", "merge", *sources, "--cache", tmp_path / "target.sqlite")
    assert (done.status, done.out, done.err.count("\n")) == (4, b"", 1) and f"{bad}: no cache there" in done.err
    assert not (tmp_path / "target.sqlite").exists() and (tmp_path / "empty.sqlite").read_bytes() == b""


def edit(data: bytes, number: int, change) -> bytes:
    """A bundle with one line changed and a manifest that fits, as a forger would make it."""
    lines = [json.loads(line) for line in data.splitlines()]
    change(lines[number])
    rest = b"".join(json.dumps(line).encode() + b"\n" for line in lines[1:])
    return jsonl({**lines[0], "sha256": hashlib.sha256(rest).hexdigest()}) + rest


def kept_line(data: bytes) -> int:
    """The number of the line that holds the cut reply, from 0."""
    return next(number for number, line in enumerate(data.splitlines()) if b'"finish":"length"' in line)


EDITS = {
    "text alone": (lambda data: data.replace(b'"text":"yes"', b'"text":"no"', 1), "b.jsonl: the bundle was changed"),
    "order": (lambda data: b"".join([*data.splitlines(True)[:1], *data.splitlines(True)[:0:-1]]), "b.jsonl:"),
    "cut": (lambda data: data[:-20], "b.jsonl:11: "),
    "line less": (lambda data: b"".join(data.splitlines(True)[:-1]), "holds 4 calls, and its manifest says 5"),
    "line more": (lambda data: data + data.splitlines(True)[-1], "holds 6 calls"),
    "not json": (lambda data: data + b"{'x'}\n", "b.jsonl:12: "),
    "deep": (lambda data: data + b"[" * 100_000 + b"\n", "b.jsonl:12: "),
    "not utf-8": (lambda data: data + b"\xff\n", "b.jsonl:12: "),
    "empty": (lambda data: b"", "b.jsonl:1: no manifest"),
    "records": (lambda data: jsonl({"id": "p1"}), "b.jsonl:1: no manifest"),
    "newer": (lambda data: data.replace(b'"version":2', b'"version":4', 1), "b.jsonl:1: a bundle of version 4"),
    "of answers": (lambda data: data.replace(b'"version":2', b'"version":3', 1), 'lacks "answers"'),
    "half a manifest": (lambda data: jsonl({"bundle": "scholartools-calls", "version": 1}), "b.jsonl:1: the manifest"),
    "odd version": (lambda data: data.replace(b'"version":2', b'"version":true', 1), "a bundle of version True"),
}


@pytest.mark.parametrize("name", EDITS)
def test_a_bundle_that_was_cut_or_edited_is_refused_whole(mixed, tmp_path, name):
    change, reason = EDITS[name]
    data = exported(mixed, tmp_path)
    assert change(data) != data
    with pytest.raises(InputFault, match=reason):
        load(change(data), tmp_path / "other.sqlite")
    with Cache.open(tmp_path / "other.sqlite") as other:
        assert other.stats()["calls"] == 0


def reply_of(**values):
    return lambda line: line["reply"].update(values)


CALLS = {
    "model": (lambda line: line["request"].update(model="else"), "changed: the key is not that of the request"),
    "key": (lambda line: line.update(key="00" * 32), "changed: the key"),
    "odd request": (lambda line: line["request"].update(secret=1), "not a request"),
    "no request": (lambda line: line.update(request=[]), "not a request"),
    "odd reply": (reply_of(more=1), "not a reply"),
    "reply type": (reply_of(text=5), 'the reply\'s "text"'),
    "prompt": (lambda line: line.update(prompt=5), '"prompt"'),
    "extra key": (lambda line: line.update(more=5), "not a call"),
    "key less": (lambda line: line.pop("reply"), "not a call"),
    "half a character": (lambda line: line.update(prompt="\ud83d"), "unpaired surrogate"),
    "endpoint": (reply_of(endpoint="http://\ud83d"), "unpaired surrogate"),
    "endpoint of two lines": (reply_of(endpoint="http://x\n\x1b[31mhi"), "control characters"),
    "endpoint that turns round": (reply_of(endpoint="http://x\u202e"), "control characters"),
    "name of an endpoint": (reply_of(endpoint_name="a\x9bb"), "control characters"),
    "prompt of two lines": (lambda line: line.update(prompt="a\nb"), "control characters"),
    "far time": (reply_of(time=1e300), '"time" is 1e+300'),
    "early time": (reply_of(time=-1), '"time" is -1'),
    "tokens": (reply_of(prompt_tokens=2**70), '"prompt_tokens" is 1180591620717411303424'),
    "many tokens": (reply_of(completion_tokens=2**62), '"completion_tokens" is'),
    "true tokens": (reply_of(prompt_tokens=True), '"prompt_tokens" is True'),
    "cost": (reply_of(cost=-1e9), '"cost" is -1000000000.0'),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_that_cannot_be_is_refused_alone(mixed, tmp_path, name):
    change, reason = CALLS[name]
    data = exported(mixed, tmp_path)
    line = kept_line(data)
    with Cache.open(tmp_path / "other.sqlite") as other:
        loaded = bundle.load(edit(data, line, change).splitlines(True), other, "b.jsonl")
        assert (loaded.calls, loaded.new, loaded.refused) == (5, 4, 1)
        assert loaded.reasons[0].startswith(f"b.jsonl:{line + 1}: ") and reason in loaded.reasons[0]
        assert other.stats()["calls"] == 4 and len(list(other.listing(Selection()))) == 4


def version_1(cache: Cache) -> bytes:
    """A bundle as versions to 0.2 wrote it: by key, each call with its messages."""
    rest = b"".join(bundle.bundle_line(entry) + b"\n" for entry in cache.entries())
    count = rest.count(b"\n")
    head = {"bundle": "scholartools-calls", "version": 1, "calls": count, "sha256": hashlib.sha256(rest).hexdigest()}
    return jsonl(head) + rest


def test_a_bundle_of_version_1_gives_the_same_cache(mixed, tmp_path):
    assert load(version_1(mixed), tmp_path / "1.sqlite")["new"] == 5
    load(exported(mixed, tmp_path), tmp_path / "2.sqlite")
    with Cache.open(tmp_path / "1.sqlite") as first, Cache.open(tmp_path / "2.sqlite") as second:
        assert list(first.entries()) == list(second.entries()) == list(mixed.entries())
        assert exported(first, tmp_path) == exported(second, tmp_path)


def test_what_samples_share_stands_once(cache, tmp_path):
    prompt = noise(1)
    for sample in range(20):
        asked = {**request(prompt), "sample": sample}
        cache.put(call_key(asked), asked, Reply(f"It is {sample}.", "stop"), "p")
    data = exported(cache, tmp_path)
    assert data.count(prompt.encode()) == 1 and len(data) < len(version_1(cache)) / 4
    assert load(data, tmp_path / "other.sqlite")["new"] == 20


def test_the_last_unusable_reply_is_the_last_that_came_whatever_the_clock_said(cache, tmp_path):
    keep(cache, "x", "first", finish="length", time=9e8)
    key = keep(cache, "x", "second", finish="length", time=1e8)
    assert cache.last_unusable(key).text == "second"
    assert [entry.reply.text for entry in cache.every(key.hex())] == ["first", "second"]
    load(exported(cache, tmp_path), tmp_path / "other.sqlite")
    with Cache.open(tmp_path / "other.sqlite") as other:
        assert other.last_unusable(key).text == "second"


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_a_compressed_bundle(env, tmp_path, ending):
    plain = st("st-cache", "export", env=env).out
    packed = tmp_path / f"calls.jsonl.{ending}"
    for _ in range(2):
        assert st("st-cache", "export", "--output", packed, env=env).status == 0
        first = packed.read_bytes()
    assert first == packed.read_bytes() and first[:2] in (b"\x1f\x8b", b"\x28\xb5")
    new = {"ST_CACHE": str(tmp_path / "new.sqlite")}
    (packed.with_name("renamed")).write_bytes(first)
    assert st("st-cache", "import", "renamed", env=new, cwd=tmp_path).records[0]["new"] == 5
    assert st("st-cache", "import", input=first, env=new).records[0]["known"] == 5
    assert st("st-cache", "export", env=new).out == plain
    for broken in (first[:-9], first[:20], first[:40] + b"xxxx" + first[44:]):
        result = st("st-cache", "import", input=broken, env=new)
        assert (result.status, result.out, result.err.count("\n")) == (3, b"", 1), result.err


HOSTILE = some.one_of(
    some.none(), some.booleans(), some.integers(-(2**80), 2**80), some.floats(allow_nan=False, allow_infinity=False),
    some.text(some.characters(), max_size=5), some.just([]), some.just({}), some.just("\ud800"),
    some.sampled_from([1e300, -1e9, 2**63, -1, "http://[", "sha256:", "\0"]),
)  # fmt: skip


@pytest.mark.slow
@settings(suppress_health_check=list(HealthCheck), max_examples=150)
@given(some.data())
def test_no_bundle_breaks_stats_or_list(mixed, tmp_path_factory, data):
    """Any value of a bundle changed for any other, under a manifest that fits: refused, or stored and counted."""
    folder = tmp_path_factory.mktemp("mutated")
    lines = [json.loads(line) for line in exported(mixed, folder).splitlines()]
    for _ in range(data.draw(some.integers(1, 4))):
        change_one(data, lines[data.draw(some.integers(1, len(lines) - 1))])
    rest = b"".join(json.dumps(line).encode() + b"\n" for line in lines[1:])
    head = {**lines[0], "calls": 5, "sha256": hashlib.sha256(rest).hexdigest()}
    with Cache.open(folder / "other.sqlite") as other:
        try:
            loaded = bundle.load((jsonl(head) + rest).splitlines(True), other)
        except InputFault:
            loaded = bundle.Loaded()
        stats, listed = other.stats(), list(other.listing(Selection()))
        assert len(listed) == stats["calls"] + stats["unserved"] == loaded.new
        json.dumps([stats, listed], allow_nan=False).encode()
        again = exported(other, folder)
    assert load(again, folder / "again.sqlite")["refused"] == 0


def change_one(data, value) -> None:
    """Change, add or take away one value anywhere in a value."""
    while isinstance(value, (dict, list)) and value:
        places = list(value) if isinstance(value, dict) else list(range(len(value)))
        place = data.draw(some.sampled_from(places))
        inner = value[place]
        if not isinstance(inner, (dict, list)) or not inner or data.draw(some.integers(0, 3)) == 0:
            if data.draw(some.integers(0, 5)) == 0:
                del value[place]
            else:
                value[place] = data.draw(HOSTILE)
            return
        value = inner


def test_a_cache_with_impossible_numbers_is_counted(cache):
    """What earlier versions imported is there still."""
    for number, wrong in enumerate([{"time": 1e300}, {"time": -5.0}, {"prompt_tokens": 2**62}, {"cost": -1e9}] * 3):
        keep(cache, str(number), **wrong)
    stats = cache.stats()
    assert (stats["calls"], stats["prompt_tokens"], stats["cost"], stats["unpriced"]) == (12, None, None, 12)
    assert len(list(cache.listing(Selection()))) == 12


def test_no_secret_is_kept(cache, tmp_path, monkeypatch):
    canary = "sk-canary-1234567890"
    monkeypatch.setenv("OPENAI_API_KEY", canary)
    key = keep(cache, "x", endpoint=f"https://user:{canary}@example.org:8000/v1?key={canary}#a")
    assert cache.get(key).endpoint == "https://example.org:8000/v1"
    everything = exported(cache, tmp_path) + b"".join(bundle.bundle_line(entry) for entry in cache.every(key.hex()))
    assert canary.encode() not in everything + cache.place.read_bytes()


# The command


@pytest.fixture
def env(mixed, path):
    return {"ST_CACHE": str(path), "ST_MODEL": "some/model", "ST_DRY_RUN": "1"}


def test_command_stats_list_and_path(env, path, tmp_path):
    assert st("st-cache", "stats", env=env).records[0]["calls"] == 4
    assert [record["served"] for record in st("st-cache", "list", env=env).records] == [True] * 4 + [False]
    listed = st("st-cache", "list", "--model", "openai/m", "--prompt", "facets", "--older-than", "1", env=env).records
    assert [record["time"][:10] for record in listed] == ["1970-01-02", "1970-01-03", "1970-01-06"]
    assert st("st-cache", "path", env=env).out.decode() == f"{path}\n"
    assert st("st-cache", "path", "--cache", tmp_path / "x").out.decode() == f"{tmp_path}/x/calls.sqlite\n"


def test_command_show(env, mixed):
    key = next(mixed.listing(Selection()))["key"]
    result = st("st-cache", "show", key[:16], env=env)
    (record,) = result.records
    assert (record["key"], record["served"], record["reply"]["text"]) == (key, True, "yes")
    assert record["request"]["messages"] == [{"role": "user", "content": "1"}]


def test_command_export_import_and_replay_of_a_file(env, mixed, tmp_path):
    kept = mixed.keys(Selection(prompt="facets"))
    made_by = {"command": "st-facets", "version": "1", "signature": "s"}
    failed = {"command": "st-facets", "kind": "reply", "reason": "r", "calls": [kept[1].hex()]}
    results = tmp_path / "results.jsonl"
    results.write_bytes(
        jsonl({"id": "a", "provenance": [made_by, {**made_by, "calls": [kept[0].hex()]}]}, {"errors": [failed]})
    )
    bundled = tmp_path / "calls.jsonl"
    result = st("st-cache", "export", "--used-by", results, "--output", bundled, env=env)
    assert (result.status, result.out, result.err) == (0, b"", "")
    calls = [json.loads(line) for line in bundled.read_bytes().splitlines()[1:]]
    assert {call["key"] for call in calls if "key" in call} == {key.hex() for key in kept[:2]}
    new = {"ST_CACHE": str(tmp_path / "new")}
    result = st("st-cache", "import", bundled, "-", input=st("st-cache", "export", env=env).out, env=new)
    assert result.status == 0 and [record["new"] for record in result.records] == [2, 3]
    assert st("st-cache", "export", env=new).out == st("st-cache", "export", env=env).out


@pytest.mark.parametrize(
    ("results", "status", "words"),
    [
        (
            jsonl({"provenance": [{"command": "c", "version": "1", "signature": "s", "calls": ["00" * 32]}]}),
            4,
            "00" * 32,
        ),
        (jsonl({"provenance": [{"command": "c", "version": "1", "signature": "s", "calls": ["xyz"]}]}), 3, "r:1: "),
        (jsonl({"id": "x"}), 3, "no record names a call of a model or service"),
        (b"{}\nnot json\n", 3, "r:2: not JSON"),
        (jsonl({"provenance": 5}), 3, "r:1: "),
    ],
)
def test_command_export_of_calls_that_cannot_be_named(env, tmp_path, results, status, words):
    (tmp_path / "r").write_bytes(results)
    result = st("st-cache", "export", "--used-by", tmp_path / "r", env=env)
    assert (result.status, result.out, result.err.count("\n")) == (status, b"", 1) and words in result.err


def test_command_import_says_conflicts_and_exits_1(env, mixed, tmp_path):
    data = st("st-cache", "export", env=env).out
    with Cache.open(tmp_path / "new.sqlite") as other:
        keep(other, "1", "something else")
    result = st("st-cache", "import", input=data, env={"ST_CACHE": str(tmp_path / "new.sqlite")})
    assert result.status == 1 and result.records[0]["conflicts"] == 1
    assert result.err == "st-cache: -: 1 of 5 calls has another reply in the cache, which was kept\n"
    result = st("st-cache", "import", input=data[:-50], env=env)
    assert (result.status, result.out) == (3, b"") and result.err.startswith("st-cache: -:11: ")


def test_command_prune(env, path):
    assert st("st-cache", "prune", "--unserved", "--dry-run", env=env).records[0]["unserved"] == 1
    result = st("st-cache", "prune", "--prompt", "facets", env=env)
    assert result.records == [{"calls": 3, "unserved": 1, "dry_run": False}]
    assert st("st-cache", "stats", env=env).records[0]["calls"] == 1
    assert st("st-cache", "prune", "--older-than", "0", env=env).records[0]["calls"] == 1


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        ([], 2, "the first argument must name an action (stats, list,"),
        (["empty"], 2, 'not "empty"'),
        (["show"], 2, "Missing argument 'KEY'"),
        (["show", "zz"], 2, "not the key of a call"),
        (["show", "0" * 64], 4, "holds no call"),
        (["stats", "x"], 2, "unexpected extra argument (x)"),
        (["stats", "--model", "m"], 2, "No such option"),
        (["list", "--dry-run"], 2, "No such option"),
        (["prune"], 2, "prune needs an option that selects replies"),
        (["prune", "--older-than", "-1"], 2, "--older-than"),
        (["export", "--used-by", "x", "--model", "m"], 2, "--used-by cannot be used with --model"),
        (["export", "--used-by", "/none"], 2, "--used-by /none: No such file"),
        (["import", "/none"], 3, "/none: No such file"),
        (["stats", "--cache", "/none"], 4, "/none/calls.sqlite: no cache there"),
        (["prune", "--unusable", "--cache", "/none"], 4, "no cache there"),
        (["prune", "--older-than", "nan"], 2, "finite"),
        (["stats", "--output", "/none/x"], 2, "No such file"),
    ],
)
def test_command_errors_are_one_line(env, args, status, words):
    result = st("st-cache", *args, env=env)
    assert (result.status, result.out, result.err.count("\n")) == (status, b"", 1)
    assert result.err.startswith("st-cache: ") and words in result.err


def test_command_ends_quietly_when_the_reader_leaves(cache, path):
    with cache.transaction():
        for number in range(2000):
            keep(cache, str(number))
    result = shell(f"st-cache list --cache {path} | head -1; echo ${{PIPESTATUS[0]}}")
    assert (result.out.split()[-1], result.err) == (b"141", "")
