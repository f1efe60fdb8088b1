"""How far raters agree.

- ``coefficients``: Krippendorff's alpha, Cohen's and Fleiss' kappa, percent agreement. ``intervals``: their bootstrap.
- ``gwet``: AC1 and AC2, and weighted percentage agreement, with their intervals.
- ``categories``: confusion of values, agreement on each. ``concordance``: Lin's, and limits of agreement.
- ``ceiling``: one rater and a judge against the mean of the others.
- ``icc``: intraclass correlations with F intervals. ``advantage``: the alternative annotator
  test.
- ``scales``: nominal, ordinal, interval and ratio values. ``majority``: what most raters said.
- ``disagreements``: prevalence, who is apart from whom, the least change that can be noticed.
- ``rater_changes``: what one rater makes of a coefficient, with a permutation test.
- ``spans``: F1 of texts that raters marked. ``offsets``: of their places. ``sets``: distances of sets.
"""
