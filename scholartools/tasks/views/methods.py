"""What a report says of the method: a sentence and a reference for each published system that a run has used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Method(NamedTuple):
    """A published system: which commands and metrics are of it, and how a methods section names it."""

    steps: frozenset[str]
    sentence: str
    reference: str


METHODS = (
    Method(
        frozenset(["st-extract-limits", "st-generate limitations", "st-judge match", "match"]),
        "Limitations are extracted word for word, and generated ones are matched with them pair by pair in both "
        "orders, as in BAGELS.",
        "Al Azher, Jannat Mokarrama, Guo, Ray Choudhury and Alhoori. BAGELS: Benchmarking the Automated Generation and "
        "Extraction of Limitations from Scholarly Text. 2025. arXiv:2505.18207.",
    ),
    Method(
        frozenset(["st-generate questions", "st-judge rate", "st-judge fit", "rate"]),
        "Texts are rated aspect by aspect by evaluation functions of research questions.",
        "Fujisaki, Takagi, Asoh and Kumagai. A Dataset for Evaluating LLM-based Evaluation Functions for Research "
        "Question Extraction Task. 2024. arXiv:2409.06883.",
    ),
    Method(
        frozenset(
            ["st-claims", "st-judge same-issue", "st-judge specificity", "targets", "labels", "weaknesses", "edits",
             "verifications", "specificity", "same-issue", "spans"]
        ),
        "Weaknesses in reviews are grounded in the claims that they dispute, labelled, rewritten and verified, as in "
        "CLAIMCHECK.",
        "Ou, Walden, Sanders, Jiang and others. CLAIMCHECK: How Grounded are LLM Critiques of Scientific Papers? "
        "Findings of EMNLP 2025. arXiv:2503.21717.",
    ),
    Method(
        frozenset(["st-facets", "st-judge facets", "facets", "support"]),
        "Summaries are compared with abstracts facet by facet: background, method, result and conclusion, weighted .1, "
        ".3, .3 and .3 over the facets that the reference has.",
        "Wang, Chen, Zhu, Guo, Gao, Lu, Gao and Zhang. New Paradigm for Evaluating Scholar Summaries: A Facet-aware "
        "Metric and A Meta-evaluation Benchmark. 2025. arXiv:2402.14359.",
    ),
    Method(
        frozenset(
            ["st-eqsynth", "st-generate experiments", "st-generate explanations", "st-generate weaknesses",
             "st-judge entail", "st-judge equation", "st-judge review", "soft", "entail", "equations", "review"]
        ),
        "Equations, experiments, weaknesses and reviews are asked about and scored as in AAAR-1.0.",
        "Lou, Xu, Wang, Du and others. AAAR-1.0: Assessing AI's Potential to Assist Research. ICML 2025. "
        "arXiv:2410.22394.",
    ),
)  # fmt: skip


def methods_of(steps: Iterable[str]) -> Iterator[Method]:
    """The systems that some commands (with their tasks) and metrics belong to."""
    words = {part for step in steps for part in (step, step.partition(" ")[0])}
    return (method for method in METHODS if words & method.steps)
