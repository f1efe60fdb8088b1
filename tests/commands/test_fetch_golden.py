"""Each action of st-fetch without a fault: what it writes is what stands in a file, which was looked at by eye.

``python tests/commands/test_fetch_golden.py`` (with ``tests`` on PYTHONPATH) writes the file anew.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from support.run import jsonl, st
from support.web_server import serving

GOLDEN = Path(__file__).with_suffix(".json")
LINES = {
    "papers": "papers 2401.00003 W90013 10.5555/work.8 2401.99999 2023.acl-long.2",
    "venue": "papers --venue iclr --year 2024",
    "references": "references W90041 W90002 --source openalex",
    "citations": "citations 10.5555/work.77 --limit 2 --source semantic-scholar",
    "similar": "similar W90005 --source openalex --limit 2",
    "reviews": "reviews openreview:iclrForum1 openreview:arrrForum8 openreview:earlForum9 --revisions",
    "source": "source 2401.00001 2401.00002 --dir files",
    "named": "papers PMC8008 10.1101/2020.01.01.8 dblp:conf/num/Author8 --source europe-pmc,biorxiv,dblp",
    "status": "status",
}


def outcome(web, folder: Path, line: str) -> dict:
    """Status, messages and records, without what a day, a version of ours or a port of the server changes."""
    env = {"ST_FETCH_BASE": web.base, "ST_FETCH_PACE": "0.001", "XDG_CACHE_HOME": str(folder / "home")}
    done = st("st-fetch", *line.split(), env=env, cwd=folder)
    text = done.out.decode().replace(web.base, "BASE")
    records = [json.loads(one) for one in text.splitlines()]
    for record in records:
        for one in (*record.get("fetched", ()), *record.get("files", ())):
            one["date"] = "DAY"
        for step in record.get("provenance", ()):
            step |= {"version": "VERSION", "signature": "SIGNATURE"}
    return {"status": done.status, "told": done.err.splitlines(), "records": records}


@pytest.mark.parametrize("name", LINES)
def test_an_action_writes_what_it_wrote(tmp_path, name):
    with serving() as web:
        made = outcome(web, tmp_path, LINES[name])
    assert made == json.loads(GOLDEN.read_text())[name]


def test_every_item_is_found_or_missing_and_the_sum_is_told():
    golden = json.loads(GOLDEN.read_text())
    assert (
        golden["papers"]["told"][-1].startswith("st-fetch: 4 of 5 papers found")
        and len(golden["papers"]["records"]) == 5
    )
    assert jsonl(*golden["source"]["records"]).count(b'"files"') == 1 and golden["source"]["status"] == 1


if __name__ == "__main__":
    with serving() as server, tempfile.TemporaryDirectory() as name:
        folders = {key: Path(name) / key for key in LINES}
        for place in folders.values():
            place.mkdir()
        found = {key: outcome(server, folders[key], line) for key, line in LINES.items()}
    GOLDEN.write_text(json.dumps(found, ensure_ascii=False, indent=1, sort_keys=True) + "\n")
