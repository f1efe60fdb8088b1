"""Warnings of parts that a long paper has and its record lacks."""

import pytest

from scholartools.tasks.parse.completeness import missing_part_warnings

WHOLE = {
    "title": "On Bees",
    "authors": ["Ann Bee"],
    "abstract": None,
    "sections": [{"heading": "", "text": "word " * 500}, {"heading": "Methods", "text": "word " * 500}],
    "references": [{"text": "word " * 500}],
    "captions": [],
    "footnotes": [],
}
NONE = {"title": None, "authors": [], "references": [], "sections": [{"heading": "", "text": "word " * 1500}]}


@pytest.mark.parametrize(
    ("lost", "pages", "told"),
    [
        ({}, None, []),
        ({}, 9, []),
        (NONE, 9, ["title", "authors", "headings", "references"]),
        ({"sections": []}, 3, ["headings"]),
        ({"references": []}, 3, ["references"]),
        ({"references": []}, 2, []),
        ({"references": []}, None, []),
        ({"authors": []}, 2, ["authors"]),
        ({"authors": [], "front_matter": [{"text": "Anonymous ACL submission"}]}, 9, []),
        ({"authors": [], "front_matter": [{"text": "under double-blind review"}]}, 9, []),
        ({"authors": [], "front_matter": [{"text": "Working paper"}]}, 9, ["authors"]),
        (NONE | {"sections": [{"heading": "", "text": "word " * 300}]}, 9, []),
    ],
)
def test_each_part_that_a_long_paper_lacks_is_told(lost, pages, told):
    assert [one["kind"] for one in missing_part_warnings(WHOLE | lost, pages)] == [f"no-{part}" for part in told]


def test_the_warning_says_in_how_much_text():
    for pages, extent in ((9, "9 pages"), (None, "1,500 words")):
        (notice,) = missing_part_warnings(WHOLE | {"title": None}, pages)
        assert notice == {"kind": "no-title", "page": None, "text": f"no title found in {extent}"}
