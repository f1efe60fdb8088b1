"""Reviews in the shapes that people have them, and the papers they are joined to."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.run import st as command

from scholartools.errors import InputFault
from scholartools.readers.reviews import reader as reviews
from scholartools.readers.reviews.form import Question, review_of
from scholartools.readers.reviews.reader import Given
from scholartools.schemas.paper import Paper

VENUE = "ICLR.cc/2022/Conference"


def v1(name: str = "n1", invitation: str = "Paper7/-/Official_Review", content: dict | None = None, **more) -> dict:
    answers = {"main_review": "The proof has a gap.", "rating": "6: marginally above", "confidence": "4: confident"}
    return {
        "id": name,
        "forum": "F1",
        "replyto": "F1",
        "invitation": f"{VENUE}/{invitation}",
        "content": content if content is not None else answers,
        "signatures": [f"{VENUE}/Paper7/Reviewer_aB1c"],
        **more,
    }


def v2(name: str = "n2", forum: str = "F2", kind: str = "Official_Review", **more) -> dict:
    content = {
        "summary": {"value": "They label things."},
        "soundness": {"value": 3},
        "strengths": {"value": "- clear\n- short"},
        "weaknesses": {"value": "Few raters."},
        "limitations": {"value": "Yes"},
        "flag_for_ethics_review": {"value": ["No ethics review needed."]},
        "rating": {"value": 5},
        "code_of_conduct": {"value": "Yes"},
    }
    venue = "NeurIPS.cc/2023/Conference"
    return {
        "id": name,
        "forum": forum,
        "invitations": [f"{venue}/Submission9/-/{kind}", f"{venue}/-/Edit"],
        "content": content,
        "signatures": [f"{venue}/Submission9/Reviewer_x9Yz"],
        **more,
    }


def read(value) -> list[Given]:
    return checked(reviews.read(json.dumps(value).encode()))


def checked(found: list[Given]) -> list[Given]:
    for one in found:
        Paper.model_validate({"id": "p", "reviews": one.reviews, "warnings": one.warnings})
        ids = [review["id"] for review in one.reviews]
        assert len(set(ids)) == len(ids) and all(ids)
        assert all(review["text"].strip() for review in one.reviews)
    return found


def answers(review: dict) -> dict[str, str]:
    return {field["name"]: review["text"][field["start"] : field["end"]] for field in review.get("fields", ())}


def fault(function, *args) -> InputFault:
    with pytest.raises(InputFault) as raised:
        function(*args)
    assert "\n" not in raised.value.reason
    return raised.value


class TestOpenReview:
    def test_version_1(self):
        (one,) = read({"notes": [v1()], "count": 1})
        assert one.paper == "F1"
        (review,) = one.reviews
        assert (review["id"], review["reviewer"]) == ("n1", "Reviewer_aB1c")
        assert review["text"] == "Main review:\nThe proof has a gap."
        assert answers(review) == {"main_review": "The proof has a gap."}
        assert review["ratings"] == {"rating": "6: marginally above", "confidence": "4: confident"}

    def test_version_2(self):
        ((review,),) = (one.reviews for one in read([v2()]))
        assert answers(review) == {
            "summary": "They label things.",
            "strengths": "- clear\n- short",
            "weaknesses": "Few raters.",
        }
        assert review["ratings"]["limitations"] == "Yes"
        assert review["text"].startswith("Summary:\nThey label things.\n\nStrengths:\n- clear")
        assert review["ratings"]["rating"] == 5
        assert review["ratings"]["flag_for_ethics_review"] == ["No ethics review needed."]

    @pytest.mark.parametrize(
        "questions",
        [
            ["title", "review"],
            ["summary_of_the_paper", "main_review", "summary_of_the_review"],
            ["summary_of_the_paper", "strength_and_weaknesses", "clarity,_quality,_novelty_and_reproducibility"],
            ["summary", "strengths_and_weaknesses", "questions", "limitations"],
            ["paper_summary", "summary_of_strengths", "summary_of_weaknesses", "comments,_suggestions_and_typos"],
            ["Claims And Evidence", "Other Strengths And Weaknesses"],
        ],
    )
    def test_forms_of_several_years(self, questions):
        content = {question: f"About {index} things, in short." for index, question in enumerate(questions)}
        ((review,),) = (one.reviews for one in read([v1(content=content)]))
        assert [field["name"] for field in review["fields"]] == ["_".join(one.lower().split()) for one in questions]

    @pytest.mark.parametrize(
        ("invitation", "kept"),
        [
            ("Paper7/-/Official_Review", True),
            ("-/Paper7/Official_Review", True),
            ("-/paper7/official/review", True),
            ("Paper7/-/Review", True),
            ("Submission7/-/Official_Review", True),
            ("Paper7/-/Meta_Review", False),
            ("Paper7/-/Official_Meta_Review", False),
            ("Paper7/-/Decision", False),
            ("Paper7/-/Official_Comment", False),
            ("Paper7/-/Public_Comment", False),
            ("Paper7/-/Rebuttal", False),
            ("Paper7/-/Ethics_Review", False),
            ("Paper7/Official_Review2/-/Rebuttal", False),
            ("Paper7/Official_Review2/-/Official_Comment", False),
            ("Paper7/-/Withdrawal_Confirmation", False),
        ],
    )
    def test_only_official_reviews_are_kept_and_the_rest_is_counted(self, invitation, kept):
        (one,) = read([v1("a", invitation), v1("b")])
        assert ("a" in [review["id"] for review in one.reviews]) == kept
        assert bool(one.warnings) != kept
        if not kept:
            assert one.warnings[0]["kind"] == "notes-left-out"
            assert "1 " in one.warnings[0]["text"]

    def test_submissions_with_their_replies(self):
        replies = [v2("r1"), v2("c1", kind="Official_Comment"), v2("r2")]
        submission = {
            "id": "F2",
            "forum": "F2",
            "content": {"title": {"value": "On  Raters"}},
            "invitations": ["X/-/Submission"],
        }
        for key in ("directReplies", "replies"):
            (one,) = read([{**submission, "details": {key: replies}}])
            assert (one.paper, one.title) == ("F2", "On Raters")
            assert [review["id"] for review in one.reviews] == ["r1", "r2"]
            assert one.warnings[0]["text"] == "not official reviews: 1 comment"

    def test_lines_of_notes_and_several_forums_keep_their_order(self):
        lines = "\n".join(json.dumps(note) for note in (v2("a", "Fb"), v2("b", "Fa"), v2("c", "Fb")))
        found = checked(reviews.read(b"\xef\xbb\xbf" + lines.encode() + b"\n\n"))
        assert [(one.paper, [review["id"] for review in one.reviews]) for one in found] == [
            ("Fb", ["a", "c"]),
            ("Fa", ["b"]),
        ]

    def test_of_an_edited_note_the_newest_counts(self):
        old, new = ({"review": {"value": text}} for text in ("Old opinion here.", "New opinion here."))
        for notes in (
            [v2("n", content=new, tmdate=20, mdate=1), v2("n", content=old, tmdate=10, mdate=9)],
            [v2("n", content=old, mdate=1), v2("n", content=new, mdate=2)],
        ):
            (one,) = read(notes)
            assert [answers(review)["review"] for review in one.reviews] == ["New opinion here."]
            assert one.warnings[0]["kind"] == "review-edited"

    def test_deleted_and_empty_reviews_are_counted(self):
        (one,) = read([v1("a", ddate=1), v1("b", content={"rating": "3: no"}), v1("c")])
        assert [review["id"] for review in one.reviews] == ["c"]
        assert one.warnings[0]["text"] == "not official reviews: 1 deleted note, 1 empty review"

    def test_a_numbered_answer_is_no_rating(self):
        content = {
            "weaknesses": "1. The data is small.",
            "questions": "2 raters?\nWhy",
            "soundness": "3 good",
            "rating": 8,
        }
        ((review,),) = (one.reviews for one in read([v1(content=content)]))
        assert list(answers(review)) == ["weaknesses", "questions"]
        assert review["ratings"] == {"soundness": "3 good", "rating": 8}


class TestPlainLists:
    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            (["Good.", "Bad."], [(None, [("r1", "Good."), ("r2", "Bad.")])]),
            ([["Good."], ["Bad.", "So so."]], [(None, [("r1", "Good.")]), (None, [("r1", "Bad."), ("r2", "So so.")])]),
            ({"p1": ["Good."], "p2": "Bad."}, [("p1", [("r1", "Good.")]), ("p2", [("r1", "Bad.")])]),
            ([{"paper": "p1", "review": "Good."}, {"paper": "p2", "text": "Bad."}, {"paper": "p1", "text": "Hm."}],
             [("p1", [("r1", "Good."), ("r2", "Hm.")]), ("p2", [("r1", "Bad.")])]),
            ([{"id": "p1", "review": "Good."}], [("p1", [("p1", "Good.")])]),
            ([{"paper_id": 7, "id": "x", "text": "Good."}], [("7", [("x", "Good.")])]),
            ([{"id": "p1", "title": "T", "reviews": [{"id": "r9", "text": "Good."}, "Bad."]}],
             [("p1", [("r9", "Good."), ("r2", "Bad.")])]),
            ([{"reviews": ["Good."]}, {"reviews": ["Bad."]}], [(None, [("r1", "Good.")]), (None, [("r1", "Bad.")])]),
            ([{"review_id": "a", "review": "Good."}, {"review_id": "a", "review": "Bad."}],
             [(None, [("a", "Good."), ("a-2", "Bad.")])]),
            ({"review": "Good."}, [(None, [("r1", "Good.")])]),
        ],
    )  # fmt: skip
    def test_shapes(self, value, expected):
        found = read(value)
        assert [(one.paper, [(review["id"], review["text"]) for review in one.reviews]) for one in found] == expected

    def test_forms_in_plain_objects(self):
        (one,) = read([{"paper": "p1", "reviewer": "R2", "strengths": "Clear.", "weaknesses": "Small.", "rating": 3}])
        assert answers(one.reviews[0]) == {"strengths": "Clear.", "weaknesses": "Small."}
        assert (one.reviews[0]["ratings"], one.reviews[0]["reviewer"]) == ({"rating": 3}, "R2")

    def test_what_was_written_is_read_again(self):
        (first,) = read([v2()])
        (again,) = read([{"id": "p", "reviews": first.reviews}])
        assert again.reviews == first.reviews

    def test_plain_text_is_one_review(self):
        (one,) = reviews.read(b"I like it.\n\nBut it is short.\n")
        assert (one.paper, one.reviews) == (None, [{"id": "r1", "text": "I like it.\n\nBut it is short."}])

    @pytest.mark.parametrize(
        ("data", "kind"),
        [
            (b"", "no-text"),
            (b" \n", "no-text"),
            (b"[]", "no-text"),
            (b"{}", "no-text"),
            (b'["", "x"]', "no-text"),
            (b'[{"id": "a"}]', "no-text"),
            (b'{"notes": []}', "no-text"),
            (b"[1, 2]", "unreadable"),
            (b'{"a": null}', "unreadable"),
            (b'["a", ["b"]]', "unreadable"),
            (b'{"a": 1}\n{"b"', "not-json"),
            (b"[" * 200_000, "not-json"),
            (b"<html><body>x</body></html>", "not-json"),
            (b"\xff\xfe\x00", "not-utf8"),
        ],
    )
    def test_what_is_no_list_of_reviews_is_refused_in_one_line(self, data, kind):
        assert fault(reviews.read, data).kind == kind


class TestJoin:
    PAPERS = [{"id": "p1"}, {"id": "p2", "title": "On Raters"}]

    def test_by_id_whatever_the_order(self):
        a, b = Given("sub/p2.pdf"), Given("p1")
        assert reviews.match_reviews(self.PAPERS, [a, b]) == ([b, a], [])

    def test_by_title_where_the_id_says_nothing(self):
        named = Given("F2", title="On raters.")
        assert reviews.match_reviews(self.PAPERS, [named]) == ([None, named], [])

    def test_a_title_that_two_have_joins_nothing(self):
        twins = [Given("F2", title="On Raters"), Given("F3", title="On raters")]
        refused = fault(reviews.match_reviews, self.PAPERS, twins)
        assert refused.kind == "reviews-mismatch" and "two lists of reviews have the title" in refused.reason

    def test_a_title_that_two_papers_have_joins_nothing(self):
        papers = [*self.PAPERS, {"id": "p3", "title": "ON RATERS"}]
        refused = fault(reviews.match_reviews, papers, [Given("F2", title="On Raters")])
        assert 'two papers have the title "On Raters"' in refused.reason
        found, _ = reviews.match_reviews(papers, [Given("p3", title="On Raters")])
        assert [one and one.paper for one in found] == [None, None, "p3"], "the id decides"

    def test_reviews_without_paper_are_said(self):
        found, warnings = reviews.match_reviews(self.PAPERS, [Given("p1"), Given("p9", [{"id": "r1", "text": "x"}])])
        assert [one and one.paper for one in found] == ["p1", None]
        assert [(one["kind"], one["text"]) for one in warnings] == [("reviews-without-paper", '1 review(s) of "p9"')]

    def test_by_order_when_no_review_names_its_paper(self):
        one, two = Given(None), Given(None)
        found, _ = reviews.match_reviews(self.PAPERS, [one, two])
        assert found[0] is one and found[1] is two

    @pytest.mark.parametrize(
        "given_reviews",
        [[Given(None)], [Given(None)] * 3, [Given("p1"), Given(None)], [Given("p8")], [Given("p1"), Given("p1.pdf")],
         [Given("p1"), Given("p1")]],
    )  # fmt: skip
    def test_what_cannot_be_joined_surely_is_an_error(self, given_reviews):
        assert fault(reviews.match_reviews, self.PAPERS, given_reviews).kind == "reviews-mismatch"

    def test_files_are_put_together_by_paper_or_by_order(self):
        def given(paper, *texts):
            return Given(paper, [{"id": f"r{n}", "text": text} for n, text in enumerate(texts, 1)])

        def texts(*files):
            return [[one["id"] + one["text"] for one in made.reviews] for made in reviews.combine_files(files, 2)]

        assert texts([given("p1", "a")], [given("p2", "b"), given("x/p1.pdf", "c")]) == [["r1a", "r1-2c"], ["r1b"]]
        assert texts([given(None, "a"), given(None, "b")], [given(None, "c"), given(None, "d")]) == [
            ["r1a", "r1-2c"], ["r1b", "r1-2d"]]  # fmt: skip
        assert texts([given(None, "a")], [given(None, "b")]) == [["r1a"], ["r1b"]]
        with pytest.raises(InputFault, match='one review of "p1" is in two files'):
            texts([given("p1", "a b c d e f g h")], [given("p1", "a b c d e f g h")])

    def test_a_note_in_two_dumps_is_one_review(self):
        def dump(*numbers, text="This is a review of some length, of note {}."):
            notes = [_note(number, text.format(number)) for number in numbers]
            return read(notes)

        [made] = reviews.combine_files([dump(1, 2), dump(2, 3)], 1)
        assert [one["id"] for one in made.reviews] == ["n1", "n2", "n3"]
        with pytest.raises(InputFault, match='"n2" of "f1" has another text'):
            reviews.combine_files([dump(1, 2), dump(2, text="Another text of the same note, number {}.")], 1)
        with pytest.raises(InputFault, match="is in two files"):
            reviews.combine_files([dump(1, text="The very same text under two identifiers, no {{}}.")] + [
                dump(2, text="The very same text under two identifiers, no {{}}.")], 1)  # fmt: skip
        [short] = reviews.combine_files([dump(1, text="Fine."), dump(2, text="Fine.")], 1)
        assert len(short.reviews) == 2, "a short answer is nobody's own"

    def test_two_papers_of_one_id_are_an_error(self):
        assert fault(reviews.match_reviews, [{"id": "p"}, {"id": "p"}], [Given("p")]).kind == "reviews-mismatch"


def _note(number, text, **more):
    return {
        "id": f"n{number}", "forum": "f1", "invitations": ["V/Submission1/-/Official_Review"],
        "signatures": [f"V/Submission1/Reviewer_aB{number}"], "readers": ["everyone"],
        "content": {"review": {"value": text}, "rating": {"value": 6}}, **more,
    }  # fmt: skip


class TestWhatNobodyMayRead:
    """Private notes, and whatever says who a person is."""

    def test_private_notes_are_counted_and_not_read(self):
        hidden = [
            _note(number, "SECRET words for the chairs.", readers=readers)
            for number, readers in enumerate((["V/Program_Chairs"], ["V", "~Ann_Lee1"], ["V/Submission1/Authors"]), 2)
        ]
        [made] = read([_note(1, "A public review."), *hidden])
        assert [one["id"] for one in made.reviews] == ["n1"] and "SECRET" not in str(made)
        assert "3 private note" in made.warnings[0]["text"]

    def test_a_note_that_does_not_say_who_may_read_it_is_read(self):
        note = _note(1, "A review.")
        del note["readers"]
        assert len(read([note])[0].reviews) == 1

    @pytest.mark.parametrize("name", ["~Jane_Doe1", "jane@example.org", "V/~Jane_Doe1", "V/Program_Chairs"])
    def test_a_signature_with_a_name_is_not_kept(self, name):
        [made] = read([_note(1, "A review.", signatures=[name])])
        assert "reviewer" not in made.reviews[0]

    @pytest.mark.parametrize("name", ["Reviewer_aB1c", "AnonReviewer3", "Reviewer1"])
    def test_an_anonymous_one_is(self, name):
        assert read([_note(1, "A review.", signatures=[f"V/Paper1/{name}"])])[0].reviews[0]["reviewer"] == name

    def test_a_profile_in_an_answer_is_not_kept(self):
        content = {"review": "A review.", "secondary_reviewer": ["~Jane_Doe1"], "helper": "~Jo_Roe2", "mail": "a@b.org"}
        [made] = read([_note(1, "", content=content)])
        assert made.reviews[0] == {"id": "n1", "text": "Review:\nA review.", "reviewer": "Reviewer_aB1"} | {
            "fields": made.reviews[0]["fields"]
        }


CHOSEN = {
    "claims_and_evidence": "Yes", "audience": "No", "limitations": "yes", "ethical_concerns": "NO.",
    "paper_formatting_concerns": "I have no concerns", "knowledge_of_paper": "I know the paper",
    "impact_of_knowledge_of_paper": "Not at all", "reviewer_guideline_compliance": "I confirm it", "questions": "N/A",
    "broader_impact_concerns": "None", "datasets": "3 = Potentially useful",
}  # fmt: skip


@pytest.mark.parametrize("question", CHOSEN)
def test_a_choice_is_never_prose(question):
    """Else a limitation would be found in a "Yes"."""
    made = review_of({"weaknesses": "The test set is small.", question: CHOSEN[question]})
    assert [field["name"] for field in made["fields"]] == ["weaknesses"]
    assert made["ratings"] == {question: CHOSEN[question]} and made["text"] == "Weaknesses:\nThe test set is small."


@pytest.mark.parametrize("form", [None, {"title": Question(True), "review": Question(True)}])
def test_a_title_that_the_service_made_is_no_part_of_a_review(form):
    """Whatever the venue's own form says of it."""
    made = review_of({"title": "Official Review of Submission1 by Reviewer abcd", "review": "It is short."}, form=form)
    assert made["text"] == "Review:\nIt is short." and [field["name"] for field in made["fields"]] == ["review"]
    own = review_of({"title": "A short paper on bees", "review": "It is short."}, form=form)
    assert [field["name"] for field in own["fields"]] == ["title", "review"]


def test_a_whole_sentence_that_begins_with_no_is_prose():
    made = review_of(
        {"questions": "No baseline is compared. Why?", "limitations": "None are discussed by the authors."}
    )
    assert [field["name"] for field in made["fields"]] == ["questions", "limitations"]


NAMES = st.text(min_size=1, max_size=12)
ANSWERS = st.one_of(st.text(max_size=60), st.integers(), st.none(), st.lists(st.text(max_size=5)), st.booleans())


@settings(max_examples=300)
@given(st.dictionaries(NAMES, ANSWERS, max_size=6))
def test_fields_are_the_answers_word_for_word(form):
    review = review_of(form)
    texts = [answer for answer in form.values() if isinstance(answer, str)]
    if review is None:
        return
    found = [review["text"][field["start"] : field["end"]] for field in review["fields"]]
    assert found and all(one in texts for one in found)
    assert [one for one in texts if one in found] == [one for one in found if one in texts]


JSON = st.recursive(
    st.one_of(st.none(), st.integers(), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["id", "forum", "content", "notes", "text", "reviews", "details", "replies",
                                         "invitation", "signatures", "value", "paper", "fields"]), inner, max_size=4),
    ),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=300)
@given(JSON)
def test_any_json_ends_as_reviews_or_fault(value):
    try:
        read(value)
    except InputFault as error:
        assert "\n" not in error.reason


def test_reviews_that_name_a_title_alone_are_joined_by_it_and_never_by_order():
    by_title = b'[{"title": "Bees in Hedges", "reviews": ["Good."]}, {"title": "On Raters", "reviews": ["Bad."]}]'
    papers = [{"id": "p1", "title": "On raters"}, {"id": "p2", "title": "Bees in hedges"}]
    given = reviews.read(by_title)
    found, left = reviews.match_reviews(papers, given)
    assert [one.reviews[0]["text"] for one in found] == ["Bad.", "Good."] and left == []
    with pytest.raises(InputFault, match="no paper has an id or title"):
        reviews.match_reviews([{"id": "p3", "title": "Sleep"}, {"id": "p4", "title": "Memory"}], given)


def test_reviews_of_one_paper_by_id_in_one_file_and_by_title_in_another_are_joined(tmp_path):
    (tmp_path / "p1.md").write_text("# Bees in Hedges\n\n## Abstract\n\nBees nest.\n")
    (tmp_path / "p2.md").write_text("# On Raters\n\n## Abstract\n\nRaters differ.\n")
    (tmp_path / "a.json").write_text('{"p1": ["Good."], "p2": ["Fair."]}')
    (tmp_path / "b.json").write_text('[{"title": "Bees in hedges", "reviews": ["Short."]}]')
    paths = [tmp_path / name for name in ("p1.md", "p2.md")]
    run = command("st-parse", *paths, "--reviews", tmp_path / "a.json", "--reviews", tmp_path / "b.json")
    texts = [[review["text"] for review in made["reviews"]] for made in run.records]
    assert texts == [["Good.", "Short."], ["Fair."]] and run.status == 0, run.err
    (tmp_path / "p2.md").write_text("# Bees in hedges\n\n## Abstract\n\nRaters differ.\n")
    both = command("st-parse", *paths, "--reviews", tmp_path / "b.json")
    assert both.status == 3 and 'two papers have the title "Bees in hedges"' in both.err


def test_an_object_from_titles_to_reviews_is_joined_by_title(tmp_path):
    (tmp_path / "p1.md").write_text("# Bees in Hedges\n\n## Abstract\n\nBees nest.\n")
    (tmp_path / "a.json").write_text('{"BEES in hedges": [{"id": "r1", "text": "Good."}]}')
    run = command("st-parse", tmp_path / "p1.md", "--reviews", tmp_path / "a.json")
    assert run.status == 0 and run.records[0]["reviews"][0]["text"] == "Good.", run.err


def test_a_folder_of_dumps_that_name_papers_by_forum_doi_arxiv_and_title(tmp_path):
    """Three dumps share notes: each stands once, wherever it came from; a version or spelling of an id is no other paper."""

    def note(number: int, text: str = "The proof of lemma {} has a gap that nobody closed in the rebuttal.") -> dict:
        return v2(f"n{number}", "forumAbc1", content={"weaknesses": {"value": text.format(number)}})

    tex = "\\documentclass{{article}}\\title{{{}}}\\begin{{document}}\\maketitle\\section{{A}}Words.\\end{{document}}"
    names = {"forumAbc1": "On Forums", "10.5555_work.8": "On Names", "2401.00003": "On Numbers", "paper": "On Titles"}
    for name, title in names.items():
        (tmp_path / f"{name}.tex").write_text(tex.format(title))
    dumps = tmp_path / "dumps"
    dumps.mkdir()

    def written(*extra: dict) -> str:
        by_doi = {"paper": "https://doi.org/10.5555/WORK.8", "reviews": [{"id": "d1", "text": "Too short."}]}
        by_arxiv = {"paper": "arXiv:2401.00003v2", "reviews": [{"id": "a1", "text": "Too long."}]}
        by_title = {"paper": "ON TITLES", "reviews": [{"id": "t1", "text": "Too plain."}]}
        (dumps / "a.json").write_text(json.dumps([note(1), note(2)]))
        (dumps / "b.jsonl").write_text("\n".join(map(json.dumps, [note(2), note(3), *extra])))
        (dumps / "c.json").write_text(json.dumps([by_doi, by_arxiv, by_title]))
        (dumps / "notes.txt").write_text("not a dump")
        return str(dumps)

    papers = [str(tmp_path / f"{name}.tex") for name in names]
    done = command("st-parse", "--reviews", written(), *papers)
    assert done.status == 0, done.err
    found = {one["id"]: [review["id"] for review in one["reviews"]] for one in done.records}
    assert found == {"forumAbc1": ["n1", "n2", "n3"], "10.5555_work.8": ["d1"], "2401.00003": ["a1"], "paper": ["t1"]}
    one_text = note(9, note(1)["content"]["weaknesses"]["value"])
    twice = command("st-parse", "--reviews", written(one_text), *papers)
    assert twice.status == 3 and twice.out == b"" and "is in two files" in twice.err
    (tmp_path / "empty").mkdir()
    assert command("st-parse", "--reviews", tmp_path / "empty", *papers).status == 2


@pytest.mark.parametrize("where", ["\\doi{10.5555/other.8}", "\\acmDOI{10.5555/OTHER.8}"])
def test_a_paper_that_prints_its_doi_is_known_by_it(tmp_path, where):
    tex = f"\\documentclass{{acmart}}{where}\\title{{T}}\\begin{{document}}\\maketitle\\section{{A}}Words.\\end{{document}}"
    (tmp_path / "camera.tex").write_text(tex)
    (tmp_path / "r.json").write_text(json.dumps([{"paper": "doi:10.5555/other.8", "reviews": ["Too short."]}]))
    done = command("st-parse", "--reviews", tmp_path / "r.json", tmp_path / "camera.tex")
    assert done.status == 0 and len(done.records[0]["reviews"]) == 1, done.err


@pytest.mark.parametrize(
    ("paper", "name", "is_one"),
    [("10.1234_x.y", "https://dx.doi.org/10.1234/X.Y", True), ("2401.00001v1", "2401.00001v2", True),
     ("math.GT_0309136", "arxiv:math.GT/0309136", True), ("10.48550_arXiv.2401.00001", "2401.00001", True),
     ("2401.00001", "2401.00002", False), ("10.1234_x", "10.1234/xy", False), ("x", "10.1234/x", False)],
)  # fmt: skip
def test_spellings_of_one_id(paper, name, is_one):
    given = [Given(name, [{"id": "r1", "text": "Weak."}])]
    if is_one:
        assert reviews.match_reviews([{"id": paper}], given)[0] == given
    else:
        with pytest.raises(InputFault):
            reviews.match_reviews([{"id": paper}], given)


def test_two_versions_that_are_two_papers_keep_their_own_reviews():
    given = [Given(f"2401.00001v{n}", [{"id": f"r{n}", "text": "Weak."}]) for n in (1, 2)]
    papers = [{"id": "2401.00001v1"}, {"id": "2401.00001v2"}]
    assert reviews.match_reviews(papers, given)[0] == given
    found, left = reviews.match_reviews(papers, [*given, Given("2401.00001v3", [{"id": "r3", "text": "Weak."}])])
    assert found == given and len(left) == 1, "of which of the two it is nobody knows"
