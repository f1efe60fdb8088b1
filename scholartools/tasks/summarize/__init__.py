"""Aggregate record-level scores per metric and system.

- ``summary``: from records to one record per system. ``groups``: columns of values. ``corpus_level``: pooled values.
- ``comparisons``: two systems on the same records. ``itf_idf``: diversity over papers. ``label_agreement``: alpha
  and kappa of labels. ``runs``, ``median_run``: several runs of one system.
- ``ratings``: ratings of judges in long form. ``truth``: human scores of the same texts. ``tables``: text and CSV.
"""

from scholartools.tasks.summarize.summary import (
    Diversities,
    Keys,
    Summary,
    is_summary_wanted,
    prepare,
    results_csv,
    table,
    threshold,
    writer,
)

__all__ = [
    "Diversities", "Keys", "Summary", "is_summary_wanted", "prepare", "results_csv", "table", "threshold", "writer",
]  # fmt: skip
