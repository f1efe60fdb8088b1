"""Places of passages, whatever the text: in both units, shifted, with line ends as Label Studio writes them."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.annotators import fill_csv, fill_label_studio, fill_tasks

from scholartools.tasks.annotate.answers import check_row
from scholartools.tasks.annotate.assignment import Plan
from scholartools.tasks.annotate.batch import BatchWriter, read_batch
from scholartools.tasks.annotate.description import MOVED_SPAN, Fault, Item, Kind, Part, Spans
from scholartools.tasks.annotate.exports import export_files
from scholartools.tasks.annotate.passages import locate_passage, placed_spans, unit_of, with_written_line_ends
from scholartools.tasks.annotate.returns import read_file

CHARACTERS = st.sampled_from([*"ab \r\n\t\\n$.", "🐝", "𝒙", "é", "e\u0301", "\u2028", "\u200b", "א", "ab", "bees bees"])
TEXTS = st.lists(CHARACTERS, min_size=1, max_size=40).map("".join)


def placed(text: str, start: int, end: int, unit: str, *, written: bool = False) -> dict:
    places = (len(text[:place].encode("utf-16-le")) // 2 if unit == "utf-16" else place for place in (start, end))
    shown = with_written_line_ends(text[start:end]) if written else text[start:end]
    return dict(zip(("start", "end"), places, strict=True), text=shown, label="x")


@given(TEXTS, st.data(), st.sampled_from(["code-points", "utf-16"]), st.booleans())
def test_a_span_comes_back_as_it_was_marked(text, data, unit, written):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    span = placed(text, start, end, unit, written=written)
    (found,), n_moved = placed_spans([span], Part("t", "T", text), unit)
    assert (found["start"], found["end"], found["text"], n_moved) == (start, end, text[start:end], 0)


@given(TEXTS, st.data(), st.sampled_from([-2, -1, 1, 2, 50]))
def test_a_shifted_span_is_at_its_true_place_or_none(text, data, shift):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    span = placed(text, start, end, "code-points")
    span |= {"start": start + shift, "end": end + shift}
    try:
        (found,), _ = placed_spans([span], Part("t", "T", text), "code-points")
    except Fault as fault:
        assert fault.reason == MOVED_SPAN
        return
    assert text[found["start"] : found["end"]] == found["text"]
    assert (
        "".join(found["text"].split()) == "".join(span["text"].split()) or found["text"].strip() == span["text"].strip()
    )


def test_a_passage_within_a_word_is_not_sought_in_another_writing_elsewhere():
    """A letter with its accent in one character, marked in a word, was found where it stands alone in two."""
    with pytest.raises(Fault, match="2 times"):
        locate_passage("\u00e9", Part("t", "T", "\u00e9a e\u0301"))
    assert locate_passage("\u00e9", Part("t", "T", "a e\u0301"))["start"] == 2


@given(st.lists(st.tuples(TEXTS, st.data()), min_size=1, max_size=5), st.sampled_from(["code-points", "utf-16"]))
def test_the_unit_of_a_file_is_that_in_which_it_was_written(files, unit):
    spans = []
    for text, data in files:
        start = data.draw(st.integers(0, len(text) - 1))
        end = data.draw(st.integers(start + 1, len(text)))
        spans.append((text, placed(text, start, end, unit), start))
    try:
        found = unit_of((text, span) for text, span, _ in spans)
    except Fault:  # a repeated word fits in the other unit, too, and another span does not
        return
    if found != unit:  # then every span of the file fits in it as well
        for text, span, _ in spans:
            (one,), n_moved = placed_spans([span], Part("t", "T", text), found)
            assert one["text"] == span["text"] and n_moved == 0


def test_repeated_words_behind_an_emoji():
    text = "🐝 bees bees"
    assert unit_of([(text, placed(text, 7, 11, "utf-16"))]) == "utf-16"
    assert unit_of([(text, placed(text, 7, 11, "code-points"))]) == "code-points"
    with pytest.raises(Fault, match="which of them is meant"):
        unit_of([(text, placed(text, 7, 11, "utf-16")), (text, placed(text, 2, 6, "code-points"))])


def test_line_ends_as_label_studio_writes_them():
    text = "Line one.\r\nLine two bees."
    (found,), _ = placed_spans(
        [{"start": 5, "end": 19, "text": "one.\\n\\nLine two", "label": "x"}], Part("t", "T", text), "code-points"
    )
    assert found["text"] == "one.\r\nLine two"
    latex = "$\\nu$\r\n$\\nabla$"
    (found,), _ = placed_spans(
        [{"start": 0, "end": len(latex), "text": "$\\nu$\\n\\n$\\nabla$", "label": "x"}],
        Part("t", "T", latex),
        "code-points",
    )
    assert found["text"] == latex


@settings(max_examples=40)
@given(st.lists(st.tuples(TEXTS | st.text(min_size=1), st.data()), min_size=1, max_size=3), st.booleans())
def test_what_is_exported_and_filled_in_comes_back(files, in_units):
    """Any text and spans, as our own tasks and as an export of Label Studio; a sheet shows each text as it is."""
    texts = [text for text, _ in files if text.strip()]
    kind = Kind("own", "T", "a text", "", (Spans("s", "Which?", part="t", labels=("x", "y")),), lambda _: ())
    items = [Item(f"p{n}", f"p{n}", "", (Part("t", "Text", text),)) for n, text in enumerate(texts)]
    said: dict = {}
    for item, (text, data) in zip(items, (one for one in files if one[0].strip()), strict=True):
        places = st.tuples(st.integers(0, len(text) - 1), st.integers(1, 9), st.sampled_from("xy"))
        drawn = {
            (start, min(start + n, len(text)), label) for start, n, label in data.draw(st.lists(places, max_size=4))
        }
        said[item.id, 0] = {
            "s": [
                {"in": "t", "start": start, "end": end, "text": text[start:end], "label": label}
                for start, end, label in sorted(drawn)
                if text[start:end].strip()
            ]
        }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        decided = {"round": "main", "sample": None, "stratified": False, "same": False, "after": []}
        writer = BatchWriter(kind, Plan(("anna",), 1), decided, "")
        writer.write(folder, items)
        if not items:
            return
        writer.end(folder, 0)
        batch = read_batch(name)
        for form in ("jsonl", "label-studio", "csv"):
            list(export_files(batch, form, []))
        done = {key: {"s": []} for key in said}
        for path, wanted in (
            (fill_tasks(folder, "anna", said, units=in_units), said), (fill_label_studio(folder, "anna", said), said),
            (fill_csv(folder, "anna", done), done),
        ):  # fmt: skip
            unit = ("utf-16" if in_units else "code-points") if path.suffix == ".jsonl" else None
            checked = [check_row(batch, row) for row in read_file(batch, str(path), "anna", unit)]
            assert [one.faults for one in checked] == [[]] * len(items)
            assert {(one.record["item"], 0): one.record["answers"] for one in checked} == wanted
            assert not any(one.n_moved for one in checked)
