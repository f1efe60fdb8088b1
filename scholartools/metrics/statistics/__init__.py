"""What can be said of many values.

- ``resampling``: bootstrap. ``paired_bootstrap``, ``t_tests``: two systems compared, Cohen's d, power.
- ``multiple_tests``: p values of a family of tests.
- ``correlation``: Pearson, Spearman, Kendall. ``partial``: with others held, and compared. ``grouped``: inside groups.
  ``differences``: of two such coefficients inside groups, and of means. ``pairwise``: how pairs are ranked.
  ``permutation``: which of several measures goes furthest.
- ``weight_fit``: least squares of overall ratings on parts.
- ``error_overlap``: whether methods err on the same records. ``spread``: how far runs of one method differ.
- ``slopes``: bias of a score. ``thresholds``, ``conformal``: people's levels from a judge's scores.
- ``agreement_limits``: Bland and Altman's limits. ``reliability``: probabilities against what came true.
  ``calibration``: probabilities that do.
- ``prediction_powered``: people's mean score from few of their scores and a judge's of all.
"""
