"""Sentences: where scientific text ends them, and what holds for every text."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.run import ends

from scholartools.text import sentences as module
from scholartools.text.sentences import spans


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in spans(text)]


@pytest.mark.parametrize(
    "expected",
    [
        ["As shown by Smith et al. (2020), it works.", "We disagree."],
        ["This holds for Jones et al. 2019 and others.", "It was shown by Smith et al.", "We disagree."],
        ["See Fig. 3 and Figs. 4 and 5 for it.", "By Eq. (4), Sec. 3.1 and Tab. 2, it holds."],
        ["It follows from Alg. 1, Thm. 3, Lem. 1 and App. B here.", "Then we stop."],
        ["We use cues, e.g. Negation, i.e. The word not, cf. Smith, vs. The baseline.", "It works."],
        ["The value, resp. The other one, is taken w.r.t. time, a.k.a. Delay.", "It works."],
        ["The mean was 3.5 (p < .05).", "The effect had r = .3 and was good.", "So we went on."],
        ["The paper is by J. K. Smith and W. V. O. Quine.", "It is good."],
        ["This was shown before [12].", "We agree."],
        ["This was shown before. [12]", "We agree."],
        ["This was shown before.[3, 12]", "We agree.", "[13] uses it."],
        ["It was noted.3", "The next sentence says why.1,2", "We agree.\u00b9", "It ends.*", "So it does."],
        ["They studied cancer.", "Patients were many.", "We list the tasks.", "Anxiety was low.", "All agreed."],
        ["The dose was given for 6 h.", "After that it fell.", "Patients got vitamin D.", "The rest had none."],
        ["It was worse with CT.", "However, it was quick."],
        ["Drugs were given b.i.d. for three days.", "Nobody fell ill."],
        ["The tool MOVE! was used.", "Is it good?", "We think so!", "It is."],
        ["1. We read it.", "2. We wrote it."],
        ["\u65b9\u6cd5\u3002", "\u300c\u306f\u3044\u3002\u300d", "\u7d50\u679c"],
        ["There is no full stop here"],
        ["The E. coli strain grew faster.", "S. aureus grew too."],
        ['He said "it works."', "They left (early.)", "We stayed."],
    ],
)
def test_sentences_of_scientific_text(expected):
    joiner = "" if "\u3002" in expected[0] else " "
    assert sentences(joiner.join(expected)) == expected
    assert sentences(("\n" if joiner else "").join(expected)) == expected


@pytest.mark.parametrize("blank", ["\n\n", "\n \t\n", "\r\n\r\n", "\n\n\n\n", "\u2029"])
def test_a_blank_line_ends_a_sentence(blank):
    assert sentences(f"by Smith et al.{blank}e.g. this and{blank}that") == ["by Smith et al.", "e.g. this and", "that"]


def test_a_line_break_alone_does_not():
    assert sentences("We went\nhome. It\nrained.") == ["We went\nhome.", "It\nrained."]


@pytest.mark.parametrize("text", ["", " ", "\n\n\n", "\t \u2003\n"])
def test_no_sentence_in_nothing(text):
    assert spans(text) == []


PIECES = st.sampled_from(
    ["We ", "a", "Fig. ", "et al. ", ".", "? ", "!", "\n", "\n\n", " ", "[12] ", "3", "The ", "e.g. ", ")", '"', "\u3002",
     "\U0001f600", "\u00b9", "x" * 450, "\u2029", "\x1c", "\r\n", "A. ", "1. "]
)  # fmt: skip


@settings(max_examples=300)
@given(st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=40).map("".join)))
def test_what_holds_for_every_text(text):
    found = spans(text)
    assert all(0 <= start < end <= len(text) for start, end in found)
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(found))
    assert all(text[start:end] == text[start:end].strip() for start, end in found)
    covered = {place for start, end in found for place in range(start, end)}
    assert all(text[place].isspace() for place in range(len(text)) if place not in covered)
    assert spans(text) == found


WORDS = st.sampled_from(
    ["we", "We", "In", "tasks.", "approx.", "Fig.", "figs.", "resp.", "al.", "et", "xiv.", "Iv", "A", "A.", "U.S.", "3.5",
     "3.", "12", "(p", ".05).", "COPD.", "etc.", "e.g.", "post-stroke.", "done.)", "what?", "...", "[12]", "was", "Dr.",
     "caf\u00e9.", "\u3002", "Smith", "S", "vs.", "m\u1e9e.", "i.v.", "so:", "(b)", "\n", "No.", "prop.", "i.e.,"]
)  # fmt: skip


@settings(max_examples=500)
@given(st.lists(WORDS, max_size=40), st.sampled_from([" ", " ", " ", "  ", "\n"]))
def test_what_nupunkt_is_not_asked_and_what_no_table_is_asked_changes_nothing(words, joiner):
    text = joiner.join(words)
    for first, last in module.paragraphs(text):
        paragraph = text[first:last]
        proposed = {start for start, _ in module._load_segmenter().spans(paragraph, paragraph_breaks=False)}
        for pattern in [*module.BREAKS.values(), module.IDEOGRAPHIC_BREAK]:
            proposed |= {found.end() for found in re.finditer(pattern, paragraph)}
        kept = [start for start in sorted(proposed) if start > 0 and not named(paragraph, start)]
        assert module._sentence_starts(paragraph) == [0, *kept]


def named(paragraph: str, start: int) -> bool:
    """What the table says of a boundary, entry by entry."""
    window = max(0, start - module._WINDOW)
    return any(
        re.compile(after).match(paragraph, start) and re.compile(before).search(paragraph, window, start)
        for before, after in module.NEVER.values()
    )


@settings(max_examples=50)
@given(st.lists(PIECES, max_size=20).map("".join), st.lists(PIECES, max_size=20).map("".join))
def test_paragraphs_do_not_touch_each_other(first, second):
    shift = len(first) + 2
    moved = [(start + shift, end + shift) for start, end in spans(second)]
    assert spans(f"{first}\n\n{second}") == spans(first) + moved


@pytest.mark.parametrize(
    "unit", ["a", ".", "\n", ".)", "?!", "[1].", '."', "Fig. ", "We did. It is so! ", "\n \n", " "]
)
def test_junk_takes_linear_time(unit):
    with ends():
        spans((unit * 100_000)[:100_000])


@given(st.text("aB1 !?.\n", max_size=40))
def test_a_mark_in_a_name_is_found_as_by_what_stands_before_it(text):
    slow = re.compile(r"(?<=[a-z])[!?](?= [a-z])")
    assert module._MARK_IN_A_NAME.sub(",", text) == slow.sub(",", text)
