"""Structured abstracts: each character belongs to the part that it was written for."""

from __future__ import annotations

from itertools import product

import pytest
from support.structured_abstracts import draw

from scholartools.tasks.facets import decoding
from scholartools.tasks.facets.facet_sets import LABELS
from scholartools.tasks.facets.headings import find_headings

B, M, R, C, O = LABELS


def parts_of(text: str) -> list[str]:
    starts = [start for start, _ in find_headings(text)]
    return [text[start:end].rstrip() for start, end in zip(starts, [*starts[1:], len(text)])]


class TestGenerated:
    """Styles of headings times what a part can end with; the parts are known, for the text is made of them."""

    @pytest.mark.parametrize("seeds", [range(1500), pytest.param(range(10_000, 60_000), marks=pytest.mark.slow)])
    def test_each_heading_begins_where_it_was_written(self, seeds: range) -> None:
        for seed in seeds:
            text, parts, starts = draw(seed)
            known = [(start, (LABELS.index(part.facet),)) for start, part in zip(starts, parts)]
            assert find_headings(text) == known, (seed, text)

    def test_headings_in_small_letters_are_found_where_they_have_colons(self) -> None:
        n = 0
        for seed in range(4000):
            _, parts, _ = draw(seed)
            numbered = parts[0].heading.startswith(("I ", "I\u00a0"))
            if numbered or not all(part.heading.rstrip(" :\n\r\u00a0").replace(" ", "").isalpha() for part in parts):
                continue
            text, known = "", []
            for part in parts:
                known.append((len(text), (LABELS.index(part.facet),)))
                text += f"{part.heading.rstrip().rstrip(':').lower()}: {part.text} "
            if all(part.text[-1] in ".?" or part.text.endswith((".12", ".[3]")) for part in parts):
                assert find_headings(text.rstrip()) == known, (seed, text)
                n += 1
        assert n > 200

    def test_each_character_is_labelled_by_its_part(self) -> None:
        drawn = [draw(seed) for seed in range(300)]
        for (text, parts, starts), labelled in zip(drawn, decoding.label_sentences([text for text, *_ in drawn])):
            said = [""] * len(text)
            for label, start, end in labelled:
                said[start:end] = [label] * (end - start)
            for part, start in zip(parts, starts):
                written = range(start, start + len((part.heading + part.text).rstrip()))
                wrong = [place for place in written if said[place] != part.facet and not text[place].isspace()]
                assert not wrong, (text, part, text[wrong[0] :])


class TestNumbers:
    """Ways of writing numbers times case times what stands between the parts; the numbers belong to the headings."""

    COUNTS = (["1", "2", "3", "4"], ["I", "II", "III", "IV"], ["i", "ii", "iii", "iv"], list("abcd"), list("ABCD"))
    FORMS = ("{} ", "{}. ", "({}) ", "{}) ", "[{}] ", "{}.\u00a0", "{}.", "{}  ", "{}.\t")
    NAMES = ("Background", "Methods", "Results", "Conclusions")
    SAID = ("Birds are few.", "Few were seen from 2000 to 2020.", "We saw 12 of 20 (p < 0.05).", "It is known [12].")

    @pytest.mark.parametrize("between", [" ", "  ", "\n", "\r\n", "\n\n", "\n \n"])
    @pytest.mark.parametrize("form", FORMS)
    @pytest.mark.parametrize("counts", COUNTS, ids=lambda counts: counts[0])
    def test_a_number_goes_with_its_heading(self, counts: list[str], form: str, between: str) -> None:
        if form.strip() == "{}" and counts[0] not in "1I":
            pytest.skip("a letter alone is no number")
        for loud, after in product((True, False), (": ", ". ", " - ", "\n", ":")):
            text, starts = "", []
            for count, name, said in zip(counts, self.NAMES, self.SAID):
                starts.append(len(text))
                text += f"{form.format(count)}{name.upper() if loud else name}{after}{said}{between}"
            assert [start for start, _ in find_headings(text.rstrip())] == starts, text

    @pytest.mark.parametrize("end", ["as known. 12", "from 2000 to 2020.", "in 20 rats\n", "of type 2.", "in phase II.", "at 5.",
                                     "of vitamin A.", "as known.12", "seen (a).", "as in J. A.", "in Fig. 3.", "65."])  # fmt: skip
    @pytest.mark.parametrize("loud", [True, False])
    def test_a_number_of_the_text_stays_with_the_text(self, end: str, loud: bool) -> None:
        text, starts = "", []
        for name in self.NAMES:
            starts.append(len(text))
            text += f"{name.upper() if loud else name}: Few were seen {end} "
        assert [start for start, _ in find_headings(text.rstrip())] == starts, text


class TestCases:
    def test_the_last_digits_of_a_year_stay_with_the_text_before(self) -> None:
        text = "BACKGROUND: Birds were counted from 2000 to 2020.\n\nMETHODS: We counted.\n\nRESULTS: Many."
        assert parts_of(text) == [
            "BACKGROUND: Birds were counted from 2000 to 2020.",
            "METHODS: We counted.",
            "RESULTS: Many.",
        ]

    def test_a_decimal_stays_whole(self) -> None:
        text = "Background: The mean was 1.5. Methods: We counted. Results: Many."
        assert parts_of(text) == ["Background: The mean was 1.5.", "Methods: We counted.", "Results: Many."]

    def test_numbers_of_headings_follow_each_other(self) -> None:
        text = "1. Background: Of those aged 18 to 65. 2. Methods: We counted. 3. Results: Many."
        assert parts_of(text) == [
            "1. Background: Of those aged 18 to 65.", "2. Methods: We counted.", "3. Results: Many.",
        ]  # fmt: skip

    def test_a_heading_without_known_name_leaves_no_gap(self) -> None:
        text = "(1) Background: Birds. (2) Gap: None. (3) Methods: We counted. (4) Results: Many."
        assert parts_of(text) == [
            "(1) Background: Birds. (2) Gap: None.",
            "(3) Methods: We counted.",
            "(4) Results: Many.",
        ]

    def test_a_sentence_that_starts_with_a_name_is_no_heading_where_headings_have_colons(self) -> None:
        text = "Background: Old age. Results: Many died. Patients 65 or older died more. Conclusion: Old age."
        assert [label for label, *_ in decoding.label_sentences([text])[0]] == [B, R, R, C]

    def test_a_line_that_wraps_is_no_heading(self) -> None:
        text = "Background: Little is known. Methods\nof others differ. Results: Many. Conclusion: Few."
        assert len(find_headings(text)) == 3

    def test_tags_of_a_title_belong_to_the_heading(self) -> None:
        text = "<p>Old.</p><title>Methods</title><p>Counts.</p><title>Results</title><p>Many.</p>"
        assert parts_of(text) == ["<title>Methods</title><p>Counts.</p>", "<title>Results</title><p>Many.</p>"]
