"""What st-fetch foretells and promises: requests of a dry run, limits that services tell, order, memory, new sources."""

from __future__ import annotations

import asyncio
import datetime
import itertools
import json
import subprocess
import tracemalloc

import pytest
from click.testing import CliRunner
from support.run import BIN, ROOT, environment, st
from support.web_server import WORKS, serving

from scholartools.sources import SOURCES, Page, Source
from scholartools.sources.base import work
from scholartools.sources.prices import old_prices
from scholartools.web.client import WebClient
from scholartools.web.request import Ask, Lane, Service
from scholartools.web.settings import WebSettings


@pytest.fixture
def web():
    with serving() as server:
        yield server


@pytest.fixture
def env(web, tmp_path):
    return {"ST_FETCH_BASE": web.base, "ST_FETCH_PACE": "0.0001", "XDG_CACHE_HOME": str(tmp_path / "home")}


def openalex_ids(first, last):
    return [one.openalex for number, one in WORKS.items() if first <= number <= last]


JOBS = {
    "papers": ["papers", *openalex_ids(1, 250), "2401.00003"],
    "citations": ["citations", *openalex_ids(10, 14), "--source", "openalex", "--limit", "100"],
    "similar": ["similar", *openalex_ids(1, 5), "--source", "openalex", "--limit", "3"],
    "of-s2": ["citations", "2401.00010", "2401.00011", "--source", "semantic-scholar"],
    "source": ["source", "2401.00001", "2401.00003", "2401.00004", "--kind", "latex", "--dir", "DIR"],
}


@pytest.mark.parametrize("name", JOBS)
def test_a_dry_run_says_what_is_sent_at_least_and_at_most(web, env, tmp_path, name):
    line = [str(tmp_path) if word == "DIR" else word for word in JOBS[name]]
    rows = st("st-fetch", *line, "--dry-run", env=env).records
    assert not web.log and rows
    st("st-fetch", *line, env=env)
    for row in rows:
        sent = len(web.sent(row["lane"]))
        assert row["requests"] <= sent <= row["most"]["requests"] if row["most"] else row["requests"] == sent, row
    assert sum(row["requests"] for row in rows) > 0 and len(web.log) == sum(len(web.sent(row["lane"])) for row in rows)


def test_old_prices_are_said_in_a_dry_run():
    read = datetime.date.fromisoformat("2026-11-01")
    assert old_prices({"openalex", "arxiv"}, read + datetime.timedelta(days=180)) == []
    [line] = old_prices({"openalex"}, read + datetime.timedelta(days=181))
    assert "openalex" in line and "2026-11-01, 181 days ago" in line and "https://" in line
    assert old_prices({"arxiv"}, read + datetime.timedelta(days=999)) == []
    done = st("st-fetch", *JOBS["papers"], "--dry-run")
    assert done.status == 0 and all(one in done.err for one in old_prices({"openalex"}, datetime.date.today()))


# Services, ids, the line, and what it takes: requests at most, USD at most, minutes at most (real pace).
FIGURES = {
    "sources of arXiv": (["2401.{:05d}", 1762], ["source", "--kind", "latex", "--dir", "x"], 2 * 1762, 0.0, 190),
    "PDFs of a venue": (["openreview:Forum{:05d}", 3779], ["source", "--kind", "pdf", "--dir", "x"], 3779, 0.0, 105 * 60),
    "citing papers": (["W{}", 1000], ["citations", "--source", "openalex"], 2000, 0.1, 4),
    "works by id": (["W{}", 20000], ["papers", "--source", "openalex"], 200, 0.02, 1),
    "similar": (["{:040x}", 1000], ["similar", "--source", "semantic-scholar"], 1000, 0.0, 18),
}  # fmt: skip


@pytest.mark.parametrize("name", FIGURES)
def test_the_figures_of_large_collections(tmp_path, name):
    (pattern, n), line, requests, usd, minutes = FIGURES[name]
    listed = tmp_path / "ids.txt"
    listed.write_text("".join(pattern.format(number + 10_000) + "\n" for number in range(n)))
    env = {"XDG_CACHE_HOME": str(tmp_path / "home")}
    rows = st("st-fetch", line[0], "--ids", str(listed), *line[1:], "--dry-run", env=env, cwd=tmp_path).records
    row = max(rows, key=lambda one: one["most"]["seconds"])
    assert (row["most"]["requests"], round(row["most"]["usd"], 4)) == (requests, usd)
    assert minutes * 0.97 - 1 <= row["most"]["seconds"] / 60 <= minutes * 1.03 + 1


def test_five_lists_for_a_twentieth_of_a_cent(web, env):
    done = st("st-fetch", "citations", *openalex_ids(1, 40), "--source", "openalex", "--max-cost", "0.0005", env=env)
    lists = [one for one in web.log if "cites" in one["path"]]
    assert done.status == 4 and len(lists) == 5


@pytest.mark.slow
def test_a_limit_that_a_service_tells_holds_before_ours(web, env):
    web.heads["crossref"] = {"x-rate-limit-limit": "2", "x-rate-limit-interval": "3s"}
    dois = [one.doi for one in WORKS.values() if one.doi][:120]
    assert st("st-fetch", "papers", *dois, "--source", "crossref", "--mailto", "a@example.org", env=env).status == 0
    times = [one["time"] for one in web.sent("crossref")]
    assert len(times) == 3 and min(b - a for a, b in zip(times, times[1:])) >= 1.5


@pytest.mark.slow
def test_status_asks_each_service_once_where_that_is_wanted(web, env):
    assert st("st-fetch", "status", env=env).status == 0 and not web.log
    web.heads["crossref"] = {"x-rate-limit-limit": "50", "x-rate-limit-interval": "1s"}
    told = {one["source"]: one["check"] for one in st("st-fetch", "status", "--check", env=env).records}
    with_contact = {"crossref", "unpaywall"}
    assert {name for name, one in told.items() if one["reached"] is None} == with_contact
    assert all(one["reached"] for name, one in told.items() if name not in with_contact)
    assert sorted(one["service"] for one in web.log) == sorted(set(SOURCES) - with_contact)
    done = st("st-fetch", "status", "--check", "--mailto", "a@example.org", env=env)
    assert done.status == 0 and [one["check"]["differs"] for one in done.records] == [None] * len(SOURCES)
    web.heads["crossref"]["x-rate-limit-interval"] = "100s"
    web.challenge = True
    done = st("st-fetch", "status", "--check", "--mailto", "a@example.org", env=env)
    told = {one["source"]: one["check"] for one in done.records}
    assert done.status == 1 and "2 s" in told["crossref"]["differs"]
    assert told["openreview"]["reached"] is False and "OPENREVIEW_TOKEN" in told["openreview"]["why"]


def test_order_and_bytes_do_not_hang_on_who_answers_first(web, env, tmp_path):
    ids = [
        word
        for number in range(1, 40)
        for word in (f"2401.{number:05d}", f"W{90_100 + number}", f"{number + 300:040x}")
    ]
    web.jitter = 0.05
    runs = [
        st("st-fetch", "papers", *ids, env={**env, "XDG_CACHE_HOME": str(tmp_path / name)}).records for name in "ab"
    ]
    assert runs[0] == runs[1] and len(runs[0]) == len(ids)
    assert all(one["id"] == word or word in one["ids"].values() for one, word in zip(runs[0], ids))
    parts = [st("st-fetch", "papers", *some, env=env).records for some in (ids[:50], ids[50:])]

    def plain(records):  # other lists are other batches: the keys of the answers differ, and nothing else
        return [{**one, "provenance": [{**step, "answers": None} for step in one["provenance"]]} for one in records]

    assert plain(parts[0] + parts[1]) == plain(runs[0])
    line = ["references", "--source", "openalex"]
    whole = st("st-fetch", *line, *ids[1:30:3], env=env).out
    assert whole == st("st-fetch", *line, *ids[1:15:3], env=env).out + st("st-fetch", *line, *ids[16:30:3], env=env).out


def toy(name="toy"):
    """A source as a stranger would write it: works by DOI, one a request; what it knows ends in an even digit."""

    def requests(job):
        return [Ask(name, f"/item/{one.value}", items=(str(one),), label="work") for one in job.ids]

    def read(job, ask, answer):
        if answer.status == 404:
            return Page(missing=dict.fromkeys(ask.items, "toy does not know it"))
        said = json.loads(answer.body)
        return Page(works={ask.items[0]: work(name, {"doi": said["doi"]}, {"title": said["name"], "year": 2020})})

    service = Service(name, {"": "https://toy.example"}, {"": Lane(name, 0.01)})
    return Source(name, service, ("doi",), ("papers",), "a toy", "documented in 2026-11", requests, read)


def answers_of_a_toy(service, path, query, body):
    if service != "toy":
        return None
    if int(path[-1]) % 2:
        return 404, "application/json", b"{}"
    return 200, "application/json", json.dumps({"doi": path[5:], "name": "A toy", "pad": "x" * 200_000}).encode()


def test_a_new_source_is_one_object(web, env, monkeypatch, tmp_path):
    from scholartools.commands.fetch import main

    monkeypatch.setitem(SOURCES, "toy", toy())
    web.extra = answers_of_a_toy
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    line = ["papers", "10.5555/a.2", "10.5555/a.3", "--source", "toy"]
    for more in ([], ["--replay"]):
        done = CliRunner().invoke(main, [*line, *more, "--output", str(tmp_path / "out.jsonl")])
        records = [json.loads(one) for one in (tmp_path / "out.jsonl").read_text().splitlines()]
        assert done.exit_code == 1 and [one.get("title") for one in records] == ["A toy", None], done.output
        assert records[0]["fetched"][0]["source"] == "toy" and records[1]["errors"][0]["kind"] == "missing"
    assert len(web.log) == 2
    assert CliRunner().invoke(main, ["references", "10.5555/a.2", "--source", "toy"]).exit_code == 2
    assert CliRunner().invoke(main, ["status", "--output", str(tmp_path / "status.jsonl")]).exit_code == 0
    assert '"a toy"' in (tmp_path / "status.jsonl").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("refresh", [False, True])
def test_answers_are_not_held_in_memory(web, tmp_path, refresh):
    web.extra = answers_of_a_toy
    source = toy()

    async def run():
        client = WebClient(
            WebSettings(tmp_path / "calls.sqlite", base=web.base, pace=0.0, refresh=refresh),
            {"toy": source.service},
            print,
        )
        sizes = []
        for number in range(0, 240, 2):
            ask = Ask("toy", f"/item/10.5555/a.{number}", label="work")
            answer = await client.ask(ask, verify=lambda one: None)
            assert await client.ask(ask, verify=lambda one: None) == answer, "asked once in a run"
            sizes.append(tracemalloc.get_traced_memory()[0])
        await client.close()
        return sizes

    tracemalloc.start()
    try:
        sizes = asyncio.run(run())
    finally:
        tracemalloc.stop()
    assert len(web.log) == 120 and max(sizes[60:]) - max(sizes[20:60]) < 3_000_000


def test_an_earlier_cache_is_untouched_by_answers(web, env, tmp_path):
    bundle = ROOT / "tests" / "llm" / "earlier" / "bundle.jsonl"
    assert st("st-cache", "import", bundle, env=env, is_described=False).status == 0
    before = st("st-cache", "export", env=env, is_described=False).out
    (path,) = (tmp_path / "home").rglob("calls.sqlite")
    kept = path.read_bytes()
    assert st("st-fetch", "papers", "W90005", env=env).status == 0 and path.read_bytes() == kept
    assert st("st-cache", "export", "--older-than", "0", env=env, is_described=False).out == before
    both = st("st-cache", "export", env=env, is_described=False).records
    assert (
        both[0]["version"] == 3
        and both[0]["answers"] == 1
        and both[0]["calls"] == json.loads(before.split(b"\n")[0])["calls"]
    )


# A service that does not go on from where it was asked to: by service, the line, and what a page says for ever.
FOREVER = {
    "semantic-scholar": (["references", "10.5555/work.39", "--source", "semantic-scholar"], "offset", "next"),
    "openalex": (["citations", "W90077", "--source", "openalex", "--limit", "2000"], "cursor", "next_cursor"),
    "openreview": (["papers", "--venue", "Big.cc/2024/Conference"], "after", None),
}  # fmt: skip


@pytest.mark.parametrize("how", ["same", "growing"])
@pytest.mark.parametrize("name", FOREVER)
def test_pages_that_repeat_end_the_list_and_are_told(web, env, monkeypatch, name, how):
    """The first page again and again, with the same place to go on or one that grows: no loop, and no whole list."""
    line, place, told = FOREVER[name]
    count = itertools.count(1)
    handler = web._server.RequestHandlerClass
    real = handler._answer

    def repeat(self, service, path, query, body):
        is_list = service == name and place in query or service == name == "openreview" and path == "notes"
        if not is_list:
            return real(self, service, path, query, body)
        first = {key: value for key, value in query.items() if key != "after"} | (
            {"offset": "0"} if place == "offset" else {}
        )
        first |= {"cursor": "*", "per_page": "5"} if place == "cursor" else {}
        status, kind, data = real(self, service, path, first, body)
        made = json.loads(data)
        onward = "7" if how == "same" else str(next(count) + 40)
        if told == "next":
            made["next"] = int(onward)
        elif told:
            made["meta"]["next_cursor"] = onward
        return status, kind, json.dumps(made).encode()

    monkeypatch.setattr(handler, "_answer", repeat)
    done = st("st-fetch", *line, env=env)
    assert done.status == 1 and len(web.log) < 12, done.err
    kinds = [one["errors"][0] for one in done.records if one.get("errors")]
    assert kinds and kinds[-1]["kind"] in ("missing-parts", "provider") and "same page again" in kinds[-1]["reason"]
    ids = [one["id"] for one in done.records if not one.get("errors")]
    assert len(ids) == len(set(ids))


@pytest.mark.slow
def test_two_processes_ask_nothing_twice(web, env, tmp_path):
    """Lists, single works and files, asked for at once by three processes that share cache and folder."""
    web.jitter = 0.02
    lines = [["citations", *openalex_ids(10, 30), "--source", "openalex", "--limit", "30"],
             ["source", *(f"2401.{number:05d}" for number in (1, 3, 11, 13)), "--kind", "latex", "--dir", str(tmp_path / "d")]]  # fmt: skip
    for line in lines:
        running = [
            subprocess.Popen([str(BIN / "st-fetch"), *line], env=environment(**env), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(3)
        ]  # fmt: skip
        outs = [one.communicate(timeout=60) for one in running]
        assert [one.returncode for one in running] == [0, 0, 0], outs
        assert outs[0][0] == outs[1][0] == outs[2][0] != b""
    paths = [one["path"] for one in web.log]
    assert len(paths) == len(set(paths))
    licences = (tmp_path / "d" / "LICENCES.jsonl").read_text().splitlines()
    assert len(licences) == len(set(licences)) == 4 and not list((tmp_path / "d").glob("*.part*"))


@pytest.mark.parametrize(
    ("word", "same"),
    [("2401.00003V2", "2401.00003v2"), ("P18-1001", "p18-1001"), ("2023.acl-long.2", "2023.ACL-LONG.2"), ("W90003", "w90003"),
     ("10.5555/work.8", "10.5555/WORK.8"), ("0" * 38 + "1F", "0" * 38 + "1f"), ("MATH.gt/0309136", "math.GT/0309136")],
)  # fmt: skip
def test_an_id_in_another_case_is_the_same_paper(web, env, word, same):
    first = st("st-fetch", "papers", word, env=env).records
    n_sent = len(web.log)
    assert st("st-fetch", "papers", same, env=env).records == first and len(web.log) == n_sent


def test_arxiv_names_an_older_number_without_its_subject():
    from scholartools.sources import arxiv
    from scholartools.sources.base import Id, Job
    from scholartools.web.request import Answer

    entry = "<entry><id>http://arxiv.org/abs/math/0309136v1</id><title>T</title></entry>"
    body = f'<feed xmlns="http://www.w3.org/2005/Atom">{entry}</feed>'.encode()
    job = Job("papers", (Id("arxiv", "math.GT/0309136"), Id("arxiv", "math/0309136v1"), Id("arxiv", "math.GT/0309137")))
    page = arxiv.read(job, arxiv.requests(job)[0], Answer(200, {}, body, 0.0, ""))
    assert list(page.works) == ["arxiv:math.GT/0309136", "arxiv:math/0309136v1"]
    assert list(page.missing) == ["arxiv:math.GT/0309137"]


@pytest.mark.parametrize(
    ("body", "is_private"),
    [(b'{"name": "ForbiddenError", "message": "You don\'t have permission to read it"}', True),
     (b"<html><title>403 Forbidden</title></html>", False), (b'{"message": "Forbidden"}', False), (b"Forbidden", False),
     (b'["ForbiddenError"]', False)],
)  # fmt: skip
def test_only_the_service_itself_says_that_something_is_private(body, is_private):
    """A page of a proxy says "Forbidden", too; taken for the service's word, a form or an edit would be no more."""
    from scholartools.errors import ModelFault
    from scholartools.sources import openreview
    from scholartools.web.faults import check

    ask = openreview._edits("n1")
    if is_private:
        check(openreview.SOURCE.service, ask, 403, {}, body)
    else:
        with pytest.raises(ModelFault, match="refuses access"):
            check(openreview.SOURCE.service, ask, 403, {}, body)


def test_edits_and_forms_that_only_some_may_read_are_not_passed_on():
    from scholartools.sources import openreview

    def why(**body):
        return openreview.SOURCE.restricts(json.dumps(body).encode())

    everyone, chairs = {"readers": ["everyone"]}, {"readers": ["V/Program_Chairs"]}
    text = {"content": {"a": {"value": "x"}}}
    assert why(edits=[{**everyone, "note": text}]) == "reviews" and why(edits=[{**chairs, "note": text}]) == "private"
    assert why(edits=[{**everyone, "note": {**text, **chairs}}]) == "private"
    assert why(edits=[{**everyone, "note": {"content": {"a": {"value": "x", **chairs}}}}]) == "private"
    assert (
        why(invitations=[{**everyone, "edit": {}}]) is None and why(invitations=[{**chairs, "edit": {}}]) == "private"
    )
    assert why(edits=[]) is None and why(notes=[{**everyone, **text}, {**chairs, **text}]) == "private"
