"""st-fetch reviews, source, papers --venue: from outside, against invented forums, volumes and archives."""

from __future__ import annotations

import gzip
import json
import random
import re
import subprocess
import tarfile
import time

import pytest
from commands.test_fetch import Fetcher, names
from support.run import BIN, environment, jsonl, st
from support.web_forums import FORUMS, MARKED, N_BIG, PRIVATE
from support.web_server import serving

from scholartools.schemas.paper import Paper


@pytest.fixture
def fetch(tmp_path):
    with serving() as web:
        yield Fetcher(web, tmp_path / "home")


def of_venue(fetch, name, *more):
    return fetch("reviews", "--venue", name, *more)


ALL_VENUES = sorted({one.venue for one in FORUMS.values()})


def test_nine_forums_of_all_forms(fetch):
    """Prose and numbers as the forms have them; nothing that is private, deleted or a person's name."""
    made = {one["id"]: one for venue in ALL_VENUES for one in of_venue(fetch, venue).records}
    assert set(made) == set(FORUMS)
    for one in made.values():
        Paper.model_validate(one)
        for review in one["reviews"]:
            for field in review.get("fields", ()):
                assert review["text"][field["start"] : field["end"]].strip()
    text = json.dumps(made)
    assert MARKED not in text and PRIVATE not in text and "~" not in text
    first = made["iclrForum1"]["forum"]
    assert first["left_out"] == {"deleted note": 1, "private note": 1, "public comment": 1}
    assert [(one["by"], one["to"]) for one in first["replies"]] == [
        ("authors", "iclrForum1n1"),
        ("reviewer", "iclrForum1n1"),
    ]
    assert first["decision"]["value"] == "Accept (poster)" and len(first["meta_reviews"]) == 1
    assert {name: one["decision"] for name, one in made.items() if "decision" in one} == {
        "iclrForum1": "accepted", "iclrForum2": "rejected", "iclrForum3": "withdrawn", "iclrForum4": "desk-rejected",
        "neurForum5": "rejected", "tmlrForum7": "accepted",
    }  # fmt: skip
    assert made["iclrForum1"]["year"] == 2024, "of the conference, though it was submitted in 2023"
    assert made["neurForum6"]["authors"] is None and made["neurForum6"]["forum"]["left_out"] == {"private note": 1}
    scores = {name: one["reviews"][0]["scores"] for name, one in made.items() if one["reviews"] and "scores" in one["reviews"][0]}  # fmt: skip
    # The venue's own form has the scale, and says what is a choice; of private and unknown forms the names say it.
    assert scores["iclrForum1"]["rating"] == {"value": 6, "label": "marginally above the acceptance threshold", "least": 1, "most": 10}  # fmt: skip
    assert scores["iclrForum1"]["soundness"] == {"value": 3, "label": "good", "least": 1, "most": 4}
    assert scores["iclrForum1"]["presentation"] == {"value": 3}
    assert scores["earlForum9"]["correctness"] == {"value": 2, "label": "some claims fail", "least": 1, "most": 4}
    one = made["iclrForum1"]["reviews"][0]
    assert (
        one["ratings"]["rigour_of_proofs"] == "solid, with small gaps" and "solid, with small gaps" not in one["text"]
    )
    assert "2 of us agree" in one["text"] and "words_to_chairs" not in one["ratings"], "the form has it as a text"
    assert {name: bool(one["forum"]["form"]) for name, one in made.items() if one["reviews"]} == {
        "iclrForum1": True, "iclrForum2": True, "neurForum5": False, "tmlrForum7": False, "arrrForum8": False,
        "earlForum9": True,
    }  # fmt: skip
    assert scores["arrrForum8"]["soundness"] == {"value": 3.5}
    assert scores["arrrForum8"]["overall_assessment"] == {"value": 2.5}
    none = scores["earlForum9"]["empirical_novelty_and_significance"]
    assert none["value"] is None and "Not applicable" in none["why"]
    seven = made["tmlrForum7"]["reviews"][0]
    assert seven["ratings"]["claims_and_evidence"] == "Yes" and "Yes" not in seven["text"]
    eight = made["arrrForum8"]["reviews"][0]
    assert "N/A" not in eight["text"] and "secondary_reviewer" not in eight["ratings"]


@pytest.mark.slow
def test_reviews_of_one_forum_and_by_the_venue_are_the_same(fetch):
    by_venue = {one["id"]: one for venue in ALL_VENUES for one in of_venue(fetch, venue).records}
    done = fetch("reviews", *(f"openreview:{name}" for name in FORUMS))
    assert done.status == 0 and names(done.records) == list(FORUMS)
    for one in done.records:
        assert one["reviews"] == by_venue[one["id"]]["reviews"] and one["forum"] == by_venue[one["id"]]["forum"]
    n_sent = len(fetch.web.log)
    given = [
        {"id": name, "ids": {"openreview": name}, "mine": 1} for name in ("iclrForum2", "iclrForum9", "iclrForum1")
    ]
    some = fetch("reviews", "-", "--venue", "iclr", "--year", "2024", input=jsonl(*given))
    assert len(fetch.web.log) == n_sent, "the venue's list is there"
    assert names(some.records) == ["iclrForum2", "iclrForum9", "iclrForum1"] and some.status == 1
    assert "standard input is not read" not in some.err
    unread = fetch("reviews", "--venue", "iclr", "--year", "2024", input=jsonl(*given))
    assert "standard input is not read" in unread.err and len(unread.records) > 3
    assert some.records[0]["reviews"] and some.records[0]["mine"] == 1 and some.records[1]["errors"]
    again = fetch("reviews", input=jsonl(some.records[0]))
    assert again.status != 0 and again.records[0]["errors"][0]["kind"] == "reviews-there"
    assert of_venue(fetch, "ICLR.cc/2024/Conference", "--public-comments").records[0]["forum"]["replies"][-1]["by"] == "public"  # fmt: skip


@pytest.mark.slow
def test_what_a_review_was_before_its_rebuttal(fetch):
    """By public edits, where these end in what it is; what only some may read is not among them."""
    [one] = fetch("reviews", "openreview:iclrForum1", "--revisions").records
    first, second = one["reviews"]
    assert [(each["date"], each["ratings"]["rating"]) for each in first["versions"]] == [
        ("2023-11-15", "1: strong reject"), ("2023-11-19", "6: marginally above the acceptance threshold"),
    ]  # fmt: skip
    assert first["versions"][-1]["text"] == first["text"] and "Is it so?" in first["versions"][0]["text"]
    assert second["versions"] is None and "do not end in" in second["versions_unknown"]
    assert PRIVATE not in json.dumps(one)
    Paper.model_validate(one)
    plain = fetch("reviews", "openreview:iclrForum1").records[0]
    assert "versions" not in plain["reviews"][0]
    assert plain["provenance"][0]["signature"] != one["provenance"][0]["signature"]
    whole = fetch("reviews", "--venue", "iclr", "--year", "2024", "--revisions").records
    assert whole[0]["reviews"] == one["reviews"] and whole[1]["reviews"][0]["versions"] is None
    fetch.web.fail("openreview", *["502"] * 9)
    lost = fetch("reviews", "openreview:iclrForum1", "--revisions", "--cache-namespace", "x")
    assert lost.status != 0 and {each["kind"] for each in lost.records[0]["errors"]} == {"provider"}
    fetch.web.faults.clear()
    served: list[str | None] = [None]
    fetch.web.take_fault = lambda service: served.pop() if served else "502"  # type: ignore[method-assign]
    lost = fetch("reviews", "openreview:iclrForum1", "--cache-namespace", "y")
    assert lost.records[0]["errors"][0]["kind"] == "provider", "without its form a review might be read in another way"
    fetch.web.take_fault = lambda service: None  # type: ignore[method-assign]
    lines = {"x": ("--venue", "iclr", "--year", "2024"), "y": [f"openreview:iclrForum{n}" for n in range(1, 5)]}
    given = jsonl(*({"id": f"iclrForum{n}", "ids": {"openreview": f"iclrForum{n}"}} for n in range(1, 5)))
    for name, line in {**lines, "z": ("-", *lines["x"])}.items():
        more = {"input": given} if name == "z" else {}
        fetch.web.broken = r"notes/edits\?note.id=iclrForum2"
        lost = fetch("reviews", *line, "--revisions", "--cache-namespace", name, **more)
        assert names(lost.records) == [f"iclrForum{n}" for n in range(1, 5)] and lost.status == 1
        assert lost.records[0]["reviews"] == one["reviews"], "one request that fails costs what was asked for alone"
        kinds = [[each["kind"] for each in record.get("errors", ())] for record in lost.records]
        assert kinds == [[], ["missing-parts"], [], []]
        [review] = lost.records[1]["reviews"]
        assert review["text"] and review["versions"] is None and "502" in review["versions_unknown"]
        Paper.model_validate(lost.records[1])
        fetch.web.broken = None
        n_sent = len(fetch.web.log)
        whole = fetch("reviews", *line, "--revisions", "--cache-namespace", name, **more)
        assert whole.status == 0 and len(fetch.web.log) == n_sent + 1, "what is missing is asked for alone"
    fetch.web.broken = "invitations"
    lost = fetch("reviews", *lines["x"], "--cache-namespace", "x2")
    assert [bool(record.get("errors")) for record in lost.records] == [True, True, False, False], "those with reviews"
    fetch.web.broken = None


def test_the_pdf_that_reviewers_had_is_the_last_public_one_before_the_first_review(fetch, tmp_path):
    line = [
        "source",
        "openreview:iclrForum1",
        "--dir",
        str(tmp_path / "d"),
        "--paper-version",
        "reviewed",
        "--any-licence",
    ]
    [one] = fetch(*line).records
    [file] = one["files"]
    assert file["version"] == "edit_b of 2023-11-11" and "notes/edits/attachment?id=edit_b" in file["url"]
    assert file["path"].endswith("iclrForum1-reviewed.pdf") and b"edit_b" in (tmp_path / "d" / "iclrForum1-reviewed.pdf").read_bytes()  # fmt: skip
    Paper.model_validate(one)
    whys = {"iclrForum2": "no PDF of before", "iclrForum3": "no public review", "neurForum5": "API 1"}
    for name, why in whys.items():
        [none] = fetch(*[line[0], f"openreview:{name}", *line[2:]]).records
        assert "files" not in none and why in none["errors"][0]["reason"], "never the one of now"
    assert fetch(*line, "--replay").records == [one]


@pytest.mark.slow
def test_a_venue_of_many_pages_is_whole_or_told(fetch):
    done = fetch("papers", "--venue", "Big.cc/2024/Conference")
    assert done.status == 0 and names(done.records) == [f"big{n:07d}" for n in range(N_BIG) if n != 7]
    assert "1 paper that not everyone may read" in done.err and len(fetch.web.log) == 3
    for fault in ("502", "html200", "cut", "429 0"):
        fetch.web.take_fault = lambda service, served=[None, fault]: served.pop(0) if served else None  # type: ignore[method-assign]
        assert fetch("papers", "--venue", "Big.cc/2024/Conference", "--refresh").records == done.records or fault == "429 0"  # fmt: skip
    fetch.web.take_fault = lambda service: None  # type: ignore[method-assign]
    fetch.web.big_claims = 40
    short = fetch("papers", "--venue", "Big.cc/2024/Conference", "--cache-namespace", "x")
    assert short.status == 1 and f"{N_BIG} of {N_BIG + 40}" in short.records[-1]["errors"][0]["reason"]


def test_a_sample_is_even_told_and_the_same_in_any_order(fetch):
    line = ("papers", "--venue", "iclr", "--year", "2024")
    assert names(fetch(*line, "--status", "rejected,desk-rejected").records) == ["iclrForum2", "iclrForum4"]
    done = fetch(*line, "--sample", "2", "--stratify", "track", "--seed", "3")
    assert sorted(one["track"] for one in done.records) == ["theory", "vision"]
    assert "theory: 1 of 2" in done.err and "vision: 1 of 2" in done.err
    assert fetch(*line, "--sample", "9").err.count("4 in all, where 9 were wanted") == 1
    big = ("papers", "--venue", "Big.cc/2024/Conference")
    some, more = names(fetch(*big, "--sample", "50").records), names(fetch(*big, "--sample", "100").records)
    assert len(some) == 50 and set(some) < set(more) and some == sorted(some)
    assert set(names(fetch(*big, "--sample", "50", "--seed", "1").records)) != set(some)
    assert fetch(*line, "--status", "odd").status == 2 and fetch("papers", "--status", "rejected", "W90003").status == 2
    assert fetch("papers", "--venue", "iclr", "W90003").status == 2


def test_strata_that_are_short_give_all_and_the_others_the_rest():
    from scholartools.tasks.fetch.venues import Choice, choose

    records = [{"id": f"{kind}{n}", "track": kind} for kind, size in (("a", 2), ("b", 30), ("c", 40)) for n in range(size)]  # fmt: skip
    for wanted in (1, 6, 7, 20, 72, 80):
        kept, told = choose(records, Choice(sample=wanted, strata=("track",)))
        counts = [sum(one["track"] == kind for one in kept) for kind in "abc"]
        assert sum(counts) == min(wanted, 72) and kept == [one for one in records if one in kept]
        full = [count for count, size in zip(counts, (2, 30, 40)) if count < size]
        assert not full or max(full) - min(full) <= 1, "who has more gives no more than one more than another"
        backwards, _ = choose(records[::-1], Choice(sample=wanted, strata=("track",)))
        assert {one["id"] for one in backwards} == {one["id"] for one in kept}
    assert any("fewer than" in line for line in choose(records, Choice(sample=20, strata=("track",)))[1])


def test_papers_of_the_anthology_by_venue_and_by_id(fetch):
    done = fetch("papers", "--venue", "acl", "--year", "2023")
    assert names(done.records) == [f"2023.acl-long.{n}" for n in range(1, 6)] and done.status == 0
    one = done.records[1]
    assert one["title"] == "BERTs & the number 2" and one["authors"] == ["Ada Author2", "Mononym"]
    assert one["abstract"] == "We count to 2." and one["doi"] == "10.18653/v1/2023.acl-long.2" and one["year"] == 2023
    assert one["licence"]["id"] == "CC-BY-4.0" and one["versions"][0]["id"] == "2023.acl-long.2v2"
    assert done.records[2]["status"]["retracted"] is True
    by_id = fetch("papers", "2023.acl-long.2", "P18-1001", "P18-1009", "--source", "acl-anthology")
    assert names(by_id.records) == ["2023.acl-long.2", "P18-1001", "P18-1009"] and by_id.records[2]["errors"]
    assert without(by_id.records[0]) == without(one)
    assert fetch("papers", "--venue", "acl", "--year", "2017").status != 0
    assert fetch("papers", "--venue", "acl").status == 2


def without(record):
    return {key: value for key, value in record.items() if key not in ("provenance", "fetched")}


def test_files_come_by_licence_and_by_what_they_are(fetch, tmp_path):
    folder = tmp_path / "d"
    lines = [f"2401.0000{n}" for n in (1, 2, 3, 4, 5, 8, 9)]
    done = fetch("source", *lines, "--dir", str(folder))
    kinds = {one["id"]: (one.get("files") or [{}])[0].get("path", one.get("errors", [{}])[0].get("kind")) for one in done.records}  # fmt: skip
    assert kinds == {
        "2401.00001": f"{folder}/2401.00001.tar.gz", "2401.00002": "licence", "2401.00003": f"{folder}/2401.00003.gz",
        "2401.00004": f"{folder}/2401.00004.pdf", "2401.00005": "licence", "2401.00008": "licence",
        "2401.00009": "missing",
    }  # fmt: skip
    assert done.status == 1 and not list(folder.glob("*.part*"))
    listed = [json.loads(line) for line in (folder / "LICENCES.jsonl").read_text().splitlines()]
    assert {one["path"]: one["licence"] for one in listed} == {
        f"{folder}/2401.00001.tar.gz": "CC-BY-4.0", f"{folder}/2401.00003.gz": "CC0-1.0",
        f"{folder}/2401.00004.pdf": "CC-BY-NC-ND-4.0",
    }  # fmt: skip
    own = fetch("source", *lines, "--dir", str(folder), "--any-licence", "--kind", "latex")
    assert [bool(one.get("files")) for one in own.records] == [True, True, True, False, False, False, False]
    told = [one["errors"][0]["reason"] for one in own.records[3:6]]
    assert "has no latex, but pdf" in told[0] and "postscript" in told[1] and "withdrawn" in told[2]
    assert tarfile.open(folder / "2401.00001.tar.gz").getnames() == ["main.tex"]
    n_sent = len(fetch.web.log)
    assert fetch("source", *lines, "--dir", str(folder), "--any-licence", "--kind", "latex").out == own.out
    assert len(fetch.web.log) == n_sent, "nothing that was answered is asked again"
    first = fetch("source", "2401.00001", "--dir", str(folder), "--paper-version", "first").records[0]["files"][0]
    assert (first["version"], first["path"]) == ("2401.00001v1", f"{folder}/2401.00001v1.tar.gz")
    assert fetch("source", "2401.00001", "--dir", str(folder), "--paper-version", "v7").records[0]["errors"]
    assert fetch("source", "2401.00001").status == 2
    assert fetch("source", "2401.00001", "--dir", str(folder), "--kind", "word").status == 2


def test_a_replay_needs_the_file_with_its_bytes(fetch, tmp_path):
    folder = tmp_path / "d"
    line = ("source", "2401.00001", "--dir", str(folder))
    done = fetch(*line)
    assert fetch(*line, "--replay").out == done.out
    path = folder / "2401.00001.tar.gz"
    data = path.read_bytes()
    path.write_bytes(data[:-1] + b"x")
    changed = fetch(*line, "--replay")
    assert changed.status == 4 and str(path) in changed.err
    path.unlink()
    assert fetch(*line, "--replay").status == 4
    assert fetch(*line).records[0]["files"] == done.records[0]["files"] and path.read_bytes() == data


@pytest.mark.parametrize("encoding", [None, "gzip", "x-gzip"])
def test_one_file_has_one_hash_however_it_is_sent(fetch, tmp_path, encoding):
    fetch.web.encoding = encoding
    done = fetch("source", "2401.00001", "2401.00003", "2401.00004", "--dir", str(tmp_path / "d"))
    sizes = [one["files"][0]["bytes"] for one in done.records]
    hashes = [one["files"][0]["sha256"] for one in done.records]
    fetch.web.encoding = None
    plain = fetch("source", "2401.00001", "2401.00003", "2401.00004", "--dir", str(tmp_path / "e"), "--cache-namespace", "x")  # fmt: skip
    assert hashes == [one["files"][0]["sha256"] for one in plain.records] and sizes == [one["files"][0]["bytes"] for one in plain.records]  # fmt: skip


@pytest.mark.parametrize("fault", ["html200", "empty", "cut", "short", "502", "drop", "huge", "endless 300"])
def test_a_file_that_is_not_whole_is_no_file(fetch, tmp_path, fault):
    folder = tmp_path / "d"
    line = ("source", "2401.00001", "--dir", str(folder), "--max-bytes", "1000000")
    fetch("papers", "2401.00001")  # the second request of the next run is that for the file
    fetch.web.take_fault = lambda service, served=[None, *[fault] * 9]: served.pop(0) if served else None  # type: ignore[method-assign]
    done = fetch(*line)
    assert done.status in (1, 4) and not any("files" in one for one in done.records), done.err
    kinds = {error["kind"] for one in done.records for error in one.get("errors", ())}
    assert kinds <= {"provider", "no-file"} and list(folder.iterdir()) == []
    assert fetch.web.n_megabytes < 20, "what is larger than it may be is not read to its end"
    fetch.web.take_fault = lambda service: None  # type: ignore[method-assign]
    assert fetch(*line).status == 0 and len(list(folder.glob("*.gz"))) == 1


@pytest.mark.parametrize("where", ["file", "json"])
def test_what_is_small_and_unpacks_to_much_is_refused(tmp_path, monkeypatch, where):
    """A file is looked at to a bound, a list is unpacked to one; neither is held in memory or written unpacked."""
    import asyncio

    from scholartools.errors import ScholartoolsError
    from scholartools.web import files, sender
    from scholartools.web.files import Sink
    from scholartools.web.request import Ask, Lane, Service
    from scholartools.web.settings import WebSettings

    monkeypatch.setattr(files, "LARGEST_FILE", 20_000_000)
    monkeypatch.setattr(sender, "_LARGEST", 20_000_000)
    bomb = gzip.compress(b"%PDF-" + b" " * 50_000_000)

    async def ask(web):
        service = Service("toy", {"": "https://toy.example"}, {"": Lane("toy", 0.0)})
        web.extra = lambda *_: (200, "application/octet-stream", bomb)
        web.encoding = "gzip"
        sending = sender.Sender(WebSettings(base=web.base))
        sink = Sink(tmp_path, "x", {"pdf"}) if where == "file" else None
        try:
            return await sending.send(service, Ask("toy", "/x", accept=where), sink=sink)
        finally:
            await sending.close()

    with serving() as web:
        if where == "file":
            assert json.loads(asyncio.run(ask(web))[2])["kind"] == "other"
        else:
            web.extra = None
            with pytest.raises(ScholartoolsError, match="20 MB"):
                asyncio.run(ask(web))
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 1_000_000


def test_two_runs_that_write_one_file_leave_each_other_alone(tmp_path, monkeypatch):
    """One that comes too early removes nothing of the other's; one that comes as the other is done keeps its own."""
    import os

    from scholartools.errors import OutputFault
    from scholartools.web.files import Sink

    first, early, next_one = (Sink(tmp_path, "x", {"pdf"}) for _ in range(3))
    first.open()
    first.write(b"%PDF-1.4 one %%EOF")
    with pytest.raises(OutputFault, match="another run is writing it"):
        early.open()
    early.discard()
    facts = first.finish("")
    replace = os.replace

    def replace_and_begin(source, target):
        replace(source, target)
        monkeypatch.setattr(os, "replace", replace)
        next_one.open()
        next_one.write(b"%PDF-1.4 another %%EOF")

    monkeypatch.setattr(os, "replace", replace_and_begin)
    first.name_it(facts)
    assert (tmp_path / "x.pdf").read_bytes() == b"%PDF-1.4 one %%EOF"
    next_one.name_it(next_one.finish(""))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"x.pdf": b"%PDF-1.4 another %%EOF"}


def test_a_file_without_end_is_not_read_on(fetch, tmp_path, monkeypatch):
    """Where no option says how many bytes may come, as where one does."""
    import asyncio

    from scholartools.errors import ScholartoolsError
    from scholartools.web import sender
    from scholartools.web.files import Sink
    from scholartools.web.request import Ask, Lane, Service
    from scholartools.web.settings import WebSettings

    monkeypatch.setattr(sender, "LARGEST_FILE", 3_000_000)
    service, sink = Service("toy", {"": "https://toy.example"}, {"": Lane("toy", 0.0)}), Sink(tmp_path, "x", {"pdf"})
    fetch.web.fail("toy", "endless 300")

    async def ask():
        sending = sender.Sender(WebSettings(base=fetch.web.base))
        try:
            return await sending.send(service, Ask("toy", "/x", accept="file"), sink=sink)
        finally:
            await sending.close()

    with pytest.raises(ScholartoolsError, match="a file of more than 3 MB"):
        asyncio.run(ask())
    sink.discard()
    assert fetch.web.n_megabytes < 20 and list(tmp_path.iterdir()) == []


def test_fetched_files_are_parsed_with_what_is_known_of_them(fetch, tmp_path):
    given = [{"id": f"2401.0000{n}", "title": f"Known {n}", "year": 2024, "reviews": [{"id": "r1", "text": "Weak."}],
              "relation": "cited-in", "related_to": "x", "doi": None} for n in (1, 2, 3)]  # fmt: skip
    fetched = fetch("source", "--dir", str(tmp_path / "d"), input=jsonl(*given))
    listed = tmp_path / "fetched.jsonl"
    listed.write_bytes(fetched.out)
    done = st("st-parse", "--fetched", str(listed))
    assert names(done.records) == ["2401.00001", "2401.00002", "2401.00003"] and done.status == 1
    one = done.records[0]
    assert one["title"] == "Known 1" and one["reviews"] and one["relation"] == "cited-in" and one["sections"]
    assert [step["command"] for step in one["provenance"]] == ["st-fetch", "st-parse"] and len(one["equations"]) == 1
    assert done.records[1]["errors"] and "sections" not in done.records[1]
    changed = [{**record, "files": [{**record["files"][0], "sha256": "0" * 64}]} for record in fetched.records[:1]]
    listed.write_bytes(jsonl(*changed))
    assert "not the file that was fetched" in st("st-parse", "--fetched", str(listed)).err
    assert st("st-parse", "--fetched", str(listed), str(listed)).status == 2


def test_pdfs_of_forums_and_of_the_anthology(fetch, tmp_path):
    done = fetch("source", "openreview:iclrForum1", "openreview:neurForum5", "2023.acl-long.1", "2023.acl-long.4", "--dir", str(tmp_path / "d"))  # fmt: skip
    assert [bool(one.get("files")) for one in done.records] == [True, False, True, True]
    assert done.records[1]["errors"][0]["kind"] == "licence", "no licence is stated: none is assumed"
    assert "warnings" not in done.records[2] and done.records[3]["warnings"][0]["kind"] == "checksum"
    old = fetch("source", "openreview:neurForum5", "--dir", str(tmp_path / "d"), "--any-licence")
    assert old.status == 0 and "api.openreview.net" in old.records[0]["files"][0]["url"]


@pytest.mark.parametrize("how", ["challenge", "token", "mfa", "expired", "renewed"])
def test_who_asks_openreview(fetch, how):
    account = {"OPENREVIEW_USERNAME": "marked-user@example.org", "OPENREVIEW_PASSWORD": "marked-password-123"}
    env = {"token": {"OPENREVIEW_TOKEN": "marked-token-0123456789"}}.get(how, {} if how == "challenge" else account)
    fetch.web.challenge, fetch.web.tokens = True, {"Bearer marked-token-0123456789"}
    fetch.web.logins = {"expired": ["marked-token-aaaaaaaaaa"], "renewed": ["marked-token-aaaaaaaaaa", "marked-token-bbbbbbbbbb"]}.get(how, [])  # fmt: skip
    if how in ("expired", "renewed"):
        fetch.web.fail("openreview", *(["401-after"] if how == "renewed" else []))
    done = fetch("reviews", "--venue", "iclr", "--year", "2024", env=env)
    if how in ("token", "renewed", "expired"):
        assert done.status == 0, done.err
    else:
        assert done.status == 4 and done.err.count("\n") <= 2
        assert "OPENREVIEW_TOKEN" in done.err and "OPENREVIEW_PASSWORD" in done.err
        return
    replay = fetch("reviews", "--venue", "iclr", "--year", "2024", "--replay")
    assert replay.out == done.out, "a replay needs no account"
    written = b"".join([done.out, done.err.encode(), *(path.read_bytes() for path in fetch.home.rglob("*") if path.is_file())])  # fmt: skip
    assert not re.search(rb"marked-(token|password|user)", written)
    assert fetch("reviews", "--venue", "iclr", "--year", "2024").status == 4, (
        "others see less: not taken from an account"
    )


def test_merge_makes_one_record_of_the_copies_of_services(fetch):
    of_arxiv = fetch("papers", "2401.00003", "--source", "arxiv").records
    of_openalex = fetch("papers", "W90003", "W90004", "--source", "openalex").records
    done = fetch("merge", input=jsonl(*of_arxiv, *of_openalex, {"id": "x", "errors": 1}) + b"{bad\n")
    assert [one.get("id") for one in done.records][:2] == ["2401.00003", "W90004"] and done.status == 1
    assert "3 records of 2 papers" in done.err or "4 records of 3 papers" in done.err
    one = done.records[0]
    assert {step["source"] for step in one["fetched"]} == {"arxiv", "openalex"} and one["same_as"] == ["W90003"]
    assert one["venue"] == "Journal of Numbers" and one["ids"]["doi"] == "10.5555/work.3"
    Paper.model_validate(one)


def test_titles_are_matched_or_left_with_the_reason(fetch):
    """A search engine always has something: it is taken only where it is the paper for sure."""
    wanted = [
        {"id": "a", "title": "ON THE NUMBER 8 & ITS COUSINS.", "authors": ["Author8, Ada"], "year": 2008},
        {"id": "b", "title": "On the Number 8 & its Neighbours", "authors": ["Ada Author8"], "year": 2008},
        {"id": "c", "title": "Nothing of the sort 8", "year": 2008},
        {"id": "d", "title": "On the Number 11 & its Neighbours II", "year": 2011},
    ]
    for source in ("crossref", "arxiv", "openalex", "semantic-scholar"):
        done = fetch("papers", "--source", source, "--mailto", "a@example.org", input=jsonl(*wanted))
        first, *others = done.records
        assert (first["id"], first["title"], first["matched"]["score"] > 0.85) == ("a", wanted[0]["title"], True)
        assert first["ids"].get("doi") == "10.5555/work.8" or first["ids"]["arxiv"] == "2401.00008"
        assert [one["errors"][0]["kind"] for one in others] == ["unmatched"] * 3 and done.status == 1
        assert all(
            "ids" not in one and one["matched"]["why"] in ("words", "low") and one["matched"]["runner_up"]
            for one in others
        )
        Paper.model_validate(first)
        Paper.model_validate(others[0])
    assert fetch("papers", "--source", "crossref", input=jsonl(*wanted)).status == 2, "Crossref wants an address"
    fetch.web.fail("arxiv", *["502"] * 9)
    lost = fetch("papers", "--source", "arxiv", input=jsonl({"id": "x", "title": "On the Number 12 & its Cousins"}))
    assert lost.status in (1, 3, 4), lost.err
    assert lost.records[0]["errors"][0]["kind"] == "provider"
    assert fetch("references", input=jsonl(wanted[0])).status == 3


def test_works_of_crossref(fetch):
    done = fetch("papers", "10.5555/work.8", "10.5555/work.13", "10.5555/none", "10.5555/a,b", "--source", "crossref", "--mailto", "a@example.org")  # fmt: skip
    one = done.records[0]
    assert (one["title"], one["abstract"], one["year"]) == (
        "On the Number 8 & its Cousins",
        "We study the number 8 . It is the number 8 .",
        2008,
    )
    assert one["authors"] == ["Ada Author8", "Bo Writer"] and one["licence"]["id"] == "CC-BY-4.0"
    assert done.records[1]["status"]["retracted"] and done.records[2]["errors"] and done.records[3]["errors"]


@pytest.mark.slow
def test_a_run_that_is_killed_in_the_midst_of_files_goes_on(fetch, tmp_path):
    """No part of a file stays, and no file that is whole is fetched twice but one that came as the run was killed."""
    folder, draw = tmp_path / "d", random.Random(5)
    listed = [f"2401.{number:05d}" for number in range(1, 41) if number % 10 in (1, 3)]
    line = ["source", *listed, "--dir", str(folder), "--kind", "latex"]
    fetch.web.take_fault = lambda service: "drip"  # type: ignore[method-assign]
    for _ in range(6):
        seen = len(fetch.web.log) + draw.randrange(1, 5)
        running = subprocess.Popen([str(BIN / "st-fetch"), *line], env=environment(**fetch.env), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        while running.poll() is None and len(fetch.web.log) < seen:
            time.sleep(0.01)
        time.sleep(draw.uniform(0, 0.3))
        running.kill()
        running.wait()
    fetch.web.take_fault = lambda service: None  # type: ignore[method-assign]
    done = fetch(*line)
    assert done.status == 0 and len(list(folder.glob("*.gz"))) == len(listed) and not list(folder.glob("*.part*"))
    asked = [one["path"] for one in fetch.web.log]
    assert len(asked) - len(set(asked)) <= 6, "arXiv is asked one thing at a time"
    licences = (folder / "LICENCES.jsonl").read_text().splitlines()
    assert len(licences) == len(set(licences)) == len(listed)
    assert fetch(*line, "--replay").out == done.out
