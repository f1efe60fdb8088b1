"""The Makefiles of examples/collect and make demo-fetch, from end to end against the server of this machine."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest
from support.examples import environment
from support.run import BIN, ROOT
from support.web_server import serving

# What docs/collect.md says of each: lines of files, and those of them with errors.
COUNTS = {
    "bagels": {
        "papers.jsonl": (1, 0), "reviewed.jsonl": (1, 0), "fetched.jsonl": (1, 0), "parsed.jsonl": (1, 0),
        "around-references.jsonl": (8, 0), "around-citations.jsonl": (20, 0), "around-similar.jsonl": (20, 0),
        "corpus.jsonl": (48, 0), "limits.jsonl": (1, 0),
    },
    "claimcheck": {"papers.jsonl": (1, 0), "claims.jsonl": (1, 0), "corpus.jsonl": (20, 0)},
    "aaar": {"acl.jsonl": (5, 0), "papers.jsonl": (5, 4), "fetched.jsonl": (5, 4), "iclr.jsonl": (2, 0), "reviewed.jsonl": (2, 0)},
}  # fmt: skip


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("name", COUNTS)
def test_a_makefile_runs_from_a_venue_to_a_corpus(name, tmp_path):
    source = ROOT / "examples" / "collect" / name / "Makefile"
    text = source.read_text()
    assert len(text.splitlines()) <= 40 and "Publish" in text and "USD" in text and "Time" in text
    with serving() as web:
        own = {"ST_FETCH_BASE": web.base, "ST_FETCH_PACE": "0.0001", "XDG_CACHE_HOME": str(tmp_path / "cache")}
        env = environment(**own)
        env["PATH"] = f"{BIN}:{env['PATH']}"
        line = ["make", "--silent", "-f", str(source)]
        done = subprocess.run(line, cwd=tmp_path, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        found = {file: lines(tmp_path / file) for file in COUNTS[name]}
        counted = {file: (len(made), sum(bool(one.get("errors")) for one in made)) for file, made in found.items()}
        assert counted == COUNTS[name], done.stderr
        n_sent = len(web.log)
        for path in tmp_path.glob("*.jsonl"):
            path.unlink()
        again = subprocess.run(line, cwd=tmp_path, env=env, capture_output=True, text=True)
        assert again.returncode == 0 and len(web.log) == n_sent, "nothing that was answered is asked again"
    if name == "aaar":
        assert [one for one in lines(tmp_path / "equations.jsonl") if one.get("equation")]
        assert sum(len(one["reviews"]) for one in found["reviewed.jsonl"]) == 3
    elif name == "bagels":
        assert found["limits.jsonl"][0]["reviews"] and found["limits.jsonl"][0]["sections"]
        assert {one["related_to"] for one in found["corpus.jsonl"]} == {"iclrForum1"}


@pytest.mark.slow
def test_the_demo_shows_the_chain():
    env = environment()
    env |= {"PATH": f"{BIN}:{env['PATH']}", "PYTHONPATH": str(ROOT / "tests")}
    done = subprocess.run([shutil.which("sh") or "sh", "fixtures/demo-fetch.sh"], cwd=ROOT, env=env, capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert len(re.findall(r"^\$ st-", done.stdout, re.M)) == 8 and "CC-BY-4.0" in done.stdout
    assert "0 requests sent" in done.stderr.splitlines()[-1]
