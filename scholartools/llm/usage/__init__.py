"""What calls use: what a run has used, what it may cost, and what it would send.

- ``counts``: calls, tokens and USD of a run so far. ``budget``: prices, bounds of tokens, and what is left of a limit.
- ``spending``: what calls may cost at most, what is set aside for them, and what they have cost.
- ``forecast``: what a dry run would send.
"""
