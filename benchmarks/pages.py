"""Benchmark of pages: a page with 10,000 marks against a page of the bare text, and 1,000 papers in a folder.

Chromium opens both pages alternately. The times are those of opening to the first frame, of a jump to the last mark,
and of hiding a kind of marks. It needs the package playwright and Chromium.
"""

from __future__ import annotations

import html
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Page, sync_playwright
from support.run import BIN, environment

WORDS = "bees hedges soil rain corpus model table baseline error sample rater label noise claim proof".split()
MARKS, SENTENCES, SECTIONS, PAPERS, TURNS = 10_000, 167, 60, 1_000, 5
# After two frames, the page is painted.
DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))"


def large_record() -> dict[str, Any]:
    """A paper of 120,000 words, in which the first MARKS sentences are claims."""
    rng = random.Random(1)
    sections, claims = [], []
    for place in range(SECTIONS):
        text = ""
        for _ in range(SENTENCES):
            said = " ".join(rng.choices(WORDS, k=12)).capitalize() + "."
            span = {"in": f"s{place}", "start": len(text), "end": len(text) + len(said)}
            claims.append({"id": f"c{len(claims)}", "by": "m", "text": said, "spans": [span]})
            text += said + " "
        section = {"id": f"s{place}", "number": str(place), "heading": "Section", "level": 1, "role": "other"}
        sections.append({**section, "text": text})
    return {"id": "large", "title": "Large", "abstract": "A.", "sections": sections, "claims": claims[:MARKS]}


def bare_page(record: dict[str, Any]) -> str:
    """A page with the text only."""
    style = "<style>section { content-visibility: auto; contain-intrinsic-size: auto 500px }</style>"
    parts = (f'<section id="{one["id"]}"><p>{html.escape(one["text"])}</p></section>' for one in record["sections"])
    return f"<!doctype html><title>bare</title>{style}{''.join(parts)}"


def milliseconds(page: Page, action: str) -> float:
    return float(
        page.evaluate(f"(async () => {{ const begun = performance.now(); {action}; return await {DRAWN} - begun }})()")
    )


def times(page: Page, address: str, target: str, kind: str | None) -> dict[str, float]:
    """Milliseconds to open a page, to jump and, with ``kind``, to hide a kind of marks and to use a key."""
    begun = time.perf_counter()
    page.goto(address)
    page.evaluate(DRAWN)
    found = {"open": 1000 * (time.perf_counter() - begun)}
    jump = f"document.querySelector('{target}').scrollIntoView({{ behavior: 'instant' }})"
    found["jump to the last"] = milliseconds(page, jump)
    if kind:
        found["hide a kind"] = milliseconds(page, f"document.querySelector('#show-{kind}').click()")
        key = "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true }))"
        found["key n"] = milliseconds(
            page, f"document.querySelector('#show-{kind}').click(); {key.replace('document.', 'document.body.', 1)}"
        )
    return found


def view(*args: str | Path, data: bytes) -> bytes:
    done = subprocess.run([BIN / "st-view", *args], input=data, capture_output=True, env=environment(), check=True)
    return done.stdout


def main() -> None:
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("Chromium is not installed")
    record = large_record()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as started:
        folder = Path(name)
        (folder / "bare.html").write_text(bare_page(record))
        (folder / "marks.html").write_bytes(view(data=json.dumps(record).encode()))
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        found: dict[str, list[dict[str, float]]] = {"bare": [], "marks": []}
        for _ in range(TURNS):
            for page, target, kind in (
                ("bare", "section:last-of-type", None),
                ("marks", "#p1-claim-10000-mark", "claim"),
            ):
                opened = browser.new_page(viewport={"width": 1400, "height": 900})
                found[page].append(times(opened, (folder / f"{page}.html").as_uri(), target, kind))
                opened.close()
        size = (folder / "marks.html").stat().st_size / 1e6
        print(f"{MARKS:,} marks on 120,000 words, a page of {size:.1f} MB; milliseconds, median of {TURNS}:")
        for what in found["marks"][0]:
            bare = [one[what] for one in found["bare"] if what in one]
            beside = f"; of the bare text {median(bare):.0f}" if bare else ""
            print(f"  {what}: {median(one[what] for one in found['marks']):.0f}{beside}")
        begun = time.perf_counter()
        papers = b"".join(
            json.dumps(
                {
                    **record,
                    "id": f"p{n}",
                    "title": f"Paper {n} of bees",
                    "abstract": "Bees decline. " * 60,
                    "sections": record["sections"][:1],
                    "claims": record["claims"][:50],
                }
            ).encode()
            + b"\n"
            for n in range(PAPERS)
        )
        view("--split", "50", "--output", folder / "many", data=papers)
        index = (folder / "many" / "index.html").stat().st_size / 1e6
        print(f"{PAPERS:,} papers in a folder: {time.perf_counter() - begun:.1f} s, index of {index:.2f} MB")
        browser.close()


if __name__ == "__main__":
    main()
