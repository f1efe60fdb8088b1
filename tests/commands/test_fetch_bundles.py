"""Bundles of what services answered: what may be passed on, repeated elsewhere without network and key."""

from __future__ import annotations

import base64
import hashlib
import json

import pytest
from support.run import st
from support.web_forums import PRIVATE
from support.web_server import SECRET, serving

from scholartools.cache.request import canonical_json

# Lines of each action; whether other people may have what they take, and with which option.
ACTIONS = {
    "papers-found": ("papers W90005 10.5555/work.8 2401.00003", ""),
    "papers-missing": ("papers 2401.99999 W90005 --source arxiv,openalex", "some"),
    "references": ("references 10.5555/work.39 --source openalex", ""),
    "citations": ("citations W90010 --source openalex --limit 7", ""),
    "of-s2": ("references 10.5555/work.39 --source semantic-scholar", "--with-restricted"),
    "crossref": ("papers 10.5555/work.8 10.5555/work.14 --source crossref --mailto a@example.org", "--with-restricted"),
    "anthology": ("papers --venue acl --year 2023", ""),
    "venue": ("papers --venue Big.cc/2024/Conference", "private"),
    "reviews": ("reviews tmlrForum7 arrrForum8", "--with-reviews"),
    "private": ("reviews iclrForum1", "private"),
}  # fmt: skip


def written(records):
    return b"".join(canonical_json(one) + b"\n" for one in records)


@pytest.fixture
def web():
    with serving() as server:
        yield server


def environment_of(web, folder):
    home = {"XDG_CACHE_HOME": str(folder), "ST_FETCH_BASE": web.base, "ST_FETCH_PACE": "0.001"}
    return {**home, "OPENALEX_API_KEY": SECRET, "ST_MAILTO": "marked.person@example.org"}


@pytest.mark.parametrize("name", ACTIONS)
def test_a_run_is_repeated_elsewhere(web, tmp_path, name):
    line, how = ACTIONS[name]
    env = environment_of(web, tmp_path / "here")
    done = st("st-fetch", *line.split(), env=env)
    assert done.status == (1 if how == "some" else 0)
    records = tmp_path / "run.jsonl"
    records.write_bytes(done.out)
    taken = st("st-cache", "export", "--used-by", str(records), env=env, is_described=False)
    if how in ("", "some"):
        assert taken.status == 0 and not taken.err
    else:
        assert taken.status == 1 and "left out" in taken.err
    option = how if how.startswith("--") else "--with-reviews"
    taken = st(
        "st-cache", "export", "--used-by", str(records), option, "--with-restricted", env=env, is_described=False
    )
    for secret in (SECRET, "marked.person", PRIVATE, web.base):
        assert secret.encode() not in taken.out
    if how == "private":
        assert taken.status == 1 and "not everyone may read" in taken.err
        return
    assert taken.status == 0, taken.err
    lines = [json.loads(one) for one in taken.out.splitlines()]
    assert lines[0]["version"] == 3 and lines[0]["answers"] == len(lines) - 1 and lines[0]["calls"] == 0

    n_sent, elsewhere = len(web.log), {"XDG_CACHE_HOME": str(tmp_path / "there"), "ST_MAILTO": "other@example.org"}
    (tmp_path / "b.jsonl").write_bytes(taken.out)
    for counts in ({"new": len(lines) - 1}, {"known": len(lines) - 1}):
        stored = st("st-cache", "import", str(tmp_path / "b.jsonl"), env=elsewhere, is_described=False)
        told = stored.records[0]
        assert stored.status == 0 and told["answers"] == len(lines) - 1 and counts.items() <= told.items()
    again = st("st-fetch", *line.split(), "--replay", env={**elsewhere, "ST_FETCH_BASE": "http://127.0.0.1:9"})
    assert again.out == done.out and again.status == done.status and len(web.log) == n_sent
    theirs = st("st-cache", "export", option, "--with-restricted", env=elsewhere, is_described=False)
    assert theirs.out == taken.out, "the same bytes wherever it is made"


def test_what_was_changed_is_refused(web, tmp_path):
    env = environment_of(web, tmp_path / "here")
    st("st-fetch", "papers", "W90005", "W90006", "--source", "openalex", env=env)
    st("st-fetch", "papers", "2401.00003", env=env)
    whole = st("st-cache", "export", env=env, is_described=False).out.splitlines()
    assert len(whole) == 3
    place = next(at for at, one in enumerate(whole) if b'"source":"openalex"' in one)
    kept = json.loads(whole[place])

    def load(lines, folder="there"):
        return st("st-cache", "import", "-", env={"XDG_CACHE_HOME": str(tmp_path / folder)}, input=written(lines),
                  is_described=False)  # fmt: skip

    records = [json.loads(one) for one in whole]
    assert load(records[:-1]).status == 3 and load([*records, records[-1]]).status == 3
    for change in ({"text": kept["text"] + " "}, {"status": 500}, {"key": "0" * 64}, {"source": "arxiv\x1b[1m"}):
        assert load([*records[:place], {**kept, **change}, *records[place + 1 :]]).status == 3, change

    # Whoever makes a manifest that fits can store another answer only where there is none, and never what is none.
    def rebuilt(lines):
        body = written(lines)
        return [{**records[0], "answers": len(lines), "sha256": hashlib.sha256(body).hexdigest()}, *lines]

    wrong = [
        {**kept, "key": "0" * 64}, {**kept, "status": 1}, {**kept, "created": -1}, {**kept, "cost": True},
        {**kept, "head": {"a": 1}}, {**kept, "source": "arxiv"}, {**kept, "more": 1}, {**kept, "text": 5},
        {name: value for name, value in kept.items() if name != "text"} | {"base64": "!"},
        {name: value for name, value in kept.items() if name != "cost"},
    ]  # fmt: skip
    for one in wrong:
        done = load(rebuilt([one]), "wrong")
        assert done.status == 1 and done.records[0]["refused"] == 1 and done.records[0]["new"] == 0, one
    assert load(records).status == 0
    other = {name: value for name, value in kept.items() if name != "text"}
    other |= {"base64": base64.b64encode(b'{"results": []}').decode()}
    done = load(rebuilt([other]))
    assert done.status == 1 and done.records[0]["conflicts"] == 1
    again = st("st-cache", "export", env={"XDG_CACHE_HOME": str(tmp_path / "there")}, is_described=False)
    assert again.out.splitlines() == whole


def test_answers_are_counted_and_chosen_by_service(web, tmp_path):
    env = environment_of(web, tmp_path)
    st("st-fetch", "papers", "W90005", "--source", "openalex", env=env)
    st("st-fetch", "papers", "2401.00003", "2401.00003", env=env)
    stats = st("st-cache", "stats", env=env, is_described=False).records[0]
    assert [(one["source"], one["answers"]) for one in stats["sources"]] == [("arxiv", 1), ("openalex", 1)]
    taken = st("st-cache", "export", "--source", "arxiv", env=env, is_described=False).records
    assert [one.get("source") for one in taken] == [None, "arxiv"]
    assert st("st-cache", "export", "--source", "arxiv", "--model", "m", env=env, is_described=False).status == 2
