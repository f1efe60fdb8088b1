"""Decide whether two equations have the same meaning: same, different or undecided.

- ``certify``: the verdict, by tokens, trees, probes and solving in turn. ``evidence``: types of letters and functions.
- ``canonical``, ``comparison``: canonical trees, and comparison by values. ``relations``: mirrored relations.
- ``notation``: differences that may be only of notation.
- ``identities``, ``laws``: rules, and laws of operators and functions, that probes do not compute.
- ``definitions``: definitions of operators, by which statements may be the same.
- ``conventions``: conventions of fields, a table with an example and a counter-example in each row.
- ``named``: laws of functions that letters commonly name, such as steps, weights and densities.
- ``substitution``: changes of bound variables.
- ``probes``, ``values``, ``solving``: values at random numbers and matrices, and solutions for one symbol.
- ``tables``, ``joints``: tables of joint probabilities, and comparison of statements about probabilities by them.
- ``witness``: a point at which one equation holds and the other does not, which others can check.
- ``conditions``: conditions that fix letters, under which different values may be equal.
- ``bounds``: points at which one of two bounds holds and the other does not, also for positive or integer letters.
"""
