"""The site: every page stands in its contents once, its links lead somewhere, and it asks nothing of a network."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support.run import ROOT

ZENSICAL = ROOT / ".site" / "bin" / "zensical"


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "build" / "pages"
    folder.parent.mkdir()
    (ROOT / "docs" / "__pycache__").mkdir(exist_ok=True)  # as Python makes it beside verify_certificates.py
    subprocess.run([sys.executable, ROOT / "tools" / "site.py", folder], check=True)
    return folder


def listed(entries: list) -> list[str]:
    found: list[str] = []
    for entry in entries:
        for value in entry.values():
            found += listed(value) if isinstance(value, list) else [value]
    return found


@pytest.mark.slow
def test_every_page_stands_in_the_contents_once(pages):
    contents = listed(tomllib.loads((ROOT / "zensical.toml").read_text())["project"]["nav"])
    assert sorted(contents) == sorted(path.name for path in pages.glob("*.md"))


def test_the_references_have_every_command_and_every_key(pages):
    commands = (pages / "reference-commands.md").read_text()
    for line in (path.stem for path in (ROOT / "man").glob("st-*.1")):
        assert re.search(rf"^##+ {line.replace('-', '.')}$", commands, re.M), line
    records = (pages / "reference-records.md").read_text()
    schema = json.loads((ROOT / "scholartools" / "schemas" / "paper.json").read_text())
    for key in schema["properties"]:
        assert f"| `{key}`" in records
    for name in re.findall(r"\]\(#(\w+)\)", records):
        assert re.search(rf"^## {name}$", records, re.M | re.I), name


class _Links(HTMLParser):
    """The addresses that a page loads by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag in ("img", "script", "iframe", "source"):
            self.loaded.append(given.get("src") or "")
        if tag == "link" and given.get("rel") not in ("canonical", "next", "prev"):
            self.loaded.append(given.get("href") or "")


@pytest.mark.slow
def test_the_site_is_built_without_a_warning_and_loads_nothing_from_elsewhere(pages):
    if not ZENSICAL.exists():
        pytest.skip("zensical is not installed: make .site/installed")
    folder = pages.parent.parent
    shutil.copy(ROOT / "zensical.toml", folder)
    done = subprocess.run([ZENSICAL, "build", "--strict"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    built = list((folder / "build" / "site").glob("*.html"))
    assert len(built) > 25
    for page in built:
        links = _Links()
        links.feed(page.read_text())
        assert [address for address in links.loaded if "//" in address] == [], page.name


def test_a_long_page_begins_with_links_to_its_parts():
    long = [page for page in (ROOT / "docs").glob("*.md") if page.read_text().count("\n") >= 120]
    assert len(long) > 15
    for page in long:
        head, *parts = re.split(r"^## ", re.sub(r"```.*?```", "", page.read_text(), flags=re.S), flags=re.M)
        for part in parts:
            title = part.partition("\n")[0].lower()
            assert f"(#{re.sub(r'[^a-z0-9 -]', '', title).replace(' ', '-')})" in head, (page.name, title)
