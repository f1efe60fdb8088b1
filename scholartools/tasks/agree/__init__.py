"""Statistics of ratings: how far raters agree, and how measures of the same items compare.

- ``ratings``: ratings in long form, ``{"item", "rater", "label", "value"}``, or in wide form, a key per rater.
- ``columns``: measures side by side, in either form.
- ``coefficients``, ``majority_vote``, ``span_f1``: agreement of raters, ground truth, agreement on marked texts.
- ``alternative_annotator``: whether a judge can replace a person. ``numbers``: concordance, the human ceiling.
- ``confusion``: which values are confused.
- ``correlation``, ``error_overlap``, ``repeated_runs``, ``bias``, ``efficiency``, :mod:`.ranking`: measures against
  people's.
- :mod:`.people`: what people would say, from what a judge says.
- ``systems``: two systems compared, and the power of tests. ``reply_scores``: the scores in models' replies.
- ``run``: a statistic over a stream of records. ``results``: the parts of a result record: its ``value``, or null
  and the ``reason``, what it rests on, and its ``signature``.
- ``label_report``: what a reader asks about the ratings of a label. ``tables``, :mod:`.figures`: results for reading;
  ``spelling``: how both write numbers.
"""
