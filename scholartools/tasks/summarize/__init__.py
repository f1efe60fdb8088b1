"""Aggregate record-level scores per metric and system.

- ``summary``: records in, one record a system out. ``groups``: columns of values. ``corpus_level``: pooled values.
- ``comparisons``: two systems on the same records. ``itf_idf``: diversity over papers. ``label_agreement``: alpha
  and kappa of labels. ``runs``, ``median_run``: several runs of one system.
- ``ratings``: those of judges in long form. ``truth``: people's scores beside them. ``tables``: summaries for reading.
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
