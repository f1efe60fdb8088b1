"""Statistics of samples: intervals, tests, correlations, calibration.

- ``resampling``: jackknife and bootstrap. ``paired_bootstrap``, ``t_tests``: two systems compared, Cohen's d, power.
- ``multiple_tests``: correction of p values for multiple tests.
- ``correlation``: Pearson, Spearman, Kendall. ``partial``: partial correlation. ``grouped``: within groups.
  ``differences``: of two coefficients within groups, and of means. ``pairwise``: rankings of pairs.
  ``permutation``: permutation tests of the correlations of several measures.
- ``weight_fit``: least squares of overall ratings on parts.
- ``error_overlap``: whether methods err on the same records. ``spread``: variation between runs of one method.
- ``slopes``: bias of a score. ``thresholds``, ``conformal``: prediction of human ratings from a judge's scores.
- ``agreement_limits``: Bland and Altman's limits. ``reliability``: reliability of probabilities.
  ``calibration``: calibration of scores.
- ``prediction_powered``: mean human score from few human scores and a judge's scores of all items.
"""
