"""Summaries that three made systems wrote of the papers of a file: where others put those of their models.

python summaries.py parsed.jsonl > summaries.jsonl
"""

from __future__ import annotations

import json
import sys

from world import SYSTEMS, papers, summary

for line in open(sys.argv[1], encoding="utf-8"):
    record = json.loads(line)
    paper = next(one for one in papers() if one.id == record["id"])
    written = [{"system": system, "text": summary(paper, system).text} for system in SYSTEMS]
    dataset = "made papers with even numbers" if paper.number % 2 == 0 else "made papers with odd numbers"
    print(json.dumps({**record, "dataset": dataset, "summaries": written}))
