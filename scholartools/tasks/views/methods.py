"""Descriptions of methods in a report: sentences and a reference for each published system used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import NamedTuple


class Method(NamedTuple):
    """A published system: sentences for a methods section by command or metric, and its reference."""

    sentences: Mapping[str, str]
    reference: str

    def said_of(self, words: Set[str]) -> list[str]:
        """Distinct sentences for the commands and metrics used."""
        return list(dict.fromkeys(said for step, said in self.sentences.items() if step in words))


_MATCHED = "Generated limitations are matched with those of the paper pair by pair in both orders, as in BAGELS."
_RATED = "Texts are rated aspect by aspect by evaluation functions of research questions."
_GROUNDED = "Weaknesses in reviews are grounded in the claims that they dispute, as in CLAIMCHECK."
_COMPARED = "Pairs of weaknesses are compared as in CLAIMCHECK."
_FACETS = (
    "Facets of summaries are compared with those of abstracts: background, method, result and conclusion, weighted .1, "
    ".3, .3 and .3 over the facets that the reference has."
)
METHODS = (
    Method(
        {
            "st-extract-limits": "Limitations are extracted as exact quotations, as in BAGELS.",
            "st-generate limitations": "Limitations are generated as in BAGELS.",
            "st-judge match": _MATCHED,
            "match": _MATCHED,
        },
        "Al Azher, Jannat Mokarrama, Guo, Ray Choudhury and Alhoori. BAGELS: Benchmarking the Automated Generation and "
        "Extraction of Limitations from Scholarly Text. 2025. arXiv:2505.18207.",
    ),
    Method(
        {
            "st-generate questions": "Research questions are extracted from papers.",
            "st-judge rate": _RATED,
            "st-judge fit": _RATED,
            "rate": _RATED,
        },
        "Fujisaki, Takagi, Asoh and Kumagai. A Dataset for Evaluating LLM-based Evaluation Functions for Research "
        "Question Extraction Task. 2024. arXiv:2409.06883.",
    ),
    Method(
        {
            "st-claims select": "Reviews that mention claims are selected as in CLAIMCHECK.",
            "st-claims extract": "Claims are extracted from papers as exact quotations.",
            "spans": "Marked claims are compared by their overlapping spans.",
            "st-claims weaknesses": "Weaknesses are extracted from reviews as exact quotations.",
            "weaknesses": "Weaknesses are compared by their overlapping spans.",
            "st-claims associate": _GROUNDED,
            "targets": _GROUNDED,
            "st-claims label": "Weaknesses are labelled as in CLAIMCHECK.",
            "labels": "Weaknesses are labelled as in CLAIMCHECK.",
            "st-claims edit": "Weaknesses are rewritten as in CLAIMCHECK.",
            "edits": "Rewritten weaknesses are compared as in CLAIMCHECK.",
            "st-claims verify": "Disputed claims are verified from both sides as in CLAIMCHECK.",
            "verifications": "Disputed claims are verified from both sides as in CLAIMCHECK.",
            "st-claims contamination": "Memorisation of the reviews by a model is measured as in CLAIMCHECK.",
            "contamination": "Memorisation of the reviews by a model is measured as in CLAIMCHECK.",
            "st-judge same-issue": _COMPARED,
            "same-issue": _COMPARED,
            "st-judge specificity": _COMPARED,
            "specificity": _COMPARED,
        },
        "Ou, Walden, Sanders, Jiang and others. CLAIMCHECK: How Grounded are LLM Critiques of Scientific Papers? "
        "Findings of EMNLP 2025. arXiv:2503.21717.",
    ),
    Method(
        {
            "st-facets": "Facets are marked as exact passages of abstracts and summaries.",
            "st-judge facets": "The facets of each summary are rated against those of the abstract.",
            "facets": _FACETS,
            "support": "The facets of abstracts are compared with the body of the paper.",
        },
        "Wang, Chen, Zhu, Guo, Gao, Lu, Gao and Zhang. New Paradigm for Evaluating Scholar Summaries: A Facet-aware "
        "Metric and A Meta-evaluation Benchmark. 2025. arXiv:2402.14359.",
    ),
    Method(
        {
            "st-eqsynth": "Questions about equations are made as in AAAR-1.0, each wrong option with a certificate.",
            "st-judge equation": "Equations are judged as in AAAR-1.0.",
            "equations": "Equations are judged as in AAAR-1.0.",
            "st-generate experiments": "Experiments are planned as in AAAR-1.0.",
            "st-generate explanations": "Experiments are explained as in AAAR-1.0.",
            "st-generate weaknesses": "Weaknesses of papers are generated as in AAAR-1.0.",
            "st-judge entail": "Experiments and explanations are compared with the paper's as in AAAR-1.0.",
            "entail": "Experiments and explanations are compared with the paper's as in AAAR-1.0.",
            "soft": "Lists of weaknesses are scored by the similarity of their items, as in AAAR-1.0.",
            "st-judge review": "Segments of reviews are judged as in AAAR-1.0.",
            "review": "Segments of reviews are judged as in AAAR-1.0.",
        },
        "Lou, Xu, Wang, Du and others. AAAR-1.0: Assessing AI's Potential to Assist Research. ICML 2025. "
        "arXiv:2410.22394.",
    ),
)


def methods_of(steps: Iterable[str]) -> Iterator[tuple[list[str], str]]:
    """Sentences and reference of each system used, given commands (with tasks) and metrics."""
    words = {part for step in steps for part in (step, step.partition(" ")[0])}
    return ((said, method.reference) for method in METHODS if (said := method.said_of(words)))
