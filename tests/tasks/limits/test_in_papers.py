"""st-extract-limits: which passages of a paper are its limitations, and that each is word for word in it."""

from __future__ import annotations

import copy
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import run
from support.run import ends, jsonl

from scholartools import records
from scholartools.errors import InputFault, UsageFault
from scholartools.tasks import limits
from scholartools.tasks.limits import paper_cues
from scholartools.vocabulary import ROLES

SMALL = "The sample is small."
ENGLISH = "We studied English only."


def section(
    text: str,
    heading: str = "Discussion",
    role: str = "discussion",
    level: int = 1,
    id: str = "s1",
) -> dict:
    return {
        "id": id,
        "number": None,
        "heading": heading,
        "level": level,
        "role": role,
        "pages": [1, 1],
        "text": text,
    }


def paper(*sections: dict) -> dict:
    return {
        "id": "p",
        "sections": [{**one, "id": f"s{number}"} for number, one in enumerate(sections)],
    }


def found(*sections: dict, **options) -> list[dict]:
    return limits.extract(paper(*sections), **options)["limitations"]


def texts(*sections: dict, **options) -> list[str]:
    return [item["text"] for item in found(*sections, **options)]


def reasons(*sections: dict, **options) -> list[str]:
    return [entry["reason"] for entry in limits.extract(paper(*sections), **options).get("rejected", [])]


# Explicit


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        ("Limitations", "limitation"),
        ("LIMITATIONS", "other"),
        ("Conclusion and Limitations", "conclusion"),
        ("Limitations and Future Work", "other"),
        ("Threats to Validity", "other"),
        ("Threats to Internal Validity", "other"),
        ("Strengths and weaknesses", "other"),
        ("Limitations of the Current Study", "other"),
        ("Grenzen der Studie", "limitation"),
        ("", "limitation"),
        ("Main limits", "other"),
        ("Failure cases", "experiment"),
        ("5. Known Issues", "other"),
        ("Current limits of the method", "method"),
        ("Constraints of this study", "other"),
        ("Constraints", "discussion"),
        ("Threats", "other"),
        ("Where it fails", "other"),
    ],
)
def test_a_section_headed_by_limitations_is_explicit(heading, role):
    *_, item = found(section("", "Methods", "method"), section(f"{SMALL} {ENGLISH}", heading, role))
    assert item == {
        "id": "l1",
        "origin": "author",
        "mode": "explicit",
        "by": "builtin",
        "heading": heading or None,
        "text": f"{SMALL} {ENGLISH}",
        "spans": [{"in": "s1", "start": 0, "end": len(SMALL) + 1 + len(ENGLISH)}],
    }


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        ("Limitations of Existing Methods", "limitation"),
        ("Shortcomings of previous work", "other"),
        ("Limitations", "related"),
        ("Method", "method"),
        ("Delimitations", "other"),
        ("Constraints", "method"),
        ("Limits of sequences", "other"),
        ("Threat model", "method"),
        ("Limitation extraction", "method"),
        ("Evaluation of Generated Limitations", "experiment"),
    ],
)
def test_a_section_headed_by_other_things_is_not(heading, role):
    assert (
        found(
            section("The sky is blue.", heading, role),
            section("More.", "Results", "result"),
        )
        == []
    )


@pytest.mark.parametrize(
    "heading",
    [
        "Discussion and Limitations",
        "Results, limitations and outlook",
        "Conclusion: limitations",
        "Limitations and Ethical Considerations",
        "Broader impact and limitations",
        "Limitations & Ethics",
    ],
)
def test_a_section_that_is_headed_by_other_things_too_is_searched(heading):
    text = f"We won by ten points. Bees like hedges.\n\nA limitation is the sample. {SMALL}\n\nIn sum, we won."
    (item,) = found(section(text, heading, "limitation"))
    assert (item["mode"], item["heading"]) == ("explicit", heading)
    assert item["text"] == f"A limitation is the sample. {SMALL}"
    parts = (
        section("", heading, "limitation"),
        section(text, "Bees", "other", level=2),
    )
    assert [item["text"] for item in found(*parts)] == [item["text"]]


def test_what_is_passed_over_below_a_heading_of_several_things_is_rejected():
    given = f"We won. A limitation is the sample. {SMALL} Despite these limitations, we won.\n\nRain masked the calls."
    extracted = limits.extract(paper(section(given, "Discussion and Limitations", "limitation")))
    assert [item["text"] for item in extracted["limitations"]] == [f"A limitation is the sample. {SMALL}"]
    passed_over = "the heading names other things too, and no rule finds a limitation in it"
    assert [(entry["text"], entry["reason"]) for entry in extracted["rejected"]] == [
        ("We won.", passed_over),
        ("Despite these limitations, we won.", "it looks back at limitations already stated"),
        ("Rain masked the calls.", passed_over),
    ]
    assert reasons(section("We won.", "Discussion", "discussion")) == []


def test_one_lost_heading_does_not_silence_a_paper():
    stated = "A limitation of our method is its cost."
    long = "The sky is blue. " * 400
    assert texts(
        section("", "Introduction", "introduction"),
        section(stated, "Method", "method", level=2),
    ) == [stated]
    assert texts(
        section("", "Related work", "related"),
        section(stated, "Discussion", "discussion", level=2),
    ) == [stated]
    assert texts(
        section(f"{long}\n\n{stated}", "Introduction", "introduction"),
        section("We won."),
    ) == [stated]
    general = "A limitation of the method is its cost."
    assert texts(section(general, "Introduction", "introduction"), section(long)) == []


@pytest.mark.parametrize("role", sorted(paper_cues.NO_IMPLICIT - paper_cues.NO_KEYWORD))
@pytest.mark.parametrize(
    "stated",
    [
        "A limitation of our study is its short duration.",
        "One limitation of our recorders is that wind hides quiet birds.",
        "This study has several limitations. First, the sample is small.",
        "Our system has a limitation: it needs power.",
    ],
)
def test_what_is_said_to_be_of_this_study_is_taken_from_any_section(stated, role):
    text = f"Birds are counted by ear. {stated}\n\nBirds decline."
    assert texts(section(text, "Heading", role)) == [stated]
    assert texts(section("", "Heading", role), section(text, "Sites", "other", level=2)) == [stated]
    assert found(section(text, "Heading", role), reach="section") == []


def test_subsections_belong_to_a_limitation_section():
    sections = (
        section("", "Limitations", "limitation"),
        section(SMALL, "Sample", "data", level=2),
        section("We will go on.", "Future work", "future", level=2),
        section(ENGLISH, "Languages", "other", level=2),
        section("We thank all.", "Acknowledgements", "acknowledgement"),
        section("We read.", "Reading", "other", level=2),
    )
    assert [(item["heading"], item["text"]) for item in found(*sections)] == [
        ("Sample", SMALL),
        ("Languages", ENGLISH),
    ]


def test_a_subsection_of_related_work_states_the_limitations_of_others():
    sections = (
        section("", "Related work", "related"),
        section(SMALL, "Limitations", "limitation", level=2),
    )
    assert found(*sections) == []


@pytest.mark.parametrize(
    "heading",
    [
        "Limitations",
        "Limitations of the study",
        "Limitations and future work",
        "Threats to validity",
        "5.3 Limitations",
    ],
)
@pytest.mark.parametrize("mark", [".", ":"])
def test_a_run_in_heading_names_its_paragraph(heading, mark):
    text = f"We won.\n\n{heading}{mark} {SMALL} {ENGLISH}\n\nWe are glad."
    (item,) = found(section(text))
    assert (item["mode"], item["heading"]) == ("explicit", heading.removeprefix("5.3 "))
    assert item["text"] == f"{SMALL} {ENGLISH}"


def test_a_run_in_heading_goes_on_over_items_of_its_list():
    text = f"Limitations. First, {SMALL}\n\nSecond, {ENGLISH}\n\nOutlook. We go on.\n\nThird, we win."
    assert texts(section(text)) == [f"First, {SMALL}", f"Second, {ENGLISH}"]


def test_a_heading_that_is_a_paragraph_goes_on_to_the_next_heading():
    text = f"We won.\n\nLimitations\n\n{SMALL}\n\n{ENGLISH}\n\nOutlook. We go on."
    assert texts(section(text)) == [SMALL, ENGLISH]


@pytest.mark.parametrize(
    "text",
    [
        "Limitations of previous work. It is slow.",
        "Limitations are few. We like it.",
        "Limitations.",
        "Earlier taggers share a limitation: they are slow.",
    ],
)
def test_what_is_no_run_in_heading(text):
    assert [item for item in found(section(text)) if item["mode"] == "explicit"] == []


def test_a_block_is_cut_at_paragraphs_and_enumerations():
    parts = [
        "First, it is slow. It takes days.",
        "Second, it is dear.",
        "Another limitation is the language.",
        "(iii) It is long.",
        "Finally, it is new.",
        "A last paragraph. It has two sentences.",
    ]
    text = " ".join(parts[:5]) + "\n\n" + parts[5]
    assert texts(section(text, "Limitations", "limitation")) == parts


def test_paragraphs_between_numbered_items_go_on_with_them():
    parts = [
        "First, the sample is small.\n\nIt comes from one village.\n\nNobody was paid.",
        "Second, it is dear.\n\nIt took a year.",
        "Third, it is long.",
        "Other countries may differ.",
    ]
    assert texts(section("\n\n".join(parts), "Limitations", "limitation")) == parts


@pytest.mark.parametrize(
    "parts",
    [
        [
            "It has two limits: 1) the sample is too small,",
            "2) the test took a whole day.",
        ],
        [
            "We see (i) that it is slow for long texts,",
            "(ii) that it is costly, and",
            "(iii) that nobody has tried it.",
        ],
        ["It has these limitations: 1) it needs power;", "2) it is slow;", "3) labels are noisy."],
        ["It has two drawbacks: first, it is slow;", "second, it costs money."],
        ["Firstly, it is slow;", "secondly, it costs a lot;", "thirdly, it is loud."],
    ],
)
def test_items_inside_a_sentence_are_limitations_of_their_own(parts):
    assert texts(section(" ".join(parts), "Limitations", "limitation")) == parts
    short = "It is (i) slow and (ii) dear to all of us."
    assert texts(section(short, "Limitations", "limitation")) == [short]


def test_what_is_to_be_done_is_no_limitation():
    plan = "In future work we will add languages."
    extracted = limits.extract(paper(section(f"{SMALL} {plan}\n\nWe plan to test more.", "Limitations", "limitation")))
    assert [item["text"] for item in extracted["limitations"]] == [SMALL]
    assert [(entry["text"], entry["reason"]) for entry in extracted["rejected"]] == [
        (plan, "it speaks of future work"),
        ("We plan to test more.", "it speaks of future work"),
    ]
    kept = f"{SMALL} {plan} Nobody was paid."
    assert texts(section(kept, "Limitations", "limitation")) == [kept]
    for gap in (
        "We leave other languages, which we did not test, to future work.",
        "More data is needed to lift this limitation.",
    ):
        assert texts(section(gap, "Limitations", "limitation")) == [gap]


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("None.", "it says nothing"),
        ("N/A", "it says nothing"),
        ("Not applicable.", "it says nothing"),
        ("There are no known limitations.", "it says that there is none"),
        ("We thank the reviewers for their time.", "it thanks"),
    ],
)
def test_what_states_none_under_a_heading_of_limitations_is_rejected(sentence, reason):
    for text in (sentence, f"{SMALL}\n\n{sentence}"):
        extracted = limits.extract(paper(section(text, "Limitations", "limitation")))
        assert [item["text"] for item in extracted["limitations"]] == [SMALL] * (SMALL in text)
        assert [(entry["text"], entry["reason"]) for entry in extracted["rejected"]] == [(sentence, reason)]
    stated = "There are no known limitations but one, the small sample."
    assert texts(section(stated, "Limitations", "limitation")) == [stated]


def test_a_sentence_that_announces_one_and_states_it_stands_alone():
    parts = ["The study has limitations: the sample is small.", "Second, it is slow."]
    assert texts(section(" ".join(parts), "Limitations", "limitation")) == parts


@pytest.mark.parametrize("between", [" ", "\n\n"])
def test_a_sentence_that_announces_stays_with_what_it_announces(between):
    lead = f"Our study has several limitations.{between}First, it is slow."
    assert texts(section(f"{lead} Second, it is dear.", "Limitations", "limitation")) == [lead, "Second, it is dear."]


# Implicit


@pytest.mark.parametrize(
    ("sentence", "cue"),
    [
        ("A limitation of our method is its cost.", "limitation"),
        ("Our study is not without limitations.", "limitations"),
        ("The shortcomings are that we used one language.", "shortcomings"),
        ("A drawback is the run time.", "drawback"),
        ("One Threat to validity is the sample.", "Threat to validity"),
        (
            "A threat to the validity of our claims is the sample.",
            "threat to the validity",
        ),
        ("Despite its strengths, our study has limitations.", "limitations"),
        ("On the other hand, our study has limitations.", "limitations"),
        ("The current study has some limitations.", "limitations"),
        ("We could not overcome this limitation.", "limitation"),
        (
            "Local error is a limitation which we hope to address in future.",
            "limitation",
        ),
    ],
)
def test_an_implicit_passage_goes_from_its_keyword_to_the_end_of_its_paragraph(sentence, cue):
    (item,) = found(section(f"We won. {sentence} It is so.\n\nThe next paragraph."))
    assert item["text"] == f"{sentence} It is so."
    assert (item["mode"], item["cue"], item["heading"]) == ("implicit", cue, None)


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("We overcome this limitation.", "it speaks of a limitation overcome"),
        (
            "To address the shortcomings of RNNs, we add attention.",
            "it speaks of a limitation overcome",
        ),
        (
            "Both limitations can however be overcome.",
            "it speaks of a limitation overcome",
        ),
        ("A limitation of previous methods is their cost.", "it speaks of other work"),
        ("Existing approaches have many drawbacks.", "it speaks of other work"),
        ("These studies have certain limitations.", "it speaks of other work"),
        (
            "Despite these limitations, we are the first.",
            "it looks back at limitations already stated",
        ),
        (
            "This limitation did not affect our result.",
            "it says that a limitation does no harm",
        ),
        ("It has no limitation.", "it says that there is none"),
        ("Our approach has none of these drawbacks.", "it says that there is none"),
        ("Patients with airflow limitation coughed.", "another sense of the word"),
        (
            "We say more in the Limitations section.",
            "it refers to limitations stated elsewhere",
        ),
        (
            "Sparse methods have the drawback that they are slow.",
            "it speaks of other work",
        ),
        ("Several authors discuss this limitation.", "it speaks of other work"),
        (
            "The limitation to alcohols disappears here.",
            "it speaks of a limitation overcome",
        ),
        ("Cells grew under oxygen limitation.", "another sense of the word"),
        ("Our woods show dispersal limitation.", "another sense of the word"),
        ("Our state has strict limitations on hunting.", "another sense of the word"),
        ("We discuss the limitations of our design in Section 5.", "it refers to limitations stated elsewhere"),
        ("Our tracker does not face this limitation.", "it says that there is none"),
        ("Rain is no longer a limitation of our design.", "it says that there is none"),
        ("Our tracker finds nests without the drawback of a fixed mast.", "it says that there is none"),
        ("The competitors of our tracker have limitations.", "it speaks of other work"),
    ],
)
def test_noise_is_rejected_with_its_reason(sentence, reason):
    text = f"We won. {sentence} It is so."
    extracted = limits.extract(paper(section(text)))
    assert extracted["limitations"] == []
    start = text.index(sentence)
    span = {"in": "s0", "start": start, "end": start + len(sentence)}
    assert extracted["rejected"] == [
        {
            "command": "st-extract-limits",
            "text": sentence,
            "span": span,
            "reason": reason,
        },
    ]


def test_noise_ends_a_passage():
    text = f"Our work has limitations. {SMALL} Despite these limitations, we won. We are glad."
    assert texts(section(text)) == [f"Our work has limitations. {SMALL}"]


@pytest.mark.parametrize("role", sorted(paper_cues.NO_IMPLICIT))
def test_no_implicit_passage_from_sections_that_rarely_have_one(role):
    for text in (
        "A limitation of this method is its cost.",
        "A limitation of our earlier study is its cost.",
        "We lift the limitation of our first system.",
        "A limitation of our current knowledge is that few birds were counted.",
        "We did not test boys.",
    ):
        assert found(section(text, "Heading", role)) == []
        assert found(section("", "Heading", role), section(text, "Part", "other", level=2)) == []


@pytest.mark.parametrize("role", sorted(paper_cues.NO_KEYWORD))
def test_no_keyword_counts_in_an_abstract(role):
    assert found(section("A limitation of our study is its cost.", "Heading", role)) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [("(1)", "(2)"), ("(i)", "(ii)"), ("1)", "2)"), ("1.", "2."), ("a)", "b)"), ("Firstly,", "Secondly,")],
)
@pytest.mark.parametrize("between", [" ", " Only boys took part. "])
def test_a_list_that_is_announced_is_found_in_a_method_too(first, second, between):
    lead = f"This study has several limitations. {first} The sample is small."
    text = f"{lead}{between}{second} Raters were not blind. Trees grow."
    items = texts(section(text, "Method", "method"))
    assert items == [f"{lead}{between}".strip(), f"{second} Raters were not blind."]
    nth = "Our work has two limitations. The first is its cost. The second is its size. Trees grow."
    assert texts(section(nth, "Method", "method")) == [nth[:52], nth[53:76]]


@pytest.mark.parametrize(
    "own",
    [
        "They have serious drawbacks in our setting.",
        "The procedure above has two limitations.",
        "The model described here has limitations.",
        "The method is not without limitations: the number of clusters must be set by hand.",
        "A drawback of the above algorithm is its cost.",
    ],
)
def test_outside_a_discussion_a_keyword_must_speak_of_the_papers_own_work(own):
    others = "They have serious drawbacks."
    assert texts(section(others, "Model", "method")) == []
    assert reasons(section(others, "Model", "method")) == [
        "outside a discussion, it does not name the paper's own work"
    ]
    assert texts(section(own, "Model", "method")) == [own]
    assert texts(section(others)) == [others]
    assert texts(section("", "Discussion"), section(others, "Cost", "other", level=2)) == [others]


def test_reach_section_goes_on_to_the_end_or_to_a_terminal_heading():
    rest = "Our work has a limitation. It is slow.\n\nThe sky is blue.\n\nGrass is green."
    text = f"We won.\n\n{rest}\n\nFuture work. We go on."
    assert texts(section(text), reach="section") == rest.split("\n\n")
    assert texts(section(text)) == ["Our work has a limitation. It is slow."]
    assert texts(section(rest), section("More."), reach="section") == rest.split("\n\n")


def test_what_is_explicit_is_not_found_again():
    text = f"Limitations. One limitation is the cost. {SMALL}\n\nA drawback is the time."
    for reach in ("paragraph", "section"):
        items = found(section(text), reach=reach)
        assert [(item["mode"], item["text"]) for item in items] == [
            ("explicit", f"One limitation is the cost. {SMALL}"),
            ("implicit", "A drawback is the time."),
        ]


def test_keywords_are_the_callers():
    text = "A constraint is time. The limitation is cost."
    assert texts(section(text), keywords=["constraint"]) == [text]
    assert texts(section(text), keywords=[]) == []
    assert texts(section("Two open\nquestions remain. So be it."), keywords=["open question"]) == [
        "Two open\nquestions remain. So be it."
    ]
    assert found(section("A (c+ is bad."), keywords=["(c+"])[0]["cue"] == "(c+"
    with pytest.raises(UsageFault):
        limits.extract(paper(section(text)), keywords=["limitation", " "])
    with pytest.raises(UsageFault):
        limits.extract(paper(section(text)), reach="page")


# Without a keyword


@pytest.mark.parametrize(
    "sentence",
    [
        "These findings should be interpreted with caution.",
        "We cannot rule out that the rain mattered.",
        "Our small sample may be to blame.",
        "Our results may not generalize to other schools.",
        "Our model is limited to low speeds.",
        "Diet was self-reported, which is prone to recall bias.",
        "We did not measure the temperature.",
        "The trial was underpowered.",
        "The cross-sectional design precludes causal claims.",
        "It could be argued that the task was too easy to matter.",
        "It is not clear what effect the rain has on calls.",
        "Another concern is that loud birds are heard twice.",
        "Whether hedges matter is still unknown.",
        "The findings should be interpreted with some caution; further research should test them.",
        "The interviews lacked ecological validity.",
        "We count within a small-angle scheme, ignoring the curvature of the wood.",
        "Our model assumes that larks sing once, which is not the case.",
        "Our results should be confirmed in other woods.",
        "Another issue comes from occlusions by leaves.",
        "The counts may be slightly exaggerated.",
        "There are many options not explored here.",
    ],
)
def test_in_a_discussion_a_phrase_is_enough_for_its_sentence(sentence):
    text = f"We won. {sentence} We are glad."
    (item,) = found(section(text))
    assert (item["text"], item["mode"]) == (sentence, "implicit")
    assert item["cue"] in sentence
    assert found(section(text), reach="section") == found(section(text), keywords=["caveat"]) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Earlier trials had a small sample.",
        "Blinding minimized selection bias.",
        "Some authors voice doubts that may limit generalizability.",
        "The beam is limited by diffraction.",
        "We did not lose a patient.",
        "Our results show that larks may not return.",
        "Most larks left early, indicating that the first brood may not be fed.",
        "The hypothesis was not supported by the data.",
        "Our counts do not support the conclusion that larks left.",
        "Unfortunately we do.",
        "A full description of the tracker is outside the scope of this paper.",
        "We only find a slight change in our counts.",
        "Different methods may perform differently.",
        "These limitations notwithstanding, we are the first.",
    ],
)
def test_what_is_no_such_phrase(sentence):
    assert found(section(f"We won. {sentence} We are glad.")) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "We do not currently handle overlapping calls.",
        "We have assumed a fixed number of nests.",
        "Fast dives could not be captured with this camera.",
        "This paper analyzes only one real data set.",
        "The analysis of winter calls is beyond the scope of this work.",
        "The estimate is only approximate and can be biased.",
        "Our tool doesn't support moving microphones.",
        "In this mode the search is not guaranteed to end.",
        "The evaluation was restricted to a single wood.",
        "Due to a lack of funding we recorded only in May.",
        "A test of fit was not performed.",
        "No regularization was attempted.",
        "The algorithm is incapable of telling two larks apart.",
        "The assumption of Gaussian noise in all recordings is often violated.",
        "Birdsong records were not available for many woods.",
        "Our counts limit our ability to compare species.",
        "We arbitrarily restricted our analysis to forty woods.",
        "We unfortunately cannot identify birds that are silent.",
        "We did not attempt to count the young birds.",
        "We did not have access to the recordings.",
        "No comparison was made between our two woods.",
        "It is premature to draw conclusions from our counts.",
        "Our data cannot show which wood is better.",
        "Our data set is small.",
    ],
)
@pytest.mark.parametrize("role", ["method", "experiment", "result", "discussion", "other"])
def test_what_admits_a_limitation_does_so_in_any_section(sentence, role):
    assert texts(section(f"We won. {sentence} We are glad.", "Heading", role)) == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "Two main flaws arise from the use of the table.",
        "The rarest words may not always be reliable.",
        "Unfortunately, this makes the sum of the weights grow.",
        "An exact bound is far from optimal.",
    ],
)
@pytest.mark.parametrize("role", ["method", "experiment", "result", "other"])
def test_what_holds_of_anything_admits_a_limitation_in_a_discussion_alone(sentence, role):
    text = f"We won. {sentence} We are glad."
    assert texts(section(text, "Heading", role)) == []
    assert texts(section(text, "Heading", "discussion")) == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "Smith et al. (2019) do not currently handle overlapping calls.",
        "Existing trackers could not be evaluated by ear.",
        "To the best of our knowledge, calls have not been studied before.",
        "If the tracker does not find a nest, we skip it.",
        "Unlike trackers that may not be accurate at night, ours sees heat.",
        "Why did we not test it?",
        "We show that older trackers struggle with rain.",
    ],
)
def test_what_admits_nothing_of_ones_own(sentence):
    assert texts(section(f"We won. {sentence} We are glad.", "Method", "method")) == []


def test_a_list_that_is_announced_goes_on_over_paragraphs():
    parts = [
        "The procedure above has two limitations. First, it is slow.",
        "Second, it is dear.",
    ]
    assert texts(section("\n\n".join([*parts, "The sky is blue."]))) == parts


@pytest.mark.parametrize("lead", ["We did not measure it as follows:", "\u2022 We did not measure the rain."])
def test_a_list_of_other_things_is_none_of_limitations(lead):
    items = "\u2022 Bees hum.\n\n\u2022 Larks sing."
    assert texts(section(f"{lead}\n\n{items}")) in ([], [lead])
    named = "Our design has several shortcomings:"
    assert len(texts(section(f"{named}\n\n{items}"))) == 3


def test_what_stands_in_another_clause_than_the_keyword_counts():
    sentence = "While it will never crash due to memory limitations, the error rate may grow too high."
    assert texts(section(sentence)) == [sentence]
    assert texts(section("It never crashes due to memory limitations.")) == []


def test_a_passage_ends_where_it_turns():
    start = "A drawback is the cost of rings."
    for turn in (
        "In return, birds can be known.",
        "Nevertheless, we won.",
        "We release the data.",
    ):
        assert texts(section(f"{start} {turn} Bees hum.")) == [start]


def test_a_paper_about_limitations_states_few():
    assert texts(section("We extract limitations from papers.", "Method", "method")) == []
    assert texts(section("We showed that older tools have serious limitations.")) == []


def test_the_names_of_the_papers_own_work():
    text = "The rest is easy. BeeNet will report some incorrect counts."
    assert texts(section(text, "Method", "method")) == []
    record = {
        **paper(section(text, "Method", "method")),
        "title": "BeeNet: counting bees",
    }
    assert [item["text"] for item in limits.extract(record)["limitations"]] == [
        "BeeNet will report some incorrect counts."
    ]


def test_sentences_with_phrases_that_follow_each_other_are_one_passage():
    text = "We did not test boys. Recall bias may matter. We are glad. We cannot exclude luck.\n\nWe did not test men."
    assert texts(section(text)) == [
        "We did not test boys. Recall bias may matter.",
        "We cannot exclude luck.",
        "We did not test men.",
    ]
    assert texts(section("A limitation is cost. We did not test boys.")) == [
        "A limitation is cost. We did not test boys."
    ]


# The record


def test_no_limitation_is_an_answer():
    extracted = limits.extract(paper(section("We won."), section("", "Empty", "method")))
    assert extracted["limitations"] == []
    assert extracted["rejected"] == []
    assert limits.extract(paper())["limitations"] == []
    assert (
        found(
            section("", "Limitations", "limitation"),
            section(" \n\n ", "Limitations", "limitation"),
        )
        == []
    )


@pytest.mark.parametrize(
    "record",
    [
        {"id": "p"},
        {"id": "p", "sections": None},
        {"id": "p", "sections": [{"id": "s1"}]},
        {"id": "p", "sections": [section("a"), section("b")]},
        {"id": "p", "sections": [], "rejected": 3},
    ],
)
def test_what_is_no_paper_is_a_fault(record):
    with pytest.raises(InputFault):
        limits.extract(record)


def test_a_second_run_replaces_the_first_and_leaves_what_others_rejected():
    record = {
        **paper(section(f"We overcome this limitation. Our limitation: {SMALL}")),
        "mine": 1,
    }
    record["rejected"] = [{"command": "st-claims", "text": "x", "reason": "not in the text"}]
    once = limits.extract(record)
    twice = limits.extract(once)
    assert len(once["rejected"]) == 2
    assert {**once, "provenance": 0} == {**twice, "provenance": 0}
    assert twice["mine"] == 1
    assert [entry["command"] for entry in twice["provenance"]] == ["st-extract-limits"] * 2


def test_the_signature_tells_what_changes_the_result():
    def signature(text="A limitation.", **options):
        return limits.extract(paper(section(text)), **options)["provenance"][-1]["signature"]

    assert signature() == signature()
    options = [{}, {"reach": "section"}, {"keywords": ["caveat"]}, {"text": "No."}]
    assert len({signature(**option) for option in options}) == 4


# What holds for every paper

PIECES = st.sampled_from(
    ["Limitations. ", "Limitations", "We have a limitation. ", "We overcome a drawback. ", "First, it is slow. ", "\n\n",
     "Second, ", "Our results: ", "They won. ", "Future work. ", "\n", "Shortcomings: ", "(1) ", "Despite this limitation, ",
     "x", " ", "\U0001f600", "et al. ", ". ", "limitation"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=25).map("".join))
HEADINGS = st.sampled_from(["", "Limitations", "Discussion", "Limitations of prior work", "Methods", "Part"])
SECTIONS = st.builds(
    section, TEXTS, HEADINGS, st.sampled_from(ROLES), st.integers(min_value=1, max_value=3)
)  # fmt: skip


@settings(max_examples=250)
@given(st.lists(SECTIONS, max_size=5), st.sampled_from(["paragraph", "section"]))
def test_what_holds_for_every_paper(sections, reach):
    record = {**paper(*sections), "unknown": {"kept": [1]}}
    before = copy.deepcopy(record)
    extracted = limits.extract(record, reach=reach)
    assert record == before
    assert {key: extracted[key] for key in before} == before

    records.read(extracted, "limitations")
    sources = records.texts(record)
    order = list(sources)
    places = []
    for item in extracted["limitations"]:
        (span,) = item["spans"]
        assert item["text"] == records.spans_text(sources[span["in"]], item["spans"])
        assert item["text"] == item["text"].strip() != ""
        places.append((order.index(span["in"]), span["start"], span["end"]))
    assert places == sorted(places)
    assert all(one[0] < two[0] or one[2] <= two[1] for one, two in itertools.pairwise(places))
    assert [item["id"] for item in extracted["limitations"]] == [f"l{n}" for n in range(1, len(places) + 1)]
    for entry in extracted.get("rejected", []):
        assert entry["text"] == records.spans_text(sources[entry["span"]["in"]], [entry["span"]])


@pytest.mark.parametrize("role", ["discussion", "limitation"])
@pytest.mark.parametrize(
    "unit",
    ["limitation ", "a", "Limitations", "not not ", "A limitation.\n\n", "Future work.\n\nA limitation.\n\n", " ", "\n",
     "Limitations.\n\nIt is so.\n\n", "overcome-"]
)  # fmt: skip
def test_junk_takes_linear_time(unit, role):
    with ends():
        found(section((unit * 50_000)[:100_000], role=role), reach="section")


def test_a_keyword_without_a_letter_ends_the_run_before_the_first_record():
    done = run.st(
        "st-extract-limits", "--keywords", "limited,!", input=jsonl({"sections": [section("We are limited.")]})
    )
    assert (done.status, done.out) == (2, b"") and '--keywords: "!" has no letter' in done.err


@pytest.mark.parametrize(
    ("heading", "is_whole"),
    [
        ("Limitations of cassava production", False),
        ("Limitations of Peripheral Oxygenation", False),
        ("The yield of the harvest in wet years and its limitations", False),
        ("Limitations of our approach", True),
        ("Limitations of the sampling technique", True),
        ("Limitations of DeepTune", True),
        ("Limitations and future research", True),
    ],
)
def test_a_section_on_the_limitations_of_something_else_is_not_taken_whole(heading, is_whole):
    plain = "Farmers said that they know little of the crop and that seed is sold at a station in the next town."
    assert (plain in texts(section(plain, heading, "limitation"))) == is_whole


def test_what_goes_on_with_a_keyword_must_not_speak_against_a_limitation():
    praise = (
        "Figure 3 shows that the shrubs on the eastern slopes grew taller and that they found more water in each year "
        "of the study, as reported by Smith et al. (2012)."
    )
    said = "However, our method has some limitations. The lens model does not support a fisheye lens."
    assert praise not in " ".join(texts(section(f"{said} {praise}")))
    assert "fisheye" in " ".join(texts(section(f"{said} {praise}")))
