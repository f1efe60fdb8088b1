"""Acts as an annotator on the page of Label Studio, in Chromium. It runs in an environment of its own with playwright.

Standard input is a JSON object: ``url``, ``email``, ``password``, ``join`` (a link of invitation), ``chromium`` (a
command), ``shots`` (a folder or null) and ``tasks``: lists of steps, each by the address of its page. A step is {"mark":
label, "in": number of the text, "start", "end" in code points, "rate"}, {"tick": words, "of": number of the control},
{"type": text, "of": number of the field}, {"press": button}, {"wait": milliseconds} or {"shot": name}. Standard output is
what was asked of other machines.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

from playwright.sync_api import Page, sync_playwright

SAVING = ("Submit current annotation", "Update", "skip-task")
# Bounding box of the character at an offset: lines are elements, and each line end counts as one character.
BOX = """([name, offset]) => {
  const root = document.querySelectorAll('.lsf-richtext')[name];
  let left = offset;
  for (const line of root.querySelectorAll('.lsf-richtext__line')) {
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      let unit = 0;
      for (const character of node.textContent) {
        if (left-- === 0) {
          const range = document.createRange();
          range.setStart(node, unit); range.setEnd(node, unit + character.length);
          const box = range.getBoundingClientRect();
          return [box.left, box.right, (box.top + box.bottom) / 2];
        }
        unit += character.length;
      }
    }
    if (left-- === 0) return null;
  }
  return null;
}"""


def tick(page: Page, number: int, words: str) -> None:
    """Click a choice of the numbered visible control; its hotkey follows its text."""
    wanted = re.compile(rf"^{re.escape(words)}(\[.+\])?$")
    page.locator(".lsf-choices:visible").nth(number).locator(".lsf-choice", has_text=wanted).first.click()


def mark(page: Page, step: dict[str, Any]) -> None:
    page.locator(".lsf-label", has_text=step["mark"]).first.click()
    page.locator(".lsf-richtext").nth(step["in"]).scroll_into_view_if_needed()
    first = page.evaluate(BOX, [step["in"], step["start"]])
    last = page.evaluate(BOX, [step["in"], step["end"] - 1])
    page.mouse.move(first[0] + 0.5, first[2])
    page.mouse.down()
    page.mouse.move((first[0] + last[1]) / 2, last[2], steps=4)
    page.mouse.move(last[1] - 0.5, last[2], steps=4)
    page.mouse.up()
    page.wait_for_timeout(300)
    if "rate" in step:
        page.mouse.click(first[0] + 2, first[2])
        page.wait_for_timeout(200)
        tick(page, 0, step["rate"])
    page.keyboard.press("Escape")


def press(page: Page, name: str) -> None:
    """Click a button by its name or text; if it saves, wait for the response, as the page sends in the background."""
    button = page.locator(f"button[aria-label='{name}'], button[data-testid='{name}'], button:has-text('{name}')").first
    if name in SAVING:
        with page.expect_response(lambda one: "/annotations" in one.url and one.request.method in ("POST", "PATCH")):
            button.click()
    else:
        button.click()
    page.wait_for_timeout(1500)


def play(page: Page, step: dict[str, Any], shots: str | None) -> None:
    if "mark" in step:
        mark(page, step)
    elif "tick" in step:
        tick(page, step["of"], step["tick"])
    elif "type" in step:
        field = page.locator(".lsf-controls textarea, textarea, input[type=text], input[type=number]").nth(step["of"])
        field.click()
        field.fill(step["type"])
    elif "press" in step:
        press(page, step["press"])
    elif "wait" in step:
        page.wait_for_timeout(step["wait"])
    elif shots is not None:
        page.screenshot(path=f"{shots}/{step['shot']}.png")
    page.wait_for_timeout(200)


def main() -> None:
    asked = json.load(sys.stdin)
    elsewhere: set[str] = set()
    with sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=asked["chromium"], args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(30_000)
        page.on("request", lambda one: elsewhere.add(one.url))
        page.goto(asked["join"])
        page.fill("input[name=email]", asked["email"])
        page.fill("input[name=password]", asked["password"])
        page.click("button[type=submit]")
        page.wait_for_load_state("networkidle")
        for address, steps in asked["tasks"]:
            page.goto(asked["url"] + address)
            page.wait_for_selector(".lsf-richtext__line", state="attached")
            page.wait_for_timeout(800)
            for close in page.locator("button[aria-label='Close modal']").all():
                close.click()
            page.wait_for_timeout(400)
            try:
                for step in steps:
                    play(page, step, asked["shots"])
            except Exception:
                if asked["shots"] is not None:
                    page.screenshot(path=f"{asked['shots']}/failed.png")
                raise
        browser.close()
    json.dump(sorted(one for one in elsewhere if not one.startswith((asked["url"], "data:", "blob:"))), sys.stdout)


if __name__ == "__main__":
    main()
