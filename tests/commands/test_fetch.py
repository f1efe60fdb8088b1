"""st-fetch: from outside, against a server of this machine in the shapes of the services, with all of its faults."""

from __future__ import annotations

import random
import runpy
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from support.run import BIN, ROOT, environment, jsonl, shell, st
from support.web_server import SECRET, WORKS, WebServer, serving

from scholartools.schemas.paper import Paper
from scholartools.tasks.fetch.relations import Bounds


class Fetcher:
    """Runs st-fetch against a server, with a cache of its own."""

    def __init__(self, web: WebServer, home: Path) -> None:
        self.web, self.home = web, home
        self.env = {
            "ST_FETCH_BASE": web.base, "ST_FETCH_PACE": "0.001", "XDG_CACHE_HOME": str(home), "ST_RETRIES": "1",
        }  # fmt: skip

    def __call__(self, *line: str, env: dict[str, str] | None = None, **more: Any) -> Any:
        return st("st-fetch", *line, env={**self.env, **(env or {})}, **more)


@pytest.fixture
def fetch(tmp_path):
    with serving() as web:
        yield Fetcher(web, tmp_path / "home")


def names(records: list[dict]) -> list[str]:
    return [one["id"] for one in records]


def without_place(record: dict) -> dict:
    """A record without what says in which answers it came: the key of its form is one of these."""
    kept = {key: value for key, value in record.items() if key not in ("provenance", "fetched")}
    return kept | ({"forum": {**record["forum"], "form": bool(record["forum"]["form"])}} if "forum" in record else {})


def test_papers_of_three_sources_are_what_was_invented(fetch):
    done = fetch(
        "papers", "2401.00003", "10.5555/work.8", "W90014", f"{21:040x}", "https://arxiv.org/pdf/2401.00017v1.pdf"
    )
    assert done.status == 1 and [one["fetched"][0]["source"] for one in done.records[:4]] == [
        "arxiv", "openalex", "openalex", "semantic-scholar",
    ]  # fmt: skip
    for number, made in zip((3, 8, 14, 21), done.records):
        one = WORKS[number]
        assert (made["title"], made["authors"], made["year"]) == (one.title, one.authors, one.year)
        Paper.model_validate(made)
        abstract = one.abstract or ("An abstract." if number == 3 else None)
        assert made["abstract"] == abstract and (abstract is not None or made["unknown"]["abstract"])
    assert names(done.records[:4]) == ["2401.00003", "W90008", "W90014", "2401.00021"]
    # Version 1 was asked for, and the service gave another one: it is not taken for it.
    assert done.records[4]["errors"][0]["kind"] == "missing"
    [withdrawn] = fetch("papers", "2401.00017").records
    assert withdrawn["status"]["withdrawn"] is True
    [retracted] = fetch("papers", "W90013").records
    assert retracted["status"]["retracted"] is True


# Of each source that is asked by name: ids that it knows, one that it does not, and what it says of the first.
NAMED = {
    "europe-pmc": (["PMC8008", "PMID:7009", "10.5555/work.14"], "PMC9999999", {"title": WORKS[8].title, "venue": "PeerJ", "authors": ["Ada Author8", "The Counters"], "date": "2008-05-06", "licence": ("cc by-nc", None)}),
    "unpaywall": (["10.5555/work.8", "10.5555/work.9"], "10.5555/none", {"title": WORKS[8].title, "authors": ["Ada Author8", "Bo Writer"], "year": 2008, "licence": ("cc-by", None)}),
    "dblp": (["dblp:conf/num/Author8"], "dblp:conf/num/Nobody", {"title": f"{WORKS[8].title} k", "authors": ["Ada Author8", "Bo Writer"], "venue": "NUM", "doi": "10.5555/work.8", "licence": (None, "CC0-1.0")}),
    "biorxiv": (["10.1101/2020.01.01.8", "10.1101/2020.01.01.108"], "10.1101/2020.01.01.999", {"title": "On Cells 8", "authors": ["A. Author", "Bo Writer"], "date": "2020-01-01", "same_as": ["10.5555_work.8"], "licence": ("cc_by", None)}),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("source", NAMED)
def test_sources_that_are_asked_by_name(fetch, source):
    known, unknown, wanted = NAMED[source]
    line = ["papers", *known, unknown, "--source", source, "--mailto", "marked@example.org"]
    done = fetch(*line)
    assert done.status == 1 and [bool(one.get("errors")) for one in done.records] == [False] * len(known) + [True]
    assert done.records[-1]["errors"][0]["kind"] == "missing"
    first = done.records[0]
    said = {**first, "licence": (first["licence"].get("said"), first["licence"]["id"])}
    assert {key: said[key] for key in wanted} == wanted
    for one in done.records:
        Paper.model_validate(one)
    written = b"".join(path.read_bytes() for path in fetch.home.rglob("*") if path.is_file()) + done.out
    assert b"marked@example.org" not in written, "the mail address is in no stored request"
    n_sent = len(fetch.web.log)
    assert fetch(*line, "--replay").out == done.out and len(fetch.web.log) == n_sent
    for fault in ("502", "html200", "cut", "null", "other-shape", "429 0"):
        fetch.web.fail(source, fault)
        again = fetch(*line, "--cache-namespace", fault)
        assert [without_place(one) for one in again.records[:-1]] == [without_place(one) for one in done.records[:-1]]
    fetch.web.fail(source, *["html200"] * 40)
    lost = fetch(*line, "--cache-namespace", "lost")
    assert {one["errors"][0]["kind"] for one in lost.records} <= {"provider"}
    fetch.web.faults.clear()
    fetch.web.log.clear()
    assert fetch("papers", "10.5555/none", "--mailto", "a@example.org").status == 1
    assert source not in {one["service"] for one in fetch.web.log}, "only by name"


def test_jats_of_europe_pmc_and_what_its_licence_allows(fetch, tmp_path):
    line = [
        "source",
        "PMC8006",
        "PMC8008",
        "PMID:7009",
        "--source",
        "europe-pmc",
        "--kind",
        "jats",
        "--dir",
        str(tmp_path),
    ]
    done = fetch(*line)
    kinds = [one["errors"][0]["kind"] if one.get("errors") else one["files"][0]["kind"] for one in done.records]
    assert kinds == ["jats", "jats", "no-file"] and done.records[0]["files"][0]["path"].endswith("PMC8006.xml")
    (tmp_path / "f.jsonl").write_bytes(jsonl(done.records[0]))
    parsed = st("st-parse", "--fetched", tmp_path / "f.jsonl").records[0]
    assert parsed["title"] == WORKS[6].title and "We count to 6." in parsed["sections"][0]["text"]


def test_titles_are_found_by_the_words_of_dblp_and_europe_pmc(fetch):
    for source in ("dblp", "europe-pmc"):
        wanted = {"id": "a", "title": WORKS[8].title, "authors": ["Ada Author8"], "year": WORKS[8].year}
        done = fetch("papers", "--source", source, input=jsonl(wanted, {**wanted, "title": f"{WORKS[8].title} II"}))
        assert [bool(one.get("errors")) for one in done.records] == [False, True], done.records
        again = fetch("papers", "--source", "openalex", input=jsonl(done.records[0]))
        assert again.status == 0, "the ids of one source are read by the next"


def test_every_item_is_found_or_missing_in_the_order_of_the_input(fetch):
    draw = random.Random(0)
    numbers = [draw.randrange(1, 2400) for _ in range(230)]
    words = [draw.choice((f"2401.{number:05d}", f"W{90_000 + number}")) for number in numbers]
    Path(fetch.home.parent / "ids.txt").write_text("\n".join(words))
    done = fetch("papers", "--ids", str(fetch.home.parent / "ids.txt"), "--source", "openalex")
    assert done.status == 1 and len(done.records) == len(words)
    for number, word, made in zip(numbers, words, done.records):
        # A work that was published has the DOI of its publisher there, and is not found by its number at arXiv.
        known = number in WORKS and (word.startswith("W") or WORKS[number].doi is None)
        assert known == ("errors" not in made), made
        if known:
            assert made["title"] == WORKS[number].title
        else:
            assert made["errors"][0]["kind"] == "missing"
    n_calls = len(fetch.web.sent("openalex"))
    again = fetch("papers", "--ids", str(fetch.home.parent / "ids.txt"), "--source", "openalex")
    assert again.out == done.out and len(fetch.web.sent("openalex")) == n_calls
    replay = fetch("papers", "--ids", str(fetch.home.parent / "ids.txt"), "--source", "openalex", "--replay")
    assert replay.out == done.out and len(fetch.web.sent("openalex")) == n_calls


def test_a_merged_work_is_followed(fetch):
    fetch.web.fail("openalex", "moved")
    assert names(fetch("papers", "W90003").records) == ["W90003"]


@pytest.mark.parametrize("source", ["openalex", "semantic-scholar"])
def test_references_are_all_of_them_in_order(fetch, source):
    done = fetch("references", "10.5555/work.39", "--source", source)
    assert done.status == 0, done.err
    titles = [one["title"] for one in done.records]
    assert titles == [WORKS[number].title for number in WORKS[39].references] and len(titles) == 39
    assert {(one["relation"], one["related_to"]) for one in done.records} == {("cited-in", "10.5555_work.39")}
    assert done.records[0]["provenance"][0]["counts"] == {"taken": 39, "of": 39}
    if source == "semantic-scholar":
        assert done.records[0]["tie"]["contexts"] == ["see 40"]


def test_citations_are_cut_by_the_limit_and_counted(fetch):
    every = [one for one in WORKS.values() if 77 in one.references]
    for source in ("openalex", "semantic-scholar"):
        done = fetch("citations", "10.5555/work.77", "--limit", "4", "--source", source)
        assert [one["title"] for one in done.records] == [one.title for one in every[:4]]
        assert done.records[0]["provenance"][0]["counts"] == {"taken": 4, "of": len(every)}
        assert done.records[0]["relation"] == "cited-by"


def test_what_is_later_than_the_reviews_is_left_out_and_told(fetch):
    """The work of a number is of 2000 + number % 25, the 6th of May; number 13 is retracted."""
    whole = fetch("citations", "W90014", "--source", "openalex").records
    days = {one["id"]: one["date"] for one in whole}
    bound = sorted(days.values())[len(days) // 2]
    record = {"id": "seed", "ids": {"openalex": "W90014"}, "reviews": [{"text": "a", "date": "2030-01-01"}, {"text": "b", "date": bound}]}  # fmt: skip
    for line, data in ((["W90014", "--before", bound], b""), (["--before", "review"], jsonl(record))):
        done = fetch("citations", *line, "--source", "openalex", input=data)
        assert names(done.records) == [name for name, day in days.items() if day < bound] and done.status == 0
        n_later = len(days) - len(done.records)
        assert n_later and f"{n_later} later" in done.err
        assert done.records[0]["provenance"][0]["counts"]["later"] == n_later
    assert "retracted" not in fetch("references", "W90012", "--source", "openalex").err
    kept = fetch("references", "W90012", "--source", "openalex", "--drop-retracted")
    assert "W90013" not in names(kept.records) and len(kept.records) == 11 and "1 retracted" in kept.err
    assert kept.records[0]["provenance"][0]["signature"] != whole[0]["provenance"][0]["signature"]
    no_reviews = fetch("citations", "W90014", "--source", "openalex", "--before", "review")
    assert no_reviews.status in (1, 3) and no_reviews.records[0]["errors"][0]["kind"] == "missing-key"
    assert fetch("citations", "W90014", "--before", "2024").status == 2


def test_a_sample_of_a_list_is_even_told_and_the_same_again(fetch):
    """Citing works of number 14 are of several years: as many of each, of what --limit and --before leave."""
    line = ("citations", "W90014", "--source", "openalex")
    whole = fetch(*line).records
    days = {one["id"]: one["date"] for one in whole}
    done = fetch(*line, "--sample", "3", "--stratify", "year", "--seed", "4")
    assert len(done.records) == 3 and len({one["year"] for one in done.records}) == 3
    assert names(done.records) == [name for name in days if name in names(done.records)], "in the order of the list"
    counts = done.records[0]["provenance"][0]["counts"]
    assert counts == {"taken": 3, "of": len(whole), "undrawn": len(whole) - 3} and "1 of 1" in done.err
    assert fetch(*line, "--sample", "3", "--stratify", "year", "--seed", "4").out == done.out
    assert done.records[0]["provenance"][0]["signature"] != whole[0]["provenance"][0]["signature"]
    bound = sorted(days.values())[len(days) // 2]
    early = fetch(*line, "--sample", "2", "--before", bound).records
    assert len(early) == 2 and all(one["date"] < bound for one in early)
    assert "where 99 were wanted" in fetch(*line, "--sample", "99").err
    assert fetch(*line, "--stratify", "year").status == 2


@pytest.mark.parametrize(
    ("said", "bound", "why"),
    [({"year": 2020}, "2020-05-01", "undated"), ({"year": 2020}, "2021-01-01", None), ({"year": 2021}, "2020-12-31", "later"),
     ({"date": "2020-05-01"}, "2020-05-01", "later"), ({"date": "2020-04-30"}, "2020-05-01", None), ({}, "2020-05-01", "undated"),
     ({"date": "2020-05"}, "2020-05-20", "undated"), ({"date": "2020-04"}, "2020-05-20", None)],
)  # fmt: skip
def test_a_day_that_is_not_known_is_no_earlier_one(said, bound, why):
    assert Bounds(bound).why_not(said) == why


def test_similar_says_by_which_meaning(fetch):
    openalex = fetch("similar", "10.5555/work.77", "--source", "openalex").records
    assert [one["title"] for one in openalex] == [WORKS[number].title for number in (30, 28, 29)]
    scholar = fetch("similar", "10.5555/work.77", "--source", "semantic-scholar", "--limit", "5").records
    assert [one["title"] for one in scholar] == [WORKS[number].title for number in range(78, 83)]
    assert openalex[0]["tie"]["by"] != scholar[0]["tie"]["by"]


def test_a_list_that_ends_early_is_told(fetch):
    """Semantic Scholar answers an empty list beyond some number of references, with status 200."""
    fetch.web.s2_claims[2], fetch.web.short_tail = 1033, 1000
    done = fetch("references", "10.5555/work.2", "--source", "semantic-scholar")
    assert done.status == 1 and len(done.records) == 1001
    assert done.records[-1]["errors"][0]["kind"] == "missing-parts"
    assert "1000 of 1033" in done.records[-1]["errors"][0]["reason"] and "1000 of 1033" in done.err


def test_a_reference_without_an_id_stays(fetch):
    fetch.web.unlinked = {41, 42}
    done = fetch("references", "10.5555/work.39", "--source", "semantic-scholar")
    lonely = [one for one in done.records if "unmatched" in one]
    assert [one["title"] for one in lonely] == [WORKS[41].title, WORKS[42].title] and len(done.records) == 39
    assert all(one["matched"] is None and one["ids"] == {} for one in lonely)


# Faults of one answer, after which the next is as it should be.
PASSING = (
    "500", "502", "503", "html200", "empty", "cut", "cut-gzip", "short", "drop", "other-shape", "null", "429 0", "429-date 0",
    "429-reset 0", "429", "moved",
)  # fmt: skip
LINES = {
    "openalex": ("citations", "10.5555/work.77", "--source", "openalex"),
    "semantic-scholar": ("references", "10.5555/work.39", "--source", "semantic-scholar"),
    "arxiv": ("papers", "2401.00003", "2401.00004"),
    "openreview": ("reviews", "openreview:iclrForum1"),
    "acl-anthology": ("papers", "--venue", "acl", "--year", "2023"),
}
EVERY = [(source, fault) for source in list(LINES)[:3] for fault in PASSING]
# The engine is the same: of the others those faults that their own readers see.
EVERY += [(source, fault) for source in list(LINES)[3:] for fault in ("html200", "cut", "other-shape", "null")]


@pytest.mark.parametrize(("source", "fault"), EVERY)
def test_a_passing_fault_changes_nothing(fetch, source, fault):
    fetch.web.fail(source, fault)
    once = fetch(*LINES[source], "--cache-namespace", "a")
    assert once.status == 0, once.err
    whole = fetch(*LINES[source], "--cache-namespace", "b")
    assert [without_place(one) for one in once.records] == [without_place(one) for one in whole.records] != []


@pytest.mark.parametrize("source", LINES)
@pytest.mark.parametrize("fault", ["502", "html200", "other-shape"])
def test_a_lasting_fault_is_never_taken_for_nothing(fetch, source, fault):
    fetch.web.fail(source, *[fault] * 40)
    done = fetch(*LINES[source])
    assert done.status in (1, 4), done.err
    kinds = {entry["kind"] for one in done.records for entry in one.get("errors", ())}
    assert "missing" not in kinds and not [one for one in done.records if one.get("title")]
    assert done.status == 4 or kinds == {"provider"}
    fetch.web.faults.clear()
    assert fetch(*LINES[source]).status == 0, "what was wrong is not served afterwards"


def test_an_answer_fails_in_the_middle_of_a_list(fetch):
    """Pages come one after another: whichever breaks off, the list is not taken for whole."""
    for place in range(3):
        fetch.web.faults["semantic-scholar"] = []
        line = [*LINES["semantic-scholar"], "--cache-namespace", str(place), "--retries", "0"]
        served: list[str | None] = [None] * place + ["502"]
        fetch.web.take_fault = lambda service, served=served: served.pop(0) if served else None  # type: ignore[method-assign]
        done = fetch(*line)
        assert done.status == 1 and done.records[-1]["errors"], (place, done.err)


def test_an_empty_first_page_of_arxiv_is_asked_for_again(fetch):
    fetch.web.fail("arxiv", "no-entries", "no-entries")
    assert names(fetch("papers", "2401.00003").records) == ["2401.00003"]
    fetch.web.fail("arxiv", *["no-entries"] * 3)
    assert fetch("papers", "2401.00004", "--source", "arxiv").records[0]["errors"][0]["kind"] == "missing"
    fetch.web.fail("arxiv", *["error-entry"] * 3)
    assert fetch("papers", "2401.00005", "--source", "arxiv").records[0]["errors"][0]["kind"] == "provider"


@pytest.mark.parametrize(
    ("fault", "said"),
    [("401", "OPENALEX_API_KEY"), ("403", "OPENALEX_API_KEY"), ("403-challenge", "challenge"), ("429 3000", "until"),
     ("429-date 3000", "until"), ("429-reset 3000", "until"), ("elsewhere", "redirects")],
)  # fmt: skip
def test_what_ends_a_run_ends_it_soon(fetch, fault, said):
    fetch.web.fail("openalex", *[fault] * 9)
    done = fetch("papers", "W90003", "W90004")
    assert done.status == 4 and said in done.err
    assert done.out == b"" and SECRET not in done.err
    assert len(fetch.web.log) == 1


def test_a_pause_holds_for_the_next_run_too(fetch):
    fetch.web.fail("openalex", "429 3000")
    assert fetch("papers", "W90003").status == 4
    done = fetch("papers", "W90004")
    assert done.status == 4 and "until" in done.err and len(fetch.web.log) == 1
    [status] = [one for one in fetch("status").records if one["source"] == "openalex"]
    assert 2900 < status["limits"][0]["paused"] <= 3000


def test_refusals_without_a_key_name_the_variable(fetch):
    fetch.web.fail("semantic-scholar", *["429"] * 9)
    done = fetch("papers", f"{3:040x}")
    assert done.status == 4 and "SEMANTIC_SCHOLAR_API_KEY" in done.err and len(fetch.web.log) == 5


@pytest.mark.slow
def test_a_pause_is_kept(fetch):
    fetch.web.fail("openalex", "429 2")
    assert fetch("papers", "W90003").status == 0
    first, second = (one["time"] for one in fetch.web.log)
    assert second - first >= 2


def test_no_network_ends_the_run_in_a_line(fetch):
    fetch("status")  # what describes records is imported once
    fetch.web.close()
    begun = time.monotonic()
    done = fetch("papers", "W90003")
    assert done.status == 4 and "cannot connect" in done.err and time.monotonic() - begun < 5
    assert sum("connect" in line for line in done.err.splitlines()) == 1 and len(done.err.splitlines()) <= 2
    assert fetch("papers", "W90003", env={"ST_FETCH_BASE": "http://192.0.2.1"}).status == 2


# What a user may type, and the exit status; {} is a folder.
STATUSES = {
    "papers W90003": 0, "papers W90003 W99999": 1, "papers 10.1/x 2401.1 foo": 2, "source W90003": 2, "papers": 0,
    "references": 0, "papers W90003 --source nobody": 2, "similar W90003 --source arxiv": 2, "nothing W90003": 2,
    "papers --year 2024": 2, "papers --venue nowhere": 2, "papers W90003 --max-calls 0": 4, "papers --ids {}/none": 2,
    "papers W90009 --replay": 4, "citations W90003 --max-cost 0": 4, "source 2401.00001 --dir {}/d --kind word": 2,
    "reviews --venue iclr --year 2024": 4, "papers W90003 --mailto nobody": 2, "papers W90003 --replay --refresh": 2,
}  # fmt: skip


@pytest.mark.parametrize("line", STATUSES)
def test_the_exit_status_of_each_end(fetch, tmp_path, line):
    fetch.web.challenge = True
    done = fetch(*line.format(tmp_path).split())
    assert done.status == STATUSES[line], done.err
    if done.status == 2:
        assert not fetch.web.log and done.out == b"", "usage is looked at before anything is sent"
    if line in ("papers", "references"):  # an empty input is no fault; one in which nothing can be read is
        assert fetch(line, input=b"{bad\n").status == 3
    if "foo" in line:
        assert '"10.1/x" is not an identifier' in done.err
    if done.status == 4:
        assert len(fetch.web.log) <= 1 and len(done.err.splitlines()) <= 3


@pytest.mark.slow
@pytest.mark.parametrize(("end", "status"), [("closed", 141), ("interrupted", 130)])
def test_a_reader_that_goes_away_and_a_person_who_stops(fetch, end, status):
    fetch.web.jitter = 0.4
    line = [str(BIN / "st-fetch"), "citations", *[f"W{90_000 + number}" for number in range(40, 80)], "--limit", "3"]
    running = subprocess.Popen(line, env=environment(**fetch.env), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert running.stdout is not None and running.stderr is not None
    running.stdout.readline()
    if end == "closed":
        running.stdout.close()
    else:
        running.send_signal(signal.SIGINT)
    assert running.wait(timeout=30) == status and b"Traceback" not in running.stderr.read()


def test_help_imports_no_client():
    """What it takes beside a bare click command is measured by `make bench`."""
    traced = [str(BIN / "python"), "-X", "importtime", str(BIN / "st-fetch"), "papers", "--help"]
    done = subprocess.run(traced, capture_output=True, timeout=60, env=environment())
    imported = {line.rpartition(b"|")[2].strip() for line in done.stderr.splitlines()}
    assert done.returncode == 0 and not imported & {b"aiohttp", b"asyncio", b"sqlite3", b"defusedxml", b"rapidfuzz"}


def test_budgets_stop_before_a_request_is_sent(fetch):
    listed = [f"W{90_000 + number}" for number in range(1, 801)]
    done = fetch("papers", *listed, "--max-cost", "0.0005")
    assert done.status == 4 and len(fetch.web.log) == 5 and "max-cost" in done.err
    assert fetch("papers", *listed, "--max-calls", "1").status == 4 and len(fetch.web.log) == 6
    assert fetch("papers", *listed).status == 0 and len(fetch.web.log) == 8, "what was answered is not asked again"
    assert fetch("citations", "W90001", "--max-cost", "0").status == 4
    large = fetch("papers", "W90900", "--max-bytes", "100")
    assert large.status in (1, 4) and "max-bytes" in large.err


def test_a_dry_run_says_what_a_run_sends(fetch):
    listed = [f"W{90_000 + number}" for number in range(1, 251)] + ["2401.00003"]
    rows = {row["lane"]: row for row in fetch("papers", *listed, "--dry-run").records}
    assert not fetch.web.log
    assert fetch("papers", *listed).status == 0
    for lane, row in rows.items():
        assert row["requests"] == len(fetch.web.sent(lane)), lane
    assert rows["openalex"]["usd"] == 0.0003
    after = {row["lane"]: row for row in fetch("papers", *listed, "--dry-run").records}
    assert {lane: (row["requests"], row["cached"]) for lane, row in after.items()} == {
        "arxiv": (0, 1),
        "openalex": (0, 3),
    }


def test_keys_go_to_their_service_and_nowhere_else(fetch, tmp_path):
    keys = {"OPENALEX_API_KEY": SECRET, "SEMANTIC_SCHOLAR_API_KEY": SECRET[::-1]}
    fetch.web.fail("openalex", "echo")
    done = fetch("papers", "W90003", f"{4:040x}", "2401.00005", "--mailto", "marked@example.org", env=keys)
    assert done.status == 0, done.err
    seen = {one["service"]: one["key"] for one in fetch.web.log}
    assert seen == {"openalex": f"Bearer {SECRET}", "semantic-scholar": SECRET[::-1], "arxiv": None}
    assert all("marked@example.org" in one["agent"] for one in fetch.web.log)
    status = fetch("status", env=keys)
    written = [
        done.out,
        done.err.encode(),
        status.out,
        *(path.read_bytes() for path in fetch.home.rglob("*") if path.is_file()),
    ]
    assert not [text for text in written if SECRET.encode() in text or SECRET[::-1].encode() in text]
    assert b"marked@example.org" not in b"".join(written)
    # A replay needs no key.
    assert fetch("papers", "W90003", f"{4:040x}", "2401.00005", "--replay").out == done.out


def test_records_are_completed_and_pass_through(fetch):
    given = {"id": "mine", "title": "My own title", "doi": "10.5555/work.8", "notes": [1], "year": None}
    [made] = fetch("papers", input=jsonl(given)).records
    assert (made["id"], made["title"], made["notes"]) == ("mine", "My own title", [1])
    assert made["year"] == WORKS[8].year and made["ids"]["openalex"] == "W90008"
    done = fetch("papers", input=jsonl({"id": "no id here"}, {"ids": {"doi": 7}}) + b"{bad\n" + jsonl(given))
    assert (
        done.status == 1
        and len(done.records) == 4
        and [bool(one.get("errors")) for one in done.records] == [True] * 3 + [False]
    )
    assert fetch("papers", input=jsonl({"id": "no id here"})).status == 3
    assert fetch("papers", "W90003", "foo").status == 2
    assert fetch("references", input=jsonl(given)).records[0]["related_to"] == "mine"


@pytest.mark.slow
def test_a_run_that_is_killed_goes_on(fetch, tmp_path):
    """Killed at 20 points over 300 papers: the same bytes in the end, and no answered request twice."""
    listed = tmp_path / "ids.txt"
    listed.write_text("".join(f"W{90_000 + number}\n" for number in range(41, 341)))
    line = [str(BIN / "st-fetch"), "citations", "--ids", str(listed), "--source", "openalex", "--limit", "3"]
    draw = random.Random(1)
    for _ in range(20):
        seen = len(fetch.web.log) + draw.randrange(1, 40)
        running = subprocess.Popen(line, env=environment(**fetch.env), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        while running.poll() is None and len(fetch.web.log) < seen:
            time.sleep(0.005)
        running.kill()
        running.wait()
    done = fetch(*line[1:])
    asked = [one["path"] for one in fetch.web.log]
    # Only what was on its way when it was killed may come twice: at most as many as are in flight at once.
    assert done.status == 0 and len(asked) - len(set(asked)) <= 20 * 4
    assert {one["related_to"] for one in done.records} <= set(listed.read_text().split())
    assert fetch(*line[1:], "--replay").out == done.out
    with serving() as other:
        whole = fetch(*line[1:], "--cache-namespace", "whole", env={"ST_FETCH_BASE": other.base})
        asked = [one["path"] for one in other.log]
        assert len(asked) == len(set(asked))
    assert [without_place(one) for one in whole.records] == [without_place(one) for one in done.records]


@pytest.mark.slow
def test_two_processes_keep_the_least_time_together(fetch):
    """The real times, 1 s for Semantic Scholar and 3 s for arXiv, as the server sees them on a busy machine."""
    env = environment(**{**fetch.env, "ST_FETCH_PACE": "1"})
    lines = [[f"2401.{number:05d}", f"{number + 9:040x}"] for number in (1, 2, 3)]
    running = [
        subprocess.Popen([str(BIN / "st-fetch"), "papers", *words], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for words in lines
    ]  # fmt: skip
    assert [one.wait() for one in running] == [0, 0, 0]
    for service, least in (("arxiv", 3.0), ("semantic-scholar", 1.0)):
        times = sorted(one["time"] for one in fetch.web.sent(service))
        assert len(times) == 3 and min(b - a for a, b in zip(times, times[1:])) >= 0.7 * least, service


@pytest.mark.slow
def test_check_fetch_looks_at_every_source(fetch, tmp_path):
    """The script that asks the real services, here on the server of this machine."""
    from scholartools.sources import SOURCES

    ids = ["2401.00003", "W90005", "10.5555/work.8", f"{3:040x}", "10.5555/work.9", "PMC8008", "dblp:conf/num/Author8"]
    ids += ["10.1101/2020.01.01.8", "2023.acl-long.1", "openreview:iclrForum1"]
    env = {**fetch.env, "ST_MAILTO": "a@example.org", "OPENREVIEW_TOKEN": "t" * 20}
    line = f"{BIN}/python {ROOT}/benchmarks/check_fetch.py"
    done = shell(f"{line} {' '.join(ids)}", env=env)
    told = done.out.decode()
    assert done.status == 0, told + done.err
    for source in SOURCES:
        assert f"ok   {source} limits" in told and f"ok   {source} papers" in told, source
    assert told.count("ok   ") == 2 * len(SOURCES) + 4 and len(fetch.web.log) < 60
    assert f"{len(fetch.web.log)} requests" in told
    module = runpy.run_path(str(ROOT / "benchmarks" / "check_fetch.py"))
    check = module["Check"](tmp_path)
    check.run = lambda *line: (1, [{"id": "x", "errors": [{"kind": "missing"}]}], "1 request sent")
    check.papers("openalex", ("W99999",))
    assert check.failed == 1, "a source that knows nothing of what it should is told"
