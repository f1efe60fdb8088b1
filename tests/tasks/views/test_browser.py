"""Pages in a real browser: rules of accessibility, sizes, keys, print, and texts that would run or ask for something."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pymupdf
import pytest
from support.everything import whole_record
from support.model_runs import FAULTS, MODEL, papers
from support.pages import SCRIPT
from support.run import PAPER, ROOT, jsonl, st
from support.server import Server

pytestmark = pytest.mark.slow
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
axe = pytest.importorskip(
    "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed: pip install it"
)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
JUDGED = ROOT / "fixtures" / "score-judged.jsonl"


NAMED = {"title", "text", "reason", "heading", "explanation"}


def hostile(value, key: str = ""):
    """A value in which texts that people read end in what would run, ask for something, or turn the text around."""
    if isinstance(value, dict):
        return {name: hostile(one, name) for name, one in value.items()}
    if isinstance(value, list):
        return [hostile(one) for one in value]
    return value + SCRIPT if isinstance(value, str) and key in NAMED else value


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> dict[str, Path]:
    """A page of each kind, by name."""
    folder = tmp_path_factory.mktemp("pages")
    records = jsonl(*(hostile({"title": "Bees", **whole_record(seed, f"p{seed}")}) for seed in range(3)))
    limits = st("st-extract-limits", input=st("st-parse", PAPER).out).out
    found = st("st-claims", "extract", input=limits).out
    (folder / "found.jsonl").write_bytes(found)
    summary = st("st-score", "--summary", "--compare", "lead-2", "model-a", JUDGED).out
    (folder / "summary.jsonl").write_bytes(summary)
    (folder / "agree.jsonl").write_bytes(st("st-agree", "report", ROOT / "fixtures" / "ratings.jsonl").out)
    with Server({**FAULTS, "invalid": 0.3}, heals=False) as server:
        kept = {**server.environment, "ST_CACHE": str(folder / "calls.sqlite")}
        called = st("st-facets", *MODEL, "--retries", "1", input=papers(12), env=kept).out
    made = {
        "papers": st("st-view", input=found).out,
        "hostile": st("st-view", input=records, is_described=False).out,
        "facets": st("st-facets", "--html", input=st("st-facets", ROOT / "fixtures" / "summaries.jsonl").out).out,
        "report": st("st-view", "--report", JUDGED, folder / "summary.jsonl", folder / "agree.jsonl").out,
        "log": st("st-view", "--log", input=called, env=kept).out,
    }
    for name, page in made.items():
        assert page.endswith(b"</html>\n") or page.endswith(b"</html>"), name
        (folder / f"{name}.html").write_bytes(page)
    st("st-view", "--split", "2", "--output", folder / "many", input=records, is_described=False)
    return {name: folder / f"{name}.html" for name in made} | {"index": folder / "many" / "index.html"}


NAMES = ("papers", "hostile", "facets", "report", "log", "index")


@pytest.fixture(scope="module")
def browser() -> Iterator:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: apt install chromium")
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def show(browser, pages):
    """Opens a page of this name and this width; it may ask for nothing and open no dialog."""
    asked, opened = [], []

    def open_page(name: str, width: int, **settings):
        page = browser.new_page(viewport={"width": width, "height": 900}, **settings)
        opened.append(page)
        page.on("request", lambda request: asked.append(request.url))
        page.on("dialog", lambda dialog: asked.append(dialog.message))
        page.on("pageerror", lambda error: asked.append(str(error)))
        page.goto(pages[name].as_uri())
        return page

    yield open_page
    for page in opened:
        page.close()
    wanted = {path.as_uri() for path in pages.values()}
    assert [address for address in asked if address.partition("#")[0] not in wanted] == []


@pytest.mark.parametrize("name", NAMES)
def test_axe_finds_nothing_in_any_colours_and_at_any_width(show, name):
    for width in (1400, 320):
        page = show(name, width)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found = axe.Axe().run(page).response["violations"]
            assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found] == [], (width, scheme)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_of_320_pixels_is_not_scrolled_sideways(show, name):
    assert show(name, 320).evaluate("document.documentElement.scrollWidth") <= 320


def test_keys_reach_every_mark_and_lead_to_its_card(show):
    page = show("papers", 1400)
    marks = page.evaluate("[...document.querySelectorAll('mark a.ref')].map((mark) => mark.getAttribute('href'))")
    reached = []
    for _ in marks:
        page.keyboard.press("n")
        reached.append(page.evaluate("document.activeElement.getAttribute('href')"))
    assert reached == marks
    page.keyboard.press("Enter")
    assert page.evaluate("document.querySelector(':target').matches('.card')")
    cards = page.evaluate("[...document.querySelectorAll('.card')].map((card) => `#${card.id}`)")
    assert set(marks) <= set(cards)


def test_a_search_leaves_what_holds_all_words_and_a_kind_can_be_hidden(show):
    page = show("log", 1400)
    shown = "[...document.querySelectorAll('.card')].filter((card) => card.checkVisibility()).length"
    every = page.evaluate(shown)
    failed = page.evaluate("document.querySelectorAll('.card.failed').length")
    assert 0 < failed < every == 12
    page.locator("label", has_text="Failed").click()
    assert page.evaluate(shown) == every - failed
    page.locator("label", has_text="Failed").click()
    key = page.locator(".card code").first.text_content().split()[-1]
    page.fill("#search", f"show {key}")
    page.wait_for_timeout(500)  # the page waits until nothing is typed, and its policy lets no test wait for more
    assert page.evaluate(shown) == 1


def test_print_shows_every_card(show, pages):
    page = show("papers", 1400)
    cards = page.evaluate("[...document.querySelectorAll('.card .said')].map((said) => said.textContent)")
    printed = "".join("".join(sheet.get_text() for sheet in pymupdf.open(stream=page.pdf())).split())
    assert len(cards) > 5
    assert [said for said in cards if "".join(said.split()) not in printed] == []


def test_without_a_script_all_texts_can_be_read(browser, pages):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(pages["papers"].as_uri())
    read = page.locator(".reading .text").all_text_contents()
    texts = [
        section["text"]
        for record in map(json.loads, pages["papers"].with_name("found.jsonl").open())
        for section in record["sections"]
    ]
    assert [text for text in texts if text and text not in read] == []
    context.close()
