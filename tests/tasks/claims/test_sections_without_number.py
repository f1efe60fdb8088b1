"""The number of a section is optional: a record without it has no section of that number, and no fault."""

from __future__ import annotations

from scholartools.tasks.claims.anchor_changes import known_keys
from scholartools.tasks.claims.mentions import Places, mentions

SECTION = {"id": "s1", "heading": "Results", "level": 1, "role": "result", "text": "It wins."}
TEXT = "The results in Section 2 are weak."


def test_what_refers_to_a_section_leads_to_none_that_has_no_number():
    for more in ({}, {"number": None}, {"number": ""}):
        paper = {"sections": [{**SECTION, **more}]}
        [found] = mentions(TEXT, "review:r1", 0, len(TEXT), Places(paper))
        assert "s1" not in str(found)
        assert known_keys(paper, []) == set()
    numbered = {"sections": [{**SECTION, "number": "2"}]}
    assert "s1" in str(mentions(TEXT, "review:r1", 0, len(TEXT), Places(numbered)))
    assert known_keys(numbered, []) == {"section 2"}
