"""How far raters agree.

- ``coefficients``: Krippendorff's alpha, Cohen's and Fleiss' kappa, percent agreement. ``intervals``: their bootstrap.
- ``gwet``: AC1 and AC2 with their intervals.
- ``icc``: intraclass correlations with F intervals. ``advantage``: a judge beside a person.
- ``scales``: nominal, ordinal, interval and ratio values. ``majority``: what most raters said.
- ``disagreements``: prevalence, who is apart from whom, the least change that can be noticed.
- ``rater_changes``: what one rater makes of a coefficient, with a permutation test.
- ``spans``: F1 of texts that raters marked. ``offsets``: of their places. ``sets``: distances of sets.
"""
