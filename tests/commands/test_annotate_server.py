"""st-annotate and a server of Label Studio: a small one of the test for its faults, and the real one where it is installed."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from support.annotators import KINDS, answers_of, batch_of, fill_label_studio, key_of
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


def push(batch, url, token=LEGACY, *options):
    env = {"LABEL_STUDIO_API_KEY": token}
    return st("st-annotate", "export", batch, "--to", "label-studio", "--push", url, *options, env=env)


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


def test_the_token_goes_nowhere_else(papers, site, tmp_path):
    batch = batch_of(papers, "labels")
    for url, told in (
        ("http://studio.example.org", "in the clear"), ("studio", "no address"), (f"http://u:{LEGACY}@127.0.0.1:1", "no address"),
        ("ftp://127.0.0.1", "no address"),
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


def ask(url, method, path, body=None):
    headers = {"Authorization": f"Token {LEGACY}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url + path, data=data, headers=headers, method=method)
    return json.loads(urllib.request.urlopen(request, timeout=60).read() or b"null")


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
