"""A record with facets to score."""

from __future__ import annotations


def extract(where: str, text: str, part: str | None) -> dict | None:
    if part is None:
        return None
    start = text.index(part)
    return {"text": part, "spans": [{"in": where, "start": start, "end": start + len(part)}]}


def record(abstract: dict[str, str | None], summaries: dict[str, dict[str, str | None]]) -> dict:
    """A record with given facets, whose texts are the concatenated facets."""
    texts = {"abstract": abstract, **{f"summary:{system}": parts for system, parts in summaries.items()}}
    whole = {name: " ".join(part for part in parts.values() if part) for name, parts in texts.items()}
    facets = [
        {"in": name, "by": "hand", **{facet: extract(name, whole[name], part) for facet, part in parts.items()}}
        for name, parts in texts.items()
    ]
    given = [
        {"system": name.removeprefix("summary:"), "text": text} for name, text in whole.items() if name != "abstract"
    ]
    return {"id": "r", "abstract": whole["abstract"], "summaries": given, "facets": facets}


REFERENCE = {
    "background": "Bees decline.",
    "method": "We count marked bees.",
    "result": "Hedges add 38% bees.",
    "conclusion": None,
}


CANDIDATE = {
    "background": None,
    "method": "We count bees.",
    "result": "Hedges add bees.",
    "conclusion": "So plant hedges.",
}
