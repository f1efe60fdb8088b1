"""st-annotate and a server of Label Studio: a small one of the test for its faults, and the real one where it is installed."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import socket
import subprocess
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from support.annotators import KINDS, answers_of, batch_of, fill_label_studio, items_of, key_of
from support.hostile import Hostile, answer
from support.run import ROOT, jsonl, st

LEGACY = "0123456789abcdef0123456789abcdef01234567"
PERSONAL = "eyJhead.eyJbody.signature"


class Site(ThreadingHTTPServer):
    """Projects and tasks as Label Studio 1.23 has them, and faults to order."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.projects: list[dict] = []
        self.tasks: dict[int, list[dict]] = {}
        self.seen: list[tuple[str, str, str]] = []
        self.faults: list[int] = []
        self.access = 0
        self.drops = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Answer(BaseHTTPRequestHandler):
    server: Site

    def log_message(self, *_: object) -> None:
        """Nothing."""

    def _reply(self, status: int, body: object, **headers: str) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self) -> None:
        self._answer("POST", json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def do_GET(self) -> None:
        self._answer("GET", None)

    def _answer(self, method: str, body) -> None:
        site, path = self.server, self.path.partition("?")[0]
        given = self.headers.get("Authorization", "")
        site.seen.append((method, path, given))
        if path == "/api/token/refresh/":
            site.access += 1
            known = body == {"refresh": PERSONAL}
            return self._reply(200 if known else 401, {"access": f"access-{site.access}"} if known else {})
        if site.faults:
            status = site.faults.pop(0)
            return self._reply(status, {"id": "x", "detail": f"no {given}"}, Location="http://127.0.0.1:1/elsewhere")
        if given not in (f"Token {LEGACY}", f"Bearer access-{site.access}"):
            return self._reply(401, {"detail": "who?"})
        if path == "/api/projects/" and method == "GET":
            return self._reply(200, {"results": site.projects, "next": None})
        if path == "/api/projects/":
            made = {**body, "id": len(site.projects) + 1}
            site.projects.append(made)
            site.tasks[made["id"]] = []
            return self._reply(201, made)
        number = int(path.split("/")[3])
        if path.endswith("/import"):
            kept = body[: len(body) - site.drops]
            site.tasks[number] += [{"id": place, "annotations": [], **task} for place, task in enumerate(kept)]
            return self._reply(201, {"task_ids": []})
        return self._reply(200, site.tasks[number])


@pytest.fixture
def site():
    server = Site()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def push(batch, url, token=LEGACY, *options, **more):
    env = {"LABEL_STUDIO_API_KEY": token, **more}
    return st("st-annotate", "export", batch, "--to", "label-studio", "--push", url, *options, env=env)


def test_suggestions_for_tasks_that_are_there_without_are_refused(papers, site):
    batch = batch_of(papers, "labels")
    assert push(batch, site.url).status == 0
    sent = {number: list(tasks) for number, tasks in site.tasks.items()}
    for tasks in site.tasks.values():
        for task in tasks:
            task["total_predictions"] = 1
    done = push(batch, site.url)
    assert done.status == 4 and "has suggestions for tasks that are there" in done.err
    assert {number: list(tasks) for number, tasks in site.tasks.items()} == sent


@pytest.mark.parametrize("token", [LEGACY, PERSONAL])
def test_a_second_push_sends_what_is_lacking_and_nothing_twice(papers, site, token):
    batch = batch_of(papers, "labels")
    first = push(batch, site.url, token)
    assert first.status == 0, first.err
    lost = site.tasks[2].pop(3)
    sent = {number: len(tasks) for number, tasks in site.tasks.items()}
    assert push(batch, site.url, token).out == first.out
    assert {number: len(tasks) for number, tasks in site.tasks.items()} == {**sent, 2: sent[2] + 1}
    assert site.tasks[2][-1]["data"] == lost["data"] and len(site.projects) == 3
    assert site.access == (0 if token == LEGACY else 2)


def test_a_personal_token_that_ran_out_is_renewed_once(papers, site):
    batch = batch_of(papers, "labels")
    site.faults = [401]
    assert push(batch, site.url, PERSONAL).status == 0 and site.access == 2
    site.faults = [401, 401]
    assert push(batch, site.url, PERSONAL).status == 4


def test_a_server_that_is_wrong_is_one_line_without_the_token(papers, site):
    batch = batch_of(papers, "labels")
    for faults, told in (([500], "500"), ([302], "302"), ([401], "401")):
        site.faults = list(faults)
        done = push(batch, site.url)
        assert done.status == 4 and told in done.err and len(done.err.splitlines()) == 1
        assert LEGACY not in done.err
    assert push(batch, "http://127.0.0.1:1").status == 4
    site.drops = 1
    done = push(batch, site.url)
    assert done.status == 4 and "has other tasks" in done.err
    pulled = st("st-annotate", "import", batch, "--pull", "http://127.0.0.1:1", env={"LABEL_STUDIO_API_KEY": LEGACY})
    assert pulled.status == 4


@pytest.mark.parametrize("token", [LEGACY, PERSONAL])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_refuses_is_named_and_no_secret_is(papers, scheme, token):
    """Also where it answers in place of the address that renews a token: the token is not what is wrong then."""
    batch, url = batch_of(papers, "labels"), f"{scheme}://studio.example"
    for status in (403, 407, 502, None):
        with Hostile(lambda _, status=status: answer(status, b"<html>no</html>") if status else []) as proxy:
            env = {f"{scheme}_proxy": f"me:pass-phrase@127.0.0.1:{proxy.port}", "no_proxy": "10.0.0.0/8"}
            done = push(batch, url, token, "--insecure", **env)
        assert done.status == 4 and len(done.err.splitlines()) == 1, done.err
        named = f"the proxy http://127.0.0.1:{proxy.port} ({scheme}_proxy)"
        assert named in done.err and "NO_PROXY=studio.example goes around it" in done.err
        if status == 407 or (status and scheme == "https"):
            assert f"{named} refuses to connect to studio.example (status {status})" in done.err
        if status in (407, 502) or scheme == "https":
            assert "LABEL_STUDIO_API_KEY" not in done.err
        for secret in ("pass-phrase", "me:", token):
            assert secret not in done.err
        assert proxy.seen and all(one.headers["proxy-authorization"].startswith("Basic ") for one in proxy.seen)
    for other, told in (("127.0.0.1:1", "refused"), ("socks5://127.0.0.1:1", "is no HTTP proxy")):
        done = push(batch, url, token, "--insecure", **{f"{scheme}_proxy": other, "no_proxy": "10.0.0.0/8"})
        assert done.status == 4 and told in done.err and f"127.0.0.1:1 ({scheme}_proxy)" in done.err, done.err


def test_a_token_of_five_minutes_is_not_shown_either(papers, site):
    batch = batch_of(papers, "labels")
    site.faults = [500]  # which repeats the token
    done = push(batch, site.url, PERSONAL)
    assert done.status == 4 and "no Bearer ..." in done.err and "access-1" not in done.err


def test_the_token_goes_nowhere_else(papers, site, tmp_path):
    batch = batch_of(papers, "labels")
    for url, told in (
        ("http://studio.example.org", "without encryption"), ("studio", "is not the address of a server"), (f"http://u:{LEGACY}@127.0.0.1:1", "is not the address of a server"),
        ("ftp://127.0.0.1", "is not the address of a server"),
    ):  # fmt: skip
        done = push(batch, url)
        assert done.status == 2 and told in done.err and LEGACY not in done.err
    assert push(batch, site.url, "").status == 2
    assert push(batch, site.url).status == 0
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or LEGACY.encode() not in path.read_bytes()


def test_exports_that_are_none_of_ours(papers):
    batch = batch_of(papers, "labels", raters="anna,ben")
    st("st-annotate", "export", batch, "--to", "label-studio")
    path = fill_label_studio(batch, "anna", answers_of(batch, "anna", 2))
    tasks = json.loads(path.read_text())
    one = tasks[0]["annotations"][0]
    for changed, told in (
        ([{"id": 1, "q_0": "v1", **tasks[0]["data"]}], "JSON-MIN"),
        ([{**tasks[0], "data": {}}], 'has no "st"'),
        ([{**tasks[0], "data": {"st": {"batch": "b0", "row": "m0"}}}], "another batch"),
        ([{**tasks[0], "annotations": [one, {**one, "result": []}]}], "--last"),
        ([tasks[0], {**tasks[1], "annotations": [{**one, "completed_by": 4}]}], "2 people"),
    ):
        path.write_text(json.dumps(changed))
        done = st("st-annotate", "import", batch, path)
        assert done.status == 2 and told in done.err, done.err
    path.write_text(json.dumps([{**tasks[0], "annotations": [one, {**one, "id": 9}]}]))
    assert st("st-annotate", "import", batch, path).status == 0
    strange = {"from_name": "q_77", "type": "choices", "value": {"choices": ["v0"]}}
    (batch / "answers.jsonl").unlink()
    path.write_text(json.dumps([{**tasks[0], "annotations": [{**one, "was_cancelled": False, "result": [strange]}]}]))
    done = st("st-annotate", "import", batch, path)
    assert done.status == 1 and "q_77" in done.err and set(done.records[0]["reasons"].values()) == {"unknown-value"}
    (batch / "answers.jsonl").unlink()
    path.write_text(json.dumps([{**tasks[0], "annotations": [], "drafts": [{**one, "was_cancelled": False}]}]))
    assert [one["state"] for one in st("st-annotate", "import", batch, path).records] == ["draft"]
    assert st("st-annotate", "ratings", batch).records == [] != st("st-annotate", "ratings", batch, "--drafts").records


@pytest.mark.parametrize("kind", KINDS)
def test_suggestions_are_what_raters_would_mark_and_are_told_apart(papers, kind):
    """As written here a second time; whoever submits them unchanged has said them, and what is changed is told."""
    batch = batch_of(papers, kind, raters="anna,ben")
    said = {name: one for (name, _), one in answers_of(batch, "anna", 5).items() if one != "skip"}
    file = papers.parent / "said.jsonl"
    file.write_bytes(jsonl(*({"item": name, "answers": one} for name, one in said.items())))
    line = ["st-annotate", "export", batch, "--to", "label-studio"]
    done = st(*line, "--suggest", file)
    assert done.status == 0, done.err
    assert st(*line, "--suggest", file).out == done.out, "suggested again: nothing changes"
    path = batch / "raters" / "anna" / "label-studio" / "tasks.json"
    made = json.loads(path.read_text())
    known = {one["row"]: one for one in key_of(batch)}
    export = json.loads(fill_label_studio(batch, "anna", {(name, 0): one for name, one in said.items()}).read_text())
    by_hand = {one["data"]["st"]["row"]: one["annotations"][0]["result"] for one in export}
    shape = lambda result: [(one["from_name"], one["to_name"], one["type"], one["value"]) for one in result]  # noqa: E731
    for task in made:
        row = task["data"]["st"]["row"]
        given = [one["result"] for one in task.get("predictions", ())]
        assert bool(given) == (known[row]["item"] in said)
        assert not given or shape(given[0]) == shape(by_hand[row])
    pages = [
        {**one, "annotations": [{"completed_by": 1, "result": guess["result"]}]}
        for one in made
        for guess in one.get("predictions", ())
    ]
    pages[0]["annotations"][0]["result"] = []
    path.with_name("export.json").write_text(json.dumps(pages))
    done = st("st-annotate", "import", batch, path.with_name("export.json"))
    assert done.status == 0, done.err
    assert all(
        one["suggested"] == {key: value for key, value in said[one["item"]].items() if value is not None}
        for one in done.records
    )
    kept = [one for one in done.records if one["row"] != pages[0]["data"]["st"]["row"]]
    assert len(kept) == len(said) - 1 and all(
        (one["answers"], one["changed"]) == (said[one["item"]], []) for one in kept
    )
    rows = st("st-annotate", "ratings", batch).records
    assert all(row["suggested"] for row in rows if row["value"] is not None)
    labels = [one for one in st("st-annotate", "status", batch).records if one["stat"] == "alpha" and one["n_paired"]]
    assert not [one for one in labels if "suggested" not in one]
    file.write_bytes(jsonl({"item": next(iter(said)), "answers": {"nothing": 1}}))
    assert st(*line, "--suggest", file).status == 2


@pytest.mark.parametrize("told_by", ["number", "address"])
def test_raters_who_share_a_project_are_told_by_who_they_are(papers, told_by):
    """Sides stand alike for all; the oracle is the text that each says is better."""
    batch = batch_of(papers, "specificity", "--design", "full", raters="anna,ben")
    before = [json.loads(json.dumps(one)) for one in key_of(batch)]
    done = st("st-annotate", "export", batch, "--to", "label-studio", "--shared")
    assert done.status == 0, done.err
    tasks = json.loads((batch / "shared" / "label-studio" / "tasks.json").read_text())
    items = items_of(batch)
    assert len(tasks) == len(items) and key_of(batch) == before
    people, texts = (
        {"anna": 7, "ben": 8},
        {one["text"]: one["id"] for item in items.values() for one in item["candidates"]},
    )
    wanted, draw = {}, random.Random(2)
    for task in tasks:
        (name,) = (
            name
            for name, item in items.items()
            if {one["text"] for one in item["candidates"]} == {task["data"]["t_0"], task["data"]["t_1"]}
        )
        for rater, number in people.items():
            side = draw.choice("AB")
            wanted[rater, name] = texts[task["data"]["t_0" if side == "A" else "t_1"]]
            who = number if told_by == "number" else {"id": number, "email": f"{rater}@example.org"}
            result = [{"from_name": "q_0", "type": "choices", "value": {"choices": ["v0" if side == "A" else "v1"]}}]
            task.setdefault("annotations", []).append({"completed_by": who, "result": result})
    path = papers.parent / "project.json"
    path.write_text(json.dumps(tasks))
    users = papers.parent / "users.csv"
    names = {rater: number if told_by == "number" else f"{rater}@example.org" for rater, number in people.items()}
    users.write_text("user,rater\n" + "".join(f"{name},{rater}\n" for rater, name in names.items()))
    assert st("st-annotate", "import", batch, "--rater", "anna", path).status == 2
    done = st("st-annotate", "import", batch, "--users", users, path)
    assert done.status == 0, done.err
    assert {(one["rater"], one["item"]): one["answers"]["winner"] for one in done.records} == wanted
    assert b"example.org" not in (batch / "answers.jsonl").read_bytes()
    assert "Not blind" in st("st-annotate", "status", batch, "--table").out.decode()
    for text, told in (
        (f"user,rater\n{names['anna']},anna\n", "does not say who"), ("user,rater\n1,zoe\n", "raters are anna, ben"), ("user,rater\n1,ANNA\n", 'is it "anna"'),
        ("user,rater\n1,anna\n1,ben\n", "second rater"), ("user,name\n1,anna\n", "no column"),
        *([("user,rater\nAnna@example.org,anna\nben@example.org,ben\n", 'is it "Anna@example.org"')] if told_by == "address" else []),
    ):  # fmt: skip
        users.write_text(text)
        done = st("st-annotate", "import", batch, "--users", users, path)
        assert done.status == 2 and told in done.err, done.err
    for more in (["--repeat", ".5", "--design", "full"], ["--per-item", "1"]):
        other = batch_of(papers, "labels", *more, raters="anna,ben", name=more[-1])
        done = st("st-annotate", "export", other, "--to", "label-studio", "--shared")
        assert done.status == 2 and "everybody sees" in done.err


def label_studio() -> str | None:
    """The command of a Label Studio that is installed apart: ST_LABEL_STUDIO, or what ``make label-studio`` made."""
    named = os.environ.get("ST_LABEL_STUDIO") or str(ROOT / ".label-studio" / "bin" / "label-studio")
    return shutil.which(named)


@contextlib.contextmanager
def started(command, folder):
    """A real server with its data in a folder; gives its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    named = {
        "BASE_DATA_DIR": str(folder), "USERNAME": "a@example.org", "PASSWORD": "only-for-this-test", "USER_TOKEN": LEGACY,
        "ENABLE_LEGACY_API_TOKEN": "true", "COLLECT_ANALYTICS": "false", "LATEST_VERSION_CHECK": "false", "SENTRY_DSN": "",
        "FRONTEND_SENTRY_DSN": "", "DISABLE_SIGNUP_WITHOUT_LINK": "true",
    }  # fmt: skip
    env = {f"LABEL_STUDIO_{name}": value for name, value in named.items()}
    env |= {"HOME": str(folder), "LANG": "C.UTF-8", "PATH": f"{Path(command).parent}:/usr/bin:/bin"}
    line = [command, "start", "--no-browser", "--internal-host", "127.0.0.1", "--port", str(port)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(line, env=env, cwd=folder, stdout=log, stderr=log)
    url, end = f"http://127.0.0.1:{port}", time.monotonic() + 240
    try:
        while True:
            try:
                urllib.request.urlopen(f"{url}/health", timeout=5).read()
                break
            except OSError:
                assert process.poll() is None and time.monotonic() < end, (folder / "log").read_text()[-2000:]
                time.sleep(1)
        yield url
    finally:
        process.terminate()
        process.wait(60)


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    """The address of a server; its empty database is made once, which takes longest, and kept beside the command."""
    command = label_studio()
    if command is None:
        pytest.skip("no Label Studio: make label-studio, or name its command in ST_LABEL_STUDIO")
    folder, kept = tmp_path_factory.mktemp("studio"), Path(command).parent.parent / "data-template"
    if kept.is_dir():
        shutil.copytree(kept, folder, dirs_exist_ok=True)
    elif os.access(kept.parent, os.W_OK):
        with started(command, folder):
            pass
        part = kept.with_name(f"{kept.name}.{os.getpid()}")
        shutil.copytree(folder, part)
        part.rename(kept)
    with started(command, folder) as url:
        yield url


def ask(url, method, path, body=None, *, as_text=False):
    headers = {"Authorization": f"Token {LEGACY}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url + path, data=data, headers=headers, method=method)
    reply = urllib.request.urlopen(request, timeout=60).read()
    return reply.decode() if as_text else json.loads(reply or b"null")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_what_raters_answer_in_label_studio_comes_back(papers, studio, kind):
    """Texts, configuration and answers through the real server; what was sent is what is there."""
    batch = batch_of(papers, kind, "--repeat", ".2", raters="anna,ben")
    pushed = push(batch, studio)
    assert pushed.status == 0, pushed.err
    assert push(batch, studio).out == pushed.out
    numbers = [line.rsplit("/", 1)[1] for line in pushed.out.decode().split() if "/projects/" in line]
    said = {}
    for rater, number in zip(("anna", "ben"), numbers, strict=True):
        said[rater] = answers_of(batch, rater, rater)
        path = fill_label_studio(batch, rater, said[rater])
        exported = ask(studio, "GET", f"/api/projects/{number}/export?exportType=JSON&download_all_tasks=true")
        ids = {task["data"]["st"]["row"]: task["id"] for task in exported}
        for task in json.loads(path.read_text()):
            done = {key: task["annotations"][0][key] for key in ("result", "was_cancelled", "lead_time")}
            ask(studio, "POST", f"/api/tasks/{ids[task['data']['st']['row']]}/annotations/", done)
    pulled = st("st-annotate", "import", batch, "--pull", studio, env={"LABEL_STUDIO_API_KEY": LEGACY})
    assert pulled.status == 0, pulled.err
    assert len(pulled.records) == len(key_of(batch))
    for record in pulled.records:
        wanted = said[record["rater"]][record["item"], record["copy"]]
        assert record["state"] == "skipped" if wanted == "skip" else record["answers"] == wanted
        assert record["seconds"] == 12.5


PLAYED = """
name: played
questions:
  - {type: spans, name: bad, text: "Which passages are bad?", part: text, labels: [wrong, unclear],
     rated: {name: sure, text: "How sure are you?", low: 1, high: 3}}
  - {type: choice, name: types, text: "Which apply?", values: [vague, harsh, short], is_many: true}
  - {type: scale, name: clear, text: "How clear is it?"}
  - {type: number, name: n, text: "How many faults?", is_required: false}
  - {type: text, name: why, text: "Why?", is_required: false}
parts: [{name: text, heading: Text, text: text}]
"""
TEXTS = [
    "Line one.\r\nLine two 🐝 bees.\nIt ends 👩\u200d👩\u200d👧 here.",
    "e\u0301 is combining, and 𝒙 is bold.\rA lone return, $\\nu$\n$\\nabla$ too.", "Nothing is wrong here.",
]  # fmt: skip
SUBMIT, UPDATE, SKIP = ({"press": name} for name in ("Submit current annotation", "Update", "skip-task"))


def marked(number, passage, label, sure):
    """A passage as it is to come back, and the step that marks it."""
    start = TEXTS[number].index(passage)
    span = {"in": "text", "start": start, "end": start + len(passage), "text": passage, "label": label, "sure": sure}
    return span, {"mark": label, "in": 0, "start": start, "end": span["end"], "rate": str(sure)}


def in_page(studio, who, join, tasks, shots):
    """Play a person in the page; gives what the page asked of other machines."""
    python = Path(str(label_studio())).with_name("python")
    asked = {
        "url": studio, "email": f"{who}@example.org", "password": "only-for-this-test", "join": join, "tasks": tasks,
        "chromium": shutil.which("chromium"), "shots": shots,
    }  # fmt: skip
    line = [python, ROOT / "tests" / "support" / "label_studio_page.py"]
    done = subprocess.run(line, input=json.dumps(asked).encode(), capture_output=True, timeout=400)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    return json.loads(done.stdout)


@pytest.mark.slow
def test_three_people_in_the_page_of_label_studio(tmp_path, studio):
    """Passages over line ends and emoji, a rating of each, none, skips, a skip taken back, a changed mind, a draft."""
    if shutil.which("chromium") is None:
        pytest.skip("no Chromium: apt install chromium")
    if subprocess.run(
        [Path(str(label_studio())).with_name("python"), "-c", "import playwright"], check=False
    ).returncode:
        pytest.skip("no playwright beside Label Studio: make label-studio")
    papers = tmp_path / "papers.jsonl"
    papers.write_bytes(jsonl(*({"id": f"p{number}", "text": text} for number, text in enumerate(TEXTS))))
    (tmp_path / "own.yaml").write_text(PLAYED)
    batch = batch_of(papers, "own.yaml", "--design", "full", raters="anna,ben,eve")
    pushed = push(batch, studio)
    numbers = [line.rsplit("/", 1)[1] for line in pushed.out.decode().split() if "/projects/" in line]
    pages: dict[str, dict[str | None, str]] = {}
    for rater, number in zip(("anna", "ben", "eve"), numbers, strict=True):
        items = {one["row"]: one["item"] for one in key_of(batch) if one["rater"] == rater}
        exported = ask(studio, "GET", f"/api/projects/{number}/export?exportType=JSON&download_all_tasks=true")
        pages[rater] = {
            items[one["data"]["st"]["row"]]: f"/projects/{number}/data?task={one['id']}" for one in exported
        }
        pages[rater][None] = f"/projects/{number}/data?labeling=1"
    first, second, _ = (one["item"] for one in key_of(batch) if one["rater"] == "ben")
    join = studio + ask(studio, "GET", "/api/invite")["invite_url"]
    over, with_rate = marked(0, "one.\r\nLine two", "wrong", 2)
    family, mark_family = marked(0, "👩\u200d👩\u200d👧 here", "unclear", 3)
    bold, mark_bold = marked(1, "𝒙 is bold.\rA lone", "wrong", 1)
    tex, mark_tex = marked(1, "$\\nu$\n$\\nabla$", "unclear", 2)
    none, clear = {"tick": "There is none", "of": 0}, lambda value: {"tick": str(value), "of": 3}
    types = lambda *names: [{"tick": name, "of": 1} for name in names]  # noqa: E731
    no_type = {"tick": "None of them", "of": 2}
    steps = {
        "anna": [
            ("p0", [with_rate, mark_family, *types("vague", "short"), clear(4), {"type": "= as I think", "of": 1}, {"shot": "marked"}, SUBMIT]),
            ("p1", [mark_bold, mark_tex, no_type, clear(1), {"type": "12", "of": 0}, SUBMIT]),
            ("p2", [none, no_type, clear(5), SUBMIT]),
        ],
        "ben": [
            # in the order of the list, which is that of the page; the second is skipped after all
            (None, [SKIP, none, *types("harsh"), clear(3), SKIP, {"press": "prev-task"}, {"press": "prev-task"}, {"shot": "skipped"}, {"press": "cancel-skip"}, none, no_type, clear(2), SUBMIT]),
        ],
        "eve": [
            ("p2", [none, *types("harsh"), clear(2), SUBMIT]), ("p2", [clear(5), {"shot": "again"}, UPDATE]),
            ("p1", [mark_tex, clear(3), {"wait": 8000}, {"shot": "draft"}]),
        ],
    }  # fmt: skip
    for who, tasks in steps.items():
        elsewhere = in_page(
            studio, who, join, [(pages[who][item], does) for item, does in tasks], os.environ.get("ST_SHOTS")
        )
        assert elsewhere == [], "nothing is asked of another machine"
    pulled = st("st-annotate", "import", batch, "--pull", studio, env={"LABEL_STUDIO_API_KEY": LEGACY})
    assert pulled.status == 0, pulled.err
    found = {(one["rater"], one["item"]): (one["state"], *one["answers"].values()) for one in pulled.records}
    assert found == {
        ("anna", "p0"): ("done", [over, family], ["vague", "short"], 4, None, "= as I think"),
        ("anna", "p1"): ("done", [bold, tex], [], 1, 12, None),
        ("anna", "p2"): ("done", [], [], 5, None, None),
        ("ben", first): ("done", [], [], 2, None, None),
        ("ben", second): ("skipped", None, None, None, None, None),
        ("eve", "p1"): ("draft", [tex], None, 3, None, None),
        ("eve", "p2"): ("done", [], ["harsh"], 5, None, None),
    }


RECORDED = ROOT / "fixtures" / "people"


def recorded_answers():
    """What a rater says of TEXTS: passages over line ends and emoji, none, a skip."""
    spans = [marked(0, "one.\r\nLine two", "wrong", 2)[0], marked(0, "👩\u200d👩\u200d👧 here", "unclear", 3)[0]]
    first = {"bad": spans, "types": ["vague", "short"], "clear": 4, "n": 12, "why": "= as I think"}
    return {"p0": first, "p1": {"bad": [], "types": [], "clear": 1, "n": None, "why": None}, "p2": "skip"}


def check_exports(batch, exports, folder):
    """JSON with numbers of people and with addresses say the same; what drops skips is refused, and says what to do."""
    users = folder / "users.csv"
    for name, who in (("json", exports["json"][0]["annotations"][0]["completed_by"]), ("snapshot", "a@example.org")):
        path = folder / "anna.json"
        path.write_text(json.dumps(exports[name]))
        for more in ([], ["--users", users]):
            (batch / "answers.jsonl").unlink(missing_ok=True)
            users.write_text(f"user,rater\n{who},anna\n")
            done = st("st-annotate", "import", batch, *more, path)
            assert done.status == 0, done.err
            said = {one["item"]: "skip" if one["state"] == "skipped" else one["answers"] for one in done.records}
            assert said == recorded_answers() and b"@" not in done.out
    for name, content in (("anna.json", json.dumps(exports["json_min"])), ("anna.csv", exports["csv"])):
        (folder / name).write_text(content)
        done = st("st-annotate", "import", batch, folder / name)
        assert done.status == 2 and "as JSON" in done.err, done.err


@pytest.mark.slow
def test_exports_of_the_real_server(tmp_path, studio):
    """With ST_RECORD, a folder, they are written there for the tests without a server: make record-label-studio."""
    papers = tmp_path / "papers.jsonl"
    papers.write_bytes(jsonl(*({"id": f"p{number}", "text": text} for number, text in enumerate(TEXTS))))
    (tmp_path / "own.yaml").write_text(PLAYED)
    batch = batch_of(papers, "own.yaml", "--design", "full", raters="anna")
    number = push(batch, studio).out.decode().split()[-1].rsplit("/", 1)[1]
    export = f"/api/projects/{number}/export?download_all_tasks=true&exportType="
    ids = {task["data"]["st"]["row"]: task["id"] for task in ask(studio, "GET", f"{export}JSON")}
    path = fill_label_studio(batch, "anna", {(name, 0): said for name, said in recorded_answers().items()})
    for task in json.loads(path.read_text()):
        done = {key: task["annotations"][0][key] for key in ("result", "was_cancelled", "lead_time")}
        ask(studio, "POST", f"/api/tasks/{ids[task['data']['st']['row']]}/annotations/", done)
    wanted = {"serialization_options": {"annotations__completed_by": {"only_id": False}}}
    snapshot = ask(studio, "POST", f"/api/projects/{number}/exports/", wanted)["id"]
    exports = {
        "json": ask(studio, "GET", f"{export}JSON"), "json_min": ask(studio, "GET", f"{export}JSON_MIN"),
        "snapshot": ask(studio, "GET", f"/api/projects/{number}/exports/{snapshot}/download?exportType=JSON"),
        "csv": ask(studio, "GET", f"{export}CSV", as_text=True),
    }  # fmt: skip
    check_exports(batch, exports, tmp_path)
    if folder := os.environ.get("ST_RECORD"):
        kept = Path(folder)
        (kept / "batch").mkdir(parents=True, exist_ok=True)
        for name in ("batch.json", "items.jsonl", "key.jsonl", "guide.md"):
            shutil.copyfile(batch / name, kept / "batch" / name)
        (kept / "label-studio-1.23.json").write_text(json.dumps(exports, indent=1) + "\n")


def test_recorded_exports_of_label_studio(tmp_path):
    """As version 1.23.2 wrote them, of a batch of before: both are read without a server."""
    shutil.copytree(RECORDED / "batch", tmp_path / "batch")
    check_exports(tmp_path / "batch", json.loads((RECORDED / "label-studio-1.23.json").read_text()), tmp_path)


@pytest.mark.slow
def test_suggestions_in_the_page_of_label_studio(tmp_path, studio):
    """Submitted as they stand they come back as they were; one is changed; without --suggest a project has none."""
    if shutil.which("chromium") is None:
        pytest.skip("no Chromium: apt install chromium")
    papers = tmp_path / "papers.jsonl"
    papers.write_bytes(jsonl(*({"id": f"p{number}", "text": text} for number, text in enumerate(TEXTS))))
    (tmp_path / "own.yaml").write_text(PLAYED)
    batch = batch_of(papers, "own.yaml", "--design", "full", "--seed", "9", raters="anna")  # no other test's project
    spans = [marked(0, "one.\r\nLine two", "wrong", 2)[0], marked(0, "👩\u200d👩\u200d👧 here", "unclear", 3)[0]]
    said = {
        "p0": {"bad": spans, "types": ["vague", "short"], "clear": 4, "n": 12, "why": "= as I think"},
        "p1": {"bad": [], "types": [], "clear": 1, "n": None, "why": None},
    }  # fmt: skip
    file = tmp_path / "said.jsonl"
    file.write_bytes(jsonl(*({"item": name, "answers": one} for name, one in said.items())))
    pushed = push(batch, studio, LEGACY, "--suggest", file)
    assert pushed.status == 0, pushed.err
    number = pushed.out.decode().split()[-1].rsplit("/", 1)[1]
    exported = ask(studio, "GET", f"/api/projects/{number}/export?exportType=JSON&download_all_tasks=true")
    items = {one["row"]: one["item"] for one in key_of(batch)}
    pages = {items[one["data"]["st"]["row"]]: f"/projects/{number}/data?task={one['id']}" for one in exported}
    other = batch_of(papers, "own.yaml", "--design", "full", "--seed", "1", raters="anna", name="other")
    plain = push(other, studio).out.decode().split()[-1].rsplit("/", 1)[1]
    for project, n in ((number, 2), (plain, 0)):
        found = ask(studio, "GET", f"/api/predictions/?project={project}")
        assert len(found) == n
    join = studio + ask(studio, "GET", "/api/invite")["invite_url"]
    clear = {"tick": "5", "of": 3}
    in_page(
        studio,
        "zoe",
        join,
        [(pages["p0"], [{"shot": "suggested"}, SUBMIT]), (pages["p1"], [clear, SUBMIT])],
        os.environ.get("ST_SHOTS"),
    )
    pulled = st("st-annotate", "import", batch, "--pull", studio, env={"LABEL_STUDIO_API_KEY": LEGACY})
    assert pulled.status == 0, pulled.err
    found = {one["item"]: (one["answers"], one["changed"]) for one in pulled.records}
    assert found == {"p0": (said["p0"], []), "p1": ({**said["p1"], "clear": 5}, ["clear"])}
