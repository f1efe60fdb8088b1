"""Facets of abstracts and summaries: what the built-in labelling says, and what holds for any text."""

from __future__ import annotations

import copy
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.run import ends

from scholartools import records
from scholartools.errors import InputFault
from scholartools.tasks import facets
from scholartools.tasks.facets import cues as tables
from scholartools.tasks.facets import decoding
from scholartools.tasks.facets.network import packaged_model
from scholartools.tasks.judge.facet_ratings.builtin import facets_builtin

B, M, R, C, O = facets.LABELS

TRIAL = [
    (B, "Falls are a leading cause of injury among older adults, but little is known about balance games at home."),
    (B, "The aim of this study was to determine whether a tablet game reduces falls."),
    (M, "We randomly assigned 212 adults aged 70 years or older to the game or to usual care for 12 months."),
    (M, "The primary outcome was the number of falls, recorded weekly in a diary."),
    (R, "Falls occurred in 31% of the game group and 45% of the control group (odds ratio 0.55, 95% CI 0.31 to 0.97)."),
    (R, "There were no significant differences in grip strength (p = 0.41)."),
    (C, "These findings suggest that balance games may be a useful addition to fall prevention."),
]
COMPUTING = [
    (B, "Citation graphs are growing rapidly, and existing search tools often fail on rare topics."),
    (B, "However, labelled data for such topics remains scarce."),
    (M, "We propose a retrieval method that combines random walks with a sparse index."),
    (M, "The algorithm first samples paths and then ranks papers using their overlap."),
    (R, "Experimental results show that our method outperforms four baselines and reaches an accuracy of 81%."),
]
SURVEY = [
    (B, "Many libraries have become meeting places, yet it remains unclear who uses them in the evening."),
    (B, "This study aimed to describe evening visitors in three towns."),
    (M, "Questionnaires were administered to 540 visitors and analysed using logistic regression."),
    (R, "Evening visitors were younger than day visitors (mean age 27 versus 48 years, p < 0.001)."),
    (R, "Most of the respondents (62%) reported that they had no desk at home."),
    (C, "In conclusion, evening hours serve people without a place to study, and further research is needed."),
]


def joined(labelled: list[tuple[str, str]], space: str = " ") -> str:
    return space.join(sentence for _, sentence in labelled)


def said(text: str) -> list[tuple[str, str]]:
    return [(label, text[start:end]) for label, start, end in decoding.label_sentences([text])[0]]


def labels(text: str) -> list[str]:
    return [label for label, _, _ in decoding.label_sentences([text])[0]]


def only(text: str, **more: Any) -> dict[str, Any]:
    """The facets of the only text of a record."""
    [entry] = facets.label({"id": "p", "abstract": text, **more})["facets"]
    return entry


class TestAbstractsWithoutHeadings:
    @pytest.mark.parametrize("abstract", [TRIAL, COMPUTING, SURVEY])
    def test_labels_are_those_a_person_gives(self, abstract: list[tuple[str, str]]) -> None:
        assert said(joined(abstract)) == abstract

    @pytest.mark.parametrize("space", ["\n", "\r\n", "\r\n\r\n", "\u00a0", "\u2003"])
    def test_white_space_between_sentences_does_not_matter(self, space: str) -> None:
        assert said(joined(TRIAL, space)) == TRIAL

    @pytest.mark.parametrize(
        ("text", "label"),
        [
            ("The aim of this study is to examine how students read maps", B),
            ("We recruited 40 nurses and measured their heart rate with a chest strap", M),
            ("Mortality was significantly lower in the treated group (3.1% vs 7.9%, p < 0.01)", R),
            ("We conclude that larger trials are warranted and should be considered", C),
        ],
    )
    def test_a_single_sentence_without_full_stop(self, text: str, label: str) -> None:
        assert said(text) == [(label, text)]

    @pytest.mark.parametrize(
        "notice",
        [
            "Copyright 2019 The Authors.",
            "© 2019 Published on behalf of the society.",
            "Keywords: maps, reading, students.",
            "ClinicalTrials.gov identifier NCT01234567.",
            "JEL classification: C10, D80.",
        ],
    )
    def test_what_is_no_part_of_the_argument_is_other(self, notice: str) -> None:
        assert said(f"{joined(TRIAL)} {notice}") == [*TRIAL, (O, notice)]

    @pytest.mark.parametrize(
        "conclusion",
        [
            "These results indicate that ponds serve frogs as loudspeakers.",
            "Our findings suggest that ponds serve frogs as loudspeakers.",
            "The results suggest that frogs choose ponds for their sound.",
            "These data support the view that frogs choose ponds for their sound.",
        ],
    )
    def test_what_results_mean_is_a_conclusion_outside_medicine_too(self, conclusion: str) -> None:
        before = (
            "Frog calls carry over water. We recorded calls at 40 ponds and modelled their attenuation. Calls were 6 dB "
            "louder over water than over grass."
        )
        assert labels(f"{before} {conclusion}")[-1] == C

    @pytest.mark.parametrize("number", ["", "4. "])
    def test_synthesis_and_applications_head_a_conclusion(self, number: str) -> None:
        heading = f"{number}Synthesis and applications."
        text = (
            "Hedges feed bees, but few have counted. We planted hedges on twelve farms. Farms with hedges had 30% more "
            f"bees than farms without. {heading} Our results show that hedges bring bees back."
        )
        found = only(text)
        assert found["conclusion"]["text"].startswith(heading)
        assert heading not in found["result"]["text"]

    def test_a_heading_word_alone_is_no_structure(self) -> None:
        text = joined([(label, sentence) for label, sentence in TRIAL if label != C]) + " Results: see the appendix."
        assert labels(text)[:2] == [B, B]


# Contrary cues under each heading: only the headings can lead to the labels.
PARTS = [
    (B, "Background", "We measured 20 samples with a laser."),
    (M, "Methods", "These findings suggest that lasers are useful."),
    (R, "Results", "The aim of this study was to find out more."),
    (C, "Conclusions", "We randomly assigned 40 patients to two groups."),
]


class TestHeadings:
    @pytest.mark.parametrize("after", [": ", ":\n", " - ", " \u2013 ", "\u2014", "\n", "\r\n", ". ", " "])
    @pytest.mark.parametrize("case", [str.title, str.upper])
    @pytest.mark.parametrize("between", [" ", "\n", "\r\n\r\n"])
    def test_headings_label_what_follows(self, after: str, case: Any, between: str) -> None:
        text = between.join(f"{case(heading)}{after}{sentence}" for _, heading, sentence in PARTS)
        entry = only(text)
        for facet, heading, sentence in PARTS:
            assert entry[facet]["text"].startswith(case(heading))
            assert entry[facet]["text"].endswith(sentence)

    @pytest.mark.parametrize("heading", ["({}) {}: ", "{}. {}: ", "**{1}:** ", "## {1}\n", "[{1}] "])
    def test_numbers_and_marks_stay_with_their_heading(self, heading: str) -> None:
        parts = [f"{heading.format(n, name)}{sentence}" for n, (_, name, sentence) in enumerate(PARTS, 1)]
        text = "\n".join(parts)
        entry = only(text)
        assert [entry[facet]["text"] for facet, _, _ in PARTS] == parts

    @pytest.mark.parametrize(
        ("heading", "facet"),
        [
            ("Objective", B), ("Aims", B), ("Purpose of the study", B), ("Background and aims", B), ("Context", B),
            ("Study question", B), ("Design", M), ("Setting", M), ("Materials and Methods", M), ("Participants", M),
            ("Design, setting, and participants", M), ("Main outcome measures", M), ("Methods/Design", M),
            ("Findings", R), ("Main results", R), ("Interpretation", C), ("Conclusions and relevance", C),
            ("Clinical significance", C), ("Trial registration", O), ("Funding", O),
        ],
    )  # fmt: skip
    def test_names_of_headings(self, heading: str, facet: str) -> None:
        sentence = "Something else entirely is said here."
        text = f"Introduction: One. Method: Two. Result: Three. {heading}: {sentence} Conclusion: Five."
        assert (facet, f"{heading}: {sentence}") in said(text)

    def test_a_heading_of_two_facets_leaves_the_choice_between_them(self) -> None:
        text = (
            "Aim: To learn how cats sleep. Methods and results: We filmed 30 cats for two weeks. Cats slept "
            "significantly longer in winter (p < 0.01). Conclusion: Cats sleep more in winter."
        )
        assert labels(text) == [B, M, R, C]

    def test_a_heading_inside_a_sentence_breaks_it(self) -> None:
        text = "OBJECTIVE: To count birds METHODS: Two people counted RESULTS: 40 birds CONCLUSION: Few birds"
        assert [sentence.split(":")[0] for _, sentence in said(text)] == [
            "OBJECTIVE",
            "METHODS",
            "RESULTS",
            "CONCLUSION",
        ]
        assert labels(text) == [B, M, R, C]

    def test_loud_headings_of_several_words_are_one(self) -> None:
        text = "AIM: To rest. MATERIALS AND METHODS: Cats. RESULTS AND METHODS: We filmed 30 cats. CONCLUSION: Rest."
        assert [sentence for _, sentence in said(text)][1:3] == [
            "MATERIALS AND METHODS: Cats.",
            "RESULTS AND METHODS: We filmed 30 cats.",
        ]
        assert labels(text) == [B, M, M, C]

    def test_text_before_the_first_heading_is_labelled_by_its_cues(self) -> None:
        text = "Little is known about the sleep of cats. Methods: We filmed cats. Results: Cats slept."
        assert labels(text) == [B, M, R]


class TestManyRecords:
    def test_they_are_those_of_each_alone_and_a_fault_stands_in_its_place(self) -> None:
        given = [{"abstract": joined(TRIAL)}, {"id": "no abstract"}, {"abstract": joined(SURVEY)}, {"abstract": 1}]
        found = [*facets.label_all(record for record in given)]
        assert [found[0], found[2]] == [facets.label(given[0]), facets.label(given[2])]
        assert [type(fault) for fault in found[1::2]] == [InputFault, InputFault]

    def test_a_long_text_does_not_wait_for_the_next(self) -> None:
        given = iter([{"id": number, "abstract": "Cats sleep. " * 9000} for number in range(3)])
        next(facets.label_all(given))
        assert [record["id"] for record in given] == [1, 2]

    @pytest.mark.parametrize(
        "record", [{"abstract": "\ud800 Cats."}, {"summaries": [{"system": "\ud800", "text": "Cats."}]}]
    )
    def test_half_a_character_is_refused(self, record: dict[str, Any]) -> None:
        with pytest.raises(InputFault, match="contains an unpaired surrogate"):
            facets.label(record)

    def test_bytes_are_no_text(self) -> None:
        with pytest.raises(InputFault, match='^"abstract": '):
            facets.label({"abstract": b"Cats sleep."})


class TestRecords:
    def test_one_entry_for_each_text_in_order(self) -> None:
        summaries = [{"system": "b", "text": joined(SURVEY)}, {"system": "a", "text": ""}]
        record = {"id": "p", "abstract": joined(TRIAL), "summaries": summaries}
        found = facets.label(record)["facets"]
        assert [entry["in"] for entry in found] == ["abstract", "summary:b", "summary:a"]
        assert {entry["by"] for entry in found} == {"builtin"}
        assert [found[2][facet] for facet in facets.LABELS] == [None] * 5
        assert records.read({"facets": found}, "facets") == found

    def test_neighbours_of_one_facet_are_one_span_with_the_space_between(self) -> None:
        text = joined(TRIAL, " \n ")
        entry = only(text)
        assert [entry[facet] and len(entry[facet]["spans"]) for facet in facets.LABELS] == [1, 1, 1, 1, None]
        assert entry[B]["text"] == " \n ".join(sentence for label, sentence in TRIAL if label == B)

    def test_unknown_keys_pass_and_the_record_stays_as_it_was(self) -> None:
        record = {"id": "p", "abstract": joined(TRIAL), "mine": {"deep": [1]}, "provenance": []}
        before = copy.deepcopy(record)
        labelled = facets.label(record)
        assert record == before
        assert {key: labelled[key] for key in ("id", "abstract", "mine")} == {
            key: before[key] for key in ("id", "abstract", "mine")
        }

    def test_provenance_is_added_and_follows_the_texts(self) -> None:
        def signed(record: dict[str, Any]) -> str:
            entry = facets.label(record)["provenance"][-1]
            assert entry["command"] == "st-facets"
            return entry["signature"]

        record = {"id": "p", "abstract": "A cat slept."}
        assert signed(record) == signed({**record, "id": "q", "title": "other"})
        assert signed(record) != signed({**record, "abstract": "A dog slept."})
        assert signed(record) != signed({**record, "summaries": [{"system": "s", "text": "A cat."}]})
        assert f"network={packaged_model().version}" in signed(record)
        assert f"rules={tables.VERSION}" in signed(record)

    @pytest.mark.parametrize("record", [{}, {"summaries": []}, {"sections": []}])
    def test_a_record_that_was_not_parsed(self, record: dict[str, Any]) -> None:
        with pytest.raises(
            InputFault,
            match='^no "abstract" or "summaries": name the key or column of it "abstract", or run st-parse first$',
        ) as fault:
            facets.label({"id": "p", **record})
        assert fault.value.kind == "missing-key"

    @pytest.mark.parametrize(
        "record", [{"abstract": None}, {"abstract": ""}, {"abstract": " \n\t"}, {"abstract": " ", "summaries": []}]
    )
    def test_a_paper_without_abstract(self, record: dict[str, Any]) -> None:
        with pytest.raises(InputFault, match='^the "abstract" is empty, and there are no "summaries"$') as fault:
            facets.label({"id": "p", **record})
        assert fault.value.kind == "missing-key"

    @pytest.mark.parametrize(
        "bad", [{"system": None, "text": "A."}, {"system": "b", "text": None}, {"text": "A."}, {"system": 5, "text": "A."}, "A", None]
    )  # fmt: skip
    @pytest.mark.parametrize("place", [0, 1])
    def test_a_summary_that_is_none_costs_itself_alone(self, bad, place) -> None:
        good = {"id": "p", "abstract": joined(TRIAL), "summaries": [{"system": "a", "text": joined(SURVEY)}]}
        summaries = [*good["summaries"][:place], bad, *good["summaries"][place:]]
        expected, found = facets.label(good), facets.label({**good, "summaries": summaries})
        assert found["facets"] == expected["facets"]
        assert found["provenance"][0]["signature"] == expected["provenance"][0]["signature"]
        [fault] = found["errors"]
        assert fault["kind"] == "missing-items" and fault["missing"] == 1 and f"summaries.{place}" in fault["reason"]
        rated = facets_builtin(found)
        assert rated["judgements"] == facets_builtin(expected)["judgements"]
        assert [one["command"] for one in rated["errors"]] == ["st-facets", "st-judge"]
        again = facets.label({**found, "summaries": good["summaries"]})
        assert "errors" not in again

    def test_a_blank_abstract_beside_summaries_has_no_facet(self) -> None:
        found = facets.label({"id": "p", "abstract": " ", "summaries": [{"system": "s", "text": "We conclude."}]})[
            "facets"
        ]
        assert [entry["in"] for entry in found] == ["abstract", "summary:s"]
        assert [found[0][facet] for facet in facets.LABELS] == [None] * 5

    @pytest.mark.parametrize(
        ("wrong", "place"),
        [
            ({"abstract": 7}, "abstract"),
            ({"summaries": [{"system": "s"}]}, "summaries.0.text"),
            ({"summaries": "text"}, "summaries"),
            ({"summaries": [{"system": "s", "text": "A."}, {"system": "s", "text": "B."}]}, "summary:s"),
            ({"abstract": "A.", "provenance": 3}, "provenance"),
        ],
    )
    def test_values_of_the_wrong_kind_are_named(self, wrong: dict[str, Any], place: str) -> None:
        with pytest.raises(InputFault, match=place) as fault:
            facets.label({"id": "p", **wrong})
        assert fault.value.kind == "invalid-key"

    def test_sections_are_not_read(self) -> None:
        assert facets.label({"abstract": "A cat slept.", "sections": "whatever"})["sections"] == "whatever"


WORDS = st.sampled_from(
    ["We", "propose", "results", "Results:", "METHODS", "Background.", "p < 0.05", "\u00e9t\u00e9", "\U0001d54f", "\u4e2d\u6587\u3002",
     "(1)", "et al.", "e.g.", "\r\n", "\n\n", "\t", ".", "?", "\u00a0", "Conclusions -", "\u00a9", "\u0130", "Fig. 2", "**Aim:**"]
)  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=200), st.lists(WORDS, max_size=40).map(" ".join), st.lists(WORDS, max_size=40).map("".join)
)
ENCODABLE = TEXTS.filter(lambda text: not any("\ud800" <= character <= "\udfff" for character in text))


class TestAnyText:
    @given(ENCODABLE)
    @settings(max_examples=150)
    def test_everything_but_space_is_in_one_span_of_one_facet(self, text: str) -> None:
        record = {"id": "p", "summaries": [{"system": "s", "text": text}]}
        [entry] = facets.label(record)["facets"]
        covered = [0] * len(text)
        for facet in facets.LABELS:
            if entry[facet] is None:
                continue
            spans = entry[facet]["spans"]
            assert entry[facet]["text"] == " ".join(text[span["start"] : span["end"]] for span in spans)
            assert all(
                before["end"] < after["start"] or before["end"] == after["start"] for before, after in pairwise(spans)
            )
            for span in spans:
                assert span["in"] == "summary:s"
                covered[span["start"] : span["end"]] = [n + 1 for n in covered[span["start"] : span["end"]]]
        assert all(count <= 1 for count in covered)
        assert all(count == 1 for count, character in zip(covered, text) if not character.isspace())

    @given(ENCODABLE)
    @settings(max_examples=100)
    def test_the_same_text_gives_the_same_facets_in_order(self, text: str) -> None:
        found = decoding.label_sentences([text])[0]
        assert found == decoding.label_sentences([text])[0]
        assert all(start < end for _, start, end in found)
        assert all(end <= start for (_, _, end), (_, start, _) in pairwise(found))
        assert all(text[start:end] == text[start:end].strip() for _, start, end in found)

    @pytest.mark.parametrize(
        "piece",
        [
            "We measured 20 samples. ",
            "Results and Results and ",
            "METHODS: ",
            "x",
            "\u00e9 ",
            "Main Main ",
            "( ( 1. ",
            "   \n",
            "0.0.",
            "the of ",
        ],
    )
    def test_long_texts_of_any_kind_end(self, piece: str) -> None:
        text = "A cat. " + piece * (250_000 // len(piece)) + " End."
        with ends():
            assert decoding.label_sentences([text])[0][-1][2] == len(text)

    def test_a_megabyte_of_sentences(self) -> None:
        text = (joined(TRIAL) + " ") * (1_000_000 // len(joined(TRIAL)))
        found = decoding.label_sentences([text])[0]
        assert len(found) == len(TRIAL) * (1_000_000 // len(joined(TRIAL)))


class TestTables:
    def test_headings_name_every_label(self) -> None:
        assert set(tables.HEADINGS) == set(facets.LABELS)
