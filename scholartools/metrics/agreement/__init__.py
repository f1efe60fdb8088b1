"""Agreement of raters.

- ``coefficients``: Krippendorff's alpha, Cohen's and Fleiss' kappa, percent agreement. ``intervals``: their intervals.
- ``gwet``: AC1 and AC2, and weighted percentage agreement, with their intervals.
- ``categories``: confusion of values, agreement on each. ``concordance``: Lin's, and limits of agreement.
- ``ceiling``: one rater and a judge against the mean of the others.
- ``icc``: intraclass correlations with intervals. ``advantage``: the alternative annotator test.
- ``scales``: nominal, ordinal, interval and ratio values. ``majority``: majority values.
- ``disagreements``: prevalence, disagreements of pairs, the smallest detectable change.
- ``rater_changes``: effect of one rater on a coefficient, with a permutation test.
- ``spans``: F1 of marked texts. ``offsets``: overlap of marked spans. ``sets``: distances of sets.
"""
