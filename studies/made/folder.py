"""Twenty made PDFs and their reviews in the working folder: what a group has before it begins studies/new."""

from __future__ import annotations

import json
from pathlib import Path

from services import pdf
from world import papers, review_text


def main() -> None:
    Path("papers").mkdir(exist_ok=True)
    own = papers()[:20]
    for paper in own:
        Path("papers", f"{paper.id}.pdf").write_bytes(pdf(paper))
    reviews = {
        paper.id: [{"id": f"r{n}", "text": review_text(one)} for n, one in enumerate(paper.reviews, 1)] for paper in own
    }
    Path("reviews.json").write_text(json.dumps(reviews, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
