"""Independent implementation of intervals of a mean, for comparison."""

from __future__ import annotations

import math

import numpy as np
from scipy import optimize, stats


def halls(units, confidence, error=None, df=None):
    """Ends and p value of an interval of a mean: the wider end of Student's and Hall's (1992, JRSS B 54, eq. 2)."""
    n = len(units)
    df = n - 1 if df is None else df
    error = np.std(units, ddof=1) / math.sqrt(n) if error is None else error
    skewness = stats.skew(units, bias=False) / math.sqrt(n) if n > 2 else 0.0
    return bent(np.mean(units), error, skewness, df, confidence)


def bent(value, error, skewness, df, confidence):
    most = 0.8 / stats.t.ppf(0.975, df)
    a = min(most, max(-most, skewness))

    def g(t):
        return t + a * t**2 / 3 + a**2 * t**3 / 27 + a / 6

    def inverse(z):  # numerically: g increases with t
        return optimize.brentq(lambda t: g(t) - z, -1e9, 1e9, xtol=1e-14, rtol=1e-14, maxiter=500)

    critical, t = stats.t.ppf((1 + confidence) / 2, df), value / error
    return (
        min(value - error * inverse(critical), value - error * critical),
        max(value - error * inverse(-critical), value + error * critical),
        max(2 * stats.t.sf(abs(one), df) for one in (g(t), t)),
    )
