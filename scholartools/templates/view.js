"use strict";
(() => {
  const all = (what, where = document) => [...where.querySelectorAll(what)];
  const search = document.getElementById("search");
  const found = document.getElementById("found");
  const places = all("[data-searched]");

  // Search: articles (or rows of the index) that hold all words stay.
  const look = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    for (const place of places) {
      place.searched ??= place.textContent.toLowerCase();
      const holds = words.every((word) => place.searched.includes(word));
      place.hidden = !holds;
      n += holds ? 1 : 0;
    }
    found.textContent = words.length ? `${n} of ${places.length}` : "";
  };
  let waiting = 0;
  if (search) {
    for (const one of all(".scripted")) one.hidden = false;
    search.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(look, 120); });
  }

  // The index is sorted by a click on a heading of its table.
  for (const [column, heading] of all("table.index th").entries()) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const down = heading.getAttribute("aria-sort") === "ascending";
      for (const other of all("table.index th")) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      const body = heading.closest("table").tBodies[0];
      const key = (row) => row.cells[column].dataset.key ?? row.cells[column].textContent;
      const rows = [...body.rows].sort((one, other) => key(one).localeCompare(key(other), undefined, { numeric: true }));
      body.append(...(down ? rows.reverse() : rows));
    });
  }

  // Keys: n and p go from mark to mark, / to the search, ? shows them.
  const help = document.getElementById("keys");
  const step = (by) => {
    // asking each mark whether it is visible would lay out the whole page: 3.3 s with 10,000 marks, 0.1 s so
    const off = all("nav input[type=checkbox]:not(:checked)").map((box) => box.id.slice("show-".length));
    const isShown = (mark) => !off.some((kind) => mark.classList.contains(kind)) && !mark.closest("[hidden]");
    const marks = all("mark a.ref, a.exchange").filter(isShown);
    if (!marks.length) return;
    const here = marks.indexOf(document.activeElement);
    const next = marks[here < 0 ? (by > 0 ? 0 : marks.length - 1) : (here + by + marks.length) % marks.length];
    next.focus();
    next.scrollIntoView({ block: "center" });
  };
  const keys = {
    n: () => step(1),
    p: () => step(-1),
    "/": () => search?.focus(),
    "?": () => { if (help) help.open = !help.open; },
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input[type=search], textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
})();
