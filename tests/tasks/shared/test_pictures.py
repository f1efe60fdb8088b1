"""Which figures and tables a text names."""

from __future__ import annotations

import pytest

from scholartools.tasks.shared.pictures import mentioned_captions

CAPTIONS = [
    {"id": f"{kind}{number}", "kind": kind, "label": f"{kind.title()} {number}", "text": "", "image": None}
    for kind in ("figure", "table") for number in ("1", "2", "3", "12", "A1")
]  # fmt: skip


@pytest.mark.parametrize(("text", "named"), [
    ("see Figure 2 and Fig. 3b", "figure2 figure3"),
    ("Figs. 1, 2 and 3", "figure1 figure2 figure3"),
    ("Tables 1-3 show", "table1 table2 table3"),
    ("(Fig. A1, Table 12)", "figureA1 table12"),
    ("FIGURE 1 and fig 2", "figure1 figure2"),
    ("figures 1 to 3", "figure1 figure2 figure3"),
    ("Figures 1\u201399999999999999", "figure1 figure2 figure3 figure12"),
    ("We figure 2 of them are stable 3 times", "figure2"),
    ("No table, no figure.", ""),
])  # fmt: skip
def test_what_a_text_names(text, named):
    found = mentioned_captions(text, CAPTIONS, ["figure", "table"])
    assert " ".join(one["id"] for one in found) == named
    assert not mentioned_captions(text, CAPTIONS, [])
