"""Usage of model calls: counts, limits and forecasts.

- ``counts``: calls, tokens and USD of a run so far. ``budget``: prices, upper bounds on tokens, and limits.
- ``spending``: reservations of maximum costs, and actual costs.
- ``forecast``: the calls that a dry run would send.
"""
