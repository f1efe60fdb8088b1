"""Signatures: a parameter that is written once for many of them makes the line that its value makes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scholartools.records import add_provenance
from scholartools.signature import Written, signature, write_value

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=6,
)
NAMES = st.sampled_from(["model", "prompts", "samples", "sample", "n", "n1", "x y"])


@given(st.dictionaries(NAMES, VALUES), st.sets(NAMES))
def test_the_line_is_the_same_whichever_values_were_written_before(parameters, before):
    mixed = {name: Written(write_value(value)) if name in before else value for name, value in parameters.items()}
    assert signature("st-x", mixed) == signature("st-x", parameters)


@pytest.mark.parametrize("kept", [2, Written("2")])
def test_one_name_may_not_have_two_values(kept):
    def made(option: Any) -> str:
        record: dict[str, Any] = {}
        add_provenance(
            record, "st-x", None, method="m", options={"samples": option}, input="a", signed={"samples": kept}
        )
        return record["provenance"][0]["signature"]

    assert "samples=2" in made(2)
    with pytest.raises(ValueError, match="two values with the same name"):
        made(3)
