"""Statistics of ratings: agreement of raters, and comparison of measures with human scores of the same items.

- ``ratings``: ratings in long form, ``{"item", "rater", "label", "value"}``, or in wide form, a key per rater.
- ``columns``: numeric columns of measures, in either form.
- ``coefficients``, ``majority_vote``, ``span_f1``: agreement of raters, majority labels, agreement on marked spans.
- ``alternative_annotator``: whether a judge can replace a human rater. ``numbers``: concordance, the human ceiling.
- ``confusion``: confusion tables.
- ``correlation``, ``error_overlap``, ``repeated_runs``, ``bias``, ``efficiency``, :mod:`.ranking`: measures against
  human scores.
- :mod:`.people`: estimates of human scores from those of a judge.
- ``systems``: comparison of systems, and the power of tests. ``reply_scores``: scores parsed from models' replies.
- ``run``: a statistic over a stream of records. ``results``: the parts of a result record: its ``value``, or null
  and the ``reason``, its counts, and its ``signature``.
- ``label_report``: an overview of the ratings of a label. ``tables``, :mod:`.figures`: human-readable results;
  ``spelling``: number formats of both.
"""
